#!/usr/bin/env python3
"""The Python package beside the others that PyPI has: digits, 20 k-means, one consensus.

    python3 -m venv target/python-peers
    target/python-peers/bin/pip install ./python scikit-learn pandas matplotlib networkx pymetis kahypar==1.3.7 hdbscan seaborn kneed tqdm
    target/python-peers/bin/pip install --no-deps ensembleclustering==1.0.2 OpenEnsembles consensusclustering
    target/python-peers/bin/python benches/peers/python_packages.py

hdbscan, seaborn, kneed and tqdm are what OpenEnsembles and consensusclustering import; the versions that OpenEnsembles asks for are of 2021
and are no longer built. Everybody gets the same 20 base clusterings of the 1,797 digits, k = 10, and a process of their own with a time limit; what crashes is
a row with the last line of what it said. consensusclustering takes no labels: it clusters the features itself, 20 times, on samples of
80 %. The time is that of the call, without imports, on the clock and of the processor; memory is the peak of the process over what it had before the call.
"""

import json
import resource
import subprocess
import sys
import time

import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

LIMIT = 300
K = 10


def base_clusterings(features):
    return np.column_stack([KMeans(K, n_init=1, random_state=run).fit_predict(features) for run in range(20)])


def conclave_by(method):
    def call(features, labels):
        import conclave

        return lambda: conclave.consensus(labels, method, K, seed=1).labels_

    return call


def ensembleclustering_by(solver):
    def call(features, labels):
        import ensembleclustering

        return lambda: ensembleclustering.cluster_ensembles(labels.T.astype(float), nclass=K, solver=solver)

    return call


def openensembles_by(finish):
    def call(features, labels):
        import openensembles
        import pandas

        data = openensembles.data(pandas.DataFrame(features), list(range(features.shape[1])))
        ensemble = openensembles.cluster(data)
        for place, column in enumerate(labels.T):
            name = f"kmeans_{place}"
            ensemble.labels[name] = column
            ensemble.params[name] = {"K": K}
            ensemble.data_source[name] = "parent"
            ensemble.clusterNumbers[name] = np.unique(column)
            ensemble.algorithms[name] = "kmeans"
        if finish == "mixture_model":
            return lambda: ensemble.mixture_model(K).labels["mixture_model"]
        if finish == "co_occ_linkage":
            return lambda: ensemble.finish_co_occ_linkage(0.5, "average").labels["co_occ_linkage"]
        return lambda: ensemble.finish_majority_vote().labels["majority_vote"]

    return call


def consensusclustering_by(_):
    def call(features, labels):
        from consensusclustering import ConsensusClustering

        def fit():
            model = ConsensusClustering(KMeans(n_init=1), min_clusters=K, max_clusters=K, n_resamples=20, resample_frac=0.8)
            model.fit(features)
            apart = 1 - np.asarray(model.consensus_k(K))
            return AgglomerativeClustering(K, metric="precomputed", linkage="average").fit_predict(apart)

        return fit

    return call


PACKAGES = {
    "conclave": (conclave_by, ["cspa", "hgpa", "mcla", "hbgf", "nmf", "mm", "voting", "eac-al", "lwea", "tcut"]),
    "ensembleclustering": (ensembleclustering_by, ["cspa", "hgpa", "mcla", "hbgf", "nmf"]),
    "OpenEnsembles": (openensembles_by, ["mixture_model", "co_occ_linkage", "majority_vote"]),
    "consensusclustering": (consensusclustering_by, ["Monti et al."]),
}


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def one(package, method):
    """A row of the table, in a process of its own."""
    features, classes = load_digits(return_X_y=True)
    labels = base_clusterings(features)
    make, _ = PACKAGES[package]
    call = make(method)(features, labels)
    before, started, worked = peak(), time.perf_counter(), time.process_time()
    found = np.asarray(call()).ravel()
    seconds, processor = time.perf_counter() - started, time.process_time() - worked
    print(json.dumps([seconds, processor, peak() - before, adjusted_rand_score(classes, found), len(np.unique(found))]))


def main():
    print("| package | method | seconds | processor s | MB | ARI | clusters |\n|---|---|---:|---:|---:|---:|---:|")
    for package, (_, methods) in PACKAGES.items():
        for method in methods:
            command = [sys.executable, __file__, package, method]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
            except subprocess.TimeoutExpired:
                print(f"| {package} | {method} | over {LIMIT} | | | | |")
                continue
            if done.returncode != 0:
                said = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
                print(f"| {package} | {method} | crashed: {said[:160]} | | | | |", flush=True)
                continue
            seconds, processor, megabytes, ari, clusters = json.loads(done.stdout.splitlines()[-1])
            print(f"| {package} | {method} | {seconds:.3f} | {processor:.3f} | {megabytes:.0f} | {ari:.3f} | {clusters} |", flush=True)


if __name__ == "__main__":
    one(*sys.argv[1:]) if len(sys.argv) > 1 else main()
