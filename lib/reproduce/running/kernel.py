"""The process of a notebook's kernel: with what it starts, how much memory it took, and that it can be ended."""

import os
import re
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient
from traitlets.config import Config

# One thread for each chapter: at these sizes faster than two, with sums that do not change, and cores left for others.
ONE_THREAD = {
    name: "1"
    for name in (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
        "RAYON_NUM_THREADS",
    )
}
# The same rounding on every processor with AVX2: newer instructions round otherwise, and training amplifies that. MKL,
# which PyTorch uses, multiplies matrices otherwise on AMD's processors than on Intel's; in this mode alike on both.
ONE_ARITHMETIC = {
    "OPENBLAS_CORETYPE": "Haswell",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    "ATEN_CPU_CAPABILITY": "avx2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "MKL_CBWR": "COMPATIBLE",
}
CPU, AVX2 = Path("/proc/cpuinfo"), re.compile(r"^flags\b.*\bavx2\b", re.MULTILINE)
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
ENDS_WITHOUT_PARENT = (  # no name is left behind in the notebook
    '__import__("os").getppid() == int(__import__("os").environ["JPY_PARENT_PID"]) or __import__("os")._exit(1)'
)
MEGABYTE = 2**20

_alive: set[int] = set()  # the kernels of this process, by their process groups
_ending = threading.Event()


class Ended(BaseException):
    """A kernel was ended because its command was told to stop: nothing came of what it did."""


def variables() -> dict[str, str]:
    """What a kernel is started with: one thread, and one arithmetic where the processor has it."""
    has = CPU.is_file() and AVX2.search(CPU.read_text(encoding="utf-8"))
    return ONE_THREAD | (ONE_ARITHMETIC if has else {})


def by_files(folder: str) -> dict[str, str]:
    """How a kernel is reached: by sockets that are files of a folder, where their names are not too long.

    A port that is free when it is chosen may be another's when the kernel comes to bind it, which then dies.
    """
    name = str(Path(folder, "kernel"))
    possible = hasattr(socket, "AF_UNIX") and len(name) <= 100  # of 104 with the end that numbers them
    return {"transport": "ipc", "ip": name} if possible else {}


@contextmanager
def started(client: NotebookClient, scratch: Path, formats: Sequence[str] = ()) -> Iterator[int]:
    """The kernel of a client, by its process, for as long as it is needed; Ended if it was ended meanwhile.

    It shows figures as PNG, and in the other formats of matplotlib that are asked for.
    Its address, its key and a folder of its own for IPython, which warns of a home that is not there, lie where a
    killed run leaves nothing. What a kernel does first is to end if this process is gone by then.
    ipykernel looks for that too, but where another process than the first adopts orphans it does not see it.
    """
    with tempfile.TemporaryDirectory(dir=scratch, ignore_cleanup_errors=True) as folder:
        # Encrypted, or the kernel warns on the terminal.
        settings = {"transport_encryption": "auto", "connection_file": str(Path(folder, "kernel.json"))}
        settings |= by_files(folder)
        client.config = Config({"KernelManager": settings})
        client.extra_arguments = ["--log-level=ERROR", f"--IPKernelApp.exec_lines={ENDS_WITHOUT_PARENT}"]
        if formats:
            client.extra_arguments.append(f"--InlineBackend.figure_formats={ {'png', *formats} }")
        environment = os.environ | variables() | {"IPYTHONDIR": folder}
        manager: Any = client.create_kernel_manager()
        manager.kernel_spec_manager = KernelSpecManager(kernel_dirs=[])  # this environment's, not that of the home
        group = 0
        try:
            # What cells write to standard error comes by sockets; the process itself tells the terminal nothing.
            client.start_new_kernel(env=environment, stderr=subprocess.DEVNULL)
            group = manager.provisioner.pid
            _alive.add(group)
            if _ending.is_set():
                _kill(group)
            with client.setup_kernel():
                yield group
        finally:
            begun = manager.provisioner and manager.provisioner.process
            if begun and not group:  # told to stop while it was just being started
                _kill(begun.pid)
            _alive.discard(group)
            if _ending.is_set():
                raise Ended


@contextmanager
def ending_kernels() -> Iterator[None]:
    """Meanwhile no kernel of this process lives, also none that is just being started."""
    _ending.set()
    for group in list(_alive):
        _kill(group)
    try:
        yield
    finally:
        _ending.clear()


def peak_memory(process: psutil.Process) -> int:
    """The largest resident memory of a process so far, in bytes; where the system does not keep it, that of now."""
    with suppress(OSError, ValueError, StopIteration):
        lines = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) * 1024
    return int(process.memory_info().rss)


def _kill(group: int) -> None:
    with suppress(OSError):
        os.killpg(group, signal.SIGKILL)
