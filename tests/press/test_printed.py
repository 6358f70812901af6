"""What the pages show as HTML, as LaTeX: text, claims, tables, formulas, films; and what LaTeX's log finds wrong."""

import base64
import io
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup, Tag
from PIL import Image

from reproduce.book import Book
from reproduce.claims.show import details, head, look
from reproduce.errors import PressError
from reproduce.pages.claim_box import claim_box, depart_latex, visit_latex
from reproduce.printed import build, offered
from reproduce.printed.html_to_latex import keeper, to_latex
from reproduce.printed.mathml import formula
from reproduce.printed.tables import shares

if TYPE_CHECKING:
    from press.conftest import TinyBook

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(20)


def printed(html: str) -> str:
    return to_latex(html, lambda picture: f"{len(picture)}.png")


@pytest.mark.parametrize(
    ("html", "latex"),
    [
        ("50 % of {a_b} & c#1", r"50 \% of \{a\_\allowbreak{}b\} \& c\#1"),
        ("&lt;b&gt; ~ ^ \\ [1]", r"<b> \textasciitilde{} \textasciicircum{} \textbackslash{} {[}1]"),
        (r"a &amp; $x_1 &amp; y$, \(k_2\)", r"a \& $x_1 & y$, \(k_2\)"),
        ("<b>one</b> <em>two</em> x<sup>2</sup>", r"\textbf{one} \emph{two} x\textsuperscript{2}"),
        ("<code>lib/a_b.py</code>", r"\texttt{lib/\allowbreak{}a\_\allowbreak{}b.\allowbreak{}py}"),
        ('<a href="https://a.org/x_1">there</a>, <a href="#here">here</a>', r"\href{https://a.org/x\_1}{there}, here"),
        ("<ul><li>one</li><li>two</li></ul>", "\\begin{itemize}\\item one\n\\item two\\end{itemize}"),
        ('<a class="atlas-chip" href="x">one</a><a class="atlas-chip">two</a>', r"one\newline two\newline"),
        ('<span class="results-note"> </span>', ""),
        ("<ul></ul><button>press</button><script>let x</script><style>b{}</style><!-- no -->", ""),
        ('<details class="fold"><summary>proof</summary>', ""),
    ],
)
def test_what_is_said_stays_and_what_is_pressed_goes(html: str, latex: str) -> None:
    assert printed(html) == latex


def record(**other: object) -> "dict[str, object]":
    control = {"what": "another start", "kind": "premise", "near": "", "measured": 2.0, "error": 1.0, "failed": True}
    return {
        "id": "sums.limit", "statement": "50 % of $x$", "headline": "", "source": "Euclid", "kind": "limit",
        "relative": False, "side": "upper", "theory": 1.0, "measured": 1.0, "error": 0.0, "worst": None,
        "tolerance": 1e-9, "basis": "error", "derived": 2e-10, "why": "rounding", "control": control, "rival": None,
        "passed": True, **other,
    }  # fmt: skip


def test_a_claim_is_a_box_with_its_verdict_and_all_its_numbers() -> None:
    for holds, one in ((True, record()), (False, record(error=1.0, measured=2.0, passed=False))):
        writer = SimpleNamespace(body=[])
        node = claim_box("", classes=look(one).split())
        visit_latex(writer, node)
        depart_latex(writer, node)
        kind = "claimholds" if holds else "claimfails"
        assert writer.body == [f"\n\\begin{{{kind}}}", f"\\end{{{kind}}}\n"]
        verdict = "✓ holds" if holds else "✗ FAILS"
        assert printed(head(one)) == f"\\textbf{{{verdict}}} \\texttt{{sums.\\allowbreak{{}}limit}}:"
        text = printed(details(one, words=True))
        for part in (r"\item[predicted]", r"\item[because]", "4 times the derived error", r"\item[source]", "Euclid"):
            assert part in text
        assert ("the measurement is outside its tolerance" in text) is not holds


def test_of_a_film_the_first_frame_is_printed(tmp_path: Path) -> None:
    frame = f"data:image/png;base64,{base64.b64encode(PICTURE).decode()}"
    film = f'<div class="film"><img src="{frame}"><button>▶</button></div>'
    text = to_latex(film, keeper(tmp_path))
    (still,) = tmp_path.iterdir()
    assert text == f"\\still{{{still.name}}}"
    assert still.read_bytes() == PICTURE
    for kind in ("sliders", "live", "solve"):
        assert printed(f'<div class="{kind}"><p>words</p><input></div>') == "\\onlyonthepage"


