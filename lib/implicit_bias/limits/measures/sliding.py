"""A few spikes fitted to coefficients: their masses alone, then masses and positions together by Newton's method."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve, eigh
from scipy.optimize import nnls

from implicit_bias.checks import Array
from implicit_bias.data.torus import wrapped
from implicit_bias.limits.measures.torus_field import TorusField, jets

NEWTON_STEPS = 100
HALVINGS = 30
ARMIJO = 1e-4
RESOLVED = 1e-13  # of J, the least decrease that rounding leaves visible
LEAST_BEND = 1e-8  # of the largest eigenvalue, where the Hessian is not positive
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
        return replace(self, masses=self.masses + step[:s], places=self.places + step[s:].reshape(d, s).T)

    def only(self, kept: NDArray[np.bool_]) -> "Spikes":
        """Some of the spikes."""
        return replace(self, signs=self.signs[kept], masses=self.masses[kept], places=self.places[kept])

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
        return replace(self, masses=self.signs * masses).only(masses > 0)

    def slid(self) -> "Spikes":
        """Masses and places improved together by Newton's method; a spike whose mass a step uses up is dropped.

        Steps are halved until J falls; where J no longer resolves that, the whole step must lower ‖∇J‖.
        """
        here = self
        value, gradient, hessian = here.taylor()
        for _ in range(NEWTON_STEPS):
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
            if (joined := here.joined()) is not None and (after := joined.taylor())[0] < value:
                here, (value, gradient, hessian) = joined, after
        return here

    def joined(self) -> "Spikes | None":
        """The two nearest spikes of one sign put together at their centre, if they are nearer than π/(2K+1)."""
        if self.masses.size < 2:
            return None
        apart = wrapped(self.places[:, None] - self.places)
        far = np.linalg.norm(apart, axis=2) + np.where(np.triu(np.outer(self.signs, self.signs) > 0, 1), 0, np.inf)
        i, j = np.unravel_index(np.argmin(far), far.shape)
        if far[i, j] > np.pi / len(self.target):
            return None
        masses, places = self.masses.copy(), self.places.copy()
        masses[i] += masses[j]
        places[i] -= apart[i, j] * masses[j] / masses[i]
        return replace(self, masses=masses, places=places).only(np.arange(masses.size) != j)

    def _newton_step(self, gradient: Array, hessian: Array) -> Array:
        """−H⁻¹∇J; where H is not positive, its eigenvalues count by their moduli. Places move by π/(2K+1) at most.

        The unknowns are scaled so that a change by one changes φ by as much, a and aωθ with ω² = K(K+1)/3.
        """
        s, d = self.places.shape
        cutoff = len(self.target) // 2
        scale = np.concatenate([np.ones(s), np.tile(1 / np.abs(self.masses), d) / np.sqrt(cutoff * (cutoff + 1) / 3)])
        scaled, down = scale[:, None] * hessian * scale, -scale * gradient
        try:
            step = scale * cho_solve(cho_factor(scaled, check_finite=False), down, check_finite=False)
        except LinAlgError:
            bends, axes = eigh(scaled, check_finite=False)
            bends = np.maximum(np.abs(bends), LEAST_BEND * np.abs(bends).max())
            step = scale * (axes @ ((axes.T @ down) / bends))
        reach, most = float(np.max(np.abs(step[s:]))), np.pi / len(self.target)
        return np.asarray(step * (most / reach) if reach > most else step)
