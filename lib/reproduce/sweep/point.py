"""One run of a sweep: a job whose outcome is judged and kept as a folder that is whole."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reproduce.claims.ledger import judge
from reproduce.ground.errors import PressError
from reproduce.running.environment import environment
from reproduce.running.job import Job, Keeper, Outcome
from reproduce.running.notebooks import write_notebook
from reproduce.sweep.record import FAILED, FINISHED, read_record, write_record
from reproduce.sweep.store import new_folder


@dataclass(frozen=True)
class RunFolder(Keeper):
    """Keeps a run in a folder of its own; plain values, so that any worker understands it.

    target: the folder.
    room: folder in which it is made.
    commit: of the repository, as the sweep found it.
    """

    target: str
    room: str
    commit: str

    def finished(self, job: Job) -> bool:
        """Whether a run with these parameters and this code lies there: another worker may have left it."""
        return read_record(Path(self.target), job.values).finished(job.fingerprint or "")

    def scratch(self, job: Job) -> AbstractContextManager[Path]:
        """What takes the folder's place when it is whole."""
        return self._new(job)

    def keep(self, job: Job, outcome: Outcome) -> str:
        """Judge the claims, and leave the notebook and the record alone in the folder."""
        short, failed = outcome.chapter.short, outcome.failed
        status, reason, name = FINISHED, "", f"{short}.ipynb"
        if failed is not None:
            status, reason, name = FAILED, f"{failed.where}: {failed.why}", f"{short}.failed.ipynb"
        claims = [
            {**claim.record, "holds": claim.holds, "objections": list(claim.objections)}
            for claim in judge({job.chapter: outcome.notebook}).claims
            if claim.complete
        ]
        for left in outcome.scratch.iterdir():
            left.unlink()
        write_notebook(outcome.notebook, outcome.scratch / name)
        record = self._record(job, status, reason, name, outcome.seconds, claims)
        write_record(outcome.scratch, {**record, "megabytes": outcome.megabytes})
        return reason

    def give_up(self, job: Job, reason: str, seconds: float) -> None:
        """Leave the folder of a run that has no notebook; where even that cannot be written there is none."""
        if self.finished(job):
            return  # another worker finished it meanwhile
        try:
            with self._new(job) as scratch:
                write_record(scratch, self._record(job, FAILED, reason, "", seconds, []))
        except (PressError, OSError):
            pass

    def _new(self, job: Job) -> AbstractContextManager[Path]:
        return new_folder(Path(self.target), job.chapter.rpartition("/")[2], Path(self.room))

    def _record(
        self, job: Job, status: str, reason: str, notebook: str, seconds: float, claims: list[dict[str, Any]]
    ) -> dict[str, Any]:
        return {
            "chapter": job.chapter,
            "parameters": job.values,
            "status": status,
            "reason": reason,
            "notebook": notebook,
            "seconds": round(seconds, 2),
            "fingerprint": job.fingerprint,
            "environment": {**environment(job.root), "commit": self.commit},
            "claims": claims,
        }
