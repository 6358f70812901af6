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
# # With fixed directions and steps divided by the loss, the margin gap falls at least like 1/t, with momentum like 1/t²
#
# ```{question}
# ```
#
# A ReLU network of {glue:text}`rates_m` neurons separates {glue:text}`rates_n` points in {glue:text}`rates_d` dimensions. Its directions stay as drawn, and gradient descent on the exponential loss trains the output weights. They turn to the classifier of largest {term}`margin`, but ever more slowly, because the gradient fades with the loss ({doc}`like one over the logarithm of time <../linear/max_margin>`). After 10,000 steps of the fixed size $1/R^2$ on the loss ($R$: the longest signed feature) the margin is {glue:text}`rates_gap_fixed` short of the largest. Now divide the step size by the loss. After 10,000 steps {glue:text}`rates_gap_tens` is missing (computed before training: {glue:text}`rates_gap_tens_p`). With momentum it is {glue:text}`rates_gap_momentum` after 1,000.
#
# Why? Divided by the loss, the gradient is a weighted mean of the signed features, and the points with the smallest margins weigh most. These weights follow mirror descent on half the squared length of that mean. It is convex and smooth, so it is minimized like $1/t$, with Nesterov's momentum like $1/t^2$.
#
# ```{hero}
# ```
#
# ## The statement
#
# The network is $f(x)=\frac1{\sqrt m}\sum_jc_j\phi_j(x)$ with $m$ fixed features, for example $\phi_j(x)=(\theta_j\cdot x)_+$. All that training sees of the $n$ points are the rows $\tilde z_i=\frac{y_i}{\sqrt m}(\phi_1(x_i),\dots,\phi_m(x_i))$ of the {term}`signed features <signed feature>`. The margin of point $i$ is $\tilde z_i\cdot c$, and the largest one for weights of length one is
#
# $$\gamma_2=\max_{\|c\|\le1}\min_i\tilde z_i\cdot c=\min_p\Bigl\|\sum_ip_i\tilde z_i\Bigr\| ,$$
#
# where $p$ ranges over nonnegative weights of sum one. The minimizing weights $p^*$ are those of the {term}`support vectors <support vector>`, up to scale. Let $R$ be the length of the longest $\tilde z_i$. We move $c$ along the gradient of the {term}`smooth margin` $S(c)=-\ln\frac1n\sum_ie^{-\tilde z_i\cdot c}$, which is minus the logarithm of the loss, from $c(0)=0$:
#
# ```{math}
# :label: rates-steps
# \begin{gathered}c\leftarrow c+\frac1{R^2}\sum_ip_i\tilde z_i,\\p_i\propto e^{-\tilde z_i\cdot c} .\end{gathered}
# ```
#
# This is gradient descent on the exponential loss with the step size $1/R^2$ over the loss. If $\gamma_2>0$, then after $t\ge1$ steps, at the last step and not only at the best one,
#
# ```{math}
# :label: rates-one-over-t
# \begin{aligned}\text{gap}(t)&=\gamma_2-\min_i\tilde z_i\cdot\frac{c(t)}{\|c(t)\|}\\&\le\frac{R^2\,(\ln n+\frac12)}{\gamma_2\,t} .\end{aligned}
# ```
#
# How much of this bound is used? If $p^*$ is unique, the limit is known:
#
# ```{math}
# :label: rates-law
# \begin{gathered}t\cdot\text{gap}(t)\;\to\;\frac{R^2}{\gamma_2}\,\Lambda,\\\Lambda=\underbrace{\sum_ip^*_i\ln\frac1{p^*_i}}_{\text{entropy}}-\underbrace{\ln\frac1{\max_ip^*_i}}_{\text{min-entropy}} .\end{gathered}
# ```
#
# The *unevenness* $\Lambda$ is zero if all support vectors have the same weight, and positive otherwise. With the momentum of {prf:ref}`proposition-rates-momentum` the bound is $4R^2\ln n/(\gamma_2\,t(t+1))$. The rates are those of Ji and Telgarsky (2021) and of Ji, Srebro and Telgarsky (2021) {cite}`ji2021primal,ji2021dual`. We derived the constants and {eq}`rates-law` ourselves. We have not compared them with those of the papers, whose theorems we have not read.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [gap of the output layer](law), ReLU features, after {glue:text}`rates_steps` steps, in units of $\gamma_2$ | {glue:text}`rates_law_p` | {glue:text}`rates_law_m` | | one point twice, so that $p^*$ is not unique: {glue:text}`rates_law_twice` |
# | [largest share of the bound](output) {eq}`rates-one-over-t` that a gap uses, all four sets, every $t$ | at most 1 | {glue:text}`rates_share_output` | fixed steps, not divided by the loss, to $t=$ {glue:text}`rates_short_run`: {glue:text}`rates_share_fixed` | |
# | [the same with momentum](momentum), bound of the order $1/t^2$ | at most 1 | {glue:text}`rates_share_momentum` | without momentum, to $t=$ {glue:text}`rates_shorter_run`: {glue:text}`rates_share_plain` | |
# ```
#
# The first row is about the ReLU features, and its claim covers four sets of features (see Experiment). On other draws of the points the measured number is up to 2.7 % above the predicted one, where the error allowed, which each draw computes anew, is larger too (see *Scope*). That momentum tends to the same $\Lambda$, at $1/t^2$, is derived without a full proof, and we observe it on all four. The next two rows are proved, so only an error in the proof or in our code could break them. The bound {eq}`rates-one-over-t` is at most {glue:text}`rates_factor` times the gap in the end, on these four sets.
#
# **What to remember?** To come within one percent of the largest margin the ReLU network needs about {glue:text}`rates_need` steps by {eq}`rates-law`, at most {glue:text}`rates_need_bound` by {eq}`rates-one-over-t`, and about {glue:text}`rates_need_momentum` with momentum.
#
# If both weights of every neuron are trained, another margin is maximized, and the proved rate is slower. On the ReLU network all points are right only after about {glue:text}`rates_right` steps. After {glue:text}`rates_t_end` steps the bound on the gap is {glue:text}`rates_vacuous` times the margin itself, while the measured gap is {glue:text}`rates_short` of it (see *Both weights, and growing steps*).
#
# ## The smallest case
#
# Two points have the signed features $\tilde z_1=(1,a)$ and $\tilde z_2=(1,-b)$ with $0<a<b$. The largest margin is $1$, in the direction $(1,0)$, with the weights $p^*=(b,a)/(a+b)$. Every mean of the two rows has the first coordinate $1$, so after $t$ steps the first weight is $t/R^2$. The second weight stops moving when the mean is $(1,0)$, that is when $e^{-(a+b)c_2}=b/a$, at $c_2=-\frac1{a+b}\ln\frac ba$. The smaller margin is then $\tilde z_1\cdot c=t/R^2-\frac a{a+b}\ln\frac ba$. Divide by the length, which is $t/R^2$ up to a term of order $1/t$:
#
# $$\text{gap}(t)\approx\frac{R^2}t\cdot\frac a{a+b}\ln\frac ba .$$
#
# The last factor is $\Lambda$ for these weights. With $a=\frac14$ and $b=\frac94$ it is $0.1\ln9=0.22$, and the bound has $\ln2+\frac12=1.19$ in its place. The direction is never exactly right because $c_2$ does not go to zero. It only becomes small beside $c_1$.
#
# ## Experiment
#
# Four sets of features go through everything. *ReLU network*: $\phi_j(x)=\pm(\theta_j\cdot x)_+$ with half of the signs negative, Gaussian $x_i\in\mathbb R^d$, $\theta_j$ on the sphere, and the sign of the first coordinate as label. *Gaussian*: entries $N(0,1)$, of ten draws the one of least $\Lambda$, so that the constants differ. *Positive features*: uniform in $[0,1]$. *One strong feature*: uniform in $[0,1]$, but in $[0.9,1]$ for one feature. The last two are easy, since every feature is positive and votes for the right label. The first two are drawn again until the largest $\ell_1$ margin, $\gamma_1$ below, is at least $0.02$ of the largest entry.

# %% tags=["hide-input"]
import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.figures import style
from implicit_bias.flows import MultiplicativeAscent, ProjectedAscent, drive
from implicit_bias.limits.margin import MultiplicativeRate, ProjectedRate, l1_max_margin, max_margin, simplex_margin
from implicit_bias.losses import SmoothMargin
from reproduce.claims import Altered, Claims, rounding
from reproduce.claims.glued import glue_all

claims = Claims("margin_rates")

style.use_style()

