"""Peers of the Bayesian methods: packages with models that are near, and the methods themselves from their equations with NumPy
and SciPy.

scikit-learn's LatentDirichletAllocation is the model of `v-bce` with one distribution over the labels of all base clusterings:
an object is a document whose words are its labels. pylace's Gibbs kernel is that of `nbce-gibbs`: one view of all columns,
categorical, rows reassigned by the flat kernel and nothing else.

What a function gets and gives is said in later.py.
"""

import time

import numpy as np
from hot import Hot
from peer import NUMPY, SCIKIT_LEARN, Peer, Steps
from scipy import sparse


def per_step(run, few, many):
    """CPU seconds a step: those of a long run less those of a short one."""

    def seconds(steps):
        started = time.process_time()
        run(steps)
        return time.process_time() - started

    short = seconds(few)
    return max(seconds(many) - short, 1e-9) / (many - few)


# v-bce.


def lda(table, clusters, seed, iterations):
    from sklearn.decomposition import LatentDirichletAllocation

    settings = {"learning_method": "batch", "evaluate_every": -1, "n_jobs": 1, "random_state": seed}
    return LatentDirichletAllocation(clusters, max_iter=iterations, **settings).fit_transform(table)


def v_bce_by_scikit_learn(table, clusters, seed=1, **_):
    shares = lda(sparse.csr_matrix(Hot(table).sparse), clusters, seed, 50)
    return shares.argmax(axis=1), None, None


def iteration_of_lda(table, clusters, seed):
    words = sparse.csr_matrix(Hot(table).sparse)
    return per_step(lambda steps: lda(words, clusters, seed, steps), 1, 6 if len(table) <= 20_000 else 2)


def newton_of_alpha(alpha, logs, objects):
    """The α that is best for Σ_i E[ln θ_i], by Newton's method with the inverse of Eq. 5.8."""
    from scipy.special import polygamma, psi

    for _ in range(50):
        gradient = objects * (psi(alpha.sum()) - psi(alpha)) + logs
        own = -objects * polygamma(1, alpha)
        shared = (gradient / own).sum() / (1 / (objects * polygamma(1, alpha.sum())) + (1 / own).sum())
        step = (gradient - shared) / own
        share = 1.0
        while (alpha - share * step <= 1e-9).any():
            share /= 2
        alpha = alpha - share * step
        if (abs(step) <= 1e-7 * alpha).all():
            break
    return alpha


def v_bce(table, clusters, restarts=None, seed=1, iterations=500, tolerance=1e-8):
    """EM with three inner steps, as conclave's; φ is never kept."""
    from scipy.special import gammaln, psi

    hot = Hot(table)
    rng = np.random.default_rng(seed)
    spread = hot.sparse.copy()
    best, most = None, -np.inf
    for _ in range(restarts or 10):
        alpha = rng.random(clusters)
        beta = rng.random((hot.count, clusters)) ** 2
        beta /= np.add.reduceat(beta, hot.starts)[hot.column_of]
        gamma = np.tile(alpha + hot.columns / clusters, (hot.objects, 1))
        last = -np.inf
        for _ in range(iterations):
            of_labels = beta[hot.codes]
            for _ in range(3):
                logs = psi(gamma)
                weights = np.exp(logs)
                mass = np.einsum("ijh,ih->ij", of_labels, weights)
                spread.data = 1 / mass.ravel()
                gamma = alpha + weights * (spread @ beta)
            bound = np.log(mass).sum() + gammaln(gamma).sum() - gammaln(gamma.sum(axis=1)).sum()
            bound -= ((gamma - alpha) * logs).sum() - hot.objects * (gammaln(alpha.sum()) - gammaln(alpha).sum())
            if bound - last <= tolerance * abs(bound):
                break
            last = bound
            beta = beta * (spread.T @ weights) + 1e-6
            beta /= np.add.reduceat(beta, hot.starts)[hot.column_of]
            expected = (psi(gamma) - psi(gamma.sum(axis=1))[:, None]).sum(axis=0)
            alpha = newton_of_alpha(alpha, expected, hot.objects)
        if bound > most:
            best, most = gamma.argmax(axis=1), bound
    return best, most, None


