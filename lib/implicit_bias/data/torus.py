"""Sparse deconvolution on the torus: a few spikes, seen through their low Fourier frequencies."""

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, instance, kept, memory, number, whole

CIRCLE = 2 * np.pi
ROOT = 2**0.5
MOST_TRIES = 10_000
MOST_AXES = 32  # of a NumPy array, less than in any version


@brief()
@dataclass(frozen=True)
class Deconvolution:
    """The measure ν̂ = Σ_l c_l δ_{x_l} on the torus [0, 2π)^d, known by its Fourier coefficients of frequencies up to K.

    φ(θ) = (e^{−ik·θ})_{k ∈ {−K, …, K}^d},  R(f) = ½ Σ_k |f_k − ∫e^{−ik·θ} dν̂|²

    positions: x, s × d, d = 1 or 2.
    masses: c, s numbers; negative ones make the problem signed.
    cutoff: K, the highest frequency in each coordinate.

    >>> problem = Deconvolution(positions=np.array([[np.pi]]), masses=np.array([2.0]), cutoff=1)
    >>> problem.frequencies.ravel(), problem.coefficients.real.round(12)
    (array([-1.,  0.,  1.]), array([-2.,  2., -2.]))
    """

    positions: Array
    masses: Array
    cutoff: int

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together, and dimensions above 2."""
        x = kept(self, "positions", 2)
        whole("the dimension of positions", x.shape[1], least=1, most=2)
        kept(self, "masses", 1, (x.shape[0],))
        whole("cutoff", self.cutoff, least=1)

    @property
    def dimension(self) -> int:
        """The dimension d of the torus."""
        return int(self.positions.shape[1])

    @property
    def frequencies(self) -> Array:
        """All k of {−K, …, K}^d, (2K+1)^d × d."""
        memory("cutoff", self.cutoff, 200 * (2 * self.cutoff + 1) ** self.dimension)  # a tuple of Python's each
        one = range(-self.cutoff, self.cutoff + 1)
        return np.array(list(itertools.product(one, repeat=self.dimension)), dtype=float)

    @property
    def coefficients(self) -> np.typing.NDArray[np.complex128]:
        """What is known of the measure, Σ_l c_l e^{−ik·x_l}: (2K+1)^d complex numbers, in the order of frequencies."""
        return np.asarray(np.exp(-1j * self.frequencies @ self.positions.T) @ self.masses)


def three_spikes(signs: ArrayLike = (1, 1, 1)) -> Deconvolution:
    """The authors' problem on the two-dimensional torus: three spikes, frequencies up to 2.

    x = π + {(0, 0), (1.7, −0.3), (0.7, 1.3)},  c = (1.21, 0.64, 1)

    signs: ±1 for each of the masses.

    Reference: Chizat 2022, numerical experiments, and the code that goes with them.

    >>> problem = three_spikes([1, -1, 1])
    >>> problem.masses, problem.dimension, problem.cutoff
    (array([ 1.21, -0.64,  1.  ]), 2, 2)
    """
    offsets = np.array([[0.0, 0.0], [1.7, -0.3], [0.7, 1.3]])
    masses = np.array([1.21, 0.64, 1.0]) * array("signs", signs, 1, (3,))
    return Deconvolution(np.pi + offsets, masses, 2)


def random_spikes(
    generator: np.random.Generator,
    spikes: int = 3,
    dimension: int = 2,
    *,
    cutoff: int = 2,
    separation: float = 1.7,
    lightest: float = 0.6,
    heaviest: float = 1.3,
) -> Deconvolution:
    """Draw spikes uniformly on the torus, again until any two are far enough apart, and uniform masses.

    generator: the stream of the data.
    spikes: their number s.
    dimension: d, 1 or 2.
    cutoff: K, the highest frequency.
    separation: least distance between two spikes on the torus.
    lightest, heaviest: the range of the masses.

    Raises ValueError for an argument outside its range, and where 10 000 draws find no spikes so far apart.

    >>> problem = random_spikes(np.random.default_rng(0), 2, 1, separation=1.7)
    >>> problem.positions.shape, bool(np.min(problem.masses) >= 0.6)
    ((2, 1), True)
    """
    instance("generator", generator, np.random.Generator)
    spikes = whole("spikes", spikes, least=1)
    dimension = whole("dimension", dimension, least=1, most=2)
    separation = number("separation", separation, least=0)
    heaviest = number("heaviest", heaviest, above=0)
    lightest = number("lightest", lightest, above=0, most=heaviest)
    memory("spikes", spikes, 8 * 4 * dimension * spikes**2)
    for _ in range(MOST_TRIES):
        x = generator.uniform(0, CIRCLE, (spikes, dimension))
        if spikes == 1 or closest(x) >= separation:
            return Deconvolution(x, generator.uniform(lightest, heaviest, spikes), cutoff)
    raise ValueError(
        f"separation is {separation:g}; {spikes} spikes in dimension {dimension} do not fit, choose a smaller one"
    )


def wrapped(difference: Array) -> Array:
    """Differences of angles, brought into [−π, π).

    difference: angles, of any shape.
    """
    if not (isinstance(difference, np.ndarray) and difference.size == 0):
        difference = array("difference", difference, None)
    return np.asarray((difference + np.pi) % CIRCLE - np.pi)


def closest(x: Array) -> float:
    """The least distance on the torus between two of the points, n × d with n ≥ 2.

    x: the points, n × d.
    """
    x = array("x", x, 2)
    whole("the number of points", len(x), least=2)
    apart = np.linalg.norm(wrapped(x[:, None] - x[None]), axis=2)
    return float(np.min(apart[np.triu_indices(len(x), 1)]))


def torus_grid(side: int, dimension: int) -> Array:
    """The centres of side^d equal cells, π/side, 3π/side, …: side^d × d. Its distance W_∞ to the volume is π√d/side.

    side: cells along each of the d circles.
    dimension: d.

    >>> (torus_grid(4, 1) / np.pi).ravel()
    array([0.25, 0.75, 1.25, 1.75])
    """
    side, dimension = whole("side", side, least=1), whole("dimension", dimension, least=1, most=MOST_AXES)
    memory("side", side, 2 * 8 * dimension * side**dimension)
    one = CIRCLE * (np.arange(side) + 0.5) / side
    return np.stack(np.meshgrid(*[one] * dimension, indexing="ij"), axis=-1).reshape(-1, dimension)


def fourier_basis(angle: Array, cutoff: int) -> Array:  # attack: none, inner loop of flows
    """The real basis b(x) = (1, √2 cos x, √2 sin x, …, √2 cos Kx, √2 sin Kx) with b(x)·b(y) = Σ_k e^{ik(x−y)}.

    angle: m numbers.
    cutoff: K.

    Returns 2K + 1 rows of m numbers. Only one sine and one cosine are evaluated.
    """
    cutoff = whole("cutoff", cutoff, least=1)
    if len(getattr(angle, "shape", ())) != 1:
        raise ValueError(f"angle is a {type(angle).__name__}; it must be an array of one axis")
    memory("cutoff", cutoff, 8 * (2 * cutoff + 1) * len(angle))
    return _multiples(np.cos(angle), np.sin(angle), cutoff)


def fast_fourier_basis(angle: Array, cutoff: int) -> Array:  # attack: none, inner loop of flows
    """``fourier_basis`` of checked arguments by t = tan(x/2): cos x = 2/(1+t²) − 1, sin x = 2t/(1+t²).

    Processors have vector forms of the tangent where NumPy's sine and cosine go number by number: it takes a fifth of
    their time. The error, some units of rounding, is up to four times that of ``fourier_basis``.

    angle: x, an array of angles of any shape.
    cutoff: K.
    """
    sine = np.tan(angle * 0.5)
    cosine = sine * sine
    cosine += 1.0
    cosine = 2.0 / cosine
    sine *= cosine
    cosine -= 1.0
    return _multiples(cosine, sine, cutoff)


def _multiples(cosine: Array, sine: Array, cutoff: int) -> Array:
    """The basis from cos x and sin x, of which the first is overwritten."""
    rows = np.empty((2 * cutoff + 1, len(cosine)))
    rows[0] = 1.0
    np.multiply(cosine, ROOT, out=rows[1])
    np.multiply(sine, ROOT, out=rows[2])
    if cutoff > 1:  # cos 2x = 2cos²x − 1, sin 2x = 2 cos x sin x
        cosine += cosine
        np.multiply(rows[1:3], cosine, out=rows[3:5])
        rows[3] -= ROOT
    if cutoff > 2:
        _higher(rows, cutoff)
    return rows


def _higher(rows: Array, cutoff: int) -> None:
    """Fill the rows of multiples above the second, by addition of angles, twice as many at a time."""
    done = 2
    while done < cutoff:
        more = min(done, cutoff - done)
        cosine, sine = rows[2 * done - 1] / ROOT, rows[2 * done] / ROOT
        lower, upper = rows[1 : 2 * more : 2], rows[2 : 2 * more + 1 : 2]  # √2 cos kx and √2 sin kx, k = 1, …, more
        at = 2 * done + 1
        np.subtract(lower * cosine, upper * sine, out=rows[at : at + 2 * more : 2])
        np.add(upper * cosine, lower * sine, out=rows[at + 1 : at + 1 + 2 * more : 2])
        done += more


def basis_derivative(cutoff: int) -> Array:
    """The matrix D with b′ = D b: 2K+1 square, antisymmetric.

    cutoff: K.
    """
    cutoff = whole("cutoff", cutoff, least=1)
    memory("cutoff", cutoff, 8 * (2 * cutoff + 1) ** 2)
    matrix = np.zeros((2 * cutoff + 1, 2 * cutoff + 1))
    for k in range(1, cutoff + 1):
        matrix[2 * k - 1, 2 * k] = -k
        matrix[2 * k, 2 * k - 1] = k
    return matrix
