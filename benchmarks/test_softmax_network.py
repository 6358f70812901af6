"""Ten epochs of the softmax network on the digits: the gradient by hand in NumPy against PyTorch and JAX.

The chapter's own scale: m = 512 neurons, batches of 128, learning rate 0.1; float64 and one thread on all sides, the
same order of the images. The error is the distance of the first layer to that of PyTorch's autograd.
"""

from functools import partial

import numpy as np
import torch

from implicit_bias.data import digits
from implicit_bias.flows import Batches, minibatch_descent
from implicit_bias.models.two_layer import SoftmaxNetwork
from reproduce.campaigns.racing import Racer

WIDTH, BATCH, RATE, EPOCHS = 512, 128, 0.1, 10
GROUP = f"{EPOCHS} epochs of the softmax network on the digits, m = {WIDTH}"
PROBLEM = digits(np.random.default_rng(0)).standardised()
NETWORK = SoftmaxNetwork.glorot(np.random.default_rng(1), WIDTH, PROBLEM.x.shape[1], PROBLEM.classes)
BATCHES = Batches(len(PROBLEM.x), BATCH, np.random.SeedSequence(2))
STEPS = EPOCHS * BATCHES.of_epoch


def library():
    x, targets = PROBLEM.x, PROBLEM.targets
    return minibatch_descent(
        lambda theta, chosen: NETWORK.batch_gradient(theta, x[chosen], targets[chosen]),
        NETWORK.start,
        BATCHES,
        RATE,
        [STEPS],
        lambda theta: [0.0],
    ).parameters[0]


def autograd():
    torch.set_num_threads(1)
    x, labels = torch.tensor(PROBLEM.x), torch.tensor(PROBLEM.labels)
    w, b, a, c = theta = [torch.tensor(part, requires_grad=True) for part in NETWORK.start]
    descent = torch.optim.SGD(theta, lr=RATE)
    for epoch in range(EPOCHS):
        order = torch.from_numpy(BATCHES.order(epoch))
        for chosen in order.split(BATCH):
            logits = torch.relu(x[chosen] @ w.T + b) @ a.T + c
            descent.zero_grad()
            torch.nn.functional.cross_entropy(logits, labels[chosen]).backward()
            descent.step()
    return w.detach().numpy()


@torch.no_grad()
def torch_by_hand():
    torch.set_num_threads(1)
    x, targets = torch.tensor(PROBLEM.x), torch.tensor(PROBLEM.targets)
    w, b, a, c = (torch.tensor(part) for part in NETWORK.start)
    for epoch in range(EPOCHS):
        for chosen in torch.from_numpy(BATCHES.order(epoch)).split(BATCH):
            batch = x[chosen]
            hidden = torch.addmm(b, batch, w.T).relu_()
            error = torch.softmax(torch.addmm(c, hidden, a.T), 1).sub_(targets[chosen])
            back = (error @ a).mul_(hidden > 0)
            length = RATE / len(batch)
            w.addmm_(back.T, batch, alpha=-length)
            b.sub_(back.sum(0), alpha=length)
            a.addmm_(error.T, hidden, alpha=-length)
            c.sub_(error.sum(0), alpha=length)
    return w.numpy()


def jitted(jax, gradient):
    """An epoch is one compiled loop over its batches, with the weights changed in place."""
    jnp = jax.numpy
    x, targets = jnp.array(PROBLEM.x), jnp.array(PROBLEM.targets)
    whole = len(PROBLEM.x) // BATCH * BATCH

    def step(theta, chosen):
        change = gradient(theta, x[chosen], targets[chosen])
        return tuple(part - RATE * one for part, one in zip(theta, change, strict=True))

    @partial(jax.jit, donate_argnums=0)
    def epoch(theta, order):
        batches = order[:whole].reshape(-1, BATCH)
        theta, _ = jax.lax.scan(lambda at, chosen: (step(at, chosen), None), theta, batches)
        return step(theta, order[whole:])

    def descent():
        theta = tuple(map(jnp.array, NETWORK.start))
        for number in range(EPOCHS):
            theta = epoch(theta, jnp.array(BATCHES.order(number)))
        return np.asarray(theta[0])

    return descent


def differentiated(jax):
    def value(theta, x, targets):
        w, b, a, c = theta
        logits = jax.numpy.maximum(x @ w.T + b, 0) @ a.T + c
        return -(targets * jax.nn.log_softmax(logits)).sum() / len(x)

    return jitted(jax, jax.grad(value))


def jitted_by_hand(jax):
    def gradient(theta, x, targets):
        w, b, a, c = theta
        hidden = jax.numpy.maximum(x @ w.T + b, 0)
        error = (jax.nn.softmax(hidden @ a.T + c) - targets) / len(x)
        back = jax.numpy.where(hidden > 0, error @ a, 0.0)
        return back.T @ x, back.sum(0), error.T @ hidden, error.sum(0)

    return jitted(jax, gradient)


def test_epochs(race, jax):
    known = autograd()
    racers = [
        Racer("PyTorch, autograd and SGD", autograd, plain=True),
        Racer("PyTorch, gradient by hand", torch_by_hand, plain=True),
        Racer("library, by hand", library),
    ]
    if jax:
        racers.insert(1, Racer(f"JAX {jax.__version__}, compiled epochs", differentiated(jax), plain=True))
        racers.insert(3, Racer("JAX, compiled epochs, gradient by hand", jitted_by_hand(jax), plain=True))
    race(GROUP, racers, lambda w: float(np.linalg.norm(w - known)), matched=1e-10)


def test_rate_of_matrix_products(rates):
    """Five products a step; the last batch of an epoch, which is smaller, is counted as the others are."""
    rng, classes, d = np.random.default_rng(3), PROBLEM.classes, PROBLEM.x.shape[1]
    x, hidden, error = (rng.standard_normal((BATCH, size)) for size in (d, WIDTH, classes))
    w, _, a, _ = NETWORK.start

    def products():
        for _ in range(STEPS):
            x @ w.T, hidden @ a.T, error @ a, hidden.T @ x, hidden.T @ error

    operations = EPOCHS * len(PROBLEM.x) * WIDTH * (4 * d + 6 * classes)
    rates(f"{GROUP}: rate of matrix products", operations, library, products)
