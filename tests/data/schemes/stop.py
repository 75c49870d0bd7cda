"""A mass dropped on a linear stop spring: the energy that each scheme makes or loses when the step is not cut at the contact.

m y'' = -m g - k min(y, 0): one coordinate and a law of two straight pieces, so that each step has a closed solution on
either piece. A drop: the mass is let go 0.1 m above the spring; drop i of n starts i / n of a step after that, on the
exact parabola, so that the contact falls on every part of the step. The gain is that of kinetic and potential energy at
the top of the next flight (the first step that does not rise): what a scheme carries over from the contact has died away there.
"""


class Scheme:
    """One step from (y, v) and its history; acceleration(y) is the law."""

    def __init__(self, kind, parameters, h, law):
        self.kind, self.h, self.law = kind, h, law
        if kind == "nstiff":
            return
        if kind == "hht":
            alpha, = parameters
            parameters = (0.0, -alpha, 0.5 - alpha, (1 - alpha) ** 2 / 4)
        elif kind == "newmark":
            parameters = (0.0, 0.0) + parameters
        elif kind == "generalized_alpha":
            rho, = parameters
            m, f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
            parameters = (m, f, 0.5 - m + f, (1 - m + f) ** 2 / 4)
        self.m, self.f, self.gamma, self.beta = parameters

    def begin(self, y, v):
        self.y, self.v, self.a = y, v, self.law(y)[0]
        self.acceleration, self.before = self.a, None

    def step(self):
        """y1 = base + factor * acceleration(y1) on the piece of the law that y1 lies on."""
        h = self.h
        if self.kind == "nstiff":
            if self.before is None:
                tau, y0, v0 = h, self.y, self.v
            else:
                tau = 2 * h / 3
                y0, v0 = (4 * self.y - self.before[0]) / 3, (4 * self.v - self.before[1]) / 3
            y1, acceleration = self.where(y0 + tau * v0, tau * tau)
            self.before = self.y, self.v
            self.y, self.v = y1, v0 + tau * acceleration
            return
        share = (1 - self.f) / (1 - self.m)
        carried = (self.f * self.acceleration - self.m * self.a) / (1 - self.m)
        base = self.y + h * self.v + h * h * ((0.5 - self.beta) * self.a + self.beta * carried)
        y1, acceleration = self.where(base, h * h * self.beta * share)
        a1 = share * acceleration + carried
        self.v += h * ((1 - self.gamma) * self.a + self.gamma * a1)
        self.y, self.a, self.acceleration = y1, a1, acceleration

    def where(self, base, factor):
        for side in (1.0, -1.0):
            acceleration, slope = self.law(side)  # of the piece y > 0, y < 0: value at y = 0 and slope
            acceleration -= slope * side
            y = (base + factor * acceleration) / (1 - factor * slope)
            if y * side >= 0:
                return y, acceleration + slope * y
        raise ArithmeticError("no piece of the law fits")


def gains(kind, parameters, h, stiffness, mass=40.0, height=0.1, gravity=9.81, drops=100):
    """Relative gain of energy above the spring at each drop."""

    def law(y):
        return (-gravity - stiffness / mass * y, -stiffness / mass) if y < 0 else (-gravity, 0.0)

    scheme, found = Scheme(kind, parameters, h, law), []
    for i in range(drops):
        t = i * h / drops
        scheme.begin(height - gravity * t * t / 2, -gravity * t)
        while scheme.v <= 0 or scheme.y < 0:  # down to the spring and up from it
            scheme.step()
        while scheme.v > 0:
            scheme.step()
        found.append((scheme.v ** 2 / 2 + gravity * scheme.y) / (gravity * height) - 1)
    return found
