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
# # Two biases: which layers are trained decides the boundary
#
# A wide ReLU network that separates the points can do so in many ways. If both layers are trained and the flow converges, it ends with the boundary of a classifier of largest {term}`margin` for the {term}`variation norm`,
# and some such boundary is a polygon with few corners; if the output layer alone is trained, with that of a support vector machine of a fixed kernel, a smooth curve {cite}`chizat2020`. The intuition: neurons that turn and multiply
# gather in a few directions, and each makes one kink; neurons that stay where they were drawn lend all directions equally. Both boundaries are known before any network is trained, and so is how far a network can still be from its own.
#
# Write $\gamma$ for the largest margin at norm $1$, $h^*$ for a classifier that has it, $h_t$ for the network at time $t$. The price $\pi(x)$ of a place $x$ is the share of $\gamma$ that is lost by forcing the boundary through $x$; what the margin of $h_t$ lacks decides where it is right:
#
# $$\begin{gathered}\operatorname{sign}h_t(x)=\operatorname{sign}h^*(x)\quad\text{where}\\
# \pi(x)>1-\frac{\min_iy_ih_t(x_i)}{\gamma\,\|h_t\|},\\
# \pi(x)=1-\frac1\gamma\max_{\substack{\|h\|\le1\\h(x)=0}}\min_iy_ih(x_i).\end{gathered}$$
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# The points $x_i\in\mathbb R^2$ lie in four clusters, labelled like a chessboard, $y_i=\pm1$; $\tilde x=(x,1)$. The network is $h(x)=\frac1m\sum_jb_j(a_j\cdot\tilde x)_+$ with weights that start as independent standard Gaussians. Its smooth margin $-\ln\frac1n\sum_ie^{-y_ih(x_i)}$ is ascended,
# in the weights of both layers or in the $b_j$ alone. Two norms belong to it:
#
# | trained | norm of $h$ | the largest margin at norm 1 |
# |---|---|---|
# | both layers | $\Vert h\Vert_{\mathcal F_1}\le\frac2m\sum_j\lvert b_j\rvert\Vert a_j\Vert$, see {doc}`f1_max_margin` | $\gamma_1$ |
# | output layer | $\Vert h\Vert_{\mathcal F_2^{(m)}}\le\bigl(\frac1m\sum_jb_j^2\bigr)^{1/2}$, see {doc}`f2_max_margin` | $\gamma_2^{(m)}\to\gamma_2$ |
#
# $\mathcal F_2^{(m)}$ holds the combinations of the $m$ features that were drawn: for the output layer $\gamma$, $h^*$ and $\pi$ are theirs, and tend to those of the kernel as $m\to\infty$. In the two chapters the margins come near the largest ones. Margins are numbers; here it is asked what follows for the classifiers, in the square $[-\frac12,\frac12]^2$ that holds the data.

# %% tags=["hide-input"]
from collections import namedtuple

import numpy as np
from IPython.display import HTML
from matplotlib import pyplot as plt
from scipy.stats import norm

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
from implicit_bias.models.two_layer import Risk, TwoLayer
from reproduce.claims import Claims, Rival, rounding, standard_error
from reproduce.claims.glued import glue_all
from reproduce.claims.numbers import numbers

claims = Claims("two_biases")

style.use_style()

