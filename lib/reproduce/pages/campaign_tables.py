"""What a campaign found, as tables that read as cards on a narrow screen; every one says of which commit it is."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from docutils import nodes

from reproduce.campaigns.benchmarks import Group, Timing, groups_of
from reproduce.campaigns.finding import Finding, read_findings
from reproduce.campaigns.off_default import IN_ORDER
from reproduce.pages import codes
from reproduce.pages.directive import BookDirective
from reproduce.pages.quantities import in_print
from reproduce.pages.tables import NOT_RUN, Cell, Row, Table, count, row, show

ENDS = {
    "red": "claim red",
    "refused": "certificate, or another demand",
    "stopped": "another error",
    "held_by_tests": "library test red",
    "along": "theory moves along",
    "no_effect": "no effect",
    "excused": "excused",
    "surviving": "not noticed",
}
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
NOT_RECORDED = "not recorded"
CHANGED = "the code has changed since"


class CampaignDirective(BookDirective):
    """What a campaign found."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Its tables, or that the campaign was not run yet."""
        campaign = self.arguments[0]
        if campaign not in TABLES:
            raise self.error(f"there is no campaign {campaign!r}: {', '.join(TABLES)}")
        found = read_findings(self.book, campaign)
        return campaign_table(campaign, found, codes.changed(self.book.root, found), on_paper=self.on_paper)


def campaign_table(
    campaign: str, found: Sequence[Finding], changed: Collection[str], *, on_paper: bool = False
) -> list[nodes.Node]:
    """Everything that a campaign found, or that it was not run yet.

    campaign: a key of ``TABLES``.
    found: its findings, in the order of the book.
    changed: the chapters whose code has changed since, and an empty name if that of the book has.
    on_paper: whether it is printed.
    """
    if not found:
        return show([], NOT_RUN)
    tables = TABLES[campaign](found, changed)
    whole = [one for one in found if not one.chapter]
    checks = [check for one in found for check in one.counts.get("checks", [])]
    bad = [said for one in whole for said in one.failed]
    return show(tables, as_of(found, changed), checks, bad, on_paper=on_paper)


def as_of(found: Iterable[Finding], changed: Collection[str]) -> str:
    """Of which version and commit findings are, with what they were made, and whether the code is another one now."""
    told: dict[str, bool] = {}
    for one in found:
        commit = f"{one.commit[:12]}{', with changes' if 'changes' in one.commit else ''}"
        text = f"as of {one.version}, commit {commit}, {one.date}"
        told[text] = told.get(text, False) or one.chapter in changed
    hosts = dict.fromkeys(one.host for one in found)
    origins = [f"{text}{f'; {CHANGED}' if late else ''}" for text, late in sorted(told.items())]
    return "; ".join([*origins, *filter(None, hosts)])


def _chapter(one: Finding, changed: Collection[str]) -> Cell:
    return Cell(one.chapter, "code", [CHANGED] if one.chapter in changed else [])


def _seeds(found: Sequence[Finding], changed: Collection[str]) -> list[Table]:
    """For each chapter its runs, the claims that always held, and those that did not."""
    rows = []
    for one in found:
        claims, runs = one.counts["claims"], one.counts["finished"] + one.counts["failed"]
        missed = [id for id, claim in claims.items() if not claim["held"] == claim["controls"] == runs]
        held = f"{len(claims) - len(missed)} of {len(claims)}"
        rows.append(row(not missed, _chapter(one, changed), str(runs), held, ", ".join(missed)))
    return [Table(("chapter", "seeds", "claims held on all", "did not hold on all"), rows)]


def _off_default(found: Sequence[Finding], changed: Collection[str]) -> list[Table]:
    """For each chapter its runs that were in order, the values outside its ranges or refused, and what was neither."""
    rows = []
    for one in found:
        wrong = Cell(str(len(one.failed)), "b", one.failed)
        rows.append(row(not one.failed, _chapter(one, changed), *(str(one.counts[end]) for end in IN_ORDER), wrong))
    sums = (str(sum(one.counts[end] for one in found)) for end in IN_ORDER)
    wrong_of_all = sum(len(one.failed) for one in found)
    rows.append(row(wrong_of_all == 0, ALL, *sums, count(wrong_of_all)))
    return [Table(("chapter", "all claims hold", "outside the declared range", "refused", "a claim fails"), rows)]


def _paper(found: Sequence[Finding], changed: Collection[str]) -> list[Table]:
    """For each chapter at the paper's scale its claims, and what it needs."""
    rows = []
    for one in found:
        of = one.counts
        held = Cell(f"{of['held']} of {of['claims']}", "", one.failed)
        memory = f"{of['megabytes']:,} MB" if of["megabytes"] else "not measured"
        rows.append(row(not one.failed, _chapter(one, changed), held, f"{of['seconds']:,} s", memory))
    claims, held_of_all, seconds = (sum(one.counts[name] for one in found) for name in ("claims", "held", "seconds"))
    largest = max(one.counts["megabytes"] for one in found)
    good = not any(one.failed for one in found)
    rows.append(row(good, ALL, f"{held_of_all} of {claims}", f"{seconds:,} s", f"{largest:,} MB at most"))
    return [Table(("chapter", "claims that hold", "time", "memory of its kernel"), rows)]


