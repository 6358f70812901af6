"""The limit of a single linear neuron: closed form and exact flow against gradient-descent loops.

The size of the authors' data (Azulay et al. 2021, Section 9): N = 100, d = 1000; scale 0.5, shape 0. The loops run at
the authors' settings for fully connected networks: learning rate 1e-3 on 2Xᵀr/N, until the mean squared error is 1e-4,
or 1e-10. The error is the distance of w̃ to the minimizer of Q that Newton's method certifies.
"""

import numpy as np
import pytest
import torch

from implicit_bias.activations import IDENTITY
from implicit_bias.data import sparse_regression
from implicit_bias.flows import gradient_flow
from implicit_bias.limits.neuron import NeuronRegularizer, linear_neuron_limit
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, TwoLayer, neuron_start

N, D, SCALE, RATE = 100, 1000, 0.5, 1e-3
GROUP = f"limit of a linear neuron, N = {N}, d = {D}, scale {SCALE:g}, shape 0"
STOPS = pytest.mark.parametrize("stop", [1e-4, 1e-10], ids=["to MSE 1e-4", "to MSE 1e-10"])


@pytest.fixture(scope="module")
def problem():
    return sparse_regression(np.random.default_rng(0), N, D)


@pytest.fixture(scope="module")
def start():
    """W, one row, and a, one entry."""
    return neuron_start(np.random.default_rng(1).standard_normal(D), SCALE, 0.0)


@pytest.fixture(scope="module")
def off(problem, start):
    (w,), (a,) = start
    limit = NeuronRegularizer(0.0, a * w).minimize(problem.x, problem.y).w
    return lambda w: float(np.linalg.norm(w - limit))


@STOPS
def test_plain_NumPy_loop(timed, problem, start, off, stop):
    x, y = problem.x, problem.y

    def loop():
        (w,), (a,) = start
        while True:
            residual = y - x @ (a * w)
            if residual @ residual / N < stop:
                return a * w
            step = 2 * RATE / N * (residual @ x)
            w, a = w + a * step, a + w @ step

    timed(loop, off, group=GROUP, plain=True)


@STOPS
def test_plain_PyTorch_SGD_loop(timed, problem, start, off, stop):
    torch.set_num_threads(1)
    x, y = torch.tensor(problem.x), torch.tensor(problem.y)

    warm = torch.zeros(1, requires_grad=True)  # the first step of an optimizer loads modules
    (warm**2).sum().backward()
    torch.optim.SGD([warm], lr=RATE).step()

    def loop():
        w = torch.tensor(start[0][0], requires_grad=True)
        a = torch.tensor(start[1][0], requires_grad=True)
        descent = torch.optim.SGD([w, a], lr=RATE)
        while True:
            loss = torch.nn.functional.mse_loss(a * (x @ w), y)
            if loss.item() < stop:
                return (a * w).detach().numpy()
            descent.zero_grad()
            loss.backward()
            descent.step()

    timed(loop, off, group=GROUP, plain=True)


def test_exact_flow_in_N_plus_1_dimensions(timed, problem, start, off):
    def flow():
        reduced = Risk(TwoLayer(IDENTITY), problem, Squared("sum")).in_span(*start)
        run = gradient_flow(
            reduced.velocity,
            reduced.start,
            t_end=1e9,
            jacobian=reduced.jacobian,
            residual=reduced.misfit,
            target=1e-9,
            rtol=1e-9,
            atol=1e-11,
        )
        return reduced.predictor(run.final)

    timed(flow, off, group=GROUP, rounds=5)


def test_Newton_on_the_dual(timed, problem, start, off):
    (w,), (a,) = start
    regularizer = NeuronRegularizer(0.0, a * w)
    timed(lambda: regularizer.minimize(problem.x, problem.y).w, off, group=GROUP, rounds=20)


def test_closed_form_with_its_certificate(timed, problem, start, off):
    (w,), (a,) = start
    timed(lambda: linear_neuron_limit(problem.x, problem.y, a, w).predictor, off, group=GROUP, rounds=20)
