"""Trigonometric polynomials on the torus: values on a grid, Taylor's terms at points, by products axis by axis."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.checks import Array, array, memory
from implicit_bias.data.torus import ROOT, fourier_basis, torus_grid
from implicit_bias.limits.measures.fine_waves import Waves, fine_weights, is_fine


def jets(places: Array, cutoff: int) -> tuple[Array, Array]:  # attack: none, inside solvers
    """The real basis b in each coordinate, with b′ and b″: b(θ₁) ⊗ b(θ₂) has the inner products of φ(θ).

    For a few places: each wave is evaluated by itself, in fewer calls than by addition of angles, and to rounding.

    places: θ, n × d, d = 1 or 2.
    cutoff: K.

    Returns two arrays of 3 × (2K+1) × n; in dimension 1 the second basis is the constant alone, 3 × 1 × n.
    """
    n, d = places.shape
    k = np.arange(1.0, cutoff + 1)[:, None]
    waves = k * places.T.ravel()
    basis = np.zeros((3, 2 * cutoff + 1, d * n))
    basis[0, 0] = 1
    value, slope = basis[0, 1:], basis[1, 1:]
    np.cos(waves, out=value[::2])
    np.sin(waves, out=value[1::2])
    value *= ROOT
    np.multiply(value[1::2], -k, out=slope[::2])
    np.multiply(value[::2], k, out=slope[1::2])
    np.multiply(slope[1::2], -k, out=basis[2, 1::2])
    np.multiply(slope[::2], k, out=basis[2, 2::2])
    if d == 2:
        return basis[..., :n], basis[..., n:]
    constant = np.zeros((3, 1, n))
    constant[0] = 1
    return basis, constant


@dataclass(frozen=True)
class TorusField:
    """T(θ) = b(θ₁)ᵀ C b(θ₂), a polynomial in the real basis; of one coordinate, T(θ) = b(θ)ᵀ C.

    coefficients: C, 2K+1 square, one column in dimension 1.
    """

    coefficients: Array

    @classmethod
    def of(cls, places: Array, charges: Array, cutoff: int) -> "TorusField":
        """Σ_j c_j K(θ − x_j), K the Dirichlet kernel; for many frequencies from ``fine_weights``.

        With b(θ) = U e^{ikθ}, U unitary, Σ_j c_j b(x_j1) b(x_j2)ᵀ = Ū q Uᴴ for q_k = Σ_j c_j e^{−ik·x_j}.

        places: x, l × d.
        charges: c, l numbers.
        cutoff: the highest frequency.
        """
        if is_fine(places, cutoff):
            turned = _real(fine_weights(places, charges, cutoff)[0])
            return cls(np.ascontiguousarray((_real(turned.T).T if places.shape[1] == 2 else turned).real))
        first, second = jets(places, cutoff)
        return cls((first[0] * charges) @ second[0].T)

    @property
    def cutoff(self) -> int:
        """K, the highest frequency."""
        return len(self.coefficients) // 2

    def on_grid(self, side: int) -> Array:
        """T on ``torus_grid`` of side^d points: as many numbers."""
        one = fourier_basis(torus_grid(side, 1)[:, 0], self.cutoff)
        half = one.T @ self.coefficients
        return (half if half.shape[1] == 1 else half @ one).ravel()

    def at(self, points: Array) -> tuple[Array, Array, Array]:
        """T with its gradient and Hessian at n × d points: n, n × d and n × d × d numbers."""
        d = 1 if self.coefficients.shape[1] == 1 else 2
        points = array("points", points, 2, (None, d))
        memory("the number of points", len(points), 8 * 3 * 2 * d * len(self.coefficients) * len(points))
        return self.along(jets(points, self.cutoff))

    def along(self, bases: tuple[Array, Array]) -> tuple[Array, Array, Array]:
        """``at``, from the ``jets`` of the points."""
        first, second = bases
        mixed = np.einsum("ikn,jkn->ijn", first, self.coefficients @ second)  # [i, j] is ∂₁^i ∂₂^j T
        if second.shape[1] == 1:
            return mixed[0, 0], mixed[1, 0, :, None], mixed[2, 0, :, None, None]
        return mixed[0, 0], mixed[[1, 0], [0, 1]].T, mixed[[2, 1, 1, 0], [0, 1, 1, 2]].T.reshape(-1, 2, 2)


def _real(weights: Waves) -> Waves:
    """Ū q: of the frequencies −K to K the rows of 1, √2 cos x, √2 sin x, …, with q_{−k} at e^{ikx}'s conjugate."""
    cutoff = len(weights) // 2
    above, below = weights[cutoff + 1 :], weights[:cutoff][::-1]
    rows = np.empty_like(weights)
    rows[0] = weights[cutoff]
    rows[1::2], rows[2::2] = (above + below) / ROOT, 1j * (above - below) / ROOT
    return rows
