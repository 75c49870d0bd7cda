#include "tests/support/levels.hpp"

#include <cstddef>

#include "integrator/outputs/reactions.hpp"

namespace semirec::test {

namespace {

void append(Eigen::VectorXd& all, const Eigen::VectorXd& more) {
  all.conservativeResize(all.size() + more.size());
  all.tail(more.size()) = more;
}

}  // namespace

void append_motion(Simulation& run, Levels& levels) {
  for (std::size_t b = 0; b < run.model.mechanism.bodies.size(); ++b) {
    const Motion m = run.com(static_cast<BodyIndex>(b));
    append(levels.position, m.X.p);
    append(levels.position, m.X.A.reshaped());
    append(levels.rate, m.velocity);
    append(levels.rate, m.w);
    append(levels.acceleration, m.acceleration);
    append(levels.acceleration, m.wd);
  }
  append(levels.multipliers, run.state.multipliers);
}

Levels extrapolate(const Levels& coarse, const Levels& half) {
  Levels levels;
  for (Eigen::VectorXd Levels::*level : {&Levels::position, &Levels::rate, &Levels::acceleration,
                                         &Levels::multipliers, &Levels::reactions})
    levels.*level = half.*level + (half.*level - coarse.*level) / 3.0;
  return levels;
}

void append_reactions(Simulation& run, Levels& levels) {
  for (const Reaction& reaction : find_joint_reactions(run.model, run.state, run.ws)) {
    append(levels.reactions, reaction.force);
    append(levels.reactions, reaction.moment);
  }
}

}  // namespace semirec::test
