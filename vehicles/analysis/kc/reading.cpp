#include "vehicles/analysis/kc/reading.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "integrator/formulation/evaluate.hpp"
#include "recursive/kinematics.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"
#include "vehicles/analysis/kc/pad_force.hpp"

namespace semirec {

namespace {

constexpr std::size_t kMaxChannels = 16;

}  // namespace

Reading read_rig(const Rig& rig, const RigState& state, Workspace& ws) {
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(rig.model.n());
  // inputs act in closures and forces alone: all poses are in z
  begin_evaluation(rig.model, state.state, state.state.t, ws);
  compute_positions(rig.model.tree, state.state.z.data(), ws.tree);
  compute_motions(rig.model.tree, rest.data(), rest.data(), ws.tree);
  Reading reading;
  for (int w = 0; w < rig.wheels(); ++w) {
    const WheelPlace place =
        find_wheel_place({rig.model.tree, ws.tree}, rig.centres[at(w)], rig.radius[at(w)]);
    WheelReading wheel;
    wheel.centre = ws.tree.origin + place.centre;
    wheel.contact = ws.tree.origin + place.contact;
    wheel.steer = std::atan2(-place.axle.x(), place.axle.y());
    wheel.inclination = std::asin(std::clamp(place.axle.z(), -1.0, 1.0));
    wheel.load = state.loads[w];
    reading.wheels.push_back(wheel);
  }
  for (const MeasuredLength& length : rig.lengths) {
    std::array<double, kMaxChannels> values{};
    report_force(*rig.model.forces[length.force], rig.model.tree, ws.tree, values.data());
    reading.lengths.push_back(values[0]);
  }
  return reading;
}

Reading read_rate(const Rig& rig, const RigState& state, const RigResponse& response, Workspace& ws,
                  double step) {
  const double largest = largest_magnitude(response.z);
  const double share = step / std::max(largest, 1e-12);
  const auto read = [&](double there) {
    RigState state_there = state;
    state_there.state.z += there * response.z;
    return read_rig(rig, state_there, ws);
  };
  const Reading ahead = read(share);
  const Reading behind = read(-share);
  const double over = 1.0 / (2.0 * share);
  Reading change;
  for (std::size_t w = 0; w < ahead.wheels.size(); ++w) {
    const WheelReading& a = ahead.wheels[w];
    const WheelReading& b = behind.wheels[w];
    WheelReading wheel;
    wheel.centre = over * (a.centre - b.centre);
    wheel.contact = over * (a.contact - b.contact);
    wheel.steer = over * (a.steer - b.steer);
    wheel.inclination = over * (a.inclination - b.inclination);
    wheel.load = response.loads[static_cast<Eigen::Index>(w)];
    change.wheels.push_back(wheel);
  }
  for (std::size_t k = 0; k < ahead.lengths.size(); ++k)
    change.lengths.push_back(over * (ahead.lengths[k] - behind.lengths[k]));
  return change;
}

namespace {

Vector6 find_tree_twist(const Rig& rig, const RigState& state, const RigResponse& response,
                        std::size_t body, Workspace& ws) {
  begin_evaluation(rig.model, state.state, state.state.t, ws);
  compute_positions(rig.model.tree, state.state.z.data(), ws.tree);
  compute_velocities(rig.model.tree, response.z.data(), ws.tree);
  const Vector6& Z = ws.tree.Z[body];
  return make_six(velocity_at(Z, -ws.tree.origin), Z.tail<3>());
}

}  // namespace

Vector6 find_twist(const Rig& rig, const RigState& state, const RigResponse& response, int wheel,
                   Workspace& ws) {
  return find_tree_twist(rig, state, response, at(rig.centres[at(wheel)].body), ws);
}

Vector6 find_body_twist(const Rig& rig, const RigState& state, const RigResponse& response,
                        BodyIndex body, Workspace& ws) {
  return find_tree_twist(rig, state, response, at(rig.model.tree.tree.tree_index(body)), ws);
}

}  // namespace semirec
