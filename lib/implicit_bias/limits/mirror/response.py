"""How much of the potential a wide network of ramps feels: the first-order response of mirror flow, at every time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, in_range, instance, number, whole
from implicit_bias.data.biases import BiasLaw
from implicit_bias.limits.certificate import Certificate, CertificateError, relative
from implicit_bias.limits.mirror.ramp_rule import ramp_rule
from implicit_bias.limits.mirror.ramp_spline import ramp_kernel, ramp_spline

TOLERANCE = 1e-9
SOONEST = 1e-100  # the integrator's steps must be numbers


@brief()
@dataclass(frozen=True)
class PotentialResponse:
    """The difference of mirror and gradient flow in a network of n ramps that starts at a = 0, up to higher order.

    φ′(u) = κ(u + τ u|u|^{q−1} + …):   n^{q−1}(f_MF − f_GF)(x) → Σ_i λ¹_i k(x, x_i) − τ E[α|α|^{q−1}(wx − b)₊]

    with n a = α = Σ_i λ_i (wx_i − b)₊, in gradient flow at the same time.

    law: of the biases.
    x: the M places of the data.
    power, bend: q and τ.
    charges, shift: λ and λ¹, M numbers each.
    certificate: at the end, by how much λ (primal) and λ¹ (dual) miss their equations (``Certificate.of_equations``).
        These are residuals and no proof: the response is a function, no least value, and the right-hand side of λ¹ an
        integral of powers of α. The value that λ belongs to is enclosed by ``ramp_spline``.

    >>> from implicit_bias.data import BiasLaw
    >>> response = potential_response([-0.5, 0.5], [1.0, 1.0], BiasLaw(1.0), power=2, bend=1.0)
    >>> bool(np.max(np.abs(response.predict([-0.5, 0.5]))) < 1e-9)
    True
    """

    law: BiasLaw
    x: Array
    power: int
    bend: float
    charges: Array
    shift: Array
    certificate: Certificate

    def predict(self, x: ArrayLike) -> Array:
        """The limit of n^{q−1}(f_MF − f_GF) at N points."""
        x = array("x", x, 1)
        bent = _bent(x, self.x, self.charges, self.law, self.power)
        return ramp_kernel(x, self.x, self.law) @ self.shift - self.bend * bent

    @property
    def movement(self) -> float:
        """The limit of n‖θ − θ(0)‖_∞, max |α|, at a kink of α or an end of the biases; or |Σλ_i|, that of c."""
        knots = np.concatenate([[-self.law.reach, self.law.reach], self.x, -self.x])
        # mutant(0): less than the next term of |x|³; held by test_response
        moved = [self.charges @ np.maximum(w * self.x[:, None] - knots, 0) for w in (1, -1)]
        return float(max(np.max(np.abs(moved)), abs(np.sum(self.charges))))

    @property
    def kernel_change(self) -> Array:
        """The limit of n^{q−1}(κH_MF − κH_GF) = −τq E[|α|^{q−1}(wx_i − b)₊(wx_k − b)₊], M × M.

        Against the start both kernels change by order n⁻² besides, as w, b and a move: alike, to leading order.
        """
        seen, _, weights = ramp_rule(self.x, self.x, self.charges, self.law)
        alpha = self.charges @ seen
        heavy = weights * np.abs(alpha) ** (self.power - 1)
        return np.asarray(-self.bend * self.power * (seen * heavy) @ seen.T)


@in_range
def potential_response(x: ArrayLike, y: ArrayLike, law: BiasLaw, power: int, bend: float) -> PotentialResponse:
    """The response at the end to a potential with φ′(u) = κ(u + τ u|u|^{q−1} + …), whatever else φ is.

    Kλ = y,  Kλ¹ = τ E[α|α|^{q−1}(wX − b)₊]

    k(·, X)λ¹ interpolates τE[α|α|^{q−1}(wx − b)₊] at the data: what is left of that mean is the response.

    x: M places, all different, within the reach of the biases.
    y: M numbers.
    law: of the biases.
    power: q, 2 or more.
    bend: τ.

    Returns the response.
    Raises ValueError for arguments outside their range, CertificateError where the equations are not solved.

    >>> from implicit_bias.data import BiasLaw
    >>> response = potential_response([-0.5, 0.5], [1.0, 1.0], BiasLaw(1.0), power=2, bend=1.0)
    >>> response.charges.round(4), bool(abs(response.predict([0.0])[0]) > 0)
    (array([2.6667, 2.6667]), True)
    """
    instance("law", law, BiasLaw)
    whole("power", power, least=2)
    bend = number("bend", bend)
    end = ramp_spline(x, y, law)
    gram = ramp_kernel(end.x, end.x, law)
    pull = bend * _bent(end.x, end.x, end.charges, law, power)
    shift = np.asarray(np.linalg.solve(gram, pull), dtype=np.float64)
    shift += np.linalg.solve(gram, pull - gram @ shift)  # once refined
    missed = relative(gram @ shift - pull, np.max(np.abs(pull), initial=np.finfo(float).tiny))
    certificate = Certificate.of_equations(end.certificate.primal, missed)
    certificate.demand(TOLERANCE, "the response")
    return PotentialResponse(law, end.x, power, bend, end.charges, shift, certificate)


@in_range
def response_path(
    x: ArrayLike, y: ArrayLike, law: BiasLaw, power: int, bend: float, times: ArrayLike
) -> list[PotentialResponse]:
    """The response at some times on the way.

    λ̇ = y − Kλ,  λ̇¹ = τ E[α|α|^{q−1}(wX − b)₊] − Kλ¹,  from 0

    x, y, law, power, bend: as for ``potential_response``.
    times: T increasing numbers ηnt/κ in [1e-100, 1e100].

    Returns one response a time; the certificate is that of the end.
    Raises ValueError for arguments outside their range, CertificateError where the equations of the end are not solved.

    >>> from implicit_bias.data import BiasLaw
    >>> path = response_path([-0.5, 0.5], [1.0, 1.0], BiasLaw(1.0), power=2, bend=1.0, times=[1.0, 1e6])
    >>> end = potential_response([-0.5, 0.5], [1.0, 1.0], BiasLaw(1.0), power=2, bend=1.0)
    >>> (path[-1].charges - end.charges).round(9) + 0.0
    array([0., 0.])
    """
    instance("law", law, BiasLaw)
    times = array("times", times, 1)
    bend = number("bend", bend)
    number("times[0]", float(times[0]), least=SOONEST)
    number("times[-1]", float(times[-1]), most=1 / SOONEST)
    if np.any(np.diff(times) <= 0):
        raise ValueError("times do not increase; they must")
    end = potential_response(x, y, law, power, bend)
    gram = ramp_kernel(end.x, end.x, law)
    values, modes = np.linalg.eigh(gram)

    def charges(s: float) -> Array:
        return np.asarray(modes @ (-np.expm1(-values * s) * (modes.T @ end.charges)))

    def velocity(s: float, shift: Array) -> Array:
        return np.asarray(bend * _bent(end.x, end.x, charges(s), law, power) - gram @ shift)

    span = (0.0, float(times[-1]))
    # mutant(*; 1e-10 → 1.5e-10; max… → 1): against rounding
    small = 1e-10 * max(float(np.max(np.abs(end.shift))), np.finfo(float).tiny)
    run = solve_ivp(velocity, span, np.zeros(end.x.size), method="LSODA", t_eval=times, rtol=1e-8, atol=small)
    if not run.success:
        raise CertificateError(f"the response's equation was not solved: {run.message}")
    return [
        PotentialResponse(law, end.x, power, bend, charges(float(s)), shift, end.certificate)
        for s, shift in zip(times, run.y.T, strict=True)
    ]


def _bent(z: Array, x: Array, charges: Array, law: BiasLaw, power: int) -> Array:
    """E[α|α|^{q−1}(wz − b)₊] at N points z."""
    seen, at_z, weights = ramp_rule(z, x, charges, law)
    alpha = charges @ seen
    return np.asarray(at_z @ (weights * alpha * np.abs(alpha) ** (power - 1)))
