"""What a method made of labels."""

from __future__ import annotations

import os
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _native, _page

Number = TypeVar("Number", np.int64, np.float64)

# Objects of which the heat map shows every pair.
_SHOWN = 160

# What is read from the core the first time somebody asks, and kept.
_LAZY = ("labels_", "memberships_", "confidence_", "_together")


class Answer:
    """One clustering from many, and all that the method says about it. Its arrays are read-only.

    Attributes
    ----------
    labels_ : ndarray of int64
        The cluster of every object, from 0.
    confidence_ : ndarray of float64
        How sure the consensus is of every object's cluster, from 0 to 1: its membership, or without memberships the share of
        base clusterings that put it together with the other objects of its cluster.
    memberships_ : ndarray of float64 or None
        How much every object (row) belongs to every cluster (column), where the method says so. Columns beyond
        ``n_clusters_`` are components that no object belongs to most.
    n_clusters_ : int
        How many clusters there are.
    objective_ : float or None
        The value of what the method optimises; ``objective_name_`` says what that is.
    method_, params_, seed_ : str, dict, int
        What was asked.
    k_, k_from_, k_rule_ : int or None, str, str or None
        The number of clusters that the method was told, and where it came from.
    reason_ : str or None
        Why this method, where it was chosen by ``method="auto"``.
    iterations_, converged_, seconds_ : int, bool, float
        How the method ended, and how long it took.

    Examples
    --------
    >>> import conclave
    >>> answer = conclave.consensus([[0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 0, 1]], method="eac-al", k=2)
    >>> answer.labels_
    array([1, 1, 0, 0])
    >>> answer.confidence_.round(2)
    array([1.  , 1.  , 0.67, 0.67])
    >>> answer.memberships_ is None
    True
    >>> answer
    Answer(method='eac-al', n_clusters_=2, objects=4)
    """

    def __init__(self, native: _native.Answer, names: list[str], seed: int, reason: str | None) -> None:
        self._native: _native.Answer | None = native
        self.column_names_ = names
        self.seed_ = seed
        self.reason_ = reason
        self.method_ = native.method
        self.title_ = native.title
        self.reference_ = native.reference
        self.params_: dict[str, Any] = native.params
        self.k_ = native.k
        self.k_from_ = native.k_from
        self.k_rule_ = native.k_rule
        self.n_clusters_ = native.clusters
        objective = native.objective
        self.objective_name_ = objective[0] if objective else None
        self.objective_ = objective[1] if objective else None
        self.iterations_ = native.iterations
        self.converged_ = native.converged
        self.seconds_ = native.seconds
        # Objects, base clusterings, distinct rows, missing labels.
        self.shape_ = native.shape

    def _core(self) -> _native.Answer:
        if self._native is None:
            raise AttributeError("an answer that was pickled keeps all that was read from it, and this was not")
        return self._native

    @cached_property
    def labels_(self) -> NDArray[np.int64]:
        """The cluster of every object."""
        return _fixed(self._core().labels_array())

    @cached_property
    def memberships_(self) -> NDArray[np.float64] | None:
        """How much every object belongs to every cluster."""
        memberships = self._core().memberships_array()
        return None if memberships is None else _fixed(memberships)

    @cached_property
    def confidence_(self) -> NDArray[np.float64]:
        """How sure the consensus is of every object's cluster."""
        return _fixed(self._core().confidence_array())

    @cached_property
    def _together(self) -> tuple[list[int], NDArray[np.float64]]:
        return self._core().together(_SHOWN)

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """A page of its own, with the heat map, the clusters and the facts; written to ``path`` where one is given.

        Examples
        --------
        >>> import conclave
        >>> page = conclave.consensus([[0, 0, 1, 1], [1, 1, 0, 0]], method="voting", k=2).report()
        >>> page.startswith("<!doctype html>")
        True
        """
        page = _page.page(self)
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
        return page

    def _repr_html_(self) -> str:
        return _page.body(self)

    def __repr__(self) -> str:
        return f"Answer(method={self.method_!r}, n_clusters_={self.n_clusters_}, objects={self.shape_[0]})"

    # An answer never changes, and its arrays are read-only: data frames that carry one may copy themselves as often as they like.
    def __copy__(self) -> Answer:
        return self

    def __deepcopy__(self, memo: object) -> Answer:
        return self

    def __getstate__(self) -> dict[str, Any]:
        for name in _LAZY:
            getattr(self, name)
        return {**self.__dict__, "_native": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # Pickles do not say that an array is read-only.
        _fixed(self.labels_)
        _fixed(self.confidence_)
        if self.memberships_ is not None:
            _fixed(self.memberships_)


def _fixed(array: NDArray[Number]) -> NDArray[Number]:
    """An array that nobody writes to: whoever wants to change it copies it."""
    array.flags.writeable = False
    return array
