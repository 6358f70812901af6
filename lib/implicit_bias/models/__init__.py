"""Models: parameters, forward, gradient by hand, conserved quantities, and the exact reduction where there is one."""

from implicit_bias.late import names_of

__getattr__, __dir__ = names_of(__name__, {})
