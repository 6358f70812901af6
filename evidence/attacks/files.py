"""Class 2: file system and environment: what cannot be written, foreign files, damaged twins, closed streams."""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from attacks import values
from attacks.case import Bad, Class, demand
from attacks.stage import Done, Stage, last_line

FILES = Class("files", "File system and environment: full disks, links, pipes, damaged twins, closed streams")
NOBODY = 65534
UNEXPECTED = 4  # what the press says in one line where it did not expect a fault: of the system, here
WRITING = (("run", "geometric"), ("run", "geometric", "-p", "terms=7"), ("refresh", "geometric"))
READING = (("ledger",), ("list",), ("list", "geometric"), ("run", "zeta", "--help"))


def own(stage: Stage) -> tuple[Path, ...]:
    """What ``refresh`` may change."""
    return (stage.notebook, stage.twin)


def words(path: "Path | str") -> str:
    return os.fspath(path)


@FILES.attack("a folder that cannot be written is one line, and nothing that is there is changed", weight=3)
def target(stage: Stage, rng: Random) -> None:
    place = _place(stage, rng)
    stage.accept()
    done = stage.call("run", "geometric", "-p", "terms=7", "-o", place)
    where = Path(os.path.abspath(os.path.join(stage.root, place)))
    stage.judge(
        done,
        (0, 2, 3),
        changed=[where / "geometric.ipynb", where / "geometric.failed.ipynb"] if _new(stage, where) else [],
    )
    demand(done.code != 0 or not _in_chapters(stage, where), "a stored chapter was replaced, or a copy put among them")


def _new(stage: Stage, where: Path) -> bool:
    """Whether a run may write its notebook there, in the place of a link too: not among the chapters."""
    return not _in_chapters(stage, where) and not os.path.isdir(where / "geometric.ipynb")


def _in_chapters(stage: Stage, where: Path) -> bool:
    with suppress(OSError, RuntimeError):
        return where.resolve().is_relative_to((stage.root / "chapters").resolve())
    return False


def _place(stage: Stage, rng: Random) -> str:
    """A hostile folder for -o."""
    link = stage.root / "link"
    kind = rng.randrange(16)
    if kind == 0:
        link.symlink_to(link)
        return "link"
    if kind == 1:
        os.mkfifo(link)
        return rng.choice(("link", "link/below"))
    if kind == 2:
        link.symlink_to("/dev/zero")
        return "link"
    if kind == 3:
        link.symlink_to(stage.root / "chapters/sums", target_is_directory=True)
        return "link"
    if kind == 4:
        link.symlink_to("nowhere")
        return rng.choice(("link", "link/below"))
    if kind == 5:
        (stage.foreign / "geometric.ipynb").symlink_to(stage.foreign / "file 0.txt")
        return words(stage.foreign)
    if kind == 6:
        (stage.foreign / "geometric.ipynb").mkdir()
        return words(stage.foreign)
    if kind == 7:
        return rng.choice("abé") * rng.choice((256, 300, 5000))
    if kind == 8:
        return os.fsdecode(b"\xff\xfe" + bytes([rng.randrange(128, 255)]))
    return (
        "chapters/sums",
        "./chapters/../chapters/sums/.",
        rng.choice(("-", "-mine", "--mine")),
        "~nosuchuser/x",
        words(stage.foreign / "file 0.txt"),
        rng.choice(("/proc/x", "/dev/null", "/sys/kernel/x", "/dev/full")),
        "chapters/sums/new",
    )[kind - 9]


