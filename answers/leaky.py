"""The leaky network of rank two: multipliers prove a lower bound over all networks, the two rows an upper one."""

from fractions import Fraction

from answers.exact import Vector, dot, times, transposed
from answers.proof import MET, Proof, Values, demand, enclosed, labels, multipliers, near, worst


def rank_two(data: Values, answer: Values, proof: Values) -> Proof:
    """Σλ − ½(m₁‖Σ α_i λ_i y_i x_i‖² + m₂‖Σ β_i λ_i y_i x_i‖²)/m ≤ min ½‖W‖² ≤ ½‖W‖² of v and u, all margins 1.

    α_i is 1 and β_i γ where y_i = 1, and the other way round where y_i = −1. By weak duality ½‖W‖² is at least Σλ less
    Σ_j ½ max_{‖w‖=1} (a_j Σ_i λ_i y_i φ(w·x_i))². As φ(t) lies between its two halves, a neuron with a_j > 0 has there
    at most Σ_i α_i λ_i (y_i w·x_i)₊/√m, which is the largest of the norms ‖Σ_{i∈S} α_i λ_i y_i x_i‖/√m over sets S. The
    samples are so nearly orthogonal that each sample added to S makes it longer; likewise with β where a_j < 0.
    """
    x, y, slope, v, u = data["x"], data["y"], data["slope"], answer["v"], answer["u"]
    positive, negative, held = data["positive"], data["negative"], proof["multipliers"]
    labels(y)
    multipliers(held, "multipliers")
    demand(0 < slope <= 1 and positive >= 1 and negative >= 1, "slope, positive or negative is out of range")
    m = positive + negative
    signed = [[label * one for one in row] for label, row in zip(y, x, strict=True)]
    alpha = [Fraction(1) if label > 0 else slope for label in y]
    beta = [slope if label > 0 else Fraction(1) for label in y]
    squares, gaps = [], []
    for factors, row, sign in ((alpha, v, 1), (beta, u, -1)):
        shares = [factor * one for factor, one in zip(factors, held, strict=True)]
        grows(shares, x)
        force = times(transposed(signed), shares)  # √m times the row that the multipliers give
        squares.append(dot(force, force) / m)
        gaps += [force_j * abs(force_j) / m - sign * one * abs(one) for force_j, one in zip(force, row, strict=True)]
        demand(min(sign * one for one in times(signed, row)) > 0, "a pre-activation has the wrong sign")
    demand(worst(map(abs, gaps)) <= MET * worst(one * one for one in (*v, *u)), "the rows are not the multipliers'")
    on_v, on_u = times(signed, v), times(signed, u)
    margins = [positive * a * one - negative * b * other
               for a, b, one, other in zip(alpha, beta, on_v, on_u, strict=True)]  # fmt: skip
    least = min(margins) ** 2 / m
    near(least, 1, "the square of the least margin")
    low = sum(held) - (positive * squares[0] + negative * squares[1]) / 2
    bounds = enclosed(low, (positive * dot(v, v) + negative * dot(u, u)) / 2 / least)
    return Proof({"value": bounds}, worst([1 - least]), worst(map(abs, gaps)))


def grows(shares: Vector, x: list[Vector]) -> None:
    """Refuse samples of which one, added to others by these shares, may make their sum no longer."""
    for i, (share, row) in enumerate(zip(shares, x, strict=True)):
        others = sum(
            2 * one * abs(dot(row, other)) for k, (one, other) in enumerate(zip(shares, x, strict=True)) if k != i
        )
        demand(share * dot(row, row) > others, "the samples are not nearly orthogonal")
