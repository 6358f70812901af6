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
# # A linear neuron is no mirror flow, but by another clock it is one
#
# ```{question}
# ```
#
# A linear neuron predicts with $\tilde w=aw$, an output weight $a$ times input weights $w$. A matrix $H(\tilde w)$ turns the velocity of $\tilde w$ into the force of the samples. If $H$ were the Hessian of a function $Q$, $\nabla Q$ would add up the forces (a {term}`mirror flow`), and training would minimize $Q$ among all fits. Around a closed loop the steps $H\,d\tilde w$ would then add up to zero, because $\nabla Q$ returns to its value. Around the circle of {numref}`figure-loop` they add up to a vector of length {glue:text}`time_warping_open`. So $H$ is no Hessian. Multiplied by $|a|$ they add up to less than {glue:text}`time_warping_closed`. This factor changes how fast $\tilde w$ moves and not where, so the neuron does minimize a $Q$. Why $|a|$? As $\dot w$ is $a$ times the force, $w$ adds up the forces by the clock $d\tau=|a|\,dt$, up to sign.
#
# ```{hero}
# ```
#
# ## The statement
#
# Let the rows of $X$ be $N$ samples of dimension $d\ge2$ and $y$ their labels. {term}`Gradient flow <gradient flow>` of $\frac12\|r\|^2$ with the residual $r=y-X\tilde w$ moves both layers,
#
# $$\dot w=a\,X^\top r,\qquad\dot a=w\cdot X^\top r .$$
#
# It keeps the imbalance $\delta=a^2-\|w\|^2$ ({doc}`balancedness`). We take $\delta\ge0$ and $\tilde w(0)\ne0$. Then $a$ keeps its sign, and $\tilde w$ determines both layers up to that sign. So the velocity of $\tilde w$ is a matrix, which depends on $\tilde w$, times the force $X^\top r$. The inverse of this matrix is the {term}`metric` $H$,
#
# ```{math}
# :label: neuron-metric
# \begin{gathered}\dot{\tilde w}=H^{-1}X^\top r,\\H^{-1}=a^2I+ww^\top .\end{gathered}
# ```
#
# $H$ is not the Hessian of any function. But $|a|H$ is one {cite}`azulay2021`. There is a convex function $Q$ with $\frac32|a|H=\nabla^2Q$. By the clock $\tau$ with $d\tau=|a|\,dt$ the flow is a {term}`mirror flow`, and if training fits $y$, then it ends at the minimizer of $Q$,
#
# $$\begin{gathered}\frac d{d\tau}\nabla Q(\tilde w)=\tfrac32\,X^\top r,\\[2pt]\tilde w(\infty)=\operatorname*{arg\,min}_{X\tilde w=y}Q(\tilde w).\end{gathered}$$
#
# The paper calls this change of clock *time warping*. (Elsewhere in the book $\tau$ is the size of an initialization. Here it is a time.) We prove that no factor but multiples of $|a|$ will do. Every metric that is invariant under rotations and reflections has such a factor ({prf:ref}`proposition-warp`). The metric of a chain of $L$ layers, $\tilde w=a_1\cdots a_{L-1}w$, with imbalances $\delta_i=a_i^2-\|w\|^2\ge0$ is one of them. The factor of this metric is $|a_1\cdots a_{L-1}|$, and the chain ends at a point in closed form. Let $P_\perp$ be the projection on what no sample sees. If $X$ has rank $N$ and $P_\perp w(0)\ne0$, then
#
# ```{math}
# :label: chain-limit
# \begin{gathered}\tilde w(\infty)=X^+y\\\pm\sqrt{\textstyle\prod_i(v+\delta_i)}\;P_\perp w(0),\\[4pt]
# \bigl(v-\|P_\perp w(0)\|^2\bigr)\textstyle\prod_i(v+\delta_i)\\=\|X^+y\|^2,\end{gathered}
# ```
#
# where $X^+y$ is the fit of least norm, $v\ge\|P_\perp w(0)\|^2$ is the one root of the last equation, the final $\|w\|^2$, and the sign is that of $a_1\cdots a_{L-1}$ at the start.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [length of the sum](loop) of $H\,d\tilde w$ around the circle, $\delta=$ {glue:text}`time_warping_delta` | {glue:text}`time_warping_loop_p` | {glue:text}`time_warping_loop_m` | of $\lvert a\rvert H\,d\tilde w$: below {glue:text}`time_warping_closed` | |
# | [entry of $\tilde w$](curve) at the one feature that matters (the labels have noise), at $\tau=0.1$, {glue:text}`time_warping_n` samples in dimension {glue:text}`time_warping_d` | {glue:text}`time_warping_curve_p` | {glue:text}`time_warping_curve_m` | at the neuron's own time $t=0.1$: {glue:text}`time_warping_curve_t` | |
# | [coefficient of $P_\perp w(0)$](depth) in the limit, {glue:text}`time_warping_most` layers, drawn $\delta_i\ge0$ and signs | {glue:text}`time_warping_depth_p` | {glue:text}`time_warping_depth_m` | the formula of two layers with $\delta_1$ alone and the sign of the product: {glue:text}`time_warping_depth_two` | $\delta_1<-\lVert P_\perp w(0)\rVert^2$, and $a_1$ changes its sign: {glue:text}`time_warping_sign_p` predicted, {glue:text}`time_warping_sign_m` measured |
# ```
#
# **What to remember?** The first layer of a linear chain adds up the forces, each multiplied by the product of the later weights. Divide that product out by a change of time, and the first layer becomes the gradient of a function. This works because the sizes of all layers depend on the length of $\tilde w$ alone.
#
# ## The smallest case
#
# Take $\delta=0$, where both layers have the same size, $\|w\|^2=a^2=\|\tilde w\|$. Along $\tilde w$ the matrix $H^{-1}$ stretches by $a^2+\|w\|^2=2\|\tilde w\|$ and across by $a^2=\|\tilde w\|$. So $H$ is $\frac1{2\rho}$ along and $\frac1\rho$ across, with $\rho=\|\tilde w\|$.
#
# Go around a piece of a ring, from $\rho=1$ out to $\rho=2$ in the direction of a unit vector $u_0$, along an arc to the direction $u_1$, back in to $\rho=1$, and along an arc to the start. The two rays contribute $\int_1^2\frac{d\rho}{2\rho}\,(u_0-u_1)=\frac{\ln2}2(u_0-u_1)$. An arc of radius $\rho$ contributes $\frac1\rho$ times its step, which is $u_1-u_0$ at *every* radius. So the two arcs cancel, the rays do not, and the loop stays open. Now multiply by $|a|=\sqrt\rho$. The rays give $\int_1^2\frac{d\rho}{2\sqrt\rho}\,(u_0-u_1)=(\sqrt2-1)(u_0-u_1)$. The arcs give $\sqrt\rho\,(u_1-u_0)$, at the radius $2$ minus at the radius $1$, which is $(\sqrt2-1)(u_1-u_0)$. The loop closes.
#
# The same for any metric that is $\alpha(\rho)$ along $\tilde w$ and $\beta(\rho)$ across. If it is a Hessian, the gradient has the length $\rho\beta$ and points along $\tilde w$, so $\alpha$ must be $(\rho\beta)'$. For $H$ the length $\rho\beta=1$ does not grow, although $\alpha>0$. For $|a|H$ it is $\sqrt\rho$, whose derivative is $\alpha=\frac1{2\sqrt\rho}$. This gradient of length $\sqrt\rho$ along $\tilde w$ is $w$ itself, up to the sign of $a$.
#
# ## Experiment
#
# First the loop. We build the metric from what training does. For each unit force we ask gradient flow for the velocity of $\tilde w$, and invert the matrix of these velocities. The circle has the centre $(1,\frac12)$ and the radius {glue:text}`time_warping_radius`, so it does not enclose the origin.

