"""The paper's Figure 7.1 at the paper's size: 100 cells by a path over √k, and one cell by each method.

Azulay et al. 2021, Section 9: N = 100, d = 1000, shapes 0, 0.5, 0.7, 0.9, 0.99, twenty scales from 1e-5 to 10^-0.6. The
error is the largest distance of a w to the certified limit of its cell, solved on its own. The flow to a misfit of 1e-9
is kept apart: nearer to the limit than that it cannot come.
"""

import numpy as np
import pytest
from dual_lbfgs import by_lbfgs

from implicit_bias.data import sparse_regression
from implicit_bias.flows import follow
from implicit_bias.limits.interpolation import HyperbolicEntropy, entropy_path, scale_derivative
from implicit_bias.models.linear import DiagonalNetwork, DualFlow
from reproduce.campaigns.racing import Racer

N, D = 100, 1000
SHAPES, SCALES = np.array([0.0, 0.5, 0.7, 0.9, 0.99])[:, None], np.logspace(-5, -0.6, 20)
ROOTS = np.unique(4 * SCALES * (1 + SHAPES**2) / (1 - SHAPES**2))[::-1]
CELLS = [(SCALES[m % 20], SHAPES[m // 20, 0]) for m in np.linspace(0, 99, 13).round().astype(int)]
FIGURE = f"100 cells over scale and shape, N = {N}, d = {D}"
CELL = f"one cell, scale 1e-5, shape 0, N = {N}, d = {D}"


@pytest.fixture(scope="module")
def problem():
    return sparse_regression(np.random.default_rng(0), N, D)


@pytest.fixture(scope="module")
def limits(problem):
    return np.array([HyperbolicEntropy(np.full(D, root**2)).minimize(problem.x, problem.y).w for root in ROOTS])


def exact_flow(problem, scale, shape):
    """The limit by the exact flow in N dimensions, to a misfit of 1e-9."""
    flow = DualFlow(DiagonalNetwork.unbiased(D, scale, shape), problem.x, problem.y, "sum")
    return flow.predictor(follow(flow, misfit=1e-9).final)


def test_the_path(timed, problem, limits):
    def off(path):
        return float(np.linalg.norm(path.w - limits, axis=1).max())

    timed(lambda: entropy_path(problem.x, problem.y, ROOTS), off, group=FIGURE, rounds=3)


def test_the_path_and_thirteen_flows_that_verify_it(timed, problem):
    def figure():
        path = entropy_path(problem.x, problem.y, ROOTS)
        return path, [exact_flow(problem, *cell) for cell in CELLS]

    def off(answer):
        path, flows = answer
        roots = [4 * scale * (1 + shape**2) / (1 - shape**2) for scale, shape in CELLS]
        nearest = [path.w[np.argmin(np.abs(np.log(path.root_k / root)))] for root in roots]
        return float(np.linalg.norm(np.array(nearest) - np.array(flows), axis=1).max())

    timed(figure, off, group=FIGURE)


def test_one_cell(race, problem, limits):
    """The last of the 100 cells: predictor and Newton's method from the cell before it, and from nothing."""
    before, entropy = (HyperbolicEntropy(np.full(D, root**2)) for root in ROOTS[-2:])
    w, dual = limits[-2], before.minimize(problem.x, problem.y).dual

    def cell():
        start = dual + scale_derivative(before, problem.x, w)[0] * np.log(ROOTS[-1] / ROOTS[-2])
        return entropy.minimize(problem.x, problem.y, start=start).w

    def peer():
        return by_lbfgs(np.sqrt(entropy.k), problem.x, problem.y, 1e-3, newton=2)

    racers = [
        Racer("library, from the cell before", cell, 15),
        Racer("library, from nothing", lambda: entropy.minimize(problem.x, problem.y).w, 15),
        Racer("SciPy, L-BFGS on the dual, two Newton steps", peer, 15, plain=True),
    ]
    race(CELL, racers, lambda w: float(np.linalg.norm(w - limits[-1])), 1e-11)


def test_flow_of_one_cell(timed, problem, limits):
    off = lambda w: float(np.linalg.norm(w - limits[-1]))  # noqa: E731
    timed(lambda: exact_flow(problem, 1e-5, 0.0), off, group=f"{CELL}, by the flow")
