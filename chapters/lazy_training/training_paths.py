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
# # Long weights stay, short ones turn: paths of neurons, lazy and not
#
# The same network learns the same samples twice, once with long initial weights and once with short ones. The long neurons hardly move, for small moves of long weights change the output enough; the short ones first turn to a few directions that the data alone determine, and then grow
# {cite}`chizat2019`. Here both are predicted before training: each neuron's path on the lazy side; on the other, where the neurons turn, how long nothing seems to happen, and how far any network at all must move.
#
# $$\begin{gathered}w_j(t)=\tau\Bigl(w_j+\frac{\delta_j(\tau^2t)}{\tau^2}+\dots\Bigr)\quad(\tau\to\infty),\\\frac{w_j}{\|w_j\|}\to\text{a local maximum of }\pm G\quad(\tau\to0)\end{gathered}$$
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# $h(x)=\sum_{j=1}^ma_j(w_j\cdot x)_+$ in the plane, trained in both layers by {term}`gradient flow` of $R=\frac12\sum_i(h(x_i)-y_i)^2$. The labels come from a teacher of three neurons with $|a^*_k|\|w^*_k\|=1$, the $n$ samples lie on the unit circle. The start is $\tau(w_j,a_j)$ with unit vectors $w_j$ and $a_j=\pm1$, so that it is {term}`balanced`, in pairs
# $(w,1)$, $(w,-1)$, so that $h=0$ at first. Both layers being multiplied by $\tau$, the output is multiplied by $\tau^2$: it is the model of $\tau=1$ with the scale $\alpha=\tau^2$ of {doc}`lazy_theorem`.

# %% tags=["hide-input"]
import numpy as np
from IPython.display import HTML
from matplotlib import pyplot as plt

from implicit_bias.activations import RELU
from implicit_bias.data import Samples, planar_teacher
from implicit_bias.figures import style
from implicit_bias.figures.films import film
from implicit_bias.flows import GradientDescent, descend, drive, follow
from implicit_bias.kernels import angles
from implicit_bias.limits.lazy import CircleResponse, gated_paths, least_weights
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, TwoLayer, in_pairs
from implicit_bias.wrapped_losses import Scaled
from reproduce.claims import Altered, Claims, refined, rounding
from reproduce.claims.numbers import numbers

claims = Claims("training_paths")

style.use_style()

