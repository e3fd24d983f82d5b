"""The authors' MATLAB code, run by Octave, and the Python port of it, from checkouts that are no part of this project."""

import resource
import subprocess
import sys
import tempfile
import types
from pathlib import Path

import numpy as np
from hot import LINKS
from peer import Peer, Timed


def by_octave(folder, statements, limit_seconds):
    """MATLAB statements that make `label` out of the table `E` (labels from 1) and the number of clusters `k`."""

    def limit():
        # Octave does not end at the soft limit.
        resource.setrlimit(resource.RLIMIT_CPU, (limit_seconds + 5, limit_seconds + 6))

    def run(table, clusters, **_):
        from scipy.io import loadmat, savemat

        shims = {
            # What is only there as compiled code: entries below a bound dropped, D W D, and a symmetric product.
            "sparsifyc": "function W = sparsifyc(W, least)\nW(abs(W) <= least) = 0;\nW = sparse(W);\nend\n",
            "spmtimesd": "function W = spmtimesd(W, l, r)\nW = diag(sparse(l)) * W * diag(sparse(r));\nend\n",
            "mex_w_times_x_symmetric": "function y = mex_w_times_x_symmetric(x, L)\n"
            "y = L * x + L' * x - full(diag(L)) .* x;\nend\n",
            # Octave's does not hand on the matrix to the function.
            "eigs": "function [V, D, flag] = eigs(f, n, k, which, options, L)\n"
            "[V, D] = eig(full(L + L' - diag(diag(L))));\n[d, at] = sort(diag(D), 'descend');\n"
            "V = V(:, at(1:k)); D = diag(d(1:k)); flag = 0;\nend\n",
        }
        with tempfile.TemporaryDirectory() as name:
            scratch = Path(name)
            for function, text in shims.items():
                (scratch / f"{function}.m").write_text(text)
            codes = np.stack([np.unique(column, return_inverse=True)[1] + 1 for column in table.T], axis=1)
            savemat(scratch / "table.mat", {"E": codes.astype(float), "k": float(clusters)})
            program = (
                f"pkg load statistics; warning('off', 'all'); addpath('{folder}');"
                f"addpath('{folder}/Ncut'); addpath('{scratch}');"
                f"load('{scratch}/table.mat'); t = cputime; evalc(\"{statements}\"); seconds = cputime - t;"
                f"label = double(label(:)); save('-v6', '{scratch}/answer.mat', 'label', 'seconds');"
            )
            done = subprocess.run(
                ["octave-cli", "--no-gui", "--eval", program], capture_output=True, text=True, preexec_fn=limit
            )
            if not (scratch / "answer.mat").exists():
                raise RuntimeError("out of time" if done.returncode < 0 else f"Octave: {done.stderr.strip()[-100:]}")
            answer = loadmat(scratch / "answer.mat")
        return Timed(answer["label"].ravel().astype(int), float(answer["seconds"].item()))

    return run


def octave_peers(folder, limit_seconds):
    reach = "r = max(1, min(20, floor(sqrt(size(D, 1)) / 2))); p.K = r; p.T = r;"
    walks = (
        f"[D, L] = computeMicroclusters(E); {reach} S = computePTS_fast_v3(computeMCA(D), L, p);"
        "[al, cl, sl] = runPTA_v2(S, k);"
    )
    weighted = "w = getNCAI(E) .^ 2; [sl, cl, al] = weac(E, w, k);"
    linked = "C = clHC(cts(E, 0.8), k);"
    segments = "[b, S] = getAllSegs(E); w = computeECI(b, S, 0.4);"
    known = {
        "LWEA_LWGP": {
            "lwea": f"{segments} label = runLWEA(computeLWCA(S, w, size(E, 2)), k);",
            "lwgp": f"{segments} label = runLWGP(b, S, w, k);",
            "tcut": "[b, S] = getAllSegs(E); label = runLWGP(b, S, ones(size(S, 1), 1), k);",
        },
        "PTA_PTGP": {
            **{f"pta-{link}": f"{walks} label = mapMicroclustersBackToObjects({link}, L);" for link in LINKS},
            "ptgp": f"[D, L] = computeMicroclusters(E); {reach} S = computePTS_fast_v3(computeMCA(D), L, p);"
            "label = mapMicroclustersBackToObjects(runPTGP_v2(D, S, k), L);",
        },
        "WEAC_GPMGLA": {
            **{f"weac-{link}": f"{weighted} label = {link};" for link in LINKS},
            "gp-mgla": "label = gpmgla(E, getNCAI(E) .^ 2, k, 0.5);",
        },
        "ECPCS": {"ecpcs-hc": "label = ECPCS_HC(E, k);", "ecpcs-mc": "label = ECPCS_MC(E, k);"},
        "Pepelka/methods/LCE/orig": {
            f"wct-{link}": f"{linked} label = C(:, {column});" for column, link in enumerate(["sl", "cl", "al"], start=1)
        },
    }
    return {
        method: by_octave(folder / name, statements, limit_seconds)
        for name, methods in known.items()
        if (folder / name).is_dir()
        for method, statements in methods.items()
    }


def port_peers(folder):
    """py-cluster-ensemble without what it imports for other things."""
    source = folder / "py-cluster-ensemble" / "src" / "pce"
    if not source.is_dir():
        return {}
    for name in ["pce", "pce.consensus"]:
        module = types.ModuleType(name)
        module.__path__ = [str(source / name.removeprefix("pce").replace(".", "/").lstrip("/"))]
        sys.modules[name] = module

    def core(name, call):
        def run(table, clusters, restarts=None, seed=1):
            from importlib import import_module

            np.random.seed(seed)
            function = getattr(import_module(f"pce.consensus.methods.{name}_core"), f"{name}_core")
            codes = np.stack([np.unique(column, return_inverse=True)[1] + 1 for column in table.T], axis=1)
            return np.asarray(call(function, codes, clusters, restarts)).ravel(), None, None

        return run

    def plain(function, table, clusters, _):
        return function(table, clusters)

    return {
        "lwea": core("lwea", plain),
        "lwgp": core("lwgp", plain),
        "tcut": core("usenc", plain),
        **{f"pta-{link}": core(f"pta{link}", plain) for link in LINKS},
        "ptgp": core("ptgp", plain),
        "ecpcs-hc": core("ecpcs_hc", lambda function, table, clusters, _: function(table, 20, clusters)),
        "ecpcs-mc": core("ecpcs_mc", lambda function, table, clusters, _: function(table, 20, clusters)),
        "kcc": core(
            "kcc_uh",
            lambda function, table, clusters, restarts: function(
                table, clusters, np.ones(table.shape[1]), rep=restarts or 5, max_iter=20
            ),
        ),
    }


def authors_peers(method, checkouts, limit_seconds):
    folder = Path(checkouts).resolve()
    found = {"authors, Octave": octave_peers(folder, limit_seconds), "py-cluster-ensemble": port_peers(folder)}
    return [Peer(name, peers[method]) for name, peers in found.items() if method in peers]
