"""Radau collocation: what it integrates and reads exactly, and the tables of the literature."""

import numpy as np
import pytest

from implicit_bias.flows.radau import radau


@pytest.mark.parametrize("stages", [2, 3, 5, 16])
def test_polynomials_of_the_rules_degree_are_integrated_and_read_exactly(stages):
    rule = radau(stages)
    powers = np.arange(stages)
    values = rule.nodes[:, None] ** powers
    np.testing.assert_allclose(rule.integrals @ values, rule.nodes[:, None] ** (powers + 1) / (powers + 1), atol=1e-13)
    np.testing.assert_allclose(rule.slope @ (rule.integrals @ values), 1, atol=1e-10)
    for x in (0.0, 0.3, float(rule.nodes[0]), 1.0):
        np.testing.assert_allclose(
            rule.read(x, rule.reads[:, None] ** np.arange(stages + 1)), x ** np.arange(stages + 1), atol=1e-12
        )


@pytest.mark.parametrize("stages", [2, 3])
def test_its_nodes_and_integrals_are_those_of_the_literature(stages):
    """Hairer & Wanner 1996, Tables 5.5 and 5.6."""
    root = np.sqrt(6)
    known = {
        2: ([1 / 3, 1], [[5 / 12, -1 / 12], [3 / 4, 1 / 4]]),
        3: (
            [(4 - root) / 10, (4 + root) / 10, 1],
            [
                [(88 - 7 * root) / 360, (296 - 169 * root) / 1800, (-2 + 3 * root) / 225],
                [(296 + 169 * root) / 1800, (88 + 7 * root) / 360, (-2 - 3 * root) / 225],
                [(16 - root) / 36, (16 + root) / 36, 1 / 9],
            ],
        ),
    }
    rule = radau(stages)
    np.testing.assert_allclose(rule.nodes, known[stages][0], atol=1e-14)
    np.testing.assert_allclose(rule.integrals, known[stages][1], atol=1e-14)


@pytest.mark.parametrize("stages", [2, 3, 6])
def test_it_is_diagonal_in_its_eigenvectors(stages):
    rule = radau(stages)
    np.testing.assert_allclose(((rule.right * rule.rates) @ rule.left).real, rule.integrals, atol=1e-12)
    np.testing.assert_allclose((rule.right @ rule.left).real, np.eye(stages), atol=1e-11)


def test_the_last_two_legendre_coefficients():
    rule = radau(5)
    x = 2 * rule.nodes - 1
    third, fourth = (5 * x**3 - 3 * x) / 2, (35 * x**4 - 30 * x**2 + 3) / 8
    np.testing.assert_allclose(rule.tail @ (2 * third - 7 * fourth + x), [2, -7], atol=1e-12)
