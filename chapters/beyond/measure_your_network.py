# ---
# jupyter:
#   jupytext:
#     cell_metadata_filter: tags,mystnb,-all
#     formats: ipynb,py:percent
#     notebook_metadata_filter: kernelspec,jupytext,-jupytext.text_representation.jupytext_version
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # You can measure which theorems speak about your own network
#
# ```{question}
# ```
#
# You train a network. Which theorems speak about it? Their premises can be measured. For example, gradient descent has a law for the balance between a neuron's incoming and outgoing weights, if the activation is positively homogeneous, like ReLU. This shows in one gradient. Gradient times weight, summed over a neuron's incoming weights, then equals the sum over its outgoing ones. On {glue:text}`measure_n` images of digits the two differ by at most {glue:text}`measure_holds` of the size of their terms with ReLU, by {glue:text}`measure_gelu` or more at some neuron with GELU, and by up to {glue:text}`measure_between` with a GELU whose bend is $10^4$ times as sharp. Some twenty lines of code print this number for your own network, with its distance from the lazy limit, how far it is from a stationary point of the margin (the KKT residual), and its sharpness, and say which theorem does not apply. We check the main numbers where the truth is known, on networks of a few thousand weights.
#
# ```{hero}
# ```
#
# ## The statement
#
# Let neuron $j$ have incoming weights $w_j$, a bias $b_j$ among them, and outgoing weights $v_j$. For vectors $x,y$ of the form of all parameters $\theta$ let $\langle x,y\rangle_\pm$ be the inner product over the incoming weights of the neuron less that over its outgoing ones. Its *balance* is $B=\langle\theta,\theta\rangle_\pm=\|w_j\|^2-\|v_j\|^2$. A function $\sigma$ is *positively homogeneous* if $\sigma(cz)=c\,\sigma(z)$ for all $c>0$.
#
# ````{prf:proposition} The identity and its laws
# :label: proposition-measure-balance
#
# Let the loss of a batch depend on $w_j,v_j$ through the products of $v_j$ with $\sigma(w_j\cdot z)$ at any number of places $z$, where a map of degree one such as pooling or dropout may stand between. Let $\sigma$ be positively homogeneous, and the loss differentiable, with the gradient $g$. Then
#
# $$\langle g,\theta\rangle_\pm=0 .$$
#
# A step $\theta^+=\theta-\eta\,(g+\lambda\theta)$ gives $B^+=(1-\eta\lambda)^2B+\eta^2\langle g,g\rangle_\pm$. With momentum, $m^+=\mu m+g+\lambda\theta$ and $\theta^+=\theta-\eta m^+$, let $C=\langle\theta,m\rangle_\pm$, which is 0 at the start, and $C'=\mu C+\lambda B$. Then
#
# ```{math}
# :label: measure-law
# \begin{aligned}B^+&=B-2\eta\,C'\\&\quad+\eta^2\langle m^+,m^+\rangle_\pm,\\ C^+&=C'-\eta\,\langle m^+,m^+\rangle_\pm.\end{aligned}
# ```
#
# With Nesterov's rule, $\theta^+=\theta-\eta d$ with $d=g+\lambda\theta+\mu m^+$, they are
#
# $$\begin{aligned}B^+&=B-2\eta\,(\lambda B+\mu C')\\&\quad+\eta^2\langle d,d\rangle_\pm,\\ C^+&=C'-\eta\,\langle d,m^+\rangle_\pm.\end{aligned}$$
# ````
#
# ```{prf:proof}
# :class: dropdown
#
# The loss is the same at $cw_j$, $v_j/c$ for all $c>0$. Its derivative at $c=1$ is $\langle g,\theta\rangle_\pm$. So $\langle\theta,m^+\rangle_\pm=\mu C+0+\lambda B=C'$. Expand $\langle\theta-\eta m^+,\theta-\eta m^+\rangle_\pm$ and $\langle\theta-\eta m^+,m^+\rangle_\pm$. With Nesterov's rule $\langle\theta,d\rangle_\pm=0+\lambda B+\mu C'$, and $d$ stands in place of the step $m^+$. $\square$
# ```
#
# The identity is that of {cite:t}`kunin2021`, whose abstract we read. It asks for no particular optimizer, loss or batch, with decay outside of the loss, so it tests the premise of all laws of balance. A layer norm or a batch norm between $w_j$ and $v_j$ breaks it. But the weights before a batch norm have an identity of their own, also found by {cite:t}`kunin2021` for $e=0$.
#
# ````{prf:proposition} Before a batch norm
# :label: proposition-measure-norm
#
# Let $L$ be the loss of a batch, and let a batch norm follow neuron $j$. It takes off the mean over the batch, divides by $\sqrt{V+e}$ and multiplies by $s$, where $V>0$ is the variance over the batch of what it is given and $e\ge0$ a small constant. If what it is given is homogeneous of degree one in $w_j$, and $L$ is differentiable, then
#
# $$\langle\nabla_{w_j}L,w_j\rangle=\frac e{V+e}\;s\,\frac{\partial L}{\partial s} .$$
# ````
#
# ```{prf:proof}
# :class: dropdown
#
# With $cw_j$ in place of $w_j$ the normalized values $u$ become $cu\sqrt{V+e}/\sqrt{c^2V+e}$. Their derivative at $c=1$ is $u\,e/(V+e)$. And the loss depends on $u$ through $su$, so its derivative along $u$ is $s\,\partial L/\partial s$. $\square$
# ```
#
# Three other quantities, each with its definition.
#
# **Distance.** Let $f_0$ be the network at its start, $\bar f$ its linearization there (its *twin*), trained by the same function with the same batches, and $f$ the trained network. On new inputs the *distance from the linearization* is $d=\|f-\bar f\|/(\|f-f_0\|+\|\bar f-f_0\|)$, between 0, if both end as the same function, and 1, which needs that they went opposite ways or that one did not move.
#
# **Stationarity.** Let $q_i=y_if(x_i)>0$ be the margins of a classifier of two classes. The *stationarity* of $\theta$, in papers its KKT residual, is
#
# ```{math}
# :label: measure-epsilon
# \varepsilon=\min_{\lambda\ge0,\;h_i\in\partial_rq_i(\theta)}\frac{\bigl\|\theta-\sum_i\lambda_ih_i\bigr\|}{\|\theta\|},
# ```
#
# where $i$ runs over the samples with $q_i\le(1+\tau)\min q$. At a stationary point of the margin $\min q/\|\theta\|^L$, of a network that is homogeneous of degree $L$ in its parameters, it is 0 for every $r\ge0$ {cite:p}`lyu2020`. Here $\partial_0q_i$ is Clarke's differential, at a kink the convex hull of all limits of gradients nearby. Autograd returns one of them, or none of them, because it may mix slopes that no point nearby has together. In $\partial_rq_i$ the slope is free at all pairs of a neuron and an input with $|w_j\cdot x_i|\le r\|w_j\|\|x_i\|$, since steps of finite size come near a kink and never on it. We take $r=10^{-2}$ and $\tau=0.1$.
#
# **Sharpness.** $\lambda_{\max}$ is the largest eigenvalue of the Hessian of the training loss. Lanczos' method encloses it, except with probability $10^{-6}$.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast |
# |---|---|---|---|
# | [two sums](identity) at a neuron, largest difference in one gradient, six homogeneous networks on two data sets (an identity, so this tests the instrument) | 0 | {glue:text}`measure_identity_d`, sums of norm {glue:text}`measure_identity_s` (over the size of the terms, at any step: {glue:text}`measure_identity_m`) | GELU: {glue:text}`measure_identity_g` (over the size of the terms: GELU, tanh, layer norm, batch norm at least {glue:text}`measure_identity_c`, GELU with a bend $10^4$ times as sharp {glue:text}`measure_between`) |
# | [drift of the balance](law) in {glue:text}`measure_steps` steps with momentum and decay, the neuron that drifts most | {glue:text}`measure_law_p` | {glue:text}`measure_law_m` | GELU, where the law misses most: {glue:text}`measure_law_cp` by the law, {glue:text}`measure_law_c` measured |
# | [lazy rate](lazy), tanh: slope of $\ln d$ against $\ln\alpha$ | $-1$ | {glue:text}`measure_lazy_m` | ReLU: {glue:text}`measure_lazy_c` |
# | [stationarity](hull) $\varepsilon$ at three certified optima | 0 | at most {glue:text}`measure_hull` | one slope at each kink, the best choice of all: {glue:text}`measure_sided` |
# ```
#
# **What to remember?** Ask first whether a theorem speaks about your network, then what it says. A residual at rounding says that the premise of the laws of balance holds on this batch (for Adam, that is all it says), and a larger one how nearly. A small $\varepsilon$ says how nearly the direction of $\theta$ has come to rest, and not how good its margin is.
#
# ## The smallest case
#
# One neuron $v\,\sigma(wx)$ with $w=2$, $v=1$ sees $x=1$, with the loss $\frac12(f-1)^2$.
#
# **With ReLU** $f=2$, so $g_w=(f-1)\,v=1$ and $g_v=(f-1)\,w=2$. Gradient times weight is $g_ww=2$ on the way in and $g_vv=2$ on the way out, so the identity holds. A step of descent with $\eta=0.1$ gives $w=1.9$ and $v=0.8$, and the balance $B=w^2-v^2$ goes from 3 to $3.61-0.64=2.97$. The law says $\eta^2(g_w^2-g_v^2)=0.01\,(1-4)=-0.03$.
#
# **With GELU**, $\sigma(z)=z\,\Phi(z)$ with the normal distribution function $\Phi$, $f=\sigma(2)=1.954$ and $\sigma'(2)=1.085$. So $g_ww=(f-1)\cdot1.085\cdot2=2.072$ and $g_vv=(f-1)\,f=1.866$. The identity is missed by 0.206, which is 5 % of $g_ww+g_vv$. After the step $B$ is lower by 0.065 and not by 0.024, as the law would say.

