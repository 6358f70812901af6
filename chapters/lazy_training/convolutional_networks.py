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
# # Lazy convolutional networks lose accuracy
#
# Multiply a convolutional network by $\alpha$, take off what it puts out at the start, and train it. At small $\alpha$ it must change its features to fit the labels; at large $\alpha$ it trains like its linearization, no feature changes, and it classifies worse {cite}`chizat2019`. The picture below is made
# from the digits of scikit-learn with a small network (with a wider one the gap in accuracy closes and that in test loss stays, see *Scope*); VGG-11 on CIFAR-10, the slides' figure, is trained by the same code from a local folder.
#
# $$\begin{gathered}u_\alpha=\alpha\,\bigl(h(\theta)-h(\theta_0)\bigr),\\\alpha\to\infty:\quad u_\alpha\to\bar u,\\\text{test loss of }u_\alpha,\ \alpha\text{ small}\;<\;\min_t\,\text{test loss of }\bar u(t)\end{gathered}$$
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# $h(\theta,x)\in\mathbb R^C$ has $3\times3$ convolutions with ReLU in blocks that end in a $2\times2$ max pooling, and a linear layer; its weights $\theta_0$ are independent and Gaussian {cite}`he2015`, its biases $0$. The labels $y_i$ are unit vectors less their mean. Each step moves
#
# $$\theta\leftarrow\theta-\eta\,\nabla\,\frac1{2b\,\alpha^2}\sum_{i\in\text{batch}}\|u_\alpha(\theta,x_i)-y_i\|^2 .$$
#
# The *linearization* is $\bar u=\alpha\,Dh(\theta_0)(\theta-\theta_0)$, trained by the same steps; its outputs do not depend on $\alpha$.

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
from implicit_bias.models.two_layer import accuracy
from reproduce.claims import Claims, refined, rounding, standard_error
from reproduce.claims.glued import glue_all

claims = Claims("convolutional_networks")

style.use_style()
torch.set_num_threads(1)  # sums in one order

# %% [markdown]
# ## Theory
#
# That $u_\alpha$ tends to $\bar u$ is {prf:ref}`theorem-lazy` for gradient flow, as far as $h$ is smooth; for a fixed number of steps it follows from continuity, as in {prf:ref}`proposition-scale-lazy`. With ReLU a sample that passes a kink makes a jump in the slope; but the weights move by a length of order $1/\alpha$, and so does the share of the kinks that are passed.
#
# The linearization is not only a limit: its whole course is known without training. With $F=Dh(\theta_0)$ at the training images, $G$ at others, gradient flow of $\frac1{2n}\|\bar u-y\|^2$ gives
#
# ```{math}
# :label: conv-linear
# \begin{gathered}\bar u(t)=G\,V\,\frac{1-e^{-\lambda t/n}}\lambda\,V^\top F^\top y,\\F^\top F=V\operatorname{diag}(\lambda)V^\top .\end{gathered}
# ```
#
# So it can be asked for the lowest test loss and the highest accuracy that it reaches at *any* time: a lazy network that seems worse because it was trained too short, or too long, is not meant. No theorem says that features help; it depends on the images, and here it is measured.
#
# ```{prf:remark} The learning rate
# :label: remark-conv-rate
#
# $\eta=c\,n/\|F\|^2$ at large $\alpha$, from the largest eigenvalue of the {term}`tangent kernel` at $\theta_0$: the linearization has the same steps at every $\alpha$. At small $\alpha$ the outputs must grow from $\alpha\|h(\theta_0)\|$ to $\|y\|$. Without biases $h$ is homogeneous of degree $L$, the number of layers: if weights grow by a factor $g$, outputs grow by $g^L$ and the kernel
# by $g^{2(L-1)}$. Hence $\eta$ gets the factor $\min(1,(5\,\alpha\|h(\theta_0)\|/\|y\|)^{2-2/L})$, where $5$ was found by trial.
# ```
#
# ## Experiment
#
# Each run draws a network and the order of the batches. Half of the runs are trained at every scale and as the linearization, with the same batches and steps. After them training is finished neither at the largest scale nor, in some runs, at the smallest. Where the course of the linearization is known, they are therefore not compared at one time: the linearization may choose its best
# times, and on the test images themselves; against it stands the smallest scale after three times the steps, in twice *runs* runs. All numbers are float64: at $\alpha=10^7$ a float32 would leave nothing of $h(\theta)-h(\theta_0)$. The scales span nine decades.

