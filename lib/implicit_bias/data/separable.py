"""Linearly separable sets whose maximum-margin direction is known by construction."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, instance, kept, memory, number, whole

# Mean excess of the other points' s_i over 2 slack: wide, so that least squares is far from the maximum margin.
SPREAD = 2.0


@brief()
@dataclass(frozen=True)
class Classification:
    """Labelled points (x_i, y_i), y_i ∈ {−1, +1}.

    x: N × d, one point a row.
    y: N labels.
    direction: the maximum-margin direction, of unit norm, where the construction knows it.
    margin: the margin γ of that direction.

    >>> points = Classification(x=np.array([[1.0, 2.0], [3.0, 4.0]]), y=np.array([1.0, -1.0]))
    >>> points.signed
    array([[ 1.,  2.],
           [-3., -4.]])
    """

    x: Array
    y: Array
    direction: Array | None = None
    margin: float | None = None

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit and labels other than ±1."""
        x = kept(self, "x", 2)
        y = kept(self, "y", 1, (x.shape[0],))
        if not np.all(np.abs(y) == 1):
            raise ValueError(f"y holds {y[np.abs(y) != 1][0]:g}; every label must be -1 or 1")

    @property
    def signed(self) -> Array:
        """The signed points z_i = y_i x_i, N × d: only they matter to a linear classifier without bias."""
        return np.asarray(self.y[:, None] * self.x)


def separable(
    generator: np.random.Generator,
    n: int = 40,
    d: int = 10,
    *,
    support: int = 5,
    margin: float = 0.5,
    slack: float = 0.2,
) -> Classification:
    """Draw a separable set together with its maximum-margin direction.

    z_i = y_i x_i = γ(1 + s_i)e + v_i, v_i ⊥ e, s_i = 0 and Σ α_i v_i = 0 with all α_i > 0 on the support vectors, s_i ≥
    slack elsewhere. Then ŵ = e/γ satisfies z_i·ŵ = 1 + s_i ≥ 1 and ŵ ∝ Σ α_i z_i: it is the hard-margin solution, its
    margin is γ, and its multipliers are unique and positive.

    generator: the stream of the data.
    n: number of points N.
    d: dimension, at least 2.
    support: number of support vectors, at least 2 and at most min(n, d).
    margin: γ > 0, the distance of the support vectors from the hyperplane.
    slack: min of s_i over the other points, > 0. One of them has exactly this slack, the rest at least twice as much.

    Returns the set with its direction e and margin γ.
    Raises ValueError for an argument outside its range.

    >>> points = separable(np.random.default_rng(0), n=40, d=10, margin=0.5)
    >>> round(float(np.min(points.signed @ points.direction)), 12)
    0.5
    """
    instance("generator", generator, np.random.Generator)
    d = whole("d", d, least=2)
    n = whole("n", n, least=2)
    support = whole("support", support, least=2, most=min(n, d))
    margin = number("margin", margin, above=0)
    slack = number("slack", slack, above=0)
    memory("n × d", n * d, 8 * 5 * n * d)

    e = generator.standard_normal(d)
    e /= np.linalg.norm(e)
    v = generator.standard_normal((n, d))
    v -= np.outer(v @ e, e)
    weights = generator.uniform(0.5, 1.5, support)
    v[support - 1] = -weights[:-1] @ v[: support - 1] / weights[-1]
    s = np.zeros(n)
    s[support:] = 2 * slack + generator.exponential(SPREAD, n - support)
    if n > support:
        s[support] = slack
    z = margin * np.outer(1 + s, e) + v
    y = generator.choice([-1.0, 1.0], n)
    order = generator.permutation(n)
    return Classification(x=(y[:, None] * z)[order], y=y[order], direction=e, margin=margin)
