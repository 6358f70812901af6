"""Arc-cosine kernels: the mean of a product of two ReLUs over rotationally invariant inputs, in closed form."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, choice, in_range, whole

Inputs = Literal["gaussian", "sphere"]
INPUTS: tuple[Inputs, ...] = ("gaussian", "sphere")


def second_moment(inputs: Inputs, d: int) -> float:
    """E[x xᵀ] = I for standard Gaussian inputs, I/d for inputs uniform on the unit sphere: the factor before I."""
    choice("inputs", inputs, INPUTS)
    return 1.0 if inputs == "gaussian" else 1.0 / whole("d", d, least=1)


def angles(w: ArrayLike, v: ArrayLike) -> Array:
    """The angles θ in [0, π] between the rows of w and those of v, accurate also where they are small.

    θ = 2 arctan(‖ŵ − v̂‖ / ‖ŵ + v̂‖),  ŵ = w/‖w‖

    w: m × d.
    v: k × d.

    Returns m × k angles; that of a zero row, which has none, is π/2.
    Raises ValueError for arrays that do not fit together.
    """
    w = array("w", w, 2)
    v = array("v", v, 2, (None, w.shape[1]))
    left, right = _directions(w)[:, None, :], _directions(v)[None, :, :]
    return np.asarray(2 * np.arctan2(np.linalg.norm(left - right, axis=-1), np.linalg.norm(left + right, axis=-1)))


@in_range
def relu_kernel(w: ArrayLike, v: ArrayLike, inputs: Inputs = "gaussian") -> Array:
    """The interaction of two ReLU neurons, and with x and w exchanged the conjugate kernel of a ReLU layer.

    k(w, v) = E[(w·x)₊ (v·x)₊] = c ‖w‖‖v‖ (sin θ + (π − θ) cos θ) / 2π,  c = 1 (Gaussian) or 1/d (sphere)

    w: m × d.
    v: k × d.
    inputs: the law of x: "gaussian" for N(0, I), "sphere" for uniform on the unit sphere.

    Returns m × k values.
    Raises ValueError for arrays that do not fit together and an unknown law.
    Reference: Cho and Saul 2009, the kernel of order 1 (there without the factor ½).
    """
    theta = angles(w, v)
    lengths = np.outer(np.linalg.norm(w, axis=1), np.linalg.norm(v, axis=1))
    shape = np.sin(theta) + (np.pi - theta) * np.cos(theta)
    return np.asarray(second_moment(inputs, np.shape(w)[1]) * lengths * shape / (2 * np.pi))


@in_range
def relu_potential_gradient(w: ArrayLike, v: ArrayLike, weights: ArrayLike, inputs: Inputs = "gaussian") -> Array:
    """The gradient at each w of the potential V(w) = Σ_k weights_k k(w, v_k).

    ∇_w k(w, v) = E[1{w·x > 0} (v·x)₊ x] = c [(π − θ) v + sin θ ‖v‖ w/‖w‖] / 2π

    w: m × d.
    v: k × d.
    weights: k numbers.
    inputs: the law of x, as for ``relu_kernel``.

    Returns m × d. V is 1-homogeneous: w·∇V(w) = V(w). At w = 0, where V has a kink, the second term is left out.
    Raises ValueError for arrays that do not fit together and an unknown law.
    """
    theta = angles(w, v)
    w, v = array("w", w, 2), array("v", v, 2)
    weights = array("weights", weights, 1, (len(v),))
    pull = ((np.pi - theta) * weights) @ v
    along = (np.sin(theta) @ (weights * np.linalg.norm(v, axis=1)))[:, None] * _directions(w)
    return np.asarray(second_moment(inputs, w.shape[1]) * (pull + along) / (2 * np.pi))


@in_range
def squared_relu_kernel(w: ArrayLike, v: ArrayLike) -> Array:
    """The second moment of the product of two ReLUs over Gaussian inputs.

    E[(w·x)₊² (v·x)₊²] = ‖w‖²‖v‖² (3 sin θ cos θ + (π − θ)(1 + 2 cos² θ)) / 2π

    w: m × d.
    v: k × d.

    Returns m × k values.
    Reference: Cho and Saul 2009, the kernel of order 2 (there without the factor ½).
    """
    theta = angles(w, v)
    with np.errstate(over="ignore"):
        squares = np.outer(np.linalg.norm(w, axis=1), np.linalg.norm(v, axis=1)) ** 2
    array("the product of the squared norms of w and v", squares, 2)
    shape = 3 * np.sin(theta) * np.cos(theta) + (np.pi - theta) * (1 + 2 * np.cos(theta) ** 2)
    return np.asarray(squares * shape / (2 * np.pi))


def _directions(w: Array) -> Array:
    """The rows over their lengths; a zero row stays zero."""
    lengths = np.linalg.norm(w, axis=1, keepdims=True)
    return np.asarray(w / np.where(lengths > 0, lengths, 1.0))
