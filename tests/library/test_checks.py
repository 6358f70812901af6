"""What is no argument is refused in one line that names it, whatever it is; what is one is kept as it was checked."""

import dataclasses

import numpy as np
import pytest
import scipy.linalg
from attacks.recipes import RECIPES, callable_of
from library.helpers import refusal

from implicit_bias import checks
from implicit_bias.limits.certificate import Certificate

HUGE = 10**400
NO_NUMBER = [None, "3", b"3", [], [1.0], {}, True, 1j, HUGE, -HUGE, float("nan"), float("inf"), object(), np.zeros(0)]


@pytest.mark.parametrize("bad", NO_NUMBER, ids=lambda bad: type(bad).__name__)
def test_what_is_no_number_is_refused_by_name(bad):
    for call in (checks.number, lambda name, value: checks.whole(name, value, least=1)):
        refusal(lambda call=call: call("the_argument", bad), "the_argument is ")


@pytest.mark.parametrize(
    "bad", [None, "abc", ["a"], [1.0, [2.0]], {}, 1j, [HUGE], object(), [float("nan")], "3", ["3"]]
)
def test_what_is_no_array_is_refused_by_name(bad):
    refusal(lambda: checks.array("the_argument", bad, 1), "the_argument is ", "the_argument has", "the_argument holds")


def arrays_of(address):
    """The names of the arrays of numbers that a good call passes."""
    good = RECIPES[address](np.random.default_rng(1)) if callable_of(address) is not None else {}
    return [name for name, value in good.items() if isinstance(value, np.ndarray) and value.dtype.kind in "fiu"]


@pytest.mark.parametrize("address", [one for one in sorted(RECIPES) if arrays_of(one)])
def test_an_array_with_a_masked_entry_is_refused_wherever_one_is_taken(address):
    for name in arrays_of(address):
        good = RECIPES[address](np.random.default_rng(1))
        given = np.ma.array(good[name])
        given[(0,) * given.ndim] = np.ma.masked
        said = refusal(lambda: callable_of(address)(**{**good, name: given}), f"{name} has masked entries")  # noqa: B023
        assert said.endswith("it must have none")


@pytest.mark.parametrize("given", [[np.ma.array([1.0, 2.0], mask=[0, 1])], [[1.0, np.ma.masked]], np.ma.masked])
def test_a_mask_is_seen_within_lists(given):
    refusal(lambda: checks.array("x", given, None), "x has masked entries; it must have none")


def test_what_is_no_finite_number_is_shown_with_its_place():
    with pytest.raises(ValueError, match=r"^x holds inf at \[1, 0\], and 1 more; every entry must be a finite number$"):
        checks.array("x", [[1.0, 2.0], [np.inf, np.nan]], 2)
    with pytest.raises(ValueError, match=r"^x holds nan; every entry must be a finite number$"):
        checks.array("x", np.nan, 0)
    with pytest.raises(ValueError, match=r"^x is None; it must be an array of real numbers$"):
        checks.array("x", None, 2)


def test_where_nothing_is_masked_an_array_is_one():
    assert type(checks.array("x", np.ma.array([1.0, 2.0]), 1)) is np.ndarray
    refusal(lambda: checks.number("x", np.ma.array(2.0, mask=True)), "x is ")


CLASSES = [one for one in sorted(RECIPES) if dataclasses.is_dataclass(callable_of(one)) and arrays_of(one)]
OTHER_FORMS = {
    "list": lambda value: value.tolist(),
    "objects": lambda value: value.astype(object),
    "long doubles": lambda value: value.astype(np.longdouble),
    "float32": lambda value: value.astype(np.float32),
}


@pytest.mark.parametrize("form", OTHER_FORMS)
@pytest.mark.parametrize("address", CLASSES)
def test_a_class_keeps_the_numbers_that_it_checked(address, form):
    good = RECIPES[address](np.random.default_rng(1))
    names = [name for name in arrays_of(address) if good[name].dtype.kind == "f"]
    owner = callable_of(address)(**{**good, **{name: OTHER_FORMS[form](good[name]) for name in names}})
    for name in names:
        kept = getattr(owner, name)
        assert type(kept) is np.ndarray
        assert kept.dtype == np.float64
        np.testing.assert_allclose(kept, good[name], rtol=1e-6)


