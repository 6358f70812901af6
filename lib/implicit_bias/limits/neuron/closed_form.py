"""Where gradient flow takes one neuron, in closed form: linear, and leaky ReLU."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, in_range, number, whole
from implicit_bias.limits.certificate import (
    UNKNOWN,
    WIDTH,
    Certificate,
    CertificateError,
    Enclosure,
    length,
    relative,
)
from implicit_bias.limits.neuron.enclosed_limit import enclose_limit, nearest_multipliers

TOLERANCE = 1e-9
RANK = 1e-12


@brief()
@dataclass(frozen=True)
class NeuronLimit:
    """The neuron at the end of gradient flow.

    predictor: w̃(∞) = a(∞) w(∞), d entries.
    a: a(∞).
    w: w(∞), d entries.
    certificate: of w̃ as the minimizer of Q(w̃) = q_δ(‖w̃‖) + zᵀw̃ among the interpolators, whose gradient at a neuron
        is (3/2) ς (w − w(0)), ς = sign a: primal, Xw̃ = ỹ and a² − ‖w‖² = δ; dual, w − w(0) in the row space of X.
        It encloses |a(∞)|.

    >>> limit = linear_neuron_limit([[1.0, 0.0]], [2.0], 1.0, [0.5, 0.5])
    >>> (limit.a * limit.w - limit.predictor).round(12) + 0.0
    array([0., 0.])
    """

    predictor: Array
    a: float
    w: Array
    certificate: Certificate


@in_range
def linear_neuron_limit(
    x: ArrayLike, y: ArrayLike, a0: float, w0: ArrayLike, *, sign: int | None = None, tol: float = WIDTH
) -> NeuronLimit:
    """The limit of gradient flow of ½‖y − aXw‖² from (a(0), w(0)), if it interpolates and a keeps its sign.

    w̃(∞) = X⁺y + a_∞ P⊥w(0),  a_∞ = sign(a(0)) √(½(b + √(b² + 4‖X⁺y‖²))),  b = δ + ‖P⊥w(0)‖²,  δ = a(0)² − ‖w(0)‖²

    The part P⊥w(0) of w outside the row space of X never moves, and δ is conserved; that fixes the limit. For b ≥ 0 the
    sign of a is conserved too.

    x: N × d.
    y: N labels in the range of X.
    a0: a(0), not 0.
    w0: w(0), d entries.
    sign: of a(∞), 1 or −1; that of a(0) by default. It can differ only if b < 0.
    tol: the allowed relative width of the enclosure of |a(∞)|.

    Raises ValueError where a(0) is 0 and no sign is given, and CertificateError, with the limit that it is about, where
    no interpolator exists, a residual exceeds 1e-9 or |a(∞)| is not enclosed to tol.
    Reference: derived in the chapter single_neuron; it implies Azulay et al. 2021, Theorem 2.

    >>> limit = linear_neuron_limit([[1.0, 0.0]], [2.0], 1.0, [0.5, 0.5])
    >>> limit.predictor.round(4), round(limit.a**2 - float(np.sum(limit.w**2)), 12)
    (array([2.    , 0.7762]), 0.5)
    """
    x = array("x", x, 2)  # mutant in many_neurons(2): the guard of an argument
    y = array("y", y, 1, (x.shape[0],))  # mutant(1; 0): the guard of an argument
    w0 = array("w0", w0, 1, (x.shape[1],))  # mutant(1): the guard of an argument
    a0, tol = number("a0", a0), number("tol", tol, above=0)
    sign = None if sign is None else _sign(sign)
    if sign is None and a0 == 0:  # mutant(0): a guard, or another form of the same root
        raise ValueError("a0 is 0; it must have a sign")
    left, singular, rows = _row_space(x)
    shortest = (y @ left / singular) @ rows  # X⁺y
    outside = w0 - (rows @ w0) @ rows
    delta = (a0 - float(np.linalg.norm(w0))) * (a0 + float(np.linalg.norm(w0)))
    b = delta + float(outside @ outside)
    root = float(np.hypot(b, 2 * np.linalg.norm(shortest)))  # mutant in many_neurons(2 → 3): balanced layers have b ≥ 0
    # The larger root of a⁴ − b a² − ‖X⁺y‖² = 0, in the form that does not cancel.
    # mutant(0): a guard, or another form of the same root
    # mutant in many_neurons(2 → 3): balanced layers have b ≥ 0
    # mutant in single_neuron(>=): two forms of one root
    square = (root + b) / 2 if b >= 0 else 2 * float(shortest @ shortest) / (root - b)
    if square == 0:  # mutant(0): a guard, or another form of the same root
        raise CertificateError("the limit of the neuron is not determined: the labels are 0 and a comes to rest at 0")
    a = float(np.sqrt(square)) * (float(np.sign(a0)) if sign is None else sign)
    w = shortest / a + outside
    certificate = certify_neuron(x, y, a0, w0, a, w, tol)
    limit = NeuronLimit(a * w, a, w, certificate)
    certificate.demand(TOLERANCE, "the limit of the neuron", tol=tol, answer=limit)
    return limit


def _row_space(x: Array) -> tuple[Array, Array, Array]:
    """X as (N × r) · diag(r) · (r × d), r its rank; the last has an orthonormal basis of the row space for its rows."""
    left, singular, right = np.linalg.svd(x, full_matrices=False)
    rank = int(np.sum(singular > RANK * singular[0]))
    return left[:, :rank], singular[:rank], right[:rank]


@in_range
def certify_neuron(x: Array, y: Array, a0: float, w0: Array, a: float, w: Array, tol: float = WIDTH) -> Certificate:
    """How far the neuron (a, w) is from the limit of the flow from (a(0), w(0)).

    w̃ = aw minimizes Q, the potential of ``NeuronRegularizer`` for a start of the sign ς of a, among the interpolators:

    Q(w̃) = (‖w‖² − δ/2)|a| + zᵀw̃,  Q*(ν) = ½(δ + ‖v‖²)^{3/2},  v = (2/3)(ν − z),  z = −(3/2) ς w(0)

    x: N × d.
    y: N labels.
    a0, w0: the start.
    a, w: the answer.
    tol: the relative width of the enclosure beyond which it is computed anew in exact numbers, if the data are small.

    Returns the certificate: primal, ‖aXw − y‖/‖y‖, or |a² − ‖w‖² − δ| over a² + ‖w‖²; dual, how far (3/2)(w − w(0)) is
    from the row space, over its length; gap, that of min Q, over the sum of the sizes of its terms. The enclosure is
    that of |a(∞)|, and holds |a| too.
    """
    x = array("x", x, 2)
    n, d = x.shape
    y, w0 = array("y", y, 1, (n,), finite=False), array("w0", w0, 1, (d,), finite=False)
    w = array("w", w, 1, (d,), finite=False)
    a0, a = float(array("a0", a0, 0, finite=False)), float(array("a", a, 0, finite=False))
    sign, size0 = float(np.sign(a)) or 1.0, float(np.linalg.norm(w0))
    delta, size = (abs(a0) - size0) * (abs(a0) + size0), float(np.linalg.norm(w))
    force = 1.5 * sign * (w - w0)
    nearest = nearest_multipliers(x, y, w0, force)
    dual = np.linalg.lstsq(x.T, force)[0] if nearest is None else nearest[2]
    pushed = dual @ x
    v = pushed / 1.5 + sign * w0
    terms = (
        (size**2 - delta / 2) * abs(a),
        -1.5 * sign * a * float(w0 @ w),
        max(delta + float(v @ v), 0.0) ** 1.5 / 2,
        -float(y @ dual),
    )
    missed = relative(length(a * (x @ w) - y), length(y))
    found = enclose_limit(x, y, a0, w0, tol, nearest) if np.isfinite(a) else UNKNOWN
    return Certificate(
        primal=float(np.max([missed, relative(a**2 - size**2 - delta, a**2 + size**2)])),
        dual=relative(np.linalg.norm(force - pushed), np.linalg.norm(force)),
        gap=relative(sum(terms), sum(abs(term) for term in terms)),
        enclosure=found if found is UNKNOWN else Enclosure(min(found.low, abs(a)), max(found.high, abs(a))),
    )


def unleaked(y: ArrayLike, sign: int, slope: float) -> Array:
    """The labels ỹ that the predictor w̃ = aw has to interpolate for aσ(wᵀx_n) = y_n: ỹ = ς σ⁻¹(ςy).

    y: N labels.
    sign: ς, the sign of a, 1 or −1.
    slope: γ in (0, 1].

    >>> unleaked([2.0, -1.0], sign=1, slope=0.5)
    array([ 2., -2.])
    """
    y = array("y", y, 1)  # mutant(1): the guard of an argument
    slope = number("slope", slope, above=0, most=1)  # mutant(1): the guard of an argument
    sign = _sign(sign)
    with np.errstate(over="ignore"):
        return array("y over the slope", np.where(sign * y > 0, y, y / slope), 1)  # mutant(1): the guard of an argument


def _sign(value: int) -> int:
    """The value if it is 1 or −1; ValueError otherwise."""
    if whole("sign", value, least=-1, most=1) == 0:
        raise ValueError("sign is 0; it must be 1 or -1")
    return int(value)


@in_range
def leaky_neuron_limit(
    x: ArrayLike, y: ArrayLike, a0: float, w0: ArrayLike, slope: float, *, tol: float = WIDTH
) -> NeuronLimit:
    """The limit of gradient flow of ½ Σ (y_n − aσ(wᵀx_n))² from (a(0), w(0)), b ≥ 0, if it interpolates.

    The linear neuron's closed form with the labels ỹ = ς σ⁻¹(ςy), ς = sign(a(0)), σ of slope γ, for

    b = a(0)² − ‖Pw(0)‖² ≥ 0,

    P on the row space of X. The flow conserves b, so a keeps its sign.

    x: N × d.
    y: N labels; those of ``unleaked`` must be in the range of X.
    a0: a(0), at least ‖Pw(0)‖ in size, not 0.
    w0: w(0), d entries.
    slope: γ in (0, 1].
    tol: the allowed relative width of the enclosure of |a(∞)|.

    Raises ValueError where b < 0, and CertificateError where no interpolator exists.
    Reference: derived in the chapter leaky_neuron; it implies Azulay et al. 2021, Theorem 4.

    >>> limit = leaky_neuron_limit([[1.0, 0.0]], [-1.0], 1.0, [0.5, 0.5], slope=0.5)
    >>> limit.predictor.round(4)
    array([-2.    ,  0.7762])
    """
    x = array("x", x, 2)  # mutant(2): the guard of an argument
    w0 = array("w0", w0, 1, (x.shape[1],))  # mutant(1): the guard of an argument
    a0 = number("a0", a0)
    seen = _row_space(x)[2] @ w0
    b = a0 * a0 - float(seen @ seen)  # mutant(-): the guard; held by test_closed_form
    if b < -TOLERANCE * float(seen @ seen):
        raise ValueError(f"a0² − ‖Pw0‖² is {b:g}; it must be at least 0, or a may change its sign")
    # mutant(1): stands in for a(0) = 0, which is refused next
    return linear_neuron_limit(x, unleaked(y, int(np.sign(a0)) or 1, slope), a0, w0, tol=tol)
