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
# # Started near zero, many linear neurons find the shortest fit, up to a multiple of the size of the start
#
# ```{question}
# ```
#
# A linear network with {glue:text}`many_neurons_m` neurons is trained on {glue:text}`many_neurons_n` samples with {glue:text}`many_neurons_d` features. Infinitely many linear predictors fit the labels. We scale random weights down to the size $\tau$. Training ends at the distance {glue:text}`many_neurons_first_p` $\tau$ from the shortest fit (to first order), as predicted before training. Why? Near zero all neurons feel one force. One combination of the weights, a mode, grows exponentially and all others stay of size $\tau$, so the network leaves zero like a single neuron. What is left of the start is the part of the input weights orthogonal to the samples, weighted by each neuron's part in the mode. A small output layer alone is not enough. With input weights of length about one the network ends about {glue:text}`many_neurons_kept` away, at four sizes of the output weights. A small first layer alone is enough, with another constant.
#
# ```{hero}
# ```
#
# ## The statement
#
# The $n$ samples are the rows of the $n\times d$ matrix $X$, $n<d$, and $y\ne0$ holds the labels. The network has $m$ neurons, with the input weights $w_i$ as columns of the $d\times m$ matrix $W$ and the output weights $a\in\mathbb R^m$. It predicts $x\mapsto\tilde w\cdot x$ with $\tilde w=Wa=\sum_ia_iw_i$, and both layers follow the {term}`gradient flow` of $\frac12\|y-X\tilde w\|^2$. The shortest fit, the {term}`interpolator` of least norm, is $X^+y$, where $X^+$ is the pseudo-inverse, and $P_\perp=I-X^+X$ projects on what is orthogonal to all samples.
#
# **A small start.** Fix any $a_0$ and $W_0$ and start at $a(0)=\tau a_0$, $W(0)=\tau W_0$. If the flow fits the labels from every small $\tau$, the limit tends to $X^+y$ as $\tau\to0$. This is a theorem of {cite:t}`azulay2021`. We add how far off a small start is. If $X$ has rank $n$ and $c\ne0$, then for small $\tau$ the flow fits the labels and
#
# ```{math}
# :label: first-order
# \begin{gathered}
# \tilde w(\infty)=X^+y\hspace{9em}\\
# {}+\tau\,\sqrt{\|X^+y\|}\;\underbrace{P_\perp W_0\,\frac c{\|c\|}}_{\text{not seen}}+O(\tau^2),\\[2pt]
# c=\tfrac12\Bigl(a_0+W_0^\top\frac{X^\top y}{\|X^\top y\|}\Bigr).
# \end{gathered}
# ```
#
# The entry $c_i$ says how much neuron $i$ takes part in the mode that grows.
#
# **Strict balance.** There is a second case in which many neurons act as one, whatever the size of the weights. Training keeps the matrix $aa^\top-W^\top W$ ({doc}`balancedness`). The layers are strictly {term}`balanced` if this matrix is zero. Then all neurons are parallel and stay so, and the network moves as a balanced {doc}`single neuron <single_neuron>`. If $\tilde w(0)\ne0$ and the flow ends at a fit, this fit is
#
# ```{math}
# :label: balanced-program
# \begin{gathered}\tilde w(\infty)=\operatorname*{arg\,min}_{X\tilde w=y}\;Q(\tilde w),\\[2pt]
# Q(\tilde w)=\|\tilde w\|^{3/2}-\tfrac32\,\frac{\tilde w(0)\cdot\tilde w}{\|\tilde w(0)\|^{1/2}} .\end{gathered}
# ```
#
# This is a proposition of the same paper, and {eq}`balanced-limit` gives the limit in closed form.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [distance](first_order) from the shortest fit over $\tau$, at $\tau=$ {glue:text}`many_neurons_least` | {glue:text}`many_neurons_first_p` | {glue:text}`many_neurons_first_m` | the distance itself is {glue:text}`many_neurons_kept` if only the output layer is small | output layer trained four times as fast: {glue:text}`many_neurons_fast_p` ({ref}`exercise-many-speeds`), measured {glue:text}`many_neurons_first_fast` |
# | [delay](escape) of the time at which half of the loss is left, when $\tau$ is ten times smaller | {glue:text}`many_neurons_plateau_p` | {glue:text}`many_neurons_plateau_m` | only the output layer small: {glue:text}`many_neurons_plateau_kept` | |
# | [length](balanced) $\lVert\tilde w(\infty)\rVert$ of the fit from a strictly balanced start of length {glue:text}`many_neurons_start` | {glue:text}`many_neurons_balanced_p` | {glue:text}`many_neurons_balanced_m` | shortest fit: {glue:text}`many_neurons_shortest`, kernel regression: {glue:text}`many_neurons_lazy` | neurons not parallel: {glue:text}`many_neurons_balanced_tilted` |
# ```
#
# The claims of the first and the third row compare whole vectors. In the last column of the third row the neurons start with other directions and the same $\tilde w(0)$. The kernel regression of that row has the tangent kernel of the balanced network at its start, and starts at the same $\tilde w(0)$.
#
# **What to remember?** The first layer must be small. The limit $X^+y$ does not depend on $a_0$, $W_0$ or the width. The distance from it does, through $c$. Linear regression from zero, which is regression with the plain kernel $x\cdot x'$, would find the shortest fit too. But regression with the network's own {term}`tangent kernel` at the small start would not. This kernel is $\tau^2x\cdot(\|a_0\|^2I+W_0W_0^\top)x'$, and for $\tau\to0$ its fit stays {glue:text}`many_neurons_lazy_small` away from the shortest.
#
# ## The smallest case
#
# Take one sample $x=(1,0)$ with the label $1$, so that the fits are $(1,u)$ and the shortest one is $(1,0)$. Two neurons start at $a_0=(1,1)$ and
#
# $$W_0=\begin{pmatrix}1&-1\\3&5\end{pmatrix},$$
#
# scaled down by $\tau$. The second row of $W$ never moves. The force on the first row is the residual, near one at first. So $\dot a_i\approx w_{1i}$ and $\dot w_{1i}\approx a_i$, and the sum $a_i+w_{1i}$ grows like $e^t$. For the first neuron it begins at $2\tau$, for the second at zero. So $c=(1,0)$, and *one* neuron leaves zero, the other stays. At the end the first one carries the label alone and balanced, $a_1=w_{11}=1$. The network ends at $(1,3\tau)$ to first order. The second neuron's larger $5\tau$ does not count.
#
# If the second neuron had not started against the data, with $w_{12}=1$ in place of $-1$, both would have grown alike. Then $c=(1,1)$, and the end is $(1,\,(3+5)\tau/\sqrt2)$.
#
# ## Experiment
#
# The data are those of Section 9 of the paper, smaller by default and scaled so that time has a unit. Samples have a length of about $1$, labels the length $\|y\|=1$. All $m(d+1)$ weights are trained until $\|y-X\tilde w\|\le10^{-11}$ (times the length of the weights at the start, if that is more than one; for *sharp* to $10^{-7}$).

