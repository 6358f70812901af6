"""Class 5: edited claims, digests, figures, seconds, fresh seeds' records; damaged folders of sweeps."""

import base64
import csv
import json
import re
from random import Random
from typing import Any

import nbformat

from attacks import brush, values
from attacks.case import Bad, Class, demand
from attacks.stage import Stage
from reproduce.campaigns.finding import Finding, code_of, finding, read_findings, write_finding
from reproduce.campaigns.impossible import first_seed
from reproduce.campaigns.objections import objections
from reproduce.chapters.book import Book
from reproduce.claims import show
from reproduce.claims.record import digest
from reproduce.ground.errors import PressError
from reproduce.running import recheck
from reproduce.running.refresh import out_of_step

TAMPERING = Class("tampering", "Edited claims, digests, figures, records of seeds; damaged folders of sweeps")
SWEEP = ("sweep", "geometric", "-p", "terms=60,62", "-o", "_build/swept")
NOTICED = "any edit of a stored claim turns the ledger red"


def claim_output(tree: dict[str, Any]) -> dict[str, Any]:
    """The output of a notebook that holds its claim."""
    outputs = [output for cell in tree["cells"] for output in cell.get("outputs", [])]
    (found,) = (output for output in outputs if "claim" in output.get("metadata", {}))
    return found  # type: ignore[no-any-return]


def red(stage: Stage) -> None:
    """The ledger must not be green."""
    stage.accept()
    done = stage.call("ledger")
    demand("Traceback" not in done.err, f"a traceback: {done.err.strip().splitlines()[-1] if done.err.strip() else ''}")
    demand(done.code != 0, "the ledger is green")
    demand(done.code in (1, 2), f"exit code {done.code}")
    stage.untouched()


