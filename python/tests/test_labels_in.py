"""Labels come in many forms; the same labels are the same labels."""

from __future__ import annotations

import decimal
import os
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import conclave
from conclave._labels import read


def codes(labels, missing=None) -> list[list[int]]:
    table = read(labels, missing)
    return table.codes(list(range(table.shape[0]))).tolist()


PLAIN = np.array([[0, 2, 10], [1, 2, 9], [0, 3, 10], [1, 3, 9]])
# Codes follow the order of the labels' texts, as on the command line: "10" comes before "9".
EXPECTED = [[0, 0, 0], [1, 0, 1], [0, 1, 0], [1, 1, 1]]


@pytest.mark.parametrize("kind", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", ">i4", ">f8", object, "U", "S"])
def test_every_type_of_array_has_the_same_labels(kind):
    assert codes(PLAIN.astype(kind)) == EXPECTED


@pytest.mark.parametrize(
    "labels",
    [
        np.asfortranarray(PLAIN),
        np.repeat(PLAIN, 3, axis=0)[::3],
        np.repeat(PLAIN, 2, axis=1)[:, ::2],
        PLAIN[::-1][::-1],
        list(PLAIN.T),
        [list(column) for column in PLAIN.T.tolist()],
        [tuple(map(str, column)) for column in PLAIN.T],
        pd.DataFrame(PLAIN),
        pd.DataFrame(PLAIN, index=[9, 7, 5, 3]),
        pd.DataFrame(PLAIN, columns=["a", "a", "b"]),
        pd.DataFrame(PLAIN).astype("Int64"),
        pd.DataFrame(PLAIN).astype("category"),
        pd.DataFrame(PLAIN).astype(str),
        pd.DataFrame(PLAIN.astype(str), index=list("wxyz")),
        [pd.Series(column) for column in PLAIN.T],
        np.frombuffer(b"." + PLAIN.astype("i8").tobytes(), "u1")[1:].view("i8").reshape(4, 3),
        pa.table({str(place): column for place, column in enumerate(PLAIN.T)}).to_reader(),
        pl.DataFrame(PLAIN),
        pl.DataFrame(PLAIN).cast(pl.String),
        pl.DataFrame(PLAIN).cast(pl.String).cast(pl.Categorical),
        pl.concat([pl.DataFrame(PLAIN[:1]), pl.DataFrame(PLAIN[1:])], rechunk=False),
        [pl.Series(column) for column in PLAIN.T],
        pa.table({str(place): column for place, column in enumerate(PLAIN.T)}),
        pa.table({str(place): pa.array(map(str, column)).dictionary_encode() for place, column in enumerate(PLAIN.T)}),
        pa.table({str(place): pa.array(map(str, column), pa.large_string()) for place, column in enumerate(PLAIN.T)}),
    ],
    ids=lambda labels: f"{type(labels).__module__.split('.')[0]}",
)
def test_every_container_has_the_same_labels(labels):
    assert codes(labels) == EXPECTED


GAPS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]


@pytest.mark.parametrize(
    ("labels", "missing"),
    [
        (np.array([[1, np.nan, 3], [2, 1, np.nan], [np.nan, 2, 1.0]]), None),
        (np.array([[1, None, 3], [2, 1, None], [None, 2, 1]], dtype=object), None),
        (np.array([[1, pd.NA, 3], [2, 1, pd.NaT], [float("nan"), 2, 1]], dtype=object), None),
        (np.array([[1, -1, 3], [2, 1, -1], [-1, 2, 1]]), -1),
        (np.array([[1, -1, 3], [2, 1, -9], [-1, 2, 1]]), [-1, -9]),
        (np.array([[1, -1, 3], [2, 1, -1], [-1, 2, 1]], dtype=float), -1),
        (np.array([["b", "", "d"], ["c", "b", "?"], ["NA", "c", "b"]]), ["?", "NA"]),
        (np.ma.masked_equal([[1, 0, 3], [2, 1, 0], [0, 2, 1]], 0), None),
        (pd.DataFrame([[1, None, 3], [2, 1, None], [None, 2, 1]]), None),
        (pd.DataFrame([[1, None, 3], [2, 1, None], [None, 2, 1]], dtype="Int64"), None),
        (pd.DataFrame([["b", None, "d"], ["c", "b", None], [None, "c", "b"]]), None),
        (pd.DataFrame([["b", None, "d"], ["c", "b", None], [None, "c", "b"]], dtype="category"), None),
        (pl.DataFrame({"x": [1, 2, None], "y": [None, 1, 2], "z": [3, None, 1]}), None),
        (pl.DataFrame({"x": [1.0, 2.0, float("nan")], "y": [None, 1, 2], "z": [3, None, 1]}), None),
        (pl.DataFrame({"x": [1, 2, -1], "y": [-1, 1, 2], "z": [3, -1, 1]}), -1),
        ([[1, 2, None], ["", "a", "b"], [3.5, float("nan"), 1]], None),
    ],
)
def test_missing_labels_are_missing_however_they_are_said(labels, missing):
    assert codes(labels, missing) == GAPS


