"""What loads what: names when they are asked for, and what an extra brings when it is needed."""

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import implicit_bias
import reproduce
from implicit_bias.late import BROUGHT, extra

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DISTRIBUTIONS = {"PIL": "pillow", "sklearn": "scikit-learn", "IPython": "ipykernel",
                 "yaml": "pyyaml", "myst_nb": "myst-nb", "cycler": "matplotlib"}  # fmt: skip
# Before a script: of what is installed there are only NumPy, SciPy and the two packages.
BASE = """
import importlib, pkgutil, sys
from importlib.machinery import PathFinder

class Few:
    def find_spec(self, name, path=None, target=None):
        few = sys.stdlib_module_names | {"numpy", "scipy", "implicit_bias", "reproduce"}
        there = name.partition(".")[0] in few or name.startswith("_sysconfigdata")
        return PathFinder.find_spec(name, path, target) if there else None

sys.meta_path[:] = [one for one in sys.meta_path if getattr(one, "__module__", "") == "_frozen_importlib"] + [Few()]
"""


def printed(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def brought(extra: str) -> set[str]:
    """The distributions that an extra brings."""
    return {re.split(r"[<>=]", one)[0] for one in PROJECT["optional-dependencies"][extra]}


def test_only_the_cone_programs_load_the_modelling_language():
    code = (
        "import importlib, pkgutil, sys, implicit_bias\n"
        "for module in pkgutil.walk_packages(implicit_bias.__path__, 'implicit_bias.'):\n"
        "    importlib.import_module(module.name)\n"
        "print({'cvxpy', 'torch', 'sklearn'} & set(sys.modules))"
    )
    assert printed(code) == "set()\n"


def test_the_package_alone_loads_nothing():
    code = "import sys, implicit_bias\nprint({'numpy', 'scipy', 'implicit_bias.limits'} & set(sys.modules))"
    assert printed(code) == "set()\n"


def test_numpy_and_scipy_are_enough_for_all_that_does_not_draw():
    code = f"""{BASE}
import implicit_bias
for module in pkgutil.walk_packages(implicit_bias.__path__, "implicit_bias."):
    try:
        importlib.import_module(module.name)
    except ModuleNotFoundError as error:
        print(module.name, error)
print(round(implicit_bias.max_margin([[3.0, 4.0]]).margin, 12))
"""
    *lines, last = printed(code).splitlines()
    assert last == "5.0"
    assert [line.split()[0] for line in lines] == ["implicit_bias.figures.films", "implicit_bias.figures.style"]
    assert all(line.endswith("needs matplotlib, which is not installed: pip install 'implicit-bias[plot]'")
               for line in lines)  # fmt: skip


@pytest.mark.parametrize(("call", "package", "wanted"), [
    ("data.digits(np.random.default_rng(0))", "sklearn", "data"),
    ("devices.on_device(np.ones(2), 'cpu')", "torch", "torch"),
    ("limits.interpolation.cone_program([[1.0, 2.0]], [1.0], [1.0, 1.0], [1.0, 1.0])", "cvxpy", "cone"),
])  # fmt: skip
def test_whoever_lacks_an_extra_is_told_which(call, package, wanted):
    code = (
        f"{BASE}\nimport numpy as np\nfrom implicit_bias import data, devices, limits\n"
        f"try:\n    {call}\nexcept ModuleNotFoundError as error:\n    print(error)"
    )
    said = f"this needs {package}, which is not installed: pip install 'implicit-bias[{wanted}]'\n"
    assert printed(code) == said


def test_the_press_names_its_extra_in_one_line():
    code = f"{BASE}\ntry:\n    import reproduce.cli\nexcept ModuleNotFoundError as error:\n    print(error)"
    (line,) = printed(code).splitlines()
    assert line == f"reproduce needs {', '.join(reproduce.PRESS)}, not installed: pip install 'implicit-bias[press]'"


def test_the_extras_are_those_of_the_project():
    for name, packages in BROUGHT.items():
        assert {DISTRIBUTIONS.get(one, one) for one in packages} == brought(name)
    assert {DISTRIBUTIONS.get(one, one) for one in reproduce.PRESS} == brought("press")
    assert {re.split(r"[<>=]", one)[0] for one in PROJECT["dependencies"]} == {"numpy", "scipy"}


def test_a_package_that_no_extra_brings_is_missed_as_it_is():
    with pytest.raises(ModuleNotFoundError, match="No module named 'implicit_bias_of_what'"), extra():
        importlib.import_module("implicit_bias_of_what")


def test_forty_names_at_the_root_for_people_and_for_a_type_checker():
    tree = ast.parse(Path(implicit_bias.__file__).read_text(encoding="utf-8"))
    (block,) = [one for one in tree.body if isinstance(one, ast.If)]
    checked = {name.asname: one.module for one in block.body for name in one.names}
    assert sorted(checked) == implicit_bias.__all__
    assert len(checked) == 40
    for name, module in checked.items():
        assert getattr(implicit_bias, name) is getattr(importlib.import_module(module), name)
    assert {*checked, "limits", "flows", "losses"} <= set(dir(implicit_bias))
    assert {"margin", "certificate"} <= set(dir(implicit_bias.limits))


def test_what_there_is_not_is_no_attribute():
    for package in (implicit_bias, implicit_bias.limits):
        with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'max_magrin'"):
            package.max_magrin  # noqa: B018


def test_the_version_is_that_of_the_project_and_types_are_told():
    assert implicit_bias.__version__ == PROJECT["version"]
    assert (Path(implicit_bias.__file__).parent / "py.typed").is_file()
