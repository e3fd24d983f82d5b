"""A consensus and a comparison, and what they say of themselves."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import re
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import PROJECT

import conclave
from conclave import metrics


def test_an_answer_has_labels_memberships_confidence_and_an_objective(noisy, truth):
    answer = conclave.consensus(noisy, "v-bce", 3, seed=7)
    assert answer.labels_.dtype == np.int64 and answer.labels_.shape == (120,)
    assert metrics.ari(truth, answer.labels_) > 0.9
    assert answer.memberships_.shape == (120, 3)
    assert np.allclose(answer.memberships_.sum(axis=1), 1)
    assert np.allclose(answer.confidence_, answer.memberships_[np.arange(120), answer.labels_])
    assert (answer.n_clusters_, answer.k_, answer.k_from_) == (3, 3, "k")
    assert isinstance(answer.objective_, float) and answer.objective_name_


def test_confidence_without_memberships_is_support(noisy):
    answer = conclave.consensus(noisy, "eac-al", 3)
    assert answer.memberships_ is None
    together = (noisy[:, None, :] == noisy[None, :, :]).mean(axis=2)
    for cluster in range(3):
        own = np.flatnonzero(answer.labels_ == cluster)
        block = together[np.ix_(own, own)]
        support = (block.sum(axis=1) - 1) / (len(own) - 1)
        assert np.allclose(answer.confidence_[own], support)


def test_every_method_has_an_answer(noisy):
    for one in conclave.methods().rows():
        answer = conclave.consensus(noisy, one["name"], 3 if one["needs_k"] else None)
        assert len(answer.labels_) == 120, one["name"]
        assert (answer.memberships_ is not None) == one["memberships"], one["name"]


def test_the_recommended_method_answers_unless_one_is_named(noisy):
    few = noisy[::4, :5]
    compared = conclave.compare(few, output="table")
    answer = conclave.consensus(few)
    assert answer.method_ == compared["method"][0] and answer.reason_ == compared.attrs["reason"]
    assert (answer.labels_ == compared.attrs["answers"][answer.method_].labels_).all()


def test_the_recommended_answer_has_as_many_clusters_as_were_asked_for(noisy):
    for k in (2, 5):
        assert conclave.consensus(noisy[::4, :5], k=k).n_clusters_ == k


def test_a_comparison_is_a_data_frame_of_any_library(noisy, truth):
    few, truth = noisy[::4, :5], truth[::4]
    table = conclave.compare(few, 3, truth=truth, output="table")
    frame = conclave.compare(few, 3, truth=truth)
    assert isinstance(frame, pd.DataFrame)
    same = [name for name in table.columns if name != "seconds"]
    for other in (table.to_pandas(), table.to_polars().to_pandas(), pa.table(table).to_pandas()):
        pd.testing.assert_frame_equal(other[same], frame[same], check_dtype=False)
    assert pl.DataFrame(table).columns == table.columns
    assert pl.DataFrame(conclave.methods()).schema["needs_k"] == pl.Boolean
    assert frame["ari"].iloc[0] > 0.5 and frame.attrs["reason"].startswith(frame["method"][0])
    assert frame.head(3).sort_values("seconds").attrs["answers"].keys() == frame.attrs["answers"].keys()
    assert np.array(frame.attrs["ari"]).shape == (len(frame), len(frame))


def test_methods_that_cannot_take_the_labels_are_left_out_with_their_reason(noisy):
    noisy[0, 0] = -1
    left = conclave.compare(noisy[::4, :5], 3, missing=-1, output="table").attrs["left_out"]
    assert left and all(isinstance(reason, str) and reason for reason in left.values())
    assert any("needs every label" in reason for reason in left.values())


@pytest.mark.parametrize("kept", [lambda answer: answer, copy.deepcopy, lambda answer: pickle.loads(pickle.dumps(answer))])
def test_the_arrays_of_an_answer_cannot_be_changed(noisy, kept):
    answer = kept(conclave.consensus(noisy, "mm", 3))
    for array in (answer.labels_, answer.memberships_, answer.confidence_):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    # Estimators are scikit-learn's, whose users change what is found.
    assert conclave.ClusterEnsemble(3, method="mm").fit(noisy).labels_.flags.writeable


ENDLESS: list = []
ENDLESS.append(ENDLESS)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"method": "v-bec"}, ValueError, "did you mean `v-bce`"),
        ({"method": "mm", "k": 121}, ValueError, "121 clusters of 120 objects"),
        ({"method": "mm", "k": 0}, ValueError, "k is 0"),
        ({"method": "mm", "k": 2.5}, TypeError, "k is 2.5"),
        ({"method": "mm", "k": True}, TypeError, "k is True"),
        ({"method": "mm", "seed": -1}, ValueError, "seed is -1"),
        ({"method": "mm", "seed": 2**64}, ValueError, "seed is 18446744073709551616"),
        ({"method": "nbce-gibbs", "k": 3}, ValueError, "leave out k"),
        ({"method": "mm", "params": {"restart": 3}}, ValueError, "did you mean `restarts`"),
        ({"method": "mm", "params": {"restarts": 0}}, ValueError, "`restarts` is 0; expected a whole number from 1"),
        ({"method": "mm", "params": {"restarts": {}}}, ValueError, "`restarts` is "),
        ({"method": "mm", "params": {"restarts": True}}, ValueError, "`restarts` is a bool"),
        ({"params": {"restarts": 3}}, ValueError, "params go with one method"),
        ({"method": "mm", "threads": 0}, ValueError, "threads is 0"),
        ({"method": "mm", "threads": "2"}, TypeError, "threads is '2'"),
        ({"method": "mm", "threads": 2**70}, ValueError, "threads is "),
        ({"method": "mm", "params": {"restarts": 2**70}}, ValueError, "which no parameter can be"),
        ({"method": "mm", "params": {"restarts": b"3"}}, ValueError, "`restarts` is a bytes"),
        ({"method": "mm", "params": {"restarts": ENDLESS}}, ValueError, "`restarts` is a list"),
        ({"method": "mm", "params": [("restarts", 3)]}, TypeError, "expected a dictionary"),
        ({"method": None}, TypeError, "method is None"),
        ({"k": 121}, ValueError, "only 120 objects"),
        ({"limit": -1}, ValueError, "limit is -1"),
        ({"limit": "3"}, ValueError, "limit is '3'"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_in_words(noisy, arguments, error, words):
    with pytest.raises(error, match=words):
        conclave.consensus(noisy, **arguments)


def test_numbers_of_numpy_are_numbers(noisy):
    plain = conclave.consensus(noisy, "mm", 3, 7, params={"restarts": 2})
    numpy = conclave.consensus(noisy, "mm", np.int32(3), np.uint8(7), params={"restarts": np.int64(2)})
    assert (plain.labels_ == numpy.labels_).all() and plain.params_ == numpy.params_


def test_the_answer_does_not_depend_on_threads_or_on_the_form_of_the_labels(noisy):
    expected = conclave.consensus(noisy, "mm", 3, 11, threads=1)
    forms = [noisy.astype("u1"), np.asfortranarray(noisy), pd.DataFrame(noisy), pl.DataFrame(noisy), noisy.astype(str)]
    for form in forms:
        found = conclave.consensus(form, "mm", 3, 11, threads=4)
        assert (found.labels_ == expected.labels_).all()
        assert found.memberships_.tobytes() == expected.memberships_.tobytes()
        assert found.objective_ == expected.objective_


def test_an_answer_can_be_kept_and_copied(noisy):
    for method in ("mm", "eac-al"):
        answer = conclave.consensus(noisy, method, 3)
        kept = pickle.loads(pickle.dumps(answer))
        assert (kept.labels_ == answer.labels_).all() and (kept.confidence_ == answer.confidence_).all()
        assert (kept.memberships_ is None) == (answer.memberships_ is None)
        assert kept.report() == answer.report()
        assert copy.deepcopy(answer).labels_ is answer.labels_


def combined(seed):
    labels = np.random.default_rng(0).integers(0, 5, (300, 8))
    return conclave.consensus(labels, "mm", 3, seed, threads=4).labels_.tolist()


@pytest.mark.skipif(sys.platform != "linux", reason="how processes are started differs")
@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_worker_processes_have_the_same_answers(start):
    # Before the fork, too: threads that are gone in the child must not be waited for.
    expected = [combined(seed) for seed in range(3)]
    with multiprocessing.get_context(start).Pool(2) as pool:
        assert pool.map_async(combined, range(3)).get(60) == expected


def test_a_thousand_calls_leave_nothing_behind(noisy):
    frames = [noisy[:20], pd.DataFrame(noisy[:20].astype(str)), pl.DataFrame(noisy[:20]), noisy[:20].astype(object)]

    def call(times):
        for turn in range(times):
            answer = conclave.consensus(frames[turn % 4], "mm", 3, threads=1, params={"restarts": 1})
            answer.labels_, answer.memberships_, answer.confidence_
            with pytest.raises(ValueError):
                conclave.consensus(frames[turn % 4], "mmm", 3)

    def resident():
        with open("/proc/self/statm") as counts:
            return int(counts.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    if not os.path.exists("/proc/self/statm"):
        pytest.skip("only Linux says how much memory is taken")
    call(200)
    before = resident()
    call(1000)
    assert resident() - before < 3e6


def test_other_threads_run_meanwhile(noisy):
    large = np.random.default_rng(1).integers(0, 8, (1500, 8))
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.01)

    ticking = threading.Thread(target=tick)
    ticking.start()
    started = time.monotonic()
    conclave.consensus(large, "mm", 4, params={"restarts": 1})
    took = time.monotonic() - started
    done.set()
    ticking.join()
    assert took < 0.2 or len(ticks) > took / 0.01 / 20


INTERRUPTED = """
import os, signal, sys, threading, time
import numpy as np
import conclave

