"""All that can be measured of a network with what there is of it: a table, a file, a figure."""

import json
import math
import os
import textwrap
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, is_dataclass, replace
from itertools import groupby
from pathlib import Path
from time import perf_counter
from typing import Any

from implicit_bias.late import extra
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.measure.balance import balance
from implicit_bias.measure.curvature import sharpness
from implicit_bias.measure.given import evaluation, flat, network, tensor, torch
from implicit_bias.measure.layers import layers
from implicit_bias.measure.margin import last_layer, margin, no_decay
from implicit_bias.measure.row import Premise, Row
from implicit_bias.measure.stationarity import SENTENCE, TAUS, stationarity
from implicit_bias.measure.twin import distance, remainder
from implicit_bias.measure.watch import Watch

WIDTH, INDENT = 96, 13 * " "  # columns of the table, and of what is said of a row
TAGS = ("exact: up to rounding, bracket: proved to lie between, probable: the same except with a stated probability, "
        "sampled: 95 % of resamplings lie between, number: no error is known")  # fmt: skip

TAIL = 0.5  # least fall of ln ℓ for each unit of the margins; of the exponential and the logistic loss it is about 1
ALIKE = 0.1  # chosen: by this share the training loss of a twin may fall less or more than the network's
VACUOUS = 0.99  # a bound above of ε, which is at most 1, that says nothing
RESIDUALS = ("identity", "drift that", "Euler")
SHARES = ("distance", "remainder", "unbalance", "share", "stationarity", "alignment")  # between 0 and 1


