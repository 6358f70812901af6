"""Class 7: calls of the library with arguments that are wrong, extreme, or the same in another form."""

import dataclasses
import math
import re
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from attacks.case import Bad, Class, demand
from attacks.recipes import RECIPES, callable_of
from attacks.stage import Stage

CALLS = Class("calls", "Library calls with wrong and extreme arguments")
RIGHT = "finite numbers, or one clear error that names the argument"
LONGEST = 500
ADDRESSES = sorted(RECIPES)
HONEST = ("CertificateError", "FlowError")  # they say that there is no answer, which is one
SECONDS = 20.0
NUMBERS: tuple[Any, ...] = (
    math.nan,
    math.inf,
    -math.inf,
    0,
    -0.0,
    -1,
    -2.5,
    1e300,
    1e150,
    1e-150,
    1e-300,
    5e-324,
    10**400,
    -(10**400),
    10**9,
    2.5,
    True,
    False,
    None,
    "7",
    "seven",
    b"7",
    [],
    [1, 2],
    {},
    1j,
    Fraction(1, 3),
    Decimal("0.5"),
    object(),
    np.float32(0.5),
    np.int64(3),
    np.array(2),
    np.array([1.0]),
    "\n",
)
WORDS: tuple[Any, ...] = ("", "nonsense", None, 5, [], "Gaussian", "two\nlines", "x" * 2000, b"sphere")


def spoiled_arrays(rng: Random, good: Any) -> tuple[Any, ...]:
    """Arrays that are not what is asked for, of every kind; one entry of the first three is no number."""
    array = np.array(good, dtype=float)
    holed = []
    for value in (math.nan, math.inf, -math.inf):
        holed.append(array.copy())
        holed[-1][tuple(rng.randrange(n) for n in array.shape)] = value
    return (
        *holed,
        np.empty((0,) * array.ndim),
        array[..., None],
        array[:0] if array.ndim else array,
        np.zeros_like(array),
        -array,
        array * 1e150,
        array * 1e-150,
        array * 1e-320,
        array * 1e300,
        array.astype(object),
        array.astype(str),
        array + 1j,
        None,
        "text",
        [[1.0], [1.0, 2.0]],
        5.0,
        {},
        np.concatenate([array, array]) if array.ndim else array,
    )


def spoiled(rng: Random, good: Any) -> Any:
    """A value in the place of a good one: of another type, out of range, extreme."""
    if isinstance(good, float) and rng.random() < 0.1:
        return rng.choice(spoiled_arrays(rng, good))
    return rng.choice(every_spoiled(rng, good))


def every_spoiled(rng: Random, good: Any) -> tuple[Any, ...]:
    """All the values that come in the place of a good one."""
    if isinstance(good, np.ndarray | list | tuple):
        return spoiled_arrays(rng, good)
    return WORDS if isinstance(good, str) else NUMBERS


def plain(value: Any) -> bool:
    """Whether an argument is made of numbers or words; what is of a class of the library a type checker holds."""
    if isinstance(value, list | tuple):
        return all(isinstance(part, bool | int | float) for part in value)
    return isinstance(value, bool | int | float | str | np.ndarray)


def call(address: str, arguments: dict[str, Any]) -> Any:
    """The answer of a call; of an entropy or a regularizer that of its method. Numerical warnings are the caller's."""
    target = callable_of(address)
    with np.errstate(all="ignore"):
        return target(**arguments)  # type: ignore[misc]