# %% tags=["hide-input"]
import numpy as np
from matplotlib import pyplot as plt
from scipy.optimize import brentq

from implicit_bias.data import sparse_regression
from implicit_bias.figures import style
from implicit_bias.flows import gradient_flow, warped
from implicit_bias.limits.neuron import NeuronMetric, NeuronRegularizer
from reproduce.claims import Altered, Claims, Control, Rival, refined, rounding, stepping
from reproduce.claims.glued import glue_all

claims = Claims("time_warping")

style.use_style()

# %% tags=["parameters"]
n: int = 5  # number of samples N, at most d/2, in [1, 20]
d: int = 20  # dimension d, in [2, 60]
length: float = 0.4  # ‖w(0)‖, in [0.1, 1.5]
deltas: list[float] = [0.0, 0.5, 5.0]  # imbalances δ at which the loop is walked, each in [0, 20]
radius: float = 0.5  # radius of the loop around (1, 1/2), in [0.1, 0.7]
# because both quadratures converge like (radius/1.1)^96, which at 0.9 is above rounding
layers: list[int] = [2, 3, 4, 6]  # numbers L of layers of the trained chains, each in [2, 12]
# because longer chains were not tried
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where 2 * n <= d


# %%
def velocities(a, w, force):
    """Gradient flow of the chain a₁⋯a_{L−1} w under a force on its predictor."""
    others = np.array([np.prod(np.delete(a, i)) for i in range(len(a))])
    return others * (w @ force), np.prod(a) * force


def metric(a, w):
    """H, which turns the velocity of the predictor into the force."""
    columns = []
    for force in np.eye(len(w)):
        by_a, by_w = velocities(a, w, force)
        faster = sum(np.prod(np.delete(a, i)) * by_a[i] for i in range(len(a)))
        columns.append(faster * w + np.prod(a) * by_w)
    return np.linalg.inv(columns)


def layers_at(predictor, imbalances):
    """The a_i > 0 and the w whose product is this predictor."""
    square = predictor @ predictor
    v = brentq(lambda v: v * np.prod(v + imbalances) - square, 0, 1 + square, xtol=1e-15)
    a = np.sqrt(v + imbalances)
    return a, predictor / np.prod(a)


angles = 2 * np.pi * np.arange(400) / 400
centre = np.array([1.0, 0.5])
circle = centre + radius * np.column_stack([np.cos(angles), np.sin(angles)])
steps = 2 * np.pi / 400 * (circle - centre) @ [[0, 1], [-1, 0]]
plain, by_clock = [], []
for imbalances in [*([delta] for delta in deltas), [0.0, 0.5, 1.0]]:
    stops = [layers_at(point, np.array(imbalances)) for point in circle]
    terms = np.array([metric(*stop) @ step for stop, step in zip(stops, steps, strict=True)])
    plain.append(terms)
    by_clock.append(terms * [[np.prod(a)] for a, _ in stops])
    sums = [np.linalg.norm(walk[-1].sum(axis=0)) for walk in (plain, by_clock)]
    print(f"L = {len(imbalances) + 1}, δ = {imbalances}:  H {sums[0]:.6f},  |a₁⋯|H {sums[1]:.12f}")

# %% [markdown]
# The larger $\delta$ is, the smaller is the gap. For $\delta\to\infty$ only $w$ learns, and $\delta H$ becomes the identity. The last line is a chain of four layers.

# %% tags=["hide-input"]
stokes = np.array([NeuronMetric(delta).loop(centre, radius) for delta in deltas])  # the theory of the gap

# %% [markdown]
# Next we train. Chains of {glue:text}`time_warping_all` layers start with drawn imbalances $\delta_i$ between 0 and 1 and with random signs of the $a_i$. The prediction needs one root of one equation.

# %%
def predict(x, y, a, w):
    """The limit of gradient flow from the layers a₁ … a_{L−1} and w."""
    fit, unseen = np.linalg.pinv(x) @ y, w - np.linalg.pinv(x) @ (x @ w)
    imbalances, size = a**2 - w @ w, np.linalg.norm(fit)
    least = max(unseen @ unseen, -imbalances.min())
    v = brentq(lambda v: (v - unseen @ unseen) * np.prod(v + imbalances) - size**2,
               least, least + size ** (2 / (len(a) + 1)), xtol=1e-15)
    return fit + np.prod(np.sign(a)) * np.sqrt(np.prod(v + imbalances)) * unseen


