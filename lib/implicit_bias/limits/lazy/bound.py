"""A proved bound of the distance between a scaled model and its linearization, for all times."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import array, in_range, number

DECAY = 0.63  # above max over s of (4/3)(e^{−s/4} − e^{−s}), which is 4^{2/3}·(1/4) = .62996


@brief()
@dataclass(frozen=True)
class LazyBound:
    """What is proved of the squared loss R(u) = ½‖u − y‖², for every α ≥ scale and all times.

    scale: α₀.
    distance: D with ‖α h(w_α(t)) − α h̄(w̄_α(t))‖ ≤ D/α.
    displacement: B with ‖w_α(t) − w₀‖ ≤ B/α.

    >>> bound = lazy_bound(np.eye(2), np.array([3.0, 4.0]), lipschitz=1.0)
    >>> bound.scale, bound.displacement
    (20.0, 10.0)
    """

    scale: float
    distance: float
    displacement: float


@in_range
def lazy_bound(kernel: ArrayLike, y: ArrayLike, lipschitz: float) -> LazyBound:
    """Explicit constants of lazy training for all times, for a positive definite tangent kernel.

    α₀ = 4β‖y‖/λ,  D = 1.26 β ‖y‖² (2‖K‖^{1/2} + λ^{1/2}/2)/λ^{3/2},  B = 2‖y‖/λ^{1/2},  λ = λ_min(K)

    kernel: K at w₀, n × n.
    y: n labels; h(w₀) = 0.
    lipschitz: β > 0, a Lipschitz constant of Dh within √λ/(2β) of w₀.

    Returns the bound.
    Raises ValueError for a kernel that is not positive definite, or a β that is not positive.
    Reference: derived in the chapter lazy_theorem.

    >>> bound = lazy_bound(np.eye(2), np.array([3.0, 4.0]), lipschitz=1.0)
    >>> bound.scale, bound.displacement, round(bound.distance, 6)
    (20.0, 10.0, 78.75)
    """
    y = array("y", y, 1)
    k = array("kernel", kernel, 2, (y.size, y.size))
    beta = number("lipschitz", lipschitz, above=0)
    spectrum = np.linalg.eigvalsh(k)
    least, most = float(spectrum.min()), float(spectrum.max())
    if not least > 1e-14 * most:
        raise ValueError(f"kernel has the least eigenvalue {least:.1e}; it must be positive, to all digits")
    length = float(np.linalg.norm(y))
    distance = 2 * DECAY * beta * length**2 * (2 * np.sqrt(most) + np.sqrt(least) / 2) / least**1.5
    return LazyBound(4 * beta * length / least, float(distance), float(2 * length / np.sqrt(least)))