# %% tags=["parameters"]
images: str = "digits"  # the images, one of {digits, cifar10}
folder: str = ""  # folder of the python batches of CIFAR-10, a path or empty
limit: int = 0  # images taken of each file of CIFAR-10, 0 for all of them, in [0, 10000]
trained: int = 256  # training images taken, 0 for all, in [0, 50000]
architecture: str = "small"  # the network, one of {small, vgg11}
channels: int = 4  # channels of the first convolution, in [4, 128]
# because with two channels all inputs of a ReLU can be 0, and the start lies on a kink
scales: list[float] = [0.01, 0.1, 1.0, 100.0, 1e7]  # scales α, increasing, each in [1e-3, 1e8]
rate: float = 0.8  # learning rate c, in units of the largest stable one's half, in [0.05, 1]
# because at 2 the linearization is no longer stable, with batches before that
batch: int = 32  # images of a batch, in [8, 1000]
steps: int = 300  # steps, in [200, 1000000]
# because the claim on the loss needs as many
runs: int = 7  # independent networks and orders of the batches, in [5, 20]
# because half of the runs are trained at every scale, and a standard error of two is none
device: str = "cpu"  # where the networks are trained, one of {cpu, cuda}
checkpoints: str = ""  # folder from which an interrupted run goes on, where empty keeps none, a path or empty
seed: int = 0  # seed of the streams of data, initialization and batches, in [0, 4294967295]
# where len(scales) >= 5 and scales == sorted(set(scales)) and scales[0] <= 0.05 and scales[-1] >= 100000
# where scales[-2] >= 10 * scales[-3] and scales[-3] >= 0.5 and scales[-2] <= 1000

# %% tags=["hide-input"]
streams = np.random.SeedSequence(seed).spawn(4)
data_stream, initialization_stream, untrained_stream = (np.random.default_rng(streams[k]) for k in (0, 1, 3))
batch_streams = streams[2].spawn(2 * runs)
on_device(np.zeros(1), device)  # refused at once if it is not there
raw = digits(data_stream, 1541) if images == "digits" else cifar10(folder, limit or None)
if trained > len(raw.x):
    raise ValueError(f"trained is {trained}; there are {len(raw.x)} training images, 0 takes all")
n, classes = trained or len(raw.x), raw.classes
side, colours = (8, 1) if images == "digits" else (32, 3)
net = (vgg11(side, colours, classes, channels) if architecture == "vgg11"
       else ConvNet(side, colours, ((channels,), (2 * channels, 2 * channels)), classes))
middle, spread = raw.x[:n].mean(), raw.x[:n].std()
x, x_test = (on_device((part - middle) / spread, device) for part in (raw.x[:n], raw.x_test))
y, y_test = (on_device(np.eye(classes)[part] - 1 / classes, device) for part in (raw.labels[:n], raw.labels_test))
labels, labels_test = (on_device(part, device) for part in (raw.labels[:n], raw.labels_test))
print(f"{n} training and {len(x_test)} test images of {x.shape[1]} numbers, {classes} classes")
print(f"{net.layers} layers, {net.size} weights; a step takes about {net.memory(batch) / 2**20:.2g} MiB of memory")

