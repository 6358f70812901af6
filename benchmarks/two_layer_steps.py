"""What one would write to train both layers of a network Σ_j a_j (w_j·x)₊: descent by PyTorch and by JAX.

Each takes W and a as arrays and gives back the trained ones in a row. ``rate`` is the length of step k.
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


def jitted(
    jax: Any, value: Callable[[Any, Any], Any], start: tuple[Any, Any], rate: Callable[[int], float], steps: int
) -> Callable[[], Any]:
    """Descent of ``value`` of W and a by JAX, whose step is compiled once."""

    @jax.jit
    def step(w: Any, a: Any, length: float) -> Any:
        by_w, by_a = jax.grad(value, argnums=(0, 1))(w, a)
        return w - length * by_w, a - length * by_a

    def descent() -> Any:
        w, a = map(jax.numpy.array, start)
        for k in range(steps):
            w, a = step(w, a, rate(k))
        return np.concatenate([np.asarray(w).ravel(), np.asarray(a)])

    return descent
