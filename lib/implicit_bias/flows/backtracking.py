"""Gradient descent with backtracking, many runs at once, each with a step of its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from implicit_bias.checks import Array, array, number, whole

GROWTH = 1.1


@dataclass(frozen=True)
class Descents:
    """R runs side by side.

    evaluations: the recorded numbers of evaluations of the gradient, k numbers.
    t: time = sum of the accepted steps, k × R.
    w: the states then, k × R × ….
    value: F then, k × R.
    """

    evaluations: Array
    t: Array
    w: Array
    value: Array


def backtracking_descent(
    descent: Callable[[Array], tuple[Array, Array, Array]],
    w: Array,
    *,
    evaluations: int,
    first_step: float,
    record: Sequence[int] = (),
) -> Descents:
    """w ← w + η ẇ, with η halved where F falls by less than half of η times the dissipation, and grown by a tenth else.

    Accepted: F(w + ηẇ) ≤ F(w) − (η/2) D with the dissipation D = −⟨∇F, ẇ⟩. For small η it is the flow, and t its time.

    descent: R × M × p states ↦ R values F, R × M × p velocities ẇ and R dissipations.
    w: the start, R × M × p.
    evaluations: number of evaluations of the gradient, and so of steps tried, for every run.
    first_step: η > 0 at the start.
    record: numbers of evaluations after which to record, besides the start and the end.

    Returns the runs. Raises ValueError for arguments out of range.
    """
    w = array("w", w, 3).copy()
    whole("evaluations", evaluations, least=1)
    step = np.full(len(w), number("first_step", first_step, above=0))
    value, velocity, dissipation = descent(w)
    t = np.zeros(len(w))
    wanted = sorted({int(k) for k in record if 0 < k < evaluations} | {evaluations})
    kept = [(0, t.copy(), w.copy(), value.copy())]
    for count in range(1, evaluations + 1):
        tried = w + step[:, None, None] * velocity
        with np.errstate(over="ignore", invalid="ignore"):  # a step that overflows is refused below
            new_value, new_velocity, new_dissipation = descent(tried)
        accepted = new_value <= value - step / 2 * dissipation
        t = t + np.where(accepted, step, 0.0)
        choose = accepted[:, None, None]
        w, velocity = np.where(choose, tried, w), np.where(choose, new_velocity, velocity)
        value = np.where(accepted, new_value, value)
        dissipation = np.where(accepted, new_dissipation, dissipation)
        step = step * np.where(accepted, GROWTH, 0.5)
        if count == wanted[0]:
            kept.append((wanted.pop(0), t.copy(), w.copy(), value.copy()))
    count_, t_, w_, value_ = zip(*kept, strict=True)
    return Descents(np.array(count_, dtype=np.float64), np.array(t_), np.array(w_), np.array(value_))
