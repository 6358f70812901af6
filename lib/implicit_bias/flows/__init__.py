"""How parameters move: steppers, and the one driver that owns loop, stop and record."""

from implicit_bias.flows.backtracking import Descents, backtracking_descent
from implicit_bias.flows.driver import Solution, drive
from implicit_bias.flows.gradient_descent import GradientDescent
from implicit_bias.flows.log_time import log_time_flow
from implicit_bias.flows.ode import OdeStepper, gradient_flow

__all__ = [
    "Descents",
    "GradientDescent",
    "OdeStepper",
    "Solution",
    "backtracking_descent",
    "drive",
    "gradient_flow",
    "log_time_flow",
]
