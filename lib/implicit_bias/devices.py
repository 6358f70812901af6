"""Where arrays live: NumPy on the processor, PyTorch on a graphics card, with operations that both spell alike."""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array

DEVICES = ("cpu", "cuda")


def check_device(device: str) -> str:
    """The device's name if this machine has it; ValueError, one line, otherwise."""
    if device not in DEVICES:
        raise ValueError(f"device is {device!r}; it must be one of {', '.join(DEVICES)}")
    if device == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise ValueError("device is 'cuda'; PyTorch finds no graphics card here, choose 'cpu'")
    return device


def to_device(value: Array | NDArray[np.int64], device: str) -> Any:
    """A NumPy array as the device computes with it, in float64 or int64: NumPy for "cpu", a PyTorch tensor for "cuda".

    Raises ValueError for a device that is unknown or absent.
    """
    if check_device(device) == "cpu":
        return value
    import torch

    return torch.from_numpy(np.ascontiguousarray(value)).to(device)


def to_numpy(value: Any) -> Array:
    """A device's array as a NumPy array; for NumPy the array itself."""
    return value if isinstance(value, np.ndarray) else np.asarray(value.cpu().numpy())


def operations(value: Any) -> Any:
    """The module whose functions take this array: NumPy or PyTorch."""
    return np if isinstance(value, np.ndarray) else sys.modules["torch"]
