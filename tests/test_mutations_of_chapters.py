"""Each chapter has a file of mutants, which runs its own twin and no chapter's that has gone."""

import re
from pathlib import Path

from reproduce.book import Book

BOOK = Book(Path(__file__).parents[1])
FILES = Path(__file__).parent / "mutations"


def test_every_chapter_is_spoiled_in_one_file():
    twins = [
        twin
        for file in sorted(FILES.glob("test_*.py"))
        for twin in set(re.findall(r'script\(\s*"(\w+/\w+)"', file.read_text(encoding="utf-8")))
    ]
    assert sorted(set(twins)) == sorted(chapter.name for chapter in BOOK.chapters())
