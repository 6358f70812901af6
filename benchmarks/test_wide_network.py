"""Both layers of a wide ReLU network: a gradient step against PyTorch and JAX.

The authors' size (Chizat & Bach 2020): m = 1000 neurons, n = 256 points, d = 15 coordinates, steps of ½/√(k + 1) along
the gradient of the smooth margin, in float64 and on one thread. The error is the largest difference of the weights
after a hundred steps to those of autograd, over the largest weight.
"""

import numpy as np
import torch
import two_layer_steps

from implicit_bias.activations import RELU
from implicit_bias.data import clusters
from implicit_bias.flows import ScheduledDescent, drive
from implicit_bias.losses import SmoothMargin
from implicit_bias.models.two_layer import BlockedGradient, Risk, TwoLayer
from reproduce.racing import Racer

M, N, D, STEPS = 1000, 256, 15, 100
GROUP = f"{STEPS} steps of both layers, m = {M}, n = {N}, d = {D}"
DATA, START = np.random.default_rng(0).spawn(2)
FLOW = Risk(TwoLayer(RELU, "both", "1/m"), clusters(DATA, N, 3, d=D, labels="random"), SmoothMargin()).of_weights(
    START.standard_normal((M, D)), START.standard_normal(M)
)


def rate(step):
    return M * 0.5 / np.sqrt(step + 1)


def descend(gradient):
    return drive(ScheduledDescent(gradient, lambda step, theta: rate(step)), FLOW.start, t_end=STEPS).final


def blocked():
    return descend(BlockedGradient(FLOW.risk, M).gradient)


def plain():
    return descend(FLOW.gradient)


def autograd():
    x, y = torch.tensor(FLOW.risk.data.x), torch.tensor(FLOW.risk.data.y)

    def value(w, a):
        return torch.logsumexp(-y * (torch.relu(x @ w.T) @ a) / M, 0)

    return two_layer_steps.autograd(value, FLOW.w, FLOW.a, rate, STEPS)


def torch_by_hand():
    y = torch.tensor(FLOW.risk.data.y)

    def slope(output):
        return torch.softmax(-y * output / M, 0).mul_(y).mul_(-1 / M)

    return two_layer_steps.by_hand(FLOW.risk.data.x, slope, FLOW.w, FLOW.a, rate, STEPS)


def jitted(jax):
    x, y = jax.numpy.array(FLOW.risk.data.x), jax.numpy.array(FLOW.risk.data.y)

    def value(w, a):
        return jax.nn.logsumexp(-y * (jax.numpy.maximum(x @ w.T, 0) @ a) / M)

    return two_layer_steps.jitted(jax, value, (FLOW.w, FLOW.a), rate, STEPS)


def test_steps(race, jax):
    known = autograd()
    racers = [
        Racer("PyTorch, autograd", autograd, plain=True),
        Racer("PyTorch, gradient by hand", torch_by_hand, plain=True),
        Racer("library, by hand", plain),
        Racer("library, by hand and in blocks", blocked),
    ]
    if jax:
        racers.insert(1, Racer(f"JAX {jax.__version__}, compiled", jitted(jax), plain=True))
    race(GROUP, racers, lambda theta: float(np.abs(theta - known).max() / np.abs(known).max()), matched=1e-10)


def test_rate_of_matrix_products(rates):
    """A step's two products take 2·2mnd operations; over as few as 15 coordinates they are not at the best rate."""
    x, w, gate = FLOW.risk.data.x, FLOW.w, np.random.default_rng(1).standard_normal((M, N))
    columns = np.ascontiguousarray(w.T)

    def products():
        for _ in range(STEPS):
            x @ columns
            gate @ x

    rates(f"{GROUP}: rate of matrix products", STEPS * 4 * M * N * D, blocked, products)
