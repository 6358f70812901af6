"""What is changed anywhere in the library is noticed: by the library's own tests, or by a chapter that executes it."""

import runpy
from functools import cache
from pathlib import Path

from mutants.checks import library_checks


@cache
def chapters():
    """Each chapter's code at the small scale of its own file of mutants."""
    others = [file for file in sorted(Path(__file__).parent.glob("test_*.py")) if file != Path(__file__)]
    codes = [runpy.run_path(str(file)).get("CODE", "") for file in others]
    return [code for code in codes if "Claims(" in code]


test_the_library_has_mutants, test_a_change_of_the_library_is_noticed = library_checks(chapters)
