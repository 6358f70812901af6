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
# # One step of gradient descent collapses the rank
#
# A wide network on high-dimensional data starts with a random first layer, whose stable rank is of the order of its smaller side. If it starts small, the
# first step of gradient descent brings the stable rank down to a constant, and no later step brings it back {cite}`frei2023`. The
# first step and the whole curve can be predicted from the data and the initialization, and a run's stable rank bounded by a proved constant.
#
# ```{chapter-claims}
# ```
#
# ## Setting
#
# The network is $f(x;W)=\sum_{j=1}^ma_j\,\varphi(w_j\cdot x)$. Only the rows $w_j$ of $W\in\mathbb R^{m\times d}$ are trained; $a_j=\pm1/\sqrt m$ stays.
# The activation is a leaky ReLU with slope $\gamma$ on the left and its kink smoothed,
#
# ```{math}
# :label: smoothed-leaky
# \begin{aligned}
# \varphi(z)&=\gamma z+(1-\gamma)\ln\tfrac{1+e^z}2,\\
# \varphi(0)&=0,\qquad\gamma\le\varphi'\le1 .
# \end{aligned}
# ```
#
# On samples $x_i\in\mathbb R^d$ with labels $y_i=\pm1$, $i\le n$, gradient descent with step size $\alpha$ minimizes the logistic loss $\frac1n\sum_i\ln(1+e^{-y_if(x_i;W)})$
# from $W(0)$ with independent entries $\mathcal N(0,\omega^2)$. What is followed is the *stable rank*
#
# $$\mathrm{SR}(W)=\frac{\|W\|_F^2}{\|W\|_2^2},$$
#
# which is at most the rank and, unlike it, does not count directions of negligible size. The signed samples sum to $q=\sum_iy_ix_i$; two slopes recur,
# $\kappa=\varphi'(0)=\frac{1+\gamma}2$ and $\delta=\frac{1-\gamma}2$.

# %% tags=["hide-input"]
from dataclasses import replace

import numpy as np
import sympy as sp
from matplotlib import pyplot as plt
from scipy.special import expit

from implicit_bias import plots
from implicit_bias.data import gaussian_mixture
from implicit_bias.flows import GradientDescent, drive
from implicit_bias.limits import (
    change_bounds,
    kinked_stable_rank,
    one_step_error,
    spike_curve,
    spiked_fluctuation,
    spiked_stable_rank,
)
from implicit_bias.models import FirstLayerNetwork, LeakyReLU
from reproduce.claims import Control, Rival, claim

plots.use_style()

# %% tags=["parameters"]
n: int = 100  # number of samples n, in [40, 300]
d: int = 10000  # dimension of the samples, in [5000, 30000]
m: int = 512  # number of neurons, in [256, 1024]
slope: float = 0.1  # slope γ of the leaky ReLU, in [0.05, 0.15]
learning_rate: float = 0.01  # step size α of gradient descent, in [5e-3, 0.03]
steps: int = 500  # steps that are followed, in [100, 2000]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]

# %% [markdown]
# The data are a Gaussian mixture, $x_i=y_i\mu+\xi_i$ with $\xi_i\sim\mathcal N(0,I_d)$, $\|\mu\|=d^{0.26}$ and balanced labels: nearly orthogonal samples of length about
# $\sqrt d$. Data and initialization draw from streams of their own; what happens if they do not is one of the controls. One matrix of standard normals, times
# $\omega$, serves for all initializations.

# %%
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
data = gaussian_mixture(data_stream, n, d, separation=d**0.26)
x, y = data.x, data.y
q = data.signed.sum(axis=0)
a = initialization_stream.choice([-1.0, 1.0], m) / np.sqrt(m)
standard = initialization_stream.standard_normal((m, d))

