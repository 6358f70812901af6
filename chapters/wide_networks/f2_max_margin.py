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
# # With random hidden weights that stay fixed, training tends, slowly, to the largest margin of a kernel
#
# ```{question}
# ```
#
# Thirty points form four clusters in the plane, labelled like the squares of a chessboard. We draw the hidden weights of a ReLU network at random and keep them. Only the output layer is trained, with the exponential loss. The network is a linear classifier on random features, so training turns it towards the largest {term}`margin` that these features allow. How large is this margin? Each neuron contributes one number to the square of this margin, and the square is nearly their mean. So with more neurons it settles at an expectation, and the margin becomes that of a support vector machine whose kernel is known before any weight is drawn.
#
# And training is slow. With {glue:text}`f2_trained` neurons the margin is {glue:text}`f2_four` short of the largest after 10⁴ steps of size one. Followed on as a flow, it is {glue:text}`f2_eight` short at the time 10⁸ and one percent at {glue:text}`f2_one`.
#
# ```{hero}
# ```
#
# ## The statement
#
# The points $x_i\in\mathbb R^3$, $i=1,\dots,n$, have the constant $1$ as third coordinate and labels $y_i=\pm1$. The network is $f(x)=\frac1m\sum_ja_j(\theta_j\cdot x)_+$. Its hidden weights $\theta_j\sim\mathcal N(0,I_3)$ are independent and stay. The output weights $a_j$ start at zero and follow the {term}`gradient flow` of the mean loss $L$, $\dot a_j=-m\,\partial L/\partial a_j$. So time and step size are those of the weights $u=m^{-1/2}a$, and a step of size one is one of size $m$ in $a$. The norm of $f$ is the size of its output weights, $\|f\|_{\mathcal F_2^{(m)}}=\bigl(\frac1m\sum_ja_j^2\bigr)^{1/2}$. For infinitely many neurons sums become expectations over $\theta\sim\mathcal N(0,I_3)$, and the norm becomes that of the space $\mathcal F_2$ of the *conjugate kernel* $k(x,x')=\mathbb E\,(\theta\cdot x)_+(\theta\cdot x')_+$. Its closed form is known {cite}`cho2009`. There are two limits, first in the time $t$ and then in the width $m$:
#
# $$\begin{gathered}\underbrace{\frac{\min_iy_if_t(x_i)}{\|f_t\|_{\mathcal F_2^{(m)}}}}_{\text{trained network}}\xrightarrow[t\to\infty]{}\underbrace{\gamma_2^{(m)}}_{\text{its features}}\xrightarrow[m\to\infty]{}\underbrace{\gamma_2}_{\text{kernel}},\\\gamma_2=\max_{\|f\|_{\mathcal F_2}\le1}\min_iy_if(x_i).\end{gathered}$$
#
# This is a theorem of {cite:t}`chizat2020` (recalled, {prf:ref}`theorem-f2`). We add how fast. The first relative gap is $C/(\ln t+\bar c)$ to leading order, and the support vectors of the features give both constants. The second scatters from network to network by $s/\sqrt m$ with an $s$ that the kernel gives. Both are known before training.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [gap of the trained network](lag) to the largest margin of its features, times $\ln t$, extrapolated to the limit from times up to {glue:text}`f2_ten`, {glue:text}`f2_trained` neurons | {glue:text}`f2_C` | {glue:text}`f2_C_m` | | squared loss: the gap itself ends at {glue:text}`f2_squared` |
# | [squared margin of the features](width) over that of the kernel, {glue:text}`f2_widest` neurons, mean of {glue:text}`f2_draws` networks | 1 | {glue:text}`f2_width` | directions in a quarter of the sphere: {glue:text}`f2_quarter` | |
# | [scatter of the margin](fluctuation) from network to network over $\gamma_2$, times $\sqrt m$, {glue:text}`f2_draws` networks of each width from {glue:text}`f2_second` on | {glue:text}`f2_s` | {glue:text}`f2_s_m` | hidden weights of uneven lengths, the same kernel: {glue:text}`f2_s_uneven` | |
# ```
#
# By the last row, {glue:text}`f2_trained` neurons have a margin that scatters by {glue:text}`f2_scatter_p` of $\gamma_2$, and we measure {glue:text}`f2_scatter`, which {glue:text}`f2_draws` networks determine to {glue:text}`f2_know`. The tolerance of the row is {glue:text}`f2_scatter_tolerance`, so the claim tests the size of $s$ and not its digits. For a standard deviation of one percent a network needs about {glue:text}`f2_neurons` neurons.
#
# What does a user see? Gradient descent with steps of size one stays close to the flow. After 10⁴ steps, at time 10⁴, the two gaps agree to two digits. Nobody trains until {glue:text}`f2_ten`, where the gap is {glue:text}`f2_last2` by the law and {glue:text}`f2_end2` by the flow. At practical times the gap is large. The law $C/(\ln t+\bar c)$ has a shift $\bar c$, known before training, which is {glue:text}`f2_shift` for the widest of the three. So at $t=e^{-\bar c}\approx$ {glue:text}`f2_onset` it is still infinite, and at 10⁸ it is good to a third:
#
# | neurons | gap after 10⁴ steps | at time 10⁸, predicted | by the flow |
# |---|---|---|---|
# | {glue:text}`f2_m0` | {glue:text}`f2_d0` | {glue:text}`f2_late0` | {glue:text}`f2_eight0` |
# | {glue:text}`f2_m1` | {glue:text}`f2_d1` | {glue:text}`f2_late1` | {glue:text}`f2_eight1` |
# | {glue:text}`f2_m2` | {glue:text}`f2_d2` | {glue:text}`f2_late2` | {glue:text}`f2_eight2` |
#
# The three networks are three draws, so their gaps differ. At a fixed width only time closes these gaps.
#
# **What to remember?** The kernel fixes the largest margin of $m$ random features up to about $s/\sqrt m=$ {glue:text}`f2_s_digit`$/\sqrt m$ of it, and time, not width, is what training lacks.
#
# ## The smallest case
#
# Let two orthogonal unit vectors $x_1,x_2$ have opposite labels. The kernel is $k(x,x)=\frac12$ and $k(x_1,x_2)=\frac1{2\pi}$. By symmetry both points have the weight $p_i=\frac12$, and with $g(\theta)=\frac12\bigl((\theta_1)_+-(\theta_2)_+\bigr)$
#
# $$\gamma_2^2=\mathbb E\,g(\theta)^2=\tfrac14\bigl(\tfrac12+\tfrac12-\tfrac1\pi\bigr)=0.170 .$$
#
# So $\gamma_2=0.413$. For $m$ neurons the mean over the neurons, $\frac1m\sum_jg(\theta_j)^2$, takes the place of the expectation, to leading order. The fourth moment is $\mathbb E\,g^4=\frac1{16}\bigl(3-\frac8\pi+\frac32\bigr)=0.122$, so the relative scatter of the squared margin is $\bigl(\mathbb E\,g^4/\gamma_2^4-1\bigr)^{1/2}/\sqrt m=1.79/\sqrt m$, and that of the margin is half of it, $0.90/\sqrt m$. One percent takes $8{,}000$ neurons, for two points in the plane. And the constant $C$ of the slow training? It comes from unequal multipliers. In the kernel limit the two are equal here, so $C=0$. In a drawn network they are nearly equal, and $C$ is small.
#
# ## Experiment
#
# The clusters of points lie in the plane, and no line separates the labels. For each width many networks are drawn, and the margin of their features is computed, a quadratic program with a {term}`certificate`. One network of each of three widths is trained. The weights never leave the span of the $n$ feature vectors, so the flow needs $n$ numbers only. It runs in $\ln t$, as in {doc}`../linear/max_margin`, and so reaches times that no steps reach. As a check of the flow we also run ten thousand steps of gradient descent of size one. If the limit of a set of features is nearly degenerate (the exponent $r$ of {prf:ref}`proposition-tail` is below $0.02$), the approach is too slow to be seen. The hidden weights of such a network are drawn again (here of {glue:text}`f2_replaced` networks).

