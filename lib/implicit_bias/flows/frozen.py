"""The smooth margin's flow to the end of time: steps until no sample changes sides any more, then n numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, number
from implicit_bias.flows.descent import GradientDescent
from implicit_bias.flows.driver import FlowError, Solution, drive
from implicit_bias.flows.follow import follow
from implicit_bias.models.protocol import Flow
from implicit_bias.models.two_layer import ActivationPattern, FrozenFlow, SpanFlow

FIRST = 1000  # steps before the first doubling
LOOKS = np.geomspace(1e-3, 1, 16)[:-1]  # where the state is kept between two doublings, of the time between them
LONGEST = 1.0  # step
TIMES = 60  # at which the frozen flow is kept


def double_steps(  # attack: none, it takes a flow
    flow: Flow, learning_rate: float, over: Callable[[Sequence[Array], float], bool], *, t_most: float
) -> tuple[Array, Array, float]:
    """Take steps of gradient descent, twice as long, to at most 1, whenever the time has doubled, until a test holds.

    flow: the model.
    learning_rate: h, the first step; a thousand of them are taken before the first test.
    over: (states at all doublings so far, h) ↦ whether to stop.
    t_most: the time behind which it is given up.

    Returns the times, the states there, one a row, and the last h.
    Raises FlowError where the test has not held by then.

    >>> from implicit_bias.models.linear import DiagonalFlow, DiagonalNetwork
    >>> flow = DiagonalFlow(DiagonalNetwork.unbiased(1, scale=0.1, shape=0.0), np.array([[1.0]]), np.array([1.0]))
    >>> t, states, h = double_steps(flow, 1e-3, lambda ends, h: flow.misfit(ends[-1]) < 1e-3, t_most=100.0)
    >>> bool(flow.misfit(states[-1]) < 1e-3), bool(h > 1e-3)
    (True, True)
    """
    h = number("learning_rate", learning_rate, above=0)
    times, states, ends, length = [np.zeros(1)], [flow.start[None]], [], FIRST * h
    while times[-1][-1] < t_most:
        stepper = GradientDescent(lambda state: -flow.velocity(state), h)
        run = drive(stepper, states[-1][-1], t_end=length, record=length * LOOKS)
        times.append(times[-1][-1] + run.t[1:])
        states.append(run.theta[1:])
        ends.append(run.final)
        if over(ends, h):
            return np.concatenate(times), np.concatenate(states), h
        length, h = float(times[-1][-1]), min(2 * h, LONGEST)
    raise FlowError(f"what was waited for has not come by the time {t_most:g}; take a smaller learning rate")


@brief()
@dataclass(frozen=True)
class FrozenRun:
    """A trained first layer: its course in the span of the samples, and the flow of n numbers behind the freeze.

    span: the flow, of which ``states`` are states.
    frozen: the flow behind the freeze.
    run: its solution, by the time since the freeze.
    tau: all recorded times, k numbers.
    states: the states there, k × mn.
    freeze: the number of the row in which the pattern is final.

    >>> from implicit_bias import Classification, LeakyReLU, Risk, TwoLayer
    >>> from implicit_bias.losses import SmoothMargin
    >>> points = Classification(np.eye(2), np.array([1.0, -1.0]))
    >>> risk = Risk(TwoLayer(LeakyReLU(0.5), trained="first"), points, SmoothMargin())
    >>> flow = risk.in_span(np.full((2, 2), 0.1), np.array([1.0, -1.0]))
    >>> run = follow_frozen(flow, 0.01, t_end=50.0, t_most=1e3)
    >>> bool(0 < run.tau0 < 50), run.w.shape
    (True, (76, 2, 2))
    """

    span: SpanFlow
    frozen: FrozenFlow
    run: Solution
    tau: Array
    states: Array
    freeze: int

    @property
    def tau0(self) -> float:
        """The time of the freeze."""
        return float(self.tau[self.freeze])

    @property
    def late(self) -> slice:
        """The rows from the freeze on."""
        return slice(self.freeze, None)

    @property
    def w(self) -> Array:
        """W at all times, k × m × d."""
        return self.span.weights(self.states)[0]

    @property
    def start(self) -> Array:
        """W at the start."""
        return self.span.weights(self.states[0])[0]

    @property
    def at_freeze(self) -> Array:
        """W at the freeze."""
        return self.span.weights(self.states[self.freeze])[0]

    @property
    def end(self) -> Array:
        """W at the end."""
        return self.span.weights(self.states[-1])[0]

    @property
    def final(self) -> Array:
        """W at the end over its least margin: the network scaled to margin 1."""
        return np.asarray(self.end / self.span.margins(self.frozen.coefficients(self.run.final)).min())


def follow_frozen(  # attack: none, it takes a flow
    span: SpanFlow, learning_rate: float, *, t_end: float, t_most: float, rtol: float = 1e-8, atol: float = 1e-9
) -> FrozenRun:
    """Train a first layer on the smooth margin: steps until its activation pattern is final, then exactly in n numbers.

    span: the flow of the first layer alone, as ``ActivationPattern`` takes it.
    learning_rate: the first step.
    t_end: the last time.
    t_most: the time by which the pattern must be final.
    rtol, atol: local error allowed in a step of the frozen flow.

    Returns the run.
    Raises FlowError where the pattern is not final by then.

    >>> from implicit_bias import Classification, LeakyReLU, Risk, TwoLayer
    >>> from implicit_bias.losses import SmoothMargin
    >>> points = Classification(np.eye(2), np.array([1.0, -1.0]))
    >>> risk = Risk(TwoLayer(LeakyReLU(0.5), trained="first"), points, SmoothMargin())
    >>> flow = risk.in_span(np.full((2, 2), 0.1), np.array([1.0, -1.0]))
    >>> run = follow_frozen(flow, 0.01, t_end=50.0, t_most=1e3)
    >>> round(float(run.tau[-1]), 6)
    50.0
    """
    pattern = ActivationPattern(span)
    tau, states, _ = double_steps(span, learning_rate, lambda ends, _: pattern.settled(ends[-1]), t_most=t_most)
    frozen, tau0 = FrozenFlow.after(span, states[-1]), tau[-1]
    times = np.geomspace(tau0, t_end, TIMES) - tau0
    run = follow(frozen, t_end=times[-1], record=times[1:-1], method="BDF", rtol=rtol, atol=atol)
    return FrozenRun(
        span=span,
        frozen=frozen,
        run=run,
        tau=np.concatenate([tau, tau0 + run.t[1:]]),
        states=np.concatenate([states, frozen.coefficients(run.theta[1:])]),
        freeze=len(tau) - 1,
    )
