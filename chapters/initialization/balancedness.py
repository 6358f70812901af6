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
# # Balancedness: what gradient flow conserves between two layers
#
# In a network $f(x)=\sum_ia_i\,\sigma(w_i\cdot x)$ with a {term}`homogeneous` $\sigma$ (linear, a ReLU or leaky), stretching $w_i$ and shrinking $a_i$ by the same factor
# changes nothing. The gradient has no part along such a change, so {term}`gradient flow` keeps the difference of the squared lengths.
# Linear layers can even be mixed by any matrix between them, and a whole matrix stays {cite}`du2018`. With $W$ the matrix of the columns $w_i$,
#
# $$\begin{aligned}
# \tfrac d{dt}\bigl(a_i^2-\|w_i\|^2\bigr)&=0\ \;(\sigma\text{ homogeneous}),\\
# \tfrac d{dt}\bigl(aa^\top-W^\top W\bigr)&=0\ \;(\sigma\text{ linear}).
# \end{aligned}$$
#
# The chapter checks both laws, and derives by exactly how much each fails: for smooth activations, for the matrix of a leaky ReLU, and for
# gradient descent.
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# $x_1,\dots,x_N\in\mathbb R^d$ are samples with labels $y_n$. $W\in\mathbb R^{d\times m}$ has the columns $w_i$, $a\in\mathbb R^m$ are the output
# weights. Write $z_{ni}=w_i\cdot x_n$, and $r_n=y_n-\sum_ia_i\sigma(z_{ni})$ for the residual. Gradient flow of $\frac12\sum_nr_n^2$ is
#
# ```{math}
# :label: layers-flow
# \dot a_i=\sum_nr_n\,\sigma(z_{ni}),\qquad\dot w_i=a_i\sum_nr_n\,\sigma'(z_{ni})\,x_n .
# ```
#
# The activations are $\sigma(z)=z$ (*linear*) and $\sigma(z)=\max(z,0)+\rho\min(z,0)$ (*leaky ReLU* of slope $\rho\in[0,1)$; $\rho=0$ is the ReLU). They
# are homogeneous: $\sigma(z)=\sigma'(z)\,z$, at the kink with any value of $\sigma'(0)$.

# %% tags=["hide-input"]

import numpy as np
import sympy as sp
from matplotlib import pyplot as plt
from scipy.special import expit, xlogy

from implicit_bias.activations import IDENTITY, LeakyReLU
from implicit_bias.data import Samples
from implicit_bias.figures import style
from implicit_bias.flows import descend, follow_along, follow_kinked
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, TwoLayer
from implicit_bias.rates import log_log_slope
from reproduce.claims import Claims, Control, Rival, refined, rounding
from reproduce.claims.glued import glue_all

claims = Claims("balancedness")

