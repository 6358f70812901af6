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
# # Leaky ReLU networks: rank two and a linear boundary
#
# Train the first layer of a leaky ReLU network on nearly orthogonal samples. However wide it is and wherever it starts, gradient flow turns it into a
# network of rank two, the global optimum of its margin problem, and its decision boundary is a hyperplane, though not the one of maximum
# margin {cite}`frei2023`.
#
# ```{chapter-claims}
# ```
#
# ## Setting
#
# Samples $x_i\in\mathbb R^d$ with labels $y_i=\pm1$, $i=1,\dots,n$; a network
#
# $$f(x;W)=\sum_{j=1}^ma_j\,\phi(\langle w_j,x\rangle),\qquad \phi(z)=\max(\gamma z,z),\quad 0<\gamma<1,$$
#
# whose $a_j=\pm1/\sqrt m$ stay fixed, $m_1$ of them positive and $m_2$ negative; $W$ has the rows $w_j$. Gradient flow runs on the exponential
# loss $L(W)=\frac1n\sum_ie^{-y_if(x_i)}$, in the time $\tau$ with $d\tau=L\,dt$:
#
# ```{math}
# :label: leaky-flow
# \frac{dw_j}{d\tau}=-\frac{\nabla_{w_j}L}{L}=a_j\sum_ip_i\,y_i\,\phi'(\langle w_j,x_i\rangle)\,x_i,
# ```
#
# $$p_i=\frac{e^{-y_if(x_i)}}{\sum_ke^{-y_kf(x_k)}} .$$
#
# The margins grow like $\tau$, so that $\tau$ is a logarithm of $t$. Write
#
# $$R_{\max},R_{\min}=\max_i,\min_i\|x_i\|,\quad R=\frac{R_{\max}}{R_{\min}},\quad p=\max_{i\ne k}|\langle x_i,x_k\rangle| .$$
#
# The samples are *nearly orthogonal* if
#
# ```{math}
# :label: nearly-orthogonal
# R_{\min}^2\;\ge\;\frac{3R^2}{\gamma^3}\,n\,p .
# ```

# %% tags=["hide-input"]
import numpy as np

from implicit_bias import plots
from implicit_bias.data import Classification, nearly_orthogonal
from implicit_bias.flows import GradientDescent, drive, gradient_flow
from implicit_bias.limits import (
    margin_search,
    max_margin,
    orthogonality,
    rank_two,
    two_neuron_program,
)
from implicit_bias.models import LeakyClassifier

plots.use_style()

# %% tags=["parameters"]
n: int = 20  # number of samples, at most d, in [6, 60]
d: int = 50  # dimension of the samples, in [6, 1000]
slope: float = 0.5  # slope γ of the leaky ReLU, in [0.3, 0.8]
positive: int = 60  # number m₁ of positive neurons, in [2, 500]
negative: int = 40  # number m₂ of negative neurons, in [2, 500]
ratio: float = 1.2  # ratio R of the largest norm to the least, in [1, 2]
scales: list[float] = [1e-3, 0.1, 1.0, 3.0]  # scales of the initialization, the least at most 0.01, each in [1e-4, 5]
sets: int = 40  # Gaussian sets for each dimension, in [5, 200]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]

# %% [markdown]
# The condition is severe: Gaussian samples meet it only in dimensions far beyond the millions at $n=20$. Their Gram matrix decides everything, so it is prescribed:
#
# $$\langle x_i,x_k\rangle=G_{ik},\qquad G=\operatorname{diag}(r_i^2)+pS,$$
#
# $r_i$ uniform on $[1,R]$ with both ends attained, $S$ symmetric with zero diagonal and uniform entries, scaled to $\max|S_{ik}|=1$, and $p$ such that
# {eq}`nearly-orthogonal` holds with equality; then a random rotation of $\mathbb R^d$. $W(0)$ is Gaussian with standard deviation *scale*, from a stream of its own.

# %%
data_stream, initialization_stream, gaussian_stream, search_stream = np.random.default_rng(seed).spawn(4)
if n > d:
    raise ValueError(f"n is {n}; it must be at most d, which is {d}")
if len(set(scales)) < 2 or min(scales) > 0.01:
    raise ValueError(f"scales is {scales}; it must hold two that differ, the least at most 0.01")
