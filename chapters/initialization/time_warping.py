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
# # Time warping: a flow that is a mirror flow by another clock
#
# The predictor $\tilde w=aw$ of one linear neuron moves in a {term}`metric` $H$ of its own, $\dot{\tilde w}=H^{-1}X^\top(y-X\tilde w)$. If $H$ were the Hessian of a function, this would be a
# {term}`mirror flow`, and its limit would minimize that function. It is no Hessian. But multiply the metric by a positive factor, and the flow follows the same curve to the same limit, only by another clock;
# with the factor $|a|$ the metric becomes a Hessian {cite}`azulay2021`:
#
# $$\begin{gathered}\tfrac32\,|a|\,H=\nabla^2Q,\qquad d\tau=|a|\,dt,\\\frac d{d\tau}\nabla Q(\tilde w)=\tfrac32\,X^\top(y-X\tilde w).\end{gathered}$$
#
# So the gradient $\nabla Q$ moves in the span of the samples, and the limit is the {term}`interpolator` with the least $Q$. The chapter adds that no factor but $|a|$ will do.
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# The neuron $\tilde w=aw$, $a\in\mathbb R$, $w\in\mathbb R^d$ with $d\ge2$, follows the {term}`gradient flow` of $\frac12\|r\|^2$, $r=y-X\tilde w$, where $X$ is $N\times d$:
#
# $$\dot w=a\,X^\top r,\qquad\dot a=w^\top X^\top r.$$
#
# It conserves $\delta=a^2-\|w\|^2$ ({doc}`balancedness`), here $\delta\ge0$ and $\tilde w(0)\ne0$; then $a$ keeps its sign. With $S=\sqrt{\|\tilde w\|^2+\delta^2/4}$ the predictor determines both
# layers up to that sign, $a^2=S+\frac\delta2$ and $\|w\|^2=S-\frac\delta2$, and so the metric $H$ in which it moves:
#
# ```{math}
# :label: neuron-metric
# \dot{\tilde w}=H^{-1}X^\top r,\quad H^{-1}=a^2I+ww^\top,\quad H=\frac1{a^2}\Bigl(I-\frac{\tilde w\tilde w^\top}{2a^2S}\Bigr).
# ```
#
# If $H$ were a Hessian, $H=\nabla^2Q$, then $\nabla Q(\tilde w(t))$ would gather $\int X^\top r\,dt$, which lies in the row space of $X$, and the limit would be stationary for $Q$
# among the interpolators: the argument of {doc}`diagonal_networks`. It is one exactly if
#
# ```{math}
# :label: hessian-map
# \frac{\partial H_{ij}}{\partial\tilde w_k}=\frac{\partial H_{ik}}{\partial\tilde w_j}\qquad\text{for all }i,j,k.
# ```

# %% tags=["hide-input"]
import numpy as np
import sympy
from matplotlib import pyplot as plt

from implicit_bias.activations import IDENTITY
from implicit_bias.data import RowSpace, Samples, sparse_regression
from implicit_bias.figures import style
from implicit_bias.flows import OdeStepper, drive, warped
from implicit_bias.limits.neuron import NeuronMetric, NeuronRegularizer, linear_neuron_limit
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, TwoLayer, neuron_start
from reproduce.claims import Altered, Claims, Control, Rival, refined, rounding, stepping
from reproduce.claims.glued import glue_all

claims = Claims("time_warping")

style.use_style()

