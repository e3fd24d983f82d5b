"""A peer in a process of its own: answers to one table as lines of JSON, each printed as soon as it is there.

    answer.py REQUEST     what frame.ask_peer asks for
"""

import json
import resource
import sys
import time
from importlib import import_module
from pathlib import Path

import numpy as np
from hot import Hot
from peer import Timed
from registry import peers_of
from tables import read_csv

# Repeats end when they have taken this many CPU seconds.
LONG = 0.5


def limited(seconds):
    """From now on, at most so many CPU seconds."""
    spent = resource.getrusage(resource.RUSAGE_SELF)
    hard = int(spent.ru_utime + spent.ru_stime) + seconds + 1
    resource.setrlimit(resource.RLIMIT_CPU, (hard, resource.RLIM_INFINITY))


def say(**words):
    print(json.dumps(words), flush=True)


def times_of_steps(request, peer, table):
    spent, seed = 0, 0
    while seed < request["repeats"] and spent < LONG:
        seed += 1
        limited(request["limit"])
        started = time.process_time()
        say(step=peer.steps.seconds(table, request["clusters"], seed))
        spent += time.process_time() - started


def of_children():
    """The CPU seconds of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def whole_runs(request, peer, table):
    spent, seed = 0, 0
    while seed < request["repeats"] and spent < LONG:
        seed += 1
        limited(request["limit"])
        # Once its CPU time is limited, the clock of the process ticks in milliseconds; that of the thread is exact.
        started, before = time.thread_time(), of_children()
        found = peer.run(table, request["clusters"], restarts=request.get("restarts"), seed=seed)
        seconds = time.thread_time() - started
        spent += seconds + of_children() - before
        if isinstance(found, Timed):
            seconds, found = found.seconds, (found.labels, None, found.score)
        labels, objective, score = found
        if objective is None and score:
            objective = score(labels)
        ours = float(score(np.load(request["ours"]))) if score and request.get("ours") else None
        answer = Path(request["folder"]) / f"answer{seed}.npy"
        np.save(answer, np.asarray(labels))
        objective = None if objective is None else float(objective)
        say(seconds=seconds, objective=objective, ours=ours, labels=str(answer))


def main(request):
    request = {"repeats": 3, "quality": True} | json.loads(request)
    table = read_csv(Path(request["folder"]) / "table.csv")
    peer = peers_of(request["method"], request.get("checkouts"), request["limit"])[request["peer"]]
    for module in peer.needs[1]:
        import_module(module)
    Hot(table[:10])
    if request.get("starts"):
        found = [peer.run(table, request["clusters"], restarts=1, seed=seed)[1] for seed in range(request["starts"])]
        say(objectives=[float(value) for value in found])
        return
    if peer.steps and request.get("steps"):
        times_of_steps(request, peer, table)
    if request["quality"]:
        whole_runs(request, peer, table)


main(sys.argv[1])
