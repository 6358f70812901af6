"""The limit of a diagonal network: exact flow and Newton's method against gradient-descent loops.

The authors' problem and settings (Azulay et al. 2021, Section 9): N = 100, d = 1000, scale 1e-3, shape 0, learning rate
1e-3 on Xᵀr/N, stop at mean squared error 1e-4. The error is the distance of w to the certified limit.
"""

import numpy as np
import pytest
import torch

from implicit_bias.data import sparse_regression
from implicit_bias.flows import gradient_flow
from implicit_bias.limits.interpolation import HyperbolicEntropy
from implicit_bias.models.linear import DiagonalNetwork

N, D, SCALE, RATE, STOP = 100, 1000, 1e-3, 1e-3, 1e-4
GROUP = f"limit of a diagonal network, N = {N}, d = {D}, scale {SCALE:g}, shape 0"


@pytest.fixture(scope="module")
def problem():
    return sparse_regression(np.random.default_rng(0), N, D)


@pytest.fixture(scope="module")
def network():
    return DiagonalNetwork.unbiased(D, SCALE, 0.0)


@pytest.fixture(scope="module")
def off(problem, network):
    limit = HyperbolicEntropy(network.k).minimize(problem.x, problem.y).w
    return lambda w: float(np.linalg.norm(w - limit))


def test_plain_NumPy_loop_at_the_authors_settings(timed, problem, network, off):
    x, y = problem.x, problem.y

    def loop():
        u_plus, v_plus, u_minus, v_minus = network.parameters.reshape(4, D)
        while True:
            residual = y - x @ (u_plus * v_plus - u_minus * v_minus)
            if residual @ residual / N < STOP:
                return u_plus * v_plus - u_minus * v_minus
            step = RATE * (residual @ x) / N
            u_plus, v_plus = u_plus + step * v_plus, v_plus + step * u_plus
            u_minus, v_minus = u_minus - step * v_minus, v_minus - step * u_minus

    timed(loop, off, group=GROUP, rounds=3, plain=True)


def test_plain_PyTorch_loop_at_the_authors_settings(timed, problem, network, off):
    torch.set_num_threads(1)
    x, y = torch.tensor(problem.x), torch.tensor(problem.y)

    def loop():
        factors = torch.tensor(network.parameters.reshape(4, D), requires_grad=True)
        descent = torch.optim.SGD([factors], lr=RATE)
        while True:
            w = factors[0] * factors[1] - factors[2] * factors[3]
            loss = ((y - x @ w) ** 2).mean() / 2
            if loss.item() < STOP / 2:
                return w.detach().numpy()
            descent.zero_grad()
            loss.backward()
            descent.step()

    timed(loop, off, group=GROUP, plain=True)


def test_exact_flow_in_N_dimensions(timed, problem, network, off):
    x, y = problem.x, problem.y

    def flow():
        run = gradient_flow(
            lambda mu: network.dual_velocity(mu, x, y),
            np.zeros(N),
            t_end=1e9,
            jacobian=lambda mu: network.dual_jacobian(mu, x),
            residual=lambda mu: float(np.linalg.norm(network.dual_velocity(mu, x, y))),
            target=1e-9,
            rtol=1e-9,
            atol=1e-11,
        )
        return network.predictor_from_dual(x, run.final)

    timed(flow, off, group=GROUP, rounds=5)


def test_Newton_on_the_dual(timed, problem, network, off):
    entropy = HyperbolicEntropy(network.k)
    timed(lambda: entropy.minimize(problem.x, problem.y).w, off, group=GROUP, rounds=30)
