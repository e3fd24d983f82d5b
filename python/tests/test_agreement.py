"""The same seed gives the same bits from Python, the crate and the command line.

`core/tests/agreement/` has what the crate answers: `core/tests/agreement.rs` holds it against the crate, this file against Python and
the program.
"""

from __future__ import annotations

import csv
import json
import subprocess

import numpy as np
import pandas as pd
import pytest
from conftest import PROJECT

import conclave

SEED = 7
FOLDER = PROJECT / "core" / "tests" / "agreement"


def cases() -> list[dict]:
    with open(FOLDER / "answers.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    return [
        {
            "method": row["method"],
            "k": int(row["k"]) if row["k"] else None,
            "objective": float(row["objective"]) if row["objective"] else None,
            "labels": [int(label) for label in row["labels"].split()],
        }
        for row in rows
    ]


def labels() -> pd.DataFrame:
    return pd.read_csv(FOLDER / "labels.csv", dtype=str)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["method"])
def test_python_says_what_the_crate_says(case):
    answer = conclave.consensus(labels(), case["method"], case["k"], SEED)
    assert answer.labels_.tolist() == case["labels"]
    assert answer.objective_ == case["objective"]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["method"])
def test_python_says_what_the_program_says(case, program):
    command = [program, "consensus", FOLDER / "labels.csv", "--method", case["method"], "--seed", str(SEED), "--json"]
    if case["k"] is not None:
        command += ["-k", str(case["k"])]
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    answer = conclave.consensus(labels(), case["method"], case["k"], SEED)
    assert found["labels"] == answer.labels_.tolist() == case["labels"]
    assert (found["objective"] or {"value": None})["value"] == answer.objective_
    assert found["iterations"] == answer.iterations_ and found["clusters"] == answer.n_clusters_


def test_numbers_have_the_codes_of_their_texts(program, tmp_path):
    numbers = np.random.default_rng(3).integers(-3, 13, (80, 6))
    path = tmp_path / "labels.csv"
    pd.DataFrame(numbers).to_csv(path, index=False)
    command = [program, "consensus", path, "--method", "kmeans", "-k", "4", "--seed", "5", "--json"]
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert found["labels"] == conclave.consensus(numbers, "kmeans", 4, 5).labels_.tolist()


def test_base_clusterings_are_those_of_the_program(program, tmp_path):
    features = np.random.default_rng(1).normal(size=(50, 3))
    source, made = tmp_path / "features.csv", tmp_path / "labels.csv"
    pd.DataFrame(features, columns=list("xyz")).to_csv(source, index=False)
    for generator, options in (("kmeans", {"k": 4}), ("linkage", {"k": "2..5", "link": "average"}), ("hyperplanes", {"r": 2})):
        command = [program, "ensemble", source, "--generator", generator, "--size", "5", "--seed", "9", "--output", made]
        for name, value in options.items():
            command += ["--param", f"{name}={value}"]
        subprocess.run(command, capture_output=True, check=True)
        function = getattr(conclave.generate, generator.replace("-", "_"))
        own = function(features, size=5, seed=9, **options)
        assert (pd.read_csv(made).to_numpy() == own).all(), generator
        made.unlink()
