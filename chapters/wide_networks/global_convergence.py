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
# # An infinitely wide network of smooth neurons that start in every direction reaches the global minimum, if training converges
#
# ```{question}
# ```
#
# We train two-layer ReLU networks in the plane on the labels of a {term}`teacher` with {glue:text}`global_teacher` neurons, {glue:text}`global_repetitions` networks of each width from random starts. With {glue:text}`global_least` neurons {glue:text}`global_least_count` of {glue:text}`global_repetitions` networks learn the teacher, and with {glue:text}`global_wide` neurons {glue:text}`global_wide_count`. The narrow ones are stuck, {glue:text}`global_short` of them because coin tosses gave them too few neurons of one sign.
#
# Why does width help? Wherever a network is stuck at a positive risk, there is a direction in which a small further neuron would grow. A narrow network has no neuron of the right sign there, so nothing happens. A wide network whose neurons start in every direction has one, however small it has become, and its growth can free the network. For infinitely many smooth neurons this is a theorem of Chizat and Bach, if training converges. For our {glue:text}`global_wide` ReLU neurons we observe it.
#
# ```{hero}
# ```
#
# ## The statement
#
# The network is $f(\mu,x)=\int b\,(a\cdot x)_+\,d\mu(a,b)$, where $\mu=\frac1m\sum_j\delta_{w_j}$ puts mass $\frac1m$ at the weights $w_j=(a_j,b_j)$ of each of its $m$ neurons (in the code `w` is $a_j$, and `a` is $b_j$). The population risk is $F=\frac12\mathbb E[(f-f^*)^2]$ over standard Gaussian inputs. As a function of the weights it is not convex, as a function of the measure $\mu$ it is. {term}`Gradient flow <gradient flow>` carries the start $\mu_{0,m}$ to $\mu_{t,m}$ at time $t$. As $m\to\infty$ the starts tend to a measure $\mu_0$, and the flow tends to one of measures, the {term}`Wasserstein gradient flow` $\mu_t$ from $\mu_0$ ({doc}`the mean-field limit <mean_field_limit>`). {cite:t}`chizat2018` prove for smooth neurons that are {term}`2-homogeneous`, and the slides {cite}`chizat2020slides` state: if $\mu_0$ has neurons in every direction of the weight space, and if $\mu_t$ converges, then
#
# $$\begin{gathered}\lim_{t\to\infty}F(\mu_t)=\min_\mu F,\\
# \lim_{m\to\infty}\lim_{t\to\infty}F(\mu_{t,m})=\min_\mu F,\\
# \lim_{t\to\infty}\lim_{m\to\infty}F(\mu_{t,m})=\min_\mu F .\end{gathered}$$
#
# Here $\min_\mu F=0$, because the labels are a network's. The first line is about the infinitely wide network. The second is about very wide networks that are trained very long. The third has the two limits in the other order. This page tests the second line at {glue:text}`global_wide` neurons. The {doc}`next chapter <mean_field_limit>` follows the infinitely wide network. The theorem covers neither the ReLU, which has a kink, nor our {term}`balanced` starts. The idea of its proof still applies, as shown below, but for them the statement is tested and not proved.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [how much later](delay) a ten times smaller neuron frees a stuck network, over $\ln10/\lvert V(u)\rvert$, {glue:text}`global_resting` stuck networks of {glue:text}`global_least` | 1 | {glue:text}`global_off_least` to {glue:text}`global_off_most` | with the mean of $\lvert V\rvert$ over the circle, median: {glue:text}`global_off_mean` | |
# | [risk](wide) over $F(0)$ where the run stops (the first 2,000 gradients, or more if they do not suffice), {glue:text}`global_wide` neurons, {glue:text}`global_repetitions` networks | → 0 | the largest {glue:text}`global_wide_risk` | {glue:text}`global_least` neurons: from {glue:text}`global_least_least` to {glue:text}`global_least_most` | {glue:text}`global_wide` neurons that are copies of {glue:text}`global_teacher`: from {glue:text}`global_copies_least` to {glue:text}`global_copies_most` |
# | [networks that succeed](width), {glue:text}`global_wide` neurons | all, as $m\to\infty$ | {glue:text}`global_wide_count` of {glue:text}`global_repetitions`, a share of {glue:text}`global_wide_share` against {glue:text}`global_least_share` with {glue:text}`global_least` | {glue:text}`global_least` neurons: {glue:text}`global_least_count`, {glue:text}`global_middle`: {glue:text}`global_middle_count` | copies of {glue:text}`global_teacher`: {glue:text}`global_copies_count` |
# | [risk](one_sign) at the end over $F(0)$, {glue:text}`global_wide` neurons with positive output weights | {glue:text}`global_positive_p` | {glue:text}`global_positive_m` | both signs, the largest: {glue:text}`global_wide_risk` | |
# ```
#
# $F(0)$ is the risk of the zero function, and success means a risk below $10^{-4}F(0)$ within {glue:text}`global_evaluations` gradients of a descent that follows the gradient flow only roughly. The first row tests the mechanism: how fast the missing neuron grows is known before it is added. The delays themselves go from {glue:text}`global_delay_least` to {glue:text}`global_delay_most` units of time. The theorem says nothing of a finite width, so the next two rows are an observation. The last row tests a formal derivation, with a certified minimum.
#
# Why are some of the {glue:text}`global_wide` neurons in the figure off the teacher's rays? Because only the function that they form is determined. A neuron and its opposite have the same kink, and their difference is linear. And some sums of many neurons are the zero function, as the {doc}`chapter on the interaction <interaction_kernel>` shows. Such a network is a global minimum all the same. Look at the rim: it is white.
#
# **What to remember?** The idea is that a wide network that is stuck still has a small neuron in some direction in which it grows, and its growth can free the network. That infinitely many smooth neurons that start in every direction reach the minimum, if training converges, is a theorem. For ReLU networks we observe that wide ones reach it, and that stuck narrow ones do once small neurons are added.
#
# ## The smallest case
#
# Let the teacher be one neuron, $f^*=(u\cdot x)_+$ with $\|u\|=1$, and the network one neuron with a *negative* output weight. It can only do harm, so it shrinks to nothing, and the network ends at the zero function with the risk $F(0)$. Is it stuck? Yes, because nothing that it has can grow. Now add a small balanced neuron with a positive output weight at the angle $\theta$ from $u$. At $f=0$ it grows at the rate
#
# $$k(\theta)=\frac{\sin\theta+(\pi-\theta)\cos\theta}{2\pi},$$
#
# which is largest at $\theta=0$, where it is $\frac12$, and turns towards $u$. So a neuron of size $\varepsilon$ in the direction $u$ takes about the time $2\ln\frac1\varepsilon$ to reach half of the charge that it ends with. From exactly $-u$ it never would, as $k(\pi)=0$. Here the rim is darkest at $u$, and white only at $-u$.
#
# ## Experiment
#
# Each neuron follows $\dot w_j=-m\nabla_{w_j}F$,
#
# ```{math}
# :label: particle-flow
# \begin{gathered}
# \dot a_j=-b_j\nabla V(a_j),\\
# \dot b_j=-V(a_j),\\
# V(a)=\mathbb E\bigl[(f-f^*)(x)\,(a\cdot x)_+\bigr].
# \end{gathered}
# ```
#
# The start has $|b_j|=\|a_j\|=1$, independent directions, uniform on the circle, and independent signs of $b_j$. The teacher's lines lie near equidistant angles, so that two of them are at least $\pi/2m^*$ apart, and each neuron is one of the two unit vectors on its line. Of its {glue:text}`global_teacher` output weights {glue:text}`global_positives` are $1$, the others $-1$.
#
# Balanced neurons stay balanced, so logarithm of length and angle describe them. The networks descend in these variables, with backtracking. This keeps balance and signs at every step. A step is accepted if $F$ falls by at least half of what the gradient promises. The risk and $V$ are exact, because between two neighbouring kinks $f-f^*$ is linear.

