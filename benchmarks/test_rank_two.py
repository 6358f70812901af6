"""A leaky ReLU network to τ = 10⁸: the reduced flow against gradient descent on all weights, per step and in all.

The default of the chapter: n = 20 samples in 50 dimensions, 60 + 40 neurons, initialization of scale 1e-3. Steps of
size h in τ are W ← W − h ∇L/L. Plain gradient descent takes them by autograd, 10⁸/h of them; what is timed is a
thousand. The error is the distance of W/‖W‖ to the closed form, at τ = 10⁸ or where the thousand steps end.
"""

import numpy as np
import pytest
import torch

from implicit_bias.activations import LeakyReLU
from implicit_bias.data import nearly_orthogonal
from implicit_bias.flows import GradientDescent, drive, gradient_flow
from implicit_bias.limits.margin import rank_two
from implicit_bias.losses import SmoothMargin
from implicit_bias.models.two_layer import ActivationPattern, FrozenFlow, Risk, TwoLayer

N, D, POSITIVE, NEGATIVE, SLOPE, SCALE, TAU_END, STEPS = 20, 50, 60, 40, 0.5, 1e-3, 1e8, 1000
GROUP = "leaky ReLU network, n = 20, d = 50, m = 100"
STEP = 0.1
A = np.where(np.arange(POSITIVE + NEGATIVE) < POSITIVE, 1.0, -1.0) / np.sqrt(POSITIVE + NEGATIVE)


@pytest.fixture(scope="module")
def risk():
    problem = nearly_orthogonal(np.random.default_rng(0), N, D, ratio=1.2, correlation=SLOPE**3 / (3 * 1.2**2 * N))
    return Risk(TwoLayer(LeakyReLU(SLOPE), trained="first"), problem, SmoothMargin())


@pytest.fixture(scope="module")
def start():
    return SCALE * np.random.default_rng(1).standard_normal((POSITIVE + NEGATIVE, D))


@pytest.fixture(scope="module")
def off(risk):
    direction = rank_two(risk.data, SLOPE, POSITIVE, NEGATIVE).direction
    return lambda w: float(np.linalg.norm(w / np.linalg.norm(w) - direction))


def test_autograd_1000_steps(timed, risk, start, off):
    torch.set_num_threads(1)
    x, y = torch.tensor(risk.data.x), torch.tensor(risk.data.y)
    a = torch.tensor(A)

    def loop():
        w = torch.tensor(start, requires_grad=True)
        for _ in range(STEPS):
            z = w @ x.T
            log_loss = torch.logsumexp(-y * (a @ torch.maximum(z, SLOPE * z)), 0)
            (gradient,) = torch.autograd.grad(log_loss, w)
            with torch.no_grad():
                w -= STEP * gradient
        return w.detach().numpy()

    timed(loop, off, group=f"{GROUP}: 1000 steps", plain=True)


def test_library_1000_steps(timed, risk, start, off):
    def loop():
        span = risk.in_span(start, A)
        descent = GradientDescent(span.gradient, STEP)
        return span.weights(drive(descent, span.start, t_end=(STEPS - 0.5) * STEP).final)[0]

    timed(loop, off, group=f"{GROUP}: 1000 steps", rounds=5)


def test_library_to_1e8_which_is_1e9_such_steps(timed, risk, start, off):
    def flow():
        span = risk.in_span(start, A)
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

    timed(flow, off, group=f"{GROUP}: to τ = 1e8", rounds=5)


def test_closed_form(timed, risk, off):
    timed(lambda: rank_two(risk.data, SLOPE, POSITIVE, NEGATIVE).weights, off, group=f"{GROUP}: to τ = 1e8", rounds=20)
