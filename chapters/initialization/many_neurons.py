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
# # Many linear neurons: balanced, or started near zero
#
# A linear network $x\mapsto\sum_ia_i\,w_i\cdot x$ of any width is trained on fewer samples than features. If its layers start strictly
# {term}`balanced`, all neurons are parallel and stay so: the network moves as one neuron. If it starts near zero, the part of the weights that is orthogonal to the samples is small
# and never moves, so the fit that is found is the shortest {cite}`azulay2021`. The predictor $\tilde w=\sum_ia_iw_i$ of a balanced network, and that of a start with all weights of order $\varepsilon$, tend to
#
# $$\begin{aligned}
# \tilde w(\infty)&=\operatorname*{arg\,min}_{X\tilde w=y}\;\|\tilde w\|^{3/2}-\tfrac32\,w(0)^\top\tilde w,\\
# \tilde w(\infty)&=X^+y+O(\varepsilon),
# \end{aligned}$$
#
# where $w(0)=\tilde w(0)/\|\tilde w(0)\|^{1/2}$ and $X^+y$ is the {term}`interpolator` of least norm. The first line is a theorem of the paper, and so is the limit $\varepsilon\to0$ of the second; this chapter adds the order $\varepsilon$ with its constant.
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# $X$ is $N\times d$ with $N<d$, $y\in\mathbb R^N$. The network has $m$ neurons: $W\in\mathbb R^{d\times m}$ with columns $w_i$, and
# $a\in\mathbb R^m$. Its predictor is $\tilde w=Wa=\sum_ia_iw_i$, its residual $r=y-X\tilde w$. Both layers follow the {term}`gradient flow` of $\frac12\|r\|^2$:
#
# ```{math}
# :label: network-flow
# \dot W=g\,a^\top,\qquad\dot a=W^\top g,\qquad g=X^\top r .
# ```
#
# It conserves the matrix $aa^\top-W^\top W$ ({doc}`balancedness`). The layers are *strictly balanced* if it is zero. $X^+$ is the
# pseudo-inverse, $P=X^+X$ the projection on the span of the samples, $P_\perp=I-P$.

# %% tags=["hide-input"]
from types import SimpleNamespace

import numpy as np
import sympy as sp
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
from reproduce.claims import Claims, Rival, rounding, stepping
from reproduce.claims.glued import glue_all

claims = Claims("many_neurons")

