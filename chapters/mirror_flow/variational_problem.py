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
# # The limit of mirror flow solves a variational problem
#
# A wide ReLU network of one input is trained by {term}`mirror flow`. Which of the functions that fit the data does it learn? The one with the least weighted curvature, plus a penalty on the slopes at both ends and one on the level {cite}`liang2025`: a spline that no one asked for. It does not
# matter which potential the mirror has, as long as it is smooth and does not change with the width: each of the many parameters moves so little that only the potential's curvature at the start is felt. That curvature is the same for all parameters, and its value cancels.
#
# $$\begin{gathered}\min_h\ \mathcal G_1+\mathcal G_2+\mathcal G_3,\quad h(x_i)=y_i,\\
# \mathcal G_1=\int\frac{h''(x)^2}{p(x)}\,dx,\\
# \mathcal G_2=\bigl(h'(\infty)+h'(-\infty)\bigr)^2,\\
# \mathcal G_3=\frac{\bigl(\int h''(x)|x|\,dx-2h(0)\bigr)^2}{\mathbb E\,b^2}.\end{gathered}$$
#
# ```{hero}
# ```
#
# ```{results}
# ```
#
# ## Setting
#
# The network $f(x)=\sum_{k=1}^na_k(w_kx-b_k)_++c$ starts from $a_k=c=0$, $w_k=\pm1$ and biases $b_k$ of even density $p$ on $[-B,B]$. All parameters $\theta=(w,b,a,c)$ follow mirror flow of $L=\frac12\sum_i(f(x_i)-y_i)^2$ with a separable potential centred at the start,
#
# $$\begin{gathered}\dot\theta=-\eta\,\bigl(\nabla^2\Phi(\theta)\bigr)^{-1}\nabla L(\theta),\\\Phi(\theta)=\sum_j\phi\bigl(\theta_j-\theta_j(0)\bigr),\qquad\eta=\frac1n .\end{gathered}$$
#
# Three potentials are tried: $x^2$, whose mirror flow is gradient flow, $|x|^3+x^2$ and $x^4+x^2$. Where parameters are of order $1$ they differ much: at $1$ their second derivatives are $2$, $8$ and $14$.

# %% tags=["hide-input"]
from functools import partial

import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.data import BiasLaw, Samples
from implicit_bias.figures import style
from implicit_bias.flows import follow_mirror
from implicit_bias.limits.mirror import (
    finite_element_spline,
    potential_response,
    ramp_kernel,
    ramp_scatter,
    ramp_spline,
)
from implicit_bias.models.univariate import RampNetwork, drawn_units, placed_units
from implicit_bias.norms import largest_difference, root_mean_square
from implicit_bias.potentials import Cubic, Quadratic, Quartic
from implicit_bias.rates import log_log_slope
from reproduce.claims import Altered, Claims, Rival, refined, standard_error
from reproduce.claims.glued import glue_all

claims = Claims("variational_problem")

