"""Steps of flows in C, where ``python -m implicit_bias.compiled`` has built them; elsewhere they are NumPy's."""

import ctypes
import os
import platform
import zlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from implicit_bias.checks import Array

SOURCE = Path(__file__).with_suffix(".c")
PROCESSOR = repr(getattr(import_module("numpy._core._multiarray_umath"), "__cpu_features__", platform.processor()))
KEY = zlib.crc32(SOURCE.read_bytes() + PROCESSOR.encode())  # what is built for one processor is not loaded on another
BUILT = SOURCE.with_name(f"compiled-{platform.machine()}-{KEY:08x}.lib")
OPTIONS = ("-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-Wno-psabi", "-shared", "-fPIC")
HELD = "NPY_DISABLE_CPU_FEATURES"  # where NumPy is held to older instructions, it is to round alike everywhere
FLOAT = np.dtype(np.float64)
WIDEST = 64  # coordinates: with more of them the processor's libraries multiply matrices as fast
HIGHEST = 8  # frequency
FARTHEST = 1e5  # angle whose multiple of a quarter is taken off exactly


def _build(to: Path) -> None:
    """Compile what lies in C beside this file."""
    import subprocess  # takes longer than all else here

    trial = to.with_suffix(f".{os.getpid()}")
    subprocess.run([os.environ.get("CC", "cc"), *OPTIONS, "-o", trial, SOURCE, "-lm"], check=True)
    trial.replace(to)  # whoever has loaded the one before keeps it


def _loaded(path: Path) -> Any:
    """The functions in C."""
    library, real, whole, at = ctypes.CDLL(str(path)), ctypes.c_double, ctypes.c_long, ctypes.c_void_p
    library.outputs.argtypes = [at, at]
    library.pulls.argtypes = [at, at, real, at]
    library.descent.argtypes = [at, at, real, real, at]
    library.variations.argtypes = [whole] * 5 + [real] + [at] * 5
    library.descents.argtypes = [whole] * 6 + [real] * 3 + [whole] + [at] * 6
    library.kinks.argtypes = [whole] + [real] * 3 + [at] * 3
    library.descent.restype = library.descents.restype = whole
    return library


LIBRARY: Any = None if HELD in os.environ or not BUILT.exists() else _loaded(BUILT)


def _at(values: Array) -> int:
    """Where the numbers of an array begin that lie in a row; so in a fifth of the time that its own attribute takes."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(values))  # type: ignore[arg-type]
    except TypeError:  # it is not to be written to
        return int(values.ctypes.data)


def _fits(*arrays: Array) -> bool:
    return LIBRARY is not None and all(one.dtype is FLOAT and one.flags.c_contiguous for one in arrays)


class BothLayers:  # attack: none, inner loop of flows
    """Σ_j a_j (w_j·x_i)₊ of m neurons on n points, and what its two layers pull: states are W row by row, then a.

    x: n × d.
    y: labels, n numbers.
    m: number of neurons.
    """

    def __init__(self, x: Array, y: Array, m: int) -> None:
        """Lay the points out as they are read."""
        (n, d), lanes = x.shape, ctypes.c_long.in_dll(LIBRARY, "lanes").value
        rows = np.pad(np.asarray(x, float), ((0, -n % (4 * lanes)), (0, -d % lanes)))
        columns = np.ascontiguousarray(rows[:, :d].reshape(-1, 4 * lanes, d).swapaxes(1, 2))
        self.f, self.r = np.zeros((2, len(rows)))
        memory = np.empty((m, rows.shape[1])), np.empty((len(columns), m, lanes), np.uint8)
        self._held = columns, rows, np.array(y, float), self.f, self.r, *memory
        self._network = np.array([len(columns), m, d, rows.shape[1], n, *map(_at, self._held)])  # as the structure in C
        self.n, self._size, self._net = n, m * (d + 1), _at(self._network)
        self._made, self._lock = (x, y, m), Lock()
        self._last: tuple[Array | None, int] = None, 0  # the state after a step, and where it begins

    def __reduce__(self) -> tuple[Any, ...]:
        """Made anew where it is unpickled: what lies in memory lies elsewhere there."""
        return both_layers, self._made

    def takes(self, state: Array) -> bool:
        """Whether a state has all its numbers in a row."""
        return state.size == self._size and _fits(state)

    def gradient(self, state: Array, slope: Callable[[Array], Array], scale: float) -> Array:
        """Of what has these slopes in the outputs times a scale, at a state that it takes."""
        answer, begins = np.empty_like(state), _at(state)
        with self._lock:
            LIBRARY.outputs(self._net, begins)
            self.r[: self.n] = slope(scale * self.f[: self.n])
            LIBRARY.pulls(self._net, begins, scale, _at(answer))
        return answer

    def outputs(self, state: Array) -> Array:
        """The n numbers at a state that it takes."""
        with self._lock:
            LIBRARY.outputs(self._net, _at(state))
            return self.f[: self.n].copy()

    def moved(self, state: Array, scale: float, rate: float) -> Array | None:
        """After a step along the gradient of the labels' exponential smooth margin; None where that is not finite."""
        known, begins = self._last
        if state is not known:
            if not self.takes(state):
                return None
            begins = _at(state)
        moved = np.empty_like(state)
        self._last = moved, _at(moved)
        return moved if LIBRARY.descent(self._net, begins, scale, rate, self._last[1]) else None


