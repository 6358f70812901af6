"""What all campaigns together say, in five lines: tried, caught by a claim, caught otherwise, excused, open."""

from collections.abc import Iterable, Mapping, Sequence

from docutils import nodes

from reproduce.campaigns.finding import Finding
from reproduce.campaigns.impossible import missed
from reproduce.pages.mutant_tables import silent, summed
from reproduce.pages.pieces import listed

Findings = Mapping[str, Sequence[Finding]]


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


def not_run(lost: int, untried: int) -> str:
    """How many chapters did not end, and how many were not tried, in words."""
    ends, tried = ("chapter" if lost == 1 else "chapters"), ("was" if untried == 1 else "were")
    return f"{lost} {ends} did not end and {untried} {tried} not tried"


def unended(found: Iterable[Finding]) -> str:
    """How many runs on fresh seeds stopped at an error, in words."""
    failed = sum(one.counts["failed"] for one in found)
    return f"{failed} {'run' if failed == 1 else 'runs'} did not end"


def summary(found: Findings, stated: Mapping[str, int]) -> nodes.bullet_list:
    """The five lines of ``five_lines``, as a list."""
    return listed([[nodes.strong("", head), nodes.Text(f": {said}.")] for head, said in five_lines(found, stated)])


def five_lines(found: Findings, stated: Mapping[str, int]) -> list[tuple[str, str]]:
    """The head of each line, and what it says.

    found: the findings of each campaign; one that was not run is left out.
    stated: how many claims each chapter has now.
    """
    lines = {head: list[str]() for head in ("Tried", "Caught by a claim", "Caught otherwise", "Excused", "Open")}
    for campaign, add in (("mutants", _mutants), ("spoiled", _spoiled), ("attacks", _attacks), ("seeds", _seeds),
                          ("off_default", _off_default), ("paper", _paper)):  # fmt: skip
        if found[campaign]:
            for head, said in add(found[campaign], stated).items():
                lines[head].append(said)
    return [(head, "; ".join(said) or "nothing yet") for head, said in lines.items()]


def _mutants(found: Sequence[Finding], stated: Mapping[str, int]) -> dict[str, str]:
    sums = summed(ends for one in found for ends in one.counts.values())
    size, effect = silent(sums), sums["no_effect"]
    apart = ", where those without any effect are counted in" if effect is None else ""
    refusals = "" if sums["refused"] is None else f"{sums['refused']:,} by a refusal of the book's own code, "
    kind = "by an error (by which, was not recorded)" if sums["refused"] is None else "by another error"
    whole = summed(ends for one in found if not one.chapter for ends in one.counts.values())
    drawn = f" (of the library {whole['made']:,} are drawn, of {whole['possible']:,})" if whole["made"] else ""
    kinds = sorted({kind for one in found for kind, ends in one.counts.items() if ends["surviving"]})
    left = f" (of the kind {'; '.join(kinds)})" if kinds else ""
    reasons = "have a reason, or no effect (not recorded apart)" if effect is None else "have a person's reason"
    return {
        "Tried": f"{sums['made']:,} changes of the code, in {sums['possible']:,} places{drawn}",
        "Caught by a claim": f"{sums['red']:,} of the {size:,} changes that raised no error{apart}",
        "Caught otherwise": f"{sums['held_by_tests']:,} changes by a test of the library, {refusals}"
        f"{sums['stopped']:,} {kind}",
        "Excused": f"{sums['along']:,} changes move theory and measurement alike, {sums['excused']:,} {reasons}",
        "Open": f"{sums['surviving']:,} changes that nothing noticed{left}",
    }


def _spoiled(found: Sequence[Finding], stated: Mapping[str, int]) -> dict[str, str]:
    ways = [(way, of) for one in found for way, of in one.counts.items()]
    names = ("claims", "refused", "idle", "passed")
    sums, wide = (
        {name: sum(of[name] for _, of in ways if of["must"] is must) for name in names} for must in (True, False)
    )
    passed, each = (
        {way: sum(of[name] for one, of in ways if one == way) for way, of in ways if not of["must"]}
        for name in ("passed", "claims")
    )
    unseen = "".join(f"; {way}, which nothing notices for {of:,} of {each[way]:,} claims" for way, of in passed.items())
    return {
        "Tried": f"{sums['claims']:,} claims with a spoiled theory, {wide['claims']:,} with a tolerance too wide",
        "Caught by a claim": f"{sums['refused']:,} spoiled theories, {wide['refused']:,} tolerances",
        "Caught otherwise": f"{wide['idle']:,} tolerances by fresh seeds",
        "Excused": f"{sums['claims'] - sums['refused'] - sums['passed']:,} spoiled theories",
        "Open": f"{sums['passed']:,} spoiled theories{unseen}",
    }


def _attacks(found: Sequence[Finding], stated: Mapping[str, int]) -> dict[str, str]:
    classes = [of for one in found for of in one.counts["classes"].values()]
    cases, bad = (sum(of[name] for of in classes) for name in ("cases", "bad"))
    return {"Tried": f"{cases:,} attacks", "Caught otherwise": f"{cases - bad:,} attacks", "Open": f"{bad:,} attacks"}


def _seeds(found: Sequence[Finding], stated: Mapping[str, int]) -> dict[str, str]:
    claims, wrong = sum(len(one.counts["claims"]) for one in found), sum(len(missed(one.counts)) for one in found)
    before = [of["missed"] for one in found for of in one.counts["earlier"]]
    tries = f"of {len(before)} earlier versions of a chapter's code {sum(map(bool, before))} missed some"
    tries += f", {len({id for of in before for id in of})} claims in all, and code was changed after it"
    lost = f"{wrong:,} claims on the seeds of the last code that was run, where {unended(found)} ({tries})"
    return {"Tried": f"{claims:,} claims on fresh seeds", "Open": lost}


def _off_default(found: Sequence[Finding], stated: Mapping[str, int]) -> dict[str, str]:
    tried, bad = sum(sum(one.counts.values()) for one in found), sum(len(one.failed) for one in found)
    outside, refused = (sum(one.counts[end] for one in found) for end in ("outside", "refused"))
    return {
        "Tried": f"{tried + bad:,} values off the defaults",
        "Excused": f"{outside:,} values outside the range that a chapter declares and {refused:,} that it refuses",
        "Open": f"{bad:,} values",
    }


def _paper(found: Sequence[Finding], stated: Mapping[str, int]) -> dict[str, str]:
    expected, lost = expected_of(found, stated), sum(map(did_not_end, found))
    tried, held = (sum(one.counts[of] for one in found) for of in ("claims", "held"))
    every = sum(expected.values())
    return {
        "Tried": f"{tried:,} of {every:,} claims at the paper's scale",
        "Open": f"{every - held:,} claims at the paper's scale, where {not_run(lost, len(expected) - len(found))}",
    }
