"""The executor of a Dask cluster that runs already, by the address of its scheduler."""

import asyncio
import logging
import os
import platform
import re
import socket
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from distributed import Client, Security
from distributed.core import rpc

from reproduce.chapters.book import Book
from reproduce.ground.errors import PressError, one_line
from reproduce.running.run_all import SchedulerGone
from reproduce.running.staleness import fingerprint

SECONDS_BETWEEN_COUNTS = 5.0
SECONDS_TO_CONNECT = 8
SECONDS_FOR_A_WORKER = 60
ADDRESS = re.compile(r"(?P<scheme>tcp|tls)://(\[[0-9A-Fa-f:.]+\]|[^\s:/@\[\]]{1,253}):(?P<port>[0-9]{1,5})")
LOGS = ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio")  # the caller has one line


class Cluster:
    """The workers of a Dask cluster, each thread a place for a job."""

    def __init__(self, client: Client) -> None:
        """Ask nothing yet; ``client`` is connected."""
        self._client = client
        self.executor: Executor = client.get_executor(pure=False)
        self._places, self._counted = 1, 0.0

    def places(self) -> int:
        """How many jobs the cluster takes at a time, counted now and then, for workers come and go."""
        if self._client.status != "running":
            raise SchedulerGone("the scheduler does not answer any more")
        if time.monotonic() - self._counted > SECONDS_BETWEEN_COUNTS:
            with suppress(OSError, TimeoutError):  # as before if it does not answer
                self._places = sum(self._client.nthreads().values())
            self._counted = time.monotonic()
        return self._places

    def check(self, book: Book, chapter: str, folder: Path, code: str) -> None:
        """Raise PressError if a worker does not see the same book, runs another Python, or cannot write to the folder.

        book, chapter: what is to be run, and where it stands.
        folder: in which every worker writes.
        code: fingerprint of chapter, library, lock file and Python version, as the caller has it.
        """
        try:
            answers = self._client.run(_complaint, str(book.root), chapter, str(folder), code)
        except Exception as error:  # whatever a worker raises, for example that it has no module 'reproduce'
            raise PressError(f"a worker cannot run chapters: {one_line(str(error))}") from None
        for answer in filter(None, answers.values()):
            raise PressError(str(answer))


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """A cluster that has at least one worker.

    address: of a running scheduler, such as tls://10.0.0.1:8786; its workers are used as they are.

    Raises PressError for an address at which no scheduler answers, or a scheduler that gets no worker.
    """
    for name in LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other versions on the workers are recorded with each run
        with _client(address) as client:
            try:
                client.wait_for_workers(1, timeout=SECONDS_FOR_A_WORKER)
            except TimeoutError:
                raise PressError(
                    f"the scheduler at {address} has no worker and got none in {SECONDS_FOR_A_WORKER} s; start one"
                ) from None
            cluster = Cluster(client)
            try:
                yield cluster
            finally:
                if client.status == "running":
                    cluster.executor.shutdown(wait=False)  # takes back what has not ended


def _client(address: str) -> Client:
    """A client of the scheduler at an address; a PressError if none answers there."""
    form = ADDRESS.fullmatch(address)
    nobody = f"no Dask scheduler answers at {one_line(address)}"
    if form is None or not 0 < int(form["port"]) < 65536:
        raise PressError(f"{nobody}: an address is tcp://HOST:PORT or tls://HOST:PORT")
    certificates = _certificates(form["scheme"])
    try:
        asyncio.run(asyncio.wait_for(_greeted(address, certificates), SECONDS_TO_CONNECT))
    except TimeoutError:
        raise PressError(f"{nobody}: nothing came within {SECONDS_TO_CONNECT} s") from None
    except (OSError, UnicodeError) as error:  # UnicodeError: no name of a host
        raise PressError(f"{nobody}: {one_line(str(error))}") from None
    except Exception as error:  # whatever Dask makes of what it is told
        raise PressError(f"{nobody}: what listens there is not Dask ({type(error).__name__})") from None
    return Client(address, timeout=SECONDS_TO_CONNECT)


async def _greeted(address: str, certificates: dict[str, Any]) -> None:
    """Return if a scheduler answers: a client of one who is silent would wait for ever."""
    async with rpc(address, connection_args=certificates, timeout=SECONDS_TO_CONNECT) as scheduler:
        await scheduler.identity()


def _certificates(scheme: str) -> dict[str, Any]:
    """What Dask's configuration says of them."""
    try:
        named: dict[str, Any] = Security().get_connection_args("client")
    except (OSError, ValueError) as error:
        raise PressError(f"the certificates of Dask's configuration cannot be read: {one_line(str(error))}") from None
    if scheme == "tls" and named["ssl_context"] is None:
        raise PressError(
            "an address with tls:// needs certificates; name them in Dask's configuration, as sweep.md says"
        )
    return named


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
