"""The response of ReLU neurons of the plane to charged points: where it is largest, and where a neuron turns to."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, choice, kept, number

TURN = 2 * np.pi


@brief()
@dataclass(frozen=True)
class CircleResponse:
    """G(θ) = Σ_i q_i (u(θ)·x_i)₊ with u(θ) = (cos θ, sin θ): a sinusoid on each arc between two kinks.

    x: n points of the plane, n × 2.
    charges: q, n numbers.

    Raises ValueError for arrays that do not fit, or a direction that sees no point: the half plane around it is empty.

    >>> around = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    >>> response = CircleResponse(around, np.array([2.0, 0.0, 0.0, 1.0]))
    >>> round(response.largest(), 6), round(float(np.sqrt(5)), 6)
    (2.236068, 2.236068)
    """

    x: Array
    charges: Array

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit, and empty half planes."""
        kept(self, "x", 2, (None, 2))
        kept(self, "charges", 1, (len(self.x),))
        if np.any(np.all(self._middles() @ self.x.T <= 0, axis=1)):
            raise ValueError("x must have points in every half plane; every direction must see one")

    @property
    def kinks(self) -> Array:
        """The 2n angles at which a point is orthogonal to u(θ), increasing in [0, 2π)."""
        angle = np.arctan2(self.x[:, 1], self.x[:, 0])
        return np.sort(np.concatenate([angle + np.pi / 2, angle - np.pi / 2]) % TURN)

    def _middles(self) -> Array:
        """A direction in each arc that begins at a kink."""
        start = self.kinks
        return _unit(start + np.diff(start, append=start[0] + TURN) / 2)

    def value(self, angle: ArrayLike) -> Array:
        """G at k angles."""
        return np.asarray(np.maximum(_unit(angle) @ self.x.T, 0) @ self.charges)

    def slope(self, angle: ArrayLike) -> Array:
        """G′ at k angles; at a kink, that of the side where its point is not seen."""
        u = _unit(angle)
        return np.asarray((u @ self.x.T > 0) * (_across(u) @ self.x.T) @ self.charges)

    def maxima(self, sign: int) -> Array:
        """The angles, increasing in [0, 2π), at which sign·G has a local maximum.

        On an arc with gradient D, G = ‖D‖ cos(θ − arg D): there is one at arg D, if it lies inside; and one at a kink
        before which sign·G rises and behind which it falls. A plateau, on which D = 0, has one at each end that is one.

        sign: 1 or −1.
        """
        choice("sign", str(sign), ("1", "-1"))
        start = self.kinks
        pull = sign * ((self._middles() @ self.x.T > 0) * self.charges) @ self.x  # of each arc
        top = np.arctan2(pull[:, 1], pull[:, 0])
        inside = np.any(pull != 0, axis=1) & ((top - start) % TURN < np.diff(start, append=start[0] + TURN))
        across = _across(_unit(start))
        rises, falls = np.sum(np.roll(pull, 1, axis=0) * across, axis=1), np.sum(pull * across, axis=1)
        return np.sort(np.concatenate([top[inside] % TURN, start[np.sign(rises) > np.sign(falls)]]))

    def reached(self, angle: ArrayLike, sign: int) -> Array:
        """The local maxima of sign·G uphill of k angles: where θ′ = sign·G′(θ) ends.

        angle: k angles, none at a local minimum.
        sign: 1 or −1.
        """
        top = self.maxima(sign)
        start = np.asarray(angle, dtype=float) % TURN
        behind = np.searchsorted(top, start)
        uphill = np.where(sign * self.slope(start) > 0, behind, behind - 1)
        return np.asarray(top[uphill % len(top)])

    def course(self, angle: ArrayLike, sign: ArrayLike, time: float) -> tuple[Array, Array]:
        """Where k neurons are after a time: θ_j′ = s_j G′(θ_j), ρ_j′ = s_j G(θ_j), ρ_j(0) = 0, in closed form.

        On an arc with gradient D, ψ = θ − arg sD obeys ψ′ = −‖D‖ sin ψ, so tan(ψ/2) falls like e^{−‖D‖t}. At a kink
        behind which it would be pushed back a neuron stays.

        angle: k angles.
        sign: s, k numbers 1 or −1.
        time: t ≥ 0.

        Returns the k angles, in [0, 2π), and the k numbers ρ.

        >>> around = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
        >>> theta, rho = CircleResponse(around, np.array([1.0, 0.0, 0.0, 0.0])).course([1.0], [1], 2.0)
        >>> np.tan(theta / 2).round(6), round(float(np.tan(0.5) * np.exp(-2)), 6)
        (array([0.073934]), 0.073934)
        """
        number("time", time, least=0)
        start = np.asarray(angle, dtype=float) % TURN
        ends = [self._one_course(one, int(s), time) for one, s in zip(start, np.asarray(sign), strict=True)]
        theta, rho = np.transpose(ends)
        return theta % TURN, rho

    def _one_course(self, theta: float, sign: int, left: float) -> tuple[float, float]:
        """θ and ρ of one neuron that begins at an angle, after the time left."""
        kinks, pulls = self.kinks, sign * ((self._middles() @ self.x.T > 0) * self.charges) @ self.x
        arc, rho = int(np.searchsorted(kinks, theta, side="right")) - 1, 0.0
        while True:
            size = float(np.hypot(*pulls[arc]))
            psi = float((theta - np.arctan2(pulls[arc, 1], pulls[arc, 0]) + np.pi) % TURN - np.pi)
            ahead = 1 if psi < 0 else -1
            edge = kinks[(arc + max(ahead, 0)) % len(kinks)]
            gap = float(ahead * (edge - theta) % TURN)  # to the kink before it
            if size == 0:
                return theta, rho
            half = np.tan(abs(psi) / 2)
            until = np.log(half / np.tan((abs(psi) - gap) / 2)) / size if gap < abs(psi) else np.inf
            step = min(left, until)
            slower = half * np.exp(-size * step)
            rho += float(size * step + np.log1p(slower**2) - np.log1p(half**2))
            left -= step
            if left <= 0:
                return theta + ahead * (abs(psi) - 2 * float(np.arctan(slower))), rho
            theta, arc = float(edge), (arc + ahead) % len(kinks)
            if ahead * float(pulls[arc] @ _across(_unit(theta))) <= 0:
                return theta, rho + left * sign * float(self.value(theta))

    def largest(self) -> float:
        """max |G| over the circle, exactly: it is attained at a local maximum of G or −G."""
        ends = np.concatenate([self.maxima(1), self.maxima(-1)])
        return float(np.max(np.abs(self.value(ends))))


def _unit(angle: ArrayLike) -> Array:
    """u(θ), k × 2."""
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def _across(u: Array) -> Array:
    """u′(θ), a quarter turn of u."""
    return np.stack([-u[..., 1], u[..., 0]], axis=-1)
