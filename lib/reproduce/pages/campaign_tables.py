"""What the campaigns found, each as one HTML table that reads as cards on a narrow screen."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

from reproduce.campaigns import AtPaper, Attacks, Mutants, OffDefault, PagesRead
from reproduce.pages.ledger_table import note
from reproduce.robustness import Robustness

NOT_RUN = "Not run yet."
KINDS_OF_END = ("red", "stopped", "held_by_tests", "equivalent", "surviving")
MOST_LISTED = 50


def plain_table(columns: Sequence[str], rows: Iterable[tuple[bool, Sequence[str]]]) -> str:
    """A table in the ledger's style, without its tools.

    columns: their headings; the first says what a row is about, and heads its card on a phone.
    rows: whether there is nothing to object to, and the HTML of each cell; an empty cell is not shown on a phone.
    """
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "".join(
        f'<tr class="{"holds" if good else "fails"}">'
        + "".join(
            f'<td data-label="{escape(name)}">{cell}</td>'
            for name, cell in zip(("claim", *columns[1:]), cells, strict=True)
        )
        + "</tr>"
        for good, cells in rows
    )
    return f'<div class="ledger plain"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def attacks_table(found: Attacks | None) -> str:
    """A row for each class of attacks and one for all of them; then the kills, and the reasons of what was bad."""
    if found is None:
        return _paragraph(NOT_RUN)
    rows = [
        (one.bad == 0, (escape(one.meaning), f"{one.cases:,}", f"{one.good:,}", _count(one.bad)))
        for one in found.classes
    ]
    sums = [sum(getattr(one, name) for one in found.classes) for name in ("cases", "good", "bad")]
    rows.append((sums[2] == 0, ("<b>all</b>", f"{sums[0]:,}", f"{sums[1]:,}", _count(sums[2]))))
    table = plain_table(("attack", "cases", "ended well", "did not"), rows)
    seeds = " and ".join(map(str, found.seeds))
    told = (
        f"{found.damaged:,} files damaged; seeds {seeds}; {found.seconds / 60:.0f} minutes of cases; "
        f"{_origin(found.date, found.commit)}; {found.versions}; {found.host}"
    )
    return table + _kills(found.kills) + _listed(found.bad) + _paragraph(note(told))


def _kills(kills: Mapping[str, Mapping[str, int]]) -> str:
    """Signals down, targets across."""
    if not kills:
        return ""
    targets = list(dict.fromkeys(target for of in kills.values() for target in sorted(of)))
    names = ["over before" if target == "none" else target for target in targets]
    rows = [(True, (escape(signal), *(str(of.get(target, 0)) for target in targets))) for signal, of in kills.items()]
    return plain_table(("signal", *names), rows)


def mutants_table(found: Sequence[Mutants]) -> str:
    """A row for each kind of mutant, all chapters together."""
    if not found:
        return _paragraph(NOT_RUN)
    kinds = list(dict.fromkeys(one.kind for one in found))
    rows = []
    for kind in [*kinds, ""]:
        of = [one for one in found if kind in ("", one.kind)]
        sums = {name: sum(getattr(one, name) for one in of) for name in ("made", *KINDS_OF_END)}
        cells = [f"{sums[name]:,}" for name in ("made", *KINDS_OF_END[:-1])]
        good = sums["surviving"] == 0
        rows.append((good, (escape(kind) or "<b>all</b>", *cells, _count(sums["surviving"]))))
    chapters = len({one.chapter for one in found})
    columns = (
        "what is changed",
        "made",
        "claim red",
        "chapter stopped",
        "library test red",
        "no effect",
        "not noticed",
    )
    origins = sorted({_origin(one.date, one.commit) for one in found})
    return plain_table(columns, rows) + _paragraph(note(f"{chapters} chapters; {'; '.join(origins)}"))


def seeds_table(found: Sequence[Robustness], stale: Callable[[str], bool]) -> str:
    """All chapters together: runs, claims that always held, claims that did not.

    found: what is known of each chapter.
    stale: whether a chapter's code has changed since.
    """
    if not found:
        return _paragraph(NOT_RUN)
    rows = []
    for one in found:
        runs = one.finished + one.failed
        missed = [id for id, claim in one.claims.items() if not claim.held == claim.controls == runs]
        old = note("the chapter's code has changed since") if stale(one.chapter) else ""
        held = f"{len(one.claims) - len(missed)} of {len(one.claims)}"
        rows.append(
            (not missed, (f"<code>{escape(one.chapter)}</code>{old}", str(runs), held, escape(", ".join(missed))))
        )
    columns = ("chapter", "seeds", "claims held on all", "did not hold on all")
    dates = sorted({one.date for one in found})
    return plain_table(columns, rows) + _paragraph(note(f"seeds of {', '.join(dates)}"))


def off_default_table(found: Sequence[OffDefault], stale: Callable[[str], bool]) -> str:
    """A row for each chapter: its runs that were in order, the values it refuses, and the runs that were not."""
    if not found:
        return _paragraph(NOT_RUN)
    rows = []
    for one in found:
        old = note("the chapter's code has changed since") if stale(one.chapter) else ""
        wrong = "".join(note(point) for point in one.not_ok)
        cells = (
            f"<code>{escape(one.chapter)}</code>{old}",
            str(one.ok),
            str(one.refused),
            f"{_count(len(one.not_ok))}{wrong}",
        )
        rows.append((not one.not_ok, cells))
    ok, refused, wrong_runs = (sum(f(one) for one in found) for f in (_ok, _refused, _wrong))
    rows.append((wrong_runs == 0, ("<b>all</b>", str(ok), str(refused), _count(wrong_runs))))
    columns = ("chapter", "all claims hold", "refused with a reason", "a claim fails")
    origins = sorted({_origin(one.date, one.commit) for one in found})
    return plain_table(columns, rows) + _paragraph(note("; ".join(origins)))


def paper_table(found: Sequence[AtPaper], stale: Callable[[str], bool]) -> str:
    """A row for each chapter at the paper's scale: its claims, and what it needs."""
    if not found:
        return _paragraph(NOT_RUN)
    rows = []
    for one in found:
        old = note("the chapter's code or its parameters have changed since") if stale(one.chapter) else ""
        wrong = "".join(note(said) for said in [one.failure, *one.missed] if said)
        memory = f"{one.megabytes:,} MB" if one.megabytes else "not measured"
        cells = (
            f"<code>{escape(one.chapter)}</code>{old}",
            f"{one.held} of {one.claims}{wrong}",
            f"{one.seconds:,} s",
            memory,
        )
        rows.append((one.holds, cells))
    claims, held, seconds = (sum(f(one) for one in found) for f in (_claims, _held, _seconds))
    largest = max(one.megabytes for one in found)
    good = all(one.holds for one in found)
    rows.append((good, ("<b>all</b>", f"{held} of {claims}", f"{seconds:,} s", f"{largest:,} MB at most")))
    origins = sorted({f"{_origin(one.date, one.commit)}, {one.machine}" for one in found})
    columns = ("chapter", "claims that hold", "time", "memory of its kernel")
    return plain_table(columns, rows) + _paragraph(note("; ".join(origins)))