# %% tags=["hide-input"]
import itertools

import numpy as np
import torch
from matplotlib import pyplot as plt
from scipy.optimize import nnls
from scipy.sparse.linalg import aslinearoperator

from implicit_bias.data import Classification, digits
from implicit_bias.figures import style
from implicit_bias.limits.margin import variation_margin
from implicit_bias.models.linear import DiagonalNetwork
from reproduce.claims import Claims, Control, refined, rounding
from reproduce.claims.glued import glue_all

claims = Claims("measure_your_network")
style.use_style()
torch.set_num_threads(1)  # sums in one order

# %% [markdown]
# ## Twenty lines for your own network
#
# This is all that you need. The model, the data and the function `my_training` are yours. In float32 it works too, with rounding of another size. `linearized` makes the twin before training, `watch` hooks the optimizer, and `report` measures what can be measured and says what cannot. With a checkpoint alone leave out the twin and the steps.

# %%
import copy

import torch
from sklearn.datasets import load_digits
from torch import nn

from implicit_bias import measure

inputs, targets = (torch.tensor(part) for part in load_digits(return_X_y=True))
inputs = inputs / 16  # in float64


def my_training(model, optimizer, order=0):
    torch.manual_seed(order)
    for rows in torch.randint(100, (300, 25)):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs[rows]), targets[rows]).backward()
        optimizer.step()


torch.manual_seed(0)
mine = nn.Sequential(nn.Linear(64, 24), nn.ReLU(), nn.Linear(24, 10)).double()
twin, other_run = measure.linearized(mine), copy.deepcopy(mine)
with measure.watch(mine, optimizer := torch.optim.SGD(mine.parameters(), 0.1, momentum=0.9)) as seen:
    my_training(mine, optimizer)
my_training(twin, torch.optim.SGD(twin.parameters(), 0.1, momentum=0.9))
my_training(other_run, torch.optim.SGD(other_run.parameters(), 0.1, momentum=0.9), order=1)
numbers = measure.report(mine, nn.functional.cross_entropy, (inputs[:100], targets[:100]),
                         test=(inputs[100:600], targets[100:600]), twin=twin, other=other_run, steps=seen)
print(numbers)

# %% [markdown]
# The last line says what the words in brackets mean. An exact $\varepsilon$ is the least over all slopes within $r$ of a kink.
#
# | question | the report says | so |
# |---|---|---|
# | Is the network lazy? | distance {glue:text}`measure_q_far` (another order of batches: {glue:text}`measure_q_run`), angle {glue:text}`measure_q_angle`°, {glue:text}`measure_q_way` times the way of its linearization | no, theorems on the linearization do not describe it; most of the distance is length, as the linearization has not trained as far |
# | Has its twin trained as far? | the logarithm of the loss fell by {glue:text}`measure_q_fall` of the network's | no, so the rows of the distance are marked |
# | Do the laws of balance hold? | identity missed by {glue:text}`measure_q_identity`, {glue:text}`measure_q_left` left of a drift of {glue:text}`measure_q_drift` | yes |
# | Is there a theorem on its margin? | Euler's relation missed by {glue:text}`measure_q_euler` | no, the last layer has a bias |
# | Has it come to rest? | $\varepsilon=$ {glue:text}`measure_q_rest` | near 1 would say no, but its theorem does not cover this network |
# | How good is the last layer? | {glue:text}`measure_q_share` of the largest margin on its own features | about a third is missing |
# | Is the step near the edge of stability? | {glue:text}`measure_q_edge` of the largest stable step | far below |
#
# {doc}`/regime` goes from a question to the number and the chapter.
#
# ## Experiment
#
# The rest of the page holds the main ones of these numbers against cases whose truth is known. First the identity. We train twelve networks with four optimizers each on the digits, in float64, and print the largest residual over all neurons, steps and optimizers. Two of the networks have the activation $z\,\Phi(sz)$, GELU with a bend $s$ times as sharp.