# %% tags=["hide-input"]
FEW = 256  # images whose ReLUs are compared, and that give the norm of the tangent kernel
GROWTH = 5.0  # of the remark on the learning rate
known = min(n * classes, net.size) <= 3000 and n * classes * net.size <= 5e7  # the Jacobian fits into memory
compared = 500 if known else len(x_test)  # test images on which losses are compared
few = (runs + 1) // 2  # runs that are trained at every scale, and as the linearization
pairs = 2 * runs if known else few  # networks that are compared with their linearization at its best
longer = 3 * steps if known else steps  # steps of these
CONTROLS = 2  # runs that learn the labels of an untrained network
small, large = scales[0], scales[-1]
total = (few * (len(scales) + 1) + 1 + (0 if known else CONTROLS)) * steps + (pairs + CONTROLS) * longer
bar = tqdm(total=total, disable=images == "digits", file=sys.stderr, unit="step", leave=False)
starts = [net.draw(stream) for stream in initialization_stream.spawn(pairs)]
origins = [tuple(on_device(part, device) for part in start) for start in starts]
norms = [tangent_norm(net, origin, x[:FEW]) for origin in origins]
LOSS, ACCURACY, TRAINED, FITTED = range(4)  # rows: loss and accuracy on the test set, on the training set


def untrained(part):
    """The classes that an untrained network sees in images: of its outputs, each in units of its spread, the largest."""
    first, there = (in_memory(teacher.first(images)) for images in (x, part))
    seen = np.argmax((there - first.mean(0)) / first.std(0), axis=1)
    return on_device(np.eye(classes)[seen] - 1 / classes, device)


teacher = ScaledNet(net, tuple(on_device(part, device) for part in net.draw(untrained_stream)), 1.0)
told = {"labels": (y, y_test), "untrained": (untrained(x), untrained(x_test))}  # what is learned: unit vectors less 1/C


def learning_rate(run, alpha):
    """η of the remark."""
    first = float((ScaledNet(net, origins[run], 1.0).first(x) ** 2).mean() / (y**2).mean()) ** 0.5
    return rate / norms[run] * min(1.0, GROWTH * alpha * first) ** (2 - 2 / net.layers)


def train(run, alpha, *, linear=False, order=None, learned="labels", until=steps):
    """The four rows at the end, the outputs on the test set, and the share of ReLUs that have changed.

    order: the run whose batches are taken, by default the same.
    learned: which labels.
    until: steps.
    """
    seen = ScaledNet(net, origins[run], alpha, linear)
    first, targets = seen.first(x), told[learned][0]

    def measure(theta):
        here = seen.outputs(theta, x)
        return float(((here - y) ** 2).sum(1).mean()), accuracy(here, labels)

    course = minibatch_descent(lambda theta, chosen: seen.batch_gradient(theta, x[chosen], first[chosen], targets[chosen]),
                               starts[run], Batches(n, batch, batch_streams[run if order is None else order]),
                               learning_rate(run, alpha), [until], measure, device=device,
                               checkpoint=Checkpoint(Path(checkpoints),
                                                     f"{raw.checksum} {alpha} {linear} {learned} {net}")
                               if checkpoints else None, progress=bar.update)
    if not course.converged:
        raise ValueError(f"rate is {rate:g}; the training diverged at the scale {alpha:g}, choose a smaller one")
    end = tuple(on_device(part, device) for part in course.parameters)
    changed = net.pattern(end, x[:FEW]) != net.pattern(origins[run], x[:FEW])
    there = seen.outputs(end, x_test)
    row = (float(((there - y_test) ** 2).sum(1).mean()), accuracy(there, labels_test), *course.values[-1])
    return row, in_memory(there), float(changed.double().mean())


def judged(outputs, learned="labels"):
    """Loss and accuracy of outputs on the test images on which they are compared, one of each for each time."""
    there, truth = outputs[..., :compared, :], in_memory(told[learned][1][:compared])
    loss = np.sum((there - truth) ** 2, axis=-1).mean(axis=-1)
    return np.stack([loss, np.mean(there.argmax(axis=-1) == truth.argmax(axis=-1), axis=-1)], axis=-1)


