"""Where a reader is: the question of a chapter below its title, and at its end what comes before and after."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from reproduce.chapters.book import CHAPTERS, CONTENTS, REGISTER, parts_of
from reproduce.claims.ledger import read_register
from reproduce.ground.reading import read_yaml
from reproduce.pages.atlas_map import marked_up
from reproduce.pages.directive import BookDirective


class _Oriented(BookDirective):
    """A directive of a chapter that shows what the register asks."""

    @property
    def chapter(self) -> str:
        """``part/chapter`` of the page."""
        return self.env.docname.removeprefix(CHAPTERS)

    def questions(self) -> dict[str, str]:
        """The questions by chapter; the page is built anew when the register changes."""
        register = Path(self.env.srcdir) / REGISTER
        self.env.note_dependency(str(register))
        asked = {entry["chapter"]: str(entry.get("question") or "") for entry in read_register(register)}
        return {chapter: marked_up(question) for chapter, question in asked.items() if question}


class QuestionDirective(_Oriented):
    """The question that the register has for this chapter, in a line of italics."""

    def run(self) -> list[nodes.Node]:
        """The line."""
        questions = self.questions()
        if self.chapter not in questions:
            raise self.error(f"the register has no question for {self.chapter}")
        return [self.inline(questions[self.chapter], "question")]


class NextDirective(_Oriented):
    """Where to go next: a sentence of the author, then the chapters before and after, each with its question."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The sentence and the two lines, of which the first and the last chapter have one."""
        contents = Path(self.env.srcdir) / CONTENTS
        self.env.note_dependency(str(contents))
        questions = self.questions()
        order = [name for _, names in parts_of(read_yaml(contents)) for name in names]
        if self.chapter not in order:
            raise self.error(f"{CONTENTS} does not list {self.chapter}")
        at = order.index(self.chapter)
        box = nodes.container(classes=["next"])
        for word, names in (("Before", order[:at][-1:]), ("After", order[at + 1 :][:1])):
            for name in names:
                box += self.inline(f"{word}: {{doc}}`/{CHAPTERS}{name}`. {questions.get(name, '')}")
        return [*self.parsed(), box]


def register(app: Sphinx) -> None:
    """Let a book use the directives."""
    app.add_directive("question", QuestionDirective)
    app.add_directive("next", NextDirective)
