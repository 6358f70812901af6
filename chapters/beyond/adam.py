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
# # Adam goes for the ℓ∞ margin until the loss falls below its ε, and for the ℓ2 margin long after
#
# ```{question}
# ```
#
# We train a linear classifier with Adam on {glue:text}`adam_n` images of two digits, with the exponential loss. One theorem says that Adam finds the largest margin in the ℓ∞ norm, another that it finds the largest ℓ2 margin, like gradient descent. The first leaves out Adam's small constant $\varepsilon$, the second waits until nothing else matters. Adam divides the gradient of each weight by its own size plus $\varepsilon$. While gradients are far above $\varepsilon$ all weights move equally fast. Far below it Adam is gradient descent with the rate $\eta/\varepsilon$. So the loss decides, and we write it as $\varepsilon^\kappa$. With the usual $\varepsilon=10^{-8}$ the ℓ∞ margin comes to {glue:text}`adam_best` of the largest at $\kappa=$ {glue:text}`adam_best_at`. At $\kappa=2$ it has fallen to {glue:text}`adam_second`, and the ℓ2 margin has risen to {glue:text}`adam_third`. We compute this course before training. But $\kappa=2$ takes {glue:text}`adam_steps` steps, so practice sees the ℓ∞ margin.
#
# ```{hero}
# ```
#
# ## The statement
#
# Let $z_i=y_ix_i$ be the $n$ signed points in $\mathbb R^d$, $R(w)=\frac1n\sum e^{-z_i\cdot w}$ the loss, and $\gamma_\infty$ and $\gamma_2$ the largest margins $\min_iz_i\cdot w$ of a $w$ with $\|w\|_\infty\le1$ and with $\|w\|_2\le1$. At a small learning rate both of Adam's moments follow the newest gradient, so Adam becomes the flow
#
# ```{math}
# :label: adam-flow
# \dot w_j=\frac{g_j}{|g_j|+\varepsilon},\qquad g=-\nabla R(w),\qquad w(0)=0 .
# ```
#
# Two theorems describe its ends. With $\varepsilon=0$ the margin of Adam tends to the largest one in the ℓ∞ norm {cite:p}`zhang2024`. With $\varepsilon>0$ its direction tends to that of gradient descent {cite:p}`wang2021`. Between them there is a path. Let $L=\ln(1/\varepsilon)$, and let $w_\kappa$ be the weights at the moment when $R=\varepsilon^\kappa$.
#
# ```{prf:proposition} From one margin to the other
# :label: proposition-adam-path
#
# Let the points be separable and let one $u$ alone have the least $\|u\|_\infty$ subject to $z_i\cdot u\ge1$ for all $i$. Let $\omega(\kappa)=\kappa u$ for $\kappa\le1$, and from there on
#
# $$\frac{d\omega}{d\kappa}=\operatorname*{argmin}_v\|v\|_2^2\quad\text{subject to }z_i\cdot v\ge1\text{ for the }i\text{ with }z_i\cdot\omega=\kappa .$$
#
# Then for each $K$ there is a $C$ such that $\|w_\kappa/L-\omega(\kappa)\|\le C/\sqrt L$ for all $\kappa\le K$ and all $L\ge1$. The path $\omega$ is a polygon with finitely many knots, and its last slope is the hard-margin solution of all points.
# ```
#
# In words: for small $\varepsilon$ the classifier goes along the ℓ∞ solution up to $\kappa=1$. From then on it follows hard-margin solutions of the points that are closest to the boundary. A further point joins when its margin is the smallest too, until all that matter have joined.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [margins at $\kappa=2$](path), ℓ∞ and ℓ2, over the largest, digits, extrapolated to $\varepsilon\to0$ | {glue:text}`adam_path_p` | {glue:text}`adam_path_m` | without $\varepsilon$: {glue:text}`adam_path_ray` | |
# | [margins of Adam](flow) at $\kappa=1$ with $\varepsilon=$ {glue:text}`adam_epsilon`, ℓ∞ and ℓ2, over the largest, digits, extrapolated to small learning rates | {glue:text}`adam_flow_p` | {glue:text}`adam_flow_m` | the path for vanishing $\varepsilon$: {glue:text}`adam_flow_path` | |
# | [growth of $\ln(1/R)$ in each step](growth) at a constant rate without $\varepsilon$, over the most that is possible, at 0.2, 1 and 5 times the rate of that | {glue:text}`adam_growth_p` | {glue:text}`adam_growth_m` | the rate times the margin: {glue:text}`adam_growth_naive` | |
# | [steps until $\kappa=2$](clock) with $\varepsilon=10^{-8}$ and $\eta=10^{-3}$, three data sets | {glue:text}`adam_clock_p` | {glue:text}`adam_clock_m` | without $\varepsilon$: {glue:text}`adam_clock_sign` | |
# ```
#
# **What to remember?** Whether Adam prefers the ℓ∞ or the ℓ2 margin depends on the loss at which you stop. Well above $\varepsilon$ it is ℓ∞. It takes a loss of about $\varepsilon^2$ to come near ℓ2, and with the usual $\varepsilon$ nobody trains that long.
#
# ## The smallest case
#
# One point $z=(2,1)$. Its gradient is $g=R\,(2,1)$. Above $\varepsilon$ both weights move at the speed one, along $(1,1)$. The ℓ∞ solution is $u=(\tfrac13,\tfrac13)$, so at $\kappa=1$ the weights are $L\,u$. Their ℓ∞ margin is the largest possible one, $\gamma_\infty=3$, and their ℓ2 margin $3/\sqrt2=2.121$ is 94.9 % of $\gamma_2=\sqrt5$. Below $\varepsilon$ the weights move in proportion to $g$, along $(2,1)$, and the hard-margin solution is $(\tfrac25,\tfrac15)$. So $\omega(2)=(\tfrac13+\tfrac25,\tfrac13+\tfrac15)=(\tfrac{11}{15},\tfrac8{15})$. There the ℓ∞ margin is $30/11=2.727$, 90.9 % of $\gamma_\infty$, and the ℓ2 margin is 98.6 % of $\gamma_2$. The first stretch takes the time $L/3$, the second $(\varepsilon^{-1}-1)/5$, because $\frac{d}{dt}e^{z\cdot w}=5/\varepsilon$ there. With $\varepsilon=10^{-8}$ these are 6 and 20 million.
#
# ## Experiment
#
# We use three data sets: handwritten digits of two classes ({glue:text}`adam_n` images, averaged to $4\times4$ pixels, of which we take those that vary, less their mean), {glue:text}`adam_n` Gaussian points with random labels in as many dimensions, and {glue:text}`adam_n` Gaussian points in dimension 16 whose labels a linear teacher gives. All are separable. Each is measured in a unit in which $\gamma_\infty=1$, so that without $\varepsilon$ the margin grows by at most $\eta$ in a step.

