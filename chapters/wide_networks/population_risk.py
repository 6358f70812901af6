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
# # Training keeps the signs of the output weights, so a network needs as many neurons of each sign as its teacher
#
# ```{question}
# ```
#
# A {term}`teacher` of {glue:text}`population_teacher` ReLU neurons, half with a positive output weight and half with a negative one, labels random inputs in dimension {glue:text}`population_d`. We train networks of the same width on the exact population risk, with random directions and a coin toss for every sign. Of {glue:text}`population_repetitions` networks {glue:text}`population_equal_count` learns the teacher.
#
# From a {term}`balanced` start {term}`gradient flow` cannot change the sign of an output weight, because the pull on it vanishes together with the neuron. And {glue:text}`population_one_less` positive neurons cannot do the work of {glue:text}`population_half`, whatever the negative ones do. The coins give exactly half of each sign with a probability of {glue:text}`population_ceiling_equal`. But of {glue:text}`population_repetitions` networks that start with {glue:text}`population_half` of each sign, {glue:text}`population_fair_failed` have not learnt it when we stop, for reasons that are open. Both obstacles mostly go away with spare neurons of each sign, which coins give to wide networks. With {glue:text}`population_wide` neurons {glue:text}`population_wide_count` of {glue:text}`population_repetitions` learn the teacher.
#
# ```{hero}
# ```
#
# ## The statement
#
# The teacher is $f^*(x)=\sum_kq_k\,(u_k\cdot x)_+$ with unit vectors $u_k$ in $\mathbb R^d$, no two of them parallel or opposite, and charges $q_k\ne0$, of which $m_+^*$ are positive and $m_-^*$ negative. The network is $f(x)=\frac1m\sum_jb_j\,(a_j\cdot x)_+$, and of its output weights $b_j$ at the start $m_+$ are positive and $m_-$ negative. The population risk is $F=\frac12\mathbb E[(f-f^*)^2]$ over standard Gaussian inputs. Training is the gradient flow of $F$ in all weights, from a {term}`balanced` start, $|b_j|=\|a_j\|>0$.
#
# The interaction of two neurons is a power series in the cosine of their angle, {eq}`power-series`. For unit vectors $u$ and $v$ its term $\cos^{2p}\theta=(u\cdot v)^{2p}$ is the inner product of the matrices $u^{\otimes p}(u^{\otimes p})^\top$ and $v^{\otimes p}(v^{\otimes p})^\top$. So for each $p$ we read a neuron with direction $u$ as the matrix $u^{\otimes p}(u^{\otimes p})^\top$ times its charge $b\|a\|/m$. It has rank one and the sign of the output weight. The teacher's matrix is $M_p=\sum_kq_k\,u_k^{\otimes p}(u_k^{\otimes p})^\top$. For $p=1$ the signs of its eigenvalues count the positive and negative squares of a quadratic form, that of the smallest case below. Higher $p$ say the same of higher degrees. A matrix with few positive eigenvalues cannot come near one with many, however large its negative part is. So we prove that at every time
#
# ```{math}
# :label: signature-bound
# \begin{gathered}F\ge\frac12\sum_{p\ge1}c_p\,\bigl(S_p^++S_p^-\bigr),\\
# S_p^\pm=\sum_{i>m_\pm}\bigl(\lambda_{p,i}^\pm\bigr)^2,\end{gathered}
# ```
#
# where the $c_p>0$ are known numbers, and $\lambda_{p,1}^+\ge\lambda_{p,2}^+\ge\dots$ and $|\lambda_{p,1}^-|\ge|\lambda_{p,2}^-|\ge\dots$ the positive and negative eigenvalues of $M_p$. So $S_p^+$ collects what is missing if there are too few positive neurons, and $S_p^-$ the same for negative ones. The right side is positive if $m_+<m_+^*$ or $m_-<m_-^*$. Otherwise it is zero, and some network with these signs has risk zero.
#
# So a network can learn the teacher only if it starts with *enough neurons of each sign*. This is necessary and not sufficient. The theorem that we recall says that the risk does tend to zero for the limit $m\to\infty$ only, for smooth neurons, and if training converges ({prf:ref}`theorem-global`, {cite:t}`chizat2018`). How many networks of a finite width succeed, we observe.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast |
# |---|---|---|---|
# | [successes](signs) among all {glue:text}`population_wrong` networks with too few neurons of one sign, widths {glue:text}`population_least_width` to {glue:text}`population_most_width` | 0 | {glue:text}`population_wrong_count` | the {glue:text}`population_all_right` networks with enough of each: {glue:text}`population_all_right_count` |
# | [least risk](bound) of a network with {glue:text}`population_one_less` neurons of one sign and enough of the other, over $F_0$ | at least {glue:text}`population_one_bound` | {glue:text}`population_one_least` (all networks with too few of one sign: {glue:text}`population_nearest` times their bound or more, in the median {glue:text}`population_median` times) | the one success with {glue:text}`population_half` of each by design: {glue:text}`population_fair_least` |
# | [success](wide) of networks with {glue:text}`population_wide` neurons, one-sided lower 95 % limit of its probability | more than half (chosen; the signs allow {glue:text}`population_ceiling_wide`) | {glue:text}`population_wide_low`, from {glue:text}`population_wide_count` of {glue:text}`population_repetitions` | {glue:text}`population_teacher` neurons: {glue:text}`population_equal_low`, from {glue:text}`population_equal_count` of {glue:text}`population_repetitions` (the signs allow {glue:text}`population_ceiling_equal`) |
# ```
#
# Success means that the risk falls below $10^{-4}F_0$ within {glue:text}`population_evaluations` gradients, where $F_0$ is the risk of the zero function. The first two rows check a theorem, so a failure would be an error in proof or code. The share in the third row is an observation, and only what the signs allow is proved.
#
# **What to remember?** There are two obstacles, and they can be told apart. Too few neurons of one sign forbid success, and how often coins give too few is known exactly. But of the networks with enough of each sign only {glue:text}`population_fair_all_count` of {glue:text}`population_fair_all` succeed with {glue:text}`population_teacher` neurons. With {glue:text}`population_wider` or more and signs by coins it is {glue:text}`population_right_count` of {glue:text}`population_right`, but {glue:text}`population_few_count` of {glue:text}`population_repetitions` if just {glue:text}`population_half` of {glue:text}`population_more` are positive. So what helps is a few spare neurons of each sign.
#
# ## The smallest case
#
# Let the teacher have two neurons, $f^*=(x_1)_+-(x_2)_+$. Every ReLU is half of a linear function plus half of an absolute value, so beyond its linear part it is even. The first even part that is not constant has degree two. For $(u\cdot x)_+$ with a unit vector $u$ it is a multiple of $(u\cdot x)^2-1$. So the teacher's part of degree two is a multiple of
#
# $$x_1^2-x_2^2 .$$
#
# The quadratic form of a network with positive output weights is a sum of squares, and $x_1^2-x_2^2$ is not one, however many squares are allowed. What is left over is a floor for the risk. Over all even degrees it is $\frac12(\frac14-\frac1{2\pi})=0.045$, which is $13\,\%$ of the risk $F_0=\frac12(1-\frac1\pi)=0.34$ of the zero function ({ref}`exercise-population-orthonormal`). The number of positive and of negative squares is the *signature* of a quadratic form, and a network with $m_+$ and $m_-$ neurons of each sign has at most $m_+$ and $m_-$ of them.
#
# Why can no output weight change its sign? In the flow $\dot b_j=-V(a_j)$, where $V(a)=\mathbb E[(f-f^*)(x)\,(a\cdot x)_+]$ is proportional to the length of $a$. From a balanced start this length stays equal to $|b_j|$. So $b_j$ obeys $|\dot b_j|\le C|b_j|$. It can shrink exponentially, but it cannot reach zero in finite time.
#
# ## Experiment
#
# The directions of all neurons are independent and uniform on the unit sphere, and $b_j=\pm1$. The risk and its gradient are exact, by the closed form of {doc}`interaction_kernel`. Each network descends in the $a_j$, with $b_j=s_j\|a_j\|$, where $s_j$ is the sign at the start. So balance and signs are kept at any step, as by the flow. The path is another. A step is accepted if the risk falls by at least half of the first-order prediction, and halved otherwise. After every {glue:text}`population_stage` gradients a network stops if it has succeeded, or if they have lowered its risk by less than 0.1 %.

