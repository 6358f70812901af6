"""What a decision boundary costs: the part of the largest margin that is lost if the boundary must pass a point."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from implicit_bias.checks import Array, array, instance, number
from implicit_bias.data import Classification
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin.arrangement import largest_responses, responses, unit_rows
from implicit_bias.limits.margin.exact_network import hidden, least_margin, outputs, variation
from implicit_bias.limits.margin.kernel import kernel_margin
from implicit_bias.limits.margin.sweep import ROUNDING
from implicit_bias.limits.margin.variation_norm import VariationMargin
from implicit_bias.limits.rounding import Between, Exact

ROUNDS = 200
LARGEST, ADDED = 200, 10  # of so many of the largest responses, so many directions are added a round
APART = 0.9999  # none of them with a larger cosine to a larger response
LEFT = 60  # directions that one place leaves to the next
MISSED = 3  # points that are added a round
NO_LESS = 1e-9  # of the margin: a smaller one by no more than that is none
SHARP = 2e-15  # to which a direction, and a quotient, is known


def variation_prices(
    points: Classification, best: VariationMargin, x: ArrayLike, *, cap: float = 0.1, tolerance: float = 1e-3
) -> tuple[Array, Array]:
    """The price of a boundary through each of some places, among the ReLU networks of F₁ norm 1.

    π(x) = 1 − γ₁(x)/γ₁,  γ₁(x) = max {min_i y_i h(x_i) : ‖h‖_F₁ ≤ 1, h(x) = 0}
    γ₁(x) = min_{p ∈ Δ, q} ½ max_u |Σ_i p_i y_i (u·x_i)₊ + q (u·x)₊|

    A classifier of norm 1 and margin (1 − ε)γ₁ has the sign of every classifier of largest margin wherever π > ε: were
    the signs different, a mean of the two would vanish there and have the margin (1 − ε)γ₁ at least. Any p and q prove
    a lower bound of π, with points and responses left out at will; any network that vanishes at x proves an upper one,
    and one that nearly does, with the neuron along x that is missing. Linear programs over a few directions and points
    find both; ``largest_responses`` finds the next directions. What is returned is evaluated without rounding.

    points: n points in R³.
    best: their classifier of largest margin.
    x: k × 3, the places, neighbours next to each other: each begins with what the one before has found.
    cap: where π is proved to be so large, no more is asked, in (0, 1).
    tolerance: the most by which the bounds may differ elsewhere.

    Returns lower bounds, at most the cap, and upper bounds of π, k numbers each; where the cap is proved, 1 at worst.
    Raises ValueError for arrays that do not fit, CertificateError where the bounds do not meet.

    >>> from implicit_bias.data import Classification
    >>> from implicit_bias.limits.margin import variation_margin
    >>> x = np.array([[-1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]])
    >>> points = Classification(x, np.array([1.0, -1.0, 1.0]))
    >>> low, high = variation_prices(points, variation_margin(points), np.array([[0.5, 0.0, 1.0]]))
    >>> bool(np.all(low <= high + 1e-12))
    True
    """
    instance("points", points, Classification)
    x = array("x", x, 2, (None, 3))
    number("cap", cap, above=0, below=1)
    number("tolerance", tolerance, above=0)
    programs = _Programs(points, best)
    bounds = np.array([programs.price(place, cap, tolerance) for place in x])
    return bounds[:, 0], bounds[:, 1]


def kernel_prices(gram: ArrayLike, y: ArrayLike, across: ArrayLike, own: ArrayLike) -> Array:
    """The price of a boundary through each of some places, among the functions of norm 1 in the space of a kernel.

    π(x) = 1 − γ(x)/γ,  γ(x) = max {min_i y_i f(x_i) : ‖f‖_K ≤ 1, f(x) = 0}

    The functions that vanish at x have the kernel k(x', x'') − k(x', x)k(x, x'')/k(x, x). As in ``variation_prices``,
    a function of norm 1 and margin (1 − ε)γ has the sign of the hard-margin classifier wherever π > ε.

    gram: K, n × n, K_ik = k(x_i, x_k).
    y: n labels ±1.
    across: k(x, x_i), k × n.
    own: k(x, x), k numbers.

    Returns π, k numbers; 1 where no function that vanishes there separates the points. Each is the quotient of two
    certified margins, but the kernel of the functions that vanish is formed with rounding: π is a number as float64
    gives it, and no bound, unlike those of ``variation_prices``.
    Raises ValueError for arrays that do not fit, CertificateError if the points cannot be separated at all.

    >>> kernel_prices(np.eye(2), [1.0, 1.0], [[1.0, 0.0], [0.0, 0.0]], [1.0, 1.0]).round(6) + 0.0
    array([1., 0.])
    """
    largest = kernel_margin(gram, y)
    gram, y = array("gram", gram, 2), array("y", y, 1)
    across = array("across", across, 2, (None, y.size))
    own = array("own", own, 1, across.shape[:1])
    prices = np.ones(own.size)
    for k, (row, length) in enumerate(zip(across, own, strict=True)):
        left = gram - np.outer(row, row) / length
        try:
            prices[k] = 1 - kernel_margin((left + left.T) / 2, y).margin / largest.margin
        except CertificateError:
            continue
    return prices


class _Programs:
    """Linear programs over a few directions and a few points, handed on from one place to the next."""

    def __init__(self, points: Classification, best: VariationMargin) -> None:
        self.x, self.y, self.unit, self.least = points.x, points.y, 2 * best.bound, 2 * best.margin
        self.rays = unit_rows("points.x", points.x)
        self.best = self.pool = best.directions
        self.near = np.flatnonzero(best.weights > 0)
        # mutant anywhere(points.y): where a search begins
        self.charges, self.push = (best.weights * points.y), 0.0  # p_i y_i and q: of all points, most of them 0

    def price(self, place: Array, cap: float, tolerance: float) -> tuple[float, float]:
        """A lower bound of the price at a place, at most the cap, and an upper one."""
        ray = unit_rows("x", place[None])
        # A network of norm 1 that vanishes at x is at most ½ min_c ‖x_i − c x‖ at x_i.
        apart = (np.linalg.norm(self.rays - ray, axis=1) + SHARP) * np.linalg.norm(self.x, axis=1)
        if 1 - (1 + SHARP) * float(apart.min()) / self.least >= cap:
            return cap, 1.0  # one of the points, or next to one
        # mutant(0): the largest response is listed more than once
        upper, lower = self._proved(self._largest(place, self.charges, self.push)[1][0], self.charges), 0.0
        for _ in range(ROUNDS):
            if 1 - upper >= cap or upper - lower <= tolerance:
                break
            masses, charges, push = self._program(place)
            margins = self.y * (np.maximum(self.x @ self.pool.T, 0) @ masses) / self.unit
            candidates, values = self._largest(place, charges, push)
            # mutant(0): the largest response is listed more than once
            proved = self._proved(values[0], charges)
            if proved < upper:
                upper, self.charges, self.push = proved, charges, push
            reached = float(margins.min())  # not proved; it is where that may be enough
            # mutant anywhere: when it is proved
            if reached > lower and upper - reached <= tolerance and 1 - upper < cap:
                lower = max(lower, self._reached(place, ray, masses))
            worst = np.argsort(margins)[:MISSED]
            missed = worst[margins[worst] < margins[self.near].min() - NO_LESS]
            self.near = np.union1d(self.near, missed)
            larger = candidates[:LARGEST][np.abs(values[:LARGEST]) > max(lower, reached) * self.unit]
            # mutant(1; axis=0): which columns are added to a program
            like_earlier = np.triu(larger @ larger.T, 1).max(axis=0, initial=0)
            self.pool = np.concatenate([self.pool, larger[like_earlier < APART][:ADDED]])
        else:
            raise CertificateError(f"the price of a boundary through {place} is known to {upper - lower:.1e} only")
        self._tidy(place)
        return min(np.nextafter(1 - upper, -1), cap), np.nextafter(1 - lower, 2)

    def _proved(self, largest: float, charges: Array) -> float:
        """What p and q with this largest response prove, a number that γ₁(x)/γ₁ does not exceed."""
        response = Between.of(abs(float(largest))) * Between.of(1 + ROUNDING)
        return (response / (Exact.of(charges).moduli() * Between.of(self.least))).up()

    def _reached(self, place: Array, ray: Array, masses: Array) -> float:
        """What a network that misses 0 at x proves once a neuron along x makes up for it, not above γ₁(x)/γ₁."""
        used = masses != 0
        neurons = self.pool[used], masses[used]
        beside = outputs(place[None], *neurons).largest() / hidden(place[None], ray).least()
        reached = least_margin(self.x, self.y, *neurons) - beside * hidden(self.x, ray).largest()
        norm = variation(*neurons) + beside * variation(ray, np.ones(1))
        return (reached / (norm * Between.of(self.unit))).down()

    def _used(self, place: Array, charges: Array, push: float) -> tuple[Array, Array]:
        """The points with a charge and the place, and the charges: what the response at weights p and q is made of."""
        used = charges != 0  # mutant(0): charges are numbers of no whole size
        return np.vstack([self.x[used], place]), np.append(charges[used], push)

    def _largest(self, place: Array, charges: Array, push: float) -> tuple[Array, Array]:
        return largest_responses(*self._used(place, charges, push))

    def _program(self, place: Array) -> tuple[Array, Array, float]:
        """ν, p_i y_i and q of max_{Σ|ν_k| ≤ 1, Σ ν_k (u_k·x)₊ = 0} min_i Σ_k y_i (u_k·x_i)₊ ν_k over the pool."""
        signed = self.y[self.near, None] * np.maximum(self.x[self.near] @ self.pool.T, 0) / self.unit
        zero = np.maximum(self.pool @ place, 0) / self.unit
        n, k = signed.shape
        answer = linprog(
            np.append(np.zeros(2 * k), -1.0),  # mutant anywhere(1.0): the unit of the objective
            A_ub=np.vstack([np.hstack([-signed, signed, np.ones((n, 1))]), np.append(np.ones(2 * k), 0.0)]),
            b_ub=np.append(np.zeros(n), 1.0),  # mutant(1.0): the unit of the objective
            A_eq=np.concatenate([zero, -zero, [0.0]])[None],
            b_eq=[0.0],
            bounds=[(0, None)] * (2 * k) + [(None, None)],
            method="highs-ds",
            options={"presolve": False},
        )
        if answer.status != 0:
            raise CertificateError(f"the program of a boundary through {place} was not solved: {answer.message}")
        weights = np.maximum(-answer.ineqlin.marginals[:n], 0)
        charges = np.zeros(self.y.size)
        # mutant(/): the start of a search, or the unit of a program
        charges[self.near] = weights / weights.sum() * self.y[self.near]
        # mutant(/): the start of a search, or the unit of a program
        return answer.x[:k] - answer.x[k:-1], charges, float(answer.eqlin.marginals[0]) / weights.sum()

    def _tidy(self, place: Array) -> None:
        """Keep the best classifier's directions and those where |g| is largest, and the points with a charge."""
        value = np.abs(responses(self.pool, *self._used(place, self.charges, self.push)))
        value[: len(self.best)] = np.inf
        self.pool = self.pool[np.sort(np.argsort(-value, kind="stable")[:LEFT])]
        self.near = np.flatnonzero(self.charges)
