"""Experiments: specs in, stored results out. The program ``conclave`` does the work."""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import _toml
from ._labels import workers
from ._method import FOLDER, Method


class ProgramMissing(RuntimeError):
    """The program ``conclave`` is not there: the wheel has the mathematics only."""


class SpecError(ValueError):
    """A spec cannot run; the message has every problem of it."""


@dataclass(frozen=True)
class Run:
    """What a run stored.

    Attributes
    ----------
    name : str
        The experiment's name.
    folder : Path
        Where its results are: ``cells.parquet`` and ``timings.parquet``.
    report : Path or None
        The report's page.
    cells_done, cells_failed : int
        How many cells have a result, and how many have a reason in its place.
    output : str
        What the program printed.
    """

    name: str
    folder: Path
    report: Path | None
    cells_done: int
    cells_failed: int
    output: str = field(repr=False)

    @property
    def cells(self) -> Any:
        """Results as an Arrow table, one row per cell and metric.

        A ``pyarrow.Table`` where pyarrow is installed, otherwise a ``polars.DataFrame``, which is an Arrow table, too.
        """
        return _read_parquet(self.folder / "cells.parquet")

    @property
    def timings(self) -> Any:
        """Seconds and what else depends on the machine; ``cell`` joins it with `cells`."""
        return _read_parquet(self.folder / "timings.parquet")

    def _repr_html_(self) -> str:
        shown = html.escape(str(self.report))
        report = f'<br>report: <a href="{html.escape(self.report.as_uri())}">{shown}</a>' if self.report else ""
        counts = f"{self.cells_done:,} cells done, {self.cells_failed:,} failed"
        folder = html.escape(str(self.folder))
        return f"<div><b>{html.escape(self.name)}</b>: {counts}<br>results: <code>{folder}</code>{report}</div>"


def run(
    spec: str | os.PathLike[str] | Mapping[str, Any],
    *,
    scale: str | None = None,
    methods: Iterable[Method] = (),
    results: str | os.PathLike[str] | None = None,
    reports: str | os.PathLike[str] | None = None,
    report: bool = True,
    data: str | os.PathLike[str] | None = None,
    only: Mapping[str, str] | None = None,
    threads: int | None = None,
    program: str | os.PathLike[str] | None = None,
) -> Run:
    """Runs an experiment: computes the results that are missing, stores them and writes a report.

    Parameters
    ----------
    spec : path or dict
        A TOML file, or the same as a dictionary: ``{"name": "mine", "datasets": ["iris"], "ensemble": {…}, "method": [{…}, …]}``.
        Its list of methods may have functions made by `method`. Paths in a dictionary start from the working directory.
    scale : str, optional
        A ``[scale.NAME]`` of the spec, such as ``"quick"``.
    methods : functions made by `method`
        They take part beside the spec's own methods.
    results, reports : path, optional
        Folders; ``results`` and ``reports`` in the working directory unless told.
    report : bool
        Whether to write one.
    data : path, optional
        A folder with datasets of your own.
    only : dict, optional
        Only cells with these values, such as ``{"dataset": "iris"}``.
    threads : int, optional
        How many threads work; all cores unless told. The results are the same.
    program : path, optional
        The program; see `find_program`.

    Raises
    ------
    SpecError
        When the spec cannot run.
    ProgramMissing
        When there is no program.
    """
    if os.environ.get(FOLDER):
        raise RuntimeError("conclave.run was called while a worker imported this file: put it under `if __name__ == '__main__':`")
    found = find_program(program)
    options: list[str] = []
    for name, value in (("scale", scale), ("results", results), ("reports", reports), ("data", data)):
        if value is not None:
            options += [f"--{name}", os.fspath(value)]
    if not (only is None or isinstance(only, Mapping)):
        raise TypeError(f"only is {only!r}; expected a dictionary, such as {{'dataset': 'iris'}}")
    for key, value in (only or {}).items():
        options += ["--only", f"{key}={value}"]
    if threads is not None:
        options += ["--threads", str(workers(threads))]
    if not report:
        options.append("--no-report")
    with tempfile.TemporaryDirectory(prefix="conclave-") as folder:
        text, place = _text(spec, [methods] if isinstance(methods, Method) else list(methods), folder)
        if text is None:
            return _outcome(*_call([str(found), "run", *options, "--", str(place)], folder), str(place))
        # Beside the spec: its paths are relative to it.
        handle, path = tempfile.mkstemp(prefix=".conclave-", suffix=".toml", dir=place.parent)
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(text)
            code, output, errors = _call([str(found), "run", *options, "--", path], folder)
            return _outcome(code, output, errors.replace(path, place.name), place.name)
        finally:
            os.unlink(path)


