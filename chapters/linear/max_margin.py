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
# # Separable data: training ends at the maximum margin
#
# Train a linear classifier on {term}`separable` data with the logistic or the exponential loss and no regularization. Nothing
# in the loss asks for a large {term}`margin`, yet of all directions that separate the data training picks the one with the largest
# {cite}`soudry2018`. The intuition: once every point is on its right side, each pulls with a force $e^{-\text{margin}}$, so that
# the points of least margin soon pull alone, and these forces can only balance in the direction in which the least margin is
# largest. The weights must grow for that, and they grow like $\ln t$: training gets there, but as slowly as a logarithm.
#
# $$\begin{aligned}\dot w=-\nabla R(w)\quad&\Longrightarrow\quad\frac{w(t)}{\|w(t)\|}\to\frac{\hat w}{\|\hat w\|},\\[2pt]
# \hat w&=\operatorname*{arg\,min}_{y_ix_i\cdot w\,\ge\,1\ \forall i}\|w\|_2 .\end{aligned}$$
#
# $R$ is the mean loss; descent with small steps has the same limit. Points, line and street, which you can drag, are under [Try it](#try-it).
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# Let $(x_i,y_i)_{i=1}^N$ be points in $\mathbb R^d$ with labels $y_i=\pm1$. Only the signed points $z_i=y_ix_i$ matter: the
# classifier $x\mapsto w\cdot x$ has the {term}`margin` $m_i(w)=z_i\cdot w$ at point $i$ and is right where it is positive. The
# set is {term}`separable` if some $w$ is right everywhere, that is, if
#
# $$\gamma=\max_{\|w\|_2\le1}\,\min_i\, z_i\cdot w>0 .$$
#
# {term}`Gradient flow <gradient flow>` runs on the mean loss,
#
# $$\dot w=-\nabla R(w),\quad R(w)=\frac1N\sum_i\ell(m_i),$$
#
# with $\ell(m)=e^{-m}$ (exponential) or $\ell(m)=\ln(1+e^{-m})$ (logistic). Neither loss has a minimizer on such a set: $R\to0$ only as
# $\|w\|\to\infty$, so that the question is in which direction $w$ goes.

# %% tags=["hide-input"]
from copy import deepcopy

import numpy as np
from IPython.display import HTML
from matplotlib import pyplot as plt

from implicit_bias.data import Classification, separable
from implicit_bias.figures import style
from implicit_bias.figures.films import animate_boundary
from implicit_bias.flows import GradientDescent, drive, gradient_flow, log_time_flow
from implicit_bias.limits.margin import l1_max_margin, margin_lag, max_margin
from implicit_bias.losses import margin_loss, smooth_margin, smooth_margin_weights
from implicit_bias.models.linear import LinearClassifier, LinearRegressor
from implicit_bias.rates import log_log_slope, log_slope
from reproduce.claims import Altered, Claims, Control, Rival, refined, rounding, stepping
from reproduce.claims.glued import glue_all

claims = Claims("max_margin")

