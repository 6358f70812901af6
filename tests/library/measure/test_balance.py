"""The identity of one gradient: thirteen decades between where it holds and where it does not."""

import pytest
import torch
from library.measure.nets import cnn, data, images, mlp
from torch import nn
from torch.nn.functional import cross_entropy, mse_loss

from implicit_bias.measure import Pair, balance, guessed

X, Y = data()
PLANE = [("0", "3"), ("3", "5")]


def squared(f, y):
    return mse_loss(f, nn.functional.one_hot(y, 3).to(f))


def clipped(f, y):
    return torch.clamp(cross_entropy(f, y, reduction="none"), max=1.0).sum()


HOLDS = {
    "ReLU": lambda: mlp(),
    "leaky": lambda: mlp(nn.LeakyReLU),
    "linear": lambda: mlp(nn.Identity),
    "PReLU": lambda: mlp(nn.PReLU),
    "dropout": lambda: mlp(between=nn.Dropout),
}


@pytest.mark.parametrize("loss", [cross_entropy, squared, clipped], ids=lambda loss: loss.__name__)
@pytest.mark.parametrize("name", HOLDS)
def test_the_identity_holds_for_every_loss(name, loss):
    found = balance(HOLDS[name](), loss, X, Y)
    assert found.identity.value <= 1e-13
    assert found.identity.covers
    assert len(found.parts) == 2
    assert 0 < found.unbalance.value < 1


@pytest.mark.parametrize("pool", [nn.AvgPool2d, nn.MaxPool2d])
@pytest.mark.parametrize(("dtype", "limit"), [(torch.float64, 1e-13), (torch.float32, 1e-5)])
def test_the_identity_holds_for_channels(pool, dtype, limit):
    found = balance(cnn(pool, dtype=dtype), cross_entropy, *images(dtype=dtype))
    assert found.identity.value <= limit
    assert [one.quantity.rpartition(", ")[2] for one in found.parts] == ["0 → 3", "3 → 6", "6 → 8"]


@pytest.mark.parametrize("groups", [1, 4])
def test_a_depthwise_convolution_of_channels(groups):
    torch.manual_seed(0)
    second = nn.Conv2d(4, 4, 3, groups=groups)
    net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), second, nn.ReLU(), nn.Flatten(), nn.Linear(64, 3)).double()
    found = balance(net, cross_entropy, *images())
    assert found.identity.value <= 1e-13
    assert len(found.parts) == 2


CONTROLS = {
    "GELU": lambda: mlp(nn.GELU),
    "tanh": lambda: mlp(nn.Tanh),
    "SiLU": lambda: mlp(nn.SiLU),
    "softplus": lambda: mlp(lambda: nn.Softplus(20)),
    "layer norm": lambda: mlp(between=lambda: nn.LayerNorm(16)),
    "batch norm": lambda: mlp(between=lambda: nn.BatchNorm1d(16)),
}


@pytest.mark.parametrize("name", CONTROLS)
def test_where_it_does_not_hold_it_is_seen(name):
    found = balance(CONTROLS[name](), cross_entropy, X, Y, pairs=PLANE)
    assert found.identity.value >= 0.05
    assert found.identity.covers is None
    assert found.identity.said.startswith(
        "not covered by Kunin et al. 2021: not positively homogeneous between the layers"
    )


@pytest.mark.parametrize("name", ["layer norm", "batch norm"])
def test_a_norm_goes_into_the_neurons_behind_it(name):
    net = nn.Sequential(nn.Linear(6, 16), {"layer norm": nn.LayerNorm, "batch norm": nn.BatchNorm1d}[name](16),
                        nn.ReLU(), nn.Linear(16, 3)).double()  # fmt: skip
    assert [pair.name for pair in guessed(net) if pair.kind == "neurons"] == ["1 → 3"]
    assert balance(net, cross_entropy, X, Y).identity.value <= 1e-13
    assert balance(net, cross_entropy, X, Y, pairs=[("0", "3")]).identity.value >= 0.05


def normed(act=nn.Identity, bias=True, dtype=torch.float64):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 16, bias), act(), nn.BatchNorm1d(16), nn.GELU(), nn.Linear(16, 3)).to(dtype)
    nn.init.normal_(net[2].weight)
    return net


