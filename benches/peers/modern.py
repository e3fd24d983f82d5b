"""The methods that weigh, link or walk over base clusters, and their neighbours: conclave against peers on the same tables of
labels, in the same run, one thread each.

Peers are packages where there are any: ensembleclustering for `nmf`, scikit-learn for `sec` (weighted k-means) and `aspect`
(NMF with the Kullback-Leibler loss has the same likelihood). "NumPy" is the method written down from its equations with
NumPy, SciPy and, for the links, fastcluster; it works on objects, not on distinct rows, where the equations do. With
`--checkouts DIR`, the authors' MATLAB code runs in Octave too (with its package statistics), and the Python port of it:
DIR then has some of LWEA_LWGP, PTA_PTGP, WEAC_GPMGLA, ECPCS (github.com/huangdonghere), Pepelka (github.com/nejci) and
py-cluster-ensemble (github.com/HeWenjun824699). Nothing of them is in this project. The authors' functions for pta-*, weac-*
and wct-* make all three links at once; their time is for the three.

    benches/peers/run modern                   time and agreement, 500 to 100,000 objects, with and without equal rows
    benches/peers/run modern lwea sec          only these methods
    benches/peers/run modern --agree           agreement alone, on many small tables where methods differ from the truth
    benches/peers/run modern --largest         the largest number of objects that each finishes in 60 s and 8 GB
    benches/peers/run modern --checkouts DIR   also the authors' code

conclave's seconds are those of its JSON answer, a peer's the CPU seconds of its function, without reading: the fastest of
three runs where these are short. (conclave's are wall-clock time; on a busy machine the CPU seconds of the whole command
stand for them where these are fewer.) "ARI" is between the two answers. "height" or "objective" has what both report of their own answer: that tells
ties (equal heights, other answers) and random starts from errors. "ours there" is the objective of conclave's answer
computed by the peer: it equals conclave's own where both optimise the same thing in the same space.
"""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import types
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from scipy import sparse

CONCLAVE = os.environ.get("CONCLAVE", "target/release/conclave")
COLUMNS, CLUSTERS = 20, 5
SECONDS, GIGABYTES = 60, 8
# Reading, and what a peer imports.
ALLOWANCE = 40
# Wall-clock time in which that much CPU time should be had.
PATIENCE = 3
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ["OMP", "OPENBLAS", "MKL", "RAYON"]}
OUT_OF_MEMORY = ["MemoryError", "bad_alloc", "memory allocation", "out of memory", "Unable to allocate"]

PAIRS = [
    *["lwea", "pta-al", "pta-cl", "pta-sl", "ptgp", "wct-al", "wct-cl", "wct-sl"],
    *["weac-al", "weac-cl", "weac-sl", "ecpcs-hc"],
]
LINEAR = ["lwgp", "tcut", "gp-mgla", "kcc", "sec", "ecpcs-mc", "nmf", "cumulative-voting", "aspect"]
LINKS = {"al": "average", "cl": "complete", "sl": "single"}


# Tables of labels.


