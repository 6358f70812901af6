"""Numbers that a chapter computes and its prose quotes, handed to MyST-NB under names that begin with the chapter's."""

from myst_nb import glue


def glue_all(prefix: str, form: str = "", /, **values: object) -> None:
    """Glue each value as ``prefix_name``, unseen where it stands; the prose quotes it by ``{glue:text}``.

    prefix: with which all names begin.
    form: how every value is written, as in an f-string; empty: as it is.
    values: what is quoted, by name.

    Raises ValueError for a form that does not fit a value, with the name of that value.

    >>> glue_all("max_margin", ".3f", gap=0.1234, margin=gamma)
    """
    for name, value in values.items():
        try:
            shown = format(value, form) if form else value
        except ValueError as error:
            raise ValueError(f"{name} is {value!r}, which {form!r} cannot write: {error}") from None
        glue(f"{prefix}_{name}", shown, display=False)
