"""Integrals along a gradient flow: its states at Gauss's nodes of every step, and their weights."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array
from implicit_bias.flows.driver import Solution, drive
from implicit_bias.flows.ode import Method, OdeState, OdeStepper
from implicit_bias.models.protocol import Flow

NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)


@brief()
@dataclass(frozen=True)
class Along:
    """A run and what is needed to integrate along it.

    run: the solution.
    t: the nodes, k numbers.
    theta: the states there, k × p.
    weights: of the nodes, k numbers.

    >>> from implicit_bias.models.linear import DiagonalNetwork, DualFlow
    >>> flow = DualFlow(DiagonalNetwork.unbiased(1, scale=0.1, shape=0.0), np.array([[1.0]]), np.array([1.0]))
    >>> along = follow_along(flow, t_end=2.0)
    >>> round(float(along.integral(lambda states: np.ones(len(states)))), 9)
    2.0
    """

    run: Solution
    t: Array
    theta: Array
    weights: Array

    def integral(self, function: Callable[[Array], Array]) -> Array:
        """∫ function(θ(t)) dt from 0 to the end, of a function that takes all k states and returns k × …."""
        return np.tensordot(self.weights, function(self.theta), 1)


class _Noting:
    """An integrator that notes its states at the nodes of each step, as far as the end."""

    def __init__(self, inner: OdeStepper, t_end: float) -> None:
        self.inner, self.t_end = inner, t_end
        self.t: list[Array] = []
        self.theta: list[list[Array]] = []
        self.weights: list[Array] = []

    def init(self, theta: Array) -> OdeState:
        """The state at t = 0."""
        return self.inner.init(theta)

    def step(self, state: OdeState) -> OdeState:
        """One step, noted."""
        before, after = state.t, self.inner.step(state)
        half = (min(after.t, self.t_end) - before) / 2
        nodes = before + half * (1 + NODES)
        self.t.append(nodes)
        self.theta.append([after.at(node) for node in nodes])
        self.weights.append(half * WEIGHTS)
        return after


def follow_along(  # attack: none, it takes a model
    flow: Flow, *, t_end: float, method: Method = "DOP853", rtol: float = 1e-10, max_steps: int = 200_000
) -> Along:
    """Follow a model's gradient flow to a time and keep what integrals along it need: four nodes of Gauss a step.

    ∫₀ᵀ g(θ(t)) dt ≈ Σ_k w_k g(θ(t_k))

    flow: the model; where it has a Jacobian, stiff methods use it.
    t_end: T, the time at which to stop.
    method: of ``OdeStepper``.
    rtol: local error allowed in a step, relative; the absolute one is a hundredth of it.
    max_steps: most steps.

    Returns the run, its nodes, states and weights.
    Raises FlowError for a run that ends before.

    >>> from implicit_bias.models.linear import DiagonalFlow, DiagonalNetwork
    >>> net = DiagonalNetwork.unbiased(2, scale=0.1, shape=0.0)
    >>> way = follow_along(DiagonalFlow(net, np.array([[1.0, 2.0]]), np.array([4.0])), t_end=1.0)
    >>> float(way.integral(lambda theta: np.ones(len(theta))).round(12))
    1.0
    """
    jacobian = getattr(flow, "jacobian", None)
    stepper = _Noting(OdeStepper(flow.velocity, jacobian, method, rtol, rtol / 100), t_end)
    run = drive(stepper, flow.start, t_end=t_end, max_steps=max_steps).demand()
    states = [state for step in stepper.theta for state in step]
    return Along(run, np.concatenate(stepper.t), np.array(states), np.concatenate(stepper.weights))