# %% tags=["hide-input"]
from types import SimpleNamespace

import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.activations import IDENTITY
from implicit_bias.data import RowSpace, Samples, sparse_regression
from implicit_bias.figures import style
from implicit_bias.flows import follow
from implicit_bias.limits.interpolation import least_norm
from implicit_bias.limits.neuron import NeuronRegularizer, linear_neuron_limit
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, TwoLayer, balanced_start
from implicit_bias.rates import log_log_slope
from reproduce.claims import Claims, Rival, stepping
from reproduce.claims.glued import glue_all

claims = Claims("many_neurons")

style.use_style()

# %% tags=["parameters"]
n: int = 10  # number of samples n, at most d/2, in [2, 300]
d: int = 40  # number of features d, in [4, 2000]
width: int = 8  # number of neurons m, in [2, 100]
start: float = 1.0  # length ‖w̃(0)‖ of the balanced start, in [0.05, 10]
tilts: list[float] = [0.1, 0.05, 0.025]  # sizes θ of the tilts, each in [0.01, 0.2]
scales: list[float] = [1e-3, 1e-4, 1e-5, 1e-6]  # sizes τ of the start, each in [1e-7, 0.01]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where 2 * n <= d
# where len(set(tilts)) >= 2 and max(scales) >= 10 * min(scales)

# %% tags=["hide-input"]
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
problem = sparse_regression(data_stream, n, d, nonzeros=min(5, d))
x, y = problem.x / np.sqrt(d), problem.y / np.linalg.norm(problem.y)
shortest = least_norm(x, y).w
row_space = RowSpace(x)
a_start, direction = initialization_stream.standard_normal(width), initialization_stream.standard_normal(d)
a_small, w_small = initialization_stream.standard_normal(width), initialization_stream.standard_normal((d, width))
w_small /= np.sqrt(d)
risk = Risk(TwoLayer(IDENTITY), Samples(x, y), Squared("sum"))  # its W has one neuron a row: Wᵀ
MISFIT = 1e-11
RTOL = 1e-12  # the relative tolerance of a step


def outside(v):
    """P⊥v, of a vector or of each column of a matrix."""
    return row_space.outside(v.T).T


def offset(end):
    """The distance from the shortest fit."""
    return float(np.linalg.norm(end - shortest))


def misfit(network):
    """The misfit to reach: large weights carry larger errors of integration."""
    return MISFIT * max(1.0, float(np.linalg.norm(network.start)))


def flow(network, target=None, record=()):
    """The flow of all parameters until ‖y − Xw̃‖ falls to its target."""
    until = misfit(network) if target is None else target
    atol = RTOL / 100 * min(1.0, float(np.abs(network.start).max()))
    return follow(network, t_end=1e5, misfit=until, record=record, rtol=RTOL, atol=atol, max_steps=10_000)


def at_speeds(network, of_inputs, of_output):
    """A network whose input coordinates and output layer are trained at speeds of their own."""
    speeds = np.concatenate([np.tile(of_inputs, width), np.full(width, of_output)])
    return SimpleNamespace(start=network.start, velocity=lambda theta: speeds * network.velocity(theta),
                           misfit=network.misfit)


# %% [markdown]
# First the small starts. The prediction is the first-order term of {eq}`first-order`, from the data and the random $a_0$ and $W_0$.

# %%
growth = np.linalg.norm(x.T @ y)  # predict: the rate of escape ‖Xᵀy‖, the mode c and the first-order term
c = (a_small + w_small.T @ (x.T @ y / growth)) / 2
first_order = np.sqrt(np.linalg.norm(shortest)) * outside(w_small) @ (c / np.linalg.norm(c))
small = {tau: risk.of_weights(tau * w_small.T, tau * a_small) for tau in sorted(scales, reverse=True)}
ends = {tau: network.predictor(flow(network).final) for tau, network in small.items()}  # train
for tau, end in ends.items():  # compare
    print(f"τ = {tau:g}: distance to the shortest fit over τ {offset(end) / tau:.4f},",
          f"predicted {np.linalg.norm(first_order):.4f}")

# %% [markdown]
# Then a strictly balanced start, with parallel neurons of different lengths and $\tilde w(0)$ of length {glue:text}`many_neurons_start` (parameter `start`).

# %%
balanced = risk.of_weights(*balanced_start(direction, np.sqrt(start) * a_start / np.linalg.norm(a_start)))
w0 = balanced.predictor(balanced.start)
size = float(np.sqrt(np.linalg.norm(w0)))
predicted = linear_neuron_limit(x, y, size, w0 / size).predictor  # predict: one neuron of this size
run = flow(balanced)  # train
learned = balanced.predictor(run.final)
print(f"balanced: length of the fit {np.linalg.norm(learned):.6f}, predicted {np.linalg.norm(predicted):.6f}")

# %% [markdown]
# **What breaks?** First we scale down one layer alone. If it is the output layer, $\tilde w(0)$ vanishes but $W(0)$ does not. If it is the first layer, both vanish, and {ref}`exercise-many-layer` predicts the distance. Then we train the output layer four times as fast. And we break strict balance by $W+E$, with a Gaussian $E$ made to fulfil $Ea(0)=0$ and $\|E\|=1$, so that $\tilde w(0)$ is the same.

# %%
one_layer = {tau: risk.of_weights(w_small.T, tau * a_small) for tau in small}
one_layer_ends = {tau: network.predictor(flow(network).final) for tau, network in one_layer.items()}
first_layer = {tau: risk.of_weights(tau * w_small.T, a_small) for tau in small}
first_layer_ends = [network.predictor(flow(network).final) for network in first_layer.values()]
first_layer_far = [offset(end) for end in first_layer_ends]
square = a_small @ a_small
final_square = (square + np.sqrt(square**2 + 4 * shortest @ shortest)) / 2  # ‖a(∞)‖² for a vanishing first layer
first_layer_order = np.sqrt(final_square / square) * outside(w_small) @ a_small
first_layer_law = np.linalg.norm(first_layer_order)
sizes = np.array(list(small))
least = sizes[-1]  # mutant: the least two scales both have converged
fast_end = small[least].predictor(flow(at_speeds(small[least], np.ones(d), 4.0)).final)
tilt = initialization_stream.standard_normal((d, width)).T
tilt -= np.outer(balanced.a, balanced.a @ tilt) / (balanced.a @ balanced.a)
tilt /= np.linalg.norm(tilt, 2)
tilted = risk.of_weights(balanced.w + tilt, balanced.a)
off_balance = tilted.predictor(flow(tilted).final)
print(f"only the output layer small: distance to the shortest fit {offset(one_layer_ends[least]):.4f}")
print(f"only the first layer small: distance over τ {first_layer_far[-1] / least:.4f}, predicted {first_layer_law:.4f}")
print(f"output layer four times as fast: distance over τ {offset(fast_end) / least:.4f}")
print(f"not balanced: length of the fit {np.linalg.norm(off_balance):.6f}")

