"""How far each family of limits is certified, and what it says where it refuses: one size after the other.

A family ends at its first refusal, or after a quarter of a minute. The time is that of the largest size that was
certified. Nothing is compared.
"""

import time
from itertools import pairwise

import numpy as np

from implicit_bias.data import BiasLaw, Classification, Samples, Teacher, random_spikes, separable
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.adaptivity import variation_fit
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation import HyperbolicEntropy, least_l1, least_norm
from implicit_bias.limits.lazy import kernel_regression
from implicit_bias.limits.margin import (
    kernel_margin,
    l1_max_margin,
    matrix_margin,
    max_margin,
    simplex_margin,
    variation_margin,
)
from implicit_bias.limits.measures import blasso
from implicit_bias.limits.mirror import bregman_function, ramp_spline
from implicit_bias.limits.wide import positive_fit
from implicit_bias.potentials import Cubic

ENOUGH = 15.0  # seconds for a family


def stream(n):
    return np.random.default_rng(n)


def equations(n):
    return stream(n).standard_normal((n, 10 * n)), stream(n + 1).standard_normal(n)


def gram(n):
    x = stream(n).standard_normal((n, 20))
    return relu_kernel(x, x), np.where(stream(n + 1).random(n) < 0.5, -1.0, 1.0)


def plane(n):
    points = np.column_stack([stream(n).uniform(-1, 1, (n, 2)), np.ones(n)])
    return points, np.where(points[:, 0] * points[:, 1] > 0, 1.0, -1.0)


def heights(m):
    x = np.linspace(-0.9, 0.9, m)
    return x, np.sin(3 * x), BiasLaw(1.0)


FAMILIES = {
    "max_margin: n points in n/10 dimensions": (
        "n",
        lambda n: max_margin(separable(stream(n), n, n // 10, support=n // 20).signed),
        (1000, 4000, 8000, 16_000),
    ),
    "l1_max_margin: n points in n/10 dimensions": (
        "n",
        lambda n: l1_max_margin(separable(stream(n), n, n // 10, support=n // 20).signed),
        (200, 500, 1000, 2000),
    ),
    "matrix_margin: 100 points in 200 dimensions, k classes": (
        "k",
        lambda k: matrix_margin(stream(k).standard_normal((100, 200)), np.arange(100) % k),
        (3, 10, 100),
    ),
    "variation_margin: n points in the plane": (
        "n",
        lambda n: variation_margin(Classification(*plane(n))),
        (30, 60, 120, 240, 1100),
    ),
    "kernel_margin: n points": ("n", lambda n: kernel_margin(*gram(n)), (300, 1000, 2000)),
    "simplex_margin: n × n": ("n", lambda n: simplex_margin(stream(n).standard_normal((n, n))), (100, 300, 1000, 2000)),
    "least_norm: n equations, 10 n unknowns": ("n", lambda n: least_norm(*equations(n)), (300, 1000)),
    "least_l1: n equations, 10 n unknowns": ("n", lambda n: least_l1(*equations(n)), (100, 400, 800)),
    "HyperbolicEntropy: n equations, 10 n unknowns": (
        "n",
        lambda n: HyperbolicEntropy(np.full(10 * n, 1e-3)).minimize(*equations(n)),
        (100, 400, 800),
    ),
    "kernel_regression: n points": ("n", lambda n: kernel_regression(*gram(n), gram(n)[0]), (300, 1000, 3000)),
    "variation_fit: n points in the plane": ("n", lambda n: variation_fit(Samples(*plane(n)), 1e-2), (15, 30, 60, 120)),
    "blasso: 4 spikes, frequencies to K": (
        "K",
        lambda k: blasso(random_spikes(stream(2), 4, cutoff=k, separation=1.5), 1.0),
        (16, 32, 64, 96, 128, 320),
    ),
    "bregman_function: M places": ("M", lambda m: bregman_function(*heights(m), Cubic()), (25, 50, 100, 300)),
    "ramp_spline: M places": ("M", lambda m: ramp_spline(*heights(m)), (300, 900, 2700)),
    "positive_fit: a grid of n directions": (
        "n",
        lambda n: positive_fit(Teacher(w=np.array([[1.0, 0.0]]), a=np.array([-1.0])), directions=n),
        (500, 2000, 4000, 30_000),
    ),
}


def test_first_refusals(reach):
    for family, (letter, solve, sizes) in FAMILIES.items():
        assert all(one < next_one for one, next_one in pairwise(sizes))
        begun, certified, seconds, refusal = time.process_time(), None, 0.0, f"not tried beyond {letter} = {{}}"
        for size in sizes:
            before = time.process_time()
            try:
                solve(size)
            except (CertificateError, ValueError) as error:
                refusal = f"{letter} = {size} is refused: {' '.join(str(error).split())}"
                break
            certified, seconds = size, time.process_time() - before
            if time.process_time() - begun > ENOUGH:
                break
        reach(family, f"{letter} = {certified} is certified; {refusal.format(certified)}", seconds)
