"""The velocity of a wide ReLU network on its exact population risk: a sum over all pairs of neurons.

m = 1000 neurons and 20 of the teacher in d = 20 dimensions, in float64 and on one thread. All compute cosines by one
product of matrices; the library takes each pair once. The error is the largest difference to angles that are computed
pair by pair, 2 arctan(‖ŵ − v̂‖/‖ŵ + v̂‖), over the largest velocity.
"""

import numpy as np
import torch

from implicit_bias.data import Teacher
from implicit_bias.models.population import NetworkBatch, PopulationFlow
from reproduce.campaigns.racing import Racer

M, D, TEACHER = 1000, 20, 20


def network(m=M, d=D):
    rng = np.random.default_rng(0)
    teacher = Teacher(rng.standard_normal((TEACHER, d)), rng.standard_normal(TEACHER))
    return PopulationFlow(rng.standard_normal((m, d)), rng.standard_normal(m), teacher)


def pair_by_pair(net):
    """The velocity from accurate angles, in a loop over the neurons."""
    places, charges = net.residual_measure(net.start)
    lengths = np.linalg.norm(places, axis=1)
    units = places / lengths[:, None]
    slopes = np.empty_like(net.w)
    for j, unit in enumerate(units[: len(net.a)]):
        theta = 2 * np.arctan2(np.linalg.norm(unit - units, axis=1), np.linalg.norm(unit + units, axis=1))
        slopes[j] = ((np.pi - theta) * charges) @ places + (np.sin(theta) @ (charges * lengths)) * unit
    slopes /= 2 * np.pi
    return np.append(-net.a[:, None] * slopes, -np.sum(net.w * slopes, axis=1))


def by_numpy(net):
    m = len(net.a)

    def velocity():
        places, charges = net.residual_measure(net.start)
        lengths = np.linalg.norm(places, axis=1)
        units = places / lengths[:, None]
        cosine = units[:m] @ units.T
        np.clip(cosine, -1, 1, out=cosine)
        sine = 1 - cosine
        sine *= 1 + cosine
        np.sqrt(sine, out=sine)
        np.negative(cosine, out=cosine)
        beyond = np.arccos(cosine, out=cosine)
        slope = beyond @ (charges[:, None] * places) + (sine @ (charges * lengths))[:, None] * units[:m]
        slope /= 2 * np.pi
        return np.append(-net.a[:, None] * slope, -np.sum(net.w * slope, axis=1))

    return velocity


def by_torch(net):
    torch.set_num_threads(1)
    m = len(net.a)
    a, b, known, weights = map(torch.tensor, (net.w, net.a, net.teacher.w, net.teacher.a))

    @torch.no_grad()
    def velocity():
        places, charges = torch.cat([a, known]), torch.cat([b / m, -weights / TEACHER])
        lengths = places.norm(dim=1)
        units = places / lengths[:, None]
        cosine = (units[:m] @ units.T).clamp_(-1, 1)
        sine = (1 - cosine).mul_(1 + cosine).sqrt_()
        beyond = cosine.neg_().arccos_()
        slope = beyond @ (charges[:, None] * places) + (sine @ (charges * lengths))[:, None] * units[:m]
        slope /= 2 * torch.pi
        return np.append((-b[:, None] * slope).numpy(), -(a * slope).sum(1).numpy())

    return velocity


def autograd(net):
    """Of the risk; at cosines of one its derivative is cut off."""
    torch.set_num_threads(1)
    m = len(net.a)
    known, weights = torch.tensor(net.teacher.w), torch.tensor(net.teacher.a)

    def velocity():
        a, b = torch.tensor(net.w, requires_grad=True), torch.tensor(net.a, requires_grad=True)
        places, charges = torch.cat([a, known]), torch.cat([b / m, -weights / TEACHER])
        lengths = places.norm(dim=1)
        units = places / lengths[:, None]
        cosine = (units @ units.T).clamp(-1 + 1e-15, 1 - 1e-15)
        theta = torch.arccos(cosine)
        pull = charges * lengths
        risk = pull @ (torch.sin(theta) + (torch.pi - theta) * cosine) @ pull / (4 * torch.pi)
        by_a, by_b = torch.autograd.grad(risk, (a, b))
        return -m * np.append(by_a.numpy(), by_b.numpy())

    return velocity


def jitted(jax, net):
    jnp, m = jax.numpy, len(net.a)
    a, b, known, weights = map(jnp.array, (net.w, net.a, net.teacher.w, net.teacher.a))

    @jax.jit
    def compute(a, b):
        places, charges = jnp.concatenate([a, known]), jnp.concatenate([b / m, -weights / TEACHER])
        lengths = jnp.linalg.norm(places, axis=1)
        units = places / lengths[:, None]
        cosine = jnp.clip(units[:m] @ units.T, -1, 1)
        sine = jnp.sqrt((1 - cosine) * (1 + cosine))
        slope = jnp.arccos(-cosine) @ (charges[:, None] * places) + (sine @ (charges * lengths))[:, None] * units[:m]
        return jnp.append(-b[:, None] * slope, -(a * slope).sum(1)) / (2 * jnp.pi)

    return lambda: np.asarray(compute(a, b))


def by_batch(net):
    """The library's network batch, of one network: with the risk, and every pair twice."""
    batch, state = NetworkBatch(len(net.a), net.teacher), np.column_stack([net.w, net.a])[None]

    def velocity():
        moved = batch.descent(state)[1][0]
        return np.append(moved[:, :-1], moved[:, -1])

    return velocity


def by_library(net):
    return lambda: net.velocity(net.start)


def test_velocity(race, jax):
    net = network()
    known = pair_by_pair(net)
    racers = [
        Racer("PyTorch, autograd", autograd(net), plain=True),
        Racer("library, a batch of one network, with its risk", by_batch(net)),
        Racer("PyTorch, by hand", by_torch(net), plain=True),
        Racer("NumPy, by hand", by_numpy(net), plain=True),
        Racer("library", by_library(net)),
    ]
    if jax:
        racers.insert(1, Racer(f"JAX {jax.__version__}, by hand and compiled", jitted(jax, net), plain=True))
    group = f"velocity on the population risk, m = {M}, d = {D}"
    race(group, racers, lambda v: float(np.abs(v - known).max() / np.abs(known).max()), matched=1e-12)


def test_growth_with_the_width(growth, jax):
    sizes = {m: network(m) for m in (100, 300, 1000, 3000)}
    methods = {"library": by_library, "NumPy, by hand": by_numpy, "PyTorch, by hand": by_torch}
    if jax:
        methods["JAX, by hand and compiled"] = lambda net: jitted(jax, net)
    curves = {name: {m: make(net) for m, net in sizes.items()} for name, make in methods.items()}
    growth(f"velocity on the population risk, d = {D}", "m", curves, plain=set(curves) - {"library"}, rounds=5)


def test_growth_with_the_dimension(growth):
    sizes = {d: network(d=d) for d in (2, 20, 200)}
    methods = {"library": by_library, "NumPy, by hand": by_numpy, "PyTorch, by hand": by_torch}
    curves = {name: {d: make(net) for d, net in sizes.items()} for name, make in methods.items()}
    growth(f"velocity on the population risk, m = {M}", "d", curves, plain=set(curves) - {"library"}, rounds=5)
