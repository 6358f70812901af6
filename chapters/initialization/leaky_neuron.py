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
# # A leaky ReLU neuron ends where a linear one ends with other labels
#
# ```{question}
# ```
#
# One neuron with a positive output weight must fit {glue:text}`leaky_neuron_n` labels. Its leaky ReLU multiplies negative values by {glue:text}`leaky_neuron_slope`. So it fits its labels exactly where a linear neuron fits *other* labels, the negative ones divided by {glue:text}`leaky_neuron_slope`. Its path is another, on which {glue:text}`leaky_neuron_crossings` samples cross the kink, but it ends where that linear neuron ends. {term}`Gradient flow <gradient flow>` keeps the {doc}`balance of its layers <balancedness>` and the sign of the output weight, moves the input weights only within the span of the samples, and stops where all labels are fitted. Only one point is left. So any loss will do that is least where the labels are fitted, and any positive weights of the samples. Trained in three ways, the neuron takes three paths, whose ends differ by at most about {glue:text}`leaky_neuron_apart` an entry (the kink smoothed over $10^{-8}$). A ReLU need not end there.
#
# ```{hero}
# ```
#
# ## The statement
#
# Let $x_k\in\mathbb R^d$ be the $n$ samples, the rows of $X$, and $y_k$ their labels. The neuron is $f(x)=a\,\sigma(w\cdot x)$, where $\sigma(z)=z$ for $z>0$ and $\gamma z$ for $z\le0$, with a slope $0<\gamma\le1$. The vector $\tilde w=aw$ is its *predictor*, what a linear neuron $a\,w\cdot x$ would multiply the samples with. $P_\perp$ projects on what is orthogonal to all samples, and $P=I-P_\perp$ on their span. At the start let $a\ne0$ have the sign $\varsigma$, let $\delta=a^2-\|w\|^2$, and
#
# $$b=a^2-\|Pw\|^2=\delta+\|P_\perp w\|^2\ge0 .$$
#
# The flow conserves $\delta$ and $b$, and so $a$ keeps its sign. Then $f(x_k)=y_k$ is the same as
#
# $$\tilde w\cdot x_k=\tilde y_k=\begin{cases}y_k&\text{if }\varsigma y_k>0,\\ y_k/\gamma&\text{if not.}\end{cases}$$
#
# If training fits all labels, and these are not all zero, it ends at
#
# ```{math}
# :label: leaky-limit
# \begin{gathered}
# \tilde w(\infty)=\underbrace{X^+\tilde y}_{\text{shortest fit}}+\;a_\infty\!\underbrace{P_\perp w(0)}_{\text{never moves}},\\[2pt]
# a_\infty=\varsigma\sqrt{\tfrac12\Bigl(b+\sqrt{b^2+4\|X^+\tilde y\|^2}\Bigr)} .
# \end{gathered}
# ```
#
# $X^+$ is the pseudo-inverse. This is the formula of the {doc}`linear neuron <single_neuron>` with $\tilde y$ in place of $y$. It holds, whenever all labels are fitted, for every loss with its minimum at the labels and for all positive sample weights, also if these change in time ({prf:ref}`proposition-leaky-converges` says when training fits them). {cite:t}`azulay2021` show for the squared loss that the end is a {term}`KKT point` of
#
# $$\min_{\tilde w}\;Q(\tilde w)\quad\text{over}\quad f(x_k)=y_k,\ k\le n,$$
#
# where $Q(\tilde w)=q_\delta(\|\tilde w\|)+z\cdot\tilde w$ is the function of the {prf:ref}`linear neuron <theorem-neuron>`. Its first part is $q_\delta(\|\tilde w\|)=|a|\bigl(\|w\|^2-\frac\delta2\bigr)$ for the $|a|$ and $\|w\|$ with $|a|\|w\|=\|\tilde w\|$ and $a^2-\|w\|^2=\delta$, and $z=-\frac32\varsigma\,w(0)$. We show that the end is the one global minimizer, because the constraint, which looks non-convex, is $X\tilde w=\tilde y$.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [length of $\tilde w$](limit) at the end, $\gamma=$ {glue:text}`leaky_neuron_slope`, squared loss (the claim: all {glue:text}`leaky_neuron_d` components, {glue:text}`leaky_neuron_cases` runs) | {glue:text}`leaky_neuron_length_p` | {glue:text}`leaky_neuron_length_m` | linear neuron, labels $y$: {glue:text}`leaky_neuron_length_linear` | |
# | [the same](any_loss) with another loss, and with sample weights that change at random (the claim: all components) | {glue:text}`leaky_neuron_length_p` | {glue:text}`leaky_neuron_length_loss` and {glue:text}`leaky_neuron_length_weights` | | one sample ignored: {glue:text}`leaky_neuron_length_zero` |
# | [the same](premise), squared loss, from a start that predicts against the labels, $\delta=$ {glue:text}`leaky_neuron_premise_delta`, $a(0)^2$ a tenth above $\lVert Pw(0)\rVert^2$ | {glue:text}`leaky_neuron_premise_p` | {glue:text}`leaky_neuron_premise_m` | | {glue:text}`leaky_neuron_premise_below` below, $a$ changes its sign: {glue:text}`leaky_neuron_premise_cross_p` predicted, {glue:text}`leaky_neuron_premise_cross_m` measured |
# | [$\tilde w\cdot x$](zero_label) at the end for a sample with the label 0, $\gamma=$ {glue:text}`leaky_neuron_least` | {glue:text}`leaky_neuron_zero_p` | {glue:text}`leaky_neuron_zero_m` | | ReLU, same start: {glue:text}`leaky_neuron_zero_relu` |
# ```
#
# The first row is one of {glue:text}`leaky_neuron_cases` runs, with each slope, three scales of the start and both signs of $a$. The claim is about all of them, and in each at least one sample crosses the kink. The claim's control has data of its own, because a ReLU cannot fit labels of the sign opposite to $a$. Two earlier versions of the claim about gradient descent, which stands among the instruments, each failed on one fresh seed. The present version failed on none of twenty.
#
# **What to remember?** The limit does not depend on the path, so what a sample does on the way is forgotten: which side of the kink it was on, how strongly it was weighted, by which loss. The kink enters through the labels alone.
#
# ## The smallest case
#
# Let $d=n=1$, $x=1$, $y=-1$ and $\gamma=\frac12$, and start at $a=2$, $w=1$. Then $\delta=a^2-w^2=3$, and whatever the loss, the neuron moves along this hyperbola. The neuron outputs $2$, which is too much, so $w$ falls. At $w=0$, where $a=\sqrt3$, the sample crosses the kink. The neuron stops at $w=-1$, $a=2$, where the output is $2\cdot\frac12\cdot(-1)=-1$.
#
# The formula knows this without the path. The label becomes $\tilde y=-2$, and $a_\infty^2=\frac12(3+\sqrt{9+16})=4$. A linear neuron ends at the same point with the label $-2$, and elsewhere with the label $-1$. A ReLU would stop at $w=0$, because below zero it outputs $0$ and its gradient is zero.
#
# ## Experiment
#
# The samples and labels are of the kind of Section 9 of {cite:t}`azulay2021`, a sparse regression, smaller by default. Every slope and every scale $\alpha=|a|\|w\|$ is run with both signs of $a$, each from a start of its own, at which $\tilde w\cdot x_k$ has the sign opposite to $y_k$ for some sample. The shape of the starts is $s=\frac{|a|-\|w\|}{|a|+\|w\|}$.

