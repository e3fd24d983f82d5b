"use strict";
// What pages gain from a script; without it they show everything, in the order of the spec.

// Sorting: a button in each heading; first ascending, then descending, then as it was.
for (const head of document.querySelectorAll("th[data-column]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "sort";
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => sortBy(head));
}

function sortBy(head) {
  const table = head.closest("table");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  rows.forEach((row, place) => { row.dataset.place ??= place; });
  const next = { ascending: "descending", descending: "none" }[head.getAttribute("aria-sort")] ?? "ascending";
  for (const other of table.tHead.querySelectorAll("th[data-column]")) other.removeAttribute("aria-sort");
  if (next !== "none") head.setAttribute("aria-sort", next);
  const column = Number(head.dataset.column);
  const key = (row) => next === "none" ? Number(row.dataset.place) : sortKey(row.cells[column]);
  const sign = next === "descending" ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: key(row), place: Number(row.dataset.place) }));
  keyed.sort((one, other) => compare(one.key, other.key, sign) || one.place - other.place);
  body.append(...keyed.map((entry) => entry.row));
}

function sortKey(cell) {
  if (!cell || cell.colSpan > 1) return null;
  if (cell.dataset.sort) return cell.dataset.sort;
  if (cell.dataset.sortNumber) return Number(cell.dataset.sortNumber);
  const text = cell.textContent.trim();
  if (!cell.classList.contains("number")) return text;
  const number = Number.parseFloat(text.replace("−", "-").replace(/^[<>]\s*/, ""));
  return Number.isNaN(number) ? null : number;
}

// What has no value comes last in both directions.
function compare(one, other, sign) {
  if (one === null || other === null) return (one === null) - (other === null);
  if (typeof one === "number" && typeof other === "number") return sign * (one - other);
  return sign * String(one).localeCompare(String(other), "en", { numeric: true });
}

// What is wider than its box says so, as long as there is more to the right.
for (const box of document.querySelectorAll(".scroll")) {
  const cue = document.createElement("p");
  cue.className = "cue";
  cue.textContent = "scrolls →";
  cue.setAttribute("aria-hidden", "true");
  box.before(cue);
  const look = () => { cue.hidden = box.scrollLeft + box.clientWidth >= box.scrollWidth - 1; };
  box.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(box);
  look();
}

// Values of marks: pointed at, or stepped through with the arrow keys while the figure has the focus.
const tip = document.createElement("div");
tip.className = "tip";
tip.setAttribute("role", "status");
tip.hidden = true;
document.body.append(tip);

for (const figure of document.querySelectorAll("figure")) {
  const titles = [...figure.querySelectorAll(".wide .hint title")];
  const texts = titles.map((title) => title.textContent);
  titles.forEach((title) => title.remove());
  if (texts.length > 0) figure.querySelectorAll(".plot").forEach((plot) => explain(plot, texts));
}

function explain(plot, texts) {
  const hints = [...plot.querySelectorAll(".hint")];
  let at = -1;
  plot.tabIndex = 0;
  plot.setAttribute("role", "group");
  plot.setAttribute("aria-label", "Figure; arrow keys step through its values");
  const leave = () => { hints[at]?.classList.remove("on"); tip.hidden = true; };
  const show = (place) => {
    leave();
    at = place;
    hints[at].classList.add("on");
    tip.textContent = texts[at];
    tip.hidden = false;
    const mark = hints[at].getBoundingClientRect();
    const left = Math.min(Math.max(mark.left + mark.width / 2 - tip.offsetWidth / 2, 8), innerWidth - tip.offsetWidth - 8);
    const above = mark.top - tip.offsetHeight - 8;
    tip.style.left = `${left}px`;
    tip.style.top = `${above > 8 ? above : mark.bottom + 8}px`;
  };
  plot.addEventListener("pointerover", (event) => {
    const place = hints.indexOf(event.target);
    if (place >= 0) show(place); else leave();
  });
  plot.addEventListener("pointerleave", leave);
  plot.addEventListener("blur", leave);
  plot.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: hints.length - 1 };
    if (event.key === "Escape") leave();
    if (!(event.key in steps)) return;
    event.preventDefault();
    show((steps[event.key] + hints.length) % hints.length);
  });
}
addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });

// A link into something folded away unfolds it.
function unfold() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let node = target; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
  if (target) target.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();