# %% tags=["hide-input"]
from types import SimpleNamespace

import numpy as np
from IPython.display import HTML
from matplotlib import pyplot as plt
from scipy.optimize import minimize_scalar

from implicit_bias.data import planar_teacher
from implicit_bias.figures import style
from implicit_bias.figures.films import film
from implicit_bias.flows import backtracking_descent, follow
from implicit_bias.limits.wide import positive_fit
from implicit_bias.models.population import PlanarNetworks, PopulationFlow
from reproduce.claims import Altered, Claims, Control, refined, rounding, stepping
from reproduce.claims.glued import glue_all

claims = Claims("global_convergence")

style.use_style()

# %% tags=["parameters"]
teacher_width: int = 5  # particles m* of the teacher, in [4, 8]
# because the shares that succeed depend on the teacher, and smaller and larger ones were not tried
widths: list[int] = [5, 10, 100]  # three increasing numbers m of particles, each in [4, 400]
# because narrower networks were not tried: those of 4 and 5 particles fail often enough
repetitions: int = 10  # networks of each width, in [10, 100]
# because with fewer networks four binomial errors of the difference of two shares are nearly 1
evaluations: int = 12000  # gradients that a network is trained for unless it succeeds before, in [1000, 50000]
seed: int = 0  # seed of the streams of teacher and initialization, in [0, 4294967295]
# where len(widths) == 3 and widths == sorted(set(widths))
# where widths[0] <= teacher_width and widths[-1] >= 6 * teacher_width

# %% tags=["hide-input"]
teacher_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
teacher = planar_teacher(teacher_stream, teacher_width)
positive = positive_fit(teacher)
SUCCESS, AT_REST, FIRST = 1e-4, 0.01, min(2000, evaluations)
least, middle, most = widths


def start(particles, sign=None):
    """ρ = 0, directions uniform on the circle, signs at random or the one given."""
    angle = initialization_stream.uniform(0, 2 * np.pi, (repetitions, particles))
    signs = initialization_stream.choice([-1.0, 1.0], (repetitions, particles))
    return np.stack([0 * angle, angle], axis=-1), signs if sign is None else np.full_like(signs, sign)


def train(cloud, mass, record=(), total=evaluations):
    """Networks from states and signs: the records of their first gradients, their states at the end and F/F(0) there."""
    states, signs = cloud
    mass = np.broadcast_to(mass, signs.shape).copy()
    networks, first = PlanarNetworks(mass, signs, teacher), min(FIRST, total)
    # mutant(1.0): the first step, which is searched for
    run = backtracking_descent(networks.descent, states, evaluations=first, first_step=1.0, record=record).demand()
    # mutant(-1 → +1; -1 → -2): the last recorded states all have converged
    end, risk = run.w[-1].copy(), run.value[-1] / positive.zero
    late = risk > SUCCESS
    if first < total and late.any():
        rest = PlanarNetworks(mass[late], signs[late], teacher)
        on = backtracking_descent(rest.descent, end[late], evaluations=total - first, first_step=1.0).demand()
        end[late], risk[late] = on.w[-1], on.value[-1] / positive.zero
    return run, end, risk


def side_by_side(*clouds):
    """Networks of several widths trained as one stack: their recorded states, these states' F, their ends and F/F(0)."""
    widest = max(signs.shape[1] for _, signs in clouds)
    # a narrower network gets copies of its first neuron without mass, which change nothing
    kept = [np.pad(np.arange(signs.shape[1]), (0, widest - signs.shape[1])) for _, signs in clouds]
    # mutant(1): the scale of the start
    mass = [np.where(np.arange(widest) < signs.shape[1], 1 / signs.shape[1], 0.0) for _, signs in clouds]
    states, signs = (np.concatenate([cloud[i][:, own] for cloud, own in zip(clouds, kept, strict=True)]) for i in (0, 1))
    run, end, risk = train((states, signs), np.repeat(mass, repetitions, axis=0), moments)
    rows = [slice(k * repetitions, (k + 1) * repetitions) for k in range(len(clouds))]
    return [(run.w[:, own, : cloud[1].shape[1]], run.value[:, own], end[own, : cloud[1].shape[1]], risk[own])
            for cloud, own in zip(clouds, rows, strict=True)]