def distinct_rows(distinct, rng):
    """Noisy copies of a truth of five clusters, as in consensus.py, no two of them equal."""
    found = np.empty((0, COLUMNS), np.int8)
    keys = np.empty(0, np.int64)
    digits = CLUSTERS ** np.arange(COLUMNS, dtype=np.int64)
    while len(found) < distinct:
        wanted = max(100, distinct + distinct // 4 - len(found))
        truth = rng.integers(0, CLUSTERS, wanted)
        noisy = rng.random((wanted, COLUMNS)) < 0.3
        rows = np.where(noisy, rng.integers(0, CLUSTERS, (wanted, COLUMNS)), truth[:, None]).astype(np.int8)
        keys = np.concatenate([keys, rows @ digits])
        found = np.concatenate([found, rows])
        _, first = np.unique(keys, return_index=True)
        first.sort()
        keys, found = keys[first], found[first]
    return found[:distinct]


def planted(objects, distinct, seed=1):
    """`objects` rows, `distinct` of them different; some rows are there more often than others."""
    rng = np.random.default_rng(seed)
    rows = distinct_rows(distinct, rng)
    which = (distinct * rng.random(objects) ** 2).astype(int)
    which[:distinct] = np.arange(distinct)
    return rows[rng.permutation(which)] if distinct < objects else rows


def cells(seed, objects=300, columns=12):
    """Points of six overlapping normal clusters in the plane, each base clustering the cells of 4 to 12 of them: base
    clusterings of different sizes, some equal rows, and answers that are not the truth."""
    rng = np.random.default_rng([3, seed])
    kind = rng.integers(0, 6, objects)
    points = rng.normal(0, 3, (6, 2))[kind] + rng.normal(0, 1, (objects, 2))
    table = []
    for _ in range(columns):
        centres = points[rng.choice(objects, rng.integers(4, 13), replace=False)]
        table.append(((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1))
    return np.stack(table, axis=1).astype(np.int8)


def write_csv(table, path):
    header = ",".join(f"c{column}" for column in range(table.shape[1]))
    if table.max() < 10:
        text = np.full((len(table), 2 * table.shape[1]), ord(","), np.uint8)
        text[:, ::2] = table + ord("0")
        text[:, -1] = ord("\n")
        path.write_bytes(header.encode() + b"\n" + text.tobytes())
    else:
        np.savetxt(path, table, fmt="%d", delimiter=",", header=header, comments="")


# The methods from their equations. Each gives labels, the objective that conclave reports, and, where that is a function of the
# labels, the function.


class Hot:
    """Objects × base clusters."""

    def __init__(self, table):
        self.objects, self.columns = table.shape
        codes = [np.unique(column, return_inverse=True)[1] for column in table.T]
        self.sizes = [code.max() + 1 for code in codes]
        offsets = np.cumsum([0, *self.sizes[:-1]])
        self.count = sum(self.sizes)
        self.codes = np.stack(codes, axis=1) + offsets
        self.column_of = np.repeat(np.arange(self.columns), self.sizes)
        starts = np.arange(0, self.codes.size + 1, self.columns, dtype=np.int32)
        ones = np.ones(self.codes.size)
        self.sparse = sparse.csr_array(
            (ones, self.codes.ravel().astype(np.int32), starts), shape=(self.objects, self.count)
        )

    def dense(self):
        return self.sparse.toarray()

    def overlaps(self):
        return (self.sparse.T @ self.sparse).toarray()

    def jaccard(self):
        both = self.overlaps()
        size = both.diagonal()
        return both / (size[:, None] + size - both)


def cut_tree(similarity, link, clusters):
    """The tree of 1 − similarity with its last merges undone, and the height of the last that stays."""
    import fastcluster
    from scipy.spatial.distance import squareform

    count = len(similarity)
    np.subtract(1, similarity, out=similarity)
    np.fill_diagonal(similarity, 0)
    distances = squareform(similarity, checks=False)
    del similarity
    tree = fastcluster.linkage(distances, link, preserve_input=False)
    kept = count - clusters
    made = np.repeat(np.arange(count, count + kept), 2)
    merged = tree[:kept, :2].astype(int).ravel()
    graph = sparse.coo_array((np.ones(2 * kept), (made, merged)), shape=(count + kept, count + kept))
    labels = sparse.csgraph.connected_components(graph, directed=False)[1][:count]
    return labels, tree[kept - 1, 2], None


def certainty(hot, theta=0.4):
    both = hot.overlaps()
    share = both / both.diagonal()[:, None]
    entropy = -(share * np.log2(share, out=np.zeros_like(share), where=share > 0)).sum(axis=1)
    return np.exp(-entropy / (theta * hot.columns))


def lwea(table, clusters, **_):
    hot = Hot(table)
    one = hot.dense()
    return cut_tree((one * certainty(hot)) @ one.T / hot.columns, "average", clusters)


def agreement_of_columns(hot, power=2):
    """(CAI / max CAI)^β: the mean nmi-max with the others."""
    joint = hot.overlaps() / hot.objects
    share = joint.diagonal()
    logs = np.log(share)
    terms = np.where(joint > 0, joint * (np.log(np.where(joint > 0, joint, 1)) - logs[:, None] - logs), 0)
    starts = np.cumsum([0, *hot.sizes[:-1]])
    information = np.add.reduceat(np.add.reduceat(terms, starts, axis=0), starts, axis=1)
    entropy = information.diagonal()
    shared = information / np.maximum(entropy[:, None], entropy)
    index = (shared.sum(axis=1) - 1) / (hot.columns - 1)
    return (index / index.max()) ** power


def weac(link):
    def run(table, clusters, **_):
        hot = Hot(table)
        weights = agreement_of_columns(hot)
        one = hot.dense()
        return cut_tree((one * weights[hot.column_of]) @ one.T / weights.sum(), link, clusters)

    return run


def of_one_column(hot, similarity):
    """A similarity of base clusters, 0 between those of different base clusterings, 1 on the diagonal."""
    kept = np.where(hot.column_of[:, None] == hot.column_of, similarity, 0)
    np.fill_diagonal(kept, 1)
    return kept


def wct(link, decay=0.8):
    def run(table, clusters, **_):
        hot = Hot(table)
        weights = hot.jaccard()
        np.fill_diagonal(weights, 0)
        triples = np.stack([np.minimum(row, weights).sum(axis=1) for row in weights])
        triples = np.where(hot.column_of[:, None] == hot.column_of, triples, 0)
        np.fill_diagonal(triples, 0)
        one = hot.dense()
        linked = of_one_column(hot, decay * triples / triples.max())
        return cut_tree((one @ linked) @ one.T / hot.columns, link, clusters)

    return run


def cosines_of_walks(steps_of, count):
    """Σ_s P^s (P^s)ᵀ with its diagonal made 1, of a dense walk made longer by `steps_of`."""
    walk = steps_of(None)
    total = walk @ walk.T
    for _ in range(count - 1):
        walk = steps_of(walk)
        total += walk @ walk.T
    root = np.sqrt(total.diagonal())
    root[root == 0] = np.inf
    return total / root[:, None] / root


def propagated(hot, steps=20):
    weights = hot.jaccard()
    np.fill_diagonal(weights, 0)
    degrees = weights.sum(axis=1)
    walk = weights / np.where(degrees > 0, degrees, 1)[:, None]
    return cosines_of_walks(lambda longer: walk if longer is None else longer @ walk, steps)


def ecpcs_hc(table, clusters, **_):
    hot = Hot(table)
    one = hot.dense()
    return cut_tree((one @ of_one_column(hot, propagated(hot))) @ one.T / hot.columns, "average", clusters)


def rotated(vectors, first):
    """Yu & Shi 2003: the nearest 0/1 matrix to a rotation of the eigenvectors."""
    rows, clusters = vectors.shape
    rotation = np.zeros((clusters, clusters))
    rotation[:, 0] = vectors[first]
    angles = np.zeros(rows)
    for column in range(1, clusters):
        angles += abs(vectors @ rotation[:, column - 1])
        rotation[:, column] = vectors[angles.argmin()]
    last = 0
    for _ in range(21):
        labels = (vectors @ rotation).argmax(axis=1)
        left, singular, right = np.linalg.svd(np.eye(clusters)[labels].T @ vectors)
        distance = 2 * (rows - singular.sum())
        if abs(distance - last) < np.finfo(float).eps:
            break
        last, rotation = distance, right.T @ left.T
    return labels, distance


def ecpcs_mc(table, clusters, restarts=None, seed=1):
    hot = Hot(table)
    similarity = propagated(hot)
    similarity[similarity < 1e-6] = 0
    degrees = similarity.sum(axis=1) + 1
    np.fill_diagonal(similarity, similarity.diagonal() + 0.5)
    root = 1 / np.sqrt(degrees)
    vectors = root[:, None] * largest_eigenvectors(root[:, None] * similarity * root, clusters)
    vectors /= np.linalg.norm(vectors, axis=0)
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    firsts = np.random.default_rng(seed).permutation(hot.count)[: restarts or 1]
    found, distance = min((rotated(vectors, first) for first in firsts), key=lambda both: both[1])
    share = np.eye(clusters)[found]
    share /= np.maximum(share.sum(axis=0), 1)
    return (hot.sparse @ share).argmax(axis=1), distance, None


def largest_eigenvectors(matrix, clusters):
    from scipy.linalg import eigh

    last = len(matrix) - 1
    return eigh((matrix + matrix.T) / 2, subset_by_index=[last - clusters + 1, last])[1]


def transfer_cut(graph, clusters, restarts, seed, objects=None):
    """Li, Wu & Chang 2012, then k-means from a row and again and again the farthest one."""
    degrees = np.asarray(graph.sum(axis=1)).ravel()
    degrees[degrees == 0] = 1e-10
    scaled = sparse.diags_array(1 / degrees) @ graph
    small = graph.T @ scaled
    small = small.toarray() if sparse.issparse(small) else small
    root = 1 / np.sqrt(small.sum(axis=1))
    space = scaled @ (root[:, None] * largest_eigenvectors(root[:, None] * small * root, clusters))
    space = np.asarray(space)[:objects]
    space /= np.linalg.norm(space, axis=1)[:, None] + 1e-10
    firsts = np.random.default_rng(seed).permutation(len(space))[: restarts or 1]
    found = min((farthest_first(space, clusters, first) for first in firsts), key=lambda both: both[1])
    return *found, lambda labels: within(space, labels)


def within(space, labels):
    total = 0.0
    for label in np.unique(labels):
        rows = space[labels == label]
        total += ((rows - rows.mean(axis=0)) ** 2).sum()
    return total


def farthest_first(space, clusters, first):
    centres = [space[first]]
    nearest = ((space - centres[0]) ** 2).sum(axis=1)
    for _ in range(1, clusters):
        centres.append(space[nearest.argmax()])
        nearest = np.minimum(nearest, ((space - centres[-1]) ** 2).sum(axis=1))
    centres = np.array(centres)
    labels = None
    while True:
        moved = ((centres**2).sum(axis=1) - 2 * space @ centres.T).argmin(axis=1)
        if labels is not None and (moved == labels).all():
            return labels, within(space, labels)
        labels = moved
        member = np.eye(clusters)[labels]
        size = member.sum(axis=0)
        centres = np.where(size[:, None] > 0, (member.T @ space) / np.maximum(size, 1)[:, None], centres)


def tcut(table, clusters, restarts=None, seed=1):
    return transfer_cut(Hot(table).sparse, clusters, restarts, seed)


def lwgp(table, clusters, restarts=None, seed=1):
    hot = Hot(table)
    return transfer_cut(hot.sparse * certainty(hot), clusters, restarts, seed)


def gp_mgla(table, clusters, restarts=None, seed=1, alpha=0.5):
    hot = Hot(table)
    weights = agreement_of_columns(hot)[hot.column_of]
    links = hot.jaccard()
    shared = np.stack([np.minimum(row, links) @ weights for row in links])
    shared /= shared.max()
    np.fill_diagonal(shared, 1)
    graph = sparse.vstack([alpha * hot.sparse * weights, sparse.csr_array(shared)]).tocsr()
    return transfer_cut(graph, clusters, restarts, seed, hot.objects)


def trajectories(table, cap=20):
    """Distinct rows, the row of each object, and the similarity of the rows."""
    rows, row_of, size = np.unique(table, axis=0, return_inverse=True, return_counts=True)
    one = Hot(rows).dense()
    count = len(rows)
    reach = max(1, min(int(np.sqrt(count) / 2), cap))
    similarity = np.rint(one @ one.T)
    np.fill_diagonal(similarity, 0)
    least = np.partition(similarity, count - reach, axis=1)[:, count - reach]
    similarity[similarity < least[:, None]] = 0
    similarity = np.maximum(similarity, similarity.T) * size
    degrees = similarity.sum(axis=1)
    alone = degrees == 0
    similarity /= np.where(alone, 1, degrees)[:, None]
    walk = sparse.csc_array(similarity)
    found = cosines_of_walks(lambda longer: similarity if longer is None else longer @ walk, reach)
    found[alone] = 1e-20
    found[:, alone] = 1e-20
    return rows, row_of.ravel(), found


def pta(link):
    def run(table, clusters, **_):
        _, row_of, similarity = trajectories(table)
        labels, height, _ = cut_tree(similarity, link, clusters)
        return labels[row_of], height, None

    return run


def ptgp(table, clusters, restarts=None, seed=1):
    rows, row_of, similarity = trajectories(table)
    one = Hot(rows).dense()
    labels, objective, score = transfer_cut(similarity @ one / one.sum(axis=0), clusters, restarts, seed)
    _, first = np.unique(row_of, return_index=True)
    return labels[row_of], objective, lambda ours: score(np.asarray(ours)[first])


def kcc(table, clusters, restarts=None, seed=1):
    """Utility h: k-means with the distance −log2 of the shares of labels."""
    hot = Hot(table)
    rng = np.random.default_rng(seed)

    def distances(shares):
        return hot.sparse @ -np.log2(shares.T + np.finfo(float).eps)

    def centre(labels):
        member = sparse.csr_array((np.ones(hot.objects), (labels, np.arange(hot.objects))), shape=(clusters, hot.objects))
        size = np.bincount(labels, minlength=clusters)
        shares = (member @ hot.sparse).toarray() / np.maximum(size, 1)[:, None]
        for empty in np.flatnonzero(size == 0):
            shares[empty] = hot.sparse[[rng.integers(hot.objects)]].toarray()[0]
        return shares

    best, least = None, np.inf
    for _ in range(restarts or 5):
        shares = hot.sparse[rng.choice(hot.objects, clusters, replace=False)].toarray()
        kept, last = None, np.inf
        for _ in range(20):
            apart = distances(shares)
            labels = apart.argmin(axis=1)
            total = apart[np.arange(hot.objects), labels].sum()
            if total > last - 1e-5:
                break
            kept, last, shares = labels, total, centre(labels)
        if last < least:
            best, least = kept, last

    def score(labels):
        labels = np.unique(labels, return_inverse=True)[1]
        return distances(centre(labels))[np.arange(hot.objects), labels].sum()

    return best, score(best), score


def sec_by_scikit_learn(table, clusters, restarts=None, seed=1):
    from sklearn.cluster import KMeans

    hot = Hot(table)
    weights = hot.sparse @ hot.sparse.sum(axis=0)
    rows = sparse.csr_matrix(hot.sparse)
    rows.data = np.repeat(1 / weights, hot.columns)
    model = KMeans(clusters, init="random", n_init=restarts or 5, max_iter=100, tol=0, algorithm="lloyd", random_state=seed)
    model.fit(rows, sample_weight=weights)

    def score(labels):
        total = rows.multiply(rows).sum(axis=1).A1 @ weights
        for label in np.unique(labels):
            inside = labels == label
            weight = weights[inside]
            total -= (np.asarray(weight @ rows[inside]) ** 2).sum() / weight.sum()
        return total

    return model.labels_, score(model.labels_), score


def explained(hot, factor, scale):
    """‖W‖² − ‖W − Q S Qᵀ‖² of the co-association W, which is never formed."""
    into = factor.T @ (hot.sparse @ (hot.sparse.T @ factor)) / hot.columns
    gram = factor.T @ factor
    return 2 * (into.diagonal() * scale).sum() - np.einsum("i,ij,j,ij->", scale, gram, scale, gram)


def nmf(table, clusters, restarts=None, seed=1):
    hot = Hot(table)
    transposed = hot.sparse.T.tocsr()
    rng = np.random.default_rng(seed)
    best, most = None, -np.inf
    for _ in range(restarts or 1):
        factor, scale = rng.random((hot.objects, clusters)), rng.random(clusters)
        for _ in range(200):
            into = hot.sparse @ (transposed @ (factor * scale)) / hot.columns
            factor *= np.sqrt(into / (factor @ (factor.T @ into) + 1e-8))
            gram = factor.T @ factor
            into = (factor * (hot.sparse @ (transposed @ factor))).sum(axis=0) / hot.columns
            scale *= np.sqrt(into / ((gram * gram) @ scale + 1e-8))
        value = explained(hot, factor, scale)
        if value > most:
            best, most = (factor * np.sqrt(scale)).argmax(axis=1), value
    return best, most, None


def nmf_by_ensembleclustering(table, clusters, seed=1, **_):
    import ensembleclustering

    labels = ensembleclustering.cluster_ensembles(table.T.astype(float), clusters, solver="nmf", random_state=seed)
    return labels, None, None


def cumulative_voting(table, clusters, **_):
    hot = Hot(table)
    share = hot.overlaps().diagonal() / hot.objects
    starts = np.cumsum([0, *hot.sizes[:-1]])
    entropy = np.add.reduceat(-share * np.log(share), starts)
    enough = np.array(hot.sizes) >= min(clusters, max(hot.sizes))
    reference = np.where(enough, entropy, -1).argmax()
    here = np.flatnonzero(hot.column_of == reference)
    votes = hot.overlaps()[:, here] / (share * hot.objects)[:, None]
    joint = (hot.sparse @ votes / hot.columns / hot.objects).T.copy()

    def spread(mass):
        """Σ_x p(x, c) ln(p(x, c) / p(c))"""
        return (mass * np.log(np.where(mass > 0, mass, 1))).sum(axis=-1) - mass.sum(axis=-1) * np.log(mass.sum(axis=-1))

    while len(joint) > clusters:
        own = spread(joint)
        losses = [
            (own[one] + own[other] - spread(joint[one] + joint[other]), one, other)
            for one in range(len(joint))
            for other in range(one)
        ]
        _, one, other = min(losses)
        joint[other] += joint[one]
        joint = np.delete(joint, one, axis=0)
    information = spread(joint).sum() - np.log(1 / hot.objects)
    return joint.argmax(axis=0), information, None


def aspect(table, clusters, restarts=None, seed=1):
    """EM of P(x, C) = Σ_z P(z) P(x | z) P(C | z), with P(x, z) and P(C | z)."""
    hot = Hot(table)
    rng = np.random.default_rng(seed)
    total = hot.codes.size
    best, most = None, -np.inf
    for _ in range(restarts or 5):
        joint = rng.random((hot.objects, clusters))
        joint /= joint.sum()
        shares = rng.random((clusters, hot.count))
        shares /= shares.sum(axis=1)[:, None]
        last = -np.inf
        for _ in range(500):
            model = np.einsum("xz,zxm->xm", joint, shares[:, hot.codes])
            likelihood = np.log(model).sum()
            if likelihood - last < 1e-7 * abs(likelihood):
                break
            last = likelihood
            ratio = hot.sparse.copy()
            ratio.data = 1 / model.ravel()
            new = joint * (ratio @ shares.T)
            shares = shares * (ratio.T @ joint).T
            joint = new / total
            shares /= shares.sum(axis=1)[:, None]
        if likelihood > most:
            best, most = joint.argmax(axis=1), likelihood
    return best, most, None


def aspect_by_scikit_learn(table, clusters, restarts=None, seed=1):
    from sklearn.decomposition import NMF

    hot = Hot(table)
    data = sparse.csr_matrix(hot.sparse)
    best, most = None, -np.inf
    for start in range(restarts or 5):
        chance = 1000 * seed + start
        model = NMF(
            clusters, init="random", solver="mu", beta_loss="kullback-leibler", max_iter=500, tol=1e-7, random_state=chance
        )
        left, right = model.fit_transform(data), model.components_
        left = left * right.sum(axis=1)
        right = right / right.sum(axis=1)[:, None]
        mass = np.einsum("xz,zxm->xm", left / left.sum(), right[:, hot.codes])
        likelihood = np.log(mass).sum()
        if likelihood > most:
            best, most = left.argmax(axis=1), likelihood
    return best, most, None


# Other people's code.


def by_octave(folder, statements):
    """MATLAB statements that make `label` out of the table `E` (labels from 1) and the number of clusters `k`."""

    def limit():
        # Octave does not end at the soft limit.
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 5, SECONDS + 6))

    def run(table, clusters, **_):
        from scipy.io import loadmat, savemat

        shims = {
            # What is only there as compiled code: entries below a bound dropped, D W D, and a symmetric product.
            "sparsifyc": "function W = sparsifyc(W, least)\nW(abs(W) <= least) = 0;\nW = sparse(W);\nend\n",
            "spmtimesd": "function W = spmtimesd(W, l, r)\nW = diag(sparse(l)) * W * diag(sparse(r));\nend\n",
            "mex_w_times_x_symmetric": "function y = mex_w_times_x_symmetric(x, L)\n"
            "y = L * x + L' * x - full(diag(L)) .* x;\nend\n",
            # Octave's does not hand on the matrix to the function.
            "eigs": "function [V, D, flag] = eigs(f, n, k, which, options, L)\n"
            "[V, D] = eig(full(L + L' - diag(diag(L))));\n[d, at] = sort(diag(D), 'descend');\n"
            "V = V(:, at(1:k)); D = diag(d(1:k)); flag = 0;\nend\n",
        }
        with tempfile.TemporaryDirectory() as name:
            scratch = Path(name)
            for function, text in shims.items():
                (scratch / f"{function}.m").write_text(text)
            codes = np.stack([np.unique(column, return_inverse=True)[1] + 1 for column in table.T], axis=1)
            savemat(scratch / "table.mat", {"E": codes.astype(float), "k": float(clusters)})
            program = (
                f"pkg load statistics; warning('off', 'all'); addpath('{folder}');"
                f"addpath('{folder}/Ncut'); addpath('{scratch}');"
                f"load('{scratch}/table.mat'); t = cputime; evalc(\"{statements}\"); seconds = cputime - t;"
                f"label = double(label(:)); save('-v6', '{scratch}/answer.mat', 'label', 'seconds');"
            )
            done = subprocess.run(
                ["octave-cli", "--no-gui", "--eval", program], capture_output=True, text=True, preexec_fn=limit
            )
            if not (scratch / "answer.mat").exists():
                raise RuntimeError("out of time" if done.returncode < 0 else f"Octave: {done.stderr.strip()[-100:]}")
            answer = loadmat(scratch / "answer.mat")
        return Timed(answer["label"].ravel().astype(int), float(answer["seconds"].item()))

    return run


