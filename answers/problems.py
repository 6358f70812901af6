"""The problems whose certified answers are kept as data, drawn as their chapters draw them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from implicit_bias.data import clusters, nearly_orthogonal, separable, sparse_regression, three_spikes
from implicit_bias.data.biases import BiasLaw
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.certificate import Certificate
from implicit_bias.limits.interpolation import HyperbolicEntropy, least_l1, least_norm
from implicit_bias.limits.margin import kernel_margin, l1_max_margin, max_margin, rank_two, variation_margin
from implicit_bias.limits.measures import blasso
from implicit_bias.limits.mirror import ramp_spline

Parameters = Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """The certified answer of one problem.

    name: within its file.
    problem: the optimization problem as a formula.
    answer: the optimum and its value.
    certificate: what proves it, the multipliers for example.
    residuals: by how much primal and dual miss, and the gap, as the library computed them.
    """

    name: str
    problem: str
    answer: Mapping[str, Any]
    certificate: Mapping[str, Any]
    residuals: Certificate


@dataclass(frozen=True)
class Problem:
    """Data of one chapter, and the answers on them.

    chapter: whose default parameters are used.
    source: where the result is stated.
    entries: what each name stands for, with its shape.
    solve: the data and the answers, from the chapter's parameters.
    """

    chapter: str
    source: str
    entries: Mapping[str, str]
    solve: Callable[[Parameters], tuple[Mapping[str, Any], list[Answer]]]


def stream(parameters: Parameters, streams: int) -> np.random.Generator:
    """The first of the chapter's streams, from which its data are drawn."""
    return np.random.default_rng(parameters["seed"]).spawn(streams)[0]


def separable_set(p: Parameters) -> tuple[Mapping[str, Any], list[Answer]]:
    """Largest margins in the ℓ2 and in the ℓ1 norm."""
    drawn = separable(stream(p, 3), p["n"], p["d"], support=p["support"], margin=p["margin"], slack=p["slack"])
    z = drawn.signed
    two, one = max_margin(z), l1_max_margin(z)
    return {"z": z}, [
        Answer("l2", "min ½‖w‖₂² subject to z_i·w ≥ 1; the margin is γ = 1/‖w‖₂",
               {"w": two.w, "margin": two.margin}, {"alpha": two.alpha}, two.certificate),
        Answer("l1", "min ‖w‖₁ subject to z_i·w ≥ 1; the margin is γ = 1/‖w‖₁",
               {"w": one.w, "margin": 1 / np.abs(one.w).sum()}, {"alpha": one.alpha}, one.certificate),
    ]  # fmt: skip


def interpolators(p: Parameters) -> tuple[Mapping[str, Any], list[Answer]]:
    """What diagonal networks of several starts pick among the interpolators."""
    drawn = sparse_regression(stream(p, 2), p["n"], p["d"], nonzeros=p["nonzeros"])
    x, y = drawn.x, drawn.y
    root = 4 * p["scale"] * (1 + p["shape"] ** 2) / (1 - p["shape"] ** 2)
    entropy = HyperbolicEntropy(np.full(p["d"], root**2))
    best, l1, l2 = entropy.minimize(x, y), least_l1(x, y), least_norm(x, y)
    return {"x": x, "y": y, "root_k": root}, [
        Answer("entropy", "min Σ_j q(w_j) subject to Xw = y, q(v) = (√k/4)[1 − √(1+u²) + u arcsinh u], u = 2v/√k",
               {"w": best.w, "value": entropy.value(best.w)}, {"dual": best.dual}, best.certificate),
        Answer("l1", "min ‖w‖₁ subject to Xw = y",
               {"w": l1.w, "value": np.abs(l1.w).sum()}, {"dual": l1.dual}, l1.certificate),
        Answer("l2", "min ½‖w‖₂² subject to Xw = y",
               {"w": l2.w, "value": l2.w @ l2.w / 2}, {"dual": l2.dual}, l2.certificate),
    ]  # fmt: skip


def variation_norm(p: Parameters) -> tuple[Mapping[str, Any], list[Answer]]:
    """γ₁, the largest margin of infinitely wide ReLU networks in the variation norm."""
    points = clusters(stream(p, 3), p["points"], p["k"], labels="diagonal" if p["k"] == 2 else "random")
    best = variation_margin(points)
    return {"x": points.x, "y": points.y}, [
        Answer("gamma_1", "γ₁ = max min_i ½ y_i Σ_k ν_k (u_k·x_i)₊ over Σ|ν_k| ≤ 1, ‖u_k‖ = 1; margin ≤ γ₁ ≤ bound",
               {"margin": best.margin, "bound": best.bound, "directions": best.directions, "masses": best.masses},
               {"weights": best.weights}, best.certificate),
    ]  # fmt: skip


def kernel_norm(p: Parameters) -> tuple[Mapping[str, Any], list[Answer]]:
    """γ₂, the largest margin in the space of the ReLU kernel."""
    points = clusters(stream(p, 3), p["n"], p["clusters_a_side"])
    best = kernel_margin(relu_kernel(points.x, points.x), points.y)
    return {"x": points.x, "y": points.y}, [
        Answer("gamma_2", "γ₂ = max min_i y_i f(x_i) over ‖f‖_K ≤ 1, K(x, z) = E[(θ·x)₊(θ·z)₊], θ ~ N(0, I); "
               "f = γ₂ Σ_i α_i y_i K(x_i, ·)",
               {"margin": best.margin}, {"alpha": best.alpha}, best.certificate),
    ]  # fmt: skip


