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
# # Infinite width: a network becomes regression with its tangent kernel
#
# A network with the factor $1/\sqrt m$ in front of its $m$ neurons is lazy without anybody having scaled it: each neuron moves by $1/\sqrt m$, and their sum by $1$. As $m$ grows its {term}`tangent kernel`, the neural tangent kernel (NTK), becomes a fixed, known function, and gradient flow ends at the
# interpolator of least norm for this kernel {cite}`jacot2018`. How wide is wide? The scatter of random networks around the limit is predicted here, with its constant.
#
# $$\begin{gathered}f_m(x)\xrightarrow[m\to\infty]{}k(x,X)K^{-1}y,\\k(x,z)=\frac{\|x\|\|z\|}{2\pi}\bigl(\sin\theta+2(\pi-\theta)\cos\theta\bigr)\end{gathered}$$
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# $f(x)=\frac1{\sqrt m}\sum_ja_j(w_j\cdot x)_+$ with both layers trained by the {term}`gradient flow` of $\frac12\sum_i(f(x_i)-y_i)^2$. The weights begin normal, $w_j\sim\mathcal N(0,I_d)$ and $a_j\sim\mathcal N(0,1)$, in pairs $(w,a)$, $(w,-a)$, so that $f=0$ at first. $\theta$ is the angle between $x$ and $z$, $K=k(X,X)$ the
# kernel's matrix on the $n$ samples. $K_m$ is the same matrix of the network, $\nabla f(x_i)\cdot\nabla f(x_k)$ at the start.

# %% tags=["hide-input"]
import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.activations import RELU
from implicit_bias.data import Samples
from implicit_bias.figures import style
from implicit_bias.flows import descend
from implicit_bias.limits.lazy import kernel_regression, relu_tangent_kernel, tangent_scatter
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, TwoLayer, in_pairs, tangent_kernel
from implicit_bias.norms import root_mean_square
from implicit_bias.rates import log_log_slope
from reproduce.claims import Altered, Claims, Rival, standard_error
from reproduce.claims.glued import glue_all

claims = Claims("tangent_kernel")

style.use_style()

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Jacot, Gabriel and Hongler 2018, for two layers; in words
# :label: theorem-ntk
#
# As $m\to\infty$, $K_m$ tends to $K$ in probability and stays there during training, up to any time. So the outputs on the samples follow $\dot u=-K(u-y)$, and at any other point $x$ gradient flow ends at $f_\infty(x)=k(x,X)K^{-1}y$, if $K$ is positive definite.
# ```
#
# For the formula: $\nabla f(x)\cdot\nabla f(z)=\frac1m\sum_j\kappa_j(x,z)$ with
#
# $$\begin{aligned}\kappa(x,z)&=(w\cdot x)_+(w\cdot z)_+\\&\quad+a^2\,\mathbf 1_{w\cdot x>0}\mathbf 1_{w\cdot z>0}\,x\cdot z,\end{aligned}$$
#
# a mean of independent terms; the expectations are the arc-cosine kernels of order one and zero {cite}`cho2009`. How far is a network of finite width?
#
# ````{prf:proposition} The scatter of random networks
# :label: proposition-ntk-scatter
#
# Let $\alpha=K^{-1}y$, $\beta(x)=K^{-1}k(X,x)$, and for one neuron
#
# $$\xi(x)=\sum_i\alpha_i\Bigl(\kappa(x,x_i)-\sum_k\beta_k(x)\kappa(x_k,x_i)\Bigr).$$
#
# For $m/2$ independent pairs, $m\,\mathbb E\|K_m-K\|_F^2=2\sum_{ik}\operatorname{Var}\kappa(x_i,x_k)=:c_K^2$ for every $m$, and the end $f_m$ of the flow of the network's *linearization* obeys
#
# $$\sqrt m\bigl(f_m(x)-f_\infty(x)\bigr)\to\mathcal N\bigl(0,\,2\operatorname{Var}\xi(x)\bigr),$$
#
# jointly in all $x$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# Partners have the same $\kappa$, so $K_m=\frac2m\sum_{j\le m/2}\kappa_j$: the first statement. $f_m=k_m(x,X)K_m^{-1}y$. With $K_m=K+\Delta$, $k_m=k+\delta$, both of order $m^{-1/2}$, $f_m-f_\infty=\delta K^{-1}y-kK^{-1}\Delta K^{-1}y+O(1/m)=\delta\alpha-\beta^\top\Delta\alpha+O(1/m)$, which is
# $\frac2m\sum_j\xi_j(x)+O(1/m)$ with $\mathbb E\xi=0$. The central limit theorem is the claim. $\square$
# ````
#
# Training adds to this that the kernel moves. Each $w_j$ moves by a length of order $1/\sqrt m$, and so a share of that order of the neurons passes the point at which a sample switches them off or on; each switch changes $K_m$ by $1/m$. Were switches on and off equally likely, their sum would be of the order
# $\frac1m\sqrt{\sqrt m}=m^{-3/4}$; where they are not, $m^{-1/2}$ (*formal derivation*). A smooth activation has no switches, and by {prf:ref}`proposition-lazy-pairs` with $\alpha=\sqrt m$ its kernel moves by $1/m$ only.
#
# In this chapter
#
# | least eigenvalue of $K$ | $c_K/\lVert K\rVert_F$ | $\sqrt m$ times the scatter of predictions | $m$ for a scatter of $0.01$ |
# |---|---|---|---|
# | {glue:text}`ntk_least` | {glue:text}`ntk_kernel` | {glue:text}`ntk_spread` | {glue:text}`ntk_width` |
#
# ## Experiment
#
# $n$ samples in the plane, around a circle at random lengths, small labels from a trigonometric polynomial; predictions at *places* points of the unit circle. For every width *many* networks are drawn, their kernels and the ends of their linearizations computed, and four times as many for the kernel alone; a few networks are trained, more of the narrow ones, by gradient descent with both layers moving until the labels are met to $10^{-6}$. The
# constants of {prf:ref}`proposition-ntk-scatter` are integrals over the direction of one neuron, done by quadrature. Data, networks that are trained, networks that are not, and controls use random streams of their own.

