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
# # The squared loss is the energy of interacting particles
#
# ```{question}
# ```
#
# A network of {glue:text}`kernel_width` ReLU neurons is to learn the labels of a {term}`teacher` with {glue:text}`kernel_teacher`. Think of each neuron as a charged particle. Its direction says where it is, its output weight which sign it has. The output is a sum over neurons, so the mean squared loss is a sum over *pairs*, like the energy of charges.
#
# Neurons of the same sign repel one another and shrink, those of opposite sign attract one another and grow. The teacher's neurons count with the opposite sign, so each attracts the neurons of its own sign and makes them grow. For rotation-invariant inputs only lengths and the angle matter. At a right angle the interaction is {glue:text}`kernel_right` of that of parallel neurons. The loss is a quadratic form in the charges that is never negative. So it is convex in how much charge sits in each direction, although not in the directions themselves.
#
# ```{hero}
# ```
#
# ## The statement
#
# A particle $w=(a,b)$ with hidden weights $a\in\mathbb R^d$ and output weight $b$ (in the code `w` is $a$, and `a` is $b$) contributes $b\,(a\cdot x)_+$ to the output, where $z_+=\max(z,0)$. Its charge is $b\|a\|$. A network is the mean over its particles, a measure $\mu$. The teacher is the mean over its {glue:text}`kernel_teacher` neurons, a measure $\mu^*$. The risk is $F=\frac12\mathbb E[(f-f^*)^2]$ over the inputs. It is the energy
#
# ```{math}
# :label: relu-kernel
# \begin{gathered}
# F=\frac12\iint b\,b'\,k(a,a')\,d\nu(w)\,d\nu(w'),\\
# k(a,a')=\frac c{2\pi}\,\|a\|\|a'\|\,J(\theta),\\
# J=\sin\theta+(\pi-\theta)\cos\theta,
# \end{gathered}
# ```
#
# where $\nu=\mu-\mu^*$ has all charges, those of the teacher with the opposite sign, $\theta$ is the angle between $a$ and $a'$, $c=1$ for standard Gaussian inputs and $c=1/d$ for inputs uniform on the unit sphere. The energy is on the slides {cite}`chizat2020slides`, the closed form is {cite:t}`cho2009`.
#
# ## What we find
#
# ```{results}
# | quantity | predicted | measured | for contrast | premise broken |
# |---|---|---|---|---|
# | [interaction](closed_form) of two neurons drawn at random, Gaussian inputs in dimension {glue:text}`kernel_d` (one of twelve pairs) | {glue:text}`kernel_pair_p` | {glue:text}`kernel_pair_m` | | inputs stretched along one axis: {glue:text}`kernel_pair_stretched` |
# | [risk](energy) of {glue:text}`kernel_width` neurons against a teacher of {glue:text}`kernel_teacher`, the same inputs | {glue:text}`kernel_risk_p` | {glue:text}`kernel_risk_m` | | stretched: {glue:text}`kernel_risk_stretched` |
# | [coefficient](spectrum) of $\cos2\theta$ in the kernel on the circle | {glue:text}`kernel_two_p` | {glue:text}`kernel_two_m` | steps in place of ReLUs, whose kernel has no even frequency from 2 on: {glue:text}`kernel_two_step` | |
# | [mean squared error](variance) of the kernel of $m$ random features, times $m$, over the variance of one feature | 1 | {glue:text}`kernel_variance` | every feature used twice (half as many independent features): {glue:text}`kernel_twice` | |
# ```
#
# Nothing is trained on this page. Each number is computed twice. For the interaction and the risk the second way is a quadrature over the inputs, which does not use the closed form. The coefficient of $\cos2\theta$ comes from its series and from a Fourier transform of the closed form. The random features are drawn without the closed form, and their errors are taken from it.
#
# **What to remember?** The squared loss is convex in how much charge sits in each direction, although not in the directions themselves. With rotation-invariant inputs, what two neurons add to the loss depends on their charges and the angle between them, and on nothing else.
#
# ## The smallest case
#
# Let the teacher be one neuron, $(u\cdot x)_+$, and the network one neuron $q\,(v\cdot x)_+$ with unit vectors at the angle $\theta$ and Gaussian inputs. The energy has three terms, one for the neuron with itself, one for the neuron with the teacher and one for the teacher with itself,
#
# $$F=\tfrac12q^2k(0)-q\,k(\theta)+\tfrac12k(0)$$
#
# with $k(0)=\frac12$. For a fixed direction the best charge is $q=2k(\theta)$, and then $F=\frac14-k(\theta)^2$. So the risk falls from $\frac14$, if the two are opposite, to $0$, if they are parallel. The first term makes large charges costly. The second is the attraction of the teacher. It turns the particle towards $u$, by the force $q\,|J'(\theta)|/2\pi=q\,(\pi-\theta)\sin\theta/2\pi$, which vanishes at $\theta=0$ and at $\theta=\pi$.
#
# ## Experiment
#
# The closed form is compared with a mean over inputs: Gauss quadrature in the squared length of an input, projected on the plane of two neurons, and the trapezoid rule in its angle, on the integrand as it stands.