TIMES = np.concatenate([[steps], np.geomspace(10, 1e6, 41)])  # in steps


def known_course(run, learned="labels"):
    """Test loss of the linearization after the same time; its lowest loss and its highest accuracy of all times."""
    f, g = (in_memory(tangent_features(net, origins[run], part)) for part in (x, x_test[:compared]))
    goal = in_memory(told[learned][0]).ravel()
    outputs = linear_course(f / np.sqrt(n), goal / np.sqrt(n), g, rate / norms[run] * TIMES)
    values = judged(outputs.reshape(len(TIMES), -1, classes), learned)
    return values[0, 0], values[:, 0].min(), values[:, 1].max()


def frozen_course(run):
    """The highest accuracy, of all times, of the network of which the last layer alone is trained: a linear model."""
    *hidden, kernel, _ = origins[run]
    width = kernel.shape[1]
    last = (on_device(np.eye(width), device), on_device(np.zeros(width), device))  # puts out what the last layer sees
    inside = ScaledNet(net, (*hidden, *last), 1.0)
    f, g = (np.column_stack([in_memory(inside.first(part)), np.ones(len(part))]) for part in (x, x_test[:compared]))
    time = n * rate / np.linalg.norm(f, 2) ** 2 * TIMES
    outputs = [linear_course(f / np.sqrt(n), goal / np.sqrt(n), g, time) for goal in in_memory(y).T]  # by class
    return judged(np.stack(outputs, axis=-1))[:, 1].max()


# %%
courses = np.array([known_course(run) for run in range(pairs if known else 0)])  # predict
ends = {alpha: [train(run, alpha) for run in range(few)] for alpha in scales}  # train
linear = [train(run, 1.0, linear=True) for run in range(few)]
long = np.array([judged(train(run, small, until=longer)[1]) for run in range(pairs)])  # loss and accuracy
straight = np.array([judged(u) for _, u, _ in linear])
best = courses[:, 1:] if known else straight  # of the linearization: at its best times, or at the end
ahead = long - best  # compare
print(f"mean accuracy: smallest scale {long[:, 1].mean():.2f}, linearization at its best {best[:, 1].mean():.2f}")

# %% [markdown]
# What breaks a premise. *No feature changes*: of the same networks the last layer alone is trained, at whatever scale, and it may choose its best time too. *No feature is worth learning*: the same images, with the labels that an untrained network gives them; network and linearization learn those. If small scales or long times helped by themselves, both would
# do as well as before.

# %% tags=["hide-input"]
frozen = np.array([frozen_course(run) for run in range(pairs)])
strange = np.array([judged(train(run, small, learned="untrained", until=longer)[1], "untrained")[0]
                    for run in range(CONTROLS)])
strange_best = np.array([known_course(run, "untrained")[1] if known
                         else judged(train(run, 1.0, linear=True, learned="untrained")[1], "untrained")[0]
                         for run in range(CONTROLS)])
other = train(0, 1.0, linear=True, order=1)
bar.close()
distance = {
    alpha: np.array([np.sqrt(np.mean((u - v) ** 2)) for (_, u, _), (_, v, _) in zip(some, linear, strict=False)])
    for alpha, some in ends.items()
}
rows = {alpha: np.array([values for values, _, _ in some]) for alpha, some in ends.items()}
linear_rows = np.array([values for values, _, _ in linear])
changed = {alpha: np.array([share for _, _, share in some]) for alpha, some in ends.items()}

# %% mystnb={"figure": {"caption": "Digits of scikit-learn, a small network; dots are runs. Left: accuracy on the test set against the scale (blue: mean), and of the explicitly linearized network (dashed: mean), all after the same steps; the square and the dotted line are what is compared below: the smallest scale after three times the steps, and the linearization at the time of its highest accuracy. Right: share of the ReLUs that training has changed (green), and distance of the outputs from those of the linearization (orange); dashed: the slope $-1$ through the last scale but one.", "name": "figure-conv"}, "image": {"alt": "Left: an accuracy that falls from small scales to a plateau, which is that of the linearized network. Right: two quantities that fall like one over the scale", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.6, 3.9))
for alpha in scales:
    shown = rows[alpha][:, ACCURACY]
    left.semilogx([alpha] * len(shown), shown, "o", color=style.COLORS["sky"], markersize=4)
