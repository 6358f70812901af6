/* On paper nothing can be opened: proofs and results are unfolded, folded code is left out (print.css), and the page is
   light. Afterwards everything is as it was. */
(() => {
  let opened = [], theme = null;
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details.fold:not([open]), details.chapter-claims-fold:not([open])")];
    opened.forEach((fold) => { fold.open = true; });
    theme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    opened.forEach((fold) => { fold.open = false; });
    if (theme) document.documentElement.dataset.theme = theme;
  });
})();