# %% tags=["hide-input"]
from functools import cache

import numpy as np
from matplotlib import pyplot as plt
from scipy.stats import binom, binomtest

from implicit_bias.data import Teacher, random_teacher
from implicit_bias.figures import style
from implicit_bias.flows import backtracking_descent
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.wide import few_neurons_bound
from implicit_bias.models.population import NetworkBatch, PopulationFlow
from reproduce.claims import Altered, Claims, rounding
from reproduce.claims.glued import glue_all

claims = Claims("population_risk")

style.use_style()

# %% tags=["parameters"]
d: int = 100  # dimension d of the inputs, at least five times the teacher's width, in [80, 1000]
# because d is at least five times the teacher's width, which is at least 16
teacher_width: int = 20  # neurons m* of the teacher, a multiple of 4, in [16, 40]
# because networks of its own width find a smaller teacher, and those of twice its width miss it more often
repetitions: int = 12  # networks of each width, in [8, 100]
# because with fewer the lower limit of Clopper and Pearson exceeds one half only if all succeed
evaluations: int = 4000  # gradients that each network is trained for, at least 200 m*, in [3000, 100000]
# because networks of the least teacher, m* = 16, need about 200 m*
seed: int = 0  # seed of the streams of teacher and initialization, in [0, 4294967295]
# where teacher_width % 4 == 0
# where d >= 5 * teacher_width and evaluations >= 200 * teacher_width

