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
# # Diagonal networks: the initialization chooses the regularizer
#
# With fewer samples than features, infinitely many predictors $w$ fit the data. Train $w$ through its factors,
# $w=u_+\circ v_+-u_-\circ v_-$ (coordinate by coordinate), and {term}`gradient flow` picks one of them {cite}`azulay2021`. A coordinate moves at $\sqrt{4w_j^2+k_j}$
# times the force on it. With a small start, small $k_j$, large coordinates outrun the others, so that few of them fit the data: the limit becomes sparse. With a large start, the same for all, the coordinates move
# alike, and the limit has the least $\ell_2$ norm. The start, $u=u_\pm(0)$ and $v=v_\pm(0)$ alike for both signs, enters only through $k_j$: the limit has the least sum of penalties $q_k(z)$, in shape between $|z|$ (as $k\to0$) and $z^2$ (as $k\to\infty$):
#
# $$\begin{gathered}w(\infty)=\operatorname*{arg\,min}_{Xw=y}\;\sum_jq_{k_j}(w_j),\\\sqrt{k_j}=2\bigl(u_j^2+v_j^2\bigr).\end{gathered}$$
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# $X$ is $N\times d$ with $N<d$, $y\in\mathbb R^N$, $r=y-Xw$ the residual; all four factors $u_\pm,v_\pm\in\mathbb R^d$ follow the
# gradient flow of $\frac12\|r\|^2$ (products $\circ$ are taken in each coordinate):
#
# $$\begin{gathered}\dot u_+=v_+\circ g,\qquad\dot v_+=u_+\circ g,\\\dot u_-=-v_-\circ g,\qquad\dot v_-=-u_-\circ g,\qquad g=X^\top r.\end{gathered}$$
#
# The initialization is *unbiased* if $u_+=u_-=u$ and $v_+=v_-=v$: it predicts $0$. Its *scale* is, in each coordinate, $\alpha=|u||v|$, its *shape*
# $s=\frac{|v|-|u|}{|v|+|u|}$, which is $0$ where both layers are equally large.

# %% tags=["hide-input"]
import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.data import RowSpace, sparse_regression
from implicit_bias.figures import style
from implicit_bias.flows import descend, follow
from implicit_bias.limits.interpolation import HyperbolicEntropy, cone_program, least_l1, least_norm
from implicit_bias.models.linear import DiagonalFlow, DiagonalNetwork, DualFlow
from implicit_bias.rates import log_log_slope
from reproduce.claims import Altered, Claims, Rival, refined, rounding, stepping
from reproduce.claims.glued import glue_all

claims = Claims("diagonal_networks")

