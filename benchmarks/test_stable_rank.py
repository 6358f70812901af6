"""Training in the span of the samples against PyTorch and JAX, on the whole first layer and in the span as well.

The size of the authors' experiment (Frei et al. 2023): n = 100, d = 10 000, m = 512, slope 0.1, step size 0.01,
Glorot's initialization over 50, in float64 on one thread. All methods begin with W and the samples, so that the
products of the reduction are in their time. The error is the largest difference of W's coefficients in the span to
those of the autograd loop, over the largest of them.
"""

import numpy as np
import torch

from implicit_bias.activations import LeakyReLU
from implicit_bias.data import gaussian_mixture
from implicit_bias.flows import GradientDescent, drive
from implicit_bias.losses import Logistic
from implicit_bias.models.two_layer import Risk, TwoLayer
from reproduce.campaigns.racing import Racer

N, D, M, SLOPE, RATE = 100, 10_000, 512, 0.1, 0.01
ALL_WEIGHTS, STEPS = 4, 200  # steps of the loop on all weights, of which a share is timed, and of those in the span
GROUP = f"stable rank, {STEPS} steps with the reduction, n = {N}, d = {D}, m = {M}"
SIDE, DATA = np.log(2) * (1 - SLOPE), {}


def problem(m=M):
    """Samples, output weights and W(0) of m neurons."""
    if m not in DATA:
        data_stream, start_stream = np.random.default_rng(0).spawn(2)
        data = gaussian_mixture(data_stream, N, D, separation=D**0.26)
        a = start_stream.choice([-1.0, 1.0], m) / np.sqrt(m)
        DATA[m] = data, a, np.sqrt(2 / (D + m)) / 50 * start_stream.standard_normal((m, D))
    return DATA[m]


def autograd(steps):
    """On all weights, without the reduction."""
    torch.set_num_threads(1)
    data, a, start = problem()
    x, y, a = (torch.tensor(part) for part in (data.x, data.y, a))
    w = torch.tensor(start, requires_grad=True)
    for _ in range(steps):
        z = x @ w.T
        f = (SLOPE * z + (1 - SLOPE) * torch.nn.functional.softplus(z) - SIDE) @ a
        (gradient,) = torch.autograd.grad(torch.nn.functional.softplus(-y * f).mean(), w)
        with torch.no_grad():
            w -= RATE * gradient
    return w.detach().numpy()


def autograd_in_span(steps=STEPS):
    """C by PyTorch: ∂R/∂z is what a step adds to it."""
    torch.set_num_threads(1)
    data, a, start = problem()
    x, y, a, w = (torch.tensor(part) for part in (data.x, data.y, a, start))
    gram, inputs, c = x @ x.T, w @ x.T, torch.zeros(M, N, dtype=torch.float64)
    for _ in range(steps):
        z = torch.addmm(inputs, c, gram).requires_grad_()
        f = a @ (SLOPE * z + (1 - SLOPE) * torch.nn.functional.softplus(z) - SIDE)
        (gradient,) = torch.autograd.grad(torch.nn.functional.softplus(-y * f).mean(), z)
        c.sub_(gradient, alpha=RATE)
    return c.numpy().ravel()


@torch.no_grad()
def torch_in_span(m=M, steps=STEPS):
    """The same with the gradient written out, in memory of its own."""
    torch.set_num_threads(1)
    data, a, start = problem(m)
    x, y, a, w = (torch.tensor(part) for part in (data.x, data.y, a, start))
    gram, inputs, c = x @ x.T, w @ x.T, torch.zeros(m, N, dtype=torch.float64)
    z = torch.empty_like(c)
    for _ in range(steps):
        torch.addmm(inputs, c, gram, out=z)
        gate = torch.sigmoid(z)
        hidden = torch.nn.functional.softplus(z).mul_(1 - SLOPE).add_(z, alpha=SLOPE).sub_(SIDE)
        pull = torch.sigmoid(-y * (a @ hidden)).mul_(y).mul_(-1 / N)
        c.sub_(gate.mul_(1 - SLOPE).add_(SLOPE).mul_(a[:, None]).mul_(pull), alpha=RATE)
    return c.numpy().ravel()


