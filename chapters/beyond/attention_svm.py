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
# # Attention that selects the right tokens can grow towards a largest margin, in a norm set by its parametrization
#
# ```{question}
# ```
#
# Take {glue:text}`attention_svm_n` sentences of four Gaussian vectors, the tokens. In each the *right* token carries the label. Attention gives token $x$ the logit $x\cdot Wz$, with the query $z$, and averages the tokens by softmax. A fixed classifier reads the average. We train $W$. The right token's *lead* is its logit less a wrong one's. We start where every right token leads, because on some data one is lost for ever from zero. Larger leads lower the loss, so $W$ grows. Soon only the smallest leads count, so $W$ turns to the largest *margin*, smallest lead over norm. Trained as one matrix, $W$ turns to the largest one per Frobenius norm, of rank {glue:text}`attention_svm_rank_m` (at affordable times {glue:text}`attention_svm_early` off). As keys and queries, $W=KQ^\top$, with tiny weight decay, it turns to the largest one per sum of singular values, the least decay that factors of $W$ cost, and ends at rank {glue:text}`attention_svm_rank`.
#
# ```{hero}
# ```
#
# ## The smallest case
#
# Two sentences of two tokens in the plane. The wrong token is 0, and the right one equals its query, $u_\pm=(\cos30°,\pm\sin30°)$. So the lead of the right token is $u_\pm\cdot Wu_\pm$. From a diagonal start $W=\mathrm{diag}(p,q)$ stays diagonal by symmetry, and both leads are $\frac34p+\frac14q$.
#
# **What is best.** The largest margin belongs to the $W$ of least norm with both leads equal to one. The least $p^2+q^2$ is at $W_F=\mathrm{diag}(\frac65,\frac25)$, of rank two. The least $|p|+|q|$ is at $W_*=\mathrm{diag}(\frac43,0)$, of rank one, because $p$ adds $\frac34$ to the lead per unit and $q$ only $\frac14$. In panel (a) are the smallest circle and the smallest diamond that touch the line where both leads are one.
#
# **What training does.** Each sentence pulls $W$ towards $u_\pm u_\pm^\top$, with a strength $r>0$ that falls as its lead grows. The leads are equal, so one matrix moves by $\dot W=r\,(u_+u_+^\top+u_-u_-^\top)=r\,\mathrm{diag}(\frac32,\frac12)$. This is the direction of $W_F$, so from zero $W$ goes straight along it. For keys and queries $K=Q=\mathrm{diag}(\sqrt p,\sqrt q)$ with the decay $\lambda$ the same pull gives $\dot p=(3r-2\lambda)\,p$ and $\dot q=(r-2\lambda)\,q$. So $p$ comes to rest only when $3r$ has fallen to $2\lambda$. Then $q$ dies out, and $W$ is a multiple of $W_*$.
#
# No other $W$ is better, symmetric or not. $W_F=\frac45(u_+u_+^\top+u_-u_-^\top)$ is a sum of the $u_\pm u_\pm^\top$ with positive factors, and this is the condition of optimality. In the nuclear norm let $M=\frac23(u_+u_+^\top+u_-u_-^\top)=\mathrm{diag}(1,\frac13)$. Its largest singular value is one, so the sum of the singular values of any $W$ with leads of at least one is at least $\langle M,W\rangle\ge\frac23+\frac23$, and $W_*$ has this value. The other singular value of $M$ is below one, so every solution has rank one. We call $M$ the *certificate*.
#
# ## The statement
#
# Sentence $i$ of $n$ has tokens $x_{it}$ and a query $z_i$, all of them vectors, and a label $Y_i=\pm1$. The classifier $v$ is fixed. Token $t$ has the *score* $\gamma_{it}=Y_iv\cdot x_{it}$. The right token is the one of best score, of which there is one, and we number the tokens so that it is the first. With $s_i=\operatorname{softmax}_t(x_{it}\cdot Wz_i)$ the loss is
#
# ```{math}
# :label: attention-loss
# L(W)=\frac1n\sum_i\ln\bigl(1+e^{-\sum_ts_{it}\gamma_{it}}\bigr).
# ```
#
# For $t\ge2$ let $\delta_{it}=(x_{i1}-x_{it})z_i^\top$. Then $\langle\delta_{it},W\rangle$ is the lead of the right token over token $t$. We say that $W$ *selects* the right tokens if all leads are positive. The *attention SVM* (support vector machine) {cite:p}`tarzanagh2023svm` is
#
# ```{math}
# :label: attention-svm
# \begin{gathered}
# \min_W\|W\|\quad\text{subject to}\\
# \langle\delta_{it},W\rangle\ge1\text{ for all }i,\ t\ge2 .
# \end{gathered}
# ```
#
# Its solution has the largest margin in the norm that it minimizes. Let $W_F$ be the solution in the Frobenius norm, and $W_*$ one in the nuclear norm $\|W\|_*$, the sum of the singular values.
#
# ```{prf:proposition} One matrix
# :label: proposition-attention-direction
#
# Let some $W$ select the right tokens, and let all leads tend to infinity along the flow $\dot W=-\nabla L$. Then $W/\|W\|_F\to W_F/\|W_F\|_F$.
# ```
#
# ```{prf:proposition} Keys and queries with decay
# :label: proposition-attention-decay
#
# Let some $W$ select the right tokens, and let $K,Q$ with at least $n$ columns minimize $L(KQ^\top)+\frac\lambda2(\|K\|_F^2+\|Q\|_F^2)$. Then $W_\lambda=KQ^\top$ minimizes $L(W)+\lambda\|W\|_*$. As $\lambda\to0$ the distance of $W_\lambda/\ln\frac1\lambda$ from the set of all $W_*$ tends to zero.
# ```
#
# At each small $\lambda$ the nuclear margin of $W_\lambda$ is at least a bound that we give below ({prf:ref}`proposition-attention-bound`). That the flow of keys and queries ends at the minimum we measure on three sets and do not prove.
#
# **Do all leads tend to infinity?** Not from every start. From $W=0$ a right token can be lost for ever, although some $W$ selects all of them ({prf:ref}`proposition-attention-lost`). Let right tokens have the score 1 and all others 0. Then no token is lost from a start whose loss is less than $\theta/n$ above its infimum, with $\theta=\ln(1+e^{-1/2})-\ln(1+e^{-1})=0.16$ ({prf:ref}`proposition-attention-start`). All our runs with such scores start there, except where we show what happens from zero.
#
# **Whose results?** For gradient descent on one matrix with small steps the limit is a theorem of {cite:t}`tarzanagh2023svm`, which we recall without its hypotheses. Their abstract promises convergence "under suitable geometric conditions", and the abstract of {cite:t}`vasudeva2024` says that earlier convergence results were local. That the least decay over all factors of $W$ is $\|W\|_*$ is known {cite:p}`srebro2005`, and so is the limit of vanishing decay for attention {cite:p}`tarzanagh2023svm`. We derive here the lost token, the start that loses none, the limit of the direction from such a start by the argument of normalized margins {cite:p}`lyu2020`, the bound at each small $\lambda$, and a computable size of the start from which a locally optimal selection stays. We have not found these five elsewhere.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast |
# |---|---|---|---|
# | [one matrix](matrix): direction in which $W$ grows late, second to fourth singular value over the first, Gaussian tokens | {glue:text}`attention_svm_matrix_p` | {glue:text}`attention_svm_matrix_m` ($W$ itself at $\ln t=20$: {glue:text}`attention_svm_matrix_e`) | $W_*$: {glue:text}`attention_svm_matrix_c` |
# | [keys and queries](decay), $\lambda=$ {glue:text}`attention_svm_lambda`: first three singular values of $W$, Gaussian tokens, and its ranks on three data sets | {glue:text}`attention_svm_decay_p`, ranks {glue:text}`attention_svm_ranks` | {glue:text}`attention_svm_decay_m`, ranks {glue:text}`attention_svm_ranks_m` | $W_F$ of that nuclear norm: {glue:text}`attention_svm_decay_c` |
# | [nuclear margin](nuclear) over the largest, keys and queries, three data sets | $\lambda=$ {glue:text}`attention_svm_lambda`: {glue:text}`attention_svm_weak_p`, then $\lambda=e^{-60}$: {glue:text}`attention_svm_nuclear_p` | {glue:text}`attention_svm_weak_m`, then {glue:text}`attention_svm_nuclear_m` | one matrix: {glue:text}`attention_svm_nuclear_c` |
# | [selections that stay](local) selected, of {glue:text}`attention_svm_local_of`, from a large start along their SVM | {glue:text}`attention_svm_local_p`, of which {glue:text}`attention_svm_local_rival` do not have all the best tokens. Others: 0 expected | {glue:text}`attention_svm_local_m` | only the best tokens stay: {glue:text}`attention_svm_local_c` |
# ```
#
# Allowed errors are of the largest difference among all numbers that a claim compares. In the first two rows these are the entries of $W$ on three data sets, in the third the margins at $\lambda=e^{-60}$. The measured ranks count singular values above $10^{-6}$ of the first.
#
# **What to remember?** Once the right tokens are selected, training separates them by a maximum margin, and the parametrization decides in which norm. Trained as one matrix, $W$ gets the full rank that the queries allow, {glue:text}`attention_svm_rank_m` on two of these sets and one less on the digits. Keys and queries with small decay get low rank. Without decay keys and queries turn towards the nuclear solution too, on the set we tried, ever more slowly. From zero a right token can be lost.
#
# ## Experiment
#
# The tokens come from three distributions. They are Gaussian in $\mathbb R^8$, uniform in $\mathbb R^7$ with five tokens a sentence, or the four quarters of a handwritten digit, with their mean as the query. The part of a token along $v$ is replaced by $Y_i$ times its score, 1 for the first token and 0 for the others. Labels alternate, so of the digits only the geometry is used, not the class.

