"""Conic particle descent on the torus: the separable frequencies against the loops a user would otherwise run.

The cost of a step against m is printed and drawn, into _build/benchmarks/conic_cost.png.

The authors' problem (Chizat 2022): frequencies up to 2 on the two-dimensional torus, step sizes 0.01. The error is the
largest difference of the parameters to those of the double loop, or of autograd where the loop would take hours.
"""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from matplotlib import pyplot as plt

from implicit_bias.data import three_spikes, torus_grid
from implicit_bias.figures import style
from implicit_bias.flows import ConicDescent, drive
from implicit_bias.models.measures import ParticleMeasure
from implicit_bias.rates import log_log_slope

STEP, PENALTY, RADIUS = 0.01, 1.0, 0.5
PROBLEM = three_spikes()
MEASURE = ParticleMeasure(PROBLEM, PENALTY)


def start(m):
    return MEASURE.start(torus_grid(round(m**0.5), 2), RADIUS)


def library(m, steps):
    return drive(ConicDescent(MEASURE, STEP, STEP), start(m), t_end=steps).final


def double_loop(m, steps):
    """One complex exponential for each particle and frequency, as it is written down."""
    frequencies, known = PROBLEM.frequencies, PROBLEM.coefficients
    theta = start(m)
    r, places = theta[:m].copy(), theta[m:].reshape(2, m).T.copy()
    for _ in range(steps):
        residual = -known.copy()
        for i in range(m):
            for k in range(len(frequencies)):
                residual[k] += r[i] ** 2 / m * np.exp(-1j * (frequencies[k] @ places[i]))
        variation, slope = np.full(m, PENALTY), np.zeros((m, 2))
        for i in range(m):
            for k in range(len(frequencies)):
                wave = np.conj(np.exp(-1j * (frequencies[k] @ places[i]))) * residual[k]
                variation[i] += wave.real
                slope[i] += (1j * wave).real * frequencies[k]
        r, places = r * np.exp(-2 * STEP * variation), places - STEP * slope
    return np.concatenate([r, places.T.ravel()])


def autograd(m, steps):
    """J in PyTorch, vectorised over particles and frequencies, differentiated by autograd; the same steps."""
    torch.set_num_threads(1)
    frequencies = torch.tensor(PROBLEM.frequencies.T.copy())
    real, imaginary = torch.tensor(PROBLEM.coefficients.real.copy()), torch.tensor(PROBLEM.coefficients.imag.copy())
    theta = torch.tensor(start(m))
    r, places = theta[:m].clone().requires_grad_(True), theta[m:].reshape(2, m).T.clone().requires_grad_(True)
    for _ in range(steps):
        phase, mass = places @ frequencies, r**2 / m
        value = ((mass @ torch.cos(phase) - real) ** 2 + (-mass @ torch.sin(phase) - imaginary) ** 2).sum() / 2
        in_r, in_places = torch.autograd.grad(value + PENALTY * mass.sum(), (r, places))
        with torch.no_grad():
            mass = (r**2 / m)[:, None]
            places -= STEP * in_places / mass
            r *= torch.exp(-2 * STEP * in_r * m / (2 * r))
    return np.concatenate([r.detach().numpy(), places.detach().numpy().T.ravel()])


LOOP_STEPS = 30
STRAW_MAN = "a straw man: loops in Python over particles and frequencies, as the sums are written down"
ALL_FREQUENCIES = "it sums over all 25 frequencies and makes no use of their being separable; nor is it compiled"
GROUP = "conic descent on the torus, m = 100, 3000 steps"
OF_MANY = "conic descent on the torus, m = 10 000, 100 steps"


@pytest.fixture(scope="module")
def expected():
    return {100: autograd(100, 3000), 10_000: autograd(10_000, 100)}


def off(answer):
    return lambda theta: float(np.abs(theta - answer).max())


