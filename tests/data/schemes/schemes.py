"""One step of each time integration scheme, as residual of its unknowns, for constrained systems

    M(q) qdd + Phi_q^T lambda = Q(t, q, v),   Phi(q, t) = 0.

Written from the equations of the papers, read against their corrections; shares nothing with the engine. A system has
n coordinates, m constraints, mass(q), force(t, q, v), phi(q, t), phi_q(q, t), phi_t(q, t), bias(t, q, v) (so that
Phi_q qdd = bias) and blocks, the first index of each quadruple of Euler parameters.

  newmark, trapezoid, hht     Negrut, Jay, Khude (2009) (5) to (8)
  nstiff, nstiff_si2          (3), (4); (9), (10)
  hht_si2, hht_add            (12), (13); (11) with b = 0 and a in the velocities
  generalized_alpha           Arnold and Bruels (2007): equilibrium at t_n, auxiliary accelerations a
  modified                    Sherif, Nachbagauer, Steiner (2019) (33), (34) on the blocks of Euler parameters
  linearly_implicit_euler     Carpinelli and others, Tables 1 and 2
"""
from newton import differences, dot, newton, solve, times, transposed_times


class State:
    """Time, coordinates, velocities, a (what the scheme carries), qdd (equilibrium at t), multipliers; step before."""

    def __init__(self, t, q, v, a, qdd, lam, before=None):
        self.t, self.q, self.v, self.a, self.qdd, self.lam, self.before = t, q, v, a, qdd, lam, before


def accelerations(system, t, q, v):
    """qdd and lambda of M qdd + Phi_q^T lambda = Q, Phi_q qdd = bias."""
    mass, rows = system.mass(q), system.phi_q(q, t)
    n, m = system.n, system.m
    zero = 0 * q[0]
    matrix = [list(mass[i]) + [rows[k][i] for k in range(m)] for i in range(n)]
    matrix += [list(rows[k]) + [zero] * m for k in range(m)]
    x = solve(matrix, list(system.force(t, q, v)) + list(system.bias(t, q, v)))
    return x[:n], x[n:]


def start(system, q, v, t):
    qdd, lam = accelerations(system, t, q, v)
    return State(t, list(q), list(v), qdd, qdd, lam)


def unbalance(system, t, q, v, lam):
    """Phi_q^T lambda - Q."""
    return [a - b for a, b in zip(transposed_times(system.phi_q(q, t), lam), system.force(t, q, v))]


# ------------------------------------------------------------------------------------------------ Euler parameters
def body_rates(e):
    """L of omega = 2 L edot, body axes."""
    return [[-e[1], e[0], e[3], -e[2]], [-e[2], -e[3], e[0], e[1]], [-e[3], e[2], -e[1], e[0]]]


def modified_velocity(h, gamma, e, v, a, e1, a1):
    """(34)."""
    old = body_rates(e)
    w = [x + h * (1 - gamma) * y for x, y in zip(times(old, v), times(old, a))]
    along = dot(e1, a1)
    return [x + h * gamma * (y - along * z) for x, y, z in zip(transposed_times(body_rates(e1), w), a1, e1)]


def turned(system, force, q, q1):
    """Old generalised forces in the new frame: L_{n+1}^T L_n of every block, which drops what lies along e_n."""
    force = list(force)
    for b in system.blocks:
        moment = times(body_rates(q[b:b + 4]), force[b:b + 4])
        force[b:b + 4] = transposed_times(body_rates(q1[b:b + 4]), moment)
    return force


def newmark_state(system, s, h, beta, gamma, a1, modified):
    """q, v after h with the accelerations a1: Newmark's formulas, or (33), (34) on Euler parameters."""
    q1 = [q + h * v + h * h / 2 * ((1 - 2 * beta) * a + 2 * beta * b) for q, v, a, b in zip(s.q, s.v, s.a, a1)]
    v1 = [v + h * ((1 - gamma) * a + gamma * b) for v, a, b in zip(s.v, s.a, a1)]
    if modified:
        for b in system.blocks:
            one = slice(b, b + 4)
            v1[one] = modified_velocity(h, gamma, s.q[one], s.v[one], s.a[one], q1[one], a1[one])
    return q1, v1


