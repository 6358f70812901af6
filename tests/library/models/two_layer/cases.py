"""Every combination of activation, trained layers, scaling and loss, with the same in PyTorch."""

import numpy as np
import torch
from library.helpers import SLOPE

from implicit_bias.activations import IDENTITY, RELU, LeakyReLU, Square, Tanh
from implicit_bias.data import Samples
from implicit_bias.losses import Exponential, Logistic, SmoothMargin, Squared
from implicit_bias.models.two_layer import Risk, TwoLayer

N, D, M = 4, 6, 5
softplus = torch.nn.functional.softplus


def smoothed(z, slope, width):
    return slope * z + (1 - slope) * width * softplus(z / width, threshold=1000)


ACTIVATIONS = {
    "identity": (IDENTITY, lambda z: z),
    "ReLU": (RELU, torch.relu),
    "leaky": (LeakyReLU(0.3), lambda z: torch.nn.functional.leaky_relu(z, 0.3)),
    "smoothed": (LeakyReLU(0.3, 0.2), lambda z: smoothed(z, 0.3, 0.2)),
    "centred": (LeakyReLU(0.3, 0.2, centred=True), lambda z: smoothed(z, 0.3, 0.2) - 0.7 * 0.2 * np.log(2)),
    "tanh": (Tanh(), torch.tanh),
    "square": (Square(), torch.square),
}
LOSSES = {
    "squared": (Squared("sum"), lambda f, y: ((f - y) ** 2).sum() / 2),
    "exponential": (Exponential(), lambda f, y: torch.exp(-y * f).mean()),
    "logistic": (Logistic(), lambda f, y: softplus(-y * f).mean()),
    "smooth margin": (SmoothMargin(), lambda f, y: torch.logsumexp(-y * f, 0) - np.log(len(y))),
    "smooth logistic margin": (SmoothMargin(Logistic()), lambda f, y: torch.log(softplus(-y * f).mean())),
}
SCALES = {"1/m": 1 / M, "1/sqrt(m)": M**-0.5, 1: 1.0}
TRAINED = ("both", "first", "output")
NET = TwoLayer(LeakyReLU(SLOPE), trained="first", scaling="1/sqrt(m)")
A = np.array([1.0, 1.0, 1.0, -1.0, -1.0])


def samples(seed=0, n=N, d=D):
    stream = np.random.default_rng(seed)
    return Samples(stream.standard_normal((n, d)), np.where(np.arange(n) % 2, 1.0, -1.0))


def start(seed=1, m=M, d=D):
    stream = np.random.default_rng(seed)
    return stream.standard_normal((m, d)), stream.standard_normal(m)


def risk(activation="leaky", loss="squared", trained="both", scaling="1/sqrt(m)", data=None):
    return Risk(TwoLayer(ACTIVATIONS[activation][0], trained, scaling), data or samples(), LOSSES[loss][0])


def autograd(activation, loss, scaling, data, w, a):
    """The risk and its gradients in W and a, by PyTorch."""
    w, a = (torch.tensor(part, requires_grad=True) for part in (w, a))
    f = SCALES[scaling] * a @ ACTIVATIONS[activation][1](w @ torch.tensor(data.x).T)
    value = LOSSES[loss][1](f, torch.tensor(data.y))
    return value.item(), *(part.numpy() for part in torch.autograd.grad(value, (w, a)))