# %% [markdown]
# ## Theory
#
# A margin close to the largest does not make two functions close: the maximizer for $\mathcal F_1$ need not even be unique. But it decides signs.
#
# ````{prf:proposition} What a boundary costs
# :label: proposition-price
#
# Let $\|\cdot\|$ be a norm, $\gamma>0$ the largest margin $\min_iy_ih(x_i)$ among $\|h\|\le1$, and $h^*$ a maximizer. Let $\gamma(x)$ be the largest among those $h$ that also vanish at $x$, and $\pi(x)=1-\gamma(x)/\gamma$ the {term}`price <price of a boundary>` of a boundary through $x$.
# If $\|h\|\le1$ and $h$ has the margin $(1-\varepsilon)\gamma$, then $\operatorname{sign}h(x)=\operatorname{sign}h^*(x)$ wherever $\pi(x)>\varepsilon$. And where $\pi(x)<\varepsilon$ some $h$ of that kind vanishes.
# ````
#
# ````{prf:proof}
# Were the signs different, or one of them $0$, some mean $(1-s)h+sh^*$ would vanish at $x$. Its norm is at most $1$ and its margin at least $(1-\varepsilon)\gamma$, so that $\gamma(x)\ge(1-\varepsilon)\gamma$, that is $\pi(x)\le\varepsilon$. The second statement is the definition. $\square$
# ````
#
# So the boundary of a network stays in the band $\{\pi\le\varepsilon\}$, where $\varepsilon$ is what its own margin lacks, at every time and every width. The band depends on the data alone, and shrinks to the boundary of $h^*$ if the maximizer is unique. Both prices can be computed.
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
# 1. $h(x)=\langle h,k_x\rangle$, so they are the complement of $k_x$, and the projection of $k_{x'}$ on it has this kernel. 2. As for $\gamma_1$ in {prf:ref}`proposition-f1-dual`, with a multiplier $q$ of the constraint $h(x)=0$. $\square$
# ````
#
# {eq}`two-price` is a linear program with infinitely many columns, and {prf:ref}`proposition-f1-oracle` searches them exactly. Any $p,q$ prove a lower bound of $\pi$; these are what is used.
#
# When the output layer alone is trained there is a second distance: the classifier $f_m$ of largest margin on $m$ random features is not yet the $f$ of their kernel. Scaled to the margin $1$, with multipliers $\alpha$, support $S$ and $y_if(x_i)=1$ there:
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
# If $\nabla f\ne0$ on the boundary of $f$, and the boundary meets a set $Q$ or its edge, the part of $Q$ on which the signs of $f_m$ and $f$ differ is on average, to leading order, $A_m$, of the order $1/\sqrt m$:
#
# ```{math}
# :label: two-flip
# A_m=\frac1{|Q|}\int_Q\Phi\Bigl(-\sqrt m\,\frac{|f(x)|}{\sigma(x)}\Bigr)dx.
# ```
# ````
#
# ````{prf:proof}
# $f_m=\sum_i\alpha^m_iy_ik_m(x_i,\cdot)$ with the kernel $k_m=k+E/\sqrt m$ of the features and the multipliers $\alpha^m\ge0$ that minimize $\frac12\sum_{i,k}\alpha_i\alpha_ky_iy_kk_m(x_i,x_k)-\sum_i\alpha_i$. By the central limit theorem $\sum_i\alpha_iy_iE(x_i,\cdot)$ tends to $G$; what $E$ makes
# of $\alpha^m-\alpha$ is of higher order. Without it this is the dual of {eq}`two-law`. For large $m$ the support is $S$, the inequalities on it are equations, and $\sqrt m(f_m-f)(x)$ tends to $G(x)-k(x,x_S)\,K_{SS}^{-1}\,G(x_S)$, the limit of $\sqrt m$ times the mean of $g\,r_x$ over the neurons. $\Phi$ is the
# probability that a normal variable changes a sign. $\square$
# ````
#
# Where a multiplier or a slack is of the order $1/\sqrt m$, many networks of that width have another support than $S$, and do not scatter by $\sigma$ yet. {eq}`two-law` keeps the inequalities and says how they do: it is a small quadratic program for each draw of $G$, and no network is drawn for it.
#
# The part that turns varies from network to network. To leading order it is $1/|Q|$ times the integral along the boundary of the modulus of a Gaussian displacement, or of its positive part where $Q$ lies on one side of the boundary. Its standard deviation is at most $\sqrt{\pi-1}\,A_m$, and where $Q$ holds both sides $\sqrt{\pi/2-1}\,A_m$; both are attained if all places move together.
#
# ## Experiment
#
# One network is trained on both layers, by steps that shrink like the inverse of its size, so that no step moves a margin by more than $16$ to leading order; points too far off to count before the next look at all of them, ten steps later, are left out. A wider one, for which only an $n$-dimensional part of the weights moves, by {term}`gradient flow` in $\ln t$ to far beyond what steps could reach. Data, both starts and the controls use random streams of their own.
# For some points the two classifiers nearly agree, and no experiment could tell the biases apart: points are drawn until they differ on at least 5 % of the square. That is known before anything is trained.

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
FINE, EVERY, CAP, STEP, OFTEN, PLACES, APART = 61, 3, 0.1, 16.0, 10, 40, 0.05
PER_NETWORK = 10  # draws of the predicted law for each network that is drawn
FITTING = 10000  # steps of the control that descends by the squared loss
FAR = 40.0  # a point whose margin is larger by so much has a share e^-40 of the gradient, less than rounding
side = np.linspace(-0.5, 0.5, FINE)
square = np.stack([*np.meshgrid(side, side), np.ones((FINE, FINE))], axis=-1)
fine = square.reshape(-1, 3)
rough = np.flatnonzero(np.all(np.indices((FINE, FINE)) % EVERY == 0, axis=0))  # where prices are computed
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
    few, taken = flow, 0  # the flow of the points that count, and the steps so far

    def rate(step, theta):
        return m_both * STEP / (L * max(1.0, theta @ theta / m_both))

    def gradient(theta):
        nonlocal few, taken
        if taken % OFTEN == 0:
            margins = y * flow.outputs(theta)
            near = margins < margins.min() + 2 * STEP * OFTEN + FAR
            few = Risk(net, Classification(x[near], y[near]), SmoothMargin()).of_weights(w, a)
        taken += 1
        return few.gradient(theta)

    # mutant(1; 60): when states are recorded
    moments = np.unique(np.round(np.geomspace(1, steps, 60)))
    run = drive(ScheduledDescent(gradient, rate), flow.start, t_end=steps, record=moments).demand()
    w, a = flow.weights(run.theta)
    size, shortfall = in_norm(net, w, a)
    return Run(run.t, size, shortfall, np.array([net.output(*one, fine) for one in zip(w, a, strict=True)]))