# %% tags=["hide-input"]
import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.data import digits
from implicit_bias.figures import style
from implicit_bias.flows import Adam, CrossEntropyDescent, adam_flow, drive
from implicit_bias.limits.margin import adam_growth, adam_path
from reproduce.claims import Claims, refined
from reproduce.claims.glued import glue_all

claims = Claims("adam")
style.use_style()

# %% tags=["parameters"]
n: int = 20  # points of each set, an even number, in [10, 40]
epsilon: float = 1e-8  # ε of Adam, in [1e-12, 0.001]
seed: int = 0  # seed of the data stream, in [0, 4294967295]
# where n % 2 == 0

# %% tags=["hide-input"]
BETA1, BETA2, RATES = 0.9, 0.95, (0.01, 0.005, 0.0025)
length = -np.log(epsilon)  # L
LENGTHS = np.array([length, 100.0, 200.0])  # L of the flows from which ε → 0 is extrapolated
KAPPA = np.array([1.0, 1.5, 2.0])
stream = np.random.default_rng(seed).spawn(1)[0]
y = np.where(np.arange(n) % 2, 1, -1)


def handwritten(g):
    """Digits of two classes, drawn among ten, with 4 × 4 pixels, less their mean."""
    images, kinds = digits(g, test=1), g.permutation(10)
    x = np.empty((n, images.x.shape[1]))
    for label, kind in zip((-1, 1), kinds, strict=False):
        x[y == label] = images.x[images.labels == kind][: n // 2]
    pooled = x.reshape(n, 4, 2, 4, 2).mean(axis=(2, 4)).reshape(n, -1)
    return y[:, None] * (pooled - pooled.mean(axis=0))[:, np.ptp(pooled, axis=0) > 0]


def taught(g):
    """Gaussian points with the labels of a linear teacher."""
    x, teacher = g.standard_normal((n, 16)), g.standard_normal(16)
    return np.sign(x @ teacher)[:, None] * x


LAWS = {"digits": handwritten, "random labels": lambda g: g.standard_normal((n, n)), "teacher": taught}
drawn = {name: law(stream) for name, law in LAWS.items()}  # stream: the three sets

# %% [markdown]
# Before training we compute the path. It begins with a linear program, and each further piece is a hard-margin problem, with a certificate.

# %%
unit = {name: 1 / np.abs(adam_path(z).slopes[0]).max() for name, z in drawn.items()}  # the largest ℓ∞ margin
sets = {name: z / unit[name] for name, z in drawn.items()}
paths = {name: adam_path(z) for name, z in sets.items()}


def ratios(z, w, path):
    """Margins of w, … × d, over the largest ones, in ℓ∞ and in ℓ2: … × 2."""
    least, last = (w @ z.T).min(axis=-1), path.slopes[-1]
    return np.stack([least / np.abs(w).max(axis=-1), least / np.linalg.norm(w, axis=-1) * np.linalg.norm(last)], axis=-1)


predicted = {name: ratios(sets[name], path(KAPPA), path) for name, path in paths.items()}
for name, path in paths.items():
    print(f"{name:14} knots", *(f"{kappa:.2f}" for kappa in path.knots[1:]))
    for norm, row in zip(("ℓ∞", "ℓ2"), predicted[name].T, strict=True):
        print(f"{'':14} {norm} margin at κ = 1, 1.5, 2:", *(f"{ratio:.3f}" for ratio in row))

# %% [markdown]
# Then we train. Adam itself is ten lines.


# %%
def adam(z, rate, epsilon, steps, record):
    """The weights of Adam on the exponential loss, from zero, at the recorded steps."""
    w = mean = square = np.zeros(z.shape[1])
    kept, record = [], set(record)
    for t in range(1, steps + 1):
        g = np.exp(-z @ w) @ z / len(z)
        mean = BETA1 * mean + (1 - BETA1) * g
        square = BETA2 * square + (1 - BETA2) * g**2
        w = w + rate * mean / (1 - BETA1**t) / (np.sqrt(square / (1 - BETA2**t)) + epsilon)
        if t in record:
            kept.append(w)
    return np.array(kept)


runs, loss = {}, {}
for name, z in sets.items():
    for rate in RATES:
        steps = int(1.5 * np.exp(paths[name].log_steps(1.1, -length, rate)))
        runs[name, rate] = adam(z, rate, epsilon, steps, np.geomspace(30, steps, 400).astype(int))
        loss[name, rate] = -np.log(np.exp(-runs[name, rate] @ z.T).mean(axis=1)) / length  # κ along the run
    print(f"{name:14} {steps:6} steps of Adam, κ = {loss[name, rate][-1]:.2f}, margins in ℓ∞ and ℓ2:",
          *(f"{ratio:.3f}" for ratio in ratios(z, runs[name, rate][-1], paths[name])))

# %% [markdown]
# We compare Adam with the flow {eq}`adam-flow` for the same $\varepsilon$, and the flow for ever smaller $\varepsilon$ with the path. The flow needs no small loss in floating point, because it runs in $-\ln R$. We go down to $\varepsilon=e^{-200}$.

# %%
reached = {}  # margins over the largest ones, lengths × κ × norms
for name, z in sets.items():
    ends = [adam_flow(z, log_epsilon=-size, m_end=2.001 * size, record=KAPPA * size, rtol=1e-6, atol=1e-6).theta
            for size in LENGTHS]
    reached[name] = np.array([ratios(z, end[1:4, :-1], paths[name]) for end in ends])
    print(f"{name:14} ℓ∞ margin at κ = 2, ε = {epsilon:g}, e^-100, e^-200:", *(f"{ratio:.4f}" for ratio in reached[name][:, 2, 0]),
          f" path: {predicted[name][2, 0]:.4f}")

# %% tags=["hide-input"]
def course(name, size):
    """The flow at κ = 0.01, 0.02, … 2 with ln ε = −size, and ln of the time that it has taken to each."""
    z, m = sets[name], size * np.arange(0.01, 2.005, 0.01)
    flow = adam_flow(z, log_epsilon=-size, m_end=m[-1] + 0.01, record=m, rtol=1e-6, atol=1e-6)
    w = flow.theta[1 : 1 + len(m), :-1]
    q = np.exp(-(w @ z.T) + m[:, None]) @ z / n
    each = 1 / np.sum(q**2 / (np.abs(q) + np.exp(m - size)[:, None]), axis=1)
    return w, np.log(m[0] * each[0] + np.cumsum(np.append(0, np.diff(m) * (each[1:] + each[:-1]) / 2)))


followed = {name: course(name, length) for name in sets}
met = np.array([ratios(sets[name], followed[name][0][99], paths[name]) for name in sets])  # at κ = 1, sets × norms
trained = np.array(
    [[[np.interp(1.0, loss[name, rate], one) for one in ratios(sets[name], runs[name, rate], paths[name]).T]
      for name in sets] for rate in RATES])  # rates × sets × norms
clock = np.array([followed[name][1][-1] for name in sets]) - np.log(1e-3)
clock_told = np.array([path.log_steps(2.0, -length, 1e-3) for path in paths.values()])
half_told = np.array([path.log_steps(2.0, -length / 2, 1.0) for path in paths.values()])
derived_clock = np.max(np.abs(half_told - [course(name, length / 2)[1][-1] for name in sets]))
clock_sign = np.array([np.log(2 * length / 1e-3 * np.abs(path.slopes[0]).max()) for path in paths.values()])

SHARES = np.array([0.2, 0.5, 1.0, 2.0, 5.0])  # of the rate at which γη is the cap
CAP = -np.log(BETA2) / 2


def grown(beta1, steps=8000):
    """By how much ln(1/R) grows in a step, over the cap, in the third and in the last quarter of a run: 2 × shares."""
    z = sets["digits"] * (SHARES * CAP)[:, None, None]  # five rates side by side, as five units of the same points
    descent = CrossEntropyDescent(z, np.ones((5, n)), Adam(beta1, BETA2), scale=0.5, power=0.0)
    run = drive(descent, descent.start, t_end=steps, record=[steps // 2, 3 * steps // 4])
    w = np.diff(descent.read(run.theta)[1:], axis=2)
    margins = np.sum(w * z, axis=3)
    least = margins.min(axis=2, keepdims=True)
    risk = least[..., 0] - np.log(np.exp(least - margins).mean(axis=2))
    return np.diff(risk, axis=0) / (steps // 4) / CAP


growth, growth_told = grown(BETA1), np.array([adam_growth(share * CAP, BETA1, BETA2) for share in SHARES]) / CAP

# %% mystnb={"figure": {"caption": "The loss says which margin Adam has found. Digits, margins over the largest ones while the loss falls. (a) Rings: Adam, up to the loss \u03b5. Lines: its flow, computed before training. Second axis: how many steps that takes, as computed. (b) Lines: the flow with a much smaller \u03b5. Dashed: the path of hard-margin problems, which is its limit.", "name": "figure-adam"}, "image": {"alt": "Two panels. Left: with the usual \u03b5 the \u2113\u221e margin rises to 95 percent of the largest one, turns before the loss reaches \u03b5, and falls to about 70 percent at \u03ba = 2. The \u21132 margin rises all the way, to 94 percent. Rings of Adam lie on the lines up to \u03ba = 1. A second axis counts steps, up to ten to the power twelve. Right: with a much smaller \u03b5 the lines lie on dashed ones, 1 and constant up to \u03ba = 1, falling and rising after it.", "classes": "panels-2"}} tags=["hero", "hide-input"]
shown, path, z = "digits", paths["digits"], sets["digits"]
left, right = style.panels(2, (9.6, 4.5))
kappa, steep = np.linspace(0.02, 2, 300), 0.01 * np.arange(1, 201)
curves, usual, small = ratios(z, path(kappa), path), ratios(z, followed[shown][0], path), ratios(z, course(shown, 200.0)[0], path)
ringed = np.arange(np.searchsorted(loss[shown, RATES[-1]], 0.1), len(runs[shown, RATES[-1]]), 16)
for column, (name, color, up) in enumerate([("ℓ∞", "orange", -0.05), ("ℓ2", "blue", 0.045)]):
    tint = style.COLORS[color]
    left.plot(steep, usual[:, column], color=tint, linewidth=2.2)
    left.plot(loss[shown, RATES[-1]][ringed], ratios(z, runs[shown, RATES[-1]], path)[ringed, column], "o", color=tint, fillstyle="none")
    right.plot(steep, small[:, column], color=tint, linewidth=2.2)
    style.theory(right, kappa, curves[:, column])
    for axes, values in ((left, usual), (right, small)):
        axes.text(steep[165], values[165, column] + up, f"{name} margin", color=tint, ha="center", va="center")
for axes in (left, right):
    axes.axvline(1, color="0.6", linewidth=1)
    axes.set(xlim=(0, 2), ylim=(0.45, 1.03), xlabel="κ, where the loss is $ε^κ$")
left.text(1.04, 0.47, "loss = ε")
right.text(0.5, 0.9, "path, computed\nbefore training", ha="center")
left.set(ylabel="margin over the largest", title=f"(a) Adam with $ε = 10^{{{np.log10(epsilon):g}}}$")
right.set(title="(b) a much smaller ε, $e^{-200}$")
above = left.secondary_xaxis(-0.22)
marks = [0.5, 1.0, 1.5, 2.0]
above.set_xticks(marks, [f"$10^{{{path.log_steps(at, -length, 1e-3) / np.log(10):.1f}}}$" for at in marks])
above.set_xlabel("steps at the rate 0.001")
plt.show()

# %% [markdown]
# ### What breaks: a learning rate that is not small
#
# The flow supposes that a gradient changes little within the memory of Adam. A large rate breaks this, because the loss then falls by a large factor in each step. It cannot fall as fast as it would. Adam divides by $\sqrt v$, where $v$ is a mean of squared gradients with the memory $\beta_2$. If gradients fall faster than $\beta_2^{t/2}$, the old ones rule $v$ and the steps shrink. So *at most a factor $\sqrt{\beta_2}$ in the loss is won in each step*, at any rate. With PyTorch's $\beta_2=0.999$ a factor of 1,000 takes at least 13,800 steps. We train on the digits without $\varepsilon$, at five rates.

# %%
print("rate over that of the cap      ", *(f"{share:7.1f}" for share in SHARES))
print("growth of ln(1/R), over the cap", *(f"{value:7.4f}" for value in growth[-1]))
print("computed                       ", *(f"{value:7.4f}" for value in growth_told))

# %% [markdown]
# ## Theory
#
# **Why a path of hard margins?** On the scale of $L$ the loss sees the least margin alone: $M=-\ln R$ differs from $m(w)=\min_iz_i\cdot w$ by at most $\ln n$. So the flow climbs the concave function $m$, by steepest ascent in the ℓ∞ norm while gradients are above $\varepsilon$, and in the ℓ2 norm below. Steepest ascent of a least margin in ℓ2 goes along the shortest vector $v$ in the convex hull of the points that have this margin. It raises their margin by $\|v\|^2$ per unit of time, so per unit of $\kappa$ the classifier moves by $v/\|v\|^2$, and that is the hard-margin solution of these points.
#
# ````{prf:proof}
# :class: dropdown
#
# *Of {prf:ref}`proposition-adam-path`.* Write $g=Rq$ with $q=\sum p_iz_i$ and $p_i=e^{-z_i\cdot w}/\sum e^{-z_k\cdot w}$, so $\dot w_j=q_j/(|q_j|+a)$ with $a=\varepsilon/R=e^{M-L}$, and $M(0)=0$. Since $q$ lies in the convex hull of the points, $\|q\|_1\ge\gamma_\infty$ and $\|q\|_2\ge\gamma_2$. Constants $C$ below depend on the points alone, and on $K$.
#
# *While $M\le L$.* $\dot M=\sum q_j^2/(|q_j|+a)\ge\|q\|_1-da\ge\gamma_\infty-da$. As long as $a\le\gamma_\infty/2d$ this is at least $\gamma_\infty/2$, so $\int a\,dt=\int e^{M-L}dM/\dot M\le\frac2{\gamma_\infty}\cdot\frac{\gamma_\infty}{2d}=\frac1d$, and $M\ge\gamma_\infty t-1$. Each weight has the speed one at most, so $\|w\|_\infty\le t\le(M+1)/\gamma_\infty$. All margins are at least $M-\ln n$. So $w/(M-\ln n)$ satisfies the constraints of the ℓ∞ problem, and exceeds its least value $1/\gamma_\infty$ by at most $(1+\ln n)/\gamma_\infty(M-\ln n)$. The problem is a linear program with one solution, so by Hoffman's bound the distance from it is at most a constant times the excess. Times $M-\ln n$ this is $\|w-Mu\|\le C$. From $a=\gamma_\infty/2d$ on to $a=1$, $M$ grows by the constant $\ln(2d/\gamma_\infty)$, at a speed above some constant, because one of the $|q_j|$ is at least $\gamma_\infty/d$. In that time $w$ moves by a constant. So $\|w-Mu\|\le C$ for all $M\le L$.
#
# *While $M>L$.* In the time $s$ with $ds=e^{L-M}dt$ we have $dw_j/ds=f_j=q_j/(|q_j|h+1)$ with $h=e^{L-M}\le1$. With $B=\max\|z_i\|_2$, $\|f-q\|\le hB^2$, and $dM/ds=q\cdot f\ge\gamma_2^2/(B+1)$, so $\int h\,ds\le C$, and $s\le CL$ up to $M=KL$. Let $\tilde w$ be the flow $d\tilde w/ds\in\partial m(\tilde w)$ from $\tilde w(0)=Lu$. $M$ is concave with the gradient $q$, and $m$ is concave, so $\langle q,w-\tilde w\rangle\le M(w)-M(\tilde w)$ and $-\langle d\tilde w/ds,w-\tilde w\rangle\le m(\tilde w)-m(w)$. The sum is at most $\ln n$, because $0\le M-m\le\ln n$. So $D=\|w-\tilde w\|$ obeys $\frac d{ds}\frac12D^2\le\ln n+hB^2D$, hence $D\le C\sqrt{1+s}\le C\sqrt L$. At the same $s$ the values $M(w)$ and $m(\tilde w)$ differ by at most $\ln n+BD$, and $\tilde w$ moves by at most $1/\gamma_2$ when its $m$ grows by one. So the two points with the value $\kappa L$ are at most $C\sqrt L$ apart.
#
# *The polygon.* $m$ is positively homogeneous, so $\tilde w$ at $m=\kappa L$ is $L$ times a curve that does not depend on $L$. Its right derivative is the element of least norm of $\partial m$, the shortest vector $v$ of the convex hull of the $z_i$ with $z_i\cdot\omega=\kappa$. All these have $z_i\cdot v\ge\|v\|^2$, so those with more fall behind at once, and those that carry $v$ keep it as it is until a further point joins, which has $z_i\cdot v<\|v\|^2$. Then the hull of the points that carry $v$ and of the new one contains a shorter vector. So $\|v\|$ falls strictly from piece to piece. It is the shortest vector of one of finitely many hulls, so there are finitely many pieces. After the last one $z_i\cdot v/\|v\|^2\ge1$ for all $i$, so $v/\|v\|^2$ satisfies all constraints and is the shortest vector that does.
# ````
#
# The bound is $C/\sqrt L$. We see more: the distance times $L$ settles, on all our sets, so the path is approached like $1/L$. A proof of that is open here.
#
# **The clock.** Below $\varepsilon$, $\dot M=\|q\|^2R/\varepsilon$, so $e^M$ grows at the rate $\|v\|^2/\varepsilon$ on a piece with the shortest vector $v$. The time up to $\kappa>1$ is $\varepsilon^{1-\kappa}/\|v\|^2$ to leading order, so
#
# ```{math}
# :label: adam-clock
# \ln t=(\kappa-1)\ln\frac1\varepsilon-\ln\|v\|_2^2+o(1),
# ```
#
# a formal derivation, in which $v$ is the vector of the piece at $\kappa$. A step of Adam takes the time $\eta$.
#
# ## How fast, exactly
#
# ```{prf:proposition} Adam cannot be faster than its memory
# :label: proposition-adam-cap
#
# Let $\beta_1<\sqrt{\beta_2}$ and $\varepsilon\ge0$. At no constant rate $\eta$ is there a $\rho<\sqrt{\beta_2}$ and a $C$ such that the losses of Adam satisfy $R(w_t)\le C\rho^t$ for all $t$.
# ```
#
# ```{prf:proof}
# Suppose they do, and take $\beta_1\le\rho$ without loss. Gradients are at most $R\max\|z_i\|$, so $|m_{t,j}|\le C't\rho^t$. A weight whose gradient is always zero never moves. For all others $v_{t,j}\ge c\,\beta_2^t$ with some $c>0$ from the first gradient that is not zero on. So the steps are at most a constant times $t(\rho/\sqrt{\beta_2})^t$, and their sum is finite. Then $w_t$ is bounded and $R$ stays away from zero, which it does not.
# ```
#
# In a steady state we get the growth as well. Suppose that $\varepsilon=0$ and that in the end each gradient is $e^{-r}$ times the one before, with the signs of the ℓ∞ solution. Then $m_t=\frac{1-\beta_1}{1-\beta_1e^r}g_t$ and $v_t=\frac{1-\beta_2}{1-\beta_2e^{2r}}g_t^2$, geometric sums, and $\ln(1/R)$ grows by $\gamma_\infty\eta$ times the step's size, so
#
# ```{math}
# :label: adam-growth
# r=\gamma_\infty\eta\,\frac{1-\beta_1}{1-\beta_1e^r}\sqrt{\frac{1-\beta_2e^{2r}}{1-\beta_2}}<\frac12\ln\frac1{\beta_2}.
# ```
#
# For $\beta_1\le\beta_2$ the right side falls in $r$, because $\beta_1e^r/(1-\beta_1e^r)\le\beta_2e^{2r}/(1-\beta_2e^{2r})$, so there is one root. That a steady state is reached is observed. We have found neither the path nor this formula in the literature, of which we searched abstracts.
#
# ## Instruments
#
# Each claim with its allowed error and its control. A {term}`claim` must hold within its allowed error, and its {term}`control` must not.
#
# ```{claim} path
# :headline: ℓ∞ and ℓ2 margins of the flow at κ = 1, 1.5 and 2, extrapolated to ε → 0
# :evidence: trained and compared
# :because: what the extrapolation in 1/L changes from the pair of ε before, over what it should shrink by
# :contrast: without ε the classifier stays on the ℓ∞ ray
#
# for small ε Adam's flow follows the path of hard-margin problems
# ```
#
# ```{claim} flow
# :headline: ℓ∞ and ℓ2 margins of Adam at κ = 1, extrapolated to small learning rates
# :evidence: trained and compared
# :because: what the extrapolation in the rate changes when all rates are halved
# :contrast: the path for vanishing ε
#
# at small learning rates Adam follows the flow with its ε
# ```
#
# ```{claim} growth
# :headline: growth of ln(1/R) in a step of Adam, over the cap, at five rates
# :evidence: trained and compared
# :because: what the growth changes from the third to the last quarter of the run
# :contrast: Adam without its first moment
#
# at a constant rate Adam's loss falls by the factor that the closed form says
# ```
#
# ```{claim} clock
# :headline: ln of the number of steps until the loss is ε²
# :evidence: trained and compared
# :because: what the clock misses at the square root of ε, where it misses more
# :contrast: without ε
#
# the time to each κ is that of the path
# ```

# %% tags=["hide-input"]
told = np.array(list(predicted.values()))
weighted = [LENGTHS[:, None, None] * done for done in reached.values()]
extrapolated = np.array([np.diff(one, axis=0) for one in weighted]) / np.diff(LENGTHS)[:, None, None]  # sets × 2 × κ × norms
ray = np.array([np.repeat(one[:1], len(KAPPA), axis=0) for one in told])
claims.limit("path", told, extrapolated[:, 1], control=ray,
             error=refined(extrapolated[:, 1], extrapolated[:, 0], ratio=LENGTHS[2] / LENGTHS[0], order=1))
slower = 2 * trained[1:] - trained[:-1]  # extrapolated to small rates
claims.limit("flow", met, slower[1], error=refined(slower[1], slower[0], ratio=2, order=1),
             control=told[:, 0])
claims.limit("growth", growth_told, growth[-1], error=np.max(np.abs(growth[1] - growth[0])), control=grown(0.0)[-1])
claims.limit("clock", clock_told, clock, error=derived_clock, control=clock_sign)


def powers(values):
    """Numbers of steps from their logarithms, as powers of ten."""
    *first, last = (rf"$10^{{{value / np.log(10):.2f}}}$" for value in values)
    return ", ".join(first) + " and " + last


def listed(values, form=".3f"):
    """Numbers as the prose writes them."""
    *first, last = (format(value, form) for value in np.ravel(values))
    return ", ".join(first) + " and " + last


glue_all("adam", n=n, best=f"{100 * usual[:, 0].max():.0f} %", best_at=f"{steep[usual[:, 0].argmax()]:.1f}", second=f"{100 * usual[-1, 0]:.0f} %", third=f"{100 * usual[-1, 1]:.0f} %",
         steps=rf"$10^{{{clock_told[0] / np.log(10):.0f}}}$", path_p=listed(told[0, 2], ".4f"), path_m=listed(extrapolated[0, 1, 2], ".4f"),
         path_ray=listed(ray[0, 2], ".4f"), epsilon=rf"$10^{{{np.log10(epsilon):g}}}$", flow_p=listed(met[0]), flow_m=listed(slower[1, 0]), flow_path=listed(told[0, 0]),
         growth_p=listed(growth_told[[0, 2, 4]], ".4f"), growth_m=listed(growth[-1, [0, 2, 4]], ".4f"),
         growth_naive=listed(SHARES[[0, 2, 4]], ".1f"), clock_p=powers(clock_told), clock_m=powers(clock),
         clock_sign=powers(clock_sign))

# %% [markdown]
# ## What would falsify it
#
# A separable set with one ℓ∞ solution, on which the flow's weights over $L$ stay away from the path as $\varepsilon$ falls. Adam at ever smaller rates that keeps a distance from the flow. A constant rate at which Adam's loss falls by more than $\sqrt{\beta_2}$ in each step for as long as one looks.
#
# ## Differences from the paper
#
# - **Read.** The abstracts of {cite:t}`zhang2024` and {cite:t}`wang2021`. The first has the logistic loss, decreasing rates and an $\varepsilon$ that is neglected, the second homogeneous networks. Conditions on rates and moments are recalled.
# - **Added.** The path between the two ends, with proof, certificates and a clock. The least number of steps for a factor in the loss, with proof, and the growth in a steady state.
# - **Changed.** The exponential loss in place of the logistic one. Both have the same limits, because they agree where margins are large.
# - **Not reproduced.** Decreasing rates with their proved orders, and networks.
#
# ## Scope
#
# - The path is that of the flow. Adam follows it at rates at which the loss falls by much less than $\sqrt{\beta_2}$ in each step. At larger rates it is slower, and its path was not looked at.
# - Full gradients and no weight decay. With one sample a step Adam can have another limit {cite:p}`baek2025`, and weight decay leads to yet another {cite:p}`xie2024`. We know both by their abstracts.
# - Three small data sets, where one ℓ∞ solution exists. Points with a feature that is always zero have several, and the library refuses them.
# - With $\varepsilon=10^{-8}$ the flow is still some percent from the path, because it differs by something over $L=18$. Both are in {numref}`figure-adam`. With $\varepsilon=0.01$ the ℓ∞ margin would never lead.
#
# ## Exercises
#
# ```{exercise} When is the loss ε?
# :label: exercise-adam-warm-up
#
# Training ends at the loss $10^{-3}$. What is $\kappa$ for $\varepsilon=10^{-8}$, and for $\varepsilon=10^{-3}$? Which margin do you expect in the two runs?
# ```
#
# ```{solution} exercise-adam-warm-up
# :class: dropdown
#
# $3/8$ and 1. In both the largest ℓ∞ margin, in the second just so: a loss of $10^{-6}$ would be at $\kappa=2$ there, near the ℓ2 margin.
# ```
#
# ```{exercise} One point, exactly
# :label: exercise-adam-one-point
#
# Solve the flow for one point $z=(2,1)$ in the variable $M=z\cdot w$. Show that $w_1-w_2$ stays bounded by a constant while $M\le L$, and that it is $\frac15(M-L)$ up to a constant afterwards.
# ```
#
# ```{solution} exercise-adam-one-point
# :class: dropdown
#
# With $a=e^{M-L}$, $\dot w_1=2/(2+a)$ and $\dot w_2=1/(1+a)$. So $\dot w_1-\dot w_2=a/(2+a)(1+a)$ and $\dot M=4/(2+a)+1/(1+a)=(6+5a)/(2+a)(1+a)$, and $\frac{d(w_1-w_2)}{dM}=\frac a{6+5a}$. With $dM=da/a$ the difference is $\frac15\ln\frac{6+5a}{6+5e^{-L}}$. For $a\le1$ this is at most $\frac15\ln\frac{11}6$, and for large $a$ it is $\frac15(\ln a+\ln\frac56)$ up to what vanishes.
# ```
#
# ```{exercise} A larger ε
# :label: exercise-adam-epsilon
#
# Rerun the chapter with `epsilon = 0.0001`. How many steps does $\kappa=2$ take now, and does the ℓ∞ margin come nearer to the largest one or less near?
# ```
#
# ```{solution} exercise-adam-epsilon
# :class: dropdown
#
# The time to $\kappa=2$ is in proportion to $1/\varepsilon$, so it takes 10,000 times fewer steps. The ℓ∞ margin comes less near, because with $L=9.2$ in place of 18.4 the weights are half as large when the loss reaches $\varepsilon$, and a margin misses its limit by something over the size of the weights.
# ```
#
# ## Where to go next
#
# ```{next}
# The chapter on {doc}`optimizers and margins <optimizers_and_margins>` has Adam without its ε beside gradient descent and Muon, for several classes. That on {doc}`linear classifiers <../linear/max_margin>` has gradient descent alone, to which the last piece of the path belongs.
# ```
#
# ## References
#
# {cite:t}`zhang2024` and {cite:t}`wang2021` have the two ends, and {cite:t}`kingma2015` the optimizer.
