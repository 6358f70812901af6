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
# # From a tiny start a diagonal network learns in steps, and every step can be computed before training
#
# ```{question}
# ```
#
# We fit {glue:text}`saddle_to_saddle_n` samples with {glue:text}`saddle_to_saddle_d` features by a linear network. Each coefficient is a product of two weights, which start tiny. For a long time the loss is constant. Then it falls within a moment and rests again, {glue:text}`saddle_to_saddle_jumps` times. The *force* on a coefficient is how fast growing it lowers the loss. The two weights of a product drive each other, so they grow exponentially, at the rate of that force. The feature with the strongest force arrives first. Then the forces change, and the race goes on. At jump {glue:text}`saddle_to_saddle_drop` one coefficient goes back to zero. For a vanishing start forces alone tell each jump, the last at {glue:text}`saddle_to_saddle_last_0` (in units of ln(1/start)). For a finite one each jump comes a little earlier or later, by a shift that a differential equation per jump gives (formal). From {glue:text}`saddle_to_saddle_alpha` we predict the last jump at {glue:text}`saddle_to_saddle_last_p`. Training gives {glue:text}`saddle_to_saddle_last_m`. Of 40 sets this one has the clearest steps.
#
# ```{hero}
# ```
#
# ## The smallest case
#
# Two samples and two features, $X=\begin{pmatrix}3&1\\0&1\end{pmatrix}$ and $y=(2,3)$, with the loss $\frac14\|y-X\beta\|^2$. While the force on a feature is $g$, its weights grow from the tiny start $\alpha$ like $\alpha e^{\int g}$. In units of $\ln(1/\alpha)$, let $t$ be the time and $s_j$ the force on feature $j$, accumulated over time. A positive coefficient appears when $s_j$ reaches 1, because its weights have then grown to the size one. A negative one appears when $s_j$ reaches $-1$. Before that the coefficient is nearly zero. We call $\pm1$ the *walls*.
#
# The forces at $\beta=0$ are $\frac12X^\top y=(3,\frac52)$. So the first feature arrives at $t=\frac13$, when $s=(1,\frac56)$. The best $\beta_1\ge0$ alone is $\frac23$, which leaves the residual $(0,3)$ and the force $\frac32$ on the second feature. It arrives after another $\frac16\big/\frac32=\frac19$, at $t=\frac49$.
#
# Both together would fit the data with $\beta=(-\frac13,3)$. But $s_1=1$ allows no negative $\beta_1$. So the first feature leaves the support, we say that it is *thrown out*, and $\beta=(0,\frac52)$. The residual $(-\frac12,\frac12)$ pushes $s_1$ down at the speed $\frac34$. It has to go all the way from 1 to $-1$, which takes $\frac83$. At $t=\frac{28}9=3.11$ the first feature comes back with the other sign, and $\beta=(-\frac13,3)$.
#
# These times are for $\alpha\to0$. At $\alpha=e^{-25}$ each jump comes a little earlier or later, and with this shift we predict {glue:text}`saddle_to_saddle_small_p`. Training gives {glue:text}`saddle_to_saddle_small_m`.
#
# The Lasso, which minimizes $\frac1{2n}\|y-X\beta\|^2+\lambda\|\beta\|_1$ for $n$ samples, has kinks at $1/\lambda=\frac13,\frac49,\frac23$ and $\frac{10}3$. The first two are our jumps. The Lasso takes the feature out only at $\frac23$, little by little, and lets it back in at 3.33.
#
# ## The statement
#
# The $n$ samples are the rows of $X$, their labels are $y$, and the coefficients are $\beta=u\circ v$, feature by feature. {term}`Gradient flow <gradient flow>` of $\frac1{2n}\|y-X\beta\|^2$ trains $u$ and $v$ from $u=\sqrt2\,\alpha$ and $v=0$ with a small initialization scale $\alpha$. Time $t$ is in units of $\Lambda=\ln(1/\alpha)$, because growth from $\alpha$ to one takes a time in proportion to it, and $s_j(t)$ is the accumulated force on feature $j$. The flow then says exactly
#
# ```{math}
# :label: staircase-reduction
# \begin{gathered}\beta_j=\tfrac12e^{-2\Lambda(1-s_j)}-\tfrac12e^{-2\Lambda(1+s_j)},\\ \dot s=\underbrace{g}_{\text{force}}=\tfrac1nX^\top(y-X\beta),\\ s(0)=0 .\end{gathered}
# ```
#
# So a coefficient is nearly zero while $|s_j|<1$, and it appears when $s_j$ comes to one of the walls $\pm1$. Small starts therefore lead to this algorithm. Begin with $\beta=0$, $s=0$ and $t=0$, and repeat while some force is not zero:
#
# 1. Let all $s_j$ move at the speeds $g_j$ until one more of them reaches a wall. This is the next *jump time* $t_k$.
# 2. Let $\beta$ jump to the minimizer of the loss under $\beta_j\ge0$ where $s_j=1$, $\beta_j\le0$ where $s_j=-1$, and $\beta_j=0$ elsewhere. For data in general position it is unique. Where $\beta_j\ne0$ the force is now zero. If the sign constraint keeps a coefficient at zero, the force on it points away from its wall.
#
# As $\alpha\to0$ the flow's $\beta(t)$ tends to this staircase, uniformly on compact sets of times without jumps, and the last step is the minimizer of the loss with the least $\sum|\beta_j|$. This is the theorem of {cite:t}`pesme2023`, for data in general position. We have read the abstract of the paper only, and the hypotheses are from memory. {cite:t}`berthier2023` had proved such steps for at least as many samples as features, and anti-correlated features. A tiny start is really tiny here. We go down to {glue:text}`saddle_to_saddle_smallest`, far below what a float holds, so we train the logarithms of the weights.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [coefficient that goes back to zero](plateaus), on the plateaus before and after jump {glue:text}`saddle_to_saddle_drop` | {glue:text}`saddle_to_saddle_drop_p` | {glue:text}`saddle_to_saddle_drop_m` | | each feature with a power $\alpha^{p_j}$ of its own, at the same two times: {glue:text}`saddle_to_saddle_drop_powers`, it stays |
# | [times of the last two jumps](times) (formal expansion), $\alpha=$ {glue:text}`saddle_to_saddle_alpha` | {glue:text}`saddle_to_saddle_times_p` | {glue:text}`saddle_to_saddle_times_m` | for a vanishing start {glue:text}`saddle_to_saddle_zeroth`, the Lasso {glue:text}`saddle_to_saddle_lasso` | powers $\alpha^{p_j}$: passes the same loss levels at {glue:text}`saddle_to_saddle_times_powers` |
# | [$\sum\lvert\beta_j\rvert$ at the end](end), first set (the claim compares each of {glue:text}`saddle_to_saddle_compared` coefficients of four sets) | {glue:text}`saddle_to_saddle_end_p` | {glue:text}`saddle_to_saddle_end_m` | the fit of least $\ell_2$ norm: {glue:text}`saddle_to_saddle_end_l2` | powers $\alpha^{p_j}$: {glue:text}`saddle_to_saddle_end_powers` |
# | [gradient descent with steps of {glue:text}`saddle_to_saddle_step`](descent): relative lag of its last two jumps behind the flow's, extrapolated to $\alpha\to0$ (formal: descent has a staircase of its own) | {glue:text}`saddle_to_saddle_descent_p` | {glue:text}`saddle_to_saddle_descent_m` | a continuous flow: 0. Descent to first order in the step, with the speeds $g(1-\frac12\eta g)$: {glue:text}`saddle_to_saddle_descent_first` | |
# ```
#
# In the first and third row the allowed error is that of each coefficient.
#
# **What to remember?** From a tiny start this network is a greedy algorithm with a memory. The next feature is the first whose *accumulated* force reaches $\pm1$, not the one with the largest force now. The network may throw features out again. It ends where the Lasso ends, for $n<d$ at the fit of least $\ell_1$ norm. Up to the first feature that leaves, it jumps at the times $1/\lambda$ at which the path of the Lasso has its kinks. After that the times differ in our examples.
#
# ## Experiment
#
# Each entry of $X$ is standard normal, three coefficients have sizes between 0.5 and 2, and the labels have noise of deviation 0.3. From 40 such sets in which the algorithm throws a feature out before its last jump we take the one whose steps are the clearest, because the exponent $\rho$ below is the largest. Sets whose last jump comes later than 1000 times the first are passed over, because descent would take millions of steps. Its $\rho$ is {glue:text}`saddle_to_saddle_sharpness`. The median of the 40 is {glue:text}`saddle_to_saddle_typical`, for which $\alpha^\rho=10^{-9}$ takes a start of {glue:text}`saddle_to_saddle_typical_start`. This choice needs no training. Three further sets are taken as they come: one of the same size, one with {glue:text}`saddle_to_saddle_tall` samples and {glue:text}`saddle_to_saddle_few` features, and one with {glue:text}`saddle_to_saddle_wide_n` samples and {glue:text}`saddle_to_saddle_wide_d` features.