# %% tags=["hide-input"]
assert np.linalg.norm(outside(w0)) > 0.1 * np.linalg.norm(w0)
far, kept_far = ([offset(end) for end in found.values()] for found in (ends, one_layer_ends))
half_times, one_layer_half_times = (
    [float(flow(network, target=np.sqrt(0.5)).t[-1]) for network in networks.values()] for networks in (small, one_layer)
)
slope, one_layer_slope = (np.polyfit(-np.log(sizes), times, 1)[0] for times in (half_times, one_layer_half_times))

# %% mystnb={"figure": {"caption": "The smaller the start, the closer the network comes to the shortest fit. (a) One sample, two features. Ten random networks for each of two sizes $\\tau$ of the start. Every path begins near zero (dot) and ends on the line of all fits (black dashed), inside or next to its circle. The ends scatter around the shortest fit (star), ten times less from the smaller start. The first-order predictions (circles), made before training, are off by a few hundredths at $\\tau=0.5$. At $\\tau=0.05$ they cannot be told from the ends (inset, enlarged). (b) The distance from the shortest fit in the experiment. It falls in proportion to $\\tau$, as predicted (dashed), if both layers start small (blue) and if only the first layer does (green). If only the output layer starts small (red) it does not fall.", "name": "figure-many-neurons"}, "image": {"alt": "Two panels. Left: paths in the plane from near zero to a line, ten that spread along the line and ten that meet near one point, the shortest fit. Right: distance from the shortest fit against the size of the start on logarithmic axes, two falling lines of dots and triangles along dashed predictions and a level line of squares.", "classes": "panels-2"}} tags=["hero", "hide-input"]
blue, orange, red, green = (style.COLORS[name] for name in ("blue", "orange", "red", "green"))
plane_x, plane_y = np.array([[1.0, 0.5]]), np.array([1.0])
plane_risk = Risk(risk.net, Samples(plane_x, plane_y), Squared("sum"))
nearest = plane_x[0] / (plane_x[0] @ plane_x[0])
along = np.array([-plane_x[0, 1], plane_x[0, 0]]) / np.linalg.norm(plane_x)
drawn = initialization_stream.spawn(1)[0].standard_normal((10, 3, width)) / np.sqrt(width)


def paths(ax, cases, title):
    """The paths of networks in the plane, each with its colour and its predicted end, to the line of all fits."""
    style.theory(ax, *(nearest[:, None] + along[:, None] * np.linspace(-2, 2, 2)))
    for network, color, aim in cases:
        trace = network.predictor(follow(network, t_end=40.0, record=np.geomspace(1e-2, 39, 200), method="LSODA").theta)
        ax.plot(*trace.T, ".-", color=color, linewidth=1.1, markersize=6, markevery=[0, -1])
        ax.plot(*aim, "o", markerfacecolor="none", markeredgecolor="black", markersize=7, zorder=6)
    ax.plot(*nearest, "*", color=red, markersize=9, zorder=7)
    ax.set(xlabel=r"$\tilde w_1$", ylabel=r"$\tilde w_2$", aspect="equal", title=title)


def name_shortest(ax):
    """The name of the star."""
    ax.annotate("shortest fit", nearest, xytext=(12, 2), textcoords="offset points", color=red)


random_starts = []
for tau, color in ((0.5, orange), (0.05, blue)):
    for weights in drawn:
        pattern = weights[0] + weights[1:].T @ (nearest / np.linalg.norm(nearest))
        aim = tau * np.sqrt(np.linalg.norm(nearest)) * (along @ weights[1:] @ pattern) / np.linalg.norm(pattern)
        network = plane_risk.of_weights(tau * weights[1:].T, tau * weights[0])
        random_starts.append((network, color, nearest + aim * along))
plane, distance = style.panels(2, (9.8, 4.4))
paths(plane, random_starts, "(a) two sizes of the start")
plane.annotate(r"$\tau=0.5$", (0.3, 0.5), color="#a87400", ha="right")
plane.annotate("all fits", (0.53, 1.0), xytext=(8, 0), textcoords="offset points")
plane.set(xlim=(-0.3, 1.7), ylim=(-0.3, 1.3))
zoom = plane.inset_axes((0.6, 0.57, 0.4, 0.43))
paths(zoom, random_starts[10:], "")
zoom.set(xlim=nearest[0] + np.array([-0.09, 0.09]), ylim=nearest[1] + np.array([-0.09, 0.09]), xticks=[], yticks=[],
         xlabel="", ylabel="")
zoom.spines[:].set(visible=True, color="grey", linewidth=0.8)
zoom.annotate(r"$\tau=0.05$", (0.95, 0.95), xycoords="axes fraction", ha="right", va="top", color=blue)
plane.indicate_inset_zoom(zoom, edgecolor="grey")
name_shortest(plane)
distance.loglog(sizes, kept_far, "s", color=red)
distance.loglog(sizes, far, "o", color=blue)
distance.loglog(sizes, first_layer_far, "^", color=green)
for law in (np.linalg.norm(first_order), first_layer_law):
    style.theory(distance, sizes, sizes * law)
distance.annotate("only the first layer small", (sizes[1], first_layer_far[1]), xytext=(-8, 8), ha="right",
                  textcoords="offset points", color=green)
distance.annotate(f"only the output layer small: {kept_far[-1]:.2f}", (sizes[0], kept_far[0]), xytext=(0, 10), textcoords="offset points",
                  ha="right", color=red)
distance.annotate(f"both layers small:\n{np.linalg.norm(first_order):.4f}" + r" $\tau$", (sizes[1], far[1]), xytext=(4, -6),
                  textcoords="offset points", color=blue, va="top")
distance.set(xlabel=r"size $\tau$ of the start", ylabel="distance from the shortest fit", title="(b) how far it is off",
             ylim=(far[-1] / 4, 8 * max(kept_far)))
plt.show()

