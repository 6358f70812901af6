"""A leaky ReLU network to τ = 10⁸: steps of descent against PyTorch and JAX, and the reduced flow that needs few.

The default of the chapter: n = 20 samples in 50 dimensions, 60 + 40 neurons, initialization of scale 1e-3. Steps of
size h in τ are W ← W − h ∇L/L; 10⁸/h of them lead to the end. What is timed is a thousand, and their error is the
largest difference of W to that of autograd, over its largest entry. To τ = 10⁸ the error is the distance of W/‖W‖ to
the closed form.
"""

import numpy as np
import torch

from implicit_bias.activations import LeakyReLU
from implicit_bias.data import nearly_orthogonal
from implicit_bias.flows import GradientDescent, ScheduledDescent, drive, gradient_flow
from implicit_bias.limits.margin import rank_two
from implicit_bias.losses import SmoothMargin
from implicit_bias.models.two_layer import ActivationPattern, FrozenFlow, Risk, TwoLayer
from reproduce.campaigns.racing import Racer

N, D, POSITIVE, NEGATIVE, SLOPE, SCALE, TAU_END, STEPS = 20, 50, 60, 40, 0.5, 1e-3, 1e8, 1000
GROUP = "leaky ReLU network, n = 20, d = 50, m = 100"
STEP = 0.1
A = np.where(np.arange(POSITIVE + NEGATIVE) < POSITIVE, 1.0, -1.0) / np.sqrt(POSITIVE + NEGATIVE)
DATA = nearly_orthogonal(np.random.default_rng(0), N, D, ratio=1.2, correlation=SLOPE**3 / (3 * 1.2**2 * N))
RISK = Risk(TwoLayer(LeakyReLU(SLOPE), trained="first"), DATA, SmoothMargin())
START = SCALE * np.random.default_rng(1).standard_normal((POSITIVE + NEGATIVE, D))


def autograd():
    torch.set_num_threads(1)
    x, y, a = (torch.tensor(part) for part in (DATA.x, DATA.y, A))
    w = torch.tensor(START, requires_grad=True)
    for _ in range(STEPS):
        z = w @ x.T
        log_loss = torch.logsumexp(-y * (a @ torch.maximum(z, SLOPE * z)), 0)
        (gradient,) = torch.autograd.grad(log_loss, w)
        with torch.no_grad():
            w -= STEP * gradient
    return w.detach().numpy()


@torch.no_grad()
def torch_in_span():
    """The gradient written out, for the coefficients of W in the span of the samples."""
    torch.set_num_threads(1)
    x, y, a, w = (torch.tensor(part) for part in (DATA.x, DATA.y, A, START))
    gram, inputs, c = x @ x.T, w @ x.T, torch.zeros(len(A), N, dtype=torch.float64)
    for _ in range(STEPS):
        z = torch.addmm(inputs, c, gram)
        gate = (z > 0).to(z.dtype).mul_(1 - SLOPE).add_(SLOPE)
        pull = torch.softmax(-y * (a @ (z * gate)), 0).mul_(y)
        c.addcmul_(gate.mul_(a[:, None]), pull, value=STEP)
    return (w + c @ x).numpy()


def jitted_in_span(jax):
    """The same in JAX, all steps one compiled loop."""
    jnp = jax.numpy
    given = [jnp.array(part) for part in (DATA.x, DATA.y, A, START)]

    @jax.jit
    def run(x, y, a, w):
        gram, inputs = x @ x.T, w @ x.T

        def step(_, c):
            z = inputs + c @ gram
            gate = jnp.where(z > 0, 1.0, SLOPE)
            return c + STEP * a[:, None] * gate * (y * jax.nn.softmax(-y * (a @ (z * gate))))

        return w + jax.lax.fori_loop(0, STEPS, step, jnp.zeros((len(A), N))) @ x

    return lambda: np.asarray(run(*given))


def library():
    span = RISK.in_span(START, A)
    descent = ScheduledDescent(span.gradient, lambda step, state: STEP)
    return span.weights(drive(descent, span.start, t_end=STEPS).final)[0]


def library_to_the_end():
    span = RISK.in_span(START, A)
    pattern, descent = ActivationPattern(span), GradientDescent(span.gradient, SCALE)
    early = drive(descent, span.start, t_end=1e3, residual=lambda state: float(pattern.disagreements(state)))
    later = drive(descent, early.final, t_end=early.t[-1])
    frozen = FrozenFlow.after(span, later.final)
    run = gradient_flow(
        frozen.velocity,
        frozen.start,
        jacobian=frozen.jacobian,
        t_end=TAU_END - 2 * early.t[-1],
        method="BDF",
        rtol=1e-8,
        atol=1e-9,
    )
    return span.weights(frozen.coefficients(run.final))[0]


def test_steps(race, jax):
    known = autograd()
    racers = [
        Racer("PyTorch, autograd on all weights", autograd, rounds=3, plain=True),
        Racer("PyTorch, by hand in the span", torch_in_span, rounds=3, plain=True),
        Racer("library, in the span", library),
    ]
    if jax:
        racers.insert(2, Racer("JAX, compiled loop, by hand in the span", jitted_in_span(jax), plain=True))
    group = f"{GROUP}: {STEPS} steps"
    race(group, racers, lambda w: float(np.abs(w - known).max() / np.abs(known).max()), matched=1e-10)


def test_the_end(race):
    """Of 10⁹ such steps; the fastest of the loops above would take hours."""
    direction = rank_two(DATA, SLOPE, POSITIVE, NEGATIVE).direction
    racers = [
        Racer("library, reduced flow", library_to_the_end, rounds=3),
        Racer("library, closed form", lambda: rank_two(DATA, SLOPE, POSITIVE, NEGATIVE).weights, rounds=20),
    ]
    group = f"{GROUP}: to τ = 1e8, {TAU_END / STEP:.0e} steps"
    race(group, racers, lambda w: float(np.linalg.norm(w / np.linalg.norm(w) - direction)), matched=1e-7)
