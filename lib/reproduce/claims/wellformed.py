"""What a claim's record must hold before anything is computed from it, wherever it was read from: its JSON schema.

What is wrong is said in the schema's own words, the descriptions of its properties.
"""

import json
import re
import sys
from functools import cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError

SCHEMA = "claim.schema.json"
ID = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)+")


@cache
def schema() -> dict[str, Any]:
    """The schema of a record, as it is published with the book."""
    text = files("reproduce.claims").joinpath(SCHEMA).read_text(encoding="utf-8")
    return dict(json.loads(text))


def faults(record: Any) -> list[str]:
    """Everything that keeps a record from being judged, in sentences; empty for one that a chapter could store.

    Whether the claim holds or was edited is another question: ``judge.objections``, for a record without faults.
    """
    if not isinstance(record, dict):
        return ["its record is not a mapping"]
    found: dict[str, None] = {}
    for error in _validator().iter_errors(record):
        found.update(dict.fromkeys(_sentences(error)))
    return list(found)


def _sentences(error: ValidationError) -> list[str]:
    path = [str(step) for step in error.absolute_path]
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        return [f"its {path[0]} has no {', '.join(missing)}"] if path else [f"it has no {name}" for name in missing]
    if path == ["control"] and error.instance is None:
        return ["it has no control"]
    fault = error.schema.get("description", error.message)
    its = f"{path[0]}'s {path[1]}" if len(path) > 1 and path[0] in ("control", "rival") else path[0]
    return [f"its {its} {fault}"]


@cache
def _validator() -> Draft202012Validator:
    """A validator to whom a number is finite and true is none; so that a whole number counts as one by its type."""
    checker = Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"number": lambda _, value: _is_number(value), "integer": lambda _, value: type(value) is int}
    )
    made: Any = validators.extend(Draft202012Validator, type_checker=checker)
    return made(schema())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
