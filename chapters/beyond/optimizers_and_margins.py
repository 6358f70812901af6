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
# # On separable data the optimizer chooses the norm in which the margin grows largest
#
# ```{question}
# ```
#
# {glue:text}`margins_n` points of four classes are separable, so many linear classifiers are right on all of them. We train one on the cross-entropy loss by gradient descent, by Adam and by Muon. The loss goes to zero in all three runs, but the classifiers differ. Each optimizer moves every weight as far as its own rule allows. Adam bounds the step of each entry, Muon the largest singular value of the step, normalized gradient descent its Euclidean length. After many steps the weights are a sum of such steps, so they are as large as the same rule allows, and training has spent this size on the least {term}`margin` of all points. So each optimizer finds the largest margin in *its* norm. After {glue:text}`margins_steps` steps on Gaussian classes Adam has {glue:text}`margins_adam_own` of the largest margin in its norm, and {glue:text}`margins_adam_other` in the Frobenius norm, that of gradient descent. All these largest margins are computed before training.
#
# ```{hero}
# ```
#
# ## The statement
#
# A point $x_i\in\mathbb R^d$ has a label $y_i$ among $k$ classes, and a matrix $W\in\mathbb R^{k\times d}$ gives class $c$ the score $(Wx_i)_c$. The margin of point $i$ against a wrong class $c$ is $\langle Z_{ic},W\rangle$, where $Z_{ic}=(e_{y_i}-e_c)x_i^\top$. If some $W$ makes all margins positive, the points are {term}`separable`, and in a norm of matrices the largest margin is
#
# ```{math}
# :label: optimizers-margin
# \gamma=\max_{\|W\|\le1}\;\min_{i,\,c\ne y_i}\langle Z_{ic},W\rangle .
# ```
#
# A step of *normalized steepest descent* is $W\leftarrow W-\eta_tD_t$, where $D_t$ maximizes $\langle\nabla L,D\rangle$ over $\|D\|\le1$ and $L$ is the mean cross-entropy. Three norms give three methods.
#
# | norm of $W$ | step $D_t$ for a gradient $G=USV^\top$ | with memory of past gradients |
# |---|---|---|
# | Frobenius, $\lVert W\rVert_F$ | $G/\lVert G\rVert_F$, normalized gradient descent | |
# | largest entry, $\max\lvert W_{cj}\rvert$ | $\operatorname{sign}G$, sign descent | Adam |
# | spectral, the largest singular value | $UV^\top$, spectral descent | Muon |
#
# ```{prf:theorem} Fan, Schmidt and Thrampoulidis
# :label: theorem-optimizers
#
# Let the points be separable and let $\eta_t=\eta_0(t+1)^{-1/2}$. Along normalized steepest descent in one of the three norms the margin of $W/\|W\|$, in that norm, tends to its largest value $\gamma$. The same holds with the momentum of Muon, and for Adam without its $\varepsilon$ in the norm of the largest entry.
# ```
#
# {cite:t}`fan2025` prove this, with rates, for a family of norms and of step sizes. We read the abstract and public summaries and not the proofs, so the exact conditions on step sizes and momentum are recalled, and what is tested here is the statement above. For two classes and Adam the result is that of {cite:t}`zhang2024`.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [margin in its own norm](diagonal) over the largest, extrapolated, mean of three data sets, five optimizers | 1 | {glue:text}`margins_diagonal` | if all found the largest Frobenius margin: {glue:text}`margins_rival` (largest entry) and {glue:text}`margins_rival_spectral` (spectral) | Adam with $\varepsilon=10^{-3}$: {glue:text}`margins_epsilon` |
# | [margins of normalized gradient descent](others) in the two other norms, entries and spectral, Gaussian classes | {glue:text}`margins_others_p` | {glue:text}`margins_others_m` | Muon: {glue:text}`margins_others_muon` | |
# | [gap of the margin](constant) of normalized gradient descent, times $\gamma\lVert W\rVert_F$, Gaussian classes, digits, word counts | {glue:text}`margins_constant_p` | {glue:text}`margins_constant_m` | spectral descent in its norm: {glue:text}`margins_constant_spectral` | |
# | [margin of Muon](schulz) as it is run, with a polynomial in place of $UV^\top$, after {glue:text}`margins_quarter` steps, mean of five sets of digits (observed) | | {glue:text}`margins_schulz` | with $UV^\top$ itself: {glue:text}`margins_exact` | two classes: {glue:text}`margins_schulz_two` and {glue:text}`margins_exact_two` |
# ```
#
# **What to remember?** The loss says only that a margin grows. The norm that bounds a step says which one. Adam and sign descent go to one classifier, Muon and spectral descent to another, gradient descent to a third. That holds if nothing else bounds the step. An $\varepsilon$ far above the gradient turns Adam back into gradient descent, and the polynomial that Muon uses in practice costs it a few percent of its margin.
#
# ## The smallest case
#
# With two classes only $v=w_1-w_0$, the difference of the two rows, matters. The best $W$ has the rows $-v/2$ and $v/2$, so its Frobenius norm is $\|v\|_2/\sqrt2$, its spectral norm is the same, and its largest entry is $\max_j|v_j|/2$. So *Muon is gradient descent* when there are two classes: the gradient has rank one, and $UV^\top=G/\|G\|_F$. Only the sign makes a difference. Take one point $x=(2,1)$ of class 1. Gradient descent moves $v$ along $(2,1)$, sign descent along $(1,1)$. The margins are 5 and 3. Over the norms $\|v\|_2=\sqrt5$ and $\sqrt2$ they are $2.24$ and $2.12$, so gradient descent leads. Over $\max_j|v_j|=2$ and $1$ they are $2.5$ and $3$, so sign descent leads. With three classes the gradient can have rank two, and Muon parts from gradient descent too.
#
# ## Experiment
#
# We use three kinds of data, each with {glue:text}`margins_n` points of four classes in dimension 16: Gaussian classes, handwritten digits of $8\times8$ pixels (averaged over squares of four pixels, less their mean), and word counts of four topics ($\ln(1+\text{count})$, scaled to length one). Each optimizer sees the points in a unit in which the largest $\|Z_{ic}\|_*$ is one, where $\|\cdot\|_*$ is the dual of its norm, so no step moves a margin by more than $\eta_t=\eta_0/\sqrt{t+1}$. We take $\eta_0=8$ for normalized gradient descent, 2 for sign descent and Adam, and 1.5 for spectral descent and Muon, which overshoot longer after large steps.

