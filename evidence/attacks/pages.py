"""Class 6: hostile text on its way into pages, and CIFAR-10 files with anything in them."""

import json
import os
import pickle
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import psutil
import yaml
from docutils import nodes
from docutils.core import publish_parts
from docutils.io import DocTreeInput
from docutils.utils import new_document

from attacks import values
from attacks.case import Bad, Class, demand
from attacks.stage import Stage
from attacks.tampering import claim_output
from implicit_bias.data import cifar10 as read_cifar10
from reproduce.campaigns.finding import finding
from reproduce.chapters.book import Book
from reproduce.claims import show
from reproduce.claims.ledger import StoredClaim
from reproduce.ground.errors import PressError
from reproduce.pages.atlas_map import FIELDS, map_table, read_results
from reproduce.pages.codes import as_of
from reproduce.pages.ledger_table import ledger_table
from reproduce.pages.pieces import paragraph
from reproduce.pages.robustness_table import robustness_table
from reproduce.pages.templates import render

PAGES = Class("pages", "Hostile text in pages, CIFAR-10 files with anything in them, open sockets")
ESCAPED = "the text stands on the page as text: no element, attribute or address comes of it"
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "</table></div><iframe src=//evil.example>",
    "javascript:alert(1)",
    "<!-- ",
    "]]>",
    "&lt;b&gt;",
    "<style>*{display:none}</style>",
    "{{ 7*7 }}",
    "{% raw %}",
    "$\\frac{$",
    "\u202e",
    "a" * 3000,
    "<a href='https://evil.example'>x</a>",
    "<details open ontoggle=alert(1)>",
)
TAGS = re.compile(
    r"html|head|meta|title|style|body|h[1-3]|p|div|span|b|i|code|table|thead|tbody|tr|th|td|a|ul|ol|li|dl|dt|dd|button|"
    r"label|caption|form|select|option|fieldset|legend|input|output|details|summary|figure|figcaption|svg|section|header|footer|em|strong|br|sup|sub|pre"
)
ADDRESS = re.compile(r"\s*(javascript:|https?:|//)", re.IGNORECASE)
INSIDE_SVG = "svg"


class Reader(HTMLParser):
    """The elements, attributes and text of a page as a browser's parser would find them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.wrong: list[str] = []
        self.words: list[str] = []
        self.within = 0
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: "list[tuple[str, str | None]]") -> None:
        """Collect what no page of the press holds of itself."""
        if tag == INSIDE_SVG:
            self.within += 1
        if not TAGS.fullmatch(tag) and not self.within:
            self.wrong.append(f"<{tag}>")
        for name, value in attrs:
            address = name in ("href", "src", "xlink:href") and ADDRESS.match(value or "")
            if name.startswith("on") or address:
                self.wrong.append(f"<{tag} {name}={(value or '')[:40]}>")

    def handle_endtag(self, tag: str) -> None:
        """Count out of drawings, whose elements are matplotlib's."""
        if tag == INSIDE_SVG:
            self.within -= 1

    def handle_data(self, data: str) -> None:
        """Collect the text."""
        self.words.append(data)


def written(document: nodes.document) -> str:
    """What stands in a document, as docutils writes it for a browser."""
    parts = publish_parts(document, reader_name="doctree", source_class=DocTreeInput, writer_name="html5")
    return str(parts["fragment"])


def clean(page: str, *texts: str) -> None:
    """Raise Bad if anything of a hostile text became markup, or if one is not to be read."""
    found = Reader(page)
    demand(not found.wrong, f"on the page: {', '.join(found.wrong[:3])}")
    words = " ".join("".join(found.words).split())
    for text in texts:
        wanted = " ".join(text.split())[:60]
        demand(not wanted or wanted in words or wanted in page, f"not to be read on the page: {wanted[:60]!r}")


def hostile(rng: Random) -> str:
    """A text that a page must not obey."""
    return (
        rng.choice(HOSTILE)
        if rng.random() < 0.8
        else values.text(rng).replace("\0", "").encode("utf-8", "replace").decode() or "x"
    )


def a_record(stage: Stage) -> dict[str, Any]:
    """The record of the stored claim, with a rival."""
    record = dict(claim_output(json.loads(stage.notebook.read_text()))["metadata"]["claim"])
    record["rival"] = {"what": "another", "value": 3.0, "error": 1.0, "factor": 2.0, "near": False}
    return record


