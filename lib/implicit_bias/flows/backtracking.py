"""Gradient descent with backtracking, many runs at once, each with a step of its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, number, whole
from implicit_bias.flows.driver import Solution, drive

GROWTH = 1.1
Descent = Callable[[Array], tuple[Array, Array, Array]]


@dataclass(frozen=True)
class BacktrackingState:
    """R runs after as many tried steps, t: their w, each one's time, F, velocity, dissipation and next step.

    t: number of tried steps.
    w: R × d.
    time, value, dissipation, step: R numbers each.
    velocity: R × d.
    """

    t: float
    w: Array
    time: Array
    value: Array
    velocity: Array
    dissipation: Array
    step: Array

    @property
    def evaluations(self) -> int:
        """Evaluations of the gradient after that of the start: one for each step that was tried."""
        return int(self.t)

    @cached_property
    def theta(self) -> Array:
        """(w, times, values) in one row: RMp + 2R numbers."""
        return np.concatenate([self.w.ravel(), self.time, self.value])

    def at(self, t: float) -> Array:
        """The same: nothing lies between two evaluations."""
        return self.theta


@dataclass(frozen=True)
class BacktrackingDescent:  # attack: none, it takes functions
    """w ← w + η ẇ, with η halved where F falls by less than half of η times the dissipation, and grown by a tenth else.

    A step is accepted if F(w + ηẇ) ≤ F(w) − (η/2) D with the dissipation D = −⟨∇F, ẇ⟩. For small η it is the flow.

    descent: R × M × p states ↦ R values F, R × M × p velocities ẇ and R dissipations.
    shape: R, M and p.
    first_step: η > 0 at the start; the stepper's time counts evaluations.

    >>> def descent(w):
    ...     return np.sum(w**2, axis=(1, 2)) / 2, -w, np.sum(w**2, axis=(1, 2))
    >>> stepper = BacktrackingDescent(descent, (1, 1, 1), first_step=0.5)
    >>> stepper.step(stepper.init(np.array([2.0]))).w
    array([[[1.]]])
    """

    descent: Descent
    shape: tuple[int, int, int]
    first_step: float

    def __post_init__(self) -> None:
        """Refuse a step that is not positive."""
        number("first_step", self.first_step, above=0)

    def init(self, theta: Array) -> BacktrackingState:
        """The state before the first step, from the RMp entries of w."""
        w = theta.reshape(self.shape)
        value, velocity, dissipation = self.descent(w)
        runs = self.shape[0]
        return BacktrackingState(
            0.0, w, np.zeros(runs), value, velocity, dissipation, np.full(runs, float(self.first_step))
        )

    def step(self, state: BacktrackingState) -> BacktrackingState:
        """One step tried in each run, and taken in those where it is accepted."""
        tried = state.w + state.step[:, None, None] * state.velocity
        value, velocity, dissipation = self.descent(tried)
        accepted = value <= state.value - state.step / 2 * state.dissipation
        choose = accepted[:, None, None]
        return BacktrackingState(
            t=state.t + 1,
            w=np.where(choose, tried, state.w),
            time=state.time + np.where(accepted, state.step, 0.0),
            value=np.where(accepted, value, state.value),
            velocity=np.where(choose, velocity, state.velocity),
            dissipation=np.where(accepted, dissipation, state.dissipation),
            step=state.step * np.where(accepted, GROWTH, 0.5),
        )


@brief()
@dataclass(frozen=True)
class Descents(Solution):
    """R runs side by side; t counts evaluations of the gradient, and so steps tried.

    shape: R, M and p.

    >>> def descent(w):
    ...     return np.sum(w**2, axis=(1, 2)) / 2, -w, np.sum(w**2, axis=(1, 2))
    >>> runs = backtracking_descent(descent, np.array([[[1.0]], [[9.0]]]), evaluations=50, first_step=0.5)
    >>> runs.w.shape, bool(np.max(runs.value[-1]) < 1e-9)
    ((2, 2, 1, 1), True)
    """

    shape: tuple[int, int, int]

    @property
    def w(self) -> Array:
        """The recorded states, k × R × M × p."""
        return self.theta[:, : -2 * self.shape[0]].reshape(-1, *self.shape)

    @property
    def time(self) -> Array:
        """The time of each run then, the sum of its accepted steps: k × R."""
        return self.theta[:, -2 * self.shape[0] : -self.shape[0]]

    @property
    def value(self) -> Array:
        """F then, k × R."""
        return self.theta[:, -self.shape[0] :]


def backtracking_descent(  # attack: none, it takes functions
    descent: Descent, w: Array, *, evaluations: int, first_step: float, record: Sequence[int] | Array = ()
) -> Descents:
    """Descend with backtracking, R runs at once, each with steps of its own, for so many evaluations of the gradient.

    descent, first_step: as in ``BacktrackingDescent``.
    w: the start, R × M × p.
    evaluations: number of evaluations of the gradient, and so of steps tried, for every run.
    record: increasing numbers of evaluations after which to record, besides the start and the end.

    Returns the runs. Raises ValueError for arguments out of range.

    >>> def descent(w):
    ...     return np.sum(w**2, axis=(1, 2)) / 2, -w, np.sum(w**2, axis=(1, 2))
    >>> runs = backtracking_descent(descent, np.array([[[1.0]], [[9.0]]]), evaluations=50, first_step=0.5)
    >>> bool(np.max(np.abs(runs.w[-1])) < 1e-4)
    True
    """
    w = array("w", w, 3)
    whole("evaluations", evaluations, least=1)
    stepper = BacktrackingDescent(descent, w.shape, first_step)
    done = drive(stepper, w.ravel(), t_end=evaluations, record=record)
    return Descents(**vars(done), shape=w.shape)
