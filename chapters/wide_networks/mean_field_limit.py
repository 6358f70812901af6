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
# # As a network gets wider, its neurons follow the paths of an infinitely wide one, up to any fixed time
#
# ```{question}
# ```
#
# We train networks of {glue:text}`mean_narrow`, {glue:text}`mean_middle` and {glue:text}`mean_wide` ReLU neurons in the plane, with their outputs averaged over the neurons. Each neuron feels the others only through this average. With independent starts the average differs from draw to draw by the order $1/\sqrt m$. So in a very wide network a neuron's start alone nearly fixes its path.
#
# How far off this path is a neuron at time {glue:text}`mean_time`? By {glue:text}`mean_off_narrow` with {glue:text}`mean_narrow` neurons, {glue:text}`mean_off_middle` with {glue:text}`mean_middle` and {glue:text}`mean_off_wide` with {glue:text}`mean_wide`, where all neurons start on a circle of radius 1. Four times the width should halve the distance. Most of this is the luck of the draw: with one random neuron in each of equal arcs of the circle, {glue:text}`mean_wide` neurons are off by only {glue:text}`mean_jittered_wide`. If outputs are divided by $\sqrt m$ instead of $m$, the limit is another one: neurons stand still, although the predictor changes.
#
# ```{hero}
# ```
#
# ## The statement
#
# A network is a cloud of neurons $w_j=(a_j,b_j)$ with the output $f(\mu,x)=\int b\,(a\cdot x)_+\,d\mu(a,b)$, where $\mu=\frac1m\sum_j\delta_{w_j}$ gives each neuron the mass $\frac1m$. Training by {term}`gradient flow`, $\dot w_j=-m\nabla_{w_j}F$ for a risk $F$, moves the cloud to $\mu_{t,m}$ at time $t$. Let the starts tend to a measure $\mu_0$ as $m\to\infty$. {cite:t}`chizat2018` prove that then
#
# $$\mu_{t,m}\to\mu_t,\qquad\partial_t\mu_t=\operatorname{div}\bigl(\mu_t\,\nabla F'_{\mu_t}\bigr),$$
#
# uniformly on bounded intervals of time. Here $F'_\mu$, the {term}`first variation` of $F$, is the function of a neuron that says how a little mass there would change the risk, and the equation says that all mass moves down its slope. It is the {term}`Wasserstein gradient flow` of $F$. The proof asks for more smoothness than the ReLU has, so for balanced neurons in the plane we give a short one. The theorem says that the distance tends to zero, not how fast. The rates below are ours, and their derivation is formal.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [predictor and risk of the infinitely wide network](density), by the equation for densities and by {glue:text}`mean_reference` evenly spread neurons, largest difference up to time {glue:text}`mean_time` | 0 | {glue:text}`mean_two_ways` | positive output weights only: {glue:text}`mean_one_sign` | |
# | [distance of neurons from their limit paths](paths), independent starts, {glue:text}`mean_off_narrow`, {glue:text}`mean_off_middle` and {glue:text}`mean_off_wide` with {glue:text}`mean_narrow`, {glue:text}`mean_middle` and {glue:text}`mean_wide` neurons: exponent in $m$ | −0.5 | {glue:text}`mean_order` | | outputs over $\sqrt m$: {glue:text}`mean_lazy_order` |
# | [how far neurons move](still) with outputs over $\sqrt m$, {glue:text}`mean_moved_narrow`, {glue:text}`mean_moved_middle` and {glue:text}`mean_moved_wide` at the same widths: exponent in $m$ | −0.5 | {glue:text}`mean_moved_order` | outputs over $m$: {glue:text}`mean_far_order` | |
# | [error of the predictor](constant), {glue:text}`mean_wide` evenly spread neurons, times $m^2$, at time {glue:text}`mean_time` | {glue:text}`mean_constant_p` | {glue:text}`mean_constant_m` | one random neuron in each arc: {glue:text}`mean_constant_random` | |
# ```
#
# All distances are root mean squares over neurons and draws, at the points $|b|a$. The exponents of rows two and three are those of power laws fitted to the three distances, which scatter with the draws. The exponent {glue:text}`mean_order` of the neurons is steeper than $-\frac12$ by about twice its standard error of 0.02. This may be chance, or the push of each neuron on itself. The claim of the last row compares all times.
#
# **What to remember?** The limit is a statement about a fixed time and growing width. At time {glue:text}`mean_time` the neurons of a network of {glue:text}`mean_wide` are visibly off their limit, by {glue:text}`mean_off_wide` where they were off by nothing at the start. The *predictor* of the network has come nearer to that of the limit. The root mean square error of its output was {glue:text}`mean_error_first` at the start and is {glue:text}`mean_error_last` now. All networks learn the same labels, so training brings the predictors together, while each neuron drifts away from its limit path ({numref}`figure-mean-field-predictors` (b)).
#
# ## The smallest case
#
# Look at the very beginning, at independent neurons with directions uniform on the circle and signs by coin tosses. The infinitely wide network is the zero function then, since the signs cancel. A network of $m$ neurons is not. Its $m$ terms are independent and have mean zero, so at each input it is of the order $1/\sqrt m$. A neuron at the angle $\varphi$ is pushed by
#
# $$V(\varphi)=\frac1m\sum_js_j\,k(\varphi-\theta_j)-V^*(\varphi),$$
#
# where $k$ is the interaction of two neurons ({doc}`interaction_kernel`) and $V^*$ the pull of the labels, which is the same for all networks. The sum has mean zero and the variance $\frac1m\int k^2\frac{d\theta}{2\pi}=0.073/m$. In the same way its derivative has the variance $0.035/m$. A neuron's point $|b|a$ moves with $2V$ along its ray and $V'$ across it, so at first it leaves its limit path with the speed $\sqrt{(4\cdot0.073+0.035)/m}=0.57/\sqrt m$, root mean square over draws, to leading order. This is $0.14$ for 16 neurons and $0.036$ for 256. (A neuron also pushes itself, by $s_jk(0)/m$. With this it is $0.15$ for 16.)
#
# ## Experiment
#
# The {term}`teacher` $f^*$ and the population risk $F=\frac12\mathbb E[(f-f^*)^2]$ are those of {doc}`global_convergence`, with inputs $x\sim\mathcal N(0,I_2)$. The start is {term}`balanced`, $a_j=(\cos\theta_j,\sin\theta_j)$ and $b_j=s_j=\pm1$. Then $b_j=s_j\|a_j\|$ stays true ({prf:ref}`lemma-balanced`), and with $a_j=e^{\rho_j}(\cos\varphi_j,\sin\varphi_j)$ and $u(\varphi)=(\cos\varphi,\sin\varphi)$
#
# ```{math}
# :label: mean-field-particles
# \begin{gathered}
# \dot\rho_j=-s_jV(\varphi_j),\\
# \dot\varphi_j=-s_jV'(\varphi_j),\\
# V(\varphi)=\mathbb E\bigl[(f-f^*)(x)\\
# \qquad\times(u(\varphi)\cdot x)_+\bigr].
# \end{gathered}
# ```
#
# As $m\to\infty$ the starts approach $\mu_0$: directions uniform on the circle, both signs with probability $\frac12$. All networks of a width are integrated together, with exact forces. {glue:text}`mean_reference` evenly spread neurons stand for the infinitely wide network. The starts of a network are added to it as *tracers*, neurons without mass, which follow the paths that they have at $m=\infty$.