style.use_style()

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Azulay et al. 2021, Proposition 1
# :label: theorem-balanced
#
# Let $aa^\top=W^\top W$ and $\tilde w\ne0$ at $t=0$. If gradient flow converges to a $\tilde w(\infty)$ with $X\tilde w(\infty)=y$, then
#
# $$\begin{aligned}\tilde w(\infty)=\arg\min_{\tilde w}\;&\|\tilde w\|^{3/2}-\tfrac32\,\|\tilde w(0)\|^{-1/2}\,\tilde w(0)^\top\tilde w\\
# &\text{subject to}\quad X\tilde w=y .\end{aligned}$$
# ```
#
# ````{prf:proof}
# :class: dropdown
#
# *One neuron.* The balance is conserved. $W^\top W=aa^\top$ has rank one, so $W=\hat u\,a^\top$ with a unit vector $\hat u(t)$ as long as $a\ne0$, and
# {eq}`network-flow` moves $a$ along itself: $\dot a=a\,(\hat u\cdot g)$. So $a$ does not reach $0$ in finite time, and $\hat a=a/\|a\|$ stays. For
# $A=\|a\|$ and $w=W\hat a=A\hat u$ this leaves
#
# ```{math}
# :label: one-neuron
# \dot w=A\,g,\qquad\dot A=w\cdot g,\qquad\tilde w=A\,w,\qquad A=\|w\| :
# ```
#
# the network is one linear neuron with equal layers.
#
# *The minimizer.* From $\|\tilde w\|=A^2$, $\nabla\|\tilde w\|^{3/2}=\frac32\|\tilde w\|^{-1/2}\tilde w=\frac32w$. So the gradient of the objective is
# $\frac32(w(t)-w(0))=\frac32X^\top\!\int_0^tA\,r\,dt'$, always in the row space of $X$: at the end this is the stationarity condition of the
# program. Its objective is strictly convex, so no other point fulfils it.
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
# A_\infty^2=\tfrac12\Bigl(b+\sqrt{b^2+4\|X^+y\|^2}\Bigr),\quad b=\|P_\perp w(0)\|^2 .
# \end{gathered}
# ```
#
# If $X$ has rank $N$ and $b>0$, the flow converges and interpolates.
# ````
#
# ````{prf:proof}
# By {eq}`one-neuron` $P_\perp w=P_\perp w(0)$ never moves, and interpolation fixes the rest: $\tilde w(\infty)=X^+y+A_\infty P_\perp w(0)$. Then $A_\infty^4=\|\tilde w(\infty)\|^2$ is a
# quadratic equation for $A_\infty^2$ with one positive root. And $A=\|w\|\ge\sqrt b$, so $\frac d{dt}\frac12\|r\|^2\le-A^2\|g\|^2\le-b\,\sigma_{\min}(X)^2\|r\|^2$: the residual falls exponentially, and the path
# has finite length. $\square$
# ````
#
# Without balance there is no such formula, but half of it survives:
#
# ````{prf:proposition} Any width, any start
# :label: proposition-any-start
#
# A limit of gradient flow that interpolates is
#
# ```{math}
# :label: any-start
# \tilde w(\infty)=X^+y+\sum_ia_i(\infty)\,P_\perp w_i(0).
# ```
# ````
#
# ````{prf:proof}
# $\dot W=ga^\top$ has its columns in the row space of $X$, so $P_\perp W$ never moves; $P\tilde w(\infty)=X^+y$ by interpolation. The layers converge where $\tilde w=Wa$ does:
# with the constant $D=aa^\top-W^\top W$ of {doc}`balancedness`, $\|a\|^4=\|\tilde w\|^2+a^\top Da$, so that $\|a\|$ is bounded, and so is $\|W\|_F^2=\|a\|^2-\operatorname{tr}D$; and a bounded
# gradient flow of a polynomial converges, by Łojasiewicz's inequality. $\square$
# ````
#
# So the limit is short where the first layer starts short:
#
# ```{prf:theorem} Azulay et al. 2021, Theorem 3
# :label: theorem-small
#
# Let $a(0)=\varepsilon a_0$, $W(0)=\varepsilon W_0$. If for each small $\varepsilon>0$ gradient flow converges to an interpolator, then
# $\tilde w(\infty)\to X^+y$ as $\varepsilon\to0$: the interpolator of least norm $\|\tilde w\|_2$.
# ```
#
# ````{prf:proof}
# Let $D_0=a_0a_0^\top-W_0^\top W_0$ and $s=\|a(\infty)\|^2$. Conservation, $aa^\top=W^\top W+\varepsilon^2D_0$, and {eq}`any-start` give
#
# $$s^2=a^\top(aa^\top)a=\|\tilde w\|^2+\varepsilon^2a^\top D_0a\le\|X^+y\|^2+\varepsilon^2Cs$$
#
# with $C=\|P_\perp W_0\|^2+\|D_0\|$ (spectral norms). Hence $s\le\|X^+y\|+\varepsilon^2C$, and by {eq}`any-start` for *every* $\varepsilon$
#
# ```{math}
# :label: small-bound
# \|\tilde w(\infty)-X^+y\|\le\varepsilon\,\|P_\perp W_0\|\,\sqrt{\|X^+y\|+\varepsilon^2C}.\qquad\square
# ```
# ````
#
# ````{prf:remark} The first order in the scale, a formal derivation
# :label: remark-escape
#
# Near zero $g=X^\top y$ is constant, and {eq}`network-flow` is linear: one pattern grows,
#
# ```{math}
# :label: escape
# \begin{gathered}
# a\approx\varepsilon\,c\,e^{\|X^\top y\|t},\qquad W\approx\varepsilon\,\hat g\,c^\top e^{\|X^\top y\|t},\\
# \hat g=\frac{X^\top y}{\|X^\top y\|},\qquad c=\tfrac12\bigl(a_0+W_0^\top\hat g\bigr) .
# \end{gathered}
# ```
#
# It has rank one and balanced layers: the network leaves zero as one neuron whose output weights are shared out in proportion to $c$. Across $c$, with
# $\Pi=I-cc^\top/\|c\|^2$, the flow is linear in $(\Pi a,W\Pi)$, and the growing part is absent at the start; so both stay of order $\varepsilon$. At the end
# $\|a\|^2=\|X^+y\|+O(\varepsilon^2)$ as in the proof, so if $c\ne0$
#
# ```{math}
# :label: first-order
# \tilde w(\infty)=X^+y+\varepsilon\,\sqrt{\|X^+y\|}\;P_\perp W_0\,\frac c{\|c\|}+O(\varepsilon^2),
# ```
#
# and the loss leaves its plateau after a time $\ln(1/\varepsilon)/\|X^\top y\|$ plus a constant.
# ````
#
# A single neuron with general layers is treated in {doc}`single_neuron`. All predictions are computed before any training: {eq}`balanced-limit`; the minimizer of the convex program by Newton's method on its dual, with its
# {term}`certificate`; and the constants of small starts. In this chapter
#
# | $\lVert X^+y\rVert$ | $\lVert \tilde w(\infty)\rVert$, balanced | distance to $X^+y$ over $\varepsilon$ | time on the plateau per $\ln\frac1\varepsilon$ |
# |---|---|---|---|
# | {glue:text}`many_neurons_least` | {glue:text}`many_neurons_balanced` | {glue:text}`many_neurons_first` | {glue:text}`many_neurons_plateau` |
#
# ## Experiment
#
# The data are those of the paper's Section 9, smaller by default and scaled so that time has a unit: samples of length about
# $1$, labels of length $\|y\|=1$.

