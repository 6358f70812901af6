"""The problems whose certified answers are kept as data, drawn as their chapters draw them."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from implicit_bias.data import clusters, nearly_orthogonal, separable, sparse_regression, three_spikes
from implicit_bias.data.biases import BiasLaw
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.interpolation import HyperbolicEntropy, least_l1, least_norm
from implicit_bias.limits.margin import kernel_margin, l1_max_margin, max_margin, rank_two, variation_margin
from implicit_bias.limits.measures import blasso
from implicit_bias.limits.mirror import ramp_spline

Parameters = Mapping[str, Any]


# name, answer and certificate of each problem, in the order of its statement
Found = list[tuple[str, Mapping[str, Any], Mapping[str, Any]]]
Solve = Callable[[Parameters], tuple[Mapping[str, Any], Found]]


def stream(parameters: Parameters, streams: int) -> np.random.Generator:
    """The first of the chapter's streams, from which its data are drawn."""
    return np.random.default_rng(parameters["seed"]).spawn(streams)[0]


def separable_set(p: Parameters) -> tuple[Mapping[str, Any], Found]:
    """Largest margins in the ℓ2 and in the ℓ1 norm."""
    drawn = separable(stream(p, 3), p["n"], p["d"], support=p["support"], margin=p["margin"], slack=p["slack"])
    z = drawn.signed
    two, one = max_margin(z), l1_max_margin(z)
    return {"z": z}, [
        ("l2", {"w": two.w}, {"alpha": two.alpha}),
        ("l1", {"w": one.w}, {"alpha": one.alpha}),
    ]


def interpolators(p: Parameters) -> tuple[Mapping[str, Any], Found]:
    """What diagonal networks of several starts pick among the interpolators."""
    drawn = sparse_regression(stream(p, 2), p["n"], p["d"], nonzeros=p["nonzeros"])
    x, y = drawn.x, drawn.y
    root = 4 * p["scale"] * (1 + p["shape"] ** 2) / (1 - p["shape"] ** 2)
    entropy = HyperbolicEntropy(np.full(p["d"], root**2))
    best, l1, l2 = entropy.minimize(x, y), least_l1(x, y), least_norm(x, y)
    return {"x": x, "y": y, "root_k": root}, [
        ("entropy", {"w": best.w}, {"dual": best.dual}),
        ("l1", {"w": l1.w}, {"dual": l1.dual}),
        ("l2", {"w": l2.w}, {"dual": l2.dual}),
    ]


def variation_norm(p: Parameters) -> tuple[Mapping[str, Any], Found]:
    """γ₁, the largest margin of infinitely wide ReLU networks in the variation norm."""
    points = clusters(stream(p, 3), p["points"], p["k"], labels="diagonal" if p["k"] == 2 else "random")
    best = variation_margin(points)
    return {"x": points.x, "y": points.y}, [
        ("gamma_1", {"directions": best.directions, "masses": best.masses}, {"weights": best.weights}),
    ]


def kernel_norm(p: Parameters) -> tuple[Mapping[str, Any], Found]:
    """γ₂, the largest margin in the space of the ReLU kernel."""
    points = clusters(stream(p, 3), p["n"], p["clusters_a_side"])
    best = kernel_margin(relu_kernel(points.x, points.x), points.y)
    return {"x": points.x, "y": points.y}, [
        ("gamma_2", {"alpha": best.alpha}, {}),
    ]


def deconvolution(p: Parameters) -> tuple[Mapping[str, Any], Found]:
    """J*, the least value of the Beurling Lasso on the authors' three spikes."""
    problem = three_spikes()
    found: Found = []
    for penalty in p["penalties"]:
        best = blasso(problem, penalty)
        answer = {"positions": best.positions, "masses": best.masses}
        found.append((f"penalty_{penalty:g}", answer, {"penalty": penalty}))
    data = {"positions": problem.positions, "masses": problem.masses, "cutoff": problem.cutoff}
    return data, found


def shifted_labels(p: Parameters) -> tuple[Mapping[str, Any], Found]:
    """The functions that univariate networks learn from the same labels, shifted."""
    x = np.array([-1.4, -0.8, -0.25, 0.25, 0.8, 1.4])
    y = np.array([0.15, 0.1, -0.1, -0.1, 0.1, 0.15])
    found: Found = []
    for shift in (-2.0, -1.0, 0.0, 1.0, 2.0):
        best = ramp_spline(x, y + shift, BiasLaw(p["reach"]))
        found.append((f"shift_{shift:+g}", {"charges": best.charges}, {"shift": shift}))
    return {"x": x, "y": y, "reach": p["reach"]}, found


def leaky_network(p: Parameters) -> tuple[Mapping[str, Any], Found]:
    """The network of rank two that leaky ReLU networks tend to on nearly orthogonal samples."""
    correlation = p["slope"] ** 3 / (3 * p["ratio"] ** 2 * p["n"])
    problem = nearly_orthogonal(stream(p, 4), p["n"], p["d"], ratio=p["ratio"], correlation=correlation)
    best = rank_two(problem, p["slope"], p["positive"], p["negative"])
    data = {"x": problem.x, "y": problem.y, **{name: p[name] for name in ("slope", "positive", "negative")}}
    return data, [
        ("rank_two", {"v": best.v, "u": best.u}, {"multipliers": best.multipliers}),
    ]


SOLVERS: dict[str, Solve] = {
    "separable": separable_set,
    "interpolators": interpolators,
    "gamma_1": variation_norm,
    "gamma_2": kernel_norm,
    "deconvolution": deconvolution,
    "shifted_labels": shifted_labels,
    "rank_two": leaky_network,
}
