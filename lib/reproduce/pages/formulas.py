"""Formulas of docstrings, plain text with Unicode's signs, as MathML: K_ik = ∇f_i·∇f_k, e^{−ηνh}, √(δ+‖v‖²), ẇ_j, ½.

A paragraph of a docstring is a formula if no full stop ends it and few words stand in it. What is written is what is
set: a quotient keeps its stroke and its parentheses, only roots and indices lose those that they no longer need. A line
is a row of short formulas, between which it breaks where the page is narrow.
"""

import re
import unicodedata
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, tostring

FUNCTION = re.compile(
    "(?:arc)?(?:cos|sin|tan)h?|arsinh|artanh|const|diag|exp|gap|grad|inf|ln|max|min|rank|sign|softm(?:ax|in)|sup|[tT]r"
    "|Cov|KL|Proj|Re|SR|Var"
)
SHORT_WORDS = {"as", "at", "by", "for", "if", "in", "is", "it", "of", "on", "or", "so", "to", "up"}
FEW = 0.42  # of what stands between spaces may be words
PIECE = re.compile(
    r"``(?P<code>[^`]+)``|(?P<word>[A-Za-z]{2,}(?![\u0300-\u036f]))|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<shift>[_^](?=\S))|(?P<root>√(?=\S))|(?P<space>\s+)|(?P<sign>.)"
)
PARTS = re.compile(r"(?<=[,;]) {2}")
LOWERED = re.compile(r"(?:[A-Za-zℓ∞±](?!_))+\d*|\d+|.")  # of x_ix_k the first index is i
INDICES = set("ijklmnpqr")
ACCENTS = {"\u0302": "^", "\u0303": "~", "\u0304": "¯", "\u0307": "˙", "\u0308": "¨"}
SIGNS = {"Σ": "∑", "Π": "∏", "~": "∼"}
LIMITS = {"∑", "∏", "max", "min", "inf", "sup"}  # have their index below
RELATIONS, SUMS, JOINTS = set("=≤≥<>≈∝←→~∈"), set("+−±"), set("·∘×⊗/,;:")
OPEN, CLOSED, BARS = "([{⟨", ")]}⟩", "|‖"
PRIMES = set("′″‴")
ORDINARY = set("∞∂∇⊥…")  # signs that stand like letters
UPRIGHT = set("ΓΔΘΛΞΦΨΩ")
THIN = {"width": "0.15em"}
TIGHT = {"lspace": "0", "rspace": "0"}


def is_formula(paragraph: list[str]) -> bool:
    """Whether lines of a docstring are set as a formula."""
    text = " ".join(paragraph)
    pieces = text.split()
    words = [piece for piece in pieces if _is_word(piece.strip(",;:"))]
    return not text.endswith((".", ":")) and '"' not in text and ">>>" not in text and len(words) < FEW * len(pieces)


def to_html(paragraph: list[str]) -> str:
    """A formula: its lines, the parts of a line, which two spaces separate, and the pieces of a part."""
    box = Element("div", {"class": "formula"})
    for line in paragraph:
        row = SubElement(box, "div")
        for part in PARTS.split(line.strip()):
            place = SubElement(row, "span")
            for number, piece in enumerate(breakable(part)):
                if number:
                    SubElement(place, "wbr")
                formula = SubElement(place, "math", {"displaystyle": "true"})
                formula.extend(_elements("".join(_apart(sign) for sign in piece)))
                if number:
                    formula[0].set("form", "infix")
    return tostring(box, encoding="unicode", method="html")


def breakable(part: str) -> list[str]:
    """A formula in the pieces between which a line may break: before a relation or a sum that no bracket holds."""
    pieces, depth, bars = [""], 0, 0
    for word in part.split(" "):
        if depth == bars % 2 == 0 and word in RELATIONS | SUMS and pieces[-1]:
            pieces.append("")
        pieces[-1] += f" {word}" if pieces[-1] else word
        depth += sum(map(word.count, OPEN)) - sum(map(word.count, CLOSED))
        bars += sum(map(word.count, BARS))
    return pieces