# %% tags=["parameters"]
n: int = 100  # number of training images, in [25, 1000]
width: int = 32  # neurons of a hidden layer, in [8, 256]
steps: int = 20  # steps of each training whose balance is watched, in [5, 10000]
scale: float = 64.0  # least of three output scales α, each 4 times the one before, in [16, 1024]
longer: int = 1000  # steps T of the training in the plane, which goes on to 2T, in [500, 100000]
seed: int = 0  # seed of the data stream, in [0, 4294967295]

# %% tags=["hide-input"]
data, init = np.random.default_rng(seed).spawn(2)
loss = nn.functional.cross_entropy
images = digits(data, test=500)
x, x_test = (torch.tensor(part / 16) for part in (images.x[:n], images.x_test))
y = torch.tensor(images.labels[:n])
noise = torch.tensor(data.random((n, 64)))  # stream: uniform inputs
noise_test, teacher = torch.tensor(data.random((500, 64))), torch.tensor(data.standard_normal((64, 10)))  # stream: uniform inputs
SETS = {"digits": (x, y, x_test), "uniform": (noise, ((noise - 0.5) @ teacher).argmax(1), noise_test)}


def drawn(build):
    """A network with PyTorch's own initialization, from our stream."""
    torch.manual_seed(int(init.integers(2**31)))
    return build().double()


class Sharp(nn.Module):
    """z Φ(sz)."""

    sharpness = 1e4

    def forward(self, z):
        return nn.functional.gelu(self.sharpness * z) / self.sharpness


def dense(act, between=nn.Identity):
    """Three dense layers with an activation, and something behind the first."""
    return lambda: nn.Sequential(nn.Linear(64, width), act(), between(), nn.Linear(width, width), act(), nn.Linear(width, 10))


def conv(pool):
    """Two convolutions, a pooling and a dense layer."""
    return lambda: nn.Sequential(nn.Unflatten(1, (1, 8, 8)), nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), pool(2),
                                 nn.Conv2d(4, 6, 3), nn.ReLU(), nn.Flatten(), nn.Linear(24, 10))


HOLDS = {"ReLU": dense(nn.ReLU), "leaky ReLU": dense(nn.LeakyReLU), "linear": dense(nn.Identity), "dropout": dense(nn.ReLU, lambda: nn.Dropout(0.2)),
         "CNN, average": conv(nn.AvgPool2d), "CNN, maximum": conv(nn.MaxPool2d)}
NEARLY = {"GELU, 10⁵× as sharp": dense(type("Sharper", (Sharp,), {"sharpness": 1e5})), "GELU, 10⁴× as sharp": dense(Sharp)}
FAILS = {"GELU": dense(nn.GELU), "tanh": dense(nn.Tanh), "layer norm": dense(nn.ReLU, lambda: nn.LayerNorm(width)),
         "batch norm": dense(nn.ReLU, lambda: nn.BatchNorm1d(width))}
RULES = {"descent": lambda p: torch.optim.SGD(p, 0.1), "momentum and decay": lambda p: torch.optim.SGD(p, 0.05, momentum=0.9, weight_decay=0.01),
         "Nesterov": lambda p: torch.optim.SGD(p, 0.05, momentum=0.9, nesterov=True), "Adam": lambda p: torch.optim.Adam(p, 0.002)}


def train(model, optimizer, x, y, count=steps, batch=25, order=0):
    """A plain loop."""
    torch.manual_seed(order)
    for _ in range(count):
        rows = torch.randint(len(x), (batch,)) if batch else slice(None)
        optimizer.zero_grad()
        loss(model(x[rows]), y[rows]).backward()
        optimizer.step()


def sums(model, pairs, of):
    """Of each neuron: a sum over its incoming weights, and one over its outgoing ones, 2 × neurons."""
    found = []
    for pair in pairs:
        w, v = model[int(pair.incoming)], model[int(pair.outgoing)]
        came, left = of(w.weight).reshape(len(w.weight), -1).sum(1) + of(w.bias), of(v.weight).reshape(len(v.weight), len(w.weight), -1).sum((0, 2))
        found.append(torch.stack([came, left]).detach().numpy())
    return np.hstack(found)


def watched(model, pairs, optimizer):
    """Train; the largest residual of the identity, the drift of the balance, and what the law says of it."""
    start = -np.diff(sums(model, pairs, torch.square), axis=0)[0]
    with measure.watch(model, optimizer, pairs=pairs) as seen:
        train(model, optimizer, x, y)
    drift = -np.diff(sums(model, pairs, torch.square), axis=0)[0] - start
    return seen.rows()[0].value, drift, np.concatenate([(law.b - law.start).numpy().ravel() for law in seen.laws])


def gradient_sums(model, pairs, at, labels):
    """The two sums over a gradient times the weights."""
    model.zero_grad()
    loss(model(at), labels).backward()
    return sums(model, pairs, lambda p: p.grad * p)


class Scaled(nn.Module):
    """α(f − f₀)."""

    def __init__(self, net, alpha):
        super().__init__()
        self.net, self.alpha = copy.deepcopy(net), alpha
        self.start = [copy.deepcopy(net).requires_grad_(False)]

    def forward(self, x):
        return self.alpha * (self.net(x) - self.start[0](x))


def power(value):
    """As 3.1·10⁻⁵, rounded up, and what is rounding to the next power of ten, since its digits are the processor's."""
    size = int(np.floor(np.log10(value))) + (value < 1e-12)
    digits_of_it = "" if value < 1e-12 else f"{np.ceil(10 * (value / 10.0**size)) / 10:.1f}·"
    return f"{digits_of_it}10" + str(size).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


# %% tags=["hide-input"]
residual, drifts, both, scaled = {}, {}, {}, []
print("the identity is missed by at most")
for name, build in (HOLDS | NEARLY | FAILS).items():
    for rule, make in RULES.items():
        model = drawn(build)
        pairs = [measure.Pair("0", "3")] if "norm" in name else measure.guessed(model)
        residual[name, rule], *drifts[name, rule] = watched(model, pairs, make(model.parameters()))
        if name == "batch norm":
            scaled.append(measure.balance(model, loss, x, y, pairs=[measure.Pair("0", "2", "scale")]).identity.value)
    both[name] = [gradient_sums(model, pairs, at, labels) for at, labels, _ in SETS.values()]
    print(f"{power(max(residual[name, rule] for rule in RULES)):>10}  {name}")
