"""What every measure does with a network that it is given: it checks it, evaluates it, and leaves it as it was."""

import functools
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from implicit_bias.checks import Array
from implicit_bias.late import extra

ROWS = 500  # that are evaluated at once


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
def evaluation(*models: Any) -> Iterator[None]:  # attack: none, it takes networks
    """Networks in the mode of evaluation; afterwards each module is in its own mode again.

    *models: the networks.
    """
    modes = [(module, module.training) for model in models for module in model.modules()]
    try:
        for model in models:
            model.eval()
        yield
    finally:
        for module, mode in modes:
            module.training = mode


@contextmanager
def evaluating(*models: Any) -> Iterator[None]:  # attack: none, it takes networks
    """Networks in the mode of evaluation, without gradients.

    *models: the networks.
    """
    with evaluation(*models), torch().no_grad():
        yield


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
