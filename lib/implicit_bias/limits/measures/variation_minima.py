"""The low minima of J′_ν on the torus, where mass is added: found on a grid, followed by Newton's method."""

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array, array, number, whole
from implicit_bias.data.torus import torus_grid
from implicit_bias.limits.measures.sparse_measure import SparseMeasure

SHARE = 0.5  # of the depth of the lowest minimum, from which on a spike is added
GRID_PER_FREQUENCY = 12
NEWTON_STEPS = 30


def lowest_variations(measure: SparseMeasure, sign: float = 1.0, *, refined: bool = True) -> tuple[Array, Array]:
    """The local minima of J′_ν on the torus that are low, found on a grid.

    By Bernstein's inequality a minimum is lower than the point of the grid beside it by less than a tenth of J′_ν's
    range.

    measure: ν.
    sign: of the mass.
    refined: whether all that may lie below 0 are followed from the grid by Newton's method; else those at least half as
        deep as the deepest are given as they are on the grid.

    Returns n values and n × d places.
    """
    sign = number("sign", sign, least=-1, most=1)
    d = measure.problem.dimension
    one = torus_grid(GRID_PER_FREQUENCY * (2 * measure.problem.cutoff + 1), 1)[:, 0]
    values = sign * measure.field.on_grid(one.size) + measure.penalty
    least = float(values.min())
    low = local_minima(values, d, least + (float(values.max()) - least) / 10 if refined else max(least, SHARE * least))
    places = one[np.stack(np.unravel_index(low, (one.size,) * d), axis=1)]
    if not refined:
        return values[low], places
    places = refine(measure, places, sign)
    return measure.variation(places, sign)[0], places


def local_minima(values: Array, dimension: int, below: float = np.inf) -> NDArray[np.intp]:
    """Which points of a square grid, flattened, are no higher than their neighbours, nor than a bound.

    values: side^d numbers, in the order of the grid.
    dimension: d.
    below: the bound.
    """
    values, dimension = array("values", values, 1), whole("dimension", dimension, least=1)
    side = round(values.size ** (1 / dimension))
    if dimension > 64 or side**dimension != values.size:
        raise ValueError(f"dimension is {dimension}; {values.size} values do not make up a square grid of as many axes")
    low = np.flatnonzero(values <= below)
    for stride in side ** np.arange(dimension):
        for step in (-1, 1):
            along = low // stride % side
            beside = low + ((along + step) % side - along) * stride
            low = low[values[low] <= values[beside]]
    return low


def refine(measure: SparseMeasure, places: Array, sign: float = 1.0) -> Array:
    """Newton's method on J′_ν from each place, as long as its Hessian is positive and the value falls.

    measure: ν.
    places: n × d.
    sign: ±1, for J′_ν of a positive or a negative spike.
    """
    places, sign = array("places", places, 2).copy(), number("sign", sign, least=-1, most=1)
    moving = np.arange(len(places))
    value, gradient, hessian = measure.variation(places, sign)
    for _ in range(NEWTON_STEPS):
        bowl = (hessian[:, 0, 0] > 0) & (np.linalg.det(hessian) > 0)
        moving, value = moving[bowl], value[bowl]
        if not moving.size:
            break
        trial = places[moving] - np.linalg.solve(hessian[bowl], gradient[bowl, :, None])[..., 0]
        after, gradient, hessian = measure.variation(trial, sign)
        falls = after < value
        moving, value, gradient, hessian = moving[falls], after[falls], gradient[falls], hessian[falls]
        places[moving] = trial[falls]
    return places
