"""Linear predictors x ↦ w·x: on separable data under a margin loss, and under the squared loss."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from implicit_bias.checks import Array, kept
from implicit_bias.data import Classification
from implicit_bias.losses import MarginLoss, log_sum


@dataclass(frozen=True)
class LinearClassifier:
    """The risk R(w) = (1/N) Σ ℓ(y_i w·x_i) of a linear classifier without bias.

    problem: the labelled points.
    loss: ℓ, a margin loss.
    """

    problem: Classification
    loss: MarginLoss

    @cached_property
    def _signed(self) -> Array:
        return self.problem.signed

    @cached_property
    def _log_size(self) -> float:
        return float(np.log(self.problem.y.size))

    def margins(self, w: Array) -> Array:
        """The N margins m_i = y_i w·x_i, of w … × d: … × N."""
        return np.asarray(w @ self._signed.T)

    def log_risk(self, w: Array) -> float:
        """Ln R(w)."""
        return log_sum(self.loss.log_value(self.margins(w))) - self._log_size

    def gradient(self, w: Array) -> Array:
        """∇R(w) = (1/N) Σ ℓ′(m_i) y_i x_i, of d entries; it underflows to 0 once the margins exceed 745."""
        return -np.exp(self.loss.log_slope(self.margins(w))) @ self._signed / self.problem.y.size

    def rescaled_velocity(self, w: Array) -> Array:
        """The velocity of gradient flow in the time s with ds = R dt, in which it neither vanishes nor underflows.

        dw/ds = −∇R/R = Σ p_i y_i x_i,  p_i = −ℓ′(m_i)/Σ_k ℓ(m_k)

        w: d weights.

        Returns dw/ds, of d entries. For the exponential loss the p_i sum to 1.
        """
        m = self.margins(w)
        p = np.exp(self.loss.log_slope(m) - log_sum(self.loss.log_value(m)))
        return np.asarray(p @ self._signed)

    def scaled_velocity(self, w: Array, power: Array) -> Array:
        """−e^power ∇R(w) = (1/N) Σ −ℓ′(m_i) e^power y_i x_i, which does not underflow where the power is ln t.

        w: weights, … × d.
        power: … numbers.

        Returns … × d numbers.
        """
        logs = self.loss.log_slope(self.margins(w))
        logs += (power - self._log_size)[..., None]
        return np.asarray(np.exp(logs, out=logs) @ self._signed)

    def scaled_jacobian(self, w: Array, power: float) -> Array:
        """−e^power ∇²R(w) = −(1/N) Σ ℓ″(m_i) e^power x_i x_iᵀ.

        w: d weights.
        power: ln t for the Jacobian of dw/d ln t.

        Returns d × d numbers.
        """
        logs = self.loss.log_curvature(self.margins(w)) + (power - self._log_size)
        roots = np.exp(logs / 2)[:, None] * self._signed
        return np.asarray(-roots.T @ roots)


@dataclass(frozen=True)
class LinearRegressor:
    """The risk R(w) = 1/(2N) ‖y − Xw‖² of a linear predictor.

    x: N × d, the matrix X.
    y: N labels.
    """

    x: Array
    y: Array

    def __post_init__(self) -> None:
        """Refuse samples and labels that do not fit."""
        kept(self, "x", 2)
        kept(self, "y", 1, (len(self.x),))

    def residual(self, w: Array) -> Array:
        """r = y − Xw, of N entries."""
        return np.asarray(self.y - self.x @ w)

    def gradient(self, w: Array) -> Array:
        """∇R(w) = −Xᵀr/N, of d entries."""
        return -self.residual(w) @ self.x / self.y.size