# %% [markdown]
# ## Theory
#
# ````{prf:theorem} Azulay et al. 2021, Sections 5 and 6, Appendix B.1
# :label: theorem-warp
#
# Let $d\ge2$, $\delta\ge0$, and $\tilde w\ne0$ if $\delta=0$.
#
# 1. $H$ is no Hessian.
# 2. $|a|H$ is one: $\frac32|a|H=\nabla^2Q$ with
#
#    $$Q(\tilde w)=\frac{\bigl(\rho^2-\frac\delta2(\frac\delta2+S)\bigr)\sqrt{S-\frac\delta2}}{\rho}+z^\top\tilde w,\qquad\rho=\|\tilde w\|,$$
#
#    whatever the vector $z$; take the one with $\nabla Q(\tilde w(0))=0$.
# 3. By the clock $\tau=\int|a|\,dt$ the flow is the mirror flow of $Q$:
#
#    $$\frac{d}{d\tau}\nabla Q(\tilde w)=\tfrac32\,X^\top(y-X\tilde w).$$
# ````
#
# ````{prf:proposition} By how much $H$ fails, and that no other factor helps
# :label: proposition-warp
#
# Let $d\ge2$, $\delta\ge0$, and $\tilde w\ne0$ if $\delta=0$. With $[i=j]$ for $1$ if $i=j$ and $0$ otherwise, $H$ misses {eq}`hessian-map` by
#
# $$\frac{\partial H_{ij}}{\partial\tilde w_k}-\frac{\partial H_{ik}}{\partial\tilde w_j}=-c\,\bigl(\tilde w_k[i=j]-\tilde w_j[i=k]\bigr),\qquad c=\frac1{2Sa^4}.$$
#
# If on a connected open set $gH$ is a Hessian for a positive differentiable factor $g$, then $g$ is a multiple of $|a|$.
# ````
#
# The proof is of both.
#
# ````{prf:proof}
# :class: dropdown
#
# Write $H_{ij}=\varphi[i=j]-\psi\tilde w_i\tilde w_j$, where $\varphi=a^{-2}$ and $\psi=\frac1{2a^4S}$ depend on $\rho=\|\tilde w\|$ alone. The derivative of $\psi$ cancels in the
# difference, which is $\bigl(\frac{\varphi'}\rho+\psi\bigr)\bigl(\tilde w_k[i=j]-\tilde w_j[i=k]\bigr)$; with $\frac{d}{d\rho}a^2=\frac\rho S$ the bracket is
# $-\frac1{Sa^4}+\frac1{2Sa^4}=-c$.
# For a factor $g>0$, {eq}`hessian-map` for $gH$ reads
#
# $$\frac{\partial g}{\partial\tilde w_k}H_{ij}-\frac{\partial g}{\partial\tilde w_j}H_{ik}=g\,c\,\bigl(\tilde w_k[i=j]-\tilde w_j[i=k]\bigr).$$
#
# Multiply by $(H^{-1})_{ij}$ and sum over $i,j$: $(d-1)\nabla g=g\,c\,(d-1)a^2\,\tilde w$, so $\nabla\ln g=\frac{\tilde w}{2Sa^2}=\nabla\ln|a|$: no other factor can do. That $|a|$ does,
# and that $\frac32|a|H$ is the Hessian of $Q$, is an identity of rational functions (checked under the instruments).
# By the clock $\tau$, $\frac{d\tilde w}{d\tau}=\frac1{|a|}H^{-1}X^\top r$, and
#
# $$\frac d{d\tau}\nabla Q=\nabla^2Q\,\frac{d\tilde w}{d\tau}=\tfrac32|a|H\cdot\tfrac1{|a|}H^{-1}X^\top r=\tfrac32X^\top r.$$
# ````
#
# Part 3 is the paper's way to its Theorem 2: $\nabla Q(\tilde w)=\frac32X^\top\int r\,d\tau$ never leaves the row space of $X$, and where the flow interpolates this is the stationarity condition of
#
# $$\min_{X\tilde w=y}Q(\tilde w).$$
#
# The theorem is stated in {doc}`single_neuron` ({prf:ref}`theorem-neuron`), with a proof that needs no warp and the limit in closed form. What the warp adds is the path: at *every* time the neuron is
# where the mirror flow of $Q$ is. In this chapter
#
# | $\delta$ | $\lvert a\rvert$ at the start | $\lvert a\rvert$ at the end |
# |---|---|---|
# | {glue:text}`time_warping_delta` | {glue:text}`time_warping_a0` | {glue:text}`time_warping_a1` |
#
# so the clock $\tau$ runs that many times as fast as $t$.
#
# ## Experiment
#
# One neuron runs by three clocks $\tau=\int g\,dt$: $g=1$, $g=|a|$, and an arbitrary positive $g(\tilde w)=e^{2\sin4\tilde w_1}$; by a clock the flow is $\frac{d\theta}{d\tau}=\frac1g\dot\theta$, and
# the time $t$ is carried along. The prediction is computed without the neuron, from $Q$ alone in $N$ dimensions: $\frac{d\mu}{d\tau}=y-X\,\nabla Q^*\bigl(\frac32X^\top\mu\bigr)$, with its time $t=\int d\tau/|a|$. States on different
# clocks are compared where they have the same loss.

# %% tags=["parameters"]
n: int = 5  # number of samples N, at most d/2, in [1, 20]
d: int = 20  # dimension d, in [2, 60]
scale: float = 0.3  # scale α of the initialization, the product of |a| and ‖w‖, in [0.05, 2]
shape: float = 0.2  # shape s of the initialization, (|a| − ‖w‖)/(|a| + ‖w‖), in [0, 0.9]
deltas: list[float] = [0.0, 0.5, 5.0]  # values of δ at which the loop is walked, each in [0, 20]
radius: float = 0.5  # radius of the loop around (1, 1/2), in [0.1, 0.7]
# because both quadratures converge like (radius/1.1)^96, which at 0.9 is above rounding
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where 2 * n <= d

# %% tags=["hide-input"]
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
problem = sparse_regression(data_stream, n, d, nonzeros=1)
linear = TwoLayer(IDENTITY)
network = Risk(linear, problem,
               Squared("sum")).of_weights(*neuron_start(initialization_stream.standard_normal(d), scale, shape))
