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
# # Sparse deconvolution: particles find the measure, exponentially fast
#
# A few spikes on a torus are known by their lowest Fourier coefficients only. The convex problem over all measures has a sparse
# solution. Gradient descent on the weights and positions of particles, a non-convex method, reaches it: from enough particles
# globally, and at the end at an exponential rate that the solution alone determines {cite}`chizat2022`.
#
# ```{chapter-claims}
# ```
#
# ## Setting
#
# $\Theta=[0,2\pi)^2$ is the torus, $\phi(\theta)=(e^{-ik\cdot\theta})_k$ with $k\in\{-2,\dots,2\}^2$, and $\hat f=\int\phi\,d\hat\nu$ is what
# is known of a measure $\hat\nu$ with a few spikes. Over the nonnegative measures $\nu$, with $\lambda>0$, minimize
#
# $$\begin{aligned}J(\nu)&=R\Bigl(\int\phi\,d\nu\Bigr)+\lambda\,\nu(\Theta),\\R(f)&=\tfrac12\sum_k|f_k-\hat f_k|^2 .\end{aligned}$$
#
# Its first variation is $J'_\nu(\theta)=\langle\phi(\theta),\int\phi\,d\nu-\hat f\rangle+\lambda$, a function on $\Theta$. Particles with weights $r_i\ge0$
# at $\theta_i$ carry $\nu=\frac1m\sum_{i=1}^mr_i^2\delta_{\theta_i}$ and follow the *conic flow*
#
# ```{math}
# :label: conic-flow
# r_i'=-2\alpha\,r_i\,J'_\nu(\theta_i),\qquad\theta_i'=-\beta\,\nabla J'_\nu(\theta_i).
# ```
#
# *Conic descent* is its discretization $r_i\leftarrow r_ie^{-2\alpha J'_\nu(\theta_i)}$, $\theta_i\leftarrow\theta_i-\beta\nabla J'_\nu(\theta_i)$, with
# $\alpha=\beta=h$ small (the mirror retraction; the canonical one has $r_i(1-2\alpha J')$). Its time is $t=\text{step}\cdot h$, and rates are per
# unit of that time: $\alpha=\beta=1$ in {eq}`conic-flow`.

# %% tags=["hide-input"]
import numpy as np
import sympy as sp
from IPython.display import HTML
from matplotlib import pyplot as plt

from implicit_bias import animations, plots
from implicit_bias.data import random_spikes, three_spikes, torus_grid
from implicit_bias.flows import ConicDescent, drive, gradient_flow
from implicit_bias.limits import LocalRates, SparseMeasure, blasso
from implicit_bias.models import ParticleMeasure
from reproduce.claims import Control, Rival, claim

plots.use_style()

# %% tags=["parameters"]
side: int = 10  # side of the grid of particles, √m, in [7, 40]
penalties: list[float] = [1.0, 4.0]  # penalties λ, each in [0.7, 5]
step_size: float = 0.01  # step size h of α and β, in [0.002, 0.011]
radius: float = 0.5  # initial weight r of every particle, in [0.1, 1]
samples: int = 100  # random measures on which the sharpness is tested, in [10, 1000]
seed: int = 0  # seed of the streams of data and initialization, in [0, 4294967295]

# %% [markdown]
# Two problems go through everything: the authors' three spikes, and three drawn at random, at least $1.7$ apart (the resolution
# of frequencies up to $2$ is about $2\pi/5$), with masses in $[0.6,1.3]$.

# %%
data_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
problems = [three_spikes(), random_spikes(data_stream)]
cases = [(problem, penalty) for problem in problems for penalty in penalties]

