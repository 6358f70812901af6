"""Losses of the margin m = y f(x), in logarithms: their tails are followed far below the smallest float."""

from typing import Protocol

import numpy as np
from scipy.special import logsumexp

from implicit_bias.checks import Array


class MarginLoss(Protocol):
    """A decreasing loss ℓ(m) of the margin with an exponential tail: ℓ(m) ~ e^{−m} as m → ∞."""

    name: str

    def log_value(self, m: Array) -> Array:
        """ln ℓ(m), elementwise."""

    def log_slope(self, m: Array) -> Array:
        """ln(−ℓ′(m)), elementwise."""


class Exponential:
    """ℓ(m) = e^{−m}."""

    name = "exponential"

    def log_value(self, m: Array) -> Array:
        """Ln ℓ(m) = −m."""
        return -m

    def log_slope(self, m: Array) -> Array:
        """ln(−ℓ′(m)) = −m."""
        return -m


class Logistic:
    """ℓ(m) = ln(1 + e^{−m})."""

    name = "logistic"

    def log_value(self, m: Array) -> Array:
        """Ln ln(1 + e^{−m}); beyond m = 37 it is −m to the last bit."""
        tail = m > 37
        return np.asarray(np.where(tail, -m, np.log(np.logaddexp(0, -np.where(tail, 0, m)))))

    def log_slope(self, m: Array) -> Array:
        """ln(−ℓ′(m)) = −ln(1 + e^m)."""
        return -np.logaddexp(0, m)


LOSSES: dict[str, MarginLoss] = {"exponential": Exponential(), "logistic": Logistic()}


def margin_loss(name: str) -> MarginLoss:
    """The margin loss of this name; ValueError if there is none."""
    if name not in LOSSES:
        raise ValueError(f"loss is {name!r}; it must be one of {', '.join(LOSSES)}")
    return LOSSES[name]


def smooth_margin(m: Array, beta: float) -> float:
    """The soft minimum F_β of N margins, min m ≤ F_β ≤ min m + ln N/β.

    F_β = −(1/β) ln((1/N) Σ_i e^{−β m_i})

    m: N margins.
    beta: β > 0.

    Returns F_β.
    """
    return float(-(logsumexp(-beta * m) - np.log(m.size)) / beta)


def smooth_margin_weights(m: Array, beta: float) -> Array:
    """The weights ∂F_β/∂m_i = e^{−β m_i}/Σ_k e^{−β m_k}: N positive numbers of sum 1.

    m: N margins.
    beta: β > 0.
    """
    return np.asarray(np.exp(-beta * m - logsumexp(-beta * m)))
