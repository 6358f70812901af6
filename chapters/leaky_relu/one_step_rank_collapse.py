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
# # Training adds nearly rank one, and from a tiny start one step shows it
#
# ```{question}
# ```
#
# The first layer of a network with {glue:text}`collapse_m` neurons starts with random weights of the usual size. Their {term}`stable rank`, a smooth count of the directions that matter, is {glue:text}`collapse_start_m`. One gradient step adds to each neuron a sum of the {glue:text}`collapse_n` samples, each times its label and a factor with the activation's slope there. This slope is random, but has the same mean for all neurons and samples. The means push all neurons along one line and add up. The deviations push in nearly orthogonal directions, so their sum stays short. So the step adds a matrix of stable rank {glue:text}`collapse_added_m`.
#
# Do the weights show it? From the usual start their stable rank stays at {glue:text}`collapse_usual_m`, because its noise hides the step. From a start {glue:text}`collapse_fifty` times smaller one step brings it to {glue:text}`collapse_fifty_m`, and from one {glue:text}`collapse_divisor` times smaller, where the formula below gives 2, to {glue:text}`collapse_two_m`.
#
# ```{hero}
# ```
#
# ## The statement
#
# Let $x_i$ be the $n$ samples, in dimension $d=$ {glue:text}`collapse_d`, and $y_i=\pm1$ their labels. The signed samples are the $y_ix_i$. The first layer is an $m\times d$ matrix $W$, and its row $w_j$ holds the weights of neuron $j$. At the start these weights are independent and normal with the standard deviation $\omega$. The *usual start* is $\omega=\sqrt{2/(d+m)}=$ {glue:text}`collapse_omega` (Glorot's, the default of TensorFlow). The output weights $a_j=\pm1/\sqrt m$ are random signs and are not trained. The activation $\varphi$ is a leaky ReLU whose *kink*, the jump of its slope at zero, is smoothed. Far to the right of zero its slope is one. Far to the left its slope is $\gamma=$ {glue:text}`collapse_slope`, the *leak*. At zero its slope lies halfway between, at $\kappa=\varphi'(0)=\frac{1+\gamma}2=$ {glue:text}`collapse_kappa`.
#
# From a small start the inputs $w_j\cdot x_i$ of the activation are close to zero, so every neuron has nearly the slope $\kappa$ at every sample. One step with the step size $\eta=$ {glue:text}`collapse_step` therefore moves neuron $j$ along nearly $a_jq$, where $q$ is the sum of the samples times their labels. So every neuron moves along one line, in the direction of $q$ or against it, as the sign of its output weight says. This adds to the noise of the start a matrix of rank one, the *spike*:
#
# $$\begin{gathered}W(1)\;\approx\underbrace{W(0)}_{\text{noise}}+\underbrace{s\,a\,v^\top}_{\text{spike of rank one}},\\[2pt]s=\frac{\eta\kappa}{2n}\,\|q\|,\qquad v=\frac q{\|q\|},\\q=\sum_iy_ix_i .\end{gathered}$$
#
# Here $a$ is the vector of the $a_j$, and the $\frac12$ in $s$ is the slope of the logistic loss where the output is zero. Our samples have $\|q\|=$ {glue:text}`collapse_q`, so the spike has the length $s=$ {glue:text}`collapse_s`. The noise itself has a part $a^\top W(0)v$ along the spike. It is known before training and of the size of $\omega$, and in every predicted stable rank we add it to $s$. As $\omega\to0$ it vanishes, and the display becomes exact ({prf:ref}`proposition-one-step`).
#
# The stable rank is $\mathrm{SR}(W)=\|W\|_F^2/\|W\|_2^2$, the sum of all squared singular values over the largest one. If all $m$ singular values were equal, it would be $m=$ {glue:text}`collapse_m`. Those of noise are not quite equal, so before training it is about $md/(\sqrt m+\sqrt d)^2=$ {glue:text}`collapse_start_p`. What one step does to it depends on two thresholds. At $\omega=s\,(md)^{-1/4}$, {glue:text}`collapse_leaves` times below the usual start, the spike leaves the noise: its singular value, which the noise lifts, exceeds those of the noise. Near $\omega=s\,(md)^{-1/2}$, {glue:text}`collapse_divisor` times below the usual start, the stable rank is two.
#
# Frei et al. prove a statement about all steps. From a small enough start and with small enough steps, $\mathrm{SR}(W(t))$ stays below an absolute constant for all $t\ge1$ {cite}`frei2023` (recalled, not checked against the paper). We prove less, a bound that is computed from a given run and holds along it.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [stable rank after one step](small_starts), start {glue:text}`collapse_fifty` times smaller than usual | {glue:text}`collapse_small_p` | {glue:text}`collapse_small_m` | usual start: {glue:text}`collapse_usual_m` | samples planted in the first rows of $W(0)$: {glue:text}`collapse_small_shared` |
# | [stable rank − 1 after {glue:text}`collapse_steps` steps](later), same start, predicted by a recursion for two kinds of neurons, $2n$ numbers | {glue:text}`collapse_later_p` | {glue:text}`collapse_later_m` | usual start: stable rank {glue:text}`collapse_usual_last` | activation with a kink: {glue:text}`collapse_later_kink` |
# | [stable rank − 1 of what one step adds](added), usual start, mean of {glue:text}`collapse_starts` | {glue:text}`collapse_excess_p` | {glue:text}`collapse_excess_m` | activation with a kink: {glue:text}`collapse_excess_kink` | slopes of mean zero, $\gamma=-1$: {glue:text}`collapse_even_m` − 1 = {glue:text}`collapse_excess_even` |
# | [largest stable rank from the first step on](throughout), start {glue:text}`collapse_tiny` times smaller | at most {glue:text}`collapse_bound_p` (proved, from the run) | {glue:text}`collapse_bound_m` | start 500 times smaller, after one step: {glue:text}`collapse_bound_other` | |
# ```
#
# No stable rank is below one, so the second and third row show what exceeds one. The first two rows are one draw of the data and of the start. The third is a mean over {glue:text}`collapse_starts` starts on the same data. The last row is a {term}`certificate` and not a test. Its bound is proved, and we compute it from the run, so only an error in our code could violate it. The run comes nearest to it at step {glue:text}`collapse_near_step`, with {glue:text}`collapse_near_m` where {glue:text}`collapse_near_p` is allowed. At step {glue:text}`collapse_steps` the bound is four times too large, {glue:text}`collapse_bound_p` where the run has {glue:text}`collapse_last_m`.
#
# **What to remember?** One step adds nearly rank one because the slopes have a common mean. If this mean is zero, the step adds a matrix of stable rank about {glue:text}`collapse_even` on these data. With our leak $\gamma=$ {glue:text}`collapse_slope` what is added has the stable rank {glue:text}`collapse_added_m` from the usual start, and at most {glue:text}`collapse_beyond` from all starts and at all steps that we tried. (By the formal derivation {eq}`turned-rank` one step cannot add much more than $1+(\delta/\kappa)^2$ from any start, with $\delta=\frac{1-\gamma}2$. This is {glue:text}`collapse_worst` here, and it would be 2 without the leak.) Whether the weights show it depends on the noise. The spike leaves the noise at $s=(md)^{1/4}\omega$ and rules the stable rank from $s=(md)^{1/2}\omega$ on. From the usual start {glue:text}`collapse_steps` steps are not enough, although the loss is {glue:text}`collapse_usual_loss` by then: the weights still have the stable rank {glue:text}`collapse_usual_last`.
#
# ## The smallest case
#
# Take two samples $x_1=(1,0)$ and $x_2=(0,1)$ with the labels $1$ and $-1$, so that $q=(1,-1)$, and two neurons with the output weights $1$ and $-1$ (we drop $\frac1{\sqrt2}$). The activation has the slope $1$ far to the right of zero and $\gamma$ far to the left. Neuron $j$ is pushed along $a_j\sum_i\varphi'_{ji}\,y_ix_i$, where $\varphi'_{ji}$ is its slope at sample $i$. Near zero a smooth activation has one slope, $\kappa$. Far from zero the worst that can happen is that each neuron has the slope $1$ on a sample of its own and $\gamma$ on the other:
#
# $$\begin{aligned}\text{near zero:}\quad&\kappa\begin{pmatrix}1&-1\\-1&1\end{pmatrix},\\[4pt]\text{far from zero:}\quad&\begin{pmatrix}1&-\gamma\\-\gamma&1\end{pmatrix}.\end{aligned}$$
#
# The first matrix has rank one. The second has the singular values $1+\gamma$ and $1-\gamma$ and therefore the stable rank $1+\bigl(\frac{1-\gamma}{1+\gamma}\bigr)^2$, which is {glue:text}`collapse_worst` at $\gamma=$ {glue:text}`collapse_slope` and $2$ without the leak. So here the slopes of the activation alone decide how far the step is from rank one. Two neurons and two samples have no more than two directions. With many, the differences of the slopes scatter, and {eq}`turned-rank` says how much of them is left.
#
# Now add noise of deviation $\omega$. It brings $md\,\omega^2$ to the sum of all squared singular values, but spread over many directions: the largest squared one is only about $(\sqrt m+\sqrt d)^2\omega^2$. The spike puts all of $s^2$ into one. So the spike first exceeds the noise in the largest singular value, and only for much smaller $\omega$ in the sum of squares, at $\omega=s\,(md)^{-1/2}$. Comparing $s$ with the largest singular value of the noise would give $\omega=s/(\sqrt m+\sqrt d)$, {glue:text}`collapse_naive` times below the usual start. But the noise lifts the spike, so it leaves the noise already at $\omega=s\,(md)^{-1/4}$, {glue:text}`collapse_leaves` times below.
#
# ## Experiment
#
# The data are a Gaussian mixture, $x_i=y_i\mu+\xi_i$ with $\xi_i\sim\mathcal N(0,I_d)$, $\|\mu\|=d^{0.26}$ and as many samples of one class as of the other. Two such samples are nearly at right angles, and each is about $\sqrt d$ long. (They are not {term}`nearly orthogonal` in the sense of the theorem. The absolute inner products of one sample with all the others add up to more than its squared length.) The network is $f(x;W)=\sum_ja_j\,\varphi(w_j\cdot x)$ with a leaky ReLU whose kink is smoothed,
#
# ```{math}
# :label: smoothed-leaky
# \begin{aligned}
# \varphi(z)&=\gamma z+(1-\gamma)\ln\tfrac{1+e^z}2,\\
# \varphi(0)&=0,\qquad\gamma\le\varphi'\le1 .
# \end{aligned}
# ```
#
# We train $W$ alone by gradient descent on the logistic loss $\frac1n\sum_i\ln(1+e^{-y_if(x_i;W)})$. Two kinds of slopes recur. A *gate* is the slope $\varphi'(w_j\cdot x_i)$ of the activation of neuron $j$ at sample $i$. It has the mean $\kappa=\varphi'(0)=\frac{1+\gamma}2$ over random starts of any size, and it differs from it by at most $\delta=\frac{1-\gamma}2$. The slope of the loss at a sample is $|\ell'|$ at its margin $y_if(x_i;W)$, the same for all neurons.

