"""The largest eigenvalue of a Hessian, in a bracket: Lanczos' method and what its start may have missed."""

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eigh_tridiagonal
from scipy.optimize import brentq
from scipy.sparse.linalg import LinearOperator

from implicit_bias.brief import brief
from implicit_bias.checks import Array, instance, memory, number, whole
from implicit_bias.measure.given import differentiable, flat, torch, trained
from implicit_bias.measure.row import Premise, Row

STEPS, RISK = 30, 1e-6
SOURCE = "van Dorsselaer, Hochstenbach & van der Vorst 2000"
ROUNDING = 4  # units in the last place of the largest Ritz value, times √k
SKEW = {False: 1e-9, True: 1e-3}  # of the largest Ritz value, in float64 and in float32


@brief()
@dataclass(frozen=True)
class Sharpness:
    """The largest eigenvalue of the Hessian after half of the steps and after all, and what it is to the rate.

    early, late: λ_max, each in its bracket; where the late one is much narrower, more steps narrow it further.
    edge: λ_max η/2, with momentum μ of λ_max η/(2(1 + μ)), with Nesterov's that times 1 + 2μ; None without a rate.

    >>> import torch
    >>> _ = torch.manual_seed(0)
    >>> line, loss = torch.nn.Linear(2, 1, bias=False).double(), torch.nn.MSELoss()
    >>> x, y = torch.eye(2).double(), torch.ones(2, 1).double()
    >>> round(sharpness(line, loss, x, y, rate=0.5).edge.value, 9)
    0.25
    """

    early: Row
    late: Row
    edge: Row | None


def hessian(  # attack: none, it takes a network
    model: Any,
    loss: Callable[[Any, Any], Any],
    x: Any,
    y: Any,
    *,
    names: Sequence[str] | None = None,
    decay: float = 0.0,
) -> LinearOperator:
    """v ↦ (∇²L + λI)v for L(θ) = loss(f_θ(x), y), at the parameters as they are: one pass back through the gradient.

    model: f, a torch Module in eval mode.
    loss: of outputs and targets, one number: with the reduction of the training.
    x, y: inputs and targets, as the model and the loss take them.
    names: of the parameters that are meant, as one layer's; None: all that train.
    decay: λ ≥ 0, the weight decay of the training.

    Returns the operator, P × P; that of Adam's quadratic is D ∇²L D with D the root of its preconditioner.
    Raises ValueError for batch norm or dropout in train mode, unknown names, and a loss of more than one number.
    Reference: Pearlmutter 1994.

    >>> import torch
    >>> line, loss = torch.nn.Linear(1, 1, bias=False), torch.nn.MSELoss()
    >>> float((hessian(line, loss, torch.tensor([[3.0]]), torch.zeros(1, 1)) @ np.ones(1))[0])
    18.0
    """
    load, decay, meant = torch(), number("decay", decay, least=0), trained(model, names)
    leaves = [part for name, part in model.named_parameters() if name in meant]
    with load.enable_grad(), differentiable():
        value = loss(model(x), y)
        if not isinstance(value, load.Tensor) or value.numel() != 1:
            shape = tuple(getattr(value, "shape", ())) or type(value).__name__
            raise ValueError(f"loss gives {shape}; it must give one number, by the reduction mean or sum")
        slope = flat(load.autograd.grad(value.reshape(()), leaves, create_graph=True, materialize_grads=True))

    def product(given: Array) -> Array:
        along = load.as_tensor(np.asarray(given).ravel(), dtype=slope.dtype, device=slope.device)
        found = decay * along
        if slope.requires_grad:  # else the loss is linear in these
            found += flat(load.autograd.grad(slope, leaves, along, retain_graph=True, materialize_grads=True))
        return np.asarray(found.cpu().numpy())

    kind = np.dtype(str(slope.dtype).removeprefix("torch."))
    return LinearOperator((len(slope), len(slope)), matvec=product, dtype=kind)


