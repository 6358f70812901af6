"""How much larger a norm of a function is than it must be for the values that the function has on the data."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, choice, in_range
from implicit_bias.limits.certificate import UNKNOWN, Enclosure
from implicit_bias.limits.interpolation import HyperbolicEntropy, least_l1, least_norm
from implicit_bias.measure.given import chain, settled, torch
from implicit_bias.measure.margin import double_of, points_of
from implicit_bias.measure.row import Row

AGREES = 1e-4  # of its largest value: how well a network that is called linear agrees with its weights
SAID = "0 at the predictor of least {} with these values, and above elsewhere"


@in_range
def excess(
    w: ArrayLike, x: ArrayLike, norm: str = "l2", *, k: ArrayLike | None = None, start: ArrayLike | None = None
) -> Row:
    """R(w)/min {R(v) : Xv = Xw} − 1 ≥ 0, with R = ‖·‖₁, ‖·‖₂² or the hyperbolic entropy Q_k.

    No convergence is asked for: the values are those of w itself, whatever labels it was trained on.

    w: the weights of a linear predictor, d numbers; of a network those that ``linear_weights`` finds.
    x: X, N × d of rank N.
    norm: "l1", "l2" or "entropy"; of the second the square counts.
    k: of the entropy, d positive numbers; needed for it and for no other.
    start: w(0) of the entropy, d numbers; 0 by default.

    Returns the excess in its bracket.
    Raises ValueError for another norm, and where Xw = 0; CertificateError where the least is not enclosed.
    Reference: Woodworth et al. 2020; Azulay et al. 2021 for the entropy.

    >>> round(excess([1.0, 1.0], [[1.0, 2.0]], "l1").value, 9), round(excess([1.0, 2.0], [[1.0, 2.0]]).value, 9)
    (0.333333333, 0.0)
    """
    x = array("x", x, 2)
    w = array("w", w, 1, (x.shape[1],))
    choice("norm", norm, ("l1", "l2", "entropy"))
    if (k is None) == (norm == "entropy"):
        raise ValueError(f"k is {'None' if k is None else 'given'}; it must be given for the norm entropy alone")
    y = x @ w
    if not np.any(y):
        raise ValueError("w gives x @ w = 0; it must have a value on the data that is not 0")
    if norm == "entropy" and k is not None:
        entropy = HyperbolicEntropy(
            array("k", k, 1, w.shape), None if start is None else array("start", start, 1, w.shape)
        )
        value, found = entropy.value(w), entropy.minimize(x, y).certificate.enclosure or UNKNOWN
    elif norm == "l1":
        value, found = float(np.abs(w).sum()), least_l1(x, y).certificate.enclosure or UNKNOWN
    else:
        least = least_norm(x, y).certificate.enclosure or UNKNOWN
        value, found = float(w @ w), Enclosure(least.low**2, least.high**2)
    return _excess(f"excess of {norm}", value, found.low, found.high, SAID.format(norm), "Azulay et al. 2021")


def turns_excess(model: Any, x: Any) -> Row:  # attack: none, it takes a network
    """TV(f′)/TV(g′) − 1 ≥ 0, with g what joins the points (x_i, f(x_i)) by straight lines.

    A neuron a (w x + b)₊ turns the slope of f by a |w| at −b/w; turns at the same place are added.

    model: f, a Sequential of a Linear of one input, a ReLU, and a Linear of one output.
    x: n inputs, three different ones at least.

    Returns the excess, exact up to rounding.
    Raises ValueError for another network, and for points that lie on a line.
    Reference: Savarese, Evron, Soudry & Srebro 2019.

    >>> import torch
    >>> net = torch.nn.Sequential(torch.nn.Linear(1, 2), torch.nn.ReLU(), torch.nn.Linear(2, 1)).double()
    >>> net[0].weight.data, net[0].bias.data = torch.ones(2, 1).double(), torch.tensor([0.0, -1.5]).double()
    >>> net[2].weight.data = torch.tensor([[1.0, -3.0]]).double()
    >>> round(turns_excess(net, torch.tensor([[-1.0], [0.0], [1.0], [2.0]]).double()).value, 9)
    0.6
    """
    nn, parts = torch().nn, chain(settled(model))
    kinds, ends = [type(part) for part in parts], None
    if kinds == [nn.Linear, nn.ReLU, nn.Linear]:
        ends = parts[0].in_features, parts[2].out_features
    if ends != (1, 1):
        raise ValueError("model is not a Linear of one input, a ReLU and a Linear of one output; it must be")
    first, a = double_of(parts[0]), double_of(parts[2])[0]
    w, b = first[:, 0], first[:, 1] if parts[0].bias is not None else np.zeros(len(first))
    turning = w != 0
    places, which = np.unique(-b[turning] / w[turning], return_inverse=True)
    turns = np.bincount(which, (a[: len(w)] * np.abs(w))[turning], minlength=len(places))
    at, first_of = np.unique(points_of(x)[:, 0], return_index=True)
    with torch().no_grad():
        values = points_of(model(x))[first_of, 0]
    slopes = np.diff(values) / np.diff(at)
    least, scale = float(np.abs(np.diff(slopes)).sum()), float(np.abs(slopes).max(initial=0.0))
    if least <= 1e-12 * scale or len(at) < 3:
        raise ValueError(f"x has {len(at)} different points, where model turns by {least:.2g}; it must turn by more")
    value = float(np.abs(turns).sum())
    return _excess("excess of turns", value, least, least, SAID.format("turn"), "Savarese et al. 2019")


def linear_weights(model: Any, x: Any) -> Array:  # attack: none, it takes a network
    """The w with f(x) = x·w of a network that is linear in its inputs.

    model: f, a torch Module in eval mode of one output.
    x: n inputs in rows of d numbers, where this is checked.

    Returns d numbers.
    Raises ValueError where f is not linear there, to 1e-4.

    >>> import torch
    >>> net = torch.nn.Sequential(torch.nn.Linear(2, 3, bias=False), torch.nn.Linear(3, 1, bias=False)).double()
    >>> w, product = linear_weights(net, torch.ones(1, 2).double()), net[1].weight @ net[0].weight
    >>> bool(np.allclose(w, product.detach().numpy()[0]))
    True
    """
    with torch().no_grad():
        w = points_of(settled(model)(torch().eye(x.shape[1], dtype=x.dtype, device=x.device)))[:, 0]
        values = points_of(model(x))
    if values.shape[1] != 1 or np.abs(values[:, 0] - points_of(x) @ w).max() > AGREES * np.abs(values).max():
        raise ValueError("model is not x·w at x; it must be linear, without biases, and of one output")
    return w


def _excess(name: str, value: float, low: float, high: float, said: str, source: str) -> Row:
    above, below, middle = value / low - 1, value / high - 1, value / (low / 2 + high / 2) - 1
    kind = "exact" if low == high else "bracket"
    return Row(name, middle, below, above, kind, (), said, source)