# %% tags=["hide-input"]
import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.data import Classification, clusters
from implicit_bias.figures import style
from implicit_bias.flows import GradientDescent, drive, log_time_flow
from implicit_bias.kernels import angles, relu_kernel
from implicit_bias.limits.margin import kernel_margin, margin_deviation, margin_lag
from implicit_bias.losses import margin_loss
from implicit_bias.models.linear import LinearClassifier
from reproduce.claims import Altered, Claims, Rival, refined, rounding
from reproduce.claims.glued import SUPERSCRIPT, glue_all
from reproduce.claims.judge import tolerance_of

claims = Claims("f2_max_margin")

style.use_style()

# %% tags=["parameters"]
n: int = 30  # number of points n, in [8, 60]
clusters_a_side: int = 2  # clusters along each side of the square, in [2, 3]
# because one cluster has one label, and with sixteen the margin is often too small to be certified
widths: list[int] = [100, 400, 1600, 6400]  # numbers m of neurons, increasing, each in [50, 20000]
draws: int = 80  # networks of each width, in [40, 500]
# because the mean over the draws scatters by s/√(m draws)
log_t_end: float = 690.0  # ln t at which the flow ends, in [300, 5000]
seed: int = 0  # seed of the streams of data and hidden weights, in [0, 4294967295]
# where len(widths) >= 3 and widths == sorted(set(widths))
# where n >= clusters_a_side * clusters_a_side
# where widths[-1] >= 4 * widths[0]
# because the bias of the last width is extrapolated from the first
# where draws * widths[-1] >= 10000
# because the mean over the draws scatters by s/√(m draws)
# where widths[1] >= 200
# because the scatter is predicted up to s²/m
# where draws * (len(widths) - 1) >= 60
# because it is measured up to 1/√(2 draws), of all widths but the first

