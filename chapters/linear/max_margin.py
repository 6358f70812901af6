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
# # On separable data the logistic loss leads to the maximum margin, as slowly as a logarithm
#
# ```{question}
# ```
#
# Ten points in the plane belong to two classes, and infinitely many lines through the origin separate them. We train a linear classifier with the logistic loss, which asks for no particular line. Yet training turns the line to the one of largest {term}`margin`, as far from the closest points as a line through the origin can be. Why? The force with which a point pulls on the weights falls exponentially with its margin, so soon only the closest points pull. In the end their pulls must add up to a vector along the weights, and this is the condition for the largest margin. But as the margins grow, the pulls die out. We start at a right angle to the limit. At time $10^3$ the line is {glue:text}`max_margin_thousand` off, at $10^{12}$ still {glue:text}`max_margin_trillion`. A billion steps a second since the Big Bang, each of size one, would leave {glue:text}`max_margin_bang`.
#
# ```{hero}
# ```
#
# ## The statement
#
# Let $x_i\in\mathbb R^d$ be the $N$ points and $y_i=\pm1$ their labels. Only the signed points $z_i=y_ix_i$ matter, because the classifier with weights $w$ is right at point $i$ if its margin $m_i=z_i\cdot w$ is positive. The points are {term}`separable` if some $w$ makes all margins positive. The *maximum margin* $\gamma$ is the largest value of $\min_iz_i\cdot w$ over vectors $w$ of length one, and $\hat w$ is the vector in this best direction whose least margin is one. It has the length $1/\gamma$. {term}`Gradient flow <gradient flow>` $\dot w=-\nabla R(w)$ decreases the mean loss $R(w)=\frac1N\sum_i\ell(m_i)$, where $\ell$ is the logistic loss $\ln(1+e^{-m})$ or the exponential loss $e^{-m}$. Then, from every start,
#
# $$\begin{gathered}\frac{w(t)}{\|w(t)\|}\;\to\;\frac{\hat w}{\|\hat w\|},\\[2pt]
# \hat w=\operatorname*{arg\,min}\{\|w\|:\;z_i\cdot w\ge1\text{ for all }i\}.\end{gathered}$$
#
# This is the theorem of {cite:t}`soudry2018`. The weights themselves grow like $\hat w\ln t$. How far is the direction from its limit at a given time? That depends on how strongly the {term}`support vectors <support vector>`, the points with $z_i\cdot\hat w=1$, pull in the end. By the {term}`KKT conditions`
#
# $$\hat w=\underbrace{\sum_i\alpha_iz_i}_{\text{support vectors}},\qquad\alpha_i\ge0 ,$$
#
# and the *multiplier* $\alpha_i$ measures the pull of point $i$. There can be several choices of the $\alpha_i$, for example if a support vector occurs twice in the data. We prove that the flow takes the choice of *maximal entropy*, the most even one, with the exponential loss on every separable set and with the logistic loss if this choice gives every support vector a positive $\alpha_i$. If this choice does, the margins of the support vectors obey
#
# ```{math}
# :label: residual
# z_i\cdot w(t)-\ln t\;\to\;c_i=-\ln(N\alpha_i),
# ```
#
# with either loss. If the support vectors span the space, as they do in the plane, these constants give the direction at late times up to a power of $1/t$. The dashed curve of {numref}`figure-max-margin` is the direction of $\hat w\ln t+\tilde w$, where $z_i\cdot\tilde w=c_i$. (Elsewhere in the book $\gamma$ is the slope of a leaky ReLU and $\alpha$ an output scale.)
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [angle](plane) between the line and that of maximum margin at $t=10^{12}$, ten points in the plane, logistic loss | {glue:text}`max_margin_angle_p` | {glue:text}`max_margin_angle_m` | at $t=10^3$: {glue:text}`max_margin_thousand` | squared loss, at its end: {glue:text}`max_margin_angle_squared` |
# | [margin](direction) of the direction in which $w$ grows, over the largest, {glue:text}`max_margin_n` points in dimension {glue:text}`max_margin_d`, exponential loss (the claim compares all components of $\hat w$) | 100 % | {glue:text}`max_margin_slope_m` | maximum margin in the $\ell_1$ norm: {glue:text}`max_margin_l1` | squared loss: {glue:text}`max_margin_squared` |
# | [multiplier](entropy) of a support vector that occurs twice, each copy, exponential loss | {glue:text}`max_margin_copy_p` | {glue:text}`max_margin_copy_m` | what a quadratic program returns: {glue:text}`max_margin_copy_other` and {glue:text}`max_margin_copy_zero` | |
# | [gap of the margin](gap) to the maximum, times $\ln t$, extrapolated, exponential loss | {glue:text}`max_margin_C` | {glue:text}`max_margin_C_m` | if all multipliers were equal: 0; with one more support vector, whose multiplier is zero: {glue:text}`max_margin_C_edge`, because it is approached more slowly | |
# ```
#
# **What to remember?** The exponential tail of the loss decides where training goes, and the logarithm decides how fast. At a practical time the direction is not the limit but the limit plus a correction of the order $1/\ln t$. After {glue:text}`max_margin_steps` steps of size $\eta=$ {glue:text}`max_margin_eta` on the {glue:text}`max_margin_n` points {glue:text}`max_margin_reached` of the maximum margin is reached, where the leading term $1-C/(\gamma\ln t)$ at $t=$ {glue:text}`max_margin_descended` says {glue:text}`max_margin_leading`. Ten times as many steps would add $\ln10$ to $\ln t$, no more. By the leading term, which is too high here, 99.9 % would take until about $t=$ {glue:text}`max_margin_t999`. And the best limit need not be the best at a practical time. In {numref}`figure-max-margin` the squared loss, {glue:text}`max_margin_angle_squared` off, is closer to the maximum margin than the logistic loss until $t\approx$ {glue:text}`max_margin_crossing`.
#
# ## The smallest case
#
# Take two signed points $z_1=(1,a)$ and $z_2=(1,-b)$ with $a=\frac14$ and $b=\frac94$. They are the two support vectors of our ten points, up to a rotation. The maximum-margin direction is $(1,0)$, and $\hat w=\alpha_1z_1+\alpha_2z_2$ has $\alpha_1=0.9$ and $\alpha_2=0.1$. The first point lies almost in the direction of $\hat w$, so it must pull nine times as hard as the second. With $w=(u,v)$ and the exponential loss
#
# $$\begin{aligned}\dot u&=\tfrac12\bigl(e^{-u-av}+e^{-u+bv}\bigr),\\\dot v&=\tfrac12\bigl(a\,e^{-u-av}-b\,e^{-u+bv}\bigr).\end{aligned}$$
#
# The second line vanishes where $e^{(a+b)v}=a/b=\frac19$, at $v=-\frac25\ln9=-0.88$. So $v$ settles there and stays. It does *not* go to zero. Meanwhile $\dot u$ tends to a constant times $e^{-u}$, so $u$ grows like $\ln t$. The angle to $(1,0)$ is about $0.88/\ln t$, and it closes only because $u$ grows.
#
# Now add a third point $z_3=(1,0)$ between the two. It is a support vector too, and for every $s$ between $0$ and $1$ the multipliers $0.9(1-s)$, $0.1(1-s)$ and $s$ give the same $\hat w$. Which $s$ does the flow take? The third point adds nothing to $\dot v$, so again $v\to-\frac25\ln9$. The three pulls are then in the ratio $e^{-av}:e^{bv}:1=9^{0.1}:9^{-0.9}:1$, and $s=1/(1+9^{0.1}+9^{-0.9})=0.42$. Weights that are exponentials of a linear function have the largest entropy among all weights with the same mean.
#
# ### Try it
#
# ```{solve} max_margin
# Eight other points. Drag a point, or give it the focus and press the arrow keys (with Shift in small steps). Only the glowing points, the
# {term}`support vectors <support vector>`, hold the street; the larger the glow, the larger the multiplier $\alpha_i$. No street has a half-width
# larger than the distance of $0$ from the hull of the signed points (second picture). So if the *gap* between the two green lengths
# is zero, this street is the widest. Drag a point across until nothing separates the classes.
# ```
#
# ## Experiment
#
# There are two sets. The ten points in the plane are the two of the smallest case, turned by a fixed angle, and eight drawn ones farther away. The second set has {glue:text}`max_margin_n` points in dimension {glue:text}`max_margin_d` and is drawn together with its answer: a unit vector $e$, support vectors $\gamma e+v_i$ whose $v_i\perp e$ have a positive combination $\sum\alpha_iv_i=0$, and further points whose margins exceed $\gamma$ by the factor $1+s_i$. The least $s_i$ is the *slack*.