# %% tags=["hide-input"]
from contextlib import suppress

import numpy as np
from matplotlib import pyplot as plt
from scipy.optimize import linprog, nnls
from sklearn.linear_model import lars_path

from implicit_bias.figures import style
from implicit_bias.flows import follow, passing_times
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation import Staircase, least_l1, least_norm, staircase
from implicit_bias.models.linear import VanishingFlow
from reproduce.claims import Claims, Rival
from reproduce.claims.glued import glue_all
from reproduce.claims.judge import tolerance_of

claims = Claims("saddle_to_saddle")
style.use_style()

# %% tags=["parameters"]
n: int = 6  # samples of the first two sets, in [3, 15]
d: int = 10  # their features, in [5, 30]
digits: int = 10  # the larger start of the first picture is ten to minus this, in [4, 500]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where n < d

# %% tags=["hide-input"]
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)


def drawn(samples, features):
    """A regression with three features that matter, and its staircase; another where a step is a tie."""
    while True:
        x = data_stream.standard_normal((samples, features))  # stream: data
        chosen, b = data_stream.choice(features, 3, replace=False), np.zeros(features)  # stream: data
        b[chosen] = data_stream.uniform(0.5, 2, 3) * data_stream.choice([-1, 1], 3)  # stream: data
        y = x @ b + 0.3 * data_stream.standard_normal(samples)  # stream: data
        with suppress(CertificateError):
            return staircase(x, y)


def lost(stairs):
    """The first jump that throws a feature out, and which feature; the number of jumps where none does."""
    gone = np.where(stairs.plateaus[1:] == 0, np.abs(stairs.plateaus[:-1]), 0)  # what each jump takes away
    k = int(np.append(gone.any(axis=1), True).argmax())
    return k, int(gone[k % len(gone)].argmax())


exchanging: list[Staircase] = []
while len(exchanging) < 40:
    stairs = drawn(n, d)
    exchanging += [stairs] if lost(stairs)[0] < len(stairs.times) - 1 else []
sets = [max(exchanging, key=lambda one: (one.times[-1] < 1000 * one.times[0], one.sharpness)), drawn(n, d), drawn(5 * n, d - 2), drawn(n + 2, 2 * d)]
stairs, x, y = sets[0], sets[0].x, sets[0].y


def halves(stairs):
    """The misfits ‖y − Xβ‖ at which the loss is half-way between two plateaus."""
    losses = np.sum((stairs.y - stairs.plateaus @ stairs.x.T) ** 2, axis=1)
    return np.sqrt((losses[1:] + losses[:-1]) / 2)


def ten(power):
    """10 to a whole power as the prose writes it."""
    return "10" + f"{power:.0f}".translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def start(length, form=".0f"):
    """α = e^−length as the prose writes it."""
    size = -length / np.log(10)
    return f"{10 ** (size % 1):{form}}·{ten(np.floor(size))}"


def jumps(stairs, length, powers=None):
    """When a flow with ln(1/α) = length jumps."""
    return passing_times(VanishingFlow(stairs.x, stairs.y, length, powers), halves(stairs))

# %% [markdown]
# Before training we compute the staircase. The algorithm is a dozen lines.


# %%
def climb(x, y, rate=0.0):
    """Jump times and plateaus; the last d of the 2d columns are for negative coefficients; rate: of descent, to first order."""
    columns, level, time, steps = np.hstack([x, -x]), np.zeros(2 * x.shape[1]), 0.0, []
    force = y @ columns / len(y)
    while force.max() > 1e-9:
        moving = np.flatnonzero((force > 1e-9) & (level < 1))
        speed = force - rate * force**2 / 2
        waits = (1 - level[moving]) / speed[moving]
        time += waits.min()
        level += waits.min() * np.where(np.abs(force) > 1e-9, speed, 0)
        level[moving[waits.argmin()]] = 1
        weights, wall = np.zeros(level.size), level > 1 - 1e-12
        weights[wall] = nnls(columns[:, wall], y)[0]
        force = (y - columns @ weights) @ columns / len(y)
        steps.append((time, weights[: x.shape[1]] - weights[x.shape[1] :]))
    return steps