# %% tags=["hide-input"]
import numpy as np
from matplotlib import pyplot as plt
from scipy.special import roots_jacobi, roots_laguerre, roots_legendre

from implicit_bias.data import Teacher, planar_teacher
from implicit_bias.figures import style
from implicit_bias.kernels import INPUTS, angles, relu_kernel, relu_potential_gradient, squared_relu_kernel
from implicit_bias.models.population import PopulationFlow
from implicit_bias.rates import log_log_slope
from reproduce.claims import Altered, Claims, Rival, refined, rounding, standard_error
from reproduce.claims.glued import glue_all
from reproduce.claims.numbers import numbers

claims = Claims("interaction_kernel")

style.use_style()

# %% tags=["parameters"]
d: int = 5  # dimension d of the inputs, in [2, 1000]
width: int = 8  # particles m of the network, in [2, 60]
teacher_width: int = 5  # particles m* of the teacher, in [1, 60]
points: int = 5  # inputs at which random features are compared with their kernel, in [2, 10]
repetitions: int = 1000  # independent draws of random features at each number of them, in [50, 10000]
seed: int = 0  # seed of the streams of inputs and weights, in [0, 4294967295]

# %% tags=["hide-input"]
input_stream, weight_stream, teacher_stream = np.random.default_rng(seed).spawn(3)


def radial_rule(inputs, count=6):
    """Nodes r and weights of the law of the length of x, projected on a plane."""
    if inputs == "gaussian":
        half_square, weight = roots_laguerre(count)
        return np.sqrt(2 * half_square), weight
    if d == 2:
        return np.ones(1), np.ones(1)
    node, weight = roots_jacobi(count, (d - 4) / 2, 0)
    return np.sqrt((1 + node) / 2), weight / weight.sum()


def planar(w, v):
    """Coordinates of w and v in the plane that they span."""
    along = v @ w / np.linalg.norm(w)
    across = np.linalg.norm(v - along * w / np.linalg.norm(w))
    return np.array([np.linalg.norm(w), 0.0]), np.array([along, across])


NODES = 2**16
STRETCH = np.sqrt([1.5, 0.5])  # keeps the mean of ‖x‖², but is not invariant under rotations
around = 2 * np.pi * np.arange(NODES) / NODES
circle = np.stack([np.cos(around), np.sin(around)])


def mean_over_inputs(w, v, inputs, power=1, stretch=1.0, every=1):
    """E[(w·x)₊ (v·x)₊], or with both factors to a power, by quadrature, perhaps with fewer of its nodes.

    The inputs may be stretched along axes of the plane.
    """
    flat_w, flat_v = (flat * stretch for flat in planar(w, v))
    r, weight = radial_rule(inputs)
    products = np.maximum(flat_w @ circle[:, ::every], 0) * np.maximum(flat_v @ circle[:, ::every], 0)
    return weight @ r ** (2 * power) * np.mean(products**power)

# %%
some, others = weight_stream.standard_normal((2, 12, d)) / np.sqrt(d)
others[0], others[1] = 2 * some[0], -some[1]
others[2] = some[2] + 1e-5 * others[2]
closed = {inputs: np.diag(relu_kernel(some, others, inputs)) for inputs in INPUTS}  # predict
by_quadrature = {  # measure
    inputs: np.array([mean_over_inputs(w, v, inputs) for w, v in zip(some, others, strict=True)]) for inputs in INPUTS
}
numbers(
    ["Gaussian inputs", "closed form", "mean over inputs"],
    [
        [pair, *(f"{found['gaussian'][k]:.8f}" for found in (closed, by_quadrature))]
        for k, pair in enumerate(("parallel", "opposite", "nearly parallel", "drawn"))
    ],
)

# %% [markdown]
# *A network against its teacher.* All neurons of both lie in one random plane of $\mathbb R^d$, so that risk and forces can be had from the residual itself. Gauss–Legendre quadrature runs over each sector of the plane between the lines where a neuron turns on or off, where every integrand is smooth.

# %% tags=["hide-input"]
frame = np.linalg.qr(weight_stream.standard_normal((d, 2)))[0].T
apart = planar_teacher(teacher_stream, max(teacher_width, 2))  # stream: data
sizes = teacher_stream.uniform(0.8, 1.3, (2, teacher_width))  # stream: data
flat_star = sizes[0, :, None] * apart.w[:teacher_width]
teacher = Teacher(flat_star @ frame, sizes[1] * apart.a[:teacher_width])
turns, sizes = 2 * np.pi * weight_stream.uniform(size=width), weight_stream.uniform(0.8, 1.3, (2, width))
flat, b = sizes[0, :, None] * np.stack([np.cos(turns), np.sin(turns)], axis=1), sizes[1] * weight_stream.choice([-1.0, 1.0], width)


def sectors(*rows):
    """Directions of the plane and their weights: quadrature between the lines where a neuron turns on or off."""
    kinks = [np.arctan2(r[:, 1], r[:, 0]) + turn for r in rows for turn in (-np.pi / 2, np.pi / 2)]
    edges = np.sort(np.concatenate(kinks) % (2 * np.pi))
    half = np.diff(np.append(edges, edges[0] + 2 * np.pi))[:, None] / 2
    node, weight = roots_legendre(12)
    angle = (edges[:, None] + half * (1 + node)).ravel()
    return np.stack([np.cos(angle), np.sin(angle)], axis=1), (half * weight / (2 * np.pi)).ravel()


