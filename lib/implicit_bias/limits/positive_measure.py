"""The best fit of a planar teacher by neurons of positive output weight, with a duality gap."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from implicit_bias.checks import Array, whole
from implicit_bias.data import Teacher
from implicit_bias.kernels import relu_kernel

FINE = 20


@dataclass(frozen=True)
class PositiveFit:
    """A measure on the circle of directions and what it proves.

    masses: its masses at equidistant directions.
    value: F of it, at least the minimum.
    gap: value − gap is at most the minimum.
    zero: F of the measure 0, half the mean square of the labels.
    """

    masses: Array
    value: float
    gap: float
    zero: float


def positive_fit(teacher: Teacher, directions: int = 720) -> PositiveFit:
    """The minimum over measures ν ≥ 0 of F(ν) = ½ E[(∫ (u·x)₊ dν(u) − f*(x))²] for x ~ N(0, I₂).

    A non-negative least-squares problem on a grid. With V(u) = E[(f − f*)(x) (u·x)₊] and ε = max(0, −min V)
    the function f − f* + (π/2)ε‖x‖ is feasible for the dual problem, and so

    gap = ∫ V dν + ε ν(S¹) + (πε/2)²

    teacher: f*, in the plane.
    directions: the size of the grid.

    Returns the fit; min V is taken over a grid twenty times as fine.
    Raises ValueError for a grid of less than 8 directions.
    """
    whole("directions", directions, least=8)
    grid = _circle(directions)
    charges = -teacher.b / len(teacher.b)
    values, modes = np.linalg.eigh(relu_kernel(grid, grid))
    kept = values > 1e-13 * values[-1]
    root = np.sqrt(values[kept])
    known = relu_kernel(grid, teacher.a) @ charges
    masses = nnls(root[:, None] * modes[:, kept].T, -(modes[:, kept].T @ known) / root)[0]
    zero = float(charges @ relu_kernel(teacher.a, teacher.a) @ charges) / 2
    value = float(masses @ relu_kernel(grid, grid) @ masses / 2 + masses @ known) + zero

    active = masses > 0
    places, all_charges = np.concatenate([grid[active], teacher.a]), np.concatenate([masses[active], charges])
    potential = relu_kernel(_circle(FINE * directions), places) @ all_charges
    below = max(0.0, -float(potential.min()))
    inside = float(masses[active] @ relu_kernel(grid[active], places) @ all_charges)
    gap = inside + below * float(masses.sum()) + (np.pi * below / 2) ** 2
    return PositiveFit(masses, value, gap, zero)


def _circle(count: int) -> Array:
    """Equidistant unit vectors in the plane, count × 2."""
    angle = 2 * np.pi * np.arange(count) / count
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)