style.use_style()

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Du et al. 2018, Theorems 2.1 and 2.2, for one hidden layer
# :label: theorem-balancedness
#
# Along {eq}`layers-flow`,
#
# 1. if $\sigma$ is homogeneous, $a_i^2-\|w_i\|^2$ is constant for every neuron $i$;
# 2. if $\sigma$ is linear, the matrix $aa^\top-W^\top W$ is constant.
# ```
#
# ````{prf:proof}
# For any $\sigma$, {eq}`layers-flow` gives
#
# ```{math}
# :label: defect
# \begin{aligned}
# \frac d{dt}\bigl(a_ia_j-w_i\cdot w_j\bigr)=\sum_nr_n\Bigl[&a_j\bigl(\sigma(z_{ni})-\sigma'(z_{nj})z_{ni}\bigr)\\
# {}+{}&a_i\bigl(\sigma(z_{nj})-\sigma'(z_{ni})z_{nj}\bigr)\Bigr].
# \end{aligned}
# ```
#
# If $\sigma(z)=z$, each term is zero. If $\sigma(z)=\sigma'(z)z$, each is zero for $i=j$. $\square$
# ````
#
# The loss enters through $r_n$ only: any differentiable loss of the outputs has the same laws. Where a premise fails, {eq}`defect` says by exactly how much.
#
# ````{prf:proposition} Three defects
# :label: proposition-defects
#
# 1. *Leaky ReLU.* If $\sigma$ is homogeneous, then along {eq}`layers-flow`
#
#    ```{math}
#    :label: sides
#    \begin{aligned}\frac d{dt}\bigl(a_ia_j-w_i\cdot w_j\bigr)=\sum_nr_n&\bigl(\sigma'(z_{ni})-\sigma'(z_{nj})\bigr)\\&\cdot\bigl(a_jz_{ni}-a_iz_{nj}\bigr):\end{aligned}
#    ```
#
#    only samples count that the two neurons see from different sides of their kinks.
#
# 2. *Smoothed kink.* Let $\sigma_\varepsilon(z)=\rho z+(1-\rho)\,\varepsilon\ln(1+e^{z/\varepsilon})$, which a numerical integrator can follow. Then
#
#    ```{math}
#    :label: entropy
#    \begin{gathered}
#    \sigma_\varepsilon(z)-\sigma_\varepsilon'(z)z=(1-\rho)\,\varepsilon\,H(p),\\
#    p=\frac1{1+e^{-z/\varepsilon}},\qquad H(p)=-p\ln p-(1-p)\ln(1-p),
#    \end{gathered}
#    ```
#
#    which adds $(1-\rho)\,\varepsilon\sum_nr_n\bigl(a_jH(p_{ni})+a_iH(p_{nj})\bigr)$ to {eq}`sides`; on the diagonal nothing else is there, and
#
#    ```{math}
#    :label: kink-bound
#    \begin{aligned}&\Bigl|\bigl[a_i^2-\|w_i\|^2\bigr]_0^t\Bigr|\\&\quad\le2(1-\rho)\,\varepsilon\ln2\int_0^t|a_i|\sum_n|r_n|\,dt' .\end{aligned}
#    ```
#
# 3. *Gradient descent.* A step of size $\eta$ along the velocities $\dot a,\dot W$ of {eq}`layers-flow` changes $aa^\top-W^\top W$ by $\eta$ times {eq}`defect` plus exactly
#
#    ```{math}
#    :label: descent-step
#    \eta^2\bigl(\dot a\,\dot a^\top-\dot W^\top\dot W\bigr) .
#    ```
# ````
#
# ````{prf:proof}
# 1: insert $\sigma(z)=\sigma'(z)z$ into {eq}`defect`. 2: with $u=z/\varepsilon$ both sides have the derivative $-u\,\frac{dp}{du}$ and the value $\ln2$ at $0$; $H\le\ln2$. 3: expand $(a+\eta\dot a)(a+\eta\dot a)^\top-(W+\eta\dot W)^\top(W+\eta\dot W)$. $\square$
# ````
#
# Where the flow conserves, only {eq}`descent-step` is left. Over a time $t$ it sums to $\eta\int_0^t(\dot a\dot a^\top-\dot W^\top\dot W)\,dt'+O(\eta^2)$, first order in $\eta$ with a
# constant that the flow predicts. In this chapter:
#
# | kink $\varepsilon$ | a leaky neuron may change by, {eq}`kink-bound` | linear layers change, per $\eta$, by up to |
# |---|---|---|
# | {glue:text}`balancedness_keen` | {glue:text}`balancedness_bound` | {glue:text}`balancedness_constant` |
#
# ## Experiment
#
# Samples $x_n\sim\mathcal N(0,I_d/d)$ with random labels $y_n\sim\mathcal N(0,1)$, so that the neurons have to move. Initially $a_i\sim\mathcal N(0,1)$ and
# $w_i\sim\mathcal N(0,I_d/d)$, drawn again if all neurons see every sample from the same side.

# %% tags=["parameters"]
n: int = 10  # number of samples N, in [4, 20]
d: int = 5  # number of features d, in [2, 10]
width: int = 6  # number of neurons m, in [3, 8]
# because wider networks take the stiff integrator minutes
slope: float = 0.2  # slope ρ of the leaky ReLU, in [0.05, 0.8]
keen: float = 1e-9  # width ε of the smoothed kink at which the law is shown, in [1e-9, 1e-8]
# because narrower kinks were not tried
kink: float = 1e-6  # width ε at which its defects are measured, in [5e-7, 1e-5]
blunt: float = 0.1  # width ε of the activation that is not homogeneous, in [0.1, 2]
# because a narrower kink nearly keeps the law and is no control
t_end: float = 10.0  # time t at the end of every run, in [2, 20]
learning_rates: list[float] = [2e-3, 1e-3, 5e-4]  # learning rates η, each in [1e-4, 2e-3]
# because longer steps were not tried: what the extrapolation leaves grows like the product of the rates
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where len(set(learning_rates)) >= 2

