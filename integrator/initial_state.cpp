#include "integrator/initial_state.hpp"

#include "integrator/formulation/formulation_state.hpp"
#include "recursive/forces/states_at_rest.hpp"
#include "recursive/kinematics.hpp"
#include "recursive/origin.hpp"
#include "topology/indices.hpp"

namespace semirec {

State make_initial_state(const Model& compiled, double t) {
  const Model& model = relative_model(compiled);
  State state;
  state.t = t;
  state.z = Eigen::VectorXd::Zero(model.n());
  state.zd = state.zdd = state.z;
  state.lambda = state.multipliers = Eigen::VectorXd::Zero(model.m());
  state.masses = Eigen::VectorXd::Ones(model.m());
  state.x = state.xd = Eigen::VectorXd::Zero(model.tree.states);
  for (const auto& force : model.forces)
    if (const auto* element = dynamic_cast<const StatesAtRest*>(force.get()))
      element->begin_given_states(state.x.data());
  state.A0.assign(at(model.tree.triads), Quaternion::Identity());
  state.origin = model.tree.initial_origin;
  state.switches = model.closures.switches;

  for (std::size_t j = 0; j < model.mechanism.joints.size(); ++j) {
    const Joint& joint = model.mechanism.joints[j];
    const TreeIndex t_index = model.tree.tree.branch_of_joint[j];
    if (t_index < 0) continue;
    const TreeBody& body = model.tree.bodies[at(t_index)];
    for (int k = body.motion_begin; k < body.motion_end; ++k) {
      const JointMotion& motion = model.tree.motions[at(k)];
      const auto first = at(motion.z - body.z);
      const bool triad = motion.kind == JointMotion::Kind::triad;
      for (std::size_t i = 0; i < (triad ? 3U : 1U); ++i) {
        const auto z = motion.z + static_cast<Eigen::Index>(i);
        if (!joint.velocity.empty()) state.zd[z] = joint.velocity[first + i];
        if (!joint.position.empty() && !triad) state.z[z] = joint.position[first + i];
      }
      if (triad && !joint.position.empty()) {
        const Eigen::Map<const Eigen::Vector3d> theta(joint.position.data() + first);
        state.A0[at(motion.triad)] = Quaternion(rotation_exp(motion.sign * theta));
      }
      // the file counts b against a; passed from b to a, the triad counts the other way
      if (triad && motion.sign < 0.0)
        state.zd.segment<3>(motion.z) =
            -(state.A0[at(motion.triad)].toRotationMatrix() * state.zd.segment<3>(motion.z)).eval();
    }
  }
  // slides of a free joint on the ground count from the origin, which starts on the reference body
  for (const bool place_origin : {true, false}) {
    for (std::size_t t_index = 1; t_index < model.tree.bodies.size(); ++t_index) {
      const TreeBody& body = model.tree.bodies[t_index];
      const bool reference = static_cast<TreeIndex>(t_index) == model.tree.reference_body;
      if (!body.floats || (place_origin && !reference)) continue;
      const Eigen::Vector3d place =
          body.X_PJ.p + body.X_PJ.A * Eigen::Vector3d(state.z.segment<3>(body.z));
      if (place_origin) {
        state.origin = round_origin(place);
      } else {
        state.z.segment<3>(body.z) = body.X_PJ.A.transpose() * (place - state.origin);
      }
    }
    if (!place_origin) break;
  }
  return state;
}

}  // namespace semirec
