"""How to cite the book: what CITATION.cff says of it, and the same as an entry for BibTeX."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pybtex.database import BibliographyData, Entry, Person

from reproduce.errors import PressError
from reproduce.reading import read_yaml

CITATION = "CITATION.cff"
KEY = "implicit_bias_book"


@dataclass(frozen=True)
class Author:
    """One author, a person or a group.

    given, family: the names of a person.
    name: of a group.
    affiliation, orcid: empty where the file has none.
    """

    given: str = ""
    family: str = ""
    name: str = ""
    affiliation: str = ""
    orcid: str = ""

    @property
    def shown(self) -> str:
        """The name as a reader reads it."""
        return self.name or f"{self.given} {self.family}".strip()

    @property
    def person(self) -> Person:
        """The name for BibTeX; that of a group stays in one piece."""
        return Person(last=f"{{{self.name}}}") if self.name else Person(first=self.given, last=self.family)


@dataclass(frozen=True)
class Citation:
    """What is to be cited.

    title, version, message, released: as the file has them; released is empty before there is a release.
    url, doi: where it is to be found; empty while it is nowhere.
    authors: in their order.
    abstract: what it is, in a few sentences; may be empty.
    keywords: may be empty.
    licences: their SPDX identifiers, first that of the code; may be empty.
    """

    title: str
    version: str
    message: str
    released: str
    url: str
    doi: str
    authors: tuple[Author, ...]
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    licences: tuple[str, ...] = ()

    def bibtex(self, year: int) -> str:
        """An entry for BibTeX; ``year`` is that of the last run, for a book without a date of release."""
        fields = {
            "title": f"{{{self.title}}}",
            "year": self.released[:4] or str(year),
            "note": f"Version {self.version}",
            "url": self.url,
            "doi": self.doi,
        }
        entry = Entry("misc", {name: text for name, text in fields.items() if text})
        entry.persons["author"] = [author.person for author in self.authors]
        return str(BibliographyData({KEY: entry}).to_string("bibtex")).strip()


def read_citation(root: Path) -> Citation:
    """What CITATION.cff says; a PressError that names the file and what it lacks."""
    content = read_yaml(root / CITATION)
    if not isinstance(content, dict):
        raise PressError(f"{CITATION} must have a title, authors and a version")
    missing = [name for name in ("title", "version", "authors") if not content.get(name)]
    if missing:
        raise PressError(f"{CITATION} has no {', '.join(missing)}")
    return Citation(
        title=str(content["title"]),
        version=str(content["version"]),
        message=str(content.get("message") or ""),
        released=str(content.get("date-released") or ""),
        url=str(content.get("url") or content.get("repository-code") or ""),
        doi=str(content.get("doi") or ""),
        authors=tuple(map(_author, content["authors"])),
        abstract=" ".join(str(content.get("abstract") or "").split()),
        keywords=_texts(content.get("keywords")),
        licences=_texts(content.get("license")),
    )


def _texts(value: Any) -> tuple[str, ...]:
    """One text or several, where the format allows both."""
    return tuple(map(str, value if isinstance(value, list) else [value])) if value else ()


def _author(entry: Mapping[str, Any]) -> Author:
    family = " ".join(str(entry[part]) for part in ("name-particle", "family-names", "name-suffix") if entry.get(part))
    texts = {name: str(entry.get(name) or "") for name in ("name", "affiliation", "orcid")}
    author = Author(given=str(entry.get("given-names") or ""), family=family, **texts)
    if not author.shown:
        raise PressError(f"{CITATION}: an author has no name and no family-names")
    return author