# %% tags=["parameters"]
n: int = 10  # number of samples N, at most d/2, in [2, 300]
d: int = 40  # number of features d, in [4, 2000]
width: int = 8  # number of neurons m, in [2, 100]
start: float = 1.0  # length ‖w̃(0)‖ of the balanced start, in [0.05, 10]
tilts: list[float] = [0.1, 0.05, 0.025]  # sizes τ of the tilts, each in [0.01, 0.2]
scales: list[float] = [1e-3, 1e-4, 1e-5, 1e-6]  # scales ε, each in [1e-7, 0.01]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where 2 * n <= d
# where len(set(tilts)) >= 2 and max(scales) >= 10 * min(scales)

# %% tags=["hide-input"]
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
problem = sparse_regression(data_stream, n, d, nonzeros=min(5, d))
x, y = problem.x / np.sqrt(d), problem.y / np.linalg.norm(problem.y)
shortest = least_norm(x, y).w
row_space = RowSpace(x)


def outside(v):
    """P⊥v, of a vector or of each column of a matrix."""
    return row_space.outside(v.T).T


# %% [markdown]
# All $m(d+1)$ parameters are integrated until $\|r\|\le10^{-11}$ (times the length of the weights, if that is more than one): from the balanced start, from starts of scale $\varepsilon$ with Gaussian $a_0$ and $W_0$, and from a Gaussian start
# of order one.

# %% tags=["hide-input"]
a_start, direction = initialization_stream.standard_normal(width), initialization_stream.standard_normal(d)
risk = Risk(TwoLayer(IDENTITY), Samples(x, y), Squared("sum"))  # its W has one neuron a row: Wᵀ
balanced = risk.of_weights(*balanced_start(direction, np.sqrt(start) * a_start / np.linalg.norm(a_start)))
w0 = balanced.predictor(balanced.start)
assert np.linalg.norm(outside(w0)) > 0.1 * np.linalg.norm(w0)


def closed_form(predictor):
    """The balanced limit from w̃(0) alone."""
    size = np.sqrt(np.linalg.norm(predictor))
    return linear_neuron_limit(x, y, float(size), predictor / size).predictor


MISFIT = 1e-11
RTOL = 1e-12  # the relative tolerance of a step


def misfit(network):
    """The misfit to reach: large weights carry larger errors of integration."""
    return MISFIT * max(1.0, float(np.linalg.norm(network.start)))


def flow(network, target=None, record=()):
    """The flow of all parameters until ‖y − Xw̃‖ falls to its target."""
    until = misfit(network) if target is None else target
    atol = RTOL / 100 * min(1.0, float(np.abs(network.start).max()))
    return follow(network, t_end=1e5, misfit=until, record=record, rtol=RTOL, atol=atol, max_steps=10_000)


a_small, w_small = initialization_stream.standard_normal(width), initialization_stream.standard_normal((d, width))
w_small /= np.sqrt(d)
force = x.T @ y
rate = np.linalg.norm(force)
c = (a_small + w_small.T @ (force / rate)) / 2
first_order = np.sqrt(np.linalg.norm(shortest)) * outside(w_small) @ (c / np.linalg.norm(c))
small = {eps: risk.of_weights(eps * w_small.T, eps * a_small) for eps in sorted(scales, reverse=True)}

# %%
predicted = closed_form(w0)  # predict: X⁺y + A_∞ P⊥w(0)
moments = np.linspace(0, flow(balanced).t[-1], 60)[1:-1]
run = flow(balanced, record=moments)  # train a balanced network
learned = balanced.predictor(run.final)
ends = {eps: network.predictor(flow(network).final) for eps, network in small.items()}  # and networks started near 0
print("balanced, predicted:", *(f"{entry:9.6f}" for entry in predicted[:5]), "…")
print("balanced, trained:  ", *(f"{entry:9.6f}" for entry in learned[:5]), "…")
for eps, end in ends.items():
    apart = np.linalg.norm(end - shortest) / eps
    print(f"ε = {eps:g}: distance to X⁺y over ε {apart:.4f}, predicted {np.linalg.norm(first_order):.4f}")

# %% [markdown]
# Two departures from the premises run beside them. Balance is broken by $W+\tau E$ with a Gaussian $E$ made to fulfil $Ea(0)=0$ and $\|E\|=1$, so that $\tilde w(0)$ is the same. And the small start is broken by scaling down the output layer alone:
# $\tilde w(0)$ vanishes too, but $W(0)$ does not.

