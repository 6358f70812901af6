"""What a campaign found, as tables that read as cards on a narrow screen; every one says of which commit it is."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from docutils import nodes

from reproduce.campaigns.benchmarks import BENCHMARKS
from reproduce.campaigns.finding import WRITTEN_BY, Finding, read_findings
from reproduce.campaigns.impossible import missed
from reproduce.campaigns.off_default import IN_ORDER
from reproduce.pages import codes
from reproduce.pages.benchmark_tables import benchmarks, compared
from reproduce.pages.claim_rows import Titles
from reproduce.pages.codes import ALL, as_of, dated, of_chapter
from reproduce.pages.directive import LEDGER, BookDirective
from reproduce.pages.mutant_tables import mutants, spoiled
from reproduce.pages.overview import did_not_end, expected_of, not_run, overview, said_once, unended, weakest
from reproduce.pages.pieces import folded, paragraph
from reproduce.pages.quantities import five_percent
from reproduce.pages.tables import NOT_RUN, Cell, Row, Table, count, row, show

WORDS = ("first", "tolerances")  # what is said in words, of all campaigns


class CampaignDirective(BookDirective):
    """What a campaign found; without its name what all of them did, a row each.

    With ``first`` what they found, in a few words, and with ``tolerances`` how narrow these are.
    """

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Its tables, or that the campaign was not run yet."""
        claims = self.ledger().claims
        stated = Counter(claim.chapter for claim in claims)
        if not self.arguments or self.arguments[0] in WORDS:
            found_by = {campaign: read_findings(self.book, campaign) for campaign in WRITTEN_BY}
        if not self.arguments:
            whole, note = said_once(overview(found_by, stated))
            each = [by_chapter(found_by, stated, self.titles())]
            all_together, by_one = (show(one, "", on_paper=self.on_paper)[:-1] for one in (whole, each))
            older = [paragraph(f"Where a row does not say otherwise: {note}.")] if note else []
            return [*older, *all_together, *folded("Chapter by chapter", by_one)]
        campaign = self.arguments[0]
        if campaign in WORDS:
            words = [five_percent(claim.record) for claim in claims if claim.complete]
            number = len(words) - words.count("no number")
            first, weak, narrow = weakest(found_by, number, words.count("no / no"))
            if campaign == "first":
                return [paragraph([nodes.strong("", first), nodes.Text(weak)])] if first else []
            return [self.inline(f"{narrow.strip()} ({{doc}}`ledger </{LEDGER}>`).")] if narrow else []
        if campaign not in TABLES:
            raise self.error(f"there is no campaign {campaign!r}: {', '.join(TABLES)}")
        found = read_findings(self.book, campaign)
        return campaign_table(campaign, found, codes.changed(self.book.root, found), stated, on_paper=self.on_paper)


def campaign_table(
    campaign: str,
    found: Sequence[Finding],
    changed: Collection[str],
    stated: Mapping[str, int],
    *,
    on_paper: bool = False,
) -> list[nodes.Node]:
    """Everything that a campaign found, or that it was not run yet.

    campaign: a key of ``TABLES``.
    found: its findings, in the order of the book.
    changed: the chapters whose code has changed since, and an empty name if that of the book has.
    stated: how many claims each chapter has now, in the order of the book.
    on_paper: whether it is printed.
    """
    if not found:
        return show([], NOT_RUN)
    every = len(found) > 1 and all(one.chapter in changed for one in found)  # said once below, not in each row
    tables = TABLES[campaign](found, () if every else changed, stated)
    whole = [one for one in found if not one.chapter]
    bad = [said for one in whole for said in one.failed]
    told = as_of(found, changed)
    shown = show(tables, told, bad, on_paper=on_paper)
    if campaign == BENCHMARKS:
        load = "; processes that wanted a core: {before:g} before, {after:g} at the end".format(
            **found[0].counts["load"]
        )
        origins = folded("Of which code, and with what", show(tables, told + load)[-1:], "fold origins")
        return [*compared(found[0], tables, on_paper=on_paper), *origins]
    return folded("Each chapter", shown) if campaign in ("seeds", "off_default", "paper") else shown


def by_chapter(
    found_by: Mapping[str, Sequence[Finding]], stated: Mapping[str, int], named: Mapping[str, Titles] | None = None
) -> Table:
    """How much each campaign left open of each chapter, of how much it tried; chapters by their titles where known."""
    known = {(campaign, one.chapter): one for campaign, found in found_by.items() for one in found}
    expected, rows = expected_of(found_by["paper"], stated), list[Row]()
    for chapter in stated:
        changes, seeds, off, paper = (known.get((one, chapter)) for one in ("mutants", "seeds", "off_default", "paper"))
        kinds = changes.counts.values() if changes else ()
        held, failed = paper.counts["held"] if paper else 0, len(off.failed) if off else 0
        ends = [
            (sum(one["surviving"] for one in kinds), sum(one["made"] for one in kinds)),
            (len(missed(seeds.counts)), len(seeds.counts["claims"])) if seeds else (0, 0),
            (failed, sum(off.counts.values()) + failed if off else 0),
            (expected[chapter] - held, expected[chapter]) if paper else (0, 0),
        ]
        cells = [Cell(f"{left} of {size}" if size else NOT_RUN, "b" if left else "") for left, size in ends]
        if paper and did_not_end(paper):
            cells[-1] = Cell("did not end", "b")
        name = Cell(named[chapter].chapter) if named else Cell(chapter, "code")
        rows.append(row(not any(left for left, _ in ends), name, *cells))
    heads = ("changes that nothing noticed", "claims that missed a seed", "values off the defaults that fail")
    return Table(("chapter", *heads, "claims not shown at the paper's scale"), rows)


