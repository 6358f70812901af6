// What is wider than its place scrolls by itself, so that the page does not, and is reached by the keyboard.
(() => {
  const BOXES = ".bd-article pre, .bd-article .pst-scrollable-table-container, .bd-article div.math,"
    + " .bd-article mjx-container[display], .bd-article .wide-formula,"
    + " .bd-article figure, .bd-article .output, .bd-article .cell_output";
  const scrolls = (e) => {
    const { overflowX, overflowY } = getComputedStyle(e);
    return (/auto|scroll/.test(overflowX) && e.scrollWidth > e.clientWidth)
      || (/auto|scroll/.test(overflowY) && e.scrollHeight > e.clientHeight);
  };
  const mark = () => {
    const formulas = [...document.querySelectorAll("span.math")];
    formulas.forEach((formula) => formula.classList.remove("wide-formula"));
    const wide = formulas.filter((formula) => {
      const line = formula.closest("p, li, dd, td, h1, h2, h3");
      return line && Math.max(formula.scrollWidth, formula.getBoundingClientRect().width) > line.clientWidth;
    });
    wide.forEach((formula) => formula.classList.add("wide-formula"));
    const boxes = [...document.querySelectorAll(BOXES)].map((box) => [box, scrolls(box)]);
    for (const [box, does] of boxes) {
      if (does) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  let waiting = null;
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(mark, 350); // after the theme, which marks some of them with its own rule 300 ms after a change
  };
  addEventListener("load", () => {
    mark();
    window.MathJax?.startup?.promise.then(mark);
    soon();
  });
  addEventListener("resize", soon);
  document.addEventListener("toggle", soon, true);
})();
