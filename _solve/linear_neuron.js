// What gradient flow makes of one linear neuron a w, proved: X⁺y + a_∞ P⊥w(0), the minimizer of Q among the interpolators.

// delta: a² − ‖w‖²; start: w̃(0), not 0. Q(w̃) = q_δ(‖w̃‖) + z · w̃.
function neuronRegularizer(delta, start) {
  const layers = (size) => { // |a| and ‖w‖ of a neuron with ‖w̃‖ = size
    const large = Math.sqrt(Math.hypot(size, delta / 2) + Math.abs(delta) / 2), small = large > 0 ? size / large : 0;
    return delta >= 0 ? [large, small] : [small, large];
  };
  const away = norm(start), pull = -1.5 * layers(away)[1] / away;
  return (w) => {
    const [a, v] = layers(norm(w));
    return (v ** 2 - delta / 2) * a + pull * dot(start, w);
  };
}

// x: N independent samples; y: N labels; a0: a(0) ≠ 0; w0: w(0), with a0² ≥ ‖w0‖². Returns predictor, a and w at the end;
// value, Q there; bound, the dual value, which no interpolator falls below; misfit and gap, both relative. Where the
// limit is not determined: trouble, in words.
function linearNeuron(x, y, a0, w0) {
  if (a0 === 0) return {trouble: "no answer: a start of scale 0 never moves"};
  if (x.some((sample) => sample.every((entry) => entry === 0))) return {trouble: "no answer: a sample is 0, and predicts 0 for every w"};
  const factors = factored(x);
  if (!factors) return {trouble: "no answer: the samples depend on each other"};
  const least = shortest(factors, y), inside = combined(factors.q.map((unit) => dot(unit, w0)), factors.q);
  const across = plus(w0, -1, inside), outside = norm(across) > 1e-14 * norm(w0) ? across : w0.map(() => 0); // P⊥w(0), or rounding
  const sign = Math.sign(a0), delta = (Math.abs(a0) - norm(w0)) * (Math.abs(a0) + norm(w0));
  const b = delta + dot(outside, outside), root = Math.hypot(b, 2 * norm(least));
  const square = (root + b) / 2; // of a
  if (square === 0) return {trouble: "not determined: the label is 0, and a comes to rest at 0"};
  const a = sign * Math.sqrt(square), w = combined([1 / a, 1], [least, outside]), predictor = w.map((entry) => a * entry);
  const force = plus(w, -1, w0).map((entry) => 1.5 * sign * entry), dual = nearest(factors, force); // ∇Q = Xᵀλ
  const v = combined([1 / 1.5, sign], [combined(dual, x), w0]);
  const value = (dot(w, w) - delta / 2) * Math.abs(a) - 1.5 * sign * a * dot(w0, w);
  const conjugate = Math.max(delta + dot(v, v), 0) ** 1.5 / 2, fit = dot(y, dual), bound = fit - conjugate;
  const sizes = (dot(w, w) + Math.abs(delta) / 2) * Math.abs(a) + Math.abs(1.5 * a * dot(w0, w)) + conjugate + Math.abs(fit);
  const size = Math.max(norm(y), 1e-3 * norm(x.map(norm)) * norm(predictor)) || 1; // never below what cancels in X w̃
  const misfit = norm(x.map((sample, i) => dot(sample, predictor) - y[i])) / size, gap = (value - bound) / sizes;
  if (!(Math.abs(gap) <= 1e-9)) return {trouble: `not solved: a gap of ${gap.toExponential(0)} is left`};
  if (!(misfit <= 1e-9)) return {trouble: `not solved: the labels are missed by ${misfit.toExponential(0)}`};
  return {predictor, a, w, dual, value, bound, misfit, gap};
}