CLOCKS = {  # the factors g of a and w
    "1": lambda a, w: 1.0,  # mutant: any clock: the path does not depend on it
    "|a|": lambda a, w: abs(a),
    # mutant: any clock: the path does not depend on it
    "e^{2\\sin 4\\tilde w_1}": lambda a, w: np.exp(2 * np.sin(4 * a * w[0])),
}
LOSS_LEVELS = np.linspace(0.25, 39.75, 159)  # −ln of the loss over that at the start
LAST = 40.0
RTOL = 4e-14  # the relative tolerance of a step


def by_levels(motion, start, loss, rtol):
    """A motion recorded where the loss has fallen to the levels: its run."""
    at_start = loss(start)
    stepper = OdeStepper(motion, None, "DOP853", rtol, rtol / 400)  # mutant: the absolute tolerance of a solver

    def fallen(tau, state) -> float:
        return float(-np.log(loss(state) / at_start))  # mutant(-; /): the levels, of all flows alike

    return drive(stepper, start, t_end=LAST, clock=fallen, record=LOSS_LEVELS, max_steps=20_000).demand()


def by_clocks(net, rtol=RTOL):
    """The neuron by each clock: w, t and τ at the start and at the levels of the loss, in this order; and the steps."""
    found = []
    for g in CLOCKS.values():
        motion = warped(net.velocity, lambda theta, g=g: 1 / float(g(theta[-1], theta[:-1])))
        run = by_levels(lambda state, motion=motion: np.append(motion(state[:-1]), 1.0),
                        np.append(net.start, [0.0, 0.0]), lambda state: net.value(state[:-2]), rtol)
        found.append((net.predictor(run.theta[:, :-2]), run.theta[:, -2], run.theta[:, -1], run.steps))
    return found


def mirror_flow(regularizer, x, y, rtol=RTOL):
    """The mirror flow of Q: w, t and τ at the levels of the loss; and the steps."""
    metric = NeuronMetric(regularizer.delta)
    count = len(y)

    def predictor(state):
        return regularizer.from_gradient(1.5 * state[:count] @ x)

    def velocity(state):
        w = predictor(state)
        return np.concatenate([y - x @ w, [1 / metric.warp(w), 1.0]])

    # mutant: the absolute tolerance of a solver
    run = by_levels(velocity, np.zeros(count + 2), lambda state: np.sum((y - x @ predictor(state)) ** 2), rtol)
    return np.array([predictor(state) for state in run.theta]), run.theta[:, -2], run.theta[:, -1], run.steps


def other_metric(metric, start, x, y):
    """The flow dw/dt = DH⁻¹D Xᵀr with a diagonal D that is no multiple of I: w at the levels of the loss."""
    stretch = np.geomspace(0.5, 2, start.size)

    def velocity(w):
        return stretch * (metric.inverse(w) @ (stretch * ((y - x @ w) @ x)))

    return by_levels(velocity, start, lambda w: np.sum((y - x @ w) ** 2), RTOL).theta


x, y = problem.x, problem.y
start = network.predictor(network.start)
delta = max(0.0, float(network.balance(network.start)[0]))  # at s = 0 rounding may leave −1e-17
row_space = RowSpace(x)
if np.linalg.norm(row_space.outside(start)) < 0.1 * np.linalg.norm(start):
    raise ValueError(f"seed is {seed}; its start lies nearly in the row space of X, where the limit is X⁺y, change it")

# %%
regularizer = NeuronRegularizer(delta, start)
w_mirror, t_mirror, tau_mirror, mirror_steps = mirror_flow(regularizer, x, y)  # predict: from Q, without the neuron
runs = by_clocks(network)  # train the neuron by each clock
print("the predictor where the loss has fallen by e^-40, its first entries; and the clock then")
print(f"{'mirror flow of Q':24}", *(f"{entry:9.6f}" for entry in w_mirror[-1, :3]), f"  τ = {tau_mirror[-1]:.3f}")
for name, (w, _, tau, _) in zip(("1", "|a|", "exp(2 sin 4w₁)"), runs, strict=True):
    print(f"{'neuron, g = ' + name:24}", *(f"{entry:9.6f}" for entry in w[-1, :3]), f"  τ = {tau[-1]:.3f}")

# %% [markdown]
# All four have the same predictor; only the clock of $|a|$ shows the mirror flow's own time. The same in the plane, with one sample, to see it. The red path breaks the premise that the metric is multiplied by a *factor*: its metric is changed by a
# diagonal matrix $D$ with entries from $\frac12$ to $2$, its inverse is $DH^{-1}D$.

