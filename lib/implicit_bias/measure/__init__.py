"""What the theorems say of a network that you bring: its model, its data and its loop stay as they are."""

from implicit_bias.measure.row import Premise, Row

__all__ = ["Premise", "Row"]
