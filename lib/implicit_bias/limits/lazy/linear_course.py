"""The whole course of a linear model under gradient flow of the squared loss, in closed form."""

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, in_range, memory, number


@in_range
def linear_course(features: ArrayLike, y: ArrayLike, others: ArrayLike, times: ArrayLike) -> Array:
    """What a model u = Fv from v = 0 puts out elsewhere while gradient flow of ½‖Fv − y‖² trains it.

    u(t) = G V ((1 − e^{−λt})/λ) Vᵀ Fᵀ y,  FᵀF = V λ Vᵀ

    features: F, N × p.
    y: N labels, or N × q for q labellings.
    others: G, M × p, the features of other points; F itself for the outputs on the samples.
    times: k times t ≥ 0; where λt is below rounding, a direction has not moved.

    Returns k × M, or k × M × q.
    Raises ValueError for arrays that do not fit.

    >>> features, y = np.diag([1.0, 2.0]), np.array([1.0, 1.0])
    >>> linear_course(features, y, features, [0.0, 1.0, 100.0]).round(3)
    array([[0.   , 0.   ],
           [0.632, 0.982],
           [1.   , 1.   ]])
    """
    f = array("features", features, 2)
    y = array("y", y, None)
    several = y.ndim == 2
    y = array("y", y, 2 if several else 1, (len(f), None) if several else (len(f),))
    g = array("others", others, 2, (None, f.shape[1]))
    t = array("times", times, 1)
    number("times", float(t.min()), least=0)
    least = min(f.shape)
    between = least * f.shape[1] + len(t) * f.shape[1] + len(g) * (least + len(t))  # whatever the order of the products
    memory("features", f"{f.shape[0]} × {f.shape[1]}", 8 * (3 * least**2 + between))
    few = len(f) < f.shape[1]  # FFᵀ has the same positive eigenvalues as FᵀF
    values, vectors = np.linalg.eigh(f @ f.T if few else f.T @ f)
    spectrum = np.maximum(values, np.finfo(np.float64).eps * len(values) * max(values[-1], np.finfo(np.float64).tiny))
    pushed = vectors.T @ (y if few else f.T @ y)
    moved = -np.expm1(-np.outer(t, spectrum)) / spectrum
    last = [vectors.T, *([f] if few else []), g.T]
    courses = [np.linalg.multi_dot([moved * one, *last]) for one in np.atleast_2d(pushed.T)]
    return np.stack(courses, axis=-1) if several else np.asarray(courses[0])
