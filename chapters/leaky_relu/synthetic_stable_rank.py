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
# # Stable rank against time, dimension and initialization
#
# How far down does gradient descent bring the {term}`stable rank` of a first layer? Training adds one direction to the random start, a spike of size $s(t)$, and what counts is whether the spike stands out of the noise: so a long run, a high
# dimension $d$ and a small start lower the stable rank. {cite:t}`frei2023` show this in experiments; here it is done on Gaussian mixtures, several times over, and a prediction that is computed before training is drawn over every
# curve. With $m$ neurons and a start of deviation $\omega$,
#
# $$\begin{gathered}\mathrm{SR}(t)\approx\frac{md\,\omega^2+s^2}{\sigma^2},\\\sigma^2=\frac{(s^2+m\omega^2)(s^2+d\omega^2)}{s^2},\end{gathered}$$
#
# where $s=s(t)$ comes from a recursion for as many numbers as there are samples, and $\sigma$ is the largest singular value of spike and noise together once $s^4>md\,\omega^4$; below, it is $\omega(\sqrt m+\sqrt d)$.
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# A network of $m$ neurons, of which only the first layer $W$, with the rows $w_j$, is trained; the output weights $a_j=\pm1/\sqrt m$ stay:
#
# $$f(x;W)=\sum_{j=1}^ma_j\,\varphi(w_j\cdot x).$$
#
# The activation $\varphi$ is a leaky ReLU of slope $\gamma$ on the left, its kink smoothed,
#
# $$\varphi(z)=\gamma z+(1-\gamma)\ln\tfrac{1+e^z}2,$$
#
# with $\varphi(0)=0$ and the slope $\kappa=\varphi'(0)=\frac{1+\gamma}2$ there. On samples $x_i\in\mathbb R^d$ with labels $y_i=\pm1$, $i\le n$, gradient descent with step size $\alpha$ minimizes the logistic loss
# $\frac1n\sum_i\ln(1+e^{-y_if(x_i;W)})$, from independent $\mathcal N(0,\omega^2)$ entries.
#
# The data are a Gaussian mixture, $x_i=y_i\mu+\xi_i$ with $\xi_i\sim\mathcal N(0,I_d)$, $\|\mu\|=d^{0.26}$ and balanced labels; in high dimension such samples are {term}`nearly orthogonal`. What is followed is the stable rank
#
# $$\mathrm{SR}(W)=\frac{\|W\|_F^2}{\|W\|_2^2},$$
#
# which is at most the rank and does not count directions of negligible size. The scale of comparison for $\omega$ is Glorot's,
#
# $$\omega_{\mathrm G}=\sqrt{\frac2{d+m}},$$
#
# TensorFlow's default, and the small initialization is $\omega_{\mathrm G}/50$.

# %% tags=["hide-input"]
from dataclasses import replace

import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.activations import LeakyReLU
from implicit_bias.data import gaussian_mixture
from implicit_bias.figures import style
from implicit_bias.flows import descend
from implicit_bias.limits.stable_rank import (
    beside_spike,
    gate_variance,
    spike_curve,
    spiked_fluctuation,
    spiked_stable_rank,
)
from implicit_bias.losses import Logistic
from implicit_bias.models.two_layer import Risk, Span, TwoLayer
from reproduce.claims import Altered, Claims, Rival, standard_error
from reproduce.claims.glued import glue_all

claims = Claims("synthetic_stable_rank")

style.use_style()

