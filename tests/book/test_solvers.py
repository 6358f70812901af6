"""The solvers in the pages against the library: 200 drawn problems each, degenerate ones among them, in the browser."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from implicit_bias.checks import Array
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation import HyperbolicEntropy
from implicit_bias.limits.margin import max_margin
from implicit_bias.limits.neuron import NeuronRegularizer, linear_neuron_limit

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
            z[:, 0] = (np.abs(z[:, 0]) + 0.2 * (kind % 2)) * 10 ** stream.uniform(-4 * (kind % 5 == 1), 0)
        if kind % 7 == 0:
            z = np.vstack([z, z[:2], 3 * z[:1]])  # the same points again, and one on the same ray
        if kind % 11 == 0:
            z = np.round(z)  # ties, points at 0
        if kind % 13 == 0:
            z = np.vstack([z, -2 * z[0]])  # 0 on an edge of the hull
        drawn.append(z)
    return drawn


def regressions(count: int, key: int) -> list[tuple[Array, Array, np.random.Generator]]:
    """Samples, labels and a stream for what else is drawn: N = d and N < d, labels of all sizes and 0, all lengths."""
    drawn = []
    for kind in range(count):
        stream = np.random.default_rng((key, kind))
        n = int(stream.integers(1, 6))
        d = int(stream.integers(n + (kind % 9 > 0), 13))
        x = stream.standard_normal((n, d)) * np.exp((kind % 5 == 0) * stream.standard_normal((n, 1)))
        y = stream.standard_normal(n) * 10 ** stream.uniform(-2, 2) * (kind % 17 > 0)
        if kind % 23 == 0:
            x[:, 0] = 0  # a feature that no sample has
        if kind % 13 == 1:
            x[-1] = x[0] + 1e-2 * x[-1]  # nearly the same sample twice
        drawn.append((x, y, stream))
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


def test_a_margin_of_a_millionth_is_proved_all_the_same(page: Page) -> None:
    stream, problems = np.random.default_rng(22), []
    for _ in range(50):
        z = stream.standard_normal((20, 4))
        z[:, 0] = 1e-6 * np.abs(z[:, 0])
        problems.append(z.tolist())
    for z, answer in zip(problems, solved(page, ("orthogonal", "max_margin"), "maxMargin", problems), strict=True):
        assert answer.get("gap", 1) <= AGREE, (z, answer)


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


def test_the_least_entropy_in_the_page_is_the_library_s(page: Page) -> None:
    problems = []
    for kind, (x, y, stream) in enumerate(regressions(PROBLEMS, 20)):
        root = 10 ** stream.uniform(-8, 4) * np.exp(kind % 3 * stream.standard_normal(x.shape[1]))
        problems.append((x, y, root))
    modules = ("orthogonal", "hyperbolic_entropy")
    asked = [[part.tolist() for part in problem] for problem in problems]
    found = solved(page, modules, "(problem) => leastEntropy(...problem)", asked)
    refused, unsolved = 0, 0
    for (x, y, root), answer in zip(problems, found, strict=True):
        entropy = HyperbolicEntropy(root**2)
        try:
            expected = entropy.minimize(x, y)
        except CertificateError as error:  # an answer that is not proved is there to compare with all the same
            expected = error.answer
        if expected is None or "trouble" in answer:  # where the samples nearly depend on each other and k is small
            refused += expected is None
            unsolved += expected is not None
            continue
        assert off(answer["w"], expected.w) <= AGREE, (x, y, root)
        assert off(answer["value"], entropy.value(expected.w)) <= AGREE, (x, y, root)
        assert off(answer["bound"], y @ expected.dual - entropy.conjugate(expected.dual @ x)) <= AGREE, (x, y, root)
        assert max(answer["misfit"], abs(answer["gap"])) <= AGREE, (x, y, root)
    assert refused <= 3
    assert unsolved <= 1


def test_the_neuron_in_the_page_is_the_library_s(page: Page) -> None:
    problems = []
    for kind, (x, y, stream) in enumerate(regressions(PROBLEMS, 21)):
        w0 = stream.standard_normal(x.shape[1]) * 10 ** stream.uniform(-3, 2)
        w0 = x[0].copy() if kind % 19 == 0 else w0  # in the row space
        a0 = float(np.linalg.norm(w0) * (1 + kind % 3 * stream.exponential()) * stream.choice([-1, 1]))
        problems.append((x, y, a0, w0))
    call = """([x, y, a0, w0]) => {
        const answer = linearNeuron(x, y, a0, w0), size = norm(w0), large = Math.abs(a0);
        const q = neuronRegularizer((large - size) * (large + size), w0.map((entry) => a0 * entry));
        return answer.trouble ? answer : {...answer, drawn: q(answer.predictor)};
    }"""
    asked = [[x.tolist(), y.tolist(), a0, w0.tolist()] for x, y, a0, w0 in problems]
    found = solved(page, ("orthogonal", "linear_neuron"), call, asked)
    refused = 0
    for (x, y, a0, w0), answer in zip(problems, found, strict=True):
        try:
            expected = linear_neuron_limit(x, y, a0, w0)
        except CertificateError as error:
            refused += 1
            expected = error.answer
            if expected is None or "trouble" in answer:
                assert answer["trouble"] == "not determined: the label is 0, and a comes to rest at 0", (x, y, a0, w0)
                continue
        assert "trouble" not in answer, (x, y, a0, w0, answer)
        assert off(answer["predictor"], expected.predictor) <= AGREE, (x, y, a0, w0)
        assert off(answer["a"], expected.a) <= AGREE, (x, y, a0, w0)
        size = float(np.linalg.norm(w0))
        potential = NeuronRegularizer((abs(a0) - size) * (abs(a0) + size), a0 * w0)
        terms = potential.radial(float(np.linalg.norm(expected.predictor))), float(potential.z @ expected.predictor)
        for name in ("value", "drawn", "bound"):  # Q, in two ways, and the dual value that proves it
            assert abs(answer[name] - sum(terms)) <= AGREE * sum(map(abs, terms)), (name, x, y, a0, w0)
        assert max(answer["misfit"], abs(answer["gap"])) <= AGREE, (x, y, a0, w0)
    assert refused <= PROBLEMS // 10


@pytest.mark.parametrize(
    ("x", "words"),
    [
        ([[0.0, 0.0]], "no answer: a sample is 0, and predicts 0 for every w"),
        ([[1.0, 2.0], [2.0, 4.0]], "no answer: the samples depend on each other"),
        ([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], "no answer: the samples depend on each other"),
    ],
)
def test_samples_that_leave_no_answer_are_said_in_one_line(page: Page, x: list[list[float]], words: str) -> None:
    y = [1.0] * len(x)
    entropy = solved(page, ("orthogonal", "hyperbolic_entropy"), "(one) => leastEntropy(...one)", [[x, y, [1.0, 1.0]]])
    neuron = solved(page, ("orthogonal", "linear_neuron"), "(one) => linearNeuron(...one)", [[x, y, 2.0, [1.0, 0.0]]])
    assert entropy == neuron == [{"trouble": words}]


@pytest.mark.parametrize(
    ("a0", "w0", "words"),
    [
        (0.0, [0.0, 0.0], "no answer: a start of scale 0 never moves"),
        (1.0, [1.0, 0.0], "not determined: the label is 0, and a comes to rest at 0"),
    ],
)
def test_a_neuron_without_a_limit_is_said_in_one_line(page: Page, a0: float, w0: list[float], words: str) -> None:
    problem = [[[3.0, 0.0]], [0.0], a0, w0]
    found = solved(page, ("orthogonal", "linear_neuron"), "(one) => linearNeuron(...one)", [problem])
    assert found == [{"trouble": words}]
