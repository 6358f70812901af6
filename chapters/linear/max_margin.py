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
# # Separable data: the maximum margin
#
# Train a linear classifier on separable data with the exponential or the logistic loss and no regularization. The loss
# has no minimizer, so the weights grow forever; their *direction* converges, from every initialization, to the one that
# separates the data with the largest Euclidean margin {cite}`soudry2018`.
#
# ```{chapter-claims}
# ```
#
# ## Setting
#
# Let $(x_i,y_i)_{i=1}^N$ be points in $\mathbb R^d$ with labels $y_i=\pm1$, $z_i=y_ix_i$ the signed points and
# $m_i(w)=z_i\cdot w$ the margins of $x\mapsto w\cdot x$. The set is *separable* with margin
#
# $$\gamma=\max_{\|w\|_2\le1}\,\min_i\, z_i\cdot w>0 .$$
#
# Gradient flow runs on $R(w)=\frac1N\sum_i\ell(m_i(w))$ with $\ell(m)=e^{-m}$ or $\ell(m)=\ln(1+e^{-m})$: $\dot
# w=-\nabla R(w)$.

# %% tags=["hide-input"]
import numpy as np
from IPython.display import HTML
from matplotlib import pyplot as plt
from myst_nb import glue

from implicit_bias import plots
from implicit_bias.animations import animate_boundary
from implicit_bias.data import Classification, separable
from implicit_bias.flows import GradientDescent, drive, gradient_flow, log_time_flow
from implicit_bias.limits import l1_max_margin, max_margin
from implicit_bias.losses import margin_loss, smooth_margin, smooth_margin_weights
from implicit_bias.models import LinearClassifier, LinearRegressor
from reproduce.claims import Control, Rival, claim

plots.use_style()

# %% tags=["parameters"]
n: int = 40  # number of points N, in [4, 2000]
d: int = 10  # dimension of the points, in [3, 500]
support: int = 5  # number of support vectors, at most n − 1 and d, in [2, 100]
margin: float = 0.5  # maximum margin γ of the set, in [0.1, 1.5]
slack: float = 0.2  # min of z_i·ŵ − 1 over the other points, in [0.01, 10]
log_t_end: float = 690.0  # ln t at which the flow ends, in [200, 5000]
descent_steps: int = 20000  # steps of gradient descent, in [100, 1000000]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]

# %% [markdown]
# The set is drawn together with its answer: a unit vector $e$, support vectors $\gamma e+v_i$ whose $v_i\perp e$ have a
# positive combination $\sum\alpha_iv_i=0$, and further points whose margins exceed $\gamma$ by the factor $1+s_i$, with
# $\min s_i$ the *slack*. Data and initialization use independent random streams.

# %%
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
problem = separable(data_stream, n, d, support=support, margin=margin, slack=slack)
w0 = initialization_stream.standard_normal(d)
z = problem.signed