# %% tags=["hide-input"]
import warnings

import cvxpy as cp
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.patches import Rectangle

from implicit_bias.data import digits
from implicit_bias.figures import style
from implicit_bias.flows import Adam, CrossEntropyDescent, Muon, Normalized, drive, newton_schulz
from implicit_bias.limits.margin import class_differences, dual_norm, matrix_margin, matrix_norm
from implicit_bias.norms import MatrixNorm
from reproduce.claims import Claims, Rival, refined
from reproduce.claims.glued import glue_all

claims = Claims("optimizers_and_margins")
style.use_style()

# %% tags=["parameters"]
n: int = 40  # points of each set, a multiple of four, in [20, 80]
steps: int = 11776  # steps of each run, a multiple of 64, in [2560, 1000000]
seed: int = 0  # seed of the data stream, in [0, 4294967295]
# where n % 4 == 0 and steps % 64 == 0

# %% tags=["hide-input"]
CLASSES, DIMENSION, ETA = 4, 16, {"frobenius": 8.0, "entries": 2.0, "spectral": 1.5}
stream, more = np.random.default_rng(seed).spawn(2)


def gaussian_classes(g, y):
    """Points around means with entries of variance 2; deviation .6."""
    means = np.sqrt(2) * g.standard_normal((y.max() + 1, DIMENSION))
    return means[y] + 0.6 * g.standard_normal((len(y), DIMENSION))


def handwritten(g, y):
    """Digits of as many classes, drawn among ten, with 4 × 4 pixels, less their mean."""
    images, kinds = digits(g, test=1), g.permutation(10)
    chosen = [images.x[images.labels == kinds[c]][: np.sum(y == c)] for c in range(y.max() + 1)]
    pixels = np.empty((len(y), images.x.shape[1]))
    for c, own in enumerate(chosen):
        pixels[y == c] = own
    pooled = pixels.reshape(-1, 4, 2, 4, 2).mean(axis=(2, 4)).reshape(len(y), DIMENSION)
    return pooled - pooled.mean(axis=0)


def word_counts(g, y):
    """ln(1 + count) of 24 words a text on average, of 16 kinds, scaled to length one."""
    topics = 24 * g.dirichlet(np.full(DIMENSION, 0.5), size=y.max() + 1)
    counts = np.log1p(g.poisson(topics[y]) + 0.0)
    return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)


y = np.arange(n) % CLASSES
LAWS = {"Gaussian classes": gaussian_classes, "digits": handwritten, "word counts": word_counts}
x = np.array([draw(stream, y) for draw in LAWS.values()])  # stream: the three sets

# %% [markdown]
# Before training we compute the largest margins in the three norms, each with its proof.

# %%
NORMS: tuple[MatrixNorm, ...] = ("frobenius", "entries", "spectral")
best = [[matrix_margin(points, y, norm, tol=1e-5) for norm in NORMS] for points in x]
gammas = np.array([[answer.margin for answer in row] for row in best])
z = [class_differences(points, y) for points in x]


