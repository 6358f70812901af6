"""Of each campaign one finding, drawn by the commit, is made again: what was kept of the code as it stands comes out.

``make release`` ends with it. What is of older code is not made again, nor what takes too long (``SECONDS``, ``MOST``).
"""

import contextlib
import json
import os
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from mutants import campaign, checks
from mutants.claim_excuses import excused
from mutants.counts import of_mutants, of_spoiled
from mutants.spoiled import WAYS

from reproduce.campaigns import off_default, paper
from reproduce.campaigns.finding import is_current, read_findings
from reproduce.campaigns.seeds import SEED, SEEDS
from reproduce.chapters import parameters
from reproduce.chapters.book import Book
from reproduce.running.environment import commit_of
from reproduce.running.run import run
from reproduce.sweep.summary import used

BOOK = Book(Path(__file__).parents[1])
FILES = BOOK.root / "evidence" / "mutants" / "chapters"
SECONDS = 600  # of a chapter at the paper's scale
MOST = 40  # mutants of a chapter and a kind
SLOWER = 4  # times; by so much the machine may have changed since


def drawn(things):
    """One of some things, which follows from the commit; skip where there is none."""
    if not things:
        pytest.skip("nothing is of the code as it stands")
    return Random(commit_of(BOOK)).choice(things)


def current(campaign_name):
    """The findings of a campaign that are of the code as it stands."""
    return [one for one in read_findings(BOOK, campaign_name) if is_current(BOOK, one)]


@pytest.mark.parametrize("worst", [True, False], ids=["its worst seed", "any of its seeds"])
def test_a_claim_does_on_a_seed_what_is_kept_of_it(tmp_path, worst):
    found, id = drawn([(one, id) for one in current(SEEDS) for id in one.counts["claims"]])
    chapter, of = BOOK.chapter(found.chapter), found.counts["claims"][id]
    seeds = range(found.counts["first_seed"], found.counts["last_seed"] + 1)
    seed = of["at"] if worst else drawn(seeds)
    done = run(BOOK, chapter, parameters.signature(chapter.read(), chapter.name), {SEED: seed}, tmp_path)
    (claim,) = (one for one in done.ledger.claims if one.id == id)
    assert claim.holds or of["held"] < of["runs"]
    assert used(claim.record) <= of["worst"] * 1.05 + 1e-9  # it is kept in two digits
    assert not worst or used(claim.record) >= of["worst"] * 0.95


def test_a_chapter_does_off_its_defaults_what_is_kept_of_it(tmp_path):
    found = drawn(current(off_default.OFF_DEFAULT))
    chapter = BOOK.chapter(found.chapter)
    given = {"workers": 2, "scheduler": None, "folder": tmp_path, "watch": lambda *job: None}
    again = off_default.run_off_default(BOOK, chapter, **given)
    assert again == (found.counts, found.failed)


def test_a_chapter_does_at_the_scale_of_its_paper_what_is_kept_of_it(tmp_path):
    found = drawn([one for one in current(paper.PAPER) if one.counts["seconds"] < SECONDS])
    chapter = BOOK.chapter(found.chapter)
    kept = []
    given = {"limit": SLOWER * SECONDS, "workers": 1, "scheduler": None, "again": True}
    keep = lambda chapter, outcome: kept.append(outcome)  # noqa: E731
    paper.run_paper(BOOK, [chapter], keep, folder=tmp_path, watch=lambda *job: None, **given)
    [(counts, failed)] = kept
    names = ("parameters", "claims", "held")
    assert ([counts[name] for name in names], failed) == ([found.counts[name] for name in names], found.failed)
    assert counts["seconds"] < SLOWER * found.counts["seconds"] + SLOWER < SLOWER**2 * counts["seconds"] + SLOWER**3


def test_spoiled_claims_of_a_chapter_end_as_it_is_kept():
    found = drawn(current("spoiled"))
    chapter = BOOK.chapter(found.chapter)
    listed = excused(chapter.short, chapter.twin.read_text(), "spoiled")
    ends = runpy.run_path(str(FILES / "test_spoiled.py"))["spoiled"](chapter, listed)
    again = {way: (must, dict(Counter(of[way] for of in ends.values() if way in of))) for way, must in WAYS.items()}
    assert of_spoiled(again) == found.counts