# %% [markdown]
# ## Theory
#
# *Long weights.* In the time $s=\tau^2t$ every neuron moves by $1/\tau$. While no $w_j\cdot x_i$ changes its sign a neuron obeys linear equations, and the path has a closed form to two orders.
#
# ````{prf:proposition} Long neurons
# :label: proposition-paths-long
#
# Let $K$ be the {term}`tangent kernel` at $\tau=1$, $g'=y-Kg$, $g(0)=0$, and $p_j(s)=\sum_{i:\,w_j\cdot x_i>0}g_i(s)\,x_i$. For a start in pairs with no $w_j\cdot x_i=0$, uniformly on $s\le S$ as $\tau\to\infty$,
#
# $$\begin{aligned}w_j(s)&=\tau\Bigl(w_j+\frac{a_jp_j}{\tau^2}+\frac1{\tau^4}\int_0^s(w_j\cdot p_j)\,p_j'\Bigr)+O(\tau^{-5}),\\a_j(s)&=\tau\Bigl(a_j+\frac{w_j\cdot p_j}{\tau^2}+\frac{a_j\|p_j\|^2}{2\tau^4}\Bigr)+O(\tau^{-5}).\end{aligned}$$
#
# To first order no neuron switches a sample on or off before $S$ if and only if $\tau$ exceeds
# $\tau_c=\max_{i,j,s\le S}\bigl(-a_jp_j\cdot x_i/w_j\cdot x_i\bigr)_+^{1/2}$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# With $w_j(t)=\tau v_j(s)$, $a_j(t)=\tau b_j(s)$ and $r=y-\tau^2h(v,b)$ the flow is $v_j'=\tau^{-2}b_jq_j$, $b_j'=\tau^{-2}v_j\cdot q_j$ with $q_j=\sum_{i:\,v_j\cdot x_i>0}r_ix_i$. For large $\tau$ the signs of all $v_j\cdot x_i$ are those of the start up to $s=S$, and $h$ is quadratic. As in {prf:ref}`proposition-lazy-pairs`, $\tau^2h$ is even in
# $\tau^2$, so that $r=y-Kg+O(\tau^{-4})$ and $q_j=p_j'+O(\tau^{-4})$. Integrate twice: $v_j=w_j+\tau^{-2}a_jp_j+\tau^{-4}\int(w_j\cdot p_j)p_j'+O(\tau^{-6})$, $b_j=a_j+\tau^{-2}w_j\cdot p_j+\tau^{-4}\int a_jp_j\cdot p_j'+O(\tau^{-6})$. The condition says that $(w_j+\tau^{-2}a_jp_j)\cdot x_i$ keeps its sign. $\square$
# ````
#
# *Short weights.* At first the output is of order $\tau^2$, so that the residual is $y$, and the neurons do not hear each other. Let $u(\theta)=(\cos\theta,\sin\theta)$ and
#
# $$G(\theta)=\sum_iy_i\,(u(\theta)\cdot x_i)_+ .$$
#
# ````{prf:proposition} Short neurons; the early phase of Maennel et al. 2018 (formal derivation)
# :label: proposition-paths-short
#
# As $\tau\to0$, on every bounded interval of time, $w_j=\tau e^{\rho_j}u(\theta_j)$ and $a_j=s_j\|w_j\|$ with
#
# $$\dot\theta_j=s_jG'(\theta_j),\qquad\dot\rho_j=s_jG(\theta_j).$$
#
# So each neuron that starts neither at a minimum of $s_jG$ nor on an arc on which no sample is active, where $G=0$ and it stays, turns uphill to a local maximum $\theta_j^*$ of $s_jG$, and then grows like $e^{\gamma_jt}$ with $\gamma_j=s_jG(\theta_j^*)$. If $\gamma=\max_j\gamma_j>0$, the time $T_\tau$ at which the risk has fallen by a given small share is
#
# $$T_\tau=\frac1\gamma\ln\frac1\tau+O(1) .$$
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# For $h=0$ the flow is $\dot w_j=a_jD(w_j)$, $\dot a_j=w_j\cdot D(w_j)$ with $D(w)=\sum_{i:\,w\cdot x_i>0}y_ix_i$; a balanced neuron stays balanced, $w\cdot D(w)=\|w\|G$ and $u'\cdot D=G'$. $G$ is a sinusoid between two kinks. A maximum at a kink, where the flow is not unique backwards but forwards, is reached in finite time and kept, any other at the rate
# $\gamma_j$. The output is at most $\sum_ja_j^2$, which is of order $\tau^2e^{2\gamma t}$: the residual is $y$ up to a small share until this is small but no longer negligible, $t=\frac1\gamma\ln\frac1\tau+O(1)$. $\square$
# ````
#
# In the plane all maxima can be listed: on each arc between two kinks there is one at most, and the kinks are $2n$. And however a network comes to fit the labels, its weights must be long enough.
#
# ````{prf:proposition} No network fits without moving
# :label: proposition-paths-least
#
# Let $\nu\in\mathbb R^n$ with $\bigl|\sum_i\nu_i(u\cdot x_i)_+\bigr|\le1$ for all unit vectors $u$. Every network with $h(x_i)=y_i$ has $\sum_j\|w_j\|^2+a_j^2\ge2\,\nu\cdot y$, and so it is at least $\sqrt{2\,\nu\cdot y}-\ell$ away from a start of length $\ell$.
# ````
#
# ````{prf:proof}
# $\nu\cdot y=\sum_ja_j\sum_i\nu_i(w_j\cdot x_i)_+\le\sum_j|a_j|\|w_j\|\le\frac12\sum_j(\|w_j\|^2+a_j^2)$. $\square$
# ````
#
# The best $\nu$ is found by a linear program on a grid, and made a proof by dividing by the exact maximum over the circle: a sinusoid on each arc again.
#
# ## Experiment
#
# Samples, teacher and directions are drawn from streams of their own. The panels run gradient descent with a short step, at the scales *rich* and *lazy*. The law of long weights is measured at multiples of $\tau_c$, with the flow integrated to the time $s=$ *horizon*; the early phase at the scales *tiny*.

