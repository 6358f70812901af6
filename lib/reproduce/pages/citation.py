"""How to cite the book: what CITATION.cff says of it, and the same as an entry for BibTeX."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from pybtex.database import BibliographyData, Entry, Person

from reproduce.ground.errors import PressError, quoted
from reproduce.ground.reading import read_yaml

CITATION = "CITATION.cff"
KEY = "implicit_bias_book"
VERBATIM = re.compile(r'^ *(url|doi) = "(.*)"(?=,?$)', re.MULTILINE)  # what LaTeX takes as it is, and pybtex escapes
NAMES = ("given-names", "name-particle", "family-names", "name-suffix", "name", "affiliation", "orcid")


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
    pages, repository, doi: where it is to be found; empty while it is nowhere.
    authors: in their order.
    abstract: what it is, in a few sentences; may be empty.
    keywords: may be empty.
    licences: their SPDX identifiers, first that of the code; may be empty.
    """

    title: str
    version: str
    message: str
    released: str
    pages: str
    repository: str
    doi: str
    authors: tuple[Author, ...]
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    licences: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """Where a reader is sent: the pages, or the repository while they have no address."""
        return self.pages or self.repository

    @property
    def lacking(self) -> str:
        """What CITATION.cff does not say yet, in words; empty if it says all."""
        named = any(author.family for author in self.authors)
        said = {"names of authors": named, "public address": self.url, "DOI": self.doi}
        return ", ".join(what for what, known in said.items() if not known)

    def bibtex(self, year: int, claim: str = "", place: str = "", commit: str = "") -> str:
        """An entry for BibTeX, of the book or of one of its claims.

        year: that of the last run, for a book without a date of release.
        claim: its id; empty for the book.
        place: of the claim, from the address of the pages on.
        commit: of what is cited; empty where it is not known.
        """
        of = f"Claim {claim}, version" if claim else "Version"
        fields = {
            "title": f"{{{self.title}}}",
            "year": self.released[:4] or str(year),
            "note": f"{of} {self.version}{f', commit {commit}' if commit else ''}",
            "url": f"{self.pages.rstrip('/')}/{place}" if self.pages and place else self.url,
            "doi": self.doi,
        }
        entry = Entry("misc", {name: text for name, text in fields.items() if text})
        entry.persons["author"] = [author.person for author in self.authors]
        key = f"{KEY}:{claim}" if claim else KEY
        text = str(BibliographyData({key: entry}).to_string("bibtex")).strip()
        return VERBATIM.sub(lambda line: line[0].replace(line[2], fields[line[1]]), text)


def read_citation(root: Path) -> Citation:
    """What CITATION.cff says; a PressError that names the file and what it lacks."""
    content = read_yaml(root / CITATION)
    if not isinstance(content, dict):
        raise PressError(f"{CITATION} must have a title, authors and a version")
    missing = [name for name in ("title", "version", "authors") if not content.get(name)]
    if missing:
        raise PressError(f"{CITATION} has no {', '.join(missing)}")
    authors = content["authors"]
    if not isinstance(authors, list) or not all(isinstance(one, dict) for one in authors):
        form = "a list, each with a name or with family-names and given-names"
        raise PressError(f"{CITATION}: authors is {quoted(authors)}; it must be {form}")
    return Citation(
        title=_text(content, "title"),
        version=_text(content, "version"),
        message=_text(content, "message"),
        released=_text(content, "date-released"),
        pages=_text(content, "url"),
        repository=_text(content, "repository-code"),
        doi=_text(content, "doi"),
        authors=tuple(map(_author, authors)),
        abstract=" ".join(_text(content, "abstract").split()),
        keywords=_texts(content, "keywords"),
        licences=_texts(content, "license"),
    )


def _text(content: Mapping[str, Any], field: str, of: str = "") -> str:
    """A field as a text, empty where there is none; numbers and dates are what YAML makes of texts like 1.0."""
    value = content.get(field)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float | date):
        raise PressError(f"{CITATION}: {field}{of} is {quoted(value)}; it must be a text")
    return str(value)


def _texts(content: Mapping[str, Any], field: str) -> tuple[str, ...]:
    """One text or several, where the format allows both."""
    value = content.get(field)
    return tuple(filter(None, (_text({field: one}, field) for one in (value if isinstance(value, list) else [value]))))


def _author(entry: Mapping[str, Any]) -> Author:
    names = {name: _text(entry, name, " of an author") for name in NAMES}
    family = " ".join(filter(None, (names[part] for part in ("name-particle", "family-names", "name-suffix"))))
    author = Author(names["given-names"], family, names["name"], names["affiliation"], names["orcid"])
    if not author.shown:
        raise PressError(f"{CITATION}: an author has no name and no family-names")
    return author
