"""How the stable rank of a layer changes: a spike in noise, and growth without signal."""

from implicit_bias.limits.stable_rank.change_bounds import (
    ChangeBounds,
    GateBounds,
    change_bounds,
    gate_bounds,
)
from implicit_bias.limits.stable_rank.decoupled_growth import (
    DecoupledGrowth,
    decoupled_growth,
    first_step_moment,
    trace_over_norm,
)
from implicit_bias.limits.stable_rank.fastest_growth import FastestGrowth, fastest_growth
from implicit_bias.limits.stable_rank.first_change import first_change_rank
from implicit_bias.limits.stable_rank.random_start import RandomStableRank, random_stable_rank
from implicit_bias.limits.stable_rank.spike import (
    SpikeCurve,
    beside_spike,
    gate_variance,
    kinked_stable_rank,
    one_step_error,
    spike_curve,
    spiked_fluctuation,
    spiked_stable_rank,
)
from implicit_bias.limits.stable_rank.spiked_law import SpikedLaw, spiked_law
from implicit_bias.limits.stable_rank.two_kinds import TwoKinds, two_kinds

__all__ = [
    "ChangeBounds",
    "DecoupledGrowth",
    "FastestGrowth",
    "GateBounds",
    "RandomStableRank",
    "SpikeCurve",
    "SpikedLaw",
    "TwoKinds",
    "beside_spike",
    "change_bounds",
    "decoupled_growth",
    "fastest_growth",
    "first_change_rank",
    "first_step_moment",
    "gate_bounds",
    "gate_variance",
    "kinked_stable_rank",
    "one_step_error",
    "random_stable_rank",
    "spike_curve",
    "spiked_fluctuation",
    "spiked_law",
    "spiked_stable_rank",
    "trace_over_norm",
    "two_kinds",
]