# %% tags=["parameters"]
n: int = 15  # number of samples n, in [8, 40]
# because fewer points often lie in one half plane, and the other sees none
m: int = 16  # number m of neurons, even, in [8, 64]
rich: float = 0.1  # scale τ of the short start, in [0.02, 0.2]
lazy: float = 2.0  # scale τ of the long start, in [1, 5]
tiny: list[float] = [1e-3, 1e-6, 1e-12]  # decreasing scales τ of the early phase, each in [1e-14, 0.01]
horizon: float = 15.0  # time s to which long neurons are followed, in [5, 60]
steps: int = 20000  # steps of gradient descent in the two panels, in [10000, 200000]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where m % 2 == 0
# where len(tiny) == 3 and tiny[0] > tiny[1] and tiny[1] >= 1e4 * tiny[2]

# %% tags=["hide-input"]
data_stream, initialization_stream, control_stream = np.random.default_rng(seed).spawn(3)
teacher = planar_teacher(data_stream, 3)
x = data_stream.standard_normal((n, 2))  # stream: data
x /= np.linalg.norm(x, axis=1, keepdims=True)
around = np.sort(np.arctan2(x[:, 1], x[:, 0]))
if np.max(np.diff(around, append=around[0] + 2 * np.pi)) >= np.pi:
    raise ValueError(f"n is {n}, seed is {seed}; the points drawn lie in one half plane, change n or seed")
y = np.maximum(x @ teacher.w.T, 0) @ teacher.a
data, net = Samples(x, y), TwoLayer(RELU)


def train(start, tau, *, alpha=1.0, record=()):
    """Gradient descent of R(αh)/α² from τ(W, a): the flow and its run."""
    flow = Risk(net, data, Scaled(Squared("sum"), alpha)).of_weights(tau * start[0], tau * start[1])
    # mutant(0.05): the length of the steps
    step = alpha * min(0.05 / n, 0.5 / (alpha * tau**2 * stiffest))
    return flow, descend(flow, step, t_end=steps * step, record=step * record)


def stroll(start, alpha):
    """The same by gradient descent with a short step, for flows that meet kinks."""
    flow = Risk(net, data, Scaled(Squared("sum"), alpha)).of_weights(*start)
    run = descend(flow, 0.1 / stiffest, t_end=horizon, record=times[1:-1])
    return alpha * (run.theta - flow.start)


RTOL = 1e-11  # of the integrator


def integrate(start, alpha, rtol=RTOL):
    """Gradient flow of R(αh)/α² from (W, a), precisely, to the horizon: α(w − w₀) at the times, k × m(d + 1)."""
    flow = Risk(net, data, Scaled(Squared("sum"), alpha)).of_weights(*start)
    run = follow(flow, t_end=horizon, record=times[1:-1], method="LSODA", rtol=rtol)
    return alpha * (run.theta - flow.start)


FITTED = 1e-4  # share of the risk that a network that fits may leave
SHARE = 1e-3  # of the risk, whose loss ends the early phase
FINE = 0.02 / n  # step of the early phase


def wait(start, tau):
    """Gradient descent from τ(W, a) until a share of the risk is lost: the time, the directions and the a_j² there."""
    flow = Risk(net, data, Squared("sum")).of_weights(tau * start[0], tau * start[1])
    run = drive(GradientDescent(flow.gradient, FINE), flow.start, t_end=1000.0, residual=flow.value,
                target=(1 - SHARE) * flow.value(flow.start)).demand()
    w, a = flow.weights(run.final)
    # mutant(2): weights of a mean whose limit is the same
    return run.t[-1], np.arctan2(w[:, 1], w[:, 0]), a**2


def fit(flow, run):
    """The run gone on with until the network fits, for at most five times as long."""
    # mutant(/; 1): the length of the steps
    step = GradientDescent(flow.gradient, run.t[-1] / steps)
    target = FITTED * flow.value(flow.start)
    # mutant(*; -; 5 → 1; run.t[-1]): the most time a run may take
    return drive(step, run.final, t_end=5 * run.t[-1], residual=flow.value, target=target)


def turned(before, after):
    """The mean angle between the rows of two arrays, in degrees."""
    return float(np.degrees(np.mean(np.diag(angles(before, after)))))


def astray(angle, target, weights):
    """The mean distance of angles on the circle, weighted."""
    # mutant(/): a bound with room
    return float(np.sum(weights * np.abs((angle - target + np.pi) % (2 * np.pi) - np.pi)) / np.sum(weights))