# %% [markdown]
# ## What theory predicts
#
# ```{prf:theorem} Soudry et al. 2018, Theorem 3; for the flow
# :label: theorem-max-margin
#
# Let the set be separable. Then, from every $w(0)$, $\|w(t)\|\to\infty$ and $w(t)/\|w(t)\|$ converges to the maximum-margin
# direction $\hat w/\|\hat w\|$, where
#
# $$\hat w=\arg\min\{\|w\|_2^2 : z_i\cdot w\ge1 \text{ for all } i\},\qquad \|\hat w\|=1/\gamma .$$
#
# More precisely $w(t)=\hat w\ln t+\rho(t)$ with $\rho(t)=o(\ln t)$, and $\rho$ is bounded for almost every set.
# ```
#
# The paper proves this for gradient descent and for many losses with an exponential tail. For the flow and the exponential loss
# the direction has a short proof.
#
# ````{prf:proof}
# Let $F_\beta(w)=-\frac1\beta\ln\frac1N\sum_ie^{-\beta z_i\cdot w}$ be the soft minimum of the
# margins, $\min_im_i\le F_\beta\le\min_im_i+\frac{\ln N}\beta$, and change time by $ds=R\,dt$. Then $R=e^{-F_1}$ and
#
# $$\frac{dw}{ds}=\nabla F_1(w)=\sum_ip_iz_i,\qquad p_i=\frac{e^{-m_i}}{\sum_ke^{-m_k}} .$$
#
# As $z_i\cdot\gamma\hat w\ge\gamma$ and $\|\gamma\hat w\|=1$, $\|\nabla F_1\|\ge\nabla F_1\cdot\gamma\hat w\ge\gamma$. Hence
# $\frac{dF_1}{ds}=\|\nabla F_1\|^2\ge\gamma\left\|\frac{dw}{ds}\right\|$ and $\frac{dF_1}{ds}\ge\gamma^2$. As
# $\|dw/ds\|\le\max_i\|z_i\|$, $F_1$ is finite at finite $s$ and so is $t=\int e^{F_1}ds$: $s\to\infty$ as $t\to\infty$. Therefore
# $F_1\to\infty$, $\|w\|\to\infty$, and at every time
#
# ```{math}
# :label: margin-bound
# \min_im_i(w)\;\ge\; F_1(w)-\ln N\;\ge\;\gamma\,\|w-w(0)\|+F_1(w(0))-\ln N .
# ```
#
# Divide by $\|w\|$: the normalized margin tends to $\gamma$. Finally $\hat w=\sum\alpha_iz_i$ with $\alpha\ge0$ and
# $\alpha_i>0$ only where $z_i\cdot\hat w=1$, so $\sum\alpha_i=\sum\alpha_iz_i\cdot\hat w=\|\hat w\|^2=\gamma^{-2}$ and
#
# $$\cos\angle(w,\hat w)=\frac{\gamma\,\hat w\cdot w}{\|w\|}=\frac{\gamma\sum\alpha_im_i}{\|w\|}\ge\frac{\min_im_i}{\gamma\|w\|}\to1.\qquad\square$$
# ````
#
# More can be said of the tail; what follows is a derivation, the paper has the statements about $\tilde w$ with their conditions.
# Insert $w(t)=\hat w\ln t+\tilde w+o(1)$ into $\dot w=\frac1N\sum e^{-m_i}z_i$. On the
# support vectors $e^{-m_i}\to e^{-z_i\cdot\tilde w}/t$; on the other points it is smaller by the factor
# $t^{-(z_i\cdot\hat w-1)}\le t^{-\text{slack}}$. Matching with $\dot w\approx\hat w/t=\sum\alpha_iz_i/t$ gives, when all
# $\alpha_i$ on the support vectors are positive and unique,
#
# ```{math}
# :label: residual
# z_i\cdot w(t)-\ln t\;\longrightarrow\;c_i=-\ln(N\alpha_i)\quad\text{(support vectors)},
# ```
#
# How fast? The deviations $\delta_i=z_i\cdot w-\ln t-c_i$ obey $\frac{d\delta_i}{d\ln t}=-\sum_j(z_i\cdot z_j)\,\alpha_j\delta_j$ to first
# order, plus the other points' share $O(t^{-\text{slack}})$. So they decay, generically, like $t^{-r}$, with $r$ the lesser of the slack and of the
# least eigenvalue of the matrix $(z_i\cdot z_j\,\alpha_j)$ over the support vectors; one of its eigenvalues is $1$.
#
# Two consequences. The norm is $\|w\|=\gamma^{-1}\ln t+\gamma\sum\alpha_ic_i+O(1/\ln t)$. And the margin approaches its limit only
# logarithmically:
#
# ```{math}
# :label: gap
# \Bigl(\gamma-\frac{\min_im_i}{\|w\|}\Bigr)\ln t\;\longrightarrow\;
# C=\gamma\Bigl(\frac{\sum\alpha_ic_i}{\sum\alpha_i}-\min_ic_i\Bigr).
# ```
#
# The logistic loss has the same tail, hence the same $\hat w$, $c_i$ and $C$.
#
# The prediction needs $\hat w$ and $\alpha$ only. They come from a quadratic program that knows nothing of training, solved
# by non-negative least squares {cite}`lawson1974`, with its Karush–Kuhn–Tucker residuals as certificate.

