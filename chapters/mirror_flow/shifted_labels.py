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
# # Shifted labels turn a U into its mirror image
#
# Add the same number $c$ to all labels. Does a trained network follow? Its function moves up, but it also changes its shape: above the axis it opens like a U, below like a U turned over {cite}`liang2025`. The output bias that could carry the shift is one parameter among $n$; so the ramps carry it, and they are cheapest when they bend. How much it bends, the change of slope from one end to the other, is a straight line in $c$.
#
# $$\begin{gathered}h'(+\infty)-h'(-\infty)=q^\top K^{-1}(y+c\,\mathbf 1),\\
# q_i=\tfrac12\,\mathbb E|x_i-b|.\end{gathered}$$
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# The network $f(x)=\sum_{k=1}^na_k(w_kx-b_k)_++\beta$ starts from $a_k=\beta=0$, $w_k=\pm1$ and biases $b_k$, uniform on $[-B,B]$. All parameters follow {term}`gradient flow <gradient flow>` of the squared loss on the labels $y_i+c$. In the limit of many hidden units it learns the $h$ of least
#
# $$\begin{gathered}\mathcal G_1+\mathcal G_2+\mathcal G_3,\qquad h(x_i)=y_i+c,\\
# \mathcal G_3=\frac{\bigl(\int h''(x)|x|\,dx-2h(0)\bigr)^2}{\mathbb E\,b^2},\end{gathered}$$
#
# as {doc}`variational_problem` shows; $\mathcal G_1$ is the weighted curvature and $\mathcal G_2$ the square of $h'(\infty)+h'(-\infty)$. Neither of these two sees a constant. $\mathcal G_3$ does: it wants curvature where $h$ is above the axis, $\int h''|x|\,dx\approx2h(0)$. The *jump* of the slope is $h'(+\infty)-h'(-\infty)=\int h''$.

# %% tags=["hide-input"]
from functools import partial

import numpy as np
from IPython.display import HTML
from matplotlib import pyplot as plt
from scipy.optimize import brentq

from implicit_bias.data import BiasLaw, Samples
from implicit_bias.figures import style
from implicit_bias.figures.sliders import Panel, Slider
from implicit_bias.figures.spline_sliders import spline_sliders
from implicit_bias.flows import follow_mirror
from implicit_bias.limits.mirror import finite_element_spline, jump_line, ramp_spline
from implicit_bias.models.univariate import LevelledNetwork, drawn_units, placed_units
from implicit_bias.potentials import Quadratic
from reproduce.claims import Altered, Claims, Rival, refined, standard_error
from reproduce.claims.numbers import numbers

claims = Claims("shifted_labels")

style.use_style()

# %% [markdown]
# ## Theory
#
# ````{prf:proposition} The jump is linear in the shift
# :label: proposition-jump
#
# Let $K$ be the matrix of the kernel of {prf:ref}`proposition-mirror-kernel` at the data and $S=\mathbf 1^\top K^{-1}\mathbf 1$. The function learnt from $y+c$ has the jump $r\,c+j$ with $r=q^\top K^{-1}\mathbf 1$ and $j=q^\top K^{-1}y$; it changes its sign at $c=-j/r$.
#
# If the output bias moves $vn$ times as fast as the other parameters, the denominator of $\mathcal G_3$ becomes $\mathbb E\,b^2+4v$, and the line
#
# ```{math}
# :label: jump-freedom
# \frac{r\,c+j+v\,(jS-r\,\mathbf 1^\top K^{-1}y)}{1+vS}.
# ```
# ````
#
# ````{prf:proof}
# $h=\sum_i\lambda_ik(x_i,\cdot)$ with $K\lambda=y+c$, and $h''=\frac12p\sum_i\lambda_i|x-x_i|$, so that $\int h''=q^\top\lambda$. An output bias $\beta$ of speed $vn$ is a feature $\sqrt{vn}$ beside $n$ ramps, and adds $v$ to the kernel $\frac1n\sum_k(w_kx-b_k)_+(w_kz-b_k)_+$: $K$ becomes $K+v\mathbf 1\mathbf 1^\top$. The constant term of the kernel, $\frac14\mathbb E\,b^2$, becomes $\frac14(\mathbb E\,b^2+4v)$, and it is the one of $\mathcal G_3$. {eq}`jump-freedom` is the formula of Sherman and Morrison. $\square$
# ````
#
# At $v\to\infty$ the level is free, $\mathcal G_3$ is gone, and the jump no longer depends on $c$. The usual output bias has $v=1/n$: that is the leading correction of a network of finite width, and it is known.
#
# ## Experiment
#
# The biases stand at the quantiles of their law, each with both signs of $w$; independent biases follow as a claim. The jump of a network is $\sum_ka_k|w_k|$. The flow ends at a residual of $10^{-12}$.

