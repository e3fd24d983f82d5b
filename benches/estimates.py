#!/usr/bin/env python3
"""What work usually takes: the table of src/run/outlook/usual.rs.

    benches/estimates.py target/release/conclave [SPEC…] [--scale SCALE]

Runs specs on one thread, by default the synthesis at its quick scale, which has every method, in a folder of their own; reads what
each kind of work took from their costs.parquet; and prints a line for each method, generator and view: the seconds that a piece of
work takes however small it is, and those of an operation, which together are nearest to what was measured, as logarithms, a kind of
work with more weight the longer all of it took. Operations are those of ensembles with as many distinct rows as are likely: see
src/run/outlook/taste.rs. Needs polars or pyarrow. On an idle machine it takes a minute. The methods of the papers are measured
better with their specs, as in `experiments/bce/table4.toml --scale paper`.
"""
import argparse
import math
import pathlib
import subprocess
import tempfile
from collections import defaultdict

PROJECT = pathlib.Path(__file__).resolve().parent.parent
SCORED = 5e-9
LEAST = [2e-6 * 2 ** (step / 2) for step in range(23)]
OPERATION = [1e-12 * 1.16**step for step in range(110)]


def rows(path):
    try:
        import polars

        return polars.read_parquet(path).to_dicts()
    except ImportError:
        import pyarrow.parquet

        return pyarrow.parquet.read_table(path).to_pylist()


def error(kinds, least, operation):
    """How far off these two numbers are."""
    total = 0
    for kind in kinds:
        expected = least + SCORED * kind["scored"] + operation * kind["likely_operations"]
        weight = math.sqrt(kind["count"] * kind["seconds"])
        total += weight * math.log(expected / max(kind["seconds"], 1e-7)) ** 2
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("conclave", type=pathlib.Path)
    parser.add_argument("specs", nargs="*", default=[PROJECT / "experiments" / "synthesis.toml"])
    parser.add_argument("--scale", default="quick")
    arguments = parser.parse_args()
    measured = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "results"
        for spec in arguments.specs:
            command = [arguments.conclave.resolve(), "run", spec, "--scale", arguments.scale, "--threads", "1", "--no-report"]
            subprocess.run([*map(str, command), "--results", str(results)], check=True, stdout=subprocess.DEVNULL)
        for row in (row for path in sorted(results.glob("*/costs.parquet")) for row in rows(path)):
            # A program is nobody's but its user's.
            if row["likely_operations"] > 0 and " program " not in row["name"] and " over k" not in row["name"]:
                measured[row["step"], row["name"]].append(row)
    print(f"const MEASURED: [(WorkStep, &str, [f64; 2]); {len(measured)}] = [")
    for (step, name), kinds in sorted(measured.items()):
        _, least, operation = min((error(kinds, least, operation), least, operation) for least in LEAST for operation in OPERATION)
        print(f'    (WorkStep::{step.capitalize()}, "{name}", [{least:.1e}, {operation:.1e}]),')
    print("];")


if __name__ == "__main__":
    main()
