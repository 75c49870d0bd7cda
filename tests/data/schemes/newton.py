"""Equations in Decimal or float alike: linear solution and Newton's method with a matrix of differences.

No derivative of a residual is written down anywhere in this folder, so none can be wrong: in fifty digits a difference
over 1e-24 is a derivative in 24 digits.
"""
from decimal import Decimal, getcontext

getcontext().prec = 50


class Diverged(ArithmeticError):
    """Newton's method found no solution."""


def solve(matrix, right):
    """x of matrix x = right; Gauss with partial pivots. right: n numbers, or n rows of several columns."""
    n = len(matrix)
    columns = isinstance(right[0], list)
    rows = [list(matrix[i]) + (list(right[i]) if columns else [right[i]]) for i in range(n)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        head = rows[k]
        if head[k] == 0:
            raise Diverged("singular matrix")
        for i in range(k + 1, n):
            row = rows[i]
            if row[k] != 0:
                factor = row[k] / head[k]
                rows[i] = row[:k + 1] + [a - factor * b for a, b in zip(row[k + 1:], head[k + 1:])]
    x = [None] * n
    for i in reversed(range(n)):
        row = rows[i]
        if columns:
            x[i] = [(row[n + c] - sum(row[j] * x[j][c] for j in range(i + 1, n))) / row[i] for c in range(len(row) - n)]
        else:
            x[i] = (row[n] - sum(row[j] * x[j] for j in range(i + 1, n))) / row[i]
    return x


def differences(function, x, base=None):
    """Matrix d function / d x, by rows."""
    base = function(x) if base is None else base
    exact = isinstance(x[0], Decimal)
    columns = []
    for j, value in enumerate(x):
        step = (Decimal("1e-24") if exact else 1.5e-8) * (1 + abs(value))
        moved = list(x)
        moved[j] = value + step
        step = moved[j] - value
        columns.append([(a - b) / step for a, b in zip(function(moved), base)])
    return [[column[i] for column in columns] for i in range(len(base))]


def newton(residual, x):
    """Zero of the residual near x, to all digits that the arithmetic has."""
    exact = isinstance(x[0], Decimal)
    done, loose = (Decimal("1e-38"), Decimal("1e-30")) if exact else (1e-13, 1e-7)
    last = None
    for _ in range(40):
        base = residual(x)
        move = solve(differences(residual, x, base), base)
        x = [a - b for a, b in zip(x, move)]
        change = max(abs(d) / (1 + abs(a)) for a, d in zip(x, move))
        if change <= done or (last is not None and change < loose and change >= last):
            return x
        if not change < 1e12:
            break
        last = change
    raise Diverged("no convergence")


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def times(matrix, x):
    return [dot(row, x) for row in matrix]


def transposed_times(matrix, x):
    """matrix^T x; the empty matrix has no columns to give."""
    return [sum(row[j] * f for row, f in zip(matrix, x)) for j in range(len(matrix[0]))]
