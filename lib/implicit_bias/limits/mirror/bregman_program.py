"""The same minimizer as a convex program on a grid of biases, by Clarabel: it knows no dual and no quadrature."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, memory, number, whole
from implicit_bias.late import extra
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.mirror.density import Density, within_reach
from implicit_bias.limits.solvers import clarabel


def bregman_program(
    x: ArrayLike, y: ArrayLike, law: Density, power: int, omega: float, cells: int = 400
) -> tuple[Array, Array]:
    """min Σ_j m_j (|α_j|^q + ω α_j²) with Σ_j m_j α_j |x_i − b_j| = y_i, at the middles b_j of equal cells of mass m_j.

    x: M places, all different, within the reach of the biases.
    y: M numbers, not all 0.
    law: of the biases.
    power: q, 2, 3 or 4.
    omega: ω ≥ 0.
    cells: number of cells; the function is wrong by an error of about second order in their length.

    Returns the b_j and the m_j α_j: the function is Σ_j m_j α_j |x − b_j|. They come without a certificate, as a second
    opinion on ``bregman_function``: Clarabel's tolerances apply, and the cells' error is not bounded.
    Raises ValueError for arguments out of range, CertificateError where Clarabel finds no optimum.

    >>> from implicit_bias.data import BiasLaw
    >>> b, jumps = bregman_program([-0.5, 0.0, 0.5], [1.0, 0.0, 1.0], BiasLaw(1.0), 2, 0.0, cells=50)
    >>> (np.abs(np.array([[-0.5], [0.0], [0.5]]) - b) @ jumps).round(5) + 0.0
    array([1., 0., 1.])
    """
    with extra():
        import cvxpy  # a second to import

    cp: Any = cvxpy  # its functions carry no types
    x = within_reach(x, law.reach)
    y = array("y", y, 1, x.shape)
    _refuse(power, omega, cells)
    edges = np.linspace(-law.reach, law.reach, cells + 1)
    b = (edges[1:] + edges[:-1]) / 2
    mass = law.density(b) * np.diff(edges)
    fit = np.abs(x[:, None] - b) * mass
    root = np.sqrt(mass)
    # mutant(1.0): the unit where all labels are 0
    unit = float(np.max(np.abs(np.linalg.lstsq(fit / root, y, rcond=None)[0] / root))) or 1.0
    _refuse_unit(unit)
    alpha = cp.Variable(cells)  # in units of the largest α of the least mean square: Clarabel needs numbers near 1
    price = cp.power(cp.abs(alpha), power) + omega * unit ** (2 - power) * alpha**2
    clarabel(cp.Problem(cp.Minimize(mass @ price), [fit @ alpha == y / unit]))
    return b, mass * alpha.value * unit


def _refuse(power: int, omega: float, cells: int) -> None:
    """Raise ValueError for what ``bregman_program`` does not take."""
    whole("power", power, least=2, most=4)
    number("omega", omega, least=0)
    whole("cells", cells, least=8)
    memory("cells", cells, 8 * 1000 * cells)


def _refuse_unit(unit: float) -> None:
    """Raise CertificateError for a size of α whose powers a float64 cannot hold."""
    if not 1e-60 <= unit <= 1e60:
        raise CertificateError(f"α is of size {unit:.1e}, which Clarabel cannot hold: measure the data in another unit")
