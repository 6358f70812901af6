"""Data and starts that tests of several rooms share."""

import numpy as np
import pytest
from library import first_layer as first
from library import softmax

from implicit_bias.data import gaussian_mixture, planar_teacher, sparse_regression
from implicit_bias.models.population import PlanarNetworks


@pytest.fixture(autouse=True)
def stream_from_its_start(request):
    """Whatever ran before, a test that draws from its module's ``STREAM`` draws the same."""
    stream = getattr(request.module, "STREAM", None)
    if stream is not None:
        stream.bit_generator.state = np.random.PCG64(stream.bit_generator.seed_seq).state


@pytest.fixture
def regression():
    """Six samples in twelve dimensions."""
    return sparse_regression(np.random.default_rng(1), 6, 12, nonzeros=2)


@pytest.fixture
def planar():
    """Three networks in the plane, one of them of fewer neurons, and a state."""
    rng = np.random.default_rng(1)
    mass = np.full((3, 6), 1 / 6)
    mass[1, 4:], mass[1, :4] = 0, 1 / 4
    networks = PlanarNetworks(mass, rng.choice([-1.0, 1.0], (3, 6)), planar_teacher(rng, 5))
    return networks, rng.standard_normal((3, 6, 2))


@pytest.fixture
def data():
    """A mixture of two Gaussians."""
    return gaussian_mixture(np.random.default_rng(0), first.N, first.D, separation=2.0)


@pytest.fixture
def first_layer():
    """W(0) and a for that mixture."""
    stream = np.random.default_rng(1)
    return 0.2 * stream.standard_normal((first.M, first.D)), stream.choice([-1.0, 1.0], first.M) / np.sqrt(first.M)


@pytest.fixture
def labelled():
    """Samples of several classes, their targets and their labels."""
    generator = np.random.default_rng(0)
    labels = generator.integers(0, softmax.C, softmax.N)
    return generator.standard_normal((softmax.N, softmax.D)), np.eye(softmax.C)[labels], labels


@pytest.fixture
def weights():
    """W, b, a and c of a softmax network for them."""
    generator = np.random.default_rng(1)
    shapes = ((softmax.M, softmax.D), softmax.M, (softmax.C, softmax.M), softmax.C)
    return tuple(generator.standard_normal(shape) for shape in shapes)