# %% tags=["hide-input"]
import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.activations import LeakyReLU
from implicit_bias.data import Classification, gaussian_mixture
from implicit_bias.figures import style
from implicit_bias.flows import GradientDescent, drive
from implicit_bias.limits.stable_rank import (
    change_bounds,
    first_change_rank,
    gate_bounds,
    kinked_stable_rank,
    one_step_error,
    spiked_fluctuation,
    spiked_stable_rank,
    two_kinds,
)
from implicit_bias.losses import Logistic
from implicit_bias.models.two_layer import Risk, Span, TwoLayer
from implicit_bias.rates import log_log_slope
from reproduce.claims import Altered, Claims, Control, Rival, rounding
from reproduce.claims.glued import glue_all

claims = Claims("one_step_rank_collapse")

style.use_style()

# %% tags=["parameters"]
n: int = 100  # number of samples n, in [40, 300]
d: int = 10000  # dimension of the samples, in [5000, 30000]
m: int = 512  # number of neurons, in [256, 1024]
slope: float = 0.1  # slope γ of the leaky ReLU, in [0.05, 0.15]
# because with a wider leak the control of the first-order constant may pass
learning_rate: float = 0.01  # step size η of gradient descent, in [5e-3, 0.03]
steps: int = 500  # steps that are followed, in [100, 2000]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]

# %% [markdown]
# Data and initialization draw from streams of their own. One matrix of standard normal numbers, times $\omega$, serves for all starts.

# %% tags=["hide-input"]
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
data = gaussian_mixture(data_stream, n, d, separation=d**0.26)
x, y = data.x, data.y
q = data.signed.sum(axis=0)
a = initialization_stream.choice([-1.0, 1.0], m) / np.sqrt(m)
standard = initialization_stream.standard_normal((m, d))

# %% tags=["hide-input"]
kappa, delta = (1 + slope) / 2, (1 - slope) / 2
start = Span(standard, x)  # its products with the samples serve every network below
root = np.asarray(np.linalg.cholesky(start.gram), dtype=float)
frame = Classification(x=root, y=y)  # the samples in n axes: the predictions see their inner products alone
spikes = two_kinds(frame, slope, a, learning_rate, 1).spike  # for ω → 0


class AnySlope(LeakyReLU):
    """The smoothed leaky ReLU with a negative γ too; at −1, 2 ln cosh(z/2), its slope has mean zero over random starts."""

    def __post_init__(self):
        """Refuse nothing."""


def flow_from(start, gamma=slope, width=1.0, output=a):
    """A network's first layer in the span of the samples, its activation smoothed over a width; 0 is the kink."""
    net = TwoLayer(AnySlope(gamma, width, centred=True), trained="first")
    return Risk(net, data, Logistic()).in_span(start, output, gather=True)


network = flow_from(start)


def descend(net, count, record=()):
    """Gradient descent for so many steps, recorded before the first and at the given ones: the states."""
    run = drive(GradientDescent(net.gradient, learning_rate), net.start, t_end=count * learning_rate,
                record=np.array(record) * learning_rate).demand()
    return run.theta


def ranks(net, states):
    """The stable rank of W at each state."""
    return np.array([net.stable_rank(theta) for theta in states])


def added_rank(net, state):
    """The stable rank of what training has added."""
    return np.divide(*net.squared_norms_of_change(state))


def grow(net, count):
    """The predicted course from a network's initialization."""
    return two_kinds(frame, slope, a, learning_rate, count, inputs=net.span.inputs)


glorot = np.sqrt(2 / (d + m))
small = [glorot / 50, glorot / 500, glorot / 10_000]
moments = np.unique(np.geomspace(1, steps, 18).astype(int))
times = np.append(0, moments)

divisor = glorot * np.sqrt(m * d) / spikes[1]  # the start is so many times smaller where the stable rank is two
fractions = np.sort(np.append(10.0 ** (np.arange(-15, 7) / 3), [1 / 50, 1 / divisor]))

# %% [markdown]
# For each start we predict the stable rank of all weights and of what the step adds, then take the step.

# %%
found = []
for omega in glorot * fractions:
    net = network.scaled(omega)  # a random start
    spike = grow(net, 1).spike[1]  # predict
    predicted = spiked_stable_rank(spike, omega, m, d)
    predicted_added = first_change_rank(frame, slope, m, omega, y * net.outputs(net.start))
    state = descend(net, 1)[-1]  # one step of gradient descent
    found.append((predicted, net.stable_rank(state), predicted_added, added_rank(net, state)))  # compare

print("start/usual   all weights: predicted, measured   what the step adds: predicted, measured")
for fraction, row in zip(fractions, found, strict=True):
    if fraction in (1 / divisor, 1 / 50, 1.0, 100.0):
        print(f"{fraction:11.5f} {row[0]:24.2f} {row[1]:9.2f} {row[2]:29.4f} {row[3]:9.4f}")

# %% tags=["hide-input"]
rank_p, rank_m, added_p, added_m = np.array(found).T
at_fifty, at_two, at_usual = (int(np.argmin(np.abs(fractions - one))) for one in (1 / 50, 1 / divisor, 1.0))
start_rank = network.stable_rank(network.start)
leaves = spikes[1] / (m * d) ** 0.25 / glorot

# %% mystnb={"figure": {"caption": "From all three starts one step adds a spike, a matrix of nearly rank one and nearly the same length. It shows once the noise of the start is small enough. (a) Singular values of the first layer after one step. Grey: the noise, one draw rescaled, as a histogram of equal height in each row. Red: the largest singular value where it lies outside the noise, its height has no meaning. Black triangle: its prediction. Red dashed: the length of the spike alone, which noise close to it lifts. Hollow: the spike that larger noise hides. (b) Stable rank after one step against the size of the start, of all weights (blue) and of what the step adds (orange). Dashed: predicted before training. All dots are one draw, rescaled. Red rings: the starts of (a). The smallest of them is the one for which the formula gives stable rank two.", "name": "figure-rank-collapse"}, "image": {"alt": "Two panels. Left: singular values in three rows, with one vertical line at the spike: from the usual start the noise lies far to the right of the line, so that the spike is hidden, from a start 50 times smaller just left of it, from one some hundreds of times smaller far to the left. Right: stable rank against the size of the start on logarithmic axes: an S-shaped curve for all weights, and a curve near one for what the step adds.", "classes": "panels-2"}} tags=["hero", "hide-input"]
shown = ((at_usual, "usual start"), (at_fifty, "50 times smaller"), (at_two, f"{divisor:.0f} times smaller"))
blue, red, orange, grey = (style.COLORS[name] for name in ("blue", "red", "orange", "grey"))
ax, right = style.panels(2, (9.4, 4.4))
ax.axvline(spikes[1], color=red, linestyle="--", linewidth=1.2)
for base, (at, name) in zip((2, 1, 0), shown, strict=True):
    omega = glorot * fractions[at]
    net = network.scaled(omega)
    after = net.weights(descend(net, 1)[-1])[0]
    singular = np.sqrt(np.linalg.eigvalsh(after @ after.T))
    strength = grow(net, 1).spike[1] / omega
    out = strength > (m * d) ** 0.25
    counts, edges = np.histogram(singular[: m - out], bins=np.geomspace(singular[0], singular[m - 1 - out], 14))
    ax.stairs(base + 0.6 * counts / counts.max(), edges, baseline=base, fill=True, color=grey, alpha=0.7)
    ax.axhline(base, color=grey, linewidth=0.8)
    if out:
        ax.plot([singular[-1]] * 2, [base, base + 0.5], color=red, linewidth=4, solid_capstyle="butt")
        predicted = omega * np.sqrt((strength**2 + m) * (strength**2 + d)) / strength
        ax.plot(predicted, base - 0.09, "^", color="black", markersize=8)
        ax.text(1.3 * predicted, base - 0.05, "predicted", va="top")
    else:
        ax.plot([spikes[1] / 1.08] * 2 + [spikes[1] * 1.08] * 2, [base, base + 0.5, base + 0.5, base], color=red, linewidth=1.2)
        ax.text(1.3 * spikes[1], base + 0.36, f"hidden: 1/{singular[-1] / spikes[1]:.0f}\nof the largest\nsingular value", color=red, va="center")
    said = f"{name}\nstable rank {start_rank:.0f} → {rank_m[at]:.{0 if rank_m[at] > 10 else 1}f}"
    place = spikes[1] * (2.0 if out else 0.8)
    ax.text(place, base + 0.36, said, ha="left" if out else "right", va="center")
    right.plot(fractions[at], rank_m[at], "o", markersize=10, markerfacecolor="none", color=red)
