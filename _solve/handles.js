// A point that a reader moves: with the mouse or a finger, or, once it has the focus, with the arrow keys.
const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
const STEP = 0.1, FINE = 0.01, EDGE = 0.95;

// handle: a group in the plane's picture; point: [x, y], changed in place; moved: called when it has changed.
function handleOf(handle, where, point, moved) {
  const put = (target) => {
    const most = EDGE * where.across[1];
    target.forEach((value, i) => { point[i] = Math.round(100 * Math.min(most, Math.max(-most, value))) / 100; });
    moved();
  };
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    handle.focus({preventScroll: true});
    event.preventDefault();
  });
  handle.addEventListener("touchstart", (event) => event.preventDefault(), {passive: false}); // the page stays: touch-action is void in an SVG
  handle.addEventListener("pointermove", (event) => {
    if (handle.hasPointerCapture(event.pointerId)) put(where.meant(event));
  });
  handle.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    if (!arrow) return;
    event.preventDefault();
    put(plus(point, event.shiftKey ? FINE : STEP, arrow));
  });
}

// Where a handle stands, for the eye and for a screen reader.
function place(handle, where, point, said) {
  handle.setAttribute("transform", `translate(${where.text(point)})`);
  handle.setAttribute("aria-valuenow", point[0].toFixed(2));
  handle.setAttribute("aria-valuetext", said);
}
