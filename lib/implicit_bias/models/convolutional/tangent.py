"""The tangent kernel of a convolutional network: its norm, and the features it is made of."""

from typing import Any

from implicit_bias.checks import memory, whole
from implicit_bias.late import extra
from implicit_bias.models.convolutional.network import NUMBER, ConvNet, Weights


def tangent_norm(  # attack: none, it takes a network's tensors
    net: ConvNet, theta: Weights, x: Any, rounds: int = 10
) -> float:
    """‖Dh‖²/n at n images: the largest eigenvalue of the tangent kernel over n, by power iteration, from below.

    net: h.
    theta: θ, tensors.
    x: images as rows, n × d.
    rounds: of the iteration; the start is fixed.

    Returns the number. A step of learning rate below 2 over it is stable for the linearization.

    >>> import torch
    >>> net = ConvNet(side=4, colours=1, blocks=((2,),), classes=2)
    >>> theta = tuple(torch.as_tensor(part) for part in net.draw(np.random.default_rng(0)))
    >>> tangent_norm(net, theta, torch.ones((3, 16), dtype=torch.float64)) > 0
    True
    """
    with extra():
        import torch  # takes a second: only where it is asked for

    rounds = whole("rounds", rounds, least=1)
    leaves = tuple(part.detach().requires_grad_() for part in theta)
    outputs = net.output(leaves, x)
    dual = torch.zeros_like(outputs, requires_grad=True)
    pulled = torch.autograd.grad(outputs, leaves, dual, create_graph=True)  # Dhᵀ times the dual: its derivative is Dh
    u = torch.cos(torch.arange(len(x) * net.classes, dtype=x.dtype, device=x.device)).reshape(len(x), net.classes)
    square = 0.0
    for _ in range(rounds):
        v = torch.autograd.grad(outputs, leaves, u / torch.linalg.vector_norm(u), retain_graph=True)
        square = float(sum((part**2).sum() for part in v))
        (u,) = torch.autograd.grad(pulled, dual, v, retain_graph=True)
    return square / len(x)


def tangent_features(  # attack: none, it takes a network's tensors
    net: ConvNet, theta: Weights, x: Any, chunk: int = 256
) -> Any:
    """Dh at n images as a matrix, (n · C) × p: the tangent kernel is its product with its transpose.

    net: h.
    theta: θ, tensors.
    x: images as rows, n × d.
    chunk: images that are passed at once.

    Returns a tensor.
    Raises ValueError where it would take more than 4 GiB.

    >>> import torch
    >>> net = ConvNet(side=4, colours=1, blocks=((2,),), classes=2)
    >>> theta = tuple(torch.as_tensor(part) for part in net.draw(np.random.default_rng(0)))
    >>> tangent_features(net, theta, torch.ones((3, 16), dtype=torch.float64)).shape == (3 * 2, net.size)
    True
    """
    with extra():
        import torch
        from torch.nn import functional

    memory("x", f"{len(x)} images", 2 * NUMBER * len(x) * net.classes * net.size)
    leaves = tuple(part.detach().requires_grad_() for part in theta)
    found = x.new_zeros((len(x), net.classes, net.size))
    for images, rows in zip(x.split(whole("chunk", chunk, least=1)), found.split(chunk), strict=True):
        outputs, before, inputs = net.layerwise(leaves, images)
        seen = [functional.unfold(part.detach(), 3, padding=1) for part in inputs[:-1]]
        last = inputs[-1].detach()
        for label in range(net.classes):
            slopes = torch.autograd.grad(outputs[:, label].sum(), before, retain_graph=True)
            parts = []
            for slope, patches in zip((one.flatten(2) for one in slopes), seen, strict=True):
                parts += [(slope @ patches.transpose(1, 2)).flatten(1), slope.sum(2)]
            at = sum(part.shape[1] for part in parts)
            rows[:, label, :at] = torch.cat(parts, dim=1)
            rows[:, label, at + label * last.shape[1] : at + (label + 1) * last.shape[1]] = last
            rows[:, label, net.size - net.classes + label] = 1.0
    return found.flatten(0, 1)
