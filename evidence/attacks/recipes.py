"""A good call of every public function, constructor and class method of the library, for the attacks to spoil.

A function that is added to the library is added here, or says ``# attack: none, REASON`` on the line of its
``def`` or ``class``: a test compares the two.
"""

import dataclasses
import functools
import importlib
import inspect
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
from library.helpers import first_line

import implicit_bias

Generator = np.random.Generator
Arguments = dict[str, Any]
Recipe = Callable[[Generator], Arguments]


def problem(g: Generator) -> Any:
    """A small separable set."""
    from implicit_bias.data import separable

    return separable(g, n=6, d=4, support=2)


def tokens(g: Generator) -> Any:
    """Tokens and queries of four samples."""
    return {"x": g.normal(size=(4, 3, 5)), "z": g.normal(size=(4, 5))}


def margin_of(z: Any) -> Any:
    """The maximum margin of signed points."""
    from implicit_bias.limits.margin import max_margin

    return max_margin(z)


def best_step() -> Any:
    """Sign descent."""
    from implicit_bias.flows import Normalized

    return Normalized("entries")


def around(g: Generator) -> Any:
    """Six points around the origin of the plane."""
    angle = np.pi / 3 * (np.arange(6) + g.uniform(-0.3, 0.3, 6))
    return np.column_stack([np.cos(angle), np.sin(angle)])


def planar_points(g: Generator) -> Any:
    """Five points of the plane with a constant coordinate, two of the one label, three of the other."""
    from implicit_bias.data import Classification

    x = np.column_stack([g.normal(size=(5, 2)), np.ones(5)])
    return Classification(x=x, y=np.array([1.0, -1, 1, -1, 1]))


def best_of(points: Any) -> Any:
    """The classifier of largest margin in the variation norm."""
    from implicit_bias.limits.margin import variation_margin

    return variation_margin(points)


def squared() -> Any:
    """The squared loss."""
    from implicit_bias.losses import Squared

    return Squared("sum")


def tanh_network() -> Any:
    """A smooth network."""
    from implicit_bias.activations import Tanh
    from implicit_bias.models.two_layer import TwoLayer

    return TwoLayer(Tanh())


def biases() -> Any:
    """Uniform biases."""
    from implicit_bias.data import BiasLaw

    return BiasLaw(2.0)


def quartic() -> Any:
    """x⁴ + x²."""
    from implicit_bias.potentials import Quartic

    return Quartic()


def quadratic() -> Any:
    """The potential of gradient flow."""
    from implicit_bias.potentials import Quadratic

    return Quadratic()


def inputs_of_one(g: Generator) -> Any:
    """Three points of one input and their labels."""
    from implicit_bias.data import Samples

    return Samples(g.normal(size=(3, 1)), g.normal(size=3))


def ramps(g: Generator) -> Arguments:
    """A univariate network of four units at its start, and its data."""
    return {"data": inputs_of_one(g), "w": g.choice([-1.0, 1.0], 4), "b": g.normal(size=4)}


def planar_samples(g: Generator) -> Any:
    """Five points of the plane with a constant coordinate and a real label each."""
    from implicit_bias.data import Samples

    return Samples(np.column_stack([g.normal(size=(5, 2)), np.ones(5)]), g.normal(size=5))


def leaky_problem(g: Generator) -> Any:
    """A few nearly orthogonal samples."""
    from implicit_bias.data import nearly_orthogonal

    return nearly_orthogonal(g, n=4, d=12)


def teacher(g: Generator) -> Any:
    """A teacher of three neurons in the plane."""
    from implicit_bias.data import planar_teacher

    return planar_teacher(g, 3)


def torus(g: Generator) -> Any:
    """Two spikes on the circle."""
    from implicit_bias.data.torus import random_spikes

    return random_spikes(g, 2, 1)


@functools.cache
def measure() -> Any:
    """The sparse minimizer for two spikes on the circle."""
    from implicit_bias.limits.measures.blasso import blasso

    return blasso(torus(np.random.default_rng(3)), 0.5)


def local_rates() -> Any:
    """The rates at the sparse minimizer for two spikes on the circle."""
    from implicit_bias.limits.measures.local_rates import LocalRates

    return LocalRates(measure(), 1.0, 1.0)


def entropy(g: Generator) -> Any:
    """A hyperbolic entropy of six coordinates."""
    from implicit_bias.limits.interpolation.hyperbolic_entropy import HyperbolicEntropy

    return HyperbolicEntropy(g.uniform(0.1, 2, 6))


def regression(g: Generator) -> Arguments:
    """Three labels, six features."""
    return {"x": g.normal(size=(3, 6)), "y": g.normal(size=3)}


def classifier(g: Generator) -> Arguments:
    """A linear classifier at its start."""
    from implicit_bias.losses import margin_loss

    return {"problem": problem(g), "loss": margin_loss("logistic"), "w": g.normal(size=4)}


def diagonal() -> Any:
    """A diagonal network of six features."""
    from implicit_bias.models.linear import DiagonalNetwork

    return DiagonalNetwork.unbiased(6, 0.1, 0.2)


def on_circle(g: Generator) -> Any:
    """Particles on the circle."""
    from implicit_bias.models.measures import ParticleMeasure

    return ParticleMeasure(torus(g), 0.5)


def targets(n: int) -> Any:
    """Labels as rows of the unit matrix."""
    return np.eye(3)[np.arange(n) % 3]


