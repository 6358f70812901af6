// An inline formula that is wider than its line scrolls by itself, so that the page does not.
window.addEventListener("load", () => {
  const mark = () => {
    for (const formula of document.querySelectorAll("span.math")) {
      formula.classList.remove("wide-formula");
      const line = formula.closest("p, li, dd, td, h1, h2, h3");
      if (line && formula.scrollWidth > line.clientWidth) formula.classList.add("wide-formula");
      else if (line && formula.getBoundingClientRect().width > line.clientWidth) formula.classList.add("wide-formula");
    }
  };
  window.MathJax?.startup?.promise.then(mark);
  window.addEventListener("resize", mark);
});