def largest_eigenvalue(
    operator: LinearOperator,
    *,
    steps: int = STEPS,
    p: float = RISK,
    seed: int = 0,
    exact: LinearOperator | None = None,
) -> Row:
    """λ_max of a symmetric operator: at least the largest Ritz value, and except with probability p at most a root.

    Σ_i ln(λ − θ_i) ≤ Σ_j ln β_j + ln(√(2P/π)/p) at λ = λ_max

    θ_i are the Ritz values of k steps from a uniform start v, β_j what couples the steps: the product of the λ − θ_i
    and of the share of v along the eigenvector is at most that of the β_j, and that share is below p √(π/2P) with
    probability p. Any symmetric operator, definite or not. All former steps are projected out twice.

    operator: A, P × P, with ``matvec``.
    steps: k.
    p: the probability that λ_max lies above the bracket.
    seed: of the start.
    exact: A in float64, of an operator in float32: applied once, it widens the bracket by what the rounding changes.

    Returns the Ritz value with its bracket, rounding included.
    Raises ValueError for an operator that is no square, or gives what is no finite number.
    Reference: van Dorsselaer, Hochstenbach & van der Vorst 2000; the share of a uniform start is elementary.

    >>> from scipy.sparse.linalg import aslinearoperator
    >>> found = largest_eigenvalue(aslinearoperator(np.diag([3.0, 1.0, -5.0])))
    >>> round(found.value, 9), found.low <= 3 <= found.high
    (3.0, True)
    """
    return _brackets(operator, (whole("steps", steps, least=2, most=1000),), p, seed, exact)[0]


