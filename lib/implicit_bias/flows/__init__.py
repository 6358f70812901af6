"""How parameters move: steppers, and the one driver that owns loop, stop and record."""

from implicit_bias.flows.backtracking import Descents, backtracking_descent
from implicit_bias.flows.conic import ConicDescent
from implicit_bias.flows.driver import Solution, drive
from implicit_bias.flows.gradient_descent import GradientDescent
from implicit_bias.flows.log_time import log_time_flow
from implicit_bias.flows.minibatch import Batches, Checkpoint, Course, minibatch_descent
from implicit_bias.flows.ode import OdeStepper, gradient_flow
from implicit_bias.flows.warp import warped

__all__ = [
    "Batches",
    "Checkpoint",
    "ConicDescent",
    "Course",
    "Descents",
    "GradientDescent",
    "OdeStepper",
    "Solution",
    "backtracking_descent",
    "drive",
    "gradient_flow",
    "log_time_flow",
    "minibatch_descent",
    "warped",
]
