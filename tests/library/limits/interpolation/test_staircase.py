"""The staircase against flows that know nothing of it, the Lasso, a linear program, least squares, and by hand."""

import numpy as np
import pytest
from library.helpers import refusal
from scipy.optimize import linprog
from sklearn.linear_model import lars_path

from implicit_bias.flows import follow, passing_times
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation import least_l1, staircase
from implicit_bias.models.linear import VanishingFlow

SMALL = np.array([[3.0, 1.0], [0.0, 1.0]]), np.array([2.0, 3.0])


def samples(seed: int, n: int = 6, d: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Three features that matter, and noise."""
    g = np.random.default_rng(seed)
    x, chosen, signs = g.standard_normal((n, d)), g.choice(d, 3, replace=False), g.choice([-1, 1], 3)
    b = np.zeros(d)
    b[chosen] = g.uniform(0.5, 2, 3) * signs
    return x, x @ b + 0.3 * g.standard_normal(n)


def jumps(x, y, stairs, length, thresholds=None):
    """The times at which the flow's loss is half-way between two plateaus."""
    loss = np.sum((y - stairs.plateaus @ x.T) ** 2, axis=1)
    return passing_times(VanishingFlow(x, y, length, thresholds), np.sqrt((loss[1:] + loss[:-1]) / 2))


def test_a_coordinate_that_comes_goes_and_comes_back_with_the_other_sign():
    stairs = staircase(*SMALL)
    np.testing.assert_allclose(stairs.times, [1 / 3, 4 / 9, 28 / 9], rtol=1e-12)
    np.testing.assert_allclose(stairs.plateaus, [[0, 0], [2 / 3, 0], [0, 2.5], [-1 / 3, 3]], atol=1e-12)
    assert stairs.entering.tolist() == [0, 1, 2]
    np.testing.assert_allclose(stairs([0.3, 3.2]), [[0, 0], [-1 / 3, 3]], atol=1e-12)
    np.testing.assert_allclose(stairs.accumulated(16 / 9)[:2], [0, 1], atol=1e-12)
    assert stairs.exponent(16 / 9) == pytest.approx(2.0)
    assert stairs.exponent(0.0) == pytest.approx(2.0)


@pytest.mark.parametrize(("seed", "n", "d"), [(2203, 6, 10), (617, 6, 10), (0, 6, 10), (1, 30, 8), (3, 5, 20)])
def test_its_end_is_the_least_norm_or_least_squares(seed, n, d):
    x, y = samples(seed, n, d)
    stairs = staircase(x, y)
    end = least_l1(x, y).w if d > n else np.linalg.lstsq(x, y, rcond=None)[0]
    np.testing.assert_allclose(stairs.plateaus[-1], end, atol=1e-11)
    assert max(one.worst for one in stairs.certificates) < 1e-12
    loss = np.sum((y - stairs.plateaus @ x.T) ** 2, axis=1)
    assert np.all(np.diff(loss) < 0)


@pytest.mark.parametrize("seed", [2203, 617, 0, 5])
def test_up_to_its_first_drop_it_jumps_where_the_path_of_the_lasso_turns(seed):
    x, y = samples(seed)
    stairs = staircase(x, y)
    active = np.append(stairs.plateaus, -stairs.plateaus, axis=1) > 0
    lost = np.any(active[:-1] & ~active[1:], axis=1)
    same = int(np.argmax(lost)) + 1 if lost.any() else len(lost)
    knots = lars_path(x, y, method="lasso")[0]
    np.testing.assert_allclose(stairs.times[:same], 1 / knots[:same], rtol=1e-9)
    if lost.any():
        assert abs(stairs.times[-1] * knots[-2] - 1) > 1e-3


@pytest.mark.parametrize("seed", [2203, 104, 202])
def test_the_flow_jumps_after_its_delays_and_its_error_falls_like_the_exponent(seed):
    x, y = samples(seed, *((30, 8) if seed == 202 else (6, 10)))
    stairs = staircase(x, y)
    delays, sharpness = stairs.delays(), stairs.sharpness
    for digits, allowed in ((3, 1e-2), (8, 1e-7)):
        length = np.log(10.0**digits) / sharpness
        off = np.abs(jumps(x, y, stairs, length) - stairs.times - delays / length) / stairs.times
        assert off.max() < allowed
        assert (np.abs(delays) / length / stairs.times).max() > 1e3 * off.max() or digits == 3


def test_a_feature_that_leaves_and_comes_back_on_its_side_begins_where_it_left():
    g = np.random.default_rng(471)
    x, y = g.standard_normal((3, 5)), g.standard_normal(3)
    stairs = staircase(x, y)
    assert stairs.entering.tolist() == [3, 9, 5, 7, 9]
    length = np.log(1e8) / stairs.sharpness
    np.testing.assert_allclose(jumps(x, y, stairs, length), stairs.times + stairs.delays() / length, rtol=1e-7)


@pytest.mark.parametrize("seed", [2203, 104, 202])
def test_the_flow_rests_as_near_to_its_plateaus_as_the_first_terms_say(seed):
    x, y = samples(seed, *((30, 8) if seed == 202 else (6, 10)))
    stairs = staircase(x, y)
    length = stairs.length(1e-9)
    assert length >= np.log(1e9) / stairs.sharpness
    places = np.linspace(stairs.times[:-1], stairs.times[1:], 41)[1:-1]
    told = stairs.missed(places, length)
    times = places[told.argmin(axis=0), np.arange(len(stairs.times) - 1)]
    flow = VanishingFlow(x, y, length)
    rested = flow.predictor(follow(flow, t_end=stairs.times[-1], record=times, rtol=1e-11).theta[1:-1])
    off = np.abs(rested - stairs.plateaus[1:-1]).max(axis=1)
    assert np.all(off <= 1.1 * told.min(axis=0) + 1e-8)
    for spoiled in (stairs.missed(times, 1.3 * length), stairs.missed(times, length) / 1e3):
        assert np.any(off > spoiled)


def test_the_delay_of_a_feature_alone():
    """Orthogonal features do not know of each other: each grows as a logistic function."""
    y = np.array([3.0, -1.0, 0.4])
    stairs = staircase(np.eye(3), y)
    np.testing.assert_allclose(stairs.times, 3 / np.abs(y), rtol=1e-12)
    alone = 3 * (np.log(2 * np.abs(y)) + np.log(np.sqrt(2) - 1)) / (2 * np.abs(y))
    np.testing.assert_allclose(stairs.delays(), alone, rtol=1e-7)


@pytest.mark.parametrize(
    ("sizes", "p", "q", "missed"),
    [
        ([3.0, 1.0, 0.4], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0], 1e-9),
        ([3.0, 2.9, 0.4], [0.6, 1.3, 0.9], [1.2, 0.7, 1.4], 1e-6),
        ([5.0, 0.02, 0.01], [1.4, 0.7, 1.1], [0.8, 1.2, 0.6], 1e-4),
        ([5.0, 3.0, 0.01], [0.7, 1.4, 1.2], [0.1, 0.2, 0.6], 1e-2),
        ([2.0, 1.0], [3.0, 2.0], [0.01, 0.01], 1e-3),
    ],
)
def test_how_small_a_start_must_be_for_features_that_do_not_know_of_each_other(sizes, p, q, missed):
    """H = I: the forces on all that are not active are constant, each orbit is a logistic function, and h = 1 or 0."""
    b, p, q = np.array(sizes), np.array(p), np.array(q)
    stairs = staircase(np.sqrt(b.size) * np.eye(b.size), np.sqrt(b.size) * b, thresholds=[p, q])
    times, last, settled = p / b, (p / b)[-1], 1e-6
    assert np.all(np.diff(times) > 0)
    half, rest = (np.log(2 * b * z) / (2 * b) for z in (np.sqrt(2) - 1, 1 / np.expm1(settled)))
    terms, slow = [], [np.inf]  # of a term c α^r: ln c, r, h, force, and how much ln c grows until the orbit is settled
    for k, t in enumerate(times):
        now: list[tuple[float, float, float, float, float]] = []
        for j in range(b.size):
            against = b[j] if j > k or (j == k == b.size - 1) else 0.0  # the lesser of the forces before and after
            if j > k:
                now.append((2 * half[k] * b[j], 2 * (p[j] - b[j] * t), 1.0, b[j], 2 * (rest - half)[k] * b[j]))
            if j >= k:
                now.append((-2 * half[k] * b[j], 2 * (q[j] + b[j] * t), 1.0, against, 0.0))
            else:
                now.append((-np.log(2 * b[j]), 2 * (q[j] + p[j]), 0.0, 0.0, 0.0))
        if k:
            nu, w = 2 * b[:k].min(), b[:k]
            relaxed = np.log(2 * settled * np.sqrt(w.max() * w.sum())) + nu * (rest[k - 1] - half[k])
            now.append((relaxed, nu * (t - times[k - 1]), 1.0, nu / 2, 0.0))
            slow.append(nu * (t - times[k - 1]))
        terms.append(now)
    sharpness = min(min(slow), *(2 * (p[j] - b[j] * times[k]) for k in range(b.size) for j in range(k + 1, b.size)),
                    *(one[1] for now in terms for one in now if one[2] == 0), *(2 * (q[j] + b[j] * times[k])
                    for k in range(b.size) for j in range(k, b.size)))  # fmt: skip
    assert stairs.sharpness == pytest.approx(sharpness, rel=1e-12)
    first = least = np.log(1 / missed) / sharpness
    for k, now in enumerate(terms):
        for log, rate, answer, force, grown in now:
            moved = answer / max(2 * force, 1 / last) / (first * p[k:].min())
            least = max(least, (np.log(max(moved, 1 / b.max()) / missed / 2) + log + grown) / rate)
    # Some hundred steps of 1e-11 move the time at which an orbit is 1e-6 from its plateau, and so a logarithm, by 1e-3.
    assert stairs.length(missed) == pytest.approx(least, rel=1e-3 / np.log(1 / missed))


