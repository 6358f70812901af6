"""Class 4: schedulers that are none, clusters that lose processes, and what a sweep of this machine has open.

All traffic stays on the loopback interface and each listener sends a few kilobytes at most.
"""

import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from random import Random
from typing import Any

import psutil

from attacks.case import Bad, Class, demand
from attacks.stage import Done, Stage

CLUSTERS = Class("clusters", "External Dask clusters, listeners that are none, ports of a sweep")
PATIENCE = 30.0
MOST_SENT = 64 * 1024


def talk(link: socket.socket, kind: str, rng: Random) -> None:
    """What a listener says to whoever connects."""
    with suppress(OSError):
        if kind == "http":
            link.recv(4096)
            link.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        elif kind == "noise":
            link.sendall(bytes(rng.randrange(256) for _ in range(rng.choice((1, 8, 64, 4096)))))
        elif kind == "huge frame":
            link.sendall(struct.pack("<Q", rng.choice((2**62, 2**40, 2**33))) + b"\x01" * 16)
        elif kind == "many frames":
            link.sendall(struct.pack("<QQ", 16, 2**60) + struct.pack("<Q", 2**50) * 8)
        elif kind == "drip":
            for _ in range(200):
                link.sendall(b"\0")
                time.sleep(0.2)
        elif kind == "close":
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            link.close()
        elif kind == "echo":
            sent = 0
            while sent < MOST_SENT and (data := link.recv(4096)):
                link.sendall(data)
                sent += len(data)
        elif kind == "pickle":
            payload = b"\x80\x04cposix\nsystem\n(S'touch owned'\ntR."
            link.sendall(struct.pack("<QQQ", 24, 1, len(payload)) + payload)
        while link.recv(4096):
            pass


KINDS = ("silent", "http", "noise", "huge frame", "many frames", "drip", "close", "echo", "pickle", "deaf")


@CLUSTERS.attack("an address at which no scheduler answers is one line within half a minute", weight=6, limit=60)
def listener(stage: Stage, rng: Random) -> None:
    kind = rng.choice(KINDS)
    server = socket.create_server(("127.0.0.1", 0), backlog=0 if kind == "deaf" else 5)

    def serve() -> None:
        while True:
            try:
                link, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=talk, args=(link, kind, rng), daemon=True).start()

    if kind != "deaf":
        threading.Thread(target=serve, daemon=True).start()
    done = stage.spawn(
        "sweep",
        "geometric",
        "-p",
        "terms=7,8",
        "--scheduler",
        f"tcp://127.0.0.1:{server.getsockname()[1]}",
        "-o",
        "_build/swept",
        limit=PATIENCE + 10,
    )
    server.close()
    stage.judge(done, (1, 2))
    demand(not list(stage.folder.rglob("owned")), "code from the listener was run")


@CLUSTERS.attack("an address that is none is one line", weight=2, limit=60)
def address(stage: Stage, rng: Random) -> None:
    given = rng.choice(
        (
            "tcp://127.0.0.1:1",
            "nonsense://x",
            "127.0.0.1",
            "",
            " ",
            "tcp://",
            "tcp://:0",
            "tcp://127.0.0.1:99999999",
            "tls://127.0.0.1:1",
            "inproc://127.0.0.1/1/1",
            "ucx://127.0.0.1:1",
            "tcp://[::1]:1",
            "file:///etc/passwd",
            "x" * 5000,
            "ws://127.0.0.1:1",
            "tcp://127.0.0.1:-1",
            "tcp://127.0.0.1:abc",
            "é://ü",
            "tcp://user:pw@127.0.0.1:1",
        )
    )
    done = stage.call(
        "sweep", "geometric", "-p", "terms=7,8", "--scheduler", given, "-o", "_build/swept", limit=PATIENCE + 10
    )
    stage.judge(done, (2,))


@CLUSTERS.attack("a sweep on this machine opens no port; its kernels are on the loopback interface alone", limit=120)
def ports(stage: Stage, rng: Random) -> None:
    text = stage.notebook.read_text().replace("total = sum(", "import time; time.sleep(6)\\ntotal = sum(")
    stage.notebook.write_text(text)
    stage.accept()
    process = stage.start("sweep", "geometric", "-p", "terms=7,8", "--workers", str(rng.choice((1, 2))))
    try:
        end, kernels = time.monotonic() + 25, False
        while not kernels and time.monotonic() < end and process.poll() is None:
            time.sleep(0.1)
            for one in _family(process):
                with suppress(psutil.Error):
                    links = [link for link in one.net_connections("inet") if link.status == psutil.CONN_LISTEN]
                    kernel = "ipykernel" in " ".join(one.cmdline())
                    kernels |= kernel and bool(links)
                    demand(kernel or not links, "a process of the sweep itself has an open port")
                    demand({link.laddr.ip for link in links} <= {"127.0.0.1"}, "a kernel listens to other machines")
        demand(kernels, "no kernel was found")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def _family(process: "subprocess.Popen[bytes]") -> list[psutil.Process]:
    """A process and all below it."""
    with suppress(psutil.Error):
        one = psutil.Process(process.pid)
        return [one, *one.children(recursive=True)]
    return []


@CLUSTERS.attack(
    "a cluster whose worker or scheduler dies ends in one line or recovers; the rest is done by the next sweep",
    limit=200,
)
def cluster(stage: Stage, rng: Random) -> dict[str, Any]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        where = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> "subprocess.Popen[bytes]":
        one = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            cwd=stage.root,
            env=stage.environment() | {"TMPDIR": str(stage.foreign)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        started.append(one)
        return one

    victim = rng.choice(("worker", "scheduler", "none", "both"))
    try:
        scheduler = start("scheduler", "--host", where, "--no-dashboard", "--no-show")
        workers = [start("worker", where, "--nthreads", "1", "--no-nanny", "--no-dashboard") for _ in range(2)]
        time.sleep(3)
        command = ("sweep", "geometric", "-p", "terms=60:64", "-o", "_build/swept")
        process = stage.start(*command, "--scheduler", where)
        time.sleep(rng.uniform(1, 6))
        if victim in ("worker", "both"):
            workers[0].send_signal(rng.choice((signal.SIGKILL, signal.SIGTERM)))
        if victim in ("scheduler", "both"):
            scheduler.kill()
        try:
            out, err = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Bad(f"no end after 120 s; killed: {victim}") from None
        done = Done(process.returncode, out.decode(), err.decode())
        demand("Traceback" not in done.err, "a traceback")
        demand(
            done.code in ((0,) if victim in ("none", "worker") else (0, 1, 2)),
            f"exit code {done.code}: {done.err[-200:]}",
        )
    finally:
        for one in started:
            one.kill()
            one.wait()
    again = stage.spawn(*command, "--workers", "1", limit=90)
    demand(again.code == 0 and "4 of 4 runs finished" in again.out, f"the next sweep: {again.err[-200:]}")
    return {"killed": victim}
