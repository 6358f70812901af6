"""The margin problem of the leaky ReLU network by two general solvers that know nothing of its closed form."""

from typing import Any

import numpy as np
from scipy.optimize import minimize

from implicit_bias.checks import Array, array, instance, memory, number, whole
from implicit_bias.data import Classification
from implicit_bias.late import extra
from implicit_bias.limits.certificate import UNKNOWN, WIDTH, CertificateError, Enclosure, exponent
from implicit_bias.limits.margin.rank_two import network_shape
from implicit_bias.limits.rounding import Between, Exact, Unproved
from implicit_bias.limits.solvers import clarabel

SEARCH = {"ftol": 1e-15, "maxiter": 200}
FEASIBLE = 1e-8
MOST_STARTS = 10**6


def two_neuron_program(
    problem: Classification, slope: float, positive: int, negative: int, *, tol: float = WIDTH
) -> tuple[Array, Array]:
    """The convex program for two rows whose pre-activations are taken to have the signs of y and −y; by Clarabel.

    min ½(m₁‖v‖² + m₂‖u‖²) subject to y_i (m₁α_i v − m₂β_i u)·x_i ≥ √m

    α_i = 1, β_i = γ where y_i = 1; α_i = γ, β_i = 1 elsewhere.

    problem: n samples.
    slope: γ in (0, 1].
    positive, negative: m₁ and m₂, at least 1 each.
    tol: the allowed relative width of the enclosure of the least value.

    Returns v and u, d entries each.
    Raises CertificateError if Clarabel finds no optimum, or, with v and u, if the least value is not enclosed to tol.

    >>> from implicit_bias.data import Classification
    >>> problem = Classification(np.eye(2), np.array([1.0, -1.0]))
    >>> v, u = two_neuron_program(problem, 0.5, 1, 1)
    >>> v.round(4), u.round(4)
    (array([ 1.1314, -0.5657]), array([-0.5657,  1.1314]))
    """
    instance("problem", problem, Classification)
    with extra():
        import cvxpy  # a second to import, for the one program that needs it

    cp: Any = cvxpy  # its functions carry no types
    slope, m = network_shape(slope, positive, negative)
    positive, negative = int(positive), int(negative)
    problem, unit = _in_units(problem)
    alpha, beta = np.where(problem.y > 0, 1.0, slope), np.where(problem.y > 0, slope, 1.0)
    v, u = cp.Variable(problem.x.shape[1]), cp.Variable(problem.x.shape[1])
    reached = cp.multiply(alpha, problem.signed @ v) * positive - cp.multiply(beta, problem.signed @ u) * negative
    met = reached >= np.sqrt(m)
    program = cp.Problem(cp.Minimize((positive * cp.sum_squares(v) + negative * cp.sum_squares(u)) / 2), [met])
    try:
        clarabel(program)
    except CertificateError as error:
        raise CertificateError(f"the program was not solved: {error}") from error
    found = enclose_program(problem, slope, (positive, negative), v.value, u.value, met.dual_value)
    answer = np.ldexp(v.value, -unit), np.ldexp(u.value, -unit)
    if not found.width <= tol:
        raise CertificateError(
            f"the program is not certified: in a unit of 2^{-2 * unit} its least value is proved to lie between "
            f"{found.low:.17g} and {found.high:.17g}, a relative width of {found.width:.1e}, allowed {tol:.1e}",
            answer,
        )
    return answer


def enclose_program(  # attack: none, inside solvers
    problem: Classification, slope: float, counts: tuple[int, int], v: Array, u: Array, force: Array
) -> Enclosure:
    """Between what the least value of ``two_neuron_program`` lies, by any v, u and λ, in whole numbers.

    m (Σλ_i)²/2(m₁‖Σ λ_i α_i z_i‖² + m₂‖Σ λ_i β_i z_i‖²) ≤ min ≤ m (m₁‖v‖² + m₂‖u‖²)/2r²

    λ ≥ 0, z_i = y_i x_i, and r > 0 the least of the m₁ α_i v·z_i − m₂ β_i u·z_i: both sides are of the best multiple.

    problem: n samples.
    slope: γ.
    counts: m₁ and m₂.
    v, u: d numbers each.
    force: λ, n numbers; those below 0 count as 0.
    """
    if not all(np.all(np.isfinite(part)) for part in (v, u, force)):
        return UNKNOWN
    force = np.maximum(force, 0)
    z, (positive, negative) = Exact.of(problem.signed), counts
    alpha, beta = np.where(problem.y > 0, 1.0, slope), np.where(problem.y > 0, slope, 1.0)
    outputs = _times(alpha, z @ Exact.of(v), positive) - _times(beta, z @ Exact.of(u), negative)
    push, size = Between.of(0), Between.of(0)
    for part, row, count in ((alpha, v, positive), (beta, u, negative)):
        push = push + Between.of(count) * (_times(part, Exact.of(force)) @ z).squares()
        size = size + Between.of(count) * Exact.of(row).squares()
    half, total, least = Between.of(positive + negative) / Between.of(2), Exact.of(force).total(), outputs.least()
    if not least.low > 0:
        return UNKNOWN
    try:
        return Enclosure((half * total * total / push).down(), (half * size / (least * least)).up())
    except Unproved:
        return UNKNOWN


