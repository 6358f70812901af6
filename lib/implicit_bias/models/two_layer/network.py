"""The two-layer network: activation × what is trained × scaling; its weights are passed, the first layer m × d."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from implicit_bias.activations import Activation
from implicit_bias.checks import Array, choice, instance, whole

Trained = Literal["both", "first", "output"]
Scaling = Literal["1/m", "1/sqrt(m)", 1]
TRAINED: tuple[Trained, ...] = ("both", "first", "output")
SCALINGS = ("1/m", "1/sqrt(m)", "1")
AT_ONCE = 2**21  # numbers, 16 MB: values of all neurons at some of the points


@dataclass(frozen=True)
class TwoLayer:
    """f(x) = s Σ_j a_j σ(w_j·x), with s = 1/m, 1/√m or 1 for m neurons.

    Its weights are W (m × d, one neuron w_j a row) and a (m entries); a method takes them first, and where it says so
    any number of them at once, along leading axes.

    activation: σ.
    trained: the layers that move: "both", the "first" (W) or the "output" (a).
    scaling: s. Gradient flow moves a neuron at speed O(s), so that with "1/m" its own time is t/m.

    Raises ValueError for an activation, a layer or a scaling that is none of these.

    >>> from implicit_bias.activations import LeakyReLU
    >>> net = TwoLayer(LeakyReLU(0.5), scaling="1/m")
    >>> net.output(np.eye(2), np.array([1.0, 1.0]), np.array([[2.0, -2.0]]))
    array([0.5])
    >>> net.balance(np.eye(2), np.array([2.0, 1.0]))
    array([3., 0.])
    """

    activation: Activation
    trained: Trained = "both"
    scaling: Scaling = 1

    def __post_init__(self) -> None:
        """Refuse what is no activation and an unknown choice of layers or scaling."""
        instance("activation", self.activation, Activation)
        choice("trained", self.trained, TRAINED)
        given: Any = self.scaling
        choice("scaling", str(given) if type(given) is int else given, SCALINGS)

    @property
    def first_moves(self) -> bool:
        """Whether W is trained."""
        return self.trained != "output"

    @property
    def output_moves(self) -> bool:
        """Whether a is trained."""
        return self.trained != "first"

    def scale(self, m: int) -> float:
        """The factor s of a network of m neurons."""
        m = whole("m", m, least=1)
        if self.scaling == "1/m":
            return 1 / m
        return float(1 / np.sqrt(m)) if self.scaling == "1/sqrt(m)" else 1.0

    def output(self, w: Array, a: Array, x: Array) -> Array:
        """The N values f(x_n).

        w: … × m × d.
        a: … × m.
        x: N × d.

        Returns … × N. Memory for what the neurons make of the points is bounded: many points are taken in turn.
        """
        scaled, turns = self.scale(a.shape[-1]) * a, -(-a.size * len(x) // AT_ONCE)
        parts = [
            np.einsum("...mn,...m->...n", self.activation.value(w @ some.T), scaled)
            for some in np.array_split(x, max(1, turns))
        ]
        return np.asarray(np.concatenate(parts, axis=-1))

    def predictor(self, w: Array, a: Array) -> Array:
        """w̃ = s Wᵀa = s Σ_j a_j w_j, … × d; f(x) = w̃·x where σ is the identity, or every neuron is active.

        w: … × m × d.
        a: … × m.
        """
        # mutant(self.scale(a.shape[-1])): the chapter's scaling is 1; held by test_risk
        return np.asarray(np.einsum("...md,...m->...d", w, self.scale(a.shape[-1]) * a))

    def balance(self, w: Array, a: Array) -> Array:
        """The m numbers a_j² − ‖w_j‖², which gradient flow of both layers keeps if σ is homogeneous.

        A kink smoothed over ε breaks σ(z) = σ′(z)z near z = 0: they then drift by at most
        2(1−γ) ε ln 2 · s ∫ |a_j| Σ_i |∂R/∂f_i| dt.

        w: … × m × d.
        a: … × m.

        Returns … × m.
        Reference: Du et al. 2018, Theorem 2.1.
        """
        # mutant in time_warping(axis=-1): names the same axis of one state
        return np.asarray(a**2 - np.sum(w**2, axis=-1))

    def balance_matrix(self, w: Array, a: Array) -> Array:
        """aaᵀ − WWᵀ, … × m × m, which gradient flow of both layers keeps if σ is the identity.

        w: … × m × d.
        a: … × m.

        Reference: Du et al. 2018, Theorem 2.2.
        """
        # mutant in many_neurons(-1 → +1): of one network the last axis is the second
        return np.asarray(a[..., :, None] * a[..., None, :] - w @ np.swapaxes(w, -1, -2))