def test_other_starts_have_thresholds_or_delays_of_their_own():
    x, y = samples(2203)
    g = np.random.default_rng(1)
    p, log_c = g.uniform(0.6, 1.4, (2, 10)), g.uniform(-0.7, 0.7, (2, 10))
    other = staircase(x, y, thresholds=p)
    length = np.log(1e8) / other.sharpness
    np.testing.assert_allclose(jumps(x, y, other, length, p), other.times + other.delays() / length, rtol=1e-7)
    cost = np.append(p[0], p[1])

    program = linprog(cost, A_eq=np.hstack([x, -x]), b_eq=y, bounds=(0, None))
    np.testing.assert_allclose(other.plateaus[-1], program.x[:10] - program.x[10:], atol=1e-9)
    stairs = staircase(x, y)
    length = np.log(1e8) / stairs.sharpness
    started = jumps(x, y, stairs, length, 1 - log_c / length)
    np.testing.assert_allclose(started, stairs.times + stairs.delays(log_c) / length, rtol=1e-7)


def test_steps_climb_a_staircase_of_their_own():
    """Two features by hand: steps η bring in feature j when their number is ln(1/α)/ln(1 + η g_j)."""
    stairs = staircase([[2.0, 0.0], [0.0, 1.0]], [2.0, -3.0], step=0.1)
    np.testing.assert_allclose(stairs.times, [0.1 / np.log(1.2), 0.1 / np.log(1.15)], rtol=1e-12)
    x, y = samples(617)
    flow, steps = staircase(x, y), staircase(x, y, step=0.02)
    assert steps.entering.tolist() == flow.entering.tolist()
    assert np.all(steps.times > flow.times)
    np.testing.assert_allclose(staircase(x, y, step=1e-7).times, flow.times, rtol=1e-5)
    assert steps.sharpness > flow.sharpness * 0.9


