"""Losses of a model's outputs: the squared loss, losses of the margin m = y f(x), and their smooth margin.

The tails of margin losses are followed in logarithms, far below the smallest float.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, choice, number

Reduction = Literal["mean", "sum"]
REDUCTIONS: tuple[Reduction, ...] = ("mean", "sum")


@runtime_checkable
class Loss(Protocol):
    """A risk as a function R(f; y) of the n outputs f_i = f(x_i) and the n labels: all that a model's gradient needs.

    Whatever has these four methods is a loss; a scaled or centred one may wrap another.

    >>> loss: Loss = Squared()
    >>> f, y = np.array([3.0, 0.0]), np.array([1.0, 0.0])
    >>> loss.value(f, y), loss.slope(f, y)
    (1.0, array([1., 0.]))
    """

    def value(self, f: Array, y: Array) -> float:
        """R(f; y)."""

    def slope(self, f: Array, y: Array) -> Array:
        """∂R/∂f_i, n entries."""

    def hessian(self, f: Array, y: Array) -> Array:
        """∂²R/∂f_i∂f_k, n × n."""

    def curvature(self, f: Array, y: Array) -> float:
        """A bound on ‖∂²R/∂f²‖ at f; one over it, over the squared slope of f in the weights, is a safe step."""


def share(reduction: Reduction, n: int) -> float:  # attack: none, inner loop of flows
    """What one of n samples counts: 1/n in a mean, 1 in a sum.

    reduction: "mean" or "sum".
    n: number of samples.

    >>> share("mean", 4), share("sum", 4)
    (0.25, 1.0)
    """
    return 1 / n if reduction == "mean" else 1.0


@dataclass(frozen=True)
class Squared:
    """R = (1/2n) Σ_i (f_i − y_i)², or ½ Σ_i (f_i − y_i)² for papers that sum.

    reduction: "mean" or "sum". Gradient flow of the sum is n times as fast.

    Raises ValueError for another reduction.

    >>> f, y = np.array([1.0, 2.0]), np.array([0.0, 0.0])
    >>> Squared().value(f, y), Squared("sum").value(f, y)
    (1.25, 2.5)
    """

    reduction: Reduction = "mean"

    def __post_init__(self) -> None:
        """Refuse an unknown reduction."""
        choice("reduction", self.reduction, REDUCTIONS)

    def value(self, f: Array, y: Array) -> float:
        """‖f − y‖²/2n, or ½ ‖f − y‖²."""
        # mutant(/; 2 → 3): only ratios of losses are compared
        return share(self.reduction, y.size) * float(np.sum((f - y) ** 2) / 2)

    def slope(self, f: Array, y: Array) -> Array:
        """(f − y)/n, or f − y."""
        return share(self.reduction, y.size) * (f - y)

    def hessian(self, f: Array, y: Array) -> Array:
        """The unit matrix, over n in the mean."""
        return share(self.reduction, y.size) * np.eye(f.size)

    def curvature(self, f: Array, y: Array) -> float:
        """1/n, or 1."""
        return share(self.reduction, y.size)


class MarginLoss(ABC):
    """R = (1/n) Σ_i ℓ(y_i f_i) with a decreasing loss ℓ(m) of the margin, its tail exponential: ℓ(m) ~ e^{−m}.

    >>> loss: MarginLoss = Exponential()
    >>> loss.value(np.array([0.0, 0.0]), np.array([1.0, -1.0])), loss.log_value(np.array([1000.0]))
    (1.0, array([-1000.]))
    """

    name: str

    @abstractmethod
    def log_value(self, m: Array) -> Array:
        """ln ℓ(m), elementwise."""

    @abstractmethod
    def log_slope(self, m: Array) -> Array:
        """ln(−ℓ′(m)), elementwise."""

    @abstractmethod
    def log_curvature(self, m: Array) -> Array:
        """ln ℓ″(m), elementwise."""

    def value(self, f: Array, y: Array) -> float:
        """(1/n) Σ_i ℓ(y_i f_i)."""
        return float(np.mean(np.exp(self.log_value(y * f))))

    def slope(self, f: Array, y: Array) -> Array:
        """y_i ℓ′(y_i f_i)/n, n entries."""
        return np.asarray(-y * np.exp(self.log_slope(y * f)) / y.size)

    def hessian(self, f: Array, y: Array) -> Array:
        """diag(y_i² ℓ″(y_i f_i)/n), n × n."""
        return np.diag(y**2 * np.exp(self.log_curvature(y * f)) / y.size)

    def curvature(self, f: Array, y: Array) -> float:
        """max_i y_i² ℓ″(y_i f_i)/n, the Hessian's norm."""
        return float(np.max(y**2 * np.exp(self.log_curvature(y * f))) / y.size)


@dataclass(frozen=True)
class Exponential(MarginLoss):
    """ℓ(m) = e^{−m}.

    >>> Exponential().slope(np.array([0.0, 0.0]), np.array([1.0, -1.0])) * 2
    array([-1.,  1.])
    """

    name: str = field(default="exponential", init=False, repr=False)

    def log_value(self, m: Array) -> Array:
        """Ln ℓ(m) = −m."""
        return -m

    def log_slope(self, m: Array) -> Array:
        """ln(−ℓ′(m)) = −m."""
        return -m

    def log_curvature(self, m: Array) -> Array:
        """Ln ℓ″(m) = −m."""
        return -m