def features_of(theta, b, places):
    """What m neurons of hidden weights θ make of the points and of places, with their output weights b at the start."""
    # mutant(b / np.sqrt(len(theta))): the scale of the start, of which the same limit holds
    phi, u = np.maximum(x @ theta.T, 0) / np.sqrt(len(theta)), b / np.sqrt(len(theta))
    across, own, plane = [], [], []
    for part in np.array_split(places, 100):
        seen = np.maximum(part @ theta.T, 0) / np.sqrt(len(theta))
        across.append(seen @ phi.T)
        own.append(np.sum(seen**2, axis=1))
        plane.append(seen @ u)
    gram, seen = phi @ phi.T, np.concatenate(across)
    svm = kernel_margin(gram, y)
    classifier = seen @ (svm.alpha * y)  # f_m
    return Features(phi, u, gram, seen, np.concatenate(own), np.concatenate(plane), svm, classifier)


def train_output(features):
    """Flow of the output weights in ln t; what the margin lacks of that of the features, and the outputs."""
    values, modes = np.linalg.eigh(features.gram)
    root = np.sqrt(values)
    model = LinearClassifier(Classification(modes * root, y), margin_loss("exponential"))
    before = modes.T @ (features.phi @ features.u) / root
    # mutant(1; 2; 59): when states are recorded
    times = np.concatenate([np.geomspace(1, log_t_end / 2, 59), [log_t_end]])
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
print(f"the two classifiers differ on {100 * D:.1f} % of the square")  # compare
for name, run in (("both layers", both), ("output layer", output)):
    f1_share, f2_share = (agreement(run.plane[-1], one) for one in (f1, f2))
    print(f"{name}: agreement with F₁ {f1_share:.3f}, with F₂ {f2_share:.3f}")

# %% [markdown]
# The prices are computed on a coarser grid of the square, for $\mathcal F_1$ and for the features of the trained network. For the test of {prf:ref}`proposition-flip` many networks are drawn, and for its control others whose first two hidden weights are positive; their classifiers are compared with the kernel's at the places of that
# grid where $|f|$ is least.