@pytest.mark.parametrize(("dtype", "limit"), [(torch.float64, 1e-13), (torch.float32, 1e-5)])
@pytest.mark.parametrize("act", [nn.Identity, nn.ReLU])
@pytest.mark.parametrize("bias", [True, False])
def test_the_scale_before_a_batch_norm_is_seen_by_its_constant_alone(act, bias, dtype, limit):
    net = normed(act, bias, dtype)
    kept = {name: one.clone() for name, one in net.named_buffers()}
    assert guessed(net) == (Pair("0", "2", "scale"), Pair("2", "4"))
    found = balance(net, cross_entropy, X.to(dtype), Y, pairs=[Pair("0", "2", "scale")])
    assert found.identity.value <= limit
    assert "the norm takes the scale of the weights away" in found.parts[0].said
    assert all(torch.equal(kept[name], one) for name, one in net.named_buffers())
    net[2].eps = 0.1
    assert balance(net, cross_entropy, X.to(dtype), Y, pairs=[Pair("0", "2", "scale")]).identity.value <= limit
    x, y = images(dtype=dtype)
    channels = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(144, 3))
    assert balance(channels.to(dtype), cross_entropy, x, y).identity.value <= limit


def test_a_scale_that_is_seen_is_noticed():
    assert balance(normed(nn.GELU), cross_entropy, X, Y, pairs=[Pair("0", "2", "scale")]).identity.value >= 1e-3
    net = normed()
    net[2].eps = 0.1  # as if it were 0: the weights' own sum alone
    cross_entropy(net(X), Y).backward()
    g, w = (torch.cat([a, b[:, None]], 1) for a, b in ((net[0].weight.grad, net[0].bias.grad),
                                                       (net[0].weight.detach(), net[0].bias.detach())))  # fmt: skip
    assert float(((g * w).sum(1).abs() / (g.norm(dim=1) * w.norm(dim=1))).max()) >= 1e-3
    assert guessed(net.eval()) == (Pair("2", "4"),)
    assert balance(net, cross_entropy, X, Y, pairs=[Pair("0", "2", "scale")]).identity.value >= 1e-3
    with pytest.raises(ValueError, match="pairs has 0 → 4, scale; both layers must have as many rows"):
        balance(net, cross_entropy, X, Y, pairs=[Pair("0", "4", "scale")])
    with pytest.raises(ValueError, match="its second layer must be a batch norm"):
        balance(mlp(), cross_entropy, X, Y, pairs=[Pair("0", "3", "scale")])


def test_pairs_are_guessed_where_containers_tell_them():
    inner = nn.Sequential(nn.Linear(6, 8), nn.ReLU())
    block = nn.Sequential(inner, nn.Linear(8, 8), nn.BatchNorm1d(8, affine=False), nn.ReLU(), nn.Linear(8, 8))
    own = nn.Module()
    own.body, own.head = block, nn.Linear(8, 3)
    assert guessed(own) == (Pair("body.0.0", "body.1"),)
    assert guessed(nn.Sequential(nn.Linear(6, 8), nn.LSTM(8, 8), nn.Linear(8, 3))) == ()
    plain = nn.Sequential(nn.Linear(6, 8), nn.Identity(), nn.Linear(8, 3))
    assert guessed(plain) == (Pair("0", "2", "linear"),)
    assert guessed(nn.MultiheadAttention(4, 2, kdim=3)) == guessed(nn.MultiheadAttention(4, 2, add_bias_kv=True)) == ()
    assert guessed(nn.MultiheadAttention(4, 2)) == (
        Pair("q", "k", "query-key", 2),
        Pair("v", "out_proj", "value-output", 2),
    )


class Unused(nn.Module):
    """A network with a layer that it does not use."""

    def __init__(self):
        super().__init__()
        self.net = mlp()
        self.hidden = nn.Linear(16, 16).double()

    def forward(self, x):
        return self.net(x)


def mutated(change):
    """The identity, with the gradient of the second pair changed."""
    from implicit_bias.measure.balance import Joint

    net = mlp()
    cross_entropy(net(X), Y).backward()
    joint = Joint(net, Pair("3", "5"))
    theta, gradient = (joint.blocks(take) for take in (lambda one: one.detach(), lambda one: one.grad))
    return joint.residual(change(*gradient), change(*theta))[0]