def direct(inputs, stretch=1.0):
    """F = ½E[(f − f*)²] and the mean forces −E[(f − f*) ∇φ], from the residual at the nodes; inputs stretched as above."""
    taught = Teacher(flat_star * stretch @ frame, teacher.a)
    network = PopulationFlow(flat * stretch @ frame, b, taught, inputs)
    (r, weight), (directions, angle_weight) = radial_rule(inputs), sectors(flat * stretch, flat_star * stretch)
    x = (r[:, None, None] * directions).reshape(-1, 2) @ frame
    p = np.outer(weight, angle_weight).ravel()
    label = np.maximum(x @ taught.w.T, 0) @ taught.a / teacher_width
    residual = network.output(network.start, x) - label
    active = x @ network.w.T > 0
    on_a = -b[:, None] * ((p * residual)[:, None] * active).T @ x
    on_b = -(p * residual) @ (active * (x @ network.w.T))
    return network, p @ residual**2 / 2, np.concatenate([on_a.ravel(), on_b])


cases = {inputs: direct(inputs) for inputs in INPUTS}
energies = np.array([network.value(network.start) for network, _, _ in cases.values()])
stretched = [direct(inputs, stretch=STRETCH)[1] for inputs in INPUTS]

# %% mystnb={"figure": {"caption": "Two neurons attract or repel each other like charges. (a) Three pairs of unit length on their rays (thin lines). Blue: a positive output weight, red: a negative one. Filled: neurons of the network, open: one of the teacher, which does not move. Black arrows: the velocity $\\dot a$ of the hidden weights by {eq}`force`, from the other neuron alone. Grey: its parts along the ray (grow or shrink) and across it (turn). (b) The interaction of two neurons of unit length, times the dimension $d$, against their angle. Dashed: the closed form, the same for all $d$. Dots: means over $40\\,000$ inputs drawn on the sphere.", "name": "figure-interaction"}, "image": {"alt": "Left: three circles with two dots each. Two blue dots move inwards and turn apart, a blue and a red one move outwards and turn towards each other, and a blue one moves outwards and turns towards a blue ring. Right: one curve that falls from one half at the angle 0 to 32 percent of it at 90 degrees and zero at 180 degrees, with dots of three dimensions on it.", "classes": "panels-2"}} tags=["hero", "hide-input"]
pairs, curve = style.panels(2, (11.2, 4.2))
HUES = {1.0: style.COLORS["blue"], -1.0: style.COLORS["red"]}
look = np.linspace(0, 2 * np.pi, 361)
seen = np.stack([np.cos(look), np.sin(look)], axis=1)
two = seen[[60, 120]]
for place, signs, teaches, said in ((0.0, (1.0, 1.0), False, "same sign:\nrepel, shrink"), (2.6, (1.0, -1.0), False, "opposite signs:\nattract, grow"),
                                    (5.2, (1.0, 1.0), True, "teacher, same sign:\nattracts, makes grow")):
    center = np.array([place, 0.0])
    pairs.plot(*(center + 1.0 * seen).T, ":", color=style.COLORS["grey"], linewidth=1)
    for u in two:
        pairs.plot(*np.transpose([center, center + 1.4 * u]), color=style.COLORS["grey"], linewidth=0.7)
    pairs.text(place, -1.25, said, ha="center", va="top")
    for one, (u, sign) in enumerate(zip(two, signs, strict=True)):
        # ∇V of the other neuron alone, whose charge counts with the opposite sign if it is the teacher's
        slope = relu_potential_gradient(u[None], two[[1 - one]], np.array([signs[1 - one] * (-1 if teaches else 1)]))[0]
        fixed = teaches and one == 1
        pairs.plot(*(center + u), "o", color=HUES[sign], markersize=7, markerfacecolor="white" if fixed else HUES[sign], markeredgewidth=1.8)
        if not fixed:
            velocity, along = -1.8 * sign * slope, -1.8 * sign * (slope @ u) * u
            for part, color in ((along, style.COLORS["grey"]), (velocity - along, style.COLORS["grey"]), (velocity, "black")):
                pairs.annotate("", center + u + part, center + u, arrowprops={"arrowstyle": "-|>", "color": color, "linewidth": 1.4})
pairs.set(frame_on=False, aspect="equal", xticks=[], yticks=[], title="(a) what one neuron does to another", xlim=(-1.3, 6.5), ylim=(-2.0, 1.8))

sparse = np.linspace(0, np.pi, 15)
turned = np.stack([np.cos(sparse), np.sin(sparse)], axis=1)
for dimension, color, mark, size in ((2, "blue", "o", 10), (5, "orange", "s", 7), (10, "green", "^", 4)):
    sample = input_stream.standard_normal((40_000, dimension))  # stream: data
    sample /= np.linalg.norm(sample, axis=1, keepdims=True)
    means = np.mean(np.maximum(sample[:, :1], 0) * np.maximum(sample[:, :2] @ turned.T, 0), axis=0)
    curve.plot(np.degrees(sparse), dimension * means, mark, color=style.COLORS[color], markersize=size, label=f"$d={dimension}$")
