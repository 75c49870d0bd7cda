#include "integrator/outputs/recorder.hpp"

#include <cmath>
#include <set>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/outputs/drawn_axes.hpp"
#include "integrator/outputs/input_effort.hpp"
#include "integrator/outputs/reactions.hpp"
#include "recursive/kinematics.hpp"
#include "topology/indices.hpp"
#include "topology/tell_apart.hpp"

namespace semirec {

namespace {

void add_vector(std::vector<Channel>& channels, const std::string& prefix,
                const std::vector<std::string>& names, const char* unit) {
  for (const std::string& name : names) channels.push_back({prefix + "." + name, unit});
}

// numbers of a point: position, velocity, acceleration; of a body its angles and spin behind them
constexpr std::size_t kPointAcceleration = 6, kPointNumbers = 9, kBodyNumbers = 15;

/// Writes numbers one after another.
struct Writer {
  double* out;
  void put(double value) { *out++ = value; }
  void put(const Eigen::Vector3d& v) {
    for (int k = 0; k < 3; ++k) put(v[k]);
  }
};

void put_point(const Workspace& ws, TreeIndex body, const Eigen::Vector3d& r, Writer& to) {
  to.put(Eigen::Vector3d(ws.tree.origin + r));
  to.put(velocity_at(ws.tree.Z[at(body)], r));
  to.put(acceleration_at(ws.tree.Z[at(body)], ws.tree.Zd[at(body)], r));
}

void put_body(const Model& model, const Workspace& ws, BodyIndex index, Writer& to) {
  const TreeIndex t = model.tree.tree.tree_index(index);
  put_point(ws, t, ws.tree.p[at(t)] + ws.tree.A_WC[at(t)] * model.tree.bodies[at(t)].com, to);
  const Eigen::Matrix3d R = find_drawn_axes(model, index, ws.tree);
  to.put(std::atan2(R(2, 1), R(2, 2)));
  to.put(-std::asin(std::fmin(1.0, std::fmax(-1.0, R(2, 0)))));
  to.put(std::atan2(R(1, 0), R(0, 0)));
  to.put(Eigen::Vector3d(R.transpose() * ws.tree.Z[at(t)].tail<3>()));
}

/// Calls use(motion) for each triad of a body's joint.
template <typename Use>
void for_each_triad(const Model& model, const TreeBody& body, Use&& use) {
  for (int k = body.motion_begin; k < body.motion_end; ++k) {
    const JointMotion& motion = model.tree.motions[at(k)];
    if (motion.kind == JointMotion::Kind::triad) use(motion);
  }
}

void put_joint(const Model& model, const Workspace& ws, TreeIndex t, double* out) {
  const TreeBody& body = model.tree.bodies[at(t)];
  for (int k = 0; k < body.degrees_of_freedom; ++k)
    out[k] = ws.tree.z[at(body.z + k)] + ws.tree.z_offset[at(body.z + k)];
  for_each_triad(model, body, [&](const JointMotion& motion) {
    // b against a, whichever way the tree passes the joint
    const Eigen::Matrix3d A_J = ws.tree.A_WC[at(body.parent)] * body.X_PJ.A;
    const Eigen::Vector3d theta = motion.sign * rotation_log(A_J.transpose() * ws.tree.A_WC[at(t)]);
    for (int i = 0; i < 3; ++i) out[motion.z - body.z + i] = theta[i];
  });
}

void put_rate(const Model& model, const Workspace& ws, TreeIndex t, double* out) {
  const TreeBody& body = model.tree.bodies[at(t)];
  for (int k = 0; k < body.degrees_of_freedom; ++k) out[k] = ws.tree.zd[at(body.z + k)];
  for_each_triad(model, body, [&](const JointMotion& motion) {
    // b against a in a's axes, whichever way the tree passes the joint
    const Eigen::Vector3d w = ws.tree.Z[at(t)].tail<3>() - ws.tree.Z[at(body.parent)].tail<3>();
    const Eigen::Matrix3d A_a =
        motion.sign > 0.0 ? ws.tree.A_WC[at(body.parent)] * body.X_PJ.A : ws.tree.A_WC[at(t)];
    const Eigen::Vector3d rate = motion.sign * (A_a.transpose() * w);
    for (int i = 0; i < 3; ++i) out[motion.z - body.z + i] = rate[i];
  });
}

/// What accelerations are found from. No heap use where `to` is Workspace::balanced.
void copy_motion(const State& from, State& to) {
  to.t = from.t;
  to.z = from.z;
  to.zd = from.zd;
  to.zdd = from.zdd;
  to.A0 = from.A0;
  to.origin = from.origin;
  to.lambda = from.lambda;
  to.multipliers = from.multipliers;
  to.masses = from.masses;
  to.x = from.x;
  to.xd = from.xd;
  to.switches = from.switches;
  to.live = from.live;
  to.independent = from.independent;
}

/// By the input's own unit where it is given.
std::string unit_of_effort(const Mechanism& mechanism, const RecorderSettings& settings,
                           InputIndex input) {
  if (settings.input_units.empty()) return effort_unit(mechanism, input);
  const std::string& unit = settings.input_units[at(input)];
  return unit == "rad" ? "N m" : unit == "m" ? "N" : "";
}

/// Names of a body's motion, from its position to its angular velocity.
void add_body(std::vector<Channel>& channels, const std::string& name) {
  add_vector(channels, name, {"x", "y", "z"}, "m");
  add_vector(channels, name, {"vx", "vy", "vz"}, "m/s");
  add_vector(channels, name, {"ax", "ay", "az"}, "m/s^2");
  add_vector(channels, name, {"roll", "pitch", "yaw"}, "rad");
  add_vector(channels, name, {"wx", "wy", "wz"}, "rad/s");
}

}  // namespace

Recorder::Recorder(const Model& model, RecorderSettings settings) : settings_(std::move(settings)) {
  const Mechanism& mechanism = model.mechanism;
  using Kind = Part::Kind;
  begin_part(Kind::time);
  channels_.push_back({"time", "s"});
  if (settings_.main_body < kGround ||
      settings_.main_body >= static_cast<BodyIndex>(mechanism.bodies.size()))
    throw ModelError(settings_.source, settings_.main_name,
                     "the main body is the one with the index " +
                         std::to_string(settings_.main_body) + ", which the vehicle has not");
  if (settings_.main_body != kGround) {
    begin_part(Kind::body);
    add_body(channels_, settings_.main_name);
  }
  for (std::size_t k = 0; k < model.forces.size(); ++k) {
    begin_part(Kind::force, k);
    for (Channel& channel : model.forces[k]->channels()) channels_.push_back(std::move(channel));
  }
  for (const bool rates : {false, true})
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
      const Joint& joint = mechanism.joints[j];
      if (model.tree.tree.branch_of_joint[j] < 0) continue;
      begin_part(rates ? Kind::rate : Kind::joint, j);
      const int f = degrees_of_freedom(joint.type);
      const std::string name = joint.name + (rates ? ".rate" : ".z");
      for (int k = 0; k < f; ++k)
        channels_.push_back(
            {f == 1 ? name : name + '[' + std::to_string(k) + ']',
             std::string(coordinate_turns(joint.type, k) ? "rad" : "m") + (rates ? "/s" : "")});
    }
  settings_.input_units.resize(mechanism.inputs.size());
  begin_part(Kind::inputs);
  for (std::size_t k = 0; k < mechanism.inputs.size(); ++k)
    channels_.push_back({mechanism.inputs[k].name + ".value", settings_.input_units[k]});
  for (const std::string& name : settings_.markers) {
    std::size_t index = 0;
    while (index < mechanism.markers.size() && mechanism.markers[index].name != name) ++index;
    if (index == mechanism.markers.size())
      throw ModelError(settings_.source, name,
                       "the vehicle has no marker of this name, expected one that it declares");
    begin_part(Kind::marker, index);
    add_vector(channels_, name, {"x", "y", "z"}, "m");
    add_vector(channels_, name, {"vx", "vy", "vz"}, "m/s");
    add_vector(channels_, name, {"ax", "ay", "az"}, "m/s^2");
  }
  for (const std::string& name : settings_.bodies) {
    BodyIndex body = 0;
    while (at(body) < mechanism.bodies.size() && mechanism.bodies[at(body)].name != name) ++body;
    if (at(body) == mechanism.bodies.size())
      throw ModelError(settings_.source, name,
                       "the vehicle has no body of this name, expected one that it declares");
    begin_part(Kind::recorded, bodies_.size());
    // what the main body has is there already
    bodies_.push_back({body, body != settings_.main_body || name != settings_.main_name});
    if (bodies_.back().whole) add_body(channels_, name);
    add_vector(channels_, name, {"wdx", "wdy", "wdz"}, "rad/s^2");
  }
  for (const std::string& name : settings_.efforts) {
    InputIndex input = 0;
    while (at(input) < mechanism.inputs.size() && mechanism.inputs[at(input)].name != name) ++input;
    if (at(input) == mechanism.inputs.size() || !moves_mechanism(mechanism, input))
      throw ModelError(
          settings_.source, name,
          at(input) == mechanism.inputs.size()
              ? "the vehicle has no input of this name, expected one that it declares"
              : "the input moves no joint, rod or sliding end, expected one that does");
    begin_part(Kind::effort, at(input));
    channels_.push_back({name + ".effort", unit_of_effort(mechanism, settings_, input)});
  }
  if (!settings_.reactions.empty()) begin_part(Kind::reactions);
  for (const std::string& name : settings_.reactions) {
    ReactionPlace place;
    while (place.index < mechanism.joints.size() && mechanism.joints[place.index].name != name)
      ++place.index;
    if (place.index == mechanism.joints.size()) {
      place = {true, 0};
      while (place.index < model.closures.closures.size() &&
             model.closures.closures[place.index].name != name)
        ++place.index;
      if (place.index == model.closures.closures.size())
        throw ModelError(
            settings_.source, name,
            "the vehicle has no joint of this name, expected a joint, rod or motion that it "
            "declares");
    }
    reaction_place_.push_back(place);
    add_vector(channels_, name, {"Rx", "Ry", "Rz"}, "N");
    add_vector(channels_, name, {"Mx", "My", "Mz"}, "N m");
  }
  std::set<std::string> taken;
  for (Channel& channel : channels_) channel.name = tell_apart(channel.name, taken);
}

