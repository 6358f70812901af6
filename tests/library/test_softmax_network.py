"""The softmax network against autograd, its descent interrupted and resumed, and what is predicted of it."""

import multiprocessing
import os
import signal
import warnings

import numpy as np
import pytest
import torch

from implicit_bias.devices import on_device
from implicit_bias.flows import Batches, Checkpoint, minibatch_descent
from implicit_bias.limits import first_step_moment, spiked_stable_rank, trace_over_norm, unfed_growth
from implicit_bias.models import SoftmaxNetwork, accuracy, stable_rank

N, D, M, C = 12, 5, 7, 3


@pytest.fixture
def problem():
    generator = np.random.default_rng(0)
    labels = generator.integers(0, C, N)
    return generator.standard_normal((N, D)), np.eye(C)[labels], labels


@pytest.fixture
def theta():
    generator = np.random.default_rng(1)
    return tuple(generator.standard_normal(shape) for shape in ((M, D), M, (C, M), C))


def test_the_gradient_is_autograds(problem, theta):
    x, targets, labels = problem
    tensors = [torch.tensor(part, requires_grad=True) for part in theta]
    w, b, a, c = tensors
    logits = torch.relu(torch.tensor(x) @ w.T + b) @ a.T + c
    loss = torch.nn.functional.cross_entropy(logits, torch.tensor(labels))
    found = SoftmaxNetwork(*theta).gradient(theta, x, targets)
    for mine, its in zip(found, torch.autograd.grad(loss, tensors), strict=True):
        np.testing.assert_allclose(mine, its.numpy(), rtol=1e-12, atol=1e-15)
    output = SoftmaxNetwork.output(theta, x)
    np.testing.assert_allclose(output, logits.detach().numpy(), rtol=1e-12)
    assert accuracy(output, labels) == float((logits.argmax(1).numpy() == labels).mean())


def test_large_logits_do_not_overflow(problem, theta):
    x, targets, _ = problem
    large = tuple(1e4 * part for part in theta)
    assert all(np.all(np.isfinite(part)) for part in SoftmaxNetwork.gradient(large, x, targets))


def test_torch_computes_the_same(problem, theta):
    x, targets, labels = problem
    tensors, x_t, targets_t = tuple(map(torch.tensor, theta)), torch.tensor(x), torch.tensor(targets)
    for mine, its in zip(
        SoftmaxNetwork.gradient(theta, x, targets), SoftmaxNetwork.gradient(tensors, x_t, targets_t), strict=True
    ):
        np.testing.assert_allclose(mine, its.numpy(), rtol=1e-12, atol=1e-15)
    output, output_t = SoftmaxNetwork.output(theta, x), SoftmaxNetwork.output(tensors, x_t)
    assert accuracy(output, labels) == accuracy(output_t, torch.tensor(labels))
    assert stable_rank(theta[0]) == pytest.approx(stable_rank(tensors[0]), rel=1e-12)


def test_stable_rank_of_known_matrices():
    assert stable_rank(np.outer([1.0, 2.0], [3.0, 4.0, 5.0])) == pytest.approx(1, rel=1e-14)
    assert stable_rank(np.eye(4, 9)) == pytest.approx(4, rel=1e-14)
    assert stable_rank(np.diag([2.0, 1.0, 1.0])[:, :2]) == pytest.approx(5 / 4, rel=1e-14)


def test_glorot_has_the_variances_of_keras():
    net = SoftmaxNetwork.glorot(np.random.default_rng(0), 400, 300, 10, divisor=2.0)
    assert np.var(net.w) == pytest.approx(2 / 700 / 4, rel=0.02)
    assert np.abs(net.w).max() == pytest.approx(np.sqrt(6 / 700) / 2, rel=1e-3)
    assert np.var(net.a) == pytest.approx(2 / 410 / 4, rel=0.05)
    assert not net.b.any()
    assert not net.c.any()


