"""Relations between parameters: what may be declared, and what they refuse before anything runs."""

import re
from typing import TYPE_CHECKING, Any

import nbformat
import pytest

from reproduce.chapters import parameters
from reproduce.ground.errors import PressError
from reproduce.sweep.grid import parse_grid

if TYPE_CHECKING:
    from conftest import TinyBook

CELL = """\
n: int = 30  # number of samples N, in [1, 1000000]
d: int = 200  # dimension, in [1, 1000000]
scale: float = 0.5  # scale, in [-10, 10]
rates: list[float] = [0.1]  # learning rates, each in (0, 1]
loud: bool = False  # whether to say more"""


def signature(*relations: str) -> parameters.Signature:
    v4: Any = nbformat.v4
    cell = "\n".join([CELL, *(f"# where {relation}" for relation in relations)])
    tagged = v4.new_code_cell(cell, metadata={"tags": ["parameters"]})
    return parameters.signature(v4.new_notebook(cells=[tagged]), "linear/max_margin")


@pytest.mark.parametrize(
    ("relation", "good", "bad"),
    [
        ("n < d", {"n": 199}, {"n": 200}),
        ("n <= d - 1", {"d": 31}, {"d": 30}),
        ("0 < n < d", {}, {"d": 5}),
        ("n < d and scale > 0", {}, {"scale": -1.0}),
        ("n * scale ** 2 <= 7.5", {}, {"scale": 0.6}),
        ("d // n >= 2 and d / n != 7", {}, {"d": 210}),
        ("-scale < +n", {}, {"scale": -10.0, "n": 1}),
        ("(n + d) * 2 == 460", {}, {"n": 31}),
        ("d > 10 and (n < d)", {}, {"n": 200}),
        ("n % 2 == 0", {"n": 2}, {"n": 3}),
        ("len(rates) >= 1", {}, {"rates": []}),
        ("len(set(rates)) == len(rates)", {"rates": [0.1, 0.2]}, {"rates": [0.1, 0.1]}),
        ("rates == sorted(set(rates))", {"rates": [0.1, 0.2]}, {"rates": [0.2, 0.1]}),
        ("rates[0] <= 10 * rates[-1]", {"rates": [0.1, 0.2]}, {"rates": [0.9, 0.01]}),
        ("max(rates) < 3 * min(rates)", {"rates": [0.1, 0.2]}, {"rates": [0.1, 0.4, 0.2]}),
    ],
)
def test_a_relation_is_checked_with_the_defaults_of_the_others(
    relation: str, good: dict[str, Any], bad: dict[str, Any]
) -> None:
    known = signature(relation)
    parameters.check_relations(known, good)
    with pytest.raises(PressError) as refusal:
        parameters.check_relations(known, bad)
    broken = relation.split(" and ")[-1].strip("()") if "and (" in relation else relation.split(" and ")[-1]
    assert f" is not allowed: {broken} must hold" in str(refusal.value)
    assert all(f"{name}={value}" in str(refusal.value) for name, value in bad.items())


@pytest.mark.parametrize(
    ("relation", "said"),
    [
        ("n", "n is not a comparison"),
        ("n < m", "m is not a parameter that is a number"),
        ("rates < 1", "rates=[0.1] is not allowed: rates < 1 cannot be computed ('<' not supported"),
        ("loud == 1", "loud is not a parameter that is a number"),
        ("n <", "invalid syntax"),
        ("the data come from", "invalid syntax"),
        ("1 < 2", "it has no parameter in it"),
        ("n < d or d < n", "n < d or d < n is not a comparison"),
        ("not n < d", "not n < d is not a comparison"),
        ("n < abs(d)", "abs(d) may not stand in it"),
        ("n < n.real", "n.real may not stand in it"),
        ("n < d & 2", "d & 2 may not stand in it"),
        ("rates[n] < 1", "[n] may not stand in it"),
        ("rates[1] < 1", "rates[1] < 1 cannot be computed (list index out of range)"),
        ("rates * 3 == rates", "rates * 3 == rates cannot be computed (a list stands where a number must)"),
        ("max(rates, n) < 1", "max(rates, n) may not stand in it"),
        ("n in (n, d)", "n in (n, d) is not a comparison"),
        ("n < '1'", "'1' may not stand in it"),
        ("n < True", "True may not stand in it"),
        ("n < 1j", "1j may not stand in it"),
        ("n < (lambda: d)()", "may not stand in it"),
        ("n > d", "by default n=30, d=200 is not allowed: n > d must hold"),
        ("n < 1 / (n - 30)", "cannot be computed (division by zero)"),
        ("n < 9 ** 9 ** 9", "cannot be computed (too large a power)"),
        ("n < 2.0 ** d ** 2", "cannot be computed (too large a power)"),
        ("n < (0 - scale) ** 0.5", "cannot be computed (not a real number)"),
        ("(" * 500 + "n < d", "linear/max_margin: "),
    ],
)
def test_what_is_no_relation_of_numbers_is_refused(relation: str, said: str) -> None:
    with pytest.raises(PressError) as refusal:
        signature(relation)
    assert str(refusal.value).startswith("linear/max_margin: ")
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("given", "remedy"),
    [
        ({"d": 2}, "; n and scale are defaults, change them too"),
        ({"d": 2, "n": 300}, "; scale is its default, change it too"),
        ({"d": 2, "n": 30, "scale": 0.5}, ""),
    ],
)
def test_a_refusal_names_the_defaults_that_it_follows_from(given: dict[str, Any], remedy: str) -> None:
    with pytest.raises(PressError) as refusal:
        parameters.check_relations(signature("n * scale < d"), given)
    assert str(refusal.value).endswith(f"is not allowed: n * scale < d must hold{remedy}")


