/* One switch a page that opens or folds all code; what was chosen is remembered for every page. */
document.addEventListener("DOMContentLoaded", () => {
  const folds = [...document.querySelectorAll(".bd-article div.cell details.hide")];
  const title = document.querySelector(".bd-article h1");
  if (!folds.length || !title) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "all-code";
  const show = (open) => {
    folds.forEach((fold) => { fold.open = open; });
    button.setAttribute("aria-pressed", String(open));
    button.textContent = open ? "fold all code" : "show all code";
  };
  const remember = (open) => {
    try { localStorage.setItem("all-code", String(open)); } catch { /* private windows keep nothing */ }
  };
  const remembered = () => {
    try { return localStorage.getItem("all-code") === "true"; } catch { return false; }
  };
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-pressed") !== "true";
    show(open);
    remember(open);
  });
  title.after(button);
  show(remembered());
});

/* A link to something that is folded opens what it is folded in. */
const unfold = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  let closed = false;
  for (let fold = target?.closest("details:not([open])"); fold; fold = target.closest("details:not([open])")) {
    fold.open = closed = true;
  }
  if (closed) target.scrollIntoView();
};
addEventListener("hashchange", unfold);
addEventListener("DOMContentLoaded", unfold);
