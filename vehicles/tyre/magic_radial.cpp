#include "vehicles/tyre/magic_radial.hpp"

#include <algorithm>
#include <cmath>

#include "vehicles/tyre/magic_forces.hpp"

namespace semirec {

namespace {

/// Faster than any tyre turns, m/s.
constexpr double kFastest = 300.0;

Pack rim_speed(const MagicParameters& p, const Pack& omega) {
  return smaller_of(absolute(omega) * p.R0, kFastest);
}

double pressure_factor(const MagicParameters& p) {
  return std::max(1.0 + p.c.PFZ1 * p.pressure_change, 0.05);
}

TyreLoad on_curve(const std::vector<LoadPoint>& curve, double deflection) {
  std::size_t i = 1;
  while (i + 1 < curve.size() && deflection > curve[i].deflection) ++i;
  const LoadPoint& a = curve[i - 1];
  const LoadPoint& b = curve[i];
  TyreLoad load;
  load.stiffness = (b.load - a.load) / (b.deflection - a.deflection);
  load.load = a.load + load.stiffness * (deflection - a.deflection);
  return load;
}

/// Load within which stiffnesses are asked for.
Pack inside(const MagicParameters& p, const Pack& load) {
  return within(load, p.load_min, p.load_max);
}

}  // namespace

Pack magic_growth(const MagicParameters& p, const Pack& omega) {
  const Pack v = rim_speed(p, omega) * (1.0 / p.V0);
  return p.R0 * within(p.c.QRE0 - 1.0 + p.c.QV1 * v * v, -0.2, 0.2);
}

MagicLoad magic_load(const MagicParameters& p, const Pack& deflection, const Pack& deflection_rate,
                     const Pack& omega) {
  const MagicCoefficients& c = p.c;
  MagicLoad load;
  load.pressed = deflection + magic_growth(p, omega);
  if (!p.load_curve.empty()) {
    for (int l = 0; l < kLanes; ++l) {
      const TyreLoad point = on_curve(p.load_curve, load.pressed[l]);
      load.load[l] = point.load * c.LCZ;
      load.stiffness[l] = point.stiffness * c.LCZ;
    }
  } else {
    double Q1 = c.QFZ1;
    const double Q2 = c.QFZ2;
    if (Q1 == 0.0) {
      const double ratio = p.vertical_stiffness * p.R0 / p.Fz0;
      Q1 = std::sqrt(std::max(ratio * ratio - 4.0 * Q2, 0.0));
    }
    const Pack r = load.pressed * (1.0 / p.R0);
    const Pack factor = larger_of(1.0 + (c.QV2 / p.V0) * rim_speed(p, omega), 0.05) *
                        (pressure_factor(p) * p.Fz0 * c.LCZ);
    // a falling parabola goes on straight from where it stands at half of its summit
    const double bend = Q2 < 0.0 ? -0.25 * Q1 / Q2 : 1e6;
    const Pack inner = within(r, 0.0, bend);
    load.load = factor * (Q1 * inner + Q2 * inner * inner + (Q1 + 2.0 * Q2 * inner) * (r - inner));
    load.stiffness = factor * (Q1 + 2.0 * Q2 * inner) * (1.0 / p.R0);
  }
  load.damping = broadcast(p.vertical_damping);
  load.load += load.damping * deflection_rate;
  return load;
}

Pack magic_effective_radius(const MagicParameters& p, const Pack& load, const Pack& omega) {
  const MagicCoefficients& c = p.c;
  const Pack share = within(load * (1.0 / p.Fz0), 0.0, 100.0);
  const double Cz = p.vertical_stiffness * pressure_factor(p) * c.LCZ;
  const Pack radius = p.R0 + magic_growth(p, omega) -
                      p.Fz0 / Cz * (c.DREFF * arc_tangent(c.BREFF * share) + c.FREFF * share);
  return within(radius, 0.5 * p.R0, 1.5 * p.R0);
}

Pack magic_relaxation_x(const MagicParameters& p, const Pack& load) {
  const MagicCoefficients& c = p.c;
  const Pack F = inside(p, load);
  const double nominal = c.LFZO * p.Fz0;
  const Pack dfz = (F - nominal) * (1.0 / nominal);
  Pack length = broadcast(0.5 * p.R0);
  if (p.version == MagicVersion::mf6 && p.longitudinal_stiffness > 0.0) {
    const Pack stiffness =
        p.longitudinal_stiffness *
        larger_of((1.0 + c.PCFX1 * dfz + c.PCFX2 * dfz * dfz) * (1.0 + c.PCFX3 * p.pressure_change),
                  0.1);
    length = magic_slip_stiffness(p, F) / stiffness;
  } else if (c.PTX1 != 0.0) {
    length = F * (1.0 / p.Fz0) * (c.PTX1 + c.PTX2 * dfz) *
             exponential(within(-c.PTX3 * dfz, -20.0, 20.0)) * p.R0 * c.LSGKP;
  }
  return within(length, 0.1 * p.R0, 20.0 * p.R0);
}

Pack magic_relaxation_y(const MagicParameters& p, const Pack& load, const Pack& gamma) {
  const MagicCoefficients& c = p.c;
  const Pack F = inside(p, load);
  const double nominal = c.LFZO * p.Fz0;
  const Pack dfz = (F - nominal) * (1.0 / nominal);
  const Pack g = within(gamma, p.gamma_min, p.gamma_max);
  Pack length = broadcast(1.3 * p.R0);
  if (p.version == MagicVersion::mf6 && p.lateral_stiffness > 0.0) {
    const Pack stiffness =
        p.lateral_stiffness *
        larger_of((1.0 + c.PCFY1 * dfz + c.PCFY2 * dfz * dfz) * (1.0 + c.PCFY3 * p.pressure_change),
                  0.1);
    length = -magic_cornering_stiffness(p, F, g) / stiffness;
  } else if (c.PTY1 != 0.0 && c.PTY2 > 0.0) {
    // sin(2 atan(t)) = 2 t/(1 + t^2)
    const Pack t = F * (1.0 / (c.PTY2 * nominal));
    length = c.PTY1 * (2.0 * t / (1.0 + t * t)) * (1.0 - c.PKY3 * absolute(g)) *
             (p.R0 * c.LFZO * c.LSGAL);
  }
  return within(length, 0.1 * p.R0, 20.0 * p.R0);
}

}  // namespace semirec
