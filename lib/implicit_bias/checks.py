"""Refuse bad arguments in one line that names the argument, its value and what is allowed."""

import dataclasses
import functools
import inspect
import math
import reprlib
from collections.abc import Callable, Iterable
from numbers import Real
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Given = ParamSpec("Given")
Answer = TypeVar("Answer")

LARGEST_WHOLE = 2**53  # beyond it a float64 no longer tells one whole number from the next
LONGEST_WORD = 60  # of what a message repeats
LARGEST_REQUEST = 4 * 2**30  # bytes, the stated limit of what one call may ask for by a whole number
LARGEST_ORDINARY = 1e50  # its sixth power is a float64, and so is that of its reciprocal


def array(  # attack: none, it is the check
    name: str, value: ArrayLike, ndim: int | None, shape: tuple[int | None, ...] | None = None, *, finite: bool = True
) -> Array:
    """The value as a finite float64 array of the given number of axes and shape, as far as these are not None.

    name: of the argument, for the message.
    value: what was given.
    ndim: number of axes.
    shape: numbers of entries along them, None where any will do.
    finite: whether an entry that is no finite number is refused; a certificate takes such an answer, and fails.

    Raises ValueError with the argument's name, what it has and what it must have.
    """
    unmasked(name, value)
    try:
        raw = np.asarray(value)
        if raw.dtype.kind not in "biufO" or value is None:
            raise TypeError
        out = raw.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError, RuntimeError):
        raise ValueError(f"{name} is {_shown(value)}; it must be an array of real numbers") from None
    if ndim is not None and out.ndim != ndim:
        raise ValueError(f"{name} has {out.ndim} axes (shape {out.shape}); it must have {ndim}")
    if shape is not None and any(
        want is not None and want != have for want, have in zip(shape, out.shape, strict=True)
    ):
        wanted = " × ".join("any" if n is None else str(n) for n in shape)
        raise ValueError(f"{name} has shape {out.shape}; it must be {wanted}")
    if out.size == 0:
        raise ValueError(f"{name} has shape {out.shape}; it must not be empty")
    if finite and not np.all(np.isfinite(out)):
        places = np.argwhere(~np.isfinite(out))
        first, more = places[0].tolist(), f", and {len(places) - 1} more" if len(places) > 1 else ""
        where = f" at {first}{more}" if first else ""
        raise ValueError(f"{name} holds {out[tuple(first)]}{where}; every entry must be a finite number")
    return out


def columns(name: str, value: ArrayLike, n: int | None = None) -> Array:  # attack: none, it is the check
    """The value as ``array`` checks it, a vector or a matrix of several columns, with n entries in each.

    name: of the argument, for the message.
    value: what was given.
    n: number of entries of a column, None where any will do.
    """
    out = array(name, value, None)
    if out.ndim not in (1, 2):
        raise ValueError(f"{name} has {out.ndim} axes (shape {out.shape}); it must have 1 or 2")
    return array(name, out, out.ndim, (n, None)[: out.ndim])


def rows(name: str, value: ArrayLike, d: int) -> Array:  # attack: none, it is the check
    """The value as ``array`` checks it, of any number of axes, the last of which has d entries.

    name: of the argument, for the message.
    value: what was given.
    d: number of entries.
    """
    out = array(name, value, None)
    if out.shape[-1:] != (d,):
        raise ValueError(f"{name} has shape {out.shape}; it must be any × {d}")
    return out


def kept(  # attack: none, it is the check
    owner: object, name: str, ndim: int | None, shape: tuple[int | None, ...] | None = None
) -> Array:
    """The field of a frozen dataclass as ``array`` checks it, and from then on the owner has this array.

    owner: the dataclass.
    name: of the field, for the message too.
    ndim: number of axes.
    shape: numbers of entries along them, None where any will do.
    """
    checked = array(name, getattr(owner, name), ndim, shape)
    object.__setattr__(owner, name, checked)
    return checked