# %% [markdown]
# ## Theory
#
# The paper proves that the stable rank is bounded after one step from a small enough start ({doc}`one_step_rank_collapse`); for the curves of this chapter it gives no formula. The one used here has three parts: what is a theorem is called one, the rest are
# formal derivations, approximations without a proved remainder. All of it is computed before training.
#
# ### The noise, and a spike in it
#
# ````{prf:theorem} Benaych-Georges and Nadakuditi 2012, Section 3.1, for one spike
# :label: theorem-synthetic-spike
#
# Let $N\in\mathbb R^{m\times d}$ have independent standard normal entries, $u$ and $v$ be unit vectors independent of it, and $m,d\to\infty$ such that $m/d$ tends to a positive limit and $s^4/(md\,\omega^4)$ to any limit. Then the largest
# singular value of $s\,uv^\top+\omega N$, over $\sigma$, tends to $1$ almost surely, with $\sigma$ as at the head of the chapter.
# ````
#
# Before training, $s=0$, this gives
#
# $$\mathrm{SR}(W(0))\approx\frac{md}{(\sqrt m+\sqrt d)^2}.$$
#
# ### The spike that training grows
#
# *Formal derivation.* While the pre-activations $w_j\cdot x_i$ are small, $\varphi(z)\approx\kappa z$, and all neurons are pushed along one vector, neuron $j$ in proportion to $a_j$:
#
# $$W(t)-W(0)\approx\kappa\,a\Bigl(\sum_ic_i(t)\,y_ix_i\Bigr)^\top .$$
#
# Here $c_i$ gathers the slopes of the loss at sample $i$. Gradient descent becomes a recursion for the $n$ numbers $c_i$ and the margins $M_i$ that they make,
#
# ```{math}
# :label: synthetic-recursion
# \begin{aligned}
# c_i(t+1)&=c_i(t)+\frac\alpha n\,\frac1{1+e^{M_i(t)}},\\
# M_i(t)&=M_i(0)+\sum_kK_{ik}\,c_k(t),
# \end{aligned}
# ```
#
# from $c(0)=0$ on, with $K_{ik}=\kappa^2\,y_iy_k\,x_i\cdot x_k$ for small $\omega$. The spike is $s=r+\frac1r\sum_ic_iM_i(0)$ with $r=\kappa\|\sum_ic_iy_ix_i\|$: what training adds, and what $W(0)$ has along it already.
# Early on $s$ grows in proportion to $t$; once the margins are positive, like a logarithm.
#
# ### Large starts: every sample has its own neurons
#
# *Formal derivation.* For $\omega$ of Glorot's size the pre-activations are of order one from the start, and the gates $\varphi'(w_j\cdot x_i)$ differ from neuron to neuron. The linearization is then that of the {term}`tangent kernel` of $W(0)$,
# $x_i\cdot x_k\sum_ja_j^2\varphi'(w_j\cdot x_i)\varphi'(w_j\cdot x_k)$. On the average over $W(0)$ the mean gate is $\kappa$, since $\varphi'-\kappa$ is odd; gates at different, nearly
# orthogonal samples are nearly independent; at the same sample their variance remains:
#
# ```{math}
# :label: gate-kernel
# \begin{aligned}
# K_{ik}&=y_iy_k\,x_i\cdot x_k\,\bigl(\kappa^2+\mathbb 1_{i=k}v_i\bigr),\\
# v_i&=\mathbb E\Bigl[\bigl(\tfrac{1-\gamma}2\tanh\tfrac z2\bigr)^2\Bigr],\\z&\sim\mathcal N(0,\omega^2\|x_i\|^2).
# \end{aligned}
# ```
#
# So every sample can be learned by the neurons that happen to favour it. Less is left for the common direction, and the spike grows more slowly. {eq}`synthetic-recursion` with this $K$ is what is drawn. It sees of the initialization its deviation $\omega$ and
# the $n$ margins $M_i(0)$, and nothing of the training.
#
# ### How far off it may be
#
# Two errors are derived at each point, and added. Finite matrices miss the limit of {prf:ref}`theorem-synthetic-spike` by a root mean square $\varepsilon$. And the bend of $\varphi$ makes all neurons move a little along the samples *without* their labels, a second direction of
# size $\varrho$. It is part of the prediction, which has $\varrho^2$ added to $md\,\omega^2+s^2$. What it does to the margins is not: where the gates grow in proportion to the spike, as long as no step saturates the loss, the cross term of both directions in the output is $2\varrho^2/s^2$ of the first, which changes $\mathrm{SR}-1$ by $4\varrho^2/s^2$ relative to itself. {doc}`one_step_rank_collapse` derives $\varepsilon$ and $\varrho$, {eq}`spiked-fluctuation` and {eq}`second-direction`.
#
# The numbers, means over the draws:
#
# | in dimension {glue:text}`synthetic_d` | predicted | measured |
# |---|---|---|
# | $\mathrm{SR}(W(0))$ | {glue:text}`synthetic_start_p` | {glue:text}`synthetic_start_m` |
# | from $\omega_{\mathrm G}$, after {glue:text}`synthetic_steps` steps | {glue:text}`synthetic_default_p` | {glue:text}`synthetic_default_m` |
# | the same at $\alpha=$ {glue:text}`synthetic_rate` | {glue:text}`synthetic_loud_p` | {glue:text}`synthetic_loud_m` |
# | from $\omega_{\mathrm G}/50$, after one step | {glue:text}`synthetic_one_p` | {glue:text}`synthetic_one_m` |
# | from $\omega_{\mathrm G}/50$, after {glue:text}`synthetic_steps` steps | {glue:text}`synthetic_small_p` | {glue:text}`synthetic_small_m` |
#
# ## Experiment
#
# Each draw has its own data set, output weights and initialization, from streams of their own. A step costs $O(mn^2)$ in the span of the samples, whatever $d$ is; of $W(0)$ only $W(0)X^\top$ and $W(0)W(0)^\top$ enter.

