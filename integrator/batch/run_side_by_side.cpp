#include "integrator/batch/run_side_by_side.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "integrator/batch/batch.hpp"
#include "integrator/run_in_progress.hpp"

namespace semirec {

std::string side_by_side_fault(const RunSettings& settings) {
  if (settings.audit) return "the runs are audited, expected none that is for cars side by side";
  if (!settings.events.empty()) return "events are watched, expected none for cars side by side";
  if (settings.cut_contacts && settings.step.iterations == 0)
    return "steps are cut at contacts, expected whole ones for cars side by side";
  if (settings.control.tolerance > 0.0)
    return "an error tolerance, expected steps of one length for cars side by side";
  return batch_fault(settings.step);
}

namespace {

/// Runs of a batch that go on from grid step to grid step.
class RunsSideBySide {
 public:
  RunsSideBySide(const RunSettings& settings, const std::vector<RunOfCar>& cars, int lanes)
      : settings_(settings), cars_(cars), batch_(models_of(cars), lanes) {
    for (const RunOfCar& car : cars)
      runs_.push_back(std::make_unique<RunInProgress>(*car.model, settings, *car.state, *car.ws,
                                                      *car.observer));
    for (std::size_t k = 0; k < cars.size(); ++k) put(k);
  }

  std::vector<RunReport> take() {
    while (take_grid_step()) {
    }
    std::vector<RunReport> reports;
    for (const auto& run : runs_) reports.push_back(run->finish());
    return reports;
  }

 private:
  static std::vector<const Model*> models_of(const std::vector<RunOfCar>& cars) {
    std::vector<const Model*> models;
    for (const RunOfCar& car : cars) models.push_back(car.model);
    return models;
  }
  void put(std::size_t car) { batch_.put(static_cast<int>(car), *cars_[car].state); }
  void fetch(std::size_t car) {
    State& state = *cars_[car].state;
    const double t = state.t;
    batch_.take(static_cast<int>(car), state);
    state.t = t;
  }

  /// False: no run goes on.
  bool take_grid_step() {
    StepSettings step = settings_.step;
    bool any = false;
    bool beside = false;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      RunInProgress& run = *runs_[k];
      way_[k] = Way::none;
      if (!run.goes_on()) {
        batch_.leave_out(static_cast<int>(k));
        continue;
      }
      any = true;
      way_[k] = run.is_next_plain() ? Way::beside : Way::alone;
      if (way_[k] == Way::alone) {
        fetch(k);
        batch_.leave_out(static_cast<int>(k));
        continue;
      }
      step.h = run.next_time() - run.grid_time();  // of all: they are at one time
      beside = true;
    }
    if (beside) {
      batch_.step(step);
      fetch_where_looked_at();
    }
    for (std::size_t k = 0; k < runs_.size(); ++k)
      if (way_[k] != Way::none) end_grid_step(k);
    return any;
  }

  bool has_gone_on(std::size_t k) const {
    return way_[k] == Way::beside &&
           batch_.report(static_cast<int>(k)).status == StepStatus::converged;
  }
  void fetch_where_looked_at() {
    bool any = false;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      looked_at_[k] = has_gone_on(k) && runs_[k]->looks_at_next() ? cars_[k].state : nullptr;
      any = any || looked_at_[k] != nullptr;
    }
    if (any) batch_.take(looked_at_);
  }

  void end_grid_step(std::size_t k) {
    RunInProgress& run = *runs_[k];
    if (has_gone_on(k)) {
      const double t = run.next_time();
      batch_.set_time(static_cast<int>(k), t);
      cars_[k].state->t = t;
      run.note_plain_step(batch_.report(static_cast<int>(k)));
      // who has stopped wants to see where
      if (!run.goes_on()) fetch(k);
      return;
    }
    if (way_[k] == Way::beside) fetch(k);
    run.take_step();
    put(k);
  }

  enum class Way { none, beside, alone };  ///< of a car's coming grid step
  const RunSettings& settings_;
  const std::vector<RunOfCar>& cars_;
  Batch batch_;
  std::vector<std::unique_ptr<RunInProgress>> runs_;
  std::vector<Way> way_ = std::vector<Way>(cars_.size());
  std::vector<State*> looked_at_ = std::vector<State*>(cars_.size());
};

}  // namespace

std::vector<RunReport> run_side_by_side(const RunSettings& settings,
                                        const std::vector<RunOfCar>& cars, int lanes) {
  if (const std::string fault = side_by_side_fault(settings); !fault.empty())
    throw std::invalid_argument(fault);
  for (auto car = cars.begin(); car != cars.end(); ++car) {
    if (car->state->t != cars.front().state->t)
      throw std::invalid_argument("runs side by side begin at different times, expected one");
    const auto shares = [&](const RunOfCar& other) {
      return other.state == car->state || other.ws == car->ws;
    };
    if (std::any_of(cars.begin(), car, shares))
      throw std::invalid_argument(
          "runs side by side share a state or a workspace, expected one each");
  }
  return RunsSideBySide(settings, cars, lanes).take();
}

}  // namespace semirec
