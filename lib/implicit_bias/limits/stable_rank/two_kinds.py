"""What gradient descent makes of a small first layer of a leaky network: two kinds of neuron."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, in_range, instance, memory, number, whole
from implicit_bias.data import Classification


@brief()
@dataclass(frozen=True)
class TwoKinds:
    """What gradient descent is predicted to add to the first layer, for t = 0, …, steps.

    spike: s(t), with what W(0) has along it; steps + 1 numbers.
    beside: r(t), the second singular value; steps + 1 numbers.

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.eye(2), np.array([1.0, -1.0]))
    >>> kinds = two_kinds(points, 0.5, np.array([1.0, -1.0]) / np.sqrt(2), learning_rate=1.0, steps=3)
    >>> kinds.spike.round(3), kinds.beside.round(3)
    (array([0.   , 0.265, 0.512, 0.741]), array([0.   , 0.   , 0.005, 0.015]))
    """

    spike: Array
    beside: Array


@in_range
def two_kinds(  # law: none, the smoothed leaky ReLU has the width 1
    data: Classification, slope: float, a: ArrayLike, learning_rate: float, steps: int, *, inputs: ArrayLike = 0.0
) -> TwoKinds:
    """The two directions that gradient descent on the logistic loss grows in the first layer, as W(0) → 0.

    w⁺ = Σ_k c_k⁺ y_k x_k/√m,  w⁻ = −Σ_k c_k⁻ y_k x_k/√m,  c_k^± ← c_k^± + (α/n) σ(−M_k) φ′(w^±·x_k),  c^±(0) = 0,
    M_k = M_k(0) + y_k (m₊ φ(w⁺·x_k) − m₋ φ(w⁻·x_k))/√m,  φ′(z) = κ + δ tanh(z/2),  σ(z) = 1/(1 + e^{−z})

    From W(0) = 0 neurons with output weights of one sign stay the same: m₊ rows are w⁺, m₋ rows are w⁻. s and r are the
    singular values of that matrix; s counts besides what W(0) has along its singular vectors, uᵀW(0)v. Neglected:
    that W(0) moves the gates, and what it has along the second pair of singular vectors. The activation is the
    smoothed leaky ReLU of width 1 with φ(0) = 0, κ = (1 + γ)/2 and δ = (1 − γ)/2.

    data: n samples.
    slope: γ in [0, 1].
    a: the m output weights ±1/√m.
    learning_rate: α > 0.
    steps: at least 1.
    inputs: W(0)Xᵀ, m × n, or 0.

    Raises ValueError for an argument outside its range.

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.eye(2), np.array([1.0, 1.0]))
    >>> kinds = two_kinds(points, 1.0, np.array([1.0, -1.0]) / np.sqrt(2), learning_rate=1.0, steps=2)
    >>> kinds.beside.round(12)
    array([0., 0., 0.])
    """
    instance("data", data, Classification)
    slope, a = number("slope", slope, least=0, most=1), array("a", a, 1)
    kappa, delta = (1 + slope) / 2, (1 - slope) / 2
    rate = number("learning_rate", learning_rate, above=0) / len(data.y)
    steps = whole("steps", steps, least=1)
    memory("steps", steps, 8 * 8 * (steps + 1) * len(data.y))
    given = array("inputs", inputs, None)
    start = array("inputs", given, 2, (a.size, len(data.y))) if given.ndim else np.zeros((a.size, len(data.y)))
    signs = np.sign(a)
    kinds = np.array([np.sum(signs > 0), np.sum(signs < 0)]) / np.sqrt(a.size)
    sides = np.array([[1.0], [-1.0]])
    gram = data.signed @ data.signed.T

    def value(z: Array) -> Array:
        """φ, whose cosh cannot overflow."""
        return np.asarray(kappa * z + 2 * delta * (np.logaddexp(z / 2, -z / 2) - np.log(2)))

    before = data.y * (a @ value(start))
    c = np.zeros((steps + 1, 2, len(data.y)))
    for step in range(steps):
        z = sides * (c[step] @ gram) * data.y / np.sqrt(a.size)
        pull = expit(-before - data.y * ((sides[:, 0] * kinds) @ value(z)))
        c[step + 1] = c[step] + rate * pull * (kappa + delta * np.tanh(z / 2))
    rows = sides * np.sqrt(kinds / np.sqrt(a.size))[:, None] * c  # √m₊ w⁺ and √m₋ w⁻, by the signed samples
    values, modes = np.linalg.eigh(np.einsum("tai,ik,tbk->tab", rows, gram, rows, optimize=True))
    beside, spike = np.sqrt(np.maximum(values, 0)).T
    top = modes[:, :, 1]
    means = np.stack([start[signs > 0].sum(axis=0), start[signs < 0].sum(axis=0)])  # of W(0)Xᵀ, over each kind
    means = means / np.sqrt(np.maximum(kinds * np.sqrt(a.size), 1))[:, None]
    along = np.einsum("ta,tai,tb,bi,i->t", top, rows, top, means, data.y, optimize=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        spike = np.where(spike > 0, np.abs(spike + along / spike), 0.0)
    return TwoKinds(spike, beside)