# %% tags=["hide-input"]
from copy import deepcopy

import numpy as np
from IPython.display import HTML
from matplotlib import pyplot as plt

from implicit_bias.data import Classification, separable
from implicit_bias.figures import style
from implicit_bias.figures.films import animate_boundary
from implicit_bias.flows import GradientDescent, drive, log_time_flow
from implicit_bias.limits.margin import entropic_margin, l1_max_margin, margin_lag, max_margin
from implicit_bias.losses import margin_loss, smooth_margin, smooth_margin_weights
from implicit_bias.models.linear import LinearClassifier
from implicit_bias.rates import log_log_slope, log_slope
from reproduce.claims import Altered, Claims, Control, Rival, refined, rounding, stepping
from reproduce.claims.glued import glue_all

claims = Claims("max_margin")

style.use_style()

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

# %% [markdown]
# Gradient descent cannot come near the limit: a step adds its size $\eta$ to $t$, and $10^{300}$ steps are out of reach. The flow can, in another time. With $ds=R\,dt$ the velocity stays of the order of $\gamma$ and nothing underflows, so that $t=10^{300}$ takes under a second. The clock starts at $t=1$ with $w=w(0)$. Data and initialization use independent random streams.

# %% tags=["hide-input"]
data_stream, initialization_stream, tail_stream = np.random.default_rng(seed).spawn(3)
problem = separable(data_stream, n, d, support=support, margin=margin, slack=slack)
w0 = initialization_stream.standard_normal(d)
z = problem.signed
turn = 1.36  # mutant: a rotation of all
tilt = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
farther = np.column_stack([data_stream.uniform(1.6, 2.8, 8), data_stream.uniform(-2.4, 0.8, 8)])  # stream: data
plane_signed = np.vstack([[1.0, 0.25], [1.0, -2.25], farther]) @ tilt.T
labels = np.append([1.0, -1.0], data_stream.permutation(np.repeat([1.0, -1.0], 4)))  # stream: data
plane = Classification(x=labels[:, None] * plane_signed, y=labels)
right_angle_off = tilt @ [0.0, -3.0]
AGE = 4.35e17 * 1e9  # of the universe in seconds, times a billion steps a second
RTOL = 1e-12  # of a step of the integrator


def train(loss, points, until, start):
    """Gradient flow, recorded at ln t = until: ln t and weights, one row a time."""
    end = float(until[-1])  # mutant: when states are recorded
    run = log_time_flow(LinearClassifier(points, margin_loss(loss)), start, log_t_end=end, record=until, rtol=RTOL,
                        atol=RTOL).demand()
    return run.t, run.theta[:, :-1]


def angles(weights, direction):
    """The angle of each row to a direction, in degrees."""
    across = weights - np.outer(weights @ direction, direction)
    return np.degrees(np.arctan2(np.linalg.norm(across, axis=-1), weights @ direction))


# %% [markdown]
# First the plane. The two support vectors span it, so the two constants $c_i$ fix a vector $\tilde w$ with $z_i\cdot\tilde w=c_i$. The prediction is the direction of $\hat w\ln t+\tilde w$. It is a law for late times, because it does not know the start, which is forgotten like a power of $1/t$.

# %%
plane_limit = entropic_margin(plane.signed)  # predict: a quadratic program on the data alone
offset = np.linalg.solve(plane_limit.vectors, plane_limit.residuals)
street = np.array([plane_limit.direction[1], -plane_limit.direction[0]])  # along the line of maximum margin
named = np.log([1e1, 1e3, 1e6, 1e12, AGE])
plane_t = np.unique(np.concatenate([np.geomspace(0.3, log_t_end, 100), named]))
predicted_angles = angles(np.outer(plane_t, plane_limit.w) + offset, plane_limit.direction)
plane_w = train("logistic", plane, plane_t, right_angle_off)[1][1:]  # train
measured_angles = angles(plane_w, plane_limit.direction)
for log_time in named:  # compare
    at = np.searchsorted(plane_t, log_time)
    print(f"t = {np.exp(log_time):7.1e}   predicted {predicted_angles[at]:6.3f}°",
          f"  measured {measured_angles[at]:6.3f}°")

# %% tags=["hide-input"]
plane_rate = float(4 * len(labels) / np.linalg.norm(plane_signed, 2) ** 2)
plane_end = descent_steps * plane_rate
plane_steps = drive(GradientDescent(LinearClassifier(plane, margin_loss("logistic")).gradient, plane_rate), right_angle_off,
                    t_end=plane_end, record=np.geomspace(2, plane_end, 12)[:-1])
plane_squared = np.linalg.lstsq(plane_signed, np.ones(len(labels)))[0]
squared_angle = float(angles(plane_squared[None], plane_limit.direction)[0])
along, across = offset @ plane_limit.direction, abs(offset @ street)
# log₁₀ t at which the law for late times is 0.1° off, and as far off as the squared loss
tenth, crossing = plane_limit.margin * (across / np.tan(np.radians([0.1, squared_angle])) - along) / np.log(10)

# %% mystnb={"figure": {"caption": "The line turns to the maximum margin, and ever more slowly. Gradient flow with the logistic loss on ten points. (a) The line at three times (red), and the line of largest margin (black dashed), known before training. It is the middle of the widest street (grey) among those whose middle line passes through the origin (cross). The two ringed points, the support vectors, hold the street. (b) The angle between the red line and the dashed one against time. For gradient descent time is the step size times the number of steps. From $10^6$ on each mark of the time axis is a million times later than the one before. Blue: gradient flow, with red dots at the times of (a) and at two more. Orange: gradient descent. Black dashed: the law for late times, predicted before training. Grey: the squared loss, which ends elsewhere.", "name": "figure-max-margin"}, "image": {"alt": "Two panels. Left: two classes of points in the plane and lines through the origin at the times 10, a thousand and a million, closer and closer to a dashed line. Right: the angle between the two against time from about 1 to 10 to the 33, above 75 degrees at first, 50 degrees at time 10 and below one degree in the end, falling along a dashed prediction, with the squared loss as a horizontal line.", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.8, 4.6))
blue, red, orange, green, grey = (style.COLORS[name] for name in ("blue", "red", "orange", "green", "grey"))
normal = plane_limit.direction
corners = [5 * street + normal * plane_limit.margin, -5 * street + normal * plane_limit.margin]
left.fill(*np.transpose([*corners, -corners[0], -corners[1]]), color=grey, alpha=0.15, linewidth=0)
for label, mark, color in ((1, "o", blue), (-1, "s", green)):
    left.plot(*plane.x[labels == label].T, mark, color=color, markersize=7)