# %% tags=["hide-input"]
certified = NeuronRegularizer(0.0, w0).minimize(x, y)
print("certified: residual, stationarity and duality gap at most 1e-9:", certified.certificate.worst <= 1e-9)

tilt = initialization_stream.standard_normal((d, width)).T
tilt -= np.outer(balanced.a, balanced.a @ tilt) / (balanced.a @ balanced.a)
tilt /= np.linalg.norm(tilt, 2)
tilted = risk.of_weights(balanced.w + 0.2 * tilt, balanced.a)
tilted_run = flow(tilted, record=moments)

# mutant: how much of the way the half is
half_times = {eps: float(flow(network, target=np.sqrt(0.5)).t[-1]) for eps, network in small.items()}
# The same with only the output layer scaled down.
one_layer = {eps: risk.of_weights(w_small.T, eps * a_small) for eps in small}
one_layer_ends = {eps: network.predictor(flow(network).final) for eps, network in one_layer.items()}
one_layer_half_times = {eps: float(flow(network, target=np.sqrt(0.5)).t[-1]) for eps, network in one_layer.items()}
eps_all = np.array(list(small))
far = [float(np.linalg.norm(ends[eps] - shortest)) for eps in small]
kept_far = [float(np.linalg.norm(one_layer_ends[eps] - shortest)) for eps in small]

glue_all("many_neurons", ".4f", least=np.linalg.norm(shortest), balanced=np.linalg.norm(predicted),
         first=np.linalg.norm(first_order), plateau=1 / rate)

# %% mystnb={"figure": {"caption": "Left: from a start of scale $\\varepsilon$ the loss stays on its plateau until the pattern of {eq}`escape` has grown (dashed). Middle: balanced networks in the plane with one sample, from starts of two lengths; each path ends on the line of interpolators at the predicted point (circles), the shorter the start, the nearer to $X^+y$ (star). Right: the distance of the limit from $X^+y$ and its first-order prediction (dashed); with the output layer alone scaled down it does not vanish.", "name": "figure-many-neurons"}, "image": {"alt": "Three panels: loss against time with plateaus whose lengths grow with the logarithm of the inverse scale; paths in the plane ending at predicted points on a line; distance from the least-norm interpolator against the scale, on a line of slope one", "classes": "panels-3"}} tags=["hero", "hide-input"]
left, middle, right = style.panels(3, (11.4, 4.0))
shown = np.linspace(0, max(half_times.values()) + 8 / rate, 300)[1:]
for (eps, network), color in zip(small.items(), ("blue", "orange", "green", "purple", "sky") * 4, strict=False):
    path = flow(network, record=shown)
    losses = 0.5 * np.sum((y - network.predictor(path.theta) @ x.T) ** 2, axis=1)
    seen = path.t <= shown[-1]
    exponent = f"{np.log10(eps):.2g}"
    left.plot(path.t[seen], losses[seen], color=style.COLORS[color], label=rf"$\varepsilon=10^{{{exponent}}}$")
    growth = 0.5 - rate * (eps * np.linalg.norm(c)) ** 2 * np.exp(2 * rate * shown)
    style.theory(left, shown[growth > 0.2], growth[growth > 0.2])
left.set(xlabel=r"$t$", ylabel=r"$\frac{1}{2}\|y-X\tilde w(t)\|^2$", ylim=(0, 0.55), title="escape from zero")
left.legend(loc="upper right", fontsize=12, handlelength=1.2, labelspacing=0.2)

plane_x, plane_y = np.array([[1.0, 0.5]]), np.array([1.0])
plane_risk = Risk(risk.net, Samples(plane_x, plane_y), Squared("sum"))
line = np.linspace(-1.6, 1.6, 2)
nearest = plane_x[0] / (plane_x[0] @ plane_x[0])
along = np.array([-plane_x[0, 1], plane_x[0, 0]]) / np.linalg.norm(plane_x)
middle.plot(*(nearest[:, None] + along[:, None] * line), color=style.COLORS["grey"], linewidth=1.2)
for radius, color in ((0.7, "blue"), (0.1, "orange")):
    for angle in np.linspace(0, 2 * np.pi, 10, endpoint=False):
        begin = radius * np.array([np.cos(angle), np.sin(angle)])
        layers = balanced_start(begin, np.sqrt(radius) * a_start / np.linalg.norm(a_start))
        network = plane_risk.of_weights(*layers)
        trace = network.predictor(follow(network, t_end=40.0, record=np.geomspace(1e-2, 39, 200), method="LSODA").theta)
        middle.plot(trace[:, 0], trace[:, 1], color=style.COLORS[color], linewidth=1.1)
        middle.plot(*begin, ".", color=style.COLORS[color], markersize=6)
        aim = linear_neuron_limit(plane_x, plane_y, np.sqrt(radius), begin / np.sqrt(radius)).predictor
        middle.plot(*aim, "o", color=style.COLORS["black"], markerfacecolor="none", markersize=7, zorder=6)