for time, beta in climb(x, y):
    row = (f"{b:5.2f}" if b else "  .  " for b in beta)
    print(f"t = {time:6.3f}  loss {np.mean((y - x @ beta) ** 2) / 2:.4f}  coefficients", *row)

# %% [markdown]
# The library does the same with a certificate for each plateau, and says how much earlier or later than $t_k$ the jump of a flow with a given $\Lambda$ comes, by the formula {eq}`staircase-delay`. Then we train. The flow {eq}`staircase-reduction` is exact for each $\alpha$, and it knows $\alpha$ only by $\Lambda$, so a start of $10^{-5000}$ is no harder than one of $10^{-50}$. For each set we take $\Lambda$ so large that $\alpha^\rho\le10^{-9}$, and that no term of {eq}`staircase-missed` is estimated to move a jump by more than $10^{-9}$ of its time. The algorithm alone tells it. The four starts are {glue:text}`saddle_to_saddle_starts`.


# %%
lengths = [one.length(1e-9) for one in sets]
delays = [one.delays() for one in sets]
told = [one.times + delay / length
        for one, delay, length in zip(sets, delays, lengths, strict=True)]
met = [jumps(one, length) for one, length in zip(sets, lengths, strict=True)]
for one, first, time in zip(sets, told, met, strict=True):
    print("{:2} × {:2}, {:2} jumps,".format(*one.x.shape, len(time)),
          f"last at {first[-1]:7.4f}, measured {time[-1]:7.4f},",
          f"all within {np.max(np.abs(time / first - 1)):.0e} of the prediction")

# %% [markdown]
# Gradient descent multiplies $(u+v)/\sqrt2$ by $1+\eta g$ and $(u-v)/\sqrt2$ by $1-\eta g$ in each step. So it has two accumulators for each feature, which move at $\ln(1\pm\eta g_j)/\eta$ in place of $\pm g_j$. The rest of the algorithm is as before, and it gives steps at other times. This needs $\eta|g_j|<1$, and plateaus that are stable under steps of $\eta$. So on each plateau $\eta$ times the largest eigenvalue of $2|\beta|^{1/2}H|\beta|^{1/2}$, with $H=\frac1nX^\top X$, must be below 2. Here it is at most {glue:text}`saddle_to_saddle_steep`. We keep the logarithms of the weights. A jump of descent comes at a time $t_k+C/\Lambda$ up to smaller errors, so two runs with $\Lambda$ and $2\Lambda$ give the limit for $\alpha\to0$.


# %%
def descend(x, y, length, rate, misfits):
    """When gradient descent from α = e^−length passes given misfits, in units of length."""
    plus = minus = np.full(x.shape[1], -length)  # ln of (u ± v)/√2
    losses, step, passed, before = list(misfits**2), 0, [], 0.0
    while losses:
        residual = y - x @ (np.exp(2 * plus) - np.exp(2 * minus)) / 2
        loss = residual @ residual
        while losses and loss <= losses[0]:
            part = (losses.pop(0) - loss) / (before - loss)
            passed.append((step - part) * rate / length)
        force, before, step = residual @ x / len(y), loss, step + 1
        plus, minus = plus + np.log1p(rate * force), minus + np.log1p(-rate * force)
    return np.array(passed)


rates = np.array([0.1, 0.05]) / np.abs(y @ x / len(y)).max()
stepped = [staircase(x, y, step=rate) for rate in rates]
short = max(stairs.length(1e-5), *(np.log(1e5) / one.sharpness for one in stepped))
late_told = np.array([one.times / stairs.times - 1 for one in stepped])
twice, once = ([descend(x, y, length, rate, halves(stairs)) for rate in rates]
               for length in (2 * short, short))
late = (2 * np.array(twice) - once) / stairs.times - 1  # extrapolated to α = 0
for rate, predicted, measured in zip(rates, late_told, late, strict=True):
    print(f"steps of {rate:.3f}: later than the flow by", measured.round(4))
    print("         computed before training:", predicted.round(4))

# %% tags=["hide-input"]
k_lost, thrown = lost(stairs)
factors = np.tile(initialization_stream.uniform(0.5, 2, d), (2, 1))  # the factors c, then the powers p
offered: list[Staircase] = []
while len(offered) < 20:
    with suppress(CertificateError):
        offered += [staircase(x, y, thresholds=np.tile(initialization_stream.uniform(0.6, 1.4, d), (2, 1)))]
altered = max(offered, key=lambda one: np.abs(one.plateaus[-1] - stairs.plateaus[-1]).max())
powers, far = altered.thresholds.reshape(2, d), altered.length(1e-9)
scaled = 1 - np.log(factors) / lengths[0]


def resting(stairs, length):
    """Where β is computed to be nearest to each plateau between two jumps, and a time so late that E is ρ."""
    places = np.linspace(stairs.times[:-1], stairs.times[1:], 41)[1:-1]
    best, last = stairs.missed(places, length).argmin(axis=0), 1.5 * stairs.times[-1]
    while stairs.exponent(last) < stairs.sharpness:
        last *= 1.5
    return np.append(places[best, np.arange(len(best))], last)


def course(stairs, length, times, powers=None):
    """β of the flow at increasing times."""
    flow = VanishingFlow(stairs.x, stairs.y, length, powers)
    return flow.predictor(follow(flow, t_end=1.01 * times[-1], record=times, rtol=1e-11).theta[1:-1])


rests = [resting(one, length) for one, length in zip(sets, lengths, strict=True)]
rested = [course(one, length, times) for one, length, times in zip(sets, lengths, rests, strict=True)]
tilted = course(stairs, lengths[0], rests[0], powers)
off_plateau = [one.missed(times, length) for one, length, times in zip(sets, lengths, rests, strict=True)]
ends = [least_l1(one.x, one.y).w if one.x.shape[0] < one.x.shape[1] else np.linalg.lstsq(one.x, one.y, rcond=None)[0] for one in sets]
weighted = linprog(powers.ravel(), A_eq=np.hstack([x, -x]), b_eq=y, bounds=(0, None)).fun  # the least Σ p|β|
last_powers, last_factors = course(altered, far, resting(altered, far)[-1:], powers)[0], course(stairs, lengths[0], rests[0][-1:], scaled)[0]
own, own_told = jumps(altered, far, powers), altered.times + altered.delays() / far
factors_told = stairs.times + stairs.delays(np.log(factors)) / lengths[0]
spoiled = jumps(stairs, lengths[0], powers)
turns, _, path = lars_path(x, y, method="lasso")
lasso = 1 / turns[:-1]

