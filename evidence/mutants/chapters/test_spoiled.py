"""Every claim of a chapter at its default parameters, spoiled in six ways (``mutants.spoiled``), is refused.

Here a chapter is run, so that long arrays are spoiled too; what is stored of the others, tests/test_spoiled_claims.py
spoils in every chapter.
"""

from collections import Counter

import pytest
from mutants.checks import CAMPAIGN
from mutants.claim_excuses import excused
from mutants.runs import FORK, script
from mutants.spoiled import WAYS, holding, run
from mutants.store import BOOK

from reproduce.campaigns.finding import read_finding
from reproduce.running.last_run import read_last_runs

SIZE = {"all": None, "drawn": 6}.get(CAMPAIGN, 2)
SECONDS = {name: run.seconds for name, run in read_last_runs(BOOK).items()}
CHAPTERS = sorted(BOOK.chapters(), key=lambda chapter: SECONDS.get(chapter.name, 0))[:SIZE]


def spoiled(chapter, listed):
    """How each claim of a chapter ends, by id and way."""
    receive, send = FORK.Pipe(duplex=False)
    process = FORK.Process(target=run, args=(script(chapter.name, {}), worst(chapter), listed, send))
    process.start()
    send.close()
    ends = receive.recv()
    process.join()
    return ends


def worst(chapter):
    """The part of its tolerance that each claim uses on fresh seeds, of whichever commit they are."""
    known = read_finding(BOOK.root, "seeds", chapter.name)
    return {id: seeds["worst"] for id, seeds in known.counts["claims"].items()} if known else {}


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_a_spoiled_claim_is_refused(chapter, record_property):
    listed = excused(chapter.short, chapter.twin.read_text(), "spoiled")
    ends = spoiled(chapter, listed)
    assert isinstance(ends, dict), ends
    counts = {way: (must, dict(Counter(of[way] for of in ends.values() if way in of))) for way, must in WAYS.items()}
    held = holding(ends)
    record_property("spoiled", (chapter.short, counts, [f"{id}: {way}" for id, ways in held.items() for way in ways]))
    assert held == {}
    assert [id for id in listed if "listed" not in ends[id].values()] == []
