// A table of claims, folded by chapter: words and choices select its rows, a column's name sorts them all as one list, and
// the address keeps all of it. Without this script everything is open.
document.addEventListener("DOMContentLoaded", () => {
  for (const ledger of document.querySelectorAll(".ledger:not(.plain)")) {
    const chapters = [...ledger.querySelectorAll("tbody")];
    const rows = [...ledger.querySelectorAll("tr[data-words]")];
    const home = new Map(rows.map((row) => [row, row.parentNode]));
    const list = chapters[0].parentNode.createTBody(); // of all rows while they are sorted
    const heads = [...ledger.querySelectorAll("thead th")];
    const tools = ledger.querySelector("form");
    const input = tools.querySelector("input");
    const facets = [...tools.querySelectorAll("select")];
    const count = tools.querySelector("output");
    const all = tools.querySelector("button[type=button]");
    const texts = new Map(rows.map((row) => [row, `${row.dataset.words} ${row.textContent}`.toLowerCase()]));

    const key = (row, column) => row.cells[column]?.dataset.key ?? "";
    const compare = (a, b, numeric) => {
      if (!numeric) return a.localeCompare(b);
      const [x, y] = [parseFloat(a.replace("inf", "Infinity")), parseFloat(b.replace("inf", "Infinity"))];
      return Number.isNaN(x) - Number.isNaN(y) || x - y || 0; // what is no number comes last
    };

    const sort = (head, order) => {
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      const column = heads.indexOf(head);
      const sign = order === "descending" ? -1 : 1;
      if (head) head.setAttribute("aria-sort", order);
      const numeric = head && "numeric" in head.dataset;
      if (head) list.append(...rows.toSorted((a, b) => sign * compare(key(a, column), key(b, column), numeric)));
      else rows.forEach((row) => home.get(row).append(row));
    };

    const fold = (chapter, folded) => {
      chapter.classList.toggle("folded", folded);
      chapter.querySelector("button").setAttribute("aria-expanded", String(!folded));
    };

    let wanted = false; // whether everything is to be open
    const foldAll = (folded) => {
      chapters.forEach((chapter) => fold(chapter, folded));
      all.textContent = wanted ? "Fold all" : "Unfold all";
    };

    const filter = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const found = rows.filter((row) => words.every((word) => texts.get(row).includes(word)));
      const fits = (row, facet) => !facet.value || row.dataset[facet.name] === facet.value;
      const shown = new Set(found.filter((row) => facets.every((facet) => fits(row, facet))));
      for (const row of rows) row.hidden = !shown.has(row);
      for (const facet of facets) {
        const others = found.filter((row) => facets.every((other) => other === facet || fits(row, other)));
        for (const option of [...facet.options].slice(1)) {
          const all = others.filter((row) => row.dataset[facet.name] === option.value).length;
          option.textContent = `${option.value} (${all})`;
          option.disabled = all === 0 && !option.selected;
        }
      }
      const chosen = words.length > 0 || facets.some((facet) => facet.value);
      for (const chapter of chapters) chapter.hidden = ![...chapter.rows].some((row) => shown.has(row));
      foldAll(!chosen && !wanted);
      count.textContent = chosen ? `${shown.size} of ${rows.length} claims shown` : `${rows.length} claims in ${chapters.length} chapters`;
    };

    const open = () => {
      const asked = rows.find((row) => row.id === decodeURIComponent(location.hash.slice(1)));
      if (!asked) return;
      fold(home.get(asked), false);
      asked.scrollIntoView();
    };

    const keep = () => {
      const address = new URL(location.href);
      const head = heads.find((one) => one.hasAttribute("aria-sort"));
      const state = { words: input.value.trim(), sort: head?.dataset.name, order: head?.getAttribute("aria-sort") };
      for (const facet of facets) state[facet.name] = facet.value;
      for (const [name, value] of Object.entries(state)) {
        if (value) address.searchParams.set(name, value);
        else address.searchParams.delete(name);
      }
      history.replaceState(null, "", address);
    };

    const changed = () => {
      filter();
      keep();
    };

    const asked = new URLSearchParams(location.search);
    input.value = asked.get("words") ?? "";
    for (const facet of facets) {
      facet.value = asked.get(facet.name) ?? "";
      if (facet.selectedIndex < 0) facet.value = ""; // a choice that there is not
    }
    const head = heads.find((one) => one.dataset.name === asked.get("sort"));
    if (head) sort(head, asked.get("order") === "descending" ? "descending" : "ascending");

    for (const one of tools.querySelectorAll("details")) one.open = [...one.querySelectorAll("select")].some((facet) => facet.value);
    tools.addEventListener("input", changed);
    tools.addEventListener("submit", (event) => event.preventDefault());
    tools.addEventListener("reset", (event) => {
      event.preventDefault();
      for (const control of [input, ...facets]) control.value = "";
      wanted = false;
      sort(undefined);
      changed();
    });
    for (const one of heads) {
      one.querySelector("button").addEventListener("click", () => {
        sort(one, one.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending");
        changed();
      });
    }
    for (const chapter of chapters) {
      const button = document.createElement("button");
      button.type = "button";
      const title = chapter.querySelector("strong");
      title.before(button);
      button.append(title);
      button.addEventListener("click", () => fold(chapter, !chapter.classList.contains("folded")));
    }
    all.addEventListener("click", () => {
      wanted = !wanted;
      foldAll(!wanted);
    });
    tools.hidden = false;
    filter();
    if (!location.search && !location.hash) fold(chapters[0], false); // so that one sees rows
    open();
    addEventListener("hashchange", open);
  }
});
