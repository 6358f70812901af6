"""The distance to the linearization: nought where it must be, noticed where it must not, and its rates."""

import copy

import numpy as np
import pytest
import torch
from library.measure.nets import Linear, cnn, data, images, mlp, train
from torch import nn
from torch.nn.functional import cross_entropy

from implicit_bias import measure
from implicit_bias.measure.twin import distance, linearized, remainder

SGD = {"lr": 0.1, "momentum": 0.9, "weight_decay": 1e-3}
OPTIMIZERS = {
    "SGD": lambda p, **change: torch.optim.SGD(p, **{**SGD, **change}),
    "AdamW": lambda p, **change: torch.optim.AdamW(p, **{"lr": 1e-2, "weight_decay": 0.1, **change}),
}
X, Y = data()
TEST = data(seed=5)[0]


def trained(model, make, change=(), **other):
    """A model and its twin, trained alike but for what is changed for the twin."""
    twin = linearized(model)
    train(model, make(model.parameters()), X, Y)
    train(twin, make(twin.parameters(), **dict(change)), X, Y, **other)
    return twin


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_model_linear_in_its_parameters_is_its_own_linearization(name):
    torch.manual_seed(0)
    model = Linear()
    twin = trained(model, OPTIMIZERS[name])
    found = distance(model, twin, TEST)
    assert found.distance.value <= 1e-13
    assert found.distance.covers
    assert abs(found.ratio.value - 1) <= 1e-13
    assert found.angle.value <= 1e-5


MUTANTS = {
    "another batch order": ({}, {"seed": 2}),
    "a rate 1 % higher": ("rate", {}),
    "no decay": ({"weight_decay": 0.0}, {}),
    "one step less": ({}, {"steps": 59}),
    "the sign of the loss": ({}, {"sign": -1.0}),
}


@pytest.mark.parametrize("mutant", MUTANTS)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_twin_that_is_trained_otherwise_is_noticed(name, mutant):
    torch.manual_seed(0)
    model = Linear()
    change, other = MUTANTS[mutant]
    change = {"lr": {"SGD": 0.101, "AdamW": 0.0101}[name]} if change == "rate" else change
    found = distance(model, trained(model, OPTIMIZERS[name], change, **other), TEST).distance
    assert found.value >= 1e-4
    if mutant in ("another batch order", "one step less"):
        assert found.covers is None
        assert f"first in training pass {1 if 'order' in mutant else 60} of 60" in found.said


def test_no_momentum_and_the_end_as_base_are_noticed():
    torch.manual_seed(0)
    model = Linear()
    assert distance(model, trained(model, OPTIMIZERS["SGD"], {"momentum": 0.0}), TEST).distance.value >= 0.1
    late = linearized(model)
    train(late, OPTIMIZERS["SGD"](late.parameters()), X, Y)
    with pytest.raises(ValueError, match="answers as at the start"):
        distance(model, late, TEST)
    train(model, OPTIMIZERS["SGD"](model.parameters()), X, Y, steps=9)
    assert "not the same batches, first in training pass 10 of 60" in distance(model, late, TEST).distance.said


def test_a_network_on_itself():
    """Another run is the yardstick, and all are between 0 and 1."""
    model = mlp()
    start, again = copy.deepcopy(model), copy.deepcopy(model)
    twin = trained(model, OPTIMIZERS["SGD"])
    train(again, OPTIMIZERS["SGD"](again.parameters()), X, Y, seed=3)
    found = distance(model, twin, TEST, other=again)
    assert 0 < found.other.value < found.distance.value < 1
    assert found.distance.low < found.distance.value < found.distance.high
    assert found.distance == found.distance.__class__(**{**vars(distance(model, twin, TEST).distance),
                                                        "seconds": found.distance.seconds})  # fmt: skip
    assert 0 < remainder(start, model, TEST).value < 2
    assert not torch.equal(twin[0].weight, start[0].weight)


def replayed(model, x, y, rate, momentum, decay, nesterov, steps):
    """The linearization's outputs on x by its kernel, trained by full batches: a_t and s_t of θ_t − θ₀ = Jᵀa + sθ₀."""
    from torch.func import functional_call, jacrev

    theta = {name: one.detach() for name, one in model.named_parameters()}
    jac = jacrev(lambda p: functional_call(model, p, (x,)).flatten())(theta)
    j = torch.cat([one.flatten(1) for one in jac.values()], 1)
    k, e = j @ j.T, j @ torch.cat([one.flatten() for one in theta.values()])
    f0 = model(x).detach().flatten()
    a, s, ma, ms = torch.zeros_like(f0), 0.0, torch.zeros_like(f0), 0.0
    for step in range(steps):
        u = (f0 + k @ a + s * e).requires_grad_()
        (r,) = torch.autograd.grad(nn.functional.cross_entropy(u.view(len(x), -1), y), u)
        ga, gs = r + decay * a, decay * (1 + s)
        ma, ms = (ga, gs) if step == 0 else (momentum * ma + ga, momentum * ms + gs)
        da, ds = (ga + momentum * ma, gs + momentum * ms) if nesterov else (ma, ms)
        a, s = a - rate * da, s - rate * ds
    return (f0 + k @ a + s * e).view(len(x), -1)