@FILES.attack("a disk that is full ends in one line with exit code 3, and what was stored stays whole", weight=3)
def full(stage: Stage, rng: Random) -> None:
    most = rng.choice((0, 1, 100, 1000, 3000, 10_000))
    command = rng.choice(WRITING)
    if command[0] == "refresh":
        stage.twin.write_text(stage.twin.read_text() + "\n# %% [markdown]\n# more\n")
        stage.accept()
    before = stage.notebook.read_bytes(), stage.twin.read_bytes()
    done = stage.call(*command, prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
    done = Done(done.code, done.out, (stage.folder / "err").read_text()) if most else _unheard(done)
    demand("Traceback" not in done.err, f"a traceback: {last_line(done.err)}")
    stage.judge(done, (0, 3, 1) if most else (0, 1, 3), changed=own(stage))
    if done.code != 0:
        demand(stage.notebook.read_bytes() == before[0], "the notebook was changed although the command failed")
        demand(stage.twin.read_bytes() in (before[1],), "the twin was changed although the command failed")


def _unheard(done: Done) -> Done:
    """Where no file may hold a byte the streams are files too: only the exit code can be judged."""
    return Done(done.code if done.code != 120 else 3, "", "error: (not heard)" if done.code in (2, 3) else "")


@FILES.attack("what may not be read or written by this user is one line")
def permissions(stage: Stage, rng: Random) -> None:
    if os.geteuid() != 0:
        drop: Callable[[], None] = lambda: None  # noqa: E731
    else:

        def drop() -> None:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)

        for path in (stage.folder, *stage.folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        for path in stage.folder.parents:
            if path != Path("/") and path.name.startswith((".running-", "case-")):
                path.chmod(0o755)
    stage.folder.chmod(0o755)
    locked = rng.choice(
        (
            stage.root,
            stage.root / "chapters/sums",
            stage.notebook,
            stage.twin,
            stage.root / "_toc.yml",
            stage.root / "requirements.txt",
            stage.root / "chapters/sums/geometric.paper.yaml",
            stage.root / "_atlas.yml",
        )
    )
    locked.chmod(rng.choice((0o000, 0o555, 0o444)) if locked.is_file() else rng.choice((0o555, 0o500)))
    command = rng.choice((*WRITING, *READING, ("run", "geometric", "--paper"), ("sweep", "geometric", "-p", "terms=0")))
    try:
        done = stage.call(*command, prepare=drop)
        changed = own(stage) if command[0] == "refresh" else ()
        stage.judge(done, (0, 1, 2, 3), changed=[*changed, locked])
    finally:
        locked.chmod(0o755)


@FILES.attack(
    "a damaged twin never costs the notebook its text: it is refused, or a copy of the notebook is kept",
    weight=4,
    damages=True,
)
def twin(stage: Stage, rng: Random) -> None:
    before, text = stage.notebook.read_bytes(), stage.twin.read_bytes()
    kind = rng.randrange(4)
    if kind == 0:
        damaged = text[: rng.randrange(len(text))]
    elif kind == 1:
        lines = text.splitlines(keepends=True)
        damaged = b"".join(lines[: rng.randrange(len(lines))])
    elif kind == 2:
        damaged = text.replace(b"\n", b"\r\n") if rng.random() < 0.5 else b"\xef\xbb\xbf" + text
    else:
        damaged = values.damaged(text, rng)
    stage.twin.write_bytes(damaged)
    os.utime(stage.twin, (rng.choice((1, 2**31 - 1)),) * 2)
    stage.accept()
    done = stage.call("refresh", "geometric")
    stage.judge(done, (0, 1, 2), changed=own(stage))
    after = stage.notebook.read_bytes()
    if after == before:
        return
    kept = [path.read_bytes() for path in (stage.root / "_build").rglob("*") if path.is_file()]
    lost = _lines(before) - _lines(after)
    demand(not lost or before in kept, f"{len(lost)} lines of the notebook are gone, and no copy of it is kept")
    demand(done.code == 0, "the notebook was changed although the command failed")


def _lines(notebook: bytes) -> set[bytes]:
    return {line for line in notebook.splitlines() if len(line) > 20}


@FILES.attack("a file of the book that is a link, a pipe, a folder or gone is one line", weight=2, damages=True)
def no_file(stage: Stage, rng: Random) -> None:
    path = stage.root / rng.choice(
        (
            "_toc.yml",
            "_atlas.yml",
            "requirements.txt",
            "pyproject.toml",
            "chapters/sums/geometric.py",
            "chapters/sums/geometric.ipynb",
            "chapters/sums/geometric.paper.yaml",
            "chapters/sums",
            "lib",
            "_build",
        )
    )
    if path.is_dir():
        path.rename(stage.root / "away")
    else:
        path.unlink(missing_ok=True)
    kind = rng.randrange(6)
    if kind == 0:
        os.mkfifo(path)
    elif kind == 1:
        path.symlink_to(rng.choice(("/dev/zero", path.name, "nowhere", "/")))
    elif kind == 2:
        path.mkdir()
    elif kind == 3:
        path.write_bytes(b"")
    elif kind == 4:
        path.symlink_to(stage.foreign / "file 1.txt")
    stage.accept()
    command = rng.choice((*WRITING, *READING, ("run", "geometric", "--paper")))
    done = stage.call(*command, limit=15)
    stage.judge(done, (0, 1, 2, 3), changed=own(stage) if command[0] == "refresh" else ())
    demand((stage.foreign / "file 1.txt").read_text().startswith("nobody"), "a foreign file was written through a link")


@FILES.attack("a closed or full stream, or a reader that goes away, is an exit code, never a traceback", weight=2)
def streams(stage: Stage, rng: Random) -> None:
    kind = rng.choice(("no out", "no err", "no in", "no streams", "full out", "full err", "deaf reader"))

    def prepare() -> None:
        for number, word in ((0, "in"), (1, "out"), (2, "err")):
            if kind in (f"no {word}", "no streams"):
                os.close(number)
                setattr(sys, f"std{word}", None)
            elif kind == f"full {word}":
                full = os.open("/dev/full", os.O_WRONLY)
                os.dup2(full, number)
        if kind == "deaf reader":
            reading, writing = os.pipe()
            os.close(reading)
            os.dup2(writing, 1)

    command = rng.choice((*WRITING, *READING))
    done = stage.call(*command, prepare=prepare)
    # 120 is what the interpreter says when its last words cannot be written, 141 a reader that has gone away.
    heard = kind not in ("no err", "full err", "no streams")
    demand(done.code != 3 or not heard or "error: " in done.err, "exit code 3 without a line that says why")
    expected = done.code in (120, 141, 1, 3)
    stage.judge(Done(0 if expected else done.code, done.out, _spoken(done.err)), (0,), changed=own(stage))


def _spoken(err: str) -> str:
    return "\n".join(line for line in err.splitlines() if not line.startswith(("error: ", "Exception ignored")))


@FILES.attack("output that cannot hold the characters of the claims is shown otherwise, and the exit code stays right")
def encoding(stage: Stage, rng: Random) -> None:
    name = rng.choice(("latin-1", "ascii", "cp1252", "koi8-r"))
    reconfigure = lambda: [stream.reconfigure(encoding=name) for stream in (sys.stdout, sys.stderr)]  # noqa: E731
    command = rng.choice((("ledger",), ("run", "geometric"), ("list", "geometric"), ("ledger", "--json")))
    stage.judge(stage.call(*command, prepare=reconfigure), (0,))


@FILES.attack("a locale without Unicode changes no exit code", limit=60)
def locale(stage: Stage, rng: Random) -> None:
    settings = rng.choice(
        (
            {"LC_ALL": "C", "PYTHONUTF8": "0"},
            {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            {"PYTHONIOENCODING": "latin-1"},
            {"LC_ALL": "de_DE.ISO-8859-1", "PYTHONUTF8": "0"},
        )
    )
    done = stage.spawn("ledger", env=stage.environment() | settings)
    stage.judge(done, (0,))


@FILES.attack("an environment that lacks what is taken for granted is no reason to fail, or is one line", weight=2)
def environment(stage: Stage, rng: Random) -> None:
    name, value = rng.choice(
        (
            ("HOME", None),
            ("HOME", "/nonexistent"),
            ("HOME", ""),
            ("PATH", None),
            ("PATH", ""),
            ("TMPDIR", "/nonexistent"),
            ("TMPDIR", words(stage.foreign / "file 0.txt")),
            ("COLUMNS", "0"),
            ("COLUMNS", "abc"),
            ("COLUMNS", "-5"),
            ("TERM", "dumb"),
            ("TERM", "\udcff"),
            ("NO_COLOR", "1"),
            ("FORCE_COLOR", "1"),
            ("TZ", "Nowhere/Nothing"),
            ("JUPYTER_PATH", "/dev/null"),
            ("PYTHONWARNINGS", "error"),
            ("MPLBACKEND", "nonsense"),
            ("USER", "é\udcff"),
        )
    )

    def prepare() -> None:
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value

    done = stage.call(*rng.choice((*WRITING, *READING)), prepare=prepare)
    stage.judge(done, (0, 3), changed=own(stage))


@FILES.attack("a current folder that is gone or lies outside the book is one line")
def nowhere(stage: Stage, rng: Random) -> None:
    def prepare() -> None:
        gone = stage.folder / "gone"
        gone.mkdir()
        os.chdir(gone)
        if rng.random() < 0.7:
            gone.rmdir()

    stage.judge(stage.call(*rng.choice((*WRITING, *READING)), prepare=prepare), (2, 3))


@FILES.attack("too few open files end in one line")
def handles(stage: Stage, rng: Random) -> None:
    most = rng.choice((8, 12, 20, 30))
    command = rng.choice((("ledger",), ("run", "geometric"), ("refresh", "geometric")))
    done = stage.call(*command, prepare=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
    demand("Traceback" not in done.err, f"a traceback: {last_line(done.err)}")
    stage.judge(done, (0, 1, 2, 3, UNEXPECTED), changed=own(stage))


@FILES.attack("a kernel that cannot be started for lack of files or processes is one line", limit=90)
def kernel(stage: Stage, rng: Random) -> None:
    kind = rng.choice(("files", "path", "home"))

    def prepare() -> None:
        if kind == "files":
            resource.setrlimit(resource.RLIMIT_NOFILE, (rng.choice((24, 40)),) * 2)
        elif kind == "path":
            os.environ["PATH"] = "/nonexistent"
        else:
            os.environ["HOME"] = "/nonexistent"

    done = stage.call("run", "zeta", "-p", "terms=9", prepare=prepare, kernel="real", limit=80)
    stage.judge(done, (0, 1, 2, 3))


@FILES.attack("a folder that no sweep wrote is refused or left as it is; no link in it is followed", weight=3, limit=60)
def sweep_folder(stage: Stage, rng: Random) -> None:
    folder = stage.foreign / "swept"
    (folder / "runs/terms=60").mkdir(parents=True)
    kind = rng.randrange(6)
    if kind == 0:
        (folder / rng.choice(("claims.csv", "claims.parquet", "index.html"))).write_text("mine")
    elif kind == 1:
        (folder / "runs/terms=60/mine.txt").write_text("mine")
    elif kind == 2:
        (folder / "runs/.running-mine").mkdir()
        (folder / "runs/.running-mine/mine.txt").write_text("mine")
    elif kind == 3:
        name = rng.choice(
            (
                ".lock",
                "sweep.json",
                "claims.csv",
                "claims.parquet",
                ".index.html.unfinished",
                "index.html",
                "runs/terms=61",
            )
        )
        (folder / name).symlink_to(stage.foreign / "file 0.txt")
    elif kind == 4:
        (folder / "sweep.json").write_text('{"chapter": "sums/other"}')
    else:
        (folder / "index.html").symlink_to("/dev/full")
    stage.accept()
    before = {path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()}
    kept = {path: path.read_bytes() for path in before}
    done = stage.call("sweep", "geometric", "-p", "terms=60,61", "-o", words(folder), limit=50)
    for path, content in kept.items():
        demand(
            path.exists() and path.read_bytes() == content,
            f"{path.relative_to(folder)}, a foreign file, was changed or removed",
        )
    stage.judge(done, (0, 2, 3), changed=[folder])


@FILES.attack("names of files with anything in them are no names of chapters")
def names(stage: Stage, rng: Random) -> None:
    word = values.text(rng).replace("/", "_").replace("\0", "")[:60] or "x"
    bad = word.encode("utf-8", "surrogatepass")[:200]
    folder = os.fsencode(stage.root / "chapters/sums")
    with (
        suppress(OSError, ValueError),
        open(os.path.join(folder, bad + rng.choice((b".ipynb", b".py", b"", b".paper.yaml"))), "wb") as file,
    ):
        file.write(rng.choice((b"", b"{}", stage.notebook.read_bytes())))
    stage.accept()
    done = stage.call(*rng.choice((("list",), ("ledger",), ("run", "geometric"))))
    stage.judge(done, (0, 1, 2))


@FILES.attack("two commands at once in one book: both end well, or one says that the other is at work", limit=60)
def at_once(stage: Stage, rng: Random) -> None:
    pair = rng.choice(
        ((("refresh", "geometric"),) * 2, (("run", "geometric"),) * 2, (("run", "zeta"), ("refresh", "zeta")))
    )
    started = [stage.start(*command) for command in pair]
    for process in started:
        try:
            out, err = process.communicate(timeout=50)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise Bad("no end after 50 s") from None
        done = Done(process.returncode, out.decode(), err.decode())
        demand("Traceback" not in done.err, f"a traceback: {last_line(done.err)}")
        demand(done.code in (0, 2), f"exit code {done.code}: {last_line(done.err)}")
    stage.judge(stage.call("ledger"), (0,))
