"""The language of grids, by property: what is written is what is run, and what cannot be meant is refused."""

import math
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_notebook

from reproduce.chapters.parameters import signature
from reproduce.ground.errors import PressError
from reproduce.sweep.grid import parse_grid, parse_shard

# Neither timed nor remembered in the checkout, and the same cases each time.
settings.register_profile("book", deadline=None, database=None, derandomize=True)
settings.load_profile("book")

CELL = """\
seed: int = 0  # seed, in [0, 4294967295]
count: int = 1  # count, in [1, inf)
width: int = 10  # width m, in [1, 1000000]
scale: float = 1e-3  # scale α, in (0, 1e6]
shift: float = 0.0  # shift, in [-1e6, 1e6]
rule: str = "exact"  # how to add, one of {exact, plain}
rates: list[float] = [0.1]  # learning rates, each in (0, 1)
loud: bool = False  # whether to say more"""
PARAMETERS = signature(new_notebook(cells=[new_code_cell(CELL, metadata={"tags": ["parameters"]})]), "x/y")  # type: ignore[no-untyped-call]


def grid(*assignments, **base):
    return parse_grid(PARAMETERS, assignments, "x/y", base)


def axis(assignment):
    """The values of a single parameter."""
    return [next(iter(point.values())) for point in grid(assignment).points()]


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=20, unique=True))
def test_a_list_is_its_values_in_order(values):
    assert axis("seed=" + ",".join(map(str, values))) == values


@given(st.lists(st.floats(1e-300, 1e6, allow_subnormal=False), min_size=1, max_size=20, unique=True))
def test_floats_come_back_to_the_last_digit(values):
    assert axis("scale=" + ", ".join(map(repr, values))) == values


@given(st.integers(0, 10**6), st.integers(1, 300), st.integers(1, 50))
def test_a_range_is_pythons_range(start, length, step):
    stop = start + length
    assert axis(f"seed={start}:{stop}:{step}") == list(range(start, stop, step))
    assert axis(f"seed={start}:{stop}") == list(range(start, stop))


@given(st.floats(1e-8, 1e5), st.floats(1e-8, 1e5), st.integers(2, 60))
def test_log_spacing_has_its_ends_and_one_ratio(low, high, count):
    low, high = float(f"{low:.6g}"), float(f"{high:.6g}")
    assume(abs(math.log(high / low)) > 1e-4)
    values = axis(f"scale=log:{low!r}:{high!r}:{count}")
    assert (values[0], values[-1], len(values)) == (low, high, count)
    ratio = math.log(high / low) / (count - 1)
    assert all(math.isclose(math.log(b / a), ratio, rel_tol=1e-4) for a, b in pairwise(values))


@given(st.integers(-(10**5), 10**5), st.integers(1, 10**5), st.integers(2, 60))
def test_lin_spacing_has_its_ends_and_one_step(low, length, count):
    values = axis(f"shift=lin:{low}:{low + length}:{count}")
    assert (values[0], values[-1], len(values)) == (low, low + length, count)
    step = length / (count - 1)
    assert all(math.isclose(b - a, step, abs_tol=1e-6) for a, b in pairwise(values))


@given(st.integers(1, 10**5), st.integers(2, 10**6), st.integers(2, 40), st.sampled_from(["lin", "log"]))
def test_spaced_whole_numbers_are_rounded_and_each_once(low, high, count, spacing):
    assume(low < high)
    values = axis(f"width={spacing}:{low}:{high}:{count}")
    assert values == sorted(set(values))
    assert (values[0], values[-1]) == (low, high)
    assert all(type(value) is int for value in values)


@given(
    st.lists(st.integers(0, 99), min_size=1, max_size=5, unique=True),
    st.lists(st.sampled_from(["exact", "plain"]), min_size=1, max_size=2, unique=True),
    st.lists(st.booleans(), min_size=1, max_size=2, unique=True),
)
def test_every_combination_is_there_once(seeds, rules, louds):
    texts = (f"seed={','.join(map(str, seeds))}", f"rule={','.join(rules)}", f"loud={','.join(map(str, louds))}")
    found = grid(*texts)
    points = list(found.points())
    assert found.size == len(points) == len(seeds) * len(rules) * len(louds)
    expected = [{"seed": s, "rule": r, "loud": b} for s in seeds for r in rules for b in louds]
    assert all(point in points for point in expected)


def test_ends_are_kept_to_the_last_digit():
    assert axis("shift=lin:0.12345678901234567:0.5:3")[0] == 0.12345678901234567


def test_parts_mix_and_lists_are_joined_by_semicolons():
    assert axis("seed=0:3,10,20:40:10") == [0, 1, 2, 10, 20, 30]
    assert axis("rates=0.1,0.2;[0.3]") == [[0.1, 0.2], [0.3]]


def test_what_is_given_wins_over_the_base():
    found = grid("seed=0:2", "scale=0.5", seed=7, scale=0.1, width=30)
    assert list(found.points()) == [{"scale": 0.5, "width": 30, "seed": seed} for seed in (0, 1)]
    assert list(found.axes) == ["seed"]


def test_a_large_grid_is_counted_without_being_made():
    assert grid("seed=0:1000000", "width=1:1000001", "scale=log:1e-5:1:1000").size == 10**15


