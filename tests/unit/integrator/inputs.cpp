// Inputs that follow another one by a factor: a rack of its steering wheel.

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

constexpr double kFactor = -0.25;

/// A sled that a driver moves by the input `way`, which is kFactor times `hand`.
Mechanism make_sled() {
  Mechanism m;
  m.name = "sled";
  const BodyIndex sled = add_body(m, "sled", 1.0, Frame{}, Eigen::Matrix3d::Identity());
  add_joint(m, "slide", JointType::prismatic, kGround, sled, Frame{});
  add_input(m, "hand", make_sine(0.8, 5.0));
  const InputIndex way = add_input(m, "way", Curve::constant(0.1));
  m.inputs[1].of = 0;
  m.inputs[1].factor = kFactor;
  m.motions.push_back({"drive", 0, 0, way, {}});
  return m;
}

TEST(Input, FollowsAnotherOneByItsFactorOnTopOfItsOwnCurve) {
  Simulation run(make_sled(), 1e-3);
  EXPECT_NEAR(run.zd("slide"), kFactor * 0.8 * 5.0, 1e-12);
  run.run_to(0.3);
  EXPECT_NEAR(run.z("slide"), 0.1 + kFactor * 0.8 * std::sin(5.0 * 0.3), 1e-12);
  EXPECT_NEAR(run.zd("slide"), kFactor * 0.8 * 5.0 * std::cos(5.0 * 0.3), 1e-9);
  EXPECT_NEAR(run.zdd("slide"), -kFactor * 0.8 * 25.0 * std::sin(5.0 * 0.3), 1e-6);
}

TEST(Input, FollowsWhatACallerGives) {
  Simulation run(make_sled(), 1e-3);
  run.state.live.resize(2);
  run.state.live[0].given = true;
  run.state.live[0].value = {0.4, 0.0, 0.0};
  (void)run.advance();
  EXPECT_NEAR(run.z("slide"), 0.1 + kFactor * 0.4, 1e-12);
  // one that is given itself follows nothing
  run.state.live[1].given = true;
  run.state.live[1].value = {0.02, 0.0, 0.0};
  (void)run.advance();
  EXPECT_NEAR(run.z("slide"), 0.02, 1e-12);
}

TEST(Input, MayNotFollowALaterOneOrItself) {
  for (const InputIndex of : {1, 7, -5}) {
    Mechanism m = make_sled();
    m.inputs[1].of = of;
    EXPECT_THROW(check(m), ModelError) << of;
  }
  Mechanism m = make_sled();
  m.inputs[1].factor = std::nan("");
  EXPECT_THROW(check(m), ModelError);
}

}  // namespace
}  // namespace semirec::test
