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
# # Lazy training: a model of large scale trains like its linearization
#
# Multiply a model by a large number $\alpha$ and train it. A tiny change of the weights then changes the outputs a lot, so the weights hardly move, and the model trains like its linearization, its first-order Taylor expansion $\bar h$ at the start: it is {term}`lazy <lazy regime>` {cite}`chizat2019`. The
# distance of the two is predicted here to its leading constant $C_1$, from derivatives at the start alone: it falls like $1/\alpha$, and like $1/\alpha^2$ if the neurons come in pairs that cancel at the start.
#
# $$\begin{gathered}\sup_{t\le T}\bigl\|\alpha h(w_\alpha(t))-\alpha\bar h(\bar w_\alpha(t))\bigr\|\\=\frac{C_1}\alpha+O\Bigl(\frac1{\alpha^2}\Bigr)\end{gathered}$$
#
# for a smooth model $h$ with $h(w_0)=0$; $w_\alpha$ and $\bar w_\alpha$ are the weights of the model and of its linearization, trained alike up to the time $T$. ($\|\cdot\|$ is the root mean square over the samples.)
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# A model with weights $w\in\mathbb R^p$ gives $n$ outputs $h(w)\in\mathbb R^n$, one per sample, and $Dh$ is its Jacobian, $n\times p$. $R$ is a smooth loss of the outputs, $\alpha>0$ a scale, and $w_\alpha$ the {term}`gradient flow` of $F_\alpha$ from $w_0$,
#
# $$\begin{gathered}F_\alpha(w)=\frac{R(\alpha h(w))}{\alpha^2},\\\dot w_\alpha=-\tfrac1\alpha Dh(w_\alpha)^\top\nabla R(\alpha h(w_\alpha)).\end{gathered}$$
#
# The factor $1/\alpha^2$ keeps the speed of the outputs $\alpha h$ the same for all $\alpha$: that is why a large scale is not just a large learning rate. The model is {term}`centred <centred model>`: $h(w_0)=0$, by subtracting $h(w_0)$. Its linearization $\bar h(w)=Dh(w_0)(w-w_0)$ is trained in the same way, with weights $\bar w_\alpha$. Its outputs $\bar u=\alpha\bar h(\bar w_\alpha)$ do not depend on $\alpha$: with the {term}`tangent kernel` $K=Dh(w_0)Dh(w_0)^\top$
#
# ```{math}
# :label: lazy-linear
# \dot{\bar u}=-K\,\nabla R(\bar u),\qquad\bar u(0)=0 .
# ```

# %% tags=["hide-input"]
from functools import partial
from types import SimpleNamespace

import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.activations import Tanh
from implicit_bias.data import Samples
from implicit_bias.figures import style
from implicit_bias.flows import follow
from implicit_bias.limits.lazy import lazy_bound, lazy_expansion
from implicit_bias.losses import Logistic, Squared
from implicit_bias.models.two_layer import Risk, TwoLayer, in_pairs, tangents
from implicit_bias.norms import root_mean_square
from implicit_bias.rates import log_log_slope
from implicit_bias.wrapped_losses import Ridged, Scaled
from reproduce.claims import Altered, Claims, refined, rounding
from reproduce.claims.glued import glue_all

claims = Claims("lazy_theorem")

