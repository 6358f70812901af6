"""Each constant of the plane's margin, the kernel's classifier, the flow of fixed features and the fast step."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script(
    "wide_networks/generalization",
    {
        "dimensions": "[4, 12, 14]",
        "samples": "[32, 128, 192]",
        "widths": "[4, 8, 48]",
        "features": 2000,
        "steps": 2000,
        "repetitions": 2,
        "test_points": 4000,
    },
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "plane_margin: 100 → 101": "the least number of directions that is allowed",
    "plane_margin: -exponent(plane.x) → +exponent(plane.x)": "a unit",
    "plane_margin: 0.0 → 1.0": "of labels that no direction separates: held by tests/library",
    "plane_margin: 1 → 2": "NumPy takes any negative size for the one it has to find",
    "_needed: 1.0 → 1.5": "the unit of the program",
    "_needed: 0 → 1": "of labels that no direction separates: held by tests/library",
    "predict: 0 → 1": "of a point of length 0, and others are longer: held by tests/library",
    "predict: 1.0 → 1.5": "of a point of length 0, and rounding beyond a cosine of one",
    "margin_flow: 0 → 1": "the least time that is allowed",
    "_weights: 1 → 2": "NumPy takes any negative size for the one it has to find",
}
# The spread of directions, and the Jacobian, which costs time if it is wrong, are held by tests/library.
PLANE, KERNEL = {"plane_margin", "_needed"}, {"predict", "kernel_classifier"}
FLOW, STEP = {"margin_flow", "rates", "velocity"}, {"outputs", "gradient", "_weights", "_blocks"}
MUTANTS = [
    *mutants("limits/margin/plane.py", PLANE),
    *mutants("limits/margin/kernel_classifier.py", KERNEL),
    *mutants("flows/margin_flow.py", FLOW),
    *mutants("models/two_layer/blocked.py", STEP),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "generalization", CODE, MUTANTS, EQUIVALENT
)

OPERATORS = [
    *operators("limits/margin/plane.py", PLANE),
    *operators("limits/margin/kernel_classifier.py", KERNEL),
    *operators("flows/margin_flow.py", FLOW),
    *operators("models/two_layer/blocked.py", STEP),
]
# Changes that change no prediction, by the line and the change, with the reason.
ROUNDED = "np.clip(x @ self.points.x.T / np.where(lengths > 0, lengths, 1.0), -1.0, 1.0)"
CHARGES = "self.machine.margin * self.machine.alpha"
JOINED = "np.append(chosen, missed)"
ANOTHER = "another repetition, of which the same holds"
EXCUSED = {
    f"cosine = {ROUNDED} | {ROUNDED} → np.clip(-1.0, x @ self.points.x.T / np.where(lengths > 0, lengths, 1.0), 1.0)": (
        "the same: a clip from one side after the other"
    ),
    f"return np.asarray(kernel @ ({CHARGES} * self.points.y)) | {CHARGES} * self.points.y → "
    f"{CHARGES} / self.points.y": "a label is its own inverse",
    f"chosen = {JOINED} | {JOINED} → np.append(missed, chosen)": "the order of columns",
    "train, test = subset(data[-1], middle, some) | -1 → +1": ANOTHER,
    "train, test = subset(data[-1], middle, some) | -1 → -2": ANOTHER,
    "last = output[middle, some][-1] | -1 → +1": ANOTHER,
    "last = output[middle, some][-1] | -1 → -2": ANOTHER,
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "generalization", CODE, OPERATORS, EXCUSED
)
