"""Adam at small learning rates as a flow, for a linear classifier, in the logarithm of the loss."""

import math
import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, number
from implicit_bias.flows.driver import Solution, drive
from implicit_bias.flows.ode import Method, OdeStepper

FLOOR = 1e-7  # of ε over the loss: below it the flow is that of the sign, which no solver can follow along a kink


def adam_flow(  # attack: none, it takes functions
    z: ArrayLike,
    *,
    log_epsilon: float,
    m_end: float,
    record: Sequence[float] | Array = (),
    rtol: float = 1e-8,
    atol: float = 1e-8,
    floor: float = FLOOR,
) -> Solution:
    """Integrate ẇ_j = g_j/(|g_j| + ε) with g = −∇R(w), R = (1/N) Σ e^{−z_i·w}, from w = 0, in M = −ln R.

    dw_j/ds = q_j/(|q_j| + ε/R),  dM/ds = q·dw/ds,  q = Zᵀp,  p = softmin(Zw)

    where ε ≤ R, and the same times ε/R where ε > R, so that nothing underflows. What Adam does at a small learning
    rate: both of its moments have forgotten all but the newest gradient before the gradient has changed.
    ε/R is held above a floor, by which a margin misses at most floor · d over γ, relative.
    By LSODA, or by Radau's method where a kink is too sharp for it.

    z: N × d, the signed points y_i x_i.
    log_epsilon: ln ε, negative.
    m_end: M at the end, positive.
    record: values of M at which the state is recorded.
    rtol, atol: as in ``OdeStepper``.
    floor: the least ε/R, positive.

    Returns the solution; its times are M, its states (w, M) of d + 1 entries.
    Raises ValueError for arguments outside their range.

    >>> run = adam_flow([[2.0, 1.0], [2.0, -1.0]], log_epsilon=-20.0, m_end=10.0)
    >>> run.final.round(6) + 0.0
    array([ 5.,  0., 10.])
    """
    z = array("z", z, 2)
    log_epsilon = number("log_epsilon", log_epsilon, below=0)
    m_end = number("m_end", m_end, above=0)
    floor = number("floor", floor, above=0)
    d = z.shape[1]

    def shares(state: Array) -> tuple[Array, Array, float, float]:
        """P and q, and what |q| is multiplied with and what is added to it in the denominator of dw/ds."""
        margins = z @ state[:-1]
        p = np.exp(margins.min() - margins)
        p /= p.sum()
        ahead = log_epsilon + state[-1]
        if ahead <= 0:
            return p, p @ z, 1.0, max(math.exp(ahead), floor)
        return p, p @ z, math.exp(-ahead), 1.0

    def velocity(state: Array) -> Array:
        _, q, share, small = shares(state)
        answer = np.empty(d + 1)
        answer[:d] = q / (np.abs(q) * share + small)
        answer[d] = q @ answer[:d]
        return answer

    def jacobian(state: Array) -> Array:
        p, q, share, small = shares(state)
        size = np.abs(q) * share + small
        by_q = small / size**2
        by_m = q * (np.abs(q) * share if share < 1 else -small * (small > floor)) / size**2
        halves = np.sqrt(p)[:, None] * z
        turn = np.outer(q, q) - halves.T @ halves
        answer = np.empty((d + 1, d + 1))
        answer[:d, :d], answer[:d, d] = by_q[:, None] * turn, by_m
        answer[d, :d], answer[d, d] = (q / size + q * by_q) @ turn, q @ by_m
        return answer

    def run(method: Method) -> Solution:
        stepper = OdeStepper(velocity, jacobian=jacobian, method=method, rtol=rtol, atol=atol)
        return drive(stepper, np.zeros(d + 1), t_end=m_end, clock=lambda s, state: float(state[-1]), record=record)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # LSODA's where it gives up at a kink, which Radau passes
        quick = run("LSODA")
    return quick if quick.converged else run("Radau")
