#pragma once

#include <array>
#include <vector>

#include "recursive/cars/place_of_cars.hpp"
#include "recursive/packs/from_lanes.hpp"
#include "recursive/packs/pack_functions.hpp"
#include "vehicles/tyre/patch_numbers.hpp"
#include "vehicles/tyre/road_tyre.hpp"
#include "vehicles/tyre/rolling_tyre.hpp"

namespace semirec {

/// WheelContact of wheels side by side: ground point and normal in the world, m; deflection, m;
/// friction of the road, 1.
template <AnyPack P>
struct WheelContactOf {
  Pack3Of<P> ground, normal;
  P deflection, friction;
};

/// Where wheels meet their roads, one a lane: one wheel of several cars, or several of one car.
/// Roads that are one plane, all or none of them, are met by all at once, others one by one.
template <AnyPack P>
class ContactInLanes {
 public:
  ContactInLanes() = default;
  explicit ContactInLanes(const std::vector<const RollingTyre*>& tyres) {
    for (std::size_t l = 0; l < kLanesOf<P>; ++l) {
      const RollingTyre& own = *tyres[l < tyres.size() ? l : 0];
      lanes_.push_back({&own.road(), own.method(), own.numbers().radius});
    }
    planes_ = tyres.front()->road().plane() != nullptr;
    radius_ = number_of_cars<P>(tyres, [](const RollingTyre& own) { return own.numbers().radius; });
    if (!planes_) return;
    const auto of_plane = [&](auto RoadPoint::*number) {
      return number_of_cars<P>(tyres,
                               [&](const RollingTyre& own) { return own.road().plane()->*number; });
    };
    z_ = of_plane(&RoadPoint::z);
    z_x_ = of_plane(&RoadPoint::z_x);
    z_y_ = of_plane(&RoadPoint::z_y);
    friction_ = of_plane(&RoadPoint::friction);
    const P one = spread<P>(1.0);
    normal_ = (one / square_root(one + z_x_ * z_x_ + z_y_ * z_y_)) *
              Pack3Of<P>{-1.0 * z_x_, -1.0 * z_y_, one};
  }

  /// compute_wheel_contact(); `wanted`: lanes that are asked for.
  WheelContactOf<P> meet(const Pack3Of<P>& centre, const Pack3Of<P>& axle, unsigned wanted) const {
    if (!planes_) return meet_one_by_one(centre, axle, wanted);
    WheelContactOf<P> contact;
    contact.normal = normal_;
    contact.friction = friction_;
    meet_plane(centre, axle, centre.z - (z_ + z_x_ * centre.x + z_y_ * centre.y), contact);
    return contact;
  }

  /// The contact where the road's plane is turned by slopes (1, along world x and y) that come on
  /// top of its own, about the place under the wheel's centre (m, in the world; `axle`: of length
  /// 1).
  void tilt(const Pack3Of<P>& centre, const Pack3Of<P>& axle, const P& slope_x, const P& slope_y,
            WheelContactOf<P>& contact) const {
    const Pack3Of<P> n = contact.normal;
    const P gap = dot(n, centre - contact.ground) / n.z;
    const P one = spread<P>(1.0);
    const P z_x = slope_x - n.x / n.z;
    const P z_y = slope_y - n.y / n.z;
    contact.normal =
        (one / square_root(one + z_x * z_x + z_y * z_y)) * Pack3Of<P>{-1.0 * z_x, -1.0 * z_y, one};
    meet_plane(centre, axle, gap, contact);
  }

 private:
  /// Ground point and deflection on the plane whose normal the contact has; `gap`: height of the
  /// centre over it, straight up.
  void meet_plane(const Pack3Of<P>& centre, const Pack3Of<P>& axle, const P& gap,
                  WheelContactOf<P>& contact) const {
    const Pack3Of<P> up = contact.normal - dot(contact.normal, axle) * axle;
    const P square = dot(up, up);
    const P height = contact.normal.z * gap;
    contact.ground = centre - (height / larger_of(square, RoadTyre::kLying)) * up;
    contact.deflection = radius_ * square_root(square) - height;
  }

  WheelContactOf<P> meet_one_by_one(const Pack3Of<P>& centre, const Pack3Of<P>& axle,
                                    unsigned wanted) const {
    constexpr auto kWheels = static_cast<std::size_t>(kLanesOf<P>);
    std::array<WheelContact, kWheels> found;
    for (std::size_t k = 0; k < kWheels; ++k) {
      found[k] = {.ground = Eigen::Vector3d::Zero(),
                  .normal = Eigen::Vector3d::Zero(),
                  .deflection = 0.0,
                  .friction = 0.0};
      if ((wanted >> k & 1U) == 0) continue;
      const Lane& own = lanes_[k];
      const auto l = static_cast<int>(k);
      found[k] = compute_wheel_contact(
          *own.road, own.method, {centre.x[l], centre.y[l], centre.z[l]},
          {axle.x[l], axle.y[l], axle.z[l]}, own.radius, patch_slip::kTreadWidth * own.radius);
    }
    const auto pack = [&](const auto& of) {
      return from_lanes<P>([&](int l) -> double { return of(found[static_cast<std::size_t>(l)]); });
    };
    const auto vector = [&](Eigen::Vector3d WheelContact::*which) -> Pack3Of<P> {
      return {pack([&](const WheelContact& own) { return (own.*which).x(); }),
              pack([&](const WheelContact& own) { return (own.*which).y(); }),
              pack([&](const WheelContact& own) { return (own.*which).z(); })};
    };
    return {vector(&WheelContact::ground), vector(&WheelContact::normal),
            pack([](const WheelContact& own) { return own.deflection; }),
            pack([](const WheelContact& own) { return own.friction; })};
  }

  struct Lane {
    const RoadSurface* road;
    ContactMethod method;
    double radius;
  };

  std::vector<Lane> lanes_;
  bool planes_ = false;
  P radius_, z_, z_x_, z_y_, friction_;
  Pack3Of<P> normal_;
};

}  // namespace semirec
