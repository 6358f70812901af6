"""The PDF of the book: its pages as LaTeX by Jupyter Book, set by XeLaTeX, and what its log finds wrong."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reproduce.chapters.book import Book, shown
from reproduce.ground.errors import PressError, RunFailed, writing
from reproduce.ground.files import replacing, scratch, write_text
from reproduce.pages.downloads import CHAPTERS, FOLDER, note_printed, printed_name
from reproduce.pages.publish import jupyter_book, stage
from reproduce.printed.excerpts import excerpts, split, title_pages
from reproduce.printed.extension import FONTS, PREAMBLE

TOOLS = ("fc-list", "latexmk", "makeindex", "xelatex")
STYLES = ("enumitem.sty", "needspace.sty", "newunicodechar.sty", "tcolorbox.sty", "unicode-math.sty")
PACKAGES = (
    "texlive-xetex texlive-latex-recommended texlive-latex-extra texlive-fonts-recommended latexmk "
    "fonts-linuxlibertine fonts-stix fonts-dejavu"
)
INSTALL = f"apt-get install --no-install-recommends {PACKAGES}"
FAMILY = re.compile(r"(?:\\set\w*font|\\newfontfamily\\\w+)(?:\[[^\]]*\])?\{([^}]+)\}")
SIGNS = "signs.tex"  # which the preamble reads: signs that the text's font does not have
MISSING = re.compile(r"Missing character: There is no (.) .*? in font ([^/\[:!]+)")
OVERFULL = re.compile(r"Overfull \\hbox \((\d+\.\d+)pt too wide\)")
TOO_WIDE = 10.0  # points: from here on a line that sticks out is seen
FALLBACK = (
    "\\newfontfamily\\othersigns{DejaVu Sans}[Scale=MatchLowercase]\n"
    "\\newcommand{\\othersign}[1]{\\ifmmode\\mbox{\\othersigns #1}\\else{\\othersigns #1}\\fi}\n"
)


@dataclass(frozen=True)
class Log:
    """What a run of XeLaTeX found wrong.

    missing: the signs that no font has.
    too_wide: by how many points lines stick out, those by which it is seen.
    """

    missing: tuple[str, ...]
    too_wide: tuple[float, ...]

    @property
    def sentences(self) -> Iterator[str]:
        """What is wrong, in words."""
        if self.missing:
            yield f"{len(self.missing)} signs are missing in the fonts: {' '.join(self.missing)}"
        if self.too_wide:
            yield f"{len(self.too_wide)} lines are too wide, by {max(self.too_wide):.0f} pt at most"


def print_book(book: Book) -> tuple[Path, Log]:
    """Set the stored book as one PDF and each chapter as its own, in the place of the last ones.

    Returns the book's path and what is wrong with it. Raises PressError where LaTeX is missing, RunFailed where it
    stops; the last PDFs are then left as they were.
    """
    demand_latex()
    target = book.build / FOLDER / f"{printed_name(book.root)}.pdf"
    with writing(book.build):
        target.parent.mkdir(parents=True, exist_ok=True)
    with scratch(book.build) as work, writing(book.build):
        source = work / "source"
        stage(book, source, {})
        folder = jupyter_book(book, source, work, "latex")
        made, log = typeset(book, folder)
        found = excerpts(book, made)
        write_text(folder / "titles.tex", title_pages(made, found))
        _xelatex(book, ["xelatex", "-interaction=nonstopmode", "titles.tex"], folder)
        split(made, folder / "titles.pdf", found, target.parent / CHAPTERS)
        with replacing(target) as path:
            shutil.copyfile(made, path)
        note_printed(book)
    return target, log


def demand_latex() -> None:
    """A PressError that names what is missing and how it is installed."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if not missing:
        families = _run(["fc-list", ":", "family"], Path.cwd()).stdout
        missing = [family for family in FAMILY.findall(FONTS + PREAMBLE + FALLBACK) if family not in families]
    if not missing:
        missing = [style for style in STYLES if not _run(["kpsewhich", style], Path.cwd()).stdout.strip()]
    if missing:
        raise PressError(f"the PDF is set by LaTeX, of which this is missing: {', '.join(missing)}; '{INSTALL}' has it")


def typeset(book: Book, folder: Path) -> tuple[Path, Log]:
    """Set a folder that Jupyter Book wrote: once to see which signs the fonts lack, then until nothing changes."""
    main = folder / f"{printed_name(book.root)}.tex"
    _xelatex(book, ["xelatex", "-no-pdf", "-interaction=nonstopmode", main.name], folder)
    signs = read_log(main.with_suffix(".log")).missing
    if signs:
        lines = [f"\\newunicodechar{{{sign}}}{{\\othersign{{{sign}}}}}\n" for sign in signs]
        write_text(folder / SIGNS, FALLBACK + "".join(lines))
    _xelatex(book, ["latexmk", "-xelatex", "-silent", "-interaction=nonstopmode", main.name], folder)
    return main.with_suffix(".pdf"), read_log(main.with_suffix(".log"))


def read_log(path: Path) -> Log:
    """What stands in a log of XeLaTeX."""
    text = path.read_text(encoding="utf-8", errors="replace")
    wide = sorted((float(points) for points in OVERFULL.findall(text)), reverse=True)
    missing = sorted({sign for sign, _ in MISSING.findall(text)})
    return Log(tuple(missing), tuple(points for points in wide if points > TOO_WIDE))


def _xelatex(book: Book, command: list[str], folder: Path) -> None:
    """Run LaTeX; RunFailed with its first error."""
    done = _run(command, folder)
    log = (folder / command[-1]).with_suffix(".log")
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else done.stdout + done.stderr
    errors = [line for line in text.splitlines() if line.startswith("! ")]
    if errors or not log.exists():
        kept = book.build / "latex.log"
        write_text(kept, text)
        raise RunFailed(f"LaTeX stopped: {(errors or ['no reason was given'])[0].lstrip('! ')}; see {shown(kept)}")


def _run(command: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    lines = {"max_print_line": "1000", "error_line": "254", "half_error_line": "238"}  # a log that breaks no line
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, errors="replace", check=False, env={**os.environ, **lines}
    )
