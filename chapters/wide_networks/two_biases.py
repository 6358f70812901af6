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
# # Both layers trained, the boundary is a polygon; the last layer alone, it is a smooth curve
#
# ```{question}
# ```
#
# A hundred points form four clusters in the plane, labelled like the squares of a chessboard. We train two ReLU networks, one of {glue:text}`two_m_both` neurons in both layers and one of {glue:text}`two_m_output` in its output layer alone.
#
# The boundary of the first is a polygon, because its neurons turn and gather in a few directions, each making one kink. The boundary of the second looks smooth, because its neurons stay where they were drawn. Both boundaries, computed before training, differ on {glue:text}`two_differ` of the square (we drew points until this was 5 %). There the first network agrees with its polygon on {glue:text}`two_both`, the second with its curve on {glue:text}`two_output`.
#
# We follow the second as a flow to $\ln t=$ {glue:text}`two_log_t`, far beyond any steps. At a time equal to the first network's steps it still agrees better with the polygon ({glue:text}`two_early_f1` of the square) than with its own curve ({glue:text}`two_early_f2`).
#
# ```{hero}
# ```
#
# ## The statement
#
# The network is $h(x)=\frac1m\sum_jb_j(a_j\cdot\tilde x)_+$ with $\tilde x=(x,1)$. Its margin is $\min_iy_ih(x_i)$, where $y_i=\pm1$ are the labels of the $n$ points. Each way of training has its norm. In the limit of width and time, training maximizes the {term}`margin` at norm one (for both layers this is proved for smooth neurons, if the flow converges):
#
# - *Both layers* ({doc}`f1_max_margin`). The norm is $\|h\|_{\mathcal F_1}\le\frac2m\sum_j|b_j|\|a_j\|$ and the largest margin $\gamma_1$. Some classifier of this margin has a polygon as boundary, with at most $n$ lines that carry corners.
# - *Output layer* ({doc}`f2_max_margin`). The norm is $\|h\|_{\mathcal F_2^{(m)}}\le\bigl(\frac1m\sum_jb_j^2\bigr)^{1/2}$ and the largest margin $\gamma_2^{(m)}\to\gamma_2$. The boundary is that of a support vector machine with a smooth kernel.
#
# The limits are theorems of {cite:t}`chizat2020`, for infinite width (recalled). They are about margins, and a margin is one number. What does it say of the classifier? Let $\gamma$ be the largest margin at norm one, $h^*$ a classifier that has it, and let $h$ be a network whose margin over its norm is $(1-\varepsilon)\gamma$ at least. The {term}`price <price of a boundary>` $\pi(x)$ of a place $x$ is the share of $\gamma$ that one loses by forcing the boundary through $x$. We prove that the network agrees with $h^*$ wherever the price exceeds what its margin lacks:
#
# $$\begin{gathered}\operatorname{sign}h(x)=\operatorname{sign}h^*(x)\\
# \text{where}\quad\pi(x)>\varepsilon,\\
# \pi(x)=1-\frac1\gamma\max_{\substack{\|h'\|\le1\\h'(x)=0}}\min_iy_ih'(x_i).\end{gathered}$$
#
# So a margin that was measured confines the boundary to a band $\{\pi\le\varepsilon\}$ around that of $h^*$, at every time and every width. For both layers the band depends on the points and $\varepsilon$ alone, for the output layer on its features, too. Neither needs more of the training than $\varepsilon$.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [signs of the polygon](both) where the two classifiers differ, both layers trained | {glue:text}`two_both_p` at least (proved, so this row is a check) | {glue:text}`two_both` | output layer alone trained: {glue:text}`two_both_other` | |
# | [signs of the smooth curve](networks) there, output layer at its largest margin, mean of {glue:text}`two_draws` networks of {glue:text}`two_m_drawn` neurons | {glue:text}`two_kept_p` | {glue:text}`two_kept` | hidden weights of uneven lengths, twice the kernel: {glue:text}`two_kept_stretched` | |
# | [margin](margins) over $\gamma_1$, both layers | 100 % in the limit (within half a point: chosen) | {glue:text}`two_margin` | | squared loss: {glue:text}`two_squared` |
# ```
#
# The first row follows from the margin in the third, so this margin is what could have come out otherwise. The second row is about {glue:text}`two_draws` networks whose output layers are where training ends, at the largest margin of their features. The share of signs that finite width costs them is predicted from the points alone, by {prf:ref}`proposition-flip`, without drawing a network. The one network that we train, with {glue:text}`two_m_output` neurons, has {glue:text}`two_output` of these signs (predicted {glue:text}`two_output_p` on average over networks, with a standard deviation of at most {glue:text}`two_output_sd`), and the one trained in both layers {glue:text}`two_output_other`.
#
# **What to remember?** Same points, same kind of network. Which layers move decides which norm is kept small, and the norm decides the shape, in the end. For the output layer this is far beyond any steps. At the time of the first network's last step it is still nearer to the polygon. (The widths differ because random features need many neurons, see *Experiment*.) Which of the two classifiers is right on new points is another question. {doc}`generalization` answers it for points with many useless coordinates.
#
# ## The smallest case
#
# Let two points $\pm z$ with labels $\pm1$ be classified by a linear function $h(x)=w\cdot x$ with $\|w\|\le1$. The largest margin is $\gamma=\|z\|$, with $w$ along $z$. Now force the boundary through $x$, at the angle $\omega$ to $z$. Then $w\perp x$, and the best that $w$ can do is the length of the part of $z$ across $x$, so
#
# $$\pi(x)=1-\sin\omega .$$
#
# The price is zero on the boundary itself, where $\omega=90°$, and one at the points. A classifier that reaches 99 % of the largest margin agrees with the best one wherever $\sin\omega<0.99$, that is up to $8.1°$ from the boundary. With 99.99 % it is $0.81°$. So the band narrows like the square root of what the margin lacks. For the kernel this is so in general (exercise below).
#
# ## Experiment
#
# The points lie in the square $[-\frac12,\frac12]^2$. All weights start as independent standard Gaussians, and training ascends the {term}`smooth margin` $-\ln\frac1n\sum_ie^{-y_ih(x_i)}$. One network has {glue:text}`two_m_both` neurons and is trained in both layers, by steps that shrink like the inverse of its size. A step changes a margin by $16$ at most to leading order, and the margins end at {glue:text}`two_end_margin` and more, so the last steps change them by less than half a percent. Steps leave out the points whose margin is so large that their weight is below rounding, and every fifth step chooses these points anew. The other has {glue:text}`two_m_output` neurons. Only an $n$-dimensional part of its weights moves, so we can follow its {term}`gradient flow` in $\ln t$ far beyond what steps could reach. The two widths differ because random features come to their kernel only like $1/\sqrt m$, while neurons that turn find the few directions of the polygon. Data, both starts and the controls use random streams of their own.

