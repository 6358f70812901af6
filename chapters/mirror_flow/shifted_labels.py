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
# # Raise all labels far enough and a wide network bends up, if its kinks are spread evenly
#
# ```{question}
# ```
#
# We train a ReLU network with {glue:text}`shifted_n` hidden units and evenly spread kinks on six points whose labels lie between −0.1 and 0.15, and add the same number $c$ to all labels. With $c=2$ it opens like a U, and from the far left to the far right its slope grows by {glue:text}`shifted_up_m`. With $c=-2$ it is a U turned over, with a slope that falls by {glue:text}`shifted_down_m`.
#
# Why? Each hidden unit is a ramp that rises from its kink, so labels far above zero pull the output weights up on balance. With $c=2$ a third of them still end below zero, so their sum need not rise. We prove that it does if the kinks are spread evenly, and this sum is the change of slope. The output bias could carry the shift without bending, but it is one parameter beside {glue:text}`shifted_n` ramps.
#
# ```{hero}
# ```
#
# ## The statement
#
# The network is $f(x)=\sum_{k=1}^na_k(w_kx-b_k)_++\beta$ with $n$ hidden units. It starts at $a_k=\beta=0$, with $w_k=1$ for half of the units and $w_k=-1$ for the others, and with kinks $b_k/w_k$ that are uniform on $[-B,B]$, here $B=$ {glue:text}`shifted_B`. All parameters follow {term}`gradient flow <gradient flow>` of the squared loss on the labels $y_i+c$ at the $M$ inputs $x_i$ in $[-B,B]$. A wide network of this kind trains in the {term}`lazy regime`, so as $n\to\infty$ it learns the function $h$ of kernel regression with the kernel of the ramps. Its *change of slope* is $h'(+\infty)-h'(-\infty)$, and we prove that it is a rising straight line in the shift:
#
# $$\begin{gathered}h'(+\infty)-h'(-\infty)=r\,c+j,\\[2pt]
# r=q^\top K^{-1}\mathbf 1>0,\qquad j=q^\top K^{-1}y .\end{gathered}$$
#
# Here $r$ is the change per unit of shift and $j$ the change without a shift, $\mathbf 1$ is the vector of $M$ ones, $K_{ik}=\mathbb E\bigl[(wx_i-b)_+(wx_k-b)_+\bigr]$ is the kernel matrix of the ramps, a mean over the random kink and sign of a unit, and $q_i=\frac12\mathbb E|x_i-b|$. Since $r>0$ whatever the inputs are, and $r$ does not depend on the labels, a large enough positive shift gives every such network a positive change of slope, and a large enough negative one a negative change. How large depends on inputs and labels, and $r$ has no positive lower bound: with two samples at a distance $d$ at one end of $[-B,B]$ it is about $d/B^2$ ({ref}`exercise-shifted-close`). (In places such a function may still curve the other way, and here it does.) The change of slope is zero at $c=-j/r$.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast |
# |---|---|---|---|
# | [change of slope](jump), labels shifted by $c=2$ | {glue:text}`shifted_up_p` | {glue:text}`shifted_up_m_signed` | free output bias: {glue:text}`shifted_up_free` |
# | [change of slope](jump), labels shifted by $c=-2$ | {glue:text}`shifted_down_p` | {glue:text}`shifted_down_m_signed` | free output bias: {glue:text}`shifted_down_free` |
# | [shift](turn) at which the change of slope is zero, predicted for {glue:text}`shifted_n` units | {glue:text}`shifted_turn_p` | {glue:text}`shifted_turn_m` | output bias as fast as all ramps together: {glue:text}`shifted_turn_fast` |
# | [change of slope per unit of shift](rise), least of {glue:text}`shifted_sets` random data sets (positive: proved; two computations, by the proof and by $K^{-1}$) | {glue:text}`shifted_rise_p` | {glue:text}`shifted_rise_m` | kinks of parabolic density: {glue:text}`shifted_rise_parabolic` |
# ```
#
# The first three rows are one data set, with inputs and kinks that are not drawn, so a seed does not change them. The first two are predicted for infinite width. Other labels at other inputs, and networks with random kinks, are among the claims. In the last row nothing is trained, and the random sets keep their samples apart. The usual output bias is one parameter among the others. We call it *free* if it moves a million times as fast as all ramps together.
#
# **What to remember?** A wide network does not treat zero as one value among others. If all labels are raised, the sum of the output weights rises (kinks spread evenly), and this sum is how much the function bends in all. If this is not wanted, center the labels or let the output bias move faster: once it moves as fast as all ramps together, the shift has only {glue:text}`shifted_left` of its effect here, the share $1/(1+S)$ of {eq}`jump-freedom`.
#
# ## The smallest case
#
# Take one sample at $x_1=0$ with the label $c$. The output weight $a_k$ moves at a rate proportional to its ramp at the sample, $(w_k\cdot0-b_k)_+=(-b_k)_+$, because this is the derivative of the output with respect to $a_k$. So at the end $a_k=\frac{\lambda}n(-b_k)_+$ with one number $\lambda$ for all units, as long as the kinks move little, and they do in a wide network. The label asks for
#
# $$c=\sum_ka_k(-b_k)_+\to\lambda\,\mathbb E\,(-b)_+^2=\lambda\,\frac{B^2}6 .$$
#
# Every output weight that moves has the sign of $c$. The change of slope is the sum of all of them, because each ramp adds its own $a_k$ on one side only:
#
# $$\sum_ka_k\to\lambda\,\mathbb E\,(-b)_+=\lambda\,\frac B4=\frac{3}{2B}\,c .$$
#
# So $r=\frac3{2B}$, which is $\frac34$ for $B=2$. With several samples the weights need not have one sign. On the six points of the experiment, raising $c$ pulls a third of the ramps down. So that $r$ is positive has to be proved.
#
# ## Experiment
#
# The inputs lie symmetrically about zero and the labels are even in $x$, so nothing tilts the function. The kinks stand at the quantiles of their law, each with both signs of $w$, and training ends at a residual of $10^{-12}$. The change of slope of a network is $\sum_ka_k|w_k|$.

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
from implicit_bias.limits.mirror import jump_line, ramp_kernel, ramp_spline
from implicit_bias.models.univariate import LevelledNetwork, drawn_units, placed_units
from implicit_bias.potentials import Quadratic
from reproduce.claims import Altered, Claims, Rival, refined, rounding, standard_error
from reproduce.claims.glued import glue_all

