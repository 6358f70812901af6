"""The ledger and the robustness of every claim as CSV and JSON beside the pages."""

import csv
import io
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from reproduce.campaigns.finding import Finding, read_findings
from reproduce.campaigns.seeds import SEEDS, same_with_every_seed
from reproduce.chapters.book import Book
from reproduce.claims.judge import used
from reproduce.claims.ledger import Ledger, StoredClaim, judge
from reproduce.claims.record import stored
from reproduce.claims.wellformed import SCHEMA, schema
from reproduce.ground.files import write_text
from reproduce.pages.claim_rows import Titles, facets_of, titles
from reproduce.pages.codes import changed
from reproduce.pages.quantities import to_spare
from reproduce.running.last_run import LastRun, read_last_runs
from reproduce.sweep.summary import pass_interval

OF_A_CLAIM = ("id", "statement", "source", "evidence", "theory", "measured", "error", "relative", "tolerance")


def publish_data(app: Sphinx, failed: Exception | None) -> None:
    """Put the schema of a claim's record, the ledger and the robustness beside the pages."""
    if failed is not None or app.builder.format != "html":
        return
    book, folder = Book(Path(app.srcdir)), Path(app.outdir)
    notebooks, named = book.notebooks(), titles(book)
    ledger, known = judge(notebooks), read_findings(book, SEEDS)
    same = same_with_every_seed(known)
    seeds = robustness_as_json(known, changed(book.root, known))
    made = {
        SCHEMA: schema(),
        "ledger.json": ledger_as_json(ledger, named, read_last_runs(book), same),
        "robustness.json": seeds,
    }
    for name, content in made.items():
        write_text(folder / name, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    write_text(folder / "ledger.csv", as_csv([_flat(claim, named, same) for claim in ledger.claims]))
    write_text(folder / "robustness.csv", as_csv(seeds["claims"]))


def ledger_as_json(
    ledger: Ledger, named: Mapping[str, Titles], runs: Mapping[str, LastRun], same: Mapping[str, bool] | None = None
) -> dict[str, Any]:
    """Every claim's record with its verdict, what the page adds to it, and how each chapter was executed.

    ledger: of the book.
    named: the titles by chapter.
    runs: the last runs by chapter.
    same: by its id whether a claim came out the same with every seed; without it that is not known.
    """
    content = ledger.as_json()
    for entry, claim in zip(content["claims"], ledger.claims, strict=True):
        entry.update(_added(claim, named, same or {}))
    executed = [asdict(runs[name]) for name in named if name in runs]
    return {"schema": SCHEMA, **content, "executed": executed}


def robustness_as_json(known: Sequence[Finding], changed: Collection[str]) -> dict[str, Any]:
    """What fresh seeds found of each chapter of the book, and of each of its claims.

    known: the findings, in the order of the book.
    changed: chapters whose code has changed since their runs.
    """
    claims = []
    for one in known:
        for id, of in one.counts["claims"].items():
            low, high = pass_interval(of["held"], of["runs"])
            claims.append({"id": id, "chapter": one.chapter, **of, "low": low, "high": high})
    chapters = []
    for one in known:
        counts = {name: value for name, value in one.counts.items() if name != "claims"}
        made = {name: getattr(one, name) for name in ("chapter", "code", "version", "commit", "date", "host")}
        chapters.append({**made, **counts, "changed": one.chapter in changed})
    return {"chapters": chapters, "claims": claims}


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows under the names of their entries; a list or a mapping is written as JSON."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(
            {
                name: json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict | bool) else value
                for name, value in row.items()
            }
        )
    return text.getvalue()


def _added(claim: StoredClaim, named: Mapping[str, Titles], same: Mapping[str, bool]) -> dict[str, Any]:
    """What the page says of a claim besides its record: titles, error over allowed, room below a bound, the seed."""
    known, record = named[claim.chapter], claim.record
    return {
        "title": known.chapter,
        "part": known.part,
        "error_over_allowed": stored(used(record)) if claim.complete else None,
        "to_spare": to_spare(record) if claim.complete else None,
        "depends_on_seed": not same[claim.id] if claim.id in same else None,
    }


def _flat(claim: StoredClaim, named: Mapping[str, Titles], same: Mapping[str, bool]) -> dict[str, Any]:
    """A claim as one row of a table."""
    record, control = claim.record, claim.record.get("control") or {}
    rival = record.get("rival") or {}
    facets = facets_of(claim, named[claim.chapter].part)
    return {
        "chapter": claim.chapter,
        **_added(claim, named, same),
        "holds": claim.holds,
        "kind": facets["kind"],
        "role": facets["role"],
        **{name: record.get(name) for name in OF_A_CLAIM},
        "control_kind": facets["control"],
        "control": control.get("what"),
        "control_error": control.get("error"),
        "rival": rival.get("what"),
        "rival_error": rival.get("error"),
        "objections": "; ".join(claim.objections),
    }
