"""Formulas of docstrings, plain text with Unicode's signs, as TeX: K_ik = ∇f_i·∇f_k, e^{−ηνh}, √(δ+‖v‖²), ẇ_j, ½.

A paragraph of a docstring is a formula if no full stop ends it and few words stand in it. What is written is what is
set: a quotient keeps its stroke and its parentheses. Only roots and indices lose those that they no longer need.
"""

import re
import unicodedata
from collections.abc import Iterator

FUNCTION = re.compile(
    "(?:arc)?(?:cos|sin|tan)h?|arsinh|artanh|const|diag|exp|gap|grad|inf|ln|max|min|rank|sign|softm(?:ax|in)|sup|[tT]r"
    "|Cov|KL|Proj|Re|SR|Var"
)
SHORT_WORDS = {"as", "at", "by", "for", "if", "in", "is", "it", "of", "on", "or", "so", "to", "up"}
CAPITALS = {sign: rf"\{unicodedata.name(sign).split()[-1].title()} " for sign in "ΓΔΘΛΞΦΨΩ"}
SIGNS = {
    **dict(zip("ΣΠ∫∬∮", (r"\sum ", r"\prod ", r"\int ", r"\iint ", r"\oint "), strict=True)),
    **{"‖": r"\|", "·": r"\cdot ", "∘": r"\circ ", "…": r"\dots ", "−": "-", "*": "^{*}", "~": r"\sim "},
    **CAPITALS,
    "_": r"\_",
    **{"∞": r"\infty ", "′": "'", "″": "''", "‴": "'''", "≤": r"\le ", "≥": r"\ge ", "{": r"\{", "}": r"\}"},
}  # fmt: skip
ACCENTS = {"\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0307": "dot", "\u0308": "ddot"}
LOWERED = re.compile(r"(?:[A-Za-zℓ∞±](?!_))+\d*|\d+|.")  # of x_ix_k the first index is i
INDICES = set("ijklmnpqr")
PIECE = re.compile(
    r"``(?P<code>[^`]+)``|(?P<word>[A-Za-z]{2,})|(?P<shift>[_^](?=\S))|(?P<root>√(?=\S))|(?P<sign>\S)|(?P<space>\s+)"
)
PARTS = re.compile(r"(?<=[,;]) {2}")
FEW = 0.38  # of what stands between spaces may be words


def is_formula(paragraph: list[str]) -> bool:
    """Whether lines of a docstring are set as a formula."""
    text = " ".join(paragraph)
    pieces = text.split()
    words = [piece for piece in pieces if _is_word(piece.strip(",;:"))]
    return not text.endswith((".", ":")) and '"' not in text and ">>>" not in text and len(words) < FEW * len(pieces)


def to_tex(paragraph: list[str]) -> str:
    """The formula: each of its lines, and each part after two spaces, on a line of its own."""
    lines = [_tex(part) for line in paragraph for part in PARTS.split(line.strip())]
    aligned = r" \\ ".join(f"& {line}" for line in lines)
    return lines[0] if len(lines) == 1 else rf"\begin{{aligned}}{aligned}\end{{aligned}}"


def _is_word(piece: str) -> bool:
    return not FUNCTION.fullmatch(piece) and (
        piece in SHORT_WORDS or re.fullmatch("[A-Za-z][a-z]{2,}", piece) is not None
    )


def _tex(text: str) -> str:
    return "".join(_pieces(unicodedata.normalize("NFD", text))).replace(r" } \text{ ", " ")


def _pieces(text: str) -> Iterator[str]:
    """What stands in a formula, one after another; the text is decomposed, so that an accent follows its letter."""
    place = 0
    while place < len(text):
        found = PIECE.match(text, place)
        assert found is not None
        kind, piece, place = found.lastgroup, found[found.lastgroup or 0], found.end()
        if kind == "code":
            yield rf"\texttt{{{piece}}}"
        elif kind == "word":
            yield _word(piece, text[found.start() - 1 : found.start()], text[place : place + 1])
        elif kind == "shift":
            inner, place = _argument(text, place)
            yield f"{piece}{{{inner}}}"
        elif kind == "root":
            inner, place = _argument(text, place)
            yield rf"\sqrt{{{inner}}}"
        elif kind == "space":
            yield " "
        elif text[place : place + 1] in ACCENTS and place < len(text):
            yield rf"\{ACCENTS[text[place]]}{{{piece}}}"
            place += 1
        else:
            run = _raised(text, place - 1)
            yield run[0] if run else _sign(piece)
            place = run[1] if run else place


def _word(word: str, before: str, after: str) -> str:
    """Functions upright, words of a language as text with the spaces beside them, the rest as a product of letters."""
    if FUNCTION.fullmatch(word):
        return rf"\{word}" + " " if word in ("ln", "max", "min", "inf", "sup") else rf"\operatorname{{{word}}}"
    if _is_word(word) and not after.isalpha():
        return rf"\text{{{' ' * before.isspace()}{word}{' ' * after.isspace()}}}"
    return word


def _argument(text: str, place: int) -> tuple[str, int]:
    """What is under a root or in an index, and where it ends: a bracket's inside, a number, letters, or one sign."""
    if text[place] in "({":
        end = _closing(text, place)
        return _tex(text[place + 1 : end]), end + 1
    if text[place - 1] == "√":
        end = place + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        return _tex(text[place:end]), end
    found = LOWERED.match(text, place)
    assert found is not None
    inner, end = found[0], found.end()
    if FUNCTION.fullmatch(inner) or (len(inner) > 2 and inner.isalpha() and not INDICES.issuperset(inner)):
        inner = rf"\mathrm{{{inner}}}"
    low = _raised(text, end) if text[place - 1] == "_" and end < len(text) else None
    if low and low[0].startswith("_"):  # of the norm of F₁
        return inner + low[0], low[1]
    return "".join(SIGNS.get(sign, sign) for sign in inner) if len(inner) < 3 else inner, end


def _closing(text: str, place: int) -> int:
    """Where the bracket that opens at a place closes."""
    pair, depth = {"(": ")", "{": "}"}[text[place]], 0
    for end in range(place, len(text)):
        depth += (text[end] == text[place]) - (text[end] == pair)
        if depth == 0:
            return end
    return len(text) - 1


def _raised(text: str, place: int) -> tuple[str, int] | None:
    """A run of signs that Unicode sets high or low, as ₊ or ⁻¹, as an index or a power."""
    kind = unicodedata.decomposition(text[place]).partition(" ")[0]
    if kind not in ("<sub>", "<super>"):
        return None
    end = place
    while end < len(text) and unicodedata.decomposition(text[end]).startswith(kind):
        end += 1
    inner = _tex(unicodedata.normalize("NFKC", text[place:end]))
    return ("_" if kind == "<sub>" else "^") + f"{{{inner}}}", end


def _sign(sign: str) -> str:
    parts = unicodedata.normalize("NFKC", sign).partition("⁄")
    return rf"\tfrac{{{parts[0]}}}{{{parts[2]}}}" if parts[1] else SIGNS.get(sign, sign)
