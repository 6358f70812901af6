"""Margins of given features: any direction proves a lower bound, any weights of the points an upper one."""

from collections.abc import Callable
from fractions import Fraction

from answers.exact import Interval, Vector, angle, dot, pi, times, total, transposed
from answers.proof import MET, Proof, Values, demand, enclosed, labels, multipliers, near, sparse, worst
from answers.sphere import largest_response

Norm = Callable[[Vector], Interval]


def margin(data: Values, answer: Values, proof: Values, norm: Norm, dual_norm: Norm, gap: Vector) -> Proof:
    """min_i z_i·w/‖w‖ ≤ γ ≤ ‖Σ p_i z_i‖* for every p ≥ 0 of sum 1; here p = α/Σα.

    norm, dual_norm: ‖·‖ and ‖·‖*.
    gap: by how much the multipliers miss the equation between them and w.
    """
    z, w, alpha = data["z"], answer["w"], proof["alpha"]
    multipliers(alpha, "alpha")
    sparse(w, "w")
    margins = times(z, w)
    near(min(margins), 1, "the least z·w")
    forces = times(transposed(z), alpha)
    bounds = enclosed(min(margins) / norm(w), dual_norm(forces) / sum(alpha))
    return Proof({"margin": bounds}, worst(1 - one for one in margins), worst(map(abs, gap)))


def euclidean(v: Vector) -> Interval:
    """‖v‖₂."""
    return Interval(dot(v, v)).sqrt()


def l2_margin(data: Values, answer: Values, proof: Values) -> Proof:
    """‖·‖₂, its own dual; w = Σ α_i z_i."""
    forces, w = times(transposed(data["z"]), proof["alpha"]), answer["w"]
    gap = [one - other for one, other in zip(forces, w, strict=True)]
    demand(worst(map(abs, gap)) <= MET * worst(map(abs, w)), "w is not the sum of the points by their multipliers")
    return margin(data, answer, proof, euclidean, euclidean, gap)


def l1_margin(data: Values, answer: Values, proof: Values) -> Proof:
    """‖·‖₁ and ‖·‖_∞; |Σ α_i z_ij| ≤ 1, and = 1 where w_j is not 0."""
    forces, w = times(transposed(data["z"]), proof["alpha"]), answer["w"]
    gap = [
        max(Fraction(0), abs(force) - 1) if one == 0 else force - (1 if one > 0 else -1)
        for force, one in zip(forces, w, strict=True)
    ]
    demand(worst(map(abs, gap)) <= MET, "the multipliers are not those of w")
    return margin(data, answer, proof, lambda v: Interval(sum(map(abs, v))), lambda v: Interval(max(map(abs, v))), gap)


def relu_kernel(x: Vector, z: Vector) -> Interval:
    """E[(θ·x)₊(θ·z)₊] = (‖x × z‖ + (π − φ) x·z)/2π, θ ~ N(0, I), φ the angle between x and z."""
    inner = dot(x, z)
    area = Interval(dot(x, x) * dot(z, z) - inner * inner).sqrt()
    if area.high == 0:
        return Interval(max(inner, Fraction(0)) / 2)
    return (area + (pi() - angle(Interval(inner), area)) * inner) / (2 * pi())


def kernel_margin(data: Values, answer: Values, proof: Values) -> Proof:
    """min_i y_i (K(α∘y))_i/‖Σ α_i y_i K(x_i, ·)‖ ≤ γ₂ ≤ ‖Σ α_i y_i K(x_i, ·)‖/Σα; α as where y_i f(x_i) is 1."""
    x, y, alpha = data["x"], data["y"], answer["alpha"]
    labels(y)
    multipliers(alpha, "alpha")
    held = [k for k, (one, _) in enumerate(zip(alpha, x, strict=True)) if one > 0]
    margins = [total(relu_kernel(point, x[k]) * (alpha[k] * y[k] * label) for k in held)
               for point, label in zip(x, y, strict=True)]  # fmt: skip
    least = min(one.low for one in margins)
    near(least, 1, "the least y f(x)")
    size = total(margins[k] * alpha[k] for k in held).sqrt()
    near((size * size).low / sum(alpha), 1, "the squared norm over the sum of the multipliers")
    bounds = enclosed(least / size, size / sum(alpha))
    return Proof({"margin": bounds}, worst([1 - least]), worst(abs(margins[k].high - 1) for k in held))


def variation_margin(data: Values, answer: Values, proof: Values) -> Proof:
    """½ min_i y_i Σ ν_k (u_k·x_i)₊/Σ|ν_k|‖u_k‖ ≤ γ₁ ≤ ½ max_u |Σ p_i y_i (u·x_i)₊|/Σp."""
    x, y, directions, masses, p = data["x"], data["y"], answer["directions"], answer["masses"], proof["weights"]
    labels(y)
    multipliers(p, "weights")
    sparse(masses, "masses")
    lengths = [euclidean(u) for u in directions]
    for length in lengths:
        near(length.low, 1, "the norm of a direction")
    near(sum(map(abs, masses), Fraction(0)), 1, "the sum of |masses|")
    near(sum(p, Fraction(0)), 1, "the sum of the weights")
    seen = [[max(Fraction(0), dot(u, point)) for u in directions] for point in x]
    margins = [label * dot(masses, row) / 2 for label, row in zip(y, seen, strict=True)]
    norm = total(length * abs(mass) for length, mass in zip(lengths, masses, strict=True))
    bound = largest_response(x, [one * label for one, label in zip(p, y, strict=True)]) / (2 * sum(p))
    bounds = enclosed(min(margins) / norm, bound)
    return Proof({"margin": bounds}, worst([norm.high - 1]), worst([abs(sum(p, Fraction(0)) - 1)]))
