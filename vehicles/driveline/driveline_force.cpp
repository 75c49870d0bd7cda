#include "vehicles/driveline/driveline_force.hpp"

#include <algorithm>
#include <limits>

namespace semirec {

DrivelineForce::DrivelineForce(const Driveline& driveline, const std::vector<Wheel>& wheels)
    : ForceElement(driveline.name, driveline.source) {
  check_driveline(driveline);
  model_ = make_driveline_model(driveline);
  for (const DrivenAxle& axle : driveline.axles) {
    for (const int index : axle.wheels) {
      Shaft shaft;
      shaft.wheel = wheels.at(static_cast<std::size_t>(index));
      shaft.body = axle.body;
      if (shaft.wheel.rim == kGround)
        throw ModelError(axle.source, axle.name,
                         "drives wheel '" + shaft.wheel.name +
                             "', which does not spin, expected a wheel with rim=\"...\"");
      if (shaft.wheel.rim == axle.body)
        throw ModelError(axle.source, axle.name,
                         "has the rim of wheel '" + shaft.wheel.name +
                             "' as its body, expected the body that carries the differential");
      shafts_.push_back(shaft);
    }
  }
}

void DrivelineForce::bind(const Mechanism& /*mechanism*/, TreeModel& model) {
  for (Shaft& shaft : shafts_) {
    shaft.axle = model.attach(shaft.wheel.centre);
    shaft.rim = model.tree.tree_index(shaft.wheel.rim);
    shaft.base = model.tree.tree_index(shaft.body);
    shaft.connection = model.connect(shaft.body, shaft.wheel.rim);
  }
}

std::vector<InputRange> DrivelineForce::input_ranges() const {
  const Driveline& driveline = model_.driveline;
  const Gearbox& gearbox = driveline.gearbox;
  // of an automatic 1 and more mean drive
  const auto gears = static_cast<double>(gearbox.gears.size());
  const double most = gearbox.automatic ? std::numeric_limits<double>::infinity() : gears;
  return {{driveline.motor.throttle, driveline.motor.type == MotorType::electric ? -1.0 : 0.0, 1.0},
          {driveline.coupling.pedal, 0.0, 1.0},
          {gearbox.selector, gearbox.reverse > 0.0 ? -1.0 : 0.0, most,
           gearbox.automatic ? 1.0 : gears}};
}

Vector6 DrivelineForce::line(const Shaft& shaft, const ForceInput& in) const {
  return make_six(Eigen::Vector3d::Zero(), in.axis_of(shaft.axle, 1));
}

DrivelineDemand DrivelineForce::demand(const ForceInput& in) const {
  const Driveline& driveline = model_.driveline;
  DrivelineDemand demand;
  demand.throttle = in.input(driveline.motor.throttle, 0.0);
  demand.pedal = in.input(driveline.coupling.pedal, 0.0);
  demand.selector = in.input(driveline.gearbox.selector, 1.0);
  for (std::size_t j = 0; j < shafts_.size(); ++j)
    demand.wheel_speed[j] =
        line(shafts_[j], in).dot(in.relative_velocity(shafts_[j].base, shafts_[j].rim));
  return demand;
}

void DrivelineForce::solve(const ForceInput& in, const DrivelineDemand& given, bool with_resistance,
                           DrivelineSolution& solution) const {
  DrivelineRule rule{.h = in.step(), .gain = in.gain()};
  for (std::size_t k = 0; k < rule.x_begin.size(); ++k) {
    const int state = static_cast<int>(k);
    rule.x_begin[k] = in.x_begin(state);
    rule.x_hat[k] = in.x_hat(state);
    rule.xd_hat[k] = in.xd_hat(state);
  }
  solve_driveline(model_, given, rule, solution, with_resistance);
}

void DrivelineForce::add_forces(const ForceInput& in, ForceSink& out) const {
  DrivelineSolution solution;
  const bool with_tangent = in.weights().damping != 0.0;
  solve(in, demand(in), with_tangent, solution);
  for (std::size_t k = 0; k < solution.x.size(); ++k) out.set_x(static_cast<int>(k), solution.x[k]);
  for (std::size_t j = 0; j < shafts_.size(); ++j) {
    // N is the exact tangent, D = diag(max(N_jj, row sum/2)) has 2 D >= N: errors shrink
    double damping = 0.0;
    if (with_tangent) {
      const auto row = solution.resistance.row(static_cast<Eigen::Index>(j));
      damping = std::max(row[static_cast<Eigen::Index>(j)], 0.5 * row.cwiseAbs().sum());
    }
    out.add_line_force(shafts_[j].connection, line(shafts_[j], in), -solution.torque[j], 0.0,
                       damping);
  }
}

void DrivelineForce::update_states(const ForceInput& in, StateSink& out) const {
  const DrivelineDemand given = demand(in);
  DrivelineSolution solution;
  solve(in, given, /*with_resistance=*/false, solution);
  if (shift_gear(model_, given, in.step(), solution)) {
    // the same states in another gear: other rates
    DrivelineRule held;
    held.hold(solution.x, {});
    solve_driveline(model_, given, held, solution, /*with_resistance=*/false);
  }
  for (std::size_t k = 0; k < solution.x.size(); ++k) {
    out.set_x(static_cast<int>(k), solution.x[k]);
    out.set_xd(static_cast<int>(k), solution.xd[k]);
  }
}

void DrivelineForce::settle_states(const ForceInput& in, StateSink& out) const {
  const DrivelineStates x = settle_driveline(model_, demand(in));
  for (std::size_t k = 0; k < x.size(); ++k) out.set_x(static_cast<int>(k), x[k]);
}

void DrivelineForce::add_sliding_states(std::vector<int>& sliding) const {
  for (std::size_t s = 0; s < model_.slips.size(); ++s)
    if (model_.slips[s].active)
      sliding.push_back(states().first + static_cast<int>(driveline_state::kAxleFriction + s));
}

void DrivelineForce::add_switched_states(std::vector<int>& switched) const {
  for (const int own : {driveline_state::kGear, driveline_state::kShiftTimer})
    switched.push_back(states().first + own);
}

ForcePower DrivelineForce::report(const ForceInput& in, double* values) const {
  DrivelineSolution solution;
  solve(in, demand(in), /*with_resistance=*/false, solution);
  if (values != nullptr) {
    namespace place = driveline_state;
    values[0] = solution.x[place::kMotorSpeed];
    values[1] = solution.y[DrivelineModel::kOutput];
    values[2] = solution.motor_torque;
    values[3] = solution.coupling_torque;
    values[4] = solution.ratio == 0.0 ? 0.0 : solution.x[place::kGear];
    for (std::size_t j = 0; j < shafts_.size(); ++j) values[5 + j] = solution.torque[j];
  }
  return {solution.stored, solution.dissipated, solution.input};
}

std::vector<Channel> DrivelineForce::channels() const {
  std::vector<Channel> channels{{name() + ".motor_speed", "rad/s"},
                                {name() + ".output_speed", "rad/s"},
                                {name() + ".motor_torque", "N m"},
                                {name() + ".coupling_torque", "N m"},
                                {name() + ".gear", "1"}};
  for (const Shaft& shaft : shafts_) channels.push_back({name() + "." + shaft.wheel.name, "N m"});
  return channels;
}

bool DrivelineForce::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  for (const Shaft& shaft : shafts_)
    bodies.insert(bodies.end(), {shaft.axle.body, shaft.rim, shaft.base});
  return true;
}

}  // namespace semirec
