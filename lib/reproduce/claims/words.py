"""The words of a chapter's claims: they stand in its text, and are joined to the numbers that its code stores.

    ```{claim} limit
    :headline: predictor at t = ∞
    :source: Azulay et al. 2021, Theorem 1
    :evidence: trained and compared
    :because: the integrator's tolerance in each step, all of one sign
    :control: k of the shared-weight formula

    The flow ends at the minimizer of $Q_k$ among the interpolators.
    ```

An option may go on in lines that begin with two spaces. A name in braces that the call's ``fill`` has stands for its
value. A statement with marks, such as formulas, says what a table shows of it in the option ``:plain:``.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, get_args

from markdown_it import MarkdownIt
from nbformat import NotebookNode

from reproduce.claims.record import EVIDENCE, UNSAID, ClaimError, Evidence, sealed
from reproduce.claims.wellformed import faults

OWN = "derived in this chapter"  # the source of a claim that names none
FENCE = re.compile(r"\s*(`{3,}|:{3,})\s*\{claim\}(.*)")
OPTION = re.compile(r":(\w+):(.*)")
CONTINUED = "  "


@dataclass(frozen=True)
class Words:
    """What the text says of one claim.

    statement: what is claimed, in plain text.
    evidence: how it is known, one of the five words of ``Evidence``.
    because: where its tolerance comes from.
    control: which premise is broken, or which formula is altered.
    contrast: in its place, of a case of which the theorem says something else, which case.
    source: paper and theorem.
    headline: its name in the chapter's table of results; empty for an instrument.
    near: of a control with a bound of its own, why that lies near the claim's.
    rival: which competing theory.
    order: of an ordering, the names of its values, the least first.
    """

    statement: str
    evidence: str
    because: str = ""
    control: str = ""
    contrast: str = ""
    source: str = OWN
    headline: str = ""
    near: str = ""
    rival: str = ""
    order: str = ""


OPTIONS = [field.name for field in fields(Words)][1:]


def words_of(notebook: NotebookNode) -> tuple[dict[str, Words], list[str]]:
    """The words that a notebook's text has of its claims, by their names, and what is wrong with them, in sentences."""
    found: dict[str, Words] = {}
    wrong = []
    for name, lines in _directives(notebook):
        try:
            words = read_words(lines)[0]
        except ClaimError as error:
            wrong.append(f"the words of claim '{name}': {error}")
            continue
        if name in found:
            wrong.append(f"the words of claim '{name}' stand twice in the text")
        found[name] = words
    return found, wrong


def read_words(lines: Sequence[str]) -> tuple[Words, str]:
    """The words of a directive, and its statement as it is marked up; ClaimError for words that are none.

    lines: what stands in the directive.
    """
    options: dict[str, str] = {}
    left, last = list(lines), ""
    while left and ((begun := OPTION.match(left[0])) or (last and left[0].startswith(CONTINUED))):
        line = left.pop(0)
        if begun:
            last = begun[1]
            if last not in [*OPTIONS, "plain"] or last in options:
                why = "stands there twice" if last in options else f"is none of {', '.join([*OPTIONS, 'plain'])}"
                raise ClaimError(f"':{last}:' {why}")
        options[last] = f"{options.get(last, '')} {begun[2] if begun else line}".strip()
        options[last] = " ".join(options[last].split())
    marked = " ".join(" ".join(left).split())
    statement = options.pop("plain", "") or _plain(marked)
    if not statement:
        raise ClaimError("they have no statement")
    if empty := [name for name, text in options.items() if not text]:
        raise ClaimError(f"':{empty[0]}:' is empty")
    if options.get("evidence") not in get_args(Evidence):
        given = f"':evidence:' is '{options['evidence']}'" if "evidence" in options else "they have no ':evidence:'"
        raise ClaimError(f"{given}; it {EVIDENCE['description']}")
    return Words(statement, **options), marked


def with_words(notebook: NotebookNode) -> NotebookNode:
    """The notebook itself, in which the records of all claims whose words fit have the words of its text."""
    found, _ = words_of(notebook)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            metadata = output.get("metadata", {})
            record = metadata.get("claim")
            if record is not None and not faults(record) and not missing(record, found):
                metadata["claim"] = joined(record, found, metadata.get("fill"))
    return notebook


