"""The benchmarks, each group as a table: times, errors and ratios, with what to know before comparing them."""

from reproduce.campaigns.benchmarks import Group, Timing, groups_of
from reproduce.campaigns.finding import Finding
from reproduce.pages.plain_tables import Cell, Row, Table, row
from reproduce.pages.quantities import in_print

COLUMNS = ("seconds", "spread", "rounds", "reached", "times faster")


def benchmark_tables(found: Finding) -> list[Table]:
    """A table for each group, slowest method first; the ratios are to the fastest method that is not the library's."""
    timed = [
        Table((_heading(group), *COLUMNS), [_row(group, one) for one in group.timings]) for group in groups_of(found)
    ]
    load = found.counts["load"]
    loaded = [row(True, f"{load['before']:g}", f"{load['after']:g}")]
    return [*timed, Table(("processes that wanted a core before", "and after"), loaded)]


def _heading(group: Group) -> str:
    """The problem, and which errors are alike."""
    return f"{group.name}; errors to {in_print(group.matched)}" if group.matched else group.name


def _row(group: Group, one: Timing) -> Row:
    """One method; a plain one that is not to be compared as it stands says why."""
    ratio, times = group.ratio(one), group.unlike(one)
    unlike = [f"its error is {in_print(times)} times the library's: no ratio is given"] if times else []
    method = Cell(one.method, "" if one.plain else "b", [note for note in [one.caution, *unlike] if note])
    cells = (in_print(one.seconds, 3), in_print(one.spread) if one.rounds > 1 else "", str(one.rounds), one.reached)
    return row(True, method, *cells, "" if ratio is None else in_print(ratio))
