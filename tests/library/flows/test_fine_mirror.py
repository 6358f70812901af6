"""Mirror flow by steps of third order: its order, its ends, and what it refuses."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from implicit_bias.flows import FineMirrorFlow, FlowError, MirrorFlow, drive
from implicit_bias.potentials import Cosh, Cubic, Quadratic, Quartic


@dataclass(frozen=True)
class Curved:
    """f_i(θ) = Σ_j x_ij (θ_j + bend θ_j²), smooth."""

    x: np.ndarray
    y: np.ndarray
    bend: float = 0.3

    def residual(self, theta):
        return self.x @ (theta + self.bend * theta**2) - self.y

    def jacobian(self, theta):
        return self.x * (1 + 2 * self.bend * theta)


STREAM = np.random.default_rng(0)
X, Y = STREAM.standard_normal((3, 7)), STREAM.standard_normal(3)
MODEL, LINEAR = Curved(X, Y), Curved(X, Y, bend=0.0)


def end(stepper, model=MODEL):
    return (
        drive(
            stepper,
            np.zeros(7),
            t_end=1e9,
            residual=lambda theta: float(np.linalg.norm(model.residual(theta))),
            target=1e-13,
        )
        .demand()
        .final
    )


def test_with_a_quadratic_a_linear_model_is_followed_exactly_at_any_step():
    run = drive(FineMirrorFlow(LINEAR, Quadratic(), 0.5, first=1.0, growth=1.0), np.zeros(7), t_end=50.0)
    values, modes = np.linalg.eigh(X @ X.T)
    assert run.evaluations == 5 * run.steps
    # the first step, in the unit of the fastest mode's time, and each then doubles the time passed
    before, after = 4 / values[-1] * 2.0 ** np.arange(run.steps)[-2:]
    share = (50.0 - before) / (after - before)
    left = [modes @ (np.exp(-0.25 * values * t) * (modes.T @ Y)) for t in (before, after)]
    np.testing.assert_allclose(-LINEAR.residual(run.final), (1 - share) * left[0] + share * left[1], atol=1e-12)


@pytest.mark.parametrize("potential", [Quartic(), Cosh()], ids=repr)
def test_its_error_is_of_third_order_and_that_of_plain_exponential_steps_of_first(potential):
    exact = end(FineMirrorFlow(MODEL, potential, 1.0, first=0.005, growth=0.005))

    def off(kind, step):
        return float(np.max(np.abs(end(kind(MODEL, potential, 1.0, first=step, growth=step)) - exact)))

    fine, plain = ([off(kind, step) for step in (0.2, 0.1, 0.05)] for kind in (FineMirrorFlow, MirrorFlow))
    assert all(6 < coarse / half < 14 for coarse, half in pairwise(fine))
    assert all(1.6 < coarse / half < 2.4 for coarse, half in pairwise(plain))
    assert fine[0] < plain[-1] / 20


@pytest.mark.parametrize("potential", [Cubic(), Quartic(), Cosh()], ids=repr)
def test_the_end_of_a_linear_model_is_the_interpolant_of_least_potential(potential):
    final = end(FineMirrorFlow(LINEAR, potential, 1.0, growth=0.5), LINEAR)
    null = np.linalg.svd(X)[2][3:]
    np.testing.assert_allclose(null @ potential.slope(final), 0, atol=1e-12)


def test_outputs_that_no_parameter_moves_end_the_run():
    twice = Curved(np.ones((2, 3)), np.array([1.0, 2.0]))
    with pytest.raises(FlowError, match="the kernel has the eigenvalues"):
        drive(FineMirrorFlow(twice, Quadratic(), 1.0), np.zeros(3), t_end=1.0, residual=lambda _: 1.0).demand()


@pytest.mark.parametrize("name", ["rate", "first", "growth"])
def test_steps_that_are_not_positive_are_refused(name):
    with pytest.raises(ValueError, match=f"{name} is 0; it must lie in"):
        FineMirrorFlow(MODEL, Quadratic(), **{"rate": 1.0, name: 0.0})
