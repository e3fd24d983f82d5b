"""A label file in, a file of clusters out: whole programs side by side on the same file, in the same run, one thread each.

Wall and processor seconds and peak memory are those of the process, from start to end, with reading and writing; quality is
the ARI with the planted clusters. Peers: StepMix for `mm`, R's clue (soft least squares consensus, "SE") for `voting`
and `v-bce`. R is left out where it is not installed.

    benches/peers/run labels [OBJECTS]
"""

import csv
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CONCLAVE = "target/release/conclave"
COLUMNS, CLUSTERS = 20, 5

CLUE = """
suppressMessages(library(clue))
arguments <- commandArgs(trailingOnly = TRUE)
labels <- read.csv(arguments[1])
set.seed(1)
ensemble <- cl_ensemble(list = lapply(labels, as.cl_hard_partition))
consensus <- cl_consensus(ensemble, method = "SE", control = list(k = as.integer(arguments[3])))
write.csv(data.frame(cluster = as.integer(cl_class_ids(consensus)) - 1), arguments[2], row.names = FALSE)
"""


def stepmix(source, target, clusters, starts):
    import warnings

    import pandas as pd
    from stepmix.stepmix import StepMix

    warnings.filterwarnings("ignore")
    labels = pd.read_csv(source)
    model = StepMix(clusters, measurement="categorical", n_init=starts, verbose=0, progress_bar=0, random_state=1)
    model.fit(labels)
    pd.DataFrame({"cluster": model.predict(labels)}).to_csv(target, index=False)
    print(f"{model.score(labels) * len(labels):.3f}", file=sys.stderr)


def write(source, planted_to, objects, distinct, noise):
    """Noisy copies of five clusters: `objects` rows drawn from `distinct` different ones."""
    import numpy as np

    rng = np.random.default_rng(1)
    planted = rng.integers(0, CLUSTERS, distinct)
    noisy = rng.random((distinct, COLUMNS)) < noise
    rows = np.where(noisy, rng.integers(0, CLUSTERS, (distinct, COLUMNS)), planted[:, None])
    of = np.arange(objects) % distinct
    header = ",".join(f"c{column}" for column in range(COLUMNS))
    np.savetxt(source, rows[of], fmt="%d", delimiter=",", header=header, comments="")
    np.savetxt(planted_to, planted[of], fmt="%d", header="cluster", comments="")


def score(planted, found):
    from sklearn.metrics import adjusted_rand_score

    def clusters(path):
        with open(path, newline="") as file:
            return [row["cluster"] for row in csv.DictReader(file)]

    print(f"{adjusted_rand_score(clusters(planted), clusters(found)):.4f}")


def measured(command):
    """Runs a program; returns wall seconds, processor seconds, peak MB and what it wrote to standard error."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    words = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    if status != 0:
        raise SystemExit(f"{' '.join(map(str, command[:4]))} …: {words}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, words.strip()


def helper(*words):
    """One of the functions above in a process of its own: a child's peak memory is never below what its parent has, so
    the parent imports nothing large."""
    done = subprocess.run([sys.executable, __file__, *map(str, words)], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def conclave(source, target, method, *params):
    command = [CONCLAVE, "consensus", source, "--method", method, "-k", str(CLUSTERS), "--output", target]
    for param in params:
        command += ["--param", param]
    return command


def programs(source, target):
    this = [sys.executable, __file__]
    yield "conclave mm (default: 10 starts)", conclave(source, target, "mm")
    yield "conclave mm, 1 start", conclave(source, target, "mm", "restarts=1")
    yield "StepMix (default: 1 start)", [*this, "stepmix", source, target, str(CLUSTERS), "1"]
    yield "conclave voting", conclave(source, target, "voting")
    yield "conclave v-bce (default: 10 starts)", conclave(source, target, "v-bce")
    if shutil.which("Rscript"):
        yield "R clue, SE", ["Rscript", "-e", CLUE, source, target, str(CLUSTERS)]


def main(objects):
    if not shutil.which("Rscript"):
        print("R is not installed (Debian: r-base-core r-cran-clue): clue is left out")
    with tempfile.TemporaryDirectory() as folder:
        source, planted, target = (str(Path(folder) / f"{name}.csv") for name in ["labels", "planted", "clusters"])
        cases = [("1,000 distinct rows", min(objects, 1000), 0.3), ("nearly all rows differ", objects, 0.4)]
        for name, distinct, noise in cases:
            helper("write", source, planted, objects, distinct, noise)
            print(f"\n{objects} objects x {COLUMNS} columns, {name}")
            print(f"  {'':36} {'wall s':>8} {'CPU s':>8} {'MB':>7} {'ARI':>7}")
            for program, command in programs(source, target):
                wall, processor, memory, words = measured(command)
                ari = helper("score", planted, target)
                told = words.splitlines()[-1] if words else ""
                print(f"  {program:36} {wall:8.2f} {processor:8.2f} {memory:7.0f} {ari:>7}  {told}", flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["stepmix", source, target, clusters, starts]:
            stepmix(source, target, int(clusters), int(starts))
        case ["write", source, planted, objects, distinct, noise]:
            write(source, planted, int(objects), int(distinct), float(noise))
        case ["score", planted, found]:
            score(planted, found)
        case [objects]:
            main(int(objects))
        case _:
            main(100_000)
