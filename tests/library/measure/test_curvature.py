"""The bracket of the largest eigenvalue: dense truths, spectra of every kind, its controls, rounding, refusals."""

import numpy as np
import pytest
import torch
from scipy.sparse.linalg import LinearOperator, aslinearoperator
from torch import nn

from implicit_bias.measure.curvature import hessian, largest_eigenvalue, sharpness
from implicit_bias.measure.margin import margin

SPECTRA = {
    "line": np.linspace(-1, 1, 300),
    "bulk": np.sort(np.random.default_rng(0).standard_normal(300)),
    "powers": 1 / np.arange(1, 301) ** 2,
    "spike": np.append(np.linspace(-4, 1, 299), 3.0),
}


def dense(values, seed=0):
    q = np.linalg.qr(np.random.default_rng(seed).standard_normal((values.size, values.size)))[0]
    return (q * values) @ q.T


def trained(kind=torch.float64, act=nn.Tanh, steps=100):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 12), act(), nn.Linear(12, 12), nn.ReLU(), nn.Linear(12, 1)).to(kind)
    x, y = torch.randn(40, 6, dtype=kind), torch.randn(40, 1, dtype=kind)
    optimizer = torch.optim.SGD(net.parameters(), 0.05)
    for _ in range(steps):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    return net, x, y


@pytest.mark.parametrize("name", SPECTRA)
def test_no_start_leaves_the_bracket_and_it_narrows(name):
    values = SPECTRA[name]
    matrix, top, widths = dense(values), values.max(), []
    for steps in (20, 40, 80):
        rows = [largest_eigenvalue(aslinearoperator(matrix), steps=steps, p=1e-3, seed=seed) for seed in range(5)]
        assert all(row.low <= top <= row.high and not row.failed for row in rows)
        widths.append(max(row.high - row.low for row in rows))
    assert widths[2] <= max(widths[0], 1e-12)
    assert widths[2] <= (1e-12 if name in ("powers", "spike") else 0.05)
    assert widths[0] >= (0 if name in ("powers", "spike") else 0.02)  # a continuous spectrum is wide, honestly


def test_the_bound_is_the_root_that_the_identity_gives():
    # p_k(A) v = β₁ … β_k q_{k+1}: no λ outside but for the share of v along its eigenvector
    values, rng = SPECTRA["line"], np.random.default_rng(3)
    start = rng.standard_normal(300)
    share = abs(start / np.linalg.norm(start))[-1]
    row = largest_eigenvalue(aslinearoperator(np.diag(values)), steps=12, seed=3, p=share * np.sqrt(2 * 300 / np.pi))
    assert row.low <= 1 <= row.high < 1.6
    narrow = largest_eigenvalue(aslinearoperator(np.diag(values)), steps=12, seed=3, p=0.999)
    assert narrow.high < row.high


def test_a_start_without_the_top_vector_misses_it():
    matrix = np.diag(np.append(np.linspace(0, 1, 199), 2.0))
    hidden = LinearOperator(matrix.shape, matvec=lambda v: np.append((matrix @ v)[:-1], 0.0), dtype=float)
    for seed in range(5):
        assert largest_eigenvalue(hidden, seed=seed).high < 1.5 < 2


def test_few_eigenvalues_end_the_run():
    row = largest_eigenvalue(aslinearoperator(np.diag([3.0, 1.0, -5.0])))
    assert row.high - row.low < 1e-9
    assert row.low <= 3 <= row.high
    one = largest_eigenvalue(aslinearoperator(7 * np.eye(50)))
    assert (one.value, one.high - one.low < 1e-8) == (pytest.approx(7, rel=1e-12), True)
    none = largest_eigenvalue(aslinearoperator(np.zeros((5, 5))))
    assert (none.low, none.value, none.high) == (0, 0, 0)


def test_an_operator_that_is_not_symmetric_is_told():
    matrix = dense(SPECTRA["line"])
    matrix[0, 1:] += 0.1
    row = largest_eigenvalue(aslinearoperator(matrix))
    assert [one.name for one in row.failed] == ["symmetric"]
    assert row.covers is None


@pytest.mark.parametrize("decay", [0.0, 0.3])
def test_the_hessian_of_a_network_is_its_dense_one(decay):
    net, x, y = trained()
    operator = hessian(net, nn.MSELoss(), x, y, decay=decay)
    whole = operator @ np.eye(operator.shape[0])
    names = [name for name, _ in net.named_parameters()]

    def value(*parts):
        return nn.functional.mse_loss(torch.func.functional_call(net, dict(zip(names, parts, strict=True)), (x,)), y)

    blocks = torch.autograd.functional.hessian(value, tuple(net.parameters()))
    truth = torch.cat(
        [torch.cat([b.reshape(p.numel(), -1) for b in row], 1) for p, row in zip(net.parameters(), blocks, strict=True)]
    )
    np.testing.assert_allclose(whole, truth.numpy() + decay * np.eye(len(whole)), atol=1e-12)
    found = sharpness(net, nn.MSELoss(), x, y, decay=decay)
    top = np.linalg.eigvalsh((whole + whole.T) / 2)[-1]
    assert found.late.low <= top <= found.late.high
    assert found.early.low <= top <= found.early.high
    assert found.late.high - found.late.low < 1e-6 * top
    assert found.edge is None


