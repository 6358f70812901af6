"""Numbers that a chapter computes and its prose quotes, handed to MyST-NB under names that begin with the chapter's."""

import re

from myst_nb import glue

POWER = re.compile(r"e([+-]\d+)$")
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def glue_all(prefix: str, form: str = "", /, **values: object) -> None:
    """Glue each value as ``prefix_name``, unseen where it stands; the prose quotes it by ``{glue:text}``.

    prefix: with which all names begin.
    form: how every value is written, as in an f-string, but with 2·10⁻⁵ for 2e-05; empty: as it is.
    values: what is quoted, by name.

    Raises ValueError for a form that does not fit a value, with the name of that value.

    >>> glue_all("max_margin", ".3f", gap=0.1234, margin=gamma)
    """
    for name, value in values.items():
        try:
            shown = POWER.sub(_raised, format(value, form)) if form else value
        except ValueError as error:
            raise ValueError(f"{name} is {value!r}, which {form!r} cannot write: {error}") from None
        glue(f"{prefix}_{name}", shown, display=False)


def _raised(power: re.Match[str]) -> str:
    """An exponent as a power of ten."""
    return f"·10{str(int(power[1])).translate(SUPERSCRIPT)}"
