"""How often each claim held on fresh seeds: an HTML table that sorts and filters like the ledger, and one for paper."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from math import log10
from typing import Any

from docutils import nodes

from reproduce.campaigns.finding import Finding, read_findings
from reproduce.campaigns.seeds import MOST, SEEDS
from reproduce.claims.ledger import StoredClaim
from reproduce.pages.claim_rows import DETERMINISTIC, NOT_YET, Column, Titles, claim_rows, for_print, sortable
from reproduce.pages.codes import changed, dated
from reproduce.pages.directive import BookDirective
from reproduce.pages.evidence_kinds import KINDS
from reproduce.pages.overview import unended
from reproduce.pages.pieces import NOTE, folded, paragraph, raw
from reproduce.pages.quantities import in_print
from reproduce.pages.tables import Cell, Row, Table, row, show
from reproduce.pages.templates import render
from reproduce.sweep.summary import pass_interval

COLUMNS = (
    Column("held", "held", numeric=True),
    Column("claim", "claim"),
    Column("interval", "interval", numeric=True),
    Column("control", "control", numeric=True),
    Column("worst", "worst error / allowed", numeric=True),
    Column("seed", "at seed", numeric=True, on_paper=False),
)
KEPT = "always kept"
OUTSIDE = 1.15  # of the picture's axis, which ends at 1


class RobustnessDirective(BookDirective):
    """Every claim of the book on fresh seeds, and of which code these runs were; with an argument what missed one.

    The content says why a claim missed, a line each: its id, the seed of its worst run, a colon, and the reason.
    """

    optional_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The table, and the code."""
        found = read_findings(self.book, SEEDS)
        older = changed(self.book.root, found)
        claims, known = self.ledger().claims, {one.chapter: one for one in found}
        if self.arguments:
            run = [claim for claim in claims if _found(claim, known)]
            return self._misses(run, known, sum(one.chapter in older for one in run), self.same())
        table = Table(("chapter", "commit", "version", "seeds from", "run on"), [_origin(one) for one in found])
        told = [*show([table], "", on_paper=self.on_paper)[:-1], paragraph(_hosts(found), NOTE)]
        origins = folded("Of which code, and with what", told, "fold origins")
        if self.on_paper:
            run = [claim for claim in claims if _found(claim, known)]
            rows = claim_rows(run, partial(_cells, known, older), same=self.same())
            return [for_print(COLUMNS, rows), *origins]
        page = robustness_table(claims, known, self.claim_address, self.titles(), older, self.same())
        return [raw(page), *origins]

    def _misses(
        self, run: Sequence[StoredClaim], known: Mapping[str, Finding], late: int, same: Mapping[str, bool]
    ) -> list[nodes.Node]:
        """How many runs missed, now or before, and a picture of all; then each miss with what it was at its worst."""
        why, rows = dict(line.split(": ", 1) for line in self.content), list[Row]()
        for claim in run:
            of = _found(claim, known) or {}
            if _named(of, claim.id):
                named = f"{len(rows) + 1}. {claim.record['statement']}"
                said = Cell(named, "", [""], name=claim.id, address=self.claim_address(claim))
                held, reason = min(of["held"], of["controls"]), why.get(f"{claim.id} {of['at']}", "not explained yet")
                worst = Cell(_at_worst(claim.record["kind"], of), "", [f"seed {of['at']}"])
                rows.append(row(False, said, f"{held} of {of['runs']}", worst, reason))
        free = [one for one in run if not same.get(one.id)]
        table = Table(("claim", "seeds held", "at its worst", "why"), rows)
        shown = show([table] * bool(rows), "", on_paper=self.on_paper)[:-1]
        first, tail = summary(free, known)
        ids = {id for one in known.values() for of in one.counts["earlier"] for id in of["missed"]}
        if past := len(ids - {claim.id for claim in run}):
            tail += f" So did {past} more that are no longer in the book."
        tail += f" Seeds are digits of a hash, but {days}." if (days := dated(known.values())) else ""
        if late:
            whole = "each" if late == len(run) else str(late)
            tail += f" For {whole} of the {len(run)} claims some file of the chapter, be it only its words, has changed"
            tail += f" since their run{'.' if late == len(run) else '; such rows say '}"
        marked = [nodes.emphasis("", "older code"), nodes.Text(".")] * (0 < late < len(run))
        counts = paragraph([nodes.strong("", first), nodes.Text(tail), *marked])
        return [counts, raw(render("room", lanes=list(_lanes(run, known, same)))), *shown]


