"""Certificates refuse what is not the optimum, each of their parts by itself, and come from no solver's own grid."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from implicit_bias.data import (
    BiasLaw,
    Classification,
    Deconvolution,
    Samples,
    Teacher,
    clusters,
    nearly_orthogonal,
    planar_teacher,
    random_spikes,
    three_spikes,
)
from implicit_bias.data.torus import CIRCLE
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.adaptivity import kernel_ridge, variation_fit
from implicit_bias.limits.adaptivity.variation_fit import certify_variation_fit
from implicit_bias.limits.certificate import Certificate, CertificateError, Enclosure
from implicit_bias.limits.interpolation import HyperbolicEntropy, cone_program, least_l1, least_norm
from implicit_bias.limits.interpolation.cone_program import certify_cone
from implicit_bias.limits.interpolation.least_l1 import certify_least_l1
from implicit_bias.limits.interpolation.least_norm import certify_least_norm
from implicit_bias.limits.margin import l1_max_margin, margin_search, max_margin, simplex_margin, variation_margin
from implicit_bias.limits.margin.l1_margin import certify_l1_max_margin
from implicit_bias.limits.margin.linear import certify_max_margin
from implicit_bias.limits.margin.search import network_margins
from implicit_bias.limits.margin.simplex import certify_simplex_margin
from implicit_bias.limits.margin.variation_certificate import certify_variation_margin
from implicit_bias.limits.measures import LocalRates, SparseMeasure, blasso
from implicit_bias.limits.measures.blasso_certificate import certify_blasso
from implicit_bias.limits.measures.torus_floor import cell_bounds, least_bends, torus_floor
from implicit_bias.limits.measures.wave_sum import WaveSum
from implicit_bias.limits.mirror import ramp_kernel, ramp_spline
from implicit_bias.limits.neuron import NeuronRegularizer, leaky_neuron_limit, linear_neuron_limit
from implicit_bias.limits.neuron.closed_form import certify_neuron
from implicit_bias.limits.solvers import FEASIBLE
from implicit_bias.limits.wide import mean_field_flow, positive_fit
from implicit_bias.limits.wide.positive_measure import certify_positive_fit, lowest_potential

NAN, INF = float("nan"), float("inf")
PARTS = ("primal", "dual", "gap")
WRONG = 1e-6  # how wrong a part is made; the tolerances are 1e-9 and below
RIGHT = 1e-10


@pytest.mark.parametrize("bad", [NAN, INF, -INF])
@pytest.mark.parametrize("part", PARTS)
def test_a_certificate_that_holds_no_number_refuses(part, bad):
    certificate = replace(Certificate(0.0, 0.0, 0.0), **{part: bad})
    assert certificate.worst == INF
    with pytest.raises(CertificateError, match="it is not certified"):
        certificate.demand(1e300, "it")


# --- an answer that is wrong in one part alone, for each part of each certificate

Z = np.array([[2.0, 0.0], [0.0, 1.0], [5.0, 5.0]])  # w = (½, 1), α = (¼, 1, 0); in ℓ1 α = (½, 1, 0)
X, Y = np.array([[1.0, 0.0, 0.5], [0.0, 2.0, 0.5]]), np.array([1.0, 2.0])  # in ℓ1 w = (1, 1, 0), λ = (1, ½)


def test_where_equations_hold_the_two_values_are_one():
    x, y, penalty = np.array([-0.9, -0.2, 0.4, 0.8]), np.array([1.0, -2.0, 0.5, 3.0]), 1e-2
    gram = ramp_kernel(x, x, BiasLaw(1.0))
    spline, fit = ramp_spline(x, y, BiasLaw(1.0)), kernel_ridge(gram, y, [penalty])
    assert spline.certificate.gap == fit.certificate.gap == 0.0
    charges, c = spline.charges, fit.coefficients[0]
    np.testing.assert_allclose(2 * y @ charges - charges @ gram @ charges, spline.value, rtol=1e-12)
    primal = np.sum((gram @ c - y) ** 2) / 8 + penalty / 2 * c @ gram @ c
    dual = penalty * y @ c - 2 * penalty**2 * c @ c - penalty / 2 * c @ gram @ c
    np.testing.assert_allclose(dual, primal, rtol=1e-12)


def test_the_maximum_margin_is_refused_for_each_part_alone():
    w, alpha = np.array([0.5, 1.0]), np.array([0.25, 1.0, 0.0])
    assert certify_max_margin(Z, w, alpha).worst <= RIGHT
    # α = w·(1 + δ): stationarity is missed to first order, the dual value only to second
    parts = {"dual": certify_max_margin(Z, w, alpha * (1 + WRONG))}
    # (w, α) of a problem with a point less: optimal there, infeasible here
    nearer = np.vstack([Z, [[2.0 - 4 * WRONG, 0.0]]])
    parts["primal"] = certify_max_margin(nearer, w, np.append(alpha, 0.0))
    # w too long and feasible, with α that makes it: no constraint that carries weight is tight
    parts["gap"] = certify_max_margin(Z, w * (1 + WRONG), alpha * (1 + WRONG))
    alone(parts)
    # a negative multiplier, made up for by a point in the same direction: w = Σ α z and Σ α are unchanged
    twice = np.vstack([Z, Z[:1]])
    negative = certify_max_margin(twice, w, np.array([0.25 + WRONG, 1.0, 0.0, -WRONG]))
    alone({"dual": negative})


def test_what_stationarity_lacks_of_the_maximum_margin_is_measured_in_its_whole_length():
    every = np.eye(4)  # w = α = (1, 1, 1, 1): all entries of w − Σ α z are WRONG
    found = certify_max_margin(every, np.ones(4), np.full(4, 1 - WRONG))
    np.testing.assert_allclose(found.dual, WRONG, rtol=1e-6)


def test_the_l1_maximum_margin_is_refused_for_each_part_alone():
    w, alpha = np.array([0.5, 1.0]), np.array([0.5, 1.0, 0.0])
    assert certify_l1_max_margin(Z, w, alpha).worst <= RIGHT
    nearer, twice = np.vstack([Z, [[2.0 - 4 * WRONG, 0.0]]]), np.vstack([Z, Z[:1]])
    alone({
        "primal": certify_l1_max_margin(nearer, w, np.append(alpha, 0.0)),
        # |Σ α z| = 1 + δ in one coordinate and less in the other, Σ α unchanged
        "dual": certify_l1_max_margin(Z, w, alpha + np.array([WRONG, -WRONG, 0.0])),
        "gap": certify_l1_max_margin(Z, w, alpha * (1 - WRONG)),
    })  # fmt: skip
    alone({"dual": certify_l1_max_margin(twice, w, np.array([0.5 + WRONG, 1.0, 0.0, -WRONG]))})


@pytest.mark.parametrize("certify", [certify_max_margin, certify_l1_max_margin])
def test_a_negative_multiplier_of_a_margin_counts_with_the_length_of_its_point(certify):
    # Σ α z = (9/8 − 8/64, 0) = w: in units of length 1 the multipliers are 9/8 and −1/8
    found = certify(np.array([[1.0, 0.0], [8.0, 0.0]]), np.array([1.0, 0.0]), np.array([9 / 8, -1 / 64]))
    np.testing.assert_allclose(found.dual, 1 / 9, rtol=1e-14)


def test_the_variation_margin_is_refused_for_each_part_alone():
    points = Classification(np.eye(3)[:2], np.array([1.0, -1.0]))  # u = e₁, e₂, ν = (½, −½), p = (½, ½)
    u, masses, weights = np.eye(3)[:2], np.array([0.5, -0.5]), np.array([0.5, 0.5])
    assert certify_variation_margin(points, u, masses, weights).worst <= RIGHT
    idle = np.vstack([u, [[0.0, 0.0, -1.0]]])  # a neuron that no point activates
    twice = Classification(np.eye(3)[[0, 1, 0]], np.array([1.0, -1.0, 1.0]))
    alone({
        "primal": certify_variation_margin(points, idle, np.append(masses, WRONG), weights),
        "dual": certify_variation_margin(twice, u, masses, np.array([0.5 + WRONG, 0.5, -WRONG])),
        "gap": certify_variation_margin(points, u, masses * (1 - WRONG), weights),
    })  # fmt: skip
    idle_point = Classification(np.vstack([np.eye(3)[:2], [[0.5, 0.0, 1e-9]]]), np.array([1.0, -1.0, 1.0]))
    assert certify_variation_margin(idle_point, u, masses, np.array([0.5, 0.5, WRONG])).dual > WRONG / 2
    for wrong in (np.full((2, 3), NAN), np.full((2, 3), INF)):
        assert certify_variation_margin(points, wrong, masses, weights).worst == INF
    assert certify_variation_margin(points, u, masses * NAN, weights).worst == INF
    turned = certify_variation_margin(points, u, -masses, weights)  # of margin −½: of the best one it says nothing
    assert (turned.gap, turned.enclosure.low) == (pytest.approx(2.0), 0.0)
    assert certify_variation_margin(points, u, masses, weights * INF).worst == INF


def test_the_fit_of_least_variation_norm_is_refused_for_each_part_alone():
    data = Samples(np.eye(3)[:2], np.array([2.0, -3.0]))  # u = e₁, e₂, each point shrunk by nλ
    u, masses = np.eye(3)[:2], np.array([1.8, -2.8])
    assert certify_variation_fit(data, 0.1, u, masses).worst <= RIGHT
    # shorter directions with larger masses make the same function at a larger cost; that of a point of no mass nothing
    idle = np.vstack([u, [[0.0, 0.0, 1 - WRONG]]])
    alone({"primal": certify_variation_fit(data, 0.1, idle, np.append(masses, 0.0))})
    assert certify_variation_fit(data, 0.1, u, masses * (1 - WRONG)).dual > 10 * RIGHT
    opposite = np.vstack([u, [[0.0, 0.0, -1.0]]])  # a neuron that no point activates
    alone({"gap": certify_variation_fit(data, 0.1, opposite, np.append(masses, WRONG))})
    assert certify_variation_fit(data, 0.1, u * NAN, masses).worst == INF


def test_the_margin_of_a_combination_is_refused_for_each_part_alone():
    z, half = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([0.5, 0.5])  # a game of value 0
    assert certify_simplex_margin(z, half, half).worst <= RIGHT
    long, tilted = half * (1 + WRONG), half + np.array([WRONG, -WRONG])
    alone({
        "primal": certify_simplex_margin(z, long, half),
        "dual": certify_simplex_margin(z, half, long),
        "gap": certify_simplex_margin(z, tilted, half),
    })  # fmt: skip
    alone({"gap": certify_simplex_margin(z, half, tilted)})
    # a negative weight, made up for by a feature that occurs twice: the margin and the sum are unchanged
    negative = np.array([0.5 + WRONG, 0.5, -WRONG])
    alone({"primal": certify_simplex_margin(np.hstack([z, z[:, :1]]), negative, half)})
    alone({"dual": certify_simplex_margin(np.vstack([z, z[:1]]), half, negative)})


@pytest.mark.parametrize("unit", [-1000, 0, 1000])
def test_the_gap_of_a_combination_has_no_unit(unit):
    z, half = np.ldexp([[1.0, -1.0], [-1.0, 1.0]], unit), np.array([0.5, 0.5])
    assert certify_simplex_margin(z, np.array([0.75, 0.25]), half).gap == 0.5  # max (Zᵀp)_j = 0, min (Za)_i = −½


def test_the_least_norm_is_refused_for_each_part_alone():
    answer = least_norm(X, Y)
    w, dual = answer.w, answer.dual
    assert certify_least_norm(X, Y, w, dual).worst <= RIGHT
    outside = np.cross(X[0], X[1])
    # a row that repeats another with a label slightly off misses only its constraint; λ = 0 leaves the values alone
    more, labels = np.vstack([X, X[:1]]), np.append(Y, Y[0] * (1 + WRONG))
    alone({
        "primal": certify_least_norm(more, labels, w, np.append(dual, 0.0)),
        "dual": certify_least_norm(X, Y, w + WRONG * outside / np.linalg.norm(outside), dual),
    })  # fmt: skip
    # Where Xw = y and w = Xᵀλ hold exactly the gap vanishes; it sees a λ that hides in dependent, inconsistent rows.
    hidden = np.append(dual, 0.0) + 1e3 * np.array([1.0, 0.0, -1.0])
    close = certify_least_norm(more, np.append(Y, Y[0] * (1 + 1e-11)), w, hidden)
    assert max(close.primal, close.dual) <= RIGHT < close.gap


def test_the_least_l1_norm_is_refused_for_each_part_alone():
    w, dual = np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.5])
    assert certify_least_l1(X, Y, w, dual).worst <= RIGHT
    more, labels = np.vstack([X, X[:1]]), np.append(Y, Y[0] * (1 + WRONG))
    alone({
        "primal": certify_least_l1(more, labels, w, np.append(dual, 0.0)),
        "dual": certify_least_l1(X, Y, w, dual + WRONG * np.array([2.0, -1.0])),
        "gap": certify_least_l1(X, Y, w, dual * (1 - WRONG)),
    })  # fmt: skip


def test_the_cone_program_is_refused_for_each_part_alone():
    a = np.full(3, 0.3)
    w = HyperbolicEntropy(16 * a * a).minimize(X, Y).w
    s = np.arcsinh(w / (2 * a))
    p, m = a * np.exp(s), a * np.exp(-s)
    assert certify_cone(X, Y, a, a, p, m).worst <= RIGHT
    more, labels = np.vstack([X, X[:1]]), np.append(Y, Y[0] * (1 + WRONG))
    outside = np.cross(X[0], X[1]) * WRONG
    # p and m that both move leave w where it is: only the multipliers read off them are wrong
    parts = {
        "primal": certify_cone(more, labels, a, a, p, m),
        "dual": certify_cone(X, Y, a, a, p + outside * p, m + outside * p),
    }
    for part, certificate in parts.items():
        assert getattr(certificate, part) > 1e-8
    # The gap is of second order in what the others see to first order: it is wrong wherever the answer is far off.
    assert certify_cone(X, Y, a, a, 2 * p, m).gap > 1e-3
    assert certify_cone(X, Y, a, a, p, m).gap <= RIGHT


@pytest.mark.parametrize("sign", [1, -1])
def test_the_neuron_is_refused_for_each_part_alone(sign):
    a0, w0 = 1.5 * sign, np.array([0.2, -0.1, 0.4])
    right = linear_neuron_limit(X, Y, a0, w0)
    a, w = right.a, right.w
    assert certify_neuron(X, Y, a0, w0, a, w).worst <= 1e-12
    outside = np.cross(X[0], X[1])
    # a and w out of balance, w̃ as it is
    balance = certify_neuron(X, Y, a0, w0, a * (1 + WRONG), w / (1 + WRONG))
    assert balance.primal > 1e-9
    # w off the row space, a with it: w̃ interpolates, and in balance
    moved = w + WRONG * outside
    size = sign * np.sqrt(a0**2 - w0 @ w0 + moved @ moved)
    other = certify_neuron(X, a * (X @ w) * size / a, a0, w0, size, moved)
    assert other.dual > 1e-7
    assert other.primal <= RIGHT
    more, labels = np.vstack([X, X[:1]]), np.append(Y, Y[0] * (1 + WRONG))
    missed = certify_neuron(more, labels, a0, w0, a, w)
    assert missed.primal > 1e-8
    assert max(missed.dual, missed.gap) <= 1e-6
    # the answer for other labels
    assert certify_neuron(X, 1.1 * Y, a0, w0, a, w).gap > 1e-3


def spike(mass=1.0):
    return Deconvolution(np.array([[1.0]]), np.array([mass]), 2)


def test_a_sparse_measure_is_refused_for_each_part_alone():
    signed = blasso(three_spikes((1, -1, 1)), 1.0, signed=True)
    right = blasso(spike(), 0.5)
    far = SparseMeasure(spike(), 5 * (1 - 1e-8), np.zeros((0, 1)), np.zeros(0))  # K(0) = 5: just not nothing
    alone({
        "primal": certify_blasso(signed, signed=False),
        "dual": certify_blasso(far),
        "gap": certify_blasso(replace(right, masses=right.masses * (1 + WRONG))),
    }, right=1e-12)  # fmt: skip


def test_a_positive_measure_is_refused_for_each_part_alone():
    angle = np.array([0.3, 2.0, 4.0])
    places, masses = np.stack([np.cos(angle), np.sin(angle)], axis=1), np.array([1.0, 2.0, 0.5])
    teacher = Teacher(places, 3 * masses)  # f* is the measure itself
    _, right = certify_positive_fit(teacher, places, masses)
    assert right.worst <= RIGHT
    # V = 0: a mass below 0 in the teacher as in the answer
    owed = np.array([1.0, -WRONG, 0.5])
    _, primal = certify_positive_fit(Teacher(places, 3 * owed), places, owed)
    assert primal.primal > WRONG / 2
    assert max(primal.dual, primal.gap) <= RIGHT
    # f* a ring of weights below 0, about −‖x‖: the measure 0 is best, V > 0, until the ring has a gap
    _, dual = certify_positive_fit(Teacher(places, 3 * masses * WRONG), places[:0], masses[:0])
    assert dual.dual > 0.01
    # too much mass where V ≥ 0 everywhere else
    _, gap = certify_positive_fit(teacher, places, masses * (1 + WRONG))
    assert gap.gap > WRONG / 2
    assert max(gap.primal, gap.dual) <= RIGHT


def test_each_term_of_the_gap_of_a_positive_measure_is_needed():
    """The dual value D(s) = −½‖s‖² − ⟨s, f*⟩ of s = f − f* + (π/2)ε‖x‖ itself, by sums over many directions of x."""
    teacher, coarse = planar_teacher(np.random.default_rng(3), 5), 9
    fit = positive_fit(teacher, coarse)
    angle = CIRCLE * np.arange(coarse) / coarse
    grid = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    x = CIRCLE * (np.arange(100_000) + 0.5) / 100_000
    x = np.stack([np.cos(x), np.sin(x)], axis=1)
    labels = np.maximum(x @ teacher.w.T, 0) @ teacher.a / len(teacher.a)
    places, charges = np.vstack([grid, teacher.w]), np.concatenate([fit.masses, -teacher.a / len(teacher.a)])
    below = -lowest_potential(places, charges)
    s = np.maximum(x @ grid.T, 0) @ fit.masses - labels + np.pi / 2 * below
    # E over N(0, I₂) of what is homogeneous of degree 2 is twice the mean over the circle.
    dual = -2 * np.mean(s**2) / 2 - 2 * np.mean(s * labels)
    assert (np.pi * below / 2) ** 2 > 1e-4 * fit.gap
    assert fit.value - dual == pytest.approx(fit.gap, rel=1e-6)


def alone(parts, right=RIGHT):
    for part, certificate in parts.items():
        for other in PARTS:
            size = abs(getattr(certificate, other))
            assert size > 10 * right if other == part else size <= right, f"{part} alone: {certificate}"


# --- the tolerance itself

TOLERANCES = [
    (lambda: max_margin(Z), "certify_max_margin", 1e-10),
    (lambda: l1_max_margin(Z), "certify_l1_max_margin", 1e-10),
    (lambda: variation_margin(clusters(np.random.default_rng(0), 6)), "certify_variation_margin", 1e-9),
    (lambda: simplex_margin(Z), "certify_simplex_margin", 1e-10),
    (lambda: variation_fit(Samples(np.eye(3)[:2], np.array([2.0, -3.0])), 0.1), "certify_variation_fit", 1e-5),
    (lambda: least_norm(X, Y), "certify_least_norm", 1e-10),
    (lambda: least_l1(X, Y), "certify_least_l1", 1e-10),
    (lambda: linear_neuron_limit(X, Y, 1.5, [0.2, -0.1, 0.4]), "certify_neuron", 1e-9),
    (lambda: leaky_neuron_limit(X, Y, 1.5, [0.2, -0.1, 0.4], 0.5), "certify_neuron", 1e-9),
    (lambda: blasso(spike(), 0.5), "certify_blasso", 1e-12),
    (lambda: cone_program(X, Y, np.ones(3), np.ones(3)), "certify_cone", 1e-5),
]


@pytest.mark.parametrize(("solve", "certify", "tolerance"), TOLERANCES, ids=lambda item: getattr(item, "strip", str)())
@pytest.mark.parametrize("part", PARTS)
def test_an_answer_is_accepted_up_to_its_tolerance_and_not_beyond(monkeypatch, solve, certify, tolerance, part):
    exact = Certificate(0.0, 0.0, 0.0, Enclosure(1.0, 1.0))
    for size in (0.5 * tolerance, 2 * tolerance):
        replaced(monkeypatch, certify, lambda *a, s=size, **k: replace(exact, **{part: s}))
        if size < tolerance:
            solve()
        else:
            with pytest.raises(CertificateError, match="is not certified"):
                solve()


ENCLOSED = [
    (solve, certify)
    for solve, certify, _ in TOLERANCES
    if certify
    in {"certify_max_margin", "certify_l1_max_margin", "certify_least_norm", "certify_least_l1", "certify_neuron"}
]


@pytest.mark.parametrize(("solve", "certify"), ENCLOSED, ids=lambda item: getattr(item, "strip", str)())
def test_an_answer_is_accepted_up_to_the_width_of_its_enclosure_and_not_beyond(monkeypatch, solve, certify):
    for found in (Enclosure(1.0, 1.0 + 0.9e-9), Enclosure(1.0, 1.0 + 1.1e-9), Enclosure(NAN, 1.0), None):
        replaced(monkeypatch, certify, lambda *a, found=found, **k: Certificate(0.0, 0.0, 0.0, found))
        if found and found.width < 1e-9:
            solve()
        else:
            with pytest.raises(CertificateError, match="its value is proved to lie between"):
                solve()


def replaced(monkeypatch, name, certify):
    """Another certificate, wherever a module of the limits has it by this name."""
    for at, module in list(sys.modules.items()):
        if at.startswith("implicit_bias.limits.") and hasattr(module, name):
            monkeypatch.setattr(module, name, certify)


@pytest.mark.parametrize("problem", [HyperbolicEntropy(np.ones(3)), NeuronRegularizer(0.5, np.ones(3))])
@pytest.mark.parametrize("part", PARTS)
def test_a_minimizer_is_accepted_up_to_its_tolerance_and_not_beyond(monkeypatch, problem, part):
    for size in (0.5e-9, 2e-9):
        given = replace(Certificate(0.0, 0.0, 0.0, Enclosure(1.0, 1.0)), **{part: size})
        monkeypatch.setattr(type(problem), "certify", lambda *a, given=given: given)
        if size < 1e-9:
            problem.minimize(X, Y)
        else:
            with pytest.raises(CertificateError, match="is not certified"):
                problem.minimize(X, Y)


@pytest.mark.parametrize("problem", [HyperbolicEntropy(np.ones(3)), NeuronRegularizer(0.5, np.ones(3))])
def test_a_minimizer_is_refused_for_each_part_alone(problem):
    answer = problem.minimize(X, Y)
    w, dual = answer.w, answer.dual
    more, labels = np.vstack([X, X[:1]]), np.append(Y, Y[0] * (1 + WRONG))
    assert problem.certify(w, dual, X, Y).worst <= RIGHT
    # λ off by δ: the gap sees it to second order only; w off by δ beside X: likewise, its gradient is off by δ
    parts = {
        "primal": problem.certify(w, np.append(dual, 0.0), more, labels),
        "dual": problem.certify(w, dual * (1 + WRONG), X, Y),
    }
    alone(parts)
    hidden = np.append(dual, 0.0) + 1e3 * np.array([1.0, 0.0, -1.0])
    close = problem.certify(w, hidden, more, np.append(Y, Y[0] * (1 + 1e-11)))
    assert max(close.primal, close.dual) <= RIGHT < close.gap


# --- bounds that hold between the points of any grid


@pytest.mark.parametrize("seed", range(5))
def test_the_lowest_potential_is_a_lower_bound_and_near(seed):
    stream = np.random.default_rng(seed)
    sources, charges = 10.0 ** stream.uniform(-2, 2, (6, 1)) * stream.standard_normal((6, 2)), stream.standard_normal(6)
    angle = np.sort(stream.uniform(0, CIRCLE, 20_000))

    def potential(phi):
        return relu_kernel(np.stack([np.cos(phi), np.sin(phi)], axis=1), sources) @ charges

    start = angle[np.argmin(potential(angle))]
    found = minimize(lambda phi: potential(np.array([phi[0]]))[0], [start], method="Nelder-Mead", tol=1e-12).fun
    size = np.abs(charges) @ np.linalg.norm(sources, axis=1)
    assert found - 1e-10 * size <= lowest_potential(sources, charges) <= found + 1e-14 * size


@pytest.mark.parametrize("cells", [0, False, 1e-300, 1e150])
def test_cells_that_cannot_make_up_a_circle_are_refused(cells):
    with pytest.raises(ValueError, match="^cells is "):
        lowest_potential(np.ones((1, 2)), np.ones(1), cells)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("wrong", ["half", "shifted", "sparse"])
def test_a_solver_on_part_of_the_circle_is_found_out(monkeypatch, seed, wrong):
    """Its own grid must not be what certifies it: the gap says how far the value is from the best."""
    module = sys.modules["implicit_bias.limits.wide.positive_measure"]
    whole_circle, teacher = module._circle, planar_teacher(np.random.default_rng(seed), 5)
    right = positive_fit(teacher)
    assert right.certificate.worst <= 1e-4

    def circle(count):
        return {
            "half": whole_circle(2 * count)[:count],
            "shifted": whole_circle(2 * count)[count // 2 : count // 2 + count],
            "sparse": whole_circle(8).repeat(count // 8, axis=0),
        }[wrong]

    monkeypatch.setattr(module, "_circle", circle)
    spoiled = positive_fit(teacher)
    assert spoiled.value - spoiled.gap <= right.value
    if spoiled.value > right.value + right.gap:
        assert spoiled.gap >= spoiled.value - right.value - right.gap
        assert spoiled.certificate.worst > right.certificate.worst


PROBLEMS = [(seed, dimension) for seed in range(3) for dimension in (1, 2)]


@pytest.mark.parametrize(("seed", "dimension"), PROBLEMS)
def test_the_floor_of_a_trigonometric_polynomial_is_a_lower_bound_and_near(seed, dimension):
    stream = np.random.default_rng(seed)
    problem = random_spikes(stream, 3, dimension, separation=1.0)
    measure = SparseMeasure(problem, 1.0, stream.uniform(0, CIRCLE, (2, dimension)), stream.standard_normal(2))
    residual, places = measure.residual
    points = stream.uniform(0, CIRCLE, (20_000, dimension))
    start = points[np.argmin(measure.variation(points)[0])]
    least = minimize(lambda p: measure.variation(p[None])[0][0], start, method="Nelder-Mead", tol=1e-14).fun
    floor = torus_floor(places, residual, problem.cutoff, 1.0, 1e-9)
    assert least - 1.1e-9 <= floor <= least + 1e-12


@pytest.mark.parametrize("reach", [0.1, 0.4, 0.8])
def test_the_floor_of_a_cell_is_below_all_of_it(reach):
    """Also where the cell is large and the remainder of Taylor's formula decides."""
    inside = np.linspace(-reach, reach, 201)[:, None]
    for seed in range(300):
        stream = np.random.default_rng(seed)
        places, charges, middle = (
            stream.uniform(0, CIRCLE, (3, 1)),
            stream.standard_normal(3),
            stream.uniform(0, 6, (1, 1)),
        )
        wave = WaveSum.of(places, charges, 2, 0.5)
        for enough in (-np.inf, 0.0, np.inf):
            bound = cell_bounds(wave, middle, wave.at(middle), reach, enough)
            assert bound[0] <= wave.at(middle + inside)[0].min() + 1e-13


