"""Labels as users have them, handed to the core without a copy where that can be."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, SupportsIndex, Union

import numpy as np

from . import _native

Missing = Union[None, int, float, str, Iterable[Union[int, float, str]]]
"""Labels that stand for missing ones, besides NaN, None, pd.NA and empty text."""


def workers(threads: SupportsIndex | None) -> int:
    """How many threads work: all cores unless told."""
    if threads is None:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    return whole("threads", threads, 1, 2**31)


def whole(name: str, value: Any, least: int, most: int = 2**64 - 1) -> int:
    """A whole number within bounds, also one of NumPy's."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = value.__index__()
    except (TypeError, AttributeError):
        raise TypeError(f"{name} is {value!r}; expected a whole number") from None
    if not least <= number <= most:
        bounds = f"at least {least}" if most >= 2**63 else f"from {least} to {most}"
        raise ValueError(f"{name} is {number}; expected a whole number {bounds}")
    return int(number)


def read(labels: Any, missing: Missing = None, threads: SupportsIndex | None = None) -> _native.Labels:
    """Takes base clusterings: a matrix or table of objects × clusterings, or a list of clusterings."""
    gaps = _gap_texts(missing)
    count = workers(threads)
    if isinstance(labels, _native.Labels):
        return labels
    if is_pandas(labels):
        return _of_pandas(labels, gaps, count)
    if hasattr(labels, "__arrow_c_stream__") and not _is_one_column(labels):
        try:
            return _native.Labels.of_stream(labels, gaps, count)
        except ValueError as error:
            # Columns that not every library hands over alike, such as those of polars without any value.
            if "C Data interface" not in str(error) or not _is_of(labels, "polars"):
                raise
            return _native.Labels.of_columns([_column(column) for column in labels], gaps, count)
    return _native.Labels.of_columns(_columns(labels), gaps, count)


def read_one(labels: Any, what: str, missing: Missing = None) -> _native.Labels:
    """Takes one clustering: one label per object."""
    if is_pandas(labels) or (hasattr(labels, "__arrow_c_stream__") and not _is_one_column(labels)):
        return read(labels, missing)
    if isinstance(labels, np.ndarray) and labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if np.ndim(labels) != 1:
        raise ValueError(f"{what} has {np.ndim(labels)} dimensions; expected one label per object")
    return _native.Labels.of_columns([_column(labels)], _gap_texts(missing), 1)


def _gap_texts(missing: Missing) -> list[str]:
    if missing is None:
        return []
    some: Any = missing
    if isinstance(some, np.ndarray):
        some = some.ravel()
    elif isinstance(some, (str, bytes)) or not isinstance(some, Iterable):
        some = [some]
    return _native.texts_of(list(some))


def _is_of(labels: Any, library: str) -> bool:
    """Whether it is an object of this library, or of a class that somebody derived from one, as GeoPandas does."""
    return any(base.__module__.split(".")[0] == library for base in type(labels).__mro__)


def is_pandas(labels: Any) -> bool:
    return _is_of(labels, "pandas")


def _is_one_column(labels: Any) -> bool:
    """A series of polars or an array of pyarrow: one column, not a table or a stream of one."""
    return not hasattr(labels, "columns") and (hasattr(labels, "to_list") or hasattr(labels, "to_pylist"))


def _of_pandas(labels: Any, gaps: list[str], threads: int) -> _native.Labels:
    if labels.ndim == 1:
        return _native.Labels.of_columns([_column(labels)], gaps, threads)
    if not all(isinstance(kind, np.dtype) and kind.kind in "biuf" for kind in labels.dtypes):
        try:
            # Text and categories go as Arrow has them. The index is no base clustering.
            return _native.Labels.of_stream(labels.reset_index(drop=True), gaps, threads)
        except (ImportError, TypeError, ValueError, AttributeError, OverflowError, NotImplementedError):
            # There is no pyarrow, or a column holds what Arrow has no type for, such as numbers beside text or of more than 64 bits.
            pass
    columns = [_column(labels.iloc[:, place]) for place in range(labels.shape[1])]
    return _native.Labels.of_columns(columns, gaps, threads)


