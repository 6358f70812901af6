"""Evidence that a point is the optimum it is said to be, computed from the problem's data alone."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array
from implicit_bias.limits.rounding import Balls, Between, Exact, Unproved

WIDTH = 1e-9  # the relative width of an enclosure that is allowed where nothing else is asked for
SMALL = 100_000  # entries of data for which exact arithmetic takes some hundredths of a second


class CertificateError(RuntimeError):
    """A solver's answer that does not prove itself optimal.

    message: what is wrong, one line.
    answer: the best that was found, None where there is none.
    certificate: what is known of it, its enclosure among it, None where nothing is.
    """

    def __init__(self, message: str, answer: Any = None, certificate: "Certificate | None" = None) -> None:
        """Say what is wrong, in one line, and keep what is known all the same."""
        super().__init__(message)
        self.answer, self.certificate = answer, certificate


@dataclass(frozen=True)
class Enclosure:
    """Two numbers of which low ≤ optimum ≤ high is proved for the data as they are, rounding included.

    low, high: the two bounds.
    """

    low: float
    high: float

    @classmethod
    def proved(cls, bounds: Callable[[Any], tuple[Between, Between]], entries: int, tol: float) -> "Enclosure":
        """What holds in floats with radii, or where that is wider than tol and the data are small, in exact numbers.

        bounds: from ``Balls`` or ``Exact``, in which it computes, to a lower and an upper bound of the optimum.
        entries: how many numbers the data are.
        tol: the relative width that is sought.
        """
        found = UNKNOWN
        for numbers in (Balls, Exact) if entries <= SMALL else (Balls,):
            try:
                low, high = bounds(numbers)
            except Unproved:
                continue
            found = cls(max(found.low, low.down()), min(found.high, high.up()))
            if found.width <= tol:
                break
        return found

    @property
    def width(self) -> float:
        """(high − low) over the larger of |low| and |high|; infinite where that is no number or low > high."""
        if self.low == self.high and math.isfinite(self.low):
            return 0.0
        size = max(abs(self.low), abs(self.high))
        return (self.high / size - self.low / size) if self.low < self.high and math.isfinite(size) else math.inf


UNKNOWN = Enclosure(-math.inf, math.inf)


@brief()
@dataclass(frozen=True)
class Certificate:
    """The Karush–Kuhn–Tucker residuals of a convex problem at an answer, and its duality gap, each relative.

    primal: by how much the answer misses its constraints.
    dual: by how much the multipliers miss theirs, stationarity included.
    gap: primal minus dual value, over the primal value, or over that of doing nothing where the best may be 0.
    enclosure: between which numbers the optimum is proved to lie; None where only the residuals are known.

    The residuals are numbers as floats give them, the norm is said by who makes them; the enclosure is a proof.
    """

    primal: float
    dual: float
    gap: float
    enclosure: Enclosure | None = None

    @classmethod
    def of_equations(cls, primal: float, dual: float = 0.0, enclosure: Enclosure | None = None) -> "Certificate":
        """The certificate of an answer that linear equations determine, as those of a quadratic program's optimum do.

        Without inequalities primal and dual value differ by what the equations miss and by nothing else: a gap would
        say the same once more. It is 0 by definition.

        primal: by how much the answer misses its own equations, relative.
        dual: by how much multipliers miss theirs, where there are some.
        enclosure: of the optimal value, where it is proved.
        """
        return cls(primal=primal, dual=dual, gap=0.0, enclosure=enclosure)

    @classmethod
    def of_all(cls, certificates: Sequence["Certificate"]) -> "Certificate":
        """The certificate of several answers at once: the largest of each residual, and the widest enclosure.

        certificates: of each.
        """
        known = [one.enclosure for one in certificates if one.enclosure is not None]
        return cls(
            primal=max(one.primal for one in certificates),
            dual=max(one.dual for one in certificates),
            gap=max((one.gap for one in certificates), key=abs),
            enclosure=max(known, key=lambda one: one.width) if len(known) == len(certificates) else None,
        )

    @property
    def worst(self) -> float:
        """The largest of the three residuals; infinite where one of them is no number."""
        parts = (self.primal, self.dual, abs(self.gap))
        return max(parts) if all(math.isfinite(part) for part in parts) else math.inf

    def holds(self, tolerance: float, tol: float = math.inf) -> bool:
        """Whether each residual is a number and at most the tolerance, and the enclosure at most tol wide."""
        return self.worst <= tolerance and (tol == math.inf or (self.enclosure or UNKNOWN).width <= tol)

    def demand(self, tolerance: float, what: str, *, tol: float = math.inf, answer: Any = None) -> None:
        """Raise CertificateError unless each residual is a number and at most the tolerance, the enclosure at most tol.

        tolerance: of the residuals.
        what: is certified, for the message.
        tol: the allowed relative width of the enclosure; by default nothing is asked of it.
        answer: what the error carries, beside this certificate.
        """
        if self.holds(tolerance, tol):
            return
        found = self.enclosure or UNKNOWN
        lies = f"its value is proved to lie between {found.low:.17g} and {found.high:.17g}"
        if not self.worst <= tolerance:
            known = f", though {lies}" if found.width <= tol else ""
            raise CertificateError(
                f"{what} is not certified: primal residual {self.primal:.1e}, dual residual {self.dual:.1e}, "
                f"gap {self.gap:.1e}, allowed {tolerance:.1e}{known}",
                answer,
                self,
            )
        raise CertificateError(
            f"{what} is not certified: {lies}, a relative width of {found.width:.1e}, allowed {tol:.1e}", answer, self
        )


def relative(miss: ArrayLike, *sizes: ArrayLike) -> float:  # attack: none, inside solvers
    """The largest of |miss| over the largest of the sizes, entry by entry; 0/0 is 0.

    miss, sizes: numbers or arrays that broadcast.
    """
    missed, *given = np.broadcast_arrays(np.abs(miss), *(np.abs(size) for size in sizes))
    size = np.max(given, axis=0)
    return float(np.max(np.divide(missed, size, out=np.where(missed > 0, np.inf, missed), where=size > 0)))


def length(values: ArrayLike) -> float:  # attack: none, inside solvers
    """The Euclidean norm, without overflow or underflow on the way.

    values: numbers.
    """
    power = exponent(values)
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.ldexp(np.linalg.norm(np.ldexp(values, -power)), power))


def exponent(values: ArrayLike, axis: int | None = None) -> np.typing.NDArray[np.int64]:  # attack: none, inside solvers
    """The e with 2^(e−1) ≤ max |values| < 2^e, along an axis; 0 where all are 0.

    Data divided by this power of two lose no digit, and their squares neither overflow nor underflow.

    values: numbers.
    axis: along which the largest is taken; None: of all.
    """
    return np.asarray(np.frexp(np.max(np.abs(values), axis=axis))[1], dtype=np.int64)


def in_unit(values: ArrayLike, power: ArrayLike, what: str) -> Array:  # attack: none, inside solvers
    """The values times 2^power, if a float64 can hold each of them with all its digits; CertificateError otherwise.

    values: numbers.
    power: whole numbers of the same shape, or one.
    what: what they are, for the message.
    """
    values = np.asarray(values, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore"):
        moved = np.ldexp(values, np.asarray(power, dtype=np.int64))
    held = np.isfinite(moved) & (np.abs(moved) >= np.finfo(np.float64).tiny)
    if not np.all(held | (values == 0)):
        raise CertificateError(f"a float64 cannot hold {what}: measure the data in another unit")
    return np.asarray(moved)