@given(st.text(alphabet="0123456789.,:;-+elogin[]x ", max_size=12))
def test_any_text_is_values_or_one_line_that_names_the_parameter(text):
    for name in ("seed", "scale", "rates"):
        values, said = [], ""
        try:
            values = axis(f"{name}={text}")
        except PressError as error:
            said = str(error)
        assert bool(values) is not bool(said)
        assert not said or (name in said and "\n" not in said)
        for value in values:
            PARAMETERS[name].check(value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sed=0:3", "unknown parameter 'sed'; did you mean seed?"),
        ("seed", "'seed' is not a parameter: it must be name=values"),
        ("seed=", "seed='' is not allowed: it must be an int in [0, 4294967295]"),
        ("seed=5:5", "seed=5:5 is empty: it runs from 5 up to, not including, 5"),
        ("seed=0:9:0", "seed=0:9:0 has the step 0; it must be at least 1"),
        ("seed=0:4294967297", "seed=4294967296 is not allowed: it must be an int in [0, 4294967295]"),
        ("seed=0:4000000000", "seed has 4000000000 values; a parameter may take at most 1000000"),
        ("count=1:99999999999999999999", "count has 99999999999999999998 values; a parameter may take at most 1000000"),
        (
            "count=1,9223372036854775808",
            "count=9223372036854775808 is not allowed: the table holds whole numbers below",
        ),
        ("count=lin:1:1e19:3", "is not allowed: the table holds whole numbers below 2^63"),
        (f"count=1:{'9' * 5000}", "is not a range: write START:STOP"),
        (f"count=lin:1:5:{'9' * 5000}", "is not a range: write START:STOP"),
        ("count=lin:-1e308:1e308:3", "is not a range: LOW and HIGH must be finite"),
        ("seed=1,2,1", "seed=1,2,1 has 1 twice; each value may be given once"),
        ("seed=0.5", "seed=0.5 is not allowed: it must be an int in [0, 4294967295]"),
        (
            "seed=a:b",
            "seed=a:b is not a range: write START:STOP, START:STOP:STEP, lin:LOW:HIGH:COUNT or log:LOW:HIGH:COUNT",
        ),
        ("scale=0:1", "scale=0:1 is not a range of numbers: write lin:LOW:HIGH:COUNT or log:LOW:HIGH:COUNT"),
        ("scale=log:0:1:5", "scale=log:0:1:5 cannot be spaced in the logarithm: LOW and HIGH must be positive"),
        ("scale=log:1e-3:x:5", "scale=log:1e-3:x:5 is not a range: LOW and HIGH must be numbers"),
        ("scale=lin:1:1:5", "scale=lin:1:1:5 is empty: it must have at least two values between different ends"),
        ("scale=log:1:1e9:3", "scale=1000000000.0 is not allowed: it must be a float in (0, 1e6]"),
        ("rule=exact,odd", "rule=odd is not allowed: it must be one of {exact, plain}"),
    ],
)
def test_bad_grids_say_what_is_wrong(text, said):
    with pytest.raises(PressError) as caught:
        grid(text)
    assert said in str(caught.value)


def test_a_parameter_may_be_given_once():
    with pytest.raises(PressError, match="parameter seed is given twice; join its values with commas"):
        grid("seed=1", "seed=2")


@pytest.mark.parametrize("assignment", [
    "rates=" + ";".join(f"0.{k}" for k in range(1, 2999)), "seed=" + "1:" * 2500, "seed=" + "3:" + "9" * 90 + ":0",
    "seed=lin:" + "a" * 5000 + ":1:2", "rule=" + "\u2028" * 5000, "x" * 5000, "seed=" + "9" * 4000,
])  # fmt: skip
def test_a_long_value_is_cut_in_what_is_said_of_it(assignment):
    with pytest.raises(PressError) as refusal:
        grid(assignment)
    assert len(str(refusal.value)) < 300
    assert str(refusal.value).isprintable()


@given(st.integers(1, 12), st.integers(1, 5), st.integers(1, 12))
def test_shards_share_the_points_among_them(seeds, widths, count):
    whole = grid(f"seed=0:{seeds}", f"width=10:{10 + widths}")
    count = min(count, whole.size)
    parts = [parse_shard(whole, f"{k}/{count}") for k in range(count)]
    assert [list(whole.points())[k::count] for k in range(count)] == [list(part.points()) for part in parts]
    assert [len(list(part.points())) for part in parts] == [part.size for part in parts]


@pytest.mark.parametrize("text", ["3", "3/", "/3", "3/3", "-1/3", "1/0", "a/b", "0.5/2", "1/2/3", "", "9" * 20 + "/1"])
def test_a_shard_that_is_none_is_refused(text):
    with pytest.raises(PressError, match=r"^--shard is .*; it must be K/N, whole numbers with K from 0 to N - 1$"):
        parse_shard(grid("seed=0:3"), text)


def test_a_shard_without_a_point_is_refused():
    with pytest.raises(PressError, match="--shard is 3/20, and has no point: K must be below the 3 points of the grid"):
        parse_shard(grid("seed=0:3"), "3/20")
