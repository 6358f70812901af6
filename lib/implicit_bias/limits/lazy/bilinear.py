"""The norm of a second derivative, from both sides: attained below, certified above."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import null_space

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, memory
from implicit_bias.late import extra
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.solvers import clarabel

LARGEST_BLOCK = 8  # variables of a block: the program then has 36 × 36 entries
SYMMETRIC = 1e-12
ROUGH, ROUNDS = 4, 500  # of the alternating maximization, most: in every block, and in the best ones
POLISHED = 16
STILL = 1e-15  # gain of a round at which it ends
CLOSE = 1e-9  # distance of the two bounds at which no more programs are solved


@brief()
@dataclass(frozen=True)
class BilinearNorm:
    """‖B‖ = max over ‖v‖ = 1 of ‖B(v, v)‖, for a B that is block diagonal.

    below: ‖B(v, v)‖ at the direction: attained.
    above: never exceeded, by an eigenvalue.
    block: which block holds the direction.
    direction: v within that block, q numbers of length 1.

    >>> norm = bilinear_norm(np.diag([3.0, -4.0])[None, None])
    >>> np.abs(norm.direction).round(6) + 0.0, norm.block
    (array([0., 1.]), 0)
    """

    below: float
    above: float
    block: int
    direction: Array


def bilinear_norm(blocks: ArrayLike) -> BilinearNorm:
    """The norm of B: (v, v) ↦ Σ_j B_j(v_j, v_j), between a value that it attains and an eigenvalue.

    ‖B‖ = max_j max over ‖v‖ = 1 of ‖B_j(v, v)‖,  ‖B_j(v, v)‖² ≤ λ_max(A_j + Q)

    From below v and u = B_j(v, v)/‖B_j(v, v)‖ are maximized in turn, in every block, from several starts. From above:
    the square is a form of degree four, zᵀA_j z at z = vvᵀ, and zᵀQz = 0 there for all Q of a linear space. The Q of a
    semidefinite program makes the eigenvalue small; any Q makes it a bound. For up to three variables both are equal:
    every non-negative form of degree four is then a sum of squares.

    blocks: B_j as matrices, m × n × q × q: n outputs, q ≤ 8 variables a block.

    Returns both bounds.
    Raises ValueError for arrays that do not fit, or matrices that are not symmetric; CertificateError if the bounds
    contradict each other.
    Reference: Lasserre 2001; Hilbert 1888 for three variables.

    >>> norm = bilinear_norm(np.diag([3.0, -4.0])[None, None])
    >>> round(norm.below, 6), round(norm.above, 6)
    (4.0, 4.0)
    """
    b = array("blocks", blocks, 4)
    m, n, q = b.shape[:3]
    if b.shape[3] != q or q > LARGEST_BLOCK:
        raise ValueError(f"blocks has shape {b.shape}; its last two numbers must be the same, {LARGEST_BLOCK} at most")
    unit = float(np.abs(b).max())
    if np.abs(b - b.swapaxes(2, 3)).max() > SYMMETRIC * unit:
        raise ValueError("blocks holds matrices that are not symmetric; a second derivative is")
    memory("blocks", f"{m} × {n} × {q} × {q}", 8 * m * (3 * q * n * q * q + q**4))
    if unit == 0:
        return BilinearNorm(0.0, 0.0, 0, np.eye(q)[0])
    below, block, direction = _from_below(b / unit)
    above = _from_above(b / unit, below)
    if above < below * (1 - CLOSE):
        raise CertificateError(f"the bound from above, {unit * above:g}, lies below what is attained, {unit * below:g}")
    return BilinearNorm(unit * below, unit * max(above, below), block, direction)


def _from_below(b: Array) -> tuple[float, int, Array]:
    """The largest ‖B_j(v, v)‖ that alternating maximization finds, its block, and its v."""
    q = b.shape[2]
    ones = np.tril(np.ones((q, q)))  # starts along each axis and between them
    starts = np.concatenate([np.eye(q), ones[1:], np.where(np.eye(q, dtype=bool), -1.0, ones)[1:]])
    starts /= np.linalg.norm(starts, axis=1, keepdims=True)
    tries, blocks = np.repeat(starts, len(b), axis=0), np.tile(np.arange(len(b)), len(starts))
    size, tries = _alternate(b[blocks], tries, ROUGH)
    best = np.argsort(-size)[:POLISHED]
    size, tries = _alternate(b[blocks[best]], tries[best], ROUNDS)
    first = int(size.argmax())
    return float(size[first]), int(blocks[best[first]]), tries[first]


def _alternate(b: Array, v: Array, rounds: int) -> tuple[Array, Array]:
    """‖B_j(v, v)‖ and v after some rounds of: u along B_j(v, v), then v the top eigenvector of the matrix u·B_j."""
    before = np.zeros(len(b))
    for _ in range(rounds):
        image = np.einsum("jnab,ja,jb->jn", b, v, v, optimize=True)
        size = np.linalg.norm(image, axis=1)
        if np.all(size <= before * (1 + STILL)):
            break
        before = size
        u = image / np.where(size > 0, size, 1.0)[:, None]
        spectrum, basis = np.linalg.eigh(np.einsum("jn,jnab->jab", u, b))
        v = np.take_along_axis(basis, np.abs(spectrum).argmax(axis=1)[:, None, None], axis=2)[:, :, 0]
    return np.linalg.norm(np.einsum("jnab,ja,jb->jn", b, v, v, optimize=True), axis=1), v


def _from_above(b: Array, reached: float) -> float:
    """The least bound of the largest block that was found.

    The program is solved for the block whose bound is largest; its Q then serves all other blocks.
    """
    q = b.shape[2]
    rows, columns = np.triu_indices(q)
    weight = np.where(rows == columns, 1.0, np.sqrt(2.0))  # so that vvᵀ has length 1
    flat = b[:, :, rows, columns] * weight
    forms = np.einsum("jna,jnb->jab", flat, flat, optimize=True)
    bounds = np.linalg.eigvalsh(forms)[:, -1]
    nothing = _vanishing(q)
    solve = _program(nothing)
    for _ in range(len(b)):
        top = int(bounds.argmax())
        if bounds[top] <= (reached * (1 + CLOSE)) ** 2:
            break
        before = bounds[top]
        shift = np.tensordot(solve(forms[top] / before), nothing, axes=1) * before
        bounds = np.minimum(bounds, np.linalg.eigvalsh(forms + shift)[:, -1])
        if bounds[top] >= before * (1 - CLOSE):  # of more than three variables: the relaxation is not exact
            break
    return float(np.sqrt(bounds.max()))


def _vanishing(q: int) -> Array:
    """A basis of all symmetric Q with zᵀQz = 0 for z = vvᵀ and every v of q numbers."""
    rows, columns = np.triu_indices(q)
    size = len(rows)
    points = np.stack(np.meshgrid(*[np.arange(5.0)] * q, indexing="ij"), axis=-1).reshape(-1, q)
    # mutant anywhere(4): a finer set of points determines it as well
    points = points[points.sum(axis=1) == 4]  # a form of degree four is known from its values there
    z = points[:, rows] * points[:, columns] * np.where(rows == columns, 1.0, np.sqrt(2.0))
    first, second = np.triu_indices(size)
    kernel = null_space(z[:, first] * z[:, second] * np.where(first == second, 1.0, 2.0))
    basis = np.zeros((kernel.shape[1], size, size))
    basis[:, first, second] = basis[:, second, first] = kernel.T
    return basis


def _program(nothing: Array) -> Any:
    """A ↦ the coefficients of the Q that makes λ_max(A + Q) least."""
    with extra():
        import cvxpy  # a second to import, for the few programs that need it

    cp: Any = cvxpy  # its functions carry no types
    size = nothing.shape[1]
    form = cp.Parameter((size, size), symmetric=True)
    if not len(nothing):
        return lambda given: np.zeros(0)
    mix = cp.Variable(len(nothing))
    program = cp.Problem(cp.Minimize(cp.lambda_max(form + sum(c * part for c, part in zip(mix, nothing, strict=True)))))

    def solve(given: Array) -> Array:
        form.value = given
        clarabel(program)
        return np.asarray(mix.value)

    return solve
