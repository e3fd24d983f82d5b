"""Graph methods: conclave's cspa, hgpa, mcla and hbgf against the PyPI package ensembleclustering 1.0.2, on the same
label files, in the same run, one thread each.

The peer's seconds are the CPU seconds of `cluster_ensembles` alone, and "cut" those it spends inside METIS or KaHyPar: the
rest is its Python. conclave's are the `seconds` of its JSON answer, and "command" the whole command. All are the
fastest of the runs, ARI is the mean over them: one run for each ensemble of an input, with a seed of its own. (The peer
passes no seed to METIS, so its cspa and hbgf differ between ensembles only.)

    benches/peers/run graph           everything, about 20 minutes
    benches/peers/run graph own       the peer's own inputs: its tests' two, and those its test-data script makes
    benches/peers/run graph bundled   k-means and noisy-truth ensembles of bundled datasets
    benches/peers/run graph sizes     500 to 100,000 objects, with many and with almost no equal rows
    benches/peers/run graph magic04   cspa on 19,020 objects
"""

import json
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
from frame import CONCLAVE, GIGABYTES, OUT_OF_MEMORY, NoAnswer

METHODS = ["cspa", "hgpa", "mcla", "hbgf"]
COLUMNS = 20
SECONDS = 60
GOAL = 20


# The peer, in a process of its own with limited memory.


def answer_as_peer(method, clusters, paths):
    """Prints the peer's answers for label files as lines of JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))
    # CPU seconds, so that a busy machine does not take them from the peer.
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * len(paths), SECONDS * len(paths)))
    import kahypar
    import pymetis
    from older import mend_ensembleclustering

    mend_ensembleclustering()
    import ensembleclustering

    # Once its CPU time is limited, the clock of the process ticks in milliseconds; that of the thread is exact.
    inside = []

    def timed(function):
        def call(*arguments, **named):
            started = time.thread_time()
            result = function(*arguments, **named)
            inside.append(time.thread_time() - started)
            return result

        return call

    pymetis.part_graph, kahypar.partition = timed(pymetis.part_graph), timed(kahypar.partition)
    for seed, path in enumerate(paths, start=1):
        labels = pd.read_csv(path).to_numpy(float).T
        started = time.thread_time()
        found = ensembleclustering.cluster_ensembles(labels, clusters, solver=method, random_state=seed)
        seconds = time.thread_time() - started
        print(json.dumps({"seconds": seconds, "cut": inside.pop(), "labels": found.tolist()}), flush=True)


def peer(paths, method, clusters):
    command = [sys.executable, __file__, "peer", method, str(clusters), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
        raise NoAnswer(f"no answer in {SECONDS} s")
    if any(sign in done.stderr + done.stdout for sign in OUT_OF_MEMORY):
        raise NoAnswer(f"out of memory at {GIGABYTES} GB")
    last = (done.stderr.strip().splitlines() or [""])[-1]
    raise NoAnswer(f"failed with {done.returncode} {last[:60]}")


def conclave(path, method, clusters, seed):
    """The answer, with the CPU seconds of the whole command. Those bound the method's own `seconds` from above, which
    are wall-clock time and grow when the machine is busy; short commands run three times, the fastest counts."""
    command = [CONCLAVE, "consensus", str(path), "--method", method, "-k", str(clusters), "--seed", str(seed), "--json"]
    fastest = None
    for _ in range(3):
        before = children_seconds()
        answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        whole = children_seconds() - before
        answer |= {"command": whole, "seconds": min(answer["seconds"], whole)}
        if fastest is None or answer["seconds"] < fastest["seconds"]:
            fastest = answer
        if whole > 1:
            break
    return fastest


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


# Inputs.


@dataclass
class Input:
    """Ensembles of one kind: label files with a truth each."""

    name: str
    clusters: int
    paths: list = field(default_factory=list)
    truths: list = field(default_factory=list)

    def add(self, path, table, truth):
        table.to_csv(path, index=False)
        self.paths.append(path)
        self.truths.append(truth)

    def shape(self):
        table = pd.read_csv(self.paths[0])
        return len(table), len(table.drop_duplicates())


def columns_of(base_clusterings):
    return pd.DataFrame({f"c{j}": labels for j, labels in enumerate(base_clusterings)})


def own_inputs(folder):
    """What ensembleclustering/tests has: seven objects, test data of 1,000, and the script that made the latter, with
    other seeds. The script's truth is the k-means clustering of the first two of eight features."""
    import ensembleclustering
    from sklearn.cluster import KMeans

    seven = Input("tests: 7 objects", 3)
    gaps = [1, 2, np.nan, 1, 2, np.nan, np.nan]
    table = columns_of([[1, 1, 1, 2, 2, 3, 3], [2, 2, 2, 3, 3, 1, 1], [4, 4, 2, 2, 3, 3, 3], gaps]).astype("Int64")
    for run in range(5):
        seven.add(folder / f"seven{run}.csv", table, [1, 1, 1, 2, 2, 3, 3])

    stored = Input("tests: data", 5)
    data = Path(ensembleclustering.__file__).parent / "tests" / "data"
    table = columns_of(np.loadtxt(data / "base_clusters.csv", delimiter=",", dtype=int))
    truth = np.loadtxt(data / "label_true.csv", delimiter=",", dtype=int)
    for run in range(5):
        stored.add(folder / f"stored{run}.csv", table, truth)

    made = Input("tests: data script", 5)
    for seed in range(5):
        rng = np.random.RandomState(seed)
        normals = np.vstack([rng.normal(loc, 1.0, 1600).reshape(200, 8) for loc in [-9.0, -4.5, 0, 4.5, 9.0]])
        normals = normals[rng.permutation(len(normals))]
        pairs = [normals[:, first : first + 2] for first in range(0, 8, 2)]
        labels = [KMeans(5, random_state=rng).fit(pair).labels_ for pair in pairs]
        made.add(folder / f"made{seed}.csv", columns_of(labels[1:]), labels[0])
    return [seven, stored, made]


