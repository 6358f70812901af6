"""The settings that turn on the Binder, Colab and repository buttons, and what only pages with an address have."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup

from reproduce.pages.downloads import BRANCH
from reproduce.pages.publish import JUPYTER_BOOK

ROOT = Path(__file__).parents[2]
CHAPTER = "chapters/p/one"
HOSTS = ("mybinder.org", "colab.research.google.com", "github.com")
BASE = "https://owner.example/name"
REGISTER = """
- part: p
  chapter: p/one
  result: R
  model: linear
  algorithm: flow
  loss: squared
  bias: b
  short: b
  source: s
  question: What is "it" & why?
  answer: It is 1 < 2.
"""
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="


def build(folder: Path, url: str, base: str = "") -> BeautifulSoup:
    """The page of one notebook in a book with the real settings, but for the addresses of repository and pages."""
    settings: dict[str, Any] = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    settings["repository"]["url"], settings["html"]["baseurl"] = url, base
    settings["bibtex_bibfiles"] = [str(ROOT / "references.bib")]
    settings["html"]["favicon"] = ""
    (folder / "_config.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    contents = "format: jb-book\nroot: page\nchapters:\n- file: chapters/p/index\n- file: chapters/p/one\n"
    (folder / "_toc.yml").write_text(contents, encoding="utf-8")
    (folder / "_atlas.yml").write_text(REGISTER, encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copytree(ROOT / "lib", folder / "lib")
    picture = nbformat.v4.new_output("display_data", {"image/png": PIXEL})
    drawn = {"tags": ["hero"], "mystnb": {"image": {"alt": "a pixel"}}}
    hero = nbformat.v4.new_code_cell("draw()", execution_count=1, outputs=[picture], metadata=drawn)
    imports = nbformat.v4.new_code_cell("from implicit_bias.figures import style")
    for name, *cells in (("page", "# Page\n\nIts first words."), (CHAPTER, "# One\n\n{doc}`/page`", imports, hero)):
        made = [nbformat.v4.new_markdown_cell(cell) if isinstance(cell, str) else cell for cell in cells]
        page = nbformat.v4.new_notebook(cells=made)
        page.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(page, folder / f"{name}.ipynb")
    (folder / "chapters/p/index.md").write_text("# P\n\nIts story.\n", encoding="utf-8")
    command = [sys.executable, "-c", JUPYTER_BOOK, "build", str(folder), "-W", "--keep-going", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return read(folder, CHAPTER)


def read(folder: Path, name: str) -> BeautifulSoup:
    return BeautifulSoup((folder / f"_build/html/{name}.html").read_text(encoding="utf-8"), "html.parser")


def told(page: BeautifulSoup) -> dict[str, str]:
    return {tag.get("property") or tag["name"]: tag["content"] for tag in page.select("meta[property], meta[name]")}


def addresses(page: BeautifulSoup) -> list[str]:
    return [tag["href"] for tag in page.find_all("a", href=True) if any(host in tag["href"] for host in HOSTS)]


@pytest.mark.nightly  # a build of its own; the book itself has no address
def test_without_an_address_there_is_no_button_and_nothing_that_needs_one(tmp_path: Path) -> None:
    page = build(tmp_path, "")
    assert addresses(page) == []
    assert not page.select("link[rel=canonical], meta[property^=og]")
    assert [name for name in ("404.html", "sitemap.xml") if (tmp_path / "_build/html" / name).exists()] == []


@pytest.fixture(scope="module")
def at_an_address(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("book")
    build(folder, "https://github.com/owner/name", BASE)
    return folder


def test_with_an_address_there_are_all(at_an_address: Path) -> None:
    found = addresses(read(at_an_address, CHAPTER))
    colab = f"https://colab.research.google.com/github/owner/name/blob/{BRANCH}/{CHAPTER}.ipynb"
    assert any(a.startswith(colab) for a in found)
    binder = f"https://mybinder.org/v2/gh/owner/name/{BRANCH}?urlpath=lab/tree/{CHAPTER}.ipynb"
    assert any(a.startswith(binder) for a in found)
    assert "https://github.com/owner/name" in found
    first, words, *_ = nbformat.read(at_an_address / f"_build/html/_sources/{CHAPTER}.ipynb", as_version=4).cells
    assert first.source.endswith("%pip install -q 'implicit-bias[plot] @ git+https://github.com/owner/name'")
    assert words.source == f"# One\n\n[*Page*]({BASE}/page.html)"


def test_every_page_says_its_address_and_what_it_is_about(at_an_address: Path) -> None:
    listed = ElementTree.parse(at_an_address / "_build/html/sitemap.xml").getroot().iterfind("{*}url/{*}loc")
    words = {
        "page": "Its first words.",
        "chapters/p/index": "Its story.",
        "chapters/p/one": 'What is "it" & why? It is 1 < 2.',
    }
    assert sorted(str(one.text) for one in listed) == sorted(f"{BASE}/{name}.html" for name in words)
    for name, description in words.items():
        page = read(at_an_address, name)
        tags = told(page)
        assert page.select_one("link[rel=canonical]")["href"] == tags["og:url"] == f"{BASE}/{name}.html"
        assert tags["og:site_name"] == "The implicit bias of gradient methods"
        assert tags["description"] == tags["og:description"] == description
        assert (tags["og:image"], tags["og:image:alt"]) == (f"{BASE}/_static/cards/p-one.png", "a pixel")
    assert (at_an_address / "_build/html/_static/cards/p-one.png").is_file()


def test_the_page_for_what_is_not_there_is_the_same_from_every_folder(at_an_address: Path) -> None:
    page = read(at_an_address, "404")
    assert page.select_one("article h1").text == "There is no page at this address"
    asked = [tag.get("href") or tag.get("src") for tag in page.select("[href], script[src], img[src]")]
    here = [one for one in asked if one and not one.startswith(("#", "https://"))]
    assert [one for one in here if not one.startswith("/name/")] == []
    files = [at_an_address / "_build/html" / urlsplit(one).path.removeprefix("/name/") for one in here]
    assert [file for file in files if not file.exists()] == []
    assert "/name/chapters/p/one.html" in here


@pytest.mark.nightly
@pytest.mark.parametrize("url", ["https://gitlab.com/owner/name"])
def test_elsewhere_there_is_no_colab_button(tmp_path: Path, url: str) -> None:
    found = " ".join(addresses(build(tmp_path, url)))
    assert "mybinder.org" in found
    assert "colab" not in found
