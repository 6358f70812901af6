"""What floats that nearly solve linear equations prove of the exact solution."""

import math
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve, cholesky, qr, solve_triangular

from implicit_bias.checks import Array
from implicit_bias.limits.certificate import SMALL, UNKNOWN, Enclosure, exponent, length, relative
from implicit_bias.limits.rounding import LEAST, UNIT, Balls, Between, Exact, Numbers, Unproved

STEPS = 8  # of the power method, for the size of K⁻¹
PROBED = 1e-3  # by how much XR may miss a vector before another R is tried
REFINED = 4  # times what R leaves is given to R again
UNIT_32, LEAST_32 = 2.0**-24, 2.0**-149  # as UNIT and LEAST, of float32
BLOCK = 256  # terms of a product of float32 that are summed before float64 takes over
ELIMINATED = 50_000  # products up to which dependent rows are looked for in fractions


def least_eigenvalue(k: Array) -> float:  # attack: none, inside solvers
    """A lower bound of the least eigenvalue of the symmetric matrix whose upper triangle is given.

    Where Cholesky's factorization of A in floats runs to its end, no eigenvalue of A is below −γ_{n+1}/(1 − γ_{n+1})
    times its trace; A = K − cI, c about a quarter of the least eigenvalue.

    k: K, n × n; what stands below its diagonal is not looked at.

    Returns the bound. Raises Unproved where K is not positive definite by more than rounding.
    Reference: Rump 2006, Theorem 2.3.
    """
    n, power = len(k), int(exponent(k))
    matrix = np.ldexp(k, -power)
    try:
        factor = cholesky(matrix)
        slow = np.cos(np.arange(n))
        for _ in range(STEPS):
            slow = cho_solve((factor, False), slow / np.linalg.norm(slow))
        shift = 0.25 / float(np.linalg.norm(slow))
        moved = matrix - shift * np.eye(n)
        cholesky(moved)
    except (LinAlgError, ValueError) as error:
        raise Unproved("a matrix that is not proved to be positive definite") from error
    # mutant anywhere(16 → 17): more room than that
    lost = 2 * (n + 4) * UNIT * float(np.abs(np.diag(moved)).sum()) + 16 * n * (n + 3) * LEAST
    if not shift > 2 * lost:
        raise Unproved("a matrix that is not proved to be positive definite")
    return float(np.ldexp(shift - lost, power))


def enclose_form(  # attack: none, inside solvers
    k: Array, y: Array, weights: Array, tol: float, freedom: float = 0.0
) -> Enclosure:
    """Between what yᵀA⁻¹y lies for A = K + v11ᵀ, as ``enclose_forms`` finds it for one y.

    k: K, n × n, symmetric and positive definite; what stands below its diagonal is not looked at.
    y: n labels.
    weights: α, n numbers.
    tol: the relative width that is sought.
    freedom: v ≥ 0.
    """
    return enclose_forms(k, y[:, None], weights[:, None], tol, freedom)[0]


def enclose_forms(  # attack: none, inside solvers
    k: Array, y: Array, weights: Array, tol: float, freedom: float = 0.0
) -> list[Enclosure]:
    """Between what yᵀA⁻¹y lies for A = K + v11ᵀ, the squared norm of a kernel's interpolator, by any α near A⁻¹y.

    yᵀA⁻¹y = 2 y·α − αᵀAα + rᵀA⁻¹r,  r = y − Aα,  0 ≤ rᵀA⁻¹r ≤ ‖r‖²/λ_min(K)

    k: K, n × n, symmetric and positive definite; what stands below its diagonal is not looked at.
    y: q columns of n labels.
    weights: α of each, n × q.
    tol: the relative width that is sought.
    freedom: v ≥ 0.

    Returns q enclosures; the least eigenvalue is found once.
    """
    n, k = len(k), np.triu(k) + np.triu(k, 1).T
    least: Between | None = None

    def enclosed(labels_: Array, alpha_: Array) -> Enclosure:
        def bounds(numbers: type[Numbers]) -> tuple[Between, Between]:
            assert least is not None
            alpha, labels = numbers.of(alpha_), numbers.of(labels_)
            pushed = numbers.of(k) @ alpha
            shared = numbers.of(np.full((n, 1), freedom)) @ (numbers.of(np.ones((1, n))) @ alpha)
            low = Between.of(2.0) * (labels @ alpha).total() - (alpha @ pushed).total() - (alpha @ shared).total()
            return low, low + (labels - pushed - shared).squares() / least

        return Enclosure.proved(bounds, k.size, tol)

    found = []
    for one, near in zip(np.ascontiguousarray(y.T), np.ascontiguousarray(weights.T), strict=True):
        if not (np.all(np.isfinite(k)) and np.all(np.isfinite(one)) and np.all(np.isfinite(near))):
            found.append(UNKNOWN)
        elif not np.any(one):
            found.append(Enclosure(0.0, 0.0))
        else:
            try:
                least = least or Between.of(least_eigenvalue(k))
            except Unproved:
                return [UNKNOWN] * y.shape[1]
            found.append(enclosed(one, near))
    return found