# %% [markdown]
# ## What theory predicts
#
# $\nu^*$ minimizes $J$ exactly if $J'_{\nu^*}\ge0$, with equality on its support. It is *non-degenerate* if it has finitely many spikes, $J'_{\nu^*}>0$
# elsewhere and $\nabla^2J'_{\nu^*}$ is positive definite at them, and if $\nabla^2J(a,\theta)$ is positive definite in the spikes' masses $a_i$ and
# positions.
#
# ```{prf:theorem} Chizat 2022, sharpness
# :label: theorem-sharpness
#
# Let $\nu^*$ be non-degenerate. There are $J_0>J^*$ and $\kappa_0>0$ such that every nonnegative $\nu$ with $J(\nu)\le J_0$, of any number of particles,
# has
#
# $$\begin{aligned}\int\bigl(4\alpha|J'_\nu|^2&+\beta\|\nabla J'_\nu\|^2\bigr)\,d\nu\\&\ge\kappa_0\,\min\{\alpha,\beta\}\,\bigl(J(\nu)-J^*\bigr).\end{aligned}$$
#
# Hence from $J(\nu_0)\le J_0$ the conic flow, and conic descent with small enough steps, converges exponentially to the minimum.
# ```
#
# Along {eq}`conic-flow` the left side is $-dJ/dt$, so that $J-J^*\le e^{-\kappa_0\min\{\alpha,\beta\}t}(J(\nu_0)-J^*)$.
#
# How large is $\kappa_0$? The theorem leaves it open; the following is derived here. To leading order a measure near $\nu^*$ deviates from it in three ways,
# whose contributions to both sides of the inequality add up.
#
# ````{prf:proof}
# $R$ is quadratic, so that exactly
#
# $$J(\nu)-J^*=\tfrac12\Bigl\|\int\phi\,d(\nu-\nu^*)\Bigr\|^2+\int J'_{\nu^*}d\nu.$$
#
# *Spikes.* The mass $a_i$ near spike $i$ and its barycentre, $z=(a,\theta)$, deviate by $\delta z$. With $H=\nabla^2J(a,\theta)$ at $\nu^*$ and
# $D=\operatorname{diag}(4\alpha a_i,\beta/a_i)$, the gap is $\frac12\delta z^\top H\delta z$ and its rate of fall $\delta z^\top HDH\delta z$: the quotient is at least
# $2\mu_{\min}(DH)$, and the flow is $\delta z'=-DH\,\delta z$.
#
# *Spread.* Particles at one spike have displacements $\delta_i$ from their barycentre, $\sum a_i\delta_i=0$. To second order the gap is
# $\frac12\sum a_i\delta_i^\top G\,\delta_i$ with $G=\nabla^2J'_{\nu^*}(\theta)$ at the spike, and its rate of fall $\beta\sum a_i\|G\delta_i\|^2$: the quotient is at least
# $2\beta\lambda_{\min}(G)$, and $\delta_i'=-\beta G\delta_i$. Crossed terms with the barycentre vanish.
#
# *Elsewhere.* A mass $\varepsilon$ at another place $\theta$ has gap $\varepsilon J'_{\nu^*}(\theta)$ and rate of fall
# $\varepsilon(4\alpha J'^2_{\nu^*}+\beta\|\nabla J'_{\nu^*}\|^2)$. $\square$
# ````
#
# So the best constant, as $J_0\to J^*$, is
#
# ```{math}
# :label: kappa
# \begin{aligned}
# \kappa\min\{\alpha,\beta\}&=\min\Bigl\{2\mu_{\min}(DH),\\
# &\quad2\beta\min_i\lambda_{\min}(\nabla^2J'_{\nu^*}(\theta_i^*)),\\
# &\quad\inf_\theta\tfrac{4\alpha J'^2_{\nu^*}+\beta\|\nabla J'_{\nu^*}\|^2}{J'_{\nu^*}}\Bigr\}.
# \end{aligned}
# ```
#
# The last term is often the least, between two spikes near a saddle of $J'_{\nu^*}$. But no particle stays there: *trajectories* from a generic start end with
# the rate
#
# ```{math}
# :label: generic-rate
# \begin{aligned}
# \rho=\min\bigl\{&2\mu_{\min}(DH),\\
# &2\beta\min_i\lambda_{\min}(\nabla^2J'_{\nu^*}(\theta_i^*)),\\
# &4\alpha\min J'_{\nu^*}\bigr\},
# \end{aligned}
# ```
#
# the last minimum over those local minima of $J'_{\nu^*}$ that are no spikes, *traps* whose particles lose their mass at the rate $4\alpha J'_{\nu^*}$. Only traps in which
# particles have ended count, so that a run may be faster than $\rho$. With one particle a spike the second and third terms are absent: the
# rate is $2\mu_{\min}(DH)$, several times larger. For conic descent with step $h$, $\delta z\leftarrow(I-hDH)\delta z$: a mode of the flow of rate
# $\mu$ has rate $-\ln(1-h\mu)/h$.
#
# The minimizer is found without particles: spikes are added one at a time where $J'$ is least, all of them improved by BFGS and Newton's
# method, until the minimum of $J'$ over the torus certifies optimality by the dual problem $\max_p-\frac12\|p\|^2-\langle p,\hat f\rangle$ subject to
# $\langle\phi(\theta),p\rangle+\lambda\ge0$.

# %% [markdown]
# The first two ways are checked by computer algebra where everything can be written down: one spike of mass $c$ on the circle, answered by the
# mass $a=c-\lambda/5$ in two particles of unequal weight.

# %% tags=["hide-input"]
a, c, e, w, dm, z, d, alpha, beta = sp.symbols("a c e w delta_a z delta alpha beta", positive=True)


def dirichlet(x):
    """The kernel of the circle at K = 2, to second order."""
    return 5 - 5 * x**2  # 1 + 2 cos x + 2 cos 2x, whose next term is of order four


share = [(a + e * dm) * w, (a + e * dm) * (1 - w)]  # e is the small parameter; barycentre e·z, displacements of mean 0
place = [e * (z + (1 - w) * d), e * (z - w * d)]
lam = 5 * (c - a)
fit = sum(
    p * q * dirichlet(x - y) for p, x in zip(share, place, strict=True) for q, y in zip(share, place, strict=True)
)
gap_of_two = fit / 2 - c * sum(p * dirichlet(x) for p, x in zip(share, place, strict=True)) + lam * sum(share)
along = sp.Symbol("x")
variation = sum(p * dirichlet(along - x) for p, x in zip(share, place, strict=True)) - c * dirichlet(along) + lam
fall_of_two = sum(
    p * (4 * alpha * variation**2 + beta * sp.diff(variation, along) ** 2).subs(along, x)
    for p, x in zip(share, place, strict=True)
)
G = 10 * (c - a)  # the certificate's curvature at the spike, as that of the kernel is −10
H = sp.Matrix([[5, 0], [0, a * G + 10 * a**2]])  # ∇²J in mass and position
D = sp.diag(4 * alpha * a, beta / a)
dz, spread_of_two = sp.Matrix([dm, z]), a * w * (1 - w) * d**2
second = {name: sp.expand(f).coeff(e, 2) for name, f in (("gap", gap_of_two), ("fall", fall_of_two))}
assert sp.simplify(second["gap"] - (dz.T * H * dz)[0] / 2 - G * spread_of_two / 2) == 0
assert sp.simplify(second["fall"] - (dz.T * H * D * H * dz)[0] - beta * G**2 * spread_of_two) == 0

