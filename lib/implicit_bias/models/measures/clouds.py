"""Several measures of equally many particles on one problem, which move side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, instance, whole
from implicit_bias.compiled import Conic
from implicit_bias.models.measures.particles import ParticleMeasure


@brief()
@dataclass(frozen=True)
class Clouds:  # attack: none, it takes a measure
    """S measures of one problem, whose derivatives are computed together: for few particles the calls take the time.

    Parameters are (r, θ) of all Sm particles, cloud by cloud; ``ConicDescent`` moves them as those of one measure.

    measure: J and the signs of the m particles of a cloud, the same in all.
    count: S.

    Raises ValueError for no cloud.

    >>> from implicit_bias.data import Deconvolution
    >>> measure = ParticleMeasure(Deconvolution(np.array([[np.pi]]), np.array([1.0]), cutoff=2), 0.5)
    >>> two = [measure.parameters([[1.0], [2.0]]), measure.parameters([[3.0], [4.0]])]
    >>> clouds = Clouds(measure, 2)
    >>> bool(np.allclose(clouds.derivative(clouds.together(two))[:, 2:], measure.derivative(two[1])))
    True
    """

    measure: ParticleMeasure
    count: int

    def __post_init__(self) -> None:
        """Refuse no cloud."""
        instance("measure", self.measure, ParticleMeasure)
        whole("count", self.count, least=1)

    def together(self, thetas: Sequence[Array]) -> Array:
        """The parameters of all from those of each, S vectors of m(1+d)."""
        rows = array("thetas", np.asarray(thetas), 2, (self.count, None))
        d = self.measure.problem.dimension
        return rows.reshape(self.count, 1 + d, -1).swapaxes(0, 1).ravel()

    def apart(self, thetas: Array) -> Array:
        """The parameters of each, S × k × m(1+d), from k vectors of those of all."""
        d, k = self.measure.problem.dimension, len(thetas)
        return thetas.reshape(k, 1 + d, self.count, -1).transpose(2, 0, 1, 3).reshape(self.count, k, -1)

    @cached_property
    def compiled(self) -> Conic:
        """The same in C, where it is built."""
        one = self.measure
        return Conic(one.problem.cutoff, one.target, one.signs, one.power, one.penalty, self.count)

    def derivative(self, theta: Array) -> Array:
        """J′_ν and ∇J′_ν at the particles, ν that of their own cloud: 1 + d rows of Sm."""
        measure, count, d = self.measure, self.count, self.measure.problem.dimension
        rows = theta.reshape(1 + d, -1)
        fast = self.compiled.derivative(rows)
        if fast is not None:
            return fast
        first, second = (part.reshape(len(part), count, -1).swapaxes(0, 1) for part in measure.bases(rows[1:]))
        r = rows[0].reshape(count, 1, -1)
        masses = (r * r if measure.power == 2 else r) / r.shape[2]
        if measure.signs is not None:
            masses *= measure.signs
        residual = (first * masses) @ second.swapaxes(1, 2) - measure.target
        sides = measure.sides(residual, axis=1) @ second
        found = np.einsum("sikm,skm->ism", sides.reshape(count, 1 + d, *first.shape[1:]), first)
        if measure.signs is not None:
            found *= measure.signs
        found[0] += measure.penalty
        return np.asarray(found.reshape(1 + d, -1))