@pytest.mark.parametrize("reach", [0.02, 0.1])
def test_the_floor_of_a_cell_is_below_whatever_was_rounded(reach):
    """T, ∇T and D²T may each be off by what ``WaveSum`` says of them, to either side."""
    off, k = 0.01, 3
    inside = np.linspace(-reach, reach, 201)[:, None]
    for seed in range(30):
        stream = np.random.default_rng(seed)
        wave = WaveSum.of(stream.uniform(0, CIRCLE, (3, 1)), stream.standard_normal(3), k, 0.5)
        middle = stream.uniform(0, 6, (1, 1))
        least = wave.at(middle + inside)[0].min()
        for signs in np.ndindex(2, 2, 2):
            moved = [
                part + (2 * sign - 1) * off * k**i
                for i, (part, sign) in enumerate(zip(wave.at(middle), signs, strict=True))
            ]
            for enough in (-np.inf, 0.0):
                assert cell_bounds(replace(wave, rounding=off), middle, tuple(moved), reach, enough)[0] <= least + 1e-13


@pytest.mark.parametrize("aside", [0.05, 0.1, -0.15])
def test_the_floor_of_a_bowl_is_not_above_its_least_value(aside):
    """T = λ − 1 − 2 cos θ on cells that hold its least value, λ − 3."""
    wave = WaveSum.of(np.zeros((1, 1)), -np.ones(1), 1, 0.5)
    middle = np.full((1, 1), aside)
    bound = cell_bounds(wave, middle, wave.at(middle), 1.1 * abs(aside), np.inf)
    assert -2.5 - 1e-6 < bound[0] <= -2.5 + 1e-14