# %% tags=["hide-input"]
SUCCESS, STAGES, AT_REST = 1e-4, 16, 0.999  # of F₀; of all gradients; of the risk one stage before
teacher_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
teacher = random_teacher(teacher_stream, teacher_width, d)
quarter, half, equal, wide = teacher_width // 4, teacher_width // 2, teacher_width, 2 * teacher_width
# mutant: numbers of neurons that are tried
widths = [quarter * k for k in (2, 4, 5, 6, 8)]
# Risk and flow depend on angles and lengths alone. So we describe each network in the span of its neurons and the teacher's.
span, taught = np.linalg.qr(teacher.w.T)
batches = {m: NetworkBatch(m, Teacher(np.pad(taught.T, ((0, 0), (0, m))), teacher.a)) for m in widths}
zero = batches[equal].zero


def draw(m, signs):
    """Networks of m neurons, unit vectors repetitions × m × (m* + m) with independent directions, and the given signs."""
    w = initialization_stream.standard_normal((repetitions, m, d))
    w /= np.linalg.norm(w, axis=-1, keepdims=True)
    beyond = np.linalg.qr((w - w @ span @ span.T).swapaxes(1, 2))[1].swapaxes(1, 2)
    return np.concatenate([w @ span, beyond], axis=-1), np.broadcast_to(signs, (repetitions, m))


def coins(m):
    """Networks whose signs are drawn by fair coins."""
    return draw(m, initialization_stream.choice([-1.0, 1.0], (repetitions, m)))


def balanced(w, signs):
    """The states (w, a) with a_j = s_j ‖w_j‖."""
    return np.concatenate([w, (signs * np.sqrt(np.einsum("rjk,rjk->rj", w, w)))[..., None]], axis=-1)