# %%
limit = max_margin(z)
gamma, c = limit.margin, limit.residuals
alpha = limit.alpha[limit.support]
gap_limit = gamma * (alpha @ c / alpha.sum() - c.min())
print("certified: primal, dual and gap residuals at most 1e-10:", limit.certificate.worst <= 1e-10)
print("support vectors:", limit.support.size, " smallest multiplier positive:", bool(alpha.min() > 0))

# %% [markdown]
# ## Experiment
#
# Gradient descent cannot reach the limit: a step adds $\eta$ to $t$, and $10^{300}$ steps are out of reach. The flow can, in the time
# $s$ of the proof: there the velocity stays of order $\gamma$, nothing underflows, and $\frac{d\ln t}{ds}=e^{-\ln R-\ln t}$, so that
# $t=10^{300}$ takes under a second. The clock starts at $t=1$ with $w=w(0)$; results are stated at $\ln t$.

# %%
times = np.concatenate([np.geomspace(1, log_t_end / 2, 40), np.linspace(log_t_end / 2, log_t_end, 21)[1:]])
half = 40  # position of ln t = log_t_end/2 among the recorded times, the start included


def train(loss: str, points=problem, until=times):
    """Gradient flow from w0, recorded at ln t = until: weights, one row a time."""
    model = LinearClassifier(points, margin_loss(loss))
    run = log_time_flow(model, w0, log_t_end=float(until[-1]), record=until, rtol=1e-12, atol=1e-12)
    assert run.converged, run.ended
    return run.t, run.theta[:, :-1]


log_t, w = train("exponential")
_, w_logistic = train("logistic")
m = w @ z.T
normalized_margin = m.min(axis=1) / np.linalg.norm(w, axis=1)

# %% [markdown]
# Two comparisons run beside it. *Gradient descent* on the logistic loss, with the learning rate $\eta=4/\lambda_{\max}$,
# $\lambda_{\max}$ the largest eigenvalue of $\frac1N\sum z_iz_i^\top$, within the paper's condition
# $\eta<8/\lambda_{\max}$; its time is $t=\text{step}\cdot\eta$. And the *control*: the same data, the same initialization, the squared loss
# $\frac1{2N}\sum(z_i\cdot w-1)^2$, whose flow converges to the least-squares solution.

# %%
logistic = LinearClassifier(problem, margin_loss("logistic"))
learning_rate = float(4 * n / np.linalg.norm(z, 2) ** 2)
t_descent = descent_steps * learning_rate
descent = drive(
    GradientDescent(logistic.gradient, learning_rate),
    w0,
    t_end=t_descent,
    record=np.geomspace(np.e, t_descent, 15)[:-1] if t_descent > np.e else (),
)
descent_margin = (descent.theta[1:] @ z.T).min(axis=1) / np.linalg.norm(descent.theta[1:], axis=1)

squared = LinearRegressor(z, np.ones(n))
least_squares = gradient_flow(
    lambda v: -squared.gradient(v),
    w0,
    t_end=1e12,
    jacobian=lambda v: -z.T @ z / n,
    residual=lambda v: float(np.linalg.norm(squared.gradient(v))),
    target=1e-12,
    record=[1.0],
)
assert least_squares.converged, least_squares.ended
w_squared = least_squares.final
squared_margin = (z @ w_squared).min() / np.linalg.norm(w_squared)
l1 = l1_max_margin(z)

# %% [markdown]
# The deviations from {eq}`residual` are followed on four further sets: three whose slack is the lesser exponent, and one with a
# larger margin and slack, whose least eigenvalue is.


# %%
def tail(points, until):
    """The certified answer of a set, the recorded ln t, and the largest deviation from its constants at each."""
    answer = max_margin(points.signed)
    clock, weights = train("exponential", points, until)
    deviation = weights @ points.signed[answer.support].T - clock[:, None] - answer.residuals
    return answer, clock[1:], np.abs(deviation).max(axis=1)[1:]


def draw(tail_slack, tail_margin=0.5):
    """A set from the chapter's data stream, with other slack and margin."""
    stream = np.random.default_rng(seed).spawn(2)[0]
    return separable(stream, n, d, support=support, margin=tail_margin, slack=tail_slack)


