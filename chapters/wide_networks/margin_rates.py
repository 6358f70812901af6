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
# # Fixed features: the gap of the margin falls at least as fast as log t/√t, with constants
#
# Fix the directions of a wide network's neurons and train only their weights. Even so, what is trained decides which
# {term}`margin` grows: both weights of each neuron maximize it over the $\ell_1$ ball, the output weights alone over the $\ell_2$ ball {cite}`chizat2020`.
# The intuition: seen from their direction the first is the {term}`multiplicative weights` method and the second
# projected gradient ascent, two old algorithms with known rates. The length only sharpens the loss, and it grows like $e^{c\sqrt t}$.
#
# $$\begin{aligned}
# &\gamma-\max_{s<t}\min_i z_i\cdot\bar a(s)\\[2pt]
# &\le\begin{cases}\dfrac{G\bigl(4\ln m+\frac3{16}(1+\ln t)\bigr)+\hat B\ln n}{2\sqrt{t+1}-2}\\[8pt]
# \dfrac{3G}{\sqrt{2t}}+\dfrac{\ln n}t\sum_{s<t}\dfrac1{\hat\beta(s)}\end{cases}
# \end{aligned}$$
#
# The upper line is for both weights, the lower for the output weights. $\gamma$ is the largest margin in the ball, $G$ the largest feature; $\hat B$ and $\hat\beta$ are computed from the features alone.
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# There are $n$ points $x_i$ with labels $y_i=\pm1$ and $m$ neurons of fixed directions $\theta_j$. All that training sees are the
# {term}`signed features <signed feature>` $z_{ij}=y_i\phi(\theta_j,x_i)$; $z_i$ is the row of point $i$ and $\|z\|_\infty=\max|z_{ij}|$, short $G$. A network with the
# weights $a_j$ has the margin $z_i\cdot a$ at point $i$. The loss is exponential, and what grows is the {term}`smooth margin`
#
# $$S(u)=-\ln\frac1n\sum_ie^{-u_i},\qquad u=Za .$$
#
# In each step $r\leftarrow r+\eta\,m\,\nabla_rS$, with
#
# | | weights | $\eta$ | length $\beta$ |
# |---|---|---|---|
# | both weights | $a_j=r_j^2/m$ | $\frac1{16G\sqrt{t+1}}$ | $\lVert a\rVert_1$ |
# | output only | $a_j=r_j/m$ | $\frac{\sqrt2\,\beta}{G\sqrt{t+1}}$ | $\max\{1,\max\limits_{s\le t}\sqrt m\lVert a(s)\rVert_2\}$ |
#
# and the largest margins, which depend on the ball,
#
# $$\begin{aligned}\gamma_1&=\max_{a\ge0,\;\|a\|_1=1}\;\min_iz_i\cdot a,\\\gamma_2&=\max_{\sqrt m\|a\|_2\le1}\;\min_iz_i\cdot a .\end{aligned}$$
#
# In the first row $r(0)=(1,\dots,1)$, in the second $r(0)=0$. Time $t$ counts steps and $\bar a=a/\beta$. The *gap* at $t$ is the largest margin minus the best of $\min_iz_i\cdot\bar a(s)$ over $s<t$.
# A neuron with $\phi(r\theta,\cdot)=r^2\phi(\theta,\cdot)$ and weights $w_j=r_j\theta_j$ gives $r_j^2\phi(\theta_j,\cdot)$: the first row is a two-layer network whose neurons grow and do not turn.

# %% tags=["hide-input"]
import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.figures import style
from implicit_bias.flows import MultiplicativeAscent, ProjectedAscent, drive
from implicit_bias.limits.margin import MultiplicativeRate, ProjectedRate, l1_max_margin, simplex_margin
from implicit_bias.losses import SmoothMargin
from reproduce.claims import Altered, Claims, rounding
from reproduce.claims.glued import glue_all
from reproduce.claims.numbers import numbers

claims = Claims("margin_rates")