# %% tags=["hide-input"]
data_stream, weight_stream, control_stream = np.random.default_rng(seed).spawn(3)
points = clusters(data_stream, n, clusters_a_side)
x, y = points.x, points.y
SLOW = 0.02
replaced: list[int] = []  # how often the hidden weights of a trained network were drawn again


def features(theta):
    """φ_i = m^{−1/2} (θ_j·x_i)₊, n × m: f(x_i) = φ_i·u for the weights u = m^{−1/2} a."""
    return np.maximum(x @ theta.T, 0) / np.sqrt(len(theta))


def span(phi):
    """An orthonormal basis of a space of at most n dimensions that holds all φ_i, m × n."""
    return np.linalg.svd(phi, full_matrices=False)[2].T


def margin_of(theta):
    """The hard margin of the features of these hidden weights."""
    phi = features(theta)
    return kernel_margin(phi @ phi.T, y)


def bounded(m):
    """Of m random features the margin, the quadratic form of the kernel's weights, and the certificate's residual."""
    phi = features(weight_stream.standard_normal((m, 3)))
    answer = kernel_margin(phi @ phi.T, y)
    return answer.margin, np.sum(np.square((p * y) @ phi)), answer.certificate.worst


def draw(m):
    """Hidden weights of m neurons whose limit is approached in the time that there is."""
    for again in range(1000):
        theta = weight_stream.standard_normal((m, 3))
        if margin_of(theta).decay >= SLOW:
            replaced.append(again)
            return theta
    raise ValueError(f"n is {n}, seed is {seed}; among 1000 networks of {m} neurons every limit is nearly degenerate")


def train(theta, loss, until):
    """Gradient flow of the output layer, recorded at ln t = until: the weights u, one row a time."""
    phi = features(theta)
    basis = span(phi)
    model = LinearClassifier(Classification(phi @ basis, y), margin_loss(loss))
    run = log_time_flow(model, np.zeros(len(basis.T)), log_t_end=float(until[-1]), record=until).demand()
    return run.theta[1:, :-1] @ basis.T


def normalized(u, theta):
    """min_i y_i f(x_i)/‖f‖ for weights u, one row a time."""
    return (y * (u @ features(theta).T)).min(axis=1) / np.linalg.norm(u, axis=1)


# %%
kernel = kernel_margin(relu_kernel(x, x), y)  # predict
s = margin_deviation(x, y)
p = kernel.margin**2 * kernel.alpha  # the kernel's weights of the points
of_features = {m: np.array([bounded(m) for _ in range(draws)]).T for m in widths}
margins = {m: found[0] for m, found in of_features.items()}
practical = np.log([1e4, 1e8])  # ln t that a user knows
# mutant: when states are recorded
log_t = np.sort([*np.geomspace(3, log_t_end / 4, 39), *practical, log_t_end / 2, log_t_end])
trained = {m: draw(m) for m in widths[:3]}
limits = {m: margin_of(theta) for m, theta in trained.items()}
paths = {m: train(theta, "exponential", log_t) for m, theta in trained.items()}  # train
courses = {m: normalized(paths[m], theta) for m, theta in trained.items()}
gaps = {m: 1 - courses[m] / limits[m].margin for m in trained}


def shift(limit):
    """c̄, the mean of c_i = −ln(n α_i) with the weights of the support vectors."""
    return margin_lag(limit) + limit.residuals.min()


for at in np.searchsorted(log_t, [practical[1], log_t_end]):  # compare
    for m, limit in limits.items():
        predicted = margin_lag(limit) / (log_t[at] + shift(limit))
        print(f"t = 10^{log_t[at] / np.log(10):3.0f}, {m:4} neurons: "
              f"gap {predicted:.2e} predicted, {gaps[m][at]:.2e} measured")

# %% [markdown]
# ### What breaks
#
# *No exponential tail.* The flow of the squared loss on the same features, from zero, ends at the least-squares weights of least norm. Least squares treats all points alike, and the gap is {glue:text}`f2_squared_all` for {glue:text}`f2_m0`, {glue:text}`f2_m1` and {glue:text}`f2_m2` neurons.
#
# *Other directions.* If in every neuron the hidden weights of both coordinates are positive, the neurons point in a quarter of the sphere. This is another kernel, and the theorem leads to its margin.
#
# *Other lengths.* All hidden weights of a neuron are multiplied by one log-normal number of mean square one. This leaves the kernel as it is and makes its fluctuation larger.


