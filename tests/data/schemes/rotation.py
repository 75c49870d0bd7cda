"""One rigid body with Euler parameters: about a fixed point, or held there by three rows on its centre of mass.

    4 L^T J L edd + g + e lambda = 2 L^T m,    (e^T e - 1) / 2 = 0,    omega = 2 L edot (body axes).

The gyroscopic term g is 8 L^T L Ldot^T J L edot as in Sherif, Nachbagauer, Steiner (2019) (9), or 2 L^T (omega x J omega),
which is the same where e^T edot = 0. The multiplier belongs to (e^T e - 1) / 2: with e^T e - 1 it is half of this one.
"""
from schemes import body_rates
from newton import dot, times, transposed_times


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def attitude(e):
    """A, body to ground."""
    a, b, c, d = e
    return [[a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), a * a + c * c - d * d - b * b, 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c]]


def angular_velocity(e, v):
    return [2 * c for c in times(body_rates(e), v)]


def rates(e, omega):
    """edot of the angular velocity in body axes."""
    return [c / 2 for c in transposed_times(body_rates(e), omega)]


def inertia(J, e):
    L = body_rates(e)
    return [[4 * sum(L[k][i] * J[k] * L[k][j] for k in range(3)) for j in range(4)] for i in range(4)]


def gyroscopic(J, e, v, literal):
    momentum = [j * w for j, w in zip(J, angular_velocity(e, v))]
    if not literal:
        return [2 * c for c in transposed_times(body_rates(e), cross(angular_velocity(e, v), momentum))]
    L = body_rates(e)
    inner = times(L, transposed_times(body_rates(v), momentum))  # body_rates is linear: Ldot = body_rates(edot)
    return [4 * c for c in transposed_times(L, inner)]


class AboutPoint:
    """q = e. J: principal moments about the point; a constant moment in body axes; weight (ground axes) at arm (body axes)."""

    n, m, blocks = 4, 1, (0,)

    def __init__(self, J, moment, arm, weight, literal=True):
        self.J, self.moment, self.arm, self.weight, self.literal = J, moment, arm, weight, literal

    def mass(self, q):
        return inertia(self.J, q)

    def force(self, t, q, v):
        lift = transposed_times(attitude(q), self.weight)
        moment = [a + b for a, b in zip(self.moment, cross(self.arm, lift))]
        return [2 * a - b for a, b in zip(transposed_times(body_rates(q), moment), gyroscopic(self.J, q, v, self.literal))]

    def phi(self, q, t):
        return [(dot(q, q) - 1) / 2]

    def phi_q(self, q, t):
        return [list(q)]

    def phi_t(self, q, t):
        return [0 * q[0]]

    def bias(self, t, q, v):
        return [-dot(v, v)]


class OnBallJoint:
    """q = (r, e): the point arm of the body, from its centre of mass r, stays at the origin; rows r + A arm, (e^T e - 1) / 2."""

    n, m, blocks = 7, 4, (3,)

    def __init__(self, mass, J, arm, weight):
        self.m_body, self.J, self.arm, self.weight = mass, J, arm, weight

    def mass(self, q):
        zero = 0 * q[0]
        top = [[self.m_body if i == j else zero for j in range(7)] for i in range(3)]
        return top + [[zero] * 3 + row for row in inertia(self.J, q[3:])]

    def force(self, t, q, v):
        return list(self.weight) + [-c for c in gyroscopic(self.J, q[3:], v[3:], True)]

    def phi(self, q, t):
        return [a + b for a, b in zip(q, times(attitude(q[3:]), self.arm))] + [(dot(q[3:], q[3:]) - 1) / 2]

    def arm_rates(self, e):
        """d (A arm) / d e: A is quadratic in e, so half of the sum of its polar form is exact."""
        zero, one = 0 * e[0], 0 * e[0] + 1
        columns = []
        for j in range(4):
            up = [x + (one if i == j else zero) for i, x in enumerate(e)]
            down = [x - (one if i == j else zero) for i, x in enumerate(e)]
            columns.append([(a - b) / 2 for a, b in zip(times(attitude(up), self.arm), times(attitude(down), self.arm))])
        return [[c[i] for c in columns] for i in range(3)]

    def phi_q(self, q, t):
        zero, one = 0 * q[0], 0 * q[0] + 1
        turned = self.arm_rates(q[3:])
        rows = [[one if i == j else zero for j in range(3)] + turned[i] for i in range(3)]
        return rows + [[zero] * 3 + list(q[3:])]

    def phi_t(self, q, t):
        return [0 * q[0]] * 4

    def bias(self, t, q, v):
        """A(e(t)) arm = ... + A(edot) arm per t^2: its second derivative without edd is twice A of the rates."""
        e = v[3:]
        return [-2 * c for c in times(attitude(e), self.arm)] + [-dot(e, e)]