# %% [markdown]
# ## What theory predicts
#
# ````{prf:theorem} Frei et al. 2023, for gradient descent; in words
# :label: theorem-rank-collapse
#
# Let the samples be nearly orthogonal, the activation a smoothed leaky ReLU, the initialization variance and the step size small enough. Then, with high probability, $\mathrm{SR}(W(t))$ is at most an
# absolute constant, independent of $m$, $d$ and $n$, at every $t\ge1$, while $\mathrm{SR}(W(0))$ is of order $\min(m,d)$.
# ````
#
# The constants of that theorem are not used here. What follows is derived, with explicit numbers, and is what the chapter tests.
#
# ### The first step
#
# With $g_i=(1+e^{y_if(x_i;W(0))})^{-1}$
#
# $$W(1)=W(0)+\frac\alpha n\sum_ig_i\,y_i\,\bigl(a\circ\varphi'(W(0)x_i)\bigr)x_i^\top .$$
#
# As $\omega\to0$, every $\varphi'\to\kappa$ and every $g_i\to\frac12$:
#
# ```{math}
# :label: one-step
# W(1)\;\to\;\frac{\alpha\kappa}{2n}\,a\,q^\top,\qquad\mathrm{SR}(W(1))\to1 .
# ```
#
# Rank one, exactly. To first order in $\omega$ the gates are $\varphi'=\kappa+\frac\delta2w_j\cdot x_i$ and the slopes $g_i=\frac12-\frac14y_if(x_i)$; their expected squares over $W(0)$, the signs of $a$ in balance, give the relative
# distance of $W(1)-W(0)$ to {eq}`one-step`, to that order about
#
# ```{math}
# :label: one-step-error
# \frac{\omega}{\|q\|}\sqrt{\frac{\delta^2}{4\kappa^2}\sum_{i,k}y_iy_k(x_i\cdot x_k)^2+\frac{\kappa^2}4\sum_{i,k}(x_i\cdot x_k)^2}\;.
# ```
#
# For any $\omega$ there is noise behind the spike: $W(1)\approx s\,av^\top+W(0)$ with $s=\frac{\alpha\kappa}{2n}\|q\|$ and unit vectors $a$ and $v=q/\|q\|$. The singular values of such sums are known
# {cite}`benaych2012`. As $m$ and $d$ grow together,
#
# ```{math}
# :label: spiked-rank
# \begin{aligned}
# \mathrm{SR}&=\frac{md\,\omega^2+s^2}{\sigma^2},\\
# \sigma^2&=\begin{cases}(s^2+m\omega^2)(s^2+d\omega^2)/s^2,&s^4>md\,\omega^4,\\\omega^2(\sqrt m+\sqrt d)^2&\text{otherwise.}\end{cases}
# \end{aligned}
# ```
#
# Below the threshold the spike is invisible in the spectrum. At finite size $\sigma^2$ fluctuates, relative to itself, by about
#
# ```{math}
# :label: spiked-fluctuation
# \begin{aligned}
# \varepsilon_{\text{edge}}&=\frac32\,\frac{(m^{-1/2}+d^{-1/2})^{1/3}}{\sqrt m+\sqrt d},\\
# \varepsilon_{\text{out}}&=\sqrt{\frac{2m}{(\theta^2+m)^2}+\frac{2d}{(\theta^2+d)^2}},\quad\theta=\frac s\omega,
# \end{aligned}
# ```
#
# whichever is larger, the second above the threshold only:
# the Tracy–Widom law at the edge of the noise {cite}`johnstone2001`, and the $\chi^2$ laws of $\|W(0)v\|^2$ and $\|W(0)^\top a\|^2$ for a spike outside it. A third fluctuation, $a^\top W(0)v$, is of order $\omega$ and known: it
# is added to $s$.
#
# ### The whole curve
#
# As long as the pre-activations $w_j\cdot x_i$ stay small, $\varphi(z)\approx\kappa z$. With $\kappa z$ for $\varphi(z)$, $W(t)-W(0)=\kappa\,a\bigl(\sum_ic_iy_ix_i\bigr)^\top$, and gradient descent is a recursion for $n$ numbers, from the margins $M_i(0)$ of
# $W(0)$:
#
# ```{math}
# :label: spike-recursion
# \begin{aligned}
# c_i(t+1)&=c_i(t)+\frac{\alpha}{n}\,\frac1{1+e^{M_i(t)}},\quad c(0)=0,\\
# M_i(t)&=M_i(0)+\kappa^2\sum_ky_iy_k\,x_i\cdot x_k\,c_k(t).
# \end{aligned}
# ```
#
# The spike is $r=\kappa\|\sum_ic_iy_ix_i\|$, and with what $W(0)$ has along it already $s=r+a^\top W(0)v=r+\frac1r\sum_ic_iM_i(0)$.
# Insert $s(t)$ into {eq}`spiked-rank`. What is neglected: along the way $w_j\cdot x_i$ grows to $\zeta=s\|q\|/(n\sqrt m)$ in size, the gates of the two classes differ by $\delta\zeta$ for neurons of either
# sign, and a second direction appears, $\sum_ic_ix_i$ without the labels. Its energy, over that of the spike, is
#
# ```{math}
# :label: curvature-share
# e\approx\frac14\,\frac{\delta^2\zeta^2}{4\kappa^2}\,\frac{\|\sum_ix_i\|^2}{\|q\|^2},
# ```
#
# a quarter because $\zeta$ grows in proportion to the $c_i$: its mean along the way is half of its last value.
#
# ### The kink
#
# With the leaky ReLU itself the gates never become equal: $\varphi'(w_j\cdot x_i)=\kappa+\delta\varepsilon_{ji}$ with signs $\varepsilon_{ji}$ that do not depend on $\omega$. Even at $\omega\to0$ the first step leaves
# $\kappa\,aq^\top+B$, $B_j=\delta a_j\sum_i\varepsilon_{ji}y_ix_i$. The signs of two Gaussians have the correlation $T_{ik}=\frac2\pi\arcsin\frac{x_i\cdot x_k}{\|x_i\|\|x_k\|}$, so that,
# by second-order perturbation of the top singular value, $\sigma^2\approx\kappa^2\|q\|^2+\|B\hat q\|^2+\|B^\top a\|^2$ with $\hat q=q/\|q\|$, and expectations over the signs,
#
# ```{math}
# :label: kinked-rank
# \begin{aligned}
# \mathrm{SR}(W(1))&\approx\frac{\kappa^2\|q\|^2+b}{\kappa^2\|q\|^2+\delta^2\sum_{i,k}T_{ik}p_ip_k+b/m},\\
# b&=\delta^2\sum_{i,k}T_{ik}\,y_iy_k\,x_i\cdot x_k,\quad p_i=y_ix_i\cdot\hat q .
# \end{aligned}
# ```
#
# For nearly orthogonal samples this is $1+\bigl(\frac{1-\gamma}{1+\gamma}\bigr)^2\sum_i\|x_i\|^2/\|q\|^2$ up to relative $O(\frac1n+\frac1m)$: a constant above one.
#
# ### A bound that holds throughout
#
# ````{prf:theorem} A bound on the stable rank, for all times
# :label: theorem-change-bound
#
# Let $\|a\|=1$, $\gamma\le\varphi'\le1$ with $\gamma>0$, and $y_ix_i\cdot q>0$ for every $i$. For any loss with $\ell'<0$, any step sizes and any $W(0)$, let $\Gamma_i$ be the sum of $\frac\alpha n|\ell'(y_if(x_i))|$ over the steps before $t\ge1$. Then
# $\|W(t)-W(0)\|_F\le U$, $\|W(t)-W(0)\|_2\ge L$ and $\mathrm{SR}(W(t)-W(0))\le U^2/L^2$ with
#
# ```{math}
# :label: change-bound
# U^2=\sum_{i,k}\Gamma_i\Gamma_k\max(y_iy_k\,x_i\cdot x_k,0),\qquad L=\gamma\sum_i\Gamma_i\,\frac{y_ix_i\cdot q}{\|q\|} .
# ```
#
# If $\|W(0)\|_2<L$, then
#
# $$\mathrm{SR}(W(t))\le\Bigl(\frac{U+\|W(0)\|_F}{L-\|W(0)\|_2}\Bigr)^2 .$$
# ````
#
# ````{prf:proof}
# The rows of $D=W(t)-W(0)$ are $a_j\sum_iH_{ji}y_ix_i$, where $H_{ji}$ sums $\frac\alpha n|\ell'|\varphi'(w_j\cdot x_i)$ over the steps, so that $\gamma\Gamma_i\le H_{ji}\le\Gamma_i$. Hence
#
# $$\|D\|_F^2=\sum_ja_j^2\sum_{i,k}H_{ji}H_{jk}\,y_iy_k\,x_i\cdot x_k\le U^2:$$
#
# drop the negative terms, bound the others. And
#
# $$|(Dq)_j|=|a_j|\sum_iH_{ji}\,y_ix_i\cdot q\ge|a_j|\,\gamma\sum_i\Gamma_i\,y_ix_i\cdot q ,$$
#
# so that $\|D\|_2\ge\|Dq\|/\|q\|\ge L$. The last statement is the triangle inequality. $\square$
# ````
#
# If all signed correlations are positive and the $\Gamma_i$ equal, $U^2/L^2=1/\gamma^2$. In general, with $R^2=\max\|x_i\|^2$, $p=\max_{i\ne k}|x_i\cdot x_k|$ and $\rho=n\sum\Gamma_i^2/(\sum\Gamma_i)^2$,
#
# $$\frac{U^2}{L^2}\le\frac{(\rho R^2/n+p)\,\|q\|^2}{\gamma^2\min_i(y_ix_i\cdot q)^2},$$
#
# which shows on what the constant depends: not on $m$, nor on $n$ and $d$ while $p$ is of the order of $R^2/n$ and the gathered slopes are comparable.
#
# The $\Gamma_i$ are read off the run: {eq}`change-bound` certifies a run that has been made, and predicts none. Beforehand they are known after one step from $\omega\to0$ only, when all are equal.
#
# In this section {eq}`one-step` and {eq}`spiked-rank` are limits, {prf:ref}`theorem-change-bound` is proved, and {eq}`one-step-error`, {eq}`spiked-fluctuation`, {eq}`spike-recursion`, {eq}`curvature-share` and {eq}`kinked-rank` are approximations.