def ratios(w):
    """Of a matrix for each set, its margin over the largest one in the three norms: sets × norms."""
    least = [[np.min(pairs @ one.ravel()) / matrix_norm(one, norm) for norm in NORMS] for pairs, one in zip(z, w, strict=True)]
    return np.array(least) / gammas


print("largest margin       ", *(f"{norm:>10}" for norm in NORMS))
for name, row in zip(LAWS, gammas, strict=True):
    print(f"{name:21}", *(f"{gamma:10.5f}" for gamma in row))

# %% [markdown]
# Then we train with the five optimizers, on the three sets side by side, and ask for the margins in all three norms.

# %%
OPTIMIZERS = {
    "normalized GD": (0, Normalized("frobenius")),
    "sign descent": (1, Normalized("entries")),
    "Adam": (1, Adam(epsilon=0.0)),
    "spectral descent": (2, Normalized("spectral")),
    "Muon": (2, Muon()),
}
horizons = steps // np.array([64, 16, 4, 1])
record = np.union1d(horizons, np.geomspace(16, steps, 41).astype(int))


def train(points, y, norm, update, record):
    """The matrices W at the recorded steps, times × sets × classes × d, with points in the unit of the norm."""
    unit = [max(dual_norm(np.outer([1, -1], point), norm) for point in one) for one in points]
    descent = CrossEntropyDescent(points / np.reshape(unit, (-1, 1, 1)), np.tile(y, (len(points), 1)), update,
                                  scale=ETA[norm], power=-0.5)
    return descent.read(drive(descent, descent.start, t_end=record[-1], record=record).theta)[1:]


paths = {name: train(x, y, NORMS[own], update, record) for name, (own, update) in OPTIMIZERS.items()}
courses = {name: np.array([ratios(w) for w in path]) for name, path in paths.items()}
print(f"Gaussian classes, margin over the largest after {steps} steps, in the norm:", *NORMS)
for name, course in courses.items():
    print(f"{name:17}", *(f"{ratio:10.4f}" for ratio in course[-1, 0]))

# %% [markdown]
# In every row the largest number stands in the optimizer's own column. To see where the numbers tend we use that the gap closes like $1/\sqrt T$ with the number $T$ of steps. So twice the ratio at $T$ less the ratio at $T/4$ is the limit up to smaller terms.

# %%
at = np.searchsorted(record, horizons)


def limit(values):
    """What values at T/64, T/16, T/4 and T tend to, if the difference falls like 1/√T; and the error of that."""
    later, last = 2 * values[-2] - values[-3], 2 * values[-1] - values[-2]
    return last, refined(last, later, ratio=4, order=1)


limits = {name: limit(course[at]) for name, course in courses.items()}
print("extrapolated, in its own norm:", *(f"{name:>16}" for name in LAWS))
for name, (own, _) in OPTIMIZERS.items():
    print(f"{name:30}", *(f"{ratio:16.4f}" for ratio in limits[name][0][:, own]))

# %% tags=["hide-input"]
own_course = np.array([courses[name][at][:, :, own] for name, (own, _) in OPTIMIZERS.items()]).mean(axis=2)
own_limits, derived_own = limit(own_course.T)  # of the mean over the sets, for each optimizer
optimum = np.array([ratios([row[own].w for row in best]) for own in range(3)])  # norm of the optimum × sets × norms
epsilon_path = train(x, y, "entries", Adam(epsilon=1e-3), horizons[:3])
epsilon = np.array([ratios(w) for w in epsilon_path])
epsilon_limit = limit(epsilon)[0]


