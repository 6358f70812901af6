// What an address points at moves while formulas are set above it; then the page goes there again, unless it was moved.
addEventListener("load", async () => {
  let moved = !location.hash;
  const stay = () => { moved = true; };
  ["wheel", "pointerdown", "keydown"].forEach((kind) => addEventListener(kind, stay, { once: true }));
  await window.MathJax?.startup?.promise;
  const land = () => moved || document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  land();
  setTimeout(land, 400); // when boxes that scroll have been marked
});
