"""A proved bound on the stable rank of what gradient descent adds to a first layer."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.checks import Array, array, number
from implicit_bias.data import Classification


@dataclass(frozen=True)
class ChangeBounds:
    """What holds of W(t) − W(0) at a time t ≥ 1.

    frobenius: U, at least ‖W(t) − W(0)‖_F.
    spectral: L, at most ‖W(t) − W(0)‖₂.
    """

    frobenius: float
    spectral: float

    @property
    def stable_rank(self) -> float:
        """U²/L², at least the stable rank of W(t) − W(0)."""
        return (self.frobenius / self.spectral) ** 2

    def with_start(self, frobenius: float, spectral: float) -> float:
        """((U + ‖W(0)‖_F)/(L − ‖W(0)‖₂))², at least the stable rank of W(t); infinite if ‖W(0)‖₂ ≥ L.

        frobenius, spectral: the norms of W(0).
        """
        frobenius, spectral = number("frobenius", frobenius, least=0), number("spectral", spectral, least=0)
        rest = self.spectral - spectral
        return ((self.frobenius + frobenius) / rest) ** 2 if rest > 0 else np.inf


def change_bounds(data: Classification, slope: float, gathered: Array) -> ChangeBounds:
    """Bounds on what gradient descent has added to the first layer, for any activation with γ ≤ φ′ ≤ 1 and ‖a‖ = 1.

    U² = Σ_ik Γ_iΓ_k max(y_iy_k x_i·x_k, 0),  L = γ Σ_i Γ_i y_i x_i·q/‖q‖,  q = Σ y_i x_i

    data: the samples; every y_i x_i·q must be positive.
    slope: γ in (0, 1].
    gathered: Γ_i = Σ_t (α/n) |ℓ′(y_i f(x_i))|, n positive numbers.

    Raises ValueError where a y_i x_i·q is not positive, or an argument is outside its range.
    """
    slope = number("slope", slope, above=0, most=1)  # mutant: the guard of an argument
    gathered = array("gathered", gathered, 1, (len(data.y),))  # mutant: the guard of an argument
    gram = data.signed @ data.signed.T
    along = gram.sum(axis=1)
    if not np.all(along > 0):  # mutant: the guard of the premise
        raise ValueError(
            f"data holds {int(np.sum(along <= 0))} samples with y_i x_i·q ≤ 0; all must be positive for the bound"
        )
    size = float(np.abs(gathered).max()) or 1.0  # so that no square overflows
    # mutant: the guard of the premise, or one beside the order of d
    upper = size * float(np.sqrt((gathered / size) @ np.maximum(gram, 0) @ (gathered / size)))
    return ChangeBounds(upper, slope * float(gathered @ along) / float(np.sqrt(gram.sum())))
