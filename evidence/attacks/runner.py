"""Run cases one after the other, each in a process of its own, and see what it leaves behind."""

import contextlib
import ctypes
import multiprocessing
import os
import resource
import shutil
import signal
import tempfile
import time
import warnings
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil

from attacks.case import Bad, Case, Outcome
from attacks.stage import Stage, make_model, warm
from reproduce.ground.files import scratch

FORK = multiprocessing.get_context("fork")
SUBREAPER = 36  # prctl: orphans below this process become its children, so that none is lost from sight
GRACE = 5.0  # seconds that processes have to end after their case
LONGEST_REASON = 400
ADDRESS_SPACE = 3 * 2**30  # bytes that a case may allocate beyond what the runner has


class Runner:
    """Runs cases in a folder of its own in the system's temporary one, outside of any book that a case could find."""

    def __init__(self) -> None:
        with contextlib.suppress(OSError, AttributeError):  # other systems than Linux: orphans go to init unseen
            ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
        warm()
        self._scratch = scratch(Path(tempfile.gettempdir()))
        self.folder = self._scratch.__enter__()
        self.model = make_model(self.folder / "model")

    def close(self) -> None:
        """Remove the folder; what a killed campaign has left is removed by the next one."""
        self._scratch.__exit__(None, None, None)

    def run(self, case: Case) -> Outcome:
        """Stage one case; what it leaves running is ended and makes it bad."""
        begun = time.monotonic()
        place = Path(tempfile.mkdtemp(prefix="case-", dir=self.folder))
        receive, send = FORK.Pipe(duplex=False)
        process = FORK.Process(target=_stage, args=(case, place, self.model, send))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads, from Python 3.12 on
            process.start()
        send.close()
        try:
            reason, notes = receive.recv() if receive.poll(case.attack.limit) else (_hangs(case), {})
        except EOFError:
            process.join(GRACE)
            reason, notes = f"the process died, exit code {process.exitcode}", {}
        receive.close()
        process.join(0.5)
        left = _left_running(process.pid if process.is_alive() else None)
        if process.is_alive():
            process.kill()
            process.join()
        reason = reason or left
        _remove(place)
        seconds = round(time.monotonic() - begun, 3)
        attack = case.attack
        notes = {**notes, **({"damaged": 1} if attack.damages else {})}
        return Outcome(case.id, attack.klass, attack.name, attack.oracle, reason[:LONGEST_REASON], seconds, notes)


def _stage(case: Case, place: Path, model: Path, send: "Connection[Any, Any]") -> None:
    """In the process of the case: set the stage, attack, and say what came of it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the runner
    used = psutil.Process().memory_info().vms
    resource.setrlimit(resource.RLIMIT_AS, (used + ADDRESS_SPACE, resource.RLIM_INFINITY))
    warnings.simplefilter("ignore")
    reason, notes = "", {}
    try:
        notes = case.attack.run(Stage(place, model), case.generator) or {}
    except Bad as bad:
        reason = one_line(str(bad)) or "bad"
    except BaseException as error:
        where = error.__traceback__
        while where is not None and where.tb_next is not None:
            where = where.tb_next
        line = f"{Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno}" if where else "?"
        reason = one_line(f"the attack itself failed at {line}: {type(error).__name__}: {error}")
    send.send((reason, notes))
    send.close()
    os._exit(0)


def one_line(text: str) -> str:
    """A text without line breaks and without what a terminal would obey."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _hangs(case: Case) -> str:
    return f"no answer in {case.attack.limit:g} s"


def _left_running(case: int | None) -> str:
    """End every process that the case has left, after a while of grace; a sentence on those, or nothing."""
    end = time.monotonic() + (0 if case else GRACE)
    while True:
        left = [one for one in psutil.Process().children(recursive=True) if one.pid != case and _runs(one)]
        if not left or time.monotonic() > end:
            break
        time.sleep(0.05)
    named = sorted({_name(one) for one in left})
    for one in left:
        with contextlib.suppress(psutil.Error):
            one.kill()
    for one in left:
        with contextlib.suppress(psutil.Error, ChildProcessError):
            one.wait(GRACE)
    return f"left running: {', '.join(named)[:200]}" if named else ""


def _runs(process: psutil.Process) -> bool:
    """Whether a process runs; one that has ended is taken off the list of processes."""
    with contextlib.suppress(psutil.Error):
        if process.status() != psutil.STATUS_ZOMBIE:
            return True
        with contextlib.suppress(ChildProcessError, OSError):
            os.waitpid(process.pid, os.WNOHANG)
    return False


def _name(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return " ".join(process.cmdline()[:4])[:80] or process.name()
    return "?"


def _remove(place: Path) -> None:
    """Remove a stage, also what an attack has made unwritable or unreadable in it."""

    def again(remove: Any, path: str, error: Any) -> None:
        with contextlib.suppress(OSError):
            os.chmod(os.path.dirname(path), 0o700)
            os.chmod(path, 0o700)
            remove(path)

    shutil.rmtree(place, onerror=again)
