"""When a misfit passes given values, against a flow whose misfit is known."""

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias.flows import FlowError, passing_times
from implicit_bias.models.linear import DiagonalFlow, DiagonalNetwork, DualFlow, VanishingFlow


def test_one_coordinate_grows_as_known():
    """β = u² with β̇ = 2β(1 − β) from α² up to e^{−2Λ}: the misfit is 1 − β."""
    length = 30.0
    flow = VanishingFlow(np.array([[1.0]]), np.array([1.0]), length)
    misfits = np.array([0.9, 0.5, 1e-3])
    grown = 1 - misfits
    times = 1 + np.log(2 * grown / misfits) / (2 * length)  # of the logistic function from ½ e^{−2Λ}
    np.testing.assert_allclose(passing_times(flow, misfits), times, rtol=1e-8)


def test_what_it_refuses():
    flow = DualFlow(DiagonalNetwork.unbiased(1, scale=1.0, shape=0.0), np.array([[1.0], [1.0]]), np.array([1.0, 2.0]))
    refusal(lambda: passing_times(flow, [1.0, 1.0]), "misfits")
    refusal(lambda: passing_times(flow, [1.0], t_end=0.0), "t_end")
    with pytest.raises(FlowError, match="has not fallen"):
        passing_times(flow, [0.1], t_end=50.0)
    assert isinstance(DiagonalFlow(flow.net, flow.x, flow.y).misfit(flow.net.start), float)