@PAGES.attack(ESCAPED, weight=6)
def claims(stage: Stage, rng: Random) -> None:

    record, text = a_record(stage), hostile(rng)
    place = rng.choice(
        ("id", "statement", "source", "why", "theory", "kind", "side", "digest", "seconds", "control", "rival")
    )
    if place in ("control", "rival"):
        record[place][rng.choice(("what", "measured" if place == "control" else "value"))] = text
    else:
        record[place] = text
    page = ""
    for make in (
        lambda: show.box(record),
        lambda: ledger_table(
            [StoredClaim("sums/geometric", record, "", "", (text,))], lambda claim: f"#claim-{claim.id}"
        ),
        lambda: render(
            "claims_list",
            holds=False,
            count="1",
            claims=[StoredClaim("sums/geometric", record, "", "", ())],
            elsewhere={},
        ),
    ):
        try:
            page += make()
        except (ValueError, TypeError, KeyError) as error:  # a number that is a text: the ledger refuses it before
            demand(place not in ("id", "statement", "source", "why"), f"{place}: {error}")
    shown = place in ("statement", "source", "why")
    clean(page, *([text] if shown else []))


@PAGES.attack(ESCAPED, weight=2)
def robustness(stage: Stage, rng: Random) -> None:

    texts = [hostile(rng) for _ in range(3)]
    held = {"runs": 2, "held": 2, "controls": 2, "worst": 0.5, "at": 1}
    counts = {"first_seed": 1, "last_seed": 2, "finished": 2, "failed": 0, "claims": {"a.b": held}, "earlier": []}
    found = finding(Book(stage.root), "seeds", Book(stage.root).chapter("zeta"), counts)
    one = replace(found, chapter=texts[0], date=texts[1], host=texts[2])
    claim = StoredClaim(texts[0], {"id": "a.b", "statement": texts[1]}, "", "", ())
    listed = new_document("page")
    listed += paragraph(as_of([one], {texts[0]}))
    page = robustness_table([claim], {texts[0]: one}, lambda claim: "#x") + written(listed)
    clean(page, *texts)


@PAGES.attack(ESCAPED, weight=3)
def atlas(stage: Stage, rng: Random) -> None:

    entry = {field: "plain" for field in FIELDS}
    chosen = rng.sample(FIELDS, 2)
    for field in chosen:
        entry[field] = hostile(rng)
    (stage.root / "_atlas.yml").write_text(yaml.safe_dump([entry]))
    try:
        results = read_results(stage.root / "_atlas.yml")
    except PressError:
        return
    page = map_table(results, lambda result: f"#{result.anchor}", lambda result: False)
    clean(page, *(entry[field] for field in chosen if field in ("algorithm", "short")))


@PAGES.attack("a page that is built from hostile claims and an atlas holds them as text", limit=240)
def built(stage: Stage, rng: Random) -> dict[str, Any] | None:
    if rng.random() < 0.9:  # a build takes half a minute
        return None
    text = '<img src=x onerror="alert(1)">'
    (stage.root / "intro.md").write_text(
        "# Sums\n\n```{claims}\n```\n\n```{ledger}\n```\n\n```{atlas}\nsums: {title: Sums, question: How}\n```\n"
    )
    entry = dict.fromkeys(("result", "model", "algorithm", "loss", "bias", "short"), text) | {
        "part": "sums",
        "source": "x",
    }
    entry |= {"chapter": "sums/geometric", "claims": ["geometric.limit"]}  # type: ignore[dict-item]
    (stage.root / "_atlas.yml").write_text(yaml.safe_dump([entry]))
    config = stage.root / "_config.yml"
    config.write_text(config.read_text().replace("reproduce.pages.claim_box", "reproduce.sphinx_ext"))
    stage.accept()
    done = stage.spawn("html", limit=200)
    demand("Traceback" not in done.err, f"a traceback: {done.err[-200:]}")
    for page in (stage.root / "_build/html").rglob("*.html"):
        demand(
            "<img src=x" not in page.read_text() and "onerror=" not in page.read_text(), f"an element on {page.name}"
        )
    return {"built": 1}


@PAGES.attack("the page of a sweep over hostile paths is made, and holds them as text", weight=2, limit=60)
def sweep_page(stage: Stage, rng: Random) -> None:
    tree = json.loads(stage.notebook.read_text())
    (cell,) = (cell for cell in tree["cells"] if "parameters" in cell["metadata"].get("tags", []))
    cell["source"] = 'folder: str = ""  # folder of the data, a path or empty'
    tree["cells"][0]["source"] = f"# On {hostile(rng)}"
    stage.notebook.write_text(json.dumps(tree))
    texts = [hostile(rng).replace(",", "_")[:200] for _ in range(2)]
    stage.accept()
    done = stage.call("sweep", "geometric", "-p", f"folder=/{texts[0]},/b{texts[1]}", "-o", "_build/swept", limit=50)
    stage.judge(done, (0, 2))
    if done.code == 0:
        clean((stage.root / "_build/swept/index.html").read_text())