# %% tags=["hide-input"]
def train(x, y, a, w, rtol=1e-12):
    """Gradient flow of all layers to a misfit of 1e-11 ‖y‖."""
    def split(state):
        return state[: len(a)], state[len(a) :]

    def residual(state):
        chain, first = split(state)
        return y - x @ (np.prod(chain) * first)

    def velocity(state):
        chain, first = split(state)
        return np.concatenate(velocities(chain, first, residual(state) @ x))

    return gradient_flow(velocity, np.concatenate([a, w]), t_end=1e6, method="DOP853", rtol=rtol, atol=rtol / 100,
                         residual=lambda state: float(np.linalg.norm(residual(state))),
                         target=1e-11 * float(np.linalg.norm(y)))


def coefficient(predictor):
    """Of P⊥ w(0) in a limit."""
    return (predictor - least_norm) @ unseen / (unseen @ unseen)


# %% tags=["hide-input"]
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
problem = sparse_regression(data_stream, n, d, nonzeros=1)
x, y = problem.x, problem.y
direction = initialization_stream.standard_normal(d)
w0 = length * direction / np.linalg.norm(direction)
drawn = [initialization_stream.uniform(0, 1, L - 1) for L in layers]
starts = [np.sqrt(w0 @ w0 + some) * initialization_stream.choice([-1.0, 1.0], some.size) for some in drawn]
unseen = w0 - np.linalg.pinv(x) @ (x @ w0)
least_norm = np.linalg.pinv(x) @ y

# %%
predicted = np.array([predict(x, y, a, w0) for a in starts])
runs = [train(x, y, a, w0) for a in starts]
learned = np.array([np.prod(run.final[:-d]) * run.final[-d:] for run in runs])
for L, *pair in zip(layers, map(coefficient, predicted), map(coefficient, learned), strict=True):
    print(f"{L} layers: {pair[0]:9.6f} predicted, {pair[1]:9.6f} trained")

# %% [markdown]
# Last we follow the mirror flow of $Q$, and beside it a neuron of two layers that we read twice, by its clock $\tau$ and at its own time $t$ ({numref}`figure-loop`(c)).

# %% tags=["hide-input"]
def mirror_and_neuron(x, y, a, w, until, rtol=1e-12, clock=True):
    """The mirror flow of Q and the neuron at the times τ of its clock, or of its own: predictors; and the steps."""
    q = NeuronRegularizer(max(a[0] ** 2 - w @ w, 0.0), a[0] * w)
    options = {"t_end": float(until[-1]), "record": until, "method": "DOP853", "rtol": rtol, "atol": rtol / 100}
    mirror = gradient_flow(lambda mu: y - x @ q.from_gradient(1.5 * mu @ x), np.zeros(len(y)), **options)

    def motion(state):
        return np.concatenate(velocities(state[:1], state[1:], (y - x @ (state[0] * state[1:])) @ x))

    by_tau = warped(motion, lambda state: 1 / (abs(state[0]) if clock else 1.0))
    neuron = gradient_flow(by_tau, np.concatenate([a, w, [0.0]]), **options)
    return (np.array([q.from_gradient(1.5 * mu @ x) for mu in mirror.theta]),
            neuron.theta[:, :1] * neuron.theta[:, 1:-1], mirror.steps + neuron.steps)


moments = np.linspace(0, 0.4, 21)[1:]  # of the clock
w_mirror, w_neuron, count = mirror_and_neuron(x, y, starts[0][:1], w0, moments)
w_time = mirror_and_neuron(x, y, starts[0][:1], w0, moments, clock=False)[1]
coarse = mirror_and_neuron(x, y, starts[0][:1], w0, moments, rtol=1e-11)
read, entry = 5, int(np.argmax(np.abs(problem.w_star)))

# %% mystnb={"figure": {"caption": "No mirror flow, but by another clock it is one. (a) We walk once around the circle of the inset, where + is $\\tilde w=0$, and add up metric times step, from the dot to the cross. The sum does not return, so $H$ is no Hessian. The ring is where it ends by theory. (b) Times $|a|$ it returns. The sum is the change of the neuron's first layer (black dashed), which is a gradient. (c) The mirror flow of $Q$ (black dashed) and a neuron that is trained. At equal values of $\\tau$ the neuron (orange) is where the mirror flow is. Plotted against its own time $t$ (grey) the same run lags, because $|a|<1$ at first.", "name": "figure-loop"}, "image": {"alt": "Three panels. Left: a curve in the plane that starts at a dot and ends at a cross away from it; a red arrow marks the gap. Middle: a curve that returns to the dot at which it started, with a dashed black curve on it. Right: an entry against time, orange dots on a black dashed curve, a grey curve below it.", "classes": "panels-3"}} tags=["hero", "hide-input"]
left, right, late = style.panels(3, (11.4, 4.2))
blue, orange, green, red, grey = (style.COLORS[name] for name in ("blue", "orange", "green", "red", "grey"))
for ax, terms, color in ((left, plain[0], blue), (right, by_clock[0], orange)):
    walk = np.vstack([np.zeros(2), np.cumsum(terms, axis=0)])
    ax.plot(*walk.T, color=color, linewidth=3)
    ax.plot(*walk[0], "o", color=color, markersize=11)
    ax.plot(*walk[-1], "x", color="black", markersize=11, markeredgewidth=2.2, zorder=6)
    ax.set(xlabel="first entry of the sum", ylabel="second entry", aspect="equal", xlim=(-0.75, 0.6), ylim=(-0.75, 0.6),
           xticks=[-0.5, 0, 0.5], yticks=[-0.5, 0, 0.5])
left.plot(*stokes[0], "o", color="black", markersize=17, markerfacecolor="none", markeredgewidth=1.2)
left.annotate("", stokes[0], (0, 0), arrowprops={"arrowstyle": "<->", "color": red, "linewidth": 1.8, "shrinkA": 6,
                                                 "shrinkB": 9})
