"""Every chapter with one numeric parameter at a time at half and at double its default."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from reproduce.campaigns.finding import Outcome
from reproduce.chapters.book import Book, Chapter
from reproduce.chapters.parameter import Parameter
from reproduce.chapters.parameters import Signature, check, check_relations, signature
from reproduce.chapters.seeded import SEED
from reproduce.ground.errors import PressError
from reproduce.running.run_all import Watch
from reproduce.sweep.grid import Grid
from reproduce.sweep.store import Store
from reproduce.sweep.sweep import sweep

OFF_DEFAULT = "off_default"
FACTORS = (0.5, 2.0)
OUTSIDE = "outside"
IN_ORDER = ("ok", OUTSIDE, "refused")
# A chapter refuses with one of these errors, which names a parameter; anything else is a breakdown.
REFUSAL = re.compile(r"(?:cell \[\d+\]: )?(?:ValueError|CertificateError|FlowError|ClaimError): (.*)", re.DOTALL)


def values_of(parameter: Parameter) -> list[Any]:
    """Half and double the default, of a list each entry, as far as they differ from it; nothing for words and seeds."""
    number = parameter.type.removeprefix("list[").removesuffix("]")
    if number not in ("int", "float") or parameter.name == SEED or parameter.name.endswith(f"_{SEED}"):
        return []

    def scaled(value: float, factor: float) -> float:
        return int(value * factor) if number == "int" else value * factor

    default = parameter.default
    values = [[scaled(one, by) for one in default] if parameter.many else scaled(default, by) for by in FACTORS]
    return [value for value in values if value != default]


def run_off_default(
    book: Book, chapter: Chapter, *, workers: int, scheduler: str | None, folder: Path, watch: Watch
) -> Outcome:
    """Run a chapter off its defaults.

    book, chapter: what to run, and where it stands.
    workers, scheduler: as for ``sweep``.
    folder: where the runs go; what is finished there is not run again.
    watch: told as that of ``sweep``.

    Returns what it found: ``ok`` counts the runs in which every claim held and every control failed, ``outside`` the
    values beyond the declared range, ``refused`` those that break a declared relation or that the chapter itself
    refuses in words of its own. Raises as ``sweep`` does.
    """
    given = {"workers": workers, "scheduler": scheduler, "watch": watch}
    ends = list(_outcomes(book, chapter, folder / chapter.name, given))
    counts = {name: sum(end == name for _, end in ends) for name in IN_ORDER}
    return counts, [f"{point}: {end}" for point, end in ends if end not in counts]


def _outcomes(book: Book, chapter: Chapter, folder: Path, given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each point in words, and one of ``IN_ORDER`` or what is not."""
    parameters = signature(chapter.read(), chapter.name)
    for name, parameter in parameters.items():
        allowed = []
        for value in values_of(parameter):
            if end := refused(parameters, {name: value}, chapter.name):
                yield f"{name}={value}", end
            else:
                allowed.append(value)
        if allowed:
            sweep(book, chapter, Grid({name: allowed}), folder / name, **given)
            store = Store((folder / name).resolve())
            for value in allowed:
                yield f"{name}={value}", outcome(store.find({name: value}).record, parameters)


def refused(parameters: Signature, values: Mapping[str, Any], chapter: str) -> str:
    """How values end that are refused before anything runs; empty for those that are not."""
    end = OUTSIDE
    with suppress(PressError):
        known = check(parameters, values, chapter)
        end = "refused"
        check_relations(parameters, known)
        end = ""
    return end


def outcome(record: Mapping[str, Any] | None, parameters: Iterable[str]) -> str:
    """What came of a run with these parameters: ``ok``, ``refused``, or what is not in order, in one sentence."""
    if record is None:
        return "the run left nothing"
    if record["status"] != "finished":
        said = REFUSAL.match(record["reason"])
        named = said is not None and any(re.search(rf"\b{name}\b", said[1]) for name in parameters)
        return "refused" if named else str(record["reason"])
    missed = [claim["id"] for claim in record["claims"] if not claim["holds"]]
    return f"{', '.join(missed)} failed" if missed else "ok" if record["claims"] else "no claim was stated"