moments = np.unique(np.round(np.geomspace(1, FIRST, 36)).astype(int))

# %% [markdown]
# A network that has succeeded after the first 2,000 gradients stops there, because its risk cannot rise again. The others go on to the end. The last start breaks a premise and nothing else: as many neurons as the widest networks have, but copies of as few as the teacher has. As a function, copies are one neuron, so such a network could represent the teacher. But it has only so many directions.

# %%
starts = {m: start(m) for m in widths}
copies = start(teacher_width)  # as many masses as there are distinct neurons
narrow, medium, copied = side_by_side(starts[least], starts[middle], copies)
runs = {least: narrow, middle: medium, most: side_by_side(starts[most])[0]}
relative = {m: risk for m, (_, _, _, risk) in runs.items()}
copies_relative = copied[3]
for name, risks in (*((f"{m} neurons", relative[m]) for m in widths),
                    (f"{widths[2]}, copies of {teacher_width}", copies_relative)):
    print(f"{name:18} succeed {np.sum(risks <= SUCCESS):2} of {repetitions}, median of F/F(0) {np.median(risks):.1e}")

# %% [markdown]
# What would free a stuck network? Put a neuron without mass at every direction and see how fast it grows or shrinks. This function $V$ on the circle is what the rim shows. Where it is largest in absolute value, at $u$, we add a small balanced neuron with the sign that grows and follow the gradient flow. A neuron of a tenth of the size must need $\ln10/|V(u)|$ longer, if the network is at rest. We ask this first: if none comes, $V(u)$ must change by less than one percent in that time. A network in which it changes more still moves and is left out.

# %%
def potential(state, signs, angle):
    """V in directions: the growth of massless neurons with a negative output weight beside one network."""
    mass = np.append(np.full(len(signs), 1 / len(signs)), 0 * angle)
    beside = PlanarNetworks(mass[None], np.append(signs, 0 * angle - 1)[None], teacher)
    probes = np.stack([0 * angle, angle], axis=-1)
    return beside.descent(np.concatenate([state, probes])[None])[1][0, len(signs):, 0]


def highest(state, signs):
    """Where V is largest in absolute value, and V there."""
    angle = around[np.argmax(np.abs(potential(state, signs, around)))]
    found = minimize_scalar(lambda phi: -abs(potential(state, signs, np.array([phi]))[0]),
                            bounds=(angle - 0.02, angle + 0.02), options={"xatol": 1e-9})
    return found.x, potential(state, signs, np.array([found.x]))[0]


def freed(states, signs, sizes):
    """|V| there, the most it changes in that time if no mass comes, and when the risk has done a twentieth of its fall
    after a neuron of each size came there: a network a row."""
    angles, heights = np.transpose([highest(*one) for one in zip(states, signs, strict=True)])
    until = np.linspace(0, np.log(1 / min(sizes)) + 6, 800)
    by_size = []
    for size, mass in ((min(sizes), 0.0), *((size, 1 / signs.shape[1]) for size in sizes)):
        grown = np.array([np.append(state, [[np.log(size), angle]], axis=0) for state, angle in zip(states, angles, strict=True)])
        with_it = PlanarNetworks(np.column_stack([np.full(signs.shape, 1 / signs.shape[1]), np.full(len(signs), mass)]),
                                 np.column_stack([signs, -np.sign(heights)]), teacher)
        pace = 1 / np.abs(heights)[:, None, None]  # in units of 1/|V| all take equally long
        by_size.append((with_it, follow(polar_flow(with_it, grown, pace), t_end=until[-1], record=until[1:-1], rtol=1e-9, atol=1e-9)
                        .theta.reshape(-1, *grown.shape)))
    (_, alone), *joined = by_size
    drift = np.max(np.abs(np.diff(alone[:, :, -1, 0], axis=0) / until[1] - 1), axis=0)
    risks = np.array([[networks.risk(state) for state in path] for networks, path in joined])
    begun = 0.95 * risks[-1, 0] + 0.05 * risks[-1, -1]  # the fall after the smallest, which comes last
    times = [[np.interp(-level, -risk, until) for level, risk in zip(begun, fall.T, strict=True)] for fall in risks]
    return np.abs(heights), drift, np.transpose(times) / np.abs(heights)[:, None]


# %% tags=["hide-input"]
around = 2 * np.pi * np.arange(721) / 720  # mutant(720 → 721): where a search begins


def polar_flow(networks, start, pace=1.0):
    """The flow of the angles and logarithms of networks side by side, each at its pace, as one state."""
    shape = start.shape
    return SimpleNamespace(start=start.ravel(), velocity=lambda state: (pace * networks.descent(state.reshape(shape))[1]).ravel())


