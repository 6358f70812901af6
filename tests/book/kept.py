"""What is known of pages that were read before: which pages they were, and which tests passed on them.

``make test`` builds and reads pages anew only where something has changed that they, or what the tests say of them,
follow from.
"""

import hashlib
import sys
from collections.abc import Iterable
from importlib.metadata import distributions
from pathlib import Path

from reproduce.chapters.book import Book

TESTS = Path(__file__).parents[1]


def digest(said: str, files: Iterable[Path], root: Path) -> str:
    """Of a text, and of the names and the content of files."""
    made = hashlib.sha256(said.encode())
    for path in sorted(files):
        made.update(f"{path.relative_to(root)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return made.hexdigest()[:16]


def of_pages(book: Book) -> str:
    """The digest of all that the pages of a staged book follow from: its files, with the press, and the packages."""
    packages = sorted(f"{one.name} {one.version}" for one in distributions())
    files = (path for path in book.root.rglob("*") if path.is_file() and book.build not in path.parents)
    return digest(f"{sys.version} {packages}", files, book.root)


class Passed:
    """The tests that passed on pages, in a file beside them.

    pages: the folder of the pages.
    browser: the file that is the browser, if there is one.
    """

    def __init__(self, pages: Path, browser: str | None) -> None:
        made = f"{browser} {Path(browser).stat().st_mtime_ns}" if browser else ""
        tests = [*(TESTS / "book").glob("*.py"), *TESTS.glob("*.py")]
        self.file = pages.with_name(f"{pages.name}-{digest(made, tests, TESTS)}.passed")

    def __contains__(self, name: str) -> bool:
        return self.file.exists() and name in self.file.read_text(encoding="utf-8").splitlines()

    def add(self, name: str) -> None:
        """Note a test; workers that do so at once write whole lines."""
        with self.file.open("a", encoding="utf-8") as file:
            file.write(f"{name}\n")