def _columns(labels: Any) -> list[Any]:
    if hasattr(labels, "tocsr") or hasattr(labels, "toarray"):
        raise TypeError("labels are a sparse matrix; every object has labels, so pass labels.toarray()")
    if hasattr(labels, "collect") and _is_of(labels, "polars"):
        raise TypeError("labels are a LazyFrame, which has no rows yet; pass labels.collect()")
    if isinstance(labels, Mapping):
        raise TypeError("labels are a dictionary; pass list(labels.values()) if each of its items is a base clustering")
    if isinstance(labels, Iterator):
        raise TypeError("labels are an iterator; pass list(labels) if each of its items is a base clustering")
    if isinstance(labels, (list, tuple)):
        return [_column(column) for column in labels]
    if isinstance(labels, np.ma.MaskedArray):
        labels = _unmasked(labels)
    array = np.asarray(labels)
    if array.ndim != 2:
        raise ValueError(
            f"labels have {array.ndim} dimension{'s' * (array.ndim != 1)}; expected objects × base clusterings, "
            "or a list of base clusterings"
        )
    return [_column(array[:, place]) for place in range(array.shape[1])]


def _column(labels: Any) -> Any:
    """One base clustering: an array of numbers as it is, texts with codes, or objects."""
    if is_pandas(labels):
        kind = labels.dtype
        labels = labels.to_numpy() if isinstance(kind, np.dtype) else labels.to_numpy(dtype=object)
    elif hasattr(labels, "to_numpy") and not isinstance(labels, np.ndarray):
        # A series of polars or an array of pyarrow.
        labels = np.array(labels.to_list() if hasattr(labels, "to_list") else labels.to_pylist(), dtype=object)
    elif isinstance(labels, np.ma.MaskedArray):
        labels = _unmasked(labels)
    elif not isinstance(labels, np.ndarray):
        labels = _of_sequence(labels)
    if labels.ndim != 1:
        raise ValueError(f"a base clustering has {labels.ndim} dimensions; expected one label per object")
    kind = labels.dtype.kind
    if kind in "iufb":
        if labels.dtype.itemsize > 8 or (kind == "f" and labels.dtype.itemsize == 2):
            labels = labels.astype(np.float64)
        if labels.dtype.isnative and labels.flags.aligned:
            return labels
        return labels.astype(labels.dtype.newbyteorder("="))
    if kind in "US":
        if kind == "S":
            labels = np.char.decode(labels, "utf-8")
        texts, codes = np.unique(labels, return_inverse=True)
        return texts.tolist(), codes.astype(np.int64, copy=False).reshape(-1)
    if kind == "O":
        return labels
    if kind == "T":
        return labels.astype(object)
    raise TypeError(f"labels of the type {labels.dtype} are no labels; expected whole numbers, numbers, text or objects")


def _unmasked(labels: Any) -> Any:
    """Masked labels are missing."""
    objects = labels.data.astype(object)
    objects[np.ma.getmaskarray(labels)] = None
    return objects


def _of_sequence(labels: Any) -> Any:
    # Sets and dictionaries have no order of objects.
    if isinstance(labels, (str, bytes, Set, Mapping)) or not isinstance(labels, (Sequence, Iterable)):
        raise TypeError(f"a base clustering is {labels!r}; expected one label per object")
    labels = list(labels)
    if all(type(label) is int for label in labels):
        try:
            return np.array(labels, dtype=np.int64)
        except OverflowError:
            pass
    # Element by element: NumPy would turn [1, "a"] into text.
    array = np.empty(len(labels), dtype=object)
    for place, label in enumerate(labels):
        array[place] = label
    return array