@dataclass(frozen=True)
class Report:
    """What was measured of a network, and what was not.

    parts: the rows under their headings.
    missing: for a heading why there is nothing below it.

    >>> Report({"Balance": (Row("unbalance", 0.5),)}, {"Twin": "no twin was given"})
    Balance
            0.5  unbalance  (number)
    Not measured
      Twin: no twin was given
    exact: up to rounding, bracket: proved to lie between, probable: the same except with a stated
    probability, sampled: 95 % of resamplings lie between, number: no error is known
    """

    parts: dict[str, tuple[Row, ...]]
    missing: dict[str, str]

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, in their order."""
        return tuple(row for part in self.parts.values() for row in part)

    def __getitem__(self, quantity: str) -> Row:
        """The first row whose quantity begins so.

        quantity: the beginning of its name.
        """
        found = next((row for row in self.rows if row.quantity.startswith(quantity)), None)
        if found is None:
            raise KeyError(
                f"quantity is {quantity!r:.60}; it must be one of {', '.join(r.quantity for r in self.rows)}"
            )
        return found

    def __repr__(self) -> str:
        """The table."""
        lines = []
        for heading, part in self.parts.items():
            lines += textwrap.wrap(heading, WIDTH, subsequent_indent=INDENT)
            for row in part:
                low, high = f"{row.low:.4g}", f"{row.high:.4g}"
                between = "" if row.kind == "exact" or low == high else f"[{low}, {high}] "  # both of a number are nan
                lines.append(f"{row.value:>11.4g}  {row.quantity}  {between}({row.kind})")
                said = row.said if row.covers or row.failed or row.source else ""
                lines += textwrap.wrap(said, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
        if self.missing:
            lines.append("Not measured")
            lines += [f"  {heading}: {why}" for heading, why in self.missing.items()]
        return "\n".join([*lines, *textwrap.wrap(TAGS, WIDTH)])

    def json(self) -> dict[str, Any]:
        """The report as JSON has it: the rows with what is said of them, and what is missing."""
        rows = {heading: [row.json() for row in part] for heading, part in self.parts.items()}
        return {"schema": "implicit_bias.measure/1", "parts": rows, "missing": self.missing}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report as JSON.

        path: of the file.
        """
        Path(path).write_text(json.dumps(self.json(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    def figure(self) -> Any:
        """Left the residuals of what is exact, on a logarithmic axis; right what lies between 0 and 1, with its error.

        Returns a figure of matplotlib.
        """
        with extra():
            from matplotlib.figure import Figure

        figure = Figure(figsize=(11, 4), layout="constrained")
        left, right = figure.subplots(1, 2)
        for axes, starts in ((left, RESIDUALS), (right, SHARES)):
            rows = [row for row in self.rows if row.quantity.startswith(starts) and row.value == row.value]
            figure.set_figheight(max(figure.get_figheight(), 1 + 0.28 * len(rows)))
            axes.set_yticks(range(len(rows)), [textwrap.shorten(row.quantity, 48) for row in rows], fontsize=8)
            axes.set_ylim(len(rows) - 0.5, -0.5)
            axes.grid(axis="x", alpha=0.3)
            for place, row in enumerate(rows):
                if axes is right:
                    axes.plot([row.low, row.high], [place, place], color="C0")
                axes.plot(max(row.value, 1e-17), place, "x" if row.failed else "o", color="C3" if row.failed else "C0")
        left.set(xscale="log", xlim=(5e-18, 2), title="Residuals of what is exact (× not covered)")
        right.set(xlim=(-0.02, 1.02), title="Between 0 and 1 (× not covered)")
        return figure


def report(  # attack: none, it takes networks
    model: Any,
    loss: Any,
    train: tuple[Any, Any],
    *,
    test: tuple[Any, Any] | None = None,
    twin: Any = None,
    steps: Watch | None = None,
    start: Any = None,
    other: Any = None,
    pairs: Iterable[Any] | None = None,
) -> Report:
    """All that can be measured of a network with what there is of it; a checkpoint alone is enough.

    A checkpoint has margins, stationarity, the last layer, the identity of one gradient, sharpness, layers; with the
    network at its start also movement and remainder; with its twin the distance, and both training losses; with
    another run the yardstick of the distance; with ``watch`` the laws and η. A distance is marked where the twin's
    training loss (its logarithm if the loss has an exponential tail) fell by less than 90 % of what the network's did,
    or by more than 110 %: a chosen level, above which d tells mostly how far each of them went.

    model: the network after training; it is measured in the mode of evaluation, and stays in its own.
    loss: the loss of the training, a function of what the model answers and of y, to a number.
    train: x and y of the training, at most 10 000 rows.
    test: x and y of a test, for the distance; None: those of the training.
    twin: of ``linearized``, after the same training.
    steps: of ``watch``.
    start: the network before training; a twin has it.
    other: the network after another run, with its batches in another order.
    pairs: of layers, as ``balance`` takes them.

    Returns the rows; of what cannot be measured the reason.
    Raises ValueError for what is no network, and data that are no pair of tensors.

    >>> import torch
    >>> _ = torch.manual_seed(0)
    >>> model = torch.nn.Sequential(torch.nn.Linear(2, 5), torch.nn.ReLU(), torch.nn.Linear(5, 2)).double()
    >>> found = report(model, torch.nn.CrossEntropyLoss(), (torch.eye(2).double(), torch.tensor([0, 1])))
    >>> found["identity"].value < 1e-13, found.missing["Twin"]
    (True, 'no twin was given: measure.linearized(model), before training')
    """
    network("model", model)
    x, y = _samples("train", train)
    at = _samples("test", test)[0] if test is not None else x
    if steps is not None and not isinstance(steps, Watch):
        raise ValueError(f"steps is of type {type(steps).__name__}; it must be made by measure.watch")
    before: Any = start if start is not None else getattr(twin, "_base", None)
    labels = not y.is_floating_point() or bool(((y == 1) | (y == -1)).all())
    parts: dict[str, tuple[Row, ...]] = {}
    missing: dict[str, str] = {}

    def measured(heading: str, why: str | None, call: Callable[[], Any]) -> None:
        if why is not None:
            missing[heading] = why
            return
        begin = perf_counter()
        try:
            first, *rest = _rows(call())
            parts[heading] = (replace(first, seconds=perf_counter() - begin), *rest)
        except (ValueError, CertificateError, RuntimeError) as error:
            missing[heading] = " ".join(str(error).split())[:200]

    def walked() -> tuple[Row, Row]:
        theta, theta0 = (flat(one.parameters()).detach().double() for one in (model, before))
        way = float((theta - theta0).norm() / theta0.norm())
        moved = Row("movement of the parameters", way, source="|θ − θ₀|/|θ₀|")
        return moved, remainder(before, model, at, centred=labels)

    def trained_so() -> tuple[Premise, ...]:
        rate = _tail(model, loss, x, y)
        fails = f"this loss has no exponential tail, its rate is {rate:.3g}"
        tail = Premise("exponential tail", rate, TAIL, rate >= TAIL, fails)
        if steps is None or steps.known:
            return (tail,)
        return tail, Premise("descent", 0.0, 1.0, False, f"for descent, and not {type(steps.optimizer).__name__}")

    def apart() -> tuple[Row, ...]:
        fall, alike = _fallen(model, twin, loss, x, y, labels)
        far = distance(model, twin, at, other=other, centred=labels)
        three = [replace(row, premises=(*row.premises, alike)) for row in (far.distance, far.angle, far.ratio)]
        return (*three, *([far.other] if far.other else []), fall)

    def parted() -> Any:
        found, more = margin(model, x, y, decay=decay), trained_so()
        quasi = found.quasi and replace(found.quasi, premises=(*found.quasi.premises, *more))
        normalized = replace(found.normalized, premises=(*found.normalized.premises, *more))
        return replace(found, quasi=quasi, normalized=normalized)

    def nearly() -> tuple[Row, ...]:
        curve, more, told = stationarity(model, x, y).curve, (no_decay(decay), *trained_so()), []
        for _, some in groupby(zip(TAUS, curve, strict=True), lambda one: _shown(one[1])):
            (least, _), *_, (most, row) = 2 * list(some)
            name = row.quantity.replace(f"{most:g}", f"{least:g} to {most:g}", 1) if least < most else row.quantity
            source = row.source.split(":")[0]
            told.append(replace(row, quantity=name, source=source, premises=(*row.premises, *more)))
        return tuple(told)

    group: Mapping[str, Any] = {} if steps is None else steps.optimizer.param_groups[0]
    decay = float(group.get("weight_decay", 0.0))
    # a decay that is decoupled, as AdamW's, is no part of the loss
    stepped: dict[str, Any] = {"decay": 0.0 if group.get("decoupled_weight_decay") else decay}
    if steps is not None and steps.known and steps.rate == steps.rate:
        stepped |= {"rate": steps.rate, "momentum": steps.momentum, "nesterov": steps.nesterov}
    elif steps is not None:
        missing["Step size"] = f"λη/2 is for descent at a constant rate; this is {type(steps.optimizer).__name__}"
    if twin is None and other is not None:
        missing["Other run"] = "it is compared with the distance from the twin, and no twin was given"
    unlabelled = None if labels else "y are no labels: a margin is a classifier's"
    no_start = "no start was given: a copy of the model before training" if before is None else None
    no_twin = "no twin was given: measure.linearized(model), before training" if twin is None else None
    no_steps = "no steps were given: with measure.watch(model, optimizer), around training" if steps is None else None
    with evaluation(*(one for one in (model, twin, before, other) if one is not None)):
        measured("Twin", no_twin, apart)
        measured("Way from the start", no_start, walked)
        measured("Balance", None, lambda: balance(model, loss, x, y, pairs=pairs))
        measured("Balance along the training", no_steps, lambda: steps.rows() if steps is not None else ())
        measured("Margins", unlabelled, parted)
        measured("Last layer", unlabelled, lambda: last_layer(model, x, y))
        measured(f"Stationarity ({SENTENCE})", unlabelled, nearly)
        measured("Sharpness of this loss", None, lambda: sharpness(model, loss, x, y, **stepped))
        measured("Layers", None, lambda: layers(model))
    return Report(parts, missing)


def _shown(row: Row) -> str:
    """What the table shows of a row of ε, and nothing of one whose bracket says nothing."""
    return "" if row.kind == "bracket" and row.high > VACUOUS else f"{row.value:.4g}"


def _fallen(model: Any, twin: Any, loss: Any, x: Any, y: Any, labels: bool) -> tuple[Row, Premise]:
    """The training losses of a network and of its twin beside each other, and whether both fell alike.

    Of a loss with an exponential tail the logarithm is compared, which goes with the size of the outputs.
    """
    steep = False
    with torch().no_grad(), suppress(RuntimeError, ValueError):  # a loss that takes no margins
        steep = labels and _tail(model, loss, x, y) >= TAIL
    with torch().no_grad():
        losses = [float(loss(one(x), y)) for one in (twin._base, twin, model)]
    first, others, mine = (math.log(max(one, 1e-300)) if steep else one for one in losses)
    share = (first - others) / (first - mine) if mine < first else math.nan
    what = "ln of the training loss" if steep else "training loss"
    fell = f"{what} of the twin fell by {100 * share:.3g} % of the network's fall"
    fails = f"not trained as far, {fell if mine < first else 'the training loss of the network did not fall'}"
    alike = Premise("trained as far", share, 1 - ALIKE, abs(share - 1) <= ALIKE, fails)
    said = "from {:.4g} to {:.4g} of the twin and to {:.4g} of the network".format(*losses)
    return Row(f"fall of {what}, twin / network", share, kind="exact", source=f"the loss went {said}"), alike


def _tail(model: Any, loss: Any, x: Any, y: Any) -> float:
    """By how much ln ℓ falls for each unit of the margins, between margins of 5 and 10."""
    with torch().no_grad():
        out = model(x)
        right = out.new_zeros(out.shape)
        if out.ndim == 2 and out.shape[1] > 1:
            right.scatter_(1, y.reshape(-1, 1).long(), 1.0)
        else:
            right = y.reshape(out.shape).to(out)
        near, far = (float(loss(margins * right, y)) for margins in (5.0, 10.0))
    return math.log(near / far) / 5 if near > 0 and far > 0 else 0.0


def _rows(found: Any) -> list[Row]:
    """The rows of an answer, in the order of its definition."""
    if isinstance(found, Row):
        return [found]
    parts = found if isinstance(found, tuple) else vars(found).values() if is_dataclass(found) else ()
    return [row for part in parts for row in _rows(part)]


def _samples(name: str, given: Any) -> tuple[Any, Any]:
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise ValueError(f"{name} is {type(given).__name__}; it must be two tensors, x and y")
    x, y = tensor(f"x of {name}", given[0]), tensor(f"y of {name}", given[1])
    if len(x) != len(y):
        raise ValueError(f"{name} has {len(x)} rows of x and {len(y)} of y; it must have as many")
    return x, y