style.use_style()

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Chizat & Bach 2020, both weights
# :label: theorem-rates-both
#
# From a uniform start, $r_j(0)$ the same for all $j$, with $\eta(t)=1/(16G\sqrt{t+1})$,
#
# $$\begin{aligned}\text{gap}(t)\le\;&\frac G{\sqrt t}(8\ln m+\ln t+1)\\&+\frac{4B\ln n}{\sqrt t}\end{aligned}$$
#
# with some $B$, finite if $\gamma_1>0$.
# ```
#
# ```{prf:theorem} Chizat & Bach 2020, output only
# :label: theorem-rates-output
#
# Let $\gamma_2>0$. From $r(0)=0$, with $\eta(t)=\sqrt2\,\beta(t)/(G\sqrt{t+1})$,
#
# $$\text{gap}(t)\le\frac G{\sqrt t}\Bigl(2\sqrt2+\frac{\sqrt3\ln n}{\gamma_2}\Bigr).$$
# ```
#
# Sharper constants follow from the same idea, with the length kept. Write $A_t=\sum_{k\le t}\frac1{\sqrt k}$, $H_t=\sum_{k\le t}\frac1k$; $2\sqrt{t+1}-2\le A_t\le2\sqrt t-1$ and $H_t\le1+\ln t$.
#
# ```{prf:lemma} One step
# :label: lemma-rates-step
#
# Let $p_i\propto e^{-u_i}$ and $g=Z^\top p$. Let $a^*$ attain the largest margin $\gamma$. At every time
#
# $$\gamma-\min_iz_i\cdot\bar a\le g\cdot(a^*-\bar a)+\frac{\ln n}\beta .$$
#
# Moreover $g\cdot a^*\ge\gamma$ and $g\cdot\bar a\le\min_iz_i\cdot\bar a+\frac{\ln n}\beta$.
# ```
#
# ```{prf:proof}
# $S_\beta(v)=\frac1\beta S(\beta v)$ is concave, its gradient at $v=Z\bar a$ is $p$, and $\min_iv_i\le S_\beta(v)\le\min_iv_i+\frac{\ln n}\beta$. Hence
# $\gamma\le S_\beta(Za^*)\le S_\beta(Z\bar a)+g\cdot(a^*-\bar a)$. As $p$ is a mean, $g\cdot a^*=p\cdot Za^*\ge\gamma$; and as $S_\beta$ is concave with $S_\beta(0)=0$, $g\cdot\bar a=p\cdot v\le S_\beta(v)$.
# ```
#
# ````{prf:proposition} Both weights, sharper
# :label: proposition-rates-both
#
# Let all $r_j(0)$ be the same, or let $r(0)$ be any start with the divergence $D=\sum_ja^*_j\ln\frac{a^*_j}{\bar a_j(0)}<\infty$. Then with $\eta(t)=1/(16G\sqrt{t+1})$, for every $t\ge1$,
#
# ```{math}
# :label: rates-both-weights
# \begin{aligned}\text{gap}(t)&\le\frac{G\bigl(4D+\frac3{16}H_t\bigr)+B(t)\ln n}{A_t},\\B(t)&=\sum_{s<t}\frac1{\beta(s)\sqrt{s+1}} .\end{aligned}
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
# The gap is at most the mean with the weights $\eta_s$. Here $\sum\eta_s=\frac{A_t}{16G}$ and $\sum\eta_s^2=\frac{H_t}{256G^2}$: divide. $\square$
# ````
#
# In $A_t\ge\sqrt t$ only half of the truth is kept; with it, $D\le\ln m$ and $H_t\le1+\ln t$ one has $\frac G{\sqrt t}\bigl(4\ln m+\frac3{16}(\ln t+1)\bigr)+\frac{B(t)\ln n}{\sqrt t}$, which implies the theorem with $B=B(\infty)$.
#
# What is left of the run is $\beta$. It can be bounded from the data, from both sides.
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
# $\hat\beta$ is the lower bound, the best of a few $a'$ between the uniform one and $a^*$, and $\hat B$ is $B$ with it: with them {eq}`rates-both-weights` is a number that the data alone give. The proposition says more: the mere length of the weights tells the largest margin.
#
# ````{prf:proposition} Output only, sharper
# :label: proposition-rates-output
#
# Under the hypotheses of {prf:ref}`theorem-rates-output` $b=\sqrt m\,\bar a$ follows projected gradient ascent on the unit ball, and for every $t\ge1$
#
# ```{math}
# :label: rates-output-only
# \text{gap}(t)\le\frac G{\sqrt2}\,\frac{\sqrt t-\frac12+A_t}t+\frac{\ln n}t\sum_{s<t}\frac1{\beta(s)} .
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
# The theorem follows: as $\beta(s)\ge kA_s\ge k\sqrt s$, $\sum_{s<t}\frac1{\beta(s)}\le1+\frac{2\sqrt t-1}k\le\frac{\sqrt6}k\sqrt t=\frac{\sqrt3\,G}{\gamma_2}\sqrt t$, for $\gamma_2\le G$ means $k\le\sqrt2<\sqrt6-1$. That is where
# $\sqrt3$ comes from. In truth $\beta$ grows exponentially in $\sqrt t$, and this term is $O(1/t)$.
#
# Both $\gamma$ are solved for beforehand, $\gamma_1$ as a matrix game by linear programming, $\gamma_2$ by a quadratic program, each with its {term}`certificate`. For the first set below this gives, before any training:
#
# | $\gamma_1$ | bound on its gap at the end | paper's | $\gamma_2$ | bound on its gap at the end | paper's |
# |---|---|---|---|---|---|
# | {glue:text}`rates_gamma1` | {glue:text}`rates_bound1` | {glue:text}`rates_paper1` | {glue:text}`rates_gamma2` | {glue:text}`rates_bound2` | {glue:text}`rates_paper2` |
#
# ## Experiment
#
# Four sets of features go through everything. *One strong feature*: entries uniform in $[0,1]$, but in $[0.9,1]$ for one feature. *Alike*: uniform in $[0,1]$. *ReLU network*: $z_{ij}=\pm y_i(\theta_j\cdot x_i)_+$ with Gaussian $x_i$ in $\mathbb R^d$, $\theta_j$ on the sphere, half of the signs
# negative, labels by the sign of a coordinate. *Gaussian*: entries $N(0,1)$. The last two are drawn again until $\gamma_1\ge0.02\,G$.