style.use_style()

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Azulay et al. 2021, Theorem 1
# :label: theorem-diagonal
#
# Let the initialization be unbiased, with $u_j^2+v_j^2>0$ for every $j$. If gradient flow converges to a $w(\infty)$ with
# $Xw(\infty)=y$, then
#
# $$w(\infty)=\arg\min_w\;Q_k(w)=\sum_jq_{k_j}(w_j)\quad\text{subject to}\quad Xw=y,$$
#
# $$\begin{gathered}
# q_k(z)=\frac{\sqrt k}4\left[1-\sqrt{1+\frac{4z^2}k}+\frac{2z}{\sqrt k}\operatorname{arcsinh}\frac{2z}{\sqrt k}\right],\\
# \sqrt{k_j}=2\bigl(u_j(0)^2+v_j(0)^2\bigr)=4\alpha_j\,\frac{1+s_j^2}{1-s_j^2},
# \end{gathered}$$
#
# the last form where $u_jv_j\ne0$.
# ```
#
# ````{prf:proof}
# :class: dropdown
#
# Let $\nu(t)=\int_0^tg\,dt'$. The sums and differences of the factors decouple: $u_++v_+$ and $u_--v_-$ grow like $e^{\nu}$,
# $u_+-v_+$ and $u_-+v_-$ decay like $e^{-\nu}$. Since $4u_\pm v_\pm=(u_\pm+v_\pm)^2-(u_\pm-v_\pm)^2$,
#
# ```{math}
# :label: exact-predictor
# \begin{gathered}
# w=A\,e^{2\nu}-B\,e^{-2\nu},\\
# 4A=(u_++v_+)^2+(u_--v_-)^2,\\
# 4B=(u_+-v_+)^2+(u_-+v_-)^2
# \end{gathered}
# ```
#
# for any initialization, with $A$ and $B$ taken at $t=0$. With $k=16AB$ this is $w=\frac{\sqrt k}2\sinh\bigl(2\nu+\operatorname{arcsinh}\frac{2w(0)}{\sqrt k}\bigr)$,
# that is
#
# $$\nu=\tfrac12\Bigl(\operatorname{arcsinh}\frac{2w}{\sqrt k}-\operatorname{arcsinh}\frac{2w(0)}{\sqrt k}\Bigr)=\nabla Q_k(w),$$
#
# where integrating in $w$ gives $q_k$ as above if $w(0)=0$ and, in general, $q_k(z)-\frac z2\operatorname{arcsinh}\frac{2w(0)}{\sqrt k}$
# up to a constant. But $\nu=X^\top\int r\,dt'$ lies in the row space of $X$: $\nabla Q_k(w(\infty))=X^\top\mu$ is the stationarity
# condition of the convex program, $Xw(\infty)=y$ its constraint, and $Q_k$ is strictly convex, $\nabla^2Q_k=\operatorname{diag}(4w^2+k)^{-1/2}$.
# For the unbiased initialization $A=B=\frac12(u^2+v^2)$.
# ````
#
# Along the flow $\nabla Q_k(w)=\nu$, hence $\dot w=(\nabla^2Q_k)^{-1}g=\sqrt{4w^2+k}\circ g$, the speed of the introduction: the predictor follows the
# {term}`mirror flow` of $Q_k$. The proof gives more than the theorem:
#
# ````{prf:proposition} Any start, and the path in $N$ numbers
# :label: proposition-diagonal-path
#
# Let the start be any with $k_j>0$ for every $j$, where
#
# $$\begin{aligned}k={}&(u_+^2-v_+^2)^2+(u_-^2-v_-^2)^2\\&+2(u_+u_-+v_+v_-)^2+2(u_+v_-+v_+u_-)^2 .\end{aligned}$$
#
# The flow keeps each bracket. Its predictor is $w=w(X^\top\mu)$, the function of $\nu=X^\top\mu$ in {eq}`exact-predictor`, with $\mu=\int r\,dt\in\mathbb R^N$ and
#
# ```{math}
# :label: reduced-flow
# \dot\mu=y-X\,w(X^\top\mu),\qquad \mu(0)=0 .
# ```
#
# If $X$ has rank $N$, the flow converges to an {term}`interpolator`: the one with the least
# $\sum_j\bigl[q_{k_j}(w_j)-\frac{w_j}2\operatorname{arcsinh}\frac{2w_j(0)}{\sqrt{k_j}}\bigr]$, a function with its minimum at $w(0)$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# The derivative of each bracket cancels, for example $\frac{d}{dt}(u_+^2-v_+^2)=2u_+v_+g-2v_+u_+g$; expanding $16AB$ gives $k$. {eq}`reduced-flow` is
# $\dot\mu=r$ with {eq}`exact-predictor` inserted. It ascends $\mu\mapsto y^\top\mu-\frac12\sum_j\bigl(A_je^{2\nu_j}+B_je^{-2\nu_j}\bigr)$, which is strictly concave and falls in
# every direction, as $A_j,B_j>0$ and $X^\top$ is injective. So $\mu$ converges to its maximum, where $Xw=y$. The rest is the proof of the theorem, which nowhere used $w(0)=0$ but to name $q_k$.
# ````
#
# Two methods that share no step predict the limit. *Newton's method* maximizes the concave dual $y^\top\lambda-Q_k^*(X^\top\lambda)$; its $w=\nabla Q_k^*(X^\top\lambda)$ is stationary by construction, and
# $Xw=y$ and the duality gap are its {term}`certificate`. An *exponential-cone program* starts from
# $2Q_k(w)=\min_{p-m=w}\mathrm{KL}(p\,\|\,A)+\mathrm{KL}(m\,\|\,B)+\text{const}$ with the generalized $\mathrm{KL}(p\,\|\,A)=\sum p\ln\frac pA-p+A$; it is given $A$ and $B$ and never sees $k$.
#
# In this chapter
#
# | $\sqrt k$ | with the shape ignored, $4\alpha$ | largest $\lvert w_j\rvert$ | $\lVert w\rVert_1$ over the least possible |
# |---|---|---|---|
# | {glue:text}`diagonal_networks_root` | {glue:text}`diagonal_networks_shared` | {glue:text}`diagonal_networks_largest` | {glue:text}`diagonal_networks_l1` |
#
# Where $\sqrt k$ is far below $|w_j|$, $q_k$ bends towards a multiple of $|z|$, but only like a logarithm ({ref}`exercise-diagonal-limits`). Small is not small enough here: a scale of $10^{-4}$, unbalanced as it is, makes a $\sqrt k$ that is not far below the coordinates of $w$, and the limit is still nearer to the least $\ell_2$ norm
# than to the least $\ell_1$ norm. That is why $q_k$ is needed, and not its two ends; {doc}`scale_and_shape` goes from one end to the other.
#
# ## Experiment
#
# The data are the paper's (Section 9), smaller by default: $x_n\sim\mathcal N(0,I_d)$, $r^*$ non-zero entries $1/\sqrt{r^*}$ in
# $w^*$, label noise of variance $0.01$.

