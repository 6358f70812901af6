"""A new chapter: a script from the template, its parameters at the paper's scale, its places in the book's lists."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

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
LISTED = re.compile(r"\s*- file: ")
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
    script = (
        _environment()
        .from_string(read_text(TEMPLATE))
        .render(title=title, short=chapter.short, slug=chapter.short.replace("_", "-"), source=source)
    )
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
    found = [item for item in _files(yaml.compose(contents)) if item[0].startswith("chapters/")]
    of_part = [item for item in found if item[0].split("/")[1] == part]
    if not of_part:
        parts = ", ".join(dict.fromkeys(document.split("/")[1] for document, _ in found)) or "none"
        by_hand = f"a new part is begun there by hand, with a line for {name}"
        raise PressError(f"unknown part '{quoted(part)}'; {CONTENTS} has {parts}; {by_hand}")
    entry = of_part[-1][1]
    lines = contents.splitlines(keepends=True)
    begun = LISTED.match(lines[entry.start_mark.line])
    if begun is None:
        raise PressError(f"{CONTENTS} has no line '- file: …' for that part; add 'file: chapters/{name}' to it by hand")
    return _inserted(lines, _last_line(entry), [f"{begun[0]}chapters/{name}\n"])


def with_claims(register: str, entry: dict[str, str], ids: Sequence[str]) -> str:
    """A register with the claims of a chapter: at its entry, where there is one, or with a new one behind its part's.

    register: its text.
    entry: what a new entry holds, without the claims.
    ids: the claims.
    """
    claims = [f"    - {id}\n" for id in ids]
    lines = register.splitlines(keepends=True)
    node = yaml.compose(register)
    known = [(_field(one, "chapter"), one) for one in (node.value if node is not None else [])]
    own = [one for chapter, one in known if chapter == entry["chapter"]]
    if own:
        return _inserted(lines, _last_line(own[0]), ["  claims:\n", *claims])
    text = yaml.safe_dump([{**entry, "claims": list(ids)}], sort_keys=False, allow_unicode=True, width=10_000)
    new = re.sub(r"(?m)^  - ", "    - ", text).splitlines(keepends=True)
    of_part = [one for chapter, one in known if chapter.startswith(f"{entry['chapter'].partition('/')[0]}/")]
    at = _last_line(of_part[-1]) if of_part else len(lines) - 1
    return _inserted(lines, at, ["\n", *new] if lines else new)


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
    """What a chapter still has of the template's words: lines of its prose, its title and entry, its paper's scale."""
    prose = "\n".join(cell for cell in read_text(TEMPLATE).split("# %%") if cell.startswith(" [markdown]"))
    texts = {line for line in prose.splitlines() if len(line) >= TELLING and not line.startswith(TABLE_HEAD)}
    text, paper = read_text(chapter.twin), read_text(chapter.paper) if chapter.paper.exists() else ""
    found = [line for line in [*text.splitlines(), *paper.splitlines()] if line in texts | {PAPER.splitlines()[0]}]
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


def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, undefined=jinja2.StrictUndefined
    )


def _files(node: Any) -> list[tuple[str, Any]]:
    """Every document of a table of contents, with the mapping that names it."""
    if isinstance(node, yaml.SequenceNode):
        return [item for one in node.value for item in _files(one)]
    if not isinstance(node, yaml.MappingNode):
        return []
    own = _field(node, "file")
    below = [item for _, one in node.value for item in _files(one)]
    return ([(own, node)] if own else []) + below


def _field(node: Any, name: str) -> str:
    """The text of a field of a mapping; empty if it has none."""
    fields = node.value if isinstance(node, yaml.MappingNode) else []
    return next((str(value.value) for key, value in fields if key.value == name), "")


def _last_line(node: Any) -> int:
    """The line in which the last value of a node ends."""
    if isinstance(node, yaml.ScalarNode) or not node.value or node.flow_style:
        return int(node.end_mark.line)
    last = node.value[-1]
    return _last_line(last[1] if isinstance(last, tuple) else last)


def _inserted(lines: Sequence[str], after: int, new: Sequence[str]) -> str:
    """The text of some lines, with new ones behind that of a number."""
    before = list(lines[: after + 1])
    if before and not before[-1].endswith("\n"):
        before[-1] += "\n"
    return "".join([*before, *new, *lines[after + 1 :]])
