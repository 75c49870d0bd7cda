#pragma once

#include "recursive/forces/force_element.hpp"

namespace semirec {

/// A place on a body, and axes fixed in it, whose motion is reported.
struct Sensor {
  std::string name;
  Marker at;
  Source source;
};

/// Reports a sensor; acts on nothing. Channels
///   `<name>.{x,y,z}` (m), `.{vx,vy,vz}` (m/s)       in the world
///   `.{vx_body,vy_body,vz_body}` (m/s)              velocity in the sensor's axes
///   `.{ax_body,ay_body,az_body}` (m/s^2)            acceleration in the sensor's axes
///   `.{ax_felt,ay_felt,az_felt}` (m/s^2)            the same less gravity: an accelerometer's
///   `.{wx,wy,wz}` (rad/s)                           angular rate in the sensor's axes
class SensorReport final : public ForceElement {
 public:
  explicit SensorReport(const Sensor& sensor)
      : ForceElement(sensor.name, sensor.source), sensor_(sensor) {}
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& /*in*/, ForceSink& /*out*/) const override {}
  ForcePower report(const ForceInput& in, double* values) const override;
  std::vector<Channel> channels() const override;
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;
  const FormsOfCars* forms_of_cars() const override;

 private:
  Sensor sensor_;
  Attachment at_;
};

}  // namespace semirec
