"""What a job does before and instead of its work, and that whatever goes wrong in it is an end."""

import socket
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from reproduce.ground.errors import WriteError
from reproduce.running.job import BookChanged, End, Job, done
from reproduce.sweep.point import Point
from reproduce.sweep.store import Store

if TYPE_CHECKING:
    from press.conftest import TinyBook


@dataclass(frozen=True, kw_only=True)
class Stubborn(Job):
    """Can do nothing."""

    error: Exception
    answers: list[bool] = field(default_factory=list)  # to whether the job is finished; then it is not
    given_up: list[str] = field(default_factory=list)

    def finished(self) -> bool:
        return self.answers.pop(0) if self.answers else False

    def work(self) -> str:
        raise self.error

    def give_up(self, reason: str, seconds: float) -> None:
        self.given_up.append(reason)


def stubborn(tiny: "TinyBook", error: Exception, *answers: bool) -> Stubborn:
    return Stubborn(book=tiny.book, chapter=tiny.book.chapter("geometric"), name="one", error=error, answers=[*answers])


@pytest.mark.parametrize(("error", "code", "said"), [
    (WriteError("cannot write x: no space left on device"), 3, "cannot write x: no space left on device"),
    (OSError("a fault of the disk"), 4, "OSError: a fault of the disk; the press did not expect this, "),
    (ZeroDivisionError("division by zero"), 4, "ZeroDivisionError: division by zero; the press did not expect this, "),
])  # fmt: skip
def test_whatever_goes_wrong_is_an_end_and_kept(tiny: "TinyBook", error: Exception, code: int, said: str) -> None:
    tiny.chapter("sums/geometric")
    job = stubborn(tiny, error)
    end = done(job)
    assert (end.code, end.failure.startswith(said), job.given_up) == (code, True, [end.failure])


def test_what_another_worker_has_finished_is_neither_done_nor_given_up(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    assert done(stubborn(tiny, OSError(), True)) == End()
    meanwhile = stubborn(tiny, OSError(), False, True)
    assert (done(meanwhile).failure, meanwhile.given_up) == ("", [])


def test_another_book_than_the_one_it_is_about_is_not_executed(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric")
    store = Store(tiny.root / "_build/swept")
    job = Point(book=tiny.book, chapter=chapter, name="default", values={}, code="0" * 64, store=store, commit="")
    with pytest.raises(BookChanged, match=socket.gethostname()):
        done(job)
    chapter.notebook.write_text("{")  # in the middle of an edit
    with pytest.raises(BookChanged):
        done(job)
