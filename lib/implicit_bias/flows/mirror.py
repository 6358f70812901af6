"""Mirror flow of least squares by exponential steps in dual coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from implicit_bias.checks import Array, number
from implicit_bias.flows.driver import FlowError, Solution, drive


class LeastSquares(Protocol):
    """A model at its start, of M outputs that are to fit M numbers."""

    @property
    def start(self) -> Array:
        """θ(0), p numbers."""

    def residual(self, theta: Array) -> Array:
        """r = y − f, M numbers."""

    def misfit(self, theta: Array) -> float:
        """‖r‖."""

    def tangent_features(self, theta: Array) -> Array:
        """J = ∂f/∂θ, M × p."""


class Mirror(Protocol):
    """A separable potential, as a step needs it."""

    def slope(self, x: Array) -> Array:
        """φ′, entry by entry."""

    def curvature(self, x: Array) -> Array:
        """φ″ > 0."""

    def inverse_slope(self, z: Array) -> Array:
        """The inverse of φ′."""


@dataclass(frozen=True)
class MirrorState:
    """Parameters after a step and where they came from; t is the flow's time.

    t, before: the times now and a step ago.
    theta, came: the parameters then.
    evaluations: number of gradients.
    """

    t: float
    theta: Array
    before: float
    came: Array
    evaluations: int

    def at(self, t: float) -> Array:
        """Parameters on the straight line of the last step."""
        share = (t - self.before) / (self.t - self.before) if self.t > self.before else 1.0
        return np.asarray(self.came + share * (self.theta - self.came))


@dataclass(frozen=True)
class MirrorFlow:  # attack: none, it takes functions
    """θ̇ = −η (∇²Φ)⁻¹ ∇½‖r‖² with Φ(θ) = Σ_j φ(θ_j − θ_j(0)), in the coordinates ζ = ∇Φ(θ), where ζ̇ = η Jᵀr.

    ζ ← ζ + η Jᵀ P r,  P = V diag((1 − e^{−ηνh})/(ην)) Vᵀ,  J(∇²Φ)⁻¹Jᵀ = V diag(ν) Vᵀ

    Exact where J and ∇²Φ do not move, so that steps may be long where little is left to learn: h grows with t. A step
    without end is Newton's, which may overshoot: a step after which ‖r‖ is larger, as on no flow, is halved.

    model: r and J.
    potential: φ.
    rate: η > 0, of the sum of squares, as in the papers; with the mean it is M times as much.
    first: the shortest step, in units of the fastest mode's time 1/(η max ν).
    growth: each step is so much of the time passed, or the shortest if that is more, but for halving.

    >>> from implicit_bias.models.linear import LinearRegressor
    >>> from implicit_bias.potentials import Quadratic
    >>> stepper = MirrorFlow(LinearRegressor(np.array([[1.0, 2.0]]), np.array([5.0])), Quadratic(), rate=1.0)
    >>> drive(stepper, [0.0, 0.0], t_end=100.0).final.round(6)
    array([1., 2.])
    """

    model: LeastSquares
    potential: Mirror
    rate: float
    first: float = 0.05
    growth: float = 0.05

    def __post_init__(self) -> None:
        """Refuse steps and rates that are not positive."""
        for name in ("rate", "first", "growth"):
            number(name, getattr(self, name), above=0)

    def init(self, theta: Array) -> "MirrorState":
        """The state at t = 0, from which Φ measures."""
        return self._start(theta)

    def _start(self, theta: Array) -> "_Anchored":
        return _Anchored(0.0, theta, 0.0, theta, 0, theta, self.model.misfit(theta))

    def step(self, state: "MirrorState") -> "MirrorState":
        """One step. Raises FlowError where the residual has a part that no parameter moves."""
        known = state if isinstance(state, _Anchored) else self._start(state.theta)
        residual, jacobian = self.model.residual(state.theta), self.model.tangent_features(state.theta)
        moved = state.theta - known.anchor
        values, modes = np.linalg.eigh((jacobian / self.potential.curvature(moved)) @ jacobian.T)
        if values[0] <= 1e-14 * values[-1]:  # mutant(1): which eigenvalue is nothing, or the shortest step
            raise FlowError(
                f"the kernel has the eigenvalues {values[0]:.1e} to {values[-1]:.1e}; all must be positive."
            )
        # mutant(1): which eigenvalue is nothing, or the shortest step
        # mutant(values[-1]): the first step of the flow
        shortest = self.first / (self.rate * values[-1])
        h = max(shortest, self.growth * state.t)
        slopes, push = self.potential.slope(moved), modes.T @ residual
        left = self.model.misfit(state.theta) + 1e-12 * known.at_start  # a misfit of rounding may rise
        while True:
            shrink = -np.expm1(-self.rate * values * h) / values
            theta = known.anchor + self.potential.inverse_slope(slopes + jacobian.T @ (modes @ (shrink * push)))
            if h <= shortest or self.model.misfit(theta) <= left:
                break
            h = max(shortest, h / 2)
        # mutant(1): which eigenvalue is nothing, or the shortest step
        return _Anchored(state.t + h, theta, state.t, state.theta, state.evaluations + 1, known.anchor, known.at_start)


def follow_mirror(  # attack: none, it takes a model
    model: LeastSquares,
    potential: Mirror,
    rate: float,
    *,
    t_end: float = 1e14,
    misfit: float | None = 1e-11,
    record: Sequence[float] | Array = (),
    first: float = 0.05,
    growth: float = 0.05,
) -> Solution:
    """Follow the mirror flow of a potential from a model's start to a misfit, or to a time.

    θ̇ = −η (∇²Φ)⁻¹ ∇½‖r‖²,  θ(0) = start

    model: θ(0), r and J.
    potential: φ.
    rate: η > 0, of the sum of squares, as in the papers; with the mean it is M times as much.
    t_end: the time at which to stop.
    misfit: the run ends where ‖r‖ has fallen to it; None: at t_end.
    record: increasing times at which θ is kept, besides the start and the end.
    first, growth: of ``MirrorFlow``.

    Returns the solution.
    Raises FlowError for a run that ends before, with the sentence that says how.

    >>> from implicit_bias.models.linear import LinearRegressor
    >>> from implicit_bias.potentials import Quadratic
    >>> model = LinearRegressor(np.array([[1.0, 2.0]]), np.array([5.0]))
    >>> follow_mirror(model, Quadratic(), 1.0).final.round(9)
    array([1., 2.])
    """
    once = _Once(model)
    stop: dict[str, Any] = {} if misfit is None else {"residual": once.misfit, "target": misfit}
    stepper = MirrorFlow(once, potential, rate, first, growth)
    return drive(stepper, model.start, t_end=t_end, record=record, **stop).demand()


class _Once:
    """A model whose residual at a state is computed once, though a step, the next one and the driver ask for it."""

    def __init__(self, model: LeastSquares) -> None:
        self._model, self.start, self.tangent_features = model, model.start, model.tangent_features
        self._at, self._left = self.start, model.residual(self.start)

    def residual(self, theta: Array) -> Array:
        if theta is not self._at:
            self._at, self._left = theta, self._model.residual(theta)
        return self._left

    def misfit(self, theta: Array) -> float:
        return float(np.linalg.norm(self.residual(theta)))


@dataclass(frozen=True)
class _Anchored(MirrorState):
    anchor: Array
    at_start: float
