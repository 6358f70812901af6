"""The verdicts on mutants of a campaign, kept one by one: a campaign that was stopped goes on where it was.

They lie in ``_build/mutants.jsonl``. A verdict is found again as long as the chapter's code and what it uses of the
library are what they were, file by file (``fingerprint``); otherwise the mutant is tried anew.
"""

import hashlib
import json
import os
from functools import cache
from pathlib import Path

from nbformat.v4 import new_code_cell, new_notebook

from reproduce.chapters.book import Book
from reproduce.running.staleness import fingerprint

BOOK = Book(Path(__file__).parents[2])
KEPT = BOOK.root / "_build" / "mutants.jsonl"


def key_of(code, mutant):
    """What a verdict on a mutant of a chapter's code is kept under."""
    where = (_hash(code), mutant.module, mutant.function, mutant.kind, mutant.key)
    return hashlib.sha256("\n".join(where).encode()).hexdigest()[:32]


def kept(key):
    """The verdict that was kept, or None."""
    return _read(KEPT).get(key)


def keep(key, verdict):
    """Add a verdict, in one write: several processes add to the file."""
    KEPT.parent.mkdir(exist_ok=True)
    with open(KEPT, "ab", buffering=0) as lines:
        lines.write(f"\n{json.dumps([key, verdict])}\n".encode())  # the line before may have been cut off by a kill
        os.fsync(lines)


@cache
def _read(file):
    """All verdicts of the campaign so far; a line that was cut off counts as none."""
    found = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            key, verdict = json.loads(line)
        except ValueError:
            continue
        found[key] = verdict
    return found


@cache
def _hash(code):
    """The hash of a chapter's code with the files of the library that it uses."""
    return fingerprint(BOOK, new_notebook(cells=[new_code_cell(code)]))
