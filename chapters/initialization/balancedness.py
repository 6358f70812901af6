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
# # Gradient flow slides every ReLU neuron along a hyperbola
#
# ```{question}
# ```
#
# We train {glue:text}`balancedness_m` leaky ReLU neurons by {term}`gradient flow` on {glue:text}`balancedness_n` samples with random labels. Follow the neuron whose output weight moves farthest. At first its input weights have the length {glue:text}`balancedness_w_start` and its output weight {glue:text}`balancedness_a_start`. At time {glue:text}`balancedness_t` they are {glue:text}`balancedness_w_end` and {glue:text}`balancedness_a_end`. The squared output weight minus the squared length was {glue:text}`balancedness_leaky_p` and still is {glue:text}`balancedness_leaky_m`, so the neuron moved along a hyperbola. Why? Multiply the input weights by any $c>0$ and divide the output weight by $c$, and the network computes the same function. So the loss is constant along the curve that $c$ traces, and the gradient is at right angles to it. In the plane of output weight and length the paths at right angles to such curves are hyperbolas. From the same start with $\tanh$, where doubling the input does not double the output, the difference ends at {glue:text}`balancedness_tanh_m`.
#
# ```{hero}
# ```
#
# ## The statement
#
# A network with one hidden layer of $m$ neurons is $f(x)=\sum_ia_i\,\sigma(w_i\cdot x)$. Neuron $i$ has the input weights $w_i\in\mathbb R^d$ and the output weight $a_i$. The activation $\sigma$ is {term}`homogeneous` if $\sigma(cz)=c\,\sigma(z)$ for every $c>0$. The identity is, and so are the ReLU and the *leaky ReLU* of slope $\gamma$, which is $z$ for $z>0$ and $\gamma z$ for $z\le0$, with $0\le\gamma<1$. Let $a$ be the vector of the $a_i$ and $W$ the matrix with the columns $w_i$. Gradient flow of the squared loss conserves
#
# $$\begin{aligned}
# \underbrace{a_i^2-\|w_i\|^2}_{\text{each neuron}}\quad&\text{if $\sigma$ is homogeneous,}\\
# \underbrace{aa^\top-W^\top W}_{\text{an $m\times m$ matrix}}\quad&\text{if $\sigma$ is linear.}
# \end{aligned}$$
#
# {cite:t}`du2018` prove both for networks of any depth. Linear layers conserve more, because any invertible matrix can be inserted between them and undone by its inverse, and not only a positive factor for each neuron. The loss does not matter: every differentiable loss of the outputs has the same laws.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast |
# |---|---|---|---|
# | [$a_i^2-\lVert w_i\rVert^2$](leaky) at time {glue:text}`balancedness_t` of the leaky ReLU neuron whose output weight moves farthest | {glue:text}`balancedness_leaky_p` | {glue:text}`balancedness_leaky_m` | $\tanh$: {glue:text}`balancedness_tanh_m` |
# | [entry {glue:text}`balancedness_entry` of $aa^\top-W^\top W$](linear), the one that the leaky ReLU moves most, at time {glue:text}`balancedness_t`, linear layers | {glue:text}`balancedness_linear_p` | {glue:text}`balancedness_linear_m` | leaky ReLU: {glue:text}`balancedness_linear_leaky` |
# | [change of that entry](sides) with the leaky ReLU, from the samples on which the slopes of the two neurons differ | from {eq}`sides` along the run: {glue:text}`balancedness_sides_p` | {glue:text}`balancedness_sides_m` | linear layers: 0 |
# | [change of largest size in the matrix](descent), divided by the step size and extrapolated to step size zero, gradient descent on linear layers | {glue:text}`balancedness_descent_p` | {glue:text}`balancedness_descent_m` | gradient flow: 0 |
# ```
#
# The leaky ReLU of the first row has its kink smoothed over the width {glue:text}`balancedness_narrow`, so that a neuron can leave its hyperbola a little. A proved bound says by how much at most, for each neuron from its own run. The neuron that comes nearest to its bound reaches {glue:text}`balancedness_used` of it.
#
# **What to remember?** A neuron with $|a_i|>\|w_i\|$ at the start keeps the sign of its output weight, because $a_i^2$ cannot fall below the conserved $a_i^2-\|w_i\|^2>0$. The law does not make layers {term}`balanced`. The difference stays what it was at the start, and it becomes small only relative to weights that have grown. Gradient descent with step size $\eta$ breaks the law by an amount that, with linear layers, is proportional to $\eta$ to first order and that the flow predicts.
#
# ## The smallest case
#
# Take one linear neuron with one weight on each side, $f(x)=a\,w\,x$, and the single sample $x=1$. With the residual $r=y-aw$ gradient flow is $\dot a=rw$ and $\dot w=ra$. Add and subtract:
#
# $$\begin{aligned}\tfrac d{dt}(a+w)&=r\,(a+w),\\\tfrac d{dt}(a-w)&=-r\,(a-w).\end{aligned}$$
#
# One factor grows exactly as the other one shrinks, so their product $a^2-w^2$ stays constant. A step of gradient descent multiplies them by $1+\eta r$ and $1-\eta r$, and the product by
#
# $$(1+\eta r)(1-\eta r)=1-\eta^2r^2 .$$
#
# So descent brings this neuron a little closer to balance with every small step. At a fixed time there are $t/\eta$ steps, so the change is proportional to $\eta$. For $\tanh$, by contrast, $\frac d{dt}(a^2-w^2)=2ar\,(\tanh w-w/\cosh^2w)$, and the bracket is zero only at $w=0$. What this one sample keeps is $a^2-\sinh^2w$, because $\frac d{dt}\sinh^2w$ $=2\sinh w\cosh w\,\dot w$ $=2ar\tanh w$. A second sample would need another quantity.
#
# ## Experiment
#
# The $n$ samples are $x_k\sim\mathcal N(0,I_d/d)$ with labels $y_k\sim\mathcal N(0,1)$. The labels are random so that the neurons have to move. At the start $a_i\sim\mathcal N(0,1)$, and $w_i$ is a draw of $\mathcal N(0,I_d/d)$ times a factor that falls from $2$ to $0.4$ over the neurons, so that their hyperbolas differ. The input weights are drawn again if every sample activates all neurons or none. The loss is $\frac12\sum_k r_k^2$ with the residuals $r_k=y_k-f(x_k)$.

