"""The largest margins of wide networks: γ₁ with a certificate, and training the output layer of a very wide network.

γ₁: what a user could run instead is the same linear program over a grid of directions. Its value is too small by what
the grid misses, and it cannot tell by how much; the error is relative to the certified value of all points at once.
"""

import tracemalloc

import numpy as np
import pytest
from scipy.optimize import linprog

from implicit_bias.data import Classification, clusters
from implicit_bias.flows import log_time_flow
from implicit_bias.limits.margin import kernel_margin, variation_margin, variation_margin_of_many
from implicit_bias.losses import margin_loss
from implicit_bias.models.linear import LinearClassifier

WIDTH = 12800
POINTS = {n: clusters(np.random.default_rng(0), n) for n in (30, 100)}


@pytest.fixture(scope="module")
def off():
    exact = {n: variation_margin(points).bound for n, points in POINTS.items()}
    return lambda n: lambda value: abs(value / exact[n] - 1)


def on_a_grid(points, count):
    """max_{Σ|ν_k| ≤ 1} min_i ½ y_i Σ_k ν_k (u_k·x_i)₊ over evenly spread directions, by HiGHS."""
    index = np.arange(count) + 0.5
    height, angle = 1 - 2 * index / count, np.pi * (1 + np.sqrt(5)) * index
    ring = np.sqrt(1 - height**2)
    u = np.stack([ring * np.cos(angle), ring * np.sin(angle), height], axis=1)
    signed = points.y[:, None] * np.maximum(points.x @ u.T, 0) / 2
    rows = np.vstack([np.hstack([-signed, signed, np.ones((len(signed), 1))]), np.append(np.ones(2 * count), 0.0)])
    answer = linprog(
        np.append(np.zeros(2 * count), -1.0),
        A_ub=rows,
        b_ub=np.append(np.zeros(len(signed)), 1.0),
        bounds=[(0, None)] * (2 * count) + [(None, None)],
        method="highs",
    )
    return -answer.fun


def test_a_grid_of_100000_directions(timed, off):
    timed(lambda: on_a_grid(POINTS[30], 100_000), off(30), group="γ₁ of 30 points", plain=True)


def test_certified(timed, off):
    timed(lambda: variation_margin(POINTS[30]).bound, off(30), group="γ₁ of 30 points", rounds=5)


def test_certified_from_all_points(timed, off):
    timed(lambda: variation_margin(POINTS[100]).bound, off(100), group="γ₁ of 100 points", plain=True)


def test_certified_from_the_points_that_hold_it(timed, off):
    timed(lambda: variation_margin_of_many(POINTS[100]).bound, off(100), group="γ₁ of 100 points", rounds=5)


def train(points, log_t_end):
    """The part of the largest margin of the features that the flow reaches."""
    theta = np.random.default_rng(1).standard_normal((WIDTH, 3))
    phi = np.maximum(points.x @ theta.T, 0) / np.sqrt(WIDTH)
    gram = phi @ phi.T
    values, modes = np.linalg.eigh(gram)
    model = LinearClassifier(Classification(modes * np.sqrt(values), points.y), margin_loss("exponential"))
    run = log_time_flow(model, np.zeros(points.y.size), log_t_end=log_t_end).demand()
    u = (run.final[:-1] / np.sqrt(values) @ modes.T) @ phi
    return float(np.min(points.y * (phi @ u)) / np.linalg.norm(u) / kernel_margin(gram, points.y).margin)


def peak(points):
    """The most memory that is held at a time, in units of m × n numbers; a short flow holds as much as a long one."""
    tracemalloc.start()
    train(points, 3.0)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / (8 * WIDTH * points.y.size)


@pytest.mark.parametrize("n", [30, 100])
def test_the_flow_of_the_output_layer(timed, n):
    timed(
        lambda: train(POINTS[n], 690.0),
        lambda reached: f"{reached:.4f} of the margin, peak {peak(POINTS[n]):.1f} × m·n numbers",
        group=f"training the output layer, m = {WIDTH}, to ln t = 690",
        rounds=3,
    )