def is_finite(answer: Any, depth: int = 0) -> bool:
    """Whether every number in an answer is finite."""
    if isinstance(answer, bool | str | bytes | None | np.random.Generator) or depth > 4:
        return True
    if isinstance(answer, int | float | complex | np.number):
        return bool(np.isfinite(complex(answer))) if not isinstance(answer, int) else True
    if isinstance(answer, np.ndarray):
        if answer.dtype.kind in "OU":  # kept as it was given, and checked as numbers
            answer = answer.astype(float)
        return bool(np.all(np.isfinite(answer))) if answer.dtype.kind in "fc" else answer.dtype.kind in "iub"
    if isinstance(answer, dict):
        return all(is_finite(value, depth + 1) for value in answer.values())
    if isinstance(answer, list | tuple):
        return all(is_finite(value, depth + 1) for value in answer)
    if type(answer).__name__ == "Certificate":  # a residual that is no number certifies nothing, which is an answer
        return True
    if dataclasses.is_dataclass(answer):
        return all(
            is_finite(getattr(answer, one.name), depth + 1)
            for one in dataclasses.fields(answer)
            if one.name not in INFINITE
        )
    return True


# As their documentation says: of max_margin, where every point is a support vector; of images with standardised pixels.
INFINITE = {"slack", "largest"}


def clear(error: BaseException, names: "list[str]") -> str:
    """Why an error is not clear, or nothing: it is one line, of a type that is meant, and names an argument."""
    kind, text = type(error).__name__, str(error)
    if kind in HONEST:
        return "" if text.strip() and "\n" not in text.strip() else f"{kind} of more than a line"
    if not isinstance(error, ValueError | TypeError) or kind in ("LinAlgError", "UFuncTypeError", "UnicodeDecodeError"):
        return f"{kind}: {text[:120]}"
    if "\n" in text.strip() or len(text) > LONGEST:
        return f"{kind} of more than a line: {text[:80]!r}"
    for name in names:
        if len(name) > 1 and re.search(rf"\b{re.escape(name)}\b", text):
            return ""
        if re.search(
            rf"(^|[\s'`‖(|√]){re.escape(name)}[.\w]*('| =|=| is\b| has\b| holds\b| must\b| and\b|,|‖| −)", text
        ):
            return ""
    return f"{kind} names no argument: {text[:120]}"


def of_class(rng: Random, good: dict[str, Any]) -> str:
    """The argument to spoil."""
    return rng.choice([name for name, value in good.items() if plain(value)] or [""])


@CALLS.attack(RIGHT, weight=12, limit=SECONDS)
def one_argument(stage: Stage, rng: Random) -> dict[str, Any] | None:
    address = rng.choice(ADDRESSES)
    if callable_of(address) is None:
        return None
    good = RECIPES[address](np.random.default_rng(rng.randrange(2**32)))
    name = of_class(rng, good)
    if not name:
        return None
    value = spoiled(rng, good[name])
    why = unclear(address, good, name, value)
    if why:
        raise Bad(f"{address.rsplit('.', 1)[-1]}({name}={brief(value)}): {why}")
    return {"call": address}


def unclear(address: str, good: dict[str, Any], name: str, value: Any) -> str:
    """Why the answer of a call with one spoiled argument is neither finite nor one clear line, or nothing."""
    try:
        answer = call(address, {**good, name: value})
    except Exception as error:
        return clear(error, list(good))
    if not is_finite(answer):
        return "an answer that is not finite"
    kept = getattr(answer, name, None) if value is not None else None
    if isinstance(kept, float) and not math.isfinite(kept) and not keeps_any(answer, name):
        return "it is kept"
    return ""


def keeps_any(answer: Any, name: str) -> bool:
    """Whether an answer may hold a number that is not finite under this name."""
    return type(answer).__name__ == "Certificate" or name in INFINITE


def brief(value: Any) -> str:
    """A value in a few characters."""
    if type(value) is object:
        return "object()"
    if isinstance(value, np.ndarray) and value.size > 3:
        kind = (
            "object"
            if value.dtype.kind not in "fc"
            else f"max {np.nanmax(np.abs(value)):.3g}"
            if not np.all(np.isnan(value))
            else "nan"
        )
        bad = (
            f", {int(np.sum(~np.isfinite(value)))} not finite"
            if value.dtype.kind in "fc" and not np.all(np.isfinite(value))
            else ""
        )
        return f"array{value.shape} {kind}{bad}"
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # a whole number of more digits than Python prints
        text = "10**400"
    return text if len(text) < 50 else f"{text[:47]}…"


