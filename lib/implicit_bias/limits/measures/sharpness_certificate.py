"""Between which numbers the best constant κ of the sharpness inequality is proved to lie, rounding inside."""

import itertools
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array, instance, number
from implicit_bias.data.torus import wrapped
from implicit_bias.limits.certificate import CertificateError, Enclosure
from implicit_bias.limits.enclosed_equations import least_eigenvalue
from implicit_bias.limits.measures.local_rates import LocalRates
from implicit_bias.limits.measures.sparse_measure import in_units
from implicit_bias.limits.measures.torus_floor import APART, CELLS_PER_FREQUENCY, CHUNK, MOST_CELLS
from implicit_bias.limits.measures.wave_sum import ROUND, Taylor, WaveSum
from implicit_bias.limits.rounding import UNIT, Unproved

SHARE = 1e-3  # by how much the bound from below may lie below the number that floats give
ENTRY = 64  # roundings of an entry of ∇²J, in units of the largest terms of its sums


def enclose_sharpness(local: LocalRates, share: float = SHARE) -> Enclosure:
    """A proof of low ≤ κ ≤ high for the κ of ``LocalRates.sharpness``, of the exact minimizer ν* and not of a float's.

    Newton and Kantorovich: one critical point (a*, θ*) of J lies within r of the one that floats give. T = J′ of it is
    off by what r and rounding allow. For a c below the number that floats give, and with Q = 4αT² + β‖∇T‖² − cT,

    1. D∇²J and 2β∇²T(θ_i*) have no eigenvalue below c/2 and c (Cholesky's factorization, Rump 2006);
    2. Q ≥ 0 and T > 0 in balls around the spikes: with h, H the least and the largest eigenvalue of ∇²T(θ_i*) and L a
       bound of the third derivatives, in the radius h(βh − c/2)/(L(βH + c/6));
    3. Q > 0 and T > 0 on cells that cover the rest, by Q ≥ Q(θ₀) − ‖∇Q(θ₀)‖ρ − Mρ²/2, M a bound of −D²Q on the cell.

    So ν* is the minimizer, and no quotient is below c. The upper bound is the least that floats find.

    local: the rates at the minimizer, with α and β.
    share: by how much c may lie below, relative; by twice as much where that is not proved.

    Returns the enclosure.
    Raises CertificateError where it is not proved on 200,000 cells.
    Reference: Rump 2006, Theorem 2.3; Kantorovich's theorem.

    >>> from implicit_bias.data import three_spikes
    >>> from implicit_bias.limits.measures import LocalRates, blasso
    >>> kappa = enclose_sharpness(LocalRates(blasso(three_spikes(), 1.0), 1.0, 1.0))
    >>> round(kappa.low, 4), round(kappa.high, 4)
    (0.1135, 0.1136)
    """
    instance("local", local, LocalRates)
    number("share", share, above=0, below=0.5)
    unit, limit = in_units(local.limit)
    local = replace(local, limit=limit)
    certified = _Landscape.of(local)
    found, where = local.elsewhere
    floats = min(2 * float(local.spikes[0][0]), 2 * float(local.spread[0].min()), found)
    try:
        low = certified.demand((1 - share) * floats)
    except CertificateError:
        low = certified.demand((1 - 2 * share) * floats)
    high = min(certified.highest(where[None]), certified.flattest())
    scale = float(np.ldexp(1 / min(local.alpha, local.beta), unit))
    return Enclosure(float(low * scale * (1 - 4 * UNIT)), float(high * scale * (1 + 4 * UNIT)))


