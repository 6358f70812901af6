"""A new chapter from the template: it is entered, it runs, its claims hold, and the book builds with it."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from bs4 import BeautifulSoup

from reproduce.chapters.book import documents
from reproduce.chapters.new import leftovers, with_claims, with_document
from reproduce.chapters.parameters import paper_values, signature
from reproduce.claims import ledger
from reproduce.ground.errors import PressError
from reproduce.running.refresh import out_of_step

if TYPE_CHECKING:
    from press.conftest import TinyBook

ROOT = Path(__file__).parents[2]
CONTENTS = """\
format: jb-book  # for Jupyter Book
root: intro
parts:
  # the first part
  - caption: Sums
    chapters:
      - file: chapters/sums/geometric  # Euclid
        sections:
          - file: aside
      # the end of the first part
  - caption: Products
    chapters:
      - file: chapters/products/wallis
"""
REGISTER = """\
# The register.
- chapter: sums/geometric
  source: soudry2018
  claims:
    - geometric.limit

- chapter: products/wallis
  result: Wallis's product tends to π/2
  source: azulay2021
"""


def test_a_new_chapter_runs_its_claims_hold_and_the_book_builds(tiny: "TinyBook") -> None:
    for name in ("_config.yml", "references.bib", "_static"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tiny.root / name)
    tiny.chapter("sums/geometric")
    assert tiny.ask("refresh", "geometric").returncode == 0
    (tiny.root / "references.md").write_text("# References\n\n```{bibliography}\n```\n")
    with (tiny.root / "_toc.yml").open("a") as contents:
        contents.write("  - file: references\n")
    (tiny.root / "_atlas.yml").write_text(REGISTER.split("\n\n")[0] + "\n")

    written = {path: (tiny.root / path).read_bytes() for path in tiny.files()}
    done = tiny.ask("new", "sums/least_norm", "--source", "soudry2018")
    assert (done.returncode, done.stderr) == (0, "")
    assert leftovers(tiny.book, tiny.book.chapter("sums/least_norm"))
    assert leftovers(tiny.book, tiny.book.chapter("sums/geometric")) == []
    assert done.stdout.splitlines()[-1].startswith("next: python -m reproduce refresh sums/least_norm, then python -m")
    before = (tiny.root / "chapters" / "sums" / "least_norm.py").read_text()
    done = tiny.ask("refresh", "sums/least_norm")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tiny.root / "chapters" / "sums" / "least_norm.py").read_text() == before  # as refresh would write it
    touched = {str(path) for path in tiny.files() if written.get(path) != (tiny.root / path).read_bytes()}
    made = {f"chapters/sums/least_norm.{suffix}" for suffix in ("py", "ipynb", "paper.yaml")}
    assert {path for path in touched if not path.startswith("_build")} == {"_toc.yml", "_atlas.yml"} | made
    assert [one.name for one in tiny.book.chapters()] == ["sums/geometric", "sums/least_norm"]
    chapter = tiny.book.chapter("least_norm")
    assert out_of_step(chapter) == ""
    assert [claim.holds for claim in ledger.claims_of(chapter.name, chapter.read())] == [True, True]
    assert paper_values(signature(chapter.read(), chapter.name), chapter) == {"n": 50, "d": 500}
    assert tiny.ask("ledger").returncode == 0
    done = tiny.ask("html")
    assert done.returncode == 0, done.stderr + (tiny.root / "_build" / "pages.log").read_text()
    page = (tiny.root / "_build" / "html" / "chapters" / "sums" / "least_norm.html").read_text()
    assert '<figure class="align-default" id="figure-least-norm">' in page
    assert "2 claims hold" in page
    found = BeautifulSoup(page, "html.parser").select_one("article")
    assert found is not None
    assert found.select_one(".question") is not None
    rows = [[cell.get_text(" ", strip=True) for cell in row.select("td")] for row in found.select(".results tbody tr")]
    assert [len(row) for row in rows] == [3, 3]
    for predicted, measured, broken in rows:
        assert measured.split()[0] == predicted != broken.split()[-1]
        assert "allowed: ±\u00a0" in measured
    assert [one.get_text(strip=True) for one in found.select("details.fold > summary")] == [
        "proof",
        "the claims of this page",
    ]
    assert len(found.select(":not(.fold) > .cell details.hide")) <= 4
    assert tiny.ask("run", "least_norm", "--paper").returncode == 0


def test_a_chapter_needs_a_known_source_or_a_planned_one(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    shutil.copy(ROOT / "references.bib", tiny.root)
    done = tiny.ask("new", "sums/zeta")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the chapter needs its source: --source KEY, with a key of references.bib" in done.stderr
    done = tiny.ask("new", "sums/zeta", "--source", "soudry2081")
    assert done.returncode == 2
    assert "source is 'soudry2081'; it must be a key of references.bib; did you mean soudry2018?" in done.stderr
    with (tiny.root / "_atlas.yml").open("a") as register:
        register.write("- {chapter: sums/zeta, result: It is finite, source: soudry2018}\n")
    assert tiny.ask("new", "sums/zeta").returncode == 0
    assert "{cite:t}`soudry2018`" in (tiny.root / "chapters" / "sums" / "zeta.py").read_text()


def test_the_first_chapter_of_a_part_is_listed_by_hand(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    shutil.copy(ROOT / "references.bib", tiny.root)
    with (tiny.root / "_toc.yml").open("a") as contents:
        contents.write("  - file: chapters/integrals/zeta\n")
    before = (tiny.root / "_toc.yml").read_text()
    assert tiny.ask("new", "integrals/zeta", "--source", "soudry2018").returncode == 0
    assert (tiny.root / "_toc.yml").read_text() == before
    assert (tiny.root / "chapters" / "integrals" / "zeta.py").exists()
    assert "- chapter: integrals/zeta" in (tiny.root / "_atlas.yml").read_text().replace("  chapter:", "- chapter:")


@pytest.mark.parametrize(("name", "said"), [
    ("sums/Zeta", "'sums/Zeta' is no name for a chapter"),
    ("zeta", "'zeta' is no name for a chapter"),
    ("sums/../zeta", "is no name for a chapter"),
    ("integrals/zeta", "unknown part 'integrals'; _toc.yml has sums"),
    ("sums/geometric", "sums/geometric exists already"),
    ("sums/index", "chapters/sums/index.md is the page that opens a part"),
    ("sums/planned", "sums/planned stands in chapters/sums/planned.paper.yaml already"),
])  # fmt: skip
def test_a_bad_name_is_one_line_and_nothing_is_written(tiny: "TinyBook", name: str, said: str) -> None:
    tiny.chapter("sums/geometric")
    (tiny.root / "chapters" / "sums" / "planned.paper.yaml").write_text("n: 5\n")
    before = {path: (tiny.root / path).read_bytes() for path in tiny.files()}
    done = tiny.ask("new", name)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert said in done.stderr
    assert {path: (tiny.root / path).read_bytes() for path in tiny.files()} == before


def test_one_line_is_added_to_the_contents() -> None:
    changed = with_document(CONTENTS, "sums", "sums/zeta").splitlines()
    before = CONTENTS.splitlines()
    assert changed == [*before[:9], "      - file: chapters/sums/zeta", *before[9:]]
    changed = with_document(CONTENTS.rstrip(), "products", "products/viete").splitlines()
    assert changed == [*before, "      - file: chapters/products/viete"]
    whole = (ROOT / "_toc.yml").read_text()
    for part in {document.split("/")[1] for document in documents(yaml.safe_load(whole)) if "chapters/" in document}:
        changed = with_document(whole, part, f"{part}/zeta").splitlines()
        assert len(changed) == len(whole.splitlines()) + 1
    with pytest.raises(PressError, match="has no line '- file: …'"):
        with_document("chapters: [file: chapters/sums/a, file: chapters/sums/b]", "sums", "sums/zeta")


def test_claims_go_to_the_entry_of_the_chapter_or_to_a_new_one() -> None:
    planned = with_claims(REGISTER, {"chapter": "products/wallis"}, ["wallis.limit"])
    assert planned == REGISTER + "  claims:\n    - wallis.limit\n"
    entry = {"part": "sums", "chapter": "sums/zeta", "bias": "$\\sum$: less"}
    added = with_claims(REGISTER, entry, ["zeta.limit", "zeta.rate"])
    assert [one["chapter"] for one in yaml.safe_load(added)] == ["sums/geometric", "sums/zeta", "products/wallis"]
    assert yaml.safe_load(added)[1] == {**entry, "claims": ["zeta.limit", "zeta.rate"]}
    assert set(REGISTER.splitlines()) <= set(added.splitlines())
    assert yaml.safe_load(with_claims("", entry, ["zeta.limit"])) == [{**entry, "claims": ["zeta.limit"]}]
