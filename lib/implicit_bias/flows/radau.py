"""Radau collocation: nodes of a step, the integrals up to them, and how a polynomial is read between them."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from implicit_bias.checks import Array


@dataclass(frozen=True)
class Radau:
    """The method Radau IIA of s stages, of order 2s − 1 and stiffly accurate.

    nodes: c, s numbers in (0, 1], the last one 1.
    integrals: A, s × s, with (A f)_k the integral from 0 to c_k of the polynomial through f at the nodes.
    slope: s numbers that make of integrals at the nodes the polynomial's value at 1, the last row of A⁻¹.
    tail: 2 × s, of values at the nodes the last two coefficients in Legendre's polynomials.
    rates: the eigenvalues a of A with a positive imaginary part, and the real one if s is odd.
    left, right: A = Re Σ_k a_k right_k left_kᵀ, from these eigenvalues alone.
    reads: 0 and the nodes, s + 1 numbers.
    weights: their barycentric weights, s + 1 numbers.
    """

    nodes: Array
    integrals: Array
    slope: Array
    tail: Array
    rates: NDArray[np.complex128]
    left: NDArray[np.complex128]
    right: NDArray[np.complex128]
    reads: Array
    weights: Array

    def read(self, x: float, values: Array) -> Array:
        """The polynomial through values at 0 and the nodes, read at x.

        x: in [0, 1].
        values: (s + 1) × p.

        Returns p numbers.
        Reference: Berrut & Trefethen 2004, equation (4.2).
        """
        off = x - self.reads
        if not off.all():
            return np.asarray(values[int(np.argmin(np.abs(off)))])
        share = self.weights / off
        return np.asarray(share @ values / share.sum())


@cache
def radau(stages: int) -> Radau:
    """The method with so many stages.

    Its nodes are the zeros of P_{s−1} − P_s, moved from [−1, 1] to [0, 1].

    stages: s, at least 2.

    Reference: Hairer & Wanner 1996, Section IV.5.
    """
    x = np.sort(legendre.legroots([0.0] * (stages - 1) + [1.0, -1.0]).real)
    x[-1] = 1.0
    coefficients = np.linalg.inv(legendre.legvander(x, stages - 1))
    grown = np.stack([legendre.legval(x, legendre.legint(row, lbnd=-1)) for row in np.eye(stages)], axis=1)
    integrals = grown @ coefficients / 2
    rates, right = np.linalg.eig(integrals)
    left = np.linalg.inv(right)
    upper = rates.imag >= 0  # the others are their conjugates
    twice = np.where(rates.imag[upper] > 0, 2.0, 1.0)
    reads = np.append(0.0, (x + 1) / 2)
    apart = reads[:, None] - reads + np.eye(stages + 1)
    return Radau(
        nodes=reads[1:],
        integrals=integrals,
        slope=np.linalg.inv(integrals)[-1],
        tail=np.asarray(coefficients[-2:], dtype=np.float64),
        rates=rates[upper],
        left=left[upper],
        right=right[:, upper] * twice,
        reads=reads,
        weights=1 / np.prod(apart, axis=1),
    )
