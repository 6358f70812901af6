"""The tangent kernel of a wide network on many points: closed form against the Jacobian that it is the product of.

n = 1000 points, m = 4096 ReLU neurons of which both layers are trained, d = 20 coordinates, in float64 and on one
thread. The Jacobian holds n × m(d + 1) numbers; m matrices of n × n, one a neuron, would be 33 GB and are not tried.
The error is the largest difference to the product of the Jacobian in NumPy, over the largest entry.
"""

import subprocess
import sys

import numpy as np
import pytest
import torch

from implicit_bias.activations import RELU
from implicit_bias.models.two_layer import TwoLayer, tangent_kernel
from reproduce.campaigns.racing import Racer

N, M, D = 1000, 4096, 20
GROUP = f"tangent kernel, n = {N}, m = {M}, d = {D}"
RNG = np.random.default_rng(0)
X, W, A = RNG.standard_normal((N, D)), RNG.standard_normal((M, D)), RNG.standard_normal(M)


def closed_form():
    return tangent_kernel(TwoLayer(RELU, scaling="1/sqrt(m)"), W, A, X, X)


def closed_form_by_hand():
    """For the points with themselves, so that NumPy multiplies a matrix with its own transpose: half of the work."""
    z = X @ W.T
    gate, hidden = (z > 0) * A, np.maximum(z, 0)
    return ((gate @ gate.T) * (X @ X.T) + hidden @ hidden.T) / M


def jacobian():
    z = X @ W.T
    whole = np.empty((N, M * (D + 1)))
    np.multiply(((z > 0) * A)[:, :, None], X[:, None, :], out=whole[:, : M * D].reshape(N, M, D))
    np.maximum(z, 0, out=whole[:, M * D :])
    return whole @ whole.T / M


def by_torch():
    """As PyTorch's own tutorial on tangent kernels does it."""
    torch.set_num_threads(1)
    x, w, a = map(torch.tensor, (X, W, A))
    parts = torch.func.vmap(torch.func.jacrev(lambda p, one: torch.relu(p[0] @ one) @ p[1]), (None, 0))((w, a), x)
    return (sum(part.flatten(1) @ part.flatten(1).T for part in parts) / M).numpy()


METHODS = {
    "PyTorch, Jacobian by torch.func": by_torch,
    "NumPy, Jacobian by hand": jacobian,
    "NumPy, closed form of a symmetric kernel": closed_form_by_hand,
    "library, closed form": closed_form,
}


def test_time(race):
    known = jacobian()
    racers = [
        Racer(name, call, plain=not name.startswith("library"), rounds=1 if call is by_torch else 3)
        for name, call in METHODS.items()
    ]
    race(GROUP, racers, lambda k: float(np.abs(k - known).max() / np.abs(known).max()), matched=1e-10)


MEMORY = """
import runpy, sys
import psutil
from reproduce.running.kernel import MEGABYTE, peak_memory
methods = runpy.run_path(sys.argv[1])["METHODS"]
before = peak_memory(psutil.Process())
methods[sys.argv[2]]()
print((peak_memory(psutil.Process()) - before) / MEGABYTE)
"""


@pytest.mark.parametrize("method", METHODS)
def test_memory(timed, method):
    def compute():
        command = [sys.executable, "-c", MEMORY, __file__, method]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    timed(compute, lambda peak: f"{peak:.0f} MB", group=f"{GROUP}: memory beyond that of the imports")