# %% tags=["hide-input"]
squared = {m: normalized((np.linalg.pinv(features(theta)) @ y)[None], theta)[0] for m, theta in trained.items()}
quarter_drawn, uneven_drawn = [], []
for _ in range(draws):
    theta = control_stream.standard_normal((widths[-1], 3))
    theta[:, :2] = np.abs(theta[:, :2])
    quarter_drawn.append(margin_of(theta).margin)
for m in widths[1:]:
    lengths = [np.exp(control_stream.standard_normal((m, 1)) - 1) for _ in range(draws)]
    uneven_drawn.append([margin_of(one * control_stream.standard_normal((m, 3))).margin for one in lengths])
quarter, uneven = np.array(quarter_drawn), np.array(uneven_drawn)
theta_angles = angles(x, x)
tangent = kernel_margin(relu_kernel(x, x) + (x @ x.T) * (np.pi - theta_angles) / (2 * np.pi), y)


def stepped(theta, count=10000):
    """The gap of gradient descent on the mean loss, with steps of size one, after so many of them."""
    phi = features(theta)
    basis = span(phi)
    model = LinearClassifier(Classification(phi @ basis, y), margin_loss("exponential"))
    end = drive(GradientDescent(model.gradient, 1.0), np.zeros(len(basis.T)), t_end=float(count)).final
    return 1 - model.margins(end).min() / np.linalg.norm(end) / margin_of(theta).margin


descended_gaps = {m: stepped(theta) for m, theta in trained.items()}

# %% mystnb={"figure": {"caption": "Wide networks have the margin of the kernel, and training comes to it as slowly as a logarithm. (a) The margin of the features of random networks over that of the kernel, against the number of neurons. Each blue dot is one network. Dashed: two standard deviations, $1\\pm2s/\\sqrt m$, predicted. Red: hidden weights in a quarter of all directions. (b) The relative gap of a trained network's margin to the largest one of its features, against time, for three widths. Above 100 % a point is misclassified. Dashed: $C/(\\ln t+\\bar c)$, predicted from the features of the widest of the three. Grey: the time $t=e^{-\\bar c}$, where this law begins and is still infinite. Dots: its gaps at the times $10^4$ (where gradient descent agrees to two digits) and $10^8$.", "name": "figure-f2"}, "image": {"alt": "Left: dots in a funnel that narrows around one, with its predicted edges. Right: three curves that fall, in the end along a predicted line, from more than one at time 100 to half a thousandth at time 10 to the 300", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.8, 4.2))
spread = np.exp(np.linspace(-0.12, 0.12, draws))
for m in widths:
    left.plot(m * spread, margins[m] / kernel.margin, "o", color=style.COLORS["blue"], markersize=3, alpha=0.5)
left.plot(widths[-1] * spread, quarter / kernel.margin, "o", color=style.COLORS["red"], markersize=3, alpha=0.5)
wide = np.geomspace(widths[0] / 1.3, widths[-1] * 1.3, 60)
for sign in (1, -1):
    style.theory(left, wide, 1 + sign * 2 * s / np.sqrt(wide))
left.annotate(r"$1\pm2s/\sqrt{m}$, predicted", (widths[0], 1 + 2 * s / np.sqrt(widths[0])), xytext=(12, 4), textcoords="offset points")
left.annotate("a quarter of\nall directions", (widths[-1], quarter.mean() / kernel.margin), xytext=(-14, 0), ha="right", va="center",
              textcoords="offset points", color=style.COLORS["red"])
left.set(xscale="log", xlabel="neurons $m$", ylabel="margin over that of the kernel", title="(a) the margin of random features")
for m, color in zip(trained, ("green", "orange", "blue"), strict=True):
    right.loglog(log_t, gaps[m], color=style.COLORS[color])
law = np.geomspace(6 * np.log(10), log_t_end, 200)
style.theory(right, law, margin_lag(limits[m]) / (law + shift(limits[m])))
right.axvline(-shift(limits[m]), color=style.COLORS["grey"], linewidth=0.8)
right.annotate("the law starts here", (-shift(limits[m]), 2.2), xytext=(4, 0), textcoords="offset points", color=style.COLORS["grey"])
at = np.searchsorted(log_t, practical)
right.plot(log_t[at], gaps[m][at], "o", color=style.COLORS["blue"], markersize=7, zorder=8)
for place in at:
    right.annotate(f"{100 * gaps[m][place]:.0f} %", (log_t[place], gaps[m][place]), xytext=(-7, -3), textcoords="offset points",
                   ha="right", va="top", color=style.COLORS["blue"])
for (one, path), color, when, spot in zip(gaps.items(), ("#00704f", "#a87400", style.COLORS["blue"]), (4.5, 22, 40),
                                          ((18, 8), (16, 20), (-14, -14)), strict=True):
    near = np.searchsorted(log_t, when * np.log(10))
    right.annotate(f"{one:,} neurons", (log_t[near], path[near]), xytext=spot, textcoords="offset points", color=color,
                   ha="right" if spot[0] < 0 else "left", va="center", arrowprops={"arrowstyle": "-", "color": color, "shrinkB": 0})
