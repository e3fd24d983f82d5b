"""Indices of a clustering, most of them against known classes.

The arguments are in scikit-learn's order: first the classes, then the clustering. A label is any number or text; none may be
missing.

>>> from conclave import metrics
>>> truth, found = ["a", "a", "b", "b", "b"], [1, 1, 1, 0, 0]
>>> round(metrics.ari(truth, found), 4)
0.1667
>>> metrics.clusters(found)
2
"""

from __future__ import annotations

from typing import Any

from . import _native
from ._labels import read_one

__all__ = [
    "accuracy",
    "ami",
    "ari",
    "clusters",
    "f1_class",
    "f1_nbce",
    "f1_pairs",
    "mp",
    "mp_greedy",
    "nmi_max",
    "nmi_sqrt",
    "score",
    "singletons",
]


def _against(name: str, labels_true: Any, labels_pred: Any) -> float:
    found = read_one(labels_pred, "the clustering")
    return _native.measure([name], found, read_one(labels_true, "the truth"))[0]


def accuracy(labels_true: Any, labels_pred: Any) -> float:
    """Share of objects in the class of their cluster under the best one-to-one matching."""
    return _against("accuracy", labels_true, labels_pred)


def ami(labels_true: Any, labels_pred: Any) -> float:
    """Mutual information adjusted for chance, over the arithmetic mean of the two entropies."""
    return _against("ami", labels_true, labels_pred)


def ari(labels_true: Any, labels_pred: Any) -> float:
    """Rand index adjusted for chance (Hubert and Arabie)."""
    return _against("ari", labels_true, labels_pred)


def f1_class(labels_true: Any, labels_pred: Any) -> float:
    """Mean over classes, weighted by size, of the best F1 any cluster reaches for the class."""
    return _against("f1-class", labels_true, labels_pred)


def f1_nbce(labels_true: Any, labels_pred: Any) -> float:
    """Harmonic mean of the clusters' mean best precision and mean best recall over the classes."""
    return _against("f1-nbce", labels_true, labels_pred)


def f1_pairs(labels_true: Any, labels_pred: Any) -> float:
    """Harmonic mean of the share of pairs in one cluster that are in one class, and the reverse."""
    return _against("f1-pairs", labels_true, labels_pred)


def mp(labels_true: Any, labels_pred: Any) -> float:
    """Share of objects in the majority class of their cluster (purity)."""
    return _against("mp", labels_true, labels_pred)


def mp_greedy(labels_true: Any, labels_pred: Any) -> float:
    """Share of objects in the largest cell of clusters × classes, its row and column struck, and so on."""
    return _against("mp-greedy", labels_true, labels_pred)


def nmi_max(labels_true: Any, labels_pred: Any) -> float:
    """Mutual information over the larger of the two entropies."""
    return _against("nmi-max", labels_true, labels_pred)


def nmi_sqrt(labels_true: Any, labels_pred: Any) -> float:
    """Mutual information over the geometric mean of the two entropies."""
    return _against("nmi-sqrt", labels_true, labels_pred)


def clusters(labels_pred: Any) -> int:
    """Number of clusters."""
    return int(_native.measure(["clusters"], read_one(labels_pred, "the clustering"), None)[0])


def singletons(labels_pred: Any) -> float:
    """Share of objects alone in their cluster."""
    return _native.measure(["singletons"], read_one(labels_pred, "the clustering"), None)[0]


def score(labels_true: Any, labels_pred: Any) -> dict[str, float]:
    """Every index, by the name it has in the program.

    Examples
    --------
    >>> from conclave import metrics
    >>> metrics.score([0, 0, 1, 1], [1, 1, 0, 0])["nmi-sqrt"]
    1.0
    """
    names = [one["name"] for one in _native.metrics()]
    classes = labels_true if isinstance(labels_true, _native.Labels) else read_one(labels_true, "the truth")
    values = _native.measure(names, read_one(labels_pred, "the clustering"), classes)
    return dict(zip(names, values))