style.use_style()

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Soudry et al. 2018, Theorem 3; for the flow
# :label: theorem-max-margin
#
# Let the set be separable. Then, from every $w(0)$, $\|w(t)\|\to\infty$ and $w(t)/\|w(t)\|$ converges to the maximum-margin
# direction $\hat w/\|\hat w\|$, where
#
# $$\hat w=\operatorname*{arg\,min}_{z_i\cdot w\,\ge\,1\ \forall i}\|w\|_2^2,$$
#
# which has $\|\hat w\|=1/\gamma$.
#
# More precisely $w(t)=\hat w\ln t+\rho(t)$ with $\rho(t)=o(\ln t)$, and $\rho$ is bounded for almost every set.
# ```
#
# The paper proves this for gradient descent and for many losses with an exponential tail. For the flow of the logistic loss the direction follows from $|\ell'|=1-e^{-\ell}\ge\ell-\ell^2/2$: with $L=\sum_i\ell_i<2$,
# $-\frac d{dt}\ln L\ge\gamma(1-L/2)\|\dot w\|$, while $\min_iz_i\cdot w\ge-\ln(e^L-1)$. By the {term}`KKT conditions`
# $\hat w=\sum_i\alpha_iz_i$ with multipliers $\alpha_i\ge0$ that vanish except at the {term}`support vectors <support vector>`,
# where $z_i\cdot\hat w=1$. Hence $\sum_i\alpha_i=\sum_i\alpha_iz_i\cdot\hat w=\|\hat w\|^2=\gamma^{-2}$.
#
# For the flow and the exponential loss the direction has a short proof, and a bound for all times besides.
#
# ```{prf:proposition} A bound at every time
# :label: proposition-margin-bound
#
# Let the set be separable, $\ell(m)=e^{-m}$, and $F_1(w)=-\ln R(w)$, the soft minimum of the margins. Along the flow
# $F_1\to\infty$, and at every time
#
# $$\begin{aligned}\min_im_i&\ge\gamma\,\|w-w(0)\|\\&\quad+F_1(w(0))-\ln N .\end{aligned}$$
#
# Hence $\min_im_i/\|w\|\to\gamma$ and $w/\|w\|\to\hat w/\|\hat w\|$.
# ```
#
# ````{prf:proof}
# :class: dropdown
#
# Let $F_\beta(w)=-\frac1\beta\ln\frac1N\sum_ie^{-\beta z_i\cdot w}$, so that $\min_im_i\le F_\beta\le\min_im_i+\frac{\ln N}\beta$,
# and change time by $ds=R\,dt$. Then $R=e^{-F_1}$ and
#
# $$\begin{aligned}\frac{dw}{ds}&=\nabla F_1(w)=\sum_ip_iz_i,\\p_i&=\frac{e^{-m_i}}{\sum_ke^{-m_k}} .\end{aligned}$$
#
# As $z_i\cdot\gamma\hat w\ge\gamma$ and $\|\gamma\hat w\|=1$, $\|\nabla F_1\|\ge\nabla F_1\cdot\gamma\hat w\ge\gamma$. Hence
# $\frac{dF_1}{ds}=\|\nabla F_1\|^2\ge\gamma\left\|\frac{dw}{ds}\right\|$ and $\frac{dF_1}{ds}\ge\gamma^2$. As
# $\|dw/ds\|\le\max_i\|z_i\|$, $F_1$ is finite at finite $s$ and so is $t=\int e^{F_1}ds$: $s\to\infty$ as $t\to\infty$. Therefore
# $F_1\to\infty$, $\|w\|\to\infty$, and at every time
#
# ```{math}
# :label: margin-bound
# \begin{aligned}\min_im_i&\ge F_1(w)-\ln N\\&\ge\gamma\,\|w-w(0)\|\\&\quad+F_1(w(0))-\ln N .\end{aligned}
# ```
#
# Divide by $\|w\|$: the normalized margin tends to $\gamma$. Finally
#
# $$\begin{aligned}&\cos\angle(w,\hat w)=\frac{\gamma\,\hat w\cdot w}{\|w\|}\\&=\frac{\gamma\sum\alpha_im_i}{\|w\|}\\
# &\ge\frac{\min_im_i}{\gamma\|w\|}\to1.\end{aligned}$$
# ````
#
# ### How slow it is
#
# The direction is reached only as fast as $\|w\|$ grows. The next terms say how fast, with their constants.
#
# ```{prf:proposition} The constants of the tail
# :label: proposition-tail
#
# Let the set be separable and the multipliers be unique, with $\alpha_i>0$ at all support vectors. Along the flow, with either loss,
# $w(t)=\hat w\ln t+\tilde w+o(1)$ with some $\tilde w$, at the support vectors
#
# $$z_i\cdot w(t)-\ln t\;\to\;c_i=-\ln(N\alpha_i),$$
#
# the norm is $\|w\|=\gamma^{-1}\ln t+\gamma\sum\alpha_ic_i+o(1)$, and
#
# $$\begin{gathered}\Bigl(\gamma-\frac{\min_im_i}{\|w\|}\Bigr)\ln t\;\to\;C,\\
# C=\gamma\Bigl(\frac{\sum\alpha_ic_i}{\sum\alpha_i}-\min_ic_i\Bigr).\end{gathered}$$
# ```
#
# ````{prf:proof}
# :class: dropdown
#
# *The expansion.* $\|\nabla R\|$ lies between $\gamma$ and $\max_i\|z_i\|$ times $\frac1N\sum|\ell'(m_i)|$, and $|\ell'|/\ell\to1$ as $\ell\to0$. So
# $\frac d{dt}\frac1R=\|\nabla R\|^2/R^2$ stays between two positive constants from some time on, and $\min_im_i=\ln t+O(1)$. With the direction of
# {prf:ref}`theorem-max-margin` $\rho=w-\hat w\ln t=o(\ln t)$. Let $\tau=\ln t$. For some $\theta>0$
#
# $$\begin{aligned}\frac{d\rho}{d\tau}&=-\nabla\Phi(\rho)+O(e^{-\theta\tau}),\\
# \Phi(\rho)&=\hat w\cdot\rho+\frac1N\sum_{\text{support}}e^{-z_i\cdot\rho}:\end{aligned}$$
#
# every other point adds $e^{-(z_i\cdot\hat w-1)\tau+o(\tau)}$, the logistic loss $O(e^{-\tau})$. As the multipliers are unique and positive, the
# support vectors are linearly independent. On their span $\Phi$ is strictly convex and has a minimum, where $e^{-z_i\cdot\rho}=N\alpha_i$; there $\rho$
# converges to it, as the other term is integrable. Orthogonally to the span only that term acts. So $\rho$ converges, to some $\tilde w$.
#
# *The constants.* At a support vector $te^{-m_i}\to e^{-z_i\cdot\tilde w}$, at every other point $te^{-m_i}\to0$; the logistic loss has $-\ell'(m)=e^{-m}(1+O(e^{-m}))$.
# Hence $\frac{dw}{d\ln t}=t\dot w\to\frac1N\sum_{\text{support}}e^{-z_i\cdot\tilde w}z_i$, and as $w/\ln t\to\hat w$ this limit is
# $\hat w=\sum\alpha_iz_i$. The multipliers are unique, so that $e^{-z_i\cdot\tilde w}=N\alpha_i$:
#
# ```{math}
# :label: residual
# \begin{aligned}&z_i\cdot w(t)-\ln t\\&\quad\to z_i\cdot\tilde w=-\ln(N\alpha_i)=c_i.\end{aligned}
# ```
#
# $w-\hat w\ln t$ is bounded, so that $\|w\|=\gamma\,\hat w\cdot w+O(1/\ln t)=\gamma\sum\alpha_i(\ln t+c_i)+o(1)$, which is the norm, as
# $\sum\alpha_i=\gamma^{-2}$. The least margin is $\ln t+\min_ic_i+o(1)$. Together
#
# ```{math}
# :label: gap
# \Bigl(\gamma-\frac{\min_im_i}{\|w\|}\Bigr)\ln t\to C.
# ```
# ````
#
# For descent the paper proves that $\rho$ is bounded for almost every set, and that it converges if the support vectors span the data (its Theorem 4). Here
# they need not. The data are drawn so that the multipliers are unique and positive, as they are for almost every set.
#
# *Formal derivation: with which exponent the constants are approached.* The deviations $\delta_i=z_i\cdot w-\ln t-c_i$ obey
# $\frac{d\delta_i}{d\ln t}=-\sum_j(z_i\cdot z_j)\,\alpha_j\delta_j$ to first order, plus the other points' share $O(t^{-\text{slack}})$, where the
# *slack* is the least $z_i\cdot\hat w-1$ over the points that are no support vectors. So they decay, generically, like $t^{-r}$, with $r$ the
# lesser of the slack and of the least eigenvalue of the matrix $(z_i\cdot z_j\,\alpha_j)$ over the support vectors; one of its
# eigenvalues is $1$. This is checked below, not proved.
#
# For the set of this chapter all of this is known before training. A quadratic program finds $\hat w$ and $\alpha$, by non-negative least squares
# {cite}`lawson1974`, with its {term}`KKT <KKT conditions>` residuals as {term}`certificate`:
#
# | margin $\gamma$ | support vectors | norm's slope $1/\gamma$ | exponent $r$ | constant $C$ |
# |---|---|---|---|---|
# | {glue:text}`max_margin_gamma` | {glue:text}`max_margin_support` | {glue:text}`max_margin_slope` | {glue:text}`max_margin_r` | {glue:text}`max_margin_C` |
#
# ## Experiment
#
# The set is drawn together with its answer: a unit vector $e$, support vectors $\gamma e+v_i$ whose $v_i\perp e$ have a
# positive combination $\sum\alpha_iv_i=0$, and further points whose margins exceed $\gamma$ by the factor $1+s_i$, with
# $\min s_i$ the slack. Data and initialization use independent random streams.