ax.text(0.87 * spikes[1], -0.08, f"length of the spike, {spikes[1]:.3f}", color=red, ha="right", va="top")
ax.set(xscale="log", yticks=[], ylim=(-0.35, 2.8), xlim=(0.02 * spikes[1], 70 * spikes[1]), xlabel="singular value",
       title="(a) the noise shrinks past the spike")
ax.spines["left"].set_visible(False)

right.axhline(start_rank, xmax=0.33, color=grey)
right.loglog(fractions, rank_m, "o", color=blue, markersize=5)
right.loglog(fractions, added_m, "o", color=orange, markersize=5)
style.theory(right, fractions, rank_p)
style.theory(right, fractions, added_p)
right.vlines([leaves, 1 / divisor], 0.8, [0.85 * start_rank, 25], color=grey, linestyle=":", linewidth=1.2)
right.annotate(f"1/{1 / leaves:.0f}: spike\nleaves the noise", (leaves, 8.0), xytext=(5, 0), textcoords="offset points")
right.annotate(f"1/{divisor:.0f}:\nstable rank 2", (1 / divisor, 2.0), xytext=(-8, 5), textcoords="offset points", ha="right")
right.annotate("all weights, before", (fractions[0], start_rank), xytext=(0, 4), textcoords="offset points", color=grey)
right.annotate("all weights, after", (0.007, 55), color=blue, ha="right")
right.annotate(f"what the step adds:\n{added_m[at_usual]:.2f} at the usual,\n{added_m[-1]:.2f} at the largest", (0.11, 1.65), color="#a87400")
right.set(xlabel="size of the start, over the usual one", ylabel="stable rank", ylim=(0.8, 700),
       title="(b) low rank is added, small starts show it")
plt.show()

# %% [markdown]
# Panel (b) ends at {glue:text}`collapse_largest` times the usual start. Even there the step adds a matrix of stable rank {glue:text}`collapse_added_large`. The gates of different neurons have the same mean $\kappa$ on every sample, so their means add up along one line, over all neurons and samples. The deviation of a gate from $\kappa$ is at most $\delta$, and the deviations at different samples push in nearly orthogonal directions. The leak is not the reason. It only makes $\delta/\kappa$ smaller: without it the step adds a matrix of stable rank {glue:text}`collapse_relu_large` here and {glue:text}`collapse_relu_usual` from the usual start. Where the start is large, {eq}`turned-rank` gives the dashed line.
#
# Now we go on. The curve is followed from three small starts, the usual deviation over 50, over 500 and over 10,000.

# %%
nets = [network.scaled(omega) for omega in small]
courses = [grow(net, steps) for net in nets]  # predict: a recursion for 2n numbers
grown = [course.spike[times] for course in courses]
beside = [course.beside[times] for course in courses]
parts = zip(grown, beside, small, strict=True)
expected = [spiked_stable_rank(s, omega, m, d, r) for s, r, omega in parts]
states = [descend(net, steps, moments[:-1]) for net in nets]  # train
curves = [ranks(net, run) for net, run in zip(nets, states, strict=True)]
print(f"start ω   after one step: predicted, measured   after {steps} steps: predicted, measured")
for omega, line, curve in zip(small, expected, curves, strict=True):  # compare
    print(f"{omega:.1e} {line[1]:25.4f} {curve[1]:9.4f} {line[-1]:24.4f} {curve[-1]:9.4f}")

# %% tags=["hide-input"]
bounded = [network.scaled(glorot), nets[0], nets[2]]
along = [descend(bounded[0], steps, moments[:-1])[1:], states[0][1:], states[2][1:]]
changes = np.array([[net.squared_norms_of_change(state) for state in run]
                    for net, run in zip(bounded, along, strict=True)])
norms = np.array([[net.squared_norms(state) for state in run] for net, run in zip(bounded, along, strict=True)])
gathered = np.array([[y * net.gathered(state) for state in run] for net, run in zip(bounded, along, strict=True)])
bounds = [[change_bounds(frame, slope, one, gate_bounds(frame, slope, one, a, net.span.inputs)) for one in run]
          for net, run in zip(bounded, gathered, strict=True)]
ceilings = np.array([[bound.stable_rank for bound in run] for run in bounds])
tiny_times = f"{glorot / small[2]:,.0f}"
beyond = [[added_rank(net, state) for state in descend(net, steps, moments[:-1])[1:]]
          for net in map(network.scaled, (10 * glorot, 100 * glorot))]

# %% mystnb={"figure": {"caption": "From the usual start 500 steps bring the spike just to the edge of the noise, although from every start what training adds has a low stable rank. (a) How far the stable rank of all weights exceeds one, with its prediction (dashed) from the three small starts. From the smallest it falls, then rises as a second direction grows, made by the bend of \u03c6. (b) The same of what training adds. Each proved bound (dots) lies far above the curve of its own colour. From small starts the bound on the stable rank stays below 5, from the usual start it is near 100. Grey dotted: stable rank two.", "name": "figure-rank-curve"}, "image": {"alt": "Two panels on logarithmic axes. Left: stable rank minus one against steps, flat at some hundreds from the usual start, and from three small starts each on its dashed prediction. Right: stable rank minus one of what training adds from four starts, all below one, and for three of them dots of proved bounds, each above its own curve.", "classes": "panels-2"}} tags=["hide-input"]
left, right = style.panels(2, (9.4, 4.1))
names = ("usual start", "50 times smaller", "500 times smaller", f"{tiny_times} times smaller")
shades = ("#00304d", "#0072B2", "#3d96cc", "#6aa9d0")
weights = [norms[0, :, 0] / norms[0, :, 1], *(curve[1:] for curve in curves)]
for curve, shade, height, name in zip(weights, shades, (90, 4.5, 0.05, 2.2e-4), names, strict=True):
    left.loglog(moments, curve - 1, color=shade)
    left.annotate(name, (steps, height), ha="right", color=shade)
for line in expected:
    style.theory(left, moments, line[1:] - 1)
left.set(xlabel="steps", ylabel="stable rank − 1", ylim=(1e-4, 3000), title="(a) all weights")
added = [beyond[1], *(run[:, 0] / run[:, 1] for run in changes)]
shades = ("#5c3d00", "#a87400", "#E69F00", style.COLORS["purple"])
places = ((steps, 0.13), (steps, 0.02), (1.0, 8e-4), (2.7, 4e-6))
names = ("100 times larger", "usual start", "50 times smaller", f"{tiny_times} times smaller")
for run, ceiling, shade, place, name in zip(added, (None, *ceilings), shades, places, names, strict=True):
    right.loglog(moments, np.array(run) - 1, color=shade)
    if ceiling is not None:
        right.loglog(moments, ceiling - 1, "o", color=shade, markersize=4)
    right.annotate(name, place, ha="right" if place[0] == steps else "left", color=shade)
right.annotate("dots: proved bounds", (moments[-1], 2.5 * ceilings.max()), ha="right")
for ax in (left, right):
    ax.axhline(1, color=grey, linestyle=":", linewidth=1.2)
right.set(xlabel="steps", ylabel="stable rank − 1", ylim=(1e-6, 20 * ceilings.max()), title="(b) what training adds")
plt.show()

# %% [markdown]
# After {glue:text}`collapse_steps` steps what training has added has the stable rank {glue:text}`collapse_later_added` from the usual start and {glue:text}`collapse_later_added_fifty` from one {glue:text}`collapse_fifty` times smaller, where that of all weights is {glue:text}`collapse_later_rank`. A still smaller start brings what is added no closer to one ({glue:text}`collapse_later_added_tiny` from one {glue:text}`collapse_tiny` times smaller), because the bend of $\varphi$ adds a second direction.
#
# ### What breaks
#
# *No common mean.* The argument needs a mean slope that is not zero. With $\gamma=-1$ the activation is an absolute value with its kink smoothed. Its slope $\tanh\frac z2$ is as often negative as positive, so its mean over random starts is $\kappa=0$. All that a step adds is then the random rest. From the usual start it has the stable rank {glue:text}`collapse_even_m` instead of {glue:text}`collapse_added_m` (a mean over {glue:text}`collapse_starts` starts). The number depends on the draw of the data and of the signs $a_j$, which all these starts share. A smaller start does not lower it. From one {glue:text}`collapse_fifty` times smaller it is {glue:text}`collapse_even_small_m`.
#
# *No leak.* With $\gamma=0$ half of the gates are closed from a large start. One step still adds a matrix of low stable rank, {glue:text}`collapse_relu_usual` from the usual start (predicted {glue:text}`collapse_relu_usual_p`) and {glue:text}`collapse_relu_large` from one {glue:text}`collapse_largest` times larger (predicted {glue:text}`collapse_relu_large_p`), against {glue:text}`collapse_added_m` and {glue:text}`collapse_added_large` with the leak. So the leak makes the number smaller and is not what makes it small. The proved bound, though, needs $\gamma>0$.
#
# *The kink.* The leaky ReLU itself, without smoothing, has one slope on each side of zero, however small the start is. So the gates stay random, and from the start {glue:text}`collapse_tiny` times smaller one step leads to a stable rank of {glue:text}`collapse_kinked` instead of {glue:text}`collapse_smooth`. That constant is predicted too, {glue:text}`collapse_kink_p` as $\omega\to0$ {eq}`kinked-rank`.
#
# *Samples planted in the start.* We put the samples $x_i$ into the first rows of $W(0)$. From a start {glue:text}`collapse_fifty` times smaller than usual the stable rank after one step is then {glue:text}`collapse_small_shared` instead of {glue:text}`collapse_small_m`, because what the start has along the samples is no longer noise.