def test_labels_that_stand_for_missing_ones_are_spelled_as_labels_are():
    assert codes([["None", "nan"], [0, 1]], [None, float("nan"), pd.NA]) == [[0, 0], [1, 1]], "texts are no gaps"
    for gap in (1e-7, 1e22, 1e300, float("inf"), np.float32(0.1), b"x", np.array(-1)):
        kind = gap.dtype if isinstance(gap, np.generic) else None
        column = np.array([gap, 5], dtype=kind) if not isinstance(gap, bytes) else [gap, b"5"]
        assert codes([column, [0, 1]], gap) == [[-1, 0], [0, 1]], gap
    with pytest.raises(ValueError, match="missing has a list"):
        read(PLAIN, [[1]])


def test_zero_is_one_label_whatever_its_sign():
    for zeros in ([-0.0, 0.0, 0, "0"], np.array([-0.0, 0.0, 0, 0]), np.array([-0.0, 0.0, 0, "0"], dtype=object)):
        assert read([zeros, [0, 1, 2, 3]]).arity[0] == 1


class DerivedFrame(pd.DataFrame):
    """As GeoPandas and others derive theirs."""


@pytest.mark.parametrize("kind", [int, str])
def test_the_index_of_a_derived_data_frame_is_no_base_clustering(kind):
    assert codes(DerivedFrame(PLAIN.astype(kind), index=list("wxyz"))) == EXPECTED


def test_numbers_beyond_64_bits_in_a_data_frame_are_labels():
    frame = pd.DataFrame({"x": [2**64 - 1, 1, 2**70], "y": ["a", "b", "c"]}, dtype=object)
    assert read(frame).arity == [3, 3]


def test_half_precision_is_read_in_any_byte_order_and_from_arrow():
    halves = PLAIN.astype(">f2")
    assert codes(halves) == codes(PLAIN.astype("<f2")) == EXPECTED
    assert codes(pa.table({str(place): pa.array(column.astype("<f2")) for place, column in enumerate(PLAIN.T)})) == EXPECTED


def test_columns_of_polars_that_arrow_cannot_say_are_read_one_by_one():
    assert codes(pl.DataFrame({"x": pl.Series([1, 2, 1], dtype=pl.Int128), "y": [1, 2, 3]})) == [[0, 0], [1, 1], [0, 2]]
    with pytest.raises(ValueError, match="column 1 .* has no label at all"):
        read(pl.DataFrame({"x": [None] * 3, "y": [1, 2, 3]}))


class Handed:
    """A table that hands over what it is told to."""

    def __init__(self, stream):
        self.stream = stream

    def __arrow_c_stream__(self, requested_schema=None):
        return self.stream()


def test_a_table_that_lies_is_refused_in_words():
    keys = pa.DictionaryArray.from_arrays(pa.array([0, 1, 9]), pa.array(["x", "y"]), safe=False)
    negative = pa.DictionaryArray.from_arrays(pa.array([0, 1, -1]), pa.array(["x", "y"]), safe=False)
    offsets = pa.py_buffer(np.array([0, 1, 2, 3], "i4"))
    text = pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"\xff\xfea")])
    for array in (keys, negative, text):
        with pytest.raises(ValueError, match="column `x`"):
            read(pa.table({"x": array, "y": [1, 2, 3]}))
    nested = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.DictionaryArray.from_arrays(pa.array([2, 1, 0]), pa.array(list("abc"))))
    with pytest.raises(ValueError, match="column `x` is of the type Dictionary"):
        read(pa.table({"x": nested, "y": [1, 2, 3]}))
    table = pa.table({"x": [1, 2], "y": [1, 2]})
    once = table.__arrow_c_stream__()
    assert codes(Handed(lambda: once)) == [[0, 0], [1, 1]]
    for stream in (lambda: once, lambda: None, lambda: pa.array([1]).__arrow_c_array__()[1], pa.chunked_array([[1]]).__arrow_c_stream__):
        with pytest.raises((TypeError, ValueError)):
            read(Handed(stream))


def test_dates_that_are_none_are_missing_labels():
    assert codes([[np.datetime64("NaT"), "a"], ["b", np.timedelta64("NaT", "D")]]) == [[-1, 0], [0, -1]]


