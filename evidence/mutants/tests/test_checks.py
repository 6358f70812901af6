"""How a mutant ends: what notices it, or who says why nothing need."""

import pytest
from mutants.campaign import of_campaign
from mutants.checks import ended
from mutants.effects import ALONG, NONE, WITHIN
from mutants.places import of_twin, operators
from mutants.runs import promised, script, verdict

from reproduce.ground.errors import PressError

CODE = """
import numpy as np
from implicit_bias.limits.margin.linear import max_margin
from reproduce.claims import Claims

claims = Claims("a")
z = np.array([[1.0, 0.0], [3.0, 1.0]])
margin = max_margin({points}).margin
claims.identity("b", 1.0, {measured}, proved=1e-6, control=2.0)
"""


@pytest.mark.parametrize(
    ("answer", "reason", "end"),
    [
        ("red: a.b", None, "red"),
        ("refused: CertificateError: …", None, "refused"),
        ("stopped: ValueError: …", "the start", "stopped"),
        ("tests: red", None, "held_by_tests"),
        (NONE, None, "no_effect"),
        (ALONG, None, "surviving"),
        (ALONG, "other data", "along"),
        (WITHIN, None, "surviving"),
        (WITHIN, "the start", "excused"),
        (WITHIN, "the guard; held by tests", "surviving"),
        (ALONG, "held by test_linear", "surviving"),
    ],
)
def test_every_end_has_its_name(answer, reason, end):
    assert ended(answer, reason) == end


@pytest.mark.parametrize(
    ("points", "measured", "begin"),
    [
        ("z", "margin", "all claims hold"),
        ("z", "margin + 1", "red: a.b"),
        ("z", "margin / 0", "stopped: ZeroDivisionError"),
        ("z", "np.nan * margin", "red: a.b"),
        ("z @ np.ones(3)", "margin", "stopped: ValueError"),
        ("z[0]", "margin", "stopped: "),
        ("np.vstack([z, -z])", "margin", "refused: "),
    ],
)
def test_a_refusal_of_the_book_is_told_from_errors_of_types_and_shapes(points, measured, begin):
    assert verdict(CODE.format(points=points, measured=measured)).startswith(begin)


@pytest.mark.parametrize(
    ("chapter", "parameters", "why"),
    [
        ("wide_networks/population_risk", {"d": 20}, "d: the default d=20 is not allowed"),
        ("lazy_training/tangent_kernel", {"widths": [64, 256, 1024]}, "len\\(widths\\) == 4 must hold"),
    ],
)
def test_a_chapter_is_tried_at_what_it_declares(chapter, parameters, why):
    with pytest.raises(PressError, match=why):
        script(chapter, parameters)


def test_a_promise_that_a_test_notices_is_kept_by_running_it(monkeypatch):
    (mutant, *_) = [
        one for one in operators("kernels.py") if any("held by test_kernels" in of.reason for of in one.excuses)
    ]
    assert [file.name for file in promised(mutant)] == ["test_kernels.py"]
    asked = []
    monkeypatch.setattr("mutants.campaign._kept_or", lambda key, found: asked.append(found()) or asked[-1])
    monkeypatch.setattr("mutants.campaign.key_of", lambda *given: "key")
    monkeypatch.setattr("mutants.campaign.unchanged", lambda code: ("", 1))
    monkeypatch.setattr("mutants.campaign.verdict", lambda *given: WITHIN)
    monkeypatch.setattr("mutants.campaign.verdict_of_tests", lambda mutant, file: f"tests: {file.stem}")
    assert of_campaign("", mutant) == "tests: test_kernels"
    assert promised(of_twin("y = -x  # mutant: why")[0]) == []
