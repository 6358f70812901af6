"""A file that holds a run on its way, so that a run that was interrupted goes on from there."""

import hashlib
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from implicit_bias.devices import in_memory, on_device

Parameters = tuple[Any, ...]


@dataclass(frozen=True)
class Checkpoint:
    """A file from which an interrupted run goes on.

    Its name is a checksum of all that the run depends on: another run never reads it. It is written under another name
    and moved into place, so that a kill at any moment leaves a whole file, the new one or the one before.

    folder: where it lies; it is made if need be.
    what: names the run's data and all else that the run does not know itself.
    every: seconds from one writing to the next, ≥ 0.

    >>> from tempfile import mkdtemp
    >>> kept = Checkpoint(Path(mkdtemp()), "my data", every=1.0)
    >>> kept.save(kept.path(b"run"), 3, (np.ones(2),), [[0.5]])
    >>> kept.load(kept.path(b"run"), 1, None)
    (3, (array([1., 1.]),), [[0.5]])
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
