"""The book as others' catalogues describe it, from CITATION.cff: CodeMeta, Zenodo, and CODECHECK with its manifest."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from reproduce.archive.contents import ANSWERS, answered_by, as_json, as_yaml
from reproduce.chapters.book import CHAPTERS, Book, title
from reproduce.ground.files import write_text
from reproduce.pages.citation import CITATION, Author, Citation, read_citation
from reproduce.pages.figure_data import named, tables

CODEMETA, ZENODO, CODECHECK = "codemeta.json", ".zenodo.json", "codecheck.yml"
PAGES = "_build/html/"  # where 'make book' puts them
TABLE = "every claim, predicted and measured: the numbers of the tables of results"
SPDX = "https://spdx.org/licenses/"
ORCID = "https://orcid.org/"
HEADER = f"""\
# Written by 'python -m reproduce metadata' from {CITATION} and the chapters. A check adds codechecker and report.
# To reproduce every file below: make book; those in _build are there only then. To check one claim of a chapter:
# make check CLAIM=CHAPTER.NAME.
"""


def described(book: Book) -> dict[str, str]:
    """The text of each of the files, by name. PressError for a CITATION.cff that lacks something."""
    citation = read_citation(book.root)
    return {
        CODEMETA: as_json(_without_empty(codemeta(citation)), indent=2),
        ZENODO: as_json(_without_empty(zenodo(citation)), indent=2),
        CODECHECK: codecheck_as_text(book, book.notebooks()),
    }


def write_metadata(book: Book) -> list[Path]:
    """Write the files, and give back where they lie."""
    texts = described(book)
    for name, text in texts.items():
        write_text(book.root / name, text)
    return [book.root / name for name in texts]


def codemeta(citation: Citation) -> dict[str, Any]:
    """What CodeMeta 2.0 says of it."""
    return {
        "@context": "https://doi.org/10.5063/schema/codemeta-2.0",
        "@type": "SoftwareSourceCode",
        "name": citation.title,
        "description": citation.abstract,
        "version": citation.version,
        "author": [_in_codemeta(author) for author in citation.authors],
        "license": [f"{SPDX}{name}" for name in citation.licences],
        "keywords": list(citation.keywords),
        "programmingLanguage": "Python",
        "datePublished": citation.released,
        "codeRepository": citation.repository,
        "url": citation.pages,
        "identifier": f"https://doi.org/{citation.doi}" if citation.doi else "",
    }


def zenodo(citation: Citation) -> dict[str, Any]:
    """What Zenodo reads when a release is archived; it knows one licence, that of the code."""
    return {
        "upload_type": "software",
        "title": citation.title,
        "description": citation.abstract,
        "version": citation.version,
        "creators": [_in_zenodo(author) for author in citation.authors],
        "license": citation.licences[0] if citation.licences else "",
        "keywords": list(citation.keywords),
        "publication_date": citation.released,
    }


def codecheck_as_text(book: Book, notebooks: Mapping[str, NotebookNode]) -> str:
    """The file for some chapters of a book, given by their stored notebooks."""
    return HEADER + as_yaml(_without_empty(codecheck(book, notebooks, read_citation(book.root))))


def codecheck(book: Book, notebooks: Mapping[str, NotebookNode], citation: Citation) -> dict[str, Any]:
    """The authors' part of a CODECHECK configuration 1.0: what it is, and which files are to come out again.

    A notebook holds its figures, which are named, and its table of results; the numbers of both are beside the pages.
    """
    chapters = [
        {"file": f"{CHAPTERS}{name}.ipynb", "comment": "; ".join([title(notebook) or name, *named(notebook)])}
        for name, notebook in notebooks.items()
    ]
    figures = [
        {
            "file": f"{PAGES}{CHAPTERS}{name.rpartition('/')[0]}/{figure}.csv",
            "comment": f"what the figure {figure} of {CHAPTERS}{name} draws",
        }
        for name, notebook in notebooks.items()
        for figure in tables(notebook)
    ]
    claims = [{"file": f"{PAGES}ledger.csv", "comment": TABLE}] if notebooks else []
    answers = [
        {"file": path.relative_to(book.root).as_posix(), "comment": "certified answers, made by 'make answers'"}
        for path in sorted((book.root / ANSWERS).glob("[!.]*.json"))
        if not path.name.endswith(".schema.json") and answered_by(path) in notebooks
    ]
    authors = [{"name": author.shown, "ORCID": author.orcid.removeprefix(ORCID)} for author in citation.authors]
    paper = {
        "title": citation.title,
        "authors": authors,
        "reference": f"https://doi.org/{citation.doi}" if citation.doi else "",
    }
    return {
        "version": "https://codecheck.org.uk/spec/config/1.0/",
        "paper": paper,
        "manifest": [*chapters, *figures, *claims, *answers],
        "repository": citation.repository or citation.pages,
    }


def _in_codemeta(author: Author) -> dict[str, Any]:
    if author.name:
        return {"@type": "Organization", "@id": author.orcid, "name": author.name}
    place = {"@type": "Organization", "name": author.affiliation} if author.affiliation else {}
    person = {"@type": "Person", "@id": author.orcid, "givenName": author.given, "familyName": author.family}
    return {**person, "affiliation": place}


def _in_zenodo(author: Author) -> dict[str, Any]:
    name = author.name or ", ".join(part for part in (author.family, author.given) if part)
    return {"name": name, "affiliation": author.affiliation, "orcid": author.orcid.removeprefix(ORCID)}


def _without_empty(content: Any) -> Any:
    """What there is, at every depth."""
    if isinstance(content, list):
        return [_without_empty(one) for one in content]
    if isinstance(content, dict):
        return {name: _without_empty(value) for name, value in content.items() if value}
    return content
