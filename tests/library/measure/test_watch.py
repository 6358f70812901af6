"""The laws of balance along a training: what they leave is rounding, and where there is none it is said."""

import numpy as np
import pytest
import torch
from library.measure.nets import cnn, data, images, mlp, train
from torch import nn

from implicit_bias.measure import Pair, watch

X, Y = data()
NORM = lambda parameters: nn.utils.clip_grad_norm_(parameters, 0.1)  # noqa: E731
VALUE = lambda parameters: nn.utils.clip_grad_value_(parameters, 1e-3)  # noqa: E731


def watched(model, optimizer, xy=(X, Y), **other):
    with watch(model, optimizer) as steps:
        train(model, optimizer, *xy, **other)
    return steps.rows()


RULES = {
    "descent": {},
    "decay": {"weight_decay": 1e-2},
    "momentum": {"momentum": 0.9},
    "momentum and decay": {"momentum": 0.9, "weight_decay": 1e-2},
    "dampening": {"momentum": 0.9, "weight_decay": 1e-2, "dampening": 0.3},
    "Nesterov": {"momentum": 0.9, "nesterov": True},
    "Nesterov and decay": {"momentum": 0.9, "weight_decay": 1e-2, "nesterov": True},
    "maximize": {"momentum": 0.9, "weight_decay": 1e-2, "nesterov": True, "maximize": True},
}
NETS = {
    "ReLU": lambda: (mlp(), (X, Y)),
    "leaky": lambda: (mlp(nn.LeakyReLU), (X, Y)),
    "linear": lambda: (mlp(nn.Identity), (X, Y)),
    "dropout": lambda: (mlp(between=nn.Dropout), (X, Y)),
    "average pooling": lambda: (cnn(), images()),
    "max pooling": lambda: (cnn(nn.MaxPool2d), images()),
}
CASES = [(net, "momentum and decay") for net in NETS] + [("ReLU", rule) for rule in RULES]


@pytest.mark.parametrize(("net", "rule"), CASES)
def test_the_law_leaves_rounding(net, rule):
    model, xy = NETS[net]()
    sign = -1.0 if rule == "maximize" else 1.0
    identity, drift, rest = watched(model, torch.optim.SGD(model.parameters(), 0.05, **RULES[rule]), xy, sign=sign)
    assert identity.value <= 1e-13
    assert drift.value >= 1e-5
    assert rest.value <= 1e-13
    assert rest.covers


@pytest.mark.parametrize("rule", ["momentum and decay", "Nesterov and decay"])
def test_a_schedule_and_clipping_by_the_norm_are_covered(rule):
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, **RULES[rule])
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 60)
    _, drift, rest = watched(model, optimizer, clip=NORM, schedule=schedule)
    assert drift.value >= 1e-5
    assert rest.value <= 1e-13
    assert rest.covers


@pytest.mark.parametrize("net", ["ReLU", "max pooling"])
def test_in_single_precision(net):
    model, (x, y) = NETS[net]()
    model, x = model.float(), x.float()
    identity, _, rest = watched(model, torch.optim.SGD(model.parameters(), 0.05, momentum=0.9), (x, y))
    assert identity.value <= 1e-5
    assert rest.value <= 1e-5
    assert rest.covers


def test_the_matrix_of_linear_layers():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 5), nn.Linear(5, 3)).double()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-2)
    with watch(model, optimizer) as steps:
        assert steps.joints[0].pair.kind == "linear"
        before = balance_matrix(model)
        train(model, optimizer, X, Y)
    _, drift, rest = steps.rows()
    after = balance_matrix(model)
    assert abs(drift.value - float((after - before).norm() / before.norm())) <= 1e-13
    assert drift.value >= 1e-2
    assert rest.value <= 1e-13


def balance_matrix(model):
    w, b, v = (one.detach() for one in (model[0].weight, model[0].bias, model[1].weight))
    return w @ w.T + torch.outer(b, b) - v.T @ v