def _times(factors: Array, numbers: Exact, count: int = 1) -> Exact:
    """Each number times a factor of its own and one for all."""
    own = Exact.of(factors)
    return Exact(own.whole * numbers.whole * count, own.power + numbers.power)


def margin_search(
    problem: Classification,
    slope: float,
    positive: int,
    negative: int,
    generator: np.random.Generator,
    *,
    starts: int = 30,
) -> tuple[Array, Array]:
    """min ½‖W‖_F² subject to y_i f(x_i; W) ≥ 1, from many random starts, by sequential quadratic programming.

    The problem is not convex and has kinks: no run proves anything, and the least of them is no bound from below.
    W = B Lᵀ⁻¹X with X Xᵀ = L Lᵀ, because rows outside the span of the samples only cost. What a run ends with is judged
    by the network itself.

    problem: n independent samples, few.
    slope: γ in (0, 1].
    positive, negative: m₁ and m₂, at least 1 each, few.
    generator: the stream of the starts.
    starts: how many, at most 10⁶.

    Returns the W (m × d) of least norm and all the ½‖W‖_F² that were reached, in increasing order.
    Raises CertificateError if no run ends with y_i f(x_i) ≥ 1 − 1e-8, ValueError for dependent samples.

    >>> from implicit_bias.data import Classification
    >>> problem = Classification(np.eye(3), np.array([1.0, -1.0, 1.0]))
    >>> w, values = margin_search(problem, 0.5, 1, 1, np.random.default_rng(0), starts=3)
    >>> w.shape, bool(np.all(np.diff(values) >= 0))
    ((2, 3), True)
    """
    instance("problem", problem, Classification)
    instance("generator", generator, np.random.Generator)
    slope, m = network_shape(slope, positive, negative)
    positive, negative = int(positive), int(negative)
    problem, unit = _in_units(problem)
    n = problem.y.size
    memory("positive + negative", m, 8 * (m * n) ** 2)  # the search keeps a factor of its Hessian
    try:
        root = np.linalg.cholesky(problem.x @ problem.x.T)
    except np.linalg.LinAlgError:
        raise ValueError(f"problem holds {n} dependent samples; they must be independent") from None
    pushed = np.outer(np.where(np.arange(m) < positive, 1.0, -1.0), problem.y) / np.sqrt(m)

    def margins(flat: Array) -> Array:
        z = flat.reshape(m, n) @ root.T
        return np.asarray(np.sum(pushed * np.where(z > 0, z, slope * z), axis=0))

    def slopes(flat: Array) -> Array:
        active = pushed * np.where(flat.reshape(m, n) @ root.T > 0, 1.0, slope)
        return np.asarray((active.T[:, :, None] * root[:, None, :]).reshape(n, -1))

    found = []
    for _ in range(whole("starts", starts, least=1, most=MOST_STARTS)):
        run = minimize(
            lambda b: b @ b / 2,
            generator.standard_normal(m * n),
            jac=lambda b: b,
            method="SLSQP",
            constraints={"type": "ineq", "fun": lambda b: margins(b) - 1, "jac": slopes},
            options=SEARCH,
        )
        weights = run.x.reshape(m, n) @ np.linalg.solve(root, problem.x)
        if network_margins(problem, slope, positive, weights).min() >= 1 - FEASIBLE:
            found.append((float(run.fun), weights))
    if not found:
        raise CertificateError(f"none of {starts} starts ended with every margin at least 1")
    found.sort(key=lambda pair: pair[0])
    return np.ldexp(found[0][1], -unit), np.ldexp([value for value, _ in found], -2 * unit)


def network_margins(problem: Classification, slope: float, positive: int, weights: Array) -> Array:
    """The margins y_i f(x_i) of the network with rows W: f(x) = (1/√m)(Σ_{j≤m₁} φ(w_j·x) − Σ_{j>m₁} φ(w_j·x)).

    problem: n samples.
    slope: γ, of φ(z) = max(z, γz).
    positive: m₁.
    weights: W, m × d.

    Returns n numbers.
    """
    weights = array("weights", weights, 2, (None, problem.x.shape[1]))
    positive = whole("positive", positive, least=0, most=len(weights))
    z = weights @ problem.x.T
    hidden = np.maximum(z, number("slope", slope) * z)
    return np.asarray(problem.y * (hidden[:positive].sum(axis=0) - hidden[positive:].sum(axis=0)) / np.sqrt(len(z)))


def _in_units(problem: Classification) -> tuple[Classification, int]:
    """The set with its longest sample between 1 and 2 in length, by a power of two, and its exponent."""
    near = int(exponent(problem.x))
    unit = near + int(exponent(np.linalg.norm(np.ldexp(problem.x, -near), axis=1))) - 1
    return Classification(x=np.ldexp(problem.x, -unit), y=problem.y), unit
