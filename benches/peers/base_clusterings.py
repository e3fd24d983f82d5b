"""Base clusterings: conclave against scikit-learn and SciPy, same data, same run, one thread each.

The peer's time is its fits alone; conclave's is the whole command, reading the data and writing the labels included.
"""

import csv
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.cluster.hierarchy import linkage
from sklearn.cluster import KMeans

CONCLAVE = "target/release/conclave"
RUNS = 100


def features(name):
    with open(f"datasets/{name}.csv") as file:
        rows = list(csv.reader(file))[1:]
    return np.array([[float(value) for value in row[:-1]] for row in rows])


def conclave(dataset, generator, k, folder):
    """Seconds of the whole command, and its labels: objects × runs."""
    output = Path(folder) / "labels.csv"
    command = [CONCLAVE, "ensemble", dataset, "--generator", generator, "--size", str(RUNS), "--param", f"k={k}"]
    started = time.perf_counter()
    subprocess.run([*command, "--output", str(output)], check=True)
    seconds = time.perf_counter() - started
    return seconds, np.loadtxt(output, delimiter=",", skiprows=1, dtype=int)


def fit(data, k, seed):
    return KMeans(k, init="random", n_init=1, algorithm="lloyd", random_state=seed).fit(data)


def compare_kmeans(dataset, k, folder):
    data = features(dataset)
    fit(data, k, 0)  # first use loads code
    ours, _ = conclave(dataset, "kmeans", k, folder)
    started = time.perf_counter()
    for seed in range(RUNS):
        fit(data, k, seed)
    peer = time.perf_counter() - started
    print(
        f"{dataset:>14} k={k:<3} {1000 * ours / RUNS:9.2f} ms {1000 * peer / RUNS:9.2f} ms {peer / ours:7.1f}x"
        f"   mean SSE from the same starts: ratio {sse_ratio(dataset, data, k, folder):.6f}"
    )


def sse_ratio(dataset, data, k, folder):
    """Mean SSE of conclave over scikit-learn's, both from the same random starts: means from different starts differ by
    several percent by chance."""
    rng = np.random.default_rng(3)
    starts = [rng.choice(len(data), k, replace=False) for _ in range(RUNS)]
    starts = [start for start in starts if len(np.unique(data[start], axis=0)) == k]
    path = Path(folder) / "starts.csv"
    path.write_text("".join(",".join(map(str, start)) + "\n" for start in starts))
    command = ["target/release/examples/kmeans_from", dataset, str(path)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    mine = np.array([float(line) for line in printed.split()])
    theirs = np.array([KMeans(k, init=data[start], n_init=1, algorithm="lloyd").fit(data).inertia_ for start in starts])
    return mine.mean() / theirs.mean()


def compare_projections(dataset, k, folder):
    data = features(dataset)
    directions = np.random.default_rng(1).normal(size=(data.shape[1], RUNS))
    projected = data @ (directions / np.linalg.norm(directions, axis=0))
    fit(projected[:, :1], k, 0)
    ours, _ = conclave(dataset, "projection", k, folder)
    started = time.perf_counter()
    for run in range(RUNS):
        fit(projected[:, run : run + 1], k, run)
    peer = time.perf_counter() - started
    print(f"{dataset:>10} 1-d k={k:<3} {1000 * ours / RUNS:9.2f} ms {1000 * peer / RUNS:9.2f} ms {peer / ours:7.1f}x")


def compare_linkage(folder):
    data = np.random.default_rng(7).normal(size=(2000, 5))
    path = Path(folder) / "points.csv"
    np.savetxt(path, data, delimiter=",", header="a,b,c,d,e", comments="", fmt="%.17g")
    for link in ["single", "average", "complete", "ward", "centroid"]:
        command = ["target/release/examples/linkage_heights", str(path), link]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        mine = np.array([float(line.split(",")[0]) for line in printed.splitlines()[1:]])
        theirs = linkage(data, link)[:, 2]
        print(f"{link:>10}: largest difference of {len(mine)} heights {np.abs(mine - theirs).max():.1e}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(f"k-means, {RUNS} runs:              conclave    scikit-learn   ratio")
        compare_kmeans("magic04", 2, folder)
        compare_kmeans("segmentation", 7, folder)
        compare_projections("magic04", 10, folder)
        print("\nlinkage of 2000 points against SciPy")
        compare_linkage(folder)
