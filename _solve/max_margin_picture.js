// The widest street between two classes beside the hull of the signed points: two lengths that meet in the margin.
(() => {
  const root = document.getElementById("solve-max-margin"), [street, hull] = root.querySelectorAll("svg");
  const part = (name) => root.querySelector(`.${name}`), handles = [...root.querySelectorAll(".handle")];
  const labels = handles.map((handle) => Number(handle.dataset.label));
  const START = [[1.6, -0.4], [2.4, 0.6], [1.5, 1.7], [2.3, 2.2], [-0.5, -1.4], [-1.9, -0.9], [-1.2, -2.4], [-2.4, -1.9]];
  const points = START.map((point) => [...point]), left = plane(street, [-3, 3]), right = plane(hull, [-3, 3]);
  const mirrored = [...root.querySelectorAll(".signed")];

  // The hull of points of the plane, counter-clockwise: Andrew's chain.
  const around = (list) => {
    const sorted = [...list].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const turns = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    const chain = (ordered) => ordered.reduce((kept, point) => {
      while (kept.length > 1 && turns(kept.at(-2), kept.at(-1), point) <= 0) kept.pop();
      return [...kept, point];
    }, []).slice(0, -1);
    return [...chain(sorted), ...chain(sorted.reverse())];
  };

  const show = () => {
    const z = points.map((point, i) => point.map((entry) => labels[i] * entry)), answer = maxMargin(z);
    const drawn = answer.trouble === undefined, {alpha, margin, bound, gap} = answer;
    const unit = drawn ? answer.w.map((entry) => entry / norm(answer.w)) : [0, 0], along = [-unit[1], unit[0]];
    const edge = (offset) => [-9, 9].map((t) => plus(unit.map((entry) => offset * entry), t, along));
    const largest = drawn ? Math.max(...alpha) : 1;
    root.classList.toggle("in-trouble", !drawn);
    for (const [name, path] of [
      ["street", () => left.line([...edge(margin), ...edge(-margin).reverse()], "Z")],
      ["edges", () => left.line(edge(margin)) + left.line(edge(-margin))],
      ["boundary", () => left.line(edge(0))],
      ["half", () => left.line([[0, 0], unit.map((entry) => margin * entry)])],
      ["distance", () => right.line([[0, 0], answer.hull])],
      ["nearest", () => right.dot(answer.hull)],
    ]) part(name).setAttribute("d", drawn ? path() : "");
    part("hull").setAttribute("d", right.line(around(z), "Z"));
    points.forEach((point, i) => {
      const lit = drawn && alpha[i] > 0, share = lit ? alpha[i] / largest : 0, name = labels[i] > 0 ? "+" : "−";
      place(handles[i], left, point, `class ${name}, at ${words(point)}${lit ? ", support vector" : ""}`);
      mirrored[i].setAttribute("transform", `translate(${right.text(z[i])})`);
      for (const one of [handles[i], mirrored[i]]) {
        one.classList.toggle("lit", lit);
        one.querySelector(".glow").setAttribute("r", (lit ? 11 + 5 * share : 0).toFixed(1));
      }
    });
    const said = drawn ? [margin.toFixed(6), bound.toFixed(6), small(gap), `${answer.support.length} of ${z.length}, α = ${words(answer.support.map((i) => alpha[i]))}`] : Array(4).fill("–");
    root.querySelectorAll(".said b").forEach((one, i) => { one.textContent = said[i]; });
    part("trouble").textContent = answer.trouble ?? "";
  };

  handles.forEach((handle, i) => handleOf(handle, left, points[i], show));
  part("again").addEventListener("click", () => {
    START.forEach((point, i) => points[i].splice(0, 2, ...point));
    show();
  });
  show();
})();
