"""What an archive of chapters holds: the chapters, what they claim, and everything that a check of a claim needs."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml
from nbformat import NotebookNode

from reproduce.chapters.book import CONTENTS, REGISTER, Book, Chapter, title
from reproduce.chapters.parameters import paper_values, signature
from reproduce.claims.ledger import Ledger, judge, read_register
from reproduce.claims.wellformed import SCHEMA, schema
from reproduce.ground.errors import LONGEST_PATH, PressError, quoted
from reproduce.ground.reading import read_bytes, read_json
from reproduce.running.environment import commit_of, known_to_git
from reproduce.running.last_run import LastRun, last_run

SHARED = {
    "CITATION.cff": "How to cite the book",
    "CHANGELOG.md": "What changed from version to version",
    "LICENSE": "The licence of the code",
    "LICENSE-TEXT": "The licence of text and figures",
    "Makefile": "The commands",
    "Containerfile": "The environment as a container",
    "codemeta.json": "The book for catalogues of software",
    "environment.yml": "The environment for conda",
    "pyproject.toml": "What the library needs, in ranges",
    "references.bib": "The sources",
    "requirements.txt": "What the library needs, in locked versions",
    "requirements-hashed.txt": "The same for every platform, with the sha256 of every file",
}
CLAIMS, PARAMETERS, ENVIRONMENT = "claims.json", "parameters.json", "environment.json"
ANSWERS = "answers"  # the folder of certified answers, each of which names its chapter


@dataclass(frozen=True)
class Entry:
    """One file of an archive.

    path: inside it.
    content: its bytes.
    about: what it is, in a few words.
    """

    path: str
    content: bytes
    about: str

    @property
    def digest(self) -> str:
        """Its sha256."""
        return sha256(self.content).hexdigest()


@dataclass(frozen=True)
class Selection:
    """Some chapters of a book, with what is known of them.

    book: which they are of.
    chapters: in the order of the book.
    """

    book: Book
    chapters: Sequence[Chapter]

    @cached_property
    def notebooks(self) -> dict[str, NotebookNode]:
        """The stored notebooks by chapter name; a PressError if one of the chapters has none."""
        return {one.name: one.read() for one in self.chapters}

    @cached_property
    def register(self) -> list[dict[str, Any]]:
        """The entries of the book's register that are about these chapters."""
        return [one for one in read_register(self.book.root / REGISTER) if one["chapter"] in self.notebooks]

    @cached_property
    def ledger(self) -> Ledger:
        """What the chapters claim, judged from what they store."""
        return judge(self.notebooks, self.register)

    @cached_property
    def last_runs(self) -> dict[str, LastRun]:
        """When and with what the chapters were executed, as far as it is known."""
        found = {name: last_run(name, notebook) for name, notebook in self.notebooks.items()}
        return {name: run for name, run in found.items() if run is not None}

    @cached_property
    def commit(self) -> str:
        """The commit from which the archive is made."""
        return commit_of(self.book)

    @cached_property
    def tracked(self) -> frozenset[str] | None:
        """The files that the book's repository tracks; None for a book in no repository."""
        return known_to_git(self.book)


def as_json(content: Any, indent: int = 1) -> str:
    """A content as the text of a file."""
    return json.dumps(content, indent=indent, ensure_ascii=False) + "\n"


def as_yaml(content: Any) -> str:
    """The same in YAML."""
    return str(yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120))


def entries_of(chosen: Selection) -> Iterator[Entry]:
    """The files of an archive, without the page, the checksums and the metadata, which are about them."""
    root = chosen.book.root
    for chapter in chosen.chapters:
        name = title(chosen.notebooks[chapter.name]) or chapter.name
        if chosen.tracked is not None and _below(root, chapter.notebook) not in chosen.tracked:
            raise PressError(
                f"{chapter.name} is not in the book's repository, which an archive is made of; 'git add' it"
            )
        for file, about in ((chapter.notebook, "with stored outputs"), (chapter.twin, "as a script")):
            yield from _copied(chosen, file, f"{name}, {about}")
        yield from _copied(chosen, chapter.paper, f"{name}: the parameters of the paper's own experiment")
    contents = {
        "format": "jb-book",
        "root": "README",
        "chapters": [{"file": f"chapters/{one.name}"} for one in chosen.chapters],
    }
    executed = {"commit": chosen.commit, "last_runs": {name: asdict(run) for name, run in chosen.last_runs.items()}}
    for name, text, about in (
        (CLAIMS, as_json({"schema": SCHEMA, **chosen.ledger.as_json()}), "Every claim with its verdict"),
        (SCHEMA, as_json(schema()), "The JSON schema of a claim's record"),
        (PARAMETERS, as_json(_parameters(chosen)), "The parameters of every chapter, with type, range and default"),
        (ENVIRONMENT, as_json(executed), "When, with what and how long every chapter was executed"),
        (CONTENTS, as_yaml(contents), "The table of contents"),
        (REGISTER, as_yaml(chosen.register), "The register of results and their claims"),
    ):
        yield Entry(name, text.encode(), about)
    for shared, about in SHARED.items():
        yield from _copied(chosen, root / shared, about)
    for path in sorted((root / ANSWERS).glob("[!.]*.py")):
        yield from _copied(chosen, path, "How the certified answers are made and checked")
    for path in sorted((root / ANSWERS).glob("[!.]*.json")):
        if path.name.endswith(".schema.json"):
            yield from _copied(chosen, path, "The JSON schema of the certified answers")
        elif (answered := answered_by(path)) in chosen.notebooks:
            yield from _copied(chosen, path, f"Certified answers on the data of {answered}")
    for path in sorted((root / "lib").rglob("*")):
        below = path.relative_to(root)
        if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in below.parts):
            yield from _copied(chosen, path, "The library that the chapters use")


def answered_by(path: Path) -> str:
    """The chapter that certified answers are of, empty where a file names none; a PressError for what is no name."""
    content = read_json(path)
    chapter = content.get("chapter", "") if isinstance(content, dict) else ""
    if not isinstance(chapter, str):
        raise PressError(f"{path}: chapter is {quoted(chapter)}; it must be the name of a chapter")
    return chapter


def _copied(chosen: Selection, path: Path, about: str) -> Iterator[Entry]:
    """A file of the book under its own name, if there is one and the book's repository, if it is in one, tracks it.

    Raises PressError for a link to what does not belong to the book, and for a name that no list of checksums holds.
    """
    root, tracked = chosen.book.root, chosen.tracked
    if not path.exists() or (tracked is not None and _below(root, path) not in tracked):
        return
    name = _below(root, path)
    target = path.resolve()
    inside = target.is_relative_to(root.resolve())
    if not inside or (tracked is not None and _below(root.resolve(), target) not in tracked):
        raise PressError(f"{quoted(name, LONGEST_PATH)} is a link to what is no file of the book; it cannot be packed")
    if not name.isprintable() or "\\" in name:
        raise PressError(f"the name {quoted(name, LONGEST_PATH)} cannot stand in a list of checksums; rename the file")
    yield Entry(name, read_bytes(path), about)


def _below(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()


def _parameters(chosen: Selection) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for chapter in chosen.chapters:
        known = signature(chosen.notebooks[chapter.name], chapter.name)
        found[chapter.name] = {
            "parameters": [
                {"name": one.name, "type": one.type, "default": one.default, "range": one.range, "meaning": one.meaning}
                for one in known.values()
            ],
            "relations": [relation.text for relation in known.relations],
            "paper": dict(paper_values(known, chapter)) if chapter.paper.exists() else None,
        }
    return found
