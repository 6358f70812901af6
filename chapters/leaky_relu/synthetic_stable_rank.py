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
# # Training lowers the stable rank once the direction that it adds stands out of the noise
#
# ```{question}
# ```
#
# The first layer of a network has {glue:text}`synthetic_m` neurons and random weights of the usual size (Glorot's). The {term}`stable rank` of these weights, a smooth count of the directions that matter, is {glue:text}`synthetic_start_m`. We train them on {glue:text}`synthetic_n` samples from two Gaussian clusters in dimension {glue:text}`synthetic_d`. After {glue:text}`synthetic_steps` steps the stable rank is still {glue:text}`synthetic_usual_m`. From a start {glue:text}`synthetic_fifty` times smaller it is {glue:text}`synthetic_small_m`. Why do the two differ? Training pushes all neurons along nearly one line, that of the difference of the two class means. So it adds one direction, a *spike*, to the noise of the start. The noise is spread over many directions, so the spike begins to stand out when it is still {glue:text}`synthetic_gap` times shorter than the noise as a whole. From there on the stable rank falls. So a low stable rank after training says as much about the start as about training.
#
# ```{hero}
# ```
#
# ## The statement
#
# The network is $f(x;W)=\sum_{j=1}^ma_j\,\varphi(w_j\cdot x)$ with a leaky ReLU $\varphi$ whose kink is smoothed, and we train only its first layer $W$, with the rows $w_j$. The start has independent normal entries of standard deviation $\omega$. The *usual start* is $\omega=\omega_{\mathrm G}=\sqrt{2/(d+m)}$. Training adds to $W(0)$ nearly a matrix of rank one, the spike. Let $s$ be its length, its singular value, after $t$ steps. Then
#
# ```{math}
# :label: synthetic-rank
# \operatorname{SR}(W(t))\approx\frac{\overbrace{md\,\omega^2}^{\text{noise}}+\overbrace{s^2}^{\text{spike}}}{\sigma^2},
# ```
#
# where $\mathrm{SR}(W)=\|W\|_F^2/\|W\|_2^2$ is the stable rank and $\sigma$ the largest singular value of noise and spike together. A spike with $s^4\le md\,\omega^4$ is hidden in the noise, and then $\sigma\approx\omega(\sqrt m+\sqrt d)$. A longer one stands out, and then $\sigma^2\approx(s^2+m\omega^2)(s^2+d\omega^2)/s^2$. So the fall begins at $s=(md)^{1/4}\omega$, and near $s=(md)^{1/2}\omega$ the stable rank is two. In dimension {glue:text}`synthetic_d` the two thresholds are {glue:text}`synthetic_gap` times apart. The length $s$ comes from a recursion for $n$ numbers, one for each sample, {eq}`synthetic-recursion`. From small starts we use a more exact one for $2n$ numbers.
#
# {cite:t}`frei2023` prove that the stable rank is bounded from the first step on, if the start is small enough, and show in experiments how it depends on time, dimension and start. We know only their abstract and introduction, and there is no formula for these curves there. {eq}`synthetic-rank` rests on a theorem about random matrices ({prf:ref}`theorem-synthetic-spike`), and the recursion for $s$ is a formal derivation.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [stable rank − 1 after {glue:text}`synthetic_steps` steps](time), start {glue:text}`synthetic_fifty` times smaller | {glue:text}`synthetic_excess_p` | {glue:text}`synthetic_excess_m` | usual start, stable rank: {glue:text}`synthetic_usual_p` predicted, {glue:text}`synthetic_usual_m` measured | activation with a kink: {glue:text}`synthetic_kinked_excess` |
# | [stable rank − 1 after six steps](dimension), $d=$ {glue:text}`synthetic_d_low`, {glue:text}`synthetic_d_middle` and {glue:text}`synthetic_d`, the same small start | {glue:text}`synthetic_low_p`, {glue:text}`synthetic_mid_p`, {glue:text}`synthetic_high_p` | {glue:text}`synthetic_low_m`, {glue:text}`synthetic_mid_m`, {glue:text}`synthetic_high_m` | usual start, $d=$ {glue:text}`synthetic_d`: {glue:text}`synthetic_undivided` | |
# | [stable rank − 1 after {glue:text}`synthetic_late` steps](initialization) of size {glue:text}`synthetic_large`, usual start and {glue:text}`synthetic_middle` and {glue:text}`synthetic_least` times smaller | {glue:text}`synthetic_first_p`, {glue:text}`synthetic_middle_p`, {glue:text}`synthetic_last_p` | {glue:text}`synthetic_first_m`, {glue:text}`synthetic_middle_m`, {glue:text}`synthetic_last_m` | | activation with a kink, {glue:text}`synthetic_fifty` times smaller: {glue:text}`synthetic_kinked_large` |
# ```
#
# The first two rows have the step size {glue:text}`synthetic_rate`. All numbers of the table are means over draws of data and start, {glue:text}`synthetic_draws` in dimension {glue:text}`synthetic_d` and up to {glue:text}`synthetic_more` in the lower ones, where the stable rank scatters more. These are too few to estimate an error from, so the allowed errors are derived. The numbers with a kink are one draw. The means differ a little from those of {doc}`one_step_rank_collapse`, which has a single draw of its own. The claims behind the three rows are about the stable rank less one, because no stable rank is below one, and cover all steps, dimensions and starts of {numref}`figure-synthetic-stable-rank` and {numref}`figure-synthetic-contest` but the course from a tenth of the usual start, which is drawn only: its spike passes the threshold in the first steps, where the stable rank scatters most. So the allowed errors are those of the worst point.
#
# **What to remember?** A longer run makes the spike longer, and a smaller start has less noise, so both lower the stable rank. (From a tiny start, where the noise no longer counts, a longer run raises it a little in the end, because a second direction grows, as {doc}`one_step_rank_collapse` shows.) A higher dimension raises the stable rank of the start. In the first steps the spike stands out more there, so the stable rank falls further, but it ends higher. From the small start it is {glue:text}`synthetic_low_one`, {glue:text}`synthetic_low_six` and {glue:text}`synthetic_low_hundred` after 1, 6 and 100 steps in dimension {glue:text}`synthetic_d_low`, and {glue:text}`synthetic_high_one`, {glue:text}`synthetic_high_six` and {glue:text}`synthetic_high_hundred` in dimension {glue:text}`synthetic_d`. It ends higher in higher dimension because the fitted loss slows the spike down while the noise has grown. From the usual start a low stable rank practically never comes: once the samples are fitted, the spike grows only like a logarithm of the number of steps ({ref}`exercise-synthetic-never`).
#
# ## The smallest case
#
# Take one sample $x$ of length $\sqrt d$ with the label $1$, and the identity as activation. The first step of size $\eta$ moves neuron $j$ by $\frac\eta2a_jx$. This is a matrix of rank one and of length $s=\frac\eta2\sqrt d$. The noise has the sum of squares $md\,\omega^2$, and with the usual start in high dimension, $\omega^2\approx2/d$, this is $2m$ whatever $d$ is. So the ratio of spike to noise is
#
# $$\frac{s^2}{md\,\omega^2}\approx\frac{\eta^2d}{8m},$$
#
# and it grows with the dimension. With $n$ samples that share the mean $\pm\mu$ it grows in proportion to $d$ only once $d$ exceeds $n\|\mu\|^2$, here from $d\approx15{,}000$ on. After one step it hardly changes up to $d=1000$, and from there to $10{,}000$ it grows about threefold ({ref}`exercise-synthetic-dimension`). A start fifty times smaller makes it 2500 times larger. More steps make $s$ longer, at first in proportion to their number. When the margin $\frac\eta2td$ has reached about one, the slope of the loss $1/(1+e^{\text{margin}})$ fades, and $s$ grows like $\ln t$ from there on.
#
# ## Experiment
#
# The data are a Gaussian mixture, $x_i=y_i\mu+\xi_i$ with $\xi_i\sim\mathcal N(0,I_d)$, $\|\mu\|=d^{0.26}$ and as many samples of one label as of the other. In high dimension two such samples are nearly at right angles. (They are not {term}`nearly orthogonal`, not even in the highest dimension here, because the inner products of one sample with all the others add up.) The output weights $a_j=\pm1/\sqrt m$ stay fixed. The activation is
#
# $$\varphi(z)=\gamma z+(1-\gamma)\ln\tfrac{1+e^z}2,$$
#
# with the slope $\kappa=\varphi'(0)=\frac{1+\gamma}2$ at zero, and gradient descent with the step size $\eta$ minimizes the logistic loss $\frac1n\sum_i\ln(1+e^{-y_if(x_i;W)})$. Each draw has its own data set, output weights and start, from streams of their own. A step costs $O(mn^2)$ in the span of the samples, whatever $d$ is.

