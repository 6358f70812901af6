"""What the campaigns found, each as a table that reads as cards on a narrow screen."""

from collections.abc import Callable, Mapping, Sequence

from reproduce.campaigns import LIBRARY, AtPaper, Attacks, Mutants, OffDefault, PagesRead, Spoiled
from reproduce.pages.plain_tables import NOT_RUN, Cell, Table, count, origin, row, show
from reproduce.robustness import Robustness

KINDS_OF_END = ("red", "stopped", "held_by_tests", "along", "equivalent", "surviving")
SPOILED_ENDS = {
    True: {
        "claims": "claims",
        "refused": "refused",
        "same": "constant within the tolerance",
        "own": "its control has a theory of its own",
        "listed": "holds, for a reason",
        "passed": "holds",
    },
    False: {
        "claims": "claims",
        "refused": "its control passes",
        "idle": "too wide for fresh seeds",
        "passed": "its control still fails",
    },
}
ALL = Cell("all", "b")
CHANGED = "the chapter's code has changed since"
CHANGED_AT_PAPER = "the chapter's code or its parameters have changed since"


def attacks_table(found: Attacks | None) -> str:
    """A row for each class of attacks and one for all of them; then the kills, and the reasons of what was bad."""
    if found is None:
        return show([], NOT_RUN)
    rows = [row(one.bad == 0, one.meaning, f"{one.cases:,}", f"{one.good:,}", count(one.bad)) for one in found.classes]
    cases, good, bad = (sum(getattr(one, name) for one in found.classes) for name in ("cases", "good", "bad"))
    rows.append(row(bad == 0, ALL, f"{cases:,}", f"{good:,}", count(bad)))
    table = Table(("attack", "cases", "ended well", "did not"), rows)
    seeds = " and ".join(map(str, found.seeds))
    told = (
        f"{found.damaged:,} files damaged; seeds {seeds}; {found.seconds / 60:.0f} minutes of cases; "
        f"{origin(found.date, found.commit)}; {found.versions}; {found.host}"
    )
    return show([table, *_kills(found.kills)], told, bad=found.bad)


def _kills(kills: Mapping[str, Mapping[str, int]]) -> list[Table]:
    """Signals down, targets across."""
    targets = list(dict.fromkeys(target for of in kills.values() for target in sorted(of)))
    names = ["over before" if target == "none" else target for target in targets]
    rows = [row(True, signal, *(str(of.get(target, 0)) for target in targets)) for signal, of in kills.items()]
    return [Table(("signal", *names), rows)] if rows else []


def mutants_table(found: Sequence[Mutants]) -> str:
    """A row for each kind of mutant; then one for each chapter of which every place was tried."""
    if not found:
        return show([], NOT_RUN)
    kinds = list(dict.fromkeys(one.kind for one in found))
    rows = []
    for kind in [*kinds, ""]:
        of = [one for one in found if kind in ("", one.kind)]
        sums = {name: sum(getattr(one, name) for one in of) for name in ("possible", "made", *KINDS_OF_END)}
        cells = [f"{sums[name]:,}" for name in ("possible", "made", *KINDS_OF_END[:-1])]
        rows.append(row(sums["surviving"] == 0, kind or ALL, *cells, count(sums["surviving"])))
    chapters = len({one.chapter for one in found} - {LIBRARY})
    columns = (
        "what is changed",
        "places",
        "tried",
        "claim red",
        "chapter stopped",
        "library test red",
        "theory moves along",
        "no effect, or excused",
        "not noticed",
    )
    origins = sorted({origin(one.date, one.commit) for one in found})
    share = f"{sums['surviving'] / max(sums['made'], 1):.2%} of what was tried is not noticed"
    told = f"{share}; {chapters} chapters; {'; '.join(origins)}"
    return show([Table(columns, rows), *_of_library(found), *_whole(found)], told)


def _of_library(found: Sequence[Mutants]) -> list[Table]:
    """What was drawn from all places of the library, whichever chapter executes them."""
    of = [one for one in found if one.chapter == LIBRARY]
    if not of:
        return []
    sums = {name: sum(getattr(one, name) for one in of) for name in ("possible", "made", "surviving")}
    cells = (f"{sums['possible']:,}", f"{sums['made']:,}", count(sums["surviving"]))
    return [
        Table(
            ("drawn from", "places", "tried", "not noticed"), [row(not sums["surviving"], "the whole library", *cells)]
        )
    ]


def _whole(found: Sequence[Mutants]) -> list[Table]:
    """The chapters of which every place was tried, which says more than a fixed draw can."""
    rows = []
    for chapter in dict.fromkeys(one.chapter for one in found):
        of = [one for one in found if one.chapter == chapter]
        made, surviving = (sum(getattr(one, name) for one in of) for name in ("made", "surviving"))
        if chapter != LIBRARY and all(one.made == one.possible for one in of):
            rows.append(row(surviving == 0, chapter, f"{made:,}", count(surviving)))
    return [Table(("every place tried", "places", "not noticed"), rows)] if rows else []