const Recorder::Part& Recorder::part_of(std::size_t channel) const {
  // an element without channels begins where the next part does
  std::size_t p = parts_.size();
  while (parts_[--p].first > channel) {
  }
  return parts_[p];
}

ChannelSource Recorder::source_of(const Model& model, std::size_t channel) const {
  const Part& part = part_of(channel);
  const auto source_in_point = [&](std::size_t k) {
    const bool accelerates = k >= kPointAcceleration && k < kPointNumbers;
    return accelerates ? ChannelSource::all : ChannelSource::motion;
  };
  const std::size_t k = channel - part.first;
  switch (part.kind) {
    case Part::Kind::time:
    case Part::Kind::joint:
    case Part::Kind::rate:
      return ChannelSource::motion;
    case Part::Kind::body:
    case Part::Kind::marker:
      return source_in_point(k);
    case Part::Kind::recorded:
      if (bodies_[part.index].whole && k < kBodyNumbers) return source_in_point(k);
      return ChannelSource::all;
    case Part::Kind::inputs: {
      const Input& input = model.mechanism.inputs[k];
      return input.computed || input.of != kNoInput ? ChannelSource::all : ChannelSource::input;
    }
    case Part::Kind::force:
    case Part::Kind::effort:
    case Part::Kind::reactions:
      break;
  }
  return ChannelSource::all;
}