def _seeds(found: Sequence[Finding], changed: Collection[str], stated: Mapping[str, int]) -> list[Table]:
    """For each chapter its runs, the claims that always held, those that did not, and those of earlier code."""
    rows = []
    for one in found:
        claims, runs, lost = one.counts["claims"], one.counts["finished"] + one.counts["failed"], missed(one.counts)
        held = f"{len(claims) - len(lost)} of {len(claims)}"
        ended = Cell(str(runs), "", [unended([one])] if one.counts["failed"] else [])
        cells = (of_chapter(one, changed), ended, held, ", ".join(lost))
        before = [of["missed"] for of in one.counts["earlier"]]
        rows.append(row(not lost, *cells, Cell(_of(before), "", [_missed(of) for of in before if of])))
    every = sum(len(one.counts["claims"]) for one in found)
    wrong = sum(len(missed(one.counts)) for one in found)
    earlier = [of["missed"] for one in found for of in one.counts["earlier"]]
    after = f"{len({id for of in earlier for id in of})} claims missed a seed, and code was changed after it"
    sums = (ALL, "", f"{every - wrong} of {every}", str(wrong))
    rows.append(row(not wrong, *sums, Cell(_of(earlier), "b", [after, dated(found)])))
    return [Table(("chapter", "seeds", "held on all", "did not", "earlier code that missed a seed"), rows)]


def _of(earlier: Sequence[Mapping[str, object]]) -> str:
    """How many of some earlier versions of the code missed a seed."""
    return f"{sum(map(bool, earlier))} of {len(earlier)}"


def _missed(claims: Mapping[str, Mapping[str, int]]) -> str:
    """What missed a seed of one code, by the claims' names."""
    return ", ".join(f"{id.partition('.')[2]} {min(of['held'], of['controls'])}" for id, of in claims.items())


def _off_default(found: Sequence[Finding], changed: Collection[str], stated: Mapping[str, int]) -> list[Table]:
    """For each chapter its runs that were in order, the values outside its ranges or refused, and what was neither."""
    rows = []
    for one in found:
        wrong = Cell(str(len(one.failed)), "b", one.failed)
        rows.append(row(not one.failed, of_chapter(one, changed), *(str(one.counts[end]) for end in IN_ORDER), wrong))
    sums = (str(sum(one.counts[end] for one in found)) for end in IN_ORDER)
    wrong_of_all = sum(len(one.failed) for one in found)
    rows.append(row(wrong_of_all == 0, ALL, *sums, count(wrong_of_all)))
    return [Table(("chapter", "all claims hold", "outside the declared range", "refused", "a claim fails"), rows)]


def _paper(found: Sequence[Finding], changed: Collection[str], stated: Mapping[str, int]) -> list[Table]:
    """For each chapter at the paper's scale its claims, and what it needs; then all claims that it should have."""
    rows, expected = [], expected_of(found, stated)
    for one in found:
        of = one.counts
        held = f"{'none compared' if did_not_end(one) else of['held']} of {expected[one.chapter]}"
        memory = f"{of['megabytes']:,} MB" if of["megabytes"] else "not measured"
        cells = (Cell(held, "", one.failed), f"{of['seconds']:,} s", memory)
        rows.append(row(not one.failed, of_chapter(one, changed), *cells))
    untried = [chapter for chapter in stated if all(one.chapter != chapter for one in found)]
    rows += [row(False, Cell(name, "code"), Cell(f"0 of {stated[name]}", "", [NOT_RUN]), "", "") for name in untried]
    lost = sum(map(did_not_end, found))
    held_of_all, seconds = (sum(one.counts[name] for one in found) for name in ("held", "seconds"))
    largest = max(one.counts["megabytes"] for one in found)
    all_claims = Cell(
        f"{held_of_all} of {sum(expected.values())}", "", [not_run(found, len(untried))] * bool(lost or untried)
    )
    good = not lost and not untried and not any(one.failed for one in found)
    rows.append(row(good, ALL, all_claims, f"{seconds:,} s", f"{largest:,} MB at most"))
    return [Table(("chapter", "claims that hold", "time", "memory of its kernel"), rows)]


def _attacks(found: Sequence[Finding], changed: Collection[str], stated: Mapping[str, int]) -> list[Table]:
    """A row for each class of attacks and one for all."""
    classes = found[0].counts["classes"].values()
    sums = {name: sum(one[name] for one in classes) for name in ("cases", "good", "bad")}
    rows = [
        row(one["bad"] == 0, name, f"{one['cases']:,}", f"{one['good']:,}", count(one["bad"]))
        for name, one in [*((one["meaning"], one) for one in classes), (ALL, sums)]
    ]
    return [Table(("attack", "cases", "ended well", "did not"), rows)]


def _pages(found: Sequence[Finding], changed: Collection[str], stated: Mapping[str, int]) -> list[Table]:
    """How many pages were opened at each width and mode."""
    of = found[0].counts
    rows = [row(True, how, str(times)) for how, times in of["readings"].items()]
    rows.append(row(True, Cell(f"different pages, in {of['browser']}", "b"), str(of["pages"])))
    rows.append(row(True, Cell("tests that all of them passed", "b"), str(len(of["checks"]))))
    return [Table(("screen", "pages opened"), rows)]


TABLES = {
    "attacks": _attacks,
    "benchmarks": benchmarks,
    "mutants": mutants,
    "off_default": _off_default,
    "pages": _pages,
    "paper": _paper,
    "seeds": _seeds,
    "spoiled": spoiled,
}
