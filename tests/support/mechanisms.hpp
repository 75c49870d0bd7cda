#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "topology/mechanism.hpp"

namespace semirec::test {

// parts, given by their world places in the design position

/// Pose of a body in the design position; identity for the ground.
Frame pose_of(const Mechanism& mechanism, BodyIndex body);
/// Adds a body whose frame stands at X_WB.
BodyIndex add_body(Mechanism& mechanism, const std::string& name, double mass, const Frame& X_WB,
                   const Eigen::Matrix3d& inertia,
                   const Eigen::Vector3d& com = Eigen::Vector3d::Zero());
/// Adds a uniform slender rod; its frame stands in the middle with x along it.
BodyIndex add_rod(Mechanism& mechanism, const std::string& name, double mass,
                  const Eigen::Vector3d& from, const Eigen::Vector3d& to);
/// Adds a flat body of the x-y plane: only the inertia J about z matters.
BodyIndex add_plate(Mechanism& mechanism, const std::string& name, double mass, double J,
                    const Frame& X_WB, const Eigen::Vector3d& com);
/// The marker of a body that stands at X_WF.
Marker marker_at(const Mechanism& mechanism, BodyIndex body, const Frame& X_WF);
Marker marker_at(const Mechanism& mechanism, BodyIndex body, const Eigen::Vector3d& point);
/// Adds a joint whose two frames coincide at X_WF.
JointIndex add_joint(Mechanism& mechanism, const std::string& name, JointType type, BodyIndex a,
                     BodyIndex b, const Frame& X_WF, Placement placement = Placement::automatic);
/// Adds a revolute joint about the world's z.
JointIndex add_hinge(Mechanism& mechanism, const std::string& name, BodyIndex a, BodyIndex b,
                     const Eigen::Vector3d& point, Placement placement = Placement::automatic);
/// Adds a massless rod between two points, as long as it is in the design position.
void add_massless_rod(Mechanism& mechanism, const std::string& name, BodyIndex a, BodyIndex b,
                      const Eigen::Vector3d& point_a, const Eigen::Vector3d& point_b);
/// Adds a linear spring and damper between two points.
void add_spring(Mechanism& mechanism, const std::string& name, BodyIndex a, BodyIndex b,
                const Eigen::Vector3d& point_a, const Eigen::Vector3d& point_b, double stiffness,
                double free_length, double damping);
InputIndex add_input(Mechanism& mechanism, const std::string& name, const Curve& curve);
/// amplitude sin(omega t + phase)
Curve make_sine(double amplitude, double omega, double phase = 0.0);
/// Frame at p turned about the world's z.
Frame turned_about_z(const Eigen::Vector3d& p, double angle);

// planar mechanisms, in the x-y plane, joints about z, gravity 9.81 m/s^2 along -y

/// A point mass of 1 kg on a massless rod of 1 m about the origin, at (-1, 0), at rest. Bodies:
/// bob.
Mechanism make_pendulum();

/// How the loops of the four-bars are closed: a cut revolute joint (two rows: the engine sees the
/// plane), a point that stays on the axis of the other (the same two rows), or a cut revolute joint
/// that events may switch, which keeps its five rows, three of them redundant.
enum class LoopKind { revolute, planar, redundant };
/// `count` four-bars in a row: cranks crank0.. of 1 m and 1 kg upright on (k, 0), couplers
/// coupler0.. between their tips; the tips start with 1 m/s along +x.
Mechanism make_four_bars(int count, LoopKind kind = LoopKind::revolute);

/// A chain of equal rods rod0.. along +x from the origin, at rest; joints hinge0...
Mechanism make_rod_chain(int count, double length, double mass);

/// Two rods with stiff rotational spring-dampers, thrown out of equilibrium; joints hinge0, hinge1.
Mechanism make_stiff_double_pendulum();

/// Andrews' squeezer, seven bodies K1..K7 and three loops, driven by 0.033 N m on K1, no gravity.
/// The tree's joints carry the angles beta, Theta, gamma, Phi, delta, Omega, epsilon (their names),
/// counted from the start; the cut ones E3, E4, E6 join K3, K4, K6 with K2 in E.
Mechanism make_andrews();
/// The angles at the start, in that order, rad.
const std::vector<double>& andrews_start();

/// Crank of 0.3 m and 3 kg about the origin, rod of 0.6 m and 0.9 kg to the pin B that stays on the
/// x axis, spring 100 N/m and damper from B to the origin. Joints: crank, pin. B is the marker `B`.
struct SliderCrank {
  double crank_angle = 0.0;  ///< from +x at the start, rad
  double crank_rate = 0.0;   ///< rad/s
  double free_length = 0.9;  ///< m
  double damping = 5.0;      ///< N s/m
  double gravity = 9.81;     ///< m/s^2
};
Mechanism make_slider_crank(const SliderCrank& data);

/// Example 6.1.8 of Haug's book: crank of 0.5 m, rod of 1 m, spring-damper between their middles,
/// constant force on the far end of the rod; inertias that leave the mass matrix of (q, x, p)
/// diagonal.
Mechanism make_haug_slider_crank();

// spatial mechanisms, gravity 9.81 m/s^2 along -z

/// A body on a ball joint at the origin: 15 kg at (0, 1, 0), spinning at 150 rad/s. Joint: ball.
Mechanism make_heavy_top();
/// A free body without gravity: inertia diag(3, 2, 1), angular velocity (2, 0.5, 0.3). Joint:
/// flight.
Mechanism make_free_body();
/// The IFToMM spatial slider-crank. Joints: crank, ball, rod_slider, guide; bodies crank, rod,
/// slider.
Mechanism make_spatial_slider_crank();
/// A spatial four-bar with two revolute and two ball joints; the coupler is a body, one of whose
/// ball joints is cut, or a massless rod (one row). Joints: crank, rocker; bodies crank, rocker.
enum class Coupler { body, massless };
Mechanism make_rssr(Coupler coupler);
/// A rod on a universal joint with a second one on a skew revolute joint. Joints: shoulder, elbow.
Mechanism make_universal_pendulum();

/// PUMA 560 at joint angles q with rates qd: joints joint1..joint6 (tree), bodies link1..link6,
/// marker `hand`. The design position has all angles zero.
Mechanism make_puma(const std::vector<double>& q, const std::vector<double>& qd);
/// Its hand point in link 6, m.
Eigen::Vector3d puma_hand();

/// Flyball governor with soft spring couplers. Joints: shaft (z), guide (slide), rod0, rod1.
Mechanism make_governor();

/// Left multilink suspension with its chassis as ground and 4000 N up on the spindle. Bodies:
/// upright, upper_arm, lateral, trailing, spindle.
Mechanism make_multilink();

}  // namespace semirec::test
