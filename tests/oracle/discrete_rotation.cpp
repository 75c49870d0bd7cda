// What the modified formula for Euler parameters computes, to ten digits: the discrete solutions of
// tests/data/schemes/rotation.csv, which a program that shares nothing with the engine solved in
// fifty digits, against steps in Cartesian coordinates with multipliers and no projection.

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

struct RotationStep {
  int step = 0;
  Quaternion e;
  Eigen::Vector3d w{0, 0, 0};  ///< in the body's axes, rad/s
};

std::vector<RotationStep> read_rotation(const std::string& system, const std::string& scheme,
                                        const std::string& parameter, const std::string& option) {
  std::ifstream file(SEMIREC_SOURCE_DIR "/tests/data/schemes/rotation.csv");
  std::vector<RotationStep> steps;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(words, field, ',');) fields.push_back(field);
    if (fields.size() < 17 || fields[0] != system || fields[1] != scheme ||
        fields[2] != parameter || fields[3] != option)
      continue;
    const auto number = [&](std::size_t k) { return std::stod(fields[k]); };
    steps.push_back({std::stoi(fields[4]), Quaternion(number(5), number(6), number(7), number(8)),
                     Eigen::Vector3d(number(14), number(15), number(16))});
  }
  return steps;
}

struct Rotation {
  const char* scheme;
  const char* parameter;  ///< name
  const char* value;
  const char* option;  ///< of the table
  bool printed = false;
  /// The scheme's name in the table.
  std::string in_table() const { return std::string(scheme) == "modified_hht" ? "hht" : scheme; }
  SchemeChoice choose() const {
    std::vector<std::pair<std::string, double>> given{{parameter, std::stod(value)}};
    if (printed) given.emplace_back("weighting", 1.0);
    return choose_scheme(scheme, given);
  }
};
std::ostream& operator<<(std::ostream& out, const Rotation& rotation) {
  return out << rotation.scheme << ' ' << rotation.value;
}

class DiscreteRotation : public testing::TestWithParam<Rotation> {};

