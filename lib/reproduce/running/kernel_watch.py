"""What a kernel needs while a chapter runs: its largest memory, and how long it may take."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

TICK = 0.05  # a peak later than this before the end is missed
MEGABYTE = 2**20


class KernelWatch:
    """Looks at the kernel of one run many times a second."""

    def __init__(self, limit: float | None = None) -> None:
        """Watch nothing yet.

        limit: seconds after which the kernel is killed; None for any time.
        """
        self.limit = limit
        self.megabytes = 0
        self.too_long = ""

    @contextmanager
    def watching(self, kernels: Callable[[], list[psutil.Process]]) -> Iterator[None]:
        """Watch while the run lasts; afterwards ``megabytes`` is the peak, ``too_long`` says if the limit was met.

        kernels: finds the processes to watch; asked until there is one, and again when it has gone.
        """
        ended = threading.Event()
        thread = threading.Thread(target=self._watch, args=(kernels, ended), daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _watch(self, kernels: Callable[[], list[psutil.Process]], ended: threading.Event) -> None:
        begun, known = time.monotonic(), list[psutil.Process]()
        while not ended.wait(TICK):
            with suppress(psutil.Error, OSError):
                known = [process for process in known if process.is_running()] or kernels()
                for process in known:
                    self.megabytes = max(self.megabytes, round(peak_memory(process) / MEGABYTE))
                    if self.limit is not None and time.monotonic() - begun > self.limit:
                        self.too_long = f"it took longer than {self.limit:g} s"
                        os.killpg(process.pid, signal.SIGKILL)


def peak_memory(process: psutil.Process) -> int:
    """The largest resident memory of a process so far, in bytes; where the system does not keep it, that of now."""
    with suppress(OSError, ValueError, StopIteration):
        lines = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) * 1024
    return int(process.memory_info().rss)
