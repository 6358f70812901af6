"""The same minimizer by finite differences of the three penalties themselves: it knows no kernel."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.sparse.linalg import spsolve

from implicit_bias.checks import Array, array, in_range, instance, memory, whole
from implicit_bias.data.biases import BiasLaw
from implicit_bias.limits.mirror.density import within_reach


@in_range
def finite_element_spline(x: ArrayLike, y: ArrayLike, law: BiasLaw, cells: int = 2000) -> tuple[Array, Array]:
    """min G₁ + G₂ + G₃ over the values of h at equidistant nodes of [−B, B]; the error is of second order.

    h″ and the slopes at both ends by central differences, the integrals by the trapezoidal rule, the data by cubic
    interpolation between nodes.

    x: M places within [−B, B].
    y: M numbers.
    law: of the biases, uniform: at the ends its density must not vanish.
    cells: number of cells, even, so that 0 is a node.

    Returns the nodes and h there.
    Raises ValueError for a law whose density vanishes at the ends or an odd number of cells.

    >>> from implicit_bias.data import BiasLaw
    >>> nodes, h = finite_element_spline([-0.5, 0.0, 0.5], [1.0, 0.0, 1.0], BiasLaw(1.0), cells=200)
    >>> np.interp([-0.5, 0.0, 0.5], nodes, h).round(3) + 0.0
    array([1., 0., 1.])
    """
    instance("law", law, BiasLaw)
    x = within_reach(x, law.reach)
    y = array("y", y, 1, x.shape)
    cells = whole("cells", cells, least=8)
    memory("cells", cells, 8 * 100 * cells)
    if cells % 2:
        raise ValueError(f"cells is {cells}; it must be even, so that 0 is a node")
    if law.shape != "uniform":
        raise ValueError(f"law is {law.shape}; it must be uniform, for the curvature at the ends is not 0 there")
    nodes = np.linspace(-law.reach, law.reach, cells + 1)
    step = nodes[1] - nodes[0]
    # unknowns: h at the nodes and at one more on each side, which only serve the second differences at the ends
    count = cells + 3
    bend = sparse.diags_array([1.0, -2.0, 1.0], offsets=[0, 1, 2], shape=(cells + 1, count)) / step**2
    rule = np.full(cells + 1, step)
    rule[[0, -1]] /= 2
    slopes = np.zeros(count)
    slopes[[0, 2, -3, -1]] = np.array([-1.0, 1.0, -1.0, 1.0]) / (2 * step)
    level = bend.T @ (rule * np.abs(nodes))
    level[1 + cells // 2] -= 2
    stiffness = bend.T @ sparse.diags_array(rule / law.density(nodes)) @ bend
    dense = np.stack([slopes, level / np.sqrt(law.variance)], axis=1)
    fits = _interpolation(x, nodes)
    inner = sparse.csr_array((fits.data, fits.indices + 1, fits.indptr), shape=(x.size, count))
    # min ½ hᵀ S h + ½ |q|², q = Dᵀh, with the data as constraints
    system = sparse.block_array(
        [[stiffness, dense, inner.T], [dense.T, -sparse.eye_array(2), None], [inner, None, None]], format="csc"
    )
    answer = spsolve(system, np.concatenate([np.zeros(count + 2), y]))
    return nodes, np.asarray(answer[1 : cells + 2])


def _interpolation(x: Array, nodes: Array) -> sparse.csr_array:
    """The weights of cubic interpolation at places, from the four nearest nodes."""
    step = nodes[1] - nodes[0]  # mutant: other four nodes, of the same order
    # mutant anywhere(nodes[0]): other four nodes, of the same order
    # mutant(1; 0): other four nodes, of the same order
    first = np.clip(np.floor((x - nodes[0]) / step).astype(int) - 1, 0, nodes.size - 4)
    near = first[:, None] + np.arange(4)
    t = (x - nodes[first]) / step
    weights = np.empty((x.size, 4))
    for k in range(4):
        others = [j for j in range(4) if j != k]
        # mutant: other four nodes, of the same order
        weights[:, k] = np.prod([(t - j) / (k - j) for j in others], axis=0)
    return sparse.csr_array(
        # mutant(0; 1): other four nodes, of the same order
        (weights.ravel(), near.ravel(), np.arange(0, 4 * x.size + 1, 4)),
        shape=(x.size, nodes.size),
    )
