"""The stable rank of a leaky network's first layer under gradient descent: a spike in noise, and a proved bound."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from implicit_bias.checks import Array, array, number, whole
from implicit_bias.data import Classification


def spiked_stable_rank(spike: ArrayLike, deviation: float, m: int, d: int) -> Array:
    """The stable rank of a spike in Gaussian noise, s u vᵀ + ωN, as m and d grow together.

    SR = (mdω² + s²)/σ²,  σ² = (s² + mω²)(s² + dω²)/s² if s⁴ > mdω⁴, and ω²(√m + √d)² otherwise

    spike: s ≥ 0, one or many.
    deviation: ω > 0, the standard deviation of the entries of the noise.
    m, d: the shape of the matrix.

    Returns SR, of the shape of ``spike``.

    Reference: Benaych-Georges and Nadakuditi 2012, Theorem 2.8 and Section 3.1.
    """
    m, d = whole("m", m, least=1), whole("d", d, least=1)
    squared = np.asarray(spike, dtype=float) ** 2
    noise = number("deviation", deviation, above=0) ** 2
    out = squared > noise * np.sqrt(m * d)
    safe = np.where(out, squared, 1.0)
    top = np.where(out, (safe + m * noise) * (1 + d * noise / safe), noise * (np.sqrt(m) + np.sqrt(d)) ** 2)
    return np.asarray((m * d * noise + squared) / top)


def spike_curve(data: Classification, slope: float, learning_rate: float, steps: int) -> Array:
    """The spike s(t) that gradient descent grows, for t = 0, …, steps.

    s(t) = κ ‖Σ_i c_i(t) y_i x_i‖,  c_i ← c_i + (α/n) σ(−κ² y_i Σ_k x_i·x_k y_k c_k),  c(0) = 0,  κ = (1 + γ)/2

    where σ(z) = 1/(1 + e^{−z}). It is the descent of the network whose activation is replaced by its tangent κz at 0,
    from W(0) = 0, with output weights of norm 1: W(t) = s(t) a vᵀ. s(1) = ακ‖q‖/(2n) with q = Σ y_i x_i.

    data: the samples.
    slope: γ in [0, 1].
    learning_rate: α > 0.
    steps: at least 1.

    Returns steps + 1 numbers.
    """
    kappa = (1 + number("slope", slope, least=0, most=1)) / 2
    rate = number("learning_rate", learning_rate, above=0) / len(data.y)
    gram = data.signed @ data.signed.T
    c = np.zeros(len(data.y))
    spikes = [0.0]
    for _ in range(whole("steps", steps, least=1)):
        c = c + rate * expit(-(kappa**2) * (gram @ c))
        spikes.append(kappa * float(np.sqrt(c @ gram @ c)))
    return np.array(spikes)


def kinked_stable_rank(data: Classification, slope: float, m: int) -> float:
    """The stable rank after one step from ω → 0 where the activation is the leaky ReLU itself.

    W(1) ∝ κ a qᵀ + B,  B_j = a_j δ Σ_i ε_ji y_i x_i,  κ = (1 + γ)/2,  δ = (1 − γ)/2,

    with the random signs ε_ji of w_j(0)·x_i, E ε_ji = 0, E ε_ji ε_jk = T_ik = (2/π) arcsin(x_i·x_k/‖x_i‖‖x_k‖):

    SR = (κ²‖q‖² + E‖B‖_F²)/(κ²‖q‖² + E‖Bq̂‖² + E‖Bᵀa‖²),  up to terms of third order in B,

    E‖B‖_F² = δ² Σ_ik T_ik y_iy_k x_i·x_k,  E‖Bq̂‖² = δ² Σ_ik T_ik p_i p_k,  p_i = y_i x_i·q̂,  E‖Bᵀa‖² = E‖B‖_F²/m.

    data: the samples.
    slope: γ in [0, 1].
    m: number of neurons; |a_j| = 1/√m.
    """
    kappa, delta = (1 + number("slope", slope, least=0, most=1)) / 2, (1 - slope) / 2
    z = data.signed
    q = z.sum(axis=0)
    gram = z @ z.T
    sizes = np.linalg.norm(z, axis=1)
    # The signs of y_i cancel between T_ik and the rest: both are taken of the signed samples.
    signs = 2 / np.pi * np.arcsin(np.clip(gram / np.outer(sizes, sizes), -1, 1))
    signs = data.y[:, None] * signs * data.y
    spike = kappa**2 * float(q @ q)
    noise = delta**2 * float(np.sum(signs * gram))
    p = z @ q / np.linalg.norm(q)
    return (spike + noise) / (spike + delta**2 * float(p @ signs @ p) + noise / whole("m", m, least=1))


@dataclass(frozen=True)
class ChangeBounds:
    """What holds of W(t) − W(0) at a time t ≥ 1.

    frobenius: U, at least ‖W(t) − W(0)‖_F.
    spectral: L, at most ‖W(t) − W(0)‖₂.
    """

    frobenius: float
    spectral: float

    @property
    def stable_rank(self) -> float:
        """U²/L², at least the stable rank of W(t) − W(0)."""
        return (self.frobenius / self.spectral) ** 2

    def with_start(self, frobenius: float, spectral: float) -> float:
        """((U + ‖W(0)‖_F)/(L − ‖W(0)‖₂))², at least the stable rank of W(t); infinite if ‖W(0)‖₂ ≥ L.

        frobenius, spectral: the norms of W(0).
        """
        rest = self.spectral - spectral
        return ((self.frobenius + frobenius) / rest) ** 2 if rest > 0 else np.inf


def change_bounds(data: Classification, slope: float, gathered: Array) -> ChangeBounds:
    """Bounds on what gradient descent has added to the first layer, for any activation with γ ≤ φ′ ≤ 1 and ‖a‖ = 1.

    U² = Σ_ik Γ_iΓ_k max(y_iy_k x_i·x_k, 0),  L = γ Σ_i Γ_i y_i x_i·q/‖q‖,  q = Σ y_i x_i

    data: the samples; every y_i x_i·q must be positive.
    slope: γ in (0, 1].
    gathered: Γ_i = Σ_t (α/n) |ℓ′(y_i f(x_i))|, n positive numbers.

    Raises ValueError where a y_i x_i·q is not positive, or an argument is outside its range.
    """
    slope = number("slope", slope, above=0, most=1)
    gathered = array("gathered", gathered, 1, (len(data.y),))
    gram = data.signed @ data.signed.T
    along = gram.sum(axis=1)
    if not np.all(along > 0):
        raise ValueError(
            f"data holds {int(np.sum(along <= 0))} samples with y_i x_i·q ≤ 0; all must be positive for the bound"
        )
    upper = float(np.sqrt(gathered @ np.maximum(gram, 0) @ gathered))
    return ChangeBounds(upper, slope * float(gathered @ along) / float(np.sqrt(gram.sum())))
