"""A network that is centred and scaled for lazy training, or its linearization: what it puts out, and its gradient."""

from dataclasses import dataclass
from typing import Any

from implicit_bias.checks import number, whole
from implicit_bias.late import extra
from implicit_bias.models.convolutional.network import ConvNet, Weights


@dataclass(frozen=True)
class ScaledNet:  # attack: none, it takes a network's tensors
    """u(θ) = α (h(θ) − h(θ₀)), or u(θ) = α Dh(θ₀)(θ − θ₀), with the loss R(u)/α², R(u) = (1/2n) Σ_i ‖u_i − y_i‖².

    net: h.
    origin: θ₀, tensors on the device where all happens, of one network or of R (see ConvNet).
    alpha: α > 0.
    linear: whether the linearization is meant.
    chunk: images that are passed at once where no gradient is wanted.

    Raises ValueError for an α or a chunk out of range.
    Reference: Chizat, Oyallon and Bach 2019, Section 1.

    >>> import torch
    >>> net = ConvNet(side=4, colours=1, blocks=((2,),), classes=2)
    >>> theta = tuple(torch.as_tensor(part) for part in net.draw(np.random.default_rng(0)))
    >>> scaled = ScaledNet(net, theta, alpha=10.0)
    >>> scaled.outputs(theta, torch.ones((3, 16), dtype=torch.float64)).abs().max().item()
    0.0
    """

    net: ConvNet
    origin: Weights
    alpha: float
    linear: bool = False
    chunk: int = 500

    def __post_init__(self) -> None:
        """Refuse a scale or a chunk out of range."""
        number("alpha", self.alpha, above=1e-150, most=1e150)
        whole("chunk", self.chunk, least=1)

    def outputs(self, theta: Weights, x: Any, first: Any = None) -> Any:
        """u(θ) at the rows of x, N × C, or R × N × C, without a gradient.

        theta: θ, as θ₀ of one network or of R.
        x: images as rows, N × d, or R × N × d.
        first: h(θ₀) at them, N × C, or R × N × C, where it is known; None computes it.
        """
        with extra():
            import torch  # takes a second: only where it is asked for

        with torch.no_grad():
            known = self.first(x) if first is None else first
            both = zip(x.split(self.chunk, -2), known.split(self.chunk, -2), strict=True)
            parts = [self._outputs(theta, part, start) for part, start in both]
        return torch.cat(parts, -2)

    def first(self, x: Any) -> Any:
        """h(θ₀) at the rows of x, N × C, or R × N × C: it never changes, so that a training computes it once."""
        with extra():
            import torch

        with torch.no_grad():
            parts = x.split(self.chunk, -2)  # mutant: how many are passed at once
            return torch.cat([self.net.output(self.origin, part) for part in parts], -2)

    def batch_gradient(self, theta: Weights, x: Any, first: Any, targets: Any) -> Weights:
        """The gradient of R(u)/α² over a batch, or of R networks that of each over its own.

        theta: θ, as θ₀ of one network or of R.
        x: images as rows, n × d, or R × n × d.
        first: h(θ₀) at them, n × C, or R × n × C.
        targets: y, n × C, or R × n × C.
        """
        with extra():
            import torch

        leaves = tuple(part.detach().requires_grad_() for part in theta)
        u = self._outputs(leaves, x, first)
        loss = ((u - targets) ** 2).sum() / (2 * x.shape[-2] * self.alpha**2)  # mutant: another speed; held by tests
        return tuple(torch.autograd.grad(loss, leaves))

    def _outputs(self, theta: Weights, x: Any, first: Any) -> Any:
        """u(θ) where h(θ₀) is known; the linearization by a product of the Jacobian with a vector."""
        if not self.linear:
            return self.alpha * (self.net.output(theta, x) - first)
        with extra():
            from torch.func import jvp

        moved = tuple(part - start for part, start in zip(theta, self.origin, strict=True))
        return self.alpha * jvp(lambda *at: self.net.output(at, x), self.origin, moved)[1]