def _is_word(piece: str) -> bool:
    return not FUNCTION.fullmatch(piece) and (
        piece in SHORT_WORDS or re.fullmatch("[A-Za-z][a-z]{2,}", piece) is not None
    )


def _apart(sign: str) -> str:
    """A letter with its accent after it; other signs as they are."""
    return unicodedata.normalize("NFD", sign) if sign.isalpha() else sign


def _elements(text: str) -> list[Element]:
    """What stands in a formula, one after another."""
    made: list[Element] = []
    place = 0
    while place < len(text):
        found = PIECE.match(text, place)
        assert found is not None
        kind, piece, place = found.lastgroup, found[found.lastgroup or 0], found.end()
        if kind == "shift":
            inner, place = _argument(text, place)
            _shift(made, piece, inner)
        elif kind == "root":
            inner, place = _argument(text, place)
            made.append(_node("msqrt", inner))
        elif kind == "code":
            made.append(_leaf("mtext", piece, {"class": "code"}))
        elif kind == "number":
            made.append(_leaf("mn", piece))
        elif kind == "word":
            _add_word(made, piece, text[place : place + 1])
        elif kind == "space":
            _add_space(made, text[place : place + 1])
        elif text[place : place + 1] in ACCENTS and place < len(text):
            accent = _leaf("mo", ACCENTS[text[place]], {"stretchy": "false"})
            made.append(_node("mover", [_leaf("mi", piece), accent], {"accent": "true"}))
            place += 1
        elif piece == "*":
            _shift(made, "^", [_leaf("mo", "∗")])
        elif piece == "⊥" and made and not text[found.start() - 1].isspace():
            _shift(made, "_", [_leaf("mo", piece)])
        elif piece in PRIMES and made:
            _prime(made, _leaf("mo", piece, {"form": "postfix", **TIGHT}))
        elif run := _raised(text, found.start()):
            place = found.start() + len(run)
            index = unicodedata.decomposition(piece).startswith("<sub>")
            _shift(made, "_" if index else "^", _elements(unicodedata.normalize("NFKC", run)))
        else:
            made.append(_sign(made, piece))
    return made


def _argument(text: str, place: int) -> tuple[list[Element], int]:
    """What is under a root or in an index, and where it ends: a bracket's inside, a number, letters, or one sign."""
    if text[place] in "({":
        end = _closing(text, place)
        return _elements(text[place + 1 : end]), end + 1
    if text[place - 1] == "√":
        end = place + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        return _elements(text[place:end]), end
    found = LOWERED.match(text, place)
    assert found is not None
    inner, end = found[0], found.end()
    name = FUNCTION.fullmatch(inner) or (len(inner) > 2 and inner.isalpha() and not INDICES.issuperset(inner))
    made = [_leaf("mi", inner)] if name else [element for sign in inner for element in _elements(sign)]
    run = _raised(text, end)
    if text[place - 1] == "_" and run and unicodedata.decomposition(run[0]).startswith("<sub>"):
        _shift(made, "_", _elements(unicodedata.normalize("NFKC", run)))  # the index of an index: the norm of F₁
        end += len(run)
    return made, end


def _closing(text: str, place: int) -> int:
    """Where the bracket that opens at a place closes."""
    pair, depth = {"(": ")", "{": "}"}[text[place]], 0
    for end in range(place, len(text)):
        depth += (text[end] == text[place]) - (text[end] == pair)
        if depth == 0:
            return end
    return len(text) - 1


def _raised(text: str, place: int) -> str:
    """The run of signs from a place on that Unicode itself sets high, as ⁻¹, or low, as ₊; empty if there is none."""
    kind = unicodedata.decomposition(text[place]).partition(" ")[0] if place < len(text) else ""
    if kind not in ("<sub>", "<super>"):
        return ""
    end = place
    while end < len(text) and unicodedata.decomposition(text[end]).startswith(kind):
        end += 1
    return text[place:end]


