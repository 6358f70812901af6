"""A few spikes fitted to coefficients: their masses alone, then masses and positions together by Newton's method."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv
from scipy.optimize import nnls

from implicit_bias.checks import Array
from implicit_bias.data.torus import wrapped
from implicit_bias.limits.measures.torus_field import TorusField, jets

NEWTON_STEPS = 20  # more of them help less than a new spike
HALVINGS = 30
ARMIJO = 1e-4
RESOLVED = 1e-13  # of J, the least decrease that rounding leaves visible
LEAST_BEND = 1e-8  # of the largest eigenvalue, where the Hessian is not positive
ALIKE = 0.97  # of ⟨φ, φ⟩, above which two spikes may become one: about π/4(2K+1) apart
RIDGE = 1e-13  # of the Gram matrix, for spikes at one place


@dataclass(frozen=True)
class Spikes:
    """J(a, θ) = ½‖Σ a_i φ(θ_i) − f̂‖² + λΣ|a_i| of spikes that keep their signs.

    target: f̂ in the real basis, 2K+1 square, one column in dimension 1.
    penalty: λ.
    signs: ±1, s of them.
    masses: a, s numbers, none of the other sign.
    places: θ, s × d.
    """

    target: Array
    penalty: float
    signs: Array
    masses: Array
    places: Array

    def taylor(self) -> tuple[float, Array, Array]:
        """J with its gradient and Hessian in (a, θ): first the masses, then one coordinate of all places after another.

        The Gram matrix of φ and of its derivatives is the product, entry by entry, of those in each coordinate.
        """
        a, (s, d) = self.masses, self.places.shape
        bases = jets(self.places, len(self.target) // 2)
        residual = (bases[0][0] * a) @ bases[1][0].T - self.target
        value = float(np.sum(residual**2) / 2 + self.penalty * np.abs(a).sum())
        field, slope, bend = TorusField(residual).along(bases)
        gradient = np.concatenate([field + self.penalty * self.signs, (slope * a[:, None]).T.ravel()])
        weights = np.concatenate([np.ones(s), np.tile(a, d)])
        hessian = np.outer(weights, weights)
        for axis in range(d):
            columns = np.hstack([bases[axis][int(axis == j)] for j in range(-1, d)])
            hessian *= columns.T @ columns
        each = np.arange(s)
        for i in range(d):
            at = (1 + i) * s + each
            hessian[each, at] += slope[:, i]
            hessian[at, each] += slope[:, i]
            for j in range(d):
                hessian[at, (1 + j) * s + each] += a * bend[:, i, j]
        return value, gradient, hessian

    def moved(self, step: Array) -> "Spikes":
        """(a, θ) changed by a step, in the order of ``taylor``."""
        s, d = self.places.shape
        return self.with_spikes(self.signs, self.masses + step[:s], self.places + step[s:].reshape(d, s).T)

    def only(self, kept: NDArray[np.bool_]) -> "Spikes":
        """Some of the spikes."""
        return self if kept.all() else self.with_spikes(self.signs[kept], self.masses[kept], self.places[kept])

    def with_spikes(self, signs: Array, masses: Array, places: Array) -> "Spikes":
        """Other spikes for the same coefficients."""
        return Spikes(self.target, self.penalty, signs, masses, places)

    def weighed(self) -> "Spikes":
        """The best masses at these places, by nonnegative least squares; spikes that get none are dropped.

        min ½aᵀGa − aᵀg over s_i a_i ≥ 0, g = ⟨φ, f̂⟩ − λs, as ½‖La − L⁻¹g‖² with G = LLᵀ.
        """
        first, second = (basis[0] for basis in jets(self.places, len(self.target) // 2))
        gram = (first.T @ first) * (second.T @ second) * np.outer(self.signs, self.signs)
        known = np.sum(first * (self.target @ second), axis=0) * self.signs - self.penalty
        gram[np.diag_indices_from(gram)] *= 1 + RIDGE * len(gram)
        lower = np.linalg.cholesky(gram)
        masses, _ = nnls(lower.T, np.linalg.solve(lower, known))
        return self.with_spikes(self.signs, self.signs * masses, self.places).only(masses > 0)

    def slid(self, done: float = 0.0) -> "Spikes":
        """Masses and places improved together by Newton's method; a spike whose mass a step uses up is dropped.

        Steps are halved until J falls; where J no longer resolves that, the whole step must lower ‖∇J‖. Two spikes
        become one where J does not rise by it.

        done: the largest entry of ∇J at which to stop.
        """
        here = self
        value, gradient, hessian = here.taylor()
        for _ in range(NEWTON_STEPS):
            s = here.masses.size
            if (joined := here.joined(hessian[:s, :s])) and (after := joined.taylor())[0] <= value * (1 + RESOLVED):
                here, (value, gradient, hessian) = joined, after
            if np.max(np.abs(gradient)) <= done:
                break
            step = here._newton_step(gradient, hessian)
            fall = float(gradient @ step)
            left = np.full(here.masses.size, np.inf)  # the length of the step that uses up a mass
            np.divide(-here.masses, step[: left.size], out=left, where=step[: left.size] * here.signs < 0)
            length = min(1.0, float(left.min()))
            resolved = -fall > RESOLVED * value
            for _ in range(HALVINGS if resolved else 1):
                trial = here.moved(length * step).only(left > length)
                if trial.masses.size:
                    after = trial.taylor()
                    if resolved and after[0] <= value + ARMIJO * length * fall:
                        break
                    if not resolved and length == 1 and np.linalg.norm(after[1]) < np.linalg.norm(gradient):
                        break
                length /= 2
            else:
                break
            here, (value, gradient, hessian) = trial, after
        return here

    def joined(self, gram: Array) -> "Spikes | None":
        """The two most alike spikes of one sign put together at their centre; None where no two are nearly the same.

        gram: ⟨φ(θ_i), φ(θ_j)⟩, s × s.
        """
        alike = gram > ALIKE * self.target.size
        if np.count_nonzero(alike) == self.masses.size:
            return None
        pairs = np.argwhere(np.triu(alike & (np.outer(self.signs, self.signs) > 0), 1))
        if not len(pairs):
            return None
        i, j = pairs[np.argmax(gram[pairs[:, 0], pairs[:, 1]])]
        masses, places = self.masses.copy(), self.places.copy()
        masses[i] += masses[j]
        places[i] += wrapped(places[j] - places[i]) * masses[j] / masses[i]
        return self.with_spikes(self.signs, masses, places).only(np.arange(masses.size) != j)

    def _newton_step(self, gradient: Array, hessian: Array) -> Array:
        """−H⁻¹∇J; where H is not positive, its eigenvalues count by their moduli. Places move by π/(2K+1) at most.

        The unknowns are scaled so that a change by one changes φ by as much, a and aωθ with ω² = K(K+1)/3.
        """
        s, d = self.places.shape
        cutoff = len(self.target) // 2  # mutant anywhere: the unit of a step
        # mutant anywhere(+): the unit of a step
        inverse = 1 / (np.abs(self.masses) * np.sqrt(cutoff * (cutoff + 1) / 3))
        scale = np.concatenate([np.ones(s), *[inverse] * d])
        scaled, down = scale[:, None] * hessian * scale, -scale * gradient
        _, step, indefinite = dposv(scaled, down)
        if indefinite:
            bends, axes = np.linalg.eigh(scaled)
            bends = np.maximum(np.abs(bends), LEAST_BEND * np.abs(bends).max())
            step = axes @ ((axes.T @ down) / bends)
        step = scale * step
        reach, most = float(np.max(np.abs(step[s:]))), np.pi / len(self.target)
        return np.asarray(step * (most / reach) if reach > most else step)
