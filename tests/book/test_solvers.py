"""The solvers in the pages against the library: 200 drawn problems each, degenerate ones among them, in the browser."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from implicit_bias.checks import Array
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import max_margin

SOLVE = Path(__file__).parents[2] / "_solve"
PROBLEMS = 200
AGREE = 1e-9  # relative


def solved(page: Page, modules: tuple[str, ...], call: str, problems: list[Any]) -> list[dict[str, Any]]:
    """What the modules answer in the browser, one answer a problem."""
    source = "".join((SOLVE / f"{module}.js").read_text(encoding="utf-8") for module in modules)
    found: list[dict[str, Any]] = page.evaluate(f"(problems) => {{ {source}; return problems.map({call}); }}", problems)
    assert len(found) == len(problems)
    return found


def off(found: Any, expected: Any) -> float:
    """The distance of an answer from the library's, relative."""
    wanted = np.asarray(expected, dtype=float)
    miss = float(np.linalg.norm(np.asarray(found, dtype=float) - wanted))
    return miss / float(np.linalg.norm(wanted)) if miss > 0 else 0.0


def signed_points(count: int) -> list[Array]:
    """Signed points of 1 to 6 dimensions: wide and narrow margins, equal and dependent points, hulls that hold 0."""
    stream = np.random.default_rng(19)
    drawn = []
    for kind in range(count):
        n, d = int(stream.integers(1, 25)), int(stream.integers(1, 7))
        z = stream.standard_normal((n, d)) * np.exp(kind % 3 * stream.standard_normal((n, 1)))
        if kind % 4:
            z[:, 0] = np.abs(z[:, 0]) + 0.2 * (kind % 2)
        if kind % 7 == 0:
            z = np.vstack([z, z[:2], 3 * z[:1]])  # the same points again, and one on the same ray
        if kind % 11 == 0:
            z = np.round(z)  # ties, points at 0
        if kind % 13 == 0:
            z = np.vstack([z, -2 * z[0]])  # 0 on an edge of the hull
        drawn.append(z)
    return drawn


def test_the_margin_in_the_page_is_the_library_s(page: Page) -> None:
    problems = signed_points(PROBLEMS)
    found = solved(page, ("orthogonal", "max_margin"), "maxMargin", [z.tolist() for z in problems])
    refused = 0
    for z, answer in zip(problems, found, strict=True):
        try:
            expected = max_margin(z)
        except CertificateError:
            refused += 1
            assert answer["trouble"].startswith("not separable: "), z
            continue
        assert "trouble" not in answer, (z, answer)
        assert off(answer["w"], expected.w) <= AGREE, z
        assert off(answer["margin"], expected.margin) <= AGREE, z
        assert off(answer["bound"], expected.margin) <= AGREE, z
        assert off(np.asarray(answer["alpha"]) @ z, expected.w) <= AGREE, z
        assert abs(answer["gap"]) <= AGREE, z
    assert 20 <= refused <= PROBLEMS // 2


@pytest.mark.parametrize(
    ("z", "words"),
    [
        ([[1.0, 0.0], [0.0, 0.0]], "not separable: a point lies at 0"),
        ([[1.0, 0.0], [-2.0, 0.0]], "not separable: 0 lies in the hull of the signed points"),
        ([[1.0, 0.0], [-1.0, 1.0], [-1.0, -1.0]], "not separable: 0 lies in the hull of the signed points"),
    ],
)
def test_what_cannot_be_separated_is_said_in_one_line(page: Page, z: list[list[float]], words: str) -> None:
    assert solved(page, ("orthogonal", "max_margin"), "maxMargin", [z]) == [{"trouble": words}]