middle.plot(*nearest, "*", color=style.COLORS["red"], markersize=14, zorder=7)
middle.set(xlabel=r"$\tilde w_1$", ylabel=r"$\tilde w_2$", aspect="equal", xlim=(-0.85, 1.45), ylim=(-0.85, 1.45))
middle.set_title("balanced, one sample")

right.loglog(eps_all, kept_far, "s", color=style.COLORS["red"], markersize=6,
             label=r"$a(0)=\varepsilon a_0,\ W(0)=W_0$")
right.loglog(eps_all, far, "o", color=style.COLORS["blue"], markersize=7, label="both layers scaled")
style.theory(right, eps_all, eps_all * np.linalg.norm(first_order), "first order")
right.set(xlabel=r"$\varepsilon$", ylabel=r"$\|\tilde w(\infty)-X^+y\|$", title="distance to the least norm")
right.set_ylim(top=1e4 * max(kept_far))
right.legend(loc="upper left", fontsize=12, handlelength=1.2, labelspacing=0.2)
plt.show()

# %% [markdown]
# ## Headline claims
#
# The balanced limit against the closed form. The
# {term}`control` breaks the balance and keeps $\tilde w(0)$. The {term}`rival` is the network's linearization at its start (the limit of its {term}`tangent kernel`).
#
# ```{claim} balanced
# :headline: predictor at the end, balanced start
# :source: derived in this chapter; it implies Azulay et al. 2021, Proposition 1
# :evidence: trained and compared
# :because: the misfit left at the end over the least singular value of X, and the integrator's steps of 1e-12
#   each
# :control: balance broken: W + 0.2 E, with the same w̃(0)
# :rival: the linearized network (its tangent kernel)
#
# from a strictly balanced start the limit has the closed form of one neuron
# ```

# %% tags=["hide-input"]
tangent = np.linalg.norm(w0) * np.eye(d) + np.outer(w0, w0) / np.linalg.norm(w0)
lazy = w0 + tangent @ x.T @ np.linalg.solve(x @ tangent @ x.T, y - x @ w0)
off_balance = tilted.predictor(tilted_run.final)
derived_gain = np.linalg.norm(np.linalg.pinv(x), 2)  # 1 over the least singular value of X
derived_balanced = derived_gain * misfit(balanced) + stepping(run.steps, RTOL, np.abs(run.final).max())
claims.limit("balanced", predicted, learned, error=derived_balanced, control=off_balance, rival=Rival(lazy, factor=1e4))

# %% [markdown]
# Any initialization: a Gaussian one of order one. The network's parameters give $\tilde w(\infty)$; $a(\infty)$ in {eq}`any-start` comes from a second
# integration, in the $m(N+1)$ variables $W=W(0)+X^\top M$ and $a$. The control trains each coordinate of $W$ at a speed of its
# own: the loss falls to zero, but $\dot W$ leaves the row space.
#
# ```{claim} any_start
# :headline: predictor at the end, any start
# :evidence: trained and compared
# :because: the misfit left at the end over the least singular value of X, and the steps of 1e-12 each of both
#   integrators
# :control: each coordinate of W trained at a speed of its own
# :rival: the resting parts weighted by a(0)
#
# for any initialization the limit is X⁺y plus the resting parts of the neurons, weighted by the final a
# ```

# %% tags=["hide-input"]
general = risk.of_weights(w_small.T, a_small)
general_run = flow(general)
reduced = risk.in_span(general.w, general.a)
reduced_run = follow(reduced, t_end=1e5, misfit=misfit(general), method="DOP853", rtol=RTOL)
a_end = reduced.weights(reduced_run.final)[1]
speeds = np.concatenate([np.tile(np.linspace(0.5, 1.5, d), width), np.ones(width)])


def at_own_speeds(network):
    """A network of which each coordinate of W is trained at a speed of its own."""
    return SimpleNamespace(start=network.start, velocity=lambda theta: speeds * network.velocity(theta),
                           misfit=network.misfit)


derived_steps = general_run.steps + reduced_run.steps
claims.identity("any_start", shortest + outside(w_small) @ a_end, general.predictor(general_run.final),
                error=derived_gain * misfit(general) + stepping(derived_steps, RTOL, np.abs(general_run.final).max()),
                control=general.predictor(flow(at_own_speeds(general)).final),
                rival=Rival(shortest + outside(w_small) @ a_small, factor=1e4))

# %% [markdown]
# Small starts: the order of the distance. The control scales down the output layer only: $X^+y$ is not reached.
#
# ```{claim} order
# :headline: order in ε of the distance to the least norm
# :source: Azulay et al. 2021, Theorem 3; the order is derived in this chapter
# :evidence: trained and compared
# :because: the second-order term, relative to the first of the order of the largest ε, and at the smallest ε
#   the misfit left at the end, over the range of ln ε
# :contrast: the output layer alone scaled down
#
# the distance from the least-norm interpolator falls in proportion to the scale of the start
# ```