# %% tags=["parameters"]
n: int = 100  # number of samples n, in [40, 100]
# because more samples were not tried: the chapter takes most of a minute as it is
m: int = 512  # number of neurons, in [128, 1024]
dimensions: list[int] = [100, 300, 1000, 3000, 10000]  # dimensions d that increase, each in [100, 10000]
# because in fewer than n dimensions samples are not nearly orthogonal; more of them were not tried
slope: float = 0.1  # slope γ of the leaky ReLU, in [0.05, 0.2]
learning_rate: float = 0.01  # step size α against time and dimension, in [0.005, 0.01]
# because the linearization slowly fails as margins grow
large_rate: float = 0.16  # step size α against the initialization, in [0.1, 0.2]
# because it must show beside the smaller step size, and the linearization fails as margins grow
divisors: list[float] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0]  # Glorot's deviation over ω, each in [1, 1e6]
# because the first is 1, Glorot's own start, and the others are smaller starts
steps: int = 1000  # steps in the highest dimension, in [300, 2000]
draws: int = 5  # data sets, each with its initialization, in [2, 20]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where len(dimensions) >= 2 and dimensions == sorted(set(dimensions)) and dimensions[-1] >= 3000
# where len(divisors) >= 2 and divisors == sorted(set(divisors)) and divisors[0] == 1
# where large_rate * dimensions[-1] <= 20 * n

# %% tags=["hide-input"]
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)


smooth = LeakyReLU(slope, 1.0, centred=True)


def draw(d):
    """A data set and the reduction of a network on it, with Glorot's initialization."""
    data = gaussian_mixture(data_stream, n, d, separation=d**0.26)
    a = initialization_stream.choice([-1.0, 1.0], m) / np.sqrt(m)
    w = np.sqrt(2 / (d + m)) * initialization_stream.standard_normal((m, d))
    return data, Risk(TwoLayer(smooth, trained="first"), data, Logistic()).in_span(w, a, gather=True)


def predict(data, net, omega, alpha, times):
    """The predicted stable rank at given numbers of steps, and the derived error of the comparison with it."""
    d = data.x.shape[1]
    curve = spike_curve(data, slope, alpha, int(times[-1]), deviation=omega, margins=net.margins(net.start))
    s, beside = curve.spike[times], beside_spike(data, slope, net.a, curve.slopes)[times]
    ranks = spiked_stable_rank(s, omega, m, d, beside)
    share = np.divide(beside, s, out=np.zeros_like(s), where=s > 0) ** 2
    return ranks, spiked_fluctuation(s, omega, m, d) + 4 * share * (ranks - 1)


def train(net, alpha, times):
    """The measured stable rank at given numbers of steps, the first of them 0, and the end of the run."""
    run = descend(net, alpha, t_end=int(times[-1]) * alpha, record=times[1:-1] * alpha)
    return np.array([net.stable_rank(theta) for theta in run.theta]), run.final