# %% mystnb={"figure": {"caption": "Left: a neuron in the plane by three clocks. The three curves lie on each other (drawn in decreasing width); marks are set at equal steps of each clock. They end where a contour of $Q$ (grey) touches the line of interpolators (dashed); with a metric multiplied by a matrix instead of a factor the path ends elsewhere (red). Middle: the clocks against time in the $d$-dimensional problem; dashed, the mirror flow of $Q$, computed without the neuron. Right: the loss by each clock.", "name": "figure-warp"}, "image": {"alt": "Three panels: coinciding trajectories in the plane with contours of Q and the line of interpolators; three clocks against time; the logarithm of the loss against each clock", "classes": "panels-3"}} tags=["hero", "hide-input"]
plane_x, plane_y = np.array([[0.6, 1.0]]), np.array([1.6])
plane = Risk(linear, Samples(plane_x, plane_y), Squared("sum")).of_weights(*neuron_start([-0.95, 0.3], 0.6, 0.05))
plane_delta = float(plane.balance(plane.start)[0])
plane_start = plane.predictor(plane.start)
left, middle, right = style.panels(3, (11.4, 4.0))
plane_q = NeuronRegularizer(plane_delta, plane_start)
plane_runs = by_clocks(plane)
mesh = np.meshgrid(np.linspace(-1.0, 1.4, 70), np.linspace(-0.3, 2.1, 70))
heights = np.array([plane_q.value(np.array(point)) for point in zip(*(part.ravel() for part in mesh), strict=True)])
touching = plane_q.value(plane_q.minimize(plane_x, plane_y).w)
lowest = plane_q.value(plane_start)
contours = lowest + (touching - lowest) * np.array([0.1, 0.4, 1.0, 1.8, 2.8])
left.contour(*mesh, heights.reshape(mesh[0].shape), levels=contours, colors=style.COLORS["grey"], linewidths=0.8,
             linestyles="solid")
ends = np.array([-1.0, 1.4])
style.theory(left, ends, (plane_y[0] - plane_x[0, 0] * ends) / plane_x[0, 1])
elsewhere = other_metric(NeuronMetric(plane_delta), plane_start, plane_x, plane_y)
left.plot(*elsewhere.T, color=style.COLORS["red"], linewidth=1.5)
left.plot(*elsewhere[-1], "s", color=style.COLORS["red"], markersize=6)
styles = (("blue", 7.0, "o"), ("sky", 4.0, "s"), ("orange", 1.5, "^"))
for (w, _, tau, _), name, (color, width, marker) in zip(plane_runs, CLOCKS, styles, strict=True):
    left.plot(*w.T, color=style.COLORS[color], linewidth=width, label=rf"$g={name}$", zorder=3)
    ticks = np.linspace(0, tau[np.searchsorted(LOSS_LEVELS, 7.0)], 7)
    marks = [np.interp(ticks, tau, w[:, axis]) for axis in range(2)]
    left.plot(*marks, marker, color=style.COLORS[color], markersize=7, markeredgecolor="black", markeredgewidth=0.6,
              zorder=4)
left.set(xlim=(-1.0, 1.4), ylim=(-0.3, 2.1), xlabel=r"$\tilde w_1$", ylabel=r"$\tilde w_2$", title="one curve",
         aspect="equal")
left.legend(fontsize=12, loc="lower right", handlelength=1, labelspacing=0.2)
shown = LOSS_LEVELS.size // 2
for (_, t, tau, _), name, (color, *_) in zip(runs, CLOCKS, styles, strict=True):
    middle.plot(t[:shown], tau[:shown], color=style.COLORS[color], linewidth=3, label=rf"$g={name}$")
    right.plot(tau[:shown], -np.concatenate([[0], LOSS_LEVELS])[:shown], color=style.COLORS[color], linewidth=3)
style.theory(middle, t_mirror[:shown], tau_mirror[:shown], r"mirror flow of $Q$")
style.theory(right, tau_mirror[:shown], -np.concatenate([[0], LOSS_LEVELS])[:shown])
middle.set(xlabel=r"$t$", ylabel=r"$\tau$", title="three clocks")
middle.legend(fontsize=12)
right.set(xlabel=r"$\tau$", ylabel=r"$\ln(\|r\|^2/\|r(0)\|^2)$", title="the loss by each clock")
plt.show()

# %% tags=["hide-input"]
w_other = other_metric(NeuronMetric(delta), start, x, y)
closed_form = linear_neuron_limit(x, y, float(network.a[0]), network.w[0])
glue_all("time_warping", ".3f", delta=delta, a0=abs(float(network.a[0])), a1=abs(closed_form.a))

# %% [markdown]
# ## Headline claims
#
# At equal loss the neuron, by any of the clocks, is where the mirror flow of $Q$ is. The {term}`control` changes the metric by a matrix, not by a factor: another curve.
#
# ```{claim} curve
# :headline: predictors along the curve, by every clock
# :source: Azulay et al. 2021, Section 5
# :evidence: trained and compared
# :because: the steps of 4e-14 each of both integrators, and their interpolants of order 7 where a step's is
#   8: the change when the relative tolerance is ten times as large, over 10^(7/8) − 1
# :control: the metric multiplied by a diagonal matrix, which is no change of time
#
# by every clock the neuron runs through the curve of the mirror flow of Q
# ```

