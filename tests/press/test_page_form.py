"""The form of a chapter's page, in a small book: question, table of results, folds, bars of code, a part's story."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat import NotebookNode

from reproduce.chapters.book import parts_of
from reproduce.claims import Control
from reproduce.ground.errors import RunFailed
from reproduce.ground.reading import read_yaml
from reproduce.pages.citation import read_citation
from reproduce.pages.downloads import printed_name
from reproduce.pages.publish import build_pages, jupyter_book, stage
from reproduce.running.environment import commit_of
from reproduce.running.notebooks import normalised, write_notebook

if TYPE_CHECKING:
    from press.conftest import TinyBook

ROOT = Path(__file__).parents[2]
Stored = Callable[..., NotebookNode]
V4: Any = nbformat.v4
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
CONTENTS = """\
format: jb-book
root: intro
parts:
  - caption: Sums
    numbered: 1
    chapters:
      - file: chapters/sums/index
      - file: chapters/sums/geometric
      - file: chapters/sums/zeta
  - caption: Products
    numbered: 1
    chapters:
      - file: chapters/products/wallis
  - caption: Reference
    chapters:
      - file: references
"""
REGISTER = """\
- part: sums
  chapter: sums/{name}
  result: Of {name}
  model: series
  algorithm: adding
  loss: squared
  bias: $x$
  short: x
  source: soudry2018
  question: What is the sum of {name}, and $\\pi$?
  claims: [{claims}]
"""
ABOVE = """\
# The {name} series

```{{question}}
```

```{{hero}}
```

## What we find

```{{results}}
| quantity | predicted | measured | for contrast | premise broken |
|---|---|---|---|---|
| [sum](limit), of *all* terms | {{glue:text}}`predicted` | {{glue:text}}`measured` | | without the first: 1 |
| [last $q$](rate) | at most 1 | .19 | | |
```

```{{fold}} Proof for $q<1$
Multiply by $1-q$.
```
"""
BELOW = """\
## Instruments

What the sums are made of.

```{fold} all instruments
```

```{prf:proof}
:class: dropdown

Hidden. $\\square$
```

## Where to go next

