"""What tests of several rooms share."""

import inspect

import numpy as np
import pytest
import torch

from implicit_bias.data import nearly_orthogonal, random_spikes, three_spikes

SLOPE = 0.4


def refusal(call, *names):
    """The one line with which a call is refused."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (the line is looked at below)
        call()
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 300
    assert any(name in text for name in names), text
    return text


def first_line(thing):
    """The line of a function's ``def`` or a class's ``class``, where a comment says what is not asked of it."""
    return next(line for line in inspect.getsource(thing).splitlines() if line.lstrip().startswith(("def ", "class ")))


def autograd(function, theta):
    """The gradient of a function at θ, by PyTorch."""
    tensor = torch.tensor(theta, requires_grad=True)
    (gradient,) = torch.autograd.grad(function(tensor), tensor)
    return gradient.numpy()


def nearly_orthogonal_points():
    """Six points in nine dimensions, just orthogonal enough for leaky neurons of slope SLOPE."""
    correlation = SLOPE**3 / (3 * 1.5**2 * 6)
    return nearly_orthogonal(np.random.default_rng(0), 6, 9, ratio=1.5, correlation=correlation, positives=2)


def circle(seed=0, cutoff=3):
    """Two spikes on the circle."""
    return random_spikes(np.random.default_rng(seed), 2, 1, cutoff=cutoff, separation=1.5)


both = pytest.mark.parametrize("problem", [three_spikes(), circle()], ids=["torus", "circle"])