# %% tags=["hide-input"]
derived_range = np.log(eps_all.max() / eps_all.min())
derived_noise = derived_gain * MISFIT / (eps_all.min() * np.linalg.norm(first_order))
claims.rate("order", 1.0,
            # mutant: an exponent of one, or of minus one, is its own inverse
            log_log_slope(eps_all, far),
            error=(eps_all.max() + derived_noise) / derived_range, control=log_log_slope(eps_all, kept_far))

# %% [markdown]
# ## Instruments
#
# The minimizer, the way of a balanced network, the cost of imbalance, the constants of small starts, and the algebra.
#
# ### The minimizer, and the way to it
#
# The limit against the certified minimizer of the proposition's program; the rival is the interpolator nearest to
# $\tilde w(0)$, which the exponent $2$ in place of $\frac32$ would select. Along the way the output weights keep their proportions, and at equal times the predictor is that of one neuron.
#
# ```{claim} minimizer
# :source: Azulay et al. 2021, Proposition 1
# :evidence: trained and compared
# :because: as for the closed form, and the minimizer's own certificate
# :control: balance broken: W + 0.2 E, with the same w̃(0)
# :rival: the interpolator nearest to w̃(0)
#
# the limit minimizes the proposition's objective among the interpolators
# ```

# %% tags=["hide-input"]
claims.limit("minimizer", certified.w, learned,
             error=derived_balanced + certified.certificate.worst * np.linalg.norm(certified.w), control=off_balance,
             rival=Rival(shortest + outside(w0), factor=1e4))

# %% [markdown]
# ```{claim} proportions
# :evidence: trained and compared
# :because: each Runge–Kutta step moves a along itself: rounding, added up over the steps
# :control: balance broken: W + 0.2 E, with the same w̃(0)
#
# balanced neurons keep their proportions a/‖a‖ at all times
# ```
#
# ```{claim} one_neuron
# :evidence: trained and compared
# :because: the steps of 1e-12 each of both integrators, which grow while the network grows
# :control: balance broken: W + 0.2 E, with the same w̃(0)
#
# at equal times a balanced network has the predictor of one neuron
# ```

# %% tags=["hide-input"]
single = risk.of_weights(*balanced_start(w0, [np.sqrt(np.linalg.norm(w0))]))
single_run = flow(single, record=moments)
common = min(len(run.t), len(single_run.t), len(tilted_run.t)) - 1  # all but each run's own last time


def proportions(network, solution):
    """a/‖a‖ at the common times."""
    a = network.weights(solution.theta)[1][:common]
    return a / np.linalg.norm(a, axis=1, keepdims=True)


claims.identity("proportions", np.tile(balanced.a / np.linalg.norm(balanced.a), (common, 1)),
                proportions(balanced, run), error=rounding(run.steps), control=proportions(tilted, tilted_run))
derived_growth = max(1.0, float(np.linalg.norm(learned)) / start)
claims.identity("one_neuron", single.predictor(single_run.theta)[:common], balanced.predictor(run.theta)[:common],
                error=stepping(run.steps + single_run.steps, RTOL, np.abs(run.final).max(), derived_growth),
                control=tilted.predictor(tilted_run.theta)[:common])

# %% [markdown]
# ### The cost of imbalance
#
# How much does imbalance cost? The flow does not see a rotation of the neurons, $(W,a)\mapsto(WR^\top,Ra)$ with $R^\top R=I$.
# The reflection $R=2\hat a\hat a^\top-I$ keeps $a(0)$ and $W(0)$ and turns $\tau E$ into $-\tau E$: the limit is an even function of $\tau$, and the error is of
# *second* order. The control unbalances the lengths instead, $a(0)$ times $1+\tau$: that costs first order.
#
# ```{claim} tilt
# :evidence: trained and compared
# :because: the next term, of fourth order, is of the order of τ² relative to the second-order one: at the
#   largest τ, over the range of ln τ
# :contrast: layers of unequal length: the error is of first order
#
# neurons out of line cost the balanced formula an error of second order
# ```

# %% tags=["hide-input"]
sizes = sorted(set(tilts))
tilt_errors, length_errors = [], []
for tau in sizes:
    # mutant: on which side of balance a start lies
    askew = risk.of_weights(balanced.w + tau * tilt, balanced.a)
    longer = risk.of_weights(balanced.w, (1 + tau) * balanced.a)
    tilt_errors.append(float(np.linalg.norm(askew.predictor(flow(askew).final) - predicted)))
    expected = closed_form(longer.predictor(longer.start))
    length_errors.append(float(np.linalg.norm(longer.predictor(flow(longer).final) - expected)))
