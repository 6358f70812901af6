"""Each chapter is named in a file of mutants, which runs its twin."""

from pathlib import Path

from reproduce.chapters.book import Book

BOOK = Book(Path(__file__).parents[3])
FILES = Path(__file__).parents[1] / "chapters"


def test_every_chapter_has_its_mutants():
    code = "".join(file.read_text(encoding="utf-8") for file in FILES.glob("test_*.py"))
    short = [chapter.name.split("/")[-1] for chapter in BOOK.chapters()]
    assert [name for name in short if f'/{name}"' not in code and f'"{name}"' not in code] == []
