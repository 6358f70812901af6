"""The margin problem of the leaky ReLU network by two general solvers that know nothing of its closed form."""

from typing import Any

import numpy as np
from scipy.optimize import minimize

from implicit_bias.checks import Array, array, instance, memory, number, whole
from implicit_bias.data import Classification
from implicit_bias.late import extra
from implicit_bias.limits.certificate import CertificateError, exponent
from implicit_bias.limits.margin.rank_two import network_shape
from implicit_bias.limits.solvers import clarabel

SEARCH = {"ftol": 1e-15, "maxiter": 200}
FEASIBLE = 1e-8
MOST_STARTS = 10**6


def two_neuron_program(problem: Classification, slope: float, positive: int, negative: int) -> tuple[Array, Array]:
    """The convex program for two rows whose pre-activations are taken to have the signs of y and −y; by Clarabel.

    min ½(m₁‖v‖² + m₂‖u‖²) subject to y_i (m₁α_i v − m₂β_i u)·x_i ≥ √m

    α_i = 1, β_i = γ where y_i = 1; α_i = γ, β_i = 1 elsewhere.

    problem: n samples.
    slope: γ in (0, 1].
    positive, negative: m₁ and m₂, at least 1 each.

    Returns v and u, d entries each.
    Raises CertificateError if Clarabel finds no optimum.

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
    problem, unit = _in_units(problem)
    alpha, beta = np.where(problem.y > 0, 1.0, slope), np.where(problem.y > 0, slope, 1.0)
    v, u = cp.Variable(problem.x.shape[1]), cp.Variable(problem.x.shape[1])
    reached = cp.multiply(alpha, problem.signed @ v) * positive - cp.multiply(beta, problem.signed @ u) * negative
    program = cp.Problem(
        cp.Minimize((positive * cp.sum_squares(v) + negative * cp.sum_squares(u)) / 2), [reached >= np.sqrt(m)]
    )
    try:
        clarabel(program)
    except CertificateError as error:
        raise CertificateError(f"the program was not solved: {error}") from error
    return np.ldexp(v.value, -unit), np.ldexp(u.value, -unit)


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

    The problem is not convex and has kinks: no single run proves anything. W = B Lᵀ⁻¹X with X Xᵀ = L Lᵀ, because rows
    outside the span of the samples only cost. What a run ends with is judged by the network itself.

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
