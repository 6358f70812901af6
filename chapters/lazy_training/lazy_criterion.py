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
# # For one kind of start one number, not the width, tells before training how lazy a network is
#
# ```{question}
# ```
#
# We train networks of up to {glue:text}`criterion_wide` neurons on {glue:text}`criterion_n` points, and beside each its {term}`linearization`, which keeps the first features. If their outputs agree, the network is {term}`lazy <lazy regime>`. If the sum over the neurons is divided by the width, {glue:text}`criterion_wide` neurons are hardly lazier than {glue:text}`criterion_narrow`. When the linearization has learnt {glue:text}`criterion_learnt` of its fastest direction, their outputs are {glue:text}`criterion_off_mean` and {glue:text}`criterion_off_narrow` off it, relative to their first distance to the labels (the *way to go*). Dividing takes away all that the width gives. Divided by its square root, {glue:text}`criterion_wide` neurons are {glue:text}`criterion_off_root` off, undivided {glue:text}`criterion_off_sum`.
#
# Why? The model is curved, so its slope changes on the way. One number is known before: $\kappa=(\text{way to go})\times(\text{curvature})/(\text{slope})^2$. At {glue:text}`criterion_wide` neurons $\kappa$ is in turn {glue:text}`criterion_kappa_mean`, {glue:text}`criterion_kappa_root` and {glue:text}`criterion_kappa_sum`. For neurons of one sign, as here, the error is {glue:text}`criterion_first_short` $\kappa$ within {glue:text}`criterion_first_off`, a factor that we predict.
#
# ```{hero}
# ```
#
# ## The statement
#
# Let $h(w)\in\mathbb R^n$ be the outputs of a model on $n$ samples, $y$ the labels, and $w_0$ the start. The model is trained by {term}`gradient flow` of $\frac12\|h(w)-y\|^2$, and so is its linearization $\bar h(w)=h(w_0)+Dh(w_0)(w-w_0)$, with weights $\bar w$. The first and second derivatives in the weights are $Dh$ and $D^2h$. Norms of vectors are Euclidean, and those of $Dh$ and $D^2h$ are operator norms. As $D^2h$ is symmetric, $\|D^2h\|=\max_{\|v\|=1}\|D^2h(v,v)\|$. The criterion of {cite:t}`chizat2019` is a number at the start,
#
# $$\kappa=\frac{\overbrace{\|h-y\|}^{\text{way to go}}\;\overbrace{\|D^2h\|}^{\text{curvature}}}{\underbrace{\|Dh\|^2}_{\text{slope squared}}} .$$
#
# Time is measured by $s=t\,\|Dh(w_0)\|^2$, so that at $s=1$ the linearization has learnt $1-1/e=63$ % of the direction that it learns fastest (the top eigenvector of its kernel). The *error* at time $s$ is the distance of the outputs relative to the way to go, $\operatorname{err}(s)=\|h(w)-\bar h(\bar w)\|/\|h(w_0)-y\|$. Let $\kappa_s$ be $\kappa$ with the largest $\|D^2h\|$ on the path up to the time $s$ in the place of $\|D^2h(w_0)\|$. The number $\kappa_s$ is known only after training. For wide networks and short times it is close to $\kappa$, and where we looked (at the start, halfway and at the end of one run of each kind and width) at $s=$ {glue:text}`criterion_time` it is at most {glue:text}`criterion_growth` times $\kappa$.
#
# For every model with two continuous derivatives and for every $s$ we prove
#
# $$\operatorname{err}(s)\le\frac{\sqrt2}3\,\kappa_s\,s^{3/2}+\frac{\kappa_s^2s^2}{6\sqrt3},$$
#
# at $s=1$ about $0.47\,\kappa_s+0.10\,\kappa_s^2$ ({prf:ref}`proposition-criterion-error`).
#
# For $m$ neurons in pairs $(w,a)$, $(w,-a)$, drawn from a law of bounded support and with their sum multiplied by $\alpha(m)$, we have
#
# $$m\,\alpha(m)\,\kappa\to C,$$
#
# with a constant $C$ that the law of one neuron gives ({prf:ref}`proposition-criterion-laws`). Neurons of one sign, whose first outputs are subtracted, have the same $C$. With $\Phi$ for the output of one neuron on the samples, neither $D\Phi D\Phi^\top$ nor $\|D^2\Phi\|$ depends on the sign of $a$. So the usual factors $\alpha(m)=1/m$, $1/\sqrt m$ and $1$ have $\kappa$ of the order $1$, $m^{-1/2}$ and $m^{-1}$.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [width times $\kappa$](constant), not divided, {glue:text}`criterion_wide` neurons in pairs | {glue:text}`criterion_constant` | {glue:text}`criterion_constant_m` | | in one pair both output weights $-1$: {glue:text}`criterion_unlike` |
# | [error over $\kappa$](spaced), $\kappa\to0$, neurons of one sign | {glue:text}`criterion_first` | {glue:text}`criterion_first_m` | pairs: {glue:text}`criterion_first_other` | |
# | [error over $\kappa^2$](spaced), $\kappa\to0$, neurons in pairs | {glue:text}`criterion_second` | {glue:text}`criterion_second_m` | one sign: {glue:text}`criterion_second_other` | |
# | [largest error over its bound](bound), {glue:text}`criterion_checked` networks, all times up to $s=$ {glue:text}`criterion_time`, $\lVert D^2h\rVert$ at three points of the path (allowed is for error minus bound) | at most 1 (proved with the largest $\lVert D^2h\rVert$ on the path) | {glue:text}`criterion_largest` | | ReLU kinks, which $\kappa$ does not see: bound 0, error {glue:text}`criterion_kinked` |
# ```
#
# Errors of the second and third row are read at $s=$ {glue:text}`criterion_time`. There the neurons are equally spaced and not drawn, so nothing is random, and a factor on the output makes $\kappa$ small. Drawn networks of {glue:text}`criterion_wide` neurons scatter around these values by a few percent. The contrasts divide by the wrong power of the smallest $\kappa$. The error of pairs over $\kappa$ tends to zero as $\kappa\to0$, and the error of one sign over $\kappa^2$ tends to infinity.
#
# **What to remember?** For smooth wide networks of one kind of start $\kappa$ says before training how lazy they will be. Between kinds it only bounds the error. At the largest $\kappa$ in {numref}`figure-criterion` the next order adds a tenth to the predicted error of one sign and takes a fifth from that of pairs. The bound is safe but not sharp for networks, which do not move in the worst direction. At $s=1$ drawn networks of one sign stay at least {glue:text}`criterion_below` times below it, and at no time does a network reach more than {glue:text}`criterion_largest` of its bound. Pairs are lazier than $\kappa$ says, because the first term of their error cancels. And $\kappa$ is no threshold. With $\kappa$ near {glue:text}`criterion_kappa_pairs` the pairs still differ from their linearization by only {glue:text}`criterion_off_pairs`.
#
# ## The smallest case
#
# Take two weights, one sample with a label $y>0$, and the model $h=u^2-v^2$ with $u=v=r$ at the start. Then $h=0$, the slope is $Dh=(2r,-2r)$ with $\|Dh\|^2=8r^2$, and $\|D^2h\|=2$. So
#
# $$\kappa=\frac{y\cdot2}{8r^2}=\frac y{4r^2}.$$
#
# A large initialization $r$ makes $\kappa$ small, and so does a small label. Now train. The flow is $\dot u=2u(y-h)$, $\dot v=-2v(y-h)$, so the product $uv=r^2$ stays. Therefore $(u^2+v^2)^2=h^2+4r^4$, and the share $z=h/y$ of the label obeys, in the time $s=8r^2t$,
#
# $$\frac{dz}{ds}=\sqrt{1+4\kappa^2z^2}\;(1-z).$$
#
# The weights are gone, and the whole course of training depends on $\kappa$ alone. The root comes from the curvature. Without it we have the linearization, $\bar z=1-e^{-s}$. For small $\kappa$ the root is $1+2\kappa^2z^2$, and the error at $s=1$ is $0.124\,\kappa^2$. It is of second order because $u$ and $v$ are a pair.

