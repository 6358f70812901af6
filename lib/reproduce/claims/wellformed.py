"""What a claim's record must hold before anything is computed from it, wherever it was read from: its JSON schema.

What is wrong is said in the schema's own words, the descriptions of its properties.
"""

import sys
from dataclasses import fields
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError

from reproduce.claims.record import (
    LONGEST_STORED,
    NOT_FINITE,
    NUMBER,
    QUANTITY,
    TEXT,
    ControlRecord,
    Record,
    RivalRecord,
)

SCHEMA = "claim.schema.json"  # its name beside the pages


@cache
def schema() -> dict[str, Any]:
    """The schema of a record, as it is published with the book: the metadata of its fields."""
    whole = _of(Record)
    for part, kind in (("control", ControlRecord), ("rival", RivalRecord)):
        whole["properties"][part] |= _of(kind)
    shape = {"type": "array", "items": {"type": "integer", "minimum": 1}}
    summary = {"shape": shape, "norm": NUMBER}
    numbers = {"type": "array", "items": NUMBER, "minItems": 1, "maxItems": LONGEST_STORED}
    array = {"type": "object", "required": list(summary), "additionalProperties": False, "properties": summary}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A claim of the book",
        "description": "What a chapter stores of a claim, in the metadata of an output under the key claim. "
        "A number that is not finite is stored as a word.",
        "type": "object",
        **whole,
        "if": {"properties": {"kind": {"const": "ordering"}}},
        "then": {"properties": {"theory": TEXT}},
        "else": {"properties": {"theory": QUANTITY}},
        "$defs": {
            "number": {
                "anyOf": [{"type": "number"}, {"enum": list(NOT_FINITE)}],
                "description": f"must be a finite number, or one of the words {', '.join(NOT_FINITE)}",
            },
            "quantity": {
                "description": "must be a number, a short list of numbers, or the shape and norm of an array",
                "anyOf": [NUMBER, numbers, array],
            },
        },
    }


def _of(kind: type[Record] | type[ControlRecord] | type[RivalRecord]) -> dict[str, Any]:
    """The properties of a record, or of a part of it; all are required but ``times``, which earlier versions lack."""
    return {
        "required": [field.name for field in fields(kind) if field.name != "times"],
        "properties": {field.name: dict(field.metadata) for field in fields(kind)},
    }


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


def fault_of(name: str, value: Any) -> str:
    """What is wrong with the value of one field of a record, in words; empty if nothing is."""
    errors = _validator().evolve(schema=schema()["properties"][name]).iter_errors(value)
    return next((str(error.schema.get("description", error.message)) for error in errors), "")


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
