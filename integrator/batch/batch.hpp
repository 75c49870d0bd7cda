#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/report.hpp"
#include "integrator/state.hpp"

namespace semirec {

/// In one line why a car cannot be stepped beside the first one of a batch; empty where it can. Of
/// both the topology must be the same and the formulation hybrid; events do not switch closures.
/// Numbers may differ. Allocates.
std::string batch_fault(const Model& first, const Model& car);

/// In one line why steps with these settings cannot be taken side by side; empty where they can:
/// a new factor in every iteration, closures by the penalty, a scheme without a history. Allocates.
std::string batch_fault(const StepSettings& settings);

/// In one line why so many cars cannot be stepped side by side here; empty for 4, and for 8 where
/// the processor has what the code for them is compiled for. Allocates.
std::string lanes_fault(int lanes);

/// Number of cars that fill a vector register of this processor: 8 with AVX-512, else 4.
int cars_side_by_side();

class PacksOfCars;

/// Cars of one topology with different numbers, stepped side by side: each has a lane of the vector
/// registers. What comes out of a car's lane does not depend on its neighbours, to the bit, and is
/// what step() makes of the car by itself up to round-off.
class Batch {
 public:
  /// The models outlive the batch. `lanes`: 4 or 8; 0: cars_side_by_side(). Throws
  /// std::invalid_argument with batch_fault() of the first car that does not fit.
  explicit Batch(const std::vector<const Model*>& cars, int lanes = 0);
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  // cars by their index among those of the constructor; std::out_of_range for any other

  int size() const;
  int lanes() const;

  /// Puts a car into a state, which must be consistent; a car that had failed goes on from there.
  void put(int car, const State& state);
  /// The car's state; `state` keeps what a batch has not (StepSettings of batch_fault()).
  void take(int car, State& state) const;

  /// The same of several cars at once, which costs less than one after another; `states`: [car],
  /// nullptr for one that is left as it is. std::out_of_range where they are not size().
  void put(std::span<const State* const> states);
  void take(std::span<State* const> states) const;

  /// Leaves a car out of the steps until it is put into a state again.
  void leave_out(int car);

  /// The time of a car, s: on a grid that its steps hit but for round-off.
  void set_time(int car, double t);

  /// The time at which the car's next step ends, s, for steps that meet times of a grid to the last
  /// digit: without it, and with those after it, that of its begin and the step's length added up.
  void set_end(int car, double t);

  /// What is given to a car from outside at the end of its next step, [input], as State::live.
  void set_inputs(int car, const std::vector<LiveInput>& live);

  /// What is given to a car from outside keeps its value: from now on it has no rate.
  void hold_inputs(int car);

  /// Takes steps of all cars that have not failed and are not left out. A car whose step fails
  /// stays at its begin. Several steps at once go through the near caches car by car: where there
  /// are many cars they cost less than as many calls. With settings that batch_fault() refuses no
  /// car is stepped and none fails: the reports say closing_unfit. No heap use.
  void step(const StepSettings& settings, int steps = 1);

  /// What the last step of a car did; of one that has failed, the step that failed.
  const StepReport& report(int car) const;

 private:
  std::unique_ptr<PacksOfCars> packs_;
};

}  // namespace semirec