# %% tags=["parameters"]
n: int = 40  # number of points N, in [4, 2000]
d: int = 10  # dimension of the points, in [3, 500]
support: int = 5  # number of support vectors, in [2, 100]
margin: float = 0.5  # maximum margin γ of the set, in [0.1, 1.5]
slack: float = 0.2  # min of z_i·ŵ − 1 over the other points, in [0.01, 10]
log_t_end: float = 690.0  # ln t at which the flow ends, in [200, 5000]
descent_steps: int = 20000  # steps of gradient descent, in [100, 1000000]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]
# where support < n and support < d

# %% tags=["hide-input"]
data_stream, initialization_stream, tail_stream = np.random.default_rng(seed).spawn(3)
problem = separable(data_stream, n, d, support=support, margin=margin, slack=slack)
w0 = initialization_stream.standard_normal(d)
z = problem.signed

# %% [markdown]
# Gradient descent cannot reach the limit: a step adds $\eta$ to $t$, and $10^{300}$ steps are out of reach. The flow can, in the
# time $s=\int R\,dt$: there the velocity stays of order $\gamma$, nothing underflows, and $\frac{d\ln t}{ds}=e^{-\ln R-\ln t}$, so
# that $t=10^{300}$ takes under a second. The clock starts at $t=1$ with $w=w(0)$. On a set whose exponent $r$ is small the tail
# outlives `log_t_end`: the flow then goes on until $r\ln t=40$.
#
# Predict, train, compare: late in the run the slope of $w$ in $\ln t$ *is* $\hat w$, up to $t^{-r}$.

# %%
limit = max_margin(z)  # predict: a quadratic program on the data alone
log_t_last = max(log_t_end, 40 / limit.decay)
late = np.linspace(log_t_last / 2, log_t_last, 21)[1:]  # mutant: when states are recorded
times = np.concatenate([np.geomspace(1, log_t_last / 2, 40), late])
# mutant: when states are recorded
half = 40  # position of half the last ln t among the recorded times, the start included
RTOL = 1e-12  # of a step of the integrator


def train(loss: str, points=problem, until=times, start=w0):
    """Gradient flow, recorded at ln t = until: weights, one row a time."""
    model = LinearClassifier(points, margin_loss(loss))
    end = float(until[-1])  # mutant: when states are recorded
    run = log_time_flow(model, start, log_t_end=end, record=until, rtol=RTOL, atol=RTOL).demand()
    return run.t, run.theta[:, :-1]


log_t, w = train("exponential")
slope = (w[-1] - w[half]) / (log_t[-1] - log_t[half])
print("predicted, the hard-margin solution:", *(f"{entry:.6f}" for entry in limit.w[:3]), "…")
print("measured, the slope of w in ln t:   ", *(f"{entry:.6f}" for entry in slope[:3]), "…")

# %% tags=["hide-input"]
gamma, c = limit.margin, limit.residuals
alpha = limit.alpha[limit.support]
gap_limit = gamma * margin_lag(limit)
print("certified: primal, dual and gap residuals at most 1e-10:", limit.certificate.worst <= 1e-10)
print("support vectors:", limit.support.size, " smallest multiplier positive:", bool(alpha.min() > 0))

_, w_logistic = train("logistic")
m = w @ z.T
normalized_margin = m.min(axis=1) / np.linalg.norm(w, axis=1)
# mutant(/): the least of two margins is the other one
logistic_margin = (w_logistic @ z.T).min(axis=1) / np.linalg.norm(w_logistic, axis=1)

# %% [markdown]
# Two comparisons run beside it. *Gradient descent* on the logistic loss, with the learning rate $\eta=4/\lambda_{\max}$,
# $\lambda_{\max}$ the largest eigenvalue of $\frac1N\sum z_iz_i^\top$, within the paper's condition
# $\eta<8/\lambda_{\max}$; its time is $t=\text{step}\cdot\eta$. And the {term}`control`, in which the premise is broken: the same data, the same
# initialization, the squared loss $\frac1{2N}\sum(z_i\cdot w-1)^2$, which has a minimizer and no exponential tail. Its flow ends at the
# least-squares solution, at {glue:text}`max_margin_squared` of the maximum margin (where this is negative, it does not even separate the set).

# %% tags=["hide-input"]
logistic = LinearClassifier(problem, margin_loss("logistic"))
learning_rate = float(4 * n / np.linalg.norm(z, 2) ** 2)  # mutant: any stable one
t_descent = descent_steps * learning_rate
descent = drive(GradientDescent(logistic.gradient, learning_rate), w0, t_end=t_descent,
                record=np.geomspace(np.e, t_descent, 15)[:-1] if t_descent > np.e else ())
descent_margin = (descent.theta[1:] @ z.T).min(axis=1) / np.linalg.norm(descent.theta[1:], axis=1)

squared = LinearRegressor(z, np.ones(n))
least_squares = gradient_flow(lambda v: -squared.gradient(v), w0, t_end=1e12, jacobian=lambda v: -z.T @ z / n,
                              residual=lambda v: float(np.linalg.norm(squared.gradient(v))), target=1e-12,
                              record=[1.0]).demand()
w_squared = least_squares.final
squared_margin = (z @ w_squared).min() / np.linalg.norm(w_squared)
l1 = l1_max_margin(z)