```{next}
Products are next.
```
"""


def cell(source: str, *outputs: NotebookNode, tags: str = "hide-input") -> NotebookNode:
    made: NotebookNode = V4.new_code_cell(source, metadata={"tags": tags.split()}, execution_count=1)
    made.outputs = list(outputs)
    return made


def glued(name: str, text: str) -> NotebookNode:
    prefix = "application/papermill.record/"  # with which myst-nb stores what is glued and not displayed
    stored = {"scrapbook": {"mime_prefix": prefix, "name": name}}
    output: NotebookNode = V4.new_output("display_data", {f"{prefix}text/plain": repr(text)}, metadata=stored)
    return output


@pytest.fixture
def small(tiny: "TinyBook", stored: Stored) -> "TinyBook":
    """A book of two parts, the first with a story, and three chapters of one text."""
    for name in ("_config.yml", "references.bib", "_static"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tiny.root / name)
    (tiny.root / "_toc.yml").write_text(CONTENTS)
    (tiny.root / "references.md").write_text("# References\n\n```{bibliography}\n```\n\n{cite:t}`soudry2018`\n")
    register = ""
    for name in ("sums/geometric", "sums/zeta", "products/wallis"):
        part, short = name.split("/")
        first = {"id": f"{short}.limit", "relative": True, "proved": 1e-3, "said": {"headline": "sum"}}
        second = {"id": f"{short}.rate", "kind": "bound", "theory": 1.0, "measured": 0.19,
                  "control": Control(2.0), "said": {"control": "twice"}}  # fmt: skip
        notebook = stored(first, second)
        *calls, words = notebook.cells
        for call in calls:
            call.metadata = {"tags": ["hide-input"]}
        notebook.cells = calls
        picture = V4.new_output("display_data", {"image/png": PIXEL})
        hero = cell("plot()", picture, tags="hide-input hero")
        notebook.cells[:0] = [
            V4.new_markdown_cell(ABOVE.format(name=short)),
            cell("import sums"),
            cell("glue()", glued("predicted", "2 %"), glued("measured", "1.9999")),
            hero,
            V4.new_markdown_cell(BELOW.split("```{fold}")[0]),
        ]
        notebook.cells.append(V4.new_markdown_cell("```{fold}" + BELOW.split("```{fold}")[1]))
        notebook.cells.append(words)
        notebook.metadata["executed"] = {"date": "2026-11-02", "seconds": 3, "versions": "Python 3", "host": "2 cores"}
        path = tiny.root / "chapters" / f"{name}.ipynb"
        path.parent.mkdir(exist_ok=True)
        write_notebook(normalised(notebook), path)
        register += REGISTER.format(name=short, claims=f"{short}.limit, {short}.rate").replace("sums/", f"{part}/")
    (tiny.root / "_atlas.yml").write_text(register)
    (tiny.root / "CITATION.cff").write_text("title: Sums\nversion: 1.2.3\nauthors: [{name: Euclid}]\n")
    story = "# Sums, the story\n\nThey end.\n\n```{hero} sums/zeta\nThe zeta series, see $q$.\n```\n"
    (tiny.root / "chapters" / "sums" / "index.md").write_text(story)
    return tiny


@pytest.fixture
def built(small: "TinyBook") -> "TinyBook":
    """The book, all of it committed, with its pages."""
    (small.root / ".gitignore").write_text("_build\n")
    by = ["-c", "user.name=Euclid", "-c", "user.email=e@example.org"]
    for command in (["init", "-q"], ["add", "."], [*by, "commit", "-q", "-m", "Sums"]):
        subprocess.run(["git", *command], cwd=small.root, check=True)
    build_pages(small.book)
    return small


def page(small: "TinyBook", name: str) -> BeautifulSoup:
    text = (small.root / "_build" / "html" / f"{name}.html").read_text(encoding="utf-8")
    return BeautifulSoup(text, "html.parser")


def words(node: Any) -> str:
    return re.sub(r"\s+", " ", node.get_text(" ", strip=True).replace("#", "")).strip()


def test_the_pages_have_their_form(built: "TinyBook") -> None:
    a_page_has_its_form(built)
    a_claim_says_how_it_is_cited(built)
    a_part_opens_with_its_story_and_chapters_keep_their_numbers(built)


def a_page_has_its_form(built: "TinyBook") -> None:
    zeta = page(built, "chapters/sums/zeta").article
    assert zeta is not None
    title, question = zeta.find_all(["h1", "p"], limit=2)
    assert (words(title), question["class"]) == ("2. The zeta series", ["question"])
    assert question.get_text() == "What is the sum of zeta, and \\(\\pi\\)?"

    said = zeta.select_one(".chapter-claims li")
    assert said is not None
    assert words(said).endswith("in the ledger · deterministic")
    run = zeta.select_one("details:has(.results-run)")
    assert run is not None
    assert words(run).startswith("Executed 2 November 2026 3 s of one core, with Python 3, on 2 cores.")  # of no commit

    table = zeta.select_one("table.results")
    assert table is not None
    assert [words(cell) for cell in table.select("thead th")] == ["quantity", "predicted", "measured", "premise broken"]
    assert [[words(cell) for cell in row.select("th, td")] for row in table.select("tbody tr")] == [
        ["sum , of all terms", "2 %", "1.9999 allowed: ± 0.1 %", "without the first: 1"],
        ["last \\(q\\)", "at most 1", ".19 allowed: 10⁻⁹ beyond", ""],
    ]
    links = [str(link["href"]) for link in table.select("a")]
    assert links == ["#claim-zeta.limit", "#claim-zeta.rate"]
    assert all(zeta.find(id=link[1:]) for link in links)
    assert {str(row["class"]) for row in table.select("tbody tr")} == {"['holds', 'row-even']", "['holds', 'row-odd']"}
    assert "held" in table.select(".pasted-text")[0]["class"]
    assert words(zeta.select_one(".chapter-claims-fold summary")).startswith("✓ all 2 claims hold")

    folds = [(words(fold.summary), words(fold.summary.find_next_sibling())) for fold in zeta.select("details.fold")]
    assert folds[0] == ("Proof for \\(q<1\\)", "Multiply by \\(1-q\\) .")
    assert [name for name, _ in folds[1:]] == ["all instruments", "proof"]  # and the rule for old pages is silent
    assert zeta.select("details.fold details.fold div.proof")

    bars = zeta.select("details.hide")
    assert [len(bar.select("pre")) for bar in bars] == [3, 2]
    assert len(zeta.select(".claim")) == 2

    lines = [words(line) for line in zeta.select(".next > p")]
    assert lines == ["Before: The geometric series . What is the sum of geometric, and \\(\\pi\\) ?",
                     "After: The wallis series . What is the sum of wallis, and \\(\\pi\\) ?"]  # fmt: skip
    assert len(page(built, "chapters/sums/geometric").select(".next > p")) == 1


def a_claim_says_how_it_is_cited(built: "TinyBook") -> None:
    box = page(built, "chapters/sums/zeta").select_one(".claim#claim-zeta\\.limit")
    assert box is not None
    assert [link["href"] for link in box.select(".claim-id a")] == ["#claim-zeta.limit"]
    assert words(box.select_one(".claim-cite > summary")) == "cite this claim"
    (entry,) = box.select(".claim-cite #cite-zeta\\.limit pre")
    assert read_citation(built.root).bibtex(2026, "zeta.limit", "", commit_of(built.book)[:12]) == entry.text
    assert re.search(r'note = "Claim zeta.limit, version 1.2.3, commit [0-9a-f]{12}"', entry.text)


def a_part_opens_with_its_story_and_chapters_keep_their_numbers(built: "TinyBook") -> None:
    story = page(built, "chapters/sums/index")
    assert (words(story.h1), words(story.figcaption)) == ("Sums, the story", "The zeta series, see \\(q\\) .")
    sidebar = story.select_one("nav.bd-docs-nav, .bd-links")
    assert sidebar is not None
    assert [words(one) for one in sidebar.select("p.caption, li > a")] == [
        "Sums", "Sums, the story", "1. The geometric series", "2. The zeta series", "Products", "3. The wallis series",
        "Reference", "References"]  # fmt: skip
    assert words(page(built, "chapters/products/wallis").select_one("article h1")) == "3. The wallis series"
    contents = read_yaml(built.root / "_toc.yml")
    assert parts_of(contents) == [("Sums", ["sums/geometric", "sums/zeta"]), ("Products", ["products/wallis"])]
    assert [chapter.name for chapter in built.book.chapters()] == ["sums/geometric", "sums/zeta", "products/wallis"]


def test_in_print_a_story_has_no_number_either(small: "TinyBook", tmp_path: Path) -> None:
    stage(small.book, tmp_path / "source", {})
    folder = jupyter_book(small.book, tmp_path / "source", tmp_path, "latex")
    text = (folder / f"{printed_name(small.root)}.tex").read_text(encoding="utf-8")
    titles = re.findall(r"\\(part|chapter\*?)\{([^}]*)\}", text)
    assert titles[1:6] == [("part", "Sums"), ("chapter*", "Sums, the story"), ("chapter", "The geometric series"),
                           ("chapter", "The zeta series"), ("part", "Products")]  # fmt: skip
    assert r"\sphinxstylestrong{Proof for \(q<1\)}" in text
    assert "cite this claim" not in text
    assert r"\DUrole{results-note}{allowed: ± 0.1 \%}" in text


WRONG_TABLES = (
    ("geometric", "(limit)", "(limits)", "names no claim: 'limits'; did you mean limit?"),
    ("zeta", "[sum](limit)", "sum", "the row 'sum, of all terms' needs one link to its claim"),
    ("wallis", "| for contrast |", "| in contrast |", "quantity, predicted, measured, for contrast, premise"),
    ("zeta", "```{fold}", "```{results}\nSee below.\n```\n\n```{fold}", "must be one table in Markdown"),
)  # fmt: skip


def test_tables_that_are_not_of_results_stop_the_build_and_each_is_named(small: "TinyBook") -> None:
    for name, old, new, _ in WRONG_TABLES:
        path = small.book.chapter(name).notebook
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new.replace("\n", '\\n",\n"')), encoding="utf-8")
    with pytest.raises(RunFailed):
        build_pages(small.book)
    log = (small.root / "_build" / "pages.log").read_text()
    for *_, said in WRONG_TABLES:
        assert said in log
