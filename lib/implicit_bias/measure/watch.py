"""The laws of balance along a training: hooks of the optimizer, and no line in the loop."""

from collections.abc import Iterable
from types import TracebackType
from typing import Any

from implicit_bias.measure.balance import SOURCE, THRESHOLD, Joint, identity, joined
from implicit_bias.measure.given import network, rounding, torch
from implicit_bias.measure.row import Premise, Row

LAW = "step by step, the drift of the balance is its source: squares of the gradients"


class Law:  # attack: none, it takes a network
    """The balance B and C = ⟨θ, m⟩± of one pair, as the law of the optimizer says, from the gradients alone.

    joint: the pair.

    >>> import torch
    >>> from implicit_bias.measure.balance import joined
    >>> model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    >>> Law(joined(model, None)[0]).steps
    0
    """

    def __init__(self, joint: Joint) -> None:
        """Start where the network is."""
        self.joint, self.steps, self.broken = joint, 0, ""
        self.worst = 0.0
        theta = self.theta()
        self.start = self.b = joint.even(theta, theta)
        self.size = joint.sizes(theta)
        self.c = torch().zeros_like(self.b)
        self.pushed: Any = None
        self.rule: dict[str, Any] = {}

    def theta(self) -> Any:
        """The pair's weights."""
        return self.joint.blocks(lambda one: one.detach())

    def resume(self, state: Any) -> None:
        """Take the momentum that an optimizer has already.

        state: of the optimizer.
        """
        if all("momentum_buffer" in state.get(one, {}) for one in self.joint.parameters):
            buffer = self.joint.blocks(lambda one: _buffer(state, one))
            self.c = self.joint.even(self.theta(), buffer)

    def before(self, groups: list[dict[str, Any]], state: Any, known: bool) -> None:
        """Take what the step is made of, while it is there.

        groups: the optimizer's groups of parameters.
        state: of the optimizer.
        known: whether the optimizer has a law.
        """
        if any(one.grad is None for one in self.joint.parameters):
            self.broken = self.broken or "a gradient in every step"
            return
        theta, gradient = self.theta(), self.joint.blocks(lambda one: one.grad.detach())
        self.worst = max(self.worst, self.joint.residual(gradient, theta)[0])  # of nan the old one stays
        if not known or self.broken:
            return
        mine = {id(one) for one in self.joint.parameters}
        keys = ("lr", "momentum", "dampening", "weight_decay", "nesterov", "maximize")
        owners = [group for group in groups for one in group["params"] if id(one) in mine]
        rules = [{key: float(group[key]) for key in keys} for group in owners]
        if len(rules) < len(mine) or any(rule != rules[0] for rule in rules):
            self.broken = "one rate, momentum and decay for all weights of a neuron"
            return
        self.rule = rules[0]
        first = not any("momentum_buffer" in state.get(one, {}) for one in self.joint.parameters)
        self.rule["part"] = 1.0 if first else 1 - self.rule["dampening"]
        sign, decay = 1 - 2 * self.rule["maximize"], self.rule["weight_decay"]
        self.pushed = [sign * g + decay * w for g, w in zip(gradient, theta, strict=True)]

    def after(self, state: Any) -> None:
        """Move B and C as the law says.

        state: of the optimizer, with the momentum m⁺ of the step.
        """
        self.steps += 1
        if self.broken or not self.rule:
            return
        rate, decay, mu = self.rule["lr"], self.rule["weight_decay"], self.rule["momentum"]
        m: Any = self.joint.blocks(lambda one: _buffer(state, one)) if mu else self.pushed
        d: Any = [g + mu * v for g, v in zip(self.pushed, m, strict=True)] if self.rule["nesterov"] else m
        c = mu * self.c + self.rule["part"] * decay * self.b
        along = decay * self.b + mu * c if self.rule["nesterov"] else c
        self.b = self.b - 2 * rate * along + rate**2 * self.joint.even(d, d)
        self.c = c - rate * self.joint.even(d, m)


