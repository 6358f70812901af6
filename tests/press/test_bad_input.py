"""Bad input, damaged files, poor surroundings: one line, an exit code that says what it means, nothing half-written."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from patience import PATIENCE
from tiers import at_night, thinned

from reproduce.chapters.book import Chapter, parts_of
from reproduce.ground.errors import PressError
from reproduce.ground.reading import read_json, read_notebook, read_text, read_yaml

if TYPE_CHECKING:
    from conftest import TinyBook

PRESS = [sys.executable, "-m", "reproduce"]
LATIN = {"PYTHONIOENCODING": "latin-1"}
PLAIN_C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture
def chapter(tiny: "TinyBook") -> Chapter:
    return tiny.chapter("sums/geometric")


def press(
    tiny: "TinyBook", *words: str | bytes, cwd: Path | None = None, shell: str = "", **environment: str
) -> "subprocess.CompletedProcess[bytes]":
    """Call the press with bytes as they come.

    shell: a command of the shell in which ``"$@"`` stands for the call.
    """
    command: list[str | bytes] = [*PRESS, *words]
    return subprocess.run(
        ["bash", "-c", shell, "bash", *command] if shell else command,
        cwd=cwd or tiny.root,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
    )


def refused(
    done: "subprocess.CompletedProcess[bytes] | subprocess.CompletedProcess[str]", said: str, code: int = 2
) -> None:
    """It ended with one line, which says this."""
    error = done.stderr if isinstance(done.stderr, str) else done.stderr.decode()
    line = error.splitlines()[-1]
    assert line.startswith("error: "), error
    assert said in line
    assert [one for one in error.splitlines()[:-1] if one != "running sums/geometric"] == []
    assert done.returncode == code


# What is typed


@pytest.mark.parametrize("name", ["x" * 300, f"_build/{'y' * 300}/deeper"])
def test_a_name_too_long_for_a_file_is_one_line(tiny: "TinyBook", chapter: Chapter, name: str) -> None:
    before = tiny.files()
    inside = name.startswith("_build")
    refused(tiny.ask("run", "geometric", "-o", name if inside else f"../{name}"), "file name too long", 3)
    assert tiny.files() == before
    assert not (tiny.root / "_build").exists()


def test_a_name_of_thousands_of_letters_is_not_repeated_whole(tiny: "TinyBook", chapter: Chapter) -> None:
    done = tiny.ask("run", "geometric", "-o", "../" + "x" * 5000)
    refused(done, "characters): file name too long", 3)
    assert max(map(len, done.stderr.splitlines())) < 700


@pytest.mark.parametrize("name", thinned(["-", "-mine", "s3:", "{x}"], every=4))
def test_a_folder_may_have_any_name(tiny: "TinyBook", chapter: Chapter, name: str, tmp_path: Path) -> None:
    elsewhere = tiny.root / "_build" / "here"
    elsewhere.mkdir(parents=True)
    done = press(tiny, "run", "geometric", "-o", name, cwd=elsewhere)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (elsewhere / name).iterdir()] == ["geometric.ipynb"]


@pytest.mark.parametrize("words", [["-p", b"terms=\xff"], ["-o", b"../\xff"], ["-p", b"\xff=1"]])
def test_bytes_that_are_no_text_are_one_line(tiny: "TinyBook", chapter: Chapter, words: list[str | bytes]) -> None:
    before = tiny.files()
    refused(press(tiny, "run", "geometric", *words), "argument 4 of the command is not text in utf-8")
    assert tiny.files() == before


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("loud=", "loud='' is not allowed: it must be true or false"),
        ("terms=3\n4", r"terms=3\n4 is not allowed: it must be an int in [1, 1000]"),
        ("terms=" + "9" * 5000, "… (5000 characters) is not allowed: it must be an int in [1, 1000]"),
        ("\x1b[31mterms\u2028x=3", r"unknown parameter '\x1b[31mterms\u2028x'"),
    ],
)
def test_a_value_is_repeated_on_one_short_line(tiny: "TinyBook", chapter: Chapter, value: str, said: str) -> None:
    done = tiny.ask("run", "geometric", "-p", value)
    refused(done, said)
    assert len(done.stderr) < 300


@pytest.mark.parametrize("command", ["list", "ledger"])
def test_an_output_without_room_is_one_line(tiny: "TinyBook", chapter: Chapter, command: str) -> None:
    refused(press(tiny, command, shell='"$@" > /dev/full'), "cannot write standard output: no space left on device", 3)


def test_without_a_command_the_help_is_shown(tiny: "TinyBook") -> None:
    done = press(tiny)
    assert done.returncode == 2
    assert done.stderr.decode().startswith("Usage: python -m reproduce")


# What is read

NOTEBOOKS = {
    "list": b"[]",
    "null": b"null",
    "number": b"7",
    "empty": b"",
    "deep": b"[" * 100_000,
    "deep in a key": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": ' + b'{"a":' * 100_000,
    "no format": b'{"cells": []}',
    "odd format": b'{"nbformat": [4], "cells": []}',
    "future": b'{"nbformat": 99, "cells": []}',
    "no outputs": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "id": "a", '
    b'"metadata": {}, "source": "1", "execution_count": 1}]}',
    "no cells": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}',
    "cells of numbers": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [1]}',
    "latin": '{"nbformat": 4, "name": "é"}'.encode("latin-1"),
    "long number": b'{"nbformat": ' + b"4" * 5000 + b"}",
}


@pytest.mark.parametrize("content", NOTEBOOKS.values(), ids=NOTEBOOKS.keys())
def test_a_file_that_is_no_notebook_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "one.ipynb"
    path.write_bytes(content)
    with pytest.raises(PressError) as refusal:
        read_notebook(path)
    assert str(refusal.value).startswith(f"{path} is not ")
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("command", [["ledger"], ["run", "geometric"]], ids=" ".join)
def test_a_chapter_that_is_no_notebook_is_one_line(tiny: "TinyBook", chapter: Chapter, command: list[str]) -> None:
    chapter.notebook.write_bytes(NOTEBOOKS["deep"])
    refused(tiny.ask(*command), f"{chapter.notebook} is not a notebook: it is nested too deeply")
    assert chapter.notebook.read_bytes() == NOTEBOOKS["deep"]


def no_permission(path: Path) -> None:
    """root reads whatever it likes: what it cannot read either stands for a file without permission."""
    path.unlink(missing_ok=True)
    path.symlink_to("/proc/self/mem" if os.geteuid() == 0 else "/etc/shadow")


def folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def latin(path: Path) -> None:
    path.write_bytes(b"a: \xe9")


def pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def loop(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(path.name)


@pytest.mark.parametrize("damage", [no_permission, folder, latin, pipe, loop])
@pytest.mark.parametrize("read", [read_text, read_json, read_yaml, read_notebook])
def test_a_file_that_cannot_be_read_says_so(
    tmp_path: Path, damage: Callable[[Path], None], read: Callable[[Path], object]
) -> None:
    path = tmp_path / "file"
    damage(path)
    with pytest.raises(PressError) as refusal:
        read(path)
    assert str(refusal.value).startswith(f"{path} ")


@pytest.mark.parametrize(
    ("file", "command", "damage"),
    [
        ("chapters/sums/geometric.ipynb", ["list"], no_permission),
        ("chapters/sums/geometric.paper.yaml", ["run", "geometric", "--paper"], folder),
        ("chapters/sums/geometric.paper.yaml", ["list", "geometric"], latin),
        ("chapters/sums/geometric.py", ["refresh"], latin),
        ("_atlas.yml", ["ledger"], pipe),
        ("_toc.yml", ["list"], no_permission),
        ("_toc.yml", ["list"], latin),
    ],
)
def test_a_file_that_cannot_be_read_is_named(
    tiny: "TinyBook", chapter: Chapter, file: str, command: list[str], damage: Callable[[Path], None]
) -> None:
    damage(tiny.root / file)
    done = tiny.ask(*command)
    error = done.stderr
    assert done.returncode == 2, error
    assert str(tiny.root / file) in error.splitlines()[-1]
    assert len([line for line in error.splitlines() if not line.startswith("executing")]) == 1


BOMB = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    + [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 10)]
)


@pytest.mark.parametrize(
    "text", [BOMB, "&a [*a]", "&a {b: *a}", "a: &a {b: 1}\nc: {<<: *a}"], ids=["bomb", "list", "map", "merged"]
)
@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("_toc.yml", ["list"]),
        ("_toc.yml", ["ledger"]),
        ("_toc.yml", ["new", "sums/more"]),
        ("_atlas.yml", ["ledger"]),
        ("CITATION.cff", ["metadata"]),
        ("chapters/sums/geometric.paper.yaml", ["list", "geometric"]),
    ],
)
def test_aliases_are_refused_at_once(
    tiny: "TinyBook", chapter: Chapter, text: str, file: str, command: list[str]
) -> None:
    (tiny.root / file).write_text(text)
    started = time.process_time()
    refused(tiny.ask(*command), f"{tiny.root / file} is not YAML: line ")
    assert time.process_time() - started < 10  # nobody waits for nine to the ninth


@pytest.mark.parametrize("parts", ["5", "sums", "[5]", "{caption: sums}"])
def test_parts_of_another_form_are_one_line(parts: str, tmp_path: Path) -> None:
    with pytest.raises(
        PressError, match=r"^_toc.yml: parts is .*; it must be a list, each with a caption and chapters$"
    ):
        parts_of(yaml.safe_load(f"parts: {parts}"))


@pytest.mark.nightly
def test_a_lock_file_that_cannot_be_read_is_named(tiny: "TinyBook", chapter: Chapter) -> None:
    no_permission(tiny.root / "requirements.txt")
    done = press(tiny, "build")
    assert f"✗ sums/geometric {tiny.root / 'requirements.txt'} cannot be read: " in done.stderr.decode()
    assert done.returncode == 2


@pytest.mark.parametrize("text", ["claims: 5", "- chapter: sums/geometric\n  claims: 5"])
@pytest.mark.parametrize("command", [["ledger"], ["build"]], ids=" ".join)
def test_a_register_of_another_form_is_one_line(
    tiny: "TinyBook", chapter: Chapter, text: str, command: list[str]
) -> None:
    (tiny.root / "_atlas.yml").write_text(text)
    done = tiny.ask(*command)
    assert done.returncode == 2
    assert "error: _atlas.yml" in done.stderr.splitlines()[-1]


# Where it runs


def test_a_folder_that_was_deleted_is_one_line(tiny: "TinyBook", chapter: Chapter, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    done = press(tiny, "run", "geometric", shell='rmdir "$PWD"; exec "$@"', cwd=gone)
    refused(done, "the current folder does not exist any more; change into the book")


@pytest.mark.parametrize("command", [["run", "geometric"], ["refresh"], ["build"]], ids=lambda words: words[0])
def test_too_few_open_files_for_a_kernel_are_one_line(tiny: "TinyBook", chapter: Chapter, command: list[str]) -> None:
    before = chapter.notebook.read_bytes()
    done = press(tiny, *command, shell='ulimit -n 30; exec "$@"')
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[-1] == (
        "error: 30 open files are allowed here, a chapter needs 96; see 'ulimit -n'"
    )
    assert chapter.notebook.read_bytes() == before


def test_a_limit_that_may_be_raised_is_raised(tiny: "TinyBook", chapter: Chapter) -> None:
    assert press(tiny, "list", shell='ulimit -n 20; exec "$@"').returncode == 0
    assert press(tiny, "run", "geometric", shell='ulimit -S -n 30; exec "$@"').returncode == 0


@pytest.mark.parametrize("environment", [LATIN, at_night(PLAIN_C)], ids=["latin", "C"])
def test_marks_become_words_where_they_cannot_be_written(
    tiny: "TinyBook", chapter: Chapter, environment: dict[str, str]
) -> None:
    assert press(tiny, "refresh", **environment).returncode == 0
    good = press(tiny, "ledger", **environment)
    assert good.returncode == 0, good.stderr
    assert b"ok" in next(line for line in good.stdout.splitlines() if b"limit" in line)
    assert b"<= 1e-09" in good.stdout
    (tiny.root / "_atlas.yml").write_text("")
    bad = press(tiny, "ledger", **environment)
    assert bad.returncode == 1
    mark = "not ok" if environment is LATIN else "✗"  # click takes an ASCII stream for one of UTF-8
    assert bad.stderr.decode() == f"{mark} sums/geometric: claim geometric.limit is not registered\n"
    assert press(tiny, "list", **environment).returncode == 0


@pytest.mark.parametrize("closed", [at_night(">&-"), "<&- >&- 2>&-"])
def test_closed_streams_change_nothing(tiny: "TinyBook", chapter: Chapter, closed: str) -> None:
    done = press(tiny, "run", "geometric", shell=f'"$@" {closed}')
    assert done.returncode == 0, done.stderr
    assert (tiny.root / "_build/runs/sums/geometric/default/geometric.ipynb").exists()
    assert press(tiny, "run", "geometric", "-p", "terms=5", shell=f'"$@" {closed}').returncode == 1


@pytest.mark.parametrize("command", [["list"], ["ledger", "--json"], at_night(["run", "geometric"])], ids=" ".join)
def test_nobody_who_reads_is_no_error_of_a_claim(tiny: "TinyBook", chapter: Chapter, command: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        done = subprocess.run(
            [*PRESS, *command], cwd=tiny.root, stdout=closed, stderr=subprocess.PIPE, timeout=PATIENCE
        )
    assert done.returncode == 141
    assert done.stderr.decode().replace("running sums/geometric\n", "") == ""


def test_an_unexpected_exception_is_one_line_with_its_traceback_in_a_file(tiny: "TinyBook", chapter: Chapter) -> None:
    script = (
        "import sys, reproduce.chapters.book\n"
        "def fail(*given): raise LookupError('two\\nlines')\n"
        "reproduce.chapters.book.Book.chapters = fail\n"
        "from reproduce.cli import main\nmain(sys.argv[1:])"
    )
    done = subprocess.run([sys.executable, "-c", script, "list"], cwd=tiny.root, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (
        4,
        "error: LookupError: two lines; the press did not expect this, _build/traceback.txt says where it happened\n",
    )
    assert "in fail" in (tiny.root / "_build/traceback.txt").read_text()
    (tiny.root / "_build/traceback.txt").unlink()
    (tiny.root / "_build").rmdir()
    (tiny.root / "_build").write_text("")
    done = subprocess.run([sys.executable, "-c", script, "list"], cwd=tiny.root, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (4, "error: LookupError: two lines; the press did not expect this\n")


@pytest.mark.parametrize("port", ["abc", "", "0", "65536", "80 80", "-1"])
def test_a_port_that_is_none_is_named(port: str, tmp_path: Path) -> None:
    makefile = Path(__file__).parents[2] / "Makefile"
    (tmp_path / "_build/html").mkdir(parents=True)
    (tmp_path / "_build/html/index.html").touch()
    command = ["make", "-f", str(makefile), "-o", ".venv/.installed", "serve", f"PORT={port}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2
    said = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert said == [f"error: PORT={port} is not a port: it must be a whole number from 1 to 65535"]
