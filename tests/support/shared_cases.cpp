#include "tests/support/shared_cases.hpp"

#include <string>

#include "recursive/kinematics.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/random_mechanism.hpp"
#include "topology/indices.hpp"

namespace semirec::test {

namespace {

using V = Eigen::Vector3d;

Joint& youngest_joint(Mechanism& m) { return m.joints.back(); }

/// A body of unequal inertias whose frame stands at `place`, turned at random.
BodyIndex add_lump(Mechanism& m, Random& random, const std::string& name, const V& place) {
  Frame X;
  X.A = random.rotation();
  X.p = place;
  return add_body(m, name, random.number(0.5, 2.0), X, random.inertia(0.1), random.vector(0.1));
}

Frame turned(Random& random, const V& place) {
  Frame X;
  X.A = random.rotation();
  X.p = place;
  return X;
}

InputIndex add_wave(Mechanism& m, const std::string& name, double amplitude, double omega,
                    double phase) {
  return add_input(m, name, make_sine(amplitude, omega, phase));
}

/// Every kind of joint twice, from parent to child and from child to parent, on the ground and on
/// one another; turned, placed and thrown at random.
Mechanism make_thrown_tree(std::uint64_t seed) {
  Mechanism m = make_tree_of_all_joints(seed);
  Random random(seed + 100);
  for (Joint& joint : m.joints) {
    const auto count = static_cast<std::size_t>(degrees_of_freedom(joint.type));
    for (std::size_t k = 0; k < count; ++k) {
      joint.position.push_back(random.number(-0.7, 0.7));
      joint.velocity.push_back(random.number(-0.8, 0.8));
    }
  }
  return m;
}

/// A chain of every kind of joint but the free one, each passed from child to parent, none on the
/// ground but the first.
Mechanism make_reversed_chain(std::uint64_t seed) {
  Random random(seed);
  Mechanism m;
  m.name = "reversed chain";
  BodyIndex parent = kGround;
  for (const JointType type : joint_types()) {
    if (type == JointType::free) continue;
    const auto i = static_cast<BodyIndex>(m.bodies.size());
    m.bodies.push_back(make_random_body(random, "b" + std::to_string(i)));
    m.joints.push_back(
        make_random_joint(random, type, parent, i, parent != kGround, "j" + std::to_string(i)));
    youngest_joint(m).position.resize(static_cast<std::size_t>(degrees_of_freedom(type)), 0.2);
    youngest_joint(m).velocity.resize(static_cast<std::size_t>(degrees_of_freedom(type)), 0.5);
    parent = i;
  }
  return m;
}

/// An arm whose slide, turn and both turns of a universal joint are driven, with a free swinging
/// body at its end.
Mechanism make_driven_arm() {
  Random random(31);
  Mechanism m;
  m.name = "driven arm";
  const BodyIndex sledge = add_lump(m, random, "sledge", V(0.2, 0.1, 0.0));
  const BodyIndex arm = add_lump(m, random, "arm", V(0.5, 0.3, 0.2));
  const BodyIndex fork = add_lump(m, random, "fork", V(0.9, 0.1, 0.4));
  const BodyIndex rotor = add_lump(m, random, "rotor", V(1.1, 0.3, 0.4));
  const BodyIndex bob = add_lump(m, random, "bob", V(1.2, 0.2, 0.0));
  const JointIndex slide = add_joint(m, "slide", JointType::prismatic, kGround, sledge,
                                     turned(random, V(0.1, 0.0, 0.0)));
  // from the child to the parent
  const JointIndex turn =
      add_joint(m, "turn", JointType::revolute, arm, sledge, turned(random, V(0.3, 0.2, 0.1)));
  const JointIndex cross =
      add_joint(m, "cross", JointType::universal, arm, fork, turned(random, V(0.7, 0.2, 0.3)));
  const JointIndex screw =
      add_joint(m, "screw", JointType::cylindrical, rotor, fork, turned(random, V(1.0, 0.2, 0.4)));
  add_joint(m, "ball", JointType::spherical, rotor, bob, turned(random, V(1.2, 0.3, 0.3)));
  youngest_joint(m).velocity = {0.5, -0.4, 1.0};
  m.motions.push_back({"drive_slide", slide, 0, add_wave(m, "w0", 0.2, 4.0, 0.3), {}});
  m.motions.push_back({"drive_turn", turn, 0, add_wave(m, "w1", 0.7, 3.0, -0.4), {}});
  m.motions.push_back({"drive_cross_0", cross, 0, add_wave(m, "w2", 0.5, 5.0, 0.9), {}});
  m.motions.push_back({"drive_cross_1", cross, 1, add_wave(m, "w3", 0.6, 2.0, 0.2), {}});
  m.motions.push_back({"drive_screw_0", screw, 0, add_wave(m, "w4", 0.1, 6.0, 0.2), {}});
  m.motions.push_back({"drive_screw_1", screw, 1, add_wave(m, "w5", 0.8, 3.5, 1.0), {}});
  return m;
}

/// A rotor that a driver takes through several turns, one from each side, and what hangs on them.
Mechanism make_driven_rotors() {
  Random random(32);
  Mechanism m;
  m.name = "driven rotors";
  for (const bool reversed : {false, true}) {
    const std::string number = reversed ? "1" : "0";
    const double y = reversed ? 2.0 : 0.0;
    const BodyIndex rotor = add_lump(m, random, "rotor" + number, V(0.1, y, 0.0));
    const BodyIndex bob = add_lump(m, random, "bob" + number, V(0.4, y, 0.0));
    const JointIndex axle =
        add_joint(m, "axle" + number, JointType::revolute, reversed ? rotor : kGround,
                  reversed ? kGround : rotor, turned(random, V(0.0, y, 0.0)));
    add_joint(m, "pin" + number, JointType::revolute, rotor, bob, turned(random, V(0.3, y, 0.0)));
    Curve speed;
    speed.add_piece(-1e300, 0.0, {3.0, 12.0});  // rad, rad/s: past half a turn soon
    m.motions.push_back({"drive" + number, axle, 0, add_input(m, "angle" + number, speed), {}});
    youngest_joint(m).velocity = {1.0};
  }
  return m;
}

/// A platform on a ball joint that rods hold: one of fixed length, one that is lengthened over
/// time, one whose end is driven along an axis of a moving body, one that is both.
Mechanism make_platform() {
  Random random(33);
  Mechanism m;
  m.name = "platform on rods";
  const BodyIndex plate = add_lump(m, random, "plate", V(0.0, 0.0, 1.0));
  const BodyIndex arm = add_lump(m, random, "arm", V(0.8, 0.0, 0.3));
  const BodyIndex wing = add_lump(m, random, "wing", V(-0.6, 0.4, 1.1));
  Frame X;
  X.p = V(0.0, 0.0, 1.0);
  Joint flight;
  flight.name = "flight";
  flight.type = JointType::free;
  flight.b.body = plate;
  const V theta = rotation_log(pose_of(m, plate).A);
  flight.position = {0.0, 0.0, 1.0, theta.x(), theta.y(), theta.z()};
  flight.velocity = {0.3, 0.2, -0.1, 0.5, 0.2, -0.4};
  m.joints.push_back(flight);
  add_joint(m, "arm_pin", JointType::revolute, kGround, arm, turned(random, V(0.6, 0.1, 0.0)));
  youngest_joint(m).velocity = {0.7};
  add_joint(m, "wing_pin", JointType::revolute, wing, plate, turned(random, V(-0.4, 0.3, 1.0)));
  youngest_joint(m).velocity = {-0.6};
  const auto rod = [&](const std::string& name, BodyIndex a, BodyIndex b, const V& from,
                       const V& to) -> Constraint& {
    add_massless_rod(m, name, a, b, from, to);
    return m.constraints.back();
  };
  rod("fixed", kGround, plate, V(0.5, 0.6, 0.0), V(0.2, 0.3, 0.9));
  rod("longer", wing, kGround, V(-0.7, 0.4, 1.1), V(-0.5, 0.5, 0.1)).length_input =
      add_wave(m, "length", 0.05, 7.0, 0.4);
  {
    Constraint& c = rod("rack", arm, plate, V(0.9, -0.1, 0.4), V(0.2, -0.2, 1.1));
    c.slide_axis = V(0.6, 0.0, -0.8);
    c.slide_input = add_wave(m, "rack_way", 0.04, 5.0, 0.8);
  }
  {
    Constraint& c = rod("both", kGround, wing, V(-0.9, -0.5, 0.2), V(-0.6, 0.3, 1.2));
    c.slide_axis = V(0.0, 1.0, 0.0);
    c.slide_input = add_wave(m, "end_way", 0.05, 6.0, 0.1);
    c.length_input = add_wave(m, "end_length", 0.03, 4.0, 1.2);
  }
  return m;
}

/// A point of a swinging body on a line of another one, and one in a plane whose offset moves; the
/// near end of the line is driven.
Mechanism make_guided_points() {
  Random random(34);
  Mechanism m;
  m.name = "guided points";
  const BodyIndex guide = add_lump(m, random, "guide", V(0.3, 0.0, 0.0));
  const BodyIndex first = add_lump(m, random, "first", V(0.0, 0.6, 0.2));
  const BodyIndex second = add_lump(m, random, "second", V(0.3, 0.9, 0.1));
  const BodyIndex third = add_lump(m, random, "third", V(-0.6, 0.7, 0.3));
  add_joint(m, "guide_pin", JointType::revolute, kGround, guide, turned(random, V::Zero()));
  youngest_joint(m).velocity = {0.8};
  add_joint(m, "ball", JointType::spherical, kGround, first, turned(random, V(0.0, 0.4, 0.1)));
  youngest_joint(m).velocity = {0.4, 0.5, -0.3};
  add_joint(m, "elbow", JointType::spherical, second, first, turned(random, V(0.1, 0.8, 0.2)));
  add_joint(m, "cross", JointType::universal, first, third, turned(random, V(-0.3, 0.7, 0.2)));
  youngest_joint(m).velocity = {0.6, -0.7};
  const V on_line(0.5, 0.7, 0.0);
  Constraint line;
  line.name = "line";
  line.type = ConstraintType::point_on_line;
  line.a = marker_at(m, guide, make_frame(on_line, V(0.2, 1.0, 0.3)));
  line.b = marker_at(m, second, on_line);
  line.slide_axis = V(0.8, 0.0, 0.6);
  line.slide_input = add_wave(m, "line_way", 0.03, 5.0, 0.4);
  m.constraints.push_back(line);
  const V in_plane(-0.8, 0.8, 0.4);
  Constraint plane;
  plane.name = "plane";
  plane.type = ConstraintType::point_in_plane;
  plane.a = marker_at(m, guide, make_frame(V(-0.5, 0.5, 0.3), V(0.1, 0.3, 1.0)));
  plane.b = marker_at(m, third, in_plane);
  plane.length = 0.05;
  plane.length_input = add_wave(m, "offset", 0.02, 6.0, 0.7);
  m.constraints.push_back(plane);
  return m;
}

/// Springs about hinges that turn past half a turn: the element between two bodies counts within
/// (-pi, pi], the joint's own force counts on. The third joint stands beyond its stop.
Mechanism make_wound_springs() {
  Random random(35);
  Mechanism m;
  m.name = "wound springs";
  const BodyIndex first = add_lump(m, random, "first", V(0.2, 0.0, 0.0));
  const BodyIndex second = add_lump(m, random, "second", V(0.5, 0.1, 0.0));
  const BodyIndex third = add_lump(m, random, "third", V(0.8, 0.1, 0.2));
  const BodyIndex fourth = add_lump(m, random, "fourth", V(0.9, 0.3, 0.2));
  const JointIndex a =
      add_joint(m, "a", JointType::revolute, kGround, first, turned(random, V::Zero()));
  youngest_joint(m).position = {2.9};
  youngest_joint(m).velocity = {3.0};
  const JointIndex b =
      add_joint(m, "b", JointType::revolute, second, first, turned(random, V(0.35, 0.0, 0.0)));
  youngest_joint(m).position = {-7.5};
  youngest_joint(m).velocity = {-2.0};
  const JointIndex c =
      add_joint(m, "c", JointType::universal, third, second, turned(random, V(0.6, 0.1, 0.1)));
  youngest_joint(m).position = {0.8, -3.3};
  youngest_joint(m).velocity = {0.5, -1.5};
  const JointIndex d =
      add_joint(m, "d", JointType::cylindrical, third, fourth, turned(random, V(0.9, 0.2, 0.2)));
  youngest_joint(m).position = {0.3, 4.0};
  youngest_joint(m).velocity = {0.4, 2.0};
  const auto force = [&](const std::string& name, JointIndex joint, int k, double stiffness,
                         double free) -> CoordinateForce& {
    CoordinateForce f;
    f.name = name;
    f.joint = joint;
    f.coordinate = k;
    f.spring = Curve::linear(stiffness, free);
    f.damper = Curve::linear(0.2);
    m.coordinate_forces.push_back(f);
    return m.coordinate_forces.back();
  };
  force("fa", a, 0, 3.0, 0.0);
  force("fb", b, 0, 2.0, -1.0);
  force("fc0", c, 0, 2.5, 0.1);
  force("fc1", c, 1, 1.5, 0.3).applied = add_wave(m, "motor", 1.0, 6.0, 0.2);
  // beyond its stop from the start to the end
  CoordinateForce& slide = force("fd0", d, 0, 20.0, 0.0);
  slide.upper = -0.5;
  slide.stop_stiffness = 30.0;
  slide.stop_damping = 1.0;
  CoordinateForce& stop = force("fd1", d, 1, 1.0, 0.0);
  stop.lower = 9.0;
  stop.stop_stiffness = 4.0;
  stop.stop_damping = 0.1;
  RotationalSpringDamper s;
  s.name = "wound";
  s.a = m.joints[at(d)].a;
  s.b = m.joints[at(d)].b;
  s.spring = Curve::linear(2.0, 0.3);
  s.damper = Curve::linear(0.1);
  m.rotational_springs.push_back(s);
  return m;
}

/// An arm that swings about the world's z carries blocks that slide against it without turning,
/// held by springs: along the arm's axis, whichever axis of their joint that is.
Mechanism make_sliding_blocks() {
  Random random(37);
  Mechanism m;
  m.name = "sliding blocks";
  const BodyIndex arm = add_lump(m, random, "arm", V(0.3, 0.0, 0.0));
  add_hinge(m, "swing", kGround, arm, V::Zero());
  youngest_joint(m).velocity = {2.0};
  int number = 0;
  for (const V& axis : {V(V::UnitZ()), V(V::UnitX()), V(0.6, 0.0, 0.8)}) {
    const V at(0.2 + 0.1 * number, 0.1, 0.05);
    const std::string name = "block" + std::to_string(number);
    const BodyIndex block = add_lump(m, random, name, at);
    // passed from either side
    const bool reversed = number == 1;
    add_joint(m, "slide" + std::to_string(number++), JointType::translational,
              reversed ? block : arm, reversed ? arm : block, make_frame(at, axis, V::UnitY()));
    youngest_joint(m).velocity = {0.3, -0.2, 0.4};
    add_spring(m, name + "_spring", arm, block, at + V(0.1, 0.2, 0.3), at, 200.0, 0.3, 2.0);
  }
  return m;
}

/// A loop of six revolute joints whose axes are skew (one freedom short of mobile), closed by a
/// joint of each kind in turn: what is cut is what is named.
Mechanism make_cut_loop(JointType cut) {
  Random random(36);
  Mechanism m;
  m.name = std::string("loop closed by a joint: ") + name_of(cut);
  BodyIndex parent = kGround;
  const std::vector<V> corners{V(0.0, 0.0, 0.0), V(0.7, 0.1, 0.2), V(1.0, 0.6, 0.1),
                               V(0.8, 1.1, -0.2), V(0.2, 1.2, 0.1)};
  const std::vector<JointType> joints{JointType::spherical, JointType::universal,
                                      JointType::cylindrical, JointType::spherical};
  for (std::size_t k = 0; k + 1 < corners.size(); ++k) {
    const std::string number = std::to_string(k);
    const BodyIndex body = add_lump(m, random, "b" + number, 0.5 * (corners[k] + corners[k + 1]));
    add_joint(m, "j" + number, joints[k], k % 2 == 0 ? parent : body, k % 2 == 0 ? body : parent,
              turned(random, corners[k]), Placement::tree);
    for (int i = 0; i < degrees_of_freedom(joints[k]); ++i)
      youngest_joint(m).velocity.push_back(random.number(-0.6, 0.6));
    parent = body;
  }
  add_joint(m, "cut", cut, parent, kGround, turned(random, corners.back()), Placement::cut);
  return m;
}

}  // namespace

const std::vector<SharedCase>& shared_cases() {
  static const std::vector<SharedCase> all{
      {"pendulum", make_pendulum, 4e-3, 0.4},
      {"rod_chain", [] { return make_rod_chain(5, 0.4, 1.0); }, 1e-3, 0.4},
      {"four_bar_planar", [] { return make_four_bars(1, LoopKind::planar); }, 4e-3, 0.4},
      {"four_bar_redundant", [] { return make_four_bars(1, LoopKind::redundant); }, 4e-3, 0.4},
      {"double_four_bar_planar", [] { return make_four_bars(2, LoopKind::planar); }, 4e-3, 0.4},
      {"double_four_bar", [] { return make_four_bars(2, LoopKind::revolute); }, 4e-3, 0.4},
      {"andrews", make_andrews, 2e-5, 1.6e-3},
      {"slider_crank",
       [] {
         return make_slider_crank({0.7, 3.0, 0.9, 5.0, 9.81});
       },
       2e-3, 0.2},
      {"haug", make_haug_slider_crank, 4e-3, 0.4},
      {"free_body", make_free_body, 4e-3, 0.4},
      {"spatial_slider_crank", make_spatial_slider_crank, 2e-3, 0.2},
      {"rssr", [] { return make_rssr(Coupler::body); }, 2e-3, 0.2},
      {"rssr_massless", [] { return make_rssr(Coupler::massless); }, 2e-3, 0.2},
      {"universal_pendulum", make_universal_pendulum, 2e-3, 0.4},
      {"puma",
       [] {
         return make_puma({0.1, -0.4, 0.6, 0.3, 0.5, -0.2}, {1, -1, 2, 1, -2, 3});
       },
       5e-4, 0.1},
      {"governor", make_governor, 1e-3, 0.2},
      {"multilink", make_multilink, 2e-4, 0.04},
      {"tree_1", [] { return make_thrown_tree(1); }, 1e-3, 0.1},
      {"tree_2", [] { return make_thrown_tree(2); }, 1e-3, 0.1},
      {"tree_3", [] { return make_thrown_tree(3); }, 1e-3, 0.1},
      {"reversed_chain", [] { return make_reversed_chain(4); }, 1e-3, 0.1},
      {"two_loops_1", [] { return make_loop_mechanism(1); }, 1e-3, 0.16},
      {"two_loops_2", [] { return make_loop_mechanism(2); }, 1e-3, 0.16},
      {"two_loops_3", [] { return make_loop_mechanism(3); }, 1e-3, 0.16},
      {"driven_arm", make_driven_arm, 2e-3, 0.2},
      {"driven_rotors", make_driven_rotors, 1e-3, 0.2},
      {"platform", make_platform, 1e-3, 0.2},
      {"guided_points", make_guided_points, 1e-3, 0.2},
      {"wound_springs", make_wound_springs, 1e-3, 0.2},
      {"sliding_blocks", make_sliding_blocks, 1e-3, 0.2},
      {"cut_fixed", [] { return make_cut_loop(JointType::fixed); }, 1e-3, 0.2},
      {"cut_revolute", [] { return make_cut_loop(JointType::revolute); }, 1e-3, 0.2},
      {"cut_prismatic", [] { return make_cut_loop(JointType::prismatic); }, 1e-3, 0.2},
      {"cut_cylindrical", [] { return make_cut_loop(JointType::cylindrical); }, 1e-3, 0.2},
      {"cut_universal", [] { return make_cut_loop(JointType::universal); }, 1e-3, 0.2},
      {"cut_spherical", [] { return make_cut_loop(JointType::spherical); }, 1e-3, 0.2},
      {"cut_planar", [] { return make_cut_loop(JointType::planar); }, 1e-3, 0.2},
      {"cut_translational", [] { return make_cut_loop(JointType::translational); }, 1e-3, 0.2},
  };
  return all;
}

}  // namespace semirec::test
