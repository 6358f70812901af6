"""Parameters: what a cell declares, what a text may be, and what is said when it may not."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

from reproduce.chapters import parameters
from reproduce.chapters.book import Chapter
from reproduce.ground.errors import PressError

CELL = """\
n: int = 30  # number of samples N, in [4, 10000]
scale: float = 1e-3  # scale α of the initialization, in (0, 10]
loss: str = "exponential"  # loss ℓ, one of {exponential, logistic}
steps: list[float] = [1e-3, 3e-3]  # learning rates, each in (0, 1]
widths: list[int] = [10]  # widths, each in [1, inf)
loud: bool = False  # whether to say more, and how
folder: str = ""  # folder of the images, if any, a path or empty"""


def notebook(cell: str) -> NotebookNode:
    v4: Any = nbformat.v4
    return v4.new_notebook(cells=[v4.new_code_cell(cell, metadata={"tags": ["parameters"]})])


@pytest.fixture
def known() -> parameters.Signature:
    return parameters.signature(notebook(CELL), "linear/max_margin")


def test_the_cell_is_read(known: parameters.Signature) -> None:
    rows = [(each.name, each.type, each.default, each.meaning, each.range) for each in known.values()]
    assert rows == [
        ("n", "int", 30, "number of samples N", "[4, 10000]"),
        ("scale", "float", 1e-3, "scale α of the initialization", "(0, 10]"),
        ("loss", "str", "exponential", "loss ℓ", "{exponential, logistic}"),
        ("steps", "list[float]", [1e-3, 3e-3], "learning rates", "(0, 1]"),
        ("widths", "list[int]", [10], "widths", "[1, inf)"),
        ("loud", "bool", False, "whether to say more, and how", "true or false"),
        ("folder", "str", "", "folder of the images, if any", "a path or empty"),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n=4", 4),
        ("n= 10000 ", 10000),
        ("scale=10", 10.0),
        ("scale=2.5e-4", 2.5e-4),
        ("loss=logistic", "logistic"),
        ("steps=1", [1.0]),
        ("steps=[0.1, 2e-2]", [0.1, 0.02]),
        ("widths=1,1000000", [1, 1000000]),
        ("loud=true", True),
        ("loud=no", False),
        ("folder=", ""),
        ("folder=/data/some where", "/data/some where"),
        ("folder=here", str(Path("here").absolute())),
        ("folder=~/here", str(Path.home() / "here")),
    ],
)
def test_a_text_becomes_a_value(known: parameters.Signature, text: str, value: object) -> None:
    (parsed,) = parameters.parse(known, [text], "linear/max_margin").values()
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n=3", "n=3 is not allowed: it must be an int in [4, 10000]"),
        ("n=10001", "n=10001 is not allowed: it must be an int in [4, 10000]"),
        ("n=abc", "n=abc is not allowed: it must be an int in [4, 10000]"),
        ("n=5.0", "n=5.0 is not allowed: it must be an int in [4, 10000]"),
        ("n=", "n='' is not allowed: it must be an int in [4, 10000]"),
        ("scale=0", "scale=0 is not allowed: it must be a float in (0, 10]"),
        ("scale=nan", "scale=nan is not allowed: it must be a float in (0, 10]"),
        ("scale=-inf", "scale=-inf is not allowed: it must be a float in (0, 10]"),
        ("loss=hinge", "loss=hinge is not allowed: it must be one of {exponential, logistic}"),
        (
            "steps=0.1,2",
            "steps=0.1,2 is not allowed: it must be one or more floats, separated by commas, each in (0, 1]",
        ),
        ("steps=[]", "steps=[] is not allowed: it must be one or more floats, separated by commas, each in (0, 1]"),
        ("widths=0", "widths=0 is not allowed: it must be one or more ints, separated by commas, each in [1, inf)"),
        ("loud=maybe", "loud=maybe is not allowed: it must be true or false"),
        ("loud=", "loud='' is not allowed: it must be true or false"),
        ("n=4\n5", "n=4\\n5 is not allowed: it must be an int in [4, 10000]"),
        ("n=" + "9" * 5000, f"n={'9' * 60}… (5000 characters) is not allowed: it must be an int in [4, 10000]"),
        ("a\nb=1", "unknown parameter 'a\\nb'; linear/max_margin has n, scale, loss, steps, widths, loud, folder"),
        ("folder=~nosuchuser/x", "folder=~nosuchuser/x is not allowed: it must be a path or empty"),
        ("folder=a\0b", "folder=a\\x00b is not allowed: it must be a path or empty"),
        ("n", "'n' is not a parameter: it must be name=value"),
        ("=3", "'=3' is not a parameter: it must be name=value"),
        ("scal=1", "unknown parameter 'scal'; did you mean scale?"),
        ("zzz=1", "unknown parameter 'zzz'; linear/max_margin has n, scale, loss, steps, widths, loud, folder"),
    ],
)
def test_what_is_not_allowed_is_named(known: parameters.Signature, text: str, said: str) -> None:
    with pytest.raises(PressError) as refusal:
        parameters.parse(known, [text], "linear/max_margin")
    assert str(refusal.value) == said


