"""Whether what was read has the shape of what is written: types, lists of one, dictionaries of known keys."""

import sys
from typing import Any

ANY = ""  # in the place of a key: any key


def fits(value: Any, shape: Any) -> bool:
    """Whether a value is of a shape.

    value: as JSON gives it.
    shape: a type, a tuple of several shapes, a list whose entry is that of all, or a dictionary with exactly these
        keys. A number is finite and not negative, and true and false are none.
    """
    if isinstance(shape, tuple):
        return any(fits(value, one) for one in shape)
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(one, shape[0]) for one in value)
    if isinstance(shape, dict):
        keys_fit = isinstance(value, dict) and (ANY in shape or value.keys() == shape.keys())
        return keys_fit and all(fits(one, shape.get(key, shape.get(ANY))) for key, one in value.items())
    if shape is float:
        return type(value) in (int, float) and 0 <= value <= sys.float_info.max
    return type(value) is int and value >= 0 if shape is int else isinstance(value, shape)