print(f"{power(max(scaled)):>10}  before the batch norm, its own identity")

# %% [markdown]
# The weights before the batch norm have an identity of their own ({prf:ref}`proposition-measure-norm`), which no claim of this page is about.
#
# The drift of the balance is another matter. It is not 0 for steps of finite size, and {eq}`measure-law` says step by step from gradients and momentum what it is. So the drift minus what the law says is rounding. With Adam, which divides each gradient by a size of its own, we know no such law of the balance, though the identity holds in every step ({ref}`an exercise <exercise-measure-adam>` derives what holds instead).
#
# ### How lazy?
#
# With an output $\alpha\,(f-f_0)$ a smooth network becomes its linearization as $\alpha\to\infty$ at a fixed number of steps (by the proof of {prf:ref}`proposition-conv-lazy`, with the gradient of the cross-entropy in place of $u-y$). Its distance is at most a constant over $\alpha$, in general $c/\alpha$. We train two-layer networks and their twins at three scales, on two data sets, for 20 steps and for 40.

# %%
slopes = {}
for act in (nn.Tanh, nn.ReLU):
    found = []
    for at, labels, there in SETS.values():
        net = drawn(lambda act=act: nn.Sequential(nn.Linear(64, width), act(), nn.Linear(width, 10)))
        for alpha in (scale, 4 * scale, 16 * scale):
            model = Scaled(net, alpha)
            twin = measure.linearized(model)
            for _ in range(2):  # 20 steps, then 20 more
                for one in (model, twin):
                    train(one, torch.optim.SGD(one.parameters(), 0.5 / alpha**2), at, labels, 20, batch=0)
                found.append(measure.distance(model, twin, there).distance.value)
    slopes[act] = np.diff(np.log(np.reshape(found, (2, 3, 2))), axis=1) / np.log(4)
    print(f"{act.__name__:5} slope of ln d against ln α:", *(f"{one:.3f}" for one in slopes[act][:, -1].ravel()))

# %% [markdown]
# ReLU is slower. It is not differentiable everywhere. A share of the order $1/\alpha$ of the pairs of neuron and input sees its ReLU change, and there the outputs $\alpha(f-f_0)$ differ by a size that does not fall. In quadratic mean this is $\alpha^{-1/2}$ (*formal derivation*). We do not claim it, because at these $\alpha$ the number of such pairs is small, and the measured slope varies with the network.
#
# ### Where neurons rest on kinks
#
# Eight points of the plane with a constant as the third coordinate, and labels that alternate, of a largest margin above 0.04, because a smaller one takes longer. Before training we solve for the network of largest margin, with a certificate ({doc}`F₁ margin <../wide_networks/f1_max_margin>`). Then we train 60 neurons from a small start by gradient descent on $\sum_ie^{-q_i}$ with steps over the loss and over $\|\theta\|^2$, and look at $\varepsilon$ at four steps in a row from time to time.


# %% tags=["hide-input"]
def two_layers(first, second):
    """v · (Wx)₊."""
    net = nn.Sequential(nn.Linear(3, len(first), bias=False), nn.ReLU(), nn.Linear(len(first), 1, bias=False)).double()
    net[0].weight.data, net[2].weight.data = torch.as_tensor(first), torch.as_tensor(second)[None]
    return net


def best_of(x, y):
    """The network of largest margin, and that margin."""
    best = variation_margin(Classification(x, y))
    root = np.sqrt(np.abs(best.masses))
    return two_layers(root[:, None] * best.directions, np.sign(best.masses) * root)


def epsilon(net, x, y, radius=1e-2):
    """ε with all slopes within a radius; 0 beside the kinks is the gradients of autograd."""
    return measure.stationarity(net, x, y, tau=[0.1], radius=radius).curve[0].value


def one_sided(net, x, y):
    """The least ε over all choices of one side at each kink."""
    w, v = (p.detach().numpy() for p in net.parameters())
    z, labels = x.numpy() @ w.T, y.numpy()
    theta, q = np.concatenate([w.ravel(), v[0]]), labels * (np.maximum(z, 0) @ v[0])
    active = q <= 1.1 * q.min()
    at, z, labels = x.numpy()[active], z[active], labels[active]
    kinks, found = np.argwhere(np.abs(z) < 1e-9), []
    for sides in itertools.product((0.0, 1.0), repeat=len(kinks)):
        slopes = (z > 0).astype(float)
        slopes[tuple(kinks.T)] = sides
        first = (v[0] * slopes)[:, :, None] * at[:, None, :]
        rows = labels[:, None] * np.hstack([first.reshape(len(at), -1), np.maximum(z, 0)])
        found.append(nnls(rows.T, theta)[1] / np.linalg.norm(theta))
    return min(found)


def rated(net, x, y):
    """The normalized margin."""
    return float((y * net(x)[:, 0]).min().detach()) / sum(float((p.detach() ** 2).sum()) for p in net.parameters())


def in_the_plane(stream):
    """Eight points with labels that alternate, and the network of largest margin, if that is not so small that training takes longer."""
    while True:
        points, signs = np.column_stack([stream.standard_normal((8, 2)), np.ones(8)]), np.resize([1.0, -1.0], 8)
        at, best = (torch.tensor(points), torch.tensor(signs)), best_of(points, signs)
        if rated(best, *at) > 0.04:
            return *at, best


def small_start(stream):
    """60 balanced neurons, half of each sign."""
    rows = stream.standard_normal((60, 3)) / 10
    return two_layers(rows, np.where(np.arange(60) % 2, 1.0, -1.0) * np.linalg.norm(rows, axis=1))


def descent(net, x, y):
    """Train to 2T with normalized steps; the steps to look at, four in a row, once all points are separated."""
    optimizer = torch.optim.SGD(net.parameters(), 1.0)
    for step in range(1, 2 * longer + 1):
        optimizer.zero_grad()
        value = torch.logsumexp(-y * net(x)[:, 0], 0)
        value.backward()
        optimizer.param_groups[0]["lr"] = 2.5 / max(8.0, sum(float((p.detach() ** 2).sum()) for p in net.parameters()))
        optimizer.step()
        if np.any((marks < step) & (step <= marks + 4)) and rated(net, x, y) > 0:
            yield step


RADII = (0.0, 1e-4, 1e-3, 1e-2, 3e-2)
marks = np.unique(np.r_[np.linspace(longer / 10, 2 * longer - 4, 12).astype(int), longer - 4])


