"""The directives of the atlas: the register of results as a map, and as a list by part."""

import yaml
from docutils import nodes

from reproduce.pages.atlas_map import Result, map_table, marked_up, printed_map
from reproduce.pages.directive import BookDirective
from reproduce.pages.pieces import raw

ATLAS = "atlas"  # its document


class AtlasDirective(BookDirective):
    """The register as a map."""

    def run(self) -> list[nodes.Node]:
        """The map."""
        if self.on_paper:
            return [printed_map(self.results())]
        return [raw(map_table(self.results(), self.place, lambda result: self.is_page(result.document)))]

    def place(self, result: Result) -> str:
        """The chapter's page, or the result's place in the list of all results."""
        page = result.document
        return self.address(page) if self.is_page(page) else self.address(ATLAS, f"#{result.anchor}")


class PartsDirective(BookDirective):
    """The register as a list by part. The content is YAML: for each part its title and the question it answers."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The parts in the order given."""
        parts: dict[str, dict[str, str]] = yaml.safe_load("\n".join(self.content))
        results = self.results()
        unknown = {result.part for result in results} - set(parts)
        if unknown:
            raise self.error(f"the atlas has no title for the part {', '.join(sorted(unknown))}")
        out: list[nodes.Node] = []
        for key, part in parts.items():
            box = nodes.container(classes=["atlas-part"])
            box += nodes.rubric("", part["title"], classes=["atlas-title"])
            box += self.inline(part["question"], "atlas-question")
            for result in (result for result in results if result.part == key):
                box += self.entry(result)
            out.append(box)
        return out

    def entry(self, result: Result) -> nodes.container:
        """One result: title, state, setting, bias, source."""
        published = self.is_page(result.document)
        ledger = self.ledger(result.chapter)
        state = ledger.count if published else "planned"
        classes = ["atlas-entry", "published" if published else "planned", *([] if ledger.holds else ["fails"])]
        title = marked_up(result.result)
        if published:  # by the name that it has everywhere else
            title = f"[{self.titles()[result.chapter].chapter}](/{result.document}.ipynb)"
        box = nodes.container(ids=[result.anchor], classes=classes)
        box += self.inline(title, "atlas-result")
        box += self.inline(state, "atlas-state")
        box += self.inline(marked_up(f"{result.model} · {result.algorithm} · {result.loss} loss"), "atlas-setting")
        box += self.inline(marked_up(result.bias), "atlas-bias")
        box += self.inline(f"{{cite:t}}`{result.source}`", "atlas-source")
        return box
