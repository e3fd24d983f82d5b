"""Every method of conclave against every peer, in one run, as one table.

Tables of noisy copies of five planted clusters, 20 base clusterings: rows that repeat (a tenth are different), and none that
repeats. conclave and a peer run one after the other and never at once, one thread each, on the labels of the same file.

    benches/peers/run all                                   everything; stops after 18 minutes, and the same command goes on
    benches/peers/run all --minutes 60                      everything at once
    benches/peers/run all --methods mm,voting               only these methods
    benches/peers/run all --sizes 500,2000 --limit 20       only these numbers of objects, 20 s for each run
    benches/peers/run all --checkouts DIR                   also the authors' code in Octave: see `modern`

Every method that is done is kept in target/peers-all.jsonl. A run of the same program with the same options takes it from there,
so that the last run prints the whole table. `--fresh` measures everything again.

Columns:

- Seconds are CPU seconds of the computing alone, without reading: the least of several runs where these are short. (conclave's
  are by the clock on the wall. From 0.005 s on, they are the CPU seconds of the command less those of reading, where these are
  fewer. So a busy machine changes little.)
  Where methods stop by different rules, or draw different starts, they are those of one start and step, and the column says
  of what. What setting up takes is in conclave's; in those of scikit-learn's LDA, of pylace and of g-bce it is not.
- MB are the peak of the whole process: a peer's has what it imports, about 100 MB.
- Quality is conclave's / the peer's: the mean of the objective over the repeats, each with a seed of its own, where both have
  the same one, and the mean ARI with the planted clusters. Of the trees (eac, lwea, pta, wct, weac, ecpcs-hc) it is the
  height of the last merge: both have the same, unless equal distances are merged in another order.
  Where steps are timed, the quality is that of whole runs.
- "← peer" marks where the peer is faster.

"> 6 s" (30 s for methods of all pairs, so that 10,000 objects are within it) and "> 8 GB" are the limits. What did not finish is
not tried with more objects, nor what would be beyond the limit by the time of fewer objects, grown as their number (for methods
of all pairs, as its square). A peer from its equations with NumPy works on objects; conclave finds out by itself that rows
repeat. The log joints of g-bce are the highest of some hundred draws, which vary by some hundred from draw to draw.
"""

import argparse
import resource
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from frame import NoAnswer, adjusted_rand, ask_conclave, ask_peer, number, print_head, print_row, print_versions
from kept import Kept
from registry import MORE_IS_BETTER, MORE_SIZES, PAIRS, PEERS, TREES, peers_of
from tables import CLUSTERS, planted, write_csv

# Repeats of a peer at most, and of conclave before and after each peer. A run that is longer than LONG seconds is the last.
REPEATS, HALF, LONG = 7, 4, 0.5
SIZES = [500, 2_000, 10_000, 100_000]
# Methods of all pairs have so many times the limit.
LONGER = 5
PACKAGES = [
    *["numpy", "scipy", "fastcluster", "scikit-learn", "stepmix", "ensembleclustering", "kahypar", "pymetis", "pylace"],
]
HEAD = [
    *["method", "objects", "different rows", "peer", "ours s", "peer s", "ratio", "ours MB", "peer MB"],
    *["quality: ours / peer", "faster"],
]


@dataclass(frozen=True)
class Input:
    folder: Path
    objects: int
    distinct: int

    def kind(self):
        return self.distinct == self.objects

    def truth(self):
        return np.load(self.folder / "truth.npy")


