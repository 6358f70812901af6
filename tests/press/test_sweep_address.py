"""The address of a scheduler is not believed: whatever listens there, the answer is one line, soon."""

import contextlib
import os
import resource
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import dask
import pytest
from distributed import Scheduler, SpecCluster
from patience import PATIENCE  # those who keep silent do so for ten minutes
from press.certificates import certificates

from reproduce.ground.errors import PressError
from reproduce.running import cluster
from reproduce.running.cluster import SECONDS_TO_CONNECT, connected

if TYPE_CHECKING:
    from conftest import TinyBook

SECONDS = 15
HTTP = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 11\r\n\r\nBad Request"
FRAME = struct.pack("<QQQ", 24, 1, 8)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorter waits for an answer."""
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 2)


def test_the_waits_together_are_short() -> None:
    assert SECONDS_TO_CONNECT < SECONDS


@contextlib.contextmanager
def listener(answer: Callable[[socket.socket], object]) -> Iterator[str]:
    """The address of a server that treats each connection so; its connections stay open as long as ``answer`` runs."""
    server = socket.create_server(("127.0.0.1", 0))

    def one(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            answer(connection)

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=one, args=server.accept()[:1], daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
    server.close()


def silent(connection: socket.socket) -> None:
    time.sleep(600)


def endless(connection: socket.socket) -> None:
    while True:
        connection.sendall(b"\0" * 65536)


def dripping(connection: socket.socket) -> None:
    for byte in struct.pack("<Q", 60000) + b"x" * 60000:
        connection.sendall(bytes([byte]))
        time.sleep(0.5)


def web(connection: socket.socket) -> None:
    connection.recv(65536)
    connection.sendall(HTTP)


LISTENERS: dict[str, Callable[[socket.socket], object]] = {
    "silent": silent,
    "endless": endless,
    "dripping": dripping,
    "web": web,
    "eager web": lambda connection: connection.sendall(HTTP),
    "random": lambda connection: connection.sendall(os.urandom(4096)),
    "closed": lambda connection: None,
    "seven exabytes": lambda connection: connection.sendall(struct.pack("<Q", 2**63 - 1) + b"x" * 4096),
    "many frames": lambda connection: connection.sendall(struct.pack("<QQ", 60000, 2**61) + b"x" * 60000),
    "no frames": lambda connection: connection.sendall(struct.pack("<QQ", 16, 0) + b"x" * 16),
    "empty frame": lambda connection: connection.sendall(struct.pack("<QQQ", 16, 1, 0)),
    "not a mapping": lambda connection: connection.sendall(FRAME + b"12345678"),
    "nested": lambda connection: connection.sendall(struct.pack("<QQQ", 40016, 1, 40000) + b"\x91" * 40000),
}


@pytest.mark.parametrize("kind", LISTENERS)
def test_what_is_not_dask_is_one_line_soon_and_without_memory(kind: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with listener(LISTENERS[kind]) as address:
        begun = time.monotonic()
        with pytest.raises(PressError) as caught, connected(address):
            pass
    assert time.monotonic() - begun < PATIENCE
    assert str(caught.value).startswith(f"no Dask scheduler answers at {address}: ")
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kilobytes


def test_what_greets_like_dask_and_then_says_nothing_is_one_line_soon() -> None:
    options = {"host": "127.0.0.1", "protocol": "tcp://", "port": 0, "dashboard": False, "dashboard_address": ":0"}
    with SpecCluster(scheduler={"cls": Scheduler, "options": options}) as real:
        port = int(real.scheduler_address.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as asked:
            size = asked.recv(8, socket.MSG_WAITALL)
            greeting = size + asked.recv(struct.unpack("<Q", size)[0], socket.MSG_WAITALL)

    def pretending(connection: socket.socket) -> None:
        connection.sendall(greeting)
        time.sleep(600)

    with listener(pretending) as address:
        begun = time.monotonic()
        with pytest.raises(PressError, match="no Dask scheduler answers"), connected(address):
            pass
    assert time.monotonic() - begun < PATIENCE


@pytest.mark.parametrize(
    "address",
    [
        "",
        "://",
        "tcp://",
        "tcp://127.0.0.1",
        "tcp://127.0.0.1:",
        "tcp://127.0.0.1:x",
        "tcp://127.0.0.1:0",
        "tcp://127.0.0.1:-1",
        "tcp://127.0.0.1:99999",
        "tcp://127.0.0.1:99999999999999999999999999",
        "tcp://[::1",
        "tcp://a:b:c",
        "tcp://:8786",
        "tcp://127.0.0.1:9\n",
        "tcp://" + "a" * 10_000 + ":1",
        "tcp://" + "a" * 200 + ":1",
        "tcp://no-such-host.invalid:8786",
        "nonsense://127.0.0.1:9",
        "inproc://x",
        "127.0.0.1:9",
    ],
)
def test_an_address_that_cannot_be_meant_is_one_line(address: str) -> None:
    begun = time.monotonic()
    with pytest.raises(PressError) as caught, connected(address):
        pass
    assert time.monotonic() - begun < PATIENCE
    assert str(caught.value).startswith("no Dask scheduler answers at ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 700


def test_tls_needs_certificates_that_can_be_read(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusal(address: str) -> str:
        with pytest.raises(PressError) as caught, connected(address):
            pass
        return str(caught.value)

    with listener(silent) as address:
        secure = address.replace("tcp", "tls")
        assert "needs certificates; name them in Dask's configuration" in refusal(secure)
        missing = {"distributed.comm.tls.ca-file": str(tmp_path / "no"), "distributed.comm.tls.client.cert": "no"}
        with dask.config.set(missing):
            assert "cannot be read: " in refusal(secure)
        named = certificates(tmp_path)
        with dask.config.set({f"distributed.comm.tls.{name}": path for name, path in named.items()}):
            assert refusal(secure).startswith("no Dask scheduler answers at tls://")
            with listener(web) as plain:
                assert refusal(plain.replace("tcp", "tls")).startswith("no Dask scheduler answers at tls://")


def test_a_cluster_needs_dask(tiny: "TinyBook", monkeypatch: pytest.MonkeyPatch) -> None:
    tiny.chapter("sums/geometric")
    monkeypatch.setitem(sys.modules, "reproduce.running.cluster", None)
    done = tiny.ask("sweep", "geometric", "--scheduler", "tcp://127.0.0.1:9")
    assert (done.returncode, done.stderr.splitlines()[1:]) == (
        2,
        ["error: --scheduler needs Dask: install the extra 'cluster'"],
    )