# %% mystnb={"figure": {"caption": "Each time an accumulated force reaches a wall, a feature enters and the loss falls. Bands: training from the smaller start. Dashed: predicted before training, with the shift for this start. (a) The loss. Thin, dark blue: training from the larger start. (b) The coefficients, with the numbers of their features. (c) The accumulated forces from the smaller start, with each plateau drawn equally wide. A coefficient is nonzero while its accumulated force is at $\\pm1$. Thin, grey: features 2, 3 and 9 never arrive, and their coefficients are not shown in (b). Of 40 sets this one has the clearest steps. For the median of these sets steps as clear need a start of about $5\\cdot10^{-214}$.", "name": "figure-staircase"}, "image": {"alt": "Three panels over time, logarithmic in (a) and (b). (a) The loss falls in seven steps. (b) Coefficients rise and fall in sudden steps and are constant in between; dashed lines of the computed staircase lie on them. One falls back to zero. (c) Accumulated forces are polygons between two walls at minus one and one, and each step is where one of them comes to a wall. One leaves its wall at jump 4. Three grey ones never come to a wall.", "classes": "panels-2"}} tags=["hero", "hide-input"]
(falling, above), below = style.panels(2, (9.6, 5.8), rows=(2, 1))
TIMES = {"xticks": [0.5, 1, 2, 5, 10, 20], "xticklabels": ["0.5", "1", "2", "5", "10", "20"]}
grid = np.geomspace(0.4 * stairs.times[0], 1.6 * stairs.times[-1], 900)
flow = VanishingFlow(x, y, lengths[0])
states = follow(flow, t_end=1.01 * grid[-1], record=grid, rtol=1e-11).theta[1:-1]
early = course(stairs, digits * np.log(10), grid)
edges = np.concatenate([[grid[0]], told[0], [grid[-1]]])
losses, early_losses, told_losses = (np.mean((y - beta @ x.T) ** 2, axis=1) / 2 for beta in (flow.predictor(states), early, stairs.plateaus))
falling.semilogy(grid, losses, color=style.COLORS["grey"], linewidth=5, alpha=0.5)
falling.plot(grid, early_losses, color="navy", linewidth=1.3, zorder=4)
falling.stairs(told_losses + 1e-9, edges, baseline=None, **style.THEORY)
places = np.linspace(0, len(edges) - 1, 400)[1:]  # jump k stands at k
forces = flow.gathered(follow(flow, t_end=1.01 * grid[-1], record=np.interp(places, np.arange(len(edges)), [0, *edges[1:]]), rtol=1e-11).theta[1:-1])
order = [int(j) % d for j in stairs.entering[np.sort(np.unique(stairs.entering % d, return_index=True)[1])]]
for place, j in enumerate(order):
    k, color = list(stairs.entering % d).index(j), list(style.COLORS.values())[place % 7]
    above.plot(grid, flow.predictor(states)[:, j], color=color, linewidth=5, alpha=0.5)
    above.stairs(stairs.plateaus[:, j], edges, baseline=None, **style.THEORY)
    below.plot(places, forces[:, j], color=color)
    height, side = stairs.plateaus[k + 1, j], np.sign(stairs.plateaus[k + 1, j])
    above.annotate(f"{j + 1}", (np.sqrt(edges[k + 1] * edges[k + 2]), height), (0, 10 if -0.15 < height < 0 else -11), textcoords="offset points", ha="center", va="center", color=color)
    below.annotate(f"{j + 1}", (k + 1, side), (0, 9 * side), textcoords="offset points", ha="center", va="center", color=color)
above.text(1.1 * told[0][k_lost], 1.1, f"jump {k_lost + 1}: feature {thrown + 1}\nis thrown out", color=list(style.COLORS.values())[order.index(thrown) % 7])
falling.text(0.98, 0.97, f"band: from {start(lengths[0], '.1f')}\ndashed: predicted\nthin: from {ten(-digits)}", ha="right", va="top", transform=falling.transAxes)
below.plot(places, forces[:, np.setdiff1d(np.arange(d), order)], color="0.7", linewidth=1, zorder=0)
below.annotate(f"{thrown + 1} leaves:\nthrown out", (k_lost + 1, np.sign(stairs.plateaus[k_lost, thrown])), (k_lost + 2, 1.25 * np.sign(stairs.plateaus[k_lost, thrown])), ha="center", va="center", color=list(style.COLORS.values())[order.index(thrown) % 7], arrowprops={"arrowstyle": "-|>", "color": list(style.COLORS.values())[order.index(thrown) % 7]})
below.text(0.15, -0.86, "thin: " + ", ".join(f"{j + 1}" for j in range(d) if j not in order) + "\nnever arrive", color="0.5", va="center")
for axes, name, title in ((falling, "loss", "(a) loss in training"), (above, "coefficient", "(b) coefficients, by feature"), (below, "accumulated force", "(c) a feature arrives at a wall, ±1")):
    axes.vlines(np.arange(1, len(edges) - 1) if axes is below else told[0], 0, 1, color="0.85", linewidth=0.8, zorder=0, transform=axes.get_xaxis_transform())
    axes.set(ylabel=name, title=title, xlabel="" if axes is falling else "training time over ln(1/start)" + ",\nplateaus drawn equally wide" * (axes is below))
    if axes is not below:
        axes.set(xscale="log", xlim=grid[[0, -1]], **TIMES)
below.set(xlim=(0, places[-1]), xticks=range(len(edges) - 1), xticklabels=["0", *(f"{time:.1f}" for time in told[0])])
below.hlines([-1, 1], 0, places[-1], color="black", linewidth=1, zorder=0)
falling.set_ylim(told_losses[-2] / 3, 2 * told_losses[0])
above.set_ylim(min(0, stairs.plateaus.min()) - 0.35)
below.set_ylim(-1.4, 1.4)
plt.show()

# %% [markdown]
# ### What breaks, and what does not
#
# Multiply each feature's start by a factor of its own. For a small $\alpha$ this is no change of the staircase, because $\ln(c_j\alpha)/\ln\alpha\to1$. It changes the shifts alone. In {eq}`staircase-delay` $\sigma a_i$ then starts at $\ln c_i$ instead of 0, at either wall. Now give each feature an initialization scale of its own, the *power* $\alpha^{p_j}$. The wall of feature $j$ then stands at $p_j$ in place of 1, however small $\alpha$ is. Times and end both change, and the algorithm with walls at $\pm p_j$ predicts both. Of 20 draws of the powers we take the one whose predicted end differs most from the one of least $\sum|\beta_j|$.

