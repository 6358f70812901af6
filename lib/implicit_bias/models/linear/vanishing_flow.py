"""The gradient flow of a two-layer diagonal network from a start so small that only its logarithm can be held."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, kept, number

LARGEST_POWER = 100.0  # of e: only a step that the integrator will take back goes beyond


@brief()
@dataclass(frozen=True)
class VanishingFlow:
    """Gradient flow of ‖y − Xβ‖²/2n in w± with β = ½(w₊² − w₋²) = u∘v, from w± = α^p, in what it gathers: n numbers.

    dμ/dt = y − Xβ,  s = Xᵀμ/n,  β_j = ½(e^{2Λ(s_j − p₊_j)} − e^{−2Λ(s_j + p₋_j)}),  Λ = ln(1/α)

    Exact for any data and any start. t is the time of the flow over Λ, and α enters through Λ alone. With p = 1 it is
    the flow of ``DualFlow`` from ``DiagonalNetwork(√2 α, 0, 0, 0)`` in another unit of time.

    x: X, n × d.
    y: n labels.
    length: Λ > 0.
    thresholds: p, 2 × d positive numbers, of w₊ and of w₋; None: 1. A start c α has p = 1 − ln c/Λ.

    Raises ValueError for arrays that do not fit together and arguments outside their range.

    >>> flow = VanishingFlow(np.array([[1.0, 2.0]]), np.array([4.0]), length=1e4)
    >>> flow.velocity(flow.start), flow.predictor(np.array([0.5]))
    (array([4.]), array([0. , 0.5]))
    """

    x: Array
    y: Array
    length: float
    thresholds: Array | None = None

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        n, d = kept(self, "x", 2).shape
        kept(self, "y", 1, (n,))
        object.__setattr__(self, "length", number("length", self.length, above=0))
        p = np.ones((2, d)) if self.thresholds is None else array("thresholds", self.thresholds, 2, (2, d))
        number("thresholds", float(p.min()), above=0)
        object.__setattr__(self, "thresholds", p)

    @property
    def start(self) -> Array:
        """μ = 0, n entries."""
        return np.zeros(self.y.size)

    def gathered(self, state: Array) -> Array:
        """s, … × d, at states μ (… × n)."""
        return np.asarray(state @ self.x / self.y.size)

    def _parts(self, state: Array) -> tuple[Array, Array]:
        """½w₊² and ½w₋², … × d each."""
        s, (plus, minus) = self.gathered(state), np.asarray(self.thresholds)
        powers = np.stack([s - plus, -s - minus])
        both = np.exp(np.minimum(2 * self.length * powers, LARGEST_POWER)) / 2
        return both[0], both[1]

    def predictor(self, state: Array) -> Array:
        """β, … × d, at states μ (… × n)."""
        plus, minus = self._parts(state)
        return np.asarray(plus - minus)

    def velocity(self, state: Array) -> Array:
        """dμ/dt = y − Xβ, n entries."""
        return np.asarray(self.y - self.x @ self.predictor(state))

    def misfit(self, state: Array) -> float:
        """‖y − Xβ‖."""
        return float(np.linalg.norm(self.velocity(state)))

    def jacobian(self, state: Array) -> Array:
        """∂(dμ/dt)/∂μ, n × n, negative semidefinite."""
        plus, minus = self._parts(state)
        return np.asarray(-(self.x * (2 * self.length / self.y.size * (plus + minus))) @ self.x.T)
