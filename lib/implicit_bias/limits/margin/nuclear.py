"""The matrix of least nuclear norm, the sum of singular values, whose products with given matrices are at least one."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.checks import Array
from implicit_bias.limits.certificate import UNKNOWN, Certificate, CertificateError, Enclosure, relative
from implicit_bias.limits.margin.matrix import singular_bounds
from implicit_bias.limits.rounding import Between, Numbers
from implicit_bias.limits.solvers import TINY

LAST = 1e-9  # weight of the last barrier
FALL = 0.2  # of its weight from one to the next
ROUNDS = 60  # of Newton at one weight, at most
SHRINK, SHRINKS = 0.5, 40  # of a step, and how often
CENTRED = 1e-8  # of the weight: a step that promises less is the last
NEARER = 0.02  # a step leaves this share of what is missing of M's largest singular value to one
POLISHES = 8  # of Newton on the equations of the optimum
DEPENDENT = 1e-10  # of the largest singular value: a smaller one is a freedom of the factors
LARGE = 300.0  # of a logarithm: beyond it the equations are given up
SEVERAL = 1e-8  # the same of the equations that determine the optimum


@dataclass(frozen=True)
class Nuclear:  # attack: none, inside solvers
    """W of least nuclear norm and its multipliers, W = PQᵀ.

    p, q: the factors, k × r and d × r.
    multipliers: a, N numbers.
    """

    p: Array
    q: Array
    multipliers: Array

    @property
    def w(self) -> Array:
        """W = PQᵀ."""
        return np.asarray(self.p @ self.q.T)


def least_nuclear(z: Array, pull: Array | None = None) -> Nuclear:  # attack: none, inside solvers
    """argmin ‖W‖_* subject to ⟨Z_j, W⟩ ≥ 1, or with pulls argmin ‖W‖_* + Σ e^{h_j − ⟨Z_j, W⟩}.

    max Σ a_j, or Σ a_j (1 + h_j − ln a_j),  subject to a ≥ 0, ‖Σ a_j Z_j‖ ≤ 1, the largest singular value

    is its dual. It is solved by Newton's method with the barriers μ ln a_j and μ ln det(1 − MᵀM), M = Σ a_j Z_j, of
    which W = 2μ M (1 − MᵀM)⁻¹ is the multiplier. The singular values of W that exceed what is missing of M's to one,
    and the a_j that exceed what the product is beyond one, are those of the optimum. Its equations P = MQ, Q = MᵀP
    for W = PQᵀ are solved by Newton's method too, up to rounding.

    z: Z, N × k × d, of about the size one.
    pull: h, N numbers, or None.
    """
    count, k, d = z.shape
    rows = z.reshape(count, -1)
    a = np.full(count, 0.5 / np.linalg.norm(z.sum(axis=0), 2))

    def value(a: Array, mu: float) -> float:
        if not np.all(a > 0):
            return -np.inf
        s = np.linalg.svd((a @ rows).reshape(k, d), compute_uv=False)
        gain = a.sum() if pull is None else (a * (1 + pull - np.log(a))).sum()
        return float(gain + mu * (np.log(a).sum() + np.log1p(-(s**2)).sum())) if s[0] < 1 else -np.inf

    def room(a: Array) -> float:
        # mutant(1.0): it steers, the certificate decides
        return 1.0 - float(np.linalg.norm((a @ rows).reshape(k, d), 2))

    def newton(a: Array, mu: float) -> tuple[Array, float]:
        """Newton's step and the decrease that it promises."""
        m = (a @ rows).reshape(k, d)
        left, right = np.linalg.inv(np.eye(k) - m @ m.T), np.linalg.inv(np.eye(d) - m.T @ m)
        ascent = (1 if pull is None else pull - np.log(a)) + mu / a - 2 * mu * rows @ (m @ right).ravel()
        both = (left @ z @ right).reshape(count, -1)
        mixed = (m @ right) @ z.transpose(0, 2, 1)
        bend = both @ rows.T + mixed.reshape(count, -1) @ mixed.transpose(0, 2, 1).reshape(count, -1).T
        scale = a / np.sqrt(mu if pull is None else mu + a)
        hessian = np.eye(count) + scale[:, None] * (2 * mu * bend) * scale
        step = scale * np.linalg.solve(hessian, scale * ascent)
        return step, float(ascent @ step)

    def centred(a: Array, mu: float) -> Array | None:
        """The maximum at one weight, None where rounding keeps Newton's method from it."""
        for _ in range(ROUNDS):
            step, gain = newton(a, mu)
            size, now = 1.0, value(a, mu)
            for _ in range(SHRINKS):
                new = a + size * step
                if room(new) >= NEARER * room(a) and value(new, mu) >= now + 0.1 * size * gain - 1e-14 * abs(now):
                    break
                size *= SHRINK
            else:
                return None
            a = new
            if abs(gain) < CENTRED * mu:
                return a
        return None

    unit = 1.0 if pull is None else max(1.0, float(pull.max()))  # of the values
    mu = unit
    while mu > LAST * unit and (nearer := centred(a, FALL * mu)) is not None:
        a, mu = nearer, FALL * mu
    m = (a @ rows).reshape(k, d)
    u, s, vt = np.linalg.svd(m, full_matrices=False)
    w = 2 * mu * s / ((1 - s) * (1 + s))
    r = max(int(np.sum(w > 1 - s)), 1)
    p, q = u[:, :r] * np.sqrt(w[:r]), vt[:r].T * np.sqrt(w[:r])
    products = rows @ (p @ q.T).ravel()
    if pull is None:
        found = Nuclear(p, q, np.where(a > products - 1, a, 0.0))
    else:
        found = Nuclear(p, q, np.maximum(np.exp(np.minimum(pull - products, np.log(a))), TINY))
    return _polished(z, pull, found)


