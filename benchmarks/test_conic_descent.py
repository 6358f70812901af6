"""Conic particle descent on the torus: the library's steps against the same in PyTorch and JAX.

The authors' problem (Chizat 2022): frequencies up to 2 on the two-dimensional torus, step sizes 0.01. All use that the
frequencies separate: products of bases of five functions in each coordinate. PyTorch's steps are by hand and in memory
of their own, JAX's are compiled as one loop; the time to compile is not counted. The error is the largest difference of
the parameters to those of 25 complex frequencies, each with an exponential of its own.
"""

import subprocess
import sys

import numpy as np
import pytest
import torch

from implicit_bias.data import three_spikes, torus_grid
from implicit_bias.data.torus import basis_derivative
from implicit_bias.flows import ConicDescent, drive
from implicit_bias.models.measures import ParticleMeasure
from reproduce.campaigns.racing import Racer

STEP, PENALTY, RADIUS = 0.01, 1.0, 0.5
PROBLEM = three_spikes()
MEASURE = ParticleMeasure(PROBLEM, PENALTY)
TURN = basis_derivative(PROBLEM.cutoff)
ROOT = 2**0.5
SIZES = [100, 1024, 10_000, 31_684, 100_489]


def start(m):
    return MEASURE.parameters(torus_grid(round(m**0.5), 2), RADIUS)


def library(m, steps):
    return drive(ConicDescent(MEASURE, STEP, STEP), start(m), t_end=steps).final


def all_frequencies(m, steps):
    """The sums as they are written down, over all frequencies and by complex exponentials."""
    frequencies, known = PROBLEM.frequencies, PROBLEM.coefficients
    theta = start(m)
    r, places = theta[:m].copy(), theta[m:].reshape(2, m).T.copy()
    for _ in range(steps):
        waves = np.exp(1j * places @ frequencies.T)
        pull = np.conj(waves.conj().T @ (r**2 / m) - known) * waves.conj()
        r, places = r * np.exp(-2 * STEP * (pull.real.sum(axis=1) + PENALTY)), places - STEP * (pull.imag @ frequencies)
    return np.concatenate([r, places.T.ravel()])


@torch.no_grad()
def separable(m, steps):
    """PyTorch by hand, in memory of its own."""
    torch.set_num_threads(1)
    theta = torch.tensor(start(m))
    r, places = theta[:m], theta[m:]
    target, turn = torch.tensor(MEASURE.target), torch.tensor(TURN)
    rows = torch.ones(5, 2 * m, dtype=torch.float64)
    cosine, weighted = torch.empty(2 * m, dtype=torch.float64), torch.empty(5, m, dtype=torch.float64)
    pulls = torch.empty(15, m, dtype=torch.float64)
    first, second = rows[:, :m], rows[:, m:]
    for _ in range(steps):
        torch.cos(places, out=cosine)
        torch.mul(cosine, ROOT, out=rows[1])
        torch.sin(places, out=rows[2]).mul_(ROOT)
        torch.mul(rows[1:3], cosine.mul_(2), out=rows[3:])
        rows[3].sub_(ROOT)
        torch.mul(first, r * r, out=weighted)
        residual = torch.sub(weighted @ second.T / m, target)
        torch.mm(torch.cat([residual, turn.T @ residual, residual @ turn]), second, out=pulls)
        variation = pulls.view(3, 5, m).mul_(first).sum(1)
        r.mul_(torch.exp(variation[0].add_(PENALTY).mul_(-2 * STEP)))
        places.sub_(variation[1:].reshape(-1), alpha=STEP)
    return theta.numpy()


def compiled(jax, m, steps):
    """JAX, all steps compiled as one loop."""
    np_, target = jax.numpy, MEASURE.target

    def basis(angle):
        cosine, sine = np_.cos(angle), np_.sin(angle)
        rows = [cosine, sine, cosine * cosine - sine * sine, 2 * sine * cosine]
        return np_.stack([np_.ones_like(angle), *(ROOT * row for row in rows)])

    def step(_, theta):
        r, first, second = theta[:m], basis(theta[m : 2 * m]), basis(theta[2 * m :])
        residual = (first * (r * r / m)) @ second.T - target
        pulls = np_.concatenate([residual, TURN.T @ residual, residual @ TURN]) @ second
        variation = (pulls.reshape(3, 5, m) * first).sum(axis=1)
        r = r * np_.exp(-2 * STEP * (variation[0] + PENALTY))
        return np_.concatenate([r, theta[m:] - STEP * variation[1:].ravel()])

    descend = jax.jit(lambda theta: jax.lax.fori_loop(0, steps, step, theta))
    np.asarray(descend(start(m)))
    return lambda: np.asarray(descend(start(m)))


@pytest.mark.parametrize(("m", "steps"), [(100, 1000), (1024, 300), (10_000, 40), (100_489, 4)])
def test_steps(race, jax, m, steps):
    known = all_frequencies(m, steps)
    racers = [
        Racer("PyTorch, separable, by hand", lambda: separable(m, steps), 7, plain=True),
        Racer("library", lambda: library(m, steps), 7),
    ]
    if jax:
        racers.insert(0, Racer(f"JAX {jax.__version__}, separable, compiled", compiled(jax, m, steps), 7, plain=True))
    group = f"conic descent on the torus, m = {m}, {steps} steps"
    error, fast = (lambda theta: float(np.abs(theta - known).max())), (lambda: library(m, steps))
    race(group, racers, error, matched=1e-11, fast=fast)


def test_growth(growth, jax):
    steps = 20
    curves = {
        "PyTorch, separable, by hand": {m: lambda m=m: separable(m, steps) for m in SIZES},
        "library": {m: lambda m=m: library(m, steps) for m in SIZES},
    }
    plain = ["PyTorch, separable, by hand"]
    if jax:
        curves |= {(name := f"JAX {jax.__version__}, separable, compiled"): {m: compiled(jax, m, steps) for m in SIZES}}
        plain.append(name)
    growth(f"conic descent, {steps} steps against m", "m", curves, plain=plain, fast=curves["library"])


def test_rate_of_matrix_products(rates):
    """A step's products, 5 × m by m × 5 and 15 × 5 by 5 × m, take 200m operations.

    As many numbers again as they write are made from the tangents, weighted and summed: no product does that.
    """
    m, steps = 10_000, 40
    rng = np.random.default_rng(1)
    first, second, sides = rng.standard_normal((5, m)), rng.standard_normal((5, m)), rng.standard_normal((15, 5))

    def products():
        for _ in range(steps):
            first @ second.T
            sides @ second

    group = f"conic descent, m = {m}, {steps} steps: rate of matrix products"
    rates(group, steps * 200 * m, lambda: library(m, steps), products)


MEMORY = """
import psutil
from implicit_bias.data import three_spikes, torus_grid
from implicit_bias.flows import ConicDescent, drive
from implicit_bias.models.measures import ParticleMeasure
from reproduce.running.kernel import MEGABYTE, peak_memory
m = ParticleMeasure(three_spikes(), 1.0)
drive(ConicDescent(m, 0.01, 0.01), m.parameters(torus_grid(100, 2)), t_end={steps})
print(peak_memory(psutil.Process()) / MEGABYTE)
"""


@pytest.mark.parametrize("steps", [10, 1000])
def test_peak_memory(timed, steps):
    def compute():
        command = [sys.executable, "-c", MEMORY.format(steps=steps)]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    timed(compute, lambda peak: f"{peak:.0f} MB peak", group="memory of conic descent, m = 10 000, imports included")
