"""Teachers: networks with few ReLU neurons whose output is the label, known in full and without noise."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, instance, kept, memory, whole


@brief()
@dataclass(frozen=True)
class Teacher:
    """The labels f*(x) = (1/m*) Σ_k a*_k (w*_k·x)₊.

    w: m* × d, the hidden weights w*_k.
    a: m* output weights a*_k.

    >>> teacher = Teacher(w=np.array([[1.0, 0.0], [0.0, 1.0]]), a=np.array([1.0, -1.0]))
    >>> len(teacher.a)
    2
    """

    w: Array
    a: Array

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        kept(self, "a", 1, (len(kept(self, "w", 2)),))


def planar_teacher(rng: np.random.Generator, neurons: int) -> Teacher:
    """A teacher in the plane, with well-separated neurons of both signs.

    The lines of the w*_k are a random turn of lines at angles π(k + u_k)/m*, |u_k| ≤ ¼; each w*_k is one of the two
    unit vectors on its line, and the a*_k are ±1 in random order, ⌈m*/2⌉ of them positive.

    rng: the generator.
    neurons: m* ≥ 2.

    Returns the teacher. Two of its lines differ by an angle of at least π/2m*.

    >>> teacher = planar_teacher(np.random.default_rng(0), 3)
    >>> np.linalg.norm(teacher.w, axis=1), sorted(teacher.a.tolist())
    (array([1., 1., 1.]), [-1.0, 1.0, 1.0])
    """
    instance("rng", rng, np.random.Generator)
    neurons = whole("neurons", neurons, least=2)
    memory("neurons", neurons, 8 * 10 * neurons)
    turn = rng.uniform(0, np.pi)
    lines = np.pi * (np.arange(neurons) + rng.uniform(-0.25, 0.25, neurons)) / neurons
    angle = turn + lines + np.pi * rng.integers(0, 2, neurons)
    signs = rng.permutation(np.where(np.arange(neurons) < (neurons + 1) // 2, 1.0, -1.0))
    return Teacher(np.stack([np.cos(angle), np.sin(angle)], axis=1), signs)


def random_teacher(rng: np.random.Generator, neurons: int, d: int) -> Teacher:
    """A teacher with independent neurons: each w*_k uniform on the unit sphere, the a*_k ±1 in turn.

    rng: the generator.
    neurons: m* ≥ 1.
    d: dimension d ≥ 2 of the inputs.

    Returns the teacher.

    >>> teacher = random_teacher(np.random.default_rng(0), 4, d=10)
    >>> teacher.w.shape, teacher.a
    ((4, 10), array([ 1., -1.,  1., -1.]))
    """
    instance("rng", rng, np.random.Generator)
    neurons, d = whole("neurons", neurons, least=1), whole("d", d, least=2)
    memory("neurons × d", neurons * d, 8 * 3 * neurons * d)
    w = rng.standard_normal((neurons, d))
    return Teacher(w / np.linalg.norm(w, axis=1, keepdims=True), np.where(np.arange(neurons) % 2 == 0, 1.0, -1.0))
