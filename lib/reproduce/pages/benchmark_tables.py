"""What the benchmarks measured: a picture with a dot for each problem, how times grow, and a table for each group."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import inf, log10
from statistics import median
from typing import Any

from docutils import nodes

from reproduce.campaigns.benchmarks import BENCHMARKS, WARM, Group, Timing, groups_of
from reproduce.campaigns.finding import Finding
from reproduce.pages.pieces import folded, link, listed, paragraph, raw
from reproduce.pages.quantities import in_print
from reproduce.pages.tables import Cell, Row, Table, row, show
from reproduce.pages.templates import render

PROOF = "what the proof costs: "  # before the names of groups that time a solver and its proof
RAISED = str.maketrans("0123456789.", "⁰¹²³⁴⁵⁶⁷⁸⁹·")
NEAR = 1.1  # times slower or faster: what is less is as fast
DECADES = 2.1  # of the picture's axis, which begins at 0.1
FAMILY = re.compile(r", |: | against | to ")  # what ends the name of a family of problems
PLAIN = {  # what a family's name leaves to be guessed
    "a diagonal network": "diagonal network, authors' settings",
    "both layers": "steps of a wide network",
    "gradient flow": "linear classifier, flow",
    "least l1 norm": "least ℓ₁ norm",
    "linear flow": "linearized network, end",
    "minimizer of Q_k": "diagonal network's penalty",
    "one cell": "diagonal network, tiny start",
    "reduction": "stable rank, steps by width",
    "test loss": "test loss against scale",
}
COUNTED = re.compile(r"\d+ (?:steps|epochs) (?:of|with) (?:the )?")


def benchmarks(found: Sequence[Finding], changed: Collection[str], stated: Mapping[str, int]) -> list[Table]:
    """A table for each group, slowest method first, its ratios to the rival; what proofs cost in one table."""
    timed, proofs = list[Table](), list[Row]()
    for at, group in enumerate(groups_of(found[0])):
        if group.name.startswith(PROOF):
            whole, proof = sorted(group.timings, key=lambda one: one.method == "its proof alone")
            seconds = (in_print(one.seconds, 3) for one in (whole, proof))
            proofs.append(row(True, group.name.removeprefix(PROOF), *seconds, proof.reached, whole.reached))
            continue
        columns = ("method", "seconds", "spread", "rounds", "error" if _matched(group) else "measured instead")
        rows = [_timing(group, one) for one in group.timings]
        timed.append(Table((*columns, "beside the fastest other"), rows, f"{BENCHMARKS}-{at}", _title(group)))
    heads = ("problem", "solver with its proof, seconds", "proof alone, seconds", "share of the proof", "enclosure")
    return [*timed, *([Table(heads, proofs, f"{BENCHMARKS}-proofs", "What the proof costs")] if proofs else [])]


def compared(found: Finding, tables: Sequence[Table], *, on_paper: bool) -> list[nodes.Node]:
    """On how many problems the library is ahead of its rival, and by how much; then its tables, folded.

    found: what was timed.
    tables: those that ``benchmarks`` makes of it.
    on_paper: whether it is printed.
    """
    places = [(of, "" if on_paper else f"#{BENCHMARKS}-{at}") for at, of in enumerate(groups_of(found))]
    ranked = [(ratio, of, place) for group, place in places for of in group.ends() if (ratio := of.best())]
    ranked.sort(key=lambda one: -one[0])
    alone = [link(of.name, to) for of, to in places if not of.best() and not of.name.startswith(PROOF)]
    near = f"{sum(0.5 <= ratio <= 2 for ratio, *_ in ranked)} of {len(ranked)}"
    first = [raw(render("race", lines=_lines([one[:2] for one in ranked]), decades=DECADES, near=near))]
    rows = [row(True, Cell(of.name, address=to), _other(of), _times(one)) for one, of, to in ranked]
    sizes = [_growth(of, to) for of, to in places if len(of.ends()) > 1]
    growth = "growth, ± some tenths"
    heads = ("problem", "sizes", f"library: {growth}", f"other: {growth}", "at the smallest", "at the largest")
    grow = Table(heads, sizes, "", "How times grow, and what the library is at both ends")
    every = Table(("problem", "beside", "the library is"), rows)
    each = [tables] if on_paper else [[one] for one in tables]
    folds = [part for own in each for part in _folded(own[0].title, own, on_paper=on_paper)]
    return [
        *([paragraph(_counts(found, [one[:2] for one in ranked], len(alone))), *first] if ranked else []),
        *(show([grow], "", on_paper=on_paper)[:1] if sizes else []),
        *(_folded("All problems of the picture, fastest first", [every], on_paper=on_paper) if ranked else []),
        *(folded("Groups without a rival", [listed(alone)]) if alone else []),
        *folded("The tables of all groups", folds),
    ]


def _folded(title: str, tables: Sequence[Table], *, on_paper: bool) -> list[nodes.Node]:
    """Tables below their title, which is the fold's; on paper each has its own."""
    if on_paper:
        return show(tables, "", on_paper=True)[:-1]
    return folded(title, show([replace(one, title="") for one in tables], "")[:-1])


