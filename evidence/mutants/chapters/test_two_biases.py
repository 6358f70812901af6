"""Each constant of the prices, of the points that count and of the random classifiers is held by a claim."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script(  # fewer points and networks than by default, for speed
    "wide_networks/two_biases", {"n": 16, "m_both": 64, "m_output": 12800, "steps": 10000, "m_drawn": 3200}
)

PRICE = {"price", "kernel_prices", "variation_prices", "_used", "_largest", "_program", "_tidy"}
MUTANTS = [
    *mutants("limits/margin/price.py", PRICE),
    *mutants("limits/margin/random_features.py", {"classifier_deviation"}),
    *mutants("limits/margin/few_points.py", {"variation_margin_of_many"}),
    *mutants("models/two_layer/blocked.py", {"_of_few"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("two_biases", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/margin/price.py", PRICE),
    *operators("limits/margin/random_features.py", {"classifier_deviation"}),
    *operators("limits/margin/few_points.py", {"variation_margin_of_many"}),
    *operators("models/two_layer/blocked.py", {"_of_few"}),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "two_biases", CODE, OPERATORS
)
