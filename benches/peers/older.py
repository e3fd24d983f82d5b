"""Peers of the mixture model, k-means on labels, evidence accumulation, voting and the graph methods: packages, and voting, of
which there is none, from its equations.

What a function gets and gives is said in later.py.
"""

import time

import numpy as np
from hot import LINKS, Hot, cut_tree, information, mean_nmi, members
from peer import ENSEMBLECLUSTERING, FASTCLUSTER, NUMPY, SCIKIT_LEARN, Peer, Steps
from scipy import sparse

# Of mm: as many as both make before either could be at its end.
ITERATIONS = 20


def stepmix(table, clusters, seed, measurement="categorical", **settings):
    import warnings

    from stepmix.stepmix import StepMix

    warnings.filterwarnings("ignore")
    quiet = {"verbose": 0, "progress_bar": 0}
    return StepMix(clusters, measurement=measurement, abs_tol=0, random_state=seed, **quiet, **settings).fit(table)


def mm_by_stepmix(table, clusters, restarts=None, seed=1):
    """As many starts as conclave's, ended by the same rule."""
    model = stepmix(table, clusters, seed, n_init=restarts or 10, max_iter=2000, rel_tol=1e-10)
    return model.predict(table), model.score(table) * len(table), None


def iteration_of_stepmix(table, clusters, seed):
    started = time.thread_time()
    model = stepmix(table, clusters, seed, n_init=1, max_iter=ITERATIONS, rel_tol=0)
    return (time.thread_time() - started) / model.n_iter_


def within(hot, labels):
    """The sum of squares of one-hot rows within clusters."""
    inside = (hot.sparse.T @ members(labels)).toarray()
    return hot.codes.size - (inside**2 / np.bincount(labels)).sum()


def explained(hot, labels):
    """Σ_j U(π_C, π_j): the variance that is not within clusters."""
    return (within(hot, np.zeros(hot.objects, int)) - within(hot, labels)) / hot.objects


def k_means(restarts, objective):
    """k-means on one-hot rows from random ones. That features are centred for qmi changes nothing, and single precision is
    enough for zeros and ones."""

    def run(table, clusters, seed=1, **given):
        from sklearn.cluster import KMeans

        rows = Hot(table).dense().astype(np.float32)
        starts = given.get("restarts") or restarts
        model = KMeans(clusters, init="random", n_init=starts, max_iter=1000, tol=0, algorithm="lloyd", random_state=seed)
        model.fit(rows)
        return model.labels_, None, lambda found: objective(Hot(table), np.unique(found, return_inverse=True)[1])

    return run


def eac(link):
    def run(table, clusters, **_):
        hot = Hot(table)
        one = hot.dense()
        return cut_tree(one @ one.T / hot.columns, link, clusters)

    return run


def reference(hot, clusters):
    """The base clustering with the highest mean NMI with the others, among those with K clusters or, failing that, more."""
    sizes = np.array(hot.sizes)
    fits = [sizes == clusters, sizes > clusters, sizes == sizes.max()]
    shared = information(hot)
    entropy = np.sqrt(shared.diagonal())
    agreement = (shared / entropy[:, None] / entropy).sum(axis=1)
    return np.where(next(fit for fit in fits if fit.any()), agreement, -np.inf).argmax()


def merged(hot, column, clusters):
    """Base clusters of the reference × labels: those above K are united, the pair with the highest mean co-association first."""
    groups = np.eye(hot.sizes[column])
    of_reference = hot.overlaps()[hot.column_of == column]
    while len(groups) > clusters:
        profiles = groups @ of_reference
        size = profiles[:, hot.column_of == column].sum(axis=1)
        together = profiles @ profiles.T / size[:, None] / size
        np.fill_diagonal(together, -1)
        one, other = np.unravel_index(together.argmax(), together.shape)
        groups[one] += groups[other]
        groups = np.delete(groups, other, axis=0)
    return groups.T


