"""Interpolators: any multipliers prove a lower bound, weights moved until they interpolate exactly an upper one."""

from collections.abc import Sequence
from fractions import Fraction

from answers.exact import Interval, Matrix, Vector, arsinh, dot, exp, product, solved, times, total, transposed
from answers.proof import MET, Proof, Values, demand, enclosed, near, sparse, worst


def missed(data: Values, w: Vector) -> list[Fraction]:
    """y − Xw, refused unless it is small."""
    misses = [label - one for label, one in zip(data["y"], times(data["x"], w), strict=True)]
    demand(worst(map(abs, misses)) <= MET * worst(map(abs, data["y"])), "w does not interpolate")
    return misses


def moved(data: Values, w: Vector) -> list[Fraction]:
    """The interpolator next to w, w + Xᵀ(XXᵀ)⁻¹(y − Xw)."""
    x: Matrix = data["x"]
    step = times(transposed(x), solved(product(x, x), missed(data, w)))
    return [one + more for one, more in zip(w, step, strict=True)]


def entropy(data: Values, answer: Values, proof: Values) -> Proof:
    """y·λ − Σ_j (√k/2) sinh²(Xᵀλ)_j ≤ min Σ_j q(w_j) ≤ Σ_j q(w_j) of an interpolator."""
    w, dual, root = answer["w"], proof["dual"], data["root_k"]
    demand(root > 0, "root_k is not positive")
    sparse(w, "w")
    sparse(dual, "dual")
    high = Interval(0)
    for one in moved(data, w):
        u = Interval(2 * abs(one) / root)
        high = high + (1 - (u * u + 1).sqrt() + u * arsinh(u)) * (root / 4)
    forces = times(transposed(data["x"]), dual)
    raised = [exp(Interval(2 * abs(force))) for force in forces]
    conjugate = total((one + 1 / one - 2) * (root / 8) for one in raised)  # sinh²t = (e^{2t} + e^{−2t} − 2)/4
    gap = [arsinh(Interval(2 * abs(one) / root)) / 2 - abs(force) for one, force in zip(w, forces, strict=True)]
    bounds = enclosed(dot(data["y"], dual) - conjugate, high)
    return Proof({"value": bounds}, worst(map(abs, missed(data, w))), worst(abs(one).high for one in gap))


def l1_interpolator(data: Values, answer: Values, proof: Values) -> Proof:
    """y·λ/max(1, ‖Xᵀλ‖_∞) ≤ min ‖w‖₁ ≤ ‖w‖₁ of an interpolator; (Xᵀλ)_j is the sign of w_j where that is not 0."""
    w, dual = answer["w"], proof["dual"]
    sparse(w, "w")
    sparse(dual, "dual")
    forces = times(transposed(data["x"]), dual)
    size = max(map(abs, forces))
    near(size, 1, "the largest force")
    for one, force in zip(w, forces, strict=True):
        if one:
            near(force, 1 if one > 0 else -1, "the force on a weight")
    bounds = enclosed(dot(data["y"], dual) / max(size, Fraction(1)), sum(map(abs, moved(data, w)), Fraction(0)))
    return Proof({"value": bounds}, worst(map(abs, missed(data, w))), worst([size - 1]))


def l2_interpolator(data: Values, answer: Values, proof: Values) -> Proof:
    """y·λ − ½‖Xᵀλ‖² ≤ min ½‖w‖² ≤ ½‖w‖² of an interpolator; w = Xᵀλ."""
    w, dual = answer["w"], proof["dual"]
    sparse(w, "w")
    sparse(dual, "dual")
    forces = times(transposed(data["x"]), dual)
    gap = [one - other for one, other in zip(forces, w, strict=True)]
    demand(worst(map(abs, gap)) <= MET * worst(map(abs, w)), "w is not the sum of the samples by their multipliers")
    nearest = moved(data, w)
    bounds = enclosed(dot(data["y"], dual) - dot(forces, forces) / 2, dot(nearest, nearest) / 2)
    return Proof({"value": bounds}, worst(map(abs, missed(data, w))), worst(map(abs, gap)))


def ramp_kernel(x: Fraction, z: Fraction, reach: Fraction) -> Fraction:
    """E[(wx − b)₊(wz − b)₊], w = ±1, b uniform on [−B, B], for |x|, |z| ≤ B: ∫ t(t + |x − z|) dt from each side."""
    lengths = (min(x, z) + reach, reach - max(x, z))
    return sum((t**3 / 3 + abs(x - z) * t**2 / 2 for t in lengths), Fraction(0)) / (4 * reach)


def shifted(data: Values, answer: Values, proof: Values) -> Proof:
    """2y·λ − λᵀKλ ≤ ‖h‖² ≤ y·K⁻¹y, and the jump of K⁻¹y."""
    x, reach, charges = data["x"], data["reach"], answer["charges"]
    demand(reach >= max(map(abs, x)), "a place lies out of reach")
    sparse(charges, "charges")
    wanted = [one + proof["shift"] for one in data["y"]]
    gram = [[ramp_kernel(one, other, reach) for other in x] for one in x]
    reached = times(gram, charges)
    misses = [one - other for one, other in zip(wanted, reached, strict=True)]
    demand(worst(map(abs, misses)) <= MET * worst(map(abs, wanted)), "h misses its labels")
    exact = solved(gram, wanted)
    value = enclosed(2 * dot(wanted, charges) - dot(charges, reached), dot(wanted, exact))
    mean = [(one**2 + reach**2) / (2 * reach) for one in x]  # E|x − b|
    jumps: Sequence[Fraction] = sorted(dot(one, mean) / 2 for one in (charges, exact))
    return Proof({"value": value, "jump": enclosed(*jumps)}, worst(map(abs, misses)), Fraction(0))
