"""Pages and what passed on them are known again, until something changes that they follow from."""

from pathlib import Path

import pytest
from book.kept import Passed, of_pages

from reproduce.chapters.book import Book


def test_pages_are_others_where_a_file_of_the_book_is(tmp_path: Path) -> None:
    book = Book(tmp_path)
    (tmp_path / "intro.md").write_text("# Sums\n")
    before = of_pages(book)
    (book.build / "html").mkdir(parents=True)
    (book.build / "html" / "intro.html").write_text("<h1>Sums</h1>")
    assert of_pages(book) == before
    (tmp_path / "intro.md").write_text("# Series\n")
    changed = of_pages(book)
    (tmp_path / "intro.md").rename(tmp_path / "first.md")
    assert len({before, changed, of_pages(book)}) == 3


def test_what_passed_is_known_for_the_same_pages_tests_and_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("book.kept.TESTS", tmp_path / "tests")
    (tmp_path / "tests" / "book").mkdir(parents=True)
    (browser := tmp_path / "browser").touch()
    Passed(tmp_path / "pages", str(browser)).add("test_one")
    assert "test_one" in Passed(tmp_path / "pages", str(browser))
    assert "test" not in Passed(tmp_path / "pages", str(browser))
    assert "test_one" not in Passed(tmp_path / "other pages", str(browser))
    assert "test_one" not in Passed(tmp_path / "pages", None)
    (tmp_path / "tests" / "book" / "test_new.py").touch()
    assert "test_one" not in Passed(tmp_path / "pages", str(browser))