def train(w, signs):
    """Descend in stages, those further on that have neither succeeded nor come to rest: states and F/F₀ at the end."""
    end, risk, on, batch = w.copy(), np.ones(len(w)), np.full(len(w), True), batches[w.shape[1]]
    for _ in range(STAGES):
        signs_on, before = signs[on], risk[on]

        def descent(states, kept=signs_on):
            value, velocity, dissipation = batch.descent(balanced(states, kept))
            return value, velocity[..., :-1], dissipation

        # mutant(1.0): the first step, which is searched for
        run = backtracking_descent(descent, end[on], evaluations=evaluations // STAGES, first_step=1.0).demand()
        # mutant(-1 → +1; -1 → -2): the last recorded states all have converged
        end[on], risk[on] = run.w[-1], run.value[-1] / zero
        on[on] = (risk[on] > SUCCESS) & (risk[on] < AT_REST * before)
        if not on.any():
            break
    return balanced(end, signs), risk


# %% [markdown]
# Before training, the signs of a start give two predictions. The bound {eq}`signature-bound` holds for every network, and where it is positive the network cannot succeed. And for fair coins the number of positive signs is binomial, so the share of networks that *can* succeed is known for every width.

# %%
@cache
def floor(positive, negative):
    """The bound for networks with so many neurons of each sign, over F₀."""
    return few_neurons_bound(teacher, positive, negative) / zero


def bound_of(signs):
    """The bound for each network, from its signs alone."""
    return np.array([floor(p, signs.shape[1] - p) for p in np.sum(signs > 0, axis=1).tolist()])


def ceiling(m):
    """The probability that m fair coins give as many of each sign as the teacher has."""
    return max(binom.cdf(m - half, m, 0.5) - binom.cdf(half - 1, m, 0.5), 0.0)


starts = {m: coins(m) for m in widths}
bound = {m: bound_of(starts[m][1]) for m in widths}  # predict
ends = {m: train(*starts[m]) for m in widths}  # train
relative = {m: risk for m, (_, risk) in ends.items()}
for m in widths:  # compare
    able, done = bound[m] < SUCCESS, relative[m] <= SUCCESS
    print(f"{m} neurons: can succeed {ceiling(m):6.1%} of all, here {able.sum():2} of {repetitions};",
          f"succeeded {(done & able).sum():2} of them, {(done & ~able).sum()} of the others")

# %% [markdown]
# ### What breaks
#
# Now we take the coins away. Networks as wide as the teacher start with independent directions and with {glue:text}`population_half` neurons of each sign, as the teacher has. Of these {glue:text}`population_fair_count` of {glue:text}`population_repetitions` succeed. The bound is zero for them, so those that fail do so for another reason. We do not know which. In {numref}`figure-population` (a) they end between a third of the height of the networks with {glue:text}`population_one_less` or {glue:text}`population_one_more` positive neurons and a little above it. So near the middle the second obstacle is of the size of the first.
#
# Do wider networks escape the bound? Networks of {glue:text}`population_more` neurons, half as many again as the teacher has, start in the same directions with {glue:text}`population_positives` positive output weights, and {glue:text}`population_successes` of {glue:text}`population_repetitions` learn the teacher. With {glue:text}`population_one_less` the theorem forbids success, whatever the other {glue:text}`population_others` neurons do. With {glue:text}`population_half`, just as many as the teacher has, few succeed, as above. What helps is to have more than enough of each sign.

# %% tags=["hide-input"]
fair_relative = train(*draw(equal, np.resize([1.0, -1.0], equal)))[1]
more = equal + half
directions, signs = draw(more, 1.0)
given = {p: np.where(np.arange(more) < p, signs, -signs) for p in (more // 2, half, half - 1)}  # by how many are positive
of_given = {p: train(directions, own)[1] for p, own in given.items()}


def count(risks):
    """How many have succeeded."""
    return int(np.sum(risks <= SUCCESS))


def at_least(risks):
    """The share of successes behind these networks at least, with 95 % confidence."""
    return binomtest(count(risks), risks.size, alternative="greater").proportion_ci(0.95, method="exact").low


all_bounds, all_risks = (np.concatenate([*parts.values(), last]) for parts, last in
                         ((bound, bound_of(given[half - 1])), (relative, of_given[half - 1])))
wrong, fit = all_bounds > SUCCESS, relative[equal][bound[equal] < SUCCESS]
right_risks = np.concatenate([all_risks[~wrong], fair_relative, of_given[more // 2], of_given[half]])
used = all_risks[wrong] / all_bounds[wrong]
of_one_off = np.isin(np.sum(starts[equal][1] > 0, axis=1), [half - 1, half + 1])
wider = [m for m in widths if m > equal]
able = np.concatenate([relative[m][bound[m] < SUCCESS] for m in wider])
glue_all("population", d=d, teacher=equal, repetitions=repetitions, half=half, one_less=half - 1, one_more=half + 1,
         equal_count=count(relative[equal]), wide=wide, wide_count=count(relative[wide]), fair_count=count(fair_relative),
         more=more, others=more - half + 1, few_count=count(of_given[half]), stage=evaluations // STAGES, wrong=int(np.sum(wrong)), positives="{}, {} and {}".format(*given), successes="{}, {} and {}".format(*map(count, of_given.values())),
         fair_failed=repetitions - count(fair_relative), fair_all=repetitions + fit.size, fair_all_count=count(fair_relative) + count(fit),
         wide_low=f"{100 * at_least(relative[wide]):.0f} %", equal_low=f"{100 * at_least(relative[equal]):.1g} %",
         wrong_count=count(all_risks[wrong]), least_width=widths[0], most_width=wide, wider=wider[0], right=able.size, right_count=count(able), all_right=right_risks.size,
         all_right_count=count(right_risks),
         evaluations=f"{evaluations:,}")
glue_all("population", ".3g", fair_least=fair_relative.min(), one_bound=min(floor(half - 1, half + 1), floor(half + 1, half - 1)),
         one_least=np.append(of_given[half - 1], relative[equal][of_one_off]).min(), nearest=np.min(used), median=np.median(used))
glue_all("population", **{name: f"{100 * share:.2g} %" if share < 0.01 else f"{100 * share:.1f} %" for name, share in
                          (("ceiling_equal", ceiling(equal)), ("ceiling_wide", ceiling(wide)),
                           ("ceiling_more", ceiling(equal + quarter)), ("forbidden", 1 - ceiling(wide)))})

# %% mystnb={"figure": {"caption": "A network with too few neurons of one sign cannot learn the teacher, and enough of each sign do not ensure it. (a) Networks as wide as the teacher, one dot each. Filled: signs by coin tosses. Open: half of each sign by design. Black dashes: no network with these signs can fall below, proved before training. In the middle this bound is 0 (arrow). Dots on the lower edge have reached the level of success. (b) The share of networks that succeed. Blue, with two-sided 95 % limits: signs by coin tosses. Black dashed: the probability that both signs occur at least as often as in the teacher, so success cannot be more likely (at 25 the share of these twelve networks lies above it by chance). Diamonds: given numbers of positive + negative neurons, in the same directions.", "name": "figure-population"}, "image": {"alt": "Two panels. Left: final risk against the number of positive output weights; all dots lie above black dashes in the shape of a V, and only in the middle, where an arrow says that the bound is zero, do some reach the lower edge. Right: share of successes against width along a dashed curve, which rises from zero below the teacher's width to one at twice that width, and three diamonds at one width, a green one at one, an orange one at a quarter, a red one at zero.", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.6, 4.2))
blue = style.COLORS["blue"]
shown = np.arange(half - 6, half + 7)
for positive, risks, face in ((np.sum(starts[equal][1] > 0, axis=1) - 0.2 * (np.sum(starts[equal][1] > 0, axis=1) == half), relative[equal], blue),
                              (np.full(repetitions, half + 0.2), fair_relative, "none")):
    left.semilogy(positive, np.maximum(risks, SUCCESS), "o", markerfacecolor=face, markeredgecolor=blue, alpha=0.7, markersize=6)
floors = [floor(p, equal - p) for p in shown.tolist()]
left.plot(shown, np.where(np.array(floors) > 0, floors, np.nan), "_", color="black", markersize=15, markeredgewidth=2)
left.annotate("bound 0", (half - 0.6, 0.85 * SUCCESS), (half - 1.4, 3 * SUCCESS), ha="center", arrowprops={"arrowstyle": "->"})
left.text(half + 2.7, floors[-4] / 3.6, "no network\nbelow (proved)")
left.text(half + 0.6, 1.35 * SUCCESS, f"open: {half} by design,\n{count(fair_relative)} of {repetitions} learn", color=blue)
left.set(xlabel="positive output weights at the start", ylabel="risk after training, $F/F_0$", ylim=(0.8 * SUCCESS, 0.3),
         xticks=shown[::2], xlim=(shown[0] - 0.5, shown[-1] + 0.5), title=f"(a) {equal} neurons learn from {equal}")
for every in (np.arange(quarter, equal), np.arange(equal, wide + quarter // 2 + 1)):
    style.theory(right, every, [ceiling(int(m)) for m in every])
for (positive, risks), color, height in zip(of_given.items(), ("green", "orange", "red"), (1.06, 0.25, 0), strict=True):
    right.plot(more, count(risks) / repetitions, "D", color=style.COLORS[color], markersize=7, zorder=5)
    right.text(more + 0.9, height, f"{positive} + {more - positive}", color=style.COLORS[color], va="center")
for m in widths:
    share = binomtest(count(relative[m]), repetitions)
    low, high = share.proportion_ci(0.95, method="exact")
    right.plot([m, m], [low, high], color=blue, linewidth=1.4)
    right.plot(m, share.statistic, "o", color=blue, markersize=8)
right.annotate("most that\nsigns allow", (equal + 3, ceiling(equal + 3)), xytext=(equal - 2, 0.72), ha="right", va="center",
               arrowprops={"arrowstyle": "-"})
right.text(wide, 0.66, f"coins,\n{repetitions} each", color=blue, ha="center", va="top")
right.set(xlabel="neurons $m$", ylabel="share that learns the teacher", ylim=(-0.06, 1.19), xticks=widths,
          yticks=[0, 0.25, 0.5, 0.75, 1], yticklabels=["0", "25 %", "50 %", "75 %", "100 %"],
          title=f"(b) the teacher has {equal} neurons")
plt.show()

# %% [markdown]
# ## Theory
#
# Two propositions make the statement. The first is about the flow, the second about every network, however it was found.
#
# ````{prf:proposition} The flow keeps signs
# :label: proposition-signs
#
# Let $|b_j(0)|=\|a_j(0)\|>0$ for all $j$. The gradient flow
#
# $$\dot a_j=-b_j\nabla V(a_j),\qquad\dot b_j=-V(a_j)$$
#
# exists for all times, $|b_j|=\|a_j\|$ stays true, and no $b_j$ changes its sign.
# ````
#
# ````{prf:proof}
# $V$ is 1-homogeneous, $a\cdot\nabla V(a)=V(a)$, so $\frac d{dt}(b_j^2-\|a_j\|^2)=0$. By Cauchy and Schwarz, with $\mathbb E[(a\cdot x)_+^2]=\frac12\|a\|^2$, $|V(a)|\le\sqrt{2F}\,\|a\|/\sqrt2=\sqrt F\,\|a\|$. As $F$ falls along the flow, $|\dot b_j|\le\sqrt{F(0)}\,|b_j|$, so
#
# $$e^{-\sqrt{F(0)}\,t}\le\frac{|b_j(t)|}{|b_j(0)|}\le e^{\sqrt{F(0)}\,t}.$$
#
# On every bounded interval of time the $a_j$ stay bounded and away from $0$, and there the velocities are Lipschitz. So the flow goes on. $\square$
# ````
#
# ````{prf:proposition} Too few neurons of one sign
# :label: proposition-few-neurons
#
# Let $f^*=\sum_kq_k(u_k\cdot x)_+$ with $\|u_k\|=1$. Every network with at most $m_+$ positive and at most $m_-$ negative output weights obeys {eq}`signature-bound`, with
#
# ```{math}
# :label: power-series
# \begin{gathered}
# k(u,v)=\frac1{2\pi}+\frac{\cos\theta}4\\
# +\sum_{p\ge1}c_p\cos^{2p}\theta,\\
# c_p=\frac{4^{1-p}}{4\pi p\,(2p-1)}\binom{2p-2}{p-1},
# \end{gathered}
# ```
#
# the {doc}`kernel <interaction_kernel>` of two neurons at the angle $\theta$. If no $q_k$ is $0$ and no two $u_k$ are parallel or opposite, the bound is positive if $m_+<m_+^*$ or $m_-<m_-^*$. Otherwise the least risk is $0$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# *Degrees.* Let $f=\sum_j\hat q_j(\hat u_j\cdot x)_+$ with unit vectors. The sum over pairs in $2F=\sum q_iq_jk(u_i,u_j)$, over all charges of $f-f^*$, splits by {eq}`power-series` into terms with $\cos^n\theta_{ij}=\langle u_i^{\otimes n},u_j^{\otimes n}\rangle$. With the coefficients $c^{(n)}\ge0$ of $\cos^n\theta$
#
# $$2F=\sum_nc^{(n)}\Bigl\|\sum_j\hat q_j\hat u_j^{\otimes n}-\!\sum_kq_ku_k^{\otimes n}\Bigr\|^2\!.$$
#
# For $n=2p$, read as $d^p\times d^p$ matrices, these are $\hat M_p$ and $M_p$, and $\hat M_p$ has at most $m_+$ positive and $m_-$ negative eigenvalues. So $2F\ge\sum_pc_p\|\hat M_p-M_p\|^2$ in the Frobenius norm.
#
# *Weyl's inequalities.* Let $D=M_p-\hat M_p$, and $\lambda_i$ the eigenvalues from the largest on. Since $\lambda_{m_++1}(\hat M_p)\le0$,
#
# $$\begin{aligned}\lambda_{i+m_+}(M_p)&\le\lambda_i(D)+\lambda_{m_++1}(\hat M_p)\\&\le\lambda_i(D).\end{aligned}$$
#
# So the $i$-th positive eigenvalue of $D$ is at least $\lambda^+_{p,m_++i}$, as long as this exists. The same for $-D$ bounds its negative eigenvalues. Positive and negative ones are different eigenvalues of $D$, and the sum of the squares of all is $\|D\|^2$.
#
# *When it is positive.* The non-zero eigenvalues of $M_p$ are those of $G^{1/2}\operatorname{diag}(q)\,G^{1/2}$ with $G_{kl}=(u_k\cdot u_l)^p$. As $p$ grows $G\to I$, so for large $p$ the matrix has $m_+^*$ positive and $m_-^*$ negative eigenvalues. If there are enough of each sign, the teacher with further neurons of length zero is such a network.
#
# *The series.* With $c=\cos\theta$, $2\pi k=\sqrt{1-c^2}+c\,(\frac\pi2+\arcsin c)$, whose derivative is $\frac\pi2+\arcsin c$. Integrate the series of $\arcsin$. $\square$
# ````
#
# A network of $m<m^*$ neurons has too few of one sign, whatever its signs are. So its risk stays above the least of the bounds for $m_++m_-=m$, with or without the flow.
#
# ## How many can succeed, exactly
#
# Let the signs be fair coins and the teacher have $m^*/2$ neurons of each sign. The share of networks that can succeed is
#
# ```{math}
# :label: ceiling
# \begin{gathered}
# \mathbb P\Bigl[\frac{m^*}2\le B\le m-\frac{m^*}2\Bigr],\\
# B\sim\text{Binomial}(m,\tfrac12).
# \end{gathered}
# ```
#
# At $m=m^*$ this is the middle term of the binomial law, about $\sqrt{2/(\pi m^*)}$, so it *falls* as the teacher grows. For wider networks $B$ must stay within $\frac12(m-m^*)$ of its mean, and its standard deviation is $\frac12\sqrt m$. So the excess of neurons that the signs ask for is a multiple of the root of the width: $m-m^*\approx2\sqrt m$ for about 95 %, and $2.6\sqrt m$ for 99 %. For a teacher of {glue:text}`population_teacher` neurons a quarter more allow {glue:text}`population_ceiling_more`.
#
# The bound is not the risk at which a network ends. Among the networks with too few of one sign the risk is {glue:text}`population_nearest` times the bound at least, and {glue:text}`population_median` times in the median. Each degree is bounded by its own best choice of directions, while a network has one choice for all. The first term, degree two, is {glue:text}`population_first_one` of the bound with {glue:text}`population_one_less` neurons of one sign. For orthonormal directions it is $\frac1{4\pi}$ of $\sum_pc_p=\frac14-\frac1{2\pi}$, so $88\,\%$.
#
# ## Instruments
#
# Each claim with its control, and checks of the gradient and of the series.
#
# ### The numbers of the table
#
# ```{claim} signs
# :headline: networks with too few neurons of one sign that succeed
# :source: derived in this chapter
# :evidence: proved here
# :because: a network of which the bound exceeds the level of success cannot succeed; nothing is rounded in a count
# :contrast: the networks with enough neurons of each sign
#
# no network with too few neurons of one sign learns the teacher
# ```
#
# ```{claim} bound
# :headline: F/F₀ of networks with too few neurons of one sign, against the bound of their signs
# :source: derived in this chapter, from Weyl's inequalities
# :evidence: proved here
# :because: a proved bound, and far from equality: the rounding of the risks is nothing beside what is left
# :contrast: networks with enough neurons of each sign
#
# every network with too few neurons of one sign stays above the bound of its signs
# ```
#
# The theorem does not give the share of successes. So the third claim is a test: if half of the networks, or fewer, succeeded, so many successes would be drawn with a probability of at most 5 %.
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

# %% tags=["hide-input"]
claims.below("signs", 0, count(all_risks[wrong]), proved=0.0, control=count(right_risks))
claims.above("bound", all_bounds[wrong], all_risks[wrong], proved=0.0, control=np.resize(relative[wide], np.sum(wrong)))
claims.above("wide",
             0.5,  # mutant: a bound with room
             at_least(relative[wide]), proved=0.0, control=at_least(relative[equal]))

# %% [markdown]
# ### Gradient and series
#
# The gradient by one product of matrices is compared with the sums over pairs of {doc}`interaction_kernel`. And for a network without neurons the bound is all of the risk that lies in the degrees from two on, which the kernel gives without a series.
#
# ```{claim} forces
# :evidence: float with residual
# :because: rounding of sums over the coordinates and over the neurons of both networks; what the cosine
#   misses at small angles, 1e-8, counts squared
# :contrast: the product of matrices at weights that are rounded to single precision
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
states = np.stack([balanced(*starts[equal + quarter])[0], ends[equal + quarter][0][0]])


def by_product(at):
    """Risks, dissipations and velocities from one product of matrices."""
    risk, velocity, dissipation = batches[equal + quarter].descent(at)
    return np.concatenate([risk, dissipation, velocity.ravel()])


def by_pairs():
    """The same from sums over pairs."""
    networks = [PopulationFlow(state[:, :-1], state[:, -1], batches[equal + quarter].teacher, "gaussian") for state in states]
    moves = [net.weights(net.velocity(net.start)) for net in networks]
    return np.concatenate([[net.value(net.start) for net in networks], [net.dissipation(net.start) for net in networks]]
                          + [np.concatenate([a, b[:, None]], axis=1).ravel() for a, b in moves])


claims.identity("forces", by_pairs(), by_product(states), error=rounding(d + equal + quarter + teacher_width), relative=True,
                control=by_product(states.astype(np.float32).astype(float)))
bound_of_none = few_neurons_bound(teacher, 0, 0) / zero
charges, gram = teacher.a / teacher_width, teacher.w @ teacher.w.T
high_degrees = charges @ (relu_kernel(teacher.w, teacher.w) - 1 / (2 * np.pi) - gram / 4) @ charges / 2
lowest = np.sort(np.linalg.eigvals(charges[:, None] * gram).real)[half]  # the least positive eigenvalue of M₁
glue_all("population", first_one=f"{100 * lowest**2 / (8 * np.pi * zero * floor(half - 1, half + 1)):.0f} %")
left_out = 200**-1.5 / (12 * np.pi**1.5)  # Σ c_p beyond p = 200, where c_p ≈ p^(-5/2) / 8π^(3/2)
claims.identity("series", high_degrees / zero, bound_of_none, error=left_out * np.sum(charges**2) / 2 / zero,
                control=Altered(bound_of_none, theory=high_degrees / zero + charges @ gram @ charges / 8 / zero))

# %% [markdown]
# ## What would falsify it
#
# A network with too few neurons of one sign that succeeds, or that falls below {eq}`signature-bound`. Networks of twice the teacher's width that mostly fail. A network with enough of each sign that is stuck falsifies nothing, because the condition is only necessary.
#
# ## Differences from the paper
#
# - **Ours.** The slides show the risk at convergence against the width, for the same dimension and the same width of the teacher. They state neither repetitions nor steps, and those here are ours.
# - **Added.** The signs as a reason for failure, both propositions and {eq}`ceiling` are added here.
# - "At convergence" means at rest as defined above, or after the stated number of gradients.
# - **Changed.** We train by descent with long steps in the $a_j$ alone, which keeps the signs as the flow does. Long steps in $(a,b)$ change some of them, and {prf:ref}`proposition-signs` says nothing of those.
#
# ## Scope
#
# - The bound is for the population risk of Gaussian inputs, for ReLU neurons without a bias. A bias is a further coordinate that is constant, and then the degrees mix.
# - Signs are kept from a balanced start. If $|b_j|<\|a_j\|$, an output weight can pass through zero, because its neuron does not vanish with it. Then the bound with $m_+$ and $m_-$ of the start need not hold.
# - Enough neurons of each sign are necessary. That they mostly suffice at twice the teacher's width is an observation for such teachers, and we know of no proof for them that covers a finite width. Why some networks as wide as the teacher are stuck although their signs allow success is open here.
# - Networks of twice the teacher's width can fail. By {eq}`ceiling` the signs forbid success with a probability of {glue:text}`population_forbidden`, and some networks with enough of each sign may be stuck.
# - A finite sample and stochastic gradients are left out.
#
# ## Exercises
#
# ````{exercise} Warm-up
# :label: exercise-population-warm-up
#
# The teacher has three positive neurons and one negative one. Networks of four neurons draw their signs by fair coins. Which share of them can learn the teacher? And with six neurons?
# ````
#
# ````{solution} exercise-population-warm-up
# :class: dropdown
#
# With four neurons exactly three must be positive: $4/16=25\,\%$. With six at least three must be positive and at least one negative, so three, four or five: $(20+15+6)/64=64\,\%$.
# ````
#
# ````{exercise} Orthonormal neurons
# :label: exercise-population-orthonormal
#
# Let the $u_k$ be orthonormal and $q_k=\pm1/m^*$ with half of the signs positive. Compute the bound over $F_0$ for a network that lacks $n$ neurons.
# ````
#
# ````{solution} exercise-population-orthonormal
# :class: dropdown
#
# All eigenvalues of all $M_p$ are $\pm1/m^*$, so the bound is $\frac12\bigl(\frac14-\frac1{2\pi}\bigr)\frac n{m^{*2}}$ if $n$ counts the missing positive and the missing negative ones. In $2F_0=\sum q_kq_lk(u_k,u_l)$ the diagonal gives $\frac1{2m^*}$ and the pairs, with $k=\frac1{2\pi}$ and
# $\sum_{k\ne l}q_kq_l=-\frac1{m^*}$, give $-\frac1{2\pi m^*}$. The ratio is $\frac{\pi-2}{2(\pi-1)}\frac n{m^*}$, about $0.27\,n/m^*$.
# ````
#
# ````{exercise} An output weight that starts small
# :label: exercise-population-unbalanced
#
# Let $\|a_j(0)\|>|b_j(0)|$. Why does the proof of {prf:ref}`proposition-signs` fail? What does it still give if $\|a_j(0)\|<|b_j(0)|$ and $a_j$ does not reach $0$?
# ````
#
# ````{solution} exercise-population-unbalanced
# :class: dropdown
#
# $\|a_j\|^2-b_j^2=\delta>0$ is conserved, so $\|a_j\|\ge\sqrt\delta$ at all times. Then $|\dot b_j|\le\sqrt F\|a_j\|$ does not vanish with $b_j$, and $b_j$ may pass through $0$. In the other case $\|a_j\|\le|b_j|$, so $|\dot b_j|\le\sqrt F|b_j|$ as before, and the sign is kept. Indeed $|b_j|$ stays above $\sqrt{-\delta}$.
# ````
#
# ````{exercise} A smaller teacher
# :label: exercise-population-smaller
#
# Rerun the chapter with `teacher_width = 16`. What do you expect of the share that the signs allow at $m=m^*$?
# ````
#
# ````{solution} exercise-population-smaller
# :class: dropdown
#
# $\binom{16}8/2^{16}=19.6\,\%$, a little more than for 20, as $\sqrt{2/(\pi m^*)}$ says.
# ````
#
# ## Where to go next
#
# ```{next}
# {doc}`global_convergence` shows why infinitely many neurons suffice if training converges. In every direction, and of each sign, one is ready to grow. {doc}`f1_max_margin` leaves the teacher and asks which classifier a wide network learns.
# ```
#
# ## References
#
# The experiment is on the slides {cite:t}`chizat2020slides`, the theorem for infinite width is {cite:t}`chizat2018`, the kernel is {cite:t}`cho2009`.
