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
