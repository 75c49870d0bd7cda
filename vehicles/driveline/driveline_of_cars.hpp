#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "recursive/cars/forces_of_cars.hpp"
#include "recursive/cars/line_force_of_cars.hpp"
#include "recursive/cars/states_of_cars.hpp"
#include "vehicles/driveline/driveline_force.hpp"

namespace semirec {

/// DrivelineForce of cars side by side: speeds and torques of the half shafts of all cars at once;
/// what turns in between is solved car by car.
template <AnyPack P>
class DrivelineOfCars final : public ForcesOfCars<P> {
 public:
  /// MakeForcesOfCars.
  static std::unique_ptr<const ForcesOfCars<P>> make(
      const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
    std::vector<const DrivelineForce*> cars;
    for (const ForceElement* element : elements)
      cars.push_back(static_cast<const DrivelineForce*>(element));
    for (const DrivelineForce* car : cars)
      if (!are_alike(tree, *cars.front(), *car)) return nullptr;
    return std::make_unique<DrivelineOfCars<P>>(tree, cars);
  }

  DrivelineOfCars(const TreeModel& tree, const std::vector<const DrivelineForce*>& cars)
      : first_state_(cars.front()->states().first) {
    for (std::size_t l = 0; l < kLanesOf<P>; ++l)
      models_.push_back(&cars[l < cars.size() ? l : 0]->model());
    for (std::size_t j = 0; j < cars.front()->shafts().size(); ++j) {
      std::vector<const Attachment*> axles;
      for (const DrivelineForce* car : cars) axles.push_back(&car->shafts()[j].axle);
      shafts_.push_back({FrameOfCars<P>(tree, axles),
                         LineForceOfCars<P>(tree, cars.front()->shafts()[j].connection)});
    }
  }

  void add_forces(CarsWorkspace<P>& ws, unsigned cars) const override {
    const bool with_tangent = ws.weights.damping != 0.0;
    const Speeds speeds = find_speeds(ws);
    const P none{};
    std::array<P, kMostDrivenWheels> torque{};
    std::array<P, kMostDrivenWheels> damping{};
    for_each_car(cars, [&](int lane) {
      DrivelineSolution solution;
      solve_driveline(*models_[at(lane)], demand(ws, speeds, lane), rule_of(ws, lane), solution,
                      with_tangent);
      for (std::size_t k = 0; k < solution.x.size(); ++k)
        ws.x[at(first_state_) + k][lane] = solution.x[k];
      for (std::size_t j = 0; j < shafts_.size(); ++j) {
        torque[j][lane] = solution.torque[j];
        if (!with_tangent) continue;
        // as DrivelineForce::add_forces()
        const auto row = solution.resistance.row(static_cast<Eigen::Index>(j));
        damping[j][lane] = std::max(row[static_cast<Eigen::Index>(j)], 0.5 * row.cwiseAbs().sum());
      }
    });
    for (std::size_t j = 0; j < shafts_.size(); ++j)
      shafts_[j].force.add(ws, {{none, none, none}, speeds.axis[j]}, -torque[j], none, damping[j]);
  }

  void update_states(CarsWorkspace<P>& ws, unsigned cars) const override {
    const Speeds speeds = find_speeds(ws);
    for_each_car(cars, [&](int lane) {
      const DrivelineModel& model = *models_[at(lane)];
      const DrivelineDemand given = demand(ws, speeds, lane);
      DrivelineSolution solution;
      solve_driveline(model, given, rule_of(ws, lane), solution, /*with_resistance=*/false);
      if (shift_gear(model, given, ws.rule.h, solution)) {
        // the same states in another gear: other rates
        DrivelineRule held;
        held.hold(solution.x, {});
        solve_driveline(model, given, held, solution, /*with_resistance=*/false);
      }
      for (std::size_t k = 0; k < solution.x.size(); ++k) {
        ws.x[at(first_state_) + k][lane] = solution.x[k];
        ws.xd[at(first_state_) + k][lane] = solution.xd[k];
      }
    });
  }

 private:
  struct Shaft {
    FrameOfCars<P> axle;
    LineForceOfCars<P> force;
  };
  struct Speeds {
    std::array<Pack3Of<P>, kMostDrivenWheels> axis;  ///< of the shafts, world
    std::array<P, kMostDrivenWheels> wheel{};        ///< rad/s
  };

  static bool are_alike(const TreeModel& tree, const DrivelineForce& a, const DrivelineForce& b) {
    const Driveline& of_a = a.model().driveline;
    const Driveline& of_b = b.model().driveline;
    if (a.shafts().size() != b.shafts().size() || a.states().first != b.states().first ||
        of_a.motor.throttle != of_b.motor.throttle || of_a.coupling.pedal != of_b.coupling.pedal ||
        of_a.gearbox.selector != of_b.gearbox.selector)
      return false;
    for (std::size_t j = 0; j < a.shafts().size(); ++j)
      if (a.shafts()[j].connection != b.shafts()[j].connection ||
          !LineForceOfCars<P>::fits(tree, a.shafts()[j].connection))
        return false;
    return true;
  }

  template <typename Function>
  static void for_each_car(unsigned cars, const Function& function) {
    for (int lane = 0; lane < kLanesOf<P>; ++lane)
      if ((cars >> static_cast<unsigned>(lane) & 1U) != 0) function(lane);
  }

  Speeds find_speeds(const CarsWorkspace<P>& ws) const {
    Speeds speeds;
    for (std::size_t j = 0; j < shafts_.size(); ++j) {
      const Shaft& shaft = shafts_[j];
      speeds.axis[j] = shaft.axle.direction(ws, shaft.axle.A.y);
      speeds.wheel[j] = dot(speeds.axis[j], shaft.force.relative_velocity(ws).a);
    }
    return speeds;
  }

  DrivelineDemand demand(const CarsWorkspace<P>& ws, const Speeds& speeds, int lane) const {
    const Driveline& driveline = models_[at(lane)]->driveline;
    const auto input = [&](InputIndex k, double fallback) {
      return k == kNoInput ? fallback : ws.inputs[at(k)].f[lane];
    };
    DrivelineDemand demand;
    demand.throttle = input(driveline.motor.throttle, 0.0);
    demand.pedal = input(driveline.coupling.pedal, 0.0);
    demand.selector = input(driveline.gearbox.selector, 1.0);
    for (std::size_t j = 0; j < shafts_.size(); ++j) demand.wheel_speed[j] = speeds.wheel[j][lane];
    return demand;
  }

  DrivelineRule rule_of(const CarsWorkspace<P>& ws, int lane) const {
    DrivelineRule rule{.h = ws.rule.h, .gain = ws.rule.gain};
    for (std::size_t k = 0; k < rule.x_begin.size(); ++k) {
      const auto flat =
          (static_cast<Eigen::Index>(first_state_) + static_cast<Eigen::Index>(k)) * kLanesOf<P> +
          lane;
      rule.x_begin[k] = ws.rule.x_begin[flat];
      rule.x_hat[k] = ws.rule.x_hat[flat];
      rule.xd_hat[k] = ws.rule.xd_hat[flat];
    }
    return rule;
  }

  std::vector<const DrivelineModel*> models_;  ///< [lane]
  std::vector<Shaft> shafts_;
  int first_state_;
};

}  // namespace semirec