# %%
courses, optima, final_shares = [], [], []
for _ in range(3):
    at, signs, best = in_the_plane(data)  # stream: points
    optima.append((epsilon(best, at, signs), one_sided(best, at, signs)))
    net = small_start(init)
    courses.append(np.array([(step, epsilon(net, at, signs), epsilon(net, at, signs, 0.0)) for step in descent(net, at, signs)]))
    final_shares.append(rated(net, at, signs) / rated(best, at, signs))
    print(f"optimum: all slopes {optima[-1][0]:.1e}, within 1e-9 {epsilon(best, at, signs, 1e-9):.1e}, one at each kink {optima[-1][1]:.2f}\n"
          f"last four steps, {final_shares[-1]:.3f} of the best margin\n"
          f"    all slopes {courses[-1][-4:, 1].round(3)}\n    autograd   {courses[-1][-4:, 2].round(3)}\n    the last within {RADII}:", *(f"{epsilon(net, at, signs, radius):.3f}" for radius in RADII))

# %% [markdown]
# At a largest margin $\varepsilon$ should be 0. At three certified ones it is {glue:text}`measure_sided` if each ReLU at its kink gets slope 0 or 1, by the best choice of all, and at most {glue:text}`measure_hull` if every slope between is allowed. So with all slopes and with autograd's gradients the residual tells different stories. At the optimum most neurons rest on kinks, so no gradients from one side each add up to $\theta$, and descent that ends beside a kink does not change that. With all slopes at pairs within $r=10^{-2}$ of a kink $\varepsilon$ is smaller on these sets as training goes on. Without them it depends on which side of a kink the last step ended. At the optimum $r=10^{-9}$ is enough, and in training $r=3\cdot10^{-2}$ gives the same as $10^{-2}$.
#
# **Stationary, and not the best.** Take three points of length one, $x_1=(1,0,0)$, $x_2\propto(-0.1,1,0)$ and $x_3=(0,0,1)$, with labels $+,+,-$, and a two-layer network without biases. One neuron on each point, $w_j=x_j$ and $v_j=\pm1$, has $q_i=1$ and $\|\theta\|^2=6$. The inner product $c=-0.1/\sqrt{1.01}$ of $x_1$ and $x_2$ is negative, so neurons 1 and 2 are off at each other's point. Neuron 3 rests on its kink at $x_1,x_2$, and the other two at $x_3$. With the slope 0 at these kinks $h_i$ has only neuron $i$ in it, so $\theta=h_1+h_2+h_3$ and $\varepsilon=0$. But one neuron for $x_1$ and $x_2$ is cheaper. Along their bisector it meets both under the cosine $\sqrt{(1+c)/2}$, and costs $2\sqrt{2/(1+c)}$ in place of 4. So the three neurons have
#
# $$\frac{2+2\sqrt{2/(1+c)}}6=0.8301$$
#
# of the margin of that neuron together with neuron 3. The certified optimum says that no network has more. So the report never prints $\varepsilon$ without saying so.
#
# ### The other numbers
#
# A model that is linear in its parameters is its own twin. The largest eigenvalue of the Hessian we compare with that of the dense matrix. And a diagonal network that is trained by small steps has no excess of the entropy $Q_k$ that {doc}`its theorem <../initialization/diagonal_networks>` names.


# %% tags=["hide-input"]
def descended(net, x, y, rate):
    """The predictor of a diagonal network after descent on ½‖Xw − y‖²."""
    theta = net.start
    for _ in range(round(3 / rate)):
        slope = (x @ net.predictor(theta) - y) @ x
        a, b, c, d = theta.reshape(4, -1)
        theta = theta - rate * np.concatenate([b * slope, a * slope, -d * slope, -c * slope])
    return net.predictor(theta)


# %% tags=["hide-input"]
twins = {}
for rule in ("momentum and decay", "Adam"):
    model = drawn(lambda: nn.Sequential(nn.Tanh(), nn.Linear(64, 10)))  # linear in its parameters
    twin, other = measure.linearized(model), copy.deepcopy(model)
    for one, order in ((model, 0), (twin, 0), (other, 1)):
        train(one, RULES[rule](one.parameters()), x, y, order=order)
    twins[rule] = [one(x_test).detach().numpy() for one in (twin, model, other)]
curved, brackets, blind, shifted, small = [], [], [], [], nn.functional.avg_pool2d(x.reshape(-1, 1, 8, 8), 2).flatten(1)
for act in (nn.Tanh, nn.ReLU):
    model = drawn(lambda act=act: nn.Sequential(nn.Linear(16, 12), act(), nn.Linear(12, 10)))
    train(model, RULES["Nesterov"](model.parameters()), small, y)
    flat = torch.cat([one.detach().reshape(-1) for one in model.parameters()])
    names, sizes = zip(*((name, one.shape) for name, one in model.named_parameters()), strict=True)

    def value(vector, model=model, names=names, sizes=sizes):
        parts = vector.split([size.numel() for size in sizes])
        theta = {name: part.view(size) for name, part, size in zip(names, parts, sizes, strict=True)}
        return loss(torch.func.functional_call(model, theta, (small,)), y)

    dense_matrix = torch.func.hessian(value)(flat).numpy()
    eigenvalues, vectors = np.linalg.eigh((dense_matrix + dense_matrix.T) / 2)
    curved.append(eigenvalues[-1])
    brackets.append(measure.sharpness(model, loss, small, y).late)
    blind.append(measure.largest_eigenvalue(aslinearoperator(dense_matrix - curved[-1] * np.outer(vectors[:, -1], vectors[:, -1]))).value)
DIAGONAL = {tau: (data.standard_normal((10, 30)), DiagonalNetwork.unbiased(30, tau, 0.0)) for tau in (0.1, 0.03, 0.01)}  # stream: samples
ratios: dict[float, list[float]] = {rate: [] for rate in (3e-4, 1e-4)}
for points, network in DIAGONAL.values():
    for rate, kept in ratios.items():
        w = descended(network, points, points[:, :3] @ [1.0, -2.0, 1.5], rate)
        kept.append(1 + measure.excess(w, points, "entropy", k=network.k).value)
    shifted.append(1 + measure.excess(w, points, "entropy", k=1.05 * network.k).value)
corner = np.array([[1.0, 0.0, 0.0], [-0.1, 1.0, 0.0], [0.0, 0.0, 1.0]])
corner /= np.linalg.norm(corner, axis=1, keepdims=True)
signs = np.array([1.0, 1.0, -1.0])
resting = {name: (one, epsilon(one, torch.tensor(corner), torch.tensor(signs))) for name, one in (("three neurons", two_layers(corner, signs)), ("optimum", best_of(corner, signs)))}
shares = {name: row for name, (one, *_) in resting.items() if (row := measure.margin(one, torch.tensor(corner), torch.tensor(signs)).share)}
for name, (_, wide) in resting.items():
    print(f"{name:14} ε {wide:.0e}, share of the best margin {shares[name].value:.6f}")
