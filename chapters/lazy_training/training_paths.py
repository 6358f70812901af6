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
# # From a large initialization neurons stay, from a small one they turn
#
# ```{question}
# ```
#
# A teacher of three hidden neurons labels {glue:text}`paths_n` points on a circle. We train a network of {glue:text}`paths_m` ReLU neurons on them twice, from the same random directions. After a *large initialization*, with $\|w_j\|=|a_j|=$ {glue:text}`paths_large`, the vector of all weights moves by {glue:text}`paths_moved_large` of its length, and neurons turn by {glue:text}`paths_turned_large` on average. After a *small initialization*, with {glue:text}`paths_small`, it moves by {glue:text}`paths_moved_small` times its length, and neurons turn by {glue:text}`paths_turned_small`.
#
# Why? A tiny move of large neurons already changes the output enough. This is the {term}`lazy regime`. Small neurons must first grow, exponentially, and those that lead turn to a few directions, in which the labels pull most. This is feature learning. The smaller the start, the longer the wait. To lose {glue:text}`paths_share` of the loss takes {glue:text}`paths_ratio` times as long from size {glue:text}`paths_tiny` as from {glue:text}`paths_largest`, as we predict to {glue:text}`paths_wait_off`. (The leading law $\ln(1/\tau)$ would give {glue:text}`paths_ratio_crude`.)
#
# ```{hero}
# ```
#
# ## The statement
#
# The network is $h(x)=\sum_{j=1}^ma_j(w_j\cdot x)_+$ in the plane. Both layers are trained by {term}`gradient flow` of $R=\frac12\sum_i(h(x_i)-y_i)^2$. The start is $\tau(w_j,a_j)$ with unit vectors $w_j$ and $a_j=\pm1$. The number $\tau$ is the size of the initialization. The neurons come in pairs $(w,1)$, $(w,-1)$, so the output starts at zero. Let $K$ be the {term}`tangent kernel` at $\tau=1$.
#
# *Large initialization.* As $\tau\to\infty$, in the time $s=\tau^2t$, every neuron moves along a vector that is known before training,
#
# $$\begin{gathered}\frac{w_j(s)}\tau=w_j+\frac{a_jp_j(s)}{\tau^2}+O(\tau^{-4}),\\p_j=\sum_{i:\,w_j\cdot x_i>0}g_i\,x_i .\end{gathered}$$
#
# Here $g_i(s)$ is the integral up to the time $s$ of the linear model's residual at sample $i$, $g'=y-Kg$ and $g(0)=0$ ({prf:ref}`proposition-paths-long`).
#
# *Small initialization.* As $\tau\to0$ the output is negligible for a long time, and every neuron follows the labels alone. Later papers call this the *early alignment phase*. {cite:t}`maennel2018`, who found it, call its limits *extremal vectors*. With $u(\theta)=(\cos\theta,\sin\theta)$ and the pull of the labels
#
# $$G(\theta)=\sum_iy_i\,(u(\theta)\cdot x_i)_+$$
#
# the angle $\theta_j$ of neuron $j$ and the logarithm $\rho_j$ of its growth obey
#
# $$\dot\theta_j=a_jG'(\theta_j),\qquad\dot\rho_j=a_jG(\theta_j).$$
#
# So the neuron turns uphill to a local maximum of $a_jG$ and then grows exponentially, or shrinks if this maximum is negative. The first neurons to become visible are those at the highest of the maxima reached. Call the value of $a_jG$ there $\gamma$. The time until a small share of the risk is lost is $\frac1\gamma\ln\frac1\tau+O(1)$, and the equations give the $O(1)$ too ({prf:ref}`proposition-paths-short`, a formal derivation after {cite:t}`maennel2018`).
#
# Whatever a network does, it cannot fit from a small start without moving far. A linear program says how far at least ({prf:ref}`proposition-paths-least`).
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [motion of all weights](vectors), size $\tau=$ {glue:text}`paths_top`, over its length; its largest entry | {glue:text}`paths_entry_p` | {glue:text}`paths_entry_m` | output divided by $\tau^2$: whole vector off by {glue:text}`paths_divided` | $\tau=$ {glue:text}`paths_below`, below $\tau_c$: off by {glue:text}`paths_crossed` |
# | [time](wait) until {glue:text}`paths_share` of the risk is lost, size {glue:text}`paths_tiny` | {glue:text}`paths_wait_p` | {glue:text}`paths_wait_m` | | output weights halved: {glue:text}`paths_wait_half` |
# | [angle](turn) of all {glue:text}`paths_m` neurons at this time, sizes {glue:text}`paths_sizes`, in degrees | predicted one by one | off by at most {glue:text}`paths_turn` | the large start instead, at the same loss: off by {glue:text}`paths_turn_large` | |
# | [distance moved](moves), size $\tau=$ {glue:text}`paths_small`, over the length of the start | at least {glue:text}`paths_floor` (every network with these outputs) | {glue:text}`paths_moved_small` | output multiplied by {glue:text}`paths_alpha`: {glue:text}`paths_multiplied` | |
# ```
#
# In the first row the claim compares every entry of the motion with the first order. The whole vector is off by {glue:text}`paths_vectors` of its length, as the second order predicts ({glue:text}`paths_second`).
#
# **What to remember?** It is not the size of the weights as such that decides but the size of the output. The small weights with their output multiplied by {glue:text}`paths_alpha` are lazy. The large ones with their output divided by $\tau^2$ move like weights of size 1, by {glue:text}`paths_divided_moved` of their length, and without the division by {glue:text}`paths_top_moved`. Without such a factor the size of the initialization decides between two kinds of training. Large weights move by a computable vector, whose relative length falls like $1/\tau^2$. Small weights at first follow the pull of the labels alone, and of {glue:text}`paths_m` neurons those near the highest maxima are the first to matter.
#
# ## The smallest case
#
# Take one sample $x=(1,0)$ with the label $1$ and one neuron. At the start its hidden weights have the length $\tau$ and the angle $\theta$, between $-\frac\pi2$ and $\frac\pi2$ so that it sees the sample, and $a=\tau$. Then $G(\theta)=\cos\theta$.
#
# *Small.* As long as the output is negligible $\dot\theta=-\sin\theta$ and $\dot\rho=\cos\theta$. So $\tan\frac\theta2$ falls like $e^{-t}$. The neuron turns to the sample, whatever its size, and then grows like $e^t$. The output is about $\tau^2e^{2t}$, and it reaches the label at $t\approx\ln\frac1\tau$. With $\tau=10^{-12}$ the neuron has turned by $t=5$, and the output does not show until $t\approx28$.
#
# *Large.* Subtract the first output, so that it must change by one. Its gradient in the weights has the length $\tau\sqrt{1+\cos^2\theta}$. So the weights move by about $1/(\tau\sqrt{1+\cos^2\theta})$, and relative to the length $\tau\sqrt2$ of the weights by $1/(\tau^2\sqrt{2+2\cos^2\theta})$. This is at most $0.18$ for $\tau=2$ and $0.0071$ for $\tau=10$.
#
# ## Experiment
#
# The points are uniform on the unit circle. The teacher's three neurons have random directions and $|a^*_k|\|w^*_k\|=1$. Samples, teacher and directions are drawn from streams of their own.