@dataclass(frozen=True)
class _Landscape:
    """T = J′ of the exact minimizer near the one that floats give, and how far that is.

    local: the rates of the one that floats give.
    wave: T; its ``rounding`` holds how far the exact one may differ.
    computed: its rounding alone.
    near: r, how far the spikes' masses and places are off.
    loose: by how much ∇²J may be off, in the spectral norm.
    """

    local: LocalRates
    wave: WaveSum
    computed: float
    near: float
    loose: float

    @classmethod
    def of(cls, local: LocalRates) -> "_Landscape":
        """By the theorem of Newton and Kantorovich, with crude bounds of the third derivatives of J."""
        limit = local.limit
        charges, points = limit.residual
        cutoff, (s, d) = limit.problem.cutoff, limit.positions.shape
        wave, _ = WaveSum.counted(points, charges, cutoff, limit.penalty)
        value, slope, _ = wave.at(limit.positions)
        steep, waves = cutoff * np.sqrt(d), (2.0 * cutoff + 1) ** d
        total, far = 1 + float(np.abs(charges).sum()), float(np.max(np.abs(points), initial=ROUND))
        left = np.linalg.norm(np.append(value, limit.masses[:, None] * slope))
        left += (1 + total * steep) * wave.rounding * np.sqrt(s * (1 + d))
        entry = total**2 * waves * max(1, steep) ** 2 * ((8 * far + 8) * cutoff + ENTRY) * UNIT  # off, at most, of ∇²J
        third = 2 * total**2 * waves * max(1, steep) ** 3 * (s * (1 + d)) ** 1.5  # of ‖D³J‖ near the spikes
        try:
            least = least_eigenvalue(limit.hessian()) - entry * s * (1 + d)
        except Unproved as error:
            raise CertificateError("the minimizer is not proved to be non-degenerate", limit) from error
        step = left / least
        if not (least > 0 and 2 * third * step < least and 2 * step < limit.masses.min()):
            raise CertificateError("the minimizer is not proved to lie near the one that floats give", limit)
        near = 2 * float(step)
        drift = waves * (np.sqrt(s) + steep * total) * near
        moved = replace(wave, rounding=(wave.rounding + drift) * (1 + 1e-9))
        return cls(local, moved, wave.rounding, near, entry * s * (1 + d) + third * near)

    @property
    def steep(self) -> float:
        """K√d, the length of the shortest wave's vector."""
        return float(self.wave.first[-1] * np.sqrt(self.wave.others.shape[1] + 1))

    @property
    def off(self) -> tuple[float, float, float, float]:
        """By how much T and its first, second and third derivatives may be off."""
        first, second, third = (float(self.wave.rounding * self.steep**order) for order in (1, 2, 3))
        return self.wave.rounding, first, second, third

    def off_near(self, away: Array) -> tuple[Array, Array]:
        """By how much T and its gradient may be off at these distances from a spike, where the exact ones are 0."""
        value, slope, _ = self.wave.at(self.local.limit.positions)
        bends, bend_off = self.bends
        bend = float(np.linalg.norm(bends, axis=(1, 2)).max()) + bend_off
        level = float(np.abs(value).max()) + 2 * self.computed + bend * self.near**2
        tilt = float(np.linalg.norm(slope, axis=1).max()) + 2 * self.steep * self.computed + bend * self.near
        off, off_slope, off_bend, _ = self.off
        raised, tilted = level + (tilt + off_bend * away / 2) * away, tilt + off_bend * away
        return np.minimum(off, raised * (1 + 1e-9)), np.minimum(off_slope, tilted * (1 + 1e-9))

    @property
    def bends(self) -> tuple[Array, float]:
        """∇²T at the spikes, s × d × d, and by how much that of the exact spikes may be off."""
        off = self.off[2] + (self.wave.third + self.off[3]) * self.near
        return self.wave.at(self.local.limit.positions)[2], off * (1 + 1e-9)

    def demand(self, low: float) -> float:
        """This c again; CertificateError unless no quotient is proved to be below it."""
        self.demand_modes(low)
        self.demand_cells(low, self.balls(low))
        return low

    def demand_modes(self, low: float) -> None:
        """CertificateError unless the spikes' modes and their spreads are proved to be no slower than c."""
        local, (bends, off) = self.local, self.bends
        root = np.sqrt(local.metric)
        pushed = root[:, None] * local.limit.hessian() * root
        slower = low / 2 * (1 + 4 * self.near / local.limit.masses.min())  # as the masses in D are off too
        modes = [(pushed, slower, root.max() ** 2 * self.loose)]
        modes += [(2 * local.beta * bend, low, 2 * local.beta * off) for bend in bends]
        for matrix, rate, slack in modes:
            slack += ENTRY * UNIT * float(np.linalg.norm(matrix))
            try:
                held = least_eigenvalue(matrix - rate * np.eye(len(matrix))) > slack
            except Unproved:
                held = False
            if not held:
                raise CertificateError("no rate at the spikes is proved to be above the bound", local.limit)

    def balls(self, low: float) -> Array:
        """The radii of the balls around each spike in which Q ≥ 0 and T ≥ 0."""
        beta, (bends, off) = self.local.beta, self.bends
        cubic = self.wave.third + self.off[3]
        found = np.linalg.eigvalsh(bends)
        least, most = found[:, 0] * (1 - 1e-9) - 2 * off, found[:, -1] * (1 + 1e-9) + 2 * off
        return np.asarray(least * (beta * least - low / 2) / (cubic * (beta * most + low / 6)) - 2 * self.near)

    def demand_cells(self, low: float, balls: Array) -> None:
        """CertificateError unless Q > 0 and T > 0 are proved on all cells that are not inside the balls."""
        spikes = self.local.limit.positions
        d = spikes.shape[1]
        side = CELLS_PER_FREQUENCY * len(self.wave.first)
        half = np.pi / side
        corners = np.array(list(itertools.product((-0.5, 0.5), repeat=d)))
        cells = np.array(list(itertools.product(2 * half * (np.arange(side) + 0.5), repeat=d)))
        while len(cells):
            reach, left = half * np.sqrt(d) + APART, []
            for part in np.split(cells, range(CHUNK, len(cells), CHUNK)):
                away = np.linalg.norm(wrapped(part[:, None] - spikes), axis=2) + APART
                outside = np.all(away + reach > balls, axis=1)
                part, away = part[outside], away[outside].min(axis=1)
                part = part[~self._held(self.wave.at(part), self.off_near(away), reach, low)]
                left.append((part[:, None] + half * corners).reshape(-1, d))
            cells, half = np.concatenate(left), half / 2
            if len(cells) > MOST_CELLS:
                raise CertificateError(f"κ is not proved on {MOST_CELLS} cells", self.local.limit)

    def _held(self, taylor: Taylor, offs: tuple[Array, Array], reach: float, low: float) -> NDArray[np.bool_]:
        """Whether Q > 0 and T > 0 on each cell, given T with gradient and Hessian at its centre.

        offs: by how much T and its gradient may be off.
        """
        alpha, beta = self.local.alpha, self.local.beta
        value, gradient, hessian = taylor
        (off, off_slope), (_, _, off_bend, off_cubic) = offs, self.off
        cubic = self.wave.third + off_cubic
        size, steep = np.abs(value) + off, np.linalg.norm(gradient, axis=1) + off_slope
        bend = np.linalg.norm(hessian, axis=(1, 2)) + off_bend
        lowest = value - off - steep * reach - (bend + cubic * reach / 3) * reach**2 / 2
        q = 4 * alpha * value**2 + beta * np.sum(gradient**2, axis=1) - low * value
        along = 2 * beta * np.einsum("nij,nj->ni", hessian, gradient)
        slope = np.linalg.norm((8 * alpha * value - low)[:, None] * gradient + along, axis=1)
        pull, push = 8 * alpha * size + low, 2 * beta * steep
        # of the exact landscape, and of these floats themselves
        q -= pull * off + push * off_slope + ENTRY * UNIT * (pull * size + push * steep)
        slope += pull * off_slope + 8 * alpha * steep * off + push * off_bend + 2 * beta * bend * off_slope
        slope += ENTRY * UNIT * (pull * steep + push * bend)
        bend_there, steep_there = bend + cubic * reach, steep + (bend + cubic * reach / 2) * reach
        size_there = size + (steep_there + bend * reach) * reach
        curved = (8 * alpha * size_there + low) * bend_there + 2 * beta * cubic * steep_there
        return np.asarray((lowest > 0) & (q > (slope + curved * reach / 2) * reach * (1 + ENTRY * UNIT)))

    def highest(self, place: Array) -> float:
        """An upper bound of the quotient at one place, 1 × d, infinite where T may be 0."""
        value, gradient, _ = self.wave.at(place)
        off, off_slope, *_ = self.off
        steep = float(np.linalg.norm(gradient)) + off_slope
        size, least = float(value[0]) + off, float(value[0]) - off
        above = (4 * self.local.alpha * size**2 + self.local.beta * steep**2) * (1 + ENTRY * UNIT)
        return above / least if least > 0 else np.inf

    def flattest(self) -> float:
        """An upper bound of 2β times the least eigenvalue of ∇²T at a spike."""
        bends, off = self.bends
        axes = np.linalg.eigh(bends)[1][..., 0]
        along = np.einsum("si,sij,sj->s", axes, bends, axes) / np.sum(axes**2, axis=1)
        size = float(np.abs(bends).sum(axis=(1, 2)).max())
        return 2 * self.local.beta * (float(along.min()) + off + ENTRY * UNIT * size)
