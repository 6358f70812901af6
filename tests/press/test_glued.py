"""Numbers that prose quotes: their names, how they are written, and a form that does not fit."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document

import reproduce.claims.glued
from reproduce.claims.glued import glue_all
from reproduce.pages.theme import GLUED, hold, set_powers


@pytest.fixture
def glued(monkeypatch):
    kept = {}

    def keep(name, value, *, display):
        assert display is False
        kept[name] = value

    monkeypatch.setattr(reproduce.claims.glued, "glue", keep)
    return kept


def test_every_number_stands_under_the_name_of_its_chapter(glued):
    glue_all("chapter", gap="0.1", n=3)
    assert glued == {"chapter_gap": "0.1", "chapter_n": 3}


def test_one_form_for_all(glued):
    glue_all("chapter", ".2f", gap=0.126, form=2)
    assert glued == {"chapter_gap": "0.13", "chapter_form": "2.00"}


def test_a_form_that_does_not_fit_names_the_number(glued):
    with pytest.raises(ValueError, match="gap is 'wide', which '.2f' cannot write"):
        glue_all("chapter", ".2f", gap="wide")
    assert glued == {}


def test_a_power_of_ten_is_written_as_one(glued):
    glue_all("chapter", ".1e", small=2.04e-5, large=-3e10)
    assert glued == {"chapter_small": "2.0·10⁻⁵", "chapter_large": "-3.0·10¹⁰"}


def test_a_page_with_formulas_sets_a_power_as_one():
    math = SimpleNamespace(data={"has_equations": {"one": True}})
    app = SimpleNamespace(builder=SimpleNamespace(format="html"), env=SimpleNamespace(get_domain=lambda name: math))
    for page, shown in (("one", [r"7.3\cdot 10^{-27}", "e^{-2}", "10^{6}"]), ("none", [])):
        document = new_document("")
        text = nodes.inline("", "", nodes.Text("7.3·10⁻²⁷, e⁻² and 10⁶"), classes=[GLUED])
        document += nodes.paragraph("", "", text, nodes.Text("."))
        set_powers(app, document, page)
        hold(app, document, page)
        assert [formula.astext() for formula in document.findall(nodes.math)] == shown
        assert document.astext() == (r"7.3\cdot 10^{-27}, e^{-2} and 10^{6}." if shown else "7.3·10⁻²⁷, e⁻² and 10⁶.")
