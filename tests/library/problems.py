"""Problems that carry their exact solution, in units from 1e-9 to 1e9: one table for all tests of the flows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pytest
from scipy.special import logsumexp
from tiers import thinned


@dataclass(frozen=True)
class Problem:
    """θ̇ = velocity(θ) from θ(0) = start, and what is known of it.

    velocity, jacobian: θ ↦ θ̇ and ∂θ̇/∂θ.
    exact: t ↦ θ(t); None where there is no closed form.
    value: L with θ̇ = −∇L; None where there is no potential.
    conserved: θ ↦ what stays along the flow, of the order of 1.
    limit: θ(∞).
    size, time: the units of θ and of t; the interesting part lies before t = 4 units.
    stiff: whether an explicit method needs many steps in a unit of time.
    """

    name: str
    velocity: Callable[[np.ndarray], np.ndarray]
    jacobian: Callable[[np.ndarray], np.ndarray]
    start: np.ndarray
    exact: Callable[[float], np.ndarray] | None = None
    value: Callable[[np.ndarray], float] | None = None
    conserved: Callable[[np.ndarray], float] | None = None
    limit: np.ndarray | None = None
    size: float = 1.0
    time: float = 1.0
    stiff: bool = False

    def gradient(self, theta):
        """∇L, for problems with a potential."""
        assert self.value is not None
        return -self.velocity(theta)

    def at(self, times):
        """θ at several times, k × p."""
        return np.array([self.exact(t) for t in times])

    def distance(self, theta):
        """Distance to the limit, in units of θ."""
        return float(np.linalg.norm((theta - self.limit) / self.size))

    def in_units(self, size, time):
        """The same with θ measured in another unit, and t: s·θ(t/τ)."""
        one = self
        rate = size / time
        return replace(
            one,
            name=f"{one.name}-{size:g}-{time:g}",
            velocity=lambda theta: rate * one.velocity(theta / size),
            jacobian=lambda theta: one.jacobian(theta / size) / time,
            start=size * one.start,
            exact=one.exact and (lambda t: size * one.exact(t / time)),
            value=one.value and (lambda theta: size * rate * one.value(theta / size)),
            conserved=one.conserved and (lambda theta: one.conserved(theta / size)),
            limit=None if one.limit is None else size * one.limit,
            size=size,
            time=time,
        )

    def counted(self):
        """The same, and a list that grows by one entry at each evaluation of the velocity."""
        calls = []

        def velocity(theta):
            calls.append(1)
            return self.velocity(theta)

        return replace(self, velocity=velocity), calls


def decay(name, rates, start, stiff=False):
    """θ̇_i = −λ_i θ_i."""
    rates, start = np.array(rates), np.array(start)
    return Problem(
        name,
        lambda theta: -rates * theta,
        lambda theta: -np.diag(rates),
        start,
        exact=lambda t: np.exp(-rates * t) * start,
        value=lambda theta: float(rates @ theta**2) / 2,
        limit=np.zeros(len(rates)),
        stiff=stiff,
    )


def rotation():
    """θ̇ = (−θ₂, θ₁), an oscillator; it keeps the energy ‖θ‖²."""
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    return Problem(
        "rotation",
        lambda theta: turn @ theta,
        lambda theta: turn,
        np.array([1.0, 0.5]),
        exact=lambda t: np.array([np.cos(t) - 0.5 * np.sin(t), np.sin(t) + 0.5 * np.cos(t)]),
        conserved=lambda theta: float(theta @ theta),
    )


def logistic():
    """θ̇ = θ(1 − θ): θ = 1/(1 + 9 e^{−t}) from 1/10."""
    return Problem(
        "logistic",
        lambda theta: theta * (1 - theta),
        lambda theta: np.diag(1 - 2 * theta),
        np.array([0.1]),
        exact=lambda t: np.array([1 / (1 + 9 * np.exp(-t))]),
        value=lambda theta: float(np.sum(theta**3 / 3 - theta**2 / 2)),
        limit=np.ones(1),
    )


def harmonic():
    """θ̇ = −H(θ − θ*), with eigenvalues of H from 1/5 to 5."""
    frame = np.linalg.qr(np.random.default_rng(0).standard_normal((4, 4)))[0]
    spectrum, limit = np.array([0.2, 1.0, 2.0, 5.0]), np.array([1.0, -1.0, 0.5, 2.0])
    hessian, start = (frame * spectrum) @ frame.T, np.array([-1.0, 0.5, 1.0, 1.0])
    return Problem(
        "harmonic",
        lambda theta: -hessian @ (theta - limit),
        lambda theta: -hessian,
        start,
        exact=lambda t: limit + frame @ (np.exp(-spectrum * t) * (frame.T @ (start - limit))),
        value=lambda theta: float((theta - limit) @ hessian @ (theta - limit)) / 2,
        limit=limit,
    )


def diagonal(y=0.8):
    """L = (y − uv)²/2: u² − v² = c stays, u = √c cosh φ, v = √c sinh φ, and q = tanh φ has q̇ = y(1 − q²) − cq.

    q(t) = (q₀(D − cT) + 2yT) / (D + (c + 2y q₀)T),  T = tanh(Dt/2),  D² = c² + 4y²
    """
    start = np.array([1.2, -0.4])
    c, q0 = start[0] ** 2 - start[1] ** 2, start[1] / start[0]
    d = np.hypot(c, 2 * y)

    def point(growth):
        q = (q0 * (d - c * growth) + 2 * y * growth) / (d + (c + 2 * y * q0) * growth)
        return np.sqrt(c / (1 - q**2)) * np.array([1.0, q])

    def jacobian(theta):
        u, v = theta
        return np.array([[-(v**2), y - 2 * u * v], [y - 2 * u * v, -(u**2)]])

    return Problem(
        "diagonal",
        lambda theta: (y - theta[0] * theta[1]) * theta[::-1],
        jacobian,
        start,
        exact=lambda t: point(np.tanh(d * t / 2)),
        value=lambda theta: float((y - theta[0] * theta[1]) ** 2) / 2,
        conserved=lambda theta: float(theta[0] ** 2 - theta[1] ** 2),
        limit=point(1.0),
    )


def lotka_volterra():
    """ẋ = x(1 − y), ẏ = y(x − 1): x − ln x + y − ln y stays; no closed form."""
    return Problem(
        "lotka-volterra",
        lambda theta: theta * np.array([1 - theta[1], theta[0] - 1]),
        lambda theta: np.array([[1 - theta[1], -theta[0]], [theta[1], theta[0] - 1]]),
        np.array([0.5, 0.8]),
        conserved=lambda theta: float(np.sum(theta - np.log(theta))),
    )


@dataclass(frozen=True)
class Tail:
    """R(w) = Σ_i e^{−γ_i w_i}/n from w(1) = 0: e^{γ_i w_i} = 1 + γ_i²(t − 1)/n, at any t that has a logarithm."""

    gamma: np.ndarray

    def log_risk(self, w):
        """ln R."""
        return float(logsumexp(-self.gamma * w) - np.log(len(w)))

    def scaled_velocity(self, w, power):
        """−e^power ∇R."""
        return self.gamma * np.exp(power[..., None] - self.gamma * w) / len(self.gamma)

    def scaled_jacobian(self, w, power):
        """−e^power ∇²R."""
        return -np.diag(self.gamma**2 * np.exp(power - self.gamma * w)) / len(self.gamma)

    @cached_property
    def start(self):
        """w(1)."""
        return np.zeros(len(self.gamma))

    def exact(self, log_t):
        """w at ln t > 0."""
        passed = log_t + np.log(-np.expm1(-log_t))  # ln(t − 1)
        return np.logaddexp(0, 2 * np.log(self.gamma) - np.log(len(self.gamma)) + passed) / self.gamma


TABLE = [
    decay("decay", [1.0, 3.0], [1.0, -2.0]),
    rotation(),
    logistic(),
    harmonic(),
    diagonal(),
    lotka_volterra(),
    decay("stiff", [1.0, 1e5], [1.0, 1.0], stiff=True),
]
UNITS = [(1.0, 1.0), (1e-9, 1.0), (1e9, 1e-9), (1.0, 1e9)]
PROBLEMS = [problem.in_units(*units) for problem in TABLE for units in UNITS]


def solved(*, potential=False, limit=False, conserved=False, exact=True, stiff=True, every=1):
    """The problems of the table that fit, as a parameter ``problem``.

    potential, limit, conserved, exact: whether it must have one; stiff: whether it may be stiff.
    every: of how many ``make test`` tries one. With 3 it meets each problem, as there are four units of each.
    """
    fitting = [
        problem
        for problem in PROBLEMS
        if (problem.value or not potential)
        and (problem.limit is not None or not limit)
        and (problem.conserved or not conserved)
        and (problem.exact or not exact)
        and (stiff or not problem.stiff)
    ]
    return pytest.mark.parametrize("problem", thinned(fitting, every), ids=lambda problem: problem.name)
