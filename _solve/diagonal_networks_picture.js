// One sample in the plane: the line of interpolators, the contours of Q_k that touch it, and both coordinates against √k.
(() => {
  const root = document.getElementById("solve-diagonal-networks"), part = (name) => root.querySelector(`.${name}`);
  const [weights, scales] = root.querySelectorAll("svg"), handle = part("handle"), START = [2, 1];
  const SPAN = [-7, 3], SIDE = {left: 34, right: 310, top: 10, bottom: 285};
  const left = plane(weights, [-2.4, 2.4]), right = plane(scales, SPAN, [-2, 2], SIDE), sample = [...START];
  const raised = (text) => text.replace(/[-\d]/g, (one) => (one === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[one]));
  const power = (exponent) => (10 ** exponent).toExponential(1).replace(/e(.*)/, (_, one) => `·10${raised(one.replace("+", ""))}`);
  const sized = (exponent) => (10 ** (exponent / 2)).toPrecision(2); // of a weight, whose square is the scale α
  const sliders = [
    sliderOf(part("scale"), spaced(-7.5, 0, 75), sized, () => show()),
    sliderOf(part("shape"), spaced(0, 0.99, 99), (s) => s.toFixed(2), () => show()),
    sliderOf(part("label"), spaced(-2, 2, 80), (y) => words([y]), () => show()),
  ];
  const both = (exponent) => [10 ** exponent, 10 ** exponent];

  const show = () => {
    const [exponent, s, y] = sliders.map((slider) => slider.read());
    const root_k = 4 * 10 ** exponent * (1 + s * s) / (1 - s * s), at = Math.log10(root_k);
    const answer = leastEntropy([sample], [y], both(at)), drawn = answer.trouble === undefined, {w, dual} = answer;
    const size = norm(sample), across = [-sample[1] / size, sample[0] / size], shortest = sample.map((entry) => entry * y / size ** 2);
    const first = Math.abs(sample[0]) >= Math.abs(sample[1]), sparse = first ? [y / sample[0], 0] : [0, y / sample[1]];
    const tied = Math.abs(sample[0]) === Math.abs(sample[1]), q = hyperbolicEntropy(both(at));
    const contour = (share) => left.line(levelCurve(q.value, [0, 0], share * answer.value), "Z");
    const way = () => left.line(spaced(0, 1, 80).map((t) => q.fromGradient(sample.map((entry) => t * dual[0] * entry))));
    const paths = () => spaced(...SPAN, 60).map((place) => [place, leastEntropy([sample], [y], both(place)).w]);
    const seen = drawn ? paths() : [];
    root.classList.toggle("in-trouble", !drawn);
    for (const [name, path] of [
      ["line", () => left.line([-9, 9].map((t) => plus(shortest, t, across)))],
      ["outer", () => (answer.value > 0 ? contour(1) : "")],
      ["inner", () => (answer.value > 0 ? contour(1 / 3) + contour(2 / 3) : "")],
      ["way", way],
      ["answer", () => left.dot(w)],
      ["least-norm", () => left.dot(shortest)],
      ["other", () => (tied ? "" : left.dot(sparse))],
      ["first", () => right.line(seen.map(([place, found]) => [place, found[0]]))],
      ["second", () => right.line(seen.map(([place, found]) => [place, found[1]]))],
      ["ends", () => [0, 1].map((j) => right.line([[0.5, shortest[j]], [3, shortest[j]]]) + (tied ? "" : right.line([[-7, sparse[j]], [-4.5, sparse[j]]]))).join("")],
      ["here", () => right.line([[at, -2], [at, 2]])],
      ["now", () => w.map((entry) => right.dot([at, entry])).join("")],
    ]) part(name).setAttribute("d", drawn ? path() : "");
    part("arrow").setAttribute("d", left.line([[0, 0], sample]));
    for (const [name, point, hidden] of [["l1", sparse, tied], ["l2", shortest, false]]) {
      part(name).setAttribute("transform", drawn ? `translate(${left.text(point)})` : "");
      part(name).setAttribute("opacity", drawn && !hidden ? 1 : 0);
    }
    place(handle, left, sample, `at ${words(sample)}`);
    const said = drawn ? [`(${words(w)})`, digits(answer.value), digits(answer.bound), small(answer.gap), power(at)] : Array(5).fill("–");
    root.querySelectorAll(".said b").forEach((one, i) => { one.textContent = said[i]; });
    part("trouble").textContent = answer.trouble ?? "";
  };

  handleOf(handle, left, sample, show);
  part("again").addEventListener("click", () => {
    sample.splice(0, 2, ...START);
    sliders.forEach((slider) => slider.back());
    show();
  });
  show();
})();
