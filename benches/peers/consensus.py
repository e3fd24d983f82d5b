"""`mm` and StepMix: the best log-likelihood of 20 starts is the same, with and without missing labels. (Times: `run all`.)"""

import tempfile
from pathlib import Path

import numpy as np
from frame import ask_conclave
from older import stepmix
from tables import CLUSTERS, planted

STARTS, TOLERANCE, LIMIT = 20, 1e-13, 60


def write(table, path):
    header = ",".join(f"c{column}" for column in range(table.shape[1]))
    lines = [",".join("" if value != value else str(int(value)) for value in row) for row in table.tolist()]
    path.write_text(header + "\n" + "\n".join(lines) + "\n")


def main(folder):
    print(f"mm: best log-likelihood of {STARTS} starts, 500 objects")
    for share in [0.0, 0.3]:
        table = planted(500, 500)[0].astype(float)
        table[np.random.default_rng(2).random(table.shape) < share] = np.nan
        write(table, folder / "table.csv")
        answer = ask_conclave("mm", folder, CLUSTERS, LIMIT, {"restarts": STARTS, "tolerance": TOLERANCE})
        ours = answer["objective"]["value"]
        data = table if share else table.astype(int)
        kind = "categorical_nan" if share else "categorical"
        model = stepmix(data, CLUSTERS, 1, measurement=kind, n_init=STARTS, max_iter=2000, rel_tol=TOLERANCE)
        theirs = model.score(data) * len(data)
        print(f"  {share:4.0%} missing: conclave {ours:.6f}  StepMix {theirs:.6f}  relative {abs(ours / theirs - 1):.1e}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        main(Path(name))