means = [rows[alpha][:, ACCURACY].mean() for alpha in scales]
left.semilogx(scales, means, "o-", color=style.COLORS["blue"], label="network, mean")
style.theory(left, [scales[0], scales[-1]], [linear_rows[:, ACCURACY].mean()] * 2, "linearization")
left.semilogx([small], [long[:, 1].mean()], "s", color=style.COLORS["blue"], label="three times the steps")
left.axhline(best[:, 1].mean(), color=style.COLORS["grey"], linestyle=":", label="linearization, any time")
left.set(xlabel=r"scale $\alpha$", ylabel="accuracy on the test set")
left.legend(loc="upper right", fontsize=12)
for values, color, label in ((distance, "orange", "distance"), (changed, "green", "changed ReLUs")):
    seen = [alpha for alpha in scales if np.mean(values[alpha]) > 0]
    right.loglog(seen, [values[alpha].mean() for alpha in seen], "o", color=style.COLORS[color], label=label)
    anchor = values[scales[-2]].mean() * scales[-2]
    lazy = np.array([scales[-3], scales[-1]])
    style.theory(right, lazy, anchor / lazy)
right.set(xlabel=r"scale $\alpha$", ylabel="share; RMS of outputs")
right.legend(loc="lower left", fontsize=12)
plt.show()

# %% [markdown]
# ## Headline claims
#
# Each box is a {term}`claim`: what theory predicts, what was measured, by how much they may differ and why. Means are over the runs. The last two claims take medians: a ReLU or a maximum of the pooling that happens to stand at its kink can switch at any scale: for the few test images that share a patch, or, as all images share the blank one, for a whole channel.
#
# ```{claim} accuracy
# :headline: highest accuracy of the linearization and accuracy of the smallest scale, means
# :source: observed in this chapter
# :evidence: observed
# :because: one standard error of the runs' differences
# :control: its last layer alone is trained, to its best time
# :order: highest accuracy of the linearization, accuracy of the smallest scale
#
# at a small scale this network is more accurate on the test set than its linearization is at any time
# ```
#
# ```{claim} loss
# :headline: test loss of the smallest scale and lowest test loss of the linearization, means
# :source: observed in this chapter
# :evidence: observed
# :because: one standard error of the runs' differences
# :control: the labels of an untrained network
# :order: test loss of the smallest scale, lowest test loss of the linearization
#
# its test loss is lower than the linearization's is at any time
# ```
#
# ```{claim} linear
# :headline: distance of the outputs of the largest scale from the linearization, median of test images and
#   runs
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
# :headline: exponent in α of the share of ReLUs that have changed, median of the runs
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

# %% tags=["hide-input"]
claims.increasing("accuracy", [best[:, 1].mean(), long[:, 1].mean()], error=standard_error(ahead[:, 1]),
                  control=[best[:, 1].mean(), frozen.mean()])
claims.increasing("loss", [long[:, 0].mean(), best[:, 0].mean()], error=standard_error(ahead[:, 0]),
                  control=[strange.mean(), strange_best.mean()])


def typical(alpha):
    """The median over runs and test images of the outputs' distance from the linearization."""
    outputs = [(u, v) for (_, u, _), (_, v, _) in zip(ends[alpha], linear, strict=False)]
    return float(np.median([np.sqrt(np.mean((u - v) ** 2, axis=1)) for u, v in outputs]))


def falls(two):
    """The exponent in α of the share of ReLUs that have changed, of the median over the runs."""
    return float(np.log(np.median(changed[two[1]] / changed[two[0]])) / np.log(two[1] / two[0]))


