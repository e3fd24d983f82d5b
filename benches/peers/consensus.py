"""Consensus methods: conclave against its peers on the same label files, in the same run, one thread each.

conclave's time is the `seconds` of its JSON answer: the method, without reading the file, as for the peers.
Peers: StepMix for `mm`, SciPy and fastcluster for `eac-*`, scikit-learn for `qmi`. Words name the sections to run: likelihood,
mm, eac, qmi.
"""

import json
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import fastcluster
import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from stepmix.stepmix import StepMix

warnings.filterwarnings("ignore")
CONCLAVE = "target/release/conclave"
COLUMNS, CLUSTERS = 20, 5
# Of mm: as many as both make before either could be at its end.
ITERATIONS = 20


def labels(objects, distinct, seed=1):
    """Noisy copies of a truth of five clusters: `objects` rows drawn from `distinct` different ones."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, CLUSTERS, distinct)
    noisy = rng.random((distinct, COLUMNS)) < 0.3
    rows = np.where(noisy, rng.integers(0, CLUSTERS, (distinct, COLUMNS)), truth[:, None])
    return rows[np.arange(objects) % distinct]


def without(table, share, seed=2):
    gaps = np.random.default_rng(seed).random(table.shape) < share
    return np.where(gaps, np.nan, table.astype(float))


def write(table, folder):
    path = Path(folder) / "labels.csv"
    header = ",".join(f"c{column}" for column in range(table.shape[1]))
    lines = [",".join("" if value != value else str(int(value)) for value in row) for row in table.tolist()]
    path.write_text(header + "\n" + "\n".join(lines) + "\n")
    return path


def conclave(path, method, **params):
    command = [CONCLAVE, "consensus", str(path), "--method", method, "-k", str(CLUSTERS), "--json"]
    for name, value in params.items():
        command += ["--param", f"{name}={value}"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def stepmix(table, **settings):
    measurement = "categorical_nan" if np.isnan(table).any() else "categorical"
    data = table if measurement == "categorical_nan" else table.astype(int)
    model = StepMix(CLUSTERS, measurement=measurement, abs_tol=0, verbose=0, progress_bar=0, random_state=1, **settings)
    started = time.perf_counter()
    model.fit(data)
    return model, time.perf_counter() - started, data


def compare_likelihood(folder):
    print("mm: best log-likelihood of 20 starts, 500 objects")
    for share in [0.0, 0.3]:
        table = without(labels(500, 500), share) if share else labels(500, 500).astype(float)
        ours = conclave(write(table, folder), "mm", restarts=20, tolerance=1e-13)["objective"]["value"]
        model, _, data = stepmix(table, n_init=20, max_iter=2000, rel_tol=1e-13)
        theirs = model.score(data) * len(data)
        print(f"  {share:4.0%} missing: conclave {ours:.6f}  StepMix {theirs:.6f}  relative {abs(ours / theirs - 1):.1e}")


def own_iteration(path):
    ours = conclave(path, "mm", restarts=1, tolerance=0.0, iterations=ITERATIONS)
    return 1000 * ours["seconds"] / ours["iterations"]


def iteration_of_stepmix(table):
    model, seconds, _ = stepmix(table, n_init=1, max_iter=ITERATIONS, rel_tol=0)
    return 1000 * seconds / model.n_iter_


def compare_mm(folder):
    print("\nmm: milliseconds an iteration, the best of five runs of each")
    print("                                         conclave     StepMix   ratio")
    for objects in [500, 5_000, 20_000, 100_000]:
        for distinct in [100, objects]:
            table = labels(objects, distinct).astype(float)
            path = write(table, folder)
            mine = min(own_iteration(path) for _ in range(5))
            theirs = min(iteration_of_stepmix(table) for _ in range(5))
            print(f"  {objects:7} objects, {distinct:7} distinct {mine:11.4f} {theirs:11.3f} {theirs / mine:7.0f}x")


def co_association_distances(table):
    return pdist(table, "hamming")


def compare_eac(folder):
    print("\neac: seconds, and agreement (ARI)      conclave       SciPy  fastcluster  ratio    ARI")
    for objects, distinct in [(2_000, 2_000), (5_000, 500), (5_000, 5_000)]:
        table = labels(objects, distinct)
        path = write(table, folder)
        for method, link in [("eac-sl", "single"), ("eac-al", "average"), ("eac-cl", "complete")]:
            ours = conclave(path, method)
            started = time.perf_counter()
            tree = linkage(co_association_distances(table), link)
            peer = fcluster(tree, CLUSTERS, "maxclust")
            scipy_seconds = time.perf_counter() - started
            started = time.perf_counter()
            fastcluster.linkage(co_association_distances(table), link)
            fast_seconds = time.perf_counter() - started
            ratio = min(scipy_seconds, fast_seconds) / ours["seconds"]
            ari = adjusted_rand_score(ours["labels"], peer)
            print(
                f"  {objects:6}/{distinct:<6} {link:>9} {ours['seconds']:14.3f} {scipy_seconds:11.3f}"
                f" {fast_seconds:11.3f} {ratio:7.1f}x  {ari:.3f}"
            )


def compare_qmi(folder):
    print("\nqmi, best of 3: seconds                  conclave  scikit-learn  ratio   utility: conclave, peer")
    for objects, distinct in [(500, 500), (5_000, 100), (5_000, 5_000), (100_000, 1_000)]:
        table = labels(objects, distinct)
        ours = conclave(write(table, folder), "qmi", restarts=3)
        hot = np.concatenate([(table[:, [j]] == np.arange(CLUSTERS)).astype(float) for j in range(COLUMNS)], axis=1)
        hot -= hot.mean(axis=0)
        started = time.perf_counter()
        model = KMeans(CLUSTERS, init="random", n_init=3, algorithm="lloyd", random_state=1).fit(hot)
        seconds = time.perf_counter() - started
        utility = ((hot**2).sum() - model.inertia_) / objects
        print(
            f"  {objects:7} objects, {distinct:6} distinct {ours['seconds']:11.4f} {seconds:11.4f}"
            f" {seconds / ours['seconds']:7.0f}x   {ours['objective']['value']:.5f} {utility:.5f}"
        )


if __name__ == "__main__":
    sections = {"likelihood": compare_likelihood, "mm": compare_mm, "eac": compare_eac, "qmi": compare_qmi}
    with tempfile.TemporaryDirectory() as folder:
        for section in sys.argv[1:] or sections:
            sections[section](folder)