# %% tags=["hide-input"]
derived_steps = mirror_steps + max(steps for *_, steps in runs)  # of both integrators
derived_mirror = refined(w_mirror, mirror_flow(regularizer, x, y, 10 * RTOL)[0], 10, 7 / 8)
derived_clocks = refined([w for w, *_ in runs], [w for w, *_ in by_clocks(network, 10 * RTOL)], 10, 7 / 8)
claims.identity("curve", np.array([w_mirror] * len(runs)), np.array([w for w, *_ in runs]),
                error=stepping(derived_steps, RTOL, np.abs(w_mirror).max()) + derived_mirror + derived_clocks,
                control=Control(w_other, theory=w_mirror, anew=True))

# %% [markdown]
# So the gradient $\nabla Q$ stays in the row space of $X$, and the limit minimizes $Q$; {doc}`single_neuron` gives it in closed form. The control is again the metric that was multiplied by a matrix, the {term}`rival` the least norm.
#
# ```{claim} row_space
# :headline: part of ∇Q outside the row space
# :source: Azulay et al. 2021, Section 5
# :evidence: trained and compared
# :because: Runge–Kutta steps and their interpolants keep w in its subspace up to rounding in each step, times
#   the largest curvature, 3/(2|a|); δ drifts with the steps: the change when the relative tolerance is ten
#   times as large, over 10^(7/8) − 1
# :control: the metric multiplied by a diagonal matrix, which is no change of time
#
# along the neuron's flow the gradient of Q stays in the row space of X
# ```
#
# ```{claim} limit
# :headline: predictor at the end, by every clock
# :source: Azulay et al. 2021, Theorem 2
# :evidence: trained and compared
# :because: the residual that is left, e⁻²⁰ of the first, over the least singular value of X
# :control: the metric multiplied by a diagonal matrix, which is no change of time
# :rival: the least norm X⁺y
#
# by every clock the limit is the minimizer of Q, which is also known in closed form
# ```

# %% tags=["hide-input"]


def outside_row_space(predictors):
    """The part of ∇Q outside the row space of X at each of the predictors."""
    return row_space.outside([regularizer.gradient(w) for w in predictors])


derived_coarse = outside_row_space(by_clocks(network, 10 * RTOL)[0][0])
derived_drift = refined(outside_row_space(runs[0][0]), derived_coarse, 10, 7 / 8)
derived_curvature = 1.5 / min(NeuronMetric(delta).warp(w) for w in w_mirror)
claims.identity("row_space", np.zeros((LOSS_LEVELS.size + 2, d)),
                # mutant(runs[0]): another clock, of which the same holds
                outside_row_space(runs[0][0]),
                error=rounding(runs[0][-1], np.abs(w_mirror).max(), derived_curvature) + derived_drift,
                control=outside_row_space(w_other))
limit = regularizer.minimize(x, y).w
derived_misfit = np.exp(-LAST / 2) * np.linalg.norm(y - x @ start)
claims.limit("limit", np.array([limit, limit, limit, closed_form.predictor]),
             # mutant(1): the last recorded states all have converged
             np.array([*(w[-1] for w, *_ in runs), runs[0][0][-1]]),
             error=derived_misfit * np.linalg.norm(np.linalg.pinv(x), 2),
             control=Control(w_other[-1], theory=limit, anew=True),
             rival=Rival(np.array([np.linalg.pinv(x) @ y] * 4), factor=1e4))

# %% [markdown]
# ## Instruments
#
# That $H$ is no Hessian, the formulas of the metric and of $Q$, the clocks, and the algebra of the proof.
#
# ### Around a loop
#
# Walk around a circle in the plane and add up $H\,d\tilde w$. For a Hessian the sum is a gradient and closes. The metric is measured on a neuron: the inverse of the map that takes a force
# to the velocity of $aw$, from the gradients of $a$ and $w$. Theory is Stokes' theorem, the integral of $c$ over the disc: {prf:ref}`proposition-warp` with
# another quadrature over other points. The circle keeps away from $0$, where $H$ is singular for $\delta=0$; around $0$ the integral vanishes by symmetry. Each of the two claims has the other's metric as control.

# %% tags=["hide-input"]
centre = np.array([1.0, 0.5])
angles = 2 * np.pi * np.arange(400) / 400
around = centre + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
steps = 2 * np.pi / 400 * radius * np.stack([-np.sin(angles), np.cos(angles)], axis=1)


def measured_metric(predictor, delta):
    """H of the neuron with this predictor and this δ, and its |a|: from the velocities that unit forces give."""
    a = NeuronMetric(delta).warp(predictor)
    start = (predictor / a)[None, :], np.array([a])
    assert np.isclose(linear.balance(*start)[0], delta, atol=1e-12)
    columns = []
    for force in np.eye(predictor.size):
        pulled = Risk(linear, Samples(np.eye(predictor.size), predictor + force), Squared("sum"))
        (by_w,), (by_a,) = pulled.gradient(*start)
        columns.append(-by_a * predictor / a - a * by_w)
    return np.linalg.inv(np.array(columns)), abs(a)