# %%
limits = [blasso(problem, penalty) for problem, penalty in cases]
rates = [LocalRates(limit, 1.0, 1.0) for limit in limits]
predicted_rates = [rate.rate for rate in rates]
sharpnesses = [rate.sharpness for rate in rates]
certificates = [limit.certificate.worst for limit in limits if limit.certificate is not None]
print("certified: depth of J' and duality gap at most 1e-12:", max(certificates) <= 1e-12)
if step_size * max(rate.spikes[0][-1] for rate in rates) >= 1.9:
    raise ValueError(f"step_size is {step_size}; it must be below {1.9 / max(r.spikes[0][-1] for r in rates):.4f} here")

# %% [markdown]
# ## Experiment
#
# Particles start on a grid, all with the same weight: no knowledge of the spikes. Conic descent runs until the predicted rate has made the
# gap $e^{-60}$ of what it was. A second run starts with one particle a spike, from the authors' positions for $m=3$ on their problem, and near the
# minimizer on the other. The control has no penalty: for $\lambda=0$, $\hat\nu$ is still the only solution, but $J'_{\hat\nu}\equiv0$ is degenerate.

# %%
AUTHORS = np.pi + np.array([[0.5, -0.5], [2.1, -0.7], [0.3, 1.8], [0.5, 1.5]])
EFOLDS = 60


def descend(problem, penalty, positions, steps, recorded=400, retraction="mirror"):
    """Conic descent from equal weights: the measure, the recorded steps and parameters."""
    measure = ParticleMeasure(problem, penalty)
    start = measure.start(positions, radius)
    steps = int(np.ceil(steps))
    times = np.unique(np.round(np.linspace(1, steps - 1, recorded))).astype(float)
    run = drive(ConicDescent(measure, step_size, step_size, retraction), start, t_end=steps, record=times)
    assert run.converged, run.ended
    return measure, run.t, run.theta


def values(measure, thetas):
    """J at each of the recorded parameters."""
    return np.array([measure.value(theta) for theta in thetas])


grid = torus_grid(side, 2)
wide = [descend(*case, grid, EFOLDS / (rate * step_size)) for case, rate in zip(cases, predicted_rates, strict=True)]
gaps = [values(m, thetas) - limit.value for (m, _, thetas), limit in zip(wide, limits, strict=True)]
narrow = []
for (problem, penalty), limit, local in zip(cases, limits, rates, strict=True):
    near = limit.positions + initialization_stream.uniform(-0.3, 0.3, limit.positions.shape)
    start = AUTHORS[:3] if problem is problems[0] and len(near) == 3 else near
    narrow.append(descend(problem, penalty, start, 70 / (2 * local.spikes[0][0] * step_size)))
unpenalized = [descend(problem, 0.0, grid, 6000) for problem in problems]

# %%


def around(limit, generator, count=1):
    """Random measures near a minimizer: positions and masses, with up to 30 particles a spike and a little mass elsewhere."""
    for _ in range(count):
        size = 10 ** generator.uniform(-5, -3.5)
        split = generator.integers(2, 31)
        shares = generator.dirichlet(np.ones(split), len(limit.masses))
        spread = size * generator.standard_normal((*shares.shape, 2))
        spread -= np.sum(shares[..., None] * spread, axis=1, keepdims=True)
        shift = size * generator.integers(0, 2)  # half of them have masses and barycentres as they should be
        masses = (limit.masses * (1 + shift * generator.standard_normal(limit.masses.size)))[:, None] * shares
        places = limit.positions[:, None] + spread + shift * generator.standard_normal((len(limit.masses), 1, 2))
        yield places.reshape(-1, 2), masses.ravel()
        yield little_elsewhere(limit, generator.uniform(0, 2 * np.pi, 2))


def little_elsewhere(limit, place, mass=1e-6):
    """A little mass at another place, the spikes moved to where they are stationary."""
    more = SparseMeasure(
        limit.problem, limit.penalty, np.vstack([limit.positions, place]), np.append(limit.masses, mass)
    )
    s = limit.masses.size
    slope = more.slope()
    keep = np.delete(np.arange(slope.size), [s, slope.size - 2, slope.size - 1])
    step = np.zeros_like(slope)
    step[keep] = -np.linalg.solve(limit.hessian(), slope[keep])
    moved = more.moved(step)
    return moved.positions, moved.masses


def quotient(limit, places, masses):
    """The quotient of the sharpness inequality at α = β = 1, and the gap."""
    measure = ParticleMeasure(limit.problem, limit.penalty)
    theta = np.concatenate([np.sqrt(masses * masses.size), places.T.ravel()])
    gap = measure.value(theta) - limit.value
    return measure.dissipation(theta, 1.0, 1.0) / gap, gap


