"""Integrals along a flow: exact where the rule is, and those of the flow's own derivative are what it has moved."""

import numpy as np
import pytest

from implicit_bias.flows import FlowError, follow, follow_along


class Decay:
    """θ̇ = −λθ, so that ∫θ dt is known."""

    start = np.array([1.0, -3.0])
    rates = np.array([1.0, 0.2])

    def velocity(self, state):
        return -self.rates * state


@pytest.mark.parametrize("method", ["DOP853", "LSODA"])
def test_what_a_flow_moves_is_the_integral_of_its_velocity(method):
    way = follow_along(Decay(), t_end=3.0, method=method, rtol=1e-10)
    exact = Decay.start * -np.expm1(-3.0 * Decay.rates) / Decay.rates
    np.testing.assert_allclose(way.integral(lambda theta: theta), exact, rtol=1e-8)
    np.testing.assert_allclose(way.integral(lambda theta: -theta * Decay.rates), way.run.final - Decay.start, rtol=1e-8)
    assert way.run.t[-1] == 3.0
    assert way.t.size == way.weights.size == len(way.theta)
    assert way.weights.sum() == pytest.approx(3.0, rel=1e-14)


def test_a_stiff_method_uses_the_jacobian_of_a_flow():
    class Stiff(Decay):
        rates = np.array([1.0, 1e6])
        asked = 0

        def jacobian(self, state):
            Stiff.asked += 1
            return -np.diag(self.rates)

    way = follow_along(Stiff(), t_end=3.0, method="LSODA", rtol=1e-10)
    assert Stiff.asked > 0
    exact = Stiff.start * -np.expm1(-3.0 * Stiff.rates) / Stiff.rates
    np.testing.assert_allclose(way.integral(lambda theta: theta), exact, rtol=1e-7)


def test_the_states_are_those_at_the_nodes():
    way = follow_along(Decay(), t_end=3.0, rtol=1e-10)
    assert (np.diff(way.t) > 0).all()
    np.testing.assert_allclose(way.theta, Decay.start * np.exp(-np.outer(way.t, Decay.rates)), rtol=1e-7)
    assert (way.run.final == follow(Decay(), t_end=3.0, rtol=1e-10).final).all()


def test_a_run_that_ends_before_is_refused():
    with pytest.raises(FlowError, match="It took 2 steps"):
        follow_along(Decay(), t_end=3.0, max_steps=2)
