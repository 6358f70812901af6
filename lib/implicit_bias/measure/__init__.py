"""What the theorems say of a network that you bring: its model, its data and its loop stay as they are."""

from implicit_bias.measure.balance import Balance, Pair, balance, guessed
from implicit_bias.measure.row import Premise, Row
from implicit_bias.measure.twin import Distance, distance, linearized, remainder
from implicit_bias.measure.watch import Watch, watch

__all__ = [
    "Balance",
    "Distance",
    "Pair",
    "Premise",
    "Row",
    "Watch",
    "balance",
    "distance",
    "guessed",
    "linearized",
    "remainder",
    "watch",
]