# %% mystnb={"figure": {"caption": "The authors' problem. Left: from four, 25 and more particles the gap to the certified minimum falls at the predicted rate $\\rho$ (dashed), from one particle a spike much faster, and without penalty (grey) slower than any exponential. Right: the quotient of the sharpness inequality for random measures near $\\nu^*$ (dots), for a little mass at the worst place (red) and along the trajectories (lines); no measure is below $\\kappa$, no trajectory ends below $\\rho$ (dashed).", "name": "figure-sparse-deconvolution"}, "image": {"alt": "Two panels: gap against iteration for several numbers of particles with predicted slopes; sharpness quotient against the gap with the predicted lower bounds"}} tags=["hide-input"]
first, local, case = limits[0], rates[0], cases[0]
fig, (left, right) = plt.subplots(1, 2, figsize=(12, 4.3))
horizon = 3000
shown = [
    (f"$m={len(start)}$", *descend(*case, start, horizon)) for start in (AUTHORS[:3], AUTHORS, torus_grid(5, 2), grid)
]
for (label, m, t, thetas), color in zip(shown, ("green", "purple", "orange", "blue"), strict=True):
    gap = np.maximum(values(m, thetas) - first.value, 1e-16)
    seen = gap > 1e-14
    left.semilogy(t[seen], gap[seen], color=plots.COLORS[color], label=label)
    fall = np.array([m.dissipation(theta, 1.0, 1.0) for theta in thetas])
    window = (gap > 1e-12) & (gap < 1e-2)
    right.loglog(gap[window], fall[window] / gap[window], color=plots.COLORS[color], linewidth=1.6)
m, t, thetas = unpenalized[0]
left.semilogy(t, values(m, thetas), color=plots.COLORS["grey"], label=rf"$m={side**2}$, $\lambda=0$")
t = np.array([600.0, horizon])
anchor = float(np.interp(1500, shown[3][2], np.log(np.maximum(values(shown[3][1], shown[3][3]) - first.value, 1e-16))))
plots.theory(left, t, np.exp(anchor - local.rate * step_size * (t - 1500)), r"$\rho$ and $2\mu_{\min}$")
t = np.array([0.0, 190.0])
fast = np.interp(100, shown[0][2], np.log(np.maximum(values(shown[0][1], shown[0][3]) - first.value, 1e-16)))
plots.theory(left, t, np.exp(fast + 2 * np.log(1 - step_size * local.spikes[0][0]) * (t - 100)))
left.set(
    xlim=(0, horizon),
    ylim=(1e-14, 30),
    xlabel="iteration",
    ylabel=r"$J(\nu)-J^*$",
    title=rf"gap, $\lambda={case[1]:g}$",
)
left.legend(loc="upper right", fontsize=10)

dots = np.array([quotient(first, *sample) for sample in around(first, np.random.default_rng(1), 150)])
right.loglog(dots[:, 1], dots[:, 0], ".", color=plots.COLORS["sky"], markersize=4, zorder=1)
worst = np.array([quotient(first, *little_elsewhere(first, local.elsewhere[1], 10.0**e)) for e in np.arange(-9.0, -4)])
right.loglog(worst[:, 1], worst[:, 0], "v", color=plots.COLORS["red"], markersize=6)
plots.theory_level(right, local.rate)
plots.theory_level(right, local.sharpness)
right.annotate(r"$\rho$", (2e-3, local.rate), textcoords="offset points", xytext=(0, 4))
right.annotate(r"$\kappa$", (2e-3, local.sharpness), textcoords="offset points", xytext=(0, 4))
right.set(xlim=(1e-12, 1e-2), xlabel=r"$J(\nu)-J^*$", ylabel=r"$-\dot J/(J-J^*)$", title="sharpness")
plt.show()

# %% [markdown]
# The motion itself, on the authors' problem: the particles (red, areas are masses) gather at the spikes of $\nu^*$ (white), over $J'_{\nu^*}$, dark
# where it is least.

# %% tags=["hide-input"]
m, steps, thetas = descend(*case, grid, horizon, recorded=horizon)
moments = np.unique(np.round(np.geomspace(1, horizon, 36)).astype(int))
frames = np.concatenate([[0], np.searchsorted(steps, moments)])
raster = torus_grid(60, 2)
HTML(
    animations.animate_particles(
        np.array([m.positions(thetas[k]) for k in frames]),
        np.array([m.masses(thetas[k]) for k in frames]),
        steps[frames],
        np.array([m.value(thetas[k]) - first.value for k in frames]),
        spikes=first.positions,
        spike_masses=first.masses,
        background=first.variation(raster)[0].reshape(60, 60),
        name="film-sparse-deconvolution",
        alt="Particles on the torus move to the three spikes of the minimizer while the gap falls to rounding",
    )
)

# %% [markdown]
# ## Check
#
# The grid of particles ends at the certified minimum, in value and as a measure: mass and barycentre of what lies within $0.5$ of each spike, and the
# mass elsewhere. The control of the value has one particle less than spikes; that of the measure is $\hat\nu$, the minimizer without penalty.

# %%
few = []
for problem, penalty in cases:
    steps_few = EFOLDS / (min(predicted_rates) * step_size)
    m, _, thetas = descend(problem, penalty, problem.positions[:-1], min(steps_few, 5000), recorded=2)
    few.append(m.value(thetas[-1]))
claim(
    "sparse_deconvolution.limit",
    "from a grid of particles conic descent reaches the certified minimum of the convex problem",
    source="Chizat 2022, global convergence",
    kind="limit",
    theory=[limit.value for limit in limits],
    measured=[gap[-1] + limit.value for gap, limit in zip(gaps, limits, strict=True)],
    tolerance=1e-11,
    why="e^(−60) of the gap is left, and rounding of some hundred terms of size up to 25 in J and J*, 1e-14 each",
    control=Control("one particle fewer than spikes", few),
)


def gathered(limit, places, masses):
    """Mass and barycentre within 0.5 of each spike of the minimizer, and the mass elsewhere."""
    apart = (places[:, None] - limit.positions + np.pi) % (2 * np.pi) - np.pi
    near = np.linalg.norm(apart, axis=2) < 0.5
    mass = masses @ near
    centre = np.einsum("i,ij,ijk->jk", masses, near, apart) / np.maximum(mass, 1e-12)[:, None]
    return np.concatenate([mass, centre.ravel(), [masses[~near.any(axis=1)].sum()]])


