// What the modified formula for Euler parameters computes, to ten digits: the discrete solutions of
// tests/data/schemes/rotation.csv, which a program that shares nothing with the engine solved in
// fifty digits, against steps in Cartesian coordinates with multipliers and no projection.

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
  };
  for (const System& system : {System{"spin", {0.5, 0.6, 0.7}, {60.0, 0.0, 0.0}},
                               {"torque_free", {3.0, 2.0, 1.0}, {2.0, 0.5, 0.3}}}) {
    SCOPED_TRACE(system.name);
    Mechanism m;
    m.name = system.name;
    m.gravity.setZero();
    const BodyIndex body =
        add_body(m, "body", 1.0, Frame{}, Eigen::Matrix3d(system.inertia.asDiagonal()));
    add_joint(m, "free", JointType::free, kGround, body, Frame{});
    m.joints.back().velocity = {0.0, 0.0, 0.0, system.w.x(), system.w.y(), system.w.z()};
    Simulation run(m, 1e-3, Formulation::cartesian);
    run.settings.scheme =
        choose_scheme(rotation.scheme, {{rotation.parameter, std::stod(rotation.value)}});
    run.settings.closing = Closing::multipliers;
    run.settings.projections = 0;
    run.settings.tolerance = 1e-14;
    const std::vector<RotationStep> steps =
        read_rotation(system.name, rotation.scheme, rotation.value, rotation.option);
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
                                         Rotation{"generalized_alpha", "rho", "0", "modified"},
                                         Rotation{"generalized_alpha", "rho", "0.5", "modified"},
                                         Rotation{"generalized_alpha", "rho", "0.8", "modified"},
                                         Rotation{"newmark", "gamma", "0.6", "modified"}));

}  // namespace
}  // namespace semirec::test
