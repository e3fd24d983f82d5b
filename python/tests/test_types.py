"""What users write has the types that the stubs say, and mistakes are seen before anything runs."""

from __future__ import annotations

import textwrap

import pytest

RIGHT = """
import numpy as np

import conclave
from conclave import Answer, ConsensusClustering, generate, metrics

labels = np.array([[0, 1], [0, 1], [1, 0]])
answer: Answer = conclave.consensus(labels, method="mm", k=np.int32(2), seed=np.int64(3), params={"restarts": 2})
objective: float | None = answer.objective_
if answer.memberships_ is not None:
    print(answer.memberships_.shape, answer.labels_.max())
print(metrics.ari([1, 2], ["a", "b"]) + 1.0, generate.kmeans(labels, 3, k=2).shape)
print(len(conclave.compare(labels, output="table").to_pandas()), conclave.compare(labels).attrs)
print(ConsensusClustering(3, method="mm").fit(labels).labels_.shape)


@conclave.method(deadline=60, params={"column": 0})
def one(labels: np.ndarray, k: int, column: int) -> np.ndarray:
    return labels[:, column] % k


run = conclave.run({"name": "mine", "method": [one]}, methods=[one.with_("two", params={"column": 1})])
print(run.cells_done + 1)
"""

WRONG = {
    'conclave.consensus([[1], [2]], k="3")': "arg-type",
    'conclave.consensus([[1], [2]], methd="mm")': "call-arg",
    'conclave.consensus([[1], [2]]).labels': "attr-defined",
    'conclave.compare([[1], [2]], output="polars")': "call-overload",
    'conclave.compare([[1], [2]], output="table").to_panda()': "attr-defined",
}


def test_users_code_is_typed(tmp_path):
    api = pytest.importorskip("mypy.api")
    path = tmp_path / "user.py"
    path.write_text(textwrap.dedent(RIGHT))
    said, _, code = api.run(["--strict", "--cache-dir", str(tmp_path / "cache"), str(path)])
    assert code == 0, said
    path.write_text("import conclave\n" + "\n".join(WRONG) + "\n")
    said, _, code = api.run(["--strict", "--cache-dir", str(tmp_path / "cache"), str(path)])
    lines = [line for line in said.splitlines() if ": error:" in line]
    assert len(lines) == len(WRONG) and all(f"[{kind}]" in line for kind, line in zip(WRONG.values(), lines)), said
