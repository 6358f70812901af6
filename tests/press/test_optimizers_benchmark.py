"""The benchmark of optimizers in benchopt's form: its parts fit together; benchopt itself is not needed here."""

import re
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from implicit_bias.limits.margin import matrix_margin

FOLDER = Path(__file__).parents[2] / "benchmarks" / "optimizers"
DATASETS, SOLVERS = (sorted((FOLDER / name).glob("*.py")) for name in ("datasets", "solvers"))
README = (FOLDER / "README.md").read_text()
pytestmark = pytest.mark.nightly  # by day tests/press/test_benchmarks.py asks for what is imported
(EXAMPLE,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


class Base:
    """What of benchopt's base classes the parts use."""

    parameters: dict[str, list[Any]] = {}  # noqa: RUF012

    def get_seed(self, **_: bool) -> int:
        return 0

    @classmethod
    def every(cls) -> Iterator[Any]:
        """One of each combination of its parameters."""
        for values in product(*cls.parameters.values()):
            made = cls()
            for names, value in zip(cls.parameters, values, strict=True):
                several = "," in names
                made.__dict__.update(zip(names.split(", "), value if several else [value], strict=True))
            yield made


@pytest.fixture(scope="module")
def load() -> Iterator[Callable[[str, str], Any]]:
    """The class of a name in a file's text."""
    benchopt, criteria = ModuleType("benchopt"), ModuleType("benchopt.stopping_criterion")
    benchopt.__dict__.update(dict.fromkeys(("BaseObjective", "BaseDataset", "BaseSolver"), Base))
    criteria.__dict__["NoCriterion"] = object

    def read(text: str, name: str) -> Any:
        module: dict[str, Any] = {}
        exec(text, module)
        return module[name]

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "benchopt", benchopt)
        patch.setitem(sys.modules, "benchopt.stopping_criterion", criteria)
        patch.syspath_prepend(FOLDER)
        yield read
    for name in [one for one in sys.modules if one.startswith("benchmark_utils")]:
        del sys.modules[name]


@pytest.fixture(scope="module", params=DATASETS, ids=lambda file: file.stem)
def objective(request: pytest.FixtureRequest, load: Callable[[str, str], Any]) -> Any:
    (data,) = load(request.param.read_text(), "Dataset").every()
    data.n = 20
    made = load((FOLDER / "objective.py").read_text(), "Objective")()
    made.set_data(**data.get_data())
    return made


def test_the_gap_is_one_before_training_and_zero_at_the_largest_margin(objective: Any) -> None:
    assert set(objective.evaluate_result(**objective.get_one_result()).values()) == {1.0}
    for norm in objective.largest:
        best = matrix_margin(objective.x, objective.y, norm, tol=1e-6)
        gaps = objective.evaluate_result(w=best.w)
        assert 0 <= gaps[norm] < 2e-6
        assert gaps["value"] == min(gaps[one] for one in objective.largest)


@pytest.mark.parametrize(
    "text", [EXAMPLE, *(file.read_text() for file in SOLVERS)], ids=["README", *(file.stem for file in SOLVERS)]
)
def test_each_solver_separates_the_classes(objective: Any, load: Callable[[str, str], Any], text: str) -> None:
    for solver in load(text, "Solver").every():
        left = iter(range(100))
        solver.set_objective(**objective.get_objective())
        solver.run(lambda left=left: next(left, None) is not None)
        gaps = objective.evaluate_result(**solver.get_result())
        assert all(0 <= gap < 1 for gap in gaps.values()), (solver.name, gaps)
        assert np.all(np.isfinite(solver.get_result()["w"]))


def test_the_example_has_no_more_lines_than_are_promised() -> None:
    (most,) = re.findall(r"in (\d+) lines", README)
    assert sum(bool(line.strip()) for line in EXAMPLE.splitlines()) <= int(most)
