"""The first layer's weights in the span of the samples, through inner products alone."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from implicit_bias.checks import Array, kept, number

RESIDUAL = 1e-8  # of an eigenvector, relative; its eigenvalue is then right to about the square


@dataclass(frozen=True)
class Span:
    """W = cW₀ + CX: what the coefficients C (m × n) say of W without its m·d entries.

    Only the products below cost more with d, and they are computed once.

    w: W₀, m × d.
    x: the samples X, n × d.
    factor: c.

    Raises ValueError for arrays that do not fit together and a factor that is no number.

    >>> span = Span(np.zeros((2, 3)), np.array([[1.0, 0.0, 0.0]]))
    >>> span.weights(np.array([[2.0], [3.0]]))
    array([[2., 0., 0.],
           [3., 0., 0.]])
    """

    w: Array
    x: Array
    factor: float = 1.0

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        d = kept(self, "w", 2).shape[1]  # mutant(1): the guard of an argument
        kept(self, "x", 2, (None, d))
        number("factor", self.factor)

    @cached_property
    def gram(self) -> Array:
        """XXᵀ, n × n."""
        return np.asarray(self.x @ self.x.T)

    @cached_property
    def inputs(self) -> Array:
        """The pre-activations cW₀Xᵀ at the start, m × n."""
        # mutant(self.factor): the start is not scaled; held by test_span
        return np.asarray(self.factor * (self.w @ self.x.T))

    @cached_property
    def outer(self) -> Array:
        """c²W₀W₀ᵀ, m × m, for the norms of W."""
        return np.asarray(self.factor**2 * (self.w @ self.w.T))  # mutant: the factor is 1 where the product is made

    def scaled(self, factor: float) -> "Span":
        """The same from a start times a factor; the products are taken over, not computed anew."""
        other = Span(self.w, self.x, factor * self.factor)
        vars(other).update(gram=self.gram, inputs=factor * self.inputs, outer=factor**2 * self.outer)
        return other

    def weights(self, c: Array) -> Array:
        """W, … × m × d, from C (… × m × n)."""
        # mutant(self.factor): the start is not scaled; held by test_span
        return np.asarray(self.factor * self.w + c @ self.x)

    def pre_activations(self, c: Array) -> Array:
        """WXᵀ, m × n."""
        moved = np.asarray(c @ self.gram)
        moved += self.inputs
        return moved

    def squared_norms(self, c: Array, guess: Array) -> tuple[float, float]:
        """‖W‖_F² and ‖W‖₂², from matrices of size m and n.

        c: C, m × n.
        guess: of the m entries of W's first left singular vector, up to a factor, not orthogonal to it.
        """
        half = self.inputs + c @ self.gram / 2

        def apply(v: Array) -> Array:
            """WWᵀv."""
            return np.asarray(self.outer @ v + half @ (c.T @ v) + c @ (half.T @ v))

        return float(np.trace(self.outer) + 2 * np.sum(half * c)), _top(apply, guess)

    def squared_norms_of_change(self, c: Array, guess: Array) -> tuple[float, float]:
        """‖W − cW₀‖_F² and ‖W − cW₀‖₂², where C is not 0; ``guess`` as above."""
        moved = c @ self.gram
        return float(np.sum(moved * c)), _top(lambda v: np.asarray(moved @ (c.T @ v)), guess)


def _top(apply: Callable[[Array], Array], guess: Array) -> float:
    """The largest eigenvalue of a positive semi-definite matrix, from its products with vectors like ``guess``."""
    m = guess.size
    if m == 1:  # mutant: the case of one neuron
        return float(apply(np.ones(1))[0])  # where the iteration has nothing to do, and refuses
    matrix = LinearOperator((m, m), matvec=apply, dtype=np.float64)
    top = eigsh(matrix, k=1, v0=guess, tol=RESIDUAL, return_eigenvectors=False)
    return float(top[0])  # mutant: the case of one neuron
