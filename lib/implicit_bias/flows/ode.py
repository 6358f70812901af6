"""Gradient flow as an ordinary differential equation, on SciPy's solvers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import integrate

from implicit_bias.checks import Array, number
from implicit_bias.flows.driver import FlowError, Solution, drive

Method = Literal["DOP853", "LSODA", "BDF", "Radau"]
MAX_STEPS = 100_000
METHODS: tuple[Method, ...] = ("DOP853", "LSODA", "BDF", "Radau")


@dataclass(frozen=True)
class OdeState:
    """A state of SciPy's solver object, which moves on in place: only the newest state can be stepped.

    t: time.
    theta: the parameters.
    evaluations: of the velocity.
    solver: SciPy's, which stands at t.
    """

    t: float
    theta: Array
    evaluations: int
    solver: Any

    def at(self, t: float) -> Array:
        """θ(t) within the last step, by the solver's own interpolant."""
        return self.theta if t == self.t else np.asarray(self._interpolant(t))

    @cached_property
    def _interpolant(self) -> Any:
        """The solver's interpolant of its last step, which costs evaluations, made once."""
        return self.solver.dense_output()


@dataclass(frozen=True)
class OdeStepper:  # attack: none, it takes functions
    """Steps θ̇ = velocity(θ) with error control.

    velocity: θ ↦ θ̇, p entries.
    jacobian: θ ↦ ∂θ̇/∂θ, p × p; stiff methods approximate it where it is None.
    method: DOP853 (explicit), or LSODA, BDF, Radau (stiff).
    rtol, atol: local error allowed in a step, relative and absolute.

    >>> from implicit_bias.flows import drive
    >>> drive(OdeStepper(lambda w: -w, method="DOP853"), [1.0], t_end=np.log(2)).final.round(6)
    array([0.5])
    """

    velocity: Callable[[Array], Array]
    jacobian: Callable[[Array], Array] | None = None
    method: Method = "LSODA"
    rtol: float = 1e-10
    atol: float = 1e-12

    def __post_init__(self) -> None:
        """Refuse what is no function, an unknown method and tolerances out of range."""
        if not callable(self.velocity):
            raise ValueError(f"velocity is {self.velocity!r}; it must be a function of theta")
        if self.method not in METHODS:
            raise ValueError(f"method is {self.method!r}; it must be one of {', '.join(METHODS)}")
        number("rtol", self.rtol, least=3e-14, below=1)
        number("atol", self.atol, above=0)

    def init(self, theta: Array) -> OdeState:
        """The state at t = 0."""
        options: dict[str, Any] = {"rtol": self.rtol, "atol": self.atol}
        jacobian = self.jacobian
        if jacobian is not None and self.method != "DOP853":
            options["jac"] = lambda t, y: jacobian(y)
        if self.method == "LSODA" and not np.any(self._slope(0.0, theta)):
            options["first_step"] = 1.0  # LSODA takes it from the velocity: an infinite one at a stationary point
        solver = getattr(integrate, self.method)(self._slope, 0.0, theta, np.inf, **options)
        return OdeState(0.0, theta, solver.nfev, solver)

    def _slope(self, t: float, theta: Array) -> Array:
        slope = self.velocity(theta)
        if np.shape(slope) != theta.shape:
            raise ValueError(f"velocity(theta) has shape {np.shape(slope)}; it must be {theta.size}")
        return slope

    def step(self, state: OdeState) -> OdeState:
        """One accepted step of the solver; FlowError where it gives up."""
        solver = state.solver
        message = solver.step()
        if solver.status == "failed":
            raise FlowError(message)
        if solver.t <= state.t:
            raise FlowError("its step has shrunk to the rounding of t; the solution may blow up there")
        return OdeState(float(solver.t), solver.y.copy(), solver.nfev, solver)


def gradient_flow(  # attack: none, it takes functions
    velocity: Callable[[Array], Array],
    theta: ArrayLike,
    *,
    t_end: float,
    jacobian: Callable[[Array], Array] | None = None,
    method: Method = "LSODA",
    rtol: float = 1e-10,
    atol: float = 1e-12,
    residual: Callable[[Array], float] | None = None,
    target: float = 0.0,
    record: Sequence[float] | Array = (),
    premise: Callable[[Array], str | None] | None = None,
    max_steps: int = MAX_STEPS,
) -> Solution:
    """Integrate θ̇ = velocity(θ) from θ(0) until the residual falls to its target or t_end.

    velocity: θ ↦ θ̇, p entries; −∇L for gradient flow.
    theta: θ(0), p numbers.
    t_end, residual, target, record: as in ``drive``. A target below the noise that the integrator's tolerances leave is
        never reached; the run then ends with its last step.
    premise, max_steps: as in ``drive``.
    jacobian, method, rtol, atol: as in ``OdeStepper``.

    Returns the solution.

    >>> x, y = np.array([[1.0, 2.0]]), np.array([5.0])
    >>> run = gradient_flow(lambda w: -x.T @ (x @ w - y), [0.0, 0.0], t_end=100.0)
    >>> run.final.round(6)
    array([1., 2.])
    """
    stepper = OdeStepper(velocity, jacobian, method, rtol, atol)
    return drive(
        stepper,
        theta,
        t_end=t_end,
        residual=residual,
        target=target,
        record=record,
        premise=premise,
        max_steps=max_steps,
    )
