#!/usr/bin/env python3
"""Writes the tables of this folder, or computes them anew and compares: what is in them, README.md beside this file.

  tests/data/schemes/write.py [NAME...]           writes all tables, or those named (pendulum, rotation, ...)
  tests/data/schemes/write.py --check [NAME...]   computes and compares, to 1e-13 what has all digits, to 1e-5 what has six

Either way the checks that a table must pass are printed; one that fails ends the program with 1. All: about ten minutes.
"""
import argparse
import math
import pathlib
import sys

import pendulum
import rotation
import schemes
import slider_crank
import stop
import variable_step
from newton import Decimal, Diverged, dot

HERE = pathlib.Path(__file__).resolve().parent
STEPS = (1, 2, 3, 100)
faults = []


def shown(what, passed):
    print(("ok    " if passed else "FAULT ") + what, flush=True)
    if not passed:
        faults.append(what)


def cell(x):
    if isinstance(x, Decimal):
        return f"{x:.16e}" if x else "0"
    return f"{x:.6g}" if isinstance(x, float) else str(x)


def march(system, s, step, last=STEPS[-1]):
    """States by step number; of those before the last two only what is asked for is kept."""
    found = {}
    for i in range(1, last + 1):
        s = step(s)
        if s.before:
            s.before.before = None
        if i in STEPS:
            found[i] = s
    return found


def decimal(*words):
    return [Decimal(w) for w in words]


# ------------------------------------------------------------------------------------------------ pendulum
PENDULUMS = {
    "rod": {},
    "spring": {"stiffness": "40", "damping": "3"},
    "driven": {"push": "1.5"},
}


def tangent(rows):
    return [[-rows[0][1], rows[0][0]]]


def pendulum_cases(name, settings, h):
    """scheme, parameter, option, start, step."""
    system = pendulum.Pendulum(**settings)
    begin = schemes.start
    yield "newmark", "0.6", "", begin, lambda s: schemes.newmark(system, s, h, Decimal("0.6"), Decimal("0.3025"))
    yield "trapezoid", "0", "", begin, lambda s: schemes.trapezoid(system, s, h)
    for word in ("-0.05", "-0.1", "-0.3"):
        yield "hht", word, "", begin, lambda s, a=Decimal(word): schemes.hht(system, s, h, a)
    for word in ("0", "0.5", "0.8", "0.9", "1"):
        yield "generalized_alpha", word, "", begin, lambda s, r=Decimal(word): schemes.generalized_alpha(
            system, s, h, *schemes.alpha_parameters(r))
    yield "nstiff", "0", "", begin, lambda s: schemes.nstiff(system, s, h)
    yield "nstiff_si2", "0", "", begin, lambda s: schemes.nstiff_si2(system, s, h)
    for word in ("0", "-0.05", "-0.3"):
        yield "hht_si2", word, "", begin, lambda s, a=Decimal(word): schemes.hht_si2(system, s, h, a)
        yield "hht_add", word, "", schemes.hht_add_start, lambda s, a=Decimal(word): schemes.hht_add(system, s, h, a)
    material = pendulum.Pendulum(material=True, **settings)
    for body, kind in ((system, "all"), (material, "line")) if name == "spring" else ((system, "all"),):
        yield "linearly_implicit_euler", "0", "dependent " + kind, begin, lambda s, b=body: schemes.linearly_implicit_euler(b, s, h)
        for choice, label in ((schemes.largest_pivots, "pivots"), (tangent, "tangent")):
            yield ("linearly_implicit_euler", "0", label + " " + kind, begin,
                   lambda s, b=body, c=choice: schemes.linearly_implicit_euler_independent(b, s, h, c))
    if name == "spring":
        yield ("linearly_implicit_euler", "0", "pivots line W", begin,
               lambda s: schemes.linearly_implicit_euler_independent(material, s, h, schemes.largest_pivots, True))