late_times = np.linspace(20, log_t_end, 60)
by_slack = []
for drawn in (draw(0.2), draw(0.05)):
    by_slack.append(tail(drawn, np.linspace(2, 16, 60) / max_margin(drawn.signed).decay))
slow = tail(draw(0.005), late_times)
contracting_set = draw(2.0, 2.0)
contracting = tail(contracting_set, np.linspace(5, 20, 31) / max_margin(contracting_set.signed).decay)


def exponent(followed, first, last):
    """The slope of the ln of the deviations in ln t, where r·ln t lies between first and last."""
    answer, clock, off = followed
    window = (clock >= first / answer.decay) & (clock <= last / answer.decay)
    return np.polyfit(clock[window], np.log(off[window]), 1)[0]


# %% mystnb={"figure": {"caption": "Left: the gap between the normalized margin and $\\gamma$ falls like $C/(\\gamma\\ln t)$ (dashed), for gradient flow (line) and gradient descent (dots); the squared loss, which may not even separate the set, and the $\\ell_1$ direction stay off. Middle: the margins of the support vectors minus $\\ln t$ settle at the predicted constants (dashed). Right: the error of these constants decays like $t^{-r}$ (dashed slopes), down to the integrator's precision.", "name": "figure-max-margin"}, "image": {"alt": "Three panels against ln t: gap of the margin, residuals of the support vectors, error of the residuals"}} tags=["hide-input"]
fig, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 4.2))
shown = log_t >= 1
left.loglog(log_t[shown], 1 - normalized_margin[shown] / gamma, label="gradient flow")
left.loglog(
    np.log(descent.t[1:] + 1),
    1 - descent_margin / gamma,
    "o",
    color=plots.COLORS["orange"],
    markersize=5,
    label="gradient descent",
)
plots.theory(left, log_t[shown], gap_limit / gamma / log_t[shown], r"$C/(\gamma\ln t)$")
left.axhline(1 - squared_margin / gamma, color=plots.COLORS["red"], label="squared loss")
left.axhline(1 - (z @ l1.direction).min() / gamma, color=plots.COLORS["green"], linestyle=":", label=r"$\ell_1$ margin")
left.set(xlabel=r"$\ln t$", ylabel=r"$1-\min_i m_i/(\gamma\|w\|)$", title="gap of the margin")
left.legend(loc="lower left")

middle.plot(log_t[1:], m[1:, limit.support] - log_t[1:, None], linewidth=1.6)
for level in c:
    plots.theory_level(middle, level)
middle.set(
    xscale="log",
    xlabel=r"$\ln t$",
    ylabel=r"$z_i\cdot w(t)-\ln t$",
    ylim=(c.min() - 2, c.max() + 4),
    title="support vectors",
)

for (answer, clock, off), color in zip(
    (*by_slack, slow, contracting), ("blue", "orange", "green", "purple"), strict=True
):
    r = answer.decay
    right.semilogy(clock, off, color=plots.COLORS[color], label=f"$r={r:.2g}$")
    anchor = np.argmin(np.abs(clock - min(6 / r, clock[-1])))
    line = off[anchor] * np.exp(-r * (clock - clock[anchor]))
    seen = (line > 1e-13) & (clock > clock[anchor] / 3)
    plots.theory(right, clock[seen], line[seen])
right.set(
    xlim=(0, log_t_end),
    xlabel=r"$\ln t$",
    ylabel=r"$\max_i|z_i\cdot w-\ln t-c_i|$",
    ylim=(1e-14, 10),
    title="error of the constants",
)
right.legend(loc="upper right")
plt.show()

# %% [markdown]
# In the plane the slowness can be watched. Of two support vectors one carries ten times the multiplier of the other, so that
# their constants $c_i$ differ by $\ln10$ and turn the boundary (red) away from the maximum margin (black). At $t=10^6$ it is still
# {glue:text}`max_margin_plane_angle` degrees off, and {glue:text}`max_margin_plane_end` at the end.