left.plot(*plane.x[:2].T, "o", markersize=15, markerfacecolor="none", color="black", markeredgewidth=1.2)
reach = np.array([-3.4, 3.4])
places = (("$t=10^6$", 3.45, "left", "top"), ("$t=10^3$", 3.45, "left", "top"), ("$t=10$", 3.2, "left", "center"))
for log_time, shade, place in zip(named[2::-1], (1.0, 0.65, 0.4), places, strict=True):
    at_w = plane_w[np.searchsorted(plane_t, log_time)]
    along = np.array([at_w[1], -at_w[0]]) / np.linalg.norm(at_w)
    left.plot(*np.outer(along, reach), color=red, alpha=shade, linewidth=2)
    left.text(*(place[1] * along), " " + place[0] + " ", color=red, ha=place[2], va=place[3])
style.theory(left, *np.outer(street, reach))
left.text(0.5, 0.1, "largest margin", va="bottom")
left.plot(0, 0, "+", color="black", markersize=9)
left.set(xlim=(-3.6, 4.7), ylim=(-3.7, 3.7), aspect="equal", xticks=[], yticks=[], title="(a) the line at three times")
left.spines[:].set_visible(False)

tens = plane_t / np.log(10)
right.semilogy(tens, measured_angles, color=blue, linewidth=4)
right.plot(np.log10(plane_steps.t[1:] + 1), angles(plane_steps.theta[1:], plane_limit.direction), "o", color=orange,
           markersize=5)
style.theory(right, tens[tens > 1.8], predicted_angles[tens > 1.8])
right.lines[-1].set_linewidth(1.2)
right.axhline(squared_angle, color=grey, linewidth=1.4)
for log_time in named:
    ten, angle = log_time / np.log(10), measured_angles[np.searchsorted(plane_t, log_time)]
    right.plot(ten, angle, "o", color=red, markersize=8)
    right.annotate(f"{angle:.{int(angle < 10)}f}°", (ten, angle), xytext=(7, 5), textcoords="offset points", color=red)
for at, height, said, color in ((5.0, 8.0, f"{descent_steps:,} steps of\ngradient descent", "#a87400"),
                                (13.5, 0.95, "predicted", "black"), (16, 1.05 * squared_angle, "squared loss, at its end", grey),
                                (17.2, 1.55, "a billion steps a second\nsince the Big Bang", red),
                                (23.2, 0.49, f"0.1° at $10^{{{tenth:.0f}}}$ →", "black")):
    right.annotate(said, (at, height), color=color)
right.set(xlim=(0.2, 33), ylim=(0.45, 75), xlabel="time $t$", ylabel="angle to the largest margin", title="(b) how far it is off",
          xticks=[3, 6, 12, 18, 24, 30], xticklabels=[f"$10^{{{ten}}}$" for ten in (3, 6, 12, 18, 24, 30)],
          yticks=[1, 3, 10, 30], yticklabels=["1°", "3°", "10°", "30°"])
right.minorticks_off()
plt.show()

# %% [markdown]
# The same run as a film, with the signed points $z_i$, which all come to lie on one side of the line.

# %% tags=["hide-input"]
frames = np.searchsorted(plane_t, named[2])
kept = np.unique(np.append(np.arange(0, len(plane_t), 4), frames))
HTML(animate_boundary(plane_signed, plane_w[kept], plane_t[kept], plane_limit.direction, reach=3.2,
                      name="film-boundary", still=int(np.searchsorted(kept, frames)),
                      alt="The boundary of the classifier turns, ever more slowly, to the boundary of maximum margin"))

# %% [markdown]
# Now the {glue:text}`max_margin_n` points. Late in the run the slope of $w$ in $\ln t$ *is* $\hat w$, up to a power of $1/t$. On a set where this power is small the flow goes on beyond `log_t_end`.

# %%
def recorded(decay):
    """Values of ln t: up to log_t_end, or until decay·ln t = 40 if that is later."""
    last = max(log_t_end, 40 / decay)
    late = np.linspace(last / 2, last, 21)[1:]  # mutant: when states are recorded
    return np.concatenate([np.geomspace(1, last / 2, 40), late])


limit = entropic_margin(z)  # predict
times = recorded(limit.decay)
half = 40  # position of half the last ln t among the recorded times, the start included
log_t, w = train("exponential", problem, times, w0)  # train
slope = (w[-1] - w[half]) / (log_t[-1] - log_t[half])
print("predicted, the hard-margin solution:", limit.w[:3].round(6), "…")  # compare
print("measured, the slope of w in ln t:   ", slope[:3].round(6), "…")

# %% [markdown]
# Which multipliers? We add points to the set, on the margin, in three ways. A *copy* of a support vector, and then the *midpoints* between neighbours in the list of support vectors, leave $\hat w$ as it is and make the multipliers ambiguous. The flow's own multiplier of point $i$ is what its pull tends to, $t\,e^{-m_i}/N$.

# %%
on = limit.vectors
between = (on + np.roll(on, 1, axis=0)) / 2
larger = {"copy": np.vstack([z, on[:1]]), "midpoints": np.vstack([z, between])}
answers = {name: entropic_margin(points) for name, points in larger.items()}  # predict
runs = {}
for name, points in larger.items():
    same_class = Classification(x=points, y=np.ones(len(points)))
    until = recorded(answers[name].decay)
    runs[name] = train("exponential", same_class, until, np.zeros(d))  # train


def pulls(run, points):
    """t e^{−m_i}/N at half the last ln t and at the end, one row a time."""
    return np.exp(run[0][[half, -1], None] - run[1][[half, -1]] @ points.T) / len(points)


for name, points in larger.items():  # compare
    chosen = answers[name].support[-4:]
    print(f"{name}, the last four support vectors:")
    for said, forces in (("maximal entropy", answers[name].alpha),
                         ("the flow", pulls(runs[name], points)[-1]),
                         ("a quadratic program", max_margin(points).alpha)):
        print(f"  {said:20}", *(f"{abs(force):.6f}" for force in forces[chosen]))

# %% [markdown]
# ### What breaks
#
# *No exponential tail.* With the squared loss $\frac1{2N}\sum(m_i-1)^2$ the same flow ends at the least-squares solution. In the plane this is {glue:text}`max_margin_angle_squared` off the maximum margin. On the {glue:text}`max_margin_n` points its least margin is {glue:text}`max_margin_squared` of the largest one. {glue:text}`max_margin_squared_said`
#
# *A support vector that need not pull.* The third way to add a point on the margin is to put it *aside*, at $\gamma e+v$ with $v$ at a right angle to $e$ and to all $v_i$. Nothing could balance its pull along $v$, so its multiplier is $0$ in every solution (a degenerate support vector). The flow finds this out, but slowly. By a formal derivation (below) its pull falls only like $1/(\|v\|^2\ln t)$, which is {glue:text}`max_margin_edge_p` at $t=10^{300}$. We measure {glue:text}`max_margin_edge_m` with the exponential loss and {glue:text}`max_margin_edge_logistic` with the logistic loss. Its margin has no constant $c_i$: minus $\ln t$ it is {glue:text}`max_margin_drift_half` at $t=10^{150}$ and {glue:text}`max_margin_drift` at $10^{300}$.

