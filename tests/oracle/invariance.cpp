// The same motion under changes that must not matter. Changes that leave the numbers of a step the
// same but for their order or signs may differ by round-off only; changes of the coordinates
// themselves (other cuts) also change the error of the time step, so the difference must fall with
// the square of the step.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "recursive/kinematics.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

// 100 steps of 2 ms that are solved to 1e-12 m or rad each, in a motion that does not amplify
// errors by more than about ten in 0.2 s
constexpr double kSameMotion = 1e-9;
constexpr std::uint64_t kSeed = 1;

struct Trajectory {
  std::vector<std::map<std::string, Frame>> poses;  ///< [sample] by body
};

Trajectory simulate(const Mechanism& mechanism, double h = 2e-3,
                    TangentChoice tangent = TangentChoice::tree) {
  CompileSettings compile_settings;
  compile_settings.tangent = tangent;
  const Model model = compile(mechanism, {}, compile_settings);
  Workspace ws(model);
  State state = make_initial_state(model);
  StepSettings settings;
  settings.h = h;
  settings.tolerance = 1e-12;
  initialize(model, settings, state, ws);
  Trajectory trajectory;
  const int steps = static_cast<int>(std::lround(0.2 / h));
  for (int k = 1; k <= steps; ++k) {
    const StepReport report = step(model, settings, state, ws);
    EXPECT_EQ(report.status, StepStatus::converged) << "step " << k;
    if (k % (steps / 5) != 0) continue;
    std::map<std::string, Frame> sample;
    const std::vector<Frame> poses = find_body_poses(model, state, ws);
    for (std::size_t b = 0; b < poses.size(); ++b) sample[mechanism.bodies[b].name] = poses[b];
    trajectory.poses.push_back(sample);
  }
  return trajectory;
}

/// Largest difference of positions (m) and axes between two trajectories.
double distance(const Trajectory& a, const Trajectory& b) {
  EXPECT_EQ(a.poses.size(), b.poses.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < a.poses.size(); ++k)
    for (const auto& [name, pose] : a.poses[k]) {
      const Frame& other = b.poses[k].at(name);
      largest = std::max({largest, (pose.p - other.p).norm(), (pose.A - other.A).norm()});
    }
  return largest;
}

Trajectory seen_from(const Trajectory& trajectory, const Frame& X) {
  Trajectory seen = trajectory;
  for (auto& sample : seen.poses)
    for (auto& [name, pose] : sample) pose = inverse(X) * pose;
  return seen;
}

const Trajectory& reference() {
  static const Trajectory trajectory = simulate(make_loop_mechanism(kSeed));
  return trajectory;
}

/// Bodies, joints and everything else written in another order.
Mechanism renumber(const Mechanism& m, std::uint64_t seed) {
  Random random(seed);
  const auto shuffle = [&](std::size_t n) {
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t k = n; k > 1; --k)
      std::swap(order[k - 1], order[static_cast<std::size_t>(random.index(static_cast<int>(k)))]);
    return order;
  };
  const auto places = [](const std::vector<std::size_t>& order) {
    std::vector<int> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
    return place;
  };
  const std::vector<std::size_t> body_order = shuffle(m.bodies.size());
  const std::vector<std::size_t> joint_order = shuffle(m.joints.size());
  const std::vector<int> body_place = places(body_order);
  const std::vector<int> joint_place = places(joint_order);
  Mechanism r = m;
  for (std::size_t k = 0; k < body_order.size(); ++k) r.bodies[k] = m.bodies[body_order[k]];
  for (std::size_t k = 0; k < joint_order.size(); ++k) r.joints[k] = m.joints[joint_order[k]];
  const auto move = [&](Marker& marker) {
    if (marker.body != kGround) marker.body = body_place[static_cast<std::size_t>(marker.body)];
  };
  const auto move_pairs = [&](auto& elements) {
    for (auto& element : elements) {
      move(element.a);
      move(element.b);
    }
    std::reverse(elements.begin(), elements.end());
  };
  for (Joint& joint : r.joints) {
    move(joint.a);
    move(joint.b);
  }
  move_pairs(r.constraints);
  move_pairs(r.springs);
  move_pairs(r.rotational_springs);
  move_pairs(r.bushings);
  for (AppliedLoad& load : r.loads) move(load.at);
  for (PrescribedMotion& motion : r.motions)
    motion.joint = joint_place[static_cast<std::size_t>(motion.joint)];
  for (CoordinateForce& force : r.coordinate_forces)
    force.joint = joint_place[static_cast<std::size_t>(force.joint)];
  return r;
}

/// Keeps the choice of cuts where the order of writing would decide it.
Mechanism with_cuts(Mechanism m, const std::vector<std::string>& cuts) {
  for (Joint& joint : m.joints)
    joint.placement = std::find(cuts.begin(), cuts.end(), joint.name) != cuts.end()
                          ? Placement::cut
                          : Placement::tree;
  return m;
}

/// Writes a joint from the other side.
void reverse(Mechanism& m, const std::string& name) {
  const JointIndex j = find_joint(m, name);
  Joint& joint = m.joints[static_cast<std::size_t>(j)];
  std::swap(joint.a, joint.b);
  if (joint.type != JointType::universal) return;
  // turns about z of the new a, which was x of the old b, and then about the old a's z
  Eigen::Matrix3d exchange;
  exchange << 0, 0, 1, 0, -1, 0, 1, 0, 0;
  joint.a.X_BF.A = joint.a.X_BF.A * exchange;
  joint.b.X_BF.A = joint.b.X_BF.A * exchange;
}

