"""Verdicts on mutants are found again as long as the chapter's code and what it uses of the library do not change."""

from dataclasses import replace

import pytest
from mutants import store as kept_verdicts
from mutants.campaign import of_campaign
from mutants.places import of_twin
from mutants.store import keep, kept, key_of

CODE = """
from reproduce.claims import Claims

claims = Claims("a")
claims.limit("b", 3.0, 1.0 + 2.0, proved=0.5, control=9)
"""


@pytest.fixture
def store(monkeypatch, tmp_path):
    """An empty store."""
    file = tmp_path / "new" / "mutants.jsonl"
    monkeypatch.setattr(kept_verdicts, "KEPT", file)
    return file


def test_a_verdict_is_found_again_and_a_line_that_was_cut_off_is_none(store):
    assert kept("a") is None
    keep("a", "red: c.d")
    with store.open("a") as lines:
        lines.write('\n["b", "all cla')
    keep("c", "stopped: …")
    kept_verdicts._read.cache_clear()
    assert [kept(key) for key in "abc"] == ["red: c.d", None, "stopped: …"]


def test_a_key_follows_from_what_is_executed_and_from_the_change():
    first, second = of_twin(CODE)[:2]
    key = key_of(CODE, first)
    others = {
        key_of(CODE, second),
        key_of(CODE.replace("9", "8"), first),
        key_of(CODE + "# a word more", first),
        key_of(CODE + "import implicit_bias.rates", first),
        key_of(CODE, replace(first, module="implicit_bias.rates")),
    }
    assert len(others - {key}) == 5


def test_a_campaign_that_was_stopped_goes_on(monkeypatch, store):
    (mutant,) = [one for one in of_twin(CODE) if one.before == "2.0"]
    assert of_campaign(CODE, mutant) == "red: a.b"
    kept_verdicts._read.cache_clear()
    monkeypatch.setattr("mutants.campaign.verdict", None)
    assert of_campaign(CODE, mutant) == "red: a.b"
