"""An archive of chapters: written whole or not at all, and the same bytes from the same state of the book."""

import zipfile
from collections.abc import Sequence
from pathlib import Path

import jinja2

from reproduce.archive.contents import Entry, Selection, as_json, entries_of
from reproduce.archive.crate import METADATA, crate
from reproduce.archive.metadata import CODECHECK, codecheck_as_text
from reproduce.chapters.book import Book, Chapter, refuse_own_folders, shown
from reproduce.claims.ledger import Ledger
from reproduce.ground.errors import PressError, writing
from reproduce.ground.files import replacing
from reproduce.ground.reading import read_text
from reproduce.pages.citation import read_citation

README, CHECKSUMS = "README.md", "SHA256SUMS"
TEMPLATE = Path(__file__).with_name("readme.md.j2")
BEGIN = (1980, 1, 1, 0, 0, 0)  # the first day that a ZIP knows


def export(book: Book, chapters: Sequence[Chapter], target: Path) -> Ledger:
    """Write chapters with all that a check of their claims needs into a ZIP, and give back what they claim.

    book: which they are of.
    chapters: which; an empty sequence stands for all.
    target: a file that does not exist yet, not among the book's own.

    Raises PressError for a chapter without a notebook, a file that exists or a folder of the book, and WriteError if
    it cannot be written; nothing is then left.
    """
    whole = demand_new_zip(book, target)
    named = {chapter.name for chapter in chapters}
    chosen = Selection(book, [one for one in book.chapters() if one.name in named or not named])
    if not chosen.chapters:
        raise PressError("there is no chapter to export; 'python -m reproduce new PART/CHAPTER' makes one")
    entries = packed(chosen)
    with replacing(whole) as new, writing(whole), zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry in entries:
            member = zipfile.ZipInfo(entry.path, BEGIN)
            member.compress_type, member.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(member, entry.content)
    return chosen.ledger


def demand_new_zip(book: Book, target: Path) -> Path:
    """The path from the root on; a PressError for one that is no new ZIP, or that lies among the book's own files."""
    if target.suffix.lower() != ".zip":
        raise PressError(f"{shown(target)} is not allowed: the archive is a ZIP, so its name must end in .zip")
    with writing(target):  # a name may be too long for the system
        taken = target.is_symlink() or target.exists()
    if taken:
        raise PressError(f"{shown(target)} exists already; remove it or choose another name")
    return refuse_own_folders(book, target)


def packed(chosen: Selection) -> list[Entry]:
    """Every file of the archive: the contents, the page about them, their checksums, and the metadata of all."""
    entries = list(entries_of(chosen))
    manifest = codecheck_as_text(chosen.book, chosen.notebooks)
    entries.append(Entry(CODECHECK, manifest.encode(), "What a check has to reproduce, for CODECHECK"))
    entries.append(Entry(README, _readme(chosen).encode(), "What this archive vouches for, and how to check it"))
    sums = "".join(f"{entry.digest}  {entry.path}\n" for entry in entries)
    entries.append(Entry(CHECKSUMS, sums.encode(), "The sha256 of every file"))
    return [Entry(METADATA, as_json(crate(chosen, entries)).encode(), "This archive as an RO-Crate"), *entries]


def _readme(chosen: Selection) -> str:
    """The page that a stranger reads first."""
    environment = jinja2.Environment(trim_blocks=True, keep_trailing_newline=True, undefined=jinja2.StrictUndefined)
    return environment.from_string(read_text(TEMPLATE)).render(
        citation=read_citation(chosen.book.root),
        commit=chosen.commit,
        ledger=chosen.ledger,
        example=next((claim.id for claim in chosen.ledger.claims if claim.record.get("headline")), "CLAIM"),
        runs=list(chosen.last_runs.values()),
        chapters=[one.name for one in chosen.chapters],
    )
