"""Hypergraph cuts: conclave's HGPA against KaHyPar 1.3.7 on the same ensembles, K and imbalance (5 %).

Instances are noisy copies of a planted clustering, written as label tables. Both sides are one run with one seed. Cuts
are counted here for KaHyPar and by the program for conclave; "free" is the number of base clusters that stay whole.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import kahypar
import numpy as np

PROGRAM = "target/release/examples/hypergraph_cut"
IMBALANCE = 0.05

# KaHyPar's direct K-way preset for the cut objective. Its defaults ignore hyperedges of more than 1,000 pins and thin out
# large ones, which most base clusters are, so both are off. The i-bp-* keys have no defaults in 1.3.7.
CONFIG = """
mode=direct
objective=cut
seed=1
cmaxnet=-1
vcycles=0
p-use-sparsifier=false
p-detect-communities=true
p-detect-communities-in-ip=true
p-reuse-communities=false
p-max-louvain-pass-iterations=100
p-min-eps-improvement=0.0001
p-louvain-edge-weight=hybrid
c-type=ml_style
c-s=1
c-t=160
c-rating-score=heavy_edge
c-rating-use-communities=true
c-rating-heavy_node_penalty=no_penalty
c-rating-acceptance-criterion=best_prefer_unmatched
c-fixed-vertex-acceptance-criterion=fixed_vertex_allowed
i-mode=recursive
i-technique=multi
i-c-type=ml_style
i-c-s=1
i-c-t=150
i-c-rating-score=heavy_edge
i-c-rating-use-communities=true
i-c-rating-heavy_node_penalty=no_penalty
i-c-rating-acceptance-criterion=best_prefer_unmatched
i-c-fixed-vertex-acceptance-criterion=fixed_vertex_allowed
i-algo=pool
i-runs=20
i-bp-algorithm=worst_fit
i-bp-heuristic-prepacking=false
i-bp-early-restart=true
i-bp-late-restart=true
i-r-type=twoway_fm
i-r-runs=-1
i-r-fm-stop=simple
i-r-fm-stop-i=50
r-type=kway_fm_hyperflow_cutter
r-runs=-1
r-fm-stop=adaptive_opt
r-fm-stop-alpha=1
r-fm-stop-i=350
r-flow-execution-policy=exponential
r-hfc-size-constraint=mf-style
r-hfc-scaling=16
r-hfc-distance-based-piercing=true
r-hfc-mbc=true
"""

# objects, classes = K, base clusterings, clusters in each, share of random labels
INSTANCES = [
    (150, 3, 20, 3, 0.0),
    (150, 3, 20, 3, 0.01),
    (150, 3, 20, 3, 0.05),
    (150, 3, 10, 3, 0.2),
    (150, 2, 20, 4, 0.02),
    (150, 5, 20, 10, 0.02),
    (210, 7, 10, 7, 0.05),
    (300, 10, 10, 10, 0.01),
    (300, 2, 20, 8, 0.01),
    (300, 4, 20, 8, 0.005),
    (400, 4, 50, 4, 0.002),
    (400, 2, 30, 20, 0.02),
    (500, 5, 20, 15, 0.01),
    (600, 3, 20, 3, 0.01),
    (600, 6, 20, 12, 0.005),
    (800, 2, 20, 10, 0.002),
    (800, 8, 10, 16, 0.01),
    (1000, 10, 20, 10, 0.001),
    (1000, 4, 20, 20, 0.01),
    (1500, 3, 20, 30, 0.005),
    (1500, 5, 20, 5, 0.1),
    (2000, 2, 20, 2, 0.001),
    (2000, 10, 20, 10, 0.0005),
    (2000, 10, 20, 40, 0.01),
]


def ensemble(objects, classes, columns, clusters, noise, seed):
    """Classes of different sizes; each base clustering cuts them up in its own way and mislabels some objects."""
    rng = np.random.default_rng(seed)
    position = (rng.choice(classes, objects, p=rng.dirichlet(np.full(classes, 20))) + rng.random(objects)) / classes
    labels = np.empty((objects, columns), dtype=int)
    for column in range(columns):
        # Boundaries near the even ones, so that clusters follow the classes when there are as many.
        even = np.arange(1, clusters) / clusters
        jitter = 0 if clusters == classes else rng.uniform(-0.3, 0.3, clusters - 1) / clusters
        labels[:, column] = np.searchsorted(even + jitter, position)
        wrong = rng.random(objects) < noise
        labels[wrong, column] = rng.integers(0, clusters, wrong.sum())
    return labels


def hyperedges(labels):
    columns = [labels[:, column] for column in range(labels.shape[1])]
    edges = [np.flatnonzero(codes == code) for codes in columns for code in np.unique(codes)]
    return [edge.tolist() for edge in edges if len(edge) > 1], sum(len(np.unique(codes)) for codes in columns)


def partition(labels, parts, seed=1):
    """KaHyPar's part of every object."""
    edges, _ = hyperedges(labels)
    starts = np.cumsum([0, *map(len, edges)]).tolist()
    graph = kahypar.Hypergraph(len(labels), len(edges), starts, [pin for edge in edges for pin in edge], parts)
    context = kahypar.Context()
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as config:
        config.write(CONFIG)
        config.flush()
        context.loadINIconfiguration(config.name)
    context.setK(parts)
    context.setSeed(seed)
    context.setEpsilon(IMBALANCE)
    context.suppressOutput(True)
    kahypar.partition(graph, context)
    return np.array([graph.blockID(vertex) for vertex in range(len(labels))])