def steps_of(run, count):
    """CPU seconds of a start and iteration, by as many iterations of one start."""

    def seconds(table, clusters, seed):
        started = time.thread_time()
        run(table, clusters, restarts=1, seed=seed, iterations=count, tolerance=-np.inf)
        return (time.thread_time() - started) / count

    return seconds


# g-bce.


class Chains:
    """Chains of the collapsed Gibbs sampler side by side. Labels of different objects in different base clusterings share no
    count, so that as many labels as there are base clusterings are drawn at once, which is exact."""

    def __init__(self, table, clusters, chains, seed, alpha=0.1, omega=0.1):
        self.hot = Hot(table)
        self.rng = np.random.default_rng(seed)
        self.alpha, self.omega = alpha, omega
        self.chain = np.arange(chains)[:, None]
        self.z = self.rng.integers(0, clusters, (chains, *table.shape))
        self.of_label = np.zeros((chains, self.hot.count, clusters))
        self.of_column = np.zeros((chains, self.hot.columns, clusters))
        self.of_object = np.zeros((chains, self.hot.objects, clusters))
        self.smoothing = omega * np.array(self.hot.sizes)[:, None]

    def count(self):
        """The counts of the z that there are."""
        clusters = self.of_label.shape[2]
        for chain, z in enumerate(self.z):
            labels = np.bincount((self.hot.codes * clusters + z).ravel(), minlength=self.of_label[chain].size)
            self.of_label[chain] = labels.reshape(-1, clusters)
            self.of_object[chain] = np.stack([(z == cluster).sum(axis=1) for cluster in range(clusters)], axis=1)
        self.of_column = np.add.reduceat(self.of_label, self.hot.starts, axis=1)

    def sweep(self, first=False):
        """Draws every label once; the first time, given those before it alone."""
        columns = np.arange(self.hot.columns)
        order = self.rng.permutation(self.hot.objects)
        which = np.arange(self.of_label.shape[2])
        for start in range(0, self.hot.objects, self.hot.columns):
            objects = order[start : start + self.hot.columns]
            chance = self.rng.random((self.hot.columns, len(self.chain), len(objects), 1))
            for turn in columns:
                column = (turn + columns[: len(objects)]) % self.hot.columns
                label = self.hot.codes[objects, column]
                before = self.z[:, objects, column]
                of_label, of_column = self.of_label[:, label], self.of_column[:, column]
                of_object = self.of_object[:, objects]
                if not first:
                    own = before[..., None] == which
                    of_label, of_column, of_object = of_label - own, of_column - own, of_object - own
                weights = (self.omega + of_label) / (self.smoothing[column] + of_column) * (self.alpha + of_object)
                weights = weights.cumsum(axis=2)
                after = (weights < chance[turn] * weights[..., -1:]).sum(axis=2)
                for counts, place in [(self.of_label, label), (self.of_column, column), (self.of_object, objects)]:
                    if not first:
                        counts[self.chain, place, before] -= 1
                    counts[self.chain, place, after] += 1
                self.z[:, objects, column] = after

    def log_joint(self):
        """ln p(y, z | α, ω) of every chain."""
        from scipy.special import gammaln

        def log_rising(start, counts):
            return gammaln(start + counts) - gammaln(start)

        of_labels = log_rising(self.omega, self.of_label).sum(axis=(1, 2))
        of_columns = log_rising(self.smoothing, self.of_column).sum(axis=(1, 2))
        table = log_rising(self.alpha, np.arange(self.hot.columns + 1))
        of_objects = table[self.of_object.astype(int)].sum(axis=(1, 2))
        total = log_rising(self.of_label.shape[2] * self.alpha, self.hot.columns) * self.hot.objects
        return of_labels - of_columns + of_objects - total


# Of g-bce: sweeps that are thrown away, and kept. conclave's default is 100 and 200.
BURN_IN, KEPT = 50, 50