def pages_table(found: PagesRead | None) -> str:
    """How many pages were opened at each width and mode, and what was looked at."""
    if found is None:
        return _paragraph(NOT_RUN)
    rows = [(True, (escape(how), str(count))) for how, count in found.readings.items()]
    table = plain_table(("screen", "pages opened"), rows)
    checks = "".join(f"<li>{escape(check)}</li>" for check in found.checks)
    told = f"{found.pages} different pages; {found.browser}; {_origin(found.date, found.commit)}"
    return f'{table}<ul class="origins">{checks}</ul>{_paragraph(note(told))}'


def _ok(one: OffDefault) -> int:
    return one.ok


def _refused(one: OffDefault) -> int:
    return one.refused


def _wrong(one: OffDefault) -> int:
    return len(one.not_ok)


def _claims(one: AtPaper) -> int:
    return one.claims


def _held(one: AtPaper) -> int:
    return one.held


def _seconds(one: AtPaper) -> int:
    return one.seconds


def _count(bad: int) -> str:
    """A number that is to be 0."""
    return f"<b>{bad:,}</b>"


def _listed(reasons: Sequence[str]) -> str:
    """The reasons of bad outcomes, folded."""
    if not reasons:
        return ""
    items = "".join(f"<li>{escape(reason)}</li>" for reason in reasons[:MOST_LISTED])
    rest = f"<li>and {len(reasons) - MOST_LISTED} more</li>" if len(reasons) > MOST_LISTED else ""
    return f"<details><summary>What did not end well</summary><ul>{items}{rest}</ul></details>"


def _origin(date: str, commit: str) -> str:
    """When, and from which commit."""
    return f"{date}, commit {commit[:12]}{', with changes' if 'changes' in commit else ''}"


def _paragraph(inside: str) -> str:
    return f"<p>{inside}</p>"
