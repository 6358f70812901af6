"""The balance between what goes into a neuron and what comes out of it: an identity of one gradient, and its laws."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from implicit_bias.brief import brief
from implicit_bias.checks import choice, whole
from implicit_bias.measure.given import dense, measuring, network, rounding, torch
from implicit_bias.measure.row import Premise, Row

KINDS = ("neurons", "linear", "query-key", "value-output", "scale")
THRESHOLD = {2.0**-52: 1e-13, 2.0**-23: 1e-5}  # of the identity, by the unit roundoff
SOURCE = "Kunin et al. 2021"
Get = Callable[[Any], Any]  # of a parameter: itself, its gradient, its momentum


@dataclass(frozen=True)
class Pair:
    """Two layers, the first into neurons, the second out of them, by the names of their modules.

    incoming: the layer into them; in a torch.nn.MultiheadAttention named a it may be a.q, a.k or a.v.
    outgoing: the layer out of them; for heads of attention query-key the keys, which both go in; for scale the norm.
    kind: neurons, one number for each, where what stands between is positively homogeneous; linear, the whole matrix,
        where nothing does; query-key and value-output of attention, the whole matrix of each head; scale, one number
        for each neuron before a batch norm that looks at the batch.
    heads: number of heads.

    Raises ValueError for another kind and fewer than one head.

    >>> Pair("0", "2")
    Pair(incoming='0', outgoing='2', kind='neurons', heads=1)
    """

    incoming: str
    outgoing: str
    kind: str = "neurons"
    heads: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no pair."""
        choice("kind", self.kind, KINDS)
        whole("heads", self.heads, least=1)
        for name in ("incoming", "outgoing"):
            if not isinstance(getattr(self, name), str):
                raise ValueError(f"{name} is {getattr(self, name)!r:.60}; it must be the name of a module")

    @property
    def name(self) -> str:
        """The pair in one word."""
        return f"{self.incoming} → {self.outgoing}" + ("" if self.kind == "neurons" else f", {self.kind}")


class Joint:  # attack: none, it takes a network
    """A pair of layers of one network: of each neuron, or each head, what goes in and what comes out, as matrices.

    model: the network.
    pair: the names of the layers.

    Raises ValueError for names that the network has not, and for layers that do not fit.

    >>> import torch
    >>> model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    >>> [tuple(one.shape) for one in Joint(model, Pair("0", "2")).blocks(lambda one: one)]
    [(3, 1, 3), (3, 1, 1)]
    """

    def __init__(self, model: Any, pair: Pair) -> None:
        """Find the parameters."""
        self.pair = pair
        self.into, self.out = _layer(model, pair.incoming), _layer(model, pair.outgoing)
        width = len(self.into[0][self.into[2]])
        single = pair.kind in ("neurons", "scale")
        if single and pair.heads > 1:
            raise ValueError(f"heads is {pair.heads}; for {pair.kind} it must be 1")
        if width % pair.heads:
            raise ValueError(f"heads is {pair.heads}; it must divide the {width} rows of {pair.incoming}")
        self.units, self.width = width if single else pair.heads, width
        if pair.kind in ("query-key", "scale") and len(self.out[0][self.out[2]]) != width:
            raise ValueError(f"pairs has {pair.name}; both layers must have as many rows")
        self.norm = dict(model.named_modules())[pair.outgoing] if pair.kind == "scale" else None
        if self.norm is not None and not isinstance(self.norm, torch().nn.modules.batchnorm._BatchNorm):
            raise ValueError(f"pairs has {pair.name}; its second layer must be a batch norm")
        self.root: Any = 1.0
        bias = self.out[1] if pair.kind == "query-key" else None
        self.parameters = [one for one in (*self.into[:2], self.out[0], bias) if one is not None]
        self.blocks(lambda one: one.detach())  # or the columns do not fit

    def hear(self, norm: Any, given: tuple[Any, ...]) -> None:
        """Keep √(ε/(σ² + ε)) of what a batch norm is given: its ε is what the scale of the weights changes.

        norm, given: as PyTorch passes them to a hook.
        """
        spread = given[0].detach().transpose(0, 1).flatten(1).var(1, correction=0)
        self.root = (norm.eps / (spread + norm.eps)).sqrt()[:, None]

    def blocks(self, get: Get) -> tuple[Any, Any]:
        """What goes in and what comes out, each units × rows × columns: a row of a neuron, the rows of a head.

        get: what is taken of a parameter.
        """
        if self.pair.kind == "scale":
            out = get(self.out[0])[:, None] * self.root
        elif self.pair.kind == "query-key":
            out = _rows(self.out, get)
        else:
            out = _columns(self.out, get, self.width, self.pair)
        into, out = (_wide(one).unflatten(0, (self.units, -1)) for one in (_rows(self.into, get), out))
        return into, out

    @staticmethod
    def form(x: tuple[Any, Any], y: tuple[Any, Any]) -> Any:
        """⟨x, y⟩± = x_in y_inᵀ − y_out x_outᵀ, a matrix for each head, 1 × 1 for each neuron.

        x, y: of ``blocks``.
        """
        return x[0] @ y[0].mT - y[1] @ x[1].mT

    def even(self, x: tuple[Any, Any], y: tuple[Any, Any]) -> Any:
        """The symmetric part of the form, which is what the laws are about.

        x, y: of ``blocks``.
        """
        value = self.form(x, y)
        return (value + value.mT) / 2

    def residual(self, gradient: tuple[Any, Any], theta: tuple[Any, Any]) -> tuple[float, int]:
        """The largest |⟨g, θ⟩±| / (|g_in| |w| + |g_out| |v|), and how many neurons or heads are silent.

        gradient, theta: of ``blocks``.

        Returns nan where all are silent: 0/0 is no balance.
        """
        value = self.form(gradient, theta).flatten(1).norm(dim=1)
        (a, b), (c, d) = ([one.flatten(1).norm(dim=1) for one in parts] for parts in (gradient, theta))
        scale = a * c + b * d
        heard = scale > 0
        worst = float((value[heard] / scale[heard]).max()) if bool(heard.any()) else float("nan")
        return worst, int((~heard).sum())

    @staticmethod
    def sizes(theta: tuple[Any, Any]) -> Any:
        """|w|² + |v|² of each neuron, or of each head.

        theta: of ``blocks``.
        """
        return sum((one**2).sum((1, 2)) for one in theta)


