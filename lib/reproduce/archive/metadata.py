"""The book as others' catalogues describe it, from CITATION.cff: CodeMeta, Zenodo, and CODECHECK with its manifest."""

import json
from pathlib import Path
from typing import Any

import yaml

from reproduce.archive.contents import ANSWERS
from reproduce.chapters.book import Book, title
from reproduce.ground.files import write_text
from reproduce.pages.citation import CITATION, Author, Citation, read_citation

CODEMETA, ZENODO, CODECHECK = "codemeta.json", ".zenodo.json", "codecheck.yml"
SPDX = "https://spdx.org/licenses/"
ORCID = "https://orcid.org/"
HEADER = f"""\
# Written by 'python -m reproduce metadata' from {CITATION} and the chapters. A check adds codechecker and report.
# To reproduce every file below: make book. To check one claim of a chapter: make check CLAIM=CHAPTER.NAME.
"""


def described(book: Book) -> dict[str, str]:
    """The text of each of the files, by name. PressError for a CITATION.cff that lacks something."""
    citation = read_citation(book.root)
    return {
        CODEMETA: _json(codemeta(citation)),
        ZENODO: _json(zenodo(citation)),
        CODECHECK: HEADER + yaml.safe_dump(codecheck(book, citation), sort_keys=False, allow_unicode=True, width=120),
    }


def write_metadata(book: Book) -> list[Path]:
    """Write the files, and give back where they lie."""
    texts = described(book)
    for name, text in texts.items():
        write_text(book.root / name, text)
    return [book.root / name for name in texts]


def codemeta(citation: Citation) -> dict[str, Any]:
    """What CodeMeta 2.0 says of it."""
    return _without_empty(
        {
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
            "codeRepository": citation.url,
            "identifier": f"https://doi.org/{citation.doi}" if citation.doi else "",
        }
    )


def zenodo(citation: Citation) -> dict[str, Any]:
    """What Zenodo reads when a release is archived; it knows one licence, that of the code."""
    return _without_empty(
        {
            "upload_type": "software",
            "title": citation.title,
            "description": citation.abstract,
            "version": citation.version,
            "creators": [_in_zenodo(author) for author in citation.authors],
            "license": citation.licences[0] if citation.licences else "",
            "keywords": list(citation.keywords),
            "publication_date": citation.released,
        }
    )


def codecheck(book: Book, citation: Citation) -> dict[str, Any]:
    """The book's part of a CODECHECK configuration 1.0: what it is, and which files are to come out again."""
    manifest = []
    for name, notebook in book.notebooks().items():
        manifest.append({"file": f"chapters/{name}.ipynb", "comment": title(notebook) or name})
    for path in sorted((book.root / ANSWERS).glob("[!.]*.json")):
        if not path.name.endswith(".schema.json"):
            comment = "certified answers, made by 'make answers'"
            manifest.append({"file": path.relative_to(book.root).as_posix(), "comment": comment})
    authors = [
        _without_empty({"name": author.shown, "ORCID": author.orcid.removeprefix(ORCID)}) for author in citation.authors
    ]
    paper = {"title": citation.title, "authors": authors, "reference": f"https://doi.org/{citation.doi}"}
    if not citation.doi:
        del paper["reference"]
    return _without_empty(
        {
            "version": "https://codecheck.org.uk/spec/config/1.0/",
            "paper": paper,
            "manifest": manifest,
            "repository": citation.url,
        }
    )


def _in_codemeta(author: Author) -> dict[str, Any]:
    affiliation = {"@type": "Organization", "name": author.affiliation} if author.affiliation else None
    if author.name:
        return _without_empty({"@type": "Organization", "@id": author.orcid, "name": author.name})
    person = {"@type": "Person", "@id": author.orcid, "givenName": author.given, "familyName": author.family}
    return _without_empty({**person, "affiliation": affiliation})


def _in_zenodo(author: Author) -> dict[str, Any]:
    name = author.name or ", ".join(part for part in (author.family, author.given) if part)
    return _without_empty({"name": name, "affiliation": author.affiliation, "orcid": author.orcid.removeprefix(ORCID)})


def _without_empty(content: dict[str, Any]) -> dict[str, Any]:
    """What there is."""
    return {name: value for name, value in content.items() if value}


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
