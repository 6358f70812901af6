"""Stochastic gradient descent on mini-batches: recorded at chosen steps, interrupted and resumed to the last bit."""

import hashlib
import os
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array, number, whole
from implicit_bias.devices import in_memory, on_device

Parameters = tuple[Any, ...]


@dataclass(frozen=True)
class Batches:
    """Mini-batches without replacement: every epoch takes the samples in an order of its own, drawn from the stream.

    The order of an epoch depends on the stream and on the epoch alone, so that a run can begin anywhere.

    n: number of samples.
    size: samples of a batch; the last one of an epoch may hold fewer.
    stream: the seed sequence of the orders.
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
class Course:
    """A run.

    steps: the recorded steps, k whole numbers.
    values: what was measured at them, k × q.
    theta: the parameters after the last step.
    """

    steps: NDArray[np.int64]
    values: Array
    theta: Parameters


@dataclass(frozen=True)
class Checkpoint:
    """A file from which an interrupted run goes on.

    Its name is a checksum of all that the run depends on: another run never reads it. It is written under another name
    and moved into place, so that a kill at any moment leaves a whole file, the new one or the one before.

    folder: where it lies; it is made if need be.
    what: names the run's data and all else that the run does not know itself.
    every: seconds from one writing to the next, ≥ 0.
    """

    folder: Path
    what: str
    every: float = 30.0

    def path(self, identity: bytes) -> Path:
        """The file of a run."""
        return self.folder / f"{hashlib.sha256(self.what.encode() + identity).hexdigest()[:24]}.npz"

    def save(self, path: Path, step: int, theta: Parameters, values: Sequence[Sequence[float]]) -> None:
        """Keep the state after a step. ValueError, one line, if the folder cannot be written."""
        arrays: dict[str, Any] = {f"theta{k}": in_memory(part) for k, part in enumerate(theta)}
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with unfinished.open("wb") as file:
                np.savez(file, step=step, values=np.array(values), **arrays)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        except OSError as error:
            raise ValueError(f"checkpoints is {self.folder}; it cannot be written: {error.strerror}") from None
        finally:
            unfinished.unlink(missing_ok=True) if self.folder.is_dir() else None

    def load(self, path: Path, parts: int, device: str | None) -> tuple[int, Parameters, list[list[float]]] | None:
        """The kept state; None if there is none. ValueError, one line, for a file that is damaged."""
        if not path.exists():
            return None
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                theta = tuple(on_device(kept[f"theta{k}"], device) for k in range(parts))
                return int(kept["step"]), theta, kept["values"].tolist()
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise ValueError(f"checkpoint {path} is damaged ({error}); delete it to begin this run anew") from None


def minibatch_descent(
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
    record: the steps at which to measure, in increasing order; 0 is the start.
    measure: θ ↦ the numbers to record, the same for the same θ.
    device: where θ lives, in PyTorch's words (cuda:0); None: in memory, as NumPy arrays.
    checkpoint: where to keep the state; None keeps none. A run that finds its state there goes on from it, and ends
        with the numbers of an uninterrupted run, bit for bit on the same machine; an interrupt (Ctrl-C) keeps the state
        before it ends the run.
    progress: told how many steps have been taken since it was told last, those found in the checkpoint included.

    Returns what was measured, and the last θ.
    Raises ValueError for steps that do not increase, a bad rate, a damaged checkpoint or one that cannot be written.
    """
    number("learning_rate", learning_rate, above=0)
    steps = np.array(record, dtype=np.int64)
    if steps.ndim != 1 or not steps.size or steps[0] < 0 or np.any(np.diff(steps) <= 0):
        raise ValueError(f"record is {list(record)}; it must hold steps from 0 on, each larger than the one before")
    identity = repr((batches, float(learning_rate), steps.tolist(), device)).encode() + b"".join(
        repr(part.shape).encode() + np.ascontiguousarray(part).tobytes() for part in theta
    )
    path = checkpoint.path(identity) if checkpoint else None
    step, state, values = 0, tuple(on_device(part, device) for part in theta), list[list[float]]()
    if checkpoint and path:
        step, state, values = checkpoint.load(path, len(theta), device) or (step, state, values)
        progress(step)
    order, saved = batches.order(step // batches.of_epoch), time.monotonic()
    try:
        if not values and steps[0] == 0:
            values = [list(measure(state))]
        while step < steps[-1]:
            within = step % batches.of_epoch
            if within == 0:
                order = batches.order(step // batches.of_epoch)
            slope = gradient(state, order[within * batches.size : (within + 1) * batches.size])
            moved = tuple(part - learning_rate * change for part, change in zip(state, slope, strict=True))
            row = [list(measure(moved))] if step + 1 == steps[len(values)] else []
            step, state, values = step + 1, moved, values + row
            progress(1)
            if checkpoint and path and (time.monotonic() - saved >= checkpoint.every or step == steps[-1]):
                checkpoint.save(path, step, state, values)
                saved = time.monotonic()
    except KeyboardInterrupt:
        if checkpoint and path:
            checkpoint.save(path, step, state, values)
        raise
    return Course(steps, np.array(values), tuple(in_memory(part) for part in state))
