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
# # With a fixed potential, a wide network learns by mirror flow what gradient flow learns
#
# ```{question}
# ```
#
# {term}`Mirror flow <mirror flow>` gives every parameter a speed of its own, set by a function, the *potential*. The more the potential curves where the parameter is, measured from its start, the slower the parameter moves. Does this change what is learned? We fit six points with {glue:text}`unscaled_few` ramps of which only the output weights train. Gradient flow and mirror flow with the potential $u^4+u^2$ learn functions that differ by up to {glue:text}`unscaled_few_m`, or {glue:text}`unscaled_few_part` of their range. We take {glue:text}`unscaled_n` ramps and train all parameters. The two functions differ by {glue:text}`unscaled_tiny`, and by as many ({glue:text}`unscaled_tiny_fixed`) with fixed hidden weights. Why? So many parameters share the work that none moves by more than {glue:text}`unscaled_moved`. So close to zero the potential is almost a parabola, and with a parabola mirror flow is gradient flow. What is left of $u^4$ falls with the width $n$ like $1/n^2$, of $|u|^3$ like $1/n$.
#
# ```{hero}
# ```
#
# ## The statement
#
# The network $f(x)=\sum_{k=1}^na_k(w_kx-b_k)_++\beta$ has one input $x$ and $n$ hidden units. (As in the paper, $n$ counts units and not samples.) Each unit is a *ramp*, because $(z)_+=\max(z,0)$ is zero up to the unit's kink and linear beyond. At the start the output weights $a_k$ and the output bias $\beta$ are zero, the $w_k$ are $1$ or $-1$, and the kinks $b_k/w_k$ are uniform on $[-B,B]$ with $B=$ {glue:text}`unscaled_reach`. All parameters train on the loss $L=\frac12\sum_i(f(x_i)-y_i)^2$ over six samples $(x_i,y_i)$. Mirror flow with the potential $\phi$ moves every parameter $\theta_j$ of the list $(w,b,a,\beta)$ by
#
# ```{math}
# :label: unscaled-flow
# \begin{gathered}\dot\theta_j=-\frac\eta{\phi''(\theta_j-\theta_j(0))}\,\frac{\partial L}{\partial\theta_j},\\\eta=\frac{\phi''(0)}n .\end{gathered}
# ```
#
# This step size $\eta$ gives all potentials the same speed at the start. The potential is *unscaled*: the width does not enter it. {term}`Gradient flow <gradient flow>` is the case $\phi(u)=u^2$, whose curvature is constant. {cite:t}`liang2025` prove that the function $f_{\mathrm{MF}}$ at the end of mirror flow and the function $f_{\mathrm{GF}}$ at the end of gradient flow agree in the limit $n\to\infty$ from this start, if $\phi''$ is continuous and positive, also at zero. We derive by how much they differ at large $n$ (proved for fixed hidden weights with kinks at the quantiles, formal where all parameters train):
#
# ```{math}
# :label: unscaled-orders
# \begin{gathered}f_{\mathrm{MF}}-f_{\mathrm{GF}}\approx\dfrac{R_\phi(x)}n\\\text{for }|u|^3+u^2,\\[6pt]f_{\mathrm{MF}}-f_{\mathrm{GF}}\approx\dfrac{R_\phi(x)}{n^2}\\\text{for }u^4+u^2\text{ and }\cosh u.\end{gathered}
# ```
#
# The function $R_\phi$ follows from the data and the potential ({prf:ref}`proposition-response`). At a given width we predict more. Mirror flow ends close to the fit of least potential (with $\phi'(0)=0$, as here, because a linear term of $\phi$ does not change the flow) with the ramps left where they started,
#
# ```{math}
# :label: unscaled-program
# \begin{gathered}\min_{a,\beta}\ \sum_k\phi(a_k)+\phi(\beta)\\\text{subject to}\quad f(x_i)=y_i\ \text{ for all }i,\end{gathered}
# ```
#
# a convex program that we solve before training, with a {term}`certificate`.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast |
# |---|---|---|---|
# | [largest difference](difference) of the functions learned by mirror flow with $\lvert u\rvert^3+u^2$ and by gradient flow, {glue:text}`unscaled_n` units | {glue:text}`unscaled_cubic_p` | {glue:text}`unscaled_cubic_m` | $\lvert u\rvert^3+1.05\,u^2$: {glue:text}`unscaled_near`; $n\lvert u\rvert^3+u^2$: {glue:text}`unscaled_narrow` |
# | [the same with random kinks](draws) and $\lvert u\rvert^3+u^2$, mean over {glue:text}`unscaled_draws` networks | {glue:text}`unscaled_draws_p` | {glue:text}`unscaled_draws_m` | kinks at the quantiles: {glue:text}`unscaled_cubic_m` |
# | $n$ times the [largest movement](movement) of a parameter, $\lvert u\rvert^3+u^2$ | {glue:text}`unscaled_move_p` | {glue:text}`unscaled_move_m` | all $w_k=1$: {glue:text}`unscaled_move_one` |
# | [largest difference](fixed) of the functions that {glue:text}`unscaled_few` ramps learn with $u^4+u^2$ and by gradient flow, only the output weights trained | {glue:text}`unscaled_few_p` | {glue:text}`unscaled_few_m` | $\lvert u\rvert^3+u^2$: {glue:text}`unscaled_few_cubic` |
# ```
#
# All differences are taken at the end of training. They are the largest over {glue:text}`unscaled_points` points of $[-B,B]$, and for the {glue:text}`unscaled_few` ramps, whose kinks are among these points, over all of it. The allowed errors are parts of them. The claims compare whole functions and not only these largest values. With $u^4+u^2$ the difference is {glue:text}`unscaled_quartic_m`, and {glue:text}`unscaled_quartic_p` is predicted.
#
# **What to remember?** A potential that does not change with the width matters less and less as the network gets wider. How fast depends on its smoothness at zero. $|u|^3$ has a kink in its second derivative and is felt at the order $1/n$, and smooth even potentials at the order $1/n^2$. To be felt at every width the potential must narrow as the network widens. An example is $n|u|^3+u^2$, whose parabola holds only up to $|u|$ of the order $1/n$ ({doc}`scaled_potentials`). And the width must be large for its data. To fit our samples some parameter must move by {glue:text}`unscaled_alpha`$/n$. With some hundred units this is so far that the hidden weights matter too, and {eq}`unscaled-program` is not yet close.
#
# ## The smallest case
#
# Take one sample with label $1$ and two kinds of ramps, $n/2$ of each kind. At the sample the first kind has the value $1$ and the second the value $2$. Let $u$ and $v$ be the output weights, so that $\frac n2(u+2v)=1$. Mirror flow moves $\phi'(u)$ and $\phi'(v)$ in proportion to the values at the sample, so at the end $\phi'(v)=2\phi'(u)$. For gradient flow this is $v=2u$, and therefore $nu=\frac25$ and $nv=\frac45$. At another input, where both kinds have the value $1$, the network gives $\frac n2(u+v)=0.6$.
#
# For $|u|^3+u^2$ the condition is $2v+3v^2=2(2u+3u^2)$. The larger output weight is slowed down more, so the smaller one must do a larger part. With $n=2$ we get $u=0.227$ and $v=0.386$ and the output $0.614$ instead of $0.600$. With $n=200$ the output weights are about $0.002$ and $0.004$, the terms $3u^2$ and $3v^2$ are a few thousandths of the others, and the output is $0.6002$. The difference falls like $0.048/n$.
#
# ## Experiment
#
# The kinks stand at the quantiles of their law, each with both signs of $w$, so no randomness blurs the small differences. We integrate the flow until the residual is $10^{-13}$, in the coordinates $\phi'(\theta_j-\theta_j(0))$ and by exponential steps that grow with time.

