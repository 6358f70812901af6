"""``python -m attacks``: a campaign, gone on with where it was stopped; ``make attack`` calls it."""

import argparse
import os
import secrets
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from attacks.bounds import BOUNDS
from attacks.calls import CALLS
from attacks.case import Class, Outcome
from attacks.clusters import CLUSTERS
from attacks.digits import DIGITS
from attacks.files import FILES
from attacks.hard import HARD
from attacks.kills import KILLS, POISON
from attacks.optima import OPTIMA
from attacks.pages import PAGES
from attacks.parameters import PARAMETERS
from attacks.record import FIXED, Log, Plan, code_of
from attacks.runner import Runner
from attacks.tampering import TAMPERING
from reproduce.campaigns.finding import Finding, finding, write_finding
from reproduce.chapters.book import Book

ROOT = Path(__file__).parents[2]
CLASSES = (PARAMETERS, FILES, KILLS, POISON, CLUSTERS, TAMPERING, PAGES, CALLS, OPTIMA, BOUNDS, HARD, DIGITS)
# Parts of the cases; the kills have a number of their own. A case of a cluster takes seconds, a call milliseconds.
PARTS = {
    "parameters": 0.18,
    "files": 0.12,
    "poison": 0.01,
    "clusters": 0.01,
    "tampering": 0.1,
    "pages": 0.08,
    "calls": 0.25,
    "optima": 0.08,
    "bounds": 0.05,
    "hard": 0.08,
    "digits": 0.04,
}
CASES, CASES_OF_KILLS = 3000, 100
MOST_SHOWN = 12


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Run a campaign; 0 if every outcome is good, 1 if one is not, 130 after Ctrl-C."""
    given = _parser().parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):  # what is told to stop keeps what it has, as after Ctrl-C
        signal.signal(number, signal.default_int_handler)
    if given.case:
        return _again(given.case)
    counts = _counts(given.cases, given.kills, given.classes)
    log = Log(given.folder)
    code, last = code_of(ROOT), log.unfinished()
    drawn = given.seed if given.seed is not None else secrets.randbelow(2**32)
    same = last is not None and (last.counts, last.code) == (counts, code) and given.seed in (None, last.drawn)
    plan = last if last is not None and same else Plan(drawn, counts, code)
    if not same:
        log.begin(plan)
    print(
        f"{plan.size} cases, seeds {FIXED} and {plan.drawn}; {len(log.outcomes())} of them are there already",
        flush=True,
    )
    known = {one.id for one in log.outcomes()}
    runner, stopped = Runner(), False
    try:
        for case in plan.cases(CLASSES):
            if case.id not in known:
                known.add(case.id)
                outcome = runner.run(case)
                log.add(outcome)
                _say(outcome, len(known), plan.size)
    except KeyboardInterrupt:
        stopped = True
        print("interrupted; the same command goes on from here", file=sys.stderr)
    finally:
        runner.close()
    outcomes = log.outcomes()
    print(table(outcomes))
    if stopped:
        return 130
    if given.write:
        write_finding(ROOT, summary(plan, outcomes))
        print("written: evidence/records/attacks")
    return 0 if all(one.good for one in outcomes) else 1


def summary(plan: Plan, outcomes: Sequence[Outcome]) -> Finding:
    """The counts of a campaign: its seeds, the seconds of all cases, files damaged, kills by signal, cases by class."""
    kills: dict[str, dict[str, int]] = {}
    for one in outcomes:
        if "signal" in one.notes:
            of_signal = kills.setdefault(one.notes["signal"], {})
            of_signal[one.notes["target"]] = of_signal.get(one.notes["target"], 0) + 1
    counts = {
        "seeds": [FIXED, plan.drawn],
        "seconds": round(sum(one.seconds for one in outcomes)),
        "damaged": sum(one.notes.get("damaged", 0) for one in outcomes),
        "kills": {name: dict(sorted(kills[name].items())) for name in sorted(kills)},
        "classes": {
            one.name: {"meaning": one.meaning, "cases": len(of), "good": good, "bad": len(of) - good}
            for one in CLASSES
            if (of := [outcome for outcome in outcomes if outcome.klass == one.name])
            for good in [sum(outcome.good for outcome in of)]
        },
    }
    failed = [f"{count} × {reason}" for reason, count in _reasons(outcomes).most_common()]
    return finding(Book(ROOT), "attacks", None, counts, failed)


def table(outcomes: Sequence[Outcome]) -> str:
    """Cases, good and bad by class, then the reasons of the bad ones."""
    lines = [f"{'class':12} {'cases':>6} {'good':>6} {'bad':>5} {'seconds':>8}"]
    for one in CLASSES:
        of = [outcome for outcome in outcomes if outcome.klass == one.name]
        if of:
            good = sum(outcome.good for outcome in of)
            lines.append(f"{one.name:12} {len(of):6} {good:6} {len(of) - good:5} {sum(o.seconds for o in of):8.0f}")
    good = sum(outcome.good for outcome in outcomes)
    lines.append(
        f"{'all':12} {len(outcomes):6} {good:6} {len(outcomes) - good:5} {sum(o.seconds for o in outcomes):8.0f}"
    )
    reasons = _reasons(outcomes)
    lines += [f"{count:4} × {reason}" for reason, count in reasons.most_common(MOST_SHOWN)]
    if len(reasons) > MOST_SHOWN:
        lines.append(f"     and {len(reasons) - MOST_SHOWN} other reasons, in _build/attack/cases.jsonl")
    return "\n".join(lines)


def _reasons(outcomes: Sequence[Outcome]) -> "Counter[str]":
    return Counter(f"{one.klass}.{one.attack}: {one.reason}" for one in outcomes if not one.good)


def _counts(cases: int, kills: int, names: "list[str] | None") -> dict[str, int]:
    """How many cases each class has."""
    chosen = names or [one.name for one in CLASSES]
    whole = sum(PARTS.get(name, 0) for name in chosen) or 1.0
    counts = {name: round(cases * PARTS[name] / whole) for name in chosen if name in PARTS}
    if "kills" in chosen:
        counts["kills"] = kills
    return {one.name: counts[one.name] for one in CLASSES if counts.get(one.name)}


def _say(outcome: Outcome, done: int, of: int) -> None:
    """A line for each bad case, and now and then how far it is."""
    if not outcome.good:
        print(f"✗ {outcome.id} {outcome.attack}: {outcome.reason}", flush=True)
    elif done % 250 == 0:
        print(f"{done} of {of}", flush=True)


def find(id: str) -> "tuple[Class, int, int]":
    """The class, seed and number in a case's id."""
    name, seed, number = id.rsplit("-", 2)
    (klass,) = (one for one in CLASSES if one.name == name)
    return klass, int(seed), int(number)