@CALLS.attack("the same numbers in another form give the same answer, and are not changed", weight=3, limit=SECONDS)
def another_form(stage: Stage, rng: Random) -> dict[str, Any] | None:
    address, seed = rng.choice(ADDRESSES), rng.randrange(2**32)
    if callable_of(address) is None:
        return None
    good, again = (RECIPES[address](np.random.default_rng(seed)) for _ in range(2))
    arrays = [name for name, value in good.items() if isinstance(value, np.ndarray) and value.dtype.kind == "f"]
    if not arrays:
        return None
    name = rng.choice(arrays)
    value = again[name]
    form, given = rng.choice(
        (
            ("in Fortran's order", np.asfortranarray(value)),
            ("as every second of an array", np.repeat(value, 2, axis=-1)[..., ::2]),
            ("read only", _read_only(value)),
            ("of big-endian numbers", value.astype(">f8")),
        )
    )
    if form == "of big-endian numbers" and address.endswith(("fourier_basis", "glorot")):
        return None
    before = np.array(given)
    first = call(address, good)
    try:
        second = call(address, {**again, name: given})
    except Exception as error:
        raise Bad(f"{address}({name} {form}): {type(error).__name__}: {error}") from None
    demand(np.array_equal(before, given), f"{address} changed its argument {name}")
    demand(_same(first, second), f"{address}({name} {form}): another answer")
    return {"call": address}


def _read_only(value: Any) -> Any:
    kept = value.copy()
    kept.flags.writeable = False
    return kept


def _same(a: Any, b: Any) -> bool:
    """Whether two answers agree, up to the rounding of sums in another order."""
    if dataclasses.is_dataclass(a):
        return all(
            _same(getattr(a, one.name), getattr(b, one.name))
            for one in dataclasses.fields(a)
            if one.name != "certificate"
        )
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, np.ndarray | float):
        return bool(np.allclose(a, b, rtol=1e-6, atol=1e-9, equal_nan=True))
    return True


def scale(rng: Random) -> float:
    """A factor from 1e-150 to 1e150, more often a moderate one."""
    return 10.0 ** rng.choice((rng.uniform(-150, 150), rng.uniform(-12, 12), rng.choice((-150, -20, 20, 150))))


def answered(address: str, arguments: dict[str, Any]) -> Any:
    """The answer; None if the library says in a clear error that it gives none."""
    try:
        return call(address, arguments)
    except Exception as error:
        why = clear(error, list(arguments))
        demand(not why, f"{address}: {why}")
        return None


def conditioned(rng: Random, n: int, d: int, spread: float) -> Any:
    """Points on one side of a plane, their lengths spread over some powers of ten."""
    g = np.random.default_rng(rng.randrange(2**32))
    normal = g.normal(size=d)
    z = g.normal(size=(n, d))
    z *= np.where(z @ normal > 0, 1.0, -1.0)[:, None]
    z += 0.1 * normal / np.linalg.norm(normal)
    return z * 10.0 ** g.uniform(-spread, spread, (n, 1))


def in_units(z: Any, c: float) -> Any:
    """Points in units of c, with c so far from 1 that sums of squares may leave the range of numbers."""
    return z * c


@CALLS.attack(
    "the margin is the largest: a direction, margins of at least 1 and multipliers, all checked anew, in any unit",
    weight=2,
)
def largest_margin(stage: Stage, rng: Random) -> None:
    z, c = conditioned(rng, rng.randint(2, 8), rng.randint(2, 6), rng.choice((0, 0, 1, 2, 4))), scale(rng)
    answer = answered("limits.margin.linear.max_margin", {"z": in_units(z, c)})
    if answer is None:
        _may_refuse(z, c)
        return
    w, alpha = answer.w * c, answer.alpha * c * c  # those of z itself
    demand(np.all(np.isfinite(w)), f"not finite (factor {c:.1e})")
    margins = z @ w
    size = float(np.linalg.norm(w))
    demand(margins.min() > 1 - 1e-6, f"margin {margins.min():.3g} (factor {c:.1e})")
    demand(alpha.min() >= -1e-8 * alpha.max(), f"a negative multiplier (factor {c:.1e})")
    demand(np.linalg.norm(alpha @ z - w) <= 1e-6 * size, f"w is not Σ α z (factor {c:.1e})")
    demand(abs(float(alpha.sum()) - size**2) <= 1e-5 * size**2, f"duality gap (factor {c:.1e})")


