"""A finding of each campaign, for the tests of what keeps and shows them."""

from reproduce.campaigns.finding import Finding

CHAPTER = "sums/geometric"
CODE = "0123456789abcdef"
FIRST = 0x01234567  # of the seeds that follow from this code


def finding(campaign: str, counts: dict[str, object], *failed: str, chapter: str = CHAPTER) -> Finding:
    host = "2 cores, a processor; Python 3.11"
    return Finding(campaign, chapter, CODE, "0.1.0", "abc", "2026-11-22", host, counts, list(failed))


NOTICED = {"red": 3, "refused": 1, "stopped": 2, "held_by_tests": 1}
ENDS = {**NOTICED, "along": 1, "no_effect": 0, "excused": 1, "surviving": 1}
SPOILED = {"claims": 9, "refused": 3, "same": 2, "own": 1, "listed": 1, "idle": 0, "passed": 2}
CLAIM = {"runs": 20, "held": 19, "controls": 20, "worst": 1.5, "at": FIRST + 3}
EARLIER = {
    **{"code": "f" * 16, "commit": "def", "date": "2026-11-20", "first_seed": 5, "last_seed": 24},
    **{"finished": 20, "failed": 0, "missed": {"geometric.limit": {"runs": 20, "held": 17, "controls": 20}}},
}
CALLS = {"meaning": "Calls <of> the library", "cases": 1200, "good": 1199, "bad": 1}
KILLS = {"meaning": "Signals", "cases": 3, "good": 3, "bad": 0}
TIMINGS = [
    {"method": "straw man", "seconds": 90.0, "error": 1e-10, "plain": True, "caution": "nobody would"},
    {"method": "plain <loop>", "seconds": 3.0, "error": 5e-3, "plain": True, "caution": ""},
    {"method": "exact flow", "seconds": 0.5, "error": 1e-9, "plain": False, "caution": ""},
]
FOUND = {
    "attacks": finding(
        "attacks",
        {
            "seeds": [0, 7],
            "seconds": 600,
            "damaged": 12,
            "kills": {"INT": {"client": 2, "none": 1}},
            "classes": {"calls": CALLS, "kills": KILLS},
        },
        "1 × calls.one_argument: f(x=<nan>)",
        chapter="",
    ),
    "benchmarks": finding(
        "benchmarks",
        {
            "load": {"before": 0.3, "after": 1.1},
            "groups": [
                {
                    "name": "a limit",
                    "timings": [{**one, "spread": 0.0, "rounds": 1, "reached": "as above"} for one in TIMINGS],
                    "matched": 0.0,
                }
            ],
        },
        chapter="",
    ),
    "mutants": finding("mutants", {"constant": {"possible": 40, "made": 10, **ENDS}}, "1 of 10 changes not noticed"),
    "off_default": finding("off_default", {"ok": 7, "outside": 2, "refused": 1}, "ratio=0.9: geometric.limit failed"),
    "pages": finding(
        "pages",
        {
            "browser": "Chromium 1",
            "pages": 3,
            "readings": {"390 pixels, light": 3},
            "checks": ["Nothing is wider than a phone"],
        },
        chapter="",
    ),
    "paper": finding(
        "paper",
        {"parameters": {"terms": 90}, "seconds": 63, "megabytes": 512, "claims": 3, "held": 2},
        "geometric.<rate>",
    ),
    "seeds": finding(
        "seeds",
        {
            "first_seed": FIRST,
            "last_seed": FIRST + 19,
            "finished": 20,
            "failed": 0,
            "claims": {"geometric.limit": CLAIM},
            "earlier": [EARLIER],
        },
        "geometric.limit: held in 19 of 20, its control failed in 20",
    ),
    "spoiled": finding(
        "spoiled",
        {"theory reversed": {"must": True, **SPOILED}},
        "geometric.limit: theory reversed",
        "geometric.rate: theory reversed",
    ),
}
