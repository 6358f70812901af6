"""Many two-layer ReLU networks in the plane at once, on their exact population risk, in m log m operations each."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from implicit_bias.checks import Array, array, kept
from implicit_bias.data import Teacher

TURN = 2 * np.pi


@dataclass(frozen=True)
class PlanarNetworks:
    """R balanced networks f(x) = Σ_j p_j a_j (w_j·x)₊ for x ~ N(0, I₂), each with its own masses, all with one teacher.

    The flow of ``PopulationFlow`` keeps a_j = s_j ‖w_j‖ if it starts so; with w_j = e^{ρ_j} (cos φ_j, sin φ_j):

    ρ̇_j = −s_j V(φ_j),  φ̇_j = −s_j V′(φ_j),  V(φ) = E[(f(x) − f*(x)) (x₁ cos φ + x₂ sin φ)₊]

    On the circle f − f* is v_e·x between neighbouring kinks, and over a sector ∫ x xᵀ is elementary. Sorting the kinks
    and adding up the sectors gives the risk and every particle's force, without a sum over pairs.

    mass: R × M masses p_j ≥ 0, 1/m for m particles; a mass of 0 makes room for networks of unequal width.
    sign: R × M signs s_j of the a_j.
    teacher: f*, in the plane.

    >>> from implicit_bias.data import Teacher
    >>> teacher = Teacher(w=np.array([[1.0, 0.0]]), a=np.array([1.0]))
    >>> networks = PlanarNetworks(np.ones((1, 1)), np.ones((1, 1)), teacher)
    >>> value, velocity, dissipation = networks.descent(np.array([[[0.0, 0.3]]]))
    >>> velocity.shape, bool(value[0] > 0)
    ((1, 1, 2), True)
    """

    mass: Array
    sign: Array
    teacher: Teacher

    def __post_init__(self) -> None:
        """Refuse masses that are negative, signs that are none and a teacher outside the plane."""
        if np.any(kept(self, "mass", 2) < 0):
            raise ValueError(f"mass holds {int(np.sum(self.mass < 0))} negative entries; it must be at least 0")
        if np.any(np.abs(kept(self, "sign", 2, self.mass.shape)) != 1):
            raise ValueError("sign holds entries that are not 1 or -1")
        array("teacher.w", self.teacher.w, 2, (None, 2))

    def particles(self, state: Array) -> tuple[Array, Array]:
        """The w_j (… × M × 2) and a_j (… × M) of states (ρ_j, φ_j), … × M × 2."""
        length, angle = np.exp(state[..., 0]), state[..., 1]
        w = length[..., None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        return w, self.sign * length

    def risk(self, state: Array) -> Array:
        """F of each network, R numbers."""
        return self.descent(state)[0]

    def descent(self, state: Array) -> tuple[Array, Array, Array]:
        """What a descent needs to know.

        state: R × M × 2, the (ρ_j, φ_j).

        Returns R risks F, R × M × 2 velocities (ρ̇_j, φ̇_j) and R dissipations −Ḟ = Σ_j p_j e^{2ρ_j} (2V² + V′²).
        """
        runs, width = self.mass.shape
        turned, charge = self._known
        count = width + charge.shape[-1]
        angle = np.empty((runs, count))
        angle[:, :width], angle[:, width:] = state[..., 1], turned
        unit = np.empty((2, runs, count))  # components first
        np.cos(angle, out=unit[0])
        np.sin(angle, out=unit[1])
        a = self.sign * np.exp(state[..., 0])
        slope = np.empty_like(unit)  # of a neuron where it is active
        np.multiply(self.mass * a * np.abs(a), unit[..., :width], out=slope[..., :width])
        slope[..., width:] = charge
        kinks = np.concatenate([angle - np.pi / 2, angle + np.pi / 2], axis=1) % TURN  # it turns on, it turns off
        wraps = kinks[:, count:] < kinks[:, :count]
        order = np.argsort(kinks, axis=1)
        order += (2 * count * np.arange(runs))[:, None]
        # At an edge e between sectors: e/2, and the parts of ∫ x xᵀ that turn; all of the same rounded e: then
        # no sector adds less than nothing to the risk, however small it is.
        edges = np.empty((3, runs, 2 * count + 2))
        edges[0, :, 0], edges[0, :, -1] = 0.0, TURN
        np.take(kinks, order, out=edges[0, :, 1:-1])
        np.multiply(edges[0], 2.0, out=edges[2])
        np.sin(edges[2], out=edges[1])
        np.cos(edges[2], out=edges[2])
        edges *= [[[0.5]], [[0.25]], [[-0.25]]]
        size, even, odd = edges[:, :, 1:] - edges[:, :, :-1]
        # v in the sector behind each kink; before the first kink those neurons are active that turn off first.
        v = np.empty((2, runs, 2 * count + 1))
        v[..., 0] = np.sum(slope * wraps, axis=2)
        v[..., 1:] = np.concatenate([slope, -slope], axis=2).reshape(2, -1).take(order, axis=1)
        np.cumsum(v, axis=2, out=v)
        # ∫ x xᵀ over a sector, times v, over π: with E‖x‖² = 2 the mean of (f − f*) x.
        moment = np.empty_like(v)
        moment[0], moment[1] = (size + even) * v[0] + odd * v[1], odd * v[0] + (size - even) * v[1]
        moment /= np.pi
        risk = np.sum(v * moment, axis=(0, 2)) / 2
        np.cumsum(moment, axis=2, out=moment)
        until = np.empty((2, runs, 2 * count))
        until.reshape(2, -1)[:, order] = moment[..., :-1]
        pull = until[..., count : count + width] - until[..., :width]
        pull += wraps[:, :width] * moment[..., -1:]
        direction = unit[..., :width]
        height = direction[0] * pull[0] + direction[1] * pull[1]
        turning = direction[0] * pull[1] - direction[1] * pull[0]
        velocity = np.empty((runs, width, 2))
        velocity[..., 0], velocity[..., 1] = -self.sign * height, -self.sign * turning
        dissipation = np.sum(self.mass * a**2 * (2 * height**2 + turning**2), axis=1)
        return risk, velocity, dissipation

    @cached_property
    def _known(self) -> tuple[Array, Array]:
        """The angles of the teacher's k neurons, and minus their slopes where they are active, 2 × 1 × k."""
        w = self.teacher.w.T
        return np.arctan2(w[1], w[0]), (-self.teacher.a / len(self.teacher.a) * w)[:, None]
