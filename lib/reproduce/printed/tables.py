"""Tables of HTML as tables of LaTeX that break over pages, each column as wide as what it holds asks for."""

import re
from collections.abc import Callable, Iterable, Sequence

from bs4 import Tag

COLUMNS_LEFT_OUT = {"chapter", "rival", "commit"}  # by name: what another column says too, or what is mostly empty
SIZES = {4: r"\small", 5: r"\footnotesize", 6: r"\scriptsize"}  # of the type, by the number of columns
WIDEST = 60  # characters from which on a cell asks for no more width
TYPICAL = 0.9  # the cell by whose length a column is measured: so many are shorter
LONGEST_WORD = 20  # characters of a word that its column need not break
LINE = 90.0  # characters of a line
ROOM = 3.0  # characters between columns

Setter = Callable[[Tag], str]


def table(node: Tag, inside: Setter) -> str:
    """A table; empty if it has no row.

    node: the element.
    inside: sets what stands in a cell.
    """
    rows = [row.find_all(["th", "td"], recursive=False) for row in node.find_all("tr")]
    heads = len(node.select("thead tr"))
    if not rows[heads:] or not max(map(len, rows)):
        return ""
    kept = [k for k in range(max(map(len, rows))) if not _left_out(rows[0], k)]
    cells = [[row[k] if k < len(row) else None for k in kept] for row in rows]
    lines = [
        " & ".join(_cell(cell, inside, head=at < heads) for cell in row) + "\\\\\n" for at, row in enumerate(cells)
    ]
    texts = [
        [cell.get_text().strip() if cell is not None else "" for cell in column] for column in zip(*cells, strict=True)
    ]
    columns = "".join(rf"P{{{share:.4f}\printedwidth{{{len(kept)}}}}}" for share in shares(texts))
    top = f"\\toprule\n{''.join(lines[:heads])}\\midrule\n\\endhead\n" if heads else "\\toprule\n\\endfirsthead\n"
    body = f"{top}{''.join(lines[heads:])}\\bottomrule\n"
    size = SIZES[min(max(len(kept), min(SIZES)), max(SIZES))]
    return f"\n\n{{{size}\n\\begin{{longtable}}{{@{{}}{columns}@{{}}}}\n{body}\\end{{longtable}}}}\n\n"


def _left_out(head: list[Tag], column: int) -> bool:
    return column < len(head) and head[column].get("data-name") in COLUMNS_LEFT_OUT


def shares(columns: "Iterable[Sequence[str]]") -> list[float]:
    """The part of the width that each column gets, by the texts in it: its longest word, then what it asks for."""
    words, asked = [], []
    for texts in columns:
        lengths = sorted(min(len(text), WIDEST) for text in texts)
        longest = max((len(word) for text in texts for word in text.split()), default=0)
        words.append(min(longest, LONGEST_WORD) + ROOM)
        asked.append(max(lengths[int(len(lengths) * TYPICAL)] + ROOM, words[-1]))
    more = sum(asked) - sum(words)
    part = min(max(LINE - sum(words), 0) / more, 1) if more else 0  # of what is asked beyond the longest words
    widths = [word + part * (length - word) for word, length in zip(words, asked, strict=True)]
    return [width / sum(widths) for width in widths]


def _cell(cell: "Tag | None", inside: Setter, *, head: bool) -> str:
    """What stands in a cell, in one paragraph; a button in a head is its name."""
    if cell is None:
        return ""
    for button in cell.find_all("button"):
        button.unwrap()
    text = re.sub(r"\s*\n\s*", " ", inside(cell)).strip()
    return rf"\textbf{{{text}}}" if head and text else text
