#pragma once

#include <array>
#include <memory>
#include <vector>

#include "recursive/cars/forces_of_cars.hpp"
#include "recursive/cars/line_force_of_cars.hpp"
#include "recursive/cars/states_of_cars.hpp"
#include "vehicles/driveline/driveline_force.hpp"
#include "vehicles/driveline/driveline_solver_of_cars.hpp"

namespace semirec {

/// Whether the numbers of two drivelines alone differ: the same parts and the same unknowns.
inline bool are_alike(const DrivelineForce& a, const DrivelineForce& b) {
  const DrivelineModel& model_a = a.model();
  const DrivelineModel& model_b = b.model();
  const Driveline& of_a = model_a.driveline;
  const Driveline& of_b = model_b.driveline;
  if (a.shafts().size() != b.shafts().size() || a.states().first != b.states().first ||
      of_a.motor.throttle != of_b.motor.throttle || of_a.coupling.pedal != of_b.coupling.pedal ||
      of_a.gearbox.selector != of_b.gearbox.selector ||
      !DrivelineSolverOfCars<Pack>::are_alike(model_a, model_b))
    return false;
  for (std::size_t j = 0; j < a.shafts().size(); ++j)
    if (a.shafts()[j].connection != b.shafts()[j].connection) return false;
  return true;
}

/// DrivelineForce of cars side by side. Only a gearbox that has just shifted is asked by itself.
template <AnyPack P>
class DrivelineOfCars final : public ForcesOfCars<P> {
 public:
  /// MakeForcesOfCars.
  static std::unique_ptr<const ForcesOfCars<P>> make(
      const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
    std::vector<const DrivelineForce*> cars;
    for (const ForceElement* element : elements)
      cars.push_back(static_cast<const DrivelineForce*>(element));
    for (const auto& shaft : cars.front()->shafts())
      if (!LineForceOfCars<P>::fits(tree, shaft.connection)) return nullptr;
    return std::make_unique<DrivelineOfCars<P>>(tree, cars);
  }

  DrivelineOfCars(const TreeModel& tree, const std::vector<const DrivelineForce*>& cars)
      : models_(models_of(cars)), solver_(models_), first_state_(cars.front()->states().first) {
    for (std::size_t j = 0; j < cars.front()->shafts().size(); ++j) {
      std::vector<const Attachment*> axles;
      for (const DrivelineForce* car : cars) axles.push_back(&car->shafts()[j].axle);
      shafts_.push_back({FrameOfCars<P>(tree, axles),
                         LineForceOfCars<P>(tree, cars.front()->shafts()[j].connection)});
    }
  }

  void add_forces(CarsWorkspace<P>& ws, unsigned cars) const override {
    const Axes axes = find_axes(ws);
    const auto demand = find_demand(ws, axes);
    typename Solver::Solution solution;
    solver_.solve(demand, rule_of(ws), cars, /*with_resistance=*/ws.weights.damping != 0.0,
                  solution);
    const StatesOfCars<P> states(ws, first_state_);
    for (std::size_t k = 0; k < solution.x.size(); ++k)
      states.set_x(static_cast<int>(k), solution.x[k]);
    const P none{};
    for (std::size_t j = 0; j < shafts_.size(); ++j)
      shafts_[j].force.add(ws, {{none, none, none}, axes[j]}, -solution.torque[j], none,
                           solution.damping[j]);
  }

  void update_states(CarsWorkspace<P>& ws, unsigned cars) const override {
    const auto demand = find_demand(ws, find_axes(ws));
    const auto rule = rule_of(ws);
    typename Solver::Solution solution;
    solver_.solve(demand, rule, cars, /*with_resistance=*/false, solution);
    for (int lane = 0; lane < kLanesOf<P>; ++lane)
      if ((cars >> static_cast<unsigned>(lane) & 1U) != 0)
        shift_gear_of(ws, lane, demand, rule.h, solution);
    const StatesOfCars<P> states(ws, first_state_);
    for (std::size_t k = 0; k < solution.x.size(); ++k) {
      states.set_x(static_cast<int>(k), solution.x[k]);
      states.set_xd(static_cast<int>(k), solution.xd[k]);
    }
  }

