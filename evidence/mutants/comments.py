"""Comments that excuse: ``# mutant: the start`` on the line that is excused, or alone on a line directly above."""

import io
import tokenize
from collections.abc import Iterator

TAGS = ("mutant", "spoiled", "tolerance")
SILENT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def comments(source: str, tag: str) -> Iterator[tuple[int, str]]:
    """The line of code to which each comment with a tag belongs, counted from 1, and what it says after the tag."""
    waiting: list[str] = []
    last = 0  # the line of code before
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        row = token.start[0]
        if token.type == tokenize.COMMENT and token.string.startswith(f"# {tag}"):
            said = token.string.removeprefix(f"# {tag}")
            if row == last:
                yield row, said
            else:
                waiting.append(said)
        elif token.type not in SILENT:
            yield from ((row, said) for said in waiting)
            waiting, last = [], token.end[0]


def without_comments(source: str) -> list[str]:
    """The lines of a source without their comments."""
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    return lines