@pytest.mark.parametrize("net", ["mlp", "cnn"])
@pytest.mark.parametrize(("momentum", "decay", "nesterov"), [(0, 0, False), (0.9, 1e-2, False), (0.9, 1e-2, True)])
def test_the_twin_is_the_replay_by_its_kernel(net, momentum, decay, nesterov):
    model, (x, y) = (mlp(nn.Tanh), (X, Y)) if net == "mlp" else (cnn(nn.MaxPool2d), images())
    twin = linearized(model)
    optimizer = torch.optim.SGD(twin.parameters(), 0.05, momentum=momentum, weight_decay=decay, nesterov=nesterov)
    train(twin, optimizer, x, y, steps=40, batch=len(x))
    order = torch.arange(len(x))
    peer = replayed(model, x[order], y[order], 0.05, momentum, decay, nesterov, 40)
    assert torch.linalg.norm(twin(x) - peer) <= 1e-13 * torch.linalg.norm(peer)


class Scaled(nn.Module):
    """α(f − f₀)."""

    def __init__(self, alpha, sigma, seed=3):
        super().__init__()
        self.net, self.alpha = mlp(sigma, width=32, seed=seed), alpha
        self.start = [copy.deepcopy(self.net).requires_grad_(False)]

    def forward(self, x):
        return self.alpha * (self.net(x) - self.start[0](x))


def lazy(alpha, sigma, seed):
    x, y = data(n=100)
    model = Scaled(alpha, sigma, seed)
    twin = linearized(model)
    for one in (model, twin):
        train(one, torch.optim.SGD(one.parameters(), 0.2 / alpha**2), x, y, steps=40, batch=100)
    return distance(model, twin, data(n=1000, seed=5)[0]).distance.value


def test_the_lazy_rate_is_one_for_tanh_and_half_for_relu():
    """A slope of ReLU flips on a share 1/α of the points, by 1/α: in quadratic mean α^(−1/2) of the way."""
    slopes = {}
    for sigma, seeds in ((nn.Tanh, [3]), (nn.ReLU, [3, 4, 5, 6])):
        found = [np.mean([lazy(alpha, sigma, seed) ** 2 for seed in seeds]) for alpha in (128.0, 1024.0)]
        slopes[sigma] = float(np.log(found[1] / found[0]) / np.log(8) / 2)
    assert abs(slopes[nn.Tanh] + 1) <= 0.05
    assert abs(slopes[nn.ReLU] + 0.5) <= 0.2, slopes


def test_dropout_draws_the_same_masks_and_another_stream_is_named():
    rows = []
    for seed in (1, 2):
        model = Scaled(100.0, nn.Tanh)
        model.net.insert(2, nn.Dropout(0.3))
        model.start[0].insert(2, nn.Identity())
        twin = linearized(model)
        train(model, torch.optim.SGD(model.parameters(), 1e-5), X, Y)
        train(twin, torch.optim.SGD(twin.parameters(), 1e-5), X, Y, seed=seed)
        rows.append(distance(model, twin, TEST).distance)
    assert rows[0].covers
    assert rows[0].value <= 0.05
    assert "the same" in rows[1].said
    assert rows[1].value > 2 * rows[0].value


OWN = {
    "balance": lambda model, twin: measure.balance(model, cross_entropy, X, Y),
    "hessian": lambda model, twin: measure.hessian(model, cross_entropy, X, Y),
    "sharpness": lambda model, twin: measure.sharpness(model, cross_entropy, X, Y),
    "margin": lambda model, twin: measure.margin(model, X, Y),
    "last layer": lambda model, twin: measure.last_layer(model, X, Y),
    "stationarity": lambda model, twin: measure.stationarity(model, X, Y),
    "distance": lambda model, twin: distance(model, twin, TEST, other=mlp(seed=1)),
    "remainder": lambda model, twin: remainder(mlp(), model, TEST),
    "report": lambda model, twin: measure.report(model, cross_entropy, (X, Y), twin=twin),
}


@pytest.fixture(scope="module", params=[True, False], ids=["train", "eval"])
def pair(request):
    """A network and its twin, trained alike in one mode."""
    model = mlp().train(request.param)
    twin = linearized(model)
    for one in (model, twin):
        train(one, torch.optim.SGD(one.parameters(), 0.3), X, Y, steps=300)
    return model, twin


@pytest.mark.parametrize("name", OWN)
def test_a_measure_s_own_passes_are_no_batches(name, pair):
    OWN[name](*pair)
    assert [len(one._passes.inputs) for one in pair] == [300, 300]
    assert not distance(*pair, TEST).distance.failed


