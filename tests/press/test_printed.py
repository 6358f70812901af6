"""What notebooks store as HTML, on paper: claims, tables, films; what is offered; what LaTeX's log finds wrong."""

import base64
import io
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from PIL import Image

from reproduce.chapters.book import Book
from reproduce.claims.ledger import judge
from reproduce.claims.show import details, look
from reproduce.ground.errors import PressError
from reproduce.pages import downloads
from reproduce.pages.claim_box import claim_box, depart_latex, visit_latex
from reproduce.pages.claim_rows import claim_rows, for_print
from reproduce.pages.directive import ONLY_ON_THE_PAGE
from reproduce.pages.ledger_table import COLUMNS, _cells
from reproduce.printed import build
from reproduce.printed.columns import shares
from reproduce.printed.stored import for_paper, keeper

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbformat import NotebookNode
    from press.conftest import TinyBook

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(20)


def printed(html: str) -> list[nodes.Node]:
    return for_paper(html, lambda picture: f"{len(picture)}.png")


def words(made: "list[nodes.Node]") -> str:
    """The text of some nodes; LaTeX as it is."""
    return "".join(node.astext() for node in made)


def record(**other: object) -> "dict[str, object]":
    control = {"what": "another start", "kind": "premise", "near": "", "measured": 2.0, "error": 1.0, "failed": True}
    return {
        "id": "sums.limit", "statement": "50 % of $x$", "headline": "", "source": "Euclid", "kind": "limit",
        "relative": False, "side": "upper", "theory": 1.0, "measured": 1.0, "error": 0.0, "worst": None,
        "tolerance": 1e-9, "basis": "error", "derived": 2e-10, "why": "rounding", "control": control, "rival": None,
        "evidence": "proved here", "passed": True, **other,
    }  # fmt: skip


def test_a_claim_is_a_box_with_all_its_numbers() -> None:
    for holds, one in ((True, record()), (False, record(error=1.0, measured=2.0, passed=False))):
        writer = SimpleNamespace(body=[])
        node = claim_box("", classes=look(one).split())
        visit_latex(writer, node)
        depart_latex(writer, node)
        kind = "claimholds" if holds else "claimfails"
        assert writer.body == [f"\n\\begin{{{kind}}}", f"\\end{{{kind}}}\n"]
        made = printed(details(one, words=True))
        text = words(made)
        for part in ("predicted", "because", "source", "evidence"):
            assert rf"\item[{part}]" in text
        for part in ("4 times the derived error", "Euclid", "proved here"):
            assert part in text
        assert ("the measurement is outside its tolerance" in text) is not holds
        assert "1" in [node.astext() for node in made if isinstance(node, nodes.literal)]


def test_of_a_film_the_first_frame_is_printed(tmp_path: Path) -> None:
    frame = f"data:image/png;base64,{base64.b64encode(PICTURE).decode()}"
    film = f'<div class="film"><img src="{frame}"><button>▶</button></div>'
    text = words(for_paper(film, keeper(tmp_path)))
    (still,) = tmp_path.iterdir()
    assert text.strip() == f"\\still{{{still.name}}}"
    assert still.read_bytes() == PICTURE
    assert words(printed('<div class="sliders"><p>words</p><input></div>')) == ONLY_ON_THE_PAGE


def test_what_a_page_has_for_itself_is_not_printed() -> None:
    for html in (
        '<div class="solve"><style>b{}</style></div>',
        '<details class="fold"><summary>',
        "</details>",
        "<!-- -->",
    ):
        assert printed(html) == []


def test_a_stored_table_keeps_its_head_and_its_rows() -> None:
    (table,) = printed(
        '<table><thead><tr><th>name</th><th>n</th></tr></thead><tbody><tr><td>a_b</td><td><code class="n">1</code></td>'
        "</tr></tbody></table>"
    )
    assert isinstance(table, nodes.table)
    assert [cell.astext() for cell in table.findall(nodes.entry)] == ["name", "n", "a_b", "1"]
    assert [cell.astext() for head in table.findall(nodes.thead) for cell in head.findall(nodes.entry)] == ["name", "n"]
    (bare,) = printed("<table><tr><td>alone</td></tr></table>")
    assert isinstance(bare, nodes.table)
    assert not list(bare.findall(nodes.thead))


