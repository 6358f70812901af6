"""Models: start, outputs, gradient by hand, conserved quantities, and the exact reduction where there is one.

Hidden weights are W, m × d, and output weights a; what gradient flow can train is a ``Flow``, of ``protocol``.
"""
