"""How far the margin is from its maximum after t steps: bounds from the data alone, for fixed features."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, memory, number, whole
from implicit_bias.limits.margin.linear import max_margin
from implicit_bias.limits.margin.simplex import SimplexMargin, simplex_margin

COMPARED = 21  # combinations between the uniform one and a*, for the growth of β
NUMBERS = 400  # bytes that one step takes


@brief()
@dataclass(frozen=True)
class MultiplicativeRate:
    """Bounds for f = (1/m) Σ_j r_j² φ(θ_j, ·), whose ascent in r with steps 1/(16G√(t+1)) finds γ₁^(m).

    gap(t) = γ₁ − max_{s<t} min_i z_i·ā(s), a_j = r_j²/m, β = ‖a‖₁, ā = a/β; G = max |z|; r_j(0)² = start for each j;
    A_t = Σ_{k≤t} 1/√k, H_t = Σ_{k≤t} 1/k.

    z: n × m, the signed features y_i φ(θ_j, x_i).
    start: β(0) > 0.

    The bounds are theorems for the γ₁ that is proved; their sums are evaluated in float64, without their own rounding,
    about 1e-16 times the number of steps.

    Reference: Chizat & Bach 2020, Section 4; the sharper constants are derived in the chapter margin_rates.

    >>> rate = MultiplicativeRate(np.array([[1.0, 0.0], [0.0, 1.0]]))
    >>> round(rate.answer.margin, 12), rate.bound(3).shape
    (0.5, (3,))
    """

    z: Array
    start: float = 1.0

    def __post_init__(self) -> None:
        """Refuse features that are no matrix or all zero, and a start that is not positive."""
        object.__setattr__(self, "z", _features(self.z))
        number("start", self.start, above=0)

    @cached_property
    def answer(self) -> SimplexMargin:
        """γ₁^(m) and a*, with their certificate."""
        return simplex_margin(self.z)

    @property
    def size(self) -> float:
        """G = max |z_ij|."""
        return float(np.abs(self.z).max())

    @property
    def divergence(self) -> float:
        """D = KL(a*‖uniform) = Σ_j a*_j ln(m a*_j), at most ln m."""
        return _divergence(self.answer.a)

    def least_log_beta(self, steps: int) -> Array:
        """ln β(s) is at least this at s = 0, …, steps: the largest of some comparisons a′.

        ln β(s) ≥ ln β(0) − KL(a′‖uniform) + min_i(z_i·a′) A_s/(4G) − H_s/32

        steps: how many.

        Returns steps + 1 numbers.
        """
        a, h = _sums(steps)
        uniform = np.full(self.z.shape[1], 1 / self.z.shape[1])
        least = np.full(steps + 1, -np.inf)
        for part in np.linspace(0, 1, COMPARED):
            other = (1 - part) * uniform + part * self.answer.a
            least = np.maximum(least, np.min(self.z @ other) / (4 * self.size) * a - _divergence(other))
        return np.asarray(np.log(self.start) + least - h / 32)

    def most_log_beta(self, steps: int) -> Array:
        """ln β(s) is at most this at s = 0, …, steps.

        ln β(s) ≤ ln β(0) + γ₁A_s/(4G) + H_s/64 + ln n B̂(s)/(4G)

        steps: how many.

        Returns steps + 1 numbers.
        """
        a, h = _sums(steps)
        # mutant(0.0): the bound before the first step; held by test_rates
        smoothing = np.log(len(self.z)) * np.append(0.0, self.smoothing(steps))
        return np.asarray(np.log(self.start) + (self.answer.margin * a + smoothing) / (4 * self.size) + h / 64)

    def smoothing(self, steps: int) -> Array:
        """B̂(t) = Σ_{s<t} 1/(β̂(s)√(s+1)) at t = 1, …, steps, with the least β: at least the run's B(t).

        steps: how many.

        Returns steps numbers.
        """
        return np.asarray(np.cumsum(np.exp(-self.least_log_beta(steps)[:-1]) / np.sqrt(np.arange(1, steps + 1))))

    def bound(self, steps: int) -> Array:
        """The gap after t = 1, …, steps steps is at most (G(4D + (3/16)H_t) + ln n B̂(t))/A_t.

        steps: how many.

        Returns steps numbers.
        """
        a, h = _sums(steps)
        entropy = self.size * (4 * self.divergence + 3 * h[1:] / 16)
        return np.asarray((entropy + np.log(len(self.z)) * self.smoothing(steps)) / a[1:])

    def paper(self, steps: int) -> Array:
        """The paper's bound, G(8 ln m + ln t + 1)/√t + 4B ln n/√t, with B̂(t) for its B.

        steps: how many.

        Returns steps numbers, for t = 1, …, steps.
        """
        n, m = self.z.shape
        t = np.arange(1, steps + 1)  # mutant(1): the least number of steps; held by test_rates
        # mutant(1): the least number of steps; held by test_rates
        entropy = self.size * (8 * np.log(m) + np.log(t) + 1)
        return np.asarray((entropy + 4 * np.log(n) * self.smoothing(steps)) / np.sqrt(t))


@brief()
@dataclass(frozen=True)
class ProjectedRate:
    """Bounds for f = (1/m) Σ_j r_j φ(θ_j, ·), whose ascent in r with steps β√2/(G√(t+1)) finds γ₂^(m).

    gap(t) = γ₂ − max_{s<t} min_i z_i·ā(s), a = r/m, β(t) = max{1, max_{s≤t} √m‖a(s)‖₂}, ā = a/β, r(0) = 0;
    γ₂^(m) = max over √m‖a‖₂ ≤ 1 of min_i z_i·a; G = max |z|; k = √2γ₂/G; A_t = Σ_{k≤t} 1/√k, H_t = Σ_{k≤t} 1/k.

    z: n × m, the signed features y_i φ(θ_j, x_i).

    As in ``MultiplicativeRate``, rounding is not in the bounds.

    Reference: Chizat & Bach 2020, Section 5; the sharper constants are derived in the chapter margin_rates.

    >>> rate = ProjectedRate(np.array([[1.0, 0.0], [0.0, 1.0]]))
    >>> round(rate.margin, 6), rate.bound(3).shape
    (0.5, (3,))
    """

    z: Array

    def __post_init__(self) -> None:
        """Refuse features that are no matrix or all zero."""
        object.__setattr__(self, "z", _features(self.z))

    @cached_property
    def margin(self) -> float:
        """γ₂^(m): the margin of the rows z_i/√m; CertificateError if it is not positive."""
        return max_margin(self.z / np.sqrt(self.z.shape[1])).margin

    @property
    def size(self) -> float:
        """G = max |z_ij|."""
        return float(np.abs(self.z).max())

    def least_log_beta(self, steps: int) -> Array:
        """ln β(s) is at least this at s = 0, …, steps, one after the other.

        β(s) ≥ max{1, k Σ_{u<s} β(u)/√(u+1)}

        steps: how many.

        Returns steps + 1 numbers.
        """
        _sums(steps)
        log_k = math.log(math.sqrt(2) * self.margin / self.size)
        least, log_sum = [0.0], 0.0
        for s in range(2, steps + 2):
            least.append(max(0.0, log_k + log_sum))
            log_sum += math.log1p(math.exp(least[-1] - log_sum) / math.sqrt(s))
        return np.array(least)

    def most_log_beta(self, steps: int) -> Array:
        """ln β(s) is at most this at s = 0, …, steps.

        ln β(s) ≤ kA_s + (√2/G) ln n Σ_{u<s} 1/(β̂(u)√(u+1)) + H_s

        steps: how many.

        Returns steps + 1 numbers.
        """
        a, h = _sums(steps)
        slack = np.cumsum(np.exp(-self.least_log_beta(steps)[:-1]) / np.sqrt(np.arange(1, steps + 1)))
        # mutant(0.0): the bound before the first step; held by test_rates
        pushed = self.margin * a + np.log(len(self.z)) * np.append(0.0, slack)
        return np.asarray(np.sqrt(2) / self.size * pushed + h)

    def bound(self, steps: int) -> Array:
        """The gap after t = 1, …, steps steps is at most ((G/√2)(√t − ½ + A_t) + ln n Σ_{s<t} 1/β̂(s))/t.

        steps: how many.

        Returns steps numbers; as A_t ≤ 2√t − 1 the first term is at most 3G/√(2t).
        """
        a, _ = _sums(steps)
        t = np.arange(1, steps + 1)
        moved = self.size / np.sqrt(2) * (np.sqrt(t) - 0.5 + a[1:])
        return np.asarray((moved + np.log(len(self.z)) * np.cumsum(np.exp(-self.least_log_beta(steps)[:-1]))) / t)

    def paper(self, steps: int) -> Array:
        """The paper's bound, (G/√t)(2√2 + √3 ln n/γ₂).

        steps: how many.

        Returns steps numbers, for t = 1, …, steps.
        """
        t = np.arange(1, whole("steps", steps, least=1) + 1)  # mutant(1): the least number of steps; held by test_rates
        return np.asarray(self.size / np.sqrt(t) * (2 * np.sqrt(2) + np.sqrt(3) * np.log(len(self.z)) / self.margin))


def _features(z: Array) -> Array:
    """The features as a matrix; ValueError if they are none or all zero."""
    z = array("z", z, 2)
    number("z, the largest modulus", float(np.abs(z).max()), above=0)
    return z


def _sums(steps: int) -> tuple[Array, Array]:
    """A_t = Σ_{k≤t} 1/√k and H_t = Σ_{k≤t} 1/k at t = 0, …, steps."""
    steps = whole("steps", steps, least=1)
    memory("steps", steps, NUMBERS * steps)
    k = np.arange(1, steps + 1)
    return np.append(0.0, np.cumsum(1 / np.sqrt(k))), np.append(0.0, np.cumsum(1 / k))


def _divergence(a: Array) -> float:
    """KL(a‖uniform) = Σ_j a_j ln(m a_j), with 0 ln 0 = 0."""
    held = a[a > 0]
    return float(held @ np.log(a.size * held))
