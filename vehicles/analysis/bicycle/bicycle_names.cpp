#include "vehicles/analysis/bicycle/bicycle_names.hpp"

#include <cmath>

namespace semirec {

namespace {

void add_commonroad(const BicycleModel& model, const CarFigures& figures,
                    std::vector<Quantity>& all) {
  constexpr double kGravity = 9.81;  // of its equations
  constexpr double kFriction = 1.0;
  const double weight = model.mass * kGravity;
  const auto coefficient = [&](double stiffness, double share) {
    return stiffness / (kFriction * weight * share);
  };
  const double L = model.wheelbase();
  all.push_back({"commonroad.m", model.mass, "kg"});
  all.push_back({"commonroad.I_z", model.yaw_inertia, "kg m^2", kUnknown, "of the whole car"});
  all.push_back({"commonroad.a", model.a, "m"});
  all.push_back({"commonroad.b", model.b, "m"});
  all.push_back({"commonroad.h_cg", figures.centre_height, "m", kUnknown, "of the whole car"});
  all.push_back({"commonroad.h_s", figures.centre_height, "m", kUnknown,
                 "the single track model takes it for that of the whole car"});
  all.push_back({"commonroad.mu", kFriction, "1", kUnknown,
                 "chosen: of it and C_Sf, C_Sr the model takes the product alone"});
  all.push_back({"commonroad.tire.p_dy1", kFriction, "1", kUnknown, "the same"});
  all.push_back({"commonroad.C_Sf", coefficient(model.C_f, model.b / L), "1/rad", kUnknown,
                 "over friction and static load"});
  all.push_back({"commonroad.C_Sr", coefficient(model.C_r, model.a / L), "1/rad", kUnknown,
                 "over friction and static load"});
}

void add_autoware(const BicycleModel& model, const CarFigures& figures,
                  std::vector<Quantity>& all) {
  all.push_back({"autoware.wheel_base", model.wheelbase(), "m"});
  all.push_back({"autoware.wheel_tread", figures.track, "m", kUnknown, "of the front axle"});
  all.push_back({"autoware.wheel_radius", figures.wheel_radius, "m", kUnknown, "under load"});
  const char* const wheels[] = {"fl", "fr", "rl", "rr"};
  for (std::size_t k = 0; k < 4; ++k)
    all.push_back({std::string("autoware.vehicle.mass_") + wheels[k], figures.load_mass[k], "kg",
                   kUnknown, "on this wheel at rest"});
  all.push_back({"autoware.vehicle.cf", model.C_f, "N/rad", kUnknown, "of the axle"});
  all.push_back({"autoware.vehicle.cr", model.C_r, "N/rad", kUnknown, "of the axle"});
  all.push_back({"autoware.vehicle.cg_to_front_m", model.a, "m", kUnknown, "Autoware.Auto"});
  all.push_back({"autoware.vehicle.cg_to_rear_m", model.b, "m", kUnknown, "Autoware.Auto"});
  all.push_back(
      {"autoware.vehicle.front_corner_stiffness", model.C_f, "N/rad", kUnknown, "Autoware.Auto"});
  all.push_back(
      {"autoware.vehicle.rear_corner_stiffness", model.C_r, "N/rad", kUnknown, "Autoware.Auto"});
  all.push_back({"autoware.vehicle.mass_kg", model.mass, "kg", kUnknown, "Autoware.Auto"});
  all.push_back({"autoware.vehicle.yaw_inertia_kgm2", model.yaw_inertia, "kg m^2", kUnknown,
                 "Autoware.Auto"});
}

void add_openpilot(const BicycleModel& model, const CarFigures& figures,
                   std::vector<Quantity>& all) {
  // the car that others are scaled from, with its cargo: VehicleDynamicsParams of opendbc
  constexpr double kMass = 1326.0 + 136.0;
  constexpr double kFront = 192150.0;
  constexpr double kRear = 202500.0;
  constexpr double kCentreToFront = 0.4;  // over its wheelbase
  const double L = model.wheelbase();
  const double front = kFront * model.mass / kMass * (model.b / L) / (1.0 - kCentreToFront);
  const double rear = kRear * model.mass / kMass * (model.a / L) / kCentreToFront;
  all.push_back({"openpilot.mass", model.mass, "kg"});
  all.push_back({"openpilot.wheelbase", L, "m"});
  all.push_back({"openpilot.centerToFront", model.a, "m"});
  all.push_back({"openpilot.steerRatio", figures.steering_ratio, "1"});
  all.push_back({"openpilot.steerRatioRear", 0.0, "1"});
  all.push_back({"openpilot.rotationalInertia", model.yaw_inertia, "kg m^2"});
  all.push_back({"openpilot.tireStiffnessFront", model.C_f, "N/rad", kUnknown, "of the axle"});
  all.push_back({"openpilot.tireStiffnessRear", model.C_r, "N/rad", kUnknown, "of the axle"});
  all.push_back({"openpilot.tireStiffnessFactor", std::sqrt(model.C_f / front * model.C_r / rear),
                 "1", kUnknown, "for both axles, where the two stiffnesses are not set"});
}

}  // namespace

std::vector<Quantity> name_for_others(const BicycleModel& model, const CarFigures& figures) {
  std::vector<Quantity> all;
  add_commonroad(model, figures, all);
  add_autoware(model, figures, all);
  add_openpilot(model, figures, all);
  for (Quantity& quantity : all) quantity.detail = true;
  return all;
}

}  // namespace semirec