def projected_velocities(system, s):
    """The velocities nearest to v, measured by the mass matrix, with Phi_q v + Phi_t = 0."""
    n, rows, mass = system.n, system.phi_q(s.q, s.t), [list(row) for row in system.mass(s.q)]
    right = times(mass, s.v) + [-c for c in system.phi_t(s.q, s.t)]
    return saddle(mass, rows, rows, right)[:n]


# ------------------------------------------------------------------------------------------------ index 3, one step
def newmark(system, s, h, gamma, beta, modified=False):
    n, t1 = system.n, s.t + h

    def residual(x):
        q1, v1 = newmark_state(system, s, h, beta, gamma, x[:n], modified)
        inertia = times(system.mass(q1), x[:n])
        return ([a + b for a, b in zip(inertia, unbalance(system, t1, q1, v1, x[n:]))]
                + [c / (beta * h * h) for c in system.phi(q1, t1)])

    x = newton(residual, s.a + s.lam)
    q1, v1 = newmark_state(system, s, h, beta, gamma, x[:n], modified)
    return State(t1, q1, v1, x[:n], x[:n], x[n:], s)


def trapezoid(system, s, h, modified=False):
    half = h / h / 2
    return newmark(system, s, h, half, half / 2, modified)


def hht_parameters(alpha):
    return (1 - alpha) * (1 - alpha) / 4, (1 - 2 * alpha) / 2


def hht(system, s, h, alpha, modified=False, weighting="printed"):
    """weighting of the old forces: printed, or frame (turned into the new frame of each body)."""
    beta, gamma = hht_parameters(alpha)
    n, t1 = system.n, s.t + h
    old = unbalance(system, s.t, s.q, s.v, s.lam)

    def residual(x):
        q1, v1 = newmark_state(system, s, h, beta, gamma, x[:n], modified)
        inertia = times(system.mass(q1), x[:n])
        before = turned(system, old, s.q, q1) if weighting == "frame" else old
        return ([a / (1 + alpha) + b - alpha / (1 + alpha) * c
                 for a, b, c in zip(inertia, unbalance(system, t1, q1, v1, x[n:]), before)]
                + [c / (beta * h * h) for c in system.phi(q1, t1)])

    x = newton(residual, s.a + s.lam)
    q1, v1 = newmark_state(system, s, h, beta, gamma, x[:n], modified)
    return State(t1, q1, v1, x[:n], None, x[n:], s)


def alpha_parameters(rho):
    """alpha_m, alpha_f, gamma, beta of the spectral radius rho."""
    alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    half = (rho + 1) / (rho + 1) / 2
    gamma = half - alpha_m + alpha_f
    return alpha_m, alpha_f, gamma, (gamma + half) ** 2 / 4


def hht_as_alpha(alpha):
    """alpha_m, alpha_f, gamma, beta with which generalized_alpha is hht."""
    beta, gamma = hht_parameters(alpha)
    return 0 * alpha, -alpha, gamma, beta


