"""Minimizing Q_k under interpolation: Newton's method on the dual against L-BFGS on it, and a solver for any problem.

The authors' small check: N = 10, d = 100, scale 1e-4, shape 0.5; their experiment: N = 100, d = 1000, scale 1e-3, shape
0; the smallest of their scales; and five times as many samples and coordinates. The error is the Karush–Kuhn–Tucker
residual: the larger of ‖Xw − y‖/‖y‖ and the part of ∇Q_k(w) outside the row space of X, over ‖∇Q_k(w)‖. L-BFGS alone
comes to 1e-9, where rounding hides what it lowers.
"""

import numpy as np
import pytest
from dual_lbfgs import by_lbfgs
from scipy.optimize import minimize

from implicit_bias.data import RowSpace, sparse_regression
from implicit_bias.limits.interpolation import HyperbolicEntropy
from implicit_bias.models.linear import DiagonalNetwork
from reproduce.campaigns.racing import Racer

MATCHED = 1e-11
CASES = [(10, 1e-4, 0.5, 30), (100, 1e-3, 0.0, 15), (100, 1e-5, 0.0, 15), (500, 1e-3, 0.0, 5)]
GENERAL = "a solver for any smooth problem, on the primal"


def problem(n, scale, shape):
    regression = sparse_regression(np.random.default_rng(0), n, 10 * n)
    return HyperbolicEntropy(DiagonalNetwork.unbiased(10 * n, scale, shape).k), regression.x, regression.y


def newton(entropy, x, y):
    return entropy.minimize(x, y).w


def lbfgs(entropy, x, y):
    return by_lbfgs(np.sqrt(entropy.k), x, y, 1e-10)


def lbfgs_and_newton(entropy, x, y):
    return by_lbfgs(np.sqrt(entropy.k), x, y, 1e-3, newton=2)


def slsqp(entropy, x, y):
    constraint = {"type": "eq", "fun": lambda w: x @ w - y, "jac": lambda w: x}
    options = {"maxiter": 10_000, "ftol": 1e-12}
    start = np.zeros(entropy.k.size)
    return minimize(
        entropy.value, start, jac=entropy.gradient, method="SLSQP", constraints=constraint, options=options
    ).x


@pytest.mark.parametrize(("n", "scale", "shape", "rounds"), CASES)
def test_minimizer(race, n, scale, shape, rounds):
    entropy, x, y = problem(n, scale, shape)
    row_space = RowSpace(x)

    def residual(w):
        gradient = entropy.gradient(w)
        outside = np.linalg.norm(row_space.outside(gradient)) / np.linalg.norm(gradient)
        return max(float(np.linalg.norm(x @ w - y) / np.linalg.norm(y)), float(outside))

    racers = [
        Racer("library, Newton on the dual", lambda: newton(entropy, x, y), rounds),
        Racer("SciPy, L-BFGS on the dual", lambda: lbfgs(entropy, x, y), rounds, plain=True),
        Racer(
            "SciPy, L-BFGS on the dual, then two Newton steps", lambda: lbfgs_and_newton(entropy, x, y), rounds, True
        ),
    ]
    if n == 10:
        racers.append(Racer("SciPy, SLSQP on the primal", lambda: slsqp(entropy, x, y), 2, True, GENERAL))
    group = f"minimizer of Q_k, N = {n}, d = {10 * n}, scale {scale:g}, shape {shape:g}"
    race(group, racers, residual, MATCHED)


def test_growth(growth):
    sizes = {n: problem(n, 1e-3, 0.0) for n in (25, 50, 100, 200, 400)}
    methods = {
        "library, Newton on the dual": newton,
        "SciPy, L-BFGS on the dual, to 1e-9": lbfgs,
        "SciPy, L-BFGS on the dual, two Newton steps": lbfgs_and_newton,
    }
    curves = {
        name: {n: lambda solve=solve, one=one: solve(*one) for n, one in sizes.items()}
        for name, solve in methods.items()
    }
    growth("minimizer of Q_k against N, d = 10 N, scale 0.001", "N", curves, plain=list(methods)[1:])