labels = np.random.default_rng(1).integers(0, 9, (4000, 20))
struck = []
def reader(wait):
    import pyarrow
    def batches():
        for batch in range(100_000):
            wait(batch)
            yield pyarrow.record_batch({"a": [1, 2], "b": [batch % 3, 2]})
    return pyarrow.RecordBatchReader.from_batches(pyarrow.schema([("a", pyarrow.int64()), ("b", pyarrow.int64())]), batches())
def strike():
    time.sleep(1.5)
    struck.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=strike, daemon=True).start()
try:
    {call}
except KeyboardInterrupt:
    print(time.monotonic() - struck[0], flush=True)
    # What is left behind is not waited for.
    os._exit(0)
else:
    print("finished before")
"""


@pytest.mark.parametrize(
    "call",
    [
        'conclave.consensus(labels, "mm", 9, params={"restarts": 1000000, "iterations": 100000})',
        'conclave.consensus(labels, "nbce-gibbs")',
        "conclave.compare(labels)",
        "conclave.consensus(np.random.default_rng(1).random((1_500_000, 20)), 'voting', 5)",
        # Work of the core that nobody can stop is left behind.
        "conclave.metrics.accuracy(np.tile(np.arange(6000), 3), np.concatenate([np.random.default_rng(one).permutation(6000) for one in range(3)]))",
        "conclave.generate.linkage(np.random.default_rng(0).random((15000, 4)), 20, k=3)",
        # Batches that Python makes, one after the other and one that never comes: whoever waits for them must not hold Python's lock.
        "conclave.consensus(reader(lambda batch: time.sleep(0.02)), 'mm', 2)",
        "conclave.consensus(reader(lambda batch: time.sleep(60 * batch)), 'mm', 2)",
    ],
    ids=["mm", "nbce-gibbs", "compare", "reading", "accuracy", "linkage", "slow-stream", "asleep-stream"],
)
def test_ctrl_c_interrupts(call):
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.replace("{call}", call)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    # A second, and what a busy machine adds.
    assert float(done.stdout) < 3, done.stdout + done.stderr


def test_a_run_that_does_not_fit_into_memory_is_refused():
    # All pairs of 400,000 distinct rows.
    labels = np.array([np.arange(400_000) // 700, np.arange(400_000) % 700]).T
    with pytest.raises(RuntimeError, match="needs about .* of memory"):
        conclave.consensus(labels, "eac-al", 3)


@pytest.mark.skipif(not os.path.exists("/proc/self/limits"), reason="only Linux says how much memory there is")
def test_what_does_not_fit_into_memory_is_refused_wherever_it_is_made():
    features = np.zeros((200_000, 2))
    with pytest.raises(RuntimeError, match="linkage: needs about 640 GB of memory"):
        conclave.generate.linkage(features, 2, k=3)
    for size in (10**12, 2**62):
        with pytest.raises(RuntimeError, match="kmeans: needs about .* of memory"):
            conclave.generate.kmeans(features[:30], size, k=3)


LIMITED = """
import resource
import numpy as np
import conclave