def balanced(g: Generator) -> Arguments:
    """A neuron with a0 larger than w0."""
    return {"a0": 2.0, "w0": g.normal(size=6) / 6}


RECIPES: dict[str, Recipe] = {
    # data
    "data.digits.digits": lambda g: {"generator": g, "test": 450},
    "data.images.Images": lambda g: {
        "x": g.uniform(0, 16, (4, 5)),
        "labels": np.array([0, 1, 1, 0]),
        "x_test": g.uniform(0, 16, (2, 5)),
        "labels_test": np.array([0, 1]),
        "classes": 2,
        "largest": 16.0,
    },
    "data.mixture.gaussian_mixture": lambda g: {"generator": g, "n": 5, "d": 4, "separation": 2.0},
    "data.nearly_orthogonal.nearly_orthogonal": lambda g: {
        "generator": g,
        "n": 6,
        "d": 20,
        "ratio": 1.2,
        "correlation": 1e-3,
        "positives": 3,
    },
    "data.bias_heights.BiasHeights": lambda g: {"reach": 2.0, "heights": (1.0, 0.5, 2.0)},
    "data.biases.BiasLaw": lambda g: {"reach": 2.0, "shape": "uniform"},
    "data.regression.Regression": lambda g: {**regression(g), "w_star": g.normal(size=6)},
    "data.regression.sparse_regression": lambda g: {
        "generator": g,
        "n": 5,
        "d": 9,
        "nonzeros": 2,
        "noise_variance": 0.01,
    },
    "data.clusters.clusters": lambda g: {"generator": g, "n": 8, "k": 2, "d": 3, "labels": "diagonal"},
    "data.separable.Classification": lambda g: {"x": g.normal(size=(4, 3)), "y": np.array([1.0, -1, 1, -1])},
    "data.separable.separable": lambda g: {"generator": g, "n": 6, "d": 4, "support": 2, "margin": 0.5, "slack": 0.2},
    "data.teacher.Teacher": lambda g: {"w": g.normal(size=(3, 2)), "a": g.normal(size=3)},
    "data.teacher.planar_teacher": lambda g: {"rng": g, "neurons": 3},
    "data.teacher.random_teacher": lambda g: {"rng": g, "neurons": 3, "d": 4},
    "data.torus.Deconvolution": lambda g: {
        "positions": g.uniform(0, 6, (2, 1)),
        "masses": np.array([1.0, 0.5]),
        "cutoff": 2,
    },
    "data.torus.three_spikes": lambda g: {"signs": [1, -1, 1]},
    "data.torus.random_spikes": lambda g: {
        "generator": g,
        "spikes": 2,
        "dimension": 1,
        "cutoff": 2,
        "separation": 1.0,
        "lightest": 0.6,
        "heaviest": 1.3,
    },
    "data.torus.wrapped": lambda g: {"difference": g.normal(size=4)},
    "data.torus.closest": lambda g: {"x": g.uniform(0, 6, (4, 2))},
    "data.torus.torus_grid": lambda g: {"side": 4, "dimension": 2},
    "data.torus.basis_derivative": lambda g: {"cutoff": 3},
    # kernels and losses
    "data.samples.Samples": regression,
    "data.row_space.RowSpace": lambda g: {"x": g.normal(size=(3, 5))},
    "kernels.second_moment": lambda g: {"inputs": "sphere", "d": 3},
    "kernels.angles": lambda g: {"w": g.normal(size=(2, 3)), "v": g.normal(size=(4, 3))},
    "kernels.relu_kernel": lambda g: {"w": g.normal(size=(2, 3)), "v": g.normal(size=(4, 3)), "inputs": "sphere"},
    "kernels.relu_potential_gradient": lambda g: {
        "w": g.normal(size=(2, 3)),
        "v": g.normal(size=(4, 3)),
        "weights": g.normal(size=4),
        "inputs": "gaussian",
    },
    "kernels.squared_relu_kernel": lambda g: {"w": g.normal(size=(2, 3)), "v": g.normal(size=(4, 3))},
    "rates.log_log_slope": lambda g: {"x": g.uniform(1, 9, 4), "y": g.uniform(1, 9, 4)},
    "norms.largest_difference": lambda g: {"values": g.normal(size=(2, 4)), "others": g.normal(size=(2, 4))},
    "norms.root_mean_square": lambda g: {"values": g.normal(size=(2, 4)), "axis": 1},
    "rates.log_slope": lambda g: {"t": g.normal(size=4), "y": g.uniform(1, 9, 4)},
    "losses.Squared": lambda g: {"reduction": "sum"},
    "losses.margin_loss": lambda g: {"loss": "logistic"},
    "losses.smooth_margin": lambda g: {"m": g.normal(size=5), "beta": 2.0},
    "losses.smooth_margin_weights": lambda g: {"m": g.normal(size=5), "beta": 2.0},
    # limits
    "limits.measures.blasso.blasso": lambda g: {"problem": torus(g), "penalty": 0.5, "signed": False},
    "limits.measures.blasso_certificate.certified": lambda g: {"answer": measure(), "signed": False},
    "limits.measures.variation_minima.lowest_variations": lambda g: {
        "measure": measure(),
        "sign": 1.0,
        "refined": True,
    },
    "limits.measures.variation_minima.local_minima": lambda g: {"values": g.normal(size=16), "dimension": 1},
    "limits.measures.variation_minima.refine": lambda g: {
        "measure": measure(),
        "places": g.uniform(0, 6, (3, 1)),
        "sign": 1.0,
    },
    "limits.measures.blasso_certificate.certify_blasso": lambda g: {"answer": measure(), "signed": False},
    "limits.interpolation.cone_program.certify_cone": lambda g: {
        **regression(g),
        "a": np.full(6, 0.5),
        "b": np.full(6, 0.5),
        "p": g.uniform(0.1, 1, 6),
        "m": g.uniform(0.1, 1, 6),
    },
    "limits.interpolation.least_l1.certify_least_l1": lambda g: {
        **regression(g),
        "w": g.normal(size=6),
        "dual": g.normal(size=3),
    },
    "limits.interpolation.least_norm.certify_least_norm": lambda g: {
        **regression(g),
        "w": g.normal(size=6),
        "dual": g.normal(size=3),
    },
    "limits.margin.search.network_margins": lambda g: {
        "problem": leaky_problem(g),
        "slope": 0.5,
        "positive": 1,
        "weights": g.normal(size=(2, 12)),
    },
    "limits.margin.linear.certify_max_margin": lambda g: {
        "z": problem(g).signed,
        "w": g.normal(size=4),
        "alpha": g.uniform(0, 1, 6),
    },
    "limits.margin.arrangement.responses": lambda g: {
        "directions": g.normal(size=(5, 3)),
        "x": g.normal(size=(4, 3)),
        "charges": g.normal(size=4),
    },
    "limits.margin.arrangement.largest_responses": lambda g: {"x": g.normal(size=(4, 3)), "charges": g.normal(size=4)},
    "limits.margin.variation_norm.variation_margin": lambda g: {"points": planar_points(g)},
    "limits.margin.few_points.variation_margin_of_many": lambda g: {"points": planar_points(g)},
    "limits.margin.price.variation_prices": lambda g: {
        "points": (points := planar_points(g)),
        "best": best_of(points),
        "x": np.column_stack([g.normal(size=(3, 2)), np.ones(3)]),
        "cap": 0.1,
        "tolerance": 0.01,
    },
    "limits.margin.price.kernel_prices": lambda g: {
        "gram": (points := planar_points(g)).x @ points.x.T + np.eye(5),
        "y": points.y,
        "across": g.normal(size=(2, 5)) / 9,
        "own": np.ones(2),
    },
    "limits.margin.random_features.classifier_deviation": lambda g: {
        "x": (points := planar_points(g)).x,
        "y": points.y,
        "at": np.column_stack([g.normal(size=(3, 2)), np.ones(3)]),
    },
    "limits.margin.random_features.classifier_draws": lambda g: {
        "x": (points := planar_points(g)).x,
        "y": points.y,
        "at": np.column_stack([g.normal(size=(3, 2)), np.ones(3)]),
        "m": 100,
        "draws": 3,
        "generator": g,
    },
    "limits.lazy.bound.lazy_bound": lambda g: {
        "kernel": (x := g.normal(size=(3, 5))) @ x.T,
        "y": g.normal(size=3),
        "lipschitz": 1.0,
    },
    "limits.lazy.bilinear.bilinear_norm": lambda g: {
        "blocks": (b := g.normal(size=(3, 4, 3, 3))) + b.swapaxes(2, 3),
    },
    "limits.lazy.criterion.lazy_criterion": lambda g: {
        "residual": g.normal(size=4),
        "kernel": (x := g.normal(size=(4, 6))) @ x.T,
        "seconds": (b := g.normal(size=(3, 4, 3, 3))) + b.swapaxes(2, 3),
    },
    "limits.lazy.criterion.lazy_error": lambda g: {"kappa": 0.5, "times": [0.0, 0.5, 1.0]},
    "limits.lazy.criterion.wide_criterion": lambda g: {
        "residual": g.normal(size=4),
        "gradients": g.normal(size=(3, 4, 3)),
        "seconds": (b := g.normal(size=(3, 4, 3, 3))) + b.swapaxes(2, 3),
    },
    "limits.lazy.expansion.lazy_expansion": lambda g: {
        "loss": squared(),
        "y": g.normal(size=3),
        "times": [0.5, 1.0],
        "kernel": (x := g.normal(size=(3, 5))) @ x.T,
        "third": g.normal(size=(3, 3, 3)),
    },
    "limits.lazy.linear_course.linear_course": lambda g: {
        "features": g.normal(size=(5, 3)),
        "y": g.normal(size=5),
        "others": g.normal(size=(2, 3)),
        "times": [0.0, 1.0],
    },
    "limits.lazy.tangent_limit.relu_tangent_kernel": lambda g: {
        "x": g.normal(size=(4, 3)),
        "z": g.normal(size=(2, 3)),
    },
    "limits.lazy.tangent_limit.kernel_regression": lambda g: {
        "kernel": (x := g.normal(size=(3, 5))) @ x.T,
        "y": g.normal(size=3),
        "cross": g.normal(size=(2, 3)),
    },
    "limits.lazy.tangent_limit.tangent_scatter": lambda g: {
        "x": g.normal(size=(3, 2)),
        "y": g.normal(size=3),
        "points": g.normal(size=(4, 2)),
    },
    "models.two_layer.seconds.neuron_derivatives": lambda g: {
        "net": tanh_network(),
        "w": g.normal(size=(4, 3)),
        "a": g.normal(size=4),
        "x": g.normal(size=(2, 3)),
    },
    "limits.lazy.gated_paths.gated_paths": lambda g: {
        "x": g.normal(size=(4, 3)),
        "y": g.normal(size=4),
        "w": np.tile(g.normal(size=(2, 3)), (2, 1)),
        "a": [1.0, 2.0, -1.0, -2.0],
        "s": [0.0, 0.5, 1.0],
    },
    "limits.lazy.circle.CircleResponse": lambda g: {"x": around(g), "charges": g.normal(size=6)},
    "limits.lazy.least_motion.least_weights": lambda g: {"x": around(g), "y": np.maximum(around(g)[:, 0], 0)},
    "limits.lazy.linear_descent.linear_descent": lambda g: {
        "kernel": (x := g.normal(size=(3, 5))) @ x.T,
        "y": g.normal(size=3),
        "cross": g.normal(size=(2, 3)),
        "rate": 1 / float(np.sum(x**2)),
        "steps": [0.0, 10.0],
    },
    "models.two_layer.tangent_kernel.tangent_kernel": lambda g: {
        "net": tanh_network(),
        "w": g.normal(size=(4, 3)),
        "a": g.normal(size=4),
        "x": g.normal(size=(2, 3)),
        "z": g.normal(size=(5, 3)),
    },
    "models.two_layer.tangents.tangents": lambda g: {
        "net": tanh_network(),
        "w": g.normal(size=(4, 3)),
        "a": g.normal(size=4),
        "x": g.normal(size=(2, 3)),
    },
    "flows.steepest.polar_factor": lambda g: {"g": g.normal(size=(3, 4))},
    "flows.steepest.newton_schulz": lambda g: {"g": g.normal(size=(3, 4)), "steps": 3},
    "flows.steepest.Normalized": lambda g: {"norm": "entries"},
    "flows.steepest.Adam": lambda g: {"beta1": 0.9, "beta2": 0.99, "epsilon": 1e-8},
    "flows.steepest.Muon": lambda g: {"momentum": 0.9},
    "flows.steepest.CrossEntropyDescent": lambda g: {
        "x": g.normal(size=(2, 6, 3)),
        "y": [[0, 1, 2, 0, 1, 2]] * 2,
        "update": best_step(),
        "scale": 0.1,
        "power": -0.5,
    },
    "wrapped_losses.Scaled": lambda g: {"loss": squared(), "alpha": 2.0},
    "wrapped_losses.Ridged": lambda g: {"loss": squared(), "mu": 0.5},
    "limits.mirror.ramp_spline.ramp_spline": lambda g: {"x": [-1.0, 0.2, 1.1], "y": g.normal(size=3), "law": biases()},
    "limits.mirror.ramp_spline.ramp_kernel": lambda g: {"x": g.normal(size=3), "z": g.normal(size=2), "law": biases()},
    "limits.mirror.ramp_scatter.ramp_scatter": lambda g: {
        "x": [-1.0, 0.2, 1.1],
        "y": g.normal(size=3),
        "law": biases(),
        "places": g.normal(size=4),
    },
    "limits.mirror.finite_elements.finite_element_spline": lambda g: {
        "x": [-1.0, 0.2, 1.1],
        "y": g.normal(size=3),
        "law": biases(),
        "cells": 40,
    },
    "limits.mirror.response.potential_response": lambda g: {
        "x": [-1.0, 0.2, 1.1],
        "y": g.normal(size=3),
        "law": biases(),
        "power": 2,
        "bend": 1.5,
    },
    "limits.mirror.response.response_path": lambda g: {
        "x": [-1.0, 0.2, 1.1],
        "y": g.normal(size=3),
        "law": biases(),
        "power": 3,
        "bend": 2.0,
        "times": [1.0, 10.0],
    },
    "limits.mirror.jump_line.jump_line": lambda g: {
        "x": [-1.0, 0.2, 1.1],
        "y": g.normal(size=3),
        "law": biases(),
        "freedom": 0.1,
    },
    "limits.mirror.least_potential.least_potential": lambda g: {
        "features": g.normal(size=(2, 4)),
        "y": g.normal(size=2),
        "potential": quartic(),
    },
    "models.univariate.levelled.LevelledNetwork": lambda g: {**ramps(g), "level": 2.0},
    "limits.mirror.density.within_reach": lambda g: {"x": [-1.0, 0.2, 1.1], "reach": 2.0},
    "limits.mirror.bregman.bregman_function": lambda g: {
        "x": [-1.0, 0.2, 1.1],
        "y": g.normal(size=3),
        "law": biases(),
        "potential": quadratic(),
        "constant": 0.1,
        "breaks": [0.5],
    },
    "limits.mirror.bregman_program.bregman_program": lambda g: {
        "x": [-1.0, 0.2, 1.1],
        "y": g.normal(size=3),
        "law": biases(),
        "power": 4,
        "omega": 1.0,
        "cells": 40,
    },
    "models.univariate.absolute.AbsoluteNetwork": ramps,
    "scaled_potentials.Scaled": lambda g: {"potential": quadratic(), "over": 2.0, "width": 10.0},
    "models.univariate.ramps.RampNetwork": ramps,
    "potentials.Cubic": lambda g: {"omega": 1.0},
    "potentials.Quartic": lambda g: {"omega": 1.0},
    "limits.adaptivity.variation_fit.variation_fit": lambda g: {"data": planar_samples(g), "penalty": 0.1},
    "limits.adaptivity.variation_fit.certify_variation_fit": lambda g: {
        "data": planar_samples(g),
        "penalty": 0.1,
        "directions": np.eye(3)[:2],
        "masses": g.normal(size=2),
    },
    "limits.adaptivity.variation_fit.fit_bound": lambda g: {
        "data": planar_samples(g),
        "penalty": 0.1,
        "outputs": g.normal(size=5),
    },
    "limits.adaptivity.ridge.kernel_ridge": lambda g: {
        "gram": (x := g.normal(size=(5, 3))) @ x.T,
        "y": g.normal(size=5),
        "penalties": [0.1, 1.0],
    },
    "limits.adaptivity.fixed_space.direction_covariance": lambda g: {
        "x": g.normal(size=(4, 3)),
        "z": g.normal(size=(2, 3)),
    },
    "limits.adaptivity.fixed_space.fixed_space_error": lambda g: {"x": g.normal(size=(6, 3)), "n": 2},
    "limits.adaptivity.fixed_space.mean_ridge_error": lambda g: {
        "x": (x := g.normal(size=(4, 3))),
        "z": (z := g.normal(size=(5, 3))),
        "gram": x @ x.T,
        "cross": z @ x.T,
        "penalty": 0.1,
    },
    "limits.margin.kernel.kernel_margin": lambda g: {
        "gram": (points := planar_points(g)).x @ points.x.T + np.eye(5),
        "y": points.y,
    },
    "limits.margin.kernel_classifier.kernel_classifier": lambda g: {"points": planar_points(g)},
    "limits.margin.random_features.margin_deviation": lambda g: {"x": (points := planar_points(g)).x, "y": points.y},
    "limits.margin.kernel.margin_lag": lambda g: {"machine": margin_of(problem(g).signed)},
    "limits.margin.restricted.restricted_margin": lambda g: {
        "points": planar_points(g),
        "directions": g.normal(size=(9, 3)),
    },
    "limits.margin.variation_certificate.margin_bound": lambda g: {
        "points": planar_points(g),
        "weights": g.uniform(0.1, 1, 5),
    },
    "limits.margin.variation_certificate.certify_variation_margin": lambda g: {
        "points": planar_points(g),
        "directions": np.eye(3),
        "masses": g.normal(size=3),
        "weights": g.uniform(0.1, 1, 5),
    },
    "limits.margin.l1_margin.certify_l1_max_margin": lambda g: {
        "z": problem(g).signed,
        "w": g.normal(size=4),
        "alpha": g.uniform(0, 1, 6),
    },
    "limits.neuron.closed_form.certify_neuron": lambda g: {
        **regression(g),
        **balanced(g),
        "a": 2.0,
        "w": g.normal(size=6) / 6,
    },
    "limits.margin.pattern.pattern_limit": lambda g: {
        "problem": leaky_problem(g),
        "slope": 0.5,
        "output_weights": np.array([1.0, -1.0]) / np.sqrt(2),
        "pattern": np.ones((2, 4)),
    },
    "limits.wide.positive_measure.certify_positive_fit": lambda g: {
        "teacher": teacher(g),
        "places": np.stack([np.cos(np.arange(8)), np.sin(np.arange(8))], axis=1),
        "masses": g.uniform(0, 1, 8),
    },
    "limits.wide.positive_measure.lowest_potential": lambda g: {
        "sources": g.normal(size=(3, 2)),
        "charges": g.normal(size=3),
        "cells": 1440,
    },
    "limits.stable_rank.spike.beside_spike": lambda g: {
        "data": problem(g),
        "slope": 0.5,
        "a": np.array([1.0, -1.0, 1.0]) / np.sqrt(3),
        "slopes": g.uniform(0.1, 1, (3, 6)),
    },
    "limits.measures.torus_floor.torus_floor": lambda g: {
        "positions": g.uniform(0, 6, (2, 1)),
        "charges": np.array([0.2, -0.1]),
        "cutoff": 2,
        "constant": 3.0,
        "tolerance": 1e-3,
    },
    "limits.interpolation.cone_program.cone_program": lambda g: {
        **regression(g),
        "a": np.full(6, 0.5),
        "b": np.full(6, 0.5),
    },
    "limits.measures.dirichlet_kernel.kernel": lambda g: {
        "x": g.normal(size=(3, 1)),
        "y": g.normal(size=(2, 1)),
        "cutoff": 2,
    },
    "limits.measures.entropic_bound.EntropicBound": lambda g: {
        "problem": torus(g),
        "penalty": 0.5,
        "places": np.linspace(0, 6, 8),
        "start": np.full(8, 0.3),
    },
    "limits.measures.entropic_bound.mirror_constant": lambda g: {"limit": measure()},
    "limits.measures.entropic_bound.mirror_corrections": lambda g: {"limit": measure()},
    "limits.interpolation.entropy_path.scale_derivative": lambda g: {
        "entropy": entropy(g),
        "x": g.normal(size=(3, 6)),
        "w": g.normal(size=6),
    },
    "limits.interpolation.entropy_path.entropy_path": lambda g: {**regression(g), "root_k": [1.0, 0.5, 0.1]},
    "limits.wide.few_neurons.relu_power_series": lambda g: {"count": 5},
    "limits.wide.few_neurons.few_neurons_bound": lambda g: {"teacher": teacher(g), "positive": 1, "negative": 1},
    "limits.interpolation.hyperbolic_entropy.HyperbolicEntropy": lambda g: {
        "k": g.uniform(0.1, 2, 6),
        "w0": g.normal(size=6),
    },
    "limits.interpolation.hyperbolic_entropy.HyperbolicEntropy.minimize": lambda g: {
        "self": entropy(g),
        **regression(g),
        "tolerance": 1e-12,
    },
    "limits.interpolation.least_l1.least_l1": regression,
    "limits.interpolation.staircase.staircase": lambda g: {**regression(g), "step": 1e-3},
    "limits.interpolation.least_norm.least_norm": regression,
    "limits.margin.search.two_neuron_program": lambda g: {
        "problem": leaky_problem(g),
        "slope": 0.5,
        "positive": 1,
        "negative": 1,
    },
    "limits.margin.search.margin_search": lambda g: {
        "problem": leaky_problem(g),
        "slope": 0.5,
        "positive": 1,
        "negative": 1,
        "generator": g,
        "starts": 2,
    },
    "limits.margin.linear.max_margin": lambda g: {"z": problem(g).signed},
    "limits.margin.entropy.entropic_margin": lambda g: {"z": problem(g).signed},
    "limits.margin.l1_margin.l1_max_margin": lambda g: {"z": problem(g).signed},
    "limits.margin.adam.adam_path": lambda g: {"z": problem(g).signed},
    "limits.margin.adam.adam_growth": lambda g: {"speed": g.exponential()},
    "limits.margin.attention.attention_margin": lambda g: {**tokens(g), "selected": np.zeros(4)},
    "limits.margin.attention.attention_decay": lambda g: {
        **tokens(g),
        "scores": np.array([[1.0, 0.0, -1.0]] * 4),
        "log_decay": -20.0 * g.uniform(0.5, 1.0),
    },
    "limits.margin.attention.token_differences": lambda g: {**tokens(g), "selected": np.zeros(4)},
    "limits.margin.attention.token_pulls": lambda g: {"scores": g.normal(size=(4, 3))},
    "limits.margin.matrix.matrix_margin": lambda g: classes(g),
    "limits.margin.matrix.class_differences": lambda g: classes(g),
    "limits.margin.matrix.certify_matrix_margin": lambda g: {
        "z": g.normal(size=(6, 8)),
        "w": g.normal(size=(2, 4)),
        "weights": g.dirichlet(np.ones(6)),
        "norm": "spectral",
    },
    "limits.margin.matrix.matrix_norm": lambda g: {"w": g.normal(size=(3, 4)), "norm": "spectral"},
    "limits.margin.matrix.dual_norm": lambda g: {"g": g.normal(size=(3, 4)), "norm": "spectral"},
    "limits.margin.simplex.simplex_margin": lambda g: {"z": problem(g).signed},
    "limits.margin.simplex.certify_simplex_margin": lambda g: {
        "z": problem(g).signed,
        "a": g.dirichlet(np.ones(4)),
        "p": g.dirichlet(np.ones(6)),
    },
    "limits.margin.rates.MultiplicativeRate": lambda g: {"z": g.uniform(0, 1, (4, 6)), "start": 1.0},
    "limits.margin.rates.ProjectedRate": lambda g: {"z": g.uniform(0, 1, (4, 6))},
    "limits.wide.mean_field.relu_series": lambda g: {"n": np.arange(5)},
    "limits.wide.mean_field.mean_field_flow": lambda g: {"teacher": teacher(g), "times": [0.0, 0.1, 0.2], "grid": 64},
    "limits.neuron.regularizer.NeuronRegularizer": lambda g: {"delta": 0.5, "w0": g.normal(size=6)},
    "limits.neuron.closed_form.linear_neuron_limit": lambda g: {**regression(g), **balanced(g), "sign": 1},
    "limits.neuron.closed_form.unleaked": lambda g: {"y": g.normal(size=3), "sign": 1, "slope": 0.5},
    "limits.neuron.closed_form.leaky_neuron_limit": lambda g: {**regression(g), **balanced(g), "slope": 0.5},
    "limits.neuron.metric.NeuronMetric": lambda g: {"delta": 0.5},
    "limits.wide.positive_measure.positive_fit": lambda g: {"teacher": teacher(g), "directions": 60},
    "limits.margin.rank_two.network_shape": lambda g: {"slope": 0.5, "positive": 2, "negative": 1},
    "limits.margin.rank_two.orthogonality": lambda g: {"problem": leaky_problem(g), "slope": 0.5},
    "limits.margin.agreement.agreement": lambda g: {
        "problem": leaky_problem(g),
        "slope": 0.5,
        "positive": 2,
        "negative": 1,
    },
    "limits.margin.rank_two.boundary_factor": lambda g: {"slope": 0.5, "positive": 2, "negative": 1},
    "limits.margin.rank_two.rank_two": lambda g: {
        "problem": leaky_problem(g),
        "slope": 0.5,
        "positive": 2,
        "negative": 1,
    },
    "limits.interpolation.entropy_to_l1.entropy_to_l1": regression,
    "limits.measures.local_rates.LocalRates": lambda g: {"limit": measure(), "alpha": 1.0, "beta": 1.0},
    "limits.measures.sharpness_certificate.enclose_sharpness": lambda g: {
        "local": local_rates(),
        "share": 0.01,
    },
    "limits.stable_rank.spike.spiked_stable_rank": lambda g: {"spike": [0.5, 1.0], "deviation": 0.1, "m": 5, "d": 7},
    "limits.stable_rank.spike.spiked_fluctuation": lambda g: {"spike": [0.5, 1.0], "deviation": 0.1, "m": 5, "d": 7},
    "limits.stable_rank.spiked_law.spiked_law": lambda g: {
        "generator": g,
        "spike": [0.5, 1.0],
        "deviation": 0.1,
        "m": 5,
        "d": 7,
    },
    "limits.stable_rank.spike.gate_variance": lambda g: {"data": problem(g), "slope": 0.5, "deviation": 0.1},
    "limits.stable_rank.spike.spike_curve": lambda g: {
        "data": problem(g),
        "slope": 0.5,
        "learning_rate": 0.1,
        "steps": 3,
        "deviation": 0.1,
        "margins": 0.0,
    },
    "limits.stable_rank.two_kinds.two_kinds": lambda g: {
        "data": problem(g),
        "slope": 0.5,
        "a": np.array([1.0, -1.0, 1.0]) / np.sqrt(3),
        "learning_rate": 0.1,
        "steps": 3,
        "inputs": g.normal(size=(3, 6)),
    },
    "limits.stable_rank.spike.one_step_error": lambda g: {"data": problem(g), "slope": 0.5},
    "limits.stable_rank.spike.kinked_stable_rank": lambda g: {"data": problem(g), "slope": 0.5, "m": 5},
    "limits.stable_rank.change_bounds.change_bounds": lambda g: {
        "data": problem(g),
        "slope": 0.5,
        "gathered": g.uniform(0.1, 1, 6),
    },
    "limits.stable_rank.change_bounds.gate_bounds": lambda g: {
        "data": problem(g),
        "slope": 0.5,
        "gathered": g.uniform(0.1, 1, 6),
        "a": np.array([1.0, -1.0, 1.0]) / np.sqrt(3),
        "inputs": g.normal(size=(3, 6)),
    },
    "limits.stable_rank.first_change.first_change_rank": lambda g: {
        "data": problem(g),
        "slope": 0.5,
        "m": 5,
        "deviation": 0.1,
        "margins": g.normal(size=6),
    },
    "limits.stable_rank.decoupled_growth.first_step_moment": lambda g: {
        "x": g.normal(size=(5, 4)),
        "targets": targets(5),
    },
    "limits.stable_rank.fastest_growth.fastest_growth": lambda g: {
        "x": g.normal(size=(5, 4)),
        "targets": targets(5),
        "generator": g,
        "starts": 3,
    },
    "limits.stable_rank.random_start.random_stable_rank": lambda g: {"m": 5, "d": 7, "kurtosis": -1.2},
    "limits.stable_rank.decoupled_growth.trace_over_norm": lambda g: {"moment": np.diag(g.uniform(0.5, 1, 4))},
    "limits.stable_rank.decoupled_growth.decoupled_growth": lambda g: {
        "w": g.normal(size=(3, 4)) * 1e-2,
        "a": g.normal(size=(3, 3)) * 1e-2,
        "x": g.normal(size=(5, 4)),
        "targets": targets(5),
        "learning_rate": 0.1,
        "loudest": 0.5,
        "most": 5,
    },
    # models
    "activations.LeakyReLU": lambda g: {"slope": 0.5, "width": 0.1, "centred": False},
    "models.two_layer.network.TwoLayer": lambda g: {"activation": activation(), "trained": "both", "scaling": "1/m"},
    "models.two_layer.span.Span": lambda g: {"w": g.normal(size=(3, 4)), "x": g.normal(size=(5, 4)), "factor": 1.0},
    "models.two_layer.starts.scale_and_shape": lambda g: {"scale": 0.1, "shape": 0.2},
    "models.two_layer.starts.neuron_start": lambda g: {
        "direction": g.normal(size=4),
        "scale": 0.1,
        "shape": 0.2,
        "sign": 1,
    },
    "models.two_layer.starts.balanced_start": lambda g: {"direction": g.normal(size=4), "a": g.normal(size=2)},
    "models.two_layer.starts.in_pairs": lambda g: {"w": g.normal(size=(2, 4)), "a": g.normal(size=2)},
    "models.univariate.starts.placed_units": lambda g: {"law": biases(), "n": 6},
    "models.univariate.starts.drawn_units": lambda g: {"law": biases(), "generator": g, "n": 6},
    "models.linear.diagonal.DiagonalNetwork": lambda g: {
        name: g.uniform(0.1, 1, 4) for name in ("u_plus", "v_plus", "u_minus", "v_minus")
    },
    "models.linear.diagonal.DiagonalNetwork.unbiased": lambda g: {"d": 4, "scale": 0.1, "shape": 0.2},
    "models.linear.diagonal_flow.DiagonalFlow": lambda g: {"net": diagonal(), **regression(g)},
    "models.linear.vanishing_flow.VanishingFlow": lambda g: {**regression(g), "length": 50.0},
    "models.linear.diagonal_flow.DualFlow": lambda g: {"net": diagonal(), **regression(g)},
    "models.measures.fixed_particles.FixedParticles": lambda g: {
        "problem": torus(g),
        "penalty": 0.5,
        "places": g.uniform(0, 6, (4, 1)),
        "at_start": np.full(4, 0.3),
        "alpha": 1.0,
    },
    "models.measures.conic_flow.ConicFlow": lambda g: {
        "measure": on_circle(g),
        "start": g.uniform(0.3, 1, 8),
        "alpha": 1.0,
        "beta": 0.5,
    },
    "models.measures.circle_flow.CircleFlow": lambda g: {
        "measure": on_circle(g),
        "start": g.uniform(0.3, 1, 8),
        "alpha": 1.0,
        "beta": 0.5,
    },
    "models.linear.predictor.LinearRegressor": lambda g: {**regression(g), "w": g.normal(size=6)},
    "models.linear.predictor.LinearClassifier": classifier,
    "models.population.batch.NetworkBatch": lambda g: {"width": 3, "teacher": teacher(g)},
    "models.measures.particles.ParticleMeasure": lambda g: {
        "problem": torus(g),
        "penalty": 0.5,
        "signs": np.array([1.0, -1]),
        "power": 2,
    },
    "models.population.planar.PlanarNetworks": lambda g: {
        "mass": np.full((2, 3), 1 / 3),
        "sign": np.ones((2, 3)),
        "teacher": teacher(g),
    },
    "models.convolutional.network.ConvNet": lambda g: {
        "side": 8,
        "colours": 1,
        "blocks": ((2,), (3, 3)),
        "classes": 4,
    },
    "models.convolutional.network.vgg11": lambda g: {"side": 32, "colours": 3, "classes": 10, "channels": 2},
    "models.two_layer.softmax.glorot_uniform": lambda g: {"generator": g, "rows": 3, "columns": 4},
    "models.two_layer.softmax.stable_rank": lambda g: {"w": g.normal(size=(3, 4))},
    "models.two_layer.softmax.SoftmaxNetwork": lambda g: {
        "w": g.normal(size=(3, 4)),
        "b": np.zeros(3),
        "a": g.normal(size=(2, 3)),
        "c": np.zeros(2),
    },
    "models.two_layer.softmax.SoftmaxNetwork.glorot": lambda g: {
        "generator": g,
        "width": 3,
        "d": 4,
        "classes": 2,
        "divisor": 1.0,
    },
    "models.two_layer.softmax.accuracy": lambda g: {"logits": g.normal(size=(4, 3)), "labels": np.array([0, 1, 2, 0])},
    "measure.curvature.largest_eigenvalue": lambda g: {
        "operator": symmetric(g),
        "steps": 5,
        "p": 1e-3,
        "seed": 1,
        "exact": symmetric(g),
    },
    "measure.excess.excess": lambda g: {
        "w": g.normal(size=6),
        "x": g.normal(size=(3, 6)),
        "norm": "entropy",
        "k": g.uniform(1, 2, 6),
        "start": g.normal(size=6),
    },
    "measure.balance.Pair": lambda g: {"incoming": "0", "outgoing": "2", "kind": "neurons", "heads": 1},
    "models.population.flow.PopulationFlow": lambda g: {
        "w": g.normal(size=(3, 2)),
        "a": g.normal(size=3),
        "teacher": teacher(g),
        "inputs": "gaussian",
    },
}


