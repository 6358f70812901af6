"""What became of changes of the code and of spoiled claims, as tables; first what a claim caught of silent changes."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from reproduce.campaigns.finding import Finding
from reproduce.campaigns.impossible import MUTANT_ENDS
from reproduce.pages.codes import ALL
from reproduce.pages.pieces import drawn
from reproduce.pages.tables import Cell, Row, Table, count, row

NOT_RECORDED = "not recorded"
# What a change that raised no error came to, and what became of the others.
SILENT = {
    "red": "noticed by a claim",
    "held_by_tests": "noticed by a test of the library",
    "along": "theory moves along",
    "excused": "excused by a person",
    "surviving": "not noticed",
}
LOUD = {
    "refused": "stopped by a certificate or another refusal",
    "stopped": "stopped by another error",
    "no_effect": "no effect",
}
SPOILED = {
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


def summed(counted: Iterable[Mapping[str, int | None]]) -> dict[str, int | None]:
    """The sums over some kinds of mutants; None of what one of them does not tell apart."""
    listed = list(counted)
    columns = {name: [one[name] for one in listed] for name in ("possible", "made", *MUTANT_ENDS)}
    return {name: None if None in of else sum(filter(None, of)) for name, of in columns.items()}


def silent(sums: Mapping[str, int | None]) -> int:
    """How many changes raised no error and were not seen to have no effect."""
    return sum(sums[end] or 0 for end in SILENT)


def mutants(found: Sequence[Finding], changed: Collection[str], stated: Mapping[str, int]) -> list[Table]:
    """What became of all changes; for each kind what changed a number silently, then the rest."""
    every = [(kind, ends) for one in found for kind, ends in one.counts.items()]
    quiet: list[Row] = []
    others: list[Row] = []
    loud = {end: name for end, name in LOUD.items() if any(ends[end] is not None for _, ends in every)}
    for kind in [*dict.fromkeys(kind for kind, _ in every), ""]:
        sums = summed(ends for of, ends in every if kind in ("", of))
        caught, left, size = sums["red"] or 0, sums["surviving"] or 0, silent(sums)
        reasoned = size - (sums["excused"] or 0)
        share = [] if kind or not reasoned else [f"{caught / size:.0%}; {caught / reasoned:.0%} of those not excused"]
        among = [] if kind or sums["no_effect"] is not None else ["what has no effect is among them"]
        excused = Cell(_number(sums["excused"]), "", among)
        quieter = (_number(sums["held_by_tests"]), _number(sums["along"]), excused)
        claim = Cell(_number(caught), "", share)
        quiet.append(row(left == 0, kind or ALL, _number(size), claim, *quieter, count(left)))
        others.append(row(True, kind or ALL, *(_number(sums[end]) for end in ("possible", "made", *loud))))
    return [
        _became(summed(ends for _, ends in every)),
        Table(("what is changed", "raised no error", *SILENT.values()), quiet),
        Table(("what is changed", "places", "tried", *loud.values()), others),
    ]


def _became(sums: Mapping[str, int | None]) -> Table:
    """What became of all changes that were made, each end as a part of one line."""
    made, before, rows = sums["made"] or 0, 0, []
    for end, name in {**LOUD, **SILENT}.items():
        if number := sums[end] or 0:
            line = drawn("part", (before, number, made - before - number), f"{number / made:.0%} of the changes")
            rows.append(row(True, name, Cell(f"{number:,}", drawn=line)))
            before += number
    return Table(("what became of it", f"of {made:,} changes"), rows)


def spoiled(found: Sequence[Finding], changed: Collection[str], stated: Mapping[str, int]) -> list[Table]:
    """A row for each way to spoil a claim, all chapters together; those that need not be refused in a second table."""
    every = [(way, ends) for one in found for way, ends in one.counts.items()]
    tables = []
    for must, names in SPOILED.items():
        rows = []
        for way in dict.fromkeys(way for way, ends in every if ends["must"] is must):
            sums = [sum(ends[name] for of, ends in every if of == way) for name in names]
            last = count(sums[-1]) if must else f"{sums[-1]:,}"
            rows.append(row(not (must and sums[-1]), way, *(f"{number:,}" for number in sums[:-1]), last))
        tables.append(Table(("what is spoiled", *names.values()), rows))
    return tables


def _number(number: int | None) -> str:
    return NOT_RECORDED if number is None else f"{number:,}"
