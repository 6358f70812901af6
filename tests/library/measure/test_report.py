"""The report: complete with all that there can be, with a checkpoint alone, and with what does not fit."""

import copy
import json

import numpy as np
import pytest
import torch
from library.measure.nets import Linear, data, mlp, train
from torch import nn
from torch.nn.functional import cross_entropy

from implicit_bias import measure

X, Y = data(n=60)
TEST = data(seed=5)
HEADINGS = ["Twin", "Way from the start", "Balance", "Balance along the training", "Margins", "Last layer",
            "Stationarity", "Sharpness of this loss", "Layers"]  # fmt: skip


@pytest.fixture(scope="module")
def complete():
    """A report of a network, its twin, its steps and another run."""
    model = mlp()
    other = copy.deepcopy(model)
    twin = measure.linearized(model)

    def make(one):
        return torch.optim.SGD(one.parameters(), 0.05, momentum=0.9)

    optimizer = make(model)
    with measure.watch(model, optimizer) as steps:
        train(model, optimizer, X, Y, steps=300)
    train(twin, make(twin), X, Y, steps=300)
    train(other, make(other), X, Y, steps=300, seed=7)
    found = measure.report(model, cross_entropy, (X, Y), test=TEST, twin=twin, steps=steps, other=other)
    return model, twin, steps, found


def test_with_all_that_there_is_nothing_is_missing(complete):
    model, twin, steps, found = complete
    assert found.missing == {}
    assert [heading.split(" (")[0] for heading in found.parts] == HEADINGS
    assert found["identity of the gradient"].value <= 1e-13
    assert found["drift that the law leaves"].value <= 1e-13
    assert 0 < found["distance from another run"].value < found["distance from the linearization"].value < 1
    same = measure.distance(model, twin, TEST[0])
    assert same.distance.value == found["distance from the linearization"].value
    assert found["remainder"].value == measure.remainder(twin._base, model, TEST[0]).value
    edge, largest = found["step size over"], found["largest eigenvalue, 30"]
    assert abs(edge.value - largest.value * 0.05 / 2 / 1.9) <= 1e-12
    assert model.training
    assert (steps.rate, steps.momentum, steps.nesterov) == (0.05, 0.9, False)


def test_the_table_says_what_is_not_covered_and_the_sentence(complete):
    text = str(complete[-1])
    assert "not covered by Lyu & Li 2020: not homogeneous, Euler's relation is missed by " in text
    assert "ε says how nearly θ is stationary, not how near to the best margin" in text
    assert max(len(line) for line in text.splitlines()) <= 96
    assert all(row.quantity in text for row in complete[-1].rows)


def test_the_file_is_json_without_what_json_has_not(complete, tmp_path):
    path = tmp_path / "report.json"
    complete[-1].save(path)

    def no(constant):
        raise AssertionError(constant)

    read = json.loads(path.read_text(encoding="utf-8"), parse_constant=no)
    assert read["schema"] == "implicit_bias.measure/1"
    first = read["parts"]["Twin"][0]
    assert set(first) == {"quantity", "value", "low", "high", "kind", "premises", "covers", "source", "seconds", "said"}
    assert first["value"] == complete[-1].rows[0].value
    assert [one["name"] for one in first["premises"]] == [
        "the same batches",
        "the same numbers drawn",
        "trained as far",
    ]
    assert read["parts"]["Way from the start"][0]["low"] is None


