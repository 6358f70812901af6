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
# # Cover the space and move slowly: what helps particles find the global minimum
#
# ```{question}
# ```
#
# A few particles stand at equal distances on a circle and look for five spikes. Their masses can grow and their positions can move, both along the gradient. With {glue:text}`guarantee_middle` particles, quick positions solve {glue:text}`guarantee_fast_middle` of {glue:text}`guarantee_draws` random problems. Positions {glue:text}`guarantee_slower` times slower solve {glue:text}`guarantee_slow_middle`, but only if one waits, because for a long time the quick ones are ahead. From half of the circle {glue:text}`guarantee_most` particles solve only {glue:text}`guarantee_half` of {glue:text}`guarantee_half_draws`, slow or quick.
#
# Why? Mass can only grow where a particle is. A quick particle runs into the nearest dip of the landscape before the masses have grown, and the dips of the early landscape do not all last. So a spike may find no particle left near it. A slow particle waits until the masses have sorted out which dips stay. Slowness makes up for about one missing particle, but not for an empty half.
#
# ```{hero}
# ```
#
# ## The statement
#
# As in {doc}`sparse_deconvolution`, particles with masses $a_i=r_i^2/m$ at $\theta_i$ on the torus $\Theta=[0,2\pi)^d$ carry the measure $\nu$, and $J(\nu)=R(\int\phi\,d\nu)+\lambda\nu(\Theta)$ is a convex function of it. They follow the *conic flow* $r_i'=-2\alpha r_iJ'_\nu(\theta_i)$, $\theta_i'=-\beta\nabla J'_\nu(\theta_i)$, with the speed $\alpha$ of the masses and $\beta$ of the positions. How well a start $\nu_0$ covers the torus is measured by $W_\infty(\nu_0,M\,\mathrm{vol})$, the farthest that mass travels when $\nu_0$ is made uniform.
#
# ```{prf:theorem} Chizat 2022, global convergence; as in Chizat's slides
# :label: theorem-guarantee
#
# Let $R$ be convex and smooth, $M,\epsilon>0$, and let $\nu_0$ have the mass $M\,\mathrm{vol}(\Theta)$. There are $C_1,C_2,C_3>0$ such that, if for some $\eta>0$
#
# $$\begin{gathered}\underbrace{W_\infty(\nu_0,M\,\mathrm{vol})<C_1\eta}_{\text{a fine cover}},\\
# \underbrace{\frac\beta\alpha<C_2\,\eta^{2(1+\epsilon)}}_{\text{slow positions}},\end{gathered}$$
#
# then $J(\nu_t)-J^*\le\eta$ for $\alpha t\ge C_3/\eta^{1+\epsilon}$. If the minimizer $\nu^*$ is non-degenerate and $\eta$ small enough, $\nu_t$ then converges to $\nu^*$, exponentially fast.
# ```
#
# The slides are {cite:t}`chizat2020slides`. The constants are not explicit {cite}`chizat2022`, and sufficient conditions cannot be tested by failures. A few particles at equal distances have $W_\infty=\pi/m$, hardly the fine cover of the theorem. So our experiment is about the direction of both effects. We test whether each of the two, slower positions and more particles, turns failures into successes, and we ask whether either condition is necessary.
#
# ## What we find
#
# How many of the {glue:text}`guarantee_draws` problems on the circle are solved?
#
# | positions | {glue:text}`guarantee_few` particles | {glue:text}`guarantee_middle` particles | {glue:text}`guarantee_most` particles |
# |---|---|---|---|
# | quick, $\beta/\alpha=$ {glue:text}`guarantee_ratio_fast` | {glue:text}`guarantee_fast_few` | {glue:text}`guarantee_fast_middle` | {glue:text}`guarantee_fast_most` |
# | slow, $\beta/\alpha=$ {glue:text}`guarantee_ratio_slow` | {glue:text}`guarantee_slow_few` | {glue:text}`guarantee_slow_middle` | {glue:text}`guarantee_slow_most` |
#
# From half of the circle {glue:text}`guarantee_most` slow particles solve {glue:text}`guarantee_half` of {glue:text}`guarantee_half_draws`. All runs from the whole circle are on the same problems, so we can compare problem by problem. On {glue:text}`guarantee_gained` problems slow positions succeed from more of the three starts ({glue:text}`guarantee_few`, {glue:text}`guarantee_middle`, {glue:text}`guarantee_most` particles) than quick ones, on {glue:text}`guarantee_lost` from fewer. If the ratio did not matter, a fair coin would decide each of these problems, and coins exceed a difference of {glue:text}`guarantee_chance` in at most one of twenty experiments (a one-sided test). In the same way {glue:text}`guarantee_most` particles solve {glue:text}`guarantee_cover_gained` problems at more of the two ratios than {glue:text}`guarantee_few`, and {glue:text}`guarantee_cover_lost` at fewer.
#
# In two dimensions, from a fine grid, the certified minimum is reached.
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [objective from a fine grid on the torus](limit), positions twice as quick as masses | {glue:text}`guarantee_J_p` (certified) | {glue:text}`guarantee_J_m` | | a corner of the torus: {glue:text}`guarantee_J_corner` |
# | [the same with signed spikes](signed), two copies of the torus | {glue:text}`guarantee_S_p` (certified) | {glue:text}`guarantee_S_m` | | a corner: {glue:text}`guarantee_S_corner` |
# ```
#
# The first row of this table shows that slow positions are not always needed: where the cover is fine, $\beta/\alpha=2$ does as well. That the condition is not necessary, whatever its constants, the smallest case shows. There a particle within $104.5°$ of the spike reaches it at every ratio.
#
# **What to remember?** Slow positions and more particles both turn failures into successes on these problems, and slowness makes up for about one missing particle. Neither makes up for an empty half of the circle, where {glue:text}`guarantee_half` of {glue:text}`guarantee_half_draws` problems are solved. On the torus with three spikes a quarter is cover enough. From a fine grid in two dimensions positions twice as quick as masses reach the minimum, too.
#
# ## The smallest case
#
# One spike of mass $c$ on the circle, known up to frequency $2$, and one particle at the distance $x$ from it. As in {doc}`sparse_deconvolution` the misfit depends on distances through $D(x)=1+2\cos x+2\cos2x$. The landscape at the particle is $5a-cD(x)+\lambda$, and its slope is $-cD'(x)$, because the particle's own mass pulls in no direction. So
#
# $$\begin{aligned}x'&=\beta c\,D'(x),\\D'(x)&=-2\sin x\,(1+4\cos x).\end{aligned}$$
#
# The particle climbs $D$. It reaches the spike if it starts within $\arccos(-\frac14)\approx104.5°$ of it. From farther away it runs to the *opposite* side, where $D$ has a second maximum, $D(\pi)=1$. There it stays with the mass $\frac{c-\lambda}5$, if $\lambda<c$. The landscape at the spike is then $\frac{c-\lambda}5-5c+\lambda<0$, so mass would grow there at once, but there is no particle to carry it. Of two particles at opposite places one is within $90°$ of the spike, so alone it would start towards it.
#
# ## Experiment
#
# On the circle we follow the flow itself, with error control, so that no step is too long for any ratio. The problems are the authors' setting, five spikes at random places with masses uniform in $[0,1]$, frequencies up to $8$ and $\lambda=0.3$. The particles start at $2\pi i/m$ with $r_i=\frac12$. The draws are ours. Problems whose minimizer is not certified are drawn again before any run, {glue:text}`guarantee_again` here. A problem is solved once the gap has come below $10^{-4}$, which is for good because $J$ falls along the flow. All runs go on to twice the horizon.