# %% tags=["hide-input"]
from functools import partial
from types import SimpleNamespace

import numpy as np
from IPython.display import HTML
from matplotlib import pyplot as plt

from implicit_bias.data import Teacher, planar_teacher
from implicit_bias.figures import style
from implicit_bias.figures.films import film
from implicit_bias.flows import follow
from implicit_bias.limits.wide import mean_field_flow
from implicit_bias.models.population import PlanarNetworks
from implicit_bias.norms import root_mean_square
from implicit_bias.rates import log_log_slope
from reproduce.claims import Altered, Claims, Control, standard_error
from reproduce.claims.glued import glue_all

claims = Claims("mean_field_limit")

style.use_style()

# %% tags=["parameters"]
teacher_width: int = 5  # particles m* of the teacher, in [2, 8]
# because larger teachers were not tried
widths: list[int] = [16, 64, 256]  # three increasing numbers m of particles, multiples of 4, each in [16, 512]
# because the cubic terms, smaller by a factor m^(−1/2), are left out
repetitions: int = 20  # networks of each kind and width, of independent starts four times as many, in [20, 100]
# because the tolerances of the rates are standard errors over the draws, and fewer were not tried
t_end: float = 20.0  # time T until which networks are compared, in [5, 40]
seed: int = 0  # seed of the streams of teacher and initialization, in [0, 4294967295]
# where len(widths) == 3 and widths == sorted(set(widths)) and widths[-1] >= 8 * widths[0]
# where widths[0] % 4 == 0 and widths[1] % 4 == 0 and widths[2] % 4 == 0

# %% tags=["hide-input"]
teacher_stream, initialization_stream = np.random.default_rng(seed).spawn(2)
teacher = planar_teacher(teacher_stream, teacher_width)
times = t_end * np.arange(11) / 10
NO_LABELS = Teacher(np.array([[1.0, 0.0]]), np.zeros(1))
REFERENCE, TRACED, EPSILON = 2 * widths[2], 128, 1e-3


def integrate(mass, signs, angle, speed=1.0, tolerance=1e-8, labels=teacher, moments=None):
    """The states (ρ, φ) of networks at times, or at other moments, moments × networks × particles × 2."""
    moments = times if moments is None else moments
    networks = PlanarNetworks(mass, signs, labels)
    shape = (*angle.shape, 2)
    flow = SimpleNamespace(start=np.stack([0 * angle, angle], axis=-1).ravel(),
                           velocity=lambda state: speed * networks.descent(state.reshape(shape))[1].ravel())
    run = follow(flow, t_end=t_end, record=moments[1:-1], rtol=tolerance, atol=tolerance)
    return run.theta.reshape(len(moments), *shape)


def places(states):
    """|b|a of particles in states (ρ, φ), … × 2."""
    return np.exp(2 * states[..., :1]) * np.stack([np.cos(states[..., 1]), np.sin(states[..., 1])], axis=-1)


def norms(charges, states):
    """‖Σ q e^{2ρ} (u(φ)·x)₊‖ with signed charges q, networks × particles: times × networks."""
    networks = PlanarNetworks(np.abs(charges), np.where(charges < 0, -1.0, 1.0), NO_LABELS)
    return np.array([np.sqrt(2 * networks.risk(state)) for state in states])


def beside(*parts):
    """Networks side by side along the axis of the particles; one network stands for as many as are needed."""
    rows = max(part.shape[-3] for part in parts)
    return np.concatenate([np.broadcast_to(part, (*part.shape[:-3], rows, *part.shape[-2:])) for part in parts],
                          axis=-2)


def equidistant(count):
    """Signs and directions of count particles of each sign."""
    return np.repeat([[1.0, -1.0]], count, axis=1), np.tile(2 * np.pi * np.arange(count) / count, 2)[None]


reference_signs, reference_angle = equidistant(REFERENCE)
reference_charge = reference_signs / (2 * REFERENCE)
reference = integrate(np.abs(reference_charge), reference_signs, reference_angle)