# %% tags=["hide-input"]
from dataclasses import dataclass
from functools import cache

import numpy as np
from matplotlib import pyplot as plt

from implicit_bias.data import BiasLaw, Samples
from implicit_bias.figures import style
from implicit_bias.flows import follow_mirror
from implicit_bias.limits.mirror import least_potential, potential_response, ramp_kernel, response_path
from implicit_bias.models.linear import LinearRegressor
from implicit_bias.models.univariate import RampNetwork, drawn_units, placed_units
from implicit_bias.potentials import Cosh, Cubic, Potential, Quadratic, Quartic
from implicit_bias.rates import log_log_slope
from reproduce.claims import Claims, refined
from reproduce.claims.glued import glue_all

claims = Claims("unscaled_potentials")

style.use_style()

# %% tags=["parameters"]
n: int = 14580  # number n of hidden units, a multiple of 18, in [7000, 50000]
reach: float = 2.0  # reach B of the kinks, in [1.7, 2.5]
# because the points reach to 1.6 and must lie within the kinks; beyond 2.5 was not tried
widths: list[int] = [1620, 4860, 14580]  # those of the slopes, even, increasing, each in [1500, 50000]
# because the differences fall like a power of 1/n only up to the next order, which is extrapolated
draws: int = 8  # networks of independent kinks, in [4, 500]
others: int = 4  # other data sets, in [3, 100]
# because one or two do not show how much data sets differ
seed: int = 0  # seed of the streams of the kinks and of the other data, in [0, 4294967295]
# where n % 18 == 0 and len(widths) >= 3 and widths == sorted(set(widths))
# where widths[1] >= 2 * widths[0] and widths[-1] >= 3 * widths[0]
# because slopes are measured between the widths, and their next order is extrapolated from the first two

# %% tags=["hide-input"]
bias_stream, data_stream = np.random.default_rng(seed).spawn(2)
x = np.array([-1.6, -1.05, -0.5, 0.2, 0.8, 1.5])
y = np.array([1.0, -0.3, 0.6, -0.5, 0.4, 0.9])
samples = Samples(x[:, None], y)
law = BiasLaw(reach)
FEW = 24  # ramps of the contrast
grid = np.unique(np.append(np.linspace(-reach, reach, 201), placed_units(law, FEW)[1]).round(12))  # with their kinks
TARGET = 1e-13


@dataclass(frozen=True)
class Case:
    """A potential, φ″(0), and q and τ of φ′(u) = φ″(0) (u + τ u|u|^{q−1} + …)."""

    potential: Potential
    speed: float
    power: int
    bend: float

    def response(self, x=x, y=y):
        """What of it is left at the end, for the samples."""
        return potential_response(x, y, law, self.power, self.bend)


CUBIC = Case(Cubic(), 2, 2, 3 / 2)
NEAR = Case(Cubic(1.05), 2.1, 2, 3 / 2.1)  # |u|³ + 1.05u²
WIDER = Case(Cubic(1.2), 2.4, 2, 3 / 2.4)  # |u|³ + 1.2u²
CASES = {"|u|³ + u²": CUBIC, "u⁴ + u²": Case(Quartic(), 2, 3, 2), "cosh u": Case(Cosh(), 1, 3, 1 / 6)}
GRADIENT = Case(Quadratic(), 2, 2, 0)

# %% [markdown]
# The prediction knows the ramps and no training. The training moves all $3n+1$ parameters and does not use the convex program.

# %%
def seen(at, units):
    """The values of the ramps and of the output bias at some inputs, one row an input."""
    w, b = units
    return np.column_stack([np.maximum(np.outer(at, w) - b, 0), np.ones_like(at)])


def least(units, case, data=samples):
    """The fit of least potential: its values on the grid and n times its largest parameter."""
    heights = least_potential(seen(data.x[:, 0], units), data.y, case.potential).u
    return seen(grid, units) @ heights, len(units[0]) * np.max(np.abs(heights))


def learned(units, case, data=samples):
    """Mirror flow to its end: what it has learned on the grid and n times the largest movement."""
    size, network = len(units[0]), RampNetwork(data, *units)
    rate = case.speed / size
    end = follow_mirror(network, case.potential, rate, misfit=TARGET, growth=0.3).final
    return network.output(end, grid), size * np.max(np.abs(end - network.start))


@cache
def at_quantiles(how, size):
    """Gradient flow and the three potentials: functions f and n times the largest movements."""
    units = placed_units(law, size)  # each kink with w = 1 and with w = −1
    found = [how(units, case) for case in (GRADIENT, *CASES.values())]
    return np.array([f for f, _ in found]), np.array([move for _, move in found])