def pendulum_rows(h=Decimal("0.01")):
    for name, settings in PENDULUMS.items():
        system = pendulum.Pendulum(**settings)
        for scheme, parameter, option, begin, step in pendulum_cases(name, settings, h):
            for i, s in march(system, begin(system, decimal("1", "0"), decimal("0", "0"), Decimal(0)), step).items():
                qdd, lam = schemes.accelerations(system, s.t, s.q, s.v)
                yield [name, scheme, parameter, option, i] + s.q + s.v + s.a + s.lam + qdd + lam


def read(name):
    lines = [line for line in (HERE / name).read_text().splitlines() if line and not line.startswith("#")]
    return [line.split(",") for line in lines[2:]]


def check_pendulum(rows):
    mine = {(r[1], r[2], r[4]): r[5:12] for r in rows if r[0] == "rod" and r[3] in ("", "dependent all")}
    worst = 0.0
    for scheme, parameter, step, *numbers in read("pendulum_other.csv"):
        worst = max(worst, max(abs(float(a) - float(b)) for a, b in zip(mine[scheme, parameter, int(step)], numbers)))
    shown(f"nine schemes agree with the other program in steps 1, 2, 3, 100: {worst:.1e}", worst < 1e-13)
    h, worst = Decimal("0.01"), Decimal(0)
    for settings in PENDULUMS.values():
        system = pendulum.Pendulum(**settings)
        for word in ("-0.05", "-0.3"):
            alpha = Decimal(word)
            begin = schemes.start(system, decimal("1", "0"), decimal("0", "0"), Decimal(0))
            one = march(system, begin, lambda s: schemes.hht(system, s, h, alpha))[100]
            two = march(system, begin, lambda s: schemes.generalized_alpha(system, s, h, *schemes.hht_as_alpha(alpha)))[100]
            worst = max([worst] + [abs(a - b) for a, b in zip(one.q + one.v + one.a + one.lam, two.q + two.v + two.a + two.lam)])
    shown(f"hht is generalized_alpha with alpha_m = 0, alpha_f = -alpha, constant mass, after 100 steps: {worst:.1e}", worst < 1e-35)
    drift = max(abs(system_rates(r)) for r in rows if r[1] in ("hht_si2", "hht_add", "nstiff_si2")
                or (r[1] == "linearly_implicit_euler" and not r[3].startswith("dependent")))
    shown(f"schemes with velocity constraints keep them: {drift:.1e}", drift < 1e-35)


def system_rates(row):
    """Phi_q v + Phi_t of a row."""
    system, t = pendulum.Pendulum(**PENDULUMS[row[0]]), row[4] * Decimal("0.01")
    return dot(system.phi_q(row[5:7], t)[0], row[7:9]) + system.phi_t(row[5:7], t)[0]


# ------------------------------------------------------------------------------------------------ rotation
MASS, WEIGHT = "15", ["0", "0", "-147.15"]
ROTATIONS = {  # principal moments, moment in body axes, arm and weight, angular velocity in body axes
    "spin": (("0.5", "0.6", "0.7"), ("0", "0", "0"), None, ("60", "0", "0")),
    "spin_up": (("0.5", "0.6", "0.7"), ("2", "0", "0"), None, ("10", "0", "0")),
    "torque_free": (("3", "2", "1"), ("0", "0", "0"), None, ("2", "0.5", "0.3")),
    "top": (("15.234375", "0.46875", "15.234375"), ("0", "0", "0"), ("0", "1", "0"), ("0", "150", "-4.61538")),
    "top_misprint": (("15.234375", "0.46875", "15.234275"), ("0", "0", "0"), ("0", "1", "0"), ("0", "150", "-4.61538")),
}


