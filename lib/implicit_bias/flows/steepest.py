"""Steepest descent, Adam and Muon on the cross-entropy of linear classifiers, far below the smallest float.

Along them the loss falls like e^{−γ√t}. Gradients are kept in a unit of their own, e^{log_scale}, so that none is lost:
a normalized step does not see the unit, and the moments of Adam and Muon are carried from one unit to the next.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, choice, kept, number, whole
from implicit_bias.norms import MatrixNorm

ROUNDING = 1e-12  # singular values below so much of the largest are rounding
NEGLIGIBLE = -60.0  # of ln p: so small probabilities of other classes leave 1 as it is
SCHULZ = (3.4445, -4.7750, 2.0315)  # Muon's polynomial of degree five


class Memory(NamedTuple):
    """What an update remembers of K gradients: two moments in the unit e^{log_scale}, and of how many steps.

    first, second: K × k × d each.
    log_scale: K numbers.
    seen: number of gradients so far.
    """

    first: Array
    second: Array
    log_scale: Array
    seen: int


class Update(Protocol):
    """How a gradient becomes a direction: e^{log_scale} G is the gradient, and only its history is known besides."""

    def direction(self, memory: Memory, log_scale: Array, gradient: Array) -> tuple[Array, Memory]:
        """D, K × k × d, and the memory after it; the step is −η D."""


def _matrices(g: ArrayLike) -> Array:
    """Matrices, one or more."""
    found = array("g", g, None)
    if found.ndim < 2:
        raise ValueError(f"g has {found.ndim} axes; it must have 2 or more")
    return found


def polar_factor(g: ArrayLike) -> Array:
    """The polar factor U Vᵀ of G = U S Vᵀ over the singular values that are not rounding.

    g: … × k × d.

    Returns the matrices of the same shape, zero where G is zero.
    Raises ValueError for what has no two axes.

    >>> polar_factor([[3.0, 0.0], [0.0, -2.0]]) + 0.0
    array([[ 1.,  0.],
           [ 0., -1.]])
    """
    u, s, v = np.linalg.svd(_matrices(g), full_matrices=False)
    return np.asarray((u * (s > ROUNDING * s[..., :1])[..., None, :]) @ v)


def newton_schulz(g: ArrayLike, steps: int = 5) -> Array:
    """What Muon computes in place of the polar factor: a polynomial that pushes the singular values towards 1.

    X ← aX + (bA + cA²)X,  A = XXᵀ,  X₀ = G/‖G‖_F,  (a, b, c) = (3.4445, −4.7750, 2.0315)

    g: … × k × d, none of them zero.
    steps: how often; 5 in Muon.

    Returns the matrices of the same shape, their singular values between about .7 and 1.2, but those that are tiny.
    Raises ValueError for what has no two axes.
    Reference: Jordan et al. 2024, the published coefficients.

    >>> newton_schulz(np.eye(2)).round(2) + 0.0
    array([[1.11, 0.  ],
           [0.  , 1.11]])
    """
    x, (a, b, c) = _matrices(g), SCHULZ
    x = np.asarray(x / np.linalg.norm(x, axis=(-2, -1), keepdims=True))
    for _ in range(whole("steps", steps, least=1)):
        square = x @ np.swapaxes(x, -2, -1)
        x = a * x + (b * square + c * square @ square) @ x
    return np.asarray(x)


@dataclass(frozen=True)
class Normalized:
    """The direction of steepest descent in a norm, of dual norm one: G/‖G‖_F, sign G, or the polar factor of G.

    norm: of the steps: "frobenius" (normalized gradient descent), "entries" (sign descent), "spectral".

    Raises ValueError for another norm.

    >>> Normalized("entries").norm
    'entries'
    """

    norm: MatrixNorm = "frobenius"

    def __post_init__(self) -> None:
        """Refuse another norm."""
        choice("norm", self.norm, get_args(MatrixNorm))

    def direction(self, memory: Memory, log_scale: Array, gradient: Array) -> tuple[Array, Memory]:
        """It; nothing is remembered."""
        if self.norm == "entries":
            return np.sign(gradient), memory
        if self.norm == "spectral":
            return polar_factor(gradient), memory
        return gradient / np.linalg.norm(gradient, axis=(-2, -1), keepdims=True), memory


@dataclass(frozen=True)
class Adam:
    """m/(√v + ε) with the moments m = Σ β₁^{t−s}(1−β₁) G_s, v likewise of the squares with β₂, both without bias.

    beta1, beta2: β₁ and β₂ in [0, 1).
    epsilon: ε ≥ 0.

    Raises ValueError for arguments outside their range.
    Reference: Kingma & Ba 2015.

    >>> Adam().epsilon
    0.0
    """

    beta1: float = 0.9
    beta2: float = 0.95
    epsilon: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no rate."""
        number("beta1", self.beta1, least=0, below=1)
        number("beta2", self.beta2, least=0, below=1)
        number("epsilon", self.epsilon, least=0)

    def direction(self, memory: Memory, log_scale: Array, gradient: Array) -> tuple[Array, Memory]:
        """It, and the moments in the new unit."""
        shrink = np.exp(memory.log_scale - log_scale)[:, None, None] if memory.seen else 0.0
        first = self.beta1 * shrink * memory.first + (1 - self.beta1) * gradient
        second = self.beta2 * shrink**2 * memory.second + (1 - self.beta2) * gradient**2
        count = memory.seen + 1
        size = np.sqrt(second / (1 - self.beta2**count))
        with np.errstate(over="ignore"):  # ε in a unit in which it is infinite: Adam stands still
            size = size + (self.epsilon * np.exp(-log_scale)[:, None, None] if self.epsilon else 0.0)
        mean = first / (1 - self.beta1**count)
        moved = np.divide(mean, size, out=np.zeros_like(mean), where=size > 0)
        return moved, Memory(first, second, log_scale, count)


