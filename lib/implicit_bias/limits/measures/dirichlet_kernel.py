"""The Dirichlet kernel of the torus and its derivatives: the inner product of two Fourier feature maps."""

import numpy as np

from implicit_bias.checks import Array, array, memory, whole


def kernel(x: Array, y: Array, cutoff: int) -> tuple[Array, Array, Array]:
    """K(x−y) = Π_j Σ_{|k|≤K} cos k(x_j − y_j), with its gradient and Hessian in x.

    x: n × d.
    y: l × d.
    cutoff: K.

    Returns n × l values, n × l × d first and n × l × d × d second derivatives.
    """
    x = array("x", x, 2)
    y = array("y", y, 2, (None, x.shape[1]))
    cutoff = whole("cutoff", cutoff, least=0)
    memory("cutoff", cutoff, 8 * 3 * x.size * len(y) * cutoff)
    apart = x[:, None] - y[None]
    k = np.arange(1, cutoff + 1)
    angle = apart[..., None] * k
    cosine, sine = np.cos(angle), np.sin(angle)
    value = 1 + 2 * cosine.sum(axis=-1)
    first = -2 * (k * sine).sum(axis=-1)
    second = -2 * (k**2 * cosine).sum(axis=-1)
    n, l, d = apart.shape
    gradient, hessian = np.empty((n, l, d)), np.empty((n, l, d, d))
    for i in range(d):
        factors = value.copy()
        factors[..., i] = first[..., i]
        gradient[..., i] = factors.prod(axis=-1)
        for j in range(d):
            factors = value.copy()
            factors[..., i] = first[..., i]
            factors[..., j] = first[..., j]
            if i == j:
                factors[..., i] = second[..., i]
            hessian[..., i, j] = factors.prod(axis=-1)
    return np.asarray(value.prod(axis=-1)), gradient, hessian
