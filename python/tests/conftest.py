"""Where the tests find the program, the data and each other."""

from __future__ import annotations

import os
import pathlib

import numpy as np
import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program() -> pathlib.Path:
    """The program: that of CONCLAVE, or the newest that the checkout has."""
    if "CONCLAVE" in os.environ:
        return pathlib.Path(os.environ["CONCLAVE"]).absolute()
    built = [PROJECT / "target" / profile / "conclave" for profile in ("debug", "release")]
    there = [path for path in built if path.is_file()]
    if not there:
        pytest.skip("the program is not built: cargo build")
    return max(there, key=lambda path: path.stat().st_mtime)


@pytest.fixture
def noisy() -> np.ndarray:
    """Noisy copies of three groups of 40 objects, ten base clusterings."""
    random = np.random.default_rng(5)
    truth = np.repeat([0, 1, 2], 40)
    labels = np.tile(truth[:, None], (1, 10))
    wrong = random.random(labels.shape) < 0.15
    labels[wrong] = random.integers(0, 3, wrong.sum())
    return labels


@pytest.fixture
def truth() -> np.ndarray:
    return np.repeat([0, 1, 2], 40)
