#!/usr/bin/env python3
"""What an operation of each method's formula takes: the table of src/run/outlook/usual.rs.

    benches/estimates.py target/release/conclave [SPEC…] [--scale SCALE]

Runs specs on one thread, by default the synthesis at its quick scale, which has every method, in a folder of their own; reads what
each kind of work took from their costs.parquet; and prints a line for each method, generator and view: the geometric mean of seconds
per operation, beyond what every piece of work takes, over the four kinds of work with the most operations. Needs polars or pyarrow. On an idle machine it takes a minute.
"""
import argparse
import math
import pathlib
import subprocess
import tempfile
from collections import defaultdict

PROJECT = pathlib.Path(__file__).resolve().parent.parent
LEAST = 2e-5
LARGEST = 4


def rows(path):
    try:
        import polars

        return polars.read_parquet(path).to_dicts()
    except ImportError:
        import pyarrow.parquet

        return pyarrow.parquet.read_table(path).to_pylist()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("conclave", type=pathlib.Path)
    parser.add_argument("specs", nargs="*", default=[PROJECT / "experiments" / "synthesis.toml"])
    parser.add_argument("--scale", default="quick")
    arguments = parser.parse_args()
    logarithms = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "results"
        for spec in arguments.specs:
            command = [arguments.conclave.resolve(), "run", spec, "--scale", arguments.scale, "--threads", "1", "--no-report"]
            subprocess.run([*map(str, command), "--results", str(results)], check=True, stdout=subprocess.DEVNULL)
        for row in (row for path in sorted(results.glob("*/costs.parquet")) for row in rows(path)):
            beyond = row["seconds"] - LEAST
            # A program is nobody's but its user's.
            if beyond > 0 and row["operations"] > 0 and " program " not in row["name"]:
                name = row["name"].split(" ")[0]
                logarithms[row["step"], name].append((row["operations"], math.log(beyond / row["operations"])))
    print(f"const MEASURED: [(WorkStep, &str, f64); {len(logarithms)}] = [")
    for (step, name), values in sorted(logarithms.items()):
        largest = [logarithm for _, logarithm in sorted(values, reverse=True)[:LARGEST]]
        print(f'    (WorkStep::{step.capitalize()}, "{name}", {math.exp(sum(largest) / len(largest)):.1e}),')
    print("];")


if __name__ == "__main__":
    main()
