"""The largest response of a ReLU neuron on the sphere, exactly: its square is a fraction."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from answers.exact import Interval, Matrix, Vector, whole
from answers.proof import demand

Point = Sequence[int]
MOST = 8  # points in one plane with the origin and a ray: each may be active or not


def largest_response(x: Matrix, c: Vector) -> Interval:
    """max over the unit sphere of |Σ c_i (u·x_i)₊|, for points that span the space.

    On a face of the arrangement {u·x_i = 0} the sum is linear, g·u, and where |g·u| is largest u is, up to sign and
    length, g, or the part of g in the face's plane, or the face's ray. What is tried besides are points of the sphere
    too, and what they reach is no more.
    """
    (points, scale), ((weights,), other) = whole(x), whole([c])
    best, seen, spans = Fraction(0), set(), False
    for ray, on, beside in rays(points):
        spans = spans or len(on) < len(points)
        found = [ray]
        for choice in range(1 << len(on)):
            active = beside | {k for bit, k in enumerate(on) if choice >> bit & 1}
            g = [sum(weights[k] * points[k][axis] for k in active) for axis in range(3)]
            for k in (None, *on):
                if (active, k) not in seen:
                    seen.add((active, k))
                    found.append(g if k is None else flat(g, points[k]))
        for u in found:
            for sign in (1, -1):
                if any(u):
                    reached = sum(w * max(0, sign * dot(u, point)) for w, point in zip(weights, points, strict=True))
                    best = max(best, Fraction(reached * reached, dot(u, u)))
    demand(spans, "the points lie in one plane with the origin")
    return Interval(best / (scale * other) ** 2).sqrt()


def rays(points: Sequence[Point]) -> Iterator[tuple[Point, list[int], frozenset[int]]]:
    """The rays ±x_i × x_j in which every face ends, each with the points orthogonal to it and those active there.

    All patterns of the faces around a ray are seen from it: there the points orthogonal to it may be active or not.
    """
    for i, one in enumerate(points):
        for other in points[:i]:
            ray = cross(one, other)
            if any(ray):
                sides = [dot(ray, point) for point in points]
                on = [k for k, side in enumerate(sides) if side == 0]
                demand(len(on) <= MOST, f"more than {MOST} points lie in one plane with the origin")
                for sign in (1, -1):
                    yield [sign * axis for axis in ray], on, frozenset(k for k, a in enumerate(sides) if sign * a > 0)


def cross(a: Point, b: Point) -> Point:
    """a × b."""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a: Point, b: Point) -> int:
    """a·b, in space."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def flat(g: Point, normal: Point) -> Point:
    """The part of g orthogonal to a point, times the square of its norm."""
    square, along = dot(normal, normal), dot(g, normal)
    return [square * a - along * b for a, b in zip(g, normal, strict=True)]
