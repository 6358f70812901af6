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
# # Stable rank on images: small initializations find low rank
#
# Frei, Vardi, Bartlett, Srebro and Hu train a two-layer network on CIFAR-10 and watch the {term}`stable rank` of its first layer $W$ {cite}`frei2023`. From TensorFlow's default initialization it stays high; from a small one it collapses within a few
# steps: what training adds lies in few directions, about as many as there are classes, and soon outgrows a small start. Both networks classify about equally well: there are many ways to fit the data, and the start decides which is found. There is no theorem for images. What can be predicted before
# training are the start and the first step:
#
# $$\begin{gathered}\mathrm{SR}(W(0))\approx\frac{md}{(\sqrt m+\sqrt d)^2},\\
# \mathrm{SR}(\nabla_WL)\approx\frac{\operatorname{tr}S}{\|S\|_2},\\
# S=\sum_{i,k}(e_i\cdot e_k)(\pi-\theta_{ik})\,x_ix_k^\top,\end{gathered}$$
#
# for $m$ neurons, $d$ pixels, a small start, and images $x_i$ at angles $\theta_{ik}$; $e_i$ is the label as a unit vector, less the mean of all unit vectors.
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# An image $x\in\mathbb R^d$ has one of $C$ labels. The network has $m$ ReLU neurons and biases, and both layers are trained:
#
# $$\begin{aligned}f(x)&=A\,(Wx+b)_++c,\\
# L&=-\frac1n\sum_{i=1}^n\ln p_i[y_i],\\p_i&=\operatorname{softmax} f(x_i),\end{aligned}$$
#
# with $W\in\mathbb R^{m\times d}$ and $A\in\mathbb R^{C\times m}$.
#
# Each step moves $\theta=(W,b,A,c)$ by $-\eta\nabla L$ over a batch of images. The {term}`stable rank` of the first layer is
#
# $$\operatorname{SR}(W)=\frac{\|W\|_F^2}{\|W\|_2^2}\;\in\;[1,\min(m,d)],$$
#
# which a small change of $W$ changes little, other than the rank. The *default* initialization has independent, uniform entries of
# variance $\frac2{m+d}$ in $W$ and $\frac2{C+m}$ in $A$, and no biases {cite}`glorot2010`; the *small* one is the default over a number, the *divisor*.
#
# The images are the digits of scikit-learn, $8\times8$ pixels, which need no download; with `images=cifar10` and `folder=…` they are
# CIFAR-10 {cite}`krizhevsky2009`, the paper's data, from a local folder. Each pixel is standardised over the training set.

# %% tags=["hide-input"]
import sys
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.ticker import ScalarFormatter
from tqdm import tqdm

from implicit_bias.data import cifar10, digits
from implicit_bias.devices import on_device
from implicit_bias.figures import style
from implicit_bias.flows import Batches, Checkpoint, minibatch_descent
from implicit_bias.limits.stable_rank import (
    decoupled_growth,
    first_step_moment,
    spiked_fluctuation,
    spiked_stable_rank,
    trace_over_norm,
)
from implicit_bias.models.two_layer import SoftmaxNetwork, accuracy, stable_rank
from reproduce.claims import Claims, Rival, standard_error
from reproduce.claims.glued import glue_all

claims = Claims("stable_rank_on_images")

style.use_style()

