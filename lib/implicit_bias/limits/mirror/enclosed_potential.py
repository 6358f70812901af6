"""Potentials of numbers that are known to lie between two floats: φ and φ′ with all rounding inside."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.limits.ranges import Ranges
from implicit_bias.limits.rounding import Unproved
from implicit_bias.potentials import Cosh, Cubic, Potential, Quadratic, Quartic
from implicit_bias.scaled_potentials import Scaled


@dataclass(frozen=True)
class EnclosedPotential:
    """What a potential is at some places x: φ(x) − φ(0) and φ′(x), and the least φ″ of all places, that at 0.

    value, slope: of each place.
    curvature: φ″(0) = min φ″, a lower bound.
    """

    value: Ranges
    slope: Ranges
    curvature: Ranges


def enclosed_potential(potential: Potential, x: Ranges) -> EnclosedPotential:  # attack: none, inside solvers
    """φ − φ(0), φ′ and min φ″ of a potential of the library.

    potential: φ.
    x: places.

    Raises Unproved for another potential, of which nothing but floats is known.
    """

    def number(value: float) -> Ranges:
        return Ranges.of(np.full_like(x.low, value))

    match potential:
        case Scaled():  # φ(n x)/(v n²)
            width, over = number(potential.width), number(potential.over)
            inner = enclosed_potential(potential.potential, x * width)
            return EnclosedPotential(
                inner.value.over(over * width * width), inner.slope.over(over * width), inner.curvature.over(over)
            )
        case Quadratic():
            return EnclosedPotential(x * x, number(2.0) * x, number(2.0))
        case Cubic():
            omega, size = number(potential.omega), x.moduli()
            value, slope = (size + omega) * x * x, (number(3.0) * size + number(2.0) * omega) * x
        case Quartic():
            omega, square = number(potential.omega), x.moduli() * x.moduli()
            value, slope = (square + omega) * square, (number(4.0) * square + number(2.0) * omega) * x
        case Cosh():  # cosh x − 1 = 2 sinh²(x/2)
            half = (number(0.5) * x).sinh().moduli()
            return EnclosedPotential(number(2.0) * half * half, x.sinh(), number(1.0))
        case _:
            raise Unproved(f"a potential of which only floats are known, {type(potential).__name__}")
    return EnclosedPotential(value, slope, number(2.0) * omega)