style.use_style()

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Liang and Montúfar 2025, unscaled potentials
# :label: theorem-mirror-unscaled
#
# Let $\phi$ be twice continuously differentiable with $\phi''>0$, and let the $x_i$ be different and in the support of $p$. For $\eta$ of order $1/n$ and $n$ large enough, with high probability $\|\theta(t)-\theta(0)\|_\infty=O(n^{-1/2})$ at all times, and for every $x$ the trained network tends, as $n\to\infty$, to the solution of the problem at the top of the chapter.
# ```
#
# The problem has an answer in closed form, and that is the prediction.
#
# ````{prf:proposition} The kernel of the three penalties
# :label: proposition-mirror-kernel
#
# $\mathcal G_1+\mathcal G_2+\mathcal G_3$ is the squared norm of the space with the kernel
#
# ```{math}
# :label: mirror-kernel
# \begin{aligned}k(x,z)&=\mathbb E\bigl[(wx-b)_+(wz-b)_+\bigr]\\&=\tfrac14\bigl(\mathbb E|x-b||z-b|+xz+\mathbb E\,b^2\bigr),\end{aligned}
# ```
#
# so that $\bar h=\sum_i\lambda_ik(x_i,\cdot)$ with $\sum_k k(x_i,x_k)\lambda_k=y_i$, the minimum is $\sum_i\lambda_iy_i$, and $\bar h''(x)=\frac12p(x)\sum_i\lambda_i|x-x_i|$.
# ````
#
# ````{prf:proof}
# Both signs of $w$ and of $b$ are equally likely, so that the mean of the products is $\frac12\mathbb E[(x-b)_+(z-b)_++(b-x)_+(b-z)_+]$, which is the second line. A function of the space is $h=\frac12\int g(b)|x-b|\,db+\frac12Sx+C$ with $g=h''$, $S=h'(\infty)+h'(-\infty)$ and
# $C=h(0)-\frac12\int h''|x|$: the three penalties are $\int g^2/p$, $S^2$ and $4C^2/\mathbb E\,b^2$. Each of the three terms of {eq}`mirror-kernel` is the kernel of one of them, and kernels of norms that add up, of parts that are independent, add. $\square$
# ````
#
# Why the network ends there: as it starts at $a=0$, only $a$ and $c$ act at first order, $f(x)=\sum a_k(w_kx-b_k)_++c$. Mirror flow then looks for the $a$ of least $\sum\phi(a_k)$, which for small $a_k$ is $\frac12\phi''(0)\sum a_k^2$, and that is the norm of the kernel. $c$ alone is one parameter against $n$, and stays small.
#
# With independent biases the kernel of $n$ units is a mean of $n$ terms, and scatters around $k$. What that does to the function:
#
# ````{prf:proposition} The scatter of random biases
# :label: proposition-mirror-scatter
#
# Let $f_n$ be the interpolator of least norm for the kernel of $n$ independent units, where the linearized network ends. With $g=\sum_i\lambda_i(wx_i-b)_+$ and $\beta(x)=K^{-1}k(X,x)$,
#
# ```{math}
# :label: mirror-scatter
# \begin{gathered}\sqrt n\,(f_n-\bar h)(x)\to\mathcal N\bigl(0,\,\mathbb E\,\xi(x)^2\bigr),\\\xi(x)=g\,\Bigl((wx-b)_+-\sum_k\beta_k(x)(wx_k-b)_+\Bigr),\end{gathered}
# ```
#
# jointly in all $x$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# $f_n=k_n(x,X)K_n^{-1}y$ with $k_n=k+\delta$, $K_n=K+\Delta$, both of order $n^{-1/2}$: $f_n-\bar h=\delta\lambda-\beta(x)^\top\Delta\lambda+O(1/n)$. One unit adds $\frac1n\bigl((wx-b)_+-\beta(x)^\top(wX-b)_+\bigr)g$ to it, of mean $\frac1n\bigl(k(x,X)-\beta(x)^\top K\bigr)\lambda=0$. The central limit theorem is the claim. $\square$
# ````
#
# Here the root of the mean variance over $[-B,B]$ is {glue:text}`variational_spread`.
#
# ## Experiment
#
# The biases are placed at the quantiles of $p$, each with both signs of $w$: that takes the randomness away. The flow is integrated in the dual coordinates $\nabla\Phi$ by exponential steps that grow with time, and ends at a residual of $10^{-11}$. Errors are the largest over $[-B,B]$; where the biases are random, root mean squares. With fewer than $1500$ units the error of order $1/n$ comes within a tenth of what the natural cubic spline misses, and the two could not be told apart by a factor of ten.

# %% tags=["parameters"]
n: int = 4860  # number n of hidden units, a multiple of 6, in [1500, 100000]
reach: float = 2.0  # reach B of the biases, in [1.7, 3]
# because the points reach to 1.6 and must lie within the biases; beyond 3 was not tried
widths: list[int] = [1080, 2160, 6480]  # numbers of hidden units with random biases, increasing, each in [900, 20000]
# because of fewer units the next order in 1/n, which the tolerance counts, is not small
draws: int = 40  # networks of each of these widths, in [8, 500]
others: int = 6  # other data sets, in [3, 100]
seed: int = 0  # seed of the streams of the biases and of the other data, in [0, 4294967295]
# where len(widths) >= 3 and widths == sorted(set(widths)) and n % 6 == 0
# where widths[-1] >= 3 * widths[0]
# because the error of the slope is one of ln(n) over their spread, which must not be as large as the slope

# %% tags=["hide-input"]
bias_stream, data_stream = np.random.default_rng(seed).spawn(2)
x = np.array([-1.6, -1.05, -0.5, 0.2, 0.8, 1.5])
y = np.array([1.0, -0.3, 0.6, -0.5, 0.4, 0.9])
samples = Samples(x[:, None], y)
law = BiasLaw(reach)
grid = np.linspace(-reach, reach, 401)
POTENTIALS = {"x²": Quadratic(), "|x|³ + x²": Cubic(), "x⁴ + x²": Quartic()}