# %% tags=["parameters"]
n: int = 10  # number of points n, in [3, 40]
m: int = 20  # number of fixed features m, in [8, 200]
d: int = 5  # dimension of the inputs of the ReLU network, in [2, 50]
t_end: int = 100000  # number of steps t, in [50000, 1000000]
seed: int = 0  # seed of the streams of data and of the network's directions, in [0, 4294967295]
# where n <= m

# %% tags=["hide-input"]
data_stream, network_stream = np.random.default_rng(seed).spawn(2)
NAMES = ["one strong feature", "alike", "ReLU network", "Gaussian"]
LEAST = 0.02  # of G


def relu_features(points, directions):
    """z_ij = ±y_i (θ_j·x_i)₊ with labels y_i = sign of the first coordinate and alternating signs of the neurons."""
    signs = np.where(np.arange(len(directions)) % 2, -1.0, 1.0)
    return np.sign(points[:, :1]) * signs * np.maximum(points @ directions.T, 0)


def wide_enough(features):
    """Whether the largest margin is not too small."""
    return simplex_margin(features).margin >= LEAST * np.abs(features).max()


strong = data_stream.uniform(0, 1, (n, m))  # stream: data
strong[:, 0] = data_stream.uniform(0.9, 1, n)  # stream: data
alike = data_stream.uniform(0, 1, (n, m))  # stream: data
inputs = data_stream.standard_normal((n, d))  # stream: data
directions = network_stream.standard_normal((m, d))
while not wide_enough(relu_features(inputs, directions)):
    inputs = data_stream.standard_normal((n, d))  # stream: data
    directions = network_stream.standard_normal((m, d))
directions /= np.linalg.norm(directions, axis=1)[:, None]
gaussian = data_stream.standard_normal((n, m))  # stream: data
while not wide_enough(gaussian):
    gaussian = data_stream.standard_normal((n, m))  # stream: data
sets = np.array([strong, alike, relu_features(inputs, directions), gaussian])

# %% [markdown]
# $\beta$ leaves the range of double precision soon, so that directions and $\ln\beta$ are followed, not $r$; that both are the same is checked below. The {term}`control` of both weights starts at $r_j(0)=0$ for
# the features that $a^*$ uses: then $D=\infty$, and a weight of zero stays zero. It runs beside the four, on the first two sets.

# %% tags=["hide-input"]
EVERY = 8000  # up to here each step is recorded, then one in a hundred
until = np.unique(np.append(np.arange(1, EVERY + 1), np.geomspace(EVERY, t_end - 1, 400).astype(int)))
# mutant: a bound with room
after = np.append(0, until) + 1  # the gap at t counts s < t: what is recorded at step s is the gap at s + 1
K = len(sets)