beside = scales[-2]
derived_size = float(ScaledNet(net, origins[0], 1.0).first(x_test).abs().max())  # of h
claims.limit("linear", 0.0, typical(large),
             error=typical(beside) * beside / large + rounding(np.sqrt(steps), derived_size, large),
             control=typical(small))
lazy_scales = np.array(scales[-3:-1])
derived_count = np.median(changed[beside]) * few * min(FEW, n) * net.units
derived_ratio = changed[lazy_scales[1]] / changed[lazy_scales[0]]
derived_ratio /= np.median(derived_ratio)
derived_scatter = 1.4826 * np.median(np.abs(derived_ratio - 1)) / np.sqrt(few)  # of normal draws one standard error
derived_off = distance[lazy_scales[0]].mean() / np.sqrt(np.mean(in_memory(y_test) ** 2))
claims.rate("patterns", -1.0, falls(lazy_scales),
            error=(np.sqrt(np.pi / 2) * max(derived_scatter, derived_count**-0.5) + derived_off**2 / 2)
            / np.log(lazy_scales[1] / lazy_scales[0]), control=falls(scales[:2]))

# %% [markdown]
# ## Instruments
#
# The product of the Jacobian with a vector against a difference of the network's outputs; where the Jacobian fits into memory, the test loss of the linearization after the same time, by {eq}`conv-linear`; and the numbers of the table below.
#
# ```{claim} jacobian
# :source: observed in this chapter
# :evidence: float with residual
# :because: the next order of a one-sided difference, from the one with twice the step; and rounding of h over
#   the step
# :control: not a small step
#
# the linearization is the derivative of the network
# ```
#
# ```{claim} course
# :source: observed in this chapter
# :evidence: trained and compared
# :because: one standard error of the difference, which is the noise of the batches; and the square of that
#   noise, which no mean takes away, from one network trained on the batches of two runs
# :control: the smallest scale
#
# the trained linearization has the test loss that the tangent kernel gives in closed form
# ```

# %% tags=["hide-input"]
TINY = 1e-7
nudged, moved, derived_twice = (  # towards the weights of another run
    tuple(part + step * towards for part, towards in zip(origins[0], origins[1], strict=True))
    for step in (TINY, 1.0, 2 * TINY))
slope = in_memory(ScaledNet(net, origins[0], 1 / TINY).outputs(nudged, x_test[:FEW]))
derived_slope = in_memory(ScaledNet(net, origins[0], 0.5 / TINY).outputs(derived_twice, x_test[:FEW]))
flat = in_memory(ScaledNet(net, origins[0], 1.0, True).outputs(moved, x_test[:FEW]))
claims.identity("jacobian", flat, slope,
                error=refined(slope, derived_slope, 2, 1) + rounding(net.layers, derived_size, 1 / TINY),
                control=in_memory(ScaledNet(net, origins[0], 1.0).outputs(moved, x_test[:FEW])))
if known:
    derived_noise = np.mean(np.sum((linear[0][1] - other[1]) ** 2, axis=1)) / 2  # of two independent draws
    claims.limit("course", courses[:few, 0].mean(), straight[:, 0].mean(),
                 error=standard_error(straight[:, 0] - courses[:few, 0]) + derived_noise,
                 control=rows[small][:, LOSS].mean())

# %% tags=["hide-input"]


def spread_of(values, digits=3):
    """Mean and standard error."""
    return f"{np.mean(values):.{digits}f} ± {np.std(values, ddof=1) / np.sqrt(len(values)):.{digits}f}"


table = {"small": rows[small][:, [ACCURACY, LOSS, FITTED, TRAINED]],
         "large": rows[large][:, [ACCURACY, LOSS, FITTED, TRAINED]],
         "linear": linear_rows[:, [ACCURACY, LOSS, FITTED, TRAINED]]}
