"""The PDF of each chapter: a title page of its own, its pages of the book's PDF, and the bibliography.

An excerpt keeps the numbers that its pages have in the book, so that both are cited alike.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pypdf import PdfReader, PdfWriter

from reproduce.chapters.book import Book, is_story, title
from reproduce.ground.errors import writing
from reproduce.ground.files import replacing
from reproduce.ground.reading import read_text
from reproduce.pages.downloads import CHAPTERS
from reproduce.printed.extension import FONTS
from reproduce.printed.text import escaped

LABEL = re.compile(
    rf"^\\newlabel\{{{CHAPTERS}/([^}}]*)::doc\}}\{{\{{([^{{}}]*)\}}.*\{{([^{{}}]*)\}}\{{\}}\}}$", re.MULTILINE
)
TITLE_PAGES = rf"""\documentclass[a4paper]{{article}}
\usepackage{{fontspec,newunicodechar}}
{FONTS}
\InputIfFileExists{{signs.tex}}{{}}{{}}
\pagestyle{{empty}}
\setlength{{\parindent}}{{0pt}}
\begin{{document}}
\raggedright
%s\end{{document}}
"""
TITLE_PAGE = r"""\vspace*{5cm}
{\Huge\bfseries %s\par}
\vspace{1cm}
{\Large Chapter %s of \emph{%s}\par}
\vspace{5mm}
{\large %s\par}
\vspace{2mm}
{\large %s\par}
\vfill
The pages have the numbers that they have in the book; cite them with it. What is blue and leads nowhere leads to
another chapter there. Text and figures: CC BY 4.0. Code: MIT.
\newpage
"""


@dataclass(frozen=True)
class Excerpt:
    """One chapter in the book's PDF.

    name, title, number: of the chapter.
    first, end: its first page and the one behind its last, counted from 0.
    """

    name: str
    title: str
    number: str
    first: int
    end: int


def excerpts(book: Book, pdf: Path) -> list[Excerpt]:
    """The chapters that were printed.

    book: whose chapters they are.
    pdf: the book's, beside which LaTeX left its auxiliary file: in it stands where each document begins.
    """
    reader = PdfReader(pdf)
    places = _places(reader)
    begins = {page for name, page in places.items() if name.startswith(("part.", "chapter"))}
    notebooks = book.notebooks()
    found = []
    for name, number, place in LABEL.findall(read_text(pdf.with_suffix(".aux"))):
        if is_story(f"{CHAPTERS}/{name}"):
            continue
        first = places[place]
        end = min((page for page in begins if page > first), default=len(reader.pages))
        found.append(Excerpt(name, title(notebooks[name]) or name, number, first, end))
    return found


def title_pages(pdf: Path, found: Sequence[Excerpt]) -> str:
    """The title pages of some chapters as LaTeX, one page each.

    pdf: the book's, whose metadata has its title, authors and version.
    found: the chapters.
    """
    known: Mapping[str, Any] = PdfReader(pdf).metadata or {}
    told = [escaped(str(known.get(key, ""))) for key in ("/Title", "/Author", "/Subject")]
    return TITLE_PAGES % "".join(TITLE_PAGE % (escaped(one.title), escaped(one.number), *told) for one in found)


def split(pdf: Path, fronts: Path, found: Sequence[Excerpt], folder: Path) -> None:
    """Write the PDF of each chapter.

    pdf: the book's.
    fronts: the title pages, one for each chapter, in their order.
    found: the chapters.
    folder: where the PDFs are written, under the names of the chapters.
    """
    reader, front = PdfReader(pdf), PdfReader(fronts)
    cited = sorted({page for name, page in _places(reader).items() if name.startswith("cite.")})
    for at, one in enumerate(found):
        pages = [*range(one.first, one.end), *cited]
        path = folder / f"{one.name}.pdf"
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        with PdfWriter() as writer, replacing(path) as new, writing(path):
            writer.append(front, pages=[at], import_outline=False)
            writer.append(reader, pages=pages)
            for here, page in enumerate(pages, start=1):
                writer.set_page_label(here, here, prefix=reader.page_labels[page])
            writer.add_metadata({**(reader.metadata or {}), "/Title": one.title})
            writer.write(new)


def _places(reader: PdfReader) -> dict[str, int]:
    """The page of each named place, counted from 0."""
    pages = {name: reader.get_destination_page_number(place) for name, place in reader.named_destinations.items()}
    return {name: page for name, page in pages.items() if page is not None}
