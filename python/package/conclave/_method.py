"""A Python function as a consensus method in an experiment."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import os
import pickle
import sys
from collections.abc import Callable
from typing import Any, overload

Function = Callable[..., Any]

FOLDER = "CONCLAVE_PYTHON_METHODS"
"""The environment variable with the folder that workers find methods in; only they and the program have it."""


@dataclasses.dataclass(frozen=True)
class Method:
    """A function that is a method; made by `method`. Calling it calls the function."""

    function: Function
    name: str
    version: str
    options: dict[str, Any]

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.function(*arguments, **named)

    def with_(self, name: str, **options: Any) -> Method:
        """The same function under another name, with other options; ``params`` are added to those there are."""
        params = {**self.options.get("params", {}), **options.pop("params", {})}
        return dataclasses.replace(self, name=name, options={**self.options, **options, "params": params})

    def table(self, folder: str) -> dict[str, Any]:
        """Its ``[[method]]`` in a spec. What a worker needs is written to the folder."""
        with open(file_of(self.name, folder), "wb") as file:
            pickle.dump(target(self.function), file)
        # The command is part of a cell's identity: it says nothing that differs between two runs.
        command = [sys.executable, "-m", "conclave._worker", self.name]
        return {"name": self.name, "command": command, "version": self.version, "stream": True, **self.options}


def file_of(name: str, folder: str) -> str:
    """Where a worker finds the target of a method."""
    return os.path.join(folder, f"{hashlib.blake2b(name.encode(), digest_size=8).hexdigest()}.pickle")


@overload
def method(function: Function) -> Method: ...
@overload
def method(
    *, name: str | None = ..., version: str | int | None = ..., **options: Any
) -> Callable[[Function], Method]: ...
def method(
    function: Function | None = None, *, name: str | None = None, version: str | int | None = None, **options: Any
) -> Method | Callable[[Function], Method]:
    """Makes a function a method that `run` can set beside all others.

    The function is given ``labels`` (an integer array of objects × base clusterings, -1 where a label is missing) and, where
    it has arguments of these names, ``k`` and ``seed``, and the ``params`` of the spec. It returns one label per object. It runs
    in worker processes, with the deadline and the memory of a program in a spec; when it fails, that is a row with its reason.

    Parameters
    ----------
    name : str, optional
        Its name in results; the function's unless told.
    version : str or int, optional
        Finished cells are kept until it changes. Unless told it is made of the function's source text: a changed function is
        computed anew (what it calls is not looked at).
    options
        Any key of a program in a spec: ``label``, ``deadline``, ``memory``, ``params``, ``repeats``, ``k``, ``missing``, ``clusters``.
        ``memory`` holds Python and NumPy, too, which take about 200 MB before the function has done anything.

    Examples
    --------
    >>> import numpy as np
    >>> import conclave
    >>> @conclave.method(version=1, deadline=60, params={"column": 0})
    ... def one_of_them(labels, k, seed, column):
    ...     return np.unique(labels[:, column], return_inverse=True)[1] % k
    >>> one_of_them.name
    'one_of_them'
    >>> one_of_them(np.array([[5, 1], [5, 2], [7, 2]]), k=2, seed=0, column=0)
    array([0, 0, 1])
    """

    def made(function: Function) -> Method:
        if not callable(function):
            raise TypeError(f"a method is a function, and this is {function!r}")
        own = name or getattr(function, "__name__", None)
        if own is None:
            raise ValueError(f"{function!r} has no name of its own; give it one, such as conclave.method(name=\"mine\")(…)")
        return Method(function, own, str(version) if version is not None else source_hash(function), dict(options))

    return made if function is None else made(function)


def source_hash(function: Function) -> str:
    """Of the text of a function."""
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):
        raise ValueError(
            f"the source of {_called(function)} cannot be read; give it a version, such as @conclave.method(version=1), "
            "and change it when its answers change"
        ) from None
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def target(function: Function) -> tuple[str, str] | bytes:
    """How a worker finds a function: the name of its module and its own, or the function pickled with all it needs."""
    # Not every callable has these: that of functools.partial has none.
    home, qualified = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    module = sys.modules.get(home or "")
    if home is not None and home != "__main__" and qualified is not None and "<locals>" not in qualified and module is not None:
        found: Any = module
        for part in qualified.split("."):
            found = getattr(found, part, None)
        if found is function or (isinstance(found, Method) and found.function is function):
            return home, qualified
    return _by_value(function)


def _called(function: Function) -> str:
    return str(getattr(function, "__qualname__", function))


def _by_value(function: Function) -> bytes:
    for name in ("cloudpickle", "joblib.externals.cloudpickle"):
        try:
            module = __import__(name, fromlist=["dumps"])
        except ImportError:
            continue
        pickled: bytes = module.dumps(function, protocol=pickle.HIGHEST_PROTOCOL)
        return pickled
    raise ImportError(
        f"{_called(function)} is defined in a notebook, a script or another function: install cloudpickle "
        "(it comes with scikit-learn, too), or put the function into a module"
    )