@brief()
@dataclass(frozen=True)
class Balance:
    """The balance of a network at one gradient.

    identity: the largest relative |⟨g, θ⟩±| over neurons and heads; the premise of every law of balance.
    unbalance: Σ|⟨θ, θ⟩±| / Σ(|w|² + |v|²), between 0 (balanced) and 1.
    silent: number of neurons and heads without any gradient, of which the identity says nothing.
    parts: the identity of each pair.
    unpaired: number of the modules with parameters that are in no pair, with their names; None where there are none.

    >>> Balance(Row("identity", 0.0), Row("unbalance", 0.5), Row("silent", 0.0), ()).unbalance.value
    0.5
    """

    identity: Row
    unbalance: Row
    silent: Row
    parts: tuple[Row, ...]
    unpaired: Row | None = None


def guessed(model: Any) -> tuple[Pair, ...]:  # attack: none, it takes a network
    """The pairs of layers that a network's own containers tell: neighbours in a Sequential, heads of attention.

    The two layers behind the attention of a torch.nn.TransformerEncoderLayer or a decoder's are one with ReLU alone.
    A layer of batch norm or layer norm with weights goes into the neurons behind it. Before a batch norm in the mode of
    training the scale of each neuron is a pair. A wrong guess shows itself in the identity.

    model: the network.

    Returns the pairs, none where it has no such container.

    >>> import torch
    >>> guessed(torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1)))
    (Pair(incoming='0', outgoing='2', kind='neurons', heads=1),)
    """
    nn = torch().nn
    found: list[Pair] = []
    inside: set[str] = set()

    def flat(name: str, module: Any) -> list[tuple[str, Any]]:
        inside.add(name)
        parts: list[tuple[str, Any]] = []
        for key, one in module.named_children():
            path = f"{name}.{key}" if name else key
            parts += flat(path, one) if isinstance(one, nn.Sequential) else [(path, one)]
        return parts

    for name, module in model.named_modules():
        if isinstance(module, nn.MultiheadAttention) and module.bias_k is None and module.in_proj_weight is not None:
            heads, one = module.num_heads, f"{name}." if name else ""
            found.append(Pair(f"{one}q", f"{one}k", "query-key", heads))
            found.append(Pair(f"{one}v", f"{one}out_proj", "value-output", heads))
        if isinstance(module, nn.TransformerEncoderLayer | nn.TransformerDecoderLayer):
            act, one = module.activation, f"{name}." if name else ""
            if act in (torch().relu, nn.functional.relu) or isinstance(act, nn.ReLU | nn.LeakyReLU | nn.PReLU):
                found.append(Pair(f"{one}linear1", f"{one}linear2"))
        if not isinstance(module, nn.Sequential) or name in inside:
            continue
        before, plain = None, True
        for path, one in flat(name, module):
            norm = isinstance(one, _norms()) and one.weight is not None
            if not (norm or isinstance(one, dense())):
                other = any(True for _ in one.parameters()) and not isinstance(one, nn.PReLU)
                before = None if other or isinstance(one, _norms()) else before
                plain = plain and isinstance(one, nn.Identity)
                continue
            if before is not None and not norm:
                with suppress(ValueError):  # their widths do not fit
                    found.append(Joint(model, Pair(before, path, "linear" if plain else "neurons")).pair)
            if before is not None and isinstance(one, nn.modules.batchnorm._BatchNorm) and norm and one.training:
                found.append(Pair(before, path, "scale"))
            before, plain = path, not norm
    return tuple(found)


