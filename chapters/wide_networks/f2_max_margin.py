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
# # Output layer alone: the maximum margin of a kernel
#
# A wide two-layer ReLU network whose hidden weights stay at their random values is a linear classifier on $m$ random features. Train its output layer
# with the logistic or the exponential loss, and the normalized margin tends to the largest that these features allow, $\gamma_2^{(m)}$; add neurons, and that tends to the margin
# $\gamma_2$ of a support vector machine with a fixed kernel {cite}`chizat2020`. The intuition: the first limit is that of every linear classifier; in the second an average over $m$ draws becomes
# an expectation. So nothing is learned about the features, and a kernel says before training what comes out.
#
# $$\begin{gathered}\frac{\min_iy_if_t(x_i)}{\|f_t\|_{\mathcal F_2^{(m)}}}\xrightarrow[t\to\infty]{}\gamma_2^{(m)}\xrightarrow[m\to\infty]{}\gamma_2,\\\gamma_2=\max_{\|f\|_{\mathcal F_2}\le1}\min_iy_if(x_i)\end{gathered}$$
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# The points $x_i\in\mathbb R^3$ lie in four clusters of the plane, labelled like a chessboard, with a constant $1$ as third coordinate. The network is
# $f(x)=\frac1m\sum_ja_j(\theta_j\cdot x)_+$ with independent $\theta_j\sim\mathcal N(0,I_3)$ that stay; the output weights $a_j$ follow the {term}`gradient flow` of the mean loss from $0$. Its norm is
# $\|f\|_{\mathcal F_2^{(m)}}=\bigl(\frac1m\sum_ja_j^2\bigr)^{1/2}$.
#
# In the limit of many neurons $f(x)=\int g(\theta)\,(\theta\cdot x)_+\,d\tau(\theta)$ with $\tau=\mathcal N(0,I)$ and $\|f\|_{\mathcal F_2}$ is the least $\|g\|_{L^2(\tau)}$ that gives $f$: the functions of this kind are the space of the *conjugate kernel*
# $k(x,x')=\int(\theta\cdot x)_+(\theta\cdot x')_+\,d\tau(\theta)$, known in closed form {cite}`cho2009`.

# %% tags=["hide-input"]
import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.activations import LeakyReLU
from implicit_bias.data import Classification, clusters
from implicit_bias.figures import style
from implicit_bias.flows import GradientDescent, drive, log_time_flow
from implicit_bias.kernels import angles, relu_kernel
from implicit_bias.limits.margin import kernel_margin, margin_deviation, margin_lag
from implicit_bias.losses import SmoothMargin, margin_loss
from implicit_bias.models.linear import LinearClassifier
from implicit_bias.models.two_layer import Risk, TwoLayer
from reproduce.claims import Altered, Claims, Rival, refined, rounding
from reproduce.claims.glued import glue_all

claims = Claims("f2_max_margin")

