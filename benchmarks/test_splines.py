"""What mirror flow learns, without training: splines by their kernel, and Bregman problems by their dual in M numbers.

Beside them: the same dual by SciPy with quadrature, Clarabel on a grid, finite elements. Six points, biases uniform on
[−2, 2], in float64 and on one thread. The error is the largest difference of the functions on [−2, 2] to those of the
dual with five times the nodes, or to those of the kernel by exact quadrature.
"""

from dataclasses import replace
from functools import cache

import clarabel
import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize, root

from implicit_bias.data import BiasLaw
from implicit_bias.limits.mirror import bregman_function, finite_element_spline, least_potential, ramp_spline
from implicit_bias.limits.solvers import CLARABEL
from implicit_bias.potentials import Cubic, Quartic
from reproduce.campaigns.racing import Racer

X = np.array([-1.6, -1.05, -0.5, 0.2, 0.8, 1.5])
Y = np.array([1.0, -0.3, 0.6, -0.5, 0.4, 0.9])
LAW = BiasLaw(2.0)
GRID = np.linspace(-2, 2, 401)
POTENTIALS = {3: Cubic(), 4: Quartic()}
NAMES = {3: "|x|³ + x²", 4: "x⁴ + x²"}


def off(known):
    return lambda values: float(np.abs(values - known).max())


legendre = cache(np.polynomial.legendre.leggauss)


def gauss(edges, nodes):
    """Nodes and weights between neighbouring edges."""
    node, weight = legendre(nodes)
    half = np.diff(edges)[:, None] / 2
    return ((edges[:-1, None] + edges[1:, None]) / 2 + half * node).ravel(), (half * weight).ravel()


def dual_by_scipy(power, nodes, pieces=1):
    """The six equations of the dual by MINPACK, integrals by Gauss's rule between data, zeros of α, and pieces."""
    phi, ends = POTENTIALS[power], np.unique(np.concatenate([np.linspace(-2, 2, pieces + 1), X]))

    def edges(charges):
        dual = charges @ np.abs(X[:, None] - ends)
        turns = np.flatnonzero(dual[:-1] * dual[1:] < 0)
        share = dual[turns] / (dual[turns] - dual[turns + 1])
        return np.sort(np.append(ends, ends[turns] + share * np.diff(ends)[turns]))

    def equations(charges):
        b, weight = gauss(edges(charges), nodes)
        seen, weight = np.abs(X[:, None] - b), weight * LAW.density(b)
        alpha = phi.inverse_slope(charges @ seen)
        return seen @ (weight * alpha) - Y, (seen * (weight / phi.curvature(alpha))) @ seen.T

    return root(equations, np.zeros(6), jac=True, tol=1e-14).x


def clarabel_directly(features, mass, y, power):
    """min Σ_j m_j (|u_j|^q + u_j²) with Fu = y, in power cones; u is measured in a unit near its size."""
    count = mass.size
    unit = float(np.abs(np.linalg.lstsq(features, y, rcond=None)[0]).max())
    square = np.concatenate([2 * unit ** (2 - power) * mass, np.zeros(count)])
    at = np.arange(count)
    cones = sparse.csc_matrix(
        (-np.ones(2 * count), (np.concatenate([3 * at, 3 * at + 2]), np.concatenate([count + at, at]))),
        shape=(3 * count, 2 * count),
    )
    fit = sparse.csc_matrix(np.hstack([features, np.zeros_like(features)]))
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    for name, value in CLARABEL.items():
        setattr(settings, name, value)
    solver = clarabel.DefaultSolver(
        sparse.diags(square).tocsc(),
        np.concatenate([np.zeros(count), mass]),
        sparse.vstack([fit, cones]).tocsc(),
        np.concatenate([y / unit, np.tile([0.0, 1.0, 0.0], count)]),
        [clarabel.ZeroConeT(y.size), *[clarabel.PowerConeT(1 / power)] * count],
        settings,
    )
    return unit * np.array(solver.solve().x)[:count]


def clarabel_on_a_grid(power, cells):
    edges = np.linspace(-2, 2, cells + 1)
    b = (edges[1:] + edges[:-1]) / 2
    mass = LAW.density(b) * np.diff(edges)
    alpha = clarabel_directly(np.abs(X[:, None] - b) * mass, mass, Y, power)
    return np.abs(GRID[:, None] - b) @ (mass * alpha)


