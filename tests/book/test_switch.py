"""The one setting that turns the Binder, Colab and repository buttons on."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup

from reproduce.pages.downloads import BRANCH
from reproduce.pages.publish import JUPYTER_BOOK

ROOT = Path(__file__).parents[2]
CHAPTER = "chapters/part/page"
HOSTS = ("mybinder.org", "colab.research.google.com", "github.com")


def build(folder: Path, url: str) -> BeautifulSoup:
    """The page of one chapter in a book with the real settings, but for the addresses of repository and pages."""
    settings: dict[str, Any] = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    settings["repository"]["url"] = url
    settings["html"]["baseurl"] = f"{url}/pages" if url else ""
    settings["bibtex_bibfiles"] = [str(ROOT / "references.bib")]
    settings["html"]["favicon"] = ""
    (folder / "_config.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    contents = f"format: jb-book\nroot: page\nchapters:\n- file: {CHAPTER}\n"
    (folder / "_toc.yml").write_text(contents, encoding="utf-8")
    page = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Page\n\n{doc}`/page`")])
    page.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copytree(ROOT / "lib", folder / "lib")
    (folder / CHAPTER).parent.mkdir(parents=True)
    page.cells.append(nbformat.v4.new_code_cell("from implicit_bias.figures import style"))
    for name in ("page", CHAPTER):
        nbformat.write(page, folder / f"{name}.ipynb")
    command = [sys.executable, "-c", JUPYTER_BOOK, "build", str(folder), "-W", "--keep-going", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return BeautifulSoup((folder / f"_build/html/{CHAPTER}.html").read_text(encoding="utf-8"), "html.parser")


def addresses(page: BeautifulSoup) -> list[str]:
    return [tag["href"] for tag in page.find_all("a", href=True) if any(host in tag["href"] for host in HOSTS)]


@pytest.mark.nightly  # a build of its own; the book itself has no address
def test_without_an_address_there_is_no_button(tmp_path: Path) -> None:
    assert addresses(build(tmp_path, "")) == []


def test_with_an_address_there_are_all(tmp_path: Path) -> None:
    found = addresses(build(tmp_path, "https://github.com/owner/name"))
    colab = f"https://colab.research.google.com/github/owner/name/blob/{BRANCH}/{CHAPTER}.ipynb"
    assert any(a.startswith(colab) for a in found)
    binder = f"https://mybinder.org/v2/gh/owner/name/{BRANCH}?urlpath=lab/tree/{CHAPTER}.ipynb"
    assert any(a.startswith(binder) for a in found)
    assert "https://github.com/owner/name" in found
    first, words, *_ = nbformat.read(tmp_path / f"_build/html/_sources/{CHAPTER}.ipynb", as_version=4).cells
    assert first.source.endswith("%pip install -q 'implicit-bias[plot] @ git+https://github.com/owner/name'")
    assert words.source == "# Page\n\n[*Page*](https://github.com/owner/name/pages/page.html)"


@pytest.mark.nightly
@pytest.mark.parametrize("url", ["https://gitlab.com/owner/name"])
def test_elsewhere_there_is_no_colab_button(tmp_path: Path, url: str) -> None:
    found = " ".join(addresses(build(tmp_path, url)))
    assert "mybinder.org" in found
    assert "colab" not in found
