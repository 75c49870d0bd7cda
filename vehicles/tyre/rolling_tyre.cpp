#include "vehicles/tyre/rolling_tyre.hpp"

#include <algorithm>
#include <cmath>

#include "vehicles/tyre/rolling_row.hpp"
#include "vehicles/tyre/touch_down.hpp"

namespace semirec {

RollingTyre::RollingTyre(const Wheel& wheel, std::shared_ptr<const RoadSurface> road,
                         ContactMethod method, const RoadMotion& motion)
    : wheel_(wheel), law_(wheel.law), road_(std::move(road)), method_(method), motion_(motion) {
  const PatchOfLaw& patch = law_->patch();
  c_x_ = patch.c_x;
  c_y_ = patch.c_y;
  d_x_ = patch.d_x;
  d_y_ = patch.d_y;
  per_least_load_ = patch.per_least_load;
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
  alone_ = std::make_shared<RollingRow>(std::vector<const RollingTyre*>{this}, std::vector<int>{0});
}

double RollingTyre::rolling_radius(const ForceInput& in, double speed) const {
  // load and radius change a little with the spin that the radius gives
  constexpr int kPasses = 4;
  RollingRow::Place p;
  alone_->meet_road(in, p);
  TyreContact contact{p.contact.deflection[0], 0.0, 0.0, p.contact.gamma[0]};
  double radius = law_->unloaded_radius();
  for (int pass = 0; pass < kPasses; ++pass) {
    contact.omega = speed / radius;
    radius = roll_tyre(*law_, contact).radius;
  }
  return radius;
}

void RollingTyre::settle(const ForceInput& in, int first, StateSink& out) const {
  constexpr double kAtRest = 1e-6;  // 1/s
  RollingRow::Place p;
  alone_->meet_road(in, p);
  alone_->roll(p);
  if (wheel_.turning_friction > 0.0 && p.turned.leak[0] >= kAtRest)
    out.set_x(first + 2, p.turned.drag[0] / p.turned.leak[0]);
  const double leak_x = p.leak_x[0];
  const double leak_y = p.leak_y[0];
  if (std::min(leak_x, leak_y) < kAtRest) return;
  out.set_x(first, -p.drag_x[0] / leak_x);
  out.set_x(first + 1, p.drag_y[0] / leak_y);
}

Footing RollingTyre::compute_footing(const ForceInput& in) const {
  RollingRow::Place p;
  alone_->meet_road(in, p);
  const auto first = [](const Pack3& v) { return Eigen::Vector3d(v.x[0], v.y[0], v.z[0]); };
  const double deflection = p.contact.deflection[0];
  const double load = law_->load(deflection, 0.0, 0.0).load;
  return {first(p.rim.centre), first(p.at.ground), first(p.at.n), deflection,
          deflection > 0.0 ? std::max(load, 0.0) : 0.0};
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

double RollingTyre::reach(const ForceInput& in) const {
  RollingRow::Place p;
  alone_->meet_road(in, p);
  const double omega = p.contact.omega[0];
  const double rate = p.contact.deflection_rate[0];
  const double pressed =
      p.contact.deflection[0] + (law_->free_radius(omega) - law_->unloaded_radius());
  TyreLoad load = law_->load(p.contact.deflection[0], rate, omega);
  const double stiffness = load.stiffness;
  fade_in_damping(pressed, kTouchDownDepth * law_->unloaded_radius(), rate, load.load,
                  load.stiffness, load.damping);
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
