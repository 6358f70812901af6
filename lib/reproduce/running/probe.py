"""Whether a Dask scheduler answers at an address, found out without believing whoever listens there.

A Dask server speaks first: the size of its message in eight bytes, then the number of its frames, their sizes, and a
mapping that says which Python and which compression it has. What does not begin so is refused before it can make Dask
wait, or allocate what it asks for.
"""

import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import msgpack
from distributed import Security
from distributed.comm.addressing import get_address_host_port, parse_address

from reproduce.errors import PressError, one_line

SIZE = struct.Struct("<Q")
LARGEST, MOST_FRAMES = 65536, 16  # of a greeting, which has some hundred bytes in one or two frames
LONGEST_HOST = 253
SCHEMES = ("tcp", "tls")
Answer = TypeVar("Answer")


def within(seconds: float, work: Callable[[], Answer]) -> Answer:
    """What ``work`` returns or raises; TimeoutError after so many seconds, whatever it waits for."""
    answers: list[Answer] = []
    errors: list[BaseException] = []

    def attempt() -> None:
        try:
            answers.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not answers:
        raise TimeoutError(f"nothing came within {seconds:g} s")
    return answers[0]


def greeted(address: str, seconds: float) -> None:
    """Return if what listens at an address speaks first, as a Dask server does.

    Raises OSError or ValueError, with the reason, for an address that is malformed, that nobody listens at, or whose
    listener is silent or says something else; PressError if certificates are needed and missing.
    """
    scheme, host, port = _parsed(address)
    context = _certified() if scheme == "tls" else None
    end = time.monotonic() + seconds
    with socket.create_connection((host, port), timeout=seconds) as plain:
        stream = plain if context is None else context.wrap_socket(plain, server_hostname=host)
        with stream:
            size = SIZE.unpack(_read(stream, SIZE.size, end))[0]
            if not SIZE.size < size <= LARGEST or not _is_greeting(_read(stream, size, end)):
                raise ValueError("what listens there is not Dask")


def _parsed(address: str) -> tuple[str, str, int]:
    """Scheme, host and port of an address."""
    try:
        scheme, _ = parse_address(address)
        host, port = get_address_host_port(address) if address.isprintable() and scheme in SCHEMES else ("", 0)
    except ValueError:
        port = 0
    if not (0 < port < 65536 and 0 < len(host) <= LONGEST_HOST):
        raise ValueError("an address is tcp://HOST:PORT or tls://HOST:PORT")
    return scheme, host, port


def _certified() -> ssl.SSLContext:
    """The context of the certificates that Dask's configuration names."""
    try:
        context = Security().get_connection_args("client")["ssl_context"]
    except (OSError, ValueError) as error:
        raise PressError(f"the certificates of Dask's configuration cannot be read: {one_line(str(error))}") from None
    if not isinstance(context, ssl.SSLContext):
        raise PressError(
            "an address with tls:// needs certificates; name them in Dask's configuration, as sweep.md says"
        )
    return context


def _read(stream: socket.socket, length: int, end: float) -> bytes:
    """Exactly so many bytes, until the clock says ``end``."""
    got = b""
    while len(got) < length:
        left = end - time.monotonic()
        if left <= 0:
            raise TimeoutError("what listens there says nothing")
        stream.settimeout(left)
        try:
            more = stream.recv(length - len(got))
        except TimeoutError:
            raise TimeoutError("what listens there says nothing") from None
        if not more:
            raise ConnectionError("what listens there closed the connection")
        got += more
    return got


def _is_greeting(message: bytes) -> bool:
    """Whether a message has the frames it says, the first of them with the mapping that a Dask server begins with."""
    frames = SIZE.unpack_from(message)[0]
    begin = SIZE.size * (1 + frames)
    if not 0 < frames <= MOST_FRAMES or begin > len(message):
        return False
    lengths = [SIZE.unpack_from(message, SIZE.size * (1 + k))[0] for k in range(frames)]
    if begin + sum(lengths) != len(message):
        return False
    try:
        said: Any = msgpack.unpackb(message[begin : begin + lengths[0]], strict_map_key=False)
    except (ValueError, msgpack.UnpackException):
        return False
    return isinstance(said, dict) and "pickle-protocol" in said
