"""What a job does before and instead of an execution, and that whatever goes wrong in it is an end."""

import socket
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reproduce.ground.errors import PressError, WriteError
from reproduce.running.job import End, Job, Keeper, Outcome, answered, work

if TYPE_CHECKING:
    from press.conftest import TinyBook


@dataclass
class Stubborn(Keeper):
    """Has no folder for anything."""

    error: Exception
    done: list[bool] = field(default_factory=list)  # the answers to whether the job is finished; then it is not
    given_up: list[str] = field(default_factory=list)

    def finished(self, job: Job) -> bool:
        return self.done.pop(0) if self.done else False

    def scratch(self, job: Job) -> AbstractContextManager[Path]:
        raise self.error

    def keep(self, job: Job, outcome: Outcome) -> str:
        raise NotImplementedError

    def give_up(self, job: Job, reason: str, seconds: float) -> None:
        self.given_up.append(reason)


def job(tiny: "TinyBook", keeper: Keeper, **others: str) -> Job:
    return Job(str(tiny.root), "sums/geometric", "geometric", keeper, **others)  # type: ignore[arg-type]


@pytest.mark.parametrize(("error", "code", "said"), [
    (WriteError("cannot write x: no space left on device"), 3, "cannot write x: no space left on device"),
    (OSError("a fault of the disk"), 4, "OSError: a fault of the disk; the press did not expect this, "),
    (ZeroDivisionError("division by zero"), 4, "ZeroDivisionError: division by zero; the press did not expect this, "),
])  # fmt: skip
def test_whatever_goes_wrong_is_an_end_and_its_keeper_is_told(
    tiny: "TinyBook", error: Exception, code: int, said: str
) -> None:
    tiny.chapter("sums/geometric")
    keeper = Stubborn(error)
    end = answered(job(tiny, keeper))
    assert (end.code, end.failure.startswith(said), keeper.given_up) == (code, True, [end.failure])
    with pytest.raises(type(error)):
        work(job(tiny, keeper))


def test_what_another_worker_has_finished_is_neither_done_nor_given_up(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    before = Stubborn(OSError(), [True])
    assert answered(job(tiny, before)) == End()
    meanwhile = Stubborn(OSError(), [False, True])
    assert (answered(job(tiny, meanwhile)).failure, meanwhile.given_up) == ("", [])


def test_another_book_than_the_one_it_is_about_is_not_executed(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric")
    here = End(outdated=socket.gethostname())
    assert work(job(tiny, Stubborn(OSError()), fingerprint="0" * 64)) == here
    chapter.notebook.write_text("{")  # in the middle of an edit
    assert work(job(tiny, Stubborn(OSError()), fingerprint="0" * 64)) == here
    with pytest.raises(PressError):
        work(job(tiny, Stubborn(OSError()), fingerprint=""))
