"""What the first page is made of: thumbnails cut from figures, cards, an entry for BibTeX, a picture without script."""

import base64
from io import BytesIO
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image, ImageDraw
from pybtex.database import parse_string

from reproduce.chapters.book import parts_of
from reproduce.ground.errors import PressError
from reproduce.ground.reading import read_yaml
from reproduce.pages.cards import cards
from reproduce.pages.citation import CITATION, read_citation
from reproduce.pages.colophon import clone, colophon
from reproduce.pages.live_picture import live_picture
from reproduce.pages.thumbnails import HEIGHT, WIDTH, Hero, cut_out, hero_of, trimmed, write_thumbnail
from reproduce.running.last_run import LastRun

BOOK = "title: A book\nversion: 1.2\nauthors:\n  - {given-names: Ada, name-particle: de, family-names: B, orcid: o}\n"


def figure(columns: int, rows: int) -> Image.Image:
    """A figure of panels, each a box in its own grey with the label of its axis to the left of it."""
    drawn = Image.new("RGB", (300 * columns, 200 * rows), "white")
    pen = ImageDraw.Draw(drawn)
    for row in range(rows):
        for column in range(columns):
            x, y, grey = 300 * column, 200 * row, 40 * (columns * row + column)
            pen.rectangle((x + 60, y + 20, x + 280, y + 180), fill=(grey, grey, grey))
            pen.rectangle((x + 20, y + 80, x + 30, y + 120), fill=(grey, grey, grey))
    return drawn


def as_png(picture: Image.Image) -> bytes:
    """The bytes of a picture."""
    stream = BytesIO()
    picture.save(stream, "png")
    return stream.getvalue()


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (3, 1), (2, 2), (3, 2)])
def test_each_panel_is_cut_out_with_its_label(columns: int, rows: int) -> None:
    for number in range(columns * rows):
        panel = trimmed(cut_out(figure(columns, rows), f"{number + 1} of {columns}x{rows}"))
        assert panel.size == (261, 161)
        assert {colour for _, colour in panel.getcolors() or []} == {(40 * number,) * 3, (255, 255, 255)}


@pytest.mark.parametrize(
    ("panel", "complaint"), [("left", "panel is 'left'; it must be like 2 of 3"), ("4 of 3", "there are only 3")]
)
def test_a_panel_that_is_not_there_is_refused(panel: str, complaint: str) -> None:
    with pytest.raises(PressError, match=complaint):
        cut_out(figure(3, 1), panel)


def test_a_thumbnail_has_its_size_and_is_the_same_again(tmp_path: Path) -> None:
    hero = Hero(as_png(figure(3, 1)), "three boxes")
    for name in ("one.png", "two.png"):
        write_thumbnail(tmp_path / "cards" / name, hero, "2 of 3")
    assert (tmp_path / "cards/one.png").read_bytes() == (tmp_path / "cards/two.png").read_bytes()
    with Image.open(tmp_path / "cards/one.png") as drawn:
        assert drawn.size == (WIDTH, HEIGHT)


def test_the_hero_is_a_picture_or_the_still_of_a_film() -> None:
    encoded = base64.b64encode(as_png(figure(1, 1))).decode()
    metadata = {"tags": ["hero"], "mystnb": {"image": {"alt": "a box"}}}
    for data in (
        {"image/png": encoded},
        {"text/html": f'<div class="film"><img src="data:image/png;base64,{encoded}">'},
    ):
        cell = new_code_cell(outputs=[new_output("display_data", data)], metadata=metadata)
        assert hero_of(new_notebook(cells=[cell])) == Hero(as_png(figure(1, 1)), "a box")
    text = new_code_cell(outputs=[new_output("display_data", {"text/plain": "1"})], metadata=metadata)
    assert hero_of(new_notebook(cells=[text])) is None


def test_a_live_picture_is_its_still_and_its_script() -> None:
    html = '<div class="sliders" id="a"><svg></svg>\n<script>\nshow();\n</script></div>'
    cell = new_code_cell(outputs=[new_output("display_data", {"text/html": html})])
    picture = live_picture(new_notebook(cells=[cell]))
    assert picture is not None
    assert (picture.still, picture.script) == ('<div class="sliders" id="a"><svg></svg>\n</div>', "show();")
    assert live_picture(new_notebook(cells=[new_code_cell()])) is None


def test_cards_follow_the_table_of_contents_with_and_without_parts() -> None:
    contents = {"parts": [{"caption": "P", "chapters": [{"file": "ledger"}, {"file": "chapters/p/one.ipynb"}]}]}
    assert list(parts_of(contents)) == [("P", ["p/one"])]
    assert list(parts_of({"root": "intro", "chapters": [{"file": "chapters/p/one"}]})) == [("", ["p/one"])]
    ((caption, (card,)),) = cards(contents, {"p/one": new_notebook()}, [], {"p/one": LastRun("p/one", "", 7, "", "")})
    assert (caption, card.number, card.title, card.hero, card.seconds) == ("P", 1, "p/one", None, 7)


