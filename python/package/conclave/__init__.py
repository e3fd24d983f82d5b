"""Consensus clustering: many clusterings of the same objects in, one clustering out.

Rows are objects, columns are base clusterings, and a label may be missing:

>>> import numpy as np
>>> import conclave
>>> labels = np.array([[0, 1, 2], [0, 1, 2], [0, 1, 0], [1, 0, 1], [1, 0, 2], [1, 0, 1]])
>>> answer = conclave.consensus(labels, method="v-bce", k=2, seed=7)
>>> answer.labels_
array([0, 0, 0, 1, 1, 1])

`compare` sets every method beside the others, `metrics` has indices of a clustering, `generate` makes base clusterings,
`run` runs experiments, and `ConsensusClustering` and `ClusterEnsemble` are scikit-learn estimators.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import sys
from typing import TYPE_CHECKING, Any

from . import generate, metrics
from ._answer import Answer
from ._combine import LabelsWarning, compare, consensus, methods
from ._experiments import ProgramMissing, Run, SpecError, find_program, run
from ._method import Method, method
from ._table import Table
from ._native import version as _version

if TYPE_CHECKING:
    from .sklearn import ClusterEnsemble, ConsensusClustering

__version__: str = _version()

__all__ = [
    "Answer",
    "LabelsWarning",
    "Method",
    "ProgramMissing",
    "Run",
    "SpecError",
    "Table",
    "compare",
    "consensus",
    "find_program",
    "generate",
    "method",
    "methods",
    "metrics",
    "run",
]

_ESTIMATORS = ("ClusterEnsemble", "ConsensusClustering")


def _can_estimate() -> bool:
    """Whether there is a scikit-learn that the estimators work with, without importing it."""
    if any(importlib.util.find_spec(name) is None for name in ("joblib", "sklearn")):
        return False
    try:
        numbers = re.findall(r"\d+", importlib.metadata.version("scikit-learn"))
    except importlib.metadata.PackageNotFoundError:
        # There is one that nobody installed: importing it will tell.
        return True
    return tuple(map(int, numbers[:2])) >= (1, 6)


if _can_estimate():
    __all__ += ["ClusterEnsemble", "ConsensusClustering"]


def __getattr__(name: str) -> Any:
    if name not in _ESTIMATORS:
        raise AttributeError(f"module 'conclave' has no attribute {name!r}")
    # scikit-learn is imported when an estimator is asked for, and not before.
    try:
        from . import sklearn
    except ImportError as error:
        # `from conclave import …` makes words of its own of an AttributeError, without the reason.
        if sys._getframe(1).f_code.co_name == "_handle_fromlist":
            raise
        raise AttributeError(str(error)) from error
    return getattr(sklearn, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
