#include "integrator/outputs/recorder.hpp"

#include <cmath>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/outputs/input_effort.hpp"
#include "integrator/outputs/reactions.hpp"
#include "recursive/kinematics.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

void add_vector(std::vector<Channel>& channels, const std::string& prefix,
                const std::vector<std::string>& names, const char* unit) {
  for (const std::string& name : names) channels.push_back({prefix + "." + name, unit});
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
  channels_.push_back({"time", "s"});
  if (settings_.main_body != kGround) {
    add_body(channels_, settings_.main_name);
  }
  for (const auto& force : model.forces) {
    const std::size_t before = channels_.size();
    for (Channel& channel : force->channels()) channels_.push_back(std::move(channel));
    force_channels_.push_back(channels_.size() - before);
  }
  for (const bool rates : {false, true})
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
      const Joint& joint = mechanism.joints[j];
      if (model.tree.tree.branch_of_joint[j] < 0) continue;
      const int f = degrees_of_freedom(joint.type);
      const std::string name = joint.name + (rates ? ".rate" : ".z");
      for (int k = 0; k < f; ++k)
        channels_.push_back(
            {f == 1 ? name : name + '[' + std::to_string(k) + ']',
             std::string(coordinate_turns(joint.type, k) ? "rad" : "m") + (rates ? "/s" : "")});
    }
  settings_.input_units.resize(mechanism.inputs.size());
  for (std::size_t k = 0; k < mechanism.inputs.size(); ++k)
    channels_.push_back({mechanism.inputs[k].name + ".value", settings_.input_units[k]});
  for (const std::string& name : settings_.markers) {
    std::size_t index = 0;
    while (index < mechanism.markers.size() && mechanism.markers[index].name != name) ++index;
    if (index == mechanism.markers.size())
      throw ModelError(settings_.source, name,
                       "the vehicle has no marker of this name, expected one that it declares");
    marker_index_.push_back(index);
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
    effort_input_.push_back(input);
    channels_.push_back({name + ".effort", effort_unit(mechanism, input)});
  }
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
}

void Recorder::record(const Model& model, const State& state, Workspace& ws,
                      std::vector<double>& values) const {
  evaluate_state(model, state, ws);
  values.resize(channels_.size());
  double* out = values.data();
  const auto put = [&](const Eigen::Vector3d& v) {
    for (int k = 0; k < 3; ++k) *out++ = v[k];
  };
  const auto put_point = [&](TreeIndex body, const Eigen::Vector3d& r) {
    put(ws.tree.origin + r);
    put(velocity_at(ws.tree.Z[at(body)], r));
    put(acceleration_at(ws.tree.Z[at(body)], ws.tree.Zd[at(body)], r));
  };
  const auto axes_of = [&](TreeIndex t) -> Eigen::Matrix3d {
    return ws.tree.A_WC[at(t)] * model.tree.bodies[at(t)].X_CB.A;
  };
  const auto put_body = [&](BodyIndex index) {
    const TreeIndex t = model.tree.tree.tree_index(index);
    put_point(t, ws.tree.p[at(t)] + ws.tree.A_WC[at(t)] * model.tree.bodies[at(t)].com);
    const Eigen::Matrix3d R = axes_of(t);
    *out++ = std::atan2(R(2, 1), R(2, 2));
    *out++ = -std::asin(std::fmin(1.0, std::fmax(-1.0, R(2, 0))));
    *out++ = std::atan2(R(1, 0), R(0, 0));
    put(R.transpose() * ws.tree.Z[at(t)].tail<3>());
  };
  *out++ = state.t;
  if (settings_.main_body != kGround) put_body(settings_.main_body);
  for (std::size_t k = 0; k < model.forces.size(); ++k) {
    report_force(*model.forces[k], model.tree, ws.tree, out);
    out += force_channels_[k];
  }
  for (std::size_t j = 0; j < model.mechanism.joints.size(); ++j) {
    const TreeIndex t = model.tree.tree.branch_of_joint[j];
    if (t < 0) continue;
    const TreeBody& body = model.tree.bodies[at(t)];
    for (int k = 0; k < body.degrees_of_freedom; ++k)
      out[k] = ws.tree.z[at(body.z + k)] + ws.tree.z_offset[at(body.z + k)];
    for (int k = body.motion_begin; k < body.motion_end; ++k) {
      const JointMotion& motion = model.tree.motions[at(k)];
      if (motion.kind != JointMotion::Kind::triad) continue;
      // b against a, whichever way the tree passes the joint
      const Eigen::Matrix3d A_J = ws.tree.A_WC[at(body.parent)] * body.X_PJ.A;
      const Eigen::Vector3d theta =
          motion.sign * rotation_log(A_J.transpose() * ws.tree.A_WC[at(t)]);
      for (int i = 0; i < 3; ++i) out[motion.z - body.z + i] = theta[i];
    }
    out += body.degrees_of_freedom;
  }
  for (std::size_t j = 0; j < model.mechanism.joints.size(); ++j) {
    const TreeIndex t = model.tree.tree.branch_of_joint[j];
    if (t < 0) continue;
    const TreeBody& body = model.tree.bodies[at(t)];
    for (int k = 0; k < body.degrees_of_freedom; ++k) out[k] = ws.tree.zd[at(body.z + k)];
    for (int k = body.motion_begin; k < body.motion_end; ++k) {
      const JointMotion& motion = model.tree.motions[at(k)];
      if (motion.kind != JointMotion::Kind::triad) continue;
      // b against a in a's axes, whichever way the tree passes the joint
      const Eigen::Vector3d w = ws.tree.Z[at(t)].tail<3>() - ws.tree.Z[at(body.parent)].tail<3>();
      const Eigen::Matrix3d A_a =
          motion.sign > 0.0 ? ws.tree.A_WC[at(body.parent)] * body.X_PJ.A : ws.tree.A_WC[at(t)];
      const Eigen::Vector3d rate = motion.sign * (A_a.transpose() * w);
      for (int i = 0; i < 3; ++i) out[motion.z - body.z + i] = rate[i];
    }
    out += body.degrees_of_freedom;
  }
  for (std::size_t k = 0; k < model.mechanism.inputs.size(); ++k) *out++ = ws.tree.inputs[k].f;
  for (const std::size_t index : marker_index_) {
    const Attachment marker = model.tree.attach(model.mechanism.markers[index]);
    put_point(marker.body, ws.tree.position_of(marker));
  }
  for (const RecordedBody& recorded : bodies_) {
    if (recorded.whole) put_body(recorded.body);
    const TreeIndex t = model.tree.tree.tree_index(recorded.body);
    put(axes_of(t).transpose() * ws.tree.Zd[at(t)].tail<3>());
  }
  // these leave the workspace's velocities changed
  for (const InputIndex input : effort_input_) *out++ = input_effort(model, state, input, ws);
  if (reaction_place_.empty()) return;
  const auto put_reactions = [&](const Model& own, const State& own_state, Workspace& own_ws) {
    prepare_reactions(own, own_state, own_ws);
    for (const ReactionPlace& place : reaction_place_) {
      const Reaction reaction = place.closure
                                    ? closure_reaction(own, own_state, own_ws, place.index)
                                    : joint_reaction(own, own_state, own_ws, place.index);
      put(reaction.force);
      put(reaction.moment);
    }
  };
  in_relative_coordinates(model, state, ws, put_reactions);
}

}  // namespace semirec
