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
# # One leaky ReLU neuron: the same minimizer, for other labels
#
# A neuron $f(x)=a\,\sigma(w^\top x)$ with a leaky ReLU is not linear in $x$, and on the way to zero loss samples change sides. But the leaky ReLU can be
# inverted: fitting $y$ is the same as fitting other labels $\tilde y$ with the linear predictor $\tilde w=aw$. {cite:t}`azulay2021` show that
# {term}`gradient flow` ends at a {term}`KKT point` of the linear neuron's problem; here it is shown to be the global minimizer, in closed form:
#
# $$\begin{aligned}
# \tilde w(\infty)&=\operatorname*{arg\,min}_{X\tilde w=\tilde y}\bigl[q_\delta(\|\tilde w\|)+z^\top\tilde w\bigr]\\
# &=X^+\tilde y+a_\infty P_\perp w(0),\\
# \tilde y&=\varsigma\,\sigma^{-1}(\varsigma y),
# \end{aligned}$$
#
# where $\varsigma$ is the sign of $a(0)$, $\delta=a^2-\|w\|^2\ge0$, and the rest is as for the {doc}`linear neuron <single_neuron>`. A ReLU cannot be inverted: with a sample that ends
# inactive the formula fails, and {cite:t}`vardi2021` prove that for a ReLU no function is minimized in this way.
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# $\sigma(z)=z$ for $z>0$ and $\rho z$ for $z\le0$, with a slope $\rho\in(0,1)$. $X$ is $N\times d$ with rows $x_n$ and rank $N<d$,
# $r_n=y_n-a\,\sigma(w^\top x_n)$, and $a\in\mathbb R$, $w\in\mathbb R^d$ follow the gradient flow of $\frac12\|r\|^2$:
#
# $$\begin{aligned}\dot w&=a\sum_n r_n\,\sigma'_n\,x_n,\\\dot a&=\sum_n r_n\,\sigma(w^\top x_n),\end{aligned}$$
#
# where $\sigma_n'=\sigma'(w^\top x_n)$ is $1$ or $\rho$, and anything in $[\rho,1]$ while $w^\top x_n=0$: the flow follows Clarke's subdifferential. As for the
# {doc}`linear neuron <single_neuron>`, $\tilde w=aw$, $\delta=a^2-\|w\|^2$, scale $\alpha=|a|\|w\|$, shape $s=\frac{|a|-\|w\|}{|a|+\|w\|}$, and
# $P_\perp$ projects on the complement of the row space of $X$. $\varsigma$ is the sign of $a(0)$.

# %% tags=["hide-input"]
from itertools import product

import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.activations import LeakyReLU
from implicit_bias.data import RowSpace, Samples, sparse_regression
from implicit_bias.figures import style
from implicit_bias.flows import descend, follow_kinked
from implicit_bias.limits.neuron import NeuronRegularizer, leaky_neuron_limit, linear_neuron_limit, unleaked
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, TwoLayer, neuron_start
from implicit_bias.rates import log_log_slope
from reproduce.claims import Altered, Claims, Control, Rival, stepping
from reproduce.claims.glued import glue_all

claims = Claims("leaky_neuron")

