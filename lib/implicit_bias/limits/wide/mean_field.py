"""The Wasserstein gradient flow of a planar two-layer network of infinite width, as an equation for two densities."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, instance, memory, number, whole
from implicit_bias.data import Teacher
from implicit_bias.limits.certificate import CertificateError

STAGES = 16  # of DOP853 and its dense output
EXACT = 1e-6  # of the energy at time 0: what the steps in time may lose, at tolerances of 1e-9


@brief()
@dataclass(frozen=True)
class MeanFieldFlow:
    """Densities of |b|‖a‖ on the circle of directions, one for each sign of b, and what they predict.

    t: k times.
    density: k × 2 × M, h₊ and h₋ at M equidistant directions, in units of the uniform density.
    risk: F at these times.
    balance: largest |F(0) − F(t) − what the flow has dissipated until t|: the error of the steps in time. It is 0 on
        any grid; whether the grid is fine enough, another grid tells.

    >>> from implicit_bias.data import Teacher
    >>> teacher = Teacher(w=np.array([[1.0, 0.0]]), a=np.array([1.0]))
    >>> flow = mean_field_flow(teacher, [0.0, 5.0], grid=64)
    >>> flow.density.shape, flow.balance < 1e-6
    ((2, 2, 64), True)
    """

    t: Array
    density: Array
    risk: Array
    balance: float

    def predictor(self, angle: ArrayLike) -> Array:
        """f(μ_t, x) at x = (cos ψ, sin ψ): k × N values at N angles ψ."""
        angle = array("angle", angle, 1)
        charge = (self.density[:, 0] - self.density[:, 1]) / 2
        n = _frequencies(charge.shape[-1])  # mutant(-): the last of two axes is the second
        waves = relu_series(n)[:, None] * np.exp(1j * np.outer(n, angle))
        return np.asarray((_coefficients(charge) @ waves).real)


def relu_series(n: Array) -> Array:  # law: none, frequencies have no unit
    """The Fourier coefficients of the ReLU on the circle.

    (cos θ)₊ = Σ_n r_n e^{inθ},  r_n = −(−1)^{n/2} / (π(n² − 1)) for even n, ¼ for n = ±1, 0 for other odd n

    n: whole numbers.

    >>> (relu_series(np.array([0, 1, 2, 3])) * np.pi).round(4)
    array([1.    , 0.7854, 0.3333, 0.    ])
    """
    n = array("n", n, None)
    # mutant(2… → 3 *…): against a zero, whose value is replaced
    even = -np.cos(np.pi * n / 2) / (np.pi * (n**2 - 1 + 2 * (np.abs(n) == 1)))
    return np.asarray(np.where(n % 2 == 0, even, np.where(np.abs(n) == 1, 0.25, 0.0)))


def mean_field_flow(teacher: Teacher, times: ArrayLike, grid: int = 1024) -> MeanFieldFlow:
    """The flow from the uniform measure on the circle of directions with both signs, ‖a‖ = |b| = 1.

    ∂_t h_s = s ∂_φ(V′ h_s) − 2 s V h_s,  h_s(0) = 1,  s = ±1

    f(x) = ∫ (u(φ)·x)₊ ½(h₊ − h₋)(φ) dφ/2π,  V(φ) = E[(f(x) − f*(x)) (u(φ)·x)₊],  x ~ N(0, I₂)

    No particles: derivatives and V are taken in Fourier space, where V is a product with 2 r_n².

    teacher: f*, in the plane.
    times: k increasing times t ≥ 0.
    grid: number M of directions, even.

    Returns the densities at these times: no optimum, so that its evidence is the balance of energy, a residual and no
    proof.
    Raises ValueError for arguments out of range, CertificateError where the balance is off by 1e-6 of F(0).
    Reference: Chizat and Bach 2018, Section 2.

    >>> from implicit_bias.data import Teacher
    >>> teacher = Teacher(w=np.array([[1.0, 0.0]]), a=np.array([1.0]))
    >>> flow = mean_field_flow(teacher, [0.0, 5.0, 50.0], grid=64)
    >>> bool(flow.risk[2] < flow.risk[1] < flow.risk[0]), round(float(flow.risk[0]), 6)
    (True, 0.249999)
    """
    instance("teacher", teacher, Teacher)
    times = array("times", times, 1)
    number("times[0]", float(times[0]), least=0)
    if np.any(np.diff(times) <= 0):
        raise ValueError("times does not increase; it must hold increasing times")
    grid = whole("grid", grid, least=16)
    if grid % 2:
        raise ValueError(f"grid is {grid}; it must be even")
    place = array("teacher.w", teacher.w, 2, (None, 2))
    # The densities twice, the stages of the integrator, the waves of the teacher's neurons.
    memory("grid", grid, 8 * grid * (4 * len(times) + 4 * STAGES + 4 * len(place)))
    n = _frequencies(grid)
    kernel = 2 * relu_series(n) ** 2
    labels = np.exp(-1j * np.outer(n, np.arctan2(place[:, 1], place[:, 0]))) @ (
        teacher.a * np.linalg.norm(place, axis=1) / len(teacher.a)
    )
    # mutant(2): the highest frequencies carry nothing
    slope = 1j * n * (n > -grid / 2)  # the derivative of the highest frequency is left out: it has no sign
    sign = np.array([[1.0], [-1.0]])

    def charge(h: Array) -> Array:
        """The Fourier coefficients of the measure of f − f*."""
        return np.asarray(_coefficients((h[0] - h[1]) / 2) - labels)

    def change(t: float, state: Array) -> Array:
        h = state[:-1].reshape(2, grid)
        potential = kernel * charge(h)
        v, turning = (np.fft.ifft(part).real * grid for part in (potential, slope * potential))
        flux = np.fft.ifft(slope * np.fft.fft(turning * h)).real
        dissipated = np.mean((2 * v**2 + turning**2) * (h[0] + h[1]) / 2)
        return np.append((sign * (flux - 2 * v * h)).ravel(), dissipated)

    start = np.append(np.ones(2 * grid), 0.0)
    done = solve_ivp(change, (0.0, float(times[-1])), start, method="DOP853", t_eval=times, rtol=1e-9, atol=1e-11)
    if not done.success:
        raise CertificateError(f"the flow of the densities stopped at time {done.t[-1]:g}: {done.message}")
    # mutant(1): NumPy finds this size by itself
    # mutant(2): the highest frequencies carry nothing
    density = done.y[:-1].T.reshape(-1, 2, grid)
    risk = np.array([kernel @ np.abs(charge(h)) ** 2 / 2 for h in density])
    zero = float(kernel @ np.abs(labels) ** 2) / 2
    balance = float(np.max(np.abs(zero - risk - done.y[-1])))
    if not balance <= EXACT * zero:
        raise CertificateError(f"the flow of the densities loses {balance:.1e} of {zero:.1e} in its steps in time")
    return MeanFieldFlow(times, density, risk, balance)


def _frequencies(grid: int) -> Array:
    """The frequencies 0, 1, …, −1 in NumPy's order."""
    return np.asarray(np.fft.fftfreq(grid, 1 / grid))


def _coefficients(values: Array) -> Array:
    """The Fourier coefficients of periodic functions on the grid, along the last axis."""
    return np.asarray(np.fft.fft(values, axis=-1) / values.shape[-1])