# %% tags=["hide-input"]
tilt = np.array([[np.cos(0.5), -np.sin(0.5)], [np.sin(0.5), np.cos(0.5)]])
others = np.column_stack([1.5 + data_stream.uniform(0, 1.2, 8), data_stream.uniform(-1.8, 1.8, 8)])
signed = np.vstack([[1.0, 0.15], [1.0, -1.5], others]) @ tilt.T
plane = Classification(x=signed, y=np.ones(len(signed)))
million = np.log(1e6)
frames = np.sort(np.append(np.geomspace(0.3, log_t_end, 23), million))
film = log_time_flow(
    LinearClassifier(plane, margin_loss("exponential")),
    tilt @ [-1.0, 2.0],
    log_t_end=log_t_end,
    record=frames,
)
plane_limit = max_margin(signed).direction
at_million = film.theta[np.searchsorted(film.t, million), :2]
angle = np.degrees(np.arccos(at_million @ plane_limit / np.linalg.norm(at_million)))
glue("max_margin_plane_angle", round(float(angle)), display=False)
last = film.theta[-1, :2]
glue(
    "max_margin_plane_end",
    round(float(np.degrees(np.arccos(last @ plane_limit / np.linalg.norm(last)))), 2),
    display=False,
)
HTML(
    animate_boundary(
        signed,
        film.theta[1:, :2],
        film.t[1:],
        plane_limit,
        reach=3.2,
        name="film-boundary",
        alt="The boundary of the classifier turns, ever more slowly, to the boundary of maximum margin",
    )
)

# %% [markdown]
# ## Check
#
# First the solver: the set was built with a known margin. The control leaves out one support vector.

# %%
claim(
    "max_margin.solver",
    "the quadratic program finds the margin that the set was built with",
    source="construction of the data",
    kind="identity",
    theory=margin,
    measured=gamma,
    relative=True,
    tolerance=1e-10,
    why="the solver's certificate",
    control=Control("one support vector left out", max_margin(np.delete(z, limit.support[0], axis=0)).margin),
)

# %% [markdown]
# Late in the run the slope of $w$ in $\ln t$ *is* $\hat w$, up to $t^{-r}$: no extrapolation is needed. The control
# asks the same of the squared loss, normalized to unit margin on the support vectors; the rival is the $\ell_1$ maximum-margin
# direction, to which coordinate descent with small steps tends {cite}`gunasekar2018`.

# %%
span = log_t[-1] - log_t[half]
share = n * np.exp(-limit.decay * log_t[half])
flow_error = 1e-9 * float(np.linalg.norm(w[-1]))  # relative 1e-12 a step over up to 1e3 steps
slope = (w[-1] - w[half]) / span
claim(
    "max_margin.direction",
    "the slope of w in ln t is the hard-margin solution",
    source="Soudry et al. 2018, Theorem 3",
    kind="limit",
    theory=limit.w,
    measured=slope,
    tolerance=float(f"{(flow_error + share) / span:.0e}"),
    why="1e3 steps of relative 1e-12 in w, plus N t^(−r): each point's share of the tail is at most t^(−r)",
    control=Control(
        "squared loss instead of an exponential tail, w scaled to mean margin 1 on the support vectors",
        w_squared / (z @ w_squared)[limit.support].mean(),
    ),
    rival=Rival("hard margin in the ℓ1 norm", l1.w, factor=1000),
)
claim(
    "max_margin.losses",
    "the logistic loss has the same slope",
    source="Soudry et al. 2018, Theorem 3",
    kind="limit",
    theory=limit.w,
    measured=(w_logistic[-1] - w_logistic[half]) / span,
    tolerance=float(f"{(flow_error + share) / span:.0e}"),
    why="as for the exponential loss; the slopes of the two differ by e^(−m), about Nα/t, below e^(−300) here",
    control=Control(
        "squared loss instead of an exponential tail, w scaled to mean margin 1 on the support vectors",
        w_squared / (z @ w_squared)[limit.support].mean(),
    ),
    rival=Rival("hard margin in the ℓ1 norm", l1.w, factor=1000),
)

# %% [markdown]
# The margin itself, at the end and at every earlier time against the bound {eq}`margin-bound` of the proof. Its control goes
# equally far in the direction of the least-squares solution.