TEST(Invariance, TheMotionIsWorthComparing) {
  const Mechanism m = make_loop_mechanism(kSeed);
  const Model model = compile(m);
  EXPECT_EQ(model.tree.tree.cuts.size(), 2U);
  const Trajectory& motion = reference();
  for (const auto& [name, pose] : motion.poses.back()) {
    const Frame start = m.bodies[static_cast<std::size_t>(find_body(m, name))].X_WB;
    EXPECT_GT((pose.p - start.p).norm(), 0.05) << name;
    EXPECT_GT((pose.A - start.A).norm(), 0.05) << name;
  }
}

TEST(Invariance, OrderOfWritingDoesNotMatter) {
  const std::vector<std::string> cuts = {"s3", "s45"};
  const Trajectory expected = simulate(with_cuts(make_loop_mechanism(kSeed), cuts));
  EXPECT_LE(distance(expected, reference()), kSameMotion);  // these are the cuts of the rules
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    EXPECT_LE(
        distance(simulate(renumber(with_cuts(make_loop_mechanism(kSeed), cuts), seed)), expected),
        kSameMotion);
}

TEST(Invariance, DirectionOfWritingHingesAndCutsDoesNotMatter) {
  // revolute, universal and cut spherical joints: z and Phi change their signs, some their order
  Mechanism m = make_loop_mechanism(kSeed);
  for (const char* name : {"r12", "u23", "s3", "r14", "s45", "u53"}) reverse(m, name);
  EXPECT_LE(distance(simulate(m), reference()), kSameMotion);
}

TEST(Invariance, PlaceInTheWorldDoesNotMatter) {
  Frame X;
  X.p = Eigen::Vector3d(1000.0, -700.0, 50.0);
  const Trajectory moved = simulate(move_world(make_loop_mechanism(kSeed), X));
  // attachments to the ground and the origin itself are known to eps 1200 m = 3e-13 m
  EXPECT_LE(distance(seen_from(moved, X), reference()), kSameMotion);
}

TEST(Invariance, AxesOfTheWorldDoNotMatter) {
  Frame X;
  X.A = rotation_exp(Eigen::Vector3d(0.7, -1.1, 2.0));
  X.p = Eigen::Vector3d(3.0, 2.0, -1.0);
  const Trajectory turned = simulate(move_world(make_loop_mechanism(kSeed), X));
  EXPECT_LE(distance(seen_from(turned, X), reference()), kSameMotion);
}

TEST(Invariance, StorageOfTheTangentDoesNotMatter) {
  for (const TangentChoice tangent :
       {TangentChoice::sparse, TangentChoice::dense, TangentChoice::automatic})
    EXPECT_LE(distance(simulate(make_loop_mechanism(kSeed), 2e-3, tangent), reference()),
              kSameMotion);
}

/// Difference of two ways of counting the same motion at h and h / 2.
void expect_second_order(const Mechanism& a, const Mechanism& b) {
  const double coarse = distance(simulate(a, 4e-3), simulate(b, 4e-3));
  const double fine = distance(simulate(a, 2e-3), simulate(b, 2e-3));
  EXPECT_LT(fine, 1e-3);  // m, of a way of 0.4 m
  EXPECT_GT(fine, kSameMotion) << "the coordinates are the same: nothing is compared";
  // 0.4: the next term at these steps
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.4)
      << coarse << " m at 4 ms, " << fine << " m at 2 ms";
}

TEST(Invariance, OtherCutsChangeTheErrorOfTheStepOnly) {
  const Mechanism m = make_loop_mechanism(kSeed);
  for (const auto& cuts : {std::vector<std::string>{"s1", "s45"}, {"r12", "u53"}, {"u23", "r14"}})
    expect_second_order(with_cuts(m, cuts), m);
}

TEST(Invariance, DirectionOfWritingBallJointsDoesNotMatter) {
  // in the tree a triad counts the outboard side in the axes of the inboard one, however it is
  // written
  const Mechanism m = with_cuts(make_loop_mechanism(kSeed), {"s3", "u53"});
  Mechanism r = m;
  reverse(r, "s1");
  reverse(r, "s45");
  EXPECT_LE(distance(simulate(r), simulate(m)), kSameMotion);
}

TEST(Invariance, AccelerationsKeepTheirDigitsFarFromTheStart) {
  // the same flight from x = 0 and from x = 100 km: increments and the moving origin keep zdd. What
  // is tied to the ground is left out: its place is known to eps 1e5 m only
  Mechanism near = make_loop_mechanism(kSeed);
  near.springs.erase(near.springs.begin());
  Frame X;
  X.p = Eigen::Vector3d(1e5, 0.0, 0.0);
  const auto accelerations = [](const Mechanism& mechanism) {
    const Model model = compile(mechanism);
    Workspace ws(model);
    State state = make_initial_state(model);
    StepSettings settings;
    settings.h = 1e-3;
    settings.tolerance = 1e-12;
    initialize(model, settings, state, ws);
    for (int k = 0; k < 100; ++k)
      EXPECT_EQ(step(model, settings, state, ws).status, StepStatus::converged);
    return state.zdd;
  };
  const Eigen::VectorXd expected = accelerations(near);
  // found equal bit for bit, the origin lying on a grid of 2^-10 m; allowed are
  // 4 / h^2 times the 1e-15 m or rad that a solved increment leaves, amplified a few times:
  // absolute positions of 1e5 m would leave 4 / h^2 * 1e-11 = 6e-5 m/s^2 at each step
  expect_close(accelerations(move_world(near, X)), expected, 0.0, 1e-7);
}

}  // namespace
}  // namespace semirec::test