style.theory(curve, np.degrees(look[:181]), relu_kernel(np.eye(1, 2), seen[:181])[0])
curve.annotate(f"{100 / np.pi:.0f} % at a right angle", (90, 0.5 / np.pi), xytext=(14, 14), textcoords="offset points",
               arrowprops={"arrowstyle": "-", "color": style.COLORS["grey"]})
curve.legend()
curve.set(xlabel="angle between two neurons", ylabel="interaction times dimension, $d\\,k$", title="(b) inputs on the sphere", ylim=(-0.02, 0.52),
          xticks=[0, 45, 90, 135, 180], xticklabels=["0°", "45°", "90°", "135°", "180°"])
plt.show()

# %% [markdown]
# ## Theory
#
# ````{prf:theorem} Chizat 2020, slides; the kernel: Cho and Saul 2009
# :label: theorem-energy
#
# Let $\rho$ have second moments, and $\mu,\mu^*$ be measures for which $\int|b|\|a\|$ is finite. With $\kappa(w,w')=\int\phi(w,x)\,\phi(w',x)\,d\rho(x)$,
#
# $$\begin{aligned}F(\mu)={}&\frac12\iint\kappa\,d\mu\,d\mu-\iint\kappa\,d\mu\,d\mu^*\\
# &+\frac12\iint\kappa\,d\mu^*d\mu^* .\end{aligned}$$
#
# For $\phi=b\,(a\cdot x)_+$ and $\rho$ Gaussian or uniform on the sphere, $\kappa=b\,b'\,k(a,a')$ with the $k$ of {eq}`relu-kernel`.
# ````
#
# ````{prf:proof}
# The energy: expand the square and exchange the integrals, which converge absolutely since $|\phi|\le|b|\|a\|\|x\|$.
#
# The kernel: only the projection of $x$ on the plane of $a$ and $a'$ matters. Its law is invariant under rotations of the plane, so the projection is $r\,(\cos\varphi,\sin\varphi)$
# with $\varphi$ uniform and independent of $r$. Hence
#
# $$\begin{gathered}k(a,a')=\frac{\|a\|\|a'\|}{2\pi}\,\mathbb E[r^2]\,I,\\
# I=\int_{\theta-\pi/2}^{\pi/2}\cos\varphi\cos(\varphi-\theta)\,d\varphi .\end{gathered}$$
#
# The integral is $I=\frac12J(\theta)$, and $\mathbb E[r^2]$ is twice the second moment of a coordinate: $2$ and $2/d$. $\square$
# ````
#
# A particle is pushed by all particles of the network, itself included, and by those of the teacher.
#
# ````{prf:proposition} The forces
# :label: proposition-forces
#
# Let $V(a)=\mathbb E[(f-f^*)(x)\,(a\cdot x)_+]$, the potential of a neuron with output weight one. The {term}`gradient flow` $\dot w_j=-m\nabla_{w_j}F$ of the particles is
#
# ```{math}
# :label: force
# \begin{gathered}
# \dot a_j=-b_j\nabla V(a_j),\quad\dot b_j=-V(a_j),\\
# \nabla_ak=\frac c{2\pi}\Bigl[(\pi-\theta)\,a'+\frac{\sin\theta\,\|a'\|}{\|a\|}\,a\Bigr].
# \end{gathered}
# ```
# ````
#
# ````{prf:proof}
# $m\,\partial F/\partial w_j=\mathbb E[(f-f^*)\,\nabla\phi(w_j,x)]$, which is the first line; $V$ is a sum of terms $k(a,a')$. In the plane of $a$ and $a'$ let $e_r$ be the direction of $a$ and $e_\theta$ the one in which $\theta$ grows:
# $\nabla_ak=\frac c{2\pi}\|a'\|\,[J\,e_r+J'e_\theta]$ with $J'=-(\pi-\theta)\sin\theta$. The rest is $a'=\|a'\|(\cos\theta\,e_r-\sin\theta\,e_\theta)$. $\square$
# ````
#
# The force on a balanced particle has a part along its direction, $-bV$, that makes it grow or shrink, and a part across, $-bV'$, that turns it. Both come from the potential $V$, a function on the sphere of directions.
#
# ## What costs energy, exactly
#
# On the circle the interaction can be split into frequencies.
#
# ````{prf:proposition} The spectrum on the circle
# :label: proposition-spectrum
#
# Let $d=2$ and the inputs be uniform on the circle. For $\|a\|=\|a'\|=1$ the kernel depends on the angle alone, charges $\cos n\theta$ are its eigenfunctions, and
#
# ```{math}
# :label: spectrum
# \begin{aligned}k={}&\frac1{\pi^2}+\frac{\cos\theta}8\\
# &+\frac2{\pi^2}\sum_{n=2,4,\dots}\frac{\cos n\theta}{(n^2-1)^2}.\end{aligned}
# ```
# ````
#
# ````{prf:proof}
# $(\cos\theta)_+=\sum_nr_ne^{in\theta}$ with $r_0=\frac1\pi$, $r_{\pm1}=\frac14$, $|r_n|=\frac1{\pi(n^2-1)}$ for other even $n$ and $r_n=0$ for other odd $n$. The mean over the inputs of a product of two turned copies is $k=\sum_nr_n^2e^{in\theta}$. $\square$
# ````
#
# So fine detail costs little energy, $n^{-4}$. The force on a charge has the same factor, so gradient descent is slow to learn it (not tested here). Odd frequencies from $3$ on cost none. Networks whose charges differ only by such frequencies have
# the same predictor, as $(a\cdot x)_+-(-a\cdot x)_+=a\cdot x$ is linear.

