// Shows the claims that have one of the chosen verdicts, one of the chosen papers, and every word that is searched for.
const filters = document.querySelector("form.filters");
const claimRows = [...document.querySelectorAll("table.scorecard > tbody > tr")];
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

filters.addEventListener("input", filter);
filters.addEventListener("submit", (event) => event.preventDefault());
filters.addEventListener("reset", () => setTimeout(filter));
filter();