def g_bce(table, clusters, restarts=None, seed=1):
    chains = Chains(table, clusters, restarts or 10, seed)
    chains.sweep(first=True)
    sums, most = np.zeros_like(chains.of_object), np.full(len(chains.chain), -np.inf)
    for sweep in range(BURN_IN + KEPT):
        chains.sweep()
        if sweep >= BURN_IN:
            sums += chains.of_object
            most = np.maximum(most, chains.log_joint())
    return sums[most.argmax()].argmax(axis=1), most.max(), None


def sweep_of_g_bce(table, clusters, seed):
    """Of one of ten chains: all are swept together."""
    chains = Chains(table, clusters, 10, seed)
    chains.count()
    started = time.thread_time()
    chains.sweep()
    return (time.thread_time() - started) / 10


# nbce.


def lace_engine(table, seed):
    import lace
    import pandas as pd

    frame = pd.DataFrame({f"c{column}": codes for column, codes in enumerate(table.T.astype(str))})
    frame.index = [f"object {row}" for row in range(len(frame))]
    # One state, and all columns in one view, where they stay: columns are never reassigned.
    engine = lace.Engine.from_df(frame, n_states=1, rng_seed=seed, flat_columns=True)
    flat = [lace.StateTransition.row_assignment(lace.RowKernel.gibbs())]
    views = len(set(engine.column_assignment(0)))
    if views != 1:
        raise RuntimeError(f"pylace has {views} views where one was asked for")
    return engine, lambda sweeps: engine.update(sweeps, transitions=flat, quiet=True)


def nbce_gibbs_by_pylace(table, clusters, seed=1, **_):
    engine, update = lace_engine(table, seed)
    update(100)
    return np.asarray(engine.row_assignments(0)).ravel(), None, None


def sweep_of_pylace(table, clusters, seed):
    _, update = lace_engine(table, seed)
    update(10)  # past the start, when there are most components
    return per_step(update, 1, 6)


# Components that a start leaves to the variational methods: about as many as conclave's do.
COMPONENTS, TRUNCATION, ALPHA0, BETA = 20, 100, 1.0, 0.5


def nearest_of_some(one, rng):
    """A start: every object with the one of a few that it has most labels in common with."""
    agreement = one @ one[rng.choice(len(one), min(COMPONENTS, len(one)), replace=False)].T
    return np.eye(agreement.shape[1])[agreement.argmax(axis=1)]


def normalised(logs):
    logs -= logs.max(axis=1)[:, None]
    np.exp(logs, out=logs)
    logs /= logs.sum(axis=1)[:, None]
    return logs


def finite_symmetric(sizes):
    """ln p(Z) under FSD."""
    from scipy.special import gammaln

    each = ALPHA0 / TRUNCATION
    return gammaln(ALPHA0) - gammaln(ALPHA0 + sizes.sum()) + (gammaln(each + sizes) - gammaln(each)).sum()


def stick_breaking(sizes):
    """ln p(Z) under TSB, the truncation being beyond the components."""
    from scipy.special import gammaln

    above = sizes[::-1].cumsum()[::-1] - sizes
    return (
        gammaln(1 + sizes) + gammaln(ALPHA0 + above) + np.log(ALPHA0) - gammaln(1 + ALPHA0 + sizes + above)
    ).sum()


def bound_of(hot, gamma, of_label, log_prior):
    """Eq. 4 at expected counts, plus the entropy of γ."""
    from scipy.special import gammaln, xlogy

    of_column = np.add.reduceat(of_label, hot.starts)
    total = BETA * np.array(hot.sizes)[:, None]
    labels = (gammaln(BETA + of_label) - gammaln(BETA)).sum()
    columns = (gammaln(total + of_column) - gammaln(total)).sum()
    return log_prior(gamma.sum(axis=0)) + labels - columns - xlogy(gamma, gamma).sum()


