#pragma once

#include <array>

#include "recursive/forces/force_element.hpp"

namespace semirec {

/// Air on a body. v is the velocity of the pressure point through the air, V its size, and
/// q = density area V / 2:
///   drag   -q drag v
///   side   -q side (v . y) y       y to the left of the body
///   lift    q lift V  z            z up from the body, at two places of their own
struct Aero {
  std::string name;
  Marker point;                        ///< of pressure; its axes are x forward, y left, z up
  double area = 0.0;                   ///< m^2
  double density = 1.2041;             ///< kg/m^3
  double drag = 0.0;                   ///< coefficient
  double side = 0.0;                   ///< coefficient, per rad of sideslip
  std::array<double, 2> lift{};        ///< coefficients, front and rear, positive up
  std::array<Marker, 2> lift_point{};  ///< front, rear
  std::array<InputIndex, 2> wind{kNoInput, kNoInput};  ///< along world x and y, m/s
  Source source;
};

/// Channels `<name>.{drag,side,lift_front,lift_rear}` (N: against the way through the air, to the
/// left, up), `.speed` (m/s, through the air).
class AeroForce final : public ForceElement {
 public:
  explicit AeroForce(const Aero& aero) : ForceElement(aero.name, aero.source), aero_(aero) {}
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;
  std::vector<Channel> channels() const override;
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;
  const FormsOfCars* forms_of_cars() const override;

  // what it is made of, once bound
  const Aero& data() const { return aero_; }
  const Attachment& point() const { return point_; }
  const std::array<Attachment, 2>& lift_point() const { return lift_point_; }
  int connection() const { return connection_; }

 private:
  struct Flow {
    Eigen::Matrix3d axes;
    Eigen::Vector3d point, v;
    double V = 0.0, q = 0.0;
    Vector6 wrench;
  };
  Flow compute_flow(const ForceInput& in) const;

  Aero aero_;
  Attachment point_;
  std::array<Attachment, 2> lift_point_;
  int connection_ = -1;
};

}  // namespace semirec
