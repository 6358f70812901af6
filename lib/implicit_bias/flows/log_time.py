"""Gradient flow of a loss with an exponential tail, in the logarithm of time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, instance, number
from implicit_bias.flows.driver import FlowError, Solution, drive
from implicit_bias.flows.radau import radau

RULE = radau(16)
STAGES = RULE.nodes.size
EARLY = 1.0  # up to this ln t the steps are even in ln(ln t + c)
SWEEPS = 25  # of Newton's method in a step
DONE = 0.1  # of the tolerance
# What a sweep leaves of the error before it: a Jacobian is taken anew, a step is too long, a step costs least.
STALE, SLOW, BRISK = 0.05, 0.9, 0.35
FIRST = 0.5  # length of the first step
LONGER, SHORTER, SAFETY = 4.0, 0.3, 0.9  # a step, to the one before
ROUNDING = 1e-14  # of the largest weight: none is held to less
LEAST = 1e-13  # of where it begins: no step is shorter
MOST = 20_000  # steps: only where the points cannot be separated are there so many


@runtime_checkable
class ExponentialTail(Protocol):
    """A model whose risk is known in logarithms, and its derivatives times any power of e."""

    def log_risk(self, w: Array) -> float:
        """ln R(w), of w with d entries."""

    def scaled_velocity(self, w: Array, power: Array) -> Array:
        """−e^power ∇R(w), of w … × d and … powers: … × d."""

    def scaled_jacobian(self, w: Array, power: float) -> Array:
        """−e^power ∇²R(w), of w with d entries: d × d."""


@dataclass(frozen=True)
class LogTimeState:
    """Where the flow stands after a step.

    t: ln t.
    theta: (w, ln t), d + 1 entries.
    evaluations: for how many w the velocity was evaluated.
    u: the stepper's own time, ln t or, early on, ln(ln t + c).
    log_c: ln c early on, None later.
    h: length of the step in u.
    following: length that the next one will try.
    velocity: dw/du, as the step's polynomial has it: free of what its stiffness makes of small errors.
    modes: eigenvalues and eigenvectors of −∂(dw/du)/∂w somewhere in the step or before.
    path: w where the step began and at its nodes, (s + 1) × d.
    """

    t: float
    theta: Array
    evaluations: int
    u: float
    log_c: float | None
    h: float
    following: float
    velocity: Array
    modes: tuple[Array, Array]
    path: Array

    def at(self, t: float) -> Array:
        """(w, ln t) at a value of ln t within the last step."""
        if t >= self.t:
            return self.theta
        u = t if self.log_c is None else np.logaddexp(np.log(t), self.log_c)
        return np.append(RULE.read(1 - (self.u - u) / self.h, self.path), t)

    def late(self) -> "LogTimeState":
        """The same state, from t = e on by the clock ln t."""
        if self.log_c is None or self.t < EARLY:
            return self
        slope = self.t + np.exp(self.log_c)
        rates, modes = self.modes
        return replace(
            self,
            u=self.t,
            log_c=None,
            following=self.following * slope,
            velocity=self.velocity / slope,
            modes=(rates / slope, modes),
        )


@dataclass(frozen=True)
class LogTimeStepper:  # attack: none, it takes functions
    """Radau's method in u = ln t, with Newton's method in the eigenvectors of one Jacobian a step.

    dw/d ln t = −t∇R(w)

    Late in the run w is linear in ln t, so that the steps grow without bound. How fast the flow begins depends on the
    first weights: for 1/c the largest eigenvalue of ∇²R there, at most 1 for c, the steps up to t = e are even in
    u = ln(ln t + c).

    model: ln R, velocity and Jacobian.
    rtol, atol: error allowed in a step in each entry of w, relative and absolute.
    """

    model: ExponentialTail
    rtol: float = 1e-10
    atol: float = 1e-12

    def __post_init__(self) -> None:
        """Refuse tolerances out of range."""
        number("rtol", self.rtol, least=3e-14, below=1)
        number("atol", self.atol, above=0)

    def init(self, theta: Array) -> LogTimeState:
        """The state at t = 1, from (w, 0)."""
        w = theta[:-1]
        log_risk = float(self.model.log_risk(w))
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            log_c = min(0.0, -log_risk - float(np.log(self._modes(w, -log_risk)[0][-1])))
            velocity, modes = self.model.scaled_velocity(w, np.asarray(log_c)), self._modes(w, log_c)
        return LogTimeState(0.0, theta, 1, log_c, log_c, 0.0, FIRST, velocity, modes, w[None])

    def step(self, state: LogTimeState) -> LogTimeState:
        """One step, as long as Newton's method and the tolerances allow; FlowError where that is no length."""
        state = state.late()
        h, spent = state.following, state.evaluations
        while h > LEAST * abs(state.u):
            stepped, error = self._newton(state, h)
            spent += stepped.evaluations
            if error <= 1:
                return replace(stepped, evaluations=spent)
            h *= max(SHORTER, SAFETY * error ** (-1 / STAGES))
        raise FlowError("its step has shrunk to the rounding of ln t; the solution may blow up there")

    def _newton(self, state: LogTimeState, h: float) -> tuple[LogTimeState, float]:
        """The state after a step of length h, its evaluations alone, and its error over what is allowed."""
        start, modes, fresh = state.theta[:-1], state.modes, False
        u = state.u + h * RULE.nodes
        log_t = u if state.log_c is None else np.exp(u) - np.exp(state.log_c)
        power = u if state.log_c is None else log_t + u  # t dw/dt du/dln t
        w = start + np.multiply.outer(h * RULE.nodes, state.velocity)
        size = np.abs(start)
        allowed = self.atol + self.rtol * np.maximum(size, np.abs(w[-1])) + ROUNDING * size.max()
        integrals, damping = h * RULE.integrals, 1 / (1 + np.multiply.outer(h * RULE.rates, modes[0]))
        offs = []
        for sweep in range(SWEEPS):
            velocity = self.model.scaled_velocity(w, power)
            missed = np.dot(integrals, velocity)  # np.dot: for so small matrices half of the time of @
            missed += start
            missed -= w
            across = np.dot(RULE.left, np.dot(missed, modes[1]))
            across *= damping
            moved = np.dot(np.dot(RULE.right, across).real, modes[1].T)
            w += moved
            moved /= allowed
            offs.append(float(np.sqrt(np.vdot(moved, moved))))
            share = offs[-1] / offs[-2] if sweep else 0.0
            if offs[-1] * share <= DONE * (1 - share) and (sweep or offs[0] <= DONE / 100):
                break
            if not offs[-1] < np.inf or (sweep > 1 and share > SLOW):
                return replace(state, evaluations=STAGES * len(offs)), np.inf
            if share > STALE and not fresh:
                modes, fresh = self._modes(w[STAGES // 2], power[STAGES // 2]), True
                damping = 1 / (1 + np.multiply.outer(h * RULE.rates, modes[0]))
        else:
            return replace(state, evaluations=STAGES * len(offs)), np.inf
        error = float((np.abs(RULE.tail @ w) / allowed).max())
        share = (offs[-1] / offs[0]) ** (1 / sweep) if sweep else 0.0
        grown = min(LONGER, SAFETY * max(error, 1e-9) ** (-1 / STAGES), BRISK / max(share, 1e-9))
        stepped = LogTimeState(
            t=float(log_t[-1]),
            theta=np.append(w[-1], log_t[-1]),
            evaluations=STAGES * len(offs),
            u=float(u[-1]),
            log_c=state.log_c,
            h=h,
            following=h * grown,
            velocity=RULE.slope @ (w - start) / h,
            modes=modes,
            path=np.vstack([start, w]),
        )
        return stepped, error

    def _modes(self, w: Array, power: float) -> tuple[Array, Array]:
        """Eigenvalues and eigenvectors of e^power ∇²R; where it overflows no numbers, which end Newton's method."""
        bent = -self.model.scaled_jacobian(w, power)
        if not np.all(np.isfinite(bent)):
            return np.full(w.size, np.nan), bent
        rates, modes = np.linalg.eigh(bent)
        return rates, modes


def log_time_flow(  # attack: none, it takes functions
    model: ExponentialTail,
    w: ArrayLike,
    *,
    log_t_end: float,
    record: Sequence[float] | Array = (),
    rtol: float = 1e-10,
    atol: float = 1e-12,
) -> Solution:
    """Integrate ẇ = −∇R(w) from t = 1 to t = e^{log_t_end}, far beyond what t itself could reach.

    dw/d ln t = −t∇R(w)

    model: risk, velocity and Jacobian in logarithms.
    w: w at t = 1, d entries.
    log_t_end: ln t at the end, positive.
    record: values of ln t at which the state is recorded.
    rtol, atol: as in ``LogTimeStepper``.

    Returns the solution; its times are ln t, its states (w, ln t) of d + 1 entries.

    >>> from implicit_bias import Classification, Exponential, LinearClassifier
    >>> points = Classification(np.array([[1.0, 1.0], [1.0, -1.0]]), np.ones(2))
    >>> run = log_time_flow(LinearClassifier(points, Exponential()), [0.0, 0.0], log_t_end=100.0)
    >>> run.final.round(3) + 0.0
    array([100.,   0., 100.])
    """
    instance("model", model, ExponentialTail)
    fits = getattr(model, "start", None)  # of a model that has one
    start = np.append(array("w", w, 1, None if fits is None else fits.shape), 0.0)
    return drive(LogTimeStepper(model, rtol, atol), start, t_end=log_t_end, record=record, max_steps=MOST)
