"""What a docstring shows as an example runs and says what it says, and everything public shows one."""

import contextlib
import doctest
import importlib
import inspect
import io
import pkgutil
import re
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
PAGE = (LIB.parent / "api" / "index.md").read_text(encoding="utf-8")
SHOWS = re.compile(r"```python\n(.*?)```\n\n```\n(.*?)```", re.DOTALL)
TOLD = {"certified": 2, "float64": 9}  # a page, and how many examples it has
HEADED = sorted(page for page in (LIB.parent / "api").rglob("*.md") if "{api} implicit_bias" in page.read_text("utf-8"))
BARE = {"checks", "devices", "figures", "limits"}  # for the library itself, for pictures, and what its pages below show
RECIPES = re.findall(r"^\*\*(.*?)\*\*.*?```python\n(.*?)```\n\n```\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL)


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


@pytest.mark.parametrize(("code", "said"), [one[1:] for one in RECIPES], ids=[one[0] for one in RECIPES])
def test_from_your_data_to_a_prediction_prints_what_the_page_says(code, said):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue() == said
    assert len([line for line in code.splitlines() if line and not line.startswith(("import ", "from "))]) <= 6


@pytest.mark.parametrize("page", HEADED, ids=lambda page: page.stem)
def test_a_page_of_the_reference_begins_with_an_example_of_its_own_that_prints_what_it_says(page):
    head, _, rest = page.read_text("utf-8").partition("```{api} ")
    module, examples = rest.split()[0], SHOWS.findall(head)
    assert len(examples) == (page.stem not in BARE)
    for code, said in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, known := {})
        assert printed.getvalue() == said
        assert len([line for line in code.splitlines() if line and not line.startswith(("import ", "from "))]) <= 6
        assert any(getattr(one, "__module__", "").startswith(module) for name, one in known.items() if name in code)


@pytest.mark.parametrize("page", TOLD)
def test_a_page_that_explains_prints_what_it_says(page):
    known = {}
    examples = SHOWS.findall((LIB.parent / f"{page}.md").read_text(encoding="utf-8"))
    for code, said in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, known)
        assert printed.getvalue() == said
    assert len(examples) == TOLD[page]


def test_the_page_has_a_recipe_for_each_family_and_names_the_forty():
    code = "".join(one[1] for one in RECIPES)
    assert code.count("import numpy") == PAGE.count("```python\n") >= 10
    named = PAGE.partition("## The names")[2].partition("## From your data")[0]
    assert set(re.findall(r"`\.(\w+)`", named.partition("|---|")[2])) == set(implicit_bias.__all__)