def draw(kind, m):
    """Signs and directions of a kind of start, repetitions × m, of independent draws four times as many."""
    if kind == "independent":
        # mutant(4; 0; 2 → 3): other directions, or more or fewer networks
        angle = initialization_stream.uniform(0, 2 * np.pi, (4 * repetitions, m))
        return initialization_stream.choice([-1.0, 1.0], angle.shape), angle
    signs, angle = equidistant(m // 2)
    moved = initialization_stream.uniform(0, 1, (repetitions, m))  # mutant(1): other directions
    if kind == "equispaced":
        # mutant(0; +): other directions
        apart = (np.arange(repetitions) + moved[0, 0]) / repetitions
        # mutant(+; (:, 1) → (:, 2)): other directions
        moved = np.repeat(np.stack([moved[:, 1], moved[:, 1] + apart], axis=1), m // 2, axis=1)
    # mutant(+; 4 → 5): other directions
    return np.repeat(signs, repetitions, axis=0), angle + 4 * np.pi / m * moved


def riding(signs, angle, moments=None):
    """The paths of particles without mass on the limit, in the form of a network's states."""
    masses = np.append(np.abs(reference_charge), np.zeros(angle.size))[None]
    directions = np.append(reference_angle, angle)[None]
    states = integrate(masses, np.append(reference_signs, signs)[None], directions, moments=moments)
    return states[:, 0, reference_angle.size :].reshape(-1, *angle.shape, 2)


def off_paths(signs, angle, states):
    """Root mean square over the particles of how far |b|a is off the limit's path, times × networks."""
    off = places(states) - places(riding(signs, angle))
    return np.sqrt(np.mean(np.sum(off**2, axis=-1), axis=-1))


overall = partial(root_mean_square, axis=1)  # over networks, at each time
NAMES = ("narrow", "middle", "wide")
KINDS = ("independent", "jittered", "equispaced")
starts = {(kind, m): draw(kind, m) for kind in KINDS for m in widths}

# %%
paths, off = {}, {}
for m in widths:
    signs, angle = starts["independent", m]
    paths["independent", m] = integrate(np.full_like(angle, 1 / m), signs, angle)  # train
    off["independent", m] = off_paths(signs, angle, paths["independent", m])  # compare with the limit's paths
print("particles m   off their limit paths at t = T   times √m")
for m in widths:
    distance = overall(off["independent", m])[-1]
    print(f"{m:>11}{distance:>33.4f}{distance * np.sqrt(m):>11.3f}")

# %% [markdown]
# ### What breaks
#
# *Outputs over $\sqrt m$.* Divide the outputs by $\sqrt m$ instead of $m$, and let each neuron follow $\dot w_j=-\nabla_{w_j}F$. The predictor again changes by order one in a time of order one. But now each neuron contributes only $m^{-1/2}$ of it, so it is pushed by $m^{-1/2}$ only. By time {glue:text}`mean_time` it has moved by {glue:text}`mean_moved_narrow` with {glue:text}`mean_narrow` neurons, by {glue:text}`mean_moved_middle` with {glue:text}`mean_middle` and by {glue:text}`mean_moved_wide` with {glue:text}`mean_wide`. These networks converge as well, to neurons that stand still, while their predictor follows the linearization ({doc}`../lazy_training/lazy_theorem`). From the paths of this page they stay away, by {glue:text}`mean_lazy_wide` with {glue:text}`mean_wide` neurons.

# %% tags=["hide-input"]
def errors(signs, states, scale=1.0, limit_states=reference):
    """Distances of the networks from the limit, times × networks."""
    m = signs.shape[1]
    charges = np.concatenate([signs * scale / m, np.repeat(-reference_charge, len(signs), axis=0)], axis=1)
    return norms(charges, beside(states, limit_states))


paths |= {(k, m): integrate(np.full_like(a, 1 / m), s, a) for (k, m), (s, a) in starts.items() if k != "independent"}
off |= {(k, m): off_paths(s, a, paths[k, m]) for (k, m), (s, a) in starts.items() if k == "jittered"}
error = {key: errors(starts[key][0], states) for key, states in paths.items()}
lazy_error, lazy_off, lazy_paths = {}, {}, {}
for m in widths:
    signs, angle = starts["independent", m]
    lazy = integrate(np.full_like(angle, m**-0.5), signs, angle, speed=m**-0.5)
    lazy_error[m], lazy_off[m], lazy_paths[m] = errors(signs, lazy, scale=np.sqrt(m)), off_paths(signs, angle, lazy), lazy

# %% tags=["hide-input"]
TRIED = 8
HALF = 0.5
traced_signs, traced_angle = (np.repeat(part, TRIED, axis=0) for part in equidistant(TRACED))
trace = traced_signs / (2 * TRACED)
response, path_response, left_over, static, path_left_over, path_error = {}, {}, {}, {}, {}, {}

for m in widths:
    signs, angle = (part[:TRIED] for part in starts["independent", m])
    drawn = signs / m
    both_signs, both_angles = np.hstack([traced_signs, signs]), np.hstack([traced_angle, angle])
    parts = (0.0, EPSILON, HALF)
    # mutant(part): points followed besides, or when a flow ends
    masses = {part: np.hstack([(1 - part) * np.abs(trace), part * np.abs(drawn)]) for part in parts}
    # mutant: points followed besides, or when a flow ends
    flows = {weight: integrate(mass, both_signs, both_angles, tolerance=1e-10) for weight, mass in masses.items()}
    base, mixed = flows[0.0], flows[EPSILON]
    flows[1.0] = beside(base[:, :, : 2 * TRACED], paths["independent", m][:, :TRIED])
    none = 0 * drawn
    change = np.hstack([(1 - EPSILON) * trace, EPSILON * drawn, -trace, none]) / EPSILON
    response[m] = norms(change, beside(mixed, base))
    rode, pushed = (places(states[:, :, 2 * TRACED :]) for states in (base, mixed))
    path_response[m] = np.sqrt(np.mean(np.sum((pushed - rode) ** 2, axis=-1), axis=-1)) / EPSILON
    for weight in (HALF, 1.0):
        start_charge = np.hstack([(1 - weight) * trace, weight * drawn])
        key = m, weight
        # What the start mixed with this weight misses the limit by, without the linear response.
        left_over[key] = norms(np.hstack([start_charge, -trace, none, -weight * change]),
                               beside(flows[weight], base, mixed, base))
        # What it misses the limit by, without the draw itself: its particles on the limit's paths.
        static[key] = norms(np.hstack([start_charge, -start_charge]), beside(flows[weight], base))
        move, first = (states[:, :, 2 * TRACED :] - base[:, :, 2 * TRACED :] for states in (flows[weight], mixed))
        path_error[key], path_left_over[key] = (np.sqrt(np.mean(np.sum(part**2, axis=-1), axis=-1))
                                                for part in (move, move - weight / EPSILON * first))


slope = partial(log_log_slope, widths)  # the regressed exponent in m


def final(table, kind):
    """The distances of a kind at t = T, for each width."""
    # mutant(1): the last recorded times all are late
    return np.array([overall(table[kind, m])[-1] for m in widths])


def largest(table):
    """The largest distance of independent draws over the recorded times, for each width."""
    return np.array([overall(table[m]).max() for m in widths])

# %% tags=["hide-input"]
spacing = 2 * np.pi / REFERENCE


def followed(states):
    """φ, dφ/dθ and the jump D along the paths of the equispaced particles, each times × signs × particles."""
    size, turned = np.moveaxis(states[:, 0].reshape(len(times), 2, REFERENCE, 2), -1, 0)
    stretch = np.diff(turned, axis=2, append=turned[:, :, :1] + 2 * np.pi) / spacing
    # mutant(-1): the size of a spacing to the left or to the right
    return turned, stretch, np.exp(size + np.roll(size, -1, axis=2)) * stretch


limit_paths = followed(reference)
origin = spacing * (np.arange(REFERENCE) + 0.5)


def opposite(directions):
    """Where the particles opposite to those at increasing directions come from."""
    # mutant(0; *; 2 → 1; np.pi): one of many directions, at the seam of the circle
    middle = (directions + np.append(directions[1:], directions[0] + 2 * np.pi)) / 2
    turns = 2 * np.pi * np.array([[-1], [0], [1]])
    # mutant(origin + turns): whole turns of a direction drop out
    return np.interp(middle + np.pi, (middle + turns).ravel(), (origin + turns).ravel())


def constant(m, paths_of_limit):
    """C_m at the recorded times."""
    turned, stretch, jump = paths_of_limit
    far_side = np.apply_along_axis(opposite, 2, turned)
    phase = m * (far_side - origin) / (4 * np.pi) % 1
    # mutant(30): at the small scale the derived error is wide
    beta = -30 * (phase**4 - 2 * phase**3 + phase**2 - 1 / 30)
    other = np.array([
        # mutant(2 → 1; np.pi; o, origin): at the small scale the derived error is wide
        [np.interp(o, origin, d, period=2 * np.pi) for o, d in zip(*both, strict=True)]
        for both in zip(far_side, jump, strict=True)])
    return np.sqrt(
        # mutant(45; 4 * np.pi ** 2 / 45 → 1): at the small scale the derived error is wide
        4 * np.pi**2 / 45 * np.sum(np.mean((jump**2 + beta * jump * other) * stretch, axis=2), axis=1)
    )


def spaced(m, distances):
    """m² times the error of equispaced starts, at the recorded times."""
    return overall(distances) * m**2


# mutant(1.0; 0.0; 2.0; -): another teacher
even = Teacher(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([2.0, 2.0]))
even_reference = integrate(np.abs(reference_charge), reference_signs, reference_angle, labels=even)
even_paths = followed(even_reference)
even_signs, even_angle = starts["equispaced", widths[2]]
even_states = integrate(np.full_like(even_angle, 1 / widths[2]), even_signs, even_angle, labels=even)
even_error = errors(even_signs, even_states, limit_states=even_reference)

# %% tags=["hide-input"]
limit = mean_field_flow(teacher, times)
one_sign = integrate(np.abs(reference_charge), np.ones_like(reference_signs), reference_angle)
reference_network = PlanarNetworks(np.abs(reference_charge), reference_signs, teacher)
reference_risk = np.array([reference_network.risk(state)[0] for state in reference])
moved = {m: root_mean_square(np.linalg.norm(places(states[-1]) - places(states[0]), axis=-1), axis=1)
         for m, states in lazy_paths.items()}
moved_far = [root_mean_square(np.linalg.norm(places(states[-1]) - places(states[0]), axis=-1).ravel())
             for states in (paths["independent", m] for m in widths)]
constants_now = constant(widths[2], limit_paths)[-1], spaced(widths[2], error["equispaced", widths[2]])[-1]
glue_all("mean", narrow=widths[0], middle=widths[1], wide=widths[2], time=f"{t_end:g}", reference=f"{2 * REFERENCE:,}")
glue_all("mean", "#.2g", **{f"off_{name}": distance for name, distance in zip(NAMES, final(off, "independent"), strict=True)},
         **{f"moved_{name}": root_mean_square(moved[m]) for name, m in zip(NAMES, widths, strict=True)},
         lazy_wide=overall(lazy_off[widths[2]])[-1], jittered_wide=final(off, "jittered")[-1], error_last=final(error, "independent")[-1], response_p=overall(path_response[widths[2]])[-1],
         response_m=overall(off["independent", widths[2]][:, :TRIED])[-1])
exponents = {"order": final(off, "independent"), "lazy_order": largest(lazy_off), "far_order": moved_far,
             "moved_order": [root_mean_square(moved[m]) for m in widths]}
starts_off = {name: overall(error["independent", m])[0] for name, m in zip(NAMES, widths, strict=True)}  # 1/√(2m) expected
glue_all("mean", error_first=f"{starts_off['wide']:.3f}", **{f"start_{name}": f"{100 * starts_off[name] * np.sqrt(2 * m):.0f} %" for name, m in zip(NAMES, widths, strict=True)})
glue_all("mean", tried=TRIED, draws=repetitions, independent=4 * repetitions, **{name: f"{slope(found):.2f}".replace("-", "−") for name, found in exponents.items()})
glue_all("mean", ".3f", constant_p=constants_now[0], constant_m=constants_now[1],
         constant_random=spaced(widths[2], error["jittered", widths[2]])[-1])

# %% mystnb={"figure": {"caption": "The wider the network, the closer its neurons are to where an infinitely wide network would have taken them. (a), (b) Neurons of one network from independent starts (dots) in the plane of $|b|a$ at the last time, blue for $b>0$ and red for $b<0$. The curves are the limit, computed before: what its flow has made of the unit circle (dotted), on which all neurons start. A thin line leads from each dot to where an infinitely wide network would have taken a neuron with the same start. Grey rays: the neurons of the teacher. (c) This distance against the width, root mean square over neurons and draws, with bars of two standard errors. Dashed: the predicted exponents, fitted in height alone.", "name": "figure-mean-field"}, "image": {"alt": "Three panels. Two show neurons on two closed curves, roughly with 16 of them and closely with 256. The third shows the distance falling with the width along two dashed lines.", "classes": "panels-3"}} tags=["hero", "hide-input"]
HUES = {1.0: style.COLORS["blue"], -1.0: style.COLORS["red"]}


curves = places(reference[:, 0].reshape(len(times), 2, REFERENCE, 2))
REACH = 1.3 * np.abs(curves).max()


def arena(ax):
    """The plane with the teacher's rays and the limit's start; the two curves of the limit, to be moved."""
    for ray in teacher.w:
        ax.plot([0, 9 * ray[0]], [0, 9 * ray[1]], color=style.COLORS["grey"], linewidth=0.9, alpha=0.6)
    turn = np.linspace(0, 2 * np.pi, 100)
    ax.plot(np.cos(turn), np.sin(turn), ":", color=style.COLORS["grey"], linewidth=1)
    ax.set(xlim=(-REACH, REACH), ylim=(-REACH, REACH), aspect="equal", xticks=[], yticks=[])
    ax.spines[["left", "bottom"]].set_visible(False)
    return [ax.plot([], [], color=HUES[sign], linewidth=1.3, alpha=0.8)[0] for sign in (1.0, -1.0)]


def put(lines, images):
    """Move the curves to the images of the circle."""
    for line, curve in zip(lines, images, strict=True):
        line.set_data(*np.concatenate([curve, curve[:1]]).T)


def cloud(m, frame):
    """|b|a of the first network of independent draws at a record, and its colours."""
    return places(paths["independent", m][frame, 0]), [HUES[sign] for sign in starts["independent", m][0][0]]


*planes, law = style.panels(3, (12.2, 4.4))
for ax, m, letter in zip(planes, (widths[0], widths[2]), "ab", strict=True):
    put(arena(ax), curves[-1])
    where, hues = cloud(m, -1)
    signs, angle = (part[:1] for part in starts["independent", m])
    home = places(riding(signs, angle))[-1, 0]
    ax.plot(*np.stack([where, home]).transpose(2, 0, 1), color=style.COLORS["black"], linewidth=0.8, alpha=0.6)
    ax.scatter(*where.T, s=26 if m < 100 else 12, c=hues, zorder=5, linewidths=0)
    ax.set_title(f"({letter}) {m} neurons")
for kind, marker, color, order, said in (("independent", "o", "blue", -0.5, "independent,\nexponent −1/2"),
                                         ("jittered", "s", "green", -1.5, "one in each arc,\nexponent −3/2")):
    distances = final(off, kind)
    for m, far in zip(widths, distances, strict=True):
        law.errorbar(m, far, yerr=standard_error(off[kind, m][-1] ** 2) / far, fmt=marker, color=style.COLORS[color], markersize=8)
        law.annotate(f"{far:#.2g}", (m, far), xytext=(-6, -9), textcoords="offset points", ha="right", va="top")
    style.theory(law, widths, np.exp(np.mean(np.log(distances / np.power(widths, order)))) * np.power(widths, order))
    law.text(1.25 * widths[1], 1.15 * distances[1], said, color=style.COLORS[color])
law.set(xscale="log", yscale="log", xlabel="neurons $m$", ylabel="distance", title="(c) distance from the limit's paths", xlim=(0.45 * widths[0], 1.3 * widths[2]), ylim=(distances[-1] / 2, 0.9), xticks=widths, xticklabels=widths)
law.minorticks_off()
plt.show()

# %% [markdown]
# The limit in motion, and two networks of independent draws on it. The narrow one comes off its curves soon. The wide one follows them, but it drifts off too, about a quarter as far.

# %% tags=["hide-input"]
figure, panels = plt.subplots(1, 2, figsize=(7.2, 3.9), layout="constrained", dpi=80)
moving = []
frames = t_end * (np.arange(40) / 39) ** 1.5
ridden = places(riding(*equidistant(TRACED), moments=frames)[:, 0].reshape(len(frames), 2, TRACED, 2))
for ax, m in zip(panels, (widths[0], widths[2]), strict=True):
    lines = arena(ax)
    signs, angle = (part[:1] for part in starts["independent", m])
    at = places(integrate(np.full_like(angle, 1 / m), signs, angle, moments=frames)[:, 0])
    dots = ax.scatter(*at[0].T, s=16, c=[HUES[sign] for sign in signs[0]], zorder=5, linewidths=0)
    moving.append((m, lines, at, dots, ax))


def animate_frame(frame):
    """Put curves and particles where they are at a record."""
    for m, lines, at, dots, ax in moving:
        put(lines, ridden[frame])
        dots.set_offsets(at[frame])
        ax.set_title(f"$m={m}$, $t={frames[frame]:.1f}$")


HTML(film(figure, animate_frame, len(frames), name="film-mean-field",
          alt="Two closed curves part from a circle, one grows and the other shrinks for the most part; particles ride on them, few of them roughly, many closely",
          said=[f"t = {time:.1f}" for time in frames], interval_ms=120))

# %% [markdown]
# ## Theory
#
# ````{prf:theorem} The limit of infinite width; for smoother neurons Chizat and Bach 2018, 2020
# :label: theorem-mean-field
#
# Let $d=2$, $x\sim\mathcal N(0,I_2)$, and $F=\frac12\mathbb E[(f-f^*)^2]$ with a teacher $f^*$ of finitely many ReLU neurons. Let all $\mu_{0,m}$ be supported on $\|a\|=|b|=1$. If $\mu_{0,m}\to\mu_0$ in $\mathcal P_2$ (the measures with finite second moment, in Wasserstein's distance), then $\mu_{t,m}\to\mu_t$ in $\mathcal P_2$, uniformly on bounded intervals of time. Here $\mu_t$ is the unique
# Wasserstein gradient flow of $F$ from $\mu_0$, $\partial_t\mu_t=\operatorname{div}(\mu_t\nabla F'_{\mu_t})$ with $F'_\mu(a,b)=b\,V(a)$: the image of $\mu_0$ under the flow {eq}`mean-field-particles`, with $V$ taken at $\mu_t$ itself.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# The papers prove it for any start and loss, under technical assumptions that ask for more smoothness in $w$ than the ReLU has. For these starts and this risk a short proof suffices. As $F$ falls,
#
# $$\begin{gathered}V(\varphi)=\int s'\,e^{2\rho'}k(\varphi-\varphi')\,d\mu\\
# -V^*(\varphi),\\
# |V|\le\|f-f^*\|\,\|(u\cdot x)_+\|\\
# =\sqrt F\le\sqrt{F(\mu_{0,m})},\end{gathered}$$
#
# where the kernel $k$ of {doc}`interaction_kernel` is twice continuously differentiable as a function of the angle and $V^*(\varphi)=\mathbb E[f^*(x)\,(u(\varphi)\cdot x)_+]$. So $\rho$ stays bounded on $[0,T]$, where the velocities are Lipschitz in $(\rho,\varphi)$ and in $\mu$. Grönwall's lemma bounds the distance of two flows by $C_T$ times that of their starts. $\square$
# ````
#
# ```{prf:proposition} The limit without particles
# :label: proposition-densities
#
# Let $h_s(\varphi)$ be the density of $e^{2\rho}=|b|\|a\|$ at direction $\varphi$ and sign $s$, in units of the uniform one. Along {eq}`mean-field-particles`
#
# $$\begin{gathered}
# \partial_th_s=s\,\partial_\varphi(V'h_s)-2s\,V\,h_s,\\
# h_s(0)=1,\\
# f(\mu_t,x)=\int(u\cdot x)_+\,\frac{h_+-h_-}2\,\frac{d\varphi}{2\pi}.
# \end{gathered}$$ (density-equation)
# ```
#
# The first line is the conservation law: the mass $e^{2\rho}$ of a particle moves with $\dot\varphi$ and grows at the rate $2\dot\rho$.
#
# In Fourier space all integrals are products. The coefficients of $\frac12(h_+-h_-)$, each times $r_n$, are those of $f$ on the circle; the coefficients of the charge of $f-f^*$, each times $2r_n^2$, are those of $V$. The $r_n$ belong to the ReLU:
#
# ```{math}
# :label: relu-series
# \begin{gathered}
# (\cos\theta)_+=\sum_nr_n\,e^{in\theta},\\
# r_n=\begin{cases}-\dfrac{(-1)^{n/2}}{\pi(n^2-1)}&n\text{ even},\\[1ex]\frac14&n=\pm1,\\0&\text{other odd }n.\end{cases}
# \end{gathered}
# ```
#
# The equation is solved spectrally. The loss of risk must equal the dissipation, and this tests the time steps. This balance holds on any grid, so a second grid, half as fine, tests the grid.

# %% [markdown]
# ## How fast, exactly
#
# A finite network obeys the limit's own equation, from $\mu_{0,m}$ instead of $\mu_0$. Its error $f(\mu_{t,m},\cdot)-f(\mu_t,\cdot)$ is therefore, to first order, the *linear response*
#
# ```{math}
# :label: linear-response
# \begin{gathered}
# \delta_t=\frac d{d\varepsilon}f\bigl(\mu_t^\varepsilon,\cdot\bigr)\Big|_{\varepsilon=0},\\
# \mu_0^\varepsilon=(1-\varepsilon)\mu_0+\varepsilon\mu_{0,m},
# \end{gathered}
# ```
#
# which is linear in $\mu_{0,m}-\mu_0$, and what remains is quadratic. For independent starts $\delta_t$ is a mean of $m$ independent terms, hence of the order $m^{-1/2}$. The linear response of a draw needs no linearized equation. It takes one integration with the mass $1-\varepsilon$ on evenly spread neurons and a small $\varepsilon$ on the drawn ones, and one with $\varepsilon=0$. So the distance of a network from its limit paths can be predicted from its start, as reported above. {cite:t}`chen2020` prove a central limit theorem for this error.
#
# ### Better than random starts
#
# Draws need not be independent. We compare three kinds of starts.
#
# - *Independent*: $\theta_j$ and $s_j$ are drawn independently from $\mu_0$.
# - *Jittered*: $N=m/2$ neurons of each sign, one at a random place in each of $N$ equal arcs.
# - *Equispaced*: $N$ equidistant neurons of each sign. The offset of the first sign is random. How far that of the second is from it, as a share of the distance of neighbours, runs through equidistant values over the draws.
#
# ````{prf:proposition} Three starts (formal derivation)
# :label: proposition-starts
#
# Assume that the flow depends on its start differentiably (the kinks of the ReLU leave this in doubt). Then the error is $\delta_t$ up to a quadratic remainder.
#
# *Independent:* predictors and particles' paths miss the limit by the order $m^{-1/2}$, the remainder is of order $m^{-1}$. At $t=0$, $\mathbb E\|\delta_0\|^2=\frac1{2m}$.
#
# *Jittered:* both miss it by the order $m^{-3/2}$. At $t=0$, $\mathbb E\|\delta_0\|^2\approx\frac{2\pi^2}{3m^3}$.
#
# *Equispaced:* predictors miss it by the order $m^{-2}$, paths by the order $m^{-3}$. Averaged over the offsets, $\mathbb E\|\delta_t\|^2\approx C_m(t)^2/m^4$ with
#
# ```{math}
# :label: equispaced-constant
# \begin{gathered}
# C_m(t)^2=\frac{4\pi^2}{45}\sum_{s=\pm1}\int_0^{2\pi}I_s(\theta)\,\frac{d\theta}{2\pi},\\
# I_s=\bigl[D_s(\theta)^2+\beta\,D_s(\theta)D_s(\bar\theta)\bigr]\frac{d\varphi_s}{d\theta},\\
# D_s=e^{2\rho_s}\frac{d\varphi_s}{d\theta},\\
# \beta=-30\,B_4\Bigl(\Bigl\{\frac{m(\bar\theta-\theta)}{4\pi}\Bigr\}\Bigr),
# \end{gathered}
# ```
#
# along the limit's paths $\rho_s(t,\theta)$, $\varphi_s(t,\theta)$ from the direction $\theta$. Here $\bar\theta$ is where the particle at the opposite direction comes from, $\varphi_s(\bar\theta)=\varphi_s(\theta)+\pi$,
# $B_4(\alpha)=\alpha^4-2\alpha^3+\alpha^2-\frac1{30}$ and $\{\cdot\}$ is the fractional part. At $t=0$ with $N$ even, $\beta=1$ and $C_m(0)^2=\frac{16\pi^2}{45}$.
# ````
#
# ````{prf:proof}
# :class: dropdown
#
# At $t=0$ each particle contributes $\frac1ms_j(u(\theta_j)\cdot x)_+$ and the limit is $0$.
#
# *Independent.* $\mathbb E\|\delta_0\|^2=\frac1m\mathbb E[(u\cdot x)_+^2]=\frac1{2m}$. Later $\delta_t$ is a mean of independent terms, too. A path is driven off by the error of $V$ and $V'$, which
# the error of the predictor bounds, times $\|(u\cdot x)_+\|=2^{-1/2}$ and $\|1_{u\cdot x>0}\,u'\cdot x\|=2^{-1/2}$; it is linear in $\mu_{0,m}-\mu_0$ to first order.
#
# *Jittered.* A function $g$ with one random point in each arc of length $2\pi/N$ is integrated without bias, with variance $\frac1N\cdot\frac1{12}(2\pi/N)^2$ times the mean of $g'^2$, up to higher order. For each sign
# $g=\frac12(u(\theta)\cdot x)_+$ has $\mathbb E[g'^2]=\frac18$: twice $\frac{\pi^2}{3N^3}\cdot\frac18$ is $\frac{2\pi^2}{3m^3}$. Later the linear response to a moved particle takes the place of $g'$.
#
# *Equispaced.* The mean of a function with a jump $D$ of its derivative at $\theta_*$ over $N$ equidistant points misses the integral by $-\frac{\pi D}{N^2}B_2(\alpha)$, where $B_2(\alpha)=\alpha^2-\alpha+\frac16$ and
# $\alpha\in[0,1)$ says where between two points $\theta_*$ lies. Two kinks have $\alpha$ and $\alpha+\gamma$, and over a random offset
#
# $$\mathbb E\bigl[B_2(\alpha)B_2(\{\alpha+\gamma\})\bigr]=-\tfrac16B_4(\gamma)=\tfrac\beta{180},$$
#
# with $\beta=1$ for a kink and itself, and $0$ on average over equidistant $\gamma$, as for kinks of different sign. The limit's integrand
# $\frac s2e^{2\rho_s(\theta)}(u(\varphi_s(\theta))\cdot x)_+$ has two kinks, where $u(\varphi_s)\perp x$, with the jumps $\frac12\|x\|D_s$. Add signs and kinks, average over $x$ with
# $\mathbb E\|x\|^2=2$, pass from $\varphi$ to $\theta$, and set $N=m/2$.
#
# This is the error at given paths. Those move by less: $V$ and $V'$ are integrals of $k$ and $k'$, whose Fourier coefficients fall like $n^{-4}$ and $n^{-3}$, so the
# force on each particle misses its limit by $O(N^{-3})$ only. $\square$
# ````
#
# Along the paths of the evenly spread neurons {eq}`equispaced-constant` has no fitted number. With a generic teacher two opposite kinks no longer hit the same place between two points as soon as they move. With an even teacher, two opposite neurons of weight $2$, they still do, and there the term with $\beta$ counts at all times.

# %% mystnb={"figure": {"caption": "Predictors approach the limit at the predicted rates. (a) Their error at the last time against the width, for three kinds of starts. Dashed: the exponents $-\\frac12$, $-\\frac32$ and $-2$ through the widest networks. (b) Independent starts over time, the first 8 draws of each width. Dots: the error of the predictor. Dashed: its linear response. Crosses: what this leaves. Solid: the distance of the neurons of the widest networks from their limit paths, which grows and levels off. (c) Equispaced starts, times $m^2$. Dashed: $C_m(t)$ for the largest width only.", "name": "figure-mean-field-predictors"}, "image": {"alt": "Three panels: error of predictors against width for three kinds of starts; over time for independent starts; over time for equispaced starts with the predicted curve", "classes": "panels-3"}} tags=["hide-input"]
against, random_ax, spaced_ax = style.panels(3, (11.0, 4.0))
orders = (("independent", "o", "blue", -0.5), ("jittered", "s", "green", -1.5), ("equispaced", "D", "orange", -2.0))
lazy_ends = [overall(lazy_error[m])[-1] for m in widths]
against.loglog(widths, lazy_ends, "x", color=style.COLORS["grey"], label=r"outputs over $\sqrt{m}$")
for kind, marker, color, power in orders:
    against.loglog(widths, final(error, kind), marker, color=style.COLORS[color], label=f"{kind}, exponent {power:g}".replace("-", "−"))
    style.theory(against, widths, final(error, kind)[-1] * (np.array(widths) / widths[-1]) ** power)
against.set(xlabel="neurons $m$", ylabel=r"error of the predictor, $\|f_m-f\|$", title="(a) three kinds of starts")
against.set_xticks(widths, [str(m) for m in widths])
against.minorticks_off()
against.set_ylim(against.get_ylim()[0] / 100, None)
against.legend(loc="lower left", fontsize=11)

for m, color in zip(widths, ("sky", "blue", "purple"), strict=True):
    drawn_error = overall(error["independent", m][:, :TRIED])
    random_ax.semilogy(times, drawn_error, "o", color=style.COLORS[color], label=f"$m={m}$")
    random_ax.semilogy(times[1:], overall(left_over[m, 1.0])[1:], "x", color=style.COLORS[color])
    style.theory(random_ax, times, overall(response[m]))
drift = overall(off["independent", widths[2]][:, :TRIED])[1:]
random_ax.plot(times[1:], drift, color=style.COLORS["purple"])
random_ax.text(times[-1], 1.2 * drift[-1], f"neurons, $m={widths[2]}$", ha="right", color=style.COLORS["purple"])
random_ax.set(xlabel="time $t$", ylabel="distance from the limit", title="(b) independent starts", ylim=(1e-4, 1.5))
random_ax.legend(loc="upper right", fontsize=11, ncols=3, columnspacing=0.6, handletextpad=0)
random_ax.text(0.02, 0.02, "● predictor   – – its linear response\n× what this leaves", transform=random_ax.transAxes, fontsize=11)

for m, color in zip(widths, ("sky", "blue", "purple"), strict=True):
    spaced_ax.plot(times, spaced(m, error["equispaced", m]), "D", color=style.COLORS[color], label=f"$m={m}$")
style.theory(spaced_ax, times, constant(widths[2], limit_paths), f"$C_{{{widths[2]}}}(t)$")
spaced_ax.set(xlabel="time $t$", ylabel=r"$m^2\,\|f_m-f\|$", title="(c) equispaced starts", ylim=(0, 2.1))
spaced_ax.legend(loc="lower right", fontsize=12)
plt.show()

# %% [markdown]
# ## Instruments
#
# Each claim with its allowed error and its control, then what the draw does to predictors, and the other starts.
#
# ### The numbers of the table
#
# The limit itself is computed twice, by {eq}`density-equation`, which knows of no neurons, and by the evenly spread neurons that stand for it here. The {term}`control` drops the premise that both signs start alike.
#
# ```{claim} density
# :headline: predictor and risk of the limit, two ways
# :source: Chizat and Bach 2018, Section 2; the equation in polar form is derived in this chapter
# :evidence: trained and compared
# :because: four kinks, each integrated to within |πDB₂|/N² with |B₂| ≤ 1/6 and the limit's largest D; the
#   risk is off by less
# :contrast: particles of positive sign only
#
# the equation for densities and a network of many equispaced particles have the same predictor and risk at
# all times
# ```
#
# ```{claim} nearer
# :source: Chizat and Bach 2018 and 2020, the limit of infinite width
# :evidence: trained and compared
# :because: the limit makes the distance tend to 0; the order 1/4 is chosen, where 1/2 is predicted
# :control: outputs divided by √m instead of m, and steps of order one
# :order: at m = {wide}, at m = {middle}, at m = {narrow}
#
# the distance of the particles from the limit's paths falls faster than the fourth root of the width grows
# ```
#
# ```{claim} constant
# :headline: error of equidistant particles over the predicted one, at all times
# :evidence: trained and compared
# :because: the particles' own paths are off by a factor 1/N less, N = m/2
# :contrast: one random particle in each arc
#
# the error of equidistant particles has the predicted size at all times, with either teacher
# ```

# %% tags=["hide-input"]
around = 2 * np.pi * np.arange(64) / 64
coarse = mean_field_flow(teacher, times, grid=512)
assert limit.balance <= 1e-10, "the risk lost is not what was dissipated"
assert np.max(np.abs(limit.predictor(around) - coarse.predictor(around))) <= 1e-6, "the grid is too coarse"
print("certified: risk lost and dissipated differ by at most 1e-10, predictors on two grids by at most 1e-6")
views = np.stack([np.cos(around), np.sin(around)])


def predictor(charges, states):
    """f on the unit circle, times × directions, of one network with signed charges."""
    return charges[0] @ np.maximum(places(states[:, 0]) @ views, 0)


theory, of_one_sign = limit.predictor(around), predictor(np.abs(reference_charge), one_sign)
two_ways = np.append(theory, limit.risk), np.append(predictor(reference_charge, reference), reference_risk)
claims.limit("density", *two_ways, error=np.pi / (3 * REFERENCE**2) * np.max(limit_paths[2]),
             control=Control(of_one_sign, theory=theory, anew=True))
glue_all("mean", ".0e", two_ways=np.max(np.abs(np.subtract(*two_ways))))
glue_all("mean", ".1g", one_sign=np.max(np.abs(of_one_sign - theory)))

# %% tags=["hide-input"]
rooted = np.array(widths[::-1]) ** 0.25
claims.increasing("nearer",  # spoiled: an ordering without a gap
                  rooted * final(off, "independent")[::-1], proved=0.0,
                  control=rooted * [overall(lazy_off[m])[-1] for m in widths[::-1]], fill=dict(zip(NAMES, widths, strict=True)))
equispaced_errors = [spaced(widths[2], distances) for distances in (error["equispaced", widths[2]], even_error)]
constants = [constant(widths[2], paths_of_limit) for paths_of_limit in (limit_paths, even_paths)]
claims.limit("constant", np.ones(2 * len(times)),
             # mutant: a ratio of one is its own inverse
             np.concatenate(np.divide(equispaced_errors, constants)), error=2 / widths[2],
             control=np.tile(spaced(widths[2], error["jittered", widths[2]]) / constants[0], 2))

# %% [markdown]
# ### Orders in m
#
# The orders in $m$ of the distance of neurons from their paths, from independent and from jittered starts, of how far neurons move with outputs over $\sqrt m$, and of the error of the predictor of equidistant neurons in units of $C_m$. With few neurons $C_m$ still changes with $m$, as how two kinks stand to each other does. What the neurons' own paths add is known for its order $1/N$ only, so that the two widest networks tell the rate.
#
# ```{claim} paths
# :source: Chizat and Bach 2018 and 2020, the limit of infinite width; the rate is derived in this chapter
# :evidence: trained and compared
# :because: one standard error of the slope, from those of the mean squared distance at each width, which the
#   draws give
# :control: outputs divided by √m instead of m, and steps of order one
#
# from independent draws the particles stay within the order 1/√m of the limit's paths
# ```
#
# ```{claim} still
# :evidence: trained and compared
# :because: one standard error of the slope, from those of the mean squared distance at each width, which the
#   draws give
# :contrast: outputs over m
#
# with outputs divided by √m the neurons move by the order 1/√m only
# ```
#
# ```{claim} jittered
# :evidence: trained and compared
# :because: one standard error of the slope, from those of the mean squared distance at each width, which the
#   draws give
# :contrast: independent draws
#
# from one random particle in each arc they stay within the order m^(-3/2)
# ```
#
# ```{claim} equispaced
# :evidence: trained and compared
# :because: the particles' own paths are off by a factor 1/N less, N = m/2, and one standard error of the
#   slope
# :contrast: one random particle in each arc
#
# from equidistant particles the predictor converges at the rate 1/m², with the constant predicted for each m
# ```

# %% tags=["hide-input"]
def derived_slope(distances):
    """One standard error of the exponent in m, from the distances of the draws at each of the widest widths."""
    relative = [standard_error(d**2) / np.mean(d**2) for d in distances]
    lever = np.log(widths[-len(distances) :]) - np.mean(np.log(widths[-len(distances) :]))
    return np.linalg.norm(lever * relative) / np.sum(lever**2) / 2


claims.rate("paths", -0.5, slope(final(off, "independent")),
            error=derived_slope([off["independent", m][-1] for m in widths]), control=slope(largest(lazy_off)))
claims.rate("still", -0.5, slope([root_mean_square(moved[m]) for m in widths]),
            error=derived_slope([moved[m] for m in widths]), control=slope(moved_far))
claims.rate("jittered", -1.5, slope(final(off, "jittered")),
            error=derived_slope([off["jittered", m][-1] for m in widths]), control=slope(final(off, "independent")))
wider = widths[1:]
# mutant(1): the last recorded times all are late
in_units = np.array([constant(m, limit_paths)[-1] for m in wider])
derived_paths = abs(log_log_slope(wider, 1 + 2 / np.array(wider)))
claims.rate("equispaced", -2.0,
            # mutant(/): a constant drops out of a slope
            log_log_slope(wider, final(error, "equispaced")[1:] / in_units),
            error=derived_paths + derived_slope([error["equispaced", m][-1] for m in wider]),
            control=log_log_slope(wider, final(error, "jittered")[1:] / in_units))

# %% [markdown]
# ### Predictors
#
# The predictors of the draws with {glue:text}`mean_narrow` neurons happen to start at {glue:text}`mean_start_narrow` of the expected distance $1/\sqrt{2m}$, those with {glue:text}`mean_wide` at {glue:text}`mean_start_wide`. The distance itself can be predicted from the start of a network. We did this for the first {glue:text}`mean_tried` draws only, to save time. With {glue:text}`mean_wide` neurons the prediction is {glue:text}`mean_response_p`, and we measure {glue:text}`mean_response_m` ({glue:text}`mean_off_wide` over all {glue:text}`mean_independent`).
#
# Their rate from independent draws, uniformly up to time $T$. Their largest error is that of the start, so that this claim tests the draw and that nothing grows. What training makes of it is tested next: the linear response {eq}`linear-response` of
# a draw is taken away at all times, from predictors and from paths, for the start $\mu_{0,m}$ and for the one halfway to it, $\varepsilon=\frac12$. What remains is quadratic if the flow depends on its start in a differentiable way. The control keeps the draw and leaves out
# that it changes the forces: what then remains is of first order.
#
# ```{claim} independent
# :source: Chizat and Bach 2018 and 2020, the limit of infinite width; the rate is derived in this chapter
# :evidence: trained and compared
# :because: one standard error of the slope, from those of the mean squared distance at each width, which the
#   draws give
# :control: outputs divided by √m instead of m, and steps of order one
#
# from independent draws the predictor converges to that of the limit at the rate 1/√m, uniformly up to time T
# ```
#
# ```{claim} response
# :evidence: trained and compared
# :because: the cubic terms, smaller by the size of a draw, m^(-1/2)
# :control: the draw alone taken away, with the forces of the limit
#
# what the linear response to the draw leaves of the error is quadratic, for predictors and for paths
# ```

# %% tags=["hide-input"]
claims.rate("independent", -0.5, slope(largest({m: error["independent", m] for m in widths})),
            error=derived_slope([error["independent", m][0] for m in widths]), control=slope(largest(lazy_error)))


def exponent(table):
    """The exponent in the weight of the draw, from one half to one, in the widest networks."""
    half, full = (root_mean_square(table[widths[2], weight].max(axis=0)) for weight in (HALF, 1.0))
    return float(np.log2(full / half))


claims.rate("response", [2.0, 2.0], [exponent(left_over), exponent(path_left_over)], error=1 / np.sqrt(widths[2]),
            control=Altered([exponent(static), exponent(path_error)]))

# %% [markdown]
# ## What would falsify it
#
# Densities and particles that disagree. Particles that leave the limit's paths by an amount that does not fall with $m$, or at a rate other than the one that the start prescribes. A remainder of first order in the draw. An error of equispaced starts of another size than
# {eq}`equispaced-constant`, which has no fitted constant. A large error of independent draws at one width falsifies nothing.
#
# ## Differences from the paper
#
# - **Smoothness.** The papers' smoothness assumptions leave out the ReLU; the short proof above covers balanced particles in the plane, with Gaussian inputs.
# - **Added.** The papers prove the limit for any start and state no sizes. The three kinds of starts, their rates and constants and the equation {eq}`density-equation` in the plane are added here; that the flow depends on its start in a differentiable
#   way, which the kinks of the ReLU leave in doubt, is tested and not proved.
#
# ## Scope
#
# - The limit is uniform on bounded intervals of time. Grönwall's constant grows exponentially in $T$; the measured errors of predictors *fall* in time here, since all networks learn the same labels, while those of the paths grow and level off. A finite
#   network that gets stuck ({doc}`global_convergence`) leaves the limit for good.
# - It is the population risk with exact forces. A finite sample adds an error that does not depend on $m$; stochastic gradients add noise.
# - The rates $m^{-3/2}$ and $m^{-2}$ belong to the plane, where $m$ points cover the circle evenly. In dimension $d$ one point in each of $m$ cells of the sphere is expected to gain a factor $m^{-1/(d-1)}$ only over $m^{-1/2}$. The $m^{-1/2}$ itself does not depend on $d$.
# - The distance of particles is measured at $|b|a$, which with the sign fixes a balanced particle.
# - A trained network is no sample of $m$ independent particles from $\mu_t$. Training makes them dependent, and reduces the predictor's error ({numref}`figure-mean-field-predictors` (b)).
#
# ## Exercises
#
# ````{exercise} Warm-up
# :label: exercise-mean-field-warm-up
#
# A network of 64 neurons from independent starts is off its limit paths by 0.24. How wide must a network be to be off by 0.06? With one random neuron in each arc a network of 64 is off by 0.013. How many neurons does it need to be off by at most 0.06?
# ````
#
# ````{solution} exercise-mean-field-warm-up
# :class: dropdown
#
# With the order $m^{-1/2}$ a quarter of the distance takes sixteen times the width, 1,024 neurons. With one in each arc the order is $m^{-3/2}$, so $64\cdot(0.013/0.06)^{2/3}\approx23$, and 24 neurons are enough.
# ````
#
# ````{exercise} A finite network is a flow of the limit
# :label: exercise-mean-field-closed
#
# Show that $\mu_{t,m}$ is the Wasserstein gradient flow of $F$ from $\mu_{0,m}$, for every $m$. Why is this not so if the gradient is taken on a random batch of inputs?
# ````
#
# ````{solution} exercise-mean-field-closed
# :class: dropdown
#
# $V$ depends on the particles only through $f$, an integral over $\mu_{t,m}$. So {eq}`mean-field-particles` moves the atoms of $\mu_{t,m}$ along the field that belongs to $\mu_{t,m}$, which is the definition. A batch puts
# a random function in the place of $V$.
# ````
#
# ````{exercise} An odd number of directions
# :label: exercise-mean-field-odd
#
# Let $N=m/2$ be odd. How large is the error of an equispaced start at $t=0$, compared with even $N$?
# ````
#
# ````{solution} exercise-mean-field-odd
# :class: dropdown
#
# $\bar\theta-\theta=\pi$ gives $m\pi/4\pi=N/2$, with fractional part $\frac12$, and $\beta=-30\,B_4(\frac12)=-\frac78$. So $C_m(0)^2=\frac{8\pi^2}{45}(1-\frac78)=\frac{\pi^2}{45}$: the error is a quarter of that for even $N$. With odd $N$
# the two kinks of a sign never lie at the same place between two points.
# ````
#
# ````{exercise} Outputs over $\sqrt m$
# :label: exercise-mean-field-lazy
#
# Divide the outputs by $\sqrt m$ and follow $\dot w_j=-\nabla_{w_j}F$. What is the law of $f$ at $t=0$ as $m\to\infty$, and how far does a weight move by time $T$?
# ````
#
# ````{solution} exercise-mean-field-lazy
# :class: dropdown
#
# By the central limit theorem $f$ is Gaussian with covariance $\frac12k(x,x')$, as the $a_j$ have length $1$ (for Gaussian ones it would be $k$), and of mean square $\frac12$ for every $m$: the draw decides which. A weight's speed is $m^{-1/2}$ times a bounded force, so it moves
# by $O(T/\sqrt m)$, while $m$ such moves change $f$ by order one. The network trains like its linearization.
# ````
#
# ````{exercise} Shorter training
# :label: exercise-mean-field-longer
#
# Rerun the chapter with `t_end = 10`. Do you expect the distance from the limit's paths to be smaller or larger, and its order in $m$ to change?
# ````
#
# ````{solution} exercise-mean-field-longer
# :class: dropdown
#
# Smaller, because the neurons drift off during training. The order stays $m^{-1/2}$, up to its error of about 0.1: the time enters the constant only.
# ````
#
# ## Where to go next
#
# ```{next}
# The chapter on the {doc}`interaction <interaction_kernel>` looks at the force between two neurons, of which all paths here are made. The one on {doc}`global minima <global_convergence>` follows wide networks to the end, where time is not bounded.
# ```
#
# ## References
#
# The limit is {cite:t}`chizat2018`, in the form with a uniform time interval {cite:t}`chizat2020`. {cite:t}`chen2020` prove a central limit theorem for the error of independent draws along the flow.
