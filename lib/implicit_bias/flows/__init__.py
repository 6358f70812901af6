"""How parameters move: steppers, and the one driver that owns loop, stop and record."""

from implicit_bias.flows.adam_flow import adam_flow
from implicit_bias.flows.along import Along, follow_along
from implicit_bias.flows.attention_flow import attention_flow, key_query_flow
from implicit_bias.flows.backtracking import Descents, backtracking_descent
from implicit_bias.flows.change_of_time import warped
from implicit_bias.flows.checkpoint import Checkpoint
from implicit_bias.flows.conic_descent import ConicDescent
from implicit_bias.flows.descent import GradientDescent
from implicit_bias.flows.driver import FlowError, Solution, drive
from implicit_bias.flows.follow import descend, follow, follow_kinked
from implicit_bias.flows.frozen import FrozenRun, double_steps, follow_frozen
from implicit_bias.flows.log_time import log_time_flow
from implicit_bias.flows.margin_ascent import MultiplicativeAscent, ProjectedAscent
from implicit_bias.flows.margin_flow import margin_flow
from implicit_bias.flows.minibatch import Batches, Course, minibatch_descent
from implicit_bias.flows.mirror import MirrorFlow, follow_mirror
from implicit_bias.flows.ode import OdeStepper, gradient_flow
from implicit_bias.flows.passing import passing_times
from implicit_bias.flows.scheduled import ScheduledDescent
from implicit_bias.flows.steepest import Adam, CrossEntropyDescent, Muon, Normalized, newton_schulz, polar_factor
from implicit_bias.models.protocol import Flow

__all__ = [
    "Adam",
    "Along",
    "Batches",
    "Checkpoint",
    "ConicDescent",
    "Course",
    "CrossEntropyDescent",
    "Descents",
    "Flow",
    "FlowError",
    "FrozenRun",
    "GradientDescent",
    "MirrorFlow",
    "MultiplicativeAscent",
    "Muon",
    "Normalized",
    "OdeStepper",
    "ProjectedAscent",
    "ScheduledDescent",
    "Solution",
    "adam_flow",
    "attention_flow",
    "backtracking_descent",
    "descend",
    "double_steps",
    "drive",
    "follow",
    "follow_along",
    "follow_frozen",
    "follow_kinked",
    "follow_mirror",
    "gradient_flow",
    "key_query_flow",
    "log_time_flow",
    "margin_flow",
    "minibatch_descent",
    "newton_schulz",
    "passing_times",
    "polar_factor",
    "warped",
]
