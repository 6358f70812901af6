"""The staircase that the coefficients of a two-layer diagonal network climb from a vanishing start."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import nnls

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, number
from implicit_bias.limits.certificate import Certificate, CertificateError, exponent, in_unit, relative

TOLERANCE = 1e-9  # of the certificates
TIE = 1e-9  # two accumulators as near as this, relative, arrive together
ZERO = 1e-11  # a force below this share of the first one is the rounding of 0
RTOL = 1e-11  # of the orbit between two plateaus
EARLY = 1e-8  # the share of itself by which the orbit may be bent where it begins
SETTLED = 1e-6  # ln of the coefficients, from their plateau, where the orbit is linear from there on


@brief("times")
@dataclass(frozen=True)
class Staircase:
    """The limit of β(t), of a small start α, with time in units of ln(1/α): constant between K jumps.

    times: of the jumps, K of them.
    plateaus: β before, between and after them, (K + 1) × d.
    entering: which coordinate each jump brings in, K of them: j if it becomes positive, d + j if negative.
    levels: how much each of the 2d accumulators has gathered at the jumps, K × 2d: of w₊ first, then of w₋.
    speeds: of the accumulators on the plateaus, (K + 1) × 2d; they are 0 on the last one.
    thresholds: of the accumulators, 2d numbers.
    certificates: of the least squares under signs that a plateau is, K + 1 of them; the last one says, for the flow,
        that the end has the least Σ p_j|β_j| of all minimizers of the loss.
    x, y: the samples.
    step: η, 0 for the flow.

    >>> stairs = staircase([[2.0, 0.0], [0.0, 1.0]], [2.0, -3.0])
    >>> stairs.times, stairs(0.6), stairs.entering
    (array([0.5       , 0.66666667]), array([1., 0.]), array([0, 3]))
    """

    times: Array
    plateaus: Array
    entering: NDArray[np.intp]
    levels: Array
    speeds: Array
    thresholds: Array
    certificates: tuple[Certificate, ...]
    x: Array
    y: Array
    step: float = 0.0

    def __call__(self, t: ArrayLike) -> Array:
        """β at times t, … × d; where it jumps, after the jump."""
        return np.asarray(self.plateaus[self._piece(t)])

    def accumulated(self, t: ArrayLike) -> Array:
        """The 2d accumulators at times t, … × 2d; of the flow they are s and −s."""
        t, piece = array("t", t, None), self._piece(t)
        begun = np.append(0.0, self.times)[piece]
        before = np.vstack([np.zeros(self.thresholds.size), self.levels])[piece]
        return np.asarray(before + (t - begun)[..., None] * self.speeds[piece])

    def exponent(self, t: float) -> float:
        """The E such that a start α leaves β(t) about α^E from its plateau.

        E = min(2 min over inactive accumulators (p − accumulated), λ (t − t_k)),  λ = λ_min(2 |β|^½ H |β|^½)

        H being XᵀX/n on the support; for steps η, −ln(1 − ηλ)/η stands for λ, which is right where η times the sum of
        the least and the largest eigenvalue is at most 2.

        t: a time; infinity for the end.
        """
        if t != np.inf:
            t = number("t", t, least=0)
        piece = int(np.searchsorted(self.times, t, side="right"))
        begun = np.append(0.0, self.times)[piece]
        slack = self.thresholds - (self.levels[-1] if t == np.inf else self.accumulated(t))
        idle = ~self._active(piece)
        relaxed = self._slowest(piece) * (t - begun) if piece else np.inf
        return float(min(2 * slack[idle].min(), relaxed))

    @property
    def sharpness(self) -> float:
        """The e such that t_k + C_k/ln(1/α) misses the jumps of a start α by about α^e, relative; see ``delays``."""
        least = [np.inf]
        for k, time in enumerate(self.times):
            idle = ~self._active(k)
            idle[self.entering[k]] = False
            least.append(2 * float((self.thresholds - self.levels[k])[idle].min()))
            if k:
                least.append(self._slowest(k) * float(time - self.times[k - 1]))
        return float(min(least))

    def delays(self, log_factors: ArrayLike | None = None) -> Array:
        """C_k: a start α jumps at t_k + C_k/ln(1/α), up to about α^e. A formal result, for the flow.

        C_k = (½ ln 2 − A_i)/G_i + θ_k

        with the force G_i on the coordinate i that enters, and A, how far its accumulator is ahead in units of
        1/ln(1/α). The loss is half-way between two plateaus at θ_k, on the orbit ż = 2g, b = eᶻ, from the one to the
        other on which b_i is e^{2G_i θ} as θ → −∞.

        log_factors: ln c, 2 × d, of starts c α of w₊ and w₋; None: 0.

        Returns K numbers.
        Raises ValueError for the staircase of a step η > 0, and CertificateError where an orbit does not arrive.
        """
        d = self.plateaus.shape[1]
        start = np.zeros(2 * d) if log_factors is None else array("log_factors", log_factors, 2, (2, d)).ravel()
        return self._passages(start)[0]

    def missed(self, t: ArrayLike, length: float) -> Array:
        """How far from its plateau β(t) of the flow is, by the first exponentially small terms. A formal result.

        Σ_j ½ e^{2A_j − 2Λ(p_j − s_j)} max(1, max|H⁻¹H_j|) + √(max b Σb) ε e^{ν(a_k − Λ(t − t_k))}

        over the accumulators j that are not active, A_j ahead, with H on the support; ν is the slowest rate there and
        t_k + a_k/Λ the time at which the orbit of the last jump has ln b to ε from its plateau.

        t: times, any shape.
        length: Λ > 0.

        Returns the bounds, of the shape of t.
        Raises ValueError for the staircase of a step η > 0, and CertificateError where an orbit does not arrive.
        """
        length = number("length", length, above=0)
        t, pieces = array("t", t, None), self._piece(t)
        _, arrivals, heads = self._passages(np.zeros(self.thresholds.size))
        sizes = []
        for time, k in zip(t.ravel(), pieces.ravel(), strict=True):
            logs, rates, _ = self._couplings(int(k), float(time), 0.0, arrivals, heads)
            sizes.append(np.exp(logs - rates * length).sum())
        return np.reshape(sizes, t.shape)

    def length(self, missed: float) -> float:
        """The Λ at which no term of ``missed`` at a jump moves it, or a later one, by more than a share of its time.

        A term b of a feature with a force g moves what another gathers, times Λ, by up to h b/(2|g|), and so this jump
        and later ones by up to h b/(2|g| Λ G t) of their times, with the force G on what enters. h is the largest
        answer of a force to the feature with the support at rest, g is the smaller of its forces before and after the
        jump, and b is the larger of its sizes half-way and where the orbit is settled. What relaxes at a rate ν has ν
        in place of 2|g|. Each term is at most this share of the largest coefficient as well. A formal result.

        missed: the share, in (0, 1).

        Returns Λ.
        Raises ValueError for the staircase of a step η > 0, and CertificateError where an orbit does not arrive.
        """
        missed = number("missed", missed, above=0, below=1)
        delays, arrivals, heads = self._passages(np.zeros(self.thresholds.size))
        driven = self.speeds[np.arange(len(self.times)), self.entering] * self.times
        columns, least = np.hstack([self.x, -self.x]), [-float(np.log(missed)) / self.sharpness]
        for k, (time, delay) in enumerate(zip(self.times, delays, strict=True)):
            logs, rates, who = self._couplings(k, float(time), float(delay), arrivals, heads)
            z = columns[:, self._active(k)]
            free = columns - z @ np.linalg.lstsq(z, columns, rcond=None)[0]
            answers = np.abs(columns.T @ free / self.y.size).max(axis=0)[who]
            forces = 2 * np.abs(self.speeds[k : min(k + 2, len(self.times)), who]).min(axis=0)
            grown = heads[k + 1] + arrivals[k] * self.speeds[k + 1] - heads[k] - delay * self.speeds[k]
            logs = logs + np.where(who < 0, 0.0, 2 * np.maximum(grown[who], 0.0))
            if k:
                answers[0], forces[0] = np.abs(columns.T @ z / self.y.size).sum(axis=1).max(), self._slowest(k)
            moved = answers / np.maximum(forces, 1 / self.times[-1]) / (least[0] * driven[k:].min())
            logs = logs + np.log(np.maximum(moved, 1 / np.abs(self.plateaus).max()))
            felt = who != self.entering[k]
            least.append(float(np.max((logs[felt] - np.log(missed)) / rates[felt])))
        return max(least)

    def _couplings(
        self, k: int, time: float, shift: float, arrivals: Array, heads: list[Array]
    ) -> tuple[Array, Array, NDArray[np.intp]]:
        """The ln c, r and accumulators of terms c α^r in β on plateau k, at time + shift/Λ; −1: the support."""
        begun = float(self.times[k - 1]) if k else 0.0
        level = (self.levels[k - 1] if k else 0.0) + (time - begun) * self.speeds[k]
        active = self._active(k)
        idle = np.flatnonzero(~active)
        logs = np.log(0.5) + 2 * (heads[k] + shift * self.speeds[k])[idle]
        rates = 2 * (self.thresholds - level)[idle]
        if not k:
            return logs, rates, idle
        columns, weights = np.hstack([self.x, -self.x]), self._weights(k)[active]
        answer = np.linalg.lstsq(columns[:, active], columns[:, idle], rcond=None)[0]
        logs = logs + np.log(np.maximum(1.0, np.abs(answer).max(axis=0)))
        slowest = self._slowest(k)
        settled = np.log(SETTLED * np.sqrt(weights.max() * weights.sum())) + slowest * (arrivals[k - 1] - shift)
        return np.append(settled, logs), np.append(slowest * (time - begun), rates), np.append(-1, idle)

    def _passages(self, ahead: Array) -> tuple[Array, Array, list[Array]]:
        """C_k; Λ(t − t_k) where the orbit of jump k is settled; how far accumulators are ahead on each plateau."""
        if self.step:
            raise ValueError(f"step is {self.step:g}; it must be 0, because delays are known for the flow alone")
        delays, arrivals, heads = [], [], [ahead]
        for k, entering in enumerate(self.entering):
            delay, arrival, gained = self._orbit(k, int(entering), float(ahead[entering]))
            ahead = ahead + gained
            after = self._active(k + 1)
            ahead[after] = np.log(2 * self._weights(k + 1)[after]) / 2
            delays.append(delay)
            arrivals.append(arrival)
            heads.append(ahead)
        return np.array(delays), np.array(arrivals), heads

    def _orbit(self, k: int, entering: int, ahead: float) -> tuple[float, float, Array]:
        """C_k, Λ(t − t_k) at which the orbit is settled, and what the jump adds to the accumulators times ln(1/α)."""
        n = self.y.size
        columns = np.hstack([self.x, -self.x])
        before, after = self._weights(k), self._weights(k + 1)
        force = float(self.speeds[k, entering])
        residual, settled = self.y - self.x @ self.plateaus[k], self.y - self.x @ self.plateaus[k + 1]
        old, new = self._active(k), self._active(k + 1)
        moving = np.append(np.flatnonzero(old), entering)
        z, new_of = columns[:, moving], new[moving]
        # The support's linear answer to the coordinate that enters: β moves by `bend` per unit of it.
        hessian = z.T @ z / n
        weights = before[moving[:-1]]
        bend = np.append(
            np.linalg.solve(
                force * np.eye(weights.size) + weights[:, None] * hessian[:-1, :-1], -weights * hessian[:-1, -1]
            ),
            1.0,
        )
        pull = float(hessian[-1] @ bend)
        scales = np.append(weights / np.maximum(np.abs(bend[:-1]), 1e-300), force / max(abs(pull), 1e-300))
        early = EARLY * float(min(scales.min(), after.max()))
        log0 = np.append(np.log(weights + bend[:-1] * early), np.log(early) - pull * early / force)
        start = float(np.log(early)) / (2 * force)

        def weights_at(mu: Array) -> Array:
            return np.asarray(np.exp(np.minimum(log0 + 2 * (mu @ z) / n, 100.0)))

        def velocity(_: float, mu: Array) -> Array:
            return np.asarray(self.y - z @ weights_at(mu))

        def jacobian(_: float, mu: Array) -> Array:
            return np.asarray(-2 / n * (z * weights_at(mu)) @ z.T)

        low, high = float(settled @ settled), float(residual @ residual)

        def halved(_: float, mu: Array) -> float:
            r = velocity(0.0, mu)
            return float(r @ r) - (low + high) / 2

        target, size = after[moving], float(after.max())

        def arrived(_: float, mu: Array) -> float:
            now = weights_at(mu)
            off = np.where(new_of, np.abs(np.log(now / np.where(new_of, target, 1.0))), now / size)
            return float(off.max()) - SETTLED

        arrived.terminal = True  # type: ignore[attr-defined]
        unit = float(np.linalg.norm(self.y)) / force
        run = solve_ivp(velocity, (0.0, 1e9 / force), np.zeros(n), method="LSODA", jac=jacobian,
                        events=(halved, arrived), rtol=RTOL, atol=RTOL / 100 * unit)  # fmt: skip
        if run.status != 1 or not run.t_events[0].size:
            raise CertificateError(f"the orbit of jump {k + 1} did not arrive at the next plateau")
        half = start + float(run.t_events[0][0])
        # What is gathered from −∞ to ∞ beyond the two plateaus, which change at −lag: before, on and after the run.
        lag = (np.log(2) / 2 - ahead) / force
        end, mu = start + float(run.t_events[1][0]), run.y_events[1][0]
        gathered = mu + residual * (start + lag) - settled * (end + lag) - z @ bend * (early / (2 * force))
        last = weights_at(mu)
        leaving = ~new_of
        if leaving.any():
            gathered = gathered + z[:, leaving] @ (last[leaving] / (2 * self.speeds[k + 1, moving[leaving]]))
        short = np.log(target[new_of] / last[new_of]) / 2
        if leaving.any():
            short -= z[:, new_of].T @ z[:, leaving] @ (last[leaving] / (2 * self.speeds[k + 1, moving[leaving]])) / n
        gathered = gathered + z[:, new_of] @ np.linalg.solve(hessian[np.ix_(new_of, new_of)], short)
        return lag + half, lag + end, np.asarray(gathered @ columns / n)

    def _weights(self, k: int) -> Array:
        """The plateau as 2d nonnegative weights of the signed columns."""
        return np.asarray(np.maximum(np.append(self.plateaus[k], -self.plateaus[k]), 0.0))

    def _active(self, k: int) -> NDArray[np.bool_]:
        return np.asarray(self._weights(k) > 0)

    def _slowest(self, k: int) -> float:
        """The rate at which the flow comes to a plateau, on its support."""
        weights = self._weights(k)
        roots = np.sqrt(np.abs(self.plateaus[k])[weights.reshape(2, -1).any(axis=0)])
        halves = self.x[:, weights.reshape(2, -1).any(axis=0)] * roots
        rate = 2 * float(np.linalg.eigvalsh(halves.T @ halves / self.y.size)[0])
        return rate if not self.step else float(-np.log1p(-min(self.step * rate, 1 - 1e-16)) / self.step)

    def _piece(self, t: ArrayLike) -> NDArray[np.intp]:
        t = array("t", t, None)
        number("t", float(t.min()), least=0)
        return np.asarray(np.searchsorted(self.times, t, side="right"))


def staircase(x: ArrayLike, y: ArrayLike, *, thresholds: ArrayLike | None = None, step: float = 0.0) -> Staircase:
    """Plateaus and jump times of β = u∘v on the loss ‖y − Xβ‖²/2n from a vanishing start, by finitely many steps.

    w± = (u ± v)/√2 begins at α^p.  Its accumulator, ln(w/α^p)/ln(1/α), moves at the speed ±g (with steps η at
    ln(1 ± ηg)/η), g = Xᵀ(y − Xβ)/n, until one reaches its p: then β jumps to the least loss with β_j ≥ 0 where that
    of w₊ is at its p, β_j ≤ 0 where that of w₋ is, and 0 elsewhere.

    Time is that of the flow, or η times the number of steps, over ln(1/α). With steps the plateaus attract only where η
    times the largest eigenvalue of 2 |β|^½ H |β|^½, H = XᵀX/n, is below 2, which is demanded.

    x: n × d.
    y: n labels.
    thresholds: p, 2 × d positive numbers, of w₊ and of w₋; None: 1.
    step: η ≥ 0; 0 is the flow.

    Returns the staircase.
    Raises CertificateError where no coordinate moves, where two arrive together, where a plateau is not unique or is
    not certified; ValueError for a step with η max |g| ≥ 1 or η λ_max(2 |β|^½ H |β|^½) ≥ 2 on a plateau.
    Reference: Pesme & Flammarion 2023 for the flow with p = 1; the end is then that of least ℓ1 norm.

    >>> staircase([[1.0, 0.5]], [1.0]).plateaus
    array([[0., 0.],
           [1., 0.]])
    """
    x = array("x", x, 2)
    n, d = x.shape
    y = array("y", y, 1, (n,))
    step = number("step", step, least=0)
    p = np.ones(2 * d) if thresholds is None else array("thresholds", thresholds, 2, (2, d)).ravel()
    number("thresholds", float(p.min()), above=0)
    power_x, power_y = int(exponent(x)), int(exponent(y))
    rows, labels = np.ldexp(x, -power_x), np.ldexp(y, -power_y)
    columns = np.hstack([rows, -rows])
    time, level, plateau, residual = 0.0, np.zeros(2 * d), np.zeros(2 * d), labels
    times, entering, levels, plateaus, all_speeds, certificates = [], [], [], [plateau], [], []
    mu = np.zeros(n)
    force = labels @ columns / n
    first = float(force.max())
    if not first > 0:
        raise CertificateError("y is orthogonal to all columns of x: no coordinate ever moves")
    unit = float(np.ldexp(1.0, power_x + power_y))
    if step and not step * unit * first < 1:
        raise ValueError(f"step is {step:g}; it must lie in [0, {1 / (unit * first):g}), where η max|g| is below 1")
    certificates.append(Certificate(0.0, 0.0, 0.0))
    while True:
        support = plateau > 0
        moving = ~support & (np.abs(force) > ZERO * first)
        speeds = np.where(moving, force, 0.0)
        if step:
            speeds = np.log1p(step * unit * speeds) / (step * unit)
        all_speeds.append(speeds)
        rising = np.flatnonzero(moving & (force > 0))
        if not rising.size:
            break
        waits = (p[rising] - level[rising]) / speeds[rising]
        order = np.argsort(waits)
        wait, i = float(waits[order[0]]), int(rising[order[0]])
        if rising.size > 1 and waits[order[1]] - wait <= TIE * (time + wait):
            raise CertificateError(
                f"{_name(i, d)} and {_name(int(rising[order[1]]), d)} arrive together: which jumps is open"
            )
        time += wait
        mu = mu + wait * residual
        level = level + wait * speeds
        support[i] = True
        level[support] = p[support]
        times.append(time)
        entering.append(i)
        levels.append(level)
        plateau, certificate = _signed_least_squares(columns, labels, support, first)
        residual = labels - columns @ plateau
        force = residual @ columns / n
        if step:
            _demand_settling(step, unit * _fastest(columns, plateau), unit * float(force.max()), len(times))
        plateaus.append(plateau)
        certificates.append(certificate)
    if not step:
        certificates[-1] = _certify_end(columns, labels, plateau, mu, p)
        certificates[-1].demand(TOLERANCE, "the end of the staircase")
    weights = in_unit(plateaus, np.full((len(plateaus), 2 * d), power_y - power_x), "the coefficients")
    return Staircase(
        times=in_unit(times, np.full(len(times), -power_x - power_y), "the times"),
        plateaus=weights[:, :d] - weights[:, d:] + 0.0,
        entering=np.array(entering),
        levels=np.array(levels),
        speeds=np.ldexp(all_speeds, power_x + power_y),
        thresholds=p,
        certificates=tuple(certificates),
        x=x,
        y=y,
        step=step,
    )


def _fastest(columns: Array, weights: Array) -> float:
    """λ_max(2 |β|^½ H |β|^½) on the support."""
    moved = weights > 0
    return 2 * float(np.linalg.norm(columns[:, moved] * np.sqrt(weights[moved]), 2)) ** 2 / len(columns)


def _demand_settling(step: float, fastest: float, force: float, jump: int) -> None:
    """Raise ValueError unless descent with this step settles on the plateau after a jump."""
    most = min(2 / fastest if fastest > 0 else np.inf, 1 / force if force > 0 else np.inf)
    if not step < most:
        raise ValueError(f"step is {step:g}; it must lie in [0, {most:g}), where descent settles after jump {jump}")


def _name(i: int, d: int) -> str:
    return f"coordinate {i % d} ({'positive' if i < d else 'negative'})"


def _signed_least_squares(
    columns: Array, labels: Array, allowed: NDArray[np.bool_], first: float
) -> tuple[Array, Certificate]:
    """The least loss with nonnegative weights of the columns that are allowed, with its certificate."""
    n = labels.size
    places = np.flatnonzero(allowed)
    found = places[nnls(columns[:, places], labels)[0] > 0]
    values, _, rank, _ = np.linalg.lstsq(columns[:, found], labels, rcond=None)
    if rank < found.size:
        raise CertificateError("columns of a plateau are linearly dependent: its coefficients are open")
    weights = np.zeros(columns.shape[1])
    weights[found] = values
    force = (labels - columns @ weights) @ columns / n
    idle = allowed.copy()
    idle[found] = False
    certificate = Certificate(
        primal=relative(min(0.0, float(values.min(initial=0.0))), np.abs(values).max(initial=0.0)),
        dual=float(max(np.abs(force[found]).max(initial=0.0), force[idle].max(initial=0.0)) / first),
        gap=relative(float(weights @ force), float(labels @ labels) / n),
    )
    certificate.demand(TOLERANCE, "a plateau of the staircase", answer=weights)
    if values.min() <= TIE * values.max() or force[idle].max(initial=-np.inf) >= -TIE * first:
        raise CertificateError("a coefficient of a plateau and its force vanish together: what comes next is open")
    return weights, certificate


def _certify_end(columns: Array, labels: Array, weights: Array, mu: Array, p: Array) -> Certificate:
    """That no minimizer of the loss has a smaller Σ p_j|β_j|: the accumulators Xᵀμ/n are a dual certificate."""
    n = labels.size
    gathered = mu @ columns / n
    force = (labels - columns @ weights) @ columns / n
    return Certificate(
        primal=float(np.abs(force).max() / np.abs(labels @ columns / n).max()),
        dual=float(np.maximum(gathered / p - 1, 0.0).max()),
        gap=relative(float(weights @ (p - gathered)), float(weights @ p)),
    )