left.text(*(stokes[0] / 2), f"  misses\n  by {np.linalg.norm(plain[0].sum(axis=0)):.2f}", color=red, va="center")
first_layer = [np.array(layers_at(point, np.array(deltas[:1]))[1]) for point in np.vstack([circle, circle[:1]])]
style.theory(right, *(np.array(first_layer) - first_layer[0]).T)
right.text(-0.29, 0.1, "change of\nfirst layer", va="center", ha="center")
left.set_title(r"(a) sum of $H\,d\tilde w$: open")
right.set(title=r"(b) times $|a|$: closed", ylabel="")
inset = left.inset_axes([0.66, 0.62, 0.34, 0.32])
inset.plot(*np.vstack([circle, circle[:1]]).T, color=grey)
inset.plot(*circle[0], "o", color=grey, markersize=6)
inset.plot(0, 0, "+", color="black")
inset.set(xlim=(-0.2, 1.8), ylim=(-0.4, 1.4), aspect="equal", xticks=[], yticks=[])
inset.set_title(r"walk of $\tilde w$", pad=2)
shown = np.append(0, moments)
late.plot(shown, w_time[:, entry], color=grey, linewidth=3)
late.plot(shown, w_neuron[:, entry], "o", color=orange)
style.theory(late, shown, w_mirror[:, entry])
late.annotate("neuron by its clock $\\tau$", (shown[11], w_neuron[11, entry]), xytext=(0, 14), textcoords="offset points",
              color="#a87400", ha="center")
late.annotate("at its own time $t$", (shown[5], w_time[5, entry]), xytext=(12, -12), textcoords="offset points",
              color="#555555")
late.margins(y=0.12)
late.set(xlabel=r"time: $\tau$ or $t$", ylabel=rf"entry $\tilde w_{{{entry + 1}}}$", yticks=[0.1, 0.2, 0.3, 0.4],
         title="(c) a mirror flow by its clock")
plt.show()

# %% [markdown]
# ### What breaks
#
# *A sign.* Let $a_1$ be {glue:text}`time_warping_tiny` times as large as the part of $w(0)$ along the force $X^\top y$, and let its sign be wrong for the labels. Then $\delta_1<-\|P_\perp w(0)\|^2$, and nothing holds $a_1$ away from zero. Here $a_1$ does change its sign, the product passes through zero, and the clock stands still there. The part of the limit outside the row space keeps the size of {eq}`chain-limit` and takes the other sign. In the chain of {glue:text}`time_warping_most` layers the coefficient of $P_\perp w(0)$ is {glue:text}`time_warping_sign_m`, and {glue:text}`time_warping_sign_p` is predicted.
#
# *A matrix in place of a factor.* It changes the end, as one example in the plane shows. In {numref}`figure-warp`(a) the neuron ends where a contour of $Q$ touches the line of all fits. If we replace $H^{-1}$ by $DH^{-1}D$ with $D=\operatorname{diag}(\frac12,2)$, the path ends elsewhere.

# %% tags=["hide-input"]
TINY = 0.01
pulled = w0 @ (y @ x) / np.linalg.norm(y @ x)  # the part of w along the force; a smaller a₁ turns before it does
turning = [np.append(-TINY * pulled * np.sign(np.prod(a[1:])), a[1:]) for a in starts]
wrong = np.array([predict(x, y, a, w0) for a in turning])
turned = np.array([(state := train(x, y, a, w0).final)[-d:] * np.prod(state[:-d]) for a in turning])


# %% mystnb={"figure": {"caption": "Where the paths end. One sample in the plane, all paths from one predictor (dot), the line of all fits dashed. (a) The neuron (orange) and the mirror flow of $Q$ by the neuron's clock, dashed on it. They end where a contour of $Q$ (grey) touches the line. With the metric changed by the matrix $D=\\mathrm{diag}(\\frac12,2)$ the path ends elsewhere (red). (b) Chains of more layers from the same predictor, all imbalances zero. The crosses are predicted.", "name": "figure-warp"}, "image": {"alt": "Two panels in the plane. Left: a curve from a dot to a dashed line, where a grey contour touches it, and a red curve that ends elsewhere on the line. Right: four curves from the same dot to four places on the line, each marked by a cross.", "classes": "panels-2"}} tags=["hide-input"]
plane_x, plane_y = np.array([[0.6, 1.0]]), np.array([1.6])
plane_start = np.array([-0.57, 0.18])
root = np.sqrt(np.linalg.norm(plane_start))
q, flat = NeuronRegularizer(0.0, plane_start), NeuronMetric(0.0)
left, right = style.panels(2, (9.6, 4.6))
moments = np.linspace(0, 12, 200)[1:]
mirror, neuron, _ = mirror_and_neuron(plane_x, plane_y, np.array([root]), plane_start / root, moments)
stretch = np.diag([0.5, 2.0])
elsewhere = gradient_flow(lambda w: stretch @ flat.inverse(w) @ stretch @ plane_x[0] * (plane_y[0] - plane_x[0] @ w),
                          plane_start, t_end=20.0, method="DOP853", record=np.linspace(0, 20, 400)[1:-1]).theta
mesh = np.meshgrid(np.linspace(-1.1, 1.5, 70), np.linspace(-0.3, 2.3, 70))
heights = np.array([q.value(np.array(point)) for point in zip(*(part.ravel() for part in mesh), strict=True)])
ends = [-1.0, 1.5], [2.2, 0.7]
touching, lowest = q.value(q.minimize(plane_x, plane_y).w), q.value(plane_start)
left.contour(*mesh, heights.reshape(mesh[0].shape), levels=lowest + (touching - lowest) * np.array([0.1, 0.4, 1, 1.8]),
             colors=grey, linewidths=0.9, linestyles="solid")
left.plot(*neuron.T, color=orange, linewidth=4)
style.theory(left, *mirror.T)
left.plot(*elsewhere.T, color=red)
left.plot(*elsewhere[-1], "s", color=red, markersize=7)
left.annotate("changed by a matrix", elsewhere[-1], xytext=(10, 4), textcoords="offset points", color=red)
left.annotate("neuron", neuron[12], xytext=(12, -4), textcoords="offset points", color="#a87400")
for L, color, up in zip((2, 3, 4, 6), (orange, green, blue, style.COLORS["purple"]), (0, 2, 12, 12), strict=True):
    each = np.linalg.norm(plane_start) ** (1 / L)
    a, w = np.full(L - 1, each), plane_start / each ** (L - 1)
    state = gradient_flow(lambda s, L=L: np.concatenate(velocities(
        s[: L - 1], s[L - 1 :], plane_x[0] * (plane_y[0] - np.prod(s[: L - 1]) * (plane_x[0] @ s[L - 1 :])))),
        np.concatenate([a, w]), t_end=40.0, method="DOP853", record=np.linspace(0, 40, 800)[1:-1]).theta
    path = np.prod(state[:, : L - 1], axis=1, keepdims=True) * state[:, L - 1 :]
    right.plot(*path.T, color=color)
    right.plot(*(end := predict(plane_x, plane_y, a, w)), "x", color="black", markersize=10, markeredgewidth=2, zorder=6)
    right.annotate(f"{L} layers", end, xytext=(10, up), textcoords="offset points", color=color)
