"""Objects × base clusters, and what several methods make of it with NumPy and SciPy."""

import numpy as np
from scipy import sparse

LINKS = {"al": "average", "cl": "complete", "sl": "single"}


class Hot:
    """Objects × base clusters."""

    def __init__(self, table):
        self.objects, self.columns = table.shape
        codes = [np.unique(column, return_inverse=True)[1] for column in table.T]
        self.sizes = [code.max() + 1 for code in codes]
        self.starts = np.cumsum([0, *self.sizes[:-1]])
        self.count = sum(self.sizes)
        self.codes = np.stack(codes, axis=1) + self.starts
        self.column_of = np.repeat(np.arange(self.columns), self.sizes)
        rows = np.arange(0, self.codes.size + 1, self.columns, dtype=np.int32)
        ones = np.ones(self.codes.size)
        self.sparse = sparse.csr_array(
            (ones, self.codes.ravel().astype(np.int32), rows), shape=(self.objects, self.count)
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


def information(hot):
    """The mutual information of every two base clusterings, in nats: on the diagonal, their entropies."""
    joint = hot.overlaps() / hot.objects
    logs = np.log(joint.diagonal())
    terms = np.where(joint > 0, joint * (np.log(np.where(joint > 0, joint, 1)) - logs[:, None] - logs), 0)
    return np.add.reduceat(np.add.reduceat(terms, hot.starts, axis=0), hot.starts, axis=1)


def members(labels, clusters=None):
    """Objects × clusters, sparse: 1 where an object is in a cluster."""
    count = len(labels)
    width = clusters or labels.max() + 1
    return sparse.csr_array((np.ones(count), np.asarray(labels, np.int32), np.arange(count + 1)), shape=(count, width))


def mean_nmi(hot, labels):
    """Of a clustering with the base clusterings, by the geometric mean of the entropies."""
    labels = np.unique(labels, return_inverse=True)[1]
    joint = (hot.sparse.T @ members(labels)).toarray() / hot.objects
    share, size = joint.sum(axis=1), joint.sum(axis=0) / hot.columns
    terms = np.where(joint > 0, joint * np.log(np.where(joint > 0, joint, 1) / share[:, None] / size), 0)
    shared = np.add.reduceat(terms.sum(axis=1), hot.starts)
    entropies = np.add.reduceat(-share * np.log(share), hot.starts) * -(size @ np.log(size))
    return np.where(entropies > 0, shared / np.sqrt(np.where(entropies > 0, entropies, 1)), 0).mean()
