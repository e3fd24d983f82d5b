"""Experiments from Python: specs as files and dictionaries, functions as methods."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from conftest import PROJECT

import conclave
from conclave import _toml

SPEC = {
    "name": "from-python",
    "seed": 3,
    "datasets": ["iris"],
    "metrics": ["ari"],
    "ensemble": {"generator": "kmeans", "k": "classes", "size": 6, "count": 2},
    "method": [{"name": "mm", "restarts": 2}],
}


@conclave.method(deadline=60, repeats=1)
def first_column(labels, k):
    return labels[:, 0] % k


@conclave.method(repeats=1, deadline=60)
def noisy_function(labels, k, seed, **params):
    print("this must not be taken for a label")
    if params.get("fail"):
        raise ZeroDivisionError("on purpose")
    return np.random.default_rng(seed).integers(0, k, len(labels))


@pytest.fixture
def place(tmp_path, monkeypatch, program):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONCLAVE", str(program))
    return tmp_path


def cells(run: conclave.Run) -> pl.DataFrame:
    return pl.DataFrame(run.cells)


def test_a_dictionary_is_a_spec_and_results_are_an_arrow_table(place):
    run = conclave.run(SPEC)
    assert isinstance(run.cells, pa.Table)
    assert (run.name, run.cells_failed) == ("from-python", 0) and run.report.is_file()
    assert cells(run)["method"].unique().to_list() == ["mm"]
    assert pl.DataFrame(run.timings).height == run.cells_done
    assert "cells done" in run._repr_html_()
    # Nothing is left of the spec that was written.
    assert sorted(os.listdir(place)) == ["reports", "results"]


def test_results_are_read_with_polars_where_there_is_no_pyarrow(place, monkeypatch):
    run = conclave.run(SPEC, report=False)
    assert run.report is None
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert isinstance(run.cells, pl.DataFrame)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match="install pyarrow or polars"):
        _ = run.cells


def test_functions_are_methods_beside_the_library_s(place):
    def local(labels, k, seed):
        return labels[:, 1] % k

    methods = [*SPEC["method"], first_column, conclave.method(name="local", repeats=1)(local)]
    run = conclave.run({**SPEC, "method": methods}, methods=[noisy_function])
    done = cells(run)
    assert run.cells_failed == 0
    assert sorted(done["method"].unique()) == ["first_column", "local", "mm", "noisy_function"]
    # The first column is a base clustering, and k-means finds iris' classes well.
    assert done.filter(pl.col("method") == "first_column")["value"].mean() > 0.4
    # The same again: everything is there, and nothing is computed.
    again = conclave.run({**SPEC, "method": methods}, methods=[noisy_function])
    assert "nothing to compute" in again.output and again.cells.equals(run.cells)


def test_a_spec_file_and_functions_go_together(place):
    (place / "spec.toml").write_text(_toml.dumps(SPEC))
    run = conclave.run("spec.toml", methods=[first_column], scale=None, only={"method": "first_column"}, threads=1)
    assert cells(run)["method"].unique().to_list() == ["first_column"]
    assert sorted(os.listdir(place)) == ["reports", "results", "spec.toml"]


def test_a_function_that_fails_is_a_row_with_its_reason(place):
    failing = noisy_function.with_("failing", params={"fail": 1})
    with pytest.warns(UserWarning, match="2 cells failed"):
        run = conclave.run({**SPEC, "method": [*SPEC["method"], failing]})
    rows = cells(run).filter(pl.col("status") != "done")
    assert run.cells_failed == 2 and rows["method"].unique().to_list() == ["failing"]
    assert all("ZeroDivisionError: on purpose" in reason for reason in rows["reason"])


def test_a_function_that_hangs_ends_at_its_deadline(place):
    @conclave.method(repeats=1, deadline=3)
    def hanging(labels, k):
        import time

        time.sleep(600)

    with pytest.warns(UserWarning, match="cells failed"):
        run = conclave.run({**SPEC, "method": [hanging]})
    assert set(cells(run)["status"]) == {"timed-out"} or "time" in cells(run)["reason"][0]


def test_wrong_shapes_are_said(place):
    @conclave.method(repeats=1, deadline=60)
    def short(labels, k):
        return labels[:3, 0]

    with pytest.warns(UserWarning, match="cells failed"):
        run = conclave.run({**SPEC, "method": [short]})
    assert "expected one label for each of 150 objects" in cells(run)["reason"][0]


@pytest.mark.parametrize(
    ("made", "words"),
    [
        # What it reads is not the next task, and what it ends is not the worker.
        (lambda labels: input(), "EOFError"),
        (lambda labels: sys.exit(0), r"called sys.exit\(0\)"),
        (lambda labels: [None] * len(labels), "returned None for object 0"),
        (lambda labels: np.where(np.arange(len(labels)) == 7, np.nan, 1.0), "returned nan for object 7"),
        (lambda labels: np.ma.masked_equal(labels[:, 0], labels[0, 0]), "returned None for object 0"),
        (lambda labels: ["0\nend 1"] * len(labels), "a label is one line"),
        (lambda labels: [""] * len(labels), "a label is one line"),
    ],
    ids=["reads", "exits", "none", "nan", "masked", "lines", "empty"],
)
def test_what_is_no_answer_is_a_row_with_its_reason(place, made, words):
    one = conclave.method(name="mine", version=1, repeats=1, deadline=20)(made)
    with pytest.warns(UserWarning, match="cells failed"):
        run = conclave.run({**SPEC, "method": one}, report=False)
    reasons = cells(run)["reason"].to_list()
    assert all(re.search(words, reason) for reason in reasons), reasons[0]


def test_params_that_every_method_is_given_anyhow_are_refused(place):
    clash = first_column.with_("clash", params={"k": 3})
    with pytest.warns(UserWarning, match="cells failed"):
        run = conclave.run({**SPEC, "method": [clash]}, report=False)
    assert "`k` is in params" in cells(run)["reason"][0]


class Shift:
    def __init__(self, by):
        self.by = by

    def moved(self, labels, k):
        return (labels[:, 0] + self.by) % k

    def __call__(self, labels, k):
        return self.moved(labels, k)


def test_whatever_can_be_called_is_a_method(place):
    import functools

    methods = [
        conclave.method(name="bound", version=1, repeats=1)(Shift(1).moved),
        conclave.method(name="object", version=1, repeats=1)(Shift(2)),
        conclave.method(name="partial", version=1, repeats=1)(functools.partial(first_column.function)),
        conclave.method(name="anonymous", version=1, repeats=1)(lambda labels: labels[:, 0]),
    ]
    run = conclave.run({**SPEC, "method": methods}, report=False)
    assert run.cells_failed == 0 and run.cells_done == 8
    with pytest.raises(ValueError, match="no name of its own"):
        conclave.method(functools.partial(first_column.function))
    with pytest.raises(TypeError, match="a method is a function"):
        conclave.method(3)


@pytest.mark.skipif(os.name != "posix", reason="signals differ")
def test_ctrl_c_stops_a_run_and_all_that_it_started(place):
    script = place / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            import os, pathlib, time
            import conclave

            @conclave.method(repeats=1, deadline=300)
            def asleep(labels):
                pathlib.Path("worker").write_text(str(os.getpid()))
                time.sleep(300)
                return labels[:, 0]

            print("begun", flush=True)
            try:
                conclave.run({"name": "stopped", "seed": 1, "datasets": ["iris"], "metrics": ["ari"],
                              "ensemble": {"generator": "kmeans", "k": 3, "size": 3, "count": 1}, "method": [asleep]})
            except KeyboardInterrupt:
                print("stopped", flush=True)
            """
        )
    )
    # To Python alone: nobody but Python tells the program.
    process = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, cwd=place, start_new_session=True)
    end = time.monotonic() + 60
    while not (place / "worker").exists() and time.monotonic() < end:
        time.sleep(0.05)
    worker = int((place / "worker").read_text() or 0)
    struck = time.monotonic()
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    # A second, and what a busy machine adds.
    assert output == "begun\nstopped\n" and time.monotonic() - struck < 4
    time.sleep(0.5)
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
    assert not [name for name in os.listdir(place) if name.startswith(".conclave")]


