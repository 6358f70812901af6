"""How fast a conic particle flow ends at a non-degenerate sparse minimizer: its linearization, and the sharpness."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import minimize

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, number, whole
from implicit_bias.data.torus import torus_grid, wrapped
from implicit_bias.limits.measures.sparse_measure import SparseMeasure
from implicit_bias.limits.measures.variation_minima import GRID_PER_FREQUENCY, local_minima, refine

NEAR_A_SPIKE = 1e-2
AT_A_SPIKE = 1e-4  # nearer than that a quotient differs from its limit by less than ``enclose_sharpness`` allows
REFINED = 4
MOST_POWER = 100


@brief("rate")
@dataclass(frozen=True)
class LocalRates:
    """Everything that ν* alone says of the end of the flow r′ = −2αrJ′, θ′ = −β∇J′, in the time of α and β.

    limit: the minimizer ν*, spikes a_i at θ_i.
    alpha, beta: α, β.

    >>> from implicit_bias.data import three_spikes
    >>> from implicit_bias.limits.measures import blasso
    >>> local = LocalRates(blasso(three_spikes(), 1.0), alpha=1.0, beta=1.0)
    >>> bool(0 < local.rate <= 2 * local.spikes[0][0])
    True
    """

    limit: SparseMeasure
    alpha: float
    beta: float

    def __post_init__(self) -> None:
        """Refuse rates that are not positive."""
        number("alpha", self.alpha, above=0)
        number("beta", self.beta, above=0)

    @property
    def metric(self) -> Array:
        """The diagonal of D, 4αa_i on the masses and β/a_i on the positions: (a, θ)′ = −D∇J(a, θ), s(1+d) numbers."""
        a = self.limit.masses
        return np.concatenate([4 * self.alpha * a, np.repeat(self.beta / a, self.limit.positions.shape[1])])

    @property
    def spikes(self) -> tuple[Array, Array]:
        """Eigenvalues μ, increasing, and eigenvectors of D∇²J: one particle a spike; deviations decay like e^{−μt}."""
        values, vectors = eigh(self.limit.hessian(), np.diag(1 / self.metric))
        return values, vectors

    def of_exponent(self, power: int, particles: int) -> tuple[Array, Array]:
        """Eigenvalues of D∇²J, increasing, and their dual vectors, for another exponent p of the weights.

        ν = (1/m) Σ r_i^p δ_{θ_i},  r_i′ = −αp r_i^{p−1}J′,  so that  a_i′ = −αp² m^{1−2/p} a_i^{2−2/p} J′

        For p = 2 this is ``spikes``; for any other p the masses' part of D depends on m.

        power: p ≥ 1.
        particles: m, at least the number of spikes: one particle a spike, the others have no mass.
        """
        p, a = whole("power", power, least=1, most=MOST_POWER), self.limit.masses
        m = whole("particles", particles, least=a.size)
        metric = self.metric
        metric[: a.size] = self.alpha * p**2 * m ** (1 - 2 / p) * a ** (2 - 2 / p)
        values, vectors = eigh(self.limit.hessian(), np.diag(1 / metric))
        return values, vectors / metric[:, None]

    @property
    def spread(self) -> tuple[Array, Array]:
        """Eigenvalues β·λ(∇²J′(θ_i)), s × d increasing, and eigenvectors s × d × d: several particles at one spike.

        Their distances to the spike's barycentre decay like e^{−μt} with these μ.
        """
        curvature = self.limit.variation(self.limit.positions)[2]
        values, vectors = np.linalg.eigh(curvature)
        return self.beta * values, vectors

    def quotient(self, points: Array) -> Array:
        """(4αJ′² + β‖∇J′‖²)/J′ of ν* at n points away from its spikes: the sharpness of a little mass put there."""
        points = array("points", points, 2, (None, self.limit.problem.dimension))
        value, gradient, _ = self.limit.variation(points)
        return np.asarray((4 * self.alpha * value**2 + self.beta * np.sum(gradient**2, axis=1)) / value)

    @property
    def elsewhere(self) -> tuple[float, Array]:
        """The least ``quotient`` over the torus outside tiny balls at the spikes, and where it is taken.

        By descents from the best points of a grid, and from both sides of each spike along its flattest direction,
        where the quotient may be below its limit at the spike; ``enclose_sharpness`` proves how little less there is.
        """
        limit = self.limit
        # mutant(2 → 3; 1 → 2): a finer grid to begin from
        grid = torus_grid(GRID_PER_FREQUENCY * (2 * limit.problem.cutoff + 1), limit.problem.dimension)
        grid = grid[self._distance(grid) > NEAR_A_SPIKE]
        values = self.quotient(grid)
        first = int(np.argmin(values))  # where every descent below ends in a ball, the least on its outside
        best, where = float(values[first]), grid[first]
        aside = NEAR_A_SPIKE * self.spread[1][:, :, 0]
        for start in [*grid[np.argsort(values)[:REFINED]], *(limit.positions + aside), *(limit.positions - aside)]:
            # mutant: the place before the first one is found, replaced at once
            found = minimize(lambda x: float(self.quotient(x[None])[0]), start, method="Nelder-Mead")
            if found.fun < best and self._distance(found.x[None])[0] > AT_A_SPIKE:
                best, where = float(found.fun), found.x
        return best, where

    @property
    def traps(self) -> tuple[Array, Array]:
        """4αJ′ at the local minima of J′_{ν*} that are no spikes, and where they are: n numbers and n × d.

        Particles caught there lose mass like e^{−4αJ′t}.
        """
        limit, d = self.limit, self.limit.problem.dimension
        grid = torus_grid(GRID_PER_FREQUENCY * (2 * limit.problem.cutoff + 1), d)
        # A point may be lower than its neighbours on the grid without being near a minimum: on the floor of a valley.
        low = [
            minimize(lambda x: float(limit.variation(x[None])[0][0]), start, jac=self._slope).x
            for start in grid[local_minima(limit.variation(grid)[0], d)]
        ]
        places = refine(limit, np.array(low))
        places = places[self._distance(places) > NEAR_A_SPIKE]
        return (4 * self.alpha * limit.variation(places)[0], places) if len(places) else (np.zeros(0), places)

    def _slope(self, place: Array) -> Array:
        """∇J′ of ν* at one place, d numbers."""
        return np.asarray(self.limit.variation(place[None])[1][0])

    @property
    def rate(self) -> float:
        """The exponential rate of J − J* from a generic start with particles near each spike and at each trap.

        min(2 min μ(spikes), 2 min μ(spread), traps): the sharpness without the points where no particle stays.
        """
        return float(min(2 * self.spikes[0][0], 2 * self.spread[0].min(), np.min(self.traps[0], initial=np.inf)))

    def _distance(self, points: Array) -> Array:
        """Distance of each point to the nearest spike."""
        apart = np.linalg.norm(wrapped(points[:, None] - self.limit.positions[None]), axis=2)
        return np.asarray(apart.min(axis=1))

    @property
    def sharpness(self) -> float:
        """κ, the largest κ₀ that the sharpness inequality allows as J₀ → J*.

        ∫(4α|J′_ν|² + β‖∇J′_ν‖²) dν ≥ κ₀ min(α, β)(J(ν) − J*)  whenever J(ν) ≤ J₀

        κ min(α, β) = min(2 min μ(spikes), 2 min μ(spread), inf_θ (4αJ′² + β‖∇J′‖²)/J′)

        Eigenvalues as float64 gives them and the infimum of ``elsewhere``; ``enclose_sharpness`` proves them.

        Reference: Chizat 2022 has a lower bound of κ₀, polynomial in the problem; the value is derived in the chapter.
        """
        # mutant(2): likewise
        # mutant(0): the spikes are not the slowest part
        least = min(2 * float(self.spikes[0][0]), 2 * float(self.spread[0].min()), self.elsewhere[0])
        return least / min(self.alpha, self.beta)