# %% tags=["parameters"]
n: int = 30  # number of samples N, in [3, 300]
d: int = 200  # number of features d, in [10, 3000]
nonzeros: int = 5  # non-zero entries r* of the true predictor, in [1, 100]
scale: float = 1e-4  # scale α of the initialization, in [1e-5, 10]
shape: float = 0.9  # shape s of the initialization, in [0.05, 0.999]
# because at s = 1 the factor (1 + s²)/(1 − s²) of √k is infinite
learning_rates: list[float] = [0.1, 0.05, 0.025]  # rates η over the largest stable one, each in [1e-4, 0.3]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where n < d and nonzeros <= d
# where len(set(learning_rates)) >= 2

# %% tags=["hide-input"]
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
problem = sparse_regression(data_stream, n, d, nonzeros=nonzeros)
x, y = problem.x, problem.y

# %% [markdown]
# All $4d$ parameters are trained by an explicit integrator, which knows neither $k$ nor the dual. How long, the flow {eq}`reduced-flow` says, run first with a
# stiff integrator until $\|y-Xw\|\le10^{-11}$.

# %% tags=["hide-input"]
RTOL = 1e-11  # the relative tolerance of a step
MISFIT = 1e-11  # at which the flow in N numbers ends


def misfit(w) -> float:
    """‖y − Xw‖."""
    return float(np.linalg.norm(y - x @ w))


def reduced_flow(net: DiagonalNetwork, record=(), rtol=RTOL):
    """The flow in N dimensions, to a misfit of 1e-11: the solution in μ and its predictors, one row a time."""
    flow = DualFlow(net, x, y, "sum")
    run = follow(flow, misfit=MISFIT, record=record, rtol=rtol)
    return run, np.array([flow.predictor(mu) for mu in run.theta])


def parameter_flow(net: DiagonalNetwork, t_end, record=(), rtol=RTOL):
    """The flow of all 4d parameters until t_end."""
    return follow(DiagonalFlow(net, x, y, "sum"), t_end=t_end, record=record, rtol=rtol, atol=rtol / 1000)


# %%
network = DiagonalNetwork.unbiased(d, scale, shape)
root_k = 4 * scale * (1 + shape**2) / (1 - shape**2)
entropy = HyperbolicEntropy(np.full(d, root_k**2))
predicted = entropy.minimize(x, y)  # predict: a convex program, from the data and √k alone
short, _ = reduced_flow(network)
# mutant(*): which times are recorded
moments = np.geomspace(1e-3 * short.t[-1], short.t[-1], 60)[:-1]
full = parameter_flow(network, short.t[-1], moments)  # train
w_full = network.predictor(full.theta)
largest = np.argsort(-np.abs(predicted.w))[:5]
print("the five largest coordinates of the predictor")
print("predicted, least Q_k:", *(f"{entry:9.6f}" for entry in predicted.w[largest]))
print("trained, at the end: ", *(f"{entry:9.6f}" for entry in w_full[-1, largest]))

# %% [markdown]
# Gradient descent runs beside it at constant learning rates $\eta$, fractions of the largest at which it is stable near the limit,
# $2/\lambda_{\max}\bigl(X\operatorname{diag}(\sqrt{4w^2+k})X^\top\bigr)$; its time is $t=\text{step}\cdot\eta$.

