"""The numbers that a figure plots: stored in the units of its axes, and offered as CSV where its picture is named."""

import base64
import csv
import gzip
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from docutils import nodes
from docutils.utils import new_document

from reproduce.chapters.book import Book
from reproduce.claims.plotted import HEAVY, MOST, plotted
from reproduce.pages.figure_data import link_tables, tables, write_tables

ROOT = Path(__file__).parents[2]
X = np.linspace(1, 10, 1001)
v4: Any = nbformat.v4


@pytest.fixture(scope="module")
def stored() -> str:
    figure, (left, right) = plt.subplots(1, 2)
    left.loglog(X, X**2, color="#112233")
    left.axhline(5.0)
    left.plot([1.0, np.nan, 3.0], [4.0, 5.0, 6.0], "o", color="#445566")
    left.set(xlabel='time "t", in steps', ylabel="error")
    right.scatter(np.ma.masked_greater([1.0, 2.0, 30.0], 9), [0.123456, 2.0, 3.0], facecolors="none", edgecolors="red")
    right.fill_between([0.0, 1.0], [0.0, 1.0])
    right.plot([], [])
    plt.close(figure)
    return plotted(figure)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def cell(stored: str, name: str = "figure-one") -> Any:
    output = v4.new_output("display_data", {"image/png": ""}, metadata={"image/png": {"plotted": stored}})
    return v4.new_code_cell("", metadata={"mystnb": {"figure": {"name": name}}}, outputs=[output])


def test_every_curve_is_there_in_the_units_of_its_axes(stored: str) -> None:
    found = rows(gzip.decompress(base64.b64decode(stored)).decode())
    curves = {(row["panel"], row["curve"], row["colour"]) for row in found}
    assert curves == {("1", "1", "#112233"), ("1", "2", "#445566"), ("2", "2", "#ff0000")}
    curve, dots, ring = ([row for row in found if row["colour"] == colour] for _, _, colour in sorted(curves))
    assert len(curve) == MOST
    assert (float(curve[0]["x"]), float(curve[-1]["x"])) == (1.0, 10.0)
    for row in curve:
        assert float(row["y"]) == pytest.approx(float(row["x"]) ** 2, rel=2e-3)
        assert (row["x axis"], row["y axis"]) == ('time "t", in steps', "error")
    assert [(row["x"], row["y"]) for row in dots] == [("1", "4"), ("3", "6")]
    assert [(row["x"], row["y"]) for row in ring] == [("1", "0.1235"), ("2", "2")]


def test_the_same_figure_is_stored_in_the_same_bytes(stored: str) -> None:
    figure, axes = plt.subplots()
    axes.plot(X, X)
    plt.close(figure)
    assert plotted(figure) == plotted(figure)
    assert plotted(figure) != stored


def test_a_figure_without_a_name_or_without_numbers_offers_none(stored: str) -> None:
    bare, other = cell(stored), cell("")
    del bare.metadata["mystnb"]
    assert list(tables(v4.new_notebook(cells=[bare, other, cell(stored, "figure-two")]))) == ["figure-two"]


def test_a_file_lies_beside_the_page_for_each_figure_that_stores_numbers(tmp_path: Path) -> None:
    for part in Book(ROOT).notebooks():
        (tmp_path / "chapters" / part).parent.mkdir(parents=True, exist_ok=True)
    write_tables(Book(ROOT), tmp_path)
    for name, notebook in Book(ROOT).notebooks().items():
        folder = tmp_path / "chapters" / name.partition("/")[0]
        for figure, text in tables(notebook).items():
            assert (folder / f"{figure}.csv").read_text(encoding="utf-8") == text
            assert rows(text), (name, figure)


@pytest.mark.parametrize(("format_", "links"), [("html", ["figure-one.csv"]), ("latex", [])])
def test_the_caption_of_a_figure_with_numbers_links_them(
    stored: str, tmp_path: Path, format_: str, links: list[str]
) -> None:
    page = tmp_path / "one.ipynb"
    page.write_text(v4.writes(v4.new_notebook(cells=[cell(stored)])), encoding="utf-8")
    document = new_document("one")
    for name in ("figure-one", "figure-two"):
        document += nodes.figure("", nodes.image(), nodes.caption("", "A curve."), names=[name])
    env = SimpleNamespace(docname="chapters/p/one", doc2path=lambda _: str(page))
    link_tables(SimpleNamespace(env=env, builder=SimpleNamespace(format=format_)), document)  # type: ignore[arg-type]
    assert [link["refuri"] for link in document.findall(nodes.reference)] == links
    assert document[1].astext().count("csv") == 0


def test_a_figure_of_many_curves_keeps_fewer_points_of_each() -> None:
    figure, axes = plt.subplots()
    axes.plot(np.random.default_rng(0).standard_normal((60, 200)))
    assert len(plotted(figure)) <= HEAVY
