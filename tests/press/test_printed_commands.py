"""Every command that a page prints is one that the press would run: chapter, parameters, values and options exist."""

import re
import shlex
from pathlib import Path

import pytest
from papermill.cli import papermill

from reproduce import cli
from reproduce.archive import export
from reproduce.campaigns import paper
from reproduce.chapters import parameters
from reproduce.chapters.book import Book
from reproduce.running import check, refresh, run
from reproduce.sweep import sweep

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "rerun.md", "sweep.md")
PRINTED = re.compile(r"^(?: {4})?(python -m reproduce .+|papermill \S+\.ipynb .+|cd .+)$", re.MULTILINE)


def printed(page: str) -> list[tuple[str, Path, list[str]]]:
    """The commands of a page without their comments, each with the folder that an earlier ``cd`` leads to."""
    found, folder = [], ROOT
    text = re.sub(r"\\\n\s*", "", (ROOT / page).read_text(encoding="utf-8"))  # a line that goes on in the next
    for line in PRINTED.findall(text):
        words = shlex.split(line, comments=True)
        if words[0] == "cd":
            folder = ROOT / words[1]
        else:
            found.append((f"{page}: {' '.join(words)}", folder if words[0] == "papermill" else ROOT, words))
    return found


COMMANDS = [command for page in PAGES for command in printed(page)]
OURS = [(name, words) for name, _, words in COMMANDS if words[0] == "python"]
PAPERMILLS = [(name, folder, words) for name, folder, words in COMMANDS if words[0] == "papermill"]


class WouldRun(BaseException):
    """Everything that was asked for is allowed."""


def would_run(*given: object, **named: object) -> None:
    raise WouldRun


def test_the_pages_print_commands() -> None:
    assert {words[3] for _, words in OURS} >= {"list", "run", "sweep", "ledger", "check", "export"}
    assert len(PAPERMILLS) >= 2


@pytest.mark.parametrize("words", [words for _, words in OURS], ids=[name for name, _ in OURS])
def test_a_command_is_allowed(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    replaced = ((run, "run"), (sweep, "sweep"), (refresh, "refresh"), (paper, "run_paper"), (check, "check"),
                (export, "packed"))  # fmt: skip
    for module, function in replaced:
        monkeypatch.setattr(module, function, would_run)
    with pytest.raises((WouldRun, SystemExit)) as end:
        cli.main(words[3:])
    assert end.type is WouldRun or end.value.code == 0, capsys.readouterr().err


@pytest.mark.parametrize(("folder", "words"), [one[1:] for one in PAPERMILLS], ids=[one[0] for one in PAPERMILLS])
def test_a_command_of_papermill_names_what_there_is(folder: Path, words: list[str]) -> None:
    given = papermill.make_context("papermill", words[1:]).params
    book = Book(ROOT)
    chapter = book.chapter(Path(given["notebook_path"]).stem)
    assert (folder / given["notebook_path"]).resolve() == chapter.notebook
    assert (folder / given["output_path"]).resolve().parent == book.build
    known = parameters.signature(chapter.read(), chapter.name)
    values = parameters.parse(known, [f"{name}={value}" for name, value in given["parameters"]], chapter.name)
    parameters.check_relations(known, values)
    for file in given["parameters_file"]:
        assert (folder / file).resolve() == chapter.paper


@pytest.mark.nightly  # a test of this test
def test_a_wrong_command_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for words in (["run", "nothing"], ["run", "max_margin", "-p", "x=1"], ["sweep", "max_margin", "--nothing"]):
        with pytest.raises(SystemExit) as end:
            cli.main(words)
        assert end.value.code == 2