def _polished(z: Array, pull: Array | None, found: Nuclear) -> Nuclear:
    """Newton's method on P = MQ, Q = MᵀP and ⟨Z_j, W⟩ = 1 where a_j > 0, or = h_j − ln a_j, in P, Q and ln a."""
    p, q, a = found.p, found.q, found.multipliers
    on = np.flatnonzero(a > 0)
    (k, r), d, near, log = p.shape, len(q), z[on], np.log(a[on])
    for _ in range(POLISHES):
        a = np.exp(np.minimum(log, LARGE))
        m = np.tensordot(a, near, axes=1)
        aim = np.ones(len(on)) if pull is None else pull[on] - log
        products = near.reshape(len(on), -1) @ (p @ q.T).ravel()
        miss = np.concatenate([(p - m @ q).ravel(), (q - m.T @ p).ravel(), products - aim])
        forces = a[:, None, None] * near
        table = np.block(
            [
                [np.eye(k * r), -np.kron(m, np.eye(r)), -(forces @ q).reshape(len(on), -1).T],
                [-np.kron(m.T, np.eye(r)), np.eye(d * r), -(forces.transpose(0, 2, 1) @ p).reshape(len(on), -1).T],
                [
                    (near @ q).reshape(len(on), -1),
                    (near.transpose(0, 2, 1) @ p).reshape(len(on), -1),
                    np.zeros((len(on), len(on))) if pull is None else np.eye(len(on)),
                ],
            ]
        )
        if not np.all(np.isfinite(table)):
            return found
        step = np.linalg.lstsq(table, -miss, rcond=DEPENDENT)[0]
        p, q, log = p + step[: k * r].reshape(k, r), q + step[k * r : -len(on)].reshape(d, r), log + step[-len(on) :]
    a = np.zeros(len(z))
    a[on] = np.exp(np.minimum(log, LARGE))
    better = Nuclear(p, q, a)
    return better if np.all(np.isfinite(better.w)) and _missed(z, pull, better) < _missed(z, pull, found) else found


def _missed(z: Array, pull: Array | None, found: Nuclear) -> float:
    """The relative gap at W, moved to where its constraints hold, and a, made shorter by what ‖M‖ is above one."""
    w, a = found.w, found.multipliers
    size, largest = np.linalg.norm(w, "nuc"), max(float(np.linalg.norm(np.tensordot(a, z, axes=1), 2)), 1.0)
    products = z.reshape(len(z), -1) @ w.ravel()
    if pull is None:
        return float(size / max(products.min(), TINY) * largest - a.sum()) / float(size)
    with np.errstate(over="ignore"):
        return path_gap(z, pull, w, np.exp(pull - products))


