"""HHT of index 3 with a step that chooses itself: Negrut, Rampalli, Ottarsson, Sajdak (2007), sections 3.1 to 3.6.

Error estimate: |constant| h^2 x, x = a_{n+1} - a_n, with the paper's constant beta - 1 / (6 (1 + alpha)), or with
beta + alpha / 2 - 1 / 6, which is right from the second step on, where a_n stands for qdd at t_n + alpha h.
"""
import math

from newton import differences, solve, times
from schemes import hht_parameters, newmark_state, start, unbalance

SAFETY, STOP, SMALLEST, LARGEST, DEGREE, CORRECTIONS = 0.9, 1e-3, 0.2, 5.0, 3, 12


def error_constant(alpha, estimate):
    beta, _ = hht_parameters(alpha)
    return abs(beta - 1 / (6 * (1 + alpha)) if estimate == "printed" else beta + alpha / 2 - 1 / 6)


def extrapolated(history, t):
    """The polynomial of degree DEGREE at most through the last points (t, values), by divided differences and Horner's scheme."""
    points = history[-(DEGREE + 1):]
    times_, table = [p[0] for p in points], [list(p[1]) for p in points]
    count = len(points)
    for k in range(1, count):
        for i in reversed(range(k, count)):
            table[i] = [(a - b) / (times_[i] - times_[i - k]) for a, b in zip(table[i], table[i - 1])]
    value = table[-1]
    for k in reversed(range(count - 1)):
        value = [a * (t - times_[k]) + b for a, b in zip(value, table[k])]
    return value


class Run:
    """Counts, and the accepted steps as (t, h, theta, corrections)."""

    def __init__(self):
        self.steps, self.rejected, self.failed, self.corrections, self.factorizations, self.accepted = 0, 0, 0, 0, 0, []


def integrate(system, q, v, end, tolerance, alpha, h, estimate="corrected", seen=None, longest=math.inf):
    """seen(state) is called at each accepted step. The last step ends at `end`."""
    beta, gamma = hht_parameters(alpha)
    n, run = system.n, Run()
    s = start(system, q, v, 0.0)
    history = [(s.t, s.a + s.lam)]
    largest = [max(1.0, abs(c)) for c in q]
    while s.t < end * (1 - 1e-12):
        h = min(h, end - s.t, longest)
        psi = n * tolerance ** 2 / error_constant(alpha, estimate) ** 2
        old, t1 = unbalance(system, s.t, s.q, s.v, s.lam), s.t + h

        def residual(x):
            q1, v1 = newmark_state(system, s, h, beta, gamma, x[:n], False)
            inertia = times(system.mass(q1), x[:n])
            return ([a / (1 + alpha) + b - alpha / (1 + alpha) * c
                     for a, b, c in zip(inertia, unbalance(system, t1, q1, v1, x[n:]), old)]
                    + [c / (beta * h * h) for c in system.phi(q1, t1)])

        def norm(x):
            return math.sqrt(sum((a / y) ** 2 for a, y in zip(x, largest)))

        x, made = extrapolated(history, t1), 0
        for _ in range(2):  # the second time with a new matrix at the place reached
            matrix, last, done = differences(residual, x), None, False
            run.factorizations += 1
            for _ in range(CORRECTIONS):
                move = solve(matrix, residual(x))
                x = [a - b for a, b in zip(x, move)]
                run.corrections, made = run.corrections + 1, made + 1
                size = norm(move[:n])
                if last is not None:
                    rate = size / last if last else 0.0
                    if rate >= 1:
                        break
                    if (rate / (1 - rate) * size) ** 2 <= STOP ** 2 * psi / h ** 4:
                        done = True
                        break
                last = size
            if done:
                break
        if not done:
            run.failed += 1
            h /= 4
            continue
        theta = norm([a - b for a, b in zip(x[:n], s.a)]) ** 2 * h ** 4 / psi
        ratio = min(LARGEST, max(SMALLEST, SAFETY * theta ** (-1 / 6) if theta > 0 else LARGEST))
        if theta > 1:
            run.rejected += 1
            h *= ratio
            continue
        s.q, s.v = newmark_state(system, s, h, beta, gamma, x[:n], False)
        s.t, s.a, s.lam = t1, x[:n], x[n:]
        history = (history + [(t1, x)])[-(DEGREE + 1):]
        largest = [max(y, abs(c)) for y, c in zip(largest, s.q)]
        run.steps += 1
        run.accepted.append((t1, h, theta, made))
        if seen:
            seen(s)
        h *= ratio
    return run
