"""The methods that weigh, link or walk over base clusters, and their neighbours: whether conclave and peers come to the same
answers, and how many objects each can do, one thread each. (Times of these and of all other methods: `run all`.)

Peers are in later.py: packages where there are any, and the methods from their equations with NumPy. With `--checkouts DIR`,
the authors' MATLAB code runs in Octave too (with its package statistics), and the Python port of it: DIR then has some of
LWEA_LWGP, PTA_PTGP, WEAC_GPMGLA, ECPCS (github.com/huangdonghere), Pepelka (github.com/nejci) and py-cluster-ensemble
(github.com/HeWenjun824699). Nothing of them is in this project.

    benches/peers/run modern                   agreement, on many small tables where methods differ from the truth
    benches/peers/run modern lwea sec          only these methods
    benches/peers/run modern --largest         the largest number of objects that each finishes in 60 s (--seconds) and 8 GB
    benches/peers/run modern --checkouts DIR   also the authors' code

"ARI" is between the two answers. The objective is what both report of their own answer: that tells ties (equal heights, other
answers) and random starts from errors. "ours there" is the objective of conclave's answer computed by the peer: it equals
conclave's own where both optimise the same thing in the same space.
"""

import argparse
import tempfile
from pathlib import Path

import later
import numpy as np
from frame import GIGABYTES, NoAnswer, adjusted_rand, ask_conclave, ask_peer, number, print_head, print_row, print_versions
from registry import MORE_IS_BETTER, PEERS, peers_of
from tables import CLUSTERS, cells, planted, write_csv

SECONDS = 60
PACKAGES = ["numpy", "scipy", "fastcluster", "scikit-learn", "ensembleclustering"]

# More starts on both sides, so that what is left are differences in what is optimised.
MANY = {method: 30 for method in ["lwgp", "tcut", "gp-mgla", "ptgp", "kcc", "sec", "nmf"]} | {"aspect": 10}
# The objective is a function of the labels.
JUDGED = ["lwgp", "tcut", "gp-mgla", "ptgp", "kcc"]


def ask_once(method, peer, folder, clusters, **more):
    return ask_peer(method, peer, folder, clusters, SECONDS, repeats=1, **more)[0][0]


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
        for peer, known in peers_of(method, checkouts).items():
            own = [*params, *known.ours]
            if peer == "py-cluster-ensemble" and method.startswith("pt"):
                own += [("cap", 0)]
            scores, apart, better, worse, there, failed = [], [], 0, 0, [], None
            for seed in range(tables):
                write_csv(cells(seed), folder / "table.csv")
                ours = ask_conclave(method, folder, clusters, SECONDS, own)
                np.save(folder / "ours.npy", ours["labels"])
                try:
                    words = {"restarts": MANY.get(method), "ours": str(folder / "ours.npy"), "checkouts": checkouts}
                    theirs = ask_once(method, peer, folder, clusters, **words)
                except NoAnswer as why:
                    failed = why
                    break
                scores.append(adjusted_rand(ours["labels"], theirs["labels"]))
                value = ours["objective"]["value"]
                if theirs["objective"] is None and method in JUDGED:
                    np.save(folder / "theirs.npy", theirs["labels"])
                    words = {"ours": str(folder / "theirs.npy")}
                    theirs["objective"] = ask_once(method, "NumPy", folder, clusters, **words)["ours"]
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
    write_csv(cells(0), folder / "table.csv")
    for method in [method for method in methods if method in MANY or method == "ecpcs-mc"]:
        params = [("restarts", 1)] if method in MANY else []
        answers = [ask_conclave(method, folder, 6, SECONDS, params, seed) for seed in range(count)]
        mine = [answer["objective"]["value"] for answer in answers]
        for peer in peers_of(method, None):
            if peer == "ensembleclustering":
                continue
            try:
                theirs = ask_once(method, peer, folder, 6, starts=count)["objectives"]
            except NoAnswer as why:
                print_row(f"`{method}`", peer, *[""] * 6, why)
                continue
            digits = 8 - int(np.log10(abs(np.median(mine))))
            p = mannwhitneyu(np.round(mine, digits), np.round(theirs, digits)).pvalue
            shown = [number(value) for side in [mine, theirs] for value in np.quantile(side, [0, 0.5, 1])]
            print_row(f"`{method}`", peer, *shown, f"{p:.2g}")


def largest(methods, folder, checkouts, limit):
    print(f"The largest number of objects, all different, that is done in {limit} s and {GIGABYTES} GB.\n")
    print_head("method", "program", "largest N", "seconds", "next N", "why not")
    steps = [500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000]
    made = [None]

    def ready(objects):
        if made[0] != objects:
            write_csv(planted(objects, objects)[0], folder / "table.csv")
            made[0] = objects

    for method in methods:
        for program in ["conclave", *peers_of(method, checkouts, limit)]:
            done, seconds, why, last = 0, None, "", ""
            for objects in steps:
                # Time grows at least with N: where a step cannot be done, it is not tried.
                if seconds and seconds * objects / done > 2 * limit:
                    why, last = f"> {limit} s, by the time of the step before", f"{objects:,}"
                    break
                ready(objects)
                try:
                    if program == "conclave":
                        answer = ask_conclave(method, folder, CLUSTERS, limit)
                    else:
                        words = {"repeats": 1, "checkouts": checkouts}
                        answer = ask_peer(method, program, folder, CLUSTERS, limit, **words)[0][0]
                except NoAnswer as reason:
                    why, last = str(reason), f"{objects:,}"
                    break
                done, seconds = objects, answer["seconds"]
            print_row(f"`{method}`", program, f"{done:,}", number(seconds, 3), last, why)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", metavar="METHOD", help="all of the later ones where none is named")
    parser.add_argument("--largest", action="store_true", help="the largest number of objects of each")
    parser.add_argument("--seconds", type=int, default=SECONDS, help=f"CPU seconds for the largest number ({SECONDS})")
    parser.add_argument("--checkouts", metavar="DIR", help="where the authors' code is")
    parser.add_argument("--tables", type=int, default=20, help="how many small tables (20)")
    given = parser.parse_args()
    unknown = set(given.methods) - set(PEERS)
    if unknown:
        parser.error(f"no such method: {', '.join(sorted(unknown))}; there are {', '.join(PEERS)}")
    methods = given.methods or list(later.PEERS)
    print_versions(PACKAGES, given.checkouts)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if given.largest:
            largest(methods, folder, given.checkouts, given.seconds)
        else:
            agree(methods, folder, given.checkouts, given.tables)
            starts(methods, folder, 5 * given.tables)


if __name__ == "__main__":
    main()