# %% tags=["hide-input"]
for name, times, law, end in (
        ("α", met[0], told[0], rested[0][-1]), ("α^p_j", own, own_told, last_powers),
        ("c_j α", jumps(stairs, lengths[0], scaled), factors_told, last_factors)):
    print(f"start {name:5} times within {np.max(np.abs(times / law - 1)):.0e} of its staircase")
    print(f"      end: Σ|β| {np.abs(end).sum():.4f}, least {np.abs(ends[0]).sum():.4f},",
          f"Σp|β| {powers[0] @ np.abs(end):.4f}, least {weighted:.4f}")

# %% [markdown]
# ## Theory
#
# **Why products race.** With $w_\pm=(u\pm v)/\sqrt2$ the flow is $\dot w_\pm=\pm g\,w_\pm$, so $w_\pm=\alpha e^{\pm\int g}$. The integral is $\Lambda s$ in our unit of time, and $\beta=uv=\frac12(w_+^2-w_-^2)$ is {eq}`staircase-reduction`. As $s=\frac1nX^\top\mu$ with $\dot\mu=y-X\beta$, the whole flow is one of $n$ numbers $\mu$. It has no small numbers to lose, because $\alpha$ enters by $\Lambda$ alone. If $w_\pm$ start at $\alpha^{p_\pm}$, the walls stand at $p_+$ and $-p_-$.
#
# **Why least $\sum|\beta_j|$.** The accumulated forces $s$ are the dual certificate.
#
# ```{prf:proposition} The end
# :label: proposition-staircase-end
#
# Let the algorithm, with walls at $\pm p_j$, $p_j>0$, end at $\beta^\infty$. Then no minimizer of the loss has a smaller $\sum p_j|\beta_j|$ than $\beta^\infty$.
# ```
#
# ```{prf:proof}
# At the end all forces are zero, so $\beta^\infty$ minimizes the loss. Throughout, $s=\frac1nX^\top\mu$ for some $\mu$, $|s_j|\le p_j$, and where $\beta^\infty_j\ne0$ we have $s_j=p_j\operatorname{sign}\beta^\infty_j$. Let $\beta$ be another minimizer. Then $X\beta=X\beta^\infty$, and $\sum p_j|\beta_j|\ge s\cdot\beta=\frac1n\mu\cdot X\beta=\frac1n\mu\cdot X\beta^\infty=s\cdot\beta^\infty=\sum p_j|\beta^\infty_j|$.
# ```
#
# **Why the Lasso, and until when.** {cite:t}`berthier2025` relates training to the path of the Lasso, with time as the inverse penalty, exactly if that path is monotone and approximately otherwise. As we recall, it is the time average of $\beta$ that follows. For the staircase this is seen at once.
#
# ```{prf:proposition} The average is the Lasso's, until a feature is thrown out
# :label: proposition-staircase-lasso
#
# Let $T$ be the time of the first jump that sets a coefficient back to zero, or $\infty$. For $0<t\le T$, $\bar\beta=\frac1t\int_0^t\beta$ minimizes $\frac1{2n}\|y-X\beta\|^2+\frac1t\|\beta\|_1$. If the data are in general position and the Lasso has one minimizer for each $\lambda>0$, the active set of the Lasso changes at $\lambda=1/t_k$ for each $t_k\le T$, and at no other $\lambda\ge1/T$.
# ```
#
# ```{prf:proof}
# $s(t)=\int_0^tg=\frac tnX^\top(y-X\bar\beta)$, so $\frac1nX^\top(y-X\bar\beta)=\frac1ts$. All $|s_j|\le1$. Where $\bar\beta_j\ne0$, coefficient $j$ has become nonzero before $t$. It has not been zero since, so the force on it has been zero, and $s_j$ has stayed at its wall. There the sign constraint fixes the sign of $\beta_j$, so $s_j=\operatorname{sign}\bar\beta_j$. These are the conditions of optimality.
#
# A feature that comes to its wall becomes nonzero, because its force points to the wall, so that a little of it lowers the loss. Hence before $T$ the support of $\bar\beta$ grows at each jump, and never between.
#
# At $T$, with feature $i$ at its wall, all other features outside the support have $|s_j|<1$. Let $\beta^\lambda$ be the minimizer of the Lasso and $\tau=1/\lambda$. It is continuous, so for $\tau$ a little above $T$ no coefficient has left, and none but $i$ can have come. If $i$ stayed out as well, the support $S$ would be fixed, and there $\frac1nX_S^\top(\tau y-X\tau\beta^\lambda)$ is a vector of signs. Its derivative in $\tau$ is zero, so at $\frac{d}{d\tau}(\tau\beta^\lambda)$ all forces on $S$ vanish. Hence this derivative is the plateau before $T$. So $\frac1nX_i^\top(\tau y-X\tau\beta^\lambda)$, which is $s_i$ at $\tau=T$, would keep its speed and pass the wall. The Lasso's conditions forbid this, so $i$ comes.
# ```
#
# On the first set the first four features arrive together in both ({numref}`figure-staircase-lasso`). The flow throws feature {glue:text}`saddle_to_saddle_thrown` out at jump {glue:text}`saddle_to_saddle_drop`. The Lasso drops it later, and from there on the times differ. The last two kinks of the Lasso are at {glue:text}`saddle_to_saddle_lasso`, the last two jumps at {glue:text}`saddle_to_saddle_zeroth`.

# %% mystnb={"figure": {"caption": "Until the flow throws a feature out, features enter the flow and the Lasso at the same times. Bars: when each feature of the first set has a nonzero coefficient, for a vanishing start. Grey line: the flow throws the first feature out. From here on the two differ.", "name": "figure-staircase-lasso"}, "image": {"alt": "Two horizontal bars for each of seven features over a logarithmic axis of time. The bars of the first four features start together in pairs. One feature's bar of the flow ends early, that of the Lasso somewhat later. The bars of the last three features start at different times.", "classes": "panels-1"}} tags=["hide-input"]
axes = style.panels(1, (5.0, 3.6))[0]
held = (path[:, 1:] != 0) | (path[:, :-1] != 0)  # in the support of the Lasso between two kinks
for shift, times, inside, color, name in ((0.17, stairs.times, stairs.plateaus[1:].T != 0, "blue", "flow"), (-0.17, lasso, held, "orange", "Lasso, at time 1/λ")):
    for height, j in enumerate(order[::-1]):
        axes.plot(np.array([times, np.append(times[1:], grid[-1])])[:, inside[j]], [[height + shift]] * 2, color=style.COLORS[color], linewidth=6, solid_capstyle="butt")
    axes.text(0.45, 0.6 + 3 * shift, name, color=style.COLORS[color])