# %% tags=["hide-input"]
print("certified: residual, stationarity and duality gap at most 1e-9:", predicted.certificate.worst <= 1e-9)
w_l1, w_l2 = least_l1(x, y).w, least_norm(x, y).w
# mutant: the unit of the learning rates
stable = 2 / np.linalg.eigvalsh((x / entropy.curvature(predicted.w)) @ x.T)[-1]
rates = [float(fraction * stable) for fraction in learning_rates]


def to_misfit(rate, target, record=()):
    """Gradient descent at a constant learning rate until the misfit is the target."""
    return descend(DiagonalFlow(network, x, y, "sum"), rate, t_end=100 * short.t[-1], misfit=target, record=record)


# mutant: when a descent ends
descents = [to_misfit(rate, target=1e-8, record=moments) for rate in rates]

glue_all("diagonal_networks", root=f"{root_k:.3g}", shared=f"{4 * scale:.3g}",
         largest=f"{np.abs(predicted.w).max():.3g}", l1=f"{np.abs(predicted.w).sum() / np.abs(w_l1).sum():.4f}",
         l1_off=f"{np.linalg.norm(w_full[-1] - w_l1):.2g}", l2_off=f"{np.linalg.norm(w_full[-1] - w_l2):.2g}",
         end=f"{np.linalg.norm(w_full[-1] - predicted.w):.0e}".replace("-", "−"))

# %% mystnb={"figure": {"caption": "Left: the distance to the predicted minimizer. The flow (blue) comes as near as its integrator allows; gradient descent ends at a floor proportional to its learning rate. Middle: the regularizer, scaled to 1 at $z=1$, between $|z|$ and $z^2$ (dashed). Right: each learned coordinate against its prediction by $Q_k$ (dots, on the diagonal) and by the $\\ell_1$ and $\\ell_2$ norms.", "name": "figure-diagonal"}, "image": {"alt": "Three panels: distance to the predicted limit against time for flow and gradient descent; regularizer for several k; learned against predicted coordinates", "classes": "panels-3"}} tags=["hero", "hide-input"]
left, middle, right = style.panels(3, (11.4, 4.0))
prediction_error = np.linalg.norm(w_full - predicted.w, axis=1)
for descent, rate, color in zip(descents, rates, ("orange", "green", "purple", "sky") * 3, strict=False):
    off = np.linalg.norm(network.predictor(descent.theta) - predicted.w, axis=1)
    left.loglog(descent.t[1:], off[1:], color=style.COLORS[color], linewidth=1.6, label=rf"$\eta=${rate:.1g}")
left.loglog(full.t[1:], prediction_error[1:], label="gradient flow")
left.set(xlabel=r"$t$", ylabel=r"$\|w(t)-w_{Q_k}\|_2$", ylim=(1e-12, 3))
left.legend(loc="lower left", fontsize=12)
left.set_title("distance to the prediction")

points = np.linspace(-1, 1, 401)
for root, color in zip((1e-6, 1e-3, 1e-1, 1e1), ("blue", "green", "orange", "red"), strict=True):
    one = HyperbolicEntropy(np.array([root**2]))
    values = np.array([one.value(np.array([p])) for p in points])
    exponent = int(np.log10(root))
    middle.plot(points, values / values[-1], color=style.COLORS[color], label=rf"$\sqrt{{k}}=10^{{{exponent}}}$")
style.theory(middle, points, np.abs(points), r"$|z|$ and $z^2$")
style.theory(middle, points, points**2)
middle.set(xlabel=r"$z$", ylabel=r"$q_k(z)/q_k(1)$")
middle.legend(loc="upper center", fontsize=12)
middle.set_title("the regularizer")

for rival, label, color, marker in ((w_l1, r"least $\ell_1$", "orange", "x"), (w_l2, r"least $\ell_2$", "green", "+")):
    right.plot(rival, w_full[-1], marker, color=style.COLORS[color], markersize=6, label=label)
style.agreement(right, predicted.w, w_full[-1], label=r"least $Q_k$")
right.set(xlabel=r"predicted $w_j$", ylabel=r"learned $w_j(\infty)$", title="each coordinate")
right.legend(loc="lower right", fontsize=12, handletextpad=0.2)
plt.show()