claim(
    "sparse_deconvolution.measure",
    "the particles' masses and barycentres at the spikes are those of the minimizer, and no mass is left elsewhere",
    source="Chizat 2022, global convergence",
    kind="limit",
    theory=np.concatenate([[*limit.masses, *np.zeros(limit.positions.size + 1)] for limit in limits]),
    measured=np.concatenate(
        [gathered(lim, m.positions(th[-1]), m.masses(th[-1])) for lim, (m, _, th) in zip(limits, wide, strict=True)]
    ),
    tolerance=1e-9,
    why="e^(−30) of the deviations is left, under 1e-12, and rounding 1e-14 times the condition of the Hessian, up to 1e3",
    control=Control(
        "the measure behind the data, the minimizer without penalty",
        np.concatenate([gathered(lim, lim.problem.positions, lim.problem.masses) for lim in limits]),
    ),
)

# %% [markdown]
# The sharpness inequality on random measures: 2 to 30 particles a spike, spread by $10^{-5}$ to $10^{-3.5}$, half of them with masses and barycentres disturbed too, and single
# particles of mass $10^{-6}$ anywhere on the torus with the spikes readjusted to them. Then the three worst directions of {eq}`kappa`, in which the quotient must
# *equal* its bound: this is what makes $\kappa$ the best constant. The control of both is the degenerate problem, $\lambda=0$, with the constants of the
# penalized one.

# %%
degenerate = [SparseMeasure(lim.problem, 0.0, lim.problem.positions, lim.problem.masses) for lim in limits]


def lowest(minimizer):
    """The least quotient over random measures near a minimizer."""
    return min(quotient(minimizer, *sample)[0] for sample in around(minimizer, initialization_stream, samples))


claim(
    "sparse_deconvolution.sharpness",
    "no measure near the minimizer has a sharpness quotient below κ, however many particles it has",
    source="Chizat 2022, sharpness; κ derived in this chapter",
    kind="bound",
    side="lower",
    theory=1.0,
    measured=[lowest(limit) / kappa for limit, kappa in zip(limits, sharpnesses, strict=True)],
    tolerance=0.01,
    why="cubic terms, of the size of the disturbance 10^(−3.5) times ratios of curvatures of the order of ten",
    control=Control(
        "no penalty: the certificate is degenerate",
        [lowest(minimizer) / kappa for minimizer, kappa in zip(degenerate, sharpnesses, strict=True)],
    ),
)


def extremes(minimizer, local, size=1e-5):
    """The quotients in the three worst directions: of the spikes, of the spread at one spike, of a little mass elsewhere."""
    s = min(minimizer.masses.size, local.limit.masses.size)
    direction = local.spikes[1][:, 0] / np.linalg.norm(local.spikes[1][:, 0])
    if direction.size == minimizer.masses.size * 3:
        moved = minimizer.moved(10 * size * direction)
    else:
        moved = minimizer.moved(np.full(minimizer.masses.size * 3, 10 * size))
    slow, axes = local.spread
    spike = int(np.argmin(slow[:s, 0]))
    places = np.vstack([minimizer.positions, minimizer.positions[spike]])
    places[spike] += 10 * size * axes[spike, :, 0]
    places[-1] -= 10 * size * axes[spike, :, 0]
    halves = np.append(minimizer.masses, minimizer.masses[spike] / 2)
    halves[spike] /= 2
    return [
        quotient(minimizer, moved.positions, moved.masses)[0],
        quotient(minimizer, places, halves)[0],
        quotient(minimizer, *little_elsewhere(minimizer, local.elsewhere[1], size / 10))[0],
    ]


worst_predicted = [[2 * r.spikes[0][0], 2 * r.spread[0].min(), r.elsewhere[0]] for r in rates]
worst_measured = [extremes(limit, r) for limit, r in zip(limits, rates, strict=True)]
worst_degenerate = [extremes(flat, r) for flat, r in zip(degenerate, rates, strict=True)]
claim(
    "sparse_deconvolution.attained",
    "in the three worst directions the quotient equals its predicted bound, so that κ is the best constant",
    source="derived in this chapter",
    kind="identity",
    theory=np.ones(3 * len(cases)),
    measured=np.ravel(np.array(worst_measured) / np.array(worst_predicted)),
    tolerance=0.01,
    why="as for the sharpness; the mass elsewhere adds ε K(0)/J′, 1e-6 times 25 over at least 0.01",
    control=Control(
        "no penalty: the certificate is degenerate", np.ravel(np.array(worst_degenerate) / np.array(worst_predicted))
    ),
)

# %% [markdown]
# The rates of conic descent. With one particle a spike, the part of $\delta z$ along the slowest eigenvector of $DH$ falls at
# $-\ln(1-h\mu_{\min})/h$; its control is the
# grid of particles, its rival the flow's own $\mu_{\min}$. With many, the spread of the particles at *each* spike, those that started within $1$ of it, along the slowest axis $v$ of its
# $\nabla^2J'_{\nu^*}$, falls at its own rate $-\ln(1-h\lambda_{\min})/h$. The rates of both are regressed where the deviation is between $10^{-11}$ and $10^{-8}$.


# %%
def discrete(mu):
    """The rate per unit of time of a mode of rate μ under steps of size h."""
    return -np.log(1 - step_size * np.asarray(mu)) / step_size


