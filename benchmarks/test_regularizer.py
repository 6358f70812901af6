"""Minimizing Q_k under interpolation: Newton's method on the dual against a general-purpose solver.

The authors' small check: N = 10, d = 100, scale 1e-4, shape 0.5. The error is the Karush–Kuhn–Tucker residual: the
larger of ‖Xw − y‖/‖y‖ and the part of ∇Q_k(w) outside the row space of X, over ‖∇Q_k(w)‖.
"""

import numpy as np
import pytest
from scipy.optimize import minimize

from implicit_bias.data import RowSpace, sparse_regression
from implicit_bias.limits.interpolation import HyperbolicEntropy
from implicit_bias.models.linear import DiagonalNetwork

N, D, SCALE, SHAPE = 10, 100, 1e-4, 0.5
GENERAL = "a solver for any smooth problem, on the primal; one for the dual, L-BFGS for example, would be nearer"
GROUP = f"minimizer of Q_k, N = {N}, d = {D}, scale {SCALE:g}, shape {SHAPE:g}"


@pytest.fixture(scope="module")
def problem():
    return sparse_regression(np.random.default_rng(0), N, D)


@pytest.fixture(scope="module")
def entropy():
    return HyperbolicEntropy(DiagonalNetwork.unbiased(D, SCALE, SHAPE).k)


@pytest.fixture(scope="module")
def residual(problem, entropy):
    x, y = problem.x, problem.y
    row_space = RowSpace(x)

    def kkt(w):
        gradient = entropy.gradient(w)
        outside = np.linalg.norm(row_space.outside(gradient)) / np.linalg.norm(gradient)
        return max(float(np.linalg.norm(x @ w - y) / np.linalg.norm(y)), float(outside))

    return kkt


@pytest.mark.parametrize("gradient", [False, True], ids=["as it is", "with the gradient by hand"])
def test_SciPy_SLSQP(timed, problem, entropy, residual, gradient):
    def solve():
        constraint = {"type": "eq", "fun": lambda w: problem.x @ w - problem.y}
        if gradient:
            constraint["jac"] = lambda w: problem.x
        answer = minimize(
            entropy.value,
            np.zeros(D),
            jac=entropy.gradient if gradient else None,
            method="SLSQP",
            constraints=constraint,
            options={"maxiter": 10_000, "ftol": 1e-12},
        )
        return answer.x

    timed(solve, residual, group=GROUP, plain=True, caution=GENERAL)


def test_Newton_on_the_dual(timed, problem, entropy, residual):
    timed(lambda: entropy.minimize(problem.x, problem.y).w, residual, group=GROUP, rounds=100)
