"""What a result costs besides arithmetic: memory of a computation, and what the press adds to a chapter.

There is nothing to compare these with: the last column says what was measured.
"""

import subprocess
import sys

import nbformat

COMPUTE = """
import numpy as np
import psutil
from implicit_bias.data import sparse_regression
from implicit_bias.flows import follow
from implicit_bias.limits.interpolation import HyperbolicEntropy
from implicit_bias.models.linear import DiagonalNetwork, DualFlow
from reproduce.running.kernel import MEGABYTE, peak_memory

p, net = sparse_regression(np.random.default_rng(0), 100, 1000), DiagonalNetwork.unbiased(1000, 1e-3, 0.0)
HyperbolicEntropy(net.k).minimize(p.x, p.y)
follow(DualFlow(net, p.x, p.y, "sum"), t_end=10.0)
print(peak_memory(psutil.Process()) / MEGABYTE)
"""

TITLE = """\
# One

```{claim} one
:source: Euclid
:evidence: proved here
:because: one is one
:control: two in place of one

One is one.
```"""

CLAIM = """
from reproduce.claims import Claims
Claims("empty").identity("one", 1.0, 1.0, proved=0, control=2.0)
"""


def test_exact_flow_and_Newton_in_a_fresh_process(timed):
    def compute():
        done = subprocess.run([sys.executable, "-c", COMPUTE], capture_output=True, text=True, check=True)
        return float(done.stdout)

    timed(compute, lambda peak: f"{peak:.0f} MB peak", group="cost of a result, N = 100, d = 1000, imports included")


def test_a_chapter_that_only_states_a_claim(timed, tmp_path):
    book = tmp_path / "book"
    (book / "chapters" / "part").mkdir(parents=True)
    (book / "_toc.yml").write_text("format: jb-book\nroot: intro\nchapters:\n  - file: chapters/part/empty\n")
    (book / "_atlas.yml").write_text("- chapter: part/empty\n  claims: [empty.one]\n")
    cells = [
        nbformat.v4.new_markdown_cell(TITLE),
        nbformat.v4.new_code_cell("n: int = 1  # a number, in [1, 2]", metadata={"tags": ["parameters"]}),
        nbformat.v4.new_code_cell(CLAIM),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), book / "chapters" / "part" / "empty.ipynb")

    def run():
        command = [sys.executable, "-m", "reproduce", "run", "empty", "-o", str(tmp_path / "out")]
        return subprocess.run(command, cwd=book, capture_output=True, text=True, check=True).returncode

    timed(run, lambda code: f"exit code {code}", group="what the press adds: kernel, papermill, claims", rounds=3)