# %% tags=["hide-input"]
import numpy as np
from IPython.display import HTML
from matplotlib import pyplot as plt
from scipy.optimize import brentq

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
from reproduce.claims.glued import glue_all

claims = Claims("training_paths")

style.use_style()

# %% tags=["parameters"]
n: int = 15  # number of samples n, in [8, 40]
# because fewer points often lie in one half plane, and the other sees none
m: int = 16  # number m of neurons, even, in [8, 64]
rich: float = 0.1  # size τ of the small initialization, in [0.02, 0.2]
lazy: float = 3.0  # size τ of the large initialization, in [1, 5]
# because larger starts were not tried
tiny: list[float] = [1e-3, 1e-6, 1e-12]  # decreasing sizes τ, each in [1e-14, 0.01]
horizon: float = 15.0  # time s to which large neurons are followed, in [5, 60]
steps: int = 20000  # steps of gradient descent in the two panels, in [10000, 200000]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where m % 2 == 0
# where len(tiny) == 3 and tiny[0] > tiny[1] and tiny[1] > tiny[2]

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
STEP = 0.003 / n  # of the early phase


def grow(tau):
    """Gradient flow of all neurons from τ(W, a) in θ and ln‖w‖, until a share of the risk is lost: the time, the θ."""
    theta, log_length, t = angle.copy(), np.full(m, np.log(tau)), 0.0
    while True:
        u = np.column_stack([np.cos(theta), np.sin(theta)])
        seen = u @ x.T
        out = (start[1] * np.exp(2 * log_length)) @ np.maximum(seen, 0)
        if y @ out - out @ out / 2 >= SHARE * y @ y / 2:
            return t, theta
        pull = start[1][:, None] * (((seen > 0) * (y - out)) @ x)
        theta = theta + STEP * (pull[:, 1] * u[:, 0] - pull[:, 0] * u[:, 1])
        log_length, t = log_length + STEP * np.sum(pull * u, axis=1), t + STEP