fits, moves = at_quantiles(least, n)  # predict
ends, moved = at_quantiles(learned, n)  # train
for name, fit, end in zip(CASES, fits[1:], ends[1:], strict=True):  # compare
    one, other = fit - fits[0], end - ends[0]  # f_MF − f_GF
    size = np.max(np.abs(one))
    print(f"{name:8}  max |f_MF − f_GF|: predicted {size:.4e},",
          f"measured {np.max(np.abs(other)):.4e}")
    print(f"          the two are apart by {np.max(np.abs(other - one)) / size:.2%} of it")

# %% tags=["hide-input"]
powers = np.array([case.power - 1.0 for case in CASES.values()])
responses = [case.response() for case in CASES.values()]
limits = np.array([one.predict(grid) for one in responses])
largest = np.max(np.abs(limits), axis=1)


def scaled(how, size):
    """n^(q−1) (f_MF − f_GF) over the largest value of its limit, the kinks at their quantiles; one row a potential."""
    functions = at_quantiles(how, size)[0]
    return (functions[1:] - functions[0]) * (size**powers / largest)[:, None]


def difference(how, units, case=CUBIC, data=samples):
    """N (f_MF − f_GF) of a network of N units."""
    return len(units[0]) * (how(units, case, data)[0] - how(units, GRADIENT, data)[0])


def narrow(size, power=1 / 4):
    """The cubic potential n^p|u|³ + u², which narrows as the network widens."""
    return Case(Cubic(size**-power), 2 * size**-power, 2, 3 / 2)


def narrowed(size, power=1 / 4):
    """n (f_MF − f_GF) for it."""
    return difference(learned, placed_units(law, size), narrow(size, power))


few = placed_units(law, FEW)
fixed_ramps, shown = (seen(at, few)[:, :-1] for at in (x, grid))  # without the output bias


def fit_few(case):
    """What the few ramps learn where their output weights alone train."""
    flow = follow_mirror(LinearRegressor(fixed_ramps, y), case.potential, case.speed / FEW, misfit=TARGET, growth=0.3)
    return shown @ flow.final


few_gradient, *few_ends = (fit_few(case) for case in (GRADIENT, *CASES.values()))
few_least = [least_potential(fixed_ramps, y, case.potential).u for case in (GRADIENT, *CASES.values())]
sizes = np.unique([180, 540, *widths])
gaps, program_gaps = (np.array([np.max(np.abs(scaled(how, size)), axis=1) * largest / size**powers for size in sizes])
                      for how in (learned, least))
scaled_gaps = np.array([np.max(np.abs(narrowed(size, 1))) / size for size in widths])

# %% mystnb={"figure": {"caption": "Few parameters feel the potential and many do not. (a) Above: what 24 ramps, only the output weights trained, learn from six samples (dots). Below: the differences from gradient flow. Grey line on zero: 14,580 ramps, all parameters trained. Black dashed: the fit of least potential, predicted. (b) The largest difference between the functions learned by mirror flow and by gradient flow. Dots: all parameters trained. Black dashed: predicted, at the network's own width. (In the narrowest networks the hidden weights move too, and the dots leave the prediction.) Grey squares: $n|u|^3+u^2$, which narrows as the network widens.", "name": "figure-unscaled"}, "image": {"alt": "Left: six points and three functions that 24 ramps learn, and below them their differences of up to a fifth, with those of 14,580 ramps as a flat line on zero. Right: three rows of dots on dashed lines that fall like one over the width and like one over its square, and grey squares on a level.", "classes": "panels-2"}} tags=["hero", "hide-input"]
HUES = [style.COLORS[name] for name in ("orange", "green", "purple")]
SAID = ("$|u|^3+u^2$", "$u^4+u^2$", r"$\cosh u$")
(above, below), right = style.panels(2, (9.8, 4.6), rows=(2, 1))
above.get_gridspec().set_height_ratios([2, 3])
for curve, hue in zip((few_gradient, *few_ends[:2]), (style.COLORS["blue"], *HUES), strict=False):
    above.plot(grid, curve, color=hue, linewidth=1.8)
above.plot(x, y, "o", color="black", markersize=6)
above.set(ylabel="output", xlim=(-reach, reach), ylim=(-0.9, 2.4), title=f"(a) what {FEW} ramps learn")
below.plot(grid, ends[1] - ends[0], color=style.COLORS["grey"], linewidth=1.5)
for curve, u, hue in zip(few_ends[:2], few_least[1:3], HUES, strict=False):
    below.plot(grid, curve - few_gradient, color=hue, linewidth=3.5)
    below.plot(grid, shown @ (u - few_least[0]), **style.THEORY | {"linewidth": 1.2})
below.set(xlabel="input $x$", ylabel="difference", xlim=(-reach, reach), ylim=(-0.26, 0.24))
below.text(0.3, 0.15, f"grey: {n:,} ramps", color="#666666")
for said, hue, at in (("$u^2$, gradient flow", style.COLORS["blue"], 1.4), (SAID[0], "#a87400", 0.95), (SAID[1], HUES[1], 0.5)):
    above.text(-0.1, at, said, color=hue, fontsize=14)
for k, (said, hue, ink) in enumerate(zip(SAID, HUES, ("#a87400", *HUES[1:]), strict=True)):
    right.loglog(sizes, gaps[:, k], "o", color=hue, markersize=7)
    style.theory(right, sizes, program_gaps[:, k])
    right.annotate(said, (sizes[-1], gaps[-1, k]), xytext=(7, 0), textcoords="offset points", va="center", color=ink, fontsize=14)
right.loglog(widths, scaled_gaps, "s-", color=style.COLORS["grey"])
right.annotate("$n|u|^3+u^2$", (sizes[-1], scaled_gaps[-1]), xytext=(7, 0), textcoords="offset points", va="center", color="#666666", fontsize=14)
right.set(xlabel="hidden units $n$", ylabel="largest difference from gradient flow", xlim=(95, 14 * sizes[-1]),
          xticks=[100, 1000, 10000], xticklabels=["100", "1,000", "10,000"], title="(b) how much of the potential is left")
