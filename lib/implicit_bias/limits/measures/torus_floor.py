"""How low a trigonometric polynomial of the torus can lie: a bound that holds everywhere, not only on a grid."""

import itertools
from collections.abc import Iterator

import numpy as np

from implicit_bias.checks import Array, array, memory, number, whole
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.measures.wave_sum import Taylor, WaveSum

CELLS_PER_FREQUENCY = 4
MOST_CELLS = 200_000
CHUNK = 4096
NEWTON_STEPS = 6
FLAT = 1e-10  # of the largest eigenvalue: a Hessian flatter than that is not inverted


def torus_floor(positions: Array, charges: Array, cutoff: int, constant: float, tolerance: float) -> float:
    """A lower bound of T(θ) = λ + Σ_j c_j K(θ − x_j) on the torus, K the Dirichlet kernel, by Taylor on cells.

    T(θ) = λ + Re Σ_k q_k e^{ik·θ},  q_k = Σ_j c_j e^{−ik·x_j},  |D³T| ≤ Σ_k |q_k|‖k‖³ = L

    On a cell of half the diagonal ρ around θ₀, with gradient g and Hessian H at θ₀, whose least eigenvalue is h,

    T ≥ T(θ₀) − ‖g‖ρ + ½ min(0, h)ρ² − Lρ³/6 always,  T ≥ T(θ₀) − ½ gᵀH⁻¹g − Lρ³/6 if h > 0,
    T ≥ T(θ₁) − ‖∇T(θ₁)‖²/2μ for any θ₁ with ‖θ₁ − θ₀‖ ≤ ρ if μ = h − Lρ > 0, as D²T ≥ μ there.

    Cells whose bound is below 0, and below the least T found, by more than the tolerance are cut in 2^d.

    positions: x, l × d.
    charges: c, l numbers.
    cutoff: K.
    constant: λ.
    tolerance: how far the bound may stay below min(0, min T).

    Returns the bound.
    Raises CertificateError where more than 200,000 cells would be needed, ValueError for arguments out of range.
    """
    positions = array("positions", positions, 2)
    length, d = positions.shape
    charges = array("charges", charges, 1, (length,))
    cutoff = whole("cutoff", cutoff, least=0)
    number("constant", constant)
    number("tolerance", tolerance, least=0)
    memory("cutoff", cutoff, 16 * CHUNK * (2 * cutoff + 1) ** d)  # the waves on a chunk of cells
    wave = WaveSum.of(positions, charges, cutoff, constant)
    side = CELLS_PER_FREQUENCY * (2 * cutoff + 1)
    half = np.pi / side
    # Not where a solver's grid lies, at any side: the origin of the cells is turned by an irrational part of one.
    one = 2 * half * (np.arange(side) + np.sqrt(2) / 2)
    corners = np.array(list(itertools.product((-0.5, 0.5), repeat=d)))
    floor, seen = np.inf, 0.0
    parts = _first_cells(wave, one, d)
    while True:
        left, lowest = [], 0.0
        for cells, taylor in parts:
            seen = min(seen, float(taylor[0].min()))
            bounds = cell_bounds(wave, cells, taylor, half * np.sqrt(d), seen - tolerance)
            low = bounds < seen - tolerance
            floor = min(floor, float(np.min(bounds[~low], initial=np.inf)))
            lowest = min(lowest, float(np.min(bounds[low], initial=0.0)))
            left.append((cells[low, None] + half * corners).reshape(-1, d))
        cells = np.concatenate(left)
        if not len(cells):
            return floor
        if len(cells) > MOST_CELLS:
            raise CertificateError(
                f"the least value of the first variation is not certified: on more than "
                f"{MOST_CELLS} cells it may lie {-lowest:.1e} below 0"
            )
        half /= 2
        parts = ((part, wave.at(part)) for part in np.split(cells, range(CHUNK, len(cells), CHUNK)))


def _first_cells(wave: WaveSum, one: Array, dimension: int) -> Iterator[tuple[Array, Taylor]]:
    """The centres of the cells of a grid, n × d, with the Taylor terms there, a few rows of the grid at a time."""
    others = np.array(list(itertools.product(one, repeat=dimension - 1)))
    rows = max(1, CHUNK // len(others))
    for part in np.split(one, range(rows, len(one), rows)):
        cells = np.column_stack([np.repeat(part, len(others)), np.tile(others, (len(part), 1))])
        yield cells, wave.on_product(part, others)


def cell_bounds(wave: WaveSum, cells: Array, taylor: Taylor, reach: float, enough: float) -> Array:
    """What T exceeds on each cell, n numbers; the best of the bounds above where the simplest is not enough.

    wave: T.
    cells: their centres θ₀, n × d.
    taylor: T there with its gradient and Hessian.
    reach: ρ.
    enough: the bound that is asked for.
    """
    value, gradient, hessian = taylor
    bounds: Array
    cubic = wave.third * reach**3 / 6
    straight = value - np.linalg.norm(gradient, axis=1) * reach - cubic
    diagonal = np.diagonal(hessian, axis1=1, axis2=2)
    disc = np.min(diagonal + np.abs(diagonal) - np.abs(hessian).sum(axis=2), axis=1)  # Gershgorin: the least is above
    bounds = straight + np.minimum(disc, 0) * reach**2 / 2
    rest = np.flatnonzero(bounds < enough)
    bends, axes = np.linalg.eigh(hessian[rest])
    along = np.einsum("nji,nj->ni", axes, gradient[rest])
    fall = np.sum(along**2 / np.where(bends > 0, bends, np.inf), axis=1) / 2
    bowl = np.where(bends[:, 0] > 0, value[rest] - fall - cubic, -np.inf)
    bounds[rest] = np.maximum(bowl, straight[rest] + np.minimum(bends[:, 0], 0) * reach**2 / 2)
    strength = bends[:, 0] - wave.third * reach
    convex = (strength > FLAT * bends[:, -1]) & (bounds[rest] < enough)
    if np.any(convex):
        rest, strength = rest[convex], strength[convex]
        there = value[rest], gradient[rest], hessian[rest]
        bounds[rest] = np.maximum(bounds[rest], _convex_bounds(wave, cells[rest], there, reach, strength, enough))
    return bounds


def _convex_bounds(wave: WaveSum, cells: Array, taylor: Taylor, reach: float, strength: Array, enough: float) -> Array:
    """T(θ₁) − ‖∇T(θ₁)‖²/2μ at the best of some Newton steps θ₁ that stay in the ball around the cell."""
    away, best = np.zeros_like(cells), np.full(len(cells), -np.inf)
    inside = np.ones(len(cells), dtype=bool)
    for _ in range(NEWTON_STEPS):
        value, gradient, hessian = taylor
        best = np.maximum(best, value - np.sum(gradient**2, axis=1) / (2 * strength))
        if not np.any(inside & (best < enough)):
            break
        away = away - np.linalg.solve(hessian, gradient[..., None])[..., 0]
        far = np.linalg.norm(away, axis=1)
        inside = far < reach
        away *= (reach / np.maximum(far, reach))[:, None]
        taylor = wave.at(cells + away)
    return best