def test_the_figure_has_a_place_for_each_residual_and_share(complete):
    left, right = complete[-1].figure().axes
    names = [one.get_text() for axes in (left, right) for one in axes.get_yticklabels()]
    assert "distance from the linearization" in names
    assert "identity of the gradient" in names
    assert left.get_xscale() == "log"
    assert len(left.lines) == len(left.get_yticks())


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("steps", [60, 5, 0])
def test_a_twin_that_has_not_trained_as_far_is_marked(steps, squared):
    """Both losses stand beside each other; the distance of a twin that was stopped early says only how far it went."""
    torch.manual_seed(0)
    loss = (lambda out, y: ((out - nn.functional.one_hot(y, 3)) ** 2).mean()) if squared else cross_entropy
    model = Linear()
    twin = measure.linearized(model)
    train(model, torch.optim.SGD(model.parameters(), 0.1), X, Y, loss=loss)
    how = {"steps": steps or 1, "sign": 1.0 if steps else -1.0}
    train(twin, torch.optim.SGD(twin.parameters(), 0.1), X, Y, loss=loss, **how)
    found = measure.report(model, loss, (X, Y), twin=twin, pairs=[("a", "b")])
    losses = [float(loss(one(X), Y).detach()) for one in (twin._base, twin, model)]
    first, others, mine = losses if squared else np.log(losses)
    fall = found["fall of"]
    assert fall.value == pytest.approx((first - others) / (first - mine), rel=1e-12)
    assert fall.said == "the loss went from {:.4g} to {:.4g} of the twin and to {:.4g} of the network".format(*losses)
    for quantity in ("distance from the lin", "angle", "length of the way"):
        marked = f"training loss of the twin fell by {100 * fall.value:.3g} % of the network's" in found[quantity].said
        assert marked == (abs(fall.value - 1) > 0.1) == (steps < 60)


def test_a_loss_that_takes_no_margins_has_a_distance():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 1), nn.Sigmoid()).double()
    twin, y = measure.linearized(model), (Y > 0)[:, None].double()
    for one in (model, twin):
        train(one, torch.optim.SGD(one.parameters(), 1e-3), X, y, loss=nn.MSELoss())
    found = measure.report(model, nn.BCELoss(), (X, y), twin=twin)
    assert found["fall of training loss"].value == pytest.approx(1, abs=0.05)


def test_a_network_whose_loss_has_not_fallen_is_marked():
    model = mlp()
    twin = measure.linearized(model)
    for one in (model, twin):
        train(one, torch.optim.SGD(one.parameters(), 0.1), X, Y, steps=5, sign=-1.0)
    found = measure.report(model, cross_entropy, (X, Y), twin=twin)
    assert "not trained as far, the training loss of the network did not fall" in found["distance"].said
    assert found.json()["parts"]["Twin"][3]["value"] is None


@pytest.mark.parametrize(("sigma", "kind"), [(nn.Tanh, "bracket"), (nn.ReLU, "exact")])
def test_rows_of_stationarity_that_say_the_same_are_one(sigma, kind):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 40), sigma(), nn.Linear(40, 3)).double()
    train(model, torch.optim.Adam(model.parameters(), 0.01), X, Y, steps=300)
    shown = measure.report(model, cross_entropy, (X, Y)).rows
    found = [row for row in shown if row.quantity.startswith("stationarity")]
    curve = measure.stationarity(model, X, Y).curve
    assert [row.quantity for row in found] == [
        "stationarity ε, τ = 0.01 to 0.1, slopes within 0.01",
        "stationarity ε, τ = 0.3, slopes within 0.01",
    ]
    assert [(row.value, row.kind) for row in found] == [(row.value, kind) for row in curve[2:]]


def test_a_checkpoint_alone():
    model = mlp()
    found = measure.report(model, cross_entropy, (X, Y))
    assert list(found.missing)[:3] == ["Twin", "Way from the start", "Balance along the training"]
    assert "no twin was given" in found.missing["Twin"]
    assert "Balance" in found.parts
    assert found["stable rank of 0"].value > 1
    assert all(why.count("\n") == 0 for why in found.missing.values())
    with pytest.raises(KeyError, match="quantity is 'distance'; it must be one of identity"):
        found["distance"]
    start = copy.deepcopy(model)
    train(model, torch.optim.SGD(model.parameters(), 0.1), X, Y, steps=20)
    later = measure.report(model, cross_entropy, (X, Y), start=start)
    here, there = (nn.utils.parameters_to_vector(one.parameters()).detach() for one in (model, start))
    moved = float((here - there).norm() / there.norm())
    assert abs(later["movement"].value - moved) <= 1e-12