def balance(  # attack: none, it takes a network
    model: Any, loss: Any, x: Any, y: Any, *, pairs: Iterable[Any] | None = None
) -> Balance:
    """Whether one gradient of a network is in balance, neuron by neuron, head by head.

    ⟨∇L, θ⟩± = ⟨∇_w L, w⟩ − ⟨∇_v L, v⟩ = 0

    for the weights w (with the bias) into a neuron and v out of it, wherever what stands between is positively
    homogeneous, whatever the batch and the loss. It is what every law of balance asks for, and needs no history.
    Before a batch norm of variance σ² with the constant ε and the factor γ it is ⟨∇_w L, w⟩ = ε/(σ² + ε) γ ∂L/∂γ.

    model: the network, in the mode in which it is trained; its gradients stay as they are.
    loss: a function of what the model answers and of y, to a number.
    x: a batch of n rows as the model takes it, or a tuple of the model's arguments.
    y: their n targets as the loss takes them.
    pairs: of layers, each a ``Pair`` or two names; None: those that the network's containers tell.

    Returns the worst residual, the unbalance, the number of silent neurons, each pair's residual, and which modules
    are in no pair.
    Raises ValueError for names that do not fit, parameters without a gradient, and a network that tells no pair.
    Reference: Kunin et al. 2021; of attention, the same symmetry by derivation.

    >>> import torch
    >>> _ = torch.manual_seed(0)
    >>> model = torch.nn.Sequential(torch.nn.Linear(2, 5), torch.nn.ReLU(), torch.nn.Linear(5, 2)).double()
    >>> x, y = torch.eye(2).double(), torch.tensor([0, 1])
    >>> balance(model, torch.nn.functional.cross_entropy, x, y).identity.value < 1e-13
    True
    """
    joints = joined(network("model", model), pairs)
    parameters = list({id(one): one for joint in joints for one in joint.parameters}.values())
    hooks = [one.norm.register_forward_pre_hook(one.hear) for one in joints if one.norm is not None]
    buffers = {name: one.clone() for name, one in model.named_buffers()}  # those of a batch norm change in a pass
    try:
        with measuring(), torch().enable_grad():
            answer = torch().func.functional_call(model, buffers, x if isinstance(x, tuple) else (x,))
            value = loss(answer, y)
    finally:
        for hook in hooks:
            hook.remove()
    if not isinstance(value, torch().Tensor) or value.numel() != 1 or not bool(torch().isfinite(value).all()):
        raise ValueError(f"loss is {value!r:.60}; it must be a finite number, its mean or sum over the batch")
    found = torch().autograd.grad(value, parameters, allow_unused=True)
    gradient = {id(one): g for one, g in zip(parameters, found, strict=True)}
    unused = [name for name, one in model.named_parameters() if id(one) in gradient and gradient[id(one)] is None]
    if unused:
        raise ValueError(f"model has no gradient in {unused[0]}; every layer of a pair must have one")
    parts: list[Row] = []
    limit, silent, above, below = THRESHOLD[rounding(model)], 0, 0.0, 0.0
    for joint in joints:
        theta = joint.blocks(lambda one: one.detach())
        worst, unheard = joint.residual(joint.blocks(lambda one: gradient[id(one)]), theta)
        silent += unheard
        if joint.norm is None:
            above += float(torch().linalg.matrix_norm(joint.form(theta, theta), "nuc").sum())
            below += float(joint.sizes(theta).sum())
        parts.append(
            identity(f"identity of the gradient, {joint.pair.name}", worst, limit, scale=joint.norm is not None)
        )
    worst = max((one.value for one in parts if one.value == one.value), default=float("nan"))
    total = sum(joint.units for joint in joints)
    count = Row(f"silent neurons and heads of {total}", float(silent), kind="exact")
    share, scale = above / below if below else 0.0, all(joint.norm is not None for joint in joints)
    uneven = Row("unbalance", share, share * (1 - limit), share * (1 + limit), "exact", source="0: balanced")
    paired = {id(one) for one in parameters}
    own = {name or "the model": list(one.parameters(recurse=False)) for name, one in model.named_modules()}
    rest = [name for name, some in own.items() if some and not any(id(one) in paired for one in some)]
    said = f"nothing is said of {', '.join(rest)}"
    unpaired = Row("modules in no pair", float(len(rest)), kind="exact", source=said) if rest else None
    worst_of_all = identity("identity of the gradient", worst, limit, scale=scale)
    return Balance(worst_of_all, uneven, count, tuple(parts), unpaired)