def test_a_table_keeps_its_head_and_its_rows_and_fills_the_line() -> None:
    text = printed(
        "<table><thead><tr><th><button>name</button></th><th data-name='rival'>r</th><th>n</th></tr></thead>"
        "<tbody><tr><td>a<span class='ledger-note'>b</span></td><td>x</td><td>1</td></tr><tr><td>c</td></tr></tbody>"
        "</table>"
    )
    assert (
        "\\textbf{name} & \\textbf{n}\\\\\n\\midrule\n\\endhead\na\\pagenote{b} & 1\\\\\nc & \\\\\n\\bottomrule" in text
    )
    assert printed("<table><thead><tr><th>alone</th></tr></thead></table>") == ""


def test_the_widths_of_columns_follow_what_stands_in_them() -> None:
    narrow, wide = shares([["1", "2"], ["a long sentence of many words", "another one that is as long"]])
    assert narrow + wide == pytest.approx(1)
    assert wide > 5 * narrow
    word, *_ = shares([["measured"], *[["many words " * 10]] * 4])
    assert word >= len("measured") / 90
    even = shares([["x" * 1000, "y"], ["z" * 60, "y"]])
    assert even[0] == pytest.approx(even[1])


def test_a_formula_of_mathml_is_one_of_latex() -> None:
    inside = (
        "<msub><mi>K</mi><mi>i</mi></msub><mo>=</mo><msqrt><mi>δ</mi></msqrt><mo>+</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>"
        "<mover><mi>w</mi><mo>˙</mo></mover><mi>exp</mi>"
    )
    tree = BeautifulSoup(f"<math>{inside}</math>", "html.parser").math
    assert isinstance(tree, Tag)
    assert formula(tree) == r"${K }_{i }= \sqrt{δ }+ \frac{1 }{2 }\dot{w }\text{exp}$ "


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
    notebooks = [root / "chapters" / "sums" / f"{name}.ipynb" for name in ("one", "two")]
    for notebook in notebooks:
        notebook.parent.mkdir(parents=True, exist_ok=True)
        notebook.write_text("{}")
    printed = [Path("implicit-bias.pdf"), Path("chapters/sums/one.pdf"), Path("chapters/sums/two.pdf")]
    for path in printed:
        (root / "_build" / "pdf" / path).parent.mkdir(parents=True, exist_ok=True)
        (root / "_build" / "pdf" / path).write_text("PDF")
    offered.offer(Book(root), staged)
    assert not staged.exists()
    offered.note_printed(Book(root))
    offered.offer(Book(root), staged)
    assert all((staged / "pdf" / path).is_file() for path in printed)
    shutil.rmtree(staged)
    notebooks[0].write_text("{ }")
    offered.offer(Book(root), staged)
    assert [path.name for path in staged.rglob("*.pdf")] == ["two.pdf"]


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
    assert tiny.call("refresh", "geometric").returncode == 0
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
    assert offers(tiny) == {"geometric.ipynb", "geometric.py", "geometric.pdf"}
    notebook = tiny.root / "chapters" / "sums" / "geometric.ipynb"
    notebook.write_text(f"{notebook.read_text()} ")  # as after a new run
    assert offers(tiny) == {"geometric.ipynb", "geometric.py"}


def offers(tiny: "TinyBook") -> "set[str]":
    """The files that the page of the chapter offers, each of which is there; the book's PDF comes with its own."""
    assert tiny.call("html").returncode == 0
    page = tiny.root / "_build" / "html" / "chapters" / "sums" / "geometric.html"
    links = BeautifulSoup(page.read_text(), "html.parser").select(".dropdown-download-buttons a")
    found = [(page.parent / str(link["href"])).resolve() for link in links]
    assert all(path.is_file() for path in found)
    whole = tiny.root / "_build" / "html" / "pdf" / "implicit-bias.pdf"
    assert whole.exists() == any(path.suffix == ".pdf" for path in found)
    return {path.name for path in found}
