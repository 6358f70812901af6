"""The maximizer of an entropy's dual: a start from the primal, then Newton's method with factors that are kept."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError

from implicit_bias.checks import Array
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.solvers import SHRINK, TINY, armijo_step, gram_inverse

MAX_ITERATIONS = 200
ROUNDING = 1e-14
MOST_TRIALS = 600
LARGE = 50  # equations from which a factor costs several products with X
SERVES = 10  # a factor is kept where so many more of its steps would do
NEAR = 0.1  # the relative residual from which Newton's steps count as a whole, unless they are inexact
PATIENCE = 30  # steps in single precision
HALVINGS = 10


class Entropy(Protocol):
    """A convex Q, the sum of functions of one coordinate each."""

    def gradient(self, w: Array) -> Array:
        """∇Q(w), d entries."""

    def curvature(self, w: Array) -> Array:
        """The diagonal of ∇²Q(w), d entries."""

    def from_gradient(self, nu: Array) -> Array:
        """The w with ∇Q(w) = ν, d entries."""

    def conjugate(self, nu: Array) -> float:
        """Q*(ν)."""


@dataclass(frozen=True)
class DualPoint:
    """Where Newton's method stands.

    dual: λ, N entries.
    nu: Xᵀλ, d entries.
    w: ∇Q*(Xᵀλ), d entries.
    missed: the dual's gradient y − Xw, N entries.
    far: its norm.
    """

    dual: Array
    nu: Array
    w: Array
    missed: Array
    far: float


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # what overflows does not raise the dual
def first_dual(entropy: Entropy, x: Array, y: Array, what: str) -> Array:  # attack: none, inside solvers
    """Newton's step of the primal from the steepest step towards the interpolators, as long as the dual rises along it.

    λ = s (XCXᵀ)⁻¹(y − Xw + XC∇Q(w)),  C = ∇²Q(w)⁻¹,  w − w(0) ∝ Xᵀ(y − Xw(0)),  s ≤ 1

    The dual's own curvature at λ = 0 is that of coordinates at rest, and far from that of coordinates which have grown.

    entropy: Q.
    x: N × d of rank N.
    y: N labels.
    what: what is sought, in words.

    Returns λ, N entries.
    Raises CertificateError where XCXᵀ has no factors.
    """
    rest = entropy.from_gradient(np.zeros(x.shape[1]))
    missed = y - x @ rest
    along = missed @ x
    along = along / max(float(np.abs(along).max()), TINY)
    seen = x @ along
    length = max(float(np.linalg.norm(seen)), TINY)
    w = rest + float(missed @ (seen / length)) / length * along
    inverse = 1 / entropy.curvature(w)
    solve, _ = _inverse(x, inverse, y.size >= LARGE, what)
    dual = solve(y - x @ (w - inverse * entropy.gradient(w)))
    push, rise = dual @ x, float(y @ dual)
    low, high, size = 0.0, 1.0, 1.0
    for _ in range(HALVINGS):
        if push @ entropy.from_gradient(size * push) <= rise:
            low = size
        else:
            high = size
        size = (low + high) / 2
    return low * dual


def dual_maximizer(  # attack: none, inside solvers
    entropy: Entropy, x: Array, y: Array, start: Array | None, tolerance: float, what: str
) -> tuple[DualPoint, int]:
    """Newton's method from a start that is given; else from ``first_dual``, and if that fails, from λ = 0.

    entropy: Q.
    x: N × d of rank N.
    y: N labels.
    start: λ, N entries, or None.
    tolerance, what: as in ``newton_dual``, whose answer is returned; ``first_dual`` counts as a step.

    Raises CertificateError where Newton's method fails.
    """
    if start is not None:
        return newton_dual(entropy, x, y, start, tolerance, what)
    try:
        end, iterations = newton_dual(entropy, x, y, first_dual(entropy, x, y, what), tolerance, what)
        return end, iterations + 1
    except CertificateError:
        return newton_dual(entropy, x, y, np.zeros(y.size), tolerance, what)


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # likewise
def newton_dual(  # attack: none, inside solvers
    entropy: Entropy, x: Array, y: Array, dual: Array, tolerance: float, what: str
) -> tuple[DualPoint, int]:
    """Newton's method on the concave dual yᵀλ − Q*(Xᵀλ), whose gradient is the residual y − Xw.

    With many equations the Hessian −X ∇²Q*(Xᵀλ) Xᵀ is factored in single precision while that serves, and a factor is
    kept while ten more of its steps would reach the tolerance: a step then costs two products with X.

    entropy: Q.
    x: N × d of rank N.
    y: N labels.
    dual: λ at the start, N entries.
    tolerance: of the relative residual ‖y − Xw‖/‖y‖ at which it stops.
    what: what is sought, in words.

    Returns where it ends and the number of steps.
    Raises CertificateError where no step raises the dual.
    """

    def at(dual: Array, nu: Array) -> DualPoint:
        w = entropy.from_gradient(nu)
        missed = y - x @ w
        return DualPoint(dual, nu, w, missed, float(np.linalg.norm(missed)))

    def lowered(both: Array) -> float:
        return entropy.conjugate(both[y.size :]) - float(y @ both[: y.size])

    here, solve, iterations = at(dual, dual @ x), None, 0
    length = max(float(np.linalg.norm(y)), TINY)
    large = single = y.size >= LARGE
    while here.far > tolerance * length and iterations < MAX_ITERATIONS:
        fresh = solve is None
        if solve is None:
            solve, single = _inverse(x, 1 / entropy.curvature(here.w), single, what)
        step = solve(here.missed)
        push = step @ x
        there = at(here.dual + step, here.nu + push)
        if not there.far <= SHRINK * here.far:
            if not fresh:
                solve = None
                continue
            both, along = np.append(here.dual, here.nu), np.append(step, push)
            size = armijo_step(lowered, both, along, float(here.missed @ step), MOST_TRIALS, rounding=ROUNDING)
            if size == 0 and not single:
                raise CertificateError(f"{what} was not found: no step of Newton's method raises its dual")
            there = at(here.dual + size * step, here.nu + size * push)
            single = single and size > 0 and here.far > NEAR * length and iterations < PATIENCE
        if not (large and there.far * (there.far / here.far) ** SERVES <= tolerance * length):
            solve = None
        here, iterations = there, iterations + 1
    if solve is not None:  # a factor at hand: one more step, towards the end of rounding
        step = solve(here.missed)
        here = min(here, at(here.dual + step, here.nu + step @ x), key=lambda point: point.far)
    return here, iterations


def _inverse(x: Array, weights: Array, single: bool, what: str) -> tuple[Callable[[Array], Array], bool]:
    """b ↦ (X diag(weights) Xᵀ)⁻¹ b, in single precision if that is asked for and has a factor; and whether it is."""
    roots = np.sqrt(weights)
    if single:
        largest = roots.max()
        rows: NDArray[np.float32] = np.multiply(x, roots / largest, dtype=np.float32, casting="same_kind")
        try:
            rough = gram_inverse(rows)
        except LinAlgError:
            return _inverse(x, weights, False, what)

        def solve(given: Array) -> Array:
            size = np.linalg.norm(given)
            return np.asarray(size / largest**2 * rough(np.asarray(given / size, dtype=np.float32)))

        return solve, True
    try:
        return gram_inverse(x * roots), False
    except LinAlgError as error:
        raise CertificateError(f"{what} was not found: {error}") from error