# %% tags=["parameters"]
n: int = 10  # number of points n, in [3, 40]
m: int = 20  # number of fixed features m, in [8, 200]
d: int = 5  # dimension of the inputs of the ReLU network, in [2, 50]
steps: int = 30000  # steps of the output layer, momentum a tenth, in [10000, 400000]
t_end: int = 100000  # steps in which both weights are trained, in [50000, 1000000]
seed: int = 0  # seed of the streams of data and directions, in [0, 4294967295]
# where n <= m

# %% tags=["hide-input"]
data_stream, network_stream = np.random.default_rng(seed).spawn(2)
NAMES = ["one strong feature", "positive features", "ReLU network", "Gaussian"]
LEAST = 0.02  # of G


def relu_features(points, directions):
    """z_ij = ±y_i (θ_j·x_i)₊ with labels y_i = sign of the first coordinate and alternating signs of the neurons."""
    signs = np.where(np.arange(len(directions)) % 2, -1.0, 1.0)
    return np.sign(points[:, :1]) * signs * np.maximum(points @ directions.T, 0)


def wide_enough(features):
    """Whether the largest margin is not too small."""
    return simplex_margin(features).margin >= LEAST * np.abs(features).max()


def unevenness(p):
    """Λ, the entropy of weights minus their min-entropy."""
    p = p[p > 0] / p.sum()
    return np.log(p.max()) - p @ np.log(p)


strong = data_stream.uniform(0, 1, (n, m))  # stream: data
strong[:, 0] = data_stream.uniform(0.9, 1, n)  # stream: data
positive = data_stream.uniform(0, 1, (n, m))  # stream: data
inputs = data_stream.standard_normal((n, d))  # stream: data
directions = network_stream.standard_normal((m, d))
while not wide_enough(relu_features(inputs, directions)):
    inputs = data_stream.standard_normal((n, d))  # stream: data
    directions = network_stream.standard_normal((m, d))
directions /= np.linalg.norm(directions, axis=1)[:, None]
gaussians: list[np.ndarray] = []
while len(gaussians) < 10:
    drawn = data_stream.standard_normal((n, m))  # stream: data
    gaussians += [drawn] if wide_enough(drawn) else []
sets = np.array([strong, positive, relu_features(inputs, directions),
                 min(gaussians, key=lambda z: unevenness(max_margin(z).alpha))])
K = len(sets)

# %% [markdown]
# One function trains the output layer of all four sets side by side. With `momentum` a step moves along a running mean of the gradients, and the steps grow.

# %%
scaled = sets / np.sqrt(m)
R2 = (scaled**2).sum(axis=2).max(axis=1)
machines = [max_margin(z) for z in scaled]  # predict: γ₂ and p*
gamma2 = np.array([one.margin for one in machines])
uneven = np.array([unevenness(one.alpha) for one in machines])  # Λ


def gradient(c, rows):
    """∇S = Σ p_i z̃_i, the least margin and the loss, of each set."""
    margins = (rows @ c[:, :, None])[:, :, 0]
    least = margins.min(axis=1, keepdims=True)
    p = np.exp(least - margins)
    total = p.sum(axis=1, keepdims=True)
    mean = (p[:, None, :] @ rows)[:, 0] / total
    return mean, least[:, 0], np.exp(-least) * total / rows.shape[1]


def gaps(count, momentum=False, fixed=False, rows=scaled):
    """γ₂ minus the margin of c/‖c‖ after each of so many steps, of each set."""
    c = mean = np.zeros((K, m))
    (g, _, loss), found = gradient(c, rows), []
    for t in range(count):
        tau, weight = (2 / (t + 2), (t + 1) / 2) if momentum else (1.0, 1.0)
        # for contrast: fixed steps on the loss itself
        pace = (loss if fixed else weight) / R2[:, None]
        c = c + pace * ((1 - tau) * mean + tau * g)
        g, least, loss = gradient(c, rows)
        mean = (1 - tau) * mean + tau * g
        found.append(gamma2 - least / np.linalg.norm(c, axis=1))
    return np.array(found)