# %% tags=["hide-input"]
gamma, c = limit.margin, limit.residuals
gap_limit = gamma * margin_lag(limit)
_, w_logistic = train("logistic", problem, times, w0)
m = w @ z.T

aside = data_stream.standard_normal(d)  # stream: data
aside -= np.linalg.pinv(on) @ (on @ aside)
aside *= gamma / np.linalg.norm(aside)
edge = np.vstack([z, gamma * limit.direction + aside])
edge_answer = max_margin(edge)  # its multiplier of the last point is 0
edge_run = train("exponential", Classification(x=edge, y=np.ones(n + 1)), times, np.zeros(d))
edge_pulls = pulls(edge_run, edge)
edge_logistic = pulls(train("logistic", Classification(x=edge, y=np.ones(n + 1)), times, np.zeros(d)), edge)

logistic = LinearClassifier(problem, margin_loss("logistic"))
learning_rate = float(4 * n / np.linalg.norm(z, 2) ** 2)  # mutant: any stable one
descended = drive(GradientDescent(logistic.gradient, learning_rate), w0, t_end=descent_steps * learning_rate).final
w_squared = w0 + np.linalg.pinv(z) @ (1 - z @ w0)  # where the flow of the squared loss ends
squared_margin = (z @ w_squared).min() / np.linalg.norm(w_squared)
l1 = l1_max_margin(z)


def extrapolated(weights, signed, largest_margin):
    """The margin's gap times ln t, from ln t and half of it, without the term in 1/ln t."""
    margins = (weights[[half, -1]] @ signed.T).min(axis=1) / np.linalg.norm(weights[[half, -1]], axis=1)
    earlier, later = (largest_margin - margins) * log_t[[half, -1]]
    return 2 * later - earlier


gap_measured, gap_edge = extrapolated(w, z, gamma), extrapolated(edge_run[1], edge, gamma)

# %% tags=["hide-input"]
def percent(part, digits=0):
    return f"{100 * part:.{digits}f} %".replace("-", "−")


def degrees(value, digits):
    return f"{value:.{digits}f}°"


def raised(exponent):
    return f"{exponent:.0f}".translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))


at_named = np.searchsorted(plane_t, named)
first = limit.support[0]
drift = edge_run[1][[half, -1]] @ edge[-1] - edge_run[0][[half, -1]]
glue_all("max_margin", thousand=degrees(measured_angles[at_named[1]], 0), trillion=degrees(measured_angles[at_named[3]], 1),
         bang=degrees(measured_angles[at_named[4]], 1), plane_r=f"{plane_limit.decay:.2f}", angle_p=degrees(predicted_angles[at_named[3]], 3),
         angle_m=degrees(measured_angles[at_named[3]], 3), angle_squared=degrees(squared_angle, 1))
glue_all("max_margin", n=str(n), d=str(d), support=str(limit.support.size), steps=f"{descent_steps:,}",
         slope_m=percent((z @ slope).min() / np.linalg.norm(slope) / gamma, 6), l1=percent((z @ l1.direction).min() / gamma),
         squared=percent(squared_margin / gamma), gamma=f"{gamma:.3g}",
         squared_said="It does not even separate the classes." if squared_margin < 0 else "",
         reached=percent((z @ descended).min() / np.linalg.norm(descended) / gamma), eta=f"{learning_rate:.2g}",
         descended=f"{descent_steps * learning_rate:,.0f}", leading=percent(1 - gap_limit / gamma / np.log(descent_steps * learning_rate)))
glue_all("max_margin", ".4f", copy_p=answers["copy"].alpha[-1], copy_m=pulls(runs["copy"], larger["copy"])[-1, -1],
         copy_other=max(max_margin(larger["copy"]).alpha[[first, -1]]), edge_p=1 / (aside @ aside * log_t[-1]),
         edge_m=edge_pulls[-1, -1], edge_logistic=edge_logistic[-1, -1], C=gap_limit, C_m=gap_measured, C_edge=gap_edge,
         mid_p=answers["midpoints"].alpha[-1], mid_m=pulls(runs["midpoints"], larger["midpoints"])[-1, -1])