@dataclass(frozen=True)
class Muon:
    """The polar factor of the momentum M = Σ β^{t−s} G_s, or Newton and Schulz' polynomial of it.

    momentum: β in [0, 1).
    factor: what makes a direction of M: ``polar_factor``, or ``newton_schulz`` as Muon is run.

    Raises ValueError for a momentum outside its range.
    Reference: Jordan et al. 2024.

    >>> Muon(factor=newton_schulz).momentum
    0.95
    """

    momentum: float = 0.95
    factor: Callable[[Array], Array] = polar_factor

    def __post_init__(self) -> None:
        """Refuse what is no rate."""
        number("momentum", self.momentum, least=0, below=1)

    def direction(self, memory: Memory, log_scale: Array, gradient: Array) -> tuple[Array, Memory]:
        """It, and the momentum in the new unit."""
        shrink = np.exp(memory.log_scale - log_scale)[:, None, None] if memory.seen else 0.0
        first = self.momentum * shrink * memory.first + gradient
        return self.factor(first), Memory(first, memory.second, log_scale, memory.seen + 1)


class ClassifierState(NamedTuple):
    """Where K classifiers stand after t steps.

    t: number of steps.
    w: K × k × d.
    memory: of the update.
    evaluations: number of gradients.
    """

    t: float
    w: Array
    memory: Memory
    evaluations: int

    @property
    def theta(self) -> Array:
        """What is recorded: the matrices W, one after the other, each row after row."""
        return self.w.ravel()

    def at(self, t: float) -> Array:
        """The same; time counts steps and there is nothing between two of them."""
        return self.theta


