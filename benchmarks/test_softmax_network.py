"""Ten epochs of the softmax network on the digits: the gradient by hand in NumPy against PyTorch's autograd and SGD.

The chapter's own scale: m = 512 neurons, batches of 128, learning rate 0.1; float64 and one thread on both sides. The
error is the distance of the first layer to that of the hand-written run.
"""

import numpy as np
import pytest
import torch

from implicit_bias.data import digits
from implicit_bias.flows import Batches, minibatch_descent
from implicit_bias.models.two_layer import SoftmaxNetwork

WIDTH, BATCH, RATE, EPOCHS = 512, 128, 0.1, 10
GROUP = f"{EPOCHS} epochs of the softmax network on the digits, m = {WIDTH}"


@pytest.fixture(scope="module")
def problem():
    return digits(np.random.default_rng(0)).standardised()


@pytest.fixture(scope="module")
def network(problem):
    return SoftmaxNetwork.glorot(np.random.default_rng(1), WIDTH, problem.x.shape[1], problem.classes)


@pytest.fixture(scope="module")
def batches(problem):
    return Batches(len(problem.x), BATCH, np.random.SeedSequence(2))


def trained(problem, network, batches):
    x, targets = problem.x, problem.targets
    return minibatch_descent(
        lambda theta, chosen: network.gradient(theta, x[chosen], targets[chosen]),
        network.parameters,
        batches,
        RATE,
        [EPOCHS * batches.of_epoch],
        lambda theta: [0.0],
    ).parameters[0]


@pytest.fixture(scope="module")
def off(problem, network, batches):
    known = trained(problem, network, batches)
    return lambda w: float(np.linalg.norm(w - known))


def test_plain_PyTorch_autograd_and_SGD(timed, problem, network, batches, off):
    torch.set_num_threads(1)
    x, labels = torch.tensor(problem.x), torch.tensor(problem.labels)
    warm = torch.zeros(1, requires_grad=True)  # the first step of an optimizer loads modules
    (warm**2).sum().backward()
    torch.optim.SGD([warm], lr=RATE).step()

    def loop():
        w, b, a, c = theta = [torch.tensor(part, requires_grad=True) for part in network.parameters]
        descent = torch.optim.SGD(theta, lr=RATE)
        for epoch in range(EPOCHS):
            order = torch.from_numpy(batches.order(epoch))
            for chosen in order.split(BATCH):
                logits = torch.relu(x[chosen] @ w.T + b) @ a.T + c
                descent.zero_grad()
                torch.nn.functional.cross_entropy(logits, labels[chosen]).backward()
                descent.step()
        return w.detach().numpy()

    timed(loop, off, group=GROUP, plain=True)


def test_gradient_by_hand(timed, problem, network, batches, off):
    timed(lambda: trained(problem, network, batches), off, group=GROUP, rounds=5)
