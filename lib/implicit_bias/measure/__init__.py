"""What the theorems say of a network that you bring: its model, its data and its loop stay as they are."""

from implicit_bias.measure.balance import Balance, Pair, balance, guessed
from implicit_bias.measure.curvature import Sharpness, hessian, largest_eigenvalue, sharpness
from implicit_bias.measure.excess import excess, linear_weights, turns_excess
from implicit_bias.measure.layers import Layers, layers
from implicit_bias.measure.margin import LastLayer, Margin, last_layer, margin
from implicit_bias.measure.report import Report, report
from implicit_bias.measure.row import Premise, Row
from implicit_bias.measure.stationarity import Stationarity, stationarity
from implicit_bias.measure.twin import Distance, distance, linearized, remainder
from implicit_bias.measure.watch import Watch, watch

__all__ = [
    "Balance",
    "Distance",
    "LastLayer",
    "Layers",
    "Margin",
    "Pair",
    "Premise",
    "Report",
    "Row",
    "Sharpness",
    "Stationarity",
    "Watch",
    "balance",
    "distance",
    "excess",
    "guessed",
    "hessian",
    "largest_eigenvalue",
    "last_layer",
    "layers",
    "linear_weights",
    "linearized",
    "margin",
    "remainder",
    "report",
    "sharpness",
    "stationarity",
    "turns_excess",
    "watch",
]
