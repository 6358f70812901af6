"""How far the largest margin on random features is from that of their kernel, and its classifier, place by place."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicit_bias.checks import Array, array, in_range, instance, memory, whole
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin.kernel import kernel_margin

SQUARE, FOURTH = 3.0, 15.0  # E‖θ‖² and E‖θ‖⁴ for θ ~ N(0, I) in three dimensions
COARSE, FINE = 64, 400  # heights of the quadrature on the sphere, for many places and for one number
MISSED = 1e-3  # what the quadrature may miss of a mean that is known
PIVOTS = 10000  # most of them; from the support of the kernel's classifier it takes a few
FEASIBLE = 1e-9  # of a multiplier, in shares of the largest, and of a margin, in shares of 1


@in_range
def margin_deviation(x: ArrayLike, y: ArrayLike) -> float:
    """The constant of the central limit theorem for the margin of m random ReLU features.

    √m (γ₂^{(m)}/γ₂ − 1) → N(0, s²),  s² = (E g(θ)⁴/γ₂⁴ − 1)/4,  g(θ) = Σ_i p_i y_i (θ·x_i)₊,  θ ~ N(0, I)

    with the weights p of the dual optimum, for which E g² = γ₂²: (γ₂^{(m)})² is the least value of a quadratic form in
    p whose matrix is a mean over θ, and the envelope theorem leaves the fluctuation of that matrix at p.

    x: n × 3, the points with their constant coordinate; the mean over the sphere is by quadrature.
    y: n labels ±1.

    Returns s, to a relative error of about 1e-5: an integral, no optimum; that E g² = γ₂² is no proof of it.
    Raises ValueError for another dimension, CertificateError as ``kernel_margin`` or where the quadrature fails.

    >>> x = np.array([[-1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
    >>> round(margin_deviation(x, np.array([1.0, -1.0, 1.0])), 3)
    0.884
    """
    x = array("x", x, 2, (None, 3))
    machine = kernel_margin(relu_kernel(x, x), y)
    push = machine.margin**2 * machine.alpha * array("y", y, 1, x.shape[:1])
    second = fourth = 0.0
    for u, weight in _sphere(FINE):
        g = np.maximum(u @ x.T, 0) @ push
        second += weight * SQUARE * float(np.mean(g**2))
        fourth += weight * FOURTH * float(np.mean(g**4))
    _check(second, machine.margin**2)
    return float(np.sqrt(fourth / machine.margin**4 - 1) / 2)


@in_range
def classifier_deviation(x: ArrayLike, y: ArrayLike, at: ArrayLike) -> Array:
    """The standard deviation, times √m, of the hard-margin classifier of m random ReLU features.

    √m (f_m(x) − f(x)) → N(0, σ²(x)),  σ²(x) = E[g(θ)² r_x(θ)²],  θ ~ N(0, I)
    g(θ) = Σ_i α_i y_i (θ·x_i)₊,  r_x(θ) = (θ·x)₊ − Σ_{i∈S} c_i (θ·x_i)₊,  c = K_SS⁻¹ k(x_S, x)

    f = Σ α_i y_i k(x_i, ·) has y_i f(x_i) = 1 on its support S, and f_m is 1 there too, with the features' own Gram
    matrix: f_m(x) = k_m(x, x_S) K_m,SS⁻¹ y_S. Its derivative in K_m along one neuron θ is g(θ) r_x(θ).

    x: n × 3, the points with their constant coordinate.
    y: n labels ±1.
    at: k × 3, the places.

    Returns σ, k numbers, to a relative error of about 1e-3: that E g² = 1/γ₂² is no proof of it.
    Raises ValueError for another dimension, CertificateError as ``kernel_margin`` or where the quadrature fails.

    >>> x = np.array([[-1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
    >>> classifier_deviation(x, np.array([1.0, -1.0, 1.0]), x).round(6) + 0.0
    array([0., 0., 0.])
    """
    x = array("x", x, 2, (None, 3))
    y = array("y", y, 1, x.shape[:1])
    at = array("at", at, 2, (None, 3))
    machine = kernel_margin(relu_kernel(x, x), y)
    held = x[machine.support]
    charges = (machine.alpha * y)[machine.support]
    shares = np.linalg.solve(relu_kernel(held, held), relu_kernel(held, at))
    second, square = 0.0, np.zeros(len(at))
    for u, weight in _sphere(COARSE):
        responses = np.maximum(u @ held.T, 0)
        g = responses @ charges
        second += weight * SQUARE * float(np.mean(g**2))
        across = np.maximum(u @ at.T, 0) - responses @ shares
        square += weight * FOURTH * np.mean((g[:, None] * across) ** 2, axis=0)
    _check(second, machine.margin**-2)
    return np.sqrt(square)


@in_range
def classifier_draws(
    x: ArrayLike, y: ArrayLike, at: ArrayLike, m: int, draws: int, generator: np.random.Generator
) -> tuple[Array, Array]:
    """Draws of what the hard-margin classifier of m random ReLU features is off by, times √m, without the features.

    f_m = f' + G/√m + O(1/m),  f' = argmin ‖f'‖_k subject to y_i f'(x_i) ≥ 1 − y_i G(x_i)/√m
    G Gaussian with mean 0 and the covariance E[g(θ)² (θ·x)₊ (θ·x')₊] − f(x) f(x'),  g as in ``classifier_deviation``

    The dual of f_m is the quadratic program of the matrix y_i y_k k_m(x_i, x_k). k_m − k, applied to the multipliers
    of f, is G/√m; applied to what they change by it, of the order 1/m. While the support is that of f,
    √m(f_m − f) = G(x) − k(x, x_S) K_SS⁻¹ G(x_S), of the variance σ²(x). Where a multiplier or a slack of f is of the
    order 1/√m, the support changes, and the law is another one.

    x: n × 3, the points with their constant coordinate.
    y: n labels ±1.
    at: k × 3, the places.
    m: features.
    draws: how many.
    generator: of the draws of G.

    Returns two arrays of draws × k numbers √m(f_m − f), of the same draws of G: with inequalities, so that the support
    may change, and with the equations on the support of f.
    Raises ValueError for another dimension, CertificateError as ``kernel_margin``, where the quadrature fails or the
    pivots do not end.

    >>> x, y = np.array([[-1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0]]), np.array([1.0, -1.0, 1.0])
    >>> place = np.array([[0.0, 0.0, 1.0]])
    >>> drawn, _ = classifier_draws(x, y, place, 10_000, 2_000, np.random.default_rng(0))
    >>> drawn.shape, bool(abs(drawn.std() / classifier_deviation(x, y, place)[0] - 1) < 0.1)
    ((2000, 1), True)
    """
    instance("generator", generator, np.random.Generator)
    x = array("x", x, 2, (None, 3))
    y = array("y", y, 1, x.shape[:1])
    at = array("at", at, 2, (None, 3))
    m, draws = whole("m", m, least=1), whole("draws", draws, least=1)
    memory("draws", draws, 8 * draws * (len(x) + 3 * len(at)))
    places = np.concatenate([x, at])
    machine = kernel_margin(relu_kernel(x, x), y)
    held, charges = x[machine.support], (machine.alpha * y)[machine.support]
    second, moment = 0.0, np.zeros((len(places), len(places)))
    for u, weight in _sphere(COARSE):
        g = np.maximum(u @ held.T, 0) @ charges
        second += weight * SQUARE * float(np.mean(g**2))
        responses = g[:, None] * np.maximum(u @ places.T, 0)
        moment += weight * FOURTH / len(u) * (responses.T @ responses)
    _check(second, machine.margin**-2)
    f = relu_kernel(places, held) @ charges
    values, modes = np.linalg.eigh(moment - np.outer(f, f))
    root = modes * np.sqrt(np.maximum(values, 0))
    process = generator.standard_normal((draws, len(places))) @ root.T / np.sqrt(m)
    on, off = process[:, : len(x)], process[:, len(x) :]
    signed, across = relu_kernel(x, x) * np.outer(y, y), relu_kernel(x, at)
    alphas = np.array([_pivoted(signed, 1 - y * one, machine.support) for one in on])
    shares = np.linalg.solve(relu_kernel(held, held), across[machine.support])
    changed = alphas @ (y[:, None] * across) + off - f[len(x) :]
    return np.sqrt(m) * changed, np.sqrt(m) * (off - on[:, machine.support] @ shares)


def _sphere(heights: int) -> Iterator[tuple[Array, float]]:
    """Directions of a quadrature on the sphere, ring by ring, with the weight of a ring's mean."""
    height, weight = np.polynomial.legendre.leggauss(heights)
    angle = 2 * np.pi * (np.arange(2 * heights) + 0.5) / (2 * heights)
    for h, r, w in zip(height, np.sqrt(1 - height**2), weight / 2, strict=True):
        yield np.column_stack([r * np.cos(angle), r * np.sin(angle), np.full(angle.size, h)]), float(w)


def _check(second: float, known: float) -> None:
    """Refuse a quadrature that misses E g²."""
    if abs(second / known - 1) > MISSED:
        raise CertificateError(f"the quadrature gives E g² = {second:.6g}; it must be {known:.6g}")


def _pivoted(matrix: Array, bounds: Array, start: NDArray[np.intp]) -> Array:
    """argmin ½α·Qα − c·α over α ≥ 0 by principal pivots: the first entry that is infeasible changes its side.

    Q α − c ≥ 0 where α = 0, and 0 where α > 0

    matrix: Q, n × n, positive definite: the pivots end, whatever the start.
    bounds: c, n numbers.
    start: the entries that are positive at first.

    Reference: Murty 1974, for the rule of the least index.
    """
    positive = np.zeros(len(bounds), dtype=bool)
    positive[start] = True
    for _ in range(PIVOTS):
        on = np.flatnonzero(positive)
        alpha = np.zeros(len(bounds))
        alpha[on] = np.linalg.solve(matrix[np.ix_(on, on)], bounds[on])
        size = float(np.abs(alpha).max())
        wrong = np.where(positive, alpha < -FEASIBLE * size, matrix @ alpha - bounds < -FEASIBLE)
        if not wrong.any():
            return alpha
        first = int(np.argmax(wrong))
        positive[first] = not positive[first]
    raise CertificateError(f"the support of a random classifier was not found in {PIVOTS} pivots")
