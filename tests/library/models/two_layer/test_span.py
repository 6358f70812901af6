"""The span of the samples: norms of the weights, scaled starts, other coordinates."""

import numpy as np
import pytest
from library.models.two_layer.cases import M, risk, start

from implicit_bias.flows import GradientDescent, drive
from implicit_bias.models.two_layer import Span


@pytest.mark.parametrize("m", [1, M])
def test_norms_of_the_weights_are_those_of_the_singular_values(m):
    w, a = start(m=m)
    span = risk("smoothed", "logistic", "first").in_span(w, a)
    for flow, begin in ((span, w), (span.scaled(0.1), 0.1 * w)):
        state = drive(GradientDescent(flow.gradient, 0.1), flow.start, t_end=1.0).final
        end = flow.weights(state)[0]
        for found, matrix in (
            (flow.squared_norms(state), end),
            (flow.squared_norms_of_change(state), end - begin),
        ):
            singular = np.linalg.svd(matrix, compute_uv=False)
            np.testing.assert_allclose(found, [np.sum(singular**2), singular[0] ** 2], rtol=1e-9)
        singular = np.linalg.svd(end, compute_uv=False)
        assert flow.stable_rank(state) == pytest.approx(np.sum(singular**2) / singular[0] ** 2, rel=1e-9)


def test_a_scaled_start_is_that_of_scaled_weights():
    problem, (w, a) = risk("smoothed", "logistic"), start()
    once, again = problem.in_span(w, a, gather=True).scaled(0.5).scaled(0.2), problem.in_span(0.1 * w, a, gather=True)
    state = again.start + 0.1
    np.testing.assert_allclose(once.gradient(state), again.gradient(state), rtol=1e-12)
    np.testing.assert_allclose(once.weights(state)[0], again.weights(state)[0], rtol=1e-12)
    np.testing.assert_allclose(once.squared_norms(state), again.squared_norms(state), rtol=1e-9)


def test_flows_of_one_span_share_its_products_whatever_frame_it_is_in():
    """Start and samples in other coordinates with the same inner products: every state means the same."""
    problem, (w, a) = risk("smoothed", "logistic"), start()
    root = np.linalg.cholesky(problem.data.x @ problem.data.x.T)
    span = Span(np.linalg.solve(root, problem.data.x @ w.T).T, root)
    flow, turned = problem.in_span(w, a), problem.in_span(span, a)
    state = flow.start + 0.1
    np.testing.assert_allclose(turned.gradient(state), flow.gradient(state), rtol=1e-11, atol=1e-14)
    assert risk("leaky", "logistic").in_span(span, a).span.gram is turned.span.gram