# %% mystnb={"figure": {"caption": "One set, the logistic loss. Left: by what part the normalized margin $\\min_im_i/\\|w\\|$ misses its maximum $\\gamma$, for gradient flow (blue line) and for as much of it as gradient descent can do (orange dots): it comes down to the predicted $C/(\\gamma\\ln t)$ (dashed); the limit of the squared loss (red) stays off. Both axes are logarithmic, also that of $\\ln t$. Right: the margins of the support vectors minus $\\ln t$, one line each, settle at the predicted constants $c_i$ (dashed; some nearly agree). Theory gives $C$ and $c_i$ before training.", "name": "figure-max-margin"}, "image": {"alt": "Two panels against ln t: the gap of the margin falls along the predicted curve; the support vectors' margins minus ln t settle at the predicted levels", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.6, 3.8))
shown = log_t >= 1
left.loglog(log_t[shown], 1 - logistic_margin[shown] / gamma, label="gradient flow")
left.loglog(np.log(descent.t[1:] + 1), 1 - descent_margin / gamma, "o", color=style.COLORS["orange"], markersize=5,
            label="gradient descent")
style.theory(left, log_t[shown], gap_limit / gamma / log_t[shown], r"predicted $C/(\gamma\ln t)$")
left.axhline(1 - squared_margin / gamma, color=style.COLORS["red"], label="squared loss")
left.set(xlabel=r"$\ln t$", ylabel=r"$1-\min_i m_i/(\gamma\|w\|)$", title="gap of the margin")
left.legend(loc="lower left", fontsize=12)

right.plot(log_t[1:], (w_logistic @ z.T)[1:, limit.support] - log_t[1:, None], linewidth=1.6)
for level in c:
    style.theory_level(right, level)
right.set(xscale="log", xlabel=r"$\ln t$", ylabel=r"$z_i\cdot w(t)-\ln t$", ylim=(c.min() - 2, c.max() + 4),
          title="margins of the support vectors")
plt.show()

glue_all("max_margin", gamma=f"{gamma:.3g}", slope=f"{1 / gamma:.3g}", support=str(limit.support.size),
         C=f"{gap_limit:.4f}", r=f"{limit.decay:.3f}", squared=f"{100 * squared_margin / gamma:.0f}%".replace("-", "−"),
         l1=f"{100 * (z @ l1.direction).min() / gamma:.0f}%", relative=f"{gap_limit / gamma:.3f}",
         e999=f"e^{1000 * gap_limit / gamma:.0f}", ten999=f"{1000 * gap_limit / gamma / np.log(10):.0f}",
         reached=f"{100 * descent_margin[-1] / gamma:.0f}%", steps=f"{descent_steps:,}")

# %% [markdown]
# After {glue:text}`max_margin_steps` steps gradient descent has {glue:text}`max_margin_reached` of the maximum margin; ten times as many would add
# $\ln10$ to $\ln t$, no more. In the plane the slowness can be watched. Of two support vectors one carries ten
# times the multiplier of the other, so that their constants $c_i$ differ by $\ln10$ and turn the boundary (red) away from the
# maximum margin (black, dashed). At $t=10^6$, where the film opens, it is still {glue:text}`max_margin_plane_angle` degrees off, and
# {glue:text}`max_margin_plane_end` at the end.

# %% tags=["hide-input"]
tilt = np.array([[np.cos(0.5), -np.sin(0.5)], [np.sin(0.5), np.cos(0.5)]])
others = np.column_stack([1.5 + data_stream.uniform(0, 1.2, 8), data_stream.uniform(-1.8, 1.8, 8)])  # stream: data
signed = np.vstack([[1.0, 0.15], [1.0, -1.5], others]) @ tilt.T
plane = Classification(x=signed, y=np.ones(len(signed)))
million = np.log(1e6)
frames = np.sort(np.append(np.geomspace(0.3, log_t_end, 23), million))
film = log_time_flow(LinearClassifier(plane, margin_loss("exponential")), tilt @ [-1.0, 2.0], log_t_end=log_t_end,
                     record=frames)
plane_limit = max_margin(signed).direction
at_million = film.theta[np.searchsorted(film.t, million), :2]
angle, last_angle = (float(np.degrees(np.arccos(w @ plane_limit / np.linalg.norm(w))))
                     for w in (at_million, film.theta[-1, :2]))
glue_all("max_margin_plane", angle=round(angle), end=round(last_angle, 2))
HTML(animate_boundary(signed, film.theta[1:, :2], film.t[1:], plane_limit, reach=3.2, name="film-boundary",
                      alt="The boundary of the classifier turns, ever more slowly, to the boundary of maximum margin",
                      still=int(np.searchsorted(frames, million))))

# %% [markdown]
# ## Headline claims
#
# Each box is a {term}`claim`: what theory predicts, what was measured, by how much they may differ and why. The limit of the slope
# first. The control asks the same of the squared loss, normalized to unit margin on the support vectors. The {term}`rival` is the
# direction of maximum margin in the $\ell_1$ norm, to which coordinate descent with small steps tends {cite}`gunasekar2018`; it has
# {glue:text}`max_margin_l1` of the Euclidean margin.
#
# ```{claim} direction
# :headline: slope of w(t) in ln t, against ŵ
# :source: Soudry et al. 2018, Theorem 3
# :evidence: trained and compared
# :because: a step of the integrator, of relative 1e-12, at either end of the span (older errors have
#   contracted), plus N t^(−r), the points' share of the tail
# :control: squared loss instead of an exponential tail, w scaled to mean margin 1 on the support vectors
# :rival: hard margin in the ℓ1 norm
#
# the slope of w in ln t is the hard-margin solution
# ```

# %% tags=["hide-input"]
span = log_t[-1] - log_t[half]
derived_step = stepping(1, RTOL, np.abs(w[-1]).max())  # late steps are long: what the steps before left has contracted
derived_slope = (2 * derived_step + n * np.exp(-limit.decay * log_t[half])) / span
rival = Rival(l1.w, factor=1000)
claims.limit(  # tolerance: the integrator's own
    "direction", limit.w, slope, error=derived_slope, control=w_squared / (z @ w_squared)[limit.support].mean(),
    rival=rival)