@CALLS.attack("the ℓ1 margin is the largest, checked by its dual anew, in any unit", weight=2)
def largest_l1_margin(stage: Stage, rng: Random) -> None:
    z, c = conditioned(rng, rng.randint(2, 8), rng.randint(2, 6), rng.choice((0, 0, 1, 3, 6))), scale(rng)
    answer = answered("limits.margin.l1_margin.l1_max_margin", {"z": in_units(z, c)})
    if answer is None:
        _may_refuse(z, c)
        return
    w, alpha = answer.w * c, answer.alpha * c
    demand(np.all(np.isfinite(w)), f"not finite (factor {c:.1e})")
    size = float(np.abs(w).sum())
    demand((z @ w).min() > 1 - 1e-6, f"margin {(z @ w).min():.3g} (factor {c:.1e})")
    # In units of each point, whose lengths may differ by powers of ten.
    shares = answer.alpha * np.abs(in_units(z, c)).max(axis=1)
    demand(shares.min() >= -1e-6, f"a multiplier of share {shares.min():.2g} (factor {c:.1e})")
    demand(np.abs(alpha @ z).max() <= 1 + 1e-6, f"the dual is not feasible (factor {c:.1e})")
    demand(abs(float(alpha.sum()) - size) <= 1e-5 * size, f"duality gap (factor {c:.1e})")


def _may_refuse(z: Any, c: float) -> None:
    demand(_spread(z) > 1e5 or not _separable(z), f"refused, although a plane separates the points (factor {c:.1e})")


def _spread(z: Any) -> float:
    sizes = np.linalg.norm(z, axis=1)
    return float(sizes.max() / sizes.min())