@dataclass(frozen=True)
class Inputs:
    """Tables in a folder, each made when it is asked for."""

    folder: Path
    # Numbers of objects, and by method those that it has as well.
    sizes: list
    more: dict

    def of(self, method):
        for objects in sorted({*self.sizes, *self.more.get(method, [])}):
            for distinct in [max(objects // 10, CLUSTERS), objects]:
                yield self.made(Input(self.folder / f"{objects}-{distinct}", objects, distinct))

    def made(self, one):
        if not one.folder.exists():
            one.folder.mkdir()
            table, truth = planted(one.objects, one.distinct)
            write_csv(table, one.folder / "table.csv")
            np.save(one.folder / "truth.npy", truth)
        return one


@dataclass
class Patience:
    """What did not finish, or would not, is not tried."""

    limit: int
    stopped: dict = field(default_factory=dict)
    last: dict = field(default_factory=dict)

    def check(self, who, size, power):
        if who in self.stopped:
            raise NoAnswer(f"{self.stopped[who]}, not tried")
        if who in self.last:
            seconds, before = self.last[who]
            if seconds * (size / before) ** power > self.limit:
                raise NoAnswer(f"> {self.limit} s, not tried")

    def done(self, who, size, seconds):
        self.last[who] = (seconds, size)

    def stop(self, who, why):
        self.stopped.setdefault(who, str(why).removesuffix(", not tried"))


class Ours:
    """Runs of conclave on one input: more of them for every peer, while they are short."""

    def __init__(self, method, one, patience):
        self.method, self.one, self.patience = method, one, patience
        self.runs = defaultdict(list)

    def run(self, params, most):
        """At most so many runs more with these parameters; all that there are."""
        params = tuple(sorted(dict(params).items()))
        runs = self.runs[params]
        who = (self.method, params, self.one.kind())
        size, power = self.one.distinct, 2 if self.method in PAIRS else 1
        for _ in range(most):
            if runs and sum(run["seconds"] for run in runs) > LONG:
                break
            try:
                self.patience.check(who, size, power)
                limit = self.patience.limit
                runs.append(ask_conclave(self.method, self.one.folder, CLUSTERS, limit, params, len(runs) + 1))
            except NoAnswer as why:
                self.patience.stop(who, why)
                if runs:
                    break
                raise
            self.patience.done(who, size, runs[-1]["seconds"])
        return runs


def seconds_of(runs, params):
    """Of one start and step, where the parameters are those of steps."""
    starts = dict(params).get("restarts", 1)
    return min(run["seconds"] / (starts * run["iterations"] if params else 1) for run in runs)


def value_of(run):
    objective = run["objective"]
    return objective["value"] if isinstance(objective, dict) else objective


@dataclass
class Line:
    """A method, an input and a peer: what is found out of them, piece by piece."""

    method: str
    one: Input
    peer: object
    ours_seconds: float | None = None
    peer_seconds: float | None = None
    ours_megabytes: float | None = None
    peer_megabytes: float | None = None
    why_not_ours: str = ""
    why_not_peer: str = ""
    # What the objective is called, and both sides' means of it; None where they have none in common.
    measure: str | None = None
    objectives: tuple = (None, None)
    aris: tuple = (None, None)

    def peer_is_faster(self):
        if self.peer_seconds is None:
            return False
        return self.ours_seconds is None or self.peer_seconds < self.ours_seconds

    def is_worse(self):
        """Whether conclave's quality is below the peer's (by 1e-5 of it). Of trees, whether heights differ."""
        ours, theirs = self.objectives if self.measure else self.aris
        if ours is None or theirs is None:
            return False
        gap = (theirs - ours) / max(abs(theirs), 1e-12)
        if self.measure and self.method in TREES:
            return abs(gap) > 1e-9
        return (-gap if self.measure and self.method not in MORE_IS_BETTER else gap) > 1e-5

    def told(self):
        """What is kept of the line: what is printed, and which lists it is in."""
        return {"cells": self.cells(), "faster": self.peer_is_faster(), "worse": self.is_worse()}

    def quality(self):
        def both(values, digits):
            return " / ".join(number(value, digits) or "–" for value in values)

        ari = f"ARI {both(self.aris, 4)}" if any(value is not None for value in self.aris) else ""
        return f"{self.measure} {both(self.objectives, 7)}; {ari}" if self.measure else ari

    def cells(self):
        unit = f" / {self.peer.steps.unit}" if self.peer.steps else ""
        ratio = number(self.peer_seconds / self.ours_seconds, 3) if self.ours_seconds and self.peer_seconds else ""
        return [
            *[f"`{self.method}`", f"{self.one.objects:,}", f"{self.one.distinct:,}", self.peer.title()],
            f"{self.ours_seconds:.3g}{unit}" if self.ours_seconds else self.why_not_ours,
            f"{self.peer_seconds:.3g}{unit}" if self.peer_seconds else self.why_not_peer,
            *[ratio, number(self.ours_megabytes, 3), number(self.peer_megabytes, 3)],
            self.quality(),
            "← peer" if self.peer_is_faster() else "",
        ]


def compare(line, ours, patience, checkouts):
    peer, one = line.peer, line.one
    steps = peer.steps.ours if peer.steps else {}
    whole = []
    try:
        ours.run(steps or peer.ours, HALF)
    except NoAnswer as why:
        line.why_not_ours = str(why)
    answers = ask(line, patience, checkouts)
    if not line.why_not_ours:
        runs = ours.run(steps or peer.ours, HALF)
        line.ours_seconds = seconds_of(runs, steps)
        line.ours_megabytes = max(run["megabytes"] for run in runs)
    try:
        whole = ours.run(peer.ours, REPEATS if steps else 0)
    except NoAnswer:
        pass
    runs = [answer for answer in answers if "labels" in answer]
    timed = [answer["step"] for answer in answers if "step" in answer] or [run["seconds"] for run in runs]
    if timed:
        line.peer_seconds = min(timed)
    truth = one.truth()
    line.aris = means([[adjusted_rand(truth, run["labels"]) for run in side] for side in [whole, runs]])
    values = [[value_of(run) for run in side] for side in [whole, runs]]
    if all(values) and None not in sum(values, []):
        line.measure = "height" if line.method in TREES else whole[0]["objective"]["name"]
        line.objectives = means(values)


def means(sides):
    return tuple(float(np.mean(side)) if side else None for side in sides)


def ask(line, patience, checkouts):
    """The answers of the peer. Of steps there are times where whole runs are too long."""
    method, peer, one = line.method, line.peer, line.one
    steps = peer.steps is not None
    who, wholly = (method, peer.name, one.kind(), "timed"), (method, peer.name, one.kind(), "whole")
    # Those that steps are timed of are linear.
    power = 2 if method in PAIRS else 1
    try:
        patience.check(who, one.objects, power)
        with_quality = True
        if steps:
            try:
                patience.check(wholly, one.objects, power)
            except NoAnswer:
                with_quality = False
        words = {"repeats": REPEATS, "steps": steps, "quality": with_quality, "checkouts": checkouts}
        answers, line.peer_megabytes = ask_peer(method, peer.name, one.folder, CLUSTERS, patience.limit, **words)
    except NoAnswer as why:
        line.why_not_peer = str(why)
        patience.stop(who, why)
        return []
    runs = [answer["seconds"] for answer in answers if "labels" in answer]
    if runs:
        patience.done(wholly if steps else who, one.objects, min(runs))
    elif with_quality:
        patience.stop(wholly, f"> {patience.limit} s")
    return answers


def summary(lines):
    def listed(title, key):
        some = [line["cells"] for line in lines if line[key]]
        print(f"\n{title}: {len(some)} of {len(lines)} lines\n")
        for method, objects, distinct, peer, *numbers in some:
            found = f"{numbers[0]} against {numbers[1]}; {numbers[5]}"
            print(f"- {method}, {objects} objects, {distinct} different rows, {peer}: {found}")

    listed("The peer is faster", "faster")
    listed("The quality is below the peer's, or heights differ", "worse")


def lines_of(method, tables, given):
    """The lines of a method, printed as they come."""
    patience = Patience(given.limit * (LONGER if method in PAIRS else 1))
    for one in tables.of(method):
        ours = Ours(method, one, patience)
        for peer in peers_of(method, given.checkouts, patience.limit).values():
            line = Line(method, one, peer)
            compare(line, ours, patience, given.checkouts)
            print_row(*line.cells())
            yield line.told()


def asked():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--methods", help=f"separated by commas ({','.join(PEERS)})")
    parser.add_argument("--sizes", help="numbers of objects (500,2000,10000,100000, and 20,000 for eac-*)")
    longer = "CPU seconds for each run (6), for methods of all pairs five times as many"
    parser.add_argument("--limit", type=int, default=6, help=longer)
    parser.add_argument("--minutes", type=float, default=18, help="no method is begun after so many (18)")
    parser.add_argument("--fresh", action="store_true", help="measure again what earlier runs have measured")
    parser.add_argument("--checkouts", metavar="DIR", help="where the authors' code is")
    given = parser.parse_args()
    given.methods = given.methods.split(",") if given.methods else list(PEERS)
    given.more = {} if given.sizes else MORE_SIZES
    given.sizes = sorted(int(size) for size in given.sizes.split(",")) if given.sizes else SIZES
    unknown = set(given.methods) - set(PEERS)
    if unknown:
        parser.error(f"no such method: {', '.join(sorted(unknown))}; there are {', '.join(PEERS)}")
    return given


def main():
    given = asked()
    started = time.monotonic()
    versions = print_versions(PACKAGES, given.checkouts)
    options = {"sizes": given.sizes, "more": given.more, "limit": given.limit, "checkouts": given.checkouts}
    kept = Kept({"versions": versions} | options, given.fresh)
    print("One thread each. Not here: base, which finds no consensus, and methods between parties (*-rows, *-columns).\n")
    print_head(*HEAD)
    lines, left = [], []
    with tempfile.TemporaryDirectory() as name:
        tables = Inputs(Path(name), given.sizes, given.more)
        for method in given.methods:
            if method in kept:
                lines += kept[method]
                for line in kept[method]:
                    print_row(*line["cells"])
            elif time.monotonic() - started > 60 * given.minutes:
                left.append(method)
            else:
                used = cpu_seconds()
                found = list(lines_of(method, tables, given))
                kept.add(method, found, cpu_seconds() - used)
                lines += found
    summary(lines)
    done = [method for method in given.methods if method in kept]
    print(f"\nconclave and peers had {kept.cpu_seconds(done) / 60:.1f} minutes of CPU time for {len(done)} methods")
    if left:
        print(f"\nNot begun: {', '.join(left)}. The same command goes on with them.")


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