def rotating(name, number=Decimal, literal=True, moment=None, speed=None):
    """The system, its attitude and rates at the start, in Decimal or float."""
    J, torque, arm, omega = ROTATIONS[name]
    zero = ("0", "0", "0")
    system = rotation.AboutPoint([number(x) for x in J], [number(x) for x in moment or torque],
                                 [number(x) for x in arm or zero], [number(x) for x in (WEIGHT if arm else zero)], literal)
    e = [number(x) for x in ("1", "0", "0", "0")]
    return system, e, rotation.rates(e, [number(x) for x in speed or omega])


def rotation_cases(name, h):
    """scheme, parameter, option, system, step."""
    system, _, _ = rotating(name)
    for word in ("0", "-0.05", "-0.2", "-0.3"):
        alpha = Decimal(word)
        yield "hht", word, "printed", system, lambda s, a=alpha: schemes.hht(system, s, h, a, True)
        if alpha:
            yield "hht", word, "frame", system, lambda s, a=alpha: schemes.hht(system, s, h, a, True, "frame")
        yield "hht", word, "classic", system, lambda s, a=alpha: schemes.hht(system, s, h, a)
    yield "newmark", "0.6", "modified", system, lambda s: schemes.newmark(system, s, h, Decimal("0.6"), Decimal("0.3025"), True)
    for word in ("0", "0.5", "0.8", "1"):
        yield "generalized_alpha", word, "modified", system, lambda s, r=Decimal(word): schemes.generalized_alpha(
            system, s, h, *schemes.alpha_parameters(r), True)
    if name not in ("spin_up", "top"):
        return
    other, _, _ = rotating(name, literal=False)
    for word in ("0", "-0.3"):
        yield "hht", word, "classic w x J w", other, lambda s, a=Decimal(word): schemes.hht(other, s, h, a)
    yield "nstiff", "0", "classic", system, lambda s: schemes.nstiff(system, s, h)
    yield "nstiff_si2", "0", "classic", system, lambda s: schemes.nstiff_si2(system, s, h)
    yield "hht_si2", "-0.3", "classic", system, lambda s: schemes.hht_si2(system, s, h, Decimal("-0.3"))


def rotation_rows(h=Decimal("0.001")):
    for name in ROTATIONS:
        _, e, v = rotating(name)
        for scheme, parameter, option, system, step in rotation_cases(name, h):
            for i, s in march(system, schemes.start(system, e, v, Decimal(0)), step).items():
                yield [name, scheme, parameter, option, i] + s.q + s.v + s.lam + rotation.angular_velocity(s.q, s.v)


def check_rotation(rows):
    spin = max(abs(r[14] - 60) for r in rows if r[0] == "spin" and r[3] != "classic")
    shown(f"free spin at 60 rad/s keeps its speed with the modified formulas, any alpha, gamma, rho: {spin:.1e}", spin < 1e-35)
    lost = max(abs(r[14] - (10 + 4 * Decimal(r[4]) / 1000)) for r in rows if r[0] == "spin_up" and
               (r[3] in ("frame", "modified") or (r[3] == "printed" and r[2] == "0")))
    shown(f"spin-up is exact with frame weighting, any alpha, and with alpha 0: {lost:.1e}", lost < 1e-35)
    lost = max(abs(r[14] - (10 + 4 * Decimal(r[4]) / 1000)) for r in rows if r[0] == "spin_up" and r[3] == "printed")
    shown(f"spin-up with printed weighting is not: {lost:.1e} rad/s", lost > 1e-7)
    kept = max(abs(r[15] - 150) for r in rows if r[0] == "top" and r[3] in ("frame", "modified"))
    shown(f"the symmetric top keeps its spin of 150 rad/s with frame weighting: {kept:.1e}", kept < 1e-35)
    kept = max(abs(r[15] - 150) for r in rows if r[0] == "top" and r[3] == "printed" and r[2] != "0")
    shown(f"and not with printed weighting: {kept:.1e} rad/s after 100 steps at most", kept > 1e-3)
    long = max(abs(dot(r[5:9], r[5:9]) - 1) for r in rows)
    shown(f"unit length of e: {long:.1e}", long < 1e-35)
    slip = max(abs(dot(r[5:9], r[9:13])) for r in rows if not r[3].startswith("classic"))
    shown(f"e^T edot of the modified formulas: {slip:.1e}", slip < 1e-35)
    h, worst = Decimal("0.001"), Decimal(0)
    for name in ("spin_up", "torque_free", "top_misprint"):
        for word in ("-0.05", "-0.3"):
            system, e, v = rotating(name)
            begin, alpha = schemes.start(system, e, v, Decimal(0)), Decimal(word)
            one = march(system, begin, lambda s: schemes.hht(system, s, h, alpha, True, "frame"))[100]
            two = march(system, begin, lambda s: schemes.generalized_alpha(system, s, h, *schemes.hht_as_alpha(alpha), True))[100]
            worst = max([worst] + [abs(a - b) for a, b in zip(one.q + one.v + one.a + one.lam, two.q + two.v + two.a + two.lam)])
    shown(f"L a averaged in body axes and frame weighting of the forces are the same scheme, after 100 steps: {worst:.1e}", worst < 1e-35)