def _again(id: str) -> int:
    """Run one case again and say what came of it."""
    try:
        klass, seed, number = find(id)
    except ValueError:
        print(f"error: {id!r} is not the id of a case, such as {CALLS.name}-0-12", file=sys.stderr)
        return 2
    runner, begun = Runner(), time.monotonic()
    try:
        outcome = runner.run(klass.case(seed, number))
    finally:
        runner.close()
    print(f"{outcome.id} {outcome.attack} ({outcome.oracle}): {outcome.reason or 'good'}")
    print(f"{time.monotonic() - begun:.1f} s {outcome.notes}")
    return 0 if outcome.good else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m attacks", description="Try to break the press and the library.")
    parser.add_argument("--cases", type=int, default=CASES, help="cases besides the kills (%(default)s)")
    parser.add_argument(
        "--kills", type=int, default=CASES_OF_KILLS, help="cases of a signal at a random moment (%(default)s)"
    )
    parser.add_argument("--classes", nargs="+", choices=[one.name for one in CLASSES], help="some classes only")
    parser.add_argument("--seed", type=int, help="the second seed, which is drawn anew for each campaign by default")
    parser.add_argument("--case", metavar="ID", help="run one case again")
    parser.add_argument("--folder", type=Path, default=ROOT / "_build/attack", help=argparse.SUPPRESS)
    parser.add_argument("--no-write", dest="write", action="store_false", help="leave the record as it is")
    return parser


if __name__ == "__main__":
    os.environ.setdefault("MPLBACKEND", "Agg")
    sys.exit(main())
