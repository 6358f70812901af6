/* A chapter as slides: with ?slides its page shows title and question, statement, figure, results and what to remember.
   Keys: arrows, Home, End; f for the full screen; Escape leads back to the page. */
(() => {
  const KEYS = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1, Home: -9, End: 9 };
  let deck = null, at = 0;
  const slide = (...parts) => {
    const made = document.createElement("article");
    made.className = "bd-article";
    made.append(...parts.filter(Boolean).map((part) => part.cloneNode(true)));
    made.querySelectorAll(".headerlink, .section-number, figcaption a, button").forEach((one) => one.remove());
    made.querySelectorAll("[id]").forEach((one) => one.removeAttribute("id"));
    deck.append(made);
    return made;
  };
  /* The largest letters with which nothing is cut, as a part of the usual ones; false if there are none. */
  const fit = (one, least = 0.4) => {
    for (let part = 1.2; part > least; part -= 0.05) {
      one.style.setProperty("--fit", part);
      const wide = [...one.querySelectorAll("mjx-container, table")].some((inner) => inner.scrollWidth > 0.9 * one.clientWidth);
      if (!wide && one.scrollHeight <= one.clientHeight + 1) return true;
    }
    return false;
  };
  /* The thoughts that there is room for; one goes on in a formula, in a list and behind it. */
  const statement = ([title, ...blocks]) => {
    const thoughts = [];
    blocks.forEach((block, k) => {
      const goesOn = !block.matches("p") || (k && !blocks[k - 1].matches("p") && /^[a-z]/.test(block.textContent));
      if (goesOn && thoughts.length) thoughts.at(-1).push(block); else thoughts.push([block]);
    });
    for (let made, count = thoughts.length; count; count -= 1, made.remove()) {
      made = slide(title, ...thoughts.slice(0, count).flat());
      if (count === 1 || fit(made, 0.75)) return;
    }
  };
  /* The figure below the first sentence of its caption, which says what to see. */
  const figure = (part) => {
    const made = slide(part), words = made.querySelector(".caption-text")?.firstChild;
    const said = words?.textContent.match(/^.*?[.!?] /)?.[0];
    if (!said) return;
    words.textContent = words.textContent.slice(said.length);
    made.prepend(Object.assign(document.createElement("h2"), { textContent: said.replace(/\. $/, "") }));
  };
  const show = (there) => {
    at = Math.max(0, Math.min(there, deck.children.length - 1));
    [...deck.children].forEach((one, k) => one.classList.toggle("now", k === at));
  };
  const open = async () => {
    deck = document.createElement("main");
    await window.MathJax?.startup?.promise;
    const page = document.querySelector(".bd-article"), find = (what) => page.querySelector(what);
    const found = [...find("#what-we-find")?.children ?? []];
    deck.className = "deck measured";
    document.body.append(deck);
    slide(find("h1"), find(".question"));
    if (find("#the-statement")) statement(find("#the-statement").children);
    if (find("h1 ~ .cell_output")) figure(find("h1 ~ .cell_output"));
    if (find("table.results")) slide(found[0], find("table.results"));
    found.filter((one) => /^What to remember/.test(one.textContent)).forEach((one) => slide(one));
    [...deck.children].forEach((one, k) => {
      fit(one);
      one.dataset.at = `${document.title.split(" — ").at(-1)}  ${k + 1}/${deck.children.length}`;
    });
    deck.classList.remove("measured");
    show(0);
  };
  if (location.search === "?slides") addEventListener("load", open);
  addEventListener("keydown", (event) => {
    if (!deck || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in KEYS) show(at + KEYS[event.key]);
    else if (event.key === "f") document.fullscreenElement ? document.exitFullscreen() : document.body.parentElement.requestFullscreen();
    else if (event.key === "Escape") location.search = "";
    else return;
    event.preventDefault();
  });
  addEventListener("click", () => { if (deck) show(at + 1); });
})();
