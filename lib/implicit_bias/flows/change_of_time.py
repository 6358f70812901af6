"""The same curve by another clock: a change of time along a flow."""

from collections.abc import Callable

import numpy as np

from implicit_bias.checks import Array


def warped(  # attack: none, it takes functions
    velocity: Callable[[Array], Array], speed: Callable[[Array], float]
) -> Callable[[Array], Array]:
    """The flow θ̇ = velocity(θ) by a clock τ that runs at dτ = dt/speed(θ); it carries the time t along.

    dθ/dτ = speed(θ)·velocity(θ),  dt/dτ = speed(θ)

    The curve and its limit are those of the flow itself as long as the speed stays positive and finite; only the
    moments change.

    velocity: θ ↦ θ̇, p entries.
    speed: θ ↦ dt/dτ > 0.

    Returns the velocity of (θ, t), p + 1 entries, for ``gradient_flow`` or ``OdeStepper``; it raises ValueError where
    the speed is not positive.
    Reference: Azulay et al. 2021, Section 5, equations (13) and (14).

    >>> from implicit_bias.flows import gradient_flow
    >>> velocity = warped(lambda w: -w, lambda w: 2.0)
    >>> gradient_flow(velocity, [1.0, 0.0], t_end=1.0).final.round(6)
    array([0.135335, 2.      ])
    """

    def velocity_by_the_other_clock(state: Array) -> Array:
        theta = state[:-1]
        factor = float(speed(theta))
        if not factor > 0:
            raise ValueError(f"speed is {factor:g}; it must be positive along the curve")
        return np.append(factor * velocity(theta), factor)

    return velocity_by_the_other_clock
