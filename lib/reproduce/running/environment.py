"""With what a run was made: host, cores, Python, versions, commit."""

import functools
import importlib.metadata
import os
import platform
import re
import socket
import subprocess
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from reproduce.chapters.book import Book
from reproduce.ground.errors import PressError, one_line

UNKNOWN = "unknown"  # the commit of a book that is in no repository
WEB, DEVELOPMENT = "web", "dev"  # extras that no run needs
KEPT = ("*.ipynb", "evidence/records")  # what runs write into the book
DISTRIBUTION = re.compile(r"[A-Za-z0-9._-]+")


@functools.lru_cache
def environment(root: str) -> Mapping[str, Any]:
    """Host, its cores, Python, and the versions of the packages that the book depends on directly.

    Of its extras, all but those that no run needs, those that are installed.
    """
    known = project(root)
    extras = known.get("optional-dependencies", {})
    needed = known.get("dependencies", [])
    wanted = [one for name, some in extras.items() if name not in (WEB, DEVELOPMENT) for one in some]
    versions = {}
    for requirement in [*needed, *wanted]:
        name = DISTRIBUTION.match(requirement)
        if name is not None:
            try:
                versions[name[0]] = importlib.metadata.version(name[0])
            except importlib.metadata.PackageNotFoundError:
                if requirement in needed:
                    versions[name[0]] = "not installed"
    return {
        "host": socket.gethostname(),
        "cores": os.cpu_count() or 0,
        "python": platform.python_version(),
        "versions": versions,
    }


def in_words(here: Mapping[str, Any]) -> str:
    """Python and the packages of an environment, with their versions."""
    return ", ".join(f"{name} {version}" for name, version in [("Python", here["python"]), *here["versions"].items()])


def packages_for_the_web(root: str) -> frozenset[str]:
    """The packages that only pages with an address need."""
    extras = project(root).get("optional-dependencies", {})
    return frozenset(name[0] for one in extras.get(WEB, []) if (name := DISTRIBUTION.match(one)))


def commit_of(book: Book) -> str:
    """The commit of the book's repository, and whether files differ from it that no run writes."""
    with suppress(OSError, subprocess.CalledProcessError):
        commit = _git(book, "rev-parse", "HEAD").decode().strip()
        changed = _git(book, "status", "--porcelain", "--", ".", *(f":(exclude){kept}" for kept in KEPT))
        return f"{commit}{', with changes' if changed.strip() else ''}"
    return UNKNOWN


def commit_of_files(book: Book, files: Iterable[Path]) -> str:
    """The last commit that changed one of these files; empty if one differs from it, or in no repository."""
    with suppress(OSError, subprocess.CalledProcessError):
        git, of = ["git", "-C", str(book.root)], ["--", *map(str, files)]
        status, log = [*git, "status", "--porcelain", *of], [*git, "log", "-1", "--format=%H", *of]
        if not subprocess.run(status, capture_output=True, text=True, check=True).stdout.strip():
            return subprocess.run(log, capture_output=True, text=True, check=True).stdout.strip()
    return ""


def known_to_git(book: Book) -> frozenset[str] | None:
    """The files of the book that its repository tracks, by their paths from the root; None for a book in no repository.

    Raises PressError if there is a repository and git does not say which.
    """
    try:
        listed = _git(book, "ls-files", "-z", "--", ".")
    except (OSError, subprocess.CalledProcessError) as error:
        if any((folder / ".git").exists() for folder in (book.root, *book.root.parents)):
            said = getattr(error, "stderr", b"").decode(errors="replace").strip() or str(error)
            raise PressError(f"git does not say which files belong to the book: {one_line(said)}") from None
        return None
    # one that is kept inside a repository of something else, and not in it, is in none
    return frozenset(os.fsdecode(path) for path in listed.split(b"\0") if path) or None


def version_of(book: Book) -> str:
    """The version of the book as its pyproject.toml has it; empty if it has none."""
    return str(project(str(book.root)).get("version", ""))


def machine() -> str:
    """This machine in words: the cores that may be used, and the processor."""
    return f"{cores()} {'core' if cores() == 1 else 'cores'}, {processor()}"


def processor() -> str:
    """The processor as the system names it."""
    with suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return platform.processor() or platform.machine()


def cores() -> int:
    """How many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def project(root: str) -> Mapping[str, Any]:
    """The table ``project`` of a book's pyproject.toml; empty if there is none."""
    try:
        found: Mapping[str, Any] = tomllib.loads((Path(root) / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError):
        return {}
    return found.get("project", {})  # type: ignore[no-any-return]


def _git(book: Book, *words: str) -> bytes:
    return subprocess.run(["git", "-C", str(book.root), *words], capture_output=True, check=True).stdout