def early(tau, t):
    """The angles and what the neurons put out at a time of the early phase, before training."""
    theta, growth = response.course(angle, start[1], t)
    u = np.column_stack([np.cos(theta), np.sin(theta)])
    return theta, (start[1] * np.exp(2 * (growth + np.log(tau)))) @ np.maximum(u @ x.T, 0)


def predicted_wait(tau):
    """The time at which the share is lost, by the early phase alone."""
    def lost(t):
        out = early(tau, t)[1]
        gained = y @ out
        return gained - min(out @ out, gained) / 2 - SHARE * y @ y / 2  # it grows, far beyond the early phase too
    # mutant(3; 1): an end beyond it
    return brentq(lost, 0.0, 3 * np.log(1 / tau) / fastest + 1)


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


def off(one, other):
    """The difference of angles on the circle, in (−π, π]."""
    return (one - other + np.pi) % (2 * np.pi) - np.pi


times = np.concatenate([[0.0], np.geomspace(1e-3, 1, 60) * horizon])
moments = np.unique(np.round(np.geomspace(1, steps, 60)).astype(int))
directions = initialization_stream.standard_normal((m // 2, 2))
start = in_pairs(directions / np.linalg.norm(directions, axis=1, keepdims=True), np.ones(m // 2))
# mutant(2; (:, 0)): the unit of a motion that is bounded
angle, length = np.arctan2(start[0][:, 1], start[0][:, 0]), np.sqrt(2 * m)
gate = start[0] @ x.T > 0
stiffest = float(np.linalg.norm(np.vstack([np.maximum(start[0] @ x.T, 0), *(x.T[:, None] * gate)]), 2)) ** 2

# %% [markdown]
# Large neurons are followed by their weights' flow. Small ones have the lengths of $w_j$ and $a_j$ equal, and the flow keeps them so. We therefore follow the angle and the logarithm of the length of every neuron, with the residual of the whole network. The prediction uses the labels in the place of the residual and is in closed form.

# %%
paths = gated_paths(x, y, start[0], start[1], times)  # predict
response, least = CircleResponse(x, y), least_weights(x, y)
fastest = float(np.max(start[1] * response.value(response.course(angle, start[1], 1e3)[0])))  # γ
predicted_waits = {tau: predicted_wait(tau) for tau in tiny}
predicted_angles = {tau: early(tau, predicted_waits[tau])[0] for tau in tiny}
# mutant(6; 2.0; max(paths.switch, 2.0) → 1): the scales that are compared
scales = max(paths.switch, 2.0) * np.geomspace(1.5, 6, 5)
panels = {tau: train(start, tau, record=moments) for tau in (rich, lazy)}  # train
moves = {tau: integrate(start, tau**2) for tau in scales}
grown = {tau: grow(tau) for tau in tiny}
unit = np.linalg.norm(paths.first[-1])  # compare
end = moves[scales[-1]][-1] / unit
aside = np.linalg.norm(end - paths.first[-1] / unit)
print(f"large, τ = {scales[-1]:.0f}: motion off the predicted vector by {aside:.3%}")
turns = {tau: off(grown[tau][1], predicted_angles[tau]) for tau in tiny}
for tau in tiny:
    print(f"small, τ = {tau:g}: time {grown[tau][0]:.4f}, predicted {predicted_waits[tau]:.4f}",
          f"  angles off by at most {np.degrees(np.abs(turns[tau]).max()):.3f}°")

# %% [markdown]
# What breaks a premise?
#
# - *Large weights, small output*. The large neurons have their output divided by $\tau^2$.
# - *Small weights, large output*. The small neurons have their output multiplied by the square of the ratio of the two sizes, which makes them lazy.
# - *Below $\tau_c$*. The start is large, but so small that samples are switched.
# - *Not balanced*. The small start has its output weights halved.
# - *Not small*. The large start stands in the place of the tiny one.

# %% tags=["hide-input"]
divided = stroll(start, 1.0)
alpha = (lazy / rich) ** 2
multiplied = train(start, rich, alpha=alpha, record=moments)
rich_flow, rich_run = panels[rich]
fitted = fit(rich_flow, rich_run)
large_turn = off(grow(lazy)[1], predicted_angles[tiny[-1]])
crossed = stroll(start, (0.6 * paths.switch) ** 2)


def unbalanced(tau):
    """The time until the share is lost if the output weights start half as large: gradient descent in the weights."""
    flow = Risk(net, data, Squared("sum")).of_weights(tau * start[0], tau * start[1] / 2)
    return drive(GradientDescent(flow.gradient, 6 * STEP), flow.start, t_end=1000.0, residual=flow.value,
                 target=(1 - SHARE) * flow.value(flow.start)).demand().t[-1]


halved = {tau: unbalanced(tau) for tau in tiny}


def motion(flow, run, tau):
    """The displacement over the length of the start, and the mean turn of the neurons in degrees."""
    # mutant(-; *; length): a bound with room; the start is small
    return np.linalg.norm(run.final - flow.start) / (tau * length), turned(start[0], flow.weights(run.final)[0])


moved = {name: motion(flow, run, tau)
         for name, (flow, run), tau in (("rich", (rich_flow, fitted), rich), ("lazy", panels[lazy], lazy),
                                        ("multiplied", multiplied, rich))}


def written(size):
    """A size as a power of ten."""
    times_ten, power = f"{size:.0e}".split("e")
    return f"{times_ten}·10".removeprefix("1·") + str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


late = gated_paths(x, y, start[0], start[1], [lazy**2 * panels[lazy][1].t[-1]])
floor = np.sqrt(2 * (least.charges @ rich_flow.outputs(fitted.final))) / (rich * length) - 1  # mutant: a bound with room
glue_all("paths", n=n, m=m, large=f"{lazy:g}", small=f"{rich:g}", tiny=written(tiny[-1]), largest=written(tiny[0]),
         moved_large=f"{100 * moved['lazy'][0]:.1f} %", turned_large=f"{moved['lazy'][1]:.1f}°",
         moved_small=f"{moved['rich'][0]:.2f}", turned_small=f"{moved['rich'][1]:.0f}°", top=f"{scales[-1]:.0f}",
         first_large=f"{100 * np.linalg.norm(late.first) / lazy**2 / length:.1f} %", share=f"{100 * SHARE:.1f} %", alpha=f"{alpha:g}",
         second=f"{100 * np.linalg.norm(paths.second[-1]) / scales[-1] ** 2 / unit:.3f} %",
         vectors=f"{100 * aside:.3f} %", top_moved=f"{100 * unit / scales[-1] ** 2 / length:.2g} %", divided_moved=f"{100 * np.linalg.norm(divided[-1]) / length:.0f} %",
         ratio_crude=f"{np.log(tiny[-1]) / np.log(tiny[0]):.2g}", entry_p=f"{np.abs(paths.first[-1]).max() / unit:.4f}", entry_m=f"{np.abs(end[np.abs(paths.first[-1]).argmax()]):.4f}", switch=f"{paths.switch:.1f}",
         divided=f"{100 * np.linalg.norm(divided[-1] - paths.first[-1]) / unit:.0f} %", crossed=f"{100 * np.linalg.norm(crossed[-1] - paths.first[-1]) / unit:.0f} %", fastest=f"{fastest:.2f}",
         wait_off=f"{100 * max(abs(grown[tau][0] / predicted_waits[tau] - 1) for tau in tiny):.2f} %",
         wait_p=f"{predicted_waits[tiny[-1]]:.4f}", wait_m=f"{grown[tiny[-1]][0]:.4f}", wait_half=f"{halved[tiny[-1]]:.4f}", ratio=f"{grown[tiny[-1]][0] / grown[tiny[0]][0]:.1f}", sizes=", ".join(map(written, tiny)),
         turn=f"{np.degrees(max(np.abs(each).max() for each in turns.values())):.2f}", below=f"{0.6 * paths.switch:.1f}", floor=f"{floor:.2f}",
         turn_large=f"up to {np.degrees(np.abs(large_turn).max()):.0f}", multiplied=f"{moved['multiplied'][0]:.3f}",
         crude=f"{np.log(1 / tiny[-1]) / fastest:.3f}", left=written(rich_flow.value(fitted.final) / rich_flow.value(rich_flow.start)))

# %% mystnb={"figure": {"caption": "Large neurons stay, small ones turn. Paths of $|a_j|w_j$ of the same network from the same directions, blue where $a_j>0$ and red where $a_j<0$, with dots at the end. Open circles are the starts, one for each pair. The wide pale rays are the teacher's neurons. (a) Large initialization, above $\\tau_c$, with the motion drawn enlarged. Black crosses: the ends, predicted to first order. (b) Small initialization, on shorter axes. Dashed: the directions to which every neuron turns first if $\\tau$ is small enough. At this $\\tau$ the red neurons and a bundle of blue ones do so. The fit begins before the other blue ones have turned, and they go straight to the teacher. The bundle grows, and shrinks again once the others fit.", "name": "figure-paths"}, "image": {"alt": "Left: short strokes at a circle. Right: long curves from the centre that leave along dashed lines and bend to three rays", "classes": "panels-2"}} tags=["hero", "hide-input"]
HUES, STRETCH = {1.0: style.COLORS["blue"], -1.0: style.COLORS["red"]}, {lazy: 4, rich: 1}


def neurons(tau):
    """|a_j| w_j along a panel's run, its motion enlarged, records × m × 2."""
    flow, run = panels[tau]
    w, a = flow.weights(run.theta)
    whole = np.abs(a)[..., None] * w
    return whole[0] + STRETCH[tau] * (whole - whole[0])


def arena(ax, tau):
    """The plane with the teacher's neurons, and for a small start the predicted directions of the neurons that grow."""
    reach = REACH[tau]
    for ray, weight in zip(teacher.w, teacher.a, strict=True):
        ax.plot(*np.outer(ray, [0, 1.5 * reach]), color=HUES[weight], linewidth=6, alpha=0.2, zorder=0)
    if tau == rich:
        theta = predicted_angles[tiny[-1]]
        for top in np.unique(np.round(theta[start[1] * response.value(theta) > 0], 3)):
            ax.plot(*np.outer([np.cos(top), np.sin(top)], [0, 0.8 * reach]), color="black", linestyle=(0, (3, 2)),
                    linewidth=1.2, zorder=5)
        ax.text(*(reach * np.array([np.cos(top), np.sin(top)])), "predicted", fontsize=13, va="top", ha="center")
        ax.text(0.97 * reach, 0.97 * reach, "blue: $a_j>0$\nred: $a_j<0$", fontsize=13, va="top", ha="right")
    else:
        ax.text(-0.07 * reach, 0.96 * reach, rf"motion drawn $\times{STRETCH[lazy]}$" + "\npale: the teacher", fontsize=13, va="top")
    ax.locator_params(nbins=4)
    ax.yaxis.set_major_formatter("{x:.1f}" if tau == rich else "  {x:.0f}")  # as wide in both, so that the panels have one size
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel=r"first entry of $|a_j|w_j$",
           ylabel="second entry")


REACH = {lazy: 1.35 * lazy**2, rich: 1.15 * float(np.abs(neurons(rich)).max())}
trails = {tau: neurons(tau) for tau in (lazy, rich)}
for ax, tau, name in zip(style.panels(2, (9.8, 5.0)), (lazy, rich), ("(a) large", "(b) small"), strict=True):
    arena(ax, tau)
    for path, sign in zip(trails[tau].swapaxes(0, 1), start[1], strict=True):
        ax.plot(*path.T, color=HUES[sign], linewidth=1.6)
        ax.plot(*path[0], "o", color="0.4", markersize=7, markerfacecolor="none")
        ax.plot(*path[-1], "o", color=HUES[sign], markersize=5)
    ax.set_title(rf"{name} initialization, $\tau={tau:g}$")
    if tau == lazy:
        ends = (1 + start[1] * late.a[0] / lazy**2)[:, None] * (start[0] + late.w[0] / lazy**2) * lazy**2
        ax.plot(*(start[0] * lazy**2 + STRETCH[lazy] * (ends - start[0] * lazy**2)).T, "+", color="black", markersize=9, markeredgewidth=0.7, zorder=6)
plt.show()

# %% [markdown]
# Both starts in motion. Time runs logarithmically, and the dashed directions are those of {numref}`figure-paths`. Button and slider answer to the keyboard.

# %% tags=["hide-input"]
figure, axes = plt.subplots(1, 2, figsize=(8.4, 4.2), layout="constrained", dpi=80)
frames = np.unique(np.linspace(0, len(trails[rich]) - 1, 18).astype(int))
dots = {}
for ax, tau in zip(axes, (lazy, rich), strict=True):
    arena(ax, tau)
    dots[tau] = [(ax.plot([], [], color=HUES[s], linewidth=1.2)[0], ax.plot([], [], "o", color=HUES[s], markersize=6)[0])
                 for s in start[1]]
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
        ax.set_title(rf"$\tau={tau:g}$, risk left: {left_over:.0e}")


HTML(film(figure, animate_frame, len(frames), name="film-training-paths",
          alt="Two panels of neurons: on the left they stay near a circle; on the right they turn to dashed lines and then grow to the rays of the teacher",
          said=[f"step {step}" for step in np.append(0, moments)[frames]]))

# %% [markdown]
# ```{claim} vectors
# :headline: displacement of all weights, large start, over its predicted length: entry that is off most
# :evidence: trained and compared
# :because: the largest entry of the second order, known before training
# :contrast: the same large weights, output divided by τ²
#
# large weights move by the vector that the first order gives, every neuron
# ```
#
# ```{claim} wait
# :headline: time until a share of 1/1000 of the risk is lost, three small sizes
# :source: derived in this chapter from the early phase of Maennel et al. 2018
# :evidence: trained and compared
# :because: the grown neurons take their output off the labels and so slow the fastest growth, by the predicted output;
#   and a step
# :control: output weights half as large, so that the start is not balanced
#
# before the risk falls small weights grow for a time that the early phase gives
# ```
#
# ```{claim} turn
# :headline: angles of all neurons at this time, three small sizes; degrees
# :source: Maennel et al. 2018
# :evidence: trained and compared
# :because: the predicted output of the grown neurons, which takes the share of the risk, turns each of them; and the
#   length of a step
# :contrast: the large start, at the same loss
#
# small weights turn as the labels alone pull them, every neuron
# ```
#
# ```{claim} moves
# :headline: distance that small weights move, over the length of the start; at least
# :evidence: proved here
# :because: a theorem of every network, at the outputs that this one has reached; the run only shows how close a
#   network comes
# :contrast: the same start, its output multiplied
#
# a network that fits from a small start has moved at least as far as every network must that fits as well
# ```

# %% tags=["hide-input"]
top = scales[-1]
claims.limit("vectors",
             # mutant(1): another of the recorded times, of which the same holds
             paths.first[-1] / unit,
             end, error=np.abs(paths.second[-1]).max() / top**2 / unit, control=divided[-1] / unit)
derived_seen = {tau: CircleResponse(x, early(tau, predicted_waits[tau])[1]) for tau in tiny}  # what grown neurons put out
derived_slower = max(derived_seen[tau].largest() / (2 * fastest**2 * predicted_waits[tau]) for tau in tiny)
claims.limit("wait", list(predicted_waits.values()), [each[0] for each in grown.values()], relative="each",
             error=derived_slower + STEP / predicted_waits[tiny[0]], control=list(halved.values()))
derived_turn = max(np.abs(derived_seen[tau].slope(predicted_angles[tau])).max() for tau in tiny) / (2 * fastest)
claims.limit("turn", np.degrees(np.concatenate(list(predicted_angles.values()))),
             np.degrees(np.concatenate([predicted_angles[tau] + turns[tau] for tau in tiny])),
             error=np.degrees(derived_turn + STEP * fastest),
             control=np.degrees(np.tile(predicted_angles[tiny[-1]] + large_turn, len(tiny))))
claims.above("moves", floor, moved["rich"][0], proved=0, control=moved["multiplied"][0])  # mutant: a bound with room

# %% [markdown]
# ## Theory
#
# *Large initialization.* In the time $s=\tau^2t$ every neuron moves by $1/\tau$. While no $w_j\cdot x_i$ changes its sign a neuron obeys linear equations, and the path has a closed form to two orders.
#
# ````{prf:proposition} Large neurons
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
# In our run $\tau_c=$ {glue:text}`paths_switch`, and below it the law need not hold. The start of {numref}`figure-paths` (a), with $\tau=$ {glue:text}`paths_large`, lies above it. There the first order predicts a motion of {glue:text}`paths_first_large` of the length, and measured are {glue:text}`paths_moved_large`.
#
# *Small initialization.* At first the output is of order $\tau^2$, so the residual is $y$ and the neurons do not interact.
#
# ````{prf:proposition} Small neurons, the early phase of Maennel et al. 2018 (formal derivation)
# :label: proposition-paths-short
#
# Let every open half plane with $0$ on its boundary contain a sample. As $\tau\to0$, uniformly on every bounded interval of time, $w_j=\tau e^{\rho_j}\bigl(u(\theta_j)+o(1)\bigr)$ and $a_j=s_j\|w_j\|$ with the sign $s_j=\pm1$ of the start and
#
# $$\dot\theta_j=s_jG'(\theta_j),\qquad\dot\rho_j=s_jG(\theta_j).$$
#
# So each neuron that starts neither at a minimum of $s_jG$ nor on an arc on which $\sum_{i:\,u\cdot x_i>0}y_ix_i=0$, where $G=0$ and it stays, turns uphill to a local maximum $\theta_j^*$ of $s_jG$. In the end $\rho_j$ is $\gamma_jt+O(1)$ with $\gamma_j=s_jG(\theta_j^*)$, so the neuron grows if $\gamma_j>0$ and shrinks if $\gamma_j<0$. If $\gamma=\max_j\gamma_j>0$, the time at which the risk has fallen by the share $\epsilon$ of its first value $R(0)$ is
#
# ```{math}
# :label: paths-wait
# \begin{gathered}T=\frac1\gamma\ln\frac1\tau+O(1),\\y\cdot h-\tfrac12\|h\|^2=\epsilon R(0)\ \text{ at }\ T,\\h_i=\tau^2\sum_js_je^{2\rho_j}(u(\theta_j)\cdot x_i)_+ ,\end{gathered}
# ```
#
# up to an error of the order $\epsilon$, as long as $\tau$ and $\epsilon$ are small.
# ````
#
# ````{fold} the derivation
# For $h=0$ the flow is $\dot w_j=a_jD(w_j)$, $\dot a_j=w_j\cdot D(w_j)$ with $D(w)=\sum_{i:\,w\cdot x_i>0}y_ix_i$. A balanced neuron stays balanced, $w\cdot D(w)=\|w\|G$ and $u'\cdot D=G'$. $G$ is a sinusoid between two kinks. A maximum at a kink, where the flow is unique forwards but not backwards, is reached in finite time and kept, any other at the rate
# $\gamma_j$. The output is of order $\tau^2e^{2\gamma t}$, so the residual is $y$ up to a small share until this is small but no longer negligible, at $t=\frac1\gamma\ln\frac1\tau+O(1)$. The risk is $\frac12\|y\|^2-y\cdot h+\frac12\|h\|^2$. The residual lacks $h$, whose integral over time is about $h/(2\gamma)$. So the fastest neurons have grown less by $G_h/(2\gamma)$, where $G_h$ is the pull of the output in place of the labels, and $T$ is later by about $G_h/(2\gamma^2)$, which is the error of the order $\epsilon$.
# ````
#
# How fast, exactly? Between two kinks $G(\theta)=\|D\|\cos(\theta-\arg D)$, so with $\psi=\theta-\arg s_jD$ we have $\dot\psi=-\|D\|\sin\psi$, and $\tan\frac\psi2$ falls like $e^{-\|D\|t}$. At a kink the neuron goes on to the next arc, or it stays if it would be pushed back. This gives every $\theta_j(t)$ and $\rho_j(t)$ in closed form, and $T$ by solving one equation. Here $\gamma=$ {glue:text}`paths_fastest`. The leading term $\ln(1/\tau)/\gamma$ alone would be {glue:text}`paths_crude` at $\tau=$ {glue:text}`paths_tiny`.
#
# However a network comes to fit the labels, its weights must be long enough.
#
# ````{prf:proposition} No network fits from a small start without moving far
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
# ## Instruments
#
# The second order of the paths and its limit of validity $\tau_c$, and the bound against a search on a fine grid.
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
# ```{claim} bound
# :evidence: float with residual
# :because: rounding of a sum over the samples
# :control: ν as it comes from labels of one size
#
# the sum of νᵢ(u·xᵢ)₊ over the samples is at most 1 in size for every unit vector u
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
grid = 2 * np.pi * np.arange(20_000) / 20_000  # mutant(20000): another grid as fine
answers = np.abs(CircleResponse(x, least.charges).value(grid))
claims.below("bound", 1.0,  # mutant: another of the recorded times, of which the same holds
             float(answers.max()), error=rounding(n, np.abs(least.charges).sum()),
             control=Altered(float(np.abs(CircleResponse(x, np.sign(y) * least.value / np.abs(y).sum()).value(grid)).max())))

# %% [markdown]
# ## What would falsify it
#
# Any of the following. Large weights, with no sample switched, that move by another vector than the closed form's. A network that fits the labels nearer to its start than the bound. Small weights that turn elsewhere before they grow, or that wait for another time than {eq}`paths-wait` gives.
#
# ## Differences from the paper
#
# - **Added.** The paper shows the two panels. The closed form of the paths, $\tau_c$, the waiting time and the bound are derived here. The early phase is from {cite:t}`maennel2018`.
# - **Changed.** The output weights begin at $\pm1$, in place of random ones. Then every neuron is balanced, and the flow keeps its sign, which the early phase needs. Gradient descent with finite steps need not keep it. If a shrinking neuron sits at a kink, every step adds to its imbalance, and in the end $a_j$ may change its sign. So we follow the flow of small neurons by angle and length. The panels of {numref}`figure-paths` are gradient descent.
# - **Changed.** The teacher's three lines are at least $30°$ apart, so that no two of its neurons merge. The paper's large start has $\tau=2$. Ours has {glue:text}`paths_large`, so that it lies above $\tau_c$. $R$ is a sum over the samples, the paper's a mean, so times differ by the factor $n$.
#
# ## Scope
#
# - Two dimensions and few samples. {prf:ref}`proposition-paths-long` and {prf:ref}`proposition-paths-least` hold in any dimension, but there the maximum over all directions is hard to compute.
# - The early phase ends when a share of {glue:text}`paths_share` of the risk is lost. Nothing is proved about where the small neurons end. In the figure they end near the teacher, but they may stop at another fit of the {glue:text}`paths_n` samples.
# - The bound on the distance holds for networks that fit. If the risk is not small at the end of its panel, the small network is trained on until it is, for at most five times as long. Here a share of {glue:text}`paths_left` is left.
#
# ## Exercises
#
# ```{exercise} How long is the wait?
# :label: exercise-paths-warm-up
#
# In the smallest case, when is the output of a neuron that starts at $\theta=0$ equal to $0.01$, for $\tau=10^{-3}$ and for $\tau=10^{-6}$? By what factor does the wait grow if $\tau$ is squared?
# ```
#
# ```{solution} exercise-paths-warm-up
# :class: dropdown
#
# $\tau^2e^{2t}=0.01$ at $t=\ln(0.1/\tau)$, so at $4.6$ and $11.5$, a factor of $2.5$. To leading order the wait doubles, because it is $\ln(1/\tau)$, but the constant $\ln0.1$ does not.
# ```
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
# With $w=\tau v$, $a=\tau b$: $h(w,a)=\tau^2h(v,b)$, and $\dot w=-\partial_wR(h(w,a))=-\tau\,Dh(v)^\top\nabla R(\tau^2h(v))$, so $\dot v=-Dh(v)^\top\nabla R(\tau^2h(v))$. For $R(\alpha h)/\alpha^2$ with $\alpha=\tau^2$ it is $\dot v=-\frac1\alpha Dh(v)^\top\nabla R(\alpha h(v))$, the same path, $\tau^2$ times slower.
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
# Negative, because $y_i(u\cdot x_i)_+$ must bend down there. Neurons with $a_j>0$ gather where they just do not see that sample.
# ````
#
# ```{exercise} Fewer neurons
# :label: exercise-paths-neurons
#
# Rerun the chapter with `m = 8`, half of the neurons. What do you expect of $\gamma$, of the wait and of the lower bound on the distance?
# ```
#
# ```{solution} exercise-paths-neurons
# :class: dropdown
#
# The maxima of $G$ and $-G$ depend on the data alone. If a neuron still reaches the highest one, $\gamma$ stays, and the wait changes by $O(1)$ only, because fewer neurons share the growth. If none does, the fastest ones grow at a smaller rate, and the wait is longer by the ratio of the two rates. The least length of the weights that fit is a number of the data too, but relative to the start, which is $\sqrt2$ times shorter, the bound rises.
# ```
#
# ## Where to go next
#
# ```{next}
# {doc}`lazy_criterion` says which number decides between the two kinds of training. {doc}`scale_and_generalization` asks which of them learns better.
# ```
#
# ## References
#
# The two panels are Figure 1 of {cite:t}`chizat2019`, the early phase is {cite:t}`maennel2018`; the norm that the bound computes is that of {cite:t}`bach2017`.