right.annotate(f"predicted\nfor {m:,}", (law[130], margin_lag(limits[m]) / (law[130] + shift(limits[m]))), xytext=(-12, -26), textcoords="offset points", ha="right", va="center",
               arrowprops={"arrowstyle": "-", "shrinkB": 0})
shown = [ten for ten in (2, 4, 8, 30, 100, 300) if ten * np.log(10) <= 1.01 * log_t_end]
right.set(xlabel=r"time $t$ (linear in $\ln\,\ln t$)", ylabel="gap to the largest margin", title="(b) how slow training is", yticks=[1, 0.1, 0.01, 0.001],
          xticks=np.array(shown) * np.log(10), xticklabels=[f"$10^{{{ten}}}$" for ten in shown],
          yticklabels=["100 %", "10 %", "1 %", "0.1 %"])
right.axhline(1, color=style.COLORS["grey"], linewidth=0.8)
right.annotate("under 100 %: no errors", (log_t[-1], 1), xytext=(0, 3), textcoords="offset points", ha="right")
right.minorticks_off()
plt.show()

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Chizat and Bach 2020, output layer
# :label: theorem-f2
#
# Let the loss be logistic or exponential, let some $f\in\mathcal F_2$ have $\min_iy_if(x_i)>0$, and let $m$ be large enough that the features of $m$ neurons separate the points. Then the gradient flow of their output layer obeys
# $\min_iy_if_t(x_i)/\|f_t\|_{\mathcal F_2^{(m)}}\to\gamma_2^{(m)}=\max_{\|f\|_{\mathcal F_2^{(m)}}\le1}\min_iy_if(x_i)$ over the $f$ with these features. As $m\to\infty$, $\gamma_2^{(m)}\to\gamma_2$ in probability.
# ```
#
# The first half is {prf:ref}`theorem-max-margin` for the points $z_i=y_i\varphi_i$ with the features $\varphi_i=m^{-1/2}(\theta_j\cdot x_i)_+\in\mathbb R^m$ and the weights $u=m^{-1/2}a$, whose length is $\|f\|_{\mathcal F_2^{(m)}}$. The second half is a law of large numbers. By duality the squared margin is the least value of a mean over the neurons, and in the limit the mean becomes the expectation.
#
# ## How fast, exactly
#
# *In time.* Let $\alpha$ be the multipliers of the hard margin of the features, $p_i=\gamma^2\alpha_i$, which sum to one, and $c_i=-\ln(n\alpha_i)$ on the support vectors. If the multipliers are unique and positive on the support, {prf:ref}`proposition-tail` gives the margins at late times. To leading order
#
# ```{math}
# :label: f2-lag
# \begin{gathered}\frac{\gamma(t)}{\gamma_2^{(m)}}=1-\frac{C}{\ln t+\bar c}+O\Bigl(\frac1{\ln^2t}\Bigr),\\\bar c=\sum_ip_ic_i,\qquad C=\bar c-\min_ic_i .\end{gathered}
# ```
#
# The shift $\bar c$ changes nothing in the limit, but much at practical times. Where does it come from? The margins of the support vectors are $\ln t+c_i$ up to a power of $1/t$, so their mean with the weights $p_i$ is $\ln t+\bar c$. The same mean equals $\gamma_2^{(m)}$ times the part of $u$ along the best direction. The least of the margins is $\ln t+\bar c-C$. If the weights had no part across the best direction, the quotient would be exactly $1-C/(\ln t+\bar c)$. The part across does not grow, so it adds to the gap in the order $1/\ln^2t$ only. With a small margin the multipliers are large and $\bar c$ is negative. Then there is a time $e^{-\bar c}$ before which the law says nothing.
#
# *In width.* The paper leaves open how fast.
#
# ````{prf:proposition} The margin of random features
# :label: proposition-f2-clt
#
# Let the $\theta_j$ be independent and standard normal, let $K_{ik}=k(x_i,x_k)$ be positive definite, let $p$ be the weights of its hard margin, the minimizer of $\sum_{ik}p_iy_iK_{ik}y_kp_k$ over the simplex, and $g(\theta)=\sum_ip_iy_i(\theta\cdot x_i)_+$. Then
#
# $$\begin{gathered}\sqrt m\Bigl(\frac{\gamma_2^{(m)}}{\gamma_2}-1\Bigr)\to\mathcal N(0,s^2),\\s^2=\frac14\Bigl(\frac{\mathbb E\,g(\theta)^4}{\gamma_2^4}-1\Bigr),\end{gathered}$$
#
# and $\mathbb E\bigl(\gamma_2^{(m)}\bigr)^2\le\gamma_2^2$ for every $m$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# By duality $(\gamma_2^{(m)})^2=\min_pG_m(p)$ over the simplex, with $G_m(p)=\frac1m\sum_j\bigl(\sum_ip_iy_i(\theta_j\cdot x_i)_+\bigr)^2$, a mean of independent terms of expectation $G(p)=\sum p_iy_iK_{ik}y_kp_k$. A minimum of an average is on average at most the minimum of
# the expectation, which is the last statement. $G$ is strictly convex, so its minimizer $p$ is unique. $\sqrt m(G_m-G)$ converges as a process on the simplex, and by the envelope theorem $\sqrt m(\min G_m-\min G)$ has the limit of $\sqrt m(G_m-G)(p)$, that of a mean of the $g(\theta_j)^2$, which is normal with variance
# $\mathbb E g^4-(\mathbb E g^2)^2$, where $\mathbb E g^2=\gamma_2^2$. Dividing by $2\gamma_2^2$ turns squares into margins. $\square$
# ````

