"""Small problems solved in fractions, by trying every active set: what certified answers are held against."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

Vector = list[Fraction]
Matrix = list[Vector]


def fractions(values: object) -> Matrix:
    """The rows of a matrix of floats, as they are."""
    return [[Fraction(float(value)) for value in row] for row in values]  # type: ignore[attr-defined]


def dot(a: Vector, b: Vector) -> Fraction:
    """a·b."""
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def times(rows: Matrix, v: Vector) -> Vector:
    """Each row times v."""
    return [dot(row, v) for row in rows]


def combined(weights: Vector, rows: Matrix) -> Vector:
    """The sum of the rows with these weights."""
    return [dot(weights, list(column)) for column in zip(*rows, strict=True)]


def gram(rows: Matrix) -> Matrix:
    """The products of the rows with each other."""
    return [times(rows, row) for row in rows]


def solved(rows: Matrix, right: Vector) -> Vector | None:
    """The solution of as many equations as unknowns; None where they are singular."""
    n = len(rows)
    work = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for column in range(n):
        pivot = next((i for i in range(column, n) if work[i][column]), None)
        if pivot is None:
            return None
        work[column], work[pivot] = work[pivot], work[column]
        work[column] = [value / work[column][column] for value in work[column]]
        for i in range(n):
            if i != column and work[i][column]:
                work[i] = [a - work[i][column] * b for a, b in zip(work[i], work[column], strict=True)]
    return [row[n] for row in work]


def independent(rows: Matrix) -> list[int]:
    """The first rows on which all others depend."""
    kept: list[int] = []
    reduced: list[tuple[int, Vector]] = []
    for index, given in enumerate(rows):
        row = given
        for pivot, other in reduced:
            row = [a - row[pivot] * b for a, b in zip(row, other, strict=True)]
        place = next((j for j, value in enumerate(row) if value), None)
        if place is not None:
            reduced.append((place, [value / row[place] for value in row]))
            kept.append(index)
    return kept


def subsets(n: int, most: int) -> Iterator[tuple[int, ...]]:
    """All sets of 1 to so many of n things."""
    for size in range(1, min(n, most) + 1):
        yield from combinations(range(n), size)


def square_of_margin(signed_gram: Matrix, most: int) -> Fraction | None:
    """γ² of the hard margin with the products Q_ik = y_i y_k K_ik: 1/Σα where Qα ≥ 1, α ≥ 0 and (Qα)_i = 1 if α_i > 0.

    most: the largest number of support vectors that are needed. None where nothing separates the points.
    """
    n = len(signed_gram)
    for on in subsets(n, most):
        force = solved([[signed_gram[i][k] for k in on] for i in on], [Fraction(1)] * len(on))
        if force is not None and all(value >= 0 for value in force):
            outputs = [
                sum((signed_gram[i][k] * a for k, a in zip(on, force, strict=True)), Fraction(0)) for i in range(n)
            ]
            if all(value >= 1 for value in outputs):
                return 1 / sum(force)
    return None


def l1_margin(z: Matrix) -> Fraction | None:
    """1/min ‖w‖₁ subject to z_i·w ≥ 1, over the vertices of each orthant; None where nothing separates the points."""
    d = len(z[0])
    units = [[Fraction(int(i == j)) for j in range(d)] for i in range(d)]
    faces = [(row, Fraction(1)) for row in z] + [(row, Fraction(0)) for row in units]
    best = None
    for chosen in combinations(faces, d):
        w = solved([row for row, _ in chosen], [value for _, value in chosen])
        if w is not None and all(value >= 1 for value in times(z, w)):
            size = sum(map(abs, w))
            best = size if best is None else min(best, size)
    return None if best is None else 1 / best


def square_of_least_norm(x: Matrix, y: Vector) -> Fraction | None:
    """min ‖w‖² subject to Xw = y; None where there is no solution."""
    kept = independent(x)
    if independent([[*row, value] for row, value in zip(x, y, strict=True)]) != kept:
        return None
    rows, labels = [x[i] for i in kept], [y[i] for i in kept]
    force = solved(gram(rows), labels) if kept else []
    return dot(force, labels) if force else Fraction(0)


def least_l1_norm(x: Matrix, y: Vector) -> Fraction | None:
    """min ‖w‖₁ subject to Xw = y, over all supports of independent columns; None where there is no solution."""
    kept = independent(x)
    if independent([[*row, value] for row, value in zip(x, y, strict=True)]) != kept:
        return None
    rows, labels = [x[i] for i in kept], [y[i] for i in kept]
    vertices = (
        solved([[row[j] for j in on] for row in rows], labels) for on in combinations(range(len(x[0])), len(rows))
    )
    return min(sum(map(abs, w), Fraction(0)) for w in vertices if w is not None)
