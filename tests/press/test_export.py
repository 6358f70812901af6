"""Archives: whole or not at all, what they name is what they hold, and a stranger can check a claim with one alone."""

import json
import os
import shlex
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from reproduce.running.notebooks import write_notebook

if TYPE_CHECKING:
    from conftest import TinyBook

CITATION = "cff-version: 1.2.0\nmessage: Cite it.\ntitle: Sums\nversion: 1.2.3\nauthors:\n  - name: Euclid\n"
RUN = {"date": "2026-11-22", "seconds": 3, "versions": "Python 3.11.7", "host": "2 cores"}


@pytest.fixture(scope="module")
def made(furnished: Any, tmp_path_factory: pytest.TempPathFactory) -> "TinyBook":
    """A book of two executed chapters."""
    tiny: TinyBook = furnished(tmp_path_factory.mktemp("made"))
    tiny.chapter("sums/geometric")
    tiny.chapter("sums/zeta")
    (tiny.root / "chapters/sums/geometric.paper.yaml").write_text("terms: 500\n")
    (tiny.root / "lib/numbers.py").write_text("ONE = 1\n")
    (tiny.root / "lib/__pycache__").mkdir()
    (tiny.root / "lib/__pycache__/numbers.pyc").write_bytes(b"\0")
    (tiny.root / "CITATION.cff").write_text(CITATION)
    (tiny.root / "answers").mkdir()
    (tiny.root / "answers/check.py").write_text("1\n")
    for chapter in ("geometric", "zeta"):
        (tiny.root / f"answers/{chapter}.json").write_text(f'{{"chapter": "sums/{chapter}"}}')
    assert tiny.ask("refresh").returncode == 0
    for chapter, run in zip(tiny.book.chapters(), (RUN, None), strict=True):
        notebook = chapter.read()
        del notebook.metadata["executed"]
        if run is not None:
            notebook.metadata["executed"] = run
        write_notebook(notebook, chapter.notebook)
    return tiny


