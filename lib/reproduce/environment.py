"""With what a run was made: host, cores, Python, versions."""

import functools
import importlib.metadata
import os
import platform
import re
import socket
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

DISTRIBUTION = re.compile(r"[A-Za-z0-9._-]+")


@functools.lru_cache
def environment(root: str) -> Mapping[str, Any]:
    """Host, its cores, Python, and the versions of the packages that the book depends on directly."""
    try:
        project = tomllib.loads((Path(root) / "pyproject.toml").read_text(encoding="utf-8")).get("project", {})
    except (OSError, tomllib.TOMLDecodeError):
        project = {}
    versions = {}
    for requirement in project.get("dependencies", []):
        name = DISTRIBUTION.match(requirement)
        if name is not None:
            try:
                versions[name[0]] = importlib.metadata.version(name[0])
            except importlib.metadata.PackageNotFoundError:
                versions[name[0]] = "not installed"
    return {
        "host": socket.gethostname(),
        "cores": os.cpu_count() or 0,
        "python": platform.python_version(),
        "versions": versions,
    }