# %% [markdown]
# The trained predictor is {glue:text}`diagonal_networks_end` from the predicted one, {glue:text}`diagonal_networks_l1_off` from the interpolator of least $\ell_1$ norm and
# {glue:text}`diagonal_networks_l2_off` from that of least $\ell_2$ norm.
#
# ## Headline claims
#
# The limit against the certified minimizer. The {term}`control` breaks the premise of continuous time: gradient descent at the largest of the
# learning rates, run to a misfit of $10^{-8}$. The {term}`rival` is the nearer of the $\ell_1$ and the $\ell_2$ minimizer.
#
# ```{claim} limit
# :headline: predictor w(∞), each coordinate
# :source: Azulay et al. 2021, Theorem 1
# :evidence: trained and compared
# :because: the misfit left at the end, times the norm of the map from labels to minimizers, and the
#   integrator's steps of 1e-11 each
# :control: gradient descent, at the largest of the learning rates
# :rival: {nearer}, the nearer of ℓ1 and ℓ2
#
# the limit of the flow minimizes Qₖ among the interpolators
# ```

# %% tags=["hide-input"]
learned = w_full[-1]  # mutant: the last two recorded states have both converged
nearer = min((("least ℓ1 norm", w_l1), ("least ℓ2 norm", w_l2)), key=lambda pair: np.linalg.norm(learned - pair[1]))
derived_root = 1 / np.sqrt(entropy.curvature(predicted.w))
derived_gain = np.linalg.norm(derived_root[:, None] * np.linalg.pinv(x * derived_root), 2)  # of w, from a misfit
derived_limit = derived_gain * misfit(learned) + stepping(full.steps, RTOL, np.abs(learned).max())
claims.limit("limit", predicted.w, learned, error=derived_limit, control=network.predictor(descents[0].final),
             rival=Rival(nearer[1], factor=1e4), fill={"nearer": nearer[0]})

# %% [markdown]
# The numbers that decide: the flow keeps the brackets of $k$ ({prf:ref}`proposition-diagonal-path`), and gradient descent does not.
#
# ```{claim} conserved
# :headline: the four terms of k, conserved, each coordinate
# :evidence: trained and compared
# :because: the integrator's, in proportion to its relative tolerance: the change from 1e-10 to 1e-11, over 9;
#   and rounding of squared parameters in each step
# :control: gradient descent, at the largest of the learning rates
#
# the flow conserves the four brackets of k in each coordinate
# ```

# %% tags=["hide-input"]
derived_full = parameter_flow(network, short.t[-1], moments, 10 * RTOL)
derived_brackets = [network.brackets(theta) for theta in (full.final, derived_full.final)]
claims.identity("conserved", network.brackets(network.start), network.brackets(full.final),
                error=refined(derived_brackets[0], derived_brackets[1], ratio=10, order=1)
                + rounding(full.steps, np.square(full.theta).max()), control=network.brackets(descents[0].final))

# %% [markdown]
# Gradient descent misses the limit in proportion to its learning rate, however long it runs. The control runs it to the authors' stopping rule,
# a mean squared error of $10^{-4}$: then the rule, not the rate, sets the error, and the slope is lost.
#
# ```{claim} descent
# :headline: order in the learning rate of the error of gradient descent
# :source: derived: one step of size η differs from the flow by O(η²)
# :evidence: trained and compared
# :because: the second-order term shifts the exponent in proportion to η: by how much it changes when all
#   rates are doubled
# :contrast: stopped at mean squared error 1e-4, the authors' rule
#
# gradient descent misses the limit by an amount of first order in the learning rate
# ```

# %% tags=["hide-input"]
floors = [float(np.linalg.norm(network.predictor(run.final) - predicted.w)) for run in descents]
stopped = []
for rate in rates:
    early = to_misfit(rate, target=1e-2 * np.sqrt(n))
    stopped.append(float(np.linalg.norm(network.predictor(early.final) - predicted.w)))
derived_runs = [to_misfit(2 * rate, target=1e-8) for rate in rates]
derived_floors = [float(np.linalg.norm(network.predictor(run.final) - predicted.w)) for run in derived_runs]
claims.rate("descent", 1.0,
            # mutant: an exponent of one, or of minus one, is its own inverse
            log_log_slope(rates, floors),
            error=refined(log_log_slope(rates, floors), log_log_slope(rates, derived_floors), 2, 1),
            control=log_log_slope(rates, stopped))