# %% [markdown]
# ```{claim} first_order
# :headline: first-order term of the limit from a small start
# :source: derived in this chapter; it implies Azulay et al. 2021, Theorem 3
# :evidence: trained and compared
# :because: the next order, τ of the first, and the misfit left at the end over the least singular value of X
#   and over τ
# :control: the output layer trained four times as fast
# :rival: neurons that keep the proportions of a(0)
#
# the distance's first-order term is the one that the escape from zero selects
# ```
#
# The same if only the first layer is small, and if the output layer is trained four times as fast, by the formulas of {ref}`exercise-many-layer` and {ref}`exercise-many-speeds`.
#
# ```{claim} first_layer
# :source: derived in this chapter
# :evidence: trained and compared
# :because: the next order, τ ‖W₀‖ of the first, and the misfit left at the end over the least singular value
#   of X and over τ
# :contrast: the output layer a tenth smaller at the start, and trained 4.2 times as fast
#
# a small first layer alone, and a faster output layer, have first-order terms that their formulas give
# ```
#
# The time is read where half of the loss is left. The {term}`rival` grows at the rate $\|X^+y\|$.
#
# ```{claim} escape
# :headline: time on the plateau per factor e in the size of the start
# :evidence: trained and compared
# :because: the constant in the time shifts by the order of the largest τ, in units of 1/‖Xᵀy‖, over the range
#   of ln(1/τ)
# :control: the output layer alone scaled down
# :rival: growth at the rate ‖X⁺y‖
#
# each factor e in the scale lengthens the plateau by 1/‖Xᵀy‖
# ```
#
# The balanced limit against the closed form. The {term}`control` breaks the balance and keeps $\tilde w(0)$. The rival is the network's linearization at its start, kernel regression with its {term}`tangent kernel`.
#
# ```{claim} balanced
# :headline: predictor at the end, balanced start
# :source: derived in this chapter; it implies Azulay et al. 2021, Proposition 1
# :evidence: trained and compared
# :because: the misfit left at the end over the least singular value of X, and the integrator's steps of 1e-12
#   each
# :control: balance broken: W + E, with the same w̃(0)
# :rival: the linearized network (its tangent kernel)
#
# from a strictly balanced start the limit has the closed form of one neuron
# ```

# %% tags=["hide-input"]
derived_gain = np.linalg.norm(np.linalg.pinv(x), 2)  # 1 over the least singular value of X
derived_noise = derived_gain * MISFIT / least
derived_range = np.log(sizes.max() / sizes.min())
claims.limit("first_order", first_order, (ends[least] - shortest) / least, relative=True,
             error=least + derived_noise / np.abs(first_order).max(), control=(fast_end - shortest) / least,
             rival=Rival(np.sqrt(np.linalg.norm(shortest)) * outside(w_small) @ (a_small / np.linalg.norm(a_small)),
                         factor=5))
claims.rate("escape", 1 / growth, slope, error=sizes.max() / (growth * derived_range), control=one_layer_slope,
            rival=Rival(1 / np.linalg.norm(shortest), factor=5))
