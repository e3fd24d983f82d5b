"""The estimators are estimators."""

from __future__ import annotations

import collections
import subprocess
import sys
import warnings

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.cluster import DBSCAN, AgglomerativeClustering, FeatureAgglomeration, KMeans
from sklearn.datasets import load_iris, make_blobs
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import conclave
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


@pytest.mark.parametrize("inside", [None, 0])
def test_random_states_of_the_steps_of_a_pipeline_are_drawn_for_every_base_clustering(inside):
    features = np.random.default_rng(0).random((80, 2))
    base = make_pipeline(StandardScaler(), KMeans(5, n_init=1, init="random", random_state=inside))
    one, two = (ConsensusClustering(3, method="mm", base=base, random_state=0, n_estimators=6).fit(features) for _ in range(2))
    assert (one.base_labels_ == two.base_labels_).all() and (one.labels_ == two.labels_).all()
    assert len({tuple(column) for column in one.base_labels_.T}) == 6
    states = {inner.get_params()["kmeans__random_state"] for inner in one.estimators_}
    assert len(states) == 6 and base.get_params()["kmeans__random_state"] == inside


def test_a_clusterer_s_own_random_state_is_its_seed():
    # Labels of clusterers that are no pipelines do not change with the package.
    found = ConsensusClustering(3, method="mm", base=KMeans(4, n_init=1), random_state=0, n_estimators=3).fit(load_iris().data)
    seeds = np.random.RandomState(0).randint(np.iinfo(np.int32).max, size=4)
    assert [base.random_state for base in found.estimators_] == seeds[:3].tolist()


def test_the_number_of_clusters_may_be_that_of_a_step():
    features = np.random.default_rng(0).random((80, 2))
    base = make_pipeline(StandardScaler(), KMeans(n_init=1))
    found = ConsensusClustering(3, method="mm", base=base, base_n_clusters=(4, 9), random_state=0, n_estimators=8).fit(features)
    counts = {len(np.unique(column)) for column in found.base_labels_.T}
    assert len(counts) > 1 and counts <= set(range(4, 10))
    several = make_pipeline(FeatureAgglomeration(), KMeans(n_init=1))
    with pytest.raises(ValueError, match="several: featureagglomeration__n_clusters, kmeans__n_clusters"):
        ConsensusClustering(3, method="mm", base=several, base_n_clusters=3).fit(features)


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
    assert ClusterEnsemble(2, method="mm", random_state=0).fit_predict(rows).tolist() == [0, 0, 1, 1, 1]


MIXED = {
    "category": pd.Categorical(list("xxyyx")),
    "Int64": pd.array([1, 1, 2, 2, None], dtype="Int64"),
    "boolean": pd.array([True, True, False, False, None], dtype="boolean"),
    "Float64": pd.array([0.5, 0.5, 1.5, 1.5, None], dtype="Float64"),
    "string": pd.array(["a", "a", "b", "b", None], dtype="string"),
    "object": [1, 1, "b", "b", None],
    "float": [1.0, 1.0, 2.0, 2.0, float("nan")],
}


@pytest.mark.parametrize("other", [name for name in MIXED if name != "category"])
@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_of_columns_of_several_types_are_combined(other, library):
    frame = pd.DataFrame({"category": MIXED["category"], other: MIXED[other]})
    if library != "pandas":
        frame = frame.astype({"object": str}) if other == "object" else frame
        table = pa.Table.from_pandas(frame)
        frame = table if library == "pyarrow" else pl.DataFrame(table)
    found = ClusterEnsemble(2, method="mm", random_state=0).fit(frame)
    assert metrics.ari([0, 0, 1, 1, 0], found.labels_) == 1
    assert found.n_features_in_ == 2
    # scikit-learn does not ask tables of pyarrow for their names.
    assert library == "pyarrow" or found.feature_names_in_.tolist() == ["category", other]


@pytest.mark.parametrize(("rows", "columns", "words"), [(1, 2, "1 sample"), (0, 2, "0 sample"), (3, 1, "1 feature")])
def test_frames_that_are_too_small_are_refused(rows, columns, words):
    frame = pd.DataFrame({str(place): pd.Categorical(["x"] * rows) for place in range(columns)})
    with pytest.raises(ValueError, match=words):
        ClusterEnsemble(2, method="mm").fit(frame)