# %% tags=["hide-input"]
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.activations import LeakyReLU
from implicit_bias.data import Classification, gaussian_mixture
from implicit_bias.figures import style
from implicit_bias.flows import descend
from implicit_bias.limits.stable_rank import (
    beside_spike,
    gate_variance,
    one_step_error,
    spike_curve,
    spiked_law,
    two_kinds,
)
from implicit_bias.losses import Logistic
from implicit_bias.models.two_layer import Risk, Span, TwoLayer
from reproduce.claims import Altered, Claims, Control, Rival, standard_error
from reproduce.claims.glued import glue_all

claims = Claims("synthetic_stable_rank")

style.use_style()

# %% tags=["parameters"]
n: int = 100  # number of samples n, in [40, 100]
# because more samples were not tried
m: int = 512  # number of neurons, in [128, 1024]
dimensions: list[int] = [100, 300, 1000, 3000, 10000]  # dimensions d that increase, each in [100, 10000]
# because in fewer than n dimensions samples are not nearly orthogonal; more of them were not tried
slope: float = 0.1  # slope γ of the leaky ReLU, in [0.05, 0.2]
learning_rate: float = 0.01  # step size η against time and dimension, in [0.005, 0.01]
# because the linearization slowly fails as margins grow
large_rate: float = 0.16  # step size η against the initialization, in [0.1, 0.2]
# because it must show beside the smaller step size, and the linearization fails as margins grow
divisors: list[float] = [1.0, 3.0, 10.0, 30.0, 50.0]  # Glorot's deviation over ω, each in [1, 1e6]
# because the first is 1, Glorot's own start, and the others are smaller starts
steps: int = 500  # steps in the highest dimension, in [250, 2000]
draws: int = 2  # data sets in the highest dimension, each with its initialization, in [2, 12]
# because a spread between data sets takes two; lower dimensions scatter more and have up to five times as many
seed: int = 0  # seed of the streams of data, initialization and prediction, in [0, 4294967295]
# where len(dimensions) >= 2 and dimensions == sorted(set(dimensions)) and dimensions[-1] >= 3000
# where len(divisors) >= 2 and divisors == sorted(set(divisors)) and divisors[0] == 1
# where large_rate * dimensions[-1] <= 20 * n

