"""The files of others' catalogues say what CITATION.cff and the chapters say, and name files that are there."""

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from reproduce.archive.metadata import PAGES, described
from reproduce.chapters.book import Book
from reproduce.pages.citation import read_citation
from reproduce.pages.figure_data import named, tables

if TYPE_CHECKING:
    from conftest import TinyBook

ROOT = Path(__file__).parents[2]
PEOPLE = """\
cff-version: 1.2.0
message: Cite it.
title: Sums
abstract: >-
  Of
  series.
version: 1.2.3
date-released: 2026-11-22
license: MIT
doi: 10.1234/sums
repository-code: https://example.org/sums
keywords: [series]
authors:
  - given-names: Leonhard
    family-names: Euler
    affiliation: Academy
    orcid: https://orcid.org/0000-0001-2345-6789
  - name: Euclid's pupils
"""


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["codemeta.json", ".zenodo.json", "codecheck.yml"])
def test_the_files_of_the_book_are_what_the_command_writes(name: str) -> None:
    assert read(name) == described(Book(ROOT))[name], "run 'python -m reproduce metadata'"


def test_all_agree_with_the_citation() -> None:
    cff, config = (yaml.safe_load(read(name)) for name in ("CITATION.cff", "_config.yml"))
    project = tomllib.loads(read("pyproject.toml"))["project"]
    codemeta, zenodo = (json.loads(read(name)) for name in ("codemeta.json", ".zenodo.json"))
    codecheck = yaml.safe_load(read("codecheck.yml"))
    assert codemeta["name"] == zenodo["title"] == codecheck["paper"]["title"] == cff["title"]
    assert codemeta["version"] == zenodo["version"] == project["version"] == cff["version"]
    assert codemeta["keywords"] == zenodo["keywords"] == cff["keywords"]
    assert codemeta["license"] == [f"https://spdx.org/licenses/{name}" for name in cff["license"]]
    assert zenodo["license"] == cff["license"][0]
    names = [author["name"] for author in cff["authors"]]
    for authors in (codemeta["author"], zenodo["creators"], codecheck["paper"]["authors"], project["authors"]):
        assert [author["name"] for author in authors] == names
    assert config["author"] == "; ".join(names)
    assert config["html"]["baseurl"] == cff.get("url", "")
    assert config["repository"]["url"] == cff.get("repository-code", "")


def test_the_manifest_names_every_output_once() -> None:
    files = [entry["file"] for entry in yaml.safe_load(read("codecheck.yml"))["manifest"]]
    assert [file for file in files if not (ROOT / file).is_file() and not file.startswith(PAGES)] == []
    assert len(files) == len(set(files))
    assert {f"chapters/{one.name}.ipynb" for one in Book(ROOT).chapters()} <= set(files)
    assert any(file.startswith("answers/") for file in files)
    assert f"{PAGES}ledger.csv" in files


def test_the_manifest_names_every_figure_and_the_numbers_that_are_stored_of_it() -> None:
    manifest = {entry["file"]: entry["comment"] for entry in yaml.safe_load(read("codecheck.yml"))["manifest"]}
    for name, notebook in Book(ROOT).notebooks().items():
        figures, comment = named(notebook), manifest[f"chapters/{name}.ipynb"]
        assert comment.endswith("".join(f"; {figure}" for figure in figures)), name
        numbers = {f"{PAGES}chapters/{name.partition('/')[0]}/{figure}.csv" for figure in tables(notebook)}
        assert numbers <= set(manifest), name