def _separable(z: Any) -> bool:
    """Whether a plane separates the points with some room, by a linear program in points of size 1."""
    from scipy.optimize import linprog

    unit = z / np.linalg.norm(z, axis=1)[:, None]
    n, d = unit.shape
    program = linprog(
        np.append(np.zeros(d), -1.0),
        A_ub=np.hstack([-unit, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        bounds=[(-1, 1)] * d + [(None, 1)],
    )
    return bool(program.status == 0 and -program.fun > 1e-3)


@CALLS.attack("the shortest interpolator is the one in the row space, in any unit of x and of y", weight=2)
def least_norm(stage: Stage, rng: Random) -> None:
    g, c, e = np.random.default_rng(rng.randrange(2**32)), scale(rng), scale(rng)
    n = rng.randint(1, 5)
    x, y = g.normal(size=(n, n + rng.randint(0, 4))), g.normal(size=n)
    answer = answered("limits.interpolation.least_norm.least_norm", {"x": x * c, "y": y * e})
    if answer is None:
        demand(
            abs(math.log10(c)) > 30 or abs(math.log10(e)) > 30 or np.linalg.cond(x) > 1e6,
            f"refused in units {c:.1e}, {e:.1e}",
        )
        return
    with np.errstate(all="ignore"):
        w = answer.w * (c / e)
    demand(np.all(np.isfinite(answer.w)) and np.all(np.isfinite(answer.dual)), f"not finite in units {c:.1e}, {e:.1e}")
    if np.all(np.isfinite(w)):
        truth = np.linalg.pinv(x) @ y
        demand(
            np.allclose(w, truth, rtol=1e-5, atol=1e-8 * np.abs(truth).max()), f"another w in units {c:.1e}, {e:.1e}"
        )


@CALLS.attack("the interpolator of least ℓ1 norm, checked by its dual anew, in any unit", weight=2)
def least_l1(stage: Stage, rng: Random) -> None:
    g, c, e = np.random.default_rng(rng.randrange(2**32)), scale(rng), scale(rng)
    n = rng.randint(1, 4)
    x, y = g.normal(size=(n, n + rng.randint(1, 5))), g.normal(size=n)
    answer = answered("limits.interpolation.least_l1.least_l1", {"x": x * c, "y": y * e})
    if answer is None:
        demand(abs(math.log10(c)) > 6 or abs(math.log10(e)) > 6, f"refused in units {c:.1e}, {e:.1e}")
        return
    w, dual = answer.w * (c / e), answer.dual * c
    demand(np.linalg.norm(x @ w - y) <= 1e-6 * np.linalg.norm(y), f"it does not interpolate in units {c:.1e}, {e:.1e}")
    demand(np.abs(dual @ x).max() <= 1 + 1e-6, f"the dual is not feasible in units {c:.1e}, {e:.1e}")
    demand(abs(float(y @ dual) - np.abs(w).sum()) <= 1e-5 * np.abs(w).sum(), f"duality gap in units {c:.1e}, {e:.1e}")


@CALLS.attack(
    "the minimizer of the hyperbolic entropy interpolates and its gradient lies in the row space, in any unit", weight=2
)
def entropy(stage: Stage, rng: Random) -> None:
    from implicit_bias.limits.interpolation.hyperbolic_entropy import HyperbolicEntropy

    g, c, k = np.random.default_rng(rng.randrange(2**32)), scale(rng) ** 0.1, 10.0 ** rng.uniform(-8, 4)
    n = rng.randint(1, 4)
    x, y = g.normal(size=(n, n + rng.randint(1, 5))), g.normal(size=n) * c
    q = HyperbolicEntropy(np.full(x.shape[1], k))
    try:
        answer = q.minimize(x, y)
    except Exception as error:
        why = clear(error, ["x", "y", "tolerance", "start"])
        demand(not why and (c > 1e6 or c < 1e-6), why or f"refused for y of size {c:.1e}: {error}")
        return
    demand(
        np.linalg.norm(x @ answer.w - y) <= 1e-6 * np.linalg.norm(y), f"it does not interpolate at {c:.1e}, k {k:.1e}"
    )
    gradient = np.arcsinh(2 * answer.w / math.sqrt(k)) / 2
    outside = gradient - np.linalg.pinv(x) @ (x @ gradient)
    demand(
        np.linalg.norm(outside) <= 1e-5 * max(np.linalg.norm(gradient), 1e-12),
        f"its gradient leaves the row space at {c:.1e}, k {k:.1e}",
    )


@CALLS.attack("a certificate with a residual that is no number is never accepted")
def certificate(stage: Stage, rng: Random) -> None:
    from implicit_bias.limits.certificate import Certificate, CertificateError

    parts = [rng.choice((0.0, 1e-15, -1e-15)) for _ in range(3)]
    parts[rng.randrange(3)] = rng.choice((math.nan, math.inf, 1.0, -math.inf))
    if parts[0] == -math.inf or parts[1] == -math.inf:  # one-sided residuals
        return
    try:
        Certificate(*parts).demand(1e-9, "the answer")
    except (CertificateError, ValueError):
        return
    raise Bad(f"Certificate{tuple(parts)} is accepted")


@CALLS.attack("the smooth margin lies between the least margin and the mean, for any β > 0")
def smooth_margin(stage: Stage, rng: Random) -> None:
    g = np.random.default_rng(rng.randrange(2**32))
    m, beta = g.normal(size=rng.randint(1, 6)) * 10 ** rng.uniform(-3, 3), 10.0 ** rng.uniform(-18, 12)
    value = answered("losses.smooth_margin", {"m": m, "beta": beta})
    if value is not None:
        room = 1e-9 * np.abs(m).max()
        demand(
            m.min() - room <= value <= m.mean() + room,
            f"{value:.6g} for margins of {m.min():.6g} to {m.mean():.6g} (mean), β {beta:.1e}",
        )