# %% tags=["hide-input"]
from bisect import bisect_left

import numpy as np
from matplotlib import pyplot as plt
from scipy.integrate import odeint
from scipy.stats import binom, binomtest

from implicit_bias.data import Deconvolution, random_spikes, three_spikes, torus_grid
from implicit_bias.figures import style
from implicit_bias.flows import ConicDescent, drive
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.measures import LocalRates, SparseMeasure, blasso, gathered, minimum_nearby
from implicit_bias.models.measures import CircleFlow, Clouds, ParticleMeasure
from implicit_bias.rates import log_log_slope, log_slope
from reproduce.claims import Altered, Claims, Rival, refined, rounding, standard_error
from reproduce.claims.glued import glue_all

claims = Claims("global_guarantee")

style.use_style()

# %% tags=["parameters"]
side: int = 10  # side of the grid of particles in two dimensions, √m, in [7, 30]
# because no ratio replaces a cover, and coarser grids were not tried
particles: list[int] = [7, 8, 9]  # numbers of particles m on the circle, each in [7, 10]
# because for five spikes nearly all runs fail with fewer at any ratio, and few with more
ratios: list[float] = [4.0, 0.015625]  # ratios β/α on the circle, each in [0.005, 16]
draws: int = 96  # random problems on the circle, in [96, 1000]
# because with fewer the sign test of the ratio misses too often
horizon: float = 4e4  # time αt on the circle; each run goes on to twice that, in [2e4, 1e5]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where len(set(particles)) >= 2 and min(ratios) <= 1 / 32 and max(ratios) >= 1

# %% tags=["hide-input"]
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
PENALTY, STEP, RADIUS = 1.0, 0.01, 0.5
planes = [three_spikes(), random_spikes(data_stream)]
limits = [blasso(problem, PENALTY) for problem in planes]
CIRCLE_PENALTY, BAR, EARLY = 0.3, 1e-4, 2.0
circles: list[Deconvolution] = []
circle_limits: list[SparseMeasure] = []
again = 0
while len(circles) < draws:
    circle = Deconvolution(data_stream.uniform(0, 2 * np.pi, (5, 1)), data_stream.uniform(0, 1, 5), 8)
    try:
        circle_limits.append(blasso(circle, CIRCLE_PENALTY))
    except CertificateError:  # before any run: the choice is blind to how descent ends
        again += 1
        if again > draws:
            raise
        continue
    circles.append(circle)
rates = [LocalRates(limit, 1.0, 1.0).rate for limit in limits]
certificates = [lim.certificate.worst for lim in limits + circle_limits if lim.certificate is not None]


def circle_places(m):
    """θ_i = 2πi/m."""
    return (2 * np.pi * np.arange(1, m + 1) / m)[:, None]


