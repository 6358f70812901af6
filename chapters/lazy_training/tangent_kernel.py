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
# # A wide network is kernel regression, up to a scatter of order 1/√m
#
# ```{question}
# ```
#
# We train networks of $m$ hidden neurons, with the factor $1/\sqrt m$ in front, on {glue:text}`ntk_n` points with labels between {glue:text}`ntk_lowest` and {glue:text}`ntk_highest`. Between the points narrow networks disagree. Wide ones agree with a function that we know before training, regression with the network's {term}`tangent kernel` in the limit $m\to\infty$, the neural tangent kernel (NTK). Why? Each neuron moves by about $1/\sqrt m$ only, so the features stay as they were drawn. And the kernel is an average over $m$ random features, which is hardly random.
#
# How wide is wide? The networks scatter around the limit by {glue:text}`ntk_spread`$/\sqrt m$, a constant that we compute from the points. So a scatter of {glue:text}`ntk_tenth`, a tenth of the labels, takes some {glue:text}`ntk_width` neurons. With labels ten times as large the scatter is ten times as large, and training adds more, at {glue:text}`ntk_m` neurons {glue:text}`ntk_added` of the scatter, with our labels {glue:text}`ntk_added_small`.
#
# ```{hero}
# ```
#
# ## The statement
#
# The network is $f(x)=\frac1{\sqrt m}\sum_{j=1}^ma_j(w_j\cdot x)_+$. Both layers follow the {term}`gradient flow` of $\frac12\sum_i(f(x_i)-y_i)^2$ over $n$ samples $x_i$ with labels $y_i$. The start is normal, $w_j\sim\mathcal N(0,I_d)$ and $a_j\sim\mathcal N(0,1)$, in pairs $(w,a)$, $(w,-a)$, so that $f=0$ at first. The tangent kernel of the network at the start is $k_m(x,z)=\nabla f(x)\cdot\nabla f(z)$, with the gradient in the weights. Its limit is a formula in the angle $\theta$ between $x$ and $z$,
#
# $$k(x,z)=\frac{\|x\|\|z\|}{2\pi}\bigl(\sin\theta+2(\pi-\theta)\cos\theta\bigr).$$
#
# Let $K$ be the matrix of $k$ on the samples, positive definite, and $k(x,X)$ the row of its values between $x$ and the samples. The limit of the trained networks is *kernel regression*,
#
# ```{math}
# :label: ntk-limit
# f_\infty(x)=k(x,X)\,K^{-1}y .
# ```
#
# How far from it is a network of width $m$? For the *linearized* network, which is trained in the tangent kernel of its own start and ends at $f_m$,
#
# ```{math}
# :label: ntk-scatter
# \begin{gathered}\sqrt m\,\bigl(f_m(x)-f_\infty(x)\bigr)\\
# \to\;\mathcal N\bigl(0,\,\sigma^2(x)\bigr)\end{gathered}
# ```
#
# in distribution, and $\sigma(x)$ is an integral over one neuron ({prf:ref}`proposition-ntk-scatter`). The network itself adds that its kernel moves in training. With pairs, a formal derivation gives
#
# ```{math}
# :label: ntk-movement
# \mathbb E\,\|K_T-K_0\|_F^2\;\approx\;\frac{A^2}{m^{3/2}}+\frac{B^2}m ,
# ```
#
# where $K_0$ and $K_T$ are the network's kernel matrices before and after training. $A$ and $B$ follow from the samples and the labels. For the trained network this is measured and not proved. In our example $A$ is {glue:text}`ntk_AB` times $B$, so up to about {glue:text}`ntk_crossing` neurons the first term leads and the kernel moves like $m^{-3/4}$. With labels ten times as large it leads up to about {glue:text}`ntk_crossing_large` neurons.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [scatter of linearized networks](scatter), $m=$ {glue:text}`ntk_m`, times $\sqrt m$ | {glue:text}`ntk_spread_p` | {glue:text}`ntk_spread_m`, {glue:text}`ntk_spread_share` of the prediction | weights of one size: {glue:text}`ntk_spread_level` | |
# | [distance of a random kernel](kernel) to its limit, relative, times $\sqrt m$ | {glue:text}`ntk_kernel` | {glue:text}`ntk_kernel_m` | weights of one size: {glue:text}`ntk_kernel_level` | |
# | [distance of trained networks](trained) from kernel regression, times $\sqrt m$ | {glue:text}`ntk_spread_p` (linearized networks) | {glue:text}`ntk_trained_m`, {glue:text}`ntk_trained_share` of the prediction | | {glue:text}`ntk_few` partners drawn anew: {glue:text}`ntk_alone` |
# | [what training adds](added) to the outputs, over the scatter | less than a quarter (observed) | {glue:text}`ntk_added_small` | labels ten times as large: {glue:text}`ntk_added` | mean-field factor $1/m$: {glue:text}`ntk_added_rich` times the scatter |
# ```
#
# All distances are root mean squares over random starts, those of outputs also over {glue:text}`ntk_places` directions of $x$ on the unit circle. All rows are at $m=$ {glue:text}`ntk_m`. What trained networks do is known less well, because few are trained. How far training moves the kernel is one such number. Relative and times $m^{3/4}$ it is {glue:text}`ntk_move_m`, where {glue:text}`ntk_move_p` is predicted. Its claim allows more than the second term of {eq}`ntk-movement` adds, so it tests the first term only.
#
# **What to remember?** Two things keep a network from kernel regression. The kernel of a random start is off by $m^{-1/2}$, and this makes nearly all of the distance. Training moves the kernel much less. At the widths of this chapter this movement is of the order $m^{-3/4}$, because few neurons have $w\cdot x_i$ so close to zero that training changes its sign, and the effects of these switches have random signs. This is for these samples and for labels of {glue:text}`ntk_labels`. The larger the labels, the sooner the mean effect of the switches leads, which is of the order $m^{-1/2}$. Compare this with the mean-field factor $1/m$, where features are learned and the kernel moves as much in a wide network as in a narrow one.
#
# ## The smallest case
#
# Take one sample $x_1$ of length one in the plane, with the label $y$. The kernel of the network is $k_m(x_1,x_1)=\frac1m\sum_j\bigl((w_j\cdot x_1)_+^2+a_j^21\{w_j\cdot x_1>0\}\bigr)$. Each term is a square of a normal number or zero, so the mean is $K=\frac12+\frac12=1$. A term has the second moment $\frac32+\frac32+2\cdot\frac12=4$, so the variance 3. There are $\frac m2$ independent pairs, so $K_m$ is off by $\sqrt{6/m}$. To have the kernel to one percent takes 60,000 neurons. At $x_1$ itself this does not matter, because the label is met with every kernel. Elsewhere $f_m(x)=k_m(x,x_1)\,y/K_m$, and the errors of numerator and denominator cancel in part.
#
# And training? The residual's integral over time is $q=y/K=y$, so the weights of neuron $j$ move by $a_jqx_1/\sqrt m$. A neuron that is off has no gradient and stays off. One that is on is switched off if it is pushed towards zero and $w_j\cdot x_1$ is closer to zero than it moves, which has the probability $|y|/(2\pi\sqrt m)$ to leading order. So about $|y|\sqrt m/2\pi$ neurons are switched off. Each lowers the kernel by $a_j^2/m$, and together they lower it by $|y|/(\pi\sqrt m)$ on average, to leading order. The number of switches is random, and so are the $a_j$. This gives a scatter of $\sqrt{4|y|/\pi}\,m^{-3/4}$ around the mean, and the scatter is larger than the mean up to $m=16\pi^2/y^2\approx158/y^2$. These are the two terms of {eq}`ntk-movement`. With several samples a neuron that is off at one of them is moved by the others, and can be switched on there. Then most of the mean cancels, and the scatter leads for longer.

