"""Mini-batches: their order, PyTorch's descent, and how a run says that it ended."""

import numpy as np
import pytest
import torch
from library.problems import solved
from library.softmax import N, descend

from implicit_bias.devices import on_device
from implicit_bias.flows import Batches, Checkpoint, minibatch_descent
from implicit_bias.models.two_layer import SoftmaxNetwork, stable_rank
from implicit_bias.rates import log_log_slope


def test_each_epoch_takes_every_sample_once_in_an_order_of_its_own():
    batches = Batches(N, 5, np.random.SeedSequence(3))
    assert batches.of_epoch == 3
    assert sorted(batches.order(0)) == sorted(batches.order(1)) == list(range(N))
    assert list(batches.order(0)) != list(batches.order(1))
    np.testing.assert_array_equal(batches.order(9), Batches(N, 5, np.random.SeedSequence(3)).order(9))


def test_descent_is_that_of_torch(labelled, weights):
    x, _, labels = labelled
    tensors = [torch.tensor(part, requires_grad=True) for part in weights]
    descent, batches = torch.optim.SGD(tensors, lr=0.1), Batches(N, 5, np.random.SeedSequence(3))
    for step in range(40):
        chosen = batches.order(step // 3)[step % 3 * 5 : step % 3 * 5 + 5]
        w, b, a, c = tensors
        logits = torch.relu(torch.tensor(x[chosen]) @ w.T + b) @ a.T + c
        descent.zero_grad()
        torch.nn.functional.cross_entropy(logits, torch.tensor(labels[chosen])).backward()
        descent.step()
    for mine, its in zip(descend(labelled, weights).parameters, tensors, strict=True):
        np.testing.assert_allclose(mine, its.detach().numpy(), rtol=1e-11, atol=1e-13)


def test_a_run_says_how_it_ended_and_where_it_diverged(labelled, weights, tmp_path):
    course = descend(labelled, weights).demand()
    assert course.ended == "It reached the end time 40."
    np.testing.assert_array_equal(course.t, [0, 1, 7, 39, 40])
    assert course.steps == course.evaluations == 40
    keep = Checkpoint(tmp_path, "x", every=0.0)

    def blown(at):
        return [float(np.abs(at[0]).max()) if np.abs(at[0]).max() < 2 else np.nan]

    for _ in range(2):  # what diverged is not kept: the second run diverges anew
        batches = Batches(N, 5, np.random.SeedSequence(3))
        lost = minibatch_descent(
            lambda at, chosen: (-at[0],), (np.ones(3),), batches, 0.5, [1, 4, 9], blown, checkpoint=keep
        )
        assert not lost.converged
        assert "diverged at step" in lost.ended
        np.testing.assert_array_equal(lost.t, [0, 1])
        np.testing.assert_array_equal(lost.values, [[1], [1.5]])


def test_steps_must_increase(labelled, weights):
    with pytest.raises(ValueError, match="record is"):
        descend(labelled, weights, steps=7)
    with pytest.raises(ValueError, match="size is 0"):
        Batches(N, 0, np.random.SeedSequence(0))


def test_pytorch_trains_the_same(labelled, weights):
    def gradient(at, chosen):
        return SoftmaxNetwork.batch_gradient(at, x[chosen], targets[chosen])

    x, targets = on_device(labelled[0], "cpu"), on_device(labelled[1], "cpu")
    batches = Batches(N, 5, np.random.SeedSequence(3))
    course = minibatch_descent(gradient, weights, batches, 0.1, [40], lambda at: [stable_rank(at[0])], device="cpu")
    np.testing.assert_allclose(course.values[-1, 0], descend(labelled, weights).values[-1, 1], rtol=1e-12)


def course_of(problem, gradient, batches, steps, end, record=()):
    """θ itself, measured in the problem's units, along so many steps to time ``end``."""
    return minibatch_descent(
        gradient,
        (problem.start,),
        batches,
        end / steps,
        [*record, steps],
        lambda theta: (theta[0] / problem.size).tolist(),
    ).demand()


@solved(potential=True, stiff=False)
def test_one_batch_of_all_samples_is_gradient_descent(problem):
    """To the last bit, at the recorded steps; and so of first order in its rate."""
    end, counts = 2 * problem.time, np.array([100, 200, 400])
    errors = []
    for steps in counts:
        counted, calls = problem.counted()
        batches = Batches(1, 1, np.random.SeedSequence(0))
        run = course_of(counted, lambda theta, chosen: (counted.gradient(theta[0]),), batches, steps, end, [7, 50])  # noqa: B023
        assert run.ended == f"It reached the end time {steps}."
        assert run.steps == run.evaluations == len(calls) == steps
        np.testing.assert_array_equal(run.t, [0, 7, 50, steps])
        plain = problem.start
        for _ in range(7):
            plain = plain - end / steps * problem.gradient(plain)
        np.testing.assert_array_equal(run.values[1], plain / problem.size)
        errors.append(np.linalg.norm(run.values[-1] - problem.exact(end) / problem.size))
    assert log_log_slope(1 / counts, errors) == pytest.approx(1, abs=0.05)


@solved(potential=True, stiff=False)
def test_batches_whose_gradients_differ_follow_the_flow_of_their_mean(problem):
    """Sample i adds c_i to the gradient, with Σ c_i = 0: an epoch takes each once; the rest is of first order."""
    end, counts = 2 * problem.time, np.array([320, 1280, 5120])
    pull = np.random.default_rng(0).standard_normal((8, problem.start.size))
    pull = (pull - pull.mean(axis=0)) * problem.size / problem.time
    batches = Batches(8, 2, np.random.SeedSequence(1))

    def gradient(theta, chosen):
        return (problem.gradient(theta[0]) + pull[chosen].mean(axis=0),)

    errors = [
        np.linalg.norm(course_of(problem, gradient, batches, steps, end).values[-1] - problem.exact(end) / problem.size)
        for steps in counts
    ]
    assert log_log_slope(1 / counts, errors) == pytest.approx(1, abs=0.35)
