#include "vehicles/tyre/rolling_tyre.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vehicles/tyre/patch_numbers.hpp"
#include "vehicles/tyre/sliding_friction.hpp"
#include "vehicles/tyre/touch_down.hpp"

namespace semirec {

namespace {

double length(double x, double y) { return std::sqrt(x * x + y * y); }

}  // namespace

RollingTyre::RollingTyre(const Wheel& wheel, std::shared_ptr<const RoadSurface> road,
                         ContactMethod method, InputIndex motion)
    : wheel_(wheel), law_(wheel.law), road_(std::move(road)), method_(method), motion_(motion) {
  const PatchOfLaw& patch = law_->patch();
  c_x_ = patch.c_x;
  c_y_ = patch.c_y;
  d_x_ = patch.d_x;
  d_y_ = patch.d_y;
  per_least_load_ = patch.per_least_load;
  fades_camber_ = law_->fades_camber();
  slides_as_one_ = law_->slides_as_one();
  alone_ = make_tyre_row({law_});
}

void RollingTyre::bind(const Mechanism& mechanism, TreeModel& model) {
  const auto pose = [&](BodyIndex body) {
    return mechanism.bodies[static_cast<std::size_t>(body)].X_WB;
  };
  Marker on_rim = wheel_.centre;
  on_rim.body = wheel_.rim;
  on_rim.X_BF = inverse(pose(wheel_.rim)) * (pose(wheel_.centre.body) * wheel_.centre.X_BF);
  rim_ = model.attach(on_rim);
  connection_ = model.connect(kGround, wheel_.rim);
}

RollingTyre::Patch RollingTyre::meet_road(const ForceInput& in) const {
  Patch p;
  p.centre = in.position_of(rim_);
  const Eigen::Vector3d world = in.origin() + p.centre;
  const Eigen::Vector3d axle = in.axis_of(rim_, 1);
  const Vector6& Z = in.velocity_of(rim_.body);
  CurveValue lift;
  if (motion_ != kNoInput) lift = in.input(motion_);

  // a road that is lifted by so much is a wheel that is lower
  const WheelContact contact = compute_wheel_contact(
      *road_, method_, world - Eigen::Vector3d(0.0, 0.0, lift.f), axle, law_->unloaded_radius(),
      patch_slip::kTreadWidth * law_->unloaded_radius());
  p.n = contact.normal;
  p.x = axle.cross(p.n).normalized();
  p.y = p.n.cross(p.x);
  p.ground = contact.ground - in.origin() + Eigen::Vector3d(0.0, 0.0, lift.f);
  p.height = contact.ground.z() + lift.f;
  p.friction = wheel_.friction_scale * contact.friction;

  const Eigen::Vector3d w = Z.tail<3>();
  p.contact.omega = w.dot(axle);
  p.turning = w - p.contact.omega * axle;
  p.patch = velocity_at(Z, p.centre) + p.turning.cross(p.ground - p.centre);
  p.contact.deflection = contact.deflection;
  // there, where the load acts: a wheel that leans over is pressed in by its leaning, too
  p.contact.deflection_rate = lift.fd * p.n.z() - p.patch.dot(p.n);
  p.contact.gamma = std::asin(std::clamp(axle.dot(p.n), -1.0, 1.0));
  p.turn = p.turning.dot(p.n);
  return p;
}

void RollingTyre::compute_slip_speeds(Patch& p) const {
  p.Vx = p.patch.dot(p.x);
  p.Vsx = p.Vx - p.contact.omega * p.rolling.radius;
  p.Vsy = p.patch.dot(p.y);
  const double away = std::abs(p.Vx) + length(c_x_ * p.Vsx, c_y_ * p.Vsy);
  p.leak_x = away / p.rolling.relaxation_x;
  p.leak_y = away / p.rolling.relaxation_y;
  p.drag_x = p.Vsx;
  p.drag_y = p.Vsy;
  const double hold = p.rolling.load.load * per_least_load_;
  if (hold < 1.0) {
    const double recoil = (1.0 - hold) / patch_slip::kRecoil;
    p.leak_x = hold * p.leak_x + recoil;
    p.leak_y = hold * p.leak_y + recoil;
    p.drag_x *= hold;
    p.drag_y *= hold;
  }
  const double part = p.Vx / patch_slip::kSlow;
  const double slow = 1.0 - part * part;
  p.d = std::abs(part) < 1.0 ? slow * slow : 0.0;
  if (wheel_.turning_friction > 0.0) {
    p.turned = make_turning_patch(wheel_.turning_friction * p.friction, p.rolling.load.load,
                                  law_->unloaded_radius(), p.contact.deflection, p.turn,
                                  std::abs(p.Vx), length(p.Vsx, p.Vsy));
    if (hold < 1.0) {
      p.turned.leak = hold * p.turned.leak + (1.0 - hold) / patch_slip::kRecoil;
      p.turned.drag *= hold;
    }
  }
}

RollingTyre::Patch RollingTyre::locate(const ForceInput& in) const {
  Patch p = meet_road(in);
  alone_->roll({&p.contact, 1}, {&p.rolling, 1});
  compute_slip_speeds(p);
  return p;
}

double RollingTyre::rolling_radius(const ForceInput& in, double speed) const {
  // load and radius change a little with the spin that the radius gives
  constexpr int kPasses = 4;
  Patch p = meet_road(in);
  p.contact.deflection_rate = 0.0;
  p.rolling.radius = law_->unloaded_radius();
  for (int pass = 0; pass < kPasses; ++pass) {
    p.contact.omega = speed / p.rolling.radius;
    alone_->roll({&p.contact, 1}, {&p.rolling, 1});
  }
  return p.rolling.radius;
}

RollingTyre::Deflection RollingTyre::eliminate(const Patch& p, const ForceInput& in,
                                               int first) const {
  const double gain = in.gain();
  const double by_x = 1.0 / (1.0 + gain * p.leak_x);
  const double by_y = 1.0 / (1.0 + gain * p.leak_y);
  Deflection d;
  d.u = (in.x_hat(first) + gain * (in.xd_hat(first) - p.drag_x)) * by_x;
  d.v = (in.x_hat(first + 1) + gain * (in.xd_hat(first + 1) + p.drag_y)) * by_y;
  d.u_s = gain * by_x;
  d.v_s = gain * by_y;
  if (wheel_.turning_friction > 0.0) {
    const double by = 1.0 / (1.0 + gain * p.turned.leak);
    d.twist = (in.x_hat(first + 2) + gain * (in.xd_hat(first + 2) + p.turned.drag)) * by;
    d.twist_s = gain * by;
  }
  return d;
}

RollingTyre::Slips RollingTyre::compute_slips(const Patch& p, const Deflection& d) const {
  const double damp_x = p.d * d_x_;
  const double damp_y = p.d * d_y_;
  // what damps is the rate of the deflections: none in steady sliding
  const double k = (d.u - damp_x * (p.drag_x + p.leak_x * d.u)) / p.rolling.relaxation_x;
  const double t = (d.v + damp_y * (p.drag_y - p.leak_y * d.v)) / p.rolling.relaxation_y;
  const double q = length(c_x_ * k, c_y_ * t);
  const bool limited = q >= patch_slip::kMostSliding;
  const double f = 1.0 / (1.0 - std::min(q, patch_slip::kMostSliding));
  Slips s;
  s.kappa = f * k;
  s.tan_alpha = f * t;
  s.over_rate.setIdentity();
  s.over_rate *= f;
  if (!limited && q > 0.0) {
    const double g = f * f / q;
    s.over_rate(0, 0) += g * k * c_x_ * c_x_ * k;
    s.over_rate(0, 1) += g * k * c_y_ * c_y_ * t;
    s.over_rate(1, 0) += g * t * c_x_ * c_x_ * k;
    s.over_rate(1, 1) += g * t * c_y_ * c_y_ * t;
  }
  const double rate_s_x = 1.0 - p.leak_x * d.u_s;
  const double rate_s_y = 1.0 - p.leak_y * d.v_s;
  s.over_rate.col(0) *= (d.u_s + damp_x * rate_s_x) / p.rolling.relaxation_x;
  s.over_rate.col(1) *= (d.v_s + damp_y * rate_s_y) / p.rolling.relaxation_y;
  return s;
}

TyreSlip RollingTyre::to_law(const Patch& p, const Slips& s) const {
  TyreSlip slip;
  slip.load = p.rolling.load.load;
  slip.kappa = s.kappa;
  slip.tan_alpha = s.tan_alpha;
  // camber and spin act by rolling: a tyre at rest leans without pushing sideways
  const double part = std::abs(p.Vx) * (1.0 / patch_slip::kCrawl);
  const double slow = 2.0 - part * part;
  slip.gamma =
      fades_camber_ || part >= 1.0 ? p.contact.gamma : part * part * slow * p.contact.gamma;
  slip.turn_slip = -p.turn * (part >= 1.0 ? 1.0 / part : part * slow) * (1.0 / patch_slip::kCrawl);
  slip.speed = p.Vx;
  slip.friction = p.friction;
  return slip;
}

void RollingTyre::add_wheel(const ForceInput& in, ForceSink& out, const Patch& p,
                            const Deflection& d, const Slips& s, const TyreSlip& told,
                            TyreForces& F) const {
  if (told.load > 0.0) {
    if (slides_as_one_) turn_against_sliding(told, F);
    F.Mz -= p.turned.stiffness * d.twist;
    add_forces(in, out, p, d, s, F);
  } else if (!std::isfinite(p.contact.deflection)) {
    // a road without a height does not carry in silence: the step ends as not finite
    out.add_wrench(rim_.body, Vector6::Constant(std::numeric_limits<double>::quiet_NaN()));
  }
}

void RollingTyre::set_states(const Deflection& d, int first, ForceSink& out) const {
  out.set_x(first, d.u);
  out.set_x(first + 1, d.v);
  if (wheel_.turning_friction > 0.0) out.set_x(first + 2, d.twist);
}

void RollingTyre::add_forces(const ForceInput& in, ForceSink& out, const Patch& p,
                             const Deflection& d, const Slips& s, const TyreForces& F) const {
  const TyreLoad& load = p.rolling.load;
  Vector6 wrench = make_line(p.ground, F.Fx * p.x + F.Fy * p.y + load.load * p.n);
  wrench.tail<3>() += F.Mx * p.x + F.My * p.y + F.Mz * p.n;
  out.add_wrench(rim_.body, wrench);

  const TangentWeights& weights = in.weights();
  if (weights.stiffness == 0.0 && weights.damping == 0.0) return;
  // -dF/d(Vsx, Vsy), its symmetric part as two lines, no negative ones
  Eigen::Matrix2d over_slip;
  over_slip << F.Fx_kappa, F.Fx_tan_alpha, F.Fy_kappa, F.Fy_tan_alpha;
  const Eigen::Matrix2d over_rate = over_slip * s.over_rate;
  const double c_xx = std::max(0.0, over_rate(0, 0));
  const double c_yy = std::max(0.0, -over_rate(1, 1));
  // no more than that part allows: else the line across would be held by far more than c_yy
  const double most = std::sqrt(c_xx * c_yy);
  const double c_xy = std::fmin(std::fmax(0.5 * (over_rate(1, 0) - over_rate(0, 1)), -most), most);
  const double share = c_xx > 0.0 ? c_xy / c_xx : 0.0;
  const double c_rest = std::max(0.0, c_yy - share * share * c_xx);
  const double pressing = weights.stiffness * std::max(load.stiffness, 0.0) +
                          weights.damping * std::max(load.damping, 0.0);
  const Vector6 line_n = make_line(p.ground, p.n);
  if (weights.lead != 0.0)
    out.add_wrench(rim_.body, -weights.lead * std::max(load.stiffness, 0.0) *
                                  line_n.dot(in.velocity_of(rim_.body)) * line_n);
  const Vector6 line_y = make_line(p.ground, p.y);
  const Vector6 line_x = make_line(p.ground, p.x) + share * line_y;
  Matrix6 G;
  G.noalias() = (pressing * line_n) * line_n.transpose();
  G.noalias() += (weights.damping * c_xx * line_x) * line_x.transpose();
  G.noalias() += (weights.damping * c_rest * line_y) * line_y.transpose();
  if (p.turned.stiffness > 0.0)
    G.bottomRightCorner<3, 3>().noalias() +=
        (weights.damping * p.turned.stiffness * d.twist_s * p.n) * p.n.transpose();
  out.add_six_axis_tangent(connection_, G);
}

void RollingTyre::write_states(const Patch& p, const Deflection& d, int first,
                               StateSink& out) const {
  out.set_x(first, d.u);
  out.set_x(first + 1, d.v);
  out.set_xd(first, -p.drag_x - p.leak_x * d.u);
  out.set_xd(first + 1, p.drag_y - p.leak_y * d.v);
  if (wheel_.turning_friction > 0.0) {
    out.set_x(first + 2, d.twist);
    out.set_xd(first + 2, p.turned.drag - p.turned.leak * d.twist);
  }
}

void RollingTyre::settle(const ForceInput& in, int first, StateSink& out) const {
  constexpr double kAtRest = 1e-6;  // 1/s
  const Patch p = locate(in);
  if (wheel_.turning_friction > 0.0 && p.turned.leak >= kAtRest)
    out.set_x(first + 2, p.turned.drag / p.turned.leak);
  if (std::min(p.leak_x, p.leak_y) < kAtRest) return;
  out.set_x(first, -p.drag_x / p.leak_x);
  out.set_x(first + 1, p.drag_y / p.leak_y);
}

Footing RollingTyre::compute_footing(const ForceInput& in) const {
  const Patch p = meet_road(in);
  const double load = law_->load(p.contact.deflection, 0.0, 0.0).load;
  return {p.centre, p.ground, p.n, p.contact.deflection,
          p.contact.deflection > 0.0 ? std::max(load, 0.0) : 0.0};
}

double RollingTyre::deflection_under(double load) const {
  // the law's load rises with the deflection
  double low = 0.0;
  double high = 0.5 * law_->unloaded_radius();
  for (int k = 0; k < 50; ++k) {
    const double middle = 0.5 * (low + high);
    (law_->load(middle, 0.0, 0.0).load < load ? low : high) = middle;
  }
  return low;
}

ForcePower RollingTyre::report(const ForceInput& in, const Patch& p, const Deflection& d,
                               const Slips& s, const TyreSlip& told, TyreForces F,
                               double* values) const {
  const TyreLoad& load = p.rolling.load;
  if (load.load <= 0.0)
    F = {};
  else if (slides_as_one_)
    turn_against_sliding(told, F);
  if (load.load > 0.0) F.Mz -= p.turned.stiffness * d.twist;
  const Eigen::Vector3d force = F.Fx * p.x + F.Fy * p.y + load.load * p.n;
  if (values != nullptr) {
    const Eigen::Vector3d world = in.origin() + p.centre;
    for (int k = 0; k < 3; ++k) {
      values[k] = world[k];
      values[3 + k] = force[k];
    }
    values[6] = std::atan(s.tan_alpha);
    values[7] = p.contact.gamma;
    values[8] = p.height;
    values[9] = s.kappa;
    values[10] = p.contact.omega;
    values[11] = F.Fx;
    values[12] = F.Fy;
    values[13] = load.load;
    values[14] = F.Mx;
    values[15] = F.My;
    values[16] = F.Mz;
    values[17] = F.clamped;
  }
  ForcePower power;
  power.open = true;
  if (load.load <= 0.0) return power;
  const double twisted = p.turned.stiffness * d.twist * d.twist;
  const double damped = load.damping * p.contact.deflection_rate;
  power.stored = 0.5 * (load.load - damped) * p.contact.deflection + 0.5 * twisted;
  Vector6 wrench = make_line(p.ground, force);
  wrench.tail<3>() += F.Mx * p.x + F.My * p.y + F.Mz * p.n;
  power.dissipated = damped * p.contact.deflection_rate - F.Fx * p.Vsx - F.Fy * p.Vsy -
                     F.My * p.contact.omega + p.turned.leak * twisted;
  power.input = wrench.dot(in.velocity_of(rim_.body)) + power.dissipated;
  return power;
}

double RollingTyre::reach(const ForceInput& in) const {
  const TyreContact contact = meet_road(in).contact;
  const double pressed =
      contact.deflection + (law_->free_radius(contact.omega) - law_->unloaded_radius());
  TyreLoad load = law_->load(contact.deflection, contact.deflection_rate, contact.omega);
  const double stiffness = load.stiffness;
  fade_in_damping(pressed, kTouchDownDepth * law_->unloaded_radius(), contact.deflection_rate,
                  load.load, load.stiffness, load.damping);
  return stiffness > 0.0 ? std::fmin(pressed, load.load / stiffness) : pressed;
}

void RollingTyre::add_channels(std::vector<Channel>& channels) const {
  const std::string& n = wheel_.name;
  channels.insert(channels.end(), {{n + ".x", "m"},
                                   {n + ".y", "m"},
                                   {n + ".z", "m"},
                                   {n + ".Fx", "N"},
                                   {n + ".Fy", "N"},
                                   {n + ".Fz", "N"},
                                   {n + ".alpha", "rad"},
                                   {n + ".gamma", "rad"},
                                   {n + ".road", "m"},
                                   {n + ".kappa", "1"},
                                   {n + ".omega", "rad/s"},
                                   {n + ".Wx", "N"},
                                   {n + ".Wy", "N"},
                                   {n + ".Wz", "N"},
                                   {n + ".Mx", "N m"},
                                   {n + ".My", "N m"},
                                   {n + ".Mz", "N m"},
                                   {n + ".clamped", "1"}});
}

}  // namespace semirec
