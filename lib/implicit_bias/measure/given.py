"""What every measure does with a network that it is given: it checks it, evaluates it, and leaves it as it was."""

import functools
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from implicit_bias.checks import Array, instance
from implicit_bias.late import extra

ROWS = 500  # that are evaluated at once
MOST_CONSTRAINTS = 20_000
own: ContextVar[bool] = ContextVar("own", default=False)  # whether a pass is one of a measure, and none of a training


def torch() -> Any:  # attack: none, it takes nothing
    """PyTorch, which is loaded when it is asked for.

    Raises ModuleNotFoundError with the extra that brings it.
    """
    with extra():
        import torch as loaded  # takes a second

    return loaded


@functools.cache
def forward_mode() -> Any:
    """PyTorch's torch.func, loaded without the warning that its own first use of forward derivatives gives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        loaded = torch()
        loaded.func.jvp(lambda one: one, (loaded.zeros(()),), (loaded.zeros(()),))
    return loaded.func


def network(name: str, model: Any) -> Any:  # attack: none, it is the check
    """The model, if it is a module of PyTorch whose parameters are numbers of one precision.

    name: of the argument, for the message.
    model: what was given.

    Raises ValueError in one line.
    """
    nn = torch().nn
    if not isinstance(model, nn.Module):
        raise ValueError(f"{name} is of type {type(model).__name__}; it must be a torch.nn.Module")
    parameters = dict(model.named_parameters())
    if not parameters:
        raise ValueError(f"{name} is a {type(model).__name__} without parameters; it must have some")
    for key, one in parameters.items():
        if isinstance(one, nn.parameter.UninitializedTensorMixin):
            raise ValueError(f"{name} has {key} of no shape yet; it must have seen one batch")
        if one.dtype not in (torch().float32, torch().float64):
            raise ValueError(f"{name} has {key} of {one.dtype}; it must be torch.float32 or torch.float64")
    return model


def rounding(model: Any) -> float:  # attack: none, it takes a network
    """The unit roundoff of the coarsest of a network's parameters, 2⁻⁵² or 2⁻²³.

    model: the network.
    """
    return max(float(torch().finfo(one.dtype).eps) for one in model.parameters())


def tensor(name: str, value: Any) -> Any:  # attack: none, it is the check
    """The value, if it is a tensor with a row or more and without numbers that are not finite.

    name: of the argument, for the message.
    value: what was given, a tensor or a tuple of the model's arguments.

    Raises ValueError in one line.
    """
    for one in value if isinstance(value, tuple) and value else (value,):
        if not isinstance(one, torch().Tensor):
            raise ValueError(f"{name} is of type {type(one).__name__}; it must be a torch.Tensor")
        if one.ndim == 0 or len(one) == 0:
            raise ValueError(f"{name} has shape {tuple(one.shape)}; it must have a row or more")
        if not bool(torch().isfinite(one).all()):
            raise ValueError(f"{name} holds a number that is not finite; every entry must be a finite number")
    return value


@contextmanager
def measuring() -> Iterator[None]:  # attack: none, it takes nothing
    """Passes of a measure's own, which no twin takes for a batch of a training."""
    before = own.set(True)
    try:
        yield
    finally:
        own.reset(before)


@contextmanager
def evaluation(*models: Any) -> Iterator[None]:  # attack: none, it takes networks
    """Networks in the mode of evaluation; afterwards each module is in its own mode again.

    *models: the networks.
    """
    modes = [(module, module.training) for model in models for module in model.modules()]
    try:
        for model in models:
            model.eval()
        with measuring():
            yield
    finally:
        for module, mode in modes:
            module.training = mode


