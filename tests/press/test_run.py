"""One run of a chapter, with real kernels: what it leaves, and what it leaves after everything that can go wrong."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from patience import PATIENCE
from tiers import at_night

from reproduce.chapters.book import read_notebook
from reproduce.running import execute, kernel
from reproduce.running.run import LONGEST_SLUG, slug

if TYPE_CHECKING:
    from conftest import TinyBook

ENVIRONMENT = """\
import os
print(os.environ["OMP_NUM_THREADS"], os.environ["OPENBLAS_NUM_THREADS"], os.environ["MKL_NUM_THREADS"])
print(os.environ["MPLBACKEND"], os.path.basename(os.getcwd()))"""


def test_a_run_leaves_one_notebook_with_its_parameters_and_claims(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric")
    before = tiny.files()
    done = tiny.call("run", "geometric", "-p", "terms=70", "-p", "ratio=0.5")
    assert done.returncode == 0, done.stderr
    assert "1 claim holds" in done.stdout
    assert tiny.files() - before == {"_build/runs/sums/geometric/terms=70/geometric.ipynb"}
    notebook = read_notebook(tiny.root / "_build/runs/sums/geometric/terms=70/geometric.ipynb")
    assert notebook.metadata["papermill"] == {"parameters": {"terms": 70}}
    assert [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"] == [1, 2, 3]
    assert str(tiny.root) not in str(notebook)
    assert chapter.read().cells[1].execution_count is None


def test_a_claim_that_does_not_hold_is_shown_and_ends_in_exit_code_1(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    (tiny.root / "chapters/sums/geometric.paper.yaml").write_text("terms: 50\nratio: 0.75\n")
    done = tiny.ask("run", "sums/geometric", "--paper", "-p", "terms=5", "-o", "_build/my results")
    assert done.returncode == 1
    assert "0 of 1 claim holds" in done.stdout
    assert "claim geometric.limit: the measurement is outside its tolerance" in done.stderr
    notebook = read_notebook(tiny.root / "_build/my results" / "geometric.ipynb")
    assert notebook.metadata["papermill"] == {"parameters": {"terms": 5, "ratio": 0.75}}


DRAWS = """\
from matplotlib import pyplot as plt
from reproduce.claims import Claims
claims = Claims("geometric")
for name in ("one", "two"):
    plt.figure()
    plt.plot([1, terms], label=name)
    plt.legend()
    plt.show()"""


def test_figures_are_written_as_vectors_and_numbers(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", DRAWS, tiny.claim("geometric"))
    before = tiny.files()
    done = tiny.call("figure", "geometric", "-p", "terms=70")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 claim holds"), done.stderr
    folder = tiny.root / "_build/runs/sums/geometric/terms=70"
    made = {f"geometric-{number}.{format}" for number in (1, 2) for format in ("svg", "pdf", "csv")}
    made.add("geometric.ipynb")
    assert tiny.files() - before == {f"_build/runs/sums/geometric/terms=70/{name}" for name in made}
    root = ElementTree.fromstring((folder / "geometric-2.svg").read_text())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "two" in (folder / "geometric-2.svg").read_text()
    assert (folder / "geometric-2.pdf").read_bytes().startswith(b"%PDF-")
    assert [line.split(",")[-2:] for line in (folder / "geometric-1.csv").read_text().splitlines()] == [
        ["x", "y"], ["0", "1"], ["1", "70"]]  # fmt: skip

    notebook = folder / "geometric.ipynb"
    assert tiny.ask("run", "geometric", "-p", "terms=70").returncode == 0
    text = notebook.read_text()
    (folder / "geometric-1.svg").unlink()
    done = tiny.ask("figure", "geometric", "-p", "terms=70")
    assert done.stderr.splitlines() == [
        "taken from _build/runs/sums/geometric/terms=70/geometric.ipynb, which is of the present code"]  # fmt: skip
    assert done.returncode == 0
    assert "one" in (folder / "geometric-1.svg").read_text()
    for edited in (text.replace("plt.legend()", "plt.grid()"), text.replace('"terms": 70', '"terms": 71'), text[:-9]):
        assert edited != text
        notebook.write_text(edited)
        assert "running sums/geometric" in tiny.ask("figure", "geometric", "-p", "terms=70", "--format", "csv").stderr
    (tiny.root / "requirements.txt").write_text("numpy==2.5.0\n")
    assert "running sums/geometric" in tiny.ask("figure", "geometric", "-p", "terms=70", "--format", "csv").stderr

    notebook, named = tiny.root / "chapters/sums/geometric.ipynb", '{"mystnb": {"figure": {"name": "sums"}}}'
    notebook.write_text(notebook.read_text().replace('"metadata": {}', f'"metadata": {named}'))
    done = tiny.ask("figure", "sums/geometric", "--format", "csv, svg,csv", "--number", "2", "-o", "_build/mine")
    assert (done.returncode, done.stdout.splitlines()) == (
        0, ["_build/mine/sums-2.csv", "_build/mine/sums-2.svg", "1 claim holds"])  # fmt: skip
    done = tiny.ask("figure", "geometric", "--number", "3", "--format", "csv", "-p", "terms=5")
    assert (done.returncode, done.stdout.splitlines()) == (1, ["0 of 1 claim holds"])
    assert done.stderr.splitlines()[-1] == "error: geometric drew no such figure"


@pytest.mark.parametrize(("arguments", "said"), [
    (["--format", "svg,png"], "--format has png; allowed are svg, pdf, csv, joined by commas"),
    (["--format", ""], "--format has ''; allowed are svg, pdf, csv, joined by commas"),
    (["--number", "0"], "Invalid value for '--number': 0 is not in the range x>=1."),
    (["-p", "terms=0"], "terms=0 is not allowed"),
    (["-o", "lib"], "lib is not allowed: it belongs to the book"),
])  # fmt: skip
def test_a_figure_that_cannot_be_is_one_line(tiny: "TinyBook", arguments: list[str], said: str) -> None:
    tiny.chapter("sums/geometric")
    before = tiny.files()
    done = tiny.ask("figure", "geometric", *arguments)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert said in done.stderr
    assert tiny.files() == before


def test_a_failing_cell_leaves_its_traceback_and_no_notebook_that_looks_good(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", ENVIRONMENT, "1 / (terms - 60)", "print('never')")
    done = tiny.call("run", "geometric")
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 2  # what is running, and what went wrong
    assert "sums/geometric stopped at cell [3]: ZeroDivisionError: division by zero" in done.stderr
    left = {name for name in tiny.files() if name.startswith("_build")}
    assert left == {"_build/runs/sums/geometric/default/geometric.failed.ipynb"}
    notebook = read_notebook(tiny.root / left.pop())
    text = str(notebook)
    assert "ZeroDivisionError" in text
    printed = "".join(output.text for cell in notebook.cells for output in cell.get("outputs", []) if "text" in output)
    assert printed == "1 1 1\nmodule://matplotlib_inline.backend_inline sums\n"


@pytest.mark.parametrize(
    ("flags", "expected"),
    [("flags\t\t: fpu avx avx2 bmi1\n", "Haswell"), ("flags\t: fpu avx avx2x\n", None), ("Features\t: fp\n", None)],
)
def test_one_arithmetic_on_every_processor_that_has_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, flags: str, expected: str | None
) -> None:
    (tmp_path / "cpuinfo").write_text(f"processor\t: 0\n{flags}power management:\n")
    monkeypatch.setattr(kernel, "CPU", tmp_path / "cpuinfo")
    assert kernel.variables().get("OPENBLAS_CORETYPE") == expected
    monkeypatch.setattr(kernel, "CPU", tmp_path / "nothing")
    assert kernel.variables()["OMP_NUM_THREADS"] == "1"
    assert "OPENBLAS_CORETYPE" not in kernel.variables()


@pytest.mark.nightly
def test_five_megabytes_on_one_line_end_and_streams_are_joined(tiny: "TinyBook") -> None:
    prints = "import sys\nprint('x' * 5_000_000)\nprint('e', file=sys.stderr, flush=True)\nprint('1%\\r2%\\nend')"
    tiny.chapter("sums/geometric", prints, tiny.claim("geometric"))
    assert tiny.call("run", "geometric", "-o", "_build/out").returncode == 0
    first, second = read_notebook(tiny.root / "_build/out/geometric.ipynb").cells[2].outputs
    assert (first.name, first.text) == ("stdout", "x" * 5_000_000 + "\n2%\nend\n")
    assert (second.name, second.text) == ("stderr", "e\n")


def test_a_long_reason_is_cut_to_one_plain_line(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", "raise ValueError('\x1b[31mred\x1b[0m ' + 'long ' * 20000)")
    done = tiny.ask("run", "geometric", "-o", "_build/out")
    assert done.stderr.splitlines()[-1].startswith(
        "error: sums/geometric stopped at cell [2]: ValueError: red long long"
    )
    assert len(done.stderr.splitlines()[-1]) < 500


@pytest.mark.nightly
def test_a_kernel_that_dies_is_a_failing_cell(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", "import os", "os._exit(9)")
    done = tiny.call("run", "geometric")
    assert done.returncode == 1
    assert "stopped at cell [3]: the kernel died" in done.stderr


def test_ctrl_c_leaves_nothing_and_stops_the_kernel(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", "import time", "open('started', 'w').close()", "time.sleep(600)")
    before = tiny.files()
    process = tiny.start("run", "geometric")
    started = tiny.root / "chapters/sums/started"
    tiny.wait_for(started.exists)
    started.unlink()
    os.kill(process.pid, signal.SIGINT)
    _, err = tiny.end(process)
    assert process.returncode == 130
    assert err.split("\n", 1)[1].strip() == "error: interrupted; nothing half-written was left"
    assert tiny.files() == before
    assert not (tiny.root / "_build" / "runs").exists()
    tiny.wait_for(lambda: not tiny.kernels())


def test_ctrl_c_is_one_line_also_before_a_step_was_awaited() -> None:
    code = """if True:
        from reproduce import cli
        async def step(): ...
        def interrupted(args, kept=[]):
            kept.append(step())
            raise KeyboardInterrupt
        cli._invoked = interrupted
        cli.main([])"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert done.stderr == "error: interrupted; nothing half-written was left\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="a small file system can be mounted by root only")
