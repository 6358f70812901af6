"""The tangent kernel of a two-layer network between two sets of points."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, in_range, memory
from implicit_bias.models.two_layer.network import TwoLayer

AT_ONCE = 2**23  # numbers, 64 MB: a block of the answer


@in_range
def tangent_kernel(net: TwoLayer, w: ArrayLike, a: ArrayLike, x: ArrayLike, z: ArrayLike) -> Array:
    """k(x, z) = ∇f(x)·∇f(z), the gradients being those in the weights that are trained.

    k(x, z) = s² Σ_j [ a_j² σ′(w_j·x) σ′(w_j·z) x·z + σ(w_j·x) σ(w_j·z) ]

    The first term belongs to W, the second to a. No array is larger than m × n, m × N or n × N, and only the answer is
    n × N: of many points it is made in blocks. Where x and z are the same object, each product is that of a matrix with
    its own transpose, of which only one half is computed. Where all arrays are of float32 so is the answer, in half
    the time and the memory: 1e-5 of its largest entry off, which a certificate would not forgive.

    net: f.
    w: W, m × d.
    a: m numbers.
    x: n × d.
    z: N × d.

    Returns n × N values.
    Raises ValueError for arrays that do not fit, or are beyond the memory that is allowed.
    Reference: Jacot, Gabriel and Hongler 2018.

    >>> from implicit_bias.activations import LeakyReLU
    >>> tangent_kernel(TwoLayer(LeakyReLU(0.5)), np.eye(2), np.array([1.0, 1.0]), np.eye(2), np.eye(2))
    array([[2.25, 0.  ],
           [0.  , 2.25]])
    """
    symmetric, single = x is z, all(getattr(one, "dtype", None) == np.float32 for one in (w, a, x, z))
    x = array("x", x, 2)
    z = x if symmetric else array("z", z, 2, (None, x.shape[1]))
    w = array("w", w, 2, (None, x.shape[1]))
    m = len(w)
    a = array("a", a, 1, (m,))
    kind: Any = np.float32 if single else np.float64
    w, a, x, z = (one.astype(kind, copy=False) for one in (w, a, x, x if symmetric else z))
    z = x if symmetric else z
    step = 1 + AT_ONCE // max(1, len(z))
    held = m * (len(x) + (0 if symmetric else len(z)))
    memory("x", f"{len(x)} points with {len(z)}", 8 * (3 * held + len(x) * len(z) + 3 * min(step, len(x)) * len(z)))
    hidden, gate = (part.astype(kind, copy=False) for part in net.activation.with_derivative(w @ x.T))
    seen, open_ = hidden, gate
    if not symmetric:
        seen, open_ = (part.astype(kind, copy=False) for part in net.activation.with_derivative(w @ z.T))
    if net.first_moves:
        if symmetric:
            gate = open_ = a[:, None] * gate
        else:
            open_ = a[:, None] ** 2 * open_

    def block(rows: slice, columns: slice) -> Array:
        total = np.zeros((len(x[rows]), len(z[columns])), dtype=kind)
        if net.first_moves:
            total += (gate[:, rows].T @ open_[:, columns]) * (x[rows] @ z[columns].T)
        if net.output_moves:
            total += hidden[:, rows].T @ seen[:, columns]
        return np.asarray(float(net.scale(m)) ** 2 * total)

    if len(x) <= step:
        return block(slice(None), slice(None))
    kernel = np.empty((len(x), len(z)), dtype=kind)
    for begin in range(0, len(x), step):
        rows, rest = slice(begin, begin + step), slice(begin + step, None)
        if not symmetric:
            kernel[rows] = block(rows, slice(None))
            continue
        kernel[rows, rows], kernel[rows, rest] = block(rows, rows), block(rows, rest)
        kernel[rest, rows] = kernel[rows, rest].T
    return kernel