# %% tags=["hide-input"]
z, gamma = sp.symbols("z gamma", real=True)
phi = gamma * z + (1 - gamma) * sp.log((1 + sp.exp(z)) / 2)
assert phi.subs(z, 0) == 0
assert sp.simplify(phi.diff(z).subs(z, 0) - (1 + gamma) / 2) == 0
assert sp.simplify(phi.diff(z, 2).subs(z, 0) - (1 - gamma) / 4) == 0
# At the threshold s⁴ = md the two cases of σ² meet, with the same slope.
s2, rows, columns = sp.symbols("s2 m d", positive=True)
top = (s2 + rows) * (s2 + columns) / s2
threshold = sp.sqrt(rows * columns)
assert sp.simplify(top.subs(s2, threshold) - (sp.sqrt(rows) + sp.sqrt(columns)) ** 2) == 0
assert sp.simplify(top.diff(s2).subs(s2, threshold)) == 0

# %%
kappa, delta = (1 + slope) / 2, (1 - slope) / 2
spikes = spike_curve(data, slope, learning_rate, steps).spike  # for ω → 0

# %% [markdown]
# ## Experiment
#
# Gradient descent on $W$ costs $O(nmd)$ a step. But $W(t)=W(0)+CX$ with an $m\times n$ matrix $C$, and $C$ sees of the data only $W(0)X^\top$ and $XX^\top$: a step costs $O(mn^2)$,
# whatever $d$ is, and $WW^\top$ is at hand for the stable rank. This is the same descent, to rounding.

