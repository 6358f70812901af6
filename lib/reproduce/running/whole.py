"""Whether a chapter's text is whole, before it takes the place of the stored one."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from reproduce.chapters.book import REGISTER, Book, Chapter, shown
from reproduce.claims.ledger import claims_of, read_register, words_that_fit_none
from reproduce.claims.words import words_of
from reproduce.ground.errors import PressError, RunFailed, writing
from reproduce.running.notebooks import code_cells, write_notebook

TAG = "parameters"
MOST_NAMED = 3


def demand_whole(book: Book, chapter: Chapter, text: NotebookNode) -> None:
    """Raise PressError unless every code cell of a text is Python and nothing the book counts on is missing.

    That is the cell of parameters, if the stored notebook has one or the chapter has registered claims, and a
    method called with the name of every claim that the register lists for the chapter, and its words in the text. Words
    that stand twice, or have no call, are refused too.
    """
    for number, source in enumerate(code_cells(text), start=1):
        try:
            _tree(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            why = f"{error.msg}, line {error.lineno}" if isinstance(error, SyntaxError) else type(error).__name__
            raise PressError(_refusal(chapter, f"code cell {number} is not Python ({why})")) from None
    registered = _registered(book, chapter)
    stated = {name for source in code_cells(text) for name in _stated(source)}
    said, wrong = words_of(text)
    if wrong:
        raise PressError(_refusal(chapter, wrong[0]))
    missing = _in_words([id for id in registered if id.partition(".")[2] not in stated])
    missing += _in_words([id for id in registered if id.partition(".")[2] in stated - set(said)], "the words of ")
    tagged_before = chapter.notebook.exists() and _is_tagged(chapter.read())
    if (registered or tagged_before) and not _is_tagged(text):
        missing.insert(0, f"the cell tagged {TAG}")
    if missing:
        raise PressError(_refusal(chapter, f"it lacks {' and '.join(missing)}"))
    if wrong := words_that_fit_none(text):
        raise PressError(_refusal(chapter, wrong[0]))


def demand_claims(book: Book, chapter: Chapter, done: NotebookNode, failed: Path) -> None:
    """Raise RunFailed unless an executed chapter stores every registered claim; it is then kept as ``failed``."""
    stored = {claim.id for claim in claims_of(chapter.name, done)}
    missing = _in_words([id for id in _registered(book, chapter) if id not in stored])
    if missing:
        with writing(failed):
            failed.parent.mkdir(parents=True, exist_ok=True)
        write_notebook(done, failed)
        raise RunFailed(
            f"{chapter.name} stays as it was: its run did not store {missing[0]}, see {shown(failed)}; mend it, take "
            f"them out of {REGISTER}, or add --force"
        )


def _refusal(chapter: Chapter, why: str) -> str:
    source = chapter.twin if chapter.twin.exists() else chapter.notebook
    both = chapter.twin.exists() and chapter.notebook.exists()
    remedy = f", delete {source.name} to have it made from the notebook," if both else ""
    return f"{shown(source)} is not whole: {why}; nothing was changed; mend it{remedy} or add --force"


def _registered(book: Book, chapter: Chapter) -> list[str]:
    entries = read_register(book.root / REGISTER)
    return [id for entry in entries if entry["chapter"] == chapter.name for id in entry.get("claims") or []]


def _in_words(ids: Sequence[str], of: str = "") -> list[str]:
    """The claims, or what is ``of`` them, in one phrase, the first of them by name; nothing if there is none."""
    if not ids:
        return []
    more = f" and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else ""
    return [f"{of}the registered claim{'s' if len(ids) > 1 else ''} {', '.join(ids[:MOST_NAMED])}{more}"]


def _is_tagged(notebook: NotebookNode) -> bool:
    return any(TAG in cell.metadata.get("tags", []) for cell in notebook.cells if cell.source.strip())


def _stated(source: str) -> Iterator[str]:
    """Every name with which a cell calls a method, as ``claims.limit("name", …)`` does."""
    for node in ast.walk(_tree(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value


def _tree(source: str) -> ast.AST:
    """A cell as Python, after what IPython makes of its magics; await may stand in it."""
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    plain = TransformerManager().transform_cell(source)  # type: ignore[no-untyped-call]
    tree: ast.AST = compile(plain, "<cell>", "exec", flags)
    return tree