tangent = np.linalg.norm(w0) * np.eye(d) + np.outer(w0, w0) / np.linalg.norm(w0)
lazy = w0 + tangent @ x.T @ np.linalg.solve(x @ tangent @ x.T, y - x @ w0)
derived_balanced = derived_gain * misfit(balanced) + stepping(run.steps, RTOL, np.abs(run.final).max())
claims.limit("balanced", predicted, learned, error=derived_balanced, control=off_balance, rival=Rival(lazy, factor=1e4))
glue_all("many_neurons", m=width, n=n, d=d, least="10" + f"{np.log10(least):.2g}".translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")), start=f"{start:g}")
own = x @ (a_small @ a_small * np.eye(d) + w_small @ w_small.T)  # the tangent kernel of a small start, over τ²
lazy_small = own.T @ np.linalg.solve(own @ x.T, y)
fast_c = (a_small / 2 + w_small.T @ (x.T @ y / growth)) / 2  # κ = 4
fast_order = np.sqrt(2 * np.linalg.norm(shortest)) * outside(w_small) @ (fast_c / np.linalg.norm(fast_c))
less = risk.of_weights(least * w_small.T, 0.9 * a_small)
less_end = less.predictor(flow(less).final)
faster_end = small[least].predictor(flow(at_speeds(small[least], np.ones(d), 4.2)).final)
claims.limit("first_layer", np.stack([first_layer_order, fast_order]),
             (np.stack([first_layer_ends[-1], fast_end]) - shortest) / least, relative=True,
             error=least * np.linalg.norm(w_small, 2) + derived_gain * misfit(first_layer[least]) / least
             / np.abs(first_layer_order).max(),
             control=(np.stack([less_end, faster_end]) - shortest) / least)
glue_all("many_neurons", ".4f", fast_p=np.linalg.norm(fast_order), typical=np.sqrt(np.linalg.norm(shortest) * (1 - n / d)), lazy_small=offset(lazy_small), first_p=np.linalg.norm(first_order), first_m=far[-1] / least,
         first_fast=offset(fast_end) / least, balanced_p=np.linalg.norm(predicted), lazy=np.linalg.norm(lazy),
         balanced_m=np.linalg.norm(learned), balanced_tilted=np.linalg.norm(off_balance),
         shortest=np.linalg.norm(shortest), kept=kept_far[-1], plateau_p=np.log(10) / growth,
         plateau_m=np.log(10) * slope, plateau_kept=np.log(10) * one_layer_slope)

# %% mystnb={"figure": {"caption": "Two ways in which many neurons act as one. (a) The loss, which starts at \u00bd, from small starts. The smaller the start, the longer the plateau. Every factor ten adds $\\ln10/\\|X^\\top y\\|$ to the time at which half of the loss is left (dots), because the weights grow like $\\tau e^{\\|X^\\top y\\|t}$ and the loss leaves its plateau when they reach order one. The predictor, and so the fall of the loss (dashed, predicted), grows like $\\tau^2e^{2\\|X^\\top y\\|t}$. (b) Strictly balanced starts of two lengths, one sample in the plane. The paths end at the predicted points (circles) on the line of all fits, around the shortest one (star).", "name": "figure-many-plateau"}, "image": {"alt": "Two panels. Left: loss against time with plateaus whose lengths grow in equal steps as the start shrinks by factors of ten. Right: paths in the plane from two circles of starts to predicted points on a line.", "classes": "panels-2"}} tags=["hide-input"]
left, right = style.panels(2, (9.8, 4.0))
shown = np.linspace(0, max(half_times) + 8 / growth, 300)[1:]
for tau, network in small.items():
    path = flow(network, record=shown)
    seen = path.t <= shown[-1]
    left.plot(path.t[seen], 0.5 * np.sum((y - network.predictor(path.theta) @ x.T) ** 2, axis=1)[seen], color=blue)
    lost = growth * (tau * np.linalg.norm(c)) ** 2 * np.exp(2 * growth * shown)
    style.theory(left, shown[lost < 0.15], 0.5 - lost[lost < 0.15])
for tau, when in zip(sizes, half_times, strict=True):
    left.plot(when, 0.25, "o", color=blue, markersize=6)
    left.annotate(r"$\tau=$" * int(tau == sizes[0]) + f"$10^{{{np.log10(tau):.2g}}}$", (when, 0.25), textcoords="offset points", color=blue,
                  fontsize=12, xytext=(-4, 9) if tau == sizes[0] else (2, 9), ha="right" if tau == sizes[0] else "left")
left.annotate("", (half_times[-1], 0.25), (half_times[-2], 0.25), arrowprops={"arrowstyle": "<->"})
left.annotate(rf"$\ln10/\|X^\top y\|={np.log(10) / growth:.2f}$", (half_times[-1], 0.25), xytext=(9, -4), textcoords="offset points")
left.set(xlabel="time $t$", ylabel=r"loss $\frac{1}{2}\|y-X\tilde w\|^2$", ylim=(0, 0.55), title=r"(a) starts of size $\tau$")

balanced_starts = []
for radius, color in ((0.7, orange), (0.1, blue)):
    for angle in np.linspace(0, 2 * np.pi, 10, endpoint=False):
        begin = radius * np.array([np.cos(angle), np.sin(angle)])
        network = plane_risk.of_weights(*balanced_start(begin, np.sqrt(radius) * a_start / np.linalg.norm(a_start)))
        aim = linear_neuron_limit(plane_x, plane_y, np.sqrt(radius), begin / np.sqrt(radius)).predictor
        balanced_starts.append((network, color, aim))
    right.text(-0.8, 1.15 + radius / 3, rf"$\|\tilde w(0)\|={radius:g}$", color="#a87400" if color == orange else color)
paths(right, balanced_starts, "(b) strictly balanced starts")
name_shortest(right)
right.set(xlim=(-0.85, 1.6), ylim=(-0.85, 1.6))
plt.show()

# %% [markdown]
# ## Theory
#
# With the residual $r=y-X\tilde w$ the flow is
#
# ```{math}
# :label: network-flow
# \begin{gathered}\dot W=g\,a^\top,\qquad\dot a=W^\top g,\\ g=X^\top r ,\end{gathered}
# ```
#
# and it keeps the matrix $D=aa^\top-W^\top W$. The velocity $\dot W$ has its columns in the span of the samples. This alone gives the part $X^+y$ of the limit and the directions of the rest.
#
# ````{prf:proposition} Any width, any start
# :label: proposition-any-start
#
# If the predictor converges and $X\tilde w(\infty)=y$, then $a$ converges and
#
# ```{math}
# :label: any-start
# \begin{gathered}\tilde w(\infty)=X^+y\hspace{5em}\\{}+\sum_ia_i(\infty)\,P_\perp w_i(0).\end{gathered}
# ```
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# $P_\perp W$ never moves, and $(I-P_\perp)\tilde w(\infty)=X^+y$ by interpolation. The layers are bounded where $\tilde w=Wa$ is, because $\|a\|^4=\|\tilde w\|^2+a^\top Da$ and $\|W\|_F^2=\|a\|^2-\operatorname{tr}D$. A bounded gradient flow of a polynomial converges, by Łojasiewicz's inequality. $\square$
# ````
#
# ### A small start
#
# ```{prf:theorem} Azulay et al. 2021, Theorem 3
# :label: theorem-small
#
# Let $a(0)=\tau a_0$, $W(0)=\tau W_0$. If for each small $\tau>0$ gradient flow converges to an interpolator, then
# $\tilde w(\infty)\to X^+y$ as $\tau\to0$.
# ```
#
# ````{prf:proposition} A bound for every size
# :label: proposition-small-bound
#
# Let $a(0)=\tau a_0$, $W(0)=\tau W_0$. For *every* $\tau>0$ from which the flow converges to an interpolator,
#
# ```{math}
# :label: small-bound
# \begin{gathered}\|\tilde w(\infty)-X^+y\|\hspace{7em}\\\le\tau\,\|P_\perp W_0\|\,\sqrt{\|X^+y\|+\tau^2C},\\[2pt] C=\|P_\perp W_0\|^2\hspace{7em}\\+\|a_0a_0^\top-W_0^\top W_0\|,\end{gathered}
# ```
#
# with spectral norms of the matrices.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# Let $D_0=a_0a_0^\top-W_0^\top W_0$ and $\zeta=\|a(\infty)\|^2$. Conservation, $aa^\top=W^\top W+\tau^2D_0$, and {eq}`any-start` give
#
# $$\begin{aligned}\zeta^2&=a^\top(aa^\top)a=\|\tilde w\|^2+\tau^2a^\top D_0a\\&\le\|X^+y\|^2+\tau^2C\zeta.\end{aligned}$$
#
# Hence $\zeta\le\|X^+y\|+\tau^2C$, and {eq}`any-start` is the bound. $\square$
# ````
#
# The bound does not use which neurons grow. The next proposition does.
#
# ````{prf:proposition} The first order, and the plateau
# :label: proposition-escape
#
# Let $X$ have rank $n$, $y\ne0$ and $c\ne0$, with $c$ of {eq}`first-order`. Then there are $\tau_0>0$ and $K$ such that for $0<\tau<\tau_0$ the flow from $(\tau a_0,\tau W_0)$ converges to an interpolator, the remainder in {eq}`first-order` is at most $K\tau^2$, and the time until half of the loss is left differs from
#
# $$\frac{\ln(1/\tau)}{\|X^\top y\|}$$
#
# by at most $K$.
# ````
#
# The idea is that near zero $g\approx X^\top y$ is constant and {eq}`network-flow` linear. Only the mode $a=c$, $W=\hat g\,c^\top$ with $\hat g=X^\top y/\|X^\top y\|$ grows. It has rank one and balanced layers, so it is one neuron. Across $c$ the flow is *exactly* linear, and there the growing part is absent at the start.
#
# ````{prf:proof}
# :class: dropdown
#
# Let $\lambda=\|X^\top y\|$, $\hat c=c/\|c\|$, $\Pi=I-\hat c\hat c^\top$. $K$ stands for constants that do not depend on $\tau$.
#
# *Until the escape.* Let $\tau e^{\lambda T}=\varrho$ for a small fixed $\varrho$. The sum $\|a\|^2+\|W\|_F^2$ grows at most at the rate $2\|g\|\le2\lambda+2\|X\|^2\|\tilde w\|$, and $\|\tilde w\|$ is at most half of it. So up to $T$ it is at most $K\tau^2e^{2\lambda t}$, and $g=\lambda\hat g+h$ with $\|h\|\le K\tau^2e^{2\lambda t}$. Along $c$, the sum $\hat c\cdot a+\hat g^\top W\hat c$ starts at $2\tau\|c\|$ and is $2\tau\|c\|e^{\lambda t}+O(\tau^3e^{3\lambda t})$. The difference and the rest of $W\hat c$ are $O(\tau+\tau^3e^{3\lambda t})$.
#
# Across $c$, $u=\Pi a$ and $V=W\Pi$ obey $\dot V=gu^\top$, $\dot u=V^\top g$, which is linear in $(u,V)$. Its growing part $u+V^\top\hat g$ starts at $\tau\Pi(a_0+W_0^\top\hat g)=2\tau\Pi c=0$ and is fed by $h$ only. Let $N$ be the largest $\|(u,V)\|$ up to $t$. The growing part is at most $\int_0^te^{\lambda(t-t')}K\tau^2e^{2\lambda t'}N\,dt'\le K\varrho^2N$, and all other parts are at most $K\tau+K\varrho^2N$. For $\varrho$ small $N\le K\tau$: across $c$ everything is still of order $\tau$ at $T$.
#
# *After it.* At $T$ the predictor is $\varrho^2\|c\|^2\hat g+O(\varrho^4)+O(\tau)$, so $\|r(T)\|^2=\|y\|^2-2\lambda\varrho^2\|c\|^2+O(\varrho^4)+O(\tau)$ is below $\|y\|^2$ by a fixed amount, and so it stays, because the loss falls. Therefore $\|\tilde w\|\ge(\|y\|-\|r(T)\|)/\|X\|$, and with $\|a\|^4=\|\tilde w\|^2+\tau^2a^\top D_0a$ also $\|a\|^2\ge\omega$ for a fixed $\omega>0$ and small $\tau$. As $\frac d{dt}\frac12\|r\|^2\le-\|a\|^2\|g\|^2\le-\omega\,\sigma_{\min}(X)^2\|r\|^2$, the residual decays exponentially, the flow converges to an interpolator, and $\int_T^\infty\|g\|\,dt\le K$. Because $\|(u,V)\|$ grows at most at the rate $\|g\|$, it stays at most $K\tau$.
#
# *The end.* As in {prf:ref}`proposition-small-bound`, $\|a(\infty)\|^2=\|X^+y\|+O(\tau^2)$. With $\Pi a(\infty)=O(\tau)$, and since $\hat c\cdot a$ is positive at $T$ and cannot vanish later, $a(\infty)=\sqrt{\|X^+y\|}\,\hat c+O(\tau)$. Insert this in {eq}`any-start`. Half of the loss is lost neither before $T$, if $\varrho$ is small, nor later than a fixed time after it. $\square$
# ````
#
# That the difference from $\ln(1/\tau)/\|X^\top y\|$ even tends to a constant is a formal derivation. After the escape all starts follow one curve, that of one neuron, up to $O(\tau)$.
#
# ### Strict balance
#
# ```{prf:theorem} Azulay et al. 2021, Proposition 1
# :label: theorem-balanced
#
# Let $aa^\top=W^\top W$ and $\tilde w\ne0$ at $t=0$. If gradient flow converges to a $\tilde w(\infty)$ with $X\tilde w(\infty)=y$, then it is the only solution of {eq}`balanced-program`.
# ```
#
# ````{prf:proof}
# :class: dropdown
#
# *One neuron.* The balance is kept. $W^\top W=aa^\top$ has rank one, so $W=\hat u\,a^\top$ with a unit vector $\hat u(t)$ as long as $a\ne0$, and
# {eq}`network-flow` moves $a$ along itself, $\dot a=a\,(\hat u\cdot g)$. So $a$ does not reach $0$ in finite time, and $\hat a=a/\|a\|$ stays. For
# $A=\|a\|$ and $w=W\hat a=A\hat u$ this leaves
#
# ```{math}
# :label: one-neuron
# \begin{gathered}\dot w=A\,g,\qquad\dot A=w\cdot g,\\\tilde w=A\,w,\qquad A=\|w\| .\end{gathered}
# ```
#
# The network is one linear neuron with equal layers.
#
# *The minimizer.* From $\|\tilde w\|=A^2$, $\nabla\|\tilde w\|^{3/2}=\frac32\|\tilde w\|^{-1/2}\tilde w=\frac32w$. So the gradient of the objective is
# $\frac32(w(t)-w(0))=\frac32X^\top\!\int_0^tA\,r\,dt'$, always in the span of the samples. At the end this is the stationarity condition of the
# program. Its objective is strictly convex, so no other point fulfils it. $\square$
# ````
#
# ````{prf:proposition} The balanced limit in closed form
# :label: proposition-balanced
#
# Under the same premises, with $w(0)=\|\tilde w(0)\|^{-1/2}\tilde w(0)$,
#
# ```{math}
# :label: balanced-limit
# \begin{gathered}
# \tilde w(\infty)=X^+y+A_\infty P_\perp w(0),\\
# A_\infty^2=\tfrac12\Bigl(b+\sqrt{b^2+4\|X^+y\|^2}\Bigr),\\ b=\|P_\perp w(0)\|^2 .
# \end{gathered}
# ```
#
# If $X$ has rank $n$ and $b>0$, the flow converges and interpolates.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# By {eq}`one-neuron` $P_\perp w=P_\perp w(0)$ never moves, and interpolation fixes the rest. Then $A_\infty^4=\|\tilde w(\infty)\|^2$ is a
# quadratic equation for $A_\infty^2$ with one positive root. And $A=\|w\|\ge\sqrt b$, so $\frac d{dt}\frac12\|r\|^2\le-A^2\|g\|^2\le-b\,\sigma_{\min}(X)^2\|r\|^2$. The residual falls exponentially, and the path
# has finite length. $\square$
# ````
#
# ## How fast, exactly
#
# The distance from the shortest fit is of order $\tau$ and not of another power, and the bound {eq}`small-bound` is of the right size.
#
# ```{claim} order
# :source: Azulay et al. 2021, Theorem 3; the order is derived in this chapter
# :evidence: trained and compared
# :because: the second-order term, relative to the first of the order of the largest τ, and at the smallest τ
#   the misfit left at the end, over the range of ln τ
# :contrast: the output layer alone scaled down
#
# the distance from the least-norm interpolator falls in proportion to the scale of the start
# ```
#
# ```{claim} bound
# :source: derived in this chapter; it implies Azulay et al. 2021, Theorem 3
# :evidence: trained and compared
# :because: the misfit left at the end over the least singular value of X, relative to the bound
# :control: each coordinate of W trained at a speed of its own, from 0.95 to 1.05, at the largest τ
#
# the limit is no further from X⁺y than the bound says, at every scale
# ```
#
# ```{claim} sharp
# :evidence: trained and compared
# :because: there the bound is ‖P⊥W₀‖ √(a(0)² + ‖X⁺y‖) and the distance ‖P⊥W₀‖ |a(∞)|, |a(∞)| ≥ |a(0)|: half
#   of ‖X⁺y‖/a(0)²
# :contrast: the input weights the larger
#
# a large neuron that starts outside the row space, its output weight the larger, comes up to the bound
# ```
#
# How much does imbalance cost? The flow does not see a rotation $R$ of the neurons, $(W,a)\mapsto(WR^\top,Ra)$. With $W+\theta E$ in place of $W$ the reflection $R=2\hat a\hat a^\top-I$ keeps $a(0)$ and the balanced $W(0)$ and turns $\theta E$ into $-\theta E$. So the limit is an even function of $\theta$, and the error is of *second* order. Layers of unequal length, $a(0)$ times $1+\theta$, cost first order. At these sizes their errors fall with $\theta$ with the exponent {glue:text}`many_neurons_length_rate`, and with {glue:text}`many_neurons_length_fine` for $\theta$ a hundred times smaller, so the next order is still seen in the first number.
#
# ```{claim} tilt
# :evidence: trained and compared
# :because: the next term, of fourth order, is of the order of θ² relative to the second-order one: at the
#   largest θ, over the range of ln θ
# :contrast: layers of unequal length: the error is of first order
#
# neurons out of line cost the balanced formula an error of second order
# ```


# %% tags=["hide-input"]
def bound(network):
    """The bound on ‖w̃(∞) − X⁺y‖, from a network's start."""
    resting = np.linalg.norm(outside(network.w.T), 2)
    unbalanced = np.linalg.norm(risk.net.balance_matrix(network.w, network.a), 2)
    return resting * np.sqrt(np.linalg.norm(shortest) + resting**2 + unbalanced)


def tightness(network):
    """The part of its bound that a trained network uses; the noise of so large weights is a misfit of 1e-9."""
    # mutant: when a flow ends
    return offset(network.predictor(flow(network, target=1e-7).final)) / bound(network)


claims.rate("order", 1.0,
            # mutant: an exponent of one, or of minus one, is its own inverse
            log_log_slope(sizes, far),
            error=(sizes.max() + derived_noise / np.linalg.norm(first_order)) / derived_range,
            control=log_log_slope(sizes, kept_far))
general = risk.of_weights(w_small.T, a_small)
general_run = flow(general)
general_end = general.predictor(general_run.final)
speeds, largest = np.linspace(0.95, 1.05, d), small[sizes[0]]
astray = largest.predictor(flow(at_speeds(largest, speeds, 1.0)).final)
claims.below("bound",
             1.0,  # mutant: a bound with room
             np.array([offset(general_end), *far]) / [bound(network) for network in (general, *small.values())],
             error=derived_gain * max(misfit(network) / bound(network) for network in (general, *small.values())),
             control=offset(astray) / bound(largest))
LARGE = 30.0
unseen = outside(direction)[None, :] / np.linalg.norm(outside(direction))
claims.limit("sharp", 1.0, tightness(risk.of_weights(LARGE * unseen, [2 * LARGE])),
             error=np.linalg.norm(shortest) / (2 * (2 * LARGE) ** 2),
             control=tightness(risk.of_weights(2 * LARGE * unseen, [LARGE])))
angles = sorted(set(tilts))
tilt_errors = []


def length_error(theta):
    """How far the balanced formula is off if the output layer is 1 + θ times as long as the balance asks."""
    longer, of_longer = risk.of_weights(balanced.w, (1 + theta) * balanced.a), np.sqrt(1 + theta) * size
    expected = linear_neuron_limit(x, y, of_longer, (1 + theta) * w0 / of_longer).predictor
    return np.linalg.norm(longer.predictor(flow(longer).final) - expected)


for theta in angles:
    # mutant: on which side of balance a start lies
    askew = risk.of_weights(balanced.w + theta * tilt, balanced.a)
    tilt_errors.append(np.linalg.norm(askew.predictor(flow(askew).final) - predicted))
length_rate, length_fine = (log_log_slope(some, [length_error(theta) for theta in some])
                            for some in (angles, [theta / 100 for theta in angles]))
glue_all("many_neurons", ".2f", length_rate=length_rate, length_fine=length_fine)
claims.rate("tilt", 2.0, log_log_slope(angles, tilt_errors), error=angles[-1] ** 2 / np.log(angles[-1] / angles[0]),
            control=length_rate)

# %% [markdown]
# ## Instruments
#
# The limit against the certified minimizer of {eq}`balanced-program`, by Newton's method on its dual, and {eq}`any-start` from a Gaussian start of order one, which is an identity and no prediction, because $a(\infty)$ is read off the run.
#
# ```{claim} minimizer
# :source: Azulay et al. 2021, Proposition 1
# :evidence: trained and compared
# :because: as for the closed form, and the minimizer's own certificate
# :control: balance broken: W + E, with the same w̃(0)
# :rival: the interpolator nearest to w̃(0)
#
# the limit minimizes the proposition's objective among the interpolators
# ```
#
# ```{claim} any_start
# :evidence: trained and compared
# :because: the misfit left at the end over the least singular value of X, and the integrator's steps of 1e-12
#   each
# :control: each coordinate of W trained at a speed of its own, from 0.95 to 1.05
# :rival: the parts orthogonal to the samples weighted by a(0)
#
# from any start the limit is X⁺y plus the neurons' parts orthogonal to the samples, weighted by the same run's final a
# ```

# %% tags=["hide-input"]
certified = NeuronRegularizer(0.0, w0).minimize(x, y)
claims.limit("minimizer", certified.w, learned,
             error=derived_balanced + certified.certificate.worst * np.linalg.norm(certified.w), control=off_balance,
             rival=Rival(shortest + outside(w0), factor=1e4))
strayed = flow(at_speeds(general, speeds, 1.0)).final
by_final, by_first = (shortest + outside(w_small) @ a for a in (general.weights(general_run.final)[1], a_small))
claims.identity("any_start", by_final, general_end,
                error=derived_gain * misfit(general) + stepping(general_run.steps, RTOL, np.abs(general_run.final).max()),
                control=general.predictor(strayed), rival=Rival(by_first, factor=1e4))

# %% [markdown]
# ## What would falsify it
#
# A start of size $\tau$ whose limit lies beyond {eq}`small-bound`, or off the first-order term of {eq}`first-order` by more than order $\tau^2$. A plateau that lengthens by another amount than $1/\|X^\top y\|$ for each factor $e$. A column of $P_\perp W$ that moves. A strictly balanced start whose limit is not the minimizer of {eq}`balanced-program`. Gradient *descent* at a finite step size keeps neither the balance nor the closed form, only {eq}`any-start`, so its limit falsifies nothing.
#
# ## Differences from the paper
#
# - **Changed.** The paper says *nonzero infinitesimal initialization*. Here that is one factor $\tau$ on both layers. That $\tilde w(0)$ vanishes is not enough, as the start with only a small output layer shows.
# - **Added.** The first order {eq}`first-order` and the plateau with proofs, that a small start interpolates if $c\ne0$, the bound {eq}`small-bound`, the limit {eq}`any-start` from any start, and the closed form {eq}`balanced-limit`.
# - **Not reproduced.** The paper states no experiment for these results. The data are those of its Section 9, smaller by default and scaled. The widths are ours.
#
# ## Scope
#
# - Strict balance is rare. It means $w_i=a_i\hat u$ with one unit vector $\hat u$. Neurons with $w_i=a_iv$ and one vector $v$ of any length still
#   move as one, with $\delta=\|a\|^2(1-\|v\|^2)$ ({doc}`single_neuron`). Neurons that point apart do not, nor do those whose lengths are not in the proportion of their output weights (unless these are all zero at the start).
# - One output. With several the network in general leaves zero direction by direction, with several plateaus (not shown here).
# - {eq}`first-order` needs $c\ne0$, which a random start has with probability one. With $c=0$ nothing grows to first order in $\tau$, and what happens then is open here.
# - The norm is the Euclidean one for every small start from which the flow fits the labels, whatever $a_0$ and $W_0$ are. Regression with the kernel $x\cdot x'$ would find $X^+y$ too, so the paper does not call this
#   a {term}`rich regime`. How the network's own kernel changes on the way is not measured here.
#
# ## Exercises
#
# ````{exercise} Which neurons grow?
# :label: exercise-many-first
#
# Take one sample $x=(1,0)$ with the label $4$, $a_0=(1,0)$ and
#
# $$W_0=\begin{pmatrix}1&0\\2&7\end{pmatrix}.$$
#
# Where does the network end, to first order in $\tau$? What if $a_0=(-1,0)$?
# ````
#
# ````{solution} exercise-many-first
# :class: dropdown
#
# $\hat g=(1,0)$, so $c=\frac12(1+1,0)=(1,0)$ and the distance is $\tau\sqrt4\cdot2$. The end is $(4,4\tau)$. With $a_0=(-1,0)$ we get $c=0$. Nothing grows to first order, and the formula says nothing.
# ````
#
# ````{exercise} The length of the balanced limit
# :label: exercise-many-length
#
# Show from {eq}`balanced-limit` that $\|\tilde w(\infty)\|\ge\|X^+y\|$ with equality only if $P_\perp\tilde w(0)=0$, and that for small $\|\tilde w(0)\|$
# the distance from $X^+y$ is $\sqrt{\|X^+y\|\,\|\tilde w(0)\|}\,\sin\phi$ to leading order, where $\phi$ is the angle between $\tilde w(0)$ and the span of the samples.
# Is this of first order in the size $\tau$ of the weights?
# ````
#
# ````{solution} exercise-many-length
# :class: dropdown
#
# The two terms of $\tilde w(\infty)$ are orthogonal, so $\|\tilde w(\infty)\|^2=\|X^+y\|^2+A_\infty^2b$. For $b\to0$, $A_\infty^2\to\|X^+y\|$, and
# $\|P_\perp w(0)\|=\|\tilde w(0)\|^{1/2}\sin\phi$. Yes: $\|\tilde w(0)\|=A(0)^2$ is of second order, its root of first. This is
# {eq}`first-order` with $W_0=\hat ua_0^\top$, where $c\propto a_0$.
# ````
#
# ````{exercise} A start that never leaves
# :label: exercise-many-saddle
#
# Take a balanced start with $\hat u=-\hat g$, $\hat g=X^\top y/\|X^\top y\|$, and $n=1$. Where does the flow go? Which premise of {prf:ref}`theorem-balanced` fails?
# ````
#
# ````{solution} exercise-many-saddle
# :class: dropdown
#
# $w$ stays on the line of the sample $x$, with $w\cdot g<0$: $\dot A=-A\|g\|$ and $\|g\|\ge\|X^\top y\|$, as the prediction has the wrong sign. So $A\to0$ and the network dies at the saddle,
# $\tilde w(\infty)=0$. It does not interpolate. $P_\perp w(0)=0$, so the lower bound $A\ge\sqrt b$ is void.
# ````
#
# ````{exercise} Which layer must be small?
# :label: exercise-many-layer
#
# Start with $W(0)=\tau W_0$ and $a(0)=a_0$ of order one. What does {eq}`any-start` give as $\tau\to0$, and how far off is the limit to first order? Compare with the start of
# this chapter where $a$ is small and $W$ is not.
# ````
#
# ````{solution} exercise-many-layer
# :class: dropdown
#
# $\|\tilde w(\infty)-X^+y\|\le\tau\|P_\perp W_0\|\|a(\infty)\|$ with $a(\infty)$ bounded, so the limit is $X^+y$ again. For this conclusion the first layer alone has
# to be small. For $\tau=0$ the network is one neuron, because $W=v\,a_0^\top$ and $a\propto a_0$ solve {eq}`network-flow`, and it has the imbalance $\|a_0\|^2$. So $\|a(\infty)\|^2=\frac12\bigl(\|a_0\|^2+\sqrt{\|a_0\|^4+4\|X^+y\|^2}\bigr)$ by {eq}`neuron-limit` up to $O(\tau)$, and the distance is
# $\tau\,\|a(\infty)\|\,\|P_\perp W_0a_0\|/\|a_0\|$ to first order, the dashed line of {numref}`figure-many-neurons`(b). With $W_0$ of order one the sum in {eq}`any-start` stays of order one, however small $a(0)$ is.
# ````
#
# ````{exercise} Two speeds
# :label: exercise-many-speeds
#
# Train the output layer $\kappa$ times as fast, $\dot a=\kappa W^\top g$. What becomes of {eq}`first-order` and of the plateau? Compare with the first row of the table, where $\kappa=4$.
# ````
#
# ````{solution} exercise-many-speeds
# :class: dropdown
#
# Let $a=\sqrt\kappa\,b$ and $t'=\sqrt\kappa\,t$. Then $\frac{dW}{dt'}=gb^\top$ and $\frac{db}{dt'}=W^\top g$ with $\tilde w=\sqrt\kappa\,Wb$. This is the flow of the chapter for $Wb$ with the residual of the labels $y/\sqrt\kappa$, up to a factor $\sqrt\kappa$ in time that changes no path. So the distance over $\tau$ is $\kappa^{1/4}\sqrt{\|X^+y\|}\,\|P_\perp W_0c\|/\|c\|$ with $c=\frac12(a_0/\sqrt\kappa+W_0^\top\hat g)$, and the plateau shrinks by the factor $\sqrt\kappa$.
# ````
#
# ````{exercise} More neurons
# :label: exercise-many-width
#
# Rerun the chapter with `width = 32`. What do you expect of the plateau, and of the distance over $\tau$?
# ````
#
# ````{solution} exercise-many-width
# :class: dropdown
#
# The plateau lengthens by the same amount for each factor ten, because $\|X^\top y\|$ does not depend on the width. The distance over $\tau$ is $\sqrt{\|X^+y\|}\,\|P_\perp W_0\hat c\|$ with a unit vector $\hat c$. The entries of $W_0$ have the variance $1/d$, so it is near $\sqrt{\|X^+y\|(1-n/d)}$ on average, {glue:text}`many_neurons_typical` here, where this draw has {glue:text}`many_neurons_first_p`.
# ````
#
# ## Where to go next
#
# ```{next}
# The chapter on {doc}`one linear neuron <single_neuron>` has the neuron to which both cases lead, with layers of any size, and the one on {doc}`a leaky neuron <leaky_neuron>` adds an activation. The chapter on {doc}`diagonal networks <diagonal_networks>` shows a network in which a small start finds nearly the fit of least $\ell_1$ norm, which is sparse, and not the shortest.
# ```
#
# ## References
#
# Proposition 1 and Theorem 3 are {cite:t}`azulay2021`. The conserved matrix is {cite:t}`du2018`.
