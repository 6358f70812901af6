"""A new chapter: a script from the template, its parameters at the paper's scale, its places in the book's lists."""

import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

import jinja2
import yaml

from reproduce.chapters.book import CONTENTS, REGISTER, Book, Chapter, documents, is_story, nearest
from reproduce.chapters.statements import REFERENCES, sources
from reproduce.claims.ledger import read_register
from reproduce.ground.errors import PressError, quoted, writing
from reproduce.ground.files import write_text
from reproduce.ground.reading import read_text, read_yaml

TEMPLATE = Path(__file__).with_name("chapter.py.j2")
NAME = re.compile(r"([a-z][a-z0-9_]*)/([a-z][a-z0-9_]*)")
TELLING = 40  # signs: so long a line is nobody's by chance
TABLE_HEAD = "# | quantity |"  # of the results, the same on every page
CAPTION = re.compile(r'"(?:caption|alt)": "([^"]*)"')
TITLE = "Gradient descent from zero finds the interpolator of least norm"
CLAIMS = ("limit", "conserved")  # of the template
PAPER = "# The scale of the paper's own experiment, with its section; now the template's.\nn: 50\nd: 500\n"
ENTRY = {  # of the register
    "model": "linear predictor",
    "algorithm": "gradient descent",
    "loss": "squared",
    "bias": r"$w \to \operatorname{argmin}_{Xw=y} \|w\|_2$",
    "short": "least ℓ₂ norm",
    "question": "Which of the interpolators does gradient descent from zero find?",
    "answer": "The one of least norm.",
}