def slope(t, size, low, high):
    """Minus the slope of ln size in time, where size first lies between low and high; 0 if it never falls there."""
    below = np.flatnonzero(size < low)
    last = below[0] if below.size else len(size)
    window = np.arange(np.flatnonzero(np.append(size, 0) < high)[0], last)
    return -np.polyfit(step_size * t[window], np.log(size[window]), 1)[0] if window.size > 2 else 0.0


def slowest_mode(limit, local, measure, thetas):
    """The part of δz along the slowest eigenvector of DH, of each recorded state."""
    exact = np.concatenate([limit.masses, np.zeros(limit.positions.size)])
    dual = local.spikes[1][:, 0] / local.metric
    states = [gathered(limit, measure.positions(th), measure.masses(th))[:-1] - exact for th in thetas]
    return np.abs(np.array(states) @ dual)


mu_spikes = np.array([local.spikes[0][0] for local in rates])
narrow_slopes = []
for limit, local, (m, t, thetas) in zip(limits, rates, narrow, strict=True):
    arrived = np.linalg.norm(
        (m.positions(thetas[-1])[:, None] - limit.positions + np.pi) % (2 * np.pi) - np.pi, axis=2
    ).min(axis=0)
    assert arrived.max() < 1e-6, "one particle a spike: the start is too far from the minimizer"
    narrow_slopes.append(slope(t, slowest_mode(limit, local, m, thetas), 1e-11, 1e-8))
wide_slopes = [slope(t, np.sqrt(np.abs(gap)), 1e-5, 1e-3) for (_, t, _), gap in zip(wide, gaps, strict=True)]
claim(
    "sparse_deconvolution.rate",
    "one particle a spike approaches the minimizer at the least rate of the linearized steps",
    source="derived in this chapter",
    kind="rate",
    theory=np.ones(len(cases)),
    measured=narrow_slopes / discrete(mu_spikes),
    tolerance=1e-3,
    why="deviations below 1e-8 are linear, and the other modes are projected out; rounding 1e-15 over 1e-11 at the end",
    control=Control("a grid of particles, whose rate is that of their spread", wide_slopes / discrete(mu_spikes)),
    rival=Rival("the rate of the flow, without the steps", mu_spikes / discrete(mu_spikes), factor=10),
)


def spreads(limit, local, measure, t, thetas):
    """For each spike, the rate at which the particles there contract along the slowest axis; and the predicted one."""
    found = []
    home = measure.positions(thetas[-1])
    for k, spike in enumerate(limit.positions):
        offset = (home - spike + np.pi) % (2 * np.pi) - np.pi
        began = (measure.positions(thetas[0]) - spike + np.pi) % (2 * np.pi) - np.pi
        members = np.flatnonzero((np.linalg.norm(offset, axis=1) < 0.1) & (np.linalg.norm(began, axis=1) < 1.0))
        size = []
        for theta in thetas:
            along = (measure.positions(theta)[members] - home[members] + offset[members]) @ local.spread[1][k, :, 0]
            size.append(np.std(along))
        found.append(slope(t, np.array(size), 1e-11, 1e-8))
    return np.array(found)


spread_predicted = np.concatenate([discrete(local.spread[0][:, 0]) for local in rates])
spread_measured = np.concatenate([spreads(lim, loc, *run) for lim, loc, run in zip(limits, rates, wide, strict=True)])
spread_flat = np.concatenate(
    [
        spreads(lim, loc, *unpenalized[0 if lim.problem is problems[0] else 1])
        for lim, loc in zip(limits, rates, strict=True)
    ]
)
claim(
    "sparse_deconvolution.spread",
    "at each spike the particles contract at the rate of the least eigenvalue of the certificate's Hessian there",
    source="derived in this chapter",
    kind="rate",
    theory=np.ones(spread_predicted.size),
    measured=spread_measured / spread_predicted,
    tolerance=0.01,
    why="displacements below 1e-8 are linear; barycentres still moving with the gap add of the order of its square root",
    control=Control("no penalty: the certificate is degenerate", spread_flat / spread_predicted),
)

# %% [markdown]
# Therefore the gap falls at $\rho$ or faster, for every number of particles. Of the traps only those count that hold a particle at the end of the run.


# %%
def generic_rate(local, measure, theta):
    """The rate ρ for a run that ended at θ: the traps without particles left out."""
    depths, places = local.traps
    apart = (measure.positions(theta)[:, None] - places + np.pi) % (2 * np.pi) - np.pi
    held = np.any(np.linalg.norm(apart, axis=2) < 0.1, axis=0)
    return min(2 * local.spikes[0][0], 2 * local.spread[0].min(), np.min(depths[held], initial=np.inf))


sizes = [AUTHORS, torus_grid(5, 2), torus_grid(7, 2)]
more = [(*descend(*case, start, 40 / (local.rate * step_size)), lim, local)
        for case, lim, local in zip(cases[: len(penalties)], limits, rates, strict=False) for start in sizes]  # fmt: skip
