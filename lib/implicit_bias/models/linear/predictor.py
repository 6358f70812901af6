"""Linear predictors x ↦ w·x: on separable data under a margin loss, and under the squared loss."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, instance, kept
from implicit_bias.data import Classification
from implicit_bias.losses import MarginLoss, log_sum


@brief()
@dataclass(frozen=True)
class LinearClassifier:
    """The risk R(w) = (1/N) Σ ℓ(y_i w·x_i) of a linear classifier without bias.

    problem: the labelled points.
    loss: ℓ, a margin loss.
    w: w(0), d weights; None: 0.

    Raises ValueError for another problem or loss, and for weights that do not fit.

    >>> from implicit_bias.data import Classification
    >>> from implicit_bias.losses import Exponential
    >>> model = LinearClassifier(Classification(np.eye(2), np.array([1.0, -1.0])), Exponential())
    >>> model.margins(np.array([2.0, -3.0])), model.gradient(np.zeros(2))
    (array([2., 3.]), array([-0.5,  0.5]))
    """

    problem: Classification
    loss: MarginLoss
    w: Array | None = None

    def __post_init__(self) -> None:
        """Refuse what is no set of points or no margin loss, and weights that do not fit."""
        instance("problem", self.problem, Classification)
        instance("loss", self.loss, MarginLoss)
        if self.w is not None:
            kept(self, "w", 1, (self.problem.x.shape[1],))

    @property
    def start(self) -> Array:
        """w(0), d numbers."""
        return np.zeros(self.problem.x.shape[1]) if self.w is None else self.w

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

    def velocity(self, w: Array) -> Array:
        """−∇R(w), d entries."""
        return -self.gradient(w)

    def jacobian(self, w: Array) -> Array:
        """−∇²R(w), d × d."""
        return self.scaled_jacobian(w, 0.0)

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


@brief()
@dataclass(frozen=True)
class LinearRegressor:
    """The risk R(w) = ‖y − Xw‖²/2N of a linear predictor, or of a network whose hidden layer X does not move.

    x: X, N × d.
    y: N labels.
    w: w(0), d weights; None: 0.

    Raises ValueError for arrays that do not fit together.

    >>> model = LinearRegressor(np.array([[1.0, 2.0]]), np.array([5.0]))
    >>> model.velocity(model.start)
    array([ 5., 10.])
    """

    x: Array
    y: Array
    w: Array | None = None

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        kept(self, "y", 1, (len(kept(self, "x", 2)),))
        if self.w is not None:
            kept(self, "w", 1, (self.x.shape[1],))

    @property
    def start(self) -> Array:
        """w(0), d numbers."""
        return np.zeros(self.x.shape[1]) if self.w is None else self.w

    def residual(self, w: Array) -> Array:
        """r = y − Xw, of N entries."""
        return np.asarray(self.y - self.x @ w)

    def misfit(self, w: Array) -> float:
        """‖y − Xw‖."""
        return float(np.linalg.norm(self.residual(w)))

    def gradient(self, w: Array) -> Array:
        """∇R(w) = −Xᵀr/N, of d entries."""
        return -self.residual(w) @ self.x / self.y.size

    def velocity(self, w: Array) -> Array:
        """Ẇ of gradient flow, d entries."""
        return -self.gradient(w)

    def jacobian(self, w: Array) -> Array:
        """−XᵀX/N, d × d, whatever w is."""
        return np.asarray(-self.x.T @ self.x / self.y.size)

    def tangent_features(self, w: Array) -> Array:
        """X, the derivative of the outputs, whatever w is."""
        return self.x
