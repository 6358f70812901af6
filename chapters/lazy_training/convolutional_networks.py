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
# # Scaled down, a small convolutional network beats its linearization
#
# ```{question}
# ```
#
# We train a convolutional network of {glue:text}`conv_weights` weights on {glue:text}`conv_n` images of handwritten digits. Before training we subtract its first output and multiply by a number $\alpha$. With $\alpha=1/100$ the outputs are far smaller than the labels, so the weights must change much. The network learns features and *reads* (classifies correctly) {glue:text}`conv_small` of new digits. Its *linearization*, the first-order expansion at the start, keeps the features of the start. Its course is known in closed form. At best it reads {glue:text}`conv_best`. With $\alpha=1$, the usual scale, the random network's outputs are {glue:text}`conv_size_least` to {glue:text}`conv_size_most` times as large as the labels. So the weights change less, and at first the network is hardly ahead of its linearization trained with the same batches, with a test loss of {glue:text}`conv_level_usual` against {glue:text}`conv_level_linear` at a training loss of {glue:text}`conv_level`. Later the linearization overfits. The network does not, as far as we train.
#
# ```{hero}
# ```
#
# ## The statement
#
# Let $h(\theta,x)\in\mathbb R^C$ be the outputs of the network with weights $\theta$ at an image $x$, one for each of the $C$ classes, and $\theta_0$ the random start. We train
#
# $$u_\alpha(\theta,x)=\alpha\,\bigl(h(\theta,x)-h(\theta_0,x)\bigr),$$
#
# with the loss $\frac1{2n\alpha^2}\sum_i\|u_\alpha(\theta,x_i)-y_i\|^2$ on $n$ images $x_i$. The label $y_i$ is the unit vector of the class, less the mean $\frac1C$ in each entry. The losses that we report are means of $\|u_\alpha-y\|^2$ over images, without the factor $1/2\alpha^2$. Before training they are $1-\frac1C=0.9$. The factor $1/\alpha^2$ keeps the speed of the outputs at large $\alpha$ the same. The linearization is $\bar u=\alpha\,Dh(\theta_0)(\theta-\theta_0)$, where $Dh$ is the Jacobian in the weights. Its outputs in training do not depend on $\alpha$. For a fixed number of steps
#
# ```{math}
# :label: conv-linear
# \begin{gathered}u_\alpha\to\bar u\quad(\alpha\to\infty),\\[2pt]
# \bar u(t)=G\,V\,\frac{1-e^{-\lambda t/n}}\lambda\,V^\top F^\top y,\\
# F^\top F=V\operatorname{diag}(\lambda)V^\top .\end{gathered}
# ```
#
# The limit is {prf:ref}`proposition-conv-lazy`, and holds at every start at which no ReLU and no pooling stands at a kink, as at all of ours. Here $F=Dh(\theta_0)$ at the training images and $G$ at any others, $y$ holds all labels, and $t$ is the time of training, by gradient flow in the second line. So we know the linearization at *every* time, and can ask for its best. No theorem says that a network with a smaller $\alpha$ classifies better. Whether it does depends on the images, and here it is observed. {cite:t}`chizat2019` report it for VGG-11 on CIFAR-10, which we have not run.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [test accuracy](accuracy) at $\alpha=1/100$; predicted: linearization, best of all times | {glue:text}`conv_best` | {glue:text}`conv_small` ({glue:text}`conv_missed` times as many mistakes) | $\alpha=1$ at its end: {glue:text}`conv_usual` | features fixed (last layer alone), best of all times: {glue:text}`conv_frozen` |
# | [lead in test loss](usual) over the linearization at $\alpha=1$ when the training loss is {glue:text}`conv_level`, over that at $\alpha=1/100$ | at most 0.4 (chosen) | {glue:text}`conv_share` | $\alpha=1/10$: {glue:text}`conv_share_next` | |
# | [test loss](loss) at $\alpha=1/100$; predicted: linearization, best of all times | {glue:text}`conv_best_loss` | {glue:text}`conv_small_loss` | | labels of an untrained network: {glue:text}`conv_strange`, linearization {glue:text}`conv_strange_best` |
# | [test loss](width) with {glue:text}`conv_wider` channels at $\alpha=1/100$ when the training loss is {glue:text}`conv_wide_level` | lazy run, $\alpha=100$: {glue:text}`conv_wide_lazy` | {glue:text}`conv_wide_small` | $\alpha=1$: {glue:text}`conv_wide_usual` | |
# ```
#
# The first two rows are means over {glue:text}`conv_runs` random networks, the third has their medians, because a network can lose in training what it has learned (one of the seven does with `-p seed=3602422066`). The last row has means over {glue:text}`conv_wide` networks, for the lazy run over {glue:text}`conv_lazier`. All see the same images. In rows 1, 3 and 4 the column *predicted* holds the linearization. It is the rival that the network must beat, and nothing predicts what the network itself does. In row 2 a lazy network would have no lead. There the linearization is trained with the same batches as the networks, as the run at $\alpha=100$. Batches cost it something: at this training loss its test loss is {glue:text}`conv_batches` above that of the gradient flow of {eq}`conv-linear`.
#
# **What to remember?** A small network that is forced to change its features reads more digits than its linearization does at any time. It gains {glue:text}`conv_gain` percentage points, with a standard error of {glue:text}`conv_gain_error` over the random networks and the test images. It makes {glue:text}`conv_missed` times as many mistakes. It is ahead at equal training loss too, and most of the gain comes late. From a training loss of {glue:text}`conv_best_train` on, the test loss of the linearization rises. That of the network goes on falling, to a training loss of {glue:text}`conv_small_train`.
#
# **And the usual scale?** At $\alpha=1$ the lead over the linearization is at first small. At a training loss of {glue:text}`conv_level` the test loss is {glue:text}`conv_level_usual`, that of the linearization with the same batches {glue:text}`conv_level_linear`, and at $\alpha=1/100$ it is {glue:text}`conv_level_small`. Later the network seems to get ahead. At a training loss of {glue:text}`conv_late` its test loss is {glue:text}`conv_late_lead` below that of the gradient flow, with a standard error of {glue:text}`conv_late_error` over the networks, and it is below in {glue:text}`conv_ahead`. We train it to a training loss of {glue:text}`conv_usual_train`, and there it reads {glue:text}`conv_usual` of the new digits.
#
# **And wide networks?** At equal training loss the lead gets smaller. At a training loss of {glue:text}`conv_wide_level`, with {glue:text}`conv_channels` channels the test loss at $\alpha=1/100$ is {glue:text}`conv_early_lead` below that of the linearization. With {glue:text}`conv_wider` channels it is {glue:text}`conv_wide_lead` below that at $\alpha=100$ (means and standard errors over the networks). In the digits read there is no lead: {glue:text}`conv_wide_small_read` at $\alpha=1/100$ and {glue:text}`conv_wide_lazy_read` at $\alpha=100$. At $\alpha=1$ the lead is {glue:text}`conv_wide_share` of that at $\alpha=1/100$. With {glue:text}`conv_channels` channels most of the gain comes later. The wide networks we do not train so long, so the gain at their end is not compared.
#
# ## The smallest case
#
# Take one weight for each of two layers, $h(\theta)=\theta_1\theta_2$, the start $\theta_1=\theta_2=1$, and the label $y=1$ for $u=\alpha(\theta_1\theta_2-1)$. The two weights stay equal, so training ends at $\theta_1\theta_2=1+\frac1\alpha$. With $\alpha=100$ each weight grows by half a percent, and its slope $\partial h/\partial\theta_1=\theta_2$, the feature, hardly changes. With $\alpha=\frac1{100}$ the product must become $101$, so each weight, and each feature, becomes ten times as large. With $\alpha=1$ it becomes $\sqrt2$ times as large. So what counts is the size of the output at the start, here $\alpha$, over that of the label. The {glue:text}`conv_runs` random networks of this chapter, with He's initialization, have outputs {glue:text}`conv_size_least` to {glue:text}`conv_size_most` times as large as the labels (root mean squares on the training images). In the smallest case, with a label so much smaller than the output, each weight grows by {glue:text}`conv_growth_least` to {glue:text}`conv_growth_most` percent.