def test_numbers_of_any_kind_are_numbers():
    for value in (2, 2.0, np.int64(2), np.float32(2), np.array(2), np.array(2.0)):
        assert checks.number("x", value) == checks.whole("x", value, least=2) == 2
    assert type(checks.whole("x", np.int8(2), least=0)) is int
    assert checks.whole("x", 2**53, least=0) == 2**53
    assert "at most 9007199254740992" in refusal(lambda: checks.whole("x", 2**53 + 1, least=0), "x is")
    assert "0.5; it must be a whole number" in refusal(lambda: checks.whole("x", 0.5, least=0), "x is")


def test_a_message_stays_short_whatever_it_repeats():
    refusal(lambda: checks.number("x", "a\n" * 10_000), "x is a a a")
    refusal(lambda: checks.choice("x", "a\n" * 10_000, ("one", "two")), "it must be one of one, two")
    refusal(lambda: checks.number("x", 10**5000), "x is")  # more digits than Python prints


def test_what_no_float_holds_is_said_with_the_sizes_of_the_arguments():
    @checks.in_range
    def inner(x, y=1.0):
        return np.asarray(x, dtype=float) ** 2 / y

    @checks.in_range
    def outer(w):
        return inner(w)

    assert inner([1.0, 2.0]).tolist() == [1.0, 4.0]
    with pytest.raises(ValueError, match=r"^x is 1e\+200 at most: no float64 holds what inner makes of them$"):
        inner([1.0, 1e200])
    with pytest.raises(ValueError, match=r"^x is 1 at most and y is 0 at most: no float64 holds what inner"):
        inner([1.0], y=0.0)
    with pytest.raises(ValueError, match=r"^w is 1e\+200 at most: no float64 holds what outer"):
        outer([-1e200])
    assert inner.__name__ == "inner"


@pytest.mark.parametrize("solve", [np.linalg.solve, scipy.linalg.solve, lambda a, b: np.linalg.inv(a) @ b])
def test_a_singular_system_is_called_one_unless_its_size_is_extreme(solve):
    @checks.in_range
    def inner(x, y, law="normal"):
        return solve(np.outer(x, x), np.asarray(y))

    @checks.in_range
    def outer(w, y):
        return inner(w, y)

    with pytest.raises(ValueError, match=r"^x is 2 at most and y is 1 at most: the system that inner makes of them is"):
        inner([1.0, 2.0], [1.0, 0.0])
    with pytest.raises(ValueError, match=r"^w is 0 at most and y is 3 at most: .* outer makes of them is singular$"):
        outer([0.0, 0.0], [1.0, 3.0])
    for extreme in (1e-170, 1e51):
        with pytest.raises(ValueError, match=r"^w is 1e[-+]\d+ at most and y is 1 at most: no float64 holds what"):
            outer([extreme, 0.0], [1.0, 1.0])


def test_another_failure_of_linear_algebra_is_no_singular_system():
    @checks.in_range
    def rooted(x):
        raise np.linalg.LinAlgError("Eigenvalues did not converge")

    with pytest.raises(ValueError, match=r"^x is 1 at most: no float64 holds what rooted makes of them$"):
        rooted(1.0)


def test_a_certificate_may_be_infinite():
    refused = Certificate(np.inf, 0.0, 0.0)
    assert checks.in_range(lambda: refused)() is refused


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"least": 0, "most": 1}, "[0, 1]"),
        ({"above": 0, "below": 1}, "(0, 1)"),
        ({"above": 0}, "(0, inf)"),
        ({"least": 0}, "[0, inf)"),
    ],
)
def test_a_refusal_says_the_range(limits, said):
    assert f"x is -1; it must lie in {said}" in refusal(lambda: checks.number("x", -1, **limits), "x is")
