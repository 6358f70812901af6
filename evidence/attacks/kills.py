"""Class 3: signals at random moments to client, group, worker and kernel; chapters that are poison.

After each kill the same command is given once more, undisturbed: its outcome must be that of a command that was never
killed, and nothing may be left of the first one.
"""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import psutil

from attacks.case import Bad, Class, demand
from attacks.stage import Done, Stage, last_line
from attacks.tampering import table
from reproduce.campaigns.finding import read_finding

KILLS = Class("kills", "Signals at random moments to client, group and kernel; poison chapters")
POISON = Class("poison", "Chapters that kill, hang, fork, flood and hide")
SIGNALS = {
    "INT": signal.SIGINT,
    "TERM": signal.SIGTERM,
    "HUP": signal.SIGHUP,
    "KILL": signal.SIGKILL,
    "QUIT": signal.SIGQUIT,
    "STOP": signal.SIGSTOP,
}
SLOW = "import time; time.sleep(0.4)\\ntotal = sum("
TARGETS = ("client", "group", "kernel")
# The words of each command, and the seconds in which the kill falls.
COMMANDS: dict[str, tuple[tuple[str, ...], float]] = {
    "refresh": (("refresh", "geometric"), 2.5),
    "run": (("run", "geometric", "-p", "terms=61", "-o", "_build/mine"), 2.5),
    "sweep": (("sweep", "geometric", "-p", "terms=60:64", "--workers", "2", "-o", "_build/swept"), 5.0),
    "seeds": (("seeds", "zeta", "--count", "3", "--workers", "2"), 5.0),
    "build": (("build", "--jobs", "2"), 5.0),
}
ROUND = ("refresh", "run", "sweep", "seeds", "run", "refresh", "sweep", "build")
LATE = 20.0  # seconds that a kernel may take to appear
END = 45.0  # seconds in which a command that was told to stop is over
KILLED = {-number for number in SIGNALS.values()} | {128 + number for number in SIGNALS.values()}


@KILLS.attack(
    "nothing is half written, nothing runs on, and the same command then ends as if nothing had happened", limit=240
)
def kill(stage: Stage, rng: Random) -> dict[str, Any]:
    command, name = rng.choice(ROUND), rng.choice(sorted(SIGNALS))
    words, span = COMMANDS[command]
    target = rng.choice(TARGETS)
    if command == "refresh":
        stage.notebook.write_text(stage.notebook.read_text().replace("total = sum(", SLOW))
        stage.twin.write_text(stage.twin.read_text().replace("total = sum(", SLOW.replace("\\n", "\n")))
        stage.accept()
    before = stage.notebook.read_bytes(), stage.twin.read_bytes()
    process = stage.start(*words, stdout=(stage.folder / "out").open("wb"), stderr=(stage.folder / "err").open("wb"))
    # A kernel lives for a second: the moment counts from when it is there.
    moment = rng.uniform(0.0, 0.6 if target == "kernel" else span)
    hit = _strike(process, target, SIGNALS[name], moment)
    code = _end(process, words)
    err = (stage.folder / "err").read_text(errors="replace")
    notes = {"command": command, "target": target if hit else "none", "signal": name, "moment": round(moment, 2)}
    label = f"{command} {'/'.join((target, name)) if hit else '(over before)'} at {moment:.1f} s"
    try:
        demand(code in (0, 1, 2, 3, 130, *range(11, 111), *KILLED), f"exit code {code}: {last_line(err)}")
        demand("Traceback" not in err, f"a traceback: {last_line(err)}")
        _gone(stage)
        _whole(stage, before)
        _again(stage, command, words)
    except Bad as bad:
        raise Bad(f"{label}: {bad}") from None
    return notes


def _strike(process: "subprocess.Popen[bytes]", target: str, number: int, moment: float) -> bool:
    """Send the signal so many seconds after the target is there; whether anything was hit."""
    begun = time.monotonic()
    while not _victims(process.pid, target):
        if process.poll() is not None or time.monotonic() > begun + LATE:
            return False
        time.sleep(0.01)
    with suppress(subprocess.TimeoutExpired):
        process.wait(moment)
    victims = _victims(process.pid, target) if process.returncode is None else []
    _send(victims, number)
    if number == signal.SIGSTOP and victims:
        time.sleep(1.0)
        _send(victims, signal.SIGCONT)
    return bool(victims)


def _send(victims: list[int], number: int) -> None:
    for pid in victims:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _victims(client: int, target: str) -> list[int]:
    """The processes of a command that a signal goes to."""
    if target == "client":
        return [client]
    with suppress(psutil.Error):
        below = psutil.Process(client).children(recursive=True)
        if target == "group":
            return [client, *(one.pid for one in below if _group(one.pid) == client)]
        lines = {one.pid: _words(one) for one in below}
        return [pid for pid, line in lines.items() if "ipykernel" in line][:1]
    return []


def _group(pid: int) -> int:
    with suppress(ProcessLookupError):
        return os.getpgid(pid)
    return -1


def _words(process: psutil.Process) -> str:
    with suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""


def _end(process: "subprocess.Popen[bytes]", words: tuple[str, ...]) -> int:
    try:
        return process.wait(END)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise Bad(f"{' '.join(words)} was not over {END:g} s after the signal") from None


def _gone(stage: Stage) -> None:
    """Raise Bad unless every process that works in the book ends soon."""
    end = time.monotonic() + 20
    while left := _in_the_book(stage.root):
        if time.monotonic() > end:
            named = _words(left[0])[-80:]
            for one in left:
                with suppress(psutil.Error):
                    one.kill()
            raise Bad(f"{len(left)} processes still run 20 s later: {named}")
        time.sleep(0.1)