def deconvolution(p: Parameters) -> tuple[Mapping[str, Any], list[Answer]]:
    """J*, the least value of the Beurling Lasso on the authors' three spikes."""
    problem, found = three_spikes(), []
    for penalty in p["penalties"]:
        best = blasso(problem, penalty)
        assert best.certificate is not None
        found.append(
            Answer(f"penalty_{penalty:g}",
                   "J* = min ½ Σ_k |∫e^{−ik·θ}dν − f̂_k|² + λ ν(Θ) over nonnegative measures ν on the torus, "
                   "f̂_k = Σ_l c_l e^{−ik·x_l}, k in {−K, …, K}²; ν = Σ a_i δ_{θ_i}",
                   {"value": best.value, "positions": best.positions, "masses": best.masses},
                   {"penalty": penalty}, best.certificate)
        )  # fmt: skip
    data = {"positions": problem.positions, "masses": problem.masses, "cutoff": problem.cutoff}
    return data, found


def shifted_labels(p: Parameters) -> tuple[Mapping[str, Any], list[Answer]]:
    """The functions that univariate networks learn from the same labels, shifted."""
    x = np.array([-1.5, -0.9, -0.3, 0.4, 1.0, 1.6])
    y = np.array([0.2, -0.2, 0.15, -0.1, 0.2, -0.15])
    found = []
    for shift in (-2.0, -1.0, 0.0, 1.0, 2.0):
        best = ramp_spline(x, y + shift, BiasLaw(p["reach"]))
        found.append(
            Answer(f"shift_{shift:+g}",
                   "min ‖h‖²_k subject to h(x_i) = y_i + c, k(x, z) = E[(wx − b)₊(wz − b)₊], w = ±1 at random, b "
                   "uniform on [−B, B]; h = Σ_i λ_i k(·, x_i)",
                   {"value": best.value, "jump": best.jump}, {"shift": shift, "charges": best.charges},
                   best.certificate)
        )  # fmt: skip
    return {"x": x, "y": y, "reach": p["reach"]}, found


def leaky_network(p: Parameters) -> tuple[Mapping[str, Any], list[Answer]]:
    """The network of rank two that leaky ReLU networks tend to on nearly orthogonal samples."""
    correlation = p["slope"] ** 3 / (3 * p["ratio"] ** 2 * p["n"])
    problem = nearly_orthogonal(stream(p, 4), p["n"], p["d"], ratio=p["ratio"], correlation=correlation)
    best = rank_two(problem, p["slope"], p["positive"], p["negative"])
    data = {"x": problem.x, "y": problem.y, **{name: p[name] for name in ("slope", "positive", "negative")}}
    return data, [
        Answer("rank_two", "min ½‖W‖_F² subject to y_i f(x_i) ≥ 1, f(x) = Σ_j a_j φ(w_j·x), φ(t) = max(t, γt), "
               "a_j = ±1/√m; the rows of W are v where a_j > 0 and u where a_j < 0",
               {"v": best.v, "u": best.u, "value": best.multipliers.sum() / 2},
               {"multipliers": best.multipliers}, best.certificate),
    ]  # fmt: skip


SIGNED = "the labelled points y_i x_i, N × d"
POINTS, LABELS = "the points in the plane, their third coordinate constant, n × 3", "the labels ±1, n"
PROBLEMS = {
    "separable": Problem("linear/max_margin", "Soudry et al. 2018, Theorem 3",
        {"z": SIGNED, "w": "the minimizer, d", "margin": "γ", "alpha": "the multipliers, N"}, separable_set),
    "interpolators": Problem("initialization/diagonal_networks", "Azulay et al. 2021, Theorem 1",
        {"x": "the samples, N × d", "y": "the labels, N", "root_k": "√k", "w": "the minimizer, d",
         "value": "the least value", "dual": "the multipliers λ: the gradient at w is Xᵀλ, N"}, interpolators),
    "gamma_1": Problem("wide_networks/f1_max_margin", "Chizat & Bach 2020, Theorem 3",
        {"x": POINTS, "y": LABELS, "margin": "reached, at most γ₁", "bound": "at least γ₁",
         "directions": "u, k × 3", "masses": "ν, k",
         "weights": "p ≥ 0 of sum 1, γ₁ ≤ ½ max_u |Σ p_i y_i (u·x_i)₊|, n"}, variation_norm),
    "gamma_2": Problem("wide_networks/f2_max_margin", "Chizat & Bach 2020, Section 5",
        {"x": POINTS, "y": LABELS, "margin": "γ₂", "alpha": "the multipliers, n"}, kernel_norm),
    "deconvolution": Problem("measures/sparse_deconvolution", "Chizat 2022, numerical experiments",
        {"positions": "of spikes on the torus, s × 2: the data's x, the answer's θ",
         "masses": "of spikes, s: the data's c, the answer's a", "cutoff": "K", "value": "J*", "penalty": "λ"},
        deconvolution),
    "shifted_labels": Problem("mirror_flow/shifted_labels", "Liang & Montúfar 2025, theorem on unscaled potentials",
        {"x": "the places, M", "y": "the labels before the shift, M", "reach": "B", "value": "‖h‖²_k",
         "jump": "h′(+∞) − h′(−∞)", "shift": "c", "charges": "λ, M"}, shifted_labels),
    "rank_two": Problem("leaky_relu/rank_two_max_margin", "Frei et al. 2023, Theorem 3.2",
        {"x": "the samples, n × d", "y": LABELS, "slope": "γ", "positive": "how many a_j are positive",
         "negative": "how many are negative", "v": "d", "u": "d", "value": "½‖W‖_F²",
         "multipliers": "of the margins, n"}, leaky_network),
}  # fmt: skip
