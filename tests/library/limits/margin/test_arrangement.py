"""The largest response over the sphere: against a search, also where points coincide or lie on a line; refusals."""

import tracemalloc

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias.limits.margin.arrangement import largest_responses, response_bound, responses


def searched(x, q, stream):
    """The largest |g| over random directions, each of the best improved by random steps that shrink."""
    u = stream.standard_normal((40_000, 3))
    u /= np.linalg.norm(u, axis=1)[:, None]
    found = np.abs(np.maximum(u @ x.T, 0) @ q)
    best = 0.0
    for k in np.argsort(-found)[:4]:
        at, size = u[k], 0.05
        for _ in range(60):
            near = np.vstack([at, at + size * stream.standard_normal((200, 3))])
            near /= np.linalg.norm(near, axis=1)[:, None]
            values = np.abs(np.maximum(near @ x.T, 0) @ q)
            at, size = near[np.argmax(values)], 0.8 * size
        best = max(best, values.max())
    return best


KINDS = ("general", "on a line", "twice the same", "opposite", "short and long")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_no_search_finds_a_larger_response_and_it_is_attained(seed, kind):
    stream = np.random.default_rng([seed, KINDS.index(kind)])
    n = int(stream.integers(2, 20))
    x = np.column_stack([stream.uniform(-1, 1, (n, 2)), np.ones(n)])
    if kind == "on a line":
        x[:, 1] = 0.3 * x[:, 0] + 0.1
    if kind == "twice the same":
        x = np.vstack([x, x[:2]])
    if kind == "opposite":
        x = np.vstack([x, -x])
    if kind == "short and long":
        x *= 10.0 ** stream.uniform(-3, 3, (n, 1))
    q = stream.standard_normal(len(x))
    directions, values = largest_responses(x, q)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1, rtol=1e-14)
    np.testing.assert_allclose(values, np.maximum(directions @ x.T, 0) @ q, rtol=1e-12, atol=1e-13 * abs(values[0]))
    assert np.all(np.diff(np.abs(values)) <= 0)
    best = searched(x, q, stream)
    assert best <= abs(values[0]) * (1 + 1e-12)
    assert best >= abs(values[0]) * (1 - 1e-4)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_both_signs_of_a_response_count(sign):
    """g = u₁₊ + u₂₊ is largest, √2, between the two axes; of −g the modulus counts."""
    directions, values = largest_responses(np.eye(3)[:2], [sign, sign])
    assert values[0] == pytest.approx(sign * np.sqrt(2), rel=1e-15)
    np.testing.assert_allclose(directions[0], [np.sqrt(0.5), np.sqrt(0.5), 0], atol=1e-15)
    directions, values = largest_responses(np.eye(3), [1.0, -3.0, 1.0])
    assert values[0] == pytest.approx(-3, rel=1e-15)
    np.testing.assert_allclose(directions[0], [0, 1, 0], atol=1e-15)


def test_a_largest_response_on_an_edge_and_at_a_vertex():
    """What takes away wherever it is active keeps the best u on its circle; two of them keep it at their crossing."""
    x, q = np.array([[0.0, 0.6, 0.8], [0.0, -0.6, 0.8]]), np.array([1.0, -0.9])
    directions, values = largest_responses(x, q)
    on_edge = np.array([0.0, 0.8, 0.6])  # across x₂, nearest to x₁
    assert values[0] == pytest.approx(0.96, rel=1e-14)
    np.testing.assert_allclose(directions[0], on_edge, atol=1e-14)
    x = np.array([[0.5, 0.5, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    directions, values = largest_responses(x, [1.0, -0.6, -0.6])
    assert values[0] == pytest.approx(1, rel=1e-14)
    np.testing.assert_allclose(directions[0], [0, 0, 1], atol=1e-14)


def test_what_has_no_cells_in_space_is_refused_in_one_line():
    refusal(lambda: largest_responses(np.ones((4, 5)), np.ones(4)), "x has shape (4, 5); it must be any × 3")
    refusal(lambda: largest_responses([[1.0, 0, 0], [0, 0, 0]], np.ones(2)), "x holds a row of zeros")
    refusal(lambda: largest_responses(np.ones((1100, 3)), np.ones(1100)), "more than 4 GiB of memory")
    refusal(lambda: responses(np.ones((4, 2)), np.eye(3), np.ones(3)), "directions has shape (4, 2)")


def test_what_carries_no_charge_has_the_response_0():
    directions, values = largest_responses(np.eye(3), np.zeros(3))
    assert (np.linalg.norm(directions, axis=1).tolist(), values.tolist()) == ([1.0], [0.0])
    assert response_bound(np.eye(3), np.zeros(3)) == 0


def test_no_array_has_an_entry_for_each_pair_of_circles_and_point():
    """Of 200 points n³ bytes would be 8 MB for each side of each cell, and n³ floats eight times that."""
    stream = np.random.default_rng(0)
    x = np.column_stack([stream.uniform(-1, 1, (200, 2)), np.ones(200)])
    tracemalloc.start()
    try:
        largest_responses(x, np.where(x[:, 0] > 0, 1.0, -1.0))
        assert tracemalloc.get_traced_memory()[1] < 2500 * 200**2
    finally:
        tracemalloc.stop()
