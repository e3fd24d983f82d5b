"""Indices are those of scikit-learn where it has them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as theirs

from conclave import metrics


@pytest.mark.parametrize("seed", range(5))
def test_indices_are_those_of_scikit_learn(seed):
    random = np.random.default_rng(seed)
    truth, found = random.integers(0, 4, (2, 60))
    assert metrics.ari(truth, found) == pytest.approx(theirs.adjusted_rand_score(truth, found), abs=1e-12)
    assert metrics.ami(truth, found) == pytest.approx(theirs.adjusted_mutual_info_score(truth, found), abs=1e-12)
    geometric = theirs.normalized_mutual_info_score(truth, found, average_method="geometric")
    assert metrics.nmi_sqrt(truth, found) == pytest.approx(geometric, abs=1e-12)
    maximum = theirs.normalized_mutual_info_score(truth, found, average_method="max")
    assert metrics.nmi_max(truth, found) == pytest.approx(maximum, abs=1e-12)
    table = theirs.cluster.contingency_matrix(truth, found)
    assert metrics.mp(truth, found) == pytest.approx(table.max(axis=0).sum() / 60)


def test_every_index_has_a_function_and_the_same_value_in_the_score():
    truth, found = ["a", "a", "b", "b", "c"], [1, 1, 1, 0, 0]
    for name, value in metrics.score(truth, found).items():
        function = getattr(metrics, name.replace("-", "_"))
        arguments = (found,) if name in ("clusters", "singletons") else (truth, found)
        assert function(*arguments) == value, name


@pytest.mark.parametrize(
    ("truth", "found", "words"),
    [
        ([0, 1], [0, 1, 1], "3 labels and 2 classes"),
        ([0, None], [0, 1], "the truth lacks 1 labels"),
        ([0, 1], [[0, 1], [1, 0]], "the clustering has 2 dimensions"),
        ([], [], "no objects"),
    ],
)
def test_what_cannot_be_compared_is_refused(truth, found, words):
    with pytest.raises(ValueError, match=words):
        metrics.ari(truth, found)
