"""Both layers of a wide ReLU network: a gradient step against PyTorch and JAX.

The authors' size (Chizat & Bach 2020): m = 1000 neurons, n = 256 points, d = 15 coordinates, steps of ½/√(k + 1) along
the gradient of the smooth margin, in float64 and on one thread. The error is the largest difference of the weights
after a hundred steps to those of autograd, over the largest weight.
"""

import math

import numpy as np
import pytest
import torch
import two_layer_steps

from implicit_bias.activations import RELU
from implicit_bias.data import clusters
from implicit_bias.flows import ScheduledDescent, drive
from implicit_bias.losses import SmoothMargin
from implicit_bias.models.two_layer import BlockedGradient, Risk, TwoLayer
from reproduce.campaigns.racing import Racer

M, N, D, STEPS = 1000, 256, 15, 100
GROUP = f"{STEPS} steps of both layers, m = {M}, n = {N}, d = {D}"


class Problem:
    """A network of m neurons on n points at its start, and every way to take steps from there."""

    def __init__(self, m=M, n=N, d=D, steps=STEPS):
        data, start = np.random.default_rng(0).spawn(2)
        self.m, self.steps = m, steps
        self.flow = Risk(TwoLayer(RELU, "both", "1/m"), clusters(data, n, 3, d=d, labels="random"), SmoothMargin())
        self.flow = self.flow.of_weights(start.standard_normal((m, d)), start.standard_normal(m))
        self.x, self.y = self.flow.risk.data.x, self.flow.risk.data.y

    def rate(self, step):
        return self.m * 0.5 / math.sqrt(step + 1)

    def descend(self, gradient):
        descent = ScheduledDescent(gradient, lambda step, theta: self.rate(step))
        return drive(descent, self.flow.start, t_end=self.steps).final

    def blocked(self):
        return self.descend(BlockedGradient(self.flow.risk, self.m).gradient)

    def plain(self):
        return self.descend(self.flow.gradient)

    def autograd(self):
        x, y = torch.tensor(self.x), torch.tensor(self.y)

        def value(w, a):
            return torch.logsumexp(-y * (torch.relu(x @ w.T) @ a) / self.m, 0)

        return two_layer_steps.autograd(value, self.flow.w, self.flow.a, self.rate, self.steps)

    def torch_by_hand(self):
        y = torch.tensor(self.y)

        def slope(output):
            return torch.softmax(-y * output / self.m, 0).mul_(y).mul_(-1 / self.m)

        return two_layer_steps.by_hand(self.x, slope, self.flow.w, self.flow.a, self.rate, self.steps)

    def jitted(self, jax):
        x, y = jax.numpy.array(self.x), jax.numpy.array(self.y)

        def value(w, a):
            return jax.nn.logsumexp(-y * (jax.numpy.maximum(x @ w.T, 0) @ a) / self.m)

        return two_layer_steps.jitted(jax, value, (self.flow.w, self.flow.a), self.rate, self.steps)

    def jitted_by_hand(self, jax):
        y = jax.numpy.array(self.y)

        def slope(output):
            return jax.nn.softmax(-y * output / self.m) * (-y / self.m)

        start = self.flow.w, self.flow.a
        return two_layer_steps.jitted_by_hand(jax, self.x, slope, start, self.rate, self.steps)


@pytest.mark.parametrize(("m", "steps"), [(8, 400), (64, 300), (M, STEPS), (10_000, 10)])
def test_steps(race, jax, m, steps):
    one = Problem(m, steps=steps)
    known = one.autograd()
    racers = [
        Racer("PyTorch, autograd", one.autograd, plain=True),
        Racer("PyTorch, gradient by hand", one.torch_by_hand, plain=True),
        Racer("library, by hand", one.plain),
        Racer("library, by hand and in blocks", one.blocked),
    ]
    if jax:
        racers.insert(1, Racer(f"JAX {jax.__version__}, compiled loop", one.jitted(jax), plain=True))
        racers.insert(3, Racer("JAX, compiled loop, gradient by hand", one.jitted_by_hand(jax), plain=True))
    group = f"{steps} steps of both layers, m = {m}, n = {N}, d = {D}"
    size = np.abs(known).max()
    race(group, racers, lambda theta: float(np.abs(theta - known).max() / size), matched=1e-10, fast=one.blocked)


def test_rate_of_matrix_products(rates):
    """A step's two products take 2·2mnd operations; over as few as 15 coordinates they are not at the best rate."""
    one = Problem()
    gate = np.random.default_rng(1).standard_normal((N, M))
    columns = np.ascontiguousarray(one.flow.w.T)

    def products():
        for _ in range(STEPS):
            one.x @ columns
            gate.T @ one.x

    rates(f"{GROUP}: rate of matrix products", STEPS * 4 * M * N * D, one.blocked, products)


@pytest.mark.parametrize(
    ("size", "sizes", "fixed"),
    [("m", (300, 1000, 3000, 10_000), f"n = {N}, d = {D}"), ("n", (100, 300, 1000, 3000), f"m = {M}, d = {D}")],
)
def test_growth(growth, jax, size, sizes, fixed):
    """A step's time against the width, and against the number of points."""
    problems = {one: Problem(**{size: one}, steps=10) for one in sizes}
    curves = {"library, in blocks": {one: problem.blocked for one, problem in problems.items()}}
    curves["PyTorch, gradient by hand"] = {one: problem.torch_by_hand for one, problem in problems.items()}
    if jax:
        curves["JAX, compiled loop, gradient by hand"] = {
            one: problem.jitted_by_hand(jax) for one, problem in problems.items()
        }
    plain, fast = set(curves) - {"library, in blocks"}, curves["library, in blocks"]
    growth(f"10 steps of both layers, {fixed}", size, curves, plain=plain, fast=fast)