# %% tags=["hide-input"]
import itertools

import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.data import digits
from implicit_bias.figures import style
from implicit_bias.flows import attention_flow, key_query_flow
from implicit_bias.limits.margin import attention_decay, attention_margin, max_margin, token_differences, token_pulls
from reproduce.claims import Claims
from reproduce.claims.glued import glue_all
from reproduce.claims.judge import tolerance_of

claims = Claims("attention_svm")
style.use_style()

# %% tags=["parameters"]
n: int = 6  # number of sentences, in [3, 16]
decay: float = 1e-6  # weight decay λ of keys and queries, in [1e-12, 0.0001]
seed: int = 0  # seed of the data stream, in [0, 4294967295]

# %% tags=["hide-input"]
RTOL, STRONG = 1e-6, 60.0
THETA = np.log1p(np.exp(-0.5)) - np.log1p(np.exp(-1))  # of the proposition
data, init = np.random.default_rng(seed).spawn(2)
best, one_score = np.zeros(n), lambda count: np.eye(1, count).repeat(n, axis=0)


def scored(points, g):
    """The tokens with the scores 1, 0, 0, … along a random v, and queries of length one."""
    x, z = points
    v = g.standard_normal(x.shape[2])
    v /= np.linalg.norm(v)
    scores = one_score(x.shape[1])
    x = x - (x @ v)[..., None] * v + (np.where(np.arange(n) % 2, 1, -1)[:, None] * scores)[..., None] * v
    return x, z / np.linalg.norm(z, axis=1, keepdims=True), scores


def quarters(g):
    """Four quarters of handwritten digits of 8 × 8 pixels, less their mean over all, and their mean as the query."""
    images = digits(g, test=1).x
    x = images[g.permutation(len(images))[:n]].reshape(n, 2, 4, 2, 4).transpose(0, 1, 3, 2, 4).reshape(n, 4, 16)
    x = x - x.mean(axis=(0, 1))
    return x / np.linalg.norm(x, axis=2).mean(), x.mean(axis=1)


LAWS = {
    "Gaussian": lambda g: (g.standard_normal((n, 4, 8)) / np.sqrt(8), g.standard_normal((n, 8))),
    "uniform": lambda g: (g.uniform(-1, 1, (n, 5, 7)) * np.sqrt(3 / 7), g.standard_normal((n, 7))),
    "digits": quarters}
sets = {name: scored(law(data), data) for name, law in LAWS.items()}


def ahead(x, z, w, log_decay=-np.inf):
    """R and R·w, w an SVM solution, by {prf:ref}`proposition-attention-start` a start that loses no token; refused where it does not hold."""
    size = np.log(n * (x.shape[1] - 1) / THETA)  # then L − inf L ≤ ½(T − 1)e^{−R} = θ/(2n)
    share = 1 / (1 + np.exp(-size * token_differences(x, z, best) @ w.ravel()).reshape(n, -1).sum(axis=1))
    missed = np.mean(np.log1p(np.exp(-share)) - np.log1p(np.exp(-1))) + np.exp(log_decay) * size * values(w).sum()
    bound = THETA / n
    if missed >= bound and np.isfinite(log_decay):  # then what the other sentences cost where one is lost counts too
        rests = (attention_decay(np.delete(x, i, 0), np.delete(z, i, 0), one_score(x.shape[1])[1:], log_decay + np.log(2 * n / (n - 1))) for i in range(n))
        bound += np.exp(log_decay) * min(values(rest.w).sum() + rest.multipliers.sum() for rest in rests)
    if not missed < bound:
        raise ValueError(f"decay is too large for this start: the objective misses inf L by {missed:.3g}, and must by less than {bound:.3g}")
    return size, size * w


def values(w):
    """Singular values, the first n of them."""
    return np.linalg.svd(w, compute_uv=False)[..., :n]


def apart(a, b):
    """Distance of the directions of two matrices."""
    return np.linalg.norm(a / np.linalg.norm(a) - b / np.linalg.norm(b))

# %% [markdown]
# Before training we solve both SVMs. The certificate of $W_*$ is the matrix $M$, the sum of the $\delta_{it}$, each times its multiplier. Its largest singular value is one and $\langle M,W_*\rangle=\|W_*\|_*$. Singular vectors of a solution lie in the space where $M$ has singular value one, so the number of ones bounds the rank. The queries of the digits span one dimension less than their number, since they sum to zero before scaling. So the rank of $W_F$ is one less there. We print singular values divided by the largest.

# %% tags=["hide-input"]
frobenius = {name: attention_margin(x, z, best, "frobenius") for name, (x, z, _) in sets.items()}
nuclear = {name: attention_margin(x, z, best, "nuclear") for name, (x, z, _) in sets.items()}
for name, found in nuclear.items():
    for word, w in (("W_F", frobenius[name].w), ("W_*", found.w), ("M", found.dual)):
        print(f"{name:9} {word:3}", (values(w) / values(w)[0]).round(3) + 0.0)

# %% [markdown]
# Each parametrization starts at $R$ times the SVM solution of the other. So $W$ starts at $R\,W_*$, keys and queries at factors of $R\,W_F$ with $K^\top K=Q^\top Q$. With $R=\ln(n(T-1)/\theta)$ for $T$ tokens, about 5, {prf:ref}`proposition-attention-start` holds. The code checks this before it trains. We train $W$ by gradient flow in the logarithm of time, for as long as the theory asks, and read how much $W$ grows per unit of $\ln t$. For comparison we also start from zero.

# %%
rows = {name: token_differences(x, z, best) for name, (x, z, _) in sets.items()}
early, grown, offsets, constants = {}, {}, {}, {}
for name, (x, z, scores) in sets.items():
    end = max(1000.0, 40 / max_margin(rows[name]).decay)
    size, start = ahead(x, z, nuclear[name].w)
    run = attention_flow(x, z, scores, log_t_end=end, record=[20 - size, end / 3, end / 2],
                         start=start, log_unit=size, rtol=RTOL, atol=RTOL).demand()
    w = run.theta.reshape(-1, *frobenius[name].w.shape)
    early[name], grown[name] = w[1], (w[-1] - w[-2]) / (end / 2)
    offsets[name] = run.theta[2:] @ rows[name].T - (np.array([[end / 3], [end / 2], [end]]) + size)  # at three late times
    constants[name] = [apart(w[k], frobenius[name].w) * (size + t)
                       for k, t in ((1, 20 - size), (2, end / 3), (4, end))]
    print(f"{name:9} growth of W", (values(grown[name]) / values(grown[name])[0]).round(3))
    zero = attention_flow(x, z, scores, log_t_end=300.0, rtol=RTOL, atol=RTOL).demand().final
    selected = np.all((rows[name] @ zero).reshape(n, -1) > 0, axis=1).sum()
    print(f"{'':9} from zero the right token is selected in {selected} of {n} sentences")

