"""What is imported late: a package's names when they are asked for, and what an extra brings when it is needed."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

# The packages that each extra of pyproject.toml brings, as they are imported.
BROUGHT = {
    "torch": ("torch",),
    "cone": ("cvxpy", "clarabel"),
    "fast": ("daqp",),
    "plot": ("matplotlib", "cycler", "jinja2", "PIL"),
    "data": ("sklearn",),
}


@contextmanager
def extra() -> Iterator[None]:  # attack: none, it takes nothing
    """Around the import of a package that not everybody has installed: whoever has not is told which extra brings it.

    Raises ModuleNotFoundError with that line.

    >>> with extra():
    ...     import matplotlib
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        brings = next((name for name, packages in BROUGHT.items() if package in packages), None)
        if brings is None:
            raise
        how = f"pip install 'implicit-bias[{brings}]'"
        raise ModuleNotFoundError(f"this needs {package}, which is not installed: {how}", name=error.name) from None


def names_of(  # attack: none, it is called where a package is made
    package: str, home: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package that imports a name, or a module below it, when it is asked for.

    package: its full name.
    home: for a name the module below the package that has it.

    Returns both; the first raises AttributeError for what there is not.
    Reference: PEP 562.

    >>> import implicit_bias
    >>> implicit_bias.max_margin is implicit_bias.limits.margin.max_margin
    True
    """

    def get(name: str) -> Any:
        if name in home:
            return getattr(import_module(f"{package}.{home[name]}"), name)
        if name.startswith("_") or find_spec(f"{package}.{name}") is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return import_module(f"{package}.{name}")

    def known() -> list[str]:
        path = import_module(package).__path__
        return sorted({*home, *(module.name for module in iter_modules(path))})

    return get, known
