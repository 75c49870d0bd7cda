#include "apps/report/motion_recorder.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "apps/report/numbers.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/outputs/reactions.hpp"
#include "recursive/body_frame.hpp"

namespace semirec::report {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kMostFrames = 3000.0, kFewestFrames = 100.0;
constexpr double kMostRows = 4000.0, kFewestRows = 400.0;
constexpr double kBytesOfFrames = 6e5, kBytesOfChannels = 9e5;
constexpr double kCourseStep = 0.1;  // m between points of the course
constexpr double kRoadBeside = 2.5;  // m of road beside the outermost wheel

/// How many fit into so many bytes, within bounds.
double most_in(double bytes, std::size_t numbers_each, double fewest, double most) {
  const double by_size = bytes / (kBytesPerNumber * static_cast<double>(numbers_each));
  return std::min(most, std::max(fewest, by_size));
}

/// s between frames.
double frame_interval(double duration, double most) {
  return std::isfinite(duration) ? std::max(kFrameInterval, duration / most) : kFrameInterval;
}

/// s between rows, a multiple of the step if there is one; 0: every step.
double row_interval(double duration, double step, double most) {
  if (!std::isfinite(duration)) return 0.0;
  if (step <= 0.0) return duration / most;
  const double every = std::ceil(duration / step / most - 1e-9);
  return every > 1.0 ? every * step : 0.0;
}

/// Leaves every `size` numbers of a list that are to be kept.
void keep_only(const std::vector<char>& kept, std::vector<double>& numbers) {
  const std::size_t size = numbers.size() / kept.size();
  auto to = numbers.begin();
  for (std::size_t k = 0; k < kept.size(); ++k)
    if (kept[k] != 0)
      to = std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(k * size), size, to);
  numbers.erase(to, numbers.end());
}

/// Doubles the distance of rows. Gives which of those at `times` stay.
std::vector<char> thin(const std::vector<double>& times, double begin, double step,
                       RowTimes& rows) {
  double interval = rows.interval();
  if (interval == 0.0) interval = step;
  // steps of lengths of their own: from their mean
  if (interval == 0.0) interval = (times.back() - begin) / static_cast<double>(times.size() - 1);
  rows = RowTimes(begin, 2.0 * interval, step);
  std::vector<char> kept;
  for (const double t : times) kept.push_back(rows.take(t) ? 1 : 0);
  return kept;
}

/// Of a frame: poses, places and forces.
std::size_t numbers_in_frame(const Drive& drive) {
  const Mechanism& mechanism = drive.model.mechanism;
  return 7 * (mechanism.bodies.size() + 1) +
         6 * (mechanism.joints.size() + mechanism.constraints.size() + mechanism.springs.size() +
              drive.wheels.size());
}

}  // namespace

void append_pose(const Frame& X_WB, std::size_t size, std::vector<double>& poses) {
  Eigen::Quaterniond q(X_WB.A);
  if (poses.size() >= size) {
    const double* before = poses.data() + poses.size() - size + 3;
    if (q.x() * before[0] + q.y() * before[1] + q.z() * before[2] + q.w() * before[3] < 0.0)
      q.coeffs() = -q.coeffs();
  }
  const Vector3d& p = X_WB.p;
  poses.insert(poses.end(), {p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w()});
}

void append_poses(const Model& model, const State& state, Workspace& ws,
                  std::vector<double>& poses) {
  evaluate_state(model, state, ws);
  const auto bodies = static_cast<BodyIndex>(model.mechanism.bodies.size());
  const std::size_t size = 7 * (model.mechanism.bodies.size() + 1);
  for (BodyIndex b = kGround; b < bodies; ++b)
    append_pose(find_body_frame(model.tree, ws.tree, b), size, poses);
}

MotionRecorder::Limits MotionRecorder::find_limits(const Drive& drive, std::size_t channels,
                                                   double duration, double step, double share) {
  const double frames =
      most_in(share * kBytesOfFrames, numbers_in_frame(drive), kFewestFrames, kMostFrames);
  const double rows = most_in(share * kBytesOfChannels, channels, kFewestRows, kMostRows);
  // one at the start and one at the end of each interval
  const std::size_t more = std::isfinite(duration) ? 1 : 0;
  return {frame_interval(duration, frames), row_interval(duration, step, rows),
          static_cast<std::size_t>(std::ceil(frames)) + more,
          static_cast<std::size_t>(std::ceil(rows)) + more};
}