def test_the_simplest_floor_of_a_small_cell_is_near():
    """|T(θ₀ + t) − T(θ₀) − T′t| ≤ ½|T″|ρ² + ⅙Lρ³ on either side, without any look at the whole cell."""
    wave = WaveSum.of(np.array([[1.0], [2.5]]), np.array([1.0, -0.7]), 2, 0.5)
    for reach in (1e-3, 1e-2):
        for middle in np.linspace(0, 6, 40)[:, None, None]:
            _, _, bend = wave.at(middle)
            least = wave.at(middle + np.linspace(-reach, reach, 101)[:, None])[0].min()
            bound = cell_bounds(wave, middle, wave.at(middle), reach, -np.inf)[0]
            assert bound <= least + 1e-14
            assert least - bound <= abs(bend[0, 0, 0]) * reach**2 + wave.third * reach**3 / 3 + 1e-14


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_the_least_bend_is_the_least_eigenvalue(d):
    matrices = np.random.default_rng(d).standard_normal((50, d, d))
    matrices = matrices + matrices.transpose(0, 2, 1)
    np.testing.assert_allclose(least_bends(matrices), np.linalg.eigvalsh(matrices)[:, 0], atol=1e-13)


def test_a_solver_of_sparse_measures_that_sees_no_second_spike_is_refused(monkeypatch):
    module = sys.modules["implicit_bias.limits.measures.blasso"]
    right = module.lowest_variations
    monkeypatch.setattr(
        module,
        "lowest_variations",
        lambda at, sign=1.0, **way: (np.zeros(1), np.zeros((1, 2))) if at.masses.size else right(at, sign, **way),
    )
    with pytest.raises(CertificateError, match="the sparse measure is not certified"):
        blasso(three_spikes(), 1.0)