def highest(s, own, other):
    """The largest margin over the best in another norm, of all matrices that are optimal in their own."""
    w = cp.Variable(best[s][own].w.shape)
    size = {0: lambda v: cp.norm(v, "fro"), 1: lambda v: cp.max(cp.abs(v)), 2: cp.sigma_max}
    met = z[s] / gammas[s, own] @ cp.vec(w, order="C") >= 1 - 1e-6
    program = cp.Problem(cp.Minimize(size[other](w)), [met, size[own](w) <= 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # its last digits are not needed
        program.solve(solver="CLARABEL")
    return gammas[s, own] / program.value / gammas[s, other]


FACES = ((1, 0), (1, 2), (2, 0), (2, 1))  # own norm and another one
highest_of = {(own, other): np.array([highest(s, own, other) for s in range(len(x))]) for own, other in FACES}

# %% mystnb={"figure": {"caption": "Each optimizer ends at the edge of its own norm. Gaussian classes, margins over the largest possible ones. (a) Paths of the five optimizers in the plane of the margins in the norm of the largest entry and in the spectral norm. Black star: the classifier of largest Frobenius margin, a single point, computed before training. Black lines: where all classifiers that are optimal in the norm of the largest entry (right edge) or in the spectral norm (upper edge) must lie. (b) The margins in three norms after the last step. Below them in brackets what is predicted for an endless run. Frames: the own norm of each optimizer.", "name": "figure-optimizers"}, "image": {"alt": "Two panels. Left: five paths in a plane. Those of sign descent and Adam end at the right edge, those of spectral descent and Muon at the upper edge, that of normalized gradient descent at a star between the edges. Right: a table of five optimizers and three norms in colours; the largest number of each row stands in the frame.", "classes": "panels-2"}} tags=["hero", "hide-input"]
colors = dict(zip(OPTIMIZERS, (style.COLORS[c] for c in ("blue", "orange", "red", "green", "purple")), strict=True))
left, right = style.panels(2, (9.6, 4.5))
for name, course in courses.items():
    left.plot(*course[:, 0, [1, 2]].T, color=colors[name], linewidth=1.6)
    left.plot(*course[-1, 0, [1, 2]], "o", color=colors[name], markersize=7)
low = 0.2
left.plot([1, 1], [low, highest_of[1, 2][0]], color="black", linewidth=6, solid_capstyle="butt")
left.plot([0, highest_of[2, 1][0]], [1, 1], color="black", linewidth=6, solid_capstyle="butt")
left.plot(*optimum[0, 0, [1, 2]], "*", color="black", markersize=15, zorder=6)
PLACES = {"normalized GD": (0.04, -0.06), "sign descent": (-0.03, -0.17), "Adam": (-0.14, 0.05)}
for name, shift in PLACES.items():
    left.text(*(courses[name][-1, 0, [1, 2]] + shift), name, color=colors[name], ha="left" if shift[0] > 0 else "right")
left.text(0.02, 0.72, "spectral\ndescent", color=colors["spectral descent"])
left.text(0.02, 0.64, "Muon", color=colors["Muon"])
left.text(0.97, low + 0.03, "best in the norm of\nthe largest entry", ha="right")
left.text(0.02, 0.96, "best in the\nspectral norm", va="top")
left.set(xlim=(0, 1.01), ylim=(low, 1.01), xlabel="margin, largest entry (1: best)", ylabel="margin, spectral norm (1: best)",
         title="(a) five paths, three ends")
table = np.array([course[-1, 0] for course in courses.values()])
right.imshow(table, cmap="Blues", vmin=0.3, vmax=1.25, aspect="auto")
for row, (name, (own, _)) in enumerate(OPTIMIZERS.items()):
    for column in range(3):
        told = 1.0 if own == column else optimum[0, 0, column] if own == 0 else highest_of[own, column][0]
        bound = "≤ " if own not in (0, column) else ""
        right.text(column, row, f"{table[row, column]:.3f}\n({bound}{told:.3f})", ha="center", va="center", fontsize=12,
                   weight="bold" if own == column else "normal")
    right.add_patch(Rectangle((own - 0.47, row - 0.46), 0.94, 0.92, fill=False, edgecolor=colors[name], linewidth=2.5))
right.set_xticks(range(3), ["Frobenius", "largest entry", "spectral"])
right.set_yticks(range(5), ["norm. GD", "sign", "Adam", "spectral", "Muon"])
right.tick_params(length=0)
right.set_title("(b) margin over the best in each norm")
plt.show()

# %% [markdown]
# ### What breaks: an ε above the gradient, and a polynomial for the singular vectors
#
# Adam divides by $\sqrt v+\varepsilon$, where $v$ is a mean of squared gradients. Along these runs the gradient falls below every power of ten, so in the end $\varepsilon$ is the larger part. Then Adam divides all entries by the same number and becomes gradient descent with momentum. With $\varepsilon=10^{-3}$ its margin in the norm of the largest entry stops at {glue:text}`margins_epsilon_end` of the best (mean of the three sets after {glue:text}`margins_quarter` steps), and that in the Frobenius norm is larger, {glue:text}`margins_epsilon_frobenius`. With $\varepsilon=0$ it is the other way round.
#
# Muon as it is run does not compute $UV^\top$. It applies a polynomial of degree five to $G/\|G\|_F$, five times, which pushes every singular value that is not tiny to between .68 and 1.13 {cite:p}`jordan2024`. Nobody asks for more, because it is fast and close to $UV^\top$. Does the difference matter for the margin? We train Muon both ways on five sets of digits of four classes, and on five of two classes, where the gradient has one singular value only. The polynomial is divided by its value at 1, which does not change the limit, so that with two classes both runs are the same.

# %% tags=["hide-input"]
unit = newton_schulz(np.ones((1, 1)))[0, 0]  # with it two classes take the same steps both ways
muon = {}
for classes in (4, 2):
    y_few = np.arange(n) % classes
    sets = np.array([handwritten(more, y_few) for _ in range(5)])  # stream: digits of their own
    largest = [matrix_margin(points, y_few, "spectral", tol=1e-5).margin for points in sets]
    for name, factor in (("UV", Muon()), ("polynomial", Muon(factor=lambda g: newton_schulz(g) / unit))):
        ends = train(sets, y_few, "spectral", factor, [steps // 4])[0]
        reached = [np.min(class_differences(points, y_few) @ w.ravel()) / matrix_norm(w, "spectral")
                   for points, w in zip(sets, ends, strict=True)]
        muon[classes, name] = np.array(reached) / largest
        print(f"{classes} classes, {name:10}", *(f"{ratio:6.3f}" for ratio in muon[classes, name]))

# %% [markdown]
# ## Theory
#
# **Why the own norm?** In outline, and the proof is the paper's: let $G$ be minus the gradient of $L$. It is a sum $\sum p_{ic}Z_{ic}$ with weights $p_{ic}>0$, the probabilities of the wrong classes over $n$. Far along the run the loss is about $\frac1n\sum e^{-m_{ic}}$, with $m_{ic}$ the margins, so only the least margins weigh. A step of steepest descent raises the mean margin, weighted by $p$, by $\eta_t\|G\|_*/\sum p$, where $\|G\|_*=\max_{\|D\|\le1}\langle G,D\rangle$. This is at least $\eta_t\gamma$, as the next lines show, while the norm of $W$ grows by at most $\eta_t$. So the least margin over the norm tends to $\gamma$.
#
# ```{prf:proposition} Two bounds of the largest margin
# :label: proposition-optimizers-duality
#
# For every $W\ne0$ and all weights $\lambda_{ic}\ge0$ of sum one,
#
# $$\frac{\min_{i,c}\langle Z_{ic},W\rangle}{\|W\|}\;\le\;\gamma\;\le\;\Bigl\|\sum\lambda_{ic}Z_{ic}\Bigr\|_* .$$
#
# Both are equalities for some $W$ and some $\lambda$. If the points are not separable there are weights with $\sum\lambda_{ic}Z_{ic}=0$.
# ```
#
# ```{prf:proof}
# A minimum is at most a mean, so $\min\langle Z_{ic},W\rangle\le\langle\sum\lambda_{ic}Z_{ic},W\rangle\le\|\sum\lambda_{ic}Z_{ic}\|_*\|W\|$, and dividing by $\|W\|$ gives both inequalities. Equality is the minimax theorem for a bilinear form on two compact convex sets.
# ```
#
# The dual norms are the Frobenius norm, the sum of the moduli of the entries, and the sum of the singular values. So a certificate of $\gamma$ is a matrix $W$ and a list of weights $\lambda$, which a reader checks by a sum and a singular value decomposition. All nine margins above have one, {glue:text}`margins_width` wide at most, relative to the margin. Where the points cannot be separated, the weights with sum zero are the proof, and `matrix_margin` says so in one line.
#
# **The other columns.** If training tends to an optimal $W$ of its norm $A$, its margin in another norm $B$ tends to $\gamma_A/\|W\|_B$. The optimal $W$ of the Frobenius norm is unique, because that norm is strictly convex, so the two other margins of normalized gradient descent are predicted as numbers. In the other two norms the optimal matrices can be a whole face of the unit ball. The theorem does not say which of them training takes, so we predict an upper bound, $\gamma_A/\min\|W\|_B$ with the minimum over the face. That is a convex program too. A bound of 1 or more would allow one optimizer to lead in two norms. {numref}`figure-optimizers` has the bounds, and all are below {glue:text}`margins_highest` on the three sets.
#
# ## How fast, exactly
#
# The steps add up to $\|W\|\approx2\eta_0\sqrt T$, and a softened minimum of margins is off by a constant, so the gap should close like $1/\sqrt T$. For normalized gradient descent we get the constant as well.
#
# ```{prf:proposition} The constant of normalized gradient descent
# :label: proposition-optimizers-constant
#
# Let $\hat W$ be optimal in the Frobenius norm, with unique weights $\lambda$, and let $\lambda_{ic}>0$ exactly at the pairs with $\langle Z_{ic},\hat W\rangle=\gamma$. Suppose that along the run $\|W\|_F\to\infty$, that $W-\|W\|_F\hat W$ stays bounded, and that the shares $e^{-m_{ic}}/\sum e^{-m_{jb}}$ tend to $\lambda_{ic}$. Then
#
# $$\gamma\|W\|_F-\min_{i,c}m_{ic}\;\to\;C=\ln\lambda_{\max}-\sum\lambda_{ic}\ln\lambda_{ic}\;\ge\;0 .$$
# ```
#
# ```{prf:proof}
# On the pairs with $\lambda_{ic}>0$ the margins are $m_{ic}=M-\ln\lambda_{ic}+o(1)$ with a common $M$, and the least is $M-\ln\lambda_{\max}+o(1)$. All others are larger by a term that tends to infinity, because there the share tends to zero. The weighted mean is $\sum\lambda_{ic}m_{ic}=\langle\sum\lambda_{ic}Z_{ic},W\rangle=\gamma\langle\hat W,W\rangle$, because $\sum\lambda_{ic}Z_{ic}=\gamma\hat W$. Now $\langle\hat W,W\rangle=\|W\|_F+o(1)$, because $\|W-\|W\|_F\hat W\|_F^2=2\|W\|_F(\|W\|_F-\langle\hat W,W\rangle)$ is bounded. So $\gamma\|W\|_F=M-\sum\lambda_{ic}\ln\lambda_{ic}+o(1)$. Subtract the least margin. $C\ge0$ because $-\sum\lambda\ln\lambda\ge-\ln\lambda_{\max}$.
# ```
#
# That the shares settle is assumed here and not proved; the direction of the gradient has to tend to $\hat W$, and only $\lambda$ gives it. So the relative gap is $C/(\gamma\|W\|_F)$ with $C$ known before training. In the other two norms the same first lines hold, but $\langle\sum\lambda_{ic}Z_{ic},W\rangle$ falls behind $\gamma\|W\|$ by what the early steps have cost, and this we cannot predict.
#
# ```{prf:proposition} How much a polynomial can cost
# :label: proposition-optimizers-polynomial
#
# Let the steps be $D=U\operatorname{diag}(f_j)V^\top$ with $G=U\operatorname{diag}(s_j)V^\top$ and $0<a\le f_j\le b$ where $s_j>0$. Suppose that the direction of $G$ converges to that of $\sum\lambda_{ic}Z_{ic}$, with weights $\lambda$ of sum one on the least margins of the limit of $W/\|W\|$ alone, and that this limit is a multiple of $D$. Then the spectral margin of the limit is at least $\frac ab\gamma$. If all positive $s_j$ are equal, it is $\gamma$.
# ```
#
# ```{prf:proof}
# Scale $W=D$ and $G=\sum\lambda_{ic}Z_{ic}$. The least margin is the mean $\langle G,W\rangle=\sum s_jf_j\ge a\sum s_j=a\|G\|_*\ge a\gamma$ by {prf:ref}`proposition-optimizers-duality`, and $\|W\|\le b$. If the $f_j$ are equal, $a=b$.
# ```
#
# For the polynomial of Muon $a$ and $b$ are .68 and 1.13 as long as every positive singular value is at least 0.01 of $\|G\|_F$, so at least 60 % of the margin is kept. We see {glue:text}`margins_schulz_least` at worst. That the runs settle as the proposition supposes is observed, and where they end between 60 and 100 % is open.
#
# ```{prf:remark} Float64
# :class: dropdown
#
# The loss falls below $10^{-300}$ on long runs, so gradients are kept in a unit of their own. Besides that, a singular value of the gradient below $10^{-12}$ of the largest is rounding, and spectral descent does not follow it. On sets whose optimal matrices are a face such directions decide which one is approached, so a long run in float64 can turn to another point of the face than exact arithmetic would. The margin in the own norm and the upper bounds hold for every point of the face.
# ```
#
# ## Instruments
#
# Each claim with its allowed error and its control. A {term}`claim` must hold within its allowed error, and its {term}`control` must not. All compare a prediction that knows nothing of training with a run, except *schulz* and *epsilon*, which record what is observed.
#
# ```{claim} diagonal
# :headline: margin in the own norm over the largest, five optimizers, mean of three sets
# :source: Fan, Schmidt and Thrampoulidis 2025, as recalled
# :evidence: trained and compared
# :because: what the extrapolation changes when all runs are four times as long, over three, because its error is of the order 1/T
# :control: Adam with ε = 0.001
# :rival: all optimizers find the largest Frobenius margin
#
# each optimizer reaches the largest margin in its own norm
# ```
#
# ```{claim} others
# :headline: margins of normalized gradient descent in the two other norms
# :evidence: trained and compared
# :because: what the extrapolation changes when the run is four times as long, as if its error fell like 1/√T only
# :contrast: Muon
#
# in the norms of the largest entry and of singular values the margins of normalized gradient descent tend to those of the certified Frobenius optimum
# ```
#
# ```{claim} constant
# :headline: gap of the margin of normalized gradient descent, times γ‖W‖
# :evidence: trained and compared
# :because: what the extrapolation changes when the run is four times as long, over three
# :contrast: spectral descent in its own norm
#
# the gap of the margin of normalized gradient descent is C/(γ‖W‖), with C from the certificate's weights
# ```
#
# ```{claim} schulz
# :headline: spectral margins of Muon with its polynomial and with UVᵀ
# :evidence: observed
# :because: half a percent of the margin, a chosen level, because with two classes the difference is rounding
# :control: two classes, where the gradient has one singular value
# :order: polynomial, UVᵀ
#
# with its polynomial Muon misses part of the largest spectral margin of four classes
# ```
#
# ```{claim} faces
# :evidence: trained and compared
# :because: three percent of the best margin, a chosen level, because the extrapolation is slow where a face is large
# :contrast: each optimizer in its own norm
#
# in the other norms no margin exceeds the largest that optimal matrices of the own norm have
# ```
#
# ```{claim} epsilon
# :evidence: observed
# :because: five percent of the margin, a chosen level
# :contrast: Adam with ε = 0
# :order: margin in the norm of the largest entry, in the Frobenius norm
#
# with ε far above the gradient Adam has more of the Frobenius margin than of the margin of its own norm
# ```

# %% tags=["hide-input"]
with_epsilon = own_limits.copy()
with_epsilon[2] = epsilon_limit[:, 1].mean()
all_euclidean = np.array([optimum[0, :, own].mean() for own, _ in OPTIMIZERS.values()])
claims.limit("diagonal", np.ones_like(own_limits), own_limits, error=derived_own, control=with_epsilon,
             rival=Rival(all_euclidean, 5))
gd, muon_limit = limits["normalized GD"], limits["Muon"][0]
claims.limit("others", optimum[0][:, 1:], gd[0][:, 1:], error=3 * limit(courses["normalized GD"][at][:, :, 1:])[1],
             control=muon_limit[:, 1:])


def gaps(name):
    """The gap of the margin in the own norm, times γ and the norm of W, at the horizons: times × sets."""
    own = OPTIMIZERS[name][0]
    sizes = [[matrix_norm(w, NORMS[own]) for w in one] for one in paths[name][at]]
    unit = [max(dual_norm(np.outer([1, -1], point), NORMS[own]) for point in one) for one in x]
    return (1 - courses[name][at][:, :, own]) * gammas[:, own] * sizes / unit


positive = [row[0].weights[row[0].weights > 0] for row in best]
constants = np.array([np.log(weights.max()) - np.sum(weights * np.log(weights)) for weights in positive])
constant, derived_constant = limit(gaps("normalized GD"))
constant_spectral = limit(gaps("spectral descent"))[0]
claims.rate("constant", constants, constant, error=derived_constant, control=constant_spectral)
means = {key: np.mean(found) for key, found in muon.items()}
claims.increasing("schulz", [means[4, "polynomial"], means[4, "UV"]], level=0.005,
                  control=[means[2, "polynomial"], means[2, "UV"]])
rows = [(name, own, other) for name, (own, _) in OPTIMIZERS.items() for other in range(3) if own and other != own]
bounds = np.array([highest_of[own, other] for _, own, other in rows])
claims.below("faces", bounds, np.array([limits[name][0][:, other] for name, _, other in rows]), level=0.03,
             control=np.array([limits[name][0][:, own] for name, own, _ in rows]))
adam_end, epsilon_end = courses["Adam"][-1].mean(axis=0), epsilon[-1].mean(axis=0)
claims.increasing("epsilon", epsilon_end[[1, 0]], level=0.05, control=adam_end[[1, 0]])


def listed(values, form=".3f"):
    """Numbers as the prose writes them."""
    *first, last = (format(value, form) for value in np.ravel(values))
    return ", ".join(first) + " and " + last


glue_all("margins", n=n, steps=f"{steps:,}", quarter=f"{steps // 4:,}", adam_own=f"{100 * courses['Adam'][-1, 0, 1]:.0f} %",
         adam_other=f"{100 * courses['Adam'][-1, 0, 0]:.0f} %", diagonal=f"{own_limits.min():.3f} to {own_limits.max():.3f}",
         rival=f"{all_euclidean[1]:.3f}",
         rival_spectral=f"{all_euclidean[3]:.3f}", epsilon=f"{with_epsilon[2]:.3f}", others_p=listed(optimum[0][0, 1:]),
         others_m=listed(gd[0][0, 1:]), others_muon=listed(muon_limit[0, 1:]), constant_p=listed(constants),
         constant_m=listed(constant), constant_spectral=listed(constant_spectral, ".2f"), schulz=f"{means[4, 'polynomial']:.3f}",
         exact=f"{means[4, 'UV']:.3f}", schulz_two=f"{means[2, 'polynomial']:.3f}", exact_two=f"{means[2, 'UV']:.3f}",
         schulz_least=f"{muon[4, 'polynomial'].min():.2f}", epsilon_end=f"{epsilon_end[1]:.2f}",
         epsilon_frobenius=f"{epsilon_end[0]:.2f}", highest=f"{np.ceil(100 * bounds.max()) / 100:.2f}",
         width=f"{max(found.width for row in best for one in row if (found := one.certificate.enclosure)):.0e}")

# %% [markdown]
# ## What would falsify it
#
# An optimizer whose margin in its own norm tends to less than the certified largest one, on any separable set, with steps like $1/\sqrt t$ and no $\varepsilon$. Normalized gradient descent whose margin in another norm tends to anything but that of the Frobenius optimum. A gap that closes at the right rate with another constant than $C$, on a set where the shares settle.
#
# ## Differences from the paper
#
# - **Read.** The abstract and summaries of {cite:t}`fan2025` and {cite:t}`zhang2024`. The theorem above is recalled from them, without its conditions on momentum and on other step sizes. The coefficients of Muon's polynomial are those that {cite:t}`jordan2024` publish, and Adam is that of {cite:t}`kingma2015`.
# - **Added.** Largest margins with certificates by weak duality, so each ratio is to a proved number. The margins in the *other* norms as predictions. The constant $C$ of the gap. What Muon's polynomial costs.
# - **Changed.** All optimizers start at zero and see the points in the unit of their norm, with $\eta_0$ as above. This changes the time that they take and not the limit.
# - **Not reproduced.** Other $p$-norms, the proved rates, and networks.
#
# ## Scope
#
# - Full gradients. With one sample a step Adam can have another limit, as a listing of later work says that we did not read.
# - Linear classifiers. For homogeneous networks comparable theorems lead to points that satisfy the first-order conditions of such a margin, which need not be the largest.
# - Three drawn sets, small ones. The limits are extrapolated from runs of {glue:text}`margins_steps` steps, where Adam and Muon are still several percent away.
# - The upper bounds of the other margins are loose where a face is large. Which point of a face training takes is open here.
# - Muon's momentum, Adam's $\beta_1=.9$ and $\beta_2=.95$, and the step sizes are fixed.
#
# ## Exercises
#
# ```{exercise} One point, three norms
# :label: exercise-optimizers-warm-up
#
# Two classes, one point $x=(3,4)$ of class 1. Which $v=w_1-w_0$ do normalized gradient descent, sign descent and spectral descent find, up to a factor? What share of the best margin in the norm $\max_j|v_j|$ does gradient descent have?
# ```
#
# ```{solution} exercise-optimizers-warm-up
# :class: dropdown
#
# $(3,4)$, $(1,1)$ and $(3,4)$. With $\max_j|v_j|=1$ gradient descent has $v=(3/4,1)$ and the margin $9/4+4=6.25$, the best is $3+4=7$, so its share is $0.893$.
# ```
#
# ```{exercise} A certificate by hand
# :label: exercise-optimizers-certificate
#
# Three classes in dimension 3, one point $e_c$ of each class $c$. Show that the largest margins in the three norms are $1/\sqrt2$, $2$ and $1$.
# ```
#
# ```{solution} exercise-optimizers-certificate
# :class: dropdown
#
# Let $\lambda=1/6$ for each of the six pairs. Then $\sum\lambda_{ic}Z_{ic}=\frac16(3I-J)$ with $J$ the matrix of ones, which has the singular values $\frac12,\frac12,0$. Its Frobenius norm is $1/\sqrt2$, the sum of its moduli $3\cdot\frac13+6\cdot\frac16=2$, the sum of its singular values 1, so these are upper bounds. The matrix $I-\frac13J$ has all margins 1, the Frobenius norm $\sqrt2$ and the spectral norm 1. The matrix $2I-J$ has all margins 2 and entries $\pm1$. So the bounds are attained.
# ```
#
# ```{exercise} Four times as long
# :label: exercise-optimizers-longer
#
# Rerun the chapter with `steps = 47104`. What do you expect of the last numbers of the five runs, and of the extrapolated ones?
# ```
#
# ```{solution} exercise-optimizers-longer
# :class: dropdown
#
# The gap of normalized gradient descent halves, because it is $C/(\gamma\|W\|_F)$ and $\|W\|_F$ grows like $\sqrt T$. So do the gaps of the others in their own norms once the memory of Adam and Muon has stopped to matter. The extrapolated ratios stay near one, with a smaller error.
# ```
#
# ## Where to go next
#
# ```{next}
# The chapter on {doc}`linear classifiers <../linear/max_margin>` has the plain gradient method, whose margin is the Euclidean one and is approached only like $1/\ln t$. That on the {doc}`rates of the margin <../wide_networks/margin_rates>` divides the steps by the loss, as here, and proves a rate.
# ```
#
# ## References
#
# {cite:t}`fan2025` state the theorem for several classes, {cite:t}`zhang2024` that for Adam and two classes. {cite:t}`soudry2018` is the Euclidean case without normalization.
