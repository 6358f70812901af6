"""The whole book, with real kernels and real pages: what is run, what is not, and what is said."""

import json
import os
import signal
from typing import TYPE_CHECKING

import pytest

from reproduce.chapters.book import read_notebook
from reproduce.claims import show
from reproduce.claims.record import digest
from reproduce.pages.publish import with_outputs
from reproduce.running import staleness
from reproduce.running.notebooks import write_notebook

if TYPE_CHECKING:
    from conftest import TinyBook


def test_a_book_with_failing_chapters_a_failing_claim_and_a_good_one(tiny: "TinyBook") -> None:
    deadly = tiny.chapter("sums/deadly", "import os", "os.kill(os.getpid(), 9)", registered=False)
    good = tiny.chapter("sums/geometric")
    short = tiny.chapter("sums/short", parameters=tiny.parameters.replace("= 60", "= 6"))
    broken = tiny.chapter("sums/broken", tiny.claim("broken"), "1 / 0")
    notebook = short.read()
    notebook.metadata["executed"] = {
        "date": "2026-11-22",
        "seconds": 77,
        "versions": "Python 3.11.7",
        "host": "2 cores",
    }
    write_notebook(notebook, short.notebook)

    first = tiny.call("build", "--jobs", "2")
    assert first.returncode == 1
    assert "4 chapters are to run" in first.stdout
    for name in ("sums/geometric", "sums/short", "sums/broken", "sums/deadly"):
        assert f"started {name}, about " in first.stdout
    assert "started sums/short, about 77 s" in first.stdout.splitlines()[1], "the longest is the first"
    assert "✗ sums/broken stopped at cell [3]: ZeroDivisionError: division by zero" in first.stderr
    assert "✗ sums/deadly stopped at cell [3]: the kernel died, perhaps for lack of memory" in first.stderr
    tiny.wait_for(lambda: not tiny.kernels())
    assert "✗ sums/short: claim short.limit: the measurement is outside its tolerance" in first.stderr
    assert "broken.limit" not in first.stderr
    assert first.stdout.splitlines()[-2] == "1 of 2 claims hold"
    assert first.stdout.splitlines()[-1] == f"open {(tiny.root / '_build/html/index.html').as_uri()}"
    assert "ZeroDivisionError" in (tiny.root / "_build/executed/sums/broken.failed.ipynb").read_text()
    page = (tiny.root / "_build/html/chapters/sums/geometric.html").read_text()
    assert 'id="claim-geometric.limit"' in page
    written = json.loads((tiny.root / "_build/ledger.json").read_text())
    assert [(claim["id"], claim["holds"]) for claim in written["claims"]] == [
        ("geometric.limit", True),
        ("short.limit", False),
    ]
    assert good.read().cells[1].execution_count is None, "the stored notebook must stay as it is"

    for chapter in (broken, deadly):
        chapter.notebook.unlink()
        for file in ("_toc.yml", "_atlas.yml"):
            lines = (tiny.root / file).read_text().splitlines(True)
            (tiny.root / file).write_text("".join(line for line in lines if chapter.short not in line))
    second = tiny.call("build")
    assert "2 chapters are up to date" in second.stdout
    assert "started" not in second.stdout
    assert second.returncode == 1, "a claim that failed still fails when nothing is run"

    ledger = tiny.ask("ledger", "--executed", "--json")
    assert ledger.returncode == 1
    assert json.loads(ledger.stdout)["claims"][1]["id"] == "short.limit"


