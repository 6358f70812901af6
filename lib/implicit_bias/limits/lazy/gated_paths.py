"""The paths of the neurons of a ReLU network with long weights in pairs, to two orders, while no sample is switched."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, in_range, memory, number

WEAK = 1e-9  # singular values below this share of the largest move the weights by less than the rounding of the rest


@brief()
@dataclass(frozen=True)
class GatedPaths:
    """Start τ(W, a), time s = τ²t: w_j = τ (w_j + δ_j/τ² + δ²_j/τ⁴ + …), and a_j likewise.

    s: k times.
    w, a: δ, k × m × d and k × m.
    second_w, second_a: δ², of the same shapes.
    switch: the τ below which w_j + δ_j/τ² has switched a sample on or off by the last time.

    >>> paths = gated_paths([[1.0, 0.0]], [2.0], [[1.0, 0.0]] * 2, [1.0, -1.0], [0.0, 9.0])
    >>> w, a = paths.first
    >>> w.shape, a.shape
    ((6,), (6,))
    """

    s: Array
    w: Array
    a: Array
    second_w: Array
    second_a: Array
    switch: float

    @property
    def first(self) -> Array:
        """δ of all weights, k × m(d+1): the w_j row by row, then a."""
        return np.concatenate([self.w.reshape(len(self.s), -1), self.a], axis=1)

    @property
    def second(self) -> Array:
        """δ² of all weights, k × m(d+1)."""
        return np.concatenate([self.second_w.reshape(len(self.s), -1), self.second_a], axis=1)


@in_range
def gated_paths(x: ArrayLike, y: ArrayLike, w: ArrayLike, a: ArrayLike, s: ArrayLike) -> GatedPaths:
    """Where gradient flow of ½ Σ_i (h(x_i) − y_i)², h = Σ_j a_j (w_j·x)₊, takes the neurons, before it is run.

    δw_j = a_j p_j,  δa_j = w_j·p_j,  δ²w_j = ∫ (w_j·p_j) dp_j,  δ²a_j = a_j ‖p_j‖²/2,
    p_j = Σ_i 1{w_j·x_i > 0} g_i x_i,  g′ = y − K g,  g(0) = 0

    K is the tangent kernel at (W, a). While no w_j·x_i changes its sign, a neuron moves by w_j′ = a_j p_j′,
    a_j′ = w_j·p_j′; the p_j have no term of next order where the neurons come in pairs.

    x: n × d.
    y: n labels.
    w: m × d, the second half equal to the first.
    a: m numbers, none 0, the second half minus the first.
    s: k increasing times s ≥ 0.

    Returns the paths.
    Raises ValueError for arrays that do not fit, neurons that are not in pairs, an output weight 0, or a sample on the
    boundary of a neuron.
    Reference: derived in the chapter training_paths.

    >>> paths = gated_paths([[1.0, 0.0]], [2.0], [[1.0, 0.0]] * 2, [1.0, -1.0], [0.0, 9.0])
    >>> paths.w[-1].round(3)
    array([[ 0.5,  0. ],
           [-0.5, -0. ]])
    """
    x, s = array("x", x, 2), array("s", s, 1)
    n, d = x.shape
    y = array("y", y, 1, (n,))
    w = array("w", w, 2, (None, d))
    m = len(w)
    a = array("a", a, 1, (m,))
    number("s[0]", float(s[0]), least=0)
    if np.any(np.diff(s) <= 0):
        raise ValueError("s must hold increasing times")
    half = m // 2
    if m % 2 or not (np.array_equal(w[:half], w[half:]) and np.array_equal(a[:half], -a[half:])):
        raise ValueError("w and a are not in pairs; their second half must be that of partners (w, −a)")
    if not np.all(a):
        raise ValueError("a holds 0; every output weight must differ from it")
    seen = w @ x.T
    if not np.all(seen):
        raise ValueError("x and w give w·x = 0; no sample may lie on the boundary of a neuron")
    memory("s", f"{s.size} times", 8 * s.size * (2 * m * (d + 1) * n + n * n))
    gate = seen > 0
    by_w = ((a[:, None] * gate)[..., None] * x).swapaxes(0, 1).reshape(n, m * d)
    jacobian = np.concatenate([by_w, (gate * seen).T], axis=1)
    u, sigma, v = np.linalg.svd(jacobian, full_matrices=False)
    kept = sigma > WEAK * sigma[0]
    rate = sigma[kept] ** 2
    modes = v[kept][:, : m * d].reshape(-1, m, d) / a[:, None]  # p_j of a unit of each mode
    modes *= (sigma[kept] * (u[:, kept].T @ y))[:, None, None]
    p = np.einsum("tk,kjd->tjd", _filled(rate, s[:, None]), modes)
    own = np.einsum("kjd,jd->kj", modes, w)
    # ∫ φ_k φ_l′ with φ_k = (1 − e^{−r_k s})/r_k
    both = (_filled(rate, s[:, None])[:, None, :] - _filled(rate[:, None] + rate, s[:, None, None])) / rate[:, None]
    turned = np.einsum("tkl,kj,ljd->tjd", both, own, modes, optimize=True)
    move = a[:, None] * p
    switch = float(np.max(-np.einsum("tjd,id->tji", move, x) / seen))
    return GatedPaths(
        s,
        move,
        np.einsum("tjd,jd->tj", p, w),
        turned,
        a * np.sum(p**2, axis=2) / 2,
        float(np.sqrt(max(switch, 0.0))),
    )


def _filled(rate: Array, s: Array) -> Array:
    """(1 − e^{−rs})/r."""
    return np.asarray(-np.expm1(-rate * s) / rate)
