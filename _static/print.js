/* On paper nothing can be opened: proofs and results are unfolded, folded code is left out (print.css), the page is light,
   and a formula that is too wide is set smaller. Afterwards everything is as it was. */
(() => {
  const PAPER = 674, LETTERS = 14; // pixels between the margins of A4 and of the text's letters, as in print.css
  let opened = [], smaller = [], theme = null;
  const fit = () => {
    const article = document.querySelector(".bd-article");
    if (!article) return;
    const grown = LETTERS / parseFloat(getComputedStyle(article).fontSize), all = article.getBoundingClientRect().width;
    for (const formula of article.querySelectorAll("mjx-container")) {
      const line = formula.closest("div.math, p, li, dd, td, th"), place = line?.getBoundingClientRect();
      const width = grown * (formula.querySelector("mjx-math")?.getBoundingClientRect().width ?? 0);
      const room = (line?.matches("td, th") ? place.width * PAPER / all : PAPER - (all - (place?.width ?? all))) - 2;
      if (width > room && room > 0) smaller.push([formula, formula.style.fontSize || "100%", room / width]);
    }
    smaller.forEach(([formula, size, part]) => { formula.style.fontSize = `${Math.floor(part * parseFloat(size))}%`; });
  };
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:is(.fold, .chapter-claims-fold, .results-note):not([open])")];
    opened.forEach((fold) => { fold.open = true; });
    theme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    fit();
  });
  addEventListener("afterprint", () => {
    opened.forEach((fold) => { fold.open = false; });
    smaller.forEach(([formula, size]) => { formula.style.fontSize = size; });
    smaller = [];
    if (theme) document.documentElement.dataset.theme = theme;
  });
})();