# %% tags=["parameters"]
n: int = 5  # number of samples n, in [3, 6]
# because other numbers of points were not tried
places: int = 48  # points at which predictions are compared, in [16, 200]
widths: list[int] = [64, 256, 1024, 4096]  # numbers m of neurons, even, increasing, each in [64, 20000]
# because of the distance to the limit only the leading order in 1/√m is predicted
many: int = 300  # networks drawn for each width, in [50, 2000]
draws: int = 32  # networks trained of the largest width, in [16, 100]
labels: float = 0.1  # size of the labels, in [0.02, 0.2]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where len(widths) == 4 and widths == sorted(set(widths)) and widths[3] >= 16 * widths[0]
# where widths[0] % 2 == 0 and widths[1] % 2 == 0 and widths[2] % 2 == 0 and widths[3] % 2 == 0

# %% tags=["hide-input"]
data_stream, train_stream, many_stream, control_stream = np.random.default_rng(seed).spawn(4)
angle = 2 * np.pi * (np.arange(n) + data_stream.uniform(-0.25, 0.25, n)) / n
x = np.column_stack([np.cos(angle), np.sin(angle)]) * data_stream.uniform(0.8, 1.2, n)[:, None]
# mutant(+; 0.5; 1; 2 → 3; np.sin(angle); 2 * angle → 2 / angle): the labels of the points
y = labels * (np.cos(2 * angle + 1) + 0.5 * np.sin(angle))
# mutant(-1): how many networks are drawn
count = {m: round(draws * np.sqrt(widths[-1] / m)) for m in widths}  # a narrow network switches few neurons, by chance
# mutant(2; np.pi): the points at which kernels are compared
circle = 2 * np.pi * np.arange(places) / places
points = np.column_stack([np.cos(circle), np.sin(circle)])
MET = 1e-6  # of the labels
NET = TwoLayer(RELU, scaling="1/sqrt(m)")