def compare(data, net, omega, alpha, times):
    """Measured and predicted stable rank at given numbers of steps, and the derived error."""
    predicted, error = predict(data, net, omega, alpha, times)  # before the training, and without it
    return np.array([train(net, alpha, times)[0], predicted, error])


EARLY = np.array([0, 1, 6, 100])
LATE = np.array([0, 1, 10, 100])
moments = np.union1d(EARLY, np.geomspace(1, steps, 16).astype(int))
highest = dimensions[-1]
glorot = {d: np.sqrt(2 / (d + m)) for d in dimensions}
time_runs: dict[float, list[object]] = {1: [], 50: []}  # a draw at a time
dimension_runs: dict[float, list[object]] = {d: [] for d in dimensions}
start_runs: dict[float, list[object]] = {divisor: [] for divisor in divisors}
loud_runs: list[object] = []  # the same from Glorot's initialization at the larger step size
frozen, undivided = [], []  # what the rival of the curves predicts, and the control of the dimensions
learned = []  # the gathered slopes from Glorot's initialization, over three predictions of them


def others(data, full):
    """What the rival and the instruments need of a draw in the highest dimension."""
    line = spike_curve(data, slope, learning_rate, 1).spike[1] * moments
    frozen.append([spiked_stable_rank(line, glorot[highest] / divisor, m, highest) for divisor in time_runs])
    sum_of_slopes = data.y * full.gathered(train(full, large_rate, LATE)[1])
    before = full.margins(full.start)
    settings = ((glorot[highest], before), (0.0, before), (glorot[highest], 0.0))
    learned.append([sum_of_slopes / spike_curve(data, slope, large_rate, int(LATE[-1]), deviation=omega,
                                                margins=margins).slopes[-1] for omega, margins in settings])


# %%
for _ in range(draws):
    for d in dimensions:
        data, full = draw(d)
        times = moments if d == highest else EARLY
        run = compare(data, full.scaled(1 / 50), glorot[d] / 50, learning_rate, times)  # predict and train
        dimension_runs[d].append(run[:, np.searchsorted(times, EARLY)])
        undivided.append(train(full, learning_rate, EARLY[::2])[0])
    time_runs[50].append(run)  # from here on in the highest dimension
    time_runs[1].append(compare(data, full, glorot[highest], learning_rate, moments))
    loud_runs.append(compare(data, full, glorot[highest], large_rate, moments))
    for divisor, runs in start_runs.items():
        runs.append(compare(data, full.scaled(1 / divisor), glorot[highest] / divisor, large_rate, LATE))
    others(data, full)
    print(f"ω_G/50 after {steps} steps: predicted {run[1, -1]:.2f}, measured {run[0, -1]:.2f}")  # compare

# %% tags=["hide-input"]
# Now arrays: key × draw × which of the three × time.
by_time, by_dimension, by_start = (np.array([table[key] for key in table])
                                   for table in (time_runs, dimension_runs, start_runs))
default, small_start = by_time
loud = np.array(loud_runs)
shares = by_dimension[:, :, :2] / by_dimension[:, :, :2, :1]  # over the initial stable rank
for name, course, at in (("start", default, 0), ("default", default, -1), ("loud", loud, -1), ("one", small_start, 1),
                         ("small", small_start, -1)):
    measured, predicted, _ = course[..., at].mean(axis=0)
    glue_all(f"synthetic_{name}", ".2f", p=predicted, m=measured)
glue_all("synthetic", "g", d=highest, steps=steps, rate=large_rate)

# %% mystnb={"figure": {"caption": "Measured stable ranks: lines are means over the draws, bands (mostly thinner than the lines) their range. Predictions dashed. Left: along training, from Glorot's initialization at both step sizes and from one fifty times smaller. Middle: what is left of the initial stable rank after a few steps, against the dimension. Right: the stable rank after a few larger steps, against the initialization.", "name": "figure-synthetic-stable-rank"}, "image": {"alt": "Three panels: stable rank against steps, flat, bending down at the larger step size, and falling to a few from the small initialization; ratio of stable ranks against dimension, falling; stable rank against the initialization's deviation, rising from about one to several hundred", "classes": "panels-3"}} tags=["hero", "hide-input"]
left, middle, right = style.panels(3, (10.5, 4.1))


