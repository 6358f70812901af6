"""The least value over sparse measures on the torus: the library, with its proof, against sliding Frank–Wolfe.

The peer (Denoyelle, Duval, Peyré, Soubies 2019) adds the minimizer of J′ on a grid, refined by L-BFGS; sets the masses;
improves masses and places together by L-BFGS-B; and stops when the refined minimum of J′ is above −1e-9. Its sums are
products of bases, as the library's are. It proves nothing: J′ may be lower between the points of the grid. The row with
proof adds to it what the library always computes, a bound of J′ over the whole torus and the duality gap. The error is
that of J relative to the library's, and the gap that is proved for this.
"""

import numpy as np
import pytest
from scipy.optimize import minimize

from implicit_bias.data import random_spikes, three_spikes
from implicit_bias.limits.measures import SparseMeasure, blasso
from implicit_bias.limits.measures.blasso_certificate import certify_blasso
from reproduce.campaigns.racing import Racer

PENALTY, STOP, NO_MASS = 1.0, 1e-9, 1e-9
PROBLEMS = {
    "three spikes, K = 2": three_spikes(),
    "eight spikes, K = 6": random_spikes(np.random.default_rng(0), 8, cutoff=6, separation=1.0),
}


class SlidingFrankWolfe:
    """min ½‖Σ a_i φ(θ_i) − f̂‖² + λΣa_i, a ≥ 0, in the real basis of products of sines and cosines."""

    def __init__(self, problem, penalty):
        self.penalty, self.k = penalty, np.arange(1, problem.cutoff + 1)[:, None]
        first, second = self.basis(problem.positions.T)
        self.target = (first * problem.masses) @ second.T
        side = 12 * (2 * problem.cutoff + 1)
        self.axis = 2 * np.pi * np.arange(side) / side
        self.on_axis = self.basis(self.axis[None])[0]

    def basis(self, angles):
        """1, √2 cos kx and √2 sin kx in each coordinate, 2K+1 × n."""
        waves = self.k * angles[:, None]
        ones = np.ones((len(angles), 1, angles.shape[1]))
        return np.concatenate([ones, np.sqrt(2) * np.cos(waves), np.sqrt(2) * np.sin(waves)], axis=1)

    def turned(self, basis):
        """The derivative of the basis."""
        c, s = np.split(basis[..., 1:, :], 2, axis=-2)
        return np.concatenate([np.zeros_like(basis[..., :1, :]), -self.k * s, self.k * c], axis=-2)

    def at(self, places, masses):
        """J, and J′ with its gradient at the spikes."""
        bases = self.basis(places.T)
        (first, second), (left, right) = bases, self.turned(bases)
        residual = (first * masses) @ second.T - self.target
        inner = residual @ second
        variation = (first * inner).sum(0) + self.penalty
        slope = np.stack([(left * inner).sum(0), (first * (residual @ right)).sum(0)], axis=1)
        return (residual**2).sum() / 2 + self.penalty * masses.sum(), variation, slope, residual

    def lowest(self, residual):
        """The minimum of J′ on the grid, and where L-BFGS leads from there."""
        values = self.on_axis.T @ residual @ self.on_axis
        at = np.unravel_index(np.argmin(values), values.shape)

        def variation(place):
            bases = self.basis(place[:, None])
            (first, second), (left, right) = bases, self.turned(bases)
            inner = residual @ second
            return (first * inner).sum(), np.array([(left * inner).sum(), (first * (residual @ right)).sum()])

        found = minimize(
            variation, self.axis[list(at)], jac=True, method="L-BFGS-B", options={"ftol": 0, "gtol": 1e-11}
        )
        return found.fun + self.penalty, found.x

    def slide(self, masses, places):
        """Masses and places together by L-BFGS-B; spikes without mass are dropped."""
        s = len(masses)

        def objective(z):
            value, variation, slope, _ = self.at(z[s:].reshape(s, 2), z[:s])
            return value, np.concatenate([variation, (z[:s, None] * slope).ravel()])

        found = minimize(
            objective,
            np.concatenate([masses, places.ravel()]),
            jac=True,
            method="L-BFGS-B",
            bounds=[(0, None)] * s + [(None, None)] * 2 * s,
            options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 2000},
        ).x
        kept = found[:s] > NO_MASS
        return found[:s][kept], found[s:].reshape(s, 2)[kept]

    def weigh(self, masses, places):
        """The best masses where they are, if these are positive."""
        first, second = self.basis(places.T)
        gram = (first.T @ first) * (second.T @ second)
        try:
            best = np.linalg.solve(gram, (first * (self.target @ second)).sum(0) - self.penalty)
        except np.linalg.LinAlgError:  # two spikes at one place
            return masses
        return best if best.min() > 0 else masses

    def solve(self):
        """The masses and places of the answer."""
        masses, places, residual = np.zeros(0), np.zeros((0, 2)), -self.target
        for _ in range(40):
            least, place = self.lowest(residual)
            if least >= -STOP:
                break
            masses, places = np.append(masses, 1e-3), np.vstack([places, place])
            masses, places = self.slide(self.weigh(masses, places), places)
            residual = self.at(places, masses)[-1]
        return masses, places


def plain(problem):
    masses, places = SlidingFrankWolfe(problem, PENALTY).solve()
    return SparseMeasure(problem, PENALTY, places, masses)


def proved(problem):
    measure = plain(problem)
    certify_blasso(measure)
    return measure


@pytest.mark.parametrize("name", PROBLEMS)
def test_least_value(race, name):
    problem = PROBLEMS[name]
    known = blasso(problem, PENALTY)
    racers = [
        Racer("sliding Frank–Wolfe, no proof", lambda: plain(problem), 15, plain=True, caution="it proves no bound"),
        Racer("sliding Frank–Wolfe and the library's proof", lambda: proved(problem), 15, plain=True),
        Racer("library, with its proof", lambda: blasso(problem, PENALTY), 15),
    ]
    group = f"least value over sparse measures, {name}"
    race(group, racers, lambda answer: abs(answer.value / known.value - 1) + known.certificate.gap, matched=1e-12)


METHODS = {"sliding Frank–Wolfe, no proof": plain, "library, with its proof": lambda problem: blasso(problem, PENALTY)}


def curves(problems):
    return {
        method: {size: lambda solve=solve, problem=problem: solve(problem) for size, problem in problems.items()}
        for method, solve in METHODS.items()
    }


def test_growth_with_spikes(growth):
    drawn = {
        spikes: random_spikes(np.random.default_rng(1), spikes, cutoff=8, separation=0.8) for spikes in (2, 4, 8, 16)
    }
    growth("least value over sparse measures, K = 8, against the spikes", "s", curves(drawn), plain=list(METHODS)[:1])


def test_growth_with_cutoff(growth):
    drawn = {
        cutoff: random_spikes(np.random.default_rng(2), 4, cutoff=cutoff, separation=1.5) for cutoff in (2, 4, 8, 16)
    }
    growth("least value over sparse measures, four spikes, against K", "K", curves(drawn), plain=list(METHODS)[:1])
