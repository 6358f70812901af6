"""What each file states: chapter, source, what each name stands for, each problem as a formula, and its proof."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from answers.interpolation import entropy, l1_interpolator, l2_interpolator, shifted
from answers.leaky import rank_two
from answers.margins import kernel_margin, l1_margin, l2_margin, variation_margin
from answers.proof import Proof, Values
from answers.torus import deconvolution


@dataclass(frozen=True)
class Asked:
    """One problem of a file.

    problem: as a formula.
    prove: from the file's data, the answer and its certificate.
    answer, certificate: the names that they have.
    given: what the formula needs besides the data, with its value; it is a part of the certificate.
    """

    problem: str
    prove: Callable[[Values, Values, Values], Proof]
    answer: tuple[str, ...]
    certificate: tuple[str, ...] = ()
    given: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Statement:
    """What one file states.

    chapter: whose default parameters are used.
    source: where the result is stated.
    data: the names that the data have.
    entries: what each name stands for, with its shape.
    asked: the problems by the names of their answers.
    """

    chapter: str
    source: str
    data: tuple[str, ...]
    entries: Mapping[str, str]
    asked: Mapping[str, Asked]


SIGNED = "the labelled points y_i x_i, N × d"
POINTS, LABELS = "the points in the plane, their third coordinate constant, n × 3", "the labels ±1, n"
SPIKES = (
    "J* = min ½ Σ_k |∫e^{−ik·θ}dν − f̂_k|² + λ ν(Θ) over nonnegative measures ν on the torus, "
    "f̂_k = Σ_l c_l e^{−ik·x_l}, k in {−K, …, K}²; ν = Σ a_i δ_{θ_i}"
)
SPLINE = (
    "min ‖h‖²_k subject to h(x_i) = y_i + c, k(x, z) = E[(wx − b)₊(wz − b)₊], w = ±1 at random, b "
    "uniform on [−B, B]; h = Σ_i λ_i k(·, x_i)"
)

STATEMENTS = {
    "separable": Statement(
        "linear/max_margin", "Soudry et al. 2018, Theorem 3", ("z",),
        {"z": SIGNED, "w": "the minimizer, d", "margin": "γ", "alpha": "the multipliers, N"},
        {"l2": Asked("min ½‖w‖₂² subject to z_i·w ≥ 1; the margin is γ = 1/‖w‖₂", l2_margin, ("w",), ("alpha",)),
         "l1": Asked("min ‖w‖₁ subject to z_i·w ≥ 1; the margin is γ = 1/‖w‖₁", l1_margin, ("w",), ("alpha",))}),
    "interpolators": Statement(
        "initialization/diagonal_networks", "Azulay et al. 2021, Theorem 1", ("x", "y", "root_k"),
        {"x": "the samples, N × d", "y": "the labels, N", "root_k": "√k", "w": "the minimizer, d",
         "value": "the least value", "dual": "the multipliers λ: the gradient at w is Xᵀλ, N"},
        {"entropy": Asked(
            "min Σ_j q(w_j) subject to Xw = y, q(v) = (√k/4)[1 − √(1+u²) + u arcsinh u], u = 2v/√k",
            entropy, ("w",), ("dual",)),
         "l1": Asked("min ‖w‖₁ subject to Xw = y", l1_interpolator, ("w",), ("dual",)),
         "l2": Asked("min ½‖w‖₂² subject to Xw = y", l2_interpolator, ("w",), ("dual",))}),
    "gamma_1": Statement(
        "wide_networks/f1_max_margin", "Chizat & Bach 2020, Theorem 3", ("x", "y"),
        {"x": POINTS, "y": LABELS, "margin": "γ₁", "directions": "u, k × 3", "masses": "ν, k",
         "weights": "p ≥ 0 of sum 1, γ₁ ≤ ½ max_u |Σ p_i y_i (u·x_i)₊|, n"},
        {"gamma_1": Asked("γ₁ = max min_i ½ y_i Σ_k ν_k (u_k·x_i)₊ over Σ|ν_k| ≤ 1, ‖u_k‖ = 1",
                          variation_margin, ("directions", "masses"), ("weights",))}),
    "gamma_2": Statement(
        "wide_networks/f2_max_margin", "Chizat & Bach 2020, Section 5", ("x", "y"),
        {"x": POINTS, "y": LABELS, "margin": "γ₂", "alpha": "the multipliers, n"},
        {"gamma_2": Asked(
            "γ₂ = max min_i y_i f(x_i) over ‖f‖_K ≤ 1, K(x, z) = E[(θ·x)₊(θ·z)₊], θ ~ N(0, I); "
            "f = γ₂ Σ_i α_i y_i K(x_i, ·)", kernel_margin, ("alpha",))}),
    "deconvolution": Statement(
        "measures/sparse_deconvolution", "Chizat 2022, numerical experiments", ("positions", "masses", "cutoff"),
        {"positions": "of spikes on the torus, s × 2: the data's x, the answer's θ",
         "masses": "of spikes, s: the data's c, the answer's a", "cutoff": "K", "value": "J*", "penalty": "λ"},
        {f"penalty_{penalty:g}": Asked(SPIKES, deconvolution, ("positions", "masses"), (), {"penalty": penalty})
         for penalty in (1.0, 4.0)}),
    "shifted_labels": Statement(
        "mirror_flow/shifted_labels", "Liang & Montúfar 2025, theorem on unscaled potentials", ("x", "y", "reach"),
        {"x": "the places, M", "y": "the labels before the shift, M", "reach": "B", "value": "‖h‖²_k",
         "jump": "h′(+∞) − h′(−∞)", "shift": "c", "charges": "λ, M"},
        {f"shift_{shift:+g}": Asked(SPLINE, shifted, ("charges",), (), {"shift": shift})
         for shift in (-2.0, -1.0, 0.0, 1.0, 2.0)}),
    "rank_two": Statement(
        "leaky_relu/rank_two_max_margin", "Frei et al. 2023, Theorem 3.2", ("x", "y", "slope", "positive", "negative"),
        {"x": "the samples, n × d", "y": LABELS, "slope": "γ", "positive": "how many a_j are positive",
         "negative": "how many are negative", "v": "d", "u": "d", "value": "½‖W‖_F²",
         "multipliers": "of the margins, n"},
        {"rank_two": Asked(
            "min ½‖W‖_F² subject to y_i f(x_i) ≥ 1, f(x) = Σ_j a_j φ(w_j·x), φ(t) = max(t, γt), "
            "a_j = ±1/√m; the rows of W are v where a_j > 0 and u where a_j < 0",
            rank_two, ("v", "u"), ("multipliers",))}),
}  # fmt: skip