right.minorticks_off()
plt.show()

# %% [markdown]
# With {glue:text}`unscaled_few` ramps the three curves separate. With {glue:text}`unscaled_n` their difference is a line on zero. In panel (b) the dots leave the dashed lines at small widths, where each output weight moves by so much that $w$ and $b$ follow. At {glue:text}`unscaled_first` units the largest differences agree to {glue:text}`unscaled_first_off`, and in wider networks better. The table has {glue:text}`unscaled_n` units.
#
# ### What breaks
#
# *A potential that changes with the width.* $n|u|^3+u^2$ is close to its parabola only up to $|u|$ of the order $1/n$, so it narrows as fast as the moves of the parameters shrink. Its difference from gradient flow tends to about {glue:text}`unscaled_narrow` (grey squares). This is a scaled potential, of which another theorem speaks ({doc}`scaled_potentials`).
#
# *Other data.* For {glue:text}`unscaled_sets` other data sets, drawn, the differences are again those of the convex programs, to {glue:text}`unscaled_others_off` of the largest.

# %% tags=["hide-input"]
midway, coarse = n // 3, n // 9
placed, placed_third = placed_units(law, n), placed_units(law, midway)
near = difference(learned, placed, NEAR)
drawn = [drawn_units(law, bias_stream, n) for _ in range(draws)]
draws_p, draws_m = (np.array([difference(how, units) for units in drawn]) for how in (least, learned))
draw_moves = np.array([least(units, GRADIENT)[1] for units in drawn])
thirds = [(w[::3], b[::3]) for w, b in drawn]
derived_thirds = [np.array([difference(how, units) for units in thirds]) for how in (least, learned)]
moved_one = np.array([learned((np.abs(placed[0]), placed[1]), case)[1] for case in (GRADIENT, *CASES.values())])
datasets = [
    # mutant(0.1): other data
    Samples((np.linspace(-1.5, 1.5, 6) + data_stream.uniform(-0.1, 0.1, 6))[:, None], data_stream.standard_normal(6))
    for _ in range(others)]
other_largest = [np.max(np.abs(CUBIC.response(data.x[:, 0], data.y).predict(grid))) for data in datasets]


def elsewhere(how, units, case=CUBIC):
    """n (f_MF − f_GF) for the other data, over the largest value of its limit, one row a set."""
    return np.array([difference(how, units, case, data) / size for data, size in zip(datasets, other_largest, strict=True)])


other_p, other_m = elsewhere(least, placed), elsewhere(learned, placed)

# %% tags=["hide-input"]
def percent(part, digits=0):
    return f"{100 * part:.{digits}f} %"


def tenth(value, digits=2):
    """A small number as a mantissa and a power of ten."""
    power = int(np.floor(np.log10(value)))
    return f"{value / 10**power:.{digits}f}·10{str(power).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def peak(function):
    return float(np.max(np.abs(function)))


few_apart = peak(few_ends[1] - few_gradient)
first = sizes.tolist().index(widths[0])
apart_p, apart_m = ([peak(one[k] - one[0]) for k in (1, 2)] for one in (fits, ends))
draw_sizes = np.max(np.abs(draws_m), axis=1)
glue_all("unscaled", n=f"{n:,}", reach=f"{reach:g}", few=str(FEW), draws=str(draws), sets=str(others), first=f"{widths[0]:,}",
         few_m=f"{few_apart:.3f}", few_cubic=f"{peak(few_ends[0] - few_gradient):.3f}", few_p=f"{peak(shown @ (few_least[2] - few_least[0])):.3f}",
         few_part=percent(few_apart / np.ptp(few_gradient)), tiny=f"{1e6 * apart_m[1]:.1f} millionths", tiny_fixed=f"{1e6 * apart_p[1]:.1f}", points=str(len(grid)), moved=f"{np.ceil(1e4 * moved.max() / n) / 1e4:.4f}",
         alpha=f"{CUBIC.response().movement:.0f}", cubic_p=tenth(apart_p[0], 3), cubic_m=tenth(apart_m[0], 3),
         quartic_p=tenth(apart_p[1], 3), quartic_m=tenth(apart_m[1], 3), near=tenth(peak(near) / n, 3),
         narrow=f"{scaled_gaps[-1]:.3f}", draws_p=tenth(np.mean(np.max(np.abs(draws_p), axis=1)) / n, 3),
         draws_m=tenth(np.mean(draw_sizes) / n, 3), draws_least=tenth(draw_sizes.min() / n),
         draws_most=tenth(draw_sizes.max() / n), move_p=f"{moves[1]:.2f}", move_m=f"{moved[1]:.2f}", move_one=f"{moved_one[1]:.0f}",
         first_off=percent(np.max(np.abs(gaps / program_gaps - 1)[first])), others_off=percent(peak(other_m - other_p), 1),
         further=f"{np.sum(draw_moves > CUBIC.response().movement)} of these {draws}")

