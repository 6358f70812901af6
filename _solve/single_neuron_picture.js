// One sample in the plane: the line of interpolators, the contours of Q around the start, and Q along that line.
(() => {
  const root = document.getElementById("solve-single-neuron"), part = (name) => root.querySelector(`.${name}`);
  const [weights, heights] = root.querySelectorAll("svg"), handles = [...root.querySelectorAll(".handle")];
  const START = [[0.5, 1.4], [1.6, -0.8]], points = START.map((point) => [...point]);
  const SIDE = {left: 34, right: 310, top: 10, bottom: 285}, REACH = [-3, 3];
  const left = plane(weights, REACH), right = plane(heights, REACH, [0, 4], SIDE);
  const sliders = [
    sliderOf(part("shape"), spaced(0, 0.95, 95), (s) => s.toFixed(2), () => show()),
    sliderOf(part("label"), spaced(-4, 4, 160), (y) => words([y]), () => show()),
  ];

  const show = () => {
    const [s, y] = sliders.map((slider) => slider.read()), [start, sample] = points, scale = norm(start);
    const a0 = Math.sqrt(scale * (1 + s) / (1 - s)), w0 = start.map((entry) => (scale > 0 ? entry / a0 : 0));
    const answer = linearNeuron([sample], [y], a0, w0), {predictor, a, w, value, bound, gap} = answer;
    const drawn = answer.trouble === undefined, delta = 4 * scale * s / (1 - s * s);
    const size = norm(sample), across = [-sample[1] / size, sample[0] / size];
    const least = sample.map((entry) => entry * y / size ** 2), aside = dot(across, start), closest = plus(least, aside, across);
    const q = neuronRegularizer(delta, start), lowest = q(start), rise = value - lowest, moves = rise > 1e-9 * Math.abs(lowest);
    const contour = (share) => left.line(levelCurve((place) => q(place) - lowest, start, share * rise), "Z");
    const pushed = drawn ? dot(plus(w, -1, w0), sample) / size ** 2 : 0;
    const way = () => left.line(spaced(0, 1, 80).map((t) => {
      const now = plus(w0, t * pushed, sample);
      return now.map((entry) => Math.sqrt(delta + dot(now, now)) * entry);
    }));
    const height = (t) => [t, (q(plus(least, t, across)) - lowest) / rise], ended = drawn ? dot(across, predictor) : 0;
    root.classList.toggle("in-trouble", !drawn);
    for (const [name, path] of [
      ["line", () => left.line([-9, 9].map((t) => plus(least, t, across)))],
      ["outer", () => (moves ? contour(1) : "")],
      ["inner", () => (moves ? contour(1 / 3) + contour(2 / 3) : "")],
      ["way", way],
      ["answer", () => left.dot(predictor)],
      ["least-norm", () => left.dot(least)],
      ["other", () => left.dot(closest)],
      ["curve", () => (moves ? right.line(spaced(...REACH, 80).map(height)) : "")],
      ["ends", () => (moves ? right.line(REACH.map((t) => [t, (bound - lowest) / rise])) : "")],
      ["now", () => (moves ? right.dot(height(ended)) : "")],
      ["least-norm-too", () => (moves ? right.dot(height(0)) : "")],
      ["other-too", () => (moves ? right.dot(height(aside)) : "")],
    ]) part(name).setAttribute("d", drawn ? path() : "");
    part("arrow").setAttribute("d", left.line([[0, 0], sample]));
    handles.forEach((handle, i) => place(handle, left, points[i], `at ${words(points[i])}`));
    const said = drawn ? [`(${words(predictor)})`, a.toFixed(6), digits(value), digits(bound), small(gap)] : Array(5).fill("–");
    root.querySelectorAll(".said b").forEach((one, i) => { one.textContent = said[i]; });
    part("trouble").textContent = answer.trouble ?? "";
  };

  handles.forEach((handle, i) => handleOf(handle, left, points[i], show));
  part("again").addEventListener("click", () => {
    START.forEach((point, i) => points[i].splice(0, 2, ...point));
    sliders.forEach((slider) => slider.back());
    show();
  });
  show();
})();
