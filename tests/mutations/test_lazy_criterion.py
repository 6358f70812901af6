"""Each constant of the criterion, of its bounds and of its limit is held by a claim of its chapter."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script("lazy_training/lazy_criterion", {"n": 4, "widths": [16, 64, 128, 256], "draws": 2})
CRITERION = {"lazy_criterion", "lazy_error", "wide_criterion"}

# Changes that change no prediction, by function and the change, with the reason.
TOLERANCE = "the shift and the gap only enter tolerances: held by tests/library"
EQUIVALENT = {f"wide_criterion: {change}": TOLERANCE for change in ("2 → 3", "-1 → +1", "1 → 2")}
MUTANTS = mutants("limits/lazy/criterion.py", CRITERION)

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "lazy_criterion", CODE, MUTANTS, EQUIVALENT
)

# Changes that change no prediction, by the line and the change, with the reason.
PUSHED = "pushed = 2 * np.mean(beside[:, :-1] ** 2, axis=0) / (top - spectrum[:-1])"
SHIFT = "shift = scatter**2 + float(pushed.sum() / top)"
ANSWER = "return WideCriterion(one.below, one.above / one.below - 1, scatter, shift)"
MEAN = "2 * np.mean(beside[:, :-1] ** 2, axis=0)"
EXCUSED = {
    f"{line} | {change}": TOLERANCE
    for line, change in (
        (PUSHED, f"{MEAN} / (top - spectrum[:-1]) → {MEAN} * (top - spectrum[:-1])"),
        (PUSHED, f"{MEAN} → 2 / np.mean(beside[:, :-1] ** 2, axis=0)"),
        (PUSHED, f"{MEAN} → 1 * np.mean(beside[:, :-1] ** 2, axis=0)"),
        (PUSHED, f"{MEAN} → 2 * 1"),
        (PUSHED, "beside[:, :-1] ** 2 → beside[:, :-1] ** 1"),
        (PUSHED, "top - spectrum[:-1] → top + spectrum[:-1]"),
        (SHIFT, "scatter ** 2 + float(pushed.sum() / top) → scatter ** 2 - float(pushed.sum() / top)"),
        (SHIFT, "scatter ** 2 → scatter ** 1"),
        (SHIFT, "pushed.sum() / top → pushed.sum() * top"),
        (ANSWER, "one.above / one.below - 1 → one.above / one.below + 1"),
        (ANSWER, "one.above / one.below → one.above * one.below"),
    )
}
OPERATORS = operators("limits/lazy/criterion.py", CRITERION)

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "lazy_criterion", CODE, OPERATORS, EXCUSED
)
