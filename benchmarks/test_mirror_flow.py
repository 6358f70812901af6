"""Mirror flow of a wide univariate network to t = ∞, against mirror descent as a user would write it.

n = 4860 ramps, φ = |x|³ + x², the six points of the chapters, biases at the quantiles of their law, in float64 and on
one thread. Mirror descent stops at a residual of 1e-11, its own rule, the library at 1e-13. The error is the largest
difference of the function learnt to that of the flow, extrapolated from short steps of first order.
"""

import tracemalloc

import numpy as np
import torch

from implicit_bias.data import BiasLaw, Samples
from implicit_bias.flows import follow_mirror
from implicit_bias.models.univariate import RampNetwork, placed_units
from implicit_bias.potentials import Cubic
from reproduce.campaigns.racing import Racer

N, STOP, TARGET = 4860, 1e-11, 1e-13
X = np.array([-1.6, -1.05, -0.5, 0.2, 0.8, 1.5])
Y = np.array([1.0, -0.3, 0.6, -0.5, 0.4, 0.9])
LAW, PHI = BiasLaw(2.0), Cubic()
SAMPLES = Samples(X[:, None], Y)
GRID = np.linspace(-LAW.reach, LAW.reach, 201)


def network(n):
    return RampNetwork(SAMPLES, *placed_units(LAW, n))


NET = network(N)
START = NET.start
JACOBIAN = NET.tangent_features(START)
FASTEST = float(np.linalg.eigvalsh(JACOBIAN / PHI.curvature(np.zeros(1)) @ JACOBIAN.T)[-1])
STEP = 1.8 / FASTEST  # descent diverges at 2


def to_the_end(growth, net=NET):
    return follow_mirror(net, PHI, 2 / net.w.size, misfit=TARGET, first=min(0.2, growth), growth=growth).final


def in_place(steps=None):
    """Mirror descent in NumPy, in memory that all steps share: until the residual is small, or for some steps."""
    theta, dual = START.copy(), np.zeros_like(START)
    w, b, a = theta[:N], theta[N : 2 * N], theta[2 * N : -1]
    seen, gate, gradient, root = np.empty((6, N)), np.empty((6, N)), np.empty_like(theta), np.empty_like(theta)
    count = 0
    while count != steps:
        np.multiply(X[:, None], w, out=seen)
        seen -= b
        np.greater(seen, 0, out=gate)
        seen *= gate
        residual = seen @ a + theta[-1] - Y
        if steps is None and residual @ residual <= STOP**2:
            break
        np.matmul(residual * X, gate, out=gradient[:N])
        np.matmul(-residual, gate, out=gradient[N : 2 * N])
        gradient[:N] *= a
        gradient[N : 2 * N] *= a
        np.matmul(residual, seen, out=gradient[2 * N : -1])
        gradient[-1] = residual.sum()
        gradient *= STEP
        dual -= gradient
        np.abs(dual, out=root)
        root *= 3
        root += 1
        np.sqrt(root, out=root)
        root += 1
        np.divide(dual, root, out=theta)  # the inverse of 3x|x| + 2x
        theta += START
        count += 1
    return theta, count


COUNT = in_place()[1]
SHARE = 0.05


def by_autograd():
    """The same steps in PyTorch, a share of them."""
    torch.set_num_threads(1)
    x, y, anchor = torch.tensor(X)[:, None], torch.tensor(Y), torch.tensor(START)
    theta, dual = anchor.clone().requires_grad_(True), torch.zeros_like(anchor)
    for _ in range(round(SHARE * COUNT)):
        w, b, a = theta[:N], theta[N : 2 * N], theta[2 * N : -1]
        residual = torch.relu(x * w - b) @ a + theta[-1] - y
        if torch.linalg.norm(residual).item() <= STOP:
            break
        (gradient,) = torch.autograd.grad((residual**2).sum() / 2, theta)
        with torch.no_grad():
            dual -= STEP * gradient
            theta.copy_(anchor + dual / (1 + torch.sqrt(1 + 3 * dual.abs())))
    return theta.detach().numpy()


def jitted(jax):
    jnp = jax.numpy
    x, y, anchor = jnp.array(X)[:, None], jnp.array(Y), jnp.array(START)

    def value(theta):
        residual = jnp.maximum(x * theta[:N] - theta[N : 2 * N], 0) @ theta[2 * N : -1] + theta[-1] - y
        return residual @ residual / 2

    @jax.jit
    def descent(steps):
        def step(_, state):
            theta, dual = state
            dual = dual - STEP * jax.grad(value)(theta)
            return anchor + dual / (1 + jnp.sqrt(1 + 3 * jnp.abs(dual))), dual

        return jax.lax.fori_loop(0, steps, step, (anchor, jnp.zeros_like(anchor)))

    return lambda: np.asarray(descent(round(SHARE * COUNT))[0])


def test_to_the_end(race, jax):
    """The steps of the chapters are nearer to the flow than the network is to infinite width, further than descent."""
    known = 2 * NET.output(to_the_end(0.002), GRID) - NET.output(to_the_end(0.004), GRID)
    racers = [
        Racer(f"PyTorch, autograd, {COUNT} steps of mirror descent", by_autograd, plain=True, share=SHARE, rounds=3),
        Racer(f"NumPy in place, {COUNT} steps of mirror descent", lambda: in_place()[0], plain=True, rounds=2),
        Racer("library, each step 0.3 of the time passed", lambda: to_the_end(0.3)),
        Racer("library, each step 0.01 of the time passed", lambda: to_the_end(0.01)),
    ]
    if jax:
        name = f"JAX {jax.__version__}, compiled, {COUNT} steps of mirror descent"
        racers.insert(1, Racer(name, jitted(jax), plain=True, share=SHARE, rounds=3))
    race(
        f"mirror flow to t = ∞, n = {N}, φ = |x|³ + x²",
        racers,
        lambda theta: float(np.abs(NET.output(theta, GRID) - known).max()),
        matched=1e-3,
    )


def test_growth(race):
    """Time against n up to a million, and memory in units of the n × M numbers that a network of n sees of M points."""
    tracemalloc.start()
    to_the_end(0.3, network(10_000))
    most = tracemalloc.get_traced_memory()[1] / (8 * 10_000 * Y.size)
    tracemalloc.stop()
    nets = {n: network(n) for n in (1000, 10_000, 100_000, 1_000_000)}
    race(
        f"mirror flow to t = ∞ against the number n of hidden units, M = 6; memory {most:.0f} × n·M numbers",
        [
            Racer(f"n = {n}", lambda net=net: to_the_end(0.3, net), rounds=1 if n > 100_000 else 3)
            for n, net in nets.items()
        ],
        NET.misfit,
        matched=STOP,
    )