class Timed:
    """Labels from a program that took its own time."""

    def __init__(self, labels, seconds):
        self.labels, self.seconds = labels, seconds


def octave_peers(folder):
    reach = "r = max(1, min(20, floor(sqrt(size(D, 1)) / 2))); p.K = r; p.T = r;"
    walks = (
        f"[D, L] = computeMicroclusters(E); {reach} S = computePTS_fast_v3(computeMCA(D), L, p);"
        "[al, cl, sl] = runPTA_v2(S, k);"
    )
    weighted = "w = getNCAI(E) .^ 2; [sl, cl, al] = weac(E, w, k);"
    linked = "C = clHC(cts(E, 0.8), k);"
    segments = "[b, S] = getAllSegs(E); w = computeECI(b, S, 0.4);"
    known = {
        "LWEA_LWGP": {
            "lwea": f"{segments} label = runLWEA(computeLWCA(S, w, size(E, 2)), k);",
            "lwgp": f"{segments} label = runLWGP(b, S, w, k);",
            "tcut": "[b, S] = getAllSegs(E); label = runLWGP(b, S, ones(size(S, 1), 1), k);",
        },
        "PTA_PTGP": {
            **{f"pta-{link}": f"{walks} label = mapMicroclustersBackToObjects({link}, L);" for link in LINKS},
            "ptgp": f"[D, L] = computeMicroclusters(E); {reach} S = computePTS_fast_v3(computeMCA(D), L, p);"
            "label = mapMicroclustersBackToObjects(runPTGP_v2(D, S, k), L);",
        },
        "WEAC_GPMGLA": {
            **{f"weac-{link}": f"{weighted} label = {link};" for link in LINKS},
            "gp-mgla": "label = gpmgla(E, getNCAI(E) .^ 2, k, 0.5);",
        },
        "ECPCS": {"ecpcs-hc": "label = ECPCS_HC(E, k);", "ecpcs-mc": "label = ECPCS_MC(E, k);"},
        "Pepelka/methods/LCE/orig": {
            f"wct-{link}": f"{linked} label = C(:, {column});" for column, link in enumerate(["sl", "cl", "al"], start=1)
        },
    }
    return {
        method: by_octave(folder / name, statements)
        for name, methods in known.items()
        if (folder / name).is_dir()
        for method, statements in methods.items()
    }