# %% tags=["hide-input"]
from collections import namedtuple

import numpy as np
from IPython.display import HTML
from matplotlib import pyplot as plt
from scipy.special import ndtr

from implicit_bias.activations import RELU
from implicit_bias.data import Classification, clusters
from implicit_bias.figures import style
from implicit_bias.figures.films import film
from implicit_bias.flows import ScheduledDescent, drive, log_time_flow
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.margin import (
    classifier_deviation,
    classifier_draws,
    kernel_margin,
    kernel_prices,
    margin_deviation,
    margin_lag,
    variation_margin_of_many,
    variation_prices,
)
from implicit_bias.losses import SmoothMargin, Squared, margin_loss
from implicit_bias.models.linear import LinearClassifier
from implicit_bias.models.two_layer import BlockedGradient, Risk, TwoLayer
from reproduce.claims import Claims, Rival, rounding, standard_error
from reproduce.claims.glued import glue_all
from reproduce.claims.numbers import numbers

claims = Claims("two_biases")

style.use_style()

# %% tags=["parameters"]
n: int = 100  # number of points n, in [12, 200]
m_both: int = 256  # neurons of the network whose layers are both trained, in [64, 4096]
m_output: int = 25600  # neurons of the network whose output layer is trained, in [12800, 204800]
steps: int = 100000  # steps of descent of both layers, in [10000, 1000000]
log_t_end: float = 2000.0  # ln t at which the flow of the output layer ends, in [500, 5000]
m_drawn: int = 6400  # neurons of each network that is drawn and not trained, in [3200, 51200]
draws: int = 100  # number of these networks, in [50, 1000]
seed: int = 0  # seed of the streams of data, starts and controls, in [0, 4294967295]

# %% tags=["hide-input"]
streams = np.random.default_rng(seed).spawn(6)
data_stream, both_stream, output_stream, draw_stream, control_stream, law_stream = streams
FINE, EVERY, TRIED, CAP, STEP, OFTEN, PLACES, APART = 61, 5, 3, 0.1, 16.0, 5, 40, 0.05
PER_NETWORK = 10  # draws of the predicted law for each network that is drawn
FITTING = 10000  # steps of the control that descends by the squared loss
FAR = 40.0  # a point whose margin is larger by so much has a share e^-40 of the gradient, less than rounding
side = np.linspace(-0.5, 0.5, FINE)
square = np.stack([*np.meshgrid(side, side), np.ones((FINE, FINE))], axis=-1)
fine = square.reshape(-1, 3)
rough, tried = (np.flatnonzero(np.all(np.indices((FINE, FINE)) % every == 0, axis=0))
                for every in (EVERY, TRIED))  # where prices are computed, and where random classifiers may be
Features = namedtuple("Features", "phi u gram across own plane machine classifier")
Run = namedtuple("Run", "time size shortfall plane")


def predict():
    """The classifiers of largest margin in ℱ₁ and of the kernel, and their values on the square."""
    best, machine = variation_margin_of_many(points), kernel_margin(relu_kernel(x, x), y)
    return best, machine, best.predict(fine), relu_kernel(fine, x) @ (machine.alpha * y)


def agreement(one, other):
    """The part of the square on which two classifiers have the same sign."""
    return np.mean(np.sign(one) == np.sign(other), axis=-1)


def start(stream, m):
    """Independent Gaussian weights of m neurons, hidden and output."""
    return stream.standard_normal((m, 3)), stream.standard_normal(m)


def in_norm(net, w, a):
    """The norm of networks of these weights, and what their margins lack of γ₁ in it."""
    size = 2 * np.mean(np.abs(a) * np.linalg.norm(w, axis=2), axis=1)
    return size, 1 - (y * net.output(w, a, x)).min(axis=1) / size / best.bound


def train_both():
    """Descend in both layers; what the margin lacks of γ₁, and the outputs."""
    w, a = start(both_stream, m_both)
    net = TwoLayer(RELU, "both", "1/m")
    flow = Risk(net, points, SmoothMargin()).of_weights(w, a)
    L = np.max(np.sum(x**2, axis=1))  # mutant(2): the length of the steps
    every = few = BlockedGradient(flow.risk, m_both)  # the gradient of all points, and of those that count
    counted, taken = np.full(n, True), 0  # the points that count, and the steps so far

    def rate(step, theta):
        return m_both * STEP / (L * max(1.0, theta @ theta / m_both))

    def gradient(theta):
        nonlocal few, counted, taken
        if taken % OFTEN == 0:
            margins = y * every.outputs(theta)
            near = margins < margins.min() + 2 * STEP * OFTEN + FAR
            if np.any(near != counted):
                few = BlockedGradient(Risk(net, Classification(x[near], y[near]), SmoothMargin()), m_both)
                counted = near
        taken += 1
        return few.gradient(theta)

    run = drive(ScheduledDescent(gradient, rate), flow.start, t_end=steps, record=np.unique(np.round(np.geomspace(1, steps, 40)))).demand()
    w, a = flow.weights(run.theta)
    size, shortfall = in_norm(net, w, a)
    return Run(run.t, size, shortfall, np.array([net.output(*one, fine) for one in zip(w, a, strict=True)]))


