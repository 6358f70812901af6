"""Where a reader is: the question of a chapter below its title, and at its end what comes before and after."""

from docutils import nodes

from reproduce.chapters.book import CHAPTERS, CONTENTS, REGISTER, parts_of
from reproduce.claims.ledger import read_register
from reproduce.ground.reading import read_yaml
from reproduce.pages.atlas_map import marked_up
from reproduce.pages.directive import BookDirective


class QuestionDirective(BookDirective):
    """The question that the register has for this chapter, in a line of italics."""

    def run(self) -> list[nodes.Node]:
        """The line."""
        questions = self.questions()
        if self.chapter not in questions:
            raise self.error(f"the register has no question for {self.chapter}")
        return [self.inline(questions[self.chapter], "question")]

    def questions(self) -> dict[str, str]:
        """The questions by chapter."""
        path = self.watched(REGISTER) / REGISTER
        register = self._once("register", lambda: read_register(path))
        return {entry["chapter"]: marked_up(str(entry["question"])) for entry in register if entry.get("question")}


class NextDirective(QuestionDirective):
    """Where to go next: a sentence of the author, then the chapters before and after, each with its question."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The sentence and the two lines, of which the first and the last chapter have one."""
        contents = read_yaml(self.watched(CONTENTS) / CONTENTS)
        questions = self.questions()
        order = [name for _, names in parts_of(contents) for name in names]
        if self.chapter not in order:
            raise self.error(f"{CONTENTS} does not list {self.chapter}")
        at = order.index(self.chapter)
        box = nodes.container(classes=["next"])
        for word, names in (("Before", order[:at][-1:]), ("After", order[at + 1 :][:1])):
            for name in names:
                box += self.inline(f"{word}: {{doc}}`/{CHAPTERS}{name}`. {questions.get(name, '')}")
        return [*self.parse_content_to_nodes(), box]
