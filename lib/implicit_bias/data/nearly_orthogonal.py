"""Nearly orthogonal sets, drawn by their Gram matrix: it alone decides what a two-layer network learns from them."""

import numpy as np

from implicit_bias.checks import instance, memory, number, whole
from implicit_bias.data.separable import Classification

LARGEST_RATIO = 1e100  # its square is a number, with room for the eigenvalues


def nearly_orthogonal(
    generator: np.random.Generator,
    n: int = 20,
    d: int = 50,
    *,
    ratio: float = 1.2,
    correlation: float = 1e-3,
    positives: int | None = None,
) -> Classification:
    """Draw a set whose norms and largest inner product are prescribed, whatever the dimension.

    ⟨x_i, x_k⟩ = G_ik,  G = diag(r_i²) + p S,  X = [L, 0] O,  L Lᵀ = G

    r_i is uniform on [1, R], with 1 and R among them; S is symmetric with zero diagonal and entries uniform on [−1, 1],
    scaled to max |S_ik| = 1; O is a random rotation of ℝ^d.

    generator: the stream of the data.
    n: number of samples, at least 2.
    d: dimension, at least n.
    ratio: R = max ‖x_i‖ / min ‖x_i‖ ≥ 1; the least norm is 1.
    correlation: p = max |⟨x_i, x_k⟩| over i ≠ k, at least 0.
    positives: number of labels +1, at random places; n // 2 by default.

    Returns the labelled set.
    Raises ValueError for an argument outside its range, and if no points have such a Gram matrix: G must be positive
    definite, as it is whenever (n − 1)p < 1.

    >>> points = nearly_orthogonal(np.random.default_rng(0), n=4, d=12, ratio=1.2, correlation=1e-3)
    >>> gram = points.x @ points.x.T
    >>> round(float(np.max(np.abs(gram - np.diag(np.diag(gram))))), 12)
    0.001
    """
    instance("generator", generator, np.random.Generator)
    n = whole("n", n, least=2)
    d = whole("d", d, least=n)
    ratio = number("ratio", ratio, least=1, most=LARGEST_RATIO)
    correlation = number("correlation", correlation, least=0, most=LARGEST_RATIO)
    positives = whole("positives", n // 2 if positives is None else positives, least=0, most=n)
    memory("n × d", n * d, 8 * 4 * n * d)
    radius = generator.uniform(1, ratio, n)
    radius[generator.choice(n, 2, replace=False)] = 1, ratio
    s = np.triu(generator.uniform(-1, 1, (n, n)), 1)
    s += s.T
    gram = np.diag(radius**2) + correlation * s / np.abs(s).max()
    least = float(np.linalg.eigvalsh(gram)[0])
    if least <= 0:
        raise ValueError(
            f"correlation is {correlation:g}; no {n} points of norms in [1, {ratio:g}] have the drawn inner products: "
            f"the least eigenvalue of their Gram matrix is {least:.2g}; below {1 / (n - 1):.2g} such points exist"
        )
    rotation = np.linalg.qr(generator.standard_normal((d, n)))[0].T
    y = np.where(np.arange(n) < positives, 1.0, -1.0)
    return Classification(x=np.linalg.cholesky(gram) @ rotation, y=generator.permutation(y))
