"""The campaign of attacks: a sample of it, and that it reports what it is there to report."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import implicit_bias
from attacks.__main__ import CLASSES, _counts, summary, table
from attacks.case import SECONDS, Attack, Bad, Case, Class, Outcome, demand
from attacks.recipes import RECIPES, callable_of, left_out, public
from attacks.record import Log, Plan
from attacks.runner import Runner
from attacks.stage import Stage
from reproduce.campaigns.finding import read_finding, write_finding

LIBRARY = Path(implicit_bias.__path__[0])
SAMPLE = {
    "parameters": 16,
    "files": 10,
    "tampering": 10,
    "pages": 8,
    "calls": 16,
    "optima": 32,
    "bounds": 24,
    "hard": 24,
    "digits": 16,
}


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    one = Runner()
    yield one
    one.close()


def staged(runner: Runner, run: Any, *, limit: float = 60.0) -> Outcome:
    """The outcome of an attack that a test makes up."""
    return runner.run(Case("made-0-0", Attack("made", run.__name__, "it is noticed", run, limit=limit)))


def traceback(args: list[str]) -> None:
    raise ZeroDivisionError("of a press that was spoiled")


def several_lines(args: list[str]) -> None:
    sys.stderr.write("error: one\nand another\n")
    sys.exit(2)


def says_nothing(args: list[str]) -> None:
    sys.exit(2)


def leaves_a_process(args: list[str]) -> None:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)


def changes_a_foreign_file(args: list[str]) -> None:
    Path("../foreign/file 1.txt").write_text("mine now")


def changes_the_book(args: list[str]) -> None:
    Path("chapters/sums/geometric.py").write_text("")


def leaves_scratch(args: list[str]) -> None:
    Path("_build/.running-x").mkdir(parents=True)


def leaves_a_temporary_file(args: list[str]) -> None:
    (Path(os.environ["TMPDIR"]) / "sweep-x").mkdir()


def another_exit_code(args: list[str]) -> None:
    sys.exit(77)


def hangs(args: list[str]) -> None:
    time.sleep(60)


def behaves(args: list[str]) -> None:
    sys.stderr.write("error: no\n")
    sys.exit(2)


@pytest.mark.parametrize(
    ("press", "reason"),
    [
        (traceback, "a traceback: ZeroDivisionError"),
        (several_lines, "2 lines instead of one"),
        (says_nothing, "exit code 2 without a line that says why"),
        (leaves_a_process, "left running: "),
        (changes_a_foreign_file, "foreign/file 1.txt was changed"),
        (changes_the_book, "a book {with} spaces/chapters/sums/geometric.py was changed"),
        (leaves_scratch, "left behind: "),
        (leaves_a_temporary_file, "left in the temporary folder: sweep-x"),
        (another_exit_code, "exit code 77"),
        (hangs, "no end after 1 s"),
        (behaves, ""),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_a_press_that_misbehaves_is_found_out(runner: Runner, press: Any, reason: str) -> None:
    def attack(stage: Stage, rng: Random) -> None:
        stage.judge(stage.call("ledger", main=press, limit=1 if press is hangs else 20))

    found = staged(runner, attack).reason
    assert found.startswith(reason) if reason else found == "", found


def test_an_attack_that_hangs_dies_or_fails_itself_is_bad(runner: Runner) -> None:
    def sleeps(stage: Stage, rng: Random) -> None:
        time.sleep(60)

    def dies(stage: Stage, rng: Random) -> None:
        os._exit(3)

    def is_wrong(stage: Stage, rng: Random) -> None:
        raise KeyError("x")

    assert staged(runner, sleeps, limit=0.5).reason == "no answer in 0.5 s"
    assert staged(runner, dies).reason == "the process died, exit code 3"
    assert staged(runner, is_wrong).reason.startswith("the attack itself failed at test_attacks.py")


@pytest.mark.parametrize("one", [one for one in CLASSES if one.name in SAMPLE], ids=lambda one: one.name)
def test_a_sample_of_the_attacks_ends_well(runner: Runner, one: Class) -> None:
    cases = [one.case(0, number) for number in range(3 * SAMPLE[one.name])]
    # Those that may take longer have processes of their own, a kernel or a cluster: the whole campaign has them.
    quick = [case for case in cases if case.attack.limit <= SECONDS][: SAMPLE[one.name]]
    bad = [f"{case.id}: {found.reason}" for case in quick if not (found := runner.run(case)).good]
    assert bad == []


def test_every_public_function_of_the_library_is_attacked_or_left_out_with_a_reason() -> None:
    assert [address for address in public() if (address in RECIPES) == left_out(address)] == []
    assert [address for address in RECIPES if callable_of(address) is None] == []
    said = sum(path.read_text(encoding="utf-8").count("# attack:") for path in LIBRARY.rglob("*.py"))
    assert said == sum(map(left_out, public()))  # no comment that excuses nothing


def test_a_case_is_made_again_from_its_id() -> None:
    (one,) = (one for one in CLASSES if one.name == "calls")
    first, second = one.case(5, 7), one.case(5, 7)
    assert (first, first.generator.random()) == (second, second.generator.random())
    assert first.generator.random() != one.case(6, 7).generator.random()


def test_the_attacks_of_a_class_take_turns() -> None:
    one = Class("made", "made up")
    one.attack("x", weight=2)(lambda stage, rng: None)
    one.attack("y")(lambda stage, rng: None)
    assert [one.case(0, number).attack.oracle for number in range(4)] == ["x", "y", "x", "x"]


def test_a_campaign_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    log, plan = Log(tmp_path / "attack"), Plan(7, {"calls": 4, "pages": 2}, "code")
    log.begin(plan)
    assert log.unfinished() == plan
    cases = list(plan.cases(CLASSES))
    assert sorted(case.id for case in cases) == [
        "calls-0-0", "calls-0-1", "calls-7-0", "calls-7-1", "pages-0-0", "pages-7-0"]  # fmt: skip
    for case in cases[:-1]:
        log.add(Outcome(case.id, case.attack.klass, "made", "x", "", 0.1))
    with log.lines_file.open("a") as file:
        file.write('{"id": "cut')
    assert (len(log.outcomes()), log.unfinished()) == (5, plan)
    log.add(Outcome(cases[-1].id, "pages", "made", "x", "bad", 0.1))
    log.add(Outcome(cases[-1].id, "pages", "made", "x", "bad", 0.1))
    assert log.unfinished() is None


def test_the_summary_counts_by_class_and_kills_by_signal_and_target(tmp_path: Path) -> None:
    outcomes = [
        Outcome("calls-0-0", "calls", "a", "x", "", 1.0),
        Outcome("calls-0-1", "calls", "a", "x", "wrong", 1.0, {"damaged": 1}),
        Outcome("kills-0-0", "kills", "kill", "x", "", 1.0, {"signal": "INT", "target": "client"}),
        Outcome("kills-0-1", "kills", "kill", "x", "", 1.0, {"signal": "INT", "target": "kernel"}),
    ]
    found = summary(Plan(7, {"calls": 2, "kills": 2}, "code"), outcomes)
    counts = found.counts
    assert {name: (one["cases"], one["good"], one["bad"]) for name, one in counts["classes"].items()} == {
        "kills": (2, 2, 0),
        "calls": (2, 1, 1),
    }
    assert counts["kills"] == {"INT": {"client": 1, "kernel": 1}}
    assert (counts["damaged"], found.failed, counts["seeds"]) == (1, ["1 × calls.a: wrong"], [0, 7])
    assert "calls.a: wrong" in table(outcomes)
    write_finding(tmp_path, found)
    assert read_finding(tmp_path, "attacks") == found


def test_the_cases_are_shared_among_the_classes() -> None:
    counts = _counts(3000, 100, None)
    assert counts["kills"] == 100
    assert abs(sum(counts.values()) - 3100) <= 4
    assert _counts(50, 5, ["calls"]) == {"calls": 50}


def test_demand_raises_with_its_reason() -> None:
    demand(True, "x")
    with pytest.raises(Bad, match="the reason"):
        demand(False, "the reason")