def test_mutants_of_a_chapter_and_a_kind_end_as_it_is_kept(monkeypatch):
    found = [
        (one.chapter.rpartition("/")[2], kind, of) for one in current("mutants") for kind, of in one.counts.items()
    ]
    short, kind, kept = drawn([(short, kind, of) for short, kind, of in found if short and of["made"] <= MOST])
    monkeypatch.setattr(checks, "CAMPAIGN", "all")
    monkeypatch.setattr(checks, "SIZES", checks.Sizes(*[None] * 5))
    monkeypatch.setattr(campaign, "kept", lambda key: None)
    monkeypatch.setattr(campaign, "keep", lambda key, answer: None)
    assert of_mutants(made_again(short, kind), Counter())[kind] == kept


def test_every_place_was_tried():
    found = {one.chapter.rpartition("/")[2]: one.counts for one in current("mutants") if one.chapter}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks, "SIZES", checks.Sizes(*[None] * 5))
        places = {short: dict(Counter(mutant.kind for _, mutant in of_chapter(short))) for short in found}
    assert {short: {kind: of["made"] for kind, of in counts.items()} for short, counts in found.items()} == places


def made_again(short, kind):
    """How the mutants of a chapter and a kind end now, and in how many cases."""
    said = []
    for test, mutant in of_chapter(short):
        if mutant.kind == kind:
            with contextlib.suppress(pytest.skip.Exception, AssertionError):
                test(mutant, lambda name, value: said.append(value))
    return Counter(tuple(value[1:3]) for value in said if value[0] == short)


def of_chapter(short):
    """The mutants of a chapter, each with its test."""
    files = [file for file in sorted(FILES.glob("test_*.py")) if f'"{short}"' in file.read_text()]
    tests = [test for file in files for test in runpy.run_path(str(file)).values()]
    marks = [(test, mark) for test in tests for mark in getattr(test, "pytestmark", [])]
    return [(test, one) for test, mark in marks if mark.args[:1] == ("mutant",) for one in mark.args[1]]


def test_attacks_that_are_drawn_end_as_well_as_it_is_kept(tmp_path):
    found = drawn(current("attacks"))
    given = ("--cases", "60", "--kills", "3", "--no-write", "--folder", str(tmp_path))
    command = [sys.executable, "-m", "attacks", "--seed", str(drawn(range(2**32))), *given]
    done = subprocess.run(command, cwd=BOOK.root, env=with_paths(), capture_output=True, text=True)
    assert done.returncode == 0 or found.failed, done.stdout


def test_a_check_of_the_pages_that_is_drawn_passes():
    check = drawn([check for one in current("pages") for check in one.counts["checks"]])
    name = f"test_{check.lower().replace(' ', '_')}"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/book", "-q", "-p", "no:benchmark", "-k", name],
        cwd=BOOK.root,
        env=with_paths(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_times_that_are_measured_again_are_those_that_are_kept(tmp_path):
    kept = {group["name"]: group for one in current("benchmarks") for group in one.counts["groups"]}
    file = drawn(sorted((BOOK.root / "benchmarks").glob("test_*.py")) if kept else [])
    given = [str(file), "-q", "--times-to", str(tmp_path / "times.json")]
    chosen = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "NPY_DISABLE_CPU_FEATURES", "ATEN_CPU_CAPABILITY")
    env = {name: value for name, value in with_paths().items() if name not in chosen}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *given], cwd=BOOK.root, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    for group in json.loads((tmp_path / "times.json").read_text()):
        before = {one["method"]: one["seconds"] for one in kept[group["name"]]["timings"]}
        for one in group["timings"]:
            if one["method"] in before:  # peers are not installed everywhere
                assert 1 / SLOWER < one["seconds"] / before[one["method"]] < SLOWER, (group["name"], one["method"])


def with_paths():
    """The environment of a command that finds the attacks, the mutants and what tests share."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(BOOK.root / "tests"), str(BOOK.root / "evidence")])}