def _counts(found: Finding, ranked: Sequence[tuple[float, Group]], alone: int) -> list[nodes.Node]:
    """How often it is decided that the library's fastest method is ahead; how often and by how much it is so far."""
    twice = sum(0.5 <= ratio <= 2 for ratio, _ in ranked)
    said = [
        f"On {twice} of {len(ranked)} problems the library is within a factor of two of the fastest other code that we"
        " timed."
    ]
    exact = [_lead(of) for _, of in ranked if _matched(of)]
    if exact:
        said.append(
            f"Of {len(exact)} problems where errors were compared, the library's fastest method is ahead of the fastest"
            f" other one that we timed on {exact.count(1)} and behind on {exact.count(-1)}."
            f" On {exact.count(0)} the spreads of the rounds leave it open."
        )
    for matched in (True, False):
        near = [(ratio, of.rival()) for ratio, of in ranked if _matched(of) is matched]
        ends = Counter(_times(ratio).rpartition(" ")[2] for ratio, _ in near)
        fair = [ratio for ratio, rival in near if not (rival and rival.caution)] or [ratio for ratio, _ in near]
        weak = [f" ({_times(ratio)} where {rival.caution})" for ratio, rival in near[:1] if rival and ratio > fair[0]]
        if near and matched:
            middle, worst = _times(median(ratio for ratio, _ in near)), _times(near[-1][0])
            said.append(
                f"By the medians, it is faster on {ends['faster']} of {len(near)} problems, as fast on"
                f" {ends['fast']} and slower on {ends['slower']}: in the median {middle}, at best {_times(fair[0])}"
                f"{''.join(weak)}, at worst {worst}."
            )
        elif near:
            said.append(
                f"For {len(near)} further problems, the smallest and largest size of a family, only times were"
                f" compared, not errors: faster on {ends['faster']}, equal on {ends['fast']}, slower on"
                f" {ends['slower']}."
            )
    said.append(f"{alone} groups have no rival and are only timed. Timed on {found.date}.")
    return [nodes.strong("", said[0]), nodes.Text(f" {' '.join(said[1:])}")]


def _lead(of: Group) -> int:
    """1 if the library's fastest method is ahead of the rival by more than their spreads, −1 if behind, 0 if within."""
    low, high = of.reach()
    return 1 if low > 1 else -1 if high < 1 else 0


def _lines(ranked: Sequence[tuple[float, Group]]) -> list[tuple[str, str, list[Any]]]:
    """A line of the picture for each family of problems, that of the best median first: its name, ratios, and dots."""
    families = dict[str, list[tuple[float, Group]]]()
    for ratio, of in ranked:
        families.setdefault(FAMILY.split(COUNTED.sub("", of.name))[0], []).append((ratio, of))
    for name in sorted(families, key=len):  # conic descent on the torus is conic descent
        for longer in [one for one in families if one.startswith(f"{name} ")]:
            families[name] += families.pop(longer)
    lines = []
    for name, found in sorted(families.items(), key=lambda one: -median(ratio for ratio, _ in one[1])):
        ends = dict.fromkeys(in_print(of(ratio for ratio, _ in found)) for of in (min, max))
        lines.append((PLAIN.get(name, name), " to ".join(ends), [_dot(*one) for one in found]))
    return lines