# %% [markdown]
# Here $\gamma_2=$ {glue:text}`f2_gamma` with {glue:text}`f2_support` support vectors, and $s=$ {glue:text}`f2_s`. So a relative standard deviation of one percent takes $(100\,s)^2\approx$ {glue:text}`f2_neurons` neurons.
#
# ## Instruments
#
# Each claim with its allowed error and its contrast or control, then the duality, and that the logistic loss has the same limit and the same gap.
#
# ### The numbers of the table
#
# For $C$ we take $\bigl(1-\gamma(t)/\gamma_2^{(m)}\bigr)\ln t$ at the end and at half of $\ln t$ and remove the next order.
#
# ```{claim} lag
# :headline: constant C of the gap C/ln t of three trained networks
# :evidence: trained and compared
# :because: the order after the one in 1/ln t that is removed, from the same at half of ln t with the value at
#   a quarter
# :contrast: each network held against the constant of the next of the three
#
# the relative gap of the normalized margin decays like C/ln t with the predicted constant
# ```
#
# ```{claim} trained
# :source: Chizat and Bach 2020, Section 5; Soudry et al. 2018, Theorem 3
# :evidence: trained and compared
# :because: the next order in 1/ln t, evaluated with the part of u that does not grow, measured at half of ln
#   t
# :control: the squared loss on the same features
#
# training the output layer, the normalized margin tends to the largest of the features, with the predicted gap
# C/ln t
# ```
#
# ```{claim} width
# :headline: squared margin of the widest networks over the kernel's, mean
# :source: Chizat and Bach 2020, Section 5
# :evidence: float with residual
# :because: one standard error of the mean, 2s/√(m·draws), and the bias, which falls like 1/m, from the least
#   width and the widest
# :contrast: directions in a quarter of the sphere
# :rival: the tangent kernel of both layers
#
# the margin of many random features is that of the kernel
# ```
#
# ```{claim} fluctuation
# :evidence: float with residual
# :because: one standard error of a standard deviation, 1/√(2·draws) for each width, and an estimate of the
#   next order, s²/m at the least of these widths
# :contrast: hidden weights of log-normal lengths, the same kernel
#
# the margins of random networks scatter around the kernel's by s/√m
# ```

# %% tags=["hide-input"]
lags = np.array([margin_lag(limits[m]) for m in trained])
late = np.array([gaps[m] * log_t for m in trained])[:, -3:]  # at a quarter, half, the end
# mutant: the last recorded times all are late
earlier, extrapolated = (2 * late[:, 1:] - late[:, :-1]).T
claims.limit("lag", lags, extrapolated, error=refined(extrapolated, earlier, ratio=2, order=2),
             control=np.roll(extrapolated, 1))
ends = np.array([courses[m][-1] / limits[m].margin for m in trained])
# In x = 1/ln t the prediction is (1 + x min c)/√(1 + 2x Σpc + x²b²), with the length b of what does not grow, u − û ln t,
# over that of û, as measured at half of ln t: this is its coefficient of x².
derived_stray = np.array([np.linalg.norm(paths[m][-2] - features(theta).T @ (y * limits[m].alpha) * log_t[-2])
                          * limits[m].margin for m, theta in trained.items()])
derived_least = np.array([limits[m].residuals.min() for m in trained])
derived_mean = lags + derived_least
derived_second = (3 * derived_mean**2 - derived_stray**2) / 2 - derived_least * derived_mean
claims.limit("trained",  # spoiled: the next order is as large
             1 - lags / log_t_end, ends, error=np.abs(derived_second).max() / log_t_end**2,
             control=[squared[m] / limits[m].margin for m in trained])
