"""What a proof costs: each solver on its chapter's own instance, and the certificate with its enclosure alone.

The error is the relative width of the enclosure: what is proved of the optimum, rounding included. Nothing else that
one would run proves anything, so there is no ratio; the share is that of the solver's time which the proof takes.
"""

from pathlib import Path

import numpy as np
import pytest
from answers.problems import SOLVERS
from answers.statements import STATEMENTS

from implicit_bias.data import BiasLaw, Classification, Samples
from implicit_bias.data.torus import Deconvolution
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.adaptivity import kernel_ridge, variation_fit
from implicit_bias.limits.adaptivity.ridge import enclose_ridge
from implicit_bias.limits.adaptivity.variation_fit import TOLERANCE as FITTED
from implicit_bias.limits.adaptivity.variation_fit import certify_variation_fit
from implicit_bias.limits.certificate import WIDTH
from implicit_bias.limits.enclosed_equations import enclose_form
from implicit_bias.limits.interpolation import HyperbolicEntropy, least_l1, least_norm
from implicit_bias.limits.interpolation.least_l1 import certify_least_l1
from implicit_bias.limits.interpolation.least_norm import certify_least_norm
from implicit_bias.limits.lazy import kernel_regression
from implicit_bias.limits.margin import (
    kernel_margin,
    l1_max_margin,
    max_margin,
    rank_two,
    simplex_margin,
    variation_margin,
)
from implicit_bias.limits.margin.kernel import certify_kernel_margin
from implicit_bias.limits.margin.l1_margin import certify_l1_max_margin
from implicit_bias.limits.margin.linear import certify_max_margin
from implicit_bias.limits.margin.rank_two import _enclosure as enclose_rank_two
from implicit_bias.limits.margin.simplex import certify_simplex_margin
from implicit_bias.limits.margin.variation_certificate import certify_variation_margin
from implicit_bias.limits.measures import blasso
from implicit_bias.limits.measures.blasso_certificate import certify_blasso
from implicit_bias.limits.mirror import least_potential, ramp_spline
from implicit_bias.limits.mirror.least_potential import enclose_potential
from implicit_bias.limits.mirror.ramp_spline import _enclosure as enclose_spline
from implicit_bias.limits.neuron import NeuronRegularizer, linear_neuron_limit
from implicit_bias.limits.neuron.closed_form import certify_neuron
from implicit_bias.potentials import Cubic
from reproduce.chapters.book import Book
from reproduce.chapters.parameters import signature

PENALTY = 1e-2  # of the fit of least variation norm


def data(name):
    """The data of a chapter's instance at its default parameters, as they are kept with its answers."""
    stated = STATEMENTS[name]
    known = signature(Book(Path(__file__).parents[1]).chapter(stated.chapter).read(), stated.chapter)
    return SOLVERS[name]({one.name: one.default for one in known.values()})[0]


def margin():
    z = data("separable")["z"]
    best = max_margin(z)
    return lambda: max_margin(z), lambda: certify_max_margin(z, best.w, best.alpha), z.shape


def l1_margin():
    z = data("separable")["z"]
    best = l1_max_margin(z)
    return lambda: l1_max_margin(z), lambda: certify_l1_max_margin(z, best.w, best.alpha), z.shape


def least(solve, certify):
    def instance():
        x, y = (data("interpolators")[key] for key in "xy")
        best = solve(x, y)
        return lambda: solve(x, y), lambda: certify(x, y, best.w, best.dual), x.shape

    return instance


def entropy():
    kept = data("interpolators")
    x, y = kept["x"], kept["y"]
    potential = HyperbolicEntropy(np.full(x.shape[1], kept["root_k"] ** 2))
    best = potential.minimize(x, y)
    return lambda: potential.minimize(x, y), lambda: potential.certify(best.w, best.dual, x, y), x.shape


def neuron():
    x, y = (data("interpolators")[key] for key in "xy")
    w0 = np.full(x.shape[1], 0.1)
    best = linear_neuron_limit(x, y, 1.0, w0)
    return lambda: linear_neuron_limit(x, y, 1.0, w0), lambda: certify_neuron(x, y, 1.0, w0, best.a, best.w), x.shape


def svm():
    points = data("gamma_2")
    gram, y = relu_kernel(points["x"], points["x"]), points["y"]
    best = kernel_margin(gram, y)
    return lambda: kernel_margin(gram, y), lambda: certify_kernel_margin(gram, y, best), gram.shape


def regression():
    points = data("gamma_2")
    gram, y = relu_kernel(points["x"], points["x"]), points["y"]
    weights = kernel_regression(gram, y, gram).weights
    return lambda: kernel_regression(gram, y, gram), lambda: enclose_form(gram, y, weights, WIDTH), gram.shape