def test_the_widths_of_columns_follow_what_stands_in_them() -> None:
    narrow, wide = shares([["1", "2"], ["a long sentence of many words", "another one that is as long"]])
    assert narrow + wide == pytest.approx(1)
    assert wide > 5 * narrow
    word, *_ = shares([["measured"], *[["many words " * 10]] * 4])
    assert word >= len("measured") / 90
    even = shares([["x" * 1000, "y"], ["z" * 60, "y"]])
    assert even[0] == pytest.approx(even[1])


def test_the_ledger_on_paper_has_a_row_for_each_claim(stored: "Callable[..., NotebookNode]") -> None:
    claims = judge({"sums/geometric": stored({})}).claims
    printed = for_print(COLUMNS, claim_rows(claims, _cells))
    head, row = ([cell.astext() for cell in one.findall(nodes.entry)] for one in printed.findall(nodes.row))
    assert head == ["verdict", "claim", "predicted", "measured", "error / allowed", "control"]
    assert row[0].startswith("✓ holds")
    assert "geometric.limit" in row[1]


LOG = """\
Missing character: There is no ᵀ (U+1D40) in font Linux Libertine O/OT:script=latn;language=dflt;!
Missing character: There is no ᵀ (U+1D40) in font Linux Libertine O/B/OT:script=latn;language=dflt;!
Overfull \\hbox (9.99pt too wide) in paragraph at lines 1--2
Overfull \\hbox (12.5pt too wide) in paragraph at lines 3--4
"""


def test_what_the_log_finds_wrong_is_said(tmp_path: Path) -> None:
    (tmp_path / "book.log").write_text(LOG)
    log = build.read_log(tmp_path / "book.log")
    assert list(log.sentences) == ["1 signs are missing in the fonts: ᵀ", "1 lines are too wide, by 12 pt at most"]
    (tmp_path / "book.log").write_text("Output written on book.pdf")
    assert list(build.read_log(tmp_path / "book.log").sentences) == []