style.use_style()

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Azulay et al. 2021, Theorem 4
# :label: theorem-leaky
#
# Let $0<\rho\le1$, $\delta\ge0$ and $\tilde w(0)\ne0$. If gradient flow converges to a $\tilde w(\infty)$ of zero loss, then $\tilde w(\infty)$ is a KKT point, in the sense of Clarke, of
#
# $$\min_{\tilde w}\;q_\delta(\|\tilde w\|)+z^\top\tilde w\quad\text{over}\quad f(x_n)=y_n,$$
#
# $n=1,\dots,N$, with $q_\delta$ and $z$ those of the {prf:ref}`linear neuron <theorem-neuron>`.
# ```
#
# The constraint looks non-convex. It is not:
#
# ````{prf:proposition} The limit in closed form
# :label: proposition-leaky
#
# Under the same premises, and if $y\ne0$, $\tilde w(\infty)$ is the one global minimizer. With $b=\delta+\|P_\perp w(0)\|^2$,
#
# ```{math}
# :label: leaky-limit
# \tilde w(\infty)=X^+\tilde y+a_\infty P_\perp w(0),
# ```
#
# $$\tilde y=\varsigma\,\sigma^{-1}(\varsigma y),$$
#
# $$a_\infty=\varsigma\sqrt{\tfrac12\Bigl(b+\sqrt{b^2+4\|X^+\tilde y\|^2}\Bigr)}.$$
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# $\sigma(z)=\sigma'(z)z$, so
#
# $$\tfrac12\tfrac d{dt}\bigl(a^2-\|w\|^2\bigr)=a\sum_nr_n\bigl(\sigma(w^\top x_n)-\sigma'_nw^\top x_n\bigr)=0:$$
#
# $\delta$ is conserved. If $\delta>0$, then $a^2\ge\delta$; if $\delta=0$, then $|\dot a|\le\|r\|\|Xw\|\le\|r\|\|X\||a|$. Either way $a$ keeps its sign $\varsigma$ at all finite
# times, and in the limit too as $y\ne0$. Since $\sigma$ is positively homogeneous,
#
# $$f(x)=a\,\sigma(w^\top x)=\varsigma\,\sigma(\varsigma\,\tilde w^\top x),$$
#
# and $\sigma$ is invertible: $f(x_n)=y_n$ for all $n$ is the same as $X\tilde w=\tilde y$, an affine constraint. $\dot w$ lies in the row space of $X$ whatever the $\sigma'_n$
# are. With these three facts (conserved $\delta$, fixed $P_\perp w$, $X\tilde w(\infty)=\tilde y$) the proof of the {prf:ref}`linear neuron's limit <proposition-neuron>` applies word for word, and
# so does $\nabla Q(\tilde w)=\frac32\varsigma(w-w(0))\in\operatorname{row}(X)$, the stationarity condition of a strictly convex program.
# ````
#
# So the neuron trains like a linear one with the labels on the side of $-\varsigma$ divided by $\rho$, although its path is another: samples start on one side and end on
# the other. Invertibility is what the ReLU lacks, $\rho=0$: a sample that ends inactive leaves $w^\top x_n$ open.
#
# The prediction is {eq}`leaky-limit`, and independently Newton's method for the minimizer of $Q$, certified by residual, stationarity and gap.
# Here it is, for the flow shown below:
#
# | slope $\rho$ | $\lVert X^+y\rVert$ | $\lVert X^+\tilde y\rVert$ | $a_\infty$ |
# |---|---|---|---|
# | {glue:text}`leaky_neuron_slope` | {glue:text}`leaky_neuron_plain` | {glue:text}`leaky_neuron_unleaked` | {glue:text}`leaky_neuron_a` |
#
# ## Experiment
#
# The data are of the kind of the paper's Section 9, smaller by default. Every slope and scale is run with both signs of $a$, each from a start of its own with a sample on the wrong side.

# %% tags=["parameters"]
n: int = 10  # number of samples N, at most half of d, in [4, 100]
d: int = 30  # number of features d, in [8, 1000]
slopes: list[float] = [0.1, 0.5]  # slopes ρ of the leaky ReLU, each in [0.05, 1]
scales: list[float] = [1e-3, 0.3, 10]  # scales α of the initialization, each in [1e-4, 30]
shape: float = 0.2  # shape s of the initialization, in [0, 0.9]
learning_rates: list[float] = [0.1, 0.05, 0.025]  # rates η over the largest stable one, each in [0.01, 0.2]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where 2 * n <= d
# where len(set(learning_rates)) >= 2

# %% tags=["hide-input"]
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
problem = sparse_regression(data_stream, n, d, nonzeros=min(5, d))
x, y = problem.x, problem.y
row_space = RowSpace(x)


def draw(sign):
    """A direction of w(0) with a part outside the row space of X that is not small, and a sample on the wrong side."""
    while True:
        direction = initialization_stream.standard_normal(d)
        wrong = np.sign(x @ direction) != sign * np.sign(y)
        if np.any(wrong) and np.linalg.norm(row_space.outside(direction)) > 0.1 * np.linalg.norm(direction):
            return direction


# %% [markdown]
# At the kink a sample can *slide*: if $\varsigma y_n<0$ while the other samples push $w^\top x_n$ up, it is driven back to the kink from both sides. Explicit integrators creep there, implicit
# ones stop or err. The kink is therefore smoothed over a width $\varepsilon=10^{-8}$ by a softplus, which is stiff but ordinary, and $\delta$ then drifts by
# a multiple of $\varepsilon$. Since $w(t)-w(0)=X^\top\mu(t)$, the flow takes $N+1$ numbers,
#
# $$\dot\mu_n=a\,r_n\,\sigma'_n,\qquad\dot a=\sum_nr_n\,\sigma(w^\top x_n),$$
#
# integrated with a stiff solver and its Jacobian to a stated time; that it interpolates is asserted. Gradient descent needs no smoothing: it runs on all $d+1$ parameters with the
# kink as it is.