correlation = slope**3 / (3 * ratio**2 * n)
width = positive + negative
problem = nearly_orthogonal(data_stream, n, d, ratio=ratio, correlation=correlation)
R_min, R_max = np.linalg.norm(problem.x, axis=1).min(), np.linalg.norm(problem.x, axis=1).max()
print("the condition holds with equality:", bool(abs(orthogonality(problem, slope) - 1) < 1e-9))

# %% [markdown]
# ## What theory predicts
#
# Homogeneous networks converge in direction, once they classify all samples, to a point that is stationary (in the sense of Karush, Kuhn and Tucker, with Clarke's
# subdifferential) for the margin problem {cite}`lyu2020,ji2020`
#
# ```{math}
# :label: margin-problem
# \min_W\;\tfrac12\|W\|_F^2\quad\text{subject to}\quad y_if(x_i;W)\ge1,\quad i=1,\dots,n .
# ```
#
# It is not convex, and in general stationary points need not be optimal. Here they are. The statement is that of the paper; its constants are derived below.
# Let $I_\pm=\{i:y_i=\pm1\}$ and
#
# $$\alpha_i=1,\ \beta_i=\gamma\quad(i\in I_+),\qquad\alpha_i=\gamma,\ \beta_i=1\quad(i\in I_-),$$
#
# $$K_{ik}=y_iy_k\langle x_i,x_k\rangle\,\frac{m_1\alpha_i\alpha_k+m_2\beta_i\beta_k}m .$$
#
# ````{prf:theorem} after Frei et al. 2023, Theorem 3.2
# :label: theorem-rank-two
#
# Let $m_1,m_2\ge1$, $0<\gamma<1$ and {eq}`nearly-orthogonal`. Then from every $W(0)$ gradient flow converges in direction to the global minimizer of
# {eq}`margin-problem`, its only stationary point. With $\lambda=K^{-1}\mathbf 1$:
#
# 1. all constraints are tight, and $\dfrac1{2R_{\max}^2}<\lambda_i\le\dfrac3{2\gamma^2R_{\min}^2}$;
# 2. all positive neurons equal $v$, all negative ones equal $u$, so that the rank is at most two,
#
#    $$v=\frac1{\sqrt m}\sum_i\lambda_i\alpha_iy_ix_i,\qquad u=-\frac1{\sqrt m}\sum_i\lambda_i\beta_iy_ix_i;$$
#
# 3. $(v,u)$ minimizes the convex function $\frac12(m_1\|v\|^2+m_2\|u\|^2)$ subject to $y_i\langle m_1\alpha_iv-m_2\beta_iu,x_i\rangle\ge\sqrt m$;
# 4. $f(x;W)$ has the sign of $\langle z,x\rangle$ for every $x\in\mathbb R^d$, where $z=\dfrac{m_1v-m_2u}{\sqrt m}$;
# 5. $y_i\langle z,x_i\rangle\ge1$ and $\|z\|\le C\|z^*\|$, with $z^*$ the hard-margin predictor, the shortest with $y_i\langle z^*,x_i\rangle\ge1$, $\kappa^2=\min(\frac{m_1}{m_2},\frac{m_2}{m_1})$ and
#
#    $$C=\sqrt{\frac{1+\kappa^2}{\gamma^2+\kappa^2}}\ \text{ if }\kappa^2\le\gamma,\qquad C=\frac{1+\kappa^2}{\kappa(1+\gamma)}\ \text{ otherwise.}$$
# ````
#
# ````{prf:proof}
# *The flow classifies all samples.* Let $q=\sum_ky_kx_k$ and let $U$ have the rows $a_jq$, so that $\|U\|_F=\|q\|$. Then
# $y_i\langle x_i,q\rangle\ge R_{\min}^2-(n-1)p>0$ and
#
# $$\Bigl\langle\frac{dW}{d\tau},U\Bigr\rangle=\sum_ja_j^2\sum_ip_i\phi'_{ji}\,y_i\langle x_i,q\rangle\ge\gamma\min_iy_i\langle x_i,q\rangle .$$
#
# Hence $\bigl\|\frac{dW}{d\tau}\bigr\|\ge g:=\gamma\min_iy_i\langle x_i,q\rangle/\|q\|$ and
#
# ```{math}
# :label: loss-decay
# \ln L(\tau)\le\ln L(0)-g^2\tau .
# ```
#
# *The multipliers.* At a stationary point $w_j=a_j\sum_i\lambda_iy_i\phi'_{ji}x_i$ with $\phi'_{ji}\in[\gamma,1]$ a subgradient of $\phi$ at
# $\langle w_j,x_i\rangle$, $\lambda_i\ge0$, and $\lambda_i>0$ only where the constraint is tight. Let $\lambda_i=\lambda_{\max}$ be the largest; it is positive as $W\ne0$. For every $j$
#
# $$\frac{y_i\langle w_j,x_i\rangle}{a_j}\ge\lambda_{\max}\bigl(\gamma R_{\min}^2-(n-1)p\bigr)>0,$$
#
# so $1=y_if(x_i)=\sum_ja_jy_i\phi'_{ji}\langle w_j,x_i\rangle\ge\gamma\lambda_{\max}(\gamma R_{\min}^2-(n-1)p)$. By {eq}`nearly-orthogonal` $(n-1)p\le\frac{\gamma^3R_{\min}^2}{3R^2}$: $\lambda_{\max}\le\frac3{2\gamma^2R_{\min}^2}$.
# For any $i$, $1\le y_if(x_i)\le\sum_j|a_j||\langle w_j,x_i\rangle|\le\lambda_iR_{\max}^2+(n-1)p\lambda_{\max}$, and $(n-1)p\lambda_{\max}\le\frac\gamma{2R^2}<\frac12$: $\lambda_i>\frac1{2R_{\max}^2}$.
#
# *The signs.* All $\lambda_i>0$: all constraints are tight. For every $i$ and $j$
#
# $$\frac{y_i\langle w_j,x_i\rangle}{a_j}\ge\gamma\lambda_iR_{\min}^2-(n-1)p\lambda_{\max}>\frac\gamma{2R^2}-\frac\gamma{2R^2}=0 .$$
#
# So $\phi'_{ji}=\alpha_i$ for positive neurons, $\beta_i$ for negative ones, which gives $v$, $u$, and $y_if(x_i)=(K\lambda)_i=1$. The samples are independent, as $(n-1)p<R_{\min}^2$, hence $K$ is positive
# definite and $\lambda=K^{-1}\mathbf1$ the only solution: there is one stationary point. A minimizer of {eq}`margin-problem` exists: the problem is feasible ($W=sU$ with $s$ large) and its objective coercive. It is a stationary point, since $\langle W,\xi\rangle=y_if(x_i)>0$ for all
# subgradients $\xi$ of a tight constraint, $f$ being homogeneous.
#
# *Convex program.* Its stationarity conditions hold at $(v,u)$ with the multipliers $\lambda_i\ge0$.
#
# *Boundary.* $f(x)=\frac1{\sqrt m}[\phi(m_1\langle v,x\rangle)-\phi(m_2\langle u,x\rangle)]$, and $\phi$ increases.
#
# *Margins.* As $y_i\langle v,x_i\rangle>0>y_i\langle u,x_i\rangle$, $y_i\langle z,x_i\rangle$ is $y_if(x_i)=1$ with the factor $\gamma$ of one of its two positive terms replaced by $1$.
#
# *Norm.* By Cauchy and Schwarz $\|z\|\le\frac{m_1\|v\|+m_2\|u\|}{\sqrt m}\le\|W\|_F$, and $\|W\|_F$ is at most the norm of any admissible pair of the convex program. Take $v'=sz^*$ and $u'=-tz^*$: admissible if $m_1s+\gamma m_2t$ and
# $\gamma m_1s+m_2t$ are at least $\sqrt m$, of squared norm $(m_1s^2+m_2t^2)\|z^*\|^2$. Let $m_1\ge m_2$; if not, exchange them. If $\kappa^2\le\gamma$, take $(s,t)=(\gamma,1)\sqrt m/(\gamma^2m_1+m_2)$ after exchanging the roles so that the second constraint is tight;
# otherwise both tight, $m_1s=m_2t=\sqrt m/(1+\gamma)$. $\square$
# ````
#
# The network interpolates between two linear rules: it would be $z^*$ if $\gamma$ were $1$. For orthogonal samples everything is explicit. $K$ is diagonal,
#
# ```{math}
# :label: orthogonal-boundary
# z=\sum_i\frac{c_i\,y_ix_i}{\|x_i\|^2},\qquad z^*=\sum_i\frac{y_ix_i}{\|x_i\|^2},
# ```
#
# $$c_i=\frac{m_1+\gamma m_2}{m_1+\gamma^2m_2}\ (i\in I_+),\qquad c_i=\frac{\gamma m_1+m_2}{\gamma^2m_1+m_2}\ (i\in I_-) .$$
#
# If $m_1=m_2$, $z$ is parallel to $z^*$, whatever the norms and the labels; otherwise never, if both labels occur. With $m_1=m_2$, equal norms and equally many labels of both kinds the stable rank of $W$ is
#
# ```{math}
# :label: orthogonal-rank
# \frac{\|W\|_F^2}{\|W\|_2^2}=\frac{2(1+\gamma^2)}{(1+\gamma)^2} .
# ```
#
# The prediction comes from three sources that share no step: the closed form $\lambda=K^{-1}\mathbf1$ with its certificate, the convex program solved by Clarabel, and, on a small
# instance, a general solver for {eq}`margin-problem` itself from 30 random starts.