def near_solution(  # attack: none, inside solvers
    x: Array, missed: Balls, least: Between | None = None
) -> Between:
    """An upper bound of the distance of w to the nearest solution of Xw = y, from the Balls of y − Xw.

    ‖X⁺(y − Xw)‖ ≤ ‖y − Xw‖/√λ_min(XXᵀ),  λ_min(XXᵀ) ≥ λ_min(fl XXᵀ) − γ ‖X‖²_F

    At a fraction of the cost of a right inverse, for equations whose squared condition leaves rounding room. The
    products are of float32, in blocks of 256 terms, where that leaves enough, else of float64.

    x: X, N × d, no row longer than 2⁸ in its largest entry.
    missed: y − Xw, N entries.
    least: a lower bound of λ_min(XXᵀ), if one is known.

    Raises Unproved where the rows are not proved to be independent.
    """
    least = least or squared_length(x)
    return (missed.squares() / least).root()


def squared_length(x: Array) -> Between:  # attack: none, inside solvers
    """A lower bound of λ_min(XXᵀ), as ``near_solution`` says.

    x: X, N × d, no row longer than 2⁸ in its largest entry.

    Raises Unproved where the rows are not proved to be independent.
    """
    n, d = x.shape
    for single in (True, False):
        gram, unit = np.zeros((n, n)), UNIT_32 if single else UNIT
        cast: NDArray[Any] = x.astype(np.float32) if single else x
        for start in range(0, d, BLOCK):
            block = cast[:, start : start + BLOCK]
            gram += block @ block.T
        # γ_BLOCK within a block, two casts, the sum of the blocks; what underflows
        share, tiny = (BLOCK + 8) * unit + (d / BLOCK + 2) * 2 * UNIT, 2**12 * n * d * (LEAST_32 if single else LEAST)
        # mutant anywhere(2 → 3): more room than that
        size = float(np.trace(gram)) * (1 + 2 * (share + n * UNIT)) + 2 * tiny  # at least ‖X‖²_F
        lost = Between.of(size) * Between.of(share) + Between.of(tiny)
        try:
            least = Between.of(least_eigenvalue(gram)) - lost
        except Unproved:
            continue
        if least.low > 0:
            return Between.of(least.low)
    raise Unproved("equations that may depend on each other")


@dataclass(frozen=True)
class Solvable:
    """Linear equations Xw = y of independent rows, and what proves that each y has a solution near each w.

    For a matrix R with ε = ‖I − XR‖∞ < 1 the vector w + R(XR)⁻¹(y − Xw) solves the equations. No coordinate of it is
    farther from w than ‖y − Xw‖∞/(1 − ε) times the sum of a row of |R|.

    x: X, N × d of rank N.
    y: N labels.
    inverse: R, d × N.
    """

    x: Array
    y: Array
    inverse: Array

    def shortest(self) -> Array:
        """The solution of least norm but for rounding, by R, which is X⁺ where no support was given."""
        w = self.inverse @ self.y
        for _ in range(REFINED):
            w = w + self.inverse @ (self.y - self.x @ w)
        return w

    def along(self, w: Array) -> Array:
        """The λ with Xᵀλ nearest to w but for rounding, where no support was given."""
        dual = w @ self.inverse
        for _ in range(REFINED):
            dual = dual + (w - dual @ self.x) @ self.inverse
        return np.asarray(dual)

    def off(self, numbers: type[Numbers], *missed: Numbers) -> tuple[Between, ...]:
        """Upper bounds of the ℓ2 and the ℓ1 distance of w to some solution, from y − Xw; of several w each in turn."""
        n = len(self.y)
        rest = numbers.of(np.eye(n)) - numbers.of(self.x) @ numbers.of(self.inverse)
        left = Between.of(1.0) - rest.rows()
        if not left.low > 0:
            raise Unproved("equations that may depend on each other")
        sums = numbers.of(np.abs(self.inverse)) @ numbers.of(np.ones(n))
        reach = (sums.squares().root() / left, sums.moduli() / left)
        return tuple(one.largest() * far for one in missed for far in reach)