def test_of_adam_there_is_no_rate_and_no_margin_theorem():
    model = nn.Sequential(nn.Linear(6, 8, bias=False), nn.ReLU(), nn.Linear(8, 3, bias=False)).double()
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    with measure.watch(model, optimizer) as steps:
        train(model, optimizer, X, Y, steps=300)
    found = measure.report(model, cross_entropy, (X, Y), steps=steps)
    assert "not covered by Kunin et al. 2021: no law of balance is known for Adam" in found["drift of"].said
    assert not [row for row in found.rows if row.quantity.startswith("drift that")]
    assert "descent, and not Adam" in found["normalized margin"].said
    assert not [row for row in found.rows if row.quantity.startswith("step size over")]


def test_a_regression_has_no_margin_and_is_not_centred():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2)).double()
    y = torch.randn(len(X), 2).double()
    twin = measure.linearized(model)
    for one in (model, twin):
        for _ in range(5):
            one.zero_grad()
            nn.functional.mse_loss(one(X), y).backward()
            torch.optim.SGD(one.parameters(), 0.1).step()
    found = measure.report(model, nn.MSELoss(), (X, y), twin=twin)
    assert found.missing["Margins"] == "y are no labels: a margin is a classifier's"
    assert found["distance"].value == measure.distance(model, twin, X, centred=False).distance.value


def test_a_network_of_ones_own_says_what_it_lacks():
    class Own(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(6, 8), nn.Linear(8, 3)

        def forward(self, x):
            return self.b(torch.relu(self.a(x)))

    torch.manual_seed(0)
    model = Own().float()
    found = measure.report(model, cross_entropy, (X.float(), Y))
    assert found.missing["Balance"].startswith("pairs is empty; it must name two layers")
    named = measure.report(model, cross_entropy, (X.float(), Y), pairs=[("a", "b")])
    assert named["identity"].value <= 1e-5


@pytest.mark.parametrize(
    ("loss", "missed"),
    [
        (cross_entropy, False),
        (nn.CrossEntropyLoss(label_smoothing=0.1), True),
        (lambda out, y: ((out - torch.nn.functional.one_hot(y, 3)) ** 2).mean(), True),
    ],
)
def test_a_loss_without_exponential_tail_is_no_theorem_of_margins(loss, missed):
    model = nn.Sequential(nn.Linear(6, 8, bias=False), nn.ReLU(), nn.Linear(8, 3, bias=False)).double()
    found = measure.report(model, loss, (X, Y))
    assert ("exponential tail" in [one.name for one in found["normalized margin"].failed]) == missed


@pytest.mark.parametrize(
    ("optimizer", "added"), [(torch.optim.SGD, 5.0), (torch.optim.Adam, 5.0), (torch.optim.AdamW, 0.0)]
)
def test_a_decay_that_is_decoupled_is_no_curvature_of_the_loss(optimizer, added):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3)).double()
    with measure.watch(model, optimizer(model.parameters(), 1e-3, weight_decay=5.0)) as steps:
        pass
    loss = nn.CrossEntropyLoss()
    plain = measure.sharpness(model, loss, X, Y).late.value
    found = measure.report(model, loss, (X, Y), steps=steps)["largest eigenvalue"].value
    assert abs(found - plain - added) <= 1e-4 * (plain + added)


REFUSED = {
    "no model": (
        lambda: measure.report(3, cross_entropy, (X, Y)),
        "model is of type int; it must be a torch.nn.Mod",
    ),
    "no pair of tensors": (lambda: measure.report(mlp(), cross_entropy, X), "train is Tensor; it must be two tensors"),
    "an array": (lambda: measure.report(mlp(), cross_entropy, (X.numpy(), Y)), "x of train is of type ndarray"),
    "other lengths": (lambda: measure.report(mlp(), cross_entropy, (X, Y[1:])), "train has 60 rows of x and 59 of y"),
    "other steps": (
        lambda: measure.report(mlp(), cross_entropy, (X, Y), steps=[1]),
        "steps is of type list",
    ),
}


@pytest.mark.parametrize(("call", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_reported_is_refused(call, said):
    with pytest.raises(ValueError, match=said) as refusal:
        call()
    assert "\n" not in str(refusal.value)
