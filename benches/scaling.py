#!/usr/bin/env python3
"""Measures what docs/SPEED.md shows: how consensus grows with objects and distinct rows, and messages with parties.

    benches/scaling.py PROGRAM [--objects 10000000] [--methods lwgp,kcc] [--mpi]

PROGRAM is a release build of conclave; with --mpi one with the feature mpi. Labels are made here and streamed into the
program: 20 columns of 10 labels, five groups, `rows` different rows in all. CPU seconds and peak memory are the program's own.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time

COLUMNS, LABELS, GROUPS = 20, 10, 5

# Methods that work on distinct rows, and those among them whose time goes with the square of their number.
LINEAR = ("mm", "v-bce", "voting", "qmi", "kmeans", "nbce-vb", "nbce-cvb", "mcla", "hgpa")
MODERN = ("lwgp", "tcut", "kcc", "sec", "ecpcs-mc", "nmf", "cumulative-voting", "aspect")
QUADRATIC = ("eac-sl", "eac-al", "eac-cl", "cspa")
FIND_K = ("nbce-vb", "nbce-cvb")


def different_rows(count):
    """Rows of five groups; each label is its group's, or with probability 0.2 another one."""
    rng = random.Random(count)
    centres = [[rng.randrange(LABELS) for _ in range(COLUMNS)] for _ in range(GROUPS)]
    rows = set()
    while len(rows) < count:
        centre = centres[len(rows) % GROUPS]
        rows.add(tuple(label if rng.random() > 0.2 else rng.randrange(LABELS) for label in centre))
    return [(",".join(map(str, row)) + "\n").encode() for row in sorted(rows)]


def stream(out, objects, rows):
    out.write((",".join(f"c{column}" for column in range(COLUMNS)) + "\n").encode())
    block = 10_000
    rng = random.Random(1)
    for start in range(0, objects, block):
        count = min(block, objects - start)
        # Every row at least once, then at random.
        first = rows[start:start + count]
        out.write(b"".join(first + rng.choices(rows, k=count - len(first))))
    out.close()


def run(program, arguments, feed):
    started = time.time()
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "consensus", "-", *arguments, "--output", os.path.join(folder, "clusters.csv")]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        feed(process.stdin)
        said = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)}: {said}")
    return time.time() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def growth(program, largest, chosen):
    print("objects   distinct  method  wall s  cpu s  peak MB")
    sizes = [size for size in (10_000, 100_000, 1_000_000, 10_000_000) if size <= largest]
    cases = [(size, rows) for rows in (1_000, 100_000) for size in sizes if size >= rows]
    for objects, rows in cases:
        made = different_rows(rows)
        # A hundred thousand rows are for the methods that docs/SPEED.md shows them for.
        usual = LINEAR + QUADRATIC + MODERN if rows == 1_000 else LINEAR[:3] + MODERN
        for method in (chosen or usual):
            feed = lambda out: stream(out, objects, made)
            told = [] if method in FIND_K else ["-k", str(GROUPS)]
            wall, cpu, memory = run(program, ["--method", method, *told], feed)
            print(f"{objects:<9} {rows:<9} {method:<7} {wall:>6.1f} {cpu:>6.1f} {memory:>8.0f}", flush=True)


def messages(program):
    print("method         ranks  iterations  bytes per iteration  rounds per iteration  cpu s slowest party")
    with tempfile.TemporaryDirectory() as folder:
        labels = os.path.join(folder, "labels.csv")
        with open(labels, "wb") as out:
            stream(out, 20_000, different_rows(2_000))
        for method in ("v-bce-rows", "mm-rows", "kmeans-rows", "v-bce-columns", "mm-columns"):
            for ranks in (2, 4, 8, 16):
                limits = [] if method == "kmeans-rows" else ["--param", "restarts=1", "--param", "iterations=10"]
                command = ["mpirun", "-n", str(ranks), "--oversubscribe", program, "party", labels, "--method", method]
                environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
                answer = subprocess.run([*command, "-k", str(GROUPS), "--json", *limits], check=True, env=environment,
                                        stdout=subprocess.PIPE).stdout
                answer = json.loads(answer)
                traffic = answer["traffic"]
                print(f"{method:<14} {ranks:>5} {answer['iterations']:>11} {traffic['bytes_per_iteration']:>19.0f} "
                      f"{traffic['rounds_per_iteration']:>20.1f} {traffic['slowest_party_seconds']:>20.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--objects", type=int, default=10_000_000)
    parser.add_argument("--methods", type=lambda text: text.split(","), help="only these, with both numbers of rows")
    parser.add_argument("--mpi", action="store_true")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    messages(program) if arguments.mpi else growth(program, arguments.objects, arguments.methods)


if __name__ == "__main__":
    main()
