"""Stochastic gradient descent on mini-batches: recorded at chosen steps, interrupted and resumed to the last bit."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from implicit_bias.brief import brief
from implicit_bias.checks import Array, number, whole
from implicit_bias.devices import in_memory, on_device
from implicit_bias.flows.checkpoint import Checkpoint, Parameters
from implicit_bias.flows.driver import Solution, drive


@dataclass(frozen=True)
class Batches:  # attack: none, it takes functions
    """Mini-batches without replacement: every epoch takes the samples in an order of its own, drawn from the stream.

    The order of an epoch depends on the stream and on the epoch alone, so that a run can begin anywhere.

    n: number of samples.
    size: samples of a batch; the last one of an epoch may hold fewer.
    stream: the seed sequence of the orders.

    >>> batches = Batches(5, 2, np.random.SeedSequence(0))
    >>> batches.of_epoch, sorted(batches.order(0).tolist())
    (3, [0, 1, 2, 3, 4])
    """

    n: int
    size: int
    stream: np.random.SeedSequence

    def __post_init__(self) -> None:
        """Refuse sizes below 1."""
        whole("n", self.n, least=1)
        whole("size", self.size, least=1)

    @property
    def of_epoch(self) -> int:
        """Steps in an epoch, ⌈n/size⌉."""
        return -(-self.n // self.size)

    def order(self, epoch: int) -> NDArray[np.int64]:
        """The samples in the order of this epoch."""
        key = (*self.stream.spawn_key, epoch)
        return np.random.default_rng(np.random.SeedSequence(self.stream.entropy, spawn_key=key)).permutation(self.n)


@dataclass(frozen=True)
class MinibatchState:
    """Parameters on their device after t steps, what has been measured so far, and the samples in the epoch's order.

    t: number of steps.
    parameters: θ, arrays on the device.
    values: what was measured, a row for each recorded step so far.
    order: the samples in the order of this epoch.
    """

    t: float
    parameters: Parameters
    values: tuple[Sequence[float], ...]
    order: NDArray[np.int64]

    @property
    def evaluations(self) -> int:
        """Gradients of batches: one a step."""
        return int(self.t)

    @property
    def theta(self) -> Array:
        """What was measured last, q numbers: it stands for the parameters, which may be large and on a device."""
        return np.asarray(self.values[-1], dtype=np.float64)

    def at(self, t: float) -> Array:
        """The same: nothing is measured within a step."""
        return self.theta


@dataclass
class MinibatchDescent:
    """θ ← θ − η ∇L_B(θ), one batch a step; time counts steps. The run itself keeps its checkpoint and its latest state.

    gradient, batches, learning_rate, measure, device, progress: as in ``minibatch_descent``.
    shapes: of the parts of θ.
    steps: those after which to measure; the last one ends the run.
    checkpoint, path: where to keep the state, and in which file; None keeps none.

    >>> batches = Batches(4, 4, np.random.SeedSequence(0))
    >>> def gradient(w, i):
    ...     return (w[0],)
    >>> run = minibatch_descent(gradient, (np.array([1.0]),), batches, 0.5, [2], lambda w: [w[0][0]])
    >>> run.steps, run.parameters
    (2, (array([0.25]),))
    """

    gradient: Callable[[Parameters, NDArray[np.int64]], Parameters]
    shapes: Sequence[tuple[int, ...]]
    batches: Batches
    learning_rate: float
    steps: frozenset[int]
    measure: Callable[[Parameters], Sequence[float]]
    device: str | None
    checkpoint: Checkpoint | None
    path: Path | None
    progress: Callable[[int], object]
    latest: MinibatchState | None = field(init=False, default=None)
    saved: float = field(init=False, default_factory=time.monotonic)

    def init(self, theta: Array) -> MinibatchState:
        """The state in the checkpoint, if there is one; otherwise that before the first step, from all entries of θ."""
        ends = np.cumsum([math.prod(shape) for shape in self.shapes])
        parts = [part.reshape(shape) for part, shape in zip(np.split(theta, ends[:-1]), self.shapes, strict=True)]
        step, parameters, values = 0, tuple(on_device(part, self.device) for part in parts), list[list[float]]()
        if self.checkpoint and self.path:
            step, parameters, values = self.checkpoint.load(self.path, len(parts), self.device) or (0, parameters, [])
            self.progress(step)
        values = values or [list(self.measure(parameters))]
        order = self.batches.order(step // self.batches.of_epoch)
        state = self.latest = MinibatchState(float(step), parameters, tuple(values), order)
        return state

    def step(self, state: MinibatchState) -> MinibatchState:
        """One step; the state is kept when it is due and after the last one, unless what was measured is not finite."""
        epoch, within = divmod(int(state.t), self.batches.of_epoch)
        order = state.order if within else self.batches.order(epoch)
        slope = self.gradient(state.parameters, order[within * self.batches.size : (within + 1) * self.batches.size])
        moved = tuple(part - self.learning_rate * change for part, change in zip(state.parameters, slope, strict=True))
        count = int(state.t) + 1
        row = (list(self.measure(moved)),) if count in self.steps else ()
        newest = self.latest = MinibatchState(float(count), moved, state.values + row, order)
        self.progress(1)
        if self.checkpoint and (time.monotonic() - self.saved >= self.checkpoint.every or count == max(self.steps)):
            self.keep()
        return newest

    def keep(self) -> None:
        """Write the newest state to the checkpoint."""
        now = self.latest
        if self.checkpoint and self.path and now and np.all(np.isfinite(now.theta)):
            self.checkpoint.save(self.path, now.evaluations, now.parameters, now.values)
            self.saved = time.monotonic()


@brief()
@dataclass(frozen=True)
class Course(Solution):
    """A run; t counts steps, those before an interruption included, and theta holds what was measured, k × q.

    parameters: those after the last step.

    >>> batches = Batches(4, 4, np.random.SeedSequence(0))
    >>> run = minibatch_descent(lambda w, i: (w[0],), (np.array([1.0]),), batches, 0.5, [1, 2], lambda w: [w[0][0]])
    >>> run.parameters, run.values.ravel()
    ((array([0.25]),), array([1.  , 0.5 , 0.25]))
    """

    parameters: Parameters

    @property
    def values(self) -> Array:
        """What was measured, k × q."""
        return self.theta


def minibatch_descent(  # attack: none, it takes functions
    gradient: Callable[[Parameters, NDArray[np.int64]], Parameters],
    theta: Parameters,
    batches: Batches,
    learning_rate: float,
    record: Sequence[int] | NDArray[np.int64],
    measure: Callable[[Parameters], Sequence[float]],
    *,
    device: str | None = None,
    checkpoint: Checkpoint | None = None,
    progress: Callable[[int], object] = lambda steps: None,
) -> Course:
    """Stochastic gradient descent, θ ← θ − η ∇L_B(θ), to the last recorded step.

    gradient: (θ, numbers of the batch's samples) ↦ ∇L_B(θ), with arrays on the device.
    theta: the start, NumPy arrays.
    batches: the samples of each step.
    learning_rate: η > 0; time is t = step · η.
    record: the steps at which to measure besides the start, 0, in increasing order.
    measure: θ ↦ the numbers to record, the same for the same θ.
    device: where θ lives, in PyTorch's words (cuda:0); None: in memory, as NumPy arrays.
    checkpoint: where to keep the state; None keeps none. A run that finds its state there goes on from it, and ends
        with the numbers of an uninterrupted run, bit for bit on the same machine; an interrupt (Ctrl-C) keeps the state
        before it ends the run.
    progress: told how many steps have been taken since it was told last, those found in the checkpoint included.

    Returns what was measured, and the last θ; the run ends early where what is measured is not finite.
    Raises ValueError for steps that do not increase, a bad rate, a damaged checkpoint or one that cannot be written.

    >>> x, y = np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])
    >>> def gradient(w, i):
    ...     return (np.mean(x[i] * (w[0] * x[i] - y[i]), keepdims=True),)
    >>> batches = Batches(3, 1, np.random.SeedSequence(0))
    >>> run = minibatch_descent(gradient, (np.zeros(1),), batches, 0.1, [300], lambda w: [w[0][0]])
    >>> run.parameters[0].round(6)
    array([2.])
    """
    number("learning_rate", learning_rate, above=0)
    steps = np.array(record, dtype=np.int64)
    if steps.ndim != 1 or not steps.size or steps[0] < 0 or np.any(np.diff(steps) <= 0):
        raise ValueError(f"record is {list(record)}; it must hold steps from 0 on, each larger than the one before")
    steps = np.union1d(0, steps)
    identity = repr((batches, float(learning_rate), steps.tolist(), device)).encode() + b"".join(
        repr(part.shape).encode() + np.ascontiguousarray(part).tobytes() for part in theta
    )
    shapes, start = [part.shape for part in theta], np.concatenate([np.ravel(part) for part in theta])
    path = checkpoint.path(identity) if checkpoint else None
    stepper = MinibatchDescent(
        gradient,
        shapes,
        batches,
        learning_rate,
        frozenset(steps.tolist()),
        measure,
        device,
        checkpoint,
        path,
        progress,
    )
    try:
        done = drive(stepper, start, t_end=int(steps[-1]), max_steps=max(int(steps[-1]), 1))
    except KeyboardInterrupt:
        stepper.keep()
        raise
    assert stepper.latest is not None
    values = np.array([row for row in stepper.latest.values if np.all(np.isfinite(row))])
    moments = steps[: len(values)].astype(np.float64)
    parameters = tuple(in_memory(part) for part in stepper.latest.parameters)
    return Course(moments, values, done.converged, done.ended, done.evaluations, done.evaluations, parameters)