# %% tags=["parameters"]
n: int = 4860  # number n of hidden units, a multiple of 6, in [2400, 50000]
reach: float = 2.0  # reach B of the biases, in [1.7, 2.3]
# because the points reach to 1.6 and must lie within the biases; near 2.6 the control tells nothing
draws: int = 24  # networks of independent biases, in [12, 500]
others: int = 6  # other data sets, in [3, 100]
seed: int = 0  # seed of the streams of the biases and of the other data, in [0, 4294967295]
# where n % 6 == 0

# %% tags=["hide-input"]
bias_stream, data_stream = np.random.default_rng(seed).spawn(2)
x = np.array([-1.5, -0.9, -0.3, 0.4, 1.0, 1.6])
# mutant(-0.15 → -0.22499999999999998; [… → [0.30000000000000004…): other labels
y = np.array([0.2, -0.2, 0.15, -0.1, 0.2, -0.15])
shifts = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])  # mutant(-2.0 → +2.0): another shift
law = BiasLaw(reach)


placed = partial(placed_units, law)  # w and b: the biases at the quantiles of their law


def trained(units, shift, freedom=None, data=(x, y)):
    """The network at the end of gradient flow on shifted labels, and its parameters; the output bias has the freedom v."""
    size = len(units[0])  # mutant: signs and biases are equally many
    level = 1.0 if freedom is None else np.sqrt(freedom * size)
    network = LevelledNetwork(Samples(data[0][:, None], data[1] + shift), *units, level=level)
    # mutant: the growth of the steps
    run = follow_mirror(network, Quadratic(), 2 / size, misfit=1e-12, growth=0.3)
    return network, run.final


def jumps(units, at=shifts, freedom=None, data=(x, y)):
    """f′(+∞) − f′(−∞) of the networks that learn the labels with these shifts."""
    return np.array([network.jump(theta) for network, theta in (trained(units, c, freedom, data) for c in at)])


# %%
line = jump_line(x, y, law)  # predict
at_quantiles = jumps(placed(n))  # train
numbers(  # compare
    ["shift c", "predicted change of slope", "of the network", "off by"],
    [
        [f"{c:+.0f}", f"{expected:+.5f}", f"{jump:+.5f}", abs(jump - expected)]
        for c, jump, expected in zip(shifts, at_quantiles, line.at(shifts), strict=True)
    ],
)

# %% tags=["hide-input"]
many = np.array([jumps(drawn_units(law, bias_stream, n)) for _ in range(draws)])
FREE = 1e6  # freedom of an output bias that counts as free
free = jumps(placed(n), freedom=FREE)
freedoms = np.array([0.0, 0.1, 0.3, 1.0, 3.0, 10.0])


freer = np.array([jumps(placed(n), freedom=freedom) for freedom in freedoms])
wide = np.linspace(-1.6 * reach, 1.6 * reach, 321)
learnt = []
for c in shifts:
    network, theta = trained(placed(n), c)
    learnt.append(network.output(theta, wide))

# %% mystnb={"figure": {"caption": "Left: what the network learns from the same six labels (dots), shifted by $c$; dashed, the predicted functions. All are drawn with $c$ taken away, through the same points: what is left is the change of shape. The data tilt all of them; against $c=0$ both ends bend up for $c>0$ and down for $c<0$. Right: the change of slope from the left end to the right one, against the shift: squares, biases at the quantiles; dots, independent biases, moved sideways to be told apart; dashed, the prediction. Grey: the output bias is free, and the third penalty gone.", "name": "figure-shifted"}, "image": {"alt": "Left: five curves through the same six points that part at both ends, up for positive and down for negative shifts. Right: points on a rising line that crosses zero between minus one and zero, and grey points on a level", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.6, 3.9))
for c, function, hue in zip(shifts, learnt, ("purple", "red", "grey", "sky", "blue"), strict=True):
    left.plot(wide, function - c, color=style.COLORS[hue], linewidth=4, label=f"$c={c:.0f}$")
    style.theory(left, wide, ramp_spline(x, y + c, law).predict(wide) - c)