# %% [markdown]
# ### A right token can be lost
#
# On these sets no token is lost from zero. But it is not enough that some $W$ selects the right tokens, even with equal scores of all other tokens.
#
# ````{prf:proposition} From zero a token can be lost
# :label: proposition-attention-lost
#
# Take five sentences of two tokens in the plane with the scores 1 and 0, and let all queries be the number 1, so that $W$ has two entries. The wrong token is 0. The right one is $(1,0)$ in four sentences and $(-\frac32,\frac12)$ in the fifth. $W_F=(1,5)$ selects all right tokens. But the flow from $W=0$, and from all starts near it, has $W(t)/\ln t\to(1,0)$. The fifth sentence loses its right token for ever.
# ````
# ````{prf:proof}
# :class: dropdown
#
# The leads $a$ of the four sentences and $b$ of the fifth obey $\dot a=4g(a)-\frac32g(b)$ and $\dot b=-6g(a)+\frac52g(b)$ with $g(a)=\frac15\sigma(-s)s(1-s)$, $s=\sigma(a)$. While $b\le-a\le0$, $g(b)/g(a)\le\frac12/\sigma(-1)<1.86$. So $\dot a\ge1.2\,g(a)$ and $\dot a+\dot b=-2g(a)+g(b)\le-0.14\,g(a)<0$. From zero this holds for all times, and starts near zero come into the region too. There $a\to\infty$. As $\dot a\le4g(a)$, $a+b\le-0.03a+O(1)$, so $g(b)/g(a)\to0$, $\dot a=4g(a)(1+o(1))$, $a=\ln t+O(1)$ and $b/a\to-\frac32$. The second entry of $W$ grows by $\frac12\int g(b)\,dt$, which is finite. The four sentences push $W$ so fast that the pull of the fifth, about $t^{-3/2}$, comes too late.
# ````

# %% tags=["hide-input"]
five = np.array([[[1, 0], [0, 0]]] * 4 + [[[-1.5, 0.5], [0, 0]]]), np.ones((5, 1)), 5 * [[1, 0]]
drop = attention_flow(*five, log_t_end=300.0, record=[*range(1, 17), 150], rtol=RTOL, atol=RTOL)
lost = np.diff(drop.demand().theta[-2:], axis=0).ravel() / 150
print("the five sentences, from zero: growth of W per unit of ln t", lost.round(3) + 0.0)

# %% mystnb={"figure": {"caption": "The five sentences in the plane. (a) From W = 0 the fifth sentence loses its right token. (b) From four times the attention SVM no token is lost. Dashed, beside the curves: the slopes that the propositions give late. The scales of the two panels differ.", "name": "figure-attention-lost"}, "image": {"alt": "Two panels of leads against ln t. Left: a blue line rises with slope one, an orange line falls below zero with slope minus three halves. Right: both lines rise with slope one.", "classes": "panels-2"}} tags=["hide-input"]
kept = attention_flow(*five, log_t_end=16.0, record=range(1, 16), start=[[4], [20]]).demand()
for axis, run, slope, title in zip(style.panels(2, (9.6, 3.6)), (drop, kept), (-1.5, 1), ("(a) from zero", "(b) from a start that loses no token"), strict=True):
    w, b = run.theta[:17].T, run.theta[:17] @ [-1.5, 0.5]
    for lead, color, rise, way, word in ((w[0], "blue", 1, 1, "four sentences"), (b, "orange", slope, -1, "the fifth")):
        axis.plot(range(17), lead, color=style.COLORS[color])
        axis.plot([10, 16], lead[16] + rise * np.array([-6, 0]) + way * 0.06 * (w[0, 16] - b.min()), color="0.2", linestyle="--", linewidth=1)
        axis.annotate(f"{word},\nlate slope {rise:g}".replace("-", "−"), (9.5, way * np.max(way * lead[4:10])), (0, 8 * way), textcoords="offset points", color=style.COLORS[color], ha="right", va="bottom" if way > 0 else "top")
    axis.set(xlabel="ln(1 + t)", ylabel="lead of the right token", title=title, xticks=[0, 5, 10, 15])
    axis.margins(y=0.32)
plt.show()

# %% [markdown]
# ### Keys and queries
#
# They start from factors of $R\,W_F$. We follow the gradient flow of the loss with decay for twenty times the slowest decay time of the linearized flow at the predicted end.


# %% tags=["hide-input"]
def factors(w):
    """K and Q of KQᵀ = w, of n columns, KᵀK = QᵀQ."""
    u, s, vt = np.linalg.svd(w)
    return [np.pad(part[:, :len(s)] * np.sqrt(s), ((0, 0), (0, max(0, n - len(s)))))[:, :n] for part in (u, vt.T)]