# %% [markdown]
# ## Theory
#
# The paper proves for two-layer networks with a fixed second layer, on {term}`nearly orthogonal` data, that one step of gradient descent from a small
# enough $W$ leaves a stable rank of constant order; {doc}`one_step_rank_collapse` tests that. Images are not nearly orthogonal, both layers move, and for
# this experiment the paper gives no theorem. Three predictions can be made all the same, and none of them looks at a trained network. The propositions are derived here.
#
# ### The start
#
# ```{prf:theorem} Johnstone 2001, Theorem 1.1
# :label: theorem-images-start
#
# Let the entries of $W\in\mathbb R^{m\times d}$ be independent standard normal, and $m,d\to\infty$ with $m/d$ tending to a positive limit. Then $\|W\|_2/(\sqrt m+\sqrt d)\to1$, with fluctuations that follow the Tracy–Widom law.
# ```
#
# The entries here are uniform; the limit is the same for independent entries of any law with a finite fourth moment. Their squares average to the variance, so that, whatever the divisor,
#
# ```{math}
# :label: stable-rank-random
# \operatorname{SR}(W(0))\approx\frac{md}{(\sqrt m+\sqrt d)^2}.
# ```
#
# ### The first step
#
# Let $y_i$ also stand for the $i$th label as a unit vector of $\mathbb R^C$, and $e_i=y_i-\frac1C(1,\dots,1)$.
#
# ```{prf:proposition} Stable rank of the first step
# :label: proposition-first-step
#
# Let the entries of $A$ be independent, of one law of mean $0$ and finite variance, and the rows $w_j$ of $W$ independent of each other and of $A$, of one law that no rotation changes,
# and let $b=c=0$. As $W,A\to0$ the gradient in $W$, of $m$ rows $g_j$, satisfies
#
# $$\begin{aligned}&\mathbb E\,g_jg_j^\top\;\propto\;S,\\S&=\sum_{i,k}(e_i\cdot e_k)\,(\pi-\theta_{ik})\,x_ix_k^\top\end{aligned}$$
#
# with the angle $\theta_{ik}$ between $x_i$ and $x_k$, so that its stable rank tends to $\operatorname{tr}S/\|S\|_2$ as $m\to\infty$.
# ```
#
# ````{prf:proof}
# At vanishing outputs $p_i=\frac1C(1,\dots,1)$, so that $-g_j=\frac1n\sum_i(a_j\cdot e_i)\,1\{w_j\cdot x_i>0\}\,x_i$ with $a_j$ the $j$th column of $A$. Take
# the mean of $g_jg_j^\top$: $\mathbb E\,(a_j\cdot e_i)(a_j\cdot e_k)\propto e_i\cdot e_k$, and both $x_i$ and $x_k$ lie in a random half-space with
# probability $(\pi-\theta_{ik})/2\pi$. The rows are independent, so $\frac1m\sum_jg_jg_j^\top$ tends to its mean. $\square$
# ````
#
# The uniform entries of the experiment are not invariant under rotations, but $w_j\cdot x_i$ is a sum of many of them, nearly Gaussian.
#
# Were the neurons linear, a constant would stand for $\pi-\theta_{ik}$ and $S$ would have rank $C-1$ at most: the number of classes sets the rank of the first step, not the number of
# neurons or pixels. The random half-spaces of the ReLU add all other directions, with little weight.
#
# ### The collapse
#
# At first the outputs are too small to change the softmax: they are not yet *heard*. So follow gradient descent on, but leave the neurons' outputs out of the softmax:
#
# ```{math}
# :label: unfed-growth
# \begin{aligned}
# e_i&=y_i-\operatorname{softmax}(c),\\
# \dot c&=\frac1n\sum_ie_i,\\
# \dot w_j&=\frac1n\sum_i(a_j\cdot e_i)\,1_{ij}\,x_i,\\
# \dot a_j&=\frac1n\sum_ie_i\,(w_j\cdot x_i+b_j)_+,
# \end{aligned}
# ```
#
# with $1_{ij}=1$ if $w_j\cdot x_i+b_j>0$ and $0$ otherwise, and $\dot b_j$ as $\dot w_j$ with $1$ for $x_i$.
#
# ```{prf:proposition} Before the output is heard
# :label: proposition-unfed
#
# In {eq}`unfed-growth` each neuron moves by itself. If $W(0)$, $A(0)$ and $b(0)$ are divided by a number, so are $W$, $A$ and $b$ at all times: the
# course of $\operatorname{SR}(W)$ does not depend on the divisor. The residuals $y_i-p_i$ of the network with outputs $f_i=A(Wx_i+b)_+$ differ from its
# $e_i$, where $c$ is near $0$, by $\frac1C\|f_i\|$ at most, up to second order in $f_i$.
# ```
#
# ````{prf:proof}
# Given $c$, which moves by itself, the velocity of $(w_j,b_j,a_j)$ contains no other neuron and is $1$-homogeneous in it. The Jacobian of the softmax is
# $\operatorname{diag}(p)-pp^\top$; at $p=\frac1C(1,\dots,1)$ its eigenvalues are $\frac1C$ and $0$. $\square$
# ````
#
# So the network takes the same course from every small start; the divisor only says how far along it the neurons get. They grow
# exponentially, the fastest ones most, and the stable rank falls to the few directions that grow fastest. The prediction ends where its own outputs
# reach a root mean square of $0.1$: residuals, of size $\|e_i\|=\sqrt{1-1/C}$, are then off by $0.1\sqrt C/(C\|e_i\|)$, for ten classes $3\,\%$. From the
# default initialization the outputs are above that at once, and there is nothing to predict but the start.
#
# On the digits the claims on the end of the training are made for a time, learning rate times steps, between $55$ and $80$: earlier the small network has not caught up in accuracy, later the stable rank of the default one has
# fallen further, for it never stops falling. Parameters that give another time are refused.
#
# | | predicted | measured, all runs |
# |---|---|---|
# | stable rank of the default start | {glue:text}`images_start_p` | {glue:text}`images_start_m` |
# | stable rank of the first gradient | {glue:text}`images_first_p` | {glue:text}`images_first_m` |
# | its part outside $C-1$ directions | {glue:text}`images_part_p` | {glue:text}`images_part_m` |
# | stable rank where the third prediction ends, at step {glue:text}`images_silent` | {glue:text}`images_collapse_p` | {glue:text}`images_collapse_m` |
#
# ## Experiment
#
# Each of the runs draws one initialization and one order of the batches, and trains twice: from the default initialization, and from the same one with both layers
# over the divisor. Stable rank and accuracies are recorded at steps that are equally spaced in their logarithm.

