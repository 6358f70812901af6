"""A proved bound on the stable rank of what gradient descent adds to a first layer."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, instance, number
from implicit_bias.data import Classification


@brief("stable_rank")
@dataclass(frozen=True)
class ChangeBounds:
    """What holds of W(t) − W(0) at a time t ≥ 1.

    frobenius: U, at least ‖W(t) − W(0)‖_F.
    spectral: L, at most ‖W(t) − W(0)‖₂.

    >>> bounds = ChangeBounds(frobenius=3.0, spectral=2.0)
    >>> bounds.stable_rank
    2.25
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
        frobenius, spectral = number("frobenius", frobenius, least=0), number("spectral", spectral, least=0)
        rest = self.spectral - spectral
        return ((self.frobenius + frobenius) / rest) ** 2 if rest > 0 else np.inf


@brief()
@dataclass(frozen=True)
class GateBounds:
    """Where the gates φ′(w_j·x_i) of all neurons stay up to a time t: γ⁻_i ≤ φ′(w_j·x_i) ≤ γ⁺_i.

    lower, upper: γ⁻ and γ⁺, n numbers each, in [γ, 1].

    >>> gates = GateBounds(lower=np.array([0.5, 0.6]), upper=np.array([1.0, 0.9]))
    >>> bool(np.all(gates.lower <= gates.upper))
    True
    """

    lower: Array
    upper: Array


def gate_bounds(data: Classification, slope: float, gathered: Array, a: Array, inputs: Array) -> GateBounds:
    """Bounds on the gates of the smoothed leaky ReLU of width 1, from what gradient descent has gathered.

    |w_j·x_i| ≤ r_i = max_j |w_j(0)·x_i| + max_j |a_j| Σ_k Γ_k |x_i·x_k|,  κ − δ tanh(r_i/2) ≤ φ′ ≤ κ + δ tanh(r_i/2)

    with κ = (1 + γ)/2 and δ = (1 − γ)/2: w_j has moved by a_j Σ_k H_jk y_k x_k with 0 ≤ H_jk ≤ Γ_k.

    data: the samples.
    slope: γ in [0, 1].
    gathered: Γ_i = Σ_t (α/n) |ℓ′(y_i f(x_i))|, n numbers that are not negative.
    a: the m output weights.
    inputs: W(0)Xᵀ, m × n.

    Raises ValueError where an argument is outside its range.

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.eye(2), np.array([1.0, 1.0]))
    >>> gates = gate_bounds(points, 0.5, [1.0, 1.0], np.array([1.0, -1.0]) / np.sqrt(2), np.zeros((2, 2)))
    >>> gates.lower.round(3), gates.upper.round(3)
    (array([0.665, 0.665]), array([0.835, 0.835]))
    """
    instance("data", data, Classification)
    slope = number("slope", slope, least=0, most=1)  # mutant: the guard of an argument
    gathered = array("gathered", gathered, 1, (len(data.y),))  # mutant: the guard of an argument
    number("gathered, the smallest entry", float(gathered.min()), least=0)  # mutant: the guard of an argument
    a = array("a", a, 1)  # mutant: the guard of an argument
    inputs = array("inputs", inputs, 2, (a.size, len(data.y)))  # mutant: the guard of an argument
    reach = np.abs(inputs).max(axis=0) + np.abs(a).max() * (np.abs(data.x @ data.x.T) @ gathered)
    kappa, delta = (1 + slope) / 2, (1 - slope) / 2
    # mutant(reach / 2): the bound has room; held by test_change_bounds
    return GateBounds(kappa - delta * np.tanh(reach / 2), kappa + delta * np.tanh(reach / 2))


def change_bounds(data: Classification, slope: float, gathered: Array, gates: GateBounds | None = None) -> ChangeBounds:
    """Bounds on what gradient descent has added to the first layer, for any activation with γ ≤ φ′ ≤ 1 and ‖a‖ = 1.

    U² = Σ_ik Γ_iΓ_k (γ⁺_iγ⁺_k max(S_ik, 0) + γ⁻_iγ⁻_k min(S_ik, 0)),  L = Σ_i γ⁻_iΓ_i y_i x_i·q/‖q‖

    with q = Σ y_i x_i, S_ik = y_iy_k x_i·x_k and γ⁻_i ≤ φ′(w_j·x_i) ≤ γ⁺_i for every neuron and every step. Where
    nothing is said of the gates, γ⁻_i = γ, γ⁺_i = 1 and the negative S_ik are dropped.

    data: the samples; every y_i x_i·q must be positive.
    slope: γ in (0, 1].
    gathered: Γ_i = Σ_t (α/n) |ℓ′(y_i f(x_i))|, n positive numbers.
    gates: γ⁻ and γ⁺, as ``gate_bounds`` has them.

    Raises ValueError where a y_i x_i·q is not positive, or an argument is outside its range.

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.eye(2), np.array([1.0, 1.0]))
    >>> bounds = change_bounds(points, 0.5, gathered=[1.0, 1.0])
    >>> round(bounds.frobenius, 4), round(bounds.spectral, 4), round(bounds.stable_rank, 4)
    (1.4142, 0.7071, 4.0)
    """
    instance("data", data, Classification)
    slope = number("slope", slope, above=0, most=1)  # mutant: the guard of an argument
    gathered = array("gathered", gathered, 1, (len(data.y),))  # mutant: the guard of an argument
    gram = data.signed @ data.signed.T
    along = gram.sum(axis=1)
    if not np.all(along > 0):  # mutant: the guard of the premise
        raise ValueError(
            f"data holds {int(np.sum(along <= 0))} samples with y_i x_i·q ≤ 0; all must be positive for the bound"
        )
    size = float(np.abs(gathered).max()) or 1.0  # so that no square overflows
    most, least = gathered / size, slope * gathered / size
    if gates is None:
        square = most @ np.maximum(gram, 0) @ most  # mutant: one beside the order of d
    else:
        most, least = gates.upper * most, gates.lower * most
        # mutant(np.maximum(gram, 0)): one beside the order of d
        # mutant(np.minimum(gram, 0)): one beside the order of d
        square = most @ np.maximum(gram, 0) @ most + least @ np.minimum(gram, 0) @ least
    return ChangeBounds(size * float(np.sqrt(square)), size * float(least @ along) / float(np.sqrt(gram.sum())))