def variational(update, log_prior):
    """γ until none of it changes by more than the tolerance: the best of several starts by the bound."""

    def run(table, clusters, restarts=None, seed=1, iterations=1000, tolerance=1e-6):
        hot = Hot(table)
        one = hot.dense()
        rng = np.random.default_rng(seed)
        best, most = None, -np.inf
        for _ in range(restarts or 5):
            gamma = nearest_of_some(one, rng)
            of_label = one.T @ gamma
            for _ in range(iterations):
                last, gamma = gamma, update(hot, one, gamma, of_label)
                of_label = one.T @ gamma
                if abs(gamma - last).max() <= tolerance:
                    break
            bound = bound_of(hot, gamma, of_label, log_prior)
            if bound > most:
                best, most = gamma.argmax(axis=1), bound
        return best, most, None

    return run


def from_parameters(hot, one, gamma, of_label):
    """VB: γ_nk ∝ exp(Ψ(ξ_k) + Σ_m Ψ(ρ_km) − Ψ(Σ_j ρ_kmj))."""
    from scipy.special import psi

    of_column = np.add.reduceat(of_label, hot.starts)
    sums = psi(BETA * np.array(hot.sizes)[:, None] + of_column).sum(axis=0)
    return normalised(one @ psi(BETA + of_label) + (psi(ALPHA0 / TRUNCATION + gamma.sum(axis=0)) - sums))


def from_counts(hot, one, gamma, of_label):
    """CVB under TSB: the sampler's conditional at expected counts without the object itself."""
    without = np.maximum(gamma.sum(axis=0) - gamma, 0)
    at_least = without[:, ::-1].cumsum(axis=1)[:, ::-1]
    total = np.log(1 + ALPHA0 + at_least)
    passed = np.log(ALPHA0 + at_least - without) - total
    logs = np.log(1 + without) - total + passed.cumsum(axis=1) - passed
    # Without missing labels every base clustering has all objects of a cluster.
    for size, columns in zip(*np.unique(hot.sizes, return_counts=True)):
        logs -= columns * np.log(size * BETA + without)
    # Logarithms of products of a few factors.
    for some in np.array_split(hot.codes.T, -(-hot.columns // 10)):
        product = 1.0
        for codes in some:
            product = product * (BETA + np.maximum(of_label[codes] - gamma, 0))
        logs += np.log(product)
    return normalised(logs)


nbce_vb = variational(from_parameters, finite_symmetric)
nbce_cvb = variational(from_counts, stick_breaking)

PYLACE = (("pylace",), ("lace", "pandas"))
STEPS = 20
# Of v-bce: later ones update rows until they stand still.
FIRST_STEPS = {"restarts": 1, "iterations": STEPS}
VARIATIONAL = {"restarts": 1, "merging": "none", "tolerance": 0, "iterations": STEPS}

PEERS = {
    "v-bce": [
        Peer("scikit-learn", v_bce_by_scikit_learn, SCIKIT_LEARN, Steps("EM iteration", iteration_of_lda, FIRST_STEPS)),
        Peer("NumPy", v_bce, NUMPY, Steps("EM iteration", steps_of(v_bce, STEPS), FIRST_STEPS)),
    ],
    "g-bce": [
        Peer(
            *["NumPy", g_bce, NUMPY],
            steps=Steps("chain and sweep", sweep_of_g_bce, {"restarts": 2, "burn-in": 3, "sweeps": 2}),
            ours=(("burn-in", BURN_IN), ("sweeps", KEPT)),
        )
    ],
    "nbce-gibbs": [
        Peer(
            *["pylace", nbce_gibbs_by_pylace, PYLACE],
            steps=Steps("chain and sweep", sweep_of_pylace, {"restarts": 1, "burn-in": 10, "sweeps": 10}),
        )
    ],
    "nbce-vb": [Peer("NumPy", nbce_vb, NUMPY, Steps("iteration", steps_of(nbce_vb, STEPS), VARIATIONAL))],
    "nbce-cvb": [Peer("NumPy", nbce_cvb, NUMPY, Steps("iteration", steps_of(nbce_cvb, STEPS), VARIATIONAL))],
}