# %%
network = FirstLayerNetwork.reduce(standard, a, data, slope)


def descend(net, count, record=()):
    """Gradient descent for so many steps, recorded before the first and at the given ones: the states."""
    run = drive(
        GradientDescent(net.gradient, learning_rate),
        net.start,
        t_end=count * learning_rate,
        record=np.array(record) * learning_rate,
    )
    assert run.converged, run.ended
    return run.theta


def ranks(net, states):
    """The stable rank of W at each state."""
    return np.array([net.stable_rank(theta) for theta in states])


deviations = 10.0 ** np.arange(-8, -1.75, 0.5)
after_one = np.array([ranks(net, descend(net, 1))[-1] for net in map(network.scaled, deviations)])


def spike(net, count):
    """The predicted spike from a network's initialization."""
    return spike_curve(data, slope, learning_rate, count, margins=net.margins(net.start)).spike


first = np.array([spike(net, 1)[1] for net in map(network.scaled, deviations)])
predicted_one = spiked_stable_rank(first, deviations, m, d)
start_rank = network.stable_rank(network.start)

# %% [markdown]
# The curve is followed from three initializations: Glorot's deviation $\sqrt{2/(d+m)}$ over $50$ (Glorot's is TensorFlow's default), and two smaller ones. The bound {eq}`change-bound` is
# followed at $\gamma=\frac12$, from Glorot's initialization and two smaller ones.

# %%
glorot = np.sqrt(2 / (d + m))
small = [glorot / 50, glorot / 500, 1e-6]
moments = np.unique(np.geomspace(1, steps, 25).astype(int))
times = np.append(0, moments)
curves = [ranks(net, descend(net, steps, moments[:-1])) for net in map(network.scaled, small)]
grown = [spike(network.scaled(omega), steps)[times] for omega in small]
expected = [spiked_stable_rank(s, omega, m, d) for s, omega in zip(grown, small, strict=True)]

half = replace(network, slope=0.5)
bounded = [half.scaled(omega) for omega in (glorot, glorot / 50, 1e-6)]
states = [descend(net, steps, moments[:-1])[1:] for net in bounded]
changes = np.array(
    [[net.squared_norms_of_change(theta) for theta in run] for net, run in zip(bounded, states, strict=True)]
)
bounds = [
    [change_bounds(data, 0.5, net.gathered(theta)) for theta in run] for net, run in zip(bounded, states, strict=True)
]
ceilings = np.array([[bound.stable_rank for bound in run] for run in bounds])

# %% [markdown]
# The leaky ReLU with its kink takes one step, at three slopes $\gamma$, several times: the first step sees of $W(0)$ only $W(0)X^\top$, whose rows are $\mathcal N(0,\omega^2XX^\top)$ and cheap to draw.

# %%
DRAWS = 25
root = np.linalg.cholesky(network.gram)
inputs = [1e-8 * initialization_stream.standard_normal((m, n)) @ root.T for _ in range(DRAWS)]
slopes = [slope, (slope + 1) / 2, (slope + 3) / 4]


def one_step_ranks(gamma, width):
    """The stable rank of W(1) − W(0) as ω → 0, the mean over the draws."""
    nets = [replace(network, inputs=drawn, slope=gamma, width=width) for drawn in inputs]
    return np.mean([np.divide(*net.squared_norms_of_change(descend(net, 1)[-1])) for net in nets])


kinked_one = np.array([one_step_ranks(gamma, 0.0) for gamma in slopes])
kinked_limit = np.array([kinked_stable_rank(data, gamma, m) for gamma in slopes])

