"""Text and code as LaTeX."""

import re

SPECIAL = {
    **{sign: f"\\{sign}" for sign in "#$%&{}"},
    "_": r"\_\allowbreak{}",  # of a name that is longer than a column
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "[": "{[}",  # behind the end of a table's row a bracket would begin an option
}
BREAKING = re.compile(r"([./-])")


def escaped(text: str) -> str:
    """Text as LaTeX, every sign as it is; a name may break behind an underscore."""
    return "".join(SPECIAL.get(sign, sign) for sign in text)


def code(text: str) -> str:
    """Code within a line, which may break behind a dot, a stroke, a hyphen or an underscore."""
    breakable = BREAKING.sub(r"\1\\allowbreak{}", escaped(text))
    return rf"\texttt{{{breakable}}}"
