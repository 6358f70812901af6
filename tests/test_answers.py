"""The certified answers, each proved again from its file alone, by NumPy; and the same answers, when solved anew."""

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).parents[1]
NAMES = ("separable", "interpolators", "gamma_1", "gamma_2", "deconvolution", "shifted_labels", "rank_two")
TINY = 1e-9  # relative
MOVED = 1e-4  # relative: the masses of a certified optimum, found on another processor; 3e-5 was seen


def read(name: str) -> dict[str, Any]:
    return json.loads((ROOT / "answers" / f"{name}.json").read_text(encoding="utf-8"))


def arrays(values: dict[str, Any]) -> dict[str, Any]:
    return {name: np.array(value, dtype=float) for name, value in values.items()}


def parts(kept: dict[str, Any], name: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Data, answer and certificate of one answer."""
    (one,) = [one for one in kept["answers"] if one["name"] == name]
    return arrays(kept["data"]), arrays(one["answer"]), arrays(one["certificate"])


def demand(primal: float, dual: float, value: float) -> None:
    """The values of a minimization and of its dual agree with each other and with the stored one."""
    assert dual <= primal + TINY * abs(primal)
    assert primal - dual <= TINY * abs(primal)
    assert abs(primal - value) <= TINY * abs(value)


def l2_margin(kept: dict[str, Any]) -> None:
    data, best, proof = parts(kept, "l2")
    z, w, alpha = data["z"], best["w"], proof["alpha"]
    assert np.all(z @ w >= 1 - TINY)
    assert np.all(alpha >= 0)
    demand(w @ w / 2, alpha.sum() - np.sum((alpha @ z) ** 2) / 2, 0.5 / best["margin"] ** 2)


def l1_margin(kept: dict[str, Any]) -> None:
    data, best, proof = parts(kept, "l1")
    z, w, alpha = data["z"], best["w"], proof["alpha"]
    assert np.all(z @ w >= 1 - TINY)
    assert np.all(alpha >= 0)
    assert np.all(np.abs(alpha @ z) <= 1 + TINY)
    demand(np.abs(w).sum(), alpha.sum(), 1 / best["margin"])


def entropy(kept: dict[str, Any]) -> None:
    data, best, proof = parts(kept, "entropy")
    x, y, root, w, dual = data["x"], data["y"], data["root_k"], best["w"], proof["dual"]
    assert np.linalg.norm(x @ w - y) <= TINY * np.linalg.norm(y)
    u, force = 2 * w / root, dual @ x
    primal = np.sum(root / 4 * (1 - np.sqrt(1 + u**2) + u * np.arcsinh(u)))
    demand(primal, y @ dual - np.sum(root / 2 * np.sinh(force) ** 2), best["value"])


def l1_interpolator(kept: dict[str, Any]) -> None:
    data, best, proof = parts(kept, "l1")
    x, y, w, dual = data["x"], data["y"], best["w"], proof["dual"]
    assert np.linalg.norm(x @ w - y) <= TINY * np.linalg.norm(y)
    assert np.all(np.abs(dual @ x) <= 1 + TINY)
    demand(np.abs(w).sum(), y @ dual, best["value"])


def l2_interpolator(kept: dict[str, Any]) -> None:
    data, best, proof = parts(kept, "l2")
    x, y, w, dual = data["x"], data["y"], best["w"], proof["dual"]
    assert np.linalg.norm(x @ w - y) <= TINY * np.linalg.norm(y)
    demand(w @ w / 2, y @ dual - np.sum((dual @ x) ** 2) / 2, best["value"])


def largest_response(x: np.ndarray, c: np.ndarray) -> float:
    """max over the unit sphere of |Σ c_i (u·x_i)₊|, exactly, for points in general position in space.

    On a cell of the arrangement {u·x_i = 0} the sum is linear, g·u: largest at g/‖g‖, if that lies in the cell, or
    on an edge, at the projection of g, or at a vertex. Each cell and each edge has a vertex x_i × x_j, so that all
    patterns are seen from there. A candidate that lies elsewhere is a point of the sphere too, and its value no larger.
    """
    found = []
    for i, j in itertools.combinations(range(len(x)), 2):
        vertex = np.cross(x[i], x[j])
        for u in (vertex / np.linalg.norm(vertex), -vertex / np.linalg.norm(vertex)):
            candidates = [u]
            active = x @ u > 0
            for signs in itertools.product((False, True), repeat=2):
                active[[i, j]] = signs
                g = (c * active) @ x
                candidates += [g, *(g - (g @ x[k]) / (x[k] @ x[k]) * x[k] for k in (i, j))]
            found += [sign * one / np.linalg.norm(one) for one in candidates if np.any(one) for sign in (1, -1)]
    return float(np.max(np.abs(np.maximum(np.array(found) @ x.T, 0) @ c)))


def gamma_1(kept: dict[str, Any]) -> None:
    data, best, proof = parts(kept, "gamma_1")
    x, y, p = data["x"], data["y"], proof["weights"]
    u, masses = best["directions"], best["masses"]
    assert np.all(p >= 0)
    assert abs(p.sum() - 1) <= TINY
    total = np.abs(masses) @ np.linalg.norm(u, axis=1)
    reached = np.min(y * (np.maximum(x @ u.T, 0) @ masses)) / 2 / total
    bound = largest_response(x, p * y) / 2
    demand(bound, reached, best["bound"])
    demand(bound, reached, best["margin"])


def gamma_2(kept: dict[str, Any]) -> None:
    data, best, proof = parts(kept, "gamma_2")
    x, y, alpha = data["x"], data["y"], proof["alpha"]
    length = np.linalg.norm(x, axis=1)
    angle = np.arccos(np.clip(x @ x.T / np.outer(length, length), -1, 1))
    gram = np.outer(length, length) * (np.sin(angle) + (np.pi - angle) * np.cos(angle)) / (2 * np.pi)
    assert np.all(alpha >= 0)
    force, p = alpha * y, alpha * y / alpha.sum()
    reached = np.min(y * (gram @ force)) / np.sqrt(force @ gram @ force)
    demand(np.sqrt(p @ gram @ p), reached, best["margin"])


def least_of_polynomial(coefficients: np.ndarray, side: int = 2000) -> float:
    """A lower bound over the torus of Re Σ_k C_k e^{ik·θ}, |k_i| ≤ K.

    A real trigonometric polynomial of degree K is at most 1/cos(πK/M) times as large as on M equidistant points.
    """
    cutoff = len(coefficients) // 2
    waves = np.exp(1j * np.outer(2 * np.pi * np.arange(side) / side, np.arange(-cutoff, cutoff + 1)))
    values = np.real(waves @ coefficients @ waves.T)
    middle, half = (values.max() + values.min()) / 2, (values.max() - values.min()) / 2
    return float(middle - half / np.cos(np.pi * cutoff / side) ** 2)


def deconvolution(kept: dict[str, Any], penalty: float) -> None:
    data, best, proof = parts(kept, f"penalty_{penalty:g}")
    cutoff, masses = int(data["cutoff"]), best["masses"]
    assert proof["penalty"] == penalty
    assert np.all(masses > 0)
    k = np.stack(np.meshgrid(*[np.arange(-cutoff, cutoff + 1)] * 2, indexing="ij"), axis=-1)
    known = np.exp(-1j * k @ data["positions"].T) @ data["masses"]
    residual = np.exp(-1j * k @ best["positions"].T) @ masses - known
    primal = np.sum(np.abs(residual) ** 2) / 2 + penalty * masses.sum()
    scale = min(1.0, penalty / -least_of_polynomial(residual))  # then ⟨φ, p⟩ + λ ≥ 0 on the whole torus
    p = scale * residual
    dual = -np.sum(np.abs(p) ** 2) / 2 - np.real(np.vdot(p, known))
    assert dual <= primal
    assert primal - dual <= 1e-4 * primal  # what the bound over the torus costs
    assert abs(primal - best["value"]) <= TINY * primal


def ramp_kernel(x: np.ndarray, reach: float) -> np.ndarray:
    """E[(wx − b)₊(wz − b)₊], w = ±1 and b uniform, piece by piece between the kinks, where it is a parabola in b."""
    nodes, weights = np.polynomial.legendre.leggauss(4)
    gram = np.zeros((len(x), len(x)))
    for sign in (1.0, -1.0):
        edges = np.sort(np.concatenate([[-reach, reach], sign * x]))
        for low, high in itertools.pairwise(edges):
            b = (low + high) / 2 + nodes * (high - low) / 2
            ramp = np.maximum(sign * x[:, None] - b, 0)
            gram += (ramp * weights * (high - low) / 2) @ ramp.T / (4 * reach)
    return gram


def shifted(kept: dict[str, Any], shift: float) -> None:
    data, best, proof = parts(kept, f"shift_{shift:+g}")
    x, charges, reach = data["x"], proof["charges"], float(data["reach"])
    labels = data["y"] + shift
    assert proof["shift"] == shift
    gram = ramp_kernel(x, reach)
    assert np.max(np.abs(gram @ charges - labels)) <= TINY * np.max(np.abs(labels))
    demand(charges @ gram @ charges, 2 * labels @ charges - charges @ gram @ charges, best["value"])
    mean = (x**2 + reach**2) / (2 * reach)  # E|x − b|
    assert abs(charges @ mean / 2 - best["jump"]) <= TINY * np.abs(charges) @ mean


def rank_two(kept: dict[str, Any]) -> None:
    data, best, proof = parts(kept, "rank_two")
    x, y, slope, v, u, multipliers = (data["x"], data["y"], data["slope"], best["v"], best["u"], proof["multipliers"])
    positive, negative = int(data["positive"]), int(data["negative"])
    root = np.sqrt(positive + negative)
    hidden = [np.where(x @ row > 0, x @ row, slope * (x @ row)) for row in (v, u)]
    margins = y * (positive * hidden[0] - negative * hidden[1]) / root
    assert np.all(np.abs(margins - 1) <= TINY)
    assert np.all(multipliers > 0)
    for row, sign in ((v, 1), (u, -1)):  # ∇½‖W‖² = Σ λ_i ∇(y_i f(x_i)), the multipliers of the margins
        gate = np.where(x @ row > 0, 1.0, slope)
        assert np.max(np.abs(row - sign * (multipliers * gate * y) @ x / root)) <= TINY * np.max(np.abs(row))
    demand((positive * v @ v + negative * u @ u) / 2, multipliers.sum() / 2, best["value"])


CHECKS = {
    "separable": {"l2": l2_margin, "l1": l1_margin},
    "interpolators": {"entropy": entropy, "l1": l1_interpolator, "l2": l2_interpolator},
    "gamma_1": {"gamma_1": gamma_1},
    "gamma_2": {"gamma_2": gamma_2},
    "deconvolution": {f"penalty_{p:g}": lambda kept, p=p: deconvolution(kept, p) for p in (1.0, 4.0)},
    "shifted_labels": {f"shift_{c:+g}": lambda kept, c=c: shifted(kept, c) for c in (-2.0, -1.0, 0.0, 1.0, 2.0)},
    "rank_two": {"rank_two": rank_two},
}


@pytest.mark.parametrize(("name", "answer"), [(name, answer) for name, known in CHECKS.items() for answer in known])
def test_an_answer_is_proved_again_from_its_file(name: str, answer: str) -> None:
    CHECKS[name][answer](read(name))


@pytest.mark.nightly  # a test of these tests
@pytest.mark.parametrize(("name", "answer"), [(name, answer) for name, known in CHECKS.items() for answer in known])
def test_a_changed_answer_is_refused(name: str, answer: str) -> None:
    kept = read(name)
    (one,) = [one for one in kept["answers"] if one["name"] == answer]
    for entry in one["answer"]:
        changed = json.loads(json.dumps(kept))
        (spoilt,) = [one for one in changed["answers"] if one["name"] == answer]
        values = np.array(spoilt["answer"][entry])
        values.flat[np.argmax(np.abs(values))] *= 1 + 1e-3
        spoilt["answer"][entry] = values.tolist()
        with pytest.raises(AssertionError):
            CHECKS[name][answer](changed)


def test_there_is_a_check_of_every_stored_answer_and_each_follows_the_schema() -> None:
    folder = ROOT / "answers"
    assert {path.stem for path in folder.glob("*.json")} == {*NAMES, "answer.schema"}
    validator = Draft202012Validator(json.loads((folder / "answer.schema.json").read_text(encoding="utf-8")))
    for name in NAMES:
        kept = read(name)
        assert [error.message for error in validator.iter_errors(kept)] == []
        assert kept["name"] == name
        assert [one["name"] for one in kept["answers"]] == list(CHECKS[name])
        used = {entry for one in kept["answers"] for part in ("answer", "certificate") for entry in one[part]}
        assert used | set(kept["data"]) == set(kept["entries"])
        assert f"{{download}}`{name}.json`" in (folder / "index.md").read_text(encoding="utf-8")


def test_solved_anew_the_answers_are_the_stored_ones() -> None:
    program = "import json; from answers.__main__ import PROBLEMS, made; " \
        "print(json.dumps([made(name, one) for name, one in PROBLEMS.items()]))"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    for fresh in json.loads(done.stdout):
        kept = read(fresh["name"])
        assert {key: kept[key] for key in ("version", "chapter", "source", "parameters", "entries")} == {
            key: fresh[key] for key in ("version", "chapter", "source", "parameters", "entries")}  # fmt: skip
        same(kept["data"], fresh["data"])
        for mine, theirs in zip(kept["answers"], fresh["answers"], strict=True):
            same(mine["answer"], theirs["answer"])


def same(stored: dict[str, Any], fresh: dict[str, Any]) -> None:
    assert list(stored) == list(fresh)
    for name, value in arrays(stored).items():
        other = np.array(fresh[name], dtype=float)
        assert value.shape == other.shape
        assert np.max(np.abs(value - other)) <= MOVED * np.max(np.abs(value)), name
