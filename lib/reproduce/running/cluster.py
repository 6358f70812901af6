"""The workers of a sweep: processes on this machine, or any Dask cluster by its address."""

import logging
import os
import platform
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dask
from distributed import Client

from reproduce.book import Book
from reproduce.errors import PressError, one_line
from reproduce.running.local import local
from reproduce.running.probe import greeted, within
from reproduce.running.staleness import fingerprint

SECONDS_TO_GREET = 5
SECONDS_TO_CONNECT = 8
SECONDS_FOR_A_WORKER = 60
LOGS = ("distributed", "distributed.client", "tornado", "asyncio")  # what matters is said in one line, by the caller
QUIET = {"distributed.logging": {"distributed": "critical", "tornado": "critical", "asyncio": "critical"}}


@contextmanager
def connected(workers: int, address: str | None, scratch: Path) -> Iterator[Client]:
    """A client of a cluster that has at least one worker.

    workers: how many processes on this machine, one thread each, if there is no address.
    address: of a running scheduler, such as tls://10.0.0.1:8786; its workers are used as they are.
    scratch: folder for what workers on this machine need.

    Raises PressError for an address at which no scheduler answers, or a scheduler that gets no worker.
    """
    for name in LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with dask.config.set(QUIET), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other versions on the workers are recorded with each run
        with local(workers, scratch) if address is None else _remote(address) as client:
            yield client


@contextmanager
def _remote(address: str) -> Iterator[Client]:
    try:
        within(SECONDS_TO_GREET + 1, lambda: greeted(address, SECONDS_TO_GREET))
        client = within(SECONDS_TO_CONNECT, lambda: Client(address, timeout=SECONDS_TO_CONNECT))
    except PressError:
        raise
    except Exception as error:  # whatever Dask makes of what it is told
        reason = one_line(str(error)) or type(error).__name__
        raise PressError(f"no Dask scheduler answers at {one_line(address)}: {reason}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=SECONDS_FOR_A_WORKER)
        except TimeoutError:
            raise PressError(
                f"the scheduler at {address} has no worker and got none in {SECONDS_FOR_A_WORKER} s; start one"
            ) from None
        yield client


def check_workers(client: Client, book: Book, chapter: str, folder: Path, code: str) -> None:
    """Raise PressError if a worker does not see the same book, runs another Python, or cannot write to the folder.

    client: of the cluster.
    book, chapter: what is to be run, and where it stands.
    folder: in which every worker writes.
    code: fingerprint of chapter, library, lock file and Python version, as the sweep has it.
    """
    try:
        answers = client.run(_complaint, str(book.root), chapter, str(folder), code)
    except Exception as error:  # whatever a worker raises, for example that it has no module 'reproduce'
        raise PressError(f"a worker cannot run chapters: {one_line(str(error))}") from None
    for answer in filter(None, answers.values()):
        raise PressError(str(answer))


def _complaint(root: str, chapter: str, folder: str, code: str) -> str:
    """On a worker: what is wrong with it, or nothing."""
    where, book = f"the worker on {socket.gethostname()}", Book(Path(root))
    if not book.chapters():
        return f"{where} sees no book at {root}; it needs the same folder at the same path"
    if fingerprint(book, book.chapter(chapter).read()) != code:
        return f"{where} has another version of the book at {root} or, with {platform.python_version()}, another Python"
    if not os.access(folder, os.W_OK):
        return f"{where} cannot write to {folder}; it needs the same folder at the same path"
    return ""
