"""Both layers of a wide ReLU network: a gradient step against autograd and JAX, and the authors' experiment on widths.

The authors' size (Chizat & Bach 2020): m = 1000 neurons, n = 256 points, d = 15 coordinates, steps of ½/√(k + 1) along
the gradient of the smooth margin, in float64 and on one thread. The error is the largest difference of the weights
after a hundred steps to those of autograd, over the largest weight.
"""

import contextlib
import os
import statistics
import subprocess
import sys
import time
from itertools import pairwise

import numpy as np
import pytest
import torch

from implicit_bias.activations import RELU
from implicit_bias.data import clusters
from implicit_bias.flows import ScheduledDescent, drive
from implicit_bias.losses import SmoothMargin
from implicit_bias.models.two_layer import BlockedGradient, Risk, TwoLayer

M, N, D, STEPS, TURNS = 1000, 256, 15, 100, 9
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
    torch.set_num_threads(1)
    x, y = torch.tensor(FLOW.risk.data.x), torch.tensor(FLOW.risk.data.y)
    w, a = torch.tensor(FLOW.w, requires_grad=True), torch.tensor(FLOW.a, requires_grad=True)
    for step in range(STEPS):
        value = torch.logsumexp(-y * (torch.relu(x @ w.T) @ a) / M, 0)
        by_w, by_a = torch.autograd.grad(value, (w, a))
        with torch.no_grad():
            w -= rate(step) * by_w
            a -= rate(step) * by_a
    return np.concatenate([w.detach().numpy().ravel(), a.detach().numpy()])


@pytest.fixture(scope="module")
def jax_descent():
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")  # one thread, as everything else here
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    jnp = jax.numpy
    x, y = jnp.array(FLOW.risk.data.x), jnp.array(FLOW.risk.data.y)

    def value(w, a):
        return jax.nn.logsumexp(-y * (jnp.maximum(x @ w.T, 0) @ a) / M)

    @jax.jit
    def step(w, a, length):
        by_w, by_a = jax.grad(value, argnums=(0, 1))(w, a)
        return w - length * by_w, a - length * by_a

    def descent():
        w, a = jnp.array(FLOW.w), jnp.array(FLOW.a)
        for k in range(STEPS):
            w, a = step(w, a, rate(k))
        return np.concatenate([np.asarray(w).ravel(), np.asarray(a)])

    descent()  # compiled
    return descent


@pytest.fixture(scope="module")
def off():
    known = autograd()
    return lambda theta: float(np.abs(theta - known).max() / np.abs(known).max())


def test_PyTorch_autograd(timed, off):
    timed(autograd, off, group=GROUP, rounds=5, plain=True)


def test_JAX_jitted(timed, off, jax_descent):
    timed(jax_descent, off, group=GROUP, rounds=5, plain=True)


def test_library_gradient_by_hand(timed, off):
    timed(plain, off, group=GROUP, rounds=5)


def test_library_in_blocks(timed, off):
    assert off(blocked()) <= 1e-10
    timed(blocked, off, group=GROUP, rounds=9)


def in_turns(methods):
    """The median processor time of each, one after the other in each of several rounds."""
    times = {name: [] for name in methods}
    for _ in range(TURNS):
        for name, method in methods.items():
            begin = time.process_time()  # of all threads: a machine that others use too does not change the ratios
            method()
            times[name].append(time.process_time() - begin)
    return {name: statistics.median(one) for name, one in times.items()}


def test_in_turns(timed, request):
    methods = {"blocks": blocked, "autograd": autograd, "by hand": plain}
    with contextlib.suppress(pytest.skip.Exception):
        methods["JAX"] = request.getfixturevalue("jax_descent")

    def words(medians):
        return ", ".join(
            f"{medians[name] / medians['blocks']:.2g} times faster than {name}" for name in list(methods)[1:]
        )

    timed(lambda: in_turns(methods), words, group=f"{GROUP}: in turns, all methods and rounds")


