// The direction of largest margin, proved: min ½‖w‖² subject to z_i · w ≥ 1, by non-negative least squares.
const SEPARABLE = 1e-13, CERTIFIED = 1e-9;

// argmin ‖E b − (0, …, 0, 1)‖ over b ≥ 0, column i of E being (u_i, bound_i), and the least value (Lawson and Hanson).
function leastSquares(u, bounds) {
  const columns = u.map((point, i) => [...point, bounds[i]]), target = [...u[0].map(() => 0), 1];
  const tiny = 1e-15 * columns.length * Math.max(...columns.map(norm));
  let b = columns.map(() => 0), used = [], refused = new Set();
  const rest = () => plus(target, -1, combined(b, columns));
  for (let round = 0; round < 30 * columns.length; round++) {
    const left = rest(), pulls = columns.map((column) => dot(column, left));
    const open = pulls.map((_, i) => i).filter((i) => !used.includes(i) && !refused.has(i) && pulls[i] > tiny);
    if (!open.length) break;
    const next = open.reduce((best, i) => (pulls[i] > pulls[best] ? i : best));
    let trial = [...used, next], factors = factored(trial.map((i) => columns[i]));
    let found = factors && nearest(factors, target);
    if (!found || !(found.at(-1) > 0)) { // rounding alone made it pull
      refused.add(next);
      continue;
    }
    while (found.some((value) => value <= 0)) { // as far as the first that reaches 0, which is left out
      const steps = trial.map((i, j) => (found[j] > 0 ? Infinity : b[i] / (b[i] - found[j]))), step = Math.min(...steps);
      trial.forEach((i, j) => { b[i] += step * (found[j] - b[i]); });
      const first = trial[steps.indexOf(step)];
      b[first] = 0;
      trial = trial.filter((i) => b[i] > 0);
      found = nearest(factored(trial.map((i) => columns[i])), target);
    }
    b = b.map(() => 0);
    trial.forEach((i, j) => { b[i] = found[j]; });
    used = trial;
    refused = new Set();
  }
  return {b, distance: norm(rest())};
}

// z: N signed points y_i x_i. Returns w; alpha with w = Σ alpha_i z_i; support; margin, the least z_i · w / ‖w‖; hull, the
// point of the points' hull nearest to 0, and bound, its length, which no margin exceeds; gap = 1 − margin / bound.
// Where there is no such w: trouble, in words.
function maxMargin(z) {
  if (z.some((point) => point.every((entry) => entry === 0))) return {trouble: "not separable: a point lies at 0"};
  const lengths = z.map((point) => Math.max(...point.map(Math.abs)));
  const u = z.map((point, i) => point.map((entry) => entry / lengths[i])), least = Math.min(...lengths);
  const bounds = lengths.map((length) => least / length);
  if (!(leastSquares(u, bounds.map(() => 1)).distance > SEPARABLE)) {
    return {trouble: "not separable: 0 lies in the hull of the signed points"};
  }
  const {distance} = leastSquares(u, bounds), {b} = leastSquares(u, bounds.map((bound) => bound * distance));
  const support = b.map((_, i) => i).filter((i) => b[i] > 0);
  const factors = factored(support.map((i) => z[i]));
  if (!factors) return {trouble: "not solved: the support vectors depend on each other"};
  const p = products(factors, support.map(() => 1)), w = combined(p, factors.q), force = coefficients(factors, p);
  const alpha = b.map(() => 0);
  support.forEach((i, j) => { alpha[i] = force[j]; });
  const shares = alpha.map((value) => Math.max(value, 0)), total = shares.reduce((a, value) => a + value, 0);
  const hull = combined(shares.map((share) => share / total), z), bound = norm(hull);
  const margin = Math.min(...z.map((point) => dot(point, w))) / norm(w), gap = 1 - margin / bound;
  if (!(Math.abs(gap) <= CERTIFIED)) return {trouble: `not solved: a gap of ${gap.toExponential(0)} is left`};
  return {w, alpha, support, margin, hull, bound, gap};
}