InputIndex Recorder::input_of(const Model& model, std::size_t channel) const {
  if (source_of(model, channel) != ChannelSource::input) return kNoInput;
  return static_cast<InputIndex>(channel - part_of(channel).first);
}

void Recorder::put_part(const Part& part, const Model& model, const State& state, Workspace& ws,
                        double* out) const {
  Writer to{out};
  const auto branch = [&] { return model.tree.tree.branch_of_joint[part.index]; };
  switch (part.kind) {
    case Part::Kind::time:
      return to.put(state.t);
    case Part::Kind::body:
      return put_body(model, ws, settings_.main_body, to);
    case Part::Kind::force:
      report_force(*model.forces[part.index], model.tree, ws.tree, out);
      return;
    case Part::Kind::joint:
      return put_joint(model, ws, branch(), out);
    case Part::Kind::rate:
      return put_rate(model, ws, branch(), out);
    case Part::Kind::inputs:
      for (std::size_t k = 0; k < model.mechanism.inputs.size(); ++k) to.put(ws.tree.inputs[k].f);
      return;
    case Part::Kind::marker: {
      const Attachment marker = model.tree.attach(model.mechanism.markers[part.index]);
      return put_point(ws, marker.body, ws.tree.position_of(marker), to);
    }
    case Part::Kind::recorded: {
      const RecordedBody& recorded = bodies_[part.index];
      if (recorded.whole) put_body(model, ws, recorded.body, to);
      const TreeIndex t = model.tree.tree.tree_index(recorded.body);
      return to.put(Eigen::Vector3d(find_drawn_axes(model, recorded.body, ws.tree).transpose() *
                                    ws.tree.Zd[at(t)].tail<3>()));
    }
    // these two come last: they leave the workspace's velocities changed
    case Part::Kind::effort:
      return to.put(input_effort(model, state, static_cast<InputIndex>(part.index), ws));
    case Part::Kind::reactions:
      return put_reactions(model, state, ws, out);
  }
}