claims.rate("tilt", 2.0, log_log_slope(sizes, tilt_errors), error=sizes[-1] ** 2 / np.log(sizes[-1] / sizes[0]),
            control=log_log_slope(sizes, length_errors))

# %% [markdown]
# ### Small starts
#
# The bound {eq}`small-bound` at every scale, $\varepsilon=1$ included, and where it is approached; the first-order term as a
# vector; the time on the plateau, until half of the loss is left. With the output layer alone scaled down the
# plateau has a length that does not depend on $\varepsilon$. The rivals: neurons that keep the proportions of $a_0$, and growth at the rate $\|X^+y\|$.
#
# ```{claim} bound
# :source: derived in this chapter; it implies Azulay et al. 2021, Theorem 3
# :evidence: trained and compared
# :because: the misfit left at the end over the least singular value of X, relative to the bound
# :control: each coordinate of W trained at a speed of its own
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
# ```{claim} first_order
# :evidence: trained and compared
# :because: the next order, ε of the first, and the misfit left at the end over the least singular value of X
#   and over ε
# :contrast: the output layer alone scaled down
# :rival: neurons that keep the proportions of a(0)
#
# the distance's first-order term is the one that the escape from zero selects
# ```
#
# ```{claim} escape
# :evidence: trained and compared
# :because: the constant in the time shifts by the order of the largest ε, in units of 1/‖Xᵀy‖, over the range
#   of ln(1/ε)
# :control: the output layer alone scaled down
# :rival: growth at the rate ‖X⁺y‖
#
# each factor e in the scale lengthens the plateau by 1/‖Xᵀy‖
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
    return np.linalg.norm(network.predictor(flow(network, target=1e-7).final) - shortest) / bound(network)


distances = [float(np.linalg.norm(general.predictor(general_run.final) - shortest)), *far]
derived_misfits = [misfit(network) / bound(network) for network in (general, *small.values())]
claims.below("bound",
             1.0,  # mutant: a bound with room
             np.array(distances) / [bound(network) for network in (general, *small.values())],
             error=derived_gain * max(derived_misfits),
             control=[np.linalg.norm(one.predictor(flow(at_own_speeds(one)).final) - shortest) / bound(one)
                      for one in small.values()])
LARGE = 30.0
resting_direction = outside(direction)[None, :] / np.linalg.norm(outside(direction))
claims.limit("sharp", 1.0, tightness(risk.of_weights(LARGE * resting_direction, [2 * LARGE])),
             error=np.linalg.norm(shortest) / (2 * (2 * LARGE) ** 2),
             control=tightness(risk.of_weights(2 * LARGE * resting_direction, [LARGE])))
least = eps_all[-1]  # mutant: the least two scales both have converged
claims.limit("first_order", first_order, (ends[least] - shortest) / least,
             error=least + derived_gain * MISFIT / (least * np.abs(first_order).max()), relative=True,
             control=(one_layer_ends[least] - shortest) / least,
             rival=Rival(np.sqrt(np.linalg.norm(shortest)) * outside(w_small) @ (a_small / np.linalg.norm(a_small)),
                         factor=5))
claims.rate("escape", 1 / rate, np.polyfit(-np.log(eps_all), list(half_times.values()), 1)[0],
            error=eps_all.max() / (rate * derived_range),
            control=np.polyfit(-np.log(eps_all), list(one_layer_half_times.values()), 1)[0],
            rival=Rival(1 / np.linalg.norm(shortest), factor=5))

# %% [markdown]
# ### The algebra
#
# The gradient of the objective; its Hessian times the neuron's metric $A^2I+ww^\top$, a multiple of $A$ (the warp of {doc}`time_warping`); the root of {eq}`balanced-limit`.

# %% tags=["hide-input"]
one, two, three = sp.symbols("w_1 w_2 w_3", positive=True)
vector = sp.Matrix([one, two, three])
length = sp.sqrt(vector.dot(vector))
objective = length ** sp.Rational(3, 2)
gradient = sp.Matrix([objective.diff(v) for v in vector])
assert sp.simplify(gradient - sp.Rational(3, 2) * vector / sp.sqrt(length)) == sp.zeros(3, 1)
# In warped time the flow is a mirror flow: the Hessian of the objective times the neuron's metric A²I + wwᵀ is (3/2)A.
metric = length * sp.eye(3) + vector * vector.T / length
assert sp.simplify(
    sp.hessian(objective, vector) * metric - sp.Rational(3, 2) * sp.sqrt(length) * sp.eye(3)
) == sp.zeros(3)
b, squared = sp.symbols("b s", positive=True)
root = (b + sp.sqrt(b**2 + 4 * squared)) / 2
assert sp.simplify(root**2 - (squared + b * root)) == 0