# %% tags=["hide-input"]
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
x, y = data_stream.standard_normal((n, d)) / np.sqrt(d), data_stream.standard_normal(n)  # stream: data
w_start = initialization_stream.standard_normal((d, width)) / np.sqrt(d)
while np.all((x @ w_start > 0) == (x @ w_start[:, :1] > 0)):
    w_start = initialization_stream.standard_normal((d, width)) / np.sqrt(d)
a_start = initialization_stream.standard_normal(width)

# %% [markdown]
# The linear network runs with an explicit integrator and error control, all $m(d+1)$ parameters to the same time. Integrals are taken along the way, by Gauss's rule in every step of the integrator. Gradient descent runs at three constant learning rates.


# %% tags=["hide-input"]
RTOL = 1e-11  # the relative tolerance of a step


def matrix(network, theta):
    """aaᵀ − WᵀW at a state, or at many."""
    rows, a = network.weights(theta)
    return a[..., :, None] * a[..., None, :] - rows @ np.swapaxes(rows, -1, -2)


def diagonal(matrices):
    """The numbers a_i² − ‖w_i‖², or their rates, from such matrices."""
    return np.diagonal(matrices, axis1=-2, axis2=-1)


def network_with(activation):
    """The flow of all weights of the network with this activation, from the one start; its W has a neuron a row: Wᵀ."""
    return Risk(TwoLayer(activation), Samples(x, y), Squared("sum")).of_weights(w_start.T, a_start)


def squares(network, theta):
    """ȧȧᵀ − ẆᵀẆ: … × m × m."""
    velocities = np.array([network.velocity(one) for one in theta])
    return matrix(network, velocities)


def change(network, theta):
    """The change of aaᵀ − WᵀW since the start."""
    return matrix(network, theta) - matrix(network, network.start)


rates = sorted(set(learning_rates))

# %%
linear = network_with(IDENTITY)
linear_flow = follow_along(linear, t_end=t_end, rtol=RTOL)  # train by gradient flow
squared = linear_flow.integral(lambda thetas: squares(linear, thetas))  # predict: ∫(ȧȧᵀ − ẆᵀẆ)dt, per η of descent
linear_descents = {rate: descend(linear, rate, t_end=t_end).final for rate in rates}  # train by gradient descent
print("the largest change of an entry of aaᵀ − WᵀW, linear layers")
print(f"gradient flow: predicted 0, measured {np.abs(change(linear, linear_flow.run.final)).max():.0e}")
for rate in rates:
    measured = np.abs(change(linear, linear_descents[rate])).max()
    print(f"descent, η = {rate:g}: predicted {rate * np.abs(squared).max():.5f}, measured {measured:.5f}")

# %% [markdown]
# The networks with a kink run with it smoothed, and a stiff integrator. The law itself is shown at the width `keen`, where {eq}`kink-bound` leaves it almost no room: there the flow runs in the span of the samples, $W=W(0)+X^\top C$, which is exact, with
# its Jacobian. The defects of {prf:ref}`proposition-defects` are measured at the larger width `kink`, and with a kink as wide as the data (`blunt`), which breaks the premise: that network is smooth.

# %% tags=["hide-input"]


def keen_flow(rho):
    """The flow at the keenest kink, in the span of the samples: it and its states at fifty times and at the end."""
    reduced = Risk(TwoLayer(LeakyReLU(rho, keen)), Samples(x, y), Squared("sum")).in_span(w_start.T, a_start)
    record = np.linspace(0, t_end, 51)[1:-1]
    return reduced, follow_kinked(reduced, t_end=t_end, record=record, rtol=RTOL, max_steps=30_000)


leaky, relu, smooth = map(network_with, (LeakyReLU(slope, kink), LeakyReLU(0.0, kink), LeakyReLU(slope, blunt)))
keen_leaky, keen_leaky_run = keen_flow(slope)
keen_relu, keen_relu_run = keen_flow(0.0)  # mutant: another kink is as keen
leaky_flow, relu_flow, smooth_flow = (follow_along(net, t_end=t_end, method="LSODA", rtol=RTOL)
                                      for net in (leaky, relu, smooth))
hard = {"leaky": network_with(LeakyReLU(slope)), "relu": network_with(LeakyReLU(0.0))}
leaky_descents = {rate: descend(hard["leaky"], rate, t_end=t_end).final for rate in rates}
smooth_descents = {rate: descend(smooth, rate, t_end=t_end).final for rate in rates}


# %% tags=["hide-input"]
def kink_of(network):
    """The width ε and the slope ρ of a network's activation."""
    return network.risk.net.activation.width, network.risk.net.activation.slope