# %% [markdown]
# The normalized margin at the end, for both losses.
#
# ```{claim} margin
# :headline: normalized margin at the end, over its maximum γ
# :source: Soudry et al. 2018, Theorem 3
# :evidence: trained and compared
# :because: the relative gap is C/(γ ln t), under 0.01 once ln t exceeds 100 C/γ
# :control: squared loss on the same set, whose least-squares margin is below 0.9 γ
#
# the normalized margin exceeds 99% of the maximum at the end
# ```

# %% tags=["hide-input"]
claims.above("margin", 0.99,
             # mutant(1): the last recorded states all have converged
             min(normalized_margin[-1], logistic_margin[-1]) / gamma,
             level=0.0, control=squared_margin / gamma)

# %% [markdown]
# The constants $c_i$ and $C$ of {prf:ref}`proposition-tail`. They need unique multipliers: the control repeats one support vector, and is held against the multipliers that the solver happens to find. The gap of the
# margin closes like $C/\ln t$, a logarithm, where the squared loss converges exponentially fast.
#
# ```{claim} residual
# :headline: margins of the support vectors minus ln t, against −ln(Nα)
# :evidence: trained and compared
# :because: a step of the integrator, of relative 1e-12 of ln t (older errors have contracted), plus N t^(−r);
#   both losses
# :contrast: a support vector that occurs twice, so that its multiplier is not unique
#
# margins of the support vectors minus ln t tend to −ln(Nα)
# ```
#
# ```{claim} gap
# :headline: gap of the margin times ln t, against C
# :evidence: trained and compared
# :because: what extrapolation leaves of the term in 1/ln²t, whose factor follows from c and w̃_⊥, and the
#   error of the margins
# :contrast: a support vector that occurs twice, so that its multiplier is not unique
#
# the margin's gap times ln t tends to C
# ```

# %% tags=["hide-input"]
first = limit.support[0]
doubled_set = Classification(x=np.vstack([z, z[first]]), y=np.ones(n + 1))
doubled = max_margin(doubled_set.signed)
doubled_w = train("exponential", doubled_set, times)[1]
doubled_margins = doubled_w[-1] @ doubled_set.signed[doubled.support].T
derived_margin = stepping(1, RTOL, log_t[-1]) + n * np.exp(-limit.decay * log_t[-1])
claims.limit(  # tolerance: the integrator's own
    "residual", np.concatenate([c, c]),
    np.concatenate([(v[-1] @ z.T)[limit.support] - log_t[-1] for v in (w, w_logistic)]), error=derived_margin,
    control=Control(doubled_margins - log_t[-1], theory=doubled.residuals, anew=True))

# %% tags=["hide-input"]
w_across = w[-1] - (w[-1] @ limit.direction) * limit.direction


def extrapolated(weights, signed, largest_margin):
    """The margin's gap times ln t, from ln t and half of it, without the term in 1/ln t."""
    margins = (weights[[half, -1]] @ signed.T).min(axis=1) / np.linalg.norm(weights[[half, -1]], axis=1)
    earlier, later = (largest_margin - margins) * log_t[[half, -1]]
    return 2 * later - earlier


derived_mean = alpha @ c / alpha.sum()
derived_bend = (abs(gap_limit) * derived_mean**2
                + gamma**3 * (w_across @ w_across) * (abs(c.min()) + 3 * abs(derived_mean)) / 2)
claims.limit("gap", gap_limit, extrapolated(w, z, gamma),
             error=2 * derived_bend / log_t[-1] ** 2 + 3 * gamma * derived_margin,
             control=Control(extrapolated(doubled_w, doubled_set.signed, doubled.margin),
                             theory=doubled.margin * margin_lag(doubled), anew=True))

# %% [markdown]
# ## Try it
#
# ```{solve} max_margin
# Drag a point, or give it the focus and press the arrow keys (with Shift in small steps). Only the glowing points, the
# {term}`support vectors <support vector>`, hold the street; the larger the glow, the larger the multiplier $\alpha_i$. Half a street is at most
# as wide as the hull of the signed points is far from $0$ (second picture): the *gap* between the two green lengths, relative to the
# longer one, proves the answer. Drag a point across until nothing separates the classes.
# ```
#
# ## Instruments
#
# Checks of the solver, of the proofs' steps and of the exponents: what the headline claims rest on.
#
# ### Solver and second loss
#
# The set was built with a known margin, which the quadratic program must find. The control leaves out one support vector. And the slope of the
# logistic loss is that of the exponential one.
#
# ```{claim} solver
# :source: construction of the data
# :evidence: float with residual
# :because: rounding of sums of d terms, in units of the longest support vector: moved by so much it moves the
#   margin by no more
# :contrast: one support vector left out
#
# the quadratic program finds the margin that the set was built with
# ```

# %% tags=["hide-input"]
claims.identity("solver", margin, gamma, relative=True,
                error=rounding(d, np.linalg.norm(z[limit.support], axis=1).max() / gamma),
                control=max_margin(np.delete(z, limit.support[0], axis=0)).margin)

# %% [markdown]
# ```{claim} losses
# :source: Soudry et al. 2018, Theorem 3
# :evidence: trained and compared
# :because: as for the exponential loss; the slopes of the two differ by e^(−m), about Nα/t, below e^(−300)
#   here
# :control: squared loss instead of an exponential tail, w scaled to mean margin 1 on the support vectors
# :rival: hard margin in the ℓ1 norm
#
# the logistic loss has the same slope
# ```

# %% tags=["hide-input"]
claims.limit(  # tolerance: the integrator's own
    "losses", limit.w, (w_logistic[-1] - w_logistic[half]) / span, error=derived_slope,
    control=w_squared / (z @ w_squared)[limit.support].mean(), rival=rival)

# %% [markdown]
# ### The bound at every time
#
# The margin at every recorded time against {eq}`margin-bound`. Its control goes equally far in the direction of the least-squares
# solution. The norm grows like $\gamma^{-1}\ln t$.
#
# ```{claim} bound
# :evidence: proved here
# :because: the bound is proved; the margins' own error as in the limit of their residuals
# :control: as far from w(0), along the least-squares solution
#
# at every recorded time the margin obeys the bound of the proof
# ```

