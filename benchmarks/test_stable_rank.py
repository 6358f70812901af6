"""Training in the span of the samples against PyTorch autograd on the whole first layer.

The size of the authors' experiment (Frei et al. 2023): n = 100, d = 10 000, m = 512, slope 0.1, step size 0.01,
Glorot's initialization over 50, in float64 on one thread. The error is the largest difference of W to the autograd
loop's, over the largest change of W.
"""

import numpy as np
import pytest
import torch

from implicit_bias.activations import LeakyReLU
from implicit_bias.data import gaussian_mixture
from implicit_bias.flows import GradientDescent, drive
from implicit_bias.losses import Logistic
from implicit_bias.models.two_layer import Risk, TwoLayer

N, D, M, SLOPE, RATE = 100, 10_000, 512, 0.1, 0.01
LOOP_STEPS, STEPS = 20, 500


@pytest.fixture(scope="module")
def problem():
    data_stream, initialization_stream = np.random.default_rng(0).spawn(2)
    data = gaussian_mixture(data_stream, N, D, separation=D**0.26)
    a = initialization_stream.choice([-1.0, 1.0], M) / np.sqrt(M)
    return data, a, np.sqrt(2 / (D + M)) / 50 * initialization_stream.standard_normal((M, D))


def autograd(problem, steps):
    torch.set_num_threads(1)
    data, a, start = problem
    x, y, a = (torch.tensor(part) for part in (data.x, data.y, a))
    w = torch.tensor(start, requires_grad=True)
    for _ in range(steps):
        z = x @ w.T
        f = (SLOPE * z + (1 - SLOPE) * (torch.nn.functional.softplus(z) - np.log(2))) @ a
        (gradient,) = torch.autograd.grad(torch.nn.functional.softplus(-y * f).mean(), w)
        with torch.no_grad():
            w -= RATE * gradient
    return w.detach().numpy()


def reduce(problem):
    data, a, start = problem
    net = TwoLayer(LeakyReLU(SLOPE, 1.0, centred=True), trained="first")
    return Risk(net, data, Logistic()).in_span(start, a)


def library(network, steps):
    return drive(GradientDescent(network.gradient, RATE), network.start, t_end=steps * RATE).final


@pytest.fixture(scope="module")
def network(problem):
    return reduce(problem)


@pytest.fixture(scope="module")
def off(problem, network):
    """By how much the weights of the reduced run differ from the loop's."""
    expected = autograd(problem, LOOP_STEPS)
    data, _, start = problem

    def error(theta):
        weights = start + network.coefficients(theta) @ data.x
        return float(np.abs(weights - expected).max() / np.abs(expected - start).max())

    return error


IN_ALL = f"stable rank, {STEPS} steps in all, ten stable ranks included"
IN_FULL = "it trains all weights; in the span of the samples autograd would gain most of the factor, too"
GROUP = f"stable rank, {LOOP_STEPS} steps, n = {N}, d = {D}, m = {M}"


def test_PyTorch_autograd(timed, problem):
    timed(
        lambda: autograd(problem, LOOP_STEPS),
        lambda _: "the reference",
        group=GROUP,
        rounds=3,
        plain=True,
        caution=IN_FULL,
    )


def test_in_the_span_of_the_samples_with_the_reduction(timed, problem, off):
    timed(lambda: library(reduce(problem), LOOP_STEPS), off, group=GROUP, rounds=5)


def test_500_steps_with_the_reduction_and_ten_stable_ranks(timed, problem):
    def run():
        network = reduce(problem)
        record = np.arange(50, STEPS, 50) * RATE
        states = drive(GradientDescent(network.gradient, RATE), network.start, t_end=STEPS * RATE, record=record).theta
        return [network.stable_rank(theta) for theta in states]

    timed(
        run,
        lambda ranks: f"stable rank {ranks[0]:.0f} to {ranks[-1]:.2f}",
        group=IN_ALL,
        rounds=3,
    )