def features_of(theta, b, places):
    """What m neurons of hidden weights θ make of the points and of places, with their output weights b at the start."""
    # mutant(b / np.sqrt(len(theta))): the scale of the start, of which the same limit holds
    hidden, u = theta.T / np.sqrt(len(theta)), b / np.sqrt(len(theta))
    phi = np.maximum(x @ hidden, 0)
    rows, across, own = np.vstack([phi, u]), [], []
    for part in np.array_split(places, 1 + len(places) // 40):  # mutant: how many places at once
        seen = part @ hidden
        np.maximum(seen, 0, out=seen)
        across.append(seen @ rows.T)
        own.append(np.einsum("ij,ij->i", seen, seen))
    gram, every = phi @ phi.T, np.concatenate(across)
    seen, plane = every[:, :-1], every[:, -1]
    svm = kernel_margin(gram, y)
    classifier = seen @ (svm.alpha * y)  # f_m
    return Features(phi, u, gram, seen, np.concatenate(own), plane, svm, classifier)


def train_output(features):
    """Flow of the output weights in ln t; what the margin lacks of that of the features, and the outputs."""
    values, modes = np.linalg.eigh(features.gram)
    root = np.sqrt(values)
    model = LinearClassifier(Classification(modes * root, y), margin_loss("exponential"))
    before = modes.T @ (features.phi @ features.u) / root
    # mutant(1; 2; 59): when states are recorded
    times = np.sort([*np.geomspace(1, log_t_end / 2, 59), np.log(steps), log_t_end])
    run = log_time_flow(model, before, log_t_end=log_t_end, record=times, rtol=1e-6, atol=1e-8).demand()
    moved = run.theta[:, :-1]
    # mutant(-): the size of what hardly moves besides
    size = np.sqrt(np.sum(moved**2, axis=1) + features.u @ features.u - before @ before)  # the rest stays as it was
    margins = np.array([model.margins(one).min() for one in moved])
    steered = (moved - before) / root @ modes.T  # of the span of the φ_i
    plane = features.plane + steered @ features.across.T
    # mutant(run.t, size): what a figure shows
    return Run(run.t, size, 1 - margins / size / features.machine.margin, plane)


# %%
D = 0.0
while D < APART:
    points = clusters(data_stream, n)
    x, y = points.x, points.y
    best, machine, f1, f2 = predict()  # both classifiers, without training
    D = 1 - agreement(f1, f2)
both = train_both()  # train
theta, b = start(output_stream, m_output)
features = features_of(theta, b, fine)
output = train_output(features)
early = np.argmin(np.abs(output.time - np.log(steps)))  # the time of the last step of both layers
print(f"the two classifiers differ on {100 * D:.1f} % of the square")  # compare
for name, run in (("both layers", both), ("output layer", output)):
    f1_share, f2_share = (agreement(run.plane[-1], one) for one in (f1, f2))
    print(f"{name}: agreement with F₁ {f1_share:.3f}, with F₂ {f2_share:.3f}")

# %% [markdown]
# The prices are computed on a coarser grid of the square, for $\mathcal F_1$ and for the features of the trained network. For the law of random features ({prf:ref}`proposition-flip`) many networks are drawn, and for contrast others, of which the hidden weights of each neuron are multiplied by one exponentially distributed number. Their kernel is twice as large. Their classifier in the limit of many features is the same, but they have another $\sigma$. Their classifiers are compared with that of the kernel at the forty places where $|f|$ is least, among every third of the grid, and at forty of the places where the two classifiers differ.

# %% tags=["hide-input"]
snake = np.arange(rough.size).reshape(len(side[::EVERY]), -1)
# mutant(-): in what order the points of a grid are visited
snake[1::2] = snake[1::2, ::-1]  # neighbours next to each other
low = np.full(rough.size, np.nan)
low[snake.ravel()] = variation_prices(points, best, fine[rough][snake.ravel()], cap=CAP)[0]
dear = kernel_prices(features.gram, y, features.across[rough], features.own[rough])
sigma = classifier_deviation(x, y, fine)


def flips(m):
    """By place, how likely a classifier of m random features has another sign than the kernel's."""
    return ndtr(-np.sqrt(m) * np.abs(f2) / sigma)


contested = np.flatnonzero(np.sign(f1) != np.sign(f2))  # where the two classifiers differ
flipped, flipped_there = np.mean(flips(m_output)), np.mean(flips(m_output)[contested])  # A_m of the square, and there
near = tried[np.argsort(np.abs(f2[tried]))[:PLACES]]
disputed = contested[np.linspace(0, contested.size - 1, PLACES).astype(int)]  # a sample of where the two classifiers differ
looked = np.concatenate([near, disputed])


def drawn(count, stream, stretched=False):
    """√m (f_m − f) of classifiers of random features at these places, one row a network."""
    rows = []
    for _ in range(count):
        theta = stream.standard_normal((m_drawn, 3))
        if stretched:
            theta *= stream.exponential(size=(m_drawn, 1))
        rows.append(features_of(theta, np.zeros(m_drawn), fine[looked]).classifier)
    return np.sqrt(m_drawn) * (np.array(rows) - f2[looked])


def squares(off):
    """m (f_m − f)²/σ² at the places near the boundary."""
    return (off[:, :PLACES] / sigma[near]) ** 2


def kept(off):
    """Of each network, at which share of the places where the two classifiers differ it has the sign of the kernel's."""
    return agreement(f2[disputed] + off[:, PLACES:] / np.sqrt(m_drawn), f2[disputed])


law = classifier_draws(x, y, fine[looked], m_drawn, PER_NETWORK * draws, law_stream)
networks, stretched = drawn(draws, draw_stream), drawn(draws // 2, control_stream, stretched=True)
free, held = (np.mean(squares(one), axis=1) for one in law)
changed = free - held  # what the change of the support adds to the mean square, a draw each
lack = float(both.shortfall[-1])
stakes, _ = variation_prices(points, best, fine[contested], cap=min(1.001 * lack, CAP), tolerance=min(lack, CAP) / 10)
derived_open = np.mean(stakes <= lack)  # the part of it where the margin leaves the sign open

# %% mystnb={"figure": {"caption": "The same points, a polygon and a smooth curve. Colours: the two regions of a trained network. Thick dashed: the boundary that theory predicts for it, computed before training. Dotted: the prediction for the other network. Dark: the places where the two predictions differ. (a) Both layers trained, after all steps. (b) The output layer alone trained, at the end of its flow, far beyond any steps. At the time of the last step of (a) its boundary is still nearer to the polygon (the table in *On the way*). Dots: the corners of the polygon, where it crosses a kink of a neuron.", "name": "figure-two"}, "image": {"alt": "Two squares with four clusters of points. Left, two regions with straight edges that follow a dashed polygon; right, two regions with curved edges that follow a dashed curve. Narrow dark wedges between the two curves.", "classes": "panels-2"}} tags=["hero", "hide-input"]
def regions(ax, plane):
    """The two regions of a network."""
    return ax.contourf(side, side, plane.reshape(FINE, FINE), levels=[-np.inf, 0, np.inf], colors=["#f6d9c6", "#cfe3f1"], zorder=0)


def panel(ax, own, other):
    """Where the two predictions differ, the predicted boundaries and the points."""
    grid = (FINE, FINE)
    ax.contourf(side, side, (own * other).reshape(grid), levels=[-np.inf, 0], colors=["#7F7F7F"], alpha=0.35)
    ax.contour(side, side, other.reshape(grid), levels=[0.0], colors="black", linewidths=1.1, linestyles=":")
    ax.contour(side, side, own.reshape(grid), levels=[0.0], colors="black", linewidths=2.2, linestyles=[(0, (4, 2))])
    for sign, mark, color in ((1, "o", "blue"), (-1, "s", "red")):
        ax.plot(*x[y == sign, :2].T, mark, color=style.COLORS[color], markersize=4)
    ax.set(aspect="equal", xlabel="$x_1$", ylabel="$x_2$", xticks=[-0.5, 0, 0.5], yticks=[-0.5, 0, 0.5])


def corners(answer):
    """Where the boundary of a classifier crosses the kink of one of its neurons."""
    along = np.linspace(-1, 1, 4001)[:, None]
    found = []
    for u in answer.directions:
        kink = (along * [-u[1], u[0]] - u[2] * u[:2] / np.linalg.norm(u[:2])) / np.linalg.norm(u[:2])
        value = answer.predict(np.column_stack([kink, np.ones(len(kink))]))
        found.append(kink[np.flatnonzero(value[1:] * value[:-1] < 0)])
    return np.concatenate(found)


left, right = style.panels(2, (9.6, 4.8))
for ax, run, own, other, title in ((left, both, f1, f2, f"(a) both layers of {m_both:,} neurons, {steps:,} steps"),
                                   (right, output, f2, f1, f"(b) output layer of {m_output:,} neurons, flow, ln t = {log_t_end:,.0f}")):
    regions(ax, run.plane[-1])
    panel(ax, own, other)
    ax.set_title(title)
left.plot(*corners(best).T, "o", color="black", markersize=5)
left.set(xlim=(-0.5, 0.5), ylim=(-0.5, 0.5))
for ax, above, below in ((left, "predicted", "predicted for (b)"), (right, "predicted for (a)", "predicted")):
    for place, words in (((0.11, 0.07), above), ((0.07, -0.045), "they differ"), ((0.11, -0.13), below)):
        ax.text(*place, words)
plt.show()

# %% [markdown]
# ### What breaks
#
# *No exponential tail.* The squared loss, on both layers, ends at finite weights, with a margin of {glue:text}`two_squared` of $\gamma_1$.
#
# ### On the way
#
# We look at the networks when they first separate the points, at about a tenth of the time and at its end. For the output layer we also look at the time $t$ that equals the number of steps of both layers. The *price paid* is the largest price of a place where the network has the other sign than its classifier. By {prf:ref}`proposition-price` it is at most what the margin lacks. Prices in $\mathcal F_1$ above $0.1$ are not computed, so while a margin lacks more than that, all signs count as open, by the same rule in the rows of the output layer. The band is counted on a grid of 13 by 13 places, of which one is 0.6 %. The network whose output layer is trained converges to the classifier of its own features. This differs from the kernel's on {glue:text}`two_own` of the square, where {eq}`two-flip` predicts {glue:text}`two_flipped`. So its agreement with $\mathcal F_2$ ends there and not at 100 %.

# %% tags=["hide-input"]


def paid(run, prices, own):
    """The largest price of a place of the wrong sign, one number a time; 0 where no sign is wrong."""
    wrong = np.sign(run.plane[:, rough]) != np.sign(own[rough])
    return np.max(np.where(wrong, prices, 0), axis=1)


def separated(run):
    """The first record at which all points are on their side."""
    return int(np.argmax(run.shortfall < 1))


def fit_both():
    """Descend in both layers by the squared loss; what the margin lacks of γ₁ at the end."""
    net = TwoLayer(RELU, "both", "1/m")
    flow = Risk(net, points, Squared("sum")).of_weights(*start(control_stream, m_both))
    L = np.max(np.sum(x**2, axis=1))
    descent = ScheduledDescent(BlockedGradient(flow.risk, m_both).gradient, lambda step, theta: m_both * 4
                               / (n * L * max(1.0, theta @ theta / m_both)))
    run = drive(descent, flow.start, t_end=FITTING).demand()
    return in_norm(net, *flow.weights(run.theta[-1:]))[1][0]


def squared(features):
    """The margin over that of the kernel where the squared loss ends: at the nearest output weights of labels ±1."""
    weights = features.u + np.linalg.solve(features.gram, y - features.phi @ features.u) @ features.phi
    return 1 / np.linalg.norm(weights) / machine.margin


def rows(words, run, prices, own, clock, *others):
    """Lines of the table: first separation, other records, a tenth of the time, the end."""
    lines = []
    for at in (separated(run), *others, int(np.argmin(np.abs(run.time - run.time[-1] / 10))), -1):
        shares = [agreement(run.plane[at], one) for one in (f1, f2)]
        band = np.mean(prices <= run.shortfall[at]) if run.shortfall[at] < CAP else 1.0
        price = paid(run, prices, own)[at]
        lines.append([words, clock(run.time[at]), *(f"{100 * share:.2f}\u00a0%" for share in shares), f"{100 * run.shortfall[at]:.2g}\u00a0%",
                      ("≥ " if own is f1 and price >= CAP else "") + f"{100 * price:.2g}\u00a0%", f"{100 * band:.1f}\u00a0%"])
    return lines


numbers(["trained", "time", "agrees with ℱ₁", "with ℱ₂", "its margin lacks", "price paid",
         "the band's part of the square"],
        [*rows("both layers", both, low, f1, lambda t: f"step\u00a0{t:,.0f}"),
         *rows("output layer", output, dear, features.classifier, lambda t: f"ln\u00a0t\u00a0=\u00a0{t:,.0f}", early)])

# %% [markdown]
# The same as a film over the logarithm of time. The grey band is what {prf:ref}`proposition-price` leaves open. It is drawn as soon as the margin lacks less than a tenth. Dashed and dotted lines are those of {numref}`figure-two`.

# %% tags=["hide-input"]
frames = 9
moments = [np.unique(np.round(np.linspace(separated(run) // 2, len(run.time) - 1, frames)).astype(int))
           for run in (both, output)]
figure, panels = plt.subplots(1, 2, figsize=(8.4, 4.6), dpi=75)
coarse = side[::EVERY]


pictures = [(panels[0], both, moments[0], f1, f2, low, "both layers, step {:,.0f}"),
            (panels[1], output, moments[1], f2, f1, dear, "output layer, $\\ln t={:.0f}$")]
for picture in pictures:
    panel(picture[0], picture[3], picture[4])
shown = [regions(ax, both.plane[0]) for ax in panels]


def animate_frame(frame):
    """Both networks at a record, with what their margins lack."""
    while shown:
        shown.pop().remove()
    for ax, run, at, *_, prices, words in pictures:
        shown.append(regions(ax, run.plane[at[frame]]))
        if run.shortfall[at[frame]] < CAP:
            shown.append(ax.contourf(coarse, coarse, prices.reshape(coarse.size, -1), alpha=0.4, colors=["#7F7F7F"],
                                     levels=[-1, run.shortfall[at[frame]]]))
        ax.set_title(words.format(run.time[at[frame]]))


HTML(film(figure, animate_frame, min(len(one) for one in moments), name="film-two-biases",
          alt="The regions of two networks over the logarithm of time; the boundary on the left becomes a polygon, that on the right a curve, inside grey bands that shrink",
          said=[f"step {both.time[i]:.0f}, ln t = {output.time[j]:.0f}" for i, j in zip(*moments, strict=False)]))

# %% [markdown]
# ## Theory
#
# A margin close to the largest does not make two functions close. The maximizer for $\mathcal F_1$ need not even be unique. But it decides signs.
#
# ````{prf:proposition} What a boundary costs
# :label: proposition-price
#
# Let $\|\cdot\|$ be a norm, $\gamma>0$ the largest margin $\min_iy_ih(x_i)$ among $\|h\|\le1$, and $h^*$ a maximizer. Let $\gamma(x)$ be the largest among those $h$ that also vanish at $x$, and $\pi(x)=1-\gamma(x)/\gamma$ the {term}`price <price of a boundary>` of a boundary through $x$.
# If $\|h\|\le1$ and $h$ has a margin of at least $(1-\varepsilon)\gamma$, then $\operatorname{sign}h(x)=\operatorname{sign}h^*(x)$ wherever $\pi(x)>\varepsilon$. And where $\pi(x)<\varepsilon$ some such $h$ vanishes at $x$, so the band cannot be smaller.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# Were the signs different, or one of them $0$, some mean $(1-s)h+sh^*$ would vanish at $x$. Its norm is at most $1$ and its margin at least $(1-\varepsilon)\gamma$, so that $\gamma(x)\ge(1-\varepsilon)\gamma$, that is $\pi(x)\le\varepsilon$. The second statement is the definition. $\square$
# ````
#
# If the maximizer is unique, the band shrinks to its boundary as $\varepsilon\to0$. Both prices can be computed.
#
# ````{prf:proposition} The two prices
# :label: proposition-prices
#
# 1. In the space of a kernel $k$ the functions that vanish at $x$ are the space of the kernel $k(x',x'')-k(x',x)k(x,x'')/k(x,x)$: $\gamma(x)$ is the margin of a support vector machine.
# 2. In $\mathcal F_1$, with weights $p\in\Delta$ of the points and a real $q$,
#
# ```{math}
# :label: two-price
# \begin{gathered}\gamma_1(x)=\min_{p\in\Delta,\,q\in\mathbb R}\tfrac12\max_{\|u\|=1}|g(u)|,\\\begin{aligned}g(u)&=\sum_ip_iy_i(u\cdot\tilde x_i)_+\\&\quad+q\,(u\cdot\tilde x)_+.\end{aligned}\end{gathered}
# ```
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# 1. $h(x)=\langle h,k_x\rangle$, so they are the complement of $k_x$, and the projection of $k_{x'}$ on it has this kernel. 2. As for $\gamma_1$ in {prf:ref}`proposition-f1-dual`, with a multiplier $q$ of the constraint $h(x)=0$. $\square$
# ````
#
# {eq}`two-price` is a linear program with infinitely many columns, and {prf:ref}`proposition-f1-oracle` searches them exactly. Any $p,q$ prove a lower bound of $\pi$, and the page uses such bounds.
#
# ## How fast, exactly
#
# When the output layer alone is trained there is a second distance. The classifier $f_m$ of largest margin on $m$ random features is not yet the $f$ of their kernel. Let both be scaled to the margin $1$, with multipliers $\alpha$, support $S$ and $y_if(x_i)=1$ there.
#
# ````{prf:proposition} The boundary of random features
# :label: proposition-flip
#
# Let $g(\theta)=\sum_i\alpha_iy_i(\theta\cdot\tilde x_i)_+$, and $G$ the Gaussian process with mean $0$ and the covariance $\mathbb E\,g(\theta)^2(\theta\cdot\tilde x)_+(\theta\cdot\tilde x')_+-f(x)f(x')$. To leading order
#
# ```{math}
# :label: two-law
# \begin{gathered}f_m=f'+\frac G{\sqrt m},\\f'\text{ of least norm with}\\y_if'(x_i)\ge1-\frac{y_iG(x_i)}{\sqrt m}.\end{gathered}
# ```
#
# Let $K_{SS}$ be invertible, $\alpha_i>0$ on $S$ and $y_if(x_i)>1$ off $S$. Then $\sqrt m\,(f_m(x)-f(x))\to\mathcal N(0,\sigma^2(x))$ with
#
# $$\begin{aligned}\sigma^2(x)&=\mathbb E\,g(\theta)^2r_x(\theta)^2,\\r_x(\theta)&=(\theta\cdot\tilde x)_+\\&\quad-k(x,x_S)K_{SS}^{-1}(\theta\cdot\tilde x_S)_+.\end{aligned}$$
#
# If $\nabla f\ne0$ on the boundary of $f$, and the boundary runs through the interior of a set $Q$ or along a piece of its edge, the part of $Q$ on which the signs of $f_m$ and $f$ differ is on average, to leading order, $A_m$, of the order $1/\sqrt m$:
#
# ```{math}
# :label: two-flip
# A_m=\frac1{|Q|}\int_Q\Phi\Bigl(-\sqrt m\,\frac{|f(x)|}{\sigma(x)}\Bigr)dx.
# ```
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# $f_m=\sum_i\alpha^m_iy_ik_m(x_i,\cdot)$ with the kernel $k_m=k+E/\sqrt m$ of the features and the multipliers $\alpha^m\ge0$ that minimize $\frac12\sum_{i,k}\alpha_i\alpha_ky_iy_kk_m(x_i,x_k)-\sum_i\alpha_i$. By the central limit theorem $\sum_i\alpha_iy_iE(x_i,\cdot)$ tends to $G$. The product of $E$
# with $\alpha^m-\alpha$ is of higher order. Without it this is the dual of {eq}`two-law`. For large $m$ the support is $S$, the inequalities on it are equations, and $\sqrt m(f_m-f)(x)$ tends to $G(x)-k(x,x_S)\,K_{SS}^{-1}\,G(x_S)$, the limit of $\sqrt m$ times the mean of $g\,r_x$ over the neurons. $\Phi$ is the
# probability that a normal variable changes a sign. $\square$
# ````
#
# Where a multiplier or a slack is of the order $1/\sqrt m$, many networks of that width have another support than $S$, and do not scatter by $\sigma$ yet. {eq}`two-law` keeps the inequalities and says how they do: it is a small quadratic program for each draw of $G$, and no network is drawn for it.
#
# The part that turns varies from network to network. To leading order it is $1/|Q|$ times the integral along the boundary of the modulus of a Gaussian displacement, or of its positive part where $Q$ lies on one side of the boundary. Its standard deviation is at most $\sqrt{\pi-1}\,A_m$, and where $Q$ holds both sides $\sqrt{\pi/2-1}\,A_m$; both are attained if all places move together.
#
# Here $A_m$ is {glue:text}`two_flipped` of the square for the network that is trained, and {glue:text}`two_flipped_there` of the part where the two classifiers differ.
#
# ### The claims
#
# Each box is a {term}`claim`. It says what theory predicts, what was measured, by how much they may differ and why. The first three look only where the two classifiers differ, since other places do not tell the biases apart. The tolerance of the first is the part of them in which the band leaves the sign open. It is proved for the margin that was reached, so the claim can fail only if the proof or the code is wrong. Finite width turns the part $A_m$ of the places of the second, with a standard deviation that may be larger still, at most $\sqrt{\pi-1}\,A_m$. One network shows agreement, and no more. The third tests the law {eq}`two-law` behind $A_m$ by the mean over many networks. Its tolerance is about two thirds of the share of signs that is predicted to turn, so it tests the size of the law and not its digits. The rival is the other classifier. A network must be at least twice as far from the other classifier as from its own.
#
# ```{claim} both
# :headline: agreement with the F₁ classifier where the two classifiers differ, both layers trained
# :source: Chizat and Bach 2020, Theorem 3; Proposition What a boundary costs
# :evidence: proved here
# :because: the part of these places where the price is at most what the network's margin lacks: proved
# :contrast: the output layer alone trained
# :rival: the kernel's classifier
#
# trained on both layers, the network has the signs of the classifier of largest F₁ margin where the kernel's
# differ
# ```
#
# ```{claim} output
# :source: Chizat and Bach 2020, Section 5; Proposition The boundary of random features
# :evidence: trained and compared
# :because: one standard deviation of the part that finite width turns, √(π − 1) A_m of these places at most;
#   what the end of the run leaves, as much as changed its sign after half of ln t, for the displacement falls
#   like 1/ln t, and one place of the grid
# :contrast: both layers trained
# :rival: the classifier of largest F₁ margin
#
# trained on the output layer, the network has the signs of the kernel's classifier where the F₁ one's differ
# ```
#
# ```{claim} networks
# :source: Proposition The boundary of random features
# :evidence: float with residual
# :because: one standard error of the difference of two independent means, over the networks and over the draws of
#   the predicted law
# :contrast: the hidden weights of each neuron times one exponentially distributed number, which doubles the kernel,
#   leaves the classifier and changes σ
#
# where the two classifiers differ, the classifiers of {draws} sets of random features have the signs of the kernel's
# as often, on average, as predicted without drawing one
# ```
#
# ```{claim} margins
# :headline: normalized margin over γ₁, both layers
# :source: Chizat and Bach 2020, Theorem 3
# :evidence: trained and compared
# :because: a chosen level: the limit is in width and time, and no rate is known
# :control: the squared loss
#
# trained on both layers, the network's normalized margin tends to the largest in F₁
# ```

# %% tags=["hide-input"]
fitted = fit_both()
# the displacement falls like 1/ln t
derived_left_there = 1 - agreement(output.plane[-1, contested], output.plane[-2, contested])
derived_draw_there = np.sqrt(np.pi - 1) * flipped_there  # one side of the boundary
claims.limit("both", 1.0, agreement(both.plane[-1, contested], f1[contested]), proved=derived_open,
             control=agreement(output.plane[-1, contested], f1[contested]), rival=Rival(0.0, factor=2))
claims.limit("output", 1 - flipped_there,
             # mutant(1): the last recorded states all are late
             agreement(output.plane[-1, contested], f2[contested]),
             error=derived_draw_there + derived_left_there + 1 / contested.size,
             control=agreement(both.plane[-1, contested], f2[contested]), rival=Rival(0.0, factor=2))
claims.limit("networks", np.mean(kept(law[0])), np.mean(kept(networks)),
             error=np.hypot(standard_error(kept(networks)), standard_error(kept(law[0]))), control=np.mean(kept(stretched)),
             fill={"draws": draws})
claims.limit("margins", 1.0,
             1 - both.shortfall[-1],  # mutant(-1 → -2; 1 - … → 1 + …): within its derived error
             level=0.005, control=1 - fitted)

# %% [markdown]
# ## Instruments
#
# The margin of the output layer, the bands, the prices, and the law of the random classifiers.
#
# The output layer's margin misses that of the kernel by two things, its finite width and the lag of the flow; a single draw of the features decides how much.
#
# ```{claim} margins_output
# :source: Chizat and Bach 2020, Section 5
# :evidence: trained and compared
# :because: one standard deviation s/√m of the margin of random features, and the lag C/ln t
# :control: the squared loss on the same features
#
# trained on the output layer, the network's normalized margin tends to that of the kernel
# ```

# %% tags=["hide-input"]
derived_spread = margin_deviation(x, y) / np.sqrt(m_output)
derived_lag = margin_lag(features.machine) / log_t_end
claims.limit("margins_output", 1.0,
             # mutant(-1 → -2; (1 - output.shortfall[-1]); 1… → 1…): within its derived error
             (1 - output.shortfall[-1]) * features.machine.margin / machine.margin,
             error=derived_spread + derived_lag, control=squared(features))

# %% [markdown]
# {prf:ref}`proposition-price` is proved, so that no network may leave its band at any time: the price paid less what the margin lacks is never positive. A network of the other kind, held to the same lack, does leave it.
#
# ```{claim} inside_both
# :evidence: proved here
# :because: proved; the residual of the certificate of γ₁, and the rounding of a sum over the points
# :contrast: the network whose output layer was trained, held to the same lack
#
# trained on both layers, the network never pays more for its boundary than its margin lacks
# ```
#
# ```{claim} inside_output
# :evidence: proved here
# :because: proved; the residual of the certificate of the margin of the features, and the rounding of a sum
#   over the points
# :contrast: the network whose layers were both trained, held to the same lack
#
# trained on the output layer, the network never pays more for its boundary than its margin lacks
# ```

# %% tags=["hide-input"]
known = both.shortfall < CAP
claims.below("inside_both", 0.0, (paid(both, low, f1) - both.shortfall)[known],
             error=best.certificate.worst + rounding(n), control=float(paid(output, low, f1)[-1] - both.shortfall[-1]))
claims.below("inside_output", 0.0, paid(output, dear, features.classifier) - output.shortfall,
             error=features.machine.certificate.worst + rounding(n),
             control=float(paid(both, dear, features.classifier)[-1] - output.shortfall[-1]))

# %% [markdown]
# On the boundary of the certified classifier itself the price is zero. It is proved from below and reached from above.
#
# ```{claim} zero
# :evidence: float with residual
# :because: the two bounds enclose the price, and the solver does not stop before they differ by at most so
#   much
# :contrast: on the boundary of the kernel's classifier
#
# on the boundary of the certified classifier the price is zero
# ```

# %% tags=["hide-input"]


def on_boundary(plane):
    """Some places on the boundary of a classifier, by halving the way between neighbours of different sign."""
    grid = plane.reshape(FINE, FINE)
    rows, columns = np.nonzero(np.sign(grid[:, 1:]) != np.sign(grid[:, :-1]))
    # mutant(0; 1; 8; 0, len(rows) - 1): at which points of a line it is looked
    chosen = np.linspace(0, len(rows) - 1, 8).astype(int)
    # mutant(1): the bracket of a root
    share = grid[rows, columns] / (grid[rows, columns] - grid[rows, columns + 1])
    return np.column_stack([side[columns] + share * (side[1] - side[0]), side[rows], np.ones(len(rows))])[chosen]


def halved(machine_of):
    """The same places, moved along the row until the classifier vanishes."""
    places = on_boundary(machine_of(fine))
    for place in places:
        reach = (side[1] - side[0]) / 2  # mutant(/; -; 1; 2): the bracket of a root
        # mutant(0; +; 1): the bracket of a root, or the last state
        ends = np.array([place, place]) + np.outer([-reach, reach], [1, 0, 0])
        for _ in range(50):  # mutant: how often a bracket is halved
            middle = ends.mean(axis=0)
            ends[int(machine_of(middle[None])[0] * machine_of(ends[:1])[0] <= 0)] = middle
        place[:] = middle
    return places


PRICED = 1e-7  # the most by which the two bounds of a price may differ here
at_f1 = variation_prices(points, best, halved(best.predict), cap=CAP, tolerance=PRICED)
at_f2 = variation_prices(points, best, halved(lambda places: relu_kernel(places, x) @ (machine.alpha * y)), cap=CAP)
claims.limit("zero", 0.0, np.concatenate(at_f1), proved=PRICED, control=np.concatenate(at_f2))

# %% [markdown]
# Where the boundary is, the classifiers of random features scatter around the kernel's by the predicted $\sigma/\sqrt m$, corrected for the networks that have another support by {eq}`two-law`: the mean of $m(f_m-f)^2/\sigma^2$ is $1$ for $m\to\infty$, and {glue:text}`two_law` for these points and the width of the networks drawn. We measure {glue:text}`two_scatter`. The tolerance is half of this value, so the claim tests the size of the formula and not its digits.
#
# ```{claim} scatter
# :evidence: float with residual
# :because: one standard error of the mean over the networks, from their scatter, and of the correction: the
#   places of one network move together, and where few of the rare large squares were drawn, mean and scatter
#   are both too small
# :contrast: the hidden weights of each neuron times an exponentially distributed number, which leaves the classifier
#   and changes σ
#
# classifiers of random features scatter around the kernel's by σ/√m, corrected for networks whose support vectors
# differ
# ```

# %% tags=["hide-input"]


derived_scatter = np.mean(squares(networks), axis=1)  # of each network; it scatters in proportion to its mean
predicted = 1 + float(np.mean(changed))
claims.limit("scatter", predicted, float(np.mean(squares(networks))),
             error=standard_error(derived_scatter) / min(1.0, np.mean(derived_scatter) / predicted)
             + standard_error(changed), control=float(np.mean(squares(stretched))))


def percent(part, digits=1):
    return f"{100 * part:.{digits}f}\u00a0%".replace("-", "−")


there = {name: [agreement(run.plane[-1, contested], one[contested]) for one in (f1, f2)]
         for name, run in (("both", both), ("output", output))}
glue_all("two", kept=percent(np.mean(kept(networks))), kept_p=percent(np.mean(kept(law[0]))), kept_stretched=percent(np.mean(kept(stretched))), draws=draws, m_drawn=f"{m_drawn:,}", scatter=f"{np.mean(squares(networks)):.2f}",
         end_margin=f"{(1 - both.shortfall[-1]) * both.size[-1] * best.bound:,.0f}", law=f"{predicted:.2f}", differ=percent(D), flipped=percent(flipped, 2), flipped_there=percent(flipped_there),
         m_both=f"{m_both:,}", m_output=f"{m_output:,}", both=percent(there["both"][0]), output=percent(there["output"][1]),
         both_p=percent(1 - derived_open), output_p=percent(1 - flipped_there), output_sd=f"{100 * derived_draw_there:.0f} points",
         log_t=f"{log_t_end:,.0f}", early_f1=percent(agreement(output.plane[early], f1)), early_f2=percent(agreement(output.plane[early], f2)),
         own=percent(1 - agreement(features.classifier, f2), 2), both_other=percent(there["output"][0]),
         output_other=percent(there["both"][1]), margin=percent(1 - both.shortfall[-1], 2), squared=percent(1 - fitted, 0))

# %% [markdown]
# ## What would falsify it
#
# A network that has another sign than its classifier at a place whose price is above what its margin lacks. Then the proof or the certificate would be wrong. A margin that tends to the largest while the signs stay those of the other classifier. A network with both layers trained that keeps another sign than its classifier outside the band.
#
# ## Differences from the paper
#
# - **Added.** The illustration in Chizat's slides {cite}`chizat2020slides` shows trained networks. Here the classifiers that they should end at are computed and certified, and the nearness of margins is turned into one of signs ({prf:ref}`proposition-price`). The width at which random features have the kernel's boundary ({prf:ref}`proposition-flip`) is not in the paper either.
# - **Changed.** Four clusters with labels like a chessboard, which no line separates, drawn until the two classifiers differ on at least 5 % of the square. Points are spread evenly over the clusters. Steps shrink like the inverse of the size, instead of $1/\sqrt k$ after $k$ steps. The output layer follows the flow in $\ln t$.
# - **Changed.** The two networks have different widths, for the reason given in *Experiment*.
# - **Smoothness.** The ReLU is not differentiable and violates the paper's assumption on $\phi$.
# - The test errors of the two kinds of training are the subject of {doc}`generalization`, and rates of {doc}`margin_rates`.
#
# ## Scope
#
# - That the margin of a network tends to the largest is tested here and in {doc}`f1_max_margin`. For both layers it is proved for infinitely many smooth neurons only, if the flow converges. For the output layer it is proved at every width, for the margin of its features. {prf:ref}`proposition-price` needs no such theorem, because it takes the margin that was measured.
# - The band is what *some* network of that margin may do. Once its margin lacks little, a trained network stays far inside it. The price that it pays is then a small part of what its margin lacks.
# - {prf:ref}`proposition-flip` is the leading order in $1/\sqrt m$. $A_m$ and its standard deviation use $\sigma$, the law of a support that does not change. Where it changes, $A_m$ can be a quarter too small.
# - The two classifiers nearly agree for some points. We draw points until they differ on at least 5 % of the square, so how often the biases can be seen is not measured here.
# - With nine clusters of random labels a network can lack a direction for very long, as {doc}`f1_max_margin` shows. The band is then wide.
#
# ## Exercises
#
# ````{exercise} How much is settled?
# :label: exercise-two-line
#
# In *The smallest case*, a classifier has the margin 0.5 at norm one, and $\|z\|=1$. Where can its boundary be?
# ````
#
# ````{solution} exercise-two-line
# :class: dropdown
#
# It lacks $\varepsilon=0.5$, so it agrees with the best one where $1-\sin\omega>0.5$, for $\omega<30°$. The boundary can be anywhere at $30°$ or more from $z$. Indeed $w$ at $60°$ to $z$ has the margin $\cos60°=0.5$, and its boundary is at $30°$ to $z$.
# ````
#
# ````{exercise} How the band narrows
# :label: exercise-two-root
#
# Show that for a kernel $|h(x)-h^*(x)|\le\sqrt{2\varepsilon\,k(x,x)}$ for every $h$ of norm at most $1$ with margin $(1-\varepsilon)\gamma$. What does this say of the width of the band?
# ````
#
# ````{solution} exercise-two-root
# :class: dropdown
#
# $h^*=\frac1\gamma\sum_ip_iy_ik_{x_i}$ with $p\in\Delta$, hence $\langle h,h^*\rangle=\frac1\gamma\sum_ip_iy_ih(x_i)\ge1-\varepsilon$ and $\|h-h^*\|^2\le2-2(1-\varepsilon)=2\varepsilon$. So $|h^*|$ is at most $\sqrt{2\varepsilon k(x,x)}$ in the band. Where $\nabla h^*\ne0$ on the boundary, its width is of the order $\sqrt\varepsilon$ at most.
# ````
#
# ````{exercise} Corners
# :label: exercise-two-corners
#
# Show that some classifier of largest $\mathcal F_1$ margin has a boundary that consists of straight pieces, and that at most $n$ lines carry all its corners.
# ````
#
# ````{solution} exercise-two-corners
# :class: dropdown
#
# By the exercise *The number of neurons* of {doc}`f1_max_margin` some maximizer has at most $n$ neurons. It is linear on each cell that their lines $u_k\cdot\tilde x=0$ cut out of the plane, so the boundary is straight inside a cell and can turn only on one of the lines.
# ````
#
# ````{exercise} A narrower network
# :label: exercise-two-narrow
#
# Rerun the chapter with `m_output = 12800`, half of the default. What do you expect of the agreement of the output layer with the smooth curve, and of the polygon?
# ````
#
# ````{solution} exercise-two-narrow
# :class: dropdown
#
# The part $A_m$ that finite width turns grows by $\sqrt2$, and one network scatters about it. The network with both layers trained has its own stream and does not change.
# ````
#
# ## Where to go next
#
# ```{next}
# {doc}`f1_max_margin` and {doc}`f2_max_margin` are about the two margins. {doc}`margin_rates` proves how fast they are reached with fixed directions, and {doc}`generalization` and {doc}`adaptivity` ask which of the two classifiers does better on new points.
# ```
#
# ## References
#
# The theorems and the illustration are {cite:t}`chizat2020`. {cite:t}`bach2017` treats both spaces. The kernel is that of {cite:t}`cho2009`.
