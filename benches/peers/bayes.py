"""Bayesian methods: conclave against its peers on the same label files, in the same run, one thread each.

`v-bce` against scikit-learn's batch LatentDirichletAllocation, time an EM iteration: an object is a document whose words
are its labels, one from each base clustering. `nbce-gibbs` against pylace's Gibbs kernel, time per sweep: one view of all
columns, categorical, rows reassigned by the flat kernel and nothing else.

The peers' seconds are CPU seconds, the difference between a long and a short run, so that setting up does not count.
conclave's are `seconds / iterations` of its JSON answer: its setting up counts.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

CONCLAVE = os.environ.get("CONCLAVE", "target/release/conclave")
COLUMNS, CLUSTERS = 20, 5
SIZES = [500, 5_000, 20_000, 100_000]


def labels(objects, distinct, seed=1):
    """Noisy copies of a truth of five clusters: `objects` rows drawn from `distinct` different ones."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, CLUSTERS, distinct)
    noisy = rng.random((distinct, COLUMNS)) < 0.3
    rows = np.where(noisy, rng.integers(0, CLUSTERS, (distinct, COLUMNS)), truth[:, None])
    return rows[np.arange(objects) % distinct]


def write(table, folder):
    path = Path(folder) / "labels.csv"
    pd.DataFrame(table, columns=[f"c{column}" for column in range(COLUMNS)]).to_csv(path, index=False)
    return path


def known_methods():
    printed = subprocess.run([CONCLAVE, "list", "methods"], check=True, capture_output=True, text=True).stdout
    return {line.split()[0] for line in printed.splitlines()[1:] if line.strip()}


def conclave(path, method, **params):
    """Seconds an iteration, or None where the program has no such method."""
    if method not in known_methods():
        return None
    command = [CONCLAVE, "consensus", str(path), "--method", method, "--json"]
    if not method.startswith("nbce"):  # which finds the number of clusters
        command += ["-k", str(CLUSTERS)]
    for name, value in params.items():
        command += ["--param", f"{name}={value}"]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return answer["seconds"] / answer["iterations"]


def per_step(run, few, many):
    """CPU seconds a step: those of a long run less those of a short one."""
    run(few)  # first use loads code

    def seconds(steps):
        started = time.process_time()
        run(steps)
        return time.process_time() - started

    return max(seconds(many) - seconds(few), 1e-9) / (many - few)


def documents(table):
    """Objects × labels, 1 where an object has a label."""
    codes = table + CLUSTERS * np.arange(COLUMNS)
    rows = np.repeat(np.arange(len(table)), COLUMNS)
    shape = (len(table), CLUSTERS * COLUMNS)
    return sparse.csr_matrix((np.ones(codes.size), (rows, codes.ravel())), shape=shape)


def lda_iteration(table):
    from sklearn.decomposition import LatentDirichletAllocation

    words = documents(table)

    def fit(iterations):
        settings = {"learning_method": "batch", "evaluate_every": -1, "n_jobs": 1, "random_state": 1}
        LatentDirichletAllocation(CLUSTERS, max_iter=iterations, **settings).fit(words)

    return per_step(fit, 2, 12 if len(table) <= 20_000 else 6)


def lace_sweep(table):
    import lace

    frame = pd.DataFrame({f"c{column}": codes for column, codes in enumerate(table.T.astype(str))})
    frame.index = [f"object {row}" for row in range(len(frame))]
    # One state, and all columns in one view, where they stay: columns are never reassigned.
    engine = lace.Engine.from_df(frame, n_states=1, rng_seed=1, flat_columns=True)
    flat = [lace.StateTransition.row_assignment(lace.RowKernel.gibbs())]
    views = len(set(engine.column_assignment(0)))
    if views != 1:
        raise RuntimeError(f"pylace has {views} views where one was asked for")
    engine.update(10, transitions=flat, quiet=True)  # past the start, when there are most components
    return per_step(lambda sweeps: engine.update(sweeps, transitions=flat, quiet=True), 1, 6)


def compare(title, method, peer, peer_step, params):
    print(f"\n{title}, milliseconds{'':<12} conclave {peer:>13}   ratio")
    if method not in known_methods():
        print(f"  this conclave has no method {method} (`conclave list methods`): the peer alone")
    with tempfile.TemporaryDirectory() as folder:
        for objects in SIZES:
            for distinct in [100, objects]:
                table = labels(objects, distinct)
                mine = conclave(write(table, folder), method, **params)
                theirs = peer_step(table)
                ours = f"{1000 * mine:11.4f}" if mine else f"{'-':>11}"
                ratio = f"{theirs / mine:6.0f}x" if mine else f"{'-':>7}"
                print(f"  {objects:7} objects, {distinct:7} distinct {ours} {1000 * theirs:13.3f} {ratio}", flush=True)


if __name__ == "__main__":
    parts = sys.argv[1:] or ["v-bce", "nbce-gibbs"]
    if "v-bce" in parts:
        compare("v-bce, an EM iteration", "v-bce", "scikit-learn", lda_iteration, {"restarts": 1})
    if "nbce-gibbs" in parts:
        compare("nbce-gibbs, a sweep", "nbce-gibbs", "pylace", lace_sweep, {"restarts": 1})