print("λ_max, dense and by Lanczos:", *(f"{a:.6f} {b.value:.6f}" for a, b in zip(curved, brackets, strict=True)))
print("entropy over the least, minus 1, with the right k and with 1.05 k:\n   ", *(f"{a - 1:.1e} {b - 1:.1e}" for a, b in zip(ratios[1e-4], shifted, strict=True)))

# %% mystnb={"figure": {"caption": "(a) In six homogeneous networks the identity holds to rounding, in four others it fails, and two sharp GELUs lie in between. A dot is a network and an optimizer, at the largest residual of all neurons and steps, at $10^{-15}$ if it is smaller. Hollow: the weights before a batch norm, with an identity of their own, after training. (b) Eight points of the plane, 60 neurons. Along training the KKT residual \u03b5 jumps with the gradients of autograd (orange, four steps in a row) and falls, with one jump, if any slope from 0 to 1 is allowed at the kinks (blue). Grey field: the network of largest margin, certified before training, with any slope and with the best choice of slope 0 or 1 at each kink.", "name": "figure-measure"}, "image": {"alt": "Two panels, both with a logarithmic axis. Left: thirteen rows of dots; six rows lie near ten to the minus sixteen, one of hollow dots near ten to the minus fifteen, one near ten to the minus six, one near a few thousandths, four near one. Right: orange dots scatter below one, a blue line falls to below a tenth, with one jump; in a grey field on the right a blue star, any slope, lies at some millionths and an orange star, slope 0 or 1, at about one half.", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.8, 4.6))
blue, orange, red, purple = (style.COLORS[name] for name in ("blue", "orange", "red", "purple"))
drawn_rows = [(name, [residual[name, rule] for rule in RULES]) for name in HOLDS | NEARLY | FAILS]
drawn_rows.insert(len(HOLDS), ("before batch norm", scaled))
for place, (name, dots) in enumerate(drawn_rows):
    left.plot(np.maximum(dots, 1e-15), [place] * len(dots), "o", color=red if name in FAILS else purple if name in NEARLY else blue, markersize=6, alpha=0.7, fillstyle="none" if dots is scaled else "full")
left.set(xscale="log", xlim=(1e-17, 5), ylim=(12.6, -0.6), xticks=[1e-16, 1e-12, 1e-8, 1e-4, 1], yticks=range(13), yticklabels=[name for name, _ in drawn_rows], xlabel="residual of the identity", title="(a) gradient × weight: in = out?")
for height, said, color in ((3, "rounding:\nthe identity holds", blue), (7.5, "nearly homogeneous", purple), (10.5, "the identity fails", red)):
    left.text(1e-10, height, said, color=color, ha="center", va="center")
for place, color in ((2, orange), (1, blue)):
    right.plot(courses[0][:, 0], courses[0][:, place], "o" if place == 2 else "-", color=color, markersize=4)
    right.plot(2.55 * longer, optima[0][place - 1], "*", color=color, markersize=16, zorder=6)
right.axvspan(2.2 * longer, 2.9 * longer, color="0.5", alpha=0.12)
right.set(xlim=(0, 2.9 * longer), ylim=(max(min(1e-6, optima[0][0]), 1e-9) / 5, 3), yscale="log", xlabel="steps of training", ylabel=r"KKT residual $\varepsilon$", title="(b) KKT residual on the way to a known optimum")
right.set_xticks([0, longer, 2 * longer, 2.55 * longer], ["0", f"{longer:,}", f"{2 * longer:,}", "optimum"])
right.text(0.9 * longer, 1.6, "autograd's gradients", color="#a87400", ha="center", va="center")
right.text(2.55 * longer, optima[0][1] / 3, "each kink:\nslope\n0 or 1", color="#a87400", ha="center", va="top")
right.text(2.55 * longer, 3 * optima[0][0], "each kink:\nany slope\n0 to 1", color=blue, ha="center", va="bottom")
said = f"any slope from 0 to 1,\nat the end {courses[0][-1, 1]:.2f}, at {100 * final_shares[0]:.0f} %\nof the largest margin"
right.text(1.1 * longer, courses[0][-1, 1] / 3, said, color=blue, ha="center", va="top")
plt.show()