def pairs(stream, m, level=False):
    """W and a of m/2 random neurons and their partners; if level, all with |a| = 1 and ‖w‖ = √2."""
    w, a = stream.standard_normal((m // 2, 2)), stream.standard_normal(m // 2)
    if level:
        w, a = np.sqrt(2) * w / np.linalg.norm(w, axis=1, keepdims=True), np.sign(a)
    return in_pairs(w, a)


def kernels_of(w, a):
    """K_m on the samples and k_m between points and samples, for the factor 1/√m."""
    return tangent_kernel(NET, w, a, x, x), tangent_kernel(NET, w, a, points, x)


def train(w, a, scaling="1/sqrt(m)", times=1.0):
    """Gradient descent of both layers to the labels, or to multiples of them.

    Returns the predictions at the points, the relative move of K_m, and the predictions of the linearized network.
    """
    m = len(a)
    net = TwoLayer(RELU, scaling=scaling)
    # mutant(1): the unit of a learning rate
    own = m if scaling == "1/m" else 1  # with 1/m a neuron's own time is t/m
    flow = Risk(net, Samples(x, times * y), Squared("sum")).of_weights(w, a)
    start, across = kernels_of(w, a)
    # mutant(1 if own == 1 else 16): the unit of a learning rate
    # mutant(16): a smaller step of gradient descent ends at the same place
    slowed = 1 if own == 1 else 16  # features that are learned make the kernel larger
    # mutant(1; float…): the unit of a learning rate
    step = own / (slowed * float(np.linalg.eigvalsh(start)[-1]))
    end = flow.weights(descend(flow, step, t_end=200_000 * step, misfit=times * MET).final)
    # mutant(/): the unit of a movement of which the exponent is claimed
    moved = np.linalg.norm(kernels_of(end[0], end[1])[0] - start) / np.linalg.norm(start)
    return net.output(end[0], end[1], points), moved, across @ np.linalg.solve(start, times * y)


def misses(w, a):
    """K_m − K, and f_m − f_∞ at the points for the linearized network."""
    own, across = kernels_of(w, a)
    return own - kernel, across @ np.linalg.solve(own, y) - regression.values


def off_by(w, a):
    """K_m − K."""
    return tangent_kernel(NET, w, a, x, x) - kernel


# %%
kernel = relu_tangent_kernel(x, x)  # predict
regression = kernel_regression(kernel, y, relu_tangent_kernel(points, x))
scatter = tangent_scatter(x, y, points)
off_linear = {m: [misses(*pairs(many_stream, m))[1] for _ in range(many)] for m in widths}
trained = {m: [train(*pairs(train_stream, m)) for _ in range(count[m])] for m in widths}  # train
off = {m: root_mean_square([values - regression.values for values, _, _ in trained[m]]) for m in widths}  # compare
print(f"√m ‖f − f_∞‖: predicted {scatter.spread:.3f}, measured", *(f"{np.sqrt(m) * off[m]:.3f}" for m in widths))
print(f"kernel regression certified to {regression.certificate.worst:.0e}")

# %% [markdown]
# What breaks a premise. *Mean-field scaling*: $1/m$ in place of $1/\sqrt m$, at labels of size $0.2$, for which features are learned at every width; small labels move them so little that chance switches of narrow networks hide it. *Not all in pairs*: sixteen partners are drawn anew, so that the network begins at a small random function. *Weights of one size*, $|a_j|=1$ and $\|w_j\|=\sqrt2$: another law, with the same kernel in the limit. *Hidden weights that are twice as long in one direction*. Labels ten times as large are tried too, for which the kernel has to move further.

# %% tags=["hide-input"]
FEW = 16  # partners that are drawn anew
RICH = 0.2 / labels  # labels of the mean-field networks, in units of the others
learning = [[train(*pairs(control_stream, m), scaling="1/m", times=RICH) for _ in range(4)] for m in widths]
feature = [np.mean([moved for _, moved, _ in same]) for same in learning]
wide = widths[-1]
lonely = []
for _ in range(2):
    w, a = pairs(control_stream, wide)
    w[-FEW:], a[-FEW:] = control_stream.standard_normal((FEW, 2)), control_stream.standard_normal(FEW)
    lonely.append(train(w, a)[0])
alone = root_mean_square(np.array(lonely) - regression.values)
level = [misses(*pairs(control_stream, wide, level=True)) for _ in range(many)]
large = [train(*pairs(control_stream, wide), times=10.0) for _ in range(2)]
stretched = []
for _ in range(many):
    w, a = pairs(control_stream, widths[-1])
    stretched.append(misses(w * [1.0, 2.0], a))
level_kernels = {m: [off_by(*pairs(control_stream, m, level=True)) for _ in range(many)] for m in widths}
# mutant(4): how many networks are drawn
off_kernel = {m: [off_by(*pairs(many_stream, m)) for _ in range(4 * many)] for m in widths}
moves = [np.array([moved for _, moved, _ in trained[m]]) for m in widths]
movement = np.array([np.mean(same) for same in moves])
glue_all("ntk", least=f"{np.linalg.eigvalsh(kernel)[0]:.3f}", kernel=f"{scatter.kernel / np.linalg.norm(kernel):.2f}",
         spread=f"{scatter.spread:.2f}", width=f"{(scatter.spread / 0.01) ** 2:,.0f}",
         added=f"{root_mean_square([values - beside for values, _, beside in large]) * np.sqrt(wide) / scatter.spread / 10:.0%}")

# %% mystnb={"figure": {"caption": "Left, above: predictions around the circle; lines: trained networks of two widths; dashed: regression with the tangent kernel; dots: $y_i/\\|x_i\\|$, as $f$ is homogeneous. Below: what the wide ones miss of the regression; grey band: twice the predicted scatter. Right, against the width: how far the kernels of random networks (blue, relative) and the ends of their linearizations (orange) are from the limit; dashed: predicted, $\\propto m^{-1/2}$. Green: how far the kernel moves while a network is trained; red: with mean-field scaling, at labels of size $0.2$.", "name": "figure-ntk"}, "image": {"alt": "Left: curves that gather around a black one as the width grows. Right: two rows of dots on two falling lines, a third that falls too, a fourth that stays", "classes": "panels-2"}} tags=["hero", "hide-input"]
(above, below), right = style.panels(2, (9.6, 4.4), rows=(2, 1))
band = 2 * np.sqrt(np.diag(scatter.covariance) / wide)
below.fill_between(circle, -band, band, color="0.6", alpha=0.35)
for m, color in ((widths[0], "orange"), (wide, "blue")):
    for i, (values, _, _) in enumerate(trained[m][:4]):
        line = {"color": style.COLORS[color], "linewidth": 1, "label": f"$m={m}$" if i == 0 else None}
        above.plot(circle, values, **line)
        if m == wide:
            below.plot(circle, values - regression.values, **line)
style.theory(above, circle, regression.values, r"$k(x,X)K^{-1}y$")
above.plot(angle % (2 * np.pi), y / np.linalg.norm(x, axis=1), "o", color="black", markersize=5)
above.set(ylabel="$f(x)$")
below.set(xlabel="direction of $x$", ylabel=r"$f-f_\infty$")
low, high = above.get_ylim()
above.set_ylim(low, high + 0.9 * (high - low))
above.legend(loc="upper left", fontsize=12, ncols=2, handlelength=1.4)
whole = np.linalg.norm(kernel)
root = np.sqrt(np.array(widths, dtype=float))
right.loglog(widths, feature, "s", color=style.COLORS["red"], label="moves, $1/m$")
right.loglog(widths, [np.sqrt(np.mean([np.sum(d**2) for d in off_kernel[m]])) / whole for m in widths], "o",
             color=style.COLORS["blue"], label="$K_m-K$")
linear_misses = [root_mean_square(off_linear[m]) for m in widths]
right.loglog(widths, linear_misses, "o", color=style.COLORS["orange"], label="$f_m-f_\\infty$")
right.loglog(widths, movement, "^", color=style.COLORS["green"], label="moves, $1/\\sqrt{m}$")
style.theory(right, np.array(widths), scatter.kernel / root / whole)
style.theory(right, np.array(widths), scatter.spread / root)
right.set(xlabel="neurons $m$", ylabel="distance")
right.set_ylim(bottom=movement.min() / 30)
right.legend(loc="lower left", fontsize=12, handletextpad=0.2, ncols=2, columnspacing=0.6)
plt.show()

# %% [markdown]
# ## Headline claims
#
# Each box is a {term}`claim`: what theory predicts, what was measured, by how much they may differ and why.
#
# ```{claim} kernel
# :headline: distance of the kernel to its limit, root mean square over the draws; each width
# :evidence: float with residual
# :because: one standard error of a mean square, halved by the root; the formula is exact for every width
# :contrast: weights of one size, which have the same limit
#
# the tangent kernel of a random network tends to the arc-cosine formula at the predicted distance, c_K/√m
# ```
#
# ```{claim} scatter
# :headline: √m times the distance of linearized networks from kernel regression, over the predicted one;
#   widest
# :evidence: float with residual
# :because: one standard error, from the predicted covariance; and the next order, the square of what the
#   kernel is off, c_K/√m over its norm
# :contrast: weights of one size, which have the same limit
#
# linearized networks scatter around kernel regression with the predicted constant
# ```
#
# ```{claim} trained
# :headline: distance of the widest trained networks from kernel regression, over the predicted scatter
# :evidence: trained and compared
# :because: one standard error of so few networks; and what is added to it, and to the mean square, by the
#   distance from their linearizations, of random direction
# :control: sixteen partners are drawn anew: it begins at a small random function
#
# trained networks, both layers moving, end as near to kernel regression as their width predicts
# ```
#
# ```{claim} added
# :evidence: observed
# :because: a quarter of the scatter, added at random, changes its root mean square by three parts in a
#   hundred
# :control: mean-field scaling 1/m, labels of size 0.2; in units of the scatter at these labels
#
# what the moving weights add is less than a quarter of the scatter
# ```
#
# ```{claim} movement
# :headline: exponent of the kernel's relative movement in the width
# :evidence: trained and compared
# :because: one standard error of the slope; the other term, m^(−3/4), only adds to it at these widths
# :control: mean-field scaling 1/m, labels of size 0.2
#
# the kernel moves less the wider the network: at least like the slower of the two terms, m^(−1/2)
# ```

# %% tags=["hide-input"]
squares = {m: np.array([np.sum(d**2) for d in off_kernel[m]]) for m in widths}
claims.limit("kernel", scatter.kernel / np.sqrt(widths), [np.sqrt(np.mean(squares[m])) for m in widths],
             relative="each", error=max(standard_error(one) / np.mean(one) for one in squares.values()) / 2,
             control=[np.sqrt(np.mean([np.sum(d**2) for d in level_kernels[m]])) for m in widths])
linear = np.sqrt(widths[-1]) * root_mean_square(off_linear[widths[-1]]) / scatter.spread
derived_next = (scatter.kernel / np.linalg.norm(kernel)) ** 2 / wide  # of a mean square, where odd orders cancel
claims.limit("scatter", 1.0, linear, error=np.sqrt(2 / (many * scatter.freedom)) / 2 + derived_next,
             control=np.sqrt(wide) * root_mean_square([d for _, d in level]) / scatter.spread)
derived_few = np.sqrt(2 / (draws * scatter.freedom)) / 2
unit = scatter.spread / np.sqrt(widths[-1])
# mutant(/): a bound with room
added = root_mean_square([values - beside for values, _, beside in trained[widths[-1]]]) / unit
claims.limit("trained",
             1.0,  # mutant: within its derived error
             off[widths[-1]] / unit, error=derived_few * (1 + np.sqrt(2) * added) + added**2 / 2, control=alone / unit)
claims.below("added",
             0.25,  # mutant: a bound with room
             added, level=0.0,
             control=root_mean_square([values - beside for values, _, beside in learning[-1]]) / RICH / unit)
derived_arms = np.log(widths) - np.mean(np.log(widths))  # of the regression
derived_errors = np.array([standard_error(same) / np.mean(same) for same in moves])  # of the means' logarithms
claims.below("movement",
             -0.5,  # mutant(0.5): a bound with room
             log_log_slope(widths, movement),  # mutant: a bound with room
             error=np.linalg.norm(derived_arms * derived_errors) / np.sum(derived_arms**2),
             control=log_log_slope(widths, feature))

# %% [markdown]
# ## Instruments
#
# The formula of the kernel by quadrature over the direction of one neuron; and the predicted variance point by point.
#
# ```{claim} formula
# :evidence: float with residual
# :because: on a grid of directions an arc is off by at most half a direction at each of its ends
# :control: the hidden layer's part forgotten: the conjugate kernel
#
# the closed form is the mean over the directions of a neuron
# ```
#
# ```{claim} variance
# :evidence: float with residual
# :because: at every place one standard error of a variance, by the fourth moment there, and the next order as
#   above
# :control: hidden weights twice as long in one direction
# :rival: the same variance at all places
#
# the predicted variance holds at each point of the circle
# ```

# %% tags=["hide-input"]
MANY = 100_000
turn = 2 * np.pi * (np.arange(MANY) + 0.5) / MANY
every = np.column_stack([np.cos(turn), np.sin(turn)])
hidden, gate = np.maximum(every @ x.T, 0), (every @ x.T > 0) * 1.0
conjugate = 2 * hidden.T @ hidden / MANY
claims.identity("formula", kernel, conjugate + gate.T @ gate * (x @ x.T) / MANY,
                error=np.max(np.sum(x**2, axis=1)) / MANY, control=Altered(conjugate))
variance = np.diag(scatter.covariance)
wide_squares = wide * np.square(off_linear[widths[-1]])
derived_tail = np.maximum(np.mean(wide_squares**2, axis=0) / np.mean(wide_squares, axis=0) ** 2, 3)  # beside a sample it is heavy
derived_unit = variance * (np.sqrt((derived_tail - 1) / many) + derived_next)
claims.limit("variance",
             0.0,  # mutant: within its derived error
             (wide_squares.mean(axis=0) - variance) / derived_unit,  # mutant(/): within its derived error
             error=1.0,
             control=(wide * np.mean([np.square(d) for _, d in stretched], axis=0) - variance) / derived_unit,
             rival=Rival((variance.mean() - variance) / derived_unit, factor=5))

# %% [markdown]
# ## What would falsify it
#
# A random network's kernel, or the end of its linearization, at another distance from the limit than predicted; a kernel that moves as much in a wide network as in a narrow one.
#
# ## Differences from the paper
#
# - *Beyond its letter.* That the kernel stays still in training is proved there for activations with a bounded second derivative. The ReLU of this chapter has none; for two layers of ReLU it was shown at widths polynomial in $n$ by {cite:t}`du2019`.
# - *Added.* The paper has the limit; the scatter at finite width, with its constants, is derived here.
# - *Changed.* Pairs of neurons in place of independent ones: otherwise the network begins at a random function of size one, which training does not take away between the samples. The paper keeps it, as a Gaussian process.
# - *Changed.* No biases, and inputs in the plane, where the expectations over one neuron are integrals over an angle.
# - *Not reproduced.* Deeper networks, for which the kernel is defined by a recursion.
#
# ## Scope
#
# Few samples: the condition of $K$ worsens with their number, and the width that is needed grows with it. {prf:ref}`proposition-ntk-scatter` is about linearized networks, and about trained ones as far as their labels are small, $0.1$ here: distances scale with the labels, but for what the move of the kernel adds, which with labels ten times as large, of size one, is {glue:text}`ntk_added` of the scatter at the largest width. Of the move, the exponent measured here lies between those of the two terms, $-\frac12$ and $-\frac34$, and no limit is claimed.
#
# ## Exercises
#
# ````{exercise} The output layer alone
# :label: exercise-ntk-output
#
# Train the output layer only. Which kernel takes the place of $k$, and does it move?
# ````
#
# ````{solution} exercise-ntk-output
# :class: dropdown
#
# The conjugate kernel $\mathbb E(w\cdot x)_+(w\cdot z)_+$, the first of the two terms. The model is linear in what is trained: it does not move at any width.
# ````
#
# ````{exercise} Signs
# :label: exercise-ntk-signs
#
# With output weights $\pm1$ the kernel's limit is the same. Why do the networks scatter less?
# ````
#
# ````{solution} exercise-ntk-signs
# :class: dropdown
#
# $\mathbb E a^2=1$ as before, but $\mathbb Ea^4$ is $1$ in place of $3$, so that the variance of $\kappa$ loses $2\,P(w\cdot x>0,w\cdot z>0)(x\cdot z)^2$.
# ````
#
# ## References
#
# {cite:t}`jacot2018` found the kernel and its limit; {cite:t}`du2019` prove that wide networks train as it says; {cite:t}`cho2009` computed the expectations in closed form.
