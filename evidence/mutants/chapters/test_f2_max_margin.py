"""Each constant of the kernel's margin, its scatter and its lag is held by a claim of its chapter."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("wide_networks/f2_max_margin", {"n": 12, "draws": 40, "widths": [64, 256, 1024], "log_t_end": 300.0})
KERNEL, FEATURES = {"kernel_margin", "margin_lag"}, {"margin_deviation", "_sphere"}

MUTANTS = [*mutants("limits/margin/kernel.py", KERNEL), *mutants("limits/margin/random_features.py", FEATURES)]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("f2_max_margin", CODE, MUTANTS)

OPERATORS = [*operators("limits/margin/kernel.py", KERNEL), *operators("limits/margin/random_features.py", FEATURES)]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "f2_max_margin", CODE, OPERATORS
)