# %% tags=["hide-input"]
import numpy as np
from matplotlib import pyplot as plt
from scipy.special import expit, xlogy

from implicit_bias.activations import IDENTITY, LeakyReLU, Tanh
from implicit_bias.data import Samples
from implicit_bias.figures import style
from implicit_bias.flows import FlowError, descend, follow_along
from implicit_bias.flows.ode import Method
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, TwoLayer
from implicit_bias.rates import log_log_slope
from reproduce.claims import Claims, Control, refined, rounding
from reproduce.claims.glued import glue_all

claims = Claims("balancedness")

style.use_style()

# %% tags=["parameters"]
n: int = 10  # number of samples n, in [4, 20]
d: int = 5  # number of features d, in [2, 10]
width: int = 6  # number of neurons m, in [3, 8]
# because wider networks take the stiff integrator minutes
slope: float = 0.2  # slope γ of the leaky ReLU, in [0.05, 0.8]
narrow: float = 1e-9  # width ε of the smoothed kink at which the law is shown, in [1e-9, 1e-8]
# because narrower kinks were not tried
kink: float = 0.01  # width ε at which its entropy is measured, in [5e-3, 0.1]
t_end: float = 10.0  # time t at the end of every run, in [2, 20]
learning_rates: list[float] = [2e-3, 1e-3, 5e-4]  # step sizes η, each in [1e-4, 2e-3]
# because longer steps were not tried: what the extrapolation leaves grows like the product of the rates
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where len(set(learning_rates)) >= 2

# %% tags=["hide-input"]
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
x, y = data_stream.standard_normal((n, d)) / np.sqrt(d), data_stream.standard_normal(n)  # stream: data
lengths = np.linspace(2, 0.4, width)
w_start = lengths * initialization_stream.standard_normal((d, width)) / np.sqrt(d)
while np.all((x @ w_start > 0) == (x @ w_start[:, :1] > 0)):
    w_start = lengths * initialization_stream.standard_normal((d, width)) / np.sqrt(d)
a_start = initialization_stream.standard_normal(width)

# %% [markdown]
# An integrator cannot follow a kink at which a sample stays, because there the velocity jumps at every crossing. So the kinks of ReLU and leaky ReLU are smoothed over the width {glue:text}`balancedness_narrow`. That flow is stiff, so the integrator is given its Jacobian. It runs in the span of the samples, $W=W(0)+X^\top C$, without error. Integrals along a run are taken by Gauss's rule in every step of the integrator.

# %% tags=["hide-input"]
RTOL = 1e-11  # the relative tolerance of a step
rates = sorted(set(learning_rates))


def network_with(activation, in_span=False):
    """The flow of the network with this activation from the one start; a narrow kink needs the span of the samples."""
    risk = Risk(TwoLayer(activation), Samples(x, y), Squared("sum"))
    return (risk.in_span if in_span else risk.of_weights)(w_start.T, a_start)


def follow(network, rtol=RTOL):
    """Gradient flow to the end, and what integrals along it need; a second and a third try where a kink is too narrow."""
    tries: list[tuple[Method, float]] = []
    if hasattr(network, "jacobian"):
        tries = [("LSODA", rtol), ("LSODA", rtol / 10), ("Radau", 10 * rtol)]
    for method, allowed in tries:
        try:
            return follow_along(network, t_end=t_end, method=method, rtol=allowed, max_steps=30_000)
        except FlowError:
            continue
    return follow_along(network, t_end=t_end, rtol=rtol)


def matrix(network, theta):
    """aaᵀ − WᵀW at a state, or at many."""
    return network.risk.net.balance_matrix(*network.weights(theta))


def change(network, theta):
    """The change of aaᵀ − WᵀW since the start."""
    return matrix(network, theta) - matrix(network, network.start)


def velocities(network, states):
    """θ̇ at each state."""
    return np.array([network.velocity(one) for one in states])


