// The closed curve on which a convex function of the plane has a given value, seen from its minimum.
const RAYS = 120, HALVINGS = 45;

function levelCurve(value, minimum, level) {
  return Array.from({length: RAYS}, (_, i) => {
    const ray = [Math.cos(2 * Math.PI * i / RAYS), Math.sin(2 * Math.PI * i / RAYS)];
    let low = 0, high = 1e-6;
    while (value(plus(minimum, high, ray)) < level && high < 1e6) high *= 4;
    for (let k = 0; k < HALVINGS; k++) {
      const middle = (low + high) / 2;
      if (value(plus(minimum, middle, ray)) < level) low = middle;
      else high = middle;
    }
    return plus(minimum, high, ray);
  });
}
