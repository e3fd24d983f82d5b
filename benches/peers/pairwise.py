"""PEACE and BE, of which there is no package, from their equations with NumPy and SciPy.

What a function gets and gives is said in later.py.
"""

import time

import numpy as np
from hot import Hot
from peer import NUMPY, Peer, Steps

# The least that a probability is taken to be.
FLOOR = 1e-100


def on_simplices(rng, objects, clusters):
    points = rng.exponential(size=(objects, clusters))
    return points / points.sum(axis=1)[:, None]


def step_length(together, apart, product, change, most, enough):
    """Where the derivative ρ of f/2 along the step is between 0 and `enough`: Newton's method within a bracket."""
    left, right, at, bounded = 0.0, most, 0.0, False
    for attempt in range(100):
        here = product + at * change
        rest = np.maximum(1 - here, FLOOR)
        here = np.maximum(here, FLOOR)
        up, down = together / here, apart / rest
        slope = (up - down) @ change
        if slope < 0:
            right, bounded = at, True
        else:
            left = at
            if at == most or (attempt and slope <= enough):
                return at
        ahead = at + (slope - enough / 2) / ((up / here + down / rest) @ change**2)
        if attempt % 4 < 3 and left < ahead < right:
            at = ahead
        else:
            at = (left + right) / 2 if bounded else most
        if bounded and not left < at < right:
            return left
    return left


def peace(table, clusters, restarts=None, seed=1, tolerance=0.01):
    """Algorithm 1: of the counts of pairs, one row a step is needed; of YᵀY, too."""
    hot = Hot(table)
    one = hot.dense()
    together = one @ one.T
    np.fill_diagonal(together, 0)
    apart = hot.columns - together
    np.fill_diagonal(apart, 0)
    rng = np.random.default_rng(seed)
    best, most = None, -np.inf
    for _ in range(restarts or 5):
        y = climb(together, apart, on_simplices(rng, hot.objects, clusters), tolerance)
        product = y @ y.T
        np.fill_diagonal(product, 0.5)
        value = (together * np.log(np.maximum(product, FLOOR))).sum()
        value += (apart * np.log(np.maximum(1 - product, FLOOR))).sum()
        if value > most:
            best, most = y.argmax(axis=1), value
    return best, most, None


def pull(together, apart, product):
    return together / np.maximum(product, FLOOR) - apart / np.maximum(1 - product, FLOOR)


def climb(together, apart, y, tolerance):
    def gradient():
        product = y @ y.T
        np.fill_diagonal(product, 0.5)
        return pull(together, apart, product) @ y

    slopes, fresh = gradient(), True
    for _ in range(200 * y.size):
        gaps = slopes.max(axis=1) - np.where(y > 0, slopes, np.inf).min(axis=1)
        moved = gaps.argmax()
        if gaps[moved] < tolerance:
            if fresh:
                break
            slopes, fresh = gradient(), True
            continue
        old = y[moved].copy()
        to, source = slopes[moved].argmax(), np.where(old > 0, slopes[moved], np.inf).argmin()
        product = y @ old
        product[moved] = 0.5
        change = y[:, to] - y[:, source]
        change[moved] = 0
        length = step_length(together[moved], apart[moved], product, change, old[source], 0.1 * gaps[moved])
        if length == 0:
            if fresh:
                break
            slopes, fresh = gradient(), True
            continue
        before = pull(together[moved], apart[moved], product)
        y[moved, to] += length
        y[moved, source] = 0 if length == old[source] else old[source] - length
        after = pull(together[moved], apart[moved], product + length * change)
        slopes += after[:, None] * y[moved] - before[:, None] * old
        slopes[moved] = after @ y
        fresh = False
    return y


def be(table, clusters, restarts=None, seed=1, iterations=5000, tolerance=1e-7):
    """Plain Baum–Eagon steps. Neither S nor YᵀY is formed."""
    hot = Hot(table)
    transposed = hot.sparse.T.tocsr()
    square = ((hot.overlaps() / hot.columns) ** 2).sum() - hot.objects
    rng = np.random.default_rng(seed)
    best, least = None, np.inf
    for _ in range(restarts or 5):
        y = on_simplices(rng, hot.objects, clusters)
        last = np.inf
        for step in range(iterations + 1):
            pulled = hot.sparse @ (transposed @ y) / hot.columns - y
            gram = y.T @ y
            length = (y * y).sum(axis=1)
            error = square - 2 * (pulled * y).sum() + (gram**2).sum() - length @ length
            if step == iterations or last - error <= tolerance * error:
                break
            last = error
            y *= pulled - y @ gram + y * length[:, None] + (hot.objects - 1)
            y /= y.sum(axis=1)[:, None]
        if error < least:
            best, least = y.argmax(axis=1), error
    return best, least, None


BE_STEPS = 20


def iteration_of_be(table, clusters, seed):
    started = time.thread_time()
    be(table, clusters, restarts=1, seed=seed, iterations=BE_STEPS, tolerance=-np.inf)
    return (time.thread_time() - started) / BE_STEPS


BE_STEP = Steps("plain step", iteration_of_be, {"restarts": 1, "step": "plain", "tolerance": 0, "iterations": BE_STEPS})

PEERS = {"peace": [Peer("NumPy", peace, NUMPY)], "be": [Peer("NumPy", be, NUMPY, BE_STEP)]}
