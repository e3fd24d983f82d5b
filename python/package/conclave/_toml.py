"""Specs as TOML: what dictionaries, lists, numbers and texts can say."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def dumps(document: Mapping[str, Any]) -> str:
    """A document; nested tables are written inline.

    >>> print(dumps({"name": "mine", "sweep": {"missing": [0.0, 0.1]}, "method": [{"name": "mm", "restarts": 3}]}), end="")
    name = "mine"
    sweep = {missing = [0.0, 0.1]}
    <BLANKLINE>
    [[method]]
    name = "mm"
    restarts = 3
    """
    plain, lists = [], []
    for key, value in document.items():
        if isinstance(value, (list, tuple)) and value and all(isinstance(item, Mapping) for item in value):
            for item in value:
                pairs = "".join(f"{_key(name)} = {_value(inner, f'{key}.{name}')}\n" for name, inner in _present(item))
                lists.append(f"\n[[{_key(key)}]]\n{pairs}")
        elif value is not None:
            plain.append(f"{_key(key)} = {_value(value, key)}\n")
    return "".join(plain + lists)


def _present(table: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in table.items() if value is not None]


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"the key {key!r} is no text")
    return key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _value(value: Any, where: str) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        if math.isfinite(value):
            return repr(float(value))
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    if isinstance(value, str):
        # What JSON escapes, TOML escapes in the same way, but for the one control character that JSON leaves.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(name)} = {_value(inner, f'{where}.{name}')}" for name, inner in _present(value)) + "}"
    if isinstance(value, (list, tuple, range, np.ndarray)):
        return "[" + ", ".join(_value(item, where) for item in value) + "]"
    if hasattr(value, "__fspath__"):
        return _value(str(value), where)
    raise TypeError(f"`{where}` is a {type(value).__name__}; a spec has numbers, text, lists and tables")