def classes(g: np.random.Generator) -> dict[str, Any]:
    """Points around three means, with their labels."""
    y = np.arange(12) % 3
    return {"x": 2 * g.normal(size=(3, 4))[y] + 0.2 * g.normal(size=(12, 4)), "y": y}


def symmetric(g: Generator) -> Any:
    """A symmetric operator."""
    from scipy.sparse.linalg import aslinearoperator

    half = g.normal(size=(8, 8))
    return aslinearoperator(half + half.T)


def activation() -> Any:
    """A leaky ReLU."""
    from implicit_bias.activations import LeakyReLU

    return LeakyReLU(0.5)


@functools.cache
def public() -> dict[str, Callable[..., Any]]:
    """Every public function, class and class method of the library, by its address below ``implicit_bias``."""
    found: dict[str, Callable[..., Any]] = {}
    for info in pkgutil.walk_packages(implicit_bias.__path__, "implicit_bias."):
        module = importlib.import_module(info.name)
        if info.ispkg:
            continue
        where = info.name.removeprefix("implicit_bias.")
        for name, thing in vars(module).items():
            if name.startswith("_") or getattr(thing, "__module__", None) != info.name:
                continue
            if inspect.isfunction(thing):
                found[f"{where}.{name}"] = thing
            elif inspect.isclass(thing) and not getattr(thing, "_is_protocol", False) and takes_data(thing):
                found[f"{where}.{name}"] = thing
                for method, raw in vars(thing).items():
                    if isinstance(raw, classmethod) and not method.startswith("_"):
                        found[f"{where}.{name}.{method}"] = getattr(thing, method)
    return found


def takes_data(thing: type) -> bool:
    """Whether a class checks what it is given: an answer, made by the library, is not made by its readers."""
    own_init = "__init__" in vars(thing) and not dataclasses.is_dataclass(thing) and not issubclass(thing, Exception)
    return own_init or "__post_init__" in vars(thing)


def left_out(address: str) -> bool:
    """Whether a comment on the line of its ``def`` or ``class`` says why the attacks leave it out."""
    return "# attack: none, " in first_line(public()[address])


def callable_of(address: str) -> Callable[..., Any] | None:
    """What an address stands for; None if the library has no such thing (any more)."""
    parts = address.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        try:
            thing: Any = importlib.import_module("implicit_bias." + ".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            thing = getattr(thing, name, None)
            if thing is None:
                return None
        return thing  # type: ignore[no-any-return]
    return None