# %% mystnb={"figure": {"caption": "Left: the stable rank before (grey) and after one step, against the initialization; {eq}`spiked-rank` dashed. The dotted line is what the leaky ReLU with its kink tends to. Middle: along training from three initializations, with the prediction from {eq}`spike-recursion` dashed. Right: what training adds has stable rank close to one (lines, $\\gamma=\\frac12$), far below the proved bound $U^2/L^2$ (dashed) and the trivial one, $n$.", "name": "figure-rank-collapse"}, "image": {"alt": "Three panels: stable rank after one step against the initialization's deviation, from 1 to several hundred; stable rank against steps for three initializations with predictions; stable rank of the change against steps under its bound"}} tags=["hide-input"]
fig, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 4.2))
left.axhline(start_rank, color=plots.COLORS["grey"], label="before")
left.loglog(deviations, after_one, "o", color=plots.COLORS["blue"], label="after one step")
fine = np.geomspace(deviations[0], deviations[-1], 300)
plots.theory(left, fine, spiked_stable_rank(spikes[1], fine, m, d), "predicted")
left.axhline(kinked_limit[0], color=plots.COLORS["red"], linestyle=":", label="with the kink")
left.set(xlabel=r"$\omega$", ylabel=r"$\mathrm{SR}(W(1))$", title="one step")
left.legend(loc="upper left", fontsize=10, bbox_to_anchor=(0, 0.9))

for omega, curve, line in zip(small, curves, expected, strict=True):
    exponent = int(np.floor(np.log10(omega)))
    middle.loglog(times + 1, curve, label=rf"$\omega={omega / 10**exponent:.1f}\cdot10^{{{exponent}}}$")
    plots.theory(middle, times + 1, line)
middle.set(xlabel="steps + 1", ylabel=r"$\mathrm{SR}(W(t))$", title="along training")
middle.legend(loc="upper right", fontsize=10)

for run, ceiling, name in zip(changes, ceilings, (r"Glorot's $\omega$", "over 50", r"$10^{-6}$"), strict=True):
    right.loglog(moments, run[:, 0] / run[:, 1], label=name)
    plots.theory(right, moments, ceiling)
right.axhline(n, color=plots.COLORS["grey"])
right.annotate("$n$", (1, n), xytext=(0, 4), textcoords="offset points")
right.annotate("proved", (1, ceilings.max()), xytext=(0, 5), textcoords="offset points")
right.set(
    xlabel="steps",
    ylabel=r"$\mathrm{SR}(W(t)-W(0))$",
    ylim=(0.8, 2 * n),
    title=r"what training adds, $\gamma=\frac{1}{2}$",
)
right.legend(loc="center right", fontsize=10)
plt.show()

# %% [markdown]
# ## Check
#
# First the reduction, against gradient descent on the $m\times d$ matrix itself, written out once more, for the first $64$ neurons; the stable rank against
# a singular value decomposition. The control leaves the kink where the descent has it smoothed.

# %%
few = min(64, m)
direct_omega, direct_steps = glorot / 5, 20
w, b = direct_omega * standard[:few], a[:few] * np.sqrt(m / few)
narrow = FirstLayerNetwork.reduce(w, b, data, slope)
narrow_end = descend(narrow, direct_steps)[-1]
activation = LeakyReLU(slope, 1.0)
direct = w.copy()
for _ in range(direct_steps):
    pre = direct @ x.T
    outputs = b @ (activation.value(pre) - activation.value(np.zeros(1)))
    slopes_of_loss = expit(-y * outputs) / n
    direct += learning_rate * (b[:, None] * activation.derivative(pre) * (y * slopes_of_loss)) @ x
singular = np.linalg.svd(direct, compute_uv=False)
kinked_end = descend(replace(narrow, width=0.0), direct_steps)[-1]
size = np.abs(direct - w).max()
claim(
    "one_step_rank_collapse.reduction",
    "gradient descent in the span of the samples has the weights of gradient descent on W",
    source="derived in this chapter",
    kind="identity",
    theory=(direct - w) / size,
    measured=narrow.coefficients(narrow_end) @ x / size,
    tolerance=1e-10,
    why="rounding of twenty steps and of sums over d entries, in units of the largest change",
    control=Control("the leaky ReLU with its kink", narrow.coefficients(kinked_end) @ x / size),
)
claim(
    "one_step_rank_collapse.small_matrices",
    "the stable rank from matrices of sizes m and n is that of a singular value decomposition",
    source="derived in this chapter",
    kind="identity",
    theory=[float(np.sum(singular**2) / singular[0] ** 2), float(np.sum(singular**2))],
    measured=[narrow.stable_rank(narrow_end), narrow.squared_norms(narrow_end)[0]],
    tolerance=1e-9,
    why="rounding of sums over d entries and of the eigenvalue solver, relative",
    relative=True,
    control=Control(
        "W − W(0) instead of W",
        [np.divide(*narrow.squared_norms_of_change(narrow_end)), narrow.squared_norms_of_change(narrow_end)[0]],
    ),
)

