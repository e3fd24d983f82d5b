#!/usr/bin/env python3
"""How evenly shards divide an experiment: processor seconds of each, beside the estimates the division rests on.

    cargo build --release
    benches/shards.py target/release/conclave experiments/quickstart.toml

Runs the shards of 1, 2, 4 and 8, one thread each, all at once, and compares the bytes of the merged results with those of a
plain run. Processor seconds do not depend on how busy the machine is; wall seconds do.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time


def start(*arguments):
    return subprocess.Popen(arguments, stdout=subprocess.DEVNULL)


def processor_seconds(process):
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{process.args} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime


def unevenness(costs):
    return max(costs) / (sum(costs) / len(costs))


def main():
    program, spec, *options = sys.argv[1:]
    print("shards  wall s  cpu s in all  cpu s largest  largest/mean measured  estimated  merge cpu s  same bytes")
    with tempfile.TemporaryDirectory() as folder:
        run = [program, "run", spec, *options]
        plain = f"{folder}/plain"
        processor_seconds(start(*run, "--results", plain, "--no-report"))
        (expected,) = pathlib.Path(plain).glob("*/cells.parquet")
        for shards in (1, 2, 4, 8):
            results = ["--results", f"{folder}/{shards}"]
            begun = time.monotonic()
            each = [start(*run, *results, "--threads", "1", "--shard", f"{i}/{shards}") for i in range(1, shards + 1)]
            costs = [processor_seconds(process) for process in each]
            wall = time.monotonic() - begun
            merge = processor_seconds(start(*run, *results, "--merge", "--no-report"))
            plan = subprocess.check_output([program, "plan", spec, *options, "--shards", str(shards), "--json"])
            (merged,) = pathlib.Path(f"{folder}/{shards}").glob("*/cells.parquet")
            same = "yes" if merged.read_bytes() == expected.read_bytes() else "NO"
            print(f"{shards:6}  {wall:6.1f}  {sum(costs):12.1f}  {max(costs):13.1f}  {unevenness(costs):21.2f}"
                  f"  {unevenness(json.loads(plan)['shards']):9.2f}  {merge:11.1f}  {same:>10}")


main()