def peer(labels, parts):
    """KaHyPar's cut, largest part and milliseconds."""
    started = time.perf_counter()
    part_of = partition(labels, parts)
    milliseconds = 1000 * (time.perf_counter() - started)
    cut = sum(len(np.unique(part_of[edge])) > 1 for edge in hyperedges(labels)[0])
    return cut, int(np.bincount(part_of).max()), milliseconds


def conclave(program, path, parts):
    """Our cut, largest part and milliseconds."""
    printed = subprocess.run([program, str(path), str(parts)], check=True, capture_output=True, text=True).stdout
    cut, largest, milliseconds = printed.split()
    return int(cut), int(largest), float(milliseconds)


def main(program):
    ratios = []
    header = f"{'N':>5} {'K':>3} {'M':>3} {'J':>3} {'noise':>6} {'edges':>6}"
    print(f"{header} {'conclave':>9} {'KaHyPar':>8} {'ratio':>6} {'free':>9} {'largest':>11} {'ms':>15}")
    with tempfile.TemporaryDirectory() as folder:
        for seed, (objects, classes, columns, clusters, noise) in enumerate(INSTANCES):
            labels = ensemble(objects, classes, columns, clusters, noise, seed)
            path = Path(folder) / f"labels{seed}.csv"
            names = ",".join(f"c{column}" for column in range(columns))
            np.savetxt(path, labels, fmt="%d", delimiter=",", header=names, comments="")
            edges = hyperedges(labels)[1]
            ours, our_largest, our_ms = conclave(program, path, classes)
            theirs, their_largest, their_ms = peer(labels, classes)
            ratios.append((ours + 1) / (theirs + 1) if theirs == 0 else ours / theirs)
            print(
                f"{objects:5} {classes:3} {columns:3} {clusters:3} {noise:6} {edges:6} {ours:9} {theirs:8} {ratios[-1]:6.3f}"
                f" {edges - ours:4}/{edges - theirs:<4} {our_largest:5}/{their_largest:<5} {our_ms:7.1f}/{their_ms:<7.1f}",
                flush=True,
            )
    print(f"median ratio {statistics.median(ratios):.3f}, worst {max(ratios):.3f}, over {len(ratios)} ensembles")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else PROGRAM)