@dataclass(frozen=True)
class Logistic(MarginLoss):
    """ℓ(m) = ln(1 + e^{−m}).

    >>> round(Logistic().value(np.array([0.0]), np.array([1.0])), 6), round(float(np.log(2)), 6)
    (0.693147, 0.693147)
    """

    name: str = field(default="logistic", init=False, repr=False)

    def log_value(self, m: Array) -> Array:
        """Ln ln(1 + e^{−m}); beyond m = 37 it is −m to the last bit."""
        tail = m > 37
        return np.asarray(np.where(tail, -m, np.log(np.logaddexp(0, -np.where(tail, 0, m)))))

    def log_slope(self, m: Array) -> Array:
        """ln(−ℓ′(m)) = −ln(1 + e^m)."""
        return -np.logaddexp(0, m)

    def log_curvature(self, m: Array) -> Array:
        """Ln ℓ″(m) = −ln(1 + e^m) − ln(1 + e^{−m})."""
        return -np.logaddexp(0, m) - np.logaddexp(0, -m)


@dataclass(frozen=True)
class SmoothMargin:
    """R = ln((1/n) Σ_i ℓ(y_i f_i)), minus the smooth margin S: to descend R is to ascend S, and neither underflows.

    For the exponential loss min_i y_i f_i ≤ S ≤ min_i y_i f_i + ln n. A step along −∇R is one along −∇L/L for the
    mean loss L: gradient flow in the time τ with dτ = L dt.

    loss: ℓ.

    >>> loss = SmoothMargin()
    >>> loss.shares(np.array([1.0, -1.0]), np.array([1.0, -1.0]))
    array([0.5, 0.5])
    """

    loss: MarginLoss = field(default_factory=Exponential)

    def value(self, f: Array, y: Array) -> float:
        """ln((1/n) Σ_i ℓ(y_i f_i)) = −S."""
        return float(log_sum(self.loss.log_value(y * f)) - np.log(y.size))

    def shares(self, f: Array, y: Array) -> Array:
        """p_i = −ℓ′(y_i f_i)/Σ_k ℓ(y_k f_k), n numbers; for the exponential loss the softmin, of sum 1."""
        m = y * f
        return np.exp(self.loss.log_slope(m) - log_sum(self.loss.log_value(m)))

    def slope(self, f: Array, y: Array) -> Array:
        """−y_i p_i, n entries."""
        return -y * self.shares(f, y)

    def hessian(self, f: Array, y: Array) -> Array:
        """diag(y_i² ℓ″_i/Σ_k ℓ_k) − (y_i p_i)(y_k p_k), n × n."""
        slope = self.slope(f, y)
        return np.diag(y**2 * self._bends(y * f)) - np.outer(slope, slope)

    def curvature(self, f: Array, y: Array) -> float:
        """The larger of max_i y_i² ℓ″_i/Σ_k ℓ_k and Σ_i (y_i p_i)²; with labels ±1 at most 1."""
        return float(max(np.max(y**2 * self._bends(y * f)), np.sum(self.slope(f, y) ** 2)))

    def _bends(self, m: Array) -> Array:
        return np.exp(self.loss.log_curvature(m) - log_sum(self.loss.log_value(m)))


LOSSES: dict[str, MarginLoss] = {"exponential": Exponential(), "logistic": Logistic()}


def margin_loss(loss: str) -> MarginLoss:
    """The margin loss of this name; ValueError if there is none.

    loss: "exponential" or "logistic".

    >>> margin_loss("logistic")
    Logistic()
    """
    return LOSSES[choice("loss", loss, LOSSES)]


def smooth_margin(m: ArrayLike, beta: float) -> float:
    """The soft minimum F_β of N margins, min m ≤ F_β ≤ min m + ln N/β.

    F_β = −(1/β) ln((1/N) Σ_i e^{−β m_i})

    m: N margins.
    beta: β > 0.

    Returns F_β. It tends to the mean margin as β → 0.

    >>> smooth_margin([2.0, 2.0], beta=1.0), round(smooth_margin([2.0, 9.0], beta=100.0), 2)
    (2.0, 2.01)
    """
    m, beta = array("m", m, 1), number("beta", beta, above=0)
    least, spread = float(m.min()), float(np.ptp(m))
    if beta * spread <= np.finfo(np.float64).eps:  # F_β is the mean but for β·spread²/8
        return float(np.mean(m))
    return least - float(np.log1p(np.mean(np.expm1(-beta * (m - least))))) / beta


def smooth_margin_weights(m: ArrayLike, beta: float) -> Array:
    """The weights ∂F_β/∂m_i = e^{−β m_i}/Σ_k e^{−β m_k}: N positive numbers of sum 1.

    m: N margins.
    beta: β > 0.

    >>> smooth_margin_weights([2.0, 2.0], beta=1.0)
    array([0.5, 0.5])
    """
    m, beta = array("m", m, 1), number("beta", beta, above=0)
    below = -beta * (m - m.min())
    return np.asarray(np.exp(below - log_sum(below)))


def log_sum(logs: Array) -> float:  # attack: none, inner loop of flows
    """ln Σ e^{logs}, by hand: on a few dozen numbers SciPy's costs twenty times as much.

    logs: numbers.

    >>> round(log_sum(np.log([1.0, 2.0, 5.0])) - float(np.log(8.0)), 12)
    0.0
    """
    top = float(np.max(logs))
    return top + float(np.log(np.sum(np.exp(logs - top))))