claims = Claims("shifted_labels")

style.use_style()

# %% tags=["parameters"]
n: int = 4860  # number n of hidden units, a multiple of 6, in [2400, 50000]
reach: float = 2.0  # reach B of the kinks, in [1.7, 2.3]
# because the points reach to 1.6 and must lie within the kinks; near 2.6 the control tells nothing
draws: int = 24  # networks of independent kinks, in [12, 500]
others: int = 6  # other data sets, in [3, 100]
seed: int = 0  # seed of the streams of the kinks and of the other data, in [0, 4294967295]
# where n % 6 == 0

# %% tags=["hide-input"]
bias_stream, data_stream = np.random.default_rng(seed).spawn(2)
x = np.array([-1.4, -0.8, -0.25, 0.25, 0.8, 1.4])
y = np.array([0.15, 0.1, -0.1, -0.1, 0.1, 0.15])
shifts = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])  # mutant(-2.0 → +2.0): another shift
law = BiasLaw(reach)
placed = partial(placed_units, law)  # w and b: the kinks at the quantiles of their law


# %%
def trained(units, shift, freedom=None, data=(x, y)):
    """The network after gradient flow on shifted labels, and its parameters.

    The output bias is v times as fast as all ramps together; None: it is as fast as one.
    """
    size = len(units[0])  # mutant: signs and kinks are equally many
    level = 1.0 if freedom is None else np.sqrt(freedom * size)
    samples = Samples(data[0][:, None], data[1] + shift)
    network = LevelledNetwork(samples, *units, level=level)
    # mutant: the growth of the steps
    run = follow_mirror(network, Quadratic(), 2 / size, misfit=1e-12, growth=0.3)
    return network, run.final


def jumps(units, at=shifts, freedom=None, data=(x, y)):
    """f′(+∞) − f′(−∞) of the networks that learn the labels with these shifts."""
    ends = (trained(units, c, freedom, data) for c in at)
    return np.array([network.jump(theta) for network, theta in ends])


line = jump_line(x, y, law)  # predict: r c + j
at_quantiles = jumps(placed(n))  # train
for c, expected, jump in zip(shifts, line.at(shifts), at_quantiles, strict=True):  # compare
    print(f"c = {c:2.0f}   change of slope: predicted {expected:+.4f}",
          f"  measured {jump:+.4f}")

# %% tags=["hide-input"]
FREE = 1e6  # freedom of an output bias that counts as free
free = jumps(placed(n), freedom=FREE)
wide = np.linspace(-1.6 * reach, 1.6 * reach, 321)
learned = [network.output(theta, wide) for network, theta in (trained(placed(n), c) for c in shifts)]