# %% tags=["hide-input"]
KINK = 1e-8  # the width ε
RTOL = 1e-11  # the relative tolerance of a step


def flow(slope, start, x, labels, record=()):
    """The flow in N + 1 numbers: reduction and solution.

    It runs for 40 times of escape from 0 and 60 of decay at the end, where a² ≥ ‖Pw̃‖: both as if every σ′ were ρ.
    """
    reduced = Risk(TwoLayer(LeakyReLU(slope, KINK)), Samples(x, labels), Squared("sum")).in_span(*start)
    least = max(slope, 0.05)
    target = unleaked(labels, int(np.sign(reduced.a[0])), least)
    size = np.linalg.norm(np.linalg.lstsq(x, target)[0])
    slowest = np.linalg.eigvalsh(x @ x.T)[0]  # mutant: a run long enough by far
    # mutant: a run long enough by far
    end = float((40 / np.linalg.norm(labels @ x) + 60 / (slowest * size)) / least**2)
    return reduced, follow_kinked(reduced, t_end=end, record=np.asarray(record) * end, rtol=RTOL)


# mutant: when states are recorded
fractions = np.geomspace(1e-9, 0.999, 900)  # of a run's time, recorded

# %%
cases, trained = [], []
for slope, scale, sign in product(slopes, scales, (1, -1)):
    start = neuron_start(draw(sign), scale, shape, sign)
    (w,), (a,) = start
    closed = leaky_neuron_limit(x, y, a, w, slope)  # predict: X⁺ỹ + a_∞ P⊥w(0)
    reduced, run = flow(slope, start, x, y, fractions)  # train
    cases.append((slope, start, closed))
    trained.append((reduced, run))
    (a_end,) = reduced.weights(run.final)[1]
    print(f"ρ = {slope:g}, α = {scale:<5g} final a: predicted {closed.a:9.6f}, trained {a_end:9.6f}")

# %% tags=["hide-input"]
runs = []
for slope, ((w,), (a,)), closed in cases:
    delta = max(float(a**2 - w @ w), 0.0)
    best = NeuronRegularizer(delta, a * w).minimize(x, unleaked(y, int(np.sign(a)), slope))
    runs.append((slope, ((w,), (a,)), closed, best))
worst = max(max(closed.certificate.worst, best.certificate.worst) for _, _, closed, best in runs)
print("certified: every residual of closed forms and minimizers at most 1e-9:", worst <= 1e-9)

learned, outputs, drift, crossings, paths = [], [], [], [], []
for reduced, run in trained:
    assert reduced.misfit(run.final) <= 1e-8 * np.linalg.norm(y), "the flow does not interpolate"
    learned.append(reduced.predictor(run.final))
    outputs.append(reduced.outputs(run.final))
    drift.append(reduced.balance(run.theta)[:, 0] - reduced.balance(reduced.start)[0])
    z = reduced.weights(run.theta)[0][:, 0] @ x.T
    clear = np.where(np.abs(z) > 1e-6, np.sign(z), np.nan)  # neither side while it slides
    crossings.append(sum(int(np.sum(np.diff(side[~np.isnan(side)]) != 0)) for side in clear.T))
    paths.append((run.t, reduced.predictor(run.theta) @ x.T, z))
assert min(crossings) >= 1, "no sample changed sides: a linear neuron would do as well"

