"""A sum of waves on the torus, T(θ) = λ + Re Σ_k q_k e^{ik·θ}: T, ∇T and D²T at points, or on a product of points."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array
from implicit_bias.limits.measures.fine_waves import fine_weights, is_fine
from implicit_bias.limits.rounding import UNIT

FACTOR = 6 * UNIT  # by how much e^{it} of NumPy may be off: 4 units in the last place of cosine and of sine
ROUND = 7.0  # no coordinate of a point of evaluation is larger

Waves = NDArray[np.complex128]
Taylor = tuple[Array, Array, Array]  # n values, n × d slopes, n × d × d second derivatives


@dataclass(frozen=True)
class WaveSum:
    """T(θ) = λ + Re Σ_k q_k e^{ik·θ}, k ∈ {−K, …, K}^d, kept by the first coordinate's frequency and by the others'.

    weights: q, 2K+1 × (2K+1)^{d−1}.
    others: the frequencies in the other coordinates, (2K+1)^{d−1} × (d−1).
    constant: λ.
    rounding: what T as computed may be off by, 0 where rounding is not counted; its slopes by as much times K√d each.
    """

    weights: Waves
    others: Array
    constant: float
    rounding: float = 0.0

    @classmethod
    def of(cls, positions: Array, charges: Array, cutoff: int, constant: float) -> "WaveSum":
        """λ + Σ_j c_j K(θ − x_j), K the Dirichlet kernel: q_k = Σ_j c_j e^{−ik·x_j}, by ``fine_weights`` for large K.

        positions: x, l × d.
        charges: c, l numbers.
        cutoff: the highest frequency.
        constant: λ.
        """
        k = np.arange(-cutoff, cutoff + 1.0)
        others = np.array(list(itertools.product(k, repeat=positions.shape[1] - 1)))
        if is_fine(positions, cutoff):
            return cls(fine_weights(positions, charges, cutoff)[0], others, constant)
        first = np.exp(-1j * np.outer(k, positions[:, 0]))
        return cls((first * charges) @ np.exp(-1j * positions[:, 1:] @ others.T), others, constant)

    @classmethod
    def counted(cls, positions: Array, charges: Array, cutoff: int, constant: float) -> tuple["WaveSum", float]:
        """The same with its rounding, and by how much ‖q‖ may be off.

        An angle k_i x_i is off by 2^−53 of itself, a sum of n terms by n such units of its terms, cos and sin by 4
        units in the last place, which is what NumPy allows its own. Of the weights ``fine_weights`` says it itself.
        """
        sum_ = cls.of(positions, charges, cutoff, constant)
        (length, d), side = positions.shape, 2 * cutoff + 1
        far = float(np.max(np.abs(positions), initial=ROUND))
        wave = d * (cutoff * far * UNIT + FACTOR) * (1 + 1e-9)
        apart, share = (wave + 2 * (length + 4) * UNIT) * float(np.abs(charges).sum()), 0.0  # share: of each |q_k|
        if is_fine(positions, cutoff):
            apart, share = fine_weights(positions, charges, cutoff)[1], UNIT
        total, long = float(np.abs(sum_.weights).sum()), float(np.linalg.norm(sum_.weights))
        missed = (share * total + side**d * apart) * (1 + 1e-9)
        size = total * (1 + 1e-9) + missed
        off = size * (wave + 2 * (side + side ** (d - 1) + 8) * UNIT) + missed + 8 * UNIT * abs(constant)
        # mutant anywhere(… * (1 + 1e-09) → … / (1 + 1e-09)): more room than that
        return replace(sum_, rounding=off), (share * long + side ** (d / 2) * apart) * (1 + 1e-9)

    @cached_property
    def first(self) -> Array:
        """The frequencies in the first coordinate, 2K+1 numbers."""
        half = len(self.weights) // 2
        return np.arange(-half, half + 1, dtype=np.float64)

    @cached_property
    def third(self) -> float:
        """Σ_k |q_k|‖k‖³, which no third derivative along a line exceeds."""
        squares = self.first[:, None] ** 2 + np.sum(self.others**2, axis=1)
        return float(np.sum(np.abs(self.weights) * squares**1.5))

    def at(self, points: Array) -> Taylor:
        """T with gradient and Hessian at n × d points: n, n × d and n × d × d numbers."""
        return self._taylor(points[:, 0], points[:, 1:], lambda a, b: np.einsum("tnk,tnk->tn", a, b))

    def on_product(self, first: Array, others: Array) -> Taylor:
        """T with gradient and Hessian at all pairs of n first coordinates and l × (d−1) others, the last fastest."""
        return self._taylor(first, others, lambda a, b: (a @ b.transpose(0, 2, 1)).reshape(len(a), -1))

    @cached_property
    def _terms(self) -> tuple[Waves, list[int], Waves, NDArray[np.intp]]:
        """(ik)^p, p ≤ 2, of the first coordinate; of T, ∂_iT and ∂_i∂_jT each p, the others' factors, and its place."""
        d = 1 + self.others.shape[1]
        axes = [(), *((i,) for i in range(d)), *itertools.combinations_with_replacement(range(d), 2)]
        factors = [np.prod(1j * self.others[:, [axis - 1 for axis in each if axis]], axis=1) for each in axes]
        where = np.array([[axes.index((min(i, j), max(i, j))) for j in range(d)] for i in range(d)], dtype=np.intp)
        powers = np.array([np.ones_like(self.first), 1j * self.first, -(self.first**2)], dtype=np.complex128)
        return powers, [each.count(0) for each in axes], np.array(factors, dtype=np.complex128)[:, None], where

    def _taylor(self, first: Array, others: Array, pair: Callable[[Array, Array], Array]) -> Taylor:
        """Sums over the first frequencies times waves in the others, in real numbers: Re AB = Re A Re B̄ + Im A Im B̄."""
        powers, power, factors, where = self._terms
        summed = (powers[:, None] * np.exp(1j * first[:, None] * self.first)) @ self.weights
        rest = np.conj(factors * np.exp(1j * others @ self.others.T))
        terms = pair(summed.view(np.float64)[power], rest.view(np.float64))
        d = len(where)
        return self.constant + terms[0], terms[1 : 1 + d].T, terms[where].transpose(2, 0, 1)
