"""Who made the book, in which version, and when and with what its chapters were last run."""

from collections.abc import Sequence

from reproduce.last_run import LastRun, environments, main_versions, period
from reproduce.pages.citation import Citation
from reproduce.pages.templates import render


def colophon(citation: Citation, runs: Sequence[LastRun], chapters: int, printed: str = "") -> str:
    """The block of authors, version, last run and environment as HTML.

    citation: what CITATION.cff says.
    runs: the last execution of each chapter that was ever executed.
    chapters: how many the book has.
    printed: the address of the book's PDF; empty if none is offered.
    """
    return render(
        "colophon",
        citation=citation,
        days=[day.isoformat() for day in dict.fromkeys(period(runs))] if runs else [],
        seconds=sum(run.seconds for run in runs),
        count=len(runs),
        chapters=chapters,
        printed=printed,
        environments=[(main_versions(versions), versions, host) for versions, host in environments(runs)],
    )