def generalized_alpha(system, s, h, alpha_m, alpha_f, gamma, beta, modified=False):
    """(1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) qdd_{n+1} + alpha_f qdd_n, a_0 = qdd_0.

    modified: for Euler parameters this holds for L a and L qdd (angular accelerations in body axes); the fourth
    component of a_{n+1} is what the unit length at t_{n+1} asks of (33).
    """
    n, t1 = system.n, s.t + h
    averaged = range(n)
    if modified:
        in_blocks = {b + i for b in system.blocks for i in range(4)}
        averaged = [i for i in range(n) if i not in in_blocks]

    def split(x):
        return x[:n], x[n:2 * n], x[2 * n:]

    def residual(x):
        a1, qdd1, lam1 = split(x)
        q1, v1 = newmark_state(system, s, h, beta, gamma, a1, modified)
        balance = [a + b for a, b in zip(times(system.mass(q1), qdd1), unbalance(system, t1, q1, v1, lam1))]
        mix = [(1 - alpha_m) * a1[i] + alpha_m * s.a[i] - (1 - alpha_f) * qdd1[i] - alpha_f * s.qdd[i] for i in averaged]
        if modified:
            for b in system.blocks:
                one = slice(b, b + 4)
                new, old = body_rates(q1[one]), body_rates(s.q[one])
                for x1, y1, x0, y0 in zip(times(new, a1[one]), times(new, qdd1[one]), times(old, s.a[one]), times(old, s.qdd[one])):
                    mix.append((1 - alpha_m) * x1 + alpha_m * x0 - (1 - alpha_f) * y1 - alpha_f * y0)
                mix.append(dot(q1[one], qdd1[one]) + dot(v1[one], v1[one]))  # qdd of a unit quadruple; nothing else asks for it
        return balance + mix + [c / (beta * h * h) for c in system.phi(q1, t1)]

    a1, qdd1, lam1 = split(newton(residual, s.a + s.qdd + s.lam))
    q1, v1 = newmark_state(system, s, h, beta, gamma, a1, modified)
    return State(t1, q1, v1, a1, qdd1, lam1, s)


# ------------------------------------------------------------------------------------------------ two steps
def two_steps(now, before, name):
    """4/3 x_n - 1/3 x_{n-1}, and the fraction of h that multiplies the new rate; backward Euler on the first step."""
    if before is None:
        return list(getattr(now, name)), 1
    return [(4 * a - b) / 3 for a, b in zip(getattr(now, name), getattr(before, name))], None


def nstiff(system, s, h):
    """First step: backward Euler in the same form, q1 = q0 + h v0 + h^2 qdd1, v1 = v0 + h qdd1."""
    n, t1 = system.n, s.t + h
    q_old, first = two_steps(s, s.before, "q")
    v_old, _ = two_steps(s, s.before, "v")
    tau = h if first else 2 * h / 3

    def after(a1):
        v1 = [v + tau * a for v, a in zip(v_old, a1)]
        return [q + tau * v for q, v in zip(q_old, v1)], v1

    def residual(x):
        q1, v1 = after(x[:n])
        inertia = times(system.mass(q1), x[:n])
        return ([a + b for a, b in zip(inertia, unbalance(system, t1, q1, v1, x[n:]))]
                + [c / (tau * tau) for c in system.phi(q1, t1)])

    x = newton(residual, s.a + s.lam)
    q1, v1 = after(x[:n])
    return State(t1, q1, v1, x[:n], x[:n], x[n:], s)


def nstiff_si2(system, s, h):
    """Unknowns vdot, qdot, lambda, mu; first step: backward Euler in the same form."""
    n, m, t1 = system.n, system.m, s.t + h
    q_old, first = two_steps(s, s.before, "q")
    v_old, _ = two_steps(s, s.before, "v")
    tau = h if first else 2 * h / 3

    def after(x):
        return [q + tau * d for q, d in zip(q_old, x[n:2 * n])], [v + tau * a for v, a in zip(v_old, x[:n])]

    def residual(x):
        q1, v1 = after(x)
        rows = system.phi_q(q1, t1)
        inertia = times(system.mass(q1), x[:n])
        correction = transposed_times(rows, x[2 * n + m:])
        return ([a + b for a, b in zip(inertia, unbalance(system, t1, q1, v1, x[2 * n:2 * n + m]))]
                + [v - d + c for v, d, c in zip(v1, x[n:2 * n], correction)]
                + [c / tau for c in system.phi(q1, t1)]
                + [(a + b) / tau for a, b in zip(times(rows, v1), system.phi_t(q1, t1))])

    x = newton(residual, s.a + s.v + s.lam + [0 * c for c in s.lam])
    q1, v1 = after(x)
    return State(t1, q1, v1, x[:n], x[:n], x[2 * n:2 * n + m], s)