# ------------------------------------------------------------------------------------------------ top on a ball joint
def top_on_ball(number=Decimal):
    """The symmetric top with the mass at its centre: r, e; seven coordinates and four rows."""
    arm = [number(x) for x in ("0", "-1", "0")]
    system = rotation.OnBallJoint(number(MASS), [number(x) for x in ("0.234375", "0.46875", "0.234375")], arm, [number(x) for x in WEIGHT])
    e, omega = [number(x) for x in ("1", "0", "0", "0")], [number(x) for x in ("0", "150", "-4.61538")]
    return system, [number(x) for x in ("0", "1", "0")] + e, rotation.cross(omega, [-c for c in arm]) + rotation.rates(e, omega)


def ball_step(system, s, h, scheme, parameter, option):
    """option: printed, frame or classic of hht, modified of generalized_alpha; with projected: velocities projected at the end."""
    if scheme == "hht":
        s = schemes.hht(system, s, h, parameter, option != "classic", "frame" if option.startswith("frame") else "printed")
    else:
        s = schemes.generalized_alpha(system, s, h, *schemes.alpha_parameters(parameter), True)
    if option.endswith("projected"):
        s.v = schemes.projected_velocities(system, s)
    return s


def ball_rows(h=Decimal("0.001")):
    system, q, v = top_on_ball()
    cases = [("hht", "-0.2", "printed"), ("hht", "-0.2", "frame"), ("hht", "-0.3", "printed"), ("hht", "-0.3", "frame"),
             ("hht", "-0.3", "classic"), ("hht", "0", "frame projected"), ("hht", "-0.05", "frame projected"),
             ("hht", "-0.3", "frame projected"), ("generalized_alpha", "0.5", "modified"),
             ("generalized_alpha", "0.8", "modified projected")]
    for scheme, word, option in cases:
        step = lambda s: ball_step(system, s, h, scheme, Decimal(word), option)
        for i, s in march(system, schemes.start(system, q, v, Decimal(0)), step).items():
            yield [scheme, word, option, i] + s.q + s.v + s.lam


def growth_rows(h=1e-3, end=0.15):
    """Step at which a multiplier passes 1e6 (none: 0), and the largest at the end; the true ones stay below 1000."""
    system, q, v = top_on_ball(float)
    cases = [("hht", a, o) for a in (0.0, -0.05, -0.1, -0.2, -0.3) for o in ("classic", "frame", "frame projected")]
    cases += [("generalized_alpha", r, o) for r in (0.5, 0.8) for o in ("modified", "modified projected")]
    for scheme, parameter, option in cases:
        s, passed = schemes.start(system, q, v, 0.0), 0
        try:
            for i in range(1, round(end / h) + 1):
                s = ball_step(system, s, h, scheme, parameter, option)
                s.before = None
                if max(map(abs, s.lam)) > 1e6:
                    passed = i
                    break
        except Diverged:
            passed = i
        yield [scheme, f"{parameter:g}", option, passed, "" if passed else max(map(abs, s.lam))]