# %% tags=["hide-input"]
deviations = 10.0 ** np.arange(-8, -1.75, 0.5)
after_one = np.array([ranks(net, descend(net, 1))[-1] for net in map(network.scaled, deviations)])
first = np.array([grow(net, 1).spike[1] for net in map(network.scaled, deviations)])
predicted_one = spiked_stable_rank(first, deviations, m, d)

# %% [markdown]
# Every network is trained in the span of its samples: $W(t)=W(0)+CX$ with an $m\times n$ matrix $C$, which sees of the data only $W(0)X^\top$ and $XX^\top$. A step costs $O(mn^2)$ then, whatever $d$ is, and it is the same descent, to rounding. The kinked network takes one step at three slopes $\gamma$ from {glue:text}`collapse_draws` draws of the start, because its first step needs only the rows of $W(0)X^\top$, which are $\mathcal N(0,\omega^2XX^\top)$ and cheap to draw.

# %% tags=["hide-input"]
DRAWS = 25


def correlated(normals):
    """Rows of W(0)Xᵀ for ω = 1, made of rows of n independent standard normals."""
    return normals @ root.T


def known_by(inputs):
    """A start of which only W(0)Xᵀ is known, in a frame of n axes in which the samples are the rows of the root."""
    return Span(np.linalg.solve(root, inputs.T).T, root)


rows_drawn = [correlated(initialization_stream.standard_normal((m, n))) for _ in range(DRAWS)]
slopes = [slope, (slope + 1) / 2, (slope + 3) / 4]


def mean_added(omega, count, width=1.0, gamma=slope):
    """The stable rank of what one step adds, the mean over the first drawn starts of a deviation ω."""
    nets = [flow_from(known_by(omega * rows), gamma, width) for rows in rows_drawn[:count]]
    return np.mean([added_rank(net, descend(net, 1)[-1]) for net in nets])


kinked_one = np.array([mean_added(1e-8, DRAWS, 0.0, gamma) for gamma in slopes])
kinked_limit = np.array([kinked_stable_rank(frame, gamma, m) for gamma in slopes])

# %% tags=["hide-input"]
first_rows = standard[:64].copy()
standard[:n] = x[:m]  # in place: a second such matrix is 40 MB
shared = flow_from(Span(standard, x))
shared_one = np.array([ranks(net, descend(net, 1))[-1] for net in map(shared.scaled, deviations)])
of_two = glorot * fractions[[at_fifty, at_two]]
shared_two = np.array([ranks(net, descend(net, 1))[-1] for net in map(shared.scaled, of_two)])
kinked, kinked_tiny = (flow_from(start, width=0.0).scaled(omega) for omega in (small[0], small[2]))
kinked_curve = ranks(kinked, descend(kinked, steps, moments[:-1]))
STARTS = 8
sizes = glorot * np.array([1 / 50, 1.0, 10.0, 100.0])
added_mean = np.array([mean_added(omega, STARTS) for omega in sizes])
added_even = np.array([mean_added(omega, STARTS, gamma=-1) for omega in sizes[:2]])
added_relu = mean_added(glorot, STARTS, gamma=0.0)
added_theory = np.array([np.mean([first_change_rank(frame, slope, m, omega, y * net.outputs(net.start)) for net in (
    flow_from(known_by(omega * rows)) for rows in rows_drawn[:STARTS])]) for omega in sizes])
no_leak = [flow_from(start, gamma=0.0).scaled(omega) for omega in sizes[[1, 3]]]
relu_m = [added_rank(net, descend(net, 1)[-1]) for net in no_leak]
relu_p = [first_change_rank(frame, 0.0, m, omega, y * net.outputs(net.start))
          for net, omega in zip(no_leak, sizes[[1, 3]], strict=True)]
tiny_start = np.sqrt(bounded[2].squared_norms(bounded[2].start))
tiny_bounds = np.array([bound.with_start(*tiny_start) for bound in bounds[2]])
along_q = data.signed @ q
assert along_q.min() > 0, "the bound needs y_i x_i·q > 0"
nearest = int(np.argmax(np.divide(*norms[2].T) / tiny_bounds))
glue_all("collapse", d=f"{d:,}", slope=f"{slope:g}", fifty="50", tiny=tiny_times, step=f"{learning_rate:g}")
glue_all("collapse", "d", m=m, n=n, steps=steps, draws=DRAWS, starts=STARTS, near_step=moments[nearest])
glue_all("collapse", ".0f", divisor=divisor, leaves=1 / leaves, largest=fractions[-1], start_m=start_rank,
         usual_m=rank_m[at_usual], fifty_m=rank_m[at_fifty], usual_last=norms[0, -1, 0] / norms[0, -1, 1], q=np.linalg.norm(q), even=added_even[1],
         start_p=m * d / (np.sqrt(m) + np.sqrt(d)) ** 2,
         naive=glorot * (np.sqrt(m) + np.sqrt(d)) / spikes[1], loose=1 / slope**2, change_usual=ceilings[0].max())
glue_all("collapse", ".1f", small_p=rank_p[at_fifty], small_m=rank_m[at_fifty], small_shared=shared_two[0],
         two_m=rank_m[at_two], excess_even=added_even[1] - 1, even_m=added_even[1], even_small_m=added_even[0],
         change_tiny=ceilings[2].max(), change_small=ceilings[1].max())
glue_all("collapse", ".2f", later_rank=curves[0][-1], added_m=added_m[at_usual], added_large=added_m[-1],
         bound_p=tiny_bounds.max(), bound_other=curves[1][1], kinked=kinked_tiny.stable_rank(descend(kinked_tiny, 1)[-1]),
         usual_edge=np.sqrt(changes[0, -1, 1]) / (glorot * (m * d) ** 0.25), relu_usual=relu_m[0], relu_large=relu_m[1],
         relu_usual_p=relu_p[0], relu_large_p=relu_p[1], beyond=np.max(beyond),
         scatter_most=(delta / kappa) ** 2, worst=1 + (delta / kappa) ** 2, later_added=changes[0, -1, 0] / changes[0, -1, 1],
         along=np.divide(along_q.min(), along_q.max()), kappa=kappa)
glue_all("collapse", ".3f", bound_m=np.divide(*norms[2].T).max(), last_m=np.divide(*norms[2, -1]), smooth=curves[2][1], kink_p=kinked_limit[0],
         usual_loss=np.mean(np.logaddexp(0, -y * bounded[0].outputs(along[0][-1]))), near_m=np.divide(*norms[2, nearest]),
         near_p=tiny_bounds[nearest], s=spikes[1])