def test_a_layer_alone_and_one_that_bends_nothing():
    net, x, y = trained()
    last = hessian(net, nn.MSELoss(), x, y, names=["4.weight", "4.bias"])
    assert last.shape == (13, 13)
    phi = np.column_stack([net[:4](x).detach().numpy(), np.ones(len(x))])
    np.testing.assert_allclose(last @ np.eye(13), 2 * phi.T @ phi / len(x), atol=1e-12)
    flat = hessian(net, lambda f, _: f.mean(), x, y, names=["4.weight"])
    assert np.all(flat @ np.eye(12) == 0)


def test_attention_and_convolutions_bend_too():
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)
    net = nn.Sequential(layer, nn.Flatten(), nn.Linear(12, 2)).double().eval()
    x, y = torch.randn(5, 3, 4).double(), torch.tensor([0, 1, 0, 1, 1])
    found = sharpness(net, nn.CrossEntropyLoss(), x, y)
    operator = hessian(net, nn.CrossEntropyLoss(), x, y)
    assert found.late.low <= np.linalg.eigvalsh(operator @ np.eye(operator.shape[0]))[-1] <= found.late.high
    assert margin(net, x, y).euler.value > 0.01
    net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(2, 2, bias=False))
    x = torch.randn(5, 1, 4, 4)
    found = sharpness(net, nn.CrossEntropyLoss(), x, y)
    assert found.late.low <= found.late.value <= found.late.high
    assert margin(net, x, y).euler.value < 1e-6
    net = nn.Sequential(nn.Conv2d(1, 2, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(2, 3, 3, padding=1),
                        nn.ReLU(), nn.Flatten(), nn.Linear(12, 2)).double()  # fmt: skip
    operator = hessian(net, nn.CrossEntropyLoss(), x.double(), y)  # whose gradients do not lie in one piece
    top = np.linalg.eigvalsh(operator @ np.eye(operator.shape[0]))[-1]
    found = sharpness(net, nn.CrossEntropyLoss(), x.double(), y)
    assert found.late.low <= top <= found.late.high


def test_float32_lies_within_its_bracket_of_float64():
    net, x, y = trained(torch.float32)
    found = sharpness(net, nn.MSELoss(), x, y)
    operator = hessian(net.double(), nn.MSELoss(), x.double(), y.double())
    top = np.linalg.eigvalsh(operator @ np.eye(operator.shape[0]))[-1]
    assert found.late.low <= top <= found.late.high
    assert 1e-8 * top < found.late.high - found.late.low < 1e-3 * top
    assert not found.late.failed


@pytest.mark.parametrize("mode", [{}, {"momentum": 0.8}, {"momentum": 0.8, "nesterov": True}])
def test_the_edge_is_where_torch_s_steps_on_a_quadratic_begin_to_grow(mode):
    for side in (0.99, 1.01):
        line = nn.Linear(1, 1, bias=False).double()
        line.weight.data = torch.ones(1, 1).double()
        x, y = torch.tensor([[3.0]]).double(), torch.zeros(1, 1).double()
        one = sharpness(line, nn.MSELoss(), x, y, rate=1.0, **mode).edge.value
        optimizer = torch.optim.SGD(line.parameters(), side / one, **mode)
        for _ in range(1500):
            optimizer.zero_grad()
            nn.functional.mse_loss(line(x), y).backward()
            optimizer.step()
        assert (abs(line.weight.item()) > 1) == (side > 1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"loss": nn.MSELoss(reduction="none")}, r"loss gives \(40, 1\); it must give one number"),
        ({"names": ["5.weight"]}, "names has '5.weight'"),
        ({"names": []}, "names has empty"),
        ({"rate": -1.0}, "rate is -1"),
        ({"momentum": 1.0}, "momentum is 1"),
        ({"model": nn.Sequential(nn.Linear(6, 1), nn.BatchNorm1d(1)).double()}, "BatchNorm1d '1' in train mode"),
        ({"model": nn.Sequential(nn.Dropout(), nn.Linear(6, 1)).double()}, "Dropout '0' in train mode: its output is"),
        ({"model": nn.Linear(6, 1).double().requires_grad_(False)}, "model has no parameter with requires_grad"),
        ({"model": nn.Linear(6, 1).half()}, "model has weight of torch.float16"),
        ({"model": len}, "model is .*; it must be a Module"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(change, said):
    net, x, y = trained(steps=0)
    given = {"model": net, "loss": nn.MSELoss(), "x": x, "y": y} | change
    with pytest.raises(ValueError, match=said) as caught:
        sharpness(**given)
    assert "\n" not in str(caught.value)


def test_an_operator_of_no_number_or_no_square_is_refused():
    with pytest.raises(ValueError, match="operator gives what is no finite number"):
        largest_eigenvalue(aslinearoperator(np.full((3, 3), np.nan)))
    with pytest.raises(ValueError, match=r"operator has shape \(2, 3\)"):
        largest_eigenvalue(aslinearoperator(np.ones((2, 3))))
    with pytest.raises(ValueError, match="operator is .*; it must be a LinearOperator"):
        largest_eigenvalue(np.eye(3))