def port_peers(folder):
    """py-cluster-ensemble without what it imports for other things."""
    source = folder / "py-cluster-ensemble" / "src" / "pce"
    if not source.is_dir():
        return {}
    for name in ["pce", "pce.consensus"]:
        module = types.ModuleType(name)
        module.__path__ = [str(source / name.removeprefix("pce").replace(".", "/").lstrip("/"))]
        sys.modules[name] = module

    def core(name, call):
        def run(table, clusters, restarts=None, seed=1):
            from importlib import import_module

            np.random.seed(seed)
            function = getattr(import_module(f"pce.consensus.methods.{name}_core"), f"{name}_core")
            codes = np.stack([np.unique(column, return_inverse=True)[1] + 1 for column in table.T], axis=1)
            return np.asarray(call(function, codes, clusters, restarts)).ravel(), None, None

        return run

    def plain(function, table, clusters, _):
        return function(table, clusters)

    return {
        "lwea": core("lwea", plain),
        "lwgp": core("lwgp", plain),
        "tcut": core("usenc", plain),
        **{f"pta-{link}": core(f"pta{link}", plain) for link in LINKS},
        "ptgp": core("ptgp", plain),
        "ecpcs-hc": core("ecpcs_hc", lambda function, table, clusters, _: function(table, 20, clusters)),
        "ecpcs-mc": core("ecpcs_mc", lambda function, table, clusters, _: function(table, 20, clusters)),
        "kcc": core(
            "kcc_uh",
            lambda function, table, clusters, restarts: function(
                table, clusters, np.ones(table.shape[1]), rep=restarts or 5, max_iter=20
            ),
        ),
    }