def check_growth(rows):
    shown("ball joint: no multiplier grows where velocities are projected", not any(r[3] for r in rows if r[2].endswith("projected")))
    shown("nor with alpha -0.2, -0.3 or rho 0.5 without", not any(r[3] for r in rows if r[1] in ("-0.2", "-0.3", "0.5")))
    print("      without, those of the modified formulas pass 1e6 at step: " + ", ".join(
        f"{r[0]} {r[1]} {r[3]}" for r in rows if r[2] == "frame" and r[3]))


def check_ball(rows):
    system, q, v = top_on_ball()
    h, alpha = Decimal("0.001"), Decimal("-0.3")
    begin = schemes.start(system, q, v, Decimal(0))
    one = march(system, begin, lambda s: schemes.hht(system, s, h, alpha, True, "frame"), 3)[3]
    two = march(system, begin, lambda s: schemes.generalized_alpha(system, s, h, *schemes.hht_as_alpha(alpha), True), 3)[3]
    worst = max(abs(a - b) for a, b in zip(one.q + one.v + one.a + one.lam, two.q + two.v + two.a + two.lam))
    shown(f"L a averaged and frame weighting are the same with joint forces too, after 3 steps: {worst:.1e}", worst < 1e-35)
    held = max(max(abs(c) for c in system.phi(r[4:11], 0)) for r in rows)
    shown(f"rows of the ball joint and the length of e: {held:.1e}", held < 1e-35)
    moved = max(max(abs(dot(row, r[11:18])) for row in system.phi_q(r[4:11], 0)) for r in rows if r[2].endswith("projected"))
    shown(f"projected velocities satisfy their constraints: {moved:.1e}", moved < 1e-35)


# ------------------------------------------------------------------------------------------------ long runs, in float
def last_speed(modified, alpha, weighting, end, moment, speed, h=1e-3):
    """omega_x after the run, and its time; None for the speed where Newton's method finds nothing more or it runs away."""
    system, e, v = rotating("spin", float, True, (moment, "0", "0"), (speed, "0", "0"))
    s = schemes.start(system, e, v, 0.0)
    try:
        for _ in range(round(end / h)):
            s = schemes.hht(system, s, h, alpha, modified, weighting)
            s.before = None
            if abs(rotation.angular_velocity(s.q, s.v)[0]) > 1000:
                return None, s.t
    except Diverged:
        return None, s.t
    return rotation.angular_velocity(s.q, s.v)[0], s.t


def spin_rows():
    for case, end, moment, speed in (("spin 60", 2.0, "0", "60"), ("spin 100", 1.0, "0", "100"), ("spin_up to 100", 2.0, "25", "0")):
        for alpha in (0.0, -0.05, -0.3):
            for option in ("classic", "printed", "frame") if moment != "0" else ("classic", "printed"):
                found, t = last_speed(option != "classic", alpha, option if option == "frame" else "printed", end, moment, speed)
                yield [case, f"{alpha:g}", option, "diverged" if found is None else found, round(t, 3)]


def check_spin(rows):
    table = {tuple(r[:3]): r[3:] for r in rows}
    shown("free spin: classic trapezoid diverges at %.2f s at 60 rad/s, %.2f s at 100 rad/s" %
          (table["spin 60", "0", "classic"][1], table["spin 100", "0", "classic"][1]),
          table["spin 60", "0", "classic"][0] == table["spin 100", "0", "classic"][0] == "diverged")
    for key, value in ((("spin 60", "-0.05", "classic"), 55.2), (("spin 100", "-0.3", "classic"), 63.3), (("spin 100", "-0.05", "classic"), 89.5),
                       (("spin_up to 100", "-0.3", "classic"), 76.7), (("spin_up to 100", "-0.05", "classic"), 94.3),
                       (("spin_up to 100", "-0.3", "printed"), 99.995), (("spin_up to 100", "-0.05", "printed"), 99.998)):
        shown(f"{' '.join(key)}: {table[key][0]:.6g} rad/s, {value} expected", abs(table[key][0] - value) < (6e-4 if value > 99 else 0.06))
    worst = max(abs(r[3] - (60 if r[0] == "spin 60" else 100)) for r in rows if r[2] == "frame" or (r[2] == "printed" and r[0] != "spin_up to 100"))
    shown(f"modified, free spin and frame weighting: {worst:.1e}", worst < 1e-10)