# %%
limit = rank_two(problem, slope, positive, negative)
program = two_neuron_program(problem, slope, positive, negative)
z_star = max_margin(problem.signed).w
few = nearly_orthogonal(search_stream, 4, 4, ratio=ratio, correlation=correlation * n / 4)
few_limit = rank_two(few, slope, 3, 2)
few_weights, few_values = margin_search(few, slope, 3, 2, search_stream)
print("certified: constraints, multipliers, signs and gap to 1e-9:", limit.valid and few_limit.valid)

# %% [markdown]
# ## Experiment
#
# Three exact reductions. The rows of $W$ move in the span of the samples,
#
# $$W(\tau)=W(0)+A(\tau)X,$$
#
# so that $A$, $m\times n$, is all there is, whatever $d$. After the time $\tau_0$ at which every $\langle w_j,x_i\rangle$ has taken the sign of $a_jy_i$ the pattern is frozen, and
# $n$ numbers suffice,
#
# ```{math}
# :label: frozen-flow
# \frac{dc}{d\tau}=\operatorname{softmax}(-m_0-Kc),\qquad A_{ji}=A_{ji}(\tau_0)+a_jy_i\phi'_{ji}c_i,
# ```
#
# with $m_0$ the margins at $\tau_0$. And the end of that flow is a straight line. Its weights tend to $p^*=\lambda/\sum\lambda$, exponentially in $\tau$, because only
# there do all margins grow at the same speed; inserting $m_0+Kc=s\mathbf1-\ln p^*$ and $\sum c_i=\tau-\tau_0$ gives
#
# ```{math}
# :label: straight-line
# c(\tau)\to p^*(\tau-\tau_0)+b,\quad b=p^*\,\mathbf1^\top h-h,\quad h=K^{-1}(m_0+\ln p^*) .
# ```
#
# Therefore the direction converges like $1/\tau$, not faster: the initialization is never forgotten, it is outgrown.
#
# Until $\tau_0$ the flow is followed by steps $W\leftarrow W-h\nabla L/L$ with $h=\min(\text{scale},1)$, kinks as they are; then by {eq}`frozen-flow` with a stiff solver to
# $\tau=10^8$. There the loss is of order $e^{-\tau/\sum\lambda}$, a number with millions of zeros.

