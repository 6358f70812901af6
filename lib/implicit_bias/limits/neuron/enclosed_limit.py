"""Between what the size of a linear neuron's output weight lies at the end of gradient flow, rounding included."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError

from implicit_bias.checks import Array
from implicit_bias.limits.certificate import UNKNOWN, CertificateError, Enclosure
from implicit_bias.limits.enclosed_equations import solvable, squared_length
from implicit_bias.limits.equations import rescaled, scaled_equations
from implicit_bias.limits.rounding import Balls, Between, Numbers, Unproved
from implicit_bias.limits.solvers import gram_inverse

STEPS = 6  # of refinement
SETTLED = 1e-14  # a step that is so much smaller than what it refines is rounding

Off = Callable[[type[Numbers], Numbers, Numbers], tuple[Between, ...]]


@np.errstate(all="ignore")  # what overflows does not settle
def nearest_multipliers(x: Array, y: Array, *vectors: Array) -> Array | None:  # attack: none, inside solvers
    """The λ with Xᵀλ nearest to X⁺y and to each of some vectors, by Cholesky's factors of XXᵀ, refined.

    x: X, N × d.
    y: N labels.
    vectors: d entries each.

    Returns N numbers for each; None where the steps do not settle, as for dependent rows.
    """
    wanted = np.column_stack([y, x @ np.column_stack(vectors)])
    try:
        inverse = gram_inverse(x)
    except LinAlgError:
        return None
    dual, missed = np.zeros_like(wanted), wanted
    for _ in range(STEPS):
        step = inverse(missed)
        dual += step
        # mutant anywhere(<=; 0 → 1; np.abs(step).max…): any multipliers prove something; these are near
        if np.all(np.abs(step).max(axis=0) <= SETTLED * np.abs(dual).max(axis=0)):
            return np.asarray(dual.T)
        missed = wanted - x @ (dual.T @ x).T
    return None


@dataclass(frozen=True)
class Limit:
    """|a(∞)| by equations in units of their own, and by floats that nearly solve them.

    a(∞)² = ½(b + √(b² + 4s²)),  b = δ + ‖P⊥w(0)‖²,  s = ‖X⁺y‖;  for any λ, μ and u,
    y·λ/‖Xᵀλ‖ ≤ s ≤ ‖u‖ + ‖X⁺(y − Xu)‖,  | ‖P⊥w(0)‖ − ‖v‖ | ≤ ‖X⁺Xv‖,  v = w(0) − Xᵀμ

    rows, labels: X and y.
    unit: of s.
    a0, w0: the start.
    near, across, along: u, λ and μ.
    """

    rows: Array
    labels: Array
    unit: Between
    a0: float
    w0: Array
    near: Array
    across: Array
    along: Array

    def size(self, numbers: type[Numbers], off: Off[Any]) -> Between:
        """|a(∞)|, from upper bounds of ‖X⁺r‖ for the two r."""
        row_space, force, start = numbers.of(self.rows), numbers.of(self.across), numbers.of(self.w0)
        labels, near = numbers.of(self.labels), numbers.of(self.near)
        low = Between.of(0.0)
        if np.any(self.labels):
            low = (force @ labels).total() / (force @ row_space).squares().root()
        beside = start - numbers.of(self.along) @ row_space
        off_s, off_b = off(numbers, labels - row_space @ near, row_space @ beside)
        s = self.unit * Between(low.low, (near.squares().root() + off_s).high)
        rest = beside.squares().root()
        rest = Between(max(rest.low - off_b.high, Fraction(0)), rest.high)
        b = Between.of(self.a0) * Between.of(self.a0) - start.squares() + rest * rest
        root = (b * b + Between.of(4.0) * s * s).root()
        # mutant anywhere(b.low >= 0 → b.low >= 1): two forms of one root
        square = Between.of(0.5) * (root + b) if b.low >= 0 else (Between.of(2.0) * s * s) / (root - b)
        return square.root()


def enclose_limit(  # attack: none, inside solvers
    x: Array, y: Array, a0: float, w0: Array, tol: float, nearest: Array | None
) -> Enclosure:
    """Between what |a(∞)| lies.

    ‖X⁺r‖ is at most ‖r‖/√λ_min(XXᵀ), or where that proves too little, ‖R(XR)⁻¹r‖ with R as in ``Solvable``.

    x: N × d.
    y: N labels.
    a0, w0: the start.
    tol: the relative width beyond which it is computed anew, in exact numbers if the data are small.
    nearest: multipliers whose Xᵀλ are near X⁺y and w(0), if any are known.
    """
    if not all(np.all(np.isfinite(part)) for part in (x, y, a0, w0)):
        return UNKNOWN
    try:
        rows, labels, lengths, size = scaled_equations(x, y)
    except CertificateError:
        return UNKNOWN
    # mutant anywhere(np.array_equal…): equal either way
    if not np.array_equal(rescaled(rows, lengths), x):
        return UNKNOWN  # entries that no unit holds
    unit, found = Between.of(Fraction(2) ** size), UNKNOWN
    if nearest is not None and np.all(np.isfinite(nearest)):
        across, along = np.ldexp(nearest[0], lengths - size), np.ldexp(nearest[1], lengths)
        found = _by_eigenvalue(Limit(rows, labels, unit, a0, w0, across @ rows, across, along))
    if found.width > tol:
        try:
            kept = solvable(rows, labels)
        except Unproved:
            return found
        shortest = kept.shortest()
        limit = Limit(kept.x, kept.y, unit, a0, w0, shortest, kept.along(shortest), kept.along(w0))

        def off(numbers: type[Numbers], *missed: Numbers) -> tuple[Between, ...]:
            # mutant anywhere(2 → 3): the ℓ1 distance bounds it too
            return kept.off(numbers, *missed)[::2]  # of each the ℓ2 distance

        def bounds(numbers: type[Numbers]) -> tuple[Between, Between]:
            size = limit.size(numbers, off)
            return size, size

        # mutant anywhere(rows.size * len(rows)): how many entries exact numbers are tried for
        other = Enclosure.proved(bounds, rows.size * len(rows), tol)
        found = Enclosure(max(found.low, other.low), min(found.high, other.high))
    return found if found.width < np.inf else UNKNOWN


def _by_eigenvalue(limit: Limit) -> Enclosure:
    """In floats with radii, by the least eigenvalue of XXᵀ."""
    try:
        least = squared_length(limit.rows)
        found = limit.size(Balls, lambda _, *missed: tuple((one.squares() / least).root() for one in missed))
    except Unproved:
        return UNKNOWN
    return Enclosure(found.down(), found.up())