# ------------------------------------------------------------------------------------------------ velocity constraints
def hht_si2(system, s, h, alpha):
    beta, gamma = hht_parameters(alpha)
    n, m, t1 = system.n, system.m, s.t + h
    old = unbalance(system, s.t, s.q, s.v, s.lam)
    between = system.mass([q + h * (1 + alpha) * v for q, v in zip(s.q, s.v)])

    def after(x):
        q1, v1 = newmark_state(system, s, h, beta, gamma, x[:n], False)
        return [q + h * h / 2 * c for q, c in zip(q1, x[n:2 * n])], v1

    def residual(x):
        q1, v1 = after(x)
        rows = system.phi_q(q1, t1)
        forces = unbalance(system, t1, q1, v1, x[2 * n:2 * n + m])
        correction = transposed_times(rows, x[2 * n + m:])
        return ([a / (1 + alpha) + b - alpha / (1 + alpha) * c for a, b, c in zip(times(between, x[:n]), forces, old)]
                + [a - b for a, b in zip(times(between, x[n:2 * n]), correction)]
                + [c / (h * h) for c in system.phi(q1, t1)]
                + [(a + b) / h for a, b in zip(times(rows, v1), system.phi_t(q1, t1))])

    x = newton(residual, s.a + [0 * c for c in s.q] + s.lam + [0 * c for c in s.lam])
    q1, v1 = after(x)
    return State(t1, q1, v1, x[:n], None, x[2 * n:2 * n + m], s)


def applied_accelerations(system, t, q, v):
    return solve(system.mass(q), system.force(t, q, v))


def hht_add_start(system, q, v, t):
    """a_0 = M^-1 Q: this scheme carries the accelerations of the applied forces alone."""
    s = start(system, q, v, t)
    s.a = applied_accelerations(system, t, q, v)
    return s


def hht_add(system, s, h, alpha):
    beta, gamma = hht_parameters(alpha)
    n, m, t1 = system.n, system.m, s.t + h
    f0 = applied_accelerations(system, s.t, s.q, s.v)

    def reaction(q, t, psi):
        return [-x for x in solve(system.mass(q), transposed_times(system.phi_q(q, t), psi))]

    def after(x):
        """b = 0: psi_I at the old place makes the positions fit, psi_II at the new one the velocities."""
        first = reaction(s.q, s.t, x[n:n + m])
        q1, v1 = newmark_state(system, s, h, beta, gamma, x[:n], False)
        q1 = [q + h * h / 2 * r for q, r in zip(q1, first)]
        second = reaction(q1, t1, x[n + m:])
        return q1, [v + h / 2 * (a + b) for v, a, b in zip(v1, first, second)]

    def residual(x):
        q1, v1 = after(x)
        f1 = applied_accelerations(system, t1, q1, v1)
        return ([a - (1 + alpha) * b + alpha * c for a, b, c in zip(x[:n], f1, f0)]
                + [c / (h * h) for c in system.phi(q1, t1)]
                + [(a + b) / h for a, b in zip(times(system.phi_q(q1, t1), v1), system.phi_t(q1, t1))])

    x = newton(residual, s.a + s.lam + s.lam)
    q1, v1 = after(x)
    return State(t1, q1, v1, x[:n], None, x[n + m:], s)


# ------------------------------------------------------------------------------------------------ linearly implicit
def force_jacobians(system, t, q, v):
    """dQ/dq, dQ/dv: all of the force elements, as the system says or by differences."""
    if hasattr(system, "force_jacobians"):
        return system.force_jacobians(t, q, v)
    return differences(lambda x: system.force(t, x, v), q), differences(lambda x: system.force(t, q, x), v)


def implicit_matrix(system, s, h):
    """W = M - h Jv - h^2 Jq, and h Q + h^2 Jq v."""
    by_q, by_v = force_jacobians(system, s.t, s.q, s.v)
    mass, n = system.mass(s.q), system.n
    matrix = [[mass[i][j] - h * by_v[i][j] - h * h * by_q[i][j] for j in range(n)] for i in range(n)]
    pull = times(by_q, s.v)
    return matrix, [h * f + h * h * p for f, p in zip(system.force(s.t, s.q, s.v), pull)]


def saddle(mass, upper, lower, right):
    n, m = len(mass), len(upper)
    zero = 0 * right[0]
    matrix = [list(mass[i]) + [upper[k][i] for k in range(m)] for i in range(n)]
    return solve(matrix + [list(lower[k]) + [zero] * m for k in range(m)], right)