def test_a_full_disk_is_one_line_and_leaves_nothing(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", "print(('x' * 79 + '\\n') * 5000)")
    small = tiny.root.parent / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("a small file system cannot be mounted here")
    try:
        done = tiny.call("run", "geometric", "-o", "../small/results")
        assert done.returncode == 3
        assert "cannot write" in done.stderr
        assert "no space left on device" in done.stderr
        assert len(done.stderr.strip().splitlines()) == 2
        assert list(small.iterdir()) == []
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_a_folder_that_cannot_be_written_is_one_line(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    (tiny.root.parent / "a file").write_text("")
    done = tiny.ask("run", "geometric", "-o", "../a file/results")
    assert done.returncode == 3
    assert done.stderr.strip().splitlines()[1:] == [
        f"error: cannot write {tiny.root.parent}/a file/results: not a directory"
    ]


def test_a_slug_says_what_was_changed_and_stays_a_file_name() -> None:
    assert slug({}) == "default"
    assert slug({"width": 100, "scale": 1e-3}) == "scale=0.001,width=100"
    assert slug({"rates": [0.1, 0.2]}) == "rates=0.1+0.2"
    long = slug({"rates": [k / 7 for k in range(50)]})
    assert len(long) <= LONGEST_SLUG + 9
    assert long != slug({"rates": [k / 7 for k in range(51)]})
    assert "/" not in slug({"rule": "a/b c"})
    assert slug({"rule": "a/b c"}) != slug({"rule": "a_b_c"})


def test_a_run_does_not_touch_what_is_already_in_the_folder(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", "1 / 0")
    folder = tiny.root / "_build/mine"
    folder.mkdir(parents=True)
    (folder / "notes.txt").write_text("keep")
    assert tiny.ask("run", "geometric", "-o", "_build/mine").returncode == 1
    assert {path.name for path in folder.iterdir()} == {"notes.txt", "geometric.failed.ipynb"}


def test_a_kernel_that_finds_its_port_taken_is_started_again(
    tiny: "TinyBook", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    real = execute.started

    def taken_twice(client: Any, scratch: Path, *formats: Any) -> Any:
        begun.append("again")
        if len(begun) <= 2:
            raise RuntimeError("Kernel died before replying to kernel_info")
        return real(client, scratch, *formats)

    monkeypatch.setattr(execute, "started", taken_twice)
    chapter = tiny.chapter("sums/geometric")
    done = execute.execute(chapter.read(), chapter.notebook.parent, tmp_path)
    assert len(begun) == 3
    assert done.notebook.cells[-1].execution_count == 2


def test_a_kernel_is_reached_without_a_port_where_its_files_can_be_named() -> None:
    assert kernel.by_files("/tmp/short") == {"transport": "ipc", "ip": "/tmp/short/kernel"}
    assert kernel.by_files("/tmp/" + "long" * 25) == {}
    chapter_of_one_cell = new_notebook(cells=[new_code_cell("1 + 1")])
    client = NotebookClient(chapter_of_one_cell)
    with tempfile.TemporaryDirectory() as folder, kernel.started(client, Path(folder)):
        sockets = [path for path in Path(folder).rglob("*") if path.is_socket()]
        assert client.execute_cell(chapter_of_one_cell.cells[0], 0)["outputs"][0]["data"]["text/plain"] == "2"
    assert len(sockets) == 5


def test_what_a_cell_writes_to_standard_error_is_shown_while_it_runs(
    tiny: "TinyBook", tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chapter = tiny.chapter("sums/geometric", "import sys\nprint('bar of a cell', file=sys.stderr, flush=True)")
    execute.execute(chapter.read(), chapter.notebook.parent, tmp_path, progress=True)
    assert "bar of a cell" in capsys.readouterr().err
    execute.execute(chapter.read(), chapter.notebook.parent, tmp_path)
    assert "bar of a cell" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "cell", ["import os, signal; os.kill(os.getpid(), 9)", at_night("import ctypes; ctypes.string_at(0)")]
)
def test_a_kernel_that_dies_is_one_line(tiny: "TinyBook", cell: str) -> None:
    tiny.chapter("sums/geometric", cell, registered=False)
    done = tiny.call("run", "geometric")
    assert done.returncode == 1
    assert [line.partition(";")[0] for line in done.stderr.splitlines()] == [
        "running sums/geometric",
        "error: sums/geometric stopped at cell [2]: the kernel died, perhaps for lack of memory",
    ]


@pytest.mark.nightly
def test_a_home_that_is_not_there_is_not_mentioned(tiny: "TinyBook", monkeypatch: pytest.MonkeyPatch) -> None:
    tiny.chapter("sums/geometric")
    monkeypatch.setenv("HOME", str(tiny.root / "nobody"))
    monkeypatch.delenv("IPYTHONDIR", raising=False)
    done = tiny.call("run", "geometric")
    assert (done.returncode, done.stderr) == (0, "running sums/geometric\n")


def test_an_output_that_no_notebook_can_hold_is_a_failing_cell(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", "from IPython.display import display; display({'a/b': None}, raw=True)")
    done = tiny.ask("run", "geometric")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("error: sums/geometric stopped at cell [2]: an output that no notebook can hold: ")


@pytest.mark.parametrize("gone", [True, False])
def test_a_kernel_ends_at_its_start_if_its_parent_is_gone(gone: bool) -> None:
    environment = {**os.environ, "JPY_PARENT_PID": "0" if gone else str(os.getpid())}
    done = subprocess.run([sys.executable, "-c", kernel.ENDS_WITHOUT_PARENT], env=environment, check=False)
    assert done.returncode == int(gone)


def test_a_kernel_that_is_just_being_started_is_ended_too(tiny: "TinyBook", tmp_path: Path) -> None:
    chapter = tiny.chapter("sums/geometric", "1")
    with kernel.ending_kernels(), pytest.raises(kernel.Ended):
        execute.execute(chapter.read(), tiny.root, tmp_path)
    assert not tiny.kernels()
    assert list(tmp_path.iterdir()) == [tiny.root]


@pytest.mark.nightly
def test_a_kernel_tells_the_terminal_nothing_itself(tiny: "TinyBook") -> None:
    said = 'import os, sys\nos.write(2, b"from the process")\nprint("from the cell", file=sys.stderr)'
    tiny.chapter("sums/geometric", said, tiny.claim("geometric"))
    done = tiny.call("run", "geometric")
    assert done.returncode == 0
    assert "from the process" not in done.stderr + done.stdout


def test_a_kernel_that_was_just_being_started_ends_with_its_command(tmp_path: Path) -> None:
    client = NotebookClient(nbformat.v4.new_notebook())
    begun = []

    def interrupted(**_options: Any) -> None:
        begun.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True))
        client.km.provisioner = SimpleNamespace(process=begun[0])
        raise KeyboardInterrupt

    client.start_new_kernel = interrupted
    with pytest.raises(KeyboardInterrupt), kernel.started(client, tmp_path):
        pass
    assert begun[0].wait(PATIENCE) == -signal.SIGKILL
