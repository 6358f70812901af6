"""The sparse measure that fits Fourier coefficients with least mass (Beurling Lasso), with its dual certificate."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.optimize import minimize

from implicit_bias.checks import Array, array, memory, number, whole
from implicit_bias.data.torus import Deconvolution, torus_grid, wrapped
from implicit_bias.limits.certificate import Certificate, exponent, in_unit, relative
from implicit_bias.limits.measures.dirichlet_kernel import kernel
from implicit_bias.limits.measures.torus_floor import torus_floor

TOLERANCE = 1e-12
MAX_SPIKES = 40
GRID_PER_FREQUENCY = 12
NEWTON_STEPS = 30
NO_MASS = 1e-10
SAME_PLACE = 1e-3
WORKSPACE = 100  # numbers a point of the grid, that the kernel of a few spikes holds at a time


@dataclass(frozen=True)
class SparseMeasure:
    """A measure ν = Σ a_i δ_{θ_i} on the torus as an answer to min J(ν), J(ν) = R(∫φ dν) + λ|ν|(Θ).

    problem: whose Fourier coefficients are fitted.
    penalty: λ.
    positions: θ, s × d.
    masses: a, s numbers, none 0; all positive unless the problem is signed.
    certificate: dual is the depth of J′ below 0 over λ, gap the duality gap over J; None before it is computed.
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

    def correlation(self, points: Array) -> tuple[Array, Array, Array]:
        """⟨φ(θ), ∇R⟩ = Σ_j c_j K(θ − x_j) over the spikes of ν − ν̂, with gradient and Hessian in θ.

        points: θ, n × d.

        Returns n, n × d and n × d × d numbers.
        """
        residual, places = self._residual
        value, gradient, hessian = kernel(points, places, self.problem.cutoff)
        return (
            value @ residual,
            np.einsum("nld,l->nd", gradient, residual),
            np.einsum("nlde,l->nde", hessian, residual),
        )

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

    Spikes are added one by one where J′_ν is least; after each, masses and positions are improved together by BFGS
    and by Newton's method. A lower bound of J′ over the whole torus certifies the answer: p = ∇R scaled until ⟨φ(θ), p⟩
    + λ ≥ 0 everywhere is feasible for the dual max −½‖p‖² − ⟨p, f̂⟩.

    problem: the spikes whose coefficients f̂ are known.
    penalty: λ > 0.
    signed: whether negative masses are allowed (the space is doubled, each copy with its sign).

    Returns the minimizer.
    Raises CertificateError where the certificate stays above 1e-12 relative.
    Reference: Chizat 2022; Denoyelle, Duval, Peyré, Soubies 2019 for adding and sliding spikes.
    """
    penalty = number("penalty", penalty, above=0)
    memory(
        "the cutoff",
        problem.cutoff,
        8 * WORKSPACE * (GRID_PER_FREQUENCY * (2 * problem.cutoff + 1)) ** problem.dimension,
    )
    answer = SparseMeasure(problem, penalty, np.zeros((0, problem.dimension)), np.zeros(0))
    unit, answer = _in_units(answer)
    signs = (1.0, -1.0) if signed else (1.0,)
    for _ in range(MAX_SPIKES):
        lowest = [lowest_variation(answer, sign) for sign in signs]
        best = int(np.argmin([depth for depth, _ in lowest]))
        depth, place = lowest[best]
        if depth >= -TOLERANCE * answer.penalty:
            break
        answer = _slide(
            replace(
                answer,
                positions=np.vstack([answer.positions, place]),
                masses=np.append(answer.masses, signs[best] * 1e-3),
            )
        )
    masses = in_unit(answer.masses, unit, "the masses")
    return certified(SparseMeasure(problem, penalty, answer.positions, masses), signed=signed)


def certified(answer: SparseMeasure, *, signed: bool = False) -> SparseMeasure:
    """The measure with its certificate; CertificateError where that exceeds 1e-12."""
    certificate = certify_blasso(answer, signed=signed)
    certificate.demand(TOLERANCE, "the sparse measure")
    return replace(answer, certificate=certificate)


def certify_blasso(answer: SparseMeasure, *, signed: bool = False) -> Certificate:
    """How far a measure is from minimizing J: the signs of its masses, the depth of J′ below 0, the duality gap.

    The depth comes from ``torus_floor``, which shares nothing with the solver; p = ∇R, scaled by λ/(λ + depth), is
    feasible for the dual problem, and its value there is −½‖p‖² − ⟨p, f̂⟩.

    answer: the measure.
    signed: whether negative masses are allowed.
    """
    _, answer = _in_units(answer)
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
    return Certificate(
        primal=relative(wrong, np.max(np.abs(answer.masses), initial=0.0)),
        dual=depth / answer.penalty,
        gap=relative(answer.value - dual, answer.value),
    )


def _in_units(measure: SparseMeasure) -> tuple[int, SparseMeasure]:
    """The measure with masses and penalty over 2^e, the heaviest spike that is known between 1 and 2, and e."""
    unit = int(exponent(measure.problem.masses)) - 1
    known = replace(measure.problem, masses=np.ldexp(measure.problem.masses, -unit))
    penalty = float(in_unit(measure.penalty, -unit, "the penalty"))
    return unit, SparseMeasure(known, penalty, measure.positions, in_unit(measure.masses, -unit, "the masses"))


def lowest_variation(measure: SparseMeasure, sign: float = 1.0) -> tuple[float, Array]:
    """The minimum of J′_ν over the torus and where it is: a grid, refined by Newton's method at its lowest points."""
    sign = number("sign", sign, least=-1, most=1)
    grid = torus_grid(GRID_PER_FREQUENCY * (2 * measure.problem.cutoff + 1), measure.problem.dimension)
    values = measure.variation(grid, sign)[0]
    places = refine(measure, grid[local_minima(values, measure.problem.dimension)], sign)
    refined = measure.variation(places, sign)[0]
    best = int(np.argmin(refined))
    return float(refined[best]), places[best]