def _in_the_book(root: Path) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.status() != psutil.STATUS_ZOMBIE and Path(process.cwd()).is_relative_to(root):
                found.append(process)
    return found


def _whole(stage: Stage, before: tuple[bytes, bytes]) -> None:
    """Raise Bad if a file was changed that must not be, or if one is half written."""
    stage.untouched(
        [
            stage.notebook,
            stage.twin,
            stage.root / "_build/mine",
            stage.root / "_build/swept",
            stage.root / "evidence/records/seeds",
        ]
    )
    for path in stage.root.rglob("*.ipynb"):
        if not any(part.startswith(".") for part in path.relative_to(stage.root).parts):
            with suppress(FileNotFoundError):
                demand(json.loads(path.read_text())["cells"], f"{path.name} is not whole")
    twin = stage.twin.read_bytes()
    demand(len(twin) >= len(before[1]), f"the twin has {len(twin)} bytes of {len(before[1])}")


def _again(stage: Stage, command: str, words: tuple[str, ...]) -> None:
    """The same command undisturbed, and once more in a book that knew no kill: equal outcomes, nothing left behind."""
    again = stage.spawn(*words, limit=120)
    demand(
        again.code in (0, 1) if command == "build" else again.code == 0,
        f"the next one: {again.code}, {last_line(again.err)}",
    )
    outcome = _outcome(stage, command)
    stage.tidy()
    demand(outcome == _undisturbed(stage, command, words), "another outcome than without the kill")


def _undisturbed(stage: Stage, command: str, words: tuple[str, ...]) -> Any:
    """The outcome in a book that knew no kill; the first case of each command finds it for all that follow."""
    kept = stage.folder.parent / f"{command}.outcome.json"
    if not kept.exists():
        shutil.rmtree(stage.root / "_build", ignore_errors=True)
        done = stage.spawn(*words, limit=120)
        demand(done.code == 0 or command == "build", f"undisturbed: {done.code}")
        kept.write_text(json.dumps(_outcome(stage, command)))
    return json.loads(kept.read_text())


def _outcome(stage: Stage, command: str) -> Any:
    """What a command leaves, without its times."""
    if command == "sweep":
        return table(stage)
    if command == "seeds":
        found = read_finding(stage.root, "seeds", "sums/zeta")
        demand(found is not None, "no record of the seeds")
        return found.counts  # type: ignore[union-attr]
    if command == "build":
        return (stage.root / "_build/ledger.json").exists()
    path = stage.notebook if command == "refresh" else stage.root / "_build/mine/geometric.ipynb"
    return hashlib.sha256(re.sub(rb'"(seconds|id)": (\d+|"[^"]*")', b"", path.read_bytes())).hexdigest()


CELLS = {
    "exit": "import os; os._exit(3)",
    "kill itself": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "segfault": "import ctypes; ctypes.string_at(0)",
    "stop": "raise SystemExit(5)",
    "interrupt": "raise KeyboardInterrupt",
    "endless": "while True: pass",
    "deaf and endless": "import signal\nfor n in (2, 15, 1, 3): signal.signal(n, signal.SIG_IGN)\nwhile True: pass",
    "memory": "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30)); x = bytearray(2**32)",
    "flood": "print('x' * 30_000_000)",
    "lines": "for n in range(200_000): print(n)",
    "input": "input('?')",
    "closed streams": "import sys, os; sys.stdout.close(); os.close(1); os.close(2); raise ValueError('a\\nb')",
    "escape": "raise ValueError('\\x1b[31m' + 'é\\udcff' * 1000)",
    "no place": "import os, shutil, tempfile; d = tempfile.mkdtemp(); os.chdir(d); shutil.rmtree(d)",
    "syntax": "def (",
    "recursion": "def f(): f()\nf()",
    "threads": "import threading, time; threading.Thread(target=time.sleep, args=(3,)).start(); raise ValueError('x')",
    "output of any type": "from IPython.display import display; display({'text/html': 5, 'a/b': None}, raw=True)",
    "claim of any type": "from IPython.display import display; display({}, raw=True, metadata={'claim': [1]})",
}
FINE = {"flood", "lines", "no place", "output of any type", "claim of any type", "stop"}


@POISON.attack(
    "a chapter that is poison is a failed run with its reason in one line, and its kernel is gone", limit=150
)
def poison(stage: Stage, rng: Random) -> dict[str, Any]:
    kind = rng.choice(sorted(CELLS))
    tree = json.loads(stage.notebook.read_text())
    cell = next(
        cell for cell in tree["cells"] if cell["cell_type"] == "code" and "b64decode" in "".join(cell["source"])
    )
    cell["source"] = CELLS[kind]
    stage.notebook.write_text(json.dumps(tree))
    stage.accept()
    words: tuple[str, ...] = ("run", "geometric", "-p", "terms=9", "-o", "_build/mine")
    if "endless" in kind or rng.random() < 0.4:
        words = ("sweep", "geometric", "-p", "terms=9", "--workers", "1", "--cell-limit", "5", "-o", "_build/swept")
    done = stage.spawn(*words, limit=100)
    failed = (1,) if words[0] == "run" else (11,)
    try:
        stage.judge(
            _without_reasons(done),
            (*failed, 0, 1) if kind in FINE else failed,
        )
        _gone(stage)
    except Bad as bad:
        raise Bad(f"{kind}, {words[0]}: {bad}") from None
    return {"poison": kind}


def _without_reasons(done: Done) -> Done:
    """A sweep says of each failed run, and a ledger of each claim, what is wrong with it: a line each."""
    kept = [line for line in done.err.splitlines() if not line.startswith(("✗", "terms="))]
    return Done(done.code, done.out, "\n".join(kept))