MotionRecorder::MotionRecorder(const Drive& drive, const std::vector<Channel>& channels,
                               double begin, double until, double step, double share)
    : drive_(drive),
      channels_(channels),
      begin_(begin),
      step_(step),
      limits_(find_limits(drive, channels.size(), until - begin, step, share)),
      frames_(begin, limits_.frame_interval, step),
      rows_(begin, limits_.row_interval, step) {
  const auto find = [&](const std::string& name) {
    std::size_t k = 0;
    while (k < channels_.size() && channels_[k].name != name) ++k;
    return k;
  };
  double half_track = 0.0;
  for (const Wheel& wheel : drive.wheels) {
    const TyreChannels tyre{wheel.name,
                            find(wheel.name + ".x"),
                            find(wheel.name + ".y"),
                            find(wheel.name + ".z"),
                            find(wheel.name + ".road"),
                            find(wheel.name + ".Fx"),
                            find(wheel.name + ".Fy"),
                            find(wheel.name + ".Fz")};
    const std::size_t last =
        std::max({tyre.x, tyre.y, tyre.z, tyre.road, tyre.Fx, tyre.Fy, tyre.Fz});
    if (last < channels_.size()) tyres_.push_back(tyre);
    const Frame& X_WB = drive.model.mechanism.bodies[at(wheel.centre.body)].X_WB;
    half_track = std::max(half_track, std::abs((X_WB * wheel.centre.X_BF).p.y()));
  }
  guide_ = drive.chassis;
  if (guide_ == kGround && !drive.wheels.empty()) guide_ = drive.wheels.front().centre.body;
  course_.half_width = half_track + kRoadBeside;
  for (const TyreChannels& tyre : tyres_) motion_.arrows.push_back({tyre.name, "tyre", {}, {}});
  for (const Joint& joint : drive.model.mechanism.joints)
    motion_.arrows.push_back({joint.name, "joint", {}, {}});
  for (const Constraint& constraint : drive.model.mechanism.constraints)
    motion_.arrows.push_back({constraint.name, "rod", {}, {}});
  for (const SpringDamper& spring : drive.model.mechanism.springs) {
    const std::size_t tension = find(spring.name + ".force");
    if (tension == channels_.size()) continue;
    springs_.emplace_back(&spring, tension);
    motion_.arrows.push_back({spring.name, "rod", {}, {}});
  }
  // the first channel is time
  for (std::size_t k = 1; k < channels_.size(); ++k) {
    const std::string& name = channels_[k].name;
    motion_.channels.push_back({name, channels_[k].unit, {}, name.substr(0, name.rfind('.'))});
  }
  find_wheels();
}

void MotionRecorder::find_wheels() {
  const std::vector<Body>& bodies = drive_.model.mechanism.bodies;
  for (const Wheel& wheel : drive_.wheels) {
    const auto omega =
        std::find_if(channels_.begin(), channels_.end(),
                     [&](const Channel& channel) { return channel.name == wheel.name + ".omega"; });
    if (wheel.rim == kGround || omega == channels_.end()) continue;
    // in the design position both stand along the axle
    Eigen::Matrix3d A_WC = wheel.centre.X_BF.A;
    if (wheel.centre.body != kGround) A_WC = bodies[at(wheel.centre.body)].X_WB.A * A_WC;
    const Vector3d axis = bodies[at(wheel.rim)].X_WB.A.transpose() * A_WC.col(1);
    motion_.spins.push_back({wheel.rim + 1, axis.normalized(), {}});
    wheels_.push_back({static_cast<std::size_t>(omega - channels_.begin()), 0.0, 0.0});
  }
}

void MotionRecorder::turn_wheels(double t, const std::vector<double>& values) {
  // a wheel without a rate keeps the one it had
  const double step = motion_.frame_times.empty() ? 0.0 : t - seen_;
  for (SpinningWheel& wheel : wheels_) {
    const double rate = std::isfinite(values[wheel.omega]) ? values[wheel.omega] : wheel.rate;
    wheel.angle += 0.5 * step * (wheel.rate + rate);
    wheel.rate = rate;
  }
  seen_ = t;
}