def test_an_endless_range_still_refuses_what_is_not_finite() -> None:
    known = parameters.signature(notebook("t: float = 1.0  # time, in [0, inf)"), "linear/max_margin")
    with pytest.raises(PressError, match="t=inf is not allowed"):
        parameters.parse(known, ["t=inf"], "linear/max_margin")


def test_a_name_given_twice_is_refused(known: parameters.Signature) -> None:
    with pytest.raises(PressError, match="parameter n is given twice"):
        parameters.parse(known, ["n=5", "n=6"], "linear/max_margin")


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("n = 3  # samples, in [1, 5]", "must hold nothing but 'name: type = default': n = 3"),
        ("n: int = 3", "parameter n: its comment must end in a range such as 'in [1, 10)', with a meaning before it"),
        ("n: int = 3  # in [1, 5]", "parameter n: its comment must end in a range"),
        ("n: int = 9  # samples, in [1, 5]", "the default n=9 is not allowed: it must be an int in [1, 5]"),
        ("n: int = 3.0  # samples, in [1, 5]", "the default n=3.0 is not allowed"),
        ("n: int = True  # samples, in [1, 5]", "the default n=True is not allowed"),
        ("n: int = 3  # samples, in [1, 5.5]", "the ends of its range must be ints or inf"),
        ("n: complex = 3  # samples, in [1, 5]", "type complex is not one of int, float"),
        ("n: int = 2 + 1  # samples, in [1, 5]", "the default 2 + 1 must be a plain value"),
        ("n: int = 3  # samples, N=n, in [1, 5]", "parameter n is not 'name: type = default  # meaning, in RANGE'"),
        ("loss: str = 'a'  # loss", "its comment must end in 'one of {a, b}'"),
        ("loud: bool = True", "parameter loud has no meaning"),
        ("n: int = ", "the cell of parameters is not Python"),
    ],
)
def test_a_cell_that_does_not_declare_is_refused(cell: str, said: str) -> None:
    with pytest.raises(PressError) as refusal:
        parameters.signature(notebook(cell), "linear/max_margin")
    assert str(refusal.value).startswith("linear/max_margin: ")
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_notebook_without_the_cell_has_no_parameters() -> None:
    v4: Any = nbformat.v4
    assert parameters.signature(v4.new_notebook(cells=[v4.new_code_cell("1")]), "linear/max_margin") == {}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("n: 500\nscale: 1.0e-3", {"n": 500, "scale": 1e-3}),
        ("scale: 1\nsteps: [0.5, 1]\nloud: true", {"scale": 1.0, "steps": [0.5, 1.0], "loud": True}),
    ],
)
def test_the_scale_of_the_paper_is_read(
    known: parameters.Signature, tmp_path: Path, text: str, values: dict[str, object]
) -> None:
    chapter = Chapter("linear/max_margin", tmp_path / "max_margin.ipynb")
    chapter.paper.write_text(text)
    assert parameters.paper_values(known, chapter) == values


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "scale: 1e-3",
            "scale=1e-3 is not allowed: it must be a float in (0, 10] (YAML reads 1e-3 as text; write 1.0e-3)",
        ),
        ("scale: 1e3", "(YAML reads 1e3 as text; write 1.0e+3)"),
        ("n: 5.0", "n=5.0 is not allowed"),
        ("n: true", "n=True is not allowed"),
        ("steps: 0.5", "steps=0.5 is not allowed"),
        ("width: 7", "unknown parameter 'width'; did you mean widths?"),
        ("7", "must hold one 'name: value' for each parameter"),
        ("n: [", "is not YAML"),
        ("n: 1" + "0" * 400, "n=1000000000"),
        ("scale: 1" + "0" * 400, "is not allowed: it must be a float in (0, 10]"),
        ("n: 1" + "0" * 5000, "max_margin.paper.yaml is not YAML: Exceeds the limit"),
        ("[" * 100_000, "max_margin.paper.yaml is not YAML"),
        ("? [[1]]\n: 2", "max_margin.paper.yaml is not YAML"),
        ('folder: "a\\0b"', "is not allowed: it must be a path or empty"),
        ('folder: "\\uD800"', "max_margin.paper.yaml"),
    ],
)
def test_a_wrong_scale_of_the_paper_is_named(known: parameters.Signature, tmp_path: Path, text: str, said: str) -> None:
    chapter = Chapter("linear/max_margin", tmp_path / "max_margin.ipynb")
    chapter.paper.write_text(text)
    with pytest.raises(PressError) as refusal:
        parameters.paper_values(known, chapter)
    assert "max_margin.paper.yaml" in str(refusal.value)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)
