#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/batch/batch.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/random_mechanism.hpp"

namespace semirec::test {

/// Shipped cars of one model that differ in numbers of the file.
struct Fleet {
  std::vector<ShippedDrive> cars;
  StepSettings settings;

  Fleet(const std::string& model, const std::string& scenario, int count,
        const std::function<std::vector<std::string>(Random&)>& numbers,
        const std::function<void(Random&, Scenario&)>& change = {}) {
    Random random(7);
    for (int k = 0; k < count; ++k)
      cars.push_back(start_shipped(model, scenario, numbers(random), [&](Scenario& own) {
        if (change) change(random, own);
      }));
    settings = cars.front().drive.settings.step;
    settings.h = 1e-3;
    settings.iterations = 2;
  }
  std::vector<const Model*> models() const {
    std::vector<const Model*> all;
    for (const ShippedDrive& car : cars) all.push_back(&car.drive.model);
    return all;
  }
  /// Gives an input of a car from now on.
  void give(std::size_t car, const std::string& input, double value) {
    const std::vector<Input>& inputs = cars[car].drive.model.mechanism.inputs;
    const auto found = std::find_if(inputs.begin(), inputs.end(),
                                    [&](const Input& own) { return own.name == input; });
    ASSERT_NE(found, inputs.end()) << input;
    std::vector<LiveInput>& live = cars[car].state.live;
    live.resize(inputs.size());
    live[static_cast<std::size_t>(found - inputs.begin())] = {true, {value, 0.0, 0.0}};
  }
  Batch make_batch(int lanes) const {
    Batch batch(models(), lanes);
    for (std::size_t k = 0; k < cars.size(); ++k) batch.put(static_cast<int>(k), cars[k].state);
    return batch;
  }
};

/// An override.
inline std::string set(const std::string& what, double value) {
  return what + "=" + std::to_string(value);
}

// numbers of a car at random
inline std::vector<std::string> numbers_of_car26(Random& random) {
  return {set("chassis.mass", random.number(500.0, 700.0))};
}
inline std::vector<std::string> numbers_of_sedan(Random& random) {
  return {set("chassis.mass", random.number(1200.0, 1600.0))};
}
inline std::vector<std::string> numbers_of_tyres(Random& random) {
  std::vector<std::string> numbers = numbers_of_sedan(random);
  numbers.push_back(set("wheel_*.friction_scale", random.number(0.7, 1.1)));
  numbers.push_back(set("wheel_*.turning_friction", random.number(0.5, 1.0)));
  return numbers;
}
inline void change_speed(Random& random, Scenario& scenario) {
  scenario.speed = random.number(10.0, 30.0);
}

/// The numbers of lanes that this processor has.
inline std::vector<int> find_lanes() {
  std::vector<int> lanes{4};
  if (lanes_fault(8).empty()) lanes.push_back(8);
  return lanes;
}

}  // namespace semirec::test