# %% mystnb={"figure": {"caption": "On these points labels far above zero open the curve like a U, labels far below zero turn it over. (a) What the network learns from the same six labels (dots), shifted by $c$. Black dashed: predicted. Dotted, at $c=\\pm2$: the curve of $c=0$, moved. Ticks: the ends of the kinks. (b) The change of slope from the far left to the far right against the shift. Squares: the five networks of (a). Black dashed: predicted. Orange: the same networks with an output bias $10^6$ times as fast as all ramps together. They learn one and the same shape, moved up or down. (At $c=0$ they differ from the square, because lifting the curve costs them nothing.)", "name": "figure-shifted"}, "image": {"alt": "Left: five curves through the same six points at five heights, a U on top, a U turned over at the bottom, nearly flat ends in between. Right: five squares on a rising dashed line that crosses zero near zero, and an orange level line.", "classes": "panels-2"}} tags=["hero", "hide-input"]
left, right = style.panels(2, (9.8, 4.4))
for c, function, jump, hue in zip(shifts, learned, at_quantiles, ("purple", "red", "grey", "sky", "blue"), strict=True):
    left.plot(wide, function, color=style.COLORS[hue], linewidth=4)
    style.theory(left, wide, ramp_spline(x, y + c, law).predict(wide))
    left.plot(x, y + c, "o", color="black", markersize=5, zorder=6)
    left.text(wide[-1] + 0.1, function[-1], f"c = {c:+.0f}".replace("-", "−") if c else "c = 0", color=style.COLORS[hue], va="center", weight="bold")
    right.plot(c, jump, "s", color=style.COLORS[hue], markersize=10)
left.plot(wide, (learned[2] + shifts[[0, -1], None]).T, ":", color="0.35", linewidth=1.6)
left.plot([-reach, reach], [0, 0], "|-", color="black", markersize=12, linewidth=0.6)
left.text(0, 2.6, "labels above 0: opens up", color=style.COLORS["blue"], ha="center")
left.text(0, -2.75, "labels below 0: opens down", color=style.COLORS["purple"], ha="center")
left.set(xlabel="input $x$", ylabel="learned function $f(x)$", xlim=(-1.65 * reach, 2.15 * reach), title="(a) one data set, five shifts")
ends = np.array([-2.4, 2.4])
right.plot(ends, np.interp(ends, shifts, free), "-", color=style.COLORS["orange"], linewidth=2, zorder=1)
right.text(2.4, free[-1] + 0.06, "output bias free", color="#a87400", ha="right")
style.theory(right, ends, line.at(ends))
right.text(0.75, line.at(0.95), "predicted ", ha="right")
right.axhline(0, color="black", linewidth=0.6)
right.set(xlabel="shift $c$ of the labels", ylabel="change of slope", title="(b) the change of slope")
plt.show()

# %% [markdown]
# Shift the labels yourself. The page solves the equations anew with each move and proves its answer. *Misfit* is what the function misses of the data, and *gap* is the relative distance between its penalty and a bound that no function can fall below. The dashed curve on the left is the function of $c=0$, moved up by $c$. The second slider, $v$, says how fast the output bias moves, as a multiple of the speed of all ramps together. It is 0 in the limit of wide networks.

# %% tags=["hide-input"]
stops = np.round(np.linspace(-2, 2, 81), 2)
levels = np.concatenate([[0.0], np.round(np.geomspace(0.01, 1000, 26), 6)])
first = 60  # c = 1
spline = ramp_spline(x, y + stops[first], law)
edge = 1.6 * reach
HTML(spline_sliders("live-shifted-labels", x, y, reach,
                    [Slider("shift c", [f"{stop:+.2f}" for stop in stops], [float(stop) for stop in stops],
                            start=first),
                     Slider("speed v", [f"{level:.3g}" for level in levels], [float(level) for level in levels])],
                    (Panel("least penalty", "x (dashed: c = 0, moved)", "h(x)",
                           [(-edge, ""), (-reach, "−B"), (0, "0"), (reach, "B"), (edge, "")],
                           [(-4, "−4"), (-2, "−2"), (0, "0"), (2, "2"), (4, "4")], wide[::4],
                           spline.predict(wide[::4])[None], fixed={"axis": ([-edge, edge], [0, 0])}),
                     Panel("change of slope", "shift c (dashed: v = 0)", "change of slope",
                           [(-2, "−2"), (-1, "−1"), (0, "0"), (1, "1"), (2, "2")],
                           [(-1.2, "−1.2"), (0, "0"), (1.2, "1.2")], [stops[first]], [[spline.jump]], dots=True,
                           fixed={"axis": ([-2, 2], [0, 0]), "v = 0 (dashed)": ([-2, 2], line.at([-2, 2]))})),
                    said={"change of slope": f"{spline.jump:.4f}", "penalty": f"{spline.value:.4f}", "misfit": "0", "gap": "0"}))