# %% tags=["hide-input"]
import sys
from pathlib import Path

import numpy as np
import torch
from matplotlib import pyplot as plt
from tqdm import tqdm

from implicit_bias.data import cifar10, digits
from implicit_bias.devices import in_memory, on_device
from implicit_bias.figures import style
from implicit_bias.flows import Batches, Checkpoint, minibatch_descent
from implicit_bias.limits.lazy import linear_course
from implicit_bias.models.convolutional import ConvNet, ScaledNet, tangent_features, tangent_norm, vgg11
from reproduce.claims import Claims, refined, rounding, standard_error
from reproduce.claims.glued import glue_all

claims = Claims("convolutional_networks")

style.use_style()
torch.set_num_threads(1)  # sums in one order

# %% [markdown]
# ## Experiment
#
# The network has $3\times3$ convolutions with ReLU in two blocks that end in a $2\times2$ max pooling, and a linear layer. Its weights $\theta_0$ are independent and Gaussian with the deviations of {cite:t}`he2015`, and its biases are $0$. It sees the digits of scikit-learn, $8\times8$ pixels each. We train by gradient descent on batches with momentum, $v\leftarrow0.9\,v-\eta\nabla$ and $\theta\leftarrow\theta+v$. The weights are float64 numbers. The outputs are float32 numbers up to $\alpha=1000$ and float64 numbers beyond, because at $\alpha=10^7$ a float32 would leave nothing of $h(\theta)-h(\theta_0)$.

# %% tags=["parameters"]
images: str = "digits"  # the images, one of {digits, cifar10}
folder: str = ""  # folder of the python batches of CIFAR-10, a path or empty
limit: int = 0  # images taken of each file of CIFAR-10, 0 for all of them, in [0, 10000]
trained: int = 256  # training images taken, 0 for all, in [0, 50000]
architecture: str = "small"  # the network, one of {small, vgg11}
channels: int = 4  # channels of the first convolution, in [4, 128]
# because with two channels all inputs of a ReLU can be 0, and the start lies on a kink
wider: int = 8  # channels of wider networks, in [5, 256]
# because it has more than the four channels below which the start can lie on a kink
scales: list[float] = [0.01, 0.1, 1.0, 100.0, 1e7]  # scales α, increasing, each in [1e-3, 1e8]
rate: float = 1.0  # learning rate c, in units of the largest stable one's half, in [0.05, 1]
# because at 2 the linearization without momentum is no longer stable
batch: int = 32  # images of a batch, in [8, 1000]
steps: int = 250  # steps at the smallest scale (twice as many at the usual one), in [200, 1000000]
# because with fewer the training loss stays above the levels at which runs are compared
runs: int = 7  # independent networks and orders of the batches, in [5, 20]
# because the tolerances are standard errors over the runs
device: str = "cpu"  # where the networks are trained, one of {cpu, cuda}
checkpoints: str = ""  # folder from which an interrupted run goes on, where empty keeps none, a path or empty
seed: int = 0  # seed of the streams of data, initialization and batches, in [0, 4294967295]
# where wider > channels
# where len(scales) >= 5 and scales == sorted(set(scales)) and scales[0] <= 0.05 and scales[-1] >= 100000
# where scales[-2] >= 10 * scales[-3] and scales[-3] >= 0.5 and scales[-2] <= 1000

# %% tags=["hide-input"]
streams = np.random.SeedSequence(seed).spawn(5)
data_stream, initialization_stream, untrained_stream, wider_stream = (np.random.default_rng(streams[k]) for k in (0, 1, 3, 4))
batch_stream, order_stream = streams[2].spawn(2)
on_device(np.zeros(1), device)  # refused at once if it is not there
raw = digits(data_stream, 1541) if images == "digits" else cifar10(folder, limit or None)
if trained > len(raw.x):
    raise ValueError(f"trained is {trained}; there are {len(raw.x)} training images, 0 takes all")
n, classes = trained or len(raw.x), raw.classes
side, colours = (8, 1) if images == "digits" else (32, 3)
tested = 1000 if images == "digits" else len(raw.x_test)


def network(first):
    """The network with so many channels in its first convolution."""
    return (vgg11(side, colours, classes, first) if architecture == "vgg11"
            else ConvNet(side, colours, ((first,), (2 * first, 2 * first)), classes))


