"""The conic flow: it falls by its dissipation; what does not fit is refused."""

import numpy as np
import pytest
from library.helpers import circle, refusal

from implicit_bias.data import three_spikes, torus_grid
from implicit_bias.models.measures import ConicFlow, ParticleMeasure


def test_the_flow_falls_by_its_dissipation():
    measure = ParticleMeasure(three_spikes(), 1.0)
    flow = ConicFlow(measure, measure.parameters(torus_grid(3, 2)), 0.8, 1.3)
    step = 1e-6 * flow.velocity(flow.start)
    fall = (flow.value(flow.start - step) - flow.value(flow.start + step)) / 2e-6
    assert fall == pytest.approx(flow.dissipation(flow.start), rel=1e-7)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ConicFlow(ParticleMeasure(circle(), 1.0, power=1), np.ones(8), 1.0, 1.0), "measure has power 1"),
        (lambda: ConicFlow(ParticleMeasure(circle(), 1.0), np.ones(7), 1.0, 1.0), "start has shape (7,)"),
        (lambda: ConicFlow(ParticleMeasure(three_spikes(), 1.0), np.ones(8), 1.0, 1.0), "3 numbers a particle"),
        (lambda: ConicFlow(ParticleMeasure(circle(), 1.0), np.ones(8), -1.0, 1.0), "alpha is -1"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message):
    refusal(call, message)