def test_pages_of_a_run_escape_the_names_of_folders(place):
    run = conclave.run(SPEC, results=place / "<img src=x>", reports=place / "<b>")
    assert "<img" not in run._repr_html_() and "&lt;img" in run._repr_html_() and "/<b>" not in run._repr_html_()


def test_a_changed_function_has_another_version():
    def one(labels, k):
        return labels[:, 0]

    def two(labels, k):
        return labels[:, 1]

    versions = [conclave.method(function).version for function in (one, one, two)]
    assert versions[0] == versions[1] != versions[2]
    with pytest.raises(ValueError, match="give it a version"):
        conclave.method(eval("lambda labels, k: labels[:, 0]"))
    assert conclave.method(version=3)(eval("lambda labels, k: labels[:, 0]")).version == "3"


def test_problems_of_a_spec_are_said_all_at_once(place):
    with pytest.raises(conclave.SpecError) as caught:
        conclave.run({**SPEC, "datasets": ["irs"], "method": [{"name": "mmm"}]})
    assert "irs" in str(caught.value) and "mmm" in str(caught.value) and "spec.toml" in str(caught.value)
    with pytest.raises(conclave.SpecError, match="nothing.toml"):
        conclave.run("nothing.toml")
    with pytest.raises(conclave.SpecError, match="nothing.toml"):
        conclave.run("nothing.toml", methods=[first_column])
    with pytest.raises(TypeError, match="@conclave.method"):
        conclave.run(SPEC, methods=[len])
    for method in (first_column.function, [first_column.function]):
        with pytest.raises(TypeError, match="method"):
            conclave.run({**SPEC, "method": method})
    for spec in (None, [1], 3):
        with pytest.raises(TypeError, match="^spec is .*; expected the path of a TOML file"):
            conclave.run(spec)
    with pytest.raises(TypeError, match="only is"):
        conclave.run(SPEC, only="dataset=iris")
    assert os.listdir(place) == []