axes.axvline(stairs.times[min(k_lost, len(stairs.times) - 1)], color="0.7", linewidth=1, zorder=0)
axes.set(xscale="log", xlabel="training time over ln(1/start)", ylabel="feature", yticks=range(len(order)), yticklabels=[f"{j + 1}" for j in order[::-1]], xlim=(0.4, grid[-1]), **TIMES)
plt.show()

# %% [markdown]
# ## How fast, to the next order
#
# A jump of a start $\alpha$ comes at the time at which its loss is half-way between two plateaus. The staircase misses it by a constant over $\Lambda$, which falls slowly. At $\alpha=10^{-50}$ it is still up to two percent. The next order is known. What follows is a formal expansion, not a proof, and we have not found it in the literature, of which we searched abstracts.
#
# Write $s=s^\circ+a/\Lambda$, where $s^\circ$ is the accumulated force of the algorithm and $a$ its correction. On a plateau $a$ is constant, and on the first one it is 0. Let feature $i$ come to the wall of the sign $\sigma$, driven by a force of size $G=|g_i|$. Just before, {eq}`staircase-reduction` gives $\beta_i=\sigma e^{2G\theta}$ in the stretched time $\theta=\Lambda(t-t_k)-D$ with $D=(\frac12\ln2-\sigma a_i)/G$. In this time there is no $\alpha$ left. During the jump the active coefficients and $\beta_i$ follow the orbit $\frac d{d\theta}\ln|\beta_j|=2\operatorname{sign}(\beta_j)g_j$ from one plateau to the next. If $\theta_k$ is the time at which the orbit has half of the loss behind it, then
#
# ```{math}
# :label: staircase-delay
# t_k(\alpha)=t_k+\frac{C_k}\Lambda+O(\alpha^\rho),\qquad C_k=\frac{\frac12\ln2-\sigma a_i}{G}+\theta_k .
# ```
#
# The jump adds to $a$ the integral $\int(g-g_{\text{before}}[\theta<-D]-g_{\text{after}}[\theta>-D])\,d\theta$ along the orbit, where a bracket is 1 if its condition holds and 0 otherwise. On the new support $a$ plus this integral must be $\frac12\operatorname{sign}(\beta_j)\ln(2|\beta_j|)$, because {eq}`staircase-reduction` then gives $\beta_j$. The code uses this as a check of the integral. In the smallest case the $C_k$ are {glue:text}`saddle_to_saddle_small`.
#
# To this formal order there are no further powers of $1/\Lambda$. Two exponentially small terms couple a plateau to its neighbours. A support relaxes to its plateau like $e^{-\nu\Lambda(t-t_{k-1})}$, with the least eigenvalue $\nu$ of $2|\beta|^{1/2}H|\beta|^{1/2}$ on the support, where $H=\frac1nX^\top X$. Let $\nu_k$ be that of the plateau behind jump $k$, and $\nu_0=\infty$, because $\beta=0$ has no support. A feature that is not active has $|\beta_j|$ about $e^{-2\Lambda(1-|s_j|)}$. So
#
# $$\rho=\min_k\min\Bigl(\nu_{k-1}(t_k-t_{k-1}),\;2\min_j(1-|s_j(t_k)|)\Bigr)$$
#
# over all jumps and over the inactive $j\ne i$. It is {glue:text}`saddle_to_saddle_sharpness` for the set of the first picture, and {glue:text}`saddle_to_saddle_sharpnesses` for the others. Hence each of them gets an $\alpha$ of its own. The slowest term may be small, so the power $\alpha^\rho$ bounds the error and need not be its rate. On the set of {numref}`figure-staircase-error` the last points fall like $\alpha$ to the power {glue:text}`saddle_to_saddle_falls`.
#
# Both terms have constants that are computed before training, and these set $\Lambda$ and what the claims allow.
#
# ````{prf:remark} How large an error do we allow?
# :class: dropdown
#
# With their first constants, also formal, the two terms keep $\beta$ at the time $t$ away from the plateau behind jump $k$ by up to
#
# ```{math}
# :label: staircase-missed
# \begin{gathered}\sum_j\tfrac12e^{2|a_j|_\pm-2\Lambda(1-|s_j|)}\max\bigl(1,\max|H_{SS}^{-1}H_{Sj}|\bigr)\\+\;\varepsilon\,\bigl(\max|\beta|\textstyle\sum|\beta|\bigr)^{1/2}\,e^{\nu_k(\tau_k-\Lambda(t-t_k))} .\end{gathered}
# ```
#
# The sum is over the inactive, and $|a_j|_\pm$ is $a_j$ towards the wall. A coefficient that is not quite zero moves those on the support $S$ as well, by the second factor. The last term is what relaxes: at $t_k+\tau_k/\Lambda$ the orbit of jump $k$ has each $\ln|\beta_j|$ to $\varepsilon=10^{-6}$ from its plateau, and from then on $|\beta|^{1/2}$ times this distance shrinks at the rate $\nu_k$ at least. Before training we look for the place between two jumps where the bound is least, and behind the last jump for a time at which $\nu_k(t-t_k)$ has reached $\rho$. There the coefficients are compared with the plateaus, and the largest bound is the error that is allowed.
#
# A term of size $b$ lasts for a time of about $1/(2|g_j|\Lambda)$, with the smaller of the forces $g_j$ before and after the jump, or $1/(\nu\Lambda)$ for what relaxes. So it moves this jump and later ones, with the forces $G$ on what enters, by up to $hb/(2|g_j|\Lambda Gt)$ of their times, where $h$ is the largest change of a force by it with the support at rest. Late jumps have small forces, and there this factor is large. It goes into the choice of $\Lambda$.
# ````

# %% mystnb={"figure": {"caption": "How far the jump times of the flow are from two predictions, largest relative error over all jumps of the first set. Dots: measured. Dashed: what the shifts predict of the first, $\\max|C_k|/(\\Lambda t_k)$. Dotted: $\\alpha^\\rho$, which bounds the second up to a constant.", "name": "figure-staircase-error"}, "image": {"alt": "A logarithmic axis of errors over a linear one of the logarithm of the start. The error of the staircase's times lies on the slowly falling dashed curve, that of the times with their shift falls along a straight line that is steeper than the dotted one.", "classes": "panels-1"}} tags=["hide-input"]
sizes = lengths[0] * np.array([0.15, 0.25, 0.35, 0.45, 0.55, 0.65])
found = np.array([jumps(stairs, size) for size in sizes])
axes = style.panels(1, (5.0, 3.9))[0]
for guess, law, color, name in (
        (stairs.times + 0 * sizes[:, None], np.max(np.abs(delays[0]) / stairs.times) / sizes, "orange", "staircase alone,\nand $\\max\\,|C_k|/(Λt_k)$"),
        (stairs.times + delays[0] / sizes[:, None], np.exp(-stairs.sharpness * sizes), "blue", "with the shift,\nand $α^ρ$")):
    error = np.max(np.abs(found - guess) / stairs.times, axis=1)
    axes.semilogy(sizes, error, "o", color=style.COLORS[color])
    axes.plot(sizes, law, **{**style.THEORY, "linestyle": "--" if color == "orange" else ":"})
    axes.annotate(name, (sizes[3], error[3]), (-8, -6), textcoords="offset points", ha="right", va="top", color=style.COLORS[color])
