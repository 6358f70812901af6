"""The metadata of an archive as an RO-Crate: JSON-LD that names every file, with checksum, run and licence."""

import mimetypes
import platform
from collections.abc import Sequence
from datetime import date
from typing import Any

from reproduce.archive.contents import Entry, Selection
from reproduce.archive.metadata import SPDX
from reproduce.pages.citation import Author, Citation, read_citation
from reproduce.running.last_run import LastRun, period

METADATA = "ro-crate-metadata.json"
VERSION = "1.3"
PROFILE = f"https://w3id.org/ro/crate/{VERSION}"
KINDS = {".py": "text/x-python", ".ipynb": "application/x-ipynb+json", ".cff": "text/yaml", ".yml": "text/yaml",
         ".yaml": "text/yaml", ".md": "text/markdown", ".bib": "text/x-bibtex", ".j2": "text/plain",
         ".toml": "application/toml"}  # fmt: skip
PYTHON = "https://www.python.org/"


def crate(chosen: Selection, entries: Sequence[Entry]) -> dict[str, Any]:
    """The metadata of an archive.

    chosen: the chapters.
    entries: every other file of the archive.
    """
    citation = read_citation(chosen.book.root)
    names = ", ".join(one.name for one in chosen.chapters)
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": citation.title,
        "description": f"{chosen.ledger.count}. Chapters: {names}. How to check a claim is said in README.md.",
        "version": citation.version,
        "datePublished": _published(citation, list(chosen.last_runs.values())),
        "license": _one_or_all([{"@id": f"{SPDX}{name}"} for name in citation.licences]),
        "author": _one_or_all([{"@id": _author_id(author)} for author in citation.authors]),
        "hasPart": [{"@id": entry.path} for entry in entries],
        "mentions": [{"@id": f"#run-{name}"} for name in chosen.last_runs],
    }
    about = {
        "@id": METADATA,
        "@type": "CreativeWork",
        "conformsTo": {"@id": PROFILE},
        "about": {"@id": "./"},
    }
    licences = [
        {"@id": f"{SPDX}{name}", "@type": "CreativeWork", "name": name, "description": f"{name} of the SPDX list"}
        for name in citation.licences
    ]
    runs = map(_run, chosen.last_runs.values())
    graph = [about, root, *map(_file, entries), *map(_author, citation.authors), *licences, _python(chosen), *runs]
    return {"@context": f"{PROFILE}/context", "@graph": graph}


def _file(entry: Entry) -> dict[str, Any]:
    suffix = f".{entry.path.rpartition('.')[2]}"
    made: dict[str, Any] = {
        "@id": entry.path,
        "@type": "File",
        "name": entry.path.rpartition("/")[2],
        "description": entry.about,
        "encodingFormat": KINDS.get(suffix) or mimetypes.guess_type(entry.path)[0] or "text/plain",
        "contentSize": str(len(entry.content)),
        "sha256": entry.digest,
    }
    if suffix in (".py", ".ipynb"):
        made |= {"@type": ["File", "SoftwareSourceCode"], "programmingLanguage": {"@id": PYTHON}}
    return made


def _python(chosen: Selection) -> dict[str, Any]:
    """The language, in the version of the last run."""
    used = [run.versions.partition(",")[0].removeprefix("Python ") for run in chosen.last_runs.values()]
    version = used[-1] if used else platform.python_version()
    return {"@id": PYTHON, "@type": "ComputerLanguage", "name": "Python", "url": PYTHON, "version": version}


def _run(run: LastRun) -> dict[str, Any]:
    """The execution that made a stored notebook."""
    return {
        "@id": f"#run-{run.chapter}",
        "@type": "CreateAction",
        "name": f"Execution of {run.chapter}",
        "description": f"{run.seconds} s of one core; {run.versions}; {run.host}",
        "endTime": run.date,
        "instrument": {"@id": f"chapters/{run.chapter}.py"},
        "result": {"@id": f"chapters/{run.chapter}.ipynb"},
    }


def _one_or_all(values: Sequence[Any]) -> Any:
    """The value, where there is one only: the profile wants no list of one."""
    return values[0] if len(values) == 1 else list(values)


def _author_id(author: Author) -> str:
    return author.orcid or f"#{author.shown.replace(' ', '-')}"


def _author(author: Author) -> dict[str, Any]:
    kind = "Organization" if author.name else "Person"
    return {"@id": _author_id(author), "@type": kind, "name": author.shown}


def _published(citation: Citation, runs: Sequence[LastRun]) -> str:
    """The day of the release; before there is one, of the last run, so that one state of the book is one archive."""
    return citation.released or (period(runs)[1] if runs else date.today()).isoformat()
