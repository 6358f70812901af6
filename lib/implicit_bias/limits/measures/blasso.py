"""The sparse measure that fits Fourier coefficients with least mass (Beurling Lasso), with its dual certificate."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from implicit_bias.checks import Array, instance, memory, number
from implicit_bias.data.torus import Deconvolution
from implicit_bias.limits.certificate import in_unit
from implicit_bias.limits.measures.blasso_certificate import TOLERANCE, certified
from implicit_bias.limits.measures.sliding import Spikes
from implicit_bias.limits.measures.sparse_measure import SparseMeasure, in_units
from implicit_bias.limits.measures.torus_field import TorusField
from implicit_bias.limits.measures.variation_minima import GRID_PER_FREQUENCY, SHARE, lowest_variations
from implicit_bias.limits.rounding import UNIT

MAX_ROUNDS = 40
SETTLED = 1e-9  # of λ: the slope in masses and places that Newton's method has left where it was not stopped early
HARDLY = 1e-3  # of λ: a depth that the grid sees well enough
NEW_MASS = 1e-3
NO_MASS = 1e-10
POLISHED = 4
WORKSPACE = 10  # numbers a point of the grid: values, their neighbours, what is low


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
    unit, answer = in_units(answer)
    target = TorusField.of(answer.problem.positions, answer.problem.masses, problem.cutoff).coefficients
    signs = (1.0, -1.0) if signed else (1.0,)
    for _ in range(MAX_ROUNDS):
        more = _with_new(answer, signs, HARDLY, refined=False)
        if more is None:
            answer = _slid(answer, target)
            answer = _polished(answer) if answer.rounding else answer
            more = _with_new(answer, signs, TOLERANCE + answer.rounding, refined=True)
            if more is None and answer.masses.size and _unsettled(answer):
                more = answer
        if more is None:
            break
        answer = _slid(more, target, done=HARDLY / 10, weighed=True)
    masses = in_unit(answer.masses, unit, "the masses")
    return certified(SparseMeasure(problem, penalty, answer.positions, masses), signed=signed)


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


def _unsettled(measure: SparseMeasure) -> bool:
    """Whether ∇J exceeds what is asked of it and what the rounding of masses and places changes, |∇²J| |z| 2^−53."""
    size = np.abs(np.concatenate([measure.masses, measure.positions.ravel()]))
    rounding = UNIT * (np.abs(measure.hessian()) @ size)
    return bool(np.any(np.abs(measure.slope()) > SETTLED * measure.penalty + rounding))


def _polished(measure: SparseMeasure) -> SparseMeasure:
    """The measure after Newton steps with the slope that ``fine_weights`` gives, as long as that falls."""
    for _ in range(POLISHED):
        slope = measure.slope()
        try:
            trial = measure.moved(-np.asarray(np.linalg.solve(measure.hessian(), slope), dtype=np.float64))
        except np.linalg.LinAlgError:
            break
        same = np.array_equal(np.sign(trial.masses), np.sign(measure.masses))
        if not (same and np.linalg.norm(trial.slope()) < np.linalg.norm(slope)):
            break
        measure = trial
    return measure


def _slid(measure: SparseMeasure, target: Array, *, done: float = 0.0, weighed: bool = False) -> SparseMeasure:
    """Masses and places improved together until ‖∇J‖ is at most λ times ``done``; before, masses alone if asked for."""
    if not measure.masses.size:
        return measure
    spikes = Spikes(target, measure.penalty, np.sign(measure.masses), measure.masses, measure.positions)
    spikes = (spikes.weighed() if weighed else spikes).slid(done * measure.penalty)
    heavy = np.abs(spikes.masses) > NO_MASS
    return replace(measure, masses=spikes.masses[heavy], positions=spikes.places[heavy])
