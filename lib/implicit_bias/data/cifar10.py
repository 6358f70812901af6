"""CIFAR-10 from a local folder, in the format of its official python batches, read without running anything in them."""

import hashlib
import io
import os
import pickle
import pickletools
import stat
from pathlib import Path
from typing import Any

import numpy as np

from implicit_bias.checks import Array, whole
from implicit_bias.data.images import Images, Labels

# What https://www.cs.toronto.edu/~kriz/cifar.html offers, with its MD5 sums.
ARCHIVE = "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz (MD5 c58f30108f718f92721af3d95e74349a)"
REMEDY = f"download {ARCHIVE}, unpack it and name its folder cifar-10-batches-py"
OFFICIAL = {
    "data_batch_1": "c99cafc152244af753f735de768cd75f",
    "data_batch_2": "d4bba439e000b95fd0a9bffe97cbabec",
    "data_batch_3": "54ebc095f3ab1f0389bbae665268c751",
    "data_batch_4": "634d18415352ddfa80567beed471001a",
    "data_batch_5": "482c414d41f54cd18b22e5b47cb7c3cb",
    "test_batch": "40351d587109b95175f43aff81a1287e",
}
IMAGES, PIXELS, CLASSES = 10_000, 3 * 32 * 32, 10  # images of a file, numbers of an image, classes
MOST_BYTES = 40_000_000  # the official files have 31 million
MOST_STEPS = 200_000  # of a pickle; the official ones take some four an image
LONGEST_REASON = 200


def cifar10(folder: str | Path, limit: int | None = None) -> Images:  # attack: none, it reads files
    """CIFAR-10 from the folder of its six official files: 50,000 training and 10,000 test images.

    A file of 10,000 images is accepted if its MD5 sum is the official one, one of more never. A file of fewer is an
    excerpt, which is only read where ``limit`` says how many images are wanted; of its pixels nothing can be verified
    but their number. A file that was cut short in copying is not an excerpt: its pickle has no end, and it is refused
    whatever the limit.

    folder: holds data_batch_1 to data_batch_5 and test_batch. The files are pickles; names other than the five that
        they need are refused, and nothing that a file names is ever run.
    limit: how many images of each file, its first ones; None for all 10,000.

    Returns pixels in {0, …, 255}, 3,072 an image (red, green, blue; each 32 rows of 32), and ten classes.
    Raises ValueError, one line: which file, what is wrong with it, and what to download.

    >>> try:
    ...     cifar10("no/such/folder")
    ... except ValueError as error:
    ...     print(str(error)[:55])
    folder no/such/folder does not exist: download https://
    """
    if limit is not None:
        limit = whole("limit", limit, least=1, most=IMAGES)
    if not isinstance(folder, str | os.PathLike):
        raise ValueError(f"folder is a {type(folder).__name__}; it must be a path: {REMEDY}")
    if not str(folder):
        raise ValueError(f"folder is empty; it must hold CIFAR-10's python batches: {REMEDY}")
    place = Path(folder).expanduser()
    if not place.is_dir():
        raise ValueError(f"folder {place} does not exist: {REMEDY}")
    batches = [_batch(place / name, limit) for name in OFFICIAL]
    pixels, labels = zip(*batches, strict=True)
    return Images(
        np.concatenate(pixels[:-1]), np.concatenate(labels[:-1]), pixels[-1], labels[-1], classes=CLASSES, largest=255.0
    )


def _batch(path: Path, limit: int | None) -> tuple[Array, Labels]:
    """The first images of one file and their labels."""
    content = _content(path)
    try:
        _demand_modest(content)
        pixels, labels = _parsed(_Restricted(io.BytesIO(content), encoding="bytes").load())
    except Exception as error:  # a damaged pickle can raise nearly anything
        why = " ".join(str(error)[:LONGEST_REASON].split()) or type(error).__name__
        raise ValueError(f"{path} is damaged: {why}; {REMEDY}") from None
    count = len(labels)
    if count > IMAGES:
        raise ValueError(f"{path} is damaged: it holds {count} images, a batch has at most {IMAGES}; {REMEDY}")
    if count == IMAGES:
        found = hashlib.md5(content, usedforsecurity=False).hexdigest()
        if found != OFFICIAL[path.name]:
            raise ValueError(f"{path} is damaged: its MD5 is {found}, not {OFFICIAL[path.name]}; {REMEDY}")
    elif limit is None or limit > count:
        ask = f"set limit to at most {count} or " if count < IMAGES else ""
        raise ValueError(f"{path} holds {count} images, {limit or IMAGES} are wanted: {ask}{REMEDY}")
    return pixels[:limit].astype(np.float64), labels[:limit]


