"""How the minimizer of Q_k approaches the interpolator of least ℓ1 norm as k → 0: rates with their constants."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import lu_factor, lu_solve

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, number
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation.least_l1 import LeastL1, least_l1

ZERO = 1e-9  # below this share of the largest coordinate, one is outside the support


@brief("slack")
@dataclass(frozen=True)
class EntropyToL1:
    """The interpolator of least ℓ1 norm at a vertex with N non-zero coordinates, and how Q_k's minimizer comes to it.

    w_j(k) ≈ (√k/2) sinh(c_j ln(1/√k) + o_j) off the support: |w_j| ∝ √k^(1 − |c_j|)

    x: N × d.
    l1: the interpolator with its dual certificate, which encloses the least norm. The support and the constants below
        are what floats give at this vertex, diagnostics and no proof: they are no least value that two bounds enclose.
    support: which coordinates are not zero, d truth values, N of them true.
    c: the dual certificate Xᵀλ of the linear program, d entries, ±1 on the support, smaller in size elsewhere.
    offset: o, d entries; ln(4|w_j|)·sign w_j on the support.

    >>> limit = entropy_to_l1(np.array([[1.0, 2.0]]), np.array([2.0]))
    >>> limit.support, limit.slack
    (array([False,  True]), 0.5)
    """

    x: Array
    l1: LeastL1
    support: NDArray[np.bool_]
    c: Array
    offset: Array

    @property
    def slack(self) -> float:
        """The least 1 − |c_j| off the support: the exponent of √k with which ‖w(k) − w_ℓ1‖ vanishes."""
        return float(1 - np.abs(self.c[~self.support]).max())

    def minimizer(self, root_k: float) -> Array:
        """The minimizer of Q_k to leading order, d entries; it interpolates.

        Off the support as above, on it:

        w_S = w_{ℓ1,S} − X_S⁻¹X_off w_off

        root_k: √k > 0, the same for every coordinate.
        """
        root_k = number("root_k", root_k, above=0)
        inside, w = self.support, self.l1.w.copy()
        with np.errstate(over="ignore"):
            w[~inside] = root_k / 2 * np.sinh(self.offset[~inside] - self.c[~inside] * np.log(root_k))
        if not np.all(np.isfinite(w)):
            raise ValueError(f"root_k is {root_k:g}; there the expansion for small root_k is beyond any float64")
        w[inside] -= lu_solve(lu_factor(self.x[:, inside]), self.x[:, ~inside] @ w[~inside])
        return w

    def next_order(self, root_k: float) -> float:
        """By how much the next term of the expansion changes a coordinate off the support, relative to it, at most.

        It is 2|ν_off|, where ν_S = δw_S/(2|w_S|) is how far the motion of the support shifts ∇Q_k, and Xᵀ carries it
        over.

        root_k: √k > 0.
        """
        inside = self.support
        moved = (self.minimizer(root_k) - self.l1.w)[inside] / np.abs(self.l1.w[inside])
        # mutant(1): only sets a tolerance; held by tests
        shift = lu_solve(lu_factor(self.x[:, inside]), moved, trans=1)
        return float(np.abs(shift @ self.x[:, ~inside]).max())


def entropy_to_l1(x: ArrayLike, y: ArrayLike) -> EntropyToL1:
    """Expand argmin {Q_k(w) : Xw = y} at k = 0, for the same k in every coordinate.

    ∇Q_k(w) = ½ arcsinh(2w/√k) = Xᵀλ. With λ = ½ ln(1/√k) λ_ℓ1 + λ₁ it holds on the support to leading order if
    2 X_Sᵀλ₁ = sign(w) ln(4|w|), and off the support it gives w_j, with o = 2Xᵀλ₁.

    x: N × d of rank N.
    y: N labels.

    Returns the limit with its constants.
    Raises CertificateError where the limit is not a vertex with N non-zero coordinates and positive slack.

    >>> limit = entropy_to_l1(np.array([[1.0, 2.0]]), np.array([2.0]))
    >>> limit.l1.w.round(12) + 0.0, limit.c.round(12)
    (array([0., 1.]), array([0.5, 1. ]))
    """
    x = array("x", x, 2)
    y = array("y", y, 1, (x.shape[0],))  # mutant(1): the guard of an argument
    l1 = least_l1(x, y)
    support = np.abs(l1.w) > ZERO * np.abs(l1.w).max()
    if support.sum() != y.size:
        raise CertificateError(
            f"the interpolator of least l1 norm has {support.sum()} non-zero coordinates; the expansion needs {y.size}"
        )
    c = l1.dual @ x
    if not np.abs(c[~support]).max(initial=0.0) < 1 - ZERO:
        raise CertificateError("the interpolator of least l1 norm is not unique: its certificate reaches 1 elsewhere")
    signed_logs = np.sign(l1.w[support]) * np.log(4 * np.abs(l1.w[support]))
    first = lu_solve(lu_factor(x[:, support]), signed_logs, trans=1)  # mutant(1): the guard of a unique vertex
    return EntropyToL1(x, l1, support, c, first @ x)