style.use_style()

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Chizat and Bach 2020, output layer
# :label: theorem-f2
#
# Let the loss be logistic or exponential, and let some $f$ of finite norm separate the points. Then gradient flow of the output layer of $m$ neurons, with $m$ large enough that their features separate the points, obeys
# $\min_iy_if_t(x_i)/\|f_t\|_{\mathcal F_2^{(m)}}\to\gamma_2^{(m)}=\max_{\|f\|_{\mathcal F_2^{(m)}}\le1}\min_iy_if(x_i)$ over the $f$ with these features; and $\gamma_2^{(m)}\to\gamma_2$ in probability as $m\to\infty$.
# ```
#
# The first half is {prf:ref}`theorem-max-margin` for the points $z_i=y_i\varphi_i$ with $\varphi_i=m^{-1/2}(\theta_j\cdot x_i)_+\in\mathbb R^m$ and the weights $m^{-1/2}a$, whose length is $\|f\|_{\mathcal F_2^{(m)}}$. It comes with its tail: with the multipliers $\alpha$ of the hard margin, the weights
# $p_i=\gamma^2\alpha_i$, which sum to $1$, and $c_i=-\ln(n\alpha_i)$, {prf:ref}`proposition-tail` and the next order of the quotient say, if the multipliers are unique and positive, in the time of the flow of these weights (in $a$ itself it runs $m$ times slower)
#
# ```{math}
# :label: f2-lag
# \begin{gathered}\frac{\gamma(t)}{\gamma_2^{(m)}}=1-\frac{C}{\ln t}+O\Bigl(\frac1{\ln^2t}\Bigr),\\C=\sum_ip_ic_i-\min_ic_i .\end{gathered}
# ```
#
# The second half has a speed, which the paper leaves open:
#
# ````{prf:proposition} The margin of random features
# :label: proposition-f2-clt
#
# Let $K_{ik}=k(x_i,x_k)$ be positive definite, let $p$ be the weights of its hard margin, the minimizer of $\sum_{ik}p_iy_iK_{ik}y_kp_k$ over the simplex, and $g(\theta)=\sum_ip_iy_i(\theta\cdot x_i)_+$. Then
#
# $$\begin{gathered}\sqrt m\Bigl(\frac{\gamma_2^{(m)}}{\gamma_2}-1\Bigr)\to\mathcal N(0,s^2),\\s^2=\frac14\Bigl(\frac{\mathbb E\,g(\theta)^4}{\gamma_2^4}-1\Bigr),\end{gathered}$$
#
# and $\mathbb E\bigl(\gamma_2^{(m)}\bigr)^2\le\gamma_2^2$ for every $m$.
# ````
#
# ````{prf:proof}
# By duality $(\gamma_2^{(m)})^2=\min_pG_m(p)$ over the simplex, with $G_m(p)=\frac1m\sum_j\bigl(\sum_ip_iy_i(\theta_j\cdot x_i)_+\bigr)^2$, a mean of independent terms of expectation $G(p)=\sum p_iy_iK_{ik}y_kp_k$. A minimum of an average is on average at most the minimum of
# the expectation: the last statement. $G$ is strictly convex, so its minimizer $p$ is unique; $\sqrt m(G_m-G)$ converges as a process on the simplex, and by the envelope theorem $\sqrt m(\min G_m-\min G)$ has the limit of $\sqrt m(G_m-G)(p)$, that of a mean of the $g(\theta_j)^2$: normal with variance
# $\mathbb E g^4-(\mathbb E g^2)^2$, where $\mathbb E g^2=\gamma_2^2$. Dividing by $2\gamma_2^2$ turns squares into margins. $\square$
# ````
#
# In this chapter
#
# | $\gamma_2$ | its support vectors | $s$ | neurons for a standard deviation of $1\,\%$, $(100\,s)^2$ |
# |---|---|---|---|
# | {glue:text}`f2_gamma` | {glue:text}`f2_support` | {glue:text}`f2_s` | {glue:text}`f2_neurons` |
#
# ## Experiment
#
# For each width many networks are drawn, and the margin of their features is computed, a quadratic program with a {term}`certificate`. One network of each of three widths is trained. The weights never leave the span of the $n$ feature vectors, so that the flow needs $n$ numbers only; it runs in $\ln t$, as in
# {doc}`../linear/max_margin`. Data, hidden weights and controls use random streams of their own. A set of points whose limit is nearly degenerate, whose exponent $r$ of {prf:ref}`proposition-tail` is below $0.02$ for one of the trained networks, is approached too slowly to be seen; the hidden weights of that network are then drawn again.

# %% tags=["parameters"]
n: int = 30  # number of points n, in [8, 60]
clusters_a_side: int = 2  # clusters along each side of the square, in [2, 3]
# because one cluster has one label, and with sixteen the margin is often too small to be certified
widths: list[int] = [100, 400, 1600, 6400]  # numbers m of neurons, increasing, each in [50, 20000]
draws: int = 40  # networks of each width, in [20, 500]
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
    for _ in range(1000):
        theta = weight_stream.standard_normal((m, 3))
        if margin_of(theta).decay >= SLOW:
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
# mutant: when states are recorded
log_t = np.concatenate([np.geomspace(3, log_t_end / 4, 39), [log_t_end / 2, log_t_end]])
trained = {m: draw(m) for m in widths[:3]}
limits = {m: margin_of(theta) for m, theta in trained.items()}
paths = {m: train(theta, "exponential", log_t) for m, theta in trained.items()}  # train
courses = {m: normalized(paths[m], theta) for m, theta in trained.items()}
for m in trained:  # compare
    lag, share = margin_lag(limits[m]) / log_t_end, 1 - courses[m][-1] / limits[m].margin
    print(f"m = {m}: 1 − γ(t)/γ₂⁽ᵐ⁾ at the end: predicted {lag:.2e}, measured {share:.2e}")
print(f"certified to {max(one.certificate.worst for one in (kernel, *limits.values())):.0e}")

# %% [markdown]
# What breaks a premise. *The squared loss* on the same features: from $0$ its flow ends at the least-squares weights of least norm, which treat all points alike. *Another law* of the hidden weights: their first two coordinates are positive, a quarter of all directions. *Hidden weights of other lengths*: each is
# multiplied by a log-normal number of mean square $1$, which leaves the kernel as it is and makes its fluctuation larger.

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
glue_all("f2", gamma=f"{kernel.margin:.4f}", support=str(kernel.support.size), s=f"{s:.3f}",
         neurons=f"{(100 * s) ** 2:,.0f}")

