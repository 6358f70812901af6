"""Tables in print: each column as wide as what it holds asks for, and smaller type for many columns."""

from collections.abc import Iterable, Sequence

from docutils import nodes

from reproduce.pages.pieces import latex

SIZES = {4: r"\small", 5: r"\footnotesize", 6: r"\scriptsize"}  # of the type, by the number of columns
WIDEST = 60  # characters from which on a cell asks for no more width
TYPICAL = 0.9  # the cell by whose length a column is measured: so many are shorter
LONGEST_WORD = 20  # characters of a word that its column need not break
LINE = 90.0  # characters of a line
ROOM = 3.0  # characters between columns


def set_widths(table: nodes.table) -> None:
    """Give the columns of a table their widths, in which LaTeX breaks lines; one with merged cells stays as it is."""
    columns, rows = list(table.findall(nodes.colspec)), list(table.findall(nodes.row))
    if any(len(row) != len(columns) for row in rows):
        return
    texts = [[row[k].astext() for row in rows] for k in range(len(columns))]
    for column, share in zip(columns, shares(texts), strict=True):
        column["colwidth"] = round(1000 * share)
    table["classes"].append("colwidths-given")
    size = SIZES[min(max(len(columns), min(SIZES)), max(SIZES))]
    at = table.parent.index(table)
    table.parent[at : at + 1] = [latex(f"\n\n{{{size}\n"), table, latex("\n}\n\n")]


def shares(columns: Iterable[Sequence[str]]) -> list[float]:
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