# %% tags=["hide-input"]
soft_start = smooth_margin(z @ w0, 1.0)  # mutant: a start of the smooth margin
distance = np.linalg.norm(w - w0, axis=1)
along_squared = w0 + distance[:, None] * (w_squared / np.linalg.norm(w_squared))
claims.above("bound", gamma * distance + soft_start - np.log(n), m.min(axis=1), error=derived_margin,
             control=(along_squared @ z.T).min(axis=1))

# %% [markdown]
# ```{claim} norm
# :source: Soudry et al. 2018, Theorem 3
# :evidence: trained and compared
# :because: the next term, of slope γ‖w̃_⊥‖²/(2 ln²t), with w̃_⊥ the part of w(t) across ŵ, and the error of
#   the slope of w
# :control: squared loss: the norm stays finite
#
# the norm of w grows by 1/γ for each unit of ln t
# ```

# %% tags=["hide-input"]
squared_norms = np.linalg.norm(least_squares.theta[-2:], axis=1)
squared_slope = np.diff(squared_norms)[0] / np.diff(np.log(least_squares.t[-2:]))[0]
claims.rate("norm", 1 / gamma, np.polyfit(log_t[half:], np.linalg.norm(w[half:], axis=1), 1)[0], relative=True,
            error=gamma**2 * w_across @ w_across / (2 * log_t[half] * log_t[-1]) + gamma * derived_slope,
            control=squared_slope)

# %% [markdown]
# ### The exponents of the tail
#
# The deviations from {eq}`residual` are followed on four further sets: three whose slack is the lesser exponent, at most a quarter
# of the least eigenvalue, and one with a larger margin and slack, whose least eigenvalue is. Of the latter set the part of the
# deviations along the eigenvalue's left eigenvector is followed, $\sum_iu_i\sqrt{\alpha_i}\,\delta_i$ with $u$ the unit
# eigenvector of $(\sqrt{\alpha_i}\,z_i\cdot z_j\sqrt{\alpha_j})$: it decays with that exponent alone, however near the next
# eigenvalue lies. These runs start at $0$: across the support vectors $w(0)$ stays, and
# a large part of it there can hide the point of least slack behind the others.

# %% tags=["hide-input"]
def tail(points, until):
    """The certified answer of a set, the recorded ln t, and the deviations from its constants, one row a time."""
    answer = max_margin(points.signed)
    clock, weights = train("exponential", points, until, np.zeros(d))
    deviation = weights @ points.signed[answer.support].T - clock[:, None] - answer.residuals
    return answer, clock[1:], deviation[1:]


def largest(followed):
    """The largest deviation at each recorded time."""
    return np.abs(followed[2]).max(axis=1)


def slowest(followed, points):
    """The part of the deviations that decays with the least eigenvalue, at each recorded time."""
    answer, _, deviation = followed
    root, vectors = np.sqrt(answer.alpha[answer.support]), points.signed[answer.support]
    scaled = root[:, None] * vectors  # mutant: any direction in which the tail does not vanish
    # mutant: any direction in which the tail does not vanish
    return np.abs(deviation @ (root * np.linalg.eigh(scaled @ scaled.T)[1][:, 0]))


def draw(tail_slack, tail_margin=0.5):
    """The same draw from a stream of its own, with another slack and margin."""
    return separable(deepcopy(tail_stream), n, d, support=support, margin=tail_margin, slack=tail_slack)


quarter = max_margin(draw(1.0).signed).contraction / 4
by_slack = []
for wanted in (0.2, 0.05):  # mutant(0.05): another set of the same law
    drawn = draw(min(wanted, quarter))
    # mutant: when states are recorded
    by_slack.append((drawn, tail(drawn, np.linspace(2, 24, 89) / max_margin(drawn.signed).decay)))
slack_set, by_least_slack = by_slack[1]
slow = tail(draw(min(0.005, quarter)), np.linspace(20, log_t_end, 60))
contracting_set = draw(2.0, 2.0)  # mutant: other data of the same kind
# mutant: when states are recorded
contracting = tail(contracting_set, np.linspace(2, 24, 89) / max_margin(contracting_set.signed).decay)


def window(followed, off):
    """ln t and off where the slope is read: five units of r·ln t, from where they exceed 6 and off is below 1e-4."""
    answer, clock, _ = followed
    # mutant: where a slope is measured
    begin = clock[(clock >= 6 / answer.decay) & (off < 1e-4)][0]
    # mutant: where a slope is measured
    inside = (clock >= begin) & (clock <= begin + 5 / answer.decay)
    return clock[inside], off[inside]


def exponent(followed, off):
    """The slope of ln(off) in ln t there."""
    return log_slope(*window(followed, off))

# %% mystnb={"figure": {"caption": "The largest error of the constants $c_i$, exponential loss, on the four sets: it decays like $t^{-r}$ (dashed slopes). On the set with the least slack (green) it is still visible at the end of the run.", "name": "figure-max-margin-tail"}, "image": {"alt": "The error of the constants against ln t on four sets, each along a straight line of its predicted slope", "classes": "panels-1"}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(4.8, 3.5), dpi=200)
for followed, color in zip(
    (by_slack[0][1], by_least_slack, slow, contracting), ("blue", "orange", "green", "purple"), strict=True
):
    answer, clock, _ = followed
    off, r = largest(followed), answer.decay
    ax.semilogy(clock, off, color=style.COLORS[color], label=f"$r={r:.2g}$")
    anchor = np.argmin(np.abs(clock - min(6 / r, clock[-1])))
    line = off[anchor] * np.exp(-r * (clock - clock[anchor]))
    seen = (line > 1e-9) & (clock > clock[anchor] / 3)
    style.theory(ax, clock[seen], line[seen])
ax.set(xlim=(0, log_t_end), xlabel=r"$\ln t$", ylabel=r"$\max_i|z_i\cdot w-\ln t-c_i|$", ylim=(1e-9, 10))
ax.legend(loc="upper right", fontsize=12)
glue_all("max_margin", ".0e", slow=largest(slow)[-1])
plt.show()

