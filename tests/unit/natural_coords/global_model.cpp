// The global formulation's natural coordinates: how many there are.

#include "natural_coords/global/global_model.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "tests/support/mechanisms.hpp"

namespace semirec::test {
namespace {

struct Count {
  const char* name;
  std::function<Mechanism()> make;
  int coordinates, rows;
};
std::ostream& operator<<(std::ostream& out, const Count& c) { return out << c.name; }

class NaturalCounts : public testing::TestWithParam<Count> {};

TEST_P(NaturalCounts, AreThoseOfPointsAndVectors) {
  const Model model = compile(GetParam().make(), {}, {.formulation = Formulation::global});
  EXPECT_EQ(model.n(), GetParam().coordinates);
  EXPECT_EQ(model.m(), GetParam().rows);
}

INSTANTIATE_TEST_SUITE_P(
    All, NaturalCounts,
    testing::Values(
        // [H03] section 4.1: the tips of three cranks, three cranks and two couplers of fixed
        // length
        Count{"double_four_bar", [] { return make_four_bars(2, LoopKind::revolute); }, 6, 5},
        Count{"four_bar", [] { return make_four_bars(1, LoopKind::revolute); }, 4, 3},
        Count{"ten_four_bars", [] { return make_four_bars(10, LoopKind::revolute); }, 22, 21},
        // one point and its distance
        Count{"pendulum", make_pendulum, 2, 1},
        // three vectors from the ball: three lengths, three angles
        Count{"spherical_pendulum", make_heavy_top, 9, 6},
        // a point more
        Count{"free_body", make_free_body, 12, 6},
        // a rod a point
        Count{"chain_of_four", [] { return make_rod_chain(4, 0.5, 1.0); }, 8, 4}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace semirec::test