def voting(table, clusters, **_):
    from scipy.optimize import linear_sum_assignment

    hot = Hot(table)
    column = reference(hot, clusters)
    overlaps = hot.overlaps()[:, hot.column_of == column] @ merged(hot, column, clusters)
    votes = np.zeros_like(overlaps)
    for first, size in zip(hot.starts, hot.sizes):
        own = overlaps[first : first + size]
        choice = own.argmax(axis=1)
        cluster, label = linear_sum_assignment(own, maximize=True)
        kept = own[cluster, label] > 0
        choice[cluster[kept]] = label[kept]
        votes[first + np.arange(size), choice] = own.max(axis=1) > 0
    labels = (hot.sparse @ votes).argmax(axis=1)
    return labels, mean_nmi(hot, labels), None


# Graphs.


def cut_of_graph(hot, labels):
    """Σ of the similarities of objects in different parts."""
    inside = hot.sparse.T @ members(labels)
    return ((hot.sparse.sum(axis=0) ** 2).sum() - (inside.toarray() ** 2).sum()) / 2 / hot.columns


def cut_hyperedges(hot, labels):
    """Base clusters with objects in more than one part."""
    parts = ((hot.sparse.T @ members(labels)).toarray() > 0).sum(axis=1)
    return int((parts > 1).sum())


def mend_ensembleclustering():
    """ClusterEnsembles.py, line 68, `val.toarray()`, crashes with SciPy from 1.11 on: there lil_matrix.getrow (line 64) gives
    a CSR matrix, whose elements (line 67) are no longer a sparse matrix, and it converts the whole matrix for every row.
    lil_array still has the getrow that lil_matrix had until 1.10, which mends both."""
    sparse.lil_matrix.getrow = sparse.lil_array.getrow


def by_ensembleclustering(method, objective):
    def run(table, clusters, seed=1, **_):
        import ensembleclustering

        mend_ensembleclustering()
        labels = ensembleclustering.cluster_ensembles(table.T.astype(float), clusters, solver=method, random_state=seed)
        return labels, None, lambda found: objective(Hot(table), np.unique(found, return_inverse=True)[1])

    return run


def hgpa_by_kahypar(table, clusters, seed=1, **_):
    """KaHyPar's own preset for cuts; ensembleclustering calls it with another."""
    from hypergraph import partition

    labels = partition(table, clusters, seed)
    return labels, None, lambda found: cut_hyperedges(Hot(table), np.unique(found, return_inverse=True)[1])


STEPMIX = (("stepmix",), ("stepmix.stepmix",))
KAHYPAR = (("kahypar",), ("kahypar", "hypergraph"))
EM_ITERATION = Steps(
    "EM iteration", iteration_of_stepmix, {"restarts": 1, "start": "uniform", "tolerance": 0, "iterations": ITERATIONS}
)

PEERS = {
    "mm": [Peer("StepMix", mm_by_stepmix, STEPMIX, EM_ITERATION)],
    "qmi": [Peer("scikit-learn", k_means(10, explained), SCIKIT_LEARN)],
    "kmeans": [Peer("scikit-learn", k_means(1, within), SCIKIT_LEARN)],
    "voting": [Peer("NumPy", voting, NUMPY)],
    **{f"eac-{short}": [Peer("NumPy", eac(link), FASTCLUSTER)] for short, link in LINKS.items()},
    "cspa": [Peer("ensembleclustering", by_ensembleclustering("cspa", cut_of_graph), ENSEMBLECLUSTERING)],
    "hgpa": [
        Peer("ensembleclustering", by_ensembleclustering("hgpa", cut_hyperedges), ENSEMBLECLUSTERING),
        Peer("KaHyPar", hgpa_by_kahypar, KAHYPAR),
    ],
    "mcla": [Peer("ensembleclustering", by_ensembleclustering("mcla", mean_nmi), ENSEMBLECLUSTERING)],
    "hbgf": [Peer("ensembleclustering", by_ensembleclustering("hbgf", mean_nmi), ENSEMBLECLUSTERING)],
}