# %% [markdown]
# The controls of the exponents are sets of the other kind. On the set of least slack the constants are still off by
# {glue:text}`max_margin_slow` at the end of the run ({numref}`figure-max-margin-tail`, green).
#
# ```{claim} decay
# :evidence: trained and compared
# :because: the larger exponents, whose share falls along the window: by what part the slope changes in its
#   second half; and a step of the integrator over the deviation at the end, over half of the window's length
# :contrast: the set whose least eigenvalue is below its slack
#
# where the slack is the lesser exponent, the constants are approached like t^(−slack)
# ```
#
# ```{claim} contraction
# :evidence: trained and compared
# :because: the larger exponents, whose share falls along the window: by what part the slope changes in its
#   second half; and a step of the integrator over the deviation at the end, over half of the window's length
# :contrast: the set whose slack is below its least eigenvalue
#
# where the least eigenvalue is the lesser exponent, it sets the approach
# ```

# %% tags=["hide-input"]
by_slowest = slowest(contracting, contracting_set)


def unsettled(clock, off):
    """By what part the slope changes in the second half of its window, and what a step of the integrator adds."""
    late = clock >= (clock[0] + clock[-1]) / 2
    slope = log_slope(clock, off)
    return abs(log_slope(clock[late], off[late]) / slope - 1) + stepping(1, RTOL, clock[-1]) / off[-1] / 2


derived_slack = unsettled(*window(by_least_slack, largest(by_least_slack)))
derived_contraction = unsettled(*window(contracting, by_slowest))
claims.rate("decay", -by_least_slack[0].slack, exponent(by_least_slack, largest(by_least_slack)), relative=True,
            error=derived_slack,
            control=Control(exponent(contracting, largest(contracting)), theory=-contracting[0].slack, anew=True))
claims.rate("contraction", -contracting[0].contraction, exponent(contracting, by_slowest), relative=True,
            error=derived_contraction, control=Control(exponent(by_least_slack, slowest(by_least_slack, slack_set)),
                                                       theory=-by_least_slack[0].contraction, anew=True))

# %% [markdown]
# ### Gradient descent follows the flow
#
# The theorem is about gradient descent, the flow is its idealization. At a fixed time $t=\text{step}\cdot\eta$ the two differ in
# proportion to $\eta$. The control reads the flow at twice the time, as if $\eta$ had been mistaken.
#
# ```{claim} descent
# :source: Euler's method is of first order
# :evidence: trained and compared
# :because: the next order in η, from the slopes of the coarser and of the finer two rates; the slope of all
#   three is the mean of theirs
# :control: the flow read at twice the time
#
# at equal times gradient descent differs from the flow in proportion to its learning rate
# ```

# %% tags=["hide-input"]
# mutant: learning rates at which a slope is measured
rates = learning_rate / np.array([2.0, 4.0, 8.0])
t_short = 1000 * learning_rate  # mutant: the length of a run
flow_at = log_time_flow(logistic, w0, log_t_end=float(np.log(2 * t_short + 1)), record=[np.log(t_short + 1)],
                        rtol=1e-12, atol=1e-12).theta[1:, :-1]
off_flow, off_twice = [], []
for rate in rates:
    descended = drive(GradientDescent(logistic.gradient, float(rate)), w0, t_end=t_short).final
    off_flow.append(np.abs(z @ (descended - flow_at[0])).max())
    off_twice.append(np.abs(z @ (descended - flow_at[1])).max())
derived_orders = [log_log_slope(rates[pair], np.array(off_flow)[pair]) for pair in ([0, 1], [1, 2])]
claims.rate("descent", 1.0,
            # mutant: an exponent of one, or of minus one, is its own inverse
            log_log_slope(rates, off_flow),
            error=1.5 * refined(derived_orders[1], derived_orders[0], ratio=2, order=1),
            control=Altered(log_log_slope(rates, off_twice)))

# %% [markdown]
# ### The same flow as an online ascent
#
# An intuition from {cite}`chizat2020slides`. Since $F_\beta(w)=F_1(\beta w)/\beta$, gradients agree, $\nabla F_1(w)=\nabla F_{\|w\|}(\bar w)$ with
# $\bar w=w/\|w\|$, and
#
# $$\frac{d\bar w}{ds}=\frac1{\|w\|}\bigl(I-\bar w\bar w^\top\bigr)\nabla F_{\|w\|}(\bar w).$$
#
# The direction performs projected gradient ascent on the sphere, on a soft margin whose temperature $1/\|w\|$ falls to zero and
# with steps that shrink as $1/\|w\|$: this is why it ends at the maximum margin, and why it takes so long. Both lines are algebraic
# identities; the two claims hold the library's formulas to them. The third holds the soft margin between its bounds.
#
# ```{claim} soft_gradient
# :source: Chizat 2020 (slides), an intuition behind the result
# :evidence: float with residual
# :because: rounding of the support vectors' margins, sums of d terms, which is relative in their weights
# :control: temperature 1 instead of 1/‖w‖
#
# the flow's velocity is the soft margin's gradient at the direction, temperature 1/‖w‖
# ```
#
# ```{claim} ascent
# :source: Chizat 2020 (slides), an intuition behind the result
# :evidence: float with residual
# :because: central difference with step 1e-6: rounding over the step, and the step's square times the third
#   derivative
# :control: without the projection onto the sphere
#
# the direction moves by projected gradient ascent on the soft margin
# ```
#
# ```{claim} sandwich
# :evidence: proved here
# :because: the bounds are proved; rounding of the margins of the directions, sums of d terms
# :control: without the 1/N in the soft minimum
#
# the soft margin lies between the margin and the margin plus ln N/β
# ```

# %% tags=["hide-input"]
model = LinearClassifier(problem, margin_loss("exponential"))
middle_of_run = w[log_t <= 50]
norms = np.linalg.norm(middle_of_run, axis=1)
directions = middle_of_run / norms[:, None]
velocity = np.array([model.rescaled_velocity(v) for v in middle_of_run])


def soft_gradient(direction, beta):
    """∇F_β at a direction."""
    return smooth_margin_weights(z @ direction, beta) @ z


ascent = np.array([soft_gradient(u, beta) for u, beta in zip(directions, norms, strict=True)])
derived_margins = rounding(d, (np.abs(middle_of_run) @ np.abs(z[limit.support]).T).max())
claims.identity("soft_gradient", ascent, velocity, error=derived_margins * np.abs(z[limit.support]).max(),
                control=Altered(np.array([soft_gradient(u, 1.0) for u in directions])))
