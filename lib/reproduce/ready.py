"""What of the work on a chapter is done and what is not: the checks of the book, in the order in which one does it."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from nbformat import NotebookNode

from reproduce.archive.metadata import described
from reproduce.campaigns.finding import WRITTEN_BY, read_finding
from reproduce.chapters.book import CHAPTERS, REGISTER, Book, Chapter
from reproduce.chapters.new import CAPTION, PAPER, leftovers
from reproduce.chapters.parameters import paper_values, signature
from reproduce.chapters.seeded import SEED
from reproduce.chapters.statements import REFERENCES, STATEMENTS, read_statements, sources
from reproduce.claims.ledger import judge, read_register, unfinished
from reproduce.ground.errors import PressError
from reproduce.ground.reading import read_text
from reproduce.pages.atlas_map import read_results
from reproduce.pages.differences import HEADING, KINDS, section
from reproduce.running.refresh import out_of_step

MUTANTS = "evidence/mutants/chapters"
PATHS, CHANGES = "intro.md", "CHANGELOG.md"
HEADLINES = range(2, 5)
OF_CHAPTERS = ("seeds", "off_default", "paper")  # campaigns that a new chapter goes through at once
CITED = re.compile(r"\{cite(?::\w+)?\}`([^`]+)`")
POINT = re.compile(r"^- \**(\w+)", re.MULTILINE)  # and its first word


@dataclass(frozen=True)
class Item:
    """A part of the work.

    what: in words.
    left: what is left of it, each in one line; nothing if it is done.
    """

    what: str
    left: list[str]


def items(book: Book, chapter: Chapter) -> Iterator[Item]:
    """All parts of the work on a chapter, each looked at now; nothing is executed."""
    checks: dict[str, Callable[[Book, Chapter], Iterable[str]]] = {
        "script and notebook in step, executed from top to bottom": _executed,
        "no words of the template": leftovers,
        "parameters, and those of the paper's scale": _parameters,
        f"claims that hold, each in {REGISTER}": _claims,
        "two to four headlines": _headlines,
        "figures in numbers, one of them the hero": _figures,
        f"question and answer in {REGISTER}": _entry,
        f"citations in {REFERENCES}, its source among them": _citations,
        HEADING: _differences,
        f"statements of its source in {STATEMENTS}": _statements,
        f"formulas to change in {MUTANTS}": _mutants,
        "catalogues": _catalogues,
        f"a place in the reading paths of {PATHS}": lambda book, chapter: _named(book, chapter, PATHS),
        f"a line in {CHANGES}": lambda book, chapter: _named(book, chapter, CHANGES),
        "fresh seeds, other parameters, the paper's scale": _campaigns,
    }
    for what, check in checks.items():
        try:
            yield Item(what, list(check(book, chapter)))
        except PressError as error:
            yield Item(what, [str(error)])


def _executed(book: Book, chapter: Chapter) -> Iterator[str]:
    notebook = chapter.read()
    if apart := out_of_step(chapter):
        yield f"they differ: {apart}"
    yield from unfinished(chapter.name, notebook)


def _parameters(book: Book, chapter: Chapter) -> Iterator[str]:
    known = signature(chapter.read(), chapter.name)
    if not known:
        yield "no cell has the tag parameters"
    paper_values(known, chapter)
    yield from _of_template(book, chapter, "the paper's scale", lambda line: line in PAPER.splitlines())


def _claims(book: Book, chapter: Chapter) -> Iterator[str]:
    entries = [one for one in read_register(book.root / REGISTER) if one["chapter"] == chapter.name]
    yield from judge({chapter.name: chapter.read()}, entries).objections
    yield from _of_template(book, chapter, "the words of claims", lambda line: line.startswith("# :because: "))


def _headlines(book: Book, chapter: Chapter) -> Iterator[str]:
    claims = judge({chapter.name: chapter.read()}).claims
    count = sum(bool(claim.record.get("headline")) for claim in claims)
    if count not in HEADLINES:
        yield f"{count} claims have :headline:"
    yield from _of_template(book, chapter, "the headlines", lambda line: line.startswith("# :headline: "))


def _figures(book: Book, chapter: Chapter) -> Iterator[str]:
    cells = chapter.read().cells
    if not any("hero" in cell.metadata.get("tags", []) for cell in cells):
        yield "no cell has the tag hero"
    pictures = [(cell, one) for cell in cells for one in cell.get("outputs", []) if "image/png" in one.get("data", {})]
    if not pictures:
        yield "no cell shows a figure"
    for cell, output in pictures:
        about = cell.metadata.get("mystnb", {})
        if not about.get("figure", {}).get("name") or not about.get("image", {}).get("alt"):
            yield f"a figure has no name or no alt text; its cell begins with {_begin(cell)}"
        if not output.metadata.get("image/png", {}).get("drawn"):
            yield f"a figure is stored without numbers; its cell begins with {_begin(cell)}"
    said = set(CAPTION.findall(read_text(chapter.twin)))
    yield from _of_template(book, chapter, "caption and alt text", said.__contains__)


def _entry(book: Book, chapter: Chapter) -> Iterator[str]:
    entries = [one for one in read_results(book.root / REGISTER) if one.chapter == chapter.name]
    if not entries:
        yield "there is no entry"
    for entry in entries:
        yield from (f"no {field}" for field in ("question", "answer") if not getattr(entry, field))
    told = (f"{REGISTER}: question", f"{REGISTER}: answer")
    yield from _of_template(book, chapter, "question and answer", told.__contains__)


def _citations(book: Book, chapter: Chapter) -> Iterator[str]:
    cited = {key.strip() for keys in CITED.findall(read_text(chapter.twin)) for key in keys.split(",")}
    yield from (f"unknown: {key}" for key in sorted(cited - set(sources(book.root))))
    entries = [one for one in read_register(book.root / REGISTER) if one["chapter"] == chapter.name]
    yield from (f"not cited: {one['source']}" for one in entries if one.get("source") not in cited)


def _differences(book: Book, chapter: Chapter) -> Iterator[str]:
    kinds = [word for words in KINDS.values() for word in words]
    text = section(chapter.read())
    if not text:
        yield "there is no such section"
    elif not set(POINT.findall(text)) & set(kinds):
        yield f"no point of it begins with one of the words {', '.join(kinds)}"
    yield from _of_template(book, chapter, "its points", lambda line: line.removeprefix("# ") in text.splitlines())


def _statements(book: Book, chapter: Chapter) -> Iterator[str]:
    entries = [one for one in read_register(book.root / REGISTER) if one["chapter"] == chapter.name]
    listed = read_statements(book.root)
    read = {key for one in listed for key in (one.source, one.paper)}
    if any(one.get("source") in read for one in entries) and not any(one.chapter == chapter.name for one in listed):
        yield "none names the chapter"


def _mutants(book: Book, chapter: Chapter) -> Iterator[str]:
    path = f"{MUTANTS}/test_{chapter.short}.py"
    if not (book.root / path).exists():
        yield f"{path} does not exist"


def _catalogues(book: Book, chapter: Chapter) -> Iterator[str]:
    for name, text in described(book).items():
        if not (book.root / name).exists() or read_text(book.root / name) != text:
            yield f"{name} is not what 'python -m reproduce metadata' writes"


def _named(book: Book, chapter: Chapter, page: str) -> Iterator[str]:
    text = read_text(book.root / page)
    if f"{CHAPTERS}{chapter.name}" not in text and not re.search(rf"\b{chapter.short}\b", text):
        yield "it is not named there"


def _campaigns(book: Book, chapter: Chapter) -> Iterator[str]:
    known = signature(chapter.read(), chapter.name)
    for campaign in OF_CHAPTERS:
        if campaign == "seeds" and SEED not in known:
            continue
        found = read_finding(book.root, campaign, chapter.name)
        if found is None:
            yield f"not run: {WRITTEN_BY[campaign]} CHAPTERS={chapter.short}"
        else:
            yield from (f"{campaign}: {one}" for one in found.failed)


def _of_template(book: Book, chapter: Chapter, what: str, is_one: Callable[[str], bool]) -> Iterator[str]:
    """That something is still the template's."""
    if any(map(is_one, leftovers(book, chapter))):
        yield f"still the template's: {what}"


def _begin(cell: NotebookNode) -> str:
    return str(cell.source).partition("\n")[0][:60]
