"""Descent on the cross-entropy: against torch while the loss is large, below the smallest float, towards its margin."""

import numpy as np
import pytest
import torch

from implicit_bias.flows import drive
from implicit_bias.flows.steepest import (
    Adam,
    CrossEntropyDescent,
    Muon,
    Normalized,
    newton_schulz,
    polar_factor,
)
from implicit_bias.limits.margin.matrix import class_differences, matrix_margin, matrix_norm

GENERATOR = np.random.default_rng(0)
Y = np.arange(20) % 4
X = 2 * GENERATOR.standard_normal((4, 6))[Y] + 0.5 * GENERATOR.standard_normal((20, 6))


def descent(update, **options):
    """Of one set."""
    return CrossEntropyDescent(X[None], Y[None], update, **options)


def run(update, steps, **options):
    """The matrix after so many steps."""
    one = descent(update, **options)
    return one.read(drive(one, one.start, t_end=steps).final)[0]


def in_torch(optimizer, steps, scale):
    """The same, by torch's automatic derivatives and an optimizer of torch."""
    w = torch.zeros(4, 6, dtype=torch.float64, requires_grad=True)
    stepper = optimizer([w])
    for _ in range(steps):
        stepper.zero_grad()
        torch.nn.functional.cross_entropy(torch.tensor(X) @ w.T, torch.tensor(Y)).backward()
        if scale is not None:
            w.grad = scale(w.grad)
        stepper.step()
    return w.detach().numpy()


@pytest.mark.parametrize("epsilon", [0.0, 1e-3])
def test_adam_is_that_of_torch(epsilon):
    mine = run(Adam(epsilon=epsilon), 200, scale=0.01, power=0.0)
    theirs = in_torch(lambda w: torch.optim.Adam(w, lr=0.01, betas=(0.9, 0.95), eps=epsilon), 200, None)
    np.testing.assert_allclose(mine, theirs, atol=1e-12)


@pytest.mark.parametrize(
    ("update", "scale"),
    [
        (Normalized(), lambda g: g / g.norm()),
        (Normalized("entries"), torch.sign),
        (Normalized("spectral"), lambda g: torch.tensor(polar_factor(g.numpy()))),
    ],
)
def test_normalized_descent_is_that_of_torch(update, scale):
    # not much longer: of a small loss automatic derivatives lose p_y − 1, and with it a sign or a singular vector
    mine = run(update, 50, scale=0.1, power=0.0)
    np.testing.assert_allclose(mine, in_torch(lambda w: torch.optim.SGD(w, lr=0.1), 50, scale), atol=1e-11)


def test_muon_is_the_polar_factor_of_the_momentum():
    w, momentum = np.zeros((4, 6)), np.zeros((4, 6))
    for _ in range(50):
        p = np.exp(X @ w.T)
        momentum = 0.9 * momentum + (p / p.sum(axis=1, keepdims=True) - np.eye(4)[Y]).T @ X / 20
        w = w - 0.1 * polar_factor(momentum)
    np.testing.assert_allclose(run(Muon(0.9), 50, scale=0.1, power=0.0), w, atol=1e-9)


def test_steps_shrink_from_the_first_on():
    one = descent(Normalized("entries"), scale=0.3, power=-0.5)
    w = one.read(drive(one, one.start, t_end=3, record=[1, 2]).theta)[:, 0]
    sizes = [matrix_norm(step, "entries") for step in np.diff(w, axis=0)]
    np.testing.assert_allclose(sizes, 0.3 / np.sqrt([1, 2, 3]), rtol=1e-12)


def test_polynomial_and_polar_factor_keep_the_singular_vectors():
    g = GENERATOR.standard_normal((3, 5))
    u, _, v = np.linalg.svd(g, full_matrices=False)
    np.testing.assert_allclose(polar_factor(g), u @ v, atol=1e-12)
    inner = u.T @ newton_schulz(g) @ v.T
    np.testing.assert_allclose(inner, np.diag(np.diag(inner)), atol=1e-12)
    assert np.all((np.diag(inner) > 0.6) & (np.diag(inner) < 1.3))
    assert not np.any(polar_factor(np.zeros((2, 3))))


@pytest.mark.parametrize("update", [Normalized(), Adam(), Muon()])
def test_far_below_the_smallest_float_it_goes_on_as_in_another_unit(update):
    # ten times the points and a tenth of the steps is the same classifier; so is a start far out
    far = descent(update)
    start = 2000 * matrix_margin(X, Y).w.ravel()
    state = far.init(start)
    log_scale, gradient = far._gradient(state.w)
    assert log_scale[0] < -800
    margins = class_differences(X, Y) @ start
    pulled = -np.exp(margins.min() - margins) @ class_differences(X, Y)
    np.testing.assert_allclose(gradient.ravel() / np.abs(gradient).max(), pulled / np.abs(pulled).max(), atol=1e-9)
    assert np.all(np.isfinite(far.step(far.step(state)).w))


@pytest.mark.parametrize(
    ("update", "norm"),
    [
        (Normalized(), "frobenius"),
        (Normalized("entries"), "entries"),
        (Normalized("spectral"), "spectral"),
        (Adam(), "entries"),
        (Muon(), "spectral"),
    ],
)
def test_each_tends_to_the_margin_of_its_own_norm(update, norm):
    one, best = descent(update), matrix_margin(X, Y, norm)
    missed = []
    for w in one.read(drive(one, one.start, t_end=2000, record=[500]).theta)[1:, 0]:
        missed.append(1 - (class_differences(X, Y) @ w.ravel()).min() / matrix_norm(w, norm) / best.margin)
    assert 0 < missed[1] < 0.7 * missed[0] < 0.35


def test_adam_with_epsilon_far_above_the_gradient_is_gradient_descent():
    mine = run(Adam(0.0, 0.0, epsilon=1e6), 50, scale=1e5, power=0.0)
    np.testing.assert_allclose(mine, in_torch(lambda w: torch.optim.SGD(w, lr=0.1), 50, None), rtol=1e-5)


def test_several_sets_are_trained_as_one_by_one():
    two = CrossEntropyDescent(np.array([X, X[::-1] + 0.1]), np.array([Y, Y[::-1]]), Adam())
    ends = two.read(drive(two, two.start, t_end=30).final)
    np.testing.assert_allclose(ends[0], run(Adam(), 30), atol=1e-9)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="y has shape"):
        CrossEntropyDescent(X[None], Y[None, :3], Adam())
    with pytest.raises(ValueError, match="y has labels from"):
        CrossEntropyDescent(X[None], Y[None] + 0.5, Adam())
    with pytest.raises(ValueError, match="norm"):
        Normalized("nuclear")
    for wrong in ({"beta1": 1.0}, {"beta2": -0.1}, {"epsilon": -1.0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Adam(**wrong)
    with pytest.raises(ValueError, match="momentum"):
        Muon(1.0)
    with pytest.raises(ValueError, match="scale"):
        descent(Adam(), scale=0.0)