def diagonal(matrices):
    """The numbers a_i² − ‖w_i‖², or their rates, from such matrices."""
    return np.diagonal(matrices, axis1=-2, axis2=-1)


# %%
leaky, tanh = network_with(LeakyReLU(slope, narrow), in_span=True), network_with(Tanh())
leaky_flow, tanh_flow = follow(leaky), follow(tanh)  # train
kept = leaky.balance(leaky.start)  # predict: every a² − ‖w‖² stays what it is
leaky_end, tanh_end = leaky.balance(leaky_flow.run.final), tanh.balance(tanh_flow.run.final)
w_end, a_end = leaky.weights(leaky_flow.run.final)
farthest = int(np.argmax(np.abs(a_end - a_start)))
print("neuron  a from   to    a² − ‖w‖²: predicted  leaky ReLU   tanh")
for i in range(width):
    print(f"{i + 1:4} {a_start[i]:8.2f} {a_end[i]:6.2f} {kept[i]:21.4f}",
          f"{leaky_end[i]:11.4f} {tanh_end[i]:8.4f}")

# %% mystnb={"figure": {"caption": "A leaky ReLU neuron slides along its hyperbola, a $\\tanh$ neuron does not. Six neurons of one network, each from its start (dot) to its place at the end of the run (arrow). (a) With the leaky ReLU every path lies on the hyperbola through its start, on which $a_i^2-\\|w_i\\|^2$ is constant (black dashed, known before training). The ReLU does the same. Dotted: the curve on which the network computes the same function, at right angles to the hyperbola. (b) With $\\tanh$, from the same starts and for the same data, most paths leave their hyperbolas. Two short ones stay near theirs, where $\\tanh$ is nearly linear. The numbers at two neurons, one of them that of the story, are $a_i^2-\\|w_i\\|^2$ at the start and at the end.", "name": "figure-balancedness"}, "image": {"alt": "Two panels, the output weight of each of six neurons on the horizontal axis and the length of its input weights on the vertical one. Left: six paths that lie on dashed hyperbolas. Right: six paths from the same dots, most of which leave the dashed hyperbolas.", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.8, 4.1))
colors = [style.COLORS[name] for name in ("blue", "orange", "green", "red", "purple", "sky")]
places = [np.stack([outputs, np.linalg.norm(rows, axis=-1)]) for rows, outputs in
          (leaky.weights(leaky_flow.theta), tanh.weights(tanh_flow.theta))]
wide, high = 1.12 * np.max([np.abs(ends).max(axis=(1, 2)) for ends in places], axis=0)  # every end is seen
reach = max(wide, high)
for ax, paths, last, title in ((left, places[0], leaky_end, "(a) leaky ReLU: along hyperbolas"),
                               (right, places[1], tanh_end, "(b) tanh: across them")):
    across, up = np.meshgrid(np.linspace(-wide, wide, 201), np.linspace(0, high, 101))
    ax.contour(across, up, across**2 - up**2, np.arange(-10, 11, 2), colors="0.87", linewidths=0.8, linestyles="solid", zorder=0)
    for i in range(width):
        path, color = paths[:, :, i], colors[i % 6]
        ax.plot(*path, color=color, linewidth=3)
        ax.plot(*path[:, 0], "o", color=color, markersize=8, zorder=6)
        near = np.argmax(np.linalg.norm(path[:, ::-1] - path[:, -1:], axis=0) > 0.04 * reach)
        ax.annotate("", path[:, -1], path[:, -1 - near], annotation_clip=True, zorder=6,
                    arrowprops={"arrowstyle": "-|>", "color": color, "mutation_scale": 22, "shrinkA": 0, "shrinkB": 0})
        edge = np.sqrt(max(kept[i], 0.0))
        side = np.linspace(edge, reach, 121) * np.sign(a_start[i]) if kept[i] > 0 else np.linspace(-reach, reach, 241)
        style.theory(ax, side, np.sqrt(np.maximum(side**2 - kept[i], 0)))
    for i in (farthest, int(np.argmin(tanh_end - kept))):
        ax.annotate(f"{kept[i]:.2f} → {last[i]:.2f}".replace("-", "−"), paths[:, -1, i], (0, 10), textcoords="offset points",
                    color=colors[i % 6], ha="right" if a_end[i] > 0 else "left", zorder=5, bbox={"color": "white", "pad": 1})
    ax.set(xlim=(-wide, wide), ylim=(0, high), aspect="equal", xlabel="output weight $a_i$",
           ylabel=r"length $\|w_i\|$ of input weights", title=title)
left.plot(*(places[0][:, -1, farthest] * np.geomspace(0.7, 1.08)[:, None] ** [-1, 1]).T, ":", color=colors[farthest % 6])
plt.show()

# %% [markdown]
# Now the matrix. Linear layers keep all of it. The leaky ReLU does not, and {eq}`sides` accounts for how an entry of it moves, by the samples on which the slopes of the two neurons differ, as where one is active and the other is not. This is an identity along the run, so nothing is predicted before it. Gradient descent on the linear layers runs at three constant step sizes.

# %%
linear = network_with(IDENTITY)
linear_flow = follow(linear)  # train by gradient flow
squared = linear_flow.integral(  # predict what descent changes, per η
    lambda states: matrix(linear, velocities(linear, states)))