def test_people_groups_release_and_doi_are_told_in_each_format(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    (tiny.root / "CITATION.cff").write_text(PEOPLE)
    done = tiny.ask("metadata")
    assert (done.stdout.split(), done.returncode) == (["codemeta.json", ".zenodo.json", "codecheck.yml"], 0)
    assert done.stderr == ""

    def written(name: str) -> Any:
        return yaml.safe_load((tiny.root / name).read_text())  # JSON is YAML

    codemeta, zenodo, codecheck = map(written, ("codemeta.json", ".zenodo.json", "codecheck.yml"))
    assert codemeta["author"] == [
        {"@type": "Person", "@id": "https://orcid.org/0000-0001-2345-6789", "givenName": "Leonhard",
         "familyName": "Euler", "affiliation": {"@type": "Organization", "name": "Academy"}},
        {"@type": "Organization", "name": "Euclid's pupils"},
    ]  # fmt: skip
    assert (codemeta["identifier"], codemeta["codeRepository"]) == (
        "https://doi.org/10.1234/sums", "https://example.org/sums")  # fmt: skip
    assert zenodo["creators"] == [
        {"name": "Euler, Leonhard", "affiliation": "Academy", "orcid": "0000-0001-2345-6789"},
        {"name": "Euclid's pupils"},
    ]
    assert (zenodo["publication_date"], zenodo["description"], zenodo["license"]) == ("2026-11-22", "Of series.", "MIT")
    assert codecheck["paper"]["reference"] == "https://doi.org/10.1234/sums"
    assert [one["file"] for one in codecheck["manifest"]] == ["chapters/sums/geometric.ipynb", f"{PAGES}ledger.csv"]
    assert codecheck["manifest"][0]["comment"] == "On geometric"


def test_what_is_not_there_is_left_out_and_a_bad_citation_is_one_line(tiny: "TinyBook") -> None:
    (tiny.root / "CITATION.cff").write_text("title: Sums\nversion: 1.2.3\nauthors: [{name: Euclid}]\n")
    assert json.loads(described(tiny.book)[".zenodo.json"]) == {
        "upload_type": "software", "title": "Sums", "version": "1.2.3", "creators": [{"name": "Euclid"}]}  # fmt: skip
    assert read_citation(tiny.root).licences == ()
    tiny.chapter("sums/geometric")
    lacking = "CITATION.cff has no names of authors, public address, DOI yet\n"
    assert (done := tiny.ask("metadata")).returncode == 0
    assert done.stderr == lacking
    (tiny.root / "codemeta.json").unlink()
    (tiny.root / "CITATION.cff").write_text("title: Sums\n")
    done = tiny.ask("metadata")
    assert (done.stderr, done.returncode) == ("error: CITATION.cff has no version, authors\n", 2)
    assert not (tiny.root / "codemeta.json").exists()


FIELDS = ("title", "version", "message", "date-released", "url", "doi", "abstract", "keywords", "license")
OF_AUTHORS = ("given-names", "name-particle", "family-names", "name-suffix", "name", "affiliation", "orcid")


@pytest.mark.parametrize("authors", [5, "Me", True, [5], [None], [[]], ["Me"], {"a": "b"}, {"name": "Me"}])
@pytest.mark.parametrize("command", [["metadata"], ["export", "-o", "../x.zip"]], ids=lambda words: words[0])
def test_authors_of_another_form_are_one_line(tiny: "TinyBook", command: list[str], authors: Any) -> None:
    tiny.chapter("sums/geometric")
    (tiny.root / "CITATION.cff").write_text(yaml.safe_dump({"title": "T", "version": "1", "authors": authors}))
    done = tiny.ask(*command)
    form = "it must be a list, each with a name or with family-names and given-names"
    assert (done.stderr, done.returncode) == (f"error: CITATION.cff: authors is {authors}; {form}\n", 2)


@pytest.mark.parametrize("value", [{"a": "b"}, [["x"]], True, [None, {}]], ids=str)
@pytest.mark.parametrize("field", FIELDS)
def test_a_field_of_another_type_is_named(tiny: "TinyBook", field: str, value: Any) -> None:
    content = {"title": "T", "version": "1", "authors": [{"name": "Me"}], field: value}
    (tiny.root / "CITATION.cff").write_text(yaml.safe_dump(content))
    done = tiny.ask("metadata")
    assert done.stderr.startswith(f"error: CITATION.cff: {field} is ")
    assert done.stderr.endswith("; it must be a text\n")
    assert (done.stderr.count("\n"), done.returncode) == (1, 2)


@pytest.mark.parametrize("field", OF_AUTHORS)
def test_a_field_of_an_author_of_another_type_is_named(tiny: "TinyBook", field: str) -> None:
    content = {"title": "T", "version": "1", "authors": [{"name": "Me", field: ["x"]}]}
    (tiny.root / "CITATION.cff").write_text(yaml.safe_dump(content))
    done = tiny.ask("metadata")
    said = f"error: CITATION.cff: {field} of an author is ['x']; it must be a text\n"
    assert (done.stderr, done.returncode) == (said, 2)
