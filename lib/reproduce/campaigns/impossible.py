"""What in a campaign's counts cannot be: sums that do not add up, more than there is, seeds of other code."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from reproduce.campaigns import MOST_SEEDS

RANGE = 2**32  # every chapter takes the seeds below it
MUTANT_ENDS = ("red", "refused", "stopped", "held_by_tests", "along", "no_effect", "excused", "surviving")
SPOILED_ENDS = ("refused", "same", "own", "listed", "idle", "passed")


def first_seed(code: str) -> int:
    """The first of a chapter's fresh seeds: digits of the hash of its code, so that nobody chose them."""
    return int(code[:8], 16) % (RANGE - MOST_SEEDS)


def impossible(campaign: str, code: str, counts: Mapping[str, Any], failed: Sequence[str]) -> Iterator[str]:
    """Sentences on what cannot be; none where all of it may be.

    campaign: which one.
    code: the hash of what was tried.
    counts, failed: as of a finding, of the campaign's shape.
    """
    if campaign == "seeds":
        yield from _seeds(code, counts, failed)
    elif campaign in OTHERS:
        yield from OTHERS[campaign](counts, failed)


def missed(counts: Mapping[str, Any]) -> dict[str, Mapping[str, int]]:
    """By their ids the claims that did not hold in every run that came to them, or whose control did not fail."""
    return {id: of for id, of in counts["claims"].items() if not of["held"] == of["controls"] == of["runs"]}


def _mutants(counts: Mapping[str, Any], failed: Sequence[str]) -> Iterator[str]:
    for kind, of in counts.items():
        yield from _adds_up(kind, of["made"], "made", [of[end] or 0 for end in MUTANT_ENDS])
        if of["made"] > of["possible"]:
            yield f"{kind}: {of['made']} were made, of {of['possible']} places"
    surviving = sum(of["surviving"] for of in counts.values())
    if len(failed) > surviving:
        yield f"{len(failed)} changes are named that survive, of {surviving}"


def _spoiled(counts: Mapping[str, Any], failed: Sequence[str]) -> Iterator[str]:
    for way, of in counts.items():
        yield from _adds_up(way, of["claims"], "claims", [of[end] for end in SPOILED_ENDS])
    held = sum(of["passed"] for of in counts.values() if of["must"])
    if len(failed) != held:
        yield f"{held} spoiled claims hold, and {len(failed)} are named"


def _attacks(counts: Mapping[str, Any], failed: Sequence[str]) -> Iterator[str]:
    for name, of in counts["classes"].items():
        yield from _adds_up(name, of["cases"], "cases", [of["good"], of["bad"]])
    kills = sum(number for hit in counts["kills"].values() for number in hit.values())
    cases = counts["classes"].get("kills", {"cases": 0})["cases"]
    if kills > cases:
        yield f"{kills} signals were sent, in {cases} cases"
    bad = sum(of["bad"] for of in counts["classes"].values())
    named = [reason.partition(" × ")[0] for reason in failed]
    if not all(map(str.isdecimal, named)) or sum(map(int, named)) != bad:
        yield f"{bad} cases are bad, and other ones are named"


def _pages(counts: Mapping[str, Any], failed: Sequence[str]) -> Iterator[str]:
    opened = sum(counts["readings"].values())
    if not 0 < counts["pages"] <= opened:
        yield f"{counts['pages']} pages were read, by opening {opened}"


def _paper(counts: Mapping[str, Any], failed: Sequence[str]) -> Iterator[str]:
    lost = sum(" " not in one for one in failed)  # the ids of claims; any other reason is a sentence
    yield from _adds_up("at the paper's scale", counts["claims"], "claims", [counts["held"], lost])
    if not counts["claims"] and not failed:
        yield "it has no claim, and did not fail"


def _seeds(code: str, counts: Mapping[str, Any], failed: Sequence[str]) -> Iterator[str]:
    first, last, claims = counts["first_seed"], counts["last_seed"], counts["claims"]
    seeds = last - first + 1
    if not 0 < seeds <= MOST_SEEDS or counts["finished"] + counts["failed"] != seeds:
        yield f"{counts['finished']} runs finished and {counts['failed']} failed, of {seeds} seeds"
    try:
        expected = first_seed(code)
    except ValueError:
        yield f"its code {code} is no hash"
    else:
        if first != expected:
            yield f"its first seed is {first}; that of its code is {expected}"
    for id, of in claims.items():
        # A run that failed has the claims before the cell at which it stopped.
        if not (max(of["held"], of["controls"], counts["finished"]) <= of["runs"] <= seeds):
            yield f"{id}: held in {of['held']} and controls failed in {of['controls']}, of {of['runs']} runs"
        if not first <= of["at"] <= last:
            yield f"{id}: the worst seed {of['at']} is none of its seeds"
        if of["held"] == of["runs"] and of["worst"] > 1:
            yield f"{id}: the worst error is {of['worst']:g} of its tolerance, yet it held in {of['held']} runs"
    lost = {*missed(counts)}
    named = {one.partition(": ")[0] for one in failed if ": " in one}
    if lost != named or bool(counts["failed"]) != any(": " not in one for one in failed):
        yield f"failed is {', '.join(sorted(lost)) or 'nothing'}, but named is {'; '.join(failed) or 'nothing'}"
    tried = [(code, first), *((one["code"], one["first_seed"]) for one in counts["earlier"])]
    if len(set(tried)) < len(tried):
        yield "the same seeds of the same code are told twice"
    for one in counts["earlier"]:
        runs = one["last_seed"] - one["first_seed"] + 1
        most = max((number for of in one["missed"].values() for number in of.values()), default=0)
        if one["finished"] + one["failed"] != runs or most > runs:
            yield f"its earlier code {one['code']} cannot have had these runs"


def _adds_up(what: str, whole: int, named: str, parts: Iterable[int]) -> Iterator[str]:
    if (total := sum(parts)) != whole:
        yield f"{what}: {whole} {named}, but {total} by how they ended"


OTHERS = {"attacks": _attacks, "mutants": _mutants, "pages": _pages, "paper": _paper, "spoiled": _spoiled}