glue_all("collapse", ".4f", later_p=expected[0][-1] - 1, later_m=curves[0][-1] - 1, later_kink=kinked_curve[-1] - 1,
         excess_p=added_theory[1] - 1, excess_m=added_mean[1] - 1, omega=glorot,
         excess_kink=mean_added(glorot, STARTS, width=0.0) - 1,
         later_added_fifty=changes[1, -1, 0] / changes[1, -1, 1],
         later_added_tiny=changes[2, -1, 0] / changes[2, -1, 1])

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Frei et al. 2023, for gradient descent; in words, recalled
# :label: theorem-rank-collapse
#
# Let the samples be nearly orthogonal, the activation a smoothed leaky ReLU, the initialization variance and the step size small enough. Then, with high probability, $\mathrm{SR}(W(t))$ is at most an absolute constant, independent of $m$, $d$ and $n$, at every $t\ge1$, while $\mathrm{SR}(W(0))$ is of order $\min(m,d)$.
# ```
#
# We read the abstract and the introduction of the paper. How the theorem is put here is recalled, not checked against the paper. What follows is derived in this chapter. A proposition is proved. A *formal derivation* is an approximation without a proved remainder.
#
# ### The first step
#
# ```{prf:proposition} The limit of the first step
# :label: proposition-one-step
#
# For fixed samples, $a$ and $\eta$, $W(1)$ tends in probability, as $\omega\to0$, to a matrix of rank at most one,
#
# $$W(1)\;\to\;\frac{\eta\kappa}{2n}\,a\,q^\top .$$
#
# If $q\ne0$, this has rank one, and $\mathrm{SR}(W(1))\to1$.
# ```
#
# The idea: near zero all gates $\varphi'$ are $\kappa$ and all slopes of the loss are $\frac12$, so every neuron receives the same vector, up to the sign of $a_j$.
#
# ```{prf:proof}
# :class: dropdown
#
# With $g_i=(1+e^{y_if(x_i;W(0))})^{-1}$
#
# $$\begin{aligned}&W(1)-W(0)\\&=\frac\eta n\sum_ig_iy_i\bigl(a\circ\varphi'(W(0)x_i)\bigr)x_i^\top .\end{aligned}$$
#
# As $W(0)\to0$, every $\varphi'\to\kappa$ and every $g_i\to\frac12$. The stable rank is continuous at matrices other than $0$. $\square$
# ```
#
# ### A spike in noise
#
# For $\omega$ well below the usual start there is noise behind the first step: $W(1)\approx s\,av^\top+W(0)$. The singular values of such sums are known.
#
# ````{prf:theorem} Benaych-Georges and Nadakuditi 2012, Section 3.1, for one spike
# :label: theorem-spike
#
# Let $N\in\mathbb R^{m\times d}$ have independent standard normal entries, $u$ and $v$ be unit vectors independent of it, and $m,d\to\infty$ such that $m/d$ tends to a positive limit and $s^4/(md\,\omega^4)$ to a limit. Then the largest
# singular value of $s\,uv^\top+\omega N$, divided by $\sigma$, tends to $1$ almost surely, where
#
# $$\sigma^2=\frac{(s^2+m\omega^2)(s^2+d\omega^2)}{s^2}$$
#
# if $s^4>md\,\omega^4$, and $\sigma^2=\omega^2(\sqrt m+\sqrt d)^2$ otherwise.
# ````
#
# If $s^4/(md\,\omega^4)\to\infty$, both sides are $s$ to first order, because $\omega\|N\|\approx\omega(\sqrt m+\sqrt d)$ is then small against $s$.
#
# A spike with $s^4\le md\,\omega^4$ is invisible in the spectrum. A stronger one leaves the noise and is lifted by it. Between the two lies the {term}`BBP transition`. From the usual start the spike stands at the edge of the noise by step {glue:text}`collapse_steps`: the largest singular value of what training has added is {glue:text}`collapse_usual_edge` times the threshold $(md)^{1/4}\,\omega$, and the stable rank of all weights is {glue:text}`collapse_usual_last`. The squares of all entries sum to about $md\,\omega^2+s^2$, so
#
# ```{math}
# :label: spiked-rank
# \mathrm{SR}\approx\frac{md\,\omega^2+s^2}{\sigma^2}.
# ```
#
# ### What one step adds, from any start
#
# *Formal derivation.* From a large start the gates differ, $\varphi'(w_j\cdot x_i)=\kappa+t_{ji}$ with $t_{ji}=\delta\tanh\frac{w_j\cdot x_i}2$, and so do the slopes of the loss, $g_i=(1+e^{M_i})^{-1}$ at the margins $M_i=y_if(x_i;W(0))$. We take these margins as known. With $z_i=g_iy_ix_i$ and $\tilde q=\sum_iz_i$ the step adds a multiple of $\kappa\,a\tilde q^\top+B$, $B_j=a_j\sum_it_{ji}z_i$. The $t_{ji}$ are independent from neuron to neuron, have the mean zero and a covariance $V_{ik}=\mathbb E\,t_{ji}t_{jk}$ that depends on $\omega$ and $x_i\cdot x_k$ alone. Second-order perturbation of the top singular value gives
#
# ```{math}
# :label: turned-rank
# \begin{aligned}
# &\mathrm{SR}(W(1)-W(0))\\&\approx\frac{\kappa^2\|\tilde q\|^2+b}{\kappa^2\|\tilde q\|^2+\sum_{i,k}V_{ik}\,p_ip_k+b/m},\\
# &b=\sum_{i,k}V_{ik}\,z_i\cdot z_k ,\qquad p_i=z_i\cdot\tilde q/\|\tilde q\| .
# \end{aligned}
# ```
#
# The part along $a\tilde q^\top$ is the mean of the gates, the same for all neurons. The random part is $b$, and $b/(\kappa^2\|\tilde q\|^2)$ cannot be large. As $|t_{ji}|\le\delta$, for nearly orthogonal samples $b$ is at most about $\delta^2\sum_i\|z_i\|^2$, and $\|\tilde q\|^2$ is at least about $\sum_i\|z_i\|^2$. So the ratio is at most about $(\delta/\kappa)^2$, {glue:text}`collapse_scatter_most` here and $1$ without the leak, even if the samples have no common part $\mu$. With one, $\|\tilde q\|^2$ is larger and the ratio smaller. From a very large start only the samples count that the start gets wrong, about half of them, so the common part helps less.
#
# Without a common mean, at $\gamma=-1$, the slope is $\kappa=0$ and only $B$ is left. Its stable rank stays below $n$, because the samples share $\mu$ and because $m$ neurons do not sample all directions evenly.
#
# ### A bound at every step of a run
#
# ````{prf:proposition} A bound on the stable rank, at every step of a run
# :label: theorem-change-bound
#
# Let $\|a\|=1$, $\gamma\le\varphi'\le1$ with $\gamma>0$, and $y_ix_i\cdot q>0$ for every $i$. For any loss with $\ell'<0$, any step sizes and any $W(0)$, let $\Gamma_i$ be the sum of $\frac\eta n|\ell'(y_if(x_i))|$ over the steps before $t\ge1$, and let
# $\gamma_i^-\le\varphi'(w_j\cdot x_i)\le \gamma_i^+$ for all $j$ at these steps, with $\gamma_i^-\ge\gamma$. Then $\|W(t)-W(0)\|_F\le U$, $\|W(t)-W(0)\|_2\ge L$ and $\mathrm{SR}(W(t)-W(0))\le U^2/L^2$ with $S_{ik}=y_iy_k\,x_i\cdot x_k$ and
#
# ```{math}
# :label: change-bound
# \begin{aligned}U^2&=\sum_{i,k}\Gamma_i\Gamma_k\bigl(\gamma_i^+\gamma_k^+\max(S_{ik},0)\\&\qquad+\gamma_i^-\gamma_k^-\min(S_{ik},0)\bigr),\\L&=\sum_i\gamma_i^-\Gamma_i\,\frac{y_ix_i\cdot q}{\|q\|} .\end{aligned}
# ```
#
# If $\|W(0)\|_2<L$, then
#
# $$\mathrm{SR}(W(t))\le\Bigl(\frac{U+\|W(0)\|_F}{L-\|W(0)\|_2}\Bigr)^2 .$$
#
# For the smoothed leaky ReLU one may take $\gamma_i^-=\kappa-\delta\tanh\frac{r_i}2$ and $\gamma_i^+=\kappa+\delta\tanh\frac{r_i}2$ with
#
# ```{math}
# :label: gate-reach
# \begin{aligned}r_i&=\max_j|w_j(0)\cdot x_i|\\&\quad+\max_j|a_j|\sum_k\Gamma_k|x_i\cdot x_k| .\end{aligned}
# ```
# ````
#
# The idea: whatever the gates do, every neuron moves by a positive combination of the signed samples, times $a_j$, so it moves along $q$. And what training has gathered says how far the gates can have moved.
#
# ````{prf:proof}
# :class: dropdown
#
# The rows of $D=W(t)-W(0)$ are $a_j\sum_iH_{ji}y_ix_i$, where $H_{ji}$ sums $\frac\eta n|\ell'|\varphi'(w_j\cdot x_i)$ over the steps, so that $\gamma_i^-\Gamma_i\le H_{ji}\le \gamma_i^+\Gamma_i$. Hence
#
# $$\|D\|_F^2=\sum_ja_j^2\sum_{i,k}H_{ji}H_{jk}\,S_{ik}\le U^2:$$
#
# bound the products from above where $S_{ik}$ is positive and from below where it is negative. And
#
# $$\begin{aligned}|(Dq)_j|&=|a_j|\sum_iH_{ji}\,y_ix_i\cdot q\\&\ge|a_j|\sum_i\gamma_i^-\Gamma_i\,y_ix_i\cdot q ,\end{aligned}$$
#
# so that $\|D\|_2\ge\|Dq\|/\|q\|\ge L$. The statement on $W(t)$ is the triangle inequality. At last, $w_j\cdot x_i$ has moved by $a_j\sum_kH_{jk}\,y_kx_k\cdot x_i$ with $0\le H_{jk}\le\Gamma_k$, since $\varphi'\le1$. So $|w_j\cdot x_i|\le r_i$ at all steps up to $t$, as $\Gamma$ only grows, and $\varphi'(z)=\kappa+\delta\tanh\frac z2$ is monotone. $\square$
# ````
#
# If nothing is known of the gates, $\gamma_i^-=\gamma$ and $\gamma_i^+=1$ give a constant of about $1/\gamma^2$, here {glue:text}`collapse_loose`. That says no more than the rank, which is at most $n$. With the gates of {eq}`gate-reach` the bound on $W(t)-W(0)$ is at most {glue:text}`collapse_change_small` from the start {glue:text}`collapse_fifty` times smaller than usual, {glue:text}`collapse_change_tiny` from the one {glue:text}`collapse_tiny` times smaller, and {glue:text}`collapse_change_usual` from the usual one, each rounded. The bound on $W(t)$ itself, from the start {glue:text}`collapse_tiny` times smaller, grows and is the {glue:text}`collapse_bound_p` of the table at step {glue:text}`collapse_steps`. We checked that $y_ix_i\cdot q>0$ for every sample, and the smallest is {glue:text}`collapse_along` of the largest. So the proof tells small starts from large ones. The observed stable rank of what training adds hardly does. After {glue:text}`collapse_steps` steps it is {glue:text}`collapse_later_added` from the usual start, {glue:text}`collapse_later_added_fifty` from one {glue:text}`collapse_fifty` times smaller and {glue:text}`collapse_later_added_tiny` from one {glue:text}`collapse_tiny` times smaller.
#
# In general, with $R^2=\max\|x_i\|^2$, $P=\max_{i\ne k}|x_i\cdot x_k|$ and $\rho=n\sum\Gamma_i^2/(\sum\Gamma_i)^2$,
#
# $$\frac{U^2}{L^2}\le\frac{(\rho R^2/n+P)\,\|q\|^2}{\gamma^2\min_i(y_ix_i\cdot q)^2}.$$
#
# The constant does not depend on $m$. It does not depend on $n$ and $d$ either, while $P$ is of the order of $R^2/n$, all $y_ix_i\cdot q$ are of the order of $R^2$ and the gathered slopes are comparable. The $\Gamma_i$ are read off the run.
#
# ## How fast, exactly
#
# The next orders say how precise each prediction is. The allowed errors of the claims are four times these, rounded up.
#
# ### How far the first step is from its limit
#
# The distance of $W(1)-W(0)$ to the limit of {prf:ref}`proposition-one-step` is linear in $\omega$.
#
# ```{fold} the constant
# *Formal derivation.* To first order in $\omega$ the gates are $\varphi'=\kappa+\frac\delta2w_j\cdot x_i$ and the slopes $g_i=\frac12-\frac14y_if(x_i)$. Their expected squares over $W(0)$, the signs of $a$ in balance, give the relative
# distance of $W(1)-W(0)$ to the limit,
#
# ~~~{math}
# :label: one-step-error
# \begin{aligned}
# \frac{\omega}{\|q\|}\Bigl(&\frac{\delta^2}{4\kappa^2}\sum_{i,k}y_iy_k(x_i\cdot x_k)^2\\&+\frac{\kappa^2}4\sum_{i,k}(x_i\cdot x_k)^2\Bigr)^{1/2}.
# \end{aligned}
# ~~~
#
# The first term comes from the gates and leaves rank one. The second comes from the slopes of the loss and keeps it.
# ```
#
# ### The stable rank at finite size
#
# The stable rank misses {eq}`spiked-rank` by a small root mean square $\varepsilon$. As $\omega\to0$ it is $\sqrt{2/(md)}$ of what exceeds one, so even where the stable rank hardly exceeds one, the excess is predicted to a thousandth of itself.
#
# ````{fold} the fluctuation of a spike in noise, and of the edge
# *Formal derivation.* For a spike outside the noise, with $T=\|W\|_F^2$, $\theta=s/\omega$ and in units of $\omega^2$,
#
# ```{math}
# :label: spiked-fluctuation
# \begin{aligned}
# \sigma^4\varepsilon^2&=\operatorname{Var}T-2\,\mathrm{SR}\operatorname{Cov}(T,\sigma^2)\\&\quad+\mathrm{SR}^2\operatorname{Var}\sigma^2,\\
# \operatorname{Var}T&=2md,\\
# \operatorname{Cov}(T,\sigma^2)&=2(m+d)+\frac{4md}{\theta^2},\\
# \operatorname{Var}\sigma^2&=2\Bigl(1-\frac{md}{\theta^4}\Bigr)\\&\quad\cdot\Bigl(m+d+\frac{2md}{\theta^2}\Bigr).
# \end{aligned}
# ```
#
# To first order in the noise. Turn $a$ and $v$ into the first unit vectors. The noise has the row $e$ and the column $c$ through the corner, whose own entry, $a^\top W(0)v$, is known and part of $s$; all others are $N'$, with the resolvent $G=(\sigma-H')^{-1}$ of
# $H'=\bigl(\begin{smallmatrix}0&N'\\N'^\top&0\end{smallmatrix}\bigr)$ and its blocks $G_m$, $G_d$ and $G_{md}$. Eliminating $N'$, a singular value solves
#
# $$\begin{aligned}&(\sigma-e^\top G_de)(\sigma-c^\top G_mc)\\&=(\theta+c^\top G_{md}e)^2 .\end{aligned}$$
#
# The means of the two quadratic forms are $dg_d$ and $mg_m$ with $g_m=\frac1{\sigma-dg_d}$ and $g_d=\frac1{\sigma-mg_m}$; so the limit is $g_mg_d=\theta^{-2}$, which is {eq}`spiked-rank`. The three forms are uncorrelated, of variances
# $2\operatorname{tr}G_d^2$, $2\operatorname{tr}G_m^2$ and $\operatorname{tr}G_{md}G_{md}^\top$, that derivatives of $g_m$ and $g_d$ in $\sigma$ give. Linearize in them. The covariance is $2\,\partial_t\,\mathbb E\sigma^2$ at $t=1$ for noise of variance $t$ (Stein), of
# $\sigma^2=(\theta^2+tm)(\theta^2+td)/\theta^2$.
#
# Shortly above the threshold this $\varepsilon^2$ passes through $0$, and the formula ends. There another law rules: less than one unit $\mu(\sqrt m+\sqrt d)^2$ above the edge $(\sqrt m+\sqrt d)^2$, with $\mu=(m^{-1/2}+d^{-1/2})^{1/3}/(\sqrt m+\sqrt d)$, and below it, $\varepsilon=1.75\,\mu\,\mathrm{SR}$,
# the root mean square of the Tracy–Widom law, of mean $-1.2065$ and deviation $1.2680$ in this unit {cite}`johnstone2001`. As $\omega\to0$, both $\mathrm{SR}-1\approx(m-1)(d-1)\,\omega^2/s^2$ and $\varepsilon$ vanish like $\omega^2$, and
#
# $$\frac\varepsilon{\mathrm{SR}-1}\;\to\;\sqrt{\frac2{md-m-d}}\approx\sqrt{\frac2{md}}.$$
# ````
#
# ### The whole curve
#
# From a small start nothing tells neurons apart whose output weights have the same sign. So gradient descent on $md$ weights becomes a recursion for $2n$ numbers, and a second singular value $\varrho$ appears because $\varphi$ bends.
#
# ````{fold} the recursion, the second direction and what it neglects
# *Formal derivation.* As $\omega\to0$ nothing tells neurons apart whose output weights have the same sign: $m_+$ rows become $w^+$, the other $m_-$ become $w^-$. With $w^\pm=\pm\frac1{\sqrt m}\sum_kc_k^\pm y_kx_k$ and $z_i^\pm=w^\pm\cdot x_i$
# gradient descent is a recursion for $2n$ numbers, from the margins $M_i(0)$ of $W(0)$:
#
# ```{math}
# :label: spike-recursion
# \begin{aligned}
# &c_i^\pm(t+1)=c_i^\pm(t)+\frac{\eta}{n}\,\frac{\varphi'(z_i^\pm(t))}{1+e^{M_i(t)}},\\
# &M_i(t)=M_i(0)\\&\quad+\frac{y_i}{\sqrt m}\bigl(m_+\varphi(z_i^+(t))-m_-\varphi(z_i^-(t))\bigr),
# \end{aligned}
# ```
#
# from $c^\pm(0)=0$ on. The matrix with these rows has two singular values. The larger one, with what $W(0)$ has along its singular vectors already, $u^\top W(0)v$, is the spike $s$. The smaller one, $\varrho$, is there because $\varphi$ bends: if it were linear, $w^-$ would be $-w^+$.
# It adds $\varrho^2$ to $\|W\|_F^2$: insert $s(t)$ into {eq}`spiked-rank` with the numerator $md\,\omega^2+s^2+\varrho^2$. From the smallest of our starts it is in the end nearly all of $\mathrm{SR}-1$.
#
# Two things are neglected. $W(0)$ has a part along the second direction already, $u_2^\top W(0)v_2$ of the size of $\omega$ with the second pair of singular vectors. It adds $2\varrho\,u_2^\top W(0)v_2$ to $\|W\|_F^2$, which moves $\mathrm{SR}$ by about $2\varrho\,\omega/s^2$. And $W(0)$ moves the gates. They become random, and what they add to $W(t)$ has a norm of about $\zeta s$, $\zeta$ being what {eq}`one-step-error` says, and independent rows. Its product with the second direction, in which all rows have the same length,
# is then at most about $\zeta s\cdot\varrho/\sqrt m$, root mean square, and by this $\mathrm{SR}-1$ is off by at most about
#
# ```{math}
# :label: gate-noise
# 2\zeta\sqrt{\frac{\mathrm{SR}-1}m}+\zeta^2 .
# ```
#
# The claims take the second and the fluctuation {eq}`spiked-fluctuation` together as their unit. From our starts the first is at most about 1.3 of these units.
#
# As long as the pre-activations are small and no step saturates the loss, $n$ numbers are enough: with $\kappa z$ for $\varphi(z)$, $c_i^\pm=\kappa c_i$. Along the way $w_j\cdot x_i\approx\kappa a_jy_iG_i$ with $G_i=\sum_ky_iy_k\,x_i\cdot x_k\,c_k$, and the gate there is
# $\varphi'(z)=\kappa+\delta\tanh\frac z2$. The $\tanh$ is odd, so that with the $a_jy_i$ in front it moves all neurons alike, along the samples without their labels:
#
# ```{math}
# :label: second-direction
# \begin{aligned}
# &h_i(t+1)-h_i(t)\\&=\bigl(c_i(t+1)-c_i(t)\bigr)\tanh\frac{\kappa G_i(t)}{2\sqrt m},\\
# &\varrho^2\approx\delta^2\,\Bigl\|\sum_ih_ix_i\Bigr\|^2(1-\beta^2)(1-\nu^2),
# \end{aligned}
# ```
#
# where $h(0)=0$, and $\beta=\sum_ja_j/\sqrt m$ and the cosine $\nu$ between $\sum_ih_ix_i$ and $\sum_ic_iy_ix_i$ take off what lies along the spike. That is what {doc}`synthetic_stable_rank` uses.
# ````
#
# ### The kink
#
# With a kink the first step from $\omega\to0$ has a stable rank above one, by a constant.
#
# ````{fold} the constant
# *Formal derivation.* With the leaky ReLU itself the gates never become equal: $\varphi'(w_j\cdot x_i)=\kappa+\delta\varepsilon_{ji}$ with signs $\varepsilon_{ji}$ that do not depend on $\omega$. Even at $\omega\to0$ the first step leaves
# $\kappa\,aq^\top+B$, $B_j=\delta a_j\sum_i\varepsilon_{ji}y_ix_i$. The signs of two Gaussians have the correlation $T_{ik}=\frac2\pi\arcsin\frac{x_i\cdot x_k}{\|x_i\|\|x_k\|}$, so that,
# by second-order perturbation of the top singular value, $\sigma^2\approx\kappa^2\|q\|^2+\|B\hat q\|^2+\|B^\top a\|^2$ with $\hat q=q/\|q\|$, and expectations over the signs,
#
# ```{math}
# :label: kinked-rank
# \begin{aligned}
# &\mathrm{SR}(W(1))\\&\approx\frac{\kappa^2\|q\|^2+b}{\kappa^2\|q\|^2+\delta^2\sum_{i,k}T_{ik}p_ip_k+b/m},\\
# &b=\delta^2\sum_{i,k}T_{ik}\,y_iy_k\,x_i\cdot x_k,\\&p_i=y_ix_i\cdot\hat q .
# \end{aligned}
# ```
#
# For nearly orthogonal samples this is $1+\bigl(\frac{1-\gamma}{1+\gamma}\bigr)^2\sum_i\|x_i\|^2/\|q\|^2$ up to relative $O(\frac1n+\frac1m)$: a constant above one.
# ````
#
# ## Instruments
#
# Each claim with its allowed error and its control, and checks of the reduction to the span of the samples. A {term}`claim` must hold within its allowed error, and its {term}`control` must not. Eight of the eleven claims compare a prediction with a run, and the run could break them. *reduction* compares two computations of the same descent, and *throughout* and *bound* are proved inequalities. Only an error in our code could break these three.
#
# ### The numbers of the table
#
# ```{claim} small_starts
# :headline: stable rank after one step, from two small starts
# :source: derived in this chapter; singular values by Benaych-Georges and Nadakuditi 2012
# :evidence: trained and compared
# :because: the fluctuation of the stable rank at finite size, over the stable rank
# :control: the first rows of W(0) are the samples
# :rival: the larger of spike and noise sets the top
#
# from starts {fifty} and {divisor} times smaller than usual, the stable rank after one step is that of a spike in noise
# ```
#
# ```{claim} later
# :headline: what the stable rank exceeds one by after the last step, from three small starts
# :evidence: trained and compared
# :because: the fluctuation at finite size, and what gates that W(0) moves add, which is neglected, over the excess
# :control: the leaky ReLU with its kink, from the start 50 times smaller
# :rival: slopes of the loss frozen at ½
#
# from three small starts, what the stable rank exceeds one by after the last step is the predicted excess
# ```
#
# ```{claim} added
# :headline: what the stable rank of what one step adds exceeds one by, from starts of all sizes
# :evidence: trained and compared
# :because: the standard error of the mean square of nm random gates a start, and of how their mean lengthens the
#   spike
# :contrast: no leak, γ = 0, from the usual start
#
# from starts of four sizes, the mean over {draws} draws each, what one step adds has the predicted stable rank
# ```
#
# ```{claim} throughout
# :headline: stable rank from the first step on, below its proved bound
# :source: Frei et al. 2023, for gradient descent; the bound is derived in this chapter
# :evidence: proved here
# :because: a proved inequality, without an error of its own
# :contrast: from a start twenty times larger
#
# from a small initialization the stable rank of W stays below the proved bound from the first step on
# ```

