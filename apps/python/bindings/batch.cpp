#include "apps/python/bindings/batch.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <system_error>
#include <thread>

namespace semirec::python {

namespace {

void expect_like(const Car& first, const Car& other, std::size_t place) {
  const auto refuse = [&](const char* what) {
    throw ModelError("batch: car " + std::to_string(place) + " has other " + what +
                     " than car 0, expected the same names in the same order");
  };
  const auto& inputs = first.session().inputs();
  const auto& others = other.session().inputs();
  if (inputs.size() != others.size()) refuse("inputs");
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (inputs[k].name != others[k].name) refuse("inputs");
  if (first.chosen().size() != other.chosen().size()) refuse("outputs");
  for (std::size_t k = 0; k < first.chosen().size(); ++k)
    if (first.session().outputs()[first.chosen()[k]].name !=
        other.session().outputs()[other.chosen()[k]].name)
      refuse("outputs");
}

std::size_t at(int k) { return static_cast<std::size_t>(k); }

}  // namespace

Batch::Batch(const std::vector<const Car*>& cars, int threads) {
  if (cars.empty()) throw ModelError("batch: there is no car, expected at least one");
  for (std::size_t k = 0; k < cars.size(); ++k) {
    expect_like(*cars.front(), *cars[k], k);
    cars_.push_back(std::make_unique<Car>(*cars[k]));
    start_.push_back(cars_.back()->save());
  }
  status_.assign(cars_.size(), StepStatus::converged);
  input_count_ = static_cast<int>(cars_.front()->session().inputs().size());
  output_count_ = static_cast<int>(cars_.front()->chosen().size());
  inputs_.resize(cars_.size() * at(input_count_));
  outputs_.resize(cars_.size() * at(output_count_));
  for (std::size_t k = 0; k < cars_.size(); ++k)
    cars_[k]->live_in(&inputs_[k * at(input_count_)], &outputs_[k * at(output_count_)]);
  const int processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  threads_ = std::min(size(), threads > 0 ? threads : processors);
}

template <typename Task>
void Batch::in_threads(const Task& task) noexcept {
  std::atomic<int> next{0};
  const auto work = [&]() noexcept {
    for (int k = next++; k < size(); k = next++) task(k);
  };
  std::vector<std::thread> helpers;
  try {
    helpers.reserve(at(threads_ - 1));
    for (int k = 1; k < threads_; ++k) helpers.emplace_back(work);
  } catch (const std::exception&) {
    // no memory or no thread to be had: those that are there do it all
  }
  work();
  for (std::thread& helper : helpers) helper.join();
}

void Batch::advance(int car, int steps) noexcept {
  StepStatus& status = status_[at(car)];
  if (status == StepStatus::converged) status = cars_[at(car)]->advance(steps);
  if (status == StepStatus::converged)
    cars_[at(car)]->read_outputs();
  else
    std::fill_n(cars_[at(car)]->outputs(), output_count_, std::numeric_limits<double>::quiet_NaN());
}

void Batch::step(int steps) noexcept {
  in_threads([&](int k) noexcept { advance(k, steps); });
}

void Batch::rollout(const double* controls, int rows, bool own, int every,
                    double* outputs) noexcept {
  in_threads([&](int k) noexcept {
    Car& car = *cars_[at(k)];
    const double* in = controls + (own ? at(k) * at(rows) * at(input_count_) : 0);
    double* out = outputs + at(k) * at(rows) * at(output_count_);
    for (int row = 0; row < rows; ++row) {
      std::copy_n(in, input_count_, car.inputs());
      advance(k, every);
      std::copy_n(car.outputs(), output_count_, out);
      in += input_count_;
      out += output_count_;
    }
  });
}

void Batch::reset(int car) {
  cars_[at(car)]->restore(start_[at(car)].data(), start_[at(car)].size());
  status_[at(car)] = StepStatus::converged;
}

}  // namespace semirec::python