# %% [markdown]
# ## Theory
#
# **How large is the residual?** The difference of the two sums is compared with $\|g_{\rm in}\|\|w\|+\|g_{\rm out}\|\|v\|$, so the residual lies between 0 and 1. Where the identity is true it is the rounding of a few hundred products. For another activation it is $\langle g,\theta\rangle_\pm=\sum_i r_i\,(\sigma'(z_i)z_i-\sigma(z_i))$, summed over the inputs $z_i$ of the neuron, where $r_i$ is what the loss sends back through $v_j$. That is of the size of its terms, unless the activation is nearly homogeneous where the inputs are. A residual at rounding says that the activation is homogeneous where the inputs of this batch are, and no more. ReLU6 passes at its start and fails once an input is above 6. And a network that is nearly homogeneous lies in between. The activation $z\,\Phi(sz)$ differs from ReLU only where $|z|$ is below a few times $1/s$, so few inputs see the difference if $s$ is large. There the laws hold up to the residual, not to rounding.
#
# **Why must one take the hull?** Many neurons of an optimum have moved until a kink stopped them. There the derivative in the neuron's direction jumps, and 0 lies between the two sides. Autograd returns one gradient. It takes one side at each kink, or a mixture of sides that no point nearby has.
#
# **How is $\lambda_{\max}$ enclosed?** Lanczos' method from a random start $a$ of length one gives Ritz values $\rho_i\le\lambda_{\max}$ and couplings $\beta_j$. With the top eigenvector $u$ it holds that $|\langle u,a\rangle|\prod_i(\lambda_{\max}-\rho_i)\le\prod_j\beta_j$ {cite:p}`vandorsselaer1999`. The left factor is too small with a known probability only. A start without the top vector would never find it, and {glue:text}`measure_blind` is what the method then says instead of {glue:text}`measure_curved`.
#
# ## How fast
#
# The distance from the linearization of tanh is $c/\alpha$ with an error of the next order, so its slope tends to $-1$ like $1/\alpha$. After 20 and after 40 steps it is {glue:text}`measure_lazy_t` on the digits. We know no theorem that says how $\varepsilon$ moves from one time to another. {cite:t}`lyu2020` have that limit points of the direction are stationary, as we recall it. So we claim nothing of its course. After $T=$ {glue:text}`measure_longer` steps it is {glue:text}`measure_clock_t` on the three sets, after $2T$ steps {glue:text}`measure_clock_2t`, while the margins are {glue:text}`measure_shares` of the best at the end. It falls slowly, and on a single set it can rise for a while (on one of nine other sets, by a fifth). After 16,000 steps (`longer=8000`) it is 0.031, 0.065 and 0.021, at 0.998, 0.985 and 0.996 of the best margin, so it still falls. With autograd's gradients the largest of four steps in a row falls a little too, yet a step at $2T$ can be above one at $T$. The largest of the four at $2T$ is {glue:text}`measure_clock_a` times the least of the four at $T$.
#
# ## Instruments
#
# Each claim with its allowed error and its control. A {term}`claim` must hold within its allowed error, and its {term}`control` must not.
#
# ```{claim} identity
# :headline: two sums at each neuron, six networks, two data sets
# :source: Kunin et al. 2021
# :evidence: float with residual
# :because: the rounding of the sums
# :contrast: GELU
#
# at each neuron of a homogeneous network the gradient times the weights has the same sum over both sides
# ```
#
# ```{claim} law
# :headline: drift of the balance, five networks, three optimizers
# :evidence: trained and compared
# :because: the rounding of the steps
# :contrast: GELU
#
# the balance of each neuron drifts as the law says from gradients and momentum, step by step
# ```
#
# ```{claim} lazy
# :headline: slope of the distance from the linearization, two data sets, two horizons
# :source: Chizat, Oyallon and Bach 2019
# :evidence: trained and compared
# :because: the next order in 1/α, from slopes at two pairs of scales
# :contrast: ReLU
#
# the distance of a smooth network from its linearization falls like one over the scale
# ```
#
# ```{claim} hull
# :headline: stationarity at three certified optima
# :source: Lyu and Li 2020
# :evidence: float with residual
# :because: a level that was chosen, far below what one slope at each kink gives
# :contrast: the best choice of one slope at each kink
#
# with all slopes at the kinks a certified optimum is stationary
# ```
#
# ```{claim} saddle
# :evidence: float with residual
# :because: the width of the certified largest margin, and rounding
# :contrast: the certified optimum
#
# three neurons that are stationary have the share of the best margin that is computed by hand
# ```
#
# ```{claim} twin
# :evidence: trained and compared
# :because: the rounding of the steps
# :contrast: the batches in another order
#
# a model that is linear in its parameters ends where its linearization ends
# ```
#
# ```{claim} sharpness
# :source: van Dorsselaer et al. 2000
# :evidence: float with residual
# :because: the width of the bracket
# :contrast: the operator without its top direction
#
# the largest eigenvalue of a dense Hessian lies in the bracket
# ```
#
# ```{claim} excess
# :source: Azulay et al. 2021, Theorem 1
# :evidence: trained and compared
# :because: the second order of the step size
# :contrast: the entropy of a k that is 5 % larger
#
# a diagonal network that is trained by small steps has no excess of its own entropy
# ```

# %% tags=["hide-input"]
def all_of(names, at):
    """Sums of some networks as one row."""
    return np.concatenate([both[name][k][at] for name in names for k in range(len(SETS))])


came, left_out = (all_of(HOLDS, side) for side in (0, 1))
claims.identity("identity", left_out, came, error=rounding(n, size=np.abs(left_out).max()),
                control=Control(all_of(["GELU"], 0), theory=all_of(["GELU"], 1), anew=True))
LAWFUL = [(name, rule) for name in HOLDS if name != "linear" for rule in RULES if rule != "Adam"]
grown, told = (np.concatenate([drifts[key][k] for key in LAWFUL]) for k in (0, 1))
claims.limit("law", told, grown, error=rounding(steps, size=8 * np.abs(told).max()),
             control=Control(drifts["GELU", "momentum and decay"][0], theory=drifts["GELU", "momentum and decay"][1], anew=True))
fine, coarse = slopes[nn.Tanh][:, 1], slopes[nn.Tanh][:, 0]
claims.rate("lazy", np.full(fine.shape, -1.0), fine, error=refined(fine, coarse, ratio=4, order=1), control=slopes[nn.ReLU][:, 1])
wide, sided = np.transpose(optima)
claims.below("hull", 0.0, wide, level=1e-4, control=sided)  # spoiled: a bound with room
at_t, at_2t = (np.array([c[(c[:, 0] > first) & (c[:, 0] <= first + 4), 1:] for c in courses]) for first in (longer - 4, 2 * longer - 4))
later = at_2t[:, :, 1].max(axis=1) / at_t[:, :, 1].min(axis=1)  # with autograd's gradients
cosine = corner[0] @ corner[1]
claims.identity("saddle", (1 + np.sqrt(2 / (1 + cosine))) / 3, shares["three neurons"].value,
                error=rounding(12) + shares["three neurons"].high - shares["three neurons"].low, control=shares["optimum"].value)
ends, own, other = (np.stack([one[k] for one in twins.values()]) for k in range(3))
claims.limit("twin", ends, own, error=rounding(steps, size=np.abs(ends).max()), control=other)
derived_width = max(one.high - one.low for one in brackets)
claims.limit("sharpness", curved, [one.value for one in brackets], proved=derived_width, control=blind)
claims.limit("excess", np.ones(3), ratios[1e-4], error=refined(ratios[1e-4], ratios[3e-4], ratio=3, order=2), control=shifted)


def listed(numbers, form=".3f"):
    """Numbers as the prose writes them."""
    *first, last = (format(one, form).replace("-", "−") for one in np.ravel(numbers))
    return ", ".join(first) + " and " + last if first else last


worst = {name: max(residual[name, rule] for rule in RULES) for name in HOLDS}
least = {name: min(residual[name, rule] for rule in RULES) for name in FAILS}
(drift, by_law), (drift_c, by_law_c) = (drifts[name, "momentum and decay"] for name in ("ReLU", "GELU"))
most, slip = np.argmax(np.abs(by_law)), np.argmax(np.abs(drift_c - by_law_c))
glue_all("measure", **{f"q_{key}": form(numbers[row].value) for key, row, form in (
    ("far", "distance from", "{:.2f}".format), ("run", "distance from another", "{:.2f}".format), ("fall", "fall of", "{:.0%}".format), ("angle", "angle", "{:.0f}".format), ("way", "length of", "{:.1f}".format), ("identity", "identity of the gradients", power),
    ("left", "drift that", power), ("drift", "drift of", "{:.1f}".format), ("euler", "Euler's relation is", "{:.3f}".format), ("rest", "stationarity ε, τ = 0.01 to 0.1", "{:.3f}".format),
    ("share", "share of it", "{:.2f}".format), ("edge", "step size", "{:.3f}".format))},
         n=n, steps=steps, holds=power(worst["ReLU"]), longer=f"{longer:,}", gelu=f"{100 * min(residual['GELU', rule] for rule in RULES):.0f} %",
         sided=listed(sided, ".2f"), hull=power(wide.max()), identity_m=power(max(worst.values())), identity_d=power(np.abs(came - left_out).max()), identity_s=f"{np.linalg.norm(left_out):.2f}",
         identity_g=f"{np.abs(np.subtract(*(all_of(['GELU'], side) for side in (0, 1)))).max():.4f}", identity_c=f"{min(least.values()):.2f}",
         law_p=listed(by_law[most], ".6f"), law_m=listed(drift[most], ".6f"), law_cp=listed(by_law_c[slip]), law_c=listed(drift_c[slip]),
         lazy_m=listed(fine.ravel()), lazy_c=listed(slopes[nn.ReLU][:, 1].ravel(), ".2f"), between=power(max(residual[list(NEARLY)[-1], rule] for rule in RULES)),
         blind=f"{blind[0]:.2f}", curved=f"{curved[0]:.2f}", lazy_t=listed(fine[0], ".4f"), clock_t=listed(at_t[:, :, 0].max(axis=1)), clock_2t=listed(at_2t[:, :, 0].max(axis=1)), clock_a=listed(later, ".2f"),
         shares=listed(final_shares))

