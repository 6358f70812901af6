"""The interpolator of least ℓ1 norm against LARS, homotopies over the lasso's penalty, and a linear program.

The data are those of the chapters: Gaussian samples, labels of a sparse predictor and noise, d = 10 N. The peers end at
a vertex, whose N equations are then solved anew, as the library does. The error is the certificate's: the largest of
the relative misses of Xw = y, of ‖Xᵀλ‖∞ ≤ 1 and of ‖w‖₁ = yᵀλ.
"""

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.linear_model import lars_path

from implicit_bias.data import sparse_regression
from implicit_bias.limits.interpolation import least_l1
from implicit_bias.limits.interpolation.least_l1 import certify_least_l1
from reproduce.campaigns.racing import Racer

MATCHED = 1e-10
FALL, PENALTIES = 1e-5, 20  # down to which share of the largest penalty, by how many


def problem(n):
    regression = sparse_regression(np.random.default_rng(0), n, 10 * n)
    return regression.x, regression.y


def vertex(x, y, w):
    """w and λ at the vertex of the N largest coordinates."""
    basis = np.sort(np.argpartition(-np.abs(w), y.size - 1)[: y.size])
    exact = np.zeros(w.size)
    exact[basis] = np.linalg.solve(x[:, basis], y)
    return exact, np.linalg.solve(x[:, basis].T, np.sign(exact[basis]))


def library(x, y):
    answer = least_l1(x, y)
    return answer.w, answer.dual


def lars(x, y):
    """Without the Gram matrix and the path, both of which cost more here; the default would stop after 500 steps."""
    w = lars_path(x, y, method="lasso", Gram=None, return_path=False, max_iter=10 * y.size, copy_X=True)[2]
    return vertex(x, y, w)


def highs(x, y):
    d = x.shape[1]
    answer = linprog(np.ones(2 * d), A_eq=np.hstack([x, -x]), b_eq=y, bounds=(0, None), method="highs-ds")
    return vertex(x, y, answer.x[:d] - answer.x[d:])


def falling(x, y):
    return np.abs(x.T @ y).max() / y.size * np.geomspace(1, FALL, PENALTIES)[1:]


def by_celer(celer):
    def solve(x, y):
        x = np.asfortranarray(x)
        settings = {"tol": 1e-10, "max_iter": 200, "max_epochs": 100_000}
        return vertex(x, y, celer.celer_path(x, y, "lasso", alphas=falling(x, y), **settings)[1][:, -1])

    return solve


def by_skglm(skglm):
    def solve(x, y):
        x = np.asfortranarray(x)
        one = skglm.solvers.AndersonCD(tol=1e-10, max_iter=200, max_epochs=100_000, fit_intercept=False)
        penalty = skglm.penalties.L1(1.0)
        return vertex(x, y, one.path(x, y, skglm.datafits.Quadratic(), penalty, alphas=falling(x, y))[1][:, -1])

    return solve


@pytest.mark.parametrize(("n", "rounds"), [(100, 7), (200, 7), (500, 3)])
def test_least_l1(race, peer, n, rounds):
    x, y = problem(n)
    racers = [
        Racer("library", lambda: library(x, y), rounds),
        Racer("scikit-learn's LARS", lambda: lars(x, y), rounds, plain=True),
    ]
    if n == 100:
        racers.append(Racer("SciPy's HiGHS", lambda: highs(x, y), 3, plain=True))
        for name, by in (("celer", by_celer), ("skglm", by_skglm)):
            package = peer(name)
            if package:
                method = f"{name}, {PENALTIES - 1} penalties"
                racers.append(Racer(method, lambda solve=by(package): solve(x, y), 3, plain=True))  # noqa: B008
    group = f"least l1 norm, N = {n}, d = {10 * n}"
    race(group, racers, lambda answer: certify_least_l1(x, y, *answer).worst, MATCHED)


def test_growth(growth):
    sizes = {n: problem(n) for n in (50, 100, 200, 400)}
    curves = {
        name: {n: lambda solve=solve, one=one: solve(*one) for n, one in sizes.items()}
        for name, solve in (("library", library), ("scikit-learn's LARS", lars))
    }
    growth("least l1 norm against N, d = 10 N", "N", curves, plain=("scikit-learn's LARS",))
