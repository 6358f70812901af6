"""The flow of a scaled model, expanded in one over the scale: its linearization, and the first terms that it misses."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, in_range, memory, number
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.losses import Loss, Squared

EXACT = 1e-7  # of what is dissipated at each order: what the steps in time may lose, at tolerances of 1e-9
SMALLEST, LONGEST = 1e-100, 1e6  # of what the integrator works with
STILL = 1e-12  # a third tensor below this share of the kernel is none


@brief()
@dataclass(frozen=True)
class LazyExpansion:
    """α (h(w_α(t)) − h(w₀)) = ū(t) + u₁(t)/α + u₂(t)/α² + …, on the n samples.

    t: k times.
    linear: ū, the outputs of the linearized model, k × n.
    first: u₁, k × n.
    second: u₂, k × n, where it was asked for; None otherwise.
    displacement: the limit of α‖w_α(t) − w₀‖ at these times, k numbers.
    balance: largest |R(ū(0)) − R(ū(t)) − what the flow has dissipated until t|, and the same for the next orders,
        each over its size: the error of the steps in time.

    >>> from implicit_bias.losses import Squared
    >>> course = lazy_expansion(Squared("sum"), [1.0], [0.0, 1.0], [[1.0]], np.zeros((1, 1, 1)))
    >>> course.linear.ravel().round(6), round(float(1 - np.exp(-1)), 6)
    (array([0.      , 0.632121]), 0.632121)
    """

    t: Array
    linear: Array
    first: Array
    second: Array | None
    displacement: Array
    balance: float


@in_range
def lazy_expansion(
    loss: Loss, y: ArrayLike, times: ArrayLike, kernel: ArrayLike, third: ArrayLike, fourth: ArrayLike | None = None
) -> LazyExpansion:
    """What gradient flow of R(α (h(w) − h(w₀)))/α² does to the outputs, for large α, from numbers at w₀ alone.

    g′ = −∇R(ū),  ū = K g,  u₁′ = −K ∇²R(ū) u₁ − K₁ ∇R(ū),  (K₁)_ik = Σ_l K_ikl g_l

    u₂′ = −K ∇²R(ū) u₂ − K₁ ∇²R(ū) u₁ − K₂ ∇R(ū),  (K₂)′_ik = Σ_lq K_iklq g_q g_l′ − Σ_l K_ikl (∇²R(ū) u₁)_l

    if the loss is a square or K_ikl = 0 (and so u₁ = 0); for others the third derivative of R would enter.
    α‖w − w₀‖ → (gᵀKg)^{1/2}. Nothing is trained: these are ordinary differential equations for n or n² numbers.

    loss: R, twice differentiable.
    y: n labels.
    times: k increasing times t ≥ 0.
    kernel: the tangent kernel K_ik = ∇h_i·∇h_k at w₀, n × n.
    third: K_ikl = ∇h_l·∇K_ik, n × n × n.
    fourth: K_iklq = ∇h_q·∇K_ikl, n⁴ numbers, if u₂ is wanted.

    Returns the expansion: no optimum, so that its evidence is the balance of energy.
    Raises ValueError for arrays that do not fit, or a fourth tensor where the third is not 0 and the loss no square;
    CertificateError where the balance is off by 1e-7.
    Reference: Chizat, Oyallon and Bach 2019, for ū; Huang and Yau 2020, for the tensors.

    >>> from implicit_bias.losses import Squared
    >>> course = lazy_expansion(Squared("sum"), [1.0], [0.0, 1.0], [[1.0]], np.zeros((1, 1, 1)))
    >>> course.linear.ravel().round(6), course.first.ravel()
    (array([0.      , 0.632121]), array([0., 0.]))
    """
    y = array("y", y, 1)
    n = y.size
    times = array("times", times, 1)
    number("times[0]", float(times[0]), least=0)
    size = float(np.max(np.abs(y)))
    if size != 0:
        number("y, the largest modulus", size, least=SMALLEST, most=1 / SMALLEST)
    if np.any(np.diff(times) <= 0):
        raise ValueError("times does not increase; it must hold increasing times")
    k0 = array("kernel", kernel, 2, (n, n))
    fastest = number("kernel, the largest modulus", float(np.max(np.abs(k0))), above=0)
    number("times[-1] times the largest entry of kernel", float(times[-1]) * fastest, most=LONGEST)
    k3 = array("third", third, 3, (n, n, n))
    if np.any(k3):
        number("third, the largest modulus", float(np.max(np.abs(k3))), least=SMALLEST)
    k4 = None if fourth is None else array("fourth", fourth, 4, (n, n, n, n))
    if k4 is not None:
        memory("fourth", f"{n} samples", 8 * (20 * n**2 + 4 * n * len(times) + len(times) * n**2))
        if np.abs(k3).max() > STILL * np.abs(k0).max() ** 1.5 and not isinstance(loss, Squared):
            raise ValueError(
                f"third holds {np.abs(k3).max():.1e}; it must be 0 where fourth is given, or the loss Squared: only"
                " there does the third derivative of R not count"
            )
    parts = [n, n, 1, 1] if k4 is None else [n, n, 1, 1, n, n * n, 1]
    ends = np.cumsum(parts)[:-1]

    def change(t: float, state: Array) -> Array:
        g, u1, _, _, *rest = np.split(state, ends)
        u = k0 @ g
        r = loss.slope(u, y)
        bend = loss.hessian(u, y)
        pushed = (k3 @ g) @ r  # K₁ ∇R
        lost = [r @ k0 @ r, 2 * (r @ k0 @ bend @ u1) + r @ pushed]
        if k4 is None:
            return np.concatenate([-r, -k0 @ (bend @ u1) - pushed, lost])
        u2, moved, _ = rest
        k2 = moved.reshape(n, n)
        b1 = bend @ u1
        turned = (k3 @ g) @ b1  # K₁ ∇²R u₁
        return np.concatenate(
            [
                -r,
                -k0 @ b1 - pushed,
                lost,
                -k0 @ (bend @ u2) - turned - k2 @ r,
                -((k4 @ g) @ r + k3 @ b1).ravel(),
                [2 * (r @ k0 @ bend @ u2 + r @ turned) + b1 @ k0 @ b1 + r @ k2 @ r],
            ]
        )

    zero = loss.value(np.zeros(n), y)
    units = _units(zero, loss.slope(np.zeros(n), y), k0, k3, k4)
    done = solve_ivp(
        change,
        (0.0, float(times[-1])),
        np.zeros(sum(parts)),
        method="DOP853",
        t_eval=times,
        rtol=1e-9,
        atol=1e-12 * np.repeat(units, parts),
    )
    if not done.success:
        raise CertificateError(f"the expansion stopped at time {done.t[-1]:g}: {done.message}")
    g, u1, lost, lost_next, *rest = np.split(done.y, ends)
    u = k0 @ g
    values = np.array([loss.value(now, y) for now in u.T])
    slopes = np.array([loss.slope(now, y) for now in u.T]).T
    off = [zero - values - lost[0], np.sum(slopes * u1, axis=0) + lost_next[0]]
    if rest:
        bent = [now @ loss.hessian(at, y) @ now / 2 for now, at in zip(u1.T, u.T, strict=True)]
        off.append(np.sum(slopes * rest[0], axis=0) + bent + rest[2][0])
    spent = [lost, lost_next, *rest[2:]]  # at each order
    sizes = [max(units[at], float(np.max(np.abs(one)))) for at, one in zip((2, 3, 6), spent, strict=False)]
    balance = max(float(np.max(np.abs(one))) / size for one, size in zip(off, sizes, strict=False)) if zero > 0 else 0.0
    if not balance <= EXACT:
        raise CertificateError(f"the expansion loses {balance:.1e} of what is dissipated in its steps in time")
    displacement = np.sqrt(np.abs(np.sum(g * u, axis=0)))  # rounding at t = 0 aside, a square
    return LazyExpansion(times, u.T, u1.T, rest[0].T if rest else None, displacement, balance)


def _units(zero: float, slope: Array, k0: Array, k3: Array, k4: Array | None) -> Array:
    """The sizes of g, u₁, what is dissipated at both orders, u₂, K₂ and what is dissipated there; 1 for what is 0."""
    push, speed = float(np.max(np.abs(slope))), float(np.max(np.abs(k0)))
    moved = push / speed
    first = float(np.max(np.abs(k3))) * moved * push / speed
    sizes = [moved, first, zero, push * first]
    if k4 is not None:
        turned = float(np.max(np.abs(k4))) * moved**2 + float(np.max(np.abs(k3))) * first
        sizes += [turned * push / speed, turned, turned * push**2 / speed]
    return np.where(np.array(sizes) > 0, sizes, 1.0)