def missed_share(x: Array, w: Array, y: Array, tolerance: float) -> float:  # attack: none, inside solvers
    """‖y − Xw‖/‖y‖ as floats give it; where their rounding may be more than is allowed, exactly or with the rounding.

    x: X, N × d.
    w: d entries.
    y: N labels.
    tolerance: what is allowed. It is computed in exact numbers only if the data are few.
    """
    with np.errstate(all="ignore"):
        plain = relative(length(x @ w - y), length(y))
    if not (all(np.all(np.isfinite(part)) for part in (x, w, y)) and np.any(y) and plain <= tolerance):
        return plain

    def proved(numbers: type[Numbers]) -> float:
        labels = numbers.of(y)
        try:
            return ((labels - numbers.of(x) @ numbers.of(w)).squares().root() / labels.squares().root()).up()
        except Unproved:
            return math.inf

    share = proved(Balls)
    if share > tolerance and x.size <= SMALL:
        share = proved(Exact)
    return plain if share <= tolerance else share


def solvable(x: Array, y: Array, support: NDArray[np.intp] | None = None) -> Solvable:  # attack: none, inside solvers
    """The equations that determine all others: all of them, or those that are left without what depends on them.

    Equal rows with equal labels are one. Of more equations than unknowns as many are kept; only the solution of these
    can solve them all. Otherwise, if they are few, rows that depend on others are found in fractions.

    x: X, N × d, rows of size about 1.
    y: N labels.
    support: N coordinates that alone solve the equations, if some are known; then only they move.

    Raises Unproved where independent rows are not found, and where equations contradict each other.
    """
    n, d = x.shape
    if n <= d:
        try:
            return Solvable(x, y, _right_inverse(x, support))
        except LinAlgError:
            pass
    kept = np.sort(np.unique(np.column_stack([x, y]), axis=0, return_index=True)[1])
    if kept.size > d:
        kept = kept[np.sort(qr(x[kept].T, mode="r", pivoting=True)[1][:d])]
    elif kept.size == n or np.linalg.matrix_rank(x[kept]) < kept.size:
        kept = _independent(x, y)
    try:
        return Solvable(x[kept], y[kept], _right_inverse(x[kept], None))
    except LinAlgError as error:
        raise Unproved("equations that depend on each other") from error


def _right_inverse(x: Array, support: NDArray[np.intp] | None) -> Array:
    """An R with XR about 1, of few rows if a support is given; LinAlgError where rounding finds none.

    Where the squared condition of XXᵀ spoils it, R is found by orthogonal vectors, in twice the time.
    """
    inverse, probe = np.zeros(x.T.shape), np.cos(np.arange(len(x)))

    def good() -> bool:
        return bool(np.all(np.isfinite(inverse)) and np.abs(probe - x @ (inverse @ probe)).max() < PROBED)

    if support is not None and support.size == len(x):
        inverse[support] = np.linalg.inv(x[:, support])
        if good():
            return inverse
    with suppress(LinAlgError):
        inverse = np.asarray(cho_solve(cho_factor(x @ x.T), x)).T
        if good():
            return inverse
    frame, triangle = np.linalg.qr(x.T)
    inverse = frame @ solve_triangular(triangle, np.eye(len(x)), trans=1)
    if not good():
        raise LinAlgError("dependent rows")
    return np.asarray(inverse)


def _independent(x: Array, y: Array) -> NDArray[np.intp]:
    """The first rows of X on which all others depend, by elimination in fractions.

    Raises Unproved where there are too many rows, or one that depends on others has another label than follows.
    """
    n, d = x.shape
    if n * n * d > ELIMINATED:
        raise Unproved("too many equations to be eliminated in fractions")
    reduced: list[tuple[int, list[Fraction]]] = []
    kept = []
    for index in range(n):
        row = [Fraction(float(value)) for value in (*x[index], y[index])]
        for pivot, other in reduced:
            if row[pivot]:
                row = [a - row[pivot] * b for a, b in zip(row, other, strict=True)]
        pivot = next((j for j in range(d) if row[j]), -1)
        if pivot < 0 and row[d]:
            raise Unproved("equations that contradict each other")
        if pivot >= 0:
            reduced.append((pivot, [value / row[pivot] for value in row]))
            kept.append(index)
    return np.array(kept, dtype=np.intp)
