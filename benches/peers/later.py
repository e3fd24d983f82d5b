"""The methods that weigh, link or walk over base clusters, and their neighbours, from their equations with NumPy, SciPy and
fastcluster, and by packages where there are any.

A function gets a table of labels and the number of clusters, and gives labels, the objective that conclave reports, and, where
that is a function of the labels, the function. It works on objects, not on distinct rows, where the equations do.
"""

import numpy as np
from hot import LINKS, Hot, cut_tree, information
from peer import ENSEMBLECLUSTERING, FASTCLUSTER, NUMPY, SCIKIT_LEARN, Peer
from scipy import sparse


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
    shared = information(hot)
    entropy = shared.diagonal()
    shared = shared / np.maximum(entropy[:, None], entropy)
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
    entropy = np.add.reduceat(-share * np.log(share), hot.starts)
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


PEERS = {
    "lwea": [Peer("NumPy", lwea, FASTCLUSTER)],
    **{f"pta-{short}": [Peer("NumPy", pta(link), FASTCLUSTER)] for short, link in LINKS.items()},
    "ptgp": [Peer("NumPy", ptgp, NUMPY)],
    **{f"wct-{short}": [Peer("NumPy", wct(link), FASTCLUSTER)] for short, link in LINKS.items()},
    **{f"weac-{short}": [Peer("NumPy", weac(link), FASTCLUSTER)] for short, link in LINKS.items()},
    "ecpcs-hc": [Peer("NumPy", ecpcs_hc, FASTCLUSTER)],
    "lwgp": [Peer("NumPy", lwgp, NUMPY)],
    "tcut": [Peer("NumPy", tcut, NUMPY)],
    "gp-mgla": [Peer("NumPy", gp_mgla, NUMPY)],
    "kcc": [Peer("NumPy", kcc, NUMPY)],
    "sec": [Peer("scikit-learn", sec_by_scikit_learn, SCIKIT_LEARN)],
    "ecpcs-mc": [Peer("NumPy", ecpcs_mc, NUMPY)],
    "nmf": [Peer("ensembleclustering", nmf_by_ensembleclustering, ENSEMBLECLUSTERING), Peer("NumPy", nmf, NUMPY)],
    "cumulative-voting": [Peer("NumPy", cumulative_voting, NUMPY)],
    "aspect": [Peer("scikit-learn", aspect_by_scikit_learn, SCIKIT_LEARN), Peer("NumPy", aspect, NUMPY)],
}