for ax, title in ((left, "(a) $Q$ decides where it ends"), (right, "(b) chains of more layers")):
    ax.plot(*ends, color="black", linewidth=1, linestyle="--", zorder=1)
    ax.plot(*plane_start, "o", color="black", markersize=8)
    ax.set(xlim=(-1.1, 1.5), ylim=(-0.3, 2.3), xlabel=r"$\tilde w_1$", ylabel=r"$\tilde w_2$", title=title, aspect="equal")
plt.show()

# %% tags=["hide-input"]
signed = {"loop_p": np.linalg.norm(stokes[0]), "loop_m": np.linalg.norm(plain[0].sum(axis=0)),
          "curve_p": w_mirror[read, entry], "curve_m": w_neuron[read, entry], "curve_t": w_time[read, entry],
          **{name: coefficient(w) for name, w in (("depth_m", learned[-1]), ("depth_p", predicted[-1]), ("sign_p", wrong[-1]),
                                                  ("sign_m", turned[-1]), ("depth_two", predict(x, y, np.prod(np.sign(starts[-1])) * np.abs(starts[-1][:1]), w0)))}}
glue_all("time_warping", **{name: f"{value:.4f}".replace("-", "−") for name, value in signed.items()})
glue_all("time_warping", open=f"{np.linalg.norm(plain[0].sum(axis=0)):.2f}",
         closed="10⁻¹⁴" if (closing := np.linalg.norm(by_clock[0].sum(axis=0))) < 1e-14 else f"{2 * closing:.0e}",
         delta=f"{deltas[0]:g}", radius=f"{radius:g}", n=str(n), d=str(d), most=str(layers[-1]), tiny=f"{TINY:g}",
         all=", ".join(map(str, layers)), large=f"{deltas[-1]:g}", last=f"{np.linalg.norm(plain[-2].sum(axis=0)):.4f}")

# %% [markdown]
# The claims behind the table:
#
# ```{claim} loop
# :headline: sum of H dw̃ around the circle
# :source: Azulay et al. 2021, Appendix B.1; size derived in this chapter
# :evidence: float with residual
# :because: rounding of 400 inverses, of condition number 2S/a² ≤ 2; both quadratures converge geometrically,
#   to (0.7/1.1)^96 at the largest radius
# :control: the metric times |a|
#
# the sum of H dw̃ around a circle is the integral of the curl over the disc, so H is no Hessian
# ```
#
# ```{claim} curve
# :headline: predictors along the path, at equal τ
# :source: Azulay et al. 2021, Sections 5 and 6
# :evidence: trained and compared
# :because: the steps of 1e-12 each of both integrators, and their interpolants of order 7 where a step's is 8,
#   so the change when the relative tolerance is ten times as large, over 10^(7/8) − 1
# :contrast: the neuron at its own time t instead of its clock
#
# by the clock of |a| the neuron is at every time where the mirror flow of Q is
# ```
#
# ```{claim} depth
# :headline: limit of a linear chain
# :evidence: trained and compared
# :because: what the misfit leaves, over the least singular value of X, and the integrator's steps
# :control: an output weight so small that δ < 0 and that it changes its sign
# :rival: the least norm X⁺y
#
# a linear chain of any depth with δ_i ≥ 0 ends at the closed form
# ```

# %% tags=["hide-input"]
claims.identity("loop", stokes, np.array([terms.sum(axis=0) for terms in plain[:-1]]),
                error=rounding(angles.size, np.abs(plain[:-1]).max(), condition=2),
                control=Altered(np.array([terms.sum(axis=0) for terms in by_clock[:-1]])))
claims.identity("curve", w_mirror, w_neuron, control=w_time,
                error=stepping(count, 1e-12, np.abs(w_mirror).max())
                + refined([w_mirror, w_neuron], coarse[:2], 10, 7 / 8))
derived_left = 1e-11 * np.linalg.norm(y) * np.linalg.norm(np.linalg.pinv(x), 2)
claims.limit("depth", predicted, learned, control=Control(turned, theory=wrong, anew=True),
             error=derived_left + stepping(max(run.steps for run in runs), 1e-12, np.abs(learned).max()),
             rival=Rival(np.array([least_norm] * len(layers)), factor=1e4))

