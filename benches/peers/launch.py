"""Runs a command with limited memory and, where that is not 0, CPU time; writes what came of it and what it used to a file.

    launch.py REPORT GIGABYTES SECONDS COMMAND…

A process begins with the peak memory of the one that it was forked from. So this one imports nothing large.
"""

import json
import os
import resource
import sys


def main(report, gigabytes, seconds, command):
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (gigabytes << 30, gigabytes << 30))
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        os.execvp(command[0], command)
    _, status, usage = os.wait4(child, 0)
    used = {
        "status": os.waitstatus_to_exitcode(status),
        "seconds": usage.ru_utime + usage.ru_stime,
        "megabytes": usage.ru_maxrss / 1024,
    }
    with open(report, "w") as file:
        json.dump(used, file)


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
