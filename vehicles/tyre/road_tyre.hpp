#pragma once

#include <memory>

#include "recursive/forces/force_element.hpp"
#include "vehicles/road/road_profile.hpp"
#include "vehicles/road/wheel_contact.hpp"
#include "vehicles/tyre/contact_law.hpp"
#include "vehicles/tyre/footing.hpp"
#include "vehicles/tyre/road_motion.hpp"
#include "vehicles/tyre/wheel.hpp"

namespace semirec {

/// The ground under the wheels, and by which law tyres that only carry push against it.
struct RoadContact {
  ContactLaw law = ContactLaw::normal;
  bool lateral = true;  ///< use the lateral law where a wheel has one
  Road road;
  std::shared_ptr<const RoadSurface> surface;   ///< null: `road`; otherwise it replaces `road`
  ContactMethod method = ContactMethod::point;  ///< how wheels feel `surface`
};

/// Tyre of one wheel on a road profile z(x) or a surface z(x, y), touched under the wheel centre.
///
/// With h the height of the wheel centre over the road, s the road's slope there (on a surface also
/// across), H = sqrt(1 + s^2):
///   vertical law   F = k (R - h) along z
///   normal law     F = k (R - h) / H along n = (-s, 0, 1) / H
/// plus damping on the approach velocity; a unilateral tyre does not pull, and its damping sets in
/// with the depth as it touches down (fade_in_damping()). By the normal law this force and the
/// lateral one (if the wheel has a law and the contact uses it) act at the ground point: where the
/// line from the centre down the wheel's middle plane meets the tangent plane of the road. By the
/// vertical law the force acts through the wheel centre, the lateral one at the road below it.
/// Channels `<wheel>.{x,y,z}` (centre, m), `.{Fx,Fy,Fz}` (road on wheel, world axes, N), `.alpha`,
/// `.gamma` (rad), `.road` (height of the road, m); with a lateral force `.Mz` (moment of the road
/// about its normal, N m).
class RoadTyre final : public ForceElement, public StandingTyre, public TyreHolder {
 public:
  RoadTyre(const Wheel& wheel, const RoadContact& contact, const RoadMotion& motion);
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;
  /// The road, where the tyre does not pull.
  int contact_count() const override { return wheel_.unilateral ? 1 : 0; }
  void measure_contacts(const ForceInput& in, double* pressed) const override;
  std::vector<Channel> channels() const override;
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;
  const std::string& wheel_name() const override { return name(); }
  std::vector<const StandingTyre*> standing_tyres() const override { return {this}; }
  BodyIndex carrier() const override { return wheel_.centre.body; }
  Footing compute_footing(const ForceInput& in) const override;
  double deflection_under(double load) const override;

  const FormsOfCars* forms_of_cars() const override;

  // what it is made of, once bound
  const Wheel& wheel() const { return wheel_; }
  const Curve& road() const {
    return road_;
  }  ///< profile under the wheel where it is on no surface
  bool on_surface() const { return surface_ != nullptr; }
  bool pushes_sideways() const { return lateral_; }
  ContactLaw law() const { return law_; }
  const RoadMotion& motion() const { return motion_; }
  const Attachment& centre() const { return centre_; }
  int connection() const { return connection_; }

  /// Square of the cosine to the road below which a wheel counts as lying: its middle plane meets
  /// the road nowhere near.
  static constexpr double kLying = 0.01;

 private:
  /// The road under the wheel, as its contact method sees it: height and slopes of its plane,
  /// the height of the centre over it, straight down, at which the wheel begins to carry, m, and
  /// the rate at which it is lifted, m/s. At a point: the radius; a disc or cams lie on a plane as
  /// they are.
  struct Ground {
    double z, z_x, z_y, free_height, rate = 0.0;
  };
  struct Contact {
    Eigen::Vector3d centre, ground, pressed;        ///< from O; pressed: where the load acts
    Eigen::Vector3d slipping;                       ///< from O; whose sideways speed is the slip's
    Eigen::Vector3d normal, left;                   ///< unit, world
    Vector6 wrench = Vector6::Zero();               ///< on the wheel, about O
    double road = 0.0;                              ///< m
    double load = 0.0, load_k = 0.0, load_c = 0.0;  ///< along the normal
    double deflection = 0.0, deflection_rate = 0.0;
    bool carries = false;  ///< whether there is a load
    bool stands = false;   ///< or crawls
    double reach = 0.0;    ///< the lesser of deflection and load/stiffness, in the air below 0, m
    double alpha = 0.0, gamma = 0.0, lateral_c = 0.0, lateral_power = 0.0;
    double torque = 0.0;  ///< about the normal, N m
  };
  /// `with_slip` also when no lateral force needs it: for reports.
  Ground ground_under(const Eigen::Vector3d& world, const Eigen::Vector3d& axle) const;
  Ground moved_ground_under(const ForceInput& in, const Eigen::Vector3d& world,
                            const Eigen::Vector3d& axle) const;
  double free_height_on(double z_x, double z_y) const;
  Contact touch(const ForceInput& in, bool with_slip, bool with_reach = false) const;

  Wheel wheel_;
  Curve road_;
  ContactLaw law_;
  bool lateral_;
  Road roads_;
  std::shared_ptr<const RoadSurface> surface_;
  ContactMethod method_;
  RoadMotion motion_;
  Attachment centre_;
  int connection_ = -1;
};

}  // namespace semirec
