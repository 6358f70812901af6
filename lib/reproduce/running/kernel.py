"""The process of a notebook's kernel: in which environment it starts, how it is found, and that none is left."""

import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from jupyter_client.manager import AsyncKernelManager
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
# The same rounding on every processor with AVX2: newer instructions round otherwise, and training amplifies that.
ONE_ARITHMETIC = {
    "OPENBLAS_CORETYPE": "Haswell",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    "ATEN_CPU_CAPABILITY": "avx2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
}
CPU, AVX2 = Path("/proc/cpuinfo"), re.compile(r"^flags\b.*\bavx2\b", re.MULTILINE)
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
ENDS_WITHOUT_PARENT = (  # no name is left behind in the notebook
    '__import__("os").getppid() == int(__import__("os").environ["JPY_PARENT_PID"]) or __import__("os")._exit(1)\n'
)
SECONDS_TO_END = 10.0  # of a kernel that was killed
CONNECTION = "kernel.json"
SECONDS_TO_BEGIN, TICK = 2.0, 0.01


def variables() -> dict[str, str]:
    """What a kernel is started with: one thread, one arithmetic where the processor has it, and this environment."""
    has = CPU.is_file() and AVX2.search(CPU.read_text(encoding="utf-8"))
    own = {"JUPYTER_PREFER_ENV_PATH": "1"}  # not the environment of the user's home
    return ONE_THREAD | (ONE_ARITHMETIC if has else {}) | own


def kernel_config(scratch: Path) -> Config:
    """Encrypted, or the kernel warns on the terminal; its address and key lie where a killed run leaves nothing."""
    settings = {"transport_encryption": "auto", "connection_file": str(scratch / CONNECTION)}
    return Config({"KernelManager": settings})


class QuietKernel(AsyncKernelManager):
    """A kernel that tells the terminal nothing itself: what cells write to standard error comes by its sockets.

    One whose port was taken in between prints a traceback and ends; it is then started again.
    """

    async def _async_launch_kernel(self, kernel_cmd: list[str], **options: Any) -> None:
        await super()._async_launch_kernel(kernel_cmd, **{**options, "stderr": subprocess.DEVNULL})


@contextmanager
def own_folder(scratch: Path) -> Iterator[dict[str, str]]:
    """The variable that gives IPython a folder of its own, or it warns of a home that is not there.

    In it lies what a kernel does first: it ends if this process is gone by then. ipykernel looks for that too, but
    where another process than the first adopts orphans, as in a desktop session, it does not see it.
    """
    with tempfile.TemporaryDirectory(dir=scratch, ignore_cleanup_errors=True) as folder:
        startup = Path(folder, "profile_default", "startup")
        startup.mkdir(parents=True)
        (startup / "parent.py").write_text(ENDS_WITHOUT_PARENT)
        yield {"IPYTHONDIR": folder}


@contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Environment variables for as long as a kernel is started in it."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def no_kernel_left(scratch: Path) -> Iterator[None]:
    """Kill the kernel of this run, with its process group, if it is still there at the end.

    A signal may come after its process was made and before nbclient knows of it.
    """
    try:
        yield
    finally:
        for process in kernels(scratch):
            with suppress(psutil.Error, OSError):
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(SECONDS_TO_END)


def kernels(scratch: Path) -> list[psutil.Process]:
    """The kernel of this run, as far as its process is there."""
    mine, found = str(scratch / CONNECTION), []
    for process in psutil.Process().children():
        with suppress(psutil.Error, OSError):
            if any(word.endswith(mine) for word in _command(process)):
                found.append(process)
    return found


def _command(process: psutil.Process) -> list[str]:
    """The command that a child runs; for a moment after its making it is still that of this process."""
    own, end = psutil.Process().cmdline(), time.monotonic() + SECONDS_TO_BEGIN
    while process.cmdline() == own and time.monotonic() < end:
        time.sleep(TICK)
    return list(process.cmdline())