DECIMALS = [decimal.Decimal(text) for text in ("1.50", "2.00", "-0.0", "12345678901234567890.25", "0.10", "100")]


@pytest.mark.parametrize("kind", [pa.decimal128(38, 2), pa.decimal256(50, 4), None], ids=["128", "256", "objects"])
def test_decimals_are_the_labels_that_their_numbers_are(kind):
    column = pa.array(DECIMALS, kind) if kind else np.array(DECIMALS, dtype=object)
    same = ["1.5", 2, 0.0, "12345678901234567890.25", 0.1, 100]
    if kind is None:
        assert read([[*column, *same[::-1]], [0, 1] * 6]).arity[0] == 6
    else:
        table = pa.table({"x": column, "y": list(range(6))})
        assert codes(table) == codes([same, list(range(6))])
        assert codes(pl.DataFrame(table) if kind == pa.decimal128(38, 2) else table) == codes([DECIMALS, list(range(6))])
    assert codes([[decimal.Decimal("NaN"), 1], [0, 1]]) == [[-1, 0], [0, 1]]


def test_a_column_of_mixed_objects_is_read_object_by_object():
    frame = pd.DataFrame({"x": [1, "one", 2.5], "y": [True, False, True]})
    assert codes(frame) == [[0, 1], [2, 0], [1, 1]]


def test_minus_one_is_a_label_unless_it_is_said_to_be_missing():
    assert read(np.array([[-1, 0], [0, 1]])).shape == (2, 2, 2, 0)
    assert read(np.array([[-1, 0], [0, 1]]), -1).shape == (2, 2, 2, 1)


def test_numbers_of_every_size_are_labels():
    large = np.array([2**63 - 1, -(2**63), 0, 5000], dtype=np.int64)
    assert codes([large, [0, 1, 2, 3]]) == [[3, 0], [0, 1], [1, 2], [2, 3]]
    assert codes([np.array([2**64 - 1, 0], dtype=np.uint64), [10**30, 0]]) == [[1, 1], [0, 0]]


@pytest.mark.parametrize(
    ("labels", "error", "words"),
    [
        (np.zeros(3), ValueError, "1 dimension;"),
        (np.zeros((2, 2, 2)), ValueError, "3 dimensions"),
        (np.zeros((0, 2), dtype=int), ValueError, "no objects"),
        (np.zeros((2, 0), dtype=int), ValueError, "no base clusterings"),
        ([[0, 1], [0, 1, 2]], ValueError, "column 2 .* has 3 labels where 2"),
        (np.array([[np.nan, 1], [np.nan, 2]]), ValueError, "column 1 .* has no label at all"),
        ([[0, [1]], [0, 1]], ValueError, r"row 1, column 0 .* this is a list"),
        ([["a", "b"], [0, 1j]], ValueError, r"row 1, column 1 .* this is a complex"),
        (np.array([["2020-01-01"]] * 2, dtype="datetime64[D]"), TypeError, "datetime64"),
        ([["a", "b"], [np.datetime64("NaT"), np.datetime64("2020-01-01")]], ValueError, "row 1, column 1 .* this is a datetime64"),
        ([["a", "b"], [np.timedelta64("NaT"), np.timedelta64(3, "D")]], ValueError, "row 1, column 1 .* this is a timedelta64"),
        ([["a", "b"], ["a", "\udc80"]], ValueError, "row 1, column 1 .* lone surrogate"),
        (np.array([["b", "a"], ["c", "\udc80"], ["b", "a"]]), ValueError, "row 1, column 1 .* lone surrogate"),
        (pd.DataFrame({"x": ["a", "b"], "y": pd.Series(["a", "\udc80"], dtype=object)}), ValueError, "row 1, column 1 .* lone surrogate"),
        ([["a", "b"], ["a", b"\xff"]], ValueError, "row 1, column 1 .* this is bytes that are no UTF-8"),
        (np.zeros((2, 2), dtype=complex), TypeError, "complex"),
        (["ab", "cd"], TypeError, "'ab'"),
        (3, ValueError, "0 dimensions"),
        ({"x": [0, 1], "y": [0, 1]}, TypeError, "a dictionary; pass list"),
        (iter([[0, 1], [0, 1]]), TypeError, "an iterator; pass list"),
        ([{0, 1}, {0, 1}], TypeError, "expected one label per object"),
        ([{"a": 0}, {"a": 1}], TypeError, "expected one label per object"),
        (pl.DataFrame({"x": [0, 1], "y": [0, 1]}).lazy(), TypeError, r"pass labels.collect\(\)"),
        (pd.DataFrame({"x": [1j, 2], "y": ["a", "b"]}), TypeError, "complex"),
        (pl.DataFrame({"x": [[1], [2]], "y": [1, 2]}), ValueError, "`x` is of the type"),
        (pl.DataFrame(), ValueError, "no base clusterings|no objects"),
    ],
)
def test_what_is_no_table_of_labels_is_refused_in_words(labels, error, words):
    with pytest.raises(error, match=words):
        read(labels)


