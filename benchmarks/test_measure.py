"""What it costs to measure a network of one's own: time and memory beside one training step of the same network.

Three networks on 200 digits in float32, trained for 300 steps, so that the report has all of its parts. A training
step is one of gradient descent with momentum on all 200. Each peak is that of a process of its own, less what it held
before.

λ_max after 100 steps: what a user could run instead is PyHessian's power iteration or ARPACK with curvlinops' products,
if they are installed. The error is relative to what ARPACK finds to rounding with products in float64.
"""

import copy
import subprocess
import sys
import warnings
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil
import pytest
import torch
from scipy.sparse.linalg import eigsh
from sklearn.datasets import load_digits
from torch import nn

from implicit_bias import measure
from reproduce.campaigns.racing import Racer
from reproduce.running.kernel import MEGABYTE, peak_memory

NETWORKS = {
    "MLP": lambda: nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10)),
    "CNN": lambda: nn.Sequential(
        nn.Unflatten(1, (1, 8, 8)), nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(512, 10),
    ),
    "transformer": lambda: nn.Sequential(
        nn.Unflatten(1, (8, 8)), nn.Linear(8, 32), nn.TransformerEncoderLayer(32, 4, 64, 0.0, batch_first=True),
        nn.Flatten(), nn.Linear(256, 10),
    ),
}  # fmt: skip
LOSS = nn.functional.cross_entropy
STEP = "a training step"


class Case:
    """A trained network, its twin, and what can be called of them."""

    def __init__(self, name):
        torch.set_num_threads(1)
        torch.manual_seed(0)
        x, y = (torch.tensor(part[:200]) for part in load_digits(return_X_y=True))
        self.x, self.y, self.model = x.float() / 16, y, NETWORKS[name]()
        self.twin = measure.linearized(self.model)
        self.optimizers = {
            id(one): torch.optim.SGD(one.parameters(), 0.05, momentum=0.9) for one in (self.model, self.twin)
        }
        self.steps = measure.watch(self.model, self.optimizers[id(self.model)])

    def trained(self, count=300):
        with self.steps:
            for one in [self.model, self.twin] * count:
                self.step(one)
        return self

    def step(self, one):
        self.optimizers[id(one)].zero_grad()
        LOSS(one(self.x), self.y).backward()
        self.optimizers[id(one)].step()

    def watched(self):
        with measure.watch(self.model, self.optimizers[id(self.model)]):
            self.step(self.model)

    def calls(self):
        given = self.model, LOSS, self.x, self.y
        rest = {"test": (self.x, self.y), "twin": self.twin, "steps": self.steps}
        return {
            STEP: partial(self.step, self.model),
            "a step of the twin": partial(self.step, self.twin),
            "a step that is watched, with its start": self.watched,
            "balance": partial(measure.balance, *given),
            "sharpness, 30 products": partial(measure.sharpness, *given),
            "report, all of it": partial(measure.report, self.model, LOSS, (self.x, self.y), **rest),
        }


def peak(name, method):
    """The most that a call holds beside what was there before, in MB, in a process of its own."""
    done = subprocess.run([sys.executable, __file__, name, method], capture_output=True, text=True, check=True)
    return float(done.stdout)


@pytest.mark.parametrize("name", NETWORKS)
def test_measures_beside_a_training_step(costs, name):
    case = Case(name).trained()
    size = sum(one.numel() for one in case.model.parameters())
    racers = [Racer(method, call, rounds=3 if "report" in method else 7) for method, call in case.calls().items()]
    costs(f"measuring a network of one's own: {name}, {size} parameters, 200 digits", racers, partial(peak, name))


@pytest.mark.parametrize("name", NETWORKS)
def test_the_largest_eigenvalue(race, peer, name):
    case = Case(name)
    for _ in range(100):
        case.step(case.model)
    model, data, double = case.model, (case.x, case.y), copy.deepcopy(case.model).double()
    truth = eigsh(measure.hessian(double, LOSS, case.x.double(), case.y), 1, which="LA", return_eigenvectors=False)[0]

    def checked():
        return measure.sharpness(model, LOSS, *data).late.value

    def lanczos():
        return measure.largest_eigenvalue(measure.hessian(model, LOSS, *data), steps=10).value

    racers = [
        Racer("the library, 30 steps, its bracket checked in float64", checked),
        Racer("the library, 10 steps and their bracket", lanczos),
    ]
    if pyhessian := peer("pyhessian"):

        def powers():
            with warnings.catch_warnings(action="ignore"):  # of its backward pass
                found = pyhessian.hessian(copy.deepcopy(model), LOSS, data=data, cuda=False)
                return found.eigenvalues(maxIter=200, tol=1e-7)[0][0]

        racers.append(Racer("PyHessian's power iteration to 1e-7", powers, plain=True))
    if curvlinops := peer("curvlinops"):

        def arpack():
            given = model, nn.CrossEntropyLoss(), list(model.parameters()), [data]
            with warnings.catch_warnings(action="ignore"):  # of PyTorch's first forward derivative
                linear = curvlinops.HessianLinearOperator(*given, check_deterministic=False)
                return eigsh(linear.to_scipy(), 1, which="LA", return_eigenvectors=False)[0]

        racers.append(Racer("curvlinops' products and ARPACK", arpack, plain=True))
    with nn.attention.sdpa_kernel(nn.attention.SDPBackend.MATH):  # the fast one has no second derivative
        race(f"largest eigenvalue of the Hessian: {name}", racers, lambda value: abs(value / truth - 1), matched=1e-5)


if __name__ == "__main__":
    case = Case(sys.argv[1]).trained(300 if sys.argv[2].startswith("report") else 2)
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # the peak so far is that of now
    before = psutil.Process().memory_info().rss
    case.calls()[sys.argv[2]]()
    print(max(peak_memory(psutil.Process()) - before, 0) / MEGABYTE)