order = np.argsort(relative[least])
failed = order[relative[least][order] > SUCCESS]
stuck, stuck_signs = runs[least][2], starts[least][1]
rest = train((stuck[failed], stuck_signs[failed]), 1 / least, total=evaluations // 4)[1]
heights, drift, came = freed(rest, stuck_signs[failed], np.logspace(-2, -4, 3))
resting = drift < AT_REST
if not resting.any():
    raise ValueError(f"evaluations = {evaluations}: none of the {len(failed)} stuck networks is at rest; it must be larger")
heights, delays = heights[resting], np.diff(came[resting], axis=1)
rims = np.abs([potential(state, signs, around) for state, signs in zip(rest[resting], stuck_signs[failed[resting]], strict=True)])
shown = len(heights) // 2
height, delay = heights[shown], delays[shown, -1]
drawn = {least: failed[resting][shown], middle: np.argsort(relative[middle])[repetitions // 2],
         most: np.argsort(relative[most])[repetitions // 2]}
one_sign_run, _, one_sign_relative = train(start(most, 1.0), 1 / most, [FIRST // 2], total=FIRST)


def count(risks):
    """How many succeed."""
    return int(np.sum(risks <= SUCCESS))


short = int(np.sum(np.sum(stuck_signs, axis=1) != np.sum(teacher.a)))  # these have other signs than the teacher
glue_all("global", teacher=teacher_width, repetitions=repetitions, least=least, middle=middle, wide=most,
         least_count=count(relative[least]), middle_count=count(relative[middle]), wide_count=count(relative[most]),
         copies_count=count(copies_relative), short=short, others=len(failed) - short, resting=len(heights), evaluations=f"{evaluations:,}", positives=int(np.sum(teacher.a > 0)))
glue_all("global", ".1g", wide_risk=np.max(relative[most]), least_least=np.min(relative[least]), least_most=np.max(relative[least]),
         copies_least=np.min(copies_relative), copies_most=np.max(copies_relative),
         wide_share=count(relative[most]) / repetitions, least_share=count(relative[least]) / repetitions)
glue_all("global", ".1f", delay_p=np.log(10) / height, delay_m=delay)
glue_all("global", ".0f", delay_least=delays[:, -1].min(), delay_most=delays[:, -1].max())
glue_all("global", ".4f", off_least=np.min(delays[:, -1] * heights) / np.log(10), off_most=np.max(delays[:, -1] * heights) / np.log(10))
glue_all("global", ".2f", off_mean=np.median(delays[:, -1] * rims.mean(axis=1)) / np.log(10))
glue_all("global", ".5f", positive_p=positive.value / positive.zero, positive_m=np.median(one_sign_relative))

# %% mystnb={"figure": {"caption": "Where a narrow network is stuck, something could still grow, but it is not there. Dots: the neurons of two networks after training at $|b_j|a_j$, blue where $b_j>0$ and red where $b_j<0$, with their paths (thin). Dashed: the rays of the teacher's neurons. Dotted: the opposite rays, where a neuron has the same kink. The rim shows how fast a small neuron would grow: blue, one with a positive output weight, red, one with a negative one, white, none. (a) Five neurons that are stuck. Two are positive, where the teacher has three: it is one of the seven. Each sits where the rim is white, or shrinks to nothing, like the two red ones near the centre. (b) A hundred neurons, with the same colours.", "name": "figure-global"}, "image": {"alt": "Two circles. Left: five dots off most of the dashed rays of the teacher, and a rim that is dark blue at two opposite places and pale red at two others. Right: a hundred dots, most on the rays, and a rim that is white all around.", "classes": "panels-2"}} tags=["hero", "hide-input"]
HUES = {1.0: style.COLORS["blue"], -1.0: style.COLORS["red"]}
REACH, PLATE = 2.6, {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5}


def places(m):
    """|b|a of the network that is drawn, records × m × 2, the last at its end."""
    path, _, end, _ = runs[m]
    rho, angle = np.moveaxis(np.concatenate([path, end[None]])[:, drawn[m]], -1, 0)
    return np.exp(2 * rho)[..., None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def arena(ax, title):
    """The plane with the teacher's rays."""
    for ray, weight in zip(REACH * teacher.w, teacher.a, strict=True):
        ax.plot([0, ray[0]], [0, ray[1]], linestyle=(0, (4, 2)), color=HUES[weight], linewidth=1.4, alpha=0.8)
        ax.plot([0, -ray[0]], [0, -ray[1]], linestyle=":", color=HUES[weight], linewidth=0.9, alpha=0.6)
    ax.set(aspect="equal", xticks=[], yticks=[], title=title)
    ax.spines[["left", "bottom"]].set_visible(False)


for ax, m, letter in zip(style.panels(2, (9.8, 5.3)), (least, most), "ab", strict=True):
    arena(ax, f"({letter}) {m} neurons: {count(relative[m])} of {repetitions} networks succeed")
    path, signs = places(m), starts[m][1][drawn[m]]
    for track, sign in zip(np.swapaxes(path, 0, 1), signs, strict=True):
        ax.plot(*track.T, color=HUES[sign], linewidth=0.7, alpha=0.4)
        ax.plot(*track[-1], "o", color=HUES[sign], markersize=8 if m == least else 4.5)
    rim = potential(runs[m][2][drawn[m]], signs, around)
    style.rim(ax, around, rim, level=height, inner=REACH, outer=1.12 * REACH)
    best = around[np.argmax(np.abs(rim))]
    if m == least:
        grows = "positive" if rim[np.argmax(np.abs(rim))] < 0 else "negative"
        ax.text(0, -0.89 * REACH, f"full colour: rate {height:.1g}", ha="center")
        ax.annotate(f"here a small {grows}\nneuron would grow", 1.02 * REACH * np.array([np.cos(best), np.sin(best)]),
                    xytext=(0.0, -0.72 * REACH), ha="center", arrowprops={"arrowstyle": "->"}, bbox=PLATE)
    else:
        ax.text(0, -0.72 * REACH, "nothing can grow", ha="center", bbox=PLATE)
plt.show()

# %% [markdown]
# The three widths in motion. Time runs logarithmically.

# %% tags=["hide-input"]
figure, panels = plt.subplots(1, 3, figsize=(9.0, 3.3), layout="constrained", dpi=80)
clouds, dots = {m: places(m) for m in widths}, []
for ax, m in zip(panels, widths, strict=True):
    arena(ax, "")
    ax.set(xlim=(-REACH, REACH), ylim=(-REACH, REACH))
    dots.append(ax.scatter(*clouds[m][0].T, s=22, c=[HUES[s] for s in starts[m][1][drawn[m]]], zorder=5, linewidths=0))


def animate_frame(frame):
    """Put the particles where they are at a record."""
    for ax, m, dot in zip(panels, widths, dots, strict=True):
        dot.set_offsets(clouds[m][frame])
        share = runs[m][1][frame, drawn[m]] / positive.zero
        ax.set_title(f"$m={m}$, $F/F(0)$ " + (f"= {share:.1g}" if share >= 1e-4 else "< 0.0001"))


HTML(film(figure, animate_frame, len(runs[least][1]), name="film-global-convergence",
          alt="Particles of three networks turn to the rays of the teacher; the five particles do not find all of them"))

# %% [markdown]
# ### What breaks
#
# *One sign.* Let all output weights be positive. Then half of the directions of the weight space have no neuron, and a network can only form convex functions. The least risk of such networks, {glue:text}`global_positive_p` of $F(0)$, is computed beforehand with a certificate, and the descent reaches it.
#
# *Copies.* {glue:text}`global_wide` neurons that are copies of {glue:text}`global_teacher` are a network of {glue:text}`global_teacher`. From fresh starts {glue:text}`global_copies_count` of {glue:text}`global_repetitions` succeed, where {glue:text}`global_least_count` of {glue:text}`global_repetitions` did above.
#
# *Why narrow networks fail.* Networks of {glue:text}`global_least` fail for two reasons. The flow keeps the sign of every output weight, and coin tosses gave too few neurons of one sign to {glue:text}`global_short` of our {glue:text}`global_repetitions` networks, so these cannot learn the teacher at all. The {doc}`chapter on signs <population_risk>` makes this a theorem. And {glue:text}`global_others` others are stuck all the same, because the landscape has bad places. A small neuron of the right sign helps against both.
#
# ## Theory
#
# $\phi(w,x)=b\,(a\cdot x)_+$ is 2-homogeneous in $w=(a,b)$. The projection $\Pi_2(\mu)$ is the measure on the unit sphere with $\int\psi\,d\Pi_2(\mu)=\int\|w\|^2\psi(w/\|w\|)\,d\mu(w)$.
#
# ```{prf:theorem} Chizat and Bach 2018, the 2-homogeneous case
# :label: theorem-global
#
# Let $\phi$ be 2-homogeneous and let the technical assumptions on $\phi$ and $F$ hold. If $\Pi_2(\mu_0)$ has full support on the sphere and the Wasserstein gradient flow $\mu_t$ of $F$ converges
# to $\mu_\infty$ in $\mathcal P_2$ (the measures with finite second moment, in Wasserstein's distance), then $\mu_\infty$ minimizes $F$ over all measures. If $\mu_{0,m}\to\mu_0$ in $\mathcal P_2$, then also
#
# $$\begin{gathered}\lim_{m\to\infty}\lim_{t\to\infty}F(\mu_{t,m})=\min_\mu F,\\
# \lim_{t\to\infty}\lim_{m\to\infty}F(\mu_{t,m})=\min_\mu F .\end{gathered}$$
# ```
#
# The idea: $F$ is convex in $\mu$, with the {term}`first variation` $F'_\mu(a,b)=b\,V(a)$. If $V=0$ in all directions, $\mu$ is a global minimum. If not, let $u$ be a direction where $|V|$ has a local maximum, $V(u)\ne0$. A small balanced neuron at $u$, with $b$ of the sign of $-V(u)$, grows like $e^{|V(u)|t}$. So the measure leaves every stationary point that is not optimal, if there is a neuron to grow.
#
# ```{prf:lemma} Balanced particles
# :label: lemma-balanced
#
# The flow {eq}`particle-flow` conserves $b_j^2-\|a_j\|^2$. If this is $0$ at the start, then $b_j=s_j\|a_j\|$ with a fixed sign $s_j$ at all times, and with $a_j=e^{\rho_j}(\cos\varphi_j,\sin\varphi_j)$
#
# $$\begin{gathered}\dot\rho_j=-s_jV(\varphi_j),\qquad\dot\varphi_j=-s_jV'(\varphi_j),\\
# -\dot F=\frac1m\sum_je^{2\rho_j}\bigl(2V^2+V'^2\bigr)(\varphi_j),\end{gathered}$$
#
# where $V(\varphi)$ is $V$ at the unit vector of angle $\varphi$.
# ```
#
# ````{prf:proof}
# $V$ is 1-homogeneous, so $a\cdot\nabla V(a)=V(a)$ and $\frac d{dt}(b^2-\|a\|^2)=-2bV+2bV=0$. A particle with $b=s\|a\|$ has $\frac d{dt}\|a\|=-s\,\|a\|\,V(\varphi)$, which does not reach $0$ in finite time, and
# turns by $\|a\|\dot\varphi=-b\,V'(\varphi)$. Its dissipation is $\|\dot w\|^2=b^2\|\nabla V\|^2+V(a)^2$ with $\|\nabla V\|^2=V^2+V'^2$ at $\varphi$. $\square$
# ````
#
# A neuron of a network at rest therefore sits where $V=V'=0$, unless it has shrunk to nothing. This is why the dots of {numref}`figure-global` lie at white places of the rim. For balanced starts full support means: in every direction of the circle, *with both signs*. The measure then fills the cone $|b|=\|a\|$ and not the whole sphere, but $b\,V(a)$ vanishes everywhere if it vanishes on the cone.
#
# With one sign, $b>0$, the same reasoning ends at the minimum over positive measures. This is a formal derivation and no theorem. The minimum is a convex problem, a non-negative least-squares fit, solved on a grid with a duality gap as {term}`certificate`.
#
# ## How fast, exactly
#
# The theorem has no rate. At a stuck network there is one. Let $u$ be a direction where $|V|$ has a local maximum and $V(u)\ne0$, and add a balanced neuron of size $\varepsilon$ at $u$ with the sign of $-V(u)$. Until it has grown, the network stays at rest and $V$ is constant, so the size is $\varepsilon e^{|V(u)|t}$. What happens afterwards does not depend on $\varepsilon$ to leading order, if the rest of the network is at an isolated minimum and none of its own small neurons grows meanwhile. The time $T_\varepsilon$ at which a twentieth of the fall of the risk has happened obeys, by this formal derivation,
#
# ```{math}
# :label: delay
# T_{\varepsilon/10}-T_\varepsilon\;\to\;\frac{\ln10}{|V(u)|}\qquad(\varepsilon\to0).
# ```
#
# For the network of {numref}`figure-global` this is {glue:text}`global_delay_p`, and we measure {glue:text}`global_delay_m` between the sizes $10^{-3}$ and $10^{-4}$. For the {glue:text}`global_resting` stuck networks that are at rest the delays go from {glue:text}`global_delay_least` to {glue:text}`global_delay_most`, and the largest ratio of measured to predicted is {glue:text}`global_off_most`. So small neurons are no obstacle in principle, because each factor of ten costs the same time. But the time is long if $V$ is small, as it is near the global minimum.
#
# ## Instruments
#
# Each claim with its allowed error and its control, then the forces and the flow itself.
#
# ### The numbers of the table
#
# ```{claim} wide
# :headline: risk at the end over that of 0, many diverse particles
# :source: Chizat and Bach 2018, the 2-homogeneous case
# :evidence: trained and compared
# :because: the level that counts as success; at a finite time the risk is small, not zero, and no rate is
#   known
# :control: as many particles, copies of as few as the teacher has
#
# every network with many diverse particles falls to the success level of the risk
# ```
#
# ```{claim} width
# :headline: share of successes, from narrow to wide
# :source: Chizat 2020, slides: Numerical illustrations
# :evidence: observed
# :because: the binomial standard error of the difference of the two shares, each of one success and one
#   failure more
# :control: the many particles are copies of as few as the teacher has
# :order: share at m = {least}, share at m = {wider}
#
# networks no wider than the teacher succeed less often than those of many particles
# ```
#
# ```{claim} delay
# :source: derived in this chapter from the idea of the proof of Chizat and Bach 2018
# :evidence: trained and compared
# :because: the next order in the size, from two delays a factor of ten apart, and the most that V(u) changes
#   in that time if no neuron comes
# :control: the mean of |V| over the circle in place of the largest
#
# a neuron of a tenth of the size frees a stuck network at rest later by ln 10 over the largest potential
# ```
#
# ```{claim} one_sign
# :headline: the same with one sign, against the certified minimum
# :source: derived in this chapter from the reasoning of Chizat and Bach 2018
# :evidence: trained and compared
# :because: the duality gap of the fit on the grid, and what is left of the descent, from half as many
#   gradients: it falls at least like their inverse
# :contrast: output weights of both signs
#
# with one sign the descent reaches the certified minimum over positive measures
# ```

# %% tags=["hide-input"]
claims.limit("wide", np.zeros(repetitions), relative[most], level=SUCCESS, control=copies_relative)
shares = {m: count(relative[m]) / repetitions for m in widths}  # mutant: an ordering with room
# of one success and one failure more, so that no share is without an error
derived_shares = np.array([(count(relative[m]) + 1) / (repetitions + 2) for m in (least, most)])
claims.increasing("width", [shares[least], shares[most]],
                  error=np.sqrt(np.sum(derived_shares * (1 - derived_shares)) / repetitions),
                  control=[shares[least], float(np.mean(copies_relative <= SUCCESS))], fill={"least": least, "wider": most})
claims.limit("delay", np.ones(len(heights)), delays[:, -1] * heights / np.log(10), control=Altered(delays[:, -1] * rims.mean(axis=1) / np.log(10)),
             error=refined(delays[:, -1] * heights, delays[:, 0] * heights, ratio=10, order=1) / np.log(10)
             + np.max(drift[resting]))
derived_left = refined(one_sign_run.value[-1], one_sign_run.value[-2], ratio=2, order=1)
claims.limit("one_sign", np.full(repetitions, positive.value / positive.zero), one_sign_relative,
             error=(positive.gap + derived_left) / positive.zero, control=relative[most])

# %% [markdown]
# ### All stuck networks
#
# Does this free every network of {glue:text}`global_least` neurons? We do not look for the best direction now. Small neurons are added, one of each sign in thirty directions, which cancel at first. Then the descent goes on, for at most {glue:text}`global_longest` gradients, since some networks are slow. The control adds as many copies of neurons that are already there, and goes on for {glue:text}`global_cloned` gradients, in which nearly nothing changes.
#
# ```{claim} escape
# :source: Chizat and Bach 2018, the idea of the proof
# :evidence: trained and compared
# :because: the level that counts as success, as above
# :control: copies of the particles that are already there
#
# small particles in all directions free every stuck network
# ```

# %% tags=["hide-input"]
FANNED = 30
small = np.log(0.1)  # mutant: a level that the failing runs are above
fan = np.repeat(2 * np.pi * np.arange(FANNED) / FANNED, 2)
newcomers = np.broadcast_to(np.stack([np.full_like(fan, small), fan], axis=-1), (repetitions, 2 * FANNED, 2))
new_signs = np.tile([1.0, -1.0], (repetitions, FANNED))
pick = initialization_stream.integers(0, least, 2 * FANNED)
clones = stuck[:, pick].copy()
clones[..., 0] = small
mass = np.concatenate([np.full(least, 1 / least), np.full(2 * FANNED, 0.5 / FANNED)])
saved, cloned = (train((np.concatenate([stuck, more], axis=1), np.concatenate([stuck_signs, signs], axis=1)), mass,
                       total=longest)[2]
                 for more, signs, longest in ((newcomers, new_signs, 2 * evaluations), (clones, stuck_signs[:, pick], 4 * FIRST)))
glue_all("global", longest=f"{2 * evaluations:,}", cloned=f"{4 * FIRST:,}")
claims.limit("escape", np.zeros(repetitions), saved, level=SUCCESS, control=cloned)

# %% [markdown]
# ### Forces and flow
#
# The sector sums are compared with the sum over pairs of {doc}`interaction_kernel`. Then the flow is integrated in all $3m$ parameters
# together with the energy that it dissipates. Its path is that of {prf:ref}`lemma-balanced`, and it loses as much risk as it dissipates. It conserves
# $b_j^2-\|a_j\|^2$, here from an unbalanced start with $\|a_j\|>|b_j|$. Then $\|a_j\|^2$ stays at least the conserved $\|a_j\|^2-b_j^2$.
# (With $|b_j|>\|a_j\|$ a neuron can reach $a_j=0$ in finite time, if $b_jV>0$ in every direction. There $V$ has a kink, and the flow ends.)
# The {term}`controls <control>` are that unbalanced start, and gradient descent with long steps.
#
# ```{claim} sectors
# :evidence: float with residual
# :because: rounding, of changing sign, of as many terms as there are kinks, of size one: the charges of
#   network and teacher add up to 2, and the kernel is at most 1/2
# :control: inputs on the sphere in one of the two
#
# summing sectors gives the risk and the dissipation that summing pairs of particles gives
# ```
#
# ```{claim} balanced
# :evidence: trained and compared
# :because: the tolerance of each step of two integrators, magnified as much as the flow magnifies a small
#   change of its start in the worst direction
# :control: an unbalanced start with the same predictor
#
# balanced particles keep their signs and move by their directions' potential alone
# ```
#
# ```{claim} energy
# :source: Chizat 2020, slides: gradient flow
# :evidence: trained and compared
# :because: the tolerance of each step, of the energy and, times the slope of the risk, of the parameters; of
#   one of 3m + 1 components up to √(3m + 1) as much as of their mean
# :control: gradient descent with steps of one half
#
# the flow loses as much risk as its particles dissipate
# ```
#
# ```{claim} conserved
# :evidence: trained and compared
# :because: the tolerance of each step, of changing sign: it adds up like the root of their number
# :control: gradient descent with steps of one half
#
# the flow conserves b² − ‖a‖² of every particle, balanced or not
# ```

# %% tags=["hide-input"]
m = middle
T_FLOW, RTOL = 10.0, 1e-12
start_cloud, start_signs = (part[:1] for part in starts[m])
networks = PlanarNetworks(np.full((1, m), 1 / m), start_signs, teacher)
a0, b0 = (part[0] for part in networks.particles(start_cloud))


def network_at(stretch):
    """The network with all b_j stretched and all a_j shrunk: the same predictor, balanced only if stretch is 1."""
    return PopulationFlow(a0 / stretch, b0 * stretch, teacher)


def flow(network):
    """The flow of all parameters and of the dissipated energy until T_FLOW: their end, the energy and the steps."""
    with_energy = SimpleNamespace(
        start=np.append(network.start, 0.0),
        velocity=lambda state: np.append(network.velocity(state[:-1]), network.dissipation(state[:-1])),
    )
    done = follow(with_energy, t_end=T_FLOW, rtol=RTOL)
    return done.final[:-1], done.final[-1], done.steps


def descend(network, step):
    """Gradient descent until T_FLOW, and the sum of step times dissipation."""
    theta, spent = network.start, 0.0
    for _ in range(round(T_FLOW / step)):
        spent += step * network.dissipation(theta)
        theta = theta + step * network.velocity(theta)
    return theta, spent


balanced, askew = network_at(1.0), network_at(0.8)  # ‖a_j‖ > |b_j|: away from the kink at a = 0
end, spent, steps = flow(balanced)
end_askew, _, steps_askew = flow(askew)
coarse, spent_coarse = descend(askew, 0.5)
polar = follow(polar_flow(networks, start_cloud), t_end=T_FLOW, rtol=RTOL)
a_polar, b_polar = networks.particles(polar.final.reshape(1, m, 2))

sphere = PopulationFlow(a0, b0, teacher, "sphere")
all_networks = PlanarNetworks(np.full_like(starts[m][1], 1 / m), starts[m][1], teacher)
pairs = [PopulationFlow(a, b, teacher) for a, b in zip(*all_networks.particles(starts[m][0]), strict=True)]
by_pairs = np.concatenate([[net.value(net.start), net.dissipation(net.start)] for net in pairs])
claims.identity("sectors", by_pairs, np.stack(all_networks.descent(starts[m][0])[::2], axis=1).ravel(),
                error=rounding(np.sqrt(2 * (m + teacher_width)), condition=1 / np.max(by_pairs)), relative=True,
                control=Altered(np.stack(networks.descent(start_cloud)[::2], axis=1).ravel(),
                                theory=[sphere.value(sphere.start), sphere.dissipation(sphere.start)]))

# A step adds RTOL of the state in the root mean square of its components, to one of them up to √(their number) as much.
# The flow magnifies that as it does small changes of the start, one of each variable; the last row has none.
NUDGE = 1e-6
derived_starts = start_cloud + NUDGE * np.eye(2 * m + 1, 2 * m).reshape(-1, m, 2)
derived_networks = PlanarNetworks(np.full((2 * m + 1, m), 1 / m), np.repeat(start_signs, 2 * m + 1, axis=0), teacher)
derived_run = follow(polar_flow(derived_networks, derived_starts), t_end=T_FLOW, rtol=NUDGE / 1000, atol=NUDGE / 1000)
derived_ends = derived_run.final.reshape(-1, 2 * m)
derived_growth = np.linalg.norm(derived_ends[:-1] - derived_ends[-1], 2) / NUDGE
derived_largest = np.max(np.abs(end))
derived_full = stepping(steps, RTOL, size=derived_largest, growth=np.sqrt(3 * m + 1))
derived_polar = stepping(polar.steps, RTOL, size=np.max(np.abs(polar.final)) * derived_largest, growth=np.sqrt(2 * m))
derived_slope = np.sqrt(balanced.dissipation(balanced.start) / m)  # of the risk in all parameters, at the start
claims.identity("balanced", np.concatenate([a_polar.ravel(), b_polar.ravel()]), end,
                error=(derived_full + derived_polar) * derived_growth, control=end_askew)
claims.identity("energy", spent, balanced.value(balanced.start) - balanced.value(end),
                error=stepping(steps, RTOL, size=spent + derived_slope * derived_largest, growth=np.sqrt(3 * m + 1)),
                control=Control(askew.value(askew.start) - askew.value(coarse), theory=spent_coarse, anew=True))
claims.identity("conserved", askew.balance(askew.start), askew.balance(end_askew),
                error=stepping(round(np.sqrt(steps_askew)), RTOL, size=2 * np.max(end_askew**2)),
                control=askew.balance(coarse))

# %% [markdown]
# ## What would falsify it
#
# Wide, diverse, balanced networks whose share that stays at a positive risk does not fall as the width grows, or a network of one sign that ends elsewhere than at the minimum over positive measures. A stuck narrow network that no set of small neurons frees, or a delay other than {eq}`delay`. A narrow network that succeeds
# falsifies nothing, and neither does a wide one that is slow, because the theorem has no rate.
#
# ## Differences from the paper
#
# - **Smoothness.** The theorem's regularity assumptions leave out the ReLU's kink at $a=0$. Away from it the potential $V$ is twice differentiable, and balanced neurons do not reach $0$ in finite time. {prf:ref}`theorem-global` is tested here, not proved, for this $\phi$.
# - **Changed.** Balanced starts have $\Pi_2(\mu_0)$ on the cone $|b|=\|a\|$, not on the whole sphere.
# - **Changed.** Backtracking takes long steps in $(\rho,\varphi)$ and follows the flow only roughly. It keeps what matters to the argument: balance, signs, and a risk that falls. Taken in $(a,b)$ such
#   steps let output weights change sign, and the networks of one sign then succeed, too.
# - **Ours.** The slides show networks of $5$, $10$ and $100$ neurons and state neither repetitions nor steps. Those, and the teacher, are ours. {eq}`delay` is added.
#
# ## Scope
#
# - The theorem speaks of the limit $m\to\infty$, and assumes that the flow of measures converges. A finite network is evidence, and $100$ is not infinity. In the plane directions are covered by
#   few neurons, in dimension $d$ their number grows exponentially in $d$.
# - That the two limits may be exchanged is the theorem's. Here only $t\to\infty$ at a fixed width is run.
# - The neurons that free all stuck networks are sixty of a tenth of the size of a fresh one, together with as much mass as the network has, not infinitely many infinitesimal ones. That these suffice, and in the time given, is an observation. The idea of the proof suggests that some such set does. No theorem says so for the ReLU.
# - It is the population risk. Nothing is said about a finite sample.
# - The shares of narrow networks depend on the teacher. The claim is the difference of two shares, with its binomial error.
#
# ## Exercises
#
# ````{exercise} Warm-up
# :label: exercise-global-warm-up
#
# In {numref}`figure-global` the rim is dark at some ray. How long does it take a neuron of size $10^{-6}$ to grow to size $1$ there, if $|V|=0.003$ and the network stays at rest?
# ````
#
# ````{solution} exercise-global-warm-up
# :class: dropdown
#
# $\ln(10^6)/0.003=4{,}605$ units of time. A neuron of size $10^{-3}$ needs half of it.
# ````
#
# ````{exercise} Copies
# :label: exercise-global-copies
#
# Show that particles that start equal stay equal. Conclude that for every $m$ there are starts from which training fails, and say which premise they break.
# ````
#
# ````{solution} exercise-global-copies
# :class: dropdown
#
# Equal particles have equal velocities in {eq}`particle-flow`, so the network is one of as many particles as there are distinct ones. If all are copies of one, it has one kink, whatever $m$ is, and a teacher of five has five.
# $\Pi_2(\mu_0)$ is supported on a finite set of points and not on the whole sphere.
# ````
#
# ````{exercise} The opposite sign
# :label: exercise-global-escape
#
# A network is at a stationary point with $V\ne0$. A small balanced particle is added at the direction $u$ where $|V|$ is largest, with the sign of $+V(u)$. What happens to it?
# ````
#
# ````{solution} exercise-global-escape
# :class: dropdown
#
# At $u$, $V'=0$ and $\dot\rho=-|V(u)|$, so it shrinks at the rate at which the other sign would grow. At directions nearby $\dot\varphi=-sV'$ turns it away from $u$. If it reaches directions where $V$ has the other sign, it grows.
# ````
#
# ````{exercise} Half a circle (hard)
# :label: exercise-global-half
#
# Start with both signs, but with directions in an open half circle only. Which functions can measures on it represent? Is the global minimum still $0$?
# ````
#
# ````{solution} exercise-global-half
# :class: dropdown
#
# Let $r$ be a residual with $V=0$ on the half circle, which is all that its particles see. As $V(a)-V(-a)=\mathbb E[r(x)\,a\cdot x]$ is linear in $a$, $V$ is $c\,(h\cdot a)_+$ with $h$ pointing to the middle
# of the other half. Its Fourier coefficients fall like $n^{-2}$, as those of the operator $r\mapsto V$ do, so $r$ would not be square integrable unless $c=0$. Then $V=0$
# everywhere. So measures on the half circle fit every teacher arbitrarily well, and the infimum is still $0$: in the plane half a circle of directions breaks the premise without
# raising the infimum. One sign of the output weights does raise it, because $\int b\,(a\cdot x)_+\,d\mu$ with $b>0$ is convex in $x$.
# ````
#
# ````{exercise} More neurons
# :label: exercise-global-more
#
# Rerun the chapter with `widths = [5, 20, 100]`. Do you expect networks of 20 to fail?
# ````
#
# ````{solution} exercise-global-more
# :class: dropdown
#
# Few of them. Twenty coins give at least three positive and two negative neurons, which the {doc}`chapter on signs <population_risk>` asks for, with a probability of 99.98 %, and twenty directions leave no large gap on the circle. No theorem gives the share.
# ````
#
# ## Where to go next
#
# ```{next}
# The {doc}`next chapter <mean_field_limit>` makes the infinitely wide network that the theorem speaks of. The one on {doc}`population risk <population_risk>` asks how wide is wide enough, in a hundred dimensions.
# ```
#
# ## References
#
# The theorem is {cite:t}`chizat2018`, its illustration with $5$, $10$ and $100$ neurons {cite:t}`chizat2020slides`. Descent in $(\rho,\varphi)$ is a conic particle descent as in {cite:t}`chizat2022`.