# %% tags=["hide-input"]
import numpy as np
from matplotlib import pyplot as plt
from scipy.integrate import solve_ivp

from implicit_bias.activations import IDENTITY, RELU, Square, Tanh
from implicit_bias.data import Samples
from implicit_bias.figures import style
from implicit_bias.flows import descend, follow
from implicit_bias.limits.lazy import lazy_criterion, lazy_error, lazy_expansion, wide_criterion
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, TwoLayer, in_pairs, neuron_derivatives, tangents
from implicit_bias.rates import log_log_slope
from implicit_bias.wrapped_losses import Scaled
from reproduce.claims import Claims, refined, rounding, standard_error, stepping
from reproduce.claims.glued import glue_all

claims = Claims("lazy_criterion")

style.use_style()

# %%
def speed(_, z, k):
    """dz/ds."""
    return np.sqrt(1 + 4 * k**2 * z**2) * (1 - z)


for k in (2.0, 0.2, 0.02):
    learnt = solve_ivp(speed, (0, 1), [0.0], args=(k,), rtol=1e-10, atol=1e-13).y[0, -1]
    print(f"κ = {k:<5} error {learnt - (1 - np.exp(-1)):.7f}   error/κ² {(learnt - (1 - np.exp(-1))) / k**2:.4f}",
          f"  bound {lazy_error(k, [1.0])[0]:.4f}")

# %% [markdown]
# ## Experiment
#
# We draw {glue:text}`criterion_n` points on the unit circle and label them by the sign of their first coordinate. The network is $h_i=\alpha(m)\sum_{j=1}^ma_j\tanh(w_j\cdot x_i)$, and all its weights are trained. The hidden weights $w_j$ are uniform on the circle of radius one around $(1,0)$. There are three kinds of output weights. *One sign* means $a_j=1$, and we subtract the first outputs. *Pairs* are neurons $(w,1)$ and $(w,-1)$, which start at zero by themselves. *Independent signs* are drawn and not centred. The constants are integrals over the law of a neuron. We replace the circle by equally spaced points, which gives these integrals to all digits.

# %% tags=["parameters"]
n: int = 8  # number of points n, in [4, 20]
widths: list[int] = [16, 64, 256, 1024]  # numbers m of neurons, even, increasing, each in [8, 4096]
draws: int = 3  # networks of each width and kind, in [2, 20]
# because a standard error takes two
time: float = 1.0  # normalized time s to which they are trained, in [0.25, 4]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where len(widths) == 4 and widths == sorted(set(widths)) and widths[3] >= 16 * widths[0]
# where widths[0] % 2 == 0 and widths[1] % 2 == 0 and widths[2] % 2 == 0 and widths[3] % 2 == 0

# %% tags=["hide-input"]
data_stream, start_stream, control_stream = np.random.default_rng(seed).spawn(3)
angle = 2 * np.pi * data_stream.random(n)
x = np.column_stack([np.cos(angle), np.sin(angle)])
y = np.sign(x[:, 0])  # mutant: other labels
length = np.linalg.norm(y)
plain, rooted, even = TwoLayer(Tanh()), TwoLayer(Tanh(), scaling="1/sqrt(m)"), TwoLayer(Tanh(), scaling="1/m")
NETS = {net.scaling: net for net in (even, rooted, plain)}
NODES = 128  # of the circle, for the law of a neuron
FINE = 4096  # of the circle, for the supremum: its error is a quadratic one in their distance
RTOL = 1e-11  # of the integrator
# mutant(1; 11; 10): when states are recorded
times = time * np.arange(1, 11) / 10  # normalized