def test_share_of_the_rate_of_matrix_products(timed):
    """The step's two products, 2·2mnd operations, against a product of large square matrices, in turns."""
    large = np.random.default_rng(1).standard_normal((1000, 1000))
    medians = {}

    def compare():
        medians.update(in_turns({"step": blocked, "large": lambda: large @ large}))

    def words(_):
        step, best = STEPS * 4 * M * N * D / medians["step"], 2 * 1000**3 / medians["large"]
        return f"{step / 1e9:.1f} of {best / 1e9:.1f} GFlop/s, {step / best:.0%}"

    timed(compare, words, group=f"{GROUP}: rate of its two matrix products over that of large ones")


EXPERIMENT = """
import sys, time
import numpy as np
import psutil
from implicit_bias.activations import RELU
from implicit_bias.data import Classification, clusters
from implicit_bias.flows import ScheduledDescent, drive
from implicit_bias.losses import SmoothMargin
from implicit_bias.models.two_layer import BlockedGradient, Risk, TwoLayer
from reproduce.running.kernel_watch import MEGABYTE, peak_memory

N, D, SEED, STEPS = 256, 15, int(sys.argv[1]), int(sys.argv[2])
every = clusters(np.random.default_rng([SEED, 30]), N + 4000, 3, d=D, labels="random")
train, test = (Classification(every.x[rows], every.y[rows]) for rows in (slice(N), slice(N, None)))
net = TwoLayer(RELU, "both", "1/m")
for m in [8, 16, 32, 64, 128, 256, 512, 1024]:
    start = np.random.default_rng([SEED, 31, m])
    flow = Risk(net, train, SmoothMargin()).of_weights(start.standard_normal((m, D)), start.standard_normal(m))
    fast = BlockedGradient(flow.risk, m)
    descent = ScheduledDescent(fast.gradient, lambda step, theta: m * 0.5 / np.sqrt(step + 2))
    run = drive(descent, flow.start, t_end=STEPS, record=np.arange(100, STEPS, 100)).demand()
    margin = max((train.y * fast.outputs(theta)).min() / (theta @ theta / m) for theta in run.theta)
    both = np.mean(test.y * net.output(*flow.weights(run.final), test.x) < 0)
    hidden = np.random.default_rng([SEED, 32, m]).standard_normal((m, D))
    features, b = np.maximum(train.x @ hidden.T, 0), np.zeros(m)
    for step in range(STEPS):
        own = train.y * (features @ b) / m
        p = np.exp(own.min() - own)
        b += max(1, np.sqrt(b @ b / m)) * 0.5 / np.sqrt(step + 2) * ((p * train.y / p.sum()) @ features)
    output = np.mean(test.y * (np.maximum(test.x @ hidden.T, 0) @ b) < 0)
    print(f"{margin:.4f} {both:.4f} {output:.4f}")
print(peak_memory(psutil.Process()) / MEGABYTE)
"""


def test_the_authors_experiment_on_widths(timed):
    """Eight widths, 50,000 steps, both ways of training; the authors' code takes 500 s and keeps 13 GB of path."""

    def experiment():
        command = [sys.executable, "-c", EXPERIMENT, "1", "50000"]
        *rows, peak = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        return [tuple(map(float, row.split())) for row in rows], float(peak)

    def words(answer):
        rows, peak = answer
        margins, both, output = zip(*rows, strict=True)
        rising = sum(later > earlier for earlier, later in pairwise(margins))
        return (
            f"F1 margin {margins[0]:.4f} to {margins[-1]:.4f}, rising {rising} times of 7; test error "
            f"{both[-1]:.3f} and {output[-1]:.3f} at m = 1024; {peak:.0f} MB"
        )

    timed(
        experiment, words, group="the authors' experiment on widths: m = 8 to 1024, 50,000 steps, both ways of training"
    )