left.plot(x, y, "o", color="black", markersize=6, zorder=6)
left.set(xlabel="$x$", ylabel="$f(x)-c$")
left.set_ylim(top=left.get_ylim()[1] * 1.5)
left.legend(loc="upper center", ncols=3, handlelength=1.2)
spread = np.linspace(-0.18, 0.18, draws)[:, None]
right.plot(shifts + spread + 0 * many, many, "o", color=style.COLORS["orange"], markersize=3)
right.plot(shifts, free, "-", color=style.COLORS["grey"], linewidth=4)
right.plot(shifts, at_quantiles, "s", color=style.COLORS["blue"], markersize=10, markerfacecolor="none",
           markeredgewidth=2)
ends = np.array([-2.3, 2.3])
style.theory(right, ends, line.at(ends), "predicted")
right.axhline(0, color="black", linewidth=0.6)
right.set(xlabel="shift $c$", ylabel="change of slope")
right.legend(loc="upper left")
plt.show()

# %% [markdown]
# Shift the labels yourself. The equations are solved in this page, each time anew, and the answer is proved: *misfit* is what the function misses of the data, and *gap* the distance, relative to the penalty, between the penalties of the drawn function, integrated, and the dual bound that no function can fall below. The dashed curve on the left is the function of $c=0$, moved up by $c$. The second slider frees the level, from $v=0$, the wide network of the theorem, to $v=1000$.

# %% tags=["hide-input"]
stops = np.round(np.linspace(-2, 2, 81), 2)
levels = np.concatenate([[0.0], np.round(np.geomspace(0.01, 1000, 26), 6)])
first = 60  # c = 1
spline = ramp_spline(x, y + stops[first], law)
edge = 1.6 * reach
HTML(spline_sliders("live-shifted-labels", x, y, reach,
                    [Slider("shift c", [f"{stop:+.2f}" for stop in stops], [float(stop) for stop in stops],
                            start=first),
                     Slider("freedom v", [f"{level:.3g}" for level in levels], [float(level) for level in levels])],
                    (Panel("least penalty", "x (dashed: c = 0, moved)", "h(x)",
                           [(-edge, ""), (-reach, "−B"), (0, "0"), (reach, "B"), (edge, "")],
                           [(-4, "−4"), (-2, "−2"), (0, "0"), (2, "2"), (4, "4")], wide[::4],
                           spline.predict(wide[::4])[None], fixed={"axis": ([-edge, edge], [0, 0])}),
                     Panel("change of slope", "shift c (dashed: v = 0)", "jump",
                           [(-2, "−2"), (-1, "−1"), (0, "0"), (1, "1"), (2, "2")],
                           [(-1.2, "−1.2"), (0, "0"), (1.2, "1.2")], [stops[first]], [[spline.jump]], dots=True,
                           fixed={"axis": ([-2, 2], [0, 0]), "v = 0 (dashed)": ([-2, 2], line.at([-2, 2]))})),
                    said={"jump": f"{spline.jump:.4f}", "penalty": f"{spline.value:.4f}", "misfit": "0", "gap": "0"}))