def ascend(stepper, start, record=until):
    """The driver's run: directions, ln β and best margins at the recorded steps, one row a step."""
    return stepper.read(drive(stepper, start, t_end=float(record[-1]), record=record.astype(float)).demand().theta)


def share(best, gamma, bound):
    """The gap over its bound, the largest of all t = 1, …, t_end: between records the last best margin counts."""
    # mutant(np.searchsorted… → np.searchsorted(after, np.arange(1, t_end + 1), side='right') - 2): a bound with room
    last = np.searchsorted(after, np.arange(1, t_end + 1), side="right") - 1
    return np.array([((g - margins[last]) / most).max() for margins, g, most in zip(best.T, gamma, bound, strict=True)])


# %%
both, output = [MultiplicativeRate(z) for z in sets], [ProjectedRate(z) for z in sets]
gamma1, gamma2 = (np.array(g) for g in ([rate.answer.margin for rate in both], [rate.margin for rate in output]))
bound1, bound2 = (np.array([rate.bound(t_end) for rate in rates]) for rates in (both, output))  # predict
hidden = np.array([rate.answer.a == 0 for rate in both[:2]], dtype=float)  # r(0) of the control
pair = MultiplicativeAscent(np.concatenate([sets, sets[:2]]))
a, log_beta, best = ascend(pair, np.append(np.ones(K * m), hidden))  # train
b, log_beta2, best2 = ascend(ProjectedAscent(sets), np.zeros(K * m))
share1, share2 = share(best[:, :K], gamma1, bound1), share(best2, gamma2, bound2)  # compare
for name, one, two in zip(NAMES, share1, share2, strict=True):
    print(f"{name:<19} gap over its bound, at most: both weights {one:.2f}, output only {two:.2f}")

# %% [markdown]
# The control of the output layer is the run of both weights: other dynamics on the same features, its direction normalized in $\ell_2$.

# %% tags=["hide-input"]
share1_control = share(best[:, K:], gamma1[:2], bound1[:2])
least_margins = np.einsum("knm,tkm->tkn", sets, a[:, :K]).min(axis=2)
crossed = np.maximum.accumulate(least_margins / (np.sqrt(m) * np.linalg.norm(a[:, :K], axis=2)))
share2_control = share(crossed, gamma2, bound2)
paper1, paper2 = (np.array([rate.paper(t_end) for rate in rates]) for rates in (both, output))
certificates = [rate.answer.certificate.worst for rate in both]
print("certified: each matrix game to 1e-10:", max(certificates) <= 1e-10)

# %% mystnb={"figure": {"caption": "One strong feature. Left: both weights are trained; the gap of the $\\ell_1$ margin (blue) stays below the sharper bound (dashed) and the paper's (grey), while from a start that vanishes on the optimal features it stays (red) and crosses the sharper one. Right: the output weights alone; the gap of the $\\ell_2$ margin, its bounds, and the run of the left panel measured by this margin (red), which crosses the sharper bound. Above the dotted line, $\\gamma$, a bound says nothing.", "name": "figure-margin-rates"}, "image": {"alt": "Two panels of gap against steps on logarithmic axes: the measured gap falls far below the dashed bound, and the control stays level and crosses it", "classes": "panels-2"}} tags=["hero", "hide-input"]
axes = style.panels(2, (9.6, 3.9))
steps = np.unique(np.geomspace(1, t_end, 300).astype(int))
panels = ((gamma1, best[:, 0], best[:, K], bound1, paper1, "start 0 on optimal features", "both weights", 1),
          (gamma2, best2[:, 0], crossed[:, 0], bound2, paper2, "both weights trained", "output weights only", 2))
for ax, (gamma, found, broken, sharper, paper, words, title, norm) in zip(axes, panels, strict=True):
    ax.loglog(steps, paper[0][steps - 1], color=style.COLORS["grey"], linewidth=1.6, label="paper's bound")
    style.theory(ax, steps, sharper[0][steps - 1], "sharper bound")
    ax.loglog(after, gamma[0] - broken, color=style.COLORS["red"], label=words)
    gap = gamma[0] - found
    seen = gap > 1e-12
    ax.loglog(after[seen], gap[seen], color=style.COLORS["blue"], label="gap")
    ax.axhline(gamma[0], color=style.COLORS["black"], linestyle=":", linewidth=1)
    ax.set(ylim=(max(gap[seen].min() / 3, sharper[0, -1] / 1e5), 30 * gamma[0]), xlabel="steps $t$",
           ylabel=rf"$\gamma_{norm}$ − best margin", title=title)
    lines = ax.get_legend_handles_labels()[0]
    ax.legend(handles=lines if norm == 1 else lines[2:3], loc="lower left", fontsize=12)
