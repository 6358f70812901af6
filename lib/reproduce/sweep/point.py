"""One run of a sweep: a job whose outcome is judged and kept as a folder that is whole."""

import json
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reproduce.claims.ledger import judge
from reproduce.ground.errors import PressError
from reproduce.ground.files import write_text
from reproduce.running.environment import environment
from reproduce.running.execute import execute
from reproduce.running.job import BookChanged, Job
from reproduce.running.notebooks import write_notebook
from reproduce.running.staleness import fingerprint
from reproduce.sweep.record import RECORD, RUN_FAILED, RUN_FINISHED
from reproduce.sweep.store import Store


@dataclass(frozen=True, kw_only=True)
class Point(Job):
    """A run, kept in a folder of its own.

    values: the parameters to inject.
    code: fingerprint of what must be executed.
    store: where it is kept.
    commit: of the repository, as the sweep found it.
    cell_limit, limit: seconds that one cell, and the whole execution, may take; None for any time.
    """

    values: Mapping[str, Any]
    code: str
    store: Store
    commit: str
    cell_limit: float | None = None
    limit: float | None = None

    def finished(self) -> bool:
        """Whether a run with these parameters and this code lies there: another worker may have left it."""
        return self.store.find(self.values).finished(self.code)

    def work(self) -> str:
        """Execute the chapter, judge its claims, and leave the notebook and the record alone in the folder."""
        begun = time.monotonic()
        try:
            notebook = self.chapter.read()
            same = fingerprint(self.book, notebook) == self.code
        except (PressError, OSError):  # in the middle of an edit
            same = False
        if not same:
            raise BookChanged(socket.gethostname())
        with self.store.new_folder(self.values, self.chapter) as folder:
            outcome = execute(
                notebook,
                self.chapter.notebook.parent,
                folder,
                self.values,
                cell_limit=self.cell_limit,
                limit=self.limit,
            )
            reason = f"{outcome.where}: {outcome.why}" if outcome.where else ""
            claims = [
                {**claim.record, "holds": claim.holds, "objections": list(claim.objections)}
                for claim in judge({self.chapter.name: outcome.notebook}).claims
                if claim.complete
            ]
            name = f"{self.chapter.short}{'.failed' if reason else ''}.ipynb"
            write_notebook(outcome.notebook, folder / name)
            self._write(folder, reason, time.monotonic() - begun, name, outcome.megabytes, claims)
        return reason

    def give_up(self, reason: str, seconds: float) -> None:
        """Leave the folder of a run that has no notebook; where even that cannot be written there is none."""
        if not self.finished():  # another worker may have finished it meanwhile
            with suppress(PressError, OSError), self.store.new_folder(self.values, self.chapter) as folder:
                self._write(folder, reason, seconds)

    def _write(
        self, folder: Path, reason: str, seconds: float, notebook: str = "", megabytes: int = 0, claims: Any = ()
    ) -> None:
        record = {
            "chapter": self.chapter.name,
            "parameters": self.values,
            "status": RUN_FAILED if reason else RUN_FINISHED,
            "reason": reason,
            "notebook": notebook,
            "seconds": round(seconds, 2),
            "megabytes": megabytes,
            "fingerprint": self.code,
            "environment": {**environment(str(self.book.root)), "commit": self.commit},
            "claims": claims,
        }
        write_text(folder / RECORD, json.dumps(record, indent=1, ensure_ascii=False) + "\n")
