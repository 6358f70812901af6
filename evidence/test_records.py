"""What a release asks of the evidence: every chapter was tried, and at its worst seed every claim holds still."""

import json
import subprocess
from pathlib import Path

import pytest

from reproduce.campaigns.finding import RECORDS, read_finding
from reproduce.campaigns.impossible import missed
from reproduce.campaigns.seeds import SEED, SEEDS
from reproduce.chapters import parameters
from reproduce.chapters.book import Book
from reproduce.claims import ledger
from reproduce.ground.reading import read_json
from reproduce.running.environment import commit_of
from reproduce.running.run import run

BOOK = Book(Path(__file__).parents[1])
CHAPTERS = BOOK.chapters()
LEAST_SEEDS = 20


@pytest.mark.parametrize("chapter", CHAPTERS, ids=[chapter.name for chapter in CHAPTERS])
def test_every_claim_was_tried_on_the_same_fresh_seeds(chapter):
    found = read_finding(BOOK.root, SEEDS, chapter.name)
    assert found is not None, f"make seeds CHAPTERS={chapter.name}"
    finished, failed = found.counts["finished"], found.counts["failed"]
    assert finished + failed >= LEAST_SEEDS
    stated = {claim.id for claim in ledger.claims_of(chapter.name, chapter.read())}
    assert found.counts["claims"].keys() == stated, f"make seeds CHAPTERS={chapter.name}"
    # A run that failed has only the claims before the cell at which it stopped.
    assert all(finished <= of["runs"] <= finished + failed for of in found.counts["claims"].values())


@pytest.mark.parametrize("chapter", CHAPTERS, ids=[chapter.name for chapter in CHAPTERS])
def test_what_missed_a_seed_stays_in_the_record(chapter):
    """Whatever was committed is there still; a clone without its history knows less of it."""
    path = RECORDS / SEEDS / f"{chapter.short}.json"
    now = tries(read_json(BOOK.root / path))
    for version in git("log", "--format=%H", "--diff-filter=AM", "--", str(path)).split():
        before = tries(json.loads(git("show", f"{version}:{path}")))
        assert all(lost <= now.get(key, set()) for key, lost in before.items()), version
        assert before.keys() <= now.keys(), version


def tries(found):
    """Which claims missed a seed, by the code's hash and the first seed."""
    of = found["counts"]
    earlier = {(one["code"], one["first_seed"]): set(one["missed"]) for one in of.get("earlier", [])}
    return {**earlier, (found["code"], of["first_seed"]): set(missed(of))}


def git(*words):
    """What git says; nothing where there is no history."""
    return subprocess.run(["git", *words], cwd=BOOK.root, capture_output=True, text=True).stdout


def test_at_the_worst_seed_of_a_chapter_every_claim_holds_still(tmp_path):
    """Of one chapter, which follows from the commit."""
    known = [one for one in CHAPTERS if read_finding(BOOK.root, SEEDS, one.name) is not None]
    assert known
    chapter = known[sum(commit_of(BOOK).encode()) % len(known)]
    claims = read_finding(BOOK.root, SEEDS, chapter.name).counts["claims"]
    seed = max(claims.values(), key=lambda of: of["worst"])["at"]
    done = run(BOOK, chapter, parameters.signature(chapter.read(), chapter.name), {SEED: seed}, tmp_path)
    assert done.ledger.objections == []
    assert {claim.id for claim in done.ledger.claims} >= claims.keys() & {
        claim.id for claim in ledger.claims_of(chapter.name, chapter.read())
    }
