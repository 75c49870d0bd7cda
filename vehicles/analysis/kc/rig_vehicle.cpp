#include "vehicles/analysis/kc/rig_vehicle.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "topology/indices.hpp"
#include "vehicles/analysis/kc/rig.hpp"

namespace semirec {

namespace {

constexpr int kGone = -2;

/// New indices of what stays; kGone for the rest.
std::vector<int> renumber(const std::vector<char>& stays) {
  std::vector<int> number(stays.size(), kGone);
  int next = 0;
  for (std::size_t k = 0; k < stays.size(); ++k)
    if (stays[k]) number[k] = next++;
  return number;
}

/// Moves a marker to the new numbers; false: its body has gone.
bool follow(Marker& marker, const std::vector<int>& number) {
  if (marker.body == kGround) return true;
  marker.body = number[at(marker.body)];
  return marker.body != kGone;
}

template <typename Element>
void keep_between(std::vector<Element>& elements, const std::vector<int>& number) {
  std::erase_if(elements, [&](Element& element) {
    const bool a = follow(element.a, number);
    const bool b = follow(element.b, number);
    return !a || !b;
  });
}

template <typename Element>
void keep_on_joint(std::vector<Element>& elements, const std::vector<int>& number) {
  std::erase_if(elements, [&](Element& element) {
    element.joint = number[at(element.joint)];
    return element.joint == kGone;
  });
}

template <typename Element>
void keep_on_wheel(std::vector<Element>& elements, const std::vector<int>& number) {
  std::erase_if(elements, [&](Element& element) {
    element.wheel = number[at(element.wheel)];
    return element.wheel == kGone;
  });
}

void keep_driven(Vehicle& vehicle, const std::vector<int>& number) {
  for (Driveline& driveline : vehicle.drivelines)
    for (DrivenAxle& axle : driveline.axles) {
      std::vector<int> wheels;
      for (const int wheel : axle.wheels) {
        const int now = number[at(wheel)];
        if (now != kGone && std::find(wheels.begin(), wheels.end(), now) == wheels.end())
          wheels.push_back(now);
      }
      axle.wheels = wheels;
    }
}

/// Tyres side by side on one wheel: their loads add up.
class TwinLaw final : public TyreLaw {
 public:
  TwinLaw(std::shared_ptr<const TyreLaw> one, double count) : one_(std::move(one)), count_(count) {}
  double unloaded_radius() const override { return one_->unloaded_radius(); }
  double nominal_load() const override { return count_ * one_->nominal_load(); }
  TyreLoad load(double deflection, double deflection_rate, double omega) const override {
    TyreLoad load = one_->load(deflection, deflection_rate, omega);
    load.load *= count_;
    load.stiffness *= count_;
    load.damping *= count_;
    return load;
  }
  double effective_radius(double load, double omega) const override {
    return one_->effective_radius(load / count_, omega);
  }
  double relaxation_x(double load, double gamma) const override {
    return one_->relaxation_x(load / count_, gamma);
  }
  double relaxation_y(double load, double gamma) const override {
    return one_->relaxation_y(load / count_, gamma);
  }
  TyreForces forces(const TyreSlip& slip) const override {
    TyreSlip own = slip;
    own.load /= count_;
    TyreForces forces = one_->forces(own);
    for (double* number :
         {&forces.Fx, &forces.Fy, &forces.Mx, &forces.My, &forces.Mz, &forces.Fx_kappa,
          &forces.Fx_tan_alpha, &forces.Fy_kappa, &forces.Fy_tan_alpha})
      *number *= count_;
    return forces;
  }
  void put_into(Fingerprint& fingerprint) const override {
    fingerprint("twins", count_);
    one_->put_into(fingerprint);
  }

 private:
  std::shared_ptr<const TyreLaw> one_;
  double count_;
};

}  // namespace

Vehicle take_unit(const Vehicle& whole, const std::vector<Unit>& units, std::size_t unit) {
  Vehicle vehicle = whole;
  if (units.size() < 2) return vehicle;
  Mechanism& mechanism = vehicle.mechanism;
  std::vector<char> stays(mechanism.bodies.size(), 0);
  for (const int body : units[unit].bodies) stays[at(body)] = 1;
  const std::vector<int> body = renumber(stays);
  std::size_t k = 0;
  std::erase_if(mechanism.bodies, [&](const Body&) { return !stays[k++]; });
  std::vector<char> joints(mechanism.joints.size(), 1);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const bool a = follow(mechanism.joints[j].a, body);
    const bool b = follow(mechanism.joints[j].b, body);
    joints[j] = a && b ? 1 : 0;
  }
  const std::vector<int> joint = renumber(joints);
  k = 0;
  std::erase_if(mechanism.joints, [&](const Joint&) { return !joints[k++]; });
  keep_between(mechanism.constraints, body);
  keep_between(mechanism.springs, body);
  keep_between(mechanism.rotational_springs, body);
  keep_between(mechanism.bushings, body);
  keep_on_joint(mechanism.motions, joint);
  keep_on_joint(mechanism.coordinate_forces, joint);
  std::erase_if(mechanism.loads, [&](AppliedLoad& load) { return !follow(load.at, body); });
  std::erase_if(mechanism.markers, [&](Marker& marker) { return !follow(marker, body); });