void MotionRecorder::take_frame(double place, const State& state, const std::vector<double>& values,
                                Workspace& ws) {
  motion_.frame_times.push_back(place);
  append_poses(drive_.model, state, ws, motion_.poses);
  for (std::size_t k = 0; k < wheels_.size(); ++k)
    motion_.spins[k].angles.push_back(wheels_[k].angle);
  for (std::size_t k = 0; k < tyres_.size(); ++k) {
    const TyreChannels& tyre = tyres_[k];
    Arrow& arrow = motion_.arrows[k];
    // at the ground below the wheel's centre
    for (const std::size_t channel : {tyre.x, tyre.y, tyre.road})
      arrow.at.push_back(values[channel]);
    for (const std::size_t channel : {tyre.Fx, tyre.Fy, tyre.Fz})
      arrow.force.push_back(values[channel]);
  }
  take_joint_forces(state, ws);
  take_line_forces(state, values, ws,
                   motion_.arrows.data() + tyres_.size() + drive_.model.mechanism.joints.size());
  if (guide_ == kGround) return;
  const std::size_t size = 7 * (drive_.model.mechanism.bodies.size() + 1);
  const double* pose = motion_.poses.data() + motion_.poses.size() - size + 7 * (at(guide_) + 1);
  const Vector2d point(pose[0], pose[1]);
  if (course_.points.empty()) {
    const Eigen::Quaterniond q(pose[6], pose[3], pose[4], pose[5]);
    const Vector2d forward = (q * Vector3d::UnitX()).head<2>();
    if (forward.norm() > 1e-3) course_.heading = forward.normalized();
  }
  if (course_.points.empty() || (point - course_.points.back()).norm() > kCourseStep)
    course_.points.push_back(point);
}

void MotionRecorder::take_joint_forces(const State& state, Workspace& ws) {
  const Model& model = drive_.model;
  const std::vector<Joint>& joints = model.mechanism.joints;
  if (joints.empty()) return;
  Arrow* arrow = &motion_.arrows[tyres_.size()];
  for (const Joint& joint : joints) {
    const Frame X_WB = find_body_frame(model.tree, ws.tree, joint.b.body);
    const Vector3d place = (X_WB * joint.b.X_BF).p;
    arrow->at.insert(arrow->at.end(), {place.x(), place.y(), place.z()});
    ++arrow;
  }
  arrow -= joints.size();
  for (const Reaction& reaction : find_joint_reactions(model, state, ws)) {
    const Vector3d& F = reaction.force;
    arrow->force.insert(arrow->force.end(), {F.x(), F.y(), F.z()});
    ++arrow;
  }
}

void MotionRecorder::take_line_forces(const State& state, const std::vector<double>& values,
                                      Workspace& ws, Arrow* arrow) {
  const Model& model = drive_.model;
  const auto place = [&](const Marker& marker) -> Vector3d {
    return (find_body_frame(model.tree, ws.tree, marker.body) * marker.X_BF).p;
  };
  const auto put = [&](const Vector3d& at_b, const Vector3d& force) {
    arrow->at.insert(arrow->at.end(), {at_b.x(), at_b.y(), at_b.z()});
    arrow->force.insert(arrow->force.end(), {force.x(), force.y(), force.z()});
    ++arrow;
  };
  const std::vector<Constraint>& constraints = model.mechanism.constraints;
  if (!constraints.empty()) {
    const std::vector<Reaction> reactions = find_constraint_reactions(model, state, ws);
    for (std::size_t c = 0; c < constraints.size(); ++c)
      put(place(constraints[c].b), reactions[c].force);
  }
  for (const auto& [spring, tension] : springs_) {
    const Vector3d a = place(spring->a);
    const Vector3d b = place(spring->b);
    const Frame X_WA = find_body_frame(model.tree, ws.tree, spring->a.body);
    const Vector3d along =
        spring->along_axis ? Vector3d(X_WA.A * spring->axis) : Vector3d((b - a).normalized());
    // pulled together where the tension is above zero
    put(b, -values[tension] * along);
  }
}

void MotionRecorder::take_row(double place, const std::vector<double>& values) {
  motion_.times.push_back(place);
  for (std::size_t k = 1; k < channels_.size(); ++k)
    motion_.channels[k - 1].values.push_back(values[k]);
}