def unmasked(name: str, value: object) -> None:  # attack: none, it is the check
    """Refuse arrays with masked entries: NumPy would calculate with what is under the mask.

    name: of the argument, for the message.
    value: what was given, an array or several of them.
    """
    if _masked(value):
        raise ValueError(f"{name} has masked entries; it must have none")


def number(  # attack: none, it is the check
    name: str,
    value: float,
    *,
    above: float = -math.inf,
    least: float = -math.inf,
    most: float = math.inf,
    below: float = math.inf,
) -> float:
    """The value as a float if it is finite, > above, ≥ least, ≤ most and < below; ValueError otherwise.

    name: of the argument, for the message.
    value: what was given.
    above, least, most, below: the bounds, of which above and below are excluded.
    """
    given = _real(value)
    if given is None or not math.isfinite(given) or given <= above or given < least or given > most or given >= below:
        left = f"({above:g}" if above > -math.inf else f"[{least:g}" if least > -math.inf else "(-inf"
        right = f"{below:g})" if below < math.inf else f"{most:g}]" if most < math.inf else "inf)"
        raise ValueError(
            f"{name} is {_shown(value) if given is None else f'{given:g}'}; it must lie in {left}, {right}"
        )
    return given


def whole(name: str, value: int, *, least: int, most: int | None = None) -> int:  # attack: none, it is the check
    """The value as an int if it is a whole number in [least, most], 2^53 at most; ValueError otherwise.

    name: of the argument, for the message.
    value: what was given.
    least, most: the bounds, both allowed; None: 2^53.
    """
    given = _plain(value)
    if most is None and given is not None and LARGEST_WHOLE < given != math.inf:
        most = LARGEST_WHOLE
    if (
        given is None
        or not (isinstance(given, int) or (math.isfinite(given) and given == int(given)))
        or given < least
        or (most is not None and given > most)
    ):
        allowed = f"a whole number of at least {least}" + ("" if most is None else f" and at most {most}")
        raise ValueError(f"{name} is {_shown(value)}; it must be {allowed}")
    return int(given)


def choice(name: str, value: str, allowed: Iterable[str]) -> str:  # attack: none, it is the check
    """The value if it is one of the words that are allowed; ValueError otherwise.

    name: of the argument, for the message.
    value: what was given.
    allowed: the words.
    """
    allowed = tuple(allowed)
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} is {_word(value)}; it must be one of {', '.join(allowed)}")
    return value


def instance(name: str, value: object, kind: type) -> None:  # attack: none, it is the check
    """Refuse what is not of a class, or has not what a protocol asks for.

    name: of the argument, for the message.
    value: what was given.
    kind: the class, or a protocol that can be checked when the program runs.
    """
    if isinstance(value, type) or not isinstance(value, kind):
        given = f"the class {value.__name__}" if isinstance(value, type) else _word(value)
        asks = sorted(part for part in vars(kind) if not part.startswith("_")) if _protocol(kind) else []
        wanted = f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"
        raise ValueError(f"{name} is {given}; it must be {wanted}" + (f", with {', '.join(asks)}" if asks else ""))


def memory(name: str, value: object, size: int) -> None:  # attack: none, it is the check
    """Refuse a request whose arrays would take more than 4 GiB, before any of them is made.

    name, value: the argument that sets their size.
    size: bytes.
    """
    if size > LARGEST_REQUEST:
        raise ValueError(
            f"{name} is {_shown(value)}; its arrays would take more than {LARGEST_REQUEST / 2**30:g} GiB of memory, "
            "which is the most that one call may ask for"
        )


class OutOfRange(ValueError):
    """Arguments from which a function makes numbers that no float64 holds."""


class SingularSystem(OutOfRange):
    """Arguments of ordinary size from which a function makes a matrix without an inverse."""