# %% [markdown]
# The limit {eq}`one-step`, by how $W(1)-W(0)$ approaches it over four decades of $\omega$: linearly, with the constant of {eq}`one-step-error`. With the kink it does not approach.


# %%
def off_rank_one(net):
    """The relative distance of W(1) − W(0) to the rank-one matrix of the first step."""
    limit = learning_rate * (1 + net.slope) / (4 * n) * np.outer(a, y)
    rest = net.coefficients(descend(net, 1)[-1]) - limit
    return np.sqrt(np.sum((rest @ net.gram) * rest) / np.sum((limit @ net.gram) * limit))


tiny = deviations[deviations <= 1.1e-4]
distances = np.array([off_rank_one(network.scaled(omega)) for omega in tiny])
with_kink = np.array([off_rank_one(replace(network.scaled(omega), width=0.0)) for omega in tiny])
coefficient = one_step_error(data, slope)
claim(
    "one_step_rank_collapse.rank_one",
    "as ω → 0 the first step becomes the rank-one matrix, at a distance linear in ω",
    source="derived in this chapter",
    kind="rate",
    theory=1.0,
    measured=np.polyfit(np.log(tiny), np.log(distances), 1)[0],
    tolerance=0.01,
    why="the next order is smaller by ω‖x‖, a hundredth at the largest ω of the fit",
    control=Control("the leaky ReLU with its kink", np.polyfit(np.log(tiny), np.log(with_kink), 1)[0]),
)

# %% [markdown]
# The constant is an expectation over $W(0)$, of which one draw gives the mean square with an error of a few percent. Only $W(0)X^\top$ matters here, whose rows are normal with covariance $XX^\top$: it is
# drawn $32$ times. In the control the neurons are not independent: all of them start alike, up to the sign of $a_j$.

# %%
DRAWS = 32
others = initialization_stream.spawn(1)[0]
root = np.linalg.cholesky(network.gram)
omega = tiny[0]


def mean_distance(alike):
    """The root mean square over draws of the distance to rank one, over ω and the predicted constant."""
    found = []
    for _ in range(DRAWS):
        rows = others.standard_normal((1 if alike else m, n)) @ root.T
        inputs = np.sign(a)[:, None] * rows if alike else rows
        found.append(off_rank_one(replace(network, inputs=omega * inputs)))
    return np.sqrt(np.mean(np.square(found))) / omega / coefficient


squares = network.gram @ network.gram
share = kappa**2 / 4 * np.trace(squares) / (coefficient * np.linalg.norm(q)) ** 2
outputs_vary = share * np.sqrt(np.sum(squares**2) / 2) / np.trace(squares)
claim(
    "one_step_rank_collapse.first_order",
    "the distance over ω has the predicted constant",
    source="derived in this chapter",
    kind="limit",
    theory=1.0,
    measured=mean_distance(alike=False),
    tolerance=float(f"{4 * (outputs_vary + 1 / np.sqrt(2 * n * m)) / np.sqrt(DRAWS):.2g}"),
    why="four deviations of the mean square, over the draws, of the n outputs of a random network and of its nm gates",
    control=Control("all neurons start alike, up to the sign of their output weights", mean_distance(alike=True)),
)

# %% [markdown]
# The stable rank after one step, over six decades. The rival adds the squares and lets the larger of spike and noise set the top: it ignores that a spike is lifted by the noise around it. The control
# puts samples into the rows of $W(0)$, as when data and initialization are drawn with the same seed.

# %%
noise_top = deviations**2 * (np.sqrt(m) + np.sqrt(d)) ** 2
naive = (m * d * deviations**2 + first**2) / np.maximum(first**2, noise_top)
allowed_one = 4 * spiked_fluctuation(first, deviations, m, d)
same_seed = standard.copy()
same_seed[:n] = x[:m]
shared = FirstLayerNetwork.reduce(same_seed, a, data, slope)
shared_one = np.array([ranks(net, descend(net, 1))[-1] for net in map(shared.scaled, deviations)])
claim(
    "one_step_rank_collapse.one_step",
    "the stable rank after one step is that of a spike in noise, over six decades of the initialization",
    source="derived in this chapter; singular values by Benaych-Georges and Nadakuditi 2012",
    kind="limit",
    theory=0.0,
    measured=(after_one / predicted_one - 1) / allowed_one,
    tolerance=1.0,
    why="four times the fluctuation of the top singular value at finite size, at each point",
    control=Control("the first rows of W(0) are the samples", (shared_one / predicted_one - 1) / allowed_one),
    rival=Rival("the larger of spike and noise sets the top", (naive / predicted_one - 1) / allowed_one, factor=5),
)

