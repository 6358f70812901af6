"""Activations: the leaky ReLU, exact or with its kink smoothed, from the ReLU to the identity; tanh; and the square."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from scipy.special import expit

from implicit_bias.checks import Array, number
from implicit_bias.compiled import kinks


@runtime_checkable
class Activation(Protocol):
    """A function σ of one number with two derivatives, applied entry by entry.

    >>> relu: Activation = LeakyReLU(0.0)
    >>> relu.value(np.array([-1.0, 2.0])), relu.homogeneous
    (array([-0.,  2.]), True)
    """

    @property
    def homogeneous(self) -> bool:
        """Whether σ(cz) = cσ(z) for all c > 0, that is σ(z) = σ′(z)z."""

    def value(self, z: Array) -> Array:
        """σ(z)."""

    def derivative(self, z: Array) -> Array:
        """σ′(z)."""

    def second_derivative(self, z: Array) -> Array:
        """σ″(z)."""

    def with_derivative(self, z: Array) -> tuple[Array, Array]:
        """σ(z) and σ′(z), two new arrays."""


@dataclass(frozen=True)
class LeakyReLU:
    """σ(z) = z for z > 0 and γz for z ≤ 0, or the same with its kink smoothed.

    σ(z) = γz + (1−γ) ε ln(1 + e^{z/ε}),  0 ≤ σ_ε − σ ≤ (1−γ) ε ln 2

    A hard kink defeats integrators: a sample can slide along it. A smooth one of width ε is stiff, but ordinary.

    slope: γ in [0, 1]; 0 is the ReLU, 1 the identity.
    width: ε ≥ 0, in units of z; 0 is the kink itself, where the derivative is γ.
    centred: whether (1−γ) ε ln 2 is taken off, so that σ(0) = 0.

    >>> leaky = LeakyReLU(0.5)
    >>> leaky.value(np.array([-2.0, 2.0])), leaky.derivative(np.array([-2.0, 2.0]))
    (array([-1.,  2.]), array([0.5, 1. ]))
    """

    slope: float
    width: float = 0.0
    centred: bool = False

    def __post_init__(self) -> None:
        """Refuse a slope outside [0, 1], a negative width, and what is neither centred nor not."""
        number("slope", self.slope, least=0, most=1)
        number("width", self.width, least=0)
        if not isinstance(self.centred, bool):
            raise ValueError(f"centred is a {type(self.centred).__name__}; it must be True or False")

    @property
    def homogeneous(self) -> bool:
        """Of the kink itself, and of the identity."""
        return self.width == 0 or self.slope == 1

    @property
    def _offset(self) -> float:
        return (1 - self.slope) * self.width * np.log(2) if self.centred else 0.0

    def value(self, z: Array) -> Array:
        """σ(z), entry by entry."""
        if self.homogeneous:
            return np.asarray(np.maximum(z, self.slope * z))  # a choice by sign takes twenty times as long
        soft = (1 - self.slope) * self.width * np.logaddexp(0.0, z / self.width)
        return np.asarray(self.slope * z + soft - self._offset)

    def derivative(self, z: Array) -> Array:
        """σ′(z), entry by entry: between γ and 1."""
        if self.homogeneous:
            gate = np.empty(np.shape(z))
            np.copyto(gate, np.greater(z, 0).view(np.int8))
            return np.maximum(gate, np.full(gate.shape[-1:], self.slope), out=gate) if self.slope else gate
        return np.asarray(self.slope + (1 - self.slope) * expit(z / self.width))

    def second_derivative(self, z: Array) -> Array:
        """σ″(z), entry by entry: at most (1−γ)/(4ε), and 0 for the kink."""
        if self.homogeneous:
            return np.zeros_like(z)
        inside = expit(z / self.width)
        return np.asarray((1 - self.slope) * inside * expit(-z / self.width) / self.width)

    def with_derivative(self, z: Array) -> tuple[Array, Array]:
        """σ(z) and σ′(z) from one hyperbolic tangent, in place: a training step costs little more than these passes.

        σ(z) = κz + δ(|z| + 2ε ln 2 − 2ε ln(1 + |t|)),  σ′(z) = κ + δt,  κ, δ = (1 ± γ)/2,  t = tanh(z/2ε)
        """
        if self.slope == 1:  # mutant(1): the identity's own branch, taken or not
            return z.copy(), np.ones_like(z)
        if self.width == 0:
            gate = self.derivative(z)
            return gate * z, gate
        fast = kinks(z, self.slope, self.width, 0.0 if self.centred else (1 - self.slope) * self.width * np.log(2))
        if fast is not None:
            return fast
        # mutant(1): the identity's own branch, taken or not
        # mutant(2): the height of a kink that is smoothed over little
        kappa, delta = (1 + self.slope) / 2, (1 - self.slope) / 2
        gate = z * (0.5 / self.width)  # mutant in leaky_neuron(0.5): a kink of two thirds of the width
        np.tanh(gate, out=gate)
        value = np.abs(gate)
        np.log1p(value, out=value)
        value *= -2 * delta * self.width  # mutant(2): the height of a kink that is smoothed over little
        if not self.centred:
            # mutant(2 → 3): the height of a kink that is smoothed over little
            value += 2 * delta * self.width * np.log(2)
        gate *= delta
        gate += kappa
        part = np.abs(z)
        part *= delta
        value += part
        np.multiply(z, kappa, out=part)  # mutant: a product
        value += part
        return value, gate


@dataclass(frozen=True)
class Tanh:
    """σ(z) = tanh z: smooth, bounded, of no degree of homogeneity.

    >>> Tanh().value(np.array([0.0])), Tanh().derivative(np.array([0.0]))
    (array([0.]), array([1.]))
    """

    @property
    def homogeneous(self) -> bool:
        """No."""
        return False

    def value(self, z: Array) -> Array:
        """Tanh z."""
        return np.tanh(z)

    def derivative(self, z: Array) -> Array:
        """1 − tanh² z."""
        return self.with_derivative(z)[1]

    def second_derivative(self, z: Array) -> Array:
        """−2 tanh z (1 − tanh² z)."""
        value, gate = self.with_derivative(z)
        return -2 * value * gate

    def with_derivative(self, z: Array) -> tuple[Array, Array]:
        """Tanh z and 1 − tanh² z."""
        value = np.tanh(z)
        return value, 1 - value**2


@dataclass(frozen=True)
class Square:
    """σ(z) = z²: of degree two, so that a network of it is homogeneous of degree three in all its weights.

    >>> Square().value(np.array([3.0])), Square().derivative(np.array([3.0]))
    (array([9.]), array([6.]))
    """

    @property
    def homogeneous(self) -> bool:
        """Not of degree one."""
        return False

    def value(self, z: Array) -> Array:
        """The square z²."""
        return z**2  # mutant(2 → 3): the outputs of pairs are 0

    def derivative(self, z: Array) -> Array:
        """The slope 2z."""
        return 2 * z

    def second_derivative(self, z: Array) -> Array:
        """2 everywhere."""
        return np.full_like(z, 2.0)

    def with_derivative(self, z: Array) -> tuple[Array, Array]:
        """Both, z² and 2z."""
        return z**2, 2 * z  # mutant(2 * z → 1 * z): a factor of both sides of a law for ratios


IDENTITY = LeakyReLU(1.0)
RELU = LeakyReLU(0.0)
