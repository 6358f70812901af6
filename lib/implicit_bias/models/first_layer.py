"""Two-layer classifiers of which only the first layer is trained, reduced to the span of the samples."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse.linalg import eigsh
from scipy.special import expit

from implicit_bias.checks import Array, array, number
from implicit_bias.data import Classification

RESIDUAL = 1e-8  # of an eigenvector, relative; its eigenvalue is then right to about the square


@dataclass(frozen=True)
class FirstLayerNetwork:
    """A leaky network with fixed output weights on the logistic loss, as gradient descent sees it from W(0).

    f(x) = Σ_j a_j φ(w_j·x),  φ(z) = γz + (1−γ) ε ln((1 + e^{z/ε})/2),  L = (1/n) Σ_i ln(1 + e^{−y_i f(x_i)})

    ε = 0 is the leaky ReLU itself. Every gradient lies in the span of the samples, so that gradient descent is exactly

    W = W(0) + CX,  C_ji ← C_ji + (α/n) a_j y_i g_i φ′(z_ji),  g_i = 1/(1 + e^{y_i f(x_i)}),  z = W(0)Xᵀ + C XXᵀ

    in mn numbers, whatever d is. The state θ is C, row by row, then Γ_i = Σ_t (α/n) g_i(t), the gathered slopes of the
    loss: mn + n numbers.

    inputs: W(0)Xᵀ, m × n.
    outer: W(0)W(0)ᵀ, m × m, for the norms of W.
    gram: XXᵀ, n × n.
    a: m output weights.
    y: n labels.
    slope: γ in [0, 1].
    width: ε ≥ 0, in units of w·x.
    """

    inputs: Array
    outer: Array
    gram: Array
    a: Array
    y: Array
    slope: float
    width: float

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together, a slope outside [0, 1] and a negative width."""
        m, n = array("inputs", self.inputs, 2).shape
        array("outer", self.outer, 2, (m, m))
        array("gram", self.gram, 2, (n, n))
        array("a", self.a, 1, (m,))
        array("y", self.y, 1, (n,))
        number("slope", self.slope, least=0, most=1)
        number("width", self.width, least=0)

    @classmethod
    def reduce(cls, w: Array, a: Array, data: Classification, slope: float, width: float = 1.0) -> "FirstLayerNetwork":
        """The network with the weights W(0) (m × d) and a (m) on a set of samples; only this step costs more with d."""
        array("w", w, 2, (None, data.x.shape[1]))
        return cls(w @ data.x.T, w @ w.T, data.x @ data.x.T, a, data.y, slope, width)

    def scaled(self, factor: float) -> "FirstLayerNetwork":
        """The same network from W(0) times a factor."""
        return replace(self, inputs=factor * self.inputs, outer=factor**2 * self.outer)

    @property
    def start(self) -> Array:
        """θ at W(0): mn + n zeros."""
        return np.zeros(self.inputs.size + self.y.size)

    def coefficients(self, theta: Array) -> Array:
        """C, m × n: the weights are W(0) + CX."""
        return theta[: self.inputs.size].reshape(self.inputs.shape)

    def gathered(self, theta: Array) -> Array:
        """Γ, n entries."""
        return theta[self.inputs.size :]

    def activate(self, z: Array) -> tuple[Array, Array]:
        """φ(z) and φ′(z), entry by entry; at the kink φ′ is the mean (1 + γ)/2.

        φ(z) = (1+γ)/2 z + (1−γ)(|z|/2 + ε ln((1 + e)/2)),  φ′(z) = (1+γ)/2 ± (1−γ)/2 (1 − e)/(1 + e),  e = e^{−|z|/ε}
        """
        kappa, delta = (1 + self.slope) / 2, (1 - self.slope) / 2
        # In place: a step of gradient descent costs little more than these passes over m × n numbers.
        value, half = np.empty_like(z), np.abs(z)
        gate = np.exp(half * (-1 / self.width)) if self.width > 0 else np.where(half > 0, 0.0, 1.0)
        half *= delta
        np.add(gate, 1, out=value)
        np.subtract(1, gate, out=gate)
        gate /= value
        np.copysign(gate, z, out=gate)
        gate *= delta
        gate += kappa
        value /= 2
        np.log(value, out=value)
        value *= 2 * delta * self.width
        value += half
        np.multiply(z, kappa, out=half)
        value += half
        return value, gate

    def margins(self, theta: Array) -> Array:
        """y_i f(x_i), n entries."""
        value, _ = self.activate(self.inputs + self.coefficients(theta) @ self.gram)
        return np.asarray(self.y * (self.a @ value))

    def gradient(self, theta: Array) -> Array:
        """Minus what a step of gradient descent adds to θ, over the learning rate: mn + n entries.

        The first mn, an m × n matrix, times X are ∇L(W).
        """
        value, gate = self.activate(self.inputs + self.coefficients(theta) @ self.gram)
        g = expit(-self.y * (self.a @ value)) / self.y.size
        gate *= self.a[:, None]
        gate *= -self.y * g
        return np.concatenate([gate.ravel(), -g])

    def squared_norms(self, theta: Array) -> tuple[float, float]:
        """‖W‖_F² and ‖W‖₂², from matrices of size m and n."""
        c = self.coefficients(theta)
        half = (self.inputs + c @ self.gram / 2) @ c.T
        return _trace_and_top(self.outer + half + half.T, self.a)

    def stable_rank(self, theta: Array) -> float:
        """‖W‖_F²/‖W‖₂²."""
        frobenius, spectral = self.squared_norms(theta)
        return frobenius / spectral

    def squared_norms_of_change(self, theta: Array) -> tuple[float, float]:
        """‖W − W(0)‖_F² and ‖W − W(0)‖₂², after the first step."""
        c = self.coefficients(theta)
        return _trace_and_top(c @ self.gram @ c.T, self.a)


def _trace_and_top(matrix: Array, guess: Array) -> tuple[float, float]:
    """Trace and largest eigenvalue of a positive semi-definite matrix."""
    top = eigsh(matrix, k=1, v0=guess, tol=RESIDUAL, return_eigenvectors=False)
    return float(np.trace(matrix)), float(top[0])
