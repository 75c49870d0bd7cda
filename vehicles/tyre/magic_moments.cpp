#include "vehicles/tyre/magic_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace semirec {

namespace {

using std::numbers::pi;

double cosine_of_atan(double x) { return 1.0 / std::sqrt(1.0 + x * x); }

double cosine_curve(double x, double B, double C, double E) {
  const double Bx = B * x;
  return std::cos(C * std::atan(Bx - E * (Bx - std::atan(Bx))));
}

/// Slip angle that has the effect of both slips; even curves need no sign.
double equivalent(double alpha, double kappa_part) {
  // beyond a right angle the tangent would come back
  constexpr double kUpright = 1.5707;
  const double t = std::tan(std::clamp(alpha, -kUpright, kUpright));
  return std::atan(std::sqrt(t * t + kappa_part * kappa_part));
}

struct SpinTorque {
  bool on = false;
  double Dr = 0.0;  ///< N m
  double zeta6 = 1.0, zeta7 = 1.0;
};

/// [P12] (4.92) to (4.104)
SpinTorque spin_torque(const MagicParameters& p, const MagicState& s, const MagicLateral& y,
                       double weight_y, double camber) {
  SpinTorque torque;
  if (!p.turn_slip) return torque;
  const MagicCoefficients& c = p.c;
  const double spin = s.spin.f;
  torque.zeta6 = cosine_of_atan(c.QBRP1 * spin);
  if (c.QDRP1 == 0.0 || c.QCRP1 == 0.0) return torque;
  torque.on = true;
  const double most =
      std::max(c.QCRP1 * y.mu * p.R0 * s.load * std::sqrt(s.load / (c.LFZO * p.Fz0)) * c.LMP, 1e-6);
  const double C = c.QDRP1;
  const double D = most / std::sin(0.5 * pi * C);
  const double K = s.load * p.R0 * camber * c.LKZC;
  const double B = K / (C * D * (1.0 - magic_camber_reduction(p, s.dfz)));
  torque.Dr = magic_sine(spin, B, C, D, c.QDRP2).f;
  // the small torque keeps the quotient continuous where there is no spin
  const double across = most * (2.0 / pi) * std::atan(c.QCRP2 * std::abs(spin)) * weight_y;
  const double quotient = across / (std::abs(torque.Dr) + 1e-3 * most);
  torque.zeta7 = (2.0 / pi) * std::acos(std::clamp(quotient, -1.0, 1.0));
  return torque;
}

}  // namespace

