"""What a docstring shows as an example runs and says what it says, and everything public shows one."""

import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import numpy as np
import pytest

import implicit_bias

LIB = Path(__file__).parents[2] / "lib"
SHOWN = sorted(path for path in (LIB / "implicit_bias").rglob("*.py") if ">>> " in path.read_text(encoding="utf-8"))
# A room of one file has no list of what is public; all that it defines is.
ROOMS = ["activations", "brief", "kernels", "late", "losses", "norms", "potentials", "rates", "scaled_potentials",
         "wrapped_losses"]  # fmt: skip
SHORT = 7  # statements


def public():
    """Every public function and class, with the name by which it is found."""
    for info in pkgutil.walk_packages(implicit_bias.__path__, "implicit_bias."):
        module = importlib.import_module(info.name)
        for name in getattr(module, "__all__", ()):
            yield f"{info.name}.{name}", getattr(module, name)
        if info.name.rpartition(".")[2] in ROOMS:
            for name, thing in vars(module).items():
                own = getattr(thing, "__module__", None) == info.name and not name.startswith("_")
                if own and (inspect.isfunction(thing) or inspect.isclass(thing)):
                    yield f"{info.name}.{name}", thing


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")
@pytest.mark.parametrize("path", SHOWN, ids=lambda path: str(path.relative_to(LIB)))
def test_examples_run(path):
    module = importlib.import_module(".".join(path.relative_to(LIB).with_suffix("").parts).removesuffix(".__init__"))
    names = {"np": np, **{name: getattr(module, name) for name in vars(module)}}
    failed, tried = doctest.testmod(module, extraglobs=names)
    assert tried > 0
    assert failed == 0


def test_everything_public_shows_a_short_example():
    examples = {name: len(doctest.DocTestParser().get_examples(thing.__doc__ or "")) for name, thing in public()}
    assert {name for name, statements in examples.items() if statements == 0} == set()
    assert {name for name, statements in examples.items() if statements > SHORT} == set()
