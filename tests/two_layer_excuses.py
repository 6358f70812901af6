"""Why some changes of the two-layer network change nothing in a chapter; tests/library/models/two_layer holds them.

By what is mutated: an excuse that names no mutant of a chapter's list is refused.
"""

SCALING = "the chapter's scaling is 1; tests/library/models/two_layer/test_risk.py holds the others"
PREDICTOR = {
    'return np.asarray(np.einsum("...md,...m->...d", w, self.scale(a.shape[-1]) * a)) '
    "| self.scale(a.shape[-1]) * a → 1 * a": SCALING,
}
GRADIENT = {
    "outer = scale * a | scale * a → 1 * a": SCALING,
    "return np.asarray(gate @ x), scale * (hidden @ slope) | scale * (hidden @ slope) → 1 * (hidden @ slope)": SCALING,
}
IN_SPAN = {
    "parts.append(self._scale * (hidden @ slope)) | self._scale * (hidden @ slope) → 1 * (hidden @ slope)": SCALING,
}
FACTOR = "the start is not scaled; tests/library/models/two_layer/test_span.py holds the factor"
SPAN = {
    "return np.asarray(self.factor * (self.w @ self.x.T)) "
    "| self.factor * (self.w @ self.x.T) → 1 * (self.w @ self.x.T)": FACTOR,
    "return np.asarray(self.factor * self.w + c @ self.x) | self.factor * self.w → 1 * self.w": FACTOR,
}
FAST_PATH = {
    "np.multiply(z, kappa, out=part) | np.multiply(z, kappa, out=part) → np.multiply(kappa, z, out=part)": "a product",
}