def test_one_column_or_one_cluster_is_nothing_to_combine():
    with pytest.raises(ValueError, match="at least two columns"):
        conclave.consensus(np.array([[0], [1]]))
    with pytest.raises(ValueError, match="single cluster"):
        conclave.consensus(np.zeros((3, 2), dtype=int))


def test_objects_without_labels_are_said():
    labels = np.array([[0, 0], [0, 0], [1, 1], [-1, -1]])
    with pytest.warns(UserWarning, match="1 object has no labels at all"):
        conclave.consensus(labels, "mm", 2, missing=-1)


RANDOM = np.random.default_rng(2)
GROUPS = RANDOM.integers(0, 3, 40)
NAMES = [f"person {place}" for place in range(40)]


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (NAMES, 'column "x" has another label in nearly every row \\(40 in 40\\)'),
        # 37 of 40, and 27 of 29 that have one.
        (NAMES[:36] + NAMES[35:36] + NAMES[35:38], 'column "x" has another label in nearly every row \\(38 in 40\\)'),
        (NAMES[:27] + NAMES[:2] + [None] * 11, 'column "x" has another label in nearly every row \\(27 in 29\\)'),
        (np.arange(40), 'column "x" has another label in nearly every row'),
        (np.arange(40) / 8, 'column "x" has measurements, such as 0.125'),
        (np.arange(40) % 21 / 7, 'column "x" has measurements'),
        ([str(number).replace(".", ",") for number in np.arange(40) / 8], 'column "x" has measurements'),
        # 36 of 40 are nine in ten and no more; 20 numbers with fractions may be names of clusters; most must have some.
        (NAMES[:36] + NAMES[:4], None),
        (np.arange(40) % 20 / 7, None),
        (np.where(np.arange(40) % 30 < 20, np.arange(40) % 30, np.arange(40) % 30 + 0.5), None),
        (["a", *(np.arange(39) % 30 / 7)], None),
        (GROUPS, None),
    ],
)
def test_names_and_measurements_are_said(column, words):
    frame = pd.DataFrame({"x": list(column), "y": GROUPS, "z": GROUPS % 2})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        conclave.consensus(frame, "mm", 3)
    said = [str(one.message) for one in caught]
    assert len(said) == (words is not None), said
    assert words is None or re.match(words, said[0]), said
    # The warning is about the line that handed the labels over.
    assert all(one.category is conclave.LabelsWarning and one.filename == __file__ for one in caught)


def test_fewer_than_24_rows_say_little_about_a_column():
    for rows, count in ((23, 0), (24, 1)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            conclave.consensus([NAMES[:rows], GROUPS[:rows]], "mm", 2)
        assert len(caught) == count


def test_many_columns_that_are_none_are_one_warning():
    with pytest.warns(conclave.LabelsWarning) as caught:
        conclave.ClusterEnsemble(2, method="voting").fit(RANDOM.random((30, 6)))
    assert len(caught) == 1 and str(caught[0].message).startswith('columns "c1", "c2", "c3", "c4" and 2 more have measurements, such as 0.')
    with pytest.warns(conclave.LabelsWarning, match='columns "c1" and "c2" have another label in nearly every row'):
        conclave.compare([NAMES, NAMES[::-1], GROUPS], 2)


def peak_memory() -> int:
    """Bytes, at most, since the peak was forgotten."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))


@pytest.mark.skipif(not os.access("/proc/self/clear_refs", os.W_OK), reason="only Linux says how much memory was taken")
@pytest.mark.parametrize("form", [np.asarray, np.asfortranarray, pl.DataFrame], ids=["rows", "columns", "polars"])
def test_a_large_table_is_not_copied(form):
    # 240 MB of labels of few kinds: what is kept goes with the distinct rows, and four bytes per object.
    labels = form(np.tile(np.arange(3, dtype=np.int64), (30, 1_000_000 // 3)).T)
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")
    before = peak_memory()
    table = read(labels, threads=2)
    assert table.shape == (len(labels), 30, 3, 0)
    assert peak_memory() - before < 40e6


def test_any_number_of_threads_reads_the_same_labels():
    labels = np.random.default_rng(0).integers(0, 5000, (300_000, 3))
    one, many = (read(labels, threads=count) for count in (1, 7))
    some = list(range(0, len(labels), 997))
    assert one.shape == many.shape and one.arity == many.arity
    assert (one.codes(some) == many.codes(some)).all()