# %% tags=["parameters"]
images: str = "digits"  # the images, one of {digits, cifar10}
folder: str = ""  # folder of the python batches of CIFAR-10, a path or empty
limit: int = 0  # images taken of each file of CIFAR-10, 0 for all of them, in [0, 10000]
pixels: str = "standardised"  # scaling of the pixels, one of {standardised, unit}
width: int = 512  # number of neurons m, in [16, 8192]
divisor: float = 50.0  # by which the small initialization divides the default one, in [2, 10000]
learning_rate: float = 0.1  # learning rate η, in [1e-4, 1]
batch: int = 128  # images of a batch, in [1, 10000]
epochs: int = 60  # passes through the training set, in [1, 10000]
runs: int = 3  # independent initializations and orders of the batches, in [1, 20]
device: str = "cpu"  # where the networks are trained, one of {cpu, cuda}
checkpoints: str = ""  # folder from which an interrupted run goes on, where empty keeps none, a path or empty
seed: int = 0  # seed of the streams of data, initialization, batches and shuffled labels, in [0, 4294967295]

# %% tags=["hide-input"]
streams = np.random.SeedSequence(seed).spawn(4)
data_stream, initialization_stream, shuffling = (np.random.default_rng(streams[k]) for k in (0, 1, 3))
batch_streams = streams[2].spawn(runs)
place = None if device == "cpu" else device  # None: NumPy
on_device(np.zeros(1), place)  # refused at once if it is not there
raw = digits(data_stream) if images == "digits" else cifar10(folder, limit or None)
problem = raw.standardised() if pixels == "standardised" else raw.in_unit_interval()
(n, d), classes = problem.x.shape, problem.classes
print(f"{n} training and {len(problem.x_test)} test images of {d} numbers, {classes} classes")

