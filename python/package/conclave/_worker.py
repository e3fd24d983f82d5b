"""Runs a method of `conclave.method` task after task: a program with ``stream = true`` of a spec.

Started by the program ``conclave`` as ``python -m conclave._worker NAME``; the environment variable says where
`conclave.run` left what is needed.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import pickle
import sys
from collections.abc import Callable
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from ._method import FOLDER, file_of


def main() -> None:
    """Answers one task after another until there are no more."""
    # What the function prints must not be taken for labels: it goes where errors go.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    # And what it reads must not be the next task.
    tasks = os.fdopen(os.dup(0), encoding="utf-8")
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    function = load(sys.argv[1], os.environ[FOLDER])
    for line in tasks:
        header = json.loads(line)
        labels = read_labels(header, tasks)
        found = call(function, labels, header)
        answers.write("".join(f"{label}\n" for label in found))
        answers.write(f"end {header['seed']}\n")
        answers.flush()


def load(name: str, folder: str) -> Callable[..., Any]:
    """The function of the method with this name."""
    with open(file_of(name, folder), "rb") as file:
        target = pickle.load(file)
    if isinstance(target, bytes):
        loaded: Callable[..., Any] = pickle.loads(target)
        return loaded
    module, qualified = target
    found: Any = importlib.import_module(module)
    for part in qualified.split("."):
        found = getattr(found, part)
    return getattr(found, "function", found)  # type: ignore[no-any-return]


def read_labels(header: dict[str, Any], lines: TextIO) -> NDArray[np.int64]:
    """Objects × base clusterings, -1 where a label is missing."""
    rows = [lines.readline().rstrip("\n").split(",") for _ in range(header["rows"])]
    return np.array([[int(text) if text else -1 for text in row] for row in rows], dtype=np.int64)


def call(function: Callable[..., Any], labels: NDArray[np.int64], header: dict[str, Any]) -> list[str]:
    """The labels of a task, as texts."""
    offered = {"k": header["k"], "seed": header["seed"]}
    parameters = inspect.signature(function).parameters.values()
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
    names = {parameter.name for parameter in parameters}
    asked = {name: value for name, value in offered.items() if takes_all or name in names}
    both = [name for name in ("labels", *offered) if name in header["params"]]
    if both:
        raise TypeError(f"`{both[0]}` is in params, and every method is given one")
    try:
        found = np.ma.asanyarray(function(labels, **asked, **header["params"]))
    except SystemExit as error:
        raise RuntimeError(f"the method called sys.exit({error.code!r})") from error
    if found.shape != (len(labels),):
        raise ValueError(f"the method returned an array of shape {found.shape}; expected one label for each of {len(labels)} objects")
    return [spelled(label, place) for place, label in enumerate(found.tolist())]


def spelled(label: Any, place: int) -> str:
    """A label as a line."""
    if label is None or type(label).__name__ == "NAType" or label != label:
        raise ValueError(f"the method returned {label} for object {place} (counted from 0); every object needs a label")
    text = str(label)
    if not text or len(text.splitlines()) != 1 or text.endswith(("\n", "\r")):
        raise ValueError(f"the method returned {text!r} for object {place} (counted from 0); a label is one line of text")
    return text


if __name__ == "__main__":
    main()
