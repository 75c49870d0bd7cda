#pragma once

#include <array>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "vehicles/files/chrono/xml_writer.hpp"
#include "vehicles/files/json_file.hpp"

namespace semirec::chrono {

using namespace semirec::json;  // NOLINT(google-build-using-namespace): the files are JSON

/// The vehicle file as it grows. Points that come in are those of Chrono's chassis reference frame,
/// whose axes are the world's in the design position.
struct Car {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< of that frame in the world, m
  std::vector<XmlNode> elements;
  std::vector<std::string> important;  ///< what makes it drive otherwise, one line each
  std::vector<std::string> notes;      ///< what else is not as in the JSON files
  double mass = 0.0;                   ///< of all bodies so far, kg
  std::string steering;                ///< input that a steering wheel moves: of the first steering
  double steering_ratio = 0.0;         ///< m or rad of it by rad of the steering wheel
};

/// What turns with a spindle and comes from other files: wheel and tyre. Chrono adds both to the
/// spindle's body, whose centre of mass stays where it is.
struct Rolling {
  double mass = 0.0;
  Eigen::Vector3d inertia = Eigen::Vector3d::Zero();
};

/// One side of an axle: suffix of its names, +1 left or -1 right, place of the suspension.
struct Side {
  std::string suffix;
  double sign = 1.0;
  Eigen::Vector3d location = Eigen::Vector3d::Zero();
  Rolling rolling;
  bool twin = false;        ///< two wheels on the spindle
  double separation = 0.0;  ///< of their middle planes, m