def identity(  # attack: none, its numbers are measured
    name: str, worst: float, limit: float, *, scale: bool = False
) -> Row:
    """The row of a residual of the identity, with the premise that it tests.

    name: of the quantity.
    worst: the residual.
    limit: its rounding.
    scale: whether it is that of the weights before a batch norm.

    >>> identity("identity", 0.13, 1e-13).said
    'not covered by Kunin et al. 2021: not positively homogeneous between the layers, the identity is missed by 0.13'
    """
    asked = "scaled alike by the norm" if scale else "positively homogeneous between the layers"
    said = "the norm takes the scale of the weights away" if scale else "the laws of balance hold"
    premise = Premise(asked, worst, limit, worst <= limit, f"not {asked}, the identity is missed by {worst:.3g}")
    covers, ends = f"0 up to rounding, {limit:g}: {said}", (max(worst - limit, 0.0), worst + limit)
    return Row(name, worst, *ends, "exact", (premise,), covers, SOURCE)


def joined(model: Any, pairs: Iterable[Any] | None) -> list[Joint]:  # attack: none, it takes a network
    """The pairs of a network with their parameters.

    model: the network.
    pairs: each a ``Pair`` or two names; None: those that the network's containers tell.

    Raises ValueError for names that do not fit, and for none at all.

    >>> import torch
    >>> model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    >>> [joint.width for joint in joined(model, [("0", "2")])]
    [3]
    """
    given = guessed(model) if pairs is None else tuple(pairs)
    if not given:
        names = ", ".join(name for name, one in model.named_modules() if name and isinstance(one, dense()))
        raise ValueError("pairs is empty; it must name two layers, as [('fc1', 'fc2')], where no Sequential tells them:"
                         f" of {names[:200] or 'none'}")  # fmt: skip
    for one in given:
        if not isinstance(one, Pair) and not (isinstance(one, tuple | list) and len(one) in (2, 3, 4)):
            raise ValueError(f"pairs has {one!r:.60}; each must be a Pair or the names of two layers")
    return [Joint(model, one if isinstance(one, Pair) else Pair(*one)) for one in given]


def _norms() -> tuple[Any, ...]:
    nn = torch().nn
    return nn.modules.batchnorm._NormBase, nn.LayerNorm, nn.GroupNorm


def _layer(model: Any, name: str) -> tuple[Any, Any, slice, int]:
    """The weight, the bias, the rows of both that are meant, and the groups of a layer."""
    nn = torch().nn
    parent, _, leaf = name.rpartition(".")
    modules: dict[str, Any] = dict(model.named_modules())
    if name not in modules and isinstance(modules.get(parent), nn.MultiheadAttention) and leaf in ("q", "k", "v"):
        one, place = modules[parent], "qkv".index(leaf)
        d = one.embed_dim
        part = slice(place * d, place * d + d)
        if one.in_proj_weight is not None:
            return one.in_proj_weight, one.in_proj_bias, part, 1
        raise ValueError(f"pairs has {name}, whose keys are of another size; give heads of layers of your own")
    if name not in modules:
        raise ValueError(f"pairs has {name!r:.60}; it must be one of {', '.join(filter(None, modules))[:120]}")
    layer: Any = modules[name]
    kinds: Any = (*dense(), *_norms())
    if not isinstance(layer, kinds) or layer.weight is None:
        kind = type(layer).__name__
        raise ValueError(f"pairs has {name}, a {kind}; it must be linear, a convolution, or a norm with weights")
    return layer.weight, layer.bias, slice(None), getattr(layer, "groups", 1)


def _rows(layer: tuple[Any, Any, slice, int], get: Get) -> Any:
    weight, bias, part, _ = layer
    into = get(weight)[part].reshape(get(weight)[part].shape[0], -1)
    return into if bias is None else torch().cat([into, get(bias)[part, None]], 1)


def _columns(layer: tuple[Any, Any, slice, int], get: Get, width: int, pair: Pair) -> Any:
    """What comes out of each neuron; of a channel that is flattened, its block of columns."""
    weight, groups = get(layer[0])[layer[2]], layer[3]
    if weight.ndim < 2:
        raise ValueError(f"pairs has {pair.name}; a norm goes into neurons, not out of them")
    if groups > 1 and groups == width:
        return weight.reshape(width, -1)
    columns = weight.shape[1]
    if groups > 1 or columns % width or (weight.ndim > 2 and columns != width):
        raise ValueError(f"pairs has {pair.name}, with {width} rows and {columns} columns; they must fit")
    return weight.reshape(len(weight), width, -1).transpose(0, 1).reshape(width, -1)


def _wide(one: Any) -> Any:
    return one if one.device.type == "mps" else one.double()