# %%
claim(
    "max_margin.margin",
    "the normalized margin exceeds 99% of the maximum at the end",
    source="Soudry et al. 2018, Theorem 3",
    kind="bound",
    side="lower",
    theory=1.0,
    measured=min(normalized_margin[-1], (w_logistic[-1] @ z.T).min() / np.linalg.norm(w_logistic[-1])) / gamma,
    tolerance=0.01,
    why="the gap is C/(γ ln t), under 0.01 once ln t exceeds 100 C/γ",
    control=Control("squared loss on the same set, whose least-squares margin is below 0.9 γ", squared_margin / gamma),
)
soft_start = smooth_margin(z @ w0, 1.0)
distance = np.linalg.norm(w - w0, axis=1)
along_squared = w0 + distance[:, None] * (w_squared / np.linalg.norm(w_squared))
claim(
    "max_margin.bound",
    "at every recorded time the margin obeys the bound of the proof",
    source="derived in this chapter",
    kind="bound",
    side="lower",
    theory=gamma * distance + soft_start - np.log(n),
    measured=m.min(axis=1),
    tolerance=1e-8,
    why="the bound is proved; integrator 1e-12 of margins of order 1e3, times ten",
    control=Control("as far from w(0), along the least-squares solution", (along_squared @ z.T).min(axis=1)),
)

# %% [markdown]
# The constants of the tail {eq}`residual`, and the two exponents with which they are approached. The constants need unique
# multipliers: the control repeats one support vector. The controls of the exponents are sets of the other kind. With slack
# $0.005$ the constants are still off by $10^{-4}$ or so at $t=10^{300}$ ({numref}`figure-max-margin`, green).

# %%
first = limit.support[0]
doubled_set = Classification(x=np.vstack([z, z[first]]), y=np.ones(n + 1))
doubled = max_margin(doubled_set.signed)
doubled_margins = train("exponential", doubled_set, times)[1] @ doubled_set.signed[doubled.support].T
claim(
    "max_margin.residual",
    "margins of the support vectors minus ln t tend to −ln(Nα)",
    source="derived in this chapter",
    kind="limit",
    theory=np.concatenate([c, c]),
    measured=np.concatenate([(v[-1] @ z.T)[limit.support] - log_t[-1] for v in (w, w_logistic)]),
    tolerance=float(f"{1e-9 * log_t[-1] + n * np.exp(-limit.decay * log_t[-1]):.0e}"),
    why="1e3 steps of relative 1e-12 of ln t, plus N t^(−r); exponential and logistic loss",
    control=Control(
        "a support vector that occurs twice, so that its multiplier is not unique",
        doubled_margins[-1] - log_t[-1],
        theory=doubled.residuals,
    ),
)
claim(
    "max_margin.decay",
    "where the slack is the lesser exponent, the constants are approached like t^(−slack)",
    source="derived in this chapter",
    kind="rate",
    theory=-by_slack[1][0].decay,
    measured=exponent(by_slack[1], 6, 12),
    relative=True,
    tolerance=0.02,
    why="the next exponent is at least twice the slack: its share at the window's start is e^(−6), 0.2%",
    control=Control(
        "the set whose least eigenvalue is below its slack",
        exponent(contracting, 10, 20),
        theory=-contracting[0].slack,
    ),
)
claim(
    "max_margin.contraction",
    "where the least eigenvalue is the lesser exponent, it sets the approach",
    source="derived in this chapter",
    kind="rate",
    theory=-contracting[0].contraction,
    measured=exponent(contracting, 10, 20),
    relative=True,
    tolerance=0.05,
    why="the next eigenvalue, (1+x)r, shifts the slope by up to x·e^(−10x) of r in the window, at most 1/(10e) = 3.7%",
    control=Control(
        "the set whose slack is below its least eigenvalue",
        exponent(by_slack[1], 6, 12),
        theory=-by_slack[1][0].contraction,
    ),
)

# %% [markdown]
# The norm grows like $\gamma^{-1}\ln t$, and the margin's gap closes like $C/\ln t$, equation {eq}`gap`: a logarithm, where the
# squared loss converges exponentially fast.