def test_the_frozen_copy_follows_the_twin_s_mode():
    model = mlp(between=lambda: nn.Dropout(0.5))
    twin = linearized(model)
    assert torch.equal(twin.eval()(X), model.eval()(X))
    torch.manual_seed(0)
    masked = model.train()(X)
    torch.manual_seed(0)
    assert torch.equal(twin.train()(X), masked)
    assert not torch.equal(twin(X), masked)


def test_what_follows_the_twin():
    """Names, state, precision, devices' moves, copies, the start itself."""
    model = mlp(dtype=torch.float32)
    twin = linearized(model)
    assert type(twin).__name__ == "Sequential"
    assert isinstance(twin, nn.Sequential)
    assert twin.state_dict().keys() == model.state_dict().keys()
    assert torch.equal(twin(X.float()), model(X.float()))
    assert torch.equal(twin.double()(X), model.double()(X))
    other = copy.deepcopy(twin)
    with torch.no_grad():
        other[0].weight.add_(1.0)
    assert torch.equal(twin(X), model(X))
    assert not torch.equal(other(X), model(X))
    linearized(model)  # once more: the first twin's hooks are taken off
    assert len(model._forward_pre_hooks) == 1
    assert linearized(twin._base).state_dict().keys() == model.state_dict().keys()


KINDS = {
    "layer norm and GELU": lambda: mlp(nn.GELU, between=lambda: nn.LayerNorm(16)),
    "batch norm in evaluation": lambda: mlp(between=lambda: nn.BatchNorm1d(16)).eval(),
    "attention": lambda: nn.Sequential(nn.Unflatten(1, (3, 2)), nn.TransformerEncoderLayer(2, 1, 4, 0.0,
                                       batch_first=True), nn.Flatten(), nn.Linear(6, 3)).double(),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_near_its_start_a_network_is_its_linearization(kind):
    torch.manual_seed(0)
    model = KINDS[kind]()
    twin = linearized(model)
    for one in (model, twin):
        train(one, torch.optim.SGD(one.parameters(), 1e-6), X, Y, steps=5)
    found = distance(model, twin, TEST).distance
    assert found.value <= 1e-3
    assert found.covers


def test_the_remainder_is_about_parameters_and_not_about_buffers():
    """The running mean and variance of a batch norm move by themselves; a change of them alone is no remainder."""
    start = mlp(nn.Tanh, between=lambda: nn.BatchNorm1d(16))
    model = copy.deepcopy(start)
    train(model, torch.optim.SGD(model.parameters(), 1e-6), X, Y)  # in the mode of training: the buffers move
    assert (model[2].running_var - 1).abs().max() > 0.1
    assert remainder(start, model, TEST).value <= 1e-4
    far = copy.deepcopy(start)
    train(far, torch.optim.SGD(far.parameters(), 0.3), X, Y)
    alike = copy.deepcopy(start)
    alike.load_state_dict({**alike.state_dict(), **dict(far.named_buffers())})
    assert remainder(start, far, TEST).value == remainder(alike, far, TEST).value > 0.1
    assert torch.equal(start[2].running_var, torch.ones(16).double())


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 3).double()
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, x):
        self.seen += len(x)
        return self.linear(x)


class Several(nn.Linear):
    def forward(self, x):
        return {"logits": super().forward(x)}


REFUSED = {
    "batch norm": (lambda: linearized(mlp(between=lambda: nn.BatchNorm1d(16)))(X), "model has batch norm 2 in the mod"),
    "a buffer that counts": (lambda: linearized(Counts())(X), "model changes its buffer seen"),
    "several answers": (lambda: linearized(Several(6, 3).double())(X), "model answers with dict; it must be a tensor"),
    "no module": (lambda: linearized(3), "model is of type int; it must be a torch.nn.Module"),
    "no parameters": (lambda: linearized(nn.ReLU()), "model is a ReLU without parameters"),
    "half precision": (lambda: linearized(nn.Linear(2, 2).half()), "model has weight of torch.float16"),
    "lazy layers": (lambda: linearized(nn.LazyLinear(2)), "model has weight of no shape yet"),
    "weight norm": (
        lambda: linearized(nn.utils.parametrizations.weight_norm(nn.Linear(6, 3).double()))(X),
        "model has no forward derivative",
    ),
    "no twin": (lambda: distance(mlp(), mlp(), X), "twin is a Sequential; it must be made by measure.linearized"),
    "nothing trained": (lambda: distance(m := mlp(), linearized(m), X), "model or twin answers as at the start"),
    "an array": (lambda: distance(m := mlp(), linearized(m), X.numpy()), "x is of type ndarray"),
    "no number": (lambda: remainder(mlp(), mlp(seed=1), X * torch.nan), "x holds a number that is not finite"),
    "another width": (lambda: remainder(mlp(), mlp(width=8), X), "start and model differ in "),
    "an untrained one": (lambda: remainder(m := mlp(), m, X), "model answers as start does"),
}


@pytest.mark.parametrize(("call", "said"), REFUSED.values(), ids=REFUSED)
def test_what_has_no_linearization_is_refused_by_name(call, said):
    with pytest.raises(ValueError, match=said) as refusal:
        call()
    assert "\n" not in str(refusal.value)