# %% tags=["hide-input"]
from itertools import product

import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.activations import LeakyReLU
from implicit_bias.data import RowSpace, Samples, sparse_regression
from implicit_bias.figures import style
from implicit_bias.flows import follow_kinked
from implicit_bias.limits.neuron import NeuronRegularizer, leaky_neuron_limit, linear_neuron_limit, unleaked
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, TwoLayer, neuron_start
from reproduce.claims import Claims, Control, Rival, stepping
from reproduce.claims.glued import glue_all

claims = Claims("leaky_neuron")

style.use_style()

# %% tags=["parameters"]
n: int = 10  # number of samples n, at most half of d, in [4, 100]
d: int = 30  # number of features d, in [8, 1000]
slopes: list[float] = [0.1, 0.5]  # slopes γ of the leaky ReLU, each in [0.05, 1]
scales: list[float] = [1e-3, 0.3, 10]  # scales α of the initialization, each in [1e-4, 30]
shape: float = 0.2  # shape s of the initialization, in [0, 0.9]
learning_rates: list[float] = [0.1, 0.05, 0.025]  # step sizes η over the largest stable one, each in [0.01, 0.2]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where 2 * n <= d
# where len(set(learning_rates)) >= 2

# %% tags=["hide-input"]
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
problem = sparse_regression(data_stream, n, d, nonzeros=min(5, d))
x, y = problem.x, problem.y
row_space = RowSpace(x)


def draw(sign):
    """A direction of w(0) with a part outside the row space of X that is not small, and a sample with w̃ᵀx_k against y_k."""
    while True:
        direction = initialization_stream.standard_normal(d)
        wrong = np.sign(x @ direction) != sign * np.sign(y)
        if np.any(wrong) and np.linalg.norm(row_space.outside(direction)) > 0.1 * np.linalg.norm(direction):
            return direction


# %% [markdown]
# At the kink a sample can *slide*: the others push it to the active side, its own label pulls it back, and it stays at the kink. Integrators need tiny steps there, so the kink is smoothed over a width $\varepsilon=10^{-8}$ by a softplus. The result is an ordinary differential equation, though stiff, and the smoothing changes $\delta$ by an amount of order $\varepsilon$. Because $w(t)-w(0)=X^\top\mu(t)$, the flow takes the $n$ numbers $\mu_k$ and $a$. Gradient descent needs no smoothing and runs on all weights with the kink as it is.

# %% tags=["hide-input"]
KINK = 1e-8  # the width ε
RTOL = 1e-11  # the relative tolerance of a step
fractions = np.geomspace(1e-9, 0.999, 900)  # mutant: when states are recorded


def flow(slope, start, x, labels, record=(), loss=None, end=None):
    """The flow in n + 1 numbers: reduction and solution.

    It runs for 40 times of escape from 0 and 60 of decay at the end, where a² ≥ ‖Pw̃‖: both as if every σ′ were γ.
    """
    reduced = Risk(TwoLayer(LeakyReLU(slope, KINK)), Samples(x, labels), loss or Squared("sum")).in_span(*start)
    least = max(slope, 0.05)
    size = np.linalg.norm(np.linalg.lstsq(x, unleaked(labels, int(np.sign(reduced.a[0])), least))[0])
    slowest = np.linalg.eigvalsh(x @ x.T)[0]  # mutant: a run long enough by far
    # mutant: a run long enough by far
    end = end or float((40 / np.linalg.norm(labels @ x) + 60 / (slowest * size)) / least**2)
    return reduced, follow_kinked(reduced, t_end=end, record=np.asarray(record) * end, rtol=RTOL)


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
    print(f"γ = {slope:g}, α = {scale:<5g} final a: predicted {closed.a:9.6f}, trained {a_end:9.6f}")

# %% [markdown]
# Now from one of these starts with another loss, $\sum_k\lambda_k\ln\cosh(f(x_k)-y_k)$, whose force is bounded, and with the squared loss whose sample weights $\lambda_k$ are drawn anew {glue:text}`leaky_neuron_phases` times, most of them close to zero. Finally the weights are drawn between $0.1$ and $1$ and kept.

# %% tags=["hide-input"]
class Weighted:
    """R = Σ λ_k c(f_k − y_k) with c(r) = r²/2, or ln cosh r."""

    def __init__(self, weights, bent=False):
        self.weights, self.bent = weights, bent

    def value(self, f, y):
        """R(f; y)."""
        r = f - y
        return float(self.weights @ (np.logaddexp(r, -r) - np.log(2) if self.bent else r**2 / 2))

    def slope(self, f, y):
        """∂R/∂f_k."""
        return self.weights * (np.tanh(f - y) if self.bent else f - y)

    def hessian(self, f, y):
        """∂²R/∂f_k∂f_l."""
        return np.diag(self.weights * (1 - np.tanh(f - y) ** 2 if self.bent else 1.0))

    def curvature(self, f, y):
        """A bound on it."""
        return float(np.max(self.weights))