def read(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_an_archive_names_what_it_holds(made: "TinyBook", tmp_path: Path) -> None:
    done = made.ask("export", "-o", str(tmp_path / "all.zip"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 claims hold" in done.stdout
    held = read(tmp_path / "all.zip")
    sums = dict(reversed(line.split("  ", 1)) for line in held["SHA256SUMS"].decode().splitlines())
    assert sums == {
        name: sha256(held[name]).hexdigest() for name in held if name not in ("SHA256SUMS", "ro-crate-metadata.json")
    }
    for name in ("chapters/sums/geometric.ipynb", "chapters/sums/geometric.py", "chapters/sums/geometric.paper.yaml",
                 "chapters/sums/zeta.ipynb", "lib/numbers.py", "requirements.txt"):  # fmt: skip
        assert held[name] == (made.root / name).read_bytes()
    assert not [name for name in held if "__pycache__" in name]
    claims = json.loads(held["claims.json"])
    validator = Draft202012Validator(json.loads(held[claims["schema"]]))
    assert [error.message for claim in claims["claims"] for error in validator.iter_errors(claim)] == []
    assert [(claim["id"], claim["holds"]) for claim in claims["claims"]] == [
        ("geometric.limit", True), ("zeta.limit", True)]  # fmt: skip
    known = json.loads(held["parameters.json"])["sums/geometric"]
    assert known["paper"] == {"terms": 500}
    assert known["parameters"][0] == {
        "name": "terms", "type": "int", "default": 60, "range": "[1, 1000]",
        "meaning": "number of terms n"}  # fmt: skip
    runs = json.loads(held["environment.json"])["last_runs"]
    assert (list(runs), runs["sums/geometric"]["seconds"]) == (["sums/geometric"], 3)
    readme = held["README.md"].decode()
    assert "✓ `geometric.limit`: The series converges. (Euclid IX.35)" in readme
    assert "Sums: an archive" in readme
    manifest = yaml.safe_load(held["codecheck.yml"])["manifest"]
    assert [one["file"] for one in manifest] == [
        "chapters/sums/geometric.ipynb", "chapters/sums/zeta.ipynb", "_build/html/ledger.csv",
        "answers/geometric.json", "answers/zeta.json"]  # fmt: skip


def test_the_metadata_is_a_graph_of_all_files(made: "TinyBook", tmp_path: Path) -> None:
    made.ask("export", "geometric", "-o", str(tmp_path / "one.zip"))
    held = read(tmp_path / "one.zip")
    metadata = json.loads(held["ro-crate-metadata.json"])
    assert next(iter(held)) == "ro-crate-metadata.json"
    nodes = {node["@id"]: node for node in metadata["@graph"]}
    assert len(nodes) == len(metadata["@graph"])
    about, root = nodes["ro-crate-metadata.json"], nodes["./"]
    assert (about["about"], root["@type"]) == ({"@id": "./"}, "Dataset")
    assert metadata["@context"] == about["conformsTo"]["@id"] + "/context"
    assert {part["@id"] for part in root["hasPart"]} == set(held) - {"ro-crate-metadata.json"}
    for part in root["hasPart"]:
        node = nodes[part["@id"]]
        assert (node["sha256"], node["contentSize"]) == (
            sha256(held[part["@id"]]).hexdigest(), str(len(held[part["@id"]])))  # fmt: skip
    assert (root["version"], root["datePublished"]) == ("1.2.3", "2026-11-22")
    assert [nodes[one["@id"]]["endTime"] for one in root["mentions"]] == ["2026-11-22"]

    def references(value: Any) -> list[str]:
        if isinstance(value, dict) and set(value) == {"@id"}:
            return [value["@id"]]
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
        return [one for part in inner for one in references(part)]

    outside = {about["conformsTo"]["@id"]}
    assert set(references(list(nodes.values()))) <= set(nodes) | outside


def test_a_selection_is_a_book_of_its_own_and_its_claim_is_checked(made: "TinyBook", tmp_path: Path) -> None:
    (tmp_path / "a folder").mkdir()
    done = made.ask("export", "geometric", "-o", str(tmp_path / "a folder/one.zip"))
    assert done.returncode == 0
    with zipfile.ZipFile(tmp_path / "a folder/one.zip") as archive:
        archive.extractall(tmp_path / "book")
    book = type(made)(tmp_path / "book")
    assert [one.name for one in book.book.chapters()] == ["sums/geometric"]
    assert {path.name for path in (book.root / "answers").iterdir()} == {"check.py", "geometric.json"}
    assert "1 claim holds" in book.ask("ledger").stdout
    assert yaml.safe_load((book.root / "_atlas.yml").read_text()) == [
        {"chapter": "sums/geometric", "claims": ["geometric.limit"]}]  # fmt: skip
    done = book.ask("check", "geometric.limit")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 of 1 as stored, to the last digit")
    assert subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=book.root).returncode == 0


def test_one_state_of_the_book_gives_the_same_bytes(made: "TinyBook", tmp_path: Path) -> None:
    for name in ("one", "other"):
        made.ask("export", "-o", str(tmp_path / f"{name}.zip"))
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()


@pytest.mark.parametrize(("command", "said"), [
    (["geometrik", "-o", "x.zip"], "error: unknown chapter 'geometrik'; did you mean geometric?"),
    (["-o", "../there.zip"], "error: ../there.zip exists already; remove it or choose another name"),
    (["-o", "../linked.zip"], "error: ../linked.zip exists already; remove it or choose another name"),
    (["-o", "../x.tar"], "error: ../x.tar is not allowed: the archive is a ZIP, so its name must end in .zip"),
    (["-o", ""], "error: . is not allowed: the archive is a ZIP, so its name must end in .zip"),
    ([], "error: Missing option '-o'."),
    (["unwritten", "-o", "../x.zip"],
     "error: sums/unwritten has no notebook yet; 'python -m reproduce refresh sums/unwritten' makes it"),
])  # fmt: skip
def test_bad_input_is_one_line(made: "TinyBook", tmp_path: Path, command: list[str], said: str) -> None:
    tiny = made.copy(tmp_path)
    (tiny.root / "chapters/sums/unwritten.py").write_text("# %%\n1\n")
    (tmp_path / "there.zip").write_bytes(b"mine")
    (tmp_path / "linked.zip").symlink_to("nowhere")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    done = tiny.ask("export", *command)
    assert (done.stderr.strip(), done.returncode) == (said, 2)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("place", ["x.zip", "chapters/x.zip", "lib/x.zip", "_build/html/x.zip"])
def test_the_books_own_folders_are_refused(made: "TinyBook", place: str) -> None:
    before = made.files()
    done = made.ask("export", "-o", place)
    assert done.stderr.startswith(f"error: {place} is not allowed: ")
    assert (done.stderr.count("\n"), done.returncode, made.files()) == (1, 2, before)


def test_a_folder_that_is_not_there_is_one_line(made: "TinyBook", tmp_path: Path) -> None:
    done = made.ask("export", "-o", str(tmp_path / "nowhere/x.zip"))
    assert done.stderr.startswith(f"error: cannot write {tmp_path}/nowhere")
    assert (done.stderr.count("\n"), done.returncode) == (1, 3)


def test_where_the_disk_ends_nothing_is_left(made: "TinyBook", tmp_path: Path) -> None:
    command = [sys.executable, "-m", "reproduce", "export", "-o", str(tmp_path / "x.zip")]
    limited = f"ulimit -f 2; exec {shlex.join(command)}"
    done = subprocess.run(["bash", "-c", limited], cwd=made.root, capture_output=True, text=True)
    assert (done.stderr.strip(), done.returncode) == (f"error: cannot write {tmp_path}/x.zip: file too large", 3)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", ["lib/linked.txt", "LICENSE", "answers/a.json", "chapters/sums/zeta.py"])
def test_what_a_link_brings_in_from_outside_is_not_packed(made: "TinyBook", tmp_path: Path, place: str) -> None:
    tiny = made.copy(tmp_path)
    (tmp_path / "secret").write_text('{"chapter": "sums/zeta"}')
    (tiny.root / place).unlink(missing_ok=True)
    (tiny.root / place).symlink_to(tmp_path / "secret")
    done = tiny.ask("export", "-o", str(tmp_path / "x.zip"))
    said = f"error: {place} is a link to what is no file of the book; it cannot be packed\n"
    assert (done.stderr, done.returncode, (tmp_path / "x.zip").exists()) == (said, 2, False)


def test_a_link_within_the_book_is_a_file_of_it(made: "TinyBook", tmp_path: Path) -> None:
    tiny = made.copy(tmp_path)
    (tiny.root / "LICENSE").symlink_to("lib/numbers.py")
    assert tiny.ask("export", "-o", str(tmp_path / "x.zip")).returncode == 0
    assert read(tmp_path / "x.zip")["LICENSE"] == b"ONE = 1\n"


def repository(tiny: "TinyBook") -> None:
    """Make a book a repository that tracks all its files."""
    for words in (["init", "-q"], ["add", "--all"]):
        subprocess.run(["git", *words], cwd=tiny.root, check=True)


def test_only_what_the_repository_tracks_is_packed(made: "TinyBook", tmp_path: Path) -> None:
    tiny = made.copy(tmp_path)
    (tiny.root / ".gitignore").write_text("*.log\n__pycache__/\n")
    repository(tiny)
    assert tiny.ask("export", "-o", str(tmp_path / "before.zip")).returncode == 0
    for name in ("lib/id_rsa", "lib/made.log", "LICENSE", "answers/draft.json"):
        (tiny.root / name).write_text('{"chapter": "sums/zeta"}')
    assert tiny.ask("export", "-o", str(tmp_path / "after.zip")).returncode == 0
    assert set(read(tmp_path / "after.zip")) == set(read(tmp_path / "before.zip"))
    assert "lib/numbers.py" in read(tmp_path / "after.zip")
    (tiny.root / "lib/numbers.py").unlink()
    (tiny.root / "lib/numbers.py").symlink_to("id_rsa")
    done = tiny.ask("export", "-o", str(tmp_path / "x.zip"))
    assert "error: lib/numbers.py is a link to what is no file of the book" in done.stderr


def test_a_chapter_that_the_repository_does_not_track_is_refused(made: "TinyBook", tmp_path: Path) -> None:
    tiny = made.copy(tmp_path)
    repository(tiny)
    subprocess.run(["git", "rm", "-q", "--cached", "chapters/sums/zeta.ipynb"], cwd=tiny.root, check=True)
    assert tiny.ask("export", "geometric", "-o", str(tmp_path / "one.zip")).returncode == 0
    done = tiny.ask("export", "-o", str(tmp_path / "x.zip"))
    said = "error: sums/zeta is not in the book's repository, which an archive is made of; 'git add' it\n"
    assert (done.stderr, done.returncode) == (said, 2)


def test_a_repository_that_cannot_be_asked_is_one_line(made: "TinyBook", tmp_path: Path) -> None:
    tiny = made.copy(tmp_path)
    (tiny.root / ".git").write_text("nonsense")
    done = tiny.ask("export", "-o", str(tmp_path / "x.zip"))
    assert done.stderr.startswith("error: git does not say which files belong to the book: fatal: ")
    assert (done.stderr.count("\n"), done.returncode) == (1, 2)


def test_a_book_in_a_repository_of_something_else_is_packed_whole(made: "TinyBook", tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    tiny = made.copy(tmp_path)
    assert tiny.ask("export", "-o", str(tmp_path / "x.zip")).returncode == 0
    assert "lib/numbers.py" in read(tmp_path / "x.zip")


@pytest.mark.parametrize(
    "name", [b"a\nb.py", b"a\rb.py", b"a\\b.py", b"\xff.py"], ids=["line", "return", "slash", "bytes"]
)
def test_a_name_that_no_list_of_checksums_holds_is_refused(made: "TinyBook", tmp_path: Path, name: bytes) -> None:
    tiny = made.copy(tmp_path)
    Path(os.fsdecode(bytes(tiny.root / "lib") + b"/" + name)).write_text("")
    done = tiny.ask("export", "-o", str(tmp_path / "x.zip"))
    assert done.stderr.startswith("error: the name lib/")
    assert done.stderr.endswith(" cannot stand in a list of checksums; rename the file\n")
    assert (done.stderr.count("\n"), done.returncode, (tmp_path / "x.zip").exists()) == (1, 2, False)


def test_a_name_too_long_for_a_file_is_one_line(made: "TinyBook", tmp_path: Path) -> None:
    done = made.ask("export", "-o", str(tmp_path / f"{'x' * 300}.zip"))
    assert done.stderr.startswith(f"error: cannot write {tmp_path}/xxx")
    assert done.stderr.endswith("x.zip: file name too long\n")
    assert (done.stderr.count("\n"), done.returncode) == (1, 3)


@pytest.mark.parametrize("chapter", ["[1]", "{}", "5", "null", "true"])
def test_answers_of_what_is_no_chapter_are_one_line(made: "TinyBook", tmp_path: Path, chapter: str) -> None:
    tiny = made.copy(tmp_path)
    (tiny.root / "answers/bad.json").write_text(f'{{"chapter": {chapter}}}')
    done = tiny.ask("export", "-o", str(tmp_path / "x.zip"))
    shown = json.loads(chapter)
    said = f"error: {tiny.root}/answers/bad.json: chapter is {shown}; it must be the name of a chapter\n"
    assert (done.stderr, done.returncode) == (said, 2)


def test_an_archive_says_which_claim_does_not_hold(made: "TinyBook", tmp_path: Path) -> None:
    tiny = made.copy(tmp_path)
    notebook = tiny.root / "chapters/sums/geometric.ipynb"
    notebook.write_text(notebook.read_text().replace('"tolerance": 1e-09', '"tolerance": 1e-20'))
    done = tiny.ask("export", "-o", str(tmp_path / "x.zip"))
    assert done.returncode == 1
    assert "1 of 2 claims hold" in done.stdout
    assert "✗ sums/geometric: claim geometric.limit: " in done.stderr
    held = read(tmp_path / "x.zip")
    assert "✗ DOES NOT HOLD: `geometric.limit`" in held["README.md"].decode()
    assert not json.loads(held["claims.json"])["holds"]