def summary(free: Sequence[StoredClaim], known: Mapping[str, Finding]) -> tuple[str, str]:
    """How many runs of the claims that a seed can change missed; and how many claims had missed a seed before.

    free: these claims, each of which was run.
    known: what the fresh seeds found, by chapter.
    """
    found = [of for one in free if (of := _found(one, known))]
    runs, lost = sum(of["runs"] for of in found), [of["runs"] - min(of["held"], of["controls"]) for of in found]
    missed = sum(map(bool, lost))
    told = [earlier for one in free if (earlier := _earlier(one, known))]
    cut = sum(not any(held < came for held, came, _ in of) for of in told)
    stopped = f", {cut} of them only because a run stopped at an error" if cut else ""
    return (
        f"{sum(lost)} of {runs:,} runs missed, in {missed} of the {len(free)} claims that a seed can change.",
        f" {len(told)} of these claims missed a seed of earlier code, which was changed after it{stopped}.",
    )


def robustness_table(
    claims: Sequence[StoredClaim],
    known: Mapping[str, Finding],
    place: Callable[[StoredClaim], str],
    named: Mapping[str, Titles] | None = None,
    changed: Collection[str] = (),
    same: Mapping[str, bool] | None = None,
) -> str:
    """One row a claim of the book, whether or not it was run on fresh seeds.

    claims: those of the book, in its order.
    known: what the fresh seeds found, by chapter.
    place: the address of a claim in its chapter, relative to the page with the table.
    named: the titles by chapter.
    changed: the chapters whose code has changed since they were run.
    same: by its id whether a claim came out the same with every seed; without it that is not known.
    """
    run = [claim for claim in claims if _found(claim, known)]
    every = len(run) > 1 and all(one.chapter in changed for one in run)  # said once, not in each row
    late, cut = len(claims) - len(run), any(one.counts["failed"] for one in known.values())
    counts = [
        *[f"{len(run)} of the book's {len(claims)} claims were run on fresh seeds, {late} not yet"] * bool(late),
        *[unended(known.values())] * cut,
    ]
    rows = claim_rows(claims, partial(_cells, known, () if every else changed), place, named, same)
    return sortable(COLUMNS, rows, "held on every seed", counts, files="robustness", schema="")


def _lanes(
    run: Sequence[StoredClaim], known: Mapping[str, Finding], same: Mapping[str, bool]
) -> Iterator[tuple[str, list[Any]]]:
    """For each kind of evidence its claims, least error first: how far along and down, which missed, which is fixed."""
    lost = [one.id for one in run if _named(_found(one, known) or {}, one.id)]
    for kind in KINDS:
        found = [(_found(one, known), one.id) for one in run if one.record.get("evidence") == kind]
        used = sorted(
            (of["worst"], f"{lost.index(id) + 1}. {_named(of, id)}" if id in lost else "", same.get(id, False))
            for of, id in found
            if of
        )
        yield (
            kind,
            [
                (_along(worst), 1 - (at + 0.5) / len(used), missed, alike)
                for at, (worst, missed, alike) in enumerate(used)
            ],
        )


def _along(worst: float) -> float:
    """The exponent at which an error over the error allowed is drawn; beyond the axis where no error was allowed."""
    return OUTSIDE if worst >= MOST else min(max(log10(worst or 1e-9), -4), 1)


def _named(of: Mapping[str, Any], id: str) -> str:
    """The claim that missed a seed, and its error over the error allowed; or nothing."""
    return "" if of["held"] == of["controls"] == of["runs"] else f"{id}, {in_print(of['worst'])}"