double magic_aligning(const MagicParameters& p, const MagicState& s, const MagicLongitudinal& x,
                      const MagicLateral& y, const MagicCombined& both) {
  const MagicCoefficients& c = p.c;
  const bool mf6 = p.version == MagicVersion::mf6;
  const double dpi = p.pressure_change;
  const double g = mf6 ? s.gamma : s.gamma * c.LGAZ;
  const double nominal = c.LFZO * p.Fz0;
  const double alpha = s.alpha.f;
  const double per_friction = c.LKY / std::max(s.mu_y, 1e-3);
  const double kappa_part = p.combined ? x.Kx / y.Ky.f * s.kappa.f : 0.0;

  const double cos_alpha = std::cos(alpha);

  // trail
  const double zeta5 = p.turn_slip ? cosine_of_atan(c.QDTP1 * s.spin.f) : 1.0;
  const double SHt = (c.QHZ1 + c.QHZ2 * s.dfz + (c.QHZ3 + c.QHZ4 * s.dfz) * g) * s.offsets;
  const double alpha_t = alpha + SHt;
  const double B_t = std::max((c.QBZ1 + c.QBZ2 * s.dfz + c.QBZ3 * s.dfz * s.dfz) *
                                  (1.0 + c.QBZ4 * g + c.QBZ5 * std::abs(g)) * per_friction,
                              0.0);
  const double D_t = s.load * (p.R0 / nominal) * (c.QDZ1 + c.QDZ2 * s.dfz) * (1.0 - c.PPZ1 * dpi) *
                     (1.0 + c.QDZ3 * g + c.QDZ4 * g * g) * c.LTR * zeta5;
  const double E_t =
      std::min((c.QEZ1 + c.QEZ2 * s.dfz + c.QEZ3 * s.dfz * s.dfz) *
                   (1.0 + (c.QEZ4 + c.QEZ5 * g) * (2.0 / pi) * std::atan(B_t * c.QCZ1 * alpha_t)),
               1.0);
  const double trail =
      D_t * cos_alpha * cosine_curve(equivalent(alpha_t, kappa_part), B_t, c.QCZ1, E_t);

  // residual torque
  const double camber = c.QDZ8 + c.QDZ9 * s.dfz + (c.QDZ10 + c.QDZ11 * s.dfz) * std::abs(s.gamma);
  const SpinTorque spin = spin_torque(p, s, y, both.weight_y, camber);
  const double alpha_r = alpha + y.SHy.f + y.SVy.f / y.Ky.f;
  const double by_camber = ((c.QDZ8 + c.QDZ9 * s.dfz) * (1.0 + c.PPZ2 * dpi) +
                            (c.QDZ10 + c.QDZ11 * s.dfz) * std::abs(g)) *
                           g * c.LKZC * s.offsets;
  const double D_r = s.load * p.R0 * s.mu_y *
                         ((c.QDZ6 + c.QDZ7 * s.dfz) * c.LRES * y.zeta2.f * s.offsets +
                          (spin.on ? 0.0 : by_camber)) +
                     spin.Dr;
  const double B_r = (c.QBZ9 * per_friction + c.QBZ10 * y.BC.f) * spin.zeta6;
  const double Br_alpha = B_r * equivalent(alpha_r, kappa_part);
  const double fade =
      spin.zeta7 == 1.0 ? cosine_of_atan(Br_alpha) : std::cos(spin.zeta7 * std::atan(Br_alpha));
  const double residual = D_r * fade * cos_alpha;

  // force of side slip and lateral offset
  double side = both.Fy.f - both.SVyk;
  if (mf6) side = both.weight_y * magic_upright_force(p, s);
  const double offset =
      p.combined ? p.R0 * c.LS *
                       (c.SSZ1 + c.SSZ2 * both.Fy.f / p.Fz0 + (c.SSZ3 + c.SSZ4 * s.dfz) * s.gamma)
                 : 0.0;
  return s.direction * (-trail * side + residual) + offset * both.Fx.f;
}

double magic_overturning(const MagicParameters& p, const MagicState& s, double Fy) {
  const MagicCoefficients& c = p.c;
  const double g = s.gamma;
  const double load = s.load / p.Fz0;
  const double side = Fy / p.Fz0;
  double share = c.QSX1 * c.LVMX - c.QSX2 * g * (1.0 + c.PPMX1 * p.pressure_change) -
                 c.QSX12 * g * std::abs(g) + c.QSX3 * side;
  // few files have these terms
  if (c.QSX4 != 0.0)
    share += c.QSX4 * std::cos(c.QSX5 * std::atan(c.QSX6 * load * c.QSX6 * load)) *
             std::sin(c.QSX7 * g + c.QSX8 * std::atan(c.QSX9 * side));
  if (c.QSX10 != 0.0) share += c.QSX10 * std::atan(c.QSX11 * load) * g;
  return p.R0 * c.LMX * (s.load * share + Fy * (c.QSX13 + c.QSX14 * std::abs(g)));
}

double magic_rolling(const MagicParameters& p, const MagicState& s, double Fx, double speed,
                     double turning) {
  const MagicCoefficients& c = p.c;
  const double load = s.load / p.Fz0;
  const double v = std::min(std::abs(speed) / p.V0, 10.0);
  const double g2 = s.gamma * s.gamma;
  const double share = c.QSY1 + c.QSY2 * Fx / p.Fz0 + c.QSY3 * v + c.QSY4 * v * v * v * v +
                       (c.QSY5 + c.QSY6 * load) * g2;
  const double base = p.version == MagicVersion::mf6 ? p.Fz0 : s.load;
  const double rotation = std::sin(0.5 * pi * std::clamp(2.0 * turning, -1.0, 1.0));
  const double by_load = c.QSY7 == 1.0 ? load : std::pow(load, c.QSY7);
  const double by_pressure =
      p.pressure_change == 0.0 ? 1.0 : std::pow(1.0 + p.pressure_change, c.QSY8);
  return -rotation * p.R0 * base * share * by_load * by_pressure * c.LMY;
}

}  // namespace semirec
