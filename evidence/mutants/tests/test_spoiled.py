"""Each way to spoil a claim is told from the others: refused, the same, listed, idle or passed."""

import numpy as np
import pytest
from mutants.spoiled import EXCHANGED, MEAN, MEASURED, REVERSED, WIDER, holding, spoils, stated

from reproduce.claims import Altered, Claims, author


def ends(monkeypatch, kind, stored=False, **parts):
    """How a claim ends that is stated with these parts, an error of 0.1 and a control, spoiled in each way."""
    records = []
    monkeypatch.setattr(author, "show", lambda record, fill: records.append(record))
    parts = {**({} if "level" in parts else {"proved": 0.1}), **parts}
    getattr(Claims("a"), kind)("claim", **parts)
    (record,) = records
    assert record["passed"], record
    return spoils(stated(record, None if stored else parts))


@pytest.mark.parametrize("stored", [False, True])
def test_an_array_refuses_another_order(monkeypatch, stored):
    theory = np.arange(3.0)
    found = ends(monkeypatch, "limit", stored, theory=theory, measured=theory + 0.05, control=theory + 3)
    assert found == {
        **dict.fromkeys((MEASURED, REVERSED, MEAN, EXCHANGED), "refused"),
        **dict(zip(WIDER, ("passed", "refused"), strict=True)),
    }


def test_a_control_too_near_the_measurement_is_found(monkeypatch):
    found = ends(monkeypatch, "limit", theory=1.0, measured=1.08, control=1.15)
    assert found[MEASURED] == "passed"
    assert holding({"a.claim": found}) == {"a.claim": [MEASURED]}


@pytest.mark.parametrize("stored", [False, True])
def test_a_control_with_a_theory_of_its_own_says_nothing(monkeypatch, stored):
    control = Altered([1.0, 2.0], theory=[3.0, 4.0])
    found = ends(monkeypatch, "limit", stored, theory=[1.0, 2.0], measured=[1.0, 2.0], control=control)
    assert found[MEASURED] == "own"


def test_a_constant_array_has_no_order(monkeypatch):
    found = ends(monkeypatch, "limit", theory=[1.0, 1.01], measured=[1.0, 1.0], control=[2.0, 2.0])
    assert {found[way] for way in (REVERSED, MEAN, EXCHANGED)} == {"same"}


def test_an_array_that_is_the_same_from_both_ends_can_not_be_reversed(monkeypatch):
    theory = np.array([1.0, 3.0, 1.0])
    found = ends(monkeypatch, "limit", theory=theory, measured=theory, control=theory + 9)
    assert [found[way] for way in (REVERSED, MEAN, EXCHANGED)] == ["same", "refused", "refused"]


def test_a_bound_with_room_is_found(monkeypatch):
    found = ends(monkeypatch, "below", theory=[1.0, 5.0], measured=[0.0, 0.5], control=[7.0, 7.0])
    assert (found[MEASURED], found[REVERSED], found[MEAN]) == ("refused", "passed", "passed")


@pytest.mark.parametrize("gap", [0.0, 0.5])
def test_an_ordering_is_spoiled_in_what_was_measured(monkeypatch, gap):
    control = [3.0, 2.0, 1.0]
    found = ends(monkeypatch, "increasing", measured=[1.0, 2.0, 4.0], level=gap, control=control)
    assert MEASURED not in found
    assert {found[way] for way in (REVERSED, EXCHANGED)} == {"refused"}
    assert found[MEAN] == ("passed" if gap == 0 else "refused")


def test_a_tolerance_ten_times_as_wide_that_fresh_seeds_do_not_use_is_found(monkeypatch):
    records = []
    monkeypatch.setattr(author, "show", lambda record, fill: records.append(record))
    Claims("a").limit("claim", 1.0, 1.0, error=0.01, control=2.0)
    found = [spoils(stated(records[0]), worst) for worst in (0.5, 5e-3, 5e-4)]
    assert [tuple(one[way] for way in WIDER) for one in found] == [
        ("passed", "refused"),
        ("idle", "refused"),
        ("passed", "refused"),
    ]
