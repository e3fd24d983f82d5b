#!/usr/bin/env python3
"""Processor seconds and memory of the Python package on 1,000,000 objects × 20 base clusterings, from arrays and data frames.

    benches/python_labels.py            with an interpreter that has the package; pandas and polars are left out where they are not

Each line is a process of its own. Processor seconds are those of all threads: unlike the clock's, they are much the same on a busy machine. Memory is the peak over what the process had with the labels in place. Linux only.
"""

import json
import subprocess
import sys
import time

import numpy as np

OBJECTS, COLUMNS, GROUPS = 1_000_000, 20, 10


def labels(kind):
    random = np.random.default_rng(1)
    truth = random.integers(0, GROUPS, OBJECTS)
    # A tenth of the objects has labels of its own kind in a few columns: 10 groups and some 100,000 distinct rows.
    made = np.tile(truth[:, None], (1, COLUMNS)).astype(kind)
    odd = random.choice(OBJECTS, OBJECTS // 10, replace=False)
    made[odd[:, None], random.integers(0, COLUMNS, (len(odd), 5))] = random.integers(0, GROUPS, (len(odd), 5))
    return made


def container(name):
    if name == "numpy int64, C order":
        return labels("i8")
    if name == "numpy int64, Fortran order":
        return np.asfortranarray(labels("i8"))
    if name == "numpy uint8":
        return labels("u1")
    made = labels("i4")
    columns = {f"c{place}": column for place, column in enumerate(made.T)}
    if name == "pandas int32":
        import pandas

        return pandas.DataFrame(columns)
    import polars

    frame = polars.DataFrame(columns)
    return frame if name == "polars int32" else frame.cast(polars.String)


def peak():
    """The most memory since `forget_peak`, in MB."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024


def forget_peak():
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")


def one(name):
    import conclave
    from conclave._labels import read

    made = container(name)
    forget_peak()
    before, started = peak(), time.process_time()
    table = read(made)
    reading = time.process_time() - started
    after_reading = peak()
    started = time.process_time()
    answer = conclave.consensus(made, "voting", GROUPS, seed=1)
    print(json.dumps([reading, after_reading - before, time.process_time() - started, peak() - before, table.shape[2], answer.n_clusters_]))


def main():
    print("| labels | reading, s | MB | reading and voting, s | MB | distinct rows |\n|---|---:|---:|---:|---:|---:|")
    names = ["numpy int64, C order", "numpy int64, Fortran order", "numpy uint8", "pandas int32", "polars int32", "polars text"]
    for name in names:
        done = subprocess.run([sys.executable, __file__, name], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"| {name} | {done.stderr.strip().splitlines()[-1]} | | | | |")
            continue
        reading, read_mb, seconds, mb, rows, _ = json.loads(done.stdout)
        print(f"| {name} | {reading:.2f} | {read_mb:.0f} | {seconds:.2f} | {mb:.0f} | {rows:,} |", flush=True)


if __name__ == "__main__":
    one(sys.argv[1]) if len(sys.argv) > 1 else main()
