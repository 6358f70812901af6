"""A run that was killed or interrupted goes on from its checkpoint, to the same end."""

import multiprocessing
import os
import signal
import warnings

import pytest
from library.softmax import descend

from implicit_bias.flows import Checkpoint


def killed_after(steps, labelled, weights, folder):
    """Begin a run in a process that is killed when it has told of so many steps."""
    told = []

    def progress(count):
        told.append(count)
        if sum(told) == steps:
            os.kill(os.getpid(), signal.SIGKILL)

    fork = multiprocessing.get_context("fork")
    checkpoint = Checkpoint(folder, "x", every=0.0)
    process = fork.Process(
        target=descend, args=(labelled, weights), kwargs={"checkpoint": checkpoint, "progress": progress}
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of forks beside threads; none run here
        process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def test_a_killed_run_goes_on_to_the_same_end_bit_for_bit(labelled, weights, tmp_path):
    for steps in (1, 17, 23):  # each process goes on from where the one before was killed
        killed_after(steps, labelled, weights, tmp_path)
    told = []
    resumed = descend(labelled, weights, checkpoint=Checkpoint(tmp_path, "x"), progress=told.append)
    straight = descend(labelled, weights)
    assert told[0] == 22  # the state after the step before the last kill
    assert sum(told) == 40
    assert resumed.values.tobytes() == straight.values.tobytes()
    for mine, other in zip(resumed.parameters, straight.parameters, strict=True):
        assert mine.tobytes() == other.tobytes()
    assert [path.suffix for path in tmp_path.iterdir()] == [".npz"]  # no half-written file is left
    again = descend(labelled, weights, checkpoint=Checkpoint(tmp_path, "x"), progress=told.append)
    assert again.values.tobytes() == straight.values.tobytes()
    assert told[-1] == 40  # a finished run is not run again


def test_an_interrupt_keeps_the_state(labelled, weights, tmp_path):
    def interrupt(steps):
        taken.append(steps)
        if sum(taken) == 20:
            raise KeyboardInterrupt

    taken = []
    with pytest.raises(KeyboardInterrupt):
        descend(labelled, weights, checkpoint=Checkpoint(tmp_path, "x", every=1e6), progress=interrupt)
    taken = []
    resumed = descend(labelled, weights, checkpoint=Checkpoint(tmp_path, "x"), progress=taken.append)
    assert taken[0] == 20
    assert resumed.values.tobytes() == descend(labelled, weights).values.tobytes()


def test_another_run_has_another_checkpoint(labelled, weights, tmp_path):
    descend(labelled, weights, checkpoint=Checkpoint(tmp_path, "x"))
    descend(labelled, weights, checkpoint=Checkpoint(tmp_path, "other data"))
    descend(labelled, tuple(2 * part for part in weights), checkpoint=Checkpoint(tmp_path, "x"))
    descend(labelled, weights, 41, checkpoint=Checkpoint(tmp_path, "x"))
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x93NUMPY"])
def test_a_damaged_checkpoint_is_named(labelled, weights, tmp_path, content):
    descend(labelled, weights, checkpoint=Checkpoint(tmp_path, "x"))
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(content)
    with pytest.raises(ValueError, match=f"checkpoint .*{kept.name} is damaged .*delete it"):
        descend(labelled, weights, checkpoint=Checkpoint(tmp_path, "x"))


def test_a_folder_that_cannot_be_written_is_named(labelled, weights, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="cannot be written"):
        descend(labelled, weights, checkpoint=Checkpoint(tmp_path / "file", "x"))