shown = 2 * (len(scales) // 2)  # the flow of the figure
fits_of_least_norm = [np.linalg.norm(np.linalg.lstsq(x, labels)[0]) for labels in (y, unleaked(y, 1, slopes[0]))]
glue_all("leaky_neuron", ".3g", slope=slopes[0], plain=fits_of_least_norm[0], unleaked=fits_of_least_norm[1],
         a=cases[shown][2].a)

# %% [markdown]
# **Gradient descent**, on the largest of the slopes, or on $0.5$ if that is larger, from the start of one of the flows; its learning rate is given as a fraction of the largest stable one at the limit.

# %% tags=["hide-input"]
steepest = max(0.5, *slopes)  # mutant(max; 0.5): how keen the smoothed kink is
chosen = 2 * (slopes.index(max(slopes)) * len(scales) + len(scales) // 2)
kinked = LeakyReLU(steepest)
sharp = Risk(TwoLayer(kinked), problem, Squared("sum")).of_weights(*runs[chosen][1])
end = leaky_neuron_limit(x, y, sharp.a[0], sharp.w[0], steepest)  # mutant: a run long enough by far
# mutant: the unit of the learning rates
features = np.column_stack([end.a * kinked.derivative(x @ end.w)[:, None] * x, kinked.value(x @ end.w)])
# mutant: the unit of the learning rates
stable = 2 / float(np.linalg.eigvalsh(features @ features.T)[-1])
rates = [float(fraction * stable) for fraction in learning_rates]


def to_misfit(rate, target):
    """Gradient descent on the sharp kink until the misfit is the target."""
    return descend(sharp, rate, t_end=float(paths[chosen][0][-1]), misfit=target, max_steps=1_000_000).final


finals = [to_misfit(rate, 1e-9) for rate in rates]  # mutant: when a descent ends
floors = [float(np.linalg.norm(sharp.predictor(theta) - end.predictor)) for theta in finals]
early = [float(np.linalg.norm(sharp.predictor(to_misfit(rate, 0.1 * float(np.linalg.norm(y)))) - end.predictor))
         for rate in rates]

# %% [markdown]
# ### A ReLU, for which it fails
#
# A ReLU, $\rho=0$, cannot be inverted. To show that the result fails with it, every other premise must hold, zero loss included. A neuron with $a>0$ and five samples does it:
#
# - One sample, $x_n$, has the label $0$, all others have positive labels. Once $x_n$ is inactive, $w^\top x_n<0$, the ReLU's output there is $0$: it is fitted, wherever $w^\top x_n$ then lies.
# - All samples start active, and the others push $x_n$ over the kink while they are fitted. Of five random samples $x_n$ is the one that the others push most: the one at which their least-norm fit has the
#   largest value, with the sample's sign turned to make that value negative.
# - Starts are drawn until $x_n$ ends strictly inactive and no other sample does.
#
# From the same start a leaky ReLU must end with $w^\top x_n=0$, as {eq}`leaky-limit` says. And where all labels are positive and all samples stay active, a ReLU must obey {eq}`leaky-limit` too: there it is linear.
#
# Does the ReLU perhaps minimize $Q$ among *its own* {term}`interpolators <interpolator>`, all $\tilde w$ with $\tilde w^\top x_n\le0$ and the other labels fitted? It does not. Where that minimizer has
# $\tilde w^\top x_n<0$, the sample $x_n$ plays no part, and $w-w(0)$ lies in the span of the others. But the trained $w-w(0)$ contains a multiple of $x_n$, gathered while $x_n$ was active. The right panel of the figure shows all three.

# %% tags=["hide-input"]
few = 5 if n > 5 else n
x_few = x[:few].copy()
y_few = data_stream.uniform(1, 2, few)  # stream: data
fits = []  # on each sample, by the least-norm fit of the others
for index in range(few):
    others = np.arange(few) != index
    fits.append(float(x_few[index] @ np.linalg.lstsq(x_few[others], y_few[others])[0]))
silent = int(np.argmax(np.abs(fits)))
x_few[silent] *= -np.sign(fits[silent])
zero_label = np.where(np.arange(few) == silent, 0.0, y_few)


def start_at(values):
    """A ReLU neuron with a > 0 and the given w̃ᵀx_n > 0, and as much of w̃ outside their row space."""
    inside = np.linalg.lstsq(x_few, values)[0]
    across = initialization_stream.standard_normal(d)
    across = across - np.linalg.lstsq(x_few, x_few @ across)[0]
    w = inside + across * np.linalg.norm(inside) / np.linalg.norm(across)
    return neuron_start(w, float(np.linalg.norm(w)), shape)


def draw_until(values, labels, wanted):
    """The first of 100 drawn ReLU neurons that interpolates with pre-activations as wanted, and its predictor."""
    for _ in range(100):
        start = start_at(values)
        reduced, run = flow(0.0, start, x_few, labels)
        z = reduced.pre_activations(run.final)[0]
        if run.converged and reduced.misfit(run.final) <= 1e-8 and wanted(z):
            return start, reduced.predictor(run.final)
    raise AssertionError("no start of 100 ended as the control needs it")


relu, relu_end = draw_until(
    # mutant(y_few): another start of the control
    np.where(np.arange(few) == silent, 0.2 * abs(fits[silent]), 0.6 * y_few),
    zero_label, lambda z: z[silent] < -1e-3 and np.delete(z, silent).min() > 0)
all_active, active_end = draw_until(0.6 * y_few, y_few, lambda z: z.min() > 0)
(relu_w,), (relu_a,) = relu
leaky_reduced, leaky_run = flow(min(slopes), relu, x_few, zero_label, fractions)
relu_reduced, relu_run = flow(0.0, relu, x_few, zero_label, fractions)
leaky_run.demand()
assert leaky_reduced.misfit(leaky_run.final) <= 1e-7
relu_predicted = linear_neuron_limit(x_few, zero_label, relu_a, relu_w).predictor
relu_q = NeuronRegularizer(max(float(relu_a**2 - relu_w @ relu_w), 0.0), relu_a * relu_w)
relu_best = relu_q.minimize(np.delete(x_few, silent, axis=0), np.delete(y_few, silent)).w
if x_few[silent] @ relu_best > 0:  # then the constraint on the sample with label 0 is tight
    relu_best = relu_predicted
active_predicted = linear_neuron_limit(x_few, y_few, all_active[1][0], all_active[0][0]).predictor

# %% mystnb={"figure": {"caption": "Left: $\\tilde w^\\top x_n$ in training, one line a sample; those that change sides are coloured (blue: to active, red: to inactive). All end at the predicted $\\tilde y_n$ (dashed); the axis is linear near 0 and logarithmic far from it. Middle: gradient descent misses the closed form in proportion to its learning rate. Right: the sample with label $0$, from one start: the leaky ReLU brings it to $0$ (dashed), the ReLU leaves it inactive, and not where $Q$ is least among the ReLU's own interpolators (dotted).", "name": "figure-leaky"}, "image": {"alt": "Three panels: outputs of the linear predictor on each sample against time, error of gradient descent against learning rate, and one sample under leaky ReLU and ReLU", "classes": "panels-3"}} tags=["hero", "hide-input"]
left, middle, right = style.panels(3, (11.4, 4.0))
t, products, z = paths[shown]
for index in range(n):
    changes = np.sign(z[0, index]) != np.sign(products[-1, index] * np.sign(runs[shown][1][1][0]))
    color = style.COLORS[("red", "blue")[int(products[-1, index] > 0)] if changes else "grey"]
    left.plot(t[1:], products[1:, index], color=color, linewidth=2.0 if changes else 1.0, zorder=3 if changes else 2)
left.axhline(0, color=style.COLORS["black"], linewidth=0.6)
target = unleaked(y, 1, slopes[0])
for value in target:
    style.theory(left, [t[-1] / 8, t[-1]], [value, value])
left.set_yscale("asinh", linear_width=2.0)
left.set(xscale="log", xlabel=r"$t$", ylabel=r"$\tilde w(t)^\top x_n$", xlim=(1e-3, t[-1]))
low, high = left.get_ylim()
ticks = [v for v in (-100, -30, -10, -3, 0, 3, 10, 30, 100) if low <= v <= high]
left.set_yticks(ticks, ticks)
left.minorticks_off()
left.set_title(rf"samples change sides, $\rho={slopes[0]:g}$")
middle.loglog(learning_rates, floors, "o", label="gradient descent")
style.theory(middle, learning_rates, floors[-1] * np.array(learning_rates) / learning_rates[-1], "first order")
middle.set(xlabel=r"$\eta/\eta_{\max}$", ylabel=r"$\|\tilde w-\tilde w(\infty)\|$", title="off the closed form")
middle.set_xticks(learning_rates, [f"{rate:g}" for rate in learning_rates])
middle.minorticks_off()
middle.set_yticks(floors, [f"{floor:.1e}" for floor in floors])
middle.legend(loc="upper left")
for reduced, run, label, color in ((leaky_reduced, leaky_run, rf"$\rho={min(slopes):g}$", "blue"),
                                   (relu_reduced, relu_run, r"$\rho=0$, ReLU", "red")):
    values = [reduced.predictor(state) @ x_few[silent] for state in run.theta]
    right.plot(run.t[1:], values[1:], color=style.COLORS[color], label=label)
style.theory_level(right, 0.0, "predicted")
right.axhline(float(x_few[silent] @ relu_best), color="black", linestyle=":", label="least $Q$ for the ReLU")
right.set(xscale="log", xlabel=r"$t$", ylabel=r"$\tilde w(t)^\top x_n$", xlim=(1e-3, relu_run.t[-1]))
right.set_title("the sample with label 0")
low, high = right.get_ylim()
right.set_ylim(low, high + 0.5 * (high - low))
right.legend(loc="upper right", fontsize=12, handlelength=1.2, labelspacing=0.2)
plt.show()

# %% [markdown]
# ## Headline claims
#
# All slopes, scales and both signs of $a$ against the closed form; every run starts with a sample on the wrong side, which must change it. The
# {term}`control` is the ReLU with the one sample that ends inactive. The {term}`rival` is the linear neuron on the same labels.
#
# ```{claim} limit
# :headline: predictor at the end, against the closed form
# :source: derived in this chapter; it implies Azulay et al. 2021, Theorem 4
# :evidence: trained and compared
# :because: the smoothed kink moves δ by at most 2(1−ρ) ε ln 2 ∫|a| Σ|r| dt, and a∞ by at most this over 2a∞,
#   times P⊥w(0)
# :control: a ReLU, ρ = 0, with one sample that ends inactive
# :rival: the linear neuron on the labels y
#
# the flow of a leaky neuron ends at the linear neuron's closed form for the labels ỹ
# ```

# %% tags=["hide-input"]
derived_residuals = [np.abs(y - reduced.output_weights(run.theta) * LeakyReLU(slope).value(z)).sum(axis=1)
                     for (slope, *_), (reduced, run), (*_, z) in zip(cases, trained, paths, strict=True)]
derived_kinks = [  # what the smoothed kink may add to δ: 2(1−ρ) ε ln 2 ∫|a| Σ|r| dt
    2 * (1 - slope) * KINK * np.log(2) * np.trapezoid(np.abs(reduced.output_weights(run.theta)[:, 0]) * off, run.t)
    for (slope, *_), (reduced, run), off in zip(cases, trained, derived_residuals, strict=True)]
derived_limit = max(kink * np.abs(row_space.outside(w)).max() / abs(2 * closed.a)
                    for kink, (_, ((w,), _), closed) in zip(derived_kinks, cases, strict=True))
claims.limit("limit", np.stack([closed.predictor for _, _, closed, _ in runs]), np.stack(learned), error=derived_limit,
             control=Control(relu_end, theory=relu_predicted, anew=True),
             rival=Rival(np.stack([linear_neuron_limit(x, y, a, w).predictor for _, ((w,), (a,)), *_ in runs]),
                         factor=1e3))

# %% [markdown]
# From the start at which the ReLU fails, and for the same labels, the leaky ReLU obeys {eq}`leaky-limit`; the ReLU is the control.
#
# ```{claim} zero_label
# :headline: predictor at the end, from the start at which the ReLU fails
# :evidence: trained and compared
# :because: the sample with label 0 ends where the smoothed kink is 0: at most (1−ρ) ε ln 2/ρ off, times a∞
#   and its column of X⁺
# :control: ρ = 0 from the same start, for the same labels
#
# from the start at which the ReLU fails, the leaky ReLU ends at the closed form
# ```
#
# Gradient descent, with the kink as it is, misses the closed form by an error that vanishes like its learning rate. The control stops it
# at a misfit of a tenth of $\|y\|$, where the stop, not the rate, sets the error.
#
# ```{claim} descent
# :headline: order in the learning rate of the error of gradient descent
# :source: derived: one step of size η differs from the flow by O(η²), and by O(η) while a sample slides
# :evidence: trained and compared
# :because: the second-order term shifts the exponent in proportion to η, and so does where a sample slides:
#   by how much the exponents between neighbouring rates differ, these and their doubles
# :contrast: stopped at a misfit of a tenth of ‖y‖
#
# gradient descent on the sharp kink misses the closed form by an amount of first order in the learning rate
# ```

# %% tags=["hide-input"]
derived_height = KINK * np.log(2) * (1 - min(slopes)) / min(slopes)  # where the smoothed activation is 0
derived_a = linear_neuron_limit(x_few, zero_label, relu_a, relu_w).a
claims.limit("zero_label", relu_predicted, leaky_reduced.predictor(leaky_run.final),
             error=derived_height * abs(derived_a) * np.abs(np.linalg.pinv(x_few)[:, silent]).max(), control=relu_end)

# %% tags=["hide-input"]
derived_finals = [to_misfit(2 * rate, 1e-9) for rate in rates]
derived_floors = [float(np.linalg.norm(sharp.predictor(theta) - end.predictor)) for theta in derived_finals]
derived_orders = [np.diff(np.log(part)) / np.diff(np.log(rates)) for part in (derived_floors, floors)]  # neighbours
claims.rate("descent", 1.0,
            # mutant: an exponent of one, or of minus one, is its own inverse
            log_log_slope(rates, floors),
            error=np.ptp(np.concatenate(derived_orders)), control=log_log_slope(rates, early))

# %% [markdown]
# ## Instruments
#
# The global minimizer, the labels $\tilde y$, what the flow conserves, and a ReLU that stays active.
#
# ### The global minimizer, and the labels
#
# The limit against the minimizer of $Q$. The control is the ReLU again, which misses it although $Q$ is minimized over its own interpolators; the rival takes the labels $\sigma^{-1}(y)$ whatever the sign of $a$.
#
# ```{claim} minimizer
# :source: Azulay et al. 2021, Theorem 4, made stronger in this chapter
# :evidence: trained and compared
# :because: as for the limit, and the worst residual of Newton's method
# :control: a ReLU, ρ = 0, and the minimizer of Q among its own interpolators
# :rival: the minimizer for σ⁻¹(y), as if a were positive
#
# that limit is the global minimizer of Q under interpolation
# ```
#
# ```{claim} labels
# :evidence: trained and compared
# :because: the flow contracts to its fit: of the integrator's errors that of the last step is left, 1e-11
# :control: the linear predictor on the labels y
#
# at the end the network fits y and the linear predictor fits ỹ
# ```

# %% tags=["hide-input"]
sign_ignored = []
for slope, ((w,), (a,)), *_ in runs:
    q = NeuronRegularizer(max(float(a**2 - w @ w), 0.0), a * w)
    sign_ignored.append(q.minimize(x, unleaked(y, 1, slope)).w)
claims.limit("minimizer", np.stack([best.w for *_, best in runs]), np.stack(learned),
             error=derived_limit + worst * np.abs(learned).max(),
             control=Control(relu_end, theory=relu_best, anew=True), rival=Rival(np.stack(sign_ignored), factor=1e3))
claims.identity(  # tolerance: the integrator's own
    "labels", np.stack([[y, unleaked(y, int(np.sign(a)), slope)] for slope, (_, (a,)), *_ in runs]),
    np.stack([[output, x @ w] for output, w in zip(outputs, learned, strict=True)]), relative=True,
    error=stepping(1, RTOL), control=Altered(np.stack([x @ w for w in learned]), theory=np.stack([y] * len(runs))))

# %% [markdown]
# ### What the flow conserves
#
# $\delta$, through every change of sides. Gradient descent does not keep it.
#
# ```{claim} conserved
# :source: Du et al. 2018, Theorem 2.1
# :evidence: proved here
# :because: what the smoothed kink can add is at most 2(1−ρ) ε ln 2 ∫|a| Σ|r| dt; the integrator adds far less
# :control: gradient descent, at the largest of the learning rates
#
# the flow conserves a² − ‖w‖² through every change of sides
# ```

# %% tags=["hide-input"]
claims.identity("conserved", 0.0, np.concatenate(drift), proved=max(derived_kinks),
                control=sharp.balance(finals[0]) - sharp.balance(sharp.start))

# %% [markdown]
# ### A ReLU that stays active
#
# ```{claim} relu_active
# :evidence: trained and compared
# :because: no sample slides along the kink, and the flow contracts to its fit: the integrator's last step,
#   and what its drift of δ moves
# :control: one sample ends inactive
#
# a ReLU whose samples all end active, with positive labels, ends at the closed form
# ```

# %% tags=["hide-input"]
derived_reduced, derived_run = flow(0.0, all_active, x_few, y_few)
derived_drift = np.abs(np.diff(derived_reduced.balance(derived_run.theta)[[0, -1], 0]))[0]
derived_length = np.linalg.norm(all_active[0]) / abs(2 * derived_reduced.weights(derived_run.final)[1][0])
claims.limit("relu_active", active_predicted, active_end,
             error=stepping(1, RTOL, size=np.abs(active_end).max()) + derived_drift * derived_length,
             control=Control(relu_end, theory=relu_predicted, anew=True))

# %% [markdown]
# ## What would falsify it
#
# A leaky neuron with $\delta\ge0$ that fits the data and is not at {eq}`leaky-limit`, whatever samples change sides on the way; a flow that changes $a^2-\|w\|^2$; a ReLU that gives up a sample on the way and still ends where $Q$ is
# least among its interpolators.
#
# ## Differences from the paper
#
# - The paper proves that the limit is a KKT point, for a constraint that looks non-convex. Here the constraint is shown to be affine, so that the limit is the global minimizer, and it is given in
#   closed form.
# - The paper reports no experiment on this theorem. The data are of the kind of its Section 9, smaller by default.
# - The flow runs with the kink smoothed over a width $\varepsilon=10^{-8}$; gradient descent runs with the kink itself.
# - The result does not contradict {cite:t}`vardi2021`: they exclude any explicit regularizer for the ReLU, $\rho=0$, which no claim of this chapter covers but where all samples stay active.
#
# ## Scope
#
# - The theorem assumes convergence to zero loss. For $\rho>0$, $\delta>0$ and $X$ of rank $N$ it follows: the loss decays exponentially ({ref}`exercise-leaky-converges`), and then the path has a finite length, as for one linear neuron.
# - $\delta\ge0$ is needed: otherwise $a$ can pass through $0$, and $\tilde y$ with it to its other value.
# - One neuron. With several, the sum of their outputs fixes no affine constraint on each.
#
# ## Exercises
#
# ````{exercise} The flow converges
# :label: exercise-leaky-converges
#
# Let $\rho>0$, $\delta>0$ and $\lambda$ be the least eigenvalue of $XX^\top$. Show that $\|r(t)\|\le\|r(0)\|e^{-\delta\rho^2\lambda t}$.
# ````
#
# ````{solution} exercise-leaky-converges
# :class: dropdown
#
# Along a gradient flow the loss falls at the rate of its squared gradient, at least $\|\dot w\|^2=a^2\|X^\top Dr\|^2$ with $D=\operatorname{diag}(\sigma'_n)\ge\rho$. That is at least
# $\delta\lambda\|Dr\|^2\ge\delta\lambda\rho^2\|r\|^2$. So $\frac d{dt}\frac12\|r\|^2\le-\delta\rho^2\lambda\|r\|^2$.
# ````
#
# ````{exercise} Who can slide
# :label: exercise-leaky-slide
#
# Let $w^\top x_n=0$ and $\varsigma=1$. Show that the flow drives $w^\top x_n$ to $0$ from both sides, so that $x_n$ slides and cannot leave at once, only if $y_n<0$. What is $\sigma'_n$ then?
# ````
#
# ````{solution} exercise-leaky-slide
# :class: dropdown
#
# There $r_n=y_n$, and $\frac d{dt}w^\top x_n=c+a\sigma_n'y_n\|x_n\|^2$ with a $c$ from the other samples. On the active side $\sigma'_n=1$, on the other $\sigma_n'=\rho$. It is driven to $0$ from both sides
# if $c+ay_n\|x_n\|^2<0<c+\rho ay_n\|x_n\|^2$, which needs $y_n<0$. In between $\sigma_n'=-c/(ay_n\|x_n\|^2)\in[\rho,1]$ holds it at $0$.
# ````
#
# ````{exercise} The leak as a weight
# :label: exercise-leaky-weight
#
# Let $\alpha\to0$. Which norm is minimized, and what happens as $\rho\to0$ to samples with $\varsigma y_n<0$?
# ````
#
# ````{solution} exercise-leaky-weight
# :class: dropdown
#
# $\|\tilde w\|$ under $X\tilde w=\tilde y$: the limit is $X^+\tilde y$. The labels of those samples become $y_n/\rho$, so $\|\tilde w(\infty)\|$ grows like $1/\rho$: a ReLU cannot fit them at all.
# ````
#
# ## References
#
# {cite:t}`azulay2021` prove the theorem; {cite:t}`vardi2021` prove that a ReLU neuron has no such regularizer; {cite:t}`du2018` show that the layers' balance is conserved.