# %% tags=["hide-input"]
from types import SimpleNamespace

import numpy as np
from matplotlib import pyplot as plt
from scipy.optimize import brentq

from implicit_bias.activations import RELU
from implicit_bias.data import Samples
from implicit_bias.figures import style
from implicit_bias.flows import descend
from implicit_bias.limits.lazy import kernel_regression, relu_tangent_kernel, tangent_scatter
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, Together, TwoLayer, in_pairs, tangent_kernel
from implicit_bias.norms import root_mean_square
from reproduce.claims import Altered, Claims, Rival, standard_error
from reproduce.claims.glued import glue_all

claims = Claims("tangent_kernel")

style.use_style()

# %% [markdown]
# ## Experiment
#
# The samples lie around a circle at random lengths, with labels from a trigonometric polynomial. We compare outputs at *places* points of the unit circle. For every width eight times *many* networks are drawn, twice as many of the largest width, and their kernels and the ends of their linearizations computed. A few networks are trained, more of the narrow ones, by gradient descent of both layers until the labels are met to $10^{-6}$. Networks that are trained and networks that are not use random streams of their own.

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


GRID = 4000  # of a neuron's place beside a boundary
SIDE_BY_SIDE = 4096  # neurons of the networks that descend together, about
places_of = np.vstack([x, points])
memory: dict[int, tuple[np.ndarray, np.ndarray]] = {}