# mutant(2): a power of a ratio that is 1 within its error
squares = {m: float(np.mean((margins[m] / kernel.margin) ** 2)) for m in widths}
derived_bias = refined(squares[widths[-1]], squares[widths[0]], ratio=widths[-1] / widths[0], order=1)
claims.limit("width", 1.0,
             # mutant: another of the widths, whose error is within the tolerance
             squares[widths[-1]],
             error=2 * s / np.sqrt(widths[-1] * draws) + derived_bias,
             control=float(np.mean((quarter / kernel.margin) ** 2)),
             rival=Rival((tangent.margin / kernel.margin) ** 2, factor=3))
# mutant(1): one width fewer, or one degree of freedom
scatter = np.array([np.std(margins[m], ddof=1) / kernel.margin * np.sqrt(m) for m in widths[1:]])
scatter_uneven = np.std(uneven, axis=1, ddof=1) / kernel.margin * np.sqrt(widths[1:])
derived_scatter = 1 / np.sqrt(2 * draws * len(scatter)) + s**2 / widths[1]
claims.limit("fluctuation", s,
             # mutant: a power of a ratio that is 1 within its error
             float(np.sqrt(np.mean(scatter**2))), error=derived_scatter, relative=True, control=float(np.sqrt(np.mean(scatter_uneven**2))))

# %% [markdown]
# ### Duality
#
# By duality the squared margin of a kernel is also $\min_p$ of a quadratic form of weights $p$ of the points. So the form of the kernel's weights, with the features of a network, bounds the squared margin of these features. On average over networks it is the squared margin of the kernel.
#
# ```{claim} duality
# :evidence: float with residual
# :because: the residual of the program's certificate, and the rounding of sums over the points
# :control: uniform weights
#
# the squared margin is the quadratic form of its weights, which sum to one
# ```
#
# ```{claim} below
# :evidence: proved here
# :because: the residual of the programs' certificates, and the rounding of sums over the neurons
# :control: the form of another network
#
# the squared margin of the features of each network is at most the form of the kernel's weights
# ```

# %% tags=["hide-input"]
form = float((p * y) @ relu_kernel(x, x) @ (p * y))
claims.identity("duality", [kernel.margin**2, 1.0], [form, float(p.sum())],
                error=kernel.certificate.worst + rounding(n),
                control=Altered([float(y @ relu_kernel(x, x) @ y) / n**2, 1.0]))

of_all = np.concatenate(list(of_features.values()), axis=1)
squared_margins, forms, derived_worst = of_all[0] ** 2, of_all[1], of_all[2].max()
claims.below("below", 1.0, squared_margins / forms, error=derived_worst + rounding(widths[-1]),
             control=Altered(squared_margins / np.roll(forms, 1)))

# %% [markdown]
# ### The logistic loss
#
# It has the same tail.
#
# ```{claim} logistic
# :evidence: trained and compared
# :because: the next order in 1/ln t, as for the exponential loss; the two losses differ by e^(−m) where the
#   margins m are large
# :control: the squared loss on the same features
#
# the logistic loss has the same limit and the same gap C/ln t
# ```

# %% tags=["hide-input"]
logistic = np.array([normalized(train(theta, "logistic", log_t[-1:]), theta)[-1] for theta in trained.values()])
claims.limit("logistic",  # spoiled: the next order is as large
             1 - lags / log_t_end, logistic / [limits[m].margin for m in trained],
             error=np.abs(derived_second).max() / log_t_end**2,
             control=[squared[m] / limits[m].margin for m in trained])


def percent(part, digits=0):
    return f"{100 * part:.{digits}f} %"


end_time = "10" + f"{log_t_end / np.log(10):.0f}".translate(SUPERSCRIPT)
one_percent = "10" + f"{np.interp(-0.01, -gaps[widths[2]], log_t) / np.log(10):.0f}".translate(SUPERSCRIPT)  # when the gap is one percent
for place, m in enumerate(trained):
    c = shift(limits[m])
    glue_all("f2", **{f"m{place}": f"{m:,}", f"d{place}": percent(descended_gaps[m], 1), f"eight{place}": percent(gaps[m][at[1]], 1),
                      f"late{place}": percent(lags[place] / (practical[1] + c), 1),
                      f"last{place}": percent(lags[place] / (log_t_end + c), 3), f"end{place}": percent(gaps[m][-1], 3)})
glue_all("f2", trained=f"{m:,}", four=percent(descended_gaps[m]), eight=percent(gaps[m][at[1]]),
         ten=end_time, C=f"{lags[-1]:.4f}", C_m=f"{extrapolated[-1]:.4f}", squared=percent(1 - squared[m] / limits[m].margin), squared_all=", ".join(percent(1 - squared[one] / limits[one].margin) for one in trained),
         widest=f"{widths[-1]:,}", draws=str(draws), width=f"{squares[widths[-1]]:.3f}",
         second=f"{widths[1]:,}", s_m=f"{np.sqrt(np.mean(scatter**2)):.3f}", s_uneven=f"{np.sqrt(np.mean(scatter_uneven**2)):.2f}", quarter=f"{np.mean((quarter / kernel.margin) ** 2):.2f}",
         shift=f"{c:.1f}".replace("-", "−"), onset=f"{np.exp(-c):,.0f}", scatter=percent(np.std(margins[m], ddof=1) / kernel.margin, 1), scatter_p=percent(s / np.sqrt(m), 1),
         gamma=f"{kernel.margin:.4f}", support=str(kernel.support.size), s=f"{s:.3f}", s_digit=f"{s:.1f}", scatter_tolerance=percent(tolerance_of("error", derived_scatter)), neurons=f"{float(f'{(100 * s) ** 2:.2g}'):,.0f}", replaced=str(sum(replaced)),
         know=percent(1 / np.sqrt(2 * draws - 2)), one=one_percent)

