"""What few neurons cannot do: a lower bound on the population risk of networks with too few neurons of either sign."""

import numpy as np

from implicit_bias.checks import Array, instance, memory, whole
from implicit_bias.data import Teacher

DEGREES = 200


def relu_power_series(count: int) -> Array:  # law: none, degrees have no unit
    """The squared Hermite coefficients of the ReLU at the even degrees 2, 4, …, 2·count.

    k(u, v) = 1/2π + cos θ/4 + Σ_{p≥1} c_p cos^{2p} θ,  c_p = C(2p−2, p−1) / (2π 4^{p−1} (2p − 1) 2p)

    for unit vectors u, v at the angle θ and Gaussian inputs. No odd degree but the first occurs.

    count: how many.

    >>> (relu_power_series(2) * np.pi).round(6)
    array([0.25    , 0.020833])
    """
    count = whole("count", count, least=1)  # mutant(1): the guard of an argument
    memory("count", count, 8 * 6 * count)
    # mutant(count + 1 → count + 2): one degree more, within the tolerance for those left out
    p = np.arange(1, count + 1)
    central = np.cumprod(np.concatenate([[1.0], 1 - 0.5 / p[:-1]]))  # C(2k, k)/4^k
    return np.asarray(central / (2 * np.pi * (2 * p - 1) * 2 * p))


def few_neurons_bound(teacher: Teacher, positive: int, negative: int) -> float:
    """A lower bound on F = ½ E[(f(x) − f*(x))²], x ~ N(0, I), over all networks f with so many neurons of each sign.

    F ≥ ½ Σ_{p≥1} c_p [Σ_{i>m₊} λ_i⁺(M_p)² + Σ_{i>m₋} λ_i⁻(M_p)²],  M_p = Σ_k q_k û_k^{⊗p} (û_k^{⊗p})ᵀ

    with a teacher f*(x) = Σ_k q_k (û_k·x)₊, ‖û_k‖ = 1, and the positive and negative eigenvalues λ_1⁺ ≥ …, |λ_1⁻| ≥ …
    of M_p. The part of degree 2p of f is a matrix with at most m₊ positive and m₋ negative eigenvalues, and by Weyl's
    inequalities no such matrix is nearer to M_p. Degrees 0, 1 and above 400 are left out, which only lowers it.

    teacher: f*.
    positive, negative: m₊ and m₋ ≥ 0, the numbers of output weights of f that are positive and negative.

    Returns the bound as float64 gives it: its rounding, of the order of 1e-8 of the squared lengths at worst, is not in
    it, for the root of a nearly singular matrix knows its least directions no better. If no q_k is 0 and no two û_k are
    parallel or opposite, it is 0 just where f has as many neurons of each sign as f* or more.
    Raises ValueError for a negative number of neurons.

    >>> from implicit_bias.data import Teacher
    >>> teacher = Teacher(w=np.array([[1.0, 0.0], [0.0, 1.0]]), a=np.array([1.0, -1.0]))
    >>> [round(few_neurons_bound(teacher, *signs), 4) for signs in ((0, 0), (2, 0), (1, 1))]
    [0.0227, 0.0114, 0.0]
    """
    instance("teacher", teacher, Teacher)
    positive, negative = whole("positive", positive, least=0), whole("negative", negative, least=0)
    lengths = np.linalg.norm(teacher.w, axis=1)
    some = lengths > 0  # a neuron of no length has no direction, and adds nothing
    directions = teacher.w[some] / lengths[some, None]
    charges = teacher.a[some] * lengths[some] / len(teacher.a)  # mutant(*): the lengths are 1; held by tests
    gram = directions @ directions.T
    values, modes = np.linalg.eigh(gram ** np.arange(1, DEGREES + 1)[:, None, None])  # all degrees at once
    root = (modes * np.sqrt(np.maximum(values, 0.0))[:, None]) @ modes.swapaxes(1, 2)
    rising = np.linalg.eigvalsh(root * charges @ root)
    above, below = np.maximum(rising[:, ::-1][:, positive:], 0.0), np.minimum(rising[:, negative:], 0.0)
    return float(relu_power_series(DEGREES) @ (np.sum(above**2, axis=1) + np.sum(below**2, axis=1)) / 2)