def sharpness(  # attack: none, it takes a network
    model: Any,
    loss: Callable[[Any, Any], Any],
    x: Any,
    y: Any,
    *,
    rate: float | None = None,
    momentum: float = 0.0,
    nesterov: bool = False,
    decay: float = 0.0,
    names: Sequence[str] | None = None,
) -> Sharpness:
    """λ_max of the Hessian of the training loss in its bracket, and how far a rate is from what its quadratic allows.

    Descent on a quadratic grows where λ_max η > 2, with momentum 2(1 + μ), with Nesterov's 2(1 + μ)/(1 + 2μ).

    model, loss, x, y, names, decay: as for ``hessian``; loss, reduction, mode and decay those of the training.
    rate: η; None where it is not known.
    momentum: μ of torch's SGD without dampening, from 0 to below 1.
    nesterov: whether it is Nesterov's.

    Returns both brackets, which fail with probability 1e-6, and λ_max η/2; neither is about a step of Adam.
    Raises ValueError as ``hessian``, and for numbers out of range.
    Reference: Cohen, Kaur, Li, Kolter & Talwalkar 2021, the edge of stability.

    >>> import torch
    >>> line, loss = torch.nn.Linear(1, 1, bias=False), torch.nn.MSELoss()
    >>> found = sharpness(line, loss, torch.tensor([[3.0]]), torch.zeros(1, 1), rate=0.1, momentum=0.8)
    >>> round(found.late.value, 6), round(found.edge.value, 6)
    (18.0, 0.5)
    """
    momentum = number("momentum", momentum, least=0, below=1)
    factor = (1 + 2 * momentum if nesterov else 1.0) / (2 * (1 + momentum))
    factor *= 0.0 if rate is None else number("rate", rate, above=0)
    operator = hessian(model, loss, x, y, names=names, decay=decay)
    exact = None
    if operator.dtype != np.float64:
        double = [
            one.double() if isinstance(one, torch().Tensor) and one.is_floating_point() else one for one in (x, y)
        ]
        exact = hessian(copy.deepcopy(model).double(), loss, *double, names=names, decay=decay)
    early, late = _brackets(operator, (STEPS // 2, STEPS), RISK, 0, exact)
    if rate is None:
        return Sharpness(early, late, None)
    said = "below 1 descent on this quadratic is stable: above, it is at the edge of stability or beyond"
    edge, low, high = (factor * one for one in (late.value, late.low, late.high))
    name = "step size over 2(1 + μ)/λ_max" if momentum else "step size over 2/λ_max"
    name = name.replace(")/", ")/(1 + 2μ)/") if nesterov and momentum else name
    return Sharpness(early, late, Row(name, edge, low, high, "probable", late.premises, said, "Cohen et al. 2021"))


def _brackets(
    operator: LinearOperator, counts: Sequence[int], p: float, seed: int, exact: LinearOperator | None
) -> list[Row]:
    """The rows after so many steps of one run, the last of them with all."""
    instance("operator", operator, LinearOperator)
    if exact is not None:
        instance("exact", exact, LinearOperator)
    p = number("p", p, above=1e-300, below=1)
    size = operator.shape[0]
    if operator.shape != (size, size) or (exact is not None and exact.shape != operator.shape):
        raise ValueError(f"operator has shape {operator.shape}; it must be square, and exact of the same shape")
    memory("operator", f"of {size} rows", 8 * size * (counts[-1] + 4))
    ulp = float(np.finfo(operator.dtype if operator.dtype.kind == "f" else np.float64).eps)
    rng = np.random.default_rng(whole("seed", seed, least=0))
    alpha, beta, basis, skew = _lanczos(operator, counts[-1], rng, ulp)
    symmetric, rows = Premise("symmetric", skew, SKEW[ulp > 1e-12], skew <= SKEW[ulp > 1e-12]), []
    for k in (min(count, len(alpha)) for count in counts):
        theta, vectors = eigh_tridiagonal(alpha[:k], beta[: k - 1])
        top, largest = float(theta[-1]), float(np.abs(theta).max())
        off = ROUNDING * ulp * largest * math.sqrt(k)
        if exact is not None:
            ritz = basis[:k].T @ vectors[:, -1]
            off += float(np.linalg.norm(_applied(operator, ritz) - _applied(exact, ritz)))
        high = top if not largest else _root(theta, np.maximum(beta[:k], ulp * largest), size, p)
        name, said = f"largest eigenvalue, {k} steps", f"inside except with probability {p:g}"
        rows.append(Row(name, top, top - off, high + off, "probable", (symmetric,), said, SOURCE))
    return rows


def _lanczos(
    operator: LinearOperator, steps: int, rng: np.random.Generator, ulp: float
) -> tuple[Array, Array, Array, float]:
    """The diagonal and the couplings of Lanczos' matrix, its basis, and what a symmetric operator has not outside."""
    k, largest = min(steps, operator.shape[0]), 0.0
    basis, beta, product = np.empty((k, operator.shape[0])), np.zeros(k), np.zeros((k, k))
    start = rng.standard_normal(operator.shape[0])
    basis[0] = start / np.linalg.norm(start)
    for j in range(k):
        pushed, former = _applied(operator, basis[j]), basis[: j + 1]
        largest = max(largest, float(np.linalg.norm(pushed)))
        product[: j + 1, j] = former @ pushed
        for _ in range(2):
            pushed -= (former @ pushed) @ former
        beta[j] = np.linalg.norm(pushed)
        if beta[j] <= ulp * largest or j + 1 == k:
            break
        basis[j + 1] = pushed / beta[j]
    outside = np.abs(np.triu(product[: j + 1, : j + 1], 1) - np.diag(beta[:j], 1)).max()
    return np.diag(product)[: j + 1], beta[: j + 1], basis[: j + 1], float(outside) / largest if largest else 0.0


def _applied(operator: LinearOperator, given: Array) -> Array:
    found = np.array(operator.matvec(given.astype(operator.dtype)), dtype=np.float64).ravel()
    if not np.all(np.isfinite(found)):
        raise ValueError("operator gives what is no finite number; it must be finite")
    return found


def _root(theta: Array, beta: Array, size: int, p: float) -> float:
    """The λ above all θ_i at which Σ ln(λ − θ_i) is Σ ln β_j + ln(√(2P/π)/p), sought in ln(λ − θ_max)."""
    target = float(np.log(beta).sum()) + math.log(math.sqrt(2 * size / math.pi) / p)
    gaps = theta[-1] - theta
    last = target / len(theta)
    first = target - (len(theta) - 1) * math.log(float(gaps[0]) + math.exp(last))

    def missed(at: float) -> float:
        return float(np.log(gaps + math.exp(at)).sum()) - target

    # at the two ends the sum is at most, and at least, the target; rounding may turn that where they are one
    found = last if missed(first) >= 0 or missed(last) <= 0 else brentq(missed, first, last, xtol=1e-12)
    return float(theta[-1]) + math.exp(found) * (1 + 1e-10)