# %% tags=["hide-input"]
data_stream, initialization_stream, law_stream = np.random.default_rng(seed).spawn(3)
smooth = LeakyReLU(slope, 1.0, centred=True)


def draw(d):
    """A data set in a frame of n axes, and the reduction of a network on it, with Glorot's initialization."""
    data = gaussian_mixture(data_stream, n, d, separation=d**0.26)
    a = initialization_stream.choice([-1.0, 1.0], m) / np.sqrt(m)
    w = np.sqrt(2 / (d + m)) * initialization_stream.standard_normal((m, d))
    full = Risk(TwoLayer(smooth, trained="first"), data, Logistic()).in_span(w, a)
    return Classification(x=np.linalg.cholesky(full.span.gram).astype(float), y=data.y), full  # predictions see inner products alone


SMALL = 20  # times smaller than Glorot's, from which on W(0) hardly moves the gates


def spike_of(data, net, omega, rate, times):
    """The predicted spike and what is beside it, over ω; then two numbers of what is neglected, for every time."""
    if omega * SMALL <= np.sqrt(2 / (net.span.w.shape[1] + m)):
        kinds = two_kinds(data, slope, net.a, rate, int(times[-1]), inputs=net.span.inputs)
        moved = np.full(len(times), one_step_error(data, slope) * omega)
        return np.array([kinds.spike[times] / omega, kinds.beside[times] / omega, moved, 0 * moved])
    curve = spike_curve(data, slope, rate, int(times[-1]), deviation=omega, margins=net.margins(net.start))
    spike, beside = curve.spike[times], beside_spike(data, slope, net.a, curve.slopes)[times]
    share = np.divide(beside, spike, out=np.zeros_like(spike), where=spike > 0) ** 2
    return np.array([spike / omega, beside / omega, 0 * share, share])


def train(data, net, omega, rate, times):
    """The measured stable rank at numbers of steps of which the first is 0; then, from Glorot's start in the highest
    dimension, the largest singular value of what is added.
    """
    run = descend(net, rate, t_end=int(times[-1]) * rate, record=times[1:-1] * rate)
    usual = omega == glorot[highest]
    return np.array([(net.stable_rank(theta), net.squared_norms_of_change(theta)[1] ** 0.5 if usual and theta.any() else 0.0)
                     for theta in run.theta]).T


EARLY = np.array([0, 1, 6, 100])
LATE = np.array([0, 1, 10, 100])
moments = np.union1d(EARLY, np.geomspace(1, steps, 12).astype(int))
highest = dimensions[-1]
glorot = {d: np.sqrt(2 / (d + m)) for d in dimensions}
drawn = {d: draws * (1 if d == highest else 5 if d < m else 2) for d in dimensions}
cases: dict[int, list[tuple[Any, ...]]] = {d: [] for d in dimensions}  # (data, network, ω, step size, times) of each dimension, a draw at a time
for d in np.repeat(dimensions, list(drawn.values())):
    data, full = draw(d)
    runs = [(50.0, learning_rate, EARLY if d < highest else moments)]
    if d == highest:
        runs += [(k, learning_rate, moments) for k in (10.0, 1.0)] + [(divisor, large_rate, LATE) for divisor in divisors]
    cases[d] += [(data, full.scaled(1 / k), glorot[d] / k, rate, times) for k, rate, times in runs]

# %%
predicted, measured, lengths, contest = {}, {}, {}, {}
for d, found in cases.items():
    spike, beside, moved, share = np.hstack([spike_of(*run) for run in found])  # predict: a recursion for each sample,
    spikes = np.stack([spike, spike * (1 + 2 * share)])
    law = spiked_law(law_stream, spikes, 1.0, m, d, beside=beside)  # then random matrices
    mean, changed = law.mean
    contest[d] = spike / np.sqrt(m * d)  # the spike over all noise
    predicted[d] = mean, law.deviation[0], np.abs(changed - mean) + 2 * moved * np.sqrt((mean - 1) / m) + moved**2
    measured[d], lengths[d] = np.concatenate([train(*run) for run in found], axis=1)  # train
    at = np.searchsorted(found[0][-1], 100)
    print(f"d = {d:5d}, start 50 times smaller, step 100: predicted {predicted[d][0][at]:6.3f}, measured {measured[d][at]:6.3f}")

# %% tags=["hide-input"]
# Of each key: (predicted, its scatter, its bend, measured) × draw × time, and means over draws.
table = {d: np.stack([*predicted[d], measured[d]]).reshape(4, drawn[d], -1) for d in dimensions}
small, tenth, usual, starts = np.split(table[highest], np.arange(1, 4) * len(moments), axis=-1)
by_time = np.stack([usual, tenth, small])
by_dimension = [*(table[d] for d in dimensions[:-1]), small[..., np.searchsorted(moments, EARLY)]]
by_start = np.moveaxis(starts.reshape(4, draws, len(divisors), -1), 2, 0)
(time_p, time_m), (dimension_p, dimension_m), (start_p, start_m) = (
    np.stack([one.mean(axis=1)[::3] for one in several], axis=1) for several in (by_time, by_dimension, by_start))
