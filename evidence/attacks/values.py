"""Hostile texts, bytes and files to draw from."""

import json
from random import Random
from typing import Any

TEXTS = (
    "",
    " ",
    "0",
    "-0",
    "1",
    "60",
    " 7 ",
    "+7",
    "1_000",
    "٣",
    "1e3",
    "1e400",
    "-1e-400",
    "5e-324",
    "0x10",
    "1/2",
    "0.5",
    ".5",
    "0,5",
    "0.1,0.2",
    "[0.1, 0.2]",
    "[[0.1]]",
    "[]",
    ",",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "Infinity",
    "1j",
    "true",
    "TRUE",
    "yes",
    "None",
    "null",
    "exact",
    "Exact",
    "plain\n",
    "two\nlines",
    "a\rb",
    "\x00",
    "\x1b[31mred\x1b[0m",
    "\ud800",
    "\udcff\udcfe",
    "é" * 50,
    "🧨",
    "‮txet",
    "{ratio}",
    "{0.__class__}",
    "{{ 7*7 }}",
    "%s%n",
    "$(touch owned)",
    "`touch owned`",
    "$\\frac{$",
    "'; import os; os._exit(7) #",
    '"""',
    "\\",
    "\\N{DIGIT ONE}",
    "!!python/object/apply:os.system ['touch owned']",
    "&a [*a]",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "../../../etc/passwd",
    "/dev/zero",
    "~nosuchuser/x",
    "-p",
    "--paper",
    "=",
    "==1",
    "9" * 30,
    "9" * 5000,
    "1" + "0" * 400 + ".0",
    "[" * 2000,
    "log:1:10:3",
    "lin:0:1:5",
    "0:5",
    "1:1000000000000",
    "log:0:1:5",
    "lin:0:1:999999999999",
    "5:1",
    "1:10:0",
)
NAMES = (
    "terms",
    "ratio",
    "rule",
    "rates",
    "loud",
    "seed",
    "term",
    "",
    "rätio",
    "__class__",
    "terms ",
    "*",
    "a=b",
    "-p",
)
ALPHABET = "abcz019.-+eE_ ,:;[]{}()'\"\\/\n\t\0éß√∞🧨\x7f\u202e"


def text(rng: Random) -> str:
    """A hostile text: from the list, a piece of one, two joined, or noise."""
    kind = rng.randrange(6)
    if kind < 3:
        return rng.choice(TEXTS)
    if kind == 3:
        return rng.choice(TEXTS)[: rng.randrange(1, 12)] + rng.choice(TEXTS)[:40]
    if kind == 4:
        return repr(
            rng.choice((rng.uniform(-2, 2), rng.randint(-5, 1100), rng.uniform(0, 1) * 10 ** rng.randint(-320, 300)))
        )
    return "".join(rng.choice(ALPHABET) for _ in range(rng.randrange(1, 20)))


def value(rng: Random, depth: int = 0) -> Any:
    """A hostile value, of those that JSON and YAML hold."""
    kinds = 9 if depth < 2 else 7
    kind = rng.randrange(kinds)
    if kind == 0:
        return text(rng).encode("utf-8", "replace").decode()
    if kind < 7:
        return (None, rng.random() < 0.5, rng.randint(-3, 10**6), 10**400, float("nan"), float("inf"), -1.5)[kind]
    if kind == 7:
        return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(NAMES): value(rng, depth + 1) for _ in range(rng.randrange(4))}


def damaged(content: bytes, rng: Random) -> bytes:
    """A file's content, damaged at random: cut, emptied, bytes changed, a piece doubled or lost, another encoding."""
    kind = rng.randrange(9)
    place, length = rng.randrange(len(content) + 1), rng.randrange(1, 200)
    if kind == 0:
        return b""
    if kind == 1:
        return content[:place]
    if kind == 2:
        return content[:place] + bytes(rng.randrange(256) for _ in range(rng.randrange(1, 8))) + content[place + 1 :]
    if kind == 3:
        return content[:place] + content[place : place + length] + content[place:]
    if kind == 4:
        return content[:place] + content[place + length :]
    if kind == 5:
        return content.decode("utf-8", "replace").encode("utf-16")
    if kind == 6:
        return b"\xff\xfe\x00" + content[:place]
    if kind == 7:
        return b"<<<<<<< HEAD\n" + content[:place] + b"\n=======\n" + content[place:] + b"\n>>>>>>> other\n"
    return bytes(rng.choice((b"\x00", b"[", b"{", b"\n", b"- ", b'"'))) * rng.choice((1, 100, 100_000))


def restructured(document: str, rng: Random) -> str:
    """JSON with a part of it removed, doubled, or replaced by something of another type."""
    tree = json.loads(document)
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        for key in keys:
            places.append((node, key))
            walk(node[key])

    walk(tree)
    for _ in range(rng.choice((1, 1, 1, 3))):
        if not places or rng.random() < 0.05:
            return json.dumps(value(rng))
        node, key = rng.choice(places)
        kind = rng.randrange(3)
        try:
            if kind == 0:
                del node[key]
            elif kind == 1 and isinstance(node, list):
                node.insert(key, node[key])
            else:
                node[key] = value(rng)
        except (KeyError, IndexError):
            continue
    return json.dumps(tree)
