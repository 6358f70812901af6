"""Many two-layer ReLU networks in the plane at once, on their exact population risk, in m log m operations each."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.checks import Array, array
from implicit_bias.data import Teacher

TURN = 2 * np.pi


@dataclass(frozen=True)
class PlanarNetworks:
    """R balanced networks f(x) = Σ_j p_j b_j (a_j·x)₊ for x ~ N(0, I₂), each with its own masses, all with one teacher.

    The flow of ``TwoLayerNetwork`` keeps b_j = s_j ‖a_j‖ if it starts so; with a_j = e^{ρ_j} (cos φ_j, sin φ_j) it is

    ρ̇_j = −s_j V(φ_j),  φ̇_j = −s_j V′(φ_j),  V(φ) = E[(f(x) − f*(x)) (x₁ cos φ + x₂ sin φ)₊]

    On the circle f − f* is v_e·x between neighbouring kinks, and over a sector ∫ x xᵀ is elementary. Sorting the kinks
    and adding up the sectors gives the risk and every particle's force, without a sum over pairs.

    mass: R × M masses p_j ≥ 0, 1/m for m particles; a mass of 0 makes room for networks of unequal width.
    sign: R × M signs s_j of the b_j.
    teacher: f*, in the plane.
    """

    mass: Array
    sign: Array
    teacher: Teacher

    def __post_init__(self) -> None:
        """Refuse masses that are negative, signs that are none and a teacher outside the plane."""
        if np.any(array("mass", self.mass, 2) < 0):
            raise ValueError(f"mass holds {int(np.sum(self.mass < 0))} negative entries; it must be at least 0")
        if np.any(np.abs(array("sign", self.sign, 2, self.mass.shape)) != 1):
            raise ValueError("sign holds entries that are not 1 or -1")
        array("teacher.a", self.teacher.a, 2, (None, 2))

    def particles(self, state: Array) -> tuple[Array, Array]:
        """The a_j (… × M × 2) and b_j (… × M) of states (ρ_j, φ_j), … × M × 2."""
        length, angle = np.exp(state[..., 0]), state[..., 1]
        a = length[..., None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        return a, self.sign * length

    def risk(self, state: Array) -> Array:
        """F of each network, R numbers."""
        return self.descent(state)[0]

    def descent(self, state: Array) -> tuple[Array, Array, Array]:
        """What a descent needs to know.

        state: R × M × 2, the (ρ_j, φ_j).

        Returns R risks F, R × M × 2 velocities (ρ̇_j, φ̇_j) and R dissipations −Ḟ = Σ_j p_j e^{2ρ_j} (2V² + V′²).
        """
        runs, width = self.mass.shape
        a, b = self.particles(state)
        known = np.broadcast_to(self.teacher.a, (runs, *self.teacher.a.shape))
        charge = np.broadcast_to(-self.teacher.b / len(self.teacher.b), known.shape[:2])
        place = np.concatenate([a, known], axis=1)
        slope = (
            np.concatenate([self.mass * b, charge], axis=1)[..., None] * place
        )  # a neuron's slope where it is active
        angle = np.arctan2(place[..., 1], place[..., 0])
        kinks = np.concatenate([angle - np.pi / 2, angle + np.pi / 2], axis=1) % TURN  # it turns on, it turns off
        jumps = np.concatenate([slope, -slope], axis=1)
        order = np.argsort(kinks, axis=1)
        at = np.take_along_axis(kinks, order, axis=1)
        jump = np.take_along_axis(jumps, order[..., None], axis=1)
        # v in the sector behind each kink; before the first kink those neurons are active that turn off first.
        on, off = kinks[:, : kinks.shape[1] // 2], kinks[:, kinks.shape[1] // 2 :]
        before = np.sum(np.where((off < on)[..., None], slope, 0.0), axis=1, keepdims=True)
        v = np.concatenate([before, before + np.cumsum(jump, axis=1)], axis=1)
        edge = np.concatenate([np.zeros((runs, 1)), at, np.full((runs, 1), TURN)], axis=1)
        size, double = np.diff(edge, axis=1) / 2, 2 * edge
        even, odd = np.diff(np.sin(double), axis=1) / 4, -np.diff(np.cos(double), axis=1) / 4
        # ∫ x xᵀ over a sector, times v, over π: with E‖x‖² = 2 the mean of (f − f*) x.
        moment = np.stack(
            [(size + even) * v[..., 0] + odd * v[..., 1], odd * v[..., 0] + (size - even) * v[..., 1]], axis=-1
        )
        moment /= np.pi
        risk = np.sum(v * moment, axis=(1, 2)) / 2
        total = np.cumsum(moment, axis=1)
        until = np.empty_like(jumps)
        np.put_along_axis(until, order[..., None], total[:, :-1], axis=1)
        count = place.shape[1]
        pull = until[:, count : count + width] - until[:, :width]
        pull += np.where((off < on)[:, :width, None], total[:, -1:], 0.0)
        direction = a / np.exp(state[..., :1])
        height = np.sum(direction * pull, axis=-1)
        turning = direction[..., 0] * pull[..., 1] - direction[..., 1] * pull[..., 0]
        velocity = -self.sign[..., None] * np.stack([height, turning], axis=-1)
        dissipation = np.sum(self.mass * b**2 * (2 * height**2 + turning**2), axis=1)
        return risk, velocity, dissipation
