"""What a run of a sweep leaves of itself, ``run.json``, and whether what is found there is what such a run writes.

An edit that a run might have written is not noticed: only the point run anew can tell.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reproduce.claims.judge import objections
from reproduce.claims.ledger import StoredClaim
from reproduce.ground.errors import PressError
from reproduce.ground.reading import read_json
from reproduce.ground.shape import ANY, fits

RECORD = "run.json"
RUN_FINISHED, RUN_FAILED = "finished", "failed"
MOST_BYTES = 16 * 2**20  # of a record; what chapters leave is a few kilobytes
SHAPE = {
    **dict.fromkeys(("chapter", "status", "reason", "notebook", "fingerprint"), str),
    "parameters": {ANY: object},
    "seconds": float,
    "megabytes": int,
    "environment": {**dict.fromkeys(("host", "python", "commit"), str), "cores": int, "versions": {ANY: str}},
    "claims": [object],
}


@dataclass(frozen=True)
class Found:
    """What lies in the folder of a run.

    record: what the run wrote; None if there is none that can be trusted.
    objection: why what lies there cannot be trusted; empty if nothing lies there or nothing is wrong with it.
    """

    record: dict[str, Any] | None = None
    objection: str = ""

    def finished(self, fingerprint: str) -> bool:
        """Whether it is a run that finished, with the code that has this fingerprint."""
        record = self.record
        return record is not None and record["status"] == RUN_FINISHED and record["fingerprint"] == fingerprint


def read_record(folder: Path, values: Mapping[str, Any]) -> Found:
    """What lies in the folder of the run with these parameters, and whether it can be trusted."""
    if not os.path.lexists(folder):
        return Found()
    try:
        record = _read(folder / RECORD)
    except PressError as error:
        return Found(None, str(error).replace(f"{folder}{os.sep}", ""))
    objection = _against(record, folder, values)
    return Found(None, objection) if objection else Found(record)


def _against(record: Any, folder: Path, values: Mapping[str, Any]) -> str:
    """The first thing that is wrong with a record, or nothing."""
    if not fits(record, SHAPE) or record["status"] not in (RUN_FINISHED, RUN_FAILED) or os.sep in record["notebook"]:
        return f"{RECORD} is not what a run writes"
    if json.dumps(record["parameters"], sort_keys=True) != json.dumps(dict(values), sort_keys=True):
        return f"{RECORD} is of a run with other parameters"
    if any(map(_misjudged, record["claims"])):
        return f"a verdict in {RECORD} does not follow from its numbers"
    name = record["notebook"]
    if not name:
        return "it has no notebook" if record["status"] == RUN_FINISHED else ""
    return "" if (folder / name).is_file() else f"{name} does not exist"


def _misjudged(claim: Any) -> bool:
    """Whether a stored claim is malformed, or its verdict does not follow from its numbers."""
    if not isinstance(claim, dict):
        return True
    own = {key: value for key, value in claim.items() if key not in ("holds", "objections")}
    verdict, against = claim.get("holds"), claim.get("objections")
    if not isinstance(against, list) or verdict is not (not against) or not StoredClaim("", own, "", "", ()).complete:
        return True
    try:
        return any(found not in against for found in objections(own))
    except (TypeError, ValueError, KeyError, OverflowError):
        return True


def _read(path: Path) -> Any:
    """The content of a record; a PressError if it cannot be read, or is larger than a record can be."""
    with suppress(OSError):
        if path.stat().st_size > MOST_BYTES:
            raise PressError(f"{path} is larger than {MOST_BYTES >> 20} MiB")
    return read_json(path)