# %% tags=["hide-input"]
LOUDEST = 0.1  # root mean square of the outputs at which the third prediction ends
few = min(n, 6000)  # the predictions read these training images
networks = [SoftmaxNetwork.glorot(stream, width, d, classes) for stream in initialization_stream.spawn(runs)]
steps_in_all = epochs * -(-n // batch)
TIMES = (55.0, 80.0)  # of the gradient flow, for the digits
if images == "digits" and not TIMES[0] <= learning_rate * steps_in_all <= TIMES[1]:
    raise ValueError(
        f"learning_rate times the number of steps is {learning_rate * steps_in_all:g}; for the digits it must lie in "
        f"[{TIMES[0]:g}, {TIMES[1]:g}]: choose other epochs, or another batch or learning_rate"
    )


def divided(net: SoftmaxNetwork, number) -> SoftmaxNetwork:
    """The initialization with both layers over a number."""
    return SoftmaxNetwork(net.w / number, net.b, net.a / number, net.c)


def unheard():
    """The third prediction for each network, and the number of steps that all of them reach."""
    courses = [decoupled_growth(net.w / divisor, net.a / divisor, problem.x[:few], problem.targets[:few], learning_rate,
                                loudest=LOUDEST, most=steps_in_all)
               for net in networks]
    reached = min(len(course.steps) for course in courses)
    if reached < 2:
        raise ValueError(f"divisor is {divisor:g}; the outputs are never small, choose a larger one")
    if reached > steps_in_all:
        raise ValueError(
            f"epochs is {epochs}; the training ends before the small network's outputs are heard, choose more"
        )
    return courses, reached


record = np.unique(np.concatenate([[0], np.round(np.geomspace(1, steps_in_all, 45))]).astype(int))
RANK, TRAINING, TEST, OUTPUT = range(4)  # rows: stable rank, both accuracies, root mean square of the outputs without c
bar = tqdm(total=(2 * runs + 1) * steps_in_all, disable=images == "digits", file=sys.stderr, unit="step", leave=False)


def train(net: SoftmaxNetwork, stream):
    """The four rows, at the recorded steps."""
    x, targets, labels, x_test, labels_test = (
        on_device(part, place)
        for part in (problem.x, problem.targets, problem.labels, problem.x_test, problem.labels_test)
    )

    def measure(theta):
        logits, logits_test = net.output(theta, x), net.output(theta, x_test)
        return (stable_rank(theta[0]), accuracy(logits, labels), accuracy(logits_test, labels_test),
                float(((logits - theta[3]) ** 2).mean()) ** 0.5)

    course = minibatch_descent(lambda theta, chosen: net.batch_gradient(theta, x[chosen], targets[chosen]), net.start,
                               Batches(n, batch, stream), learning_rate, record, measure, device=place,
                               checkpoint=Checkpoint(Path(checkpoints), problem.checksum) if checkpoints else None,
                               progress=bar.update)
    if not course.converged:
        raise ValueError(f"learning_rate is {learning_rate:g}; the training diverged, choose a smaller one")
    return course.values.T


# %%
random_rank = float(spiked_stable_rank(0.0, 1.0, width, d))  # predict the start: no spike,
first_moment = first_step_moment(problem.x[:few], problem.targets[:few])  # the first step,
growths, silent = unheard()  # and the collapse
pairs = list(zip(networks, batch_streams, strict=True))
trained = [(train(net, stream), train(divided(net, divisor), stream)) for net, stream in pairs]  # train
default, small = (np.array(starts) for starts in zip(*trained, strict=True))
for run, start in ((default, "default"), (small, "small")):  # compare
    rank, test = (np.median(run[:, row], axis=0) for row in (RANK, TEST))
    print(
        f"{start} start: SR {rank[0]:.1f} (predicted {random_rank:.1f}), lowest {rank.min():.1f}, test {test[-1]:.2f}"
    )

# %% [markdown]
# One more training serves as a {term}`control`: from the default initialization over $2$, which is not small.

# %% tags=["hide-input"]
halved = train(divided(networks[0], 2.0), batch_streams[0])
bar.close()

# %% mystnb={"figure": {"caption": "Medians of the runs, with bands from the least to the largest. Left: the stable rank of the first layer against the number of steps. Dashed: the stable rank of a random matrix, and the course of a network that does not hear its own neurons, up to where its outputs reach $0.1$. Right: accuracy of the same runs on the test set (full) and on the training set (dotted).", "name": "figure-images"}, "image": {"alt": "Left: stable rank against steps, high from the default initialization, collapsing along the dashed prediction from the small one. Right: test and training accuracy, equal in the end", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.6, 3.9))
for values, color, label in ((default, "blue", "default initialization"),
                             (small, "red", rf"default over ${divisor:g}$")):
    for ax, row, dash in ((left, RANK, "-"), (right, TEST, "-"), (right, TRAINING, ":")):
        shown = values[:, row, 1:]
        ax.fill_between(record[1:], shown.min(axis=0), shown.max(axis=0), color=style.COLORS[color], alpha=0.25, lw=0)
        named = label if dash == "-" else None
        ax.plot(record[1:], np.median(shown, axis=0), dash, color=style.COLORS[color], label=named)
style.theory_level(left, random_rank)
predicted = np.median([growth.stable_rank[1:silent] for growth in growths], axis=0)
style.theory(left, np.arange(1, silent), predicted, "theory")
left.set(xscale="log", yscale="log", xlabel="step", ylabel=r"$\mathrm{SR}(W)$", title="stable rank")
left.set_yticks([2, 5, 10, 20, 50] if d < 1000 else [2, 5, 10, 20, 50, 100, 200])
left.yaxis.set_major_formatter(ScalarFormatter())
left.minorticks_off()
left.legend(loc="lower left")
right.set(xscale="log", xlabel="step", ylabel="accuracy", ylim=(0, 1.02), title="test (full), training (dotted)")
plt.show()

# %% [markdown]
# ## Headline claims
#
# Each box is a {term}`claim`: what theory predicts, what was measured, by how much they may differ and why. The collapse first: along the small runs, the stable rank over the predicted one, from the start to where the prediction ends. The control starts from the default
# initialization, to which {eq}`unfed-growth` gives the same stable ranks, but whose outputs are heard from the first step on.
#
# ```{claim} collapse
# :headline: stable rank along the course, small start, over its prediction
# :evidence: trained and compared
# :because: as of the outputs (instrument growth): where the stable rank falls it is ‖W(0)‖² over the neurons'
#   growth squared, as 1 over the outputs
# :control: the default initialization, whose outputs are not small
#
# the stable rank collapses along the course of a network that does not hear its own neurons
# ```

# %% tags=["hide-input"]


def over_prediction(values, row, predicted):
    """A measured row over its prediction at the recorded steps that the prediction reaches, all runs one after the other."""
    reached = record[record < silent]
    return np.concatenate([run[row, : len(reached)] / line[reached]
                           for run, line in zip(values, predicted, strict=True)])


# The outputs grow like exp(2η∫λ), λ = ½ mean p_i with the pull p_i of image i; a batch has a mean of its own.
derived_residuals = problem.targets[:few] - 1 / classes
derived_axes = np.linalg.svd(derived_residuals.T @ problem.x[:few], full_matrices=False)
derived_pulls = (derived_residuals @ derived_axes.U[:, 0]) * (problem.x[:few] @ derived_axes.Vh[0])
derived_last = n % batch or batch  # images of an epoch's last batch, each of which counts for more
derived_noise = (learning_rate * np.std(derived_pulls)) * (
    np.sqrt(n) / (2 * batch)  # in the middle of an epoch, when one half of the images has been seen
    + (1 - derived_last / batch) * np.sqrt((1 / derived_last - 1 / n) * silent / -(-n // batch))  # of whole epochs
    + silent * np.sqrt(1 / few - 1 / n)  # where the prediction reads a part of the images
)
derived_growth = LOUDEST / np.sqrt(classes - 1) + derived_noise
rank_lines, output_lines = ([getattr(growth, name) for growth in growths] for name in ("stable_rank", "output"))
claims.limit("collapse", 1.0, over_prediction(small, RANK, rank_lines), error=derived_growth,
             control=over_prediction(default, RANK, rank_lines))

# %% [markdown]
# The paper's observations. For CIFAR-10 it reports that from the default initialization the stable rank never falls below $74$, and that from the small one it quickly drops to $3.25$. The first number is asked of CIFAR-10 only. Of the digits, whose
# random stable rank is lower, it says nothing: there the claim is that half of the random one stays, an observation of this chapter. The control of the first claim is the small initialization,
# that of the second the default one over $2$.
#
# ```{claim} default
# :headline: stable rank, default start
# :source: {says}
# :evidence: observed
# :because: on the digits half of the random stable rank, a round share and no theorem; on CIFAR-10 the
#   published number
# :contrast: the small initialization
#
# from the default initialization the stable rank stays high throughout
# ```
#
# ```{claim} small
# :headline: least stable rank, small start
# :source: observed in this chapter; the number is that of Frei et al. 2023, Introduction, for CIFAR-10
# :evidence: observed
# :because: a bound: the published number, of other images
# :contrast: the default initialization over 2
#
# from the small initialization it falls at least as low as the paper reports
# ```

# %% tags=["hide-input"]
never_below, says = {"digits": (random_rank / 2, "observed in this chapter"),
                     "cifar10": (74.0, "Frei et al. 2023, Introduction")}[images]
claims.above("default", never_below, default[:, RANK].min(axis=1), level=0.0, control=small[:, RANK].min(axis=1),
             fill={"says": says})
claims.below("small", 3.25,
             small[:, RANK].min(axis=1), level=0.0, control=halved[RANK].min())

# %% [markdown]
# In the end the two networks classify about equally well; in nearly all runs the small one is slightly behind. The control stops both after a tenth of the steps: the small network leaves its plateau later, by a number of steps that
# grows with the logarithm of the divisor.
#
# ```{claim} accuracy
# :headline: difference of the test accuracies, in images over all runs
# :source: observed in this chapter
# :evidence: observed
# :because: a round share: the small network is late, and on fresh seeds nearly always a few images behind
# :contrast: both stopped after a tenth of the steps
#
# the numbers of test images that both initializations classify differ by a thirtieth at most, over all runs
# ```

# %% tags=["hide-input"]
early = np.flatnonzero(10 * record <= steps_in_all)[-1]
tested = len(problem.x_test)
more = np.rint(tested * (default[:, TEST] - small[:, TEST])).sum(axis=0)  # images that the default networks get right
claims.below("accuracy", runs * tested / 30, abs(more[-1]), level=0.0, control=abs(more[early]))

# %% [markdown]
# ## Instruments
#
# The start, the first step and the outputs against their predictions, and how far apart the two networks stay.
#
# ### The start
#
# The default initialization against {eq}`stable-rank-random`. The control has columns that are orthonormal instead of independent.
#
# ```{claim} start
# :source: Johnstone 2001, Theorem 1.1
# :evidence: float with residual
# :because: the root mean square of the Tracy–Widom law, in its unit for the largest eigenvalue
# :control: orthonormal columns
#
# the default initialization has the stable rank of a random matrix
# ```

# %% tags=["hide-input"]
claims.limit("start", random_rank, default[:, RANK, 0], relative=True,
             error=float(spiked_fluctuation(0.0, 1.0, width, d)) / random_rank,
             control=[stable_rank(np.linalg.qr(net.w)[0]) for net in networks])

# %% [markdown]
# ### The first step
#
# Over twenty initializations of the network, so small that its outputs are zero. The control has labels shuffled in three ways, whose classes nearly agree in their means; one of them may come near by chance.
#
# ```{claim} first_step
# :evidence: float with residual
# :because: one standard error of a quotient of two means over 20m neurons
# :contrast: labels shuffled
#
# the first gradient has the stable rank that labels, images and random half-spaces give it
# ```
#
# ```{claim} half_spaces
# :evidence: float with residual
# :because: one standard error of a quotient of two means over 20m neurons
# :contrast: labels shuffled
# :rival: linear neurons, of rank C − 1
#
# the half-spaces of the ReLU put the predicted part of it outside C − 1 directions
# ```

# %% tags=["hide-input"]
DRAWS, SHUFFLES, TINY = 20, 3, 1e-6
tiny = [divided(SoftmaxNetwork.glorot(each, width, d, classes), 1 / TINY) for each in shuffling.spawn(DRAWS)]


def first_gradients(pictures):
    """Stable rank of the first gradients of all draws, one below the other, the part outside C − 1 directions, all rows."""
    chosen = pictures.x[:few], pictures.targets[:few]
    slopes = np.concatenate([net.batch_gradient(net.start, *chosen)[0] / TINY for net in tiny])
    energies = np.linalg.svd(slopes, compute_uv=False) ** 2
    return energies.sum() / energies[0], 1 - energies[: classes - 1].sum() / energies.sum(), slopes


*found, derived_slopes = first_gradients(problem)
shuffled = np.array([first_gradients(problem.with_shuffled_labels(shuffling))[:2] for _ in range(SHUFFLES)]).T
spectrum, axes = np.linalg.eigh(first_moment)  # in increasing order
outside = spectrum[: 1 - classes].sum() / np.trace(first_moment)
derived_norms, derived_squares = (derived_slopes**2).sum(axis=1), (derived_slopes @ axes[:, 1 - classes :]) ** 2
derived_first = standard_error(derived_norms - trace_over_norm(first_moment) * derived_squares[:, -1])
derived_part = standard_error((1 - outside) * derived_norms - derived_squares.sum(axis=1))
claims.limit("first_step", trace_over_norm(first_moment), found[0], relative=True,
             error=derived_first / derived_norms.mean(), control=shuffled[0])
claims.limit("half_spaces", outside, found[1], relative=True, error=derived_part / derived_norms.mean() / outside,
             control=shuffled[1], rival=Rival(0.0, factor=5))

# %% [markdown]
# ### The outputs, and after the prediction
#
# The softmax's Jacobian at equal logits, by computer algebra. Along the small runs the outputs grow as predicted. From where the prediction ends the two networks stay a factor $4$ apart, an observation of this chapter; the control is the default initialization over $2$.

# %% tags=["hide-input"]
import sympy

logits = sympy.symbols("f_1:5")
weights = sympy.Matrix([sympy.exp(f) for f in logits])
jacobian = (weights / sum(weights)).jacobian(logits).subs(dict.fromkeys(logits, 0))
assert jacobian.eigenvals() == {sympy.Rational(1, 4): 3, sympy.Integer(0): 1}  # 1/C and 0, here with C of 4

# %% [markdown]
# ```{claim} growth
# :evidence: trained and compared
# :because: residuals that hear the outputs, at the end of the prediction; and one deviation of what the
#   batches' noise has added to the growth
# :control: the default initialization, its outputs over the divisor squared
#
# its outputs grow as those of that network do
# ```
#
# ```{claim} apart
# :source: observed in this chapter
# :evidence: observed
# :because: a round number and no theorem, with room for other seeds; for narrow networks an eighth of the
#   random stable rank, above which the default one never is
# :contrast: the default initialization over 2
#
# from where the prediction ends the default network has at least four times the stable rank of the small one,
# if it is not too narrow
# ```

# %% tags=["hide-input"]
claims.limit("growth", 1.0, over_prediction(small, OUTPUT, output_lines), error=derived_growth,
             control=over_prediction(default, OUTPUT, output_lines) / divisor**2)
after = record >= silent
apart = (default[:, RANK] / small[:, RANK])[:, after].min(axis=1)
claims.above("apart", min(4.0, random_rank / 8), apart, level=0.0,
             control=(default[0, RANK] / halved[RANK])[after].min())


# %% tags=["hide-input"]
def span(values, digits=1):
    """The least and the largest of some numbers, or the one that they agree in."""
    low, high = (f"{end(values):.{digits}f}" for end in (np.min, np.max))
    return low if low == high else f"{low} … {high}"


reached = int(record[record < silent][-1])
ends = [growth.stable_rank[reached] for growth in growths]
glue_all("images", start_p=f"{random_rank:.1f}", start_m=span(default[:, RANK, 0]),
         first_p=f"{trace_over_norm(first_moment):.2f}", first_m=f"{found[0]:.2f}", part_p=f"{outside:.3f}",
         part_m=f"{found[1]:.3f}", silent=str(reached), collapse_p=span(ends, 2),
         collapse_m=span(small[:, RANK, record == reached], 2), lowest=span(small[:, RANK].min(axis=1), 2),
         apart=span(apart, 2), more=f"{abs(more[-1]):.0f}", tested=str(runs * tested),
         share=f"{abs(more[-1]) / (runs * tested):.4f}", bar=f"{np.floor(runs * tested / 30):.0f}",
         asked=f"{np.floor(0.015 * runs * tested):.0f}", last=span(small[:, RANK, -1]))

# %% [markdown]
# ## What would falsify it
#
# A default initialization off {eq}`stable-rank-random` by more than the fluctuations of its largest singular value; a first gradient of another stable rank than $\operatorname{tr}S/\|S\|_2$; a small
# network that leaves the dashed curve before its outputs are heard; a default network that collapses, or a small one that does not. The constants of the predictions and of the network are
# held by these claims: the test-suite changes them one by one and sees a claim fail.
#
# ## Differences from the paper
#
# - **Changed.** The digits are not CIFAR-10, and the numbers $74$, $3.25$ and $10$ of the paper are numbers of CIFAR-10. They are reproduced as numbers only by a run on all of it, which is not
#   stored here: `images=cifar10` with a folder, at the scale of the file `stable_rank_on_images.paper.yaml`. On the digits the claims hold their pattern: a high rank that stays, a low one that is reached early.
# - **Not reproduced.** In the paper the small network's stable rank rises above $10$ when it begins to overfit. The digits cannot show that: their small networks fit the data at a stable rank of {glue:text}`images_last`.
# - **Ours.** The paper's text that this chapter follows gives $m$, the algorithm and the initialization's name. The divisor $50$, batches of $128$, the learning rate of the CIFAR-10 run, and whether the second layer is divided
#   too are this book's choices; the digits take a larger learning rate, because an epoch of them has few steps.
#
# {numref}`table-cifar-slice` was measured once, on the first 1,017 images of each batch file of CIFAR-10 (standardised pixels, the default $m$, batch and divisor, `learning_rate=0.01`, one run). The small network passes $10$ when only its training
# accuracy still grows, as the paper says. On so few images neither $74$ nor $3.25$ is reproduced as a number.
#
# ```{csv-table} A slice of CIFAR-10
# :name: table-cifar-slice
# :file: ../../_static/cifar_slice.csv
# :header-rows: 1
# ```
#
# ## Scope
#
# - A fair copy of the paper's figures would have three bars that are tighter than the claims. Why they are not claimed, in numbers of this run, from the least to the largest of its networks:
#
#   | | fair copy | this run | claimed |
#   |---|---|---|---|
#   | least stable rank, small start | at most $2.5$ | {glue:text}`images_lowest` | at most $3.25$ |
#   | least ratio of both stable ranks, from where the prediction ends | at least $5$ | {glue:text}`images_apart` | at least $4$ |
#   | difference of the test accuracies, in images of {glue:text}`images_tested` | at most {glue:text}`images_asked`, a share of $0.015$ | {glue:text}`images_more`, {glue:text}`images_share` | at most {glue:text}`images_bar`, a thirtieth |
#
#   The ratio stays above $4$ and not above $5$: it is least at the end of the training, where the default network's stable rank has fallen and the small one's has risen, and a shorter training would leave the small network behind in accuracy. The other two hold for this run; on other seeds
#   the least stable rank comes out above $2.5$, and the difference close to the tighter bar, so that neither is a claim; on nearly all of them the small network is behind, by some $0.8$ % in the mean. {doc}`/robustness` shows what fresh seeds use of the bars.
# - Scaled to $[0,1]$ (`pixels=unit`) the pixels give small gradients; at the same number of steps the small network is then several points of accuracy behind. It is late, not worse.
# - The predictions end before the network learns anything. What keeps the stable rank low afterwards is measured here, not explained.
#
# ## Exercises
#
# ````{exercise} The scale does not matter
# :label: exercise-images-scale
#
# Train with `divisor=500`. Which part of the curves changes, and by how many steps does the collapse end later?
# ````
#
# ````{solution} exercise-images-scale
# :class: dropdown
#
# The dashed curve goes on, unchanged in the part it had. The outputs are quadratic in $(W,b,A)$: a divisor ten times as large makes them a hundred times smaller, and they grow like $e^{2\lambda t}$ where the
# neurons grow like $e^{\lambda t}$. They are heard $\ln(10)/\lambda$ later in time $t$, that is $\ln(10)/(\lambda\eta)$ steps, and the stable rank has fallen further by then.
# ````
#
# ````{exercise} A rank for linear neurons
# :label: exercise-images-linear
#
# Replace the ReLU by the identity. Show that the first gradient in $W$ has rank at most $C-1$, for any number of neurons and of pixels.
# ````
#
# ````{solution} exercise-images-linear
# :class: dropdown
#
# Without the indicator $-g_j=\sum_ca_{cj}v_c$ with $v_c=\frac1n\sum_ie_{ic}x_i$. All rows lie in the span of $v_1,\dots,v_C$, and $\sum_cv_c=0$ because $\sum_ce_{ic}=0$.
# ````
#
# ````{exercise} Interrupted
# :label: exercise-images-resume
#
# Run the chapter on the command line with `-p checkpoints=kept`, stop it with Ctrl-C, and run it again. Why may the stored claims not depend on where it was stopped?
# ````
#
# ````{solution} exercise-images-resume
# :class: dropdown
#
# The order of an epoch's batches depends on the seed and the epoch's number alone, and the checkpoint holds all parameters bit for bit. The run goes on with the numbers that it would have had. The name of
# a checkpoint is a checksum of data, start, batches, learning rate and recorded steps: with other parameters another file is used.
# ````
#
# ## References
#
# {cite:t}`frei2023` report the experiment; {cite:t}`glorot2010` the initialization; {cite:t}`krizhevsky2009` collected CIFAR-10; {cite:t}`johnstone2001` found how the largest singular value of a random matrix fluctuates;
# the kernel in $S$ is the arc-cosine kernel of order $0$ of {cite:t}`cho2009`.
