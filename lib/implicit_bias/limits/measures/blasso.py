"""The sparse measure that fits Fourier coefficients with least mass (Beurling Lasso), with its dual certificate."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, instance, memory, number, whole
from implicit_bias.data.torus import Deconvolution, torus_grid
from implicit_bias.limits.certificate import (
    UNKNOWN,
    Certificate,
    CertificateError,
    Enclosure,
    exponent,
    in_unit,
    relative,
)
from implicit_bias.limits.measures.dirichlet_kernel import kernel
from implicit_bias.limits.measures.sliding import Spikes
from implicit_bias.limits.measures.torus_field import TorusField
from implicit_bias.limits.measures.torus_floor import torus_floor
from implicit_bias.limits.measures.wave_sum import WaveSum
from implicit_bias.limits.rounding import UNIT, Between

TOLERANCE = 1e-12
WIDTH = 1e-9  # of the enclosure of min J
SOUGHT = 1e-10  # of λ: how far the proved bound of J′ may stay below its least value
MAX_ROUNDS = 40
SHARE = 0.5  # of the depth of the lowest minimum, from which on a spike is added
SETTLED = 1e-9  # of λ: the slope in masses and places that Newton's method has left where it was not stopped early
HARDLY = 1e-3  # of λ: a depth that the grid sees well enough
GRID_PER_FREQUENCY = 12
NEWTON_STEPS = 30
NEW_MASS = 1e-3
NO_MASS = 1e-10
WORKSPACE = 100  # numbers a point of the grid, that the kernel of a few spikes holds at a time


@brief("value")
@dataclass(frozen=True)
class SparseMeasure:
    """A measure ν = Σ a_i δ_{θ_i} on the torus as an answer to min J(ν), J(ν) = R(∫φ dν) + λ|ν|(Θ).

    problem: whose Fourier coefficients are fitted.
    penalty: λ.
    positions: θ, s × d.
    masses: a, s numbers, none 0; all positive unless the problem is signed.
    certificate: dual is the depth of J′ below 0 over λ, gap the duality gap over J; None before it is computed.

    >>> from implicit_bias.data import Deconvolution
    >>> problem = Deconvolution(np.array([[np.pi]]), np.array([1.0]), cutoff=2)
    >>> measure = SparseMeasure(problem, 0.5, np.array([[np.pi]]), np.array([0.9]))
    >>> round(measure.value, 6), measure.total_mass
    (0.475, 0.9)
    """

    problem: Deconvolution
    penalty: float
    positions: Array
    masses: Array
    certificate: Certificate | None = None

    @property
    def value(self) -> float:
        """J(ν)."""
        residual, points = self._residual
        gram = kernel(points, points, self.problem.cutoff)[0]
        return float(residual @ gram @ residual / 2 + self.penalty * np.abs(self.masses).sum())

    @property
    def total_mass(self) -> float:
        """|ν|(Θ), the mass M* of the minimizer."""
        return float(np.abs(self.masses).sum())

    @property
    def _residual(self) -> tuple[Array, Array]:
        """Masses and positions of ν − ν̂."""
        return (
            np.concatenate([self.masses, -self.problem.masses]),
            np.vstack([self.positions, self.problem.positions]),
        )

    @cached_property
    def field(self) -> TorusField:
        """⟨φ(θ), ∇R⟩ = Σ_j c_j K(θ − x_j) over the spikes of ν − ν̂."""
        residual, places = self._residual
        return TorusField.of(places, residual, self.problem.cutoff)

    def correlation(self, points: Array) -> tuple[Array, Array, Array]:
        """⟨φ(θ), ∇R⟩ with gradient and Hessian in θ.

        points: θ, n × d.

        Returns n, n × d and n × d × d numbers.
        """
        return self.field.at(points)

    def variation(self, points: Array, sign: float = 1.0) -> tuple[Array, Array, Array]:
        """J′_ν(θ) = s⟨φ(θ), ∇R⟩ + λ with gradient and Hessian, for mass of sign s."""
        value, gradient, hessian = self.correlation(points)
        return sign * value + self.penalty, sign * gradient, sign * hessian

    def slope(self) -> Array:
        """∇J in (a, θ): s numbers ∂J/∂a_i = ⟨φ(θ_i), ∇R⟩ + λ sign a_i, then s·d numbers ∂J/∂θ_i = a_i∇⟨φ(θ_i), ∇R⟩."""
        value, gradient, _ = self.correlation(self.positions)
        in_masses = value + self.penalty * np.sign(self.masses)
        return np.concatenate([in_masses, (self.masses[:, None] * gradient).ravel()])

    def hessian(self) -> Array:
        """∇²J in (a, θ), s(1+d) square, in the order of ``slope``."""
        a, x = self.masses, self.positions
        s, d = x.shape
        value, gradient, second = kernel(x, x, self.problem.cutoff)
        _, first, curvature = self.correlation(x)
        mixed = -np.einsum("j,ijk->ijk", a, gradient)
        inner = -np.einsum("i,j,ijkl->ikjl", a, a, second)
        for i in range(s):
            mixed[i, i] += first[i]
            inner[i, :, i] += a[i] * curvature[i]
        mixed = mixed.reshape(s, s * d)
        return np.block([[value, mixed], [mixed.T, inner.reshape(s * d, s * d)]])

    def moved(self, step: Array) -> "SparseMeasure":
        """The measure with (a, θ) changed by a step of s(1+d) numbers."""
        s = self.masses.size
        return replace(
            self,
            masses=self.masses + step[:s],
            positions=self.positions + step[s:].reshape(self.positions.shape),
            certificate=None,
        )


def blasso(problem: Deconvolution, penalty: float, *, signed: bool = False) -> SparseMeasure:
    """min ½‖∫φ dν − f̂‖² + λ|ν|(Θ) over nonnegative, or signed, measures on the torus.

    Spikes are added where J′_ν is least, several at a time; then their masses are fitted, and masses and positions
    improved together by Newton's method. A lower bound of J′ over the whole torus certifies the answer: p = ∇R scaled
    until ⟨φ(θ), p⟩ + λ ≥ 0 everywhere is feasible for the dual max −½‖p‖² − ⟨p, f̂⟩.

    problem: the spikes whose coefficients f̂ are known.
    penalty: λ > 0.
    signed: whether negative masses are allowed (the space is doubled, each copy with its sign).

    Returns the minimizer.
    Raises CertificateError where the certificate stays above 1e-12 relative.
    Reference: Chizat 2022; Denoyelle, Duval, Peyré, Soubies 2019 for adding and sliding spikes.

    >>> from implicit_bias.data import Deconvolution
    >>> answer = blasso(Deconvolution(np.array([[np.pi]]), np.array([1.0]), cutoff=2), 0.5)
    >>> answer.positions.round(6), answer.masses.round(6)
    (array([[3.141593]]), array([0.9]))
    """
    instance("problem", problem, Deconvolution)
    penalty = number("penalty", penalty, above=0)
    memory(
        "the cutoff",
        problem.cutoff,
        8 * WORKSPACE * (GRID_PER_FREQUENCY * (2 * problem.cutoff + 1)) ** problem.dimension,
    )
    answer = SparseMeasure(problem, penalty, np.zeros((0, problem.dimension)), np.zeros(0))
    unit, answer = _in_units(answer)
    target = TorusField.of(answer.problem.positions, answer.problem.masses, problem.cutoff).coefficients
    signs = (1.0, -1.0) if signed else (1.0,)
    for _ in range(MAX_ROUNDS):
        more = _with_new(answer, signs, HARDLY, refined=False)
        if more is None:
            answer = _slid(answer, target)
            more = _with_new(answer, signs, TOLERANCE, refined=True)
            if more is None and answer.masses.size and np.max(np.abs(answer.slope())) > SETTLED * answer.penalty:
                more = answer
        if more is None:
            break
        answer = _slid(more, target, done=HARDLY / 10, weighed=True)
    masses = in_unit(answer.masses, unit, "the masses")
    return certified(SparseMeasure(problem, penalty, answer.positions, masses), signed=signed)


def certified(answer: SparseMeasure, *, signed: bool = False) -> SparseMeasure:
    """The measure with its certificate; CertificateError where that exceeds 1e-12, or min J is not proved to 1e-9.

    Where spikes cancel min J may be 0: its enclosure is no wider than 1e-9 of λ|ν̂|(Θ), which is never below min J.

    answer: the measure.
    signed: whether masses of both signs are allowed.
    """
    certificate = certify_blasso(answer, signed=signed)
    found = certificate.enclosure or UNKNOWN
    near = found.high - found.low <= WIDTH * answer.penalty * float(np.abs(answer.problem.masses).sum())
    certificate.demand(TOLERANCE, "the sparse measure", tol=np.inf if near else WIDTH, answer=answer)
    return replace(answer, certificate=certificate)


def certify_blasso(answer: SparseMeasure, *, signed: bool = False) -> Certificate:
    """How far a measure is from minimizing J: the signs of its masses, the depth of J′ below 0, the duality gap.

    The enclosure of min J is from that dual value to J, with all rounding counted at its largest.

    The depth comes from ``torus_floor``, which shares nothing with the solver; p = ∇R, scaled by λ/(λ + depth), is
    feasible for the dual problem, and its value there is −½‖p‖² − ⟨p, f̂⟩.

    answer: the measure.
    signed: whether negative masses are allowed.
    """
    unit, answer = _in_units(answer)
    residual, points = answer._residual
    cutoff, allowed = answer.problem.cutoff, TOLERANCE * answer.penalty / 4
    floors = [
        torus_floor(points, sign * residual, cutoff, answer.penalty, allowed) for sign in ((1, -1) if signed else (1,))
    ]
    depth = max(0.0, -min(floors))
    scale = answer.penalty / (answer.penalty + depth)
    field = kernel(points, points, cutoff)[0] @ residual
    spikes = answer.masses.size
    # fit is −⟨p, f̂⟩: the correlations of p with the spikes that are known.
    size, fit = residual @ field, -(field[spikes:] @ answer.problem.masses)
    dual = -(scale**2) * size / 2 + scale * fit
    wrong = 0.0 if signed else -min(0.0, float(np.min(answer.masses, initial=0.0)))
    value = size / 2 + answer.penalty * answer.total_mass
    return Certificate(
        primal=relative(wrong, np.max(np.abs(answer.masses), initial=0.0)),
        dual=depth / answer.penalty,
        gap=relative(value - dual, value),
        enclosure=_enclosure(answer, unit, signed) if wrong == 0 else UNKNOWN,
    )


def _enclosure(answer: SparseMeasure, unit: int, signed: bool) -> Enclosure:
    """From the dual value of the residual, scaled until it is proved to be feasible, to J; in units of 2^(2 unit).

    ‖∫φ dν‖² = Σ_k |q_k|² and ⟨p, f̂⟩ = Re Σ_k q̄_k f̂_k, each off by no more than ‖q‖ and ‖f̂‖ are off times their lengths.
    """
    residual, points = answer._residual
    problem, penalty = answer.problem, answer.penalty
    try:
        floors = [
            torus_floor(points, sign * residual, problem.cutoff, penalty, SOUGHT * penalty, proved=True)
            for sign in ((1, -1) if signed else (1,))
        ]
    except CertificateError:
        return UNKNOWN
    (rest, off), (known, off_known) = (
        WaveSum.counted(places, charges, problem.cutoff, 0.0)
        for places, charges in ((points, residual), (problem.positions, problem.masses))
    )
    length, length_known = (_length(sum_, far) for sum_, far in ((rest, off), (known, off_known)))
    size, allowed = length * length, Between.of(penalty)
    along = float(np.sum(rest.weights.real * known.weights.real + rest.weights.imag * known.weights.imag))
    slack = Between.of(off) * length_known + Between.of(off_known) * length
    slack = slack + Between.of(4 * rest.weights.size * UNIT) * length * length_known
    mass = sum((Between.of(abs(float(one))) for one in answer.masses), Between.of(0))
    scale = allowed / (allowed + Between.of(max(0.0, -min(floors))))
    half, square = Between.of(0.5), Between.of(4.0**unit if abs(unit) < 500 else 0.0)
    fit = Between(Between.of(along).low - slack.high, Between.of(along).high + slack.high)  # ⟨p, f̂⟩
    dual = Between.of(0) - scale * fit - scale * scale * size * half
    value = size * half + allowed * mass
    if not square.low:
        return UNKNOWN
    return Enclosure(max(0.0, (dual * square).down()), (value * square).up())


def _length(sum_: WaveSum, off: float) -> Between:
    """‖q‖ of the weights q as they are, which those computed miss by no more than ``off``."""
    length = float(np.linalg.norm(sum_.weights))
    off += sum_.weights.size * UNIT * length
    return Between(
        Between.of(max(0.0, float(np.nextafter(length - off, 0)))).low, (Between.of(length) + Between.of(off)).high
    )


def _in_units(measure: SparseMeasure) -> tuple[int, SparseMeasure]:
    """The measure with masses and penalty over 2^e, the heaviest spike that is known between 1 and 2, and e."""
    unit = int(exponent(measure.problem.masses)) - 1
    known = replace(measure.problem, masses=np.ldexp(measure.problem.masses, -unit))
    penalty = float(in_unit(measure.penalty, -unit, "the penalty"))
    return unit, SparseMeasure(known, penalty, measure.positions, in_unit(measure.masses, -unit, "the masses"))


def _with_new(measure: SparseMeasure, signs: Sequence[float], depth: float, refined: bool) -> SparseMeasure | None:
    """The measure with a little mass where J′_ν is lowest; None where it is nowhere below −λ times a depth."""
    found = [lowest_variations(measure, sign, refined=refined) for sign in signs]
    least = min(float(values.min()) for values, _ in found)
    if least >= -depth * measure.penalty:
        return None
    deep = [places[values <= SHARE * least] for values, places in found]
    new = [np.full(len(places), sign * NEW_MASS) for places, sign in zip(deep, signs, strict=True)]
    return replace(
        measure, masses=np.concatenate([measure.masses, *new]), positions=np.vstack([measure.positions, *deep])
    )


def _slid(measure: SparseMeasure, target: Array, *, done: float = 0.0, weighed: bool = False) -> SparseMeasure:
    """Masses and places improved together until ‖∇J‖ is at most λ times ``done``; before, masses alone if asked for."""
    if not measure.masses.size:
        return measure
    spikes = Spikes(target, measure.penalty, np.sign(measure.masses), measure.masses, measure.positions)
    spikes = (spikes.weighed() if weighed else spikes).slid(done * measure.penalty)
    heavy = np.abs(spikes.masses) > NO_MASS
    return replace(measure, masses=spikes.masses[heavy], positions=spikes.places[heavy])


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
