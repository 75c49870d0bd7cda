#include "topology/spanning_tree.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/random_mechanism.hpp"
#include "topology/graph.hpp"
#include "topology/indices.hpp"
#include "topology/loop_path.hpp"

namespace semirec::test {
namespace {

using testing::HasSubstr;

/// Bodies 0 .. count - 1, named b0, b1, ...
Mechanism make_bodies(int count) {
  Mechanism m;
  m.name = "graph";
  for (int i = 0; i < count; ++i) {
    Body body;
    body.name = "b" + std::to_string(i);
    body.mass = 1.0;
    body.source = {"graph.xml", i + 1};
    m.bodies.push_back(body);
  }
  return m;
}

Joint& join(Mechanism& m, const std::string& name, JointType type, BodyIndex a, BodyIndex b,
            Placement placement = Placement::automatic) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.a.body = a;
  joint.b.body = b;
  joint.placement = placement;
  joint.source = {"graph.xml", 100 + static_cast<int>(m.joints.size())};
  m.joints.push_back(joint);
  return m.joints.back();
}

std::vector<std::string> cut_names(const Mechanism& m) {
  std::vector<std::string> names;
  for (const CutJoint& cut : make_spanning_tree(m).cuts)
    names.push_back(m.joints[at(cut.joint)].name);
  return names;
}

std::string message_of(const Mechanism& m) {
  try {
    static_cast<void>(make_spanning_tree(m));
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

using Names = std::vector<std::string>;

TEST(TreeChoice, DoubleWishboneCutsItsBallJoints) {
  // chassis, two wishbones on hinges, knuckle on ball joints, tie rod between chassis (universal)
  // and knuckle (ball): the knuckle hangs on one ball joint, the two others are cut
  Mechanism m = make_bodies(5);
  enum { chassis, lower, upper, knuckle, tie_rod };
  join(m, "flight", JointType::free, kGround, chassis);
  join(m, "lower_hinge", JointType::revolute, chassis, lower);
  join(m, "upper_hinge", JointType::revolute, chassis, upper);
  join(m, "lower_ball", JointType::spherical, lower, knuckle);
  join(m, "upper_ball", JointType::spherical, upper, knuckle);
  join(m, "rack_end", JointType::universal, chassis, tie_rod);
  join(m, "steering_ball", JointType::spherical, tie_rod, knuckle);
  EXPECT_EQ(cut_names(m), (Names{"upper_ball", "steering_ball"}));
}

TEST(TreeChoice, NFourBarsCutRevolutesAndStayShallow) {
  // cranks 0, 2, 4, 6 on the ground, couplers 1, 3, 5 between them
  Mechanism m = make_bodies(7);
  for (int crank = 0; crank < 7; crank += 2)
    join(m, "g" + std::to_string(crank), JointType::revolute, kGround, crank);
  for (int link = 0; link < 6; ++link)
    join(m, "l" + std::to_string(link), JointType::revolute, link, link + 1);
  const SpanningTree tree = make_spanning_tree(m);
  int deepest = 0;
  for (const TreeBranch& branch : tree.branches) deepest = std::max(deepest, branch.depth);
  EXPECT_EQ(deepest, 2);  // every crank on the ground, every coupler on a crank
  EXPECT_EQ(tree.coordinates, 7);
  EXPECT_EQ(tree.cuts.size(), 3U);
}

TEST(TreeChoice, FewestFreedomsStayBeforeShallowness) {
  // a triangle: the ball joint leads to b1 directly, the two hinges over b0
  Mechanism m = make_bodies(2);
  join(m, "ball", JointType::spherical, kGround, 1);
  join(m, "hinge0", JointType::revolute, kGround, 0);
  join(m, "hinge1", JointType::revolute, 0, 1);
  EXPECT_EQ(cut_names(m), Names{"ball"});
}

TEST(TreeChoice, AmongEqualsTheJointWrittenFirstStays) {
  Mechanism m = make_bodies(1);
  join(m, "first", JointType::revolute, kGround, 0);
  join(m, "second", JointType::revolute, 0, kGround);
  EXPECT_EQ(cut_names(m), Names{"second"});
  std::swap(m.joints[0], m.joints[1]);
  EXPECT_EQ(cut_names(m), Names{"first"});
}

TEST(TreeChoice, PlacementOverridesTheRules) {
  Mechanism m = make_bodies(2);
  join(m, "ball", JointType::spherical, kGround, 1, Placement::tree);
  join(m, "hinge0", JointType::revolute, kGround, 0);
  join(m, "hinge1", JointType::revolute, 0, 1);
  EXPECT_EQ(cut_names(m), Names{"hinge1"});
  m.joints[1].placement = Placement::cut;
  EXPECT_EQ(cut_names(m), Names{"hinge0"});
  EXPECT_EQ(make_spanning_tree(m).cuts[0].why, "the file asks for it");
}

TEST(TreeChoice, ReasonCountsCoordinatesAndRows) {
  Mechanism m = make_bodies(1);
  join(m, "hinge", JointType::revolute, kGround, 0);
  join(m, "ball", JointType::spherical, kGround, 0);
  const std::string why = make_spanning_tree(m).cuts.at(0).why;
  EXPECT_THAT(why, HasSubstr("saves 3 coordinates"));
  EXPECT_THAT(why, HasSubstr("costs 3 rows"));
}

TEST(TreeChoice, FreeJointBesideAnotherOneIsNoConstraint) {
  Mechanism m = make_bodies(1);
  join(m, "hinge", JointType::revolute, kGround, 0);
  join(m, "flight", JointType::free, kGround, 0);
  const SpanningTree tree = make_spanning_tree(m);
  EXPECT_TRUE(tree.cuts.empty());
  EXPECT_EQ(tree.coordinates, 1);
}

TEST(TreeChoice, BodyWithoutAChainToTheGroundIsNamed) {
  Mechanism m = make_bodies(3);
  join(m, "j0", JointType::revolute, kGround, 0);
  join(m, "j1", JointType::revolute, 1, 2);
  const std::string message = message_of(m);
  EXPECT_THAT(message, HasSubstr("graph.xml:2"));
  EXPECT_THAT(message, HasSubstr("'b1'"));
  EXPECT_THAT(message, HasSubstr("no chain of joints connects this body with the ground"));
}

TEST(TreeChoice, BodyBehindCutsOnlyIsNamed) {
  Mechanism m = make_bodies(2);
  join(m, "j0", JointType::revolute, kGround, 0);
  join(m, "j1", JointType::revolute, 0, 1, Placement::cut);
  const std::string message = message_of(m);
  EXPECT_THAT(message, HasSubstr("'b1'"));
  EXPECT_THAT(message, HasSubstr("only joints marked as cuts connect this body with the ground"));
}

TEST(TreeChoice, LoopOfJointsThatMustStayIsRefused) {
  Mechanism m = make_bodies(2);
  join(m, "j0", JointType::revolute, kGround, 0, Placement::tree);
  join(m, "j1", JointType::revolute, 0, 1, Placement::tree);
  join(m, "j2", JointType::revolute, 1, kGround, Placement::tree);
  const std::string message = message_of(m);
  EXPECT_THAT(message, HasSubstr("must stay in the tree but closes a loop of such joints"));
  EXPECT_THAT(message, HasSubstr("graph.xml:10"));
}

TEST(SpanningTree, ParentsComeFirstAndSubtreesAreContiguous) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const Mechanism m = make_tree_of_all_joints(seed);
    const SpanningTree tree = make_spanning_tree(m);
    ASSERT_EQ(tree.branches.size(), m.bodies.size() + 1);
    int z = 0;
    for (std::size_t t = 1; t < tree.branches.size(); ++t) {
      const TreeBranch& branch = tree.branches[t];
      const Joint& joint = m.joints[at(branch.joint)];
      EXPECT_LT(branch.parent, static_cast<TreeIndex>(t));
      EXPECT_EQ(branch.depth, tree.branches[at(branch.parent)].depth + 1);
      EXPECT_EQ(branch.z, z) << "coordinates are numbered in the order of the bodies";
      EXPECT_EQ(branch.degrees_of_freedom, degrees_of_freedom(joint.type));
      z += branch.degrees_of_freedom;
      EXPECT_EQ(branch.reversed ? joint.a.body : joint.b.body, branch.body);
      EXPECT_EQ(tree.tree_index(branch.reversed ? joint.b.body : joint.a.body), branch.parent);
      EXPECT_EQ(tree.tree_index(branch.body), static_cast<TreeIndex>(t));
      EXPECT_EQ(tree.branch_of_joint[at(branch.joint)], static_cast<TreeIndex>(t));
      // contiguous: the parent of t lies on the path of t - 1
      TreeIndex ancestor = static_cast<TreeIndex>(t) - 1;
      while (ancestor > branch.parent) ancestor = tree.branches[at(ancestor)].parent;
      EXPECT_EQ(ancestor, branch.parent);
    }
    EXPECT_EQ(tree.coordinates, z);
  }
}

TEST(LoopPath, HoldsTheJointsBetweenTwoBodiesWithTheirSigns) {
  // ground - b0 (free, 0..5) - b1 (revolute, 6) - b2 (universal, 7, 8);  b0 - b3 (spherical, 9..11)
  Mechanism m = make_bodies(4);
  join(m, "flight", JointType::free, kGround, 0);
  join(m, "hinge", JointType::revolute, 0, 1);
  join(m, "cross", JointType::universal, 1, 2);
  join(m, "ball", JointType::spherical, 3, 0);
  const SpanningTree tree = make_spanning_tree(m);
  const auto path = [&](BodyIndex a, BodyIndex b) {
    return find_loop_path(tree, tree.tree_index(a), tree.tree_index(b));
  };
  const LoopPath across = path(2, 3);
  EXPECT_EQ(across.ancestor, tree.tree_index(0));
  EXPECT_EQ(across.coordinates, (std::vector<int>{6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(across.sign, (std::vector<double>{-1, -1, -1, 1, 1, 1}));
  const LoopPath back = path(3, 2);
  EXPECT_EQ(back.sign, (std::vector<double>{1, 1, 1, -1, -1, -1}));
  const LoopPath along = path(1, 2);
  EXPECT_EQ(along.ancestor, tree.tree_index(1));
  EXPECT_EQ(along.coordinates, (std::vector<int>{7, 8}));
  EXPECT_EQ(along.sign, (std::vector<double>{1, 1}));
  EXPECT_EQ(path(kGround, 1).coordinates, (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(path(kGround, 1).ancestor, 0);
  EXPECT_TRUE(path(2, 2).coordinates.empty());
}

}  // namespace
}  // namespace semirec::test