linear_descents = {rate: descend(linear, rate, t_end=t_end).final for rate in rates}
print("the largest change of an entry of aaᵀ − WᵀW, linear layers")
drift = np.abs(change(linear, linear_flow.run.final)).max()
print(f"gradient flow: predicted 0, measured {drift:.0e}")
for rate in rates:
    measured = np.abs(change(linear, linear_descents[rate])).max()
    print(f"descent, η = {rate:g}: predicted {rate * np.abs(squared).max():.5f},",
          f"measured {measured:.5f}")

# %% tags=["hide-input"]
relu = network_with(LeakyReLU(0.0, narrow), in_span=True)  # mutant: another kink is as narrow
relu_flow = follow(relu)
hard = network_with(LeakyReLU(slope))
hard_descents, tanh_descents = ({rate: descend(net, rate, t_end=t_end).final for rate in rates} for net in (hard, tanh))


def seen(network, theta):
    """The residuals r (… × n), the z (… × m × n) and a (… × m)."""
    rows, a = network.weights(theta)
    z = rows @ x.T
    return y - np.einsum("...in,...i->...n", network.risk.net.activation.value(z), a), z, a


def two_sided(network, theta):
    """What samples seen from different sides add to d/dt (a_i a_j − w_i·w_j): … × m × m."""
    r, z, a = seen(network, theta)
    activation = network.risk.net.activation
    gate = activation.slope + (1 - activation.slope) * expit(z / activation.width)
    same = np.einsum("...n,...in,...in->...i", r, gate, z)
    cross = np.einsum("...n,...in,...jn->...ij", r, gate, z)  # Σ r_k σ′(z_ki) z_kj
    half = same[..., :, None] * a[..., None, :] - cross * a[..., :, None]
    return half + np.swapaxes(half, -1, -2)


def entropic(network, theta):
    """What σ(z) − σ′(z)z adds to d/dt (a_i a_j − w_i·w_j): … × m × m; of a kink its entropy."""
    r, z, a = seen(network, theta)
    activation = network.risk.net.activation
    if isinstance(activation, Tanh):
        lack = np.tanh(z) - z / np.cosh(z) ** 2
    else:
        p = expit(z / activation.width)
        lack = (1 - activation.slope) * activation.width * (-xlogy(p, p) - xlogy(1 - p, 1 - p))
    half = np.einsum("...n,...in->...i", r, lack)[..., :, None] * a[..., None, :]
    return half + np.swapaxes(half, -1, -2)


def ceilings(network, flow):
    """The bound on what a smoothed kink adds to a² − ‖w‖², neuron by neuron, along the run itself."""
    activation = network.risk.net.activation

    def sizes(states):
        r, _, a = seen(network, states)
        return np.abs(a) * np.abs(r).sum(axis=-1, keepdims=True)

    return 2 * (1 - activation.slope) * activation.width * np.log(2) * flow.integral(sizes)


bounds = np.array([ceilings(leaky, leaky_flow), ceilings(relu, relu_flow)])
ends = np.array([leaky_end, relu.balance(relu_flow.run.final)])
sided = leaky_flow.integral(lambda states: two_sided(leaky, states))  # along the run: how the leaky network's matrix moves
turned = change(leaky, leaky_flow.run.final)
fine, coarse = rates[0], rates[1]


def extrapolated(network, finals):
    """The change of aaᵀ − WᵀW over η, as η → 0: the first-order error in η is removed."""
    slow, fast = (change(network, finals[rate]) / rate for rate in (fine, coarse))
    # mutant: a worse extrapolation has a wider tolerance
    return slow + (slow - fast) * fine / (coarse - fine)


per_rate = extrapolated(linear, linear_descents)
i, j = map(int, np.unravel_index(np.argmax(np.abs(np.triu(turned, 1))), turned.shape))
most = np.unravel_index(np.argmax(np.abs(squared)), squared.shape)


def glued(form, **values):
    """Glue numbers with a true minus sign."""
    glue_all("balancedness", **{name: format(value, form).replace("-", "−") for name, value in values.items()})


glued(".3f", w_start=np.linalg.norm(w_start[:, farthest]), a_start=a_start[farthest], w_end=np.linalg.norm(w_end[farthest]),
      a_end=a_end[farthest])
glued(".2f", leaky_p=kept[farthest], leaky_m=leaky_end[farthest], tanh_m=tanh_end[farthest],
      used=np.max(np.abs(ends - kept) / bounds))
glued(".3f", linear_p=matrix(linear, linear.start)[i, j], linear_m=matrix(linear, linear_flow.run.final)[i, j],
      linear_leaky=matrix(leaky, leaky_flow.run.final)[i, j], sides_p=sided[i, j], sides_m=turned[i, j])
glued(".4f", descent_p=squared[most], descent_m=per_rate[most])
glued("g", n=n, m=width, t=t_end, fine=fine)
glued(".1g", shift=np.abs(change(linear, linear_descents[fine])).max())
digits, power = f"{narrow:.0e}".split("e-")
glue_all("balancedness", entry=f"({i + 1}, {j + 1})",
         narrow=digits.replace("1", "") + "·" * (digits != "1") + "10⁻" + "⁰¹²³⁴⁵⁶⁷⁸⁹"[int(power)])

