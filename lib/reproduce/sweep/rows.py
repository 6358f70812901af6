"""The table of a sweep: every claim of every run as a row, in CSV and Parquet; a run without claims has one too."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from reproduce.chapters.parameters import Signature
from reproduce.claims.judge import used
from reproduce.ground.errors import writing
from reproduce.ground.files import replacing
from reproduce.running.run import slug

ROWS_A_BATCH = 1000
TYPES = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "str": pa.string()}
COLUMNS = (
    ("run", pa.string()),
    ("status", pa.string()),
    ("reason", pa.string()),
    ("notebook", pa.string()),
    ("claim", pa.string()),
    ("kind", pa.string()),
    ("holds", pa.bool_()),
    ("theory", pa.float64()),
    ("measured", pa.float64()),
    ("theory_norm", pa.float64()),
    ("measured_norm", pa.float64()),
    ("error", pa.float64()),
    ("tolerance", pa.float64()),
    ("used", pa.float64()),
    ("control_error", pa.float64()),
    ("control_failed", pa.bool_()),
    ("rival_error", pa.float64()),
    ("seconds", pa.float64()),
    ("host", pa.string()),
    ("cores", pa.int64()),
    ("python", pa.string()),
    ("commit", pa.string()),
)


def column(parameter: str) -> str:
    """The column of a parameter: its name, with _ behind it where the table has a column of that name already."""
    return f"{parameter}_" if parameter in dict(COLUMNS) else parameter


def missing_record(values: Mapping[str, Any], reason: str) -> dict[str, Any]:
    """Stands for the record of a run that ended and left none that can be trusted."""
    return {
        "parameters": dict(values),
        "status": "failed",
        "reason": reason,
        "notebook": "",
        "seconds": None,
        "environment": {"host": None, "cores": None, "python": None, "commit": None},
        "claims": [],
    }


def rows_of(record: Mapping[str, Any], parameters: Signature) -> Iterator[dict[str, Any]]:
    """The rows of one run: one for each claim, or a single one without claim if it has none.

    record: as a worker left it.
    parameters: the chapter's, for the values that were not given.

    theory and measured are there where they are single numbers, their Euclidean norms where they are arrays; ``used``
    is the part of the tolerance that the error uses up, at most 1 if the claim's measurement is within it.
    """
    name = slug(record["parameters"])
    given = record["parameters"]
    values = {one.name: given.get(one.name, one.default) for one in parameters.values()}
    environment = record["environment"]
    run = {
        **{column(one): json.dumps(value) if isinstance(value, list) else value for one, value in values.items()},
        "run": name,
        "status": record["status"],
        "reason": record["reason"],
        "notebook": f"runs/{name}/{record['notebook']}" if record["notebook"] else "",
        "seconds": record["seconds"],
        "host": environment["host"],
        "cores": environment["cores"],
        "python": environment["python"],
        "commit": environment["commit"],
    }
    for claim in record["claims"] or [None]:
        yield run if claim is None else run | _claim(claim)


def write_table(folder: Path, records: Iterable[Mapping[str, Any]], parameters: Signature) -> None:
    """Write ``claims.csv`` and ``claims.parquet``, a batch of rows at a time, in the place of older ones."""
    schema = pa.schema(
        [*((column(one.name), TYPES.get(one.type, pa.string())) for one in parameters.values()), *COLUMNS]
    )
    with (
        replacing(folder / "claims.csv") as csv,
        replacing(folder / "claims.parquet") as parquet,
        writing(folder),
        pyarrow.csv.CSVWriter(csv, schema) as to_csv,
        pyarrow.parquet.ParquetWriter(parquet, schema) as to_parquet,
    ):
        rows = (row for record in records for row in rows_of(record, parameters))
        while batch := list(islice(rows, ROWS_A_BATCH)):
            table = pa.Table.from_pylist(batch, schema=schema)
            to_csv.write_table(table)
            to_parquet.write_table(table)


def _claim(claim: Mapping[str, Any]) -> dict[str, Any]:
    rival = claim["rival"]
    theory = claim["theory"] if claim["kind"] != "ordering" else None  # the names of its values
    return {
        "claim": claim["id"],
        "kind": claim["kind"],
        "holds": claim["holds"],
        "theory": _number(theory),
        "measured": _number(claim["measured"]),
        "theory_norm": _norm(theory),
        "measured_norm": _norm(claim["measured"]),
        "error": _number(claim["error"]),
        "tolerance": claim["tolerance"],
        "used": used(claim),
        "control_error": _number(claim["control"]["error"]),
        "control_failed": claim["control"]["failed"],
        "rival_error": _number(rival["error"]) if rival else None,
    }


def _number(stored: Any) -> float | None:
    """A stored quantity if it is one number; those that are not finite are stored as words."""
    return None if stored is None or isinstance(stored, list | dict) else float(stored)


def _norm(stored: Any) -> float | None:
    """The Euclidean norm of a stored quantity if it is an array: of a long one it is what is stored."""
    if isinstance(stored, list):
        return math.hypot(*map(float, stored))
    return float(stored["norm"]) if isinstance(stored, dict) else None