def circle(phi):
    """Hidden weights on the circle around (1, 0)."""
    return np.column_stack([1 + np.cos(phi), np.sin(phi)])


def start(stream, m, kind):
    """W and a of m neurons."""
    if kind == "pairs":
        # mutant(2 * np.pi → 3 * np.pi; 2… → 2 * np.pi /…): other directions
        return in_pairs(circle(2 * np.pi * stream.random(m // 2)), np.ones(m // 2))
    w = circle(2 * np.pi * stream.random(m))
    return w, np.ones(m) if kind == "one sign" else stream.choice([-1.0, 1.0], m)


def criterion(net, w, a, residual=-y):
    """κ and its parts, from the derivatives of each neuron."""
    gradients, seconds = neuron_derivatives(net, w, a, x)
    return lazy_criterion(residual, np.einsum("jia,jka->ik", gradients, gradients), seconds)


def train(net, w, a, alpha=1.0, steps=None):
    """err at the times, the weights halfway and at the end, and the steps; of descent where kinks defeat an integrator."""
    seen = Scaled(Squared("sum"), alpha, net.output(w, a, x))
    flow = Risk(net, Samples(x, y), seen).of_weights(w, a)
    spectrum, basis = np.linalg.eigh(tangents(net, w, a, x).kernel)
    t = times / spectrum[-1]
    if steps is None:
        run = follow(flow, t_end=t[-1], record=t[:-1], method="LSODA", rtol=RTOL, atol=1e-14)
    else:
        # mutant: the length of the steps
        run = descend(flow, t[-1] / steps, t_end=t[-1], record=t[:-1])
    outputs = np.array([seen.outputs(flow.outputs(state)) for state in run.theta[1:]])
    linear = -np.expm1(-np.outer(t, spectrum)) * (basis.T @ y) @ basis.T
    # mutant(5; -1): the last recorded times all are late
    return np.linalg.norm(outputs - linear, axis=1) / length, [flow.weights(run.theta[k]) for k in (5, -1)], run.steps


# %%
nodes, fine = (circle(2 * np.pi * np.arange(k) / k) for k in (NODES, FINE))
slopes, bends = (neuron_derivatives(plain, w, np.ones(len(w)), x)[i] for i, w in enumerate((nodes, fine)))
C = wide_criterion(-y, slopes, bends)  # predict
networks = {
    (kind, m): [start(start_stream, m, kind) for _ in range(draws)] for kind in ("pairs", "one sign") for m in widths
}
found = {key: [criterion(plain, *each) for each in some] for key, some in networks.items()}
runs = {  # train
    (kind, m, scaling): [train(NETS[scaling], *each) for each in some]
    for (kind, m), some in networks.items()
    for scaling in NETS
}
kappa = {  # as h(w₀) = 0, κ of αh is that of h over α
    (kind, m, scaling): np.array([one.above for one in found[kind, m]]) / NETS[scaling].scale(m)
    for kind, m, scaling in runs
}
# mutant(1): the last recorded times all are late
error = {key: np.array([errors[-1] for errors, _, _ in some]) for key, some in runs.items()}
# mutant: another of the widths
wide = widths[-1]  # compare
print(f"mακ at the largest width: predicted {C.constant:.3f}, measured {wide * kappa['pairs', wide, 1].mean():.3f}")
for scaling in NETS:
    print(f"α = {scaling!s:10} κ {kappa['one sign', wide, scaling].mean():.5f}",
          f"  error {error['one sign', wide, scaling].mean():.5f}")

# %% [markdown]
# The constants $c_1$ of $\operatorname{err}\approx c_1\kappa$ and $c_2$ of $\operatorname{err}\approx c_2\kappa^2$ come from equally spaced neurons by the expansion of {doc}`lazy_theorem`. The same neurons are trained with their mean multiplied by two large factors $\alpha$, so that $\kappa=C/\alpha$ is small.
#
# Here is what breaks a premise. One is *independent signs*, whose outputs do not start at zero. A milder form of it is *one pair* of which both output weights are $-1$, or *a quarter* of the neurons of the other sign. Another is a *ReLU network* of which only the hidden layer is trained. Away from its kinks the second derivative is zero, and so is $\kappa$.

# %% tags=["hide-input"]
SPACED = {"one sign": (nodes, np.ones(NODES)), "pairs": in_pairs(nodes, np.ones(NODES))}
POWERS, FACTORS = {"one sign": 1, "pairs": 2}, {"one sign": (300.0, 1000.0), "pairs": (30.0, 100.0)}
alone = tangents(even, *SPACED["one sign"], x)
paired = tangents(even, *SPACED["pairs"], x, fourth=True)
# mutant(1): the unit of time
tops = [np.linalg.eigvalsh(one.kernel)[-1] for one in (alone, paired)]
first = lazy_expansion(Squared("sum"), y, times / tops[0], alone.kernel, alone.third).first
bent = lazy_expansion(Squared("sum"), y, times / tops[1], paired.kernel, paired.third, paired.fourth)
second = np.asarray(bent.second)
# mutant(1): the last recorded times all are late
c_1 = np.linalg.norm(first[-1]) / (length * C.constant)
# mutant(1): the last recorded times all are late
c_2 = np.linalg.norm(second[-1]) / (length * C.constant**2)
spaced = {kind: np.array([train(even, *SPACED[kind], alpha=alpha)[0][-1] for alpha in FACTORS[kind]]) for kind in POWERS}
small = {kind: C.constant / np.array(FACTORS[kind]) for kind in POWERS}  # κ

loud = {m: [start(control_stream, m, "independent") for _ in range(draws)] for m in widths}
loud_kappa = {m: np.array([criterion(plain, w, a, plain.output(w, a, x) - y).above for w, a in some])
              for m, some in loud.items()}
# of the widest networks: one pair whose partners are alike, a quarter of the neurons of the other sign
unlike = [(w, np.append(-1.0, a[1:])) for w, a in networks["pairs", wide]]
unlike_kappa = wide * np.mean([criterion(plain, w, a, plain.output(w, a, x) - y).above for w, a in unlike])
mixed = [(w, np.where(np.arange(wide) < wide // 4, -a, a)) for w, a in networks["one sign", wide]]
noise = np.mean(np.sum(plain.output(nodes[:, None], np.ones((NODES, 1)), x) ** 2, axis=1)) / length**2  # E‖Φ‖²/‖y‖²
kinked = TwoLayer(RELU, trained="first", scaling="1/m")
kinked_error = train(kinked, *networks["one sign", widths[1]][0], steps=2000)[0][-1]
still = np.array([train(plain, w, a)[0][-1] / criterion(plain, w, a).above for w, a in loud[wide]])  # centred

allowed, growth = {}, {}  # of one network of each width, kind and scaling: the errors, and their bounds with the largest ‖D²h‖ of three
for (kind, m, scaling), some in runs.items():
    begun, at_first = found[kind, m][0], kappa[kind, m, scaling][0]
    grown = max(criterion(NETS[scaling], *there).bend for there in some[0][1]) / (NETS[scaling].scale(m) * begun.bend)
    # mutant(*; at_first; 1.0): a bound with room
    allowed[kind, m, scaling], growth[kind, m, scaling] = (some[0][0], lazy_error(at_first * max(1.0, grown), times)), grown

# %% tags=["hide-input"]
gaps = [one.above / one.below - 1 for some in found.values() for one in some]
glue_all("criterion", ".0e", gap=max(gaps))
glue_all("criterion", wide=wide, n=n, narrow=widths[0], learnt=f"{-100 * np.expm1(-time):.0f} %", constant=f"{C.constant:.3f}",
         constant_m=f"{wide * kappa['pairs', wide, 1].mean():.3f}", unlike=f"{unlike_kappa:.2f}", time=f"{time:g}",
         scatter=f"{C.scatter:.3f}", first=f"{c_1:.4f}", second=f"{c_2:.5f}",
         first_short=f"{c_1:.3f}", first_m=f"{spaced['one sign'][1] / small['one sign'][1]:.4f}",
         second_m=f"{spaced['pairs'][1] / small['pairs'][1] ** 2:.5f}",
         first_other=f"{spaced['pairs'][1] / small['pairs'][1]:.4f}",
         second_other=f"{spaced['one sign'][1] / small['one sign'][1] ** 2:.0f}", checked=len(allowed), growth=f"{max(growth.values()):.2f}",
         largest=f"{max(np.max(off / most) for off, most in allowed.values()):.2f}", kinked=f"{kinked_error:.3f}",
         off_narrow=f"{100 * error['one sign', widths[0], '1/m'].mean():.2g} %", still=f"{c_1 / still.mean():.0f}",
         first_off=f"{100 * max(abs(error['one sign', wide, s].mean() / kappa['one sign', wide, s].mean() / c_1 - 1) for s in NETS):.0f} %", off_pairs=f"{100 * error['pairs', wide, '1/m'].mean():.2g} %",
         below=f"{min(allowed['one sign', m, s][1][-1] / allowed['one sign', m, s][0][-1] for m in widths for s in NETS) - 0.05:.1f}",
         kappa_pairs=f"{kappa['pairs', wide, '1/m'].mean():.2g}",
         **{f"off_{name}": f"{100 * error['one sign', wide, scaling].mean():.2g} %" for name, scaling in
            zip(("mean", "root", "sum"), NETS, strict=True)},
         **{f"kappa_{name}": f"{kappa['one sign', wide, scaling].mean():.2g}" for name, scaling in
            zip(("mean", "root", "sum"), NETS, strict=True)})

# %% mystnb={"figure": {"caption": "For one kind of start the error of the linearization follows $\\kappa$, whatever the width. Each full dot is a trained network with neurons of one sign, three at each width, and the error is read when the linearization has learnt 63 % of the direction that it learns fastest. The dashed lines were predicted before training. (a) With the sum divided by the width $m$, more neurons do not help. (b) The same full dots against $\\kappa$ lie near one line. Hollow: networks in pairs, which are lazier at the same $\\kappa$. Grey: above the proved bound, if the curvature stays what it is at the start.", "name": "figure-criterion"}, "image": {"alt": "Left: three rows of dots against the width, one flat, one falling, one falling twice as fast, each on a dashed line. Right: these dots near one rising line, hollow dots on a steeper line below it, and a grey area far above", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.8, 4.4))
colors = dict(zip(NETS, ("blue", "orange", "green"), strict=True))
labels = {"1/m": "sum divided by $m$", "1/sqrt(m)": r"divided by $\sqrt{m}$", 1: "not divided"}
for scaling, net in NETS.items():
    color = style.COLORS[colors[scaling]]
    for m in widths:
        key = ("one sign", m, scaling)
        left.loglog([m] * draws, error[key], "o", color=color, markersize=5)
        right.loglog(kappa[key], error[key], "o", color=color, markersize=5)
        right.plot(kappa["pairs", m, scaling], error["pairs", m, scaling], "o", color=color, markersize=5, fillstyle="none")
    law = [c_1 * C.constant / (m * net.scale(m)) for m in widths]
    style.theory(left, widths, law)
    left.annotate(labels[scaling], (widths[1], law[1]), (8, 9), textcoords="offset points", color=color, fontsize=14)
left.set(xlabel="width $m$", ylabel="error of the linearization", title="(a) the factor, not the width", xticks=widths)
left.xaxis.set(major_formatter="{x:g}", minor_formatter="")
span = np.geomspace(C.constant / wide / 1.5, C.constant * 2, 50)
style.theory(right, np.column_stack([span, span]), np.column_stack([c_1 * span, c_2 * span**2]))
top = lazy_error(span[-1], [time])[0]
right.fill_between(span, [lazy_error(each, [time])[0] for each in span], top, color="0.9", linewidth=0)
right.text(span[2], top / 3, "above the proved bound", color="0.3", fontsize=14)
for place, said in (((0.016, 1.4e-4), f"one sign:\n{c_1:.3f} $\\kappa$"), ((0.2, 1.5e-4), f"hollow, pairs:\n{c_2:.3f} $\\kappa^2$")):
    right.text(*place, said, fontsize=14)
right.set(xlabel=r"$\kappa$, computed before training", title=r"(b) $\kappa$ decides, for one kind of start", xlim=(span[0], span[-1]))
plt.setp((left, right), ylim=(error["one sign", wide, 1].min() / 3, top))
plt.show()

# %% [markdown]
# ```{claim} constant
# :headline: mακ of the widest networks in pairs, mean
# :evidence: float with residual
# :because: one standard error of the largest eigenvalue, by the variance of one neuron; and its shift of
#   order 1/m
# :control: in one of the pairs both output weights are −1, α = 1: h(w₀) is not 0
#
# in wide networks mακ is the constant that the law of one neuron gives, whatever the scaling α(m)
# ```
#
# ```{claim} spaced
# :headline: error over κ of equally spaced neurons of one sign, and over κ² in pairs, at the smallest κ
# :evidence: trained and compared
# :because: the next order in κ, from a larger κ; and the distance of the two bounds of ‖D²h‖
# :contrast: the pairs over κ, and the one sign over κ²
#
# as κ → 0 the error is c₁κ, and c₂κ² for pairs, with constants of the law of one neuron
# ```
#
# ```{claim} bound
# :headline: largest error minus its bound, one network of each width, kind and scaling, all times
# :evidence: trained and compared
# :because: the integrator's tolerance in each of its steps, relative to the weights, times ‖Dh‖
# :control: a ReLU network of which the hidden layer is trained: κ = 0 away from its kinks
#
# no error exceeds what κ allows, in any network, scaling, or time, with the largest ‖D²h‖ of start, middle and end
# ```

# %% tags=["hide-input"]
claims.limit("constant", C.constant, wide * np.mean([one.below for one in found["pairs", wide]]),
             error=C.constant * (C.scatter / np.sqrt(wide * draws) + C.shift / wide), control=unlike_kappa)
shares = {kind: spaced[kind] / small[kind] ** power for kind, power in POWERS.items()}
derived_order = [refined(one[1], one[0], FACTORS[kind][1] / FACTORS[kind][0], power) / one[1]
                 for (kind, one), power in zip(shares.items(), (1, 2), strict=True)]
claims.limit("spaced", [c_1, c_2], [one[1] for one in shares.values()], relative="each",
             error=max(derived_order) + C.gap,
             control=[spaced["pairs"][1] / small["pairs"][1], spaced["one sign"][1] / small["one sign"][1] ** 2])
derived_steps = max(
    stepping(some[0][2], RTOL, np.sqrt(sum(np.sum(np.square(part)) for part in some[0][1][1])) * found[kind, m][0].slope / length)
    * NETS[scaling].scale(m)
    for (kind, m, scaling), some in runs.items()
)
claims.below("bound", 0.0, max(np.max(off - most) for off, most in allowed.values()), error=derived_steps,
             control=kinked_error)

# %% [markdown]
# ## Theory
#
# ````{prf:proposition} What the criterion proves
# :label: proposition-criterion-error
#
# Let $h$ be twice continuously differentiable, $Dh(w_0)\ne0$, $h(w_0)\ne y$, and $\kappa_s=\|h(w_0)-y\|\,\|Dh(w_0)\|^{-2}\max_{s'\le s}\|D^2h(w(s'))\|$. For every $s\ge0$
#
# ```{math}
# :label: criterion-error
# \begin{aligned}\operatorname{err}(s)&\le\frac{\sqrt2}3\,\kappa_s\,s^{3/2}+\frac{\kappa_s^2s^2}{6\sqrt3},\\\operatorname{err}(s)&\le\frac{e^{2\kappa_ss}-1-2\kappa_ss}{2\kappa_s}=\kappa_ss^2+O(\kappa_s^2s^3).\end{aligned}
# ```
#
# The factor $1$ of $\kappa_ss^2$ is the best one. For one neuron $h=aw$ with $a=w$ the ratio of both sides of the second line tends to $1$ as $s\to0$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# Write $D=\|Dh(w_0)\|$, $\rho=\|h(w_0)-y\|$ and $L$ for the maximum of $\|D^2h\|$. Let $r=h(w)-y$ be the residual, $x=\|r\|/\rho$, and $\ell$ the length of the path, so that $\|Dh(w)-Dh(w_0)\|\le L\ell$. (The norm of $D^2h$ is its largest value at two equal directions. For a symmetric form no two different directions give more, and for values in $\mathbb R^n$ this holds for $c\cdot D^2h$ with every unit vector $c$.) With $p=\ell D/\rho$ we have $L\ell=\kappa_spD$, and the {term}`tangent kernel` $K(w)=DhDh^\top$ has $\|K(w)-K(w_0)\|\le D^2(2\kappa_sp+\kappa_s^2p^2)$. The difference $\delta$ of the outputs obeys $\dot\delta=-K(w_0)\delta-(K(w)-K(w_0))r$, so that
#
# $$\frac{d\|\delta\|}{ds}\le(2\kappa_sp+\kappa_s^2p^2)\,x\,\rho .$$
#
# *First line.* What moves the weights is lost by the residual, $\int\|\dot w\|^2dt=\frac12\rho^2(1-x^2)$. By Cauchy and Schwarz $p^2\le\frac s2(1-x^2)$. Over $0\le x\le1$ the largest $x\sqrt{1-x^2}$ is $\frac12$ and the largest $x(1-x^2)$ is $\frac2{3\sqrt3}$. So $\frac{d\|\delta\|}{ds}\le\rho\bigl(\kappa_s\sqrt{s/2}+\kappa_s^2\frac s{3\sqrt3}\bigr)$. Integrate.
#
# *Second line.* The residual never grows, so $\dot\ell\le(D+L\ell)\rho$ and $\kappa_sp\le e^{\kappa_ss}-1$. Then $2\kappa_sp+\kappa_s^2p^2\le e^{2\kappa_ss}-1$ and $x\le1$. Integrate.
#
# *Sharpness.* For $h=aw$ and $a=w$ we have $\|Dh\|^2=2w^2$, $\|D^2h\|=1$ along $(1,1)/\sqrt2$,
# and $K=a^2+w^2$ changes at first by $4w^2\rho\,t$, which makes the error $2w^2\rho\,t^2=\kappa s^2$. $\square$
# ````
#
# The slides have $\operatorname{err}\lesssim\kappa s^2$. The first line is new and, for small $\kappa_s$, the smaller one from $s=\frac29$ on. How much room is left? At $s=1$ the same neuron $h=aw$ has the error $2e^{-2}\kappa$ as $\kappa\to0$, because its course is $z'=(1+2\kappa z)(1-z)$. This is 57 % of what the first line allows, and at $s=0.38$ its error $2e^{-s}(s-1+e^{-s})\kappa$ is 79 % of it. So a bound $c\,\kappa_ss^{3/2}$ for all $s$ needs $c\ge0.373$, and ours with $c=0.471$ is at most $1.27$ times too large. Networks stay farther below, because only a part of their kernel moves and the rest of the error decays.
#
# A small $\kappa_s$ makes a model lazy up to times $s\ll\kappa_s^{-2/3}$. For a short path of a wide network $\kappa_s$ is near $\kappa$, its value at $s=0$. In general a small $\kappa$ is not enough. The model $h(w)=w+w^3$ has $\kappa=0$ at $w_0=0$, and with $y=1$ it is off its linearization by $0.30$ at $s=1$.
#
# ````{prf:proposition} Two laws
# :label: proposition-criterion-laws
#
# 1. If $h(\lambda w)=\lambda^Lh(w)$ for $\lambda>0$ and $h(w_0)=0$, then $\kappa(\lambda w_0)=\lambda^{-L}\kappa(w_0)$.
# 2. Let the $m$ neurons $\theta_j=(w_j,a_j)$ come in pairs $(w,a)$, $(w,-a)$, $m/2$ of them independent and of a law of compact support, let $\sigma$ be twice continuously differentiable, and let $\mathbb E\,D\Phi D\Phi^\top\ne0$ with $\Phi_i(\theta)=a\,\sigma(w\cdot x_i)$. Then, almost surely as $m\to\infty$,
#
# ```{math}
# :label: criterion-wide
# \begin{gathered}m\,\alpha(m)\,\kappa\to C,\\C=\frac{\|y\|\,\sup\|D^2\Phi\|}{\lambda_{\max}\bigl(\mathbb E\,D\Phi D\Phi^\top\bigr)},\end{gathered}
# ```
#
# with the supremum over the support.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# (1) $Dh$ is homogeneous of degree $L-1$ and $D^2h$ of degree $L-2$, so $\kappa$ gets $\lambda^{L-2-2(L-1)}$. (2) $h(w_0)=0$. $DhDh^\top=\alpha^2\sum_jD\Phi(\theta_j)D\Phi(\theta_j)^\top$ is $\alpha^2m$ times a mean, and $\|D^2h\|=\alpha\max_j\|D^2\Phi(\theta_j)\|$, because $D^2h$ is block diagonal over the neurons. $\square$
# ````
#
# At a finite $m$ the largest of the $\|D^2\Phi(\theta_j)\|$ falls short of the supremum. Where this is attained at a smooth maximum over a curve, as below, the nearest of $m$ neurons is about $1/m$ away and short of it by the order $1/m^2$, far less than the scatter $m^{-1/2}$ of the eigenvalue.
#
# The second law needs $h(w_0)=0$. For independent signs $a_j$ the slides state it too, but there $\|h(w_0)\|^2$ is about $\alpha^2m\,\mathbb E\|\Phi\|^2$, and
#
# ```{math}
# :label: criterion-signs
# \kappa\approx\frac C{m\,\alpha}\sqrt{1+m\,\alpha^2\,\frac{\mathbb E\|\Phi\|^2}{\|y\|^2}} .
# ```
#
# With $\alpha=1$ this $\kappa$ falls like $m^{-1/2}$, not like $m^{-1}$.
#
# ### How fast, exactly
#
# By {prf:ref}`proposition-lazy-first` the error is $c_1(s)\,\kappa$ at first, and by {prf:ref}`proposition-lazy-pairs` $c_2(s)\,\kappa^2$ for pairs. Both constants follow from the law of one neuron. Here $c_1=$ {glue:text}`criterion_first` and $c_2=$ {glue:text}`criterion_second` at $s=$ {glue:text}`criterion_time`, $C=$ {glue:text}`criterion_constant`, and $\sqrt m\,(m\alpha\kappa/C-1)$ scatters by {glue:text}`criterion_scatter`.
#
# How do we know $\|D^2h\|$, a maximum over directions? It belongs to one neuron, the worst, and is bounded from both sides.
#
# ````{prf:proposition} A certified norm
# :label: proposition-criterion-norm
#
# Let $B(v,v)\in\mathbb R^n$ be quadratic in $v\in\mathbb R^q$, and $\|B(v,v)\|^2=z^\top Az$ with the vector $z$ of the products $v_av_b$, $a\le b$, those of $a<b$ times $\sqrt2$. Then for every symmetric $Q$ with $z^\top Qz=0$ for all $v$
#
# $$\max_{\|v\|=1}\|B(v,v)\|^2\le\lambda_{\max}(A+Q),$$
#
# and for $q\le3$ the least of these bounds is equal to the left-hand side.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# $\|z\|=\|v\|^2=1$ gives the bound. If $\gamma$ is the maximum, $\gamma\|v\|^4-\|B(v,v)\|^2$ is a form of degree four in $q$ variables without negative values. For $q\le3$ it is a sum of squares {cite}`hilbert1888`, $z^\top Gz$ with $G\succeq0$, and $Q=\gamma I-A-G$ has $\lambda_{\max}(A+Q)\le\gamma$. $\square$
# ````
#
# In the plane a neuron has three weights, two and one, so the bound is exact. A semidefinite program {cite}`lasserre2001` finds $Q$. The bound itself is one eigenvalue of a $6\times6$ matrix, whatever the program did. From below, $v$ and the direction of $B(v,v)$ are maximized in turn. On our networks the two differ by {glue:text}`criterion_gap` at most.
#
# ## Instruments
#
# The law of homogeneous networks; the error of drawn networks beside that of equally spaced neurons; the exponent of $\kappa$ in the width; the neuron whose error is as large as {eq}`criterion-error` allows; and $\|h(w_0)\|$ for independent signs.
#
# ```{claim} homogeneity
# :evidence: float with residual
# :because: the largest distance of the two bounds of ‖D²h‖, and rounding of sums over neurons and samples, of
#   outputs that cancel at the largest λ too
# :control: independent signs, λ = ½ and 2
#
# of a homogeneous network of degree L whose first outputs are 0, κ falls like λ to the power −L
# ```
#
# ```{claim} errors
# :evidence: trained and compared
# :because: one standard error, from the scatter at all widths; and the shift of κ of order 1/m, in its second
#   power
# :contrast: a quarter of the neurons of the other sign; one of the pairs with both output weights −1; centred
#
# the error of wide drawn networks is c₁κ, and c₂κ² for pairs, with the constants of the law of one neuron
# ```
#
# ```{claim} kappa_exponents
# :evidence: float with residual
# :because: one standard error of κ at the smallest width of the regression and its shift there, over the
#   logarithm of the widths' ratio
# :control: independent signs: h(w₀) is not 0
#
# for α = 1 κ falls with the exponent −1 in the width; over α that is −1/2 for 1/√m, and 0 for 1/m
# ```
#
# ```{claim} sharp
# :evidence: trained and compared
# :because: the next order in s, from a run that is twice as long
# :contrast: unequal weights
#
# one neuron of equal weights has the error that κ allows, as s → 0
# ```
#
# ```{claim} signs
# :evidence: float with residual
# :because: one standard error of the mean square
# :contrast: neurons of one sign
#
# independent signs start at the predicted distance from the labels
# ```

# %% tags=["hide-input"]
lambdas = np.array([0.1, 0.5, 2.0, 10.0])  # mutant(10.0): factors of which the same law holds
homogeneous = {2: TwoLayer(RELU), 3: TwoLayer(Square())}


def laws(w, a):
    """λ^L κ(λw₀)/κ(w₀) for both networks at all λ, and the largest distance of two bounds of ‖D²h‖, relative."""
    ratios, apart = [], []
    for power, net in homogeneous.items():
        found = [
            # mutant(scale * w → scale / w; scale * w → scale / w (2)): another start, of which the same law holds
            criterion(net, scale * w, scale * a, net.output(scale * w, scale * a, x) - y)
            for scale in (1.0, *lambdas)]
        ratios += [scale**power * one.above / found[0].above for scale, one in zip(lambdas, found[1:], strict=True)]
        apart += [one.above / one.below - 1 for one in found]
    return ratios, max(apart)


first_w, first_a = networks["pairs", widths[0]][0]  # mutant(widths[0]): another of the widths
law, derived_apart = laws(first_w, first_a)
derived_outputs = max(  # the sum of the sizes of the terms that cancel in the outputs, over the size of the labels
    net.output(lambdas[-1] * first_w, lambdas[-1] * np.abs(first_a), x).max() / np.abs(y).max()
    for net in homogeneous.values())
claims.identity("homogeneity", 1.0, law, error=derived_apart + rounding(widths[0] * n) + rounding(size=derived_outputs),
                control=np.reshape(laws(*loud[widths[0]][0])[0], (len(homogeneous), -1))[:, 1:3].ravel())


def share(kind, m):
    """err/κ of networks of one sign, err/κ² of pairs, α = 1, over the predicted constants."""
    return error[kind, m, 1] / kappa[kind, m, 1] ** POWERS[kind] / {"one sign": c_1, "pairs": c_2}[kind]


derived_scatter = np.sqrt(  # of √m times the shares, pooled over the widths
    np.mean([[m * np.var(share(kind, m), ddof=1) for m in widths] for kind in POWERS], axis=1).max())
claims.limit("errors", 1.0, [share(kind, wide).mean() for kind in POWERS],
             error=derived_scatter / np.sqrt(wide * draws) + POWERS["pairs"] * C.shift / wide,
             control=[np.mean([train(plain, w, a)[0][-1] / criterion(plain, w, a).above ** POWERS[kind] for w, a in some])
                      / constant for kind, some, constant in (("one sign", mixed, c_1), ("pairs", unlike, c_2))])
last = widths[1:]  # mutant: more or fewer of the widths
claims.rate("kappa_exponents", -1.0, log_log_slope(last, [kappa["pairs", m, 1].mean() for m in last]),
            error=(C.scatter / np.sqrt(last[0] * draws) + C.shift / last[0]) / np.log(last[-1] / last[0]),
            control=log_log_slope(last, [loud_kappa[m].mean() for m in last]))
SHORT = 1e-2


def one_neuron(w, a, short=SHORT):
    """err/κs² of h = aw with the label h(w₀) + 1, after a short time."""
    net, square = TwoLayer(IDENTITY), w**2 + a**2
    seen = Scaled(Squared("sum"), 1.0, np.array([a * w]))
    flow = Risk(net, Samples(np.ones((1, 1)), np.ones(1)), seen).of_weights([[w]], [a])
    run = follow(flow, t_end=short / square, method="LSODA", rtol=1e-12, atol=1e-15)
    gradients, seconds = neuron_derivatives(net, [[w]], [a], np.ones((1, 1)))
    k = lazy_criterion([-1.0], gradients[0] @ gradients[0].T, seconds).below
    return abs(flow.outputs(run.final)[0] - a * w + np.expm1(-short)) / (k * short**2)


claims.limit("sharp", 1.0, one_neuron(1.0, 1.0),
             error=refined(one_neuron(1.0, 1.0), one_neuron(1.0, 1.0, 2 * SHORT), 2, 1), control=one_neuron(2.0, 0.5))
MANY = 1000
signed = [start(control_stream, widths[0], "independent") for _ in range(MANY)]
# mutant(-): signs of independent neurons are symmetric
squares = np.array([np.sum((plain.output(w, a, x) - y) ** 2) for w, a in signed]) / length**2
one_sided = [np.sum((plain.output(w, a, x) - y) ** 2) / length**2 for w, a in networks["one sign", widths[0]]]
claims.limit("signs", 1.0,
             squares.mean() / (1 + widths[0] * noise),  # mutant(1): one of the many parts of a sum
             error=standard_error(squares) / (1 + widths[0] * noise), control=np.mean(one_sided) / (1 + widths[0] * noise))


# %% [markdown]
# ## What would falsify it
#
# Any of the following. A model with two continuous derivatives and a larger error than {eq}`criterion-error`. Networks in pairs whose $m\alpha(m)\kappa$ tends to another number than $C$. Wide networks with $\alpha=1/m$ whose error vanishes.
#
# ## Differences from the paper
#
# - **Sharpened.** The slides of the course {cite}`chizat2020slides` say $\operatorname{err}\lesssim\kappa s^2$. We prove two bounds for all times. The factor of the first order in $s^2$ is attained, and as $\kappa\to0$ the constant of the bound is at most 1.27 times too large for the worst model at the worst time.
# - **Corrected.** For independent neurons with $\mathbb E\Phi=0$ the slides, not the paper, give $\kappa\asymp1/(m\alpha(m))$. By {eq}`criterion-signs` that is right as long as $m\alpha^2$ stays bounded. For $\alpha=1$ it needs $h(w_0)=0$. (The paper's own expression, $m^{-1/2}+1/(m\alpha(m))$, agrees with {eq}`criterion-signs`.)
# - **Added.** The constants, the two-sided bounds of $\|D^2h\|$, and the exponent two of pairs.
#
# ## Scope
#
# - A small $\kappa_s$ is sufficient, not necessary, because it bounds the worst direction by operator norms. A small $\kappa$ is sufficient only where the path is so short that $\kappa_s$ is near $\kappa$.
# - The number does not compare different kinds of start. At the same $\kappa$ the widest networks of independent signs, centred, have an error {glue:text}`criterion_still` times below that of one sign.
# - In the check of the bound $\|D^2h\|$ is taken at the start, halfway and at the end of the path, not everywhere on it.
# - Where an activation has kinks $D^2h$ does not see them, as the ReLU network shows.
# - For more than three weights a neuron the upper bound of $\|D^2h\|$ need not be exact.
# - All networks have two layers and {glue:text}`criterion_n` points in the plane. The factor {glue:text}`criterion_first_short` belongs to these points, this law of the neurons and $s=$ {glue:text}`criterion_time`.
#
# ## Exercises
#
# ````{exercise} Two scales
# :label: exercise-criterion-scale
#
# How does $\kappa$ change if $h$ is replaced by $\alpha h$ and $h(w_0)=0$? And if the labels are multiplied by a number?
# ````
#
# ````{solution} exercise-criterion-scale
# :class: dropdown
#
# $\|D(\alpha h)\|$ and $\|D^2(\alpha h)\|$ get a factor $\alpha$, the residual $-y$ none, so $\kappa$ becomes $\kappa/\alpha$. A number on the labels is a factor of $\kappa$. Both say the same. What counts is the size of the model over that of the labels.
# ````
#
# ````{exercise} A model with a fold
# :label: exercise-criterion-fold
#
# Let $h(w)=w^2$ with one weight, $w_0=\varepsilon$, $y=1$. Compute $\kappa$. For which $\varepsilon$ is it small?
# ````
#
# ````{solution} exercise-criterion-fold
# :class: dropdown
#
# $\kappa=|\varepsilon^2-1|\cdot2/(2\varepsilon)^2=|\varepsilon^2-1|/(2\varepsilon^2)$. It is small only for $\varepsilon$ near $1$, where the residual is small. As $\varepsilon\to\infty$ it tends to $\frac12$, because the residual grows like the model.
# ````
#
# ```{exercise} Later
# :label: exercise-criterion-time
#
# Rerun the chapter with `time = 2.0`. By the two bounds, what can you say about the error at $s=2$? What do you expect of $C$ and of the row on $c_2$?
# ```
#
# ```{solution} exercise-criterion-time
# :class: dropdown
#
# $C$ is a number at the start and stays. The first bound allows $1.33\,\kappa+0.38\,\kappa^2$, the second $4\kappa$ and more, so the first is the better one. The constants $c_1$ and $c_2$ are those of the later time. They may be larger or smaller, because the linearization also reaches the labels in its fastest direction. Prediction and measurement still agree.
# ```
#
# ## Where to go next
#
# ```{next}
# {doc}`lazy_theorem` makes a model lazy by a factor on its output and gives the constants. {doc}`training_paths` shows what neurons do that are not lazy. {doc}`tangent_kernel` follows the width to infinity.
# ```
#
# ## References
#
# The criterion is that of {cite:t}`chizat2019`; the bound of $\|D^2h\|$ is the first step of {cite:t}`lasserre2001`, exact by {cite:t}`hilbert1888`.
