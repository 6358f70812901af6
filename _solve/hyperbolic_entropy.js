// The interpolator of least Q_k, proved: Newton's method on the concave dual y · λ − Q_k*(Xᵀλ).
const ROUNDING = 1e-14, ARMIJO = 1e-4;

// root: √k_j of each coordinate. Q_k, its conjugate, and the w with ∇Q_k(w) = ν.
const hyperbolicEntropy = (root) => ({
  value: (w) => w.reduce((total, entry, j) => {
    const angle = Math.asinh(2 * entry / root[j]);
    return total + root[j] / 4 * (2 * entry / root[j] * angle - 2 * Math.sinh(angle / 2) ** 2);
  }, 0),
  conjugate: (nu) => nu.reduce((total, entry, j) => total + root[j] / 2 * Math.sinh(entry) ** 2, 0),
  fromGradient: (nu) => nu.map((entry, j) => root[j] / 2 * Math.sinh(2 * entry)),
});

// x: N independent samples; y: N labels; root: √k_j > 0. Returns w; dual, its multipliers λ; value, Q_k(w); bound, the dual
// value, which no interpolator falls below; misfit and gap, both relative. Where there is none: trouble, in words.
function leastEntropy(x, y, root) {
  if (x.some((sample) => sample.every((entry) => entry === 0))) return {trouble: "no answer: a sample is 0, and predicts 0 for every w"};
  if (!factored(x)) return {trouble: "no answer: the samples depend on each other"};
  const q = hyperbolicEntropy(root), size = norm(y) || 1;
  const pushed = (dual) => combined(dual, x), missed = (w) => y.map((label, i) => label - dot(x[i], w));
  const cost = (dual) => q.conjugate(pushed(dual)) - dot(y, dual);
  let dual = y.map(() => 0);
  for (let round = 0; round < 200; round++) {
    const w = q.fromGradient(pushed(dual)), ascent = missed(w);
    if (norm(ascent) <= 1e-13 * size) break;
    const speeds = w.map((entry, j) => Math.sqrt(Math.hypot(2 * entry, root[j]))); // (∇²Q)^(−1/2)
    const factors = factored(x.map((sample) => sample.map((entry, j) => entry * speeds[j])));
    if (!factors) return {trouble: "not solved: the samples nearly depend on each other"};
    const step = coefficients(factors, products(factors, ascent)), slope = dot(ascent, step), here = cost(dual);
    let times = 1;
    while (times > 1e-180 && !(cost(plus(dual, times, step)) <= here - ARMIJO * times * slope + ROUNDING * Math.abs(here))) times /= 2;
    dual = plus(dual, times, step);
  }
  const w = q.fromGradient(pushed(dual)), value = q.value(w), misfit = norm(missed(w)) / size;
  const bound = dot(y, dual) - q.conjugate(pushed(dual)), gap = value > 0 ? 1 - bound / value : 0;
  if (!(Math.abs(gap) <= 1e-9)) return {trouble: `not solved: a gap of ${gap.toExponential(0)} is left`};
  if (!(misfit <= 1e-9)) return {trouble: `not solved: the labels are missed by ${misfit.toExponential(0)}`};
  return {w, dual, value, bound, misfit, gap};
}