t = np.arange(1, steps + 1)[:, None]
s = t[: steps // 10]
plain, fast = gaps(steps), gaps(len(s), momentum=True)  # train
law = plain * t * gamma2 / R2  # compare with Λ
law_fast = fast * s * (s + 1) / 4 * gamma2 / R2
used = law.max(axis=0) / (np.log(n) + 0.5)  # of the bounds
used_fast = law_fast.max(axis=0) / np.log(n)
for row in zip(NAMES, uneven, law[-1], law_fast[-1], used, used_fast, strict=True):
    print("{:<18} Λ {:.4f}: {:.4f}, momentum {:.4f}; used {:.2f}, {:.2f}".format(*row))

# %% tags=["hide-input"]
output_rates = [ProjectedRate(z) for z in sets]
RELU = NAMES.index("ReLU network")
unit = R2[RELU] / gamma2[RELU] ** 2
need, need_fast = uneven[RELU] * unit / 0.01, np.sqrt(4 * uneven[RELU] * unit / 0.01)
# For contrast: fixed steps on the loss, and no momentum, against the bounds of the others. Premise broken: the point with
# the second largest weight twice. One optimal p* has all of the weight on the first copy, and its Λ is the old one.
slow = gaps(steps, fixed=True)
SHORT, SHORTER = 300, 50  # steps without the division, and without momentum, that break a bound
fixed_used = (slow * t * gamma2 / R2)[:SHORT].max(axis=0) / (np.log(n) + 0.5)
plain_used = (plain * t * (t + 1) / 4 * gamma2 / R2)[:SHORTER].max(axis=0) / np.log(n)
doubled = np.array([np.vstack([z, z[np.argsort(one.alpha)[-2]]]) for z, one in zip(scaled, machines, strict=True)])
twice, twice_fast = gaps(steps, rows=doubled)[-1], gaps(len(s), momentum=True, rows=doubled)[-1]

# %% mystnb={"figure": {"caption": "Divide each step by the loss, and the gap to the largest margin falls like $1/t$, with momentum like $1/t^2$. Gap over the largest margin against the number of steps, on logarithmic axes. A gap above 1 means that a point is still on the wrong side. Blue: steps divided by the loss. Orange: the same with momentum, which runs a tenth of the steps. Dashed: their proved bounds, known before training. Grey: fixed steps, in the end like $1/\\ln t$. (a) The features of a ReLU network with random directions. (b) A Gaussian matrix as features. The marks are the numbers of steps after which one percent (dotted) is missing by the law (for momentum it is derived without a full proof).", "name": "figure-margin-rates"}, "image": {"alt": "Two panels alike, one for ReLU features and one for a Gaussian matrix. On logarithmic axes the gap of plain steps falls with slope minus one, that with momentum with slope minus two, each below and parallel to its dashed bound, and that of fixed steps falls ever more slowly.", "classes": "panels-2"}} tags=["hero", "hide-input"]
blue, red, orange, grey = (style.COLORS[name] for name in ("blue", "red", "orange", "grey"))
at = np.unique(np.geomspace(1, steps, 200).astype(int)) - 1
few = at[at < len(s)]
for ax, k, title in zip(style.panels(2, (9.6, 4.4)), (RELU, NAMES.index("Gaussian")), ("(a) ReLU features", "(b) a Gaussian matrix"), strict=True):
    scale = R2[k] / gamma2[k] ** 2
    ax.loglog(at + 1, slow[at, k] / gamma2[k], color=grey)
    for found, seen, bound, many, color in ((plain, at, (np.log(n) + 0.5) / (at + 1), uneven[k] * scale / 0.01, blue),
                                            (fast, few, 4 * np.log(n) / (few + 1.0) / (few + 2), np.sqrt(4 * uneven[k] * scale / 0.01), orange)):
        ax.loglog(seen + 1, found[seen, k] / gamma2[k], color=color)
        ax.loglog(seen + 1, scale * bound, "--", color=color)
        ax.plot(many, 0.01, "|", color=color, markersize=14, markeredgewidth=2)
        place, side = ((6, 5), "left") if color == blue and k != RELU else ((-6, -20), "right")
        ax.annotate(f"{float(f'{many:.2g}'):,.0f}", (many, 0.01), place, textcoords="offset points", ha=side, color=color)
    ax.axhline(0.01, color="black", linestyle=":", linewidth=1)
    ax.annotate("one percent", (1, 0.0115))
    ax.annotate("fixed steps", (steps, 5 * slow[-1, k] / gamma2[k]), ha="right", color=grey)
    ax.annotate("divided by\nthe loss", (steps, 0.0012 if k == RELU else 0.00012), ha="right", color=blue)
    ax.annotate("with\nmomentum", (steps / 900, 0.0006), ha="right", color="#a87400")
    ax.annotate("dashed:\nproved bounds", (steps, 2.5), ha="right")
    ax.set(xlabel="steps $t$", ylabel="gap over the largest margin", title=title, ylim=(1e-4, 10))
plt.show()

# %% [markdown]
# The second figure looks at the constant. If the gap is $R^2\Lambda/(\gamma_2t)$ in the end, then $t\cdot\text{gap}\cdot\gamma_2/R^2$ levels off at $\Lambda$.

# %% mystnb={"figure": {"caption": "The constant of the gap is known before training. The gap with steps divided by the loss, times $t\\gamma_2/R^2$, for four sets of features, and the constant $\\Lambda$ to which it tends (dashed).", "name": "figure-margin-rates-constant"}, "image": {"alt": "Four curves of the gap times the number of steps rise, bend and level off at four dashed lines.", "classes": "panels-1"}} tags=["hide-input"]
ax = style.panels(1, (5.6, 3.9))[0]
for k, color in enumerate((style.COLORS["purple"], style.COLORS["green"], blue, red)):
    ax.semilogx(at + 1, law[at, k], color=color, linewidth=3.5 if k == RELU else None)
    ax.plot([steps, 8 * steps], [uneven[k]] * 2, **style.THEORY)
    ax.annotate(NAMES[k], (8 * steps, uneven[k] + (0.04 if k in (0, 3) else -0.04)), color=color, ha="right", va="center")
ax.annotate("dashed: $\\Lambda$, before training", (8 * steps, 0.03), ha="right")
ax.set(xlabel="steps $t$", ylabel=r"$t\cdot$gap$\,\cdot\gamma_2/R^2$", ylim=(0, 1))
plt.show()

# %% [markdown]
# ## Theory
#
# ### The output layer
#
# That $\gamma_2$ is a maximum and a minimum is the minimax theorem: $\max_{\|c\|\le1}\min_p p\cdot\tilde Zc=\min_p\|\tilde Z^\top p\|$, where $\tilde Z$ has the rows $\tilde z_i$. Write $q=\tilde Z^\top p$ and $\varphi(p)=\frac12\|\tilde Z^\top p\|^2$.
#
# ````{prf:proposition} The last step is within 1/t
# :label: proposition-rates-one-over-t
#
# Let $\gamma_2>0$, $c(0)=0$ and $c(t+1)=c(t)+\eta\,q(t)$ with $0<\eta\le1/R^2$. For every $t\ge1$
#
# ```{math}
# :label: rates-length
# \begin{aligned}\text{gap}(t)&\le\frac{\ln n+\eta\,(\varphi(p(0))-\frac12\gamma_2^2)}{\|c(t)\|}\\&\le\frac{\ln n+\frac12\eta R^2}{\eta\,\gamma_2\,t} .\end{aligned}
# ```
# ````
#
# ````{prf:proof}
# A step multiplies $p_i$ by $e^{-\eta(\tilde Zq)_i}$ and divides by the sum. This is mirror descent on $\varphi$ with the negative entropy as mirror map, because $\tilde Zq=\nabla\varphi(p)$. Let $p'$ be the next $p$, and let $K(p,p')$ be the relative entropy $\sum_ip_i\ln\frac{p_i}{p_i'}$.
#
# $$\begin{aligned}&S(t+1)-S(t)=\eta\|q\|^2-K(p,p'),\\
# &\varphi(p')-\varphi(p)-\nabla\varphi(p)\cdot(p'-p)\\&\qquad=\tfrac12\|\tilde Z^\top(p'-p)\|^2\\&\qquad\le\tfrac12R^2\|p'-p\|_1^2\le R^2K(p',p),\\
# &\nabla\varphi(p)\cdot(p'-p)\\&\qquad=-\tfrac1\eta\bigl(K(p,p')+K(p',p)\bigr).\end{aligned}$$
#
# The first and the last line are the definition of $p'$, and the end of the second is Pinsker's inequality. As $\eta R^2\le1$, the last two give $K(p,p')\le\eta(\varphi(p)-\varphi(p'))$. Sum the first line, from $S(0)=0$. With $N=\eta\sum_{s<t}\|q(s)\|$ and $\varphi\ge\frac12\gamma_2^2$
#
# $$\begin{aligned}S(t)&\ge\eta\sum_{s<t}\|q(s)\|^2\\&\qquad-\eta\bigl(\varphi(p(0))-\tfrac12\gamma_2^2\bigr)\\&\ge\gamma_2N-\eta\bigl(\varphi(p(0))-\tfrac12\gamma_2^2\bigr).\end{aligned}$$
#
# Now $\min_i\tilde z_i\cdot c\ge S-\ln n$ and $N\ge\|c(t)\|$, so $\gamma_2\|c\|-\min_i\tilde z_i\cdot c$ is at most the numerator in {eq}`rates-length`. Last, $\|c(t)\|\ge c(t)\cdot c^*=\eta\sum q(s)\cdot c^*\ge\eta\gamma_2t$ for the optimal direction $c^*$, and $\varphi\le\frac12R^2$. $\square$
# ````
#
# The argument is the primal and dual one of {cite:t}`ji2021primal`. The steps do not shrink, and the bound holds for every single $t$. A sharper number than {eq}`rates-one-over-t` is the first bound in {eq}`rates-length`, which needs only the length of the weights.
#
# ````{prf:proposition} The constant
# :label: proposition-rates-law
#
# Under the same hypotheses let $p^*$ be the only minimizer of $\varphi$ among the weights. Then $\eta\,\gamma_2\,t\cdot\text{gap}(t)\to\Lambda=\ln\max_ip^*_i-\sum_ip_i^*\ln p_i^*$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# By the proof above $\varphi$ decreases. The definition of $p'$ gives $\eta\,\nabla\varphi(p)\cdot(p'-p^*)=K(p^*,p)-K(p^*,p')-K(p',p)$. Smoothness and convexity give $\varphi(p')\le\varphi(p^*)+\nabla\varphi(p)\cdot(p'-p^*)+\frac1\eta K(p',p)$. Sum both:
#
# $$\eta\sum_{s=1}^{t}\bigl(\varphi(p(s))-\tfrac12\gamma_2^2\bigr)\le K(p^*,p(0))\le\ln n .$$
#
# So $\varphi(p(t))\to\frac12\gamma_2^2$, and $p(t)\to p^*$ because $p^*$ is the only minimizer.
#
# Since $\gamma_2c^*=\sum_ip_i^*\tilde z_i$, we have $\gamma_2\,c^*\cdot c=\sum_ip_i^*u_i$ with $u_i=\tilde z_i\cdot c$. As $p_i\propto e^{-u_i}$,
#
# $$\begin{aligned}\gamma_2\,c^*\cdot c-\min_iu_i&=\sum_ip_i^*\ln\frac{\max_kp_k}{p_i}\\&\to\ln\max_kp_k^*-\sum_ip_i^*\ln p_i^*=\Lambda .\end{aligned}$$
#
# It remains to replace $c^*\cdot c$ by $\|c\|$. Let $c_\perp$ be the part of $c$ at right angles to $c^*$. From $q\cdot c^*\ge\gamma_2$ it follows that $\|q-\gamma_2c^*\|^2\le\|q\|^2-\gamma_2^2=2(\varphi-\frac12\gamma_2^2)$, and the sum of these over all steps is finite. By the Cauchy–Schwarz inequality, applied to the steps after a fixed one, $\|c_\perp(t)\|^2=o(t)$. Also $c^*\cdot c(t)=\eta\gamma_2t+o(\sqrt t)$ in the same way. Hence $\|c\|-c^*\cdot c\le\|c_\perp\|^2/(2\,c^*\cdot c)\to0$ and $\|c\|/(\eta\gamma_2t)\to1$. Divide $\gamma_2\|c\|-\min_iu_i\to\Lambda$ by $\|c\|$. $\square$
# ````
#
# The proof needs no special start, so $\Lambda$ does not depend on it. What matters is the entropy of $p^*$ minus its min-entropy (the min-entropy is the Rényi entropy of order infinity). The two agree if all support vectors have one weight, and then the gap falls faster than $1/t$.
#
# ````{prf:proposition} Momentum
# :label: proposition-rates-momentum
#
# Let $\gamma_2>0$, $c(0)=g(0)=0$, $p(t)$ and $q(t)$ as before, $\tau_t=\frac2{t+2}$ and
#
# ```{math}
# :label: rates-momentum-steps
# \begin{aligned}&c(t+1)=c(t)\\&\quad+\frac{t+1}{2R^2}\bigl((1-\tau_t)g(t)+\tau_tq(t)\bigr),\\&g(t+1)=\\&\quad(1-\tau_t)g(t)+\tau_tq(t+1).\end{aligned}
# ```
#
# For every $t\ge1$
#
# ```{math}
# :label: rates-momentum
# \begin{aligned}\text{gap}(t)&\le\frac{\ln n}{\|c(t)\|}\\&\le\frac{4R^2\ln n}{\gamma_2\,t(t+1)} .\end{aligned}
# ```
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# This is Nesterov's method for $\varphi$ with the entropy. Let $a_t=\frac{t+1}{2R^2}$ and $A_t=\sum_{s<t}a_s=\frac{t(t+1)}{4R^2}$, so that $\tau_t=a_t/A_{t+1}$ and $a_t^2R^2\le A_{t+1}$. Let $x(t)$ be the weights with $g(t)=\tilde Z^\top x(t)$, $x(t+1)=(1-\tau_t)x(t)+\tau_tp(t+1)$, and $y(t)=(1-\tau_t)x(t)+\tau_tp(t)$, so that $c(t+1)=c(t)+a_t\tilde Z^\top y(t)$. Let $\ell_t(p)=\varphi(y)+\nabla\varphi(y)\cdot(p-y)\le\varphi(p)$ with $y=y(t)$, and
#
# $$\psi_t(p)=K(p,p(0))+\sum_{s<t}a_s\ell_s(p) .$$
#
# As $\ell_s(p)=p\cdot\tilde Z\tilde Z^\top y(s)-\varphi(y(s))$, the minimizer of $\psi_t$ is the softmin $p(t)$, and with $h_s=\tilde Z^\top y(s)$
#
# $$\min\psi_t=S(c(t))-\tfrac12\sum_{s<t}a_s\|h_s\|^2 .$$
#
# We show $A_t\varphi(x(t))\le\min\psi_t$ by induction. As $\psi_t(p)=\min\psi_t+K(p,p(t))$,
#
# $$\begin{aligned}\min\psi_{t+1}&\ge A_t\ell_t(x(t))+a_t\ell_t(p(t+1))\\&\qquad+K(p(t+1),p(t))\\&=A_{t+1}\ell_t(x(t+1))+K(p(t+1),p(t)).\end{aligned}$$
#
# And $x(t+1)-y(t)=\tau_t(p(t+1)-p(t))$, so $\varphi(x(t+1))\le\ell_t(x(t+1))+\tau_t^2R^2K(p(t+1),p(t))$ by Pinsker's inequality. Multiply by $A_{t+1}$ and use $A_{t+1}\tau_t^2R^2\le1$.
#
# Now $\varphi(x)\ge\frac12\gamma_2^2$, and $\|c(t)\|^2\le A_t\sum a_s\|h_s\|^2$. Therefore
#
# $$S(c(t))\ge\frac{A_t\gamma_2^2}2+\frac{\|c(t)\|^2}{2A_t}\ge\gamma_2\|c(t)\| ,$$
#
# and $\min_i\tilde z_i\cdot c\ge S-\ln n$. Last, $\|c\|\ge c\cdot c^*\ge\gamma_2A_t$. $\square$
# ````
#
# The form of the method is close to that of {cite:t}`ji2021dual`. *Derived without a full proof*: if also here $p(t)\to p^*$ and $\|c_\perp\|^2$ is small against $A_t$, the proof of {prf:ref}`proposition-rates-law` gives $\gamma_2A_t\cdot\text{gap}(t)\to\Lambda$, four times the constant at $1/t^2$. The runs agree.
#
# ## Claims
#
# Each box is a {term}`claim`. It says what theory predicts, what was measured, by how much they may differ and why.
#
# ```{claim} law
# :headline: Λ measured as t · gap · γ₂/R², four sets
# :evidence: trained and compared
# :because: what is left at the end: what the second half of the steps changes, the largest of all sets,
#   relative to the largest Λ
# :control: the point with the second largest weight twice, so that p* is not unique; one p* has the same Λ
#
# the gap of the output layer times t γ₂/R² tends to the entropy of the support vectors' weights minus
# their min-entropy
# ```
#
# ```{claim} momentum_law
# :headline: Λ measured as t(t + 1) · gap with momentum · γ₂/(4R²), four sets
# :source: derived in this chapter without a full proof
# :evidence: trained and compared
# :because: what is left at the end: what the second half of the steps changes, the largest of all sets,
#   relative to the largest Λ
# :control: the point with the second largest weight twice, so that p* is not unique; one p* has the same Λ
#
# the gap with momentum times t(t + 1) γ₂/(4R²) ends near the same number, which no proof says
# ```
#
# ```{claim} output
# :headline: gap of the ℓ2 margin over its bound of order 1/t, the largest of all t
# :evidence: proved here
# :because: proved for every t, and far from equality: the rounding of the margins, 1e-12 of R, is nothing
#   beside what is left
# :contrast: fixed steps, not divided by the loss, the first {SHORT} of them
#
# output weights trained: at every t the gap is below its bound, which is known before training
# ```
#
# ```{claim} momentum
# :evidence: proved here
# :because: proved for every t, and far from equality
# :contrast: no momentum, the first {SHORTER} steps
#
# output weights trained with momentum: at every t the gap is below its bound
# ```

# %% tags=["hide-input"]
derived_left, derived_left_fast = (np.abs(run[-1] - run[len(run) // 2 - 1]).max() / uneven.max() for run in (law, law_fast))
claims.limit("law", uneven, law[-1], relative=True, error=derived_left, control=twice * steps * gamma2 / R2)
claims.limit("momentum_law", uneven, law_fast[-1], relative=True, error=derived_left_fast,
             control=twice_fast * len(s) * (len(s) + 1) / 4 * gamma2 / R2)
claims.below("output",
             1.0,  # mutant: a bound with room
             used, proved=0.0, control=fixed_used, fill={"SHORT": SHORT})
claims.below("momentum",
             1.0,  # mutant: a bound with room
             used_fast, proved=0.0, control=plain_used, fill={"SHORTER": SHORTER})

# %% [markdown]
# ## Both weights, and growing steps
#
# If both weights of every neuron are trained, the network maximizes another margin, and the proved rate is $\ln t/\sqrt t$. For the output layer with the growing steps of {cite:t}`chizat2020` it is $1/\sqrt t$. We make both bounds of that paper sharper and computable before training, and test them at every step.
#
# ```{fold} the two theorems of the source, sharper
# ```
#
# Now both weights of every neuron grow, and its direction still stays: $f(x)=\frac1m\sum_jr_j^2\phi_j(x)$. Such a network maximizes another margin, with $a_j=r_j^2/m$ and the unscaled rows $z_i=y_i(\phi_1(x_i),\dots,\phi_m(x_i))$,
#
# $$\gamma_1=\max_{a\ge0,\;\|a\|_1=1}\;\min_iz_i\cdot a .$$
#
# The steps $r\leftarrow r+\eta\,m\,\nabla_rS$ multiply the weights. This makes $a/\|a\|_1$ follow the {term}`multiplicative weights` method. With $\eta=1/(16G\sqrt{t+1})$, where $G=\max|z_{ij}|$, the gap is known to be at most of the order $\ln t/\sqrt t$ for the best step before $t$ {cite}`chizat2020`, and we measure that gap. Because the weights overflow, we store directions and the logarithm of the length $\beta=\|a\|_1$. For contrast, two networks start at $r_j=0$ for the features that the optimum $a^*$ uses, and a weight of zero stays zero.

# %% tags=["hide-input"]
EVERY = 8000  # up to here each step is recorded, then one in a hundred
until = np.unique(np.append(np.arange(1, EVERY + 1), np.geomspace(EVERY, t_end - 1, 400).astype(int)))
# mutant: a bound with room
after = np.append(0, until) + 1  # the gap at t counts s < t: what is recorded at step s is the gap at s + 1


def ascend(stepper, start, record=until):
    """The driver's run: directions, ln β and best margins at the recorded steps, one row a step."""
    return stepper.read(drive(stepper, start, t_end=float(record[-1]), record=record.astype(float)).demand().theta)


def share(best, gamma, bound):
    """The gap over its bound, the largest of all t = 1, …, t_end: between records the last best margin counts."""
    # mutant(np.searchsorted… → np.searchsorted(after, np.arange(1, t_end + 1), side='right') - 2): a bound with room
    last = np.searchsorted(after, np.arange(1, t_end + 1), side="right") - 1
    return np.array([((g - margins[last]) / most).max() for margins, g, most in zip(best.T, gamma, bound, strict=True)])


# %%
rates = [MultiplicativeRate(z) for z in sets]
gamma1 = np.array([rate.answer.margin for rate in rates])
bound1 = np.array([rate.bound(t_end) for rate in rates])  # predict
hidden = np.array([rate.answer.a == 0.0 for rate in rates[:2]]) * 1.0  # r(0), control
pair = MultiplicativeAscent(np.concatenate([sets, sets[:2]]))
a, log_beta, best = ascend(pair, np.append(np.ones(K * m), hidden))  # train
b, log_beta2, best2 = ascend(ProjectedAscent(sets), np.zeros(K * m))  # instruments
share1 = share(best[:, :K], gamma1, bound1)  # compare
for name, one, end in zip(NAMES, share1, bound1[:, -1] / gamma1, strict=True):
    print(f"{name:<19} gap over bound up to {one:.2f}; bound over γ₁ {end:.2f}")

# %% mystnb={"figure": {"caption": "With both weights trained the proved bound says something on easy features and nothing yet on the ReLU network. Gap of the $\\ell_1$ margin, the best so far (blue), and its bound, the least so far (dashed). Above the dotted line, $\\gamma_1$, a bound says nothing. (a) One strong feature. Red: a start at zero on the features of the optimum, which crosses the bound. (b) The ReLU network.", "name": "figure-margin-rates-both"}, "image": {"alt": "Two panels of gap against steps on logarithmic axes. Left: the gap falls far below the dashed bound, and the control stays level and crosses it. Right: the bound stays above the dotted line, and the gap falls below it only slowly.", "classes": "panels-2"}} tags=["hide-input"]
shown = np.unique(np.geomspace(1, t_end, 300).astype(int))
for ax, k, title in zip(style.panels(2, (9.6, 3.9)), (0, RELU), ("(a) one strong feature", "(b) ReLU network"), strict=True):
    style.theory(ax, shown, np.minimum.accumulate(bound1[k])[shown - 1])
    gap = gamma1[k] - best[:, k]
    ax.loglog(after[gap > 1e-12], gap[gap > 1e-12], color=blue)
    if k == 0:
        ax.loglog(after, gamma1[0] - best[:, K], color=red)
        ax.annotate("start 0 on the\noptimal features", (1.5, 0.6 * (gamma1[0] - best[0, K])), color=red, va="top")
    ax.axhline(gamma1[k], color="black", linestyle=":", linewidth=1)
    ax.set(xlabel="steps $t$", ylabel=r"gap of the $\ell_1$ margin", title=title, ylim=(gap[gap > 1e-12].min() / 3, None))
plt.show()

# %% [markdown]
# ### Both weights
#
# ```{prf:theorem} Chizat & Bach 2020, both weights
# :label: theorem-rates-both
#
# From a uniform start, $r_j(0)$ the same for all $j$, with $\eta(t)=1/(16G\sqrt{t+1})$ and $\gamma_1>0$, the best gap before $t$ is
#
# $$\begin{aligned}\min_{s<t}\text{gap}(s)\le\;&\frac G{\sqrt t}(8\ln m+\ln t+1)\\&+\frac{4B\ln n}{\sqrt t}\end{aligned}$$
#
# with some $B<\infty$.
# ```
#
# Sharper constants follow from the same idea, with the length kept. Write $A_t=\sum_{k\le t}\frac1{\sqrt k}$ and $H_t=\sum_{k\le t}\frac1k$, and $\bar a=a/\beta$.
#
# ```{prf:lemma} One step
# :label: lemma-rates-step
#
# Let $p_i\propto e^{-u_i}$ with $u=Za$, let $g=Z^\top p$, and let $a^*$ attain the largest margin $\gamma$. At every time
#
# $$\gamma-\min_iz_i\cdot\bar a\le g\cdot(a^*-\bar a)+\frac{\ln n}\beta .$$
#
# Moreover $g\cdot a^*\ge\gamma$ and $g\cdot\bar a\le\min_iz_i\cdot\bar a+\frac{\ln n}\beta$.
# ```
#
# ```{prf:proof}
# $S_\beta(v)=\frac1\beta S(\beta v)$, the smooth margin as a function of the margins, is concave, its gradient at $v=Z\bar a$ is $p$, and $\min_iv_i\le S_\beta(v)\le\min_iv_i+\frac{\ln n}\beta$. Hence
# $\gamma\le S_\beta(Za^*)\le S_\beta(Z\bar a)+g\cdot(a^*-\bar a)$. As $p$ is a mean, $g\cdot a^*=p\cdot Za^*\ge\gamma$. As $S_\beta$ is concave with $S_\beta(0)=0$, $g\cdot\bar a=p\cdot v\le S_\beta(v)$. $\square$
# ```
#
# ````{prf:proposition} Both weights, sharper
# :label: proposition-rates-both
#
# Let $\gamma_1>0$, and let all $r_j(0)$ be the same, or let $r(0)$ be any start with the divergence $D=\sum_ja^*_j\ln\frac{a^*_j}{\bar a_j(0)}<\infty$. Then with $\eta(t)=1/(16G\sqrt{t+1})$, for every $t\ge1$,
#
# ```{math}
# :label: rates-both-weights
# \begin{aligned}\min_{s<t}\text{gap}(s)&\le\frac{G\bigl(4D+\frac3{16}H_t\bigr)+B(t)\ln n}{A_t},\\B(t)&=\sum_{s<t}\frac1{\beta(s)\sqrt{s+1}} .\end{aligned}
# ```
#
# From a uniform start $D=\ln m-\sum_ja^*_j\ln\frac1{a^*_j}\le\ln m$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# $\partial_{r_j}S=\frac2mr_jg_j$, so that a step is $r_j\leftarrow r_j(1+2\eta g_j)$, that is
#
# ```{math}
# :label: rates-multiplicative
# a_j\leftarrow a_j(1+2\eta g_j)^2 :
# ```
#
# multiplicative weights. Let $D(s)$ be the divergence of $a^*$ from $\bar a(s)$ and $W=\sum_j\bar a_j(1+2\eta g_j)^2$, the factor by which $\beta$ grows. Then
#
# $$\begin{aligned}&D(s+1)-D(s)\\&=\ln W-2\sum_ja^*_j\ln(1+2\eta g_j).\end{aligned}$$
#
# As $|g_j|\le G$, $|2\eta g_j|\le\frac18$. With $\ln W\le W-1\le4\eta\,g\cdot\bar a+4\eta^2G^2$ and $\ln(1+x)\ge x-x^2$ for $|x|\le\frac12$,
#
# $$\begin{aligned}&D(s+1)-D(s)\\&\le-4\eta\,g\cdot(a^*-\bar a)+12\eta^2G^2 .\end{aligned}$$
#
# Divide by $4$, sum, use $D(t)\ge0$ and {prf:ref}`lemma-rates-step`:
#
# $$\begin{aligned}&\sum_{s<t}\eta_s\bigl(\gamma_1-\min_iz_i\cdot\bar a(s)\bigr)\\
# &\le\frac D4+3G^2\sum\eta_s^2+\ln n\sum\frac{\eta_s}{\beta(s)} .\end{aligned}$$
#
# The best gap is at most the mean with the weights $\eta_s$. Here $\sum\eta_s=\frac{A_t}{16G}$ and $\sum\eta_s^2=\frac{H_t}{256G^2}$: divide. $\square$
# ````
#
# The source uses $A_t\ge\sqrt t$, while $A_t\approx2\sqrt t$, and has $8\ln m$ for $4D$ and $\ln t+1$ for $\frac3{16}H_t$. The only quantity in {eq}`rates-both-weights` that depends on the run is the length $\beta$, and it can be bounded from the data, from both sides.
#
# ````{prf:proposition} How fast the weights grow, both weights
# :label: proposition-rates-growth
#
# Under the hypotheses of {prf:ref}`proposition-rates-both` and for every $a'\ge0$ of sum $1$, with the divergence $D'$ from $\bar a(0)$ and the margin $\gamma'=\min_iz_i\cdot a'$,
#
# ```{math}
# :label: rates-growth
# \begin{aligned}&\tfrac{\gamma'}{4G}A_t-D'-\tfrac1{32}H_t\\&\le\ln\tfrac{\beta(t)}{\beta(0)}\\&\le\tfrac{\gamma_1}{4G}A_t+\tfrac{\ln n}{4G}B(t)+\tfrac1{64}H_t .\end{aligned}
# ```
#
# If $\gamma_1>0$, then $B(\infty)<\infty$, and $\frac{4G\ln\beta(t)}{A_t}\to\gamma_1$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# As above, $\ln W=D'(s+1)-D'(s)+2\sum_ja'_j\ln(1+2\eta g_j)\ge D'(s+1)-D'(s)+4\eta\,g\cdot a'-8\eta^2G^2$, and $g\cdot a'\ge\gamma'$. Sum and use $D'(t)\ge0$.
# On the other side $\ln W\le4\eta\,g\cdot\bar a+4\eta^2G^2$ and $g\cdot\bar a\le\gamma_1+\frac{\ln n}\beta$ by {prf:ref}`lemma-rates-step`. With $a'=a^*$ the lower bound makes $1/\beta$ summable. $\square$
# ````
#
# Let $\hat\beta$ be the lower bound, the best of a few $a'$ between the uniform one and $a^*$. With it {eq}`rates-both-weights` is a number that the data alone give. The proposition says more: the mere length of the weights tells the largest margin.
#
# ### The output layer with growing steps
#
# The source trains the output layer with steps that grow with the weights. In the notation of the first section they are $c\leftarrow c+\epsilon_t\beta(t)\,q$, where $\epsilon_t=\frac{\sqrt2}{G\sqrt{t+1}}$ and $\beta(t)=\max\{1,\max_{s\le t}\|c(s)\|\}$. Here the gap is that of $b=c/\beta$, $\text{gap}_b(t)=\gamma_2-\min_i\tilde z_i\cdot b(t)$. Because $\|b\|\le1$, the gap of $c/\|c\|$ is no larger where the margin is positive.
#
# ```{prf:theorem} Chizat & Bach 2020, output only
# :label: theorem-rates-output
#
# Let $\gamma_2>0$. From $c(0)=0$, with these steps, the best gap of $b=c/\beta$ before $t\ge1$ is
#
# $$\min_{s<t}\text{gap}_b(s)\le\frac G{\sqrt t}\Bigl(2\sqrt2+\frac{\sqrt3\ln n}{\gamma_2}\Bigr).$$
# ```
#
# ````{prf:proposition} Output only with growing steps, sharper
# :label: proposition-rates-output
#
# Under the hypotheses of {prf:ref}`theorem-rates-output` $b=c/\beta$ follows projected gradient ascent on the unit ball, and for every $t\ge1$
#
# ```{math}
# :label: rates-output-only
# \min_{s<t}\text{gap}_b(s)\le\frac G{\sqrt2}\,\frac{\sqrt t-\frac12+A_t}t+\frac{\ln n}t\sum_{s<t}\frac1{\beta(s)} .
# ```
#
# With $k=\sqrt2\,\gamma_2/G$ the length obeys $\beta(t)\ge k\sum_{s<t}\frac{\beta(s)}{\sqrt{s+1}}$ and
# $\ln\beta(t)\le kA_t+\frac{\sqrt2}G\ln n\sum_{s<t}\frac1{\beta(s)\sqrt{s+1}}+H_t$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# Let $c=\sqrt m\,a$, $q=g/\sqrt m$, so that $\|q\|\le G$ and $g\cdot a=q\cdot c$. A step is $c\leftarrow c+\eta q$, and as $b=c/\beta$,
#
# ```{math}
# :label: rates-projected
# \begin{aligned}b&\leftarrow\frac{b+\epsilon q}{\max\{1,\|b+\epsilon q\|\}},\\\epsilon&=\frac{\sqrt2}{G\sqrt{s+1}} :\end{aligned}
# ```
#
# the new $\beta$ is $\beta\max\{1,\|b+\epsilon q\|\}$. This is the projection on the unit ball. With $c^*=\sqrt ma^*$ and $\Delta_s=\|b(s)-c^*\|^2$, projection brings nearer, so that
#
# $$q\cdot(c^*-b)\le\frac{\Delta_s-\Delta_{s+1}}{2\epsilon_s}+\frac{\epsilon_s}2G^2 .$$
#
# $c(s)$ is a sum of positive multiples of earlier $q$, each with $q\cdot c^*\ge\gamma_2$: hence $b\cdot c^*\ge0$ and $\Delta_s\le2$, and $\Delta_0\le1$. Sum over $s<t$; by parts
#
# $$\begin{aligned}&\sum\frac{\Delta_s-\Delta_{s+1}}{2\epsilon_s}\\&\le\frac1{2\epsilon_0}+\sum_{s=1}^{t-1}\Bigl(\frac1{\epsilon_s}-\frac1{\epsilon_{s-1}}\Bigr)\\&=\frac G{\sqrt2}\Bigl(\sqrt t-\frac12\Bigr),\end{aligned}$$
#
# and $\frac{G^2}2\sum\epsilon_s=\frac G{\sqrt2}A_t$. Divide by $t$ and use {prf:ref}`lemma-rates-step`. For the length, $\|c(t)\|\ge c(t)\cdot c^*=\sum\beta(s)\epsilon_s\,q\cdot c^*\ge k\sum\frac{\beta(s)}{\sqrt{s+1}}$. On the other side
# $\|b+\epsilon q\|^2\le1+2\epsilon(\gamma_2+\frac{\ln n}\beta)+\epsilon^2G^2$ and $\ln\sqrt{1+x}\le\frac x2$. $\square$
# ````
#
# The theorem follows: as $\beta(s)\ge kA_s\ge k\sqrt s$ for $s\ge1$, $\sum_{s<t}\frac1{\beta(s)}\le1+\frac{2\sqrt t-1}k\le\frac{\sqrt6}k\sqrt t=\frac{\sqrt3\,G}{\gamma_2}\sqrt t$, for $\gamma_2\le G$ means $k\le\sqrt2<\sqrt6-1$. For the ReLU network the bound of the theorem is still {glue:text}`rates_source` times the margin itself after {glue:text}`rates_steps` steps. Growing steps are not needed for a rate: constant ones have the better one.
#
# ```{claim} both
# :evidence: proved here
# :because: proved for every t, and far from equality: the rounding of the margins, 1e-12 of G, is nothing
#   beside what is left
# :control: a start that vanishes on the features of a*, D = ∞
#
# both weights trained: at every t the gap is below its bound, which is known before training
# ```

# %% tags=["hide-input"]
crossed = np.maximum.accumulate(np.einsum("knm,tkm->tkn", sets, a[:, :K]).min(axis=2) / (np.sqrt(m) * np.linalg.norm(a[:, :K], axis=2)))
bound2 = np.array([rate.bound(t_end) for rate in output_rates])
claims.below("both",
             1.0,  # mutant: a bound with room
             share1, proved=0.0, control=share(best[:, K:], gamma1[:2], bound1[:2]))


relative, relative_fast = 100 * plain[:, RELU] / gamma2[RELU], 100 * fast[:, RELU] / gamma2[RELU]
glue_all("rates", n=n, m=m, d=d, steps=f"{steps:,}", t_end=f"{t_end:,}", gap_tens=f"{relative[9999]:.2g} %", gap_fixed=f"{100 * slow[9999, RELU] / gamma2[RELU]:.0f} %", gap_tens_p=f"{need / 1e4:.2g} %",
         gap_momentum=f"{relative_fast[999]:.2g} %", law_p=f"{need / steps:.3f} %",
         law_m=f"{relative[-1]:.3f} %", law_twice=f"{100 * twice[RELU] / gamma2[RELU]:.3f} %", short_run=str(SHORT), shorter_run=str(SHORTER),
         need=f"{round(need, -3):,.0f}", need_bound=f"{round((np.log(n) + 0.5) * unit / 0.01, -3):,.0f}",
         need_momentum=f"{round(need_fast, -1):,.0f}", right=f"{float(f'{after[np.argmax(best[:, RELU] > 0)]:.1g}'):,.0f}",
         short=f"{100 * (1 - best[-1, RELU] / gamma1[RELU]):.0f} %")
glue_all("rates", ".2f", share_output=used.max(), share_fixed=fixed_used.max(), share_momentum=used_fast.max(), share_plain=plain_used.max())
glue_all("rates", ".1f", source=output_rates[RELU].paper(steps)[-1] / gamma2[RELU], vacuous=bound1[RELU, -1] / gamma1[RELU], factor=(np.log(n) + 0.5) / uneven.min())

# %% [markdown]
# ## Instruments
#
# We check the source's steps of the output layer, the length of the weights, the two reductions, the solver and the constants.
#
# ```{claim} growing_steps
# :source: Chizat & Bach 2020, Section 5, sharper
# :evidence: proved here
# :because: proved for every t, and far from equality: the rounding of the margins, 1e-12 of G, is nothing
#   beside what is left
# :contrast: both weights trained: other dynamics, the same features
#
# output weights trained with the source's growing steps: at every t the gap is below its bound of order 1/√t
# ```
#
# ```{claim} length
# :evidence: proved here
# :because: the proved interval of ln β at the end, computed from the data, of the two sets of positive features
# :control: a start that vanishes on the features of a*
#
# 4‖z‖∞ ln β/A_t tends to the largest ℓ1 margin
# ```
#
# ```{claim} grows
# :evidence: proved here
# :because: proved; as long as output weights are shorter than one, ln β and its bound both are 0, exactly, and
#   then they part by far more than rounding
# :contrast: steps a tenth shorter
#
# ln β is at least its bound at every recorded step
# ```
#
# ```{claim} grows_no_faster
# :evidence: proved here
# :because: proved, and far from equality: the rounding of a sum of logarithms is nothing beside what is left
# :contrast: steps longer by half
#
# ln β is below its bound at every recorded step
# ```

# %% tags=["hide-input"]
claims.below("growing_steps",
             1.0,  # mutant: a bound with room
             share(best2, gamma2, bound2), proved=0.0, control=share(crossed, gamma2, bound2))
# mutant(/; 1; 1.0): a bound with room
root = (1 / np.sqrt(np.arange(1.0, t_end))).sum()  # A_t at the last step recorded
size = np.array([rate.size for rate in rates])
# mutant(1; 4 * np.append(size, size[:2]) → 4…): a bound with room
told = 4 * np.append(size, size[:2]) * log_beta[-1] / root
interval = [4 * rate.size * end(t_end - 1)[-1] / root - rate.answer.margin for rate in rates[:2]
            for end in (rate.least_log_beta, rate.most_log_beta)]
claims.limit("length", gamma1[:2], told[:2], proved=np.abs(interval).max(), control=told[K:])
short_growth, long_growth = (
    np.hstack([
        ascend(MultiplicativeAscent(sets, scale=factor / 16), np.ones(K * m), until[:EVERY])[1][-1],
        ascend(ProjectedAscent(sets, scale=factor * np.sqrt(2)), np.zeros(K * m), until[:EVERY])[1][-1]])
    for factor in (0.9, 1.5))
lengths = np.hstack([log_beta[1:, :K], log_beta2[1:]])
lower, upper = (np.array([getattr(rate, side)(t_end - 1)[until] for rate in (*rates, *output_rates)]).T
                for side in ("least_log_beta", "most_log_beta"))
claims.above("grows", 0.0,
             (lengths - lower).min(axis=0),  # mutant(0): a bound with room
             proved=0.0, control=short_growth - lower[EVERY - 1])
claims.below("grows_no_faster",
             0.0,  # mutant: a bound with room
             (lengths - upper).max(axis=0),  # mutant(0): a bound with room
             proved=0.0, control=long_growth - upper[EVERY - 1])

# %% [markdown]
# The first steps in $r$ itself, by the chain rule from the smooth margin's gradient, against {eq}`rates-multiplicative` and {eq}`rates-projected` in their logarithms.
#
# ```{claim} multiplicative
# :evidence: trained and compared
# :because: rounding of each step, and of the margins times β, by which a step is wrong by as much times 4ηG
# :control: exponential steps
#
# gradient ascent in both weights is the multiplicative weights method
# ```
#
# ```{claim} projected
# :evidence: trained and compared
# :because: rounding of each step, and of the margins times β, by which a step is wrong by as much times
#   √2/√(t+1)
# :control: steps without the factor β
#
# gradient ascent in the output weights with the growing steps is projected gradient ascent on the unit ball
# ```

# %% tags=["hide-input"]
FIRST, FIRST_OUTPUT = 200, 25  # steps in r, before β, which multiplies what is rounded in the margins, is large


def shares(features, weights):
    """The softmin weights of the margins of a network with weights a."""
    return SmoothMargin().shares(features @ weights, np.ones(n))


def first_steps(move, start, count):
    """The r of each set after the first steps, in which r ← move(features, r, t, β)."""
    found = []
    for features in sets:
        r, beta = np.full(m, start), 1.0
        for t in range(count):
            r = move(features, r, t, beta)
            beta = max(beta, float(np.linalg.norm(r)) / np.sqrt(m))
        found.append(r)
    return np.array(found)


def both_weights(features, r, t, _):
    """A step r ← r + ηm∇_r S."""
    gradient = 2 / m * r * (features.T @ shares(features, r**2 / m))
    return r + m * gradient / (16 * np.abs(features).max() * np.sqrt(t + 1))


def exponential(features, r, t, _):
    """The exponential step, r ← r e^{2ηg}."""
    g = features.T @ shares(features, r**2 / m)
    return r * np.exp(2 * g / (16 * np.abs(features).max() * np.sqrt(t + 1)))


def output_only(features, r, t, beta):
    """A step r ← r + ηm∇_r S."""
    gradient = features.T @ shares(features, r / m) / m
    return r + np.sqrt(2) * beta * m * gradient / (np.abs(features).max() * np.sqrt(t + 1))


# The margins times β, up to Gβ, are rounded, and with them the softmin weights: what a step multiplies this by.
derived_moved = (size * np.exp(log_beta[:FIRST, :K]) / (4 * np.sqrt(np.arange(1, FIRST + 1)))[:, None]).sum(axis=0)
claims.identity("multiplicative", a[FIRST, :K] * np.exp(log_beta[FIRST, :K])[:, None],
                first_steps(both_weights, 1.0, FIRST) ** 2 / m, relative=True,
                error=rounding(FIRST + derived_moved.max()), control=first_steps(exponential, 1.0, FIRST) ** 2 / m)

derived_moved = (size * np.exp(log_beta2[:FIRST_OUTPUT]) * np.sqrt(2 / np.arange(1, FIRST_OUTPUT + 1))[:, None]).sum(axis=0)
claims.identity(  # tolerance: rounding at worst
    "projected", b[FIRST_OUTPUT] * np.exp(log_beta2[FIRST_OUTPUT])[:, None],
    first_steps(output_only, 0.0, FIRST_OUTPUT) / np.sqrt(m), relative=True,
    error=rounding(FIRST_OUTPUT + derived_moved.max()),
    control=first_steps(lambda features, r, t, _: output_only(features, r, t, 1.0), 0.0, FIRST_OUTPUT) / np.sqrt(m))

# %% [markdown]
# With every feature in both signs $\gamma_1$ is the $\ell_1$ maximum margin, which another program finds. The bounds are put together anew from the steps that the proofs sum, and the source's from their formulas at the end.
#
# ```{claim} solver
# :evidence: float with residual
# :because: the residuals of the two programs' certificates, and the rounding of a sum over the features, each
#   of G
# :contrast: each feature with one sign
#
# with both signs of each feature the game's value is the ℓ1 maximum margin
# ```
#
# ```{claim} constants
# :evidence: float with residual
# :because: running sums of a term for each step, whose roundings of either sign add up like the root of their
#   number
# :control: the constants 4 and 2 of the start
#
# the bounds are what the proofs' steps sum to, the paper's what its formulas say
# ```
#
# ```{claim} growth_constants
# :evidence: float with residual
# :because: running sums of a term for each step, whose roundings of either sign add up like the root of their
#   number
# :control: twice the divergence from the start
#
# the bounds on ln β are what the proofs' steps sum to
# ```

# %% tags=["hide-input"]
pairs_of_signs = [(l1_max_margin(z), simplex_margin(np.hstack([z, -z]))) for z in sets]
claims.identity("solver", [1 / np.abs(one.w).sum() for one, _ in pairs_of_signs],
                [two.margin for _, two in pairs_of_signs], error=size.max()
                * (rounding(m) + max(one.certificate.worst for pair in pairs_of_signs for one in pair)), control=gamma1)


def summed(rate, other):
    """The two bounds at the end, from the steps themselves."""
    t = np.arange(t_end)
    g, points = np.abs(rate.z).max(), np.log(n)
    eta = 1 / (16 * g * np.sqrt(t + 1))
    short = np.exp(-rate.least_log_beta(t_end)[:-1])
    used = rate.answer.a[rate.answer.a > 0]
    divergence = float(np.sum(used * np.log(used * m)))
    first = (divergence / 4 + np.sum(3 * (g * eta) ** 2 + points * eta * short)) / eta.sum()
    epsilon = np.sqrt(2) / (g * np.sqrt(t + 1))
    parts = 1 / (2 * epsilon[0]) + np.diff(1 / epsilon).sum() + g**2 / 2 * epsilon.sum()
    return first, (parts + points * np.exp(-other.least_log_beta(t_end)[:-1]).sum()) / t_end


def retyped(rate, other, divergence, diameter):
    """The paper's two bounds at the end; 8 and 2√2 are its constants of the start."""
    g, points, root = np.abs(rate.z).max(), np.log(n), np.sqrt(t_end)
    scale = 4 * points * np.sum(np.exp(-rate.least_log_beta(t_end)[:-1]) / np.sqrt(np.arange(t_end) + 1))
    first = (g * (divergence * np.log(m) + np.log(t_end * np.e)) + scale) / root
    return first, (diameter + np.sqrt(3) * points / other.margin) * g / root


ends = np.array([bound1[:, -1], bound2[:, -1], *([rate.paper(t_end)[-1] for rate in found] for found in (rates, output_rates))])
pairs = list(zip(rates, output_rates, strict=True))
claims.identity("constants", np.vstack([np.transpose([summed(*rates) for rates in pairs]),
                                        np.transpose([retyped(*r, 8, 8**0.5) for r in pairs])]),
                ends, relative=True, error=rounding(np.sqrt(t_end)),
                control=Altered(ends, theory=np.vstack([np.transpose([summed(*rates) for rates in pairs]),
                                                        np.transpose([retyped(*r, 4, 2.0) for r in pairs])])))



def grown(rate, other, start_loss):
    """The two bounds on each of the two lengths at the end, from the steps themselves; start_loss multiplies D′."""
    t = np.arange(t_end)
    g, points = np.abs(rate.z).max(), np.log(n)
    eta = 1 / (16 * g * np.sqrt(t + 1))
    low = []
    for part in np.linspace(0, 1, 21):
        mixed = (1 - part) / m + part * rate.answer.a
        used = mixed[mixed > 0]
        low.append(4 * (rate.z @ mixed).min() * eta.sum() - start_loss * used @ np.log(used * m))
    high = np.sum(4 * eta * (rate.answer.margin + points * np.exp(-rate.least_log_beta(t_end)[:-1]))
                  + (2 * g * eta) ** 2)
    epsilon = np.sqrt(2) / (g * np.sqrt(t + 1))
    length = other.least_log_beta(t_end)
    sum_before = length[-2] + np.log(np.sum(epsilon * np.exp(length[:-1] - length[-2])))
    top = np.sum(epsilon * (other.margin + points * np.exp(-length[:-1])) + (g * epsilon) ** 2 / 2)
    return max(low) - 8 * np.sum((g * eta) ** 2), high, np.log(other.margin) + sum_before, top


intervals = [[getattr(rate, side)(t_end)[-1] for rate in rates for side in ("least_log_beta", "most_log_beta")]
             for rates in pairs]
claims.identity("growth_constants", [grown(*rates, 1.0) for rates in pairs], intervals, relative=True,
                error=rounding(np.sqrt(t_end)),
                control=Altered(intervals, theory=[grown(*rates, 2.0) for rates in pairs]))

# %% [markdown]
# ## What would falsify it
#
# A single $t$ at which a gap exceeds its bound, on any set of features. A set of features with one optimal $p^*$ on which the gap times $t$ tends to another number than {eq}`rates-law`.
#
# ## Differences from the paper
#
# The setting and the two theorems with shrinking and growing steps are those of {cite:t}`chizat2020`.
#
# - **Faster.** With constant steps on $-\ln$ of the loss the output layer has the rate $1/t$ at every single step, where the source proves $1/\sqrt t$ for the best one. The argument is that of {cite:t}`ji2021primal`, momentum that of {cite:t}`ji2021dual`. We have not read their theorems.
# - **Read.** The abstracts only. {cite:t}`ji2021primal` have $1/t$ with "aggressive" steps, and {cite:t}`ji2021dual` have $\tilde O(1/t^2)$, where the tilde leaves logarithms out. {eq}`rates-momentum` has no logarithm of $t$. That none is needed is not new, because {cite:t}`wang2023` announce $O(1/t^2)$ in place of $O(\ln t/t^2)$.
# - **Not compared.** Our constants with theirs, because we have not read their theorems.
# - **Added.** The constant of the gap, {eq}`rates-law`. The source leaves $B$ open and bounds $\frac1\beta$ by $\frac1{\sqrt t}$. {prf:ref}`proposition-rates-growth` and its like make both explicit. Where the source has $B$, we put the number $\hat B$. It is $B(t)$ at the last step, computed with the lower bound $\hat\beta$ in place of $\beta$.
# - **Sharper.** The sum $A_t$ of the steps stands where its lower bound $\sqrt t$ stood, which halves the bound. The start enters by its divergence from $a^*$, $\ln(1+x)\ge x-x^2$ gives $\frac3{16}$ in place of $1$, and $b\cdot c^*\ge0$ gives $3/\sqrt2$ in place of $2\sqrt2$.
# - **Same as in the source.** The loss is exponential throughout.
#
# ## Scope
#
# - Directions are fixed. Nothing is said here of neurons that turn, the source's main result. The rate $1/t$ needs a step size that grows like one over the loss. With a fixed step size on the loss reaching the same direction takes exponentially longer.
# - How soon the law sets in depends on the draw. With the seeds 1 to 24 in place of 0 the measured constant of the ReLU network is above $\Lambda$ by up to 2.7 % at 30,000 steps and up to 6.6 % at 10,000. The tolerance of the claim is four times what the second half of the steps still changes. In the worst of these draws it grows to 7 %, so the claim holds there, too (`python -m reproduce run wide_networks/margin_rates -p seed=11`).
# - The features are small enough for a certified $p^*$, and the law {eq}`rates-law` is tested on four sets. The smaller the least weight of a support vector, the later it sets in.
# - Whether both weights together have a rate better than $\ln t/\sqrt t$ is open here. The measured gap is far below that bound.
# - Each $t$ is tested, not only those recorded. For plain steps and momentum every $t$ is recorded. For the best step so far the gap cannot grow between two records, so we hold the gap of the last record against the bound of every $t$ until the next one.
#
# ## Exercises
#
# ````{exercise} Warm-up: one support vector
# :label: exercise-margin-rates-one
#
# Let $p^*$ be one at a single point. What is $\Lambda$, and how fast does the gap fall?
# ````
#
# ````{solution} exercise-margin-rates-one
# :class: dropdown
#
# Both entropies are zero, so $\Lambda=0$. If $\tilde z_i\cdot\tilde z_1>\|\tilde z_1\|^2$ for all other points, their weights $p_i$ fall exponentially in $t$, because their margins exceed the least one by a multiple of $t$. So the steps add up to $\eta t\tilde z_1$ and a fixed vector that the first steps left. That vector turns the direction by an angle of order $1/t$ and costs a gap of order $1/t^2$.
# ````
#
# ````{exercise} Shorter steps
# :label: exercise-margin-rates-size
#
# What do {eq}`rates-length` and the law promise for steps half as long? Predict the last printed numbers, then halve `pace` in the open code and run it.
# ````
#
# ````{solution} exercise-margin-rates-size
# :class: dropdown
#
# With $\eta=\frac1{2R^2}$ the bound is $R^2(2\ln n+\frac12)/(\gamma_2t)$, and $t\cdot\text{gap}$ tends to $2R^2\Lambda/\gamma_2$, so that each measured $\Lambda$ doubles, up to what is left at the end.
# ````
#
# ````{exercise} A known horizon
# :label: exercise-margin-rates-constant
#
# Both weights, with a constant step $\eta\le\frac1{16G}$ for a horizon $T$ that is known. Which $\eta$ makes the bound on the gap after $T$ steps least, if $\beta$ is left aside?
# ````
#
# ````{solution} exercise-margin-rates-constant
# :class: dropdown
#
# The proof gives $\frac{D}{4\eta T}+3G^2\eta$, least for $\eta=\frac1{2G}\sqrt{\frac D{3T}}$, with the value $G\sqrt{\frac{3D}T}$: no logarithm of $T$, and $\sqrt D$ in place of $D$. It is allowed once $T\ge\frac{64D}3$.
# ````
#
# ````{exercise} A small start
# :label: exercise-margin-rates-start
#
# Let $r_j(0)^2=\delta$ for one feature that is $a^*$ by itself, and $1$ for the others. How does the bound of both weights depend on $\delta$, and how long is it vacuous?
# ````
#
# ````{solution} exercise-margin-rates-start
# :class: dropdown
#
# $D=\ln\frac{m-1+\delta}\delta$, so the start enters the bound as $4GD/A_t\approx\frac{2G}{\sqrt t}\ln\frac{m-1}\delta$. This term is below $\gamma_1$ once $\sqrt t>\frac{2G}{\gamma_1}\ln\frac{m-1}\delta$, after a time that grows only like $\ln^2\frac1\delta$. But the bound can stay vacuous for far longer, because of $B(t)$. If the other features are wrong, $\beta$ shrinks before the small weight has grown. With $m=2$ and two points that both have $z_i=(1,-1)$ it falls to the order of $\sqrt\delta$. So $B$ is of the order $\delta^{-1/2}$, and the bound says something only after a time of the order $\frac1\delta$.
# ````
#
# ## Where to go next
#
# ```{next}
# {doc}`f2_max_margin` says which classifier of largest margin this is when the network is infinitely wide. {doc}`generalization` asks what the two margins, of the output layer and of both, mean for the test error.
# ```
#
# ## References
#
# {cite:t}`chizat2020` for the setting and the bounds with shrinking steps, {cite:t}`ji2021primal` for the rate $1/t$, {cite:t}`ji2021dual` for momentum.