falls = np.log(error[-3] / error[-1]) / (sizes[-1] - sizes[-3])  # the exponent of α in the error that is left with the shift
glue_all("saddle_to_saddle", falls=f"{falls:.2f}")
axes.set(xlabel="Λ = ln(1/α)", ylabel="relative error of the times")
plt.show()

# %% [markdown]
# For gradient descent we know the zeroth order, by the algorithm with its own speeds, and measure it from two $\Lambda$, of which one is twice the other, because the shift $C/\Lambda$ then drops out. What does not drop out is the error of reading a time between two steps, which depends on where within a step the jump falls. It is, formally, of the order of $\eta^2/\Lambda$, and smaller than what the claim allows. That descent obeys its own staircase is formal as well. That gradient descent with finite steps can end elsewhere than the flow is known from {cite:t}`even2023`. On this set it ends where the flow does.
#
# ## Instruments
#
# Each claim with its allowed error and its control. A {term}`claim` must hold within its allowed error, and its {term}`control` must not.
#
# ```{claim} plateaus
# :headline: coefficients between jumps, where they should be nearest to a plateau, and behind the last, four sets
# :evidence: trained and compared
# :because: the largest bound over the plateaus, by the first terms of what relaxes and of what is not active, computed before training, and what the integrator's tolerance makes of an exponent
# :control: feature j of the first set starts at α to a power of its own
#
# between its jumps the flow from a small start rests where the algorithm says
# ```
#
# ```{claim} times
# :headline: jump times of the flow, four sets
# :source: formal, in this chapter
# :evidence: trained and compared
# :because: ten times a billionth, a factor that was chosen, and α was chosen for α^ρ and its first constants to be at most a billionth
# :control: feature j of the first set starts at α to a power of its own
# :rival: the staircase alone, without the shifts
#
# the flow from a small start jumps at the staircase's time plus a shift over ln(1/α)
# ```
#
# ```{claim} end
# :headline: coefficients at the end, four sets
# :evidence: trained and compared
# :because: the bound at the end, so late that ν(t − t_k) has reached ρ, and what the integrator's tolerance makes of an exponent
# :control: feature j of the first set starts at α to a power of its own
#
# the flow from a small start ends at the minimizer of least ℓ1 norm, found by a linear program, or at least squares
# ```
#
# ```{claim} descent
# :headline: relative lag of the jumps of gradient descent behind the flow's, two step sizes
# :source: formal, in this chapter
# :evidence: trained and compared
# :because: ten times 10⁻⁵, a factor that was chosen, and the larger start was chosen for α^ρ and its first constants to be at most 10⁻⁵; the reading between steps errs by less
# :contrast: the flow
#
# gradient descent climbs a staircase of its own, at times, extrapolated to a vanishing start, that its step size sets
# ```
#
# ```{claim} powers
# :source: formal, in this chapter
# :evidence: trained and compared
# :because: ten times a billionth, a factor that was chosen, and α was chosen for α^ρ and its first constants to be at most a billionth
# :contrast: the same loss levels, all features start at α
#
# if feature j starts at α to a power of its own, the flow jumps at the times of the algorithm with walls at these powers
# ```
#
# ```{claim} lasso
# :evidence: trained and compared
# :because: ten times 10⁻⁵, a factor that was chosen, and the larger start was chosen for α^ρ and its first constants to be at most 10⁻⁵
# :control: feature j starts at α to a power of its own
#
# up to the first feature that is thrown out, the flow's jump times, extrapolated to a vanishing start from two starts, are the inverse penalties at which the Lasso's path has its kinks
# ```

# %% tags=["hide-input"]
missed, shorter, rounding = 1e-8, 1e-4, 1e-11 * max(lengths) * max(np.abs(one.plateaus).max() for one in sets)  # ten times what Λ is for
first_order = np.array([time for time, _ in climb(x, y, rates[0])][-2:]) / stairs.times[-2:] - 1
slow = 2 * jumps(stairs, 2 * short) - jumps(stairs, short)
seen = np.concatenate([one.plateaus[1:] for one in sets], axis=None)
claims.limit("plateaus", seen, np.concatenate(rested, axis=None), error=max(map(np.max, off_plateau)) + rounding, control=np.concatenate([tilted, *rested[1:]], axis=None))
claims.limit("times", np.concatenate(told), np.concatenate(met), relative="each", error=missed, control=np.concatenate([spoiled, *met[1:]]),
             rival=Rival(np.concatenate([one.times for one in sets]), factor=1e4))
claims.limit("end", np.concatenate(ends), np.concatenate([rest[-1] for rest in rested]), error=max(off[-1] for off in off_plateau) + rounding,
             control=np.concatenate([last_powers, *(rest[-1] for rest in rested[1:])]))
claims.limit("descent", late_told, late, error=shorter, control=np.tile(slow / stairs.times - 1, (2, 1)))
claims.limit("powers", own_told, own, relative="each", error=missed, control=jumps(altered, far))
claims.limit("lasso", lasso[: k_lost + 1], slow[: k_lost + 1], relative="each", error=shorter, control=spoiled[: k_lost + 1])


def listed(values, form=".3f"):
    """Numbers as the prose writes them."""
    *first, last = (format(value + 0.0, form) for value in np.ravel(values))
    return (", ".join(first) + " and " + last).replace("-", "−")


typical, small = np.median([one.sharpness for one in exchanging]), staircase([[3, 1], [0, 1]], [2, 3])
steep = max(2 * rate * np.linalg.norm(x * np.sqrt(np.abs(beta)), 2) ** 2 / n
            for rate, one in zip(rates, stepped, strict=True) for beta in one.plateaus)  # η λ_max
