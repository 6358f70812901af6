"""CIFAR-10's python batches: whole, missing, cut short, damaged or hostile."""

import os
import pickle
import re
import tracemalloc

import numpy as np
import pytest

from implicit_bias.data import cifar10
from implicit_bias.data.cifar10 import OFFICIAL


def python2_batch(labels, pixels):
    """A batch as Python 2 and its NumPy wrote the official ones: byte strings and protocol 2."""

    def text(value):
        return b"U" + bytes([len(value)]) + value

    def number(value):
        return b"J" + value.to_bytes(4, "little")

    content = pixels.tobytes()
    array = (
        b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\nK\x00\x85" + text(b"b") + b"tR"
        b"(K\x01" + number(len(pixels)) + number(pixels.shape[1]) + b"\x86"
        b"cnumpy\ndtype\n(" + text(b"u1") + b"K\x00K\x01tR(K\x03" + text(b"|") + b"NNN"
        b"J\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89T" + len(content).to_bytes(4, "little") + content + b"tb"
    )
    listed = b"](" + b"".join(b"K" + bytes([label]) for label in labels) + b"e"
    return b"\x80\x02}(" + text(b"data") + array + text(b"labels") + listed + text(b"batch_label") + text(b"x") + b"u."


@pytest.fixture
def folder(tmp_path):
    """Six excerpts of five images each: three as Python 2 wrote them, three as Python 3 writes them."""
    generator = np.random.default_rng(0)
    for k, name in enumerate(OFFICIAL):
        pixels = generator.integers(0, 256, (5, 3072), dtype=np.uint8)
        labels = generator.integers(0, 10, 5).tolist()
        modern = pickle.dumps({b"data": pixels, b"labels": labels, b"batch_label": b"excerpt"}, protocol=2)
        (tmp_path / name).write_bytes(modern if k % 2 else python2_batch(labels, pixels))
    return tmp_path


def refusal(folder, limit=None):
    with pytest.raises(
        ValueError, match=re.escape("https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz")
    ) as caught:
        cifar10(folder, limit)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_excerpts_are_read_as_numpy_reads_them(folder):
    images = cifar10(folder, 4)
    assert images.x.shape == (20, 3072)
    assert images.x_test.shape == (4, 3072)
    assert images.x.dtype == np.float64
    for k, name in enumerate(OFFICIAL):
        known = pickle.loads((folder / name).read_bytes(), encoding="bytes")
        x, labels = (images.x, images.labels) if k < 5 else (images.x_test, images.labels_test)
        here = slice(4 * k, 4 * k + 4) if k < 5 else slice(4)
        np.testing.assert_array_equal(x[here], known[b"data"][:4])
        np.testing.assert_array_equal(labels[here], known[b"labels"][:4])


def test_an_array_stored_by_columns_is_read_by_columns(folder):
    pixels = np.asfortranarray(np.random.default_rng(1).integers(0, 256, (5, 3072), dtype=np.uint8))
    (folder / "data_batch_1").write_bytes(pickle.dumps({b"data": pixels, b"labels": [0, 1, 2, 3, 4]}, protocol=2))
    np.testing.assert_array_equal(cifar10(folder, 5).x[:5], pixels)


def test_an_excerpt_needs_a_limit_that_it_can_meet(folder):
    assert "data_batch_1 holds 5 images, 10000 are wanted: set limit to at most 5 or download" in refusal(folder)
    assert "data_batch_1 holds 5 images, 6 are wanted" in refusal(folder, 6)


@pytest.mark.parametrize("limit", [0, -1, 10_001, 2.5])
def test_a_limit_outside_its_range_is_refused(folder, limit):
    with pytest.raises(ValueError, match="limit is"):
        cifar10(folder, limit)


def test_what_is_missing_is_named(folder, tmp_path):
    assert "nowhere does not exist" in refusal(tmp_path / "nowhere")
    assert "folder is empty" in refusal("")
    (folder / "test_batch").unlink()
    assert "test_batch is missing" in refusal(folder, 2)


@pytest.mark.parametrize("part", [0.0, 0.01, 0.5, 0.999, 0.99999])
@pytest.mark.parametrize("name", ["data_batch_3", "data_batch_4"])
def test_a_file_cut_short_is_refused_whatever_the_limit(folder, name, part):
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[: int(part * len(whole))])
    assert f"{name} is damaged" in refusal(folder, 1)


def test_ten_thousand_images_must_be_the_official_ones(folder):
    pixels = np.zeros((10_000, 3072), dtype=np.uint8)
    (folder / "data_batch_1").write_bytes(pickle.dumps({b"data": pixels, b"labels": [3] * 10_000}, protocol=2))
    assert "data_batch_1 is damaged: its MD5 is" in refusal(folder, 5)


def test_a_file_far_too_large_is_not_even_read(folder):
    with (folder / "data_batch_1").open("wb") as file:
        file.truncate(10**12)
    assert "data_batch_1 is damaged: it has 1000000000000 bytes" in refusal(folder, 5)


@pytest.mark.parametrize("limit", [None, 1, 10, 10_000])
def test_no_file_has_more_images_than_a_batch(folder, limit):
    pixels = np.zeros((10_001, 3072), dtype=np.uint8)
    (folder / "data_batch_1").write_bytes(pickle.dumps({b"data": pixels, b"labels": [3] * 10_001}, protocol=2))
    assert "data_batch_1 is damaged: it holds 10001 images, a batch has at most 10000" in refusal(folder, limit)


