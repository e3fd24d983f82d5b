"""Experiments from Python: specs as files and dictionaries, functions as methods."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

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
    monkeypatch.setenv("PATH", str(program.parent))
    assert conclave.find_program() == program


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
