"""Every claim of a chapter at its default parameters, spoiled in seven ways (``spoiled_claims``), is refused.

Here a chapter is run, so that long arrays are spoiled too; what is stored of the others, tests/test_spoiled_claims.py
spoils in every chapter.
"""

from collections import Counter

import pytest
from mutation_testing import CAMPAIGN, FORK, script
from mutation_testing.store import BOOK
from reproduce.robustness import read_robustness
from spoiled_claims import REASONS, WAYS, holding, run

from reproduce.last_run import read_last_runs
from reproduce.running.staleness import code_hash

SIZE = {"all": None, "drawn": 6}.get(CAMPAIGN, 2)
SECONDS = {name: run.seconds for name, run in read_last_runs(BOOK.root).items()}
CHAPTERS = sorted(BOOK.chapters(), key=lambda chapter: SECONDS.get(chapter.name, 0))[:SIZE]


def spoiled(chapter):
    """How each claim of a chapter ends, by id and way."""
    receive, send = FORK.Pipe(duplex=False)
    process = FORK.Process(target=run, args=(script(chapter.name, {}), worst(chapter), send))
    process.start()
    send.close()
    ends = receive.recv()
    process.join()
    return ends


def worst(chapter):
    """The part of its tolerance that each claim uses on fresh seeds, if they were run with this code."""
    known = read_robustness(BOOK.root).get(chapter.name)
    if known is None or known.code != code_hash(BOOK, chapter.read()):
        return {}
    return {id: record.worst for id, record in known.claims.items()}


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_a_spoiled_claim_is_refused(chapter, record_property):
    ends = spoiled(chapter)
    assert isinstance(ends, dict), ends
    counts = {way: (must, dict(Counter(of[way] for of in ends.values() if way in of))) for way, must in WAYS.items()}
    record_property("spoiled", (chapter.short, counts))
    assert holding(ends) == {}
    dead = {id for id in REASONS if id in ends and "listed" not in ends[id].values()}
    assert dead == set()