def _text(spec: Any, methods: list[Method], folder: str) -> tuple[str | None, Path]:
    """The text of a spec that has to be written first, and where the spec is or would be."""
    for one in methods:
        if not isinstance(one, Method):
            raise TypeError(f"methods has {one!r}; expected functions with @conclave.method")
    if isinstance(spec, Mapping):
        listed = spec.get("method", [])
        if isinstance(listed, (Method, Mapping)):
            listed = [listed]
        if not isinstance(listed, (list, tuple)):
            raise TypeError(f"`method` is {listed!r}; expected a list of dictionaries and of functions with @conclave.method")
        for one in listed:
            if callable(one) and not isinstance(one, Method):
                raise TypeError(f"`method` has the function {_named(one)}; make it a method with @conclave.method")
        own = [one.table(folder) if isinstance(one, Method) else one for one in listed]
        document = {**spec, "method": own + [one.table(folder) for one in methods]}
        return _toml.dumps(document), Path.cwd() / "spec.toml"
    if not isinstance(spec, (str, bytes, os.PathLike)):
        raise TypeError(f"spec is {spec!r}; expected the path of a TOML file, or the same as a dictionary")
    path = Path(os.fsdecode(spec))
    if not methods:
        return None, path
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SpecError(f"{path}: {error.strerror}") from error
    return text + "\n" + _toml.dumps({"method": [one.table(folder) for one in methods]}), path.absolute()


def _named(function: Any) -> str:
    return str(getattr(function, "__qualname__", function))


def _call(command: list[str], folder: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error. Ctrl-C stops the program, too, and it loses nothing finished."""
    # Workers find what this process finds.
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    environment = {**os.environ, "PYTHONPATH": paths, FOLDER: folder, "NO_COLOR": "1"}
    # Jupyter asks for colours by these. The output is read, and not by a person.
    for asking in ("CLICOLOR_FORCE", "FORCE_COLOR"):
        environment.pop(asking, None)
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        try:
            output, errors = process.communicate()
        except BaseException:
            process.terminate()
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
            raise
    return process.returncode, output, errors


def _outcome(code: int, output: str, errors: str, spec: str) -> Run:
    if code in (130, -2):
        raise KeyboardInterrupt
    if code not in (0, 1):
        raise SpecError(errors.strip() or output.strip() or f"{spec}: the program ended with exit code {code}")
    found = dict(re.findall(r"^(results|report) +(.+)$", output, re.MULTILINE))
    counts = re.search(r"^\d+ cells?: (\d+) done, (\d+) failed", output, re.MULTILINE)
    if "results" not in found or counts is None:
        raise RuntimeError(f"the program's output has no results:\n{output}{errors}")
    folder = Path(found["results"]).absolute().parent
    page = Path(found["report"]).absolute() if "report" in found else None
    done, failed = map(int, counts.groups())
    if failed:
        warnings.warn(f"{failed} cells failed; `status` and `reason` of the cells say why", UserWarning, stacklevel=3)
    return Run(folder.name, folder, page, done, failed, output)


def find_program(program: str | os.PathLike[str] | None = None) -> Path:
    """The program ``conclave``: the one that is named, that of the environment variable ``CONCLAVE``, the one on the ``PATH``, or that
    of a checkout which the working directory is in.

    Raises
    ------
    ProgramMissing
        When there is none; it says how to install it.
    """
    for named, origin in ((program, "program"), (os.environ.get("CONCLAVE"), "the environment variable CONCLAVE")):
        if named:
            path = shutil.which(os.fspath(named))
            if path is None:
                raise ProgramMissing(f"{origin} is {os.fspath(named)}, which is no program")
            return Path(path).absolute()
    on_path = shutil.which("conclave")
    if on_path is not None:
        return Path(on_path).absolute()
    for folder in (Path.cwd(), *Path.cwd().parents):
        built = folder / "target" / "release" / ("conclave.exe" if os.name == "nt" else "conclave")
        if built.is_file() and (folder / "core" / "Cargo.toml").is_file():
            return built
    raise ProgramMissing(
        "experiments need the program `conclave`, which this package does not have. In a checkout of the repository, run\n"
        "    cargo install --path .\n"
        "or set the environment variable CONCLAVE to the program."
    )


def _read_parquet(path: Path) -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        pass
    else:
        # The file alone: a folder called `dataset=iris` above it is no column.
        return pyarrow.parquet.read_table(path, partitioning=None)
    try:
        import polars
    except ImportError:
        raise ImportError(
            f"to read {path}, install pyarrow or polars; DuckDB, R and others read the file as it is"
        ) from None
    return polars.read_parquet(path)
