#include "integrator/outputs/input_effort.hpp"

#include "integrator/formulation/evaluate.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

enum class Motion { none, slides, turns };

/// How the first element moves that reads the input itself.
Motion own_motion(const Mechanism& mechanism, InputIndex input) {
  for (const Constraint& constraint : mechanism.constraints)
    if (constraint.length_input == input || constraint.slide_input == input) return Motion::slides;
  for (const PrescribedMotion& motion : mechanism.motions) {
    if (motion.input != input) continue;
    return coordinate_turns(mechanism.joints[at(motion.joint)].type, motion.coordinate)
               ? Motion::turns
               : Motion::slides;
  }
  return Motion::none;
}

Motion motion_of(const Mechanism& mechanism, InputIndex input) {
  const Motion own = own_motion(mechanism, input);
  if (own != Motion::none) return own;
  // an input is followed by those of a higher index only
  for (InputIndex k = input + 1; at(k) < mechanism.inputs.size(); ++k) {
    const Input& follower = mechanism.inputs[at(k)];
    if (follower.of != input) continue;
    const Motion motion = motion_of(mechanism, k);
    if (motion != Motion::none) return follower.factor == 1.0 ? motion : Motion::turns;
  }
  return Motion::none;
}

}  // namespace

bool moves_mechanism(const Mechanism& mechanism, InputIndex input) {
  return motion_of(mechanism, input) != Motion::none;
}

const char* effort_unit(const Mechanism& mechanism, InputIndex input) {
  return motion_of(mechanism, input) == Motion::turns ? "N m" : "N";
}

double input_effort(const Model& model, const State& state, InputIndex input, Workspace& ws) {
  // with zd = 0 and unit rate of the input Phid is dPhi/du
  const auto& inputs = model.mechanism.inputs;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    double& rate = ws.tree.inputs[k].fd;
    rate = at(input) == k ? 1.0 : 0.0;
    const bool given = k < state.live.size() && state.live[k].given;
    if (inputs[k].of != kNoInput && !given)
      rate += inputs[k].factor * ws.tree.inputs[at(inputs[k].of)].fd;
  }
  ws.correction.setZero();
  evaluate_velocities(model, ws.correction.data(), ws);
  return state.multipliers.dot(ws.closures.Phid);
}

}  // namespace semirec
