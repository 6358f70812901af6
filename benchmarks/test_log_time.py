"""Gradient flow in ln t against SciPy's LSODA in ln t, with its Jacobian, and compiled diffrax.

dw/d ln t = −t∇R(w) for the exponential loss, N = 40 points in d = 10 dimensions. The error is the largest difference of
w at the end to the library's own at a relative tolerance of 1e-13.
"""

import numpy as np
import pytest
from scipy.integrate import odeint, solve_ivp

from implicit_bias.data import separable
from implicit_bias.flows import log_time_flow
from implicit_bias.losses import margin_loss
from implicit_bias.models.linear import LinearClassifier
from reproduce.campaigns.racing import Racer

MATCHED = 1e-9
ROOM = 1e-2  # absolute tolerance over the relative one
ENDS = {"t = 1e8": np.log(1e8), "ln t = 690": 690.0}


class Problem:
    """Signed points, weights to begin with, and the right-hand side by hand."""

    def __init__(self, n, d, support):
        data = separable(np.random.default_rng(0), n, d, support=support)
        self.model = LinearClassifier(data, margin_loss("exponential"))
        self.z, self.w = data.signed, np.random.default_rng(1).standard_normal(d)
        self.columns = np.ascontiguousarray(self.z.T)

    def velocity(self, log_t, w):
        return np.exp(log_t - self.z @ w) @ self.z / len(self.z)

    def jacobian(self, log_t, w):
        return -(self.columns * (np.exp(log_t - self.z @ w) / len(self.z))) @ self.z

    def library(self, end, tolerance=1e-10):
        done = log_time_flow(self.model, self.w, log_t_end=end, rtol=tolerance, atol=ROOM * tolerance)
        return done.demand().final[:-1]

    def lsoda(self, end, tolerance):
        """SciPy's newer interface."""
        settings = {"method": "LSODA", "jac": self.jacobian, "rtol": tolerance, "atol": ROOM * tolerance}
        return solve_ivp(self.velocity, (0, end), self.w, **settings).y[:, -1]

    def odeint(self, end, tolerance):
        """Its older one, whose loop is compiled."""
        settings = {"Dfun": self.jacobian, "tfirst": True, "rtol": tolerance, "atol": ROOM * tolerance}
        return odeint(self.velocity, self.w, [0, end], mxstep=100_000, **settings)[-1]

    def compiled(self, jax, diffrax, end, tolerance):
        z, n = jax.numpy.array(self.z), len(self.z)
        term = diffrax.ODETerm(lambda t, w, _: jax.numpy.exp(t - z @ w) @ z / n)
        control = diffrax.PIDController(rtol=tolerance, atol=ROOM * tolerance)
        options = {"stepsize_controller": control, "max_steps": 200_000, "saveat": diffrax.SaveAt(t1=True)}
        solve = jax.jit(lambda w: diffrax.diffeqsolve(term, diffrax.Dopri8(), 0.0, end, None, w, **options).ys[0])
        start = jax.numpy.array(self.w)
        return lambda: np.asarray(solve(start))


@pytest.mark.parametrize("named", ENDS)
def test_flow(race, jax, peer, named):
    problem, end = Problem(40, 10, 5), ENDS[named]
    known = problem.library(end, 1e-13)
    racers = [
        Racer("library", lambda: problem.library(end), 7),
        Racer("SciPy's solve_ivp, LSODA", lambda: problem.lsoda(end, 1e-12), 7, plain=True),
        Racer("SciPy's odeint, LSODA", lambda: problem.odeint(end, 1e-12), 7, plain=True),
    ]
    diffrax = peer("diffrax")
    if jax and diffrax:
        tolerance = 1e-10 if end < 100 else 1e-8  # at less it takes minutes
        racers.append(Racer("diffrax, Dopri8, compiled", problem.compiled(jax, diffrax, end, tolerance), plain=True))
    race(f"gradient flow to {named}, N = 40, d = 10", racers, lambda w: float(np.abs(w - known).max()), MATCHED)


def test_growth(growth):
    problems = {d: Problem(4 * d, d, d // 2) for d in (10, 20, 40, 80)}
    curves = {
        "library": {d: lambda one=one: one.library(690.0) for d, one in problems.items()},
        "SciPy's odeint, LSODA": {d: lambda one=one: one.odeint(690.0, 1e-12) for d, one in problems.items()},
    }
    growth("gradient flow to ln t = 690 against d, N = 4 d", "d", curves, plain=("SciPy's odeint, LSODA",))