@pytest.mark.parametrize("power", POTENTIALS)
def test_bregman_problem(race, power):
    """Whoever solves the dual returns its M multipliers; what function they stand for is no part of the time."""
    exact = replace(bregman_function(X, Y, LAW, POTENTIALS[power]), charges=dual_by_scipy(power, 2000)).predict(GRID)

    def error(answer):
        function = bregman_function(X, Y, LAW, POTENTIALS[power])
        values = replace(function, charges=answer).predict(GRID) if answer.size == X.size else answer
        return float(np.abs(values - exact).max())

    racers = [
        Racer("Clarabel, 3200 cells", lambda: clarabel_on_a_grid(power, 3200), plain=True, rounds=3),
        Racer("SciPy's root on the dual, 20 nodes a piece", lambda: dual_by_scipy(power, 20), plain=True, rounds=20),
        Racer("SciPy's root on the dual, 500 nodes a piece", lambda: dual_by_scipy(power, 500), plain=True, rounds=20),
        Racer(
            "library, with its certificate",
            lambda: bregman_function(X, Y, LAW, POTENTIALS[power]).charges,
            rounds=20,
        ),
    ]
    race(f"function of least divergence, φ = {NAMES[power]}, M = 6", racers, error, matched=1e-9)


def test_least_potential(race):
    """A random linear model of 1000 parameters and 100 equations; the error is relative to the largest parameter."""
    phi, stream = POTENTIALS[4], np.random.default_rng(0)
    features, y = stream.standard_normal((100, 1000)) / np.sqrt(1000), 10 * stream.standard_normal(100)

    def equations(charges):
        u = phi.inverse_slope(charges @ features)
        return features @ u - y, (features / phi.curvature(u)) @ features.T

    def dual(charges):
        moved = charges @ features
        u = phi.inverse_slope(moved)
        return np.sum(moved * u - phi.value(u)) - charges @ y, features @ u - y

    def by_root():
        return phi.inverse_slope(root(equations, np.zeros(100), jac=True, tol=1e-14).x @ features)

    def by_descent():
        options = {"ftol": 1e-16, "gtol": 1e-12, "maxiter": 5000, "maxfun": 10_000}
        found = minimize(dual, np.zeros(100), jac=True, method="L-BFGS-B", options=options)
        return phi.inverse_slope(found.x @ features)

    known = by_root()
    racers = [
        Racer("Clarabel", lambda: clarabel_directly(features, np.ones(1000), y, 4), plain=True, rounds=1),
        Racer("SciPy's root on the dual", by_root, plain=True),
        Racer("SciPy's L-BFGS on the dual", by_descent, plain=True, rounds=10),
        Racer("library, with its certificate", lambda: least_potential(features, y, phi).u, rounds=10),
    ]
    size = float(np.abs(known).max())
    name = f"interpolant of least potential, φ = {NAMES[4]}, 100 equations, 1000 parameters"
    race(name, racers, lambda u: float(np.abs(u - known).max()) / size, matched=1e-11)


def by_its_kernel(biases, weight):
    """The ramps' kernel as a mean over biases and signs, as one would write it."""
    places = np.concatenate([X, GRID])
    ramps = [np.maximum(sign * places[:, None] - biases, 0) for sign in (1, -1)]
    kernel = sum((ramp[:6] * weight) @ ramp.T for ramp in ramps) / 2
    return np.linalg.solve(kernel[:, :6], Y) @ kernel[:, 6:]


def exactly():
    edges = np.unique(np.concatenate([X, -X, GRID, -GRID]))
    b, weight = gauss(edges, 2)
    return by_its_kernel(b, weight * LAW.density(b))


def by_finite_elements():
    nodes, values = finite_element_spline(X, Y, LAW, 4000)
    return np.interp(GRID, nodes, values)


def test_ramp_spline(race):
    middles = LAW.quantile((np.arange(4000) + 0.5) / 4000)
    racers = [
        Racer("finite elements, 4000 cells", by_finite_elements, plain=True, rounds=20),
        Racer("kernel over 4000 biases, NumPy", lambda: by_its_kernel(middles, 1 / 4000), plain=True, rounds=20),
        Racer("kernel by exact quadrature, NumPy", exactly, plain=True, rounds=20),
        Racer("library, with its certificate", lambda: ramp_spline(X, Y, LAW).predict(GRID), rounds=20),
    ]
    race(f"spline of least G₁ + G₂ + G₃, M = 6, at {GRID.size} points", racers, off(exactly()), matched=1e-11)
