"""Measures near a minimizer: at random, in the directions that are worst for it, and the minimum next to a measure."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, instance, number, whole
from implicit_bias.data.torus import CIRCLE, Deconvolution, wrapped
from implicit_bias.limits.measures.local_rates import LocalRates
from implicit_bias.limits.measures.sparse_measure import SparseMeasure

Spikes = tuple[Array, Array]  # positions and masses
MOST, SPREAD = 30, (-5.0, -3.5)  # particles a spike, and the decimal logarithm of their distances
LITTLE, BESIDE = 1e-6, 0.02  # a mass elsewhere, and how near to the worst place it is
NEWTON, STILL = 8, 1e-9  # steps, and the length of the gradient at which they have arrived


def little_elsewhere(  # attack: none, it reads measures that were made  # law: none, they are made to be near
    limit: SparseMeasure, place: ArrayLike, mass: float = LITTLE
) -> Spikes:
    """A minimizer with a little mass at another place, the spikes moved by Newton's step to where they are stationary.

    limit: the minimizer, s spikes.
    place: d numbers.
    mass: its mass there, positive.

    Returns positions, (s + 1) × d, and masses.

    >>> from implicit_bias.data import three_spikes
    >>> from implicit_bias.limits.measures import blasso
    >>> places, masses = little_elsewhere(blasso(three_spikes(), 1.0), [0.0, 0.0])
    >>> places.shape, float(masses[-1])
    ((4, 2), 1e-06)
    """
    s, d = limit.positions.shape
    there = array("place", place, 1, (d,))
    more = SparseMeasure(
        limit.problem,
        limit.penalty,
        np.vstack([limit.positions, there]),
        np.append(limit.masses, number("mass", mass, above=0)),
    )
    slope = more.slope()
    keep = np.delete(np.arange(slope.size), [s, *range(slope.size - d, slope.size)])
    step = np.zeros_like(slope)
    step[keep] = -np.linalg.solve(limit.hessian(), slope[keep])
    moved = more.moved(step)
    return moved.positions, moved.masses


def random_nearby(  # attack: none, it reads measures that were made  # law: none, they are made to be near
    limit: SparseMeasure, worst: ArrayLike, generator: np.random.Generator, count: int = 1
) -> Iterator[Spikes]:
    """Random measures near a minimizer, three at a time.

    The first has 2 to 30 particles a spike, spread by 10⁻⁵ to 10^−3.5, and every other time masses and barycentres that
    are off by as much; the second a little mass anywhere; the third a little mass near the worst place.

    limit: the minimizer.
    worst: the place, d numbers.
    generator: the stream that they are drawn from.
    count: how many times three.

    Yields positions and masses of each.

    >>> from implicit_bias.data import three_spikes
    >>> from implicit_bias.limits.measures import blasso
    >>> limit = blasso(three_spikes(), 1.0)
    >>> drawn = list(random_nearby(limit, [0.0, 0.0], np.random.default_rng(0)))
    >>> len(drawn), bool(abs(drawn[0][1].sum() - limit.total_mass) < 1e-3)
    (3, True)
    """
    instance("generator", generator, np.random.Generator)
    s, d = limit.positions.shape
    place = array("worst", worst, 1, (d,))
    for _ in range(whole("count", count, least=1)):
        size = 10 ** generator.uniform(*SPREAD)
        split = generator.integers(2, MOST + 1)
        shares = generator.dirichlet(np.ones(split), s)
        spread = size * generator.standard_normal((*shares.shape, d))
        spread -= np.sum(shares[..., None] * spread, axis=1, keepdims=True)
        shift = size * generator.integers(0, 2)
        masses = (limit.masses * (1 + shift * generator.standard_normal(s)))[:, None] * shares
        places = limit.positions[:, None] + spread + shift * generator.standard_normal((s, 1, d))
        yield places.reshape(-1, d), masses.ravel()
        yield little_elsewhere(limit, generator.uniform(0, CIRCLE, d))
        yield little_elsewhere(limit, place + BESIDE * generator.standard_normal(d))


def worst_nearby(  # attack: none, it reads measures that were made  # law: none, they are made to be near
    limit: SparseMeasure, local: LocalRates, size: float = 1e-5
) -> tuple[Spikes, Spikes, Spikes]:
    """Three measures near a minimizer in which the gap falls slowest: in each the bound on that rate is attained.

    Its spikes moved along their slowest mode; the spike of the least curved J′ split in two along that axis; a little
    mass at the worst place. A minimizer that has not the spikes of ``local`` is moved in all its variables alike.

    limit: the minimizer.
    local: what says which directions these are.
    size: of the disturbance: ten times as far, a tenth as much mass.

    Returns positions and masses of the three.

    >>> from implicit_bias.data import three_spikes
    >>> from implicit_bias.limits.measures import LocalRates, blasso
    >>> limit = blasso(three_spikes(), 1.0)
    >>> moved, split, elsewhere = worst_nearby(limit, LocalRates(limit, 1.0, 1.0))
    >>> len(moved[1]), len(split[1]), len(elsewhere[1])
    (3, 4, 4)
    """
    number("size", size, above=0)
    s = min(limit.masses.size, local.limit.masses.size)
    direction = local.spikes[1][:, 0] / np.linalg.norm(local.spikes[1][:, 0])
    variables = limit.masses.size + limit.positions.size
    moved = limit.moved(10 * size * (direction if direction.size == variables else np.ones(variables)))
    slow, axes = local.spread
    spike = int(np.argmin(slow[:s, 0]))
    places = np.vstack([limit.positions, limit.positions[spike]])
    places[spike] += 10 * size * axes[spike, :, 0]
    places[-1] -= 10 * size * axes[spike, :, 0]
    halves = np.append(limit.masses, limit.masses[spike] / 2)
    halves[spike] /= 2
    return (
        (moved.positions, moved.masses),
        (places, halves),
        little_elsewhere(limit, local.elsewhere[1], size / 10),
    )


def deviations(  # attack: none, it reads measures that were made  # law: none, they are made to be near
    limit: SparseMeasure, places: Array, masses: Array, within: float = 0.5
) -> Array:
    """By how much mass and barycentre of what lies near each spike of a minimizer differ from its own.

    limit: the minimizer, s spikes.
    places, masses: of the measure, n × d and n.
    within: what counts as near.

    Returns s(1+d) numbers, in the order of ``slope``.

    >>> from implicit_bias.data import three_spikes
    >>> from implicit_bias.limits.measures import blasso
    >>> limit = blasso(three_spikes(), 1.0)
    >>> float(np.max(np.abs(deviations(limit, limit.positions, limit.masses))))
    0.0
    """
    apart = wrapped(places[:, None] - limit.positions)
    near = np.linalg.norm(apart, axis=2) < within
    mass = masses @ near
    centre = np.einsum("i,ij,ijk->jk", masses, near, apart) / np.maximum(mass, 1e-12)[:, None]
    return np.concatenate([mass - limit.masses, centre.ravel()])


def gathered(  # attack: none, it reads measures that were made  # law: none, they are made to be near
    problem: Deconvolution, penalty: float, places: Array, masses: Array, *, within: float = 0.02, least: float = 1e-6
) -> SparseMeasure:
    """The measure of those particles on the circle that carry mass, neighbours put together.

    problem, penalty: of the measure.
    places, masses: of the particles, m × 1 and m.
    within: the largest distance of neighbours.
    least: a mass that counts.

    Returns the measure.

    >>> from implicit_bias.data import Deconvolution
    >>> problem = Deconvolution(np.array([[np.pi]]), np.array([1.0]), cutoff=2)
    >>> measure = gathered(problem, 0.5, np.array([[3.0], [3.01], [5.0]]), np.array([0.25, 0.75, 1e-9]))
    >>> measure.positions.round(4), measure.masses
    (array([[3.0075]]), array([1.]))
    """
    instance("problem", problem, Deconvolution)
    angles = places[:, 0] % CIRCLE
    order = [i for i in np.argsort(angles) if masses[i] > least]
    groups = np.split(order, 1 + np.flatnonzero(np.diff(angles[order]) > within))
    carried = np.array([masses[group].sum() for group in groups])
    centres = np.array([masses[group] @ angles[group] for group in groups]) / carried
    return SparseMeasure(problem, penalty, centres[:, None], carried)


def minimum_nearby(  # attack: none, it reads measures that were made  # law: none, they are made to be near
    measure: SparseMeasure,
) -> SparseMeasure | None:
    """The strict local minimum in masses and positions to which Newton's method leads from here; None if to none.

    measure: where the method begins.

    >>> from implicit_bias.data import Deconvolution
    >>> problem = Deconvolution(np.array([[np.pi]]), np.array([1.0]), cutoff=2)
    >>> found = minimum_nearby(SparseMeasure(problem, 0.5, np.array([[3.1]]), np.array([0.8])))
    >>> round(float(found.positions[0, 0] - np.pi), 9), found.masses.round(9)
    (0.0, array([0.9]))
    """
    at = measure
    for _ in range(NEWTON):
        at = at.moved(np.asarray(-np.linalg.solve(at.hessian(), at.slope()), dtype=np.float64))
    strict = np.linalg.norm(at.slope()) < STILL and at.masses.min() > 0 and np.linalg.eigvalsh(at.hessian())[0] > 0
    return at if strict else None