# %%
TAU_END = 1e8


class Trained:
    """A network trained until τ = 10⁸: its history τ, W (one matrix a time), and what the frozen flow says."""

    def __init__(self, samples, gamma, m1, m2, w0, scale):
        self.model = LeakyClassifier(samples, gamma, m1, m2)
        self.span = self.model.in_span(w0)
        self.step = min(scale, 1.0)
        descent = GradientDescent(lambda state: -self.span.velocity(state), self.step)
        early = drive(
            descent,
            self.span.start,
            t_end=2e5 * self.step,
            residual=lambda state: float(self.span.disagreements(state)),
            record=self.step * np.array([3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0]),
        )
        assert early.converged, early.ended
        later = drive(descent, early.final, t_end=early.t[-1])  # as long again: no sign may turn back
        self.tau0 = 2 * early.t[-1]
        self.frozen = self.span.freeze(later.final)
        self.at_freeze = self.span.weights(later.final)
        times = np.geomspace(self.tau0, TAU_END, 60) - self.tau0
        self.run = gradient_flow(
            self.frozen.velocity,
            self.frozen.start,
            jacobian=self.frozen.jacobian,
            t_end=times[-1],
            method="BDF",
            record=times[1:-1],
            rtol=1e-8,
            atol=1e-9,
        )
        assert self.run.converged, self.run.ended
        states = self.frozen.coefficients(self.run.theta)
        assert all(self.span.disagreements(state) == 0 for state in states), "the pattern was not frozen"
        self.tau = np.concatenate([early.t, self.tau0 + self.run.t])
        self.w = np.concatenate([self.span.weights(early.theta), self.span.weights(states)])
        self.late = slice(len(early.t), None)

    @property
    def final(self):
        """W/min margin at the end: the network scaled to margin 1."""
        return self.w[-1] / self.span.margins(self.frozen.coefficients(self.run.final)).min()