def _shift(made: list[Element], way: str, inner: list[Element]) -> None:
    """Give the last element an index or a power; one that has the other gets both."""
    base = made.pop() if made else Element("mrow")
    shifted = inner[0] if len(inner) == 1 else _node("mrow", inner)
    if base.tag == "msub" and way == "^":
        made.append(_node("msubsup", [*base, shifted]))
    elif base.tag == "msup" and way == "_":
        made.append(_node("msubsup", [base[0], shifted, base[1]]))
    elif way == "^":
        made.append(_node("msup", [base, shifted]))
    else:
        made.append(_node("munder" if base.text in LIMITS else "msub", [base, shifted]))


def _prime(made: list[Element], prime: Element) -> None:
    """Put a prime beside the last letter, before its index if it has one: a sign of a text's size, high by itself."""
    last = made.pop()
    if last.tag == "msub":
        made.append(_node("msub", [_node("mrow", [last[0], prime]), last[1]]))
    else:
        made.append(_node("mrow", [last, prime]))


def _add_word(made: list[Element], word: str, after: str) -> None:
    """Functions upright, words of a language as text with the spaces beside them, the rest as a product of letters."""
    if FUNCTION.fullmatch(word):
        made.append(_leaf("mi", word))
    elif not _is_word(word) or after.isalpha():
        made += [_leaf("mi", letter) for letter in word]
    elif made and made[-1].tag == "mtext":
        made[-1].text = f"{made[-1].text}{word}"
    else:
        spaced = bool(made) and made[-1].tag == "mspace"
        if spaced:
            made.pop()
        made.append(_leaf("mtext", "\N{NO-BREAK SPACE}" * spaced + word))


def _add_space(made: list[Element], after: str) -> None:
    """A space between two factors, thin, or after a word; operators have their own."""
    if not made or not after:
        return
    if made[-1].tag == "mtext":
        made[-1].text = f"{made[-1].text}\N{NO-BREAK SPACE}"
    elif not _is_operator(made[-1]) and after not in RELATIONS | SUMS | JOINTS:
        made.append(Element("mspace", THIN))


def _sign(made: list[Element], sign: str) -> Element:
    """One sign after what was made of a formula so far."""
    parts = unicodedata.normalize("NFKC", sign).partition("⁄")
    if parts[1]:
        return _node("mfrac", [_leaf("mn", parts[0]), _leaf("mn", parts[2])], {"displaystyle": "false"})
    shown = SIGNS.get(sign, sign)
    if shown in ORDINARY or shown.isalpha():
        return _leaf("mi", shown, {"mathvariant": "normal"} if shown in UPRIGHT else {})
    if sign in BARS:
        before = sum(text.count(sign) for element in made for text in element.itertext())
        return _leaf("mo", sign, {"form": "postfix" if before % 2 else "prefix", "stretchy": "false"})
    if sign in OPEN + CLOSED:
        return _leaf("mo", sign, {"stretchy": "false"})
    if sign in SUMS and (not made or _is_operator(made[-1])):
        return _leaf("mo", sign, {"form": "prefix"})
    return _leaf("mo", shown, TIGHT if sign == "/" else {})


def _is_operator(element: Element) -> bool:
    """Whether what follows begins anew, so that a minus sign there has one side only."""
    return element.tag == "mo" and element.text not in set(CLOSED) and element.get("form") != "postfix"


def _leaf(tag: str, text: str, attributes: dict[str, str] | None = None) -> Element:
    element = Element(tag, attributes or {})
    element.text = text
    return element


def _node(tag: str, children: Iterable[Element], attributes: dict[str, str] | None = None) -> Element:
    element = Element(tag, attributes or {})
    element.extend(children)
    return element
