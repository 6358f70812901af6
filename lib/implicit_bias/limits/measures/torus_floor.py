"""How low a trigonometric polynomial of the torus can lie: a bound that holds everywhere, not only on a grid."""

import itertools

import numpy as np

from implicit_bias.checks import Array, array, memory, number, whole
from implicit_bias.limits.certificate import CertificateError

CELLS_PER_FREQUENCY = 4
MOST_CELLS = 200_000
CHUNK = 4096


def torus_floor(positions: Array, charges: Array, cutoff: int, constant: float, tolerance: float) -> float:
    """A lower bound of T(θ) = λ + Σ_j c_j K(θ − x_j) on the torus, K the Dirichlet kernel, by Taylor on cells.

    T(θ) = λ + Re Σ_k q_k e^{ik·θ},  q_k = Σ_j c_j e^{−ik·x_j},  |D³T| ≤ Σ_k |q_k|‖k‖³ = L

    On a cell of half the diagonal ρ around θ₀, with gradient g and Hessian H at θ₀,

    T ≥ T(θ₀) − ½ gᵀH⁻¹g − Lρ³/6 if H > 0,  T ≥ T(θ₀) − ‖g‖ρ + ½ min(0, least eigenvalue of H)ρ² − Lρ³/6 always.

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
    k = np.array(list(itertools.product(range(-cutoff, cutoff + 1), repeat=d)), dtype=np.float64)
    q = np.exp(-1j * k @ positions.T) @ charges
    third = float(np.abs(q) @ np.sum(k**2, axis=1) ** 1.5)
    side = CELLS_PER_FREQUENCY * (2 * cutoff + 1)
    half = np.pi / side
    # Not where a solver's grid lies, at any side: the origin of the cells is turned by an irrational part of one.
    one = 2 * half * (np.arange(side) + np.sqrt(2) / 2)
    cells, floor = np.stack(np.meshgrid(*[one] * d, indexing="ij"), axis=-1).reshape(-1, d), np.inf
    seen = 0.0
    corners = np.array(list(itertools.product((-0.5, 0.5), repeat=d)))
    while len(cells):
        parts = [
            _bounds(part, k, q, constant, half * np.sqrt(d), third)
            for part in np.split(cells, range(CHUNK, len(cells), CHUNK))
        ]
        values, bounds = (np.concatenate(part) for part in zip(*parts, strict=True))
        seen = min(seen, float(values.min()))
        left = bounds < seen - tolerance
        floor = min(floor, float(np.min(bounds[~left], initial=np.inf)))
        cells = (cells[left, None] + half * corners).reshape(-1, d)
        if len(cells) > MOST_CELLS:
            raise CertificateError(
                f"the least value of the first variation is not certified: on more than "
                f"{MOST_CELLS} cells it may lie {-bounds[left].min():.1e} below 0"
            )
        half /= 2
    return floor


def _bounds(cells: Array, k: Array, q: Array, constant: float, reach: float, third: float) -> tuple[Array, Array]:
    """T at the centres of cells, and what it exceeds on each, n numbers each."""
    d = k.shape[1]
    wave = np.exp(1j * cells @ k.T) * q
    value = constant + wave.sum(axis=1).real
    gradient = -(wave.imag @ k)
    hessian = -(wave.real @ (k[:, :, None] * k[:, None, :]).reshape(-1, d * d)).reshape(-1, d, d)
    bends, axes = np.linalg.eigh(hessian)
    along = np.einsum("nji,nj->ni", axes, gradient)
    cubic = third * reach**3 / 6
    anywhere = value - np.linalg.norm(gradient, axis=1) * reach + np.minimum(bends[:, 0], 0) * reach**2 / 2
    bowl = bends[:, 0] > 0
    fall = np.sum(along**2 / np.where(bowl[:, None], bends, 1.0), axis=1) / 2
    return value, np.maximum(anywhere, np.where(bowl, value - fall, -np.inf)) - cubic
