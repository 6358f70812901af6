"""The times at which the misfit of a flow passes given values."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from implicit_bias.checks import Array, array, instance, number
from implicit_bias.flows.driver import FlowError, drive
from implicit_bias.flows.ode import OdeStepper
from implicit_bias.models.protocol import Flow


def passing_times(  # attack: none, it takes a model
    flow: Flow, misfits: Sequence[float] | Array, *, t_end: float = 1e9, rtol: float = 1e-11
) -> Array:
    """When the misfit of a flow, ‖y − f(X)‖, falls to each of given values.

    flow: the model, with a misfit and a Jacobian.
    misfits: falling values, k of them.
    t_end: the time by which all must be passed.
    rtol: local error allowed in a step, relative; absolute a hundredth of it.

    Returns k times.
    Raises FlowError where one is not passed before the end; ValueError for values that do not fall.

    >>> from implicit_bias.models.linear import VanishingFlow
    >>> flow = VanishingFlow(np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([1.0, 1.0]), length=100.0)
    >>> passing_times(flow, [1.2, 0.5]).round(2)
    array([1.  , 2.01])
    """
    instance("flow", flow, Flow)
    levels = array("misfits", misfits, 1)
    if np.any(np.diff(levels) >= 0):
        raise ValueError("misfits holds values that do not fall; it must be a sequence of falling values")
    t_end = number("t_end", t_end, above=0)
    model: Any = flow  # its misfit and its Jacobian, which not every flow has
    size = flow.start.size

    def velocity(state: Array) -> Array:
        return np.append(flow.velocity(state[:-1]), 1.0)

    def jacobian(state: Array) -> Array:
        answer = np.zeros((size + 1, size + 1))
        answer[:size, :size] = model.jacobian(state[:-1])
        return answer

    def late(state: Array) -> str | None:
        return f"{t_end:g} is over" if state[-1] > t_end else None

    run = drive(
        OdeStepper(velocity, jacobian=jacobian, method="LSODA", rtol=rtol, atol=rtol / 100),
        np.append(flow.start, 0.0),
        t_end=-float(levels[-1]),
        clock=lambda _, state: -model.misfit(state[:-1]),
        record=-levels[:-1],
        premise=late,
    )
    if len(run.t) != len(levels) + 1 or not run.converged:
        raise FlowError(f"the misfit has not fallen to {levels[-1]:g}: {run.ended}")
    return np.asarray(run.theta[1:, -1])