def batch(rng: Random, count: int = 3) -> bytes:
    """A batch of CIFAR-10, of a few images."""
    generator = np.random.default_rng(rng.randrange(2**32))
    pixels = generator.integers(0, 256, (count, 3072), dtype=np.uint8)
    return pickle.dumps({b"data": pixels, b"labels": generator.integers(0, 10, count).tolist()}, protocol=2)


NAMES = ("data_batch_1", "data_batch_2", "data_batch_3", "data_batch_4", "data_batch_5", "test_batch")


class Touch:
    """A pickle that would make a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (os.system, (f"touch '{self.path}'",))


@PAGES.attack(
    "one line that names the file, or exactly the images that are in it; nothing in it is run",
    weight=6,
    limit=25,
    damages=True,
)
def cifar10(stage: Stage, rng: Random) -> None:
    folder, owned = stage.folder / "cifar", stage.folder / "owned"
    folder.mkdir()
    for name in NAMES:
        (folder / name).write_bytes(batch(rng))
    path = folder / rng.choice(NAMES)
    content = path.read_bytes()
    kind = rng.randrange(11)
    if kind < 4:
        path.write_bytes(values.damaged(content, rng))
    elif kind == 4:
        path.write_bytes(pickle.dumps({b"data": Touch(owned), b"labels": [1]}, protocol=rng.choice((2, 4))))
    elif kind == 5:
        path.write_bytes(pickle.dumps(values.value(rng)))
    elif kind == 6:
        path.unlink()
        os.mkfifo(path)
    elif kind == 7:
        path.unlink()
        path.symlink_to(rng.choice(("/dev/zero", "/dev/stdin", path.name, "nowhere", "/")))
    elif kind == 8:
        path.unlink()
        path.mkdir()
    elif kind == 9:
        labels: Any = rng.choice(([300, 1, 2], [-1, 0, 1], [1.5, 0, 1], ["a", "b", "c"], [], None, [True, 0, 1]))
        path.write_bytes(pickle.dumps({b"data": np.zeros((3, 3072), np.uint8), b"labels": labels}, protocol=2))
    else:
        data = rng.choice(
            (np.zeros((3, 3071), np.uint8), np.zeros((3, 3072)), np.zeros(3072, np.uint8), np.array([None] * 3))
        )
        path.write_bytes(pickle.dumps({b"data": data, b"labels": [0, 1, 2]}, protocol=2))
    limit = rng.choice((1, 3, 3, None, 4, 0, -1, 10_000))
    read(folder, limit, path)
    demand(not owned.exists(), "code in a file was run")


def read(folder: Path, limit: int | None, hostile: Path) -> None:
    """Read a folder of batches; Bad unless it is refused in one line, or read as NumPy reads the files."""
    try:
        images = read_cifar10(folder, limit)
    except ValueError as error:
        text = str(error)
        demand("\n" not in text and len(text) < 700, f"not one line: {text[:200]}")
        demand("limit" in text or any(name in text for name in NAMES), f"no file is named: {text[:200]}")
        return
    except Exception as error:
        raise Bad(f"{type(error).__name__}: {error}") from None
    known = pickle.loads(hostile.read_bytes(), encoding="bytes")  # it was accepted, so nothing in it runs
    rows = images.x_test if hostile.name == "test_batch" else images.x[limit * NAMES.index(hostile.name) :]  # type: ignore[operator]
    demand(np.array_equal(rows[:limit], known[b"data"][:limit]), "other images than those in the file")


@PAGES.attack("every socket that a run or a sweep opens listens on this machine alone", limit=120)
def sockets(stage: Stage, rng: Random) -> dict[str, Any] | None:
    if rng.random() < 0.75:  # it takes ten seconds
        return None
    text = stage.notebook.read_text().replace("total = sum(", "import time; time.sleep(1.5)\\ntotal = sum(")
    stage.notebook.write_text(text)
    stage.accept()
    command = rng.choice(
        (
            ("run", "geometric", "-p", "terms=7"),
            ("sweep", "geometric", "-p", "terms=7,8", "--workers", "1", "-o", "_build/swept"),
        )
    )
    process = stage.start(*command)
    seen: set[str] = set()
    while process.poll() is None:
        for one in (
            [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
            if psutil.pid_exists(process.pid)
            else []
        ):
            try:
                seen |= {link.laddr.ip for link in one.net_connections("inet") if link.status == psutil.CONN_LISTEN}
            except psutil.Error:
                continue
    process.communicate()
    demand(process.returncode == 0, f"exit code {process.returncode}")
    demand(seen <= {"127.0.0.1", "::1"}, f"listens on {', '.join(sorted(seen))}")
    return {"sockets": len(seen)}
