"""The estimators are estimators."""

from __future__ import annotations

import collections
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.cluster import DBSCAN, AgglomerativeClustering, FeatureAgglomeration, KMeans
from sklearn.datasets import load_iris, make_blobs
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from conclave import ClusterEnsemble, ConsensusClustering, metrics
from conclave.sklearn import expected_failed_checks


@pytest.mark.parametrize(
    "estimator",
    [ConsensusClustering(n_estimators=5, method="eac-al"), ConsensusClustering(n_estimators=5, method="mm"), ClusterEnsemble(method="mm")],
    ids=["ConsensusClustering-eac-al", "ConsensusClustering-mm", "ClusterEnsemble"],
)
def test_estimators_pass_the_checks_of_scikit_learn(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = check_estimator(estimator, expected_failed_checks=expected_failed_checks(estimator), on_fail=None)
    counts = collections.Counter(one["status"] for one in done)
    print(f"{type(estimator).__name__}: {dict(counts)}")
    failed = [(one["check_name"], one["exception"]) for one in done if one["status"] == "failed"]
    assert not failed
    assert counts["passed"] > 40
    # What is expected to fail does fail: otherwise it is no exception any more.
    assert counts["xfail"] == (2 if isinstance(estimator, ClusterEnsemble) else 0)


def test_the_same_random_state_gives_the_same_labels_for_any_number_of_jobs():
    features, _ = make_blobs(60, centers=3, random_state=0)
    one, two = (
        ConsensusClustering(3, method="mm", n_estimators=6, random_state=1, n_jobs=jobs).fit(features) for jobs in (1, 2)
    )
    assert (one.base_labels_ == two.base_labels_).all() and (one.labels_ == two.labels_).all()
    other = ConsensusClustering(3, method="mm", n_estimators=6, random_state=2).fit(features)
    assert not (other.base_labels_ == one.base_labels_).all()


@pytest.mark.parametrize(
    "base", [KMeans(n_clusters=4, n_init=1), AgglomerativeClustering(), DBSCAN(eps=1.0)], ids=lambda base: type(base).__name__
)
def test_any_clusterer_makes_base_clusterings(base):
    features, classes = make_blobs(90, centers=3, cluster_std=0.6, random_state=4)
    found = ConsensusClustering(3, method="mm", base=base, max_samples=0.7, n_estimators=8, random_state=0).fit(features)
    assert (found.base_labels_ == -1).sum() >= 8 * 27
    assert metrics.ari(classes, found.labels_) > 0.5
    assert hasattr(found, "predict") == hasattr(base, "predict")
    assert not hasattr(base, "labels_")


def test_it_works_in_a_pipeline_and_a_grid():
    features, classes = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), ConsensusClustering(3, method="tcut", n_estimators=8, random_state=0))
    assert metrics.ari(classes, pipeline.fit_predict(features)) > 0.5
    # Rows of iris are sorted by class, and folds are not shuffled: each would lack a class.
    features, classes = make_blobs(90, centers=3, cluster_std=0.6, random_state=4)
    grid = GridSearchCV(pipeline, {"consensusclustering__n_clusters": [2, 3]}, cv=3, error_score="raise").fit(features, classes)
    assert grid.best_params_ == {"consensusclustering__n_clusters": 3}
    without = GridSearchCV(pipeline, {"consensusclustering__method": ["mm", "tcut"]}, cv=2, error_score="raise").fit(features)
    assert 0 < without.best_score_ <= 1


def test_new_objects_go_where_like_objects_are():
    features, _ = make_blobs(120, centers=4, cluster_std=0.5, random_state=3)
    found = ConsensusClustering(4, method="eac-al", n_estimators=10, random_state=0).fit(features[:90])
    assert (found.predict(features[:90]) == found.labels_).mean() > 0.97
    near = features[:90] + 1e-9
    assert (found.predict(near) == found.predict(features[:90])).all()


def test_labels_of_every_kind_are_combined_without_losing_their_gaps():
    frame = pd.DataFrame({"x": ["a", "a", "b", "b", None], "y": [1, 1, 2, 2, 2], "z": pd.Categorical(["p", "p", "q", "q", "q"])})
    found = ClusterEnsemble(2, method="mm", random_state=0).fit(frame)
    assert metrics.ari([0, 0, 1, 1, 1], found.labels_) == 1
    assert found.feature_names_in_.tolist() == ["x", "y", "z"]
    assert clone(found).get_params()["method"] == "mm"
    rows = [["a", 1.0], ["a", 1.0], ["b", 2.0], ["b", float("nan")], [float("nan"), 2.0]]
    assert ClusterEnsemble(2, method="mm", random_state=0).fit_predict(rows).tolist() == [1, 1, 0, 0, 0]


@pytest.mark.parametrize("base", [None, KMeans, FeatureAgglomeration(2), object()], ids=["none", "class", "features", "object"])
def test_what_is_no_clusterer_is_no_base(base):
    with pytest.raises(TypeError, match="expected 'kmeans' or a clusterer"):
        ConsensusClustering(base=base, method="mm").fit(np.random.default_rng(0).random((30, 2)))


class SometimesNoise(KMeans):
    """Calls everything noise for some seeds, as DBSCAN does for some samples."""

    def fit_predict(self, X, y=None, sample_weight=None):
        labels = super().fit_predict(X)
        return np.full_like(labels, -1) if self.random_state % 3 == 0 else labels


def test_base_clusterings_of_noise_alone_are_left_out():
    features, classes = make_blobs(60, centers=3, cluster_std=0.5, random_state=4)
    with pytest.warns(UserWarning, match="base clusterings are noise alone"):
        found = ConsensusClustering(3, method="mm", base=SometimesNoise(3), n_estimators=12, random_state=0).fit(features)
    assert (found.base_labels_ == -1).all(axis=0).any() and metrics.ari(classes, found.labels_) > 0.9
    assert (found.predict(features) == found.labels_).mean() > 0.9


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"base": "kmean"}, "base is 'kmean'"),
        ({"base_n_clusters": (3,)}, r"base_n_clusters is \(3,\)"),
        ({"n_estimators": 1}, "n_estimators is 1"),
        ({"max_samples": 0}, "max_samples is 0"),
        ({"base_n_clusters": (3, 2)}, r"base_n_clusters is \(3, 2\)"),
        ({"base": DBSCAN(), "base_n_clusters": 3}, "DBSCAN takes no number of clusters"),
        ({"base": KMeans(1)}, "no base clustering found more than one cluster"),
        ({"method": "mmm"}, "no method is named `mmm`"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        ConsensusClustering(**options).fit(np.random.default_rng(0).random((30, 2)))