class Watch:  # attack: none, it takes a network
    """What the optimizer's hooks have seen of a training.

    model: the network.
    optimizer: of torch.optim, or one that wraps it under the name optimizer.
    pairs: of layers, as ``balance`` takes them.

    Raises ValueError for what is no optimizer, and one that does not train the network.

    >>> import torch
    >>> model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    >>> Watch(model, torch.optim.SGD(model.parameters(), 0.1)).steps
    0
    """

    def __init__(self, model: Any, optimizer: Any, pairs: Iterable[Any] | None = None) -> None:
        """Nothing is hooked yet."""
        self.model = network("model", model)
        self.optimizer = getattr(optimizer, "optimizer", optimizer)
        if not isinstance(self.optimizer, torch().optim.Optimizer):
            raise ValueError(f"optimizer is of type {type(optimizer).__name__}; it must be a torch.optim.Optimizer")
        if isinstance(self.optimizer, torch().optim.LBFGS):
            raise ValueError("optimizer is a LBFGS, which takes several gradients in a step; it must take one")
        self.joints = [one for one in joined(model, pairs) if one.norm is None]  # the scale before a norm has no law
        if not self.joints:
            raise ValueError("pairs has only scales before a batch norm, which have no law; it must have another")
        trained = {id(one) for group in self.optimizer.param_groups for one in group["params"]}
        needed = {id(one) for joint in self.joints for one in joint.parameters}
        missing = [name for name, one in model.named_parameters() if id(one) in needed - trained]
        if missing:
            raise ValueError(f"optimizer does not train {missing[0]} of the model; it must train every layer of a pair")
        self.known = isinstance(self.optimizer, torch().optim.SGD)
        self.laws: list[Law] = []
        self.handles: list[Any] = []
        self.rate, self.momentum, self.nesterov = float("nan"), 0.0, False

    @property
    def steps(self) -> int:
        """Number of steps that were seen."""
        return self.laws[0].steps if self.laws else 0

    def start(self) -> "Watch":
        """Hook the optimizer, from where the network is now; one that is watched starts anew."""
        self.stop()
        self.laws = [Law(joint) for joint in self.joints]
        for law in self.laws:
            law.resume(self.optimizer.state)
        self.handles = [
            self.optimizer.register_step_pre_hook(self._before),
            self.optimizer.register_step_post_hook(self._after),
        ]
        return self

    def stop(self) -> None:
        """Take the hooks off; what was seen stays."""
        for one in self.handles:
            one.remove()
        self.handles = []

    def __enter__(self) -> "Watch":
        """Start."""
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop."""
        self.stop()

    def rows(self) -> tuple[Row, ...]:
        """The identity at its worst step, the drift of the balance, and what of it the law leaves, where there is one.

        |B_T − B₀| / |B₀| and |B_T − B_law| / |B₀|

        Raises ValueError where no step was seen.
        """
        if not self.steps:
            raise ValueError("steps saw no step; start it before training, with the optimizer that takes the steps")
        limit = THRESHOLD[rounding(self.model)]
        parts = [(law.start, law.joint.even(law.theta(), law.theta()), law.b, law.size) for law in self.laws]
        start, now, told, size = (torch().cat([one.reshape(-1) for one in part]) for part in zip(*parts, strict=True))
        unit, spread = float(start.norm()), float(size.norm())
        drift, left = float((now - start).norm()), float((now - told).norm())
        worst = max(law.worst for law in self.laws)
        balanced = identity("identity of the gradients, worst step", worst, limit)
        broken = next((f"the law asks for {law.broken}" for law in self.laws if law.broken), "")
        if not self.known:
            broken = f"no law of balance is known for {type(self.optimizer).__name__}, for descent with momentum only"
        unit = unit if unit > limit * spread else spread  # a balanced start has no length of its own
        name = f"drift of the balance, {self.steps} steps"
        if broken:
            lawless = Premise("a law of balance", 0.0, 1.0, False, broken)
            return balanced, Row(name, drift / unit, premises=(*balanced.premises, lawless), source=SOURCE)
        left, error = left / unit, limit * spread / unit
        said = f"not the law's: drift less law is {left:.3g}"
        explained = (*balanced.premises, Premise("drift less law", left, error, left <= error, said))
        ends = max(left - error, 0.0), left + error
        moved = Row(name, drift / unit, source="|B − B₀|/|B₀|")
        return balanced, moved, Row("drift that the law leaves", left, *ends, "exact", explained, LAW, SOURCE)

    def _before(self, optimizer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Take θ and the gradient now, or, where the step makes the gradient itself, when its closure returns."""
        closure = kwargs.get("closure", args[1] if len(args) > 1 else None)
        if closure is None:
            self._take()
            return None

        def taken() -> Any:
            value = closure()
            self._take()
            return value

        if "closure" in kwargs:
            return args, {**kwargs, "closure": taken}
        return (args[0], taken, *args[2:]), kwargs

    def _take(self) -> None:
        with torch().no_grad():
            for law in self.laws:
                law.before(self.optimizer.param_groups, self.optimizer.state, self.known)
        group = self.optimizer.param_groups[0]
        self.rate, self.momentum = float(group["lr"]), float(group.get("momentum", 0.0))
        self.nesterov = bool(group.get("nesterov", False))

    def _after(self, optimizer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        with torch().no_grad():
            for law in self.laws:
                law.after(self.optimizer.state)


def watch(  # attack: none, it takes a network
    model: Any, optimizer: Any, *, pairs: Iterable[Any] | None = None
) -> Watch:
    """Watch the balance of a network while it is trained: ``with watch(model, optimizer) as steps``, then train.

    B⁺ = (1 − ηλ)² B + η² ⟨g, g⟩±,  B = ⟨θ, θ⟩±

    for descent with decay λ, and its like for momentum and Nesterov's, at any schedule of rates, with gradients that
    are accumulated or clipped by their norm. Adam has no such law: of it there are the identity and the drift.
    Nor has the scale of weights before a batch norm, which is left out.
    A step with a closure is seen when the closure returns, as the gradient is not there before.

    model: the network.
    optimizer: of torch.optim, or one that wraps it under the name optimizer.
    pairs: of layers, each a ``Pair`` or two names; None: those that the network's containers tell.

    Returns what is seen; it has start and stop for loops that are not one's own, and ``rows``.
    Raises ValueError for what is no optimizer, one that does not train the layers, and one of several gradients a step.
    Reference: Kunin et al. 2021 for the identity; the laws follow from it.

    >>> import torch
    >>> model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1)).double()
    >>> optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    >>> with watch(model, optimizer) as steps:
    ...     model(torch.eye(2).double()).sum().backward()
    ...     optimizer.step()
    >>> steps.rows()[2].value < 1e-13
    True
    """
    return Watch(model, optimizer, pairs)


def _buffer(state: Any, one: Any) -> Any:
    """The momentum of a parameter; none yet where the rule has none."""
    kept = state.get(one, {}).get("momentum_buffer")
    return torch().zeros_like(one) if kept is None else kept
