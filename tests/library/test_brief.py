"""Every answer is one line when it is printed."""

import dataclasses
import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import implicit_bias
from implicit_bias import Classification, DiagonalFlow, DiagonalNetwork, follow, max_margin, rank_two
from implicit_bias.brief import brief
from implicit_bias.data import BiasLaw
from implicit_bias.limits.certificate import Certificate


def holds_an_array(made):
    return any("ndarray" in (kind := str(field.type)) and "Callable" not in kind for field in dataclasses.fields(made))


def answers():
    """The public dataclasses of limits and flows that hold an array."""
    for module in pkgutil.walk_packages(implicit_bias.__path__, "implicit_bias."):
        if module.name.startswith(("implicit_bias.limits.", "implicit_bias.flows")):
            gathered = importlib.import_module(module.name)
            public = [getattr(gathered, name) for name in getattr(gathered, "__all__", ())]
            classes = [one for one in public if inspect.isclass(one) and dataclasses.is_dataclass(one)]
            yield from (made for made in classes if holds_an_array(made))


def offered():
    """The dataclasses of the root that hold an array."""
    made = [getattr(implicit_bias, name) for name in implicit_bias.__all__]
    return (one for one in made if dataclasses.is_dataclass(one) and holds_an_array(one))


@pytest.mark.parametrize(
    "made", sorted({*answers(), *offered()}, key=lambda made: made.__name__), ids=lambda made: made.__name__
)
def test_every_answer_is_brief(made):
    assert made.__repr__.__module__ == "implicit_bias.brief"


def test_the_main_number_comes_first_and_the_certificate_is_its_worst():
    z = np.array([[3.0, 4.0], *([30.0, 40.0 + k] for k in range(149))])
    line = repr(max_margin(z))
    assert line.startswith("MaxMargin(margin=5, w=[")
    assert "alpha=<150>" in line
    assert float(line.partition("certificate=")[2].rstrip(")")) < 1e-9
    assert len(line.splitlines()) == 1


def test_a_run_and_a_network_are_lines_too():
    flow = DiagonalFlow(DiagonalNetwork.unbiased(2, scale=0.1, shape=0.0), np.array([[1.0, 2.0]]), np.array([4.0]))
    line = repr(follow(flow, t_end=3.0))
    assert line.startswith("Solution(t=[0, 3], theta=<2 × ")
    assert "converged=True, ended='" in line
    network = rank_two(Classification(np.eye(12), np.repeat([1.0, -1.0], 6)), 0.5, 2, 3)
    assert repr(network).startswith("RankTwo(stable_rank=")
    assert len(repr(network).splitlines()) == 1


def test_each_kind_of_value_has_its_form():
    @brief()
    @dataclasses.dataclass
    class One:
        value: object

    said = {
        1 / 3: "0.333333", 7: "7", True: "True", None: "None", "a run": "'a run'", float("nan"): "nan",
        (1.0, (2, 3)): "(1, (2, 3))", tuple(range(9)): "<9>", np.float64(1e9): "1e+09", np.int64(3): "3",
        Certificate(1e-9, 2e-8, -3e-7): "3e-07", len: "len", BiasLaw(1.0): "BiasLaw",
    }  # fmt: skip
    for value, shown in said.items():
        assert repr(One(value)) == f"One(value={shown})"
    assert repr(One(np.array([1.0, np.inf]))) == "One(value=[1, inf])"
    assert repr(One(np.ones((2, 3)))) == "One(value=<2 × 3>)"
    assert repr(One(np.array(2.5))) == "One(value=2.5)"