# %% tags=["hide-input"]
M, LAST = 512, 16
ring = 2 * np.pi * np.arange(M) / M
on_ring = relu_kernel(np.array([[1.0, 0.0]]), np.stack([np.cos(ring), np.sin(ring)], axis=1), "sphere")[0]
step = (np.pi - angles(np.array([[1.0, 0.0]]), np.stack([np.cos(ring), np.sin(ring)], axis=1))[0]) / (2 * np.pi)


def spectrum(values):
    """The coefficients of cos nθ, n = 0 … 16, of an even function on the ring."""
    return np.fft.rfft(values).real[: LAST + 1] / M * np.where(np.arange(LAST + 1) > 0, 2, 1)


measured_spectrum = spectrum(on_ring)
n = np.arange(LAST + 1)
predicted_spectrum = np.where(n % 2 == 0, 2 / (np.pi**2 * (n.astype(float) ** 2 - 1 + (n == 1)) ** 2), 0.0)
predicted_spectrum[:2] = 1 / np.pi**2, 1 / 8

# %% mystnb={"figure": {"caption": "Fine detail costs little energy. The kernel's spectrum on the circle. The even frequencies from 2 on follow $2/(\\pi^2(n^2-1)^2)$ (dashed), which falls like $n^{-4}$. Frequencies 0 and 1 have values of their own, $1/\\pi^2$ and $1/8$. Crosses on the axis: the odd frequencies from 3 on are zero up to rounding.", "name": "figure-interaction-spectrum"}, "image": {"alt": "Coefficients of the kernel that fall with the frequency along a dashed line, and crosses on the axis at the odd frequencies from 3 on.", "classes": "panels-1"}} tags=["hide-input"]
(waves,) = style.panels(1, (6.4, 3.6))
shown = predicted_spectrum > 0
waves.semilogy(n[shown], measured_spectrum[shown], "o", color=style.COLORS["blue"])
waves.plot(n[~shown], 0 * n[~shown], "x", color=style.COLORS["red"], transform=waves.get_xaxis_transform(), clip_on=False)
style.theory(waves, n[2::2], predicted_spectrum[2::2])
waves.text(8, 2e-4, r"$2/(\pi^2(n^2-1)^2)$")
waves.annotate("absent", (3, 0), xycoords=("data", "axes fraction"), xytext=(6, 6), textcoords="offset points", color=style.COLORS["red"])
waves.set(xlabel="frequency $n$", ylabel="coefficient of the kernel")
plt.show()

# %% [markdown]
# ## Random features
#
# The same kernel has a second meaning. Exchange weights and inputs: $k(x,x')=\mathbb E_a[(a\cdot x)_+(a\cdot x')_+]$ for $a\sim\mathcal N(0,I_d)$ is the *conjugate kernel* of a layer of random ReLU features, the kernel of a network whose output layer alone is trained ({doc}`f2_max_margin`). A finite layer has the mean over its $m$ features in its place. How far off is it?
#
# ````{prf:proposition} The error of random features
# :label: proposition-features
#
# Let $a_1,\dots,a_m\sim\mathcal N(0,I_d)$ be independent. The mean of $(a_j\cdot x)_+(a_j\cdot x')_+$ over $j$ has the mean $k(x,x')$ and the variance $\bigl(k_2(x,x')-k(x,x')^2\bigr)/m$, where $k_2$ is the kernel of order 2 of {cite:t}`cho2009`,
#
# ```{math}
# :label: second-kernel
# \begin{gathered}
# k_2=\mathbb E_a\bigl[(a\cdot x)_+^2(a\cdot x')_+^2\bigr]\\
# =\frac{\|x\|^2\|x'\|^2}{2\pi}\,J_2,\\
# J_2=3\sin\theta\cos\theta\\
# +(\pi-\theta)(1+2\cos^2\theta).
# \end{gathered}
# ```
# ````
#
# ````{prf:proof}
# The variance is that of independent terms. $k_2$ follows as $k$ does, with $\mathbb E[r^4]=8$ and $\int_{\theta-\pi/2}^{\pi/2}\cos^2\varphi\cos^2(\varphi-\theta)\,d\varphi=\frac18J_2$. $\square$
# ````
#
# We draw the features many times over, at a few inputs of unit length.

