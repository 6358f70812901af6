"""Builds the pages by the newest Sphinx from the book's own ``_config.yml`` and ``_toc.yml``: ``make newest-sphinx``.

Jupyter Book 1 holds Sphinx below 8, and is not needed for more than to write a ``conf.py``. A warning is an error here,
so that nothing else of the book stands in the way of another builder.
"""

import subprocess
import sys
from pathlib import Path

from reproduce.chapters.book import Book
from reproduce.pages.publish import JUPYTER_BOOK, stage

ROOT = Path(__file__).parents[1]
OF_THE_WRAPPER = ("'jupyter_book'", "'sphinx_jupyterbook_latex'")  # extensions that Jupyter Book adds


def main(python: str) -> int:
    """Stage the sources, write their ``conf.py``, build; the exit code is that of Sphinx.

    python: of the environment with the newest Sphinx.
    """
    folder = ROOT / "_build" / "newest-sphinx"
    source = folder / "source"
    stage(Book(ROOT), source, {})
    write_conf = [sys.executable, "-c", JUPYTER_BOOK, "config", "sphinx", str(source)]
    subprocess.run(write_conf, check=True, stdout=subprocess.DEVNULL)
    conf = source / "conf.py"
    text = conf.read_text(encoding="utf-8")
    for name in OF_THE_WRAPPER:
        text = text.replace(f"{name}, ", "").replace(f", {name}", "")
    conf.write_text(text, encoding="utf-8")
    command = [python, "-m", "sphinx", "-W", "--keep-going", "-q", "-E", "-b", "html", source, folder / "html"]
    return subprocess.call(command)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
