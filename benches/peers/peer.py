"""What a peer is, and what of its versions is printed."""

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Callable

# Packages, and the modules that are imported before the clock starts.
NUMPY = (("numpy",), ("scipy.sparse.csgraph", "scipy.linalg", "scipy.optimize", "scipy.special"))
FASTCLUSTER = (("numpy", "fastcluster"), (*NUMPY[1], "fastcluster", "scipy.spatial.distance"))
SCIKIT_LEARN = (("scikit-learn",), ("sklearn.cluster", "sklearn.decomposition"))
ENSEMBLECLUSTERING = (("ensembleclustering",), ("ensembleclustering",))

NAMES = {"numpy": "NumPy", "scipy": "SciPy", "stepmix": "StepMix", "kahypar": "KaHyPar"}


@dataclass(frozen=True)
class Steps:
    """How a start and step of both are compared where the rules by which they stop differ."""

    # What a step is called.
    unit: str
    # CPU seconds of a start and step of the peer, for a table, a number of clusters and a seed.
    seconds: Callable
    # conclave's parameters.
    ours: dict


@dataclass(frozen=True)
class Peer:
    name: str
    # From a table and a number of clusters to labels, an objective or None, and None or the objective as a function of labels.
    run: Callable
    needs: tuple = ((), ())
    steps: Steps | None = None
    # conclave's parameters, where the peer's run is not what conclave does by default.
    ours: tuple = ()

    def title(self):
        """The packages with their versions; the name where there are none."""
        return " + ".join(versioned(package) for package in self.needs[0]) or self.name


class Timed:
    """Labels from a program that took its own time, and the objective as a function of labels where there is one."""

    def __init__(self, labels, seconds, score=None):
        self.labels, self.seconds, self.score = labels, seconds, score


def versioned(package):
    try:
        return f"{NAMES.get(package, package)} {version(package)}"
    except PackageNotFoundError:
        return f"no {package}"
