"""k-modes on rows of labels: a cluster is the row that agrees with most of its members. Standard library only."""
import json, random, sys

header = json.loads(sys.stdin.readline())
rows = [tuple(line.rstrip("\n").split(",")) for line in sys.stdin]
random.seed(header["seed"])
modes = random.sample(sorted(set(rows)), header["k"])
for _ in range(header["params"]["iterations"]):
    clusters = [min(range(len(modes)), key=lambda c: sum(map(str.__ne__, row, modes[c]))) for row in rows]
    for c in range(len(modes)):
        members = [row for row, cluster in zip(rows, clusters) if cluster == c] or [modes[c]]
        modes[c] = [max(sorted(set(column)), key=column.count) for column in zip(*members)]
print(*clusters, sep="\n")