placed = partial(placed_units, law)  # w and b: the biases at the quantiles of their law


def learnt(units, potential, growth=0.1, data=samples):
    """The function on the grid at the end of mirror flow."""
    network = RampNetwork(data, *units)
    run = follow_mirror(network, potential, 1 / len(units[0]), growth=growth)
    return network.output(run.final, grid)


def mean_off(function):
    """The root mean square difference from the prediction on the grid."""
    return float(root_mean_square(function - predicted))


# %%
spline = ramp_spline(x, y, law)  # predict
predicted = spline.predict(grid)
ends = {name: learnt(placed(n), potential) for name, potential in POTENTIALS.items()}  # train
for name, end in ends.items():  # compare
    print(f"φ = {name}: the network is off the predicted function by {largest_difference(end, predicted):.5f} at most")

# %% tags=["hide-input"]
derived_thirds = {name: learnt(placed(n // 3), potential) for name, potential in POTENTIALS.items()}
scatter = ramp_scatter(x, y, law, grid)
errors = {size: [mean_off(learnt(drawn_units(law, bias_stream, size), Quadratic())) for _ in range(draws)]
          for size in widths}
means = np.array([np.sqrt(np.mean(np.square(errors[size]))) for size in widths])
placed_errors = np.array([mean_off(learnt(placed(size), Quadratic())) for size in widths])
glue_all("variational", ".3f", spread=scatter.spread)
w, b = placed(n)
one_sign = learnt((np.abs(w), b), Quadratic())
cubic = ramp_spline(x, y, law, (False, False)).predict(grid)  # ∫(h″)² alone: the natural cubic spline
without = {part: ramp_spline(x, y, law, counts).predict(grid)
           for part, counts in (("slopes", (False, True)), ("level", (True, False)))}

# %% mystnb={"figure": {"caption": "Left, above: the data, the functions that the network learns with each of three potentials, one upon the other, and the predicted one, dashed. Below: differences from the predicted function. Dotted: the natural cubic spline; grey: the prediction without the third penalty. Right: root mean square error against the number of hidden units: dots, independent biases, one a network; dashed, predicted, constant included; squares, biases at the quantiles.", "name": "figure-variational"}, "image": {"alt": "Left: six points and curves that coincide through them; below, their differences, zero, and two others that reach up to a fifth. Right: dots that fall along a line of slope minus one half, and squares that fall faster", "classes": "panels-2"}} tags=["hero", "hide-input"]
(above, below), right = style.panels(2, (9.6, 4.4), rows=(2, 1))
for (name, end), color, width in zip(ends.items(), ("blue", "orange", "green"), (7, 4.5, 2), strict=True):
    line = {"color": style.COLORS[color], "linewidth": width}
    shown = rf"${name.replace('²', '^2').replace('³', '^3').replace('⁴', '^4')}$"
    above.plot(grid, end, label=shown, **line)
    below.plot(grid, end - predicted, **line)
style.theory(above, grid, predicted, "predicted")
style.theory(below, grid, 0 * grid)
for other, look in ((cubic, {"linestyle": ":", "color": style.COLORS["red"], "linewidth": 1.8}),
                    (without["level"], {"color": style.COLORS["grey"], "linewidth": 1.4})):
    above.plot(grid, other, **look)
    below.plot(grid, other - predicted, **look)
above.plot(x, y, "o", color="black", markersize=6)
below.plot(x, 0 * x, "o", color="black", markersize=6)
above.set(ylabel="$f(x)$", ylim=(-1.1, 4.6))
below.set(xlabel="$x$", ylabel=r"$f-\bar h$")
above.legend(loc="upper center", ncols=2, fontsize=12, handlelength=1.4)
for size in widths:
    right.loglog(size * np.exp(np.linspace(-0.08, 0.08, draws)), errors[size], "o", color=style.COLORS["blue"],
                 markersize=3.5, alpha=0.6, label="independent biases" if size == widths[0] else None)
right.loglog(widths, placed_errors, "s-", color=style.COLORS["purple"], label="at the quantiles")
style.theory(right, widths, scatter.spread / np.sqrt(widths), "predicted")
right.set(xlabel="hidden units $n$", ylabel="error", xticks=widths, xticklabels=[str(size) for size in widths])
right.minorticks_off()
right.legend(loc="lower left")
plt.show()

# %% [markdown]
# ## Headline claims
#
# Each box is a {term}`claim`: what theory predicts, what was measured, by how much they may differ and why.
#
# ```{claim} spline
# :headline: function learnt on [−B, B], three potentials, n = {n}
# :source: Liang and Montúfar 2025, theorem on unscaled potentials, part II
# :evidence: trained and compared
# :because: what the output bias, one parameter in n, changes, and the next term of the potential |x|³ + x²,
#   both known to order 1/n; what a third of the hidden units changes of an error that falls like 1/n²
# :control: hidden weights w of one sign only, φ = x²
# :rival: the natural cubic spline
#
# with each potential the network learns the solution of the variational problem
# ```
#
# ```{claim} law
# :headline: function learnt on [−B, B], parabolic density of the biases, n = {n}
# :source: Liang and Montúfar 2025, theorem on unscaled potentials, part II
# :evidence: trained and compared
# :because: what the output bias, one parameter in n, changes; what a third of the hidden units changes of an
#   error that falls like 1/n²
# :contrast: biases of uniform density, the prediction for the parabolic one
#
# where the biases have a parabolic density, the network learns the solution with that density
# ```
#
# ```{claim} scatter
# :headline: √n times the root mean square error, independent biases, over the predicted constant; all widths
# :evidence: trained and compared
# :because: the standard error, from the predicted covariance, and the next order, the mean square of K⁻¹(K_n
#   − K); of a root, half of each
# :contrast: biases at the quantiles
#
# with independent biases networks scatter around the predicted function by the predicted amount
# ```

# %% tags=["hide-input"]
other_law = BiasLaw(reach, "parabolic")
derived_bias = [
    largest_difference(
        (ramp_kernel(grid, x, one) + 1 / n) @ np.linalg.solve(ramp_kernel(x, x, one) + 1 / n, y), exact.predict(grid)
    )
    for one, exact in ((law, spline), (other_law, ramp_spline(x, y, other_law)))
]
derived_bend = np.max(np.abs(potential_response(x, y, law, power=2, bend=3 / 2).predict(grid))) / n
derived_rest = refined(list(ends.values()), list(derived_thirds.values()), ratio=3, order=2)
claims.limit("spline", np.tile(predicted, 3), np.concatenate(list(ends.values())),
             error=derived_bias[0] + derived_bend + derived_rest, control=np.tile(one_sign, 3),
             rival=Rival(np.tile(cubic, 3), factor=10), fill={"n": n})
other = ramp_spline(x, y, other_law).predict(grid)
other_end, other_coarse = (learnt(placed_units(other_law, size), Quadratic()) for size in (n, n // 3))
claims.limit("law", other, other_end, error=derived_bias[1] + refined(other_end, other_coarse, ratio=3, order=2),
             control=ends["x²"], fill={"n": n})
derived_seen = np.maximum(w * x[:, None] - b, 0)
derived_gram = derived_seen @ derived_seen.T / n
derived_shares = np.sum(derived_seen * np.linalg.solve(derived_gram, derived_seen), axis=0)  # (wX − b)₊ᵀ K⁻¹ (wX − b)₊
derived_next = (np.mean(derived_shares**2) - len(x)) * np.mean(1 / np.array(widths))
claims.limit("scatter", 1.0, float(np.sqrt(np.mean(means**2 * widths)) / scatter.spread),
             error=(np.sqrt(2 / (draws * len(widths) * scatter.freedom)) + derived_next) / 2,
             control=float(np.sqrt(np.mean(placed_errors**2 * widths)) / scatter.spread))

# %% [markdown]
# ## Instruments
#
# Other data, drawn; the slope of the scatter; the closed form against finite differences of the penalties, which know no kernel; each penalty by itself; the integrator.
#
# ```{claim} others
# :source: Liang and Montúfar 2025, theorem on unscaled potentials, part II
# :evidence: trained and compared
# :because: what the output bias, one parameter in n, changes; what a third of the hidden units changes of an
#   error that falls like 1/n²
# :control: hidden weights w of one sign only
#
# for other labels at other places the network learns the solution of the variational problem, too; φ = x²
# ```
#
# ```{claim} rate
# :evidence: trained and compared
# :because: the standard error of the slope, from the spread of the networks
# :contrast: biases at the quantiles
#
# with independent biases the error falls like one over the root of the number of hidden units
# ```
#
# ```{claim} differences
# :evidence: float with residual
# :because: extrapolated from two grids: what two grids of half the cells change, of second order at least
# :control: not extrapolated
#
# minimizing the three penalties on a grid gives the function of the kernel
# ```
#
# ```{claim} norm
# :evidence: float with residual
# :because: what twice the cells of the trapezoidal rule change, of second order
# :control: the third penalty left out
#
# the three penalties of the predicted function add up to the squared norm of the kernel
# ```
#
# ```{claim} slopes
# :source: Liang and Montúfar 2025, theorem on unscaled potentials, part II
# :evidence: trained and compared
# :because: what the output bias, one parameter in n, changes; what a third of the hidden units changes of an
#   error that falls like 1/n²
# :control: the second penalty left out of the problem
#
# the second penalty counts: without it the prediction misses the network
# ```
#
# ```{claim} level
# :source: Liang and Montúfar 2025, theorem on unscaled potentials, part II
# :evidence: trained and compared
# :because: what the output bias, one parameter in n, changes; what a third of the hidden units changes of an
#   error that falls like 1/n²
# :control: the third penalty left out of the problem
#
# the third penalty counts: without it the prediction misses the network
# ```

# %% tags=["hide-input"]
datasets = [
    # mutant(0.1): other data
    (np.linspace(-1.5, 1.5, 6) + data_stream.uniform(-0.1, 0.1, 6), data_stream.standard_normal(6))
    for _ in range(others)]


def functions(units):
    """The functions learnt from the other data, one after the other."""
    return np.concatenate([learnt(units, Quadratic(), data=Samples(at[:, None], of)) for at, of in datasets])


elsewhere = functions(placed(n))
solved = np.concatenate([ramp_spline(*data, law).predict(grid) for data in datasets])
derived_biased = np.concatenate([
    (ramp_kernel(grid, at, law) + 1 / n) @ np.linalg.solve(ramp_kernel(at, at, law) + 1 / n, of) for at, of in datasets])
claims.limit("others", solved, elsewhere,
             error=largest_difference(derived_biased, solved)
             + refined(elsewhere, functions(placed(n // 3)), ratio=3, order=2), control=functions((np.abs(w), b)))
logs = np.log(widths) - np.mean(np.log(widths))


derived_spread = [standard_error(np.square(errors[size])) / np.mean(np.square(errors[size])) / 2 for size in widths]
claims.rate("rate",
            -0.5,  # mutant(0.5): the standard error at small sizes
            log_log_slope(widths, means), error=np.linalg.norm(logs * derived_spread) / (logs @ logs),
            control=log_log_slope(widths, placed_errors))
CELLS = 500
nodes, rough = finite_element_spline(x, y, law, CELLS)
fine = finite_element_spline(x, y, law, 2 * CELLS)[1][::2]
derived_coarse = (4 * rough[::2] - finite_element_spline(x, y, law, CELLS // 2)[1]) / 3
claims.identity("differences", spline.predict(nodes), (4 * fine - rough) / 3,
                error=refined((4 * fine - rough)[::2] / 3, derived_coarse, ratio=2, order=2), control=Altered(rough))


def integrals(cells):
    """The first and the third penalty by the trapezoidal rule."""
    at = np.linspace(-reach, reach, cells + 1)  # mutant(+; 1): where an identity is evaluated
    curved = spline.curvature(at)
    level = np.trapezoid(curved * np.abs(at), at) - 2 * spline.predict([0.0])[0]
    return np.array([np.trapezoid(curved**2 / law.density(at), at), level**2 / law.variance])


step = 1e-3 * reach  # mutant(*; reach): the step of a difference quotient
tilt = [float(np.diff(spline.predict([end, end + np.sign(end) * step]))[0] / (np.sign(end) * step))
        for end in (-reach, reach)]
first, third = integrals(200000)  # mutant: another grid as fine
claims.identity("norm", spline.value, first + sum(tilt) ** 2 + third, relative=True,
                error=refined(first + third, np.sum(integrals(100000)), ratio=2, order=2) / spline.value,
                control=Altered(first + sum(tilt) ** 2))
claims.limit("slopes", predicted, ends["x²"],
             error=derived_bias[0] + refined(ends["x²"], derived_thirds["x²"], ratio=3, order=2),
             control=Altered(ends["x²"], theory=without["slopes"]))
claims.limit("level", predicted, ends["x²"],
             error=derived_bias[0] + refined(ends["x²"], derived_thirds["x²"], ratio=3, order=2),
             control=Altered(ends["x²"], theory=without["level"]))

# %% [markdown]
# The integrator against plain mirror descent, $\zeta\leftarrow\zeta-\eta\,\nabla L$ with small steps, on a network of few hidden units, where the potential matters. Plain steps of two lengths are extrapolated to none. The control has the other potential.
#
# ```{claim} integrator
# :evidence: trained and compared
# :because: both of first order and extrapolated: what half the steps change then, of second order, in either
# :contrast: gradient flow
#
# the exponential steps follow mirror flow
# ```

# %% tags=["hide-input"]
SMALL, UNTIL, PLAIN = 60, 3.0, 2000
network = RampNetwork(samples, *placed(SMALL))


def plain(count, potential):
    """So many Euler steps of ζ̇ = η Jᵀr up to the time."""
    theta, dual = network.start, np.zeros_like(network.start)
    for _ in range(count):
        dual = dual + UNTIL / count / SMALL * network.tangent_features(theta).T @ network.residual(theta)
        theta = network.start + potential.inverse_slope(dual)
    return network.output(theta, grid)


def stepped(first, potential):
    """Exponential steps of one length up to the same time."""
    steps = {"first": first, "growth": first / 100}
    run = follow_mirror(network, potential, 1 / SMALL, misfit=None, t_end=UNTIL, **steps)
    return network.output(run.final, grid)


euler, halved = plain(PLAIN, Quartic()), plain(2 * PLAIN, Quartic())
# mutant(0.005; 0.0025): the length of the steps
long, short = stepped(0.005, Quartic()), stepped(0.0025, Quartic())
derived_plain = refined(2 * halved - euler, 2 * euler - plain(PLAIN // 2, Quartic()), ratio=2, order=2)
derived_steps = refined(2 * short - long, 2 * long - stepped(0.01, Quartic()), ratio=2, order=2)
claims.identity("integrator", 2 * halved - euler, 2 * short - long, error=derived_plain + derived_steps,
                control=stepped(0.0025, Quadratic()))

# %% [markdown]
# ## What would falsify it
#
# A wide network that learns another function than the predicted one, or another one with another potential. Independent biases that scatter by another multiple of $n^{-1/2}$. A solution of the three penalties on a grid that is not that of the kernel.
#
# ## Differences from the paper
#
# - *Added.* The solution in closed form; the paper solves the problem on a grid. The scatter of random biases with its constant, and a density that is not uniform.
# - *Changed.* The loss is half of the slides' sum of squares, which changes the unit of time alone. The data are ours: those of the slides' figures are not published.
# - *Corrected.* The slides let $\eta\to\infty$ in the second part of the theorem; $n\to\infty$ is meant.
# - $|x|^3$ has no third derivative at $0$; the theorem for unscaled potentials asks for two.
#
# ## Scope
#
# - One input, and six samples: one set that is fixed, and others that the seed draws, for which the function is compared with $\phi=x^2$. For more of them the penalties are known in other forms, not tested here.
# - Narrow networks learn other functions, which depend on the potential ({doc}`unscaled_potentials`); below $900$ hidden units nothing is tested here.
# - The error at the quantiles falls nearly like $1/n^2$ in this chapter. What is of order $1/n$ in it, the output bias and the next term of $|x|^3+x^2$ that {doc}`unscaled_potentials` derives, is small and counted in the tolerances.
# - All $x_i$ lie within the reach of the biases, as the theorem asks.
#
# ## Exercises
#
# ````{exercise} Two points
# :label: exercise-mirror-two
#
# Let $y_1=y_2=1$ at $x=\pm1$, $B=1$, uniform biases. Is $\bar h$ above or below $1$ at $0$?
# ````
#
# ````{solution} exercise-mirror-two
# :class: dropdown
#
# By symmetry $\lambda_1=\lambda_2>0$, so that $\bar h''=\frac12p\sum\lambda_i|x-x_i|>0$: convex, and below $1$ at $0$. The third penalty prefers a function above the axis to look like a U.
# ````
#
# ````{exercise} Any potential
# :label: exercise-mirror-potential
#
# Why is the potential $x^4$ alone excluded?
# ````
#
# ````{solution} exercise-mirror-potential
# :class: dropdown
#
# Its second derivative vanishes at the start: parameters that move little then feel no quadratic at all, and the first-order argument fails. The sum of the $a_k^4$ is another norm.
# ````
#
# ## References
#
# The theorem is that of {cite:t}`liang2025`.
