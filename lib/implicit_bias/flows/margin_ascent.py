"""Gradient ascent of the smooth margin over fixed features, in logarithms: the weights grow like e^{c√t}."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, kept, number

LARGEST = 700.0  # ln β is cut here for the softmin alone: e^700 differences of 1e-300 are seen, smaller ones are none


class AscentState(NamedTuple):
    """Where K networks stand after t steps: direction, its inner coordinate, ln β, margins, the least and the best.

    t: number of steps.
    inner: ln ā, or b̄, K × m.
    direction: ā, K × m.
    log_beta: ln β, K numbers.
    margins: of the points, K × n.
    least, best: the least margin now and the largest so far, K numbers each.
    evaluations: number of gradients.
    """

    t: float
    inner: Array  # ln ā, or b̄
    direction: Array
    log_beta: Array
    margins: Array
    least: Array
    best: Array
    evaluations: int

    @property
    def theta(self) -> Array:
        """What is recorded: ā, ln β and the best margin, one after the other."""
        return np.concatenate((self.direction.ravel(), self.log_beta, self.best))

    def at(self, t: float) -> Array:
        """The same; time counts steps and there is nothing between two of them."""
        return self.theta


@dataclass(frozen=True)
class _FixedFeatures:
    """What both have: K sets of n points with m features, trained side by side.

    z: K × n × m.
    scale: factor of the steps.
    power: exponent of t + 1 in the steps.
    """

    z: Array
    scale: float
    power: float = -0.5
    _moved: Array = field(init=False, repr=False)
    _sizes: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse features of another shape, sets without any, and steps that are not positive."""
        z = kept(self, "z", 3)
        number("scale", self.scale, above=0)
        number("power", self.power)
        sizes = np.abs(z).max(axis=(1, 2))
        number("the least of the sets' largest features", float(sizes.min()), above=0)
        object.__setattr__(self, "_moved", np.ascontiguousarray(z.transpose(0, 2, 1)))
        object.__setattr__(self, "_sizes", sizes[:, None])

    def read(self, theta: Array) -> tuple[Array, Array, Array]:
        """Directions … × K × m, ln β … × K and best margins … × K from what was recorded.

        theta: … × K(m + 2).
        """
        count, _, m = self.z.shape
        theta = array("theta", theta, None)
        # mutant(-): the same for a table of records; held by test_margin_ascent
        if theta.shape[-1:] != (count * (m + 2),):
            raise ValueError(f"theta has shape {theta.shape}; its last axis must have {count * (m + 2)} entries")
        first, then = count * m, count * (m + 1)
        # mutant(-): the same for a table of records; held by test_margin_ascent
        return theta[..., :first].reshape(*theta.shape[:-1], count, m), theta[..., first:then], theta[..., then:]

    def _gradient(self, state: AscentState) -> Array:
        """G = Zᵀp with p the softmin of the margins of a = βā; K × m."""
        above = state.least[:, None] - state.margins
        p = np.exp(np.exp(np.minimum(state.log_beta, LARGEST))[:, None] * above)
        p /= np.add.reduce(p, axis=1)[:, None]
        return np.asarray((self._moved @ p[:, :, None])[:, :, 0])

    def _step_size(self, state: AscentState) -> Any:
        """scale·(t+1)^power/G, one for each set."""
        return self.scale * (state.t + 1) ** self.power / self._sizes

    def _start(self, theta: Array) -> Array:
        """R(0), K × m."""
        count, _, m = self.z.shape
        return array("theta", theta, 1, (count * m,)).reshape(count, m)

    def _state(
        self, before: AscentState | None, inner: Array, direction: Array, coordinates: Array, log_beta: Array
    ) -> AscentState:
        margins = (self.z @ coordinates[:, :, None])[:, :, 0]
        least = np.minimum.reduce(margins, axis=1)  # ufuncs: on so few numbers the methods take twice as long
        if before is None:
            # mutant(0): the count of evaluations; held by test_margin_ascent
            return AscentState(0.0, inner, direction, log_beta, margins, least, least, 0)
        best = np.maximum(before.best, least)
        # mutant(1): the count of evaluations; held by test_margin_ascent
        return AscentState(before.t + 1, inner, direction, log_beta, margins, least, best, before.evaluations + 1)


