// Solves (K + v)λ = y + c for the reader's c and v, draws the function and proves it. Called with the data of one picture.
((data) => {
  const {x, y, reach: B, values, texts, axes, at, box} = data, root = document.getElementById(data.name);
  const inputs = [...root.querySelectorAll("input")], outputs = [...root.querySelectorAll("output")];
  const curves = [...root.querySelectorAll(".curve")], said = [...root.querySelectorAll(".said b")];
  const dots = root.querySelector(".data"), moved = root.querySelector(".moved"), sum = (list) => list.reduce((a, b) => a + b, 0);
  // E[(ws − b)₊(wt − b)₊] for w = ±1 and b uniform on [−B, B]
  const side = (near, gap) => near > 0 ? near ** 3 / 3 + gap * near ** 2 / 2 : 0;
  const kernel = (s, t) => {
    const low = Math.min(s, t), high = Math.max(s, t);
    return (side(low + B, high - low) + side(B - high, high - low)) / (4 * B);
  };
  const solve = (matrix, right) => { // elimination with the largest pivots
    const rows = matrix.map((row, i) => [...row, right[i]]), n = rows.length;
    for (let k = 0; k < n; k++) {
      let best = k;
      for (let i = k; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[best][k])) best = i;
      [rows[k], rows[best]] = [rows[best], rows[k]];
      for (let i = k + 1; i < n; i++) {
        const times = rows[i][k] / rows[k][k];
        for (let j = k; j <= n; j++) rows[i][j] -= times * rows[k][j];
      }
    }
    const found = Array(n).fill(0);
    for (let k = n - 1; k >= 0; k--) {
      found[k] = (rows[k][n] - sum(found.map((value, j) => value * rows[k][j]))) / rows[k][k];
    }
    return found;
  };
  const answer = (labels, v) => {
    const gram = x.map((s) => x.map((t) => kernel(s, t) + v));
    const rest = (charges) => labels.map((label, i) => label - sum(gram[i].map((entry, j) => entry * charges[j])));
    let charges = solve(gram, labels);
    const more = solve(gram, rest(charges));
    charges = charges.map((charge, i) => charge + more[i]);
    const misfit = Math.max(...rest(charges).map(Math.abs)), level = v * sum(charges);
    const h = (s) => sum(x.map((t, i) => charges[i] * kernel(s, t))) + level;
    // the penalties of h by themselves: Simpson's rule is exact between the points, where h″ is straight
    const bend = (s) => sum(x.map((t, i) => charges[i] * Math.abs(s - t))) / (4 * B);
    const knots = [-B, ...x, 0, B].sort((a, b) => a - b);
    const integral = (f) => sum(knots.slice(1).map((b, i) => {
      const a = knots[i];
      return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b));
    }));
    const right = h(2 * B + 1) - h(2 * B), left = h(-2 * B) - h(-2 * B - 1);
    const height = integral((s) => bend(s) * Math.abs(s)) - 2 * h(0);
    const penalty = integral((s) => 2 * B * bend(s) ** 2) + (right + left) ** 2 + height ** 2 / (B * B / 3 + 4 * v);
    const fit = sum(labels.map((label, i) => label * charges[i]));
    const norm = sum(gram.map((row, i) => charges[i] * sum(row.map((entry, j) => entry * charges[j]))));
    return {h, misfit, penalty, jump: right - left, gap: penalty - (2 * fit - norm)};
  };
  const place = ([low, high], from, to) => (value) =>
    (from + Math.min(1, Math.max(0, (value - low) / (high - low))) * (to - from)).toFixed(1);
  const show = () => {
    const [c, v] = inputs.map((input, i) => {
      outputs[i].textContent = texts[i][input.value];
      input.setAttribute("aria-valuetext", texts[i][input.value]);
      return values[i][input.value];
    });
    const labels = y.map((label) => label + c), {h, misfit, penalty, jump, gap} = answer(labels, v);
    const [across, up] = axes.map(([a, b]) => [place(a, box.left, box.right), place(b, box.bottom, box.top)])[0];
    const line = (f) => at.map((s, j) => (j ? "L" : "M") + across(s) + " " + up(f(s))).join("");
    const unshifted = answer(y, v).h;
    curves[0].setAttribute("d", line(h));
    moved.setAttribute("d", line((s) => unshifted(s) + c));
    dots.setAttribute("d", x.map((s, i) => "M" + across(s) + " " + up(labels[i]) + "h0").join(""));
    const one = [place(axes[1][0], box.left, box.right)(c), place(axes[1][1], box.bottom, box.top)(jump)];
    curves[1].setAttribute("d", "M" + one.join(" ") + "h0");
    [jump.toFixed(4), penalty.toFixed(4), misfit.toExponential(0), Math.abs(gap / penalty).toExponential(0)]
      .forEach((text, i) => { said[i].textContent = text; });
  };
  inputs.forEach((input) => input.addEventListener("input", show));
  show();
})
