"""Gradient flow of the exponential loss of a linear classifier, in the logarithm of time and with its Jacobian."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, number
from implicit_bias.flows.driver import Solution, drive
from implicit_bias.flows.ode import OdeStepper


def margin_flow(  # attack: none, it takes functions
    z: ArrayLike,
    *,
    log_t_end: float,
    record: Sequence[float] | Array = (),
    rtol: float = 1e-6,
    atol: float = 1e-8,
) -> Solution:
    """Integrate u̇ = −∇R(u), R = (1/N) Σ e^{−z_i·u}, from u = 0 at t = 1 to t = e^{log_t_end}.

    du/ds = Zᵀp,  d(ln t)/ds = exp(−ln R − ln t),  p = softmin(Zu),  ds = R dt

    It is ``log_time_flow`` with the Jacobian of the right-hand side:

    ∂(Zᵀp)/∂u = −Zᵀ(diag p − ppᵀ)Z,  ∂ exp(−ln R − ln t)/∂(u, ln t) = exp(−ln R − ln t) (Zᵀp, −1)

    so that for a few hundred unknowns an implicit method needs no differences.

    z: N × d, the signed points y_i x_i.
    log_t_end: ln t at the end, positive.
    record: values of ln t at which the state is recorded.
    rtol, atol: as in ``OdeStepper``.

    Returns the solution; its times are ln t, its states (u, ln t) of d + 1 entries.
    Raises ValueError for arguments outside their range.

    >>> run = margin_flow(np.array([[1.0, 1.0], [1.0, -1.0]]), log_t_end=20.0)
    >>> run.final.round(3) + 0.0
    array([20.,  0., 20.])
    """
    z = array("z", z, 2)
    number("log_t_end", log_t_end, above=0)  # mutant(0): the guard of an argument
    n, d = z.shape

    def rates(state: Array) -> tuple[Array, Array, float]:
        """P, Zᵀp and d(ln t)/ds."""
        m = z @ state[:-1]
        least = m.min()
        p = np.exp(least - m)
        total = p.sum()
        p /= total
        return p, p @ z, float(np.exp(least - np.log(total / n) - state[-1]))

    def velocity(state: Array) -> Array:
        _, pull, clock = rates(state)
        return np.append(pull, clock)

    def jacobian(state: Array) -> Array:
        p, pull, clock = rates(state)
        halves = np.sqrt(p)[:, None] * z
        answer = np.zeros((d + 1, d + 1))
        answer[:d, :d] = np.outer(pull, pull) - halves.T @ halves
        answer[d, :d], answer[d, d] = clock * pull, -clock
        return answer

    stepper = OdeStepper(velocity, jacobian=jacobian, method="LSODA", rtol=rtol, atol=atol)
    return drive(stepper, np.zeros(d + 1), t_end=log_t_end, clock=lambda s, state: float(state[-1]), record=record)
