// The scheme of docs/how_to/add_a_scheme.md on an oscillator, in every formulation.

#include "pages/add_a_scheme.cpp"

#include <vector>

#include <gtest/gtest.h>

#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

using page_add_a_scheme::kImplicitEuler;

/// 2 kg on a slide along z against a spring of 800 N/m, at 1 m/s through its rest position.
Mechanism make_spring_mass() {
  Mechanism m;
  m.name = "spring mass";
  m.gravity.setZero();
  const BodyIndex mass = add_body(m, "mass", 2.0, Frame{}, Eigen::Matrix3d::Identity());
  add_joint(m, "slide", JointType::prismatic, kGround, mass, Frame{});
  m.joints.back().velocity = {1.0};
  add_spring(m, "spring", kGround, mass, Eigen::Vector3d(0, 0, -1), Eigen::Vector3d::Zero(), 800.0,
             1.0, 0.0);
  return m;
}

class PageScheme : public testing::TestWithParam<Formulation> {};

TEST_P(PageScheme, FollowsItsClosedForm) {
  constexpr double h = 0.01;
  Simulation run(make_spring_mass(), h, GetParam());
  run.settings.scheme = {&kImplicitEuler, {}};
  run.settings.tolerance = 1e-12;
  std::vector<double> x{0.0};
  for (int k = 0; k < 40; ++k) {
    static_cast<void>(run.advance());
    x.push_back(run.body("mass").X.p.z());
  }
  // the first step: zd = 1 m/s + h zdd with zdd = - 400 z; then three positions in a row
  EXPECT_NEAR(1.04 * x[1], h, 1e-11);
  for (std::size_t k = 1; k + 1 < x.size(); ++k)
    ASSERT_NEAR(1.04 * x[k + 1] - 2.0 * x[k] + x[k - 1], 0.0, 1e-11) << k;
}

INSTANTIATE_TEST_SUITE_P(All, PageScheme, testing::ValuesIn(all_formulations()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

}  // namespace
}  // namespace semirec::test
