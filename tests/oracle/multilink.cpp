// A multilink wheel suspension: five moving links and a massless tie rod, revolute, universal and
// ball joints in four loops, spring and damper, a force on the spindle. Reference values: maximal
// coordinates in extended precision, 11 digits, computed apart from any engine; hardpoints of a
// published vehicle.

#include <array>

#include <gtest/gtest.h>

#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

struct Instant {
  double t;
  V wheel, velocity;
  Eigen::Quaterniond upright;
};

TEST(Multilink, HasTwoFreedoms) {
  Simulation run(make_multilink(), 1e-3);
  const ClosureRank rank = find_closure_rank(run.model, run.state, run.ws);
  EXPECT_EQ(rank.rows, rank.rank);
  EXPECT_EQ(run.model.n() - rank.rank, 2);
}

TEST(Multilink, RisesUnderItsLoadAsTheReferenceDoes) {
  Simulation run(make_multilink(), 1e-3);
  // benchmark limit 1e-4 m at h = 1e-3; the damper lets the motion creep, and the rule does a
  // hundred times better
  constexpr double kPlace = 1e-6;
  constexpr double kRate = 1e-5;
  for (const Instant& now :
       {Instant{0.02, V(0.000409671705422217, 0.950567202428369, -0.00479037791615758),
                V(0.0209255483193476, 0.0271767926764288, -0.240158891901954),
                Eigen::Quaterniond(0.999999052166264, -0.00123551570001441, -0.000599958878316382,
                                   9.60045453317418e-05)},
        Instant{0.1, V(0.00162005014583216, 0.951871527481948, -0.0180093206493826),
                V(0.0103503902707101, 0.00907512959995231, -0.107834445066036),
                Eigen::Quaterniond(0.999987688041049, -0.00438056133445304, -0.00230215173106122,
                                   0.000366805289865372)},
        Instant{0.2, V(0.00228989079002452, 0.9523940874995, -0.0248266520730788),
                V(0.00398962690011571, 0.00274389601804139, -0.0396880612002507),
                Eigen::Quaterniond(0.999977589804003, -0.00585409289032922, -0.0032075148884853,
                                   0.00051120881059791)}}) {
    run.run_to(now.t);
    const Motion spindle = run.com("spindle");
    expect_close(spindle.X.p, now.wheel, 0.0, kPlace);
    expect_close(spindle.velocity, now.velocity, 0.0, kRate);
    expect_close(run.com("upright").X.A, now.upright.normalized().toRotationMatrix(), 0.0,
                 10.0 * kPlace);
  }
}

}  // namespace
}  // namespace semirec::test
