"""The one driver: it steps, records states at chosen times, watches for the stop, and says how the run ended."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, number, whole


class State(Protocol):
    """Where a stepper stands after a step: time t, parameters, and what it has cost so far."""

    @property
    def t(self) -> float:
        """The time of the flow, or step number · learning rate."""

    @property
    def theta(self) -> Array:
        """Parameters at t."""

    @property
    def evaluations(self) -> int:
        """How often the velocity or the gradient was evaluated."""

    def at(self, t: float) -> Array:
        """Parameters at a time within the last step."""


S = TypeVar("S", bound=State)


class Stepper(Protocol, Generic[S]):
    """A way to move parameters: a start and a step."""

    def init(self, theta: Array) -> S:
        """The state at t = 0."""

    def step(self, state: S) -> S:
        """The state one step later. Raises FlowError where it cannot go on."""


class FlowError(RuntimeError):
    """A stepper that cannot take another step, or a run that did not end as it was meant to.

    >>> try:
    ...     Solution(np.zeros(1), np.zeros((1, 1)), False, "The time is over.", 3, 3).demand()
    ... except FlowError as error:
    ...     print(error)
    The time is over.
    """


DIVERGED = FlowError("The parameters are not finite numbers.")


@brief()
@dataclass(frozen=True)
class Solution:
    """A run and how it ended.

    t: the recorded times, k numbers, the last one where the run ended.
    theta: the parameters at those times, k × p.
    converged: whether the target was reached.
    ended: how it ended, a sentence.
    steps: number of steps.
    evaluations: number of evaluations of the velocity or the gradient.

    >>> from implicit_bias.flows import gradient_flow
    >>> run = gradient_flow(lambda w: -w, [1.0], t_end=1.0)
    >>> run.converged, run.final.round(6), run.t
    (True, array([0.367879]), array([0., 1.]))
    """

    t: Array
    theta: Array
    converged: bool
    ended: str
    steps: int
    evaluations: int

    @property
    def final(self) -> Array:
        """The parameters where the run ended."""
        return np.asarray(self.theta[-1])

    def demand(self) -> Self:
        """The solution itself if it has converged. Raises FlowError with the sentence ``ended`` otherwise."""
        if not self.converged:
            raise FlowError(self.ended)
        return self


def drive(  # attack: none, it takes functions
    stepper: Stepper[S],
    theta: ArrayLike,
    *,
    t_end: float,
    residual: Callable[[Array], float] | None = None,
    target: float = 0.0,
    clock: Callable[[float, Array], float] | None = None,
    record: Sequence[float] | Array = (),
    premise: Callable[[Array], str | None] | None = None,
    max_steps: int = 10_000_000,
) -> Solution:
    """Step until the residual falls to its target or the time is over.

    stepper: how the parameters move.
    theta: initial parameters, p numbers.
    t_end: the time at which to stop, in the units of ``clock``.
    residual: what must fall to ``target``, a function of θ; None: run to t_end.
    target: the run has converged at the first time with residual(θ) ≤ target; located within the step.
    clock: (t, θ) ↦ the time that is meant, if it is not the stepper's own t; it must increase along the run.
    record: increasing times, in the units of ``clock``, at which θ is recorded besides the start and the end.
    premise: θ ↦ a sentence if θ has left the theorem's premise, None otherwise; the run then stops.
    max_steps: most steps.

    Returns the solution; what was computed is kept whatever ends the run.
    Raises ValueError for arguments outside their range.

    >>> from implicit_bias.flows import GradientDescent
    >>> run = drive(GradientDescent(lambda w: w, 0.5), [8.0], t_end=9.0, residual=lambda w: abs(w[0]), target=1.0)
    >>> run.steps, run.final.round(9), run.converged
    (3, array([1.]), True)
    """
    start = array("theta", theta, 1)
    number("t_end", t_end)
    whole("max_steps", max_steps, least=1)
    times = np.asarray(record, dtype=float)
    if times.ndim != 1 or np.any(np.diff(times) <= 0):
        raise ValueError("record holds times that do not increase; it must be a sequence of increasing times")
    tell = clock or (lambda t, theta: t)
    state = stepper.init(start)
    start = state.theta  # a stepper may record more than the parameters that move
    now, last = tell(state.t, start), start
    number("t_end", t_end, least=now)
    kept_t, kept = [now], [start]
    pending = list(times[(times > now) & (times <= t_end)])
    steps = 0
    converged, ended = False, ""
    in_time = f"It reached the end time {t_end:g}" + ("." if residual is None else f" before the residual {target:g}.")

    if residual is not None and residual(start) <= target:
        converged, ended = True, f"The residual was at most {target:g} at the start."
    elif now >= t_end:
        converged, ended = residual is None, in_time
    asked = residual is not None or clock is not None or premise is not None  # something after each step
    while not ended:
        if steps == max_steps:
            ended = f"It took {max_steps} steps and stood at time {now:g} of {t_end:g}."
            break
        until = -np.inf if asked else pending[0] if pending else t_end
        before, state, taken, failed = _advance(stepper, state, until, max_steps - steps)
        steps += taken
        t, theta_t = state.t, state.theta
        if failed is not None:
            if taken:
                now, last = tell(t, theta_t), theta_t
            ended = f"The stepper stopped at time {now:g} of {t_end:g}: {failed}"
            if failed is DIVERGED:
                ended = f"The parameters diverged at step {steps + 1}, behind time {now:g}; those before it are kept."
            break
        if residual is not None and residual(theta_t) <= target:
            t, theta_t = _crossing(lambda _, theta: residual(theta), target, state, before, t)
            converged, ended = True, f"The residual fell to {target:g} at time {tell(t, theta_t):g}."
        if tell(t, theta_t) >= t_end:
            t, theta_t = _located(clock, t_end, state, before, t)
            converged, ended = residual is None, in_time
            now = float(t_end)  # to the last digit: a crossing is found up to rounding
        else:
            now = tell(t, theta_t)
        last = theta_t
        while pending and pending[0] <= now:
            moment = pending.pop(0)
            kept_t.append(moment)
            kept.append(_located(clock, moment, state, before, t)[1])
        left = premise(theta_t) if premise is not None else None
        if left:
            converged, ended = False, f"It left the theorem's premise at time {now:g}: {left}"
    if kept_t[-1] < now:
        kept_t.append(now)
        kept.append(last)
    return Solution(np.array(kept_t), np.array(kept), converged, ended, steps, state.evaluations)


def _located(
    clock: Callable[[float, Array], float] | None, moment: float, state: State, before: float, after: float
) -> tuple[float, Array]:
    """When the clock shows a moment within the last step, and θ there."""
    if clock is None:
        return moment, state.at(moment)
    return _crossing(clock, moment, state, before, after)


def _advance(stepper: Stepper[S], state: S, until: float, most: int) -> tuple[float, S, int, FlowError | None]:
    """Steps up to the stepper's time ``until``, one at least and so many at most, as long as all numbers are finite.

    A stepper whose time counts steps may have ``ahead(state, until, most)``: so many steps at once, or fewer, all
    of them before the last one, and how many.
    Returns the time before the last step, the state after it, how many there were, and what kept the next one from it.
    """
    before, taken, ahead = state.t, 0, getattr(stepper, "ahead", None)
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is seen in the parameters
        if ahead is not None and state.t + 1 < until:
            state, taken = ahead(state, until, most - 1)
        first = True
        while first or (taken < most and state.t < until):
            first = False
            begun = state.t
            try:
                stepped = stepper.step(state)
            except FlowError as error:
                return before, state, taken, error
            if not _finite(stepped.theta):
                return before, state, taken, DIVERGED
            before, state, taken = begun, stepped, taken + 1
    return before, state, taken, None


def _finite(theta: Array) -> bool:
    """Whether all numbers are finite: so they are if their squares have a finite sum, which is seen at once."""
    return math.isfinite(theta.dot(theta)) or bool(np.all(np.isfinite(theta)))


def _crossing(
    value: Callable[[float, Array], float], level: float, state: State, before: float, after: float
) -> tuple[float, Array]:
    """When a function of (t, θ) crosses a level within the last step, and θ there; the step's end if it does not."""

    def above(t: float) -> float:
        return value(t, state.at(t)) - level

    if above(after) != 0 and above(before) * above(after) < 0:
        after = float(brentq(above, before, after, xtol=1e-14 * after, rtol=1e-14))
    return after, state.at(after)