@pytest.mark.parametrize("bad", [{"width": 0}, {"d": 0}, {"classes": 1}, {"divisor": 0.0}])
def test_glorot_refuses(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        SoftmaxNetwork.glorot(np.random.default_rng(0), **({"width": 3, "d": 2, "classes": 2} | bad))


def descend(problem, theta, steps=40, **options):
    x, targets, labels = problem
    return minibatch_descent(
        lambda at, chosen: SoftmaxNetwork.gradient(at, x[chosen], targets[chosen]),
        theta,
        Batches(N, 5, np.random.SeedSequence(3)),
        0.1,
        [0, 1, 7, steps - 1, steps],
        lambda at: [accuracy(SoftmaxNetwork.output(at, x), labels), stable_rank(at[0])],
        **options,
    )


def test_each_epoch_takes_every_sample_once_in_an_order_of_its_own():
    batches = Batches(N, 5, np.random.SeedSequence(3))
    assert batches.of_epoch == 3
    assert sorted(batches.order(0)) == sorted(batches.order(1)) == list(range(N))
    assert list(batches.order(0)) != list(batches.order(1))
    np.testing.assert_array_equal(batches.order(9), Batches(N, 5, np.random.SeedSequence(3)).order(9))


def test_descent_is_that_of_torch(problem, theta):
    x, _, labels = problem
    tensors = [torch.tensor(part, requires_grad=True) for part in theta]
    descent, batches = torch.optim.SGD(tensors, lr=0.1), Batches(N, 5, np.random.SeedSequence(3))
    for step in range(40):
        chosen = batches.order(step // 3)[step % 3 * 5 : step % 3 * 5 + 5]
        w, b, a, c = tensors
        logits = torch.relu(torch.tensor(x[chosen]) @ w.T + b) @ a.T + c
        descent.zero_grad()
        torch.nn.functional.cross_entropy(logits, torch.tensor(labels[chosen])).backward()
        descent.step()
    for mine, its in zip(descend(problem, theta).theta, tensors, strict=True):
        np.testing.assert_allclose(mine, its.detach().numpy(), rtol=1e-11, atol=1e-13)


def killed_after(steps, problem, theta, folder):
    """Begin a run in a process that is killed when it has told of so many steps."""
    told = []

    def progress(count):
        told.append(count)
        if sum(told) == steps:
            os.kill(os.getpid(), signal.SIGKILL)

    fork = multiprocessing.get_context("fork")
    checkpoint = Checkpoint(folder, "x", every=0.0)
    process = fork.Process(
        target=descend, args=(problem, theta), kwargs={"checkpoint": checkpoint, "progress": progress}
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of forks beside threads; none run here
        process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def test_a_killed_run_goes_on_to_the_same_end_bit_for_bit(problem, theta, tmp_path):
    for steps in (1, 17, 23):  # each process goes on from where the one before was killed
        killed_after(steps, problem, theta, tmp_path)
    told = []
    resumed = descend(problem, theta, checkpoint=Checkpoint(tmp_path, "x"), progress=told.append)
    straight = descend(problem, theta)
    assert told[0] == 22  # the state after the step before the last kill
    assert sum(told) == 40
    assert resumed.values.tobytes() == straight.values.tobytes()
    for mine, other in zip(resumed.theta, straight.theta, strict=True):
        assert mine.tobytes() == other.tobytes()
    assert [path.suffix for path in tmp_path.iterdir()] == [".npz"]  # no half-written file is left
    again = descend(problem, theta, checkpoint=Checkpoint(tmp_path, "x"), progress=told.append)
    assert again.values.tobytes() == straight.values.tobytes()
    assert told[-1] == 40  # a finished run is not run again


def test_an_interrupt_keeps_the_state(problem, theta, tmp_path):
    def interrupt(steps):
        taken.append(steps)
        if sum(taken) == 20:
            raise KeyboardInterrupt

    taken = []
    with pytest.raises(KeyboardInterrupt):
        descend(problem, theta, checkpoint=Checkpoint(tmp_path, "x", every=1e6), progress=interrupt)
    taken = []
    resumed = descend(problem, theta, checkpoint=Checkpoint(tmp_path, "x"), progress=taken.append)
    assert taken[0] == 20
    assert resumed.values.tobytes() == descend(problem, theta).values.tobytes()


def test_another_run_has_another_checkpoint(problem, theta, tmp_path):
    descend(problem, theta, checkpoint=Checkpoint(tmp_path, "x"))
    descend(problem, theta, checkpoint=Checkpoint(tmp_path, "other data"))
    descend(problem, tuple(2 * part for part in theta), checkpoint=Checkpoint(tmp_path, "x"))
    descend(problem, theta, 41, checkpoint=Checkpoint(tmp_path, "x"))
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x93NUMPY"])
def test_a_damaged_checkpoint_is_named(problem, theta, tmp_path, content):
    descend(problem, theta, checkpoint=Checkpoint(tmp_path, "x"))
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(content)
    with pytest.raises(ValueError, match=f"checkpoint .*{kept.name} is damaged .*delete it"):
        descend(problem, theta, checkpoint=Checkpoint(tmp_path, "x"))


def test_a_folder_that_cannot_be_written_is_named(problem, theta, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="cannot be written"):
        descend(problem, theta, checkpoint=Checkpoint(tmp_path / "file", "x"))


def test_steps_must_increase(problem, theta):
    with pytest.raises(ValueError, match="record is"):
        descend(problem, theta, steps=7)
    with pytest.raises(ValueError, match="size is 0"):
        Batches(N, 0, np.random.SeedSequence(0))


def test_pytorch_trains_the_same(problem, theta):
    def gradient(at, chosen):
        return SoftmaxNetwork.gradient(at, x[chosen], targets[chosen])

    x, targets = on_device(problem[0], "cpu"), on_device(problem[1], "cpu")
    batches = Batches(N, 5, np.random.SeedSequence(3))
    course = minibatch_descent(gradient, theta, batches, 0.1, [40], lambda at: [stable_rank(at[0])], device="cpu")
    np.testing.assert_allclose(course.values[-1, 0], descend(problem, theta).values[-1, 1], rtol=1e-12)


def test_random_matrices_approach_the_predicted_stable_rank():
    generator = np.random.default_rng(0)
    for m, d in ((64, 32), (512, 256), (300, 1200)):
        spread = (m**-0.5 + d**-0.5) ** (1 / 3) / (m**0.5 + d**0.5)
        found = [stable_rank(generator.standard_normal((m, d))) for _ in range(20)]
        limit = spiked_stable_rank(0.0, 1.0, m, d)
        assert np.mean(found) / limit == pytest.approx(1 + 1.21 * spread, abs=1.2 * spread)
        assert np.std(found) / limit == pytest.approx(1.27 * spread, rel=0.6)
    assert spiked_stable_rank(0.0, 1.0, 9, 9) == pytest.approx(9 / 4, rel=1e-14)
    with pytest.raises(ValueError, match="d is 0"):
        spiked_stable_rank(0.0, 1.0, 5, 0)


def test_the_first_step_is_the_mean_over_networks(problem):
    x, targets, _ = problem
    generator, moment = np.random.default_rng(4), np.zeros((D, D))
    for _ in range(400):
        w, a = 1e-8 * generator.standard_normal((100, D)), generator.standard_normal((C, 100))
        step = SoftmaxNetwork.gradient((w, np.zeros(100), 1e-3 * a, np.zeros(C)), x, targets)[0] * 1e3 * N
        moment += step.T @ step / 40_000
    known = first_step_moment(x, targets)
    np.testing.assert_allclose(moment / np.trace(moment), known / np.trace(known), atol=0.02)
    assert trace_over_norm(np.diag([3.0, 2.0, 1.0])) == pytest.approx(2)


def test_unfed_growth_is_the_descent_of_a_tiny_network(problem):
    x, targets, _ = problem
    net = SoftmaxNetwork.glorot(np.random.default_rng(5), M, D, C, divisor=1e7)
    growth = unfed_growth(net.w, net.a, x, targets, 0.1, loudest=1e-3, most=60)
    theta = net.parameters
    for known, heard in zip(growth.stable_rank, growth.output, strict=True):
        assert stable_rank(theta[0]) == pytest.approx(known, rel=1e-9)
        neurons = SoftmaxNetwork.output(theta, x) - theta[3]
        assert heard == pytest.approx(float(np.sqrt(np.mean(neurons**2))), rel=1e-9)
        slope = SoftmaxNetwork.gradient(theta, x, targets)
        theta = tuple(part - 0.1 * change for part, change in zip(theta, slope, strict=True))
    scaled = unfed_growth(8 * net.w, 8 * net.a, x, targets, 0.1, loudest=1e-3, most=60)
    np.testing.assert_allclose(scaled.stable_rank, growth.stable_rank, rtol=1e-12)


def test_unfed_growth_ends_where_the_outputs_are_loud(problem):
    x, targets, _ = problem
    net = SoftmaxNetwork.glorot(np.random.default_rng(5), M, D, C, divisor=50)
    growth = unfed_growth(net.w, net.a, x, targets, 0.1, loudest=0.01, most=10_000)
    assert growth.output.max() <= 0.01
    assert len(growth.steps) < 10_000
    assert not len(unfed_growth(100 * net.w, 100 * net.a, x, targets, 0.1, loudest=0.01, most=10).steps)
