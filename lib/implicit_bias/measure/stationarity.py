"""How nearly the parameters are stationary for the largest margin, over the whole hull of gradients at a kink."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from implicit_bias.checks import Array, array, memory, number, whole
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.measure.given import chain, forward_mode, torch, trained, vector
from implicit_bias.measure.margin import LYU, double_of, homogeneous, labels_of, points_of, separated, with_ones
from implicit_bias.measure.row import Premise, Row

TAUS = (0.01, 0.03, 0.1, 0.3)
SENTENCE = "ε says how nearly θ is stationary, not how near to the best margin; .83 of the best can have ε = 0"
SETTLED, ROUNDS = 1e-11, 300  # cosine of a residual and a gradient that is left, and at most so many programs


@dataclass(frozen=True)
class Stationarity:
    """ε for several τ, with the sentence that belongs to it.

    curve: ε, a row for each τ in their order.
    hull: "exact" where every choice of slopes was searched, else "random".
    said: what ε does not say.

    >>> import torch
    >>> line = torch.nn.Linear(1, 1, bias=False).double()
    >>> line.weight.data = torch.tensor([[2.0]]).double()
    >>> found = stationarity(line, torch.tensor([[1.0]]).double(), torch.tensor([1]), tau=[0.1])
    >>> found.curve[0].value < 1e-12, found.said
    (True, 'ε says how nearly θ is stationary, not how near to the best margin; .83 of the best can have ε = 0')
    """

    curve: tuple[Row, ...]
    hull: str
    said: str = SENTENCE

    def __repr__(self) -> str:
        """A line for each τ, and the sentence."""
        return "\n".join([*map(repr, self.curve), self.said])


def stationarity(  # attack: none, it takes a network
    model: Any,
    x: Any,
    y: Any,
    *,
    tau: Sequence[float] = TAUS,
    radius: float = 1e-2,
    draws: int = 5,
    rows: Sequence[int] | None = None,
) -> Stationarity:
    """ε = min ‖θ − Σ λ_k h_k‖/‖θ‖ over λ ≥ 0 and h_k in an enlarged differential of q_k, q_k ≤ (1 + τ) min q.

    The sine of an angle to a cone, the same at cθ, c > 0: with the δ = τ of complementary slackness, the (ε, δ) of the
    Karush–Kuhn–Tucker conditions of min ½‖θ‖² subject to q ≥ 1. At a kink h_k is any of a hull of gradients, and where
    neurons rest on kinks, as at a largest margin, one slope at each kink leaves ε large for ever. Of two layers with
    (leaky) ReLU each slope at a pair with |a_j·x_i| ≤ r ‖a_j‖ ‖x_i‖ is free between its two values, and all choices are
    searched; of other networks the hull is spanned by the gradients at θ and at random points at distance r ‖θ‖.
    Clarke's differential is that of two layers with r = 0. Steps of finite size come near a kink and never on it.

    model: f, a torch Module in eval mode, of one output or of k; θ are the parameters that train.
    x: n inputs as the model takes them.
    y: n labels, −1 and 1 for one output, 0 … k − 1 for k.
    tau: τ > 0, one or more.
    radius: r ≥ 0; of two layers 0 asks for one slope at each kink, but for kinks that are met exactly, whose slope
        stays free; of others for the gradients of autograd.
    draws: the number of random points.
    rows: the indices of the samples that are meant; needed where there are more than 20 000 constraints.

    Returns ε for each τ: of two layers the least, of others a bound above for the gradients within r. With r > 0 it
    may be below the ε of Clarke's differential at θ.
    Raises ValueError as ``margin``, and where the model does not separate the samples; CertificateError where a program
    was not solved.
    Reference: Lyu & Li 2020, Definition C.4; Clarke 1975 for the hull.

    >>> import torch
    >>> line = torch.nn.Linear(2, 1, bias=False).double()
    >>> line.weight.data = torch.tensor([[3.0, 4.0]]).double()
    >>> found = stationarity(line, torch.tensor([[1.0, 0.0]]).double(), torch.tensor([1]), tau=[0.1])
    >>> round(found.curve[0].value, 6)
    0.8
    """
    taus = array("tau", list(tau), 1)
    if taus.min() <= 0:
        raise ValueError(f"tau holds {taus.min():g}; every entry must be above 0")
    radius, draws = number("radius", radius, least=0, most=1), whole("draws", draws, least=0, most=10_000)
    x, y, values, q = separated(model, x, y, rows)
    theta, least = trained(model), float(q.min())
    places = np.argwhere(q <= (1 + taus.max()) * least)
    chosen = q[tuple(places.T)]
    exact = _two_layers(model, theta)
    premises = (Premise("separated", least, 0.0, True), homogeneous(model, x, theta))
    if exact:
        at, pull = _slopes(exact, x, y, places, values.shape[1], radius)
    else:
        at = vector(theta)
        few = 1 + (draws if radius else 0)
        memory("draws", draws, 3 * 8 * at.size * len(places) * few)
        sides = _sides(y, places, values.shape[1])
        columns = _gradients(model, x, places, sides, theta, radius, few)
    curve, kind = [], "exact" if exact else "bracket"
    for one in taus:
        active = np.flatnonzero(chosen <= (1 + one) * least)
        if exact:
            epsilon = _cone_distance(at, partial(pull, active))
        else:
            epsilon = float(np.linalg.norm(_rest(at, columns[:, active].reshape(-1, at.size).T)[0]))
        name, source = f"stationarity ε, τ = {one:g}, slopes within {radius:g}", f"{LYU}: {SENTENCE}"
        low, said = epsilon if exact else 0.0, "0 at a stationary point"
        curve.append(Row(name, epsilon, low, epsilon, kind, premises, said, source))
    return Stationarity(tuple(curve), "exact" if exact else "random")


def _rest(theta: Array, columns: Array) -> tuple[Array, Array]:
    """(θ − Hλ)/‖θ‖ at the best λ ≥ 0 of unit columns, and λ."""
    sizes = np.linalg.norm(columns, axis=0)
    columns, theta = columns[:, sizes > 0] / sizes[sizes > 0], theta / np.linalg.norm(theta)
    if not columns.size:
        return theta, np.zeros(0)
    small = np.asarray(np.linalg.qr(np.column_stack([columns, theta]), mode="r"))
    try:
        force = nnls(small[:, :-1], small[:, -1], maxiter=50 * columns.shape[1])[0]
    except RuntimeError as error:
        raise CertificateError(f"the program of ε was not solved: {error}") from error
    return theta - columns @ force, force


def _cone_distance(theta: Array, pull: Callable[[Array], Array]) -> float:
    """The distance of θ/‖θ‖ from a cone, of which only the gradients that pull at what is left are known."""
    columns, rest, force = np.zeros((theta.size, 0)), theta / np.linalg.norm(theta), np.zeros(0)
    for _ in range(ROUNDS):
        more = pull(rest)
        more = more[:, np.linalg.norm(more, axis=0) > 0]
        more = more / np.linalg.norm(more, axis=0)
        more = more[:, more.T @ rest > SETTLED]
        if not more.size:
            break
        columns = np.column_stack([columns[:, force > 0], more])
        rest, force = _rest(theta, columns)
    return float(np.linalg.norm(rest))


def _two_layers(model: Any, theta: dict[str, Any]) -> list[Any]:
    """The two layers of a network of which every choice of slopes can be searched, and the activation between."""
    nn, parts = torch().nn, chain(model)
    known = [type(part) for part in parts] in ([nn.Linear, act, nn.Linear] for act in (nn.ReLU, nn.LeakyReLU))
    return parts if known and len(theta) == len(list(model.parameters())) else []


def _slopes(
    parts: list[Any], x: Any, y: Any, places: NDArray[np.intp], k: int, radius: float
) -> tuple[Array, Callable[[NDArray[np.intp], Array], Array]]:
    """θ, and the gradients of some constraints with the slopes that pull most at what is left, p × …"""
    points, (first, second) = with_ones(points_of(x), parts[0]), (double_of(parts[0]), double_of(parts[2]))
    low = float(getattr(parts[1], "negative_slope", 0.0))
    at, sides = points[places[:, 0]], _sides(y, places, k)
    m, seen = len(first), at @ first.T
    push = sides @ second[:, :m]
    near = np.abs(seen) <= radius * np.outer(np.linalg.norm(at, axis=1), np.linalg.norm(first, axis=1))
    fixed = np.where(seen > 0, 1.0, low)
    hidden = with_ones(seen * fixed, parts[2])

    def pull(active: NDArray[np.intp], rest: Array) -> Array:
        gains = push[active] * (at[active] @ rest[: first.size].reshape(first.shape).T)
        slopes = np.where(near[active], np.where(gains > 0, 1.0, low), fixed[active])
        of_first = (push[active] * slopes)[:, :, None] * at[active][:, None, :]
        of_second = sides[active][:, :, None] * hidden[active][:, None, :]
        return np.hstack([of_first.reshape(len(active), -1), of_second.reshape(len(active), -1)]).T

    return np.concatenate([first.ravel(), second.ravel()]), pull


def _sides(y: Any, places: NDArray[np.intp], k: int) -> Array:
    """e with q = e·f for each constraint: the label, or e_y − e_c."""
    own = labels_of(y)[places[:, 0]]
    if k == 1:
        return own[:, None]
    labels = own.astype(np.intp)
    others = places[:, 1] + (places[:, 1] >= labels)
    return np.asarray(np.eye(k)[labels] - np.eye(k)[others])


def _gradients(
    model: Any, x: Any, places: NDArray[np.intp], sides: Array, theta: dict[str, Any], radius: float, few: int
) -> Array:
    """The gradients of the constraints at θ, and at random points around, few × constraints × p."""
    load, func, rng = torch(), forward_mode(), np.random.default_rng(0)
    size, counts = float(np.linalg.norm(vector(theta))), [part.numel() for part in theta.values()]
    found = np.empty((few, len(places), sum(counts)))

    def q(at: dict[str, Any], row: Any, side: Array) -> Any:
        value = func.functional_call(model, at, (row,)).reshape(-1)
        return (value * load.as_tensor(side).to(value)).sum()

    for draw in range(few):
        away = rng.standard_normal(found.shape[2])
        away *= radius * size / np.linalg.norm(away) if draw else 0.0
        pieces = zip(theta.items(), load.as_tensor(away).split(counts), strict=True)
        at = {name: part + piece.view_as(part).to(part) for (name, part), piece in pieces}
        for place, (sample, _) in enumerate(places):
            found[draw, place] = vector(func.grad(q)(at, x[int(sample)][None], sides[place]))
    return found