plt.show()

glue_all("rates", gamma1=f"{gamma1[0]:.4f}", gamma2=f"{gamma2[0]:.4f}", bound1=f"{bound1[0, -1]:.4f}",
         bound2=f"{bound2[0, -1]:.4f}", paper1=f"{paper1[0, -1]:.4f}", paper2=f"{paper2[0, -1]:.4f}",
         vacuous=f"{bound1[2, -1] / gamma1[2]:.1f}")

# %% [markdown]
# ## Headline claims
#
# Each box is a {term}`claim`: what theory predicts, what was measured, by how much they may differ and why.
#
# No violation at any $t$, on any of the four sets. A gap counts as its part of the bound {eq}`rates-both-weights`, with $\hat\beta$ for $\beta$, and of {eq}`rates-output-only`.
#
# ```{claim} both
# :headline: gap of the ℓ1 margin over its bound, the largest of all t
# :evidence: proved here
# :because: proved for every t, and far from equality: the rounding of the margins, 1e-12 of G, is nothing
#   beside what is left
# :control: a start that vanishes on the features of a*, D = ∞
#
# both weights trained: at every t the gap is below its bound, which is known before training
# ```

# %% tags=["hide-input"]
claims.below("both",
             1.0,  # mutant: a bound with room
             share1, proved=0.0, control=share1_control)

# %% [markdown]
# ```{claim} output
# :headline: gap of the ℓ2 margin over its bound, the largest of all t
# :evidence: proved here
# :because: proved for every t, and far from equality: the rounding of the margins, 1e-12 of G, is nothing
#   beside what is left
# :contrast: both weights trained: other dynamics, the same features
#
# output weights trained: at every t the gap is below its bound, which is known before training
# ```

# %% tags=["hide-input"]
claims.below("output",
             1.0,  # mutant: a bound with room
             share2, proved=0.0, control=share2_control)

# %% [markdown]
# The length alone tells the largest margin, by {prf:ref}`proposition-rates-growth`; the proved interval at the end is the tolerance. The two sets of positive features have a narrow one. The control can only find the margin of the features that it starts with.
#
# ```{claim} length
# :headline: largest ℓ1 margin, read off the length of the weights
# :evidence: proved here
# :because: the proved interval of ln β at the end, computed from the data
# :control: a start that vanishes on the features of a*
#
# 4‖z‖∞ ln β/A_t tends to the largest ℓ1 margin
# ```

# %% tags=["hide-input"]
# mutant(/; 1; 1.0): a bound with room
root = (1 / np.sqrt(np.arange(1.0, t_end))).sum()  # A_t at the last step recorded
size = np.array([rate.size for rate in both])
# mutant(1; 4 * np.append(size, size[:2]) → 4…): a bound with room
told = 4 * np.append(size, size[:2]) * log_beta[-1] / root
interval = [4 * rate.size * end(t_end - 1)[-1] / root - rate.answer.margin for rate in both[:2]
            for end in (rate.least_log_beta, rate.most_log_beta)]
claims.limit("length", gamma1[:2], told[:2], proved=np.abs(interval).max(), control=told[K:])

# %% [markdown]
# ### The numbers
#
# At a tenth of the end and at the end, in units of the largest margin: the gap, its bound, and the paper's bound (for both weights with $\hat B$ for $B$).