plain, warped_sums = [], []
for value in deltas:
    metrics = [measured_metric(point, value) for point in around]
    plain.append(np.array([metric @ step for (metric, _), step in zip(metrics, steps, strict=True)]))
    warped_sums.append(np.array([a * metric @ step for (metric, a), step in zip(metrics, steps, strict=True)]))
stokes = np.array([NeuronMetric(value).loop(centre, radius) for value in deltas])

# %% mystnb={"figure": {"caption": "Walking once around the circle. Left: the sum of $H\\,d\\tilde w$ does not come back to where it began (dot to cross). Middle: that of $|a|H\\,d\\tilde w$ does: it is $\\frac23\\nabla Q$. Right: by how much the first fails to close, against $\\delta$; dots are measured on a neuron, the dashed line is the integral of the curl over the disc.", "name": "figure-loop"}, "image": {"alt": "Three panels: open curves of the sum of H dw; closed curves of the sum of |a| H dw; the size of the loop integral against delta", "classes": "panels-3"}} tags=["hide-input"]
left, middle, right = style.panels(3, (11.4, 4.0))
names = ("blue", "orange", "green", "purple", "sky")
for i, value in enumerate(deltas):
    color = style.COLORS[names[i % len(names)]]
    for ax, terms in ((left, plain[i]), (middle, warped_sums[i])):
        walked = np.vstack([np.zeros(2), np.cumsum(terms, axis=0)])
        ax.plot(*walked.T, color=color, label=rf"$\delta={value:g}$")
        ax.plot(*walked[0], "o", color=color, markersize=7)
        ax.plot(*walked[-1], "x", color=style.COLORS["black"], markersize=9, markeredgewidth=2)
    right.plot(value, np.linalg.norm(plain[i].sum(axis=0)), "o", color=color, markersize=9)
left.set(title=r"sum of $H\,d\tilde w$", xlabel="first entry", ylabel="second entry", aspect="equal")
middle.set(title=r"sum of $|a|H\,d\tilde w$", xlabel="first entry", aspect="equal")
left.legend(fontsize=12, loc="best")
range_of_delta = np.linspace(0, max(*deltas, 1.0), 31)
size = [float(np.linalg.norm(NeuronMetric(value).loop(centre, radius))) for value in range_of_delta]
style.theory(right, range_of_delta, size, "curl over the disc")
right.set(xlabel=r"$\delta$", ylabel="size of the loop integral", title=r"by how much $H$ fails to close",
          ylim=(0, None))
right.legend()
plt.show()

# %% [markdown]
# ```{claim} loop
# :source: Azulay et al. 2021, Appendix B.1; size derived in this chapter
# :evidence: float with residual
# :because: rounding of 400 inverses, of condition number 2S/a² ≤ 2; both quadratures converge geometrically,
#   to (0.7/1.1)^96 at the largest radius
# :control: the metric times |a|
#
# the sum of H dw̃ around a circle is the integral of the curl over the disc: H is no Hessian
# ```
#
# ```{claim} warped_loop
# :source: Azulay et al. 2021, Appendix B.1
# :evidence: float with residual
# :because: rounding of 400 inverses, of condition number at most 2; the quadrature converges geometrically
# :control: the metric without the warp
#
# the sum of |a|H dw̃ around the circle is zero
# ```

# %% tags=["hide-input"]
claims.identity("loop", stokes, np.array([terms.sum(axis=0) for terms in plain]),
                error=rounding(angles.size, np.abs(plain).max(), condition=2),
                control=Altered(np.array([terms.sum(axis=0) for terms in warped_sums])))
claims.identity("warped_loop", np.zeros((len(deltas), 2)), np.array([terms.sum(axis=0) for terms in warped_sums]),
                error=rounding(angles.size, np.abs(warped_sums).max(), condition=2),
                control=Altered(np.array([terms.sum(axis=0) for terms in plain])))

# %% [markdown]
# ### The metric and the Hessian of $Q$
#
# The formulas at random points in $d$ dimensions, against the metric measured on neurons there: {eq}`neuron-metric` for $H$ and its inverse, and the Hessian of $Q$ in closed form.
#
# ```{claim} metric
# :source: Azulay et al. 2021, Appendix B
# :evidence: float with residual
# :because: rounding of sums of d terms, times the condition number of H, 2S/a² ≤ 2
# :control: the output weight held fixed, whose metric is I/a²
#
# the neuron's predictor moves in the metric H
# ```
#
# ```{claim} hessian
# :source: Azulay et al. 2021, Appendix B
# :evidence: float with residual
# :because: rounding of sums of d terms, times the condition number of H, 2S/a² ≤ 2
# :control: without the warp |a|
#
# the Hessian of Q is 3/2 |a| times the metric of the neuron
# ```