def path_gap(z: Array, pull: Array, w: Array, a: Array) -> float:  # attack: none, inside solvers
    """(‖W‖_* + Σ e^{h_j − ⟨Z_j, W⟩} − Σ a_j (1 + h_j − ln a_j)) over ‖W‖_*, with a made shorter until ‖Σ a_j Z_j‖ ≤ 1.

    z: N × k × d.
    pull: h, N numbers.
    w: W, k × d.
    a: N numbers, at least 0.
    """
    excess = float(np.log(max(float(np.linalg.norm(np.tensordot(a, z, axes=1), 2)), 1.0)))
    products = z.reshape(len(z), -1) @ w.ravel()
    with np.errstate(over="ignore"):
        short = np.log(np.maximum(a, TINY)) - excess
        lost = np.exp(short) * (np.expm1(pull - products - short) - (pull - products - short))
        crossed = np.linalg.norm(w, "nuc") - np.exp(short) @ products
    size = float(np.linalg.norm(w, "nuc"))
    return float(lost.sum() + crossed) / size if size > 0 else np.inf


def demand_one(z: Array, found: Nuclear, answer: Array) -> None:  # attack: none, inside solvers
    """CertificateError if another W has the least nuclear norm too, as far as rounding can tell.

    All of them are U S Vᵀ, S symmetric, with the singular vectors that belong to the value one of M = Σ a_j Z_j, and
    with ⟨Z_j, W⟩ = 1 where a_j > 0. So there is one if these equations determine S.

    z: N × k × d.
    found: with its multipliers.
    answer: W as whoever asks is told it.
    """
    u, s, vt = np.linalg.svd(np.tensordot(found.multipliers, z, axes=1), full_matrices=False)
    r = int(np.sum(s > 1 - SEVERAL))
    inside = u[:, :r].T @ z[found.multipliers > 0] @ vt[:r].T
    upper = np.triu_indices(r)
    table = (inside + inside.transpose(0, 2, 1))[:, upper[0], upper[1]]
    values = np.linalg.svd(table, compute_uv=False)
    if np.sum(values > SEVERAL * values[0]) < len(upper[0]):
        raise CertificateError("several matrices have the least nuclear norm", answer)


def certify_nuclear(z: Array, w: Array, a: Array, tol: float) -> Certificate:  # attack: none, inside solvers
    """How far W and a are from the least nuclear norm, and between what the margin γ = 1/‖W‖_* lies, by any of both.

    min_j ⟨Z_j, W⟩/‖W‖_* ≤ γ ≤ ‖Σ a_j Z_j‖/Σ a_j

    z: N × k × d.
    w: W, k × d.
    a: N numbers; what is below 0 counts as 0.
    tol: the relative width from which on exact numbers are not tried.
    """
    count = len(z)
    rows, force = z.reshape(count, -1), np.maximum(a, 0.0)
    if not (np.all(np.isfinite(w)) and np.all(np.isfinite(a))):
        return Certificate(np.inf, np.inf, np.inf, UNKNOWN)
    pushed = np.tensordot(force, z, axes=1)

    def bounds(numbers: type[Numbers]) -> tuple[Between, Between]:
        points, place, push = numbers.of(rows), numbers.of(w.ravel()), numbers.of(force)
        rest = (push @ points - numbers.of(pushed.ravel())).squares().root()
        upper = (singular_bounds(numbers, pushed)[0] + rest) / push.total()
        return (points @ place).least() / singular_bounds(numbers, w)[1], upper

    size = float(np.linalg.norm(w, "nuc"))
    return Certificate(
        primal=float(np.maximum(0.0, np.max(1 - rows @ w.ravel()))),
        dual=max(float(np.max(-a, initial=0.0)), float(np.linalg.norm(pushed, 2)) - 1, 0.0),
        gap=relative(size - float(force.sum()), size),
        enclosure=Enclosure.proved(bounds, z.size, tol),
    )