# %%
w_across = w[-1] - (w[-1] @ limit.direction) * limit.direction
squared_norms = np.linalg.norm(least_squares.theta[-2:], axis=1)
squared_slope = np.diff(squared_norms)[0] / np.diff(np.log(least_squares.t[-2:]))[0]
claim(
    "max_margin.norm",
    "the norm of w grows by 1/γ for each unit of ln t",
    source="Soudry et al. 2018, Theorem 3",
    kind="rate",
    theory=1 / gamma,
    measured=np.polyfit(log_t[half:], np.linalg.norm(w[half:], axis=1), 1)[0],
    relative=True,
    tolerance=float(f"{10 * gamma**2 * w_across @ w_across / (2 * log_t[half] * log_t[-1]) + 1e-9:.0e}"),
    why="ten times the next term, of slope γ‖w̃_⊥‖²/(2 ln²t), with w̃_⊥ the part of w(t) across ŵ",
    control=Control("squared loss: the norm stays finite", squared_slope),
)
gap = (gamma - normalized_margin) * log_t
claim(
    "max_margin.gap",
    "the margin's gap times ln t tends to C",
    source="derived in this chapter",
    kind="limit",
    theory=gap_limit,
    measured=2 * gap[-1] - gap[half],
    relative=True,
    tolerance=0.005,
    why="ln t and ln t/2 extrapolated: the term in 1/ln t, up to 2%, cancels; its square is left, times ten",
    control=Control(
        "squared loss: the gap stays, its product with ln t grows without bound",
        (gamma - squared_margin) * log_t[-1],
    ),
)

# %% [markdown]
# The theorem is about gradient descent, the flow is its idealization. At a fixed time $t=\text{step}\cdot\eta$ the two differ in
# proportion to $\eta$. The control reads the flow at twice the time, as if $\eta$ had been mistaken.

# %%
rates = learning_rate / np.array([2.0, 4.0, 8.0])
t_short = 1000 * learning_rate
flow_at = log_time_flow(
    logistic, w0, log_t_end=float(np.log(2 * t_short + 1)), record=[np.log(t_short + 1)], rtol=1e-12, atol=1e-12
).theta[1:, :-1]
off_flow, off_twice = [], []
for rate in rates:
    descended = drive(GradientDescent(logistic.gradient, float(rate)), w0, t_end=t_short).final
    off_flow.append(np.abs(z @ (descended - flow_at[0])).max())
    off_twice.append(np.abs(z @ (descended - flow_at[1])).max())
claim(
    "max_margin.descent",
    "at equal times gradient descent differs from the flow in proportion to its learning rate",
    source="Euler's method is of first order",
    kind="rate",
    theory=1.0,
    measured=np.polyfit(np.log(rates), np.log(off_flow), 1)[0],
    tolerance=0.25,
    why="η is 1/4 to 1/16 of the stability limit: the next order changes the ratio of two errors by up to a quarter",
    control=Control("the flow read at twice the time", np.polyfit(np.log(rates), np.log(off_twice), 1)[0]),
)

# %% [markdown]
# ### The same flow as an online ascent
#
# An intuition from {cite}`chizat2020slides`. Since $F_\beta(w)=F_1(\beta w)/\beta$, gradients agree, $\nabla F_1(w)=\nabla F_{\|w\|}(\bar w)$ with $\bar w=w/\|w\|$, and
#
# $$\frac{d\bar w}{ds}=\frac1{\|w\|}\Bigl(\nabla F_{\|w\|}(\bar w)-\bigl\langle\nabla F_{\|w\|}(\bar w),\bar w\bigr\rangle\bar
# w\Bigr).$$
#
# The direction performs projected gradient ascent on the sphere, on a soft margin whose temperature $1/\|w\|$ falls to zero and
# with steps that shrink as $1/\|w\|$: this is why it ends at the maximum margin, and why it takes so long. Both lines are algebraic
# identities; the two claims hold the library's formulas to them.

# %%
model = LinearClassifier(problem, margin_loss("exponential"))
middle_of_run = w[log_t <= 50]
norms = np.linalg.norm(middle_of_run, axis=1)
directions = middle_of_run / norms[:, None]
velocity = np.array([model.rescaled_velocity(v) for v in middle_of_run])