def slowest(name, end):
    """Least rate of the flow at its end, in λt: of the spare directions and of the factors, but for turns of their columns."""
    u, s, vt = np.linalg.svd(end.w)
    r = int(np.sum(s > 1e-8 * s[0]))
    k, q, delta = u[:, :r] * np.sqrt(s[:r]), vt[:r].T * np.sqrt(s[:r]), rows[name].reshape(-1, *end.w.shape)
    moved = np.concatenate([(delta @ q).reshape(len(delta), -1), (delta.transpose(0, 2, 1) @ k).reshape(len(delta), -1)], axis=1)
    mixed = np.zeros((sum(end.w.shape),) * 2)
    mixed[:len(k), len(k):], mixed[len(k):, :len(k)] = end.dual, end.dual.T
    bend = np.eye(moved.shape[1]) - np.kron(mixed, np.eye(r)) + moved.T @ (end.multipliers[:, None] * moved)
    return min(np.linalg.eigvalsh(bend)[r * (r - 1) // 2], 1 - np.linalg.svd(end.dual, compute_uv=False)[r:].max(initial=0.0))


def trained(name, log_decay):
    """KQᵀ at the end of the flow of keys and queries with decay."""
    x, z, scores = sets[name]
    start = factors(ahead(x, z, frobenius[name].w, log_decay)[1])
    t_end = max(400.0, 20 / slowest(name, attention_decay(x, z, scores, log_decay)))
    run = key_query_flow(x, z, scores, *start, t_end=t_end, log_decay=log_decay, rtol=RTOL, atol=RTOL)
    return run.demand().final.reshape(x.shape[2], -1)


weak = {name: trained(name, np.log(decay)) for name in sets}
strong = {name: trained(name, -STRONG) for name in sets}
ends = {name: attention_decay(x, z, scores, np.log(decay)) for name, (x, z, scores) in sets.items()}
for name in sets:
    print(f"{name:9} singular values of KQᵀ", values(weak[name])[:3].round(4), "computed", values(ends[name].w)[:3].round(4))

# %% [markdown]
# ### Which selections stay?
#
# So far the scores of the wrong tokens were equal. Otherwise other selections can be limits too. A selection $\alpha$ is a choice of one token $\alpha_i$ in each sentence, and $W_\alpha$ is its SVM solution. The tokens over which $\alpha_i$ leads by exactly one, with a positive multiplier, are its *neighbours* (in the paper's definition, as we recall it, without the multiplier). We call $\alpha$ *locally optimal* if each $\alpha_i$ has a better score than its neighbours.
#
# **What is predicted.** From $R\,W_\alpha$ with $R$ large enough $W$ stays with a locally optimal $\alpha$, says the theory that we recall. It stays if $R$ is above a threshold that the data give, where only neighbours have the lead one and their $\delta_{it}$ are linearly independent ({prf:ref}`proposition-attention-stays`). If a neighbour has a better score, we expect training to leave. We try all selections of three sets of three sentences with three tokens in $\mathbb R^4$, and once more with all labels flipped. A rival theory is that only the best tokens of all sentences stay. So that the rival can fail, we draw a further set before training if both theories say the same of all selections.
#
# **How large must $R$ be?** We take one with which {prf:ref}`proposition-attention-stays` holds. A token that is nearly a neighbour makes it large. From selections that are not locally optimal we start with $R=20$, where no proposition speaks, so row 4 compares starts of different sizes; for the locally optimal ones the proposition proves that they stay, and the run tests the code. Without the better tokens, the attention SVM gives some better token a lead $\ell'<1$. Then its share of the pull grows like $t^{1-\ell'}$, so we wait until $\ln t=R+60/(1-\ell')$, and at least until $R+60$.


# %% tags=["hide-input"]
def stays(case, size, wait=60.0):
    """Whether the flow from size · w keeps the chosen tokens ahead until ln t = size + wait."""
    x, z, scores, chosen, w = case

    def premise(at):
        first = np.einsum("itk,kd,id->it", x, at, z).argmax(axis=1)
        return None if np.all(first == chosen) else "another leads"

    return attention_flow(x, z, scores, log_t_end=wait, start=size * w, log_unit=size,
                          rtol=1e-5, atol=1e-5, premise=premise).converged


def enough(scores, chosen, delta, found):
    """R of {prf:ref}`proposition-attention-stays`."""
    count, leads, near = scores.shape[1] - 1, delta @ found.w.ravel(), found.multipliers > 0
    top = scores[np.arange(len(scores)), chosen][:, None]
    pull = ((top - scores) / (1 + np.exp(top)) / len(scores))[np.arange(count + 1) != chosen[:, None]]
    u = np.linalg.lstsq(delta[near], np.log(pull[near] / found.multipliers[near]))[0]
    spread, norm = np.ptp(scores, axis=1).repeat(count), np.linalg.norm(delta, axis=1)
    m = norm * (np.linalg.norm(u) + 1) - delta @ u
    first, second = np.nonzero(near[:, None] & np.kron(np.eye(len(scores), dtype=bool), np.ones((count, count), dtype=bool)))
    rate = np.concatenate([leads[second], leads[~near] - 1])
    size = np.concatenate([np.log(spread * (2 + spread / 4) * norm)[first] + m[first] + m[second], (np.log(spread * norm) + m)[~near]])
    return max(m.max(), np.max((size + np.log(len(rate) / rate / len(scores))) / rate))


# %%
cases, local, highest = [], [], []
for _ in itertools.count():
    x, z, v = (data.standard_normal(shape) for shape in ((3, 3, 4), (3, 4), 4))
    plain = np.array([1, -1, 1])[:, None] * (x @ v) / np.linalg.norm(v)
    for sign, *tokens in itertools.product((1, -1), *[range(3)] * 3):
        scores, chosen = sign * plain, np.array(tokens)
        found = attention_margin(x, z, chosen, "frobenius")
        others = np.arange(3) != chosen[:, None]
        better = (scores > scores[np.arange(3), chosen][:, None])[others]
        held = found.multipliers > 0
        delta = token_differences(x, z, chosen)
        local.append(not np.any(better & held))
        highest.append(bool(np.all(scores.argmax(axis=1) == chosen)))
        rest = 0.0 if local[-1] or np.all(better) else np.min((delta @ max_margin(delta[~better]).w)[better])
        cases.append(((x, z, scores, chosen, found.w), enough(scores, chosen, delta, found) if local[-1] else 20.0, 60 / min(1.0, 1 - rest)))
    if len(cases) >= 162 and local != highest:
        break
stayed = np.array([stays(*case) for case in cases])
optimal, top = np.array(local), np.array(highest)
print(optimal.sum(), "of", len(cases), "selections are locally optimal,")
print(np.sum(optimal & ~top), "of them not the best of all")
large = [size for (_, size, _), stay in zip(cases, local, strict=True) if stay]
print(f"R of the proposition: {min(large):.0f} to {max(large):.0f}, median {np.median(large):.0f}")
print("of the locally optimal stay", np.sum(stayed & optimal),
      "and of the others", np.sum(stayed & ~optimal))
remain = [sum(stays(cases[k][0], size) for k in np.flatnonzero(optimal)) for size in (10, 3, 1)]
print("from 10, 3 and 1 times the SVM stay", remain)

# %% [markdown]
# The best tokens are locally optimal whatever their neighbours are. The rival theory errs on {glue:text}`attention_svm_local_rival` of the selections. So it is on these few that the neighbours are tested. The norm of the start matters here. From 10, 3 and 1 times the SVM, {glue:text}`attention_svm_remain` of the {glue:text}`attention_svm_local_p` stay. The local theorem of {cite:t}`tarzanagh2023svm`, as we recall it, has a threshold of the norm too.
#
# ### Keys at random, and no decay
#
# Is it the two factors or the decay that gives the nuclear norm? Two further runs tell. First we freeze $K$ at random and train $Q$ alone. This is the same layer with the tokens $K^\top x_{it}$, so it has a Frobenius SVM of its own. Second, keys and queries without decay. One matrix with decay tends to $W_F$ by the proof of {prf:ref}`proposition-attention-decay`, with $\frac12\|W\|_F^2$ in place of $\|W\|_*$.

# %% tags=["hide-input"]
own, frozen = {}, {}
for name, (x, z, scores) in sets.items():
    key = init.standard_normal((x.shape[2], x.shape[2])) / np.sqrt(x.shape[2])
    own[name] = key @ attention_margin(x @ key, z, best, "frobenius").w
    size, start = ahead(x @ key, z, attention_margin(x @ key, z, best, "nuclear").w)
    end = max(1000.0, 40 / max_margin(token_differences(x @ key, z, best)).decay)
    run = attention_flow(x @ key, z, scores, log_t_end=end, record=[end / 2], start=start, log_unit=size, rtol=RTOL, atol=RTOL).demand()
    frozen[name] = key @ np.diff(run.theta[1:], axis=0).reshape(-1, z.shape[1]) / (end / 2)


x, z, scores = sets["Gaussian"]
LATE = np.geomspace(1e3, 1e6, 7)
run = key_query_flow(x, z, scores, *factors(ahead(x, z, frobenius["Gaussian"].w)[1]), t_end=LATE[-1], record=LATE[:-1]).demand()
late = [apart(w.reshape(8, 8), nuclear["Gaussian"].w) for w in run.theta[1::2]]
print("K frozen: distance of directions from its own SVM", *(f"{apart(frozen[name], own[name]):.0e}" for name in sets),
      "from W_*", *(f"{apart(frozen[name], nuclear[name].w):.2f}" for name in sets))
leads = run.theta[1:] @ rows["Gaussian"].T
force = np.exp(leads.min(axis=1, keepdims=True) - leads)  # M(t), up to a factor
mu, w = values((force @ rows["Gaussian"]).reshape(-1, 8, 8)), values(run.theta[1:].reshape(-1, 8, 8))
slopes, told_slopes = np.diff(np.log(w[::2, 1] / w[::2, 0])) / np.log(10), 1 - mu[1::2, 1] / mu[1::2, 0]
print("without decay, slope of ln(w₂/w₁) in ln ln t, −(1 − μ₂), distance of directions from W_*:")
for k, (slope, told_slope, distance) in enumerate(zip(slopes, told_slopes, late[1:], strict=True), 3):
    print(f"ln t 1e{k} to 1e{k + 1}: slope {slope:.3f}, formal {-told_slope:.3f}, distance {distance:.3f}")

# %% [markdown]
# Frozen keys give a Frobenius solution of their own, far from $W_*$. On this set two trained factors turn $W$ towards $W_*$ without decay too, ever more slowly, and at $\ln t=10^6$ the distance of the directions is still {glue:text}`attention_svm_last`. With decay $W$ arrives.

# %% tags=["hide-input"]
def placed(name, w):
    """Nuclear margin of w over the largest."""
    return (rows[name] @ w.ravel()).min() / (values(w).sum() * nuclear[name].margin)


shown = "Gaussian"
turn = np.sqrt([[3, 1], [3, 1]]) / 2 * [[1, 1], [1, -1]]  # u₊ and u₋
pair = np.stack([turn, 0 * turn], axis=1), turn, one_score(2)[:2]
END = 48.0
matrix = attention_flow(*pair, log_t_end=END - 3, start=3 * np.eye(2), log_unit=3.0, record=np.linspace(1, END - 4, 20)).demand()
product = key_query_flow(*pair, *[np.sqrt(3) * np.eye(2)] * 2, t_end=20.0, log_decay=-END, record=np.geomspace(1e-20, 19, 200)).demand()
paths = [run.theta[:, [0, 3]] / (run.final[[0, 3]] @ [0.75, 0.25]) for run in (matrix, product)]

# %% mystnb={"figure": {"caption": "Each parametrization has its own norm, and the largest margin in this norm. All runs start where the right tokens lead. (a) The smallest case, two sentences and W = diag(p, q). In the grey region both leads are at least one. The smallest circle (Frobenius norm) and the smallest diamond (sum of the singular values) that reach it touch it in different points, the stars. Curves: trained from one start, keys and queries with the decay $\\lambda=e^{-48}$, W divided by the lead that it has at the end. Blue still misses its star by about two over ln t (0.04 here, at ln t = 48). (b) The six sentences of the Gaussian set. Bars: the matrices of largest margin, computed before training. Dots: the trained W. Blue, full: growth of W per unit of ln t over the second half of a run to ln t \u2265 1000, which no step-by-step training reaches; hollow: W itself at ln t = 20, about as far as descent gets.", "name": "figure-attention"}, "image": {"alt": "Two panels. Left: a plane of p and q with a line, a circle that touches it at a blue star and a diamond that touches it at an orange star on the axis. A blue path goes to the blue star, an orange path to the orange star. Right: blue bars fall slowly over all singular values, there is one orange bar. Full dots lie on the ends of the bars, hollow ones near those of the blue bars.", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.6, 4.5))
blue, orange, dark = style.COLORS["blue"], style.COLORS["orange"], "#a87400"
arc = np.linspace(-0.4, np.pi / 2 + 0.1, 200)
left.fill([4 / 3 + 0.1, -0.1, 2, 2], [-0.3, 4.3, 4.3, -0.3], color="0.93")
left.plot([4 / 3 + 0.1, 0.9], [-0.3, 1.3], color="0.4", linewidth=1.4)
left.plot(np.sqrt(1.6) * np.cos(arc), np.sqrt(1.6) * np.sin(arc), color=blue, linewidth=1.2, linestyle="--")
left.plot([1, 4 / 3, -0.1], [-1 / 3, 0, 4 / 3 + 0.1], color=orange, linewidth=1.2, linestyle="--")
for path, color, tip in zip(paths, (blue, orange), ((6 / 5, 2 / 5), (4 / 3, 0)), strict=True):
    left.plot(*path.T, color=color, linewidth=2.6)
    left.plot(*tip, "*", color=color, markersize=15, zorder=5)
left.plot(*paths[0][0], "o", color="0.2", markersize=5)
for place, word, color in (((-0.03, -0.03), "start", "0.2"), ((1.25, 0.47), "star: rank 2", blue), ((1.37, 0.09), "star:\nrank 1", dark), ((0.3, 0.32), "one matrix", blue), ((0.25, -0.06), "keys and queries:\nfirst larger leads,\nthen lower rank", dark), ((0.5, 1.2), "Frobenius", blue), ((0.0, 0.68), "nuclear:\nsmallest diamond", dark), ((1.2, 0.95), "both leads\n≥ 1", "0.3")):
    left.text(*place, word, color=color, va="center")
left.set(xlim=(-0.05, 1.68), ylim=(-0.2, 1.3), aspect="equal", xlabel="p, first diagonal entry of W", ylabel="q, second diagonal entry of W", title="(a) the smallest case")
for shift, bar, dot, color in ((-0.2, frobenius[shown].w, grown[shown], blue), (0.2, nuclear[shown].w, weak[shown], orange)):
    at = np.arange(1, len(values(bar)) + 1) + shift
    right.bar(at, values(bar) / values(bar)[0], 0.38, color=color, alpha=0.45)
    right.plot(at, values(dot) / values(dot)[0], "o", color=color)
right.plot(at - 0.4, values(early[shown]) / values(early[shown])[0], "o", color=blue, fillstyle="none", markersize=8)
for place, word, color in (((2.05, 0.65), "one matrix, rank 6", blue), ((1.45, 1), "keys and queries, rank 1", dark), ((2.75, 0.51), "full: late growth of W\nhollow: W at an affordable\ntime, ln t = 20", blue)):
    right.text(*place, word, color=color, va="center")
right.set(xlabel="index of the singular value", ylabel="singular value over the largest", title="(b) singular values of W, Gaussian set", xticks=np.arange(1, len(values(bar)) + 1))
plt.show()

# %% [markdown]
# ## Theory
#
# **Why a margin?** We write $j$ for a pair $(i,t)$ with $t\ge2$, and $c_{it}=\sigma(-\gamma_{i1})(\gamma_{i1}-\gamma_{it})/n$ with the logistic function $\sigma$. Once the right tokens lead, the loss is its infimum plus $\sum c_je^{-\langle\delta_j,W\rangle}$, to leading order, as for a linear classifier of the points $\delta_j$ {cite:p}`soudry2018`. To lower it further $W$ has to grow, and it grows most cheaply along the SVM solution of the norm that training or decay penalizes.
#
# ````{prf:proof}
# :class: dropdown
#
# *Of {prf:ref}`proposition-attention-direction`.* Let $\ell=L-\inf L$ and $m_F=1/\|W_F\|_F$, the largest margin. As the leads tend to infinity, $\ell=\sum c_je^{-\langle\delta_j,W\rangle}(1+o(1))$, and $-\nabla L=\sum r_j\delta_j$ with $r_j>0$ and $\sum r_j=\ell\,(1+o(1))$. So $\|\dot W\|_F\ge\langle-\nabla L,W_F\rangle/\|W_F\|_F\ge(m_F-o(1))\,\ell$, and $-\frac d{dt}\ln\ell=\|\dot W\|_F^2/\ell\ge(m_F-o(1))\,\|\dot W\|_F$. As $\int\|\dot W\|_F\,dt\ge\|W\|_F-\|W(0)\|_F\to\infty$, it follows that $\ln\frac1\ell\ge(m_F-o(1))\,\|W\|_F$. Each lead is at least $\ln\frac1\ell+\ln c_j-o(1)$. So the least lead over $\|W\|_F$ tends to $m_F$, and one direction alone has this margin.
# ````
#
# ```{prf:proposition} What a limit must be
# :label: proposition-attention-flow
#
# Let $\dot W=-\nabla L$ and $W(t)=V\ln t+\rho+o(1)$ with $\langle\delta_j,V\rangle>0$ for all $j$. Then $V=W_F=\sum a_j\delta_j$ with multipliers $a_j=c_je^{-\langle\delta_j,\rho\rangle}$ where $\langle\delta_j,V\rangle=1$, and $a_j=0$ elsewhere. So where $\langle\delta_j,V\rangle=1$, $\langle\delta_j,W(t)\rangle-\ln t\to\ln(c_j/a_j)$. The hypothesis excludes tight constraints with multiplier 0, because there $a_j>0$.
# ```
#
# ````{prf:proposition} The nuclear margin at each decay
# :label: proposition-attention-bound
#
# Let some $W$ select the right tokens, and let $m_*=1/\|W_*\|_*$ be the largest nuclear margin. All minimizers of the convex function $\|W\|_*+\sum\frac{c_j}\lambda e^{-\langle\delta_j,W\rangle}$ have the same leads and the same norm. If $\lambda<m_*\min c_j$, each of them obeys
#
# ```{math}
# :label: attention-margin
# \begin{aligned}
# &\frac{\min_j\langle\delta_j,W\rangle}{m_*\|W\|_*}\\
# &\quad\ge\frac{\ln\frac1\lambda+\ln(m_*\min c_j)}{\ln\frac1\lambda+\ln(m_*\sum c_j)+1}.
# \end{aligned}
# ```
#
# $W_\lambda$ of {prf:ref}`proposition-attention-decay` is itself such a minimizer with $c_j(1+O(\lambda))$ in place of $c_j$, and obeys the bound with these factors.
# ````
#
# ```{prf:proposition} A start that loses no token
# :label: proposition-attention-start
#
# Let the right tokens have the score 1, all others 0, let some $W$ select the right tokens, and $\theta=\ln(1+e^{-1/2})-\ln(1+e^{-1})$. The set $\mathcal C$ of all $W$ with all $s_{i1}\ge\frac12$ is convex, and $L$ is convex on it. It contains all $W$ with $L(W)<\inf L+\theta/n$. From such a $W$ the flow of $L$ never leaves $\mathcal C$, and all leads $\langle\delta_{it},W\rangle$ tend to infinity.
#
# Let $F=L(KQ^\top)+\frac\lambda2(\|K\|_F^2+\|Q\|_F^2)$. If $F<\inf L+\theta/n$ at the start, the flow of keys and queries with decay never leaves $\mathcal C$ either, and the minimum over all $K,Q$ lies in it.
# ```
#
# With decay and a start in $\mathcal C$ the threshold $\inf L+\theta/n$ may be raised by $\lambda\min_iJ_i$. Here $J_i$ is the least of $\|W\|_*+\frac{\sigma(-1)}{2n\lambda}\sum e^{-\langle\delta_{lt},W\rangle}$ over all $W$, with the logistic function $\sigma$, where the sum leaves out sentence $i$.
#
# ````{prf:proof}
# :class: dropdown
#
# *Of {prf:ref}`proposition-attention-flow`.* Since $\sum_ts_{it}(\gamma_{it}-o_i)=0$ for $o_i=\sum_ts_{it}\gamma_{it}$, $-\nabla L=\sum r_j\delta_j$ with $r_{it}=\sigma(-o_i)s_{it}(o_i-\gamma_{it})/n$. All leads tend to infinity, so $r_j=c_je^{-\langle\delta_j,W\rangle}(1+o(1))$ and $t\,r_j=c_jt^{1-\langle\delta_j,V\rangle}e^{-\langle\delta_j,\rho\rangle}(1+o(1))$. Let $\nu$ be the least of the $\langle\delta_j,V\rangle>0$. If $\nu<1$ then $\langle V,t\dot W\rangle=\sum t\,r_j\langle\delta_j,V\rangle$ grows like a power of $t$, and $\langle V,W\rangle$ faster than $\ln t$. If $\nu>1$ then $t\dot W\to0$ and $W/\ln t\to0$. Neither is the case, so $\nu=1$, and $t\dot W=dW/d\ln t$ tends to $\sum a_j\delta_j$ with the $a_j$ of the proposition. Then $W/\ln t$ tends to the same, so $V=\sum a_j\delta_j$. With $a_j\ge0$, and zero where $\langle\delta_j,V\rangle>1$, these are the conditions of optimality of {eq}`attention-svm` in the Frobenius norm, which has one solution.
#
# *Of {prf:ref}`proposition-attention-start`.* $s_{i1}=\sigma(u_i)$ with $u_i=-\ln\sum_{t\ge2}e^{-\langle\delta_{it},W\rangle}$, which is concave in $W$. So $\mathcal C$, where all $u_i\ge0$, is convex. There $\sigma$ is concave and increasing, so $s_{i1}$ is concave, and $\ln(1+e^{-s})$ is convex and decreasing in $s$. So $L$ is convex. If some $s_{i1}\le\frac12$, this sentence alone adds $\theta/n$ to $\inf L=\ln(1+e^{-1})$. $L$ falls along the flow, and with decay the whole objective does, which is at least $L$. Its minimum is below the start's value. Where the flow first left $\mathcal C$, some $s_{i1}=\frac12$, and for the other sentences $y=e^{-u_l}\le1$, so that each adds at least $\frac{\sigma(-1)}n(1-s_{l1})=\frac{\sigma(-1)}n\frac y{1+y}\ge\frac{\sigma(-1)}{2n}y$. With $\lambda\|W\|_*$ they cost at least $\lambda J_i$ there. Without decay, $r_{it}=\sigma(-s_{i1})s_{it}s_{i1}/n\ge\frac1{2n}\sigma(-1)s_{it}$ in $\mathcal C$, so $\sum r_j\ge c\,(L-\inf L)$ with some $c>0$. As $\|\nabla L\|_F\|W_F\|_F\ge\langle-\nabla L,W_F\rangle\ge\sum r_j$, $\dot L=-\|\nabla L\|_F^2\le-c'(L-\inf L)^2$, so $L-\inf L$ is at most a constant over $t$, and all $s_{it}$ with $t\ge2$ tend to zero.
#
# *Of {prf:ref}`proposition-attention-decay`.* Among all $K,Q$ with $KQ^\top=W$ and as many columns as the rank of $W$ or more, the least $\frac12(\|K\|_F^2+\|Q\|_F^2)$ is $\|W\|_*$. Let $P$ be the projection on the span of the queries. $L(WP)=L(W)$ and $\|WP\|_*\le\|W\|_*$, so $n$ columns suffice. For the limit, let $C$ stand for constants. $0\le L(W)-\inf L\le C\sum e^{-\langle\delta_j,W\rangle}$, so at $W=\ln\frac1\lambda\,W_*$ the objective is at most $\inf L+C\lambda+\lambda\ln\frac1\lambda\|W_*\|_*$. Hence $\|W_\lambda\|_*\le\ln\frac1\lambda\|W_*\|_*+C$ and $L(W_\lambda)-\inf L\le C\lambda\ln\frac1\lambda$ for small $\lambda$. The loss is convex in $o_i$, and $\gamma_{i1}-o_i$ is at least a constant times $\sum_{t\ge2}s_{it}$. So this sum is at most $C\lambda\ln\frac1\lambda$, then $s_{i1}\ge\frac12$, $s_{it}\ge\frac12e^{-\langle\delta_{it},W_\lambda\rangle}$, and all leads are at least $\ln\frac1\lambda-\ln\ln\frac1\lambda-C$. Over $\ln\frac1\lambda$, $W_\lambda$ is admissible up to what vanishes, and its norm exceeds the least by what vanishes. So all its limit points are solutions.
#
# *Up to $O(\lambda)$.* $W_\lambda$ fulfils $\sum\frac{r_j}\lambda\delta_j\in\partial\|W_\lambda\|_*$ with $r_j=c_je^{-\langle\delta_j,W_\lambda\rangle}(1+O(\epsilon_i))$ for $\epsilon_i=\sum_te^{-\langle\delta_{it},W_\lambda\rangle}$, positive for small $\lambda$. As in the bound, $\sum r_j/\lambda\le1/m_*$. So all $e^{-\langle\delta_j,W_\lambda\rangle}$ are $O(\lambda)$, and $W_\lambda$ minimizes the convex function with $c_j(1+O(\lambda))$ in place of $c_j$. A convex combination of two minimizers with different leads would be better than both, since the exponentials are strictly convex in the leads. So all share their leads, and with them the norm.
#
# *The bound.* Let $W$ minimize the convex function, and $a_j=\frac{c_j}\lambda e^{-\langle\delta_j,W\rangle}$. Then $M=\sum a_j\delta_j$ has $\|M\|\le1$, so $\sum a_j\le\sum a_j\langle\delta_j,W_*\rangle=\langle M,W_*\rangle\le1/m_*$. Hence $a_j\le1/m_*$, and $\langle\delta_j,W\rangle=\ln\frac{c_j}{\lambda a_j}\ge\ln\frac1\lambda+\ln(m_*c_j)$. On the other side $\|W\|_*$ is at most the function at $bW_*$ for any $b\ge0$, so at most $b/m_*+\frac1\lambda e^{-b}\sum c_j$. Take $b=\ln\frac1\lambda+\ln(m_*\sum c_j)$, which is positive for $\lambda<m_*\min c_j$. Then all leads are positive, $W\ne0$, and the two bounds may be divided.
# ````
#
# **What is left of the loss itself.** At the minimizer $e^{-\langle\delta_j,W\rangle}=\lambda a_j/c_j$. With $\epsilon_i=\sum_te^{-\langle\delta_{it},W\rangle}$ and scores 1 and 0 the exact $r_j$ is $c_je^{-\langle\delta_j,W\rangle}$ times $1-(1+\sigma(-1))\epsilon_i$ to first order. This moves $\ln c_j$ by $h_j=-(1+\sigma(-1))\epsilon_i$, and the leads by $x_j$. Since subgradients of a convex function are monotone, $\sum a_jx_j^2\le\sum a_jh_j^2$ to first order. The norm moves by $\sum a_jx_j$, so by at most $(1+\sigma(-1))\max\epsilon_i\sum a_j$, and $\sum a_j\le1/m_*$. A single lead can move by more. For the entries of $W$ we minimize the convex function a second time, with $c_je^{h_j}$ to first order in place of $c_j$. What this changes is the error that we allow for.
#
# **The bound has room.** On the three sets it is {glue:text}`attention_svm_weak_b` at $\lambda=$ {glue:text}`attention_svm_lambda`, against margins of {glue:text}`attention_svm_weak_p`, and {glue:text}`attention_svm_nuclear_b` at $\lambda=e^{-60}$, against {glue:text}`attention_svm_nuclear_p`. What is compared with training is the nuclear margin of the minimizer itself.
#
# **Which selections stay?** Locally optimal ones, from a large enough start along their SVM.
#
# ````{prf:proposition} A selection that stays
# :label: proposition-attention-stays
#
# Let $W_\alpha=\sum a_j\delta_j$ be the Frobenius SVM solution of a locally optimal $\alpha$ with neighbours $N$. Here $\delta_{it}=(x_{i\alpha_i}-x_{it})z_i^\top$, and with the logistic function $\sigma$ let $c_{it}=\sigma(-\gamma_{i\alpha_i})(\gamma_{i\alpha_i}-\gamma_{it})/n$. Let $\ell_j=\langle\delta_j,W_\alpha\rangle$ be one in $N$ only, the $\delta_j$ in $N$ be linearly independent, and $u^*$ be in their span with $\langle\delta_j,u^*\rangle=\ln(c_j/a_j)$ there. Let $G_i$ be the range of the scores of sentence $i$, and $m_j=\|\delta_j\|_F(\|u^*\|_F+1)-\langle\delta_j,u^*\rangle$. If $R\ge\max m_j$ and
#
# ```{math}
# :label: attention-stays
# \begin{aligned}
# &\sum_{(i,t)\in N}\sum_{t'}\frac{G_i(2+\frac14G_i)\|\delta_{it}\|_F}{n\,\ell_{it'}}\,e^{m_{it}+m_{it'}-R\ell_{it'}}\\
# &\quad+\sum_{(i,t)\notin N}\frac{G_i\|\delta_{it}\|_F}{n\,(\ell_{it}-1)}\,e^{m_{it}-R(\ell_{it}-1)}\le1,
# \end{aligned}
# ```
#
# then along the flow from $R\,W_\alpha$ the tokens of $\alpha$ lead for ever, all leads tend to infinity, and $W-\ln t\,W_\alpha$ stays bounded as $t\to\infty$.
# ````
# ````{prf:proof}
# :class: dropdown
#
# As in the proof of {prf:ref}`proposition-attention-flow`, $-\nabla L=\sum r_j\delta_j$ with $r_{it}=\sigma(-o_i)s_{it}(o_i-\gamma_{it})/n$ and $o_i=\sum_ts_{it}\gamma_{it}$. Let $\tau=R+s=\ln(t+e^R)$ and $W=\tau W_\alpha+u$, so that $u=0$ at $s=0$ and $\frac{du}{ds}=-W_\alpha+e^\tau\sum r_j\delta_j$. Were $e^\tau r_j=c_je^{-\langle\delta_j,u\rangle}$ in $N$ and 0 elsewhere, this would be the gradient flow of $\langle W_\alpha,u\rangle+\sum_Nc_je^{-\langle\delta_j,u\rangle}$. This function is convex, because all $c_j>0$ in $N$, and least at $u^*$. So $\rho=\|u-u^*\|_F$ grows at most as fast as the norm of what we left out. While $\rho\le\|u^*\|_F+1$, all $\langle\delta_j,u\rangle\ge-m_j$, and each lead is at least $\tau\ell_j-m_j>0$. Let $E_i=\sum_{t'}e^{m_{it'}-\tau\ell_{it'}}$. Then $o_i$ misses the score of $\alpha_i$ by at most $G_iE_i$, and $\sigma(-o)(o-\gamma)$ has a slope of at most $1+\frac14G_i$ in $o$, so $n\,|e^{\langle\delta_j,W\rangle}r_j-c_j|\le G_i(2+\frac14G_i)E_i$. Outside of $N$ we use $n\,|r_j|\le G_ie^{-\langle\delta_j,W\rangle}$. Integrated over $s$ this is the sum of the proposition, so $\rho$ stays below $\|u^*\|_F+1$. $\square$
# ````
#
# We take the least $R\ge\max m_j$ with which each of the summands of {eq}`attention-stays` is at most one over their number. A token outside $N$, of better or worse score, that is nearly a neighbour makes it large.
#
# ## How fast
#
# If $W=V\ln t+\rho+o(1)$, as {prf:ref}`proposition-attention-flow` supposes, the angle of $W$ to $W_F$ falls like a constant over $\ln t$. On the Gaussian set $\ln t$ times the distance of the directions is {glue:text}`attention_svm_constant` at $\ln t=20$, at a third of the run and at its end. So at $\ln t=20$, about as far as descent with a fixed step gets, the distance is still {glue:text}`attention_svm_early` (hollow dots in {numref}`figure-attention`). The constant is not predicted: off the span of the support $\rho$ remembers the whole run. Between two late times the growth of $W$ per unit of $\ln t$ misses $W_F$ by $t^{-r}$ only, with the exponent $r$ of the linear classifier of the $\delta_j$, so we run to $\ln t=\max(1000,40/r)$.
#
# **Without decay** keys and queries come nearer to the nuclear solution more and more slowly. In the smallest case $\lambda=0$ gives $\dot p=3rp$ and $\dot q=rq$, so $q=Cp^{1/3}$ at all times. As $p$ grows like $\frac43\ln t$, $q/p$ falls like $(\ln t)^{-2/3}$. Here $\frac13$ is the second singular value of $M$.
#
# Elsewhere let $w_k$ be the singular values of $W$, and $\mu_k(t)$ those of $M(t)=\sum r_j\delta_j/\|\sum r_j\delta_j\|$, the certificate with the multipliers in force, scaled to $\mu_1=1$. If the factors are balanced and $W$ has the singular vectors of $M(t)$, then $d\ln w_k/d\ln w_1=\mu_k(t)$. So the slope of $\ln(w_2/w_1)$ against $\ln\ln t$ should be $-(1-\mu_2(t))$, by a formal argument. The output above has both for the Gaussian set, with $\mu_2(t)$ in the middle of each decade of $\ln t$, and the two come nearer to each other from decade to decade. The limit of the slope, $-(1-\mu_2)=-${glue:text}`attention_svm_second` with $\mu_2$ of $M$ itself, is far off still, we think because the multipliers in force tend to those of $W_*$ only as fast as $w_2/w_1$ falls. This is a finding, not a claim.
#
# {cite:t}`tarzanagh2023svm` run keys and queries with a tiny decay, and {cite:t}`sheen2024` prove that the flow on the exponential loss minimizes the nuclear norm where it reaches the infimum of the loss, for diagonal or aligned weights (we read the abstract).
#
# ## Instruments
#
# Each claim with its allowed error and its control. A {term}`claim` must hold within its allowed error, and its {term}`control` must not.
#
# ```{claim} matrix
# :headline: growth of W per unit of ln t, three data sets
# :evidence: trained and compared
# :because: the integrator's relative tolerance
# :contrast: keys and queries with decay, as long as W_F
#
# trained as one matrix, attention grows along the SVM solution of least Frobenius norm
# ```
#
# ```{claim} decay
# :headline: keys times queries with weight decay, three data sets
# :evidence: trained and compared
# :because: the first order in λ that the exponential leaves out, and the integrator's relative tolerance
# :contrast: one matrix, as long in the nuclear norm
#
# keys and queries with small decay end at the minimizer of a convex function
# ```
#
# ```{claim} nuclear
# :headline: nuclear margin of keys and queries over the largest, three data sets
# :evidence: trained and compared
# :because: the integrator's relative tolerance
# :contrast: one matrix
#
# with tiny decay the nuclear margin is that of the minimizer of the convex function
# ```
#
# ```{claim} local
# :headline: which selections stay selected
# :evidence: trained and compared
# :because: it either stays or it does not
# :contrast: the rival theory that only the right tokens stay
# :source: staying also by Ataee Tarzanagh et al. 2023 (Transformers as SVMs, recalled), leaving expected
#
# a selection stays if its tokens beat their neighbours, from the multiple of its SVM that the proposition asks for, and is left otherwise, from 20 times its SVM
# ```
#
# ```{claim} offsets
# :evidence: trained and compared
# :because: how far the leads less ln t at a third and at a half of the run, in ln t, are from those at its end
# :contrast: the multipliers of the nuclear norm in place of those of the Frobenius norm
#
# leads of the support less ln t tend to the logarithms of the factors over the multipliers
# ```
#
# ```{claim} lost
# :evidence: trained and compared
# :because: the integrator's relative tolerance
# :contrast: the growth that the attention SVM asks for
#
# from zero the five sentences in the plane lose a token, and W grows along (1, 0)
# ```
#
# ```{claim} frozen
# :evidence: trained and compared
# :because: the integrator's relative tolerance
# :contrast: both factors in one matrix
#
# with random keys that are frozen, queries find a Frobenius SVM of their own
# ```

# %% tags=["hide-input"]
def joined(parts):
    """One row of numbers of all sets."""
    return np.concatenate([np.ravel(part) for part in parts])


told_f = joined(one.w for one in frobenius.values())
as_long = joined(strong[name] * np.linalg.norm(frobenius[name].w) / np.linalg.norm(strong[name]) for name in sets)
claims.limit("matrix", told_f, joined(grown.values()), error=RTOL * np.abs(told_f).max(), control=as_long)  # tolerance: the integrator's own
told_d = joined(end.w for end in ends.values())
missed = {name: np.sum((end.multipliers * decay / token_pulls(sets[name][2])).reshape(n, -1), axis=1, keepdims=True) for name, end in ends.items()}
derived_next = joined(  # c_j less the first order that the exponential leaves out
    attention_decay(x, z, np.maximum(scores, (2 - 1 / (1 + np.exp(-1))) * missed[name]), np.log(decay)).w for name, (x, z, scores) in sets.items())
derived_decay = np.linalg.norm(derived_next - told_d) + RTOL * np.abs(told_d).max()
as_nuclear = {name: grown[name] * values(ends[name].w).sum() / values(grown[name]).sum() for name in sets}
claims.limit("decay", told_d, joined(weak.values()), error=derived_decay, control=joined(as_nuclear.values()))
pulls = {name: token_pulls(scores) for name, (_, _, scores) in sets.items()}
bound = [[(size + np.log(nuclear[name].margin * pulls[name].min())) / (size + np.log(nuclear[name].margin * pulls[name].sum()) + 1) for name in sets] for size in (-np.log(decay), STRONG)]
tiny = {name: attention_decay(x, z, scores, -STRONG).w for name, (x, z, scores) in sets.items()}
told_near, near, far, told_weak, near_weak = (np.array([placed(name, w[name]) for name in sets]) for w in (tiny, strong, grown, {name: end.w for name, end in ends.items()}, weak))
claims.limit("nuclear", told_near, near, error=RTOL, control=far)  # tolerance: the integrator's own
claims.identity("local", optimal.astype(float), stayed.astype(float), proved=0, control=top.astype(float))
limits_of = {name: frobenius[name].offsets(pulls[name]) for name in sets}
others_of = {name: nuclear[name].offsets(pulls[name]) for name in sets}
support = {name: np.isfinite(limits_of[name]) for name in sets}
others_of = {name: np.where(np.isfinite(others_of[name]), others_of[name], limits_of[name]) for name in sets}  # where both have one
settled = {name: offsets[name][:, support[name]] for name in sets}
derived_rest = max(np.abs(one[:-1] - one[-1]).max() for one in settled.values())  # at end/3 the flow itself misses at most about e^{−13}, at end/2 e^{−20}
claims.limit(
    "offsets", joined(limits_of[name][support[name]] for name in sets), joined(one[-1] for one in settled.values()),
    error=derived_rest, control=joined(others_of[name][support[name]] for name in sets))
claims.limit("lost", np.array([1.0, 0.0]), lost, error=RTOL, control=np.array([1.0, 5.0]))  # tolerance: the integrator's own
claims.limit("frozen", joined(own.values()), joined(frozen.values()), error=RTOL * np.abs(joined(own.values())).max(), control=joined(grown.values()))  # tolerance: the integrator's own


def listed(numbers, form=".3f"):
    """Numbers as the prose writes them."""
    *first, last = (format(abs(one), form) for one in np.ravel(numbers))
    return ", ".join(first) + " and " + last


share = {key: values(w)[1:4] / values(w)[0] for key, w in (("F", frobenius[shown].w), ("m", grown[shown]), ("e", early[shown]), ("*", nuclear[shown].w))}
rank_m, *ranks_m = (int(np.sum(values(w) > RTOL * values(w)[0])) for w in (grown[shown], *weak.values()))
ranks = [int(np.sum(values(one.dual) > 1 - 1e-8)) for one in nuclear.values()]
glue_all("attention_svm", n=n, rank=ranks_m[0], rank_m=rank_m, second=f"{1 - values(nuclear[shown].dual)[1]:.3f}", local_rival=int(np.sum(stayed != top)),
         matrix_p=listed(share["F"]), matrix_m=listed(share["m"]), matrix_e=listed(share["e"]), matrix_c=listed(share["*"]),
         **{"lambda": "10" + f"{np.log10(decay):g}".translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))}, decay_p=listed(values(ends[shown].w)[:3], ".4f"), decay_m=listed(values(weak[shown])[:3], ".4f"),
         decay_c=listed(values(as_nuclear[shown])[:3], ".4f"), nuclear_p=listed(told_near), nuclear_b=listed(bound[1]), nuclear_m=listed(near), nuclear_c=listed(far),
         local_of=len(cases), local_p=int(optimal.sum()), local_m=f"{int(np.sum(stayed & optimal))}, others {int(np.sum(stayed & ~optimal))}",
         local_c=f"{top.sum()}, wrong on {np.sum(stayed != top)}", constant=listed(constants[shown]), early=f"{apart(early[shown], frobenius[shown].w):.2f}", last=f"{late[-1]:.3f}", remain=listed(remain, "d"),
         ranks=listed(ranks, "d"), ranks_m=listed(ranks_m, "d"), weak_p=listed(told_weak), weak_m=listed(near_weak), weak_b=listed(bound[0]), lost_p="(1, 0)", lost_m=f"({lost[0]:.6f}, {abs(lost[1]):.6f})", decay_off=f"{np.abs(told_d - joined(weak.values())).max():.6f}", decay_allowed=f"{tolerance_of('error', derived_decay):g}")

