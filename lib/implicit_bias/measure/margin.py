"""Margins of a classifier, whether the theorems on them speak about it, and the brackets where the best is proved."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, number
from implicit_bias.data import Classification
from implicit_bias.limits.certificate import CertificateError, Enclosure
from implicit_bias.limits.margin import matrix_margin, max_margin, variation_margin
from implicit_bias.measure.given import (
    MOST_CONSTRAINTS,
    chain,
    differentiable,
    forward_mode,
    settled,
    torch,
    trained,
    vector,
)
from implicit_bias.measure.row import Premise, Row

DEFECT = {8: 1e-8, 4: 1e-4}  # of Euler's relation, in float64 and in float32
MADE = 1e-4  # relative: what a last layer makes of its features, computed anew
LYU, KUNIN = "Lyu & Li 2020", "Kunin et al. 2023"


@brief()
@dataclass(frozen=True)
class Margin:
    """The margins of a network, normalized, and what is known of them.

    euler: ‖Df·θ − Lf‖/‖Lf‖ with the nearest whole L: 0 where f is homogeneous of degree L in its parameters.
    quasi: the same with the parameters weighted by their degrees; None where nothing is weighted.
    normalized: γ̄ = min q/‖θ‖^L.
    paths: for two layers of one output min q/(2 Σ ‖a_j‖ |b_j|), which does not see the balance of the layers.
    share: γ̄ over the best there is, where that is proved; None elsewhere.

    >>> import torch
    >>> line = torch.nn.Linear(2, 1, bias=False).double()
    >>> line.weight.data = torch.tensor([[1.0, 0.0]]).double()
    >>> found = margin(line, torch.tensor([[1.0, 1.0], [-1.0, 1.0]]).double(), torch.tensor([1, -1]))
    >>> round(found.normalized.value, 9), round(found.share.value, 9)
    (1.0, 1.0)
    """

    euler: Row
    quasi: Row | None
    normalized: Row
    paths: Row | None
    share: Row | None


@brief()
@dataclass(frozen=True)
class LastLayer:
    """The last layer as a linear classifier of its own features.

    best: the largest margin of those of norm one, enclosed.
    share: that of the last layer as it is, its norm divided out, over the best.

    >>> import torch
    >>> line = torch.nn.Linear(2, 1, bias=False).double()
    >>> line.weight.data = torch.tensor([[5.0, 0.0]]).double()
    >>> found = last_layer(line, torch.tensor([[1.0, 1.0], [-1.0, 1.0]]).double(), torch.tensor([1, -1]))
    >>> round(found.share.value, 9), found.share.low <= 1 <= found.share.high
    (1.0, True)
    """

    best: Row
    share: Row


def margin(  # attack: none, it takes a network
    model: Any,
    x: Any,
    y: Any,
    *,
    degrees: Mapping[str, float] | None = None,
    decay: float = 0.0,
) -> Margin:
    """The normalized margin γ̄ = min_{i, c≠y_i} (f_y − f_c)(x_i)/‖θ‖^L, and whether a theorem speaks about it.

    Df·θ = L f, Euler's relation by one derivative along θ, is what makes f homogeneous of degree L. γ̄ is the same at
    cθ, c > 0; it is not the same for another network of the same outputs, as with a → 2a, b → b/2 in two layers.

    model: f, a torch Module in eval mode, of one output or of k; θ are the parameters that train, ‖θ‖ their Euclidean
        norm.
    x: n inputs as the model takes them.
    y: n labels, −1 and 1 for one output, 0 … k − 1 for k.
    degrees: what a parameter weighs in the relation if f is not homogeneous; by default 1, a bias its layer's number.
    decay: the weight decay of the training, of which the theorems have none.

    Returns the margins with their premises; the best margin is proved for linear networks of one output and any depth
    (γ_max L^{−L/2}), for linear classifiers, and for two layers of ReLUs of one output in the plane (γ₁).
    Raises ValueError for batch norm or dropout in train mode, and labels that are no classes.
    Reference: Lyu & Li 2020; Kunin, Yamamura, Ma & Ganguli 2023 for degrees that differ.

    >>> import torch
    >>> _ = torch.manual_seed(0)
    >>> net = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1, bias=False)).double()
    >>> found = margin(net, torch.eye(2).double(), torch.tensor([1, -1]))
    >>> found.euler.value < 1e-12, found.normalized.failed[0].name
    (True, 'separated')
    """
    decay, theta, values = number("decay", decay, least=0), trained(model), outputs(model, x, y)
    least, (degree, defect) = float(constraints(values, y).min()), _euler(model, x, theta, {})
    premises = (
        Premise("separated", least, 0.0, least > 0, f"not separated, the least margin is {least:.3g}"),
        homogeneous(model, x, theta),
        no_decay(decay),
    )
    euler, quasi = Row("Euler's relation is missed by", defect, kind="exact"), None
    if degrees is not None or not premises[1].holds:
        _, found = _euler(model, x, theta, _layers(model) if degrees is None else degrees)
        most = premises[1].threshold
        holds = (premises[0], Premise("quasi-homogeneous", found, most, found <= most), premises[2])
        name, said = "Euler's relation with degrees is missed by", "margins of another norm than the Euclidean one grow"
        quasi = Row(name, found, found, found, "exact", holds, said, KUNIN)
    value = least / float(np.linalg.norm(vector(theta))) ** degree
    said = "it grows in the end under gradient flow, to a stationary point; Euclidean norm of all parameters"
    normalized = Row(f"normalized margin, degree {degree}", value, value, value, "exact", premises, said, LYU)
    paths, share = _proved(model, x, y, values, least, value)
    return Margin(euler, quasi, normalized, paths, share)


def last_layer(  # attack: none, it takes a network
    model: Any, x: Any, y: Any, *, rows: Sequence[int] | None = None
) -> LastLayer:
    """The margin of the last layer on the features that it sees, over the best there is: a convex program's.

    γ = max_{‖W‖≤1} min_{i, c≠y_i} (W_y − W_c)·φ(x_i), the Frobenius norm, a bias being the weight of a constant

    model: a torch Module in eval mode whose last ``Linear`` makes its output.
    x: n inputs as the model takes them.
    y: n labels, −1 and 1 for one output, 0 … k − 1 for k.
    rows: the indices of those that are meant; needed where there are more than 20 000 constraints.

    Returns γ enclosed and the layer's share of it.
    Raises ValueError as ``margin``, where the model separates nothing, and where another module makes its output;
    CertificateError where γ is not enclosed.
    Reference: ``max_margin``, ``matrix_margin``.

    >>> import torch
    >>> line = torch.nn.Linear(2, 1, bias=False).double()
    >>> line.weight.data = torch.tensor([[2.0, 2.0]]).double()
    >>> found = last_layer(line, torch.tensor([[1.0, 0.0], [0.0, 3.0]]).double(), torch.tensor([1, 1]))
    >>> round(found.best.value, 6), round(found.share.value, 6)
    (0.948683, 0.745356)
    """
    linear = [one for one in settled(model).modules() if isinstance(one, torch().nn.Linear)]
    refusal = "model has no Linear that makes its output; it must end with one, of one row a sample"
    if not linear:
        raise ValueError(refusal)
    seen: list[Any] = []
    hook = linear[-1].register_forward_pre_hook(lambda _, given: seen.append(given[0].detach()))
    try:
        x, y, values, q = separated(model, x, y, rows)
    finally:
        hook.remove()
    w, phi = double_of(linear[-1]), with_ones(points_of(seen[-1]) if seen else values, linear[-1])
    if (phi.shape, values.shape) != ((len(x), w.shape[1]), (len(x), len(w))) or not np.allclose(
        phi @ w.T, values, rtol=0, atol=MADE * np.abs(values).max()
    ):
        raise ValueError(refusal)
    labels, reached = labels_of(y), float(q.min() / np.linalg.norm(w))
    answer = max_margin(phi * labels[:, None]) if len(w) == 1 else matrix_margin(phi, labels)
    found = answer.certificate.enclosure or Enclosure(0.0, math.inf)
    best = _bracket("largest margin on the last features", found.low, found.high)
    share = _bracket("share of it that the last layer has", reached / found.high, reached / found.low)
    return LastLayer(best, share)


def outputs(model: Any, x: Any, y: Any) -> Array:  # attack: none, it takes a network
    """f at the inputs, n × k, after a look at the labels.

    model, x, y: as for ``margin``.

    Raises ValueError for outputs of another shape and labels that are no classes.
    """
    with torch().no_grad():
        values = points_of(settled(model)(x).reshape(len(x), -1))
    labels, k = labels_of(y), values.shape[1]
    allowed, few = [-1, 1] if k == 1 else list(range(k)), ", ".join(f"{one:g}" for one in np.unique(labels)[:5])
    if labels.shape != (len(values),) or not np.all(np.isin(labels, allowed)):
        held = f"shape {labels.shape}" if labels.shape != (len(values),) else f"labels {few}"
        said = "−1 and 1, for one output" if k == 1 else f"whole numbers from 0 to {k - 1}, for {k} outputs"
        raise ValueError(f"y has {held}; it must have a label a row of x, {said}")
    if not np.all(np.isfinite(values)):
        raise ValueError("model gives what is no finite number at x; it must be finite")
    return np.asarray(values)


def constraints(values: Array, y: Any) -> Array:  # attack: none, it takes a network's outputs
    """The q_ic = f_y − f_c, c ≠ y_i, n × (k − 1), classes in order; of one output y f.

    values: f, n × k.
    y: n labels.
    """
    labels = labels_of(y)
    if values.shape[1] == 1:
        return values * labels[:, None]
    own = labels.astype(np.intp)
    others = np.arange(values.shape[1])[None, :] != own[:, None]
    return np.asarray((values[np.arange(len(own)), own][:, None] - values)[others].reshape(len(own), -1))


def separated(  # attack: none, it takes a network
    model: Any, x: Any, y: Any, rows: Sequence[int] | None
) -> tuple[Any, Any, Array, Array]:
    """The inputs and labels of some rows, f there, and the constraints q, all above 0.

    model, x, y: as for ``margin``.
    rows: the indices of those that are meant; None: all.

    Raises ValueError for indices that are none, more constraints than a program takes, and where a q is not above 0.
    """
    if rows is not None:
        chosen = np.asarray(rows)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or not np.all(np.isin(chosen, range(len(x)))):
            raise ValueError(f"rows is {str(rows)[:40]}; it must hold indices from 0 to {len(x) - 1}")
        x, y = x[chosen.tolist()], y[chosen.tolist()]
    values = outputs(model, x, y)
    q = constraints(values, y)
    if q.size > MOST_CONSTRAINTS:
        given = "None" if rows is None else f"{len(x)} indices"
        raise ValueError(f"rows is {given}, of {q.size} constraints; it must choose {MOST_CONSTRAINTS} at most")
    if q.min() <= 0:
        raise ValueError(f"model separates x, y by {q.min():.3g} at least; it must be more than 0")
    return x, y, values, q


def labels_of(y: Any) -> Array:  # attack: none, it takes tensors
    """The labels as float64, a column of them as a row.

    y: n labels, a tensor or an array.
    """
    found = np.asarray(y.detach().cpu() if hasattr(y, "detach") else y, dtype=np.float64)
    return found[:, 0] if found.ndim == 2 and found.shape[1] == 1 else found


def points_of(x: Any) -> Array:  # attack: none, it takes tensors
    """A tensor as n rows of float64.

    x: n × ….
    """
    return np.asarray(x.detach().cpu().double().reshape(len(x), -1).numpy())


def with_ones(points: Array, layer: Any) -> Array:  # attack: none, it takes a layer
    """The points with a constant as the last coordinate where the layer has a bias.

    points: what the layer is given, a row each.
    layer: a torch Linear.
    """
    return points if layer.bias is None else np.column_stack([points, np.ones(len(points))])


def double_of(layer: Any) -> Array:  # attack: none, it takes a layer
    """The weights of a Linear as float64, its bias as the last column.

    layer: a torch Linear.
    """
    w = layer.weight.detach().cpu().double().numpy()
    return w if layer.bias is None else np.column_stack([w, layer.bias.detach().cpu().double().numpy()])


def homogeneous(model: Any, x: Any, theta: dict[str, Any]) -> Premise:  # attack: none, it takes a network
    """Whether Df·θ = Lf for a whole number L, up to 1e-8, in float32 1e-4.

    model, x: as for ``margin``.
    theta: θ, as ``trained`` gives it.
    """
    defect = _euler(model, x, theta, {})[1]
    most = min(DEFECT[part.element_size()] for part in theta.values())
    fails = f"not homogeneous, Euler's relation is missed by {defect:.3g}"
    return Premise("homogeneous", defect, most, defect <= most, fails)


def no_decay(decay: float) -> Premise:
    """That the training had no weight decay.

    decay: that of the training, at least 0.
    """
    return Premise("no weight decay", decay, 0.0, decay == 0, f"weight decay {decay:.3g}")


def _euler(model: Any, x: Any, theta: dict[str, Any], weights: Mapping[str, float]) -> tuple[int, float]:
    """The whole number L nearest to that of Df·Λθ = Lf, and ‖Df·Λθ − Lf‖/‖Lf‖."""
    func = forward_mode()
    along = {name: weights.get(name, 1.0) * part for name, part in theta.items()}
    with differentiable():
        both = func.jvp(lambda at: func.functional_call(model, at, (x,)), (theta,), (along,))
    value, slope = (one.detach().cpu().double() for one in both)
    square = float((value**2).sum())
    degree = max(1, round(float((slope * value).sum()) / square)) if square else 1
    size = degree * math.sqrt(square)
    return degree, float((slope - degree * value).norm()) / size if size else math.inf


def _layers(model: Any) -> dict[str, float]:
    """For every bias the number of its layer, those with weights counted in the order of their definition."""
    layers = [name for name, part in model.named_modules() if getattr(part, "weight", None) is not None]
    return {f"{name}.bias" if name else "bias": float(place + 1) for place, name in enumerate(layers)}


def _proved(model: Any, x: Any, y: Any, values: Array, least: float, value: float) -> tuple[Row | None, Row | None]:
    """The margin by paths, and the share of the best, where there are such."""
    nn, parts = torch().nn, chain(model)
    kinds, linear = [type(part) for part in parts], [one for one in parts if isinstance(one, nn.Linear)]
    every = all(one.requires_grad for one in model.parameters())
    if not linear or not every or least <= 0 or any(one.bias is not None for one in linear[1:]):
        return None, None
    points, labels = with_ones(points_of(x), linear[0]), labels_of(y)
    first, one = double_of(linear[0]), values.shape[1] == 1
    depth, biased = len(linear), linear[0].bias is not None
    if kinds == [nn.Linear] * depth and (depth == 1 or (one and not biased)):
        name, factor = f"share of the best linear network of depth {depth}", depth ** (-depth / 2)
        made = (lambda: max_margin(points * labels[:, None])) if one else (lambda: matrix_margin(points, labels))
        return None, _share(name, value / factor, made)
    if kinds != [nn.Linear, nn.ReLU, nn.Linear] or not one:
        return None, None
    path = least / (2 * float(np.linalg.norm(first, axis=1) @ np.abs(double_of(linear[1])[0])))
    paths = Row("margin over the norm of paths", path, kind="exact", source="Chizat & Bach 2020")
    if first.shape[1] != 3:
        return paths, None
    name = "share of γ₁, the best of infinitely wide networks"
    return paths, _share(name, value, lambda: variation_margin(Classification(points, labels)))


def _share(name: str, value: float, answer: Callable[[], Any]) -> Row:
    """A value over the best margin, as that is enclosed."""
    try:
        found = answer().certificate.enclosure
    except CertificateError as error:
        return Row(name, math.nan, source=str(error))
    return _bracket(name, value / found.high, value / found.low)


def _bracket(name: str, low: float, high: float) -> Row:
    return Row(name, low / 2 + high / 2, low, high, "bracket", (), "proved", "weak duality")