def halves(stream, m, level=False):
    """W and a of m/2 random neurons; if level, all with |a| = 1 and ‖w‖ = √2."""
    w, a = stream.standard_normal((m // 2, 2)), stream.standard_normal(m // 2)
    if level:
        w, a = np.sqrt(2) * w / np.linalg.norm(w, axis=1, keepdims=True), np.sign(a)
    return w, a


def pairs(stream, m):
    """W and a of m/2 random neurons and their partners."""
    return in_pairs(*halves(stream, m))


def kernels_of(w, a):
    """K_m on the samples and k_m between points and samples, for the factor 1/√m; partners may be left out.

    Each is x·z Σ a_j² + xᵀ(Σ w_j w_jᵀ)z, the sums over the neurons that are on at both.
    """
    z, on = memory.setdefault(len(a), (np.empty((len(a), len(places_of))), np.empty((len(a), len(places_of)), dtype=bool)))
    np.greater(np.matmul(w, places_of.T, out=z), 0, out=on)
    np.copyto(z, on)
    parts = np.column_stack([a**2, w[:, 0] ** 2, w[:, 0] * w[:, 1], w[:, 1] ** 2])
    squares, *moments = (z.T @ (z[:, None, :n] * parts[:, :, None]).reshape(len(a), -1)).reshape(-1, 4, n).swapaxes(0, 1)
    first, mixed, second = moments
    (p, q), (r, s) = places_of.T[:, :, None], x.T
    both = (squares * (places_of @ x.T) + first * p * r + mixed * (p * s + q * r) + second * q * s) / len(a)
    return both[:n], both[n:]


def size(matrix):
    """Frobenius norm over that of the kernel in the limit."""
    return np.linalg.norm(matrix) / np.linalg.norm(kernel)


def train(starts, scaling="1/sqrt(m)", times=1.0):
    """Gradient descent of both layers of networks of one width to the labels, or to multiples of them.

    Returns for each the predictions at the points and the move of K_m; the same where the linearization ends.
    """
    # mutant: how many networks descend side by side
    parts = np.array_split(np.arange(len(starts)), min(len(starts), -(-sum(len(a) for _, a in starts) // SIDE_BY_SIDE)))
    return [run for part in parts for run in train_together([starts[k] for k in part], scaling, times)]


def train_together(starts, scaling, times):
    """The same of networks that descend side by side, until the last has met the labels."""
    w, a = (np.array(layer) for layer in zip(*starts, strict=True))
    net = TwoLayer(RELU, scaling=scaling)
    # mutant(1): the unit of a learning rate
    own = a.shape[1] if scaling == "1/m" else 1  # with 1/m a neuron's own time is t/m
    known = [kernels_of(*one) for one in starts]
    # mutant(1 if own == 1 else 16): the unit of a learning rate
    # mutant(16): a smaller step of gradient descent ends at the same place
    slowed = 1 if own == 1 else 16  # features that are learned make the kernel larger
    # mutant(1; float…): the unit of a learning rate
    steps = np.array([own / (slowed * float(np.linalg.eigvalsh(start)[-1])) for start, _ in known])
    together = Together(Risk(net, Samples(x, times * y), Squared("sum")), w, a, steps)
    ends, before = {}, together.start

    def unmet(state):
        """How many have not met the labels; of those that just have, keeps the state where they did, within the step."""
        nonlocal before
        for k in np.flatnonzero(together.misfits(state) <= times * MET):
            if k not in ends:
                ends[k] = where_met(net, [[part[k] for part in together.weights(one)] for one in (before, state)], times)
        before = state
        return len(a) - len(ends)

    descend(SimpleNamespace(start=before, velocity=together.velocity, gradient=together.gradient, misfit=unmet), 1.0, t_end=200_000, misfit=0.0)
    return [(net.output(w, a, points), size(tangent_kernel(NET, w, a, x, x) - start),
             across @ np.linalg.solve(start, times * y), linear_move(one[0], one[1], start))
            for one, (_, (w, a)), (start, across) in zip(starts, sorted(ends.items()), known, strict=True)]


def where_met(net, two, times):
    """The weights on the straight line of a step where the labels are met."""
    def at(share):
        return [begun + share * (done - begun) for begun, done in zip(*two, strict=True)]

    def missed(share):
        return np.linalg.norm(times * y - net.output(*at(share), x)) - times * MET

    return at(brentq(missed, 0, 1, xtol=1e-14) if missed(1) < 0 else 1)


def linear_move(w, a, start):
    """The move of the kernel if it is taken at the weights where the linearization ends."""
    q, inputs = np.linalg.solve(start, y) / np.sqrt(len(a)), w @ x.T
    ended = w + a[:, None] * ((inputs > 0) * q @ x), a + np.maximum(inputs, 0) @ q
    return size(tangent_kernel(NET, *ended, x, x) - start)


def misses(w, a):
    """K_m − K, and f_m − f_∞ at the points for the linearized network."""
    own, across = kernels_of(w, a)
    return own - kernel, across @ np.linalg.solve(own, y) - regression.values


def movement_constants():
    """A and B of the movement of the kernel, over the norm of its limit; u on a grid, residuals of descent."""
    gram, rate, residuals, spread, mean = x @ x.T, 1 / np.linalg.eigvalsh(kernel)[-1], [y], 0.0, np.zeros((n, n))
    while np.linalg.norm(residuals[-1]) > MET * np.linalg.norm(y):
        residuals.append(residuals[-1] - rate * kernel @ residuals[-1])
    pulls = rate * np.array(residuals)
    for i, own in enumerate(x):
        density = 1 / np.sqrt(2 * np.pi * gram[i, i])
        for side in ([-own[1], own[0]], [own[1], -own[0]]):
            on = (x @ side > 0) & (np.arange(n) != i)
            off_push, own_push = pulls @ (on * gram[i]), pulls[:, i] * gram[i, i]
            reach = np.abs(off_push).sum() + np.abs(own_push).sum()
            grid = reach * (np.arange(-GRID, GRID) + 0.5) / GRID
            for sign in (1, -1):
                u = grid.copy()
                for off_now, own_now in zip(off_push, own_push, strict=True):
                    u += sign * (off_now + own_now * (u > 0))
                up, down = (np.sum(some) * reach / GRID for some in ((u > 0) & (grid < 0), (u <= 0) & (grid > 0)))
                spread += 2 * np.sqrt(2 / np.pi) * density * (gram[i, i] ** 2 + 2 * np.sum(on * gram[i] ** 2)) * (up + down)
                lean = 0.5 * np.sqrt(2 / np.pi) * density * (up - down)
                mean[i] += lean * on * gram[i]
                mean[:, i] += lean * on * gram[i]
                mean[i, i] += lean * gram[i, i]
    return np.sqrt(spread) / np.linalg.norm(kernel), size(mean)

# %%
kernel = relu_tangent_kernel(x, x)  # predict
regression = kernel_regression(kernel, y, relu_tangent_kernel(points, x))
scatter = tangent_scatter(x, y, points)
wide = widths[-1]
drawn = {m: [misses(*halves(many_stream, m)) for _ in range((8 if m < wide else 16) * many)] for m in widths}
trained = {m: train([pairs(train_stream, m) for _ in range(count[m])]) for m in widths}  # train
off = {m: root_mean_square([run[0] - regression.values for run in trained[m]]) for m in widths}  # compare
print(f"√m ‖f − f_∞‖: predicted {scatter.spread:.3f}, measured", *(f"{np.sqrt(m) * off[m]:.3f}" for m in widths))
print(f"kernel regression certified to {regression.certificate.worst:.0e}")

# %% [markdown]
# The printed numbers are those of the few trained networks alone. At {glue:text}`ntk_narrow` neurons they are {glue:text}`ntk_below` below the prediction, which is the leading order of linearized networks. Such a mean square is noisy. But most of it is the scatter of their linearizations, which we know much better from many draws. So for the distance of trained networks in the table we take the mean square of the many linearizations, and add the mean *difference* of the squares of trained and linearized networks from the same starts (a control variate). For the movement of the kernel we do the same with the kernel at the weights where the linearization ends.

# %% tags=["hide-input"]
FEW = 16  # partners that are drawn anew
RICH = 0.2 / labels  # labels of the mean-field networks, in units of the others
unit = scatter.spread / np.sqrt(wide)
rms, lean = movement_constants()
predicted_move = np.hypot(rms / np.array(widths) ** 0.75, lean / np.sqrt(widths))
learners = [[pairs(control_stream, m) for _ in range(4)] for m in widths]
learning = [train(learners[k], scaling="1/m", times=RICH) for k in (0, -1)]  # the narrowest and the widest
feature = [root_mean_square([run[1] for run in same]) for same in learning]
lonely = []
for _ in range(2):
    w, a = pairs(control_stream, wide)
    w[-FEW:], a[-FEW:] = control_stream.standard_normal((FEW, 2)), control_stream.standard_normal(FEW)
    lonely.append((w, a))
alone = root_mean_square(np.array([run[0] for run in train(lonely)]) - regression.values)
level = {m: [misses(*halves(control_stream, m, level=True)) for _ in range(many)] for m in widths}
large = train([pairs(control_stream, wide) for _ in range(2)], times=10.0)
stretched = []
for _ in range(many):
    w, a = halves(control_stream, wide)
    stretched.append(misses(w * [1.0, 2.0], a))
off_linear = {m: np.array([one for _, one in drawn[m]]) for m in widths}
off_kernel = {m: [one for one, _ in drawn[m]] for m in widths}
moves = {m: np.array([run[1] for run in trained[m]]) for m in widths}
movement = np.array([root_mean_square(moves[m]) for m in widths])
shifts = np.array([linear_move(w, a, tangent_kernel(NET, w, a, x, x)) for w, a in (pairs(many_stream, wide) for _ in range(2 * many))])
extra = np.array([run[1] ** 2 - run[3] ** 2 for run in trained[wide]])
moved = float(np.sqrt(np.mean(shifts**2) + np.mean(extra)))  # with the control variate
differences = np.array([np.mean((run[0] - regression.values) ** 2 - (run[2] - regression.values) ** 2) for run in trained[wide]])
near = float(np.sqrt(np.mean(off_linear[wide] ** 2) + np.mean(differences)))  # the same
added = root_mean_square([run[0] - run[2] for run in trained[wide]]) / unit
added_large = root_mean_square([run[0] - run[2] for run in large]) / unit / 10
whole = {m: np.sqrt(m) * np.sqrt(np.mean([size(one) ** 2 for one in off_kernel[m]])) for m in widths}
level_kernels = {m: np.sqrt(np.mean([np.sum(one**2) for one, _ in level[m]])) for m in widths}
level_spread = np.sqrt(wide) * root_mean_square([one for _, one in level[wide]])
added_rich = root_mean_square([run[0] - run[2] for run in learning[-1]]) / RICH / unit
glue_all("ntk", least=f"{np.linalg.eigvalsh(kernel)[0]:.3f}", kernel=f"{scatter.kernel / np.linalg.norm(kernel):.3f}", kernel_m=f"{whole[wide]:.3f}",
         kernel_level=f"{np.sqrt(wide) * level_kernels[wide] / np.linalg.norm(kernel):.2f}", spread=f"{scatter.spread:.2f}",
         spread_p=f"{scatter.spread:.4f}", spread_m=f"{np.sqrt(wide) * root_mean_square(off_linear[wide]):.4f}", spread_level=f"{level_spread:.3f}",
         trained_m=f"{np.sqrt(wide) * near:.4f}", alone=f"{np.sqrt(wide) * alone:.2f}", width=f"{(scatter.spread / (labels / 10)) ** 2:,.0f}", tenth=f"{labels / 10:g}", n=str(n),
         lowest=f"{y.min():.2f}".replace("-", "−"), highest=f"{y.max():.2f}", spread_share=f"{100 * np.sqrt(wide) * root_mean_square(off_linear[wide]) / scatter.spread:.1f} %",
         labels=f"{labels:g}", large=f"{10 * labels:g}", m=f"{wide:,}", narrow=str(widths[0]), places=str(places), few="16",
         added=f"{100 * added_large:.0f} %", added_small=f"{100 * added:.0f} %", AB=f"{rms / lean:.0f}",
         crossing=f"{float(f'{(rms / lean) ** 4:.1g}'):,.0f}", crossing_large=f"{float(f'{(rms / lean) ** 4 / 100:.1g}'):,.0f}", move_p=f"{wide**0.75 * predicted_move[-1]:.3f}", move_m=f"{wide**0.75 * moved:.3f}",
         A=f"{rms:.3f}", B=f"{lean:.4f}", rich_narrow=f"{100 * feature[0]:.0f} %",
         rich_wide=f"{100 * feature[-1]:.0f} %", moves=", ".join(f"{m**0.75 * one:.2f} ± {m**0.75 * standard_error(moves[m] ** 2) / (2 * one):.2f}" for m, one in zip(widths, movement, strict=True)),
         moves_p=", ".join(f"{one:.2f}" for one in predicted_move * np.array(widths) ** 0.75), added_rich=f"{added_rich:.1f}",
         below=f"{100 - 100 * np.sqrt(widths[0]) * off[widths[0]] / scatter.spread:.0f} %")

# %% mystnb={"figure": {"caption": "Wide networks end close to the predicted function, and scatter around it as predicted. (a) Above: four trained networks with 64 neurons (orange) and four with 4096 (blue), and kernel regression (black dashed). The dots are the labels, scaled to the unit circle. Below: the distance from it of eight wide ones. Grey: two predicted standard deviations, which at each direction about one network in twenty leaves (one that leaves stays out over an arc). (b) Root mean square distances from the limit, relative to the limit, against the width. Brown: the outputs, of 2,400 or more linearized networks (open) and of 32 or more trained ones (full). Green: how far training moves the kernel. Dashed: predicted.", "name": "figure-ntk"}, "image": {"alt": "Two panels. Left: curves over the direction of x that gather around a dashed one, and their differences, most of them inside a grey band. Right: three falling rows of dots on dashed lines, the lowest one the steepest.", "classes": "panels-2"}} tags=["hero", "hide-input"]
(above, below), right = style.panels(2, (9.6, 4.6), rows=(2, 1))
blue, orange, brown, green = style.COLORS["blue"], style.COLORS["orange"], "#a87400", "#006b4f"
degrees = np.degrees(circle)
band = 2 * np.sqrt(np.diag(scatter.covariance) / wide)
for m, color in ((widths[0], orange), (wide, blue)):
    above.plot(degrees, np.array([run[0] for run in trained[m][:4]]).T, color=color, linewidth=1)
below.plot(degrees, np.array([run[0] - regression.values for run in trained[wide][:8]]).T, color=blue, linewidth=0.8)
below.fill_between(degrees, -band, band, facecolor="0.6", edgecolor="black", alpha=0.45, linewidth=1.6, zorder=3)
style.theory(above, degrees, regression.values)
above.plot(np.degrees(angle) % 360, y / np.linalg.norm(x, axis=1), "o", color="black", markersize=5)
above.set(ylabel="$f(x)$", title="(a) trained networks", xticks=[0, 90, 180, 270, 360])
above.text(0.02, 0.03, f"{widths[0]} neurons", color=brown, transform=above.transAxes)
above.text(0.5, 0.85, f"{wide} neurons", color=blue, transform=above.transAxes)
below.set(xlabel="direction of $x$ (degrees)", ylabel=r"$f-f_\infty$", ylim=(-3 * band.max() / 2, 2 * band.max()))
below.text(0.02, 0.97, r"grey: 2$\sigma$, predicted before training", transform=below.transAxes, va="top")
root, limit = np.sqrt(np.array(widths, dtype=float)), root_mean_square(regression.values)
rows = (([whole[m] / np.sqrt(m) for m in widths], "o", blue, scatter.kernel / root / np.linalg.norm(kernel),
         "kernel of the start", (1.3 * widths[0], 0.42)),
        ([root_mean_square(off_linear[m]) / limit for m in widths], "o", brown, scatter.spread / root / limit, "outputs: full\ntrained, open\nlinearized", (0.95 * widths[0], 0.075)),
        (movement, "^", green, predicted_move, "kernel moved\nby training", (0.95 * widths[0], 0.011)))
for values, mark, color, line, said, place in rows:
    right.loglog(widths, values, mark, color=color, fillstyle="none" if color == brown else "full", markersize=8)
    style.theory(right, widths, line)
    right.text(*place, said, color=color, va="center", ha="left")
right.plot(widths, [off[m] / limit for m in widths], "o", color=brown, markersize=5)
glue_all("ntk", trained_share=f"{100 * near / unit:.1f} %")
right.set(xlabel="number $m$ of neurons", ylabel="distance, relative to the limit", xticks=widths, title="(b) how wide is wide")
right.set_ylim(movement.min() / 2, 0.8)
right.xaxis.set(major_formatter="{x:g}", minor_formatter="")
plt.show()

# %% [markdown]
# ### What breaks
#
# *Mean-field scaling.* With $1/m$ in place of $1/\sqrt m$ features are learned at every width. We show it with labels of size 0.2, because smaller ones move narrow networks so little that chance switches hide it. The kernel moves by {glue:text}`ntk_rich_narrow` of its size at $m=$ {glue:text}`ntk_narrow` and by {glue:text}`ntk_rich_wide` at $m=$ {glue:text}`ntk_m`.
#
# *Not all in pairs.* We draw {glue:text}`ntk_few` partners anew, so the network begins at a small random function. Training does not take it away between the samples, and the networks end {glue:text}`ntk_alone`$/\sqrt m$ from kernel regression instead of {glue:text}`ntk_spread_p`$/\sqrt m$.
#
# *Weights of one size*, $|a_j|=1$ and $\|w_j\|=\sqrt2$, break no premise. They have the same kernel in the limit, but another scatter.
#
# *Labels ten times as large*, of about {glue:text}`ntk_large`. Linearized networks only scale with the labels. But training moves the kernel further, and this adds {glue:text}`ntk_added` of their scatter at $m=$ {glue:text}`ntk_m` (two networks), against {glue:text}`ntk_added_small` with the labels of the table.

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Jacot, Gabriel and Hongler 2018, for two layers
# :label: theorem-ntk
#
# Let the activation be Lipschitz and twice differentiable with a bounded second derivative, and let the weights start as above, so that the outputs start at zero. As $m\to\infty$, the matrix $K_m$ of the tangent kernel on the samples tends in probability to a fixed matrix $K$, and it stays close to $K$ during training, up to any fixed time. So on every interval $[0,T]$ the outputs on the samples tend to the solution of $\dot u=-K(u-y)$. If $K$ is positive definite, this limit of the network's outputs, followed to $t\to\infty$, is $f_\infty(x)=k(x,X)K^{-1}y$, where $k$ is the limit of the kernel.
# ```
#
# The ReLU of this chapter has no bounded second derivative, so the theorem does not cover it. For the ReLU we use it as a formal derivation and measure how far it holds. For two layers of ReLU {cite:t}`du2019` bound how far the weights move at all times, at widths polynomial in $n$, and so prove that the training loss vanishes. In the theorem the width goes to infinity first and then the time. That the two can be exchanged, so that the *end* of training of a wide network is close to $f_\infty$, needs a least eigenvalue of $K$ above zero and a bound that holds for all times. For ReLU networks with a small factor in front of the output {cite:t}`arora2019` prove it at a new point (their Theorem 3.2, as we recall it). On the samples this book proves it for smooth models with a scale ({prf:ref}`proposition-lazy-uniform`).
#
# For the formula, $k_m(x,z)=\frac1m\sum_jg_j(x,z)$ with
#
# $$\begin{aligned}g(x,z)&=(w\cdot x)_+(w\cdot z)_+\\&\quad+a^2\,\mathbf 1_{w\cdot x>0}\mathbf 1_{w\cdot z>0}\,x\cdot z .\end{aligned}$$
#
# This is a mean of random terms, and their expectations are the arc-cosine kernels of order one and zero {cite}`cho2009`.
#
# ````{prf:proposition} The scatter of random networks
# :label: proposition-ntk-scatter
#
# Let $K$ be positive definite, $q=K^{-1}y$, $\beta(x)=K^{-1}k(X,x)$, and for one neuron
#
# $$\xi(x)=\sum_iq_i\Bigl(g(x,x_i)-\sum_k\beta_k(x)\,g(x_k,x_i)\Bigr).$$
#
# For $m/2$ independent pairs, $m\,\mathbb E\|K_m-K\|_F^2=2\sum_{ik}\operatorname{Var}g(x_i,x_k)=:c_K^2$ for every $m$, and the end $f_m$ of the flow of the network's *linearization* obeys
#
# $$\sqrt m\bigl(f_m(x)-f_\infty(x)\bigr)\to\mathcal N\bigl(0,\,2\operatorname{Var}\xi(x)\bigr)$$
#
# in distribution as $m\to\infty$, jointly at any finitely many $x$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# Partners have the same $g$, so $K_m=\frac2m\sum_{j\le m/2}g_j$, which is the first statement. As $K_m\to K$ in probability, $K_m$ is invertible with a probability that tends to one, and then $f_m=k_m(x,X)K_m^{-1}y$. With $K_m=K+\Delta$, $k_m=k+\delta$, both of order $m^{-1/2}$ in probability, $f_m-f_\infty=\delta q-kK^{-1}\Delta q+O(1/m)=\delta q-\beta^\top\Delta q+O(1/m)$. This is $\frac2m\sum_j\xi_j(x)+O(1/m)$ with $\mathbb E\xi=0$, and $\xi$ has a finite variance. The central limit theorem is the claim. $\square$
# ````
#
# ## How fast, exactly
#
# Here the least eigenvalue of $K$ is {glue:text}`ntk_least`, and $c_K/\lVert K\rVert_F$ is {glue:text}`ntk_kernel`. The scatter of the outputs times $\sqrt m$ is {glue:text}`ntk_spread_p`.
#
# **How far does the kernel move?** (*Formal derivation.*) To first order the partners $(w,a)$, $(w,-a)$ move by opposite amounts. So what changes smoothly in $K$ cancels between them, and leaves $O(1/m)$. What is left are the neurons that a sample switches on or off. Such a neuron has $w\cdot x_i$ close to zero. Write $u$ for $w\cdot x_i$ in units of $|a|/\sqrt m$, and $\sigma$ for the sign of $a$. With the residuals $r(t)=e^{-Kt}y$ of the limit,
#
# ```{math}
# :label: ntk-switch
# \dot u=\sigma\Bigl(\sum_{k\ne i}r_k\mathbf 1_{w\cdot x_k>0}\,x_k\cdot x_i+\mathbf 1_{u>0}\,r_i\|x_i\|^2\Bigr).
# ```
#
# The second term pushes the neuron only while it is on. Let $L^+$ be the length of the set of starts $u(0)<0$ that end on, and $L^-$ that of the starts $u(0)>0$ that end off. As $w\cdot x_i$ has the density $d_i=1/(\sqrt{2\pi}\|x_i\|)$ at zero, a neuron switches with a probability of the order $m^{-1/2}$, and about $\sqrt m$ of them switch. Each changes row and column $i$ of $K$ by $\pm\frac{a^2}mx_i\cdot x_k$, for all $k$ that are on. Different pairs are independent. So the *variances* of these changes add up to $A^2m^{-3/2}$ with
#
# $$\begin{aligned}A^2&=\mathbb E|a|^5\sum_id_i\,\mathbb E\bigl[F_i\,(L_i^++L_i^-)\bigr],\\F_i&=\|x_i\|^4+2\sum_{k\ne i}\mathbf 1_{w\cdot x_k>0}(x_i\cdot x_k)^2 .\end{aligned}$$
#
# The expectation is over $\sigma$ and over the two directions of $w$ at a right angle to $x_i$, all with equal probability, and $\mathbb E|a|^5=8\sqrt{2/\pi}$. The *means* do not cancel, because a neuron that is on is pushed by one sample more. So a little more neurons switch one way than the other, and the mean change of $K$ is $\mathcal B/\sqrt m$ with
#
# $$\mathcal B=\mathbb E|a|^3\sum_id_i\,\mathbb E\bigl[(L_i^+-L_i^-)\,S_i\bigr],\qquad B=\|\mathcal B\|_F .$$
#
# Here $S_i$ has $x_i\cdot x_k$ in row and column $i$ for all $k$ that are on, $i$ itself included, and zeros elsewhere, and $\mathbb E|a|^3=2\sqrt{2/\pi}$. This gives {eq}`ntk-movement`. The lengths $L$ are proportional to the labels, so $A^2$ and $\mathcal B$ are too. Relative to the norm of $K$ we find $A=$ {glue:text}`ntk_A` and $B=$ {glue:text}`ntk_B`, so the two terms are equal at $m=(A/B)^4$, which is about {glue:text}`ntk_crossing` and falls like $1/y^2$. Beyond this width the mean change should lead. It is of the order $m^{-1/2}$ like the scatter of $K_m$. So what training adds would then stay a fixed share of the distance, for the kernel {glue:text}`ntk_B` over {glue:text}`ntk_kernel` here, and this share is proportional to the labels. And $\sqrt m(f-f_\infty)$ of the trained network would tend to a normal law whose mean is not zero. So {eq}`ntk-scatter` could not hold exactly for trained networks, however wide they are. It comes close if the labels are small. The measured root mean squares at the widths of {numref}`figure-ntk`, times $m^{3/4}$, are {glue:text}`ntk_moves` (with their standard errors, of the trained networks alone), where {glue:text}`ntk_moves_p` are predicted. So in narrow networks, whose kernel is far from its limit, the formula is somewhat too large. At the largest width the control variate gives {glue:text}`ntk_move_m`. A smooth activation has no switches, and by {prf:ref}`proposition-lazy-pairs` with $\alpha=\sqrt m$ its kernel moves by $1/m$ only.

# %% [markdown]
# ## Instruments
#
# Each claim with its allowed error and its control. A {term}`claim` must hold within its allowed error, and its {term}`control` must not.
#
# ### The numbers of the table
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
# :evidence: trained and compared
# :because: one standard error of the linearizations and one of the differences of the squares; the next order
#   of the scatter; and the square of what training adds, which the prediction leaves out
# :control: sixteen partners are drawn anew: it begins at a small random function
#
# trained networks, both layers moving, end as near to kernel regression as their width predicts
# ```

# %% tags=["hide-input"]
squares = {m: np.array([np.sum(one**2) for one in off_kernel[m]]) for m in widths}
claims.limit("kernel", scatter.kernel / np.sqrt(widths), [np.sqrt(np.mean(squares[m])) for m in widths],
             relative="each", error=max(standard_error(one) / np.mean(one) for one in squares.values()) / 2,
             control=[level_kernels[m] for m in widths])
derived_next = (scatter.kernel / np.linalg.norm(kernel)) ** 2 / wide  # of a mean square, where odd orders cancel
derived_scatter = np.sqrt(2 / (len(off_linear[wide]) * scatter.freedom)) / 2
claims.limit("scatter", 1.0, np.sqrt(wide) * root_mean_square(off_linear[wide]) / scatter.spread,
             error=derived_scatter + derived_next, control=level_spread / scatter.spread)
derived_difference = standard_error(differences) / unit**2 / 2
claims.limit("trained",
             1.0,  # mutant: within its derived error
             near / unit, error=np.hypot(derived_scatter, derived_difference) + derived_next + added**2 / 2, control=alone / unit)

# %% [markdown]
# ### The kernel and the variance
#
# How far training moves the kernel, and what this adds to the outputs; the formula of the kernel by quadrature over the direction of one neuron; and the predicted variance point by point.
#
# ```{claim} movement
# :evidence: trained and compared
# :because: one standard error of the mean square, from the draws at the end of the linearization and from the
#   trained networks' differences from them; and half of what the kernel of a random start is off, by which the
#   residuals are off
# :control: mean-field scaling 1/m, labels of size 0.2
#
# training moves the kernel, in the root mean square, by the predicted A/m^(3/4); B/m^(1/2) is too small here to be
# tested
# ```
#
# ```{claim} added
# :source: observed in this chapter
# :evidence: observed
# :because: a quarter of the scatter, chosen: added at random, it changes its root mean square by three parts in a
#   hundred
# :control: mean-field scaling 1/m, labels of size 0.2; in units of the scatter at these labels
#
# what the moving weights add is less than a quarter of the scatter
# ```
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
# the predicted variance holds at each point of the circle (differences in standard errors)
# ```

# %% tags=["hide-input"]
derived_move = np.hypot(np.std(shifts**2) / np.sqrt(len(shifts)), standard_error(extra)) / (2 * predicted_move[-1] ** 2)
derived_smooth = 1 / np.sqrt(wide) / 2 * (scatter.kernel / np.linalg.norm(kernel))  # of the residuals, in the kernel of the start
claims.limit("movement", wide**0.75 * predicted_move[-1], wide**0.75 * moved,
             error=wide**0.75 * predicted_move[-1] * (derived_move + derived_smooth), control=wide**0.75 * feature[-1])
claims.below("added",
             0.25,  # mutant: a bound with room
             added, level=0.0,
             control=added_rich)
MANY = 100_000
turn = 2 * np.pi * (np.arange(MANY) + 0.5) / MANY
every = np.column_stack([np.cos(turn), np.sin(turn)])
hidden, gate = np.maximum(every @ x.T, 0), (every @ x.T > 0) * 1.0
conjugate = 2 * hidden.T @ hidden / MANY
claims.identity("formula", kernel, conjugate + gate.T @ gate * (x @ x.T) / MANY,
                error=np.max(np.sum(x**2, axis=1)) / MANY, control=Altered(conjugate))
variance = np.diag(scatter.covariance)
wide_squares = wide * np.square(off_linear[wide])
derived_tail = np.maximum(np.mean(wide_squares**2, axis=0) / np.mean(wide_squares, axis=0) ** 2, 3)  # beside a sample it is heavy
derived_unit = variance * (np.sqrt((derived_tail - 1) / len(wide_squares)) + derived_next)
claims.limit("variance",
             0.0,  # mutant: within its derived error
             (wide_squares.mean(axis=0) - variance) / derived_unit,  # mutant(/): within its derived error
             error=1.0,
             control=(wide * np.mean([np.square(d) for _, d in stretched], axis=0) - variance) / derived_unit,
             rival=Rival((variance.mean() - variance) / derived_unit, factor=5))

# %% [markdown]
# ## What would falsify it
#
# Any of the following. A random network's kernel, or the end of its linearization, at another distance from the limit than predicted. A kernel that moves as much in a wide network as in a narrow one, or by another constant.
#
# ## Differences from the paper
#
# - *Beyond the paper's theorem.* The paper's theorem is for activations with a bounded second derivative, and this chapter trains networks of ReLU.
# - *Added.* The paper has the limit. The scatter at finite width and the movement of the kernel, with their constants, are derived here.
# - *Changed.* Pairs of neurons in place of independent ones. Otherwise the network begins at a random function of size one, which training does not take away between the samples. The paper keeps it, as a Gaussian process.
# - *Changed.* No biases, and inputs in the plane, where the expectations over one neuron are integrals over an angle.
# - *Not reproduced.* Deeper networks, for which the kernel is defined by a recursion.
#
# ## Scope
#
# Few samples. The condition of $K$ worsens with their number, and the width that is needed grows with it. {prf:ref}`proposition-ntk-scatter` is about linearized networks. That trained ones follow it for small labels is measured, and not exact in the limit (*How fast, exactly*). The movement {eq}`ntk-movement` is formal, for pairs, and holds to first order in the movement of the neurons. That the second term finally leads, beyond about {glue:text}`ntk_crossing` neurons, is not tested here.
#
# ## Exercises
#
# ````{exercise} Warm-up: one sample
# :label: exercise-ntk-one
#
# In the smallest case, how many neurons are needed for a kernel that is known to one standard deviation of ten percent?
# ````
#
# ````{solution} exercise-ntk-one
# :class: dropdown
#
# $\sqrt{6/m}=0.1$ gives $m=600$.
# ````
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
# The conjugate kernel $\mathbb E(w\cdot x)_+(w\cdot z)_+$, the first of the two terms. The model is linear in what is trained, so the kernel does not move at any width.
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
# $\mathbb E a^2=1$ as before, but $\mathbb Ea^4$ is $1$ in place of $3$, so that the variance of $g$ loses $2\,P(w\cdot x>0,w\cdot z>0)(x\cdot z)^2$.
# ````
#
# ````{exercise} Larger labels
# :label: exercise-ntk-labels
#
# Run the chapter with `-p labels=0.2`. By which factor does the movement of the kernel grow, if the term with $A$ leads?
# ````
#
# ````{solution} exercise-ntk-labels
# :class: dropdown
#
# $A^2$ is proportional to the labels, so by about $\sqrt2$.
# ````
#
# ## Where to go next
#
# ```{next}
# {doc}`lazy_theorem` proves what happens as a scale, and not the width, goes to infinity. {doc}`scale_and_generalization` asks whether kernel regression is what one wants.
# ```
#
# ## References
#
# {cite:t}`jacot2018` found the kernel and its limit; {cite:t}`du2019` prove that wide networks fit, {cite:t}`arora2019` that they end as it says; {cite:t}`cho2009` computed the expectations in closed form.
