"""Where a reader is: the question of a chapter below its title, and at its end what comes before and after."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from reproduce.book import CHAPTERS, CONTENTS, parts_of
from reproduce.pages.atlas_map import Result, marked_up
from reproduce.pages.directive import RegisterDirective
from reproduce.reading import read_yaml


class QuestionDirective(RegisterDirective):
    """The question that the register has for this chapter, in a line of italics."""

    def run(self) -> list[nodes.Node]:
        """The line."""
        chapter = self.env.docname.removeprefix(CHAPTERS)
        asked = [one.question for one in self.results() if one.chapter == chapter and one.question]
        if not asked:
            raise self.error(f"the register has no question for {chapter}")
        return [self.inline(marked_up(asked[0]), "question")]


class NextDirective(RegisterDirective):
    """Where to go next: a sentence of the author, then the chapters before and after, each with its question."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The sentence and the two lines, of which the first and the last chapter have one."""
        contents = Path(self.env.srcdir) / CONTENTS
        self.env.note_dependency(str(contents))
        questions = {one.chapter: one for one in self.results()}
        order = [name for _, names in parts_of(read_yaml(contents)) for name in names]
        chapter = self.env.docname.removeprefix(CHAPTERS)
        if chapter not in order:
            raise self.error(f"{CONTENTS} does not list {chapter}")
        at = order.index(chapter)
        box = nodes.container(classes=["next"])
        for word, name in (("Before", order[at - 1 : at]), ("After", order[at + 1 : at + 2])):
            box.extend(self._line(word, one, questions.get(one)) for one in name if self.is_page(f"{CHAPTERS}{one}"))
        return [*self.parsed(), box] if self.content else [box]

    def _line(self, word: str, name: str, result: Result | None) -> nodes.paragraph:
        asked = f" {marked_up(result.question)}" if result is not None and result.question else ""
        return self.inline(f"{word}: {{doc}}`/{CHAPTERS}{name}`.{asked}")


def register(app: Sphinx) -> None:
    """Let a book use the directives."""
    app.add_directive("question", QuestionDirective)
    app.add_directive("next", NextDirective)
