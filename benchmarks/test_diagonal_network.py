"""The flow of a diagonal network: the exact flow in N dimensions against the flow of all 4d parameters.

The authors' problem (Azulay et al. 2021, Section 9): N = 100, d = 1000, scale 1e-3, shape 0. Two things are asked of
the flow: its limit, where the error is the distance of w to the certified minimizer of Q_k; and its course, where it is
the largest distance to the flow at tolerance 3e-14, over 20 times.

Whatever the steps in N dimensions, they never leave the w that flows from the start can reach, and there is one
interpolator among these: the limit needs no accurate steps. The 4d parameters lose k, and with it the limit, by the
errors of their steps. They are told when to stop: at t = 5.4, where the misfit is below 1e-9.

A group of its own keeps the authors' settings: learning rate 1e-3 on Xᵀr/N, stop at mean squared error 1e-4. The
library's flow is stopped there too.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from implicit_bias.data import sparse_regression
from implicit_bias.flows import gradient_flow
from implicit_bias.limits.interpolation import HyperbolicEntropy
from implicit_bias.models.linear import DiagonalNetwork, DualFlow
from reproduce.campaigns.racing import Racer

N, D, SCALE, RATE, STOP = 100, 1000, 1e-3, 1e-3, 1e-4
T_END, MISFIT = 5.4, 1e-9
MOMENTS = np.geomspace(1e-3 * T_END, T_END, 20)
NAME = f"a diagonal network, N = {N}, d = {D}, scale {SCALE:g}, shape 0"
FAR = "the authors' learning rate is far below the largest stable one, and they stop far from the limit"
PROBLEM = sparse_regression(np.random.default_rng(0), N, D)
NETWORK = DiagonalNetwork.unbiased(D, SCALE, 0.0)
X, Y = PROBLEM.x, PROBLEM.y
FLOW = DualFlow(NETWORK, X, Y, "sum")


@pytest.fixture(scope="module")
def off():
    limit = HyperbolicEntropy(NETWORK.k).minimize(X, Y).w
    return lambda w: float(np.linalg.norm(w - limit))


def reduced(times=(), t_end=1e9, target=0.0, rtol=1e-9, method="LSODA"):
    """The predictors of the flow in N dimensions at the times and at its end."""
    run = gradient_flow(
        FLOW.velocity,
        FLOW.start,
        t_end=t_end,
        jacobian=FLOW.jacobian,
        method=method,
        residual=FLOW.misfit if target else None,
        target=target,
        record=times,
        rtol=rtol,
        atol=rtol / 100,
    )
    return np.array([FLOW.predictor(mu) for mu in run.theta[1:]])


def velocity(t, theta):
    u_plus, v_plus, u_minus, v_minus = theta.reshape(4, D)
    g = (Y - X @ (u_plus * v_plus - u_minus * v_minus)) @ X
    return np.concatenate([v_plus * g, u_plus * g, -v_minus * g, -u_minus * g])


def by_scipy(times, rtol):
    run = solve_ivp(velocity, (0, T_END), NETWORK.start, "DOP853", times, rtol=rtol, atol=rtol / 100)
    return NETWORK.predictor(run.y.T)


def by_diffrax(jax, diffrax, solver, times, rtol):
    """Compiled, with the times and the tolerance as constants."""
    x, y = jax.numpy.array(X), jax.numpy.array(Y)

    def slope(t, theta, args):
        u_plus, v_plus, u_minus, v_minus = theta
        g = (y - x @ (u_plus * v_plus - u_minus * v_minus)) @ x
        return jax.numpy.stack([v_plus * g, u_plus * g, -v_minus * g, -u_minus * g])

    @jax.jit
    def run(theta):
        return diffrax.diffeqsolve(
            diffrax.ODETerm(slope),
            solver,
            0.0,
            T_END,
            None,
            theta,
            saveat=diffrax.SaveAt(ts=jax.numpy.array(times)),
            stepsize_controller=diffrax.PIDController(rtol=rtol, atol=rtol / 100),
            max_steps=100_000,
        ).ys

    start = jax.numpy.array(NETWORK.start.reshape(4, D))
    return lambda: NETWORK.predictor(np.asarray(run(start)).reshape(len(times), 4 * D))


def with_diffrax(jax, peer, times, tolerances):
    diffrax = peer("diffrax") if jax else None
    if not diffrax:
        return []
    return [
        Racer(
            f"diffrax, {name} in 4d dimensions",
            by_diffrax(jax, diffrax, getattr(diffrax, name)(), times, rtol),
            plain=True,
        )
        for name, rtol in tolerances.items()
    ]


def test_limit(race, peer, jax, off):
    """Each peer at the loosest tolerance, of the powers of ten, at which its error is that of the library."""
    last = [T_END]
    racers = [
        Racer("library, exact flow in N dimensions", lambda: reduced(target=MISFIT, rtol=1e-3)),
        Racer("SciPy, DOP853 in 4d dimensions", lambda: by_scipy(last, 1e-10), plain=True),
        *with_diffrax(jax, peer, last, {"Dopri8": 1e-9, "Tsit5": 1e-10}),
    ]
    race(f"limit of {NAME}", racers, lambda w: off(w[-1]), 1e-10)


def test_course(race, peer, jax):
    known = reduced(MOMENTS[:-1], T_END, rtol=3e-14, method="DOP853")
    racers = [
        Racer("library, exact flow in N dimensions", lambda: reduced(MOMENTS[:-1], T_END, rtol=1e-9)),
        Racer("SciPy, DOP853 in 4d dimensions", lambda: by_scipy(MOMENTS, 1e-12), plain=True),
        *with_diffrax(jax, peer, MOMENTS, {"Dopri8": 1e-11, "Tsit5": 1e-10}),
    ]
    race(f"course of {NAME}", racers, lambda w: float(np.linalg.norm(w - known, axis=1).max()), 1e-9)


def loop():
    u_plus, v_plus, u_minus, v_minus = NETWORK.start.reshape(4, D)
    while True:
        residual = Y - X @ (u_plus * v_plus - u_minus * v_minus)
        if residual @ residual / N < STOP:
            return u_plus * v_plus - u_minus * v_minus
        step = RATE * (residual @ X) / N
        u_plus, v_plus = u_plus + step * v_plus, v_plus + step * u_plus
        u_minus, v_minus = u_minus - step * v_minus, v_minus - step * u_minus


def test_the_authors_settings(race, off):
    misfit = float(np.sqrt(N * STOP))
    racers = [
        Racer("library, exact flow in N dimensions", lambda: reduced(target=misfit, rtol=1e-3)[-1]),
        Racer("NumPy, a loop over gradient steps", loop, rounds=1, plain=True, caution=FAR),
    ]
    race(f"{NAME}, at the authors' settings", racers, off, 6e-3)
