"""Evidence that a point is the optimum it is said to be, computed from the problem's data alone."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array

# A miss is counted relative to its right-hand side, but never to less than this share of the terms that cancel in it:
# at a tolerance of 1e-10 that is 1e-13 of the terms, some hundred units of their rounding.
CANCELLED = 1e-3


class CertificateError(RuntimeError):
    """A solver's answer that does not prove itself optimal."""


@brief()
@dataclass(frozen=True)
class Certificate:
    """The Karush–Kuhn–Tucker residuals of a convex problem at an answer, and its duality gap, each relative.

    primal: by how much the answer misses its constraints.
    dual: by how much the multipliers miss theirs, stationarity included.
    gap: primal minus dual value, over the primal value, or over that of doing nothing where the best may be 0.
    """

    primal: float
    dual: float
    gap: float

    @classmethod
    def of_equations(cls, primal: float, dual: float = 0.0) -> "Certificate":
        """The certificate of an answer that linear equations determine, as those of a quadratic program's optimum do.

        Without inequalities primal and dual value differ by what the equations miss and by nothing else: a gap would
        say the same once more. It is 0 by definition.

        primal: by how much the answer misses its own equations, relative.
        dual: by how much multipliers miss theirs, where there are some.
        """
        return cls(primal=primal, dual=dual, gap=0.0)

    @property
    def worst(self) -> float:
        """The largest of the three; infinite where one of them is no number."""
        parts = (self.primal, self.dual, abs(self.gap))
        return max(parts) if all(math.isfinite(part) for part in parts) else math.inf

    def demand(self, tolerance: float, what: str) -> None:
        """Raise CertificateError unless every residual is a number and at most the tolerance."""
        if not self.worst <= tolerance:
            raise CertificateError(
                f"{what} is not certified: primal residual {self.primal:.1e}, dual residual {self.dual:.1e}, "
                f"gap {self.gap:.1e}, allowed {tolerance:.1e}"
            )


def relative(miss: ArrayLike, *sizes: ArrayLike) -> float:  # attack: none, inside solvers
    """The largest of |miss| over the largest of the sizes, entry by entry; 0/0 is 0.

    miss, sizes: numbers or arrays that broadcast.
    """
    missed, *given = np.broadcast_arrays(np.abs(miss), *(np.abs(size) for size in sizes))
    size = np.max(given, axis=0)
    return float(np.max(np.divide(missed, size, out=np.where(missed > 0, np.inf, missed), where=size > 0)))


def missed_equations(x: Array, y: Array, w: Array) -> float:  # attack: none, inside solvers
    """By how much w misses the equations Xw = y, each relative to its label or to the terms that cancel in it."""
    return relative(x @ w - y, y, CANCELLED * (np.abs(x) @ np.abs(w)))


def exponent(values: ArrayLike, axis: int | None = None) -> np.typing.NDArray[np.int64]:  # attack: none, inside solvers
    """The e with 2^(e−1) ≤ max |values| < 2^e, along an axis; 0 where all are 0.

    Data divided by this power of two lose no digit, and their squares neither overflow nor underflow.
    """
    return np.asarray(np.frexp(np.max(np.abs(values), axis=axis))[1], dtype=np.int64)


def in_unit(values: ArrayLike, power: ArrayLike, what: str) -> Array:  # attack: none, inside solvers
    """The values times 2^power, if a float64 can hold each of them with all its digits; CertificateError otherwise."""
    values = np.asarray(values, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore"):
        moved = np.ldexp(values, np.asarray(power, dtype=np.int64))
    held = np.isfinite(moved) & (np.abs(moved) >= np.finfo(np.float64).tiny)
    if not np.all(held | (values == 0)):
        raise CertificateError(f"a float64 cannot hold {what}: measure the data in another unit")
    return np.asarray(moved)
