"""Sweeps on a Dask cluster whose scheduler and workers are processes of their own, joined by TCP; each is killed."""

import collections
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from press.certificates import certificates

if TYPE_CHECKING:
    from conftest import TinyBook

COUNTED = """\
import os, time
with open(f"starts/{terms}", "a") as file:
    file.write("x")
while terms >= 62 and os.path.exists("starts/hold"):
    time.sleep(0.05)"""


class Cluster:
    """A scheduler and workers on 127.0.0.1."""

    def __init__(self, folder: Path, scheme: str = "tcp", *options: str) -> None:
        self.folder = folder
        self.starts = folder / "chapters/sums/starts"  # of the first cell of each run: one letter a start
        self.starts.mkdir(parents=True)
        self.processes: list[subprocess.Popen[bytes]] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"{scheme}://127.0.0.1:{free.getsockname()[1]}"
        self.scheduler = self.start("scheduler", "--host", self.address, "--no-dashboard", "--no-show", *options)

    def start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        environment = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def worker(self, *options: str) -> "subprocess.Popen[bytes]":
        return self.start("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", *options)

    def answers(self) -> bool:
        """Whether the scheduler listens."""
        host, _, port = self.address.rpartition("/")[2].rpartition(":")
        with contextlib.suppress(OSError), socket.create_connection((host, int(port)), timeout=5):
            return True
        return False

    def hold(self, held: bool) -> None:
        """Let the cells of all runs but two wait, or go on."""
        if held:
            (self.starts / "hold").touch()
        else:
            (self.starts / "hold").unlink()

    def started(self) -> "collections.Counter[str]":
        """How often each run was started."""
        return collections.Counter(
            {path.name: len(path.read_text()) for path in self.starts.iterdir() if path.name != "hold"}
        )

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tiny: "TinyBook") -> Iterator[Cluster]:
    one = Cluster(tiny.root)
    tiny.wait_for(one.answers)  # a worker that finds no scheduler for half a minute gives up
    yield one
    one.close()


def sweep(cluster: Cluster) -> tuple[str, ...]:
    return ("sweep", "geometric", "-p", "terms=60:66", "--scheduler", cluster.address, "-o", "_build/swept")


def records(tiny: "TinyBook") -> dict[str, dict]:  # type: ignore[type-arg]
    return {
        path.parent.name: json.loads(path.read_text()) for path in (tiny.root / "_build/swept/runs").glob("*/run.json")
    }


@pytest.mark.nightly  # the one with certificates sweeps on a cluster at each commit
def test_a_worker_and_then_the_client_are_killed(tiny: "TinyBook", cluster: Cluster) -> None:
    tiny.chapter("sums/geometric", COUNTED, tiny.claim("geometric"))
    workers = [cluster.worker(), cluster.worker()]
    cluster.hold(True)
    client = tiny.start(*sweep(cluster))
    tiny.wait_for(lambda: len(records(tiny)) == 2 and len(cluster.started()) == 4)  # each worker is in mid-run

    workers[0].kill()  # in mid-run: its run goes to the other worker
    tiny.wait_for(lambda: len(tiny.kernels()) == 1)
    cluster.hold(False)
    tiny.wait_for(lambda: max(cluster.started().values()) == 2)

    done_before = set(records(tiny))
    os.kill(client.pid, signal.SIGKILL)
    tiny.end(client)
    tiny.wait_for(lambda: not tiny.kernels())
    finished = {path: path.stat().st_mtime_ns for path in (tiny.root / "_build/swept/runs").glob("*/run.json")}
    assert done_before <= {path.parent.name for path in finished}

    done = tiny.call(*sweep(cluster))
    assert (done.returncode, done.stderr.count("\n")) == (0, 1), done.stderr
    assert "6 of 6 runs finished, 0 failed" in done.stdout
    assert {path: path.stat().st_mtime_ns for path in finished} == finished  # none of these was run again
    assert set(records(tiny)) == {f"terms={terms}" for terms in range(60, 66)}
    rows = (tiny.root / "_build/swept/claims.csv").read_text().splitlines()
    assert len(rows) == 1 + 6  # each run counted once
    assert not list((tiny.root / "_build/swept/runs").glob(".r*"))


@pytest.mark.nightly
def test_the_scheduler_is_killed(tiny: "TinyBook", cluster: Cluster) -> None:
    tiny.chapter("sums/geometric", COUNTED, tiny.claim("geometric"))
    cluster.worker()
    client = tiny.start(*sweep(cluster))
    tiny.wait_for(lambda: len(records(tiny)) >= 1)
    cluster.scheduler.kill()
    _, err = tiny.end(client)
    assert client.returncode == 1
    kept = len(records(tiny))
    (line,) = err.splitlines()[1:]
    assert line.startswith(f"error: the scheduler at {cluster.address} does not answer any more: ")
    assert "of 6 runs are finished and kept; the same command goes on from there" in line
    tiny.wait_for(lambda: not tiny.kernels())
    assert kept >= 1
    again = tiny.call("sweep", "geometric", "-p", "terms=60:66", "-o", "_build/swept", "--workers", "2")
    assert "6 of 6 runs finished, 0 failed" in again.stdout


@pytest.mark.nightly
def test_a_cluster_that_cannot_be_used_is_one_line(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    nobody = tiny.call("sweep", "geometric", "--scheduler", "tcp://127.0.0.1:9", "-o", "_build/swept")
    assert nobody.returncode == 2
    (line,) = nobody.stderr.splitlines()[1:]
    assert line.startswith("error: no Dask scheduler answers at tcp://127.0.0.1:9: ")
    nonsense = tiny.call("sweep", "geometric", "--scheduler", "nonsense://x", "-o", "_build/swept")
    assert nonsense.returncode == 2
    assert nonsense.stderr.splitlines()[1].startswith("error: no Dask scheduler answers at nonsense://x: ")


def test_a_cluster_with_certificates_that_the_configuration_names(
    tiny: "TinyBook", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny.chapter("sums/geometric")
    certificate, key = (certificates(tmp_path)[name] for name in ("client.cert", "client.key"))
    given = ("--tls-ca-file", certificate, "--tls-cert", certificate, "--tls-key", key)
    cluster = Cluster(tiny.root, "tls", *given)
    command = ("sweep", "geometric", "-p", "terms=60:63", "--scheduler", cluster.address)
    try:
        cluster.worker(*given)
        refused = tiny.call(*command)
        assert (refused.returncode, refused.stderr.splitlines()[1:]) == (
            2,
            ["error: an address with tls:// needs certificates; name them in Dask's configuration, as sweep.md says"],
        )
        for name, path in (("CA_FILE", certificate), ("CLIENT__CERT", certificate), ("CLIENT__KEY", key)):
            monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{name}", path)
        tiny.wait_for(cluster.answers)
        done = tiny.call(*command)
        assert (done.returncode, done.stderr.count("\n")) == (0, 1), done.stderr
        plain = tiny.call("sweep", "geometric", "-p", "terms=70", "--scheduler", cluster.address.replace("tls", "tcp"))
        assert plain.returncode == 2
        assert plain.stderr.splitlines()[1].startswith("error: no Dask scheduler answers at tcp://")
    finally:
        cluster.close()