# %% mystnb={"figure": {"caption": "Linear layers keep the whole matrix, and {eq}`sides` accounts for what a kink changes. (a) The entry of $aa^\\top-W^\\top W$ for two neurons along the flow: constant with linear layers (green), not with a leaky ReLU (blue). Black dashed: the right side of {eq}`sides`, summed along the same run. (b) The size of the largest change of an entry that gradient descent makes in the matrix of linear layers by the end of the run, against the step size (dots). The line is predicted from a run of the flow (black dashed).", "name": "figure-matrix"}, "image": {"alt": "Two panels. Left: an entry of the matrix against time, flat for linear layers, and moving along a dashed line for a leaky ReLU. Right: the change under gradient descent against the step size, on a dashed line through zero.", "classes": "panels-2"}} tags=["hide-input"]
left, right = style.panels(2, (9.6, 3.9))
for network, flow, color, label in ((linear, linear_flow, "green", "linear layers"), (leaky, leaky_flow, "blue", "leaky ReLU")):
    entry = matrix(network, flow.theta)[:, i, j]
    left.plot(flow.t, entry, color=style.COLORS[color], linewidth=4)
    left.annotate(label, (t_end, entry[-1]), (-30, 6 if network is linear else -4), textcoords="offset points", ha="right",
                  color=style.COLORS[color])
style.theory(left, leaky_flow.t, matrix(leaky, leaky.start)[i, j] + np.cumsum(
    leaky_flow.weights * two_sided(leaky, leaky_flow.theta)[:, i, j]))
left.margins(y=0.15)
left.set(xlabel="time $t$", ylabel=rf"entry {i + 1}, {j + 1} of $aa^\top-W^\top W$", title="(a) the matrix, gradient flow")
thousandths = 1e3 * np.array(rates)
right.plot(thousandths, [1e3 * np.abs(change(linear, linear_descents[rate])).max() for rate in rates], "o",
           color=style.COLORS["green"], markersize=8)
style.theory(right, [0, thousandths[-1]], [0, thousandths[-1] * np.abs(squared).max()])
right.set(xlim=(0, None), ylim=(0, None), xlabel=r"step size $10^3\,\eta$", ylabel=r"size of the largest change, $\times10^3$",
          title="(b) linear layers, gradient descent", xticks=[0, *thousandths])
plt.show()

# %% [markdown]
# All claims compare the ends of the runs.
#
# ```{claim} leaky
# :headline: each neuron's a² − ‖w‖² along the flow, leaky ReLU and ReLU
# :source: Du et al. 2018, Theorem 2.1
# :evidence: proved here
# :because: what the smoothed kink can add is at most 2(1−γ) ε ln 2 ∫|a| Σ|r| dt along each run, of all neurons the
#   largest; the integrator adds far less
# :contrast: tanh, not homogeneous
#
# with a leaky ReLU, and with a ReLU, every neuron keeps a² − ‖w‖²
# ```
#
# ```{claim} own_bound
# :evidence: proved here
# :because: the bound is proved, and computed for each neuron from its own run
# :contrast: a leaky ReLU that is not quite homogeneous: its kink is a hundred times as wide, and lowered so
#   that σ(0) = 0, so that elsewhere a constant of the size of its width is missing
#
# no neuron leaves its hyperbola by more than its own bound on what the smoothed kink adds
# ```
#
# ```{claim} linear
# :headline: aaᵀ − WᵀW along the flow, linear layers
# :source: Du et al. 2018, Theorem 2.2
# :evidence: trained and compared
# :because: the integrator's, in proportion to its relative tolerance: by how much more the matrix drifts at
#   1e-10 than at 1e-11, over 9
# :contrast: a leaky ReLU between the layers
#
# linear layers keep the matrix aaᵀ − WᵀW
# ```
#
# ```{claim} sides
# :headline: change of aaᵀ − WᵀW along the flow, leaky ReLU
# :evidence: trained and compared
# :because: what the smoothed kink adds to an entry, at most the largest of the neurons' bounds, and what the quadrature
#   misses at kinks: by how much the integral of the run's own rate of change misses the change
# :contrast: linear layers, which keep it
#
# with a leaky ReLU the matrix moves by what samples add on which the slopes of a pair of neurons differ
# ```
#
# ```{claim} descent
# :headline: change per η under gradient descent, linear layers
# :evidence: trained and compared
# :because: what is left is in proportion to the product of the two rates: the change of the extrapolation
#   when the smaller is doubled twice
# :contrast: the smallest step size as it is, without the extrapolation to step size zero
#
# gradient descent moves the matrix of linear layers at the rate in η that the flow's velocities predict
# ```

# %% tags=["hide-input"]
def own_rate(network, states, moving):
    """The rate at which the matrix, a quadratic function, changes along the flow's own velocity."""
    return (matrix(network, states + moving) - matrix(network, states - moving)) / 2


