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
# # The risk at convergence falls to zero past the width of the teacher
#
# A ReLU network in dimension $100$ learns a teacher with $m^*=20$ neurons. With $m<m^*$ neurons its population risk $F$ cannot reach zero: a sum of few neurons has low rank in every even degree, and the best approximation of low rank bounds $F$ from
# below. With $m=m^*$ it could, but training mostly gets stuck. With $m=2m^*$ it mostly succeeds, although theory asks for infinitely many {cite}`chizat2020slides`. These two are
# observations; the bound, for a teacher $\sum_kq_k(u_k\cdot x)_+$ with unit vectors $u_k$, is proved here:
#
# $$\begin{gathered}F\;\ge\;\frac12\sum_{p\ge1}c_p\sum_{i>m}\sigma_i(M_p)^2,\\M_p=\sum_kq_k\,u_k^{\otimes p}\bigl(u_k^{\otimes p}\bigr)^\top .\end{gathered}$$
#
# Here $\sigma_1\ge\sigma_2\ge\dots$ are singular values, and the $c_p>0$ known coefficients of the kernel. If no $q_k$ is $0$ and no two $u_k$ are parallel or opposite, the bound is positive for all $m<m^*$.
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# The network is $f(x)=\frac1m\sum_{j=1}^mb_j\,(a_j\cdot x)_+$ with $a_j\in\mathbb R^d$ ($a_j$ and $b_j$ are `w` and `a` in the code), the inputs are $x\sim\mathcal N(0,I_d)$, the labels are those of a teacher $f^*$ of the same form with $m^*$ neurons. The
# population risk $F=\frac12\mathbb E[(f-f^*)^2]$ and its gradient are exact, by the closed form of {doc}`interaction_kernel`; training follows
#
# $$\begin{gathered}\dot a_j=-b_j\nabla V(a_j),\qquad\dot b_j=-V(a_j),\\
# V(a)=\mathbb E\bigl[(f-f^*)(x)\,(a\cdot x)_+\bigr].\end{gathered}$$
#
# The directions of all $a_j$ and $a_k^*$ are independent and uniform on the unit sphere, $b_j=\pm1$ at random, and half of the teacher's $b_k^*$ are $1$, half $-1$.

# %% tags=["hide-input"]
import numpy as np
import sympy
from matplotlib import pyplot as plt
from scipy.stats import binomtest

from implicit_bias.data import random_teacher
from implicit_bias.figures import style
from implicit_bias.flows import backtracking_descent
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.wide import few_neurons_bound
from implicit_bias.models.population import NetworkBatch, PopulationFlow
from reproduce.claims import Altered, Claims, rounding
from reproduce.claims.numbers import numbers

claims = Claims("population_risk")

style.use_style()

# %% tags=["parameters"]
d: int = 100  # dimension d of the inputs, at least five times the teacher's width, in [80, 1000]
# because d is at least five times the teacher's width, which is at least 16
teacher_width: int = 20  # neurons m* of the teacher, a multiple of 4, in [16, 40]
# because networks of its own width find a smaller teacher, and those of twice its width miss it more often
repetitions: int = 8  # networks of each width, half of those of twice the teacher's, in [8, 100]
# because with fewer the limits of Clopper and Pearson of two shares overlap unless nearly all networks end alike
evaluations: int = 4000  # gradients that each network is trained for, at least 200 m*, in [3000, 100000]
# because networks of the least teacher, m* = 16, need about 200 m*
seed: int = 0  # seed of the streams of teacher and initialization, in [0, 4294967295]
# where teacher_width % 4 == 0
# where d >= 5 * teacher_width and evaluations >= 200 * teacher_width

# %% tags=["hide-input"]
teacher_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
teacher = random_teacher(teacher_stream, teacher_width, d)
quarter = teacher_width // 4
widths = [quarter * k for k in (1, 2, 3, 4, 5, 8)]
# mutant: numbers of neurons that are tried
narrow, equal, wide = widths[:3], teacher_width, 2 * teacher_width
# mutant: how many networks are drawn
networks = {m: repetitions for m in widths} | {wide: 2 * repetitions}