more += [(*run, lim, local) for run, lim, local in zip(wide, limits, rates, strict=True)]
gap_rates = [
    slope(t, np.maximum(values(m, th) - lim.value, 0), 1e-11, 1e-7) / generic_rate(local, m, th[-1])
    for m, t, th, lim, local in more
]
flat_gaps = [slope(t, values(m, th), values(m, th)[-1], 10 * values(m, th)[-1]) for m, t, th in unpenalized]
claim(
    "sparse_deconvolution.gap",
    "from any number of particles the gap ends at the rate predicted for the places where they end, or faster",
    source="Chizat 2022, corollary of the sharpness; ρ derived in this chapter",
    kind="bound",
    side="lower",
    theory=1.0,
    measured=gap_rates,
    tolerance=0.02,
    why="the rate is that of the limit; at a gap of 1e-7 the deviations, up to 1e-3, still bend it by that times ten",
    control=Control(
        "no penalty: the certificate is degenerate, the last tenfold fall of the gap in 6000 steps",
        [
            flat / rate
            for flat, rate in zip(flat_gaps, (predicted_rates[0], predicted_rates[len(penalties)]), strict=True)
        ],
    ),
)

# %% [markdown]
# ### The flow itself
#
# Three properties of {eq}`conic-flow` on sixteen particles: the energy identity, $J(\nu_0)-J(\nu_t)$ being the integral in time of the left side of the sharpness inequality; both
# retractions follow the flow to first order in $h$; and the measure $\nu$ is the flow's only state: particles that share a position may be split or
# merged, with $\sum r_i^2$ kept, and the ratios of their weights never change. The last holds for descent too. It is special to $r^2$: the
# control has $\nu=\frac1m\sum r_i\delta_{\theta_i}$ and $r_i\leftarrow\max(r_i-\alpha J',0)$.

# %%
small = [ParticleMeasure(problem, penalties[0]) for problem in problems]
sixteen = [m.start(torus_grid(4, 2) + initialization_stream.uniform(-0.1, 0.1, (16, 2)), radius) for m in small]
horizon_flow = 0.5


def with_energy(measure):
    """The flow at α = β = 1 with what it has dissipated as a last coordinate."""

    def velocity(state):
        theta = state[:-1]
        return np.append(measure.velocity(theta, 1.0, 1.0), measure.dissipation(theta, 1.0, 1.0))

    return velocity


flows = [
    gradient_flow(
        with_energy(m),
        np.append(start, 0.0),
        t_end=2 * horizon_flow,
        record=[horizon_flow],
        method="DOP853",
        rtol=1e-11,
        atol=1e-13,
    )
    for m, start in zip(small, sixteen, strict=True)
]
spent = [run.theta[1, -1] for run in flows]
lost = [m.value(start) - m.value(run.theta[1, :-1]) for m, start, run in zip(small, sixteen, flows, strict=True)]
descents = {}
for retraction in ("mirror", "canonical"):
    for h in (0.002, 0.001, 0.0005):
        for k, (m, start) in enumerate(zip(small, sixteen, strict=True)):
            steps_flow = round(horizon_flow / h)
            descents[retraction, h, k] = drive(ConicDescent(m, h, h, retraction), start, t_end=steps_flow).final
claim(
    "sparse_deconvolution.energy",
    "along the flow J falls by exactly what the squared norm of its gradient integrates to",
    source="Chizat 2022, the flow as a gradient flow",
    kind="identity",
    theory=lost,
    measured=spent,
    tolerance=1e-8,
    why="some hundred steps of 1e-11 of quantities of order 10, times ten",
    control=Control(
        "conic descent with h = 0.002 loses another amount",
        spent,
        theory=[
            m.value(s) - m.value(descents["mirror", 0.002, k])
            for k, (m, s) in enumerate(zip(small, sixteen, strict=True))
        ],
    ),
)
STEPS = np.array([0.002, 0.001, 0.0005])


def orders(at):
    """The slope of the distance to the flow at a recorded time in the step size, for each retraction and problem."""
    return [
        np.polyfit(
            np.log(STEPS), np.log([np.linalg.norm(descents[name, h, k] - flows[k].theta[at, :-1]) for h in STEPS]), 1
        )[0]
        for name in ("mirror", "canonical")
        for k in range(len(problems))
    ]


claim(
    "sparse_deconvolution.retractions",
    "mirror and canonical descent both follow the flow to first order in the step size",
    source="Chizat 2022, discretization by retractions",
    kind="rate",
    theory=1.0,
    measured=orders(1),
    tolerance=0.2,
    why="hμ is up to 0.3 for the fastest mode: the next order changes the ratio of two errors by a fraction of that",
    control=Control("the flow read at twice the time", orders(2)),
)


