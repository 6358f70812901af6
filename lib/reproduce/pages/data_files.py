"""The ledger and the robustness of every claim as CSV and JSON beside the pages."""

import csv
import io
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from reproduce.campaigns.finding import Finding, read_findings
from reproduce.campaigns.seeds import SEEDS, same_with_every_seed
from reproduce.chapters.book import Book
from reproduce.claims.judge import used
from reproduce.claims.ledger import judge
from reproduce.claims.record import stored
from reproduce.claims.show import BROKEN
from reproduce.claims.wellformed import SCHEMA, schema
from reproduce.ground.files import write_text
from reproduce.pages.claim_rows import HEADLINE, INSTRUMENT, titles
from reproduce.pages.codes import changed
from reproduce.pages.quantities import five_percent, to_spare
from reproduce.running.last_run import read_last_runs
from reproduce.sweep.summary import pass_interval

ADDED = ("title", "part", "error_over_allowed", "to_spare", "depends_on_seed", "passes_with_theory_times_095_and_105")
OF_A_CLAIM = ("id", "statement", "source", "evidence", "theory", "measured", "error", "relative", "tolerance")


def publish_data(book: Book, pages: Path) -> None:
    """Put the schema of a claim's record, the ledger and the robustness beside the pages."""
    known = read_findings(book, SEEDS)
    ledger = ledger_as_json(book, same_with_every_seed(known, book.notebooks()))
    seeds = robustness_as_json(known, changed(book.root, known))
    for name, content in {SCHEMA: schema(), "ledger.json": ledger, "robustness.json": seeds}.items():
        write_text(pages / name, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    write_text(pages / "ledger.csv", as_csv([_flat(entry) for entry in ledger["claims"]]))
    write_text(pages / "robustness.csv", as_csv(seeds["claims"]))


def ledger_as_json(book: Book, same: Mapping[str, bool]) -> dict[str, Any]:
    """Every claim's record with its verdict, what the page adds to it, and how each chapter was executed.

    book: of which they are.
    same: by its id whether a claim came out the same with every seed, as far as that is known.
    """
    ledger, named, runs = judge(book.notebooks()), titles(book), read_last_runs(book)
    content = ledger.as_json()
    for entry, claim in zip(content["claims"], ledger.claims, strict=True):
        known, record = named[claim.chapter], claim.record
        entry |= {
            "title": known.chapter,
            "part": known.part,
            "error_over_allowed": stored(used(record)) if claim.complete else None,
            "to_spare": to_spare(record) if claim.complete else None,
            ADDED[-1]: five_percent(record) if claim.complete else None,
            "depends_on_seed": not same[claim.id] if claim.id in same else None,
        }
    return {"schema": SCHEMA, **content, "executed": [asdict(runs[name]) for name in named if name in runs]}


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
        nested = {name: value for name, value in row.items() if isinstance(value, list | dict | bool)}
        writer.writerow({**row, **{name: json.dumps(value, ensure_ascii=False) for name, value in nested.items()}})
    return text.getvalue()


def _flat(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of the ledger as one row of a table."""
    control, rival = entry.get("control") or {}, entry.get("rival") or {}
    return {
        **{name: entry[name] for name in ("chapter", *ADDED, "holds")},
        "kind": entry.get("kind"),
        "role": HEADLINE if entry.get("headline") else INSTRUMENT,
        **{name: entry.get(name) for name in OF_A_CLAIM},
        "control_kind": BROKEN.get(control.get("kind", "")),
        "control": control.get("what"),
        "control_error": control.get("error"),
        "rival": rival.get("what"),
        "rival_error": rival.get("error"),
        "objections": "; ".join(entry["objections"]),
    }