labels = np.arange(2_000_000) % 400
answer = conclave.consensus([labels, labels], "mm", 400, params={"restarts": 1, "iterations": 1}, threads=1)
with open("/proc/self/status") as status:
    used = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmSize"))
resource.setrlimit(resource.RLIMIT_AS, (used + 10**9, used + 10**9))
for call in (lambda: answer.memberships_, lambda: conclave.consensus(np.array([np.arange(40_000) // 200, np.arange(40_000) % 200]).T, "eac-al", 3)):
    try:
        call()
    except RuntimeError as error:
        print(error)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/limits"), reason="only Linux says how much memory there is")
def test_the_limit_of_the_process_counts():
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert [line.split(" needs about ")[0] for line in done.stdout.splitlines()] == ["its memberships:", "eac-al:"], done.stdout


def test_a_data_frame_of_answers_is_written_to_a_file(noisy, tmp_path):
    frame = conclave.compare(noisy[::4, :5], 3)
    # As docs/PYTHON.md says: pandas writes attributes as JSON.
    frame.attrs.clear()
    frame.to_parquet(tmp_path / "compared.parquet")
    assert pd.read_parquet(tmp_path / "compared.parquet").equals(frame)


def test_pages_show_the_answer_and_escape_what_users_wrote(noisy, tmp_path):
    answer = conclave.consensus(noisy, "eac-al", 3)
    shown = answer._repr_html_()
    assert shown.count("<svg") == 2 and "data:image/png;base64," in shown and len(shown) < 100_000
    path = tmp_path / "report.html"
    assert answer.report(path) == path.read_text()
    assert "<script" not in answer.report()
    table = conclave.Table({"<b>": ["<i>"]}, {})
    assert "<b>" not in table._repr_html_() and "&lt;i&gt;" in table._repr_html_()


def test_pages_of_many_clusters_and_of_tiny_ensembles_are_drawn():
    many = np.repeat(np.arange(80), 2)
    assert "50 more clusters" in conclave.consensus([many, many], "voting", 80).report()
    assert "<svg" in conclave.consensus([[0, 1], [0, 1]], "voting", 2).report()


def test_the_readme_counts_the_methods():
    counted = re.search(r"(\d+) methods of the literature", (PROJECT / "python" / "README.md").read_text())
    assert counted and int(counted[1]) == len(conclave.methods())