# %% [markdown]
# ## Theory
#
# ```{prf:theorem} Liang and Montúfar 2025, unscaled potentials
# :label: theorem-unscaled
#
# Let $\phi$ be twice continuously differentiable with $\phi''>0$, let the $x_i$ be different and in the support of the law of the kinks, and let the output weights start independently with mean zero and variance of order $1/n$, or at zero. Let the step size $\eta$ be of order $1/n$. If $n$ is large enough, then with high probability there are constants $C_1,C_2>0$ such that at all times $\|\theta(t)-\theta(0)\|_\infty\le C_1n^{-1/2}$ and $\|f(t)-y\|\le e^{-\eta nC_2t}\|f(0)-y\|$. As $n\to\infty$ the kernel $H=\frac1nJ(\nabla^2\Phi)^{-1}J^\top$ of the flow stays what it was, $\|H(t)-H(0)\|\to0$, and at the end $f_{\mathrm{MF}}-f_{\mathrm{GF}}\to0$ at every $x$.
# ```
#
# Here $J$ is the matrix of the derivatives of the outputs $f(x_i)$ in the parameters, and $\nabla^2\Phi$ is the diagonal matrix of the $\phi''(\theta_j-\theta_j(0))$. We read the theorem in a machine copy of the authors' slides. The theorem gives neither the values of its constants nor a rate in $n$. We derive the rate and its constant in two steps.
#
# The first step keeps the hidden weights where they start, so that only the output weights and the output bias train.
#
# ```{prf:theorem} Gunasekar et al. 2018, Theorem 1, for this model
# :label: theorem-least-potential
#
# Let $\phi$ be twice continuously differentiable with $\phi''>0$ and $\phi'(0)=0$, and let $w$ and $b$ be fixed. If mirror flow of $a$ and $\beta$ from $0$ ends at a fit of all samples, then it ends at the solution of {eq}`unscaled-program`.
# ```
#
# ````{prf:proof}
# In the coordinates $\zeta=\phi'(a)$ every step is $\dot\zeta_k=\eta\sum_i(y_i-f(x_i))(w_kx_i-b_k)_+$, and for $\beta$ the same with $1$ in place of the ramp. So at every time $\phi'(a_k)=\sum_i\lambda_i(w_kx_i-b_k)_+$ and $\phi'(\beta)=\sum_i\lambda_i$ with some multipliers $\lambda_i$. A fit with this property satisfies the optimality conditions of {eq}`unscaled-program`, which suffice because the problem is strictly convex. $\square$
# ````
#
# The second step expands this solution for large $n$. The potential enters by its first two terms,
#
# ```{math}
# :label: bend
# \phi'(u)=\phi''(0)\bigl(u+\tau\,u|u|^{q-1}+o(|u|^q)\bigr).
# ```
#
# | $\phi$ | $\phi''(0)$ | $q$ | $\tau$ |
# |---|---|---|---|
# | $\lvert u\rvert^3+u^2$ | $2$ | $2$ | $\frac32$ |
# | $u^4+u^2$ | $2$ | $3$ | $2$ |
# | $\cosh u$ | $1$ | $3$ | $\frac16$ |
#
# Let $k(x,z)=\mathbb E[(wx-b)_+(wz-b)_+]$ be the kernel of the ramps ({prf:ref}`proposition-mirror-kernel`), $K$ its matrix at the samples, and $K\lambda=y$. Let $\alpha(w,b)=\sum_i\lambda_i(wx_i-b)_+$, which is the limit of $n$ times the output weight of a unit $(w,b)$, and $m(x)=\mathbb E\bigl[\alpha|\alpha|^{q-1}(wx-b)_+\bigr]$. We write $k(x,X)$ and $m(X)$ for the vectors of values at the samples.
#
# ````{prf:proposition} What is left of the potential
# :label: proposition-response
#
# Let the ramps be fixed, with kinks at the quantiles of a bounded law and both signs of $w$ at each, let $K$ be invertible, and let $\phi$ be strictly convex and differentiable with {eq}`bend`, $q>1$ and $\phi''(0)>0$. As $n\to\infty$ the solutions of {eq}`unscaled-program` for $\phi$ and for $u^2$ satisfy
#
# ```{math}
# :label: potential-response
# \begin{gathered}n^{q-1}\bigl(f_{\mathrm{MF}}-f_{\mathrm{GF}}\bigr)(x)\;\to\;R_\phi(x)=-\tau\bigl(m(x)-k(x,X)K^{-1}m(X)\bigr),\\
# n\max_j|\theta_j-\theta_j(0)|\;\to\;\max\bigl(\max|\alpha|,\textstyle|\sum_i\lambda_i|\bigr).\end{gathered}
# ```
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# Write $\phi'(a_k)=\frac{\phi''(0)}n\alpha_k$ with $\alpha_k=\sum_i\lambda_i(w_kx_i-b_k)_+$, and the same for $\beta$ with $\sum_i\lambda_i$. Inverting {eq}`bend`, $na_k=\alpha_k-n^{1-q}\tau\alpha_k|\alpha_k|^{q-1}+o(n^{1-q})$, uniformly as long as $\lambda$ is bounded. Let $k_n$, $K_n$ and $m_n$ be the means over the $n$ ramps in place of the expectations, each with the term $1/n$ of the output bias added. Then $f(x)=k_n(x,X)\lambda-n^{1-q}\tau m_n(x)+o(n^{1-q})$, where $m_n$ is taken at $\lambda$, and the constraints are the same equation at the samples. The integrands are Lipschitz in $b$, so $k_n\to k$, $K_n\to K$, and $m_n\to m$. For $u^2$ the multipliers are $\lambda_{\mathrm{GF}}=K_n^{-1}y\to K^{-1}y$. The map $\lambda\mapsto K_n\lambda-n^{1-q}\tau m_n(X)+o(n^{1-q})$ is continuous and a small perturbation of an invertible one. So the constraints have a solution $\lambda$ near $\lambda_{\mathrm{GF}}$, namely $\lambda_{\mathrm{GF}}+n^{1-q}\tau K_n^{-1}m_n(X)+o(n^{1-q})$. Its $a_k$ are stationary, and by convexity they are the one solution of {eq}`unscaled-program`. We insert this in $f(x)$ and subtract. The second line is $na_k\to\alpha_k$, or the output bias, with $\alpha_k$ continuous in $b_k$. $\square$
# ````
#
# The potential first adds $-\tau m$, the pull of its next term on each output weight. This spoils the fit, so training repairs it at the samples, in the way a kernel interpolates. What interpolation misses between the samples is all that is left.
#
# Now all parameters train. By a **formal derivation** the hidden weights matter little. Since $a=0$ at the start, $w$ and $b$ move by $O(n^{-2})$ and change the outputs at this order, in both flows alike. They change the difference of the two by a part of order $n^{-2}$ of itself. We measure this part and do not bound it. For $|u|^3+u^2$ the largest error of the function, over the largest difference, is {glue:text}`unscaled_hidden_third` at {glue:text}`unscaled_midway` units and {glue:text}`unscaled_hidden` at {glue:text}`unscaled_n`, close to the ratio of nine that $n^{-2}$ asks for.
#
# ## How fast, exactly
#
# We solve the convex programs at two widths, remove the term of order $1/n$, and find $R_\phi$ to {glue:text}`unscaled_limit_off` of its largest value. At {glue:text}`unscaled_n` units the difference itself is still {glue:text}`unscaled_limit_at` away from it for $|u|^3+u^2$, because of the next term of $\phi'$, of relative size up to $2\tau\max|\alpha|/n$. The output bias, one parameter against $n$, accounts for less than a twentieth of that. For the two smooth potentials the next term is of order $n^{-2}$, and of the small remaining error the output bias is the larger part.
#
# Random kinks give every network a difference of its own. Over {glue:text}`unscaled_draws` networks the largest difference runs from {glue:text}`unscaled_draws_least` to {glue:text}`unscaled_draws_most`, and the convex program predicts each. With random kinks, too, the movement tends to $\max|\alpha|/n$, but this is no upper bound. Indeed {glue:text}`unscaled_further` networks move further.
#
# Before the end the difference is larger, because the slow directions of the kernel have not yet learned. In the time $s=\eta nt/\phi''(0)$ the multipliers solve $\dot\lambda=y-K\lambda$ from $0$, and $K^{-1}m(X)$ is replaced by the solution of $\dot\lambda^1=m(X)-K\lambda^1$. The largest difference of the whole training is {glue:text}`unscaled_way` times that of the end for $|u|^3+u^2$. The residual ends by decaying like $e^{-\mu s}$ with the least eigenvalue $\mu$ of the kernel matrix. By a formal derivation the kernels of the two flows end apart by
#
# ```{math}
# :label: kernel-change
# \begin{gathered}n^{q-1}\phi''(0)\bigl(H_{\mathrm{MF}}-H_{\mathrm{GF}}\bigr)_{ik}\;\to\\-\tau q\,\mathbb E\bigl[|\alpha|^{q-1}(wx_i-b)_+(wx_k-b)_+\bigr],\end{gathered}
# ```
#
# because $1/\phi''(a)=\frac1{\phi''(0)}(1-\tau q|a|^{q-1}+\dots)$. Each kernel is multiplied by its own $\phi''(0)$.
#
# ## Instruments
#
# Each claim with its allowed error and its control. A {term}`claim` must hold within its allowed error, and its {term}`control` must not.
#
# ### The numbers of the table
#
# ```{claim} difference
# :headline: difference of the functions learned by mirror and gradient flow, over the largest value of its limit,
#   three potentials, n = {n}
# :evidence: trained and compared
# :because: the movement of the hidden weights, of order 1/n², from a third of the hidden units
# :contrast: |u|³ + 1.05 u² in place of |u|³ + u²
#
# mirror flow of all parameters differs from gradient flow as the fits of least potential do, with the network's own ramps
# ```
#
# ```{claim} draws
# :headline: n times the same difference for |u|³ + u², each of {draws} draws of the kinks, n = {n}
# :evidence: trained and compared
# :because: the movement of the hidden weights, of order 1/n², from every third of the hidden units
# :contrast: the kinks at their quantiles
#
# with independent kinks each network differs from gradient flow as the fits of least potential do, with its own ramps
# ```
#
# ```{claim} movement
# :headline: n times the largest movement of a parameter, gradient flow and three potentials, n = {n}
# :evidence: trained and compared
# :because: the movement of the hidden weights, of order 1/n², from a third of the hidden units
# :contrast: hidden weights w of one sign only
#
# the largest movement is that of the fit of least potential, which tends to max|α|/n
# ```
#
# ```{claim} fixed
# :headline: function learned by {FEW} fixed ramps, three potentials
# :source: Gunasekar et al. 2018, Theorem 1
# :evidence: trained and compared
# :because: the residual of the flow, times the norm of interpolation by the ramps, times the largest ratio of
#   φ″ along them
# :contrast: gradient flow
#
# where the number of parameters is fixed, the potential decides what is learned
# ```