def outputs(model: Any, x: Any, centred: bool = False) -> Array:  # attack: none, it takes a network
    """What a network answers, as float64, N × K: as many rows as x has, and whatever one has in a row.

    model: the network, or a function of x.
    x: a tensor of N rows, or a tuple of the model's arguments, each of N rows.
    centred: whether the mean over the classes is taken off, which the softmax does not see; they are the second axis.

    Raises ValueError if the answer is no tensor of N rows.
    """
    parts = x if isinstance(x, tuple) else (x,)
    found = []
    for part in zip(*(one.split(ROWS) for one in parts), strict=True):
        answer = model(*part)
        if not isinstance(answer, torch().Tensor) or answer.ndim == 0 or len(answer) != len(part[0]):
            raise ValueError(
                f"model answers with {type(answer).__name__}; it must be a tensor with a row for each of x"
            )
        answer = answer.detach().cpu().double()
        if centred and answer.ndim > 1 and answer.shape[1] > 1:
            answer = answer - answer.mean(1, keepdim=True)
        found.append(answer.flatten(1) if answer.ndim > 1 else answer[:, None])
    return np.asarray(torch().cat(found).numpy())


def settled(model: Any) -> Any:  # attack: none, it is the check
    """The model, if its output at one row is a function of that row and of the parameters.

    model: a torch Module.

    Raises ValueError for batch norm that looks at the batch, for dropout in train mode, and for what is no Module.
    """
    nn = torch().nn
    instance("model", model, nn.Module)
    for name, part in model.named_modules():
        batch, drops = (
            isinstance(part, one) for one in (nn.modules.batchnorm._BatchNorm, nn.modules.dropout._DropoutNd)
        )
        if (batch and (part.training or part.running_mean is None)) or (drops and part.training and part.p > 0):
            why = "the function of one row depends on its batch" if batch else "its output is random"
            raise ValueError(f"model has {type(part).__name__} {name!r} in train mode: {why}; it must be in eval mode")
    return model


def trained(model: Any, names: Sequence[str] | None = None) -> dict[str, Any]:  # attack: none, it is the check
    """The parameters that train, detached, by their names.

    model: a torch Module.
    names: of those that are meant; None: all that train.

    Raises ValueError for a name that is none, where no parameter has a gradient, and for one of another precision.
    """
    model = network("model", settled(model))
    found = {name: part.detach() for name, part in model.named_parameters() if part.requires_grad}
    if not found:
        raise ValueError("model has no parameter with requires_grad; it must have one at least")
    missing = [name for name in names or () if name not in found]
    if missing or (names is not None and not names):
        named = repr(missing[0]) if missing else "empty"
        raise ValueError(f"names has {named}; it must hold names of parameters that train: {', '.join(found)[:200]}")
    return found if names is None else {name: found[name] for name in names}


@contextmanager
def differentiable() -> Iterator[None]:  # attack: none, it takes nothing
    """Attention by its formula, as its fast kernels have no second and no forward derivative."""
    mha, attention = torch().backends.mha, torch().nn.attention
    fast = mha.get_fastpath_enabled()
    mha.set_fastpath_enabled(False)
    try:
        with measuring(), attention.sdpa_kernel(attention.SDPBackend.MATH):
            yield
    finally:
        mha.set_fastpath_enabled(fast)


def flat(parts: Iterable[Any]) -> Any:  # attack: none, it takes a network's tensors
    """The entries of some tensors, one after another, as one tensor.

    parts: tensors, however they lie in memory.
    """
    return torch().cat([part.reshape(-1) for part in parts])


def vector(parts: Mapping[str, Any]) -> Array:  # attack: none, it takes a network's tensors
    """The entries of some tensors, one after another, as float64.

    parts: tensors.
    """
    return np.concatenate([part.detach().cpu().double().numpy().ravel() for part in parts.values()])


def chain(model: Any) -> list[Any]:  # attack: none, it takes a network
    """The modules of a Sequential in their order, those left out that change no number; else the model alone.

    model: a torch Module.
    """
    nn = torch().nn
    if isinstance(model, nn.Sequential):
        return [one for part in model for one in chain(part)]
    same = isinstance(model, nn.Identity | nn.Flatten | nn.modules.dropout._DropoutNd)
    return [] if same else [model]


def dense() -> tuple[Any, ...]:  # attack: none, it takes nothing
    """The kinds of layers that are a matrix, a bias and nothing else."""
    nn = torch().nn
    return nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d
