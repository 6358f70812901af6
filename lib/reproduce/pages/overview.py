"""What all campaigns together say, a row each: tried, caught by a claim, caught otherwise, excused, open."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from reproduce.campaigns.finding import Finding
from reproduce.campaigns.impossible import missed
from reproduce.pages.codes import dated
from reproduce.pages.mutant_tables import silent, summed
from reproduce.pages.pieces import drawn
from reproduce.pages.tables import Cell, Row, Table, count, row

Findings = Mapping[str, Sequence[Finding]]
TOO_LONG = "it took longer than"  # said of a chapter at the paper's scale
TEN_TIMES = "tolerance × 10"
HELD = ("seeds", "off_default", "paper")  # campaigns in which claims should hold; in the others they should notice


def did_not_end(one: Finding) -> bool:
    """Whether a chapter did not reach its end at the paper's scale: the reason is a sentence, and no claim's id."""
    return any(" " in said for said in one.failed)


def expected_of(found: Iterable[Finding], stated: Mapping[str, int]) -> dict[str, int]:
    """How many claims each chapter should have at the paper's scale; of one that did not end, those that it has now.

    found: the findings at that scale.
    stated: how many claims each chapter has now.
    """
    ran = {one.chapter: one.counts["claims"] for one in found if not did_not_end(one)}
    return {**stated, **ran}


def not_run(found: Iterable[Finding], untried: int) -> str:
    """How many chapters took too long or stopped for another reason, and how many were not tried, in words."""
    lost = [one for one in found if did_not_end(one)]
    slow = sum(TOO_LONG in said for one in lost for said in one.failed)
    ways = [(slow, "took too long"), (len(lost) - slow, "stopped, as its row says")]
    ends = [f"{number} {'chapter' if number == 1 else 'chapters'} {way}" for number, way in ways if number]
    return ", ".join([*ends, f"{untried} {'chapter was' if untried == 1 else 'chapters were'} not tried"])


def unended(found: Iterable[Finding]) -> str:
    """How many runs on fresh seeds stopped at an error, in words."""
    failed = sum(one.counts["failed"] for one in found)
    return f"{failed} {'run' if failed == 1 else 'runs'} did not end"


def overview(found: Findings, stated: Mapping[str, int]) -> list[Table]:
    """What should be noticed, and what should hold; of a campaign that was not run there is no row.

    found: the findings of each campaign.
    stated: how many claims each chapter has now.
    """
    made = {"mutants": _mutants(found["mutants"]), "spoiled": _spoiled(found["spoiled"])}
    made |= {"attacks": _attacks(found["attacks"]), "seeds": _seeds(found["seeds"])}
    made |= {"off_default": _off_default(found["off_default"]), "paper": _paper(found["paper"], stated)}
    rows = [(name, _about(one, found[name], stated)) for name, of in made.items() for one in of]
    noticed, held = ([one for name, one in rows if (name in HELD) is of] for of in (False, True))
    caught = Table(("what is done", "tried", "caught by a claim", "caught otherwise", "excused", "open"), noticed)
    looked = Table(("what is looked at", "tried", "held", "excused", "open"), held)
    return [one for one in (caught, looked) if one.rows]


def said_once(tables: Sequence[Table]) -> tuple[list[Table], str]:
    """The tables without the note that most first cells end with, and this note; nothing if no two share one."""
    last = Counter(one.cells[0].notes[-1] for of in tables for one in of.rows)
    note, rows = last.most_common(1)[0] if last else ("", 0)
    if rows < 2:
        return list(tables), ""

    def without(of: Row) -> Row:
        first = of.cells[0]
        kept = first.notes[:-1] if first.notes[-1] == note else first.notes
        return replace(of, cells=[replace(first, notes=kept), *of.cells[1:]])

    return [replace(one, rows=[without(of) for of in one.rows]) for one in tables], note


def weakest(found: Findings, predict: int, noticed: int) -> tuple[str, str, str]:
    """In words what claims noticed, what is weakest, and how narrow tolerances are; empty without the findings.

    found: the findings of each campaign.
    predict: how many claims predict a number.
    noticed: how many of these fail with a theory 5 % too small, and with one 5 % too large.
    """
    sums = summed(ends for one in found["mutants"] for ends in one.counts.values())
    wide = [of for one in found["spoiled"] for way, of in one.counts.items() if way == TEN_TIMES]
    if not found["mutants"] or not wide:
        return "", "", ""
    reasoned = (sums["along"] or 0) + (sums["excused"] or 0)
    missed_by, claims = (sum(of[name] for of in wide) for name in ("passed", "claims"))
    return (
        f"Of {silent(sums):,} changes of a formula that raise no error, claims notice {sums['red']:,} and library tests"
        f" {sums['held_by_tests']:,}. {reasoned:,} have no effect, are excused or move theory along,"
        f" {sums['surviving']:,} nothing noticed.",
        f" Weakest point: ten times the tolerance goes unnoticed for {missed_by:,} of {claims:,} claims.",
        " Many tolerances are far below one percent, so ten times as wide is still narrow: of the"
        f" {predict} claims that predict a number, {noticed} fail with a theory 5 % off either way ",
    )


def _about(of: Row, found: Sequence[Finding], stated: Mapping[str, int]) -> Row:
    """A row with all that came of it as parts of one line, what is open last, the version, and what was not run."""
    ends = [int(cell.text.replace(",", "") or 0) for cell in of.cells[2:]]
    idle = "" if of.good or of.cells[-1].style else " idle"  # open because it was not run
    held = " held" if len(ends) == 3 else ""  # without what was caught otherwise
    bar = drawn(f"stacked ends{held}{idle}", ends, "the numbers of this row as shares")
    left = len(set(stated) - {one.chapter for one in found}) if any(one.chapter for one in found) else 0
    late = f", {left} of {len(stated)} chapters not run yet" if left else ""
    notes = [*of.cells[0].notes, f"version {', '.join(sorted({one.version for one in found}))}{late}"]
    return replace(of, cells=[replace(of.cells[0], drawn=bar, notes=notes), *of.cells[1:]])


def _tried(name: str, *cells: Cell | str, left: int | None) -> Row:
    """A row that ends with what is open; None where a change need not be noticed."""
    return row(not left, Cell(name), *cells, "" if left is None else count(left))


def _mutants(found: Sequence[Finding]) -> list[Row]:
    if not found:
        return []
    sums = summed(ends for one in found for ends in one.counts.values())
    whole = summed(ends for one in found if not one.chapter for ends in one.counts.values())
    library = f"; of the library's {whole['possible']:,}, {whole['made']:,} drawn" if whole["made"] else ""
    along = f"{sums['along']:,} move theory and measurement alike"
    effect = "" if sums["no_effect"] is not None else f"{sums['excused']:,} by a person, what has no effect among them"
    kinds = "; ".join(sorted({kind for one in found for kind, ends in one.counts.items() if ends["surviving"]}))
    by_error = (sums["refused"] or 0) + (sums["stopped"] or 0)
    refused = (
        "by which, was not recorded" if sums["refused"] is None else f"{sums['refused']:,} by a refusal of the book"
    )
    silently = (f"{silent(sums):,}", f"{sums['red']:,}", Cell(f"{sums['held_by_tests']:,}", "", ["by a library test"]))
    reasons = Cell(f"{(sums['along'] or 0) + (sums['excused'] or 0):,}", "", [along, effect])
    name = Cell("the code is changed, and no error is raised", "", [f"{sums['possible']:,} places{library}"])
    left = Cell(f"{sums['surviving']:,}", "b", [kinds])
    return [
        row(not sums["surviving"], name, *silently, reasons, left),
        _tried(
            "the same, and an error is raised", f"{by_error:,}", "", Cell(f"{by_error:,}", "", [refused]), "", left=0
        ),
    ]


def _spoiled(found: Sequence[Finding]) -> list[Row]:
    ways: dict[tuple[bool, str], dict[str, int]] = {}
    for way, of in ((way, of) for one in found for way, of in one.counts.items()):
        sums = ways.setdefault((of["must"], way if not of["must"] else "a claim's theory is spoiled"), {})
        for name in ("claims", "refused", "idle", "passed"):
            sums[name] = sums.get(name, 0) + of[name]
    rows = []
    for (must, way), of in sorted(ways.items(), key=lambda one: not one[0][0]):
        other = of["claims"] - of["refused"] - of["passed"]
        ends = ("", f"{other:,}") if must else (Cell(f"{of['idle']:,}", "", ["by fresh seeds"]), "")
        rows.append(_tried(way, f"{of['claims']:,}", f"{of['refused']:,}", *ends, left=of["passed"]))
    return rows


def _attacks(found: Sequence[Finding]) -> list[Row]:
    classes = [of for one in found for of in one.counts["classes"].values()]
    cases, bad = (sum(of[name] for of in classes) for name in ("cases", "bad"))
    return [_tried("bad input and damaged files", f"{cases:,}", "", f"{cases - bad:,}", "", left=bad)] if found else []


def _seeds(found: Sequence[Finding]) -> list[Row]:
    if not found:
        return []
    claims, wrong = sum(len(one.counts["claims"]) for one in found), sum(len(missed(one.counts)) for one in found)
    before = [of["missed"] for one in found for of in one.counts["earlier"]]
    tries = f"{sum(map(bool, before))} of {len(before)} earlier versions of a chapter missed some:"
    tries += f" {len({id for of in before for id in of})} claims, and code was changed after it"
    cut = [unended(found)] if any(one.counts["failed"] for one in found) else []
    left = Cell(f"{wrong:,}", "b", [*cut, tries, dated(found)])
    return [row(not wrong, Cell("claims on fresh seeds"), f"{claims:,}", f"{claims - wrong:,}", "", left)]


def _off_default(found: Sequence[Finding]) -> list[Row]:
    if not found:
        return []
    tried, bad = sum(sum(one.counts.values()) for one in found), sum(len(one.failed) for one in found)
    outside, refused = (sum(one.counts[end] for one in found) for end in ("outside", "refused"))
    why = [f"{outside:,} outside the range that a chapter declares", f"{refused:,} refused by it"]
    good = f"{tried - outside - refused:,}"
    excused = Cell(f"{outside + refused:,}", "", why)
    return [_tried("values of parameters off the defaults", f"{tried + bad:,}", good, excused, left=bad)]


def _paper(found: Sequence[Finding], stated: Mapping[str, int]) -> list[Row]:
    if not found:
        return []
    expected = expected_of(found, stated)
    held, every = sum(one.counts["held"] for one in found), sum(expected.values())
    failed = any(one.failed and not did_not_end(one) for one in found)
    left = Cell(f"{every - held:,}", "b" if failed else "", [not_run(found, len(expected) - len(found))])
    return [row(held == every, Cell("claims at the paper's scale"), f"{every:,}", f"{held:,}", "", left)]
