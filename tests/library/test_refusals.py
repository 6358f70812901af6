"""Arguments for which a formula has no value, and requests that would fill the memory: refused in one line."""

import tracemalloc

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias import kernels, losses
from implicit_bias.data import (
    Classification,
    Images,
    gaussian_mixture,
    nearly_orthogonal,
    planar_teacher,
    random_spikes,
    random_teacher,
    separable,
    sparse_regression,
    torus_grid,
)
from implicit_bias.data.torus import basis_derivative, fourier_basis
from implicit_bias.limits.interpolation import HyperbolicEntropy, entropy_path, scale_derivative
from implicit_bias.limits.margin import margin_search
from implicit_bias.limits.measures import EntropicBound, LocalRates, blasso
from implicit_bias.limits.neuron import NeuronRegularizer, leaky_neuron_limit, unleaked
from implicit_bias.limits.stable_rank import (
    kinked_stable_rank,
    one_step_error,
    spike_curve,
    spiked_fluctuation,
    spiked_stable_rank,
    trace_over_norm,
)
from implicit_bias.limits.wide import mean_field_flow, positive_fit, relu_power_series, relu_series
from implicit_bias.models.two_layer.softmax import stable_rank

# --- requests that would fill the memory

STREAM = np.random.default_rng(0)
TOO_LARGE = {
    "torus_grid, side": lambda: torus_grid(10**6, 2),
    "torus_grid, dimension": lambda: torus_grid(10, 32),
    "positive_fit": lambda: positive_fit(planar_teacher(STREAM, 2), 10**6),
    "mean_field_flow": lambda: mean_field_flow(planar_teacher(STREAM, 2), [1.0], 10**9),
    "blasso": lambda: blasso(random_spikes(STREAM, 2, 2, cutoff=10**5), 1.0),
    "frequencies": lambda: random_spikes(STREAM, 2, 2, cutoff=10**5).frequencies,
    "fourier_basis": lambda: fourier_basis(np.zeros(10), 10**9),
    "basis_derivative": lambda: basis_derivative(10**6),
    "random_spikes": lambda: random_spikes(STREAM, 10**6),
    "relu_power_series": lambda: relu_power_series(10**10),
    "spike_curve": lambda: spike_curve(gaussian_mixture(STREAM, 4, 8, separation=1.0), 0.5, 0.1, 10**10),
    "margin_search": lambda: margin_search(nearly_orthogonal(STREAM, 3, 4), 0.5, 10**6, 1, STREAM),
    "sparse_regression": lambda: sparse_regression(STREAM, 10**6, 10**6),
    "separable": lambda: separable(STREAM, 10**6, 10**6),
    "gaussian_mixture": lambda: gaussian_mixture(STREAM, 10**6, 10**6, separation=1.0),
    "nearly_orthogonal": lambda: nearly_orthogonal(STREAM, 10**6, 10**6),
    "planar_teacher": lambda: planar_teacher(STREAM, 10**10),
    "random_teacher": lambda: random_teacher(STREAM, 10**6, 10**6),
}


@pytest.mark.parametrize("call", TOO_LARGE.values(), ids=TOO_LARGE)
def test_a_request_beyond_the_memory_is_refused_before_anything_is_made(call):
    tracemalloc.start()
    try:
        text = refusal(call, "more than 4 GiB of memory")
        assert " is 1" in text
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


# --- arguments for which a formula has no value

