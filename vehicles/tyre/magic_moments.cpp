#include "vehicles/tyre/magic_moments.hpp"

#include <cmath>
#include <numbers>

namespace semirec {

namespace {

using std::numbers::pi;

/// Size of the slip angle that has the effect of both slips.
Pack equivalent(const Pack& alpha, const Pack& kappa_part) {
  // beyond a right angle the tangent would come back
  constexpr double kUpright = 1.5707;
  Pack sine;
  Pack cosine;
  sine_and_cosine(within(alpha, -kUpright, kUpright), sine, cosine);
  const Pack t = sine / cosine;
  return atan(square_root(t * t + kappa_part * kappa_part));
}

struct SpinTorque {
  bool on = false;
  Pack Dr{};  ///< N m
  Pack zeta6 = broadcast(1.0), zeta7 = broadcast(1.0);
};

/// [P12] (4.92) to (4.104)
SpinTorque spin_torque(const MagicParameters& p, const MagicState& s, const MagicLateral& y,
                       const Pack& weight_y, const Pack& camber) {
  SpinTorque torque;
  if (!p.turn_slip) return torque;
  const MagicCoefficients& c = p.c;
  const Pack& spin = s.spin.f;
  torque.zeta6 = cos_atan(c.QBRP1 * spin);
  if (c.QDRP1 == 0.0 || c.QCRP1 == 0.0) return torque;
  torque.on = true;
  const Pack most = larger_of(
      c.QCRP1 * y.mu * p.R0 * s.load * square_root(s.load * (1.0 / (c.LFZO * p.Fz0))) * c.LMP,
      1e-6);
  const double C = c.QDRP1;
  const Pack D = most * (1.0 / std::sin(0.5 * pi * C));
  const Pack K = s.load * p.R0 * camber * c.LKZC;
  const Pack B = K / (C * D * (1.0 - magic_camber_reduction(p, s.dfz)));
  torque.Dr = magic_sine(spin, B, C, D, broadcast(c.QDRP2));
  // the small torque keeps the quotient continuous where there is no spin
  const Pack across = most * (2.0 / pi) * atan(c.QCRP2 * absolute(spin)) * weight_y;
  const Pack quotient = across / (absolute(torque.Dr) + 1e-3 * most);
  torque.zeta7 =
      (2.0 / pi) * lane_by_lane(within(quotient, -1.0, 1.0), [](double x) { return std::acos(x); });
  return torque;
}

}  // namespace

Pack magic_aligning(const MagicParameters& p, const MagicState& s, const MagicLongitudinal& x,
                    const MagicLateral& y, const MagicCombined& both) {
  const MagicCoefficients& c = p.c;
  const bool mf6 = p.version == MagicVersion::mf6;
  const double dpi = p.pressure_change;
  const Pack g = mf6 ? s.gamma : s.gamma * c.LGAZ;
  const double nominal = c.LFZO * p.Fz0;
  const Pack& alpha = s.alpha.f;
  const Pack per_friction = c.LKY / larger_of(s.mu_y, 1e-3);
  const Pack by_Ky = 1.0 / y.Ky.f;
  const Pack kappa_part = p.combined ? x.Kx * by_Ky * s.kappa.f : Pack{};
  const Pack cos_alpha = cos(alpha);

  // trail
  const Pack zeta5 = p.turn_slip ? cos_atan(c.QDTP1 * s.spin.f) : broadcast(1.0);
  const Pack SHt = (c.QHZ1 + c.QHZ2 * s.dfz + (c.QHZ3 + c.QHZ4 * s.dfz) * g) * s.offsets;
  const Pack alpha_t = alpha + SHt;
  const Pack B_t = larger_of((c.QBZ1 + c.QBZ2 * s.dfz + c.QBZ3 * s.dfz * s.dfz) *
                                 (1.0 + c.QBZ4 * g + c.QBZ5 * absolute(g)) * per_friction,
                             0.0);
  const Pack D_t = s.load * (p.R0 / nominal * (1.0 - c.PPZ1 * dpi) * c.LTR) *
                   (c.QDZ1 + c.QDZ2 * s.dfz) * (1.0 + c.QDZ3 * g + c.QDZ4 * g * g) * zeta5;
  const Pack E_t = (c.QEZ1 + c.QEZ2 * s.dfz + c.QEZ3 * s.dfz * s.dfz) *
                   (1.0 + (c.QEZ4 + c.QEZ5 * g) * (2.0 / pi) * atan(B_t * c.QCZ1 * alpha_t));
  const Pack trail =
      D_t * cos_alpha * magic_cosine(equivalent(alpha_t, kappa_part), B_t, c.QCZ1, E_t);

  // residual torque
  const Pack camber = c.QDZ8 + c.QDZ9 * s.dfz + (c.QDZ10 + c.QDZ11 * s.dfz) * absolute(s.gamma);
  const SpinTorque spin = spin_torque(p, s, y, both.weight_y, camber);
  const Pack alpha_r = alpha + y.SHy.f + y.SVy.f * by_Ky;
  const Pack by_camber = ((c.QDZ8 + c.QDZ9 * s.dfz) * (1.0 + c.PPZ2 * dpi) +
                          (c.QDZ10 + c.QDZ11 * s.dfz) * absolute(g)) *
                         g * c.LKZC * s.offsets;
  const Pack D_r = s.load * p.R0 * s.mu_y *
                       ((c.QDZ6 + c.QDZ7 * s.dfz) * c.LRES * y.zeta2.f * s.offsets +
                        (spin.on ? Pack{} : by_camber)) +
                   spin.Dr;
  const Pack B_r = (c.QBZ9 * per_friction + c.QBZ10 * y.BC.f) * spin.zeta6;
  const Pack Br_alpha = B_r * equivalent(alpha_r, kappa_part);
  const Pack fade = spin.on ? cos(spin.zeta7 * atan(Br_alpha)) : cos_atan(Br_alpha);
  const Pack residual = D_r * fade * cos_alpha;

  // force of side slip and lateral offset
  Pack side = both.Fy.f - both.SVyk;
  if (mf6) side = both.weight_y * magic_upright_force(p, s);
  Pack offset{};
  if (p.combined)
    offset =
        p.R0 * c.LS * (c.SSZ1 + (c.SSZ2 / p.Fz0) * both.Fy.f + (c.SSZ3 + c.SSZ4 * s.dfz) * s.gamma);
  return s.direction * (residual - trail * side) + offset * both.Fx.f;
}

Pack magic_overturning(const MagicParameters& p, const MagicState& s, const Pack& Fy) {
  const MagicCoefficients& c = p.c;
  const Pack g = s.gamma * s.offsets;
  const Pack load = s.load * (1.0 / p.Fz0);
  const Pack side = Fy * (1.0 / p.Fz0);
  Pack share = c.QSX1 * c.LVMX - c.QSX2 * g * (1.0 + c.PPMX1 * p.pressure_change) -
               c.QSX12 * g * absolute(g) + c.QSX3 * side;
  // few files have these terms
  if (c.QSX4 != 0.0)
    share += c.QSX4 * cos(c.QSX5 * atan(c.QSX6 * load * c.QSX6 * load)) *
             sin(c.QSX7 * g + c.QSX8 * atan(c.QSX9 * side));
  if (c.QSX10 != 0.0) share += c.QSX10 * atan(c.QSX11 * load) * g;
  return p.R0 * c.LMX * (s.load * share + Fy * (c.QSX13 + c.QSX14 * absolute(g)));
}

Pack magic_rolling(const MagicParameters& p, const MagicState& s, const Pack& Fx, const Pack& speed,
                   const Pack& turning) {
  const MagicCoefficients& c = p.c;
  const Pack load = s.load * (1.0 / p.Fz0);
  const Pack v = smaller_of(absolute(speed) * (1.0 / p.V0), 10.0);
  const Pack g2 = s.gamma * s.gamma;
  const Pack share = c.QSY1 + (c.QSY2 / p.Fz0) * Fx + c.QSY3 * v + c.QSY4 * v * v * v * v +
                     (c.QSY5 + c.QSY6 * load) * g2;
  const Pack base = p.version == MagicVersion::mf6 ? broadcast(p.Fz0) : s.load;
  const Pack rotation = sin(0.5 * pi * within(2.0 * turning, -1.0, 1.0));
  const Pack by_load = c.QSY7 == 1.0 ? load : exponential(c.QSY7 * logarithm(load));
  const double by_pressure =
      p.pressure_change == 0.0 ? 1.0 : std::pow(1.0 + p.pressure_change, c.QSY8);
  return -rotation * base * share * by_load * (p.R0 * by_pressure * c.LMY);
}

}  // namespace semirec