OMEGA_AT = {0.05: (3.630269989207833, 150.0, -2.977217429303483), 0.1: (4.808941331728091, 150.0, 1.028300756718334)}  # heavy top, symmetric


def top_errors(option, alpha, h):
    """|error of omega| at 0.05 s and 0.1 s, Euclidean."""
    if option.startswith("ball"):
        system, q, v = top_on_ball(float)
    else:
        system, q, v = rotating("top", float)
    s, found = schemes.start(system, q, v, 0.0), []
    for i in range(1, round(0.1 / h) + 1):
        if option == "generalized_alpha":
            s = schemes.generalized_alpha(system, s, h, *schemes.alpha_parameters(alpha), True)
        elif option == "newmark":
            s = schemes.newmark(system, s, h, alpha, (alpha + 0.5) ** 2 / 4, True)
        else:
            s = schemes.hht(system, s, h, alpha, not option.endswith("classic"), "frame" if option.endswith("frame") else "printed")
        s.before = None
        for t in OMEGA_AT:
            if i == round(t / h):
                omega = rotation.angular_velocity(s.q[-4:], s.v[-4:])
                found.append(math.dist(omega, OMEGA_AT[t]))
    return found


STEP_SIZES = (1e-3, 5e-4, 2.5e-4)


def top_rows():
    for option, alpha in (("printed", 0.0), ("printed", -0.2), ("frame", -0.2), ("classic", -0.2), ("printed", -0.3), ("frame", -0.3),
                          ("newmark", 0.6), ("generalized_alpha", 0.8), ("ball printed", -0.2), ("ball frame", -0.2)):
        for h in STEP_SIZES:
            yield [option, f"{alpha:g}", f"{h:g}"] + top_errors(option, alpha, h)


def check_top(rows):
    for k in range(0, len(rows), len(STEP_SIZES)):
        order = math.log2(rows[k + 1][4] / rows[k + 2][4])
        name, what = rows[k][0], f"heavy top, {rows[k][0]} {rows[k][1]}: order {order:.2f} of omega"
        if name == "ball printed":
            shown(what + ", the part of first order begins to show", order < 1.8)
        else:
            first = name == "classic" or (name in ("printed", "newmark") and float(rows[k][1]) != 0)
            shown(what, abs(order - (1 if first else 2)) < 0.1)


# ------------------------------------------------------------------------------------------------ variable step
def crank_model(name):
    """S1, or the one that the design figures of section 8 were measured on: hung down, free length 0.7, at most 50 ms."""
    slider_crank.FREE, angle, longest = {"S1": (0.9, 0.0, math.inf), "hanging": (0.7, -math.pi / 2, 0.05)}[name]
    return slider_crank.SliderCrank(), slider_crank.Exact(2.0, angle), slider_crank.placed(angle, 0.0), longest


def controlled(name, alpha, estimate, tolerance):
    system, exact, (q, v), longest = crank_model(name)
    error = [0.0, 0.0]

    def seen(s):
        right = exact.at(s.t)
        for k, (mine, other) in enumerate(zip((s.q, s.v), right)):
            error[k] = max(error[k], max(abs(a - b) for a, b in zip(mine, other)))

    run = variable_step.integrate(system, q, v, 2.0, tolerance, alpha, 1e-3, estimate, seen, longest)
    return run, error


