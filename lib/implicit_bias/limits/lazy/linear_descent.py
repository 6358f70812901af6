"""What gradient descent on a linearized model predicts after any number of steps, and at the end."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, columns, number
from implicit_bias.limits.certificate import Certificate
from implicit_bias.limits.lazy.tangent_limit import kernel_regression


@brief()
@dataclass(frozen=True)
class LinearDescent:
    """Predictions of a model that is linear in its weights, from 0, for the squared loss ½ Σ_i (u_i − y_i)².

    values: after the given numbers of steps, k × N, or of q columns of labels k × N × q.
    fitted: on the samples, k × n, or k × n × q.
    end: as the number grows, N numbers, or N × q: regression with the kernel.
    certificate: of the end.

    >>> run = linear_descent(np.diag([1.0, 2.0]), np.array([1.0, 1.0]), np.array([[1.0, 0.0]]), 0.5, [0, 1, 2])
    >>> run.values.ravel(), run.end
    (array([0.  , 0.5 , 0.75]), array([1.]))
    """

    values: Array
    fitted: Array
    end: Array
    certificate: Certificate


def linear_descent(kernel: ArrayLike, y: ArrayLike, cross: ArrayLike, rate: float, steps: ArrayLike) -> LinearDescent:
    """Gradient descent u ← u − ηK(u − y), f ← f − ηk(u − y) in closed form, by the eigenvectors of K.

    f = k K^{−1} (I − (I − ηK)^t) y after t steps

    kernel: K, n × n, positive definite.
    y: n labels, or q columns of them, n × q, for which the eigenvectors are found once.
    cross: k between the places of prediction and the samples, N × n.
    rate: η in (0, 2/λ_max(K)).
    steps: k whole numbers t ≥ 0.

    Returns the predictions.
    Raises ValueError for arrays that do not fit, a kernel that is not positive definite, a rate at which descent
    diverges, or steps that are not whole; CertificateError where the end misses a label by 1e-10.

    >>> run = linear_descent(np.diag([1.0, 2.0]), np.array([1.0, 1.0]), np.array([[1.0, 0.0]]), 0.5, [0, 1, 2])
    >>> run.fitted
    array([[0.  , 0.  ],
           [0.5 , 1.  ],
           [0.75, 1.  ]])
    """
    y = columns("y", y)
    n = len(y)
    k = array("kernel", kernel, 2, (n, n))  # mutant(2): what is refused; held by test_linear_descent
    across = array("cross", cross, 2, (None, n))  # mutant(2): what is refused; held by test_linear_descent
    times = array("steps", steps, 1)
    # mutant(0): what is refused; held by test_linear_descent
    if np.any(bad := (times < 0) | (times != np.floor(times))):  # 1 − ηλ may be negative: it has no other powers
        raise ValueError(f"steps holds {times[bad][0]:g}; it must hold whole numbers of at least 0")
    end = kernel_regression(k, y, across)
    spectrum, vectors = np.linalg.eigh(k)
    # mutant(0; 2; /): what is refused; held by test_linear_descent
    number("rate", rate, above=0, below=2 / float(spectrum.max()))
    left = (1 - rate * spectrum) ** times[:, None]  # of each eigenvector's share of the labels
    if y.ndim == 1:
        shares = (1 - left) * (vectors.T @ y)
        return LinearDescent(shares / spectrum @ (across @ vectors).T, shares @ vectors.T, end.values, end.certificate)
    parts = (1 - left)[:, :, None] * (vectors.T @ y)
    values = (across @ vectors) @ (parts / spectrum[:, None])
    return LinearDescent(values, vectors @ parts, end.values, end.certificate)