def test_heads_of_attention_obey_the_law():
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(12, 3, 24, 0.0, batch_first=True)
    model = nn.Sequential(layer, nn.Flatten(), nn.Linear(60, 3)).double()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, nesterov=True, weight_decay=1e-2)
    _, drift, rest = watched(model, optimizer, (torch.randn(20, 5, 12).double(), torch.randint(0, 3, (20,))), steps=20)
    assert drift.value >= 1e-4
    assert rest.value <= 1e-13


class Broken(torch.optim.SGD):
    """A step that is not the law's, by a share of the rate."""

    def step(self, closure=None):
        self.param_groups[0]["lr"] *= 1.01
        super().step(closure)
        self.param_groups[0]["lr"] /= 1.01


def test_mutants_of_the_law_are_noticed():
    model = mlp()
    _, _, rest = watched(model, Broken(model.parameters(), 0.1))
    assert rest.value >= 1e-5
    assert "drift less law" in rest.said
    for sigma in (nn.GELU, nn.Tanh):
        model = mlp(sigma)
        identity, _, rest = watched(model, torch.optim.SGD(model.parameters(), 0.1))
        assert identity.value >= 0.05
        assert rest.value >= 1e-3
        assert rest.covers is None
    model = mlp()
    identity, _, rest = watched(model, torch.optim.SGD(model.parameters(), 0.1), clip=VALUE)
    assert identity.value >= 0.05
    assert rest.covers is None


@pytest.mark.parametrize("make", [torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop])
def test_of_other_optimizers_it_is_said_that_there_is_none(make):
    model = mlp()
    identity, drift = watched(model, make(model.parameters(), 1e-2))
    assert identity.value <= 1e-13
    assert drift.value >= 0.01
    assert drift.covers is None
    assert drift.said.startswith(f"not covered by Kunin et al. 2021: no law of balance is known for {make.__name__}")


@pytest.mark.parametrize(("sigma", "holds"), [(nn.ReLU, True), (nn.Tanh, False)])
@pytest.mark.parametrize("beta", [0.0, 0.9])
def test_adam_has_a_law_of_its_momentum_in_the_metric_of_each_step(sigma, holds, beta):
    """C⁺ = β₁C − η⟨Pm⁺, m⁺⟩±, and ⟨P⁻¹(θ⁺ − θ), θ⟩± = −ηβ₁C, with C = ⟨θ, m⟩±."""
    from implicit_bias.measure.balance import Joint

    model = mlp(sigma)
    optimizer = torch.optim.Adam(model.parameters(), 1e-2, betas=(beta, 0.999))
    joint, law, off = Joint(model, Pair("0", "3")), 0.0, []

    def after(*_):
        nonlocal law
        state, count = optimizer.state, len(off) + 1
        metric = {id(p): (state[p]["exp_avg_sq"] / (1 - 0.999**count)).sqrt() + 1e-8 for p in joint.parameters}
        theta, m, root = (joint.blocks(take) for take in (
            lambda p: p.detach(), lambda p: state[p]["exp_avg"], lambda p: metric[id(p)]))  # fmt: skip
        rate = 1e-2 / (1 - beta**count)
        pushed = [rate * a / b for a, b in zip(m, root, strict=True)]
        before = [a + b for a, b in zip(theta, pushed, strict=True)]
        moved = [b * (a - c) for a, b, c in zip(theta, root, before, strict=True)]
        inner = joint.form(before, moved) + rate * beta * law
        law = beta * law - joint.form(m, pushed)
        off.append(max(float((joint.form(theta, m) - law).abs().max() / law.abs().max()), float(inner.abs().max())))

    optimizer.register_step_post_hook(after)
    train(model, optimizer, X, Y)
    assert (max(off) <= 1e-11) == holds
    assert holds or max(off) >= 1e-3


def test_a_scale_before_a_norm_has_no_law_and_is_left_out():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3)).double()
    with watch(model, torch.optim.SGD(model.parameters(), 0.1)) as steps:
        train(model, steps.optimizer, X, Y)
    assert [joint.pair.name for joint in steps.joints] == ["1 → 3"]
    assert steps.rows()[2].value <= 1e-13


