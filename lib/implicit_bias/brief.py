"""What an answer says of itself when it is printed: one line."""

import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

Class = TypeVar("Class")
FEW = 4  # numbers that are shown; of a longer array, the shape


def brief(*main: str) -> Callable[[type[Class]], type[Class]]:  # attack: none, it is called where a class is made
    """Decorates a dataclass: its ``repr`` is one line, however much it holds.

    Name(margin=0.5, w=[0.6, 0.8], alpha=<150>, certificate=3e-16)

    Numbers have six digits, an array of more than four entries is its shape, a certificate its largest residual, an
    enclosure its ends, a row of a measure its number and its ends, and another dataclass its name.

    main: properties that come first.

    >>> @brief("length")
    ... @dataclasses.dataclass(frozen=True)
    ... class Path:
    ...     steps: np.ndarray
    ...     @property
    ...     def length(self):
    ...         return float(np.sum(self.steps))
    >>> Path(np.ones(150))
    Path(length=150, steps=<150>)
    """

    def decorated(made: type[Class]) -> type[Class]:
        def line(self: Any) -> str:
            names = [*main, *(field.name for field in dataclasses.fields(self) if field.repr)]
            return f"{type(self).__name__}({', '.join(f'{name}={_shown(getattr(self, name))}' for name in names)})"

        made.__repr__ = line  # type: ignore[method-assign]
        return made

    return decorated


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, np.ndarray) and 0 < value.size <= FEW and value.ndim == 1:
        return f"[{', '.join(_shown(entry) for entry in value.tolist())}]"
    if isinstance(getattr(value, "shape", None), tuple) and value.shape:
        return f"<{' × '.join(map(str, value.shape))}>"
    if isinstance(value, (bool, np.bool_, str)) or value is None:
        return repr(value)
    if isinstance(value, (int, np.integer)):
        return str(value)
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}"
    if isinstance(short := getattr(value, "short", None), str):
        return short
    if hasattr(value, "low") and hasattr(value, "high"):
        return f"[{value.low:.17g}, {value.high:.17g}]"
    if hasattr(value, "worst"):
        return f"{value.worst:.1g}"
    if isinstance(value, tuple | list) and len(value) > FEW:
        return f"<{len(value)}>"
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_shown, value))})"
    return getattr(value, "__name__", type(value).__name__)