def network():
    points = Classification(**data("gamma_1"))
    best = variation_margin(points)
    parts = best.directions, best.masses, best.weights
    return lambda: variation_margin(points), lambda: certify_variation_margin(points, *parts), points.x.shape


def fit():
    samples = Samples(**data("gamma_1"))
    best = variation_fit(samples, PENALTY)
    parts = PENALTY, best.directions, best.masses
    return lambda: variation_fit(samples, PENALTY), lambda: certify_variation_fit(samples, *parts), samples.x.shape


def spline():
    kept = data("shifted_labels")
    x, y, law, both = kept["x"], kept["y"], BiasLaw(kept["reach"]), (True, True)
    return lambda: ramp_spline(x, y, law), lambda: enclose_spline(x, y, law, both), x.shape


def measure():
    problem = Deconvolution(**data("deconvolution"))
    best = blasso(problem, 1.0)
    return lambda: blasso(problem, 1.0), lambda: certify_blasso(best), problem.positions.shape


PROBLEMS = {
    "maximum margin": margin,
    "maximum margin in the ℓ1 norm": l1_margin,
    "least norm": least(least_norm, certify_least_norm),
    "least ℓ1 norm": least(least_l1, certify_least_l1),
    "least hyperbolic entropy": entropy,
    "limit of a linear neuron": neuron,
    "maximum margin of a kernel": svm,
    "regression with a kernel": regression,
    "γ₁": network,
    "fit of least variation norm": fit,
    "spline": spline,
    "sparse measure": measure,
}

SIZES = (3, 10, 300)  # equations of random programs: of few a proof takes longer than the solver, of many it does not
MATRIX = {3: 6, 10: 30, 300: 3000}  # their unknowns


def of_size(n):
    """Random equations, with the calls that solve them and those that prove the answers."""
    stream = np.random.default_rng(n)
    x, y = stream.standard_normal((n, MATRIX[n])), stream.standard_normal(n)
    gram, w0, penalty = x @ x.T, np.full(MATRIX[n], 0.1), np.array([0.1])
    gram = (gram + gram.T) / 2
    signs = np.sign(y)
    points = Classification(x, signs)
    entropy, bent = HyperbolicEntropy(np.ones(MATRIX[n])), NeuronRegularizer(0.5, w0)
    of_entropy, of_bent, norm = entropy.minimize(x, y), bent.minimize(x, y), least_norm(x, y)
    neuron, potential = linear_neuron_limit(x, y, 1.0, w0), least_potential(x, y, Cubic())
    weights, ridge = kernel_regression(gram, y, gram).weights, kernel_ridge(gram, y, penalty).coefficients
    game = x[:, :n]
    game_answer, network = simplex_margin(game), rank_two(points, 0.5, 3, 2)
    return {
        "least norm": (lambda: least_norm(x, y), lambda: certify_least_norm(x, y, norm.w, norm.dual)),
        "least hyperbolic entropy": (
            lambda: entropy.minimize(x, y),
            lambda: entropy.certify(of_entropy.w, of_entropy.dual, x, y),
        ),
        "regularizer of a neuron": (lambda: bent.minimize(x, y), lambda: bent.certify(of_bent.w, of_bent.dual, x, y)),
        "limit of a linear neuron": (
            lambda: linear_neuron_limit(x, y, 1.0, w0),
            lambda: certify_neuron(x, y, 1.0, w0, neuron.a, neuron.w),
        ),
        "least potential": (
            lambda: least_potential(x, y, Cubic()),
            lambda: enclose_potential(x, y, Cubic(), potential.u, potential.charges),
        ),
        "regression with a kernel": (
            lambda: kernel_regression(gram, y, gram),
            lambda: enclose_form(gram, y, weights, WIDTH),
        ),
        "ridge regression": (
            lambda: kernel_ridge(gram, y, penalty),
            lambda: enclose_ridge(gram, y, penalty, ridge, WIDTH)[0],
        ),
        "game": (
            lambda: simplex_margin(game),
            lambda: certify_simplex_margin(game, game_answer.a, game_answer.p),
        ),
        "network of rank two": (
            lambda: rank_two(points, 0.5, 3, 2),
            lambda: enclose_rank_two(points, 0.5, (3, 2), network.kernel, network.multipliers),
        ),
    }


@pytest.mark.parametrize("name", PROBLEMS)
def test_proof(proof, name):
    solve, prove, shape = PROBLEMS[name]()
    allowed = FITTED if PROBLEMS[name] is fit else WIDTH
    proof(f"what the proof costs: {name}, {' × '.join(map(str, shape))}", solve, prove, allowed)


@pytest.mark.parametrize("n", SIZES)
def test_proof_of_random_programs(proof, n):
    for name, (solve, prove) in of_size(n).items():
        proof(f"what the proof costs: {name}, N = {n}", solve, prove, WIDTH)
