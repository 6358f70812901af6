"""Lazy training (Chizat, Oyallon & Bach 2019): descent of the network, and the end of its linearization.

The authors' size: d = 100 coordinates, n = 1000 points, m = 50 neurons of which both layers train, in float64 and on
one thread. The error of the steps is the largest difference of the weights to those of autograd, over the largest
weight; that of the linearization's end is the largest miss of a label, over the largest label.
"""

import numpy as np
import torch
import two_layer_steps
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse.linalg import cg

from implicit_bias.activations import RELU
from implicit_bias.data import Samples, random_teacher
from implicit_bias.flows import GradientDescent, drive
from implicit_bias.limits.lazy import kernel_regression, linear_descent
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, Together, TwoLayer, tangent_kernel
from reproduce.campaigns.racing import Racer

D, N, M, STEPS = 100, 1000, 50, 100
GROUP = f"{STEPS} steps of test loss against scale, d = {D}, n = {N}, m = {M}"
RNG = np.random.default_rng(0)
TEACHER = random_teacher(RNG, 3, D)
X = RNG.standard_normal((N, D))
X /= np.linalg.norm(X, axis=1, keepdims=True)
Y = np.maximum(X @ TEACHER.w.T, 0) @ TEACHER.a
W, A = RNG.standard_normal((M // 2, D)), RNG.standard_normal(M // 2)
W, A = np.vstack([W, W]), np.concatenate([A, -A])
RISK = Risk(TwoLayer(RELU), Samples(X, Y), Squared("sum"))
KERNEL = tangent_kernel(RISK.net, W, A, X, X)
SPECTRUM = np.linalg.eigvalsh(KERNEL)
RATE = 1.5 / float(SPECTRUM[-1])
TOGETHER = Together(RISK, W[None], A[None], np.array([RATE]))


def library():
    return drive(GradientDescent(TOGETHER.gradient, 1.0), TOGETHER.start, t_end=STEPS).final


def rate(step):
    return RATE


def autograd():
    rows, y = torch.tensor(X.T.copy()), torch.tensor(Y)
    return two_layer_steps.autograd(lambda w, a: ((a @ torch.relu(w @ rows) - y) ** 2).sum() / 2, W, A, rate, STEPS)


def torch_by_hand():
    y = torch.tensor(Y)
    return two_layer_steps.by_hand(X, lambda output: output.sub_(y), W, A, rate, STEPS)


def jitted(jax):
    x, y = jax.numpy.array(X), jax.numpy.array(Y)
    return two_layer_steps.jitted(
        jax, lambda w, a: ((jax.numpy.maximum(x @ w.T, 0) @ a - y) ** 2).sum() / 2, (W, A), rate, STEPS
    )


def jitted_by_hand(jax):
    y = jax.numpy.array(Y)
    return two_layer_steps.jitted_by_hand(jax, X, lambda output: output - y, (W, A), rate, STEPS)


def test_steps(race, jax):
    known = autograd()
    racers = [
        Racer("PyTorch, autograd", autograd, plain=True),
        Racer("PyTorch, gradient by hand", torch_by_hand, plain=True),
        Racer("library, by hand", library),
    ]
    if jax:
        racers.insert(1, Racer(f"JAX {jax.__version__}, compiled loop", jitted(jax), plain=True))
        racers.insert(3, Racer("JAX, compiled loop, gradient by hand", jitted_by_hand(jax), plain=True))
    race(GROUP, racers, lambda theta: float(np.abs(theta - known).max() / np.abs(known).max()), matched=1e-10)


def test_rate_of_matrix_products(rates):
    columns, gate = X.T.copy(), RNG.standard_normal((M, N))

    def products():
        for _ in range(STEPS):
            W @ columns
            gate @ X

    rates(f"{GROUP}: rate of matrix products", STEPS * 4 * M * N * D, library, products)


RESIDUAL = 1e-10
NEEDED = int(np.ceil(np.log(1 / RESIDUAL) * SPECTRUM[-1] / SPECTRUM[0] / 1.5))  # as many as the slowest mode takes
SHARE = 1000 / NEEDED


def descent():
    """Steps of descent on the linearized network, in the outputs; the kernel is there."""
    u = np.zeros(N)
    for _ in range(1000):
        u -= RATE * (KERNEL @ (u - Y))
    return u


def weights_by(solve):
    return lambda: KERNEL @ solve()


def test_the_end_of_the_linear_flow(race):
    """Where the flow of the linearized network ends; and its whole course, which one decomposition gives."""
    racers = [
        Racer(f"descent of the outputs, {NEEDED} steps", descent, rounds=3, plain=True, share=SHARE),
        Racer(
            "conjugate gradients (SciPy)",
            weights_by(lambda: cg(KERNEL, Y, rtol=RESIDUAL, maxiter=100_000)[0]),
            plain=True,
        ),
        Racer("Cholesky's factors (SciPy)", weights_by(lambda: cho_solve(cho_factor(KERNEL), Y)), plain=True),
        Racer("library, the end with its certificate", lambda: kernel_regression(KERNEL, Y, KERNEL).values),
        Racer(
            "library, the end and 50 moments of the course",
            lambda: linear_descent(KERNEL, Y, KERNEL, RATE, np.geomspace(1, NEEDED, 50).round()).end,
        ),
    ]
    race(
        f"linear flow to t = ∞, n = {N}, condition {SPECTRUM[-1] / SPECTRUM[0]:.0f}: a residual of {RESIDUAL:g}",
        racers,
        lambda u: float(np.abs(u - Y).max() / np.abs(Y).max()),
        matched=RESIDUAL,
    )
