"""What the measures ask of a network before they look at it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from implicit_bias.checks import Array, instance
from implicit_bias.late import extra

MOST_CONSTRAINTS = 20_000


def settled(model: Any) -> Any:  # attack: none, it is the check
    """The model, if its output at one row is a function of that row and of the parameters.

    model: a torch Module.

    Raises ValueError for batch norm that looks at the batch, for dropout in train mode, and for what is no Module.
    """
    with extra():
        import torch

    instance("model", model, torch.nn.Module)
    for name, part in model.named_modules():
        batch = isinstance(part, torch.nn.modules.batchnorm._BatchNorm)
        if (batch and (part.training or part.running_mean is None)) or (
            isinstance(part, torch.nn.modules.dropout._DropoutNd) and part.training and part.p > 0
        ):
            why = "the function of one row depends on its batch" if batch else "its output is random"
            raise ValueError(f"model has {type(part).__name__} {name!r} in train mode: {why}; it must be in eval mode")
    return model


def trained(model: Any, names: Sequence[str] | None = None) -> dict[str, Any]:  # attack: none, it is the check
    """The parameters that train, detached, by their names.

    model: a torch Module.
    names: of those that are meant; None: all that train.

    Raises ValueError for a name that is none, where no parameter has a gradient, and for one of another precision.
    """
    with extra():
        import torch

    found = {name: part.detach() for name, part in settled(model).named_parameters() if part.requires_grad}
    if not found:
        raise ValueError("model has no parameter with requires_grad; it must have one at least")
    for name, part in found.items():
        if part.dtype not in (torch.float32, torch.float64):
            raise ValueError(f"model has {name} of {part.dtype}; it must be torch.float32 or torch.float64")
    missing = [name for name in names or () if name not in found]
    if missing or (names is not None and not names):
        named = repr(missing[0]) if missing else "empty"
        raise ValueError(f"names has {named}; it must hold names of parameters that train: {', '.join(found)[:200]}")
    return found if names is None else {name: found[name] for name in names}


@contextmanager
def differentiable() -> Iterator[None]:  # attack: none, it takes nothing
    """Attention by its formula, as its fast kernels have no second and no forward derivative."""
    with extra():
        import torch

    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fast)


def vector(parts: Mapping[str, Any]) -> Array:  # attack: none, it takes a network's tensors
    """The entries of some tensors, one after another, as float64.

    parts: tensors.
    """
    return np.concatenate([part.detach().cpu().double().numpy().ravel() for part in parts.values()])


def chain(model: Any) -> list[Any]:  # attack: none, it takes a network
    """The modules of a Sequential in their order, those left out that change no number; else the model alone.

    model: a torch Module.
    """
    with extra():
        from torch import nn

    if isinstance(model, nn.Sequential):
        return [one for part in model for one in chain(part)]
    same = isinstance(model, nn.Identity | nn.Flatten | nn.modules.dropout._DropoutNd)
    return [] if same else [model]