def unit(chosen):
    """Labels as unit vectors less 1/C."""
    return on_device(np.eye(classes)[chosen] - 1 / classes, device)


net = network(channels)
middle, spread = raw.x[:n].mean(), raw.x[:n].std()
x, x_test = (on_device((part - middle) / spread, device) for part in (raw.x[:n], raw.x_test[:tested]))
WIDE, LAZIER = 5, 12  # wider networks, and those of them that are trained lazily, which differ more
few = (runs + 1) // 2  # networks that are trained at every scale
orders = on_device(np.stack([one.permutation(n) for one in np.random.default_rng(order_stream).spawn(max(runs, LAZIER))]), device)
small, usual, large = scales[0], min(scales, key=lambda one: abs(np.log(one))), scales[-1]
known = min(n * classes, net.size) <= 3000 and n * classes * net.size <= 5e7  # the Jacobian fits into memory
teacher = tuple(on_device(part, device) for part in net.draw(untrained_stream))


def untrained(part):
    """The classes that an untrained network sees: of its outputs, each in units of its spread, the largest."""
    first, there = (in_memory(net.output(teacher, one)) for one in (x, part))
    return unit(np.argmax((there - first.mean(0)) / first.std(0), axis=1))


told = {"labels": (unit(raw.labels[:n]), unit(raw.labels_test[:tested])), "untrained": (untrained(x), untrained(x_test))}
print(f"{n} training and {tested} test images of {x.shape[1]} numbers, {classes} classes")
print(f"{net.layers} layers, {net.size} weights; a step takes about {net.memory(batch) / 2**20:.2g} MiB of memory")

# %% tags=["hide-input"]
FEW = 256  # images whose ReLUs are compared
CONTROLS = 2  # networks that learn the labels of an untrained one
GROWTH = 2.5  # of the remark on the learning rate
MOMENTUM = 0.9
LONGER = 2 * steps  # steps at the usual scale
LAZY = 2 * steps // 5  # steps of the wider networks, and of the runs at all scales
bar = tqdm(total=steps + LONGER + LAZY * (len(scales) + 4), disable=images == "digits", file=sys.stderr, unit="step", leave=False)
TRAIN, TEST, ACCURACY = range(3)  # columns: training loss, test loss, test accuracy


def drawn(stream, count, net=net):
    """Random networks side by side: their kind, their weights and the norms of their tangent kernels over n."""
    draws = [net.draw(one) for one in stream.spawn(count)]
    norms = [tangent_norm(net, tuple(on_device(part, device).float() for part in one), x[:64].float(), 5) for one in draws]
    return net, tuple(np.stack(parts) for parts in zip(*draws, strict=True)), np.array(norms)


def first_of(starts, count):
    return starts[0], tuple(part[:count] for part in starts[1]), starts[2][:count]


def on_kind(alpha, parts):
    """Tensors as precise as a scale needs: up to 1,000 float32 leaves an error of the outputs below 0.001."""
    return tuple(on_device(part, device).to(torch.float32 if alpha <= 1e3 else torch.float64) for part in parts)


def judge(outputs, there, learned="labels"):
    """Training loss, test loss and test accuracy of outputs, … × 3."""
    targets = [in_memory(part) for part in told[learned]]
    loss = [np.sum((u - y) ** 2, axis=-1).mean(axis=-1) for u, y in zip((outputs, there), targets, strict=True)]
    return np.stack([*loss, np.mean(there.argmax(-1) == targets[1].argmax(-1), axis=-1)], axis=-1)