shown = 2 * (slopes.index(max(slopes)) * len(scales) + len(scales) // 2)  # the case of the figure
shown_slope, shown_start, shown_limit = cases[shown]
(shown_w,), (shown_a,) = shown_start
unseen = row_space.outside(shown_w)
linear_end = linear_neuron_limit(x, y, shown_a, shown_w).predictor
weights_stream = initialization_stream.spawn(1)[0]
PHASES = 40
kept_weights = 10 ** weights_stream.uniform(-1, 0, n)
changing = [10.0 ** weights_stream.choice([-2, 0], n, p=[0.7, 0.3]) for _ in range(PHASES)]
span = 20 / np.linalg.eigvalsh(x @ x.T)[0] / abs(shown_limit.a) ** 2 / shown_slope**2  # mutant: times of the phases
one_missing = np.where(np.arange(n) == np.argmax(np.abs(y)), 0.0, 1.0)
late = 10 * float(trained[shown][1].t[-1])  # mutant: a run long enough by far

# %%
ways = {"another loss": [(Weighted(np.ones(n), bent=True), late)],
        "sample weights change": [*((Weighted(one), span / PHASES) for one in changing), (Weighted(kept_weights), late)],
        "one sample ignored": [(Weighted(one_missing), late)]}
ended, followed = {}, {}
for way, phases in ways.items():
    start, parts = shown_start, []
    for loss, until in phases:
        reduced, run = flow(shown_slope, start, x, y, fractions[::3], loss, until)  # train
        parts.append((reduced, run))
        start = reduced.weights(run.final)
    ended[way], followed[way] = reduced.predictor(run.final), parts
    print(f"{way:21s} off the closed form by {np.abs(ended[way] - shown_limit.predictor).max():.0e}")

# %% tags=["hide-input"]
def added(slope, reduced, run):
    """What the smoothed kink may add to δ: 2(1−γ) ε ln 2 ∫ |a| Σ |∂R/∂f_k| dt."""
    pull = [np.abs(reduced.risk.loss.slope(reduced.outputs(state), y)).sum() for state in run.theta]
    a = np.abs(reduced.output_weights(run.theta)[:, 0])
    return 2 * (1 - slope) * KINK * np.log(2) * np.trapezoid(a * pull, run.t)


def sensitivity(start, closed):
    """By how much the limit moves with δ, at most."""
    return np.abs(row_space.outside(start[0][0])).max() / abs(2 * closed.a)


runs, crossings = [], []
for (slope, ((w,), (a,)), _), (reduced, run) in zip(cases, trained, strict=True):
    assert reduced.misfit(run.final) <= 1e-8 * np.linalg.norm(y), "the flow does not interpolate"
    delta = max(float(a**2 - w @ w), 0.0)
    runs.append(NeuronRegularizer(delta, a * w).minimize(x, unleaked(y, int(np.sign(a)), slope)))
    z = reduced.weights(run.theta)[0][:, 0] @ x.T
    clear = np.where(np.abs(z) > 1e-6, np.sign(z), np.nan)  # neither side while it slides
    crossings.append(sum(int(np.any(np.diff(side[~np.isnan(side)]) != 0)) for side in clear.T))
assert min(crossings) >= 1, "no sample changed sides: a linear neuron would do as well"
learned = [reduced.predictor(run.final) for reduced, run in trained]
worst = max(max(closed.certificate.worst, best.certificate.worst) for (*_, closed), best in zip(cases, runs, strict=True))

# %% [markdown]
# ### How large the output weight must be
#
# The layers of the runs above have $\delta>0$. The proposition asks for less, $b>0$, so for an output weight that is larger than the part of $w(0)$ in the span of the samples. We start *against the data*, with this part opposite to the force $X^\top y$ on a neuron near zero, and with a part of the same length that no sample sees. Then $\delta<0$, and nothing but $b>0$ holds the output weight away from zero. As long as $b>0$ it stays beyond $\sqrt b$, and the neuron ends where {eq}`leaky-limit` says. If $b<0$ it passes through zero here, and then the labels $\tilde y$ of the other sign decide where the neuron ends. So in the two printed lines with $b<0$ the predicted and the measured lengths are exchanged between the two signs.

# %%
pull = y @ x / np.linalg.norm(y @ x)
hidden = row_space.outside(initialization_stream.spawn(1)[0].standard_normal(d))
hidden /= np.linalg.norm(hidden)


def against(sign, ratio):
    """From a(0)² of this ratio to ‖Pw(0)‖² = 1: predicted for the sign of a(0), trained, and what the kink may add."""
    w, a = hidden - sign * pull, sign * np.sqrt(ratio)
    closed = linear_neuron_limit(x, unleaked(y, sign, shown_slope), a, w)  # predict
    reduced, run = flow(shown_slope, (w[None], np.array([a])), x, y, fractions[::3])  # train
    kept = np.min(sign * reduced.output_weights(run.theta)[:, 0])
    return closed, reduced.predictor(run.final), added(shown_slope, reduced, run), kept


above = [against(sign, 1.1) for sign in (1, -1)]  # mutant(1.1): a start of which the same holds
for ratio in (0.9, 0.7, 0.5, 0.3, 0.1):
    below = [against(sign, ratio) for sign in (1, -1)]
    if max(kept for *_, kept in below) < 0:
        break
for said, pair in (("b > 0", above), ("b < 0", below)):
    for closed, end, _, kept in pair:
        print(f"{said}: a times its first sign is at least {kept:6.3f};",
              f"length of w̃ {np.linalg.norm(closed.predictor):.6f} predicted, {np.linalg.norm(end):.6f} trained")

# %% [markdown]
# ### A ReLU, for which it fails
#
# A ReLU, $\gamma=0$, cannot be inverted. To show that the result fails with it, every other premise must hold, zero loss included. A neuron with $a>0$ and {glue:text}`leaky_neuron_few` samples does it.
#
# - One sample has the label $0$, all others have positive labels. Once it is inactive, $w\cdot x<0$, the ReLU outputs $0$ there. So it is fitted, wherever $w\cdot x$ then lies.
# - All samples start active, and the others push that sample over the kink while they are fitted. We choose the sample that the others push most, and turn its sign so that they push it down.
# - Starts are drawn until it ends strictly inactive and no other sample does.
#
# Does the ReLU perhaps minimize $Q$ among *its own* {term}`interpolators <interpolator>`, all $\tilde w$ with $\tilde w\cdot x\le0$ at that sample and the other labels fitted? It does not (dotted line of {numref}`figure-relu`), and the proof is short. While the sample is active its output is too large, so $w-w(0)$ gathers a negative multiple of the sample. While it is inactive it adds nothing. The trained $\tilde w$ has $\tilde w\cdot x<0$, so this inequality is not tight. Were $\tilde w$ the minimizer, $\nabla Q(\tilde w)=\frac32(w-w(0))$ would lie in the span of the other samples. But the samples are independent, so it does not. {cite:t}`vardi2021` prove that for a ReLU neuron no function of the weights is minimized in this way.

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
relu_predicted = linear_neuron_limit(x_few, zero_label, relu_a, relu_w)
relu_q = NeuronRegularizer(max(float(relu_a**2 - relu_w @ relu_w), 0.0), relu_a * relu_w)
relu_best = relu_q.minimize(np.delete(x_few, silent, axis=0), np.delete(y_few, silent)).w
if x_few[silent] @ relu_best > 0:  # then the constraint on the sample with label 0 is tight
    relu_best = relu_predicted.predictor
active_predicted = linear_neuron_limit(x_few, y_few, all_active[1][0], all_active[0][0]).predictor

# %% mystnb={"figure": {"caption": "The kink enters through the labels alone, and the path does not enter at all. (a) The product of the trained predictor $\\tilde w$ with each sample (dots), against the label of the sample. Black dashed: the labels $\\tilde y$, predicted. Grey: what a linear neuron would have on the same labels. (b) Four runs from one start. Across: the product with a sample that must cross the kink (grey line). Up: the part of $\\tilde w$ along $P_\\perp w(0)$, which no label fixes. Three runs end where the theory predicts (black cross). The fourth, for which one sample has weight zero, does not (dotted: where the runs end).", "name": "figure-leaky"}, "image": {"alt": "Two panels. Left: outputs of the trained predictor against labels, on a dashed line with a kink at zero, twice as steep below zero. Right: three different paths from one dot to one cross and a fourth path that ends elsewhere.", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.8, 4.4))
grey, black = style.COLORS["grey"], style.COLORS["black"]
reach = 1.15 * np.array([y.min(), 0, y.max()])
left.plot(reach, reach, color=grey, linewidth=1.4)
left.annotate("linear neuron, slope 1", (reach[0], reach[0]), (0, 68), textcoords="offset points", color=grey)
left.plot(y, x @ learned[shown], "o", color=style.COLORS["blue"], markersize=8)
style.theory(left, reach, unleaked(reach, 1, shown_slope))
left.annotate(rf"predicted $\tilde y$, slope $1/\gamma={1 / shown_slope:g}$", (reach[0] / 2, reach[0] / 2 / shown_slope), (12, -14), textcoords="offset points")
left.set(xlabel="label $y$", ylabel=r"$\tilde w\cdot x$ after training", title=rf"(a) labels: $y\to\tilde y$, $\gamma={shown_slope:g}$")
left.axhline(0, color="0.8", linewidth=1, zorder=0)
crossing = int(np.argmax(np.where(x @ shown_w < 0, y, -np.inf)))  # it starts below zero, and must not end there
plane = np.stack([x[crossing], unseen / np.linalg.norm(unseen)], axis=1)
drawn = {"squared loss": [trained[shown]], **followed}
for place, (way, parts), color in zip((0.23, 0.16, 0.09, 0.02), drawn.items(), ("blue", "green", "purple", "red"), strict=True):
    path = np.concatenate([reduced.predictor(run.theta) @ plane for reduced, run in parts])
    right.plot(*path.T, color=style.COLORS[color])
    right.plot(*path[-1], "o", color=style.COLORS[color], markersize=7)
    right.axhline(path[-1, 1], color=style.COLORS[color], linewidth=0.8, linestyle=":", zorder=0)
    right.text(0.98, place, way, transform=right.transAxes, ha="right", color=style.COLORS[color])
for at, name, mark in ((shown_a * shown_w, "start", "o"), (shown_limit.predictor, "predicted", "x")):
    right.plot(*(at @ plane), mark, color=black, markersize=9, markeredgewidth=2.5, zorder=7)
    right.annotate(name, at @ plane, (9, 7), textcoords="offset points")
right.margins(0.16)
for ax in (left, right):
    ax.axvline(0, color="0.8", linewidth=1, zorder=0)
right.set(xlabel=rf"$\tilde w\cdot x$ at the sample with $y={y[crossing]:.2f}$", ylabel=r"part of $\tilde w$ along $P_\perp w(0)$",
          title="(b) three paths, one end")
plt.show()

# %% mystnb={"figure": {"caption": "A ReLU need not end where the formula says. The product $\\tilde w\\cdot x$ at the sample with the label $0$, from one start: the leaky ReLU brings it to $0$ (black dashed, predicted), the ReLU leaves it inactive, and not where $Q$ is least among the ReLU's own interpolators (dotted).", "name": "figure-relu"}, "image": {"alt": "Output of the predictor at one sample against time. The leaky ReLU's curve ends at zero, the ReLU's below zero and away from a dotted line.", "classes": "panels-1"}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(5.6, 3.7), dpi=200)
until = min(leaky_run.t[-1], relu_run.t[-1])
for reduced, run, label, color in ((leaky_reduced, leaky_run, "leaky ReLU", "blue"), (relu_reduced, relu_run, "ReLU", "red")):
    values = reduced.predictor(run.theta) @ x_few[silent]
    ax.semilogx(run.t[1:], values[1:], color=style.COLORS[color])
    ax.annotate(label, (until, values[-1]), (0, 6), textcoords="offset points", ha="right", color=style.COLORS[color])
style.theory_level(ax, 0.0)
least = float(x_few[silent] @ relu_best)
ax.axhline(least, color="black", linestyle=":")
ax.annotate("where $Q$ is least", (until, least), (0, 5), textcoords="offset points", ha="right")
ax.set(xlabel="time $t$", ylabel=r"$\tilde w\cdot x$, label $0$", xlim=(1e-3, until))
plt.show()

# %% tags=["hide-input"]
def length(predictor):
    """‖w̃‖, as the table has it."""
    return f"{np.linalg.norm(predictor):.4f}"


def power_of_ten(value):
    """A small number, such as 3·10⁻⁴."""
    digit, power = f"{value:.0e}".split("e")
    return f"{'' if digit == '1' else digit + '·'}10" + str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


apart = max(np.abs(ended[way] - learned[shown]).max() for way in ("another loss", "sample weights change"))
glue_all("leaky_neuron", n=n, d=d, few=few, phases=PHASES, cases=len(cases), crossings=crossings[shown],
         slope=f"{shown_slope:g}", least=f"{min(slopes):g}", apart=power_of_ten(apart),
         length_p=length(shown_limit.predictor), length_m=length(learned[shown]), length_linear=length(linear_end),
         length_loss=length(ended["another loss"]), length_weights=length(ended["sample weights change"]),
         length_zero=length(ended["one sample ignored"]), zero_p="0",
         zero_m=f"{abs(leaky_reduced.predictor(leaky_run.final) @ x_few[silent]):.6f}",
         zero_relu=f"{relu_end @ x_few[silent]:.3f}".replace("-", "−"),
         premise_delta=f"−{2 - 1.1:.1f}", premise_p=length(above[0][0].predictor), premise_m=length(above[0][1]),
         premise_cross_p=length(below[0][0].predictor), premise_cross_m=length(below[0][1]),
         premise_below="a tenth" if ratio == 0.9 else f"{100 - 100 * ratio:.0f} %")

# %% [markdown]
# ```{claim} limit
# :headline: predictor at the end, against the closed form
# :source: derived in this chapter; it implies Azulay et al. 2021, Theorem 4
# :evidence: trained and compared
# :because: the smoothed kink moves δ by at most 2(1−γ) ε ln 2 ∫|a| Σ|r| dt, and a∞ by at most this over 2a∞,
#   times P⊥w(0)
# :control: a ReLU, γ = 0, with one sample that ends inactive
# :rival: the linear neuron on the labels y
#
# the flow of a leaky neuron ends at the linear neuron's closed form for the labels ỹ
# ```
#
# ```{claim} any_loss
# :headline: predictor at the end, another loss and changing sample weights
# :evidence: trained and compared
# :because: as for the limit, with the forces of these losses, summed over the phases of the run
# :control: the weight of one sample is zero
# :rival: the linear neuron on the labels y
#
# with another loss, and with positive sample weights that change at random, the flow ends at the same point
# ```
#
# ```{claim} premise
# :headline: predictor at the end, from starts against the data with δ < 0 < b
# :source: derived in this chapter
# :evidence: trained and compared
# :because: as for the limit
# :control: b < 0, and a changes its sign on the way
#
# from starts with δ < 0 < b against the data, of both signs of a, the flow ends at the closed form
# ```
#
# ```{claim} zero_label
# :headline: predictor at the end, from the start at which the ReLU fails
# :evidence: trained and compared
# :because: the sample with label 0 ends where the smoothed kink is 0: at most (1−γ) ε ln 2/γ off, times a∞
#   and its column of X⁺
# :control: γ = 0 from the same start, for the same labels
#
# from the start at which the ReLU fails, the leaky ReLU ends at the closed form
# ```

# %% tags=["hide-input"]
derived_limit = max(added(slope, reduced, run) * sensitivity(start, closed)
                    for (slope, start, closed), (reduced, run) in zip(cases, trained, strict=True))
linear_ends = np.stack([linear_neuron_limit(x, y, a, w).predictor for _, ((w,), (a,)), _ in cases])
claims.limit("limit", np.stack([closed.predictor for *_, closed in cases]), np.stack(learned), error=derived_limit,
             control=Control(relu_end, theory=relu_predicted.predictor, anew=True), rival=Rival(linear_ends, factor=1e3))
derived_ways = max(sum(added(shown_slope, reduced, run) for reduced, run in followed[way])
                   for way in ("another loss", "sample weights change"))
claims.limit("any_loss", np.stack([shown_limit.predictor] * 2),
             np.stack([ended["another loss"], ended["sample weights change"]]),
             error=derived_ways * sensitivity(shown_start, shown_limit),
             control=np.stack([ended["one sample ignored"]] * 2), rival=Rival(np.stack([linear_end] * 2), factor=1e3))
derived_premise = max(drift * np.abs(hidden).max() / abs(2 * closed.a) for closed, _, drift, _ in above)
claims.limit("premise", np.stack([closed.predictor for closed, *_ in above]), np.stack([end for _, end, *_ in above]),
             error=derived_premise, control=Control(np.stack([end for _, end, *_ in below]),
                                                    theory=np.stack([closed.predictor for closed, *_ in below]), anew=True))
derived_height = KINK * np.log(2) * (1 - min(slopes)) / min(slopes)  # where the smoothed activation is 0
claims.limit("zero_label", relu_predicted.predictor, leaky_reduced.predictor(leaky_run.final), control=relu_end,
             error=derived_height * abs(relu_predicted.a) * np.abs(np.linalg.pinv(x_few)[:, silent]).max())

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Azulay et al. 2021, Theorem 4
# :label: theorem-leaky
#
# Let $0<\gamma\le1$, $\delta\ge0$ and $\tilde w(0)\ne0$. If gradient flow of $\frac12\sum_k(f(x_k)-y_k)^2$ converges to a $\tilde w(\infty)$ of zero loss, then $\tilde w(\infty)$ is a KKT point, in the sense of Clarke, of
#
# $$\min_{\tilde w}\;Q(\tilde w)\quad\text{over}\quad f(x_k)=y_k,\ k\le n.$$
# ```
#
# Our proposition needs less. It asks of training only that it pushes the weights through the samples.
#
# ````{prf:proposition} The limit in closed form
# :label: proposition-leaky
#
# Let $0<\gamma\le1$, $b=a(0)^2-\|Pw(0)\|^2\ge0$, $a(0)\ne0$ and $y\ne0$. Let $a$ and $w$ solve, for almost all times,
#
# ```{math}
# :label: any-force
# \begin{aligned}\dot w&=a\sum_kc_k(t)\,\sigma'_k\,x_k,\\\dot a&=\sum_kc_k(t)\,\sigma(w\cdot x_k),\end{aligned}
# ```
#
# with any forces $c_k$ that are integrable over finite times, and $\sigma'_k=\sigma'(w\cdot x_k)$, at the kink any value in $[\gamma,1]$. If $\tilde w(t)$ converges to a $\tilde w(\infty)$ with $f(x_k)=y_k$ for all $k$, then $\tilde w(\infty)$ is {eq}`leaky-limit`, and the one global minimizer of $Q$ over $X\tilde w=\tilde y$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# $\sigma(z)=\sigma'(z)z$, so
#
# $$\tfrac12\tfrac d{dt}\bigl(a^2-\|w\|^2\bigr)=a\sum_kc_k\bigl(\sigma(w\cdot x_k)-\sigma'_k\,w\cdot x_k\bigr)=0,$$
#
# and $\delta$ is conserved. $\dot w$ lies in the row space of $X$, so $P_\perp w=P_\perp w(0)$ at all times, and $a^2=b+\|Pw\|^2$ with the $b$ of the start. If $b>0$, then $a^2\ge b$. If $b=0$, then $\|Pw\|=|a|$ and $|\dot a|\le\sum_k|c_k|\|Pw\|\|x_k\|=|a|\sum_k|c_k|\|x_k\|$. Either way $a$ keeps its sign $\varsigma$ at all finite times. Since $\|\tilde w\|^2=a^2(a^2-\delta)$ and $a^2\ge\max(0,\delta)$, $a^2$ is a continuous function of $\|\tilde w\|$ and converges too. Its limit is not $0$. For $b>0$ this is clear, and for $b=0$ it would mean $X\tilde w(\infty)=0$, but $y\ne0$.
#
# Since $\sigma$ is positively homogeneous, $f(x)=a\,\sigma(w\cdot x)=\varsigma\,\sigma(\varsigma\,\tilde w\cdot x)$, and $\sigma$ is invertible. So $f(x_k)=y_k$ for all $k$ is the same as $X\tilde w=\tilde y$.
#
# Hence $\tilde w(\infty)=X^+\tilde y+a_\infty P_\perp w(0)$. Its squared length is $\|X^+\tilde y\|^2+a_\infty^2\|P_\perp w(0)\|^2$, and it is $a_\infty^2(a_\infty^2-\delta)$. This is a quadratic equation for $a_\infty^2$ with one positive root, that of {eq}`leaky-limit`. $q_\delta(\|\tilde w\|)$ is strictly convex, also for $\delta<0$, where its only kink is at $\tilde w=0$. At $\tilde w(\infty)$, which is not $0$, $\nabla Q(\tilde w)=\frac32\varsigma(w-w(0))$, as for the {prf:ref}`linear neuron <proposition-neuron>`, and this lies in the row space of $X$, which is the condition of stationarity of a strictly convex function over $X\tilde w=\tilde y$. $\square$
# ````
#
# No sign and no size of the forces is used. Convergence is another matter, and for it the forces must point to the labels.
#
# ````{prf:proposition} Convergence
# :label: proposition-leaky-converges
#
# Let $0<\gamma\le1$, $b>0$, $y\ne0$, and let some $\tilde w$ have $X\tilde w=\tilde y$. Let $c_k(t)=-\lambda_k(t)\,\ell'(f(x_k),y_k)$ in {eq}`any-force`, where $\ell'$, the slope of the loss in its first argument, is continuous and has the sign of $f-y$, with $\ell'=0$ only at $f=y$. Let the weights $\lambda_k$ be measurable and $0<\lambda_{\min}\le\lambda_k(t)\le\lambda_{\max}$. Then $\tilde w(t)$ converges to {eq}`leaky-limit`.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# Let $\tilde w^*$ be {eq}`leaky-limit`. If $\delta<0$, then $\|w\|^2\ge-\delta$, so $\tilde w\ne0$ and $\nabla Q$ exists at all times. The {term}`Bregman divergence` $D=Q(\tilde w^*)-Q(\tilde w)-\nabla Q(\tilde w)\cdot(\tilde w^*-\tilde w)$ obeys
#
# $$\dot D=-\tfrac32\varsigma\,\dot w\cdot(\tilde w^*-\tilde w)=-\tfrac32|a|\sum_kc_k\,\sigma'_k\,(\tilde y_k-\tilde w\cdot x_k).$$
#
# $f(x_k)$ increases with $\tilde w\cdot x_k$ and is $y_k$ at $\tilde y_k$. So $c_k$ has the sign of $\tilde y_k-\tilde w\cdot x_k$, and every term of the sum is at least $0$. $D$ does not grow. Since $Q$ is finite everywhere, $D$ grows faster than linearly in $\nabla Q(\tilde w)=\frac32\varsigma(w-w(0))$, so $w$ and with it $a$ and $\tilde w$ stay bounded, and they are Lipschitz in $t$, as the forces are bounded. $\int_0^\infty\sum_kc_k\sigma'_k(\tilde y_k-\tilde w\cdot x_k)\,dt$ is finite, as $|a|\ge\sqrt b$. Its integrand is at least $\lambda_{\min}\gamma$ times a continuous function of $\tilde w$ that is zero only where all labels are fitted, and so this function tends to $0$. Every limit point of $\tilde w$ fits the labels and has the same $\delta$, $\varsigma$ and $P_\perp w$, so it is $\tilde w^*$. $\square$
# ````
#
# ## How fast, exactly
#
# With the squared loss, $b>0$ and $X$ of rank $n$ the loss falls exponentially, at least at the rate of {ref}`exercise-leaky-converges`. From a tiny start $a_\infty P_\perp w(0)$ vanishes, and the limit is the shortest fit $X^+\tilde y$.
#
# Gradient descent on the sharp kink ends at the same formula with another $b$. A step of size $\eta$ changes $a^2-\|w\|^2$ by exactly $\eta^2(\dot a^2-\|\dot w\|^2)$, because $a\dot a=w\cdot\dot w$ at every point, and $P_\perp w$ stays. So if descent fits the labels and $a$ ends with its sign, it ends at {eq}`leaky-limit` with
#
# ```{math}
# :label: leaky-descent
# b_\eta=b+\eta^2\sum_{\text{steps}}\bigl(\dot a^2-\|\dot w\|^2\bigr)
# ```
#
# in place of $b$. The sum has about $t/\eta$ terms, so $b_\eta-b$ is of first order in $\eta$ as long as $\eta\sum(\dot a^2+\|\dot w\|^2)$ stays bounded. But a power of $\eta$ fitted to a few step sizes is not exactly one, because higher orders of $\eta$ count as well, and because descent zigzags where a sample slides along the kink, which the sum counts. So we test {eq}`leaky-descent` itself, which holds at every step size. At the smallest of our steps descent ends {glue:text}`leaky_neuron_missed` off the limit of the flow, and {glue:text}`leaky_neuron_own` off its own.
#
# ## Instruments
#
# The minimizer by Newton's method, gradient descent on the sharp kink against {eq}`leaky-descent`, and a ReLU whose samples all stay active.
#
# ```{claim} minimizer
# :source: Azulay et al. 2021, Theorem 4, made stronger in this chapter
# :evidence: trained and compared
# :because: as for the limit, and the worst residual of Newton's method
# :control: a ReLU, γ = 0, and the minimizer of Q among its own interpolators
# :rival: the minimizer for σ⁻¹(y), as if a were positive
#
# the limit of the leaky neuron is the global minimizer of Q under interpolation
# ```
#
# ```{claim} descent
# :source: derived in this chapter: a step changes a² − ‖w‖² by η² (ȧ² − ‖ẇ‖²)
# :evidence: trained and compared
# :because: descent stops at a misfit, which moves w̃ by at most the misfit over γ times the least singular value
#   of X, and a∞ by at most this over 2a∞, times P⊥w(0)
# :contrast: stopped at a misfit of a tenth of ‖y‖
# :rival: the limit of the flow, without what the steps add
#
# gradient descent on the sharp kink ends at the closed form for the imbalance that its own steps leave
# ```
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
sign_ignored = [NeuronRegularizer(max(float(a**2 - w @ w), 0.0), a * w).minimize(x, unleaked(y, 1, slope)).w
                for slope, ((w,), (a,)), _ in cases]
claims.limit("minimizer", np.stack([best.w for best in runs]), np.stack(learned),
             error=derived_limit + worst * np.abs(learned).max(),
             control=Control(relu_end, theory=relu_best, anew=True), rival=Rival(np.stack(sign_ignored), factor=1e3))

# %% tags=["hide-input"]
steepest = max(0.5, *slopes)  # mutant(max; 0.5): how keen the smoothed kink is
kinked = LeakyReLU(steepest)
sharp = Risk(TwoLayer(kinked), problem, Squared("sum")).of_weights(*shown_start)
end = leaky_neuron_limit(x, y, sharp.a[0], sharp.w[0], steepest)  # mutant: a run long enough by far
# mutant: the unit of the learning rates
features = np.column_stack([end.a * kinked.derivative(x @ end.w)[:, None] * x, kinked.value(x @ end.w)])
# mutant: the unit of the learning rates
stable = 2 / float(np.linalg.eigvalsh(features @ features.T)[-1])
rates = [float(fraction * stable) for fraction in learning_rates]


def descended(rate, target):
    """Where gradient descent is when its misfit has fallen to a target, and what its steps add to a² − ‖w‖²."""
    theta, added_up = sharp.start, 0.0
    for _ in range(1_000_000):
        if sharp.misfit(theta) <= target:
            return sharp.predictor(theta), added_up
        velocity = sharp.velocity(theta)
        theta = theta + rate * velocity
        added_up += float(rate**2 * sharp.balance(velocity)[0])
    raise AssertionError("gradient descent did not fit the labels")


MISFIT = 1e-9
descents = [descended(rate, MISFIT) for rate in rates]
shortest = end.predictor - end.a * unseen
shifted = [float(sharp.balance(sharp.start)[0] + unseen @ unseen + extra) for _, extra in descents]  # b_η
own_limits = [shortest + np.sign(end.a) * np.sqrt((b + np.hypot(b, 2 * np.linalg.norm(shortest))) / 2) * unseen
              for b in shifted]
derived_misfit = MISFIT / (steepest * np.linalg.svd(x, compute_uv=False)[-1])
derived_length = np.linalg.norm(unseen) / abs(2 * end.a)
claims.limit("descent", np.stack(own_limits), np.stack([found for found, _ in descents]),
             error=derived_misfit * (1 + derived_length),
             control=np.stack([descended(rate, 0.1 * float(np.linalg.norm(y)))[0] for rate in rates]),
             rival=Rival(np.stack([end.predictor] * len(rates)), factor=1e3))
glue_all("leaky_neuron", missed=power_of_ten(np.abs(descents[-1][0] - end.predictor).max()),
         own=power_of_ten(np.abs(descents[-1][0] - own_limits[-1]).max()))
derived_reduced, derived_run = flow(0.0, all_active, x_few, y_few)
derived_drift = np.abs(np.diff(derived_reduced.balance(derived_run.theta)[[0, -1], 0]))[0]
derived_length = np.linalg.norm(all_active[0]) / abs(2 * derived_reduced.weights(derived_run.final)[1][0])
claims.limit("relu_active", active_predicted, active_end,
             error=stepping(1, RTOL, size=np.abs(active_end).max()) + derived_drift * derived_length,
             control=Control(relu_end, theory=relu_predicted.predictor, anew=True))

# %% [markdown]
# ## What would falsify it
#
# A leaky neuron with $b\ge0$ that fits the data and is not at {eq}`leaky-limit`, whatever samples cross the kink on the way, and whatever loss and sample weights it was trained with. Gradient descent that fits the data, with $a$ of its first sign, and is not at {eq}`leaky-limit` with the $b_\eta$ of its own steps. A ReLU with $a>0$ and independent samples, of which one with the label $0$ is active for a while and ends with $w\cdot x<0$, that still ends where $Q$ is least among its interpolators.
#
# ## Differences from the paper
#
# - **Changed.** The flow runs with the kink smoothed over a width $\varepsilon=10^{-8}$. Gradient descent runs with the kink itself. The paper reports no experiment on this theorem, so the data are of the kind of its Section 9.
# - **Added.** The constraint is affine, the limit is the global minimizer and has a closed form. The same for every loss with its minimum at the labels and for all positive sample weights, for $b\ge0$ in place of $\delta\ge0$ (tested for $\delta<0<b$), convergence for $b>0$, and the end of gradient descent.
# - **Not reproduced.** That no function at all is minimized by a ReLU, which {cite:t}`vardi2021` prove. Our limit does not contradict it, because no claim here covers $\gamma=0$ but where all samples stay active.
#
# ## Scope
#
# - $b\ge0$ is asked so that $a$ keeps its sign. It says that the output weight is at least as large as the part of the input weights in the span of the samples. The imbalance $\delta$ may be negative. If $b<0$, the limit holds as long as $a$ keeps its sign. But $a$ can pass through $0$, and then $\tilde y$ changes to its values for the other sign.
# - For $b=0$ convergence is assumed, because a neuron can be caught at $a=0$, $Pw=0$.
# - One neuron. With several, the sum of their outputs fixes no affine constraint on each.
# - Losses with their minimum at infinity, such as the logistic loss, are not covered.
#
# ## Exercises
#
# ````{exercise} Two labels
# :label: exercise-leaky-two
#
# Let $\gamma=\frac14$ and $y=(3,-1)$. What is $\tilde y$ for a neuron with $a>0$ at the start, and for one with $a<0$?
# ````
#
# ````{solution} exercise-leaky-two
# :class: dropdown
#
# $(3,-4)$ for $a>0$, and $(12,-1)$ for $a<0$. In code, `unleaked([3, -1], sign=1, slope=0.25)`.
# ````
#
# ````{exercise} The flow converges
# :label: exercise-leaky-converges
#
# Let $\gamma>0$, $b>0$, let $\lambda$ be the least eigenvalue of $XX^\top$, and $r$ the residuals of the squared loss. Show that $\|r(t)\|\le\|r(0)\|e^{-b\gamma^2\lambda t}$.
# ````
#
# ````{solution} exercise-leaky-converges
# :class: dropdown
#
# Along a gradient flow the loss falls at the rate of its squared gradient, at least $\|\dot w\|^2=a^2\|X^\top Dr\|^2$ with $D=\operatorname{diag}(\sigma'_k)\ge\gamma$. That is at least
# $b\lambda\|Dr\|^2\ge b\lambda\gamma^2\|r\|^2$, because $a^2\ge b$. So $\frac d{dt}\frac12\|r\|^2\le-b\gamma^2\lambda\|r\|^2$.
# ````
#
# ````{exercise} Who can slide
# :label: exercise-leaky-slide
#
# Let $w\cdot x_k=0$ and $\varsigma=1$, with the squared loss. Show that the flow drives $w\cdot x_k$ to $0$ from both sides, so that $x_k$ slides and cannot leave at once, only if $y_k<0$. What is $\sigma'_k$ then?
# ````
#
# ````{solution} exercise-leaky-slide
# :class: dropdown
#
# There $r_k=y_k$, and $\frac d{dt}w\cdot x_k=c+\sigma_k'h$ with $h=a\,y_k\|x_k\|^2$ and a $c$ from the other samples. On the active side $\sigma'_k=1$, on the other $\sigma_k'=\gamma$. It is driven to $0$ from both sides if $c+h<0<c+\gamma h$, which needs $h<0$. In between $\sigma_k'=-c/h\in[\gamma,1]$ holds it at $0$.
# ````
#
# ````{exercise} A smaller slope
# :label: exercise-leaky-weight
#
# Rerun the chapter with `slopes = [0.1, 0.2]`. What happens to {numref}`figure-leaky`(a)? And what happens for $\gamma\to0$ to a sample with $\varsigma y_k<0$?
# ````
#
# ````{solution} exercise-leaky-weight
# :class: dropdown
#
# Below zero the dashed line is five times as steep as the grey one. The labels of these samples are $y_k/\gamma$, so $\|\tilde w(\infty)\|$ grows like $1/\gamma$. A ReLU cannot fit them at all.
# ````
#
# ## Where to go next
#
# ```{next}
# The chapter on {doc}`one linear neuron <single_neuron>` derives the formula for it and says which function it minimizes. The one on {doc}`many linear neurons <many_neurons>` asks what happens with several. The chapter on {doc}`rank two <../leaky_relu/rank_two_max_margin>` trains many leaky ReLU neurons to classify.
# ```
#
# ## References
#
# {cite:t}`azulay2021` prove the theorem; {cite:t}`vardi2021` prove that a ReLU neuron has no such regularizer; {cite:t}`du2018` show that the layers' balance is conserved.