def soft_gradient(direction, beta):
    """∇F_β at a direction."""
    return smooth_margin_weights(z @ direction, beta) @ z


ascent = np.array([soft_gradient(u, beta) for u, beta in zip(directions, norms, strict=True)])
claim(
    "max_margin.soft_gradient",
    "the flow's velocity is the soft margin's gradient at the direction, temperature 1/‖w‖",
    source="Chizat 2020 (slides), an intuition behind the result",
    kind="identity",
    theory=ascent,
    measured=velocity,
    tolerance=1e-11,
    why="rounding 1e-16 of margins up to 1e3, times the points' norm",
    control=Control("temperature 1 instead of 1/‖w‖", np.array([soft_gradient(u, 1.0) for u in directions])),
)
epsilon = 1e-6
turned = np.array(
    [
        ((v + epsilon * u) / np.linalg.norm(v + epsilon * u) - (v - epsilon * u) / np.linalg.norm(v - epsilon * u))
        / (2 * epsilon)
        for v, u in zip(middle_of_run, velocity, strict=True)
    ]
)
radial = np.sum(ascent * directions, axis=1, keepdims=True) * directions
claim(
    "max_margin.ascent",
    "the direction moves by projected gradient ascent on the soft margin",
    source="Chizat 2020 (slides), an intuition behind the result",
    kind="identity",
    theory=(ascent - radial) / norms[:, None],
    measured=turned,
    tolerance=1e-8,
    why="central difference with step 1e-6: rounding 1e-16/1e-6, times ten, and 1e-12 of curvature",
    control=Control("without the projection onto the sphere", ascent / norms[:, None]),
)
betas = norms[1:]
soft = np.array([smooth_margin(z @ u, beta) for u, beta in zip(directions[1:], betas, strict=True)])
hard = (directions[1:] @ z.T).min(axis=1)
claim(
    "max_margin.sandwich",
    "the soft margin lies between the margin and the margin plus ln N/β",
    source="derived in this chapter",
    kind="bound",
    theory=np.concatenate([np.zeros_like(soft), np.log(n) / betas]),
    measured=np.concatenate([hard - soft, soft - hard]),
    tolerance=1e-13,
    why="proved; rounding of margins of order 1",
    control=Control(
        "without the 1/N in the soft minimum",
        np.concatenate([hard - soft + np.log(n) / betas, soft - hard - np.log(n) / betas]),
    ),
)

# %% [markdown]
# ## What would falsify it
#
# A slope that settles anywhere but at $\hat w$, a support vector whose $z_i\cdot w-\ln t$ drifts, a recorded time at which
# {eq}`margin-bound` is violated, or a gap that closes faster than $1/\ln t$. A wrong constant in $c_i$ (the factor $N$, say) moves
# every residual by $\ln N$ and fails at once.
#
# ## Scope
#
# - The theorem is about the limit; at any $t$ that a computer reaches by steps, the margin is still off by about $C/\ln t$.
#   The dots in {numref}`figure-max-margin` show how far gradient descent gets.
# - The constants $c_i$ need unique, positive multipliers and a positive slack, which hold here by construction and almost surely for
#   data with a density. Nothing is claimed for degenerate sets.
# - The data are separable *by construction*. If every $w$ has some $z_i\cdot w<0$ or all $z_i\cdot w=0$, a minimizer exists and there
#   is no direction to speak of; the cases in between are in {cite}`ji2020`.
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
# vectors in the plane are an example: $v_1=-v_2\alpha_2/\alpha_1$ need not be symmetric, but with $\alpha_1=\alpha_2$ they are
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
# With $C/\gamma$ as in {numref}`figure-max-margin`, how many steps of gradient descent with $\eta=1$ reach 99.9% of the maximum
# margin?
# ````
#
# ````{solution} exercise-max-margin-time
# :class: dropdown
#
# $1-C/(\gamma\ln t)=0.999$ means $\ln t=1000\,C/\gamma$. For $C/\gamma=0.3$ that is $t=e^{300}\approx10^{130}$.
# ````
#
# ## References
#
# {cite}`soudry2018` prove the theorem for gradient descent and many losses; {cite}`lawson1974` is the solver's source.