TIMES = np.unique([0, EARLY, 16, horizon, 2 * horizon, *np.geomspace(0.3, 2 * horizon, 80)[:-1]])
STATES = np.searchsorted(TIMES, [EARLY, horizon, 2 * horizon])
few, middle, most = min(particles), sorted(particles)[len(particles) // 2], max(particles)
fast, slow = max(ratios), min(ratios)
pairs = list(zip(circles, circle_limits, strict=True))
cells = [(m, ratio) for m in sorted(particles) for ratio in sorted(ratios, reverse=True)]


# %%
def follow(problem, places, ratio, times=TIMES, finer=1):
    """The flow at some times: J and the parameters (r, θ)."""
    measure = ParticleMeasure(problem, CIRCLE_PENALTY)
    flow = CircleFlow(measure, measure.parameters(places, RADIUS), 1.0, ratio)
    path, told = odeint(lambda theta, t: flow.velocity(theta), flow.start, times,
                        Dfun=lambda theta, t: flow.jacobian(theta),
                        rtol=1e-4 / finer, atol=1e-6 / finer, mxstep=100_000, full_output=True)
    assert told["message"] == "Integration successful.", told["message"]
    return measure, path


def arrive(problem, limit, places, ratio, finer=1):
    """When the gap comes below the bar (infinity: never), and where the flow stands."""
    measure, path = follow(problem, places, ratio, finer=finer)
    seen = bisect_left(path, True, key=lambda theta: measure.value(theta) - limit.value <= BAR)
    return (TIMES[seen] if seen < TIMES.size else np.inf), path[STATES]


runs = {(m, ratio): [arrive(*pair, circle_places(m), ratio) for pair in pairs]
        for m, ratio in cells}  # train
arrivals = {cell: np.array([time for time, _ in found]) for cell, found in runs.items()}
print(f"problems of {draws} whose gap to the certified J* falls below {BAR:g}")
print("particles  " + "".join(f"{f'β/α = {r:g}':>16}" for r in sorted(ratios, reverse=True)))
for m in sorted(particles):
    successes = [np.sum(arrivals[m, r] <= horizon) for r in sorted(ratios, reverse=True)]
    print(f"{m:>9}  " + "".join(f"{count:>16}" for count in successes))

# %% [markdown]
# What breaks convergence is an empty half of the circle. There we try every third problem. Of these {glue:text}`guarantee_half_draws`, quick positions solve {glue:text}`guarantee_half_fast` and slow ones {glue:text}`guarantee_half` with {glue:text}`guarantee_most` particles, and slow ones {glue:text}`guarantee_half_few` with {glue:text}`guarantee_few`.

# %% tags=["hide-input"]
HALF = slice(0, 96, 3)  # the draws that are tried on half of the circle
half = {(m, ratio): np.array([arrive(*pair, circle_places(m) / 2, ratio)[0] for pair in pairs[HALF]])
        for m, ratio in [(most, fast), (most, slow), (few, slow)]}
between = np.geomspace(slow, fast, 5)
steadily = [sum(arrive(*pair, circle_places(middle), ratio)[0] <= horizon for pair in pairs) for ratio in between[1:-1]]


def solved(times, until=horizon):
    """The number of runs that have succeeded by some time."""
    return int(np.sum(times <= until))


def transport(angles):
    """W_∞ between the uniform measures on some angles and on the circle, π times Kuiper's statistic."""
    turns = np.sort(angles) / (2 * np.pi)
    ranks = np.arange(1, turns.size + 1) / turns.size
    return np.pi * (np.max(ranks - turns) - np.min(ranks - 1 / turns.size - turns))


def in_words(ratio):
    """β/α as a label, below one as a fraction."""
    return f"{ratio:g}" if ratio >= 1 else f"1/{1 / ratio:g}"


# %% mystnb={"figure": {"caption": "Quick particles leave a spike behind, slow ones wait. Eight particles start at equal distances. (a) One of the problems that only slow positions solve. Each trail is a particle, the wider the more mass it carries, and time runs upwards. Dashed: the spikes of the certified minimizer. (b) The same start with slow positions.", "name": "figure-global-guarantee"}, "image": {"alt": "Two panels: trails of eight quick particles, which leave one of five spikes without mass; trails of eight slow particles, which reach all five", "classes": "panels-2"}} tags=["hero", "hide-input"]
strips = style.panels(2, (9.6, 4.6))
gained = np.flatnonzero((arrivals[middle, slow] <= horizon) & (arrivals[middle, fast] > horizon))
apart = [np.diff(np.sort(circle_limits[k].positions[:, 0])).min(initial=2 * np.pi) for k in gained]
shown = gained[np.argmax(apart)] if gained.size else 0
spikes, moments = circle_limits[shown].positions[:, 0], np.geomspace(1e-3, horizon, 600)
for ax, ratio, color, title in zip(strips, (fast, slow), ("orange", "blue"), ("(a) quick positions", "(b) slow positions"), strict=True):
    path = follow(circles[shown], circle_places(middle), ratio, np.append(0, moments))[1][1:]
    masses, places = path[:, :middle] ** 2 / middle, path[:, middle:] % (2 * np.pi)
    ax.scatter(places, np.repeat(moments, middle), 150 * masses, color=style.COLORS[color], linewidths=0)
    ax.vlines(spikes, 1e-3, horizon, color="black", linestyle="--", linewidth=1)
    far = np.abs(spikes[:, None] - places[-1, masses[-1] > 1e-3]).min(axis=1)
    if far.max() > 0.2:
        ax.annotate("left empty", (spikes[far.argmax()], 30), (3, 0), textcoords="offset points", rotation=90)
    ax.set(yscale="log", ylim=(1e-3, horizon), xlim=(0, 2 * np.pi), ylabel=r"time $\alpha t$", xlabel="place on the circle", title=rf"{title}, $\beta/\alpha={in_words(ratio)}$")
    ax.set_xticks([0, np.pi, 2 * np.pi], ["0", r"$\pi$", r"$2\pi$"])
plt.show()

# %% [markdown]
# Slowness costs time. For a long time, until $\alpha t\approx$ {glue:text}`guarantee_ahead`, more of the quick runs have arrived ({numref}`figure-global-time`), so a comparison that stops early has the order reversed. At $\alpha t=2$, the authors' $1000$ steps, none has arrived. Below $\beta/\alpha=1$ the number of successes rises as positions become slower, and above it hardly changes.

# %% mystnb={"figure": {"caption": "(a) Problems that are not solved yet, against time. Slow positions (blue) are late, and in the end fewer of them fail. At $\\alpha t=2$ (dotted) none has arrived. Grey: from half of the circle, with the largest number of particles and every third problem, quick (dashed) and slow. (b) Below $\\beta/\\alpha=1$, the slower the positions, the more problems are solved (Wilson's 95 % intervals).", "name": "figure-global-time"}, "image": {"alt": "Two panels: share of problems not yet solved against time, for quick and slow positions and from half of the circle; number of problems solved against the ratio of the speeds", "classes": "panels-2"}} tags=["hide-input"]
def with_bars(ax, places, counts, color):
    """Counts with Wilson's intervals at 95 %."""
    ends = [binomtest(int(count), draws).proportion_ci(method="wilson") for count in counts]
    errors = [counts - draws * np.array([ci.low for ci in ends]), draws * np.array([ci.high for ci in ends]) - counts]
    ax.errorbar(places, counts, errors, fmt="o-", capsize=4, color=style.COLORS[color])


ax, right = style.panels(2, (9.6, 4.0))
for times, color, dash in ((arrivals[middle, fast], "orange", "-"), (arrivals[middle, slow], "blue", "-"), (half[most, fast], "grey", "--"), (half[most, slow], "grey", "-")):
    ax.semilogx(TIMES[1:], [100 * np.mean(times > t) for t in TIMES[1:]], dash, color=style.COLORS[color])
ax.axvline(EARLY, color=style.COLORS["black"], linewidth=1, linestyle=":")
for place, name, color in (((3e3, 23), "quick", "orange"), ((150, 60), "slow", "blue"), ((40, 71), f"half is empty, $m={most}$,\n{len(pairs[HALF])} problems", "grey")):
    ax.text(*place, name, color=style.COLORS[color])
ax.set(xlabel=r"time $\alpha t$", ylabel="not solved yet, percent", ylim=(0, 105), title=f"(a) quick first, slow last, $m={middle}$")
with_bars(right, between, np.array([solved(arrivals[middle, slow]), *steadily, solved(arrivals[middle, fast])]), "green")
right.set(xscale="log", xlabel=r"ratio of the speeds $\beta/\alpha$", title=f"(b) solved of {draws}, $m={middle}$", ylim=(0, 1.04 * draws))
right.set_xticks(between, [in_words(round(ratio, 9)) for ratio in between])
plt.show()

# %% [markdown]
# ## Theory
#
# The idea of the proof: up to a fixed time the flow differs from mirror descent, $\beta=0$, by $O(\beta/\alpha)$, and mirror descent converges globally ({doc}`mirror_descent_rate`). Once below the level where the sharpness inequality holds, the flow converges by itself. What is explicit we predict:
#
# - *The value* $J^*$ is certified for every problem without particles, signed or not. A signed measure is a nonnegative one on two copies of $\Theta$ with features $\pm\phi$, and its {term}`certificate` is $|\langle\phi(\theta),\nabla R\rangle|\le\lambda$.
# - *The end.* The exponential rate $\rho$ of the gap is that of the linearization at $\nu^*$. Where the spread of the particles is its slowest part, $\rho$ is proportional to $\beta$, so the *larger* $\beta$ at the same $\alpha$, the sooner the end, once a run has come that far.
# - *The cover* and *the exponent of the weights*, by the two propositions that follow.
#
# ````{prf:proposition} The cover of the circle
# :label: proposition-cover
#
# A grid of $m$ cells of the torus has $W_\infty=\pi\sqrt d\,m^{-1/d}$. For $m$ particles of equal mass on the circle, $F$ and $F_m$ the uniform and the empirical distribution function,
#
# ```{math}
# :label: samples-cover
# \begin{aligned}W_\infty=\pi\bigl(&\max(F_m-F)\\
# &-\min(F_m-F)\bigr).\end{aligned}
# ```
#
# For independent uniform particles $\sqrt m\,W_\infty\to\pi K$ in law, where $K$ is the range of a Brownian bridge, $\mathbb EK=\sqrt{\pi/2}$.
# ````
#
# ````{prf:proof}
# The grid: {ref}`exercise-global-grid`. On the circle, to shift one distribution function against the other by a constant $c$ moves mass by at most $2\pi\max|F_m-F-c|$, which is least for $c$ in the middle of the range. No transport does better: what
# $\nu_0$ has on an arc arrives in that arc enlarged by $W_\infty$ at both ends, so that $(F_m-F)(t)-(F_m-F)(s)\le W_\infty/\pi$ for all $s,t$. $\sqrt m(F_m-F)$ tends to a Brownian bridge, and the mean of its
# range is twice that of its maximum. $\square$
# ````
#
# So samples cover like $m^{-1/2}$, not like the $m^{-1/d}=m^{-1}$ of a grid. In every dimension a cover to accuracy $\eta$ takes at least of the order of $\eta^{-d}$ particles.
#
# ````{prf:proposition} The exponent of the weights
# :label: proposition-exponent
#
# For $\nu=\frac1m\sum r_i^p\delta_{\theta_i}$ the {term}`gradient flow` of $J$ in the weights, with the metric $\frac1m\sum dr_i^2$, is $r_i'=-\alpha p\,r_i^{p-1}J'_\nu(\theta_i)$, and the masses $a_i=r_i^p/m$
# follow
#
# ```{math}
# :label: exponent-masses
# \begin{aligned}a_i'={}&-\alpha p^2\,m^{1-2/p}\\
# &\times a_i^{2-2/p}\,J'_\nu(\theta_i).\end{aligned}
# ```
# ````
#
# ````{prf:proof}
# $\partial J/\partial r_i=J'_\nu(\theta_i)\,\partial a_i/\partial r_i$ with $\partial a_i/\partial r_i=\frac pmr_i^{p-1}$, and $r_i=(ma_i)^{1/p}$. $\square$
# ````
#
# For $p=2$ the number of particles drops out: the flow is one of measures, and its updates are multiplicative. For $p=1$, $a_i'=-\frac\alpha mJ'$ as long as $a_i>0$; updates are additive and end at $0$,
# and the more particles there are the slower each mass moves. With one particle a spike both end at rates of $D\nabla^2J(a,\theta)$, $D$ being $\beta/a_i$ for positions and the factor of
# {eq}`exponent-masses` for masses.

# %% [markdown]
# ### The claims of the table
#
# On the same problems, which runs succeed at the smallest ratio and fail at the largest, and which the other way round? A problem counts once, as gained or lost by its runs over all $m$ together. If the ratio did not matter, gained and lost would be equally likely. So the difference has to exceed what a fair coin exceeds in one of twenty experiments. The same goes for the largest against the smallest number of particles, over both ratios. The {term}`control` has half of the circle. It fails at any ratio, so it shows what a lost cover does. What tests the ratio is the sign test.
#
# ```{claim} ratio
# :headline: problems lost and gained by the smallest ratio against the largest
# :source: Chizat 2022, global convergence: the condition on β/α
# :evidence: observed
# :because: chosen: what a fair coin exceeds in one of twenty experiments, among the problems that differ
# :control: the smallest ratio on half of the circle, against the largest on the whole
# :order: lost, gained
#
# at convergence more problems are solved at the smallest ratio of the speeds than at the largest
# ```
#
# ```{claim} cover
# :headline: problems lost and gained by the most particles against the fewest
# :source: Chizat 2022, global convergence: the condition on the cover; experiment on the circle
# :evidence: observed
# :because: chosen: what a fair coin exceeds in one of twenty experiments, among the problems that differ
# :control: the largest number on half of the circle, against the smallest on the whole
# :order: lost, gained
#
# at convergence more problems are solved from the largest number of particles than from the smallest
# ```

# %% tags=["hide-input"]
def lost_and_gained(better, worse):
    """In how many draws fewer, and in how many more, runs succeed in some cells than in others."""
    balances = sum((a <= horizon).astype(int) - (b <= horizon) for a, b in zip(better, worse, strict=True))
    return [int(np.sum(balances < 0)), int(np.sum(balances > 0))]


def by_chance(counts):
    """The difference that is exceeded with a probability of 5 % at most if lost and gained are equally likely."""
    differ = sum(counts)
    return float(2 * binom.isf(0.05, differ, 0.5) - differ)


by_ratio = lost_and_gained([arrivals[m, slow] for m in sorted(set(particles))], [arrivals[m, fast] for m in sorted(set(particles))])
by_cover = lost_and_gained([arrivals[most, r] for r in (fast, slow)], [arrivals[few, r] for r in (fast, slow)])
claims.increasing("ratio", by_ratio, level=by_chance(by_ratio) + 1,
                  control=lost_and_gained([half[most, slow]], [arrivals[most, fast][HALF]]))
claims.increasing("cover", by_cover, level=by_chance(by_cover) + 1,
                  control=lost_and_gained([half[most, slow]], [arrivals[few, slow][HALF]]))

# %% [markdown]
# In two dimensions conic descent starts from a grid of particles over the whole torus, over each of its quarters $[0,\pi]^2$, …, and over the square $[0,\frac\pi2]^2$. The problems are the authors' three spikes and three drawn ones, $\lambda=1$, frequencies up to $2$. The ratio belongs to the flow. Steps must be short besides, or particles jump over the minima of $J'$: $\beta\|\nabla^2J'\|<1$, where
#
# $$\begin{aligned}\|\nabla^2J'_\nu\|&\le\|\nu-\hat\nu\|\sup_{|v|=1}\sum_k(k\cdot v)^2\\&=50\,\|\nu-\hat\nu\|\end{aligned}$$
#
# and $\hat\nu$ is the measure that is to be found. At the start $\|\nabla^2J'\|$ itself is at most 68 on the authors' problem, less than half of this estimate, so $\beta=0.01$ keeps below 1 and $\beta=0.02$ does not. So the larger of both steps is $0.01$, and rates are per unit of $\alpha t$.

# %% tags=["hide-input"]
def descend(problem, starts, steps, beta, alpha=STEP, signs=None, record=()):
    """Conic descent from equal weights, from several starts side by side: the measure, the times and the states of each."""
    measure = ParticleMeasure(problem, PENALTY, signs)
    clouds = Clouds(measure, len(starts))
    stepper, start = ConicDescent(clouds, alpha, beta), clouds.together([measure.parameters(one, RADIUS) for one in starts])
    run = drive(stepper, start, t_end=int(np.ceil(steps)), record=record).demand()
    return measure, run.t, clouds.apart(run.theta)


def steps_of(speed):
    """α and β of a ratio β/α: the larger one is the step size."""
    return STEP / max(speed, 1.0), STEP * min(speed, 1.0)


def endings(problem, *settings, **more):
    """J there, from each start."""
    measure, _, ended = descend(problem, *settings, **more)
    return [measure.value(states[-1]) for states in ended]


def derived_end(limit, places, left):
    """What is left of J at the start after some e-foldings, rounding of J's sums, and the gap of the certificate of J*."""
    start = SparseMeasure(limit.problem, PENALTY, places, np.full(len(places), RADIUS**2 / len(places))).value
    return np.exp(-left) * start + rounding(len(places), limit.value) + limit.certificate.worst * limit.value


RECORDS = 400  # states of a run, its start and end among them


def late_run(problem, limit, speed, starts, steps=0):
    """Through 36 e-foldings of the gap at the rate ρ of a ratio β/α, recorded, and on to a number of steps."""
    alpha, beta = steps_of(speed)
    until = int(np.ceil(36 / (LocalRates(limit, 1.0, speed).rate * alpha)))
    return descend(problem, starts, max(until, steps), beta, alpha, record=np.linspace(0, until, RECORDS)[1:])


grid = torus_grid(side, 2)
corner = grid / 4  # the square [0, π/2]²
quarters = [grid / 2 + np.pi * np.array(at) for at in ((0, 0), (1, 0), (0, 1), (1, 1))]
authors, authors_limit = planes[0], limits[0]
alpha, beta = steps_of(2.0)
long_runs = [40 / LocalRates(limit, alpha, beta).rate for limit in limits]
quick = [late_run(problem, limit, 2.0, (grid, corner), steps) for problem, limit, steps in zip(planes, limits, long_runs, strict=True)]
reached, cornered = ([measure.value(states[k][-1]) for measure, _, states in quick] for k in (0, 1))
from_quarters = endings(authors, quarters, 40 / (rates[0] * STEP), STEP)

# %% [markdown]
# From a grid over the whole torus the certified minimum is reached with $\beta=2\alpha$, too. The control starts on the square $[0,\frac\pi2]^2$.
#
# ```{claim} limit
# :headline: J at the end, fine cover
# :source: Chizat 2022, global convergence; the rule for β/α is not necessary
# :evidence: trained and compared
# :because: e^(−40) of J is left, its terms are rounded, and J* is known up to its duality gap
# :control: as many particles on the square [0, π/2]²
#
# from a fine cover of the torus descent reaches the certified minimum although positions move twice as fast
# as masses
# ```

# %% tags=["hide-input"]
least = [limit.value for limit in limits]
claims.limit(  # tolerance: the certificate's gap
    "limit", least, reached, error=max(derived_end(limit, grid, 40) for limit in limits), control=cornered)

# %% [markdown]
# Signed spikes. The second mass of each problem is taken negative, and every particle of the grid gets a partner of the other sign. The prediction is the certified signed minimum; the control
# starts as many, of both signs, on the square $[0,\frac\pi2]^2$.
#
# ```{claim} signed
# :headline: J at the end with signed spikes, two copies of the torus
# :source: Chizat 2022, signed measures by doubling
# :evidence: trained and compared
# :because: e^(−60) of J is left where the spread is the slowest mode; rounding and the certificate as before
# :control: as many particles of both signs on the square [0, π/2]²
#
# on two copies of the torus descent reaches the certified minimum over signed measures
# ```


# %% tags=["hide-input"]
signed_ends, signed_cornered, signed_limits = [], [], []
for problem in planes:
    flipped = Deconvolution(problem.positions, problem.masses * np.array([1, -1, 1]), 2)
    limit = blasso(flipped, PENALTY, signed=True)
    least_curvatures = np.array([np.linalg.eigvalsh(np.sign(a) * h)[0]
                                 for a, h in zip(limit.masses, limit.variation(limit.positions)[2], strict=True)])
    steps = 60 / (min(2 * least_curvatures.min(), 4.0) * STEP)
    signed_limits.append(limit)
    # from two copies of a start, one of each sign
    found = endings(flipped, [np.vstack([start, start]) for start in (grid, corner)], steps, STEP, signs=np.repeat([1.0, -1.0], len(grid)))
    signed_ends.append(found[0])
    signed_cornered.append(found[1])
claims.limit("signed", [limit.value for limit in signed_limits], signed_ends,
             error=max(derived_end(limit, np.vstack([grid, grid]), 60) for limit in signed_limits),
             control=signed_cornered)

# %% tags=["hide-input"]
glue_all("guarantee", few=str(few), middle=str(middle), most=str(most), draws=str(draws), slower=f"{fast / slow:.0f}",
         fast_middle=str(solved(arrivals[middle, fast])), slow_middle=str(solved(arrivals[middle, slow])), fast_few=str(solved(arrivals[few, fast])), slow_few=str(solved(arrivals[few, slow])), fast_most=str(solved(arrivals[most, fast])), slow_most=str(solved(arrivals[most, slow])),
         half=str(solved(half[most, slow])), half_draws=str(len(pairs[HALF])), ratio_slow=in_words(slow), ratio_fast=in_words(fast),
         half_fast=str(solved(half[most, fast])), half_few=str(solved(half[few, slow])), again=str(again) if again else "none",
         ahead=f"{max((t for t in TIMES if solved(arrivals[middle, fast], t) > solved(arrivals[middle, slow], t)), default=0) / 10:.0f}0",
         cover_gained=str(by_cover[1]), cover_lost=str(by_cover[0]),
         lost=str(by_ratio[0]), gained=str(by_ratio[1]), chance=f"{by_chance(by_ratio):.0f}")
glue_all("guarantee", ".9f", J_p=least[0], J_m=reached[0], S_p=signed_limits[0].value, S_m=signed_ends[0])
glue_all("guarantee", ".3f", J_corner=cornered[0], S_corner=signed_cornered[0])

# %% [markdown]
# ## Instruments
#
# What the comparison rests on: the cover of the starts, whether the runs have converged, what happens where the cover is fine, the perturbation behind the proof, samples and exponents.
#
# ### The cover of the starts
#
# ```{claim} places
# :evidence: float with residual
# :because: eight roundings of shares of the circle, times π
# :contrast: half of the circle
#
# the start of m particles covers the circle to π/m
# ```

# %% tags=["hide-input"]
claims.identity("places", [np.pi / m for m in sorted(set(particles))],
                [transport(circle_places(m)[:, 0]) for m in sorted(set(particles))], error=rounding(8, np.pi),
                control=[transport(circle_places(m)[:, 0] / 2) for m in sorted(set(particles))])

# %% [markdown]
# ### Convergence
#
# Have the runs converged? Twice the horizon changes no share of successes by more than one draw, judged by the gap at the end; at $\alpha t=2$, the authors' $1000$ steps with $\alpha=0.002$, they have not, and the shares say nothing of
# success. And where are those that fail? Leave out the particles without mass, put together those at one place, and start Newton's method from the state at the horizon: it finds a stationary point next to it. The Hessian
# is positive there, so that it is a strict local minimum in masses and positions, and its value is that of the run to a hundredth of the bar. The control takes the same runs at $\alpha t=2$.
#
# ```{claim} settled
# :source: observed in this chapter
# :evidence: observed
# :because: one draw in a cell may cross the bar between, where a minimum is close to degenerate; shares are
#   counts, and 1.5 is beyond the rounding of 1
# :contrast: the runs at αt = 2
#
# twice the horizon changes the successes by more than one draw in no cell
# ```
#
# ```{claim} integrator
# :source: observed in this chapter
# :evidence: observed
# :because: a run whose gap ends close to the bar may cross it; shares are counts, and 1.5 is beyond the rounding of 1
# :contrast: the runs at αt = 2
#
# a hundredth of the integrator's tolerances changes the successes of every third problem by more than one in no
# cell
# ```
#
# ```{claim} stuck
# :source: observed in this chapter
# :evidence: observed
# :because: minima close to degenerate are approached at rates of every order: two runs may still move; shares
#   are counts, and 2.5 is beyond the rounding of 2
# :contrast: the same runs at αt = 2
#
# all but two at most of the runs that fail stood at strict local minima at the horizon already
# ```


# %% tags=["hide-input"]
def shares(until):
    """The share of successes by some time in each cell."""
    return [solved(arrivals[cell], until) / draws for cell in cells]


ended = np.array([[ParticleMeasure(p, CIRCLE_PENALTY).value(states[-1]) - lim.value
                   for (p, lim), (_, states) in zip(pairs, runs[c], strict=True)] for c in cells])
glue_all("guarantee", low=str(np.sum(np.any((ended > 1e-7) & (ended <= BAR), axis=0))))
claims.identity("settled", np.mean(ended <= 1.01 * BAR, axis=1), shares(horizon), level=1.5 / draws, control=shares(EARLY))
third = pairs[HALF]
finer = {(m, ratio): np.array([arrive(*pair, circle_places(m), ratio, finer=100)[0] for pair in third]) for m, ratio in cells}
moved = sum(int(np.sum((finer[cell] <= horizon) != (arrivals[cell][HALF] <= horizon))) for cell in cells)
glue_all("guarantee", moved=str(moved) if moved else "none", finer=str(len(third) * len(cells)))
claims.identity("integrator", [solved(arrivals[cell][HALF]) / len(third) for cell in cells],
                [solved(finer[cell]) / len(third) for cell in cells], level=1.5 / len(third),
                control=[solved(arrivals[cell][HALF], EARLY) / len(third) for cell in cells])


def stands_still(problem, theta):
    """Whether Newton's method in masses and positions leads to a strict local minimum, and to one of the same value."""
    measure = ParticleMeasure(problem, CIRCLE_PENALTY)
    at = minimum_nearby(gathered(problem, CIRCLE_PENALTY, measure.positions(theta), measure.masses(theta)))
    return at is not None and abs(measure.value(theta) - at.value) < BAR / 100


failed = [(problem, states) for found in runs.values()
          for problem, (time, states) in zip(circles, found, strict=True) if np.isinf(time)]
claims.identity("stuck", 1.0, np.mean([stands_still(problem, states[1]) for problem, states in failed]),
                level=2.5 / len(failed),
                control=np.mean([stands_still(problem, states[0]) for problem, states in failed]))

# %% [markdown]
# ### Where the cover is fine
#
# The minimum is also reached from each *quarter* of the torus, a square of side $\pi$: that is cover
# enough for these spikes. The square $[0,\frac\pi2]^2$ is not. All its particles are caught by the one minimum of $J'$ near it; the mass there grows until $J'=0$ at that place, while
# elsewhere $J'<0$ and there is no particle that could grow.

# %% [markdown]
# *Speed at fixed $\alpha$.* At equal steps particles that move faster end sooner, as the end's rate predicts.

# %% tags=["hide-input"]
# Equal α and equally many steps: only β differs.
STEPS, BETAS = 2000, [0.0025, 0.005, 0.01]
moments = np.unique(np.round(np.linspace(1, 4000, 200))).astype(float)


def falling(places, beta):
    """The gaps of the authors' problem at the recorded steps, α = 0.01, from each of some starts."""
    measure, _, runs_of = descend(authors, places, 4000, beta, record=moments[:-1])
    return [np.array([measure.value(theta) for theta in states[1:]]) - authors_limit.value for states in runs_of]


def curvature(problem):
    """The greatest curvature of J′ at the start."""
    start = SparseMeasure(problem, PENALTY, grid, np.full(len(grid), RADIUS**2 / len(grid)))
    return float(np.abs(np.linalg.eigvalsh(start.variation(torus_grid(60, 2))[2])).max())


both_falls = {beta: falling((grid, corner), beta) for beta in BETAS}
falls = {beta: fall for beta, (fall, _) in both_falls.items()} | {0.02: falling((grid,), 0.02)[0]}
cornered_falls = [fall for _, fall in both_falls.values()]
stated = int(np.searchsorted(moments, STEPS))

# %% mystnb={"figure": {"caption": "(a) The authors' spikes in two dimensions, $\\alpha=0.01$ fixed. At equal steps particles that move faster end sooner; the gap is stated at $2000$ steps (dotted). $\\beta=0.02$ (dashed) exceeds the bound on the steps at the start. From the square $[0,\\frac\\pi2]^2$ (grey) none arrives. (b) Samples cover the circle like $m^{-1/2}$, a grid like $m^{-1}$.", "name": "figure-global-speed"}, "image": {"alt": "Two panels: gap against the number of steps for four step sizes of the positions and from a small square; transport distance to the uniform measure against the number of particles", "classes": "panels-2"}} tags=["hide-input"]
left, right = style.panels(2, (9.6, 4.0))
for step, color in zip([*BETAS, 0.02], ("sky", "blue", "green", "purple"), strict=True):
    seen = falls[step] > 1e-14
    dash = "-" if step in BETAS else "--"
    left.semilogy(moments[seen], falls[step][seen], dash, color=style.COLORS[color], label=rf"$\beta={step:g}$")
left.semilogy(moments, np.transpose(cornered_falls), color=style.COLORS["grey"], linewidth=1.5)
left.annotate(r"from $[0,\pi/2]^2$", (4000, cornered_falls[-1][-1]), (0, -14), ha="right", fontsize=11, textcoords="offset points")  # fmt: skip
left.axvline(STEPS, color=style.COLORS["black"], linewidth=1, linestyle=":")
left.set(xlabel="steps", ylabel=r"$J(\nu)-J^*$", title="(a) quicker ends sooner if the cover is fine", ylim=(1e-14, 100))
left.legend(loc="lower left", fontsize=11)
sizes = np.array([64, 128, 256, 512, 1024, 2048])
figure_stream = np.random.default_rng(1)
right.loglog(sizes, [np.mean([transport(figure_stream.uniform(0, 2 * np.pi, m)) for _ in range(100)]) for m in sizes],
             "o", label="samples")
right.loglog(sizes, [transport(torus_grid(int(m), 1)[:, 0]) for m in sizes], "s", color=style.COLORS["green"], label="grid")
style.theory(right, sizes, np.pi * np.sqrt(np.pi / 2 / sizes), r"$\pi\,\mathrm{E}K/\sqrt{m}$ and $\pi/m$")
style.theory(right, sizes, np.pi / sizes)
right.set(xlabel=r"$m$", ylabel=r"$W_\infty$", title="(b) how well $m$ particles cover", ylim=(1e-3, 4))
right.legend(loc="lower left", fontsize=11)
plt.show()

# %% [markdown]
# ```{claim} quarter
# :source: measured in this chapter
# :evidence: trained and compared
# :because: as from the whole torus
# :control: a quarter of a quarter, the square [0, π/2]²
#
# on the authors' problem each quarter of the torus, with equal steps, is cover enough
# ```
#
# ```{claim} rate
# :source: derived in the chapter on sparse deconvolution
# :evidence: trained and compared
# :because: the rate is that of the limit; what the deviations, of the order of the root of the gap, still
#   bend, from the same run between gaps ten times as large; particles that still leave a saddle of J′, where
#   the gap's share in them falls more slowly; rounding at 1e-11
# :contrast: each run against the rate predicted for twice its ratio
#
# at every ratio the gap ends at the rate predicted for that ratio, or faster
# ```
#
# ```{claim} speed
# :source: derived in this chapter: the spread's rates are proportional to β
# :evidence: trained and compared
# :because: the end's rates alone would leave e^(−3.5) or less; a factor 2 of it is asked, as the way there
#   has no rate
# :control: as many particles on the square [0, π/2]²
# :order: −ln gap at β = 0.0025, 0.005, 0.01
#
# on the authors' problem, at equal α, twice the β leaves at most half of the gap after 2000 steps
# ```

# %% tags=["hide-input"]
claims.limit(  # tolerance: the certificate's gap
    "quarter", authors_limit.value, from_quarters, error=max(derived_end(authors_limit, quarter, 40) for quarter in quarters),
    control=cornered[0])


def derived_transit(local, rate, measure, theta, gap):
    """By what part the gap falls slower than at the rate ρ, since some particles still leave a place where J′ is not convex."""
    value, _, bend = local.limit.variation(measure.positions(theta))
    leaving = np.linalg.eigvalsh(bend)[:, 0] <= 0
    if not leaving.any():
        return 0.0
    slower = 1 - local.quotient(measure.positions(theta)[leaving]) / rate
    return np.sum(measure.masses(theta)[leaving] * value[leaving] * np.maximum(slower, 0)) / gap


def late_rates(limit, speed, measure, times, runs_of):
    """The rates, per unit of αt, at which the gap falls from 1e-7 to 1e-11 and from 1e-6 to 1e-10.

    In the run's second half if it does not. And by what part the first is lower because of particles that still leave.
    """
    local = LocalRates(limit, 1.0, speed)
    rate, alpha = local.rate, steps_of(speed)[0]
    times, states = times[:RECORDS], runs_of[0][:RECORDS]
    gaps = np.array([measure.value(theta) for theta in states]) - limit.value
    windows = [(gaps < top) & (gaps > 1e-4 * top) for top in (1e-7, 1e-6)]
    windows = [window if window.sum() >= 3 else times > times[-1] / 2 for window in windows]
    fallen = [-log_slope(alpha * times[window], gaps[window]) for window in windows]
    few = np.flatnonzero(windows[0])[::10]
    return [*fallen, np.mean([derived_transit(local, rate, measure, states[k], gaps[k]) for k in few])]


LATE = [0.5, 1.0, 2.0]
late = np.array([[late_rates(lim, v, *run) for v, run in zip(LATE, [*(late_run(p, lim, v, (grid,)) for v in LATE[:-1]), last], strict=True)]
                 for p, lim, last in zip(planes, limits, quick, strict=True)])
late_predicted = np.array([[LocalRates(lim, 1.0, v).rate for v in LATE] for lim in limits])
derived_late = np.minimum(late[..., :2] / late_predicted[..., None], 1)  # faster is allowed
derived_bend = refined(derived_late[..., 0], derived_late[..., 1], ratio=10, order=1 / 2)
derived_floor = rounding(len(grid), max(limit.value for limit in limits)) / 1e-11 / np.log(1e4)
claims.above("rate", 1.0, np.ravel(late[..., 0] / late_predicted),
             error=derived_bend + derived_floor + late[..., 2].max(), control=np.ravel(late[..., 0] / [[LocalRates(lim, 1.0, 2 * v).rate for v in LATE] for lim in limits]))
claims.increasing("speed", [-np.log(falls[b][stated]) for b in BETAS], level=float(np.log(2)),
                  control=[-np.log(f[stated]) for f in cornered_falls])

# %% [markdown]
# ### Perturbed mirror descent
#
# The idea of the proof: up to a fixed time the flow is a perturbation of mirror descent, of first order in $\beta/\alpha$. With $n$ steps and the greatest curvature $L$ of $J'$ at the start, the relative size of the next order
# is $\frac12n\beta L$, which bends the slope between $\beta$ and $\beta/4$ by $\frac38n\beta L/\ln4$. The control has ratios of order one and thirty times as many steps, $n\beta L\gg1$: the difference then is what mirror
# descent still has to go, whatever $\beta$.
#
# ```{claim} perturbed
# :source: Chizat 2022, perturbed mirror descent
# :evidence: trained and compared
# :because: the bend by the second order, computed from the curvature at the start
# :control: ratios of order one, thirty times later
#
# at a fixed time the flow differs from mirror descent in proportion to β/α
# ```

# %% tags=["hide-input"]
SMALL, FIXED = np.array([1 / 256, 1 / 512, 1 / 1024]), 50


def perturbation(problem, steps, speeds):
    """The order in β with which J(ν_t) differs from that of mirror descent after a number of steps."""
    values = [endings(problem, (grid,), steps, beta)[0] for beta in [0.0, *(speeds * STEP)]]
    return log_log_slope(speeds, np.abs(np.array(values[1:]) - values[0]))


derived_order = 3 / 8 * FIXED * SMALL[0] * STEP * max(curvature(problem) for problem in planes) / np.log(4)
claims.rate("perturbed", 1.0, [perturbation(problem, FIXED, SMALL) for problem in planes], error=derived_order,
            control=[perturbation(problem, 30 * FIXED, 512 * SMALL) for problem in planes])

# %% [markdown]
# ### Samples and exponents
#
# Samples cover the circle more slowly than the slides' $m^{-1/d}$: the exponent is $-\frac12$ by {prf:ref}`proposition-cover`, and the mean of $K$ is $\sqrt{\pi/2}$. At $m$ particles it is lower by $\frac1{3\sqrt m}$ to next order, as
# Smirnov's $P(\sqrt m\max(F_m-F)>x)\approx e^{-2x^2}(1-\frac{2x}{3\sqrt m})$ says of each of both sides. The grid is the control, its exponent
# $-1$ the {term}`rival`.
#
# ```{claim} samples
# :evidence: float with residual
# :because: one standard error of the slope, and the slope of the next order in m
# :contrast: a grid
# :rival: m^(−1/d)
#
# independent samples cover the circle at the rate of the square root of m
# ```
#
# ```{claim} range
# :source: derived in this chapter; the range is Kuiper's statistic
# :evidence: float with residual
# :because: one standard error of the mean of 400 draws, and the next order at m = 4096
# :contrast: a grid
#
# the distance of m independent samples from uniform, times √m, is π times the mean range of a Brownian bridge
# ```

# %% tags=["hide-input"]
COUNTS, REPEATS = np.array([64, 256, 1024, 4096]), 400
distances = np.array([[transport(initialization_stream.uniform(0, 2 * np.pi, m)) for _ in range(REPEATS)]
                      for m in COUNTS])
means = distances.mean(axis=1)
regular = np.array([transport(torus_grid(int(m), 1)[:, 0]) for m in COUNTS])
derived_draws = standard_error(distances, axis=1) / means
derived_low = 1 / (3 * np.sqrt(np.pi / 2 * COUNTS))  # by which the mean at m particles is lower, relative
derived_logs = np.log(COUNTS) - np.log(COUNTS).mean()
claims.rate("samples", -0.5, log_log_slope(COUNTS, means),
            error=derived_draws.max() / np.linalg.norm(derived_logs) + abs(log_log_slope(COUNTS, 1 - derived_low)),
            control=log_log_slope(COUNTS, regular), rival=Rival(-1.0, factor=10))
claims.limit("range", np.pi * np.sqrt(np.pi / 2), means[-1] * np.sqrt(COUNTS[-1]), relative=True,
             error=derived_draws[-1] + derived_low[-1], control=regular[-1] * np.sqrt(COUNTS[-1]))

# %% [markdown]
# The exponent $p=1$: with $\nu=\frac1m\sum r_i\delta_{\theta_i}$ the updates are additive, $r_i\leftarrow\max(r_i-\alpha J',0)$: the same minimum, and most particles away from the spikes have
# mass exactly $0$, which multiplicative updates never reach.
#
# ```{claim} additive
# :source: Chizat 2022, the exponent p
# :evidence: trained and compared
# :because: e^(−40) of J is left where the spread is the slowest mode; rounding and the certificate as before
# :control: on the authors' problem as many particles on the square [0, π/2]²
#
# additive updates of the weights reach the same minimum
# ```

# %% tags=["hide-input"]
ADDITIVE = 0.05


def additive(problem, starts, steps):
    """J and the number of particles without mass at the end of additive descent, from each start."""
    plain = ParticleMeasure(problem, PENALTY, power=1)
    clouds = Clouds(plain, len(starts))
    stepper, start = ConicDescent(clouds, ADDITIVE, STEP, "additive"), clouds.together([plain.parameters(one, RADIUS**2) for one in starts])
    ended = clouds.apart(drive(stepper, start, t_end=int(steps)).theta[-1:])
    return [(plain.value(theta), int(np.sum(plain.masses(theta) == 0))) for (theta,) in ended]


of_grid, of_corner = zip(*(additive(problem, (grid, corner), 40 / (rate * STEP)) for problem, rate in zip(planes, rates, strict=True)),
                         strict=True)
additive_ends, zeros = zip(*of_grid, strict=True)
additive_far = [of_corner[0][0], *additive_ends[1:]]
print("particles with mass 0 after additive updates:", min(zeros) > 0)
claims.limit(  # tolerance: the certificate's gap
    "additive", [limit.value for limit in limits], additive_ends,
    error=max(derived_end(limit, grid, 40) for limit in limits), control=additive_far)

# %% [markdown]
# At the end, both exponents against {eq}`exponent-masses`: one particle a spike, started within a hundredth of the minimizer, alone or with three times as many idle ones that carry no mass. The slowest
# mode of the steps falls like $(1-\mu)^{\text{step}}$, $\mu$ the least eigenvalue of $D\nabla^2J$. For $p=2$ the idle particles change nothing, for $p=1$ they do. The control
# exchanges the two formulas.
#
# ```{claim} exponent
# :evidence: trained and compared
# :because: the steps' rounding over deviations of 1e-11 at the end; those below 1e-8 are linear, and the
#   other modes are projected out
# :control: each with the formula of the other exponent
#
# at the end squared weights forget the number of particles, plain weights do not: both at their predicted
# rates
# ```


# %% tags=["hide-input"]
def last_rates(problem, limit, power, particles):
    """The rate of the slowest mode per step: measured, predicted for this exponent, for the other; the derived error."""
    measure = ParticleMeasure(problem, PENALTY, power=power)
    alpha = STEP if power == 2 else ADDITIVE
    local = LocalRates(limit, alpha, STEP)
    (mu, dual), other = local.of_exponent(power, particles), local.of_exponent(3 - power, particles)[0]
    s = limit.masses.size
    start = limit.moved(0.01 * initialization_stream.uniform(-1, 1, 3 * s))
    idle = grid[np.argmax(limit.variation(grid)[0])]
    masses = np.append(start.masses, np.zeros(particles - s))
    places = np.vstack([start.positions, np.tile(idle, (particles - s, 1))])
    theta = np.concatenate([(particles * masses) ** (1 / power), places.T.ravel()])
    steps = int(30 / mu[0])
    stepper = ConicDescent(measure, alpha, STEP, "mirror" if power == 2 else "additive")
    run = drive(stepper, theta, t_end=steps, record=np.arange(1.0, steps))
    off = [np.append(measure.masses(th)[:s] - limit.masses, (measure.positions(th)[:s] - limit.positions).ravel())
           for th in run.theta]
    size = np.abs(np.array(off) @ dual[:, 0])
    window = (size < 1e-8) & (size > 1e-11)
    assert window.sum() > 10
    # Each step rounds angles up to 2π, at random, and μ lets that decay; at the end of ln 1000 e-foldings it bends most.
    derived_rounding = rounding(size=2 * np.pi * np.linalg.norm(dual[:, 0]), condition=(2 * mu[0]) ** -0.5)
    derived = derived_rounding / 1e-11 / np.log(1e3) + 1e-8
    return -log_slope(run.t[window], size[window]), -np.log(1 - mu[0]), -np.log(1 - other[0]), derived


pairs = [[last_rates(problem, limit, power, count * limit.masses.size) for power in (2, 1) for count in (1, 4)]
         for problem, limit in zip(planes, limits, strict=True)]
last, foreseen, exchanged, derived_ends = np.array(pairs).reshape(-1, 4).T
claims.rate("exponent", foreseen, last, relative="each", error=derived_ends.max(),
            control=Altered(last, theory=exchanged))

# %% [markdown]
# ## What would falsify it
#
# As many successes at the largest ratio as at the smallest. Failures that twice the horizon turns into successes. A grid over the whole torus that ends above the certified minimum. An order other than one of the perturbation. A signed problem whose doubled descent ends elsewhere than at the certified value.
#
# ## Differences from the paper
#
# - **Changed.** The authors' table is the mean excess over the best run after $1000$ steps, in units of its maximum, on their own random stream. It is a table of unfinished runs and cannot be compared with counts of successes. Our runs go on until they have converged, and are judged against the certified minimum.
# - **Changed.** The bar of $10^{-4}$ is ours. Some problems have local minima below it, spikes so close that one particle does nearly as well as two. On {glue:text}`guarantee_low` of the {glue:text}`guarantee_draws` problems some run ends at such a minimum, and it counts as solved.
# - **Corrected.** The slides count $m^{-1/d}$ for samples as well as for a grid. That is right for a grid. On the circle samples cover like $m^{-1/2}$, by {prf:ref}`proposition-cover`.
# - **Not tested.** The theorem's constants, which are not explicit.
#
# ## Scope
#
# - Some runs wait at a saddle, and then rounding and the integrator's errors have a say in when they leave it. So a single run can depend on the tolerances, also where these are small. With a hundredth of them {glue:text}`guarantee_moved` of {glue:text}`guarantee_finer` runs changes. The comparison of the counts does not hang on single runs.
# - We observe that slower positions and more particles each turn failures into successes, on the circle, for five spikes.
# - Neither condition is necessary. On a fine grid in two dimensions $\beta/\alpha=2$ suffices as well. Each of four quarters of the authors' torus is cover enough, and half of the circle in {glue:text}`guarantee_half` of {glue:text}`guarantee_half_draws` problems.
# - The ratio is not the length of the steps. With $\beta\|\nabla^2J'\|>1$ at the start, particles that jump may leave a part of the torus without cover, and descent can end above the minimum at any ratio. It need not: $\beta=0.02$ exceeds the bound, and on the authors' spikes it ends soonest.
# - A cover to accuracy $\eta$ takes of the order of $\eta^{-d}$ particles, so this is no method for high dimension.
#
# ## Exercises
#
# ````{exercise} A lower frequency
# :label: exercise-global-smallest
#
# In the smallest case let the spike be known up to frequency $1$ only, $D(x)=1+2\cos x$. From which distances does a single particle reach the spike?
# ````
#
# ````{solution} exercise-global-smallest
# :class: dropdown
#
# $D'(x)=-2\sin x$ has no zero between $0$ and $\pi$, so the particle climbs to the spike from everywhere but the exact opposite. With frequency $2$, in the smallest case, there is a trap at the opposite place. With frequency $1$ there is none.
# ````
#
# ````{exercise} The cover of a grid
# :label: exercise-global-grid
#
# Show that $m$ cells of a square grid have $W_\infty=\pi\sqrt d\,m^{-1/d}$, and that no $m$ points do better than of the order of $m^{-1/d}$.
# ````
#
# ````{solution} exercise-global-grid
# :class: dropdown
#
# Send each cell to its centre: the farthest way is half its diagonal, $\sqrt d\,\pi m^{-1/d}$, and the corners of the cells have no nearer centre. For any $m$ points the balls of radius $W_\infty$ around
# them must cover the torus: $m\,c_dW_\infty^d\ge(2\pi)^d$.
# ````
#
# ````{exercise} Why the copy is needed
# :label: exercise-global-copy
#
# A particle with $r_i>0$ and sign $s_i$ keeps its sign. What is the first variation for a particle of sign $-1$, and what does the certificate of a signed minimizer say about both copies?
# ````
#
# ````{solution} exercise-global-copy
# :class: dropdown
#
# $J'=-\langle\phi(\theta),\nabla R\rangle+\lambda$. Nonnegativity on both copies is $|\langle\phi(\theta),\nabla R\rangle|\le\lambda$, and $\langle\phi(\theta_i),\nabla R\rangle=-\lambda$ at a spike of positive mass, $\lambda$ at one of negative mass: there $J'$ is $0$ on the copy of its sign and $2\lambda$ on the other.
# ````
#
# ````{exercise} In between
# :label: exercise-global-ratio
#
# Rerun the chapter with `ratios=[1.0, 0.015625]`. Do you expect more or fewer problems gained than from $\beta/\alpha=4$?
# ````
#
# ````{solution} exercise-global-ratio
# :class: dropdown
#
# About as many. Above $\beta/\alpha=1$ the number of successes hardly depends on the ratio ({numref}`figure-global-time`b), because positions that are quicker than the masses already lose the cover before the masses have moved.
# ````
#
# ## Where to go next
#
# ```{next}
# {doc}`sparse_deconvolution` is what happens once the neighbourhood is reached, and {doc}`mirror_descent_rate` is the limit of positions that do not move. The same question for networks, where no theorem gives a number of neurons, is {doc}`../wide_networks/global_convergence`.
# ```
#
# ## References
#
# {cite:t}`chizat2022` proves the theorem, {cite:t}`chizat2020slides` states it as quoted here, and {cite:t}`chizat2018` has the qualitative one for infinitely many particles.