# %% tags=["hide-input"]
spikes_two = np.array([grow(network.scaled(omega), 1).spike[1] for omega in of_two])
predicted_two = rank_p[[at_fifty, at_two]]
top_two = np.maximum(spikes_two**2, of_two**2 * (np.sqrt(m) + np.sqrt(d)) ** 2)
claims.limit("small_starts", predicted_two, rank_m[[at_fifty, at_two]], relative="each",
             error=float(np.max(spiked_fluctuation(spikes_two, of_two, m, d) / predicted_two)), control=shared_two,
             rival=Rival((m * d * of_two**2 + spikes_two**2) / top_two, factor=5),
             fill={"fifty": "50", "divisor": f"{divisor:.0f}"})
coefficient = one_step_error(frame, slope)
derived_curves = [spiked_fluctuation(s, omega, m, d) + 2 * zeta * np.sqrt((line - 1) / m) + zeta**2
                  for s, omega, line, zeta in zip(grown, small, expected, coefficient * np.array(small), strict=True)]
linear = [spiked_stable_rank(times * spikes[1], omega, m, d) for omega in small]
last = np.array([line[-1] - 1 for line in expected])
claims.limit("later", last, [curve[-1] - 1 for curve in curves], relative="each",
             error=float(np.max([unit[-1] for unit in derived_curves] / last)),
             control=Control(kinked_curve[-1] - 1, theory=last[0], anew=True),
             rival=Rival([curve[-1] - 1 for curve in linear], factor=5))