glue_all("saddle_to_saddle", n=n, d=d, jumps=len(stairs.times), drop=k_lost + 1, tall=5 * n, few=d - 2, wide_n=n + 2, wide_d=2 * d,
         alpha=start(lengths[0], ".3f"), starts=", ".join(map(start, lengths)), smallest=start(max(lengths)),
         typical=f"{typical:.2g}", typical_start=start(np.log(1e9) / typical), small=listed(small.delays(), ".4f"), small_p=listed(small.times + small.delays() / 25, ".4f"), small_m=listed(jumps(small, 25.0), ".4f"), last_0=f"{stairs.times[-1]:.2f}",
         last_m=f"{met[0][-1]:.4f}", last_p=f"{told[0][-1]:.4f}", steep=f"{steep:.2f}",
         drop_p=listed(stairs.plateaus[k_lost : k_lost + 2, thrown]), drop_m=listed(np.round(rested[0][k_lost - 1 : k_lost + 1, thrown], 3)),
         drop_powers=listed(np.round(tilted[k_lost - 1 : k_lost + 1, thrown], 3)), times_p=listed(told[0][-2:], ".4f"), times_m=listed(met[0][-2:], ".4f"),
         lasso=listed(lasso[-2:], ".2f"), thrown=thrown + 1, times_powers=listed(spoiled[-2:], ".2f"), zeroth=listed(stairs.times[-2:], ".2f"),
         end_p=f"{np.abs(ends[0]).sum():.4f}", end_m=f"{np.abs(rested[0][-1]).sum():.4f}", end_l2=f"{np.abs(least_norm(x, y).w).sum():.4f}",
         end_powers=f"{np.abs(last_powers).sum():.4f}", step=f"{rates[0]:.3f}", descent_p=listed(late_told[0, -2:], ".4f"), descent_m=listed(late[0, -2:], ".4f"),
         descent_first=f"{listed(first_order, '.4f')} (off by up to {np.abs(first_order - late[0, -2:]).max():.4f}, {tolerance_of('error', shorter):g} is allowed)", compared=sum(one.x.shape[1] for one in sets),
         sharpness=f"{stairs.sharpness:.2f}", sharpnesses=listed([one.sharpness for one in sets[1:]], ".2g"))

# %% [markdown]
# ## What would falsify it
#
# Data in general position on which the flow's jump times leave {eq}`staircase-delay` by errors that, as $\alpha\to0$, fall more slowly than $\alpha^{\rho'}$ for some $\rho'<\rho$. A start that tends to zero and whose plateaus stay away from those of the algorithm. A start that tends to zero and whose ends, for $n<d$, keep a larger $\sum|\beta_j|$ than a linear program finds.
#
# ## Differences from the paper
#
# - **Read.** The abstracts of {cite:t}`pesme2023`, {cite:t}`berthier2023`, {cite:t}`berthier2025` and {cite:t}`even2023`. Recalled, not read: the wording of the hypotheses, and that the time average follows the Lasso.
# - **Added.** The shifts and the size of what they leave, both formal. Starts with a power of their own. The staircase of gradient descent with steps of a finite size.
# - **Changed.** The flow is integrated in $n$ numbers that hold no small weights, for any $\alpha$.
# - **Not reproduced.** The proof of convergence, and its change of time to arc length.
#
# ## Scope
#
# - Two layers of one weight per feature, squared loss, full gradients. The network is linear in the input, and what is learned in steps is which features it uses.
# - It is a limit of very small starts. From the larger start in {numref}`figure-staircase` (thin curves) the steps are round already.
# - The data are in general position. Two equal columns tie, and so do two features that come to their walls together. The library refuses both, and names the two.
# - The error of {eq}`staircase-delay` is, formally, at most a constant times $\alpha^\rho$, and the constant of the times is not known. On the first set it falls faster, like $\alpha$ to the power {glue:text}`saddle_to_saddle_falls`. The claims on times allow ten times what $\Lambda$ was chosen for, where ten was chosen. The integral for $C_k$ has an error of its own. On a set whose last jump comes at 2081, so that the rule above passes it over, it is about $10^{-8}$ of the time.
# - Most sets have a small $\rho$, and there only an absurdly small $\alpha$ shows all steps.
#
# ## Exercises
#
# ```{exercise} Orthogonal features
# :label: exercise-staircase-orthogonal
#
# Let $X^\top X=nI$ and let $b=\frac1nX^\top y$ have entries of different sizes. When does each feature appear, and is one ever thrown out?
# ```
#
# ```{solution} exercise-staircase-orthogonal
# :class: dropdown
#
# The force on feature $j$ is $b_j$ until it appears, at $t=1/|b_j|$, and then $\beta_j=b_j$ for ever. No other force changes, so none is thrown out. The Lasso has its kinks at $1/\lambda=1/|b_j|$, the same times.
# ```
#
# ```{exercise} The first shift
# :label: exercise-staircase-delay
#
# Only the entering feature moves at the first jump. Solve its orbit, and show that $C_1=\frac{\ln(2|\beta_1|)+\ln(\sqrt2-1)}{2G}$, where $\beta_1$ is its first plateau.
# ```
#
# ```{solution} exercise-staircase-delay
# :class: dropdown
#
# With $b=|\beta|$ and the plateau $B=|\beta_1|$ the force is $G(1-b/B)$, so $\dot b=2Gb(1-b/B)$. The solution with $b\sim e^{2G\theta}$ has $\frac b{1-b/B}=e^{2G\theta}$. The loss above its plateau is in proportion to $(1-b/B)^2$, so half-way $1-b/B=1/\sqrt2$, and $e^{2G\theta_1}=B(\sqrt2-1)$. With $a=0$, $C_1=\frac{\ln2}{2G}+\theta_1$.
# ```
#
# ```{exercise} More samples than features
# :label: exercise-staircase-tall
#
# What is the end of the staircase if $n>d$ and the columns of $X$ are independent? Does the proposition on the end still say something?
# ```
#
# ```{solution} exercise-staircase-tall
# :class: dropdown
#
# Least squares, because that is the only minimizer of the loss. The proposition says nothing more, as there is nothing to select. The staircase then says only in which order the features come.
# ```
#
# ```{exercise} A larger start
# :label: exercise-staircase-larger
#
# Rerun the chapter with `digits = 5`. What changes in the first picture, and what in the table?
# ```
#
# ```{solution} exercise-staircase-larger
# :class: dropdown
#
# The thin curves get rounder. A jump takes twice as long in the unit of the picture, because $\Lambda$ is half as large. In the table nothing changes. Its $\alpha$ comes from the algorithm alone.
# ```
#
# ## Where to go next
#
# ```{next}
# The chapter on {doc}`diagonal networks <../initialization/diagonal_networks>` has the end of training from every start, small or large. Here we saw the way from the smallest. The chapter on {doc}`Adam <adam>` computes another path before training.
# ```
#
# ## References
#
# {cite:t}`pesme2023` have the staircase and its proof, {cite:t}`berthier2025` has the Lasso in it.