# %% [markdown]
# ## What would falsify it
#
# A set with equal scores of all wrong tokens, and a start that {prf:ref}`proposition-attention-start` admits, from which $W$ grows along another matrix than $W_F$. (From zero, where {prf:ref}`proposition-attention-start` says nothing, $W$ can grow along another matrix.) A minimizer of the convex function, at a $\lambda$ that the bound admits, whose nuclear margin is below it. Minimizers over keys and queries for $\lambda\to0$ whose margins are below the bound with the factors $c_j(1\pm C\lambda)$, for every constant $C$. A locally optimal selection that is left, on data that {prf:ref}`proposition-attention-stays` admits, from a start as large as it asks.
#
# ## Differences from the paper
#
# - **Read.** The abstracts of *Transformers as Support Vector Machines* {cite:p}`tarzanagh2023svm`, *Max-Margin Token Selection* {cite:p}`tarzanagh2023token`, {cite:t}`sheen2024` and {cite:t}`vasudeva2024`, and the authors' description of their runs. Hypotheses of theorems are recalled.
# - **Changed.** Gradient flow in the logarithm of time in place of normalized steps. The authors train keys and queries by normalized descent with the penalty $\lambda(\|K\|_F^2+\|Q\|_F^2)$ for $\lambda=2.2\cdot10^{-16}$. Our $\lambda$ would be $4.4\cdot10^{-16}$.
# - **Added.** A start from which no token is lost, a set on which one is lost from zero, the limit of the flow of one matrix from such a start, the bound on the nuclear margin at every small $\lambda$, the end at a given $\lambda$, with certificates, and how large a start a locally optimal selection needs.
# - **Not reproduced.** Finite-time rates, the data for which convergence is proved to be global {cite:p}`vasudeva2024`, and the mixtures of tokens that other losses lead to.
#
# ## Scope
#
# - One layer, one head, a fixed classifier, and enough dimensions for every selection tried to be separable. Scores are equal but for the best, except where we ask which selections stay.
# - The ranks of the three nuclear solutions are {glue:text}`attention_svm_ranks`. That they are small is what we find on these sets. The proof gives $n$ at most. If a solution of rank $r$ is the only one, then $r(r+1)/2$ is at most the number of leads that equal one. Were there fewer, $W=USV^\top$ could move to $U(S+H)V^\top$ with a small symmetric $H$ that changes none of them. Since $\|U(S+H)V^\top\|_*=\operatorname{tr}(S+H)$, optimality of $W$ forces $\operatorname{tr}H=0$, so $W$ would not be the only solution.
# - The limits of small decay and of late times are those of flows in the logarithm. Descent with a fixed step gets to $\ln t\approx20$ in any run that we can afford.
# - Which selections stay is tested on sets so small that all selections can be tried.
# - From zero a right token can be lost on a set that some $W$ separates. What is claimed is claimed from the starts of {prf:ref}`proposition-attention-start`.
# - With unequal scores keys and queries can end at another selection than the best. The library refuses equal best scores, a query that is zero, a selection that no $W$ makes, and a decay above 0.01.
#
# ## Exercises
#
# ```{exercise} Another angle
# :label: exercise-attention-warm-up
#
# Repeat the smallest case with the angle 45°. What are $W_F$ and all solutions of least nuclear norm?
# ```
#
# ```{solution} exercise-attention-warm-up
# :class: dropdown
#
# The constraints are $\frac12(p+q)\ge1$ for diagonal matrices. $W_F=\mathrm{diag}(1,1)$. The nuclear norm is 2 for all $p,q\ge0$ with $p+q=2$, so there are solutions of rank one and two. These are all. For any admissible $W$, $\|W\|_*\ge\operatorname{tr}W\ge2$, as the sum of both constraints says. Equality needs $W$ symmetric and positive semidefinite, and then both constraints need $W_{12}=0$. The certificate is $M=\mathrm{diag}(1,1)$, which has two singular values one.
# ```
#
# ```{exercise} The end at a given decay
# :label: exercise-attention-decay
#
# Take the smallest case with $L$ replaced by its exponentials, with $c_\pm=\frac14$. Which $W$ minimizes $\|W\|_*+\sum\frac{c_j}\lambda e^{-\langle\delta_j,W\rangle}$? How far is its nuclear margin from the largest?
# ```
#
# ```{solution} exercise-attention-decay
# :class: dropdown
#
# Try $W=\mathrm{diag}(p,0)$. The best $p$ has $\frac1{2\lambda}e^{-3p/4}\cdot\frac34=1$, so the lead is $\frac34p=\ln\frac1\lambda+\ln\frac38$. Then the pulls add up to the certificate $\mathrm{diag}(1,\frac13)$, which proves that no other $W$ is better. $W$ is a multiple of $W_*$, so its nuclear margin is the largest at every $\lambda<\frac38$. The bound is not sharp here.
# ```
#
# ```{exercise} A larger decay
# :label: exercise-attention-parameter
#
# Rerun the chapter with `decay = 0.0001`. By how much does the end differ from the convex prediction now?
# ```
#
# ```{solution} exercise-attention-parameter
# :class: dropdown
#
# At $\lambda=$ {glue:text}`attention_svm_lambda` the entries of $W$ on the three sets differ by at most {glue:text}`attention_svm_decay_off`, and {glue:text}`attention_svm_decay_allowed` is allowed. At $10^{-4}$ they differ by at most 0.00115, and 0.02 is allowed. What the exponential leaves out is proportional to $\lambda$, so the difference is about 100 times as large. What is allowed also has the integrator's share, which stays.
# ```
#
# ## Where to go next
#
# ```{next}
# {doc}`Optimizers and margins <optimizers_and_margins>` has the same question for a linear classifier, where the norm is that of the optimizer's steps. Here it is that of the parametrization. {doc}`Maximum margin <../linear/max_margin>` has the limit of one linear classifier, with its exponent.
# ```
#
# ## References
#
# The attention SVM is of {cite:t}`tarzanagh2023token`, *Max-Margin Token Selection in Attention Mechanism*, and {cite:t}`tarzanagh2023svm`, *Transformers as Support Vector Machines*. {cite:t}`sheen2024` prove that the flow minimizes the nuclear norm, for diagonal or aligned weights.