def test_the_mutants_are_noticed():
    assert mutated(lambda a, b: (a, b)) <= 1e-13
    assert mutated(lambda a, b: (a[..., :-1], b)) >= 0.01  # no bias
    assert mutated(lambda a, b: (a, b.roll(1, 0))) >= 0.1  # the neighbour's column
    net = mlp()
    cross_entropy(net(X), Y).backward()
    g = [(net[3].weight.grad * net[3].weight).sum(1) + net[3].bias.grad * net[3].bias,
         (net[5].weight.grad * net[5].weight).sum(0)]  # fmt: skip
    assert ((g[0] + g[1]).abs().max() / (g[0] - g[1]).abs().max()) >= 1e10  # the sign
    turned = cnn()
    x, y = images()
    cross_entropy(turned(x), y).backward()
    blocks = [one.detach().view(8, 4, 5).permute(2, 0, 1).flatten(1)  # flattened in the other order
              for one in (turned[6].weight.grad, turned[6].weight)]  # fmt: skip
    into = [
        torch.cat([a.flatten(1), b[:, None]], 1)
        for a, b in ((turned[3].weight.grad, turned[3].bias.grad), (turned[3].weight.detach(), turned[3].bias.detach()))
    ]
    apart = ((into[0] * into[1]).sum(1) - (blocks[0] * blocks[1]).sum(1)).abs()
    assert float(apart.max() / (blocks[0].norm(dim=1) * blocks[1].norm(dim=1)).max()) >= 0.05


def test_silent_neurons_are_counted():
    net = mlp()
    with torch.no_grad():
        net[0].bias[:5] = -100.0
        net[3].weight[2], net[3].bias[2] = 0.0, -1.0
    found = balance(net, cross_entropy, X, Y)
    cross_entropy(net(X), Y).backward()
    silent = sum(int((net[k].bias.grad == 0).sum()) for k in (0, 3))
    assert found.silent.value == silent >= 6
    assert found.identity.value <= 1e-13
    with torch.no_grad():
        net[0].bias[:] = -100.0
    dead = balance(net, cross_entropy, X, Y, pairs=[("0", "3")])
    assert dead.silent.value == 16
    assert dead.identity.value != dead.identity.value
    assert dead.identity.covers is None


@pytest.mark.parametrize(("dtype", "limit"), [(torch.float64, 1e-13), (torch.float32, 1e-5)])
def test_every_head_of_attention_is_in_balance(dtype, limit):
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(12, 3, 24, 0.0, batch_first=True).to(dtype)
    nn.init.normal_(layer.self_attn.in_proj_bias)
    model = nn.Sequential(layer, nn.Flatten(), nn.Linear(60, 3)).to(dtype)
    x, y = torch.randn(20, 5, 12, dtype=dtype), torch.randint(0, 3, (20,))
    kinds = [pair.kind for pair in guessed(model)]
    assert kinds == ["neurons", "query-key", "value-output"]
    found = balance(model, cross_entropy, x, y)
    assert found.identity.value <= limit
    assert found.unpaired.said == "nothing is said of 0.norm1, 0.norm2, 2"
    with pytest.raises(ValueError, match="heads is 5; it must divide the 12 rows of 0.self_attn.q"):
        balance(model, cross_entropy, x, y, pairs=[Pair("0.self_attn.q", "0.self_attn.k", "query-key", 5)])
    wrong = [Pair("0.self_attn.q", "0.self_attn.out_proj", "value-output", 3)]
    assert balance(model, cross_entropy, x, y, pairs=wrong).identity.value >= 0.1
    assert balance(model, cross_entropy, x, y, pairs=[
        Pair("0.self_attn.q", "0.self_attn.k", "query-key", 4)]).identity.value >= 1e-3  # fmt: skip


class Block(nn.Module):
    """A feed-forward block with a residual, as one writes it."""

    def __init__(self):
        super().__init__()
        self.fc1, self.act, self.fc2, self.head = nn.Linear(6, 8), nn.GELU(), nn.Linear(8, 6), nn.Linear(6, 3)

    def forward(self, x):
        return self.head(x + self.fc2(self.act(self.fc1(x))))


