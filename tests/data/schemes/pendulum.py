"""A unit mass on a unit rod in the plane, in Cartesian coordinates; alone, with a spring and damper, on a moving pivot."""
from newton import Decimal

GRAVITY = Decimal("9.81")


class Pendulum:
    """Phi = ((x - X)^2 + y^2 - 1) / 2, X = push t^2 / 2 the place of the pivot; spring and damper from the mass to the ground point."""

    n, m, blocks = 2, 1, ()

    def __init__(self, stiffness="0", damping="0", free="1", ground=("2", "-1"), push="0", material=False):
        self.stiffness, self.damping, self.free = Decimal(stiffness), Decimal(damping), Decimal(free)
        self.ground, self.push = [Decimal(c) for c in ground], Decimal(push)
        if material:
            self.force_jacobians = self.along_the_line

    def mass(self, q):
        return [[Decimal(1), Decimal(0)], [Decimal(0), Decimal(1)]]

    def line(self, q):
        arm = [q[0] - self.ground[0], q[1] - self.ground[1]]
        length = (arm[0] * arm[0] + arm[1] * arm[1]).sqrt()
        return length, [a / length for a in arm]

    def force(self, t, q, v):
        length, unit = self.line(q)
        pull = self.stiffness * (length - self.free) + self.damping * (unit[0] * v[0] + unit[1] * v[1])
        return [-pull * unit[0], -GRAVITY - pull * unit[1]]

    def along_the_line(self, t, q, v):
        """-k u u^T and -c u u^T: what stiffness and damping give along the element, without the turning of its line."""
        _, unit = self.line(q)
        return ([[-self.stiffness * a * b for b in unit] for a in unit], [[-self.damping * a * b for b in unit] for a in unit])

    def phi(self, q, t):
        x = q[0] - self.push * t * t / 2
        return [(x * x + q[1] * q[1] - 1) / 2]

    def phi_q(self, q, t):
        return [[q[0] - self.push * t * t / 2, q[1]]]

    def phi_t(self, q, t):
        return [-(q[0] - self.push * t * t / 2) * self.push * t]

    def bias(self, t, q, v):
        """From ((x - X)^2 + y^2)'' / 2 = 0."""
        x = q[0] - self.push * t * t / 2
        return [-(v[0] - self.push * t) ** 2 - v[1] ** 2 + x * self.push]
