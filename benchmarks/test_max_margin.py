"""The maximum-margin direction against quadprog, DAQP, LinearSVC, Clarabel and projected Newton on the Gram matrix.

Separable sets with few support vectors, and Gaussian points in twice as many dimensions, most of which are. The error
is that of w relative to a solution polished on the library's support vectors in extended precision of its residual.
quadprog (Goldfarb and Idnani's method) and DAQP, which the library itself calls for few dimensions, prove nothing; with
the library's proof each computes the certificate and the enclosure of the margin beside.
"""

import warnings
from functools import cache

import clarabel
import daqp
import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC

from implicit_bias.data import separable
from implicit_bias.limits.margin import max_margin
from implicit_bias.limits.margin.linear import certify_max_margin
from reproduce.campaigns.racing import Racer

MATCHED = 1e-9


@cache
def points(n, d, support):
    """The signed points: separable with so many support vectors, or Gaussian where None is asked for."""
    stream = np.random.default_rng(0)
    return stream.standard_normal((n, d)) if support is None else separable(stream, n, d, support=support).signed


@cache
def solution(n, d, support):
    """W from the equations of the support vectors, corrected until rounding is left."""
    z = points(n, d, support)
    along = z[max_margin(z).support].astype(np.longdouble)
    gram = (along @ along.T).astype(float)
    multipliers = np.linalg.solve(gram, np.ones(len(gram))).astype(np.longdouble)
    for _ in range(3):
        missed = 1 - along @ (along.T @ multipliers)
        multipliers += np.linalg.solve(gram, missed.astype(float))
    return (along.T @ multipliers).astype(float)


def projected_newton(z):
    """min ½ αᵀKα − Σα over α ≥ 0, Newton's steps on the free multipliers; K must be invertible there."""
    gram = z @ z.T
    alpha = np.ones(len(gram)) / np.trace(gram)
    for _ in range(200):
        slope = gram @ alpha - 1
        free = np.flatnonzero((alpha > 0) | (slope < 0))
        step = np.linalg.solve(gram[np.ix_(free, free)], -slope[free])
        value, share = alpha @ (slope - 1) / 2, 1.0
        while True:
            trial = alpha.copy()
            trial[free] = np.maximum(alpha[free] + share * step, 0)
            if trial @ (gram @ trial) / 2 - trial.sum() <= value + 1e-4 * (slope @ (trial - alpha)) or share < 1e-10:
                break
            share /= 2
        moved = np.abs(trial - alpha).max()
        alpha = trial
        if moved <= 1e-15 * alpha.max() or share < 1e-10:
            break
    return z.T @ alpha


def by_clarabel(z):
    """The primal program where there are more points than dimensions, else the dual one."""
    n, d = z.shape
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-12
    if n > d:
        program = (sparse.identity(d, format="csc"), np.zeros(d), sparse.csc_matrix(-z), -np.ones(n))
    else:
        gram = sparse.csc_matrix(np.triu(z @ z.T))
        program = (gram, -np.ones(n), -sparse.identity(n, format="csc"), np.zeros(n))
    x = np.array(clarabel.DefaultSolver(*program, [clarabel.NonnegativeConeT(n)], settings).solve().x)
    return x if n > d else x @ z


def by_daqp(z):
    """W and its multipliers."""
    n, d = z.shape
    w, _, _, told = daqp.solve(np.eye(d), np.zeros(d), -z, -np.ones(n), primal_tol=1e-12)
    return w, told["lam"]


def by_quadprog(package, z):
    """W and its multipliers."""
    n, d = z.shape
    found = package.solve_qp(np.eye(d), np.zeros(d), z.T, np.ones(n))
    return found[0], found[4]


def proved(z, answer):
    """W, after its certificate."""
    certify_max_margin(z, *answer)
    return answer[0]


def active_set(peer, z):
    """The two packages alone, and with the library's proof."""
    solvers = {"DAQP": by_daqp}
    if (package := peer("quadprog")) is not None:
        solvers["quadprog"] = lambda points: by_quadprog(package, points)
    racers = []
    for name, solve in solvers.items():
        racers += [
            Racer(f"{name}, no proof", lambda solve=solve: solve(z)[0], plain=True, caution="it proves no bound"),
            Racer(f"{name} and the library's proof", lambda solve=solve: proved(z, solve(z)), plain=True),
        ]
    return racers


def by_linear_svc(z, tolerance):
    labels = np.random.default_rng(5).choice([-1.0, 1.0], len(z))  # it wants two classes
    svc = LinearSVC(loss="hinge", C=1e10, fit_intercept=False, tol=tolerance, max_iter=100_000, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return svc.fit(labels[:, None] * z, labels).coef_[0]


# The largest tolerance of LinearSVC at which its error is matched or near it.
CASES = [(50, 10, 5, 1e-9), (500, 50, 25, 1e-9), (2000, 200, 100, 1e-9), (1000, 2000, None, 1e-8)]


@pytest.mark.parametrize(("n", "d", "support", "tolerance"), CASES)
def test_max_margin(race, peer, n, d, support, tolerance):
    z, known = points(n, d, support), solution(n, d, support)
    racers = [
        Racer("library, with its certificate", lambda: max_margin(z).w),
        Racer("scikit-learn's LinearSVC", lambda: by_linear_svc(z, tolerance), 3, plain=True),
        Racer("Clarabel", lambda: by_clarabel(z), 1 if n >= 1000 else 3, plain=True),
    ]
    if support is not None:
        racers += active_set(peer, z)
    else:
        racers.append(Racer("projected Newton on the Gram matrix", lambda: projected_newton(z), plain=True))
    group = f"maximum margin, {n} points in {d} dimensions, {max_margin(z).support.size} support vectors"
    race(group, racers, lambda w: float(np.linalg.norm(w - known) / np.linalg.norm(known)), MATCHED)


def test_many_small_sets(race, peer):
    """200 sets of 50 points in 10 dimensions, one after another; the error is the largest of any of them."""
    sets = [separable(np.random.default_rng(seed), 50, 10, support=5).signed for seed in range(200)]
    known = [max_margin(z).w for z in sets]
    racers = [
        Racer("library, with its certificate", lambda: [max_margin(z).w for z in sets]),
        Racer("DAQP, no proof", lambda: [by_daqp(z)[0] for z in sets], plain=True, caution="it proves no bound"),
        Racer("DAQP and the library's proof", lambda: [proved(z, by_daqp(z)) for z in sets], plain=True),
    ]

    def error(found):
        return max(float(np.linalg.norm(w - v) / np.linalg.norm(v)) for w, v in zip(found, known, strict=True))

    race("maximum margin of 200 sets, 50 points in 10 dimensions each", racers, error, MATCHED)


def test_growth(growth):
    sizes = {n: points(n, n // 10, n // 20) for n in (200, 500, 1000, 2000)}
    solvers = {
        "library, with its certificate": max_margin,
        "scikit-learn's LinearSVC": lambda z: by_linear_svc(z, 1e-9),
    }
    curves = {name: {n: lambda solve=solve, z=z: solve(z) for n, z in sizes.items()} for name, solve in solvers.items()}
    growth("maximum margin against N, d = N/10", "N", curves, plain=("scikit-learn's LinearSVC",))