# %% [markdown]
# ## What would falsify it
#
# A network whose normalized margin ends elsewhere than at that of its features, or whose gap decays with another constant. A scatter of the margins that does not fall like $s/\sqrt m$. A mean that stays off the margin of the kernel.
#
# ## Differences from the paper
#
# - **Added.** The speed in $m$ with its constant ({prf:ref}`proposition-f2-clt`) and the constant $C$ of the gap in $t$ are not in the paper.
# - **Changed.** The paper trains by steps that grow. The flow in $\ln t$ has the same limit and reaches it. The hidden weights are normal here, uniform on a sphere there. For a homogeneous activation this changes the kernel by a factor, and $s$ by the spread of the lengths.
# - **Changed.** A set of features whose limit is nearly degenerate is drawn again before it is trained (here {glue:text}`f2_replaced` of the draws for the three trained networks). The scatter and the mean use all draws.
#
# ## Scope
#
# - Points in the plane, one data set, ReLU. $s$ and $C$ belong to these points and labels. For others they are computed anew, and the neurons needed grow like $s^2$.
# - All late times are of the flow. Of gradient descent we measure $10^4$ steps. Its limit is the subject of {doc}`../linear/max_margin`.
# - $C/(\ln t+\bar c)$ is a law for late times. It says nothing before $t=e^{-\bar c}$.
# - Nothing is said of the test error. {doc}`generalization` measures it.
#
# ## Exercises
#
# ````{exercise} Waiting
# :label: exercise-f2-warm-up
#
# A gap is $0.3/(\ln t+\bar c)$. At which time $t$ is it one percent for $\bar c=0$, and at which for $\bar c=-9.7$?
# ````
#
# ````{solution} exercise-f2-warm-up
# :class: dropdown
#
# One percent needs $\ln t+\bar c=30$. For $\bar c=0$ this is $t=e^{30}=1.1\cdot10^{13}$, and for $\bar c=-9.7$ it is $t=e^{39.7}=1.7\cdot10^{17}$. The widest trained network has about these constants, and its flow takes until {glue:text}`f2_one`, because the next order is still felt there.
# ````
#
# ````{exercise} Lengths
# :label: exercise-f2-lengths
#
# Let all hidden weights have the length $\sqrt3$ instead of normal lengths. What becomes of $\gamma_2$ and of $s$?
# ````
#
# ````{solution} exercise-f2-lengths
# :class: dropdown
#
# $\mathbb E\|\theta\|^2=3$ as before, so the kernel and $\gamma_2$ stay. $\mathbb E\|\theta\|^4=9$ instead of $15$, so $4s^2+1$ falls by the factor $\frac35$.
# ````
#
# ````{exercise} Too few neurons
# :label: exercise-f2-few
#
# With $m<n$ neurons the features may not separate the points. What does the flow of the logistic loss then converge to?
# ````
#
# ````{solution} exercise-f2-few
# :class: dropdown
#
# If no weights separate the points even weakly, the loss is strictly convex on the span of the features and has a minimizer. The flow ends there, at finite weights, and no margin is maximized.
# ````
#
# ````{exercise} Fewer neurons
# :label: exercise-f2-quarter
#
# Rerun the chapter with `widths = [50, 200, 800, 3200]`, half of the default. What do you expect of the funnel in {numref}`figure-f2`, of $s$ and of the gaps after $10^4$ steps?
# ````
#
# ````{solution} exercise-f2-quarter
# :class: dropdown
#
# The funnel is the same curve, read at other widths, so each standard deviation grows by $\sqrt2$. $s$ belongs to the kernel and stays. The gaps belong to the features of single networks. They change from draw to draw and stay of the same order, because they are a matter of time.
# ````
#
# ## Where to go next
#
# ```{next}
# {doc}`../linear/max_margin` proves the first limit for every linear classifier. {doc}`f1_max_margin` trains both layers, so that the features move, and {doc}`two_biases` puts the two classifiers side by side.
# ```
#
# ## References
#
# The theorem is Section 5 of {cite:t}`chizat2020`, the tail of the flow {cite:t}`soudry2018`, and the kernel {cite:t}`cho2009`.
