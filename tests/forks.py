"""Kernels as copies of one process, which has loaded what every chapter imports: each starts most of a second sooner.

What is loaded is of other packages alone; the book's own code each kernel loads itself.
"""

import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

LOADED = (
    "ipykernel.kernelapp",
    "jsonschema",
    "matplotlib.projections",
    "matplotlib.style",
    "matplotlib.widgets",
    "scipy.integrate",
    "scipy.optimize",
)


class Fork:
    """A copy at work, as ``subprocess`` has its processes. The process that it is a copy of collects it."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """None while it is there."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, 0)
            return None
        return 0

    def wait(self) -> int:
        """Wait for its end."""
        while self.poll() is None:
            time.sleep(0.01)
        return 0

    def send_signal(self, number: int) -> None:
        """Send it a signal if it is there."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


class Forks:
    """The process that is copied, begun with the first copy.

    variables: of its environment, which are read when packages are loaded.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.variables = variables
        self.process: subprocess.Popen[str] | None = None

    def launch(self, command: Sequence[str], *, env: Mapping[str, str], cwd: str, **streams: Any) -> Fork:
        """A copy that runs ``python -m ipykernel_launcher``, as ``jupyter_client.launcher.launch_kernel`` begins it."""
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, __file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, **self.variables, "MPLBACKEND": "module://matplotlib_inline.backend_inline"},
                start_new_session=True,
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([list(command[2:]), dict(env), cwd]) + "\n")
        self.process.stdin.flush()
        return Fork(int(self.process.stdout.readline()))

    def end(self) -> None:
        """End the process; its copies end with it."""
        if self.process is not None:
            self.process.communicate()
            self.process = None


def collect(*_: Any) -> None:
    """Collect the copies that have ended, with the time that they took."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def run(arguments: Sequence[str], environment: Mapping[str, str], folder: str) -> None:
    """In a copy: say that it is one, and be a kernel."""
    from ipykernel.kernelapp import launch_new_instance

    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    print(os.getpid(), flush=True)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    os.environ.clear()
    os.environ.update({**environment, "JPY_PARENT_PID": str(os.getppid())})
    os.chdir(folder)
    sys.argv = list(arguments)
    launch_new_instance()


if __name__ == "__main__":
    sys.path.pop(0)  # the folder of the tests
    for name in LOADED:
        importlib.import_module(name)
    signal.signal(signal.SIGCHLD, collect)
    for line in sys.stdin:
        if os.fork() == 0:
            try:
                run(*json.loads(line))
            finally:
                os._exit(1)