# %% [markdown]
# ## Headline claims
#
# Each box is a {term}`claim`: what theory predicts, what was measured, by how much they may differ and why.
#
# ```{claim} jump
# :headline: f′(+∞) − f′(−∞) for c = −2, −1, 0, 1, 2, n = {n}
# :source: Liang and Montúfar 2025, the third penalty
# :evidence: trained and compared
# :because: what a third of the hidden units changes of an error that falls like 1/n
# :contrast: an output bias that is free, 10⁶ n times as fast
# :rival: the problem without its third penalty
#
# the change of slope from end to end is linear in the shift of the labels
# ```
#
# ```{claim} turn
# :headline: shift at which the network is neither U nor its mirror image, n = {n}
# :source: Liang and Montúfar 2025, the third penalty
# :evidence: trained and compared
# :because: without an output bias, what a third of the hidden units changes of an error that falls like 1/n²;
#   over the slope of the line
# :contrast: an output bias as fast as all ramps together, v = 1
#
# the shape turns over at the predicted shift
# ```
#
# ```{claim} draws
# :headline: mean jump of {draws} networks of independent biases, c = −2, …, 2, n = {n}
# :source: Liang and Montúfar 2025, the third penalty
# :evidence: trained and compared
# :because: the standard error of the mean where it is largest, and what is left of 1/n at the quantiles
# :contrast: biases of a parabolic density
#
# with independent biases the mean change of slope is the predicted one
# ```
#
# ```{claim} freedom
# :headline: these jumps where the output bias is 0, 0.1, 0.3, 1, 3, 10 times as fast as all ramps together
# :evidence: trained and compared
# :because: what a third of the hidden units changes of an error that falls like 1/n²
# :contrast: the usual output bias, each time
#
# the faster the output bias, the less the shape depends on the shift
# ```

