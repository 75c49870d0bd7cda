#include "apps/python/bindings/batch.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
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

/// Steps of a thread between two questions: tenths of a second, beside which threads begin quickly.
constexpr int kUntilAsked = 10000;

std::size_t at(int k) { return static_cast<std::size_t>(k); }

}  // namespace

Batch::Batch(const std::vector<const Car*>& cars, int threads, bool side_by_side) {
  if (cars.empty()) throw ModelError("batch: there is no car, expected at least one");
  for (std::size_t k = 0; k < cars.size(); ++k) {
    expect_like(*cars.front(), *cars[k], k);
    cars_.push_back(std::make_unique<Car>(*cars[k]));
    start_.push_back(cars_.back()->save());
  }
  status_.assign(cars_.size(), StepStatus::converged);
  places_.resize(cars_.size());
  std::iota(places_.begin(), places_.end(), 0);
  input_count_ = static_cast<int>(cars_.front()->session().inputs().size());
  output_count_ = static_cast<int>(cars_.front()->chosen().size());
  inputs_.resize(cars_.size() * at(input_count_));
  outputs_.resize(cars_.size() * at(output_count_));
  for (std::size_t k = 0; k < cars_.size(); ++k)
    cars_[k]->live_in(&inputs_[k * at(input_count_)], &outputs_[k * at(output_count_)]);
  const int processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  threads_ = std::min(size(), threads > 0 ? threads : processors);
  if (!side_by_side) return;
  for (int k = 0; k < size(); ++k)
    if (const std::string fault =
            side_by_side_fault(cars_.front()->session(), cars_[at(k)]->session());
        !fault.empty())
      throw ModelError("batch: car " + std::to_string(k) + " cannot go side by side: " + fault);
  std::vector<Session*> sessions;
  for (const auto& car : cars_) sessions.push_back(&car->session());
  beside_.emplace(sessions);
}

bool Batch::goes_side_by_side() const noexcept {
  return beside_.has_value() && !expects_python_functions();
}

template <typename Task>
void Batch::in_threads(const Task& task) noexcept {
  const bool beside = goes_side_by_side();
  const int groups = beside ? beside_->registers() : size();
  std::atomic<int> next{0};
  const auto work = [&]() noexcept {
    for (int k = next++; k < groups; k = next++)
      task(Group{k, beside ? std::span<const std::size_t>(beside_->cars_in(k))
                           : std::span<const std::size_t>(&places_[at(k)], 1)});
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

void Batch::advance(const Group& group, int steps) noexcept {
  const auto for_each_good = [&](const auto& task) {
    for (const std::size_t k : group.cars)
      if (status_[k] == StepStatus::converged) task(*cars_[k], status_[k]);
  };
  if (goes_side_by_side()) {
    for_each_good([](Car& car, StepStatus& own) {
      car.step_elsewhere();
      if (!car.send_inputs()) own = StepStatus::non_finite;
    });
    beside_->step_register(group.index, steps, status_.data());
  } else {
    for_each_good([&](Car& car, StepStatus& own) { own = car.advance(steps); });
  }
}

void Batch::read_outputs(const Group& group, bool after_step) noexcept {
  for (const std::size_t k : group.cars) {
    Car& car = *cars_[k];
    StepStatus& status = status_[k];
    if (status == StepStatus::converged &&
        !(after_step ? car.read_outputs_after_step() : car.read_outputs()))
      status = StepStatus::non_finite;
    if (status != StepStatus::converged)
      std::fill_n(car.outputs(), output_count_, std::numeric_limits<double>::quiet_NaN());
  }
}

void Batch::read_outputs_quietly() noexcept {
  for (int k = 0; k < size(); ++k)
    if (status_[at(k)] == StepStatus::converged)
      cars_[at(k)]->read_outputs_quietly();
    else
      std::fill_n(cars_[at(k)]->outputs(), output_count_, std::numeric_limits<double>::quiet_NaN());
}

int Batch::steps_until_asked() const noexcept {
  return std::max(1, kUntilAsked * threads_ / size());
}

bool Batch::step(int steps, const GoesOn& goes_on) noexcept {
  const bool takes_steps = steps > 0;
  for (;;) {
    const int now = std::min(steps, steps_until_asked());
    steps -= now;
    in_threads([&](const Group& group) noexcept {
      advance(group, now);
      if (steps == 0) read_outputs(group, takes_steps);
    });
    if (steps == 0) return true;
    if (goes_on()) continue;
    read_outputs_quietly();
    return false;
  }
}

bool Batch::rollout(const double* controls, int rows, bool own, int every, double* outputs,
                    const GoesOn& goes_on) noexcept {
  const std::size_t in_size = at(rows) * at(input_count_);
  const std::size_t out_size = at(rows) * at(output_count_);
  const auto take_inputs = [&](int k, int row) {
    std::copy_n(controls + (own ? at(k) * in_size : 0) + at(row) * at(input_count_), input_count_,
                cars_[at(k)]->inputs());
  };
  const auto hand_outputs = [&](int k, int row) {
    std::copy_n(cars_[at(k)]->outputs(), output_count_,
                outputs + at(k) * out_size + at(row) * at(output_count_));
  };
  const int rows_at_once = steps_until_asked() / every;
  for (int row = 0; row < rows; row += std::max(1, rows_at_once)) {
    if (row > 0 && !goes_on()) return false;
    if (rows_at_once == 0) {
      // a row that takes long
      for (int k = 0; k < size(); ++k) take_inputs(k, row);
      if (!step(every, goes_on)) return false;
      for (int k = 0; k < size(); ++k) hand_outputs(k, row);
      continue;
    }
    const int end = std::min(rows, row + rows_at_once);
    in_threads([&](const Group& group) noexcept {
      for (int r = row; r < end; ++r) {
        for (const std::size_t k : group.cars) take_inputs(static_cast<int>(k), r);
        advance(group, every);
        read_outputs(group, /*after_step=*/true);
        for (const std::size_t k : group.cars) hand_outputs(static_cast<int>(k), r);
      }
    });
  }
  return true;
}

void Batch::reset(int car) {
  cars_[at(car)]->restore(start_[at(car)].data(), start_[at(car)].size());
  status_[at(car)] = StepStatus::converged;
}

}  // namespace semirec::python