# %% [markdown]
# ## Theory
#
# Where does the bending come from? The wide network learns the function $h$ with $h(x_i)=y_i+c$ of least $\mathcal G_1+\mathcal G_2+\mathcal G_3$, as {doc}`variational_problem` shows. $\mathcal G_1=\int(h'')^2/p$ penalizes curvature, with $p$ the density of the kinks, and $\mathcal G_2=(h'(\infty)+h'(-\infty))^2$ penalizes a tilt. Neither of them notices a constant. The third one does:
#
# $$\mathcal G_3=\frac{\bigl(\int h''(x)|x|\,dx-2h(0)\bigr)^2}{\mathbb E\,b^2}.$$
#
# It is small if $\int h''|x|\,dx$ is close to $2h(0)$, so where $h$ is above zero it asks for positive curvature. {cite:t}`liang2025` read it in this way and show five trained networks. The propositions that follow are ours.
#
# ````{prf:proposition} The change of slope is linear in the shift
# :label: proposition-jump
#
# Let the kinks have an even, continuous density $p$ on $[-B,B]$, positive inside, let the $x_i\in[-B,B]$ be different, and let $h$ be the function of least $\mathcal G_1+\mathcal G_2+\mathcal G_3$ with $h(x_i)=y_i+c$. Then $h'(+\infty)-h'(-\infty)=r\,c+j$ with $r=q^\top K^{-1}\mathbf 1$ and $j=q^\top K^{-1}y$.
#
# If the output bias moves $vn$ times as fast as the other parameters, the denominator of $\mathcal G_3$ becomes $\mathbb E\,b^2+4v$. With $S=\mathbf 1^\top K^{-1}\mathbf 1$ the change of slope is then
#
# ```{math}
# :label: jump-freedom
# \frac{r\,c+j+v\,(jS-r\,\mathbf 1^\top K^{-1}y)}{1+vS}.
# ```
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# By {prf:ref}`proposition-mirror-kernel`, $h=\sum_i\lambda_ik(x_i,\cdot)$ with $K\lambda=y+c\,\mathbf 1$, and $h''=\frac12p\sum_i\lambda_i|x-x_i|$. So $\int h''=q^\top\lambda$. An output bias $\beta$ of speed $vn$ is a feature $\sqrt{vn}$ beside $n$ ramps, and adds $v$ to the kernel $\frac1n\sum_k(w_kx-b_k)_+(w_kz-b_k)_+$. So $K$ becomes $K+v\mathbf 1\mathbf 1^\top$, and the constant term of the kernel, $\frac14\mathbb E\,b^2$, becomes $\frac14(\mathbb E\,b^2+4v)$. This term is the one of $\mathcal G_3$. {eq}`jump-freedom` is the formula of Sherman and Morrison. $\square$
# ````
#
# ````{prf:proposition} Higher labels bend up on balance
# :label: proposition-rise
#
# Let the kinks be uniform on $[-B,B]$. Then $r>0$ for all $M\ge1$ and all different $x_1,\dots,x_M\in[-B,B]$.
# ````
#
# The idea is to read $r$ as a correlation. Give the network random output weights. Among the random functions that vanish at all samples, $r$ is up to a negative factor the covariance of the change of slope with the level of the function, and we show that this covariance is negative.
#
# ````{prf:proof}
# :class: dropdown
#
# *A covariance.* Let $f(x)=\frac12\int|x-b|\,dG(b)+\frac12Tx+C$ be a random function, with $G$ white noise of variance $p\,db$, $T$ standard normal and $C$ normal with variance $\frac14\mathbb E\,b^2$, all independent. Its covariance is $k$. For its change of slope $J=\int dG$ we have $\operatorname{Cov}(J,f(x_i))=q_i$, for its level $\operatorname{Cov}(C,f(x_i))=\frac14\mathbb E\,b^2$, and $\operatorname{Cov}(J,C)=0$. So under the condition $f(x_1)=\dots=f(x_M)=0$
#
# $$\operatorname{Cov}(J,C\mid0)=-\tfrac14\mathbb E\,b^2\;q^\top K^{-1}\mathbf 1=-\tfrac14\mathbb E\,b^2\;r ,$$
#
# and $r>0$ says that $J$ and $C$ are negatively correlated. For $M=1$, $r=q_1/K_{11}>0$. Let $M\ge2$, $x_1<\dots<x_M$ and, by scaling, $B=1$.
#
# *Leaving out the density of $C$.* To multiply a normal density by $e^{-sZ^2/2}$ turns $\operatorname{Cov}(X,Y)$ into $\operatorname{Cov}(X,Y)-\frac{s}{1+s\operatorname{Var}Z}\operatorname{Cov}(X,Z)\operatorname{Cov}(Y,Z)$. With $Z=Y=C$ this is a positive factor, so for the sign we may leave out the density of $C$ and let $C$ be free. We also let $T$ be free for now. Then $f''$ is white noise of variance $\frac12$ on $[-1,1]$ with free initial value and slope, and given the zeros the parts left of $x_1$, between $x_1$ and $x_M$, and right of $x_M$ are independent but for the slopes $\sigma_1=f'(x_1)$ and $\sigma_M=f'(x_M)$, which the middle part decides. With $\int_L$ and $\int_R$ over $[-1,x_1]$ and $[x_M,1]$
#
# $$\begin{aligned}J&=\sigma_M-\sigma_1+\textstyle\int_Rf''+\int_Lf'',\\T&=\sigma_M+\sigma_1+\textstyle\int_Rf''-\int_Lf'',\\2C&=f(1)+f(-1)-J\\&=-x_M\sigma_M-x_1\sigma_1\\&\quad-\textstyle\int_Rxf''+\int_Lxf''.\end{aligned}$$
#
# *Covariances.* Let $m=\frac{x_1+x_M}2$, $\ell=\frac{x_M-x_1}2$, $P=\operatorname{Var}(\sigma_M+\sigma_1)$, $D=\operatorname{Var}(\sigma_M-\sigma_1)$ and $\delta=\operatorname{Var}\sigma_M-\operatorname{Var}\sigma_1=\operatorname{Cov}(\sigma_M+\sigma_1,\sigma_M-\sigma_1)$. Then
#
# $$\begin{aligned}-\operatorname{Cov}(J,2C)&=m\delta+\ell D+\tfrac12(1-m^2-\ell^2),\\\operatorname{Cov}(T,2C)&=-mP-\ell\delta+m\ell,\\\operatorname{Cov}(J,T)&=\delta-m,\\\operatorname{Var}T&=P+1-\ell .\end{aligned}$$
#
# Now we give $T$ its density again, $Z=T$ and $s=1$. The covariance of $J$ and $2C$ becomes $-N/(1+\operatorname{Var}T)$ with
#
# ```{math}
# :label: rise-numerator
# \begin{aligned}N&=\ell(PD-\delta^2)+\tfrac12(1+m^2-\ell^2)P\\&\quad+(2-\ell)\ell D+(2+\ell)m\delta\\&\quad+\tfrac12(2-\ell)(1-m^2-\ell^2)-m^2\ell .\end{aligned}
# ```
#
# *Positive.* $PD\ge\delta^2$ by Cauchy and Schwarz. Between two neighbouring zeros at a distance $g$ the slope at one of them has at most the variance $\frac12\cdot\frac g3$, because the energy $\int(f'')^2$ of a cubic with the slopes $\sigma,\sigma'$ at its ends is $\frac4g(\sigma^2+\sigma\sigma'+\sigma'^2)\ge\frac3g\sigma^2$, and further zeros only lower the variance. As $g\le2\ell$, $|\delta|\le\frac\ell3$. And $|m|\le1-\ell$, because the samples lie in $[-1,1]$. So the terms without $P$ and $D$ are at least $\frac12(2-\ell)(1-m^2-\ell^2)-m^2\ell-(2+\ell)|m|\frac\ell3$. This falls with $|m|$, and at $|m|=1-\ell$ it is $\frac13\ell(1-\ell)^2\ge0$. As $(2-\ell)\ell D>0$, $N>0$. $\square$
# ````
#
# The proof gives $r$ itself, by the variances of two slopes in place of $K^{-1}$, and the claim `rise` compares the two on random data sets. The proof bounds $r$ by zero and by nothing above it. Indeed two samples at $-B$ and $-B+\frac1{10}$ have $r=$ {glue:text}`shifted_close`, so all labels must be raised by tens to change the slope by one. Is $r>0$ for every even law of the kinks? No:
#
# ````{prf:proposition} Where higher labels bend down
# :label: proposition-fall
#
# Let $B=1$, and let the kinks sit at $\pm\frac1{10}$ with equal odds, as often with $w=1$ as with $w=-1$. For samples at $-1$, $\frac1{20}$ and $\frac15$, $r=-\frac{40}{73}$. There are also even, continuous densities, positive on $[-1,1]$, with $r<0$ for these samples.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# By least norm $r$ is the sum of the output weights of least sum of squares with which the four ramps $(x-\frac1{10})_+$, $(x+\frac1{10})_+$, $(-x-\frac1{10})_+$, $(-x+\frac1{10})_+$ give $1$ at all samples. The samples $\frac15$, $\frac1{20}$ and $-1$ leave one number $t$ free: the weights are $10-3t$, $t$, $\frac{11t-70}3$ and $20-3t$, and their sum is $\frac{20-4t}3$. The sum of the squares is least at $t=\frac{395}{73}$, so $r=-\frac{40}{73}$.
#
# $K$ and $q$ are means of continuous functions of the kink, and here $K$ is invertible. So $r$ changes continuously with the law, and densities that are concentrated enough near $\pm\frac1{10}$ have $r<0$ as well. $\square$
# ````
#
# What bends this network down? The sample at $\frac1{20}$ lies between the two places of kinks. Only two ramps that are small there can lift it, so they get large positive weights and overshoot the other two samples. The other two ramps pull these down again, by more. On the random data sets the parabolic density behaves like the uniform one, with $r\ge$ {glue:text}`shifted_rise_parabolic`.
#
# ## How fast, exactly
#
# The usual output bias is as fast as one ramp. It has $v=1/n$, and {eq}`jump-freedom` at this $v$ is the leading correction of a network of finite width with its kinks at the quantiles. (Random kinks scatter by the order $n^{-1/2}$, which is more.) It explains what the network above lacks: predicted for $n=$ {glue:text}`shifted_n` is a change of slope of {glue:text}`shifted_usual_p` at $c=2$, measured {glue:text}`shifted_usual_m`, and {glue:text}`shifted_up_p5` in the limit. At $v\to\infty$ the level is free, $\mathcal G_3$ is gone, and the change of slope no longer depends on $c$. In between it depends on $c$ by $r/(1+vS)$. The table shows the network at $c=2$.

