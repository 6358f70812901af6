"""Gradient flow of a loss with an exponential tail, in the logarithm of time."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array
from implicit_bias.flows.driver import Solution, drive
from implicit_bias.flows.ode import OdeStepper


class ExponentialTail(Protocol):
    """A model whose risk and velocity are known in logarithms."""

    def log_risk(self, w: Array) -> float:
        """ln R(w)."""

    def rescaled_velocity(self, w: Array) -> Array:
        """dw/ds = −∇R/R, with ds = R dt."""


def log_time_flow(
    model: ExponentialTail,
    w: ArrayLike,
    *,
    log_t_end: float,
    record: Sequence[float] | Array = (),
    rtol: float = 1e-10,
    atol: float = 1e-12,
) -> Solution:
    """Integrate ẇ = −∇R(w) from t = 1 to t = e^{log_t_end}, far beyond what t itself could reach.

    dw/ds = −∇R/R,  d(ln t)/ds = exp(−ln R − ln t)

    In s the velocity stays of order γ while t grows like e^{γ²s}. The state is (w, ln t).

    model: risk and velocity in logarithms.
    w: w at t = 1, d entries.
    log_t_end: ln t at the end, positive.
    record: values of ln t at which the state is recorded.
    rtol, atol: as in ``OdeStepper``.

    Returns the solution; its times are ln t, its states (w, ln t) of d + 1 entries.
    """

    def velocity(state: Array) -> Array:
        log_rate = -model.log_risk(state[:-1]) - state[-1]
        return np.append(model.rescaled_velocity(state[:-1]), np.exp(log_rate))

    stepper = OdeStepper(velocity, method="LSODA", rtol=rtol, atol=atol)
    start = np.append(array("w", w, 1), 0.0)
    return drive(stepper, start, t_end=log_t_end, clock=lambda s, state: float(state[-1]), record=record)