# %% [markdown]
# ## Try it
#
# ```{solve} diagonal_networks
# Drag the sample $x$, or give it the focus and press the arrow keys (with Shift in small steps); move the scale, the shape and the label. The contours of $Q_k$ grow until they touch
# the line of all $w$ with $x\cdot w=y$, as a diamond where $\sqrt k$ is small and as a circle where it is large: the answer (green) moves, as slowly as a logarithm, from the least $\ell_1$ norm (yellow) to
# the least $\ell_2$ norm (orange). Gradient flow comes to it on the dotted way, and the relative *gap* to the dual bound proves it.
# ```
#
# ## Instruments
#
# A second solver, the flow in $N$ numbers, the steps of the proof and a start with $w(0)\ne0$.
#
# ### A second solver, and the flow in $N$ numbers
#
# The cone program against training: its control is the formula for shared weights, $\sqrt k=4\alpha$, right at $s=0$, the case of {cite:t}`woodworth2020`, and wrong at any
# other shape. The flow {eq}`reduced-flow` is gradient ascent on Newton's dual, so that its limit checks the two solvers and not the theorem; at equal times its predictor must be that of the $4d$
# parameters.
#
# ```{claim} reduced
# :evidence: trained and compared
# :because: the misfit at the end, 1e-11, times the norm of the map from labels to minimizers
# :control: gradient descent, at the largest of the learning rates
#
# the N-dimensional flow ends at the same minimizer
# ```
#
# ```{claim} reduction
# :evidence: trained and compared
# :because: the explicit integrator's, by how much it differs from one at a relative tolerance of 1e-12; and
#   the stiff one's, of order one at least: its change from 1e-10 to 1e-11, over √10 − 1
# :control: gradient descent, at the largest of the learning rates
#
# at equal times the N-dimensional flow has the predictor of the flow of all 4d parameters
# ```

# %% tags=["hide-input"]
run, w_reduced = reduced_flow(network, moments)
claims.limit("reduced", predicted.w,
             w_reduced[-1],  # mutant(1): the last recorded states all have converged
             error=derived_gain * MISFIT, control=network.predictor(descents[0].final))
shared_times = min(len(run.t), len(full.t), len(descents[0].t)) - 1  # all but each run's own last time
derived_reduced = reduced_flow(network, moments[:shared_times], 10 * RTOL)[1][:shared_times]
derived_finer = network.predictor(parameter_flow(network, short.t[-1], moments, RTOL / 10).theta)
derived_explicit = np.abs(derived_finer - w_full)[:shared_times].max()
claims.identity("reduction", w_reduced[:shared_times], w_full[:shared_times],
                error=derived_explicit + refined(w_reduced[:shared_times], derived_reduced, 10, 1 / 2),
                control=network.predictor(descents[0].theta)[:shared_times])

# %% [markdown]
# ```{claim} cone
# :evidence: trained and compared
# :because: the run's, as for the limit, and Clarabel's tolerance 1e-13, times the condition number of the
#   dual Hessian
# :control: the network's shape ignored: √k = 4α as for shared weights
#
# a cone program for the relative entropies has the same minimizer
# ```

# %% tags=["hide-input"]
u, v = network.u_plus, network.v_plus
w_cone = cone_program(x, y, (u**2 + v**2) / 2, (u**2 + v**2) / 2)
shared = HyperbolicEntropy(np.full(d, (4 * scale) ** 2)).minimize(x, y).w
claims.limit("cone", w_cone, learned,
             error=derived_limit + 1e-13 * np.linalg.cond((x * derived_root) @ (x * derived_root).T),
             control=Altered(shared))

# %% [markdown]
# ### Steps of the proof
#
# On the $4d$ parameters: the gradient $\nabla Q_k$ ends in the row space of $X$, and at every recorded time the predictor moves by $\dot w=(\nabla^2Q_k)^{-1}X^\top r$, the inverse Hessian acting as a metric.
#
# ```{claim} stationarity
# :source: Azulay et al. 2021, Appendix A
# :evidence: trained and compared
# :because: the integrator's, in proportion to its relative tolerance: the change from 1e-10 to 1e-11, over 9;
#   and rounding of w in each step, times the largest curvature
# :control: the network's shape ignored: √k = 4α as for shared weights
#
# at the end of the parameters' flow the gradient of Qₖ lies in the row space of X
# ```
#
# ```{claim} metric
# :source: Azulay et al. 2021, Section 4 and Appendix A
# :evidence: float with residual
# :because: rounding of the terms that cancel in the residual, as the metric carries them on, relative to the
#   velocity at each time
# :control: the network's shape ignored: √k = 4α as for shared weights
#
# the predictor moves by the inverse Hessian of Qₖ times the force
# ```