# %% tags=["hide-input"]
in_unit, derived_off, derived_third = scaled(learned, n), *(scaled(learned, size) - scaled(least, size) for size in (n, midway))
claims.limit("difference", scaled(least, n), in_unit, relative=True, error=refined(derived_off, derived_third, ratio=3, order=2),
             control=[near / largest[0], *in_unit[1:]], fill={"n": n})
claims.limit("draws", draws_p, draws_m, relative=True, fill={"draws": draws, "n": n},
             error=refined(draws_m - draws_p, derived_thirds[1] - derived_thirds[0], ratio=3, order=2) / np.max(np.abs(draws_p)),
             control=np.tile(in_unit[0] * largest[0], (draws, 1)))
derived_moved = at_quantiles(learned, midway)[1] - at_quantiles(least, midway)[1]
claims.limit("movement", moves, moved, relative=True, control=moved_one, fill={"n": n},
             error=refined(moved - moves, derived_moved, ratio=3, order=2) / np.max(moves))
derived_bent = [case.potential.curvature(u) for case, u in zip(CASES.values(), few_least[1:], strict=True)]
derived_bent = max(np.max(one) / np.min(one) for one in derived_bent)
derived_norm = np.max(np.linalg.norm(shown @ np.linalg.pinv(fixed_ramps), axis=1))
claims.limit("fixed", [shown @ u for u in few_least[1:]], few_ends, error=TARGET * derived_norm * derived_bent,
             control=[fit_few(NEAR), *few_ends[1:]], fill={"FEW": FEW})