@brief()
@dataclass(frozen=True)
class CrossEntropyDescent:
    """Descent on the mean cross-entropy of K linear classifiers of k classes, trained side by side.

    W ← W − η_t D_t,  η_t = scale·(t+1)^power,  L(W) = −(1/n) Σ_i ln softmax(W x_i)_{y_i}

    D_t is what an update makes of ∇L(W) and its history.

    x: K × n × d, K sets of n points.
    y: labels, K × n whole numbers from 0 to k − 1; k is one more than the largest.
    update: ``Normalized``, ``Adam``, ``Muon``.
    scale: η₀ > 0.
    power: exponent of t + 1, −1/2 in the theorem.

    It starts at W(0), K·k·d numbers. Time counts steps. ``read`` makes matrices of what is recorded.
    Raises ValueError for labels that are no classes and for arguments outside their range.
    Reference: Fan, Schmidt & Thrampoulidis 2025.

    >>> from implicit_bias.flows import drive
    >>> descent = CrossEntropyDescent([[[2.0, 0.0], [0.0, 1.0]]], [[0, 1]], Normalized("entries"), power=0.0)
    >>> descent.read(drive(descent, descent.start, t_end=2).final)
    array([[[ 0.6, -0.6],
            [-0.6,  0.6]]])
    """

    x: Array
    y: Array
    update: Update
    scale: float = 0.3
    power: float = -0.5
    _classes: int = field(init=False, repr=False)
    _own: NDArray[np.intp] = field(init=False, repr=False)  # where the scores of the labels stand among all

    def __post_init__(self) -> None:
        """Refuse points and labels that do not fit together, and steps that are not positive."""
        x, y = kept(self, "x", 3), kept(self, "y", 2)
        if y.shape != x.shape[:2]:
            raise ValueError(f"y has shape {y.shape}; it must have one label for each point of x, {x.shape[:2]}")
        if np.any(y != np.floor(y)) or y.min() < 0 or y.max() < 1:
            raise ValueError(
                f"y has labels from {y.min():g} to {y.max():g}; they must be whole numbers from 0, two or more"
            )
        number("scale", self.scale, above=0)
        number("power", self.power)
        object.__setattr__(self, "_classes", int(y.max()) + 1)
        object.__setattr__(self, "_own", np.arange(y.size) * self._classes + y.ravel().astype(np.intp))

    @property
    def start(self) -> Array:
        """W(0) = 0, K·k·d numbers."""
        return np.zeros(self.x.shape[0] * self._classes * self.x.shape[2])

    def read(self, theta: Array) -> Array:
        """The matrices W, … × K × k × d, of what was recorded.

        theta: … × K·k·d.
        """
        return np.asarray(theta).reshape(*np.shape(theta)[:-1], self.x.shape[0], self._classes, self.x.shape[2])

    def init(self, theta: Array) -> ClassifierState:
        """The state at W(0)."""
        w = self.read(array("theta", theta, 1, self.start.shape))
        return ClassifierState(0.0, w, Memory(np.zeros_like(w), np.zeros_like(w), np.zeros(len(w)), 0), 0)

    def step(self, state: ClassifierState) -> ClassifierState:
        """One step."""
        log_scale, gradient = self._gradient(state.w)
        moved, memory = self.update.direction(state.memory, log_scale, gradient)
        w = state.w - self.scale * (state.t + 1) ** self.power * moved
        return ClassifierState(state.t + 1, w, memory, state.evaluations + 1)

    def _gradient(self, w: Array) -> tuple[Array, Array]:
        """∇L as e^{log_scale} G, the largest probability of a wrong class being e^{log_scale} n."""
        scores = self.x @ np.swapaxes(w, 1, 2)
        behind = scores - scores.ravel()[self._own].reshape(*self.x.shape[:2], 1)
        behind.ravel()[self._own] = -np.inf
        unit = behind.reshape(len(behind), -1).max(axis=1)
        if unit.max() > NEGLIGIBLE:  # else this is ln of softmax to the last digit
            most = np.maximum(behind.max(axis=2, keepdims=True), 0.0)
            behind -= most + np.log(np.exp(-most) + np.exp(behind - most).sum(axis=2, keepdims=True))
            unit = behind.reshape(len(behind), -1).max(axis=1)
        pull = np.exp(behind - unit[:, None, None])
        pull.ravel()[self._own] = -(pull @ np.ones(self._classes)).ravel()
        return unit - np.log(self.x.shape[1]), np.swapaxes(pull, 1, 2) @ self.x
