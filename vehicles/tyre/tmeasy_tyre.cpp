#include "vehicles/tyre/tmeasy_tyre.hpp"

#include <algorithm>
#include <cmath>

#include "vehicles/tyre/sloped.hpp"

namespace semirec {

namespace {

/// Below this share of the nominal load forces fall with the load, N/N.
constexpr double kLeastShare = 0.01;

/// The parabola through zero and two loads, held at its summit.
double force_at(double one, double two, double share) {
  const double bend = one - 0.5 * two;
  if (bend > 0.0) share = std::min(share, (one - 0.25 * two) / bend);
  return share * (2.0 * one - 0.5 * two - bend * share);
}

double slip_at(double one, double two, double share) { return one + (two - one) * (share - 1.0); }

TmeasyCurve at_load(const TmeasyCurve* curve, double share) {
  TmeasyCurve c;
  c.initial_slope = force_at(curve[0].initial_slope, curve[1].initial_slope, share);
  c.maximum = force_at(curve[0].maximum, curve[1].maximum, share);
  c.sliding = force_at(curve[0].sliding, curve[1].sliding, share);
  c.slip_at_maximum = slip_at(curve[0].slip_at_maximum, curve[1].slip_at_maximum, share);
  c.slip_at_sliding = slip_at(curve[0].slip_at_sliding, curve[1].slip_at_sliding, share);
  return c;
}

double trail_share(const TmeasyTrail& t, double slip) {
  const double s = std::abs(slip);
  if (s >= t.slip_at_end) return 0.0;
  if (s <= t.slip_at_zero) {
    const double a = s / t.slip_at_zero;
    const double w = t.slip_at_zero / t.slip_at_end;
    return t.share * ((1.0 - w) * (1.0 - a) + w * (1.0 - (3.0 - 2.0 * a) * a * a));
  }
  // goes on with the slope with which the first part ends
  const double slope = (1.0 - t.slip_at_zero / t.slip_at_end) / t.slip_at_zero;
  const double fade = (t.slip_at_end - s) / (t.slip_at_end - t.slip_at_zero);
  return -t.share * slope * (s - t.slip_at_zero) * fade * fade;
}

/// sqrt((a c)^2 + (b s)^2) with the squares of cosine and sine.
Sloped ellipse(double a, double b, const Sloped& cosine2, const Sloped& sine2) {
  return sqrt(a * a * cosine2 + b * b * sine2);
}

void check_curve(const TmeasyCurve& c, const char* slope_name) {
  check_tyre_number("slip_at_maximum", c.slip_at_maximum, 1e-4, 10.0);
  check_tyre_number("slip_at_sliding", c.slip_at_sliding, c.slip_at_maximum * 1.001, 100.0);
  check_tyre_number("maximum", c.maximum, 1.0, 1e7);
  check_tyre_number("sliding", c.sliding, 1.0, 1e7);
  check_tyre_number(slope_name, c.initial_slope, c.maximum / c.slip_at_maximum, 1e9);
}

}  // namespace

TmeasyTyre::TmeasyTyre(const TmeasyTyreParameters& parameters)
    : SimpleTyre(parameters.radial), p_(parameters) {
  const double nominal = p_.radial.nominal_load;
  if (p_.maximum_load != 0.0) {
    check_tyre_number("maximum_load", p_.maximum_load, nominal, 1e7);
    most_ = p_.maximum_load / nominal;
  }
  for (int i = 0; i < 2; ++i) {
    check_curve(p_.x[i], "initial_slope of x");
    check_curve(p_.y[i], "initial_slope of y");
    check_tyre_number("trail share", p_.trail[i].share, 0.0, 1.0);
    check_tyre_number("trail slip_at_zero", p_.trail[i].slip_at_zero, 1e-3, 10.0);
    check_tyre_number("trail slip_at_end", p_.trail[i].slip_at_end,
                      p_.trail[i].slip_at_zero * 1.001, 100.0);
  }
  check_tyre_number("camber_slip", p_.camber_slip, -10.0, 10.0);
  for (const TmeasyCurve* curve : {p_.x, p_.y}) {
    for (double TmeasyCurve::*force :
         {&TmeasyCurve::initial_slope, &TmeasyCurve::maximum, &TmeasyCurve::sliding}) {
      const double one = curve[0].*force;
      const double two = curve[1].*force;
      check_tyre_number("force at twice the load", two, 1.01 * one, 3.99 * one);
    }
    // slips stay above zero and in their order over the whole range of load
    for (const double share : {kLeastShare, most_}) {
      const double maximum = slip_at(curve[0].slip_at_maximum, curve[1].slip_at_maximum, share);
      check_tyre_number("slip_at_maximum up to the maximum load", maximum, 1e-4, 10.0);
      check_tyre_number("slip_at_sliding up to the maximum load",
                        slip_at(curve[0].slip_at_sliding, curve[1].slip_at_sliding, share),
                        1.0001 * maximum, 100.0);
    }
  }
}

TyreForces TmeasyTyre::forces(const TyreSlip& slip) const {
  TyreForces f;
  f.My = rolling_torque(slip);
  const double friction = std::clamp(slip.friction, 0.0, 10.0);
  if (slip.load <= 0.0 || friction == 0.0) return f;
  const double wanted = slip.load / nominal_load();
  const double share = std::clamp(wanted, kLeastShare, most_);
  f.clamped = wanted > most_ ? tyre_clamped::kLoad : 0;
  const double small = std::min(wanted / kLeastShare, 1.0);
  const TmeasyCurve cx = at_load(p_.x, share);
  const TmeasyCurve cy = at_load(p_.y, share);

  // slips, not yet divided by the rolling speed over that of travel
  constexpr double kMost = 1e6;
  const Sloped kappa(std::clamp(slip.kappa, -kMost, kMost), 1.0, 0.0);
  const Sloped side = Sloped(std::clamp(slip.tan_alpha, -kMost, kMost), 0.0, 1.0) +
                      p_.camber_slip * std::clamp(slip.gamma, -1.6, 1.6);
  const Sloped pace = 1.0 + direction(slip.speed) * kappa;
  const double stretch_x = cx.maximum / cx.initial_slope;
  const double stretch_y = cy.maximum / cy.initial_slope;
  const double norm_x = cx.slip_at_maximum / (cx.slip_at_maximum + cy.slip_at_maximum) +
                        stretch_x / (stretch_x + stretch_y);
  const double norm_y = cy.slip_at_maximum / (cx.slip_at_maximum + cy.slip_at_maximum) +
                        stretch_y / (stretch_x + stretch_y);
  const Sloped x = kappa / norm_x;
  const Sloped y = side / norm_y;
  const Sloped square = x * x + y * y;

  Sloped Fx;
  Sloped Fy;
  if (square.f < 1e-20) {
    Fx = cx.initial_slope * kappa / pace;
    Fy = -cy.initial_slope * side / pace;
  } else {
    const Sloped cosine2 = x * x / square;
    const Sloped sine2 = y * y / square;
    const Sloped size = sqrt(square);
    const Sloped slope =
        ellipse(cx.initial_slope * norm_x, cy.initial_slope * norm_y, cosine2, sine2);
    const Sloped maximum = friction * ellipse(cx.maximum, cy.maximum, cosine2, sine2);
    const Sloped sliding = friction * ellipse(cx.sliding, cy.sliding, cosine2, sine2);
    // a road of other friction moves the slips with the forces, so that the slope stays
    const Sloped at_maximum = friction * ellipse(cx.slip_at_maximum / norm_x,
                                                 cy.slip_at_maximum / norm_y, cosine2, sine2);
    const Sloped at_sliding = friction * ellipse(cx.slip_at_sliding / norm_x,
                                                 cy.slip_at_sliding / norm_y, cosine2, sine2);
    Sloped secant;  // force over size
    if (size.f >= at_sliding.f * pace.f) {
      secant = sliding / size;
    } else if (size.f >= at_maximum.f * pace.f) {
      const Sloped a = (size / pace - at_maximum) / (at_sliding - at_maximum);
      secant = (maximum - (maximum - sliding) * a * a * (3.0 - 2.0 * a)) / size;
    } else {
      const Sloped a = size / (at_maximum * pace);
      secant = slope / (pace * (1.0 + a * (a + slope * at_maximum / maximum - 2.0)));
    }
    Fx = secant * x;
    Fy = -secant * y;
  }
  f.Fx = small * Fx.f;
  f.Fx_kappa = small * Fx.f_kappa;
  f.Fx_tan_alpha = small * Fx.f_alpha;
  f.Fy = small * Fy.f;
  f.Fy_kappa = small * Fy.f_kappa;
  f.Fy_tan_alpha = small * Fy.f_alpha;

  // trail; a locked wheel has none
  if (pace.f > 1e-6) {
    TmeasyTrail trail;
    trail.share = std::max(slip_at(p_.trail[0].share, p_.trail[1].share, share), 0.0);
    // they move with the slips of the force
    trail.slip_at_zero = std::max(
        friction * slip_at(p_.trail[0].slip_at_zero, p_.trail[1].slip_at_zero, share), 1e-3);
    trail.slip_at_end =
        std::max(friction * slip_at(p_.trail[0].slip_at_end, p_.trail[1].slip_at_end, share),
                 1.001 * trail.slip_at_zero);
    const double radius = unloaded_radius();
    const double deflection = std::min(slip.load / radial().stiffness, 0.5 * radius);
    const double length = 2.0 * std::sqrt(radius * deflection);
    f.Mz = -direction(slip.speed) * length * trail_share(trail, side.f / pace.f) * f.Fy;
  }
  return f;
}

static void put_into(Fingerprint& fingerprint, const TmeasyCurve& whole) {
  const auto& [initial_slope, slip_at_maximum, maximum, slip_at_sliding, sliding] = whole;
  fingerprint(initial_slope, slip_at_maximum, maximum, slip_at_sliding, sliding);
}

static void put_into(Fingerprint& fingerprint, const TmeasyTrail& whole) {
  const auto& [share, slip_at_zero, slip_at_end] = whole;
  fingerprint(share, slip_at_zero, slip_at_end);
}

void TmeasyTyre::put_into(Fingerprint& fingerprint) const {
  const auto& [radial, x, y, trail, camber_slip, maximum_load] = p_;
  fingerprint("tmeasy", radial, x, y, trail, camber_slip, maximum_load);
}

}  // namespace semirec