# %% [markdown]
# ### The limit, other data, and the course of training
#
# The limit $R$, other data, the orders in $n$, the times before the end, the last rate, and the change of the kernel.
#
# ```{claim} limit
# :evidence: float with residual
# :because: the next order after the term 1/n is removed, from a third of the hidden units
# :contrast: the term 1/n is not removed (of the functions this tells of |u|³ + u² alone, as the other two have hardly any)
#
# n^(q−1) times the difference of the fits of least potential tends to the limit R of its potential, for three potentials, and n times the largest
# parameter to max|α|
# ```
#
# ```{claim} others
# :evidence: trained and compared
# :because: the movement of the hidden weights, of order 1/n², from a third of the hidden units
# :contrast: |u|³ + 1.2 u² in place of |u|³ + u²
#
# for other labels at other places, too, the flows differ as the fits of least potential do; |u|³ + u²
# ```
#
# ```{claim} orders
# :evidence: trained and compared
# :because: the slope of a relative error that falls like 1/n, its size at the least width from the change to
#   the next
# :contrast: a cubic potential that narrows with the width
#
# the difference falls like 1/n for |u|³ + u² and like 1/n² for u⁴ + u² and cosh u
# ```
#
# ```{claim} way
# :evidence: trained and compared
# :because: what a third of the hidden units and steps three times as long change, of errors of first order in
#   both
# :contrast: a cubic potential that narrows with the width
#
# at all recorded times n^(q−1) times the difference is the predicted function
# ```
#
# ```{claim} decay
# :evidence: trained and compared
# :because: the part of the rates that falls like 1/n², from three widths, each a third of the one before
# :contrast: a cubic potential that narrows with the width
#
# the residual ends by decaying at the least eigenvalue of the kernel, which |u|³ + u² lowers by the predicted
# part, the others by less than 1/n
# ```
#
# ```{claim} kernel
# :evidence: trained and compared
# :because: what a third of the hidden units changes of an error that falls like 1/n
# :contrast: a cubic potential that narrows with the width
#
# at the end the kernels of mirror and of gradient flow differ by the predicted matrix over nᑫ⁻¹
# ```

# %% tags=["hide-input"]


def with_move(size):
    """n^(q−1) (f_MF − f_GF) of the fits of least potential, and n times the largest move, all over their limits' sizes."""
    return np.append(scaled(least, size), at_quantiles(least, size)[1][0] / CUBIC.response().movement)


at_third, at_n, at_thrice = (with_move(size) for size in (midway, n, 3 * n))
extrapolated = (3 * at_thrice - at_n) / 2
claims.limit("limit", np.append(limits / largest[:, None], 1.0), extrapolated, control=at_n,
             error=refined(extrapolated, (3 * at_n - at_third) / 2, ratio=3, order=2))
claims.limit("others", other_p, other_m, relative=True, control=elsewhere(learned, placed, WIDER),
             error=refined(other_m - other_p, elsewhere(learned, placed_third) - elsewhere(least, placed_third), ratio=3, order=2))
logs = np.log(widths) - np.mean(np.log(widths))
derived_gaps = gaps[-len(widths):]
derived_wider = np.array(widths) / widths[0]
derived_levels = np.log(derived_gaps * derived_wider[:, None] ** (powers))  # they tend to constants
derived_first = derived_wider[1] * refined(derived_levels[1], derived_levels[0], derived_wider[1], order=1)
slopes = np.array([log_log_slope(widths, gap) for gap in derived_gaps.T])
claims.rate("orders", -powers, slopes, error=-logs @ (derived_first / derived_wider) / (logs @ logs),
            control=[log_log_slope(widths, scaled_gaps), *slopes[1:]])
# mutant(1): when states are recorded
moments = np.geomspace(1, 2e4, 26)  # s = ηnt/φ″(0), which is t for η = φ″(0)/n
on_way = np.array([[one.predict(grid) for one in response_path(x, y, law, case.power, case.bend, moments)]
                   for case in CASES.values()])
peaks = np.max(np.abs(on_way), axis=(1, 2))[:, None, None]


def path(size, case, growth):
    """The function on the grid at the moments."""
    network, rate = RampNetwork(samples, *placed_units(law, size)), case.speed / size
    run = follow_mirror(network, case.potential, rate, t_end=moments[-1], record=moments, misfit=None, first=growth, growth=growth)
    return np.array([network.output(theta, grid) for theta in run.theta[1:]])


def ways(size, growth, cases):
    """n^(q−1) (f_MF − f_GF) at the moments over the largest value that is predicted."""
    still = path(size, GRADIENT, growth)
    return np.array([size ** (case.power - 1) * (path(size, case, growth) - still) for case in cases]) / peaks


way = ways(midway, 0.02, CASES.values())
scaled_way = way.copy()
scaled_way[0] = ways(midway, 0.02, [narrow(midway)])[0]
claims.limit("way", on_way / peaks, way, error=refined(way, ways(coarse, 0.06, CASES.values()), ratio=3, order=1),
             control=scaled_way)
gram = ramp_kernel(x, x, law)
slowest = np.linalg.eigvalsh(gram)[0]  # mutant: the unit of time


def kernel_at(size, case, theta):
    """κ H of a state."""
    network = RampNetwork(samples, *placed_units(law, size))
    jacobian = network.tangent_features(theta)
    # mutant(-): an even curvature
    return case.speed / size * (jacobian / case.potential.curvature(theta - network.start)) @ jacobian.T


def late_rate(size, case):
    """−d ln‖r‖/ds, so late that only the slowest mode of the kernel is left."""
    network, rate = RampNetwork(samples, *placed_units(law, size)), case.speed / size
    # mutant(14): a run long enough by far
    theta = follow_mirror(network, case.potential, rate, misfit=None, t_end=14 / slowest).final
    rest = network.residual(theta)
    return rest @ kernel_at(size, case, theta) @ rest / (rest @ rest)


def predicted_rates(size):
    """The least eigenvalues of κH at the end, to first order in 1/n: the output bias adds 1/n to the kernel."""
    changed_kernels = [one.kernel_change / size if one.power == 2 else 0 * gram for one in responses]
    # mutant(/; 1; gram + 1 / size): the output bias hardly moves the least eigenvalue
    return np.array([np.linalg.eigvalsh(gram + 1 / size + moved)[0] for moved in changed_kernels])


cases = list(CASES.values())
rates = np.array([late_rate(n, case) for case in cases])
derived_rates = [rates, *([late_rate(size, case) for case in cases] for size in (midway, coarse))]
derived_second = np.max(np.abs(np.array([3, -4, 1]) @ derived_rates)) / 48  # c/n² of a + b/n + c/n²
claims.limit("decay", predicted_rates(n), rates, relative=True, error=derived_second / slowest,
             control=[late_rate(n, narrow(n, 1)), *rates[1:]])