def _mutants(found: Sequence[Finding], changed: Collection[str]) -> list[Table]:
    """A row for each kind of mutant; then the library, and each chapter of which every place was tried."""
    every = [(kind, ends) for one in found for kind, ends in one.counts.items()]
    rows = []
    for kind in [*dict.fromkeys(kind for kind, _ in every), ""]:
        sums = _sums(ends for of, ends in every if kind in ("", of))
        cells = [NOT_RECORDED if sums[name] is None else f"{sums[name]:,}" for name in [*sums][:-1]]
        share = [] if kind else [f"{sums['surviving'] / max(sums['made'], 1):.2%} of what was tried"]
        left = Cell(f"{sums['surviving']:,}", "b", share)
        rows.append(row(sums["surviving"] == 0, kind or ALL, *cells, left))
    tables = [Table(("what is changed", "places", "tried", *ENDS.values()), rows)]
    drawn, whole = [], []
    for one in found:
        sums = _sums(one.counts.values())
        places, tried, left = f"{sums['possible']:,}", f"{sums['made']:,}", count(sums["surviving"])
        if not one.chapter:
            drawn.append(row(not sums["surviving"], "the whole library", places, tried, left))
        elif sums["made"] == sums["possible"]:
            whole.append(row(not sums["surviving"], one.chapter, tried, left))
    if drawn:
        tables.append(Table(("drawn from", "places", "tried", "not noticed"), drawn))
    return [*tables, Table(("every place tried", "places", "not noticed"), whole)] if whole else tables


def _sums(counted: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The sums over some counts; None of what one of them does not tell apart."""
    listed = list(counted)
    values = {name: [one[name] for one in listed] for name in ("possible", "made", *ENDS)}
    return {name: None if None in of else sum(of) for name, of in values.items()}


def _spoiled(found: Sequence[Finding], changed: Collection[str]) -> list[Table]:
    """A row for each way to spoil a claim, all chapters together; those that need not be refused in a second table."""
    every = [(way, ends) for one in found for way, ends in one.counts.items()]
    tables = []
    for must, names in SPOILED_ENDS.items():
        rows = []
        for way in dict.fromkeys(way for way, ends in every if ends["must"] is must):
            sums = [sum(ends[name] for of, ends in every if of == way) for name in names]
            last = count(sums[-1]) if must else f"{sums[-1]:,}"
            rows.append(row(not (must and sums[-1]), way, *(f"{number:,}" for number in sums[:-1]), last))
        tables.append(Table(("what is spoiled", *names.values()), rows))
    return tables


def _attacks(found: Sequence[Finding], changed: Collection[str]) -> list[Table]:
    """A row for each class of attacks and one for all; then the signals of the kills down, their targets across."""
    of = found[0].counts
    classes, kills = of["classes"].values(), of["kills"]
    rows = [row(one["bad"] == 0, one["meaning"], *_numbers(one), count(one["bad"])) for one in classes]
    sums = {name: sum(one[name] for one in classes) for name in ("cases", "good", "bad")}
    rows.append(row(sums["bad"] == 0, ALL, *_numbers(sums), count(sums["bad"])))
    targets = list(dict.fromkeys(target for hit in kills.values() for target in sorted(hit)))
    names = ["over before" if target == "none" else target for target in targets]
    signals = [row(True, signal, *(str(hit.get(target, 0)) for target in targets)) for signal, hit in kills.items()]
    seeds, minutes = " and ".join(map(str, of["seeds"])), f"{of['seconds'] / 60:.0f}"
    told = [row(True, f"{of['damaged']:,}", seeds, minutes)]
    return [
        Table(("attack", "cases", "ended well", "did not"), rows),
        *([Table(("signal", *names), signals)] if signals else []),
        Table(("files damaged", "seeds", "minutes of cases"), told),
    ]


def _numbers(one: Mapping[str, int]) -> tuple[str, str]:
    return f"{one['cases']:,}", f"{one['good']:,}"


def _pages(found: Sequence[Finding], changed: Collection[str]) -> list[Table]:
    """How many pages were opened at each width and mode."""
    of = found[0].counts
    rows = [row(True, how, str(times)) for how, times in of["readings"].items()]
    rows.append(row(True, Cell(f"different pages, in {of['browser']}", "b"), str(of["pages"])))
    return [Table(("screen", "pages opened"), rows)]


def _benchmarks(found: Sequence[Finding], changed: Collection[str]) -> list[Table]:
    """A table for each group, slowest method first; the ratios are to the fastest method that is not the library's."""
    columns = ("seconds", "spread", "rounds", "reached", "times faster")
    timed = [
        Table((_heading(group), *columns), [_timing(group, one) for one in group.timings])
        for group in groups_of(found[0])
    ]
    load = found[0].counts["load"]
    loaded = [row(True, f"{load['before']:g}", f"{load['after']:g}")]
    return [*timed, Table(("processes that wanted a core before", "and after"), loaded)]


def _heading(group: Group) -> str:
    """The problem, and which errors are alike."""
    return f"{group.name}; errors to {in_print(group.matched)}" if group.matched else group.name


def _timing(group: Group, one: Timing) -> Row:
    """One method; a plain one that is not to be compared as it stands says why."""
    ratio, times = group.ratio(one), group.unlike(one)
    unlike = [f"its error is {in_print(times)} times the library's: no ratio is given"] if times else []
    method = Cell(one.method, "" if one.plain else "b", [note for note in [one.caution, *unlike] if note])
    cells = (in_print(one.seconds, 3), in_print(one.spread) if one.rounds > 1 else "", str(one.rounds), one.reached)
    return row(True, method, *cells, "" if ratio is None else in_print(ratio))


TABLES = {
    "attacks": _attacks,
    "benchmarks": _benchmarks,
    "mutants": _mutants,
    "off_default": _off_default,
    "pages": _pages,
    "paper": _paper,
    "seeds": _seeds,
    "spoiled": _spoiled,
}