# %% tags=["hide-input"]
x = input_stream.standard_normal((points, d))  # stream: data
x /= np.linalg.norm(x, axis=1, keepdims=True)
upper = np.triu_indices(points)
# mutant(2 → 3): weights of a mean of which only the rate is claimed
kernel, spread = relu_kernel(x, x)[upper], (squared_relu_kernel(x, x) - relu_kernel(x, x) ** 2)[upper]
widths = 2 ** np.arange(6, 13)  # mutant: widths at which a slope is measured


def deviations(distinct, copies=1):
    """Mean over pairs of the squared error of the features' kernel, over the variance of one feature, in each draw."""
    squares = []
    for _ in range(repetitions):
        # For Gaussian a the products a·x are Gaussian with the inputs' Gram matrix: no need to draw all d entries.
        features = np.maximum(weight_stream.standard_normal((distinct, len(root))) @ root, 0)
        features = np.tile(features, (copies, 1))
        # mutant(… / spread): weights of a mean of which only the rate is claimed
        squares.append(((features.T @ features / len(features))[upper] - kernel) ** 2 / spread)
    return np.mean(squares, axis=1)


left, singular, right_vectors = np.linalg.svd(x, full_matrices=False)
root = (left * singular).T
drawn = np.array([deviations(int(m)) for m in widths])
errors = np.mean(drawn, axis=1)
few = np.array([np.mean(deviations(round(np.sqrt(m)), round(np.sqrt(m)))) for m in widths])
pairs = np.array([np.mean(deviations(int(m) // 2, 2)) for m in widths])

# %% tags=["hide-input"]
pair_stretched = mean_over_inputs(some[3], others[3], "gaussian", stretch=STRETCH)
right_angle = relu_kernel(np.eye(1, 2), np.eye(2)[1:])[0, 0] / relu_kernel(np.eye(1, 2), np.eye(1, 2))[0, 0]
glue_all("kernel", d=d, width=width, teacher=teacher_width)
glue_all("kernel", ".5f", pair_p=closed["gaussian"][3], pair_m=by_quadrature["gaussian"][3], pair_stretched=pair_stretched,
         risk_p=energies[0], risk_m=cases["gaussian"][1], risk_stretched=stretched[0], two_p=predicted_spectrum[2],
         two_m=measured_spectrum[2])
glue_all("kernel", ".3f", variance=np.mean(errors * widths), twice=np.mean(pairs * widths))
glue_all("kernel", right=f"{100 * right_angle:.0f} %")
glue_all("kernel", ".0f", two_step=abs(spectrum(step)[2]))

# %% [markdown]
# ## Instruments
#
# Each claim with its allowed error and its control, then the forces and two facts behind the error of random features.
#
# ### The numbers of the table
#
# The {term}`control` of the first two breaks the premise that no rotation changes the law of the inputs. It stretches them by $\sqrt{3/2}$ along one axis of the plane and shrinks them by $\sqrt{1/2}$ along the other, so that their mean squared length stays.
#
# ```{claim} closed_form
# :headline: interaction k of twelve pairs of neurons, two laws of the inputs
# :source: Chizat 2020, slides; Cho and Saul 2009
# :evidence: float with residual
# :because: the trapezoid rule with N nodes misses each of two kinks, of jump D, by π|B₂|D/N²; |B₂| ≤ 1/6, and
#   the largest D
# :control: inputs of the same mean squared length, stretched along one axis and shrunk along another
#
# the closed form is the mean over inputs, for Gaussian inputs and for those on the sphere
# ```
#
# ```{claim} energy
# :headline: risk of a network against its teacher, two laws of the inputs
# :source: Chizat 2020, slides, with the measures of its first term corrected
# :evidence: float with residual
# :because: the sectors end at rounded angles of up to 2π, which changes each interaction of two charges;
#   these cancel, errors need not
# :control: inputs of the same mean squared length, stretched along one axis and shrunk along another
#
# the risk is the energy of the particles and of the teacher's fixed charges
# ```
#
# The control of the spectrum has neurons that are steps, whose kernel is $(\pi-\theta)/2\pi$. The {term}`rival` is the ReLU without its linear part, $\frac12|a\cdot x|$, which lacks the frequency $1$.
#
# ```{claim} spectrum
# :headline: spectrum of the kernel on the circle
# :evidence: float with residual
# :because: aliasing: on 512 angles the frequencies 496 and 528 cannot be told from 16; their coefficients, by
#   2/(π²n⁴)
# :contrast: neurons that are steps, with the kernel (π − θ)/2π
# :rival: the ReLU of an even network, |a·x|/2, without the linear part
#
# on the circle the kernel has the stated spectrum: odd frequencies from 3 on interact with nothing
# ```
#
# ```{claim} variance
# :headline: mean squared error of m features, over (k₂ − k²)/m
# :source: derived in this chapter; k₂ is the kernel of order 2 of Cho and Saul 2009
# :evidence: float with residual
# :because: one standard error of the mean over all draws, at all numbers of features together
# :contrast: every feature used twice
#
# the mean squared error is the variance k₂ − k² of one feature, over m
# ```

# %% tags=["hide-input"]
derived_flat = [planar(w, v) for w, v in zip(some, others, strict=True)]
derived_jump = max(2 * w[0] * v[1] for w, v in derived_flat)  # E[r²] ‖a‖‖a′‖ sin θ, for Gaussian inputs
claims.identity("closed_form", np.concatenate([closed[inputs] for inputs in INPUTS]),
                np.concatenate([by_quadrature[inputs] for inputs in INPUTS]),
                error=np.pi / (3 * NODES**2) * derived_jump / np.max(closed["gaussian"]), relative=True,
                control=[mean_over_inputs(w, v, i, stretch=STRETCH) for i in INPUTS
                         for w, v in zip(some, others, strict=True)])
derived_places, derived_charges = cases["gaussian"][0].residual_measure(cases["gaussian"][0].start)
derived_charges = np.abs(derived_charges)
derived_energy = derived_charges @ relu_kernel(derived_places, derived_places) @ derived_charges / 2
claims.identity("energy", energies, [risk for _, risk, _ in cases.values()],
                error=rounding(size=derived_energy, condition=2 * np.pi) / np.max(energies), relative=True,
                control=stretched)
claims.identity("spectrum", predicted_spectrum, measured_spectrum,
                error=2 / np.pi**2 * ((M - LAST) ** -4.0 + (M + LAST) ** -4.0), control=spectrum(step),
                rival=Rival(np.where(n == 1, 0.0, predicted_spectrum), factor=1e4))
claims.limit("variance", 1.0, float(np.mean(errors * widths)), error=standard_error((drawn * widths[:, None]).ravel()),
             control=float(np.mean(pairs * widths)))

# %% [markdown]
# ### Forces
#
# The closed form of the gradient against the mean force from the residual. The control leaves out the interaction of the particles among each other.
#
# ```{claim} force
# :evidence: float with residual
# :because: the sectors end at rounded angles of up to 2π, which changes the pull of each charge; pulls
#   cancel, errors need not
# :control: the teacher's pull alone, without the particles' interaction
#
# the closed form of the gradient is the mean force on each particle
# ```

# %% tags=["hide-input"]
forces = np.concatenate([network.velocity(network.start) for network, _, _ in cases.values()])


def pull_of_the_teacher(network):
    """The forces if the particles did not see each other."""
    slope = relu_potential_gradient(network.w, teacher.w, -teacher.a / teacher_width, network.inputs)
    return np.concatenate([(-b[:, None] * slope).ravel(), -np.sum(network.w * slope, axis=1)])


# ∇ₐk is at most ‖a′‖/2: the pull of all charges, without its sign, on the particle that feels it most.
derived_lengths = np.linalg.norm(derived_places, axis=1)
derived_pull = max(np.max(np.abs(b)), np.max(derived_lengths[:width])) * (derived_charges @ derived_lengths) / 2
claims.identity("force", forces, np.concatenate([force for _, _, force in cases.values()]),
                error=rounding(size=derived_pull, condition=2 * np.pi) / np.max(np.abs(forces)), relative=True,
                control=Altered(np.concatenate([pull_of_the_teacher(network) for network, _, _ in cases.values()])))

# %% [markdown]
# ### Random features
#
# How fast their error falls, and the closed form {eq}`second-kernel` in the twelve pairs.
#
# ```{claim} features
# :evidence: float with residual
# :because: one standard error of the slope, from those of the mean squared errors, which the draws give
# :contrast: only √m of the features distinct
#
# m random features approximate the conjugate kernel at the rate 1/√m
# ```
#
# ```{claim} second
# :source: Cho and Saul 2009, the kernel of order 2
# :evidence: float with residual
# :because: what every second node gives, of order 3 as the integrand is once differentiable, and rounding of
#   a sum by pairs
# :control: the square of the mean in place of the mean of the square
#
# the closed form of the second moment is the mean over Gaussian inputs
# ```

# %% tags=["hide-input"]
derived_log = standard_error(drawn, axis=1) / errors
derived_lever = np.log(widths) - np.mean(np.log(widths))
claims.rate("features", -0.5,
            # mutant(widths, errors): an exponent of one, or of minus one, is its own inverse
            log_log_slope(widths, errors) / 2,
            error=np.linalg.norm(derived_lever * derived_log) / np.sum(derived_lever**2) / 2,
            control=log_log_slope(widths, few) / 2)
closed_second = np.diag(squared_relu_kernel(some, others))
second_by_quadrature = [mean_over_inputs(w, v, "gaussian", power=2) for w, v in zip(some, others, strict=True)]
derived_half = [mean_over_inputs(w, v, "gaussian", power=2, every=2) for w, v in zip(some, others, strict=True)]
claims.identity("second", closed_second, second_by_quadrature,
                error=refined(second_by_quadrature, derived_half, 2, 3) / np.max(closed_second)
                + rounding(np.log2(NODES)), relative=True, control=Altered(closed["gaussian"] ** 2))

# %% [markdown]
# ## What would falsify it
#
# A pair of neurons, at any angle and in any dimension, whose mean product over inputs is not {eq}`relu-kernel`. A network whose risk, computed from its
# residual, is not the energy. A force that is not minus the mean of the residual times the gradient of the neuron. Each constant in the closed forms is checked by a claim. The test-suite changes them one by one and sees a
# claim fail.
#
# ## Differences from the paper
#
# - **Misprint.** The slides print $d\mu(x)\,d\mu(w')$ in the first term of the energy, for $d\mu(w)\,d\mu(w')$.
# - **Changed.** The arc-cosine kernels of {cite:t}`cho2009` are without the factor $\frac12$.
# - **Ours.** The slides draw $k$ without numbers. The numbers here are ours. The three propositions are added.
#
# ## Scope
#
# - The closed form needs inputs whose law is invariant under rotations. A bias would be a constant coordinate of $x$, whose law is then not invariant, so it is not covered.
# - The kernel is smooth except at $a=0$, where it is not differentiable, and where $a$ and $a'$ are parallel or opposite. There it is twice differentiable only, because $J$ has a term like $|\eta|^3$ in the angle $\eta$ from parallel or opposite. The risk of a finite sample has
#   kinks instead, so closed form and smoothness belong to the population.
# - The energy is convex in $\mu$, not in the positions of the particles. What that means for training is the subject of the {doc}`next chapter <global_convergence>`.
# - Nothing is trained here: the risk, its gradient and the kernel are checked.
#
# ## Exercises
#
# ````{exercise} Warm-up
# :label: exercise-kernel-warm-up
#
# Two neurons of the network have unit length, output weights $1$ and $1$, and are at a right angle. What is the energy of their interaction with each other, compared with the energy of each with itself? In which direction does each push the other?
# ````
#
# ````{solution} exercise-kernel-warm-up
# :class: dropdown
#
# With itself a neuron has $\frac12k(0)=\frac14$, up to the masses, and the pair has $k(\frac\pi2)=\frac1{2\pi}$, counted once for both orders. The ratio is $\frac2\pi=64\,\%$, twice the {glue:text}`kernel_right` of {numref}`figure-interaction`, because the pair counts in both orders. As $J'<0$ and the signs are equal, the energy falls as the angle grows, so each turns away from the other. Both also shrink.
# ````
#
# ````{exercise} What a pair of opposite neurons does
# :label: exercise-kernel-opposite
#
# Compute $k(a,a')$ for $\theta=0,\pi/2,\pi$. Why does the value at $\pi$ not depend on the law of $x$?
# ````
#
# ````{solution} exercise-kernel-opposite
# :class: dropdown
#
# $\frac c2$, $\frac c{2\pi}$ and $0$ times the lengths. $(a\cdot x)_+$ and $(-a\cdot x)_+$ are never positive at the same $x$, so their product vanishes for any law.
# ````
#
# ````{exercise} Invisible charges
# :label: exercise-kernel-invisible
#
# Put charges $\cos3\alpha_j$ on $M$ equidistant directions $\alpha_j$ of the circle, $M$ even and at least $6$. Show that they produce no predictor at all. For which other frequencies is this so?
# ````
#
# ````{solution} exercise-kernel-invisible
# :class: dropdown
#
# The charges at $\alpha$ and $\alpha+\pi$ are opposite, so each such pair contributes $\cos3\alpha\,[(a\cdot x)_+-(-a\cdot x)_+]=\cos3\alpha\;a\cdot x$. The sum is linear in $x$ with
# the coefficient $\sum\cos3\alpha_j\,(\cos\alpha_j,\sin\alpha_j)/2=0$. The same holds for every odd frequency $n\ge3$ with $n\pm1$ no multiple of $M$.
# ````
#
# ````{exercise} The self-energy
# :label: exercise-kernel-self
#
# The $w_j$ are independent with law $\mu$. By how much does the mean of the energy $\frac1{2m^2}\sum_{ij}\kappa(w_i,w_j)$ exceed that of $\mu$ itself, and at which rate in $m$ does a random network approach its limit in risk?
# ````
#
# ````{solution} exercise-kernel-self
# :class: dropdown
#
# By $\frac1{2m}\bigl(\int\kappa(w,w)\,d\mu-\iint\kappa\,d\mu\,d\mu\bigr)$: the diagonal. It is half the variance of $\phi(w,x)$, averaged over inputs, over $m$. So in the mean the rate is $1/m$. The risk of a single draw is off by the order $1/\sqrt m$, because the error of $f$ also enters linearly, unless the limit is the teacher itself.
# ````
#
# ````{exercise} Inputs on the circle
# :label: exercise-kernel-circle
#
# Rerun the chapter with `d = 2`. What do you expect of the interactions of inputs on the sphere, compared with Gaussian ones?
# ````
#
# ````{solution} exercise-kernel-circle
# :class: dropdown
#
# They are half as large, $c=1/d=\frac12$, as functions of the angle the same. The risk on the sphere is half of the Gaussian one.
# ````
#
# ## Where to go next
#
# ```{next}
# The {doc}`next chapter <global_convergence>` lets the particles move and asks where they end. The one on {doc}`population risk <population_risk>` uses the even frequencies. A network with too few charges of one sign cannot cancel a teacher.
# ```
#
# ## References
#
# The slides are {cite:t}`chizat2020slides`; the arc-cosine kernels are {cite:t}`cho2009`; the measure's point of view is {cite:t}`chizat2018`.
