"""Runs conclave and peers in processes of their own, one at a time, one thread each, with limits of time and memory, and prints
tables."""

import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
CONCLAVE = os.environ.get("CONCLAVE", "target/release/conclave")
GIGABYTES = 8
# CPU seconds for reading, and for what a peer imports.
ALLOWANCE = 5
# Shorter runs are rarely interrupted, and reading varies by a part of it.
SHORT = 0.005
# Wall-clock time in which that much CPU time should be had.
PATIENCE = 3
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ["OMP", "OPENBLAS", "MKL", "RAYON"]} | {"POLARS_MAX_THREADS": "1"}
OUT_OF_MEMORY = ["MemoryError", "bad_alloc", "emory allocation", "out of memory", "Unable to allocate", "of memory"]


class NoAnswer(Exception):
    """Why a program has none."""


@dataclass(frozen=True)
class Done:
    printed: str
    seconds: float
    megabytes: float
    # Why it did not come to its end.
    why: str | None


def launch(command, limit, cpu_seconds=0, runs=1):
    """What a command prints and uses; `cpu_seconds` are where it does not see to its limit itself."""
    with tempfile.TemporaryDirectory() as name:
        report = Path(name) / "report.json"
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(HERE / "launch.py"), str(report), str(GIGABYTES), str(cpu_seconds), *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | ONE_THREAD,
            start_new_session=True,
        )
        try:
            printed, words = process.communicate(timeout=PATIENCE * (runs * limit + 2 * ALLOWANCE))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise NoAnswer(f"> {limit} s") from None
        used = json.loads(report.read_text())
    return Done(printed, used["seconds"], used["megabytes"], why_not(used["status"], words, limit))


def why_not(status, words, limit):
    # Octave does not die of the signal: its caller hears of it.
    if -status in (signal.SIGXCPU, signal.SIGKILL) or "out of time" in words:
        return f"> {limit} s"
    if status and any(sign in words for sign in OUT_OF_MEMORY):
        return f"> {GIGABYTES} GB"
    return f"failed: {(words.strip().splitlines() or [''])[-1][-100:]}" if status else None


def ask_peer(method, peer, folder, clusters, limit, **more):
    """The answers of a peer to the table in a folder, as `answer.py` prints them: one for every repeat, and what it uses.

    `more`: `repeats` (at most, while they are short), `restarts`, `ours` (a file of labels that the peer judges), `checkouts`,
    `starts` (objectives of that many single starts, and nothing else), `steps` (whether steps are timed, where the peer has
    them), `quality` (whether whole runs are made)."""
    request = {"method": method, "peer": peer, "folder": str(folder), "clusters": clusters, "limit": limit} | more
    runs = more.get("repeats", 3)
    done = launch([sys.executable, str(HERE / "answer.py"), json.dumps(request)], limit, runs=runs)
    answers = [json.loads(line) for line in done.printed.splitlines() if line.startswith("{")]
    answers = [answer for answer in answers if answer.get("seconds", 0) <= limit]
    if not answers:
        raise NoAnswer(done.why or f"> {limit} s")
    for answer in answers:
        if "labels" in answer:
            answer["labels"] = np.load(answer["labels"])
    return answers, done.megabytes


def ask_conclave(method, folder, clusters, limit, params=(), seed=1):
    """Its answer, with the memory of the whole command. `seconds` are those of the method alone, by the clock on the wall. Of
    longer runs they are the CPU seconds of the command less those of reading, where these are fewer: on a busy machine the
    clock goes on while others compute."""
    command = [CONCLAVE, "consensus", str(folder / "table.csv"), "--method", method, "--json", "--threads", "1"]
    command += ["--seed", str(seed)]
    if not method.startswith("nbce"):  # which finds the number of clusters
        command += ["-k", str(clusters)]
    for name, value in dict(params).items():
        command += ["--param", f"{name}={value}"]
    done = launch(command, limit, cpu_seconds=limit + ALLOWANCE)
    if done.why:
        raise NoAnswer(done.why)
    answer = json.loads(done.printed)
    if answer["seconds"] > SHORT:
        answer["seconds"] = min(answer["seconds"], max(SHORT, done.seconds - reading_seconds(folder)))
    if answer["seconds"] > limit:
        raise NoAnswer(f"> {limit} s")
    return answer | {"labels": np.array(answer["labels"]), "megabytes": done.megabytes}


@functools.cache
def reading_seconds(folder):
    """The CPU seconds that conclave takes to start and to read the table, at the very least: of commands whose method takes
    next to nothing, the fewest, less what that method took by the clock."""
    command = [CONCLAVE, "consensus", str(folder / "table.csv"), "--method", "kmeans", "-k", "2", "--json", "--threads", "1"]
    command += ["--param", "iterations=1"]

    def once():
        done = launch(command, ALLOWANCE)
        return 0 if done.why else done.seconds - json.loads(done.printed)["seconds"]

    return max(0, min(once() for _ in range(8)))


def adjusted_rand(one, other):
    from sklearn.metrics import adjusted_rand_score

    return adjusted_rand_score(one, other)


def number(value, digits=6):
    return "" if value is None else f"{value:.{digits}g}"


def print_row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def print_head(*cells):
    print_row(*cells)
    print_row(*["---"] * len(cells))


def print_versions(packages, checkouts):
    from peer import versioned

    def printed(*command):
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()

    found = [printed(CONCLAVE, "--version")]
    found.append(f"Python {sys.version.split()[0]}")
    found += [versioned(package) for package in packages]
    if shutil.which("Rscript"):
        versions = "cat(paste0('R ', getRversion(), \", R's clue \", packageVersion('clue')))"
        found.append(printed("Rscript", "-e", versions))
    if checkouts:
        octave = printed("octave-cli", "--version") if shutil.which("octave-cli") else "no Octave"
        found.append(octave.splitlines()[0])
    print(", ".join(found) + "\n", flush=True)
    return found