# %%
freedoms = np.array([0.0, 0.1, 0.3, 1.0, 3.0, 10.0])
freer = np.array([jumps(placed(n), freedom=freedom) for freedom in freedoms])  # train
slower = [jump_line(x, y, law, freedom) for freedom in freedoms]  # predict
for v, row, expected in zip(freedoms, freer, slower, strict=True):  # compare
    print(f"v = {v:4.1f}   at c = 2: predicted {expected.at(2.0):.5f}",
          f"  measured {row[-1]:.5f}")

# %% tags=["hide-input"]
derived_coarse = jumps(placed(n // 3))
derived_freer = np.array([jumps(placed(n // 3), freedom=freedom) for freedom in freedoms])
derived_second = refined(freer[0], derived_freer[0], ratio=3, order=2)  # without an output bias
usual = jump_line(x, y, law, 1 / n)


def turn(freedom=None):
    """The shift at which the network's jump is 0."""
    # mutant: the bracket of a root
    return brentq(lambda c: jumps(placed(n), [c], freedom)[0], -3, 3, xtol=1e-7)


def rise(places, one):
    """r = qᵀK⁻¹1."""
    mass, first, _ = one.partial_moments(places)
    return (places * (mass - 0.5) - first) @ np.linalg.solve(ramp_kernel(places, places, one), np.ones_like(places))


def rise_by_slopes(places):
    """r by the proof: the variances of the two outer slopes of a random function that vanishes at the places."""
    z = places / reach
    gaps = np.diff(z)
    energy = np.zeros((len(z), len(z)))
    for i, gap in enumerate(gaps):
        energy[i : i + 2, i : i + 2] += np.array([[8, 4], [4, 8]]) / gap
    outer = np.linalg.inv(energy)[np.ix_([0, -1], [0, -1])]
    m, ell, (first, last) = (z[0] + z[-1]) / 2, (z[-1] - z[0]) / 2, np.diag(outer)
    plus, minus, delta = outer.sum(), first + last - 2 * outer[0, 1], last - first
    top = (ell * (plus * minus - delta**2) + (1 + m**2 - ell**2) * plus / 2 + (2 - ell) * ell * minus
           + (2 + ell) * m * delta + (2 - ell) * (1 - m**2 - ell**2) / 2 - m**2 * ell)
    level = z[[0, -1]] @ outer @ z[[0, -1]] + (2 + z[0] ** 3 - z[-1] ** 3) / 6
    level -= (m * plus + ell * delta - m * ell) ** 2 / (2 - ell + plus)
    return 6 * top / ((2 - ell + plus) * (1 + 3 * level)) / reach


SETS = 300
parabolic = BiasLaw(reach, "parabolic")
# mutant: other data
gaps = [0.1 + data_stream.uniform(size=size) for size in data_stream.integers(3, 8, SETS)]
# mutant: other data
spaced = [reach * (2 * np.cumsum(gap)[:-1] / gap.sum() - 1) for gap in gaps]
rises = np.array([[rise(at, one) for one in (law, parabolic)] for at in spaced])
by_slopes = np.array([rise_by_slopes(at) for at in spaced])
turned, turned_fast = turn(), turn(1.0)
signed = {"up_p": line.at(2.0), "up_free": free[-1], "down_p": line.at(-2.0), "down_free": free[0], "turn_p": usual.turn, "turn_m": turned,
          "turn_fast": turned_fast, "up_m_signed": at_quantiles[-1], "down_m_signed": at_quantiles[0]}
glue_all("shifted", **{name: (f"{value:.4f}" if "turn" in name else f"{value:+.3f}").replace("-", "−") for name, value in signed.items()})
glue_all("shifted", ".3f", up_m=at_quantiles[-1], down_m=-at_quantiles[0])
glue_all("shifted", ".4f", rise_p=by_slopes.min(), rise_m=rises[:, 0].min(), rise_parabolic=rises[:, 1].min())
glue_all("shifted", ".5f", usual_p=usual.at(2.0), usual_m=at_quantiles[-1], up_p5=line.at(2.0))
glue_all("shifted", n=f"{n:,}", B=f"{reach:g}", sets=str(SETS), left=f"{100 * slower[3].rise / line.rise:.0f} %",
         close=f"{rise(np.array([-reach, 0.1 - reach]), law):.3f}")

# %% [markdown]
# ## Instruments
#
# The claims in full, each with its allowed error and its contrast. The first four answer for the table. Then follow networks with random kinks, other data that the seed draws, and the leading correction of finite width. A {term}`claim` must hold within its allowed error, and its contrast must not. All but *rise* compare a prediction with trained networks. *rise* compares two computations of $r$, of which one is the proof of {prf:ref}`proposition-rise` in numbers.
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
# ```{claim} rise
# :headline: change of slope per unit of shift, {sets} random data sets, uniform kinks
# :evidence: float with residual
# :because: rounding of the equations of the kernel, by the largest condition number
# :contrast: kinks of a parabolic density
#
# the change of slope per unit of shift is the one of the proof, and positive
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
#
# ```{claim} draws
# :source: Liang and Montúfar 2025, the third penalty
# :evidence: trained and compared
# :because: the standard error of the mean where it is largest, and what is left of 1/n at the quantiles
# :contrast: kinks of a parabolic density
#
# with independent kinks the mean change of slope is the predicted one
# ```
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

# %% tags=["hide-input"]
claims.limit("jump", line.at(shifts), at_quantiles, error=refined(at_quantiles, derived_coarse, ratio=3, order=1),
             control=free, rival=Rival([ramp_spline(x, y + c, law, (True, False)).jump for c in shifts], factor=100),
             fill={"n": n})
claims.limit("turn", usual.turn, turned, error=derived_second / usual.rise, control=turned_fast, fill={"n": n})
claims.identity(  # tolerance: rounding at worst
    "rise", by_slopes, rises[:, 0], control=rises[:, 1], fill={"sets": SETS},
    error=rounding(condition=max(np.linalg.cond(ramp_kernel(at, at, law)) for at in spaced)))
claims.limit("freedom", [one.at(shifts) for one in slower], freer,
             error=refined(freer, derived_freer, ratio=3, order=2), control=np.tile(at_quantiles, (freedoms.size, 1)))
many, other = (np.array([jumps(drawn_units(one, bias_stream, n)) for _ in range(count)])
               for one, count in ((law, draws), (parabolic, draws // 3)))
claims.limit("draws", line.at(shifts), np.mean(many, axis=0),
             error=np.max(standard_error(many)) + refined(at_quantiles, derived_coarse, ratio=3, order=1),
             control=np.mean(other, axis=0))
datasets = [
    # mutant(0.2): other data
    (np.linspace(-1.5, 1.5, 6) + data_stream.uniform(-0.2, 0.2, 6), 0.2 * data_stream.standard_normal(6))
    for _ in range(others)]
PAIR = np.array([-1.0, 1.0])


def jumps_of(size, freedom=None):
    """The jumps for the other data, one row a data set."""
    return np.array([jumps(placed(size), PAIR, freedom, data) for data in datasets])


elsewhere = jumps_of(n)
claims.limit("others", [jump_line(*data, law).at(PAIR) for data in datasets], elsewhere,
             error=refined(elsewhere, jumps_of(n // 3), ratio=3, order=1), control=jumps_of(n, FREE))
claims.limit("width", usual.at(shifts), at_quantiles, error=derived_second,
             control=Altered(at_quantiles, theory=line.at(shifts)))

# %% [markdown]
# ## What would falsify it
#
# A change of slope that is no straight line in $c$, or that is zero at another shift than the predicted one. Inputs in $[-B,B]$ and uniform kinks for which higher labels lower the change of slope, which would be an error in {prf:ref}`proposition-rise`. A network whose output bias is fast and whose shape still depends on the shift.
#
# ## Differences from the paper
#
# - *Added.* The line in closed form, the proof that it rises, and the shift at which it crosses zero. The effect of a faster output bias, and the correction of finite width. The paper shows five trained networks.
# - *Changed.* The loss is half of the slides' sum of squares, which changes the unit of time alone. The data are ours: those of the slides' figures are not published.
#
# ## Scope
#
# - Another start moves the axis, because the labels count from the initial output. A network that starts from an output bias of $c$ learns the function of $c=0$, moved up by $c$.
# - The change of slope is one number. Between the samples the function bends as the data ask, and data that are not even tilt it as well.
# - One input, and {prf:ref}`proposition-rise` for uniform kinks. For kinks crowded at two places it fails ({prf:ref}`proposition-fall`). Also for uniform kinks $r$ can be as small as you like, and then only a very large shift, of the order $|j|/r$, decides which way the function bends. The picture is of one data set. Of the others, which the seed draws, only the change of slope is compared.
# - The kinks can be made to reach to $B=2.3$ at most (parameter `reach`). Near $2.6$ the change of slope is almost the same for uniform and for parabolic kinks, and the contrast with the latter would tell nothing.
#
# ## Exercises
#
# ````{exercise} A sample off the center
# :label: exercise-shifted-one
#
# Let there be one sample, at $x_1\in[-B,B]$, with the label $c$, and uniform kinks. What is the change of slope? Where is it largest?
# ````
#
# ````{solution} exercise-shifted-one
# :class: dropdown
#
# $K_{11}=\mathbb E(wx_1-b)_+^2=\frac12\mathbb E(x_1-b)^2=\frac12\bigl(x_1^2+\frac{B^2}3\bigr)$ and $q_1=\frac12\mathbb E|x_1-b|=\frac{x_1^2+B^2}{4B}$, so the change of slope is
#
# $$\frac{q_1}{K_{11}}\,c=\frac{x_1^2+B^2}{2B\,(x_1^2+B^2/3)}\,c .$$
#
# It is largest at $x_1=0$, where it is $\frac{3c}{2B}$, and half as large at $x_1=\pm B$.
# ````
#
# ````{exercise} How fast an output bias
# :label: exercise-shifted-fast
#
# At which $v$ does the change of slope depend on $c$ half as much as in the limit of wide networks?
# ````
#
# ````{solution} exercise-shifted-fast
# :class: dropdown
#
# At $v=1/S$, by {eq}`jump-freedom`. $S=\mathbf 1^\top K^{-1}\mathbf 1$ is the least penalty of a function that is $1$ at all samples.
# ````
#
# ````{exercise} Two samples at one end
# :label: exercise-shifted-close
#
# Let the kinks be uniform on $[-1,1]$, and let two samples lie at $-1$ and $-1+d$. Show with the numbers of the proof of {prf:ref}`proposition-rise` that $N\approx\frac23d$ for small $d$. What is $r$?
# ````
#
# ````{solution} exercise-shifted-close
# :class: dropdown
#
# Here $\ell=\frac d2$ and $m=-1+\ell$. The slopes $\sigma_1,\sigma_2$ have the energy $\frac4d(\sigma_1^2+\sigma_1\sigma_2+\sigma_2^2)$, so each has the variance $\frac\ell3$ and their covariance is $-\frac\ell6$. This gives $P=\frac\ell3$, $D=\ell$ and $\delta=0$. To first order in $\ell$ the terms of {eq}`rise-numerator` are $0$, $\frac\ell3$, $0$, $0$, $2\ell$ and $-\ell$, so $N\approx\frac43\ell=\frac23d$. The covariance of $J$ and $2C$ is $-N/(1+\operatorname{Var}T)\approx-\frac N2$, so that of $J$ and $C$ is $-\frac d6$. Without its density $C$ has the variance $\frac14\bigl(\int_L x^2+\int_Rx^2\bigr)\frac12\approx\frac1{12}$, because the slopes vanish with $\ell$. Its density has the variance $\frac1{12}$, too, so $s=12$, and the covariance is multiplied by $\frac1{1+12/12}=\frac12$. So $-\frac1{12}r\approx-\frac d{12}$, and $r\approx d$.
# ````
#
# ````{exercise} Few hidden units
# :label: exercise-shifted-few
#
# Rerun the chapter with $n=2400$. What do you expect of the difference between predicted and measured change of slope at $c=2$?
# ````
#
# ````{solution} exercise-shifted-few
# :class: dropdown
#
# It doubles, because the output bias has $v=1/n$ and {eq}`jump-freedom` is linear in $v$ for small $v$.
# ````
#
# ## Where to go next
#
# ```{next}
# {doc}`variational_problem` derives the three penalties, of which the third makes the U. {doc}`scaled_potentials` changes the geometry of training, and with it the penalty on the curvature.
# ```
#
# ## References
#
# The three penalties and their reading are those of {cite:t}`liang2025`. Without the second and third they are those of {cite:t}`jin2023`.
