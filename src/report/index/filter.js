// Shows the claims that have one of the chosen verdicts, one of the chosen papers, and every word that is searched for. What is
// chosen is in the address, so that it can be sent, and gone back to.
const filters = document.querySelector("form.filters");
const claimRows = [...document.querySelectorAll("table.scorecard > tbody > tr")];
const search = filters.elements.namedItem("text");
filters.hidden = false;

function filter() {
  const chosen = new FormData(filters);
  const words = chosen.get("text").toLowerCase().split(/\s+/).filter(Boolean);
  const among = (row, key) => chosen.getAll(key).length === 0 || chosen.getAll(key).includes(row.dataset[key]);
  let shown = 0;
  for (const row of claimRows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !["verdict", "paper", "kind"].every((key) => among(row, key)) || !words.every((word) => text.includes(word));
    shown += !row.hidden;
  }
  filters.querySelector("output").textContent = `${shown} of ${claimRows.length} shown`;
  document.querySelector(".nothing").hidden = shown > 0;
}

// The address without what is not chosen: "?paper=bce&verdict=reproduced".
function address() {
  const chosen = new URLSearchParams([...new FormData(filters)].filter(([, value]) => value !== ""));
  const text = chosen.toString();
  return location.pathname + (text ? `?${text}` : "") + location.hash;
}

function read() {
  const chosen = new URLSearchParams(location.search);
  for (const box of filters.querySelectorAll("input[type=checkbox]")) box.checked = chosen.getAll(box.name).includes(box.value);
  search.value = chosen.get("text") ?? "";
  filter();
}

// Every choice is a step that "back" undoes; a word that is typed is one step, not one for every letter.
let typing = false;
filters.addEventListener("input", (event) => {
  filter();
  const isTyped = event.target === search;
  history[isTyped && typing ? "replaceState" : "pushState"](null, "", address());
  typing = isTyped;
});
filters.addEventListener("submit", (event) => event.preventDefault());
filters.addEventListener("reset", () => setTimeout(() => {
  filter();
  history.pushState(null, "", address());
}));
addEventListener("popstate", () => { typing = false; read(); });

// Counts lead to what they count, without loading the page again.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='?']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button > 0) return;
  event.preventDefault();
  history.pushState(null, "", link.getAttribute("href"));
  read();
  document.getElementById("claims").scrollIntoView();
});
read();