style.use_style()

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Chizat, Oyallon and Bach 2019, Section 2; in words
# :label: theorem-lazy
#
# Let $h$ be differentiable with a locally Lipschitz $Dh$, $R$ bounded below, and $h(w_0)=0$. For every horizon $T$ the largest distance of $\alpha h(w_\alpha(t))$ and $\alpha\bar h(\bar w_\alpha(t))$ over $t\le T$ tends to $0$ as $\alpha\to\infty$. If moreover $R$ is strongly convex, and $Dh(w_0)$ maps onto $\mathbb R^n$ (the weights can move each output alone) or $Dh$ has the same rank near $w_0$, so does the largest distance over all $t\ge0$.
# ```
#
# How fast? Write $w_\alpha=w_0+v/\alpha$ and $u=\alpha h(w_\alpha)$. The outputs obey $\dot u=-K(w_\alpha)\nabla R(u)$, and along the way the kernel moves. Let
#
# $$\begin{aligned}K_{ik}&=\nabla h_i\cdot\nabla h_k,\\K_{ikl}&=\nabla h_l\cdot\nabla K_{ik},\\K_{iklq}&=\nabla h_q\cdot\nabla K_{ikl},\end{aligned}$$
#
# all at $w_0$, with samples $i,k,l,q$. $K_{ikl}$ is the rate at which the entry $ik$ of the kernel changes when the weights follow the gradient of the output at $l$. These are the first members of the neural tangent hierarchy {cite}`huang2020`.
#
# ````{prf:proposition} The first term
# :label: proposition-lazy-first
#
# Let $h$ and $R$ be smooth, $h(w_0)=0$, $R$ bounded below, and $T>0$. Then, uniformly on $[0,T]$,
#
# $$\begin{aligned}\alpha h(w_\alpha)&=\bar u+\frac{u_1}\alpha+O\Bigl(\frac1{\alpha^2}\Bigr),\\\alpha\|w_\alpha-w_0\|&=\sqrt{g^\top Kg}+O\Bigl(\frac1\alpha\Bigr),\end{aligned}$$
#
# where $g$, the gradient of the loss gathered over time, and $u_1$ start at $0$ and
#
# ```{math}
# :label: lazy-first
# \begin{gathered}\dot g=-\nabla R(\bar u),\qquad\bar u=Kg,\\\dot u_1=-K\,\nabla^2R(\bar u)\,u_1-K_1\nabla R(\bar u),\\(K_1)_{ik}=\sum_lK_{ikl}\,g_l .\end{gathered}
# ```
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# With $\varepsilon=1/\alpha$ and $u=\int_0^1Dh(w_0+s\varepsilon v)v\,ds$ the flow reads $\dot v=-Dh(w_0+\varepsilon v)^\top\nabla R(u)$, $v(0)=0$: a differential equation whose right-hand side is continuously differentiable in $(\varepsilon,v)$, $\varepsilon=0$ included. Its
# solutions exist on $[0,T]$ and stay bounded, since $\int_0^T\|\dot v\|^2dt=R(0)-R(u(T))$. So $v$ is differentiable in $\varepsilon$. At $\varepsilon=0$: $\dot v_0=-Dh(w_0)^\top\nabla R(\bar u)$, hence $v_0=Dh(w_0)^\top g$, of squared length $g^\top Kg$, and $\bar u=Kg$.
# The outputs obey $\dot u=-K(w_0+\varepsilon v)\nabla R(u)$, where $\frac d{d\varepsilon}K_{ik}(w_0+\varepsilon v)=\nabla K_{ik}\cdot v_0=\sum_lK_{ikl}g_l$ at $\varepsilon=0$. The derivative of the equation in $\varepsilon$ is the one for $u_1$. $\square$
# ````
#
# So $C_1=\sup_t\|u_1(t)\|$. One kind of start has $u_1=0$: neurons in pairs $(w,a)$ and $(w,-a)$, which is the usual way to make $h(w_0)=0$.
#
# ````{prf:proposition} Pairs
# :label: proposition-lazy-pairs
#
# Pairs are neurons with the same hidden and opposite output weights. Let $S$ be an orthogonal map of the weights with $h(Sw)=-h(w)$ for all $w$ and $Sw_0=w_0$. Then $u$ is even in $\alpha$: $u_1=0$, $K_{ikl}=0$, and uniformly on $[0,T]$ $u=\bar u+u_2/\alpha^2+O(1/\alpha^4)$ with
#
# ```{math}
# :label: lazy-second
# \begin{gathered}\dot u_2=-K\,\nabla^2R(\bar u)\,u_2-K_2\nabla R(\bar u),\\(\dot K_2)_{ik}=\sum_{lq}K_{iklq}\,g_q\,\dot g_l .\end{gathered}
# ```
#
# For the pairs, $S$ exchanges the partners and changes the sign of both output weights.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# Let $v$ solve the flow for $\varepsilon$, and put $\tilde v=-Sv$. As $w_0-\varepsilon\cdot(-Sv)=S(w_0+\varepsilon v)$, $\frac{h(w_0-\varepsilon\tilde v)}{-\varepsilon}=\frac{h(S(w_0+\varepsilon v))}{-\varepsilon}=\frac{h(w_0+\varepsilon v)}\varepsilon$: both have the same $u$. Differentiating $h(Sw)=-h(w)$
# gives $Dh(Sw)^\top=-S\,Dh(w)^\top$, so $\tilde v$ solves the flow for $-\varepsilon$. Hence $u^{-\varepsilon}=u^\varepsilon$. And $K(Sw)=K(w)$, so that $\nabla K_{ik}(w_0)$ is fixed by $S$ while $\nabla h_l(w_0)$ changes its sign: their product $K_{ikl}$ is $0$. The kernel then moves by
# $\dot K_{ikl}=\varepsilon\sum_qK_{iklq}\dot g_q$ and $\dot K_{ik}=\varepsilon\sum_lK_{ikl}\dot g_l$ to leading order, so that the kernel has moved by $\varepsilon^2K_2$. $\square$
# ````
#
# For all times at once the kernel must be positive definite and $R$ strongly convex. For the squared loss the constants are explicit.
#
# ````{prf:proposition} All times, with constants
# :label: proposition-lazy-uniform
#
# Let $R(u)=\frac12\|u-y\|^2$, $h(w_0)=0$, let $\lambda>0$ be the least eigenvalue of $K$, $J=Dh(w_0)$, and let $Dh$ have the Lipschitz constant $\beta$ within $\sqrt\lambda/(2\beta)$ of $w_0$. If $\alpha\ge\alpha_0=4\beta\|y\|/\lambda$, then for all $t$
#
# $$\begin{aligned}\|w_\alpha(t)-w_0\|&\le\frac{2\|y\|}{\alpha\sqrt\lambda},\\\bigl\|\alpha h(w_\alpha)-\alpha\bar h(\bar w_\alpha)\bigr\|&\le\frac{1.26\,\beta\,\|y\|^2}{\alpha\,\lambda^{3/2}}\Bigl(2\|J\|+\tfrac{\sqrt\lambda}2\Bigr).\end{aligned}$$
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# While $\|w_\alpha-w_0\|\le\sqrt\lambda/(2\beta)$, $\|Dh-J\|\le\sqrt\lambda/2$, so that the least singular value of $Dh$ is at least $\sqrt\lambda/2$ and $\|\nabla F_\alpha\|^2\ge\frac\lambda4\cdot2F_\alpha$. The path is then no longer than
# $\int\frac{-dF}{\sqrt{\lambda F/2}}\le2\sqrt{2F_\alpha(w_0)/\lambda}=\frac{2\|y\|}{\alpha\sqrt\lambda}\le\frac{\sqrt\lambda}{2\beta}$: the condition is never left. The residual obeys $\|u-y\|\le\|y\|e^{-\lambda t/4}$, and $\Delta=u-\bar u$
#
# $$\dot\Delta=-K\Delta-(K(w_\alpha)-K)(u-y),$$
#
# with $\|K(w_\alpha)-K\|\le\bigl(2\|J\|+\frac{\sqrt\lambda}2\bigr)\beta\frac{2\|y\|}{\alpha\sqrt\lambda}$. Finally $\int_0^te^{-\lambda(t-s)}e^{-\lambda s/4}ds\le\frac{0.63}\lambda$. $\square$
# ````
#
# Such bounds are safe and far too large, and ask for scales that no run of this chapter has:
#
# | $\lambda$ | $\lVert K\rVert$ | $C_1$, predicted | $C_2$ of pairs, predicted | $\alpha_0$ | proved for $\alpha\ge\alpha_0$, in place of $C_1$ |
# |---|---|---|---|---|---|
# | {glue:text}`lazy_least` | {glue:text}`lazy_most` | {glue:text}`lazy_first` | {glue:text}`lazy_second` | {glue:text}`lazy_alpha` | {glue:text}`lazy_proved` |
#
# Norms in the propositions are Euclidean. In this table, at the top of the chapter and in all that follows a distance is a root mean square over the samples, the Euclidean one over $\sqrt n$.
#
# ## Experiment
#
# $h_i(w)=\frac1{\sqrt m}\sum_ja_j\tanh(w_j\cdot x_i)$ with all weights trained, $n$ Gaussian samples in $d$ dimensions, labels $\pm1$, the signs of the outputs of a random network of three neurons. The start is drawn with $w_j\sim\mathcal N(0,I/d)$, $a_j\sim\mathcal N(0,1)$ independently of the data, and centred; or half as many are drawn, and each gets its partner.
# $R(u)=\frac12\|u-y\|^2$ is followed to the time *horizon*; the logistic loss with a ridge on the *outputs*, $\frac1n\sum\ln(1+e^{-y_iu_i})+\frac\mu{2n}\|u\|^2$, to $n$ times *long_horizon*. The networks' own flow is integrated in all $m(d+1)$ weights, with gradients by hand; the prediction sees the numbers $K_{ik}$, $K_{ikl}$, $K_{iklq}$ only. A distance is
# a root mean square over the samples, its largest value over the recorded times.

