// The sweeps, which run in lanes, against the plain recursion (tests/support/plain_sweeps.hpp) on
// random trees with branches that are alike and branches that are not.

#include "tests/support/plain_sweeps.hpp"

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "recursive/lanes/lane_plan.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/random_mechanism.hpp"
#include "topology/indices.hpp"

namespace semirec::test {
namespace {

// a hundred operations a level on numbers of up to about a hundred, at most 30 levels deep
constexpr double kSweepRoundOff = 1e-12;

/// Adds a chain of bodies with the given joints to a parent.
void add_chain(Mechanism& m, Random& random, BodyIndex parent, const std::vector<JointType>& types,
               bool reversed) {
  for (const JointType type : types) {
    const auto child = static_cast<BodyIndex>(m.bodies.size());
    const std::string number = std::to_string(m.bodies.size());
    m.bodies.push_back(make_random_body(random, "b" + number));
    m.joints.push_back(make_random_joint(random, type, parent, child, reversed, "j" + number));
    parent = child;
  }
}

/// Up to 30 bodies: one to five like chains at a time, on the ground or on any body so far.
Mechanism make_tree_of_like_branches(std::uint64_t seed) {
  Random random(seed);
  Mechanism m;
  m.gravity = random.vector(10.0);
  while (m.bodies.size() < 12) {
    const int deepest = static_cast<int>(m.bodies.size());
    const int on = random.index(deepest + 1);
    const BodyIndex parent = on == deepest ? kGround : static_cast<BodyIndex>(on);
    std::vector<JointType> types(at(1 + random.index(3)));
    for (JointType& type : types) {
      do type = joint_types()[at(random.index(static_cast<int>(joint_types().size())))];
      while (type == JointType::free && parent != kGround);
    }
    // a free joint stands first, on the ground
    for (std::size_t k = 1; k < types.size(); ++k)
      if (types[k] == JointType::free) types[k] = JointType::revolute;
    const bool reversed = random.index(3) == 0;
    const int copies = 1 + random.index(5);
    for (int c = 0; c < copies; ++c) add_chain(m, random, parent, types, reversed);
  }
  return m;
}

TEST(PlainSweeps, AgreeWithTheSweepsInLanesOnRandomTrees) {
  int with_lanes = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Mechanism mechanism = make_tree_of_like_branches(seed);
    const Model model = compile(mechanism);
    State state = make_random_state(model, seed + 1000);
    Random random(seed + 2000);
    // increments of triads within a step too, small and large
    for (const JointMotion& motion : model.tree.motions)
      if (motion.kind == JointMotion::Kind::triad)
        state.z.segment<3>(motion.z) = random.vector(seed % 2 == 0 ? 0.05 : 1.5);
    Workspace ws(model);
    begin_evaluation(model, state, 0.0, ws);
    evaluate_dynamics(model, state.z.data(), state.zd.data(), state.zdd.data(), {}, ws);
    const PlainSweeps plain = sweep_plainly(model.tree, state);
    for (std::size_t i = 1; i < model.tree.bodies.size(); ++i) {
      expect_close(ws.tree.A_WC[i], plain.A_WC[i], kSweepRoundOff, kSweepRoundOff);
      expect_close(ws.tree.p[i], plain.p[i], kSweepRoundOff, kSweepRoundOff);
      expect_close(ws.tree.Z[i], plain.Z[i], kSweepRoundOff, kSweepRoundOff);
      expect_close(ws.tree.Zd[i], plain.Zd[i], kSweepRoundOff, 1e2 * kSweepRoundOff);
    }
    for (int k = 0; k < model.n(); ++k)
      expect_close(ws.tree.H[at(k)], plain.H[at(k)], kSweepRoundOff, kSweepRoundOff);
    const double inertia = plain.M.cwiseAbs().maxCoeff();
    expect_close(model.tree.pattern.to_dense(ws.tree.tangent.data()), plain.M, kSweepRoundOff,
                 kSweepRoundOff * inertia);
    expect_close(ws.tree.residual, plain.residual, kSweepRoundOff,
                 kSweepRoundOff * plain.residual.cwiseAbs().maxCoeff());
    for (const LaneGroup& group : model.tree.lanes->groups) with_lanes += group.count > 1 ? 1 : 0;
  }
  EXPECT_GT(with_lanes, 200);  // the trees do make the sweeps use their lanes
}

}  // namespace
}  // namespace semirec::test