def leaves(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in a tree of mappings and lists."""
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [path, *(leaf for key, child in children for leaf in leaves(child, (*path, key)))]


def put(tree: Any, path: tuple[Any, ...], change: Any) -> bool:
    """Change the value at a path; whether it is another one now."""
    *way, last = path
    for key in way:
        tree = tree[key]
    before = json.dumps(tree[last])
    tree[last] = change(tree[last])
    return json.dumps(tree[last]) != before


def edited(rng: Random) -> Any:
    """A change of a value: a little, another sign, another type."""

    def change(old: Any) -> Any:
        if isinstance(old, bool):
            return not old
        if isinstance(old, int | float) and rng.random() < 0.7:
            return rng.choice((old * (1 + 1e-6) + 1e-9, -old - 1, old * 1000 + 1, 0.0 if old else 1.0))
        if isinstance(old, str) and old and rng.random() < 0.6:
            place = rng.randrange(len(old))
            return old[:place] + rng.choice("abc019<") + old[place + 1 :]
        return values.value(rng)

    return change


@TAMPERING.attack(NOTICED, weight=6, damages=True)
def record(stage: Stage, rng: Random) -> None:
    tree = json.loads(stage.notebook.read_text())
    claim = claim_output(tree)["metadata"]["claim"]
    paths = [path for path in leaves(claim) if path and path != ("seconds",)]
    if not put(claim, rng.choice(paths), edited(rng)):
        return
    stage.notebook.write_text(json.dumps(tree, indent=1))
    red(stage)


@TAMPERING.attack("seconds that no run can have turn the ledger red", damages=True)
def seconds(stage: Stage, rng: Random) -> None:
    tree = json.loads(stage.notebook.read_text())
    claim_output(tree)["metadata"]["claim"]["seconds"] = rng.choice((0, -1, 2.5, 1e9, "fast", None, [1], float("nan")))
    stage.notebook.write_text(json.dumps(tree, indent=1))
    red(stage)


@TAMPERING.attack(
    "numbers forged with digest, line and box are noticed when the chapter is executed anew", damages=True
)
def forged(stage: Stage, rng: Random) -> None:
    true = stage.notebook.read_bytes()
    tree = json.loads(true)
    output = claim_output(tree)
    record, factor = output["metadata"]["claim"], rng.choice((0.3, 0.5, 1.001, 1.08, 2.0, 1000.0))
    kind = rng.choice(("both", "control", "tolerance", "basis", "broken", "statement"))
    if kind == "both":
        record["theory"] = record["measured"] = record["theory"] * factor
        record["error"] = 0.0
    elif kind == "control":
        record["control"]["error"] *= factor
    elif kind == "tolerance":
        record["tolerance"] *= factor
        record["derived"] *= factor
    elif kind == "basis":
        record["basis"] = "level"
    elif kind == "broken":
        record["control"]["kind"] = "formula"
    else:
        record["statement"] += " Always."
    record["digest"] = digest(record)
    output["data"] = {"text/plain": show.line(record), "text/html": show.box(record)}
    stage.notebook.write_text(json.dumps(tree, indent=1))
    if kind == "statement":  # no outcome of an execution: the ledger holds it to the text
        red(stage)
    else:
        noticed_anew(stage, true)


def noticed_anew(stage: Stage, true: bytes) -> None:
    """The comparison with an execution, whose outcome is what was stored before the edit, must find it."""
    stored, fresh = (nbformat.reads(text, as_version=4) for text in (stage.notebook.read_text(), true.decode()))
    found = recheck.differences(stored, fresh)
    demand(any(not one.allowed for one in found), f"executed anew, {len(found)} differences, all of them allowed")


@TAMPERING.attack(NOTICED, weight=2, damages=True)
def shown(stage: Stage, rng: Random) -> None:
    tree = json.loads(stage.notebook.read_text())
    data = claim_output(tree)["data"]
    kind = rng.choice(sorted(data))
    whole = "".join(data[kind])
    place = rng.randrange(len(whole))
    data[kind] = rng.choice((whole[:place] + "x" + whole[place:], whole[:place] + whole[place + 1 :], "", whole + " "))
    if data[kind] == whole:
        return
    stage.notebook.write_text(json.dumps(tree, indent=1))
    red(stage)


@TAMPERING.attack(NOTICED, damages=True)
def removed(stage: Stage, rng: Random) -> None:
    tree = json.loads(stage.notebook.read_text())
    kind = rng.randrange(6)
    cells = [cell for cell in tree["cells"] if cell.get("outputs")]
    holder = next(cell for cell in cells if any("claim" in output.get("metadata", {}) for output in cell["outputs"]))
    if kind == 0:
        holder["outputs"] = []
    elif kind == 1:
        tree["cells"].append({**holder, "id": "again"})
    elif kind == 2:
        holder["execution_count"] = 99
    elif kind == 3:
        claim_output(tree)["metadata"] = {}
    elif kind == 4:
        claim_output(tree)["metadata"]["claim"]["id"] = "geometric.other"
    else:
        tree["cells"] = [cell for cell in tree["cells"] if cell is not holder]
    stage.notebook.write_text(json.dumps(tree, indent=1))
    red(stage)


@TAMPERING.attack(
    "a curve erased, moved or painted anew in a figure is noticed when the chapter is executed anew", damages=True
)
def figure(stage: Stage, rng: Random) -> None:
    true = stage.notebook.read_bytes()
    tree = json.loads(true)
    outputs = [output for cell in tree["cells"] for output in cell.get("outputs", [])]
    (output,) = (output for output in outputs if "image/png" in output.get("data", {}))
    marks = output["metadata"]["image/png"]["drawn"]
    curves = [number for number, mark in enumerate(marks) if mark.startswith("line2d")]
    which, change = rng.randrange(3), rng.choice(brush.CHANGES)
    where = rng.choice(("picture", "numbers", "both", "left out", "junk"))
    if where in ("picture", "both"):
        png = base64.b64decode(output["data"]["image/png"])
        output["data"]["image/png"] = brush.encoded(brush.edited_picture(png, brush.CURVES[which], change))
    if where in ("numbers", "both"):
        output["metadata"]["image/png"]["drawn"] = brush.edited_marks(marks, curves[which], change)
    if where == "left out":
        output["metadata"] = {}
    if where == "junk":
        output["data"]["image/png"] = rng.choice(("", "AAAA", "not base64 at all"))
    stage.notebook.write_text(json.dumps(tree, indent=1))
    noticed_anew(stage, true)


@TAMPERING.attack(
    "a code cell that is not the one that was run differs from the twin, or the ledger is red", damages=True
)
def code(stage: Stage, rng: Random) -> None:
    tree = json.loads(stage.notebook.read_text())
    cell = rng.choice(
        [
            cell
            for cell in tree["cells"]
            if cell["cell_type"] == "code" and "parameters" not in cell["metadata"].get("tags", [])
        ]
    )
    source = "".join(cell["source"])
    cell["source"] = source.replace(
        *rng.choice((("1e-9", "1e-3"), ("ratio", "(ratio + 0)"), ("import", "import  ")))
    ) + rng.choice(("", "\n# more"))
    if cell["source"] == source:
        return
    stage.notebook.write_text(json.dumps(tree, indent=1))
    if not out_of_step(Book(stage.root).chapter("geometric")):
        red(stage)


def seeds_of_zeta(stage: Stage) -> Finding:
    """A record of fresh seeds, kept with the small book."""
    book = Book(stage.root)
    chapter = book.chapter("zeta")
    first = first_seed(code_of(book, chapter))
    claims = {"zeta.limit": {"runs": 20, "held": 19, "controls": 20, "worst": 1.5, "at": first + 3}}
    counts = {
        "first_seed": first,
        "last_seed": first + 19,
        "finished": 20,
        "failed": 0,
        "claims": claims,
        "earlier": [],
    }
    failed = ["zeta.limit: held in 19 of 20, its control failed in 20"]
    found = finding(book, "seeds", chapter, counts, failed)
    write_finding(stage.root, found)
    return found


@TAMPERING.attack("a record of fresh seeds that cannot be is refused or said to be out of date", weight=2, damages=True)
def robustness(stage: Stage, rng: Random) -> None:
    found = seeds_of_zeta(stage)
    counts: Any = found.counts
    claim, first = counts["claims"]["zeta.limit"], counts["first_seed"]
    impossible = rng.choice(
        (
            (claim, "held", rng.choice((21, 25, -1, 1.5, "20", None, float("nan")))),
            (claim, "controls", rng.choice((21, -1, None))),
            (claim, "runs", rng.choice((0, -1, 21, "20"))),
            (claim, "worst", rng.choice((-1.0, float("nan"), "small", None))),
            (claim, "at", rng.choice((1, first + 99, "x", None))),
            (counts, "finished", rng.choice((-1, 19, "20", None))),
            (counts, "failed", rng.choice((-3, None, "0"))),
            (counts, "first_seed", rng.choice((first + 1, 2026112100, "x"))),
            (counts, "last_seed", rng.choice((first, 0, "x"))),
            (counts, "claims", rng.choice((None, [], "x", {"zeta.limit": None}))),
        )
    )
    impossible[0][impossible[1]] = impossible[2]
    write_finding(stage.root, found)
    said = f"{impossible[1]}={impossible[2]!r}"
    demand(refused(stage, said) or objections(Book(stage.root)), f"{said} is shown")


@TAMPERING.attack("a record of a campaign that is damaged is read, or refused in one line that names it", damages=True)
def finding_file(stage: Stage, rng: Random) -> None:
    seeds_of_zeta(stage)
    path = stage.root / "evidence/records/seeds/zeta.json"
    if rng.random() < 0.4:
        path.write_bytes(values.damaged(path.read_bytes(), rng))
    else:
        tree = json.loads(path.read_text())
        put(tree, rng.choice([leaf for leaf in leaves(tree) if leaf]), edited(rng))
        path.write_text(json.dumps(tree))
    refused(stage, "a damaged record")


def refused(stage: Stage, damage: str) -> bool:
    """Whether the records of fresh seeds are refused; Bad if they are, but not in one line that names the file."""
    try:
        read_findings(Book(stage.root), "seeds")
    except PressError as error:
        demand("zeta.json" in str(error) and "\n" not in str(error), f"{damage}: {error}")
        return True
    except Exception as error:
        raise Bad(f"{damage}: {type(error).__name__}: {error}") from None
    return False


@TAMPERING.attack(
    "a finished sweep whose record or notebook was damaged runs it again or says so in one line",
    weight=4,
    limit=90,
    damages=True,
)
def swept(stage: Stage, rng: Random) -> None:
    sweep(stage)
    run = stage.root / "_build/swept/runs/terms=60"
    path = run / "run.json"
    if rng.random() < 0.4:
        victim = rng.choice(sorted(run.iterdir()))
        victim.write_bytes(values.damaged(victim.read_bytes(), rng)) if rng.random() < 0.6 else victim.unlink()
    else:
        tree = json.loads(path.read_text())
        if not put(tree, rng.choice([one for one in leaves(tree) if one]), edited(rng)):
            return
        path.write_text(json.dumps(tree))
    done = stage.call(*SWEEP)
    stage.judge(done, (0, 2, 3))
    if done.code == 0:
        demand("2 of 2 runs finished" in done.out, "a run is not counted")
        demand((run / "geometric.ipynb").exists(), "a run without its notebook counts as finished")


def sweep(stage: Stage) -> list[str]:
    """A sweep of two points that ends well; its table."""
    stage.judge(stage.call(*SWEEP), (0,))
    return table(stage)


def table(stage: Stage) -> list[str]:
    """The table of a sweep without its times."""
    with (stage.root / "_build/swept/claims.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    volatile = re.compile("second|time|date|host|commit")
    return sorted(json.dumps({name: cell for name, cell in row.items() if not volatile.search(name)}) for row in rows)


@TAMPERING.attack(
    "files beside the runs of a finished sweep may be anything: the same command ends well or in one line",
    weight=2,
    limit=90,
    damages=True,
)
def sweep_files(stage: Stage, rng: Random) -> None:
    truth = sweep(stage)
    files = sorted(
        path for path in (stage.root / "_build/swept").rglob("*") if path.is_file() and path.name != "run.json"
    )
    path = rng.choice(files)
    path.write_bytes(values.damaged(path.read_bytes(), rng))
    done = stage.call(*SWEEP)
    stage.judge(done, (0, 2, 3))
    demand(done.code != 0 or table(stage) == truth, "the table is another one")