# %% [markdown]
# ## Theory
#
# ````{prf:theorem} Azulay et al. 2021, Sections 5 and 6, Appendix B.1
# :label: theorem-warp
#
# Let $d\ge2$, $\delta\ge0$, and $\tilde w\ne0$ if $\delta=0$.
#
# 1. $H$ of {eq}`neuron-metric` is no Hessian.
# 2. With $\rho=\|\tilde w\|$ and $S=\sqrt{\rho^2+\delta^2/4}$, $\frac32|a|H=\nabla^2Q$ for
#
#    $$\begin{aligned}Q(\tilde w)={}&\frac{\rho^2-\frac\delta2(\frac\delta2+S)}\rho\sqrt{S-\tfrac\delta2}\\&+z\cdot\tilde w\end{aligned}$$
#
#    and every vector $z$. We take the $z$ with $\nabla Q(\tilde w(0))=0$.
# 3. By the clock $d\tau=|a|\,dt$, $\frac d{d\tau}\nabla Q(\tilde w)=\frac32X^\top(y-X\tilde w)$.
# ````
#
# The chapter on {doc}`one linear neuron <single_neuron>` has the derivative $\nabla Q=\frac32\sqrt{S-\frac\delta2}\,\frac{\tilde w}\rho+z$, which is $\frac32$ times the first layer, up to sign and constant. It proves the limit without any clock. What the clock adds is the path, because at *every* time the neuron is where the mirror flow of $Q$ is. All parts follow from two propositions of ours. The first is about metrics, the second about chains.
#
# ````{prf:proposition} Metrics that are invariant under rotations and reflections have one factor
# :label: proposition-warp
#
# Let $d\ge2$ and $H=\varphi I-\psi\,\tilde w\tilde w^\top$ on the ring $\rho_0<\|\tilde w\|<\rho_1$, where $\varphi$ and $\psi$ are continuously differentiable functions of $\rho=\|\tilde w\|$ with $\varphi>0$ and $\varphi-\rho^2\psi>0$. Then $gH$ is a Hessian for
#
# $$g=\frac1\varphi\exp\Bigl(-\int\frac{\rho\,\psi}\varphi\,d\rho\Bigr).$$
#
# Every other positive differentiable $g$ for which it is one, on the ring or on a connected open part of it, is a multiple of this $g$. $H$ itself is a Hessian if and only if $c=-(\varphi'/\rho+\psi)$ is zero, because
#
# $$\begin{aligned}&\frac{\partial H_{ij}}{\partial\tilde w_k}-\frac{\partial H_{ik}}{\partial\tilde w_j}\\&\quad=-c\,\bigl(\tilde w_k[i=j]-\tilde w_j[i=k]\bigr),\end{aligned}$$
#
# with $[i=j]$ for $1$ if $i=j$ and $0$ otherwise.
# ````
#
# These $H$ are all metrics that are invariant under rotations and reflections. For $d\ge3$ rotations suffice. In the plane they do not, because there a metric may couple the direction of $\tilde w$ to the one at a right angle, which only a reflection changes. A general metric has no factor. A factor is one number at each point, and a Hessian must satisfy up to $\frac{d(d^2-1)}3$ independent equations there. The exercises have an example.
#
# ````{prf:proof}
# :class: dropdown
#
# *The equations.* The derivative of $\psi$ cancels in the difference of the $\partial H$, and $\frac{\partial\varphi}{\partial\tilde w_k}=\frac{\varphi'}\rho\tilde w_k$. This is the last display. On a simply connected set $H$ is a Hessian if and only if all these differences vanish, and for every Hessian they do.
#
# *This factor does.* Let $f'=\rho g\varphi$. The Hessian of $f(\rho)$ is $f'/\rho=g\varphi$ across $\tilde w$ and $f''$ along it. By the definition of $g$, $(g\varphi)'=-g\rho\psi$. So $f''=g\varphi+\rho(g\varphi)'=g(\varphi-\rho^2\psi)$, as in $gH$. This holds on the whole ring.
#
# *No other does.* If $gH$ is a Hessian, then
#
# $$\begin{aligned}&\frac{\partial g}{\partial\tilde w_k}H_{ij}-\frac{\partial g}{\partial\tilde w_j}H_{ik}\\&\qquad=g\,c\,\bigl(\tilde w_k[i=j]-\tilde w_j[i=k]\bigr).\end{aligned}$$
#
# Multiply by $(H^{-1})_{ij}$ and sum over $i$ and $j$. On the left remains $(d-1)\frac{\partial g}{\partial\tilde w_k}$. On the right $\tilde w_k\operatorname{tr}H^{-1}-(H^{-1}\tilde w)_k=\frac{d-1}\varphi\tilde w_k$, because $H^{-1}$ is $\frac1\varphi$ across $\tilde w$, in $d-1$ directions. So $\nabla\ln g=\frac c\varphi\tilde w$, which determines $g$ up to a constant. $\square$
# ````
#
# ````{prf:proposition} Linear chains
# :label: proposition-chain
#
# Let $\tilde w=Aw$ with $A=a_1\cdots a_{L-1}$, $L\ge2$, follow the gradient flow of $\frac12\|y-X\tilde w\|^2$ in $a_1,\dots,a_{L-1}$ and $w$. The $\delta_i=a_i^2-\|w\|^2$ are conserved. Let $w(0)\ne0$ and $b_i=\delta_i+\|P_\perp w(0)\|^2$, and for each $i$ let $\delta_i\ge0$ or $b_i>0$.
#
# 1. *The metric.* No $a_i$ changes its sign, and $\dot{\tilde w}=H^{-1}X^\top r$ with
#
#    $$\begin{gathered}H^{-1}=A^2I+\sigma\,\tilde w\tilde w^\top,\\\sigma=\sum_i\frac1{a_i^2}.\end{gathered}$$
#
#    It depends on $\tilde w$ alone. Where $\tilde w\ne0$, $c=\sigma/\bigl(A^4(1+\sigma\|w\|^2)\bigr)>0$, so $H$ is no Hessian if $d\ge2$.
# 2. *The factor.* $|A|H$ is a Hessian, the derivative of $\operatorname{sign}(A)\,w$ by $\tilde w$. By the clock $d\tau=|A|\,dt$
#
#    $$\frac d{d\tau}\operatorname{sign}(A)\,w=X^\top r .$$
#
# 3. *The limit.* If $X$ has rank $N$ and all $b_i>0$, then the residual falls at least like $e^{-\kappa t}$ and $\tilde w$ converges to {eq}`chain-limit`. Here $\kappa=\lambda\prod_ib_i$, and $\lambda$ is the least eigenvalue of $XX^\top$. Among all fits the limit minimizes the $Q$ with $\nabla Q=\operatorname{sign}(A)\,\bigl(w-w(0)\bigr)$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# *The metric.* With $g=X^\top r$, $\dot w=Ag$ and $\dot a_i=\frac A{a_i}w\cdot g$ (for $a_i=0$ the product of the others). So $\frac d{dt}a_i^2=2Aw\cdot g=\frac d{dt}\|w\|^2$. And $\dot w$ is in the row space of $X$, so $P_\perp w$ stays as it is. If $b_i>0$, then $a_i^2=\delta_i+\|w\|^2\ge b_i$. If $b_i=0$, then $\delta_i=0$, $|a_i|=\|w\|$ and $|\dot a_i|\le C|a_i|$ on every finite time interval, where $C$ bounds the other factors and $g$. So $a_i$ keeps its sign. The product rule gives $\dot{\tilde w}=A\dot w+\sum_i\frac A{a_i}\dot a_iw=A^2g+A^2\sigma\,(w\cdot g)\,w$. Let $v=\|w\|^2$. Then $v\prod_i(v+\delta_i)=\|\tilde w\|^2$, which has one root with $v\ge0$ and all $v+\delta_i\ge0$. So $\rho$ determines $v$, all $a_i^2$, $A^2$ and $\sigma$.
#
# *The factor.* $\operatorname{sign}(A)\,w=\tilde w/|A|$ is $\tilde w$ times a function of $\rho$, hence the gradient of a function of $\rho$, and its derivative $D$ by $\tilde w$ is a Hessian. Its velocity is $\operatorname{sign}(A)\dot w=|A|g$. The chain rule says that this is $D\dot{\tilde w}=DH^{-1}g$, for every $g$. So $D=|A|H$. In the letters of {prf:ref}`proposition-warp`, $\varphi=A^{-2}$ and $c=\varphi\,\frac{d\ln|A|}{\rho\,d\rho}$. From $\rho^2=vA^2$ and $\frac{d\ln A^2}{dv}=\sigma$ follows $\frac{d\ln|A|}{\rho\,d\rho}=\frac\sigma{A^2(1+\sigma v)}$.
#
# *The limit.* As $P_\perp w(t)=P_\perp w(0)$, $v\ge\|P_\perp w(0)\|^2$. Hence $A^2\ge\prod_ib_i>0$, and $\frac d{dt}\frac12\|r\|^2=-r^\top XH^{-1}X^\top r\le-\kappa\|r\|^2$. So $r\to0$ and $P\tilde w=X^+X\tilde w\to X^+y$, with $P=I-P_\perp$. On the other hand $\|P\tilde w\|^2=A^2\|Pw\|^2=(v-\|P_\perp w(0)\|^2)\prod_i(v+\delta_i)$. For $v\ge\|P_\perp w(0)\|^2$ the right side increases strictly from $0$, so $v$ converges to the root in {eq}`chain-limit`, and $|A|$ to $\prod_i(v+\delta_i)^{1/2}$. The other part of $\tilde w$ is $P_\perp\tilde w=AP_\perp w(0)$.
#
# *The minimizer.* Let $\nabla Q=\operatorname{sign}(A)(w-w(0))$. Along the flow it lies in the row space of $X$, so in the limit $Q$ is stationary among the fits. The length $\sqrt v$ of its radial part increases strictly with $\rho$, so $Q$ is strictly convex and the stationary point is its minimizer. $\square$
# ````
#
# For $L=2$, $v=S-\frac\delta2$ and $a^2=S+\frac\delta2$ with $2S=a^2+\|w\|^2$, so $Q$ is $\frac23$ of the $Q$ of {prf:ref}`theorem-warp`, and $c=\frac1{2Sa^4}$. For balanced chains, all $\delta_i=0$, $v=\rho^{2/L}$ and $Q$ is a multiple of $\|\tilde w\|^{1+1/L}$ plus a linear term. For $L=2$ this is the $\frac32$ of {doc}`one linear neuron <single_neuron>`.
#
# ## How fast, exactly
#
# *By how much the loop stays open.* By Stokes' theorem the sum around a loop in the plane is the integral of $c\,(\tilde w_2,-\tilde w_1)$ over its inside. The claim of the table computes it so, over the disc. For large $\delta$, $S\approx\frac\delta2$ and $a^2\approx\delta$, so $c\approx\delta^{-3}$. At $\delta=$ {glue:text}`time_warping_large` the gap is {glue:text}`time_warping_last`. There $a^2\ge$ {glue:text}`time_warping_large` while $\|w\|^2$ is about $0.2$, so $a$ hardly moves and the neuron is almost linear in $w$.
#
# *How fast the flow converges.* {prf:ref}`proposition-chain` proves an exponential rate from the start on, $\kappa=\lambda\prod_ib_i$. In the end $\|r\|$ falls at least at the rate $\lambda A_\infty^2$, with the larger $A_\infty^2=\prod_i(v+\delta_i)$ of {eq}`chain-limit`.
#
# ## Instruments
#
# The formulas of the metric and of $\nabla^2Q$ are held to the metric that is measured on neurons, at random points in $d$ dimensions. The closed loop is held to zero for every $\delta$, for the chain of four layers, and for a metric that belongs to no network, $H=(1+\rho^2)I-\tilde w\tilde w^\top$ with the factor $(1+\rho^2)^{-3/2}$ of {prf:ref}`proposition-warp`.
#
# ```{claim} warped_loop
# :source: Azulay et al. 2021, Appendix B.1; for chains and in general derived in this chapter
# :evidence: float with residual
# :because: rounding of 400 inverses, of condition number at most 1 + σ‖w‖² ≤ L; the quadrature converges
#   geometrically
# :control: the metric without its factor
#
# the sum around the circle is zero for |a|H, for |a₁a₂a₃|H and for a metric of no network that rotations leave alone
# ```
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
# :control: without the factor |a|
#
# the Hessian of Q is 3/2 |a| times the metric of the neuron
# ```

