#include "vehicles/tyre/magic_radial.hpp"

#include <algorithm>
#include <cmath>

#include "vehicles/tyre/magic_forces.hpp"

namespace semirec {

namespace {

/// Faster than any tyre turns, m/s.
constexpr double kFastest = 300.0;

double rim_speed(const MagicParameters& p, double omega) {
  return std::min(std::abs(omega) * p.R0, kFastest);
}

/// The growth of the free radius by speed, m.
double growth(const MagicParameters& p, double omega) {
  const double v = rim_speed(p, omega) / p.V0;
  return p.R0 * std::clamp(p.c.QRE0 - 1.0 + p.c.QV1 * v * v, -0.2, 0.2);
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
double inside(const MagicParameters& p, double load) {
  return std::clamp(load, p.load_min, p.load_max);
}

}  // namespace

TyreLoad magic_load(const MagicParameters& p, double deflection, double deflection_rate,
                    double omega) {
  const MagicCoefficients& c = p.c;
  TyreLoad load;
  if (!p.load_curve.empty()) {
    load = on_curve(p.load_curve, deflection);
    load.load *= c.LCZ;
    load.stiffness *= c.LCZ;
  } else {
    double Q1 = c.QFZ1;
    double Q2 = c.QFZ2;
    if (Q1 == 0.0) {
      const double ratio = p.vertical_stiffness * p.R0 / p.Fz0;
      Q1 = std::sqrt(std::max(ratio * ratio - 4.0 * Q2, 0.0));
    }
    const double r = (deflection + growth(p, omega)) / p.R0;
    const double factor = std::max(1.0 + c.QV2 * rim_speed(p, omega) / p.V0, 0.05) *
                          pressure_factor(p) * p.Fz0 * c.LCZ;
    // a falling parabola goes on straight from where it stands at half of its summit
    const double bend = Q2 < 0.0 ? -0.25 * Q1 / Q2 : 1e6;
    const double inner = std::clamp(r, 0.0, bend);
    load.load = factor * (Q1 * inner + Q2 * inner * inner + (Q1 + 2.0 * Q2 * inner) * (r - inner));
    load.stiffness = factor * (Q1 + 2.0 * Q2 * inner) / p.R0;
  }
  load.damping = p.vertical_damping;
  load.load += load.damping * deflection_rate;
  return load;
}

double magic_effective_radius(const MagicParameters& p, double load, double omega) {
  const MagicCoefficients& c = p.c;
  const double share = std::clamp(load / p.Fz0, 0.0, 100.0);
  const double Cz = p.vertical_stiffness * pressure_factor(p) * c.LCZ;
  const double radius = p.R0 + growth(p, omega) -
                        p.Fz0 / Cz * (c.DREFF * std::atan(c.BREFF * share) + c.FREFF * share);
  return std::clamp(radius, 0.5 * p.R0, 1.5 * p.R0);
}

double magic_relaxation_x(const MagicParameters& p, double load) {
  const MagicCoefficients& c = p.c;
  const double F = inside(p, load);
  const double nominal = c.LFZO * p.Fz0;
  const double dfz = (F - nominal) / nominal;
  double length = 0.5 * p.R0;
  if (p.version == MagicVersion::mf6 && p.longitudinal_stiffness > 0.0) {
    const double stiffness =
        p.longitudinal_stiffness *
        std::max((1.0 + c.PCFX1 * dfz + c.PCFX2 * dfz * dfz) * (1.0 + c.PCFX3 * p.pressure_change),
                 0.1);
    length = magic_slip_stiffness(p, F) / stiffness;
  } else if (c.PTX1 != 0.0) {
    length = F / nominal * (c.PTX1 + c.PTX2 * dfz) *
             std::exp(std::clamp(-c.PTX3 * dfz, -20.0, 20.0)) * p.R0 * c.LSGKP;
  }
  return std::clamp(length, 0.1 * p.R0, 20.0 * p.R0);
}

double magic_relaxation_y(const MagicParameters& p, double load, double gamma) {
  const MagicCoefficients& c = p.c;
  const double F = inside(p, load);
  const double nominal = c.LFZO * p.Fz0;
  const double dfz = (F - nominal) / nominal;
  const double g = std::clamp(gamma, p.gamma_min, p.gamma_max);
  double length = 1.3 * p.R0;
  if (p.version == MagicVersion::mf6 && p.lateral_stiffness > 0.0) {
    const double stiffness =
        p.lateral_stiffness *
        std::max((1.0 + c.PCFY1 * dfz + c.PCFY2 * dfz * dfz) * (1.0 + c.PCFY3 * p.pressure_change),
                 0.1);
    length = -magic_cornering_stiffness(p, F, g) / stiffness;
  } else if (c.PTY1 != 0.0 && c.PTY2 > 0.0) {
    length = c.PTY1 * std::sin(2.0 * std::atan(F / (c.PTY2 * nominal))) *
             (1.0 - c.PKY3 * std::abs(g)) * p.R0 * c.LFZO * c.LSGAL;
  }
  return std::clamp(length, 0.1 * p.R0, 20.0 * p.R0);
}

}  // namespace semirec