def jitted_in_span(jax, m=M, steps=STEPS):
    """The same in JAX: one compiled function with the reduction and the loop."""
    jnp, given = jax.numpy, (problem(m)[0].x, problem(m)[0].y, *problem(m)[1:])

    @jax.jit
    def run(x, y, a, w):
        gram, inputs = x @ x.T, w @ x.T

        def step(_, c):
            z = inputs + c @ gram
            small = jnp.exp(-jnp.abs(z))
            hidden = SLOPE * z + (1 - SLOPE) * (jnp.maximum(z, 0) + jnp.log1p(small)) - SIDE
            pull = -y * jax.nn.sigmoid(-y * (a @ hidden)) / N
            gate = SLOPE + (1 - SLOPE) * jnp.where(z > 0, 1, small) / (1 + small)
            return c - RATE * a[:, None] * gate * pull

        return jax.lax.fori_loop(0, steps, step, jnp.zeros((m, N)))

    given = [jnp.array(part) for part in given]
    return lambda: np.asarray(run(*given)).ravel()


def reduce(m=M):
    data, a, start = problem(m)
    net = TwoLayer(LeakyReLU(SLOPE, 1.0, centred=True), trained="first")
    return Risk(net, data, Logistic()).in_span(start, a)


def library(m=M, steps=STEPS):
    network = reduce(m)
    return drive(GradientDescent(network.gradient, RATE), network.start, t_end=steps * RATE).final


def test_steps(race, jax):
    known = autograd_in_span()
    changed = autograd(ALL_WEIGHTS) - problem()[2]
    in_span = autograd_in_span(ALL_WEIGHTS).reshape(M, N) @ problem()[0].x
    assert np.abs(changed - in_span).max() <= 1e-12 * np.abs(changed).max()  # the reduction is exact
    name = "PyTorch, autograd on all weights, without the reduction"
    racers = [
        Racer(name, lambda: autograd(ALL_WEIGHTS), rounds=1, plain=True, share=ALL_WEIGHTS / STEPS),
        Racer("PyTorch, autograd in the span", autograd_in_span, rounds=3, plain=True),
        Racer("PyTorch, gradient by hand in the span", torch_in_span, plain=True),
        Racer("library, in the span", library),
    ]
    if jax:
        racers.insert(3, Racer("JAX, compiled loop, by hand in the span", jitted_in_span(jax), plain=True))
    size = np.abs(known).max()
    race(GROUP, racers, lambda c: float(np.abs(c - known).max() / size), matched=1e-10, fast=library)


def test_rate_of_matrix_products(rates):
    """A step has one product, of m × n and n × n; the rest are exponentials and logarithms."""
    network, c = reduce(), np.random.default_rng(1).standard_normal((M, N))
    gram = network.span.gram

    def steps():
        drive(GradientDescent(network.gradient, RATE), network.start, t_end=STEPS * RATE)

    def products():
        for _ in range(STEPS):
            c @ gram

    rates(f"{STEPS} steps in the span: rate of matrix products", STEPS * 2 * M * N * N, steps, products)


def test_growth_with_the_width(growth, jax):
    sizes, steps = (128, 512, 2048), 50
    curves = {"library, in the span": {m: lambda m=m: library(m, steps) for m in sizes}}
    curves["PyTorch, gradient by hand in the span"] = {m: lambda m=m: torch_in_span(m, steps) for m in sizes}
    if jax:
        curves["JAX, compiled loop, by hand in the span"] = {m: jitted_in_span(jax, m, steps) for m in sizes}
    plain, fast = set(curves) - {"library, in the span"}, curves["library, in the span"]
    growth(f"{steps} steps with the reduction, n = {N}, d = {D}", "m", curves, plain, fast=fast)


def test_500_steps_with_the_reduction_and_ten_stable_ranks(timed):
    def run():
        network = reduce()
        record = np.arange(50, 500, 50) * RATE
        states = drive(GradientDescent(network.gradient, RATE), network.start, t_end=500 * RATE, record=record).theta
        return [network.stable_rank(theta) for theta in states]

    group = "stable rank, 500 steps in all, ten stable ranks included"
    timed(run, lambda ranks: f"stable rank {ranks[0]:.0f} to {ranks[-1]:.2f}", group=group, rounds=3)
