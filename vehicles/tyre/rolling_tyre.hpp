#pragma once

#include <memory>
#include <vector>

#include "vehicles/road/wheel_contact.hpp"
#include "vehicles/tyre/footing.hpp"
#include "vehicles/tyre/road_motion.hpp"
#include "vehicles/tyre/tyre_law.hpp"
#include "vehicles/tyre/wheel.hpp"

namespace semirec {

class RollingRow;

/// Tyre of a wheel that spins: a TyreLaw on a RoadSurface, fed with slips that build up over the
/// relaxation lengths.
///
/// Two first-order states, the deflections u, v of the contact patch against the rim (m), follow
/// the slip velocities Vs = (Vsx, Vsy):
///   ud = -Vsx - (|Vx| + w) u / sigma_x,  vd = Vsy - (|Vx| + w) v / sigma_y,
///   w = |(c_x Vsx, c_y Vsy)|,  1/c = slip at which the tyre slides
///   k = (u + d ud) / sigma_x,  t = (v + d vd) / sigma_y,  q = |(c_x k, c_y t)| < 1
///   kappa = k / (1 - q),  tan alpha = t / (1 - q)
/// At steady rolling that is kappa = -Vsx/|Vx|, tan alpha = Vsy/|Vx|. In the air the patch springs
/// back, ud = -u / kRecoil: below a hundredth of the nominal load the two are blended. Deflections
/// stay bounded when a wheel locks or spins, nothing divides by Vx, and at rest the tyre is a
/// spring with damping d (which fades out up to kSlow). The states are eliminated by the rule of
/// the scheme inside every Newton iteration; the symmetric positive part of their slopes enters the
/// tangent. A wheel with a turning friction has a third, the twist of its patch (TurningPatch),
/// whose torque is part of Mz.
///
/// The whole wrench acts on the rim, at the contact point. RollingTyres makes a force element of
/// the tyres of several wheels; where a function takes `first`, the states of this one begin
/// there among the element's. Channels `<wheel>.{x,y,z}` (centre, m), `.{Fx,Fy,Fz}` (road on
/// wheel, world axes, N), `.{alpha,gamma}` (rad), `.road` (height, m), `.{kappa}` (1), `.omega`
/// (rad/s), `.{Wx,Wy,Wz}` (N, W axes), `.{Mx,My,Mz}` (N m, W axes), `.clamped` (sum of
/// tyre_clamped: which arguments are outside of the law's range).
class RollingTyre final : public StandingTyre {
 public:
  static constexpr int kChannels = 18;

  /// `wheel` has a law and a rim.
  RollingTyre(const Wheel& wheel, std::shared_ptr<const RoadSurface> road, ContactMethod method,
              const RoadMotion& motion);
  void bind(const Mechanism& mechanism, TreeModel& model);
  const Source& source() const { return wheel_.source; }
  /// 2, with a turning friction 3.
  int state_count() const { return wheel_.turning_friction > 0.0 ? 3 : 2; }
  const std::shared_ptr<const TyreLaw>& law() const { return law_; }

  const std::string& wheel_name() const override { return wheel_.name; }
  BodyIndex carrier() const override { return wheel_.centre.body; }
  Footing compute_footing(const ForceInput& in) const override;
  double deflection_under(double load) const override;

  /// Radius on which the wheel rolls freely at a speed of its centre (m/s), at the poses and inputs
  /// at hand: the law's effective radius under the load of the deflection there, m.
  double rolling_radius(const ForceInput& in, double speed) const;

  void settle(const ForceInput& in, int first, StateSink& out) const;
  /// How far the tyre is pressed in, or by how little its law is from pulling, m: above 0 where it
  /// carries.
  double reach(const ForceInput& in) const;
  /// Appends the kChannels channels.
  void add_channels(std::vector<Channel>& channels) const;
  void add_reported_bodies(std::vector<TreeIndex>& bodies) const { bodies.push_back(rim_.body); }

  /// Numbers of the tyre beside those of its law.
  struct Numbers {
    double radius = 0.0;            ///< unloaded, m
    double friction_scale = 1.0;    ///< times the road's
    double turning_friction = 0.0;  ///< TurningPatch
    double c_x = 1.0, c_y = 1.0;    ///< 1 / slip at which it slides
    double d_x = 0.0, d_y = 0.0;    ///< damping at rest, s
    double per_least_load = 0.0;    ///< 1/N
  };
  // what it is made of, once bound
  Numbers numbers() const {
    return {law_->unloaded_radius(),
            wheel_.friction_scale,
            wheel_.turning_friction,
            c_x_,
            c_y_,
            d_x_,
            d_y_,
            per_least_load_};
  }
  const RoadSurface& road() const { return *road_; }
  ContactMethod method() const { return method_; }
  const RoadMotion& motion() const { return motion_; }
  const Attachment& rim() const { return rim_; }
  int connection() const { return connection_; }

 private:
  Wheel wheel_;
  std::shared_ptr<const TyreLaw> law_;
  std::shared_ptr<const RoadSurface> road_;
  ContactMethod method_;
  RoadMotion motion_;
  Attachment rim_;
  int connection_ = -1;
  double c_x_ = 1.0, c_y_ = 1.0;             ///< 1 / slip at which the tyre slides
  double d_x_ = 0.0, d_y_ = 0.0;             ///< damping at rest, s
  double per_least_load_ = 0.0;              ///< 1 / load below which the road loses its hold, 1/N
  std::shared_ptr<const RollingRow> alone_;  ///< of this tyre, once it is bound
};

}  // namespace semirec