# %% [markdown]
# The curve, at all recorded steps from all three initializations. The rival freezes the slopes of the loss at $\frac12$, so that the spike grows forever; the control keeps the kink.

# %%
gap = spikes[-1] * np.linalg.norm(q) / (n * np.sqrt(m))
curvature = (delta * gap / (2 * kappa)) ** 2 / 4 * np.sum(x.sum(axis=0) ** 2) / (q @ q)
linear = [spiked_stable_rank(times * spikes[1], omega, m, d) for omega in small]
kinked_curves = [
    ranks(net, descend(net, steps, moments[:-1]))
    for net in (replace(network.scaled(omega), width=0.0) for omega in small)
]


def off(found):
    """The relative distances of three curves to the predicted ones, over what is allowed."""
    return np.concatenate(
        [
            (curve / line - 1) / (4 * spiked_fluctuation(s, omega, m, d) + 2 * curvature)
            for curve, line, s, omega in zip(found, expected, grown, small, strict=True)
        ]
    )


claim(
    "one_step_rank_collapse.curve",
    "the stable rank follows the predicted curve at every step",
    source="derived in this chapter",
    kind="limit",
    theory=0.0,
    measured=off(curves),
    tolerance=1.0,
    why="four times the fluctuation at finite size, and twice the neglected energy of the curvature, at each point",
    control=Control("the leaky ReLU with its kink", off(kinked_curves)),
    rival=Rival("slopes of the loss frozen at ½", off(linear), factor=5),
)

# %% [markdown]
# With the kink, one step leaves a constant above one. The claim is about the excess over one; the control is the smoothed activation, which leaves none.

# %%
smooth_one = np.array([one_step_ranks(gamma, 1.0) for gamma in slopes])
claim(
    "one_step_rank_collapse.kink",
    "with the kink the stable rank after one step tends to the predicted constant above one",
    source="derived in this chapter",
    kind="limit",
    theory=np.ones(len(slopes)),
    measured=(kinked_one - 1) / (kinked_limit - 1),
    tolerance=float(f"{8 * delta / kappa / np.sqrt(n * m * DRAWS) + (delta / kappa) ** 4 / n:.2g}"),
    why="four deviations of how the random signs lengthen the spike, 2δ/(κ√(nm)) each draw, and the next order",
    control=Control("the smoothed activation", (smooth_one - 1) / (kinked_limit - 1)),
)

# %% [markdown]
# The bound of {prf:ref}`theorem-change-bound`, on both norms and on the stable rank, at every recorded step. The control does not subtract $W(0)$.

# %%
upper = np.array([[bound.frobenius for bound in run] for run in bounds])
lower = np.array([[bound.spectral for bound in run] for run in bounds])
glorot_norms = np.array([bounded[0].squared_norms(theta) for theta in states[0]])
unchanged = np.array([glorot_norms, *changes[1:]])
claim(
    "one_step_rank_collapse.bound",
    "from any initialization, what training adds keeps its norms and its stable rank within the proved bounds",
    source="derived in this chapter",
    kind="bound",
    theory=np.ones(3 * upper.size),
    measured=np.concatenate(
        [
            (np.sqrt(changes[..., 0]) / upper).ravel(),
            (lower / np.sqrt(changes[..., 1])).ravel(),
            (changes[..., 0] / changes[..., 1] / ceilings).ravel(),
        ]
    ),
    tolerance=0.0,
    why="a proved inequality, without an error of its own",
    control=Control(
        "W(0) is not subtracted, at Glorot's initialization",
        np.concatenate(
            [
                (np.sqrt(unchanged[..., 0]) / upper).ravel(),
                (lower / np.sqrt(unchanged[..., 1])).ravel(),
                (unchanged[..., 0] / unchanged[..., 1] / ceilings).ravel(),
            ]
        ),
    ),
)

# %% [markdown]
# It is a constant, near $1/\gamma^2$ times one plus the share of negative signed correlations in $\|q\|^2$, and it says more than the trivial bound: the rank of $W(t)-W(0)$ is at most $n$. For a slope as small as that of the control it says less. With a small initialization it holds for $W(t)$ itself, from
# the first step on; the control is $W(0)$.

