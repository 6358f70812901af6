"""Evidence that a point is the optimum it is said to be, computed from the problem's data alone."""

from dataclasses import dataclass


class CertificateError(RuntimeError):
    """A solver's answer that does not prove itself optimal."""


@dataclass(frozen=True)
class Certificate:
    """The Karush–Kuhn–Tucker residuals of a convex problem at an answer, and its duality gap, each relative.

    primal: by how much the answer misses its constraints.
    dual: by how much the multipliers miss theirs, stationarity included.
    gap: primal minus dual value, over the primal value.
    """

    primal: float
    dual: float
    gap: float

    @property
    def worst(self) -> float:
        """The largest of the three."""
        return max(self.primal, self.dual, abs(self.gap))

    def demand(self, tolerance: float, what: str) -> None:
        """Raise CertificateError unless every residual is at most the tolerance."""
        if not self.worst <= tolerance:
            raise CertificateError(
                f"{what} is not certified: primal residual {self.primal:.1e}, dual residual {self.dual:.1e}, "
                f"gap {self.gap:.1e}, allowed {tolerance:.1e}"
            )
