"""Files that others wrote: bytes, text, JSON, YAML, notebooks. Whatever is wrong with one is one line that names it."""

import json
import stat
from pathlib import Path
from typing import Any

import nbformat
import yaml
from nbformat import NotebookNode

from reproduce.ground.errors import PressError, one_line, reason


def read_bytes(path: Path) -> bytes:
    """The content of a file; a PressError if there is none, or if it is a folder, a pipe, or cannot be read."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise PressError(f"{path} is not a file")
        return path.read_bytes()
    except FileNotFoundError:
        raise PressError(f"{path} does not exist") from None
    except (OSError, MemoryError) as error:
        why = reason(error) if isinstance(error, OSError) else "it does not fit into memory"
        raise PressError(f"{path} cannot be read: {why}") from None


def read_text(path: Path) -> str:
    """The content of a file in UTF-8, with line ends as Python has them."""
    try:
        text = read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise PressError(f"{path} is not text in UTF-8: its byte {error.start + 1} cannot be read") from None
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def read_json(path: Path) -> Any:
    """The content of a JSON file."""
    text = read_text(path)
    try:
        return json.loads(text)
    except RecursionError:
        raise PressError(f"{path} is not JSON: it is nested too deeply") from None
    except ValueError as error:
        raise PressError(f"{path} is not JSON: {one_line(str(error))}") from None


def read_yaml(path: Path) -> Any:
    """The content of a YAML file without aliases, of which a few lines stand for more than any memory holds."""
    text = read_text(path)
    try:
        return yaml.load(text, _WithoutAliases)
    except RecursionError:
        raise PressError(f"{path} is not YAML: it is nested too deeply") from None
    except (yaml.YAMLError, ValueError, TypeError) as error:  # TypeError: a key that is a list of lists
        raise PressError(f"{path} is not YAML: {one_line(str(error))}") from None


class _WithoutAliases(yaml.SafeLoader):  # type: ignore[misc]
    """What YAML calls safe, without its aliases."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        """The next node of the file."""
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()
            where = f"line {event.start_mark.line + 1}"
            raise yaml.YAMLError(f"{where} has the alias *{event.anchor}; write out what it stands for")
        return super().compose_node(parent, index)


def read_notebook(path: Path) -> NotebookNode:
    """A notebook in format 4 that has everything a notebook must have."""
    text = read_text(path)
    try:
        content = json.loads(text)
        version = content.get("nbformat") if isinstance(content, dict) else None
        if version not in nbformat.versions:
            raise PressError(f"{path} is not a notebook: it does not say which format of notebooks it has")
        notebook = nbformat.versions[version].to_notebook_json(content, minor=content.get("nbformat_minor", 0))
        converted: NotebookNode = nbformat.convert(notebook, 4)  # type: ignore[no-untyped-call]
        nbformat.validate(converted)
    except PressError:
        raise
    except RecursionError:
        raise PressError(f"{path} is not a notebook: it is nested too deeply") from None
    except Exception as error:  # a converter of nbformat trips in many ways over what is no notebook
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise PressError(f"{path} is not a notebook: {one_line(lines[0])}") from None
    return converted
