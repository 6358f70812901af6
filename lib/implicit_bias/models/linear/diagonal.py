"""The diagonal linear network with untied weights, w = u₊∘v₊ − u₋∘v₋."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, kept, memory, number, whole


@brief()
@dataclass(frozen=True)
class DiagonalNetwork:
    """A diagonal network at its initialization; parameters θ = (u₊, v₊, u₋, v₋) are stacked in one vector of 4d.

    u_plus, v_plus, u_minus, v_minus: d entries each.

    >>> net = DiagonalNetwork.unbiased(2, scale=0.1, shape=0.0)
    >>> net.predictor(net.start), net.k.round(12)
    (array([0., 0.]), array([0.16, 0.16]))
    """

    u_plus: Array
    v_plus: Array
    u_minus: Array
    v_minus: Array

    def __post_init__(self) -> None:
        """Refuse vectors of different lengths."""
        d = kept(self, "u_plus", 1).size
        for name in ("v_plus", "u_minus", "v_minus"):
            kept(self, name, 1, (d,))

    @classmethod
    def unbiased(cls, d: int, scale: float, shape: float) -> "DiagonalNetwork":
        """The initialization u₊ = u₋ = u, v₊ = v₋ = v with |u||v| = α and (|v| − |u|)/(|v| + |u|) = s: it predicts 0.

        u = √(α(1−s)/(1+s)),  v = √(α(1+s)/(1−s)),  √k = 2(u² + v²) = 4α(1+s²)/(1−s²)

        d: dimension.
        scale: α > 0.
        shape: s in (−1, 1).

        Reference: Azulay et al. 2021, Section 7.1.
        """
        d = whole("d", d, least=1)  # mutant(1): the guard of an argument
        memory("d", d, 8 * 4 * d)
        scale = number("scale", scale, above=0)
        shape = number("shape", shape, above=-1, below=1)  # mutant(1): the guard of an argument
        u = np.full(d, np.sqrt(scale * (1 - shape) / (1 + shape)))  # mutant(1): the guard of an argument
        v = np.full(d, np.sqrt(scale * (1 + shape) / (1 - shape)))  # mutant(1): the guard of an argument
        return cls(u, v, u, v)  # mutant in scale_and_shape: u₊ and v₊ exchanged: the same flow of w, the same k

    @property
    def start(self) -> Array:
        """The initial θ, of 4d entries."""
        return np.concatenate([self.u_plus, self.v_plus, self.u_minus, self.v_minus])

    def predictor(self, theta: Array) -> Array:
        """The linear predictor w = u₊∘v₊ − u₋∘v₋, of d entries, from θ (… × 4d)."""
        factors = theta.reshape(*theta.shape[:-1], 4, -1)  # mutant(1): NumPy finds this size by itself
        return np.asarray(factors[..., 0, :] * factors[..., 1, :] - factors[..., 2, :] * factors[..., 3, :])

    def brackets(self, theta: Array) -> Array:
        """The four brackets of k, which gradient flow keeps, coordinate by coordinate: 4 × d.

        u₊² − v₊²,  u₋² − v₋²,  u₊u₋ + v₊v₋,  u₊v₋ + v₊u₋

        Reference: Azulay et al. 2021, Appendix A (their sum with weights is k).
        """
        u_plus, v_plus, u_minus, v_minus = theta.reshape(4, -1)  # mutant(1): NumPy finds this size by itself
        return np.stack(
            [
                u_plus**2 - v_plus**2,
                u_minus**2 - v_minus**2,
                u_plus * u_minus + v_plus * v_minus,
                u_plus * v_minus + v_plus * u_minus,
            ]
        )

    @cached_property
    def k(self) -> Array:
        """The d numbers k = (u₊²−v₊²)² + (u₋²−v₋²)² + 2(u₊u₋+v₊v₋)² + 2(u₊v₋+v₊u₋)², a function of conserved ones."""
        first, second, third, fourth = self.brackets(self.start)
        return np.asarray(first**2 + second**2 + 2 * third**2 + 2 * fourth**2)

    @cached_property
    def _exponents(self) -> tuple[Array, Array]:
        """A and B of the exact solution w = A e^{2ν} − B e^{−2ν}."""
        a = ((self.u_plus + self.v_plus) ** 2 + (self.u_minus - self.v_minus) ** 2) / 4
        b = ((self.u_plus - self.v_plus) ** 2 + (self.u_minus + self.v_minus) ** 2) / 4
        return a, b

    @cached_property
    def _hyperbolic(self) -> tuple[Array, Array] | None:
        """2√(AB) and ½ ln(A/B), where both are positive."""
        a, b = self._exponents
        # mutant(0): only protects against cancellation
        return (2 * np.sqrt(a * b), np.log(a / b) / 2) if np.all(a * b > 0) else None

    def predictor_from_dual(self, x: Array, dual: Array) -> Array:
        """The predictor after gradient flow has gathered μ = ∫ r dt: exact, for any data and any time.

        w = A e^{2ν} − B e^{−2ν},  ν = Xᵀμ,  4A = (u₊+v₊)² + (u₋−v₋)²,  4B = (u₊−v₊)² + (u₋+v₋)²

        written as 2√(AB) sinh(2ν + ½ ln(A/B)) where both are positive: the difference cancels.

        x: N × d.
        dual: μ, N entries.

        Returns w, d entries.
        """
        nu = dual @ x
        if self._hyperbolic is not None:
            size, offset = self._hyperbolic
            return np.asarray(size * np.sinh(2 * nu + offset))
        a, b = self._exponents
        return np.asarray(a * np.exp(2 * nu) - b * np.exp(-2 * nu))
