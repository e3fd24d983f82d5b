"""An answer as HTML: the facts, how often objects are together, and the clusters."""

from __future__ import annotations

import base64
import html
import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._answer import Answer

# Dark to light, as many know it from viridis.
_PALETTE = np.array([[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]], dtype=float)
_MOST_CLUSTERS = 30
_SIDE = 300


def page(answer: Answer) -> str:
    """A whole document."""
    title = html.escape(f"Consensus by {answer.method_}")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<style>body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222;background:#fff}"
        "</style></head>"
        f"<body><h1>{title}</h1>{body(answer)}</body></html>\n"
    )


def body(answer: Answer) -> str:
    """What a notebook shows."""
    facts = "".join(
        f'<tr><th style="text-align:left;padding:0 1em 0 0">{html.escape(name)}</th>'
        f'<td style="text-align:left">{html.escape(text)}</td></tr>'
        for name, text in _facts(answer)
    )
    return (
        f'<div class="conclave"><table>{facts}</table>'
        f'<div style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start">{_heat_map(answer)}{_clusters(answer)}</div>'
        "</div>"
    )


def _facts(answer: Answer) -> list[tuple[str, str]]:
    objects, columns, rows, missing = answer.shape_
    facts = [
        ("Method", f"{answer.method_}: {answer.title_} ({answer.reference_})"),
        ("Labels", f"{objects:,} objects, {columns:,} base clusterings; {rows:,} distinct rows, {missing:,} labels missing"),
        ("Clusters", f"{answer.n_clusters_}" + (f" (k = {answer.k_}: {answer.k_rule_})" if answer.k_rule_ else "")),
    ]
    if answer.reason_:
        facts.append(("Recommended", answer.reason_))
    if answer.objective_ is not None:
        facts.append(("Objective", f"{answer.objective_name_} {answer.objective_:.4f}"))
    ended = "" if answer.converged_ else ", stopped at its limit"
    facts.append(("Effort", f"{answer.iterations_} iterations{ended}, {answer.seconds_:.3f} s; seed {answer.seed_}"))
    return facts


def _heat_map(answer: Answer) -> str:
    objects, cells = answer._together
    side = len(objects)
    clusters = answer.labels_[objects]
    ends = np.flatnonzero(np.diff(clusters)) + 1
    scale = _SIDE / side
    lines = "".join(
        f'<path d="M{end * scale:.1f} 0V{_SIDE}M0 {end * scale:.1f}H{_SIDE}" stroke="#fff" stroke-width="1"/>' for end in ends
    )
    shown = "all objects" if side == answer.shape_[0] else f"{side} objects, taken evenly"
    image = base64.b64encode(_png(cells)).decode()
    return (
        f'<figure style="margin:0"><svg width="{_SIDE}" height="{_SIDE}" viewBox="0 0 {_SIDE} {_SIDE}" role="img" '
        'aria-label="How often objects are together">'
        f'<image width="{_SIDE}" height="{_SIDE}" style="image-rendering:pixelated" preserveAspectRatio="none" '
        f'href="data:image/png;base64,{image}"/>{lines}</svg>'
        f'<figcaption style="max-width:{_SIDE}px;font-size:85%">Share of base clusterings that put two objects together, dark (none) to '
        f"bright (all); {shown}, sorted by cluster.</figcaption></figure>"
    )


def _clusters(answer: Answer) -> str:
    """A line per cluster: its size as a bar, and the quartiles of its objects' confidence."""
    sizes = np.bincount(answer.labels_, minlength=answer.n_clusters_)
    shown = min(len(sizes), _MOST_CLUSTERS)
    order = np.argsort(answer.labels_, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)])
    row, bar, box = 20, 120, 160
    lines = []
    for cluster in range(shown):
        middle = 24 + row * cluster + row / 2
        own = answer.confidence_[order[starts[cluster] : starts[cluster + 1]]]
        low, first, median, third, high = np.quantile(own, [0, 0.25, 0.5, 0.75, 1])
        width = bar * sizes[cluster] / sizes.max()

        def x(value: float) -> float:
            return 230 + box * min(max(value, 0.0), 1.0)

        lines.append(
            f'<text x="20" y="{middle + 4}" text-anchor="end">{cluster}</text>'
            f'<rect x="28" y="{middle - 6}" width="{width:.1f}" height="12" fill="#3b528b"/>'
            f'<text x="{32 + width:.1f}" y="{middle + 4}">{sizes[cluster]:,}</text>'
            f'<path d="M{x(low):.1f} {middle}H{x(high):.1f}" stroke="#666"/>'
            f'<rect x="{x(first):.1f}" y="{middle - 6}" width="{max(x(third) - x(first), 1):.1f}" height="12" fill="#5ec962"/>'
            f'<path d="M{x(median):.1f} {middle - 6}v12" stroke="#222" stroke-width="2"/>'
        )
    height = 24 + row * shown + 20
    more = len(sizes) - shown
    ticks = "".join(
        f'<text x="{230 + box * value}" y="{height - 6}" text-anchor="middle">{value:g}</text>' for value in (0, 0.5, 1)
    )
    left = f" {more:,} more clusters are not shown." if more else ""
    return (
        f'<figure style="margin:0"><svg width="410" height="{height}" viewBox="0 0 410 {height}" role="img" '
        'aria-label="Clusters: sizes and confidence" style="font:12px sans-serif" fill="currentColor">'
        f'<text x="28" y="14">objects</text><text x="230" y="14">confidence</text>{"".join(lines)}{ticks}</svg>'
        '<figcaption style="max-width:410px;font-size:85%">Objects of each cluster, and how sure the consensus is of them: '
        f"quartiles, median and extremes.{left}</figcaption></figure>"
    )


def _png(cells: NDArray[np.float64]) -> bytes:
    """A picture with one pixel per cell."""
    place = np.clip(cells, 0, 1) * (len(_PALETTE) - 1)
    below = np.minimum(place.astype(int), len(_PALETTE) - 2)
    share = (place - below)[..., None]
    colours = (_PALETTE[below] * (1 - share) + _PALETTE[below + 1] * share).round().astype(np.uint8)
    height, width, _ = colours.shape
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)
    rows[:, 1:] = colours.reshape(height, 3 * width)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b"")
