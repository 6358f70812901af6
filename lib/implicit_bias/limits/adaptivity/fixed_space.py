"""Targets |a·x| of unknown direction a: what no n functions that are fixed in advance approximate on average."""

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, in_range, number, whole
from implicit_bias.kernels import relu_kernel


@in_range
def direction_covariance(x: ArrayLike, z: ArrayLike) -> Array:
    """E_a[|a·x| |a·z|] for a uniform on the unit sphere, in closed form.

    |a·x||a·z| is the sum of four products of ReLUs: 2(k(x, z) + k(x, −z)) with the ReLU kernel k of the sphere.

    x: N × d.
    z: M × d.

    Returns N × M values.

    >>> direction_covariance(np.eye(3)[:1], np.eye(3)[:2]) * 3
    array([[1.        , 0.63661977]])
    """
    x, z = array("x", x, 2), array("z", z, 2)
    return 2 * (relu_kernel(x, z, "sphere") + relu_kernel(x, -z, "sphere"))


@in_range
def fixed_space_error(x: ArrayLike, n: int) -> float:
    """The least mean square error at N points of any space of n functions, on average over the target |a·x|.

    inf_V E_a min_{f∈V} (1/N) Σ_i (f(x_i) − |a·x_i|)² = Σ_{k>n} μ_k

    with the eigenvalues μ_1 ≥ μ_2 ≥ … of the covariance over N. Whatever is linear in the labels and knows the inputs
    alone, as kernel ridge regression does, predicts within such a space.

    x: the points at which the error counts, N × d.
    n: dimension of the space, at least 0.

    Returns the bound, 0 for n ≥ N.
    Reference: Barron 1993, Theorem 6, the same argument for other targets.

    >>> x = np.eye(3)
    >>> [round(fixed_space_error(x, n), 4) for n in range(4)]
    [0.3333, 0.0808, 0.0404, 0.0]
    """
    n = whole("n", n, least=0)
    covariance = direction_covariance(x, x)
    values = np.linalg.eigvalsh(covariance)[: max(0, len(covariance) - n)]
    return float(np.sum(np.maximum(values, 0)) / len(covariance))


@in_range
def mean_ridge_error(
    x: ArrayLike, z: ArrayLike, gram: ArrayLike, cross: ArrayLike, penalty: float, noise: float = 0.0
) -> float:
    """The mean square error of kernel ridge regression at N points, on average over the target |a·x| and the noise.

    E (1/N) Σ_j (f(z_j) − |a·z_j|)²,  f = B(|a·x| + ε),  B = k(z, x)(K + nλ)⁻¹,  ε of variance σ² at each point

    x: the samples, n × d.
    z: the points at which the error counts, N × d.
    gram: K = k(x, x), n × n.
    cross: k(z, x), N × n.
    penalty: λ > 0.
    noise: σ ≥ 0.

    Returns the error.

    >>> x = np.array([[1.0, 0.0, 0.0], [0.6, 0.8, 0.0]])
    >>> gram = x @ x.T
    >>> round(mean_ridge_error(x, x, gram, gram, penalty=1e3), 4), round(1 / 3, 4)
    (0.3328, 0.3333)
    """
    x, z = array("x", x, 2), array("z", z, 2)
    gram = array("gram", gram, 2, (len(x), len(x)))
    cross = array("cross", cross, 2, (len(z), len(x)))
    shift = len(x) * number("penalty", penalty, above=0)
    noise = number("noise", noise, least=0)
    to_z = np.linalg.solve(gram + shift * np.eye(len(x)), cross.T).T
    labels = direction_covariance(x, x) + noise**2 * np.eye(len(x))
    own = np.sum(z**2, axis=1) / z.shape[1]
    mean = np.sum((to_z @ labels) * to_z, axis=1) - 2 * np.sum(to_z * direction_covariance(z, x), axis=1) + own
    return float(np.mean(mean))