def peers_of(method, checkouts):
    numpy = {
        "lwea": lwea,
        "lwgp": lwgp,
        "tcut": tcut,
        "ptgp": ptgp,
        "gp-mgla": gp_mgla,
        "kcc": kcc,
        "ecpcs-hc": ecpcs_hc,
        "ecpcs-mc": ecpcs_mc,
        "nmf": nmf,
        "cumulative-voting": cumulative_voting,
        "aspect": aspect,
        **{f"pta-{short}": pta(link) for short, link in LINKS.items()},
        **{f"wct-{short}": wct(link) for short, link in LINKS.items()},
        **{f"weac-{short}": weac(link) for short, link in LINKS.items()},
    }
    packages = {
        "nmf": {"ensembleclustering": nmf_by_ensembleclustering},
        "sec": {"scikit-learn": sec_by_scikit_learn},
        "aspect": {"scikit-learn": aspect_by_scikit_learn},
    }
    found = dict(packages.get(method, {}))
    if method in numpy:
        found["NumPy"] = numpy[method]
    if checkouts:
        folder = Path(checkouts).resolve()
        for name, peers in [("authors, Octave", octave_peers(folder)), ("py-cluster-ensemble", port_peers(folder))]:
            if method in peers:
                found[name] = peers[method]
    return found