def test_the_program_is_looked_for_and_its_absence_explained(tmp_path, monkeypatch, program):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CONCLAVE", raising=False)
    with pytest.raises(conclave.ProgramMissing, match="cargo install"):
        conclave.run(SPEC)
    with pytest.raises(conclave.ProgramMissing, match="program is /nowhere"):
        conclave.find_program("/nowhere")
    monkeypatch.setenv("CONCLAVE", "/nowhere")
    with pytest.raises(conclave.ProgramMissing, match="CONCLAVE is /nowhere"):
        conclave.find_program()
    assert conclave.find_program(program) == program
    monkeypatch.delenv("CONCLAVE")
    # The program of the tests may have another name.
    named = tmp_path / "bin" / "conclave"
    named.parent.mkdir()
    named.symlink_to(program)
    monkeypatch.setenv("PATH", str(named.parent))
    assert conclave.find_program() == named


def test_a_script_s_own_functions_are_methods(place):
    # As a user would write it: the function is in the script that runs the experiment.
    script = place / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            import numpy as np
            import conclave

            OFFSET = 1

            @conclave.method(repeats=1, deadline=60)
            def mine(labels, k, seed):
                return (labels[:, 0] + OFFSET) % k

            run = conclave.run({"name": "script", "seed": 1, "datasets": ["iris"], "metrics": ["ari"],
                                "ensemble": {"generator": "kmeans", "k": 3, "size": 3, "count": 1}, "method": [mine]})
            print(run.cells_done, run.cells_failed)
            """
        )
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=place)
    assert done.stdout == "1 0\n", done.stdout + done.stderr


def test_the_experiments_of_the_documentation_run(place):
    page = (PROJECT / "docs" / "PYTHON.md").read_text(encoding="utf-8")
    section = page.split("\n## Experiments\n")[1].split("\n## ")[0]
    blocks = re.findall(r"\n\n((?:    .*\n|\n(?=    ))+)", section)
    first, *others = [textwrap.dedent(block) for block in blocks]
    assert "quickstart.toml" in first and len(others) == 1
    (place / "experiments").symlink_to(PROJECT / "experiments")
    shown = "print(run.name, run.cells_done > 0, run.cells_failed, type(run.cells).__module__)\n"
    (place / "script.py").write_text("import conclave\n\n" + first + shown + "".join(others) + shown)
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, cwd=place)
    assert done.stdout == "quickstart True 0 pyarrow.lib\nmine True 0 pyarrow.lib\n", done.stdout + done.stderr


def test_toml_is_read_as_it_was_meant():
    tomllib = pytest.importorskip("tomllib")
    document = {
        "text": 'quotes " and \\ and \n and \x7f and é',
        "numbers": [1, -2, 0.5, 1e300, float("inf")],
        "truth": [True, np.True_, False],
        "numpy": np.arange(3),
        "table": {"inner": {"a key": 1, "none": None}},
        "list": [{"x": 1}, {"y": {"z": [1, 2]}}],
        "empty": [],
    }
    expected = {**document, "numpy": [0, 1, 2], "truth": [True, True, False], "table": {"inner": {"a key": 1}}}
    assert tomllib.loads(_toml.dumps(document)) == expected
    with pytest.raises(TypeError, match="`a.b` is a object"):
        _toml.dumps({"a": {"b": object()}})
