"""scikit-learn estimators: `ConsensusClustering` over features, `ClusterEnsemble` over base clusterings.

>>> from sklearn.datasets import make_blobs
>>> from conclave.sklearn import ConsensusClustering
>>> features, classes = make_blobs(90, centers=3, cluster_std=0.5, random_state=4)
>>> clustering = ConsensusClustering(n_clusters=3, method="eac-al", random_state=0).fit(features)
>>> clustering.n_clusters_
3
>>> clustering.score(features, classes)
1.0
"""

from __future__ import annotations

import math
import numbers
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    from joblib import Parallel, delayed, effective_n_jobs
    from sklearn.base import BaseEstimator, ClusterMixin, clone
    from sklearn.cluster import KMeans
    from sklearn.utils import check_random_state
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    words = "the estimators need scikit-learn; install scikit-learn 1.6 or later: pip install 'conclave[sklearn]'"
    raise ImportError(f"{words} ({error})") from error

from . import metrics
from ._answer import Answer
from ._combine import consensus
from ._labels import Missing, is_pandas, read, whole

__all__ = ["ClusterEnsemble", "ConsensusClustering", "expected_failed_checks"]

# Base clusterings by default have up to so many clusters.
_MOST_BASE_CLUSTERS = 50


class _Fitted(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """What both estimators say of their answer."""

    def _keep(self, answer: Answer) -> None:
        # Those of an answer are read-only, and those of estimators are not.
        self.labels_ = answer.labels_.copy()
        self.confidence_ = answer.confidence_.copy()
        self.memberships_ = None if answer.memberships_ is None else answer.memberships_.copy()
        self.objective_ = answer.objective_
        self.n_clusters_ = answer.n_clusters_
        self.method_ = answer.method_


class ConsensusClustering(_Fitted):
    """Clusters features many times and combines the clusterings into one.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters; without it the method or a rule finds it.
    method : str
        A consensus method (`conclave.methods` lists them), or ``"auto"``: the one that `conclave.compare` recommends. That runs all
        of them; name one where ``fit`` is called often.
    base : clusterer or "kmeans"
        What makes the base clusterings: any scikit-learn clusterer, or a pipeline that ends with one. Its label -1 is a missing
        label. ``"kmeans"`` is ``KMeans(n_init=1)``.
    n_estimators : int
        How many base clusterings.
    base_n_clusters : int or pair of int, optional
        The number of clusters of every base clustering, or the least and the most: each draws its own. Unless told, a clusterer keeps
        its own number, and ``"kmeans"`` draws between ``n_clusters`` (or 2) and the square root of the number of objects, at most 50.
    max_samples : float
        The share of the objects that each base clustering sees, drawn at random; its label is missing for the others.
    params : dict, optional
        Parameters of the consensus method.
    random_state : int, RandomState or None
        Seeds the base clusterings, with every step of a pipeline, and the consensus.
    n_jobs : int, optional
        How many base clusterings are fitted side by side, and how many threads the consensus takes: one unless told, as everywhere
        in scikit-learn. The labels do not depend on it.

    Attributes
    ----------
    labels_, confidence_, memberships_, objective_, n_clusters_, method_
        As those of `conclave.Answer`.
    estimators_ : list
        The fitted base clusterers.
    base_labels_ : ndarray of objects × base clusterings
        What they found, -1 where a label is missing.

    Examples
    --------
    >>> from sklearn.cluster import SpectralClustering
    >>> from sklearn.datasets import make_moons
    >>> features, _ = make_moons(100, random_state=0)
    >>> base = SpectralClustering(n_clusters=2, gamma=30)
    >>> clustering = ConsensusClustering(n_clusters=2, method="voting", base=base, n_estimators=5, random_state=0)
    >>> clustering.fit_predict(features).shape
    (100,)
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        method: str = "auto",
        base: Any = "kmeans",
        n_estimators: int = 20,
        base_n_clusters: int | tuple[int, int] | None = None,
        max_samples: float = 1.0,
        params: dict[str, Any] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.method = method
        self.base = base
        self.n_estimators = n_estimators
        self.base_n_clusters = base_n_clusters
        self.max_samples = max_samples
        self.params = params
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> ConsensusClustering:
        """Makes the base clusterings and their consensus; ``y`` is not looked at."""
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], ensure_min_samples=2)
        _require_count(self.n_clusters)
        if not isinstance(self.max_samples, numbers.Real) or not 0 < self.max_samples <= 1:
            raise ValueError(f"max_samples is {self.max_samples!r}; expected a share above 0 and up to 1")
        if not isinstance(self.n_estimators, (int, np.integer)) or self.n_estimators < 2:
            raise ValueError(f"n_estimators is {self.n_estimators!r}; expected at least 2 base clusterings")
        random = check_random_state(self.random_state)
        seeds = random.randint(np.iinfo(np.int32).max, size=self.n_estimators + 1)
        made = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_base)(self._base(int(seed), X.shape[0]), X, int(seed), self.max_samples) for seed in seeds[:-1]
        )
        self.estimators_: list[Any] = [base for base, _ in made]
        self.base_labels_: NDArray[np.int64] = np.column_stack([labels for _, labels in made]).astype(np.int64)
        _require_clusters(self.base_labels_)
        threads = effective_n_jobs(self.n_jobs)
        labels = read(self.base_labels_[:, _with_labels(self.base_labels_)], -1, threads)
        self._keep(consensus(labels, self.method, self.n_clusters, int(seeds[-1]), params=self.params, threads=threads))
        return self

    def _base(self, seed: int, objects: int) -> Any:
        """A base clusterer that was not fitted yet."""
        most = int(max(2, math.ceil(self.max_samples * objects)))
        counts: Any = self.base_n_clusters
        if isinstance(self.base, str):
            if self.base != "kmeans":
                raise ValueError(f"base is {self.base!r}; expected 'kmeans' or a clusterer of scikit-learn")
            base = KMeans(n_init=1)
            if counts is None:
                fewest = int(self.n_clusters or 2)
                counts = (fewest, max(fewest, min(math.isqrt(objects), _MOST_BASE_CLUSTERS)))
        elif isinstance(self.base, type) or not (hasattr(self.base, "fit_predict") and hasattr(self.base, "get_params")):
            raise TypeError(f"base is {self.base!r}; expected 'kmeans' or a clusterer of scikit-learn")
        else:
            base = clone(self.base)
        known = base.get_params(deep=True)
        options = _random_states(known, seed)
        if counts is not None:
            least, greatest = _bounds(counts)
            place = _place_of_count(known, type(base).__name__)
            options[place] = min(int(np.random.RandomState(seed).randint(least, greatest + 1)), most)
        return base.set_params(**options)

    def _bases_predict(self) -> bool:
        if hasattr(self, "estimators_"):
            return all(hasattr(base, "predict") for base in self.estimators_)
        return isinstance(self.base, str) or hasattr(self.base, "predict")

    @available_if(_bases_predict)  # type: ignore[untyped-decorator]
    def predict(self, X: Any) -> NDArray[np.int64]:
        """The clusters of new objects: each is put where the base clusterings put it together with most objects of the consensus,
        by mean co-association. The base clusterer must have ``predict``."""
        found = self._base_labels_of(X)
        support: NDArray[np.float64] = np.zeros((len(found), self.n_clusters_))
        compared = np.zeros_like(support)
        for own, new in zip(self.base_labels_.T, found.T):
            table = np.zeros((max(own.max(), new.max()) + 1, self.n_clusters_))
            labelled = own >= 0
            np.add.at(table, (own[labelled], self.labels_[labelled]), 1)
            there = new >= 0
            support[there] += table[new[there]]
            compared[there] += table.sum(axis=0)
        with np.errstate(invalid="ignore"):
            share = np.where(compared > 0, support / compared, 0.0)
        best: NDArray[np.int64] = share.argmax(axis=1).astype(np.int64)
        return best

    def _base_labels_of(self, X: Any) -> NDArray[np.int64]:
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        return np.column_stack([base.predict(X) for base in self.estimators_]).astype(np.int64)

    @available_if(_bases_predict)  # type: ignore[untyped-decorator]
    def score(self, X: Any, y: Any = None) -> float:
        """With classes ``y``, the adjusted Rand index of `predict`; without, its mean NMI with the base clusterings of ``X``."""
        found = self.predict(X)
        if y is not None:
            return metrics.ari(y, found)
        columns = self._base_labels_of(X).T
        return float(np.mean([metrics.nmi_sqrt(column, found) for column in columns]))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # What is no clusterer is refused where it is fitted.
        own: Any = getattr(self.base, "__sklearn_tags__", None)
        known = own is not None and not isinstance(self.base, type)
        tags.input_tags.sparse = isinstance(self.base, str) or bool(known and own().input_tags.sparse)
        return tags


class ClusterEnsemble(_Fitted):
    """Combines base clusterings that are there: ``X`` has a row per object and a column per base clustering.

    Labels are numbers or text; NaN, None and ``missing`` are missing labels. Parameters and attributes are those of
    `conclave.consensus` and `conclave.Answer`; a whole ``random_state`` is the seed, and ``n_jobs`` is the number of threads, one
    unless told.

    Examples
    --------
    >>> from conclave.sklearn import ClusterEnsemble
    >>> labels = [["a", "x"], ["a", "x"], ["a", None], ["b", "y"], ["b", "y"]]
    >>> ClusterEnsemble(n_clusters=2, method="mm", random_state=0).fit_predict(labels)
    array([0, 0, 0, 1, 1])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        method: str = "auto",
        missing: Missing = None,
        params: dict[str, Any] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.method = method
        self.missing = missing
        self.params = params
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> ClusterEnsemble:
        """Finds the consensus of the columns; ``y`` is not looked at."""
        if isinstance(X, (list, tuple)):
            # Element by element: NumPy would make text of a NaN beside text.
            X = np.array(X, dtype=object)
        _require_count(self.n_clusters)
        threads = effective_n_jobs(self.n_jobs)
        labels, seed = self._validated(X), _seed(self.random_state)
        self._keep(consensus(labels, self.method, self.n_clusters, seed, missing=self.missing, params=self.params, threads=threads))
        return self

    def _validated(self, X: Any) -> Any:
        """Base clusterings as they are handed over. A data frame keeps the types of its columns: NumPy has no type for all of them."""
        shape = getattr(X, "shape", ())
        if len(shape) != 2 or not (is_pandas(X) or hasattr(X, "__arrow_c_stream__")):
            return validate_data(self, X, dtype=None, ensure_all_finite=False, ensure_min_samples=2, ensure_min_features=2)
        for count, what in zip(shape, ("sample", "feature")):
            if count < 2:
                raise ValueError(f"Found a data frame with {count} {what}(s) (shape={shape}); a minimum of 2 is required by ClusterEnsemble.")
        return validate_data(self, X, skip_check_array=True)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def expected_failed_checks(estimator: Any) -> dict[str, str]:
    """The checks of ``check_estimator`` that an estimator is not meant to pass, and why.

    Examples
    --------
    >>> from conclave.sklearn import ConsensusClustering, expected_failed_checks
    >>> expected_failed_checks(ConsensusClustering())
    {}
    """
    if isinstance(estimator, ClusterEnsemble):
        measured = "the features of this check are measurements, and every value of a measurement is a label of its own"
        return {"check_clustering": measured}
    return {}


def _seed(random_state: Any) -> int:
    """The seed of a consensus: a whole number is one, as in `conclave.consensus`; otherwise it is drawn."""
    random = check_random_state(random_state)
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    return int(random.randint(np.iinfo(np.int32).max))


def _require_count(clusters: Any) -> None:
    if clusters is not None:
        whole("n_clusters", clusters, 1)


def _bounds(counts: Any) -> tuple[int, int]:
    """The least and the most clusters of a base clustering."""
    pair = tuple(counts) if isinstance(counts, (tuple, list, np.ndarray)) else (counts, counts)
    are_whole = all(isinstance(count, numbers.Integral) and not isinstance(count, bool) for count in pair)
    if not (are_whole and len(pair) == 2 and 1 <= pair[0] <= pair[1]):
        raise ValueError(f"base_n_clusters is {counts!r}; expected a whole number from 1, or the least and the most")
    return int(pair[0]), int(pair[1])


def _random_states(known: dict[str, Any], seed: int) -> dict[str, Any]:
    """A clusterer's own random state is the seed; those of its parts, as of the steps of a pipeline, are drawn with it."""
    states: dict[str, Any] = {"random_state": seed} if "random_state" in known else {}
    random = np.random.RandomState(seed)
    for name in sorted(name for name in known if name.endswith("__random_state")):
        states[name] = int(random.randint(np.iinfo(np.int32).max))
    return states


def _place_of_count(known: dict[str, Any], base: str) -> str:
    """The parameter with the number of clusters: a clusterer's own, or that of the one part which has one."""
    if "n_clusters" in known:
        return "n_clusters"
    places = sorted(name for name in known if name.endswith("__n_clusters"))
    if not places:
        raise ValueError(f"base_n_clusters is given, and {base} takes no number of clusters")
    if len(places) > 1:
        raise ValueError(f"base_n_clusters is given, and {base} has several: {', '.join(places)}; set them in base instead")
    return places[0]


def _fit_base(base: Any, X: Any, seed: int, share: float) -> tuple[Any, NDArray[np.int64]]:
    """A fitted base clusterer, and its labels for all objects."""
    objects = X.shape[0]
    if share == 1.0:
        return base, base.fit_predict(X)
    seen = np.sort(np.random.RandomState(seed).permutation(objects)[: max(2, math.ceil(share * objects))])
    labels = np.full(objects, -1, dtype=np.int64)
    labels[seen] = base.fit_predict(X[seen])
    return base, labels


def _with_labels(labels: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which base clusterings have a label: density-based ones may call everything noise."""
    found: NDArray[np.bool_] = np.asarray((labels >= 0).any(axis=0))
    if not found.all():
        warnings.warn(f"{(~found).sum()} of {len(found)} base clusterings are noise alone and are left out", UserWarning, stacklevel=3)
    return found


def _require_clusters(labels: NDArray[np.int64]) -> None:
    if all(len(np.unique(column[column >= 0])) < 2 for column in labels.T):
        raise ValueError("no base clustering found more than one cluster; change base or base_n_clusters")