for name, columns in table.items():
    parts = zip(("accuracy", "loss", "fitted", "trained"), columns.T, strict=True)
    glue_all(f"conv_{name}", **{part: spread_of(values) for part, values in parts})
glue_all("conv", best=spread_of(best[:, 0]), highest=spread_of(best[:, 1]), ahead=spread_of(ahead[:, 1]),
         outputs=f"{n * classes}", changed=f"{changed[small].mean():.2f}", weights=f"{net.size}")

# %% [markdown]
# Mean and standard error over the runs, after the same steps:
#
# | | test accuracy | test loss | training accuracy |
# |---|---|---|---|
# | smallest $\alpha$ | {glue:text}`conv_small_accuracy` | {glue:text}`conv_small_loss` | {glue:text}`conv_small_fitted` |
# | largest $\alpha$ | {glue:text}`conv_large_accuracy` | {glue:text}`conv_large_loss` | {glue:text}`conv_large_fitted` |
# | linearization | {glue:text}`conv_linear_accuracy` | {glue:text}`conv_linear_loss` | {glue:text}`conv_linear_fitted` |
#
# The largest scale is not trained to its end, and its accuracy is no measure of what lazy training can do: at its best of all times the linearization has the accuracy {glue:text}`conv_highest` and the test loss {glue:text}`conv_best`. What is left of the difference in accuracy is {glue:text}`conv_ahead`. At the smallest scale training has changed the share {glue:text}`conv_changed` of the ReLUs.
#
# ## What would falsify it
#
# A linearization that reaches the test loss or the accuracy of the small scale at some time; the same gap where no feature can change, or where none is worth learning; a network that stays away from its linearization as $\alpha$ grows, or changes as many ReLUs at every scale.
#
# ## Differences from the paper
#
# - **Changed.** The slides' Figure 5 is VGG-11 on CIFAR-10. Here a network of {glue:text}`conv_weights` weights sees 256 digits; accuracies are not comparable, the pattern is. The slides' scale is the file `convolutional_networks.paper.yaml`, with `folder=…`; it has not been run for this chapter.
# - **Ours.** The slides give neither learning rate nor initialization; {prf:ref}`remark-conv-rate` says ours. No normalization of batches, no momentum, no augmentation.
# - **Added.** The linearization's whole course in closed form; without it a lazy network might only be slow.
#
# ## Scope
#
# One data set, one small network, one rule for the learning rate. Where all inputs of a ReLU are $0$ and its bias is $0$ too, the start lies on a kink, and no scale makes the network equal to its linearization there; with two channels that happens, with four it has not been seen. Widths do not vary: that a wide network is lazy is the matter of {doc}`tangent_kernel` and {doc}`lazy_criterion`. VGG-11 has 9 million weights, 74 MB in float64; a step on a batch of 128 holds four such copies and 1 to 2 GB of feature maps. Where the Jacobian does not fit into memory the
# claims on loss and accuracy are made for the linearization at the end of its training, after the same steps.
#
# The linearization has as many parameters as the network has weights, {glue:text}`conv_weights`, for {glue:text}`conv_outputs` outputs on the training images. With fewer weights than outputs the tangent kernel is not positive definite, and the linearization cannot fit every label; VGG-11 has more. With more channels the linearization gains more than the network does: with twice as many the difference in accuracy is about half as large, with four times as many hardly any is left, and the claim on accuracy does not hold; the difference in test loss stays.
#
# ## Exercises
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
# It must first bring $\alpha h(\theta_0)$ down to the labels, a hundred times their size. For that the weights move by a length that does not fall with $\alpha$: it is not lazy.
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
# All that the run depends on: images, scale, whether it is the linearization, network, start, batches, learning rate and steps. Then the end is the same to the last bit.
# ````
#
# ## References
#
# {cite:t}`chizat2019` report the experiment; {cite:t}`simonyan2015` describe the networks, {cite:t}`he2015` their initialization; {cite:t}`krizhevsky2009` collected CIFAR-10.