def generated(name, dataset, clusters, folder, runs, generator, class_column="class", **params):
    """Ensembles that conclave makes, one for each run."""
    kind = Input(name, clusters)
    for seed in range(1, runs + 1):
        path = folder / f"{Path(dataset).stem} {name} {seed}.csv"
        command = [CONCLAVE, "ensemble", str(dataset), "--generator", generator, "--size", str(COLUMNS)]
        for key, value in params.items():
            command += ["--param", f"{key}={value}"]
        command += ["--seed", str(seed), "--class", class_column, "--output", str(path)]
        subprocess.run(command, check=True)
        table = pd.read_csv(path)
        kind.add(path, table.drop(columns=class_column), pd.factorize(table[class_column])[0])
    return kind


def bundled_inputs(folder):
    for dataset, classes in [("iris", 3), ("wine", 3), ("wdbc", 2), ("segmentation", 7)]:
        runs = 3 if dataset == "segmentation" else 5
        yield generated(f"{dataset} k-means", dataset, classes, folder, runs, "kmeans")
        yield generated(f"{dataset} noisy 30%", dataset, classes, folder, runs, "noisy-truth", noise=0.3)


def points(objects, folder):
    """Five overlapping normal clusters in eight dimensions, their shares 10 to 30 per cent."""
    rng = np.random.default_rng(objects)
    kind = rng.choice(5, objects, p=[0.1, 0.15, 0.2, 0.25, 0.3])
    data = rng.normal(0, 3, (5, 8))[kind] + rng.normal(0, 1.5, (objects, 8))
    path = folder / f"points{objects}.csv"
    pd.DataFrame(data, columns=list("abcdefgh")).assign(kind=[f"k{value}" for value in kind]).to_csv(path, index=False)
    return path


