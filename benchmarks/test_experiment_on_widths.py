"""The authors' experiment on widths (Chizat & Bach 2020): what it costs in time and memory, and what comes out.

n = 256 points, d = 15 coordinates, steps of ½/√(k + 1) along the gradient of the smooth margin. The authors' own code
takes 500 s and keeps 13 GB of path; nothing but the recorded states is kept here.
"""

import subprocess
import sys
from itertools import pairwise

EXPERIMENT = """
import sys, time
import numpy as np
import psutil
from implicit_bias.activations import RELU
from implicit_bias.data import Classification, clusters
from implicit_bias.flows import ScheduledDescent, drive
from implicit_bias.losses import SmoothMargin
from implicit_bias.models.two_layer import BlockedGradient, Risk, TwoLayer
from reproduce.running.kernel import MEGABYTE, peak_memory

N, D, SEED, STEPS = 256, 15, int(sys.argv[1]), int(sys.argv[2])
every = clusters(np.random.default_rng([SEED, 30]), N + 4000, 3, d=D, labels="random")
train, test = (Classification(every.x[rows], every.y[rows]) for rows in (slice(N), slice(N, None)))
net = TwoLayer(RELU, "both", "1/m")
for m in [8, 16, 32, 64, 128, 256, 512, 1024]:
    start = np.random.default_rng([SEED, 31, m])
    flow = Risk(net, train, SmoothMargin()).of_weights(start.standard_normal((m, D)), start.standard_normal(m))
    fast = BlockedGradient(flow.risk, m)
    descent = ScheduledDescent(fast.gradient, lambda step, theta: m * 0.5 / np.sqrt(step + 2))
    run = drive(descent, flow.start, t_end=STEPS, record=np.arange(100, STEPS, 100)).demand()
    margin = max((train.y * fast.outputs(theta)).min() / (theta @ theta / m) for theta in run.theta)
    both = np.mean(test.y * net.output(*flow.weights(run.final), test.x) < 0)
    hidden = np.random.default_rng([SEED, 32, m]).standard_normal((m, D))
    features, c = np.maximum(train.x @ hidden.T, 0), np.zeros(N)  # the output weights are Σ_i c_i y_i φ_i, as from 0
    signed = train.y[:, None] * features
    kernel = signed @ signed.T
    for step in range(STEPS):
        own = kernel @ c
        p = np.exp((own.min() - own) / m)
        p *= max(1, np.sqrt(c @ own / m)) * 0.5 / np.sqrt(step + 2) / p.sum()
        c += p
    b = c @ signed
    output = np.mean(test.y * (np.maximum(test.x @ hidden.T, 0) @ b) < 0)
    print(f"{margin:.4f} {both:.4f} {output:.4f}")
print(peak_memory(psutil.Process()) / MEGABYTE)
"""


def test_the_authors_experiment_on_widths(timed):
    """Eight widths, 50,000 steps, both ways of training; the authors' code takes 500 s and keeps 13 GB of path."""

    def experiment():
        command = [sys.executable, "-c", EXPERIMENT, "1", "50000"]
        *rows, peak = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        return [tuple(map(float, row.split())) for row in rows], float(peak)

    def words(answer):
        rows, peak = answer
        margins, both, output = zip(*rows, strict=True)
        rising = sum(later > earlier for earlier, later in pairwise(margins))
        return (
            f"F1 margin {margins[0]:.4f} to {margins[-1]:.4f}, rising {rising} times of 7; test error "
            f"{both[-1]:.3f} and {output[-1]:.3f} at m = 1024; {peak:.0f} MB"
        )

    timed(
        experiment, words, group="the authors' experiment on widths: m = 8 to 1024, 50,000 steps, both ways of training"
    )