def missing(record: Mapping[str, Any], found: Mapping[str, Words]) -> list[str]:
    """Why the words of a text do not fit a claim, in sentences; empty if they do.

    record: the claim's, without faults; with or without words.
    found: the words of the text, by name.
    """
    words = found.get(_name(record))
    if words is None:
        return [f"its words are missing in the text: ```{{claim}} {_name(record)}"]
    asked = {
        "because": True,
        "near": record["control"]["near"] != "",
        "rival": record["rival"] is not None,
        "order": record["kind"] == "ordering",
    }
    said = {name: bool(getattr(words, name)) for name in asked}
    lacking = [f"its words have no ':{name}:'" for name in asked if asked[name] and not said[name]]
    if bool(words.control) == bool(words.contrast):
        lacking.append("its words need one of ':control:' and ':contrast:'")
    if words.contrast and record["control"]["kind"] == "formula":
        lacking.append("its words have ':contrast:', and its call alters a formula")
    return lacking + [
        f"its words have ':{name}:', and its call nothing of it" for name in asked if said[name] and not asked[name]
    ]


def joined(record: Mapping[str, Any], found: Mapping[str, Words], fill: Any) -> dict[str, Any]:
    """A record with the words of its name.

    record: the claim's, which these words fit.
    found: the words of the text, by name.
    fill: what names in braces stand for, as the output's metadata have it.
    """
    said = found[_name(record)]
    words = replace(said, **{field.name: filled(getattr(said, field.name), fill) for field in fields(Words)})
    content = {
        **record,
        "statement": words.statement,
        "headline": words.headline,
        "source": words.source,
        "evidence": words.evidence,
        "why": words.because,
        "control": {**record["control"], **_control(record, words), "near": words.near},
    }
    if words.order:
        content["theory"] = words.order
    if words.rival:
        content["rival"] = {**record["rival"], "what": words.rival}
    return sealed(content)


def fills(notebook: NotebookNode) -> dict[str, Any]:
    """What names in braces stand for in the words of each claim, by its id."""
    metadata = [output.get("metadata", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    return {str(one["claim"].get("id")): one.get("fill") for one in metadata if isinstance(one.get("claim"), dict)}


def unsaid(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record as the call stores it, without words."""
    control, rival = record["control"], record["rival"]
    near = UNSAID if control["near"] else ""
    content = {
        **record,
        "headline": "",
        **dict.fromkeys(("statement", "source", "evidence", "why"), UNSAID),
        "theory": UNSAID if record["kind"] == "ordering" else record["theory"],
        "control": {**control, "kind": _of_call(control), "what": UNSAID, "near": near},
        "rival": None if rival is None else {**rival, "what": UNSAID},
    }
    return sealed(content)


def _control(record: Mapping[str, Any], words: Words) -> dict[str, str]:
    """What the control is, and of which kind: whether the theorem is silent about it, only the text knows."""
    kind = "contrast" if words.contrast else _of_call(record["control"])
    return {"what": words.contrast or words.control, "kind": kind}


def _of_call(control: Mapping[str, Any]) -> str:
    """The kind of a control as its call stores it: another run, or an altered formula."""
    return "formula" if control["kind"] == "formula" else "premise"


def _name(record: Mapping[str, Any]) -> str:
    return str(record["id"]).partition(".")[2]


def _directives(notebook: NotebookNode) -> list[tuple[str, list[str]]]:
    """The name and the lines of each directive for a claim in the text."""
    found: list[tuple[str, list[str]]] = []
    for cell in notebook.cells:
        end = ""
        for line in cell.source.splitlines() if cell.cell_type == "markdown" else ():
            if end:
                if line.strip().startswith(end) and not line.strip().strip(end[0]):
                    end = ""
                else:
                    found[-1][1].append(line)
            elif begun := FENCE.fullmatch(line):
                found.append((begun[2].strip(), []))
                end = begun[1]
    return found


def filled(text: str, fill: Any) -> str:
    """A text in which names in braces stand for what an output's metadata have of them; others stay."""
    known = fill if isinstance(fill, dict) else {}
    return re.sub(r"\{(\w+)\}", lambda name: str(known.get(name[1], name[0])), text)


@cache
def _plain(marked: str) -> str:
    """A statement without marks, as it is meant; ClaimError for one that has marks."""
    reader = MarkdownIt("commonmark").disable("text_join")  # it would lose which characters were escaped
    inline = reader.parseInline(marked)[0].children or []
    if any(token.type != "text_special" and (token.type != "text" or "$" in token.content) for token in inline):
        raise ClaimError("the statement has marks; what tables show of it goes into ':plain:'")
    return "".join(token.content for token in inline)
