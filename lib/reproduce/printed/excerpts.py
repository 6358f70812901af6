"""The PDF of each chapter: of the book's, its title page, the chapter's pages and the bibliography.

An excerpt keeps the numbers that its pages have in the book, so that both are cited alike.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pypdf import PdfReader, PdfWriter
from pypdf.generic import Destination

from reproduce.errors import RunFailed, writing
from reproduce.files import replacing
from reproduce.printed.offered import CHAPTERS
from reproduce.reading import read_text

LABEL = re.compile(rf"^\\newlabel\{{{CHAPTERS}/([^}}]*)::doc\}}.*\{{([^{{}}]*)\}}\{{\}}\}}$", re.MULTILINE)


def split(pdf: Path, folder: Path) -> None:
    """Write the PDF of each chapter that was printed.

    pdf: the book's, beside which LaTeX left its auxiliary file: in it stands where each document begins.
    folder: where the PDFs are written, under the names of the chapters.
    """
    reader = PdfReader(pdf)
    labels = dict(LABEL.findall(read_text(pdf.with_suffix(".aux"))))
    places = {name: _page(reader, place) for name, place in reader.named_destinations.items()}
    begins = {page for name, page in places.items() if name.startswith(("part.", "chapter"))}
    cited = {page for name, page in places.items() if name.startswith("cite.")}
    titles = dict(reversed(list(_outline(reader, reader.outline))))  # of the entries of a page, the first
    for name, place in labels.items():
        first = places[place]
        end = min((page for page in begins if page > first), default=len(reader.pages))
        path = folder / f"{name}.pdf"
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        with PdfWriter() as writer, replacing(path) as new, writing(path):
            writer.append(reader, pages=[0, *range(first, end), *sorted(cited)])
            writer.add_metadata({"/Title": titles[first]})
            writer.write(new)


def _outline(reader: PdfReader, entries: Sequence[Any]) -> Iterator[tuple[int, str]]:
    """Page, counted from 0, and title of each entry of the outline."""
    for entry in entries:
        if isinstance(entry, list):
            yield from _outline(reader, entry)
        else:
            yield _page(reader, entry), str(entry.title)


def _page(reader: PdfReader, place: Destination) -> int:
    """The page of a place, counted from 0."""
    page = reader.get_destination_page_number(place)
    if page is None:
        raise RunFailed(f"the PDF of the book has no page for {place.title}")
    return page
