"""How long a mutant may take: the processor's time counts, and no other program's."""

import time

from mutants import runs


def spinning(seconds, send):
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        pass
    send.send("at last")


def waiting(seconds, send):
    time.sleep(seconds)
    send.send("at last")


def dying(send):
    raise SystemExit


def test_what_calculates_for_too_long_is_stopped():
    assert runs._answer(spinning, (0.1,), 2) == "at last"
    assert runs._answer(spinning, (60,), 1) == "stopped: no answer in 1 s"


def test_a_process_that_the_machine_lets_wait_is_waited_for(monkeypatch):
    assert runs._answer(waiting, (1.5,), 1) == "at last"
    monkeypatch.setattr(runs, "SLOWEST", 1)
    assert runs._answer(waiting, (60,), 1) == "stopped: no answer in 1 s"


def test_one_that_ends_without_an_answer_is_told_apart():
    assert runs._answer(dying, (), 5) == "stopped: the process died"
