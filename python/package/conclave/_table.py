"""A small table, for those who have no data frames."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

from . import _native


class Table:
    """Columns of equal length, by name.

    Any library that reads the Arrow C stream interface takes it: ``polars.DataFrame(table)``, ``pyarrow.table(table)``.

    Examples
    --------
    >>> from conclave import Table
    >>> table = Table({"method": ["mm", "eac-al"], "ari": [0.9, 0.8]}, {})
    >>> table["ari"]
    [0.9, 0.8]
    >>> len(table)
    2
    >>> print(table)
    method     ari
    mm      0.9000
    eac-al  0.8000
    """

    def __init__(self, columns: dict[str, list[Any]], attrs: dict[str, Any]) -> None:
        self._columns = columns
        self.attrs = attrs

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._columns)

    def __getitem__(self, name: str) -> list[Any]:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"no column is named {name!r}; there are {', '.join(self._columns)}") from None

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), []))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Row after row, as dictionaries."""
        for values in zip(*self._columns.values()):
            yield dict(zip(self._columns, values))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _native.arrow_stream([(name, _plain(values)) for name, values in self._columns.items()])

    def to_pandas(self) -> Any:
        """As a pandas data frame."""
        import pandas

        frame = pandas.DataFrame(self._columns)
        frame.attrs = dict(self.attrs)
        return frame

    def to_polars(self) -> Any:
        """As a polars data frame."""
        import polars

        return polars.DataFrame(self)

    def __repr__(self) -> str:
        texts = [[name, *map(_spelled, values)] for name, values in self._columns.items()]
        widths = [max(map(len, column)) for column in texts]
        right = [any(isinstance(value, (int, float)) for value in values) for values in self._columns.values()]
        lines = []
        for row in zip(*texts):
            cells = [
                text.rjust(width) if number else text.ljust(width) for text, width, number in zip(row, widths, right)
            ]
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self._columns)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_spelled(value))}</td>" for value in row.values()) + "</tr>"
            for row in self.rows()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _spelled(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _plain(values: list[Any]) -> list[Any]:
    """Numbers and texts; anything else as its text."""
    return [value if value is None or isinstance(value, (int, float, str)) else str(value) for value in values]