glue_all("max_margin", copy_zero=f"{min(max_margin(larger['copy']).alpha[[first, -1]]):.1g}",
         mid_other=f"{max_margin(larger['midpoints']).alpha[-1]:.1g}", r=f"{limit.decay:.3f}",
         relative=f"{gap_limit / gamma:.3f}", ten999=f"{1000 * gap_limit / gamma / np.log(10):.0f}",
         t999=f"10{raised(1000 * gap_limit / gamma / np.log(10))}", crossing=f"10{raised(crossing)}",
         drift_half=f"{drift[0]:.2f}", drift=f"{drift[1]:.2f}")

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Soudry et al. 2018, Theorem 3; for the flow
# :label: theorem-max-margin
#
# Let the set be separable. Then, from every $w(0)$, $\|w(t)\|\to\infty$ and $w(t)/\|w(t)\|$ converges to $\hat w/\|\hat w\|$. More precisely $w(t)=\hat w\ln t+\rho(t)$ with $\rho(t)=o(\ln t)$, and $\rho$ is bounded for almost every set.
# ```
#
# The paper proves this for gradient descent and for many losses with an exponential tail. For the flow and the exponential loss there is a short proof, and it gives more. The idea is a change of time. With $ds=R\,dt$ the flow climbs the soft minimum of the margins, $F_1(w)=-\ln R(w)$, which is concave. Its velocity is a mean of the signed points,
#
# ```{math}
# :label: pull
# \begin{gathered}\frac{dw}{ds}=\nabla F_1(w)=\sum_ip_iz_i,\\p_i=\frac{e^{-m_i}}{\sum_ke^{-m_k}},\end{gathered}
# ```
#
# where $p_i$ is the share of point $i$ in the pull. So the velocity stays in the convex hull of the signed points, of which $\gamma^2\hat w$ is the point nearest to the origin.
#
# ```{prf:proposition} The shares of the pull
# :label: proposition-entropy
#
# Let the set be separable and $\ell(m)=e^{-m}$. From every $w(0)$, $\frac{dw}{ds}\to\gamma^2\hat w$ and $p(t)\to p^*$. Among all weights $p_i\ge0$ with $\sum_ip_i=1$ and $\sum_ip_iz_i=\gamma^2\hat w$, these are the ones of the largest entropy $-\sum_ip_i\ln p_i$. With the multipliers $\alpha_i=p^*_i/\gamma^2$
#
# $$\frac{t\,e^{-m_i}}N\;\to\;\alpha_i\qquad\text{for all }i.$$
#
# So $z_i\cdot w-\ln t\to-\ln(N\alpha_i)$ where $\alpha_i>0$, and $z_i\cdot w-\ln t\to\infty$ where $\alpha_i=0$.
# ```
#
# The idea: a concave function becomes flatter along its steepest ascent, so the velocity becomes as short as the hull allows. And weights of the form $e^{-z_i\cdot w}$ have the largest entropy among all weights with the same mean, at every time and hence in the limit. Nothing is asked of the set beyond being separable. We have not found this proposition in the sources that we read. They ask for multipliers that are positive and unique, as they are for almost every set. If the loss weighs point $i$ by $q_i$, the same proof gives the largest entropy relative to $q$, $-\sum_ip_i\ln\frac{p_i}{q_i}$.
#
# ````{prf:proof}
# :class: dropdown
#
# *The velocity.* Let $\mu=\nabla F_1(w)$. As $F_1$ is concave, $\frac d{ds}\|\mu\|^2=2\mu\cdot\nabla^2F_1\,\mu\le0$. So $\|\mu\|$ falls to a limit $g$, and $g\ge\gamma$ because $\mu$ lies in the hull. Along the flow $\frac{dF_1}{ds}=\|\mu\|^2$. On the other hand $F_1\le\min_im_i+\ln N\le\gamma\|w\|+\ln N$. As $\|\mu\|$ is bounded, $F_1$ is finite at finite $s$, and so is $t=\int e^{F_1}ds$. So $s\to\infty$ as $t\to\infty$, and
#
# $$\int_0^s\|\mu\|^2\le\gamma\int_0^s\|\mu\|+\text{const}.$$
#
# Divided by $s$ this gives $g^2\le\gamma g$ in the limit, so $g=\gamma$. A point of the hull whose norm tends to the least one tends to the nearest point, $\mu\to\gamma^2\hat w$. Integrated over $s$, this gives the direction of $w$ as well.
#
# *The shares.* Let $q$ be any weights with $\sum_iq_iz_i=\mu$. Then, by Gibbs' inequality, their entropy is at most
#
# $$\begin{aligned}-\sum_iq_i\ln p_i&=w\cdot\mu+\ln\sum_ke^{-m_k}\\&=-\sum_ip_i\ln p_i .\end{aligned}$$
#
# So $p(t)$ has the largest entropy $h(\mu)$ among weights with its mean. As a concave function on a polytope $h$ is lower semicontinuous (Gale, Klee and Rockafellar 1968), so each limit point of $p(t)$ has the mean $\gamma^2\hat w$ and at least the entropy $h(\gamma^2\hat w)$. There is only one such vector, $p^*$, because entropy is strictly concave.
#
# *The constants.* $\frac d{dt}\frac1R=\|\nabla R\|^2/R^2=\|\mu\|^2\to\gamma^2$, so $tR\to\gamma^{-2}$. As $e^{-m_i}=NRp_i$, $te^{-m_i}/N=tRp_i\to p^*_i/\gamma^2$. $\square$
# ````
#
# $p^*_i>0$ wherever some solution has $p_i>0$, because the entropy has an infinite slope at $0$. So $\alpha_i=0$ at a support vector only if its multiplier is $0$ in every solution. Note that $\sum_i\alpha_i=\sum_i\alpha_iz_i\cdot\hat w=\|\hat w\|^2=\gamma^{-2}$, so that $\gamma^2\alpha_i$ is indeed a share.
#
# For the logistic loss the direction follows in the same way.
#
# ```{fold} the direction for the logistic loss
# Its slope is $|\ell'|=1-e^{-\ell}\ge\ell-\ell^2/2$. With $L=\sum_i\ell_i<2$, $-\frac d{dt}\ln L\ge\gamma(1-L/2)\|\dot w\|$, while $\min_iz_i\cdot w\ge-\ln(e^L-1)$. As $\int\|\dot w\|\,dt\ge\|w\|-\|w(0)\|$ and $L\to0$, the least margin divided by $\|w\|$ tends to $\gamma$.
# ```
#
# ### A bound at every time
#
# ```{prf:proposition} A bound at every time
# :label: proposition-margin-bound
#
# Let the set be separable and $\ell(m)=e^{-m}$. Along the flow, at every time,
#
# $$\begin{aligned}\min_im_i&\ge\gamma\,\|w-w(0)\|\\&\quad+F_1(w(0))-\ln N .\end{aligned}$$
#
# Hence $\min_im_i/\|w\|\to\gamma$ and $w/\|w\|\to\hat w/\|\hat w\|$.
# ```
#
# ````{prf:proof}
# :class: dropdown
#
# The soft minimum $F_\beta(w)=-\frac1\beta\ln\frac1N\sum_ie^{-\beta z_i\cdot w}$ obeys $\min_im_i\le F_\beta\le\min_im_i+\frac{\ln N}\beta$. By {eq}`pull` and as $z_i\cdot\gamma\hat w\ge\gamma$ with $\|\gamma\hat w\|=1$, $\|\nabla F_1\|\ge\nabla F_1\cdot\gamma\hat w\ge\gamma$. Hence
# $\frac{dF_1}{ds}=\|\nabla F_1\|^2\ge\gamma\left\|\frac{dw}{ds}\right\|$, and at every time
#
# ```{math}
# :label: margin-bound
# \begin{aligned}\min_im_i&\ge F_1(w)-\ln N\\&\ge\gamma\,\|w-w(0)\|\\&\quad+F_1(w(0))-\ln N .\end{aligned}
# ```
#
# Also $\frac{dF_1}{ds}\ge\gamma^2$, so $F_1\to\infty$ and $\|w\|\to\infty$. Divide by $\|w\|$: the normalized margin tends to $\gamma$. Finally
#
# $$\begin{aligned}&\cos\angle(w,\hat w)=\frac{\gamma\,\hat w\cdot w}{\|w\|}\\&=\frac{\gamma\sum\alpha_im_i}{\|w\|}\\
# &\ge\frac{\min_im_i}{\gamma\|w\|}\to1.\;\square\end{aligned}$$
# ````
#
# ## How fast, exactly
#
# The next term of the direction needs that all support vectors pull.
#
# ```{prf:proposition} The constants of the tail
# :label: proposition-tail
#
# Let the set be separable and $\alpha_i>0$ at all support vectors, for the multipliers of maximal entropy. Along the flow, with either loss, $w(t)=\hat w\ln t+\tilde w+o(1)$ with some $\tilde w$, and $z_i\cdot\tilde w=c_i=-\ln(N\alpha_i)$ at the support vectors. The norm is $\|w\|=\gamma^{-1}\ln t+\gamma\sum\alpha_ic_i+o(1)$, and
#
# $$\begin{gathered}\Bigl(\gamma-\frac{\min_im_i}{\|w\|}\Bigr)\ln t\;\to\;C,\\
# C=\gamma\Bigl(\frac{\sum\alpha_ic_i}{\sum\alpha_i}-\min_ic_i\Bigr).\end{gathered}$$
# ```
#
# ````{prf:proof}
# :class: dropdown
#
# *The expansion.* $\|\nabla R\|$ lies between $\gamma$ and $\max_i\|z_i\|$ times $\frac1N\sum|\ell'(m_i)|$, and $|\ell'|/\ell\to1$ as $\ell\to0$. So $\frac d{dt}\frac1R=\|\nabla R\|^2/R^2$ stays between two positive constants from some time on, and $\min_im_i=\ln t+O(1)$. With the direction of {prf:ref}`theorem-max-margin` $\rho=w-\hat w\ln t=o(\ln t)$. Let $\tau=\ln t$. For some $\theta>0$
#
# $$\begin{aligned}\frac{d\rho}{d\tau}&=-\nabla\Phi(\rho)+O(e^{-\theta\tau}),\\
# \Phi(\rho)&=\hat w\cdot\rho+\frac1N\sum_{\text{support}}e^{-z_i\cdot\rho}:\end{aligned}$$
#
# every other point adds $e^{-(z_i\cdot\hat w-1)\tau+o(\tau)}$, the logistic loss $O(e^{-\tau+o(\tau)})$. On the span of the support vectors $\Phi$ is strictly convex. Its gradient vanishes where $\frac1N\sum e^{-z_i\cdot\rho}z_i=\hat w$. Such a $\rho$ exists, because $e^{-z_i\cdot\rho}/N$ are then the multipliers of maximal entropy: where all of these are positive, the Lagrange condition of their maximum says that their logarithms are linear in $z_i$. So $\Phi$ has a minimum on the span, and $\rho$ converges to it there, as the other term is integrable. Near the minimum $\Phi$ is strongly convex, so $\rho$ comes to it like a power of $1/t$. Orthogonally to the span only that term acts. So $\rho$ converges, to some $\tilde w$ with $z_i\cdot\tilde w=-\ln(N\alpha_i)$.
#
# *The constants.* $w-\hat w\ln t$ is bounded, so that $\|w\|=\gamma\,\hat w\cdot w+O(1/\ln t)=\gamma\sum\alpha_i(\ln t+c_i)+o(1)$, which is the norm, as $\sum\alpha_i=\gamma^{-2}$. The least margin is $\ln t+\min_ic_i+o(1)$. Together
#
# ```{math}
# :label: gap
# \Bigl(\gamma-\frac{\min_im_i}{\|w\|}\Bigr)\ln t\to C.\;\square
# ```
# ````
#
# For descent the paper proves that $\rho$ converges for almost every set whose support vectors span the data (its Theorem 4). Here they need not.