# %% tags=["hide-input"]
squares = 1 + np.sum(circle**2, axis=1)
made_up = squares[:, None] * steps - circle * np.sum(circle * steps, axis=1, keepdims=True)
plain.append(made_up)
by_clock.append(made_up / squares[:, None] ** 1.5)
claims.identity("warped_loop", np.zeros((len(by_clock), 2)), np.array([terms.sum(axis=0) for terms in by_clock]),
                error=rounding(angles.size, np.abs(by_clock).max(), condition=4),
                control=Altered(np.array([terms.sum(axis=0) for terms in plain])))
points = initialization_stream.standard_normal((len(deltas), d))
neurons = [layers_at(point, np.array([delta])) for point, delta in zip(points, deltas, strict=True)]
metrics, weights = np.array([metric(*neuron) for neuron in neurons]), np.array([a for a, _ in neurons])[:, :, None]
formulas = [NeuronMetric(delta) for delta in deltas]
claims.identity("metric", [[f.value(p), f.inverse(p)] for f, p in zip(formulas, points, strict=True)],
                np.stack([metrics, np.linalg.inv(metrics)], axis=1), error=rounding(d, condition=2), relative=True,
                control=Altered(np.stack([np.eye(d) / weights**2, np.eye(d) * weights**2], axis=1)))
