"""How far training went from the linearization: a twin of the network that is trained by the same function."""

import copy
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array
from implicit_bias.measure.given import differentiable, evaluation, forward_mode, network, outputs, own, tensor, torch
from implicit_bias.measure.row import Premise, Row

LAZY = "Chizat, Oyallon & Bach 2019"
DRAWS = 1000  # resamplings
TAILS = (0.025, 0.975)


class Passes:  # attack: none, it is told by a network
    """What each forward pass with gradients was given, and what it drew, as digests: 16 bytes of each.

    >>> Passes().inputs
    []
    """

    def __init__(self) -> None:
        """None yet."""
        self.inputs: list[tuple[bool, bytes, bytes]] = []
        self.state, self.open = b"", False

    def before(self, module: Any, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        """Keep the digest of what the network is given, if it is a pass of training and none of a measure.

        module, given, named: as PyTorch passes them.
        """
        self.open = False
        if torch().is_grad_enabled() and not own.get():
            try:
                digest = _digest([*given, *named.values()])
            except RuntimeError:  # inside a transform of torch.func, which is no training
                return
            self.inputs.append((module.training, digest, b""))
            self.state, self.open = _streams(given), True

    def after(self, module: Any, given: tuple[Any, ...], answer: Any) -> None:
        """Keep the digest of the stream where the pass drew from it.

        module, given, answer: as PyTorch passes them.
        """
        if self.open and _streams(given) != self.state:
            self.inputs[-1] = (*self.inputs[-1][:2], self.state)

    def of_training(self, other: "Passes") -> list[tuple[bytes, bytes]]:
        """The passes in the mode of training; all of them where neither network ever was in it.

        other: of the other network.
        """
        told = any(mode for mode, _, _ in self.inputs + other.inputs)
        return [(given, drawn) for mode, given, drawn in self.inputs if mode or not told]


def linearized(model: Any) -> Any:  # attack: none, it takes a network
    """The linearization of a network at its parameters θ₀, as a module of the same class with the same names.

    f̄(θ, x) = f(θ₀, x) + Df(θ₀, x)(θ − θ₀)

    Make it before training, and train both by the same function from the same seed. Its parameters are θ, at first
    θ₀, under the names of the network's. From now on both keep digests of what their training passes are given.

    model: the network, a torch.nn.Module that answers with a tensor; it stays as it is.

    Returns the twin; a pass of it costs about two of the network, and it holds θ₀ too.
    Raises ValueError for what is no network; and from the twin's first pass on where there is no linearization: batch
    norm in the mode of training, buffers that a pass changes, operations without a forward derivative.
    Reference: Chizat, Oyallon & Bach 2019; as a module, Ortiz-Jimenez, Favero & Frossard 2023.

    >>> import torch
    >>> model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    >>> twin, x = linearized(model), torch.ones(4, 2)
    >>> isinstance(twin, torch.nn.Sequential), bool(torch.equal(twin(x), model(x)))
    (True, True)
    """
    kind = type(network("model", model))
    _forget(model)
    base, twin = copy.deepcopy(model), copy.deepcopy(model)
    base.requires_grad_(False)

    def forward(self: Any, *given: Any, **named: Any) -> Any:
        return _first_order(self._base, self, given, named)

    def apply(self: Any, function: Callable[[Any], Any], recurse: bool = True) -> Any:
        self._base._apply(function)
        return kind._apply(self, function, recurse)

    inside = {"forward": forward, "_apply": apply, "__module__": kind.__module__, "__doc__": kind.__doc__}
    twin.__class__ = type(kind.__name__, (kind,), inside)
    twin.__dict__["_base"] = base  # no submodule: the names of the state stay
    for one in (model, twin):
        passes = Passes()
        one.__dict__["_passes"] = passes
        one.register_forward_pre_hook(passes.before, with_kwargs=True)
        one.register_forward_hook(passes.after)
    return twin


@brief()
@dataclass(frozen=True)
class Distance:
    """How far a network ended from its linearization.

    distance: d, between 0 and 1.
    angle: between f − f₀ and f̄ − f₀, in degrees.
    ratio: of the length of f − f₀ to that of f̄ − f₀.
    other: d between the network and another run of it; None without one.

    >>> Distance(Row("d", 0.5), Row("angle", 60.0), Row("ratio", 1.0)).other is None
    True
    """

    distance: Row
    angle: Row
    ratio: Row
    other: Row | None = None


def distance(  # attack: none, it takes networks
    model: Any, twin: Any, x: Any, *, other: Any = None, centred: bool = True
) -> Distance:
    """How far a trained network is from its twin on new points, between 0 (lazy) and 1.

    d = |f − f̄| / (|f − f₀| + |f̄ − f₀|)

    over all points and outputs. The intervals hold 95 % of resamplings of the points: of another training they say
    nothing, which is what another run is for.

    model: the network after training.
    twin: of ``linearized``, after the same training.
    x: points of a test, a tensor of N rows, or a tuple of the model's arguments.
    other: the network after another run from the same start, with its batches in another order.
    centred: whether the mean over the classes is taken off, which the softmax does not see.

    Returns d, the angle, the ratio of the two ways, and d of the other run.
    Raises ValueError for a twin that is none, and where one of both has not moved.
    Reference: Chizat, Oyallon & Bach 2019.

    >>> import torch
    >>> model, x = torch.nn.Linear(2, 1), torch.eye(2)
    >>> twin = linearized(model)
    >>> for one in (model, twin):
    ...     one(x).sum().backward()
    ...     torch.optim.SGD(one.parameters(), 0.1).step()
    >>> round(distance(model, twin, x).distance.value, 6)
    0.0
    """
    if not hasattr(network("twin", twin), "_base"):
        raise ValueError(f"twin is a {type(twin).__name__}; it must be made by measure.linearized")
    networks = [network("model", model), twin, twin._base, *([] if other is None else [network("other", other)])]
    with evaluation(*networks), torch().no_grad():
        f, line, start, *more = (outputs(one, tensor("x", x), centred) for one in networks)
    moved, straight = f - start, line - start
    sizes = [_squares(f - line), _squares(moved), _squares(straight)]
    if not sizes[1].any() or not sizes[2].any():
        raise ValueError("model or twin answers as at the start; both must have been trained")
    sizes.append(np.sum(moved * straight, axis=1))
    counts, premises = _resampled(len(f)), _same_passes(model, twin)
    said = "0: both are the same function, 0.71: they went equally far at right angles"
    more_of: dict[str, Any] = {"premises": premises, "source": LAZY}
    far = _row("distance from the linearization", _apart, sizes, counts, covers=said, **more_of)
    turn = _row("angle to the linearization, degrees", _angle, sizes, counts, **more_of)
    way = _row("length of the way, network / twin", lambda sums: np.sqrt(sums[1] / sums[2]), sizes, counts, **more_of)
    run = None
    if more:
        sums = [_squares(f - more[0]), sizes[1], _squares(more[0] - start)]
        run = _row("distance from another run", _apart, sums, counts, source="the yardstick of a distance")
    return Distance(far, turn, way, run)


def remainder(  # attack: none, it takes networks
    start: Any, model: Any, x: Any, *, centred: bool = True
) -> Row:
    """The share of a network's way that its first-order expansion misses, from two checkpoints.

    |f(θ) − f̄(θ)| / |f(θ) − f(θ₀)|

    At 0 the expansion is exact at θ; the twin's θ may still be another one. θ are the parameters alone: all three take
    the buffers of the trained network, such as the running mean and variance of a batch norm in evaluation.

    start: the network at θ₀.
    model: the network at θ, of the same class.
    x: points of a test, a tensor of N rows, or a tuple of the model's arguments.
    centred: whether the mean over the classes is taken off, which the softmax does not see.

    Returns the share; its interval holds 95 % of resamplings of the points.
    Raises ValueError for networks whose parameters differ in name or shape, and where the network has not moved.
    Reference: Chizat, Oyallon & Bach 2019.

    >>> import torch
    >>> start, model = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
    >>> round(remainder(start, model, torch.eye(2)).value, 6)
    0.0
    """
    shapes = [
        {name: tuple(p.shape) for name, p in network(*one).named_parameters()}
        for one in (("start", start), ("model", model))
    ]
    for name in shapes[0].keys() ^ shapes[1].keys() or {n for n in shapes[0] if shapes[0][n] != shapes[1][n]}:
        raise ValueError(f"start and model differ in {name}; they must have the same parameters")
    buffers, call = dict(model.named_buffers()), torch().func.functional_call
    with evaluation(start, model), torch().no_grad():
        f = outputs(model, tensor("x", x), centred)
        before = outputs(lambda *given: call(start, buffers, given), x, centred)
        line = outputs(lambda *given: _first_order(start, model, given, {}), x, centred)
    sums = [_squares(f - line), _squares(f - before)]
    if not sums[1].any():
        raise ValueError("model answers as start does; it must have been trained")
    counts = _resampled(len(f))
    return _row("remainder of the first order", lambda s: np.sqrt(s[0] / s[1]), sums, counts, source=LAZY)


def _row(name: str, of: Callable[[Array], Array], sums: list[Array], counts: Array, **more: Any) -> Row:
    """A function of sums over points, at the points as they are, and between the quantiles of its resamplings."""
    with np.errstate(invalid="ignore"):  # a resampling of points that no network moves
        low, high = np.nanquantile(of(np.array([counts @ one for one in sums])), TAILS)
    return Row(name, float(of(np.array([one.sum() for one in sums]))), float(low), float(high), "sampled", **more)


def _first_order(base: Any, moved: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """f(θ₀) + Df(θ₀)(θ − θ₀), with θ₀ of one network and θ, the buffers and the modes of another."""
    loaded = torch()
    norms = loaded.nn.modules.batchnorm._BatchNorm
    for (name, one), other in zip(base.named_modules(), moved.modules(), strict=True):
        one.training = other.training
        if isinstance(one, norms) and (one.training or not one.track_running_stats):
            raise ValueError(f"model has batch norm {name} in the mode of training; it must be in that of evaluation, "
                             "as the function of one row depends on its batch: call its eval() before")  # fmt: skip
    theta0 = {name: one.detach() for name, one in base.named_parameters()}
    by = {name: one - theta0[name] for name, one in moved.named_parameters()}
    kept = dict(moved.named_buffers())

    def passed(theta: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        buffers = {name: one.clone() for name, one in kept.items()}
        return forward_mode().functional_call(base, (theta, buffers), given, named), buffers

    try:
        with differentiable():
            answer, change, buffers = forward_mode().jvp(passed, (theta0,), (by,), has_aux=True)
    except NotImplementedError as error:
        raise ValueError(f"model has no forward derivative: {' '.join(str(error).split())[:120]}") from None
    for name, one in buffers.items():
        if not loaded.equal(one, kept[name]):
            raise ValueError(f"model changes its buffer {name} in a pass; a linearized one must have none that change")
    if not isinstance(answer, loaded.Tensor):
        raise ValueError(f"model answers with {type(answer).__name__}; it must be a tensor")
    return answer + change


def _same_passes(model: Any, twin: Any) -> tuple[Premise, ...]:
    """Whether both were trained on the same batches, with the same numbers drawn."""
    mine, theirs = (one.__dict__.get("_passes", Passes()) for one in (model, twin))
    left, right = mine.of_training(theirs), theirs.of_training(mine)
    if not left or not right:
        fails = "no training pass was seen of one of both networks"
        return (Premise("training passes of both networks were seen", 0.0, 1.0, False, fails),)
    pairs, found = list(zip_longest(left, right, fillvalue=(None, None))), []
    for place, what in enumerate(("batches", "numbers drawn")):
        alike = next((step for step, (a, b) in enumerate(pairs) if a[place] != b[place]), len(pairs))
        fails = f"not the same {what}, first in training pass {alike + 1} of {len(pairs)}"
        found.append(Premise(f"the same {what}", float(alike), float(len(pairs)), alike == len(pairs), fails))
    return tuple(found)


def _digest(tree: Any) -> bytes:
    """16 bytes that tell apart what a network is given."""
    code = hashlib.blake2b(digest_size=16)
    tree = list(tree.values()) if isinstance(tree, dict) else tree
    for one in tree if isinstance(tree, list | tuple) else [tree]:
        if isinstance(one, list | tuple | dict):
            code.update(_digest(one))
        elif isinstance(one, torch().Tensor):
            code.update(f"{tuple(one.shape)}{one.dtype}".encode())
            code.update(one.detach().cpu().contiguous().reshape(-1).view(torch().uint8).numpy().tobytes())
        else:
            code.update(repr(one).encode())
    return code.digest()


def _streams(given: tuple[Any, ...]) -> bytes:
    """The state of the streams that a pass draws from: of the processor, and of the device of its inputs."""
    states = [torch().get_rng_state()]
    states += [torch().cuda.get_rng_state(one.device) for one in given if getattr(one, "is_cuda", False)][:1]
    return _digest(states)


def _forget(model: Any) -> None:
    """Take off what an earlier twin has left on the network."""
    model.__dict__.pop("_passes", None)
    for table in (model._forward_pre_hooks, model._forward_hooks):
        for key in [key for key, hook in table.items() if isinstance(getattr(hook, "__self__", None), Passes)]:
            del table[key]


def _squares(rows: Array) -> Array:
    return np.asarray(np.sum(rows**2, axis=1))


def _resampled(n: int) -> Array:
    """How often each resampling takes each point, draws × N."""
    return np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), size=DRAWS).astype(float)


def _apart(sums: Array) -> Array:
    """D of the squares of f − f̄, f − f₀ and f̄ − f₀."""
    return np.asarray(np.sqrt(sums[0]) / (np.sqrt(sums[1]) + np.sqrt(sums[2])))


def _angle(sums: Array) -> Array:
    return np.asarray(np.degrees(np.arccos(np.clip(sums[3] / np.sqrt(sums[1] * sums[2]), -1, 1))))
