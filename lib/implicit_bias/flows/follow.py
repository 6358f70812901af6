"""How a chapter trains a model: along its gradient flow, or by gradient descent at a constant learning rate."""

from collections.abc import Sequence
from typing import Any

from implicit_bias.checks import Array, instance
from implicit_bias.flows.descent import GradientDescent
from implicit_bias.flows.driver import FlowError, Solution, drive
from implicit_bias.flows.ode import MAX_STEPS, Method, gradient_flow
from implicit_bias.models.protocol import Flow


def follow(  # attack: none, it takes a model
    flow: Flow,
    *,
    t_end: float = 1e9,
    misfit: float | None = None,
    record: Sequence[float] | Array = (),
    method: Method | None = None,
    rtol: float = 1e-10,
    atol: float | None = None,
    max_steps: int = MAX_STEPS,
) -> Solution:
    """Follow a model's gradient flow from its start to a time, or to a misfit before that time.

    dθ/dt = velocity(θ),  θ(0) = start

    A ReLU's velocity jumps at its kink, where integrators stall: take ``LeakyReLU(0.0, width=1e-3)``, which is smooth,
    or ``descend``.

    flow: the model; where its misfit, ‖y − f(X)‖, is asked for, it has one.
    t_end: the time at which to stop.
    misfit: the run ends where the misfit has fallen to it; None: at t_end.
    record: increasing times at which the state is kept, besides the start and the end.
    method: of ``OdeStepper``; None: LSODA if the flow has a Jacobian, DOP853 otherwise.
    rtol, atol: local error allowed in a step, relative and absolute; atol None: rtol/100.
    max_steps: most steps.

    Returns the solution.
    Raises FlowError for a run that ends before, with the sentence that says how; ValueError for a flow without misfit
    and arguments outside their range.

    >>> from implicit_bias.models.linear import DiagonalNetwork, DualFlow
    >>> net = DiagonalNetwork.unbiased(2, scale=0.1, shape=0.0)
    >>> flow = DualFlow(net, np.array([[1.0, 2.0]]), np.array([4.0]))
    >>> run = follow(flow, misfit=1e-9)
    >>> flow.predictor(run.final).round(3)
    array([0.401, 1.799])
    """
    instance("flow", flow, Flow)
    jacobian = getattr(flow, "jacobian", None)
    chosen: Method = method or ("DOP853" if jacobian is None else "LSODA")
    return gradient_flow(
        flow.velocity,
        flow.start,
        t_end=t_end,
        jacobian=jacobian,
        method=chosen,
        rtol=rtol,
        atol=rtol / 100 if atol is None else atol,
        record=record,
        max_steps=max_steps,
        **_stop(flow, misfit),
    ).demand()


def follow_kinked(  # attack: none, it takes a model
    flow: Flow, *, t_end: float, record: Sequence[float] | Array = (), rtol: float = 1e-11, max_steps: int = 10_000
) -> Solution:
    """Follow the flow of a model with narrow smooth kinks, of a width above 0, to a time.

    LSODA can creep along such a kink; Radau, which takes longer, is taken where the first does not arrive.

    flow: the model, with its Jacobian.
    t_end: the time at which to stop.
    record: increasing times at which the state is kept, besides the start and the end.
    rtol: of LSODA, relative; absolute a thousandth of it. Where it takes too many steps Radau's are 1e-9 and 1e-12.
    max_steps: most steps of either.

    Returns the solution.
    Raises FlowError where both end before the time.

    >>> from implicit_bias.models.linear import DiagonalNetwork, DualFlow
    >>> net = DiagonalNetwork.unbiased(2, scale=0.1, shape=0.0)
    >>> run = follow_kinked(DualFlow(net, np.array([[1.0, 2.0]]), np.array([4.0])), t_end=9.0)
    >>> float(run.t[-1])
    9.0
    """
    try:
        return follow(flow, t_end=t_end, record=record, rtol=rtol, atol=rtol / 1000, max_steps=max_steps)
    except FlowError:
        return follow(flow, t_end=t_end, record=record, method="Radau", rtol=1e-9, atol=1e-12, max_steps=max_steps)


def descend(  # attack: none, it takes a model
    flow: Flow,
    learning_rate: float,
    *,
    t_end: float,
    misfit: float | None = None,
    record: Sequence[float] | Array = (),
    max_steps: int = 10_000_000,
) -> Solution:
    """Take steps of gradient descent from a model's start to a time, or to a misfit before that time.

    θ ← θ + η · velocity(θ),  t = η · steps

    flow: the model; where its misfit, ‖y − f(X)‖, is asked for, it has one.
    learning_rate: η > 0.
    t_end: the time at which to stop.
    misfit: the run ends where the misfit has fallen to it; None: at t_end.
    record: increasing times at which the state is kept, besides the start and the end.
    max_steps: most steps.

    Returns the solution.
    Raises FlowError for a run that ends before, with the sentence that says how; ValueError for a flow without misfit
    and arguments outside their range.

    >>> from implicit_bias.models.linear import DiagonalFlow, DiagonalNetwork
    >>> net = DiagonalNetwork.unbiased(2, scale=0.1, shape=0.0)
    >>> flow = DiagonalFlow(net, np.array([[1.0, 2.0]]), np.array([4.0]))
    >>> run = descend(flow, 1e-3, t_end=100.0, misfit=1e-6)
    >>> flow.predictor(run.final).round(2)
    array([0.4, 1.8])
    """
    instance("flow", flow, Flow)
    gradient = getattr(flow, "gradient", lambda state: -flow.velocity(state))
    stepper = GradientDescent(gradient, learning_rate)
    stop = _stop(flow, misfit)
    return drive(stepper, flow.start, t_end=t_end, record=record, max_steps=max_steps, **stop).demand()


def _stop(flow: object, misfit: float | None) -> dict[str, Any]:
    """When a run ends, in the words of ``drive``."""
    if misfit is None:
        return {}
    if not hasattr(flow, "misfit"):
        raise ValueError(f"misfit is {misfit:g}, but a {type(flow).__name__} has none; leave it out and give t_end")
    return {"residual": flow.misfit, "target": misfit}