# %%
steep = replace(network.scaled(1e-6), slope=0.05)
steep_bound = change_bounds(data, 0.05, steep.gathered(descend(steep, 1)[-1])).stable_rank
claim(
    "one_step_rank_collapse.informative",
    "for γ = ½ the proved bound on the stable rank of what training adds is below n at every step",
    source="derived in this chapter",
    kind="bound",
    theory=float(n),
    measured=float(ceilings.max()),
    tolerance=0.0,
    why="both sides are computed exactly",
    control=Control("γ = 0.05", float(steep_bound)),
)
tiny_start = bounded[2].squared_norms(bounded[2].start)
tiny_bounds = np.array([bound.with_start(*np.sqrt(tiny_start)) for bound in bounds[2]])
tiny_ranks = ranks(bounded[2], states[2])
negative = -np.minimum(data.signed @ data.signed.T, 0).sum() / (q @ q)
one_class = change_bounds(data, 0.5, np.where(y > 0, 1.0, 0.0)).stable_rank
claim(
    "one_step_rank_collapse.constant",
    "the proved bounds are close to 1/γ², from small initializations",
    source="derived in this chapter",
    kind="limit",
    theory=1 + negative,
    measured=0.25 * np.concatenate([ceilings[1:].ravel(), tiny_bounds[-1:]]),
    tolerance=0.05,
    why="slopes that differ by a third of their mean, at the most, have the relative variance a tenth on half of ‖q‖²",
    control=Control("the slopes of one class are zero", 0.25 * one_class),
)
claim(
    "one_step_rank_collapse.throughout",
    "from a small initialization the stable rank of W stays below the proved constant from the first step on",
    source="Frei et al. 2023, for gradient descent; the constant is derived in this chapter",
    kind="bound",
    theory=np.ones(len(tiny_bounds)),
    measured=tiny_ranks / tiny_bounds,
    tolerance=0.0,
    why="a proved inequality, without an error of its own",
    control=Control("before the first step", np.full(len(tiny_bounds), start_rank) / tiny_bounds),
)

# %% [markdown]
# ## What would falsify it
#
# A distance to the rank-one matrix that is not linear in $\omega$; a point of the left panel off the dashed line, above all near the threshold, where the lift by the noise is a factor; a curve that leaves its
# prediction, which knows neither $W(t)$ nor the width's $md$ weights; a state of any network with $\varphi'\ge\gamma$ above {eq}`change-bound`.
#
# ## Scope
#
# The paper's constants are not tested: its theorem is proved for its own conditions on $n$, $d$ and $\omega$, and its short statement is given in words. {eq}`spiked-rank` is a limit of large matrices, exact neither at the threshold nor for
# small $m$; {eq}`spike-recursion` needs $w_j\cdot x_i$ small and slowly fails as the margins grow. {eq}`change-bound` is proved but needs the gathered slopes $\Gamma_i$, which are read off the run, and is far from sharp:
# the stable rank of what training adds stays near one. The initialization is Gaussian, TensorFlow's is uniform with the same variance.
#
# ## Exercises
#
# ```{exercise}
# :label: exercise-rank-threshold
#
# At which $\omega$ does the first step's spike leave the noise, and at which does the stable rank fall to $2$? How do they depend on $m$ and $d$?
# ```
#
# ```{solution} exercise-rank-threshold
# :class: dropdown
#
# It leaves at $s^4=md\,\omega^4$, $\omega=s\,(md)^{-1/4}$. Where $md\,\omega^2$ is of the order of $s^2$, $(m+d)\omega^2$ is much smaller, so that $\sigma^2\approx s^2$ and $\mathrm{SR}\approx1+md\,\omega^2/s^2$: it is $2$ at
# $\omega\approx s\,(md)^{-1/2}$. Between the two lies the factor $(md)^{1/4}$, in which the stable rank falls from order $\min(m,d)$ to order one.
# ```
#
# ```{exercise}
# :label: exercise-rank-bound-linear
#
# Let $\gamma=1$: the activation is the identity. What are $\mathrm{SR}(W(t)-W(0))$ and the bound {eq}`change-bound`?
# ```
#
# ```{solution} exercise-rank-bound-linear
# :class: dropdown
#
# $H_{ji}=\Gamma_i$, so that $W(t)-W(0)=a\bigl(\sum_i\Gamma_iy_ix_i\bigr)^\top$ has rank one. $L=\|(W(t)-W(0))\,q\|/\|q\|$ loses only the angle between $\sum_i\Gamma_iy_ix_i$ and $q$, and $U$ only the negative signed correlations:
# the bound is one if the $\Gamma_i$ are equal and all $y_iy_kx_i\cdot x_k\ge0$.
# ```
#
# ```{exercise}
# :label: exercise-rank-step-size
#
# Does a larger step size $\alpha$ help the collapse from Glorot's initialization? Rerun the chapter with $\alpha=0.03$ and look at the left panel.
# ```
#
# ```{solution} exercise-rank-step-size
# :class: dropdown
#
# $s\propto\alpha$: the whole curve moves to the right by the factor by which $\alpha$ grows. Glorot's deviation $\sqrt{2/(d+m)}$ is beyond the threshold $\omega=s\,(md)^{-1/4}$ for any moderate $\alpha$, so that one step does not collapse the stable rank; more of them may.
# ```
#
# ## References
#
# {cite:t}`frei2023` for the theorem; {cite:t}`benaych2012` for the singular values of a spike in noise; {cite:t}`johnstone2001` for their fluctuations.