def both_layers(x: Array, y: Array, m: int) -> BothLayers | None:  # attack: none, inner loop of flows
    """``BothLayers``; None where that is not built or does not fit.

    x, y, m: as there.
    """
    return BothLayers(x, y, m) if LIBRARY is not None and x.shape[1] <= WIDEST else None


class Conic:  # attack: none, inner loop of flows
    """What ``ParticleMeasure`` says of measures side by side, S clouds of m particles: rows are those of (r, θ).

    cutoff, target, signs, power, penalty: of that measure.
    count: S.
    """

    def __init__(
        self, cutoff: int, target: Array, signs: Array | None, power: int, penalty: float, count: int = 1
    ) -> None:
        """Keep what all calls are given."""
        self.cutoff, self.count, self.power, self.penalty = cutoff, count, power, penalty
        self.target, self.signs = np.array(target), None if signs is None else np.array(signs)
        self.rows = 3 if self.target.shape[1] > 1 else 2
        self._given = [self.signs if self.signs is None else _at(self.signs), _at(self.target)]

    def __reduce__(self) -> tuple[Any, ...]:
        """Made anew where it is unpickled."""
        return Conic, (self.cutoff, self.target, self.signs, self.power, self.penalty, self.count)

    def derivative(self, rows: Array) -> Array | None:
        """J′ and its derivatives, rows as well; None where that is not built or does not fit."""
        if not self._near(rows):
            return None
        m, answer = rows.shape[1] // self.count, np.empty_like(rows)
        size, memory = (self.cutoff, len(rows) - 1, self.count, m, self.power), np.empty(4 * m + 32)
        LIBRARY.variations(*size, self.penalty, _at(rows), *self._given, _at(memory), _at(answer))
        return answer

    def steps(self, count: int, rows: Array, alpha: float, beta: float, retraction: int) -> tuple[Array, int]:
        """Where ``ConicDescent`` is after as many steps as can be had, at most a count, and how many they are."""
        if not self._near(rows):
            return rows, 0
        m, moved = rows.shape[1] // self.count, rows.copy()
        size, memory = (self.cutoff, len(rows) - 1, self.count, m, self.power), np.empty(4 * m + 32)
        given = (self.penalty, alpha, beta, retraction, _at(moved), *self._given, _at(memory))
        spare = np.empty((2, *rows.shape))
        taken = LIBRARY.descents(count, *size, *given, *map(_at, spare))
        return moved, taken

    def _near(self, rows: Array) -> bool:
        if not _fits(rows) or self.cutoff > HIGHEST:
            return False
        return bool(max(rows[1:].max(initial=0.0), -rows[1:].min(initial=0.0)) < FARTHEST)


def kinks(  # attack: none, inner loop of flows
    z: Array, slope: float, width: float, shift: float
) -> tuple[Array, Array] | None:
    """``LeakyReLU.with_derivative`` of a smoothed kink; None where it is not built or does not fit.

    z: numbers.
    slope, width, shift: γ, ε and what is added, so that the kink is not centred.
    """
    if not _fits(z):
        return None
    value, gate = np.empty_like(z), np.empty_like(z)
    LIBRARY.kinks(z.size, slope, width, shift, _at(z), _at(value), _at(gate))
    return value, gate


if __name__ == "__main__":
    _build(BUILT)
