"""The same seed gives the same bits from Python, the crate and the command line.

`core/tests/agreement/` has what the crate answers: `core/tests/agreement.rs` holds it against the crate, this file against Python and
the program.
"""

from __future__ import annotations

import csv
import json
import subprocess
import warnings

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


def forms() -> dict[str, pd.DataFrame]:
    """Noisy copies of three groups, as labels of every kind."""
    random = np.random.default_rng(11)
    codes = np.tile(np.repeat([0, 1, 2], 25)[:, None], (1, 6))
    wrong = random.random(codes.shape) < 0.2
    codes[wrong] = random.integers(0, 4, wrong.sum())
    numbers = pd.DataFrame(codes, columns=list("zyxwvu"))
    text = numbers.map(lambda code: ["zebra", "Äpfel", "10", "9"][code])
    return {
        "numbers": numbers,
        "negative": numbers - 2,
        "large": numbers * 10**17 + 2**62,
        "fractions": pd.DataFrame(np.where(wrong, codes + 0.5, codes), columns=numbers.columns),
        "tiny": numbers * 1e-7,
        "truths": numbers > 0,
        "text": text,
        "gaps": text.mask(random.random(codes.shape) < 0.1),
        "columns turned": text[text.columns[::-1]],
        "names turned": text.set_axis(list("uvwxyz"), axis=1),
    }


# One of each family.
FAMILIES = ["mm", "nbce-gibbs", "be", "kmeans", "voting", "cumulative-voting", "eac-al", "wct-cl", "lwea", "cspa", "mcla", "hbgf", "tcut", "nmf", "kcc", "qmi"]


@pytest.mark.parametrize("form", forms())
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_labels_of_every_kind_give_the_program_s_answers(form, suffix, program, tmp_path):
    table = forms()[form]
    path = tmp_path / f"labels.{suffix}"
    table.to_csv(path, index=False) if suffix == "csv" else table.to_parquet(path)
    takes = {one["name"]: one for one in conclave.methods().rows()}
    for method in FAMILIES if suffix == "csv" else ["kmeans", "lwea"]:
        if form == "gaps" and not takes[method]["missing"]:
            continue
        k = 3 if takes[method]["needs_k"] else None
        command = [program, "consensus", path, "--method", method, "--seed", "13", "--json"]
        found = json.loads(subprocess.run(command + (["-k", "3"] if k else []), capture_output=True, check=True).stdout)
        answer = conclave.consensus(table, method, k, 13)
        assert found["labels"] == answer.labels_.tolist(), method
        assert (found["objective"] or {"value": None})["value"] == answer.objective_, method


def test_the_recommended_answer_is_the_program_s(program, tmp_path):
    table = forms()["numbers"]
    path = tmp_path / "labels.csv"
    table.to_csv(path, index=False)
    done = subprocess.run([program, "consensus", path, "-k", "3", "--seed", "2", "--json"], capture_output=True, check=True)
    found, answer = json.loads(done.stdout), conclave.consensus(table, k=3, seed=2)
    assert (found["method"], found["labels"]) == (answer.method_, answer.labels_.tolist())


def test_texts_that_the_program_takes_for_gaps_are_gaps_where_it_is_said(program, tmp_path):
    table = forms()["gaps"].fillna("NA")
    path = tmp_path / "labels.csv"
    table.to_csv(path, index=False)
    done = subprocess.run([program, "consensus", path, "--method", "mm", "-k", "3", "--seed", "0", "--json"], capture_output=True, check=True)
    assert json.loads(done.stdout)["labels"] == conclave.consensus(table, "mm", 3, missing="NA").labels_.tolist()
    assert conclave.consensus(table, "mm", 3).shape_[3] == 0


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


@pytest.mark.parametrize(
    "column",
    [
        [f"person {place}" for place in range(40)],
        [f"person {place % 37}" for place in range(40)],
        [f"person {place % 36}" for place in range(40)],
        [f"person {place}" if place < 27 else None for place in range(40)],
        [f"person {place}" if place < 23 else None for place in range(40)],
        [place / 8 for place in range(40)],
        [place % 21 / 7 for place in range(40)],
        [place % 20 / 7 for place in range(40)],
        [str(place / 8).replace(".", ",") for place in range(40)],
    ],
    ids=["names", "37", "36", "27-gaps", "23-gaps", "measured", "21", "20", "commas"],
)
def test_python_warns_of_the_columns_that_the_program_refuses(column, tmp_path, program):
    groups = [place % 3 for place in range(40)]
    frame = pd.DataFrame({"c1": groups, "c2": groups[::-1], "x": column})
    frame.to_csv(tmp_path / "labels.csv", index=False)
    done = subprocess.run([program, "consensus", tmp_path / "labels.csv", "--method", "mm", "-k", "3"], capture_output=True, text=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        conclave.consensus(frame, "mm", 3)
    assert done.returncode in (0, 2) and (done.returncode == 2) == bool(caught), done.stderr
    assert all(one.category is conclave.LabelsWarning and '"x"' in str(one.message) for one in caught)