def _along(ratio: float) -> float:
    """How far along the picture's axis a ratio is, from 0 to 1."""
    return min(max(log10(max(ratio, 1e-9)) + 1, 0), DECADES) / DECADES


def _dot(ratio: float, of: Group) -> tuple[float, str, str, str, list[float]]:
    """A problem in the picture: how far along its axis, its classes, its name, the ratio in words, and its spread."""
    matched = _matched(of)  # the spread of a family is that of all its sizes
    kinds = ["behind" if _times(ratio).endswith("slower") else "", "" if matched else "loose"]
    kinds += ["undecided"] * (matched and not _lead(of))
    reach = [_along(one) for one in of.reach()] if matched else []
    return _along(ratio), " ".join(filter(None, kinds)), of.name, _times(ratio), reach


def _growth(group: Group, place: str) -> Row:
    """A family over sizes: its exponents, and the ratio at its smallest and at its largest size, with rivals."""
    small, large = group.ends()
    ours = min((one for one in group.timings if not one.plain), key=lambda one: one.seconds)
    power, other = (_power(one) for one in (ours, large.rival() or ours))
    (letter, least), most = small.name.rpartition(": ")[2].split(" = "), large.name.rpartition(" = ")[2]
    beside = [Cell(_times(of.best()), "", [f"beside {_other(of)}"]) for of in (small, large)]
    about = (Cell(group.name, address=place), f"{letter} = {least} to {most}")
    return row(True, *about, power, Cell(other, "", [_other(large)]), *beside)


def _power(one: Timing) -> str:
    """How its time grows, with one decimal of the exponent: two or three sizes do not give a second one."""
    letter, _, exponent = one.reached.rpartition("like ")[2].partition("^")
    return f"{letter}{f'{float(exponent):.1f}'.translate(RAISED)}" if exponent else letter


def _other(group: Group) -> str:
    """The method that the library stands beside."""
    rival = group.rival()
    return rival.method if rival else ""


def _matched(group: Group) -> bool:
    """Whether errors were compared."""
    return any(one.error is not None for one in group.timings)


def _times(ratio: float) -> str:
    """A ratio in words, 0.4 as 2.5 times slower."""
    times = max(ratio, 1 / ratio)
    return "as fast" if times < NEAR else f"{in_print(times)} times {'faster' if ratio >= 1 else 'slower'}"


def _reached(one: Timing) -> str:
    """An error as other numbers are printed, or what was measured instead, its powers raised."""
    if one.error is not None and re.fullmatch(r"[\d.e+-]+", one.reached):
        return in_print(one.error)
    return re.sub(r"\^([\d.]+)", lambda power: power[1].translate(RAISED), one.reached)


def _title(group: Group) -> str:
    """The problem, and which errors are alike."""
    if not _matched(group) and group.best():
        return f"{group.name}; no error was compared"
    return f"{group.name}; errors to {in_print(group.matched)} are alike" if group.matched else group.name


def _timing(group: Group, one: Timing) -> Row:
    """One method; a plain one that is not to be compared as it stands says why."""
    ratio, times = group.ratio(one), group.unlike(one)
    large = "the library's is 0" if times == inf else f"its error is {in_print(times or 0)} times the library's"
    unlike = [f"{large}: no ratio is given"] if times else []
    unlike += ["it starts from a neighbour's solution: no ratio is given"] * (WARM in one.method)
    ours = not one.plain and any(other.plain for other in group.timings)  # which is beside what is not the library's
    method = Cell(one.method, "b" if ours else "", [note for note in [one.caution, *unlike] if note])
    cells = (in_print(one.seconds, 3), in_print(one.spread) if one.rounds > 1 else "", str(one.rounds), _reached(one))
    return row(True, method, *cells, "" if ratio is None else _times(ratio))