# %% mystnb={"figure": {"caption": "Left: the margin of the features of random networks, over that of the kernel, against the width; one dot a network. Dashed: $1\\pm2s/\\sqrt m$, predicted. Red: directions in a quarter of the sphere only. Right: by what part the normalized margin of a trained network misses that of its features; dashed: $C/\\ln t$, predicted. Dotted: where the squared loss ends.", "name": "figure-f2"}, "image": {"alt": "Left: dots in a funnel that narrows around one, with its predicted edges. Right: three curves that fall along predicted lines, and levels above them", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.6, 3.9))
for m in widths:
    spread = np.exp(np.linspace(-0.12, 0.12, draws))
    left.plot(m * spread, margins[m] / kernel.margin, "o", color=style.COLORS["blue"], markersize=3, alpha=0.5)
left.plot(widths[-1] * 1.6 * spread, quarter / kernel.margin, "o", color=style.COLORS["red"], markersize=3, alpha=0.5)
wide = np.geomspace(widths[0] / 1.3, widths[-1] * 1.3, 60)
style.theory(left, wide, 1 + 2 * s / np.sqrt(wide), r"$1\pm2s/\sqrt{m}$")
style.theory(left, wide, 1 - 2 * s / np.sqrt(wide))
left.set(xscale="log", xlabel="neurons $m$", ylabel=r"$\gamma_2^{(m)}/\gamma_2$")
left.legend(loc="upper right")
for m, color in zip(trained, ("green", "orange", "blue"), strict=True):
    right.loglog(log_t, 1 - courses[m] / limits[m].margin, color=style.COLORS[color], label=f"$m={m}$")
    style.theory(right, log_t, margin_lag(limits[m]) / log_t, r"$C/\ln t$" if m == widths[2] else None)
    right.axhline(1 - squared[m] / limits[m].margin, color=style.COLORS[color], linestyle=":", linewidth=1.2)
right.set(xlabel=r"$\ln t$", ylabel=r"$1-\gamma(t)/\gamma_2^{(m)}$")
right.legend(loc="lower left")
plt.show()

# %% [markdown]
# ## Headline claims
#
# Each box is a {term}`claim`: what theory predicts, what was measured, by how much they may differ and why. The trained networks first.
#
# ```{claim} trained
# :headline: normalized margin of the trained networks over the largest of their features
# :source: Chizat and Bach 2020, Section 5; Soudry et al. 2018, Theorem 3
# :evidence: trained and compared
# :because: the next order in 1/ln t, evaluated with the part of u that does not grow, measured at half of ln
#   t
# :control: the squared loss on the same features
#
# training the output layer, the normalized margin tends to the largest of the features, late by the predicted
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
# :headline: √m times the standard deviation of the margins over the kernel's, root mean square over all
#   widths but the least
# :evidence: float with residual
# :because: one standard error of a standard deviation, 1/√(2·draws) for each width, and an estimate of the
#   next order, s²/m at the least of these widths
# :contrast: hidden weights of log-normal lengths, the same kernel
#
# the margins of random networks scatter around the kernel's by s/√m
# ```

# %% tags=["hide-input"]
lags = np.array([margin_lag(limits[m]) for m in trained])
ends = np.array([courses[m][-1] / limits[m].margin for m in trained])
# In x = 1/ln t the prediction is (1 + x min c)/√(1 + 2x Σpc + x²b²), with the length b of what does not grow, u − û ln t,
# over that of û, as measured at half of ln t: this is its coefficient of x².
derived_stray = np.array([np.linalg.norm(paths[m][-2] - features(theta).T @ (y * limits[m].alpha) * log_t[-2])
                          * limits[m].margin for m, theta in trained.items()])