def kernels_apart(size, cases):
    """n^(q−1) (φ″(0)H_MF − φ″(0)H_GF) at the end, each over the largest number that is predicted of it."""
    network = RampNetwork(samples, *placed_units(law, size))
    final = [follow_mirror(network, case.potential, case.speed / size, misfit=TARGET, growth=0.3).final for case in (GRADIENT, *cases)]
    gradient, *mirrored = (kernel_at(size, case, end) for case, end in zip((GRADIENT, *cases), final, strict=True))
    # mutant(-): the orders are a claim of their own
    powers = [size ** (case.power - 1) for case in cases]
    return np.array([power * (other - gradient) for power, other in zip(powers, mirrored, strict=True)]) / kernel_sizes


kernel_changes = np.array([one.kernel_change for one in responses])
kernel_sizes = np.max(np.abs(kernel_changes), axis=(1, 2))[:, None, None]
apart, apart_coarse = kernels_apart(n, cases), kernels_apart(midway, cases)
claims.limit("kernel", kernel_changes / kernel_sizes, apart, error=refined(apart, apart_coarse, ratio=3, order=1),
             control=kernels_apart(n, [narrow(n), *cases[1:]]))
glue_all("unscaled", limit_off=percent(peak(extrapolated[:-1] - (limits / largest[:, None]).ravel()), 3), limit_at=percent(peak(scaled(least, n)[0] - limits[0] / largest[0]), 1),
         way=f"{peaks[0, 0, 0] / largest[0]:.0f}", hidden=percent(peak(derived_off[0]), 2), hidden_third=percent(peak(derived_third[0]), 2),
         midway=f"{midway:,}")

# %% [markdown]
# ## What would falsify it
#
# A wide network whose difference from gradient flow is not that of the two fits of least potential, by more than the hidden weights explain, a part that falls like $1/n^2$. A difference that, times its power of $n$, settles at another function than $R_\phi$. A largest movement that, times $n$, does not settle at $\max|\alpha|$. A single random network that moves further than $\max|\alpha|/n$ falsifies nothing, because many do (see above).
#
# ## Differences from the paper
#
# - **Read.** The authors' slides on {cite:t}`liang2025`, in a machine copy.
# - **Sharper.** The movement is of order $1/n$ in place of $n^{-1/2}$, the differences are of order $1/n$ and $1/n^2$, and we give the constants. All this is for networks that start at $a=0$, as those of the slides' figures do. {doc}`variational_problem` has a claim with random $a(0)$.
# - **Changed.** The loss is half of the slides' sum of squares, and the step size has the factor $\phi''(0)$, so that all potentials start at the same speed. Both change the unit of time alone. The data are ours, because those of the slides' figures are not published.
# - **Smoothness.** The theorem asks for two continuous derivatives, which $|u|^3$ has. The kink of the second makes the order $1/n$.
#
# ## Scope
#
# One input and six samples, of a fixed set and of {glue:text}`unscaled_sets` that the seed draws. {prf:ref}`proposition-response` is proved for fixed ramps at the quantiles. That the trained hidden weights change the difference by a part of order $n^{-2}$ only is derived formally and measured. The widths must be large for the data, because $\max|\alpha|=$ {glue:text}`unscaled_alpha` is large here. Below some thousand units the next orders are felt.
#
# ## Exercises
#
# ````{exercise} Near zero
# :label: exercise-unscaled-parabola
#
# Compute $\phi''(u)/\phi''(0)$ for the three potentials at $u=0.0044$. Which of them is closest to a parabola there?
# ````
#
# ````{solution} exercise-unscaled-parabola
# :class: dropdown
#
# $1+3|u|=1.0132$ for $|u|^3+u^2$, $1+6u^2=1.00012$ for $u^4+u^2$, and $\cosh u=1.00001$ for $\cosh u$. The last one is closest.
# ````
#
# ````{exercise} A factor
# :label: exercise-unscaled-factor
#
# $u^4+u^2$ and $\cosh u$ leave differences of the same shape. What is their ratio?
# ````
#
# ````{solution} exercise-unscaled-factor
# :class: dropdown
#
# Both have $q=3$, so $m$ is the same, and the ratio is that of $\tau$. It is $2$ to $\frac16$, twelve.
# ````
#
# ````{exercise} A potential that narrows
# :label: exercise-unscaled-scaled
#
# Let $\phi=|u|^3+\omega u^2$. How does the difference depend on $\omega$, and what happens for $\omega=1/n$?
# ````
#
# ````{solution} exercise-unscaled-scaled
# :class: dropdown
#
# $\phi'=2\omega\bigl(u+\frac3{2\omega}u|u|\bigr)$, so $\tau=\frac3{2\omega}$ and the difference is of order $1/(\omega n)$. For $\omega=1/n$ it is of order $1$, and the potential decides what is learned at every width. This is the scaled potential of the second half of {cite:t}`liang2025`. Up to a factor it is the grey line of {numref}`figure-unscaled`(b).
# ````
#
# ````{exercise} A narrower potential
# :label: exercise-unscaled-rerun
#
# Let the potential be $|u|^3+0.1\,u^2$, so $\phi''(0)=0.2$, $q=2$ and $\tau=15$. (In the folded code below the parameters, write `CUBIC = Case(Cubic(0.1), 0.2, 2, 15)`.) By which factor does the difference at $n$ units change? What do you expect at {glue:text}`unscaled_few` ramps?
# ````
#
# ````{solution} exercise-unscaled-rerun
# :class: dropdown
#
# $\tau$ is ten times as large, so the limit of $n(f_{\mathrm{MF}}-f_{\mathrm{GF}})$ is ten times as large too. At $n$ units the next orders matter more, because $\tau|\alpha|/n$ is no longer small. With {glue:text}`unscaled_few` ramps the output weights are so large that the quadratic term hardly counts in either potential, and the difference grows by much less than ten. We find the factors $9.6$ and $1.4$.
# ````
#
# ## Where to go next
#
# ```{next}
# Which function is it that all these potentials lead to? {doc}`variational_problem` computes it. {doc}`scaled_potentials` lets the potential narrow with the width.
# ```
#
# ## References
#
# The theorem on wide networks is that of {cite:t}`liang2025`, the one on fixed models that of {cite:t}`gunasekar2018`.
