"""Claims on their page: each stands where its words stand in the text, with the numbers that the notebook stores."""

import html
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from reproduce.claims import show
from reproduce.claims.record import ClaimError
from reproduce.claims.words import filled, fills, read_words
from reproduce.pages.citation import CITATION, read_citation
from reproduce.pages.directive import BookDirective
from reproduce.pages.pieces import HEAD, link, raw, styled

CITE = (
    '<details class="claim-cite"><summary>cite this claim</summary>'
    '<div class="highlight" id="cite-{id}"><pre>{entry}</pre></div></details>'
)
SHOWN = '<div class="claim claim-'  # with which the box begins that a call shows


class claim_box(nodes.General, nodes.Element):  # type: ignore[misc]
    """A claim: its head, with the statement, and the rest of it in HTML."""


class ClaimDirective(BookDirective):
    """The words of a claim, shown with its numbers."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The box, or the statement alone where the chapter stores no such claim; an error for words that are none."""
        id = f"{Path(self.env.docname).name}.{self.arguments[0]}"
        try:
            _, marked = read_words(list(self.content))
        except ClaimError as error:
            raise self.error(f"the words of claim {id}: {error}") from None
        record, fill = self._stored().get(id, (None, None))
        statement, messages = self.state.inline_text(filled(marked, fill), self.lineno)
        if record is None:
            return [nodes.paragraph("", f"{id}, not stored: ", *statement, *messages)]
        verdict = nodes.strong("", show.verdict(record["passed"]))
        name = [nodes.Text(" "), styled(link(id, "" if self.on_paper else f"#claim-{id}"), "claim-id"), nodes.Text(" ")]
        head = nodes.paragraph("", "", verdict, *name, *statement, *messages, classes=[HEAD])
        rest = raw(show.details(record, words=True) + self._cite(id))
        return [claim_box("", head, rest, classes=show.look(record).split(), claim=id)]

    def _cite(self, id: str) -> str:
        """The claim's entry for BibTeX, folded; nothing on paper, or in a book that does not say how it is cited."""
        root = self.watched(CITATION)
        if self.on_paper or not (root / CITATION).exists():
            return ""
        place = f"{self.env.app.builder.get_target_uri(self.env.docname)}#claim-{id}"
        entry = self._once("citation", lambda: read_citation(root)).bibtex(self.year, id, place, self.commit)
        return CITE.format(id=id, entry=html.escape(entry, quote=False))

    def _stored(self) -> dict[str, tuple[dict[str, Any], Any]]:
        """The records of the chapter's claims and what fills their words, by id; they are read once for each page."""
        known: dict[str, tuple[dict[str, Any], Any]] | None = self.env.temp_data.get("claims")
        if known is None:
            claims = self.ledger(self.chapter).claims
            fill = fills(self.notebook(self.chapter)) if claims else {}
            known = {claim.id: (claim.record, fill.get(claim.id)) for claim in claims if claim.complete}
            self.env.temp_data["claims"] = known
        return known


class LeaveShown(SphinxTransform):
    """Takes out what the calls of claims show: the page has it where their words stand."""

    default_priority = 200  # before outputs are moved

    def apply(self, **kwargs: Any) -> None:
        """Do it."""
        for shown in [one for one in self.document.findall(nodes.raw) if one.astext().startswith(SHOWN)]:
            node: nodes.Element = shown
            while "cell_output" not in node.parent["classes"] and "cell" not in node.parent["classes"]:
                node = node.parent
            output = node.parent
            output.remove(node)
            if not output.children:
                output.parent.remove(output)


def visit_html(writer: Any, node: claim_box) -> None:
    """Begin the box, to which links lead."""
    writer.body.append(f'<div class="{" ".join(node["classes"])}" id="claim-{writer.encode(node["claim"])}">')


def visit_latex(writer: Any, node: claim_box) -> None:
    """Begin the box, of the colour of the verdict."""
    writer.body.append(f"\n\\begin{{{_environment(node)}}}")


def depart_latex(writer: Any, node: claim_box) -> None:
    """End the box."""
    writer.body.append(f"\\end{{{_environment(node)}}}\n")


def _environment(node: claim_box) -> str:
    return "".join(node["classes"][-1].split("-"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive, what it makes, and what is left out for it: an extension that any book may use alone."""
    app.add_directive("claim", ClaimDirective)
    app.add_transform(LeaveShown)
    app.add_node(
        claim_box,
        html=(visit_html, lambda writer, node: writer.body.append("</div>\n")),
        latex=(visit_latex, depart_latex),
    )
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
