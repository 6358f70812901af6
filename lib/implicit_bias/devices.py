"""Where arrays live: in memory as NumPy's, or as PyTorch's tensors on a device that the caller names.

Only what is trained by mini-batches may live on a device: the softmax network and the convolutional one.
"""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array
from implicit_bias.late import extra


def namespace(values: Any, name: str = "values") -> Any:  # attack: none, its arrays are checked
    """NumPy or PyTorch, whichever the values belong to: the operations that are used have the same names in both.

    values: an array or a tensor.
    name: of the argument, for the message.

    Raises ValueError for anything else.
    """
    if isinstance(values, np.ndarray):
        return np
    torch = sys.modules.get("torch")  # whoever has a tensor has loaded it
    if torch is None or not isinstance(values, torch.Tensor):
        raise ValueError(f"{name} is of type {type(values).__name__}; it must be an array or a tensor")
    return torch


def on_device(values: NDArray[Any], device: str | None) -> Any:  # attack: none, its arrays are checked
    """The values as a tensor on a device, or as they are where the device is None.

    values: a NumPy array.
    device: a device in PyTorch's words, such as cpu or cuda:0; None stays with NumPy.

    Raises ValueError where PyTorch cannot hold float64 numbers there.
    """
    if device is None:
        return values
    with extra():
        import torch  # takes a second: only where it is asked for

    try:
        return torch.as_tensor(values, device=device)
    except (RuntimeError, AssertionError, TypeError):
        here = ["cpu", *(f"cuda:{k}" for k in range(torch.cuda.device_count()))]
        raise ValueError(f"device is {device!r}; it must be one that PyTorch has here: {', '.join(here)}") from None


def in_memory(values: Any) -> Array:  # attack: none, its arrays are checked
    """The values as a NumPy array.

    values: an array of NumPy, or a tensor of PyTorch on any device.
    """
    return values if isinstance(values, np.ndarray) else np.asarray(values.cpu())
