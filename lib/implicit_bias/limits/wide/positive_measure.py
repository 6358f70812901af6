"""The best fit of a planar teacher by neurons of positive output weight, with a duality gap."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import nnls

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, in_range, instance, memory, whole
from implicit_bias.data import Teacher
from implicit_bias.data.torus import wrapped
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.certificate import UNKNOWN, Certificate, CertificateError, Enclosure, relative
from implicit_bias.limits.rounding import LEAST, SAFE, UNIT, Balls, Between, Unproved

FINE = 20
ARRAYS = 8  # of directions² numbers, that the kernel and its eigenvectors hold at a time
# Rounding in units of 2⁻⁵³, NumPy's sines and angles taken to be right to 4 units in the last place: of a kernel's
# value over ‖u‖‖p‖, and of the potential over Σ|c|‖p‖, of each cell and of each source.
OF_KERNEL, OF_CELL, OF_SOURCE = 16, 96, 4
HALF_PI = Between(Fraction(math.pi) / 2, Fraction(math.nextafter(math.pi, 4.0)) / 2)


@brief()
@dataclass(frozen=True)
class PositiveFit:
    """A measure on the circle of directions and what it proves.

    masses: its masses at equidistant directions.
    value: F of it, rounded up: at least the minimum.
    gap: value − gap is at most the minimum, rounding included.
    zero: F of the measure 0, half the mean square of the labels.
    certificate: primal, by how much a mass is negative, over the largest; dual, how far V lies below 0, over √F(0),
        which V of the labels alone does not exceed; gap, over F(0), for the minimum may be 0; the enclosure is that
        of the minimum, as wide as the gap.

    >>> from implicit_bias.data import Teacher
    >>> fit = positive_fit(Teacher(w=np.array([[1.0, 0.0]]), a=np.array([1.0])), directions=60)
    >>> round(float(np.sum(fit.masses)), 6), fit.value < 1e-12
    (1.0, True)
    """

    masses: Array
    value: float
    gap: float
    zero: float
    certificate: Certificate


def positive_fit(teacher: Teacher, directions: int = 720) -> PositiveFit:
    """The minimum over measures ν ≥ 0 of F(ν) = ½ E[(∫ (u·x)₊ dν(u) − f*(x))²] for x ~ N(0, I₂).

    A non-negative least-squares problem on a grid. How far its value is above the minimum over the whole circle,
    ``certify_positive_fit`` proves.

    teacher: f*, in the plane.
    directions: the size of the grid.

    Returns the fit.
    Raises ValueError for a grid of less than 8 directions and one too large for memory, CertificateError where the
    least squares were not solved.

    >>> from implicit_bias.data import Teacher
    >>> fit = positive_fit(Teacher(w=np.array([[1.0, 0.0]]), a=np.array([-1.0])), directions=60)
    >>> round(fit.value, 6), fit.zero
    (0.25, 0.25)
    """
    instance("teacher", teacher, Teacher)
    directions = whole("directions", directions, least=8)
    memory("directions", directions, 8 * ARRAYS * directions**2)
    place = array("teacher.w", teacher.w, 2, (None, 2))
    grid = _circle(directions)
    charges = -teacher.a / len(teacher.a)
    values, modes = np.linalg.eigh(relu_kernel(grid, grid))
    kept = values > 1e-13 * values[-1]
    root = np.sqrt(values[kept])
    known = relu_kernel(grid, place) @ charges
    try:
        masses = nnls(root[:, None] * modes[:, kept].T, -(modes[:, kept].T @ known) / root)[0]
    except RuntimeError as error:
        raise CertificateError(f"the non-negative least squares of the teacher were not solved: {error}") from error
    zero = float(charges @ relu_kernel(place, place) @ charges) / 2
    active = masses > 0
    gap, certificate = certify_positive_fit(teacher, grid[active], masses[active])
    return PositiveFit(masses, (certificate.enclosure or UNKNOWN).high, gap, zero, certificate)


@in_range
def certify_positive_fit(teacher: Teacher, places: Array, masses: Array) -> tuple[float, Certificate]:
    """By how much F of a measure can be above the minimum over all measures ν ≥ 0 on the circle.

    With V(u) = E[(f − f*)(x) (u·x)₊] and ε ≥ max(0, −min V) the function f − f* + (π/2)ε‖x‖ is feasible for the dual
    problem, and so:

    gap = ∫ V dν + ε ν(S¹) + (πε/2)²

    teacher: f*, in the plane.
    places: the measure's directions, s unit vectors in the plane.
    masses: s numbers; the negative ones are a miss.

    Returns the gap, an upper bound with rounding inside, and the certificate; its enclosure, of the minimum, ends at F
    of the measure where no mass is negative.
    """
    if not (isinstance(masses, np.ndarray) and not masses.size):
        masses = array("masses", masses, 1, finite=False)
    if masses.size or np.size(places):
        places = array("places", places, 2, (masses.size, 2), finite=False)
    if not (np.all(np.isfinite(masses)) and np.all(np.isfinite(places))):
        raise CertificateError("the gap of the measure is not a finite number: its places or masses are not")
    charges = np.concatenate([masses, -teacher.a / len(teacher.a)])
    sources = np.concatenate([places.reshape(-1, 2), teacher.w])
    below = max(0.0, -lowest_potential(sources, charges))
    try:
        value, miss = _value_and_miss(sources, charges, masses.size, below)
    except Unproved as error:
        raise CertificateError(
            "the gap of the measure is not a finite number: its places or masses are too large"
        ) from error
    low = (value - miss).down()
    gap = (Between.of(value.up()) - (value - miss)).up()
    labels = charges[len(masses) :]
    zero = float(labels @ relu_kernel(teacher.w, teacher.w) @ labels) / 2
    # E[f*(x) (u·x)₊] ≤ √(E[f*²] E[(u·x)₊²]) = √(2F(0) · ½)
    certificate = Certificate(
        primal=relative(min(0.0, float(np.min(masses, initial=0.0))), np.max(np.abs(masses), initial=0.0)),
        dual=relative(below, np.sqrt(zero)),
        gap=relative(gap, zero),
        enclosure=Enclosure(max(0.0, low), value.up()) if np.all(masses >= 0) else UNKNOWN,
    )
    return gap, certificate


def _value_and_miss(sources: Array, charges: Array, count: int, below: float) -> tuple[Between, Between]:
    """F of a measure, and by how much it may be above the minimum.

    sources: p, the measure's places before the teacher's neurons, s × 2.
    charges: c, s numbers, those of the teacher a quotient that was rounded once.
    count: of the places.
    below: ε ≥ max(0, −min V).
    """
    kernel = _enclosed_kernel(sources, sources)
    row = Balls(charges, np.where(np.arange(charges.size) < count, 0.0, UNIT * SAFE * np.abs(charges) + LEAST))
    potential = kernel @ row
    value = (row @ potential).total() / Between.of(2)
    if not count:
        return value, (HALF_PI * Between.of(below)) * (HALF_PI * Between.of(below))
    own = Balls.of(charges[:count])
    inside = (own @ Balls(potential.middle[:count], potential.radius[:count])).total()
    lengths = np.hypot(sources[:count, 0], sources[:count, 1])
    # mutant anywhere(Balls(lengths…): the upper end is the same, and the lower one not asked for
    mass = (own @ Balls(lengths, 4 * UNIT * SAFE * lengths + LEAST)).total()
    over = HALF_PI * Between.of(below)
    return value, inside + Between.of(below) * mass + over * over


def _enclosed_kernel(one: Array, other: Array) -> Balls:
    """k(u, p) = (|u×p| + (π−θ) u·p)/2π in the plane, each value with what its rounding may be."""
    along = one @ other.T
    across = np.abs(np.outer(one[:, 0], other[:, 1]) - np.outer(one[:, 1], other[:, 0]))
    size = np.outer(np.hypot(one[:, 0], one[:, 1]), np.hypot(other[:, 0], other[:, 1]))
    value = (across + (np.pi - np.arctan2(across, along)) * along) / (2 * np.pi)
    held = np.isfinite(value) & np.isfinite(size)
    radius = OF_KERNEL * UNIT * SAFE * size + 32 * LEAST
    return Balls(np.where(held, value, 0.0), np.where(held, radius, np.inf))


@in_range
def lowest_potential(sources: Array, charges: Array, cells: int = FINE * 720) -> float:
    """A lower bound of V(φ) = Σ_k c_k k(u(φ), p_k) over all directions u(φ) of the circle, by Taylor's formula.

    k(u, p) = ‖p‖ g(θ),  2πg = sin θ + (π−θ) cos θ,  2πg′ = −(π−θ) sin θ,  2πg″ = sin θ − (π−θ) cos θ,  |g‴| ≤ ½

    for the angle θ in [0, π] between u and p. V″ is continuous, so that on a cell of half the length r around φ₀
    V ≥ min_{|t|≤r} (V + V′t + ½V″t²)(φ₀) − r³/12 Σ_k |c_k|‖p_k‖.

    sources: p, s × 2.
    charges: c, s numbers.
    cells: how many cells make up the circle.

    Returns the bound, rounding included, also of charges that were rounded once; it is below the minimum by no more
    than r³/6 Σ_k |c_k|‖p_k‖, about 1e-11 of that sum.
    Raises ValueError for cells that are no whole number or too many.
    """
    sources = array("sources", sources, 2, (None, 2))
    charges = array("charges", charges, 1, (len(sources),))
    cells = whole("cells", cells, least=FINE)
    memory("cells", cells, 8 * cells * (1 + len(sources)))
    half = np.pi / cells
    strength = charges * np.hypot(sources[:, 0], sources[:, 1])
    toward = np.arctan2(sources[:, 1], sources[:, 0])
    lowest = np.inf
    for middle in np.array_split(half * np.arange(1, 2 * cells, 2), FINE):
        turn = wrapped(middle[:, None] - toward)
        side, theta = np.sign(turn), np.abs(turn)
        sine, cosine, rest = np.sin(theta), np.cos(theta), np.pi - theta
        value, slope, bend = (
            part @ strength / (2 * np.pi) for part in (sine + rest * cosine, -side * rest * sine, sine - rest * cosine)
        )
        # mutant anywhere(np.clip…): the same, a clip from one side after the other
        inner = np.clip(np.divide(-slope, bend, out=np.zeros_like(bend), where=bend > 0), -half, half)
        for t in (-half, half, inner):
            lowest = min(lowest, float(np.min(value + slope * t + bend * t**2 / 2)))
    rounding = (OF_CELL + OF_SOURCE * len(sources)) * UNIT
    return lowest - (half**3 / 12 + rounding) * float(np.abs(strength).sum()) * SAFE


def _circle(count: int) -> Array:
    """Equidistant unit vectors in the plane, count × 2."""
    angle = 2 * np.pi * np.arange(count) / count  # mutant(2 → 3): the grid goes round the circle one and a half times
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)