def test_the_reason_below_a_relation_or_a_parameter_is_said() -> None:
    v4: Any = nbformat.v4
    cell = """\
n: int = 30  # number of samples N, in [20, 40]
# because fewer do not fill the space
rates: list[float] = [
    0.1,
]  # learning rates, each in (0, 1]
# because above 1 the steps diverge
d: int = 200  # dimension, in [1, 1000]

# where n < d and n % 2 == 0
# because the samples are pairs
# where d < 500"""
    known = parameters.signature(
        v4.new_notebook(cells=[v4.new_code_cell(cell, metadata={"tags": ["parameters"]})]), "a/b"
    )
    assert [one.reason for one in known.values()] == [
        "fewer do not fill the space",
        "above 1 the steps diverge",
        "",
    ]
    assert [one.reason for one in known.relations] == ["the samples are pairs"] * 2 + [""]
    said = "n=50 is not allowed: it must be an int in [20, 40], because fewer do not fill the space"
    with pytest.raises(PressError, match=f"^{re.escape(said)}$"):
        parameters.check(known, {"n": 50}, "a/b")
    said = "n=31 is not allowed: n % 2 == 0 must hold, because the samples are pairs"
    with pytest.raises(PressError, match=f"^{re.escape(said)}$"):
        parameters.check_relations(known, {"n": 31})


def test_a_reason_below_nothing_is_refused() -> None:
    v4: Any = nbformat.v4
    for cell in ("# because it is so\nn: int = 3  # n, in [1, 5]", "n: int = 3  # n, in [1, 5]\n\n# because it is so"):
        tagged = v4.new_code_cell(cell, metadata={"tags": ["parameters"]})
        with pytest.raises(PressError, match="'# because it is so' stands below no parameter and no relation"):
            parameters.signature(v4.new_notebook(cells=[tagged]), "a/b")


def test_a_meaning_may_begin_with_where() -> None:
    v4: Any = nbformat.v4
    tagged = v4.new_code_cell("n: int = 3  # where it begins, in [1, 5]", metadata={"tags": ["parameters"]})
    assert parameters.signature(v4.new_notebook(cells=[tagged]), "a/b").relations == ()


def test_every_point_of_a_grid_is_checked_and_axes_without_part_in_it_are_not_multiplied() -> None:
    known = signature("n < d", "n * scale <= 15")
    assert parse_grid(known, ["n=1:31", "d=31,200", "scale=0.1,0.5"], "a/b", {}).size == 120
    with pytest.raises(PressError, match=r"^n=31, d=31 is not allowed: n < d must hold$"):
        parse_grid(known, ["n=1:32", "d=31,200", "scale=0.1"], "a/b", {})
    with pytest.raises(
        PressError, match=r"^n=30, d=7 is not allowed: n < d must hold; n is its default, change it too"
    ):
        parse_grid(known, ["scale=0.1,0.2"], "a/b", {"d": 7})
    assert parse_grid(known, ["d=lin:31:1000000:40000", "scale=lin:0.1:0.2:40000"], "a/b", {}).size > 10**9
    with pytest.raises(PressError, match="n and d have too many combinations to check: n < d"):
        parse_grid(known, ["n=1:20000", "d=30000:40000"], "a/b", {"scale": 0.0})


RELATED = """\
terms: int = 60  # number of terms, in [1, 1000]
ratio: float = 0.5  # ratio, in (0, 1)
# where terms > 10 * ratio"""
SAID = "terms=3, ratio=0.5 is not allowed: terms > 10 * ratio must hold; ratio is its default, change it too"


def test_commands_refuse_what_breaks_a_relation_and_list_shows_it(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric", parameters=RELATED)
    before = tiny.files()
    for command in (["run", "geometric", "-p", "terms=3"], ["sweep", "geometric", "-p", "terms=20,3"]):
        done = tiny.ask(*command)
        assert (done.returncode, done.stderr) == (2, f"error: {SAID}\n")
    assert tiny.files() == before
    chapter.paper.write_text("terms: 3\n")
    done = tiny.ask("run", "geometric", "--paper")
    assert (done.returncode, done.stderr) == (2, f"error: geometric.paper.yaml: {SAID}\n")
    chapter.paper.unlink()
    assert tiny.ask("list", "geometric").stdout.splitlines()[-1] == "where terms > 10 * ratio"
    assert tiny.ask("run", "geometric", "-p", "terms=61").returncode == 0
