#pragma once

#include <memory>
#include <vector>

#include "integrator/batch/cars.hpp"
#include "integrator/report.hpp"

namespace semirec {

/// All packs of a batch, whatever their width.
class PacksOfCars {
 public:
  virtual ~PacksOfCars() = default;
  virtual int size() const = 0;
  virtual int lanes() const = 0;
  virtual void put(int car, const State& state) = 0;
  virtual void put(const State* const* states) = 0;
  virtual void take(int car, State& state) const = 0;
  virtual void take(State* const* states) const = 0;
  virtual void leave_out(int car) = 0;
  virtual void set_time(int car, double t) = 0;
  virtual void set_end(int car, double t) = 0;
  virtual void set_inputs(int car, const std::vector<LiveInput>& live) = 0;
  virtual void hold_inputs(int car) = 0;
  virtual void step(const StepSettings& settings, int steps) = 0;
  /// No car is stepped; the reports say why.
  virtual void refuse(StepStatus why) = 0;
  virtual const StepReport& report(int car) const = 0;

 protected:
  PacksOfCars() = default;
  PacksOfCars(const PacksOfCars&) = default;
  PacksOfCars(PacksOfCars&&) noexcept = default;
  PacksOfCars& operator=(const PacksOfCars&) = default;
  PacksOfCars& operator=(PacksOfCars&&) noexcept = default;
};

/// The shape of a car. Build time.
std::shared_ptr<const CarShape> shape_of(const Model& model);

/// Cars whose batch_fault() is empty, four and eight side by side. The second is compiled for
/// AVX-512 where the compiler knows it (cmake/WideKernels.cmake) and may be called only where the
/// processor has it.
std::unique_ptr<PacksOfCars> make_packs_of_four(const std::vector<const Model*>& models);
std::unique_ptr<PacksOfCars> make_packs_of_eight(const std::vector<const Model*>& models);
/// Whether they are compiled for AVX-512.
extern const bool packs_of_eight_need_avx512;

}  // namespace semirec
