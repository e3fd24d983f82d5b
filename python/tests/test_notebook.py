"""The notebook under examples/ runs, and shows what it says."""

from __future__ import annotations

import re

import nbformat
from conftest import PROJECT
from nbclient import NotebookClient


def test_the_notebook_runs():
    notebook = nbformat.read(PROJECT / "examples" / "digits.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not committed"
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    printed = "".join(output.get("text", "") for output in outputs)
    best = float(re.search(r"one k-means: ARI from \S+ to (\S+)", printed)[1])
    assert float(re.search(r"lwea: ARI (\S+)", printed)[1]) > best, "a consensus is better than the best of its parts"
    shown = [output["data"] for output in outputs if "data" in output]
    assert any("<svg" in data.get("text/html", "") for data in shown)


EXPERIMENT = """
import conclave

SHIFT = 1

class Moved:
    def __call__(self, column):
        return column + SHIFT

moved = Moved()

@conclave.method(repeats=1, deadline=60)
def mine(labels, k):
    return moved(labels[:, 0]) % k

run = conclave.run({"name": "notebook", "seed": 1, "datasets": ["iris"], "metrics": ["ari"], "method": [mine],
                    "ensemble": {"generator": "kmeans", "k": 3, "size": 3, "count": 1}}, report=False)
print(run.cells_done, run.cells_failed)
"""


def test_experiments_run_in_notebooks_with_functions_of_the_notebook(tmp_path, monkeypatch, program):
    # Jupyter asks all programs for colours.
    monkeypatch.setenv("CONCLAVE", str(program))
    cells = [nbformat.v4.new_code_cell(source) for source in (EXPERIMENT, "run")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert notebook.cells[0].outputs[0]["text"] == "1 0\n"
    assert "1 cells done" in notebook.cells[1].outputs[0]["data"]["text/html"]