def seen(network, theta):
    """The residuals r (… × N), the z (… × m × N) and a (… × m)."""
    rows, a = network.weights(theta)
    z = rows @ x.T
    eps, rho = kink_of(network)
    positive = eps * np.logaddexp(0, z / eps) if eps else np.maximum(z, 0)
    return y - np.einsum("...in,...i->...n", rho * z + (1 - rho) * positive, a), z, a


def ceiling(network, theta):
    """The bound on its size, with ln 2 for the entropy: … × m."""
    r, _, a = seen(network, theta)
    eps, rho = kink_of(network)
    return 2 * (1 - rho) * eps * np.log(2) * np.abs(a) * np.abs(r).sum(axis=-1)[..., None]


bounds = [float(way.integral(lambda thetas, net=net: ceiling(net, thetas)).max()) * keen / kink
          for net, way in ((leaky, leaky_flow), (relu, relu_flow))]
keen_text = f"1e{np.log10(keen):.0f}".replace("-", "−")
glue_all("balancedness", keen=keen_text, bound=f"{bounds[0]:.0e}".replace("-", "−"),
         constant=f"{np.abs(squared).max():.3g}")

# %% mystnb={"figure": {"caption": "Left: each neuron of the leaky network moves from its dot along the curve on which $a_i^2-\\|w_i\\|^2$ is what it was (dashed); with a smooth activation (grey) it does not. Middle: largest change of the conserved quantities. Linear layers (green) keep the matrix; a leaky neuron (blue) keeps $a_i^2-\\|w_i\\|^2$ to what its smoothed kink allows (dashed: the bound), and the leaky network's matrix (red) is not kept, nor are the neurons of a smooth network (grey). Right: what gradient descent changes, against the learning rate, and the constant that the flow predicts (dashed).", "name": "figure-balancedness"}, "image": {"alt": "Three panels: paths of six neurons in the plane of squared norms along curves of constant difference; change of conserved quantities against time on a logarithmic axis; drift of gradient descent proportional to the learning rate", "classes": "panels-3"}} tags=["hero", "hide-input"]
left, middle, right = style.panels(3, (11.4, 4.0))
names = ("blue", "orange", "green", "red", "purple", "sky")
rows, a = leaky.weights(leaky_flow.theta)
norms, outputs = np.sum(rows**2, axis=-1), a**2
smooth_rows, smooth_a = smooth.weights(smooth_flow.theta)
for i in range(width):
    color = style.COLORS[names[i % 6]]
    left.loglog(np.sum(smooth_rows[:, i] ** 2, axis=-1), smooth_a[:, i] ** 2, color="0.75", linewidth=1.2)
    left.loglog(norms[:, i], outputs[:, i], color=color)
    left.loglog(norms[0, i], outputs[0, i], "o", color=color, markersize=6)
    along = np.geomspace(norms[:, i].min() / 1.5, 1.5 * norms[:, i].max(), 60)
    kept_to = along + outputs[0, i] - norms[0, i]
    style.theory(left, along[kept_to > 1e-3], kept_to[kept_to > 1e-3])
left.set(xlabel=r"$\|w_i\|^2$", ylabel=r"$a_i^2$", title=r"leaky ReLU: $a_i^2-\|w_i\|^2$ stays", ylim=(1e-2, None))