def test_what_is_in_no_pair_is_named():
    torch.manual_seed(0)
    encoder, decoder = nn.TransformerEncoderLayer, nn.TransformerDecoderLayer
    for kind, act, pairs in (
        (encoder, "relu", 3),
        (encoder, "gelu", 2),
        (decoder, nn.ReLU(), 5),
        (decoder, nn.GELU(), 4),
    ):
        found = guessed(kind(12, 3, 24, 0.0, act))
        assert len(found) == pairs
        assert (Pair("linear1", "linear2") in found) == (pairs % 2 == 1)
    layer = nn.TransformerEncoderLayer(6, 2, 8, 0.0, "gelu", batch_first=True)
    model = nn.Sequential(nn.Unflatten(1, (1, 6)), layer, nn.Flatten(), nn.Linear(6, 3)).double()
    found = balance(model, cross_entropy, X, Y)
    assert found.identity.value <= 1e-13
    assert found.unpaired.value == 5
    assert found.unpaired.said == "nothing is said of 1.linear1, 1.linear2, 1.norm1, 1.norm2, 3"
    assert balance(mlp(), cross_entropy, X, Y).unpaired is None
    with pytest.raises(ValueError, match="pairs is empty; .*: of fc1, fc2, head"):
        balance(Block().double(), cross_entropy, X, Y)
    own = balance(Block().double(), cross_entropy, X, Y, pairs=[("fc1", "fc2")])
    assert own.identity.value >= 0.05
    assert own.unpaired.said == "nothing is said of head"


class Attention(nn.Module):
    """Attention of one's own, with layers of one's own names."""

    def __init__(self):
        super().__init__()
        for name in ("ask", "key", "value", "out"):
            setattr(self, name, nn.Linear(12, 12))
        self.read = nn.Linear(12, 3)

    def forward(self, x):
        q, k, v = (one(x).unflatten(-1, (3, 4)).transpose(1, 2) for one in (self.ask, self.key, self.value))
        mixed = nn.functional.scaled_dot_product_attention(q, k, v)
        return self.read(self.out(mixed.transpose(1, 2).flatten(2)).mean(1))


def test_attention_of_your_own_is_named():
    torch.manual_seed(0)
    model, x, y = Attention().double(), torch.randn(20, 5, 12).double(), torch.randint(0, 3, (20,))
    given = [Pair("ask", "key", "query-key", 3), Pair("value", "out", "value-output", 3)]
    found = balance(model, cross_entropy, x, y, pairs=given)
    assert found.identity.value <= 1e-13
    assert 0 <= found.unbalance.value <= 1
    assert balance(model, cross_entropy, x, y, pairs=[("out", "read", "linear")]).identity.value <= 1e-13


def test_your_gradients_stay_and_the_mode_too():
    net = mlp(between=nn.Dropout)
    balance(net, cross_entropy, X, Y)
    assert all(one.grad is None for one in net.parameters())
    assert net.training


REFUSED = {
    "no container": (
        lambda: balance(nn.Linear(6, 3).double(), cross_entropy, X, Y),
        "pairs is empty; it must",
    ),
    "a name that is not there": (
        lambda: balance(mlp(), cross_entropy, X, Y, pairs=[("0", "9")]),
        "pairs has '9'; it",
    ),
    "a name of a ReLU": (
        lambda: balance(mlp(), cross_entropy, X, Y, pairs=[("0", "1")]),
        "pairs has 1, a ReLU",
    ),
    "widths": (
        lambda: balance(mlp(), cross_entropy, X, Y, pairs=[("5", "3")]),
        "with 3 rows and 16 columns",
    ),
    "no pair": (
        lambda: balance(mlp(), cross_entropy, X, Y, pairs=[3]),
        "pairs has 3; each must be a Pair",
    ),
    "a word": (lambda: balance(mlp(), cross_entropy, X, Y, pairs=["03"]), "pairs has '03'; each must be a Pair"),
    "another kind": (lambda: Pair("0", "3", "both"), "kind is 'both'; it must be one of neurons, linear"),
    "heads of neurons": (
        lambda: balance(mlp(), cross_entropy, X, Y, pairs=[Pair("0", "3", heads=2)]),
        "heads is 2",
    ),
    "no heads": (lambda: Pair("0", "3", heads=0), "heads is 0; it must be a whole number of at least 1"),
    "no name": (lambda: Pair(0, "3"), "incoming is 0; it must be the name of a module"),
    "a loss of rows": (
        lambda: balance(mlp(), lambda f, y: cross_entropy(f, y, reduction="none"), X, Y),
        "loss is tensor.*; it must be a finite number",
    ),
    "a loss without end": (
        lambda: balance(mlp(), lambda f, y: f.sum() / 0, X, Y),
        "loss is tensor.-inf.*a finite number",
    ),
    "an unused layer": (
        lambda: balance(Unused(), cross_entropy, X, Y, pairs=[("hidden", "net.5")]),
        "model has no gradient in hidden.weight; every layer of a pair must have one",
    ),
}


@pytest.mark.parametrize(("call", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_pair_is_refused(call, said):
    with pytest.raises(ValueError, match=said) as refusal:
        call()
    assert "\n" not in str(refusal.value)
