"""The layers' stable ranks, and how well each one's first direction fits the next one's."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import instance
from implicit_bias.measure.given import dense, torch
from implicit_bias.measure.row import Row


@brief()
@dataclass(frozen=True)
class Layers:
    """What the singular values and vectors of the layers say, in the order of their definition.

    ranks: ‖W‖_F²/σ₁², for each layer.
    alignments: how well u of one layer fits v of the next; nan where their sizes do not.

    >>> import torch
    >>> found = layers(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Linear(2, 1)))
    >>> len(found.ranks), len(found.alignments)
    (2, 1)
    """

    ranks: tuple[Row, ...]
    alignments: tuple[Row, ...]


def layers(model: Any) -> Layers:  # attack: none, it takes a network
    """‖W_l‖_F²/σ₁(W_l)² of each layer, and |⟨u_l, v_{l+1}⟩| of its first singular vectors with the next one's.

    A convolution counts as its matrix out × (in·k·k), the other axes of a block behind a flattened layer likewise:
    there ‖u_lᵀ V‖, V the vector v_{l+1} as a matrix of channels × the rest, takes the place of the product.

    model: a torch Module; its layers are the weights of two axes or more of Linears and convolutions.

    Returns numbers without a verdict: the theorem speaks of linear networks, where after long training with the
    exponential loss the ranks are 1 and so are the alignments.
    Raises ValueError for a model without such layers, and for a layer that is 0.
    Reference: Ji & Telgarsky 2019.

    >>> import torch
    >>> line = torch.nn.Linear(2, 2)
    >>> line.weight.data = torch.diag(torch.tensor([2.0, 1.0]))
    >>> layers(line).ranks[0].value
    1.25
    """
    instance("model", model, torch().nn.Module)
    found = [(name or "weight", part.weight) for name, part in model.named_modules() if isinstance(part, dense())]
    if not found:
        raise ValueError("model has no Linear and no convolution; it must have one at least")
    ranks, alignments, before, before_name = [], [], None, ""
    for name, weight in found:
        w = weight.detach().cpu().double().flatten(1).numpy()
        u, s, v = np.linalg.svd(w, full_matrices=False)
        if not (np.all(np.isfinite(w)) and s[0] > 0):
            raise ValueError(f"model has the layer {name!r} of largest singular value {s[0]:g}; it must be above 0")
        rank = float((s / s[0]) @ (s / s[0]))
        ranks.append(Row(f"stable rank of {name}", rank, kind="exact"))
        if before is not None:
            said = f"alignment of {before_name} with {name}"
            fits = v.shape[1] % len(before) == 0
            value = float(np.linalg.norm(before @ v[0].reshape(len(before), -1))) if fits else np.nan
            alignments.append(Row(said, value, kind="exact") if fits else Row(said, value))
        before, before_name = u[:, 0], name
    return Layers(tuple(ranks), tuple(alignments))