keen_states = keen_leaky.balance(keen_leaky_run.theta)
for times, moved, label, color in (
    (leaky_flow.t, np.abs(change(leaky, leaky_flow.theta)).max(axis=(1, 2)), "leaky, matrix", "red"),
    (smooth_flow.t, np.abs(diagonal(change(smooth, smooth_flow.theta))).max(axis=1), "smooth, each neuron", "grey"),
    (keen_leaky_run.t, np.abs(keen_states - keen_states[0]).max(axis=1), "leaky, each neuron", "blue"),
    (linear_flow.t, np.abs(change(linear, linear_flow.theta)).max(axis=(1, 2)), "linear, matrix", "green"),
):
    thin = slice(1, None, max(1, len(times) // 2000))
    middle.semilogy(times[thin], moved[thin], color=style.COLORS[color])
    lift = 8 if color == "red" else -18
    at = (0.98 * t_end, float(moved[-1]))
    middle.annotate(label, at, (0, lift), textcoords="offset points", ha="right", color=style.COLORS[color],
                    fontsize=12)
gaps = np.diff(leaky_flow.t, prepend=0)
ceilings = np.cumsum(gaps[:, None] * ceiling(leaky, leaky_flow.theta), axis=0).max(axis=1) * keen / kink
style.theory(middle, leaky_flow.t, ceilings)
middle.set(xlabel=r"$t$", ylabel="largest change", ylim=(1e-15, 1e4), xlim=(0, t_end), title="what the flow keeps")

drifts = [np.abs(change(linear, linear_descents[rate])).max() for rate in rates]
leaky_drifts = [np.abs(diagonal(change(leaky, leaky_descents[rate]))).max() for rate in rates]
right.loglog(rates, drifts, "o", color=style.COLORS["green"], markersize=7, label="linear, matrix")
right.loglog(rates, leaky_drifts, "s", color=style.COLORS["blue"], markersize=6, label="leaky, each neuron")
style.theory(right, rates, np.array(rates) * np.abs(squared).max(), "predicted by the flow")
right.set(xlabel=r"$\eta$", ylabel="largest change", title="gradient descent")
right.set_xticks(rates, [f"{rate:g}" for rate in rates])
right.minorticks_off()
right.legend(loc="upper left", fontsize=12, handlelength=1.5)
right.set_ylim(top=8 * max(drifts + leaky_drifts))
plt.show()

# %% [markdown]
# ## Headline claims
#
# Both laws, at fifty times along the flows and at their end. The matrix law is for linear layers only: its {term}`control` is the leaky network. The vector law holds for the
# leaky ReLU and for the ReLU, to the bound {eq}`kink-bound`; its control is the same network with a kink as wide as the data.
#
# ```{claim} linear
# :headline: aaᵀ − WᵀW along the flow, linear layers
# :source: Du et al. 2018, Theorem 2.2
# :evidence: trained and compared
# :because: the integrator's, in proportion to its relative tolerance: by how much more the matrix drifts at
#   1e-10 than at 1e-11, over 9
# :control: a leaky ReLU between the layers
#
# linear layers keep the matrix aaᵀ − WᵀW
# ```
#
# ```{claim} leaky
# :headline: each neuron's a² − ‖w‖² along the flow, leaky ReLU and ReLU
# :source: Du et al. 2018, Theorem 2.1
# :evidence: proved here
# :because: what the smoothed kink can add is at most 2(1−ρ) ε ln 2 ∫|a| Σ|r| dt; the integrator adds far less
# :control: a kink as wide as the data, not homogeneous
#
# with a leaky ReLU, and with a ReLU, every neuron keeps a² − ‖w‖²
# ```


# %% tags=["hide-input"]
def conserved(network, theta):
    """What the law says of a network: the matrix of linear layers, or the numbers a_i² − ‖w_i‖²."""
    law = network.risk.net.balance_matrix if network is linear else network.risk.net.balance
    return law(*network.weights(theta))


def kept(network, path):
    """The conserved quantities at fifty of the noted times, and at the last."""
    return conserved(network, path[np.linspace(0, len(path) - 1, 51).astype(int)])


def constant(network):
    """What they should be: those of the start."""
    return np.stack([conserved(network, network.start)] * 51)


derived_path = follow_along(linear, t_end=t_end, rtol=10 * RTOL).theta
derived_drifts = [np.abs(change(linear, path)).max() for path in (linear_flow.theta, derived_path)]  # fine and coarse
claims.identity("linear", constant(linear), kept(linear, linear_flow.theta),
                error=refined(derived_drifts[0], derived_drifts[1], ratio=10, order=1),
                control=kept(linear, leaky_flow.theta))
claims.identity("leaky", [constant(leaky), constant(relu)],
                [keen_leaky.balance(keen_leaky_run.theta), keen_relu.balance(keen_relu_run.theta)], proved=max(bounds),
                control=[kept(smooth, smooth_flow.theta)] * 2)

# %% [markdown]
# What gradient descent breaks, to first order in $\eta$: the flow predicts the constant; the measured one is extrapolated to
# $\eta=0$ from the two smallest learning rates. The control is the leaky network, whose matrix no flow keeps.
#
# ```{claim} descent
# :headline: change per η under gradient descent, linear layers
# :evidence: trained and compared
# :because: what is left is in proportion to the product of the two rates: the change of the extrapolation
#   when the smaller is doubled twice
# :control: a leaky ReLU between the layers, where the change is {change} at the least η, for {linear} of linear ones
#
# gradient descent unbalances linear layers at the rate in η that the flow's velocities predict
# ```

# %% tags=["hide-input"]
fine, coarse = rates[0], rates[1]


def extrapolated(network, finals):
    """The change of aaᵀ − WᵀW over η, as η → 0: the first-order error in η is removed."""
    slow, fast = (change(network, finals[rate]) / rate for rate in (fine, coarse))
    # mutant: a worse extrapolation has a wider tolerance
    return slow + (slow - fast) * fine / (coarse - fine)


derived_slopes = [change(linear, descend(linear, rate, t_end=t_end).final) / rate for rate in (coarse, 2 * coarse)]
derived_extrapolated = 2 * derived_slopes[0] - derived_slopes[1]
claims.limit("descent", squared, extrapolated(linear, linear_descents),
             error=refined(extrapolated(linear, linear_descents), derived_extrapolated, 2 * coarse / fine, 1)
             / np.abs(squared).max(), relative=True, control=extrapolated(hard["leaky"], leaky_descents),
             fill={"change": f"{np.abs(change(hard['leaky'], leaky_descents[fine])).max():.2g}",
                   "linear": f"{np.abs(change(linear, linear_descents[fine])).max():.2g}"})

# %% [markdown]
# ## Instruments
#
# The defects as identities, a step of gradient descent, its order for the leaky network, and the algebra.
#
# ### By how much the laws fail
#
# First the leaky network's matrix, which moves by the integral of {eq}`sides`, the small share of the smoothed kink
# included; the {term}`rival` leaves that share out. Then $a_i^2-\|w_i\|^2$ of the smooth network and of the two with kinks, which move by the entropy {eq}`entropy`
# alone. The right-hand sides are written out here from $r$, $z$ and $a$; they share no code with the gradient. The controls leave continuous time: gradient descent at the largest of the learning rates.
#
# ```{claim} sides
# :evidence: trained and compared
# :because: integrator and quadrature, whose error falls at least like the root of the relative tolerance, as
#   for formulas of order one: by how much the difference of both sides changes from 1e-10 to 1e-11, over √10
#   − 1
# :control: gradient descent, at the largest learning rate
# :rival: without the kink's entropy
#
# with a leaky ReLU the matrix moves by what samples seen from different sides add, and the kink's entropy
# ```
#
# ```{claim} entropy
# :evidence: trained and compared
# :because: integrator and quadrature, as above: by how much the difference of both sides changes from 1e-10
#   to 1e-11, over √10 − 1
# :control: gradient descent, at the largest learning rate
#
# with a smoothed activation a² − ‖w‖² moves by the entropy of its kink, whatever its width
# ```

# %% tags=["hide-input"]


def two_sided(network, theta):
    """What samples seen from different sides add to d/dt (a_i a_j − w_i·w_j): … × m × m."""
    r, z, a = seen(network, theta)
    eps, rho = kink_of(network)
    side = expit(z / eps) if eps else (z > 0).astype(float)
    gate = rho + (1 - rho) * side
    same = np.einsum("...n,...in,...in->...i", r, gate, z)
    cross = np.einsum("...n,...in,...jn->...ij", r, gate, z)  # Σ r_n σ′(z_ni) z_nj
    half = same[..., :, None] * a[..., None, :] - cross * a[..., :, None]
    return half + np.swapaxes(half, -1, -2)


def entropic(network, theta):
    """What a kink of width ε adds to d/dt (a_i a_j − w_i·w_j): … × m × m."""
    r, z, a = seen(network, theta)
    eps, rho = kink_of(network)
    p = expit(z / eps)
    entropies = np.einsum("...n,...in->...i", r, -xlogy(p, p) - xlogy(1 - p, 1 - p))
    half = (1 - rho) * eps * entropies[..., :, None] * a[..., None, :]
    return half + np.swapaxes(half, -1, -2)


softened = ((smooth, smooth_flow), (leaky, leaky_flow), (relu, relu_flow))
derived_softened = [(net, follow_along(net, t_end=t_end, method="LSODA", rtol=10 * RTOL)) for net, _ in softened]
derived_sides = [
    change(leaky, way.run.final) - way.integral(lambda thetas: two_sided(leaky, thetas) + entropic(leaky, thetas))
    for _, way in (softened[1], derived_softened[1])
]
derived_entropies = [[diagonal(change(net, way.run.final) - way.integral(lambda thetas, net=net: entropic(net, thetas)))
                      for net, way in ways]
                     for ways in (softened, derived_softened)]
claims.identity("sides", leaky_flow.integral(lambda thetas: two_sided(leaky, thetas) + entropic(leaky, thetas)),
                change(leaky, leaky_flow.run.final),
                error=refined(derived_sides[0], derived_sides[1], ratio=10, order=1 / 2),
                control=change(leaky, leaky_descents[rates[-1]]),
                rival=Rival(leaky_flow.integral(lambda thetas: two_sided(leaky, thetas)), factor=10))
claims.identity("entropy",
                [diagonal(way.integral(lambda thetas, net=net: entropic(net, thetas))) for net, way in softened],
                [diagonal(change(net, way.run.final)) for net, way in softened],
                error=refined(derived_entropies[0], derived_entropies[1], ratio=10, order=1 / 2),
                control=[diagonal(change(smooth, smooth_descents[rates[-1]]))]
                + [diagonal(change(leaky, leaky_descents[rates[-1]]))] * 2)

# %% [markdown]
# ### A step of gradient descent
#
# Gradient descent, step by step, with the kink itself: each step changes the conserved quantities by exactly {eq}`descent-step`. The
# control is again the blunt kink, where the flow's own change is left over.
#
# ```{claim} step
# :evidence: float with residual
# :because: rounding of d + 1 products and their sums, at both ends of a step, of the size of the squared
#   weights, over η²
# :control: a kink as wide as the data, not homogeneous
#
# a step of gradient descent changes them by η² times the difference of the squared velocities, exactly
# ```

# %% tags=["hide-input"]
STEPS = 200


def per_square(network, part):
    """For each step of gradient descent: what it changes, over η², and what the velocities predict."""
    rate, theta = rates[-1], network.start
    changes, predictions = [], []
    for _ in range(STEPS):
        velocity = network.velocity(theta)
        then = theta + rate * velocity
        changes.append(part(matrix(network, then) - matrix(network, theta)) / rate**2)
        predictions.append(part(matrix(network, velocity)))
        theta = then
    return np.array(changes).reshape(STEPS, -1), np.array(predictions).reshape(STEPS, -1)


stepped = [per_square(linear, lambda m: m), *(per_square(network, diagonal) for network in hard.values())]
blunt_changes, blunt_predictions = per_square(smooth, diagonal)
largest = max(float(np.square(path).max()) for path in (linear_flow.theta, leaky_flow.theta, relu_flow.theta))
claims.identity("step", np.hstack([predictions for _, predictions in stepped]),
                np.hstack([changes for changes, _ in stepped]),
                error=rounding(2 * (d + 2), size=largest, condition=1 / rates[-1] ** 2),
                control=Control(blunt_changes, theory=blunt_predictions, anew=True))

# %% [markdown]
# For the leaky network the order in $\eta$ is measured over the whole run.
#
# ```{claim} order
# :evidence: trained and compared
# :because: the second-order term shifts the exponent in proportion to η: by how much it changes when all
#   rates are doubled
# :control: a kink as wide as the data, not homogeneous
#
# with a leaky ReLU gradient descent changes a² − ‖w‖² in first order of the learning rate
# ```

# %% tags=["hide-input"]
leaky_norms = [np.linalg.norm(diagonal(change(leaky, leaky_descents[rate]))) for rate in rates]
smooth_norms = [np.linalg.norm(diagonal(change(smooth, smooth_descents[rate]))) for rate in rates]
derived_norms = [np.linalg.norm(diagonal(change(leaky, descend(hard["leaky"], 2 * rate, t_end=t_end).final)))
                 for rate in rates]
claims.rate("order", 1.0,
            log_log_slope(rates, leaky_norms),  # mutant: an exponent of one is its own inverse
            error=refined(log_log_slope(rates, leaky_norms), log_log_slope(rates, derived_norms), 2, 1),
            control=log_log_slope(rates, smooth_norms))

# %% [markdown]
# ### The algebra
#
# {eq}`entropy` and {eq}`sides`, by computer algebra.

# %% tags=["hide-input"]
u = sp.symbols("u", real=True)
p = 1 / (1 + sp.exp(-u))
binary = -p * sp.log(p) - (1 - p) * sp.log(1 - p)
missing = sp.log(1 + sp.exp(u)) - u * sp.diff(sp.log(1 + sp.exp(u)), u)
assert sp.simplify((missing - binary).diff(u).rewrite(sp.exp).simplify()) == 0
assert sp.simplify((missing - binary).subs(u, 0)) == 0
a_i, a_j, s_i, s_j, g_i, g_j, z_i, z_j = sp.symbols("a_i a_j s_i s_j g_i g_j z_i z_j")
bracket = a_j * (s_i - g_j * z_i) + a_i * (s_j - g_i * z_j)  # of the defect; s = σ(z), g = σ′(z)
assert sp.expand(bracket - (s_i * a_j + s_j * a_i - a_i * g_i * z_j - a_j * g_j * z_i)) == 0  # the product rule
homogeneous = bracket.subs({s_i: g_i * z_i, s_j: g_j * z_j})
assert sp.expand(homogeneous - (g_i - g_j) * (a_j * z_i - a_i * z_j)) == 0

# %% [markdown]
# ## What would falsify it
#
# A drift of the linear network's matrix, or of a leaky neuron's $a_i^2-\|w_i\|^2$, beyond integrator and kink; an entry of the leaky network's matrix that moves otherwise than by
# {eq}`sides`; one step of gradient descent off {eq}`descent-step` by more than rounding.
#
# ## Differences from the paper
#
# - The theorem of Du et al. is for any depth; each pair of adjacent layers has its law. Here there is one hidden layer.
# - The flows of the ReLU and the leaky ReLU run with the kink smoothed over a width $\varepsilon$ (the law: {glue:text}`balancedness_keen`), which breaks the law by at most {eq}`kink-bound`; gradient descent runs
#   with the kink itself.
# - The defects {eq}`sides`, {eq}`entropy` and {eq}`descent-step` are not in the paper.
#
# ## Scope
#
# - Neurons like to stay *at* a kink: where the flow pushes a sample onto it from both sides, the smoothed network follows it there, and its drift
#   is of first order in $\varepsilon$. A sample that only passes costs second order (exercise).
# - Conservation does not make layers {term}`balanced`: $a_i^2-\|w_i\|^2$ stays what it was, and a start near zero becomes balanced only *relative* to
#   weights that have grown.
# - One hidden layer without biases. A bias counts as a weight of a constant feature.
#
# ## Exercises
#
# ````{exercise} Other powers
# :label: exercise-balance-powers
#
# Let $\sigma$ be homogeneous of degree $q$, $q\,\sigma(z)=\sigma'(z)z$, such as $\max(z,0)^2$. What is conserved? And for $\sigma=\tanh$?
# ````
#
# ````{solution} exercise-balance-powers
# :class: dropdown
#
# $w_i\cdot\dot w_i=a_i\sum r_n\sigma'z=q\,a_i\dot a_i$: the flow keeps $q\,a_i^2-\|w_i\|^2$. For $\tanh$, $\sigma-\sigma'z$ has the sign of $z$ and does not
# vanish: nothing of this kind is kept.
# ````
#
# ````{exercise} A kink that is passed
# :label: exercise-balance-passage
#
# A sample passes the kink of neuron $i$ once, $z_{ni}=vt$, while $a_i$ and $r_n$ hardly change. By how much does $a_i^2-\|w_i\|^2$ change?
# ````
#
# ````{solution} exercise-balance-passage
# :class: dropdown
#
# With $u=z/\varepsilon$, $\frac d{du}H=-u\,\frac{dp}{du}$, so $\int H\,du=\int u^2\frac{dp}{du}\,du=\frac{\pi^2}3$, the variance of the logistic law. The change is
#
# $$2(1-\rho)\,\varepsilon\,a_ir_n\int H\,dt=\frac{2\pi^2}3(1-\rho)\,a_ir_n\,\frac{\varepsilon^2}{|v|} .$$
# ````
#
# ````{exercise} Norms of layers
# :label: exercise-balance-norms
#
# Show that a homogeneous network started with $\|a(0)\|^2-\|W(0)\|_F^2=\Delta$ has $\|a\|^2\ge|\sum_ia_i\sigma(w_i\cdot x)|/\|x\|$ at every time if $\Delta\ge0$ and $\rho\le1$.
# ````
#
# ````{solution} exercise-balance-norms
# :class: dropdown
#
# $|f(x)|\le\sum|a_i|\|w_i\|\|x\|\le\|a\|\|W\|_F\|x\|$, and $\|W\|_F^2=\|a\|^2-\Delta\le\|a\|^2$.
# ````
#
# ## References
#
# {cite:t}`du2018` prove both laws for networks of any depth, and for matrix factorization by gradient descent with decreasing
# learning rates that the layers stay nearly balanced. {cite:t}`azulay2021` build on the laws: see {doc}`single_neuron` and {doc}`many_neurons`.
