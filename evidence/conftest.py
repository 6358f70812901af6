"""The option ``--keep-mutants``: keep how mutants and spoiled claims ended, as the findings of their campaigns."""

from pathlib import Path

import pytest
from mutants.counts import Counts

from reproduce.chapters.book import Book

OPTION = "--keep-mutants"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(OPTION, action="store_true", help="keep for the book what mutants and spoiled claims found")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption(OPTION) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Counts(Book(Path(__file__).parents[1])), "counts of mutants")