def projected(system, s, h, dq, metric=None):
    """One correction of dq onto Phi(q_{n+1}) = 0 with Phi_q of the old place and the mass matrix, (30), or another metric."""
    n, t1 = system.n, s.t + h
    rows = system.phi_q(s.q, s.t)
    missed = system.phi([q + d for q, d in zip(s.q, dq)], t1)
    scaled = [[h * c for c in row] for row in rows]
    x = saddle(metric or system.mass(s.q), scaled, rows, [0 * q for q in s.q] + [-c for c in missed])
    return [q + d + c for q, d, c in zip(s.q, dq, x[:n])]


def linearly_implicit_euler(system, s, h):
    n, t1 = system.n, s.t + h
    matrix, right = implicit_matrix(system, s, h)
    predicted = [q + h * v for q, v in zip(s.q, s.v)]
    rows, ahead = system.phi_q(s.q, s.t), system.phi_q(predicted, t1)
    scaled = [[h * c for c in row] for row in rows]
    speed = [-a - b for a, b in zip(times(ahead, s.v), system.phi_t(predicted, t1))]
    x = saddle(matrix, scaled, ahead, right + speed)
    dv = x[:n]
    v1 = [v + d for v, d in zip(s.v, dv)]
    q1 = projected(system, s, h, [h * v for v in v1])
    return State(t1, q1, v1, [d / h for d in dv], None, x[n:], s)


def largest_pivots(rows):
    """Independent coordinates: those that complete pivoting on Phi_q leaves over; as rows of B."""
    m, n = len(rows), len(rows[0])
    work, free = [list(r) for r in rows], list(range(n))
    for k in range(m):
        i, j = max(((i, j) for i in range(k, m) for j in free), key=lambda ij: abs(work[ij[0]][ij[1]]))
        work[k], work[i] = work[i], work[k]
        free.remove(j)
        for r in range(k + 1, m):
            factor = work[r][j] / work[k][j]
            work[r] = [a - factor * b for a, b in zip(work[r], work[k])]
    one = rows[0][0] * 0 + 1
    return [[one if j == f else 0 * one for j in range(n)] for f in free]


def linearly_implicit_euler_independent(system, s, h, choice, by_matrix=False):
    """choice(rows of Phi_q): B, the rows of the independent velocities zd = B v, chosen at the start of the step. by_matrix:
    W takes the place of M in the projection (30).

    dv of the independent accelerations; the new velocities are those with the new zd that satisfy the constraints at
    the new place.
    """
    n, m, t1 = system.n, system.m, s.t + h
    matrix, right = implicit_matrix(system, s, h)
    rows = system.phi_q(s.q, s.t)
    chosen = choice(rows)
    one = h / h
    unit = [[one if i == j else 0 * one for j in range(n)] for i in range(n)]
    inverse = solve(rows + chosen, unit)
    particular = [row[:m] for row in inverse]
    free = [row[m:] for row in inverse]
    along = times(particular, [h * b for b in system.bias(s.t, s.q, s.v)])
    reduced = [[dot([row[i] for row in free], times(matrix, [row[j] for row in free])) for j in range(n - m)] for i in range(n - m)]
    load = [a - b for a, b in zip(right, times(matrix, along))]
    dz = solve(reduced, [dot([row[i] for row in free], load) for i in range(n - m)])
    dv = [a + b for a, b in zip(times(free, dz), along)]
    q1 = projected(system, s, h, [h * (v + d) for v, d in zip(s.v, dv)], matrix if by_matrix else None)
    rates = times(chosen, [v + d for v, d in zip(s.v, dv)])
    v1 = solve(system.phi_q(q1, t1) + chosen, [-c for c in system.phi_t(q1, t1)] + rates)
    left = [a - b for a, b in zip(right, times(matrix, dv))]  # = h Phi_q^T lambda
    lam = times([[row[k] / h for row in particular] for k in range(m)], left)
    return State(t1, q1, v1, [d / h for d in dv], None, lam, s)
