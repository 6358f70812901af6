"""The least value of a convex price among the solutions of Xw = y, in 60 digits, from what makes it the least."""

import mpmath

DIGITS = 60


def least(x, y, dual, from_gradient, value):
    """The value at w with ∇Q(w) = Xᵀλ and Xw = y, by Newton's method on λ.

    dual: λ near the solution, N numbers.
    from_gradient: from Xᵀλ, d numbers of mpmath, to w.
    value: Q, of d numbers of mpmath.
    """
    with mpmath.workdps(DIGITS):
        rows = [[mpmath.mpf(float(entry)) for entry in row] for row in x]
        labels = [mpmath.mpf(float(entry)) for entry in y]

        def point(*multipliers):
            columns = zip(*rows, strict=True)
            return from_gradient([mpmath.fdot(multipliers, column) for column in columns])

        def missed(*multipliers):
            w = point(*multipliers)
            return [mpmath.fdot(row, w) - label for row, label in zip(rows, labels, strict=True)]

        start = [mpmath.mpf(float(one)) for one in dual]
        found = mpmath.findroot(missed, start, tol=mpmath.mpf(10) ** -45 * max(1, *map(abs, labels)) ** 2)
        return value(point(*found))
