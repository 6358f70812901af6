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
        m, teacher = self.width, self.teacher.w
        w, a = np.ascontiguousarray(state[..., :-1]), state[..., -1]
        (runs, _, d), charge = w.shape, -self.teacher.a / len(self.teacher.a)
        length, far = np.sqrt(np.einsum("rjk,rjk->rj", w, w)), np.linalg.norm(teacher, axis=1)
        unit = w / length[..., None]
        sine, beyond = _angles(unit @ unit.swapaxes(1, 2))
        cosine = unit.reshape(-1, d) @ (teacher / far[:, None]).T  # one product for all networks
        sines, beyonds = _angles(cosine)
        along = np.einsum("rij,rj->ri", sine, a / m * length) + (sines @ (charge * far)).reshape(runs, m)
        beyond *= (a / m)[:, None]
        slope = beyond @ w + (beyonds @ (charge[:, None] * teacher)).reshape(w.shape)
        unit *= along[..., None]
        slope += unit
        slope /= 2 * np.pi
        potential = np.einsum("rjk,rjk->rj", w, slope)
        # The pairs of the network count once in V and once in F, those with the teacher once and twice.
        cosine *= beyonds
        cosine += sines
        pull = length * (cosine @ (charge * far)).reshape(runs, m) / (2 * np.pi)
        risk = np.sum(a * (potential + pull), axis=1) / (2 * m) + self.zero
        velocity = np.empty_like(state)
        np.multiply(slope, -a[..., None], out=velocity[..., :-1])
        np.negative(potential, out=velocity[..., -1])
        return risk, velocity, np.einsum("rjk,rjk->r", velocity, velocity) / m


def _angles(cosine: Array) -> tuple[Array, Array]:
    """The sines of angles, and how far the angles are from π; the cosines are clipped in place."""
    np.clip(cosine, -1.0, 1.0, out=cosine)  # mutant(1.0): rounding beyond a cosine of one
    beyond = np.arccos(cosine)
    np.subtract(np.pi, beyond, out=beyond)
    sine = cosine * cosine
    np.subtract(1, sine, out=sine)
    return np.sqrt(sine, out=sine), beyond
