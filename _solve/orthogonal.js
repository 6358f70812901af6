// Vectors as Q R, by Gram and Schmidt's method, each made orthogonal twice; and what follows: least squares, least norms.
const dot = (a, b) => a.reduce((total, entry, i) => total + entry * b[i], 0);
const norm = (a) => Math.hypot(...a);
const plus = (a, times, b) => a.map((entry, i) => entry + times * b[i]);
const combined = (weights, vectors) => vectors.reduce((total, vector, i) => plus(total, weights[i], vector), vectors[0].map(() => 0));

// vectors: n of them. Returns q, n orthonormal vectors, and r, r[j][i] = q_i · vector_j for i ≤ j; or null where one
// vector depends on those before it.
function factored(vectors) {
  const q = [], r = [];
  for (const vector of vectors) {
    const size = norm(vector), row = q.map(() => 0);
    let rest = vector;
    for (let pass = 0; pass < 2; pass++) {
      q.forEach((unit, i) => {
        const part = dot(unit, rest);
        row[i] += part;
        rest = plus(rest, -part, unit);
      });
    }
    const left = norm(rest);
    if (!(left > 1e-13 * size)) return null;
    r.push([...row, left]);
    q.push(rest.map((entry) => entry / left));
  }
  return {q, r};
}

// The c with Σ c_j vector_j nearest to a target whose products with q are given.
function coefficients({r}, products) {
  const c = [...products];
  for (let j = c.length - 1; j >= 0; j--) {
    c[j] /= r[j][j];
    for (let i = 0; i < j; i++) c[i] -= r[j][i] * c[j];
  }
  return c;
}

// The products p with q of the shortest w that has vector_j · w = given_j.
function products({r}, given) {
  const p = [];
  given.forEach((value, j) => p.push((value - dot(p, r[j])) / r[j][j]));
  return p;
}

const nearest = (factors, target) => coefficients(factors, factors.q.map((unit) => dot(unit, target)));
const shortest = (factors, given) => combined(products(factors, given), factors.q);