def test_what_is_no_regular_file_is_refused_at_once(folder):
    path = folder / "data_batch_1"
    path.unlink()
    os.mkfifo(path)
    assert "data_batch_1 is not a regular file" in refusal(folder, 5)
    for device in ("/dev/zero", "/dev/null"):
        path.unlink()
        path.symlink_to(device)
        assert "data_batch_1 is not a regular file" in refusal(folder, 5)
    path.unlink()
    path.mkdir()
    assert "data_batch_1 cannot be read" in refusal(folder, 5)


def test_a_link_to_a_regular_file_is_that_file(folder):
    expected = cifar10(folder, 2).checksum
    (folder / "data_batch_1").rename(folder / "elsewhere")
    (folder / "data_batch_1").symlink_to(folder / "elsewhere")
    assert cifar10(folder, 2).checksum == expected


def long(value, size=4):
    return value.to_bytes(size, "little")


GREEDY = {
    "text": b"X" + long(2**32 - 1) + b"a",
    "text, 8 bytes": b"\x8d" + long(2**40, 8) + b"a",
    "bytes": b"B" + long(2**32 - 1) + b"a",
    "bytes, 8 bytes": b"\x8e" + long(2**40, 8) + b"a",
    "bytearray": b"\x96" + long(2**40, 8) + b"a",
    "string": b"T" + long(2**31 - 1) + b"a",
    "whole number": b"\x8b" + long(2**31 - 1) + b"a",
    "frame": b"\x95" + long(2**40, 8) + b"N.",
    "memo": b"Nr" + long(2**31 - 1) + b".",
    "memo, in digits": b"Np2147483647\n.",
    "steps": b"N0" * 150_000 + b"N.",
    "one text again and again": (
        b"c_codecs\nencode\nq\x000(X" + long(2**20) + b"a" * 2**20 + b"q\x010]q\x020"
        b"" + b"h\x00h\x01X\x06\x00\x00\x00latin1\x86R" * 5000 + b"."
    ),
    "a long name": b"c" + b"m" * 10**6 + b"\nname\n.",
}


@pytest.mark.parametrize("content", GREEDY.values(), ids=GREEDY)
def test_a_file_that_asks_for_far_more_than_it_has_is_refused_with_little_memory(folder, content):
    (folder / "data_batch_1").write_bytes(b"\x80\x04" + content)
    tracemalloc.start()
    try:
        text = refusal(folder, 1)
        assert tracemalloc.get_traced_memory()[1] < 2**26
    finally:
        tracemalloc.stop()
    assert "data_batch_1 is damaged" in text
    assert len(text) < 700


@pytest.mark.parametrize(
    "content",
    [
        {b"labels": [1]},
        [1, 2],
        {b"data": np.zeros((2, 3072), np.uint8), b"labels": [1]},
        {b"data": np.zeros((1, 3071), np.uint8), b"labels": [1]},
        {b"data": np.zeros((1, 3072), np.int8), b"labels": [1]},
        {b"data": np.zeros((1, 384), np.uint64), b"labels": [1]},
        {b"data": np.zeros((1, 3072), object), b"labels": [1]},
        {b"data": b"x", b"labels": [1]},
        {b"data": np.zeros((1, 3072), np.uint8), b"labels": [10]},
        {b"data": np.zeros((1, 3072), np.uint8), b"labels": [True]},
        {b"data": np.zeros((1, 3072), np.uint8), b"labels": [[1]]},
        {b"data": np.zeros((0, 3072), np.uint8), b"labels": []},
    ],
    ids=range(12),
)
def test_a_pickle_of_something_else_is_refused(folder, content):
    (folder / "data_batch_2").write_bytes(pickle.dumps(content, protocol=2))
    assert "data_batch_2 is damaged" in refusal(folder, 1)


class Hostile:
    def __init__(self, call, *arguments):
        self.call, self.arguments = call, arguments

    def __reduce__(self):
        return self.call, self.arguments


def test_nothing_in_a_file_is_run(folder, tmp_path):
    witness = tmp_path / "witness"
    attacks = [
        pickle.dumps(Hostile(os.system, f"touch {witness}"), protocol=2),
        pickle.dumps(Hostile(eval, f"open({str(witness)!r}, 'w')"), protocol=4),
        b"cnumpy.core.multiarray\n_reconstruct.__globals__\n.",
        b"\x80\x04\x8c\x05numpy\x8c\x12ndarray.__reduce__\x93.",
        b"c_codecs\nencode\n(X\x01\x00\x00\x00aX\x04\x00\x00\x00zlibtR.",
        b"c_codecs\nencode\nN}X\x08\x00\x00\x00__call__K\x01s\x86b.",  # a state that sets an attribute of a stand-in
    ]
    for attack in attacks:
        (folder / "data_batch_1").write_bytes(attack)
        assert "data_batch_1 is damaged" in refusal(folder, 1)
    assert not witness.exists()


def outcome(folder):
    """Whether a folder is read, refused in one line that names the file, or something else."""
    try:
        cifar10(folder, 1)
    except ValueError as error:
        text = str(error)
        return "refused" if "data_batch_1" in text and "\n" not in text else text
    return "read"


def test_random_damage_never_raises_anything_else(folder):
    """A file is read or refused in a line. (A changed pixel of an excerpt cannot be noticed.)"""
    generator = np.random.default_rng(2)
    whole = (folder / "data_batch_1").read_bytes()
    outcomes = list[str]()
    structure = [k for k in range(len(whole)) if k < 200 or k > len(whole) - 60]
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[generator.choice(structure)] = generator.integers(256)
        (folder / "data_batch_1").write_bytes(damaged)
        outcomes.append(outcome(folder))
    assert {"read", "refused"} >= set(outcomes)
    assert outcomes.count("refused") > 100