def away(w, direction):
    """The distance of W/‖W‖ from a direction, for one matrix or for each of several."""
    return np.linalg.norm(w / np.linalg.norm(w, axis=(-2, -1), keepdims=True) - direction, axis=(-2, -1))


def boundary(w, m1, m2):
    """Σ a_j w_j = (m₁v − m₂u)/√m."""
    return (w[:m1].sum(axis=0) - w[m1:].sum(axis=0)) / np.sqrt(m1 + m2)


def stable_rank(w):
    """‖W‖_F²/‖W‖₂², for one matrix or for each of several."""
    squares = np.linalg.svd(w, compute_uv=False) ** 2
    return squares.sum(axis=-1) / squares[..., 0]


starts = initialization_stream.standard_normal((width, d))
trained = [Trained(problem, slope, positive, negative, scale * starts, scale) for scale in scales]
smallest = trained[int(np.argmin(scales))]

# %% [markdown]
# Then the share of positive neurons is varied, on the same samples and on orthogonal ones of equal norms; and two Gaussian sets in dimension $20n$, $x_i\sim\mathcal N(0,I/(20n))$, far
# from {eq}`nearly-orthogonal`. One, with the slope $\gamma$ of the chapter, has a valid rank-two stationary point all the same. The other, at $\gamma=0.1$, is drawn such that
# it has none: some sign in the closed form is wrong. That one is the control.

# %%
shares = np.array([0.5, 0.2, 0.05, 0.01])
counts = [max(1, round(share * width)) for share in shares]
small = min(scales)
orthogonal = nearly_orthogonal(data_stream, 2 * (n // 2), d, ratio=1, correlation=0)
by_share = [Trained(problem, slope, m1, width - m1, small * starts, small) for m1 in counts]
by_share_orthogonal = [Trained(orthogonal, slope, m1, width - m1, small * starts, small) for m1 in counts]


def gaussian(dimension, generator):
    """n Gaussian samples of norm about 1, with n // 2 positive labels."""
    x = generator.standard_normal((n, dimension)) / np.sqrt(dimension)
    return Classification(x=x, y=np.where(np.arange(n) < n // 2, 1.0, -1.0))


def draw_gaussian(dimension, gamma, wanted):
    """The first Gaussian set whose rank-two network is as wanted, with that network."""
    for _ in range(1000):
        samples = gaussian(dimension, gaussian_stream)
        network = rank_two(samples, gamma, width // 2, width - width // 2)
        if wanted(network):
            return samples, network
    raise ValueError(f"n is {n}; among 1000 Gaussian sets at slope {gamma} none is as wanted")


wide_start = small * initialization_stream.standard_normal((width, 20 * n))
gauss, gauss_limit = draw_gaussian(20 * n, slope, lambda network: network.valid)
gauss_trained = Trained(gauss, slope, width // 2, width - width // 2, wide_start, small)

CONTROL_SLOPE, CONTROL_STEP = 0.1, 0.2
broken, broken_limit = draw_gaussian(20 * n, CONTROL_SLOPE, lambda network: not network.valid)
broken_span = LeakyClassifier(broken, CONTROL_SLOPE, width // 2, width - width // 2).in_span(wide_start)
broken_run = drive(
    GradientDescent(lambda state: -broken_span.velocity(state), CONTROL_STEP),
    broken_span.start,
    t_end=500.0,
    record=np.geomspace(1, 500, 30)[:-1],
)
broken_w = broken_span.weights(broken_run.theta)
broken_margin = np.array([broken_span.margins(state).min() for state in broken_run.theta])
in_vain, in_vain_limit = draw_gaussian(n, slope, lambda network: network.multipliers.min() < 0)

# %% [markdown]
# Finally the closed form alone, on Gaussian sets of growing dimension: how often is it valid, and how far from {eq}`nearly-orthogonal` are these sets?

# %%
dimensions = n * 2 ** np.arange(6)
valid, factors = [], []
for dimension in dimensions:
    drawn = [gaussian(dimension, gaussian_stream) for _ in range(sets)]
    valid.append(np.mean([rank_two(one, slope, width // 2, width - width // 2).valid for one in drawn]))
    factors.append(max(orthogonality(one, slope) for one in drawn))