# %% mystnb={"figure": {"caption": "The margin of a support vector minus $\\ln t$ settles if and only if some solution lets it pull. Both panels add points to the set of the second experiment, exponential loss. (a) Midpoints of support vectors, so that the multipliers are not unique: all lines settle at the constants of maximal entropy (dashed). Pale grey: the constants that another solution of the KKT conditions would give, halfway between the one of maximal entropy and the one that a quadratic program returns. (b) A point on the margin that need not pull (red) drifts off like $\\ln\\ln t$, along its predicted course (dashed); the five support vectors settle.", "name": "figure-max-margin-tail-constants"}, "image": {"alt": "Two panels against ln t: on the left ten lines settle at ten predicted levels; on the right five lines settle and a red one keeps rising slowly along a dashed curve", "classes": "panels-2"}} tags=["hide-input"]
left, right = style.panels(2, (9.6, 3.8))
mid_t, mid_w = runs["midpoints"]
left.plot(mid_t[1:], (mid_w @ larger["midpoints"].T)[1:, answers["midpoints"].support] - mid_t[1:, None], color=blue)
mixed = (answers["midpoints"].alpha + max_margin(larger["midpoints"]).alpha)[answers["midpoints"].support] / 2
for other, level in zip(-np.log(len(larger["midpoints"]) * mixed), answers["midpoints"].residuals, strict=True):
    left.axhline(other, color=grey, alpha=0.35, linewidth=2.5, zorder=0)
    style.theory_level(left, level)
edge_margins = (edge_run[1] @ edge.T)[1:] - edge_run[0][1:, None]
right.plot(edge_run[0][1:], edge_margins[:, edge_answer.support], color=blue, linewidth=1.3)
right.plot(edge_run[0][1:], edge_margins[:, -1], color=red)
for level in edge_answer.residuals:
    style.theory_level(right, level)
seen = log_t[1:] > 30
style.theory(right, log_t[1:][seen], np.log(aside @ aside * log_t[1:][seen] / (n + 1)))
top = float(max(edge_margins[-1, [*edge_answer.support, -1]].max(), answers["midpoints"].residuals.max()))
for ax, title in ((left, "(a) multipliers that are not unique"), (right, "(b) a point that need not pull")):
    ax.set(xscale="log", xlim=(2, log_t_end), xlabel=r"$\ln t$", ylabel=r"$z_i\cdot w(t)-\ln t$", title=title,
           ylim=(min(answers["midpoints"].residuals.min(), c.min()) - 1, top + 1.5))
    ax.text(log_t_end, top + 1.2, f"$t=10^{{{log_t_end / np.log(10):.0f}}}$ →", ha="right", va="top", color=grey)
for ax, at, said, color in ((left, (0.5, 0.5), "grey: other multipliers", "#555555"),
                            (left, (0.4, 0.05), "dashed: maximal entropy", "black"),
                            (right, (0.24, 0.62), "need not pull", red), (right, (0.6, 0.28), "support vectors", blue)):
    ax.text(*at, said, transform=ax.transAxes, color=color)
plt.show()

# %% [markdown]
# *Formal derivation: a point that need not pull.* Put a further point at $\gamma e+v$, where $v$ is orthogonal to all support vectors. It alone moves $w$ along $v$, and its pull $\alpha_v(t)=te^{-m_v}/N$ obeys $\frac d{d\ln t}(m_v-\ln t)\approx\|v\|^2\alpha_v$ once the other pulls have adjusted. So $\frac{d}{d\ln t}\frac1{\alpha_v}\approx\|v\|^2$, which gives
#
# $$\begin{gathered}\alpha_v\approx\frac1{\|v\|^2\ln t},\\m_v-\ln t\approx\ln\frac{\|v\|^2\ln t}N .\end{gathered}$$
#
# Orthogonally to the support vectors that pull, the flow starts anew with $\ln t$ for its time. We have not compared this with the paper, which treats such sets in its appendix.
#
# *Formal derivation: with which exponent the constants are approached.* The deviations $\delta_i=z_i\cdot w-\ln t-c_i$ obey $\frac{d\delta_i}{d\ln t}=-\sum_j(z_i\cdot z_j)\,\alpha_j\delta_j$ to first order, plus the other points' share $O(t^{-\text{slack}})$, where the *slack* is the least $z_i\cdot\hat w-1$ over the points that are no support vectors. So they decay, generically, like $t^{-r}$, with $r$ the lesser of the slack and of the least positive eigenvalue of the matrix $(z_i\cdot z_j\,\alpha_j)$ over the support vectors. An eigenvalue is $0$ only because support vectors depend on each other linearly, and then the $\delta_i$ have no part along its eigenvector. One of the eigenvalues is $1$. This is checked below, not proved. Here $r=$ {glue:text}`max_margin_plane_r` for the plane and $r=$ {glue:text}`max_margin_r` for the {glue:text}`max_margin_n` points, whose margin is $\gamma=$ {glue:text}`max_margin_gamma` with {glue:text}`max_margin_support` support vectors.
#
# ## Instruments
#
# Each claim with its allowed error and its control, then checks of the solver, of the proofs' steps and of the exponents. A {term}`claim` must hold within its allowed error, and its {term}`control` must not.
#
# ### The numbers of the table
#
# ```{claim} plane
# :headline: angle between line and maximum margin at two late times, in degrees
# :evidence: trained and compared
# :because: N t^(−r), counted from the time at which the first support vector's pull has brought w from its start to
#   w̃, and through the inverse of the two support vectors to an angle
# :control: squared loss instead of an exponential tail
# :rival: a line already at its limit
#
# in the plane the angle to the maximum margin is that of ŵ ln t + w̃
# ```
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
#
# ```{claim} entropy
# :headline: pulls of support vectors whose multipliers are not unique, over the largest
# :evidence: trained and compared
# :because: a step of the integrator, of relative 1e-12 of ln t, plus N t^(−r) at half the last ln t; both times
# :contrast: a point on the edge whose multiplier is 0 in every solution, slower
# :rival: the multipliers that a quadratic program returns
#
# with a copy of a support vector, and with midpoints, the pulls tend to the multipliers of maximal entropy
# ```
#
# ```{claim} gap
# :headline: gap of the margin times ln t, against C
# :evidence: trained and compared
# :because: what extrapolation leaves of the term in 1/ln²t, whose factor follows from c and w̃_⊥, and the
#   error of the margins
# :contrast: with a further point on the edge whose multiplier is 0 in every solution
#
# the margin's gap times ln t tends to C
# ```