# Running them.


class NoAnswer(Exception):
    """Why a program has none."""


def answer_as_peer(request):
    """In a process of its own: writes the answer for a table into a file."""
    request = json.loads(request)
    table = np.load(request["table"])
    run = peers_of(request["method"], request["checkouts"])[request["peer"]]
    Hot(table[:10])
    if request["starts"]:
        found = [run(table, request["clusters"], restarts=1, seed=seed)[1] for seed in range(request["starts"])]
        print(json.dumps({"seconds": 0, "objectives": [float(value) for value in found]}))
        return
    limit = GIGABYTES << 30
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    fastest = np.inf
    for attempt in range(3):
        spent = resource.getrusage(resource.RUSAGE_SELF)
        hard = int(spent.ru_utime + spent.ru_stime) + SECONDS + 5
        resource.setrlimit(resource.RLIMIT_CPU, (hard, resource.RLIM_INFINITY))
        # Once its CPU time is limited, the clock of the process ticks in milliseconds; that of the thread is exact.
        started = time.thread_time()
        found = run(table, request["clusters"], restarts=request["restarts"])
        seconds = time.thread_time() - started
        if isinstance(found, Timed):
            seconds, found = found.seconds, (found.labels, None, None)
        fastest = min(fastest, seconds)
        if seconds > 1 or request["once"]:
            break
    labels, objective, score = found
    ours = None
    if score and request["ours"]:
        ours = float(score(np.load(request["ours"])))
    np.save(request["answer"], np.asarray(labels))
    print(json.dumps({"seconds": fastest, "objective": None if objective is None else float(objective), "ours": ours}))


def ask_peer(method, peer, folder, clusters, restarts=None, once=False, ours=None, checkouts=None, starts=0):
    request = {
        **{"method": method, "peer": peer, "table": str(folder / "table.npy"), "answer": str(folder / "answer.npy")},
        **{"clusters": clusters, "restarts": restarts, "once": once, "checkouts": checkouts, "ours": ours, "starts": starts},
    }
    runs = 1 if once else 3
    try:
        done = subprocess.run(
            [sys.executable, __file__, "peer", json.dumps(request)],
            capture_output=True,
            text=True,
            env=os.environ | ONE_THREAD,
            timeout=PATIENCE * (runs * SECONDS + ALLOWANCE),
        )
    except subprocess.TimeoutExpired:
        raise NoAnswer(f"> {SECONDS} s") from None
    if done.returncode:
        if -done.returncode in (signal.SIGXCPU, signal.SIGKILL) or "out of time" in done.stderr:
            raise NoAnswer(f"> {SECONDS} s")
        if any(sign in done.stderr for sign in OUT_OF_MEMORY):
            raise NoAnswer(f"> {GIGABYTES} GB")
        raise NoAnswer(f"failed: {(done.stderr.strip().splitlines() or [''])[-1][:100]}")
    answer = json.loads(done.stdout.splitlines()[-1])
    if answer["seconds"] > SECONDS:
        raise NoAnswer(f"> {SECONDS} s")
    return answer if starts else answer | {"labels": np.load(folder / "answer.npy")}