def test_double_loop_30_of_the_3000_steps(timed):
    answer = library(100, LOOP_STEPS)
    group = f"{GROUP}: 30 of them by the double loop"
    timed(lambda: double_loop(100, LOOP_STEPS), off(answer), group=group, plain=True, caution=STRAW_MAN)


def test_library_30_of_the_3000_steps(timed):
    answer = double_loop(100, LOOP_STEPS)
    timed(lambda: library(100, LOOP_STEPS), off(answer), group=f"{GROUP}: 30 of them by the double loop", rounds=20)


def test_autograd(timed, expected):
    timed(lambda: autograd(100, 3000), off(expected[100]), group=GROUP, rounds=2, plain=True, caution=ALL_FREQUENCIES)


def test_library(timed, expected):
    timed(lambda: library(100, 3000), off(expected[100]), group=GROUP, rounds=5)


def test_autograd_of_many(timed, expected):
    timed(
        lambda: autograd(10_000, 100),
        off(expected[10_000]),
        group=OF_MANY,
        rounds=2,
        plain=True,
        caution=ALL_FREQUENCIES,
    )


def test_library_of_many(timed, expected):
    timed(
        lambda: library(10_000, 100),
        off(expected[10_000]),
        group=OF_MANY,
        rounds=5,
    )


SIZES = [100, 1024, 10_000, 31_684, 100_489]
DEVICES = [None, *(f"cuda:{k}" for k in range(torch.cuda.device_count()))]


def seconds_a_step(m, device):
    """The least of three: the time of a step of conic descent."""
    steps = max(20, 200_000 // m)
    stepper = ConicDescent(MEASURE, STEP, STEP, device=device)
    drive(stepper, start(m), t_end=1)
    taken = []
    for _ in range(3):
        begun = time.perf_counter()
        drive(stepper, start(m), t_end=steps)
        taken.append((time.perf_counter() - begun) / steps)
    return min(taken)


@pytest.mark.parametrize("device", DEVICES)
def test_curve_of_the_cost_against_m(timed, device):
    found = {}
    timed(
        lambda: found.update({m: seconds_a_step(m, device) for m in SIZES}),
        lambda _: ", ".join(f"{m}: {1e6 * found[m]:.0f}" for m in SIZES),
        group=f"conic descent: microseconds a step against m, on {device or 'NumPy'}",
    )
    sizes, taken = np.array(list(found)), np.array(list(found.values()))
    slope = log_log_slope(sizes[2:], taken[2:])
    style.use_style()
    figure, ax = plt.subplots(figsize=(6, 4))
    ax.loglog(sizes, taken, "o-", label=f"measured, slope {slope:.2f} from $m=10^4$ on")
    style.theory(ax, sizes, taken[-1] * sizes / sizes[-1], "linear")
    ax.set(xlabel="particles $m$", ylabel="seconds a step", title=f"conic descent, {device or 'NumPy, one thread'}")
    ax.legend()
    folder = Path(__file__).parents[1] / "_build" / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    name = "conic_cost" if device is None else f"conic_cost_{device.replace(':', '')}"
    figure.savefig(folder / f"{name}.png")
    plt.close(figure)


MEMORY = """
import psutil
from implicit_bias.data import three_spikes, torus_grid
from implicit_bias.flows import ConicDescent, drive
from implicit_bias.models.measures import ParticleMeasure
from reproduce.running.kernel_watch import MEGABYTE, peak_memory
m = ParticleMeasure(three_spikes(), 1.0)
drive(ConicDescent(m, 0.01, 0.01), m.start(torus_grid(100, 2)), t_end={steps})
print(peak_memory(psutil.Process()) / MEGABYTE)
"""


@pytest.mark.parametrize("steps", [10, 1000])
def test_peak_memory(timed, steps):
    def compute():
        command = [sys.executable, "-c", MEMORY.format(steps=steps)]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    timed(compute, lambda peak: f"{peak:.0f} MB peak", group="memory of conic descent, m = 10 000, imports included")