void Recorder::put_reactions(const Model& model, const State& state, Workspace& ws,
                             double* out) const {
  Writer to{out};
  const auto put_all = [&](const Model& own, const State& own_state, Workspace& own_ws) {
    prepare_reactions(own, own_state, own_ws);
    const State* with = &own_state;
    if (settings_.find_accelerations != nullptr && !is_balanced(own, own_state, own_ws)) {
      State& balanced = own_ws.balanced;
      copy_motion(own_state, balanced);
      if (settings_.find_accelerations(own, balanced, own_ws)) with = &balanced;
      own_ws.kept_scale = 0.0;
      prepare_reactions(own, *with, own_ws);
    }
    for (const ReactionPlace& place : reaction_place_) {
      const Reaction reaction = place.closure ? closure_reaction(own, *with, own_ws, place.index)
                                              : joint_reaction(own, *with, own_ws, place.index);
      to.put(reaction.force);
      to.put(reaction.moment);
    }
  };
  in_relative_coordinates(model, state, ws, put_all);
}

void Recorder::record(const Model& model, const State& state, Workspace& ws,
                      std::vector<double>& values) const {
  evaluate_state(model, state, ws);
  values.resize(channels_.size());
  for (const Part& part : parts_) put_part(part, model, state, ws, values.data() + part.first);
}

OutputChoice Recorder::choose(const Model& model, const std::vector<std::size_t>& channels) const {
  OutputChoice choice;
  choice.channels = channels;
  choice.whole = &relative_model(model) != &model;
  std::vector<char> needed(parts_.size(), 0);
  for (const std::size_t channel : channels) {
    if (channel >= channels_.size())
      throw ModelError("outputs: there is no output " + std::to_string(channel) +
                       ", expected 0 to " + std::to_string(channels_.size() - 1));
    needed[static_cast<std::size_t>(&part_of(channel) - parts_.data())] = 1;
  }
  std::vector<TreeIndex> bodies;
  bool all_bodies = false;
  // what computes inputs reads motions, whichever output needs them
  for (const int k : model.tree.computing) {
    choice.forces = choice.inputs = true;
    if (!model.forces[at(k)]->add_reported_bodies(bodies)) all_bodies = true;
  }
  const SpanningTree& tree = model.tree.tree;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (needed[p] == 0) continue;
    choice.parts.push_back(p);
    const Part& part = parts_[p];
    switch (part.kind) {
      case Part::Kind::time:
        break;
      case Part::Kind::body:
        bodies.push_back(tree.tree_index(settings_.main_body));
        break;
      case Part::Kind::force:
        choice.forces = choice.inputs = true;
        if (!model.forces[part.index]->add_reported_bodies(bodies)) all_bodies = true;
        break;
      case Part::Kind::joint:
      case Part::Kind::rate: {
        const TreeIndex t = tree.branch_of_joint[part.index];
        for_each_triad(model, model.tree.bodies[at(t)],
                       [&](const JointMotion& /*motion*/) { bodies.push_back(t); });
        break;
      }
      case Part::Kind::inputs:
        choice.inputs = true;
        break;
      case Part::Kind::marker:
        bodies.push_back(tree.tree_index(model.mechanism.markers[part.index].body));
        break;
      case Part::Kind::recorded:
        bodies.push_back(tree.tree_index(bodies_[part.index].body));
        break;
      case Part::Kind::effort:
      case Part::Kind::reactions:
        choice.whole = true;
        break;
    }
  }
  if (all_bodies)
    for (std::size_t t = 1; t < model.tree.bodies.size(); ++t)
      bodies.push_back(static_cast<TreeIndex>(t));
  choice.bodies = find_sweep_part(model.tree, bodies);
  return choice;
}

void Recorder::record(const Model& model, const State& state, const OutputChoice& choice,
                      Workspace& ws, double* row, double* values) const {
  if (choice.whole) {
    evaluate_state(model, state, ws);
  } else {
    ws.tree.time = state.t;
    ws.tree.set_origin(model.tree, state.origin);
    for (const int triad : choice.bodies.triads)
      ws.tree.A0[at(triad)] = state.A0[at(triad)].toRotationMatrix();
    if (choice.inputs) evaluate_inputs(model, state, state.t, ws);
    if (choice.forces) {
      ws.tree.x = state.x;
      ws.tree.rule.hold(state.x, state.xd);
    }
    compute_positions(model.tree, state.z.data(), choice.bodies, ws.tree);
    compute_motions(model.tree, state.zd.data(), state.zdd.data(), choice.bodies, ws.tree);
    compute_inputs(model.forces, model.tree, ws.tree);
  }
  for (const std::size_t p : choice.parts)
    put_part(parts_[p], model, state, ws, row + parts_[p].first);
  for (std::size_t k = 0; k < choice.channels.size(); ++k) values[k] = row[choice.channels[k]];
}

}  // namespace semirec