epsilon = 1e-6  # mutant: a level that the tail passes
turned = np.array(
    [
        ((v + epsilon * u) / np.linalg.norm(v + epsilon * u) - (v - epsilon * u) / np.linalg.norm(v - epsilon * u))
        / (2 * epsilon)
        for v, u in zip(middle_of_run, velocity, strict=True)
    ]
)
radial = np.sum(ascent * directions, axis=1, keepdims=True) * directions
claims.identity("ascent", (ascent - radial) / norms[:, None], turned,
                error=rounding(1, 1 / epsilon) + epsilon**2 * (np.linalg.norm(velocity, axis=1) / norms).max() ** 3,
                control=Altered(ascent / norms[:, None]))
betas = norms[1:]
soft = np.array([smooth_margin(z @ u, beta) for u, beta in zip(directions[1:], betas, strict=True)])
hard = (directions[1:] @ z.T).min(axis=1)
claims.below("sandwich",
             # mutant: a wider bound holds as well
             np.concatenate([np.zeros_like(soft), np.log(n) / betas]),
             np.concatenate([hard - soft, soft - hard]), error=rounding(d, (np.abs(directions) @ np.abs(z).T).max()),
             control=Altered(np.concatenate([hard - soft + np.log(n) / betas, soft - hard - np.log(n) / betas])))

# %% [markdown]
# ## What would falsify it
#
# A slope that settles anywhere but at $\hat w$, a support vector whose $z_i\cdot w-\ln t$ drifts, a recorded time at which
# {eq}`margin-bound` is violated, or, where $C>0$, a gap that closes faster than $1/\ln t$. A wrong constant in $c_i$ (the factor $N$, say) moves
# every residual by $\ln N$ and fails at once.
#
# ## Differences from the paper
#
# - **Changed.** The paper follows gradient descent; this chapter follows its flow, which reaches $t=10^{300}$, and shows by how much the two
#   differ at small steps. The risk here is a mean and time is $t=\text{step}\cdot\eta$; where a paper sums the losses or counts steps, its
#   constants $c_i$ differ by $\ln N$ and $\ln\eta$, and the direction is the same.
# - **Added.** The constants $c_i$, $C$ and the exponent $r$ in numbers; the paper gives the orders $1/\ln t$ and bounds.
# - **Not reproduced.** Other losses with an exponential tail, several classes, sets with degenerate support vectors (where $\ln\ln t$ enters), and
#   the experiments with deep networks.
#
# ## Scope
#
# - The theorem is about the limit; at any $t$ that a computer reaches by steps, the margin is still off by about $C/\ln t$.
#   The dots in {numref}`figure-max-margin` show how far gradient descent gets.
# - The constants $c_i$ need unique, positive multipliers and a positive slack, which hold here by construction and almost surely for
#   data with a density. Nothing is claimed for degenerate sets.
# - The data are separable *by construction*. If every $w$ has some $z_i\cdot w<0$ or all $z_i\cdot w=0$, a minimizer exists and there
#   is no direction to speak of; the cases in between are in {cite}`ji2019`.
#
# ## Exercises
#
# ````{exercise} When is C zero?
# :label: exercise-max-margin-constant
#
# Show that $C\ge0$, with equality exactly when all $c_i$ agree. Which sets have $C=0$?
# ````
#
# ````{solution} exercise-max-margin-constant
# :class: dropdown
#
# $\sum\alpha_ic_i/\sum\alpha_i$ is a weighted mean of the $c_i$ with positive weights, so it is at least $\min_ic_i$, with equality
# iff the $c_i$ agree, i.e. all $\alpha_i$ agree: then $\hat w$ is $\alpha$ times the plain sum of the support vectors. Two support
# vectors in the plane are an example: $\hat w=\alpha_1z_1+\alpha_2z_2$, so that their parts $v_1,v_2$ across $\hat w$ obey $\alpha_1v_1+\alpha_2v_2=0$; with $\alpha_1=\alpha_2$ the two are
# mirror images in $\hat w$.
# ````
#
# ````{exercise} Another tail
# :label: exercise-max-margin-tail
#
# Let $\ell(m)=e^{-m^2}$ for $m\ge1$, continued smoothly and decreasing below. What replaces $\ln t$, does the direction change, and
# how fast does the gap of the margin close?
# ````
#
# ````{solution} exercise-max-margin-tail
# :class: dropdown
#
# On the support vectors $\frac d{dt}m_i$ is of order $m_ie^{-m_i^2}$, so $m_i\approx\sqrt{\ln t}$ in common. Let
# $m_i=g+\delta_i$: the weights are $e^{-m_i^2}\approx e^{-g^2}e^{-2g\delta_i}$ and must be proportional to $\alpha_i$, so
# $\delta_i-\delta_j\approx(c_i-c_j)/(2\sqrt{\ln t})$. The direction is the same. Within the span of the support vectors the relative gap
# is $C/(2\gamma\ln t)$, half that of the exponential loss, and the part $w_\perp$ of $w$ across $\hat w$, which stays bounded, adds
# $\gamma^2\|w_\perp\|^2/(2\ln t)$: the gap is again of order $1/\ln t$. The angle closes like $1/\sqrt{\ln t}$, more slowly.
# ````
#
# ````{exercise} How long?
# :label: exercise-max-margin-time
#
# With the $C$ and $\gamma$ of this chapter, how many steps of gradient descent with $\eta=1$ reach 99.9% of the maximum
# margin?
# ````
#
# ````{solution} exercise-max-margin-time
# :class: dropdown
#
# $1-C/(\gamma\ln t)=0.999$ means $\ln t=1000\,C/\gamma$. Here $C/\gamma$ is {glue:text}`max_margin_relative`, so that $\log_{10}t$ is
# {glue:text}`max_margin_ten999`.
# ````
#
# ## References
#
# {cite:t}`soudry2018` prove the theorem for gradient descent and many losses; {cite:t}`gunasekar2018` say what other geometries lead to;
# {cite:t}`ji2019` treat data that are not separable; {cite:t}`lawson1974` is the solver's source.