def test_a_floor_that_too_many_cells_would_resolve_is_refused(monkeypatch):
    monkeypatch.setattr(sys.modules["implicit_bias.limits.measures.torus_floor"], "MOST_CELLS", 10)
    with pytest.raises(CertificateError, match="on more than 10 cells it may lie"):
        certify_blasso(blasso(three_spikes(), 1.0))


@pytest.mark.parametrize("seed", range(3))
def test_nothing_on_the_torus_is_less_sharp_than_the_least(seed):
    local = LocalRates(blasso(random_spikes(np.random.default_rng(seed)), 1.0), 1.0, 1.0)
    least, where = local.elsewhere
    points = np.random.default_rng(100 + seed).uniform(0, CIRCLE, (20_000, 2))
    apart = np.linalg.norm((points[:, None] - local.limit.positions + np.pi) % CIRCLE - np.pi, axis=2).min(axis=1)
    assert least <= local.quotient(points[apart > 1e-2]).min() * (1 + 1e-9)
    assert least == pytest.approx(local.quotient(where[None])[0], rel=1e-9)


def test_the_margin_search_is_judged_by_the_network(monkeypatch):
    problem = nearly_orthogonal(np.random.default_rng(0), 3, 4)
    weights, values = margin_search(problem, 0.5, 2, 1, np.random.default_rng(1), starts=2)
    hidden = np.maximum(problem.x @ weights.T, 0.5 * problem.x @ weights.T)
    margins = problem.y * (hidden @ np.array([1.0, 1.0, -1.0])) / np.sqrt(3)
    np.testing.assert_allclose(network_margins(problem, 0.5, 2, weights), margins, rtol=1e-12)
    assert margins.min() >= 1 - 1e-8
    assert values[0] == pytest.approx(np.sum(weights**2) / 2, rel=1e-9)
    module = sys.modules["implicit_bias.limits.margin.search"]
    right = module.minimize

    def short(*args, **kwargs):
        run = right(*args, **kwargs)
        run.x = run.x * (1 - 1e-6)
        return run

    monkeypatch.setattr(module, "minimize", short)
    with pytest.raises(CertificateError, match="none of 2 starts ended with every margin at least 1"):
        margin_search(problem, 0.5, 2, 1, np.random.default_rng(1), starts=2)