def new(book: Book, name: str, source: str = "") -> Chapter:
    """Make the script of a chapter and its ``.paper.yaml``, and enter it in the table of contents and the register.

    book: where it is to be.
    name: ``part/chapter``. The first chapter of a part stands in the table of contents already.
    source: the key of its paper in the list of references; a planned chapter has one in the register.

    Returns the chapter, which has no notebook yet. Raises PressError for a name that is not allowed or taken, for a
    part that the table of contents does not have, and without a source; nothing is then written.
    """
    chapter = _named(book, name)
    part = chapter.name.partition("/")[0]
    contents = read_text(book.root / CONTENTS)
    if f"chapters/{chapter.name}" not in documents(read_yaml(book.root / CONTENTS)):
        contents = with_document(contents, part, chapter.name)
    entries = read_register(book.root / REGISTER)
    of_part = [entry for entry in entries if entry["chapter"].startswith(f"{part}/")]
    planned = next((entry for entry in entries if entry["chapter"] == chapter.name), {})
    like = planned or (of_part[-1] if of_part else {})
    title, source = str(planned.get("result") or TITLE), _known_source(book, source or str(planned.get("source") or ""))
    ids = [f"{chapter.short}.{claim}" for claim in CLAIMS]
    entry = {"part": str(like.get("part") or part), "chapter": chapter.name, "result": title, **ENTRY, "source": source}
    register = with_claims(read_text(book.root / REGISTER), entry, ids)
    template = jinja2.Template(
        read_text(TEMPLATE),
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    slug = chapter.short.replace("_", "-")
    script = template.render(title=title, short=chapter.short, slug=slug, source=source)
    with writing(chapter.twin):
        chapter.twin.parent.mkdir(parents=True, exist_ok=True)
    write_text(chapter.twin, script)
    write_text(chapter.paper, PAPER)
    write_text(book.root / CONTENTS, contents)
    write_text(book.root / REGISTER, register)
    return chapter


def with_document(contents: str, part: str, name: str) -> str:
    """A table of contents with one more line: the chapter, as the last of its part. Nothing else is changed.

    contents: its text.
    part: the folder of the part.
    name: ``part/chapter``.

    Raises PressError if no chapter of that part is there.
    """
    listed = [one.split("/")[1] for one in documents(yaml.safe_load(contents)) if one.startswith("chapters/")]
    if part not in listed:
        parts = ", ".join(dict.fromkeys(listed)) or "none"
        by_hand = f"a new part is begun there by hand, with a line for {name}"
        raise PressError(f"unknown part '{quoted(part)}'; {CONTENTS} has {parts}; {by_hand}")
    lines = contents.splitlines()
    of_part = [at for at, line in enumerate(lines) if re.match(rf"\s*- file: chapters/{part}/", line)]
    if not of_part:
        raise PressError(f"{CONTENTS} has no line '- file: …' for that part; add 'file: chapters/{name}' to it by hand")
    before = lines[of_part[-1]].partition("chapters/")[0]
    lines.insert(_end(lines, of_part[-1]), f"{before}chapters/{name}")
    return "\n".join([*lines, ""])


def with_claims(register: str, entry: dict[str, str], ids: Sequence[str]) -> str:
    """A register with the claims of a chapter: at its entry, where there is one, or with a new one behind its part's.

    register: its text.
    entry: what a new entry holds, without the claims.
    ids: the claims.
    """
    lines, part = register.splitlines(), entry["chapter"].partition("/")[0]
    begun = [at for at, line in enumerate(lines) if line.startswith("- ")]
    known = {one["chapter"]: at for one, at in zip(yaml.safe_load(register) or [], begun, strict=True)}
    new = ["  claims:", *(f"    - {id}" for id in ids)]
    if entry["chapter"] in known:
        at = _end(lines, known[entry["chapter"]])
    else:
        of_part = [at for chapter, at in known.items() if chapter.startswith(f"{part}/")]
        at = _end(lines, of_part[-1]) if of_part else len(lines)
        head = yaml.safe_dump([entry], sort_keys=False, allow_unicode=True, width=10_000).splitlines()
        new = [*([""] if lines else []), *head, *new]
    return "\n".join([*lines[:at], *new, *lines[at:], ""])


def _named(book: Book, name: str) -> Chapter:
    """The chapter that is to be made; PressError for a name that is not allowed, or taken."""
    asked = name.removeprefix("chapters/").removesuffix(".py")
    if not NAME.fullmatch(asked):
        raise PressError(f"'{quoted(name)}' is no name for a chapter: PART/CHAPTER in lower-case letters, digits and _")
    if is_story(f"chapters/{asked}"):
        raise PressError(f"chapters/{asked}.md is the page that opens a part, and no chapter has its name")
    chapter = Chapter(asked, book.root / "chapters" / f"{asked}.ipynb")
    taken = [one.name for one in book.chapters() if one.short == chapter.short]
    if taken:
        raise PressError(f"{taken[0]} exists already; claims are named by {chapter.short}, so another name is needed")
    claimed = [
        entry for entry in read_register(book.root / REGISTER) if entry["chapter"] == asked and entry.get("claims")
    ]
    if claimed or chapter.paper.exists():
        where = REGISTER if claimed else f"chapters/{asked}.paper.yaml"
        raise PressError(f"{asked} stands in {where} already, without a notebook or a script; take it out first")
    return chapter


def leftovers(book: Book, chapter: Chapter) -> list[str]:
    """What a chapter still has of the template's words.

    Lines of its prose, what is said of its figure, its paper's scale, its title and its entry.
    """
    captions = set(CAPTION.findall(read_text(TEMPLATE)))
    prose = "\n".join(cell for cell in read_text(TEMPLATE).split("# %%") if cell.startswith(" [markdown]"))
    texts = {line for line in prose.splitlines() if len(line) >= TELLING and not line.startswith(TABLE_HEAD)}
    text, paper = read_text(chapter.twin), read_text(chapter.paper) if chapter.paper.exists() else ""
    found = [line for line in [*text.splitlines(), *paper.splitlines()] if line in texts | {PAPER.splitlines()[0]}]
    found += [caption for caption in CAPTION.findall(text) if caption in captions]
    entries = [entry for entry in read_register(book.root / REGISTER) if entry["chapter"] == chapter.name]
    told = {"result": TITLE, "question": ENTRY["question"], "answer": ENTRY["answer"]}
    return found + [f"{REGISTER}: {word}" for entry in entries for word in told if entry.get(word) == told[word]]


def _known_source(book: Book, source: str) -> str:
    """A key of the list of references; PressError for another."""
    if not source:
        raise PressError(f"the chapter needs its source: --source KEY, with a key of {REFERENCES}")
    known = sources(book.root)
    if source not in known:
        hint = nearest(source, known, "add its entry first")
        raise PressError(f"source is '{quoted(source)}'; it must be a key of {REFERENCES}; {hint}")
    return source


def _end(lines: Sequence[str], begun: int) -> int:
    """The number of the line behind the item of a list that begins in a line: behind all that is further in."""
    depth = len(lines[begun]) - len(lines[begun].lstrip())
    inside = list(takewhile(lambda line: not line[: depth + 1].strip(), lines[begun + 1 :]))
    while inside and not inside[-1].strip():
        inside.pop()
    return begun + 1 + len(inside)