def test_what_it_refuses():
    x, y = samples(0)
    refusal(lambda: staircase(x, y[:-1]), "y")
    refusal(lambda: staircase(x, y, thresholds=np.zeros((2, 10))), "thresholds")
    refusal(lambda: staircase(x, y, thresholds=np.ones(10)), "thresholds")
    refusal(lambda: staircase(x, y, step=10.0), "step")
    refusal(lambda: staircase(x, y, step=0.01).delays(), "step")
    # Descent on this plateau overshoots for ever, although η max |g| < 1 at the start: 2 η λ_max(H) is 2.5.
    root = np.linalg.cholesky(np.array([[1.0, 0.8], [0.8, 1.0]])).T * np.sqrt(2)
    refusal(lambda: staircase(root, root @ [1.0, -1.01], step=0.7), "step")
    refusal(lambda: staircase(x, y)(-1.0), "t")
    with pytest.raises(CertificateError, match="orthogonal"):
        staircase([[1.0, 0.0], [0.0, 0.0]], [0.0, 1.0])
    with pytest.raises(
        CertificateError, match=r"coordinate . \(positive\) and coordinate . \(positive\) arrive together"
    ):
        staircase([[1.0, 1.0], [0.5, 0.5]], [1.0, 1.0])
    with pytest.raises(CertificateError, match="vanish together"):
        staircase([[2.0, 1.0], [0.0, 1.0]], [1.9, 1.9], thresholds=[[0.5, 1.0], [1.0, 1.0]])