def spoiled_table(found: Sequence[Spoiled]) -> str:
    """A row for each way to spoil a claim, all chapters together; those that need not be refused in a second table."""
    if not found:
        return show([], NOT_RUN)
    tables = []
    for must, ends in SPOILED_ENDS.items():
        rows = []
        for way in dict.fromkeys(one.way for one in found if one.must is must):
            sums = [sum(getattr(one, end) for one in found if one.way == way) for end in ends]
            cells = [f"{number:,}" for number in sums[:-1]]
            rows.append(row(not (must and sums[-1]), way, *cells, count(sums[-1]) if must else f"{sums[-1]:,}"))
        tables.append(Table(("what is spoiled", *ends.values()), rows))
    origins = sorted({origin(one.date, one.commit) for one in found})
    return show(tables, f"{len({one.chapter for one in found})} chapters; {'; '.join(origins)}")


def seeds_table(found: Sequence[Robustness], stale: Callable[[str], bool]) -> str:
    """All chapters together: runs, claims that always held, claims that did not.

    found: what is known of each chapter.
    stale: whether a chapter's code has changed since.
    """
    if not found:
        return show([], NOT_RUN)
    rows = []
    for one in found:
        runs = one.finished + one.failed
        missed = [id for id, claim in one.claims.items() if not claim.held == claim.controls == runs]
        held = f"{len(one.claims) - len(missed)} of {len(one.claims)}"
        chapter = Cell(one.chapter, "code", [CHANGED] if stale(one.chapter) else [])
        rows.append(row(not missed, chapter, str(runs), held, ", ".join(missed)))
    columns = ("chapter", "seeds", "claims held on all", "did not hold on all")
    origins = sorted({origin(one.date, one.commit) for one in found})
    return show([Table(columns, rows)], "; ".join(origins))


def off_default_table(found: Sequence[OffDefault], stale: Callable[[str], bool]) -> str:
    """A row for each chapter: its runs that were in order, the values it refuses, and the runs that were not."""
    if not found:
        return show([], NOT_RUN)
    rows = []
    for one in found:
        chapter = Cell(one.chapter, "code", [CHANGED] if stale(one.chapter) else [])
        wrong = Cell(str(len(one.not_ok)), "b", one.not_ok)
        rows.append(row(not one.not_ok, chapter, str(one.ok), str(one.refused), wrong))
    ok, refused = sum(one.ok for one in found), sum(one.refused for one in found)
    not_ok = sum(len(one.not_ok) for one in found)
    rows.append(row(not_ok == 0, ALL, str(ok), str(refused), count(not_ok)))
    columns = ("chapter", "all claims hold", "refused with a reason", "a claim fails")
    return show([Table(columns, rows)], "; ".join(sorted({origin(one.date, one.commit) for one in found})))


def paper_table(found: Sequence[AtPaper], stale: Callable[[str], bool]) -> str:
    """A row for each chapter at the paper's scale: its claims, and what it needs."""
    if not found:
        return show([], NOT_RUN)
    rows = []
    for one in found:
        chapter = Cell(one.chapter, "code", [CHANGED_AT_PAPER] if stale(one.chapter) else [])
        held = Cell(f"{one.held} of {one.claims}", "", [said for said in [one.failure, *one.missed] if said])
        memory = f"{one.megabytes:,} MB" if one.megabytes else "not measured"
        rows.append(row(one.holds, chapter, held, f"{one.seconds:,} s", memory))
    claims, held_of_all = sum(one.claims for one in found), sum(one.held for one in found)
    seconds, largest = sum(one.seconds for one in found), max(one.megabytes for one in found)
    good = all(one.holds for one in found)
    rows.append(row(good, ALL, f"{held_of_all} of {claims}", f"{seconds:,} s", f"{largest:,} MB at most"))
    origins = sorted({f"{origin(one.date, one.commit)}, {one.machine}" for one in found})
    columns = ("chapter", "claims that hold", "time", "memory of its kernel")
    return show([Table(columns, rows)], "; ".join(origins))


def pages_table(found: PagesRead | None) -> str:
    """How many pages were opened at each width and mode, and what was looked at."""
    if found is None:
        return show([], NOT_RUN)
    table = Table(("screen", "pages opened"), [row(True, how, str(times)) for how, times in found.readings.items()])
    told = f"{found.pages} different pages; {found.browser}; {origin(found.date, found.commit)}"
    return show([table], told, checks=found.checks)
