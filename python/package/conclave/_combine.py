"""One consensus, or all of them."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Mapping
from typing import Any, Literal, SupportsIndex, overload

import numpy as np

from . import _native
from ._answer import Answer
from ._labels import Missing, read, read_one, whole, workers
from ._table import Table
from .metrics import score

_AUTO = "auto"
# More columns than this are not named one by one.
_NAMED = 4
# The metrics of a comparison with known classes; `metrics.score` has all.
_SHOWN = ("accuracy", "ari", "nmi-sqrt")


class LabelsWarning(UserWarning):
    """Columns that look like names of objects, or like measurements, were taken for base clusterings."""


def consensus(
    labels: Any,
    method: str = _AUTO,
    k: SupportsIndex | None = None,
    seed: SupportsIndex = 0,
    *,
    missing: Missing = None,
    params: Mapping[str, Any] | None = None,
    threads: SupportsIndex | None = None,
    limit: float = 60.0,
) -> Answer:
    """Combines many clusterings of the same objects into one.

    Parameters
    ----------
    labels : array, data frame, or list of clusterings
        A NumPy array or a data frame (pandas, polars, pyarrow, anything with ``__arrow_c_stream__``) with a row per object
        and a column per base clustering, or a list with one sequence of labels per base clustering. A label is any whole
        number, number or text. NaN, None, pd.NA, null and empty text are missing labels. A `LabelsWarning` names columns that look
        like names of objects or measurements.
    method : str
        A method (`methods` lists them), or ``"auto"``: the one that `compare` recommends, with ``k`` among those whose answer has
        so many clusters. That runs them all; one method is much faster.
    k : int, optional
        The number of clusters; without it the method or a rule finds it.
    seed : int
        Seeds every random number. The same seed gives the same labels here, in the program ``conclave`` and in the crate
        ``conclave-core``, with any number of threads.
    missing : label or list of labels, optional
        Labels that mean that a label is missing, such as ``-1``.
    params : dict, optional
        Parameters of the method, by name.
    threads : int, optional
        How many threads may work; all cores unless told.
    limit : float
        How many seconds each method may take with ``"auto"``.

    Examples
    --------
    >>> from conclave import consensus
    >>> rows = [["a", "a", "a", "b", "b", "b"], [1, 1, 1, 2, 2, 2], ["x", "x", None, "y", "x", "y"]]
    >>> answer = consensus(rows, method="mm", k=2, seed=7, params={"restarts": 25})
    >>> answer.labels_
    array([0, 0, 0, 1, 1, 1])
    >>> answer.n_clusters_
    2
    >>> consensus([[0, 0, 1, -1], [2, 2, 3, 3]], method="voting", k=2, missing=-1).labels_
    array([0, 0, 1, 1])
    """
    if not isinstance(method, str):
        raise TypeError(f"method is {method!r}; expected the name of one, such as 'eac-al'")
    if not (params is None or isinstance(params, Mapping)):
        raise TypeError(f"params are {params!r}; expected a dictionary, such as {{'restarts': 3}}")
    if method == _AUTO:
        if params:
            raise ValueError("params go with one method: choose one, or leave them out")
        table = _checked(labels, missing, threads)
        compared = _compared(table, k, seed, threads, limit)
        chosen, reason = _recommended(compared, k)
        return Answer(chosen, _names(labels, table), _seed(seed), reason)
    table = _checked(labels, missing, threads)
    made = _native.combine(table, method, _question(k, seed, threads), [(str(name), value) for name, value in (params or {}).items()])
    return Answer(made, _names(labels, table), _seed(seed), None)


@overload
def compare(
    labels: Any,
    k: SupportsIndex | None = ...,
    seed: SupportsIndex = ...,
    *,
    truth: Any = ...,
    missing: Missing = ...,
    threads: SupportsIndex | None = ...,
    limit: float = ...,
    output: Literal["table"],
) -> Table: ...
# A data frame of pandas, which may not be there and has no types of its own; a table without it.
@overload
def compare(
    labels: Any,
    k: SupportsIndex | None = ...,
    seed: SupportsIndex = ...,
    *,
    truth: Any = ...,
    missing: Missing = ...,
    threads: SupportsIndex | None = ...,
    limit: float = ...,
    output: Literal["pandas"] | None = ...,
) -> Any: ...
def compare(
    labels: Any,
    k: SupportsIndex | None = None,
    seed: SupportsIndex = 0,
    *,
    truth: Any = None,
    missing: Missing = None,
    threads: SupportsIndex | None = None,
    limit: float = 60.0,
    output: Literal["pandas", "table"] | None = None,
) -> Any:
    """Runs every method that applies and says how far they agree, the recommended method first.

    Parameters are those of `consensus`; `limit` is what each method may take, and `truth` has known classes, for the columns
    ``accuracy``, ``ari`` and ``nmi-sqrt``.

    Returns
    -------
    pandas.DataFrame or Table
        A data frame where pandas is installed (or ``output="pandas"``), a `Table` otherwise (or ``output="table"``). Columns:
        ``method``, ``k_from`` (where the number of clusters came from), ``clusters``, ``mean_nmi`` (with the base
        clusterings), ``ari_with_others``, the metrics, and ``seconds``. Its ``attrs`` have ``reason`` (why the first is
        recommended), ``rule`` (which number of clusters most methods were told), ``left_out`` (methods without an answer and
        why), ``ari`` (of every pair) and ``answers`` (the `Answer` of every method, by name).

    Examples
    --------
    >>> import conclave
    >>> labels = [[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 1, 1]]
    >>> table = conclave.compare(labels, k=2, output="table")
    >>> table.columns
    ['method', 'k_from', 'clusters', 'mean_nmi', 'ari_with_others', 'seconds']
    >>> best = table.attrs["answers"][table["method"][0]]
    >>> best.labels_
    array([0, 0, 0, 1, 1, 1])
    """
    if output not in (None, "pandas", "table"):
        raise ValueError(f"output is {output!r}; expected 'pandas', 'table' or None")
    table = _checked(labels, missing, threads)
    classes = None if truth is None else read_one(truth, "the truth")
    made = _compared(table, k, seed, threads, limit)
    names = _names(labels, table)
    answers = {one.method: Answer(one, names, _seed(seed), None) for one in made.answers}
    all_answers = list(answers.values())
    columns: dict[str, list[Any]] = {
        "method": list(answers),
        "k_from": [one.k_from_ for one in all_answers],
        "clusters": [one.n_clusters_ for one in all_answers],
        "mean_nmi": made.mean_nmi,
        "ari_with_others": made.ari_with_others,
    }
    if classes is not None:
        scores = [score(classes, one.labels_) for one in all_answers]
        columns |= {name: [one[name] for one in scores] for name in _SHOWN}
    columns["seconds"] = [one.seconds_ for one in all_answers]
    attrs: dict[str, Any] = {
        "reason": made.reason,
        "rule": made.rule,
        "left_out": dict(made.left_out),
        "ari": np.array(made.ari),
        "answers": answers,
    }
    if output == "table" or (output is None and importlib.util.find_spec("pandas") is None):
        return Table(columns, attrs)
    import pandas

    frame = pandas.DataFrame(columns)
    # pandas copies and compares attributes wherever frames meet, so they are as plain as can be.
    frame.attrs = {**attrs, "ari": made.ari}
    return frame


def methods() -> Table:
    """Every consensus method: its name, title and reference, and what it takes and gives.

    Examples
    --------
    >>> import conclave
    >>> "v-bce" in conclave.methods()["name"]
    True
    """
    keys = ("name", "title", "reference", "missing", "needs_k", "memberships", "parameters")
    return Table({key: [one[key] for one in _native.methods()] for key in keys}, {})


def _recommended(compared: _native.Comparison, k: SupportsIndex | None) -> tuple[_native.Answer, str]:
    """The answer that is recommended; with ``k``, among those that have so many clusters."""
    fitting = [answer for answer in compared.answers if k is None or answer.clusters == k] or compared.answers
    chosen = fitting[0]
    if chosen is compared.answers[0]:
        return chosen, compared.reason
    return chosen, f"{chosen.method}, the first with {k} clusters ({compared.answers[0].method} found {compared.answers[0].clusters})"


def _compared(table: _native.Labels, k: SupportsIndex | None, seed: SupportsIndex, threads: SupportsIndex | None, limit: float) -> _native.Comparison:
    question = _question(k, seed, threads)
    objects = table.shape[0]
    # Some methods would take it for "at most".
    if k is not None and question["k"] > objects:
        raise ValueError(f"k is {k}, and there are only {objects} objects")
    return _native.compare(table, question, _seconds(limit))


def _question(k: SupportsIndex | None, seed: SupportsIndex, threads: SupportsIndex | None) -> dict[str, Any]:
    return {"k": None if k is None else whole("k", k, 1), "seed": _seed(seed), "threads": workers(threads)}


def _seed(seed: SupportsIndex) -> int:
    return whole("seed", seed, 0)


def _seconds(limit: float) -> float:
    if isinstance(limit, (bool, str)) or limit is None or not limit >= 0:
        raise ValueError(f"limit is {limit!r}; expected a number of seconds")
    return min(float(limit), 1e9)


def _checked(labels: Any, missing: Missing, threads: SupportsIndex | None) -> _native.Labels:
    table = read(labels, missing, threads)
    columns = table.shape[1]
    if columns == 1:
        raise ValueError("there is one base clustering; a consensus needs at least two columns")
    if all(count == 1 for count in table.arity):
        raise ValueError("every base clustering has a single cluster; at least one of them needs two or more")
    without = table.unlabelled()
    if without:
        have = "1 object has" if without == 1 else f"{without} objects have"
        warnings.warn(f"{have} no labels at all; the clusters they are put in mean nothing", UserWarning, stacklevel=3)
    # Labels that were read before were looked at before, or made by a clusterer.
    doubts = [] if isinstance(labels, _native.Labels) else _doubts(table, _names(labels, table))
    for doubt in doubts:
        warnings.warn(doubt, LabelsWarning, stacklevel=3)
    return table


def _doubts(table: _native.Labels, names: list[str]) -> list[str]:
    """What looks like no base clustering, by the rules of LABELS.md. The program refuses these columns; here they are asked for."""
    doubts = []
    measured = dict(table.measured())
    if measured:
        place, example = next(iter(measured.items()))
        doubts.append(
            f"{_listed([names[place] for place in measured], ('has', 'have'))} measurements, such as {example}, and every value is a "
            "label of its own: make base clusterings of measurements first (conclave.generate, or conclave.ConsensusClustering)"
        )
    differing = [(place, present) for place, present in table.differing() if place not in measured]
    if differing:
        place, present = differing[0]
        which = _listed([names[place] for place, _ in differing], ("has", "have"))
        doubts.append(
            f"{which} another label in nearly every row ({table.arity[place]} in {present}): names of objects are no base clustering; "
            "leave them out"
        )
    return doubts


def _listed(names: list[str], verbs: tuple[str, str]) -> str:
    """Columns as the subject of a sentence."""
    quoted = [f'"{name}"' for name in names[:_NAMED]]
    more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
    *first, last = quoted + more
    return f"columns {', '.join(first)} and {last} {verbs[1]}" if first else f"column {last} {verbs[0]}"


def _names(labels: Any, table: _native.Labels) -> list[str]:
    names = table.names or [str(name) for name in getattr(labels, "columns", [])]
    return names if len(names) == table.shape[1] else [f"c{place + 1}" for place in range(table.shape[1])]
