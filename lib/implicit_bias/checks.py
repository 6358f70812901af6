"""Refuse bad arguments in one line that names the argument, its value and what is allowed."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def array(name: str, value: ArrayLike, ndim: int, shape: tuple[int | None, ...] | None = None) -> Array:
    """The value as a finite float64 array of the given number of axes, and of the given shape where it is not None.

    Raises ValueError with the argument's name, what it has and what it must have.
    """
    out = np.asarray(value, dtype=np.float64)
    if out.ndim != ndim:
        raise ValueError(f"{name} has {out.ndim} axes (shape {out.shape}); it must have {ndim}")
    if shape is not None and any(
        want is not None and want != have for want, have in zip(shape, out.shape, strict=True)
    ):
        wanted = " × ".join("any" if n is None else str(n) for n in shape)
        raise ValueError(f"{name} has shape {out.shape}; it must be {wanted}")
    if out.size == 0:
        raise ValueError(f"{name} has shape {out.shape}; it must not be empty")
    if not np.all(np.isfinite(out)):
        raise ValueError(f"{name} holds {int(np.sum(~np.isfinite(out)))} entries that are not finite numbers")
    return out


def number(
    name: str,
    value: float,
    *,
    above: float = -math.inf,
    least: float = -math.inf,
    most: float = math.inf,
    below: float = math.inf,
) -> float:
    """The value as a float if it is finite, > above, ≥ least, ≤ most and < below; ValueError otherwise."""
    value = float(value)
    if not math.isfinite(value) or value <= above or value < least or value > most or value >= below:
        left = f"({above:g}" if above > -math.inf else f"[{least:g}" if least > -math.inf else "(-inf"
        right = f"{below:g})" if below < math.inf else f"{most:g}]" if most < math.inf else "inf)"
        raise ValueError(f"{name} is {value:g}; it must lie in {left}, {right}")
    return value


def whole(name: str, value: int, *, least: int, most: int | None = None) -> int:
    """The value as an int if it is a whole number in [least, most]; ValueError otherwise."""
    allowed = f"a whole number of at least {least}" + ("" if most is None else f" and at most {most}")
    if int(value) != value or value < least or (most is not None and value > most):
        raise ValueError(f"{name} is {value}; it must be {allowed}")
    return int(value)