# %% tags=["hide-input"]
row_space = RowSpace(x)
derived_gradients = [row_space.outside(entropy.gradient(network.predictor(run.final))) for run in (full, derived_full)]
derived_rounding = rounding(full.steps, np.abs(learned).max(), entropy.curvature(learned).max())
wrong = HyperbolicEntropy(np.full(d, (4 * scale) ** 2))
claims.identity("stationarity", np.zeros(d),
                # mutant: the last recorded states all have converged
                row_space.outside(entropy.gradient(w_full[-1])),
                error=refined(derived_gradients[0], derived_gradients[1], ratio=10, order=1) + derived_rounding,
                control=Altered(row_space.outside(wrong.gradient(w_full[-1]))))
factors = full.theta.reshape(len(full.theta), 4, d)
flow = DiagonalFlow(network, x, y, "sum")
velocities = np.array([flow.velocity(theta) for theta in full.theta]).reshape(factors.shape)
# ẇ by the product rule, from the parameters' velocities alone.
w_velocity = (velocities[:, 0] * factors[:, 1] + factors[:, 0] * velocities[:, 1] - velocities[:, 2] * factors[:, 3]
              - factors[:, 2] * velocities[:, 3])
force = (y - w_full @ x.T) @ x
predicted_velocity = force / entropy.curvature(w_full)
size_then = np.abs(predicted_velocity).max(axis=1)
# mutant(1e-06 → 1.5e-06): which of the recorded times are compared
moving = np.flatnonzero(size_then > 1e-6 * size_then.max())  # later the velocity is rounding of the residual
# Over the largest predicted at each time; written out for either side, as a common factor would go unnoticed.
w_velocity_per_size = np.array([w_velocity[k] / size_then[k] for k in moving])
derived_terms = (np.abs(w_full) @ np.abs(x.T)) @ np.abs(x) / entropy.curvature(w_full)  # that cancel in the velocity
claims.identity("metric",
                (predicted_velocity / np.linalg.norm(predicted_velocity, ord=np.inf, axis=1, keepdims=True))[moving],
                w_velocity_per_size, error=rounding(1, (derived_terms.max(axis=1) / size_then)[moving].max()),
                control=Altered(w_velocity_per_size,
                                theory=(force / wrong.curvature(w_full) / size_then[:, None])[moving]))

# %% [markdown]
# ### A start with $w(0)\ne0$
#
# All four factors Gaussian, so that $k$ differs from coordinate to coordinate: the general function of {prf:ref}`proposition-diagonal-path` must predict that limit too. The control leaves $w(0)$ out of it.
#
# ```{claim} biased
# :source: Azulay et al. 2021, Appendix A
# :evidence: trained and compared
# :because: as for the unbiased limit: the misfit left at the end and the integrator's steps; the flow in N
#   dimensions errs less
# :control: Q_k with its minimum at 0 instead of w(0)
# :rival: the least ℓ1 norm
#
# from a random initialization the limit minimizes the general Qₖ with its minimum at w(0)
# ```

# %% tags=["hide-input"]
biased = DiagonalNetwork(*(np.sqrt(scale) * initialization_stream.standard_normal((4, d))))
w0 = biased.predictor(biased.start)
biased_run, w_biased_reduced = reduced_flow(biased)
biased_full = parameter_flow(biased, biased_run.t[-1])
w_biased = biased.predictor(biased_full.final)
biased_prediction = HyperbolicEntropy(biased.k, w0).minimize(x, y)
biased_centred = HyperbolicEntropy(biased.k).minimize(x, y)
derived_root = 1 / np.sqrt(HyperbolicEntropy(biased.k, w0).curvature(biased_prediction.w))
derived_gain = np.linalg.norm(derived_root[:, None] * np.linalg.pinv(x * derived_root), 2)
claims.limit("biased", np.concatenate([biased_prediction.w, biased_prediction.w]),
             np.concatenate([w_biased, w_biased_reduced[-1]]),
             error=derived_gain * misfit(w_biased) + stepping(biased_full.steps, RTOL, np.abs(w_biased).max()),
             control=Altered(np.concatenate([biased_centred.w, biased_centred.w])),
             rival=Rival(np.concatenate([w_l1, w_l1]), factor=1e4))