  vehicle.chassis = body[at(units[unit].frame)];
  std::vector<char> wheels(vehicle.wheels.size(), 0);
  for (const int wheel : units[unit].wheels) wheels[at(wheel)] = 1;
  const std::vector<int> wheel = renumber(wheels);
  k = 0;
  std::erase_if(vehicle.wheels, [&](const Wheel&) { return !wheels[k++]; });
  for (Wheel& left : vehicle.wheels) {
    follow(left.centre, body);
    if (left.rim != kGround) left.rim = body[at(left.rim)];
  }
  keep_on_wheel(vehicle.brakes, wheel);
  keep_on_wheel(vehicle.hub_torques, wheel);
  keep_driven(vehicle, wheel);
  for (Driveline& driveline : vehicle.drivelines)
    for (DrivenAxle& axle : driveline.axles)
      if (axle.body != kGround && body[at(axle.body)] != kGone) axle.body = body[at(axle.body)];
  std::erase_if(vehicle.aeros, [&](Aero& aero) {
    bool stays_here = follow(aero.point, body);
    for (Marker& point : aero.lift_point) stays_here = follow(point, body) && stays_here;
    return !stays_here;
  });
  std::erase_if(vehicle.sensors, [&](Sensor& sensor) { return !follow(sensor.at, body); });
  std::erase_if(vehicle.unit_marks, [&](UnitMark& mark) {
    mark.body = body[at(mark.body)];
    return mark.body == kGone;
  });
  return vehicle;
}

TwinsMerged merge_twins(const Vehicle& before) {
  TwinsMerged merged{before, {}};
  std::vector<int> first(before.wheels.size());  // the wheel that stands for each
  std::vector<std::vector<int>> group(before.wheels.size());
  for (std::size_t w = 0; w < first.size(); ++w) {
    first[w] = static_cast<int>(w);
    group[w] = {static_cast<int>(w)};
  }
  const std::vector<Unit> units = find_units(before);
  for (const UnitAxle& axle : units.front().axles)
    for (const std::vector<int>* side : {&axle.left, &axle.right}) {
      if (side->size() < 2) continue;
      const int outer = side->front();
      Wheel& wheel = merged.vehicle.wheels[at(outer)];
      group[at(outer)] = *side;
      const auto count = static_cast<double>(side->size());
      Eigen::Vector3d middle = Eigen::Vector3d::Zero();
      wheel.stiffness = wheel.damping = 0.0;
      for (const int twin : *side) {
        const Wheel& other = before.wheels[at(twin)];
        if (other.centre.body != wheel.centre.body)
          throw ModelError(
              other.source, other.name,
              "stands beside '" + wheel.name +
                  "' on another body, expected twin wheels of one side on one carrier");
        middle += other.centre.X_BF.p / count;
        wheel.stiffness += other.stiffness;
        wheel.damping += other.damping;
        first[at(twin)] = outer;
        if (twin != outer) lock_rim(merged.vehicle.mechanism, other);
      }
      lock_rim(merged.vehicle.mechanism, before.wheels[at(outer)]);
      wheel.centre.X_BF.p = middle;
      if (wheel.law) wheel.law = std::make_shared<TwinLaw>(wheel.law, count);
    }
  std::vector<char> stays(first.size(), 0);
  for (std::size_t w = 0; w < first.size(); ++w)
    if (first[w] == static_cast<int>(w)) {
      stays[w] = 1;
      merged.wheels.push_back(group[w]);
    }
  std::vector<int> number = renumber(stays);
  for (std::size_t w = 0; w < number.size(); ++w) number[w] = number[at(first[w])];
  std::size_t k = 0;
  std::erase_if(merged.vehicle.wheels, [&](const Wheel&) { return !stays[k++]; });
  keep_on_wheel(merged.vehicle.brakes, number);
  keep_on_wheel(merged.vehicle.hub_torques, number);
  keep_driven(merged.vehicle, number);
  return merged;
}

}  // namespace semirec
