"""Where a classifier of several classes ends whose steps are a function of the gradient: an equation, by Newton."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array
from implicit_bias.limits.solvers import TINY

SHARP = 1e4  # R times the least margin beyond which the solution is followed no further
GROWTH = 4.0  # of R from one solution to the next, its root where Newton fails
LEAST = 1.02  # growth
VALUES = 40  # of R, at most
ROUNDS = 25  # of Newton at one R
FAR = 2.0  # most that a round changes ln λ
NEAR = 1e-6  # of ln λ, where Newton has converged
ACTIVE = 1e-10  # smaller shares are not asked
APART = 1e-7  # relative distance of the matrices whose steps give a derivative


@brief("gap")
@dataclass(frozen=True)
class SettledMatrix:
    """D(G) for a G = Σ λ_ic Z_ic whose weights are on the least margins of D(G), as nearly as it was solved.

    w: D(G), k × d.
    weights: λ > 0 of sum one.
    gap: Σ λ m / min m − 1 with the margins m of w, 0 where the equation is solved.

    >>> from implicit_bias.flows import polar_factor
    >>> from implicit_bias.limits.margin import class_differences
    >>> end = settled_matrix(class_differences(np.eye(2), np.arange(2)), np.eye(2), polar_factor)
    >>> end.weights.round(3), bool(end.gap < 1e-3)
    (array([0.5, 0.5]), True)
    """

    w: Array
    weights: Array
    gap: float


def settled_matrix(  # attack: none, it takes functions
    z: ArrayLike, w: ArrayLike, step: Callable[[Array], Array]
) -> SettledMatrix:
    """Where W ← W + η_t D(G) ends, if the direction of minus the gradient settles: at W = D(G) up to a factor with

    G = Σ λ_ic Z_ic,  λ_ic > 0 only where ⟨Z_ic, D(G)⟩ is least

    Solved as ln λ = −R⟨Z, D(Σ λ Z)⟩ + constant for growing R, by Newton in ln λ. There can be several solutions, and a
    solution need not be reached by training. ``gap`` says how nearly the last R solves it.

    z: of ``class_differences``, N × k·d.
    w: the matrix near whose shares e^{−m} the solution is sought, k × d: of a run, or a guess.
    step: D, from … × k × d to the same shape, with D(cG) = D(G): ``polar_factor``, ``newton_schulz``.

    Returns D(G), λ, and the gap.
    Raises ValueError where z and w do not fit together.

    >>> from implicit_bias.flows import newton_schulz
    >>> from implicit_bias.limits.margin import class_differences
    >>> end = settled_matrix(class_differences(np.eye(3), np.arange(3)), 4 * np.eye(3), newton_schulz)
    >>> end.weights.round(3), bool(end.gap < 1e-3)
    (array([0.167, 0.167, 0.167, 0.167, 0.167, 0.167]), True)
    """
    z, w = array("z", z, 2), array("w", w, 2)
    if w.size != z.shape[1]:
        raise ValueError(f"w has shape {w.shape}; it must have {z.shape[1]} entries, as many as a row of z")
    moved = np.vstack([np.zeros(w.size), np.eye(w.size)])

    def margins(log: Array) -> tuple[Array, Array, Array]:
        """D(Σ λ Z), its margins, and their derivatives by ln λ."""
        shares = np.exp(log)
        g = shares @ z
        near = APART * np.linalg.norm(g)
        steps = np.asarray(step((g + near * moved).reshape(-1, *w.shape))).reshape(-1, w.size)
        return steps[0], z @ steps[0], (z @ (steps[1:] - steps[0]).T / near) @ z.T * shares

    def solved(log: Array, r: float) -> Array | None:
        """The logarithms of the shares at R, or None where Newton does not converge."""
        border = np.ones((len(log) + 1, len(log) + 1))
        for _ in range(ROUNDS):
            _, m, slopes = margins(log)
            border[:-1, :-1], border[-1, :-1], border[-1, -1] = np.eye(len(log)) + r * slopes, np.exp(log), 0.0
            try:
                change = np.linalg.solve(border, np.append(-log - r * m, 0.0))[:-1]
            except np.linalg.LinAlgError:
                return None
            size = max(float(np.max(np.abs(change[np.exp(log) > ACTIVE]))), float(change.max()))
            if not np.all(np.isfinite(change)):
                return None
            log = _normal(log + change * min(1.0, FAR / max(size, TINY)))
            if size < NEAR:
                return log
        return None

    log = _normal(-(z @ w.ravel()))
    r = last = float(np.linalg.norm(w) / np.linalg.norm(margins(log)[0]))
    growth = GROWTH
    for _ in range(VALUES):
        found = solved(log, r)
        if found is not None:
            log, last = found, r
        else:
            growth **= 0.5
        if growth < LEAST or last * float(margins(log)[1].min()) > SHARP:
            break
        r = last * growth
    settled, m, _ = margins(log)
    gap = float(np.exp(log) @ m / m.min() - 1) if m.min() > 0 else np.inf
    return SettledMatrix(settled.reshape(w.shape), np.exp(log), gap)


def _normal(log: Array) -> Array:
    """Logarithms of shares, of sum one."""
    log = log - log.max()
    return np.asarray(log - np.log(np.exp(log).sum()))
