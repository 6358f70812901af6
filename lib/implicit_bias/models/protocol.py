"""What every model says that gradient flow can train."""

from typing import Protocol, runtime_checkable

from implicit_bias.checks import Array


@runtime_checkable
class Flow(Protocol):
    """A model at its start, whose state is one vector of p numbers; ``follow`` and ``descend`` train it.

    θ̇ = velocity(θ),  θ(0) = start

    Where it has a ``jacobian``, state ↦ ∂velocity/∂θ, p × p, stiff integrators use it; a ``gradient`` of it is
    −velocity; where it fits labels it has a ``misfit``, state ↦ ‖y − f(X)‖, to which a run may be followed.

    >>> from implicit_bias.models.linear import DiagonalFlow, DiagonalNetwork
    >>> flow = DiagonalFlow(DiagonalNetwork.unbiased(1, scale=0.5, shape=0.0), np.array([[1.0]]), np.array([1.0]))
    >>> flow.start.shape, flow.velocity(flow.start).shape
    ((4,), (4,))
    """

    @property
    def start(self) -> Array:
        """The state at t = 0."""

    def velocity(self, state: Array) -> Array:
        """The state's derivative in t."""