def _content(path: Path) -> bytes:
    """The bytes of a regular file; ValueError for anything else, before it is read."""
    try:
        # Without waiting, or a pipe that nobody writes to would be waited for.
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise ValueError(f"{path} is not a regular file: {REMEDY}")
            if not 0 < found.st_size <= MOST_BYTES:
                raise ValueError(f"{path} is damaged: it has {found.st_size} bytes; {REMEDY}")
            return file.read(MOST_BYTES)
    except OSError as error:
        why = "is missing" if isinstance(error, FileNotFoundError) else f"cannot be read ({error.strerror})"
        raise ValueError(f"{path} {why}: {REMEDY}") from None


def _demand_modest(content: bytes) -> None:
    """ValueError for a pickle that asks for more memory than it has bytes: read step by step, and not obeyed.

    A declared length must be there, and a place in the memo is a place in a list.
    """
    for count, (step, argument, _) in enumerate(pickletools.genops(content)):
        if count >= MOST_STEPS:
            raise ValueError(f"it takes more than {MOST_STEPS} steps")
        if "PUT" in step.name and isinstance(argument, int) and argument > MOST_STEPS:
            raise ValueError(f"it asks for {argument} places in its memo")


def _parsed(content: Any) -> tuple[np.typing.NDArray[np.uint8], Labels]:
    """Pixels and labels of an unpickled file; ValueError if it does not hold what a batch holds."""
    if not isinstance(content, dict) or not {b"data", b"labels"} <= content.keys():
        raise ValueError("it is a pickle, but not of a batch with data and labels")
    data, labels = content[b"data"], content[b"labels"]
    if not isinstance(labels, list) or not labels or any(type(t) is not int or not 0 <= t < CLASSES for t in labels):
        raise ValueError(f"its labels are not whole numbers in [0, {CLASSES})")
    if not isinstance(data, _Pixels):
        raise ValueError("its data are not an array")
    return data.read((len(labels), PIXELS)), np.array(labels, dtype=np.int64)


class _Pixels:
    """Stands for numpy.ndarray while a file is read: it keeps the state that it is given."""

    __slots__ = ("state",)

    def __init__(self) -> None:
        self.state: Any = None

    def __setstate__(self, state: Any) -> None:
        self.state = state

    def read(self, shape: tuple[int, int]) -> np.typing.NDArray[np.uint8]:
        """The bytes as an array of the given shape; ValueError if they are anything else."""
        if not isinstance(self.state, tuple) or len(self.state) != 5:
            raise ValueError("its data have no shape")
        _, given, kind, columns_first, content = self.state
        if given != shape or not isinstance(kind, _Type) or not isinstance(content, bytes):
            raise ValueError(f"its data are not {shape[0]} rows of {shape[1]} bytes, one row a label")
        if kind.name not in ("u1", b"u1") or len(content) != shape[0] * shape[1]:
            raise ValueError(f"its data are not {shape[0] * shape[1]} unsigned bytes")
        return np.frombuffer(content, dtype=np.uint8).reshape(shape, order="F" if columns_first else "C")


class _Type:
    """Stands for numpy.dtype."""

    __slots__ = ("name",)

    def __init__(self, name: Any) -> None:
        self.name = name

    def __setstate__(self, state: Any) -> None:
        """Byte order and alignment, which mean nothing for single bytes."""


class _Maker:
    """Stands for a function that a file may call; without attributes, so that a file cannot change it."""

    __slots__ = ("_budget", "_of")
    _of: str
    _budget: list[int]

    def __init__(self, of: str, budget: list[int]) -> None:
        object.__setattr__(self, "_of", of)
        object.__setattr__(self, "_budget", budget)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"it sets {name}, which no batch does")

    def __call__(self, *arguments: Any) -> Any:
        if self._of == "array":
            return _Pixels()
        if self._of == "type":
            return _Type(arguments[0])
        text, codec = arguments
        if codec not in ("latin1", b"latin1"):
            raise ValueError(f"it asks for the encoding {codec!r}, which no batch needs")
        self._budget[0] -= len(text)
        if self._budget[0] < 0:
            raise ValueError("it encodes more text than it has bytes")
        return text.encode("latin1")


# The official files were written by Python 2; Python 3 writes _codecs.encode for bytes, NumPy 2 renamed its module.
NAMES = {
    ("numpy.core.multiarray", "_reconstruct"): "array",
    ("numpy._core.multiarray", "_reconstruct"): "array",
    ("numpy", "ndarray"): "array",
    ("numpy", "dtype"): "type",
    ("_codecs", "encode"): "text",
}


class _Restricted(pickle.Unpickler):
    """Knows the five names of a batch, and stand-ins for what they name; any other name ends the reading."""

    def __init__(self, file: io.BytesIO, **how: Any) -> None:
        super().__init__(file, **how)
        self._budget = [len(file.getbuffer())]  # characters that may be encoded, one text again and again included

    def find_class(self, module: str, name: str) -> Any:
        """A stand-in for what a file names."""
        if (module, name) not in NAMES:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}, which no batch needs")
        return _Maker(NAMES[module, name], self._budget)