 private:
  struct Shaft {
    FrameOfCars<P> axle;
    LineForceOfCars<P> force;
  };
  using Solver = DrivelineSolverOfCars<P>;
  using Axes = std::array<Pack3Of<P>, kMostDrivenWheels>;  ///< of the shafts, world

  /// Models one a lane; lanes without a car take the first.
  static std::vector<const DrivelineModel*> models_of(
      const std::vector<const DrivelineForce*>& cars) {
    std::vector<const DrivelineModel*> models;
    for (std::size_t l = 0; l < at(kLanesOf<P>); ++l)
      models.push_back(&cars[l < cars.size() ? l : 0]->model());
    return models;
  }

  Axes find_axes(const CarsWorkspace<P>& ws) const {
    Axes axes;
    for (std::size_t j = 0; j < shafts_.size(); ++j)
      axes[j] = shafts_[j].axle.direction(ws, shafts_[j].axle.A.y);
    return axes;
  }

  typename Solver::Demand find_demand(const CarsWorkspace<P>& ws, const Axes& axes) const {
    const Driveline& driveline = models_.front()->driveline;
    const auto input = [&](InputIndex k) { return k == kNoInput ? P{} : ws.inputs[at(k)].f; };
    typename Solver::Demand demand;
    demand.throttle = input(driveline.motor.throttle);
    demand.pedal = input(driveline.coupling.pedal);
    for (std::size_t j = 0; j < shafts_.size(); ++j)
      demand.wheel_speed[j] = dot(axes[j], shafts_[j].force.relative_velocity(ws).a);
    return demand;
  }

  typename Solver::Rule rule_of(CarsWorkspace<P>& ws) const {
    const StatesOfCars<P> states(ws, first_state_);
    typename Solver::Rule rule;
    rule.h = states.step();
    rule.gain = states.gain();
    for (std::size_t k = 0; k < rule.x_begin.size(); ++k) {
      rule.x_begin[k] = states.x_begin(static_cast<int>(k));
      rule.x_hat[k] = states.x_hat(static_cast<int>(k));
      rule.xd_hat[k] = states.xd_hat(static_cast<int>(k));
    }
    return rule;
  }

  /// The gearbox of one car at the end of a step.
  void shift_gear_of(const CarsWorkspace<P>& ws, int lane, const typename Solver::Demand& demand,
                     double h, typename Solver::Solution& solution) const {
    const DrivelineModel& model = *models_[at(lane)];
    const InputIndex selector = model.driveline.gearbox.selector;
    DrivelineDemand given;
    given.throttle = demand.throttle[lane];
    given.pedal = demand.pedal[lane];
    if (selector != kNoInput) given.selector = ws.inputs[at(selector)].f[lane];
    for (std::size_t j = 0; j < shafts_.size(); ++j)
      given.wheel_speed[j] = demand.wheel_speed[j][lane];
    DrivelineSolution own;
    for (std::size_t k = 0; k < own.x.size(); ++k) own.x[k] = solution.x[k][lane];
    own.y.setZero();
    own.y[DrivelineModel::kOutput] = solution.output[lane];
    if (!shift_gear(model, given, h, own)) {
      // the timer runs
      solution.x[driveline_state::kShiftTimer][lane] = own.x[driveline_state::kShiftTimer];
      return;
    }
    // the same states in another gear: other rates
    DrivelineRule held;
    held.hold(own.x, {});
    solve_driveline(model, given, held, own, /*with_resistance=*/false);
    for (std::size_t k = 0; k < own.x.size(); ++k) {
      solution.x[k][lane] = own.x[k];
      solution.xd[k][lane] = own.xd[k];
    }
  }

  std::vector<const DrivelineModel*> models_;  ///< [lane]
  Solver solver_;
  std::vector<Shaft> shafts_;
  int first_state_;
};

}  // namespace semirec
