"""R's package clue, as a peer of `voting`: a consensus by votes, one base clustering after the other."""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from hot import Hot, mean_nmi
from peer import Peer, Timed

# Reading, and making partitions of it, is not counted.
PROGRAM = """
suppressMessages(library(clue))
given <- commandArgs(trailingOnly = TRUE)
labels <- read.csv(given[1])
set.seed(as.integer(given[3]))
ensemble <- cl_ensemble(list = lapply(labels, as.cl_hard_partition))
before <- proc.time()
consensus <- cl_consensus(ensemble, method = "DWH", control = list(k = as.integer(given[2])))
used <- proc.time() - before
cat(sprintf('{"seconds": %.4f}', sum(used[1:2])), cl_class_ids(consensus), sep = "\\n")
"""


def voting_by_clue(table, clusters, seed=1, **_):
    """Dimitriadou, Weingessel & Hornik 2002."""
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "labels.csv"
        header = ",".join(f"c{column}" for column in range(table.shape[1]))
        np.savetxt(source, table, fmt="%d", delimiter=",", header=header, comments="")
        command = ["Rscript", "-e", PROGRAM, str(source), str(clusters), str(seed)]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("out of time" if done.returncode < 0 else done.stderr.strip()[-100:])
    first, *labels = done.stdout.split("\n")
    found = np.array([int(label) - 1 for label in labels if label])
    return Timed(found, json.loads(first)["seconds"], lambda labels: mean_nmi(Hot(table), labels))


PEERS = {"voting": [Peer("R's clue", voting_by_clue)]} if shutil.which("Rscript") else {}