def test_without_latex_one_line_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        PressError, match=r"^the PDF is set by LaTeX, of which this is missing: fc-list, latexmk, .*has it$"
    ):
        build.print_book(Book(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_every_font_that_is_set_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = subprocess.CompletedProcess([], 0, stdout="", stderr="")
    monkeypatch.setattr(build.shutil, "which", lambda tool: tool)
    monkeypatch.setattr(build, "_run", lambda command, folder: nothing)
    fonts = "Linux Libertine O, Linux Biolinum O, DejaVu Sans Mono, STIX Math, DejaVu Sans"
    with pytest.raises(PressError, match=f"of which this is missing: {fonts};"):
        build.demand_latex()


def test_the_page_on_reruns_installs_what_the_message_names() -> None:
    text = " ".join((Path(__file__).parents[2] / "rerun.md").read_text().replace("\\\n", " ").split())
    assert build.INSTALL in text


def test_only_what_shows_the_stored_notebooks_is_offered(tmp_path: Path) -> None:
    root, staged = tmp_path / "book", tmp_path / "staged"
    root.mkdir()
    (root / "_toc.yml").write_text("root: intro\n")
    (root / "_config.yml").write_text("latex: {latex_documents: {targetname: sums.tex}}\n")
    notebooks = [root / "chapters" / "sums" / f"{name}.ipynb" for name in ("one", "two")]
    for notebook in notebooks:
        notebook.parent.mkdir(parents=True, exist_ok=True)
        notebook.write_text("{}")
    printed = [Path("sums.pdf"), Path("chapters/sums/one.pdf"), Path("chapters/sums/two.pdf")]
    for path in printed:
        (root / "_build" / "pdf" / path).parent.mkdir(parents=True, exist_ok=True)
        (root / "_build" / "pdf" / path).write_text("PDF")
    downloads.stage_printed(Book(root), staged)
    assert not staged.exists()
    downloads.note_printed(Book(root))
    downloads.stage_printed(Book(root), staged)
    assert all((staged / "pdf" / path).is_file() for path in printed)
    shutil.rmtree(staged)
    notebooks[0].write_text("{ }")
    downloads.stage_printed(Book(root), staged)
    assert [path.name for path in staged.rglob("*.pdf")] == ["two.pdf"]


@pytest.mark.parametrize("text", ["", "title: Sums\n", "latex:\n", "- latex\n", "latex: {latex_documents: sums}\n"])
def test_a_book_that_names_no_pdf_has_one_of_the_name_book(tmp_path: Path, text: str) -> None:
    (tmp_path / "_config.yml").write_text(text)
    assert downloads.printed_name(tmp_path) == "book"


def latex_is_missing() -> str:
    """Why no PDF can be made here; empty if one can."""
    try:
        build.demand_latex()
    except PressError as error:
        return str(error)
    return ""


SHOWN = """\
from IPython.display import HTML, display

display(HTML('<div class="film"><img src="data:image/png;base64,{frame}"></div>'))
signs, name = "αβγ ᵀ ₖ ⟨ ⟩ ‖", "a_long_name_of_a_quantity_that_has_to_break_somewhere"
display(HTML("<table><tr><td>" + signs + "</td><td>" + name + "</td></tr></table>"))"""
SLIDES = "geometric.html"  # the page itself


@pytest.mark.nightly
@pytest.mark.skipif(bool(latex_is_missing()), reason=latex_is_missing())
def test_a_chapter_is_printed_with_its_claims_its_film_and_every_sign(tiny: "TinyBook") -> None:
    root = Path(__file__).parents[2]
    for name in ("_config.yml", "references.bib", "_static"):
        copy = shutil.copytree if (root / name).is_dir() else shutil.copy
        copy(root / name, tiny.root / name)
    frame = io.BytesIO()
    Image.new("RGB", (40, 30), "white").save(frame, "PNG")
    encoded = base64.b64encode(frame.getvalue()).decode()
    tiny.chapter("sums/geometric", tiny.claim("geometric"), SHOWN.format(frame=encoded))
    assert tiny.ask("refresh", "geometric").returncode == 0
    done = tiny.call("pdf")
    assert (done.returncode, done.stderr) == (0, "setting the book from the stored outputs\n")
    made = tiny.root / "_build" / "pdf" / "implicit-bias.pdf"
    assert done.stdout.startswith(f"{made.relative_to(tiny.root)} (")
    text = subprocess.run(["pdftotext", str(made), "-"], capture_output=True, text=True, check=True).stdout
    for part in (
        "On geometric",
        "geometric.limit",
        "a proved bound: rounding of n terms",
        "αβγ ᵀ ₖ ⟨ ⟩ ‖",
        "somewhere",
    ):
        assert part in text, part
    own = tiny.root / "_build" / "pdf" / "chapters" / "sums" / "geometric.pdf"
    assert "On geometric" in subprocess.run(["pdftotext", str(own), "-"], capture_output=True, text=True).stdout
    assert offers(tiny) == {"geometric.ipynb", "geometric.py", "geometric.pdf", SLIDES}
    notebook = tiny.root / "chapters" / "sums" / "geometric.ipynb"
    notebook.write_text(f"{notebook.read_text()} ")  # as after a new run
    assert offers(tiny) == {"geometric.ipynb", "geometric.py", SLIDES}


def offers(tiny: "TinyBook") -> "set[str]":
    """The files that the page of the chapter offers, each of which is there; the book's PDF comes with its own."""
    assert tiny.ask("html").returncode == 0
    page = tiny.root / "_build" / "html" / "chapters" / "sums" / "geometric.html"
    links = BeautifulSoup(page.read_text(), "html.parser").select(".dropdown-download-buttons a")
    found = [(page.parent / str(link["href"]).removesuffix("?slides")).resolve() for link in links]
    assert all(path.is_file() for path in found)
    whole = tiny.root / "_build" / "html" / "pdf" / "implicit-bias.pdf"
    assert whole.exists() == any(path.suffix == ".pdf" for path in found)
    return {path.name for path in found}