def band(ax, where, runs, name, color):
    """Mean and range over draws, and the mean prediction."""
    measured, predicted = runs
    ax.fill_between(where, measured.min(axis=0), measured.max(axis=0), color=color, alpha=0.3, linewidth=0)
    ax.plot(where, measured.mean(axis=0), color=color, label=name)
    style.theory(ax, where, predicted.mean(axis=0))


blue, orange, green, red = (style.COLORS[name] for name in ("blue", "orange", "green", "red"))
band(left, moments + 1, (default[:, 0], default[:, 1]), r"$\omega_{\mathrm{G}}$", blue)
band(left, moments + 1, (small_start[:, 0], small_start[:, 1]), r"$\omega_{\mathrm{G}}/50$", orange)
band(left, moments + 1, (loud[:, 0], loud[:, 1]), rf"$\omega_{{\mathrm{{G}}}}$, $\alpha={large_rate:g}$", green)
left.set(xscale="log", yscale="log", xlabel="steps + 1", ylabel=r"$\mathrm{SR}(W(t))$", title=rf"$d={highest}$")
left.legend(loc="lower left")

for k, color in zip((1, 2, 3), (blue, orange, green), strict=True):
    name = f"{EARLY[k]} steps" if k > 1 else "1 step"
    band(middle, np.array(dimensions), (shares[:, :, 0, k].T, shares[:, :, 1, k].T), name, color)
middle.set(xscale="log", yscale="log", xlabel="$d$", ylabel=r"$\mathrm{SR}(W(t))/\mathrm{SR}(W(0))$",
           title=r"$\omega=\omega_{\mathrm{G}}/50$")
middle.legend(loc="lower left", bbox_to_anchor=(0, 0.28))

for k, color in zip(range(4), (style.COLORS["grey"], blue, orange, green), strict=True):
    name = f"{LATE[k]} steps" if k > 1 else ("before", "1 step")[k]
    band(right, 1 / np.array(divisors), (by_start[:, :, 0, k].T, by_start[:, :, 1, k].T), name, color)
right.set(xscale="log", yscale="log", xlabel=r"$\omega/\omega_{\mathrm{G}}$", ylabel=r"$\mathrm{SR}(W(t))$",
          title=rf"$d={highest}$, $\alpha={large_rate:g}$")
right.legend(loc="upper left", bbox_to_anchor=(0, 0.9))
plt.show()

# %% [markdown]
# ## Headline claims
#
# Each box is a {term}`claim`: what theory predicts, what was measured, by how much they may differ and why. Stable ranks run from one to hundreds and their derived errors run with them, so that distances are given in units of the derived error at each point.
# Along training, both initializations, every draw and every recorded step. The {term}`rival` freezes the slopes of the loss at $\frac12$, so that the spike grows forever; the {term}`control` takes $\|a\|=2$ where
# the prediction has $\|a\|=1$.
#
# ```{claim} time
# :headline: stable rank at every step: distance to its prediction over the derived error there
# :evidence: trained and compared
# :because: the unit is the derived error: the fluctuation at finite size, and the second direction's
#   neglected effect, at each point
# :control: output weights of length two
# :rival: slopes of the loss frozen at ½
#
# at every step the stable rank is the predicted one, from both initializations
# ```


# %% tags=["hide-input"]
def off(runs):
    """Measured minus predicted, in units of the derived error at each point."""
    return (runs[..., 0, :] - runs[..., 1, :]) / runs[..., 2, :]


louder = replace(full.scaled(1 / 50), a=2 * full.a)
louder_ranks, _ = train(louder, learning_rate, EARLY)
lines = np.array(frozen).swapaxes(0, 1)
claims.limit("time", 0.0, off(by_time), error=1.0, control=off(np.array([louder_ranks, *by_dimension[-1, -1, 1:]])),
             rival=Rival((lines - by_time[:, :, 1]) / by_time[:, :, 2], factor=5))