def in_range(function: Callable[Given, Answer]) -> Callable[Given, Answer]:  # attack: none, it is the check
    """Refuse, after the fact, arguments so large or so small that no float64 holds what a function makes of them.

    An overflow, a division by zero and an answer that is not finite become a ValueError of one line, which gives the
    sizes of the arguments; so does a singular matrix, which is called one unless their sizes are extreme. Certificates
    may be infinite: that is how they refuse.

    function: what is guarded.
    """

    @functools.wraps(function)
    def guarded(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        try:
            with np.errstate(all="ignore"):
                answer = function(*args, **kwargs)
        except (ArithmeticError, np.linalg.LinAlgError, OutOfRange) as error:
            refused, singular = True, isinstance(error, SingularSystem) or _singular(error)
        else:
            refused, singular = not _finite(answer), False
        if refused:
            given = inspect.signature(function).bind(*args, **kwargs).arguments
            sizes = {name: _size(value) for name, value in given.items()}
            shown = " and ".join(f"{name} is {size:.3g} at most" for name, size in sizes.items() if size is not None)
            if singular and all(_ordinary(size) for size in sizes.values()):
                raise SingularSystem(f"{shown}: the system that {function.__name__} makes of them is singular")
            raise OutOfRange(f"{shown}: no float64 holds what {function.__name__} makes of them")
        return answer

    return guarded


def _finite(answer: object) -> bool:
    """Whether all numbers of an answer are finite; of an answer with a certificate, that is for the certificate."""
    if isinstance(answer, tuple | list):
        return all(_finite(part) for part in answer)
    if dataclasses.is_dataclass(answer):
        if type(answer).__name__ == "Certificate":
            return True
        return all(_finite(getattr(answer, one.name)) for one in dataclasses.fields(answer))
    if isinstance(answer, float | np.ndarray) and np.asarray(answer).dtype.kind in "fc":
        return bool(np.all(np.isfinite(answer)))
    return True


def _size(value: Any) -> float | None:
    """The largest modulus of a number or an array of numbers; None for anything else."""
    if not isinstance(value, int | float | np.ndarray | np.number | list | tuple):
        return None
    try:
        return float(np.max(np.abs(np.asarray(value, dtype=np.float64)), initial=0.0))
    except (TypeError, ValueError, OverflowError):
        return None


def _ordinary(size: float | None) -> bool:
    """Whether neither powers of a size nor of its reciprocal leave the float64; zero has none that do."""
    return not size or 1 / LARGEST_ORDINARY <= size <= LARGEST_ORDINARY


def _singular(error: Exception) -> bool:
    """Whether an error of NumPy or SciPy says that a matrix has no inverse; others say that a search did not end."""
    return isinstance(error, np.linalg.LinAlgError) and "singular" in str(error).lower()


def _masked(value: Any) -> bool:
    """Whether an entry is masked, of an array or of one of several arrays."""
    return any(map(_masked, value)) if isinstance(value, list | tuple) else bool(np.ma.is_masked(value))


def _plain(value: Any) -> int | float | None:
    """A whole number as an int, another real number as a float; None for anything else, truth values included."""
    if _masked(value):
        return None
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return None
    try:
        return int(value) if isinstance(value, int | np.integer) else float(value)
    except OverflowError:
        return None


def _real(value: Any) -> float | None:
    """A real number as a float; None for anything else, and for what no float can hold."""
    try:
        given = _plain(value)
        return None if given is None else float(given)
    except OverflowError:
        return None


def _protocol(kind: type) -> bool:
    return bool(getattr(kind, "_is_protocol", False))


def _word(value: object) -> str:
    """The value as ``_shown`` shows it, a word in quotation marks."""
    return repr(value) if isinstance(value, str) and len(value) <= LONGEST_WORD else _shown(value)


def _shown(value: object) -> str:
    """The value in one short line, whatever it is."""
    if isinstance(value, np.generic):
        value = value.item()
    try:
        text = value if isinstance(value, str) else reprlib.repr(value)
    except Exception:  # the number of digits that Python prints is limited, and a foreign object may do anything
        text = f"a {type(value).__name__} too long to show"
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_WORD else text[: LONGEST_WORD - 3] + "..."