OPPOSED = Classification(x=np.array([[1.0, 2.0], [1.0, 2.0]]), y=np.array([1.0, -1.0]))
MIXTURE = gaussian_mixture(np.random.default_rng(0), 4, 8, separation=1.0)
REGRESSION = sparse_regression(np.random.default_rng(0), 3, 6, nonzeros=1)
SPIKES = random_spikes(np.random.default_rng(0), 2, 1, separation=1.0)
IMAGES = {"x": np.ones((2, 3)), "labels": np.array([0, 1]), "x_test": np.ones((1, 3)), "labels_test": np.array([0])}
WITHOUT_VALUE = [
    (lambda: spike_curve(OPPOSED, 0.5, 0.1, 3), "data has ‖Σ y_i x_i‖ = 0; it must not vanish"),
    (lambda: one_step_error(OPPOSED, 0.5), "data has ‖Σ y_i x_i‖ = 0"),
    (lambda: kinked_stable_rank(OPPOSED, 0.5, 3), "data has ‖Σ y_i x_i‖ = 0"),
    (lambda: kinked_stable_rank(Classification(np.eye(2, 2, 1), np.ones(2)), 0.5, 3), "data holds a sample that is 0"),
    (lambda: spike_curve(MIXTURE, 0.5, 0.1, 3, margins=1e9), "margins and learning_rate"),
    (lambda: spike_curve(MIXTURE, 0.5, 0.1, 3, margins=[np.nan] * 4), "margins holds nan at [0], and 3 more"),
    (lambda: spike_curve(MIXTURE, 0.5, 0.1, 3, margins=np.zeros(3)), "margins has shape"),
    (lambda: stable_rank(np.zeros((2, 3))), "w has the squared norm 0"),
    (lambda: trace_over_norm(np.zeros((2, 2))), "moment has the largest eigenvalue 0"),
    (lambda: trace_over_norm(np.ones((2, 3))), "moment has shape"),
    (lambda: spiked_stable_rank(np.nan, 1.0, 3, 4), "spike holds nan;"),
    (lambda: spiked_stable_rank("3", 1.0, 3, 4), "spike is 3; it must be an array of real numbers"),
    (lambda: spiked_fluctuation(1.0, 0.0, 3, 4), "the smallest deviation is 0"),
    (lambda: losses.smooth_margin([1.0, 2.0], -1), "beta is -1; it must lie in (0, inf)"),
    (lambda: losses.smooth_margin_weights([1.0, np.nan], 1), "m holds nan at [1]"),
    (lambda: losses.smooth_margin([], 1), "m has shape (0,)"),
    (lambda: losses.margin_loss(["logistic"]), "loss is ['logistic']; it must be one of"),
    (lambda: kernels.relu_kernel(np.eye(2), np.eye(2), 3), "inputs is 3; it must be one of"),
    (lambda: kernels.second_moment("sphere", 0), "d is 0"),
    (lambda: relu_series(["a"]), "n is ['a']"),
    (lambda: unleaked([1.0, 2.0], True, 0.5), "sign is True"),
    (lambda: unleaked([1.0, 2.0], 0, 0.5), "sign is 0; it must be 1 or -1"),
    (lambda: unleaked([1.0, -2.0], 1, 1e-320), "y over the slope holds -inf at [1]"),
    (lambda: leaky_neuron_limit(REGRESSION.x, REGRESSION.y, "a", np.ones(6), 0.5), "a0 is a;"),
    (lambda: HyperbolicEntropy(np.ones(6)).minimize(REGRESSION.x, REGRESSION.y, tolerance="x"), "tolerance is x;"),
    (lambda: NeuronRegularizer(1.0, np.ones(6)).minimize(REGRESSION.x, REGRESSION.y, tolerance=-1), "tolerance is -1;"),
    (lambda: entropy_path(REGRESSION.x, REGRESSION.y, [1.0], weights=np.zeros(6)), "weights holds 0"),
    (lambda: scale_derivative(HyperbolicEntropy(np.ones(2)), np.ones((2, 2)), [1.0, 1.0]), "x holds 2 dependent rows"),
    (lambda: EntropicBound(SPIKES, None, np.ones(2), np.ones(2)), "penalty is None"),
    (lambda: EntropicBound(SPIKES, 1.0, np.ones(2), np.zeros(2)), "start holds 0; every mass must be positive"),
    (lambda: LocalRates(blasso(SPIKES, 1.0), 1.0, 1.0).quotient([0.1]), "points has 1 axes"),
    (lambda: margin_search(OPPOSED, 0.5, 1, 1, STREAM), "problem holds 2 dependent samples"),
    (lambda: Images(**IMAGES | {"labels": None}, classes=2, largest=1.0), "labels is a NoneType"),
    (lambda: Images(**IMAGES | {"labels": np.array([0.5, 1])}, classes=2, largest=1.0), "labels is a ndarray"),
    (lambda: Images(**IMAGES, classes=2, largest=float("nan")), "largest is nan"),
]


@pytest.mark.parametrize(("call", "words"), WITHOUT_VALUE, ids=[words for _, words in WITHOUT_VALUE])
def test_where_a_formula_has_no_value_it_is_refused(call, words):
    refusal(call, words)