# %% [markdown]
# ## What would falsify it
#
# A network of homogeneous layers with a residual above rounding. A step of descent with momentum, decay or Nesterov's rule whose drift is not its law's. A smooth network whose distance falls otherwise than $1/\alpha$ at large $\alpha$. A certified optimum whose $\varepsilon$ with all slopes is not small. A dense $\lambda_{\max}$ outside its bracket more often than the stated probability.
#
# ## Differences from the paper
#
# - **Read.** The abstracts of {cite:t}`kunin2021` and {cite:t}`vandorsselaer1999`. The definition of {cite:t}`lyu2020` is recalled. The bound of Lanczos' method is derived here after the idea of {cite:t}`vandorsselaer1999`.
# - **Changed.** {cite:t}`lyu2020` let all samples take part, with $\lambda_i(q_i-1)\le\delta$, and use multipliers in closed form in their proof. We take the best multipliers of samples with $q_i\le(1+\tau)\min q$, and all slopes near the kinks.
# - **Added.** The laws of a finite step with momentum, decay and Nesterov's rule, and the cases of known truth that the main numbers are held against.
# - **Not reproduced.** Larger networks, and the rates at which margins grow.
#
# ## Scope
#
# - Tried on networks of a few thousand parameters.
# - {cite:t}`marcotte2024` find that ReLU networks keep no conservation law under momentum (recalled; we have not read the paper). Here nothing is conserved either. The law has a source, the squares of the steps.
# - Adam's gradients have the identity, and we know no law of the balance for its steps. Its momentum has one, with a metric that changes at every step. Different decays or rates for the weights of one neuron leave the identity only.
# - With a bias in a deeper layer the network is not homogeneous in all parameters, though the identity holds. Then the report says that the margin theorem does not cover it.
# - The normalized margin takes the Euclidean norm of all parameters, so the same function with other weights has another one. For deep networks the hull is spanned by a few random gradients at distance $r$, a part of an enlarged differential. Against Clarke's $\varepsilon$ at $\theta$ itself it is no bound.
# - The twin is the linearized model trained by the same algorithm. With Adam it has moments of its own.
#
# ## Exercises
#
# ```{exercise} One step with decay
# :label: exercise-measure-warm-up
#
# Repeat the smallest case with ReLU and the weight decay $\lambda=1$, so that a step is $\theta^+=\theta-\eta\,(g+\lambda\theta)$. Check the law.
# ```
#
# ```{solution} exercise-measure-warm-up
# :class: dropdown
#
# $g_w+\lambda w=3$ and $g_v+\lambda v=3$. After the step $w=1.7$, $v=0.7$, so $B$ goes from 3 to $2.89-0.49=2.40$. The law: $(1-\eta\lambda)^2B+\eta^2(g_w^2-g_v^2)=0.81\cdot3-0.03=2.40$.
# ```
#
# ```{exercise} A bias behind
# :label: exercise-measure-bias
#
# Why does the bias of the outgoing layer not enter the identity, while that of the incoming layer must?
# ```
#
# ```{solution} exercise-measure-bias
# :class: dropdown
#
# With $w_j\to cw_j$ the input of $\sigma$ is multiplied by $c$ only if the bias is too. The bias of the next layer is added after the product with $v_j$, so the function stays the same with it as it is.
# ```
#
# ```{exercise} Adam
# :label: exercise-measure-adam
#
# Adam takes $m^+=\beta_1m+(1-\beta_1)g$ and $\theta^+=\theta-\eta\,Pm^+$ with a diagonal matrix $P>0$ of its own at each step. Find the law of $C=\langle\theta,m\rangle_\pm$. Why is there none of $B$?
# ```
#
# ```{solution} exercise-measure-adam
# :class: dropdown
#
# The identity gives $\langle\theta,m^+\rangle_\pm=\beta_1C$, so $C^+=\beta_1C-\eta\,\langle Pm^+,m^+\rangle_\pm$. In the metric of the step, $\langle P^{-1}(\theta^+-\theta),\theta\rangle_\pm=-\eta\beta_1C$, which is 0 for $\beta_1=0$, and $\langle P^{-1}\theta^+,\theta^+\rangle_\pm=\langle P^{-1}\theta,\theta\rangle_\pm-2\eta\beta_1C+\eta^2\langle Pm^+,m^+\rangle_\pm$. But the next step has another $P$, so nothing adds up. And $B$ changes by $-2\eta\,\langle Pm^+,\theta\rangle_\pm$ first of all, where $P$ weighs each entry, and no identity is left.
# ```
#
# ```{exercise} Another scale
# :label: exercise-measure-parameter
#
# Rerun the chapter with `scale = 256.0`. By how much does the slope of tanh come nearer to $-1$?
# ```
#
# ```{solution} exercise-measure-parameter
# :class: dropdown
#
# The next order is $1/\alpha$ relative, so the slope misses $-1$ by about a quarter of what it missed before.
# ```
#
# ## Where to go next
#
# ```{next}
# {doc}`/regime` leads from a symptom of your model to its number. {doc}`Balancedness <../initialization/balancedness>` has the laws in continuous time, where the drift is 0, and {doc}`the lazy theorem <../lazy_training/lazy_theorem>` the constant of the rate.
# ```
#
# ## References
#
# {cite:t}`kunin2021` found the identity as a symmetry of the loss, {cite:t}`lyu2020` the stationary points that margins grow to,
# {cite:t}`chizat2019` the lazy limit. A linearized network as a module is that of {cite:t}`ortizjimenez2023`.