def heavy_ball(slope, eta, momentum=MOMENTUM):
    """The gradient of θ and its velocity v in one: v ← μv − η∇, θ ← θ + v; η has an entry for each network."""
    def step(state, chosen):
        theta, v = state[: len(state) // 2], state[len(state) // 2 :]
        faster = tuple(momentum * one - eta.reshape(-1, *[1] * (one.ndim - 1)) * part
                       for one, part in zip(v, slope(theta, chosen), strict=True))
        return (*(-one for one in faster), *(one - new for one, new in zip(v, faster, strict=True)))
    return step


def train(starts, alpha, count, *, learned="labels", records=12):
    """Gradient descent on batches: the columns, runs × (1 + records) × 3, and what the last weights put out and change."""
    net, weights, norms = starts
    rows = torch.arange(len(norms), device=device)[:, None]
    seen = ScaledNet(net, on_kind(alpha, weights), alpha)
    own, away, y = on_kind(alpha, (x, x_test, told[learned][0]))
    both = torch.cat([own, away]).expand(len(norms), -1, -1)
    first = seen.first(both)
    size = in_memory((first[:, :n] ** 2).mean((1, 2)) / (y**2).mean()) ** 0.5
    eta = rate / norms * np.minimum(1.0, GROWTH * alpha * size) ** (2 - 2 / net.layers)

    def slope(theta, chosen):
        at = orders[: len(norms), chosen]
        return seen.batch_gradient(on_kind(alpha, theta), own[at], first[rows, at], y[at])

    def outputs(theta):
        return np.split(in_memory(seen.outputs(on_kind(alpha, theta), both, first)), [n], axis=1)

    kept = Checkpoint(Path(checkpoints), f"{raw.checksum} {alpha} {learned} {net}") if checkpoints else None
    run = minibatch_descent(
        heavy_ball(slope, on_device(eta, device)), (*weights, *(0 * part for part in weights)), Batches(n, batch, batch_stream), 1.0,
        np.unique((np.linspace(0, 1, records + 1) ** 2 * count).astype(int))[1:],  # closer at first
        lambda state: judge(*outputs(state[: len(weights)]), learned=learned).ravel(), device=device, checkpoint=kept, progress=bar.update)
    if not run.converged:
        raise ValueError(f"rate is {rate:g}; the training diverged at the scale {alpha:g}, choose a smaller one")
    theta = run.parameters[: len(weights)]
    moved = net.pattern(on_kind(alpha, theta), both[:, :FEW]) != net.pattern(seen.origin, both[:, :FEW])
    values = run.values.reshape(-1, len(norms), 3).transpose(1, 0, 2)
    return values, outputs(theta)[1], in_memory(moved.double().mean((1, 2))), size


AGE = LAZY // 2  # when the closed form is compared with steps on all images
TIMES = np.sort([*np.geomspace(10, 1e6, 41), AGE])


def linearize(r):
    """The linearization's columns at all times in closed form, for the labels and for the control's; trained on batches; its hits; trained on all images."""
    origin = tuple(on_device(part[r], device) for part in starts[1])
    f, scale = tangent_features(net, origin, x), rate / starts[2][r]
    g = tangent_features(net, tuple(part.float() for part in origin), x_test.float())  # of no claim's last digits
    learned = list(told)[: 2 if r < CONTROLS else 1]
    y = np.stack([in_memory(told[one][0]).ravel() for one in learned], axis=1)
    theta = np.moveaxis(linear_course(in_memory(f), y, np.eye(net.size), scale * TIMES / n), 2, 0)  # labels × times × p
    seen = (theta @ in_memory(f).T).reshape(*theta.shape[:2], n, classes)
    there = in_memory(on_device(theta.astype(np.float32), device) @ g.T).reshape(*theta.shape[:2], tested, classes)
    columns = [judge(near, far, one) for near, far, one in zip(seen, there, learned, strict=True)]
    best = there[0, np.argmax(columns[0][:, ACCURACY])]
    whole = [train_linear(origin, f, scale / finer, orders[r], n, finer * AGE, 0.0) for finer in ((1, 2) if r == 0 else ())]
    return columns[0], columns[-1], train_linear(origin, f, scale, orders[r], batch, LAZY) if r < few else None, hits(best), whole


def hits(outputs):
    """Which test images are read correctly."""
    return outputs.argmax(-1) == in_memory(told["labels"][1]).argmax(-1)


def train_linear(origin, f, scale, order, size, count, momentum=MOMENTUM):
    """The same descent on the linearization, with batches of this size: its outputs on the test images, N × C."""
    rows, y = f.reshape(n, classes, -1)[order], told["labels"][0][order]

    def slope(theta, chosen):
        own, goal = (rows, y) if len(chosen) == n else (rows[chosen], y[chosen])
        return (own.flatten(0, 1).T @ (own @ theta[0] - goal).ravel() / len(chosen),)

    run = minibatch_descent(heavy_ball(slope, on_device(np.array([scale]), device), momentum), (np.zeros(net.size),) * 2,
                            Batches(n, size, batch_stream), 1.0, [count], lambda state: [float(state[0].abs().max())], device=device)
    moved = on_device(run.parameters[0], device).split([part.numel() for part in origin])
    theta = tuple(part + step.reshape(part.shape) for part, step in zip(origin, moved, strict=True))
    return in_memory(ScaledNet(net, origin, 1.0, linear=True).outputs(theta, x_test))

# %% [markdown]
# The linearizations come first, in closed form and at 42 times. Then we train the networks, at $\alpha=1/100$ for {glue:text}`conv_steps` steps, at $\alpha=1$ for {glue:text}`conv_longer`, and for a comparison at equal training loss at $\alpha=1/10$ and $100$ for {glue:text}`conv_lazy`. We record the losses on the training images and on {glue:text}`conv_tested` test images, and the test accuracy.

# %%
starts = drawn(initialization_stream, runs)
linearized = [linearize(r) for r in range(runs if known else 0)]  # predict
ends = {alpha: train(starts, alpha, count, records=records) for alpha, count, records in (
    (small, steps, 12), (usual, LONGER, 12), (scales[1], LAZY, 5), (scales[-2], LAZY, 5))}  # train
lazily = {alpha: [part[:few] for part in ends[alpha]] if alpha in (scales[1], scales[-2]) else train(first_of(starts, few), alpha, LAZY, records=1)
          for alpha in scales}
courses = {alpha: some[0] for alpha, some in ends.items()}  # runs × times × columns
linear = np.array([one[0] for one in linearized]) if known else lazily[large][0]
best = np.column_stack([linear[..., TEST].min(1), linear[..., ACCURACY].max(1)])  # each at its best time
for alpha in (small, usual):  # compare
    print(f"α = {alpha:g}: test accuracy {courses[alpha][:, -1, ACCURACY].mean():.3f} at the end")
print(f"linearization: test accuracy {best[:, 1].mean():.3f} at the best of all times")
# %% [markdown]
# Wider networks are trained the same way at $\alpha=1/100$, $1$ and $100$. Their Jacobians are large, so here the run at $\alpha=100$ stands for the linearization, and we compare at a training loss of {glue:text}`conv_wide_level`, which all of them reach.

# %% tags=["hide-input"]
LEVEL, LATE, EARLY = 0.5, 0.25, 0.3  # of the training loss


def together(level, *several):
    """The columns of several courses where the training loss first falls to a level, or to the lowest that all reach."""
    level = max(level, *(some[..., TRAIN].min(axis=1).max() for some in several))
    after = [[int(np.argmax(rows[:, TRAIN] <= level)) for rows in some] for some in several]
    return level, [np.array([rows[k - 1] + (rows[k - 1, TRAIN] - level) / (rows[k - 1, TRAIN] - rows[k, TRAIN]) * (rows[k] - rows[k - 1])
                             for rows, k in zip(some, ks, strict=True)]) for some, ks in zip(several, after, strict=True)]


wide_starts = drawn(wider_stream, LAZIER, network(wider))
wide_level, wide = together(EARLY, *(train(first_of(wide_starts, count), alpha, longer * LAZY, records=4)[0]
                                     for alpha, longer, count in ((small, 2, WIDE), (usual, 1, WIDE), (scales[-2], 1, LAZIER))))
wide_small, wide_usual, wide_lazy = wide  # each runs × columns

# %% [markdown]
# ### What breaks
#
# *Features fixed.* Of the same networks we train the last layer alone. This model is linear at every scale. At its best time it reads {glue:text}`conv_frozen` of the new digits, fewer than the linearization of all layers.
#
# *No feature worth learning.* We take the same images, with the labels that an untrained network gives them. Network and linearization are trained on those. If a small scale or many steps were enough, the network would be as far ahead here. It is hardly ahead: its test loss is {glue:text}`conv_strange`, and the lowest of the linearization is {glue:text}`conv_strange_best` (means of two networks). On the true labels the medians are {glue:text}`conv_small_loss` and {glue:text}`conv_best_loss`. The claim demands a lead of four standard errors, rounded up, and the control lacks it.

# %% tags=["hide-input"]
def frozen_course(r):
    """The highest accuracy, of all times, of the network of which the last layer alone is trained: a linear model."""
    origin = tuple(on_device(part[r], device) for part in starts[1])
    f, g = (np.column_stack([in_memory(net.layerwise(origin, part)[2][-1]), np.ones(len(part))]) for part in (x, x_test))
    outputs = linear_course(f, in_memory(told["labels"][0]), np.vstack([f, g]), rate / np.linalg.norm(f, 2) ** 2 * TIMES)
    return judge(*np.split(outputs, [n], axis=1))[:, ACCURACY].max()


frozen = np.array([frozen_course(r) for r in range(runs)])
strange = train(first_of(starts, CONTROLS), small, steps, learned="untrained", records=1)[0][:, -1, TEST]
strange_best = np.array([one[1][:, TEST].min() for one in linearized[:CONTROLS]]) if known else train(
    first_of(starts, CONTROLS), large, LAZY, learned="untrained", records=1)[0][:, -1, TEST]
bar.close()
# %% tags=["hide-input"]
level, at = together(LEVEL, *courses.values(), linear)
late_level, late = together(LATE, courses[small], courses[usual], linear)
at, late = dict(zip((*courses, "linear"), at, strict=True)), dict(zip((small, usual, "linear"), late, strict=True))
ahead = {alpha: at[scales[-2]][:, TEST].mean() - at[alpha][:, TEST].mean() for alpha in courses}  # of a lazy network with the same batches
share = {alpha: value / ahead[small] for alpha, value in ahead.items()}
last = {alpha: runs_of[:, -1] for alpha, runs_of in courses.items()}
paired = len(best)
gain = last[small][:paired, ACCURACY] - best[:, 1]
missed = (1 - last[small][:, ACCURACY].mean()) / (1 - best[:, 1].mean())
by_image = np.mean(hits(ends[small][1]) * 1.0 - [one[3] for one in linearized], axis=0) if known else np.zeros(2)
gain_error = np.hypot(standard_error(gain), standard_error(by_image))  # networks and images are drawn
lead = (late["linear"] - late[usual][:paired])[:, TEST]
early = together(wide_level, courses[small], linear)[1]
leads = [(early[1] - early[0][:paired])[:, TEST], wide_lazy[:, TEST].mean() - wide_small[:, TEST]]  # at the level of the wider networks
lead_errors = standard_error(leads[0]), np.hypot(*(standard_error(some[:, TEST]) for some in (wide_small, wide_lazy)))
end_lead = best[:, 0] - last[small][:paired, TEST]
typical_error = 1.2533 * 1.4826 * np.median(np.abs(end_lead - np.median(end_lead))) / np.sqrt(paired)  # of a median, by the median deviation
linear_outputs = np.array([one[2] for one in linearized[:few]])
distance = {alpha: np.sqrt(np.mean((some[1] - (linear_outputs if known else lazily[large][1])) ** 2, axis=2))
            for alpha, some in lazily.items()}  # runs × test images
changed = {alpha: some[2] for alpha, some in lazily.items()}
size = ends[small][3]


def percent(part):
    return f"{100 * np.mean(part):.0f} %"


glue_all("conv", small=percent(last[small][:, ACCURACY]), usual=percent(last[usual][:, ACCURACY]), best=percent(best[:, 1]),
         frozen=percent(frozen), batches=f"{100 * (at[scales[-2]][:paired, TEST].mean() / at['linear'][:, TEST].mean() - 1):.0f} %",
         gain=f"{100 * gain.mean():.0f}", gain_error=f"{100 * gain_error:.1f}",
         wide_small_read=percent(wide_small[:, ACCURACY]), wide_lazy_read=percent(wide_lazy[:, ACCURACY]),
         growth_least=f"{100 * ((1 + 1 / size.max()) ** 0.5 - 1):.0f}", growth_most=f"{100 * ((1 + 1 / size.min()) ** 0.5 - 1):.0f}",
         changed=percent(changed[small]), usual_changed=percent(changed[usual]), size_least=f"{size.min():.1f}", size_most=f"{size.max():.1f}")
glue_all("conv", ".3f", level_small=at[small][:, TEST].mean(), level_usual=at[usual][:, TEST].mean(), level_linear=at[scales[-2]][:, TEST].mean(),
         late_lead=lead.mean(), late_error=standard_error(lead))
glue_all("conv", **{f"{name}_lead": f"{some.mean():.2f} ± {error:.2f}" for name, some, error in zip(("early", "wide"), leads, lead_errors, strict=True)})
glue_all("conv", ".2f", missed=missed, share=share[usual], wide_share=(wide_lazy[:, TEST].mean() - wide_usual[:, TEST].mean()) / leads[1].mean(), share_next=share[scales[1]], best_loss=np.median(best[:, 0]), small_loss=np.median(last[small][:, TEST]), strange=strange.mean(), strange_best=strange_best.mean(),
         wide_lazy=wide_lazy[:, TEST].mean(), wide_small=wide_small[:, TEST].mean(), wide_usual=wide_usual[:, TEST].mean(),
         small_train=last[small][:, TRAIN].mean(), usual_train=last[usual][:, TRAIN].mean(),
         best_train=np.mean([rows[np.argmin(rows[:, TEST]), TRAIN] for rows in linear]), usual_distance=np.median(distance[usual]),
         small_distance=np.median(distance[small]))
glue_all("conv", n=str(n), tested=f"{tested:,}", weights=f"{net.size:,}", runs=str(runs), wide=str(WIDE), lazier=str(LAZIER), channels=str(channels), wider=str(wider),
         outputs=f"{n * classes:,}", steps=str(steps), longer=str(LONGER), lazy=str(LAZY), level=f"{level:.2g}", late=f"{late_level:.2g}",
         wide_level=f"{wide_level:.2g}", ahead=f"{(lead > 0).sum()} of {paired}")

# %% mystnb={"figure": {"caption": "The linearization overfits. The network of the usual scale, $\\alpha=1$, has nearly the same losses at first, and the network that is scaled down to $\\alpha=1/100$ goes far below. Squared loss on new digits against the training loss, which is 0.9 before training. Dots: means over seven networks, with one standard error. Black dashed: the mean of their linearizations, known before training. Percentages: new digits classified correctly, of the networks at the end, of the linearizations at their best time.", "name": "figure-conv"}, "image": {"alt": "Loss on new digits against training loss. Three curves fall together to a training loss of about 0.6. From there the scaled-down one falls faster, to less than half of the others. Near 0.3 the dashed one turns up, and the one of the usual scale stays level below it.", "classes": "panels-1"}} tags=["hero", "hide-input"]
(ax,) = style.panels(1, (5.2, 4.2))
blue, orange, green = (style.COLORS[name] for name in ("blue", "orange", "green"))
for alpha, color in ((small, blue), (usual, orange)):
    center, error = courses[alpha][:, 1:].mean(0), courses[alpha][:, 1:, TEST].std(0, ddof=1) / np.sqrt(runs)
    ax.errorbar(center[:, TRAIN], center[:, TEST], error, fmt="o-", color=color, markersize=5)
style.theory(ax, *linear.mean(0).T[[TRAIN, TEST]])
ax.set(xscale="log", xlim=(0.9, 0.055), ylim=(0.1, 0.9), xlabel="training loss (time runs right)", ylabel="loss on new digits",
       xticks=[0.9, 0.4, 0.2, 0.1], xticklabels=["0.9", "0.4", "0.2", "0.1"])
ax.minorticks_off()
ax.text(0.165, 0.85, f"linearization,\npredicted: overfits,\nat most {percent(best[:, 1])} correct", va="top")
ax.text(0.195, 0.49, rf"$\alpha=1$: {percent(last[usual][:, ACCURACY])} correct", color="#a87400", va="center")
ax.text(0.2, 0.27, f"$\\alpha=1/100$: learns\nfeatures, {percent(last[small][:, ACCURACY])} correct", color=blue, ha="right", va="top")
plt.show()

# %% [markdown]
# How lazy is a network at $\alpha=1$? In {glue:text}`conv_lazy` steps training changes {glue:text}`conv_usual_changed` of its ReLUs, against {glue:text}`conv_changed` at $\alpha=1/100$. From $\alpha=1$ to $100$ this share falls about like $1/\alpha$. The outputs on new images are {glue:text}`conv_usual_distance` from those of the linearization at $\alpha=1$ (median of the root mean square), and {glue:text}`conv_small_distance` at $\alpha=1/100$. The labels are 0.3 from zero.

# %% mystnb={"figure": {"caption": "From $\\alpha=1$ to $100$ the share of ReLUs that change falls about like $1/\\alpha$. Green: share of the ReLUs that differ after 100 steps. Orange: distance of the outputs on a new image from those of the linearization trained with the same batches. It falls too, from $\\alpha=1$ to 100 by a factor of 20, and from 100 to $10^7$ by more than $1/\\alpha$. Both are medians over four networks. Dashed: slope $-1$ through the last scale but one. At $\\alpha=10^7$ no ReLU changes in the median, so there is no green dot.", "name": "figure-conv-scales"}, "image": {"alt": "Two quantities against the scale, flat up to one tenth, then falling about like one over the scale; at the largest scale one is zero and the other below its dashed line.", "classes": "panels-1"}} tags=["hide-input"]
(right,) = style.panels(1, (5.2, 3.6))
for values, color in ((distance, orange), (changed, green)):
    means = np.array([np.median(values[alpha]) for alpha in scales])
    right.loglog(np.array(scales)[means > 0], means[means > 0], "o", color=color)
    style.theory(right, scales[-3:], means[-2] * scales[-2] / np.array(scales[-3:]))
right.text(scales[0], 1e-5, "ReLUs changed\n(share)", color="#006b4f")
right.text(30, 0.03, "outputs, distance from\nthe linearization", color="#a87400")
right.set(xlabel=r"scale $\alpha$", ylabel="share, distance")
plt.show()

# %% [markdown]
# ## Theory
#
# ```{prf:proposition} The lazy limit, for a fixed number of steps
# :label: proposition-conv-lazy
#
# Let $\theta\mapsto h(\theta,x_i)$ be continuously differentiable near $\theta_0$ for the training images $x_i$, and let $x$ be an image where it is too. Let network and linearization be trained from $\theta_0$ with the same batches, step size, momentum and number of steps. Then $u_\alpha(x)\to\bar u(x)$ as $\alpha\to\infty$. If all these $h$ are twice differentiable near $\theta_0$ with a bounded second derivative, the distance is at most a constant over $\alpha$.
# ```
#
# ````{prf:proof}
# :class: dropdown
#
# Let $\vartheta=\alpha(\theta-\theta_0)$ and let $v$ be the velocity of $\vartheta$. A step on the batch $B$ adds $-\frac{\eta}{|B|}\sum_{i\in B}Dh(\theta_0+\vartheta/\alpha,x_i)^\top(u_\alpha-y_i)$ to $0.9\,v$, and $u_\alpha=\alpha(h(\theta_0+\vartheta/\alpha)-h(\theta_0))\to Dh(\theta_0)\vartheta$ uniformly for $\vartheta$ in a bounded set. So by induction over the steps $(\vartheta,v)$ tends to that of the linearization, where $Dh(\theta_0)$ stands in place of $Dh(\theta_0+\vartheta/\alpha)$ and $Dh(\theta_0)\vartheta$ in place of $u_\alpha$. With a bounded second derivative each of the two replacements costs $O(1/\alpha)$ in a step, and the steps are Lipschitz on bounded sets. $\square$
# ````
#
# A network with ReLU is differentiable near $\theta_0$ unless some ReLU has the input $0$, or two numbers that are pooled together are equal and positive at $\theta_0$ but not at all $\theta$ near it. (Where two patches of the image are the same, as in the background, they are equal at every $\theta$, and no kink arises.) For a given image with Gaussian weights this happens with probability $0$ but for one case: where all inputs of a ReLU are $0$ and its bias is $0$ too. That needs channels that are dead on a whole patch. Its probability is positive for every number of channels and falls fast. With two channels we saw it, with four not.
#
# How many ReLUs change? A weight moves by a length of the order $1/\alpha$. So a ReLU changes if its input at the start is of that order, and the share of these is of the order $1/\alpha$ too (*formal derivation*).
#
# ```{prf:remark} The learning rate
# :label: remark-conv-rate
#
# $\eta=c\,n/\|F\|^2$ at large $\alpha$, from the largest eigenvalue of the {term}`tangent kernel` at $\theta_0$: the linearization has the same steps at every $\alpha$. At small $\alpha$ the outputs must grow from $\alpha\|h(\theta_0)\|$ to $\|y\|$. Without biases $h$ is homogeneous of degree $L$, the number of layers: if weights grow by a factor $g$, outputs grow by $g^L$ and the kernel by $g^{2(L-1)}$. Hence $\eta$ gets the factor $\min(1,(2.5\,\alpha\|h(\theta_0)\|/\|y\|)^{2-2/L})$, where $2.5$ was found by trial. The eigenvalue is estimated on 64 of the images.
# ```

# %% [markdown]
# ## Instruments
#
# Each claim with its allowed error and its control. A {term}`claim` must hold within its allowed error, and its {term}`control` must not.
#
# ### The numbers of the table
#
# Means are over the networks. All four are observed, because no theorem says which scale classifies better.
#
# ```{claim} accuracy
# :headline: test images misread at the smallest scale over those misread by the linearization at its best, means
# :source: observed in this chapter
# :evidence: observed
# :because: fewer is fewer; how many fewer differs from seed to seed, and the standard error of the gain over
#   networks and images stands in the text
# :control: its last layer alone is trained, to its best time
#
# at a small scale these networks misread fewer of the test images, in the mean, than their linearizations do
# at any time
# ```
#
# ```{claim} usual
# :headline: lead of the usual scale over that of the smallest, each in mean test loss at one training loss
# :source: observed in this chapter
# :evidence: observed
# :because: two fifths, chosen
# :contrast: the scale after the smallest in place of the usual one
#
# at the usual scale the network's lead over its linearization, trained with the same batches to the same training
# loss, is at most two fifths of that at the smallest scale
# ```
#
# ```{claim} loss
# :headline: test loss of the smallest scale and lowest test loss of the linearization, medians
# :source: observed in this chapter
# :evidence: observed
# :because: one standard error of the median of the runs' differences, by their median deviation
# :control: the labels of an untrained network
# :order: test loss of the smallest scale, lowest test loss of the linearization
#
# at a small scale the test loss of the typical network is lower than that of its linearization at any time
# ```
#
# ```{claim} width
# :headline: test loss of the smallest scale and of the lazy network at the training loss 0.3, wider networks, means
# :source: observed in this chapter
# :evidence: observed
# :because: one standard error of the difference of the two means
# :contrast: the usual scale in place of the smallest
# :order: test loss of the smallest scale, test loss of the lazy network
#
# in the wider networks the smallest scale still has the lower test loss at equal training loss
# ```

# %% tags=["hide-input"]
claims.below("accuracy", 1.0, missed, level=0.0, control=(1 - frozen.mean()) / (1 - best[:, 1].mean()))
claims.below("usual", 0.4, share[usual], level=0.0, control=share[scales[1]])
claims.increasing("loss", [np.median(last[small][:, TEST]), np.median(best[:, 0])], error=typical_error,
                  control=[strange.mean(), strange_best.mean()])
of_small, of_usual, of_lazy = (some[:, TEST].mean() for some in wide)
claims.increasing("width", [of_small, of_lazy], error=lead_errors[1], control=[of_usual, of_lazy])

# %% [markdown]
# ### The linearization
#
# The linearization by the Jacobian against the network at the largest scale, against differences of the outputs, and against {eq}`conv-linear`; and the share of ReLUs that change. The first and the last take medians, because a ReLU that happens to stand at its kink can switch at any scale.
#
# ```{claim} linear
# :source: Chizat, Oyallon and Bach 2019, Theorem 2.2
# :evidence: trained and compared
# :because: 1/α from the scale before the largest; and rounding of h, times α, in each of the steps, of either
#   sign
# :control: the smallest scale
#
# at the largest scale the network puts out what its explicit linearization does
# ```
#
# ```{claim} patterns
# :source: observed in this chapter
# :evidence: observed
# :because: one standard error of the median, from the runs' scatter or, where that is larger, from the counts
#   as if ReLUs switched independently; and an estimate of the next order at the smaller of the two scales,
#   half of the square of the outputs' distance from the linearization, over that of the labels from 0: so
#   much longer is a way with a random detour
# :control: the two smallest scales
#
# the share of the ReLUs that training changes falls like 1/α
# ```
#
# ```{claim} jacobian
# :evidence: float with residual
# :because: the next order of a one-sided difference, from the one with twice the step; and rounding of h over
#   the step
# :control: not a small step
#
# the linearization is the derivative of the network
# ```
#
# ```{claim} course
# :evidence: trained and compared
# :because: the next order in the step size, from the run with twice the step
# :control: the smallest scale
#
# a linearization that is trained on all images at once, without momentum, has the test loss that the tangent
# kernel gives in closed form, at the same time
# ```

# %% tags=["hide-input"]
def falls(two):
    """The exponent in α of the share of ReLUs that have changed, of the median over the runs."""
    return float(np.log(np.median(changed[two[1]] / changed[two[0]])) / np.log(two[1] / two[0]))


TINY = 1e-7
beside, lazy_scales = scales[-2], np.array(scales[-3:-1])
origin, other = (tuple(on_device(part[r], device) for part in starts[1]) for r in (0, 1))
derived_size = float(net.output(origin, x_test).abs().max())  # of h
if known:
    typical = {alpha: float(np.median(values)) for alpha, values in distance.items()}
    claims.limit("linear", 0.0, typical[large],
                 error=typical[beside] * beside / large + rounding(np.sqrt(LAZY), derived_size, large), control=typical[small])
derived_count = np.median(changed[beside]) * few * min(FEW, n) * net.units
derived_ratio = changed[lazy_scales[1]] / changed[lazy_scales[0]]
derived_ratio /= np.median(derived_ratio)
derived_scatter = 1.4826 * np.median(np.abs(derived_ratio - 1)) / np.sqrt(few)  # of normal draws one standard error
derived_off = np.sqrt(np.mean(distance[lazy_scales[0]] ** 2)) / np.sqrt(np.mean(in_memory(told["labels"][1]) ** 2))
claims.rate("patterns", -1.0, falls(lazy_scales),
            error=(np.sqrt(np.pi / 2) * max(derived_scatter, derived_count**-0.5) + derived_off**2 / 2)
            / np.log(lazy_scales[1] / lazy_scales[0]), control=falls(scales[:2]))
nudged, moved, derived_twice = (  # towards the weights of another run
    tuple(part + step * towards for part, towards in zip(origin, other, strict=True))
    for step in (TINY, 1.0, 2 * TINY))
slope = in_memory(ScaledNet(net, origin, 1 / TINY).outputs(nudged, x_test[:FEW]))
derived_slope = in_memory(ScaledNet(net, origin, 0.5 / TINY).outputs(derived_twice, x_test[:FEW]))
flat = tangent_features(net, origin, x_test[:FEW]) @ torch.cat([(end - part).ravel() for end, part in zip(moved, origin, strict=True)])
claims.identity("jacobian", in_memory(flat).reshape(-1, classes), slope,
                error=refined(slope, derived_slope, 2, 1) + rounding(net.layers, derived_size, 1 / TINY),
                control=in_memory(ScaledNet(net, origin, 1.0).outputs(moved, x_test[:FEW])))
if known:
    derived_coarse, measured = (np.sum((one - in_memory(told["labels"][1])) ** 2, axis=1).mean() for one in linearized[0][4])
    claims.limit("course", linear[0, np.searchsorted(TIMES, AGE), TEST], measured, error=refined(measured, derived_coarse, 2, 1),
                 control=last[small][0, TEST])

# %% [markdown]
# ## What would falsify it
#
# A linearization that reaches the test loss or the accuracy of the small scale at some time; the same gap where no feature can change, or where none is worth learning; a network at $\alpha=1$ that leads at equal training loss by as much as one at $\alpha=1/100$; or one that changes as many ReLUs at every scale.
#
# ## Differences from the paper
#
# - *Changed.* The slides' Figure 5 is VGG-11 on CIFAR-10. Here a network of {glue:text}`conv_weights` weights sees {glue:text}`conv_n` digits, so accuracies are not comparable. The slides' scale is the file `convolutional_networks.paper.yaml`, with `folder=…`. It has not been run for this chapter.
# - *Changed.* We compare at equal training loss and at each model's best time, and not only after the same steps.
# - *Ours.* The slides give neither learning rate nor initialization, and {prf:ref}`remark-conv-rate` says ours. There is momentum, but no normalization of batches and no augmentation.
# - *Added.* The linearization's whole course in closed form. Without it a lazy network might only be slow.
#
# ## Scope
#
# One data set, one family of small networks, one rule for the learning rate. The linearization has {glue:text}`conv_weights` parameters for {glue:text}`conv_outputs` outputs on the training images, so it cannot fit every label. The wider ones can. For these we have no closed form, and the run at $\alpha=100$ stands for the linearization. VGG-11 has 9 million weights, and its Jacobian does not fit into memory. There the largest scale stands for the linearization too.
#
# The best times of the linearization are chosen on the test images themselves. This favours it. The gain of the first row has a standard error of {glue:text}`conv_gain_error` percentage points if networks and test images are both taken as drawn. The gain depends on how easy the drawn digits are. On twenty fresh seeds (`make seeds`) the network made from 0.45 to 0.70 times as many mistakes, 0.52 in the mean, so the claim asks only that they are fewer. What the network at $\alpha=1$ does below a training loss of {glue:text}`conv_usual_train` is not shown. Its learning rate is that of the linearization, and the one at $\alpha=1/100$ has a factor found by trial ({prf:ref}`remark-conv-rate`). Other rates are not compared.
#
# ## Exercises
#
# ````{exercise} Warm-up: how far must the weights move
# :label: exercise-conv-warm
#
# Take $h(\theta)=\theta_1\theta_2\theta_3$ from $\theta=(1,1,1)$. By which factor does each weight grow until $\alpha(h(\theta)-1)=1$, at $\alpha=100$ and at $\alpha=\frac1{100}$?
# ````
#
# ````{solution} exercise-conv-warm
# :class: dropdown
#
# By symmetry each becomes $(1+\frac1\alpha)^{1/3}$: $1.0033$ and $4.66$.
# ````
#
# ````{exercise} Precision
# :label: exercise-conv-precision
#
# Which scale is the largest at which float32 would still give outputs to three digits?
# ````
#
# ````{solution} exercise-conv-precision
# :class: dropdown
#
# $h(\theta)$ is of order one and known to $10^{-7}$; $\alpha$ times that must stay below $10^{-3}$ of outputs of order $0.3$: $\alpha$ of a few thousand.
# ````
#
# ````{exercise} What the centring is for
# :label: exercise-conv-centre
#
# Train without $-h(\theta_0)$ at $\alpha=100$. What must the network learn first, and does it stay lazy?
# ````
#
# ````{solution} exercise-conv-centre
# :class: dropdown
#
# It must first bring $\alpha h(\theta_0)$ down to the labels, some hundreds of times their size. For that the weights move by a length that does not fall with $\alpha$: it is not lazy.
# ````
#
# ````{exercise} Interrupted
# :label: exercise-conv-resume
#
# Run the chapter on the command line with `-p checkpoints=kept`, stop it with Ctrl-C and run it again. What must be part of a checkpoint's name?
# ````
#
# ````{solution} exercise-conv-resume
# :class: dropdown
#
# All that the run depends on: images, scale, labels, network, start, batches, learning rate, momentum and steps. Then the end is the same to the last bit.
# ````
#
# ## Where to go next
#
# ```{next}
# {doc}`Scale and generalization <scale_and_generalization>` compares both regimes where the lazy end is known for every draw, and {doc}`the tangent kernel <tangent_kernel>` says why wide networks of the usual scale are lazy.
# ```
#
# ## References
#
# {cite:t}`chizat2019` report the experiment; {cite:t}`simonyan2015` describe the networks, {cite:t}`he2015` their initialization; {cite:t}`krizhevsky2009` collected CIFAR-10.
