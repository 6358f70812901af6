"""Two tiers: ``make test`` leaves out what bears the marker ``nightly``, ``make nightly`` runs everything."""

from collections.abc import Iterable
from typing import Any

import pytest


def thinned(cases: Iterable[Any], every: int) -> list[Any]:
    """A table of cases of which ``make test`` tries the first and each so-manieth after it, the others only the night.

    cases: as ``parametrize`` takes them; each is a value, the tuple of several arguments, or a ``pytest.param``.
    every: how many cases there are for one of ``make test``.
    """
    return [at_night(case) if place % every else case for place, case in enumerate(cases)]


def at_night(case: Any) -> Any:
    """A case of a table that only the night tries."""
    if hasattr(case, "marks"):
        return pytest.param(*case.values, marks=[*case.marks, pytest.mark.nightly], id=case.id)
    return pytest.param(*(case if isinstance(case, tuple) else [case]), marks=pytest.mark.nightly)
