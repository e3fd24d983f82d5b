"""k_modes.py with `stream = true`: one process, one task after another. Standard library only."""
import json, random, sys

for line in sys.stdin:
    header = json.loads(line)
    rows = [tuple(sys.stdin.readline().rstrip("\n").split(",")) for _ in range(header["rows"])]
    random.seed(header["seed"])  # anew for each task: what came before has no part in its answer
    modes = random.sample(sorted(set(rows)), header["k"])
    for _ in range(header["params"]["iterations"]):
        clusters = [min(range(len(modes)), key=lambda c: sum(map(str.__ne__, row, modes[c]))) for row in rows]
        for c in range(len(modes)):
            members = [row for row, cluster in zip(rows, clusters) if cluster == c] or [modes[c]]
            modes[c] = [max(sorted(set(column)), key=column.count) for column in zip(*members)]
    print(*clusters, sep="\n")
    print("end", header["seed"], flush=True)  # the line that ends this answer