void MotionRecorder::thin_frames() {
  const std::vector<char> kept = thin(motion_.frame_times, begin_, step_, frames_);
  for (std::vector<double>* numbers : {&motion_.frame_times, &motion_.poses})
    keep_only(kept, *numbers);
  for (Spin& spin : motion_.spins) keep_only(kept, spin.angles);
  for (Arrow& arrow : motion_.arrows) {
    keep_only(kept, arrow.at);
    keep_only(kept, arrow.force);
  }
  frames_left_out_ = true;
}

void MotionRecorder::thin_rows() {
  const std::vector<char> kept = thin(motion_.times, begin_, step_, rows_);
  keep_only(kept, motion_.times);
  for (PlottedChannel& channel : motion_.channels) keep_only(kept, channel.values);
  rows_left_out_ = true;
}

void MotionRecorder::see(const State& state, const std::vector<double>& values, Workspace& ws) {
  turn_wheels(state.t, values);
  if (rows_.take(state.t))
    take_row(values[0], values);
  else
    rows_left_out_ = true;
  if (frames_.take(state.t))
    take_frame(state.t, state, values, ws);
  else
    frames_left_out_ = true;
  while (motion_.frame_times.size() > limits_.frames) thin_frames();
  while (motion_.times.size() > limits_.rows) thin_rows();
}

void MotionRecorder::see_last(const State& state, const std::vector<double>& values,
                              Workspace& ws) {
  if (motion_.frame_times.empty() || seen_ < state.t) turn_wheels(state.t, values);
  if (motion_.times.empty() || motion_.times.back() < state.t) take_row(values[0], values);
  if (motion_.frame_times.empty() || motion_.frame_times.back() < state.t)
    take_frame(state.t, state, values, ws);
}

void MotionRecorder::take(double place, const State& state, const std::vector<double>& values,
                          Workspace& ws) {
  take_row(place, values);
  take_frame(place, state, values, ws);
}

void MotionRecorder::choose_headlines() {
  const auto find = [&](const std::string& name) -> PlottedChannel* {
    for (PlottedChannel& channel : motion_.channels)
      if (channel.name == name) return &channel;
    return nullptr;
  };
  const auto choose = [&](const std::string& name) {
    if (PlottedChannel* channel = find(name)) channel->headline = true;
  };
  const auto range_of = [](const std::vector<double>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return values.empty() ? 0.0 : *high - *low;
  };
  const PlottedChannel* lateral = find("chassis.ay");
  if (lateral == nullptr) {
    // a mechanism: the coordinates of its first joints
    int shown = 0;
    for (PlottedChannel& channel : motion_.channels)
      if (shown < 3 && channel.name.find(".z") != std::string::npos && channel.unit != "N") {
        channel.headline = true;
        ++shown;
      }
    return;
  }
  // a car that turns, or one that does not
  constexpr double kTurns = 0.5;  // m/s^2
  if (range_of(lateral->values) > kTurns) {
    for (const char* name : {"chassis.wz", "chassis.ay", "chassis.roll", "steering.value"})
      choose(name);
  } else {
    for (const char* name : {"chassis.z", "chassis.az", "chassis.pitch"}) choose(name);
    for (const TyreChannels& tyre : tyres_) choose(tyre.name + ".Fz");
  }
}

Motion MotionRecorder::finish() {
  choose_headlines();
  std::erase_if(motion_.spins, [](const Spin& spin) {
    return std::all_of(spin.angles.begin(), spin.angles.end(),
                       [&](double angle) { return angle == spin.angles.front(); });
  });
  std::string& note = motion_.thinned;
  if (frames_left_out_ && frames_.interval() > kFrameInterval)
    note = fmt::format("the car is drawn every {:.3g} s", frames_.interval());
  if (rows_left_out_) {
    if (!note.empty()) note += "; ";
    note += step_ > 0.0 ? fmt::format("curves show one step of {:.0f}, {:.3g} s apart",
                                      rows_.interval() / step_, rows_.interval())
                        : fmt::format("curves have a row every {:.3g} s", rows_.interval());
  }
  return std::move(motion_);
}

}  // namespace semirec::report