# %% [markdown]
# ## Theory
#
# {prf:ref}`theorem-global` says that the risk at convergence tends to $0$ as $m\to\infty$, not how large $m$ must be. A lower limit comes from counting.
#
# ````{prf:proposition} Fewer neurons than the teacher
# :label: proposition-few-neurons
#
# Write $f^*=\sum_kq_k\,(u_k\cdot x)_+$ with $\|u_k\|=1$ and $q_k=b_k^*\|a_k^*\|/m^*$. Every network with $m$ neurons has
#
# $$\begin{gathered}F\;\ge\;\frac12\sum_{p\ge1}c_p\sum_{i>m}\sigma_i(M_p)^2,\\
# M_p=\sum_kq_k\,u_k^{\otimes p}\bigl(u_k^{\otimes p}\bigr)^\top,\end{gathered}$$
#
# where $\sigma_1\ge\sigma_2\ge\dots$ are singular values and
#
# ```{math}
# :label: power-series
# \begin{gathered}
# k(u,v)=\frac1{2\pi}+\frac{\cos\theta}4\\
# +\sum_{p\ge1}c_p\cos^{2p}\theta,\\
# c_p=\frac{4^{1-p}}{4\pi p\,(2p-1)}\binom{2p-2}{p-1}.
# \end{gathered}
# ```
#
# If no $q_k$ is $0$ and no two $u_k$ are parallel or opposite, the bound is positive for every $m<m^*$. For $m\ge m^*$ the least risk is $0$.
# ````
#
# ````{prf:proof}
# Let $f=\sum_j\hat q_j(\hat u_j\cdot x)_+$. Both sums over pairs in $2F=\sum q_iq_jk(u_i,u_j)$, taken over all charges of $f-f^*$, split by {eq}`power-series` into terms with $\cos^n\theta_{ij}=\langle u_i^{\otimes n},u_j^{\otimes n}\rangle$:
#
# $$2F=\sum_nc^{(n)}\Bigl\|\sum_j\hat q_j\hat u_j^{\otimes n}-\!\sum_kq_ku_k^{\otimes n}\Bigr\|^2\!.$$
#
# No coefficient is negative. For $n=2p$ the tensors, read as $d^p\times d^p$ matrices, are $M_p$ and a matrix of rank at most $m$, and by Eckart and Young their distance is at least that of $M_p$ to its best approximation. Its non-zero singular
# values are those of $G^{1/2}\operatorname{diag}(q)\,G^{1/2}$ with the $m^*\times m^*$ matrix $G_{kl}=(u_k\cdot u_l)^p$. As $p$ grows $G\to I$, unless two $u_k$ are parallel or opposite, and $M_p$ has rank $m^*$ if no $q_k$ is $0$.
#
# The series: with $c=\cos\theta$, $2\pi k=\sqrt{1-c^2}+c\,(\frac\pi2+\arcsin c)$, whose derivative is $\frac\pi2+\arcsin c$. Integrate the series of $\arcsin$. $\square$
# ````
#
# Most of the bound is the first term, $c_1=\frac1{4\pi}$ out of $\sum_pc_p=\frac14-\frac1{2\pi}$: a narrow network must choose which eigenvectors of $\sum_kq_ku_ku_k^\top$ it reproduces.

# %% tags=["hide-input"]
c = sympy.symbols("c", real=True)
exact = (sympy.sqrt(1 - c**2) + c * (sympy.pi / 2 + sympy.asin(c))) / (2 * sympy.pi)
powers = [sympy.binomial(2 * p - 2, p - 1) / sympy.Integer(4) ** (p - 1) / (2 * sympy.pi * (2 * p - 1) * 2 * p)
          for p in range(1, 6)]
stated = 1 / (2 * sympy.pi) + c / 4 + sum(power * c ** (2 * p) for p, power in enumerate(powers, 1))
assert sympy.simplify(sympy.series(exact, c, 0, 11).removeO() - stated) == 0
assert sympy.simplify(exact.subs(c, 1) - sympy.Rational(1, 2)) == 0  # so that Σ c_p = ½ − 1/4 − 1/2π

# %% tags=["hide-input"]
# mutant(1): their states bring the width along
batches = {m: NetworkBatch(m, teacher) for m in (*widths, equal - 1)}
zero = batches[equal].zero

# %% [markdown]
# ## Experiment
#
# Each network descends with backtracking: each accepted step gains at least half of what the flow would. A risk below $10^{-4}F_0$, where $F_0$ is that of the zero function, counts as success. To see whether
# a network as wide as the teacher fails for lack of neurons or for its start, others are started at the teacher's neurons, each turned by about $27°$ in a random direction.

# %% tags=["hide-input"]
SUCCESS = 1e-4


def sphere(*shape):
    """Independent unit vectors."""
    a = initialization_stream.standard_normal((*shape, d))
    return a / np.linalg.norm(a, axis=-1, keepdims=True)


def train(m, start, gradients=evaluations):
    """Descend from states R × m × (d + 1); the run and its relative risks."""
    moments = np.unique(np.round(np.geomspace(1, gradients, 40)).astype(int))
    run = backtracking_descent(batches[m].descent, start, evaluations=gradients, first_step=1.0,
                               record=moments).demand()
    return run, run.value / zero