times = np.concatenate([[0.0], np.geomspace(1e-3, 1, 60) * horizon])
moments = np.unique(np.round(np.geomspace(1, steps, 60)).astype(int))
directions = initialization_stream.standard_normal((m // 2, 2))
start = in_pairs(directions / np.linalg.norm(directions, axis=1, keepdims=True), np.ones(m // 2))
# mutant(2; (:, 0)): the unit of a motion that is bounded
angle, length = np.arctan2(start[0][:, 1], start[0][:, 0]), np.sqrt(2 * m)
gate = start[0] @ x.T > 0
stiffest = float(np.linalg.norm(np.vstack([np.maximum(start[0] @ x.T, 0), *(x.T[:, None] * gate)]), 2)) ** 2

# %%
paths = gated_paths(x, y, start[0], start[1], times)  # predict
response, least = CircleResponse(x, y), least_weights(x, y)
# mutant(0): which maximum a neuron without weight is given
reached = np.where(start[1] > 0, response.reached(angle, 1), response.reached(angle, -1))
growth = start[1] * response.value(reached)
# mutant(6; 2.0; max(paths.switch, 2.0) → 1): the scales that are compared
scales = max(paths.switch, 2.0) * np.geomspace(1.5, 6, 5)
panels = {tau: train(start, tau, record=moments) for tau in (rich, lazy)}  # train
moves = {tau: integrate(start, tau**2) for tau in scales}
waits = {tau: wait(start, tau) for tau in tiny}
# mutant(1): the unit of what is compared
unit = np.linalg.norm(paths.first[-1])  # compare
end = moves[scales[-1]][-1] / unit  # mutant(1): a bound with room
print(f"motion of the longest neurons, off the predicted one by {np.linalg.norm(end - paths.first[-1] / unit):.3%}")
turn_off = np.degrees(astray(waits[tiny[-1]][1], reached, waits[tiny[-1]][2]))
print(f"directions of the shortest, off the predicted ones by {turn_off:.1e}° on average")

# %% [markdown]
# What breaks a premise. *Long weights, small output*: the long neurons with the output divided by $\tau^2$; not the weights but the scale of the output decides. *Short weights, large output*: the short neurons with the output multiplied by $\alpha=(\tau_{\text{lazy}}/\tau_{\text{rich}})^2$, which makes them lazy. *Not small*: the lazy start in place of the tiny one. *Longer still*: a start twice as long as the long one.

# %% tags=["hide-input"]
divided = stroll(start, 1.0)
alpha = (lazy / rich) ** 2
multiplied = train(start, rich, alpha=alpha, record=moments)
longer = train(start, 2 * lazy, record=moments)
rich_flow, rich_run = panels[rich]
fitted = fit(rich_flow, rich_run)
loud = {tau: wait(start, tau) for tau in (lazy, lazy / 4)}
crossed = stroll(start, (0.6 * paths.switch) ** 2)


def motion(flow, run, tau):
    """The displacement over the length of the start, and the mean turn of the neurons in degrees."""
    # mutant(-; *; length): a bound with room; the start is small
    return np.linalg.norm(run.final - flow.start) / (tau * length), turned(start[0], flow.weights(run.final)[0])


moved = {name: motion(flow, run, tau)
         for name, (flow, run), tau in (("rich", (rich_flow, fitted), rich), ("lazy", panels[lazy], lazy),
                                        ("multiplied", multiplied, rich), ("longer", longer, 2 * lazy))}


def unfitted(flow, run):
    """The share of the risk that a run leaves."""
    return flow.value(run.final) / flow.value(flow.start)


late = gated_paths(x, y, start[0], start[1], [lazy**2 * panels[lazy][1].t[-1]])
first_order = (np.linalg.norm(late.first) / lazy**2 / length, turned(start[0], start[0] + late.w[0] / lazy**2))
floor = least.length / (rich * length) - 1
numbers(["start", "moved", "predicted", "turned by", "predicted", "risk left"],
        [[f"τ = {rich:g}", moved["rich"][0], f"≥ {floor:.2f}", moved["rich"][1], "–", unfitted(rich_flow, fitted)],
         [f"τ = {lazy:g}", moved["lazy"][0], first_order[0], moved["lazy"][1], first_order[1], unfitted(*panels[lazy])],
         [f"τ = {rich:g}, output × {alpha:g}", moved["multiplied"][0], first_order[0], moved["multiplied"][1],
          first_order[1], unfitted(*multiplied)]])

# %% [markdown]
# *Moved* is over the length of the start, *turned* is the mean angle in degrees. The bound is one of networks that fit: if the share of the risk in the last column is not small at the end of their panel, the short weights are trained on until it is, for at most five times as long.

# %% mystnb={"figure": {"caption": "Paths of $|a_j|w_j$, blue where $a_j>0$ and red where $a_j<0$, over the rays of the teacher. Left: long weights, from the grey circle; black crosses: where the first order puts their ends. Middle: short weights, from the centre; dashed: the directions to which they are predicted to turn. Right: how far the paths of all weights are from their first order, over its length; dashed: the second order, predicted. Grey: $\\tau_c$, below which a neuron switches a sample (red).", "name": "figure-paths"}, "image": {"alt": "Left: short strokes at a circle. Middle: long curves from the centre that bend to three rays. Right: dots on a line that falls like the second power of the scale, and below a threshold above it", "classes": "panels-3"}} tags=["hero", "hide-input"]
HUES = {1.0: style.COLORS["blue"], -1.0: style.COLORS["red"]}


def neurons(tau):
    """|a_j| w_j along a panel's run, records × m × 2."""
    flow, run = panels[tau]
    w, a = flow.weights(run.theta)
    return np.abs(a)[..., None] * w


def arena(ax, reach):
    """The plane with the teacher's neurons."""
    for ray, weight in zip(teacher.w, teacher.a, strict=True):
        ax.plot([0, reach * 1.5 * ray[0]], [0, reach * 1.5 * ray[1]], color=HUES[weight], linewidth=6, alpha=0.2,
                zorder=0)
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel=r"$|a_j|\,w_{j,1}$",
           ylabel=r"$|a_j|\,w_{j,2}$")


def tops(ax, radius):
    """The predicted directions, as far as neurons grow there."""
    for theta in np.unique(np.round(reached[growth > 0], 9)):
        ax.plot(*np.outer([np.cos(theta), np.sin(theta)], [0, radius]), color="black", linestyle=(0, (3, 2)),
                linewidth=1.2, zorder=1)


REACH = {lazy: 1.35 * lazy**2, rich: 1.15 * float(np.abs(neurons(rich)).max())}
left, middle, right = style.panels(3, (12.2, 4.1))
for ax, tau in ((left, lazy), (middle, rich)):
    arena(ax, REACH[tau])
    ring = np.linspace(0, 2 * np.pi, 200)
    ax.plot(tau**2 * np.cos(ring), tau**2 * np.sin(ring), color=style.COLORS["grey"], linewidth=0.8)
    for j, path in enumerate(neurons(tau).swapaxes(0, 1)):
        ax.plot(*path.T, color=HUES[start[1][j]], linewidth=1.6)
        ax.plot(*path[-1], "o", color=HUES[start[1][j]], markersize=6)
    ax.set_title(rf"$\tau={tau:g}$")
tops(middle, 0.45 * REACH[rich])
predicted = (1 + start[1] * late.a[0] / lazy**2)[:, None] * (start[0] + late.w[0] / lazy**2) * lazy**2
left.plot(*predicted.T, "+", color="black", markersize=10, zorder=6)
off = [np.linalg.norm(moves[tau] - paths.first, axis=1).max() for tau in scales]
crossing = np.linalg.norm(crossed - paths.first, axis=1).max()
unit = np.linalg.norm(paths.first[-1])
right.loglog(scales, np.array(off) / unit, "o", color=style.COLORS["blue"], label=r"$\tau>\tau_c$")
right.loglog(0.6 * paths.switch, crossing / unit, "s", color=style.COLORS["red"], label=r"$\tau<\tau_c$")
line = np.geomspace(0.5 * paths.switch, scales[-1], 30)
style.theory(right, line, np.linalg.norm(paths.second, axis=1).max() / line**2 / unit)
right.axvline(paths.switch, color=style.COLORS["grey"], linewidth=1)
right.set(xlabel=r"scale $\tau$", title="distance of the paths from $\\delta$", xticks=[2, 5, 10, 20])
right.set_xlim(0.45 * paths.switch, 1.3 * scales[-1])
right.xaxis.set_major_formatter("{x:g}")
right.xaxis.set_minor_formatter("")
right.legend(loc="upper right", fontsize=16)
for ax in (left, middle, right):
    ax.tick_params(labelsize=14)
    ax.xaxis.label.set_size(17)
    ax.yaxis.label.set_size(17)
    ax.title.set_size(17)
plt.show()

# %% [markdown]
# Both starts in motion; time runs logarithmically, and in the right panel the directions of {prf:ref}`proposition-paths-short` are dashed. Button and slider answer to the keyboard.

# %% tags=["hide-input"]
figure, axes = plt.subplots(1, 2, figsize=(8.4, 4.2), layout="constrained", dpi=80)
trails = {tau: neurons(tau) for tau in (lazy, rich)}
frames = np.unique(np.linspace(0, len(trails[rich]) - 1, 18).astype(int))
dots = {}
for ax, tau in zip(axes, (lazy, rich), strict=True):
    arena(ax, REACH[tau])
    dots[tau] = [
        (ax.plot([], [], color=HUES[s], linewidth=1.2)[0], ax.plot([], [], "o", color=HUES[s], markersize=6)[0])
        for s in start[1]
    ]
tops(axes[1], 0.45 * REACH[rich])
figure.draw_without_rendering()
figure.set_layout_engine("none")


def animate_frame(frame):
    """Put the neurons where they are at a record, with their trails and the share of the risk that is left."""
    for ax, tau in zip(axes, (lazy, rich), strict=True):
        flow, run = panels[tau]
        for j, (trail, dot) in enumerate(dots[tau]):
            trail.set_data(*trails[tau][: frames[frame] + 1, j].T)
            dot.set_data(*trails[tau][frames[frame], j][:, None])
        left_over = flow.value(run.theta[frames[frame]]) / flow.value(flow.start)
        ax.set_title(rf"$\tau={tau:g}$, $R/R(0)=${left_over:.0e}")


HTML(film(figure, animate_frame, len(frames), name="film-training-paths",
          alt="Two panels of neurons: on the left they stay near a circle; on the right they turn to dashed lines and then grow to the rays of the teacher",
          said=[f"step {step}" for step in np.append(0, moments)[frames]]))

# %% [markdown]
# ## Headline claims
#
# Each box is a {term}`claim`: what theory predicts, what was measured, by how much they may differ and why.
#
# ```{claim} vectors
# :headline: displacement of all weights, long start, over its predicted length: entry that is off most
# :evidence: trained and compared
# :because: the largest entry of the second order, known before training
# :control: the same long weights, output divided by τ²
#
# long weights move by the vector that the first order gives, every neuron
# ```
#
# ```{claim} moves
# :headline: distance that short weights move, over the length of the start; at least
# :evidence: proved here
# :because: a theorem of every network, at the outputs that this one has reached; the table above has the
#   bound for an exact fit
# :control: the same start, its output multiplied
#
# no network fits the labels from a short start without moving so far
# ```
#
# ```{claim} turn
# :headline: mean angle between neurons and their predicted directions, weighted, shortest start; radians
# :source: Maennel et al. 2018
# :evidence: trained and compared
# :because: the output of the grown neurons, which takes the share of the risk, turns each of them, or at a
#   kink the length of a step does; and what is left of a turn at the rate γ_j of its own maximum until then,
#   e^(−γ_jT); weighted like the mean
# :contrast: the lazy start, at the same loss
#
# short weights first turn to the maxima of ±G uphill of their start
# ```
#
# ```{claim} wait
# :headline: γ times the wait, over ln(1/τ), between the two shortest starts
# :source: derived in this chapter from the early phase of Maennel et al. 2018
# :evidence: trained and compared
# :because: a step of descent grows by 1 + ηγ and not e^(ηγ); slower neurons share the loss as long as they
#   are not yet negligible
# :control: starts that are not small
#
# before anything is seen short weights grow in the dark for ln(1/τ)/γ
# ```

# %% tags=["hide-input"]
top = scales[-1]
claims.limit("vectors",
             # mutant(1): another of the recorded times, of which the same holds
             paths.first[-1] / unit,
             end, error=np.abs(paths.second[-1]).max() / top**2 / unit, control=divided[-1] / unit)
claims.above("moves",
             # mutant(1; 2 → 1; 2… → 2…): a bound with room
             np.sqrt(2 * (least.charges @ rich_flow.outputs(fitted.final))) / (rich * length) - 1,
             moved["rich"][0],  # mutant: a bound with room
             proved=0, control=moved["multiplied"][0])
last = waits[tiny[-1]]
fastest = float(growth.max())
derived_weights = last[2] / last[2].sum()
derived_places = np.maximum(x @ np.array([np.cos(reached), np.sin(reached)]), 0)
derived_seen = derived_places @ (derived_weights * start[1])  # what grown neurons put out, beside y
derived_pull = SHARE * np.sum(y**2) / 2 * np.abs(CircleResponse(x, derived_seen).slope(reached)) / fastest
derived_kinked = np.min(np.abs(np.sin(reached[:, None] - response.kinks)), axis=1) < 1e-9
derived_pace = np.maximum(growth, 0)  # a neuron that shrinks is hardly turned, and hardly counts
derived_turn = np.where(derived_kinked, FINE * np.abs(y).max(), derived_pull / (2 * fastest + derived_pace))
derived_left = np.pi * np.exp(-derived_pace * last[0])
claims.limit("turn", 0.0, astray(last[1], reached, last[2]), error=derived_weights @ (derived_turn + derived_left),
             control=astray(loud[lazy][1], reached, loud[lazy][2]))
derived_ratio = growth[growth < fastest * (1 - 1e-9)] / fastest  # of the slower neurons
derived_others = np.sum((1 - derived_ratio) * tiny[1] ** (2 * (1 - np.maximum(derived_ratio, 0))))
derived_others /= m - derived_ratio.size
claims.rate("wait", 1.0, fastest * (last[0] - waits[tiny[1]][0]) / np.log(tiny[1] / tiny[2]),
            error=fastest * FINE / 2 + derived_others,
            control=fastest * (loud[lazy / 4][0] - loud[lazy][0]) / np.log(4))

# %% [markdown]
# ## Instruments
#
# The second order of the paths, and its limit of validity $\tau_c$; that the scale of the weights and the scale of the output are the same thing; the list of maxima and the bound, each against a search on a fine grid.
#
# ```{claim} second
# :evidence: trained and compared
# :because: the next order, from the change since the scale before; and what ten times the integrator's
#   tolerance changes
# :control: a scale below τ_c, where samples are switched
#
# what the first order misses is the second, entry by entry
# ```
#
# ```{claim} scale
# :evidence: trained and compared
# :because: rounding in each of the steps, of either sign
# :contrast: short weights with their own output
#
# short weights with a large output take the steps of long weights
# ```
#
# ```{claim} maxima
# :evidence: float with residual
# :because: the spacing of the grid: next to the largest of its points on both sides of a maximum lies the
#   maximum
# :control: minima
#
# the listed directions are the local maxima of G and −G, and those for labels of random signs
# ```
#
# ```{claim} angles
# :evidence: trained and compared
# :because: as many degrees as the first order lets long weights turn
# :contrast: weights twice as long in their place
# :order: degrees that long weights turn, that short weights turn
#
# short weights turn farther than long ones
# ```
#
# ```{claim} bound
# :evidence: float with residual
# :because: rounding of a sum over the samples
# :control: ν as it comes from labels of one size
#
# ν answers every unit vector by 1 at most
# ```

# %% tags=["hide-input"]
# mutant(1): another of the recorded times, of which the same holds
beyond = {tau: tau**2 * (moves[tau] - paths.first)[-1] for tau in scales}
size = np.linalg.norm(paths.second[-1])  # mutant(1): the unit of what is compared
derived_steps = refined(moves[top][-1], integrate(start, top**2, 10 * RTOL)[-1], 10, 1)
claims.limit("second",
             # mutant(1): another of the recorded times, of which the same holds
             paths.second[-1] / size,
             beyond[top] / size,
             error=(refined(beyond[top], beyond[scales[-2]], top / scales[-2], 2) + top**2 * derived_steps) / size,
             control=(0.6 * paths.switch) ** 2 * (crossed - paths.first)[-1] / size)
flow, run = multiplied
claims.identity("scale", panels[lazy][1].theta[-1] / lazy, run.final / rich,
                error=rounding(np.sqrt(steps), np.abs(run.final).max() / rich), control=panels[rich][1].final / rich)
grid = 2 * np.pi * np.arange(20_000) / 20_000  # mutant(20000): another grid as fine


def apart(these, those):
    """The distance on the circle of each of these angles from the nearest of those."""
    # mutant(+): the same, up to a whole turn, which is taken away
    # mutant(these, those): both ways are compared
    # mutant(2 → 3): no maximum has its partner on the other side of 0
    return np.min(np.abs((np.subtract.outer(these, those) + np.pi) % (2 * np.pi) - np.pi), axis=1)


def searched(circle, sign):
    """The local maxima of sign·G on the grid; of a plateau, both ends."""
    ahead = np.sign(np.roll(sign * circle.value(grid), -1) - sign * circle.value(grid))
    return grid[np.roll(ahead, 1) > ahead]


def missed(circle, sign, listed, others):
    """The largest distance of what a search finds from the list, and of what is listed from what it finds.

    One of the others beside it, between two points of the grid, hides a maximum from the search.
    """
    found = searched(circle, sign)
    # mutant(2; 1; listed, others): no minimum of this problem is as near to a maximum
    alone = listed[apart(listed, others) > 2 * grid[1]]
    # mutant(found, listed): all that is listed is found here; minima fail by the second term
    # mutant(alone, found): all that is found is listed here; minima fail by the first term
    return float(max(apart(found, listed).max(), apart(alone, found).max()))


# mutant(1.0; -): other labels of the control
other = CircleResponse(x, control_stream.choice([-1.0, 1.0], n))
# mutant(-): the maxima of G twice; held by test_circle
each = [(circle, sign) for circle in (response, other) for sign in (1, -1)]
claims.identity("maxima", 0.0,
                max(missed(circle, sign, circle.maxima(sign), circle.maxima(-sign)) for circle, sign in each),
                proved=float(grid[1]),
                control=Altered(max(missed(circle, sign, circle.maxima(-sign), circle.maxima(sign))
                                    for circle, sign in each)))
claims.increasing("angles", [moved["lazy"][1], moved["rich"][1]], level=first_order[1],
                  control=[moved["lazy"][1], moved["longer"][1]])
answers = np.abs(CircleResponse(x, least.charges).value(grid))
claims.below(
    "bound",
    1.0,  # mutant: another of the recorded times, of which the same holds
    float(answers.max()),
    error=rounding(n, np.abs(least.charges).sum()),
    control=Altered(float(np.abs(CircleResponse(x, np.sign(y) * least.value / np.abs(y).sum()).value(grid)).max())),
)

# %% [markdown]
# ## What would falsify it
#
# Long weights, with no sample switched, that move by another vector than the closed form's; a network that fits the labels nearer to its start than the bound; short weights that turn elsewhere before they grow, or that wait for another time.
#
# ## Differences from the paper
#
# - *Added.* The paper shows the two panels. The paths' closed form, $\tau_c$ and the bound are derived here; the early phase is from {cite:t}`maennel2018`.
# - *Changed.* The output weights begin at $\pm1$, in place of random ones: balanced neurons keep their signs, which the early phase needs. The teacher's three lines are at least $30°$ apart, so that no two of its neurons merge.
# - *Changed.* $R$ is a sum over the samples, the paper's a mean: times differ by the factor $n$.
#
# ## Scope
#
# Two dimensions, few samples, and gradient flow; {prf:ref}`proposition-paths-long` and {prf:ref}`proposition-paths-least` hold in any dimension, but there the maximum over all directions is hard to compute. The $O(1)$ in the waiting time is not computed, and nothing is proved of where the short neurons end: near the teacher in the figure, but they may stop at another
# fit of the $n$ samples.
#
# ## Exercises
#
# ````{exercise} The same by the output
# :label: exercise-paths-alpha
#
# Show that multiplying both layers by $\tau$, or the output by $\tau^2$, gives the same path up to its size, and say how the times compare.
# ````
#
# ````{solution} exercise-paths-alpha
# :class: dropdown
#
# With $w=\tau v$, $a=\tau b$: $h(w,a)=\tau^2h(v,b)$, and $\dot w=-\partial_wR(h(w,a))=-\tau\,Dh(v)^\top\nabla R(\tau^2h(v))$, so $\dot v=-Dh(v)^\top\nabla R(\tau^2h(v))$. For $R(\alpha h)/\alpha^2$ with $\alpha=\tau^2$ it is $\dot v=-\frac1\alpha Dh(v)^\top\nabla R(\alpha h(v))$: the same path, $\tau^2$ times slower.
# ````
#
# ````{exercise} A maximum at a kink
# :label: exercise-paths-kink
#
# Which sign has the label of a sample that is orthogonal to a local maximum of $G$?
# ````
#
# ````{solution} exercise-paths-kink
# :class: dropdown
#
# Negative: $y_i(u\cdot x_i)_+$ must bend down there. Neurons with $a_j>0$ gather where they just do not see that sample.
# ````
#
# ## References
#
# The two panels are Figure 1 of {cite:t}`chizat2019`, the early phase is {cite:t}`maennel2018`; the norm that the bound computes is that of {cite:t}`bach2017`.