# %% [markdown]
# The dimension: the prediction in each, and that the share which is left after six steps falls with $d$. The control is Glorot's initialization, which loses nothing in six steps.
#
# ```{claim} dimension
# :headline: stable rank in every dimension: likewise
# :evidence: trained and compared
# :because: the unit is the derived error: the fluctuation at finite size, and the second direction's
#   neglected effect, at each point
# :contrast: Glorot's initialization, not divided
#
# in every dimension the stable rank after one, six and a hundred steps is the predicted one
# ```
#
# ```{claim} falls
# :headline: share of the stable rank left after six steps, from high to low dimension
# :source: observed in this chapter, after Frei et al. 2023
# :evidence: observed
# :because: half of the smallest predicted difference, a round number
# :contrast: Glorot's initialization, not divided
# :order: SR(6)/SR(0) from the highest dimension to the lowest
#
# the higher the dimension, the less is left after six steps
# ```

# %% tags=["hide-input"]
undivided_ranks = np.array(undivided).reshape(draws, len(dimensions), 2)
small_prediction = by_dimension[:, :, 1, :3:2].swapaxes(0, 1)
small_error = by_dimension[:, :, 2, :3:2].swapaxes(0, 1)
claims.limit("dimension", 0.0, off(by_dimension)[..., 1:], error=1.0,
             control=(undivided_ranks - small_prediction) / small_error)
left_of_it = shares[:, :, :, 2].mean(axis=1)
claims.increasing("falls", left_of_it[::-1, 0], level=float(f"{np.diff(left_of_it[::-1, 1]).min() / 2:.1g}"),
                  control=(undivided_ranks[..., 1] / undivided_ranks[..., 0]).mean(axis=0)[::-1])

# %% [markdown]
# What the experiment is meant to show: at the small step size Glorot's initialization keeps its stable rank, the small one loses all but a hundredth (no stable rank is less than one). The first is an instrument below; each is the other's control.
#
# ```{claim} small
# :headline: share of the stable rank that is left, from the small start
# :source: observed in this chapter, after Frei et al. 2023
# :evidence: observed
# :because: a round number above the prediction, for each draw
# :contrast: Glorot's initialization
#
# from a fiftieth of it the stable rank falls to a hundredth of its start, or to two if that is more
# ```

# %% tags=["hide-input"]
kept = default[:, 0, -1] / default[:, 0, 0]
left_over = small_start[:, 0, -1] / small_start[:, 0, 0]
claims.below("small", np.maximum(0.01, 2 / small_start[:, 0, 0]), left_over, level=0.0, control=kept)

# %% [markdown]
# ## Instruments
#
# The parts of the prediction one by one, the step size and the initialization.
#
# ### The start
#
# The stable rank before training, in every dimension. The control shrinks half of the neurons to a tenth: the entries of $W(0)$ no longer have one variance.
#
# ```{claim} start
# :source: Johnstone 2001, Theorem 1.1
# :evidence: float with residual
# :because: the unit is the derived error: the fluctuation of the top singular value at finite size, in each
#   dimension
# :control: half of the neurons are ten times smaller
#
# the stable rank of the initialization is md/(√m + √d)², in every dimension
# ```