@pytest.mark.nightly  # test_recheck.py finds such a number without a build
def test_a_forged_number_is_named_by_the_build_though_its_digest_line_and_box_were_made_anew(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric", parameters=tiny.parameters.replace("= 60", "= 32"))
    assert tiny.call("refresh", "geometric").returncode == 0
    notebook = chapter.read()
    [output] = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    record = output.metadata.claim
    assert record.measured != record.theory
    record.measured, record.error = record.theory, 0.0
    record.control.error *= 1000
    record.digest = digest(record)
    output.data["text/plain"], output.data["text/html"] = show.line(record), show.box(record)
    write_notebook(notebook, chapter.notebook)
    assert tiny.call("ledger").returncode == 0, "the ledger alone cannot see it"

    built = tiny.call("build")
    assert built.returncode == 1
    assert "✗ sums/geometric: claim geometric.limit: control, error is stored as " in built.stderr
    assert "✗ sums/geometric: claim geometric.limit: measured is stored as 2, executed anew it is " in built.stderr


def test_pages_from_stored_outputs_and_a_warning_is_an_error(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    first = tiny.call("html")
    assert first.returncode == 0, first.stderr
    page = tiny.root / "_build/html/index.html"
    assert first.stdout.strip() == f"open {page.as_uri()}"
    (tiny.root / "intro.md").write_text("# Sums\n\n[](no/such/page.md)\n")
    before = page.stat().st_mtime_ns
    second = tiny.ask("html")
    assert second.returncode == 1
    assert "error: the pages could not be built: " in second.stderr
    assert "no/such/page.md" in second.stderr
    assert page.stat().st_mtime_ns == before, "the last pages stay when the new ones cannot be built"


def test_ctrl_c_stops_every_chapter_and_leaves_nothing_half_written(tiny: "TinyBook") -> None:
    for name in ("one", "two"):
        tiny.chapter(f"sums/{name}", "import time", f"open('started {name}', 'w').close()", "time.sleep(600)")
    process = tiny.start("build", "--jobs", "2")
    signs = [tiny.root / "chapters/sums" / f"started {name}" for name in ("one", "two")]
    tiny.wait_for(lambda: all(sign.exists() for sign in signs))
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: parent and chapters at once
    _, err = tiny.end(process)
    assert process.returncode == 130
    assert err.strip() == "error: interrupted; nothing half-written was left"
    left = {name for name in tiny.files() if name.startswith("_build")}
    assert left == {"_build/.lock"}
    tiny.wait_for(lambda: not tiny.kernels())


def test_one_build_at_a_time(tiny: "TinyBook") -> None:
    import fcntl

    tiny.chapter("sums/geometric")
    (tiny.root / "_build").mkdir()
    with (tiny.root / "_build" / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = tiny.ask("html")
    assert done.returncode == 2
    assert "another build is at work in _build" in done.stderr


def test_what_makes_a_chapter_stale(tiny: "TinyBook", monkeypatch: pytest.MonkeyPatch) -> None:
    chapter = tiny.chapter("sums/geometric", "from series import ONE\n" + tiny.claim("geometric"))
    library = tiny.root / "lib" / "series.py"
    library.write_text("ONE = 1\n")
    other = library.with_name("other.py")
    other.write_text("TWO = 2\n")

    def fingerprint() -> str:
        return staleness.fingerprint(tiny.book, chapter.read())

    seen = {fingerprint()}

    def is_new() -> bool:
        size = len(seen)
        seen.add(fingerprint())
        return len(seen) > size

    assert not is_new()
    (tiny.root / "lib" / "__pycache__").mkdir()
    (tiny.root / "lib" / "__pycache__" / "series.pyc").write_text("compiled")
    (tiny.root / "intro.md").write_text("# Other words\n")
    chapter.notebook.write_text(chapter.notebook.read_text().replace("# On geometric", "# On the geometric series"))
    assert not is_new(), "words, and what Python compiled, change no output"

    other.write_text("TWO = 3\n")
    assert not is_new(), "a file that the chapter does not import changes no output"
    library.write_text("ONE = 2\n")
    assert is_new()
    library.write_text("from other import TWO as ONE\n")
    assert is_new()
    other.write_text("TWO = 4\n")
    assert is_new(), "what an imported file imports counts"
    library.rename(library.with_name("sums.py"))
    assert is_new()
    (tiny.root / "requirements.txt").write_text("numpy==2.4.1\n")
    assert is_new()
    chapter.notebook.write_text(chapter.notebook.read_text().replace("int = 60", "int = 61"))
    assert is_new()
    chapter.notebook.write_text(chapter.notebook.read_text().replace("range(terms)", "range(terms + 1)"))
    assert is_new()
    monkeypatch.setattr(staleness.platform, "python_version", lambda: "3.99.0")
    assert is_new()


def test_a_stamp_without_its_notebook_does_not_count(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric")
    notebook = staleness.executed_notebook(tiny.book, chapter)
    notebook.parent.mkdir(parents=True)
    staleness.write_stamp(tiny.book, chapter, staleness.Stamp("abc", 2.0))
    assert staleness.read_stamp(tiny.book, chapter) is None
    notebook.write_text("{}")
    assert staleness.read_stamp(tiny.book, chapter) == staleness.Stamp("abc", 2.0)
    notebook.with_suffix(".json").write_text("{")
    assert staleness.read_stamp(tiny.book, chapter) is None


def test_fresh_outputs_go_under_the_words_of_the_stored_notebook(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric")
    executed = chapter.read()
    executed.cells[2].execution_count = 7
    executed.cells[0].source = "old words"
    fresh = with_outputs(chapter.read(), executed)
    assert fresh.cells[0].source.startswith("# On geometric\n")
    assert fresh.cells[2].execution_count == 7
    assert read_notebook(chapter.notebook).cells[2].execution_count is None