def split(measure, start, power):
    """Every second particle split into two at the same place, a third and two thirds of its mass."""
    places, masses = measure.positions(start), measure.masses(start)
    places = np.vstack([places, places[::2]])
    masses = np.concatenate([masses, 2 / 3 * masses[::2]])
    masses[: len(masses) * 2 // 3 : 2] /= 3
    return np.concatenate([(masses * masses.size) ** (1 / power), places.T.ravel()])


def projected(problem, start, power):
    """Descent from a start as it is and split: the two results, masses added up again and positions."""
    m = ParticleMeasure(problem, penalties[0], power=power)
    stepper = ConicDescent(m, step_size, step_size, "mirror" if power == 2 else "additive")
    begin = start.copy()
    if power == 1:
        begin[:16] **= 2
    whole, parts = (drive(stepper, th, t_end=300).final for th in (begin, split(m, begin, power)))
    masses = m.masses(parts)[:16].copy()
    masses[::2] += m.masses(parts)[16:]
    return (
        np.concatenate([m.masses(whole), m.positions(whole).ravel()]),
        np.concatenate([masses, m.positions(parts)[:16].ravel()]),
    )


squares = [projected(problem, start, 2) for problem, start in zip(problems, sixteen, strict=True)]
plain = [projected(problem, start, 1) for problem, start in zip(problems, sixteen, strict=True)]
claim(
    "sparse_deconvolution.projection",
    "descent depends on the measure alone: split particles move as one",
    source="Chizat 2022, the flow in the space of measures",
    kind="identity",
    theory=np.concatenate([whole for whole, _ in squares]),
    measured=np.concatenate([parts for _, parts in squares]),
    tolerance=1e-10,
    why="rounding 1e-16 of 300 steps, times the growth of a disturbance near saddles, up to 1e3",
    control=Control(
        "weights r instead of r², additive updates",
        np.concatenate([parts for _, parts in plain]),
        theory=np.concatenate([whole for whole, _ in plain]),
    ),
)

# %% [markdown]
# ### What a step costs
#
# $J'_\nu$ at the particles needs no pair of them. The coefficients $F=\int\phi\,d\nu-\hat f$ are sums over particles, and with the $2K+1$ real functions $b$ of one
# coordinate ($K=2$ here)
#
# $$J'_\nu(\theta)=b(\theta_1)^\top F\,b(\theta_2)+\lambda:$$
#
# $O(m(2K+1)^2)$ multiplications a step, two sines and two cosines a particle, and memory for the particles of one step, besides what is
# recorded. So the cost is linear in $m$, but for a fixed cost of small $m$ and for caches. Times depend on the machine; {numref}`figure-conic-cost` was measured once, on one of two cores.
# `pytest benchmarks/test_conic_descent.py -k curve` measures it anew, into `_build/benchmarks/conic_cost.png`. With
# `ConicDescent(…, device="cuda:0")` PyTorch computes the steps there.
#
# ```{figure} ../../_static/conic_cost.png
# :name: figure-conic-cost
# :alt: Seconds a step against the number of particles on logarithmic axes, along a straight line of slope one
# :width: 480px
#
# Seconds a step of conic descent against the number of particles.
# ```

# %% [markdown]
# ## What would falsify it
#
# A grid of particles that ends above the certified minimum, a single measure near $\nu^*$ with a quotient below $\kappa$, a spike whose particles contract at
# another rate than its own $\lambda_{\min}$. A wrong factor in $D$, the $4$ of $4\alpha a_i$ or the $1/a_i$ of the positions, moves the rate of one particle a
# spike by its own size, against a tolerance of $10^{-3}$.
#
# ## Scope
#
# - The theorem is local; that a grid reaches its neighbourhood is another theorem, with constants that are not computed here ({cite:t}`chizat2022`, global
#   convergence). The claims of this page are for two problems at a time, one of them drawn anew with every seed.
# - $\rho$ is the rate of generic starts. A grid with symmetries can miss the slowest mode and be faster; a particle placed exactly on a saddle of
#   $J'_{\nu^*}$ stays there and ends at $\kappa$ or slower.
# - Without penalty and without noise $\hat\nu$ is still found, but only at an algebraic rate: $J'_{\hat\nu}\equiv0$ certifies nothing.
# - Two dimensions. The number of particles needed to cover the space grows exponentially with the dimension.
#
# ## Exercises
#
# ````{exercise} The Dirichlet kernel
# :label: exercise-sparse-kernel
#
# Show that $\langle\phi(\theta),\phi(\theta')\rangle=\prod_jD(\theta_j-\theta'_j)$ with $D(x)=1+2\cos x+2\cos2x$, and that a single spike of mass $c$ is answered by
# one of mass $c-\lambda/25$ at the same place, if $\lambda<25c$.
# ````
#
# ````{solution} exercise-sparse-kernel
# :class: dropdown
#
# $\sum_ke^{-ik\cdot(\theta-\theta')}$ is a product of sums over each coordinate, $\sum_{k=-2}^2e^{-ikx}=D(x)$. At $\nu=a\delta$ the first variation is
# $J'=(a-c)\prod_jD(x_j)+\lambda$, where $x$ is the distance to the spike; it vanishes at the spike for $25(c-a)=\lambda$, and elsewhere $|\prod D|<25$ makes it positive.
# ````
#
# ````{exercise} Steps of finite size
# :label: exercise-sparse-steps
#
# At which $h$ does conic descent with one particle a spike become unstable at $\nu^*$, and which of both retractions decides it?
# ````
#
# ````{solution} exercise-sparse-steps
# :class: dropdown
#
# $\delta z\leftarrow(I-hDH)\delta z$ contracts while $h\mu_{\max}<2$. Both retractions have the same linearization, $a\leftarrow a(1-4hJ')$ to first order, so
# neither decides. For many particles a spike the same $\mu_{\max}$ counts: $DH$ only sees masses and barycentres, and the spread has smaller eigenvalues.
# ````
#
# ````{exercise} Why the masses multiply
# :label: exercise-sparse-metric
#
# Replace $r_i^2$ by $r_i$ with the plain gradient flow in $r_i$. Which property of the flow of measures is lost, and what does splitting one particle into a thousand do?
# ````
#
# ````{solution} exercise-sparse-metric
# :class: dropdown
#
# With $a_i=r_i/m$, $r_i'=-\alpha J'$, the mass at a place moves at a speed proportional to the *number* of particles there and not to the mass there. Splitting
# one into a thousand speeds up that place a thousand times; the flow is no flow of $\nu$.
# ````
#
# ## References
#
# {cite:t}`chizat2022` proves the theorems; {cite:t}`chizat2020slides` is a short account. {cite:t}`denoyelle2019` add and slide spikes as the solver of this page does.