# %% tags=["hide-input"]
snake = np.arange(rough.size).reshape(len(side[::EVERY]), -1)
# mutant(-): in what order the points of a grid are visited
snake[1::2] = snake[1::2, ::-1]  # neighbours next to each other
low, high = np.full((2, rough.size), np.nan)
low[snake.ravel()], high[snake.ravel()] = variation_prices(points, best, fine[rough][snake.ravel()], cap=CAP)
dear = kernel_prices(features.gram, y, features.across[rough], features.own[rough])
sigma = classifier_deviation(x, y, fine)


def flips(m):
    """By place, how likely a classifier of m random features has another sign than the kernel's."""
    return norm.cdf(-np.sqrt(m) * np.abs(f2) / sigma)


contested = np.flatnonzero(np.sign(f1) != np.sign(f2))  # where the two classifiers differ
flipped, flipped_there = np.mean(flips(m_output)), np.mean(flips(m_output)[contested])  # A_m of the square, and there
near = rough[np.argsort(np.abs(f2[rough]))[:PLACES]]


def drawn(count, stream, quarter=False):
    """√m (f_m − f)/σ of classifiers of random features at the places near the boundary, one row a network."""
    rows = []
    for _ in range(count):
        theta = stream.standard_normal((m_drawn, 3))
        if quarter:
            theta[:, :2] = np.abs(theta[:, :2])
        rows.append(features_of(theta, np.zeros(m_drawn), fine[near]).classifier)
    return np.sqrt(m_drawn) * (np.array(rows) - f2[near]) / sigma[near]


