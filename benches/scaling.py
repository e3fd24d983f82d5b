#!/usr/bin/env python3
"""Measures what docs/SCALING.md shows: how consensus grows with objects and distinct rows, and messages with parties.

    benches/scaling.py PROGRAM [--objects 10000000] [--methods lwgp,kcc] [--mpi]
    benches/scaling.py PROGRAM --threads [--objects 1000000] [--methods mm,eac-al]

PROGRAM is a release build of conclave; with --mpi one with the feature mpi. Labels are made here and streamed into the
program: 20 columns of 10 labels, five groups, `rows` different rows in all. CPU seconds and peak memory are the program's own.

With --threads files are read instead, on one and on two threads, and once more on 64, whatever the machine has: every few
milliseconds it is asked how many threads have something to do, and the CPU time since then counts as the work of so many. "Alone"
is the share that one thread did alone; what 64 processors would take is computed from all shares. It depends neither on
the machine's processors nor on what else it does.
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
        labels = [] if arguments[0].endswith(".csv") else ["-"]
        command = [program, "consensus", *labels, *arguments, "--output", os.path.join(folder, "clusters.csv")]
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
        # A hundred thousand rows are for the methods that docs/SCALING.md shows them for.
        usual = LINEAR + QUADRATIC + MODERN if rows == 1_000 else LINEAR[:3] + MODERN
        for method in (chosen or usual):
            feed = lambda out: stream(out, objects, made)
            told = [] if method in FIND_K else ["-k", str(GROUPS)]
            wall, cpu, memory = run(program, ["--method", method, *told], feed)
            print(f"{objects:<9} {rows:<9} {method:<7} {wall:>6.1f} {cpu:>6.1f} {memory:>8.0f}", flush=True)


# Rows of the files that --threads reads: `FEW` for methods that compare all pairs of them, else a tenth of the objects.
FEW = 2_000
THREADED = (*LINEAR, "lwgp", "kcc", "sec", "nmf", "aspect", "eac-al", "lwea", "pta-al", "cspa", "hbgf")
COMPARE_PAIRS = (*QUADRATIC, "lwea", "pta-al")


def cpu_clock(process):
    """What time.clock_gettime wants for the CPU time of another process."""
    return (~process << 3) | 2


def at_work(process):
    """How many threads of a process have something to do."""
    count = 0
    for task in os.listdir(f"/proc/{process}/task"):
        try:
            with open(f"/proc/{process}/task/{task}/stat") as file:
                count += file.read().rpartition(")")[2].split()[0] == "R"
        except (FileNotFoundError, ProcessLookupError):
            pass
    return count


def watched(command):
    """The CPU seconds of a command by the number of threads that had something to do."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shares, before = {}, 0.0
    while process.poll() is None:
        try:
            count, now = at_work(process.pid), time.clock_gettime(cpu_clock(process.pid))
        except OSError:
            break
        shares[max(count, 1)] = shares.get(max(count, 1), 0.0) + now - before
        before = now
        time.sleep(0.002)
    process.wait()
    return shares


def threads(program, objects, chosen):
    print("method               rows  1: wall s  cpu s  2: wall s  cpu s  alone  64 (computed): s  times")
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for method in chosen or THREADED:
            rows = FEW if method in COMPARE_PAIRS else objects // 10
            if rows not in files:
                files[rows] = os.path.join(folder, f"{rows}.csv")
                with open(files[rows], "wb") as out:
                    stream(out, rows if rows == FEW else objects, different_rows(rows))
            told = [] if method in FIND_K else ["-k", str(GROUPS)]
            command = [files[rows], "--method", method, *told]
            one, two = (run(program, [*command, "--threads", count], lambda out: out.close()) for count in "12")
            shares = watched([program, "consensus", *command, "--threads", "64", "--output", os.path.join(folder, "out.csv")])
            whole = sum(shares.values())
            many = sum(seconds / min(count, 64) for count, seconds in shares.items())
            print(f"{method:<18} {rows:>6}  {one[0]:>9.2f} {one[1]:>6.2f}  {two[0]:>9.2f} {two[1]:>6.2f}  "
                  f"{shares.get(1, 0.0) / whole:>5.0%}  {many:>16.2f}  {whole / many:>5.1f}", flush=True)


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
    parser.add_argument("--objects", type=int, help="10,000,000; 1,000,000 with --threads")
    parser.add_argument("--methods", type=lambda text: text.split(","), help="only these, with both numbers of rows")
    parser.add_argument("--mpi", action="store_true")
    parser.add_argument("--threads", action="store_true")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    if arguments.mpi:
        messages(program)
    elif arguments.threads:
        threads(program, arguments.objects or 1_000_000, arguments.methods)
    else:
        growth(program, arguments.objects or 10_000_000, arguments.methods)


if __name__ == "__main__":
    main()
