"""Pieces of a page as nodes of docutils, which every builder sets in its way: links, notes, lists, folds, tables."""

from collections.abc import Iterable, Sequence

from docutils import nodes

NOTE = "ledger-note"  # the class of a smaller line below
HEAD = "claim-head"  # the class of a claim's verdict, id and statement, of which no word is linked to the glossary
FOLD = "fold"  # the class of what looks like all folds
OPEN, TITLED, CLOSE = '<details class="{}"><summary>', "</summary>", "</details>"

Words = str | Sequence[nodes.Node]


def inside(words: Words) -> list[nodes.Node]:
    """Text, or what is made already."""
    return [nodes.Text(words)] if isinstance(words, str) else list(words)


def link(words: Words, address: str) -> list[nodes.Node]:
    """A link; the words alone where there is no address, as on paper."""
    return [nodes.reference("", "", *inside(words), refuri=address, internal=True)] if address else inside(words)


def styled(words: Words, *classes: str) -> nodes.inline:
    """Words in a style."""
    return nodes.inline("", "", *inside(words), classes=list(classes))


def code(text: str) -> nodes.literal:
    """Code within a line."""
    return nodes.literal("", text)


def paragraph(words: Words, *classes: str) -> nodes.paragraph:
    """A paragraph."""
    return nodes.paragraph("", "", *inside(words), classes=list(classes))


def listed(items: Iterable[Words], *classes: str) -> nodes.bullet_list:
    """A list."""
    entries = [nodes.list_item("", nodes.paragraph("", "", *inside(words))) for words in items]
    return nodes.bullet_list("", *entries, classes=list(classes))


def defined(rows: Iterable[tuple[str, Words, str]], *classes: str) -> nodes.definition_list:
    """Names with what they stand for, each with its class; of neighbours with one name the name stands once."""
    made = nodes.definition_list("", classes=list(classes))
    before = ""
    for name, words, kind in rows:
        meaning = nodes.definition("", *inside(words), classes=[kind])
        if name == before:
            made[-1] += meaning
        else:
            made += nodes.definition_list_item("", nodes.term("", name), meaning)
        before = name
    return made


def folded(title: Words, content: Iterable[nodes.Node], classes: str = FOLD) -> list[nodes.Node]:
    """What lies folded in a browser, and open on paper."""
    return [raw(OPEN.format(classes)), *inside(title), raw(TITLED), *content, raw(CLOSE)]


def raw(html: str) -> nodes.raw:
    """A piece of HTML, of which nothing is printed."""
    return nodes.raw("", html, format="html")


def drawn(kind: str, parts: Iterable[float], said: str) -> str:
    """Parts of a line, as HTML: all are seen if ``stacked``, else the second, as a ``part``."""
    spans = "".join(f'<span style="flex-grow:{one:.5g}"></span>' for one in parts)
    return f'<span class="drawn {kind}" role="img" aria-label="{said}">{spans}</span>'


def latex(text: str) -> nodes.raw:
    """A piece of LaTeX, of which nothing is shown on a page."""
    return nodes.raw("", text, format="latex")


def table(columns: Sequence[Words], rows: Iterable[Sequence[Words]]) -> nodes.table:
    """A table for paper, which breaks over pages.

    columns: its headings.
    rows: what stands in the cells of each row.
    """
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in columns), cols=len(columns))
    body = nodes.tbody("", *map(_row, rows))
    group += [nodes.thead("", _row(columns)), body] if any(columns) else [body]
    return nodes.table("", group, classes=["longtable"])


def _row(cells: Sequence[Words]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", paragraph(cell)) for cell in cells))
