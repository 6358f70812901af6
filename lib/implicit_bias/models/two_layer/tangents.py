"""The tangent kernel of a two-layer network and its derivatives along the gradients of the outputs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, in_range, memory
from implicit_bias.models.two_layer.network import TwoLayer

IMAGINARY = 1e-30  # the step along the imaginary axis that gives a derivative to the last digit


@dataclass(frozen=True)
class Tangents:
    """How the outputs f_i = f(x_i) of a network hear each other, at given weights.

    kernel: K_ik = ∇f_i·∇f_k, n × n.
    third: K_ikl = ∇f_l·∇K_ik, n × n × n.
    fourth: K_iklq = ∇f_q·∇K_ikl, n × n × n × n; None if it was not asked for.

    >>> from implicit_bias.activations import Tanh
    >>> found = tangents(TwoLayer(Tanh()), [[0.1, 0.2]], [1.0], np.eye(2))
    >>> found.kernel.shape, found.third.shape, found.fourth
    ((2, 2), (2, 2, 2), None)
    """

    kernel: Array
    third: Array
    fourth: Array | None


@in_range
def tangents(net: TwoLayer, w: ArrayLike, a: ArrayLike, x: ArrayLike, *, fourth: bool = False) -> Tangents:
    """The tangent kernel and the tensors that say how it moves while the outputs are pushed.

    K_ik = ∇f_i·∇f_k,  K_ikl = ∇f_l·∇K_ik,  K_iklq = ∇f_q·∇K_ikl

    The gradients are those in the weights that are trained. Along gradient flow of R the kernel obeys
    dK_ik/dt = −Σ_l K_ikl ∂R/∂f_l, and so on: each tensor is driven by the next.

    net: f, its activation twice differentiable; for the fourth tensor, a formula that NumPy also evaluates at complex
        numbers.
    w: W, m × d.
    a: m numbers.
    x: n × d.
    fourth: whether the fourth tensor is wanted.

    Returns the tensors.
    Raises ValueError for arrays that do not fit, or tensors beyond the memory that is allowed.
    Reference: Huang and Yau 2020, the neural tangent hierarchy.

    >>> from implicit_bias.activations import Tanh
    >>> found = tangents(TwoLayer(Tanh()), [[0.0, 0.0]], [1.0], np.eye(2))
    >>> found.kernel, float(np.max(np.abs(found.third)))
    (array([[1., 0.],
           [0., 1.]]), 0.0)
    """
    x = array("x", x, 2)
    w = array("w", w, 2, (None, x.shape[1]))
    a = array("a", a, 1, (len(w),))
    m, n, size = len(w), len(x), x.shape[1] + 1
    memory("x", f"{n} × {size - 1}", 8 * (n * size**2 * m + 2 * m * n**2 * size + 3 * n**3))
    if fourth:
        memory("x", f"{n} × {size - 1}", 8 * (2 * n * size**3 * m + 3 * n**4 + m * n**2 * size**2))
    gradient, hessian, third = _derivatives(net, w, a, x, fourth)
    turned = np.einsum("jiab,jkb->jika", hessian, gradient, optimize=True)  # ∇²f_i ∇f_k
    kernel = np.einsum("jia,jka->ik", gradient, gradient, optimize=True)
    moved = np.einsum("jika,jla->ilk", turned, gradient, optimize=True)
    found = None
    if fourth:
        along = np.einsum("jiabc,jka->jikbc", third, gradient, optimize=True)
        along = np.einsum("jikbc,jlb->jiklc", along, gradient, optimize=True)
        cubic = np.einsum("jikqc,jlc->ilkq", along, gradient, optimize=True)
        chained = np.einsum("jila,jkqa->ilkq", turned, turned, optimize=True)
        crossed = np.einsum("jika,jlqa->ilkq", turned, turned, optimize=True)
        half = cubic + chained + crossed
        found = half + half.transpose(1, 0, 2, 3)
    return Tangents(kernel, moved + moved.transpose(1, 0, 2), found)


def _derivatives(net: TwoLayer, w: Array, a: Array, x: Array, third: bool) -> tuple[Array, Array, Array]:
    """What each neuron adds to the derivatives of each output in its own (w, a): m × n × (d+1), … once and twice more.

    The output weight is the last coordinate; what is not trained has derivative 0.
    """
    z = w @ x.T
    scale, last = net.scale(a.size), x.shape[1]
    outer = (scale * a)[:, None]
    value, gate = net.activation.with_derivative(z)
    bend = net.activation.second_derivative(z)
    moves = np.append(np.full(last, float(net.first_moves)), float(net.output_moves))
    gradient = np.empty((*z.shape, last + 1))
    gradient[..., :last], gradient[..., last] = (outer * gate)[..., None] * x, scale * value
    squares = x[:, :, None] * x[:, None, :]
    hessian = np.zeros((*z.shape, last + 1, last + 1))
    hessian[..., :last, :last] = (outer * bend)[..., None, None] * squares
    hessian[..., :last, last] = hessian[..., last, :last] = scale * gate[..., None] * x
    cubes = np.zeros((*z.shape, last + 1, last + 1, last + 1) if third else (0,))
    if third:
        turn = _third_derivative(net, z)
        cubes[..., :last, :last, :last] = (outer * turn)[..., None, None, None] * (
            squares[..., None] * x[:, None, None]
        )
        mixed = scale * bend[..., None, None] * squares
        cubes[..., :last, :last, last] = cubes[..., :last, last, :last] = cubes[..., last, :last, :last] = mixed
        cubes *= moves[:, None, None] * moves[:, None] * moves
    return gradient * moves, hessian * moves[:, None] * moves, cubes


def _third_derivative(net: TwoLayer, z: Array) -> Array:
    """σ‴, from σ″ a tiny step off the real axis."""
    off_axis: Any = z + 1j * IMAGINARY
    try:
        beside = np.asarray(net.activation.second_derivative(off_axis))
    except TypeError:
        beside = np.zeros(1)
    if not np.iscomplexobj(beside):
        raise ValueError(
            f"net has the activation {net.activation}, with no derivative at complex numbers; fourth needs one"
        )
    return np.asarray(beside.imag / IMAGINARY)
