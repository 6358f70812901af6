"""What the press writes into pages: docstrings as text, signatures as written, and a register that is refused."""

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from docutils.utils import new_document

from reproduce.claims.ledger import StoredClaim
from reproduce.ground.errors import PressError
from reproduce.pages.atlas_map import Result, map_table, marked_up, read_results
from reproduce.pages.docstrings import signature, to_rst
from reproduce.pages.ledger_table import ledger_table
from reproduce.pages.quantities import rank, to_spare
from reproduce.pages.theme import hold

ENTRY = """
- part: p
  chapter: p/one
  result: A <result>
  model: family, details
  algorithm: flow
  loss: exponential, logistic
  bias: $x$
  short: a < b
  source: key
"""


WIDTH, STEPS = 1e-12, 300


def with_defaults(tol: float = WIDTH, p: float = 1e-06, most: float = 1e9, steps: int = STEPS, name: str = "a") -> None:
    """Nothing."""


@dataclass(frozen=True)
class Pair:
    """Two numbers."""

    left: float
    right: "float | None" = None

    def swap(self, *, twice: bool = False) -> "Pair":
        """The other way round."""
        return self if twice else Pair(self.right or 0.0, self.left)


@dataclass(frozen=True, kw_only=True)
class Named:
    """What has a name."""

    name: str = field(default="pair", init=False)
    words: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class NamedPair(Pair, Named):
    """Fields of three classes."""

    sign: int = field(default=1)


class Written:
    """A constructor that is written."""

    def __init__(self, left: float, right: float = 0.0) -> None:
        """Keep nothing."""


class Meant(Protocol):
    """What nobody makes."""

    left: float


def test_formulas_in_sentences_are_text() -> None:
    assert to_rst(["max |w| over W* and w_.", "", "as ``|w|``."]) == [
        r"max \|w\| over W\* and w\_.", "", "as ``|w|``.", ""]  # fmt: skip


def test_a_letter_and_a_full_stop_begin_no_list() -> None:
    lines = ["E. coli.", "", "scale: r.", "steps: (a) first.", "Returns K.", "", "- i. one", "- two"]
    page = publish_doctree("\n".join(to_rst(lines)))
    assert not list(page.findall(nodes.enumerated_list))
    assert [one.astext() for one in page.findall(nodes.definition)] == ["r.", "(a) first.", "K."]
    assert next(iter(page.findall(nodes.list_item))).astext() == "i. one"


def test_formulas_on_lines_of_their_own_stand_as_they_are_written() -> None:
    made = to_rst(["With ``w``:", "", "‖w_k‖ = √(w·w),  |a| = 1", "b = ``a``", "", "It is so."])
    assert made[0] == "With ``w``:"
    assert made[2:6] == [".. container:: formula", "", r"    | ‖w\_k‖ = √(w·w),  \|a\| = 1", "    | b = ``a``"]
    assert made[7:] == ["It is so.", ""]


def test_a_name_of_the_library_is_a_link() -> None:
    (line, _) = to_rst(["As ``gradient_flow`` of ``Adam`` with ``tol``, ``drive`` and ``no_such_name``."])
    assert ":py:obj:`gradient_flow <implicit_bias.flows.ode.gradient_flow>`" in line
    assert ":py:obj:`Adam <implicit_bias.flows.steepest.Adam>` with ``tol``, ``drive`` and ``no_such_name``." in line


def test_a_default_is_a_number() -> None:
    assert signature(with_defaults) == (
        "(tol: float=1e-12, p: float=1e-6, most: float=1e9, steps: int=300, name: str='a')",
        "None",
    )


def test_an_example_is_shown_as_it_is_typed() -> None:
    example = [">>> w_ = norm([3, 4])", "5.0", ""]
    assert to_rst(["The norm.", "", *example]) == ["The norm.", "", *example]


@pytest.mark.parametrize(
    ("after", "kept", "rest"),
    [(", where", ",", " where"), (".", ".", ""), (") and", ")", " and"), ("-norm", "", "-norm"), (" is", "", " is")],
)
def test_a_formula_keeps_the_punctuation_behind_it(after: str, kept: str, rest: str) -> None:
    document, line = new_document("page"), nodes.paragraph("", "", nodes.Text("of "), nodes.math("", "x"))
    line += nodes.Text(after)
    document += line
    app: Any = SimpleNamespace(builder=SimpleNamespace(format="html"))
    hold(app, document, "page")
    assert line.astext() == f"of x{after}"
    spans = list(line.findall(nodes.inline))
    assert [span.astext() for span in spans] == ([f"x{kept}"] if kept else [])
    assert all(span["classes"] == ["held"] for span in spans)
    assert line.astext().endswith(rest)


