"""Slider crank with a spring and damper, two rods and a massless slider: in six Cartesian coordinates, and by its crank angle.

Crank 3 kg, 0.3 m, pinned at the origin; rod 0.9 kg, 0.6 m; its end B slides on the x axis; spring 100 N/m, damper 5 N s/m
along x between B and the origin, free length 0.9 m; gravity along -y; let go with the crank along +x.
"""
import math

M1, L1, M2, L2 = 3.0, 0.3, 0.9, 0.6
STIFFNESS, DAMPING, FREE, GRAVITY = 100.0, 5.0, 0.9, 9.81


class SliderCrank:
    """q = (x, y, angle) of crank and rod, at their middles; rows: pin, joint of crank and rod, B on the axis."""

    n, m, blocks = 6, 5, ()
    diagonal = [M1, M1, M1 * L1 * L1 / 12, M2, M2, M2 * L2 * L2 / 12]

    def mass(self, q):
        return [[d if i == j else 0.0 for j in range(6)] for i, d in enumerate(self.diagonal)]

    def force(self, t, q, v):
        s, c = math.sin(q[5]), math.cos(q[5])
        pull = -STIFFNESS * (q[3] + L2 / 2 * c - FREE) - DAMPING * (v[3] - L2 / 2 * s * v[5])
        return [0.0, -M1 * GRAVITY, 0.0, pull, -M2 * GRAVITY, -pull * L2 / 2 * s]

    def phi(self, q, t):
        c1, s1, c2, s2 = math.cos(q[2]), math.sin(q[2]), math.cos(q[5]), math.sin(q[5])
        return [q[0] - L1 / 2 * c1, q[1] - L1 / 2 * s1,
                q[3] - L2 / 2 * c2 - q[0] - L1 / 2 * c1, q[4] - L2 / 2 * s2 - q[1] - L1 / 2 * s1, q[4] + L2 / 2 * s2]

    def phi_q(self, q, t):
        c1, s1, c2, s2 = (L1 / 2 * math.cos(q[2]), L1 / 2 * math.sin(q[2]), L2 / 2 * math.cos(q[5]), L2 / 2 * math.sin(q[5]))
        return [[1.0, 0.0, s1, 0.0, 0.0, 0.0], [0.0, 1.0, -c1, 0.0, 0.0, 0.0],
                [-1.0, 0.0, s1, 1.0, 0.0, s2], [0.0, -1.0, -c1, 0.0, 1.0, -c2], [0.0, 0.0, 0.0, 0.0, 1.0, c2]]

    def phi_t(self, q, t):
        return [0.0] * 5

    def bias(self, t, q, v):
        w1, w2 = v[2] ** 2, v[5] ** 2
        x1, y1, x2, y2 = L1 / 2 * math.cos(q[2]), L1 / 2 * math.sin(q[2]), L2 / 2 * math.cos(q[5]), L2 / 2 * math.sin(q[5])
        return [-x1 * w1, -y1 * w1, -x2 * w2 - x1 * w1, -y2 * w2 - y1 * w1, y2 * w2]


def placed(angle, rate):
    """The six coordinates and velocities at a crank angle."""
    c, s = math.cos(angle), math.sin(angle)
    other = -math.asin(L1 / L2 * s)
    c2, s2 = math.cos(other), math.sin(other)
    turn = -L1 / L2 * c / c2 * rate
    q = [L1 / 2 * c, L1 / 2 * s, angle, L1 * c + L2 / 2 * c2, L1 * s + L2 / 2 * s2, other]
    v = [-L1 / 2 * s * rate, L1 / 2 * c * rate, rate, -L1 * s * rate - L2 / 2 * s2 * turn, L1 * c * rate + L2 / 2 * c2 * turn, turn]
    return q, v


def crank_acceleration(angle, rate):
    """Lagrange's equation of the crank angle: I(angle) angle'' + I' / 2 rate^2 = Q(angle, rate)."""
    c, s, ratio = math.cos(angle), math.sin(angle), L1 / L2
    other = -math.asin(ratio * s)
    c2, s2 = math.cos(other), math.sin(other)
    p = -ratio * c / c2
    pp = ratio * (s * c2 - c * s2 * p) / (c2 * c2)
    x, y = -L1 * s - L2 / 2 * s2 * p, L1 * c + L2 / 2 * c2 * p
    xx, yy = -L1 * c - L2 / 2 * (c2 * p * p + s2 * pp), -L1 * s - L2 / 2 * (s2 * p * p - c2 * pp)
    j2 = M2 * L2 * L2 / 12
    whole = M1 * L1 * L1 / 3 + M2 * (x * x + y * y) + j2 * p * p
    slope = M2 * (x * xx + y * yy) + j2 * p * pp
    end, moved = L1 * c + L2 * c2, -L1 * s - L2 * s2 * p
    pull = -STIFFNESS * (end - FREE) - DAMPING * moved * rate
    load = pull * moved - GRAVITY * (M1 * L1 / 2 * c + M2 * y)
    return (load - slope * rate * rate) / whole


def runge_kutta(angle, rate, h):
    k1 = rate, crank_acceleration(angle, rate)
    k2 = rate + h / 2 * k1[1], crank_acceleration(angle + h / 2 * k1[0], rate + h / 2 * k1[1])
    k3 = rate + h / 2 * k2[1], crank_acceleration(angle + h / 2 * k2[0], rate + h / 2 * k2[1])
    k4 = rate + h * k3[1], crank_acceleration(angle + h * k3[0], rate + h * k3[1])
    return tuple(x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip((angle, rate), k1, k2, k3, k4))


class Exact:
    """The motion by the crank angle: Runge and Kutta of order 4 at 0.1 ms, errors 1e-12; at any time from the point before."""

    step = 1e-4

    def __init__(self, end, angle=0.0):
        self.points = [(angle, 0.0)]
        for _ in range(round(end / self.step)):
            self.points.append(runge_kutta(*self.points[-1], self.step))

    def at(self, t):
        i = min(int(t / self.step), len(self.points) - 1)
        return placed(*runge_kutta(*self.points[i], t - i * self.step))