# %% tags=["parameters"]
n: int = 15  # number of samples n, in [4, 30]
d: int = 10  # dimension of the samples, in [4, 60]
m: int = 40  # number m of neurons, even, in [20, 400]
alphas: list[float] = [0.1, 1.0, 10.0, 100.0, 300.0]  # scales α, increasing, the last at least 100, each in [0.05, 1000]
horizon: float = 40.0  # time T for the squared loss, in [20, 1000]
long_horizon: float = 200.0  # time over n for the logistic loss with ridge, in [100, 2000]
ridge: float = 0.1  # μ, in [0.02, 1]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where m % 2 == 0
# where len(alphas) >= 3 and alphas == sorted(set(alphas)) and alphas[-1] >= 100
# where alphas[-3] >= 1 and alphas[-2] >= 10 and alphas[-1] >= 3 * alphas[-2] and m * (d + 1) >= 8 * n

# %% tags=["hide-input"]
data_stream, initialization_stream, control_stream = np.random.default_rng(seed).spawn(3)
x = data_stream.standard_normal((n, d))
y = np.sign(np.tanh(x @ data_stream.standard_normal((3, d)).T / np.sqrt(d)) @ [1.0, -1.0, 1.0])
data = Samples(x, y)
net = TwoLayer(Tanh(), scaling="1/sqrt(m)")
RTOL = 1e-11  # of the integrators
times = np.concatenate([[0.0], np.geomspace(1e-3, 1, 100) * horizon])
# mutant: when states are recorded
long_times = np.concatenate([[0.0], np.geomspace(1e-4, 1, 100) * long_horizon * n])