TEST_P(DiscreteRotation, OfAFreeBodyIsThatOfTheModifiedFormula) {
  const Rotation& rotation = GetParam();
  struct System {
    const char* name;
    Eigen::Vector3d inertia, w;
    double torque;  ///< N m about the body's x
  };
  for (const System& system : {System{"spin", {0.5, 0.6, 0.7}, {60.0, 0.0, 0.0}, 0.0},
                               {"spin_up", {0.5, 0.6, 0.7}, {10.0, 0.0, 0.0}, 2.0},
                               {"torque_free", {3.0, 2.0, 1.0}, {2.0, 0.5, 0.3}, 0.0}}) {
    SCOPED_TRACE(system.name);
    Mechanism m;
    m.name = system.name;
    m.gravity.setZero();
    const BodyIndex body =
        add_body(m, "body", 1.0, Frame{}, Eigen::Matrix3d(system.inertia.asDiagonal()));
    add_joint(m, "free", JointType::free, kGround, body, Frame{});
    m.joints.back().velocity = {0.0, 0.0, 0.0, system.w.x(), system.w.y(), system.w.z()};
    AppliedLoad load;
    load.name = "torque";
    load.at = marker_at(m, body, Frame{});
    load.torque = load.body_axes = true;
    load.direction = Eigen::Vector3d::UnitX();
    load.input = add_input(m, "size", Curve::constant(system.torque));
    m.loads.push_back(load);
    Simulation run(m, 1e-3, Formulation::cartesian);
    run.settings.scheme = rotation.choose();
    run.settings.closing = Closing::multipliers;
    run.settings.projections = 0;
    run.settings.tolerance = 1e-14;
    const std::vector<RotationStep> steps =
        read_rotation(system.name, rotation.in_table(), rotation.value, rotation.option);
    ASSERT_EQ(steps.size(), 4U);
    for (const RotationStep& expected : steps) {
      SCOPED_TRACE(expected.step);
      run.run_to(1e-3 * expected.step);
      const Motion found = run.body("body");
      expect_close(Eigen::Matrix3d(found.X.A), expected.e.toRotationMatrix(), 0.0, 1e-10);
      expect_close(found.w_own(), expected.w, 1e-10, 0.0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, DiscreteRotation,
                         testing::Values(Rotation{"hht", "alpha", "-0.05", "frame"},
                                         Rotation{"hht", "alpha", "-0.2", "frame"},
                                         Rotation{"hht", "alpha", "-0.3", "frame"},
                                         Rotation{"modified_hht", "alpha", "-0.05", "printed",
                                                  true},
                                         Rotation{"modified_hht", "alpha", "-0.3", "printed", true},
                                         Rotation{"generalized_alpha", "rho", "0", "modified"},
                                         Rotation{"generalized_alpha", "rho", "0.5", "modified"},
                                         Rotation{"generalized_alpha", "rho", "0.8", "modified"},
                                         Rotation{"newmark", "gamma", "0.6", "modified"}));

/// The heavy top as a body on a ball joint, where forces of the joint are weighed, too.
Mechanism make_top() {
  using V = Eigen::Vector3d;
  Mechanism m;
  m.name = "top";
  m.gravity = V(0.0, 0.0, -9.81);
  const Frame centre{Eigen::Matrix3d::Identity(), V(0.0, 1.0, 0.0)};
  const BodyIndex body = add_body(m, "body", 15.0, centre,
                                  V(0.234375, 0.46875, 0.234375).asDiagonal().toDenseMatrix());
  add_joint(m, "ball", JointType::spherical, kGround, body, Frame{});
  m.joints.back().velocity = {0.0, 150.0, -4.61538};
  return m;
}

class DiscreteTop : public testing::TestWithParam<Rotation> {};

TEST_P(DiscreteTop, OnABallJointIsThatOfTheModifiedFormula) {
  const Rotation& rotation = GetParam();
  using V = Eigen::Vector3d;
  Simulation run(make_top(), 1e-3, Formulation::cartesian);
  run.settings.scheme = rotation.choose();
  run.settings.closing = Closing::multipliers;
  run.settings.projections = 0;
  run.settings.tolerance = 1e-14;
  std::ifstream file(SEMIREC_SOURCE_DIR "/tests/data/schemes/ball.csv");
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(words, field, ',');) fields.push_back(field);
    if (fields.size() < 14 || fields[0] != rotation.in_table() || fields[1] != rotation.value ||
        fields[2] != rotation.option)
      continue;
    const auto number = [&](std::size_t k) { return std::stod(fields[k]); };
    SCOPED_TRACE(fields[3]);
    run.run_to(1e-3 * number(3));
    const Motion found = run.com("body");
    const Quaternion e(number(7), number(8), number(9), number(10));
    expect_close(found.X.p, V(number(4), number(5), number(6)), 0.0, 1e-10);
    expect_close(Eigen::Matrix3d(found.X.A), e.toRotationMatrix(), 0.0, 1e-10);
    // round-off of the positions, 1e-16 m, counts gamma/(beta h), and a hundred steps add it up
    expect_close(found.velocity, V(number(11), number(12), number(13)), 0.0, 1e-10);
    ++rows;
  }
  EXPECT_EQ(rows, 4);
}

INSTANTIATE_TEST_SUITE_P(Methods, DiscreteTop,
                         testing::Values(Rotation{"hht", "alpha", "-0.2", "frame"},
                                         Rotation{"hht", "alpha", "-0.3", "frame"},
                                         Rotation{"modified_hht", "alpha", "-0.2", "frame"},
                                         Rotation{"modified_hht", "alpha", "-0.2", "printed", true},
                                         Rotation{"modified_hht", "alpha", "-0.3", "printed", true},
                                         Rotation{"generalized_alpha", "rho", "0.5", "modified"}));

// the top's angular velocity at 0.02 s against the trapezoidal rule at a tenth of the least step
TEST(ModifiedHht, IsOfFirstOrderOnTheTopAsPrintedAndOfSecondTurned) {
  const auto spin = [](const SchemeChoice& scheme, double h) {
    Simulation run(make_top(), h, Formulation::cartesian);
    run.settings.scheme = scheme;
    run.settings.closing = Closing::multipliers;
    run.settings.tolerance = 1e-14;
    run.run_to(0.02);
    return run.body("body").w;
  };
  const Eigen::Vector3d exact = spin({}, 2.5e-6);
  const auto order = [&](double weighting) {
    const SchemeChoice scheme =
        choose_scheme("modified_hht", {{"alpha", -0.3}, {"weighting", weighting}});
    const double coarse = (spin(scheme, 5e-5) - exact).norm();
    return std::log2(coarse / (spin(scheme, 2.5e-5) - exact).norm());
  };
  EXPECT_NEAR(order(0.0), 2.0, 0.1);
  EXPECT_NEAR(order(1.0), 1.0, 0.1);
}

}  // namespace
}  // namespace semirec::test