def local_minima(values: Array, dimension: int) -> NDArray[np.intp]:
    """Which points of a square grid, flattened, are no higher than their neighbours."""
    values, dimension = array("values", values, 1), whole("dimension", dimension, least=1)
    side = round(values.size ** (1 / dimension))
    if dimension > 64 or side**dimension != values.size:
        raise ValueError(f"dimension is {dimension}; {values.size} values do not make up a square grid of as many axes")
    cube = values.reshape((side,) * dimension)
    low = np.ones_like(cube, dtype=bool)
    for axis in range(dimension):
        for shift in (-1, 1):
            low &= cube <= np.roll(cube, shift, axis)
    return np.flatnonzero(low)


def refine(measure: SparseMeasure, places: Array, sign: float = 1.0) -> Array:
    """Newton's method on J′_ν from each place, as long as its Hessian is positive and the value falls."""
    places, sign = array("places", places, 2), number("sign", sign, least=-1, most=1)
    refined = []
    for start in places:
        place = start[None]
        for _ in range(NEWTON_STEPS):
            value, gradient, hessian = measure.variation(place, sign)
            try:
                step = cho_solve(cho_factor(hessian[0]), gradient[0])
            except LinAlgError:
                break
            trial = place - step
            if measure.variation(trial, sign)[0][0] >= value[0]:
                break
            place = trial
        refined.append(place[0])
    return np.array(refined)


def _slide(measure: SparseMeasure) -> SparseMeasure:
    """Masses and positions improved together: BFGS within the signs, spikes without mass dropped, then Newton."""
    signs = np.sign(measure.masses)
    s = signs.size

    def objective(z: Array) -> tuple[float, Array]:
        at = replace(measure, masses=signs * z[:s], positions=z[s:].reshape(measure.positions.shape))
        value, gradient, _ = at.correlation(at.positions)
        slope = np.concatenate([signs * value + at.penalty, (at.masses[:, None] * gradient).ravel()])
        return at.value, slope

    start = np.concatenate([np.abs(measure.masses), measure.positions.ravel()])
    bounds = [(0, None)] * s + [(None, None)] * (start.size - s)
    found = minimize(
        objective,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 2000},
    ).x
    slid = replace(measure, masses=signs * found[:s], positions=found[s:].reshape(measure.positions.shape))
    return _newton(_merged(slid))


def _merged(measure: SparseMeasure) -> SparseMeasure:
    """Without spikes of no mass, and with spikes of one sign at the same place put together."""
    kept: list[tuple[float, Array]] = []
    for mass, place in zip(measure.masses, measure.positions, strict=True):
        if abs(mass) <= NO_MASS:
            continue
        for i, (other, at) in enumerate(kept):
            apart = wrapped(place - at)
            if other * mass > 0 and np.linalg.norm(apart) < SAME_PLACE:
                kept[i] = (other + mass, at + apart * mass / (other + mass))
                break
        else:
            kept.append((float(mass), place))
    return replace(measure, masses=np.array([m for m, _ in kept]), positions=np.array([p for _, p in kept]))


def _newton(measure: SparseMeasure) -> SparseMeasure:
    """Newton's method on ∇J(a, θ) = 0 while it lowers ‖∇J‖ and keeps the signs."""
    slope = measure.slope()
    for _ in range(NEWTON_STEPS):
        try:
            trial = measure.moved(-cho_solve(cho_factor(measure.hessian()), slope))
        except LinAlgError:
            break
        after = trial.slope()
        if np.any(trial.masses * measure.masses <= 0) or np.linalg.norm(after) >= np.linalg.norm(slope):
            break
        measure, slope = trial, after
    return measure
