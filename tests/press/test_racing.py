"""Methods timed in turns: who is called when, what is counted, and what the library's methods must reach."""

from collections.abc import Callable

import pytest

from reproduce.campaigns.benchmarks import Group
from reproduce.campaigns.racing import Racer, race
from reproduce.ground.errors import PressError


class Watch:
    """A clock that a call moves, and what was called."""

    def __init__(self) -> None:
        self.now = 0.0
        self.calls: list[str] = []

    def __call__(self) -> float:
        return self.now

    def takes(self, name: str, *seconds: float, answer: float = 0.0) -> Callable[[], float]:
        left = list(seconds)

        def call() -> float:
            self.calls.append(name)
            self.now += left.pop(0)
            return answer

        return call


def raced(watch: Watch, *racers: Racer, matched: float = 1e-9) -> Group:
    return race("a problem", racers, lambda answer: answer, matched, clock=watch)


def test_methods_take_turns_after_a_call_that_does_not_count() -> None:
    watch = Watch()
    group = raced(
        watch,
        Racer("peer", watch.takes("peer", 7, 2, 4), rounds=2, plain=True, caution="weak"),
        Racer("long", watch.takes("long", 50), rounds=1, plain=True),
        Racer("library", watch.takes("library", 9, 1, 2, 3), rounds=3),
    )
    assert watch.calls == ["peer", "library", "peer", "long", "library", "peer", "library", "library"]
    assert [(one.method, one.seconds, one.spread, one.rounds) for one in group.timings] == [
        ("long", 50, 0, 1),
        ("peer", 3, 1, 2),
        ("library", 2, 1, 3),
    ]
    assert [one.caution for one in group.timings] == ["", "weak", ""]
    assert group.ratio(group.timings[2]) == 1.5


def test_the_time_of_a_share_is_that_of_the_whole_and_its_error_is_not_asked() -> None:
    watch = Watch()
    racers = [
        Racer("share", watch.takes("share", 3, answer=5.0), rounds=1, plain=True, share=0.01),
        Racer("library", watch.takes("library", 2, answer=1e-12), rounds=1),
    ]
    share, library = raced(watch, *racers).timings
    assert (share.seconds, share.reached, share.error) == (300, "0.01 of it was run", None)
    assert (library.reached, library.error) == ("1.0e-12", 1e-12)


@pytest.mark.parametrize("error", [2e-9, float("nan")])
def test_the_library_must_reach_the_error_and_others_need_not(error: float) -> None:
    watch = Watch()
    peer = Racer("peer", watch.takes("peer", 1, answer=1.0), rounds=1, plain=True)
    with pytest.raises(PressError, match="a problem: library has the error .*; 1.0e-09 is allowed"):
        raced(watch, peer, Racer("library", watch.takes("library", 1, answer=error), rounds=1))
    peer = Racer("peer", watch.takes("peer", 1, answer=1.0), rounds=1, plain=True)
    group = raced(watch, peer, Racer("library", watch.takes("library", 1, answer=1e-9), rounds=1))
    assert [one.error for one in group.timings] == [1.0, 1e-9]
