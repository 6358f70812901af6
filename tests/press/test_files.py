import multiprocessing
import os
import signal
from pathlib import Path

import pytest
from patience import PATIENCE

from reproduce.ground.errors import WriteError
from reproduce.ground.files import MARK, SCRATCH, clear_abandoned, locked, replacing, scratch, write_text


def test_a_file_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_text("old")
    with replacing(path) as new:
        new.write_text("half")
        assert path.read_text() == "old"
    assert path.read_text() == "half"
    assert list(tmp_path.iterdir()) == [path]


def test_after_an_error_the_old_file_stands_and_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_text("old")

    def fail() -> None:
        with replacing(path) as new:
            new.write_text("half")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_are_kept_and_new_files_follow_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    before = os.umask(0o027)
    try:
        write_text(path, "new")
        assert path.stat().st_mode & 0o777 == 0o640
        path.chmod(0o664)
        write_text(path, "newer")
        assert path.stat().st_mode & 0o777 == 0o664
    finally:
        os.umask(before)


def test_a_link_is_replaced_and_its_target_left_alone(tmp_path: Path) -> None:
    target, path = tmp_path / "mine.txt", tmp_path / "link"
    target.write_text("mine")
    path.symlink_to(target)
    write_text(path, "page")
    assert target.read_text() == "mine"
    assert path.read_text() == "page"
    assert not path.is_symlink()


def test_a_missing_folder_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="no such file or directory"):
        write_text(tmp_path / "no" / "page.txt", "text")


def _hold(folder: Path, told: multiprocessing.Queue) -> None:  # type: ignore[type-arg]
    with scratch(folder) as mine:
        told.put(mine)
        signal.pause()


def test_what_a_killed_process_left_goes_at_the_next_start_and_nothing_else(tmp_path: Path) -> None:
    foreign = tmp_path / f"{SCRATCH}mine"
    foreign.mkdir()
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    process = context.Process(target=_hold, args=(tmp_path, told))
    process.start()
    left = told.get(timeout=PATIENCE)
    clear_abandoned(tmp_path)
    assert (left / MARK).exists(), "its process lives"
    process.kill()
    process.join()
    assert left.exists()
    with scratch(tmp_path) as mine:
        assert not left.exists()
        assert mine.exists()
    assert list(tmp_path.iterdir()) == [foreign]


def _write(path: Path, told: multiprocessing.Queue) -> None:  # type: ignore[type-arg]
    with replacing(path) as new:
        new.write_text("half")
        told.put(new)
        signal.pause()


def test_an_unfinished_file_goes_when_its_process_is_gone_and_no_other_file_does(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_text("old")
    foreign = [tmp_path / ".page.txt.mine", tmp_path / ".page.txt.abcd1234.bak", tmp_path / ".other.txt.abcd1234"]
    for one in foreign:
        one.touch()
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    process = context.Process(target=_write, args=(path, told))
    process.start()
    left = told.get(timeout=PATIENCE)
    write_text(path, "new")
    assert left.exists(), "its process lives"
    process.kill()
    process.join()
    assert path.read_text() == "new"
    write_text(path, "newer")
    assert sorted(tmp_path.iterdir()) == sorted([path, *foreign])


def test_a_folder_that_was_not_marked_yet_goes_when_it_is_old(tmp_path: Path) -> None:
    young, old, full, named = (tmp_path / f"{SCRATCH}{name}" for name in ("aaaaaaaa", "bbbbbbbb", "cccccccc", "mine"))
    for folder in (young, old, full, named):
        folder.mkdir()
    (full / "file").touch()
    for folder in (old, full, named):
        os.utime(folder, (0, 0))
    clear_abandoned(tmp_path)
    assert sorted(tmp_path.iterdir()) == [young, full, named]


def test_a_lock_that_is_a_link_is_refused_and_its_target_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "mine.txt"
    target.write_text("mine")
    (tmp_path / ".lock").symlink_to(target)
    with pytest.raises(WriteError), locked(tmp_path / ".lock", "another is at work"):
        pass
    assert target.read_text() == "mine"