claims.identity("hessian", [NeuronRegularizer(delta, p).hessian(p) for delta, p in zip(deltas, points, strict=True)],
                1.5 * weights * metrics, error=rounding(d, condition=2), relative=True, control=Altered(1.5 * metrics))

# %% [markdown]
# ## What would falsify it
#
# A loop that $|a_1\cdots a_{L-1}|H$ leaves open, or one of $H$ that is not the integral of $c$. A neuron that is, at any $\tau$, not where the mirror flow of $Q$ is. A chain of any depth with all $\delta_i+\|P_\perp w(0)\|^2>0$ that ends anywhere but at {eq}`chain-limit`. The test-suite changes the factors in $H$, $c$ and $\nabla^2Q$ one by one, and a claim fails each time.
#
# ## Differences from the paper
#
# - **Read.** {cite:t}`azulay2021`, Sections 5 and 6 with Appendix B. They introduce the factor and prove {prf:ref}`theorem-warp` for one hidden neuron. They run no experiment on it, so all data here are ours.
# - **Added.** The size of the gap, that the factor is unique, the factor of every metric that is invariant under rotations and reflections, chains of any depth and imbalance with their limit, and the rate.
# - **Recalled, not checked.** That the metric of balanced deep linear networks is known from work on their optimization.
#
# ## Scope
#
# - One neuron or one chain, squared loss. All $\delta_i+\|P_\perp w(0)\|^2>0$ suffices for {eq}`chain-limit`, and some $\delta_i$ may be negative. The chains trained here have $\delta_i\ge0$. If one of these sums is negative, the product of the later weights can change its sign, where the clock stands still. The chapter on {doc}`one linear neuron <single_neuron>` shows what remains of the theorem.
# - Several neurons share one clock, up to constant factors, if they start with $w_i=a_iv$ and one vector $v$, as balanced layers do ({doc}`many_neurons`). Whether others can have a common clock is open here.
# - A change of time leaves the *flow* on its curve. Gradient descent with a step size that depends on the state is another method, and its limit may move.
#
# ## Exercises
#
# ````{exercise} Around the origin
# :label: exercise-warp-centre
#
# Show that $H\,d\tilde w$ adds up to zero around every circle with centre $0$, although $H$ is no Hessian.
# ````
#
# ````{solution} exercise-warp-centre
# :class: dropdown
#
# On the circle $\tilde w\cdot d\tilde w=0$. So $H\,d\tilde w=a^{-2}d\tilde w$ with a constant $a$, and the steps $d\tilde w$ add up to zero.
# ````
#
# ````{exercise} A metric of no network
# :label: exercise-warp-made-up
#
# Find the factor of $H=(1+\rho^2)I-\tilde w\tilde w^\top$, and the function whose Hessian $gH$ is.
# ````
#
# ````{solution} exercise-warp-made-up
# :class: dropdown
#
# $\varphi=1+\rho^2$ and $\psi=1$, so $\int\frac{\rho\psi}\varphi d\rho=\frac12\ln(1+\rho^2)$ and $g=(1+\rho^2)^{-3/2}$. The function is $\sqrt{1+\rho^2}$. Its gradient is $\tilde w/\sqrt{1+\rho^2}$.
# ````
#
# ````{exercise} One dimension
# :label: exercise-warp-line
#
# For $d=1$ every positive $H$ is a Hessian. Which $Q$ belongs to the neuron by its own time $t$, with $\delta=0$ and $\tilde w>0$? How does it differ from the one of the clock $\tau$?
# ````
#
# ````{solution} exercise-warp-line
# :class: dropdown
#
# $H=\frac1{2a^2}=\frac1{2\tilde w}$, so $Q''=\frac1{2\tilde w}$ and $Q=\frac12\tilde w(\ln\frac{\tilde w}{\tilde w(0)}-1)$ up to a constant, an entropy. By the clock $\tau$, $Q''=\frac32|a|H=\frac34\tilde w^{-1/2}$ and $Q=\tilde w^{3/2}-\frac32\sqrt{\tilde w(0)}\,\tilde w$. For $d=1$ both have the same minimizer among the fits, because there is at most one fit.
# ````
#
# ````{exercise} A metric without a factor
# :label: exercise-warp-none
#
# Show that no positive factor makes $H=\operatorname{diag}(1,e^{\tilde w_1\tilde w_2})$ a Hessian.
# ````
#
# ````{solution} exercise-warp-none
# :class: dropdown
#
# If $gH$ is a Hessian, then $\frac{\partial g}{\partial\tilde w_2}=0$ and $\frac\partial{\partial\tilde w_1}\bigl(g\,e^{\tilde w_1\tilde w_2}\bigr)=0$. The first says that $\ln g$ depends on $\tilde w_1$ alone. The second says that $(\ln g)'=-\tilde w_2$, which depends on $\tilde w_2$. This is a contradiction.
# ````
#
# ````{exercise} A smaller start
# :label: exercise-warp-small
#
# Rerun the chapter with `length = 0.1`, a quarter of the default. How does {eq}`chain-limit` change if all $\delta_i$ stay as they are? Where does the limit go as the length tends to zero?
# ````
#
# ````{solution} exercise-warp-small
# :class: dropdown
#
# $P_\perp w(0)$ becomes four times shorter, and $v$ falls by at most as much as $\|P_\perp w(0)\|^2$ does. In these chains the coefficient of $P_\perp w(0)$ shrinks by some 4 to 7 %, and the limit comes 4.1 to 4.3 times closer to the least-norm fit. As the length tends to zero, the limit tends to that fit.
# ````
#
# ## Where to go next
#
# ```{next}
# The chapter on {doc}`balancedness <balancedness>` shows why the imbalance is kept, on which all this rests. The one on {doc}`one linear neuron <single_neuron>` draws the function $Q$ and follows its minimizer from small to large starts.
# ```
#
# ## References
#
# {cite:t}`azulay2021` introduce the clock, {cite:t}`gunasekar2018` derive limits of mirror descent from its potential, {cite:t}`du2018` prove that $\delta$ is conserved.