# %% tags=["hide-input"]
points = initialization_stream.standard_normal((len(deltas), d))
at_points = [measured_metric(point, value) for point, value in zip(points, deltas, strict=True)]
formulas = [NeuronMetric(value) for value in deltas]
claims.identity("metric", np.array([[m.value(p), m.inverse(p)] for m, p in zip(formulas, points, strict=True)]),
                np.array([[metric, np.linalg.inv(metric)] for metric, _ in at_points]), error=rounding(d, condition=2),
                control=Altered(np.array([[np.eye(d) / a**2, np.eye(d) * a**2] for _, a in at_points])), relative=True)
hessians = np.array([NeuronRegularizer(v, p).hessian(p) for p, v in zip(points, deltas, strict=True)])
claims.identity("hessian", hessians, np.array([1.5 * a * metric for metric, a in at_points]),
                error=rounding(d, condition=2), control=Altered(np.array([1.5 * metric for metric, _ in at_points])),
                relative=True)

# %% [markdown]
# ### The clocks
#
# By the clock of $|a|$ the neuron has each loss at the mirror flow's own $\tau$, and by every clock it has taken the same time $t$.
#
# ```{claim} clock
# :source: Azulay et al. 2021, Sections 5 and 6
# :evidence: trained and compared
# :because: the flow contracts: what a step of 4e-14 shifts ln of the loss by, at a residual of e⁻⁸ of the
#   first, times dτ per level; and as much in each step of τ itself
# :control: the neuron's time t in place of its clock
#
# by the clock of |a| the neuron is a mirror flow: it has each loss at the mirror flow's own time
# ```
#
# ```{claim} time
# :source: Azulay et al. 2021, Section 5, equations (13) and (14)
# :evidence: trained and compared
# :because: as for the clock
# :control: the clocks τ in place of the time
#
# the time that a warped flow carries along is that of the flow itself, and the integral of 1/|a| along the
# mirror flow
# ```

# %% tags=["hide-input"]
own = list(CLOCKS).index("|a|")
early = 1 + np.searchsorted(LOSS_LEVELS, 16.0)  # later the residual is too near the integrators' error to tell the time
derived_residual = np.exp(-LOSS_LEVELS[early - 2] / 2) * np.linalg.norm(y - x @ start)
derived_state = stepping(2, RTOL, np.linalg.norm(w_mirror, axis=1).max())  # the last step's, of both integrators
derived_level = 2 * np.linalg.norm(x, 2) * derived_state / derived_residual  # of −ln of the loss
derived_late, derived_later = (derived_level * np.diff(times[:early])[-1] / np.diff(LOSS_LEVELS)[-1] / times[early - 1]
                               for times in (tau_mirror, t_mirror))
claims.identity("clock", tau_mirror[:early], runs[own][2][:early], error=derived_late + stepping(derived_steps, RTOL),
                control=Altered(runs[own][1][:early]), relative=True)
claims.identity("time", np.array([t_mirror[:early]] * len(runs)), np.array([t[:early] for _, t, *_ in runs]),
                error=derived_later + stepping(derived_steps, RTOL),
                control=Altered(np.array([tau[:early] for *_, tau, _ in runs])), relative=True)

# %% [markdown]
# ### The algebra
#
# By computer algebra: first the form of the difference in {prf:ref}`proposition-warp`, for any $\varphi$ and $\psi$, written as functions of $h=\rho^2/2$ so that $\varphi'/\rho$ is $d\varphi/dh$. Then the
# functions themselves, in the letters $A=|a|$ and $V=\|w\|$, in which $\rho=AV$, $\delta=A^2-V^2$ and all is rational.

# %% tags=["hide-input"]
h = sympy.symbols("h")
coordinates = sympy.symbols("w1:4")
half_square = sum(entry**2 for entry in coordinates) / 2
phi_of, psi_of = sympy.Function("phi"), sympy.Function("psi")


def entry(i, j):
    """H_ij = φ[i=j] − ψ w_i w_j in three dimensions, w the predictor."""
    return phi_of(half_square) * int(i == j) - psi_of(half_square) * coordinates[i] * coordinates[j]


for i, j, k in np.ndindex(3, 3, 3):
    difference = sympy.diff(entry(i, j), coordinates[k]) - sympy.diff(entry(i, k), coordinates[j])
    slope = sympy.diff(phi_of(h), h).subs(h, half_square).doit() + psi_of(half_square)
    expected = slope * (coordinates[k] * int(i == j) - coordinates[j] * int(i == k))
    assert sympy.expand((difference - expected).doit()) == 0

A, V = sympy.symbols("A V", positive=True)
S, rho, delta_ = (A**2 + V**2) / 2, A * V, A**2 - V**2
phi, psi = 1 / A**2, 1 / (2 * A**4 * S)


