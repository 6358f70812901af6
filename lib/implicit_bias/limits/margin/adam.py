"""Where Adam's weights go while the loss falls past its ε: from the margin of the largest weight to that of ℓ2."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq, linprog

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, in_range, number
from implicit_bias.limits.certificate import WIDTH, Certificate, CertificateError, exponent
from implicit_bias.limits.margin.least_distance import demand_separable, directions
from implicit_bias.limits.margin.linear import TOLERANCE, max_margin
from implicit_bias.limits.margin.matrix import certify_matrix_margin, largest_entry

MET = 1e-9  # a margin this near to the least one, relative, is one of the least


@brief()
@dataclass(frozen=True)
class AdamPath:
    """The weights of Adam over L = ln(1/ε) where the loss is ε^κ, in the limit of small ε: a polygon ω(κ).

    knots: the κ at which it turns, 0 and 1 first, K numbers.
    places: ω at the knots, K × d.
    slopes: dω/dκ after each knot, K × d; the last one is the hard-margin solution of all points.
    certificates: of the slopes, K of them: first of a margin in the norm of the largest weight, then of those in ℓ2.

    >>> path = adam_path([[2.0, 1.0]])
    >>> path.knots, path(1.0).round(9), path(3.0).round(9)
    (array([0., 1.]), array([0.33333333, 0.33333333]), array([1.13333333, 0.73333333]))
    """

    knots: Array
    places: Array
    slopes: Array
    certificates: tuple[Certificate, ...]

    def __call__(self, kappa: ArrayLike) -> Array:
        """ω(κ).

        kappa: κ ≥ 0, of any shape.

        Returns … × d numbers.
        """
        kappa = array("kappa", kappa, None)
        number("kappa", float(kappa.min(initial=0.0)), least=0)
        piece = np.maximum(np.searchsorted(self.knots, kappa, side="right") - 1, 0)
        return np.asarray(self.places[piece] + (kappa - self.knots[piece])[..., None] * self.slopes[piece])

    def log_steps(self, kappa: float, log_epsilon: float, rate: float) -> float:
        """ln of the number of steps at a constant learning rate η after which the loss is ε^κ, for small ε and η.

        η t = L max_j |ω_j(1)| min(κ, 1) + Σ_pieces |dω/dκ|² (e^{(κ″−1)L} − e^{(κ′−1)L}),  L = −ln ε

        the pieces from κ′ to κ″ being those between 1 and κ.

        kappa: κ > 0.
        log_epsilon: ln ε < 0.
        rate: η > 0.
        """
        kappa = number("kappa", kappa, above=0)
        length = -number("log_epsilon", log_epsilon, below=0)
        rate = number("rate", rate, above=0)
        log = float(np.log(length * np.abs(self.slopes[0]).max() * min(kappa, 1.0)))
        ends = np.minimum(np.append(self.knots[1:], np.inf), kappa)
        for begin, end, slope in zip(self.knots[1:], ends[1:], self.slopes[1:], strict=True):
            if end > begin:
                spent = (end - 1) * length + np.log(-np.expm1((begin - end) * length)) + np.log(slope @ slope)
                log = float(np.logaddexp(log, spent))
        return log - float(np.log(rate))


def adam_path(z: ArrayLike, *, tol: float = WIDTH) -> AdamPath:
    """Adam's way from the largest ℓ∞ margin to the largest ℓ2 margin, by finitely many hard-margin problems.

    ω = κu for κ ≤ 1, with u of least largest modulus subject to z_i·u ≥ 1; and from there on

    dω/dκ = argmin |v|² subject to z_i·v ≥ 1 for the i with z_i·ω = κ

    A point joins where its margin z_i·ω has fallen to κ. With each knot |dω/dκ| grows, so there are finitely many.

    z: N × d, the signed points y_i x_i.
    tol: the allowed relative width of the enclosure of each margin.

    Returns the path.
    Raises CertificateError if no direction separates the points, if several u have the least largest modulus, so that
    the path is not determined, or if a margin is not enclosed to tol.
    Reference: the two ends are those of Zhang, Zou & Cao 2024 (ε = 0) and of gradient descent; the way is the gradient
    flow of min_i z_i·ω.

    >>> adam_path([[1.0, 3.0], [1.0, -2.0], [0.0, 5.0]]).knots.round(6)
    array([0., 1.])
    """
    z = array("z", z, 2)
    tol = number("tol", tol, above=0)
    unit = -int(exponent(z))
    z = np.ldexp(z, unit)
    demand_separable(directions(z)[0])
    w, weights = largest_entry(z)
    v = w[0]
    certificate = certify_matrix_margin(z, w, weights, "entries", tol)
    certificate.demand(TOLERANCE, "the largest margin in the norm of the largest weight", tol=tol, answer=v)
    _demand_unique(z, v)
    slope = v / (z @ v).min()
    knots, places, slopes, certificates = [0.0], [np.zeros(z.shape[1])], [slope], [certificate]
    kappa, place, join = 0.0, places[0], 1.0
    while np.isfinite(join):
        kappa, place = join, place + (join - kappa) * slope
        over = z @ place - kappa
        least = over <= MET * kappa
        answer = max_margin(z[least], tol=tol)
        slope = answer.w
        knots.append(kappa)
        places.append(place)
        slopes.append(slope)
        certificates.append(answer.certificate)
        behind = 1 - z @ slope
        late = ~least & (behind > MET)
        join = kappa + float(np.min(over[late] / behind[late], initial=np.inf))
    return AdamPath(np.array(knots), np.ldexp(places, unit), np.ldexp(slopes, unit), tuple(certificates))


def _demand_unique(z: Array, v: Array) -> None:
    """CertificateError if another direction leaves all least margins of v and all its largest weights no worse."""
    margins, size = z @ v, np.abs(z).max()
    tight, largest = margins - margins.min() <= MET * size, 1 - np.abs(v) <= MET
    rows = np.vstack([z[tight] / size, -np.diag(np.sign(v))[largest]])
    better = linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=(-1, 1), method="highs-ds")
    if better.status != 0 or -better.fun > MET or np.linalg.matrix_rank(rows) < z.shape[1]:
        raise CertificateError("several directions have the largest margin of the largest weight: the path is open", v)


@in_range
def adam_growth(  # law: none, nothing has a unit
    speed: float, beta1: float = 0.9, beta2: float = 0.999
) -> float:
    """By how much ln(1/loss) grows in each step of Adam at a constant learning rate, without ε, in the end.

    r = γη (1 − β₁)/(1 − β₁eʳ) √((1 − β₂e²ʳ)/(1 − β₂)),  so that always r < ½ ln(1/β₂)

    speed: γη > 0, with γ the largest margin in the norm of the largest weight and η the learning rate.
    beta1, beta2: β₁ ≤ β₂ in [0, 1), β₂ > 0.

    Returns r.
    Raises ValueError for arguments outside their range.

    >>> round(adam_growth(1e-6), 12), round(adam_growth(1.0), 8), round(float(-np.log(0.999)) / 2, 8)
    (9.9901e-07, 0.00050025, 0.00050025)
    """
    speed = number("speed", speed, above=0)
    beta2 = number("beta2", beta2, above=0, below=1)
    beta1 = number("beta1", beta1, least=0, most=beta2)
    cap = -np.log(beta2) / 2

    def ahead(share: float) -> float:
        r = share * cap
        size = np.sqrt(-np.expm1(2 * (r - cap)) / (1 - beta2))
        return float(speed * (1 - beta1) / (1 - beta1 * np.exp(r)) * size - r)

    top = min(1.0, speed / cap)  # the step is at most η
    return float(brentq(ahead, 0.0, top, xtol=1e-15 * top) * cap)