claims.identity("leaky", np.stack([kept] * 2), ends, proved=bounds.max(), control=np.stack([tanh_end] * 2))
lowered = LeakyReLU(slope, 100 * narrow, centred=True)
off_zero = network_with(lowered, in_span=True)
lowered_off = off_zero.balance(follow(off_zero).run.final) - kept
claims.below("own_bound", bounds, np.abs(ends - kept), proved=0.0, control=np.abs(np.stack([lowered_off] * 2)))
derived_path = follow(linear, 10 * RTOL).theta
derived_drifts = [np.abs(change(linear, states)).max() for states in (linear_flow.theta, derived_path)]  # fine, coarse
claims.identity("linear", matrix(linear, linear.start), matrix(linear, linear_flow.run.final),
                error=refined(derived_drifts[0], derived_drifts[1], ratio=10, order=1),
                control=matrix(leaky, leaky_flow.run.final))
derived_rate = leaky_flow.integral(lambda states: own_rate(leaky, states, velocities(leaky, states)))
claims.identity("sides", sided, turned, error=bounds.max() + np.abs(derived_rate - turned).max(),
                control=change(linear, linear_flow.run.final))
derived_slopes = [change(linear, descend(linear, rate, t_end=t_end).final) / rate for rate in (coarse, 2 * coarse)]
claims.limit("descent", squared, per_rate, relative=True,
             error=refined(per_rate, 2 * derived_slopes[0] - derived_slopes[1], 2 * coarse / fine, 1)
             / np.abs(squared).max(), control=change(linear, linear_descents[fine]) / fine)

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Du et al. 2018, Theorems 2.1 and 2.2, for one hidden layer
# :label: theorem-balancedness
#
# Let $R$ be a differentiable loss of the outputs $f(x_1),\dots,f(x_n)$, and $r_k=-\partial R/\partial f(x_k)$. Let $a$ and $W$ solve the gradient flow of $R$,
#
# $$\begin{aligned}\dot a_i&=\sum_kr_k\,\sigma(z_{ki}),\\\dot w_i&=a_i\sum_kr_k\,\sigma'(z_{ki})\,x_k ,\end{aligned}$$
#
# where $z_{ki}=w_i\cdot x_k$, and at a kink $\sigma'$ is any value between its limits from the two sides.
#
# 1. If $\sigma$ is homogeneous, $a_i^2-\|w_i\|^2$ is constant for every neuron $i$.
# 2. If $\sigma$ is linear, the matrix $aa^\top-W^\top W$ is constant.
# ```
#
# ````{prf:proof}
# For any $\sigma$ the product rule gives
#
# ```{math}
# :label: defect
# \begin{aligned}
# &\frac d{dt}\bigl(a_ia_j-w_i\cdot w_j\bigr)\\
# &=\sum_kr_k\,a_j\bigl(\sigma(z_{ki})-\sigma'(z_{kj})z_{ki}\bigr)\\
# &+\sum_kr_k\,a_i\bigl(\sigma(z_{kj})-\sigma'(z_{ki})z_{kj}\bigr).
# \end{aligned}
# ```
#
# If $\sigma(z)=z$, each bracket is zero. If $\sigma$ is homogeneous, then $\sigma(z)=\sigma'(z)z$, and each is zero for $i=j$. $\square$
# ````
#
# Geometrically the first law says that the velocity is at right angles to stretching. In the space of $(w_i,a_i)$ the direction of stretching is $(w_i,-a_i)$, and along it the loss does not change, so $w_i\cdot\dot w_i-a_i\dot a_i=0$.
#
# ## How fast, exactly
#
# Where a premise fails, {eq}`defect` says by exactly how much.
#
# ````{prf:proposition} Three defects
# :label: proposition-defects
#
# Let $a$ and $W$ be as in {prf:ref}`theorem-balancedness`.
#
# 1. *Two sides of a kink.* If $\sigma$ is homogeneous, then
#
#    ```{math}
#    :label: sides
#    \begin{aligned}&\frac d{dt}\bigl(a_ia_j-w_i\cdot w_j\bigr)\\&=\sum_kr_k\bigl(\sigma'(z_{ki})-\sigma'(z_{kj})\bigr)\\&\quad\cdot\bigl(a_jz_{ki}-a_iz_{kj}\bigr).\end{aligned}
#    ```
#
#    Only samples count on which the slopes of the two neurons differ: one neuron is active there and the other is not, or one has the sample on its kink.
#
# 2. *Smoothed kink.* Let $\sigma_\varepsilon(z)=\gamma z+(1-\gamma)\,\varepsilon\ln(1+e^{z/\varepsilon})$. With $p_{ki}=1/(1+e^{-z_{ki}/\varepsilon})$ and the entropy $H(p)=-p\ln p-(1-p)\ln(1-p)$,
#
#    ```{math}
#    :label: entropy
#    \begin{aligned}
#    &\frac d{dt}\bigl(a_i^2-\|w_i\|^2\bigr)\\
#    &=2(1-\gamma)\,\varepsilon\,a_i\sum_kr_kH(p_{ki}),\\
#    &\Bigl|\bigl[a_i^2-\|w_i\|^2\bigr]_0^t\Bigr|\le2(1-\gamma)\,\varepsilon\ln2\\
#    &\quad\cdot\int_0^t|a_i|\sum_k|r_k|\,dt' .
#    \end{aligned}
#    ```
#
# 3. *Gradient descent.* A step of size $\eta$ along the velocities $\dot a$, $\dot W$ changes $aa^\top-W^\top W$ by $\eta$ times {eq}`defect` plus exactly
#
#    ```{math}
#    :label: descent-step
#    \eta^2\bigl(\dot a\,\dot a^\top-\dot W^\top\dot W\bigr) .
#    ```
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# 1: insert $\sigma(z)=\sigma'(z)z$ into {eq}`defect`. 2: $\sigma_\varepsilon(z)-\sigma_\varepsilon'(z)z=(1-\gamma)\varepsilon H(p)$, because with $u=z/\varepsilon$ both sides over $(1-\gamma)\varepsilon$ have the derivative $-u\,\frac{dp}{du}$ and the value $\ln2$ at $u=0$. Insert it into {eq}`defect` for $i=j$. The bound is $0\le H\le\ln2$. 3: expand $(a+\eta\dot a)(a+\eta\dot a)^\top-(W+\eta\dot W)^\top(W+\eta\dot W)$. $\square$
# ````
#
# Where the flow conserves, only {eq}`descent-step` is left of a step. Over a fixed time it sums to $\eta\int_0^t(\dot a\dot a^\top-\dot W^\top\dot W)\,dt'+O(\eta^2)$ if the gradient is smooth, as with linear layers. At the smallest step size, {glue:text}`balancedness_fine`, this is {glue:text}`balancedness_shift`.
#
# ## Instruments
#
# The smoothed kink and $\tanh$ against {eq}`defect`, single steps of gradient descent against {eq}`descent-step`, and the order in $\eta$ with a kink, where the sum of {eq}`descent-step` is no smooth integral.
#
# ```{claim} entropy
# :evidence: trained and compared
# :because: integrator and quadrature, whose error falls at least like the root of the relative tolerance, as
#   for formulas of order one: by how much the difference of both sides changes from 1e-10 to 1e-11, over √10
#   − 1
# :contrast: gradient descent, at the largest step size
#
# with a smoothed kink a² − ‖w‖² moves by the kink's entropy, and with tanh by what it lacks of being homogeneous
# ```
#
# ```{claim} step
# :evidence: float with residual
# :because: rounding of d + 1 products and their sums, at both ends of a step, of the size of the squared
#   weights, over η²
# :contrast: the lowered leaky ReLU of own_bound, not quite homogeneous
#
# a step of gradient descent changes aaᵀ − WᵀW, and with a leaky ReLU each a² − ‖w‖², by η² times the difference of the squared velocities, exactly
# ```
#
# ```{claim} order
# :evidence: trained and compared
# :because: the second-order term shifts the exponent in proportion to η, and kinks bend the line: by how much it changes when
#   all rates are doubled, or between two neighbouring rates
# :contrast: tanh, not homogeneous
#
# with a leaky ReLU gradient descent changes a² − ‖w‖² in first order of the step size
# ```