# %% tags=["hide-input"]
late_times = named[3:]
detour = np.linalg.norm(right_angle_off - offset) / 0.25  # ln t that the way from the start takes
derived_late = len(labels) * np.exp(-plane_limit.decay * (late_times - detour))
derived_turn = derived_late * np.linalg.norm(np.linalg.inv(plane_limit.vectors), 2) * plane_limit.margin / late_times
claims.limit("plane", angles(np.outer(late_times, plane_limit.w) + offset, plane_limit.direction),
             measured_angles[at_named[3:]], error=float(np.degrees(derived_turn.max())),
             control=np.full(2, squared_angle), rival=Rival(np.zeros(2), factor=100))

# %% tags=["hide-input"]
derived_step = stepping(1, RTOL, np.abs(w[-1]).max())  # late steps are long: what the steps before left has contracted
derived_slope = (2 * derived_step + n * np.exp(-limit.decay * log_t[half])) / (log_t[-1] - log_t[half])
claims.limit(  # tolerance: the integrator's own
    "direction", limit.w, slope, error=derived_slope, control=w_squared / (z @ w_squared)[limit.support].mean(),
    rival=Rival(l1.w, factor=1000))

# %% tags=["hide-input"]
def on_support(name, forces):
    """The forces at the support vectors of a set, at half the last ln t and at the end, in one row."""
    return np.tile(forces, (2, 1))[-2:, answers[name].support].ravel()


late_starts = [(runs[name][0][half], answers[name].decay, len(larger[name])) for name in larger]
derived_pull = stepping(1, RTOL, max(run[0][-1] for run in runs.values())) + max(
    count * np.exp(-decay * start) for start, decay, count in late_starts)
claims.limit(  # tolerance: the integrator's own
    "entropy", np.concatenate([on_support(name, answers[name].alpha) for name in larger]),
    np.concatenate([on_support(name, pulls(runs[name], larger[name])) for name in larger]), relative=True,
    error=derived_pull, control=Control(edge_pulls[-1], theory=edge_answer.alpha, anew=True),
    rival=Rival(np.concatenate([on_support(name, max_margin(larger[name]).alpha) for name in larger]), factor=1000))

# %% tags=["hide-input"]
w_across = w[-1] - (w[-1] @ limit.direction) * limit.direction
derived_margin = stepping(1, RTOL, log_t[-1]) + n * np.exp(-limit.decay * log_t[-1])
derived_mean = margin_lag(limit) + c.min()
derived_bend = (abs(gap_limit) * derived_mean**2
                + gamma**3 * (w_across @ w_across) * (abs(c.min()) + 3 * abs(derived_mean)) / 2)
claims.limit("gap", gap_limit, gap_measured, error=2 * derived_bend / log_t[-1] ** 2 + 3 * gamma * derived_margin,
             control=Control(gap_edge, theory=edge_answer.margin * margin_lag(edge_answer), anew=True))

# %% [markdown]
# ### The set as it was drawn
#
# The margins of its support vectors, for both losses and at two times.
#
# ```{claim} residual
# :evidence: trained and compared
# :because: a step of the integrator, of relative 1e-12 of ln t (older errors have contracted), plus N t^(−r) at
#   half the last ln t; both losses and both times
# :control: with a further point on the edge whose multiplier is 0 in every solution
#
# margins of the support vectors minus ln t tend to −ln(Nα)
# ```

# %% tags=["hide-input"]
claims.limit(  # tolerance: the integrator's own
    "residual", np.tile(c, 4),
    np.concatenate([((v @ z.T)[[half, -1]][:, limit.support] - log_t[[half, -1], None]).ravel() for v in (w, w_logistic)]),
    error=stepping(1, RTOL, log_t[-1]) + n * np.exp(-limit.decay * log_t[half]),
    control=Control((edge_run[1][-1] @ edge.T)[edge_answer.support] - log_t[-1], theory=edge_answer.residuals, anew=True))
# %% [markdown]
# ### The solver
#
# The set was built with a known margin, which the quadratic program must find. The control leaves out one support vector.
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
# ### The bound at every time
#
# The margin at every recorded time against {eq}`margin-bound`. Its control goes equally far from $w(0)$, but along the straight line
# through the last recorded point whose way from $w(0)$ has a margin 5 % below $\gamma$.
#
# ```{claim} bound
# :evidence: proved here
# :because: the bound is proved; the margins' own error as in the limit of their residuals
# :control: as far from w(0), on the straight line through where the flow last has a margin 5 % too small
#
# at every recorded time the margin obeys the bound of the proof
# ```

# %% tags=["hide-input"]
distance = np.linalg.norm(w - w0, axis=1)
early = 1 + np.flatnonzero(((w[1:] - w0) @ z.T).min(axis=1) < 0.95 * gamma * distance[1:])[-1]  # mutant: a control, stopped early
straight = w0 + distance[:, None] * (w[early] - w0) / distance[early]
claims.above("bound",
             # mutant: a start of the smooth margin
             gamma * distance + smooth_margin(z @ w0, 1.0) - np.log(n), m.min(axis=1), error=derived_margin,
             control=(straight @ z.T).min(axis=1))

# %% [markdown]
# ### The exponents of the tail
#
# The deviations from {eq}`residual` are followed on two further sets, one whose slack is the lesser exponent, at most a quarter
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


slack_set = draw(min(0.05, max_margin(draw(1.0).signed).contraction / 4))  # mutant(0.05): another set of the same law
# mutant: when states are recorded
by_least_slack = tail(slack_set, np.linspace(2, 24, 89) / max_margin(slack_set.signed).decay)
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


# %% [markdown]
# The controls of the exponents are sets of the other kind.
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
claims.rate("decay", -by_least_slack[0].slack, log_slope(*window(by_least_slack, largest(by_least_slack))), relative=True,
            error=derived_slack,
            control=Control(log_slope(*window(contracting, largest(contracting))), theory=-contracting[0].slack, anew=True))