def weights(stream):
    """W and a of m independent neurons."""
    return stream.standard_normal((m, d)) / np.sqrt(d), stream.standard_normal(m)


def train(start, alpha, loss, until, *, centred=1.0, rtol=RTOL):
    """Gradient flow of R(αh)/α² from (W, a): the outputs αh at the times, k × n, and α‖w − w₀‖ at the end.

    centred: which share of the first outputs is subtracted.
    """
    origin = centred * net.output(start[0], start[1], x)
    seen = Scaled(loss, alpha, origin)
    flow = Risk(net, data, seen).of_weights(*start)
    run = follow(flow, t_end=until[-1], record=until[1:-1], method="LSODA", rtol=rtol)
    outputs = np.array([seen.outputs(flow.outputs(state)) for state in run.theta])
    return outputs, alpha * np.linalg.norm(run.final - flow.start)


size = partial(root_mean_square, axis=-1)  # over the samples


def farthest(outputs, linear):
    """The largest distance of two paths of outputs."""
    return float(size(outputs - linear).max())


# %%
iid = weights(initialization_stream)
pairs = in_pairs(*(part[: m // 2] for part in weights(initialization_stream)))
single = tangents(net, iid[0], iid[1], x)
double = tangents(net, pairs[0], pairs[1], x, fourth=True)
first = lazy_expansion(Squared("sum"), y, times, single.kernel, single.third)  # predict
second = lazy_expansion(Squared("sum"), y, times, double.kernel, double.third, double.fourth)
u_1, u_2 = first.first, np.asarray(second.second)
C_1, C_2 = size(u_1).max(), size(u_2).max()
alone = {alpha: train(iid, alpha, Squared("sum"), times) for alpha in alphas}  # train
paired = {alpha: train(pairs, alpha, Squared("sum"), times) for alpha in alphas}
for alpha in alphas[-2:]:  # compare
    single_ratio = alpha * farthest(alone[alpha][0], first.linear) / C_1
    paired_ratio = alpha**2 * farthest(paired[alpha][0], second.linear) / C_2
    print(f"α = {alpha:g}: distance, measured over predicted: {single_ratio:.4f}, in pairs {paired_ratio:.4f}")

# %% [markdown]
# What breaks a premise. *Not centred*: the same independent neurons, $h(w_0)$ left where it is, or a third of it. *One partner missing*: in one of the pairs the partner's $w_j$ is drawn anew; centred. *No ridge*: the logistic loss alone is not strongly convex.

# %% tags=["hide-input"]
shift = net.output(iid[0], iid[1], x)
to_shift = lazy_expansion(Squared("sum"), shift, times, single.kernel, single.third).linear  # the flow is linear in y


def off_centre(alpha, left):
    """The largest distance where this share of the first outputs is left."""
    path = train(iid, alpha, Squared("sum"), times, centred=1 - left)[0]
    return farthest(path, first.linear + left * alpha * (shift - to_shift))


loud = {alpha: off_centre(alpha, 1.0) for alpha in alphas}
partly = off_centre(alphas[-3], 1 / 3)
widowed = (pairs[0].copy(), pairs[1])
widowed[0][-1] = control_stream.standard_normal(d) / np.sqrt(d)
lone = tangents(net, widowed[0], widowed[1], x)
lone_linear = lazy_expansion(Squared("sum"), y, times, lone.kernel, lone.third).linear
missing = {}
for alpha in alphas:
    missing_path = train(widowed, alpha, Squared("sum"), times)[0]
    missing[alpha] = farthest(missing_path, lone_linear)

logistic = Ridged(Logistic(), ridge)
late = {loss: lazy_expansion(loss, y, long_times, single.kernel, single.third) for loss in (logistic, Logistic())}
early = long_times <= long_times[-1] / 2
C_late = {loss: size(one.first[early]).max() for loss, one in late.items()}
ends = {loss: {alpha: farthest(train(iid, alpha, loss, long_times)[0], one.linear)
               for alpha in (alphas[-3:] if loss == logistic else alphas[-1:])}
        for loss, one in late.items()}

# %% tags=["hide-input"]
far = np.array([farthest(alone[alpha][0], first.linear) for alpha in alphas])
far_paired = np.array([farthest(paired[alpha][0], second.linear) for alpha in alphas])
spectrum = np.linalg.eigvalsh(single.kernel)
# ‖∇²h_i‖ ≤ s max_j (|a_j| b ‖x_i‖² + ‖x_i‖), b = 4/(3√3) the largest |tanh″|; a_j moves by at most √λ/(2β) < 1.
length = np.linalg.norm(x, axis=1)
beta = np.linalg.norm((np.abs(iid[1]).max() + 1) * 4 / (3 * np.sqrt(3)) * length**2 + length) / np.sqrt(m)
bound = lazy_bound(single.kernel, y, beta)
glue_all("lazy", least=f"{spectrum.min():.3f}", most=f"{spectrum.max():.1f}", first=f"{C_1:.4f}", second=f"{C_2:.4f}",
         alpha=f"{bound.scale:,.0f}", proved=f"{bound.distance / np.sqrt(n):,.0f}")

# %% mystnb={"figure": {"caption": "Left: the largest distance of the trained network from its linearization, against the scale, for independent neurons (blue dots) and pairs (orange dots); dashed: $C_1/\\alpha$ and $C_2/\\alpha^2$, predicted. Labels are $\\pm1$: at the smallest scale the distance is a seventh of them, for pairs a quarter, and off the law. Red squares: a network that is not centred. Purple triangles: pairs of which one partner is missing. Right: $\\alpha$ times the distance at each time, independent neurons and the squared loss; dashed: $\\|u_1(t)\\|$, predicted.", "name": "figure-lazy"}, "image": {"alt": "Left: two rows of dots on two falling lines, one twice as steep, and two rows that leave them. Right: curves that approach a dashed one as the scale grows", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.6, 3.9))
left.loglog(alphas, list(loud.values()), "s", color=style.COLORS["red"], label="not centred")
left.loglog(alphas, far, "o", color=style.COLORS["blue"], label="independent neurons")
left.loglog(alphas, list(missing.values()), "^", color=style.COLORS["purple"], label="one partner missing")
left.loglog(alphas, far_paired, "o", color=style.COLORS["orange"], label="neurons in pairs")
wide = np.geomspace(alphas[0], alphas[-1], 50)
style.theory(left, wide, C_1 / wide)
style.theory(left, wide, C_2 / wide**2)
left.set(xlabel=r"scale $\alpha$", ylabel=r"$\sup_t\,\|\alpha h-\alpha\bar h\|$")
left.set_title("every scale")
left.set_ylim(bottom=far_paired[-1] / 3e3)
left.legend(loc="lower left", fontsize=12, handletextpad=0.2)
shown = alphas[:-2][-3:]
for alpha, color in zip(shown, ("sky", "green", "blue"), strict=False):
    right.semilogx(times[1:], alpha * size(alone[alpha][0] - first.linear)[1:], color=style.COLORS[color],
                   label=rf"$\alpha={alpha:g}$")
style.theory(right, times[1:], size(u_1)[1:], r"$\|u_1(t)\|$")
right.set(xlabel="time $t$", ylabel=r"$\alpha\,\|\alpha h-\alpha\bar h\|$", title="at each time")
right.legend(loc="upper right", fontsize=12)
plt.show()

# %% [markdown]
# ## Headline claims
#
# Each box is a {term}`claim`: what theory predicts, what was measured, by how much they may differ and why.
#
# ```{claim} constant
# :headline: α times the largest distance, independent neurons, at the largest α
# :evidence: trained and compared
# :because: the next order in 1/α, estimated from the values at the two scales before the last; and the
#   integrator, from a run with ten times its tolerance
# :control: the same network with a third of its first outputs left, at a smaller α: at a distance of {loud} where
#   the theorem says {near}
#
# the distance of a network from its linearization is C₁/α, with the constant computed at the start
# ```
#
# ```{claim} pairs
# :headline: α² times the largest distance, neurons in pairs, at the largest α
# :evidence: trained and compared
# :because: the next order in 1/α², estimated from the values at the two scales before the last; and the
#   integrator, from a run with ten times its tolerance
# :control: pairs of which one partner is missing
#
# neurons in pairs are closer: C₂/α²
# ```
#
# ```{claim} uniform
# :headline: largest distance over all the time, in units of the one predicted for the first half (1: no
#   growth); logistic loss with ridge
# :evidence: trained and compared
# :because: the next order in 1/α, estimated from the values at the two scales before the last; the
#   integrator's error is far smaller
# :control: no ridge: the loss is convex, not strongly
#
# with a strongly convex loss and a positive definite kernel the distance does not grow with the horizon: its
# largest value comes in the first half of the time
# ```
#
# ```{claim} displacement
# :headline: α times the distance the weights have moved
# :evidence: trained and compared
# :because: the next order in 1/α, estimated from the values at the two scales before the last; the
#   integrator's error is far smaller
# :control: the smallest scale
#
# the weights move by 1/α times a length that the linearization gives
# ```

# %% tags=["hide-input"]
scaled, squared = np.array(alphas) * far, np.array(alphas) ** 2 * far_paired
uniform = {loss: np.array([alpha * far_off for alpha, far_off in one.items()]) / C_late[loss]
           for loss, one in ends.items()}
moved = np.array([alone[alpha][1] for alpha in alphas])
derived_next = {  # the next order: how far the two scales before are from the largest, taken to it by its power
    name: max(refined(values[-1], values[k], alphas[-1] / alphas[k], power) for k in (-2, -3))
    for name, values, power in (("constant", scaled, 1), ("pairs", squared, 2), ("uniform", uniform[logistic], 1),
                                ("displacement", moved, 1))}
derived_steps = [  # the integrator at the largest scale, from a run with ten times its tolerance
    refined(size(path[alphas[-1]][0] - train(start, alphas[-1], Squared("sum"), times, rtol=10 * RTOL)[0]), 0, 10, 1)
    for path, start in ((alone, iid), (paired, pairs))]
claims.limit("constant", C_1,
             scaled[-1],  # mutant(1): another of the scales
             error=derived_next["constant"] + alphas[-1] * derived_steps[0], control=alphas[-3] * partly,
             fill={"loud": f"{partly:.2g}", "near": f"{C_1 / alphas[-3]:.2g}"})
claims.limit("pairs", C_2,
             squared[-1],  # mutant(1): another of the scales
             error=derived_next["pairs"] + alphas[-1] ** 2 * derived_steps[1],
             control=alphas[-1] ** 2 * missing[alphas[-1]])
claims.limit("uniform", 1.0,
             uniform[logistic][-1],  # mutant: another of the scales
             error=derived_next["uniform"], control=uniform[Logistic()][-1])
claims.limit("displacement",
             first.displacement[-1],  # mutant(1): another of the scales
             moved[-1],  # mutant(1): another of the scales
             error=derived_next["displacement"], control=moved[0])

# %% [markdown]
# ## Instruments
#
# Not only the size of the first terms, but each of their entries, when they are largest. The exponents, by regression over the three largest scales; the premise of {prf:ref}`proposition-lazy-pairs`; and the parts of the prediction, each by another way.
#
# ```{claim} terms
# :evidence: trained and compared
# :because: the next orders, entry by entry as above; and the integrator, whose error may sit in one of the n
#   entries
# :control: the smallest scale
#
# the outputs differ from the linearized ones by the predicted vector, entry by entry
# ```
#
# ```{claim} slopes
# :evidence: trained and compared
# :because: what the next order changes between the ends of the regression
# :control: not centred; one partner missing
#
# the distance falls like 1/α, and like 1/α² for pairs
# ```
#
# ```{claim} still
# :evidence: float with residual
# :because: rounding of a sum over the neurons, of the size that it has for independent ones
# :control: pairs of which one partner is missing
#
# at pairs the kernel has no first derivative along the gradients of the outputs
# ```
#
# ```{claim} third
# :evidence: float with residual
# :because: the next term of a central difference, from the one with twice the step; and rounding of the
#   kernel over the step
# :control: half of the product rule forgotten
#
# K_ikl is how the kernel changes along a gradient, by a difference
# ```
#
# ```{claim} linear
# :evidence: trained and compared
# :because: the integrator's steps, from a run with ten times its tolerance; and the prediction's, from the
#   closed form of a linear flow
# :contrast: linearized at another start
#
# the outputs of the linearized model, trained in its weights, are those of the kernel's equation
# ```

# %% tags=["hide-input"]
at_first, at_second = int(size(u_1).argmax()), int(size(u_2).argmax())
terms = np.array([(alphas[-1] * (alone[alphas[-1]][0] - first.linear))[at_first] / C_1,
                  (alphas[-1] ** 2 * (paired[alphas[-1]][0] - second.linear))[at_second] / C_2])
derived_entries = [  # α times and α² times the distances of the last three scales, at these two times
    [alpha**power * (paths[alpha][0] - limit)[at] / unit for alpha in alphas[-3:]]
    for power, paths, limit, at, unit in ((1, alone, first.linear, at_first, C_1),
                                          (2, paired, second.linear, at_second, C_2))]
derived_terms = max(refined(entries[-1], entries[k], alphas[-1] / alphas[k], power)
                    for power, entries in enumerate(derived_entries, start=1) for k in (-2, -3))
claims.limit("terms", [u_1[at_first] / C_1, u_2[at_second] / C_2], terms,
             error=derived_terms + alphas[-1] ** 2 * derived_steps[1] * np.sqrt(n) / C_2,
             control=[alphas[0] * (alone[alphas[0]][0] - first.linear)[at_first] / C_1,
                      alphas[0] ** 2 * (paired[alphas[0]][0] - second.linear)[at_second] / C_2])
last = alphas[-3:]
derived_bend = np.array([scaled[-3] / scaled[-1], squared[-3] / squared[-1]])
claims.rate("slopes", [-1.0, -2.0],
            # mutant(last, far[-3:]): an exponent of one, or of minus one, is its own inverse
            [log_log_slope(last, far[-3:]), log_log_slope(last, far_paired[-3:])],
            error=np.abs(np.log(derived_bend)).max() / np.log(last[-1] / last[0]),
            control=[log_log_slope(last, list(loud.values())[-3:]), log_log_slope(last, list(missing.values())[-3:])])


def stillness(tensors):
    """The largest |K_ikl|, over that of |K_ik| to the power 3/2."""
    # mutant(max; 1.5; /): a quantity that is zero here, in whatever unit
    return float(np.abs(tensors.third).max() / np.abs(tensors.kernel).max() ** 1.5)


claims.identity(  # tolerance: rounding at worst
    "still", 0.0, stillness(double), error=rounding(m, stillness(single)), control=stillness(lone))
DELTA = 1e-4
gradient = net.scale(m) * np.concatenate([((iid[1] * net.activation.derivative(iid[0] @ x[0]))[:, None] * x[0]).ravel(),
                                          net.activation.value(iid[0] @ x[0])])


def kernel_beside(step):
    """The tangent kernel a step along ∇h₁ away from the start."""
    w, a = np.split(step * gradient, [m * d])
    return tangents(net, iid[0] + w.reshape(m, d), iid[1] + a, x).kernel


difference = (kernel_beside(DELTA) - kernel_beside(-DELTA)) / (2 * DELTA)
derived_twice = (kernel_beside(2 * DELTA) - kernel_beside(-2 * DELTA)) / (4 * DELTA)
claims.identity("third", single.third[:, :, 0], difference,
                error=refined(difference, derived_twice, 2, 2) + rounding(m, np.abs(single.kernel).max(), 1 / DELTA),
                control=Altered(difference, theory=single.third[:, :, 0] / 2))


def linear_outputs(start, rtol=RTOL):
    """The outputs of the model linearized at (W, a), trained in its weights."""
    gate = net.activation.derivative(start[0] @ x.T)
    jacobian = net.scale(m) * np.hstack([np.einsum("jn,nd->njd", start[1][:, None] * gate, x).reshape(n, -1),
                                         net.activation.value(start[0] @ x.T).T])
    flow = SimpleNamespace(start=np.zeros(jacobian.shape[1]), velocity=lambda v: -jacobian.T @ (jacobian @ v - y))
    return follow(flow, t_end=horizon, record=times[1:-1], method="LSODA", rtol=rtol).theta @ jacobian.T


half_way = len(times) // 2
rates, modes = np.linalg.eigh(single.kernel)
derived_prediction = np.abs(first.linear[half_way] - modes @ (-np.expm1(-rates * times[half_way]) * (modes.T @ y))).max()
claims.identity("linear", first.linear[half_way], linear_outputs(iid)[half_way],
                error=refined(linear_outputs(iid), linear_outputs(iid, 10 * RTOL), 10, 1) + derived_prediction,
                control=linear_outputs(weights(control_stream))[half_way])

# %% [markdown]
# ## What would falsify it
#
# A smooth model, centred, whose distance from its linearization times $\alpha$ tends to another number than $C_1$; pairs with a term in $1/\alpha$; with a ridge and a positive definite kernel, a distance that keeps growing with the horizon. (Where the rank of $Dh$ changes it may: $h(w)=(w_1,\,w_2^2+w_1w_2)$ with $w_0=0$ and the labels $(1,1)$ leaves its linearization by $1$ in its second output in the end, however large $\alpha$ is.)
#
# ## Differences from the paper
#
# - *Added.* The paper proves that the distance vanishes, with bounds. The constants $C_1$, $C_2$ and the exponent of pairs are derived here.
# - *Changed.* Ten input dimensions, so that the kernel is well conditioned and the flow comes to its end; in two dimensions its eigenvalues reach down to $10^{-8}$, and only a finite horizon can be observed.
# - *Changed.* In {prf:ref}`proposition-lazy-uniform` the constants follow from the least eigenvalue of the kernel, where the paper has a bound for models of constant rank too. Like the paper's it asks for far larger scales than are needed.
#
# ## Scope
#
# How scale comes from width and from the size of the initialization is the subject of {doc}`lazy_criterion`; what laziness costs in test error is that of {doc}`scale_and_generalization`.
#
# Smooth models. With ReLU the derivatives of the kernel do not exist: a neuron that passes a sample changes it by a jump, and $1/\alpha$ is seen at large scales only. {prf:ref}`proposition-lazy-first` holds for every loss and model of its hypotheses, deep ones included; the tensors here are those of a two-layer network.
#
# ## Exercises
#
# ````{exercise} A model without a first term
# :label: exercise-lazy-quadratic
#
# Let $h(w)=w_1^2-w_2^2$ with $w_0=(1,1)$, one sample, $R(u)=\frac12(u-y)^2$. Which map $S$ is there? Compute $K$, its derivatives and $u_2$.
# ````
#
# ````{solution} exercise-lazy-quadratic
# :class: dropdown
#
# $S$ exchanges $w_1$ and $w_2$. $\nabla h=2(w_1,-w_2)$, so $K=4\|w\|^2=8$, $\nabla K=8w$, and $K_{111}=\nabla h\cdot\nabla K=16(w_1^2-w_2^2)=0$. $K_{1111}=\nabla h\cdot16\nabla h=16K=128$. With $\dot g=y-\bar u$, $K_2=64g^2$ and $\bar u=8g=y(1-e^{-8t})$: $\dot u_2=-8u_2+64g^2(y-\bar u)$, so
# $u_2(t)=y^3e^{-8t}\int_0^t(1-e^{-8s})^2ds$.
# ````
#
# ````{exercise} Bias of the centring
# :label: exercise-lazy-centring
#
# Why does $h(w_0)\ne0$ spoil laziness, although $h(w_0)$ is a constant?
# ````
#
# ````{solution} exercise-lazy-centring
# :class: dropdown
#
# The loss sees $\alpha h(w_0)$, which must first be brought to the labels: a change of the outputs by $\alpha\|h(w_0)\|$, for which the weights have to move by a length that does not fall with $\alpha$. On the way the Jacobian changes by an amount that does not fall either, and with it all that the linearization keeps fixed.
# ````
#
# ## References
#
# {cite:t}`chizat2019` prove the theorem and compare lazy training with training at small scales; {cite:t}`huang2020` follow the derivatives of the tangent kernel for wide networks.
