"""Models: parameters, forward, gradient by hand, conserved quantities, and the exact reduction where there is one."""
