"""What proves that a sparse measure minimizes J: the duality gap, and an enclosure of min J, rounding inside."""

from dataclasses import replace

import numpy as np

from implicit_bias.limits.certificate import UNKNOWN, Certificate, CertificateError, Enclosure, relative
from implicit_bias.limits.measures.sparse_measure import SparseMeasure, in_units
from implicit_bias.limits.measures.torus_floor import torus_floor
from implicit_bias.limits.measures.wave_sum import WaveSum
from implicit_bias.limits.rounding import UNIT, Between

TOLERANCE = 1e-12
WIDTH = 1e-9  # of the enclosure of min J
SOUGHT = 1e-10  # of λ: how far the proved bound of J′ may stay below its least value


def certified(answer: SparseMeasure, *, signed: bool = False) -> SparseMeasure:
    """The measure with its certificate; CertificateError where that exceeds 1e-12, or min J is not proved to 1e-9.

    For K > 12 the residuals may exceed 1e-12 by the ``rounding`` of the masses, which none in floats avoids. A depth
    costs the gap itself times λ|ν|(Θ)/J, at most 1.

    Where spikes cancel min J may be 0: its enclosure is no wider than 1e-9 of λ|ν̂|(Θ), which is never below min J.

    answer: the measure.
    signed: whether masses of both signs are allowed.
    """
    certificate = certify_blasso(answer, signed=signed)
    found = certificate.enclosure or UNKNOWN
    near = found.high - found.low <= WIDTH * answer.penalty * float(np.abs(answer.problem.masses).sum())
    certificate.demand(TOLERANCE + answer.rounding, "the sparse measure", tol=np.inf if near else WIDTH, answer=answer)
    return replace(answer, certificate=certificate)


def certify_blasso(answer: SparseMeasure, *, signed: bool = False) -> Certificate:
    """How far a measure is from minimizing J: the signs of its masses, the depth of J′ below 0, the duality gap.

    The enclosure of min J is from that dual value to J, with all rounding counted at its largest.

    The depth comes from ``torus_floor``, which shares nothing with the solver but, for K > 12, the coefficients of
    ``fine_weights``; p = ∇R, scaled by λ/(λ + depth), is feasible for the dual problem, and its value there is
    −½‖p‖² − ⟨p, f̂⟩.

    answer: the measure.
    signed: whether negative masses are allowed.
    """
    unit, answer = in_units(answer)
    residual, points = answer.residual
    cutoff, allowed = answer.problem.cutoff, TOLERANCE * answer.penalty / 4
    floors = [
        torus_floor(points, sign * residual, cutoff, answer.penalty, allowed) for sign in ((1, -1) if signed else (1,))
    ]
    depth = max(0.0, -min(floors))
    scale = answer.penalty / (answer.penalty + depth)
    size, fit = answer.lengths
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
    residual, points = answer.residual
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
    # mutant anywhere(Between(Between.of(along)…): a product sorts its ends; of ⟨p, f̂⟩ ≥ 0 the dual value is below 0
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