def random_start(m):
    """Independent directions and signs of all neurons of the networks of a width."""
    signs = initialization_stream.choice([-1.0, 1.0], (networks[m], m, 1))
    return np.concatenate([sphere(networks[m], m), signs], axis=-1)


# %%
# mutant(/): a bound with room
bound = {m: few_neurons_bound(teacher, m) / zero for m in narrow}  # predict
runs = {m: train(m, random_start(m)) for m in widths}  # train
# mutant: the last two recorded states have both converged
relative = {m: risk[-1] for m, (_, risk) in runs.items()}
succeeded = {m: int(np.sum(relative[m] <= SUCCESS)) for m in widths}
numbers(  # compare
    ["neurons m", "no network below", "least F/F₀", "median F/F₀", "succeeded"],
    [
        [f"{m}", bound.get(m, 0.0), relative[m].min(), np.median(relative[m]), f"{succeeded[m]} of {networks[m]}"]
        for m in widths
    ],
)

# %% tags=["hide-input"]
turned = teacher.w + 0.5 * sphere(repetitions, equal)  # mutant: another start near the teacher
turned /= np.linalg.norm(turned, axis=-1, keepdims=True)  # mutant: another start near the teacher
near = np.concatenate([turned, np.broadcast_to(teacher.a[:, None], (repetitions, equal, 1))], axis=-1)
near_relative = train(equal, near, evaluations // 2)[1][-1]
one_less = near[:, 1:].copy()
one_less[..., -1] *= (equal - 1) / equal  # the same charges b/m
one_less_relative = train(equal - 1, one_less, evaluations // 2)[1][-1]

# %% mystnb={"figure": {"caption": "Left: the risk at the end, one dot a network, against the width, in units of $F_0$, the risk of the zero function; dashed, what no network of that width can fall below. Diamonds: networks started near the teacher; all that is below $10^{-8}$ is drawn there, at the lower edge. The vertical line is the teacher's width; above, how many of the networks succeed, that is, end below the grey level. Right: risk over time, for half the teacher's width, its width and twice its width; dashed, the bound for the first.", "name": "figure-population"}, "image": {"alt": "Left: risk against width with a dashed lower bound that ends at the teacher's width. Right: risk against time for three widths", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.6, 3.9))
FLOOR = 1e-8
for m in widths:
    left.semilogy([m] * networks[m], np.maximum(relative[m], FLOOR), "o", color=style.COLORS["blue"], alpha=0.6)
    left.annotate(f"{succeeded[m]}/{networks[m]}", (m, 2.0), ha="center", fontsize=11)
left.semilogy([equal] * repetitions, np.maximum(near_relative, FLOOR), "D", color=style.COLORS["orange"],
              label="near the teacher")
below = np.arange(1, equal)
style.theory(left, below, [few_neurons_bound(teacher, int(m)) / zero for m in below], "no network below")
left.axvline(equal, ymax=0.92, color=style.COLORS["grey"], linewidth=1)
left.axhline(SUCCESS, color=style.COLORS["grey"], linewidth=1)
left.set(xlabel="neurons $m$", ylabel="$F/F_0$", ylim=(FLOOR / 2, 8), xticks=widths)
left.legend(loc="lower left", bbox_to_anchor=(0.0, 0.08), fontsize=11, handlelength=1.2, borderaxespad=0.0)
for m, color in ((widths[1], "green"), (equal, "orange"), (wide, "blue")):
    run, risk = runs[m]
    for k in range(networks[m]):
        right.loglog(run.time[1:, k], np.maximum(risk[1:, k], FLOOR), color=style.COLORS[color], linewidth=0.9,
                     label=f"$m={m}$" if k == 0 else None)
style.theory_level(right, bound[widths[1]], f"no network of $m={widths[1]}$ below")
right.axhline(SUCCESS, color=style.COLORS["grey"], linewidth=1)
right.set(xlabel="$t$", ylabel="$F/F_0$", ylim=(FLOOR / 2, 8))
right.legend(loc="lower left")
plt.show()

# %% [markdown]
# ## Headline claims
#
# The bound holds for every narrow network; its {term}`control` has more neurons than the teacher and falls below it. Networks of twice the teacher's width mostly succeed, those
# of its own width seldom. No theorem gives the share, so that the claim is a test: if half of the networks, or fewer, succeeded, then so many successes would be drawn with a
# probability of at most $5\,\%$. With $16$ networks that takes $12$ successes. The start near the teacher shows that its own width could succeed.
#
# ```{claim} bound
# :headline: F/F₀ of networks with fewer neurons, against the certified bound
# :source: derived in this chapter, from the theorem of Eckart and Young
# :evidence: proved here
# :because: a proved bound, and far from equality: the rounding of the risks is nothing beside what is left
# :contrast: twice as many neurons as the teacher
#
# no network with fewer neurons than the teacher falls below the certified bound
# ```
#
# ```{claim} wide
# :headline: 95 % lower limit of the share of successes, twice the width
# :source: Chizat 2020, slides: Empirical performance
# :evidence: observed
# :because: the limit of Clopper and Pearson is exact for independent starts, and has the error of the draws
#   in it
# :contrast: as many neurons as the teacher
#
# networks of twice the teacher's width succeed more often than not
# ```
#
# ```{claim} width
# :headline: share of successes, with 95 % confidence: at the teacher's width at most, at twice that width at
#   least
# :source: Chizat 2020, slides: Empirical performance
# :evidence: observed
# :because: the limits of Clopper and Pearson are exact for independent starts, each misses with one chance in
#   20 at most; were the order false, one of them would have to miss. With 8 and 16 networks of equal shares
#   of success that has one chance in 299 at most, summed exactly
# :contrast: the networks as wide as the teacher are started near it
# :order: share at m = {equal} at most, share at m = {wide} at least
#
# networks as wide as the teacher succeed less often than those of twice its width
# ```

# %% tags=["hide-input"]


def at_least(m):
    """The share of successes that networks of a width have at least, with 95 % confidence."""
    return binomtest(succeeded[m], networks[m], alternative="greater").proportion_ci(0.95, method="exact").low


def at_most(successes, count):
    """The share of successes behind so many of count networks at most, with 95 % confidence."""
    return binomtest(successes, count, alternative="less").proportion_ci(0.95, method="exact").high


claims.above("bound", np.repeat([bound[m] for m in narrow], repetitions), np.concatenate([relative[m] for m in narrow]),
             proved=0.0, control=np.tile(relative[wide][:repetitions], len(narrow)))
claims.above("wide",
             0.5,  # mutant: a bound with room
             at_least(wide), proved=0.0, control=at_least(equal))
near_successes = int(np.sum(near_relative <= SUCCESS))
claims.increasing(  # spoiled: an ordering without a gap
    "width", [at_most(succeeded[equal], networks[equal]), at_least(wide)], proved=0.0,
    control=[at_most(near_successes, near_relative.size), at_least(wide)], fill={"equal": equal, "wide": wide})

# %% [markdown]
# ## Instruments
#
# The start near the teacher, the gradient, the series.
#
# From a start near the teacher its own width attains risk $0$; with one neuron less it cannot.
#
# ```{claim} attained
# :evidence: observed
# :because: the level that counts as success; at a finite time the risk is small, not zero, and no rate is
#   known
# :contrast: the same start without one of the neurons
#
# as many neurons as the teacher has suffice if they start near its own
# ```

# %% tags=["hide-input"]
claims.limit("attained", np.zeros(repetitions), near_relative, level=SUCCESS, control=one_less_relative)

# %% [markdown]
# The gradient by one product of matrices against the sums over pairs of {doc}`interaction_kernel`, and then the power series behind the bound: for $m=0$ the bound is all of the risk that lies in the degrees from two on,
# which the kernel gives without a series.
#
# ```{claim} forces
# :evidence: float with residual
# :because: rounding of sums over the coordinates and over the neurons of both networks; what the cosine
#   misses at small angles, 1e-8, counts squared
# :control: inputs on the sphere in one of the two
#
# one product of matrices gives the risk, the velocities and the dissipation that sums over pairs give
# ```
#
# ```{claim} series
# :evidence: float with residual
# :because: the degrees above 400 that are left out, where different neurons hardly interact
# :control: the degree one counted as well
#
# without neurons the bound is the risk in all degrees from two on
# ```

# %% tags=["hide-input"]
compared = 5 * quarter
# mutant([0, -1]; ([0, -1], 0)): another of the recorded states
states = runs[compared][0].w[[0, -1], 0]
risk, velocity, dissipation = batches[compared].descent(states)


def by_pairs(inputs):
    """Risks, dissipations and velocities from sums over pairs."""
    # mutant: how many networks are drawn
    networks = [PopulationFlow(state[:, :-1], state[:, -1], teacher, inputs) for state in states]
    moves = [net.weights(net.velocity(net.start)) for net in networks]
    return np.concatenate(
        [[net.value(net.start) for net in networks], [net.dissipation(net.start) for net in networks]]
        + [np.concatenate([a, b[:, None]], axis=1).ravel() for a, b in moves]
    )


claims.identity("forces", by_pairs("gaussian"), np.concatenate([risk, dissipation, velocity.ravel()]),
                error=rounding(d + compared + teacher_width), relative=True,
                control=Altered(np.concatenate([risk, dissipation, velocity.ravel()]), theory=by_pairs("sphere")))
bound_of_none = few_neurons_bound(teacher, 0) / zero
charges = teacher.a / teacher_width
gram = teacher.w @ teacher.w.T
high_degrees = charges @ (relu_kernel(teacher.w, teacher.w) - 1 / (2 * np.pi) - gram / 4) @ charges / 2
left_out = 200**-1.5 / (12 * np.pi**1.5)  # Σ c_p beyond p = 200, where c_p ≈ p^(-5/2) / 8π^(3/2)
claims.identity("series", high_degrees / zero, bound_of_none, error=left_out * np.sum(charges**2) / 2 / zero,
                control=Altered(bound_of_none, theory=high_degrees / zero + charges @ gram @ charges / 8 / zero))

# %% [markdown]
# ## What would falsify it
#
# One narrow network below the bound; networks of twice the teacher's width that fail as often as they succeed. One network of that width that is stuck falsifies nothing, nor does one as wide as the teacher that succeeds: on other seeds there are some of both.
#
# ## Differences from the paper
#
# - The slides have the same dimension and the same teacher's width; they state neither repetitions nor steps, and those here are ours.
# - "At convergence" means after the stated number of gradients. The narrow networks have stopped by then; wide ones still fall, and a network as wide as the teacher that is stuck may fall a little further.
# - Descent is in $(a,b)$, where long steps may let an output weight change its sign. The flow from a balanced start does not.
# - The slides give no bound for narrow networks: {prf:ref}`proposition-few-neurons` is added.
#
# ## Scope
#
# - That twice the teacher's width mostly suffices, and its own width mostly does not, are observations for such teachers. A smaller teacher is found more often by networks of its own width, and missed more often by networks of twice its width.
# - Twice the teacher's width is no guarantee. On twenty fresh seeds, before this chapter drew more networks for each, two of $160$ stayed at $F/F_0\approx10^{-2}$, and at four times the gradients they lost next to nothing of it: they are stuck. Hence the claim is about the share. The theorem is about $m\to\infty$, and no proof covers $m=2m^*$.
# - The bound is not sharp: each degree is bounded by its own best choice of $m$ directions, while a network has one choice for all. The best networks of a width end within a factor of about two of it, others are stuck higher up.
# - It is the population risk, with exact gradients. A finite sample, stochastic gradients and a bias are left out.
# - A spurious local minimum at $m=m^*$ is not proved here. It is seen that most networks stop there although risk $0$ is possible.
#
# ## Exercises
#
# ````{exercise} Orthonormal neurons
# :label: exercise-population-orthonormal
#
# Let the $u_k$ be orthonormal and $|q_k|=1/m^*$. Compute the bound, relative to $F_0$ with half of the signs positive.
# ````
#
# ````{solution} exercise-population-orthonormal
# :class: dropdown
#
# All singular values of all $M_p$ are $1/m^*$, so the bound is $\frac12\bigl(\frac14-\frac1{2\pi}\bigr)\frac{m^*-m}{m^{*2}}$. In $2F_0=\sum q_kq_lk(u_k,u_l)$ the diagonal gives $\frac1{2m^*}$ and the pairs, with $k=\frac1{2\pi}$ and
# $\sum_{k\ne l}q_kq_l=-\frac1{m^*}$, give $-\frac1{2\pi m^*}$. The ratio is $\frac{\pi-2}{2(\pi-1)}\bigl(1-\frac m{m^*}\bigr)$: linear in the width.
# ````
#
# ````{exercise} Sharp for one neuron?
# :label: exercise-population-one
#
# For $m^*=2$ orthonormal neurons with $q_1=q_2$, is the bound attained by some network of one neuron?
# ````
#
# ````{solution} exercise-population-one
# :class: dropdown
#
# No. In degree two the best approximation of $q\,(u_1u_1^\top+u_2u_2^\top)$ of rank one is $q\,vv^\top$ with any unit $v$ in the plane, but in degree four it needs $v=u_1$ or $v=u_2$; and with $v=u_1$ the part
# $q\,u_2$ of degree one is missing, which the bound does not count.
# ````
#
# ## References
#
# The experiment is on the slides {cite:t}`chizat2020slides`, the theorem is {cite:t}`chizat2018`; the kernel is {cite:t}`cho2009`.