def _at_worst(kind: str, of: Mapping[str, Any]) -> str:
    """What a claim was on its worst seed, in words."""
    if of["worst"] <= 1 and of["controls"] < of["runs"]:
        return f"within its tolerance; its control passed on {of['runs'] - of['controls']} of {of['runs']}"
    if of["worst"] >= MOST or in_print(of["worst"]) == "1":
        return "the inequality fails" if of["worst"] >= MOST else "at most 5 % beyond what is allowed"
    if kind == "ordering":
        return f"a gap of about {in_print(100 / of['worst'])} % of the one demanded"
    return f"{in_print(of['worst'])} times the error allowed"


def _found(claim: StoredClaim, known: Mapping[str, Finding]) -> Mapping[str, Any] | None:
    """What the fresh seeds of its chapter found of a claim; None for one that was not run."""
    chapter = known.get(claim.chapter)
    found = chapter.counts["claims"].get(claim.id) if chapter is not None else None
    return found if found and found["runs"] else None


def _earlier(claim: StoredClaim, known: Mapping[str, Finding]) -> list[tuple[int, int, int]]:
    """Of each earlier code of which a claim missed a seed: how often it held, how many runs came to it, and stopped."""
    earlier = [(one["missed"].get(claim.id), one["failed"]) for one in known[claim.chapter].counts["earlier"]]
    return [(min(of["held"], of["controls"]), of["runs"], stopped) for of, stopped in earlier if of]


def _in_words(held: int, came: int, stopped: int) -> str:
    """What came of a claim on the seeds of earlier code that it missed."""
    cut = f", {stopped} stopped at an error" if stopped else ""
    return f"earlier code: {held} of {came + stopped}{cut}"


def _origin(one: Finding) -> Row:
    """Of which code a chapter's runs are, and which seeds they had."""
    commit = f"{one.commit[:12]}{', with changes' if 'changes' in one.commit else ''}"
    return row(True, Cell(one.chapter, "code"), commit, one.version, str(one.counts["first_seed"]), one.date)


def _hosts(found: Sequence[Finding]) -> str:
    """With which processors the runs were made."""
    return "; ".join(dict.fromkeys(one.host.rpartition("; ")[0] for one in found))


def _cells(
    known: Mapping[str, Finding], changed: Collection[str], claim: StoredClaim, same: bool | None
) -> tuple[bool, Cell, list[Cell]]:
    """Whether a claim held, and its control failed, in every run that came to it; and its cells."""
    found = _found(claim, known)
    if found is None:
        return False, Cell(NOT_YET, key=-1), [Cell("")] * 4
    failed = known[claim.chapter].counts["failed"]
    held, controls, runs, worst = (found[name] for name in ("held", "controls", "runs", "worst"))
    low, high = pass_interval(held, runs)
    before = [_in_words(*of) for of in _earlier(claim, known)]
    interval = Cell("none: changed after a miss", key="") if before else Cell(f"{low:.3f} … {high:.3f}", key=low)
    spare = claim.record.get("kind") == "bound" and worst == 0  # it comes before all that use something
    older = ["(older code)"] if claim.chapter in changed else []
    times = "once" if runs - controls == 1 else f"{runs - controls} times"
    passed = [f"its control passed {times}"] * (controls < runs)
    cut = [unended([known[claim.chapter]])] if failed else []
    others = [
        Cell("none: all runs are one", key="") if same else interval,
        Cell(f"failed in {controls} of {runs}", key=controls / runs),
        Cell(KEPT, "b", key=-1.0) if spare else Cell(in_print(worst), "b", key=worst, bar=worst),
        Cell("any", key="") if same or spare else Cell(str(found["at"]), key=found["at"]),
    ]
    first = DETERMINISTIC if same and held == controls == runs else f"{held} of {runs}"
    return held == controls == runs, Cell(first, "b", [*passed, *cut, *older, *before], key=held / runs), others