derived_least = np.array([limits[m].residuals.min() for m in trained])
derived_mean = lags + derived_least
derived_second = (3 * derived_mean**2 - derived_stray**2) / 2 - derived_least * derived_mean
claims.limit("trained", 1 - lags / log_t_end, ends, error=np.abs(derived_second).max() / log_t_end**2,
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
claims.limit("fluctuation", s,
             # mutant: a power of a ratio that is 1 within its error
             float(np.sqrt(np.mean(scatter**2))),
             error=1 / np.sqrt(2 * draws * len(scatter)) + s**2 / widths[1], relative=True,
             control=float(np.sqrt(np.mean(scatter_uneven**2))))

# %% [markdown]
# ## Instruments
#
# What the headline claims rest on: the duality, the network itself, the constant of the tail, the other loss.
#
# By duality the squared margin of a kernel is also $\min_p$ of a quadratic form of weights $p$ of the points. So the form of the kernel's weights, with the features of a network, bounds the squared margin of these features; on average over networks it is the squared margin of the kernel.
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
# The network itself: gradient descent on its $m$ output weights, by the gradient of the two-layer network, against the same steps on $n$ numbers. The control trains both layers.
#
# ```{claim} network
# :evidence: trained and compared
# :because: each step rounds the margins anew, of the size of the longest feature vector; the steps contract
# :control: both layers trained
#
# the steps of the network on its output weights are those of a linear classifier on n numbers
# ```

# %% tags=["hide-input"]
STEPS, SMALL = 30, widths[0]
theta = trained[SMALL]
phi = features(theta)
learning_rate = 1 / np.square(phi).sum(axis=1).max()


def descended(layers):
    """The normalized margin after so many steps of a network of which these layers move, from zero output weights."""
    net = TwoLayer(LeakyReLU(0.0), trained=layers, scaling="1/m")
    flow = Risk(net, points, SmoothMargin()).of_weights(theta, np.zeros(SMALL))
    run = drive(GradientDescent(flow.gradient, SMALL * learning_rate), flow.start, t_end=STEPS * SMALL * learning_rate)
    return (y * flow.outputs(run.final)).min() / np.sqrt(np.mean(np.square(flow.weights(run.final)[1])))


basis = span(phi)
reduced = LinearClassifier(Classification(phi @ basis, y), margin_loss("exponential"))
steps = drive(GradientDescent(lambda u: -reduced.rescaled_velocity(u), learning_rate), np.zeros(len(basis.T)),
              t_end=STEPS * learning_rate)
claims.identity(  # tolerance: rounding at worst
    "network", reduced.margins(steps.final).min() / np.linalg.norm(steps.final), descended("output"),
    error=rounding(STEPS, size=np.linalg.norm(phi, axis=1).max()), control=descended("both"))

# %% [markdown]
# The constant $C$ of {eq}`f2-lag`: what $\bigl(1-\gamma(t)/\gamma_2^{(m)}\bigr)\ln t$ tends to, its next order removed with the value at half of $\ln t$. And the logistic loss, whose tail is the same.
#
# ```{claim} lag
# :evidence: trained and compared
# :because: the order after the one in 1/ln t that is removed, from the same at half of ln t with the value at
#   a quarter
# :control: the multipliers taken as equal, C = 0
#
# the normalized margin is late by C/ln t with the predicted constant
# ```
#
# ```{claim} logistic
# :evidence: trained and compared
# :because: the next order in 1/ln t, as for the exponential loss; the two losses differ by e^(−m) where the
#   margins m are large
# :control: the squared loss on the same features
#
# the logistic loss has the same limit and the same lag
# ```

# %% tags=["hide-input"]
late = np.array([(1 - courses[m] / limits[m].margin) * log_t for m in trained])[:, -3:]  # at a quarter, half, the end
# mutant: the last recorded times all are late
earlier, extrapolated = (2 * late[:, 1:] - late[:, :-1]).T
claims.limit("lag", lags, extrapolated, error=refined(extrapolated, earlier, ratio=2, order=2),
             control=Altered(extrapolated, theory=np.zeros(len(lags))))
logistic = np.array([normalized(train(theta, "logistic", log_t[-1:]), theta)[-1] for theta in trained.values()])
claims.limit("logistic", 1 - lags / log_t_end, logistic / [limits[m].margin for m in trained],
             error=np.abs(derived_second).max() / log_t_end**2,
             control=[squared[m] / limits[m].margin for m in trained])

# %% [markdown]
# ## What would falsify it
#
# A network whose normalized margin ends elsewhere than at that of its features, or is late by another constant; a scatter of the margins that does not fall like $s/\sqrt m$; a mean that stays off the kernel's.
#
# ## Differences from the paper
#
# - *Added.* The speed in $m$ with its constant ({prf:ref}`proposition-f2-clt`) and the lag in $t$ are not in the paper.
# - *Changed.* The paper trains by steps that grow; the flow in $\ln t$ has the same limit and reaches it. The hidden weights are normal here, uniform on a sphere there: for a homogeneous activation this changes the kernel by a factor, and $s$ by the spread of the lengths.
# - *Changed.* A set of features whose limit is nearly degenerate is drawn again before it is trained. The scatter and the mean use all draws.
#
# ## Scope
#
# Points in the plane, one data set, ReLU. The theorem holds for the flow; for gradient descent at a finite step it is that of {doc}`../linear/max_margin`. Nothing is said of test error. $s$ belongs to these points and labels; for others it is computed anew, and the neurons needed grow like $s^2$.
#
# ## Exercises
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
# $\mathbb E\|\theta\|^2=3$ as before, so that the kernel and $\gamma_2$ stay. $\mathbb E\|\theta\|^4=9$ instead of $15$: $4s^2+1$ falls by the factor $\frac35$.
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
# If no weights separate the points even weakly, the loss is strictly convex on the span of the features and has a minimizer: the flow ends there, at finite weights, and no margin is maximized.
# ````
#
# ## References
#
# The theorem is Section 5 of {cite:t}`chizat2020`; the tail of the flow {cite:t}`soudry2018`; the kernel {cite:t}`cho2009`.