def ask_conclave(method, folder, clusters, params=(), once=False, seed=1):
    command = [CONCLAVE, "consensus", str(folder / "table.csv"), "--method", method, "-k", str(clusters), "--json"]
    command += ["--seed", str(seed)]
    for name, value in params:
        command += ["--param", f"{name}={value}"]

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + ALLOWANCE, SECONDS + ALLOWANCE))

    fastest = None
    for _ in range(3):
        before = children_seconds()
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                env=os.environ | ONE_THREAD,
                timeout=PATIENCE * (SECONDS + ALLOWANCE),
                preexec_fn=limit,
            )
        except subprocess.TimeoutExpired:
            raise NoAnswer(f"> {SECONDS} s") from None
        if done.returncode:
            if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
                raise NoAnswer(f"> {SECONDS} s")
            if any(sign in done.stderr for sign in OUT_OF_MEMORY):
                raise NoAnswer(f"> {GIGABYTES} GB")
            raise NoAnswer(f"failed: {done.stderr.strip()[-100:]}")
        answer = json.loads(done.stdout)
        answer["seconds"] = min(answer["seconds"], children_seconds() - before)
        if answer["seconds"] > SECONDS:
            raise NoAnswer(f"> {SECONDS} s")
        if fastest is None or answer["seconds"] < fastest["seconds"]:
            fastest = answer
        if answer["seconds"] > 1 or once:
            break
    fastest["labels"] = np.array(fastest["labels"])
    return fastest


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def put(table, folder):
    np.save(folder / "table.npy", table)
    write_csv(table, folder / "table.csv")


# What is printed.


def number(value, digits=6):
    return "" if value is None else f"{value:.{digits}g}"


def print_row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def print_head(*cells):
    print_row(*cells)
    print_row(*["---"] * len(cells))


def print_versions(checkouts):
    names = ["numpy", "scipy", "fastcluster", "scikit-learn", "ensembleclustering"]
    found = [subprocess.run([CONCLAVE, "--version"], capture_output=True, text=True).stdout.strip()]
    found.append(f"Python {sys.version.split()[0]}")
    for name in names:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    if checkouts:
        octave = subprocess.run(["octave-cli", "--version"], capture_output=True, text=True).stdout.splitlines()
        found.append(octave[0] if octave else "no Octave")
    print(", ".join(found) + "\n", flush=True)


def adjusted_rand(one, other):
    from sklearn.metrics import adjusted_rand_score

    return adjusted_rand_score(one, other)