def sized_inputs(folder):
    for objects in [500, 2_000, 5_000, 20_000, 100_000]:
        path = points(objects, folder)
        runs = 3 if objects <= 2_000 else 1
        yield generated("5-means", path, 5, folder, runs, "kmeans", "kind", k=5)
        yield generated("1-d 10-means", path, 5, folder, runs, "projection", "kind", k=10)


# The table.


def mean_ari(kind, answers):
    from sklearn.metrics import adjusted_rand_score

    return np.mean([adjusted_rand_score(truth, answer["labels"]) for truth, answer in zip(kind.truths, answers)])


class Table:
    """Prints a line for every method and input, and in the end where the goal is missed."""

    def __init__(self):
        self.silent = set()
        self.rows = defaultdict(list)
        print(
            f"{'method':6} {'input':20} {'K':>2} {'N':>6} {'distinct':>8} | {'peer s':>8} {'its cut':>8} | {'ours s':>8}"
            f" {'command':>8} | {'ratio':>7} {'of cut':>7} | {'peer ARI':>8} {'ours':>6}"
        )

    def compare(self, kind, methods=METHODS):
        objects, distinct = kind.shape()
        for method in methods:
            ours = [conclave(path, method, kind.clusters, seed) for seed, path in enumerate(kind.paths, start=1)]
            our_ari = mean_ari(kind, ours)
            mine, command = (min(answer[key] for answer in ours) for key in ["seconds", "command"])
            start = f"{method:6} {kind.name:20} {kind.clusters:2} {objects:6} {distinct:8} |"
            try:
                if (kind.name, method) in self.silent:
                    raise NoAnswer("not tried, see fewer objects")
                theirs = peer(kind.paths, method, kind.clusters)
            except NoAnswer as why:
                self.silent.add((kind.name, method))
                print(f"{start} peer: {why}; ours {mine:.4f} s, command {command:.3f} s, ARI {our_ari:.3f}", flush=True)
                continue
            ari = mean_ari(kind, theirs)
            seconds, cut = (min(answer[key] for answer in theirs) for key in ["seconds", "cut"])
            print(
                f"{start} {seconds:8.3f} {cut:8.4f} | {mine:8.4f} {command:8.3f} | {seconds / mine:6.0f}x {cut / mine:6.1f}x |"
                f" {ari:8.3f} {our_ari:6.3f}",
                flush=True,
            )
            self.rows[method].append((kind.name, objects, seconds / mine, ari, our_ari))

    def summary(self):
        print(f"\ngoal: at least the peer's mean ARI, {GOAL} times faster")
        for method, rows in self.rows.items():
            slow = [f"{name} N={objects} ({ratio:.1f}x)" for name, objects, ratio, _, _ in rows if ratio < GOAL]
            worse = [f"{name} N={objects} ({mine - ari:+.3f})" for name, objects, _, ari, mine in rows if mine < ari - 5e-4]
            peers, ours = (np.mean([row[position] for row in rows]) for position in [3, 4])
            print(f"  {method}: mean ARI {ours:.3f}, peer {peers:.3f}; inputs {len(rows)}")
            print(f"    slower than the goal: {', '.join(slow) or 'none'}")
            print(f"    lower ARI: {', '.join(worse) or 'none'}")


def main(parts):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = Table()
        inputs = {"own": own_inputs, "bundled": bundled_inputs, "sizes": sized_inputs}
        for part, make in inputs.items():
            if part in parts:
                for kind in make(folder):
                    table.compare(kind)
        if "magic04" in parts:
            table.compare(generated("magic04 k-means", "magic04", 2, folder, 1, "kmeans"), ["cspa"])
        table.summary()


if __name__ == "__main__":
    if sys.argv[1:2] == ["peer"]:
        method, clusters, *paths = sys.argv[2:]
        answer_as_peer(method, int(clusters), paths)
    else:
        main(sys.argv[1:] or ["own", "bundled", "sizes", "magic04"])