# %% [markdown]
# ## What would falsify it
#
# A limit that differs from the minimizer by more than the solvers' precision, for any data and any initialization with $k_j>0$; a bracket of $k$ that
# drifts in the flow; a gradient $\nabla Q_k(w(t))$ that leaves the row space. The factor $4$ in $\sqrt k=4\alpha\frac{1+s^2}{1-s^2}$, its dependence on
# $s$ and the factor inside $\operatorname{arcsinh}$ are each held by a claim: the test-suite changes them one by one and sees a claim fail or a solver refuse.
#
# ## Differences from the paper
#
# - The theorem and its formula are the paper's. {prf:ref}`proposition-diagonal-path`, for any start, follows the proof further than the paper's statement goes.
# - The data are those of the paper's Section 9, smaller by default; `--paper` runs its size.
# - The authors train by gradient descent and stop at a mean squared error of $10^{-4}$. Here the flow itself runs, to $\|y-Xw\|\le10^{-11}$: at constant
#   learning rate gradient descent has another limit, at a distance of first order in $\eta$.
#
# ## Scope
#
# - The theorem assumes that the flow interpolates. If $X$ has rank $N$ and all $k_j>0$ this is no assumption ({prf:ref}`proposition-diagonal-path`).
# - $k_j>0$ is needed. If $B_j=0$ (say $u_+=v_+$ and $u_-=-v_-$), coordinate $j$ cannot change sign and the limit may not exist.
# - The result is about the flow. For gradient descent at a finite learning rate the chapter measures an order, not a limit.
#
# ## Exercises
#
# ````{exercise} Two limits
# :label: exercise-diagonal-limits
#
# Show that $\sqrt k\,Q_k(w)\to\frac12\|w\|_2^2$ as $k\to\infty$, and $Q_k(w)/\ln(1/\sqrt k)\to\frac12\|w\|_1$ as $k\to0$.
# ````
#
# ````{solution} exercise-diagonal-limits
# :class: dropdown
#
# With $x=2z/\sqrt k$, $q_k(z)=\frac{\sqrt k}4\bigl[1-\sqrt{1+x^2}+x\operatorname{arcsinh}x\bigr]$. For small $x$ the bracket is
# $\frac{x^2}2+O(x^4)$, so $\sqrt k\,q_k(z)\to\frac k4\cdot\frac{2z^2}k=\frac{z^2}2$. For large $x$ it is $|x|\ln(2|x|)-|x|+1+o(1)$, so
# $q_k(z)=\frac{|z|}2\bigl[\ln\frac{4|z|}{\sqrt k}-1\bigr]+O(\sqrt k)$, and $\ln(1/\sqrt k)$ dominates.
# ````
#
# ````{exercise} Shared weights
# :label: exercise-diagonal-shared
#
# Woodworth et al. train $w=u_+^2-u_-^2$ from $u_\pm=\alpha'$. Which $k$ is this, and why does the scale $\alpha$ of this chapter equal
# $\alpha'^2$?
# ````
#
# ````{solution} exercise-diagonal-shared
# :class: dropdown
#
# $u=v=\alpha'$ stays so under the flow, up to a factor in time. Hence $\alpha=uv=\alpha'^2$, $s=0$ and $\sqrt k=2(u^2+v^2)=4\alpha'^2$.
# ````
#
# ````{exercise} A coordinate that cannot be negative
# :label: exercise-diagonal-sign
#
# Set $u_-=v_-=0$ and $u_+=v_+=a$. What are $A$, $B$, $k$, and which $w$ can be reached? Which program does the flow solve?
# ````
#
# ````{solution} exercise-diagonal-sign
# :class: dropdown
#
# $A=a^2$, $B=0$, $k=0$: $w=a^2e^{2\nu}>0$. The flow minimizes $\mathrm{KL}(w\,\|\,a^2)$ over the positive {term}`interpolators <interpolator>`: entropic
# regularization, as exponentiated gradient does in the limit of small steps. It needs a positive interpolator.
# ````
#
# ## References
#
# {cite:t}`azulay2021` prove the theorem for untied weights; {cite:t}`woodworth2020` for shared ones; {cite:t}`yun2021` treat linear networks of many forms in one frame.
