"""Why a claim may hold although it was spoiled, or use little of its tolerance: a comment on the line that states it.

``claims.below(  # spoiled: a bound with room``. The reasons are few, and each fits some kinds of claims only.
"""

import ast

from mutants.comments import comments

BOTH_SIDED = ("identity", "limit", "rate")
# Of an array that holds with another order of theory, or with its mean, by the kinds of which it can be true.
SPOILED = {
    "a bound with room": ("below", "above"),  # what was measured keeps it in another order or on the mean too
    "an ordering without a gap": ("increasing",),  # equal numbers keep it
    "the next order is as large": BOTH_SIDED,  # as the distance of what is predicted from its mean; the order it tells
}
# Of an error that stays below a thousandth of its tolerance on fresh seeds: why the derived error is not smaller.
TOLERANCE = dict.fromkeys(
    (
        "the integrator's own",  # it guarantees no more; the flow contracts, so that earlier errors are forgotten
        "the solver's own",  # it guarantees no more than where it stops; its last Newton step goes further
        "the certificate's gap",  # it proves no more; the solution is nearer
        "rounding at worst",  # over all terms and the largest condition number; it mostly cancels
        "counted points",  # the tolerance is a few of them; mostly not one lies between
    ),
    BOTH_SIDED,
)
REASONS = {"spoiled": SPOILED, "tolerance": TOLERANCE}


def excused(chapter: str, source: str, tag: str) -> dict[str, str]:
    """Why claims of a chapter are excused, by id; the tag is ``spoiled`` or ``tolerance``.

    Raises AssertionError for a reason that is none of the few, or not of the claim's kind, and for a comment that
    stands on no claim.
    """
    claims = {
        node.lineno: node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("claims.")
    }
    found: dict[str, str] = {}
    for line, said in comments(source, tag):
        reason = said.removeprefix(": ")
        assert line in claims, f"{chapter}, line {line}: '# {tag}{said}' stands on no claim"
        kind, name = ast.unparse(claims[line].func).removeprefix("claims."), ast.literal_eval(claims[line].args[0])
        assert kind in REASONS[tag].get(reason, ()), f"{chapter}.{name}: '{reason}' is no reason of a claim of {kind}"
        found[f"{chapter}.{name}"] = reason
    return found
