"""What one would write to train both layers of a network Σ_j a_j (w_j·x)₊: descent by PyTorch and by JAX.

Each takes W and a as arrays and gives back the trained ones in a row. ``rate`` is the length of step k. In JAX all
steps are one compiled loop, whose weights are changed in place.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch


def autograd(value: Callable[[Any, Any], Any], w: Any, a: Any, rate: Callable[[int], float], steps: int) -> Any:
    """Descent of ``value`` of W and a, differentiated by PyTorch."""
    torch.set_num_threads(1)
    w, a = torch.tensor(w, requires_grad=True), torch.tensor(a, requires_grad=True)
    for step in range(steps):
        by_w, by_a = torch.autograd.grad(value(w, a), (w, a))
        with torch.no_grad():
            w -= rate(step) * by_w
            a -= rate(step) * by_a
    return np.concatenate([w.detach().numpy().ravel(), a.detach().numpy()])


@torch.no_grad()
def by_hand(x: Any, slope: Callable[[Any], Any], w: Any, a: Any, rate: Callable[[int], float], steps: int) -> Any:
    """The gradient written out in PyTorch, in memory of its own; ``slope``: of the loss at the outputs."""
    torch.set_num_threads(1)
    x, w, a = torch.tensor(x), torch.tensor(w), torch.tensor(a)
    columns = x.T.contiguous()
    z = torch.empty(len(a), len(x), dtype=torch.float64)
    gate, by_w = torch.empty_like(z), torch.empty_like(w)
    for step in range(steps):
        torch.mm(w, columns, out=z)
        torch.gt(z, 0, out=gate)
        z.mul_(gate)
        pull = slope(torch.mv(z.T, a))
        gate.mul_(pull)
        torch.mm(gate, x, out=by_w)
        by_a = torch.mv(z, pull)
        by_w.mul_(a[:, None])
        w.sub_(by_w, alpha=rate(step))
        a.sub_(by_a, alpha=rate(step))
    return np.concatenate([w.numpy().ravel(), a.numpy()])


def looped(jax: Any, gradient: Callable[[Any, Any], Any], rate: Callable[[int], float], steps: int) -> Any:
    """``steps`` steps along ``gradient`` of two arrays, compiled as one loop."""
    rates = jax.numpy.array([rate(k) for k in range(steps)])

    def step(k: Any, state: Any) -> Any:
        return tuple(part - rates[k] * change for part, change in zip(state, gradient(*state), strict=True))

    return jax.jit(lambda w, a: jax.lax.fori_loop(0, steps, step, (w, a)), donate_argnums=(0, 1))


def jitted(
    jax: Any, value: Callable[[Any, Any], Any], start: tuple[Any, Any], rate: Callable[[int], float], steps: int
) -> Callable[[], Any]:
    """Descent of ``value`` of W and a, differentiated by JAX."""
    run = looped(jax, jax.grad(value, argnums=(0, 1)), rate, steps)

    def descent() -> Any:
        w, a = run(*map(jax.numpy.array, start))
        return np.concatenate([np.asarray(w).ravel(), np.asarray(a)])

    return descent


def jitted_by_hand(
    jax: Any, x: Any, slope: Callable[[Any], Any], start: tuple[Any, Any], rate: Callable[[int], float], steps: int
) -> Callable[[], Any]:
    """The gradient written out in JAX, with one neuron a column: so both of its products are fast."""
    x = jax.numpy.array(x)

    def gradient(columns: Any, a: Any) -> Any:
        z = x @ columns
        pull = slope(jax.numpy.maximum(z, 0) @ a)
        v = x.T @ jax.numpy.where(z > 0, pull[:, None], 0.0)
        return a * v, (columns * v).sum(0)

    run = looped(jax, gradient, rate, steps)

    def descent() -> Any:
        columns, a = run(jax.numpy.array(start[0].T.copy()), jax.numpy.array(start[1]))
        return np.concatenate([np.asarray(columns).T.ravel(), np.asarray(a)])

    return descent
