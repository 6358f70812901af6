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
WAVES = 24  # arrays of a chunk of cells by the waves in the others, of complex numbers
NEWTON_STEPS = 6
APART = 1e-14  # what the rounding of their centres may leave between two cells
FLAT = 1e-10  # of the largest eigenvalue: a Hessian flatter than that is not inverted


def torus_floor(
    positions: Array, charges: Array, cutoff: int, constant: float, tolerance: float, *, proved: bool = False
) -> float:
    """A lower bound of T(θ) = λ + Σ_j c_j K(θ − x_j) on the torus, K the Dirichlet kernel, by Taylor on cells.

    T(θ) = λ + Re Σ_k q_k e^{ik·θ},  q_k = Σ_j c_j e^{−ik·x_j},  |D³T| ≤ Σ_k |q_k|‖k‖³ = L

    On a cell of half the diagonal ρ around θ₀, with gradient g and Hessian H at θ₀, whose least eigenvalue is h:

    T ≥ T(θ₀) − ‖g‖ρ + ½ min(0, h)ρ² − Lρ³/6 always,  T ≥ T(θ₀) − ½ gᵀH⁻¹g − Lρ³/6 if h > 0,
    T ≥ T(θ₁) − ‖∇T(θ₁)‖²/2μ for any θ₁ with μ = h(θ₁) − L(ρ + ‖θ₁ − θ₀‖) > 0: D²T ≥ μ from θ₁ to all of the cell.

    Cells whose bound is below 0, and below the least T found, by more than the tolerance are cut in 2^d.

    positions: x, l × d.
    charges: c, l numbers.
    cutoff: K.
    constant: λ.
    tolerance: how far the bound may stay below min(0, min T).
    proved: whether all rounding is counted, at its largest; then the tolerance is at least four times that.

    Returns the bound.
    Raises CertificateError where more than 200,000 cells would be needed, ValueError for arguments out of range.
    """
    positions = array("positions", positions, 2)
    length, d = positions.shape
    charges = array("charges", charges, 1, (length,))
    cutoff = whole("cutoff", cutoff, least=0)
    number("constant", constant)
    number("tolerance", tolerance, least=0)
    # the weights, and the sums over one frequency of each derivative on a chunk of cells
    memory("cutoff", cutoff, 16 * (2 * cutoff + 1) ** (d - 1) * (2 * cutoff + 1 + WAVES * CHUNK))
    if proved:
        wave = WaveSum.counted(positions, charges, cutoff, constant)[0]
        tolerance = max(tolerance, 4 * wave.rounding)
    else:
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
            bounds = cell_bounds(wave, cells, taylor, half * np.sqrt(d) + APART, seen - tolerance)
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


def cell_bounds(  # attack: none, inside solvers
    wave: WaveSum, cells: Array, taylor: Taylor, reach: float, enough: float
) -> Array:
    """What T exceeds on each cell, n numbers; the best of the bounds above where the simplest is not enough.

    wave: T.
    cells: their centres θ₀, n × d.
    taylor: T there with its gradient and Hessian.
    reach: ρ.
    enough: the bound that is asked for.
    """
    value, gradient, hessian = taylor
    bounds: Array
    steep = float(wave.first[-1]) * np.sqrt(cells.shape[1])  # no derivative of a wave of size 1 is larger
    off, off_slope, off_bend = (wave.rounding * steep**order for order in range(3))
    cubic = (wave.third + wave.rounding * steep**3) * reach**3 / 6
    straight = value - off - (np.linalg.norm(gradient, axis=1) + off_slope) * reach - cubic
    diagonal = np.diagonal(hessian, axis1=1, axis2=2)
    disc = np.min(diagonal + np.abs(diagonal) - np.abs(hessian).sum(axis=2), axis=1)  # Gershgorin: the least is above
    bounds = straight + np.minimum(disc - off_bend, 0) * reach**2 / 2
    rest = np.flatnonzero(bounds < enough)
    bends = least_bends(hessian[rest]) - off_bend
    bounds[rest] = straight[rest] + np.minimum(bends, 0) * reach**2 / 2
    flat = FLAT * np.abs(hessian[rest]).max(axis=(1, 2))
    bowls = rest[bends > flat]
    place, step = cells[bowls], np.linalg.solve(hessian[bowls], gradient[bowls, :, None])[..., 0]
    # ½ gᵀH⁻¹g = g·s − ½ sᵀHs + ½ rᵀH⁻¹r for any s, with r = g − Hs.
    pushed, length = np.einsum("nij,nj->ni", hessian[bowls], step), np.linalg.norm(step, axis=1)
    missed = np.linalg.norm(gradient[bowls] - pushed, axis=1) + off_slope + length * off_bend
    fall = np.sum((gradient[bowls] - pushed / 2) * step, axis=1) + length * (off_slope + length * off_bend)
    fall += missed**2 / (2 * bends[bends > flat])
    bounds[bowls] = np.maximum(bounds[bowls], value[bowls] - off - fall - cubic)
    convex = bends[bends > flat] > wave.third * reach  # else no θ₁ has μ > 0
    for _ in range(NEWTON_STEPS):
        left = convex & (bounds[bowls] < enough)
        bowls, place = bowls[left], place[left] - step[left]
        if not len(bowls):
            break
        here, slope, bend = wave.at(place)
        away = reach + np.linalg.norm(place - cells[bowls], axis=1)
        strength = least_bends(bend) - off_bend - (wave.third + wave.rounding * steep**3) * away
        convex = strength > FLAT * np.abs(bend).max(axis=(1, 2))
        bowls, place, slope = bowls[convex], place[convex], slope[convex]
        steepest = np.linalg.norm(slope, axis=1) + off_slope
        bounds[bowls] = np.maximum(bounds[bowls], here[convex] - off - steepest**2 / (2 * strength[convex]))
        step, convex = np.linalg.solve(bend[convex], slope[..., None])[..., 0], convex[convex]
    return bounds


def least_bends(hessian: Array) -> Array:  # attack: none, inside solvers
    """The least eigenvalues of symmetric matrices, n × d × d: n numbers.

    hessian: n × d × d.
    """
    if hessian.shape[-1] > 2:
        return np.asarray(np.linalg.eigvalsh(hessian)[:, 0])
    first, last = hessian[:, 0, 0], hessian[:, -1, -1]
    return np.asarray((first + last) / 2 - np.hypot((first - last) / 2, hessian[:, 0, -1] * (hessian.shape[-1] - 1)))
