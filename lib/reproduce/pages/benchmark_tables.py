"""The benchmarks, each group as a table: times, errors and ratios, with what to know before comparing them."""

from reproduce.benchmarks import Benchmarks, Group, Timing
from reproduce.pages.plain_tables import NOT_RUN, Cell, Row, Table, origin, row, show
from reproduce.pages.quantities import in_print

COLUMNS = ("seconds", "spread", "rounds", "reached", "times faster")


def benchmark_tables(found: Benchmarks | None) -> str:
    """A table for each group, slowest method first; the ratios are to the fastest method that is not the library's."""
    if found is None:
        return show([], NOT_RUN)
    load = " and ".join(f"{one:g}" for one in found.load)
    told = f"{origin(found.date, found.commit)}; {found.machine}; load {load} before and after; {found.versions}"
    return show(
        [Table((_heading(group), *COLUMNS), [_row(group, one) for one in group.timings]) for group in found.groups],
        told,
    )


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