def test_the_entry_for_bibtex_says_what_the_citation_says(tmp_path: Path) -> None:
    (tmp_path / CITATION).write_text(BOOK + "  - name: The Group\ndate-released: 2027-03-04\nurl: https://a.example\n")
    citation = read_citation(tmp_path)
    assert [author.shown for author in citation.authors] == ["Ada de B", "The Group"]
    entry = citation.bibtex(1999)
    for line in ('author = "de B, Ada and {The Group}"', 'year = "2027"', 'url = "https://a.example"'):
        assert line in entry
    (tmp_path / CITATION).write_text(BOOK)
    assert 'year = "1999"' in read_citation(tmp_path).bibtex(1999)
    assert "url" not in read_citation(tmp_path).bibtex(1999)


def test_the_entry_of_a_claim_leads_to_it_and_names_version_and_commit(tmp_path: Path) -> None:
    where = "url: https://a.example/b_c\nrepository-code: https://r.example\ndoi: 10.1/a_b\n"
    (tmp_path / CITATION).write_text(BOOK + where)
    citation, place = read_citation(tmp_path), "chapters/p/one_two.html#claim-one_two.limit"
    entry = citation.bibtex(1999, "one_two.limit", place, "75f33edb1234")
    assert entry.startswith("@misc{implicit_bias_book:one_two.limit,\n")
    assert f'    url = "https://a.example/b_c/{place}",\n    doi = "10.1/a_b"\n' in entry  # as they are
    assert rf'note = "Claim one\_two.limit, version {citation.version}, commit 75f33edb1234"' in entry
    (read,) = parse_string(entry, "bibtex").entries.values()
    assert [str(author) for author in read.persons["author"]] == ["de B, Ada"]
    assert citation.lacking == ""
    (tmp_path / CITATION).write_text(BOOK)
    bare = read_citation(tmp_path)
    assert "url" not in bare.bibtex(1999, "one_two.limit", place)
    assert f'"Claim one\\_two.limit, version {bare.version}"' in bare.bibtex(1999, "one_two.limit", place)
    assert bare.lacking == "public address, DOI"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("title: A book\n", "CITATION.cff has no version, authors"),
        ("- a\n", "CITATION.cff must have a title"),
        (BOOK.partition("  - ")[0] + "  - affiliation: Home\n", "an author has no name"),
    ],
)
def test_a_citation_that_lacks_something_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / CITATION).write_text(text)
    with pytest.raises(PressError, match=complaint):
        read_citation(tmp_path)


def test_the_command_that_clones_has_the_one_address_or_says_that_there_is_none(tmp_path: Path) -> None:
    (tmp_path / CITATION).write_text(BOOK)
    assert clone(read_citation(tmp_path)).astext().endswith("once there is a repository-code in CITATION.cff.")
    (tmp_path / CITATION).write_text(BOOK + "repository-code: https://host.example/owner/name\n")
    assert clone(read_citation(tmp_path)).astext() == "git clone https://host.example/owner/name\ncd name"


def test_the_colophon_says_how_many_chapters_were_run_and_when(tmp_path: Path) -> None:
    (tmp_path / CITATION).write_text(BOOK)
    runs = [LastRun("a/b", "2026-10-31", 2, "Python 3.11.7, click 8", "2 cores"),
            LastRun("a/c", "2026-11-02", 3, "Python 3.11.7, click 8", "2 cores")]  # fmt: skip
    words = colophon(read_citation(tmp_path), runs, 2).astext()
    assert "all 2 chapters, 31 October 2026 to 2 November 2026; 5 seconds of one core in all" in words
    assert "2 of 3 chapters, " in colophon(read_citation(tmp_path), runs, 3).astext()
    assert words.count("Python 3.11.7; 2 cores") == 1
    assert "Last full run" not in colophon(read_citation(tmp_path), [], 2).astext()


def test_no_page_names_an_address_of_the_repository_that_there_is_not() -> None:
    root = Path(__file__).parents[2]
    named = read_yaml(root / "_config.yml")["repository"]["url"]
    texts = {path.name: path.read_text(encoding="utf-8") for path in [*root.glob("*.md"), root / CITATION]}
    del texts["need.md"]  # it names the repositories of others
    assert named or not [name for name, text in texts.items() if "github.com/" in text]
    citation = read_citation(root)
    assert ("url = " in citation.bibtex(2026)) is bool(citation.url)