def times(methods, folder, checkouts, sizes):
    print_head(
        *["method", "peer", "N", "distinct", "conclave s", "peer s", "ratio", "ARI"],
        *["objective, conclave", "peer", "ours there"],
    )
    silent = set()
    for method in methods:
        inputs = [(objects, distinct) for objects in sizes for distinct in [objects, max(objects // 10, CLUSTERS)]]
        if method in PAIRS:
            inputs = [(objects, distinct) for objects, distinct in inputs if objects <= 10_000]
        for objects, distinct in inputs:
            distinct = 1_000 if distinct < objects == 100_000 else distinct
            put(planted(objects, distinct), folder)
            try:
                ours = ask_conclave(method, folder, CLUSTERS)
                np.save(folder / "ours.npy", ours["labels"])
                mine, value = f"{ours['seconds']:.3g}", number(ours["objective"]["value"])
            except NoAnswer as why:
                ours, mine, value = None, str(why), ""
            for peer in peers_of(method, checkouts):
                start = [f"`{method}`", peer, f"{objects:,}", f"{distinct:,}", mine]
                kind = (method, peer, distinct == objects)
                try:
                    if kind in silent:
                        raise NoAnswer("not tried")
                    labels = str(folder / "ours.npy") if ours else None
                    theirs = ask_peer(method, peer, folder, CLUSTERS, ours=labels, checkouts=checkouts)
                except NoAnswer as why:
                    silent.add(kind)
                    print_row(*start, why, "", "", value, "", "")
                    continue
                if ours is None:
                    print_row(*start, f"{theirs['seconds']:.3g}", "", "", value, number(theirs["objective"]), "")
                    continue
                print_row(
                    *start,
                    f"{theirs['seconds']:.3g}",
                    f"{theirs['seconds'] / ours['seconds']:.3g}",
                    f"{adjusted_rand(ours['labels'], theirs['labels']):.3f}",
                    value,
                    number(theirs["objective"]),
                    number(theirs["ours"]),
                )


# More starts on both sides, so that what is left are differences in what is optimised.
MANY = {method: 30 for method in ["lwgp", "tcut", "gp-mgla", "ptgp", "kcc", "sec", "nmf"]} | {"aspect": 10}
# The objective is a function of the labels.
JUDGED = ["lwgp", "tcut", "gp-mgla", "ptgp", "kcc"]
MORE_IS_BETTER = ["nmf", "aspect", "cumulative-voting"]


def agree(methods, folder, checkouts, tables):
    print_head(
        *["method", "peer", "tables", "same answer", "mean ARI", "least ARI"],
        *["objective: largest relative difference", "conclave better", "peer better", "ours there: largest difference"],
    )
    clusters = 6
    for method in methods:
        params = [("restarts", MANY[method])] if method in MANY else []
        if method == "kcc":
            params += [("iterations", 100)]
        for peer in peers_of(method, checkouts):
            own = list(params)
            if peer == "py-cluster-ensemble" and method.startswith("pt"):
                own += [("cap", 0)]
            scores, apart, better, worse, there, failed = [], [], 0, 0, [], None
            for seed in range(tables):
                put(cells(seed), folder)
                ours = ask_conclave(method, folder, clusters, own, once=True)
                np.save(folder / "ours.npy", ours["labels"])
                try:
                    theirs = ask_peer(
                        *[method, peer, folder, clusters, MANY.get(method), True, str(folder / "ours.npy"), checkouts]
                    )
                except NoAnswer as why:
                    failed = why
                    break
                scores.append(adjusted_rand(ours["labels"], theirs["labels"]))
                value = ours["objective"]["value"]
                if theirs["objective"] is None and method in JUDGED:
                    np.save(folder / "theirs.npy", theirs["labels"])
                    theirs["objective"] = ask_peer(
                        method, "NumPy", folder, clusters, once=True, ours=str(folder / "theirs.npy")
                    )["ours"]
                if theirs["objective"] is not None:
                    gap = value / theirs["objective"] - 1
                    apart.append(abs(gap))
                    gap *= 1 if method in MORE_IS_BETTER else -1
                    gap *= -1 if value < 0 else 1
                    better += gap > 1e-9
                    worse += gap < -1e-9
                if theirs["ours"] is not None:
                    there.append(abs(theirs["ours"] / value - 1))
            if failed:
                print_row(f"`{method}`", peer, failed, *[""] * 7)
                continue
            print_row(
                *[f"`{method}`", peer, tables, sum(score > 1 - 1e-9 for score in scores)],
                *[f"{np.mean(scores):.4f}", f"{min(scores):.4f}"],
                *([f"{max(apart):.1e}", better, worse] if apart else [""] * 3),
                f"{max(there):.1e}" if there else "",
            )


def starts(methods, folder, count):
    """Whether single starts of both come to objectives of the same distribution, where they draw theirs alike."""
    from scipy.stats import mannwhitneyu

    print(f"\nObjectives of {count} single starts of each on one table, and Mann and Whitney's test of them.\n")
    print_head("method", "peer", "conclave: least", "median", "most", "peer: least", "median", "most", "p")
    put(cells(0), folder)
    for method in [method for method in methods if method in MANY or method == "ecpcs-mc"]:
        params = [("restarts", 1)] if method in MANY else []
        mine = [
            ask_conclave(method, folder, 6, params, once=True, seed=seed)["objective"]["value"] for seed in range(count)
        ]
        for peer in peers_of(method, None):
            if peer == "ensembleclustering":
                continue
            try:
                theirs = ask_peer(method, peer, folder, 6, once=True, starts=count)["objectives"]
            except NoAnswer as why:
                print_row(f"`{method}`", peer, *[""] * 6, why)
                continue
            digits = 8 - int(np.log10(abs(np.median(mine))))
            p = mannwhitneyu(np.round(mine, digits), np.round(theirs, digits)).pvalue
            shown = [number(value) for side in [mine, theirs] for value in np.quantile(side, [0, 0.5, 1])]
            print_row(f"`{method}`", peer, *shown, f"{p:.2g}")


def largest(methods, folder, checkouts):
    print(f"The largest number of objects, all different, that is done in {SECONDS} s and {GIGABYTES} GB.\n")
    print_head("method", "program", "largest N", "seconds", "next N", "why not")
    steps = [500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000]
    made = [None]

    def ready(objects):
        if made[0] != objects:
            put(planted(objects, objects), folder)
            made[0] = objects

    for method in methods:
        for program in ["conclave", *peers_of(method, checkouts)]:
            done, seconds, why, last = 0, None, "", ""
            for objects in steps:
                # Time grows at least with N: where a step cannot be done, it is not tried.
                if seconds and seconds * objects / done > 2 * SECONDS:
                    why, last = f"> {SECONDS} s, by the time of the step before", f"{objects:,}"
                    break
                ready(objects)
                try:
                    if program == "conclave":
                        answer = ask_conclave(method, folder, CLUSTERS, once=True)
                    else:
                        answer = ask_peer(method, program, folder, CLUSTERS, once=True, checkouts=checkouts)
                except NoAnswer as reason:
                    why, last = str(reason), f"{objects:,}"
                    break
                done, seconds = objects, answer["seconds"]
            print_row(f"`{method}`", program, f"{done:,}", number(seconds, 3), last, why)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", metavar="METHOD", help="all of them where none is named")
    parser.add_argument("--agree", action="store_true", help="agreement alone, on small tables")
    parser.add_argument("--largest", action="store_true", help="the largest number of objects of each")
    parser.add_argument("--checkouts", metavar="DIR", help="where the authors' code is")
    parser.add_argument("--tables", type=int, default=20, help="how many small tables (20)")
    parser.add_argument("--sizes", default="500,2000,10000,100000", help="numbers of objects (500,2000,10000,100000)")
    given = parser.parse_args()
    unknown = set(given.methods) - {*PAIRS, *LINEAR}
    if unknown:
        parser.error(f"no such method: {', '.join(sorted(unknown))}; there are {', '.join([*PAIRS, *LINEAR])}")
    methods = given.methods or [*PAIRS, *LINEAR]
    print_versions(given.checkouts)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if given.agree:
            agree(methods, folder, given.checkouts, given.tables)
            starts(methods, folder, 5 * given.tables)
        elif given.largest:
            largest(methods, folder, given.checkouts)
        else:
            times(methods, folder, given.checkouts, [int(size) for size in given.sizes.split(",")])


if __name__ == "__main__":
    if sys.argv[1:2] == ["peer"]:
        answer_as_peer(sys.argv[2])
    else:
        main()
