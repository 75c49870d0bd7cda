// One list of State's members serves saving and converting: none is left out.

#include "integrator/state_members.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/state_numbers.hpp"

namespace semirec::test {
namespace {

struct OneMemberMore {
  double number = 0.0;
  Eigen::VectorXd vector;
  Eigen::Vector3d point;
  std::vector<Quaternion> rotations;
  std::string word;
};

TEST(StateMembers, AreCountedWithoutBeingNamed) {
  struct None {};
  struct Two {
    std::vector<int> list;
    double number;
  };
  EXPECT_EQ(count_members<None>(), 0U);
  EXPECT_EQ(count_members<Two>(), 2U);
  EXPECT_EQ(count_members<OneMemberMore>(), 5U);
}

TEST(StateMembers, AreAllVisitedOnce) {
  State state;
  std::size_t visited = 0;
  visit(state, [&](auto&) { ++visited; });
  EXPECT_EQ(visited, count_members<State>());
  // none twice: so many different addresses
  std::vector<const void*> places;
  visit(state, [&](auto& member) { places.push_back(&member); });
  std::sort(places.begin(), places.end());
  EXPECT_EQ(std::unique(places.begin(), places.end()), places.end());
}

TEST(StateMembers, InCommonPassToAnotherFormulationAndTheOthersStay) {
  State from;
  from.t = 2.0;
  from.origin = Eigen::Vector3d(1.0, 2.0, 3.0);
  from.x = from.z = Eigen::Vector2d(4.0, 5.0);
  from.history = from.x;
  from.live.resize(1);
  State to;
  common_members(to) = common_members(from);
  EXPECT_EQ(to.t, 2.0);
  EXPECT_EQ(to.origin, from.origin);
  EXPECT_EQ(to.x, from.x);
  EXPECT_EQ(to.live.size(), 1U);
  EXPECT_EQ(to.z.size(), 0);
  EXPECT_EQ(to.history.size(), 0);
  EXPECT_FALSE(same_bits(from, to));
  own_members(to) = own_members(from);
  EXPECT_TRUE(same_bits(from, to));
}

}  // namespace
}  // namespace semirec::test