def variable_rows():
    for name, alpha, estimate in (("S1", -0.3, "corrected"), ("S1", -0.3, "printed"), ("S1", -0.05, "corrected"), ("hanging", -0.3, "corrected")):
        for power in range(3, 8):
            run, error = controlled(name, alpha, estimate, 10.0 ** -power)
            yield [name, f"{alpha:g}", estimate, f"1e-{power}", run.steps, run.rejected, run.failed, run.corrections, run.factorizations] + error


def check_variable(rows):
    _, exact, _, _ = crank_model("S1")
    far = max(abs(a - b) for a, b in zip(exact.points[-1], (-0.758205624274967, -0.133148094083336)))
    shown(f"crank angle and speed at 2 s of the other programs (O3): {far:.1e}", far < 1e-11)
    for k in range(0, len(rows), 5):
        slope = math.log10(rows[k + 1][9] / rows[k + 4][9]) / 3
        shown(f"{rows[k][0]} {rows[k][1]} {rows[k][2]}: error as tolerance to the power {slope:.3f}", abs(slope - 2 / 3) < 0.08)
    counts = [r[4] for r in rows if r[0] == "hanging"]
    shown(f"steps {counts}; 45, 65, 128, 268, 569 measured before by another program", all(
        abs(a / b - 1) < 0.06 for a, b in zip(counts, (45, 65, 128, 268, 569))))


def first_rows():
    for estimate in ("corrected", "printed"):
        run, _ = controlled("S1", -0.3, estimate, 1e-5)
        for i, (t, h, theta, corrections) in enumerate(run.accepted[:20], 1):
            yield [estimate, i, t, h, theta, corrections]


# ------------------------------------------------------------------------------------------------ stop
def stop_rows():
    cases = ([("trapezoid", "0", "newmark", (0.5, 0.25)), ("newmark", "0.6", "newmark", (0.6, 0.3025))]
             + [("hht", f"{a:g}", "hht", (a,)) for a in (-0.05, -0.1, -0.2, -0.3)]
             + [("generalized_alpha", f"{r:g}", "generalized_alpha", (r,)) for r in (0.0, 0.5, 0.8, 0.9, 1.0)]
             + [("nstiff", "0", "nstiff", ())])
    for scheme, word, kind, parameters in cases:
        for h in (5e-3, 1e-3):
            for stiffness in (1e5, 1e6, 1e7):
                gains = stop.gains(kind, parameters, h, stiffness)
                yield [scheme, word, f"{h:g}", f"{stiffness:g}", max(gains), min(gains), sum(gains) / len(gains)]


def check_stop(rows):
    table = {tuple(r[:4]): r[4:] for r in rows}
    for scheme, word in (("trapezoid", "0"), ("hht", "-0.1"), ("hht", "-0.3"), ("generalized_alpha", "0.8"), ("nstiff", "0")):
        print("      largest gain at 5 ms, %s %s: %s" % (scheme, word, ", ".join(
            f"{100 * table[scheme, word, '0.005', k][0]:.2f} % at {k} N/m" for k in ("100000", "1e+06", "1e+07"))))
    one = max(abs(a - b) for r in rows if r[0] == "trapezoid" for a, b in zip(r[4:], table["generalized_alpha", "1", r[2], r[3]]))
    shown(f"generalized_alpha of rho 1 is the trapezoid: {one:.1e}", one < 1e-9)


