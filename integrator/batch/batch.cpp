#include "integrator/batch/batch.hpp"

#include <algorithm>
#include <stdexcept>

#include "integrator/batch/packs_of_cars.hpp"
#include "integrator/formulation/formulation_model.hpp"

namespace semirec {

std::shared_ptr<const CarShape> shape_of(const Model& model) {
  auto shape = std::make_shared<CarShape>();
  shape->tree = make_one_by_one(model.tree);
  shape->closures = make_one_by_one(shape->tree, model.closures);
  return shape;
}

namespace {

/// Whether the inputs of two mechanisms are driven in the same way; their curves may differ.
bool has_like_inputs(const Mechanism& a, const Mechanism& b) {
  if (a.inputs.size() != b.inputs.size()) return false;
  for (std::size_t k = 0; k < a.inputs.size(); ++k)
    if (a.inputs[k].computed != b.inputs[k].computed || a.inputs[k].of != b.inputs[k].of)
      return false;
  return true;
}

std::string lacks(const Model& car) {
  if (!car.formulation->steps_side_by_side())
    return std::string("it is in the ") + car.formulation->name() + " formulation, expected hybrid";
  if (!car.closures.switches.empty()) return "it has closures that events switch";
  if (car.closures.dependent) return "it has closures that depend on one another";
  return {};
}

}  // namespace

std::string batch_fault(const Model& first, const Model& car) {
  if (std::string own = lacks(car); !own.empty()) return own;
  const char* other = difference_of(first.tree, car.tree);
  if (other == nullptr) other = difference_of(first.closures, car.closures);
  if (other == nullptr && !has_like_inputs(first.mechanism, car.mechanism))
    other = "inputs that are driven otherwise";
  if (other == nullptr && first.forces.size() != car.forces.size())
    other = "another number of force elements";
  if (other == nullptr) return {};
  return std::string("it has ") + other + " than the first car of the batch";
}

namespace {

/// batch_fault() of settings; nullptr where there is none. No heap use.
const char* fault_of(const StepSettings& settings) {
  static const State none;
  if (settings.closing != Closing::penalty)
    return "the closing is not 'penalty', expected that for cars side by side";
  if (settings.error_tolerance > 0.0)
    return "an error tolerance, expected steps of one length for cars side by side";
  if (settings.iterations > 0 && settings.factorizations > 0 &&
      settings.factorizations < settings.iterations)
    return "a factor that serves several iterations, expected a new one in each for cars side by "
           "side";
  if (settings.scheme.family->kind != StepKind::index_3 ||
      settings.scheme.make(settings.h, none).past.columns > 0)
    return "a scheme that remembers earlier steps or takes steps of its own, expected 'trapezoid' "
           "or 'newmark' for cars side by side";
  return nullptr;
}

}  // namespace

std::string batch_fault(const StepSettings& settings) {
  const char* fault = fault_of(settings);
  return fault == nullptr ? std::string() : fault;
}

namespace {

bool has_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0;
#else
  return false;
#endif
}

}  // namespace

std::string lanes_fault(int lanes) {
  if (lanes != kLanesOf<Pack> && lanes != kLanesOf<WidePack>)
    return std::to_string(lanes) + ", expected 4, 8, or 0 for what the processor has";
  if (lanes == kLanesOf<WidePack> && packs_of_eight_need_avx512 && !has_avx512())
    return "8, and this processor has no AVX-512, expected 4";
  return {};
}

int cars_side_by_side() {
  return packs_of_eight_need_avx512 && has_avx512() ? kLanesOf<WidePack> : kLanesOf<Pack>;
}

Batch::Batch(const std::vector<const Model*>& cars, int lanes) {
  if (cars.empty()) throw std::invalid_argument("a batch has no cars, expected at least one");
  for (std::size_t k = 0; k < cars.size(); ++k)
    if (const std::string fault = batch_fault(*cars.front(), *cars[k]); !fault.empty())
      throw std::invalid_argument("car " + std::to_string(k) + " of the batch: " + fault);
  if (lanes == 0) lanes = cars_side_by_side();
  if (const std::string fault = lanes_fault(lanes); !fault.empty())
    throw std::invalid_argument("lanes of a batch: " + fault);
  packs_ = lanes == kLanesOf<WidePack> ? make_packs_of_eight(cars) : make_packs_of_four(cars);
}

namespace {
void check_count(std::size_t states, int cars) {
  if (states == static_cast<std::size_t>(cars)) return;
  throw std::out_of_range("a batch of " + std::to_string(cars) + " cars is given " +
                          std::to_string(states) + " states, expected one for each");
}
}  // namespace

Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

int Batch::size() const { return packs_->size(); }
int Batch::lanes() const { return packs_->lanes(); }
void Batch::put(int car, const State& state) { packs_->put(car, state); }
void Batch::take(int car, State& state) const { packs_->take(car, state); }
void Batch::put(std::span<const State* const> states) {
  check_count(states.size(), size());
  packs_->put(states.data());
}
void Batch::take(std::span<State* const> states) const {
  check_count(states.size(), size());
  packs_->take(states.data());
}
void Batch::leave_out(int car) { packs_->leave_out(car); }
void Batch::set_time(int car, double t) { packs_->set_time(car, t); }
void Batch::set_end(int car, double t) { packs_->set_end(car, t); }
void Batch::set_inputs(int car, const std::vector<LiveInput>& live) {
  packs_->set_inputs(car, live);
}
void Batch::hold_inputs(int car) { packs_->hold_inputs(car); }
void Batch::step(const StepSettings& settings, int steps) {
  if (fault_of(settings) == nullptr)
    packs_->step(settings, steps);
  else
    packs_->refuse(StepStatus::closing_unfit);
}
const StepReport& Batch::report(int car) const { return packs_->report(car); }

}  // namespace semirec