# %% tags=["hide-input"]
sizes = np.where(np.arange(m) < m // 2, 0.1, 1.0)
unequal = replace(full, span=Span(sizes[:, None] * full.span.w, full.span.x))
claims.limit("start", 0.0, off(by_dimension)[..., 0], error=1.0,
             control=(unequal.stable_rank(unequal.start) - default[-1, 1, 0]) / default[-1, 2, 0])

# %% [markdown]
# ### The gates
#
# The variance of the gates in {eq}`gate-kernel`, on the network itself: the mean square of $\varphi'-\kappa$ over all neurons and samples, from each initialization. The control takes half of $\omega$.
#
# ```{claim} gates
# :evidence: float with residual
# :because: one standard error of the mean over m independent neurons
# :control: half of the initialization's deviation
#
# before training the gates vary around their mean by the predicted variance
# ```

# %% tags=["hide-input"]
of_neurons = np.array([np.mean((smooth.derivative(full.span.inputs / k) - (1 + slope) / 2) ** 2, axis=1)
                       for k in divisors])
gate_squares = of_neurons.mean(axis=1)
variances, halves = (np.array([np.mean(gate_variance(data, slope, factor * glorot[highest] / k)) for k in divisors])
                     for factor in (1.0, 0.5))
claims.limit("gates", variances, gate_squares, relative="each",
             error=np.max(standard_error(of_neurons, axis=1) / variances), control=Altered(gate_squares, theory=halves))

# %% [markdown]
# What these gates do shows in the gathered slopes $c_i$ of the recursion, before any singular value: after a hundred of the larger steps from Glorot's initialization, that of each sample, which its margin at $W(0)$ sets, and their mean over the samples, which the gates' variance lowers.
# The control of the first leaves out the margins, that of the second the variance.
#
# ```{claim} slopes
# :evidence: trained and compared
# :because: one deviation of a sample's mean gate over m neurons, which enters its kernel squared
# :control: the margins at the initialization are left out
#
# from Glorot's initialization every sample gathers the predicted slope
# ```
#
# ```{claim} memory
# :evidence: trained and compared
# :because: one standard error, of the deviations of each sample over all of them, and half the square of such
#   a deviation
# :control: the variance of the gates is left out
#
# and the mean over samples and draws is the predicted one
# ```

# %% tags=["hide-input"]
with_both, without_gates, without_margins = np.array(learned).swapaxes(0, 1)
mean_gate = np.sqrt(variances[0] / m) / ((1 + slope) / 2)  # relative deviation, over samples, of a sample's mean gate
claims.limit("slopes", 1.0, with_both, error=2 * mean_gate, control=Altered(without_margins))
claims.limit("memory", 1.0, with_both.mean(), error=2 * mean_gate / np.sqrt(n * draws) + 2 * mean_gate**2,
             control=Altered(without_gates.mean()))

# %% [markdown]
# ### The step size
#
# Glorot's initialization keeps its stable rank at the small step size, and begins to lose it at the larger one.
#
# ```{claim} default
# :source: observed in this chapter, after Frei et al. 2023
# :evidence: observed
# :because: a round number that the prediction exceeds, for each draw
# :contrast: an initialization fifty times smaller
#
# from Glorot's initialization the stable rank keeps nine tenths of its start
# ```
#
# ```{claim} larger_step
# :source: observed in this chapter, after Frei et al. 2023
# :evidence: observed
# :because: half way between what is predicted to be left at either step size, for each draw
# :contrast: the small step size
#
# at the larger step size Glorot's initialization loses its rank too
# ```

# %% tags=["hide-input"]
claims.above("default", 0.9, kept, level=0.0, control=left_over)
kept_loud = loud[:, 0, -1] / loud[:, 0, 0]
half_way = (default[:, 1, -1] / default[:, 1, 0] + loud[:, 1, -1] / loud[:, 1, 0]) / 2
claims.below(  # spoiled: a bound with room
    "larger_step", half_way, kept_loud, level=0.0, control=kept)

# %% [markdown]
# ### The initialization
#
# At the larger step size: every $\omega$, every draw, after one, ten and a hundred steps, and from Glorot's at every recorded step; and that a smaller start ends lower, which before training it does not. The control
# shrinks half of the neurons to a tenth, as above, and takes a step.
#
# ```{claim} initialization
# :evidence: trained and compared
# :because: the unit is the derived error: the fluctuation at finite size, and the second direction's
#   neglected effect, at each point
# :control: half of the neurons are ten times smaller, from Glorot's initialization
#
# from every initialization the stable rank is the predicted one
# ```
#
# ```{claim} smaller_start
# :source: observed in this chapter, after Frei et al. 2023
# :evidence: observed
# :because: half of the smallest predicted difference, a round number
# :contrast: before training
# :order: the stable rank from the smallest to the largest initialization
#
# the smaller the initialization, the lower the stable rank after a hundred steps
# ```

# %% tags=["hide-input"]
unequal_ranks, _ = train(unequal, large_rate, LATE[:2])
claims.limit("initialization", 0.0, np.concatenate([off(by_start)[..., 1:].ravel(), off(loud).ravel()]), error=1.0,
             control=off(np.array([unequal_ranks, *by_start[0, -1, 1:, :2]]))[1:])
final = by_start[..., 3].mean(axis=1)
claims.increasing("smaller_start", final[::-1, 0], level=float(f"{np.diff(final[::-1, 1]).min() / 2:.1g}"),
                  control=by_start[..., 0, 0].mean(axis=1)[::-1])

# %% [markdown]
# ## What would falsify it
#
# Any draw, at any recorded step, in any dimension or from any initialization, whose stable rank leaves the prediction by more than finite matrices explain; a start that does not collapse when it is small, or does when it is Glorot's.
#
# ## Differences from the paper
#
# - **Changed.** What the paper's text says of the sizes of its experiments could not be read: $m$, $n$, $\gamma$, $\mu$, the step sizes and the divisor $50$ are this book's choices, no number here is the paper's, and no
#   code of its authors is public. What is reproduced is the course of the curves. The initialization is Gaussian with Glorot's variance; TensorFlow draws from a uniform distribution of the same variance, which has the same limit.
# - **Added.** The prediction.
# - **Not reproduced.** Other data than mixtures of two Gaussians; images are in {doc}`stable_rank_on_images`.
#
# ## Scope
#
# The prediction is of large matrices, and the linearization behind it slowly fails as margins grow. It says what the stable rank of this mixture is, not what it is on other data: {doc}`one_step_rank_collapse` has a bound that holds for any
# {term}`nearly orthogonal` samples. Small stable rank is not small rank: behind the spike $W(0)$ remains.
#
# ## Exercises
#
# ```{exercise} Why high dimension helps
# :label: exercise-synthetic-dimension
#
# From $\omega_{\mathrm G}/50$, why is less left in higher dimension after the same number of steps? Compare $s(1)$ with $\omega\sqrt{md}$ as $d$ grows.
# ```
#
# ```{solution} exercise-synthetic-dimension
# :class: dropdown
#
# $\|q\|^2\approx n^2\|\mu\|^2+nd$ grows like $d$ up to logarithms and small powers, so that $s(1)=\frac{\alpha(1+\gamma)}{4n}\|q\|\propto\sqrt d$. The noise has $\omega\sqrt{md}\to\sqrt{2m}/50$, bounded in $d$. The spike outgrows the noise, until the loss, whose
# margins grow like $s\|q\|/n\propto d$, slows it down.
# ```
#
# ```{exercise} Without the gates
# :label: exercise-synthetic-gates
#
# At the large step size and Glorot's initialization, leave out the gates' variance: set `deviation=0` in `predict`, and follow $1000$ steps. By how much is the stable rank then off, and in which direction?
# ```
#
# ```{solution} exercise-synthetic-gates
# :class: dropdown
#
# It predicts too low a stable rank, by a few per cent: without the variance each sample's margin grows only through the common direction, which would have to grow more. With the variance the error is that of finite matrices.
# ```
#
# ```{exercise} How long from the default start?
# :label: exercise-synthetic-never
#
# Can gradient descent at $\alpha=0.01$ bring the stable rank from Glorot's initialization down to $10$ at all? How does $s(t)$ grow for large $t$?
# ```
#
# ```{solution} exercise-synthetic-never
# :class: dropdown
#
# The recursion is gradient descent on separable data: margins, and with them $s$, grow like $\ln t$. The stable rank is about $md\,\omega^2/s^2$ once the spike dominates; $10$ needs $s=\omega\sqrt{md/10}$, that is a time exponential in a multiple of $\omega$. It happens, but
# nobody waits for it.
# ```
#
# ## References
#
# {cite:t}`frei2023` for the experiment; {cite:t}`benaych2012` and {cite:t}`johnstone2001` for the singular values.