law = classifier_draws(x, y, fine[near], m_drawn, PER_NETWORK * draws, law_stream)
scatter, quarter = drawn(draws, draw_stream), drawn(draws // 4, control_stream, quarter=True)
free, held = (np.mean((one / sigma[near]) ** 2, axis=1) for one in law)
changed = free - held  # what the change of the support adds to the mean square, a draw each
lack = float(both.shortfall[-1])
stakes, _ = variation_prices(points, best, fine[contested], cap=min(2 * lack, CAP), tolerance=min(lack, CAP) / 10)
derived_open = np.mean(stakes <= lack)  # the part of it where the margin leaves the sign open

# %% mystnb={"figure": {"caption": "The same points, two networks. Colours: the two regions of the trained network, both layers (left) and output layer only (right). Dashed: the boundary that theory predicts, of the classifier of largest $\\mathcal F_1$ margin (left) and of the support vector machine of the kernel (right). Dotted: the other one.", "name": "figure-two"}, "image": {"alt": "Two squares with four clusters of points. Left, two regions with straight edges that follow a dashed polygon; right, two regions with curved edges that follow a dashed curve", "classes": "panels-2"}} tags=["hero", "hide-input"]
REGIONS = ["#f6d9c6", "#cfe3f1"]


def panel(ax, plane, own, other):
    """The regions of a network, the predicted boundary, the other one and the points."""
    grid = (FINE, FINE)
    ax.contourf(side, side, plane.reshape(grid), levels=[-np.inf, 0, np.inf], colors=REGIONS)
    ax.contour(side, side, other.reshape(grid), levels=[0.0], colors="black", linewidths=1.1, linestyles=":")
    ax.contour(side, side, own.reshape(grid), levels=[0.0], colors="black", linewidths=1.8, linestyles=[(0, (4, 2))])
    for sign, color in ((1, "blue"), (-1, "red")):
        ax.plot(*x[y == sign, :2].T, "o", color=style.COLORS[color], markersize=4)
    ax.set(aspect="equal", xlabel="$x_1$", ylabel="$x_2$", xticks=[-0.5, 0, 0.5], yticks=[-0.5, 0, 0.5])


left, right = style.panels(2, (9.6, 4.6))
panel(left, both.plane[-1], f1, f2)
left.set_title("both layers")
panel(right, output.plane[-1], f2, f1)
right.set_title("output layer only")
plt.show()

# %% [markdown]
# Two horizons, and the moment at which the networks first separate the points. The *price paid* is the largest price of a place on which the network has the other sign than its classifier; by {prf:ref}`proposition-price` it is at most what the margin lacks. $\mathcal F_1$ prices above $0.1$ are not told apart: while a margin in $\mathcal F_1$ lacks more than that, all signs count as open. For comparison the squared loss, which has no exponential tail, on both layers and on the features of the output layer.

# %% tags=["hide-input"]


def paid(run, prices, own):
    """The largest price of a place of the wrong sign, one number a time; 0 where no sign is wrong."""
    wrong = np.sign(run.plane[:, rough]) != np.sign(own[rough])
    return np.max(np.where(wrong, prices, 0), axis=1)


def separated(run):
    """The first record at which all points are on their side."""
    return int(np.argmax(run.shortfall < 1))


def tenth(run):
    """The record at a tenth of the time."""
    return int(np.argmin(np.abs(run.time - run.time[-1] / 10)))


def hundredth(run):
    """The record at a hundredth of the time."""
    # mutant(1): a time at which the difference is claimed to be larger
    return int(np.argmin(np.abs(run.time - run.time[-1] / 100)))


def fit_both():
    """Descend in both layers by the squared loss; what the margin lacks of γ₁ at the end."""
    net = TwoLayer(RELU, "both", "1/m")
    flow = Risk(net, points, Squared("sum")).of_weights(*start(control_stream, m_both))
    L = np.max(np.sum(x**2, axis=1))

    def rate(step, theta):
        return m_both * 4 / (n * L * max(1.0, theta @ theta / m_both))

    run = drive(ScheduledDescent(flow.gradient, rate), flow.start, t_end=FITTING).demand()
    return in_norm(net, *flow.weights(run.theta[-1:]))[1][0]


def squared(features):
    """The margin over that of the kernel where the squared loss ends: at the nearest output weights of labels ±1."""
    weights = features.u + np.linalg.solve(features.gram, y - features.phi @ features.u) @ features.phi
    return 1 / np.linalg.norm(weights) / machine.margin


def fit_output(log_t):
    """What the margin lacks of that of the features in the flow of the squared loss of the output layer, at ln t."""
    values, modes = np.linalg.eigh(features.gram)
    before, after = modes.T @ (features.phi @ features.u), modes.T @ y
    moved = -np.expm1(-np.maximum(values, 0) * np.exp(min(log_t, 700)) / n) * (after - before)
    weights = features.u + (modes @ (moved / values)) @ features.phi
    return 1 - (y * (modes @ (before + moved))).min() / np.linalg.norm(weights) / features.machine.margin


def rows(words, run, prices, own, clock):
    """Lines of the table: first separation, a tenth of the time, the end."""
    lines = []
    for at in (separated(run), tenth(run), -1):
        shares = [agreement(run.plane[at], one) for one in (f1, f2)]
        band = np.mean(prices <= run.shortfall[at]) if run.shortfall[at] < CAP else 1.0
        lines.append([words, clock(run.time[at]), *shares, run.shortfall[at], paid(run, prices, own)[at], band])
    return lines


numbers(["trained", "time", "agrees with ℱ₁", "with ℱ₂", "its margin lacks", "price paid",
         "the band's part of the square"],
        [*rows("both layers", both, low, f1, lambda t: f"step {t:.0f}"),
         *rows("output layer", output, dear, features.classifier, lambda t: f"ln t = {t:.0f}")])

# %% [markdown]
# The same in the logarithm of time. The band of {prf:ref}`proposition-price` is grey; it is drawn as soon as the margin lacks less than a tenth.

# %% tags=["hide-input"]
frames = 14
moments = [np.unique(np.round(np.linspace(separated(run) // 2, len(run.time) - 1, frames)).astype(int))
           for run in (both, output)]
figure, panels = plt.subplots(1, 2, figsize=(8.4, 4.6), dpi=75)
coarse = side[::EVERY]


def animate_frame(frame):
    """Both networks at a record, with what their margins lack."""
    for ax, run, at, own, other, prices, words in (
        (panels[0], both, moments[0][frame], f1, f2, low, "both layers, step {:,.0f}"),
        (panels[1], output, moments[1][frame], f2, f1, dear, "output layer, $\\ln t={:.0f}$"),
    ):
        ax.clear()
        panel(ax, run.plane[at], own, other)
        if run.shortfall[at] < CAP:
            cheap = prices.reshape(coarse.size, -1)
            ax.contourf(coarse, coarse, cheap, levels=[-1, run.shortfall[at]], colors=["#7F7F7F"], alpha=0.4)
        ax.set_title(words.format(run.time[at]))


HTML(film(figure, animate_frame, min(len(one) for one in moments), name="film-two-biases",
          alt="The regions of two networks over the logarithm of time; the boundary on the left becomes a polygon, that on the right a curve, inside grey bands that shrink",
          said=[f"step {both.time[i]:.0f}, ln t = {output.time[j]:.0f}" for i, j in zip(*moments, strict=False)]))

# %% [markdown]
# ## Headline claims
#
# Each box is a {term}`claim`: what theory predicts, what was measured, by how much they may differ and why. The first two are the illustration in numbers. They look where the two classifiers differ, the only places that tell the biases apart. The tolerance of the first is the part of them in which the band allows another sign. For the margin that was reached it is proved: the claim can fail only if the proof or the code is wrong. A network that is trained less is allowed more: then the control may pass, and the claim fails. Finite width turns the part $A_m$ of them, with a spread that is larger still and the tolerance of the second, as is what the end of the run leaves: one network shows agreement, and no more. That $A_m$ is right, many networks say, see *Instruments*.
# How near a network has come, the claim on margins says. The rival is the other classifier: a network must be twice as far from it as from its own. The {term}`control` of each of the two is the other network, which also separates all points.
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
# :headline: agreement with the kernel's classifier where the two classifiers differ, output layer trained
# :source: Chizat and Bach 2020, Section 5; Proposition The boundary of random features
# :evidence: trained and compared
# :because: one standard deviation of the part that finite width turns, √(π − 1) A_m of these places at most,
#   which is more than this part itself; what the end of the run leaves, as much as changed its sign after half
#   of ln t, for the displacement falls like 1/ln t, and one place of the grid
# :contrast: both layers trained
# :rival: the classifier of largest F₁ margin
#
# trained on the output layer, the network has the signs of the kernel's classifier where the F₁ one's differ
# ```
#
# ```{claim} crossed
# :headline: agreement with the classifier of the other kind: both layers, output layer
# :source: Chizat and Bach 2020, the illustration
# :evidence: trained and compared
# :because: as far as each differs from its own classifier: the output layer by A_m, a standard deviation of
#   it and what its run leaves; both layers by a ninth of what changed its sign after a tenth of the steps,
#   for the weights grow like the steps
# :control: the networks before training
# :rival: the classifier of the other kind
#
# each network differs from the classifier of the other kind by as much as the two classifiers differ
# ```
#
# ```{claim} margins
# :headline: normalized margin over γ₁, both layers
# :source: Chizat and Bach 2020, Theorem 3
# :evidence: trained and compared
# :because: ln n/(βγ₁), with the norm β at the end: what the soft minimum costs the best network of that norm
#   in the worst case; how near a network of finite width comes to that one no theorem says
# :control: the squared loss
#
# trained on both layers, the network's normalized margin tends to the largest in F₁
# ```

# %% tags=["hide-input"]
derived_left = 1 - agreement(output.plane[-1], output.plane[-2])  # the displacement falls like 1/ln t
derived_left_there = 1 - agreement(output.plane[-1, contested], output.plane[-2, contested])
derived_draw = np.sqrt(np.pi / 2 - 1) * flipped  # both sides of the boundary; where the classifiers differ, one
derived_draw_there = np.sqrt(np.pi - 1) * flipped_there
claims.limit("both", 1.0, agreement(both.plane[-1, contested], f1[contested]), proved=derived_open,
             control=agreement(output.plane[-1, contested], f1[contested]), rival=Rival(0.0, factor=2))
claims.limit("output", 1.0,
             # mutant(1): the last recorded states all are late
             agreement(output.plane[-1, contested], f2[contested]),
             error=derived_draw_there + derived_left_there + 1 / contested.size,
             control=agreement(both.plane[-1, contested], f2[contested]), rival=Rival(0.0, factor=2))
derived_turned = (1 - agreement(both.plane[-1], both.plane[tenth(both)])) / 9
# mutant(1): the last recorded states all are late
crossed = [agreement(both.plane[-1], f2), agreement(output.plane[-1], f1)]
claims.limit("crossed", [1 - D, 1 - D], crossed, error=max(derived_turned, flipped + derived_draw + derived_left),
             control=[agreement(both.plane[0], f2), agreement(output.plane[0], f1)], rival=Rival([1.0, 1.0], factor=2))
claims.limit("margins", 1.0,
             1 - both.shortfall[-1],  # mutant(-1 → -2; 1 - … → 1 + …): within its derived error
             error=np.log(n) / (both.size[-1] * best.bound), control=1 - fit_both())

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
# Two horizons of the output layer, whose prices are known up to $1$: the part of the square in which the proof leaves the sign open shrinks, as a loss with an exponential tail lets the margin grow without end. The flow of the squared loss comes to rest at finite weights, with the margin that these have.
#
# ```{claim} horizons
# :evidence: trained and compared
# :because: one place of the grid
# :control: the squared loss on the same features
# :order: at a hundredth of ln t, at the end
#
# trained on the output layer, the part of the square where the network's margin decides the sign grows
# ```

# %% tags=["hide-input"]


def decided(shortfall):
    """The part of the square where the margin on the features decides the sign, of two that it lacks."""
    return [float(np.mean(dear > one)) for one in shortfall]


ends = [hundredth(output), -1]  # mutant(1): the bracket of a root, or the last state
claims.increasing("horizons", decided(output.shortfall[ends]), error=1 / rough.size,
                  control=decided([fit_output(output.time[at]) for at in ends]))

# %% [markdown]
# On the boundary of the certified classifier itself the price is zero. It is proved from below and reached from above.
#
# ```{claim} zero
# :evidence: exact arithmetic
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
# Where the boundary is, the classifiers of random features scatter around the kernel's by the predicted $\sigma/\sqrt m$, corrected for the networks that have another support by {eq}`two-law`: the mean of $m(f_m-f)^2/\sigma^2$ is $1$ for $m\to\infty$, and {glue:text}`two_law` for these points and the width of the networks drawn.
#
# ```{claim} scatter
# :evidence: float with residual
# :because: one standard error of the mean over the networks, from their scatter, and of the correction: the
#   places of one network move together, and where few of the rare large squares were drawn, mean and scatter
#   are both too small
# :contrast: hidden weights in a quarter of all directions
#
# classifiers of random features scatter around the kernel's by σ/√m, corrected for a support that changes
# ```
#
# Some of them have another sign there: on average over the networks $\Phi$ of {eq}`two-flip` says how many, corrected in the same way.
#
# ```{claim} turned
# :source: Proposition The boundary of random features
# :evidence: float with residual
# :because: one standard error of the mean over the networks, and of the correction
# :control: hidden weights in a quarter of all directions
#
# near its boundary random features turn the sign of the kernel's classifier as often as the normal law says
# ```

# %% tags=["hide-input"]


def turned(apart):
    """The part of the places at which √m (f_m − f) turns the sign, a network each."""
    return np.mean(np.sign(f2[near] + apart / np.sqrt(m_drawn)) != np.sign(f2[near]), axis=1)


derived_scatter = np.mean(scatter**2, axis=1)  # of each network; it scatters in proportion to its mean
predicted = 1 + float(np.mean(changed))
claims.limit("scatter", predicted, float(np.mean(scatter**2)),
             error=standard_error(derived_scatter) / min(1.0, np.mean(derived_scatter) / predicted)
             + standard_error(changed), control=float(np.mean(quarter**2)))
more_turned = turned(law[0]) - turned(law[1])
parts = turned(sigma[near] * scatter)
claims.limit("turned", np.mean(flips(m_drawn)[near]) + np.mean(more_turned), np.mean(parts),
             error=standard_error(parts) + standard_error(more_turned),
             control=np.mean(turned(sigma[near] * quarter)))
glue_all("two", law=f"{predicted:.2f}", differ=f"{100 * D:.1f}", neurons=len(best.masses),
         flipped=f"{100 * flipped:.2f}", support=int(np.sum(best.weights > 0)), machine=machine.support.size)

# %% [markdown]
# ## What would falsify it
#
# A network that has another sign than its classifier at a place whose price is above what its margin lacks: the proof or the certificate would be wrong. A margin that tends to the largest while the signs stay those of the other classifier. A network with both layers trained that keeps another sign than its classifier where the band has passed.
#
# ## Differences from the paper
#
# - **Added.** The illustration in Chizat's slides {cite}`chizat2020slides` shows trained networks; here the classifiers that they should end at are computed and certified, and the nearness of margins is turned into one of signs ({prf:ref}`proposition-price`). The width at which random features have the kernel's boundary ({prf:ref}`proposition-flip`) is not in the paper either.
# - **Changed.** Four clusters with labels like a chessboard, which no line separates, drawn until the two classifiers differ on at least 5 % of the square. Points are spread evenly over the clusters. Steps shrink like $1/\beta$, instead of $1/\sqrt k$; the output layer follows the flow in $\ln t$.
# - **Changed.** The two networks have different widths: the boundary of the kernel is approached like $1/\sqrt m$ only, while a few hundred neurons that turn find the few directions of the polygon.
# - The ReLU is not differentiable and violates the paper's assumption on $\phi$.
# - **Not reproduced.** The test errors of the two classifiers.
#
# ## Scope
#
# - That the margin of a network tends to the largest is tested here and in {doc}`f1_max_margin`; it is proved in the limit of infinite width alone. {prf:ref}`proposition-price` needs no such theorem: it takes the margin that was measured.
# - The band is what *some* network of that margin may do. Trained networks stay far inside it: the price that they pay is a small part of what their margin lacks.
# - {prf:ref}`proposition-flip` is the leading order in $1/\sqrt m$. $A_m$ and its bars take $\sigma$, the law of a support that does not change; where it changes, $A_m$ can be a quarter too small.
# - With nine or sixteen clusters of random labels $\gamma_1$ is several times smaller, a network needs many times the steps, and some stop in a direction that is not the best. The band is then wide.
# - Both classifiers are right on all points. Which of them is right elsewhere is another question; see the generalization bounds of {cite:t}`chizat2020`.
#
# ## Exercises
#
# ````{exercise} The price in a straight line
# :label: exercise-two-line
#
# Let two points $\pm z$ with labels $\pm1$ be classified by $h(x)=w\cdot x$ with $\|w\|_2\le1$. Compute $\pi(x)$.
# ````
#
# ````{solution} exercise-two-line
# :class: dropdown
#
# $\gamma=\|z\|$. With $w\perp x$ the largest $w\cdot z$ is the length of the part of $z$ across $x$, so $\gamma(x)=\|z\|\sin\omega$ with the angle $\omega$ between $x$ and $z$, and $\pi=1-\sin\omega$: $0$ on the boundary $x\perp z$, quadratic beside it, and $1$ at the points.
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
# $h^*=\frac1\gamma\sum_ip_iy_ik_{x_i}$ with $p\in\Delta$, hence $\langle h,h^*\rangle=\frac1\gamma\sum_ip_iy_ih(x_i)\ge1-\varepsilon$ and $\|h-h^*\|^2\le2-2(1-\varepsilon)=2\varepsilon$. So $h^*$ is at most $\sqrt{2\varepsilon k(x,x)}$ in the band: where $\nabla h^*\ne0$ on the boundary, its width is of the order $\sqrt\varepsilon$ at most.
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
# ## References
#
# The theorems and the illustration are {cite:t}`chizat2020`; {cite:t}`bach2017` treats both spaces. The kernel is that of {cite:t}`cho2009`.