# ------------------------------------------------------------------------------------------------ tables
FOUR = "{0}0,{0}1,{0}2,{0}3"
TABLES = {  # lines of comment, columns, units, rows, checks
    "pendulum": (
        ["Unit mass on a unit rod, discrete solutions in 17 digits; columns and systems: README.md beside this file."],
        "system,scheme,parameter,option,step,x,y,vx,vy,ax,ay,lambda,ddx,ddy,lambda_anew",
        ",,,,,m,m,m/s,m/s,m/s2,m/s2,N/m,m/s2,m/s2,N/m", pendulum_rows, check_pendulum),
    "rotation": (
        ["One body with Euler parameters, step 1 ms, discrete solutions in 17 digits; columns and systems: README.md beside this file."],
        "system,scheme,parameter,option,step," + FOUR.format("e") + "," + FOUR.format("v") + ",lambda,wx,wy,wz",
        ",,,,,,,,,1/s,1/s,1/s,1/s,N m,rad/s,rad/s,rad/s", rotation_rows, check_rotation),
    "ball": (
        ["Heavy top on a ball joint, seven coordinates, step 1 ms, in 17 digits; columns: README.md beside this file."],
        "scheme,parameter,option,step,x,y,z," + FOUR.format("e") + ",vx,vy,vz," + FOUR.format("v") + ",lambda_x,lambda_y,lambda_z,lambda_e",
        ",,,,m,m,m,,,,,m/s,m/s,m/s,1/s,1/s,1/s,1/s,N,N,N,N m", ball_rows, check_ball),
    "growth": (
        ["Heavy top on a ball joint, 150 steps of 1 ms: step at which a multiplier passes 1e6 (0: none), largest multiplier at the end."],
        "scheme,parameter,option,passed,largest", ",,,,N", growth_rows, check_growth),
    "spin": (
        ["Angular speed at the end of runs at 1 ms, six digits: free spin and spin-up from rest by 50 rad/s2."],
        "case,alpha,option,omega,time", ",,,rad/s,s", spin_rows, check_spin),
    "top": (
        ["Heavy top: Euclidean error of the angular velocity at 0.05 s and 0.1 s, six digits."],
        "option,parameter,h,error_50ms,error_100ms", ",,s,rad/s,rad/s", top_rows, check_top),
    "variable_step": (
        ["Slider crank in six Cartesian coordinates, 2 s, hht with a step that chooses itself, from 1 ms: counts, largest errors of coordinates and velocities."],
        "model,alpha,estimate,tolerance,steps,rejected,failed,corrections,factorizations,error_q,error_v", ",,,,,,,,,m or rad,m/s or rad/s",
        variable_rows, check_variable),
    "first_steps": (
        ["The first twenty accepted steps of S1, alpha -0.3, tolerance 1e-5: time at their end, step, Theta, corrections."],
        "estimate,step,t,h,theta,corrections", ",,s,s,,", first_rows, lambda rows: None),
    "stop": (
        ["40 kg dropped 0.1 m on a linear stop spring, 100 drops, step not cut at the contact: gain of energy a drop."],
        "scheme,parameter,h,stiffness,largest,smallest,mean", ",,s,N/m,,,", stop_rows, check_stop),
}


def differ(mine, theirs):
    """Whether two cells differ: exact numbers by 1e-13, those of six digits by 1e-5 of their size, words at all."""
    try:
        a, b = float(mine), float(theirs)
    except ValueError:
        return mine != theirs
    return abs(a - b) > (1e-13 * max(1.0, abs(a)) if len(mine) > 15 else 1e-5 * max(abs(a), 1e-4))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--check", action="store_true", help="compare instead of writing")
    options.add_argument("name", nargs="*", help="tables; all of them by default")
    asked = options.parse_args()
    for name in asked.name or TABLES:
        comments, columns, units, rows_of, check = TABLES[name]
        rows = list(rows_of())
        print(f"{name}: {len(rows)} rows")
        check(rows)
        cells = [[cell(x) for x in row] for row in rows]
        if asked.check:
            known = read(name + ".csv")
            bad = len(known) != len(cells) or any(len(a) != len(b) or any(map(differ, a, b)) for a, b in zip(cells, known))
            shown(f"{name}.csv is what this program finds", not bad)
        else:
            lines = ["# " + line for line in comments] + [columns, units] + [",".join(row) for row in cells]
            (HERE / (name + ".csv")).write_text("\n".join(lines) + "\n")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