# %% tags=["hide-input"]
soft = network_with(LeakyReLU(slope, kink))


def both_sides(rtol):
    """What a² − ‖w‖² changes by, and what it should, of the smoothed kink and of tanh."""
    runs = [(network, follow(network, rtol)) for network in (soft, tanh)]
    return np.array([[diagonal(change(network, flow.run.final)) for network, flow in runs],
                     [diagonal(flow.integral(lambda states, net=network: entropic(net, states)))
                      for network, flow in runs]])


measured, predicted = both_sides(RTOL)
derived_sides = both_sides(10 * RTOL)
claims.identity("entropy", predicted, measured,
                error=refined(measured - predicted, derived_sides[0] - derived_sides[1], ratio=10, order=1 / 2),
                control=[diagonal(change(soft, descend(soft, rates[-1], t_end=t_end).final)),
                         diagonal(change(tanh, tanh_descents[rates[-1]]))])
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


stepped = [per_square(linear, lambda m: m), per_square(hard, diagonal)]
off_changes, off_predictions = per_square(network_with(lowered), diagonal)
largest = max(float(np.square(states).max()) for states in (linear_flow.theta, *hard_descents.values()))
claims.identity("step", np.hstack([predictions for _, predictions in stepped]),
                np.hstack([changes for changes, _ in stepped]),
                error=rounding(2 * (d + 2), size=largest, condition=1 / rates[-1] ** 2),
                control=Control(off_changes, theory=off_predictions, anew=True))


def order(network, finals):
    """The exponent in η of what gradient descent changes of a² − ‖w‖²."""
    return log_log_slope(rates, [np.linalg.norm(diagonal(change(network, final))) for final in finals])


derived_finals = [descend(hard, 2 * rate, t_end=t_end).final for rate in rates]
found = order(hard, hard_descents.values())  # mutant: an exponent of one is its own inverse
derived_sizes = np.log([np.linalg.norm(diagonal(change(hard, final))) for final in hard_descents.values()])
derived_pairs = np.diff(derived_sizes) / np.diff(np.log(rates))  # a neuron that passes a kink between two rates bends the line
claims.rate("order", 1.0, found, control=order(tanh, tanh_descents.values()),
            error=max(refined(found, order(hard, derived_finals), 2, 1), np.max(np.abs(derived_pairs - found))))

