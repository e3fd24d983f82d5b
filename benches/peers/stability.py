"""`choose-k` against R's ConsensusClusterPlus (Debian: r-bioc-consensusclusterplus), on the same clusterings of subsamples.

    benches/peers/run stability [DATASET…]

`conclave ensemble` writes the clusterings that `choose-k` says it makes; R counts M and has ConsensusClusterPlus make the CDF,
its areas and their growth of it, and its own ecdf the PAC. Then both are timed on whole questions: ConsensusClusterPlus with
k-means on subsamples, which has no references, against `choose-k` with 19 of them.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CONCLAVE = os.environ.get("CONCLAVE", "target/release/conclave")
DRAWS, LARGEST = 100, 8
# R's kmeans begins with random objects, too.
START = "start=points"
SCRIPT = Path(__file__).with_name("stability.R")


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def ours(dataset, references):
    began = time.perf_counter()
    words = ["--draws", DRAWS, "--max-k", LARGEST, "--references", references, "--threads", 1, "--param", START, "--json"]
    found = json.loads(run(CONCLAVE, "choose-k", dataset, *words))
    return found, time.perf_counter() - began


def theirs(dataset):
    with tempfile.TemporaryDirectory() as folder:
        for k in range(2, LARGEST + 1):
            params = [f"--param={pair}" for pair in (f"k={k}", "resample=subsample", "share=0.8", START)]
            output = Path(folder) / f"{k}.csv"
            run(CONCLAVE, "ensemble", dataset, "--generator", "kmeans", "--size", DRAWS, *params, "--output", output)
        lines = [line.split() for line in run("Rscript", SCRIPT, folder).splitlines()]
    return {int(words[0]): [float(word) for word in words[1:]] for words in lines}


def their_seconds(dataset):
    """ConsensusClusterPlus from features to areas, as its users call it."""
    code = f"""
        suppressMessages(library(ConsensusClusterPlus))
        data <- read.csv("datasets/{dataset}.csv")
        features <- t(as.matrix(data[, -ncol(data)]))
        pdf(NULL)
        began <- proc.time()[[3]]
        ConsensusClusterPlus(features, maxK={LARGEST}, reps={DRAWS}, pItem=0.8, clusterAlg="km", distance="euclidean",
                             seed=1, plot=NULL, verbose=FALSE)
        cat("seconds", proc.time()[[3]] - began)
    """
    return float(run("Rscript", "-e", code).rsplit("seconds", 1)[1])


def main(datasets):
    print("| dataset | k | area: ours, R | Δ: ours, R | PAC: ours, R | reference PAC | RCSI |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    largest, told = 0.0, []
    for dataset in datasets:
        (found, seconds), peer = ours(dataset, 19), theirs(dataset)
        for count in found["counts"]:
            own, other = [count[key] for key in ("area", "delta", "pac")], peer[count["k"]]
            largest = max(largest, *(abs(one - two) for one, two in zip(own, other)))
            pairs = " | ".join(f"{one:.4f}, {two:.4f}" for one, two in zip(own, other))
            print(f"| {dataset} | {count['k']} | {pairs} | {count['reference_pac']:.4f} | {count['rcsi']:.2f} |")
        told.append((dataset, found["k"], found["p"], seconds, their_seconds(dataset)))
    print(f"\nLargest difference: {largest:.1e}\n")
    print("| dataset | recommended k | p | choose-k with 19 references, s | ConsensusClusterPlus, no references, s |")
    print("|---|---:|---:|---:|---:|")
    for dataset, k, p, seconds, their in told:
        print(f"| {dataset} | {k} | {p:.2f} | {seconds:.2f} | {their:.2f} |")
    if largest > 1e-9:
        sys.exit("the two do not agree")


main(sys.argv[1:] or ["iris", "wine", "wdbc", "ionosphere"])
