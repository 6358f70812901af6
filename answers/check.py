"""``python -m answers.check``: every answer proved again from its file alone, in exact arithmetic, by Python alone."""

import json
import math
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from answers.proof import Proof, Refused, Values, demand
from answers.statements import STATEMENTS, Asked, Statement

FOLDER, SCHEMA = Path(__file__).parent, "answer.schema.json"
FORM = ("schema", "name", "version", "chapter", "source", "parameters", "entries", "data", "answers")


def read(text: str) -> Any:
    """A file's content, each number as the fraction that its float64 is."""
    return json.loads(text, parse_float=_number, parse_int=Fraction, parse_constant=_constant, object_pairs_hook=_once)


def check(kept: Any) -> dict[str, Proof]:
    """The proofs of a file's answers, as ``read`` gives it; Refused unless they prove what it says."""
    demand(isinstance(kept, dict) and tuple(kept) == FORM, f"a file must hold {', '.join(FORM)}")
    name = kept["name"]
    demand(isinstance(name, str) and name in STATEMENTS, "the file has no name of a statement")
    stated = STATEMENTS[name]
    stands = {"schema": SCHEMA, "chapter": stated.chapter, "source": stated.source, "entries": dict(stated.entries)}
    for field, wanted in stands.items():
        demand(kept[field] == wanted, f"{field} is not what was stated")
    answers = kept["answers"] if isinstance(kept["answers"], list) else []
    given = [one.get("name") if isinstance(one, dict) else None for one in answers]
    demand(given == list(stated.asked), f"the answers are not {', '.join(stated.asked)}")
    return {one["name"]: proved(stated, kept["data"], one) for one in answers}


def proved(stated: Statement, data: Values, one: Mapping[str, Any]) -> Proof:
    """The proof of one answer; Refused unless it proves what is stored with it."""
    asked = stated.asked[one["name"]]
    form = ("name", "problem", "answer", *(("certificate",) if asked.certificate or asked.given else ()))
    try:
        demand(tuple(one) == (*form, "enclosure", "residuals"), "it is of another form")
        demand(one["problem"] == asked.problem, "the problem is not what was stated")
        proof = prove(stated, asked, data, one["answer"], one.get("certificate", {}))
        for field, wanted in shown(proof).items():
            demand(one[field] == wanted, f"the {field} is not what the numbers prove")
    except Refused as error:
        raise Refused(f"{one['name']}: {error}") from None
    return proof


def prove(stated: Statement, asked: Asked, data: Values, answer: Values, certificate: Values) -> Proof:
    """What the numbers of an answer prove; Refused where they prove nothing."""
    for what, held, names in (
        ("data", data, stated.data),
        ("answer", answer, asked.answer),
        ("certificate", certificate, (*asked.certificate, *asked.given)),
    ):
        demand(isinstance(held, dict) and tuple(held) == names, f"{what} must hold {', '.join(names)}")
        demand(all(map(_numbers, held.values())), f"{what} holds what is no number")
    for one, value in asked.given.items():
        demand(certificate[one] == Fraction(value), f"{one} must be {value:g}")
    try:
        return asked.prove(data, answer, certificate)
    except Refused:
        raise
    except (ValueError, TypeError, ArithmeticError, LookupError, AttributeError) as error:  # of another shape
        raise Refused(f"the numbers are of another form: {' '.join(str(error).split())}") from None


def shown(proof: Proof) -> dict[str, Any]:
    """Enclosure and residuals as a file holds them: end points as "p/q", residuals to two digits."""
    ends = {name: [f"{one.numerator}/{one.denominator}" for one in both] for name, both in proof.enclosure.items()}
    residuals = {"primal": proof.primal, "dual": proof.dual}
    return {"enclosure": ends, "residuals": {name: float(f"{float(one):.1e}") for name, one in residuals.items()}}


def _number(text: str) -> Fraction:
    value = float(text)
    demand(math.isfinite(value) and not (value == 0 and text.startswith("-")), f"{text} is no number that is stored")
    return Fraction(value)


def _constant(text: str) -> Fraction:
    raise Refused(f"{text} is no number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    demand(len({name for name, _ in pairs}) == len(pairs), "a name stands twice")
    return dict(pairs)


def _numbers(value: Any) -> bool:
    """Whether a value is a number, or a list of numbers or of lists of them."""
    return all(map(_numbers, value)) and value != [] if isinstance(value, list) else isinstance(value, Fraction)


def main(paths: list[str]) -> int:
    """Print what each file proves; 1 if one does not."""
    refused = 0
    for path in map(Path, paths) if paths else sorted(FOLDER / f"{name}.json" for name in STATEMENTS):
        try:
            for name, proof in check(read(path.read_text(encoding="utf-8"))).items():
                for quantity, (low, high) in proof.enclosure.items():
                    width = f"{float((high - low) / max(abs(low), abs(high))):.0e}"
                    print(f"{path.stem} {name}: {quantity} is {float(high):.12g}, proved to {width}")
        except (OSError, ValueError, RecursionError) as error:
            print(f"{path}: {' '.join(str(error).split())}", file=sys.stderr)
            refused += 1
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