def test_a_formula_that_ends_an_emphasis_keeps_it_too() -> None:
    document, line = new_document("page"), nodes.paragraph("", "", nodes.emphasis("", "", nodes.math("", "x")))
    line += nodes.Text(", y")
    document += line
    app: Any = SimpleNamespace(builder=SimpleNamespace(format="html"))
    hold(app, document, "page")
    assert line.astext() == "x, y"
    assert [span.astext() for span in line.findall(nodes.inline)] == ["x,"]


def test_other_builders_keep_formulas_as_they_are() -> None:
    document = new_document("page")
    document += nodes.paragraph("", "", nodes.math("", "x"), nodes.Text("."))
    app: Any = SimpleNamespace(builder=SimpleNamespace(format="latex"))
    hold(app, document, "page")
    assert not list(document.findall(nodes.inline))


def test_arguments_become_a_list() -> None:
    lines = to_rst(["x, y: the data,", "    N × d.", "Returns the norm.", "Raises ValueError if it is 0."])
    assert lines == ["``x``, ``y``", "    the data, N × d.", "Returns", "    the norm.",
                     "Raises", "    ValueError if it is 0.", ""]  # fmt: skip


def test_signatures_are_those_of_the_source() -> None:
    assert signature(Pair) == ("(left: float, right: 'float | None' = None)", "")
    assert signature(Pair.swap) == ("(*, twice: bool=False)", "'Pair'")
    assert signature(len) is None


def test_a_class_shows_all_that_it_takes() -> None:
    taken = "(left: float, right: 'float | None' = None, sign: int = 1, *, words: list[str] = list())"
    assert signature(NamedPair) == (taken, "")
    assert signature(Written) == ("(left: float, right: float=0.0)", "")
    assert signature(Meant) == ("", "")
    assert signature(ValueError) is None


def test_a_register_entry_without_a_field_is_refused(tmp_path: Path) -> None:
    register = tmp_path / "_atlas.yml"
    register.write_text(ENTRY.replace("  loss: exponential, logistic\n", ""), encoding="utf-8")
    with pytest.raises(PressError, match=r"_atlas.yml, entry 1 \(p/one\): no loss"):
        read_results(register)


def test_a_loss_that_the_map_cannot_mark_is_refused(tmp_path: Path) -> None:
    register = tmp_path / "_atlas.yml"
    for loss in ("hinge", "squared, logistic"):
        register.write_text(ENTRY.replace("exponential, logistic", loss), encoding="utf-8")
        with pytest.raises(PressError, match=rf"entry 1 \(p/one\): loss is '{loss}'; it must be of one kind"):
            read_results(register)


def test_the_map_escapes_and_marks(tmp_path: Path) -> None:
    register = tmp_path / "_atlas.yml"
    register.write_text(ENTRY, encoding="utf-8")
    (result,) = read_results(register)
    assert isinstance(result, Result)
    assert result.anchor == "atlas-p-one"
    table = map_table([result], lambda r: f"#{r.anchor}", lambda r: False)
    assert 'class="atlas-chip planned tail"' in table
    assert "a &lt; b" in table
    assert '<th scope="row">family</th>' in table


def test_a_claim_without_its_fields_is_a_failing_row() -> None:
    claim = StoredClaim("p/one", {"id": "one.broken"}, "", "", ("it has no why",))
    table = ledger_table([claim], lambda c: "#here")
    assert '<tr class="fails"' in table
    assert "it has no why" in table
    assert "one.broken" in table


def test_a_result_brings_no_html_into_its_page_and_keeps_its_formulas() -> None:
    assert marked_up("A <b>bold</b> & $a < b & c$ > $d$") == "A &lt;b&gt;bold&lt;/b&gt; &amp; $a < b & c$ &gt; $d$"


def bound(measured: float, theory: float, side: str = "upper") -> dict[str, object]:
    error = measured - theory if side == "upper" else theory - measured
    return {"kind": "bound", "side": side, "theory": theory, "measured": measured, "error": error, "tolerance": 0.5,
            "worst": None}  # fmt: skip


def test_a_bound_that_is_kept_says_what_is_to_spare_and_sorts_below_those_that_use_something() -> None:
    assert to_spare(bound(1.0, 4.0)) == 3.0
    assert to_spare(bound(4.25, 4.0)) is None
    assert to_spare({**bound(1.0, 4.0), "kind": "limit"}) is None
    kept = [bound(-4.0, 4.0), bound(1.0, 4.0), bound(4.0, 1.0, "lower"), bound(3.9, 4.0), bound(4.0, 4.0)]
    ranks = [rank(record) for record in kept]
    assert ranks == sorted(ranks)
    assert ranks[1:3] == [-0.75, -0.75]
    assert -1 <= ranks[0] < ranks[-1] == 0
    assert rank(bound(4.25, 4.0)) == 0.5
    many = {**bound(1.0, 4.0), "theory": {"shape": [20], "norm": 9.0}, "worst": [4.0, 1.0]}
    assert rank(many) == -0.75