# %% [markdown]
# ## What would falsify it
#
# A leaky ReLU neuron that leaves its hyperbola by more than its own bound. A drift of the linear layers' matrix beyond the integrator. An entry of the leaky network's matrix that moves otherwise than by {eq}`sides`. A step of gradient descent off {eq}`descent-step` by more than rounding.
#
# ## Differences from the paper
#
# - **Changed.** {cite:t}`du2018` treat any depth, where each pair of adjacent layers has its law. Here there is one hidden layer. The flows of ReLU and leaky ReLU run with a smoothed kink, gradient descent with the kink itself.
# - **Added.** The defects {eq}`sides`, {eq}`entropy` and {eq}`descent-step`.
# - **Not reproduced.** Their theorem on matrix factorization by gradient descent with decreasing step sizes, in which the layers stay nearly balanced.
#
# Theorems 2.1 and 2.2 of {cite:t}`du2018` are used as {cite:t}`azulay2021` quote them.
#
# ## Scope
#
# - A sample can stay *at* a kink, where the flow pushes it back from both sides. The smoothed network follows it there, and its drift is of first order in $\varepsilon$. A sample that only passes costs second order ({ref}`exercise-balance-passage`).
# - One hidden layer without biases. A bias is a weight of a constant feature and counts as one.
# - The constant of gradient descent is predicted for linear layers. With a kink we measure the order in $\eta$ only, because a sample that stays at the kink makes descent zigzag, and {eq}`descent-step` then counts both velocities.
#
# ## Exercises
#
# ````{exercise} A sign that cannot change
# :label: exercise-balance-norms
#
# A ReLU neuron starts with $a=1$ and $\|w\|=\frac35$. How small can $|a|$ become in gradient flow, whatever the data and the labels? Can $a$ change its sign if it starts with $a=\frac35$ and $\|w\|=1$?
# ````
#
# ````{solution} exercise-balance-norms
# :class: dropdown
#
# $a^2=\|w\|^2+1-\frac9{25}\ge\frac{16}{25}$, so $a\ge\frac45$ at all times. In the second case $\|w\|^2=a^2+\frac{16}{25}$. Nothing keeps $a$ from $0$, and on its hyperbola both signs are one piece. In {numref}`figure-balancedness`(a) one such neuron (orange) crosses from $a>0$ to $a<0$.
# ````
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
# $w_i\cdot\dot w_i=a_i\sum r_k\sigma'z=q\,a_i\dot a_i$, so the flow keeps $q\,a_i^2-\|w_i\|^2$. For $\tanh$, $\sigma-\sigma'z$ has the sign of $z$ and does not vanish. A single sample keeps $a^2-\sinh^2(w\cdot x)/\|x\|^2$. A second sample would need another quantity, and we know of none that several keep.
# ````
#
# ````{exercise} A kink that is passed
# :label: exercise-balance-passage
#
# A sample passes the kink of neuron $i$ once, $z_{ki}=vt$, while $a_i$ and $r_k$ hardly change. By how much does $a_i^2-\|w_i\|^2$ change?
# ````
#
# ````{solution} exercise-balance-passage
# :class: dropdown
#
# With $u=z/\varepsilon$, $\frac d{du}H=-u\,\frac{dp}{du}$, so $\int H\,du=\int u^2\frac{dp}{du}\,du=\frac{\pi^2}3$, the variance of the logistic law. The change is
#
# $$\begin{gathered}2(1-\gamma)\,\varepsilon\,a_ir_k\int H\,dt\\=\frac{2\pi^2}3(1-\gamma)\,a_ir_k\,\frac{\varepsilon^2}{|v|} .\end{gathered}$$
# ````
#
# ````{exercise} A weaker kink
# :label: exercise-balance-leak
#
# Rerun the chapter with `slope = 0.8`, closer to linear layers. What happens to the right side of {eq}`sides` at time $0$? Must the entry in {numref}`figure-matrix`(a) change less by the end?
# ````
#
# ````{solution} exercise-balance-leak
# :class: dropdown
#
# The factor $\sigma'(z_{ki})-\sigma'(z_{kj})$ is $0$ or $\pm(1-\gamma)$, a quarter of what it was. At time $0$ the residuals differ as well, because the outputs depend on $\gamma$, so the right side is a quarter only with the residuals held fixed. Later the weights differ too, and the entry may change more or less by the end. The factor $1-\gamma$ of the bound is a quarter as well, but its integral is another one. The largest entry may also be another one.
# ````
#
# ## Where to go next
#
# ```{next}
# The chapter on {doc}`one linear neuron <single_neuron>` uses the law to find where it ends, and the one on {doc}`a leaky neuron <leaky_neuron>` where one with a kink does. The chapter on {doc}`many linear neurons <many_neurons>` has balanced layers as one of its two cases, and the one on {doc}`time warping <time_warping>` shows what the law makes of the flow of a neuron.
# ```
#
# ## References
#
# {cite:t}`du2018` prove both laws for networks of any depth. {cite:t}`azulay2021` build on them.
