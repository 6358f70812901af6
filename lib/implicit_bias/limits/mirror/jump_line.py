"""How the change of slope of the least-penalty function depends on a shift of all labels: a line in closed form."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, instance, number
from implicit_bias.data.biases import BiasLaw
from implicit_bias.limits.certificate import WIDTH, Certificate
from implicit_bias.limits.enclosed_equations import enclose_form
from implicit_bias.limits.mirror.ramp_spline import ramp_kernel, ramp_spline

TOLERANCE = 1e-9


@brief()
@dataclass(frozen=True)
class JumpLine:
    """h′(+∞) − h′(−∞) of the function learnt from the labels y + c: rise · c + start.

    rise, start: the line's slope and its value at c = 0.
    certificate: of the two functions that it is made of, the equations that they miss most
        (``Certificate.of_equations``); encloses yᵀ(K + v11ᵀ)⁻¹y for the kernel as it is computed.

    >>> line = JumpLine(rise=2.0, start=-1.0, certificate=Certificate(0.0, 0.0, 0.0))
    >>> float(line.at(3.0)), line.turn
    (5.0, 0.5)
    """

    rise: float
    start: float
    certificate: Certificate

    def at(self, shifts: ArrayLike) -> Array:
        """The jump at any number of shifts c."""
        return self.rise * array("shifts", shifts, None) + self.start

    @property
    def turn(self) -> float:
        """The c at which U becomes its mirror image; infinite where no c does it."""
        return -self.start / self.rise if self.rise else float(np.inf)


def jump_line(x: ArrayLike, y: ArrayLike, law: BiasLaw, freedom: float = 0.0, *, tol: float = WIDTH) -> JumpLine:
    """The jump as a function of the shift, where the level costs G₃ = (∫ h″|x| dx − 2h(0))² / (E b² + 4v).

    rise = r/(1 + vS),  start = j − r v 1ᵀK⁻¹y/(1 + vS),  r = qᵀK⁻¹1,  j = qᵀK⁻¹y,  S = 1ᵀK⁻¹1,  q_i = ½ E|x_i − b|

    The output bias of a network of n ramps adds 1/n to their kernel, and v if it moves vn times as fast: v = 1/n is the
    first correction to infinite width.

    x: M places, all different, within the reach of the biases.
    y: M numbers.
    law: of the biases.
    freedom: v ≥ 0 of the output bias.
    tol: the allowed relative width of the enclosure of yᵀ(K + v11ᵀ)⁻¹y.

    Returns the line.
    Raises ValueError for arguments outside their range, CertificateError, with the line if there is one, where the
    equations are not solved.

    >>> from implicit_bias.data import BiasLaw
    >>> line = jump_line([-0.5, 0.0, 0.5], [1.0, 0.0, 1.0], BiasLaw(1.0))
    >>> round(line.start, 6), abs(float(line.at(1.0) - line.at(0.0) - line.rise)) < 1e-9
    (5.333333, True)
    """
    instance("law", law, BiasLaw)
    tol = number("tol", tol, above=0)
    freedom = number("freedom", freedom, least=0)
    x = array("x", x, 1)
    y = array("y", y, 1, x.shape)
    function, unit = ramp_spline(x, y, law), ramp_spline(x, np.ones_like(x), law)
    pull, total = float(np.sum(function.charges)), float(np.sum(unit.charges))
    cost = 1 + freedom * total
    free = function.charges - freedom * pull / cost * unit.charges  # Sherman and Morrison: (K + v11ᵀ)⁻¹y
    certificate = Certificate.of_equations(
        max(function.certificate.primal, unit.certificate.primal),
        enclosure=enclose_form(ramp_kernel(x, x, law), y, free, tol, freedom),
    )
    line = JumpLine(unit.jump / cost, function.jump - freedom * pull / cost * unit.jump, certificate)
    certificate.demand(TOLERANCE, "the line of jumps", tol=tol, answer=line)
    return line
