"""Tables of labels: rows of noisy copies of five planted clusters, and cells of points in the plane."""

import numpy as np

COLUMNS, CLUSTERS = 20, 5


def distinct_rows(distinct, rng):
    """Noisy copies of five clusters, no two of them equal, and the clusters."""
    found = np.empty((0, COLUMNS), np.int8)
    clusters = np.empty(0, np.int64)
    keys = np.empty(0, np.int64)
    digits = CLUSTERS ** np.arange(COLUMNS, dtype=np.int64)
    while len(found) < distinct:
        wanted = max(100, distinct + distinct // 4 - len(found))
        truth = rng.integers(0, CLUSTERS, wanted)
        noisy = rng.random((wanted, COLUMNS)) < 0.3
        rows = np.where(noisy, rng.integers(0, CLUSTERS, (wanted, COLUMNS)), truth[:, None]).astype(np.int8)
        keys = np.concatenate([keys, rows @ digits])
        found = np.concatenate([found, rows])
        clusters = np.concatenate([clusters, truth])
        _, first = np.unique(keys, return_index=True)
        first.sort()
        keys, found, clusters = keys[first], found[first], clusters[first]
    return found[:distinct], clusters[:distinct]


def planted(objects, distinct, seed=1):
    """`objects` rows, `distinct` of them different, and the planted clusters; some rows are there more often than others."""
    rng = np.random.default_rng(seed)
    rows, truth = distinct_rows(distinct, rng)
    which = (distinct * rng.random(objects) ** 2).astype(int)
    which[:distinct] = np.arange(distinct)
    if distinct < objects:
        which = rng.permutation(which)
    return rows[which], truth[which]


def cells(seed, objects=300, columns=12):
    """Points of six overlapping normal clusters in the plane, each base clustering the cells of 4 to 12 of them: base
    clusterings of different sizes, some equal rows, and answers that are not the truth."""
    rng = np.random.default_rng([3, seed])
    kind = rng.integers(0, 6, objects)
    points = rng.normal(0, 3, (6, 2))[kind] + rng.normal(0, 1, (objects, 2))
    table = []
    for _ in range(columns):
        centres = points[rng.choice(objects, rng.integers(4, 13), replace=False)]
        table.append(((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1))
    return np.stack(table, axis=1).astype(np.int8)


def write_csv(table, path):
    header = ",".join(f"c{column}" for column in range(table.shape[1]))
    if table.max() < 10:
        text = np.full((len(table), 2 * table.shape[1]), ord(","), np.uint8)
        text[:, ::2] = table + ord("0")
        text[:, -1] = ord("\n")
        path.write_bytes(header.encode() + b"\n" + text.tobytes())
    else:
        np.savetxt(path, table, fmt="%d", delimiter=",", header=header, comments="")


def read_csv(path):
    """The labels that conclave reads."""
    header, _, body = path.read_bytes().partition(b"\n")
    values = np.fromstring(body.replace(b"\n", b",").rstrip(b",").decode(), dtype=np.int64, sep=",")
    return values.reshape(-1, header.count(b",") + 1).astype(np.int8)
