#!/usr/bin/env python3
"""Counts the instructions of every method and compares them with those of the last record, so that a change of speed is seen on a
machine that does other things, too.

    benches/history.py target/release/conclave                 every method against the last record; exit status 1 if one is slower
    benches/history.py target/release/conclave --methods mm,v-bce
    benches/history.py target/release/conclave --record WORDS  adds the counts to benches/history.csv, under these words

Counts are callgrind's (package valgrind): millions of instructions of the whole command `consensus` on one thread, of which reading and
writing take some ten million. They are the same each time to about a tenth of a percent, and differ between compilers and
processors: compare on one machine, with one compiler. Methods between parties (*-rows, *-columns) are left out unless they are
named: valgrind 3.19 ends at the first thread they start. Two files are combined: 2,000 objects with 200 different rows, and 400
objects that all differ (20 columns of 10 labels, k = 5).
"""

import argparse
import csv
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HISTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "history.csv")
HEADER = ["record", "method", "version", "labels", "million_instructions"]
COLUMNS, LABELS, GROUPS = 20, 10, 5
# What is slower than this is told of, and what is quicker by as much.
NOTABLE = 1.03


def labels(path, objects, rows, noise):
    rng = random.Random(rows)
    centres = [[rng.randrange(LABELS) for _ in range(COLUMNS)] for _ in range(GROUPS)]
    different = [[label if rng.random() > noise else rng.randrange(LABELS) for label in centres[row % GROUPS]]
                 for row in range(rows)]
    with open(path, "w") as out:
        out.write(",".join(f"c{column}" for column in range(COLUMNS)) + "\n")
        for thing in range(objects):
            out.write(",".join(map(str, different[thing % rows])) + "\n")


def count(program, path, method, needs_k):
    """Millions of instructions of one command."""
    with tempfile.TemporaryDirectory() as folder:
        counted = os.path.join(folder, "counted")
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counted}", program, "consensus", path, "--method", method,
                   "--threads", "1", "--output", os.path.join(folder, "clusters.csv")]
        command += ["-k", str(GROUPS)] if needs_k else []
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        # Threads are counted one by one and all together.
        return int(re.search(r"^(?:summary|totals): (\d+)", open(counted).read(), re.M).group(1)) / 1e6


def last_record():
    """The latest count of every method and file."""
    if not os.path.exists(HISTORY):
        return {}
    with open(HISTORY, newline="") as rows:
        return {(row["method"], row["labels"]): row for row in csv.DictReader(rows)}


def usual(known):
    names = (method["name"] for method in known)
    return [name for name in names if name != "base" and not name.endswith(("-rows", "-columns"))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--methods", help="only these, separated by commas")
    parser.add_argument("--record", metavar="WORDS", help="add the counts to history.csv")
    asked = parser.parse_args()
    known = json.loads(subprocess.run([asked.program, "list", "methods", "--json"], capture_output=True, check=True).stdout)
    wanted = asked.methods.split(",") if asked.methods else usual(known)
    about = {method["name"]: method for method in known}
    unknown = [name for name in wanted if name not in about]
    if unknown:
        sys.exit(f"no method is named {unknown[0]}; see `{asked.program} list methods`")
    with tempfile.TemporaryDirectory() as folder:
        files = {"repeated": os.path.join(folder, "repeated.csv"), "different": os.path.join(folder, "different.csv")}
        labels(files["repeated"], 2_000, 200, 0.2)
        labels(files["different"], 400, 400, 0.4)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = {(method, name): pool.submit(count, asked.program, path, method, about[method]["needs_k"])
                    for method in wanted for name, path in files.items()}
            counts = {place: job.result() for place, job in jobs.items()}
    before = last_record()
    slower = []
    print(f"{'method':20} {'labels':10} {'last':>12} {'now':>12} {'ratio':>7}")
    for (method, name), now in counts.items():
        last = before.get((method, name))
        if not last:
            print(f"{method:20} {name:10} {'':12} {now:12.1f}")
            continue
        was = float(last["million_instructions"])
        ratio = now / was
        mark = "  slower" if ratio > NOTABLE else "  quicker" if ratio < 1 / NOTABLE else ""
        print(f"{method:20} {name:10} {was:12.1f} {now:12.1f} {ratio:7.3f}{mark}")
        if ratio > NOTABLE:
            slower.append(f"{method} on {name} labels")
    if asked.record:
        is_new = not os.path.exists(HISTORY)
        with open(HISTORY, "a", newline="") as out:
            rows = csv.writer(out, lineterminator="\n")
            if is_new:
                rows.writerow(HEADER)
            for (method, name), now in counts.items():
                rows.writerow([asked.record, method, about[method]["version"], name, f"{now:.1f}"])
        return
    if slower:
        sys.exit(f"slower than the last record: {', '.join(slower)}")


if __name__ == "__main__":
    main()
