"""Base clusterings of features, by the generators of the core.

Each returns an array of objects × base clusterings, -1 where a label is missing (with ``resample``), for `conclave.consensus` with
``missing=-1``. The same seed gives the labels that ``conclave ensemble`` writes for a file of these features.

>>> import numpy as np
>>> from conclave import generate
>>> features = np.array([[0.0, 0.1], [0.1, 0.0], [0.2, 0.1], [5.0, 5.1], [5.2, 5.0], [5.1, 5.2]])
>>> labels = generate.kmeans(features, size=3, k=2, seed=1)
>>> labels.shape
(6, 3)
>>> bool((labels[:3] == labels[0]).all())
True

Every generator takes ``k`` (a number of clusters, a rule such as ``"2..10"``, ``"classes"`` where ``truth`` is given, or a list of
these; unless told, it is the number of classes in ``truth``, and without ``truth`` it must be told), ``truth`` (the known classes), ``resample`` (``"none"``, ``"subsample"`` or ``"bootstrap"``) and ``share`` (of the objects
in a subsample).
"""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._labels import read_one, whole, workers

__all__ = [
    "cosine_kmeans",
    "hyperplanes",
    "kmeans",
    "linkage",
    "minibatch_kmeans",
    "mixed",
    "noisy_truth",
    "projection",
    "spectral",
]


def _make(
    generator: str, features: ArrayLike, size: SupportsIndex, seed: SupportsIndex, truth: Any, threads: SupportsIndex | None, params: dict[str, Any]
) -> NDArray[np.int64]:
    matrix = np.asarray(features, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"features have {matrix.ndim} dimensions; expected objects × features")
    if truth is None and params.get("k", 0) is None:
        raise ValueError(f"{generator} needs the number of clusters: give k, such as k=3 or k=\"2..10\", or the known classes as truth")
    classes = None if truth is None else read_one(truth, "the truth")
    given = [(name, value) for name, value in params.items() if value is not None]
    wanted = {
        "generator": generator,
        "size": whole("size", size, 1),
        "seed": whole("seed", seed, 0),
        "threads": workers(threads),
        "params": given,
    }
    return _native.base_clusterings(matrix, classes, wanted)


def cosine_kmeans(
    features: ArrayLike,
    size: SupportsIndex = 20,
    *,
    k: Any = None,
    resample: str | None = None,
    share: float | None = None,
    seed: SupportsIndex = 0,
    truth: Any = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.int64]:
    """k-means by cosine similarity."""
    params = {"k": k, "resample": resample, "share": share}
    return _make("cosine-kmeans", features, size, seed, truth, threads, params)


def hyperplanes(
    features: ArrayLike,
    size: SupportsIndex = 20,
    *,
    r: int | None = None,
    resample: str | None = None,
    share: float | None = None,
    seed: SupportsIndex = 0,
    truth: Any = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.int64]:
    """Cells of ``r`` random hyperplanes."""
    params = {"r": r, "resample": resample, "share": share}
    return _make("hyperplanes", features, size, seed, truth, threads, params)


def kmeans(
    features: ArrayLike,
    size: SupportsIndex = 20,
    *,
    k: Any = None,
    start: str | None = None,
    resample: str | None = None,
    share: float | None = None,
    seed: SupportsIndex = 0,
    truth: Any = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.int64]:
    """k-means from random starts: ``start`` is ``"points"``, ``"spread"`` or ``"partition"``."""
    params = {"k": k, "start": start, "resample": resample, "share": share}
    return _make("kmeans", features, size, seed, truth, threads, params)


def linkage(
    features: ArrayLike,
    size: SupportsIndex = 20,
    *,
    k: Any = None,
    link: str | None = None,
    resample: str | None = None,
    share: float | None = None,
    seed: SupportsIndex = 0,
    truth: Any = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.int64]:
    """A hierarchical link, cut at k: ``link`` is ``"single"``, ``"average"``, ``"complete"``, ``"ward"`` or ``"centroid"``."""
    params = {"k": k, "link": link, "resample": resample, "share": share}
    return _make("linkage", features, size, seed, truth, threads, params)


def minibatch_kmeans(
    features: ArrayLike,
    size: SupportsIndex = 20,
    *,
    k: Any = None,
    batch: int | None = None,
    iterations: int | None = None,
    resample: str | None = None,
    share: float | None = None,
    seed: SupportsIndex = 0,
    truth: Any = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.int64]:
    """k-means on small random samples of the objects."""
    params = {"k": k, "batch": batch, "iterations": iterations, "resample": resample, "share": share}
    return _make("minibatch-kmeans", features, size, seed, truth, threads, params)


def mixed(
    features: ArrayLike,
    size: SupportsIndex = 20,
    *,
    k: Any = None,
    algorithms: list[str] | None = None,
    resample: str | None = None,
    share: float | None = None,
    seed: SupportsIndex = 0,
    truth: Any = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.int64]:
    """Several algorithms × several numbers of clusters."""
    params = {"k": k, "algorithms": algorithms, "resample": resample, "share": share}
    return _make("mixed", features, size, seed, truth, threads, params)


def noisy_truth(
    features: ArrayLike,
    size: SupportsIndex = 20,
    *,
    noise: float | None = None,
    resample: str | None = None,
    share: float | None = None,
    seed: SupportsIndex = 0,
    truth: Any = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.int64]:
    """The classes (``truth``), with this share of errors."""
    params = {"noise": noise, "resample": resample, "share": share}
    return _make("noisy-truth", features, size, seed, truth, threads, params)


def projection(
    features: ArrayLike,
    size: SupportsIndex = 20,
    *,
    k: Any = None,
    dimension: int | None = None,
    resample: str | None = None,
    share: float | None = None,
    seed: SupportsIndex = 0,
    truth: Any = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.int64]:
    """k-means on random projections."""
    params = {"k": k, "dimension": dimension, "resample": resample, "share": share}
    return _make("projection", features, size, seed, truth, threads, params)


def spectral(
    features: ArrayLike,
    size: SupportsIndex = 20,
    *,
    k: Any = None,
    resample: str | None = None,
    share: float | None = None,
    seed: SupportsIndex = 0,
    truth: Any = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.int64]:
    """Spectral clustering (Ng, Jordan & Weiss)."""
    params = {"k": k, "resample": resample, "share": share}
    return _make("spectral", features, size, seed, truth, threads, params)