def test_a_flow_of_densities_that_loses_energy_is_refused(monkeypatch):
    module = sys.modules["implicit_bias.limits.wide.mean_field"]
    right = module.solve_ivp
    monkeypatch.setattr(module, "solve_ivp", lambda *a, **k: right(*a, **{**k, "rtol": 1e-2, "atol": 1e-2}))
    with pytest.raises(CertificateError, match="the flow of the densities loses"):
        mean_field_flow(planar_teacher(np.random.default_rng(0), 3), [5.0], 64)


# --- Clarabel


def test_where_clarabel_fails_the_next_unit_is_tried(monkeypatch):
    import cvxpy

    module, right, calls = sys.modules["implicit_bias.limits.interpolation.cone_program"], cvxpy.Problem.solve, []

    def failing(self, *args, **kwargs):
        calls.append(1)
        if len(calls) <= times:
            raise cvxpy.SolverError("Solver 'CLARABEL' failed.\nTry another.")
        return right(self, *args, **kwargs)

    monkeypatch.setattr(cvxpy.Problem, "solve", failing)
    times = len(FEASIBLE)
    w = cone_program(X, Y, np.ones(3), np.ones(3))
    np.testing.assert_allclose(w, HyperbolicEntropy(np.full(3, 16.0)).minimize(X, Y).w, atol=1e-8)
    calls, times = [], len(module.UNITS) * len(FEASIBLE)
    with pytest.raises(CertificateError, match="not solved in any of 5 units: Clarabel failed") as refused:
        cone_program(X, Y, np.ones(3), np.ones(3))
    assert "\n" not in str(refused.value)
