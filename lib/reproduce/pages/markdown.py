"""The nodes of a page as Markdown that Jupyter, Colab, VS Code and GitHub show alike."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from docutils import nodes

from reproduce.pages.claim_box import claim_box
from reproduce.pages.directive import ONLY_ON_THE_PAGE
from reproduce.pages.pieces import FOLD, OPEN, TITLED

OPENED = {OPEN.format(classes) for classes in (FOLD, "results-note")}  # with a title that the page has nowhere else
FILES = (".csv", ".json", ".svg")
ONLY_THERE = "*(What is moved by hand stands on the page of the book.)*"
MARKED = re.compile(r"[\\`*_\[\]<>$|~]")
LEADING = re.compile(r"^(\d+(?=[.)])|(?=[-+#=]))")
SIGNS = {r"\|": r"\Vert ", "|": r"\vert ", "<": r"\lt "}  # of formulas, that Markdown takes for a table's or a tag's
SIGN = re.compile(r"\\.|[|<]")


@dataclass(frozen=True)
class Markdown:
    """How a page is written.

    number: of a figure, a formula, a theorem or an exercise; empty for what has none.
    address: to where a link leads; empty where only the page itself has it.
    """

    number: Callable[[nodes.Element], str]
    address: Callable[[nodes.Element], str]

    def blocks(self, parts: Iterable[nodes.Node], level: int = 1) -> Iterator[str | nodes.container]:
        """Paragraphs, lists, tables, formulas; the cells of a notebook and their outputs are left as they are.

        parts: of the page.
        level: of the headings.
        """
        folded: str | None = None  # the title of a fold, while it is read
        for node in parts:
            if isinstance(node, nodes.raw):
                text = node.astext()
                if text in OPENED:
                    folded = ""
                elif text == TITLED and folded is not None:
                    title = folded.strip("*")
                    yield f"**{title[:1].upper()}{title[1:]}.**"
                    folded = None
                elif text == ONLY_ON_THE_PAGE:
                    yield ONLY_THERE
            elif folded is not None:
                folded += self.words(node)
            else:
                yield from self._block(node, level)

    def _block(self, node: nodes.Node, level: int) -> Iterator[str | nodes.container]:
        match node:
            case nodes.target() | nodes.comment():
                return
            case nodes.title() if isinstance(node.parent, nodes.section):
                yield f"{'#' * level} {self.inside(node)}"
            case nodes.title():
                yield f"**{self.inside(node)}**"
            case nodes.section():
                above = node.parent
                inner = isinstance(above, nodes.section) and isinstance(above[0], nodes.title)
                yield from self.blocks(node.children, level + inner)
            case nodes.container() if "nb_element" in node:
                yield node
            case claim_box():
                head, rest = node.children
                yield quoted(self.inside(head))
                yield f"<details><summary>numbers, reason, control</summary>{rest.astext()}</details>"
            case nodes.Element() if "realtype" in node or node.tagname.startswith("exercise"):
                yield from self._numbered(node, level)
            case nodes.Element(tagname="proof_node"):
                first, *others = self.blocks(node.children, level)
                yield from (str(first).replace("Proof.", "*Proof.*", 1), *others)
            case nodes.math_block():
                yield self._formula(node)
            case nodes.literal_block():
                yield f"```\n{node.astext()}\n```"
            case nodes.bullet_list() | nodes.enumerated_list():
                yield "\n".join(self._items(node, level))
            case nodes.table():
                yield from self._table(node)
            case nodes.paragraph() if "question" in node["classes"]:
                yield f"*{self.inside(node)}*"
            case nodes.TextElement():
                yield LEADING.sub(r"\1\\", self.inside(node).strip())
            case nodes.Element():
                yield from self.blocks(node.children, level)

    def words(self, node: nodes.Node) -> str:
        """One piece of a line."""
        match node:
            case nodes.Text():
                return MARKED.sub(r"\\\g<0>", re.sub(r"\s+", " ", node.astext()))
            case nodes.math():
                return f"${_plain(' '.join(node.astext().split()))}$"
            case nodes.literal():
                return f"`{node.astext()}`"
            case nodes.emphasis() | nodes.strong():
                sign, inner = "*" if isinstance(node, nodes.emphasis) else "**", self.inside(node)
                return inner.replace(inner.strip(), f"{sign}{inner.strip()}{sign}") if inner.strip() else inner
            case nodes.reference() | nodes.Element(tagname="number_reference"):
                inner, address = self.inside(node), self.address(node)
                a_file = str(node.get("refuri", "")).endswith(FILES)  # whose words say nothing without it
                return f"[{inner}]({address})" if address else "" if a_file else inner
            case nodes.raw():
                return ""
            case nodes.inline() if "doc" in node["classes"]:  # the title of another page
                return f"*{self.inside(node)}*"
            case nodes.Element() if "results-note" in node["classes"] or "claim-id" in node["classes"]:
                return f" ({self.inside(node)})" if "results-note" in node["classes"] else f"`{node.astext()}`"
            case _:
                return self.inside(node)

    def inside(self, node: nodes.Node) -> str:
        """All of a line."""
        return "".join(map(self.words, node.children))

    def _numbered(self, node: nodes.Element, level: int) -> Iterator[str | nodes.container]:
        """A theorem or an exercise with its number in bold; what a theorem says is set off."""
        title, *content = node.children
        kind = str(node.get("realtype", "exercise")).title()
        said = [f"**{f'{kind} {self.number(node)}'.strip()}**{self.inside(title)}", *self.blocks(content, level)]
        yield from [quoted("\n\n".join(map(str, said)))] if "realtype" in node else said

    def _formula(self, node: nodes.math_block) -> str:
        text, number = node.astext().strip(), self.number(node)
        if r"\\" in text and r"\begin" not in text:
            text = rf"\begin{{aligned}}{text}\end{{aligned}}"
        lines = [line for line in _plain(text).splitlines() if line.strip()]
        return "\n".join(["$$", *lines, *([rf"\tag{{{number}}}"] if number else []), "$$"])

    def _items(self, node: nodes.Element, level: int) -> Iterator[str]:
        for at, item in enumerate(node.children, start=1):
            mark = "- " if isinstance(node, nodes.bullet_list) else f"{at}. "
            text = "\n\n".join(one for one in self.blocks(item.children, level) if isinstance(one, str))
            yield mark + text.replace("\n", f"\n{' ' * len(mark)}")

    def _table(self, node: nodes.table) -> Iterator[str]:
        for title in (one for one in node.children if isinstance(one, nodes.title)):
            yield f"**{f'Table {self.number(node)}'.strip()}.** {self.inside(title)}"
        head, *rows = [[self._cell(entry) for entry in row] for row in node.findall(nodes.row)]
        yield "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))

    def _cell(self, entry: nodes.Element) -> str:
        return "".join(f"<br>{part}" if at and isinstance(one, nodes.paragraph) else part
                       for at, one in enumerate(entry) if (part := self.words(one)))  # fmt: skip


def quoted(text: str) -> str:
    """Markdown that is set off."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _plain(formula: str) -> str:
    """A formula without the signs that Markdown takes for its own."""
    return SIGN.sub(lambda found: SIGNS.get(found[0], found[0]), formula)