kinked = replace(full.scaled(1 / 50), risk=Risk(TwoLayer(LeakyReLU(slope, 0.0), trained="first"), data, Logistic()))
kinked_ranks = train(data, kinked, 0, learning_rate, moments)[0]
undivided = time_m[0, np.searchsorted(moments, EARLY)]
unequal = replace(full, span=Span(np.where(np.arange(m) < m // 2, 0.1, 1.0)[:, None] * full.span.w, full.span.x))
unequal_start = unequal.stable_rank(unequal.start)
kinked_large = train(data, kinked, 0, large_rate, LATE)[0]
all_undivided = [train(found[0][0], found[0][1].scaled(50), 0, learning_rate, EARLY[:3])[0] for found in cases.values()]


def derived(several, since=1):
    """The largest derived error of means over draws, relative to what the predicted ones exceed one by."""
    return max(np.max((np.sqrt(np.mean(scatter**2, axis=0) * (1 / len(scatter) + 1 / 100)) + bend.mean(axis=0)) / (mean.mean(axis=0) - 1))
               for mean, scatter, bend, _ in (one[..., since:] for one in several))


errors = {"time": derived(by_time[::2], 0), "dimension": derived(by_dimension), "start": derived(by_start)}
half_way = len(divisors) // 2
contests = {d: ratios.reshape(drawn[d], -1).mean(axis=0) for d, ratios in contest.items()}
added_m = lengths[highest].reshape(draws, -1)[:, 2 * len(moments) + 1 : 3 * len(moments)].mean(axis=0)  # usual start
added_p, meant = np.mean([[np.linalg.norm((1 + slope) / 2 * spike_curve(
    data, slope, rate, steps, deviation=deviation, margins=net.margins(net.start)).slopes[times[1:]] @ data.signed, axis=1)
    for deviation in (omega, 0.0)] for data, net, omega, rate, times in cases[highest][2 :: 3 + len(divisors)]], axis=0)
glue_all("synthetic", ".3f", added_p=added_p[-1], added_m=added_m[-1], meant=meant[-1])
glue_all("synthetic", "g", m=m, n=n, steps=steps, rate=learning_rate, fifty=50, late=LATE[-1], large=large_rate,
         middle=divisors[half_way], least=divisors[-1], draws=draws, more=5 * draws)
glue_all("synthetic", d=f"{highest:,}", d_low=f"{dimensions[0]:,}", d_middle=f"{dimensions[len(dimensions) // 2]:,}",
         bias=f"{100 * (dimension_p[0, 0] / (m * dimensions[0] / (np.sqrt(m) + np.sqrt(dimensions[0])) ** 2) - 1):.1f} %")
glue_all("synthetic", ".3g", **{f"{name}_{steps_}": dimension_m[at, k] for name, at in (("low", 0), ("high", -1))
                              for k, steps_ in ((1, "one"), (2, "six"), (3, "hundred"))})
glue_all("synthetic", ".0f", start_grows=dimension_m[-1, 0] / dimension_m[0, 0], never=1 / np.sqrt(10) / contests[highest][3 * len(moments) - 1])
glue_all("synthetic", ".0f", start_m=time_m[0, 0], usual_p=time_p[0, -1], usual_m=time_m[0, -1], gap=(m * highest) ** 0.25,
         unequal_start=unequal_start, first_p=start_p[0, -1] - 1, first_m=start_m[0, -1] - 1)
glue_all("synthetic", ".3g", small_p=time_p[-1, -1], small_m=time_m[-1, -1], kinked=kinked_ranks[-1], kinked_one=kinked_ranks[1],
         one_m=time_m[-1, 1], middle_p=start_p[half_way, -1] - 1, middle_m=start_m[half_way, -1] - 1)
glue_all("synthetic", ".1f", undivided=undivided[2] - 1, **{
    f"{name}_{of}": ranks[at, 2] - 1 for name, at in (("low", 0), ("mid", len(dimensions) // 2), ("high", -1))
    for of, ranks in (("p", dimension_p), ("m", dimension_m))})
glue_all("synthetic", ".3f", last_p=start_p[-1, -1] - 1, last_m=start_m[-1, -1] - 1, excess_p=time_p[-1, -1] - 1, excess_m=time_m[-1, -1] - 1,
         kinked_excess=kinked_ranks[-1] - 1, kinked_large=kinked_large[-1] - 1)

# %% mystnb={"figure": {"caption": "The stable rank falls once the spike stands out of the noise, sooner from a smaller start. Solid and dots: measured. Black dashed: predicted before training. (a) Along training in the highest dimension, step size 0.01. Rings: the spike stands out. Diamond: it is as long as all noise together. (b) Against the dimension, from the start 50 times smaller.", "name": "figure-synthetic-stable-rank"}, "image": {"alt": "Two panels on logarithmic axes. Left: stable rank against steps, flat at some hundreds from the usual start, and falling earlier and further from a start 10 and one 50 times smaller. Right: stable rank against dimension. After one step and after six it rises and falls, after a hundred it rises from about one.", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.8, 4.3))
blue, orange, green, grey = (style.COLORS[name] for name in ("blue", "orange", "green", "grey"))
cut = np.split(contests[highest], np.arange(1, 4) * len(moments))
for k, color, name in ((0, blue, "usual start"), (1, green, "1/10 of it"), (2, "#a87400", "1/50 of it")):
    left.loglog(moments[1:], time_m[k, 1:], "o-", markersize=4, color=color)
    style.theory(left, moments[1:], time_p[k, 1:])
    left.text(1.2 * steps, time_m[k, -1], name, color=color, va="center")
    grown = np.log(cut[2 - k][1:])
    for mark, level in (("o", -np.log(m * highest) / 4), ("D", 0.0)):
        if grown[0] < level < grown[-1]:
            at = np.interp(level, grown, np.log(moments[1:]))
            left.plot(np.exp(at), np.exp(np.interp(at, np.log(moments[1:]), np.log(time_m[k, 1:]))), mark, markersize=11,
                      markerfacecolor="none", color="black")
left.text(1, 1.6, "○ spike stands out\n◇ as long as the noise")
left.set(xlabel="steps", ylabel="stable rank", xlim=(0.8, 20 * steps), title="(a) longer runs, smaller starts")
for k, color in zip(range(4), ("#555555", blue, "#a87400", green), strict=True):
    right.loglog(dimensions, dimension_m[:, k], "o-", markersize=4, color=color)
    right.text(1.2 * highest, dimension_m[-1, k], ("before", "1 step", "6 steps", "100 steps")[k], color=color, va="center")
    style.theory(right, dimensions, dimension_p[:, k])
right.set(xlabel="dimension", ylabel="stable rank", xlim=(None, 9 * highest), title="(b) high dimension: falls first, ends higher")
plt.show()

# %% mystnb={"figure": {"caption": "Dots: measured. Black dashed: predicted. (a) The stable rank against the size of the start, after so many steps of size 0.16, in the highest dimension. (b) The stable rank less one against the predicted spike over all noise of the start, $s/(\\omega\\sqrt{md})$, for all steps (blue), dimensions (brown) and starts (green). Dashed: the formula of the statement, one line for each dimension. Short marks: where the spike stands out, from the highest dimension on the left to the lowest.", "name": "figure-synthetic-contest"}, "image": {"alt": "Two panels on logarithmic axes. Left: stable rank against the size of the start, rising from about one to several hundred. Right: stable rank less one against the spike over the noise, dots of three colours on dashed curves that are flat at first, fall, and meet before they pass one.", "classes": "panels-2"}} tags=["hide-input"]
left, right = style.panels(2, (9.8, 4.3))
left.loglog(1 / np.array(divisors), start_m[:, 0], color=grey)
left.text(1 / divisors[-1], 0.85 * start_m[0, 0], "before", color="#555555", va="top")
for k, color in zip((1, 2, 3), (blue, "#a87400", green), strict=True):
    left.loglog(1 / np.array(divisors), start_m[:, k], "o-", markersize=4, color=color)
    style.theory(left, 1 / np.array(divisors), start_p[:, k])
    left.text(1.0, start_m[-1, 1] * 1.6 ** (3 - k), f"after {LATE[k]} step" + "s" * (k > 1), color=color, ha="right")
left.set(xlabel="start, over the usual one", ylabel="stable rank", title="(a) smaller starts")
lower = np.array([contests[d][1:] for d in dimensions[:-1]])
for ratios, values, color, name, height in (
        (np.concatenate([part[1:] for part in cut[2::-1]]), time_m[:, 1:], blue, "steps", 6.0),
        (lower, dimension_m[:-1, 1:], "#a87400", "dimensions", 3.0),
        (cut[3].reshape(len(divisors), -1)[:, 1:], start_m[:, 1:], green, "starts", 1.5)):
    right.loglog(np.ravel(ratios), np.ravel(values) - 1, "o", color=color, markersize=5)
    right.text(1.3e-3, height, name, color=color)
sizes = np.geomspace(1e-3, 5, 300)
for d in dimensions:
    square = sizes**2 * m * d
    style.theory(right, sizes, (m * d + square) / np.where(square**2 > m * d, (square + m) * (square + d) / square,
                                                           (np.sqrt(m) + np.sqrt(d)) ** 2) - 1)
for d, ratio, rank in zip(dimensions[:-1], lower[:, -1], dimension_m[:-1, -1], strict=True):
    right.text(0.85 * ratio, rank - 1, f"{d:,}", color="#a87400", ha="right", va="top")
right.text(1.2e-3, 1.15 * start_m[0, 0], f"dimension {highest:,}")
right.text(1.2e-3, 0.65 * dimension_m[0, 0], f"dimension {dimensions[0]:,}")
right.vlines((m * np.array(dimensions)) ** -0.25, 0.05, 0.1, color="black", linewidth=1.2)
right.text(0.9 * (m * highest) ** -0.25, 0.06, "stands out", ha="right")
right.set(xlabel="spike over all noise of the start", ylabel="stable rank − 1", xlim=(1e-3, 5), ylim=(0.05, 800),
          title="(b) all of them in one picture")
plt.show()

# %% [markdown]
# ### What breaks
#
# *The kink.* With the leaky ReLU itself, without smoothing, every neuron keeps its own slope on every sample however small the start is. Its push then has a random part, and the stable rank after {glue:text}`synthetic_steps` steps from the start {glue:text}`synthetic_fifty` times smaller is {glue:text}`synthetic_kinked` instead of {glue:text}`synthetic_small_m`. After one step the random part is still small against the noise of the start, and the kink makes no visible difference ({glue:text}`synthetic_kinked_one` and {glue:text}`synthetic_one_m`). {doc}`one_step_rank_collapse` predicts what the kink costs.
#
# *Neurons of two sizes.* We make half of the neurons of the usual start ten times smaller. The noise then has two sizes, and already before training the stable rank is {glue:text}`synthetic_unequal_start` instead of {glue:text}`synthetic_start_m`.

# %% [markdown]
# ## Theory
#
# The prediction has three parts. What is a theorem is called one. The rest are formal derivations, approximations without a proved remainder. All of it is computed before training.
#
# ### A spike in noise
#
# ````{prf:theorem} Benaych-Georges and Nadakuditi 2012, Section 3.1, for one spike
# :label: theorem-synthetic-spike
#
# Let $N\in\mathbb R^{m\times d}$ have independent standard normal entries, $u$ and $v$ be unit vectors independent of it, and $m,d\to\infty$ such that $m/d$ tends to a positive limit and $s^4/(md\,\omega^4)$ to a limit. Then the largest singular value of $s\,uv^\top+\omega N$, divided by $\sigma$, tends to $1$ almost surely, where
#
# $$\sigma^2=\frac{(s^2+m\omega^2)(s^2+d\omega^2)}{s^2}$$
#
# if $s^4>md\,\omega^4$, and $\sigma^2=\omega^2(\sqrt m+\sqrt d)^2$ otherwise.
# ````
#
# If $s^4/(md\,\omega^4)\to\infty$, both sides are $s$ to first order, because $\omega\|N\|\approx\omega(\sqrt m+\sqrt d)$ is then small against $s$.
#
# A matrix of finite size misses this limit on one side. At $s=0$ its largest singular value obeys the Tracy–Widom law {cite}`johnstone2001`, whose mean is negative, so the stable rank of the start is larger than $md/(\sqrt m+\sqrt d)^2$, by {glue:text}`synthetic_bias` in dimension {glue:text}`synthetic_d_low`. We therefore predict with the law at finite size.
#
# ```{prf:proposition} The law at finite size
# :label: proposition-bidiagonal
#
# Let $2\le m\le d$ (otherwise exchange $m$ and $d$), let $u$ and $v$ be unit vectors, and let $N$ have independent standard normal entries, conditioned on $u^\top Nv=0$. The singular values of $s\,uv^\top+\omega N$ have the law of those of $\omega B$ with a lower bidiagonal $m\times m$ matrix $B$ of independent entries,
#
# $$\begin{gathered}B_{11}^2=\frac{s^2}{\omega^2}+\chi^2_{d-1},\\B_{ii}=\chi_{d-i+1}\;(i\ge2),\\B_{i+1,i}=\chi_{m-i}.\end{gathered}$$
# ```
#
# ```{prf:proof}
# :class: dropdown
#
# Turn $u$ and $v$ into the first unit vectors. The first row is $(s/\omega,g)$ with a normal $g\in\mathbb R^{d-1}$ in units of $\omega$. A reflection from the right takes it to $(B_{11},0)$, with $B_{11}^2=s^2/\omega^2+\|g\|^2$. It depends on the first row alone, so the other rows stay independent and normal. Of their first column, in $\mathbb R^{m-1}$, a reflection from the left leaves its length $\chi_{m-1}$ in the second row, and the rest of these rows stays independent and normal. The second row has $d-1$ normal entries to the right, of length $\chi_{d-1}$, and so on. $\square$
# ```
#
# What the noise has along the spike, $u^\top Nv$, is known before training and counted in $s$. The mean and the scatter of the stable rank come from 100 such matrices, which cost $O(m)$ each.
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
# c_i(t+1)&=c_i(t)+\frac\eta n\,\frac1{1+e^{M_i(t)}},\\
# M_i(t)&=M_i(0)+\sum_kK_{ik}\,c_k(t),
# \end{aligned}
# ```
#
# from $c(0)=0$ on, with $K_{ik}=\kappa^2\,y_iy_k\,x_i\cdot x_k$ for small $\omega$. The spike is $s=r+\frac1r\sum_ic_iM_i(0)$ with $r=\kappa\|\sum_ic_iy_ix_i\|$: what training adds, and what $W(0)$ has along it already. Early on $s$ grows in proportion to $t$. Once the margins are well above one, it grows like a logarithm.
#
# ### Large starts: every sample has its own neurons
#
# *Formal derivation.* For $\omega$ of Glorot's size the pre-activations are of order one from the start, and the gates $\varphi'(w_j\cdot x_i)$ differ from neuron to neuron. The linearization is then that of the {term}`tangent kernel` of $W(0)$, $x_i\cdot x_k\sum_ja_j^2\varphi'(w_j\cdot x_i)\varphi'(w_j\cdot x_k)$. On the average over $W(0)$ the mean gate is $\kappa$, since $\varphi'-\kappa$ is odd. Gates at different, nearly orthogonal samples are nearly independent, and at the same sample their variance remains:
#
# ```{math}
# :label: gate-kernel
# \begin{aligned}
# K_{ik}&=y_iy_k\,x_i\cdot x_k\,\bigl(\kappa^2+\mathbb 1_{i=k}v_i\bigr),\\
# v_i&=\mathbb E\Bigl[\bigl(\tfrac{1-\gamma}2\tanh\tfrac z2\bigr)^2\Bigr],\\z&\sim\mathcal N(0,\omega^2\|x_i\|^2).
# \end{aligned}
# ```
#
# So every sample can be learned by the neurons that happen to favour it. Less is left for the common direction, and the spike grows more slowly. We plot {eq}`synthetic-recursion` with this $K$. The variance $v_i$ hardly shows in the stable rank, by less than the claims allow. It shows in the largest singular value of what training adds from the usual start, {glue:text}`synthetic_added_m` after {glue:text}`synthetic_steps` steps. Predicted are {glue:text}`synthetic_added_p`, and {glue:text}`synthetic_meant` if every gate is at its mean. The recursion sees of the start its deviation $\omega$ and the $n$ margins $M_i(0)$, and nothing of the training.
#
# ## How fast, exactly
#
# The bend of $\varphi$ makes all neurons move a little along the samples *without* their labels, a second direction of size $\varrho$ beside the spike. It is part of the prediction, which has $\varrho^2$ added to $md\,\omega^2+s^2$. From starts at least 20 times smaller than usual we follow it exactly as $\omega\to0$. Neurons with output weights of one sign then stay the same, so the recursion has $2n$ numbers instead of $n$, $s$ and $\varrho$ are the two singular values of what training adds, and what is neglected is how $W(0)$ moves the gates, and the little that it has along the second direction already. From larger starts we neglect what $\varrho$ does to the margins. Where the gates grow in proportion to the spike, the cross term of both directions in the output is $2\varrho^2/s^2$ of the first, which changes $s$ by $2\varrho^2/s^2$ relative to itself. The derived error of a mean over draws is what is neglected, except for what $W(0)$ has along the second direction, which is far smaller, plus the scatter of {prf:ref}`proposition-bidiagonal` over the root of their number. {doc}`one_step_rank_collapse` derives both parts of what is neglected.

# %% [markdown]
# ## Instruments
#
# The claims of the table, then the parts of the prediction.
#
# ```{claim} time
# :headline: mean stable rank less one, at every step, from both starts
# :evidence: trained and compared
# :because: the scatter at finite size over the root of the number of draws, with that of the prediction, and what is
#   neglected; the largest, relative to what exceeds one
# :control: the activation has its kink
# :rival: slopes of the loss frozen at ½
#
# at every step the mean stable rank is the predicted one, from the usual start and from a fiftieth of it
# ```
#
# ```{claim} dimension
# :headline: mean stable rank less one, in every dimension
# :evidence: trained and compared
# :because: as along training
# :contrast: the next lower dimension, against the prediction for the highest
#
# in every dimension the mean stable rank after one, six and a hundred steps is the predicted one
# ```
#
# ```{claim} initialization
# :headline: mean stable rank less one, from every start
# :evidence: trained and compared
# :because: as along training
# :control: the activation has its kink, from a start fifty times below Glorot's
#
# from every start the mean stable rank after one, ten and a hundred larger steps is the predicted one
# ```

# %% tags=["hide-input"]
frozen = [spiked_law(law_stream, spike_curve(data, slope, learning_rate, 1).spike[1] * moments / omega, 1.0, m, highest).mean
          for omega in (glorot[highest], glorot[highest] / 50)]
claims.limit("time", time_p[::2] - 1, time_m[::2] - 1, relative="each", error=errors["time"],
             control=Control(kinked_ranks[1:] - 1, theory=time_p[-1, 1:] - 1, anew=True), rival=Rival(np.array(frozen) - 1, factor=5))
claims.limit("dimension", dimension_p[:, 1:] - 1, dimension_m[:, 1:] - 1, relative="each", error=errors["dimension"],
             control=Control(dimension_m[-2, 1:] - 1, theory=dimension_p[-1, 1:] - 1, anew=True))
claims.limit("initialization", start_p[:, 1:] - 1, start_m[:, 1:] - 1, relative="each", error=errors["start"],
             control=Control(kinked_large[1:] - 1, theory=start_p[-1, 1:] - 1, anew=True))

# %% [markdown]
# ```{claim} start
# :source: Johnstone 2001, Theorem 1.1, for the limit
# :evidence: float with residual
# :because: the scatter at finite size, over the root of the number of draws, in each dimension
# :control: half of the neurons are ten times smaller
#
# the stable rank of the initialization is that of the law at finite size, in every dimension
# ```
#
# ```{claim} gates
# :evidence: float with residual
# :because: one standard error of the mean over m independent neurons
# :control: nine tenths of the initialization's deviation
#
# before training the gates vary around their mean by the predicted variance
# ```
#
# ```{claim} length
# :evidence: trained and compared
# :because: one standard error of the mean gate, over all neurons, samples and draws, of the mean itself
# :control: every gate at its mean, without the variance
#
# from the usual start the largest singular value of what training adds is that of the recursion with the variance of the gates
# ```
#
# ```{claim} falls
# :source: observed in this chapter, after Frei et al. 2023
# :evidence: observed
# :because: half of the smallest predicted difference, a round number
# :contrast: Glorot's initialization, not divided, in every dimension
# :order: SR(6)/SR(0) from the highest dimension to the lowest
#
# the higher the dimension, the smaller a share of the stable rank of the start is left after six steps
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
derived_start = max(np.sqrt(np.mean(one[1, :, 0] ** 2) * (1 / one.shape[1] + 1 / 100)) / one[0, :, 0].mean() for one in by_dimension)
claims.limit("start", dimension_p[:, 0], dimension_m[:, 0], relative="each", error=derived_start,
             control=Control(unequal_start, theory=dimension_p[-1, 0], anew=True))
of_neurons = np.array([np.mean((smooth.derivative(full.span.inputs / k) - (1 + slope) / 2) ** 2, axis=1) for k in divisors])
variances, altered = (np.array([np.mean(gate_variance(data, slope, factor * glorot[highest] / k)) for k in divisors])
                      for factor in (1.0, 0.9))
claims.limit("gates", variances, of_neurons.mean(axis=1), relative="each",
             error=np.max(standard_error(of_neurons, axis=1) / variances),
             control=Altered(of_neurons.mean(axis=1), theory=altered))
claims.limit("length", added_p, added_m, relative="each", control=Altered(added_m, theory=meant),
             error=2 * np.sqrt(variances[0] / (n * m * draws)) / (1 + slope))
left_p, left_m = (table[::-1, 2] / table[::-1, 0] for table in (dimension_p, dimension_m))
claims.increasing("falls", left_m, level=float(f"{np.diff(left_p).min() / 2:.1g}"),
                  control=[ranks[2] / ranks[0] for ranks in all_undivided[::-1]])
claims.increasing("smaller_start", start_m[::-1, 3], level=float(f"{np.diff(start_p[::-1, 3]).min() / 2:.1g}"),
                  control=start_m[::-1, 0])

# %% [markdown]
# ## What would falsify it
#
# A step, a dimension or a start at which the mean stable rank over the draws leaves the dashed line by more than its claim allows, four times the largest derived error of its points. A start of Glorot's size that collapses at the small step size, or one fifty times smaller that does not.
#
# ## Differences from the paper
#
# - **Read.** Abstract and introduction of {cite:t}`frei2023`: a small start is important for low rank, and on synthetic high-dimensional data the stable rank behaves as the theory says.
# - **Recalled, not checked against the paper.** The mixture with $\|\mu\|=d^{0.26}$, $m=512$, $\gamma=0.1$, the small start 50 times below TensorFlow's default, and the step sizes $0.01$ and $0.16$. A public summary gives $n=100$, a separation of the means that is a power of $d$, and TensorFlow's default start. No code of the authors is public.
# - **Ours.** The prediction, the law at finite size, the dimensions and the step counts. The start is normal with Glorot's variance. TensorFlow draws from a uniform distribution of the same variance.
# - **Not reproduced.** Other data than mixtures of two Gaussians. Images are in {doc}`stable_rank_on_images`.
#
# ## Scope
#
# The linearization behind the prediction slowly fails as margins grow, so step sizes and step counts are limited. It says what the stable rank of this mixture is, not what it is on other data: {doc}`one_step_rank_collapse` has a bound for other samples too, computed from the run. It asks that $y_ix_i\cdot q>0$ for every sample, where $q=\sum_ky_kx_k$. Small stable rank is not small rank, because behind the spike $W(0)$ remains.
#
# ## Exercises
#
# ```{exercise} Spike against noise
# :label: exercise-synthetic-contest
#
# Let $m=d$ and $\omega=1$. What is the stable rank of noise alone, in the limit of large $d$? How long must a spike be to be seen, and how long for a stable rank of two?
# ```
#
# ```{solution} exercise-synthetic-contest
# :class: dropdown
#
# $d^2/(2\sqrt d)^2=d/4$. It is seen from $s=\sqrt d$ on. For stable rank two $d^2+s^2=2\sigma^2\approx2s^2$ for $s^2\gg d$, so $s\approx d$, which is $\sqrt d$ times longer.
# ```
#
# ```{exercise} Why high dimension helps in the first steps
# :label: exercise-synthetic-dimension
#
# From $\omega_{\mathrm G}/50$, why is less left in higher dimension after the same number of steps? Compare $s(1)$ with $\omega\sqrt{md}$ as $d$ grows.
# ```
#
# ```{solution} exercise-synthetic-dimension
# :class: dropdown
#
# With $q=\sum_iy_ix_i$, $\|q\|^2\approx n^2\|\mu\|^2+nd=n^2d^{0.52}+nd$. With $n=100$ the first term is the larger one up to $d\approx15{,}000$, so $s(1)=\frac{\eta(1+\gamma)}{4n}\|q\|$ grows about like $d^{0.26}$ at first and like $\sqrt d$ only beyond. The noise has $\omega\sqrt{md}=\frac1{50}\sqrt{2md/(d+m)}$, which grows too until $d\gg m$. So with $m=512$ their ratio hardly changes up to $d=1000$ and then less than doubles up to $d=10{,}000$. What changes most is the start, whose stable rank grows {glue:text}`synthetic_start_grows`-fold from the lowest dimension to the highest. So less *of it* is left.
# ```
#
# ```{exercise} Without the gates
# :label: exercise-synthetic-gates
#
# Set `deviation=0` in the call of `spike_curve`, which leaves out the variance of the gates, and rerun. Which panel of {numref}`figure-synthetic-stable-rank` and {numref}`figure-synthetic-contest` changes most, in which direction, and can you see it?
# ```
#
# ```{solution} exercise-synthetic-gates
# :class: dropdown
#
# Only the right end of {numref}`figure-synthetic-contest`(a), large starts after many large steps. There the prediction becomes too low, by about two per cent after 100 steps, which you hardly see on this axis. It is too low because without the variance each sample's margin grows only through the common direction, which would have to grow more.
# ```
#
# ```{exercise} How long from the default start?
# :label: exercise-synthetic-never
#
# Can gradient descent at $\eta=0.01$ bring the stable rank from Glorot's initialization down to $10$ at all? How does $s(t)$ grow for large $t$?
# ```
#
# ```{solution} exercise-synthetic-never
# :class: dropdown
#
# The recursion is gradient descent on separable data: margins, and with them $s$, grow like $\ln t$. The stable rank is about $md\,\omega^2/s^2$ once the spike dominates; $10$ needs $s=\omega\sqrt{md/10}$, some {glue:text}`synthetic_never` times what the spike has at step {glue:text}`synthetic_steps`. All margins must then be about that many times larger. They are about 6 there, so about 90 are needed, and this takes some $e^{80}$ times as many steps. It happens, but nobody waits for it.
# ```
#
# ## Where to go next
#
# ```{next}
# {doc}`one_step_rank_collapse` has the first step and a bound for all steps, and {doc}`stable_rank_on_images` asks the same of real data, where both layers are trained.
# ```
#
# ## References
#
# {cite:t}`frei2023` for the experiment; {cite:t}`benaych2012` and {cite:t}`johnstone2001` for the singular values.