claims.limit("added", added_theory - 1, added_mean - 1, relative="each",
             error=np.sqrt((2 + 4 * (delta / kappa) ** 2) / (n * m * STARTS)), fill={"draws": str(STARTS)},
             control=Control(added_relu - 1, theory=added_theory[1] - 1, anew=True))
claims.below("throughout", tiny_bounds, np.divide(*norms[2].T), proved=0.0, control=curves[1][1:])

# %% [markdown]
# ### The first step, over all starts
#
# First the limit of {prf:ref}`proposition-one-step`, by how $W(1)-W(0)$ approaches it over four decades of $\omega$. It does so linearly, and with the kink it does not.
#
# ```{claim} rank_one
# :evidence: trained and compared
# :because: the next order is smaller by ω‖x‖, has the mean zero, and averages over n samples; fitted like the
#   distances
# :control: the leaky ReLU with its kink
#
# as ω → 0 the first step becomes the rank-one matrix, at a distance linear in ω
# ```


# %% tags=["hide-input"]
def off_rank_one(net):
    """The relative distance of W(1) − W(0) to the rank-one matrix of the first step."""
    limit = learning_rate * (1 + slope) / (4 * n) * np.outer(a, y)
    rest = net.coefficients(descend(net, 1)[-1]) - limit
    return np.sqrt(np.sum((rest @ start.gram) * rest) / np.sum((limit @ start.gram) * limit))


tiny = deviations[deviations <= 1.1e-4]
distances = np.array([off_rank_one(network.scaled(omega)) for omega in tiny])
with_kink = np.array([off_rank_one(flow_from(start.scaled(omega), width=0.0)) for omega in tiny])
derived_next = tiny * np.linalg.norm(x, axis=1).max() / np.sqrt(n)  # the next order over the first
claims.rate("rank_one", 1.0, log_log_slope(tiny, distances),
            error=abs(log_log_slope(tiny, tiny * (1 + derived_next)) - 1), control=log_log_slope(tiny, with_kink))

# %% [markdown]
# Then the stable rank over six decades of $\omega$. The root mean square {eq}`spiked-fluctuation` differs from point to point by orders of magnitude, so distances are given in units of it. The {term}`rival` lets the larger of spike and noise set the top. It ignores that the noise lifts a spike.
#
# ```{claim} one_step
# :source: derived in this chapter; singular values by Benaych-Georges and Nadakuditi 2012
# :evidence: trained and compared
# :because: at each point the unit is the fluctuation of the stable rank at finite size
# :control: the first rows of W(0) are the samples
# :rival: the larger of spike and noise sets the top
#
# the stable rank after one step is that of a spike in noise, over six decades of the initialization
# ```

# %% tags=["hide-input"]
naive = (m * d * deviations**2 + first**2) / np.maximum(first, deviations * (np.sqrt(m) + np.sqrt(d))) ** 2
derived_one = spiked_fluctuation(first, deviations, m, d)
claims.limit("one_step", 0.0, (after_one - predicted_one) / derived_one, error=1.0,
             control=(shared_one - predicted_one) / derived_one,
             rival=Rival((naive - predicted_one) / derived_one, factor=5))

# %% [markdown]
# ### The whole curve
#
# At all recorded steps from all three starts, in units of the derived error. The rival freezes the slopes of the loss at $\frac12$, so that the spike grows forever.
#
# ```{claim} curve
# :evidence: trained and compared
# :because: at each point the unit is the fluctuation at finite size, and what gates that W(0) moves add,
#   which is neglected
# :control: the leaky ReLU with its kink, from the start 50 times smaller
# :rival: slopes of the loss frozen at ½
#
# the stable rank follows the predicted curve at all recorded steps
# ```


# %% tags=["hide-input"]
def off(found):
    """The distances of three curves to the predicted ones, over the derived errors."""
    return np.concatenate([(curve - line) / unit
                           for curve, line, unit in zip(found, expected, derived_curves, strict=True)])


claims.limit("curve", 0.0, off(curves), error=1.0,
             control=(kinked_curve - expected[0]) / derived_curves[0], rival=Rival(off(linear), factor=5))

# %% [markdown]
# ### The reduction
#
# Gradient descent in the span of the samples against gradient descent on the $m\times d$ matrix itself, for the first $64$ neurons. The control leaves the kink where the descent has it smoothed.
#
# ```{claim} reduction
# :evidence: trained and compared
# :because: each of the twenty steps rounds the weights, in units of their largest change
# :contrast: the leaky ReLU with its kink
#
# gradient descent in the span of the samples has the weights of gradient descent on W
# ```

# %% tags=["hide-input"]
direct_steps = 20
w, b = glorot / 5 * first_rows, a[:64] * np.sqrt(m / 64)
narrow = flow_from(Span(w, x), output=b)
whole = narrow.risk.of_weights(w, b)
direct = whole.weights(descend(whole, direct_steps)[-1])[0]
reduced, kinked_reduced = (net.coefficients(descend(net, direct_steps)[-1]) @ x
                           for net in (narrow, flow_from(narrow.span, width=0.0, output=b)))