# %% tags=["hide-input"]
derived_coarse = jumps(placed(n // 3))
derived_freer = np.array([jumps(placed(n // 3), freedom=freedom) for freedom in freedoms])
derived_second = refined(freer[0], derived_freer[0], ratio=3, order=2)  # without an output bias
claims.limit("jump", line.at(shifts), at_quantiles, error=refined(at_quantiles, derived_coarse, ratio=3, order=1),
             control=free, rival=Rival([ramp_spline(x, y + c, law, (True, False)).jump for c in shifts], factor=100),
             fill={"n": n})


def turn(size):
    """The shift at which the network's jump is 0."""
    # mutant: the bracket of a root
    return brentq(lambda c: jumps(placed(size), [c])[0], -1, 0.5, xtol=1e-7)


turned = turn(n)
usual = jump_line(x, y, law, 1 / n)
claims.limit("turn", usual.turn, turned, error=derived_second / usual.rise,
             control=brentq(lambda c: jumps(placed(n), [c], 1.0)[0], -3, 3, xtol=1e-7), fill={"n": n})
other = np.array([jumps(drawn_units(BiasLaw(reach, "parabolic"), bias_stream, n)) for _ in range(draws // 3)])
claims.limit("draws", line.at(shifts), np.mean(many, axis=0),
             error=np.max(standard_error(many)) + refined(at_quantiles, derived_coarse, ratio=3, order=1),
             control=np.mean(other, axis=0), fill={"draws": draws, "n": n})
claims.limit("freedom", [jump_line(x, y, law, freedom).at(shifts) for freedom in freedoms], freer,
             error=refined(freer, derived_freer, ratio=3, order=2), control=np.tile(at_quantiles, (freedoms.size, 1)))

# %% [markdown]
# ## Instruments
#
# Other data, drawn, with the shifts $\pm1$; the leading correction of finite width; the jump by finite differences of the penalties, which know no kernel; a free level in two ways.
#
# ```{claim} others
# :evidence: trained and compared
# :because: what a third of the hidden units changes of an error that falls like 1/n
# :contrast: an output bias that is free
#
# for other labels at other places the change of slope is the predicted one, too
# ```
#
# ```{claim} width
# :evidence: trained and compared
# :because: without an output bias, what a third of the hidden units changes of an error that falls like 1/n²
# :control: no output bias
#
# the usual output bias, one parameter in n, is what a network of finite width lacks of the limit
# ```
#
# ```{claim} differences
# :evidence: float with residual
# :because: what half the cells changes, of second order
# :control: the second penalty left out
#
# minimizing the three penalties on a grid gives the same jumps
# ```
#
# ```{claim} free
# :evidence: trained and compared
# :because: what is left of the line in c at this speed, and what a third of the hidden units changes of an
#   error that falls like 1/n²
# :contrast: the usual output bias
#
# where the output bias is free, the network learns the problem without its third penalty, whatever the shift
# ```

# %% tags=["hide-input"]
datasets = [
    # mutant(0.2; 0.2 (2)): other data
    (np.linspace(-1.5, 1.5, 6) + data_stream.uniform(-0.2, 0.2, 6), 0.2 * data_stream.standard_normal(6))
    for _ in range(others)]
PAIR = np.array([-1.0, 1.0])  # mutant: other shifts


def jumps_of(size, freedom=None):
    """The jumps for the other data, one row a data set."""
    return np.array([jumps(placed(size), PAIR, freedom, data) for data in datasets])


elsewhere = jumps_of(n)
claims.limit("others", [jump_line(*data, law).at(PAIR) for data in datasets], elsewhere,
             error=refined(elsewhere, jumps_of(n // 3), ratio=3, order=1), control=jumps_of(n, FREE))
claims.limit("width", usual.at(shifts), at_quantiles, error=derived_second,
             control=Altered(at_quantiles, theory=line.at(shifts)))


def ends_apart(cells):
    """The jump of the function on a grid: slopes at both ends by differences of second order."""
    found = []
    for c in shifts:
        nodes, values = finite_element_spline(x, y + c, law, cells)
        step = nodes[1] - nodes[0]
        found.append((values[[-1, -2, -3]] + values[:3]) @ [1.5, -2, 0.5] / step)
    return np.array(found)


fine = ends_apart(800)
derived_rough = ends_apart(400)
claims.identity("differences", line.at(shifts), fine, error=refined(fine, derived_rough, ratio=2, order=2),
                control=Altered(fine, theory=[ramp_spline(x, y + c, law, (False, True)).jump for c in shifts]))
levelled = np.array([ramp_spline(x, y + c, law, (True, False)).jump for c in shifts])
derived_lines = [jump_line(x, y, law, speed).at(shifts) for speed in (FREE, FREE / 10)]
derived_left = refined(derived_lines[0], derived_lines[1], ratio=10, order=1)
derived_free = jumps(placed(n // 3), freedom=FREE)
claims.limit("free", levelled, free, error=derived_left + refined(free, derived_free, ratio=3, order=2),
             control=at_quantiles)

# %% [markdown]
# ## What would falsify it
#
# A jump that bends in $c$, or that does not turn over where it is predicted to. A network whose output bias is fast and whose shape still depends on the shift. Another jump of the function that minimizes the penalties on a grid.
#
# ## Differences from the paper
#
# - *Added.* The line in closed form and the shift at which it crosses zero; the paper shows five trained networks. The speed of the output bias as the price of the level, and the correction of finite width.
# - *Changed.* The loss is half of the slides' sum of squares, which changes the unit of time alone. The data are ours: those of the slides' figures are not published.
#
# ## Scope
#
# - Another start moves the axis: the labels count from $f(\cdot,\theta(0))$. A network that starts from an output bias of $c$ learns the function of $c=0$, moved up by $c$.
# - U and its mirror image are words for the sign of one number, $\int h''$. In between the function bends as the data ask, and these data tilt it as well.
# - One input, uniform biases, and six samples. One set of them is fixed and only shifted; of the others, which the seed draws, the jump alone is compared.
# - The biases reach at most to $2.3$ here: near $2.6$ the jump is almost the same for uniform and for parabolic biases, and the control with the latter would tell nothing.
#
# ## Exercises
#
# ````{exercise} One point
# :label: exercise-shifted-one
#
# Let there be one point, $x_1=0$, with the label $c$, and uniform biases. What is the jump?
# ````
#
# ````{solution} exercise-shifted-one
# :class: dropdown
#
# $k(0,0)=\frac14(\mathbb E\,b^2+\mathbb E\,b^2)=\frac12\cdot\frac{B^2}3$ and $q=\frac12\mathbb E|b|=\frac B4$, so that the jump is $\frac{6}{B^2}\cdot\frac B4\,c=\frac{3c}{2B}$: U above, its mirror image below.
# ````
#
# ````{exercise} How fast an output bias
# :label: exercise-shifted-fast
#
# At which $v$ does the jump depend on $c$ half as much as in the limit of wide networks?
# ````
#
# ````{solution} exercise-shifted-fast
# :class: dropdown
#
# At $v=1/S$, by {eq}`jump-freedom`. $S=\mathbf 1^\top K^{-1}\mathbf 1$ is the least penalty of a function that is $1$ at all data.
# ````
#
# ## References
#
# The three penalties and their reading are those of {cite:t}`liang2025`; without the second and third they are those of {cite:t}`jin2023`.
