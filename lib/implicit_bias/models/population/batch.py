"""Many two-layer ReLU networks of one width at once, in any dimension, on their exact population risk."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from implicit_bias.checks import Array, whole
from implicit_bias.data import Teacher
from implicit_bias.kernels import relu_kernel


@dataclass(frozen=True)
class NetworkBatch:
    """R networks f(x) = (1/m) Σ_j a_j (w_j·x)₊ for x ~ N(0, I_d), all with one teacher; a state is R × m × (d + 1).

    The risk and the flow are those of ``PopulationFlow``: ẇ_j = −a_j ∇V(w_j), ȧ_j = −V(w_j). All angles come from one
    product of matrices. Where an angle θ is small its cosine fixes it to 1e-8 only, which is enough: the kernel's
    error is the square of that, the gradient's is θ times it.

    width: m.
    teacher: f*.

    >>> from implicit_bias.data import Teacher
    >>> batch = NetworkBatch(1, Teacher(w=np.array([[1.0, 0.0]]), a=np.array([1.0])))
    >>> value, velocity, dissipation = batch.descent(np.array([[[1.0, 0.0, 1.0]], [[0.0, 1.0, 1.0]]]))
    >>> bool(value[0] < 1e-12), bool(value[1] > 0.1)
    (True, True)
    """

    width: int
    teacher: Teacher

    def __post_init__(self) -> None:
        """Refuse a network without neurons."""
        whole("width", self.width, least=1)

    @cached_property
    def zero(self) -> float:
        """F of the network 0: half the mean square of the labels."""
        charge = self.teacher.a / len(self.teacher.a)
        return float(charge @ relu_kernel(self.teacher.w, self.teacher.w) @ charge) / 2

    def descent(self, state: Array) -> tuple[Array, Array, Array]:
        """What a descent needs to know.

        state: R × m × (d + 1), the (w_j, a_j); no w_j may be 0.

        Returns R risks F, velocities as the state, and R dissipations −Ḟ = (1/m) Σ_j (‖ẇ_j‖² + ȧ_j²).
        """
        m = self.width
        w, a = state[..., :-1], state[..., -1]
        runs, count = len(a), len(self.teacher.a)
        place = np.concatenate([w, np.broadcast_to(self.teacher.w, (runs, *self.teacher.w.shape))], axis=1)
        charge = np.concatenate([a / m, np.broadcast_to(-self.teacher.a / count, (runs, count))], axis=1)[:, None, :]
        length = np.linalg.norm(place, axis=-1)
        unit = place / length[..., None]
        cosine = np.clip(unit[:, :m] @ unit.swapaxes(1, 2), -1.0, 1.0)  # mutant(1.0): rounding beyond a cosine of one
        sine, beyond = np.sqrt(1 - cosine**2), np.pi - np.arccos(cosine)
        along = np.sum(sine * charge * length[:, None, :], axis=-1)
        slope = ((beyond * charge) @ place + along[..., None] * unit[:, :m]) / (2 * np.pi)
        potential = np.sum(w * slope, axis=-1)
        # The pairs of the network count once in V and once in F, those with the teacher once and twice.
        shape = (sine + beyond * cosine)[:, :, m:] * length[:, None, m:] * charge[:, :, m:]
        pull = length[:, :m] * np.sum(shape, axis=-1) / (2 * np.pi)
        risk = np.sum(a * (potential + pull), axis=1) / (2 * m) + self.zero
        velocity = -np.concatenate([a[..., None] * slope, potential[..., None]], axis=-1)
        return risk, velocity, np.sum(velocity**2, axis=(1, 2)) / m