claims.rate("contraction", -contracting[0].contraction, log_slope(*window(contracting, by_slowest)), relative=True,
            error=derived_contraction, control=Control(log_slope(*window(by_least_slack, slowest(by_least_slack, slack_set))),
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
flow_at = log_time_flow(logistic, w0, log_t_end=float(np.log(2 * t_short + 1)), record=[np.log(t_short + 1)], rtol=RTOL,
                        atol=RTOL).theta[1:, :-1]
ends = [drive(GradientDescent(logistic.gradient, float(rate)), w0, t_end=t_short).final for rate in rates]
off_flow, off_twice = (np.array([np.abs(z @ (end - state)).max() for end in ends]) for state in flow_at)
derived_orders = [log_log_slope(rates[pair], off_flow[pair]) for pair in ([0, 1], [1, 2])]
# mutant: an exponent of one, or of minus one, is its own inverse
claims.rate("descent", 1.0, log_log_slope(rates, off_flow),
            error=1.5 * refined(derived_orders[1], derived_orders[0], ratio=2, order=1),
            control=Altered(log_log_slope(rates, off_twice)))

# %% [markdown]
# ### The direction as an ascent
#
# Since $F_\beta(w)=F_1(\beta w)/\beta$, gradients agree, $\nabla F_1(w)=\nabla F_{\|w\|}(\bar w)$ with $\bar w=w/\|w\|$, and
#
# $$\frac{d\bar w}{ds}=\frac1{\|w\|}\bigl(I-\bar w\bar w^\top\bigr)\nabla F_{\|w\|}(\bar w).$$
#
# So the direction climbs on the sphere, on a soft margin that hardens as $\|w\|$ grows, in steps that shrink as $1/\|w\|$ {cite}`chizat2020slides`. This is why it ends at the maximum margin, and why it takes so long.
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

# %% tags=["hide-input"]
model = LinearClassifier(problem, margin_loss("exponential"))
early = w[log_t <= 50]
norms = np.linalg.norm(early, axis=1, keepdims=True)
directions, velocity = early / norms, np.array([model.rescaled_velocity(v) for v in early])
ascent = np.array([smooth_margin_weights(z @ u, beta) @ z for u, beta in zip(directions, norms[:, 0], strict=True)])
epsilon = 1e-6  # mutant: a level that the tail passes
ahead, behind = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (early + epsilon * velocity, early - epsilon * velocity))
radial = np.sum(ascent * directions, axis=1, keepdims=True) * directions
claims.identity("ascent", (ascent - radial) / norms, (ahead - behind) / (2 * epsilon), control=Altered(ascent / norms),
                error=rounding(1, 1 / epsilon) + epsilon**2 * (np.linalg.norm(velocity, axis=1) / norms[:, 0]).max() ** 3)

# %% [markdown]
# ## What would falsify it
#
# A slope in $\ln t$ that settles anywhere but at $\hat w$. A pull $te^{-m_i}/N$ that tends to anything but the multiplier of maximal entropy, on any separable set with the exponential loss. A recorded time at which {eq}`margin-bound` is violated. Where $C>0$, a gap that closes faster than $1/\ln t$. A wrong constant in $c_i$ (the factor $N$, say) moves every margin by $\ln N$ and fails at once.
#
# ## Differences from the paper
#
# - **Changed.** The paper follows gradient descent. This chapter follows its flow, which reaches $t=10^{300}$, and shows by how much the two differ at small steps. The loss here is a mean and time is $t=\text{step}\cdot\eta$. Where a paper sums the losses or counts steps, its constants $c_i$ differ by $\ln N$ and $\ln\eta$, and the direction is the same.
# - **Added.** The constants $c_i$, $C$ and the exponent $r$ in numbers, where the paper gives the orders $1/\ln t$ and bounds. Which multipliers the flow takes where they are not unique.
# - **Not reproduced.** Other losses with an exponential tail, several classes, and the experiments with deep networks.
#
# ## Scope
#
# - The theorem is about the limit. At any $t$ that a computer reaches by steps the direction is in general still off by an angle of order $1/\ln t$, as {numref}`figure-max-margin` shows.
# - {prf:ref}`proposition-entropy` is proved for the exponential loss. For the logistic loss the same constants are proved where all multipliers of maximal entropy are positive. Where one is zero, they are open for it, and the law of such a point is a formal derivation for both losses. In the runs above both losses follow it.
# - All late times are of the flow. Of gradient descent we measure at moderate times that it follows the flow, and the paper proves its limit.
# - The data are separable *by construction*. If every $w$ has some $z_i\cdot w<0$ or all $z_i\cdot w=0$, a minimizer exists and there is no direction to speak of. The cases in between are in {cite}`ji2019`.
#
# ## Exercises
#
# ```{exercise} Three points on a line
# :label: exercise-max-margin-warm-up
#
# Let the signed points be $z_1=(1,2)$, $z_2=(1,0)$ and $z_3=(1,-1)$. What is $\hat w$, and which multipliers does the flow take?
# ```
#
# ```{solution} exercise-max-margin-warm-up
# :class: dropdown
#
# $\hat w=(1,0)$, as all three have $z_i\cdot\hat w=1$ and $0$ lies between their second coordinates. The multipliers are $e^{-z_i\cdot\rho}$ up to a factor, so in the ratio $x^2:1:x^{-1}$ for some $x$. They must satisfy $2\alpha_1=\alpha_3$, so $2x^2=x^{-1}$ and $x=2^{-1/3}$. With $\sum\alpha_i=1$ they are $0.22$, $0.35$ and $0.44$. In code, `entropic_margin([[1, 2], [1, 0], [1, -1]]).alpha`.
# ```
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
# vectors in the plane that are mirror images in $\hat w$ are an example: $\hat w=\alpha_1z_1+\alpha_2z_2$, so that their parts $v_1,v_2$ across $\hat w$ obey $\alpha_1v_1+\alpha_2v_2=0$, and
# $\alpha_1=\alpha_2$.
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
# is $C/(2\gamma\ln t)$, half that of the exponential loss. Let $w_0$ be the part of $w$ orthogonal to all support vectors. It stays
# bounded and adds $\gamma^2\|w_0\|^2/(2\ln t)$ to the relative gap, which is again of order $1/\ln t$. If $w_0\ne0$ the angle closes
# like $1/\sqrt{\ln t}$, more slowly than before. If the support vectors span the space, as in the plane, $w_0=0$ and the angle
# closes like $1/\ln t$, with half the constant.
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
# $1-C/(\gamma\ln t)=0.999$ means $\ln t=1000\,C/\gamma$. Here $C/\gamma$ is {glue:text}`max_margin_relative`, so that $\log_{10}t$ is about
# {glue:text}`max_margin_ten999`. This is the leading term of the law.
# ````
#
# ```{exercise} A narrower street
# :label: exercise-max-margin-narrow
#
# Rerun the chapter with `margin = 0.25`, half of the default. What do you expect of the slope of $\|w\|$ in $\ln t$, and of the drawn set's multipliers?
# ```
#
# ```{solution} exercise-max-margin-narrow
# :class: dropdown
#
# $\|\hat w\|=1/\gamma$ doubles, so the norm grows twice as fast. The parts $v_i$ of the support vectors stay as they are, so the multipliers stay in the same ratio. Their sum is $\gamma^{-2}$, so each is four times as large, and each $c_i=-\ln(N\alpha_i)$ falls by $\ln4$. The ten points in the plane do not know of the parameter.
# ```
#
# ## Where to go next
#
# ```{next}
# The chapter on {doc}`diagonal networks <../initialization/diagonal_networks>` asks the same question of a regression, where training ends at a finite point and the initialization chooses it. Those on {doc}`random features <../wide_networks/f2_max_margin>` and on {doc}`training both layers <../wide_networks/f1_max_margin>` carry the maximum margin over to networks.
# ```
#
# ## References
#
# {cite:t}`soudry2018` prove the theorem for gradient descent and many losses; {cite:t}`gunasekar2018` say what other geometries lead to;
# {cite:t}`ji2019` treat data that are not separable; {cite:t}`lawson1974` is the solver's source.
