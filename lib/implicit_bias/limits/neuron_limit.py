"""Where gradient flow takes one neuron, in closed form: linear, and leaky ReLU."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, number
from implicit_bias.limits.certificate import Certificate
from implicit_bias.limits.least_norm import least_norm

TOLERANCE = 1e-9
TINY = 1e-300


@dataclass(frozen=True)
class NeuronLimit:
    """The neuron at the end of gradient flow.

    predictor: w̃(∞) = a(∞) w(∞), d entries.
    a: a(∞).
    w: w(∞), d entries.
    certificate: the three equations that determine it: primal, Xw̃ = ỹ; dual, w − w(0) in the row space of X;
        gap, a² − ‖w‖² = δ. Each relative.
    """

    predictor: Array
    a: float
    w: Array
    certificate: Certificate


def linear_neuron_limit(
    x: ArrayLike, y: ArrayLike, a0: float, w0: ArrayLike, *, sign: int | None = None
) -> NeuronLimit:
    """The limit of gradient flow of ½‖y − aXw‖² from (a(0), w(0)), if it interpolates and a keeps its sign.

    w̃(∞) = X⁺y + a_∞ P⊥w(0),  a_∞ = sign(a(0)) √(½(b + √(b² + 4‖X⁺y‖²))),  b = δ + ‖P⊥w(0)‖²,  δ = a(0)² − ‖w(0)‖²

    The part P⊥w(0) of w outside the row space of X never moves, and δ is conserved; that fixes the limit. For δ ≥ 0 the
    sign of a is conserved too.

    x: N × d.
    y: N labels in the range of X.
    a0: a(0), not 0.
    w0: w(0), d entries.
    sign: of a(∞), 1 or −1; that of a(0) by default. It can differ only if δ < 0.

    Raises ValueError where a(0) is 0 and no sign is given, and CertificateError where no interpolator exists.
    Reference: derived in the chapter single_neuron; it implies Azulay et al. 2021, Theorem 2.
    """
    x = array("x", x, 2)
    y = array("y", y, 1, (x.shape[0],))
    w0 = array("w0", w0, 1, (x.shape[1],))
    a0 = number("a0", a0)
    if sign not in (None, 1, -1):
        raise ValueError(f"sign is {sign}; it must be 1 or -1")
    if sign is None and a0 == 0:
        raise ValueError("a0 is 0; it must have a sign")
    shortest = least_norm(x, y).w
    outside = w0 - np.linalg.lstsq(x, x @ w0)[0]
    delta = (a0 - float(np.linalg.norm(w0))) * (a0 + float(np.linalg.norm(w0)))
    b = delta + float(outside @ outside)
    root = float(np.hypot(b, 2 * np.linalg.norm(shortest)))
    # The larger root of a⁴ − b a² − ‖X⁺y‖² = 0, in the form that does not cancel.
    square = (root + b) / 2 if b >= 0 else 2 * float(shortest @ shortest) / (root - b)
    a = float(np.sqrt(square)) * (float(np.sign(a0)) if sign is None else sign)
    w = shortest / a + outside
    moved = w - w0
    certificate = Certificate(
        primal=float(np.linalg.norm(x @ (a * w) - y)) / max(float(np.linalg.norm(y)), TINY),
        dual=float(np.linalg.norm(moved - np.linalg.lstsq(x, x @ moved)[0])) / max(float(np.linalg.norm(moved)), TINY),
        gap=(a**2 - float(w @ w) - delta) / max(a**2 + float(w @ w), TINY),
    )
    certificate.demand(TOLERANCE, "the limit of the neuron")
    return NeuronLimit(a * w, a, w, certificate)


def unleaked(y: ArrayLike, sign: int, slope: float) -> Array:
    """The labels ỹ that the predictor w̃ = aw has to interpolate for aσ(wᵀx_n) = y_n: ỹ = ς σ⁻¹(ςy).

    y: N labels.
    sign: ς, the sign of a, 1 or −1.
    slope: ρ in (0, 1].
    """
    y = array("y", y, 1)
    slope = number("slope", slope, above=0, most=1)
    if sign not in (1, -1):
        raise ValueError(f"sign is {sign}; it must be 1 or -1")
    return np.where(sign * y > 0, y, y / slope)


def leaky_neuron_limit(x: ArrayLike, y: ArrayLike, a0: float, w0: ArrayLike, slope: float) -> NeuronLimit:
    """The limit of gradient flow of ½ Σ (y_n − aσ(wᵀx_n))² from (a(0), w(0)), δ ≥ 0, if it interpolates.

    The linear neuron's closed form with the labels ỹ = ς σ⁻¹(ςy), ς = sign(a(0)), σ of slope ρ.

    x: N × d.
    y: N labels; those of ``unleaked`` must be in the range of X.
    a0: a(0), at least ‖w(0)‖ in size, not 0.
    w0: w(0), d entries.
    slope: ρ in (0, 1].

    Raises ValueError where δ < 0, and CertificateError where no interpolator exists.
    Reference: derived in the chapter leaky_neuron; it implies Azulay et al. 2021, Theorem 4.
    """
    w0 = array("w0", w0, 1)
    delta = float(a0) ** 2 - float(w0 @ w0)
    if delta < -TOLERANCE * float(w0 @ w0):
        raise ValueError(f"a0² − ‖w0‖² is {delta:g}; it must be at least 0, or a may change its sign")
    return linear_neuron_limit(x, unleaked(y, int(np.sign(a0)) or 1, slope), a0, w0)