  /// A hardpoint of the left half on this side.
  Eigen::Vector3d point(const Eigen::Vector3d& left) const {
    return location + Eigen::Vector3d(left.x(), sign * left.y(), left.z());
  }
  Eigen::Vector3d direction(const Eigen::Vector3d& left) const {
    return {left.x(), sign * left.y(), left.z()};
  }
};

/// An axle to be built.
struct AxlePlace {
  std::array<Side, 2> sides;
  std::string suffix;  ///< of what the axle has once
  Eigen::Vector3d location = Eigen::Vector3d::Zero();
  std::string tierod_body;  ///< steering link, or the chassis
};

/// One built corner: what others attach to.
struct Corner {
  std::string suffix;
  std::string carrier;  ///< does not spin
  std::string spindle;
  std::string antiroll_body;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< chassis frame
  Eigen::Vector3d axis = Eigen::Vector3d::UnitY();
};

/// Both corners of an axle.
using Axle = std::array<Corner, 2>;

/// Refuses a "Template" that is none of those that are covered. Throws ModelError.
[[noreturn]] void refuse_template(const Json& name, const std::vector<std::string>& covered);

/// Name and suffix, such as `uca_fl`.
inline std::string join(const std::string& name, const std::string& suffix) {
  return name + "_" + suffix;
}

/// The direction from one point to the other. Throws ModelError at `part` if there is none.
Eigen::Vector3d direction(const Json& part, const Eigen::Vector3d& from, const Eigen::Vector3d& to);
/// Unit normal u x v. Throws ModelError at `part` if they are parallel.
Eigen::Vector3d normal(const Json& part, const Eigen::Vector3d& u, const Eigen::Vector3d& v);
/// Unit vector of a direction that the file gives.
Eigen::Vector3d unit(const Json& value);

/// Axes of a wishbone: x from back to front along its hinge, z normal to its plane.
Eigen::Matrix3d arm_axes(const Json& part, const Eigen::Vector3d& front,
                         const Eigen::Vector3d& back, const Eigen::Vector3d& outer);
/// Axes of a link: z from `from` to `to`, y normal to the plane with a third point, in the order
/// (from - third) x (to - third).
Eigen::Matrix3d link_axes(const Json& part, const Eigen::Vector3d& from, const Eigen::Vector3d& to,
                          const Eigen::Vector3d& third);
/// Axes of a rod: z from `from` to `to`, x as far forward as that lets it.
Eigen::Matrix3d rod_axes(const Json& part, const Eigen::Vector3d& from, const Eigen::Vector3d& to);
/// Axes of a link: x from `from` to `to`, y level.
Eigen::Matrix3d level_axes(const Json& part, const Eigen::Vector3d& from,
                           const Eigen::Vector3d& to);
/// Camber and toe of a suspension: the spindle's axes.
Eigen::Matrix3d spindle_axes(const Json& suspension, const Side& side);

/// Inertia about the centre of mass in the world's axes, from "Inertia" and "Inertia Products", or
/// "Moments of Inertia" and "Products of Inertia", in the body's axes A.
Eigen::Matrix3d inertia_of(const Json& part, const Eigen::Matrix3d& A);

void add_body(Car& car, const std::string& name, double mass, const Eigen::Vector3d& com,
              const Eigen::Matrix3d& inertia, bool chassis = false);
/// A body with "Mass" and inertia of a part.
void add_part(Car& car, const Json& part, const std::string& name, const Eigen::Vector3d& com,
              const Eigen::Matrix3d& A = Eigen::Matrix3d::Identity());

void add_revolute(Car& car, const std::string& name, const std::string& a, const std::string& b,
                  const Eigen::Vector3d& point, const Eigen::Vector3d& axis);
void add_spherical(Car& car, const std::string& name, const std::string& a, const std::string& b,
                   const Eigen::Vector3d& point);
/// `axis_a` is fixed in a, `axis_b` in b; made perpendicular to the first, as Chrono does.
void add_universal(Car& car, const Json& part, const std::string& name, const std::string& a,
                   const std::string& b, const Eigen::Vector3d& point,
                   const Eigen::Vector3d& axis_a, const Eigen::Vector3d& axis_b);
void add_axial(Car& car, const std::string& type, const std::string& name, const std::string& a,
               const std::string& b, const Eigen::Vector3d& point, const Eigen::Vector3d& axis);
void add_rod(Car& car, const Json& part, const std::string& name, const std::string& a,
             const std::string& b, const Eigen::Vector3d& point_a, const Eigen::Vector3d& point_b);
void add_point_in_plane(Car& car, const std::string& name, const std::string& a,
                        const std::string& b, const Eigen::Vector3d& point,
                        const Eigen::Vector3d& axis);

/// The spindle of a suspension with wheel, tyre and axle shaft, its joint `spin`, and what the
/// wheel needs to know.
Corner add_spindle(Car& car, const Json& suspension, const Side& side, const std::string& carrier);

/// The tie rod between the axle's tie rod body and the carrier: massless, or a body if it has a
/// "Mass".
void add_tierod(Car& car, const Json& suspension, const AxlePlace& axle, const Side& side,
                const std::string& carrier);

/// A wishbone on its hinge at the chassis, with the ball joint at the upright; returns its name.
/// `vehicle_frame`: its inertia is given in the vehicle's axes instead of the arm's.
std::string add_wishbone(Car& car, const Json& part, const Side& side, const std::string& arm,
                         const std::string& upright, bool vehicle_frame = false);

/// What a joint with "Bushing Data" leaves free.
enum class BushedJoint { revolute, universal, spherical };
/// A joint with "Bushing Data" as a bushing from a to b; A: axes of the joint, z that of a revolute
/// joint, x and y those of a universal one.
void add_bushing(Car& car, const Json& data, BushedJoint joint, const std::string& name,
                 const std::string& a, const std::string& b, const Eigen::Vector3d& point,
                 const Eigen::Matrix3d& A);
/// The free joint of a body that bushings hold.
void add_free_joint(Car& car, const std::string& body);
/// A ball joint or, where the part has the bushing's data under `key`, a bushing in its place;
/// returns whether it is one.
bool add_ball(Car& car, const Json& part, const char* key, const std::string& name,
              const std::string& a, const std::string& b, const Eigen::Vector3d& point);
/// The same of a universal joint, axes as in add_universal().
bool add_cross(Car& car, const Json& part, const char* key, const std::string& name,
               const std::string& a, const std::string& b, const Eigen::Vector3d& point,
               const Eigen::Vector3d& axis_a, const Eigen::Vector3d& axis_b);
/// The hinge of an arm at the chassis about the z axis of A: a revolute joint, or a bushing where
/// the part has "Bushing Data".
void add_hinge(Car& car, const Json& part, const std::string& name, const std::string& arm,
               const Eigen::Vector3d& point, const Eigen::Matrix3d& A);

/// Spring-damper of a part ("Spring", "Shock", ...) between two points, with its stops.
void add_spring(Car& car, const Json& part, const std::string& name, const std::string& a,
                const std::string& b, const Eigen::Vector3d& point_a,
                const Eigen::Vector3d& point_b);
/// "Spring" and "Shock" of a suspension between the chassis and a body, where their points have the
/// key `end`.
void add_spring_and_shock(Car& car, const Json& suspension, const Side& side,
                          const std::string& body, const char* end);

}  // namespace semirec::chrono
