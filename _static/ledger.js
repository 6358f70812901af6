// The ledger sorts by a click or a key on a column's name and shows the rows that hold the filter's words.
document.addEventListener("DOMContentLoaded", () => {
  for (const ledger of document.querySelectorAll(".ledger:not(.plain)")) {
    const body = ledger.querySelector("tbody");
    const rows = [...body.rows];
    const heads = [...ledger.querySelectorAll("th")];

    const key = (row, column) => row.cells[column]?.dataset.key ?? "";
    const compare = (a, b, numeric) => {
      if (!numeric) return a.localeCompare(b);
      const [x, y] = [parseFloat(a.replace("inf", "Infinity")), parseFloat(b.replace("inf", "Infinity"))];
      return Number.isNaN(x) - Number.isNaN(y) || x - y || 0; // what is no number comes last
    };

    heads.forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const numeric = head.dataset.sort === "number";
        rows.sort((a, b) => (up ? 1 : -1) * compare(key(a, column), key(b, column), numeric));
        body.append(...rows);
      });
    });

    const tools = ledger.querySelector(".ledger-tools");
    const input = tools.querySelector("input");
    const count = tools.querySelector("output");
    const filter = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
      const shown = rows.filter((row) => !row.hidden).length;
      count.textContent = `${shown} of ${rows.length} claims shown`;
    };
    input.addEventListener("input", filter);
    tools.hidden = false;
    filter();
  }
});