# %% [markdown]
# ## What would falsify it
#
# A balanced start whose limit is not the minimizer, or whose neurons change their proportions; a column of $P_\perp W$ that moves; a start of scale
# $\varepsilon$ whose limit lies beyond {eq}`small-bound` or off the first-order term by more than order $\varepsilon^2$. A limit of gradient *descent* at a finite learning rate
# falsifies nothing: it conserves neither the balance nor the formula, only {eq}`any-start`.
#
# ## Differences from the paper
#
# - The paper says *nonzero infinitesimal initialization*; here that is one factor $\varepsilon$ on both layers. That $\tilde w(0)$ vanishes is not enough: the control that
#   scales down the output layer alone does not reach $X^+y$.
# - The closed form {eq}`balanced-limit`, the limit {eq}`any-start` from any start, the bound {eq}`small-bound` and the expansion {eq}`first-order` are not in the paper.
# - The paper states no experiment for these results. The data are those of its Section 9, smaller by default and scaled; the widths are ours.
#
# ## Scope
#
# - Strict balance is rare: $w_i=a_i\hat u$ with one unit vector $\hat u$. Neurons that are parallel, with $a\propto\hat a$ and $W=w\hat a^\top$ but $\|a\|\ne\|w\|$, still
#   move as one, with $\delta=\|a\|^2-\|w\|^2$ ({doc}`single_neuron`); neurons that point apart do not.
# - There is one output. With several the network leaves zero direction by direction, and there are several plateaus.
# - {eq}`first-order` needs $c\ne0$. With $c=0$ nothing grows to first order in $\varepsilon$, and the derivation says nothing.
# - That a start near zero interpolates at all is assumed, as in the paper; the experiment asserts it of each run.
# - The norm is the Euclidean one for *every* small start, whatever its shape. A kernel method would find $X^+y$ too; the paper therefore does not call this
#   a {term}`rich regime`.
#
# ## Exercises
#
# ````{exercise} The length of the limit
# :label: exercise-many-length
#
# Show from {eq}`balanced-limit` that $\|\tilde w(\infty)\|\ge\|X^+y\|$ with equality only if $P_\perp\tilde w(0)=0$, and that for small $\|\tilde w(0)\|$
# the distance from $X^+y$ is $\sqrt{\|X^+y\|\,\|\tilde w(0)\|}\,\sin\phi$ to leading order, where $\phi$ is the angle between $\tilde w(0)$ and the span of the samples.
# Is this of first order in the scale $\varepsilon$ of the weights?
# ````
#
# ````{solution} exercise-many-length
# :class: dropdown
#
# The two terms of $\tilde w(\infty)$ are orthogonal, so $\|\tilde w(\infty)\|^2=\|X^+y\|^2+A_\infty^2b$. For $b\to0$, $A_\infty^2\to\|X^+y\|$, and
# $\|P_\perp w(0)\|=\|\tilde w(0)\|^{1/2}\sin\phi$. Yes: $\|\tilde w(0)\|=A(0)^2$ is of second order, its root of first. This is
# {eq}`first-order` with $W_0=\hat ua_0^\top$: then $c\propto a_0$.
# ````
#
# ````{exercise} A start that never leaves
# :label: exercise-many-saddle
#
# Take a balanced start with $\hat u=-\hat g$, $\hat g=X^\top y/\|X^\top y\|$, and $N=1$. Where does the flow go? Which premise of {prf:ref}`theorem-balanced` fails?
# ````
#
# ````{solution} exercise-many-saddle
# :class: dropdown
#
# $w$ stays on the line of $x_1$, with $w\cdot g<0$: $\dot A=-A\|g\|$ and $\|g\|\ge\|X^\top y\|$, as the prediction has the wrong sign. So $A\to0$: the network dies at the saddle,
# $\tilde w(\infty)=0$. It does not interpolate. $P_\perp w(0)=0$, so the lower bound $A\ge\sqrt b$ is void.
# ````
#
# ````{exercise} Which layer must be small?
# :label: exercise-many-layer
#
# Start with $W(0)=\varepsilon W_0$ and $a(0)=a_0$ of order one. What does {eq}`any-start` give as $\varepsilon\to0$? Compare with the control of
# this chapter, where $a$ is small and $W$ is not.
# ````
#
# ````{solution} exercise-many-layer
# :class: dropdown
#
# $\|\tilde w(\infty)-X^+y\|\le\varepsilon\|P_\perp W_0\|\|a(\infty)\|$ with $a(\infty)$ bounded: the limit is $X^+y$ again. For this conclusion the first layer alone has
# to be small. With $W_0$ of order one the sum in {eq}`any-start` stays of order one, however small $a(0)$ is.
# ````
#
# ## References
#
# Proposition 1 and Theorem 3 are {cite:t}`azulay2021`; the conserved matrix is {cite:t}`du2018`.