def by_rho(f):
    """df/dρ at fixed δ."""
    return (sympy.diff(f, A) * V + sympy.diff(f, V) * A) / (A**2 + V**2)


assert sympy.simplify(by_rho(rho)) == 1
assert sympy.simplify(by_rho(delta_)) == 0
assert sympy.simplify(by_rho(phi) / rho + psi + 1 / (2 * S * A**4)) == 0  # H misses the condition by c
assert sympy.simplify(by_rho(A * phi) / rho + A * psi) == 0  # |a|H fulfils it
q = (rho**2 - delta_ / 2 * (delta_ / 2 + S)) * V / rho
slope = sympy.simplify(by_rho(q))
assert sympy.simplify(slope / rho - sympy.Rational(3, 2) * A * phi) == 0  # ∇²Q across w̃
assert sympy.simplify(by_rho(slope) - sympy.Rational(3, 2) * A * (phi - psi * rho**2)) == 0  # and along it

# %% [markdown]
# ## What would falsify it
#
# A loop integral of $|a|H$ that is not zero, or one of $H$ that is not the integral of $c$; a neuron that leaves the curve of the mirror flow of $Q$, by whatever clock; a mirror flow
# that, read by its own time, is not the neuron read by $\int|a|\,dt$. The factors in $H$, in $c$ and in $\nabla^2Q=\frac32|a|H$ are changed one by one in the
# test-suite, and a claim fails.
#
# ## Differences from the paper
#
# - The paper states identities and runs no experiment on them; the neurons and data here are ours, of the size of the authors' small check or less.
# - The constant $c$, the loop integral and the uniqueness of the factor are derived here.
# - The paper proves its Theorem 2 by the warp; {doc}`single_neuron` proves it without, and has it in closed form.
#
# ## Scope
#
# - One neuron, squared loss, $\delta\ge0$. For $\delta<0$ the sign of $a$ can change; at that moment $|a|=0$ and the clock stands still:
#   {doc}`single_neuron` has what is then left of the theorem.
# - Several neurons need a factor each, $|a_i|$, and no common clock serves them all. Where the layers are balanced, one clock serves all neurons (Proposition 1 of
#   the paper): {doc}`many_neurons`.
# - That a warp exists is luck, not a rule. A positive factor has one value at each point, {eq}`hessian-map` has $d\cdot\frac{d(d-1)}2$ equations; the proof shows that here
#   they agree on $\nabla\ln g$. For a general metric they do not.
# - A clock changes neither curve nor limit of the *flow*. Gradient descent with a step size that depends on the state is another method, and its limit may move.
#
# ## Exercises
#
# ````{exercise} Why a circle around the origin shows nothing
# :label: exercise-warp-centre
#
# Show that $\oint H\,d\tilde w=0$ around every circle with centre $0$, although $H$ is no Hessian.
# ````
#
# ````{solution} exercise-warp-centre
# :class: dropdown
#
# On the circle $\tilde w\cdot d\tilde w=0$, so $H\,d\tilde w=a^{-2}d\tilde w$ with constant $a$, and $\oint d\tilde w=0$. By Stokes, for $\delta>0$: $c$ is even and $\tilde w$ is odd.
# ````
#
# ````{exercise} Large $\delta$
# :label: exercise-warp-delta
#
# How does the loop integral fall as $\delta\to\infty$, and what does that say of the regime?
# ````
#
# ````{solution} exercise-warp-delta
# :class: dropdown
#
# $S\sim\frac\delta2$ and $a^2\sim\delta$, so $c\sim\delta^{-3}$. The metric becomes constant, $H\sim\delta^{-1}I$: the first layer learns alone, as in the tangent-kernel regime, and a constant
# metric is the Hessian of a quadratic function.
# ````
#
# ````{exercise} One dimension
# :label: exercise-warp-line
#
# For $d=1$ every positive $H$ is a Hessian. Which $Q$ belongs to the neuron by its own time $t$, with $\delta=0$, and how does it differ from that of the warped clock?
# ````
#
# ````{solution} exercise-warp-line
# :class: dropdown
#
# $H=\frac1{2a^2}=\frac1{2|\tilde w|}$, so $Q''=\frac1{2|\tilde w|}$ and, for $\tilde w>0$, $Q=\frac12\tilde w(\ln\frac{\tilde w}{\tilde w(0)}-1)$ up to a constant, an entropy. By the warped clock
# $Q''=\frac32|a|H=\frac34\tilde w^{-1/2}$, $Q=\tilde w^{3/2}-\frac32\sqrt{\tilde w(0)}\,\tilde w$. For $d=1$ both have the same minimizer among the interpolators, as there is at most one.
# ````
#
# ## References
#
# {cite:t}`azulay2021` introduce the warp; {cite:t}`gunasekar2018` derive limits of mirror descent from its potential; {cite:t}`du2018` prove that $\delta$ is conserved.