@brief()
@dataclass(frozen=True)
class MultiplicativeAscent(_FixedFeatures):
    """Ascent in r of the smooth margin of f = (1/m) Σ_j r_j² φ(θ_j, ·): with a_j = r_j²/m, multiplicative weights.

    a_j ← a_j (1 + 2ηg_j)²,  g = Zᵀp,  p = softmin(Za),  η = scale·(t+1)^power/G,  G = max |z|

    z: K × n × m, the signed features of K networks that are trained side by side.
    scale: 1/16 in the theorem.
    power: −1/2 in the theorem.

    It starts at r(0), K·m numbers, and records ā = a/β (K·m), ln β = ln ‖a‖₁ (K) and max_{s≤t} min_i z_i·ā(s) (K).
    Time counts steps.
    Raises ValueError for features that are not K × n × m, a set of zeros alone, and a start of which a set is zero.
    Reference: Chizat & Bach 2020, Section 4.

    >>> from implicit_bias.flows import drive
    >>> ascent = MultiplicativeAscent(np.array([[[1.0, 0.0], [0.0, 1.0]]]))
    >>> run = drive(ascent, np.ones(2), t_end=200)
    >>> run.final[:2].round(6), bool(run.final[-1] <= 0.5)
    (array([0.5, 0.5]), True)
    """

    scale: float = 1 / 16

    def init(self, theta: Array) -> AscentState:
        """The state at r(0)."""
        squares = self._start(theta) ** 2
        total = squares.sum(axis=1)
        number("the least sum of squares of a start", float(total.min()), above=0)
        with np.errstate(divide="ignore"):  # a feature of weight 0 keeps it
            inner = np.log(squares / total[:, None])
        direction = np.exp(inner)
        return self._state(None, inner, direction, direction, np.log(total / squares.shape[1]))

    def step(self, state: AscentState) -> AscentState:
        """One step."""
        factor = 1 + 2 * self._step_size(state) * self._gradient(state)
        inner = state.inner + np.log(factor * factor)
        direction = np.exp(inner)
        total = np.add.reduce(direction, axis=1)
        direction /= total[:, None]
        grown = np.log(total)
        return self._state(state, inner - grown[:, None], direction, direction, state.log_beta + grown)


@brief()
@dataclass(frozen=True)
class ProjectedAscent(_FixedFeatures):
    """Ascent in r of the smooth margin of f = (1/m) Σ_j r_j φ(θ_j, ·): with b = r/√m, projected on the unit ball.

    b̄ ← Proj(b̄ + (η/β) Zᵀp/√m),  p = softmin(Za),  η = β·scale·(t+1)^power/G,  β(t) = max{1, max_{s≤t} ‖b(s)‖₂}

    z: K × n × m, the signed features of K networks that are trained side by side.
    scale: √2 in the theorem.
    power: −1/2 in the theorem.

    It starts at r(0), K·m numbers, and records b̄ = b/β = √m ā (K·m), ln β (K) and max_{s≤t} min_i z_i·ā(s) (K).
    Time counts steps.
    Raises ValueError for features that are not K × n × m, and a set of zeros alone.
    Reference: Chizat & Bach 2020, Section 5.

    >>> from implicit_bias.flows import drive
    >>> ascent = ProjectedAscent(np.array([[[1.0, 0.0], [0.0, 1.0]]]))
    >>> run = drive(ascent, np.zeros(2), t_end=200)
    >>> bool(np.isclose(run.final[0], run.final[1]))
    True
    """

    scale: float = float(np.sqrt(2))

    def init(self, theta: Array) -> AscentState:
        """The state at r(0)."""
        start = self._start(theta)
        b = start / np.sqrt(start.shape[1])
        beta = np.maximum(1.0, np.sqrt((b * b).sum(axis=1)))
        b = b / beta[:, None]
        return self._state(None, b, b, b / np.sqrt(start.shape[1]), np.log(beta))

    def step(self, state: AscentState) -> AscentState:
        """One step."""
        root = np.sqrt(self.z.shape[2])
        b = state.inner + self._step_size(state) * self._gradient(state) / root
        beta = np.maximum(1.0, np.sqrt(np.add.reduce(b * b, axis=1)))
        b /= beta[:, None]
        return self._state(state, b, b, b / root, state.log_beta + np.log(beta))
