"""Which peers a method has."""

import bayesian
import clue
import later
import older
import pairwise
from hot import LINKS

# Of the objectives; those of the trees are heights, of which none is better.
MORE_IS_BETTER = [
    *["mm", "qmi", "voting", "mcla", "hbgf", "v-bce", "g-bce", "nbce-gibbs", "nbce-vb", "nbce-cvb", "peace"],
    *["nmf", "aspect", "cumulative-voting"],
]
TREES = ["lwea", "ecpcs-hc", *(f"{name}-{link}" for name in ["eac", "pta", "wct", "weac"] for link in LINKS)]
# What they take grows with the square of the objects, or of the different rows.
PAIRS = [*TREES, "ptgp", "peace", "cspa"]

PEERS = older.PEERS | bayesian.PEERS | pairwise.PEERS | later.PEERS
PEERS = {method: [*peers, *clue.PEERS.get(method, [])] for method, peers in PEERS.items()}

# Also measured with so many objects.
MORE_SIZES = {f"eac-{link}": [20_000] for link in LINKS}


def peers_of(method, checkouts=None, limit_seconds=60):
    """By name; those from checkouts last."""
    found = PEERS[method]
    if checkouts:
        from authors import authors_peers

        found = [*found, *authors_peers(method, checkouts, limit_seconds)]
    return {peer.name: peer for peer in found}