def test_a_whole_random_state_is_the_seed_of_an_ensemble():
    labels, one = np.random.default_rng(0).integers(0, 6, (80, 4)), {"restarts": 1}
    found = ClusterEnsemble(5, method="mm", random_state=3, params=one).fit(labels)
    same, other = (conclave.consensus(labels, "mm", 5, seed=seed, params=one) for seed in (3, 4))
    assert (found.labels_ == same.labels_).all() and (found.labels_ != other.labels_).any()
    drawn = [ClusterEnsemble(5, method="mm", random_state=np.random.RandomState(3), params=one).fit(labels).labels_ for _ in range(2)]
    assert (drawn[0] == drawn[1]).all() and (drawn[0] != same.labels_).any()


def threads_of(estimator, data, monkeypatch):
    """How many threads its consensus is given."""
    given = []

    def consensus(*arguments, threads=None, **named):
        given.append(threads)
        return conclave.consensus(*arguments, threads=threads, **named)

    monkeypatch.setattr(conclave.sklearn, "consensus", consensus)
    estimator.fit(data)
    return given


@pytest.mark.parametrize("estimator", [ConsensusClustering(3, method="mm", n_estimators=3), ClusterEnsemble(3, method="mm")])
def test_the_consensus_takes_as_many_threads_as_there_are_jobs(estimator, noisy, monkeypatch):
    assert threads_of(clone(estimator), noisy, monkeypatch) == [1]
    assert threads_of(clone(estimator).set_params(n_jobs=2), noisy, monkeypatch) == [2]
    with joblib.parallel_config(backend="threading", n_jobs=3):
        assert threads_of(clone(estimator), noisy, monkeypatch) == [3]


WITHOUT = """
import sys
sys.modules["joblib"] = sys.modules["sklearn"] = None
import inspect, pydoc
import conclave
from conclave import *
names = {"ClusterEnsemble", "ConsensusClustering"}
assert not names & ({*dir(conclave)} | {*conclave.__all__} | {*globals()})
assert not any(hasattr(conclave, name) for name in names)
assert "consensus" in dict(inspect.getmembers(conclave)) and "ConsensusClustering" not in dict(inspect.getmembers(conclave))
assert "Combines many clusterings" in pydoc.plain(pydoc.render_doc(conclave))
for ask in (lambda: conclave.ConsensusClustering, lambda: exec("from conclave import ClusterEnsemble"), lambda: __import__("conclave.sklearn")):
    try:
        ask()
    except (AttributeError, ImportError) as error:
        assert "install scikit-learn 1.6 or later: pip install 'conclave[sklearn]'" in str(error), error
    else:
        raise AssertionError("there is no scikit-learn")
print(consensus([[0, 0, 1], [1, 1, 0]], "mm", 2).labels_)
"""


def test_numpy_alone_is_enough_for_all_but_the_estimators():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True)
    assert done.stdout == "[0 0 1]\n" or done.stdout == "[1 1 0]\n", done.stderr


def test_a_scikit_learn_that_is_too_old_is_none(monkeypatch):
    for version, enough in (("1.5.2", False), ("1.6.0rc1", True), ("1.10", True), ("2.0.dev0", True)):
        monkeypatch.setattr("importlib.metadata.version", lambda name: version)
        assert conclave._can_estimate() == enough


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
        ({"max_samples": "a"}, "max_samples is 'a'"),
        ({"base_n_clusters": 4.0}, "base_n_clusters is 4.0"),
        ({"base_n_clusters": (2.5, 3)}, r"base_n_clusters is \(2.5, 3\)"),
        ({"base_n_clusters": "23"}, "base_n_clusters is '23'"),
        ({"n_clusters": -3}, "^n_clusters is -3"),
        ({"base_n_clusters": (3, 2)}, r"base_n_clusters is \(3, 2\)"),
        ({"base": DBSCAN(), "base_n_clusters": 3}, "DBSCAN takes no number of clusters"),
        ({"base": KMeans(1)}, "no base clustering found more than one cluster"),
        ({"method": "mmm"}, "no method is named `mmm`"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        ConsensusClustering(**options).fit(np.random.default_rng(0).random((30, 2)))