# %% tags=["hide-input"]
rows: list[list[str | float]] = []
for k, name in enumerate(NAMES):
    for what, gamma, found, sharper, paper in (("both", gamma1, best, bound1, paper1),
                                               ("output", gamma2, best2, bound2, paper2)):
        row: list[str | float] = [f"{name}, {what}", float(gamma[k])]
        for t in (t_end // 10, t_end):
            at = int(np.searchsorted(after, t, side="right")) - 1
            gap = float(gamma[k] - found[at, k])
            row += [gap / gamma[k], float(sharper[k, t - 1] / gamma[k]), float(paper[k, t - 1] / gamma[k])]
        rows.append(row)
numbers(["set, trained", "largest margin", *2 * ["gap", "bound", "paper's"]], rows)

# %% [markdown]
# ## Instruments
#
# That the bounds say something; how the weights grow; the two reductions; the solver; the constants.
#
# ### Not vacuous
#
# A bound above $\gamma$ says nothing. On the two sets of positive features it leaves less than a fifth of the margin open; on the first the paper's, too, is below $\gamma_1$. The control is the ReLU network: small margins in units of $G$ need more steps.
#
# ```{claim} informative
# :evidence: float with residual
# :because: a closed form of the data; a fifth is what counts as informative
# :contrast: features of a ReLU network with a small margin
#
# for positive features the bound at the end is below a fifth of the largest margin
# ```

# %% tags=["hide-input"]
claims.below("informative",
             0.2,  # mutant: a bound with room
             # mutant(/; 1; bound1…): a bound with room
             np.append(bound1[:2, -1] / gamma1[:2], bound2[:2, -1] / gamma2[:2]),
             level=0.0, control=bound1[2, -1] / gamma1[2])

# %% [markdown]
# ```{claim} paper
# :source: Chizat & Bach 2020, Sections 4 and 5
# :evidence: float with residual
# :because: a closed form of the data
# :contrast: features of a ReLU network with a small margin
#
# with one strong feature the paper's bound at the end is below the largest margin
# ```

# %% tags=["hide-input"]
claims.below("paper",
             1.0,  # mutant: a bound with room
             # mutant(/; 1; gamma2[0]; (0, -1) → (1, -1) (2)): a bound with room
             [paper1[0, -1] / gamma1[0], paper2[0, -1] / gamma2[0]],
             proved=0.0, control=paper1[2, -1] / gamma1[2])

# %% [markdown]
# ### The proof's mean
#
# The proofs bound more than the best margin: the mean over all steps, weighted by $\eta_s$ for both weights. It is nearer to the bound. The control takes its steps in the other direction, until its mean gap is above the bound.
#
# ```{claim} mean
# :evidence: proved here
# :because: proved for every t, and as far from equality as for the best margin
# :control: steps in the other direction
#
# the mean gap, too, is below the bound
# ```

# %% tags=["hide-input"]
early = np.arange(EVERY)
# mutant(/; early + 1 → early + 2): other weights of a mean that is bounded for all
weights = 1 / np.sqrt(early + 1)


def mean_share(margins, gamma, bound, weight):
    """The mean gap over its bound, the largest of t = 1, …, EVERY."""
    mean = np.cumsum(weight[:, None] * (gamma - margins[:EVERY]), axis=0) / np.cumsum(weight)[:, None]
    return (mean / bound.T[:EVERY]).max(axis=0)


def least(directions, features):
    """The least margin at the recorded steps."""
    return np.einsum("knm,tkm->tkn", features, directions).min(axis=2)


mean1 = mean_share(least_margins, gamma1, bound1, weights)
mean2 = mean_share(least(b, sets) / np.sqrt(m), gamma2, bound2, np.ones(EVERY))
# Steps in the wrong direction: descent of the margin, which is ascent for the features −z.
wrong = least(ascend(MultiplicativeAscent(-sets), np.ones(K * m), until[:EVERY])[0], sets)
claims.below("mean",
             1.0,  # mutant: a bound with room
             np.append(mean1, mean2),  # mutant: a bound with room
             proved=0.0, control=mean_share(wrong, gamma1, bound1, weights))

# %% [markdown]
# ### Growth
#
# $\ln\beta$ between its two bounds, {eq}`rates-growth` and those of {prf:ref}`proposition-rates-output`, at every recorded step. Their controls take steps of half and of twice the size.
#
# ```{claim} grows
# :evidence: proved here
# :because: proved; ln β and its bound are the same 0 at first, exactly, and then part by far more than
#   rounding
# :contrast: steps half as long
#
# ln β is above its bound at every recorded step
# ```

# %% tags=["hide-input"]
slow, fast = (
    np.hstack(
        [
            ascend(MultiplicativeAscent(sets, scale=factor / 16), np.ones(K * m), until[:EVERY])[1][-1],
            ascend(ProjectedAscent(sets, scale=factor * np.sqrt(2)), np.zeros(K * m), until[:EVERY])[1][-1],
        ]
    )
    for factor in (0.5, 2.0)
)
lengths = np.hstack([log_beta[1:, :K], log_beta2[1:]])
lower, upper = (np.array([getattr(rate, side)(t_end - 1)[until] for rate in (*both, *output)]).T
                for side in ("least_log_beta", "most_log_beta"))
claims.above("grows", 0.0,
             (lengths - lower).min(axis=0),  # mutant(0): a bound with room
             proved=0.0, control=slow - lower[EVERY - 1])

# %% [markdown]
# ```{claim} grows_no_faster
# :evidence: proved here
# :because: proved, and far from equality: the rounding of a sum of logarithms is nothing beside what is left
# :contrast: steps twice as long
#
# ln β is below its bound at every recorded step
# ```

# %% tags=["hide-input"]
claims.below("grows_no_faster",
             0.0,  # mutant: a bound with room
             (lengths - upper).max(axis=0),  # mutant(0): a bound with room
             proved=0.0, control=fast - upper[EVERY - 1])

# %% [markdown]
# ### The two reductions
#
# The first steps in $r$ itself, by the chain rule from the smooth margin's gradient, against {eq}`rates-multiplicative` and {eq}`rates-projected` in their logarithms. The controls are the exponential that {eq}`rates-multiplicative` approximates, and steps without the factor $\beta$.
#
# ```{claim} multiplicative
# :evidence: trained and compared
# :because: rounding of each step, and of the margins times β, by which a step is wrong by as much times 4ηG
# :control: exponential steps
#
# gradient ascent in both weights is the multiplicative weights method
# ```

# %% tags=["hide-input"]
FIRST, FIRST_OUTPUT = 200, 25  # steps in r, before β, which multiplies what is rounded in the margins, is large
smooth = SmoothMargin()


def shares(features, weights):
    """The softmin weights of the margins of a network with weights a."""
    return smooth.shares(features @ weights, np.ones(n))


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


def without_length(features, r, t, _):
    """The same with β = 1 in the step."""
    return output_only(features, r, t, 1.0)


# The margins times β, up to Gβ, are rounded, and with them the softmin weights: what a step multiplies this by.
derived_moved = (size * np.exp(log_beta[:FIRST, :K]) / (4 * np.sqrt(early[:FIRST] + 1))[:, None]).sum(axis=0)
claims.identity("multiplicative", a[FIRST, :K] * np.exp(log_beta[FIRST, :K])[:, None],
                first_steps(both_weights, 1.0, FIRST) ** 2 / m, relative=True,
                error=rounding(FIRST + derived_moved.max()), control=first_steps(exponential, 1.0, FIRST) ** 2 / m)

# %% [markdown]
# ```{claim} projected
# :evidence: trained and compared
# :because: rounding of each step, and of the margins times β, by which a step is wrong by as much times
#   √2/√(t+1)
# :control: steps without the factor β
#
# gradient ascent in the output weights is projected gradient ascent on the unit ball
# ```

# %% tags=["hide-input"]
derived_moved = (size * np.exp(log_beta2[:FIRST_OUTPUT]) * np.sqrt(2 / (early[:FIRST_OUTPUT] + 1))[:, None]).sum(axis=0)
claims.identity(  # tolerance: rounding at worst
    "projected", b[FIRST_OUTPUT] * np.exp(log_beta2[FIRST_OUTPUT])[:, None],
    first_steps(output_only, 0.0, FIRST_OUTPUT) / np.sqrt(m), relative=True,
    error=rounding(FIRST_OUTPUT + derived_moved.max()),
    control=first_steps(without_length, 0.0, FIRST_OUTPUT) / np.sqrt(m))

# %% [markdown]
# ### Solver and constants
#
# With every feature in both signs $\gamma_1$ is the $\ell_1$ maximum margin, which another program finds. The bounds are put together anew from the steps that the proofs sum; the paper's from their formulas at the end.
#
# ```{claim} solver
# :evidence: float with residual
# :because: the residuals of the two programs' certificates, and the rounding of a sum over the features, each
#   of G
# :contrast: each feature with one sign
#
# with both signs of each feature the game's value is the ℓ1 maximum margin
# ```

# %% tags=["hide-input"]
pairs_of_signs = [(l1_max_margin(z), simplex_margin(np.hstack([z, -z]))) for z in sets]
claims.identity("solver", [1 / np.abs(one.w).sum() for one, _ in pairs_of_signs],
                [two.margin for _, two in pairs_of_signs], error=size.max()
                * (rounding(m) + max(one.certificate.worst for pair in pairs_of_signs for one in pair)), control=gamma1)


# %% [markdown]
# ```{claim} constants
# :evidence: float with residual
# :because: running sums of a term for each step, whose roundings of either sign add up like the root of their
#   number
# :control: the constants 4 and 2 of the start
#
# the bounds are what the proofs' steps sum to, the paper's what its formulas say
# ```

# %% tags=["hide-input"]
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


ends = np.array([bound1[:, -1], bound2[:, -1], paper1[:, -1], paper2[:, -1]])
pairs = list(zip(both, output, strict=True))
claims.identity("constants", np.vstack([np.transpose([summed(*rates) for rates in pairs]),
                                        np.transpose([retyped(*r, 8, 8**0.5) for r in pairs])]),
                ends, relative=True, error=rounding(np.sqrt(t_end)),
                control=Altered(ends, theory=np.vstack([np.transpose([summed(*rates) for rates in pairs]),
                                                        np.transpose([retyped(*r, 4, 2.0) for r in pairs])])))


# %% [markdown]
# ```{claim} growth_constants
# :evidence: float with residual
# :because: running sums of a term for each step, whose roundings of either sign add up like the root of their
#   number
# :control: twice the divergence from the start
#
# the bounds on ln β are what the proofs' steps sum to
# ```

# %% tags=["hide-input"]
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
# A single $t$ at which the gap exceeds its bound, on any set of features; a length outside its interval; a start that vanishes on the optimal features and stays below the bound.
#
# ## Differences from the paper
#
# The theorems are those of {cite:t}`chizat2020`.
#
# - **Sharper.** The sum $A_t$ of the steps stands where its lower bound $\sqrt t$ stood, which halves the bound; the start enters by its divergence from $a^*$; $\ln(1+x)\ge x-x^2$ gives $\frac3{16}$ in place of $1$; $b\cdot c^*\ge0$ gives $3/\sqrt2$ in place of $2\sqrt2$.
# - **Added.** The paper leaves $B$ open and bounds $\frac1\beta$ by $\frac1{\sqrt t}$; {prf:ref}`proposition-rates-growth` and its like make both explicit. In the paper's bound the page puts $\hat B$ for $B$.
# - **As there.** The loss is exponential throughout, as in the propositions.
#
# ## Scope
#
# Directions are fixed: nothing is said here of neurons that turn, the paper's main result. The bounds are worst cases: the gap is far below them, and it falls faster than $1/\sqrt t$ once the optimal features carry all weight. For the ReLU network at this size the bound of the $\ell_1$ margin at the end is
# {glue:text}`rates_vacuous` times $\gamma_1$: true, and without content. The steps are the theorem's; those of practice do not shrink. Each $t$ is tested, not only those recorded: the best margin cannot fall between two records.
#
# ## Exercises
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
# Let $r_j(0)^2=\delta$ for one feature that is $a^*$ by itself, and $1$ for the others. How does the bound depend on $\delta$, and how long is it vacuous?
# ````
#
# ````{solution} exercise-margin-rates-start
# :class: dropdown
#
# $D=\ln\frac{m-1+\delta}\delta$: the bound has $4GD/A_t\approx\frac{2G}{\sqrt t}\ln\frac{m-1}\delta$ and says something once $\sqrt t>\frac{2G}{\gamma_1}\ln\frac{m-1}\delta$. It diverges as $\delta\to0$, but only like the logarithm squared in $t$.
# ````
#
# ````{exercise} The length
# :label: exercise-margin-rates-margin
#
# Output only: show $\ln\beta(t)\sim2k\sqrt t$. What is the share of the last term in {eq}`rates-output-only`?
# ````
#
# ````{solution} exercise-margin-rates-margin
# :class: dropdown
#
# Let $L(s)=\sum_{u<s}\frac{\beta(u)}{\sqrt{u+1}}$. From $\beta\ge kL$, $L(s+1)\ge L(s)\bigl(1+\frac k{\sqrt{s+1}}\bigr)$, so that $\ln L(t)\ge kA_t-\frac{k^2}2H_t+O(1)$, and the upper bound is $kA_t+H_t+O(1)$, for $\sum\frac1\beta$ is finite. With $A_t\sim2\sqrt t$ this is the claim. The last term is $O(\frac1t)$, a share of order $\frac1{\sqrt t}$.
# ````
#
# ## References
#
# Theorems and steps are {cite:t}`chizat2020`. What differs in the bounds is derived here.