size = np.abs(direct - w).max()
claims.identity("reduction", (direct - w) / size, reduced / size, control=kinked_reduced / size,
                error=rounding(direct_steps, np.abs(direct).max() / size))

# %% [markdown]
# ### The constant of the first step
#
# The constant of {eq}`one-step-error` is an expectation over $W(0)$, of which one draw gives the mean square with an error of a few percent. Only $W(0)X^\top$ matters here, whose rows are normal with covariance $XX^\top$: it is
# drawn $32$ times. In the control the neurons are not independent: all of them start alike, up to the sign of $a_j$.
#
# ```{claim} first_order
# :evidence: trained and compared
# :because: the standard error of the mean square, over the draws, of the n outputs of a random network and of
#   its nm gates
# :control: all neurons start alike, up to the sign of their output weights
#
# the distance over ω has the predicted constant
# ```

# %% tags=["hide-input"]
DRAWS = 32
others = initialization_stream.spawn(1)[0]
others_drawn = [correlated(others.standard_normal((m, n))) for _ in range(DRAWS)]


def mean_distance(starts):
    """The root mean square over starts of the distance to rank one, over ω and the predicted constant."""
    found = [off_rank_one(flow_from(known_by(tiny[0] * rows))) for rows in starts]
    return np.sqrt(np.mean(np.square(found))) / tiny[0] / coefficient


squares = start.gram @ start.gram
share = kappa**2 / 4 * np.trace(squares) / (coefficient * np.linalg.norm(q)) ** 2
outputs_vary = share * np.sqrt(np.sum(squares**2) / 2) / np.trace(squares)
claims.limit("first_order", 1.0, mean_distance(others_drawn), error=(outputs_vary + 1 / np.sqrt(2 * n * m)) / np.sqrt(DRAWS),
             control=mean_distance([np.sign(a)[:, None] * rows[0] for rows in others_drawn]))

# %% [markdown]
# ### The kink
#
# With the kink, one step leaves a constant above one. The claim is about the excess over one; the control is the smoothed activation, which leaves none.
#
# ```{claim} kink
# :evidence: trained and compared
# :because: the standard error of how the random signs lengthen the spike, 2δ/(κ√(nm)) each draw, and their
#   fourth order
# :contrast: the smoothed activation
#
# with the kink the stable rank after one step exceeds one by the predicted constant
# ```

# %% tags=["hide-input"]
smooth_one = np.array([mean_added(1e-8, STARTS, gamma=gamma) for gamma in slopes])
claims.limit("kink", kinked_limit - 1, kinked_one - 1, relative="each",
             error=2 * delta / kappa / np.sqrt(n * m * len(rows_drawn)) + (delta / kappa / n) ** 2, control=smooth_one - 1)

# %% [markdown]
# ### The proved bound
#
# The bound of {prf:ref}`theorem-change-bound`, on both norms and on the stable rank, at every recorded step from the usual start and two smaller ones.
#
# ```{claim} bound
# :evidence: proved here
# :because: a proved inequality, without an error of its own
# :control: W(0) is not subtracted, at the start 50 times smaller than usual
#
# from any initialization, what training adds keeps its norms and its stable rank within the proved bounds
# ```

# %% tags=["hide-input"]
upper, lower = (np.array([[getattr(bound, name) for bound in run] for run in bounds]) for name in ("frobenius", "spectral"))


def used(squares):
    """The parts of the three bounds that squared norms use, all at most one."""
    frobenius, spectral = np.moveaxis(np.sqrt(squares), -1, 0)
    return np.concatenate([frobenius / upper, lower / spectral, (frobenius / spectral) ** 2 / ceilings])


claims.below("bound", np.ones(3 * upper.size), used(changes).ravel(), proved=0.0,
             control=Altered(used(np.array([changes[0], norms[1], changes[2]])).ravel()))

# %% [markdown]
# ## What would falsify it
#
# A point of {numref}`figure-rank-collapse` off its dashed line, above all near the threshold, where the noise lifts the spike by a factor. A start, small or large, from which what one step adds leaves {eq}`turned-rank`. Slopes of mean zero, $\gamma=-1$, with which one step adds a matrix of stable rank near one. A distance to the limit of {prf:ref}`proposition-one-step` that is not linear in $\omega$. A curve that leaves its prediction, which knows neither $W(t)$ nor the $md$ weights. The bound {eq}`change-bound` is proved, so a state above it, with all $y_ix_i\cdot q>0$, would falsify our code.
#
# ## Differences from the paper
#
# - **Read.** Abstract and introduction of {cite:t}`frei2023`: the stable rank falls to a constant after one step and stays bounded, if the initialization variance is small.
# - **Recalled, not checked against the paper.** The network with fixed output weights, the smoothed activation, the initialization, and the sizes of the mixture, $n=100$, $m=512$, $\gamma=0.1$ and $\|\mu\|=d^{0.26}$. The theorem's constants and its conditions on $n$, $d$, $\omega$ and $\eta$ are not tested. Our initialization is Gaussian. TensorFlow's is uniform with the same variance.
# - **Added.** All formulas, what one step adds from a large start, and the proved bound.
# - **Not reproduced.** The paper's proof, and its sufficient sizes of $\omega$ and $\eta$.
#
# ## Scope
#
# One mixture of two Gaussians in high dimension, with fixed output weights and a leak. {eq}`spiked-rank` is a limit of large matrices. It is exact neither at the threshold nor for small $m$, and {eq}`spike-recursion` needs a small $\omega$. From the usual start and larger ones we observe what training adds for {glue:text}`collapse_steps` steps and predict only the first. {eq}`change-bound` is proved but far from sharp, because the stable rank of what training adds stays far below it.
#
# ## Exercises
#
# ```{exercise} Rank and stable rank
# :label: exercise-stable-rank-first
#
# Compute rank and stable rank of the diagonal matrices $\operatorname{diag}(1,1,1)$ and $\operatorname{diag}(10,1,1)$. Which of the two ranks notices that the second is nearly of rank one?
# ```
#
# ```{solution} exercise-stable-rank-first
# :class: dropdown
#
# Both have the rank $3$. The stable ranks are $3/1=3$ and $102/100=1.02$. Only the stable rank notices.
# ```
#
# ```{exercise} Two thresholds
# :label: exercise-rank-threshold
#
# At which $\omega$ does the first step's spike leave the noise, and at which does the stable rank fall to $2$? How do they depend on $m$ and $d$?
# ```
#
# ```{solution} exercise-rank-threshold
# :class: dropdown
#
# It leaves at $s^4=md\,\omega^4$, $\omega=s\,(md)^{-1/4}$. Where $md\,\omega^2$ is of the order of $s^2$, $(m+d)\omega^2$ is much smaller, so that $\sigma^2\approx s^2$ and $\mathrm{SR}\approx1+md\,\omega^2/s^2$. It is $2$ at $\omega\approx s\,(md)^{-1/2}$. Between the two lies the factor $(md)^{1/4}$, in which the stable rank falls from order $\min(m,d)$ to order one.
# ```
#
# ```{exercise} A linear network
# :label: exercise-rank-bound-linear
#
# Let $\gamma=1$: the activation is the identity. What are $\mathrm{SR}(W(t)-W(0))$ and the bound {eq}`change-bound`?
# ```
#
# ```{solution} exercise-rank-bound-linear
# :class: dropdown
#
# $H_{ji}=\Gamma_i$, so that $W(t)-W(0)=a\bigl(\sum_i\Gamma_iy_ix_i\bigr)^\top$ has rank one. At $\gamma=1$ all gates are one and so are their bounds, so that $U^2=\sum_{i,k}\Gamma_i\Gamma_kS_{ik}=\|W(t)-W(0)\|_F^2$ is exact. $L=\|(W(t)-W(0))\,q\|/\|q\|$ loses only the angle $\psi$ between $\sum_i\Gamma_iy_ix_i$ and $q$. The bound is $1/\cos^2\psi$, which is one if and only if $\sum_i\Gamma_iy_ix_i$ is parallel to $q$.
# ```
#
# ```{exercise} Larger steps
# :label: exercise-rank-step-size
#
# Rerun the chapter with $\eta=0.03$, three times the step size. What do you expect of both curves in {numref}`figure-rank-collapse`(b)? Does one step now collapse the stable rank from the usual start?
# ```
#
# ```{solution} exercise-rank-step-size
# :class: dropdown
#
# $s\propto\eta$, so the blue curve of {numref}`figure-rank-collapse`(b) moves to the right by the factor three, and so do both dotted lines. The orange curve stays, because a larger step lengthens what it adds and does not turn it. The usual start is still beyond the first threshold, so one step does not collapse its stable rank. More steps hardly help: once the samples are fitted the gradient fades, and the spike grows only like the logarithm of the number of steps.
# ```
#
# ## Where to go next
#
# ```{next}
# {doc}`rank_two_max_margin` shows where training ends on nearly orthogonal samples, at rank two. What training adds need not stay as near to rank one as here. If the samples are orthogonal and equally long, and both labels and both signs of output weights are equally frequent, the stable rank ends at $1+\bigl(\frac{1-\gamma}{1+\gamma}\bigr)^2$. This is $\frac{10}9$ at $\gamma=\frac12$, and {glue:text}`collapse_worst` with the leak of this chapter. {doc}`synthetic_stable_rank` follows the stable rank over many steps, dimensions and starts.
# ```
#
# ## References
#
# {cite:t}`frei2023` for the theorem, {cite:t}`benaych2012` for the singular values of a spike in noise, {cite:t}`johnstone2001` for their fluctuations.