def test_different_decays_within_a_neuron_have_no_law():
    model = mlp()
    groups = [{"params": [one for one in model.parameters() if one.ndim > 1], "weight_decay": 1e-2},
              {"params": [one for one in model.parameters() if one.ndim == 1], "weight_decay": 0.0}]  # fmt: skip
    identity, drift = watched(model, torch.optim.SGD(groups, 0.1))
    assert identity.value <= 1e-13
    assert "one rate, momentum and decay for all weights of a neuron" in drift.said


def closed(model, optimizer, steps=60, **how):
    """A loop in which the step computes the gradient, as Lightning's does."""
    torch.manual_seed(1)
    for _ in range(steps):
        rows = torch.randperm(len(X))[:10]

        def closure(rows=rows):
            optimizer.zero_grad()
            value = nn.functional.cross_entropy(model(X[rows]), Y[rows])
            value.backward()
            return value

        optimizer.step(**{"closure": closure}) if how.get("named") else optimizer.step(closure)


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("rule", ["descent", "momentum and decay", "Nesterov and decay"])
def test_a_closure_is_seen_when_it_returns(named, rule):
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, **RULES[rule])
    steps = watch(model, optimizer).start()
    closed(model, optimizer, named=named)
    steps.stop()
    identity, _, rest = steps.rows()
    assert identity.value <= 1e-13
    assert rest.value <= 1e-13
    assert steps.steps == 60
    # the mutant: a hook before the step finds the gradient of the step before
    found = []
    from implicit_bias.measure.balance import Joint

    joint = Joint(model, Pair("0", "3"))

    def early(*_):
        if model[0].weight.grad is not None:
            parts = [joint.blocks(take) for take in (lambda one: one.grad, lambda one: one.detach())]
            found.append(joint.residual(*parts)[0])

    optimizer.register_step_pre_hook(early)
    closed(model, optimizer)
    assert max(found) >= 1e-4


class Wrapped:
    def __init__(self, optimizer):
        self.optimizer = optimizer


def test_accumulation_a_wrapper_and_a_start_in_the_middle():
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    train(model, optimizer, X, Y, steps=7)
    optimizer.zero_grad()  # or the first step's gradient is not this start's, which is seen
    with watch(model, Wrapped(optimizer)) as steps:
        for k, rows in enumerate(torch.arange(40).split(5)):
            (nn.functional.cross_entropy(model(X[rows]), Y[rows]) / 2).backward()
            if k % 2:
                optimizer.step()
                optimizer.zero_grad()
    _, _, rest = steps.rows()
    assert steps.steps == 4
    assert rest.value <= 1e-13
    assert (steps.rate, steps.momentum) == (0.1, 0.9)
    train(model, optimizer, X, Y, steps=3)
    assert steps.steps == 4


def test_a_balanced_start_has_no_length_of_its_own():
    model = nn.Sequential(nn.Linear(6, 5, bias=False), nn.ReLU(), nn.Linear(5, 3, bias=False)).double()
    with torch.no_grad():
        model[2].weight *= (model[0].weight.norm(dim=1) / model[2].weight.norm(dim=0))[None]
    _, drift, rest = watched(model, torch.optim.SGD(model.parameters(), 0.1))
    assert np.isfinite(drift.value)
    assert rest.value <= 1e-13
    assert rest.covers


REFUSED = {
    "no optimizer": (lambda: watch(mlp(), 3), "optimizer is of type int; it must be a torch.optim.Optimizer"),
    "of another model": (
        lambda: watch(mlp(), torch.optim.SGD(mlp().parameters(), 0.1)),
        "optimizer does not train 0.weight of the model",
    ),
    "several gradients": (lambda: watch(m := mlp(), torch.optim.LBFGS(m.parameters())), "optimizer is a LBFGS"),
    "no step": (lambda: watch(m := mlp(), torch.optim.SGD(m.parameters(), 0.1)).start().rows(), "steps saw no step"),
}


@pytest.mark.parametrize(("call", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_watched_is_refused(call, said):
    with pytest.raises(ValueError, match=said) as refusal:
        call()
    assert "\n" not in str(refusal.value)
